use super::*;
use proptest::prelude::*;
use serde::Deserialize;

#[derive(Deserialize)]
struct Fixture {
    collections: Vec<Collection>,
}

#[derive(Deserialize)]
struct Collection {
    relevant_from: i32,
    mean: BTreeMap<String, f64>,
    queries: Vec<Query>,
}

#[derive(Deserialize)]
struct Query {
    id: String,
    grades: BTreeMap<String, i32>,
    ranking: Vec<String>,
    expected: BTreeMap<String, f64>,
}

#[test]
fn every_measure_equals_trec_eval() {
    let fixture: Fixture = serde_json::from_str(include_str!("../../tests/fixtures/measures.json")).unwrap();
    let mut seen = HashSet::new();
    for collection in fixture.collections {
        let mut sums: BTreeMap<&str, f64> = BTreeMap::new();
        for query in &collection.queries {
            let judgments = Judgments::new(query.grades.clone(), collection.relevant_from);
            let ranking = judgments.judge(query.ranking.iter().map(String::as_str));
            for (name, expected) in &query.expected {
                let metric: Metric = name.parse().unwrap();
                seen.insert(metric.measure().name());
                let got = metric.score(&ranking).unwrap();
                assert!((got - expected).abs() <= 1e-12, "{} {name}: {got} instead of {expected}", query.id);
                *sums.entry(name).or_default() += got;
            }
        }
        for (name, expected) in &collection.mean {
            let got = sums[name.as_str()] / collection.queries.len() as f64;
            assert!((got - expected).abs() <= 1e-12, "mean {name}: {got} instead of {expected}");
        }
    }
    // What trec_eval cannot know, because it sees ids and no text.
    let own = ["span_recall", "span_precision", "intact", "tokens"];
    for measure in MEASURES.iter().filter(|measure| !own.contains(&measure.name())) {
        assert!(seen.contains(measure.name()), "the fixture says nothing of {}", measure.name());
    }
}

#[test]
fn names_are_read_and_written() {
    for (text, name) in [
        ("ndcg@10", "ndcg@10"),
        (" NDCG@5 ", "ndcg@5"),
        ("ndcg", "ndcg"),
        ("ndcg@0", "ndcg"),
        ("p@5", "precision@5"),
        ("r@100", "recall@100"),
        ("mrr", "rr"),
        ("rr@10", "rr@10"),
        ("map", "ap"),
        ("success@1000", "success@1000"),
    ] {
        assert_eq!(text.parse::<Metric>().unwrap().to_string(), name);
    }
    for (text, says) in [
        ("bleu", "the measures are"),
        ("", "the measures are"),
        ("recall", "needs a cutoff"),
        ("recall@", "from 1 to 1000"),
        ("recall@0", "from 1 to 1000"),
        ("recall@1001", "from 1 to 1000"),
        ("ndcg@-1", "from 0 to 1000"),
        ("ndcg@ten", "from 0 to 1000"),
        ("ndcg@5@5", "from 0 to 1000"),
    ] {
        let error = text.parse::<Metric>().unwrap_err().to_string();
        assert!(error.contains(says), "{text}: {error}");
    }
    for name in DEFAULT_METRICS {
        assert_eq!(name.parse::<Metric>().unwrap().to_string(), *name);
    }
}

/// The measures that reward what is relevant; the others count judgments or tokens.
fn rewarding() -> impl Iterator<Item = Metric> {
    metrics().filter(|metric| !["judged", "tokens"].contains(&metric.measure().name()))
}

fn score(metric: Metric, ranking: &JudgedRanking) -> f64 {
    metric.score(ranking).expect("it has a value")
}

/// Grades by id, the lowest relevant grade, and a ranking of these and other ids, some of them twice.
fn judged() -> impl Strategy<Value = (Judgments, Vec<String>)> {
    let grades = proptest::collection::btree_map((0..20).prop_map(id), -1..4, 0..12);
    let ranking = proptest::collection::vec((0..30).prop_map(id), 0..40);
    (grades, 1..3, ranking).prop_map(|(grades, from, ranking)| (Judgments::new(grades, from), ranking))
}

fn id(number: i32) -> String {
    number.to_string()
}

/// Every measure that has a value where labels are ids, at a few cutoffs.
fn metrics() -> impl Iterator<Item = Metric> {
    let of_ids = |measure: &&&dyn Measure| !measure.name().starts_with("span") && measure.name() != "intact";
    MEASURES
        .iter()
        .filter(of_ids)
        .flat_map(|&measure| [1, 3, 10, 1000].map(|k| Metric { measure, k: Some(k) }))
}

proptest! {
    #[test]
    fn values_are_shares((judgments, ranking) in judged()) {
        let judged = judgments.judge(ranking.iter().map(String::as_str));
        for metric in metrics() {
            let value = score(metric, &judged);
            prop_assert!((0.0..=1.0 + 1e-12).contains(&value), "{metric} is {value}");
        }
    }

    #[test]
    fn the_ideal_ranking_is_never_worse((judgments, ranking) in judged()) {
        let judged = judgments.judge(ranking.iter().map(String::as_str));
        let mut ids: Vec<&str> = judgments.grades.keys().map(String::as_str).collect();
        ids.sort_by_key(|id| -judgments.grades[*id]);
        let ideal = judgments.judge(ids);
        for metric in rewarding() {
            prop_assert!(score(metric, &ideal) >= score(metric, &judged) - 1e-12, "{metric}");
        }
    }

    #[test]
    fn a_second_place_of_an_id_changes_nothing((judgments, ranking) in judged()) {
        let mut seen = HashSet::new();
        let firsts: Vec<&str> = ranking.iter().map(String::as_str).filter(|id| seen.insert(*id)).collect();
        prop_assert_eq!(judgments.judge(ranking.iter().map(String::as_str)), judgments.judge(firsts));
    }

    #[test]
    fn moving_a_higher_grade_up_never_hurts((judgments, ranking) in judged()) {
        let mut seen = HashSet::new();
        let before: Vec<&str> = ranking.iter().map(String::as_str).filter(|id| seen.insert(*id)).collect();
        let grade = |id: &str| judgments.grades.get(id).copied().unwrap_or(0);
        for at in 1..before.len() {
            if grade(before[at]) <= grade(before[at - 1]) {
                continue;
            }
            let mut after = before.clone();
            after.swap(at, at - 1);
            let (before, after) = (judgments.judge(before.iter().copied()), judgments.judge(after));
            for metric in rewarding() {
                prop_assert!(score(metric, &after) >= score(metric, &before) - 1e-12, "{metric} at {at}");
            }
        }
    }
}
