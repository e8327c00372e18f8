//! What a reply reports: how it ended, what is not confirmed, and what was taken out of it.

use crate::{passage, task, written};
use sibyl_answer::answer::{Fault, Reading, RemovedKind};
use sibyl_answer::citation::{Composer, read};
use sibyl_answer::generate::chat::Chat;
use sibyl_answer::prompt::{FALLBACK, Prompt};
use sibyl_answer::reply::NOT_FOUND;
use sibyl_answer::{Band, Check, Outcome, Passage, Piece, Refusal, Reply};
use sibyl_embed::http::{Endpoint, Patience};
use sibyl_loopback::{Behaviour, Options, Provider};
use std::time::Duration;

fn passages() -> Vec<Passage> {
    vec![
        passage(1, "Mill", "The wheel turns at 40 m a minute. The weir is open in May."),
        passage(2, "Board", "The board is chaired by Marian Osei, who joined in 2019."),
    ]
}

/// The reply if a model with passages of relevance 0.9 wrote `readings`, each a text, up to `fault`.
fn told(readings: &[&str], fault: Option<&str>) -> Reply {
    let passages = passages();
    let mut reply = Reply { model: Some("a/model".to_owned()), ..Reply::new("chat") };
    reply.rate(0.9);
    let mut first = 1;
    let readings = readings.iter().map(|text| {
        let mut composer = Composer::new(&passages, first);
        let (mut sentences, mut citations) = (Vec::new(), Vec::new());
        for piece in read(text, passages.len()) {
            let Piece::Sentence(draft) = piece else { continue };
            let (sentence, new) = composer.add(&draft);
            sentences.push(sentence);
            citations.extend(new);
        }
        first += citations.len();
        let (confidence, band) = (0.9, Band::High);
        Reading {
            reading: (*text).to_owned(),
            answer: None,
            confidence,
            band,
            sentences,
            citations,
            figures: None,
        }
    });
    let readings = readings.collect();
    let fault = fault.map(|code| Fault { code: code.to_owned(), message: format!("{code} happened") });
    reply.write(readings, fault);
    reply
}

const TRUE: &str = "The wheel turns at 40 m a minute [Citation 1].";
const INVENTED: &str = "It met nineteen times last year [Citation 42].";

#[test]
fn a_whole_answer_is_as_sure_as_its_passages_are_relevant() {
    let reply = told(&[TRUE], None);
    assert_eq!((reply.outcome, reply.refusal, reply.fault), (Outcome::Complete, None, None));
    assert_eq!(reply.answer.unwrap(), "The wheel turns at 40 m a minute. [Citation 1]");
    assert_eq!((reply.confidence, reply.band), (0.9, Band::High));
    assert_eq!((reply.removed, reply.remarks), (vec![], vec![]));
}

#[test]
fn what_no_passage_says_lowers_the_confidence_and_is_marked() {
    let reply = told(&[&format!("{TRUE} {INVENTED}")], None);
    assert_eq!(reply.outcome, Outcome::Complete);
    assert_eq!(
        reply.answer.unwrap(),
        "The wheel turns at 40 m a minute. [Citation 1] It met nineteen times last year. [Unsupported]"
    );
    let checks: Vec<Check> = reply.sentences.iter().map(|sentence| sentence.check).collect();
    assert_eq!(checks, [Check::Verified, Check::Unsupported]);
    assert!((reply.confidence - 0.45).abs() < 1e-9 && reply.band == Band::Low, "{}", reply.confidence);
    let removed = &reply.removed[..];
    let [mark] = removed else { panic!("{removed:?}") };
    assert_eq!((mark.kind, mark.sentence), (RemovedKind::InventedCitation, Some(1)));
    assert_eq!(mark.text, "[Citation 42]");
    assert!(reply.remarks.iter().any(|remark| remark.starts_with("1 of 2 sentences")), "{:?}", reply.remarks);
}

#[test]
fn an_answer_that_was_cut_says_so_and_the_end_that_is_missing_counts() {
    let reply = told(&[TRUE], Some("chat_cut"));
    assert_eq!(reply.outcome, Outcome::Incomplete);
    assert_eq!(reply.fault.unwrap().code, "chat_cut");
    assert!((reply.confidence - 0.45).abs() < 1e-9, "{}", reply.confidence);
    let torn = told(&[&format!("{TRUE} {INVENTED} Its chair is")], Some("chat_too_long"));
    assert!((torn.confidence - 0.9 / 4.0).abs() < 1e-9 && torn.band == Band::VeryLow);
    assert!(torn.answer.unwrap().ends_with("Its chair is [Unsupported]"));
}

#[test]
fn a_true_sentence_with_an_invented_mark_keeps_its_place_and_the_mark_is_told() {
    let reply = told(&["The wheel turns at 40 m a minute [Citation 1, 7] [Citation x]."], None);
    assert_eq!((reply.confidence, reply.citations.len()), (0.9, 1));
    let texts: Vec<&str> = reply.removed.iter().map(|removed| removed.text.as_str()).collect();
    assert_eq!(texts, ["[Citation 7]", "[Citation x]"]);
}

