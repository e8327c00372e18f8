//! Agreement of two judges.

use crate::error::{Error, Result};
use crate::library::Measuring;
use crate::store::table::gold::{GoldFilter, GoldQuery};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// How far two judges agree about what both have judged.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Agreement {
    /// The judges.
    pub judges: (String, String),
    /// Passages that both judged.
    pub pairs: usize,
    /// Share of them with the same grade; 0 if there are none.
    pub agreed: f64,
    /// Share expected by chance alone.
    pub expected: f64,
    /// Cohen's kappa, `(agreed − expected) / (1 − expected)`. It is 1 if they always agree, and 0 if as often as
    /// by chance. `None` if it is not defined. Cohen, "A coefficient of agreement for nominal scales", Educational
    /// and Psychological Measurement 20(1), 1960.
    pub kappa: Option<f64>,
    /// Kappa with quadratic weights, which forgives neighbouring grades more than distant ones. Cohen, "Weighted
    /// kappa", Psychological Bulletin 70(4), 1968.
    pub weighted: Option<f64>,
    /// The grades in rising order.
    pub grades: Vec<i32>,
    /// Passages by grade of the first judge (rows) and of the second (columns).
    pub table: Vec<Vec<usize>>,
}

impl Measuring<'_> {
    /// How far two judges of a set agree.
    ///
    /// # Errors
    /// [`Error::NotFound`] if there is no such set. [`Error::Invalid`] if a judge has judged nothing or is
    /// compared with the same judge.
    pub async fn agreement(&self, workspace: &str, set: &str, judges: (&str, &str)) -> Result<Agreement> {
        let store = self.library.store();
        let workspace = store.workspace(workspace).await?.id;
        let (queries, _) = store.gold_queries(workspace, set, GoldFilter::default()).await?;
        if judges.0 == judges.1 {
            return Err(Error::Invalid("these are the same judge; choose two".to_owned()));
        }
        for judge in [judges.0, judges.1] {
            if !queries.iter().flat_map(|query| &query.labels).any(|label| label.judge == judge) {
                return Err(Error::Invalid(format!("`{judge}` has judged nothing in this set")));
            }
        }
        Ok(agreement(judges, &pairs(&queries, judges)))
    }
}

/// The grades that both judges gave to the same target of the same query.
fn pairs(queries: &[GoldQuery], judges: (&str, &str)) -> Vec<(i32, i32)> {
    let mut pairs = Vec::new();
    for query in queries {
        let of = |judge: &str| -> BTreeMap<String, i32> {
            let own = query.labels.iter().filter(|label| label.judge == judge);
            own.map(|label| (label.target.key(), label.grade)).collect()
        };
        let second = of(judges.1);
        pairs.extend(of(judges.0).iter().filter_map(|(key, &first)| Some((first, *second.get(key)?))));
    }
    pairs
}

fn agreement(judges: (&str, &str), pairs: &[(i32, i32)]) -> Agreement {
    let grades: Vec<i32> =
        pairs.iter().flat_map(|&(a, b)| [a, b]).collect::<BTreeSet<_>>().into_iter().collect();
    let at = |grade: i32| grades.binary_search(&grade).unwrap_or_default();
    let mut table = vec![vec![0_usize; grades.len()]; grades.len()];
    for &(first, second) in pairs {
        table[at(first)][at(second)] += 1;
    }
    let all = pairs.len() as f64;
    let rows: Vec<f64> = table.iter().map(|row| row.iter().sum::<usize>() as f64).collect();
    let columns: Vec<f64> =
        (0..grades.len()).map(|column| table.iter().map(|row| row[column]).sum::<usize>() as f64).collect();
    // Disagreement as observed and as expected by chance, each cell weighted.
    let disagreement = |weight: &dyn Fn(usize, usize) -> f64| {
        let (mut was, mut chance) = (0.0, 0.0);
        for (row, counts) in table.iter().enumerate() {
            for (column, &count) in counts.iter().enumerate() {
                was += weight(row, column) * count as f64 / all;
                chance += weight(row, column) * rows[row] * columns[column] / (all * all);
            }
        }
        (was, chance)
    };
    let kappa = |(was, chance): (f64, f64)| (chance > 0.0).then(|| 1.0 - was / chance);
    let plain = disagreement(&|row, column| f64::from(u8::from(row != column)));
    let squares = disagreement(&|row, column| f64::from(grades[row] - grades[column]).powi(2));
    let none = pairs.is_empty();
    Agreement {
        judges: (judges.0.to_owned(), judges.1.to_owned()),
        pairs: pairs.len(),
        agreed: if none { 0.0 } else { 1.0 - plain.0 },
        expected: if none { 0.0 } else { 1.0 - plain.1 },
        kappa: kappa(plain).filter(|_| !none),
        weighted: kappa(squares).filter(|_| !none),
        grades,
        table,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kappa_is_what_chance_leaves() {
        // Of 50: both yes 20, both no 15, only the first yes 5, only the second 10. Agreed 35/50 = .7; by chance
        // 25·30 + 25·20 of 2500 = .5; kappa (.7 − .5) / .5 = .4.
        let mut pairs = vec![(1, 1); 20];
        pairs.extend([(0, 0); 15]);
        pairs.extend([(1, 0); 5]);
        pairs.extend([(0, 1); 10]);
        let found = agreement(("a", "b"), &pairs);
        assert_eq!((found.pairs, found.table), (50, vec![vec![15, 10], vec![5, 20]]));
        for (value, expected) in [(found.agreed, 0.7), (found.expected, 0.5), (found.kappa.unwrap(), 0.4)] {
            assert!((value - expected).abs() < 1e-12, "{value} instead of {expected}");
        }
        // With two grades each disagreement weighs the same.
        assert!((found.weighted.unwrap() - 0.4).abs() < 1e-12);
    }

    #[test]
    fn neighbouring_grades_weigh_less_than_distant_ones() {
        let near = agreement(("a", "b"), &[(3, 3), (2, 3), (0, 0), (1, 0)]);
        let far = agreement(("a", "b"), &[(3, 3), (3, 0), (0, 0), (0, 3)]);
        assert!(near.weighted.unwrap() > 0.8, "{near:?}");
        assert_eq!(far.weighted.map(|kappa| kappa.abs() < 1e-12), Some(true), "{far:?}");
    }

    #[test]
    fn nothing_and_one_grade_alone_have_no_kappa() {
        assert_eq!(agreement(("a", "b"), &[]).kappa, None);
        let same = agreement(("a", "b"), &[(2, 2), (2, 2)]);
        assert_eq!((same.agreed, same.kappa), (1.0, None));
    }
}
