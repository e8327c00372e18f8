use super::*;
use proptest::prelude::*;
use serde_json::{Value, json};
use sibyl_measure::outcome::ANSWERED;
use sibyl_measure::{ImportNote, Judgments, NoteKind};
use std::sync::Mutex;

/// Answers each query and mode from a table; anything not listed has an empty answer.
struct Table(Vec<(&'static str, Mode, Vec<RankedId>)>);

impl Searcher for Table {
    async fn search(&self, query: &str, mode: Mode) -> Result<Answer> {
        let listed = self.0.iter().find(|(text, of, _)| *text == query && *of == mode);
        let ranking = listed.map(|(.., ranking)| ranking.clone()).unwrap_or_default();
        Ok(Answer { ranking, legs: Vec::new(), config_hash: "c".to_owned() })
    }
}

fn left_out(message: &str) -> ImportNote {
    ImportNote::new(NoteKind::LeftOut, message)
}

fn place(id: &str, relevance: Option<f64>) -> RankedId {
    RankedId { id: id.to_owned(), relevance, ..RankedId::default() }
}

fn query(id: &str, kind: &str, grades: &[(&str, i32)]) -> JudgedQuery {
    let grades = grades.iter().map(|&(id, grade)| (id.to_owned(), grade)).collect();
    let judgments = Judgments::new(grades, 2);
    let answerable = judgments.any_relevant();
    JudgedQuery {
        id: id.to_owned(),
        text: id.to_owned(),
        kind: kind.to_owned(),
        answerable,
        judgments,
        spans: Vec::new(),
        units: Vec::new(),
    }
}

fn set() -> QuerySet {
    QuerySet {
        queries: vec![
            query("q1", "typo", &[("a", 3), ("b", 2)]),
            query("q2", "definition", &[("c", 2)]),
            query("q3", "negative", &[("a", 1)]),
            query("q4", "negative", &[]),
        ],
        unlabelled: Vec::new(),
        notices: vec![left_out("line 9 is left out")],
    }
}

fn options() -> EvaluateOptions {
    EvaluateOptions {
        measures: ["recall@2", "success@1", "p@1", "precision@1"].map(str::to_owned).to_vec(),
        ..EvaluateOptions::default()
    }
}

fn searcher() -> Table {
    Table(vec![
        ("q1", Mode::Hybrid, vec![place("x", Some(0.4)), place("x", Some(0.9)), place("a", None)]),
        ("q1", Mode::Keyword, vec![place("a", None), place("b", None)]),
        ("q2", Mode::Hybrid, vec![place("c", Some(0.3))]),
        ("q3", Mode::Hybrid, vec![place("a", Some(0.49)), place("b", None)]),
        ("q4", Mode::Hybrid, vec![place("a", Some(0.5))]),
        ("q4", Mode::Keyword, vec![place("a", None)]),
    ])
}

async fn evaluated() -> Evaluation {
    evaluate(&set(), &searcher(), &options(), |_| {}).await.unwrap()
}

#[tokio::test]
async fn the_json_has_the_documented_shape() {
    let evaluation = serde_json::to_value(evaluated().await).unwrap();
    assert_eq!(
        evaluation["measures"]["hybrid"],
        json!({"recall@2": 0.75, "success@1": 0.5, "precision@1": 0.5, "answered": 0.5, "not_found_accuracy": 0.5})
    );
    assert_eq!(
        evaluation["measures"]["keyword"],
        json!({"recall@2": 0.5, "success@1": 0.5, "precision@1": 0.5, "answered": 0.5, "not_found_accuracy": 0.5})
    );
    assert_eq!(
        evaluation["measures"]["semantic"],
        json!({"recall@2": 0.0, "success@1": 0.0, "precision@1": 0.0, "answered": 0.0, "not_found_accuracy": 1.0})
    );
    assert_eq!(evaluation["by_type"]["definition"]["hybrid"]["recall@2"], json!(1.0));
    assert_eq!(evaluation["by_type"]["negative"]["hybrid"], json!({"not_found_accuracy": 0.5}));
    assert_eq!(evaluation["per_query"][0]["id"], json!("q1"));
    assert_eq!(evaluation["per_query"][0]["type"], json!("typo"));
    assert_eq!(evaluation["per_query"][0]["hybrid"]["recall@2"], json!(0.5));
    assert_eq!(evaluation["per_query"][0]["found"]["hybrid"], json!(["x", "a"]));
    assert_eq!(evaluation["per_query"][2]["hybrid"], json!({"not_found_accuracy": 1.0}));
    assert_eq!(evaluation["notices"], json!(["line 9 is left out"]));
    assert_eq!(evaluation["types"], json!({"definition": 1, "negative": 2, "typo": 1}));
    assert_eq!((&evaluation["queries"], &evaluation["answerable"]), (&json!(4), &json!(2)));
    assert_eq!(evaluation["config_hash"].as_str().map(str::len), Some(16));
}

#[test]
fn whether_a_query_was_answered_is_worked_out_where_it_is_measured() {
    let asked = Mutex::new(0);
    let answered = || {
        *asked.lock().unwrap() += 1;
        true
    };
    let outcome = |answerable| Outcome { answerable, answered: &answered, milliseconds: 2.0 };
    assert_eq!(ended(&outcome(true), false, false), Scores::new());
    assert_eq!(ended(&outcome(true), false, true), Scores::from([("latency_ms".to_owned(), 2.0)]));
    assert_eq!(*asked.lock().unwrap(), 0);
    assert_eq!(ended(&outcome(true), true, false), Scores::from([(ANSWERED.to_owned(), 1.0)]));
    assert_eq!(*asked.lock().unwrap(), 1);
}

#[tokio::test]
async fn what_is_written_is_read_again() {
    let evaluation = evaluated().await;
    let text = serde_json::to_string(&evaluation).unwrap();
    assert_eq!(serde_json::from_str::<Evaluation>(&text).unwrap(), evaluation);
}

#[tokio::test]
async fn only_the_modes_asked_for_are_there() {
    let options = EvaluateOptions { modes: vec![Mode::Keyword], ..options() };
    let evaluation = evaluate(&set(), &searcher(), &options, |_| {}).await.unwrap();
    let value = serde_json::to_value(&evaluation).unwrap();
    assert_eq!(value["measures"].as_object().unwrap().keys().collect::<Vec<_>>(), ["keyword"]);
    assert_eq!(value["per_query"][0].get("hybrid"), None::<&Value>);
}

#[tokio::test]
async fn a_set_without_negatives_has_no_not_found_accuracy() {
    let set = QuerySet { queries: vec![query("q1", "", &[("a", 2)])], ..QuerySet::default() };
    let evaluation = evaluate(&set, &searcher(), &options(), |_| {}).await.unwrap();
    assert!(!evaluation.measures.hybrid.unwrap().contains_key(ANSWERED));
    assert!(evaluation.by_type.is_empty());
}

#[tokio::test]
async fn the_hash_follows_set_measures_and_configuration() {
    let first = evaluated().await.config_hash;
    assert_eq!(evaluated().await.config_hash, first);
    let mut other = set();
    other.queries[0] = query("q1", "typo", &[("a", 3), ("b", 3)]);
    let changed = [
        evaluate(&other, &searcher(), &options(), |_| {}).await,
        evaluate(&set(), &searcher(), &EvaluateOptions { min_relevance: 0.6, ..options() }, |_| {}).await,
        evaluate(&set(), &searcher(), &EvaluateOptions::default(), |_| {}).await,
    ];
    for evaluation in changed {
        assert_ne!(evaluation.unwrap().config_hash, first);
    }
}

#[tokio::test]
async fn impossible_requests_are_refused() {
    let empty = QuerySet { notices: vec![left_out("line 1 is left out")], ..QuerySet::default() };
    for (set, options, says) in [
        (empty, options(), "line 1 is left out"),
        (set(), EvaluateOptions { modes: vec![], ..options() }, "no mode"),
        (set(), EvaluateOptions { measures: vec!["rank".to_owned()], ..options() }, "`rank`"),
        (set(), EvaluateOptions { min_relevance: f64::NAN, ..options() }, "NaN"),
    ] {
        let error = evaluate(&set, &searcher(), &options, |_| {}).await.unwrap_err().to_string();
        assert!(error.contains(says), "{error}");
    }
}

#[tokio::test]
async fn progress_counts_up_to_its_total() {
    let seen = Mutex::new(Vec::new());
    evaluate(&set(), &searcher(), &options(), |p| seen.lock().unwrap().push((p.done, p.total)))
        .await
        .unwrap();
    assert_eq!(seen.into_inner().unwrap(), (0..=12).map(|done| (done, 12)).collect::<Vec<_>>());
}

#[test]
fn an_exact_reference_is_an_answer_whatever_its_relevance() {
    let exact = RankedId { exact: true, ..place("a", Some(0.1)) };
    assert!(answers(&[place("b", Some(0.2)), exact], 0.5));
}

#[test]
fn the_search_is_deep_enough_and_hides_nothing() {
    let options = EvaluateOptions {
        measures: vec!["recall@500".to_owned()],
        search: SearchRequest { min_relevance: Some(0.9), rrf_k: 7, ..SearchRequest::default() },
        ..EvaluateOptions::default()
    };
    let request = options.request("words", Mode::Keyword).unwrap();
    assert_eq!((request.query.as_str(), request.mode, request.top_k), ("words", Mode::Keyword, 500));
    assert_eq!((request.dedupe, request.min_relevance, request.rrf_k), (false, None, 7));
    assert_eq!(EvaluateOptions::default().request("words", Mode::Hybrid).unwrap().top_k, LEG_DEPTH);
}

proptest! {
    #[test]
    fn a_higher_threshold_answers_fewer(
        relevances in proptest::collection::vec(proptest::option::of(0.0..1.0), 0..8),
        low in 0.0..1.0,
        step in 0.0..1.0,
    ) {
        let ranking: Vec<RankedId> = relevances.into_iter().map(|relevance| place("a", relevance)).collect();
        prop_assert!(answers(&ranking, low) || !answers(&ranking, low + step));
    }
}

#[test]
fn queries_without_labels_are_named_and_left_out() {
    let unlabelled = vec!["q7".to_owned()];
    let set = QuerySet { queries: vec![query("q1", "", &[("a", 2)])], unlabelled, ..QuerySet::default() };
    assert_eq!(set.told().len(), 1);
    assert!(set.told()[0].contains("`q7`"), "{:?}", set.told());
    // What the file said of them already is not said again.
    let notices = vec![ImportNote::new(NoteKind::Unlabelled, "`q7` has no label")];
    assert_eq!(QuerySet { notices, ..set }.told(), ["`q7` has no label"]);
}
