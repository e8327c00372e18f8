//! Two evaluations side by side: differences query by query, and whether chance explains them.

use super::run::Evaluation;
use crate::error::{Error, Result};
use crate::search::Mode;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use ts_rs::TS;

/// Random assignments drawn where they are too many to try them all (Smucker et al. use 100,000 too).
pub const ASSIGNMENTS: u32 = 100_000;

/// Differences below this count as none: sums of shares differ in their last digits.
const TIE: f64 = 1e-12;

/// One side of a comparison: a mode of an evaluation.
#[derive(Clone, Copy)]
pub struct Side<'a> {
    /// The evaluation.
    pub evaluation: &'a Evaluation,
    /// The mode looked at.
    pub mode: Mode,
}

/// What a comparison found.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct Comparison {
    /// The measure compared.
    pub measure: String,
    /// Queries that both sides have a value for.
    pub queries: usize,
    /// Mean of the baseline over these queries.
    pub baseline: f64,
    /// Mean of the candidate over these queries.
    pub candidate: f64,
    /// Candidate minus baseline.
    pub difference: f64,
    /// Queries that the candidate does better.
    pub wins: usize,
    /// Queries that the candidate does worse.
    pub losses: usize,
    /// Queries without a difference.
    pub ties: usize,
    /// Two-sided p-value of the paired randomisation test: how often chance alone gives a difference as large.
    pub p_value: f64,
    /// Whether every assignment was tried, so that the p-value holds no chance of its own.
    pub exact: bool,
    /// Each query, greatest loss first.
    pub per_query: Vec<QueryDifference>,
    /// Queries that only one side has a value for; they are left out.
    pub unpaired: Vec<String>,
}

/// One query in a comparison.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct QueryDifference {
    /// Id of the query.
    pub id: String,
    /// The query.
    pub query: String,
    /// Value of the baseline.
    pub baseline: f64,
    /// Value of the candidate.
    pub candidate: f64,
    /// Candidate minus baseline.
    pub difference: f64,
}

/// Compares `candidate` with `baseline` by `measure`, query by query. The same `seed` gives the same p-value.
///
/// # Errors
/// [`Error::Invalid`] where no query has a value of this measure on both sides.
pub fn compare(baseline: Side<'_>, candidate: Side<'_>, measure: &str, seed: u64) -> Result<Comparison> {
    let before = baseline.values(measure);
    let after = candidate.values(measure);
    let mut per_query: Vec<QueryDifference> = before
        .iter()
        .filter_map(|(&id, &(query, baseline))| {
            let &(_, candidate) = after.get(id)?;
            let difference = candidate - baseline;
            Some(QueryDifference {
                id: id.to_owned(),
                query: query.to_owned(),
                baseline,
                candidate,
                difference,
            })
        })
        .collect();
    let Some(count) = u32::try_from(per_query.len()).ok().filter(|&count| count > 0) else {
        return Err(Error::Invalid(format!(
            "no query has a value of `{measure}` on both sides; compare evaluations of the same judged set that both \
             measure it"
        )));
    };
    let only_after = after.keys().filter(|id| !before.contains_key(*id));
    let only_before = before.keys().filter(|id| !after.contains_key(*id));
    let unpaired = only_before.chain(only_after).map(|&id| id.to_owned()).collect();
    per_query.sort_by(|a, b| a.difference.total_cmp(&b.difference).then_with(|| a.id.cmp(&b.id)));
    let differences: Vec<f64> = per_query.iter().map(|query| query.difference).collect();
    let (p_value, exact) = randomisation_test(&differences, seed);
    let mean =
        |value: fn(&QueryDifference) -> f64| per_query.iter().map(value).sum::<f64>() / f64::from(count);
    let (baseline, candidate) = (mean(|query| query.baseline), mean(|query| query.candidate));
    let wins = differences.iter().filter(|&&difference| difference > TIE).count();
    let losses = differences.iter().filter(|&&difference| difference < -TIE).count();
    Ok(Comparison {
        measure: measure.to_owned(),
        queries: per_query.len(),
        baseline,
        candidate,
        difference: candidate - baseline,
        wins,
        losses,
        ties: per_query.len() - wins - losses,
        p_value,
        exact,
        per_query,
        unpaired,
    })
}

impl<'a> Side<'a> {
    /// Text and value of each query that has one.
    fn values(&self, measure: &str) -> BTreeMap<&'a str, (&'a str, f64)> {
        let queries = self.evaluation.per_query.iter();
        queries
            .filter_map(|query| {
                let value = query.scores.get(self.mode)?.get(measure)?;
                Some((query.id.as_str(), (query.query.as_str(), *value)))
            })
            .collect()
    }
}

/// Two-sided p-value of the paired randomisation test on the mean, and whether it is exact.
///
/// Under the null hypothesis each query's two values could as well stand the other way round, so its difference
/// could as well have the other sign (Smucker, Allan and Carterette, "A comparison of statistical significance
/// tests for information retrieval evaluation", CIKM 2007). All assignments of signs are tried where these are no
/// more than [`ASSIGNMENTS`], else that many are drawn; a drawn p-value counts the observed assignment in
/// (Phipson and Smyth, "Permutation p-values should never be zero", 2010).
fn randomisation_test(differences: &[f64], seed: u64) -> (f64, bool) {
    // The sign of no difference changes no sum.
    let differences: Vec<f64> = differences.iter().copied().filter(|d| d.abs() > TIE).collect();
    let observed = differences.iter().sum::<f64>().abs() - TIE;
    let all = u32::try_from(differences.len()).ok().and_then(|count| 1_u32.checked_shl(count));
    if let Some(all) = all.filter(|&all| all <= ASSIGNMENTS) {
        let extreme = (0..all).filter(|&signs| flipped(&differences, || signs.into()) >= observed).count();
        return (extreme as f64 / f64::from(all), true);
    }
    let mut random = SplitMix64(seed);
    let extreme = (0..ASSIGNMENTS).filter(|_| flipped(&differences, || random.next()) >= observed).count();
    ((extreme + 1) as f64 / f64::from(ASSIGNMENTS + 1), false)
}

/// Absolute sum of `differences`, each negated where its bit of `signs` is set, 64 bits a call.
fn flipped(differences: &[f64], mut signs: impl FnMut() -> u64) -> f64 {
    let mut sum = 0.0;
    for block in differences.chunks(64) {
        let mut bits = signs();
        for difference in block {
            sum += if bits & 1 == 1 { -difference } else { *difference };
            bits >>= 1;
        }
    }
    sum.abs()
}

/// A small random generator (Steele, Lea and Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014).
struct SplitMix64(u64);

impl SplitMix64 {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }
}

#[cfg(test)]
mod tests;
