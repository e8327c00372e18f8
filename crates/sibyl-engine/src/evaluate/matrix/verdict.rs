//! Whether chance explains why the best cell of a matrix is the best.

use super::{CellPlace, MatrixCell};
use crate::evaluate::run::Scores;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sibyl_measure::significance::{LEVEL, bootstrap_interval, holm, randomisation_test};

/// The best cell of a matrix held against another. The best of many cells owes some of its lead to chance. So
/// every cell is compared with the first, and the p-value is corrected for all these comparisons.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct BestVerdict {
    /// The cell that the best is held against: the first that was run, or the runner-up where the first is the best.
    pub against: CellPlace,
    /// The best minus that cell, over the queries that both have a value for.
    pub difference: f64,
    /// Bounds of the difference: 95% of bootstrap samples of the queries lie between them. Nothing corrects them.
    pub interval: (f64, f64),
    /// Two-sided p-value of the paired randomisation test.
    pub p_value: f64,
    /// The p-value corrected (Holm) for comparing every cell that was run with the first.
    pub corrected: f64,
    /// How many comparisons that are.
    pub comparisons: usize,
    /// Whether the corrected p-value is below 0.05.
    pub significant: bool,
}

/// The verdict on the cell at `best`; `None` if fewer than two of `cells` were run. `scores` are the values of the
/// queries of each cell; `less` is whether lower is better.
pub(super) fn verdict(
    cells: &[MatrixCell],
    scores: &[Scores],
    best: CellPlace,
    less: bool,
) -> Option<BestVerdict> {
    let mut run: Vec<(&MatrixCell, &Scores)> = cells
        .iter()
        .zip(scores)
        .filter(|(cell, values)| cell.value.is_some() && !values.is_empty())
        .collect();
    if run.len() < 2 {
        return None;
    }
    let (first, first_scores) = run.remove(0);
    let paired: Vec<Vec<f64>> = run.iter().map(|(_, values)| differences(first_scores, values)).collect();
    let p_values: Vec<f64> = paired.iter().map(|paired| randomisation_test(paired, 0).0).collect();
    let corrected = holm(&p_values);
    let rank = |(cell, _): &(&MatrixCell, &Scores)| {
        cell.value.map_or(f64::MIN, |value| if less { -value } else { value })
    };
    let at = if first.place == best {
        // Of equal ones the first, as the best is.
        (0..run.len()).reduce(|a, b| if rank(&run[b]) > rank(&run[a]) { b } else { a })?
    } else {
        run.iter().position(|(cell, _)| cell.place == best)?
    };
    let (against, sign) = if first.place == best { (run[at].0.place, -1.0) } else { (first.place, 1.0) };
    let signed: Vec<f64> = paired[at].iter().map(|difference| sign * difference).collect();
    Some(BestVerdict {
        against,
        difference: signed.iter().sum::<f64>() / signed.len().max(1) as f64,
        interval: bootstrap_interval(&signed, 0),
        p_value: p_values[at],
        corrected: corrected[at],
        comparisons: corrected.len(),
        significant: corrected[at] < LEVEL,
    })
}

/// `after` minus `before` of the queries that both have.
fn differences(before: &Scores, after: &Scores) -> Vec<f64> {
    before.iter().filter_map(|(query, value)| Some(after.get(query)? - value)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A row of cells, each with its values of the queries.
    fn row(values: &[&[f64]]) -> (Vec<MatrixCell>, Vec<Scores>) {
        let cell = |(column, values): (usize, &&[f64])| MatrixCell {
            place: CellPlace { row: 0, column },
            space: None,
            reranked: 0,
            run: None,
            value: (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64),
            interval: None,
        };
        let scores = values.iter().map(|values| {
            values.iter().enumerate().map(|(query, value)| (format!("q{query}"), *value)).collect()
        });
        (values.iter().enumerate().map(cell).collect(), scores.collect())
    }

    const fn at(column: usize) -> CellPlace {
        CellPlace { row: 0, column }
    }

    #[test]
    fn the_best_of_several_is_corrected_for_each_that_was_compared() {
        // Eight equal gains: 2 of 2^8 assignments are as extreme.
        let (low, high) = ([0.0; 8], [0.5; 8]);
        let alone = 2.0 / 256.0;
        let (cells, scores) = row(&[&low, &high]);
        let two = verdict(&cells, &scores, at(1), false).unwrap();
        assert_eq!((two.against, two.comparisons, two.significant), (at(0), 1, true));
        assert_eq!((two.p_value, two.corrected, two.difference), (alone, alone, 0.5));

        // Seven more cells without a difference: picked from eight comparisons, the same lead may be chance.
        let cells: Vec<&[f64]> =
            [&low[..], &high].into_iter().chain(std::iter::repeat_n(&low[..], 7)).collect();
        let (cells, scores) = row(&cells);
        let many = verdict(&cells, &scores, at(1), false).unwrap();
        assert_eq!((many.p_value, many.corrected, many.comparisons), (alone, 8.0 * alone, 8));
        assert!(!many.significant);
    }

    #[test]
    fn the_first_is_held_against_the_runner_up_where_it_is_the_best() {
        let (cells, scores) = row(&[&[1.0, 1.0], &[], &[0.0, 0.5], &[0.5, 0.5]]);
        let found = verdict(&cells, &scores, at(0), false).unwrap();
        assert_eq!((found.against, found.difference, found.comparisons), (at(3), 0.5, 2), "{found:?}");
        let less = verdict(&cells, &scores, at(2), true).unwrap();
        assert_eq!((less.against, less.difference), (at(0), -0.75), "{less:?}");
    }

    #[test]
    fn one_cell_is_held_against_none() {
        let (cells, scores) = row(&[&[1.0], &[]]);
        assert_eq!(verdict(&cells, &scores, at(0), false), None);
    }
}
