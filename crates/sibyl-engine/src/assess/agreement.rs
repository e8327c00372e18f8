//! How far reviewers agree who decided on the same cells.

use crate::store::table::review::{AssessmentDecision, ReviewStatus};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

/// Report and requirement of a cell.
pub(super) type Key = (String, String);

/// How far two reviewers agree.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ReviewerAgreement {
    /// The two, by name.
    pub reviewers: (String, String),
    /// Cells on which both decided.
    pub both: usize,
    /// Cells on which they decided alike.
    pub alike: usize,
    /// Cohen's kappa, at most 1. 0 means as much agreement as by chance, given each reviewer's own shares of the
    /// decisions (J. Cohen, "A coefficient of agreement for nominal scales", 1960). `None` if chance alone agrees
    /// always.
    pub kappa: Option<f64>,
}

/// Each reviewer's last decision on each cell; a reopened one is not decided.
pub(super) struct Opinions(HashMap<Key, BTreeMap<String, ReviewStatus>>);

impl Opinions {
    /// The opinions in `decisions`, which begin with the latest.
    pub fn of(decisions: Vec<AssessmentDecision>) -> Self {
        let mut latest: HashMap<Key, BTreeMap<String, ReviewStatus>> = HashMap::new();
        for decision in decisions.into_iter().filter(|decision| !decision.reviewer.is_empty()) {
            let of = latest.entry((decision.report_id, decision.paragraph_id)).or_default();
            of.entry(decision.reviewer).or_insert(decision.status);
        }
        for by in latest.values_mut() {
            by.retain(|_, status| *status != ReviewStatus::Open);
        }
        Self(latest)
    }

    /// Whether two reviewers decided differently on the cell.
    pub fn differ(&self, key: &Key) -> bool {
        let distinct: HashSet<&ReviewStatus> =
            self.0.get(key).into_iter().flat_map(BTreeMap::values).collect();
        distinct.len() > 1
    }

    /// How far each two reviewers agree who decided on a cell of `keys` both.
    pub fn agreements<'a>(&self, keys: impl Iterator<Item = &'a Key>) -> Vec<ReviewerAgreement> {
        let mut pairs: BTreeMap<(&String, &String), Vec<(ReviewStatus, ReviewStatus)>> = BTreeMap::new();
        for by in keys.filter_map(|key| self.0.get(key)) {
            for (one, first) in by {
                for (other, second) in by.range::<String, _>(one..).skip(1) {
                    pairs.entry((one, other)).or_default().push((*first, *second));
                }
            }
        }
        let agreement = |((one, other), decided): (_, Vec<_>)| {
            let alike = decided.iter().filter(|(first, second)| first == second).count();
            ReviewerAgreement {
                reviewers: (String::clone(one), String::clone(other)),
                both: decided.len(),
                alike,
                kappa: kappa(&decided, alike),
            }
        };
        pairs.into_iter().map(agreement).collect()
    }
}

fn kappa(decided: &[(ReviewStatus, ReviewStatus)], alike: usize) -> Option<f64> {
    let count = decided.len() as f64;
    let kinds: BTreeSet<&str> = decided.iter().flat_map(|(a, b)| [a.name(), b.name()]).collect();
    let share = |of: &dyn Fn(&(ReviewStatus, ReviewStatus)) -> bool| {
        decided.iter().filter(|pair| of(pair)).count() as f64 / count
    };
    let chance: f64 = kinds
        .iter()
        .map(|kind| share(&|(a, _)| a.name() == *kind) * share(&|(_, b)| b.name() == *kind))
        .sum();
    (chance < 1.0).then(|| (alike as f64 / count - chance) / (1.0 - chance))
}

#[cfg(test)]
mod tests {
    use super::*;
    use ReviewStatus::{Gap, Met, Open};

    fn opinions(rows: &[(&str, &str, ReviewStatus)]) -> (Opinions, Vec<Key>) {
        let decision = |&(cell, who, status): &(&str, &str, ReviewStatus)| AssessmentDecision {
            report_id: "r".to_owned(),
            paragraph_id: cell.to_owned(),
            reviewer: who.to_owned(),
            status,
            note: String::new(),
            at: String::new(),
            proposed_by: None,
            imported_at: None,
        };
        let cells: BTreeSet<&str> = rows.iter().map(|(cell, ..)| *cell).collect();
        let keys = cells.into_iter().map(|cell| ("r".to_owned(), cell.to_owned())).collect();
        (Opinions::of(rows.iter().map(decision).collect()), keys)
    }

    #[test]
    fn agreement_beyond_chance_is_cohens() {
        // Both say yes 20 times and no 15 times, and differ 5 and 10 times. So 35 of 50 agree where chance gives
        // half: (.7 - .5) / .5.
        let mut rows = Vec::new();
        let names: Vec<String> = (0..50).map(|cell| format!("S2.{cell}")).collect();
        for (cell, name) in names.iter().enumerate() {
            let (first, second) = match cell {
                0..20 => (Met, Met),
                20..25 => (Met, Gap),
                25..35 => (Gap, Met),
                _ => (Gap, Gap),
            };
            rows.extend([(name.as_str(), "Ada", first), (name.as_str(), "Bo", second)]);
        }
        let (opinions, keys) = opinions(&rows);
        let found = opinions.agreements(keys.iter());
        assert_eq!((found.len(), found[0].both, found[0].alike), (1, 50, 35));
        assert_eq!(found[0].reviewers, ("Ada".to_owned(), "Bo".to_owned()));
        assert!((found[0].kappa.unwrap() - 0.4).abs() < 1e-9, "{found:?}");
    }

    #[test]
    fn the_latest_decision_of_a_reviewer_counts_and_an_open_cell_is_none() {
        let rows =
            [("a", "Ada", Met), ("a", "Ada", Gap), ("a", "Bo", Met), ("b", "Ada", Open), ("b", "Bo", Gap)];
        let (opinions, keys) = opinions(&rows);
        let found = opinions.agreements(keys.iter());
        assert_eq!((found[0].both, found[0].alike, found[0].kappa), (1, 1, None));
        assert!(!opinions.differ(&keys[0]) && !opinions.differ(&keys[1]));
        let (opinions, keys) = self::opinions(&[("a", "Ada", Met), ("a", "Bo", Gap), ("a", "Cy", Met)]);
        assert!(opinions.differ(&keys[0]));
        let alike: Vec<usize> = opinions.agreements(keys.iter()).iter().map(|one| one.alike).collect();
        assert_eq!(alike, [0, 1, 0]);
    }
}
