//! Small documents that were once misread, one fault each: `tests/fixtures/cases` holds them and says what each must say.

use crate::read;
use serde::Deserialize;
use sibyl_text::Document;
use sibyl_text::document::{Fact, cells_of};
use sibyl_text::figure::{Figure, figures};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// What a document must say. What is left out is left open, but for notices: there are none that are not named.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct Case {
    /// The rule that the document once broke.
    rule: String,
    title: Option<String>,
    /// Who reports; empty if nobody is named.
    issuer: Option<String>,
    year: Option<String>,
    /// All headings, in order, each with its level as `#`.
    headings: Option<Vec<String>>,
    /// Stand whole and in this order: sentences, and rows of tables.
    says: Vec<String>,
    /// Stand nowhere.
    never: Vec<String>,
    /// `value | names of its row, from the outermost down | name of its column | period | unit`, or with a kind behind these. No
    /// figure with the same digits has other names.
    figures: Vec<String>,
    /// `value | concept | period | unit`, with the tagged values that are not shown as `hidden`.
    facts: Vec<String>,
    /// `text = cells`, as spreadsheets name them.
    cells: Vec<String>,
    /// `code` of each notice, or `code: part of what it says`.
    notices: Vec<String>,
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/fixtures/cases")
}

#[test]
fn each_document_says_what_its_page_says() {
    let told = std::fs::read_to_string(folder().join("cases.toml")).unwrap();
    let cases: BTreeMap<String, Case> = toml::from_str(&told).unwrap();
    let mut faults = Vec::new();
    for (name, case) in &cases {
        let document = read(name, &std::fs::read(folder().join(name)).unwrap());
        let wrong = faults_of(case, &document);
        if !wrong.is_empty() {
            faults.push(format!("{name} ({}):\n  {}\n{}", case.rule, wrong.join("\n  "), document.text));
        }
    }
    assert!(faults.is_empty(), "{} of {} are misread\n{}", faults.len(), cases.len(), faults.join("\n"));
}

#[test]
fn every_document_has_its_case() {
    let told = std::fs::read_to_string(folder().join("cases.toml")).unwrap();
    let cases: BTreeMap<String, Case> = toml::from_str(&told).unwrap();
    let names =
        std::fs::read_dir(folder()).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let mut names: Vec<String> =
        names.filter(|name| !matches!(name.as_str(), "cases.toml" | "README.md")).collect();
    names.sort();
    assert_eq!(names, cases.keys().cloned().collect::<Vec<_>>());
    assert!(cases.values().all(|case| !case.rule.is_empty()));
}

/// What is wrong with the reading of a document.
fn faults_of(case: &Case, document: &Document) -> Vec<String> {
    let text = &document.text;
    let mut out = Vec::new();
    let field = |name: &str| document.metadata.get(name).and_then(|value| value.as_str()).unwrap_or_default();
    let title = document.title.as_deref().unwrap_or_default();
    for (what, wanted, found) in [
        ("title", &case.title, title),
        ("issuer", &case.issuer, field("issuer")),
        ("year", &case.year, field("year")),
    ] {
        if wanted.as_deref().is_some_and(|wanted| wanted != found) {
            out.push(format!("{what} {found:?} instead of {:?}", wanted.as_deref().unwrap_or_default()));
        }
    }
    if let Some(wanted) = &case.headings {
        let sections = document.sections.iter();
        let found: Vec<String> =
            sections.map(|one| format!("{} {}", "#".repeat(usize::from(one.level)), one.title)).collect();
        if found != *wanted {
            out.push(format!("headings {found:?}"));
        }
    }
    let mut at = 0;
    for said in &case.says {
        match text[at..].find(said) {
            Some(found) => at += found + said.len(),
            None if text.contains(said) => out.push(format!("not in its place: {said}")),
            None => out.push(format!("does not say: {said}")),
        }
    }
    out.extend(case.never.iter().filter(|said| text.contains(*said)).map(|said| format!("says: {said}")));
    out.extend(wrong_figures(&case.figures, document));
    let facts: Vec<String> = document.facts.iter().map(fact).collect();
    out.extend(
        case.facts
            .iter()
            .filter(|fact| !facts.contains(fact))
            .map(|fact| format!("no fact {fact}, but {facts:?}")),
    );
    for line in &case.cells {
        let (said, wanted) = line.split_once(" = ").unwrap();
        let start = text.find(said).unwrap();
        let found = cells_of(&document.cells, sibyl_text::Span::new(start, start + said.len()));
        let found = found.map(|(sheet, range)| format!("{sheet}!{}", range.a1()));
        if found.as_deref() != Some(wanted) {
            out.push(format!("{said} stands in {found:?}"));
        }
    }
    let notices: Vec<String> =
        document.notices.iter().map(|notice| format!("{}: {}", notice.code, notice.message)).collect();
    let told = |notice: &String, wanted: &String| {
        let (code, part) = wanted.split_once(": ").unwrap_or((wanted, ""));
        notice.split_once(": ").is_some_and(|(known, message)| known == code && message.contains(part))
    };
    let missing = case.notices.iter().filter(|wanted| !notices.iter().any(|notice| told(notice, wanted)));
    out.extend(missing.map(|wanted| format!("no notice {wanted}")));
    let unasked = notices.iter().filter(|notice| !case.notices.iter().any(|wanted| told(notice, wanted)));
    out.extend(unasked.map(|notice| format!("notice {notice}")));
    out
}

/// The figures that are wanted and missing, and those with the same digits that have other names.
fn wrong_figures(wanted: &[String], document: &Document) -> Vec<String> {
    let parts = |line: &String| line.split('|').map(|part| part.trim().to_owned()).collect::<Vec<_>>();
    let wanted: Vec<Vec<String>> = wanted.iter().map(parts).collect();
    let mut left: Vec<Vec<String>> = Vec::new();
    for figure in figures(document) {
        if wanted.iter().any(|wanted| wanted[0] == figure.printed(&document.text)) {
            left.push(names(&figure, document));
        }
    }
    let mut out = Vec::new();
    for wanted in &wanted {
        let same = |found: &Vec<String>| {
            assert!((5..=6).contains(&wanted.len()), "{wanted:?}");
            found[..wanted.len()] == wanted[..]
        };
        match left.iter().position(same) {
            Some(at) => {
                left.remove(at);
            }
            None => out.push(format!("no figure {}", wanted.join(" | "))),
        }
    }
    out.extend(left.iter().map(|found| format!("figure {}", found.join(" | "))));
    out
}

/// What is said of a figure.
fn names(figure: &Figure, document: &Document) -> Vec<String> {
    let year = figure.year.map(|year| year.to_string());
    let period: Vec<String> = year.into_iter().chain(figure.part.map(|part| part.to_string())).collect();
    vec![
        figure.printed(&document.text).to_owned(),
        figure.label.join(" > "),
        figure.column.clone(),
        period.join(" "),
        figure.unit.clone().unwrap_or_default(),
        figure.status.name().to_owned(),
    ]
}

fn fact(fact: &Fact) -> String {
    let hidden = if fact.span.is_none() { "hidden" } else { "" };
    let parts = [&fact.value, &fact.concept, &fact.period, fact.unit.as_deref().unwrap_or_default(), hidden];
    let parts: Vec<&str> = parts.into_iter().filter(|part| !part.is_empty()).collect();
    parts.join(" | ")
}
