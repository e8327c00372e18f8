//! Measures of a ranking: the trait, the list, and names such as `ndcg@10`.
//!
//! A ranking is a list in rank order and holds no scores: the engine breaks ties by id before a measure sees
//! it, so there are none to break here. On the same order every measure equals trec_eval's, where an id that
//! was not judged counts as not relevant.
//!
//! A new measure is one file here and one line in [`MEASURES`].

mod average_precision;
mod ndcg;
mod precision;
mod recall;
mod reciprocal_rank;
mod success;

use crate::error::{Error, Result};
use sibyl_text::param::{Param, ParamKind};
use std::collections::{BTreeMap, HashSet};
use std::fmt;
use std::str::FromStr;

/// Scores one judged ranking.
pub trait Measure: Sync {
    /// Stable name, as in `ndcg@10`.
    fn name(&self) -> &'static str;
    /// Other names it is known by.
    fn aliases(&self) -> &'static [&'static str] {
        &[]
    }
    /// One sentence: what it is.
    fn summary(&self) -> &'static str;
    /// Where it is defined.
    fn source(&self) -> &'static str;
    /// The cutoff `k` it takes.
    fn cutoff(&self) -> Param {
        REQUIRED_CUTOFF
    }
    /// Its value from 0 to 1. `k` is the number of first ranks looked at, `usize::MAX` for all of them.
    fn score(&self, ranking: &JudgedRanking, k: usize) -> f64;
}

/// Every measure there is.
pub static MEASURES: &[&dyn Measure] = &[
    &ndcg::Ndcg,
    &recall::Recall,
    &precision::Precision,
    &success::Success,
    &reciprocal_rank::ReciprocalRank,
    &average_precision::AveragePrecision,
];

/// What is measured where nothing else is asked for.
pub const DEFAULT_METRICS: &[&str] =
    &["ndcg@10", "recall@5", "recall@10", "recall@100", "precision@5", "success@1", "success@3", "rr", "ap"];

/// Largest cutoff: the most results a search returns.
pub const MAX_CUTOFF: i64 = 1000;

/// The cutoff of a measure that needs one.
const REQUIRED_CUTOFF: Param = Param {
    name: "k",
    kind: ParamKind::Integer { min: 1, max: MAX_CUTOFF, default: 10 },
    unit: "results",
    description: "First results looked at.",
};

/// The cutoff of a measure that reads the whole ranking where none is given.
const OPTIONAL_CUTOFF: Param = Param {
    name: "k",
    kind: ParamKind::Integer { min: 0, max: MAX_CUTOFF, default: 0 },
    unit: "results",
    description: "First results looked at; 0 for all of them.",
};

/// Graded judgments of one query, by id.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Judgments {
    grades: BTreeMap<String, i32>,
    relevant_from: i32,
}

impl Judgments {
    /// Judgments from grades by id. An id counts as relevant from the grade `relevant_from` on.
    pub fn new(grades: BTreeMap<String, i32>, relevant_from: i32) -> Self {
        Self { grades, relevant_from }
    }

    /// The grades by id.
    pub fn grades(&self) -> &BTreeMap<String, i32> {
        &self.grades
    }

    /// The grade from which an id counts as relevant.
    pub fn relevant_from(&self) -> i32 {
        self.relevant_from
    }

    /// Whether any id is relevant.
    pub fn any_relevant(&self) -> bool {
        self.grades.values().any(|&grade| grade >= self.relevant_from)
    }

    /// The ids judged relevant.
    pub fn relevant(&self) -> impl Iterator<Item = &str> {
        let relevant = self.grades.iter().filter(|&(_, &grade)| grade >= self.relevant_from);
        relevant.map(|(id, _)| id.as_str())
    }

    /// Holds a ranking, best first, against the judgments. An id counts at its first place only.
    pub fn judge<'a>(&self, ranking: impl IntoIterator<Item = &'a str>) -> JudgedRanking {
        let mut seen = HashSet::new();
        let first_places = ranking.into_iter().filter(|&id| seen.insert(id));
        let ranked = first_places.map(|id| self.grade_of(id)).collect();
        let mut ideal: Vec<f64> =
            self.grades.values().filter(|&&grade| grade > 0).map(|&grade| grade.into()).collect();
        ideal.sort_by(|a, b| b.total_cmp(a));
        JudgedRanking { ranked, ideal, relevant: self.relevant().count() }
    }

    fn grade_of(&self, id: &str) -> Judged {
        let grade = self.grades.get(id).copied();
        Judged {
            relevant: grade.is_some_and(|grade| grade >= self.relevant_from),
            gain: grade.map_or(0.0, |grade| grade.max(0).into()),
        }
    }
}

