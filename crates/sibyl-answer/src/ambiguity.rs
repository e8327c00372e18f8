//! Whether passages answer different readings of a question.
//!
//! A question has several readings if it leaves open which company, standard, industry or year it means, and the
//! passages answer more than one of them about equally well.
//!
//! - *Who*: the best sentences are in reports of different companies, and the question names none of them.
//! - *Which standard*: the best paragraphs are of IFRS S1 and of IFRS S2, and both are among the three most relevant.
//!   The question names neither.
//! - *Which industry*: the best topics treat one issue in several industries, or the best definitions one term.
//!   All are among the three most relevant, and the question names none of the industries.
//! - *Which year*: a single row answers with the figures of several years. The question names none and does not
//!   compare.

use crate::generate::Task;
use crate::generate::extractive::{ScoredUnit, scored};
use crate::passage::{Passage, cells};
use crate::question::Kind;
use sibyl_text::language::words::stem_set;

/// Share of the best score that another reading needs to count.
const NEAR: f64 = 0.72;
/// The same for another standard or industry.
const NEAR_STANDARD: f64 = 0.9;
/// Ranks among which the standards or industries must be.
const STANDARD_RANKS: usize = 3;
/// Maximum number of readings.
const MOST: usize = 4;

/// A reading of a question, and what answers it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Plan {
    /// What tells it from the others.
    pub name: String,
    /// Numbers of the passages that belong to it.
    pub passages: Vec<usize>,
}

/// The readings of the question of `task`, the best supported first; empty if it has only one.
pub async fn readings(task: &Task) -> Vec<Plan> {
    let candidates = scored(task).await;
    let Some(best) = candidates.first() else { return Vec::new() };
    let plans = if best.is_paragraph() {
        let standards = of_standards(task, &candidates);
        if standards.len() > 1 { standards } else { of_industries(task, &candidates) }
    } else if best.passage.source.report_id.is_some() {
        let companies = of_companies(task, &candidates);
        if companies.len() > 1 { companies } else { of_years(task, best) }
    } else {
        Vec::new()
    };
    if plans.len() > 1 { plans } else { Vec::new() }
}

fn words(text: &str) -> Vec<String> {
    text.to_lowercase().split(|c: char| !c.is_alphanumeric()).map(str::to_owned).collect()
}

/// Who a report is about: its issuer, or its title up to the first colon.
fn company(passage: &Passage) -> String {
    let title = passage.source.title.split(':').next().unwrap_or_default().trim();
    passage.source.issuer.clone().unwrap_or_else(|| title.to_owned())
}

fn of_companies(task: &Task, candidates: &[ScoredUnit<'_>]) -> Vec<Plan> {
    let asked = words(&task.question.text);
    let best = candidates[0].score;
    let mut plans: Vec<Plan> = Vec::new();
    for candidate in
        candidates.iter().filter(|c| c.score >= best * NEAR && c.passage.source.report_id.is_some())
    {
        let name = company(candidate.passage);
        if words(&name).first().is_some_and(|first| asked.contains(first)) {
            return Vec::new();
        }
        if !plans.iter().any(|plan| plan.name == name) && plans.len() < MOST {
            let own = task.passages.iter().filter(|passage| company(passage) == name);
            plans.push(Plan { passages: own.map(|passage| passage.number).collect(), name });
        }
    }
    plans
}

fn standard(passage: &Passage) -> Option<&'static str> {
    let id = passage.paragraph_id.as_deref()?;
    [("S1.", "IFRS S1"), ("S2.", "IFRS S2")]
        .iter()
        .find(|(start, _)| id.starts_with(start))
        .map(|(_, name)| *name)
}

