//! The figures that a requirement asks for, as questions that figures answer. For paragraphs of IFRS S1 and S2 a
//! data file has them; for metrics they follow from label and unit.

use super::counted::is_of_others;
use super::phrases::counted_as;
use crate::answer::figures::candidate;
use crate::error::Result;
use crate::library::Assessing;
use crate::store::table::figure::{FigureFilter, FigureRow};
use serde::Deserialize;
use sibyl_answer::figures::{Candidate, Found, Nearness, find};
use sibyl_answer::question::{Kind, Question};
use sibyl_text::figure::{Origin, Status};
use sibyl_text::language::unit::{Measure, read};
use std::collections::HashMap;
use std::sync::LazyLock;

const QUANTITIES: &str = include_str!("../../../../data/assessment/quantities.jsonl");
/// Number of figures considered for one question.
const LOOKED_AT: usize = 600;
/// Maximum number of figures of a proposal.
const MOST: usize = 6;

/// What kind of value a figure must give.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Says {
    Actual,
    Target,
    Base,
    Estimate,
}

/// A line of the file.
#[derive(Deserialize)]
struct Row {
    id: String,
    questions: Vec<String>,
    kind: Says,
    /// What the units may measure; anything by default.
    measures: Vec<Measure>,
    /// Whether the figures of the same row for other years are included.
    any_year: bool,
    /// Whether only a figure meets the requirement in full.
    needed: bool,
}

/// The figures that a requirement asks for.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Quantity {
    questions: Vec<Question>,
    /// What the units may measure, for each question; anything by default.
    measures: Vec<Vec<Measure>>,
    any_year: bool,
    /// Whether only a figure meets the requirement in full.
    pub needed: bool,
}

static KNOWN: LazyLock<HashMap<String, Row>> = LazyLock::new(|| {
    // The file is part of the program, and a test reads each of its lines.
    let rows = QUANTITIES.lines().filter_map(|line| serde_json::from_str::<Row>(line).ok());
    rows.map(|row| (row.id.clone(), row)).collect()
});

/// `text` as a question that wants a figure of the kind `says`.
fn question(text: &str, says: Says) -> Question {
    let mut question = Question::read(text).of_kind(Kind::Figure);
    question.asks.certain = true;
    question.asks.number = true;
    question.asks.status = match says {
        Says::Actual => None,
        Says::Target => Some(Status::Target),
        Says::Base => Some(Status::Base),
        Says::Estimate => Some(Status::Estimate),
    };
    question
}

impl Quantity {
    /// The figures that the paragraph or item `id` asks for, if any.
    pub fn of(id: &str) -> Option<Self> {
        let row = KNOWN.get(counted_as(id))?;
        let questions: Vec<Question> = row.questions.iter().map(|text| question(text, row.kind)).collect();
        let measures = vec![row.measures.clone(); questions.len()];
        Some(Self { questions, measures, any_year: row.any_year, needed: row.needed })
    }

    /// The figures for a metric with the name `label` and the unit `unit`. There are as many as it has units, if
    /// its label names as many.
    pub fn of_metric(label: &str, unit: &str) -> Self {
        let measure = |unit| read(unit).map(|unit| unit.measure);
        let units: Vec<Vec<Measure>> =
            unit.split([',', ';']).map(|unit| measure(unit).into_iter().collect()).collect();
        let parts: Vec<&str> =
            label.split([',', ';']).flat_map(|part| part.split(" and ")).map(str::trim).collect();
        let plain = |part: &str| {
            let part = ["gross ", "total ", "the "].iter().fold(part.to_lowercase(), |part, word| {
                part.strip_prefix(word).map(str::to_owned).unwrap_or(part)
            });
            question(&format!("What was the {part}?"), Says::Actual)
        };
        let (questions, measures): (Vec<_>, Vec<_>) = if units.len() > 1 && units.len() == parts.len() {
            let each = parts.iter().zip(&units);
            each.map(|(part, unit)| (plain(part), unit.clone())).unzip()
        } else {
            (vec![plain(label)], vec![units.concat()])
        };
        Self { questions, measures, any_year: true, needed: true }
    }
}