/// What the judgments say of one ranked id.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Judged {
    relevant: bool,
    /// Its grade; 0 where it was not judged or judged negative.
    gain: f64,
}

/// A ranking held against the judgments of its query.
#[derive(Debug, Clone, PartialEq)]
pub struct JudgedRanking {
    ranked: Vec<Judged>,
    /// Every positive grade of the query, highest first.
    ideal: Vec<f64>,
    /// Ids judged relevant, whether ranked or not.
    relevant: usize,
}

impl JudgedRanking {
    /// Ranks (from 1) of the relevant ids among the first `k`.
    fn relevant_ranks(&self, k: usize) -> impl Iterator<Item = usize> {
        let first = self.ranked.iter().take(k).enumerate();
        first.filter(|(_, judged)| judged.relevant).map(|(index, _)| index + 1)
    }
}

/// `part` of `whole`; 0 of nothing.
fn share(part: usize, whole: usize) -> f64 {
    if whole == 0 { 0.0 } else { part as f64 / whole as f64 }
}

/// A measure with its cutoff, such as `ndcg@10` or `rr`.
#[derive(Clone, Copy)]
pub struct Metric {
    measure: &'static dyn Measure,
    k: Option<usize>,
}

impl Metric {
    /// The metrics of [`DEFAULT_METRICS`].
    pub fn defaults() -> Vec<Self> {
        // A test sees to it that each of them parses.
        DEFAULT_METRICS.iter().filter_map(|name| name.parse().ok()).collect()
    }

    /// The measure.
    pub fn measure(&self) -> &'static dyn Measure {
        self.measure
    }

    /// First results looked at; `None` for all of them.
    pub fn cutoff(&self) -> Option<usize> {
        self.k
    }

    /// Its value from 0 to 1.
    pub fn score(&self, ranking: &JudgedRanking) -> f64 {
        self.measure.score(ranking, self.k.unwrap_or(usize::MAX))
    }
}

impl fmt::Display for Metric {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.k {
            Some(k) => write!(f, "{}@{k}", self.measure.name()),
            None => f.write_str(self.measure.name()),
        }
    }
}

impl fmt::Debug for Metric {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl PartialEq for Metric {
    fn eq(&self, other: &Self) -> bool {
        self.measure.name() == other.measure.name() && self.k == other.k
    }
}

impl FromStr for Metric {
    type Err = Error;

    /// Reads `name` or `name@k`; case and surrounding white space do not matter.
    fn from_str(text: &str) -> Result<Self> {
        let wanted = text.trim().to_lowercase();
        let (name, k) = match wanted.split_once('@') {
            Some((name, k)) => (name, Some(k)),
            None => (wanted.as_str(), None),
        };
        let measure = MEASURES
            .iter()
            .copied()
            .find(|measure| measure.name() == name || measure.aliases().contains(&name))
            .ok_or_else(|| {
                let known = MEASURES.iter().map(|m| m.name()).collect::<Vec<_>>().join(", ");
                Error::Invalid(format!(
                    "`{text}` is not a measure; the measures are {known}, such as `ndcg@10`"
                ))
            })?;
        let ParamKind::Integer { min, max, .. } = measure.cutoff().kind else {
            return Err(Error::Invalid(format!("the cutoff of `{name}` is not a number")));
        };
        let k = match k {
            None if min == 0 => None,
            None => {
                return Err(Error::Invalid(format!(
                    "`{text}` needs a cutoff, such as `{}@10`",
                    measure.name()
                )));
            }
            Some(digits) => match digits.parse::<i64>().ok().filter(|k| (min..=max).contains(k)) {
                Some(0) => None,
                Some(k) => usize::try_from(k).ok(),
                None => {
                    return Err(Error::Invalid(format!(
                        "the cutoff of `{}` is a whole number from {min} to {max}, not `{digits}`",
                        measure.name()
                    )));
                }
            },
        };
        Ok(Self { measure, k })
    }
}

#[cfg(test)]
mod tests;