fn of_standards(task: &Task, candidates: &[ScoredUnit<'_>]) -> Vec<Plan> {
    let asked = words(&task.question.text);
    if ["s1", "s2"].iter().any(|name| asked.iter().any(|word| word == name))
        || task.question.kind == Kind::Definition
    {
        return Vec::new();
    }
    let best = candidates[0].score;
    let mut plans: Vec<Plan> = Vec::new();
    for candidate in
        candidates.iter().filter(|c| c.score >= best * NEAR_STANDARD && c.passage.number <= STANDARD_RANKS)
    {
        let Some(name) = standard(candidate.passage) else { continue };
        if !plans.iter().any(|plan| plan.name == name) {
            let own = task.passages.iter().filter(|passage| standard(passage) == Some(name));
            plans.push(Plan { name: name.to_owned(), passages: own.map(|passage| passage.number).collect() });
        }
    }
    plans
}

/// Industry and issue of a code: `EM-EP` and `110a` of `EM-EP-110a` or `EM-EP-110a.1`.
fn industry(passage: &Passage) -> Option<(&str, &str)> {
    let code = passage.paragraph_id.as_deref()?;
    let (industry, issue) = code.rsplit_once('-').filter(|(industry, _)| industry.len() == "EM-EP".len())?;
    Some((industry, issue.split('.').next().unwrap_or(issue)))
}

fn of_industries(task: &Task, candidates: &[ScoredUnit<'_>]) -> Vec<Plan> {
    let best = &candidates[0];
    let Some((_, issue)) = industry(best.passage) else { return Vec::new() };
    let (asked, code) = (stem_set(&task.question.text), task.question.text.to_uppercase());
    let mut plans: Vec<Plan> = Vec::new();
    for candidate in candidates
        .iter()
        .filter(|c| c.score >= best.score * NEAR_STANDARD && c.passage.number <= STANDARD_RANKS)
    {
        let Some((own, of)) = industry(candidate.passage) else { continue };
        if of != issue {
            continue;
        }
        let name = &candidate.passage.source.title;
        if code.contains(own) || !stem_set(name).is_disjoint(&asked) {
            return Vec::new();
        }
        if !plans.iter().any(|plan| plan.name == *name) {
            let passages = task.passages.iter().filter(|p| industry(p).is_some_and(|(each, _)| each == own));
            let passages = passages.map(|passage| passage.number).collect();
            plans.push(Plan { name: name.clone(), passages });
        }
    }
    plans
}

fn of_years(task: &Task, best: &ScoredUnit<'_>) -> Vec<Plan> {
    let is_year = |word: &str| {
        word.len() == 4
            && (word.starts_with("19") || word.starts_with("20"))
            && word.bytes().all(|b| b.is_ascii_digit())
    };
    let asked = words(&task.question.text);
    let compares = [
        "compare", "compared", "against", "versus", "vs", "year", "years", "yr", "change", "changed", "rise",
        "fall", "trend", "up", "down", "more", "less",
    ];
    let names_a_year = asked.iter().any(|word| is_year(word) || compares.contains(&word.as_str()));
    let head = best.unit.head.map(|head| head.of(&best.passage.source.text)).unwrap_or_default();
    if names_a_year || task.question.kind != Kind::Figure {
        return Vec::new();
    }
    let mut years: Vec<String> = Vec::new();
    for year in cells(head).into_iter().flat_map(words).filter(|word| is_year(word)) {
        if !years.contains(&year) {
            years.push(year);
        }
    }
    years.into_iter().take(MOST).map(|name| Plan { name, passages: vec![best.passage.number] }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate::Models;
    use crate::passage::Source;
    use crate::passage::tests::whole;
    use crate::question::Question;
    use std::sync::Arc;

    fn report(number: usize, issuer: &str, text: &str) -> Passage {
        let source = Source {
            report_id: Some(issuer.to_owned()),
            issuer: Some(issuer.to_owned()),
            title: format!("{issuer}: report 2024"),
            text: text.to_owned(),
            ..Source::default()
        };
        Passage { number, source: Arc::new(source), ..whole(text) }
    }

    fn paragraph(number: usize, id: &str, text: &str) -> Passage {
        Passage { number, paragraph_id: Some(id.to_owned()), ..whole(text) }
    }

    fn topic(number: usize, code: &str, industry: &str, text: &str) -> Passage {
        let source = Source { title: industry.to_owned(), text: text.to_owned(), ..Source::default() };
        let paragraph_id = Some(code.to_owned());
        Passage { number, source: Arc::new(source), paragraph_id, ..whole(text) }
    }

    async fn names(question: &str, passages: Vec<Passage>) -> Vec<String> {
        let task =
            Task { question: Question::read(question), passages, doubtful: false, models: Models::default() };
        readings(&task).await.into_iter().map(|plan| plan.name).collect()
    }

    #[tokio::test]
    async fn questions_have_as_many_readings_as_their_sources_give_them() {
        let companies = || {
            vec![
                report(
                    1,
                    "Oak plc",
                    "The internal carbon price was 40 euros. Its board met five times.\n\n| Measure | 2024 | 2023 |\n|---|---|---|\n| Waste produced (kt) | 212 | 220 |\n",
                ),
                report(2, "Elm plc", "The internal carbon price was 55 euros. Its board met six times."),
            ]
        };
        let one = || companies().into_iter().take(1).collect::<Vec<_>>();
        let standards = || {
            vec![
                paragraph(1, "S1.51", "For each target an entity gives seven items of information."),
                paragraph(2, "S2.33", "For each climate target an entity gives eight items of information."),
            ]
        };
        let industries = |other: &str| {
            vec![
                topic(
                    1,
                    "HC-DY-320a",
                    "Health Care Delivery",
                    "**Recordable incident**: one that leads to days off work.",
                ),
                topic(
                    2,
                    other,
                    "Home Builders",
                    "**Recordable incident**: one that leads to days off or to death.",
                ),
            ]
        };
        let same = || industries("IF-HB-320a.1");
        let trades = ["Health Care Delivery", "Home Builders"];
        let both = ["Oak plc", "Elm plc"];
        let ifrs = ["IFRS S1", "IFRS S2"];
        let years = ["2024", "2023"];
        let none: [&str; 0] = [];
        for (question, passages, expected) in [
            ("internal carbon price", companies(), &both[..]),
            ("What is the carbon price used internally?", companies(), &both),
            ("How often did the board meet?", companies(), &both),
            ("board meetings: how many times did it meet?", companies(), &both),
            ("Which internal price of carbon was used?", companies(), &both),
            ("internal carbon price of Oak", companies(), &none),
            ("What internal carbon price does Elm use?", companies(), &none),
            ("How often did the board of Elm meet?", companies(), &none),
            ("internal carbon price", one(), &none),
            ("How often did the board meet?", one(), &none),
            ("How much waste is produced?", one(), &years),
            ("how much waste does it produce", one(), &years),
            ("How much waste was produced in 2024?", one(), &none),
            ("How much waste was produced against the year before?", one(), &none),
            ("How much did waste rise?", one(), &none),
            ("How many items of information are given for each target?", standards(), &ifrs),
            ("items of information for each target", standards(), &ifrs),
            ("How many items of information does S2 want for each target?", standards(), &none),
            ("How many items of information does S1 want for each target?", standards(), &none),
            ("definition of items of information", standards(), &none),
            ("What is a recordable incident?", same(), &trades),
            ("definition of recordable incident", same(), &trades),
            ("What is a recordable incident for home builders?", same(), &none),
            ("recordable incident in health care", same(), &none),
            // Another issue is not another reading of the same question.
            ("What is a recordable incident?", industries("IF-HB-160a"), &none),
        ] {
            let mut found = names(question, passages).await;
            let mut expected: Vec<String> = expected.iter().map(|name| (*name).to_owned()).collect();
            found.sort();
            expected.sort();
            assert_eq!(found, expected, "{question}");
        }
    }
}
