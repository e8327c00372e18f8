//! Every sentence whole and in order, every table row intact, no prose in a table and no table in prose: over random pages.

use crate::generator::{Made, Style, page};
use crate::read;
use crate::writer::File;

/// Pages that are tried; the variable `SIBYL_PAGES` asks for more.
const PAGES: u64 = 200;
/// Most faulty pages of a hundred: tables of few rows and the last lines of tables without rules are not all found.
const FAULTY: usize = 2;
/// The same where there are drop capitals, spaced headings and footnotes as well.
const FAULTY_DESIGNED: usize = 7;

fn letters(text: &str) -> String {
    text.chars().filter(|c| c.is_alphanumeric()).collect()
}

fn is_row(line: &str) -> bool {
    line.starts_with('|') && !line.contains("---")
}

/// What is wrong with the reading of a page.
fn faults(made: &Made) -> Vec<String> {
    let text = read(&File::default().page(made.page.clone()).bytes()).text;
    let (tables, running): (Vec<&str>, Vec<&str>) = text.lines().partition(|line| is_row(line));
    let running = letters(&running.join("\n"));
    let mut out = Vec::new();
    let mut at = 0;
    for sentence in &made.sentences {
        match running.find(&letters(sentence)) {
            None => out.push(format!("torn: {sentence}")),
            Some(found) if found < at => out.push(format!("out of order: {sentence}")),
            Some(found) => at = found,
        }
    }
    let rows: Vec<Vec<String>> = tables
        .iter()
        .map(|row| row.split('|').map(letters).filter(|cell| !cell.is_empty()).collect())
        .collect();
    for row in &made.rows {
        let cells: Vec<String> = row.iter().map(|cell| letters(cell)).collect();
        if !rows.contains(&cells) {
            out.push(format!("row: {row:?}"));
        }
    }
    if rows.len() > made.rows.len() {
        out.push(format!("{} rows of tables where there are {}", rows.len(), made.rows.len()));
    }
    for (number, label) in &made.figures {
        if !running.contains(&letters(&format!("{number}{label}"))) {
            out.push(format!("key figure: {number} {label}"));
        }
    }
    out
}

/// Fails where more than `most` of a hundred random pages are not read as they were made.
fn check(style: Style, most: usize) {
    let count = std::env::var("SIBYL_PAGES").ok().and_then(|count| count.parse().ok()).unwrap_or(PAGES);
    let faulty: Vec<(u64, Vec<String>)> = (0..count)
        .map(|seed| (seed, faults(&page(seed, style))))
        .filter(|(_, faults)| !faults.is_empty())
        .collect();
    let shown: Vec<String> = faulty
        .iter()
        .take(8)
        .map(|(seed, faults)| format!("page {seed}:\n  {}", faults.join("\n  ")))
        .collect();
    assert!(
        faulty.len() <= most * count as usize / 100,
        "{} of {count} pages:\n{}",
        faulty.len(),
        shown.join("\n")
    );
}

#[test]
fn random_pages_are_read_as_they_were_made() {
    check(Style::Plain, FAULTY);
}

#[test]
fn random_designed_pages_are_read_as_they_were_made() {
    check(Style::Designed, FAULTY_DESIGNED);
}
