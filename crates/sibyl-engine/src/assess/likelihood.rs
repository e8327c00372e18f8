//! How likely a report meets a requirement: a logistic model of five features, fitted on reports that were read by
//! hand. `data/assessment/likelihood.json` has its weights, and `cargo xtask assessments` fits them.
//!
//! How near a report comes to a requirement means little by itself: long reports come near to everything, and
//! reports on climate to everything about climate. So it is first compared with how near the same report comes to
//! requirements that it cannot be about ([`Ground`]). What remains is compared with what usually remains for the
//! requirement in other reports (`data/assessment/disclosed.jsonl`).

use super::nearness::Near;
use super::phrases::counted_as;
use serde::Deserialize;
use std::collections::HashMap;
use std::sync::LazyLock;

const DISCLOSED: &str = include_str!("../../../../data/assessment/disclosed.jsonl");
const MODEL: &str = include_str!("../../../../data/assessment/likelihood.json");

/// A line of the file.
#[derive(Deserialize)]
struct Row {
    id: String,
    /// Number of reports that meet at least a part of it.
    met: f64,
    /// Reports that were read.
    of: f64,
    /// How much nearer than to what they are not about reports usually come, by words and by meaning.
    words: f64,
    meaning: f64,
}

/// What the model was fitted to be.
#[derive(Debug, Default, Deserialize)]
struct Model {
    weights: Weights,
    /// How near reports come by words to phrases of the field that say nothing, and the share of their words that are
    /// of the field, at least.
    field: Bounds,
    /// Log odds that a text loses which does not come near these phrases at all: it is too short to meet much. Beside
    /// it, those that a text without any of these words loses: it is about something else.
    outside: Bounds,
    /// Likelihood from which something is proposed.
    likely: f64,
    /// Likelihood if a figure that the requirement asks for was found: the share of such cells that are met.
    with_figure: f64,
    /// The same if none was found for a metric that is a number.
    without_figure: f64,
    /// Number of reports that the share of a paragraph's items counts as, beside those in which an item was looked
    /// for.
    before: f64,
    /// What is used for requirements that were not counted: the share that is met, and how much nearer reports
    /// usually come to them.
    uncounted: Uncounted,
}

/// Weights of the [`Features`].
#[derive(Debug, Default, Deserialize)]
struct Weights {
    constant: f64,
    often: f64,
    words: f64,
    meaning: f64,
    paragraph: f64,
    telling: f64,
}

/// Values for the two ways in which a text may be none of the field.
#[derive(Debug, Clone, Copy, Default, Deserialize)]
struct Bounds {
    near: f64,
    share: f64,
}

#[derive(Debug, Default, Deserialize)]
struct Uncounted {
    met: f64,
    words: f64,
    meaning: f64,
}

struct Known {
    rows: HashMap<String, Row>,
    /// Share of the cells of each paragraph that are met.
    paragraphs: HashMap<String, f64>,
    model: Model,
}

static KNOWN: LazyLock<Known> = LazyLock::new(|| {
    // The files are a part of the program, and a test reads each of their lines.
    let rows: Vec<Row> = DISCLOSED.lines().filter_map(|line| serde_json::from_str(line).ok()).collect();
    let model: Model = serde_json::from_str(MODEL).unwrap_or_default();
    let (met, of) = rows.iter().fold((0.0, 0.0), |(met, of), row| (met + row.met, of + row.of));
    let share = if of > 0.0 { met / of } else { 0.5 };
    let mut sums: HashMap<String, (f64, f64)> = HashMap::new();
    for row in &rows {
        let sum = sums.entry(paragraph(&row.id).to_owned()).or_default();
        *sum = (sum.0 + row.met, sum.1 + row.of);
    }
    let before = model.before;
    let paragraphs = sums.into_iter().map(|(id, (met, of))| (id, (met + before * share) / (of + before)));
    Known {
        paragraphs: paragraphs.collect(),
        rows: rows.into_iter().map(|row| (row.id.clone(), row)).collect(),
        model,
    }
});

/// How near a report comes to what it is not about.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(super) struct Ground {
    /// To phrases of the field that say nothing, for requirements with phrases.
    pub said: Near,
    /// To metrics of other industries, for requirements that only their explanation describes.
    pub explained: Near,
    /// Share of its words that are of the field, 0 to 1.
    pub field: f64,
    /// Whether a model compared meanings at all.
    pub by_meaning: bool,
}

