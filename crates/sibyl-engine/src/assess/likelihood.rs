//! How likely a report meets a requirement. It depends on how near its sentences come to how reports say it, and
//! on how often reports meet it at all.
//!
//! A logistic model, fitted on the cells of reports that were read by hand (`data/assessment/likelihood.json`).
//! How near a report comes is compared with how near reports usually come to the same requirement
//! (`data/assessment/disclosed.jsonl`). It is also compared with how near this report comes to all others.

use super::nearness::Near;
use super::phrases::counted_as;
use crate::store::table::assessment::ProposalState;
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
    /// How near reports usually come, by words and by meaning.
    words: f64,
    meaning: f64,
}

/// What the model was fitted to be.
#[derive(Debug, Default, Deserialize)]
struct Model {
    constant: f64,
    /// Weight of the log odds of being met.
    often: f64,
    /// Weights of how much nearer the report comes than usual, by words and by meaning.
    words: f64,
    meaning: f64,
    /// Weight of how much nearer it comes than usual to all requirements, by meaning.
    report: f64,
    /// The range seen in the reports that the weights were fitted on; values beyond it count no more.
    report_within: (f64, f64),
    /// How much nearer than usual, or less near, a report may come to all requirements, by words and by meaning.
    /// It is half as much again as was seen. A report of a few sentences comes near to nothing, so it is not
    /// compared only with itself.
    words_within: (f64, f64),
    meaning_within: (f64, f64),
    /// Number of reports that the share of a paragraph's items counts as, beside those in which an item was looked
    /// for.
    before: f64,
    /// Share of the metrics of an industry that its reports meet.
    metrics: f64,
    /// Share of proposals that were wrong on reports that the model was not fitted on, by kind of proposal.
    wrong: Wrong,
}

#[derive(Debug, Default, Deserialize)]
struct Wrong {
    evidence: f64,
    partial: f64,
    nothing: f64,
}

struct Known {
    rows: HashMap<String, Row>,
    /// Share of the cells of each paragraph that are met, and of all.
    paragraphs: HashMap<String, f64>,
    share: f64,
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
        share,
        model,
    }
});

/// Share of proposals like it that were wrong, 0 to 1.
pub(super) fn wrong(state: ProposalState) -> f64 {
    let wrong = &KNOWN.model.wrong;
    match state {
        ProposalState::Evidence => wrong.evidence,
        ProposalState::Partial => wrong.partial,
        ProposalState::Nothing => wrong.nothing,
    }
}

/// How near a report comes to requirements in general.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(super) struct Centre {
    /// For counted requirements, how much nearer it comes than reports usually do.
    beyond: Near,
    /// To requirements that it is not about.
    foreign: Near,
    /// Whether a model compared meanings at all.
    by_meaning: bool,
}

/// The centre of a report that comes so `near` to requirements: those that were counted, by id, and foreign ones.
pub(super) fn centre(near: &[(Option<&str>, Near)]) -> Centre {
    let beyond = near.iter().filter_map(|(id, near)| {
        let usual = KNOWN.rows.get((*id)?)?;
        Some(Near { words: near.words - usual.words, meaning: near.meaning - usual.meaning })
    });
    let foreign = near.iter().filter(|(id, _)| id.is_none()).map(|(_, near)| *near);
    let Near { words, meaning } = mean(beyond);
    let (of_words, of_meaning) = (KNOWN.model.words_within, KNOWN.model.meaning_within);
    let beyond = Near {
        words: words.clamp(of_words.0, of_words.1),
        meaning: meaning.clamp(of_meaning.0, of_meaning.1),
    };
    let by_meaning = near.iter().any(|(_, near)| near.meaning != 0.0);
    Centre { beyond, foreign: mean(foreign), by_meaning }
}

fn mean(all: impl Iterator<Item = Near>) -> Near {
    let (count, sum) = all.fold((0.0, Near::default()), |(count, sum), one| {
        (count + 1.0, Near { words: sum.words + one.words, meaning: sum.meaning + one.meaning })
    });
    let count = f64::max(count, 1.0);
    Near { words: sum.words / count, meaning: sum.meaning / count }
}

