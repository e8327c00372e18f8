//! Titles that running lines repeat: each is text where it is said first.

use super::MarginLine;
use super::apart::usual_size;
use crate::format::pdf::model::PageModel;
use crate::format::pdf::word::{Turn, Word};
use std::collections::{HashMap, HashSet};

/// Ratio to the letters of the running text from which those of a running line are a title's.
const LARGE: f32 = 1.25;
/// Ratio to the letters of a title from which others say it as loudly.
const AS_LARGE: f32 = 0.9;
/// Titles of a document beyond which no more are sought.
const MAX_TITLES: usize = 200;

/// The page and row of each of the running lines `found`, page by page, that says a title for the first time. It
/// stands in large letters alone in its row at the top of a page. Nothing up to there says the same in letters as
/// large.
pub(super) fn first_said(found: &[&MarginLine], sheets: &[&PageModel]) -> HashSet<(usize, usize)> {
    let Some(usual) = usual_size(sheets) else { return HashSet::new() };
    let mut parts: HashMap<(usize, usize), usize> = HashMap::new();
    found.iter().for_each(|line| *parts.entry((line.page, line.row)).or_default() += 1);
    let is_title = |line: &MarginLine| {
        let sheet = &sheets[line.page];
        let level = line.words.iter().all(|&word| sheet.words[word].turn == Turn::Level);
        line.size >= LARGE * usual
            && level
            && line.top < sheet.size.1 / 2.0
            && parts[&(line.page, line.row)] == 1
            && line.text.chars().any(char::is_alphabetic)
    };
    let mut known: HashSet<String> = HashSet::new();
    let mut out = HashSet::new();
    for line in found.iter().filter(|line| is_title(line)) {
        if known.len() >= MAX_TITLES || !known.insert(line.text.to_lowercase()) {
            continue;
        }
        if !sheets[..=line.page].iter().enumerate().any(|(page, sheet)| says(line, page, sheet)) {
            out.insert((line.page, line.row));
        }
    }
    out
}

/// Whether other words of a page than those of `line` say the same in letters as large.
fn says(line: &MarginLine, page: usize, sheet: &PageModel) -> bool {
    let own: HashSet<usize> =
        if page == line.page { line.words.iter().copied().collect() } else { HashSet::new() };
    let other = |(at, word): &(usize, &Word)| word.size >= AS_LARGE * line.size && !own.contains(at);
    let said: Vec<String> =
        sheet.words.iter().enumerate().filter(other).map(|(_, word)| word.text.to_lowercase()).collect();
    said.join(" ").contains(&line.text.to_lowercase())
}
