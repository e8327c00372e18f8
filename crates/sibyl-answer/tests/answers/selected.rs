//! Selected text alone: four ways in which something else could leak in, with both generators.

use crate::{task, written};
use sibyl_answer::citation::Composer;
use sibyl_answer::draft::DraftSentence;
use sibyl_answer::generate::chat::Chat;
use sibyl_answer::generate::{Generator, extractive::Extractive};
use sibyl_answer::prompt::Prompt;
use sibyl_answer::{Check, Selection};
use sibyl_embed::http::{Endpoint, Patience};
use sibyl_loopback::{Options, Provider};
use sibyl_text::Span;

const TEXT: &str = "Our plan rests on three premises. If any one slips, the milestone of 2035 moves to 2038.";

fn selection() -> Selection {
    Selection {
        text: TEXT.to_owned(),
        document: "plan.md".to_owned(),
        section: "Plan".to_owned(),
        page: Some(34),
        page_label: Some("32".to_owned()),
    }
}

#[tokio::test]
async fn both_generators_answer_from_the_selection_and_from_nothing_else() {
    let provider = Provider::start(Options::default()).unwrap();
    let endpoint = Endpoint::new(&provider.url(), None).unwrap();
    let chat = Chat::new(endpoint, "a/model", Prompt::default(), Patience::default());
    let generators: [&dyn Generator; 2] = [&Extractive, &chat];
    for generator in generators {
        let task = task("What happens if a premise slips?", vec![selection().passage().unwrap()]);
        let (draft, sentences, _) = written(generator, &task).await;
        assert_eq!(draft.fault, None);
        assert!(!sentences.is_empty());
        for sentence in sentences {
            assert_eq!(sentence.check, Check::Verified, "{sentence:?}");
            assert!(TEXT.contains(&sentence.text), "{sentence:?}");
        }
    }
    // The one thing that was asked for is the answer: nothing was embedded to be searched for.
    let asked = provider.requests();
    assert_eq!(asked.iter().map(|one| one.path.as_str()).collect::<Vec<_>>(), ["/v1/chat/completions"]);
    let prompt = asked[0].texts.join("\n");
    assert_eq!(prompt.matches("[Document ").count(), 1, "{prompt}");
}

#[test]
fn a_citation_of_a_selection_names_its_page_and_the_label_printed_on_it() {
    let passage = selection().passage().unwrap();
    let mut composer = Composer::new(std::slice::from_ref(&passage), 1);
    let quoted = DraftSentence {
        text: TEXT[..33].to_owned(),
        passages: vec![1],
        quoted: Some((1, Span::new(0, 33))),
        ..DraftSentence::default()
    };
    let (_, citations) = composer.add(&quoted);
    assert_eq!(citations[0].pages, Some((34, 34)));
    assert_eq!(citations[0].page_labels, Some(("32".to_owned(), "32".to_owned())));
    assert_eq!(citations[0].ocr, None);
}

#[test]
fn nothing_selected_is_no_passage() {
    assert!(Selection::default().passage().is_none());
}