/// What a report has on a requirement, as far as words and vectors tell.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(super) struct Evident {
    /// How much nearer it comes to it than to what it is not about.
    pub near: Near,
    /// Share of the requirement's telling words that a sentence with its neighbours holds, 0 to 1.
    pub telling: f64,
}

/// What a likelihood is made of.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
struct Features {
    /// Log odds of being met, by how many reports meet it.
    often: f64,
    /// How much nearer than usual the report comes by words and by meaning.
    words: f64,
    meaning: f64,
    /// Mean of both over the other items of the paragraph.
    paragraph: f64,
    /// See [`Evident::telling`].
    telling: f64,
}

impl Features {
    fn new(id: &str, evident: Evident, all: &HashMap<&'static str, Near>, ground: Ground) -> Self {
        let Known { rows, paragraphs, model, .. } = &*KNOWN;
        let known = counted_as(id);
        let own = paragraph(known);
        let row = rows.get(known);
        let share = paragraphs.get(own).copied().unwrap_or(model.uncounted.met);
        let often = row.map_or(share, |row| (row.met + model.before * share) / (row.of + model.before));
        let usual = |row: Option<&Row>| match row {
            Some(row) => Near { words: row.words, meaning: row.meaning },
            None => Near { words: model.uncounted.words, meaning: model.uncounted.meaning },
        };
        let beyond = |near: Near, usual: Near| Near {
            words: near.words - usual.words,
            meaning: if ground.by_meaning { near.meaning - usual.meaning } else { 0.0 },
        };
        let Near { words, meaning } = beyond(evident.near, usual(row));
        let others: Vec<f64> = all
            .iter()
            .filter(|(other, _)| **other != known && paragraph(other) == own)
            .filter_map(|(other, near)| Some(beyond(*near, usual(Some(rows.get(*other)?)))))
            .map(|near| near.words + near.meaning)
            .collect();
        let others = others.iter().sum::<f64>() / others.len().max(1) as f64;
        let often = (often / (1.0 - often)).ln();
        Self { often, words, meaning, paragraph: others, telling: evident.telling }
    }

    fn likelihood(&self, ground: Ground) -> f64 {
        let Model { weights, field, outside, .. } = &KNOWN.model;
        let odds = weights.constant
            + weights.often * self.often
            + weights.words * self.words
            + weights.meaning * self.meaning
            + weights.paragraph * self.paragraph
            + weights.telling * self.telling
            - outside.near * (1.0 - ground.said.words / field.near).max(0.0)
            - outside.share * (1.0 - ground.field / field.share).max(0.0);
        1.0 / (1.0 + (-odds).exp())
    }
}

/// How likely a report on this `ground` meets at least a part of the requirement `id`, 0 to 1, if this is `evident`.
/// It comes so much nearer to `all` that were counted than to what it is not about.
pub(super) fn likelihood(
    id: &str,
    evident: Evident,
    all: &HashMap<&'static str, Near>,
    ground: Ground,
) -> f64 {
    Features::new(id, evident, all, ground).likelihood(ground)
}

/// Whether a `likelihood` is enough to propose something.
pub(super) fn is_likely(likelihood: f64) -> bool {
    likelihood >= KNOWN.model.likely
}

/// The likelihood of a requirement for which a figure that it asks for was found.
pub(super) fn with_figure(likelihood: f64) -> f64 {
    likelihood.max(KNOWN.model.with_figure)
}

/// The likelihood of a metric that is a number, for which no figure was found.
pub(super) fn without_figure(likelihood: f64) -> f64 {
    likelihood.min(KNOWN.model.without_figure)
}

/// How likely a proposal of nothing is wrong, 0 to 1, if something was this likely, but nothing counted.
pub(super) fn missed(likelihood: f64) -> f64 {
    likelihood.min(KNOWN.model.likely)
}

