//! How likely a report meets a requirement: by the words that it holds, and by how often reports meet it at all.
//!
//! A logistic model of the two, fitted on the cells of reports that were read by hand; `data/assessment/disclosed.jsonl` keeps
//! for each requirement how many of these reports meet at least a part of it.

use super::state::ProposalState;
use serde::Deserialize;
use std::collections::HashMap;
use std::sync::LazyLock;

const DISCLOSED: &str = include_str!("../../../../data/assessment/disclosed.jsonl");
/// Reports that a requirement is taken to have been looked for in before any was read.
const BEFORE: f64 = 2.0;
/// What the model was fitted to be: weight of the words held, of the log odds of being met, and the constant.
const HELD: f64 = 10.0;
const OFTEN: f64 = 0.8;
const CONSTANT: f64 = -3.4;

/// Share of proposals that were wrong on reports that the model was not fitted on: of those with evidence, and of those that
/// found nothing (see `docs/measurements.md`).
const WRONG_FOUND: f64 = 0.29;
const WRONG_NOTHING: f64 = 0.36;

/// Share of proposals like it that were wrong, 0 to 1.
pub(super) const fn wrong(state: ProposalState) -> f64 {
    match state {
        ProposalState::Evidence | ProposalState::Partial => WRONG_FOUND,
        ProposalState::Nothing => WRONG_NOTHING,
    }
}

/// A line of the file.
#[derive(Deserialize)]
struct Row {
    id: String,
    /// Reports that meet at least a part of it.
    met: f64,
    /// Reports that were read.
    of: f64,
}

struct Disclosed {
    rows: HashMap<String, Row>,
    /// Share of all cells that are met.
    share: f64,
}

static KNOWN: LazyLock<Disclosed> = LazyLock::new(|| {
    // The file is a part of the program, and a test reads each of its lines.
    let rows: Vec<Row> = DISCLOSED.lines().filter_map(|line| serde_json::from_str(line).ok()).collect();
    let (met, of) = rows.iter().fold((0.0, 0.0), |(met, of), row| (met + row.met, of + row.of));
    let rows = rows.into_iter().map(|row| (row.id.clone(), row)).collect();
    Disclosed { rows, share: if of > 0.0 { met / of } else { 0.5 } }
});

/// How likely a report whose best passage holds the share `held` of the words of the requirement `id` meets at least a part of
/// it, 0 to 1.
pub(super) fn likelihood(id: &str, held: f64) -> f64 {
    let (met, of) = KNOWN.rows.get(id).map_or((0.0, 0.0), |row| (row.met, row.of));
    let often = (met + BEFORE * KNOWN.share) / (of + BEFORE);
    let odds = HELD * held + OFTEN * (often / (1.0 - often)).ln() + CONSTANT;
    1.0 / (1.0 + (-odds).exp())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_of_the_file_is_read() {
        assert_eq!(KNOWN.rows.len(), DISCLOSED.lines().count());
        assert!(KNOWN.rows.values().all(|row| row.met <= row.of && row.of > 0.0));
        assert!((0.0..1.0).contains(&KNOWN.share));
    }

    #[test]
    fn more_words_and_a_requirement_that_others_meet_make_it_likelier() {
        let often = KNOWN.rows.values().max_by(|a, b| (a.met / a.of).total_cmp(&(b.met / b.of)));
        let seldom = KNOWN.rows.values().min_by(|a, b| (a.met / a.of).total_cmp(&(b.met / b.of)));
        let (often, seldom) = (&often.unwrap().id, &seldom.unwrap().id);
        assert!(likelihood(often, 0.3) > likelihood(seldom, 0.3));
        assert!(likelihood(often, 0.4) > likelihood(often, 0.2));
        assert!((0.0..=1.0).contains(&likelihood("an id that nobody knows", 0.2)));
    }
}
