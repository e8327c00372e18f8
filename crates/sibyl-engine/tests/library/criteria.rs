//! What source documents 001 and 002 demand of answers, each test named after its section or criterion.

use crate::answer::Desk;
use sibyl_engine::answer::{
    Answer, AskLogQuery, AskRequest, FALLBACK, NOT_FOUND, Outcome, Refusal, Selection,
};
use sibyl_engine::search::SearchStage;
use sibyl_engine::store::table::workspace::DEFAULT_WORKSPACE;

/// Both ways in which answers are written.
const GENERATORS: [&str; 2] = ["extractive", "chat"];
/// Text that somebody selected and that is nowhere in the library.
const SELECTED: &str =
    "Kinematics describes how an arm moves. The elbow bends by 140 degrees, and the wrist turns freely.";
const KINEMATICS: [&str; 10] = [
    "What does kinematics describe?",
    "How far does the elbow bend?",
    "How does the wrist turn?",
    "What describes how an arm moves?",
    "By how many degrees does the elbow bend?",
    "Does the wrist turn freely?",
    "What moves?",
    "Which joint bends by 140 degrees?",
    "What is said of the arm?",
    "elbow and wrist",
];
/// Text that is in the library and not in the selection.
const ELSEWHERE: [&str; 4] = ["wheel", "weir", "Marian", "Osei"];

async fn ask(desk: &Desk, request: &AskRequest) -> Answer {
    desk.library.answer().ask(DEFAULT_WORKSPACE, request, &|_| ()).await.unwrap()
}

fn plain(generator: &str, question: &str) -> AskRequest {
    AskRequest { question: question.to_owned(), generator: Some(generator.to_owned()), ..Desk::request() }
}

fn selected(generator: &str, question: &str) -> AskRequest {
    let selection = Selection { text: SELECTED.to_owned(), ..Selection::default() };
    AskRequest { selection: Some(selection), ..plain(generator, question) }
}

/// Words that were sent to the provider since it had answered `before` requests.
fn sent(desk: &Desk, before: usize) -> String {
    desk.provider.requests()[before..].iter().flat_map(|request| request.texts.clone()).collect()
}

/// Everything in an answer.
fn told(answer: &Answer) -> String {
    serde_json::to_string(answer).unwrap()
}

fn speaks_of_the_library(text: &str) -> bool {
    ELSEWHERE.iter().any(|word| text.contains(word))
}

#[tokio::test(flavor = "multi_thread")]
async fn document_001_section_6_the_fallback_comes_before_any_model() {
    let desk = Desk::new().await;
    // Nothing is found; all that is found is below the threshold; too little of it reaches it.
    let nothing = plain("chat", "Zanzibar quokka?");
    let below = AskRequest { threshold: Some(1.0), ..plain("chat", "How fast might anybody turn at noon?") };
    let few = AskRequest { min_chunks: 40, ..Desk::request() };
    for request in [nothing, below, few] {
        let answer = ask(&desk, &request).await;
        assert_eq!(
            (answer.reply.refusal, &answer.reply.answer),
            (Some(Refusal::NotFound), &None),
            "{}",
            request.question
        );
        assert_eq!(answer.reply.message.as_deref(), Some(NOT_FOUND));
        assert_eq!(answer.reply.remarks.first().map(String::as_str), Some(FALLBACK));
        assert!(answer.reply.citations.is_empty() && answer.reply.confidence == 0.0);
        assert!(answer.passages.iter().all(|passage| !passage.used && !passage.cited));
    }
    assert!(desk.provider.requests().is_empty(), "no model was asked");
}

#[tokio::test(flavor = "multi_thread")]
async fn document_001_section_8_every_interaction_is_logged_with_what_it_took() {
    let desk = Desk::new().await;
    for question in ["hello", "Zanzibar quokka?", "How fast does the wheel turn?"] {
        ask(&desk, &AskRequest { session: "audit".to_owned(), ..plain("chat", question) }).await;
    }
    let query = AskLogQuery { session: Some("audit".to_owned()), ..AskLogQuery::default() };
    let listed = desk.library.answer().logged(DEFAULT_WORKSPACE, &query).await.unwrap();
    assert_eq!(listed.total, 3);
    let log = desk.log().await;
    let [answered, missing, greeted] = &log[..] else { panic!("{} entries", log.len()) };
    let outcomes = [greeted, missing, answered].map(|answer| (answer.reply.outcome, answer.reply.refusal));
    let expected = [
        (Outcome::Refused, Some(Refusal::NoQuestion)),
        (Outcome::Refused, Some(Refusal::NotFound)),
        (Outcome::Complete, None),
    ];
    assert_eq!(outcomes, expected);
    for empty in [greeted, missing] {
        assert!(empty.reply.citations.is_empty() && empty.reply.confidence == 0.0 && empty.usage.is_none());
    }
    assert!(answered.reply.confidence > 0.0 && !answered.reply.citations.is_empty());
    assert_eq!(answered.reply.model.as_deref(), Some("loopback/writer"));
    assert!(answered.prompt_version.is_some() && !answered.config_hash.is_empty());
    assert!(answered.chunks_searched > 0 && answered.total_ms > 0.0);
    assert!(answered.timings.iter().any(|stage| stage.stage == SearchStage::Write));
    let usage = answered.usage.as_ref().unwrap();
    assert!(usage.prompt_tokens > 0 && usage.completion_tokens > 0 && usage.cost.is_some());
}

