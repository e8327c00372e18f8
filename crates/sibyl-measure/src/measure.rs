//! Measures of a ranking: the trait, the list, and names such as `ndcg@10`.
//!
//! A ranking is a list in rank order without scores. Ties are broken before a measure sees it, in searches and in
//! runs of other systems, as trec_eval does: of equal scores the greater id comes first. On the same order every
//! measure equals trec_eval's, where an unjudged id counts as not relevant.
//!
//! A new measure is one file here and one line in [`MEASURES`].

mod average_precision;
mod bpref;
mod context_tokens;
mod intact;
mod judged;
mod ndcg;
mod precision;
mod recall;
mod reciprocal_rank;
mod span_precision;
mod span_recall;
mod success;

use crate::error::{Error, Result};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sibyl_text::param::{Param, ParamKind};
use std::collections::{BTreeMap, HashSet};
use std::fmt;
use std::str::FromStr;

/// What a value of a measure counts.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Unit {
    /// A share from 0 to 1.
    #[default]
    Share,
    /// Estimated tokens.
    Tokens,
    /// Milliseconds.
    Milliseconds,
}

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
    /// What its values count. Of shares more is better, of everything else less.
    fn unit(&self) -> Unit {
        Unit::Share
    }
    /// Whether it says how good the search was, and not only how far the other measures can be trusted.
    fn is_goal(&self) -> bool {
        true
    }
    /// Its value; `None` if it has none for this query. `k` is the number of first ranks considered, `usize::MAX`
    /// for all of them.
    fn score(&self, ranking: &JudgedRanking, k: usize) -> Option<f64>;
}

/// Every measure there is.
pub static MEASURES: &[&dyn Measure] = &[
    &ndcg::Ndcg,
    &recall::Recall,
    &precision::Precision,
    &success::Success,
    &reciprocal_rank::ReciprocalRank,
    &average_precision::AveragePrecision,
    &bpref::Bpref,
    &judged::JudgedShare,
    &span_recall::SpanRecall,
    &span_precision::SpanPrecision,
    &intact::Intact,
    &context_tokens::ContextTokens,
];

/// The measures used by default.
pub const DEFAULT_METRICS: &[&str] = &[
    "ndcg@10",
    "recall@5",
    "recall@10",
    "recall@100",
    "precision@5",
    "success@1",
    "success@3",
    "rr",
    "ap",
    "judged@10",
    "span_precision@5",
    "intact@5",
    "tokens@5",
];

/// Largest cutoff: the maximum number of results of a search.
pub const MAX_CUTOFF: i64 = 1000;

/// The cutoff of a measure that needs one.
const REQUIRED_CUTOFF: Param = Param {
    name: "k",
    kind: ParamKind::Integer { min: 1, max: MAX_CUTOFF, default: 10 },
    unit: "results",
    description: "Number of top results counted.",
};

/// The cutoff of a measure that reads the whole ranking by default.
const OPTIONAL_CUTOFF: Param = Param {
    name: "k",
    kind: ParamKind::Integer { min: 0, max: MAX_CUTOFF, default: 0 },
    unit: "results",
    description: "Number of top results counted; 0 for all of them.",
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

    /// Compares a ranking of ids, best first, with the judgments. An id counts at its first place only.
    pub fn judge<'a>(&self, ranking: impl IntoIterator<Item = &'a str>) -> JudgedRanking {
        let mut seen = HashSet::new();
        let first_places = ranking.into_iter().filter(|&id| seen.insert(id));
        let ranked = first_places.map(|id| self.place(id)).collect();
        JudgedRanking { ranked, ..self.ideal() }
    }

    /// What the judgments say of the id at a place.
    pub(crate) fn place(&self, id: &str) -> Judged {
        let grade = self.grades.get(id).copied();
        let found = usize::from(grade.is_some_and(|grade| grade >= self.relevant_from));
        Judged { grade, found, splittable: found, ..Judged::default() }
    }

    /// What there is to be found, and nothing ranked.
    pub(crate) fn ideal(&self) -> JudgedRanking {
        let relevant = self.relevant().count();
        let mut ideal = JudgedRanking {
            grades: self.grades.values().copied().collect(),
            relevant,
            irrelevant: self.grades.values().filter(|grade| (0..self.relevant_from).contains(grade)).count(),
            ..JudgedRanking::default()
        };
        ideal.sort();
        ideal
    }
}

/// What the judgments say of one place of a ranking.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Judged {
    /// The best grade of the labels at this place; `None` where it was not judged.
    pub grade: Option<i32>,
    /// Relevant labels that are first found here.
    pub found: usize,
    /// Those of them that a chunk boundary can split: paragraphs and passages, but not documents and pages.
    pub splittable: usize,
    /// Those of them that are here in one piece.
    pub intact: usize,
}

/// What is read with a result, whether or not its place counts.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Read {
    /// Letters of its document that it holds.
    pub letters: usize,
    /// Those in a relevant passage, or in a chunk of a relevant id, document or page, unless an earlier result had
    /// them.
    pub relevant_letters: usize,
    /// Letters of the relevant passages that it has and no earlier result had; each passage counts its own.
    pub labelled_letters: usize,
    /// Estimated tokens of its text.
    pub tokens: usize,
}

impl Judged {
    fn is_relevant(&self) -> bool {
        self.found > 0
    }

    /// Its grade; 0 if it was not judged or judged negative.
    fn gain(&self) -> f64 {
        self.grade.map_or(0.0, |grade| grade.max(0).into())
    }
}

/// A ranking compared with the judgments of its query.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct JudgedRanking {
    pub(crate) ranked: Vec<Judged>,
    /// Every result, those that are further parts of one before among them.
    pub(crate) read: Vec<Read>,
    /// Every grade of the query, highest first.
    pub(crate) grades: Vec<i32>,
    /// Labels judged relevant, whether ranked or not.
    pub(crate) relevant: usize,
    /// Labels judged not relevant, with a grade of 0 or more: trec_eval takes others for unjudged.
    pub(crate) irrelevant: usize,
    /// Letters of the relevant passages; 0 where all labels are ids.
    pub(crate) relevant_letters: usize,
}

impl JudgedRanking {
    /// Brings the grades into their order.
    pub(crate) fn sort(&mut self) {
        self.grades.sort_unstable_by(|a, b| b.cmp(a));
    }

    /// Whether there are results whose text is not known, as in runs of other systems.
    fn is_without_text(&self) -> bool {
        !self.read.is_empty() && self.read.iter().all(|read| read.letters == 0 && read.tokens == 0)
    }

    /// Ranks (from 1) of the places among the first `k` with something relevant, and how many labels each finds.
    fn finds(&self, k: usize) -> impl Iterator<Item = (usize, usize)> {
        let first = self.ranked.iter().take(k).enumerate();
        first.filter(|(_, judged)| judged.is_relevant()).map(|(index, judged)| (index + 1, judged.found))
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
    /// The measure.
    pub fn measure(&self) -> &'static dyn Measure {
        self.measure
    }

    /// Whether it says how good the search was, see [`Measure::is_goal`].
    pub fn is_goal(&self) -> bool {
        self.measure.is_goal()
    }

    /// Whether lower is better.
    pub fn is_lower_better(&self) -> bool {
        self.measure.unit() != Unit::Share
    }

    /// Number of first results considered; `None` for all of them.
    pub fn cutoff(&self) -> Option<usize> {
        self.k
    }

    /// Its value; `None` if it has none for this query.
    pub fn score(&self, ranking: &JudgedRanking) -> Option<f64> {
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
