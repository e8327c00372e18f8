//! Page furniture: running headers, footers and page numbers, known by standing at the same place on many pages.

use super::interpret::Artifact;
use super::line::{Line, rows};
use super::word::{Turn, Word};
use std::collections::{HashMap, HashSet};

/// Part of the page's height, at top and bottom, in which furniture stands.
const BAND: f32 = 0.16;
/// Rows from either edge that can be furniture.
const EDGE_ROWS: usize = 5;
/// Height within which two lines stand at the same place (points).
const SAME_PLACE: f32 = 5.0;
/// Pages on which a line must recur.
const MIN_PAGES: usize = 3;
/// Share of a page's words above which a mark as pagination is not believed.
const TOO_MUCH: f32 = 0.6;

/// A page as furniture is sought on it.
pub(super) struct Sheet<'a> {
    pub(super) words: &'a [Word],
    pub(super) height: f32,
    /// For each word, whether it stands in a cell of a table of several columns.
    pub(super) in_table: Vec<bool>,
}

/// What was found: for each page and word, whether it is furniture, and the distinct running texts.
pub(super) struct Furniture {
    pub(super) marked: Vec<Vec<bool>>,
    pub(super) running: Vec<String>,
}

struct Candidate {
    page: usize,
    /// Text with digits as `#`.
    shape: String,
    text: String,
    top: f32,
    words: Vec<usize>,
}

/// Finds the furniture of a document.
pub(super) fn find(sheets: &[Sheet<'_>]) -> Furniture {
    let mut marked: Vec<Vec<bool>> = sheets.iter().map(|s| vec![false; s.words.len()]).collect();
    let mut running: Vec<String> = Vec::new();
    for (sheet, marked) in sheets.iter().zip(&mut marked) {
        mark_pagination(sheet, marked, &mut running);
    }
    let candidates: Vec<Candidate> =
        sheets.iter().enumerate().flat_map(|(page, sheet)| candidates(page, sheet, &marked[page])).collect();
    let mut by_shape: HashMap<&str, Vec<&Candidate>> = HashMap::new();
    for candidate in &candidates {
        by_shape.entry(&candidate.shape).or_default().push(candidate);
    }
    let mut found: Vec<&Candidate> = by_shape
        .values()
        .flat_map(|group| group.iter().filter(|c| recurs(c, group, sheets.len())))
        .copied()
        .collect();
    found.sort_by_key(|c| c.page);
    for candidate in found {
        note(&mut running, &candidate.text);
        for &word in &candidate.words {
            marked[candidate.page][word] = true;
        }
    }
    Furniture { marked, running }
}

fn note(running: &mut Vec<String>, text: &str) {
    if text.chars().any(char::is_alphabetic)
        && !running.iter().any(|known| known == text)
        && running.len() < 100
    {
        running.push(text.to_owned());
    }
}

/// Believes the marks of the file, unless they take most of the page.
fn mark_pagination(sheet: &Sheet<'_>, marked: &mut [bool], running: &mut Vec<String>) {
    let pagination = |w: &Word| w.artifact == Artifact::Pagination;
    let count = sheet.words.iter().filter(|w| pagination(w)).count();
    if count as f32 > TOO_MUCH * sheet.words.len() as f32 && count > 12 {
        return;
    }
    let words: Vec<Word> = sheet.words.iter().filter(|w| pagination(w)).cloned().collect();
    for line in super::line::flowing(words) {
        note(running, &line.text());
    }
    for (word, marked) in sheet.words.iter().zip(marked) {
        *marked |= pagination(word);
    }
}

/// The rows near the edges of a page that stand outside its tables.
fn candidates(page: usize, sheet: &Sheet<'_>, marked: &[bool]) -> Vec<Candidate> {
    let near = |w: &Word| {
        let y = w.rect.center().1;
        y < BAND * sheet.height || y > (1.0 - BAND) * sheet.height
    };
    let mut indexed: Vec<(usize, Word)> = sheet
        .words
        .iter()
        .enumerate()
        .filter(|(i, w)| w.turn == Turn::Level && near(w) && !marked[*i] && !sheet.in_table[*i])
        .map(|(i, w)| (i, w.clone()))
        .collect();
    // The word's index travels in its content item, which rows leave alone.
    for (i, word) in &mut indexed {
        word.item = Some(*i as u32);
    }
    let all = rows(indexed.into_iter().map(|(_, w)| w).collect());
    let count = all.len();
    let top = all.iter().filter(|row| row.rect.center().1 < sheet.height / 2.0).count();
    all.into_iter()
        .enumerate()
        .filter(|(i, _)| *i < EDGE_ROWS.min(top) || (*i >= top && i + EDGE_ROWS >= count))
        .flat_map(|(_, row)| pieces(row))
        .map(|line| Candidate {
            page,
            shape: shape(&line.text()),
            text: line.text(),
            top: line.rect.top,
            words: line.words.iter().filter_map(|w| w.item).map(|i| i as usize).collect(),
        })
        .collect()
}

/// A row as a whole and, where it has parts far from each other, each of them.
fn pieces(row: Line) -> Vec<Line> {
    let parts: Vec<Line> =
        super::line::fragments(vec![row.clone()]).into_iter().map(|(_, line)| line).collect();
    if parts.len() > 1 { parts } else { vec![row] }
}

fn shape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '0'..='9' if out.ends_with('#') => {}
            '0'..='9' => out.push('#'),
            c => out.extend(c.to_lowercase()),
        }
    }
    out
}

fn recurs(candidate: &Candidate, group: &[&Candidate], pages: usize) -> bool {
    let here = |other: &&&Candidate| (other.top - candidate.top).abs() <= SAME_PLACE;
    let places: HashSet<usize> = group.iter().filter(here).map(|c| c.page).collect();
    let enough = places.len() >= MIN_PAGES || (pages <= 4 && places.len() >= 2 && places.len() * 2 >= pages);
    if !enough {
        return false;
    }
    if candidate.shape.chars().any(char::is_alphabetic) && !roman(&candidate.shape) {
        return true;
    }
    // Bare numbers are page numbers where they count with the pages.
    let offset = |c: &Candidate| number(&c.text).map(|n| n - c.page as i64);
    let own = offset(candidate);
    own.is_some()
        && group.iter().filter(here).filter(|c| offset(c) == own).count() >= places.len().min(MIN_PAGES)
}

fn roman(text: &str) -> bool {
    !text.is_empty() && text.len() <= 6 && text.bytes().all(|b| b"ivxlc".contains(&b))
}

fn number(text: &str) -> Option<i64> {
    let bare = text.trim_matches(|c: char| !c.is_alphanumeric());
    if roman(bare) {
        let value =
            |b: u8| [(b'i', 1), (b'v', 5), (b'x', 10), (b'l', 50), (b'c', 100)].iter().find(|(r, _)| *r == b);
        let values: Vec<i64> = bare.bytes().filter_map(|b| value(b).map(|(_, v)| *v)).collect();
        let sign =
            |(i, v): (usize, &i64)| if values.get(i + 1).is_some_and(|next| next > v) { -v } else { *v };
        return Some(values.iter().enumerate().map(sign).sum());
    }
    bare.parse().ok()
}
