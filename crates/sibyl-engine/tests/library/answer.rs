//! Answers of a chat model in an open library: what they cost, and what is left of one that was given up.

use crate::ingest_soundly;
use serde_json::{Value, json};
use sibyl_engine::Library;
use sibyl_engine::answer::{
    Answer, AnswerEvent, AskLogQuery, AskRequest, Check, ExportFormat, Outcome, Rating, Selection, Verdict,
};
use sibyl_engine::ingest::{IngestRequest, Source};
use sibyl_engine::store::table::workspace::DEFAULT_WORKSPACE;
use sibyl_loopback::{Behaviour, Options, Provider};
use std::sync::Arc;
use tokio::sync::Notify;

const MILL: &str = "# The mill\n\n## Wheel\n\nThe wheel turns at 40 m a minute when the weir is open.\n\n\
    ## Board\n\nThe board of the mill is chaired by Marian Osei.\n";
const QUESTION: &str = "How fast does the wheel turn?";
const BEGUN: &str =
    "The wheel turns at 40 m a minute when the weir is open [Citation 1]. It turns faster when the";

pub(crate) struct Desk {
    _folder: tempfile::TempDir,
    pub library: Library,
    pub provider: Provider,
}

impl Desk {
    /// A library with a chat model on this machine and a page on a mill.
    pub async fn new() -> Self {
        let (folder, library, _) = crate::opened().await;
        let page = folder.path().join("mill.md");
        std::fs::write(&page, MILL).unwrap();
        let request = IngestRequest { sources: vec![Source::path(page)], ..IngestRequest::default() };
        ingest_soundly(&library, request).await;
        let provider = Provider::start(Options::default()).unwrap();
        let desk = Self { _folder: folder, library, provider };
        desk.set(json!({ "chat_base_url": desk.provider.url(), "chat_model": "loopback/writer" })).await;
        desk
    }

    pub async fn set(&self, values: Value) {
        self.library.change_settings(values.as_object().unwrap().clone()).await.unwrap();
    }

    pub fn request() -> AskRequest {
        AskRequest {
            question: QUESTION.to_owned(),
            generator: Some("chat".to_owned()),
            threshold: Some(0.3),
            ..AskRequest::default()
        }
    }

    async fn ask(&self) -> Answer {
        self.library.answer().ask(DEFAULT_WORKSPACE, &Self::request(), &|_| ()).await.unwrap()
    }

    /// Asks, gives the question up once `enough` was reported, and returns the log at that point.
    async fn stopped(&self, request: AskRequest, enough: fn(&AnswerEvent) -> bool) -> Vec<Answer> {
        let heard = Arc::new(Notify::new());
        let (library, told) = (self.library.clone(), Arc::clone(&heard));
        let asking = tokio::spawn(async move {
            let listener = |event: AnswerEvent| {
                if enough(&event) {
                    told.notify_one();
                }
            };
            library.answer().ask(DEFAULT_WORKSPACE, &request, &listener).await
        });
        heard.notified().await;
        asking.abort();
        assert!(asking.await.unwrap_err().is_cancelled());
        self.library.answer().settled().await;
        self.log().await
    }