#[tokio::test(flavor = "multi_thread")]
async fn document_002_sc_002_leak_test_1_ten_questions_on_a_selection_search_nothing() {
    let desk = Desk::new().await;
    for generator in GENERATORS {
        for question in KINEMATICS {
            let before = desk.provider.requests().len();
            let answer = ask(&desk, &selected(generator, question)).await;
            assert!(answer.from_selection && answer.chunks_searched == 0, "{question}");
            assert!(
                answer.timings.iter().all(|stage| stage.stage == SearchStage::Write),
                "{:?}",
                answer.timings
            );
            assert_eq!(answer.passages.len(), 1);
            assert!(answer.passages[0].chunk_id.is_empty() && answer.passages[0].document_id == 0);
            for sentence in &answer.reply.sentences {
                assert!(SELECTED.contains(sentence.text.trim()), "{generator}: {sentence:?}");
            }
            // The one request is the one for the answer: nothing was embedded or reranked.
            let asked = &desk.provider.requests()[before..];
            assert!(asked.iter().all(|request| request.path.ends_with("/chat/completions")), "{asked:?}");
            assert_eq!(asked.len(), usize::from(generator == "chat"));
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn document_002_leak_test_2_what_the_selection_does_not_say_is_not_answered_from_the_library() {
    let desk = Desk::new().await;
    for generator in GENERATORS {
        let question = "How fast does the wheel turn when the weir is open?";
        assert!(speaks_of_the_library(&told(&ask(&desk, &plain(generator, question)).await)));
        let before = desk.provider.requests().len();
        let answer = ask(&desk, &selected(generator, question)).await;
        let said = answer.reply.answer.clone().unwrap_or_default();
        assert!(!speaks_of_the_library(&said), "{generator}: {said}");
        assert!(!told(&answer).contains("40 m") && !sent(&desk, before).contains("40 m"), "{generator}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn document_002_leak_test_3_nothing_of_a_search_stays_for_a_selection() {
    let desk = Desk::new().await;
    for generator in GENERATORS {
        let session = format!("session of {generator}");
        let in_session = |request: AskRequest| AskRequest { session: session.clone(), ..request };
        let searched = ask(&desk, &in_session(plain(generator, "How fast does the wheel turn?"))).await;
        assert_eq!(searched.reply.outcome, Outcome::Complete);
        let before = desk.provider.requests().len();
        // It points back, and has nothing to point to.
        let answer = ask(&desk, &in_session(selected(generator, "And how far does it bend?"))).await;
        assert_eq!(answer.searched_for, None);
        assert!(!speaks_of_the_library(&told(&answer)), "{generator}: {answer:?}");
        assert!(!speaks_of_the_library(&sent(&desk, before)), "{generator}");
        // Nor the other way round.
        let again = ask(&desk, &plain(generator, "How fast does the wheel turn?")).await;
        assert!(!told(&again).contains("elbow"), "{generator}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn document_002_leak_test_4_an_empty_selection_is_refused_before_anything_is_done() {
    let desk = Desk::new().await;
    for generator in GENERATORS {
        for text in ["", " \n\t"] {
            let selection = Some(Selection { text: text.to_owned(), ..Selection::default() });
            let request = AskRequest { selection, ..plain(generator, "How fast does the wheel turn?") };
            let heard = std::sync::Mutex::new(0);
            let listener = |_| *heard.lock().unwrap() += 1;
            let error = desk.library.answer().ask(DEFAULT_WORKSPACE, &request, &listener).await.unwrap_err();
            assert_eq!(error.code(), "invalid");
            assert!(error.to_string().contains("nothing is selected"), "{error}");
            assert_eq!(*heard.lock().unwrap(), 0, "nothing was begun");
        }
    }
    assert!(desk.provider.requests().is_empty() && desk.log().await.is_empty());
}