impl Assessing<'_> {
    /// The figures of `report` that are what `quantity` asks for, of the reporting entity.
    pub(super) async fn figures(
        &self,
        workspace: i64,
        report: &str,
        quantity: &Quantity,
    ) -> Result<Vec<FigureRow>> {
        let mut found: Vec<FigureRow> = Vec::new();
        for (question, measures) in quantity.questions.iter().zip(&quantity.measures) {
            let of_scopes = (!question.asks.scopes.is_empty()).then(|| "scope".to_owned());
            let filter = FigureFilter {
                reports: vec![report.to_owned()],
                words: question.asked.iter().flat_map(|asked| asked.texts()).chain(of_scopes).collect(),
                any: true,
                limit: LOOKED_AT,
                ..FigureFilter::default()
            };
            if filter.words.is_empty() {
                continue;
            }
            let (mut rows, _) = self.library.store().figures(workspace, filter).await?;
            rows.retain(|row| is_measured_so(row, measures) && !is_of_others(&called(row)));
            for row in chosen(question, rows, quantity.any_year) {
                if !found.iter().any(|known| known.id == row.id) {
                    found.push(row);
                }
            }
        }
        found.truncate(MOST);
        Ok(found)
    }
}

/// The names of a figure, with those above it.
fn called(row: &FigureRow) -> String {
    let names = row.label.iter().chain([&row.column]).chain(row.above.last());
    names.map(String::as_str).collect::<Vec<_>>().join(" ")
}

/// Whether the unit of `row` measures one of `measures`; true if either is not known.
fn is_measured_so(row: &FigureRow, measures: &[Measure]) -> bool {
    measures.is_empty() || row.measure.is_none_or(|own| measures.contains(&own))
}

/// Those of `rows` that answer `question`, the best first. With `any_year`, those of its row for other years
/// follow.
fn chosen(question: &Question, rows: Vec<FigureRow>, any_year: bool) -> Vec<FigureRow> {
    let candidates: Vec<Candidate> = rows.iter().map(candidate).collect();
    let Found::Answer { chosen, .. } = find(question, &candidates, &Nearness::default()) else {
        return Vec::new();
    };
    let answers: Vec<usize> = chosen.iter().map(|one| one.index).collect();
    let beside = |at: &usize| {
        any_year
            && answers.iter().any(|answer| {
                let (one, answer) = (&candidates[*at], &candidates[*answer]);
                one.origin != Origin::Sentence
                    && (one.document, one.places.1, &one.column, one.status)
                        == (answer.document, answer.places.1, &answer.column, answer.status)
            })
    };
    let mut order = answers.clone();
    order.extend((0..rows.len()).filter(|at| !answers.contains(at)).filter(beside));
    let mut rows: Vec<Option<FigureRow>> = rows.into_iter().map(Some).collect();
    order.into_iter().filter_map(|at| rows.get_mut(at)?.take()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_of_the_file_is_read_and_asks_for_a_figure() {
        assert_eq!(KNOWN.len(), QUANTITIES.lines().count());
        for row in KNOWN.values() {
            assert!(!row.questions.is_empty(), "{}", row.id);
            for text in &row.questions {
                let one = question(text, row.kind);
                assert!(one.asks.may(&one.text), "{text}");
            }
        }
    }

    #[test]
    fn a_metric_asks_for_as_many_figures_as_it_has_units() {
        let one = Quantity::of_metric("Gross Scope 1 emissions", "Metric tonnes (t) CO2-e");
        assert_eq!((one.questions.len(), one.questions[0].asks.scopes.as_slice()), (1, &[1][..]));
        assert_eq!(one.measures[0], [Measure::Mass]);
        let two =
            Quantity::of_metric("Fuel consumed and the renewable share", "Gigajoules (GJ), Percentage (%)");
        assert_eq!(two.measures, [[Measure::Energy], [Measure::Share]]);
        let count = Quantity::of_metric("Number of accidents and incidents", "Number");
        assert_eq!(count.questions.len(), 1, "one unit is one figure");
    }

    #[test]
    fn a_target_is_asked_for_as_a_target_and_an_actual_figure_as_none() {
        let status = |id: &str| Quantity::of(id).map(|one| one.questions[0].asks.status);
        assert_eq!(status("S2.29(a)(i)(1)"), Some(None));
        assert_eq!(status("S2.36(b)"), Some(Some(Status::Target)));
        assert_eq!(status("S2.6(a)(i)"), None);
    }
}