/// How likely a report meets at least a part of the requirement `id`, 0 to 1. It has this `centre` and comes so
/// `near` to the requirement.
pub(super) fn likelihood(id: &str, near: Near, centre: Centre) -> f64 {
    let Known { rows, paragraphs, share, model } = &*KNOWN;
    let known = counted_as(id);
    let row = rows.get(known);
    let of_paragraph = paragraphs.get(paragraph(known)).copied();
    let usual = of_paragraph.unwrap_or(if id.contains('-') { model.metrics } else { *share });
    let often = row.map_or(usual, |row| (row.met + model.before * usual) / (row.of + model.before));
    let (words, meaning) = match row {
        Some(row) => {
            (near.words - row.words - centre.beyond.words, near.meaning - row.meaning - centre.beyond.meaning)
        }
        None => (near.words - centre.foreign.words, near.meaning - centre.foreign.meaning),
    };
    let report = centre.beyond.meaning.clamp(model.report_within.0, model.report_within.1);
    let by_meaning = if centre.by_meaning { model.meaning * meaning + model.report * report } else { 0.0 };
    let odds = model.constant + model.often * (often / (1.0 - often)).ln() + model.words * words + by_meaning;
    1.0 / (1.0 + (-odds).exp())
}

/// The paragraph of the item `id`: `S2.14` of `S2.14(a)(iv)`.
fn paragraph(id: &str) -> &str {
    id.split('(').next().unwrap_or(id)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The centre of a report that comes as near to all as reports usually do.
    const CENTRE: Centre = Centre {
        beyond: Near { words: 0.0, meaning: 0.0 },
        foreign: Near { words: 0.0, meaning: 0.0 },
        by_meaning: true,
    };

    fn usual(id: &str) -> Near {
        let row = &KNOWN.rows[id];
        Near { words: row.words, meaning: row.meaning }
    }

    /// How likely a report meets `id` that comes as near to all as reports usually do, and so much nearer to it.
    fn nearer(id: &str, words: f64, meaning: f64) -> f64 {
        let usual = usual(id);
        likelihood(id, Near { words: usual.words + words, meaning: usual.meaning + meaning }, CENTRE)
    }

    #[test]
    fn every_line_of_the_files_is_read() {
        assert_eq!(KNOWN.rows.len(), DISCLOSED.lines().count());
        assert!(KNOWN.rows.values().all(|row| row.met <= row.of));
        assert!(super::super::phrases::all().all(|(id, _)| KNOWN.rows.contains_key(id)));
        assert!((0.0..1.0).contains(&KNOWN.share));
        let model: Model = serde_json::from_str(MODEL).unwrap();
        assert!(model.often > 0.0 && model.words > 0.0 && model.meaning > 0.0 && model.before > 0.0);
        for (least, most) in [model.report_within, model.words_within, model.meaning_within] {
            assert!(least < 0.0 && most > 0.0);
        }
        for state in [ProposalState::Evidence, ProposalState::Partial, ProposalState::Nothing] {
            assert!((0.01..0.5).contains(&wrong(state)), "{state:?}");
        }
    }

    #[test]
    fn sentences_that_come_nearer_and_a_requirement_that_others_meet_make_it_likelier() {
        let share = |row: &&Row| row.met / row.of.max(1.0);
        let often = KNOWN.rows.values().max_by(|a, b| share(a).total_cmp(&share(b))).unwrap();
        let seldom = KNOWN.rows.values().min_by(|a, b| share(a).total_cmp(&share(b))).unwrap();
        assert!(nearer(&often.id, 0.0, 0.0) > nearer(&seldom.id, 0.0, 0.0));
        assert!(nearer(&seldom.id, 0.2, 0.0) > nearer(&seldom.id, 0.0, 0.0));
        assert!(nearer(&seldom.id, 0.0, 0.2) > nearer(&seldom.id, 0.0, 0.0));
        let unknown = likelihood("IF-EU-999a.9", Near::default(), Centre::default());
        assert!((0.0..0.5).contains(&unknown), "a metric that the report comes no nearer to than to others");
    }

    #[test]
    fn a_report_that_comes_nearer_to_everything_is_compared_with_itself() {
        let id = "S2.14(a)(iv)";
        let everything: Vec<(Option<&str>, Near)> = KNOWN
            .rows
            .keys()
            .map(|id| (Some(id.as_str()), Near { words: usual(id).words + 0.05, ..usual(id) }))
            .collect();
        let near = Near { words: usual(id).words + 0.05, ..usual(id) };
        let same = likelihood(id, near, centre(&everything));
        assert!((same - nearer(id, 0.0, 0.0)).abs() < 1e-9);
    }

    #[test]
    fn what_s1_asks_for_is_counted_as_what_s2_asks_for() {
        let near = Near { words: 0.2, meaning: 0.6 };
        let of = |id: &str| likelihood(id, near, Centre::default());
        assert_eq!(of("S1.27(a)(i)"), of("S2.6(a)(i)"));
    }
}