#[test]
fn a_mark_whose_passage_holds_nothing_of_its_sentence_is_told() {
    let reply = told(&["Das Rad dreht sich vierzigmal [Citation 2]."], None);
    // It names a passage, so it is an answer, but nothing supports it.
    assert_eq!((reply.outcome, reply.confidence), (Outcome::Complete, 0.0));
    let removed = &reply.removed[..];
    assert_eq!(removed.iter().map(|one| one.kind).collect::<Vec<_>>(), [RemovedKind::UnsupportedCitation]);
    assert_eq!(removed[0].text, "[Citation 2]");
    assert!(reply.remarks.iter().any(|remark| remark.contains("cites no source")), "{:?}", reply.remarks);
}

#[test]
fn what_cites_no_passage_is_no_answer_and_is_told() {
    for text in [
        "I cannot help with that request.",
        "The wheel turns at 40 m a minute [Citation 9].",
        "Wheels turn. They always have.",
    ] {
        let reply = told(&[text], None);
        assert_eq!((reply.outcome, reply.refusal), (Outcome::Refused, Some(Refusal::Declined)), "{text}");
        assert_eq!((reply.answer, reply.confidence, reply.sentences.len()), (None, 0.0, 0), "{text}");
        let sentences = reply.removed.iter().filter(|removed| removed.kind == RemovedKind::Sentence);
        let said: Vec<&str> = sentences.map(|removed| removed.text.as_str()).collect();
        assert_eq!(said.join(" "), text.replace(" [Citation 9]", ""), "{text}");
        assert!(reply.removed.iter().all(|removed| removed.sentence.is_none()));
        assert!(reply.message.unwrap().contains("cites a passage"));
    }
    let fell_back = told(&[FALLBACK], None);
    assert_eq!((fell_back.outcome, fell_back.refusal), (Outcome::Refused, Some(Refusal::NotFound)));
    assert!(fell_back.is_plainly_not_found(), "{fell_back:?}");
    let more = told(&[&format!("{FALLBACK} The moon is made of cheese.")], None);
    assert_eq!((more.refusal, more.message.as_deref()), (Some(Refusal::NotFound), Some(NOT_FOUND)));
    assert_eq!(more.removed[0].text, "The moon is made of cheese.");
    assert!(!more.is_plainly_not_found());
}

#[test]
fn what_went_wrong_before_the_first_word_is_a_fault_and_a_filter_a_refusal() {
    let reply = told(&[], Some("chat_unreachable"));
    assert_eq!((reply.outcome, reply.refusal, &reply.answer), (Outcome::Faulted, None, &None));
    assert_eq!((reply.message.as_deref(), reply.confidence), (Some("chat_unreachable happened"), 0.0));
    let filtered = told(&[], Some(Fault::FILTERED));
    assert_eq!((filtered.outcome, filtered.refusal), (Outcome::Refused, Some(Refusal::Declined)));
    assert_eq!(filtered.fault.unwrap().code, Fault::FILTERED);
    assert_eq!(told(&[TRUE], Some(Fault::FILTERED)).outcome, Outcome::Incomplete);
}

#[test]
fn each_reading_is_as_sure_as_its_own_sentences() {
    let reply = told(&[TRUE, &format!("{TRUE} {INVENTED}")], None);
    let sure: Vec<f64> = reply.readings.iter().map(|reading| reading.confidence).collect();
    assert!((sure[0] - 0.9).abs() < 1e-9 && (sure[1] - 0.45).abs() < 1e-9, "{sure:?}");
    assert!((reply.confidence - 0.6).abs() < 1e-9, "two of three sentences: {}", reply.confidence);
    assert_eq!(reply.removed[0].sentence, Some(2), "counted over all readings");
    let marked = reply.readings[1].answer.as_ref().unwrap();
    assert!(marked.ends_with("[Unsupported]") && reply.answer.unwrap().contains(marked));
}

#[tokio::test]
async fn a_model_that_runs_out_of_room_has_not_ended_its_answer() {
    let provider = Provider::start(Options::default()).unwrap();
    provider.always(Behaviour::SayThenStop(format!("{TRUE} {INVENTED} Its chair is"), "length".to_owned()));
    let patience = Patience { first: Duration::from_secs(30), silence: Duration::from_secs(30) };
    let endpoint = Endpoint::new(&provider.url(), None).unwrap();
    let chat = Chat::new(endpoint, "a/model", Prompt::default(), patience);
    let (draft, sentences, _) = written(&chat, &task("How fast does the wheel turn?", passages())).await;
    assert_eq!(draft.fault.unwrap().code, "chat_too_long");
    let checks: Vec<Check> = sentences.iter().map(|sentence| sentence.check).collect();
    assert_eq!(checks, [Check::Verified, Check::Unsupported, Check::Unsupported]);
    provider.always(Behaviour::SayThenStop(String::new(), "content_filter".to_owned()));
    let (draft, ..) = written(&chat, &task("How fast does the wheel turn?", passages())).await;
    assert_eq!(draft.fault.unwrap().code, Fault::FILTERED);
}
