//! `cargo xtask assessments`: fits the weights by which assessments judge how likely a report meets a requirement,
//! to reports that people have marked. Each report is judged by weights of the others, and what came of that is shown.
#![allow(clippy::print_stdout)] // It is a program that talks to its user.

use serde_json::{Value, json};
use sibyl_engine::assess::{Weighed, WeighedReport};
use sibyl_engine::{Library, OpenOptions};
use sibyl_lab::logistic::{Example, Logistic};
use sibyl_tests::root;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fmt::Write as _;
use std::path::Path;
use std::process::ExitCode;

type Failure = Box<dyn std::error::Error>;

const USAGE: &str = "usage: cargo xtask assessments LIBRARY ASSESSMENT MARKS…

  LIBRARY     folder of a library that has the marked reports
  ASSESSMENT  number of an assessment of them, as `sibyl assess list` shows it
  MARKS       files with a line for each requirement in each report:
              {\"report\": …, \"id\": …, \"state\": \"evidence\" | \"partial\" | \"none\"}";

/// Share of the cells with nothing for which nothing is to be proposed. The likelihood from which something is
/// proposed follows from it.
const NOTHING_RIGHT: f64 = 0.9;
/// Log odds that a text loses which does not come near to phrases of the field at all, and one without any words of
/// the field. The marked reports are all on climate and of some length, so these cannot be fitted to them. With these,
/// a page on one subject, documentation of software and a declaration for a product get evidence for few requirements.
const OUTSIDE: (f64, f64) = (6.0, 12.0);
/// Share of the least that a marked report reaches from which a text loses nothing: others reach a little less.
const ALLOWED: f64 = 0.9;
/// Number of reports that the share of a paragraph's items counts as, beside those in which an item was looked for.
const BEFORE: f64 = 2.0;
/// Sizes by which features are divided, so that one ridge suits all of them.
const SIZES: [f64; 5] = [1.0, 0.1, 0.07, 0.1, 0.1];
const FEATURES: [&str; 5] = ["often", "words", "meaning", "paragraph", "telling"];

#[tokio::main]
async fn main() -> ExitCode {
    if let Some(code) = sibyl_engine::reader::run_reader_if_asked() {
        return code;
    }
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [library, assessment, marks @ ..] = words.as_slice() else {
        eprintln!("{USAGE}");
        return ExitCode::from(2);
    };
    match fit(Path::new(library), assessment, marks).await {
        Ok(told) => {
            print!("{told}");
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

/// A requirement in a marked report.
struct Cell<'a> {
    /// Place of the report.
    report: usize,
    has: &'a Weighed,
    /// Whether the report meets at least a part of it.
    met: bool,
}

/// Everything that is known.
struct Known<'a> {
    reports: &'a [WeighedReport],
    cells: Vec<Cell<'a>>,
}

/// What is used of requirements that nobody counted.
struct Uncounted {
    /// Share of them that is met.
    met: f64,
    /// How much nearer reports usually come to them.
    words: f64,
    meaning: f64,
}

/// Shares of cells that are met where a figure was found, and of metrics where none was.
struct Figures {
    with: f64,
    without: f64,
}

async fn fit(folder: &Path, assessment: &str, files: &[String]) -> Result<String, Failure> {
    let options = OpenOptions { shipped: Some(root().join("data")), ..OpenOptions::new(folder) };
    let library = Library::open(options).await?;
    let reports = library.assess().weighed("default", assessment.parse()?).await?;
    let reports: Vec<WeighedReport> = reports.into_iter().filter(|one| one.unmatched.is_none()).collect();
    let marks = marks(files)?;
    let known = Known::new(&reports, &marks);
    if known.cells.is_empty() {
        return Err("no mark is on a requirement of this assessment in one of its reports".into());
    }
    let judged = known.judged();
    let likely = threshold(&known.counted_with(&judged).collect::<Vec<_>>());
    let mut told = String::new();
    known.tell(&judged, likely, &mut told);
    known.write(likely, &judged)?;
    told.push_str(
        "data/assessment/likelihood.json and disclosed.jsonl are written; build again to use them\n",
    );
    Ok(told)
}

/// Whether each requirement is met in each report, where all marks agree.
fn marks(files: &[String]) -> Result<HashMap<(String, String), bool>, Failure> {
    let mut marks: HashMap<(String, String), BTreeSet<bool>> = HashMap::new();
    for file in files {
        let text = std::fs::read_to_string(file).map_err(|error| format!("{file}: {error}"))?;
        for line in text.lines().filter(|line| !line.trim().is_empty()) {
            let mark: Value = serde_json::from_str(line).map_err(|error| format!("{file}: {error}"))?;
            let word = |key: &str| {
                mark[key].as_str().ok_or_else(|| format!("{file}: a line has no word for `{key}`"))
            };
            let key = (word("report")?.to_owned(), word("id")?.to_owned());
            marks.entry(key).or_default().insert(match word("state")? {
                "evidence" | "partial" => true,
                "none" => false,
                other => {
                    return Err(
                        format!("{file}: a state is `evidence`, `partial` or `none`, not `{other}`").into()
                    );
                }
            });
        }
    }
    let agreed = marks.into_iter().filter(|(_, states)| states.len() == 1);
    Ok(agreed.map(|(key, states)| (key, states.contains(&true))).collect())
}

fn mean(values: impl Iterator<Item = f64>) -> f64 {
    let (count, sum) = values.fold((0.0, 0.0), |(count, sum), value| (count + 1.0, sum + value));
    sum / f64::max(count, 1.0)
}

/// The share of `met`, as if one more of each kind had been seen.
fn share(met: impl Iterator<Item = bool>) -> f64 {
    let (count, sum) =
        met.fold((2.0, 1.0), |(count, sum), met| (count + 1.0, sum + f64::from(u8::from(met))));
    sum / count
}

fn paragraph(id: &str) -> &str {
    id.split('(').next().unwrap_or(id)
}

impl<'a> Known<'a> {
    fn new(reports: &'a [WeighedReport], marks: &HashMap<(String, String), bool>) -> Self {
        let cells = reports.iter().enumerate().flat_map(|(report, one)| {
            one.requirements.iter().filter_map(move |has| {
                let met = *marks.get(&(one.report_id.clone(), has.requirement.clone()))?;
                Some(Cell { report, has, met })
            })
        });
        Self { reports, cells: cells.collect() }
    }

    /// The marks on requirements with counts of their own, in reports other than `without`.
    fn counted(&self, without: Option<usize>) -> impl Iterator<Item = &Cell<'a>> {
        let own = |cell: &&Cell<'_>| cell.has.said && cell.has.counted_as == cell.has.requirement;
        self.cells.iter().filter(own).filter(move |cell| Some(cell.report) != without)
    }

    fn uncounted(&self, without: Option<usize>) -> Uncounted {
        let others = || self.reports.iter().enumerate().filter(|(at, _)| Some(*at) != without);
        let all = || others().flat_map(|(_, report)| &report.requirements).filter(|has| !has.said);
        let marked = self.cells.iter().filter(|cell| !cell.has.said && Some(cell.report) != without);
        Uncounted {
            met: share(marked.map(|cell| cell.met)),
            words: mean(all().map(|has| has.words)),
            meaning: mean(all().map(|has| has.meaning)),
        }
    }

    fn figures(&self, without: Option<usize>) -> Figures {
        let of = |found: bool, metrics: bool| {
            let cells = self.cells.iter().filter(move |cell| {
                Some(cell.report) != without
                    && cell.has.figure == Some(found)
                    && (!metrics || cell.has.requirement.contains('-'))
            });
            share(cells.map(|cell| cell.met))
        };
        Figures { with: of(true, false), without: of(false, true) }
    }

    /// How much nearer the reports other than `without` usually come to the requirement `id`.
    fn usual(&self, id: &str, without: Option<usize>) -> (f64, f64) {
        let others = self.reports.iter().enumerate().filter(|(at, _)| Some(*at) != without);
        let all: Vec<&Weighed> =
            others.filter_map(|(_, one)| one.requirements.iter().find(|has| has.requirement == id)).collect();
        (mean(all.iter().map(|has| has.words)), mean(all.iter().map(|has| has.meaning)))
    }

    /// Log odds of `has` being met, by the reports other than `without`.
    fn often(&self, has: &Weighed, without: Option<usize>) -> f64 {
        if !has.said {
            let met = self.uncounted(without).met;
            return (met / (1.0 - met)).ln();
        }
        let of = |wanted: &dyn Fn(&str) -> bool| {
            let cells = self.counted(without).filter(|cell| wanted(&cell.has.requirement));
            cells.fold((0.0, 0.0), |(met, of), cell| (met + f64::from(u8::from(cell.met)), of + 1.0))
        };
        let all = of(&|_| true);
        let own = of(&|id| paragraph(id) == paragraph(&has.counted_as));
        let (met, count) = of(&|id| id == has.counted_as);
        let share = (own.0 + BEFORE * all.0 / f64::max(all.1, 1.0)) / (own.1 + BEFORE);
        let often = (met + BEFORE * share) / (count + BEFORE);
        (often / (1.0 - often)).ln()
    }

    /// The features of `cell`, with what is usual taken from reports other than its own.
    fn features(&self, cell: &Cell<'a>) -> [f64; 5] {
        let without = Some(cell.report);
        let usual = if cell.has.said {
            self.usual(&cell.has.counted_as, without)
        } else {
            let Uncounted { words, meaning, .. } = self.uncounted(without);
            (words, meaning)
        };
        let beside = self.reports[cell.report].requirements.iter().filter(|other| {
            let own = other.said && other.requirement == other.counted_as && cell.has.said;
            own && other.requirement != cell.has.counted_as
                && paragraph(&other.requirement) == paragraph(&cell.has.counted_as)
        });
        let beside = mean(beside.map(|other| {
            let usual = self.usual(&other.requirement, without);
            other.words - usual.0 + other.meaning - usual.1
        }));
        let Weighed { words, meaning, telling, .. } = cell.has;
        [self.often(cell.has, without), words - usual.0, meaning - usual.1, beside, *telling]
    }

    /// The weights fitted on reports other than `without`, each report weighing the same.
    fn model(&self, features: &[[f64; 5]], without: Option<usize>) -> Logistic {
        let mut counts: BTreeMap<usize, f64> = BTreeMap::new();
        self.counted(without).for_each(|cell| *counts.entry(cell.report).or_default() += 1.0);
        let all = counts.values().sum::<f64>() / counts.len().max(1) as f64;
        let own = |cell: &Cell<'_>| cell.has.said && cell.has.counted_as == cell.has.requirement;
        let examples = self.cells.iter().zip(features);
        let examples = examples.filter(|(cell, _)| own(cell) && Some(cell.report) != without);
        let examples: Vec<Example> = examples
            .map(|(cell, features)| Example {
                features: features.iter().zip(SIZES).map(|(value, size)| value / size).collect(),
                met: cell.met,
                weight: all / counts[&cell.report],
            })
            .collect();
        Logistic::fit(&examples)
    }

    /// The likelihood of each cell by weights, counts and shares of the other reports.
    fn judged(&self) -> Vec<f64> {
        let features: Vec<[f64; 5]> = self.cells.iter().map(|cell| self.features(cell)).collect();
        let mut judged = vec![0.0; self.cells.len()];
        for report in 0..self.reports.len() {
            let model = self.model(&features, Some(report));
            let Figures { with, without } = self.figures(Some(report));
            for (at, cell) in self.cells.iter().enumerate().filter(|(_, cell)| cell.report == report) {
                let scaled: Vec<f64> =
                    features[at].iter().zip(SIZES).map(|(value, size)| value / size).collect();
                let likelihood = model.likelihood(&scaled);
                judged[at] = match cell.has.figure {
                    Some(true) => likelihood.max(with),
                    Some(false) if cell.has.requirement.contains('-') => likelihood.min(without),
                    _ => likelihood,
                };
            }
        }
        judged
    }

    /// Adds a line for each kind of requirement: how much is right, and the stated error beside the observed.
    fn tell(&self, judged: &[f64], likely: f64, told: &mut String) {
        let mut kinds: BTreeMap<String, Vec<(bool, f64)>> = BTreeMap::new();
        for (cell, likelihood) in self.cells.iter().zip(judged) {
            let report = &self.reports[cell.report].report_id;
            for kind in [kind(cell.has).to_owned(), format!("in {report}"), "all".to_owned()] {
                kinds.entry(kind).or_default().push((cell.met, *likelihood));
            }
        }
        let _ = writeln!(
            told,
            "{:32} {:>6} {:>9} {:>8} {:>16} {:>16}",
            "each report by the others", "cells", "proposed", "nothing", "proposed wrong", "nothing wrong"
        );
        for (kind, cells) in kinds {
            let of = |wanted: &dyn Fn(bool, f64) -> bool, right: &dyn Fn(bool, f64) -> f64| {
                let chosen: Vec<f64> = cells
                    .iter()
                    .filter(|(met, p)| wanted(*met, *p))
                    .map(|(met, p)| right(*met, *p))
                    .collect();
                if chosen.is_empty() { "–".to_owned() } else { format!("{:.2}", mean(chosen.into_iter())) }
            };
            let found = |_: bool, p: f64| f64::from(u8::from(p >= likely));
            let stated_and_observed = |something: bool| {
                let wanted = move |_: bool, p: f64| (p >= likely) == something;
                let stated = of(&wanted, &|_, p| if something { 1.0 - p } else { p });
                let observed = of(&wanted, &|met, _| f64::from(u8::from(met != something)));
                format!("{observed} ({stated})")
            };
            let _ = writeln!(
                told,
                "{kind:32} {:>6} {:>9} {:>8} {:>16} {:>16}",
                cells.len(),
                of(&|met, _| met, &found),
                of(&|met, _| !met, &|met, p| 1.0 - found(met, p)),
                stated_and_observed(true),
                stated_and_observed(false),
            );
        }
        let _ = writeln!(told, "wrong: observed (stated); likely from {likely:.3}");
    }

    /// Writes the weights of all reports, and what was counted.
    fn write(&self, likely: f64, judged: &[f64]) -> Result<(), Failure> {
        let features: Vec<[f64; 5]> = self.cells.iter().map(|cell| self.features(cell)).collect();
        let model = self.model(&features, None);
        let round = |value: f64| (value * 1e3).round() / 1e3;
        let mut weights = serde_json::Map::from_iter([("constant".to_owned(), json!(round(model.constant)))]);
        for ((name, weight), size) in FEATURES.iter().zip(&model.weights).zip(SIZES) {
            weights.insert((*name).to_owned(), json!(round(weight / size)));
        }
        let (figures, uncounted) = (self.figures(None), self.uncounted(None));
        let counted: Vec<(bool, f64)> = self.counted_with(judged).collect();
        let right = |met: bool| {
            let own = counted.iter().filter(|(own, _)| *own == met);
            round(mean(own.map(|(_, p)| f64::from(u8::from((*p >= likely) == met)))))
        };
        let least = |of: fn(&WeighedReport) -> f64| ALLOWED * self.reports.iter().map(of).fold(1.0, f64::min);
        let text = json!({
            "weights": weights,
            "field": {
                "near": round(least(|report| report.near_to_field)), "share": round(least(|report| report.of_field))
            },
            "outside": { "near": OUTSIDE.0, "share": OUTSIDE.1 },
            "likely": round(likely),
            "with_figure": round(figures.with),
            "without_figure": round(figures.without),
            "before": BEFORE,
            "uncounted": {
                "met": round(uncounted.met), "words": round(uncounted.words), "meaning": round(uncounted.meaning)
            },
            "fitted": {
                "how": "cargo xtask assessments: logistic regression with a ridge, each report weighing the same",
                "reports": self.reports.len(),
                "cells": counted.len(),
                "left_out": {
                    "what": "each report judged by weights, counts and usual values of the others",
                    "proposed": right(true),
                    "nothing_right": right(false)
                }
            }
        });
        let folder = root().join("data/assessment");
        std::fs::write(
            folder.join("likelihood.json"),
            format!("{}\n", serde_json::to_string_pretty(&text)?),
        )?;
        let mut lines = String::new();
        let ids: BTreeSet<&str> = self
            .reports
            .iter()
            .flat_map(|report| &report.requirements)
            .filter(|has| has.said && has.counted_as == has.requirement)
            .map(|has| has.requirement.as_str())
            .collect();
        let round = |value: f64| (value * 1e4).round() / 1e4;
        for id in ids {
            let cells: Vec<&Cell<'_>> =
                self.counted(None).filter(|cell| cell.has.requirement == id).collect();
            let met = cells.iter().filter(|cell| cell.met).count();
            let (words, meaning) = self.usual(id, None);
            let _ = writeln!(
                lines,
                "{{\"id\": \"{id}\", \"met\": {met}, \"of\": {}, \"words\": {}, \"meaning\": {}}}",
                cells.len(),
                round(words),
                round(meaning)
            );
        }
        std::fs::write(folder.join("disclosed.jsonl"), lines)?;
        Ok(())
    }

    /// The counted cells with their likelihoods.
    fn counted_with<'b>(&'b self, judged: &'b [f64]) -> impl Iterator<Item = (bool, f64)> + 'b {
        let all = self.cells.iter().zip(judged);
        all.filter(|(cell, _)| cell.has.said && cell.has.counted_as == cell.has.requirement)
            .map(|(cell, likelihood)| (cell.met, *likelihood))
    }
}

/// What kind of requirement it is.
fn kind(has: &Weighed) -> &'static str {
    let number =
        |prefix: &str| -> Option<u32> { paragraph(has.requirement.strip_prefix(prefix)?).parse().ok() };
    match (number("S2."), number("S1.")) {
        (Some(..8), _) => "S2 governance",
        (Some(8..24), _) => "S2 strategy",
        (Some(24..27), _) => "S2 risk management",
        (Some(27..), _) => "S2 metrics and targets",
        (_, Some(_)) => "S1",
        _ => "SASB",
    }
}

/// The likelihood from which so many of the counted cells with nothing are below it.
fn threshold(cells: &[(bool, f64)]) -> f64 {
    let mut unmet: Vec<f64> =
        cells.iter().filter(|(met, _)| !met).map(|(_, likelihood)| *likelihood).collect();
    unmet.sort_by(f64::total_cmp);
    let at = (unmet.len() as f64 * NOTHING_RIGHT) as usize;
    unmet.get(at).copied().unwrap_or(0.5)
}
