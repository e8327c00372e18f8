use super::*;
use crate::evaluate::run::{ByMode, QueryScores, Scores};
use proptest::prelude::*;

/// An evaluation with one value of `rr` for each query that has one.
fn evaluation(values: &[Option<f64>]) -> Evaluation {
    let query = |(number, value): (usize, &Option<f64>)| QueryScores {
        id: format!("q{number:03}"),
        query: "words".to_owned(),
        kind: String::new(),
        answerable: true,
        scores: ByMode {
            hybrid: Some(value.map(|value| ("rr".to_owned(), value)).into_iter().collect::<Scores>()),
            ..ByMode::default()
        },
        found: ByMode::default(),
    };
    Evaluation {
        measures: ByMode::default(),
        by_type: BTreeMap::new(),
        per_query: values.iter().enumerate().map(query).collect(),
        config_hash: String::new(),
        queries: values.len(),
        answerable: values.len(),
        types: BTreeMap::new(),
        min_relevance: 0.5,
        notices: vec![],
    }
}

fn compared(before: &[Option<f64>], after: &[Option<f64>]) -> Result<Comparison> {
    let (before, after) = (evaluation(before), evaluation(after));
    let side = |evaluation| Side { evaluation, mode: Mode::Hybrid };
    compare(side(&before), side(&after), "rr", 7)
}

#[test]
fn queries_are_paired_by_id() {
    let before = [Some(1.0), Some(0.5), None, Some(0.25), Some(0.1)];
    let after = [Some(0.5), Some(0.5), Some(1.0), Some(1.0), None];
    let comparison = compared(&before, &after).unwrap();
    assert_eq!((comparison.queries, comparison.wins, comparison.losses, comparison.ties), (3, 1, 1, 1));
    assert_eq!(comparison.per_query.iter().map(|q| q.difference).collect::<Vec<_>>(), [-0.5, 0.0, 0.75]);
    assert_eq!(comparison.unpaired, ["q004", "q002"]);
    assert!((comparison.difference - 0.25 / 3.0).abs() < 1e-12);
    // Signs of -0.5 and 0.75: sums ±0.25 and ±1.25, all of them at least as far from 0 as 0.25.
    assert_eq!((comparison.p_value, comparison.exact), (1.0, true));
}

#[test]
fn sides_without_common_queries_are_refused() {
    let error = compared(&[Some(1.0), None], &[None, Some(1.0)]).unwrap_err().to_string();
    assert!(error.contains("no query has a value of `rr` on both sides"), "{error}");
}

#[test]
fn p_values_are_those_of_counting_assignments() {
    // n differences of one size and one sign: only the two assignments with all signs alike are as extreme.
    for n in 1..=16_i32 {
        let (p, exact) = randomisation_test(&vec![0.1; n as usize], 0);
        assert!(exact && (p - 2.0 / f64::from(2_u32.pow(n as u32))).abs() < 1e-15, "{n}: {p}");
    }
    // 40 equal differences, 26 for and 14 against: two-sided sign test, 2 · P(Bin(40, ½) ≥ 26) = 0.0807.
    let differences: Vec<f64> = (0..40).map(|i| if i < 26 { 0.1 } else { -0.1 }).collect();
    let (p, exact) = randomisation_test(&differences, 1);
    assert!(!exact && (p - 0.0807).abs() < 0.004, "{p}");
}

#[test]
fn no_difference_is_no_finding() {
    assert_eq!(randomisation_test(&[], 0), (1.0, true));
    assert_eq!(randomisation_test(&[0.0; 300], 0), (1.0, true));
}

#[test]
fn the_generator_is_the_published_one() {
    // First outputs of the reference implementation (java.util.SplittableRandom's mixer) for the seed 1234567.
    let mut random = SplitMix64(1_234_567);
    let drawn: Vec<u64> = (0..3).map(|_| random.next()).collect();
    assert_eq!(drawn, [6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423]);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn sides_can_be_exchanged(values in proptest::collection::vec((0.0..1.0, 0.0..1.0), 1..30)) {
        let before: Vec<_> = values.iter().map(|v| Some(v.0)).collect();
        let after: Vec<_> = values.iter().map(|v| Some(v.1)).collect();
        let (one, other) = (compared(&before, &after).unwrap(), compared(&after, &before).unwrap());
        prop_assert!((one.difference + other.difference).abs() < 1e-12);
        prop_assert_eq!((one.wins, one.losses, one.ties), (other.losses, other.wins, other.ties));
        prop_assert!((one.p_value - other.p_value).abs() < 0.02);
        prop_assert!(one.p_value > 0.0 && one.p_value <= 1.0);
        prop_assert_eq!(one.p_value, compared(&before, &after).unwrap().p_value);
    }
}