/// The paragraph of the item `id`: `S2.14` of `S2.14(a)(iv)`.
fn paragraph(id: &str) -> &str {
    id.split('(').next().unwrap_or(id)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What reports usually have on `id`, and so much more.
    fn more(id: &str, words: f64, meaning: f64) -> Evident {
        let row = &KNOWN.rows[id];
        let near = Near { words: row.words + words, meaning: row.meaning + meaning };
        Evident { near, telling: 0.3 }
    }

    /// The ground of a report as those that were read.
    fn ground() -> Ground {
        let Bounds { near, share } = KNOWN.model.field;
        let said = Near { words: near, meaning: 0.5 };
        Ground { said, field: share, by_meaning: true, ..Ground::default() }
    }

    /// How near reports usually come to all requirements, and so much nearer.
    fn all(words: f64) -> HashMap<&'static str, Near> {
        let of = |row: &'static Row| Near { words: row.words + words, meaning: row.meaning };
        KNOWN.rows.iter().map(|(id, row)| (id.as_str(), of(row))).collect()
    }

    #[test]
    fn every_line_of_the_files_is_read() {
        assert_eq!(KNOWN.rows.len(), DISCLOSED.lines().count());
        assert!(KNOWN.rows.values().all(|row| row.met <= row.of));
        assert!(super::super::phrases::all().all(|(id, _)| KNOWN.rows.contains_key(id)));
        let model: Model = serde_json::from_str(MODEL).unwrap();
        assert!((0.3..0.8).contains(&model.likely) && model.before > 0.0);
        for Bounds { near, share } in [model.field, model.outside] {
            assert!(near > 0.0 && share > 0.0);
        }
        assert!(model.without_figure < model.likely && model.likely < model.with_figure);
        assert!((0.0..0.5).contains(&model.uncounted.met));
    }

    #[test]
    fn what_comes_nearer_or_is_met_by_more_reports_is_likelier() {
        let share = |row: &&Row| row.met / row.of.max(1.0);
        let often = KNOWN.rows.values().max_by(|a, b| share(a).total_cmp(&share(b))).unwrap();
        let seldom = KNOWN.rows.values().min_by(|a, b| share(a).total_cmp(&share(b))).unwrap();
        let of = |id: &str, words, meaning| likelihood(id, more(id, words, meaning), &all(0.0), ground());
        assert!(of(&often.id, 0.0, 0.0) > of(&seldom.id, 0.0, 0.0));
        assert!(of(&seldom.id, 0.2, 0.0) > of(&seldom.id, 0.0, 0.0));
        assert!(of(&seldom.id, 0.0, 0.2) > of(&seldom.id, 0.0, 0.0));
        let held = |telling| {
            likelihood(&seldom.id, Evident { telling, ..more(&seldom.id, 0.0, 0.0) }, &all(0.0), ground())
        };
        assert!(held(0.9) > held(0.1));
    }

    #[test]
    fn a_report_that_is_near_to_the_other_items_of_a_paragraph_is_likelier_to_meet_this_one() {
        let id = "S2.14(a)(iv)";
        let beside = |words| likelihood(id, more(id, 0.0, 0.0), &all(words), ground());
        assert!(beside(0.1) > beside(0.0));
    }

    #[test]
    fn a_text_that_is_not_of_the_field_is_likely_to_meet_nothing() {
        let often =
            KNOWN.rows.values().max_by(|a, b| (a.met / a.of.max(1.0)).total_cmp(&(b.met / b.of.max(1.0))));
        let id = &often.unwrap().id;
        let of = |ground| likelihood(id, more(id, 0.0, 0.0), &all(0.0), ground);
        assert!(is_likely(of(ground())));
        assert!(!is_likely(of(Ground { said: Near::default(), ..ground() })), "too short");
        assert!(!is_likely(of(Ground { field: 0.0, ..ground() })), "about something else");
    }

    #[test]
    fn a_metric_to_which_a_report_comes_no_nearer_than_to_others_is_not_likely() {
        assert!(!is_likely(likelihood("IF-EU-999a.9", Evident::default(), &all(0.0), ground())));
    }

    #[test]
    fn without_a_model_meanings_say_nothing() {
        let id = "S2.14(a)(iv)";
        let of = |meaning| {
            let ground = Ground { by_meaning: false, ..ground() };
            likelihood(id, more(id, 0.0, meaning), &all(0.0), ground)
        };
        assert_eq!(of(0.0), of(0.5));
    }

    #[test]
    fn what_s1_asks_for_is_counted_as_what_s2_asks_for() {
        let evident = Evident { near: Near { words: 0.2, meaning: 0.1 }, telling: 0.5 };
        let of = |id: &str| likelihood(id, evident, &all(0.0), ground());
        assert_eq!(of("S1.27(a)(i)"), of("S2.6(a)(i)"));
    }
}
