//! What a reading of a made document gets wrong.

use crate::generator::Made;
use sibyl_text::{BlockKind, Document};

/// Letters and digits; small signs count as the characters they represent.
fn letters(text: &str) -> String {
    let plain = |c: char| match c {
        '₂' | '²' => '2',
        '₄' => '4',
        '¹' => '1',
        '³' => '3',
        c => c.to_ascii_lowercase(),
    };
    text.chars().filter(|c| c.is_alphanumeric()).map(plain).collect()
}

fn is_row(line: &str) -> bool {
    line.starts_with('|') && !line.contains("---")
}

/// What is wrong with the reading of a document.
pub fn faults(made: &Made, document: &Document) -> Vec<String> {
    let (tables, running): (Vec<&str>, Vec<&str>) = document.text.lines().partition(|line| is_row(line));
    let running = letters(&running.join("\n"));
    let rows: Vec<Vec<String>> = tables
        .iter()
        .map(|row| row.split('|').map(letters).filter(|cell| !cell.is_empty()).collect())
        .collect();
    let cells = |text: &str| rows.iter().flatten().any(|cell| cell.contains(text));
    let mut out = Vec::new();
    let mut at = 0;
    for sentence in &made.sentences {
        match running.find(&letters(sentence)) {
            None => out.push(format!("torn: {sentence}")),
            Some(found) if found < at => out.push(format!("out of order: {sentence}")),
            Some(found) => at = found,
        }
    }
    let alone = made.beside.iter().filter(|text| !running.contains(&letters(text)));
    out.extend(alone.map(|text| format!("torn beside the text: {text}")));
    let entries = made.entries.iter().map(|text| (text, letters(text)));
    let lost = entries.filter(|(_, found)| !running.contains(found) && !cells(found));
    out.extend(lost.map(|(text, _)| format!("torn entry: {text}")));
    for row in &made.rows {
        let row_cells: Vec<String> = row.iter().map(|cell| letters(cell)).collect();
        if !rows.contains(&row_cells) {
            out.push(format!("row: {row:?}"));
        }
    }
    let names = made.names.iter().filter(|name| !cells(&letters(name)));
    out.extend(names.map(|name| format!("the name of a column is in no table: {name}")));
    // The entries of a timeline may be the cells of a table.
    let most = made.rows.len() + made.name_rows;
    if rows.len() > most && made.entries.is_empty() {
        out.push(format!("{} rows of tables where there are {most}", rows.len()));
    }
    for (number, label) in &made.figures {
        if !running.contains(&letters(&format!("{number}{label}"))) {
            out.push(format!("key figure: {number} {label}"));
        }
    }
    let found: Vec<String> = document.sections.iter().map(|section| letters(&section.title)).collect();
    let headings = made.headings.iter().filter(|heading| !found.contains(&letters(heading)));
    out.extend(headings.map(|heading| format!("no heading: {heading}")));
    for (number, _) in &made.figures {
        if found.iter().any(|title| title.contains(&letters(number))) {
            out.push(format!("a heading: {number}"));
        }
    }
    let left = made.furniture.iter().filter(|text| running.contains(&letters(text)));
    out.extend(left.map(|text| format!("furniture: {text}")));
    if !made.contents.is_empty() {
        let first = document.pages[0].span;
        let other = document.blocks.iter().filter(|block| first.contains(block.span));
        let other = other.filter(|block| block.kind != BlockKind::Contents);
        out.extend(other.map(|block| format!("no entry of contents: {}", block.span.of(&document.text))));
    }
    for (page, label) in document.pages.iter().zip(&made.labels) {
        if page.label.as_deref() != Some(label) {
            out.push(format!("page label {:?} instead of {label}", page.label));
        }
        if page.span.of(&document.text).lines().any(|line| line == label) {
            out.push(format!("page label in the text: {label}"));
        }
    }
    if document.text.contains(|c| ('\u{e000}'..='\u{f8ff}').contains(&c)) {
        out.push("a sign of an icon font is left".to_owned());
    }
    if made.icons && document.notices.iter().all(|notice| notice.code != "icons_left_out") {
        out.push("nothing tells of the signs that were left out".to_owned());
    }
    out
}
