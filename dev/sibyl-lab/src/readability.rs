//! How well a report is read: how much one reading keeps of another that counts as the truth.
//!
//! A tagged file itself says which lines are a paragraph, which a table, and in what order they follow. Read
//! without its tags, it shows what is made of a file that has none.

use sibyl_text::language::sentence::sentences_in;
use sibyl_text::{BlockKind, Document};
use std::collections::HashMap;

/// Minimum letters for a sentence to count.
const SENTENCE: usize = 40;
/// Letters by which a block is found again.
const OPENING: usize = 30;
/// Words from which a cell can be the line of a paragraph.
const LINE: usize = 3;
/// Share of the cells of a table that run on into the cell below from which it is prose.
const PROSE: f64 = 0.3;
/// Pairs of cells above each other from which a table can be judged.
const JUDGED: usize = 3;

/// What a reading keeps. Shares are from 0 to 1, and `None` if there is nothing to divide by.
#[derive(Debug, Clone, PartialEq)]
pub struct Kept {
    /// Sentences of 40 letters or more in one run of letters.
    pub sentences: Option<f64>,
    /// Table rows with the same cells.
    pub rows: Option<f64>,
    /// Kendall's tau of the order of blocks, -1 to 1.
    pub order: Option<f64>,
    /// The sentences that are torn or missing.
    pub torn: Vec<String>,
    /// The rows that are torn or missing, cells parted by `|`.
    pub lost_rows: Vec<String>,
}

/// What `text` keeps of the sentences `truth` (see [`sentences`]).
pub fn kept_sentences(truth: &[String], text: &str) -> Option<f64> {
    let letters = letters(text);
    let whole = truth.iter().filter(|sentence| letters.contains(&self::letters(sentence))).count();
    share(whole, truth.len())
}

/// What `reading` keeps of `truth`.
pub fn kept(truth: &Document, reading: &Document) -> Kept {
    let found = letters(&reading.text);
    let all = sentences(truth);
    let torn: Vec<String> =
        all.iter().filter(|sentence| !found.contains(&letters(sentence))).cloned().collect();
    let rows = rows(truth);
    let mut known: HashMap<Vec<String>, usize> = HashMap::new();
    for row in self::rows(reading) {
        *known.entry(row).or_default() += 1;
    }
    let mut lost_rows = Vec::new();
    for row in &rows {
        match known.get_mut(row).filter(|count| **count > 0) {
            Some(count) => *count -= 1,
            None => lost_rows.push(row.join(" | ")),
        }
    }
    Kept {
        sentences: share(all.len() - torn.len(), all.len()),
        rows: share(rows.len() - lost_rows.len(), rows.len()),
        order: order(truth, &found),
        torn,
        lost_rows,
    }
}

/// The sentences of a document's paragraphs and lists that have at least 40 letters.
pub fn sentences(document: &Document) -> Vec<String> {
    let running = document.blocks.iter().filter(|block| block.kind.running());
    let spans = running.flat_map(|block| sentences_in(&document.text, block.span));
    let texts = spans.map(|span| span.of(&document.text).to_owned());
    texts.filter(|sentence| letters(sentence).chars().count() >= SENTENCE).collect()
}

/// The rows of all tables, with the letters of their filled cells; rows with at least two filled cells.
fn rows(document: &Document) -> Vec<Vec<String>> {
    let tables = document.blocks.iter().filter(|b| matches!(b.kind, BlockKind::Table { .. }));
    let lines = tables.flat_map(|table| table.span.of(&document.text).lines());
    lines
        .map(|line| cells(line).iter().map(|cell| letters(cell)).filter(|cell| !cell.is_empty()).collect())
        .filter(|row: &Vec<String>| row.len() >= 2)
        .collect()
}

fn cells(line: &str) -> Vec<String> {
    let inner = line.trim().trim_start_matches('|').trim_end_matches('|').replace("\\|", "\u{1}");
    inner.split('|').map(|cell| cell.trim().replace('\u{1}', "|")).collect()
}

/// Kendall's tau of the places where the blocks of `truth` begin in `letters`; blocks that are missing or begin
/// like another are left out.
fn order(truth: &Document, found: &str) -> Option<f64> {
    let openings: Vec<String> = truth
        .blocks
        .iter()
        .filter(|block| block.kind.running() || matches!(block.kind, BlockKind::Heading(_)))
        .map(|block| letters(block.span.of(&truth.text)).chars().take(OPENING).collect())
        .filter(|opening: &String| opening.chars().count() == OPENING)
        .collect();
    let mut places = Vec::new();
    for opening in &openings {
        let mut matches = found.match_indices(opening.as_str());
        if let (Some((at, _)), None) = (matches.next(), matches.next()) {
            places.push(at);
        }
    }
    let pairs = places.len() * places.len().saturating_sub(1) / 2;
    let mut agreeing = 0usize;
    for (i, first) in places.iter().enumerate() {
        agreeing += places[i + 1..].iter().filter(|second| *second > first).count();
    }
    (pairs > 0).then(|| 2.0 * agreeing as f64 / pairs as f64 - 1.0)
}

/// Share of a document's letters in tables, 0 to 1.
pub fn in_tables(document: &Document) -> f64 {
    let count = |text: &str| text.chars().filter(|c| c.is_alphanumeric()).count();
    let tables = document.blocks.iter().filter(|b| matches!(b.kind, BlockKind::Table { .. }));
    let inside: usize = tables.map(|table| count(table.span.of(&document.text))).sum();
    inside as f64 / count(&document.text).max(1) as f64
}

/// The tables of a document, and those of them that are prose: their cells continue in the cell below, as lines of
/// columns do.
pub fn tables(document: &Document) -> (usize, Vec<String>) {
    let tables = document.blocks.iter().filter(|b| matches!(b.kind, BlockKind::Table { .. }));
    let texts: Vec<&str> = tables.map(|table| table.span.of(&document.text)).collect();
    let prose = texts.iter().filter(|text| is_prose(text)).map(|text| (*text).to_owned()).collect();
    (texts.len(), prose)
}

fn is_prose(table: &str) -> bool {
    let rows: Vec<Vec<String>> =
        table.lines().map(cells).filter(|row| !row.iter().all(|cell| cell == "---")).collect();
    let (mut pairs, mut running) = (0usize, 0usize);
    for two in rows.windows(2) {
        for (above, below) in two[0].iter().zip(&two[1]).filter(|(a, b)| !a.is_empty() && !b.is_empty()) {
            pairs += 1;
            let line = above.split_whitespace().count() >= LINE;
            let open = !above.ends_with(['.', ':', ';', '?', '!', '”', ')']);
            running += usize::from(line && open && below.starts_with(char::is_lowercase));
        }
    }
    pairs >= JUDGED && running as f64 >= PROSE * pairs as f64
}

/// Letters and digits only; raised digits count as digits.
fn letters(text: &str) -> String {
    let plain = |c: char| match c {
        '¹' => '1',
        '²' => '2',
        '³' => '3',
        '⁰'..='⁹' => char::from_digit(c as u32 - '⁰' as u32, 10).unwrap_or(c),
        c => c,
    };
    text.chars().filter(|c| c.is_alphanumeric()).map(plain).collect()
}

fn share(part: usize, whole: usize) -> Option<f64> {
    (whole > 0).then(|| part as f64 / whole as f64)
}
