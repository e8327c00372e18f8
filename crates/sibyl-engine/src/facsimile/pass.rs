//! A page after each pass of the reader.

use super::Mark;
use schemars::JsonSchema;
use serde::Serialize;
use sibyl_text::format::pdf::{Cost, Decision, PassStep, Shown};

/// A page, or a part of it, after a pass of the reader.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct PagePass {
    /// What the pass is called.
    pub pass: String,
    /// What it reads.
    pub reads: Vec<String>,
    /// What it writes.
    pub writes: Vec<String>,
    /// The part of the page that it read: empty for the whole page, else the number of the part, and of the part inside of
    /// that, from 1.
    pub part: Vec<usize>,
    /// Whether it left something else there than stood there before.
    pub changed: bool,
    /// What stands there now.
    pub shows: Vec<PassMark>,
    /// What it decided, with the readings that were not taken.
    pub decisions: Vec<PassDecision>,
}

/// Something on a page after a pass.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct PassMark {
    /// What it is taken for, such as `line`, `table of 4 rows` or `key figure`.
    pub kind: String,
    /// The region that it stands in, from 1, once the page is divided.
    pub region: Option<usize>,
    /// Its first words.
    pub text: String,
    /// Its place on the page; none where nothing of it lies there.
    pub place: Option<Mark>,
}

/// Readings of one place that exclude each other.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct PassDecision {
    /// The place; none where nothing of it lies on the page.
    pub place: Option<Mark>,
    /// The readings.
    pub hypotheses: Vec<PassHypothesis>,
}

/// One of several readings of a place. The one that costs least is taken: torn sentences count first, then what stays
/// unexplained, then numbers without a name.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct PassHypothesis {
    /// What it takes the place for, such as `table` or `columns of text`.
    pub reading: String,
    /// Sentences, and rows of a table, that it tears.
    pub torn: usize,
    /// What is drawn or marked there and means nothing in it.
    pub unexplained: usize,
    /// Numbers that it leaves without a name.
    pub unnamed_numbers: usize,
    /// Whether it was taken.
    pub taken: bool,
}

impl PagePass {
    /// A step on a page of `size` points.
    pub(super) fn of(step: PassStep, size: (f32, f32)) -> Self {
        let mark = |shown: Shown| PassMark {
            kind: shown.kind,
            region: shown.region,
            text: shown.text,
            place: Mark::of(shown.rect, size),
        };
        let PassStep { pass, reads, writes, part, changed, shows, decisions } = step;
        Self {
            pass,
            reads,
            writes,
            part,
            changed,
            shows: shows.into_iter().map(mark).collect(),
            decisions: decisions.into_iter().map(|decision| decided(decision, size)).collect(),
        }
    }
}

fn decided(decision: Decision, size: (f32, f32)) -> PassDecision {
    let hypotheses = decision.hypotheses.into_iter().map(|one| {
        let Cost { torn, unexplained, unnamed_numbers } = one.cost;
        PassHypothesis { reading: one.reading, torn, unexplained, unnamed_numbers, taken: one.taken }
    });
    PassDecision { place: Mark::of(decision.rect, size), hypotheses: hypotheses.collect() }
}