    pub async fn log(&self) -> Vec<Answer> {
        let listed = self.library.answer().logged(DEFAULT_WORKSPACE, &AskLogQuery::default()).await.unwrap();
        let mut answers = Vec::new();
        for row in listed.entries {
            answers.push(self.library.answer().entry(DEFAULT_WORKSPACE, row.id).await.unwrap().2);
        }
        answers
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_arrived_of_an_answer_that_was_stopped_is_kept_and_marked() {
    let desk = Desk::new().await;
    desk.provider.always(Behaviour::SayThenHang(BEGUN.to_owned()));
    let torn =
        |event: &AnswerEvent| matches!(event, AnswerEvent::Delta { text, .. } if text.contains("faster"));
    let log = desk.stopped(Desk::request(), torn).await;
    assert_eq!(log.len(), 1);
    let answer = &log[0];
    assert_eq!(
        (answer.reply.outcome, answer.reply.fault.as_ref().unwrap().code.as_str()),
        (Outcome::Incomplete, "cancelled")
    );
    assert_eq!(answer.reply.sentences.len(), 2, "{:?}", answer.reply.sentences);
    assert_eq!(answer.reply.sentences[0].check, Check::Verified);
    assert!(answer.reply.sentences[1].text.starts_with("It turns"), "{:?}", answer.reply.sentences[1]);
    assert_eq!(
        (answer.reply.sentences[1].check, answer.reply.sentences[1].citations.len()),
        (Check::Unsupported, 0)
    );
    assert_eq!(answer.reply.citations.len(), 1);
    assert!(answer.passages[0].cited && answer.total_ms > 0.0);
    assert_eq!(answer.reply.model.as_deref(), Some("loopback/writer"));
    let usage = answer.usage.as_ref().unwrap();
    assert!(!usage.counted && usage.completion_tokens > 0, "{usage:?}");
    // Other programs see it in the file, too.
    let query = AskLogQuery::default();
    let lines = desk.library.answer().export(DEFAULT_WORKSPACE, &query, ExportFormat::Jsonl).await.unwrap();
    assert!(lines.contains("\"incomplete\"") && lines.contains("It turns"), "{lines}");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_answer_that_was_stopped_before_its_first_word_is_kept_without_one() {
    let desk = Desk::new().await;
    desk.provider.always(Behaviour::Hang);
    let writing = |event: &AnswerEvent| matches!(event, AnswerEvent::Writing { .. });
    let log = desk.stopped(Desk::request(), writing).await;
    assert_eq!((log.len(), log[0].reply.outcome, &log[0].reply.answer), (1, Outcome::Faulted, &None));
    assert_eq!(log[0].reply.fault.as_ref().unwrap().code, "cancelled");
    assert!(!log[0].passages.is_empty(), "what was found is there");

    // The log keeps selected text, and nothing of a question that is not to be recorded.
    let selection = Selection { text: "The dam is 12 m high.".to_owned(), ..Selection::default() };
    let request = AskRequest { selection: Some(selection), ..Desk::request() };
    let log = desk.stopped(request, writing).await;
    assert_eq!((log.len(), log[0].from_selection), (2, true));
    assert_eq!(log[0].passages[0].text, "The dam is 12 m high.");
    let log = desk.stopped(AskRequest { record: false, ..Desk::request() }, writing).await;
    assert_eq!(log.len(), 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_answer_that_ended_or_failed_is_kept_once() {
    let desk = Desk::new().await;
    assert_eq!(desk.ask().await.reply.outcome, Outcome::Complete);
    let selection = Some(Selection::default());
    let request = AskRequest { selection, ..Desk::request() };
    desk.library.answer().ask(DEFAULT_WORKSPACE, &request, &|_| ()).await.unwrap_err();
    desk.library.answer().settled().await;
    assert_eq!(desk.log().await.len(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_passage_is_found_by_is_told_of_it_and_goes_neither_to_a_model_nor_into_a_file() {
    let desk = Desk::new().await;
    let plain = desk.ask().await;
    assert!(plain.passages.iter().all(|passage| passage.found_by.is_empty()), "{:?}", plain.passages);
    let wheel = plain.passages.iter().find(|passage| passage.text.contains("40 m a minute")).unwrap();
    let phrase = "revolutions of the paddles";
    desk.library.contents().add_phrasing(DEFAULT_WORKSPACE, &wheel.chunk_id, phrase).await.unwrap();

    let answer = desk.ask().await;
    let found = answer.passages.iter().find(|passage| passage.chunk_id == wheel.chunk_id).unwrap();
    assert_eq!(found.found_by, [phrase]);
    assert_eq!((&found.text, found.tokens), (&wheel.text, wheel.tokens), "it is no part of what it says");
    assert_eq!(answer.context_tokens, plain.context_tokens);
    assert!(
        desk.provider.requests().iter().flat_map(|request| &request.texts).all(|text| !text.contains(phrase))
    );

    let kept = desk.log().await.into_iter().find(|kept| kept.id == answer.id).unwrap();
    assert_eq!(kept.passages, answer.passages);
    let right = Rating { verdict: Verdict::Right, reason: String::new() };
    desk.library.answer().rate(DEFAULT_WORKSPACE, answer.id.unwrap(), Some(&right)).await.unwrap();
    for format in [ExportFormat::Jsonl, ExportFormat::Csv, ExportFormat::Markdown, ExportFormat::Gold] {
        let query = AskLogQuery::default();
        let file = desk.library.answer().export(DEFAULT_WORKSPACE, &query, format).await.unwrap();
        assert!(!file.contains("found_by") && !file.contains(phrase), "{format:?}: {file}");
    }

    // An answer of a log that was kept before passages had it.
    let mut former = json!(answer);
    for passage in former["passages"].as_array_mut().unwrap() {
        passage.as_object_mut().unwrap().remove("found_by");
    }
    let former: Answer = serde_json::from_value(former).unwrap();
    assert!(former.passages.iter().all(|passage| passage.found_by.is_empty()));
}

#[tokio::test(flavor = "multi_thread")]
async fn models_are_listed_with_the_prices_that_the_provider_tells() {
    let desk = Desk::new().await;
    let models = desk.library.answer().models().await.unwrap();
    let shown: Vec<_> = models
        .iter()
        .map(|model| (model.id.as_str(), model.name.as_str(), model.prompt_price, model.completion_price))
        .collect();
    // A model that paints writes no answers; what depends on the question has no price.
    assert_eq!(
        shown,
        [
            ("loopback/auto", "Loopback: Auto", None, None),
            ("loopback/free", "Loopback: Free", Some(0.0), Some(0.0)),
            ("loopback/writer", "Loopback: Writer", Some(0.4), Some(1.6)),
        ]
    );
    assert_eq!(models[2].context_tokens, Some(128_000));

    desk.provider.next([Behaviour::PlainModels]);
    let plain = desk.library.answer().models().await.unwrap();
    let ids: Vec<&str> = plain.iter().map(|model| model.id.as_str()).collect();
    assert_eq!(ids, ["writer-large", "writer-small"]);
    assert!(plain.iter().all(|model| model.name == model.id && model.prompt_price.is_none()));

    for (behaviour, code) in [
        (Behaviour::Status(401), "chat_unauthorised"),
        (Behaviour::Status(404), "chat_failed"),
        (Behaviour::NotJson, "chat_unreadable"),
    ] {
        desk.provider.next([behaviour]);
        assert_eq!(desk.library.answer().models().await.unwrap_err().code(), code);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_answer_has_its_cost_from_the_provider_or_from_its_prices() {
    let desk = Desk::new().await;
    // The provider says what it used.
    let usage = desk.ask().await.usage.unwrap();
    assert_eq!((usage.cost, usage.counted), (Some(0.0001), true));
    assert!(desk.provider.requests().iter().all(|request| request.path.ends_with("/chat/completions")));

    // It counts but states no cost, which follows from its prices.
    desk.provider.next([Behaviour::PlainModels]);
    let usage = desk.ask().await.usage.unwrap();
    let reckoned = (usage.prompt_tokens as f64 * 0.4 + usage.completion_tokens as f64 * 1.6) / 1e6;
    assert!(usage.counted && (usage.cost.unwrap() - reckoned).abs() < 1e-12, "{usage:?}");
    desk.provider.next([Behaviour::PlainModels]);
    desk.ask().await;
    let lists =
        || desk.provider.requests().iter().filter(|request| request.path.ends_with("/models")).count();
    assert_eq!(lists(), 1, "the list is asked for once");

    // A model of another name has no price, and an answer without one has none.
    desk.set(json!({ "chat_model": "loopback/auto" })).await;
    desk.provider.next([Behaviour::PlainModels]);
    assert_eq!(desk.ask().await.usage.unwrap().cost, None);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_second_reading_is_counted() {
    let desk = Desk::new().await;
    let once = desk.ask().await.usage.unwrap();
    let request = AskRequest { second_reading: true, ..Desk::request() };
    let twice = desk.library.answer().ask(DEFAULT_WORKSPACE, &request, &|_| ()).await.unwrap().usage.unwrap();
    assert!(twice.prompt_tokens > once.prompt_tokens, "{once:?} {twice:?}");
    assert!((twice.cost.unwrap() - 0.0002).abs() < 1e-12, "{twice:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_second_reading_that_was_stopped_or_fails_is_counted_too() {
    let desk = Desk::new().await;
    let once = desk.ask().await.usage.unwrap();
    let request = AskRequest { second_reading: true, ..Desk::request() };
    desk.provider.next([Behaviour::Answer, Behaviour::SayThenDrop("1 yes".to_owned())]);
    let failed = desk.library.answer().ask(DEFAULT_WORKSPACE, &request, &|_| ()).await.unwrap();
    assert!(failed.reply.remarks.iter().any(|remark| remark.contains("second reading failed")), "{failed:?}");
    let usage = failed.usage.unwrap();
    assert!(usage.prompt_tokens > once.prompt_tokens && usage.cost.is_some(), "{once:?} {usage:?}");

    desk.provider.next([Behaviour::Answer, Behaviour::SayThenHang("1 yes".to_owned())]);
    let before = desk.provider.requests().len();
    let library = desk.library.clone();
    let asking =
        tokio::spawn(async move { library.answer().ask(DEFAULT_WORKSPACE, &request, &|_| ()).await });
    let began = std::time::Instant::now();
    while desk.provider.requests().len() < before + 2 {
        assert!(began.elapsed() < std::time::Duration::from_secs(60), "there is no second reading");
        tokio::time::sleep(std::time::Duration::from_millis(5)).await;
    }
    asking.abort();
    assert!(asking.await.unwrap_err().is_cancelled());
    desk.library.answer().settled().await;
    let log = desk.log().await;
    let stopped = log.iter().find(|answer| answer.reply.fault.is_some()).unwrap();
    let usage = stopped.usage.as_ref().unwrap();
    assert!(usage.prompt_tokens > once.prompt_tokens && usage.cost.is_some(), "{once:?} {usage:?}");
}
