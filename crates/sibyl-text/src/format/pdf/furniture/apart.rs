//! What recurs and stands apart from the text: a line of the text that says the same on several pages is none of them.

use super::MarginLine;
use crate::format::pdf::model::PageModel;
use crate::format::pdf::word::{Turn, Word};
use std::collections::{HashMap, HashSet};

/// Gap to the text from which a line stands apart from it (in letter sizes): lines of a paragraph are set closer.
const APART: f32 = 0.7;
/// The same for a line in several parts, which could be a row of a table (in letter sizes): most rows are set closer.
const ROW_APART: f32 = 1.2;
/// Ratio to the letters of a line from which those above it are larger: what stands under a heading is text.
const LARGER: f32 = 1.1;
/// Words of the longest line that is the number of a page.
const FOLIO: usize = 2;
/// Ratio to the letters of the text from which a line that counts is a heading with a number.
const HEADING: f32 = 1.25;
/// Share by which letters may differ in size from those of the text and still be of it.
const AS_TEXT: f32 = 0.05;
/// Height within which lines that say the same are judged together (points).
const SAME_PLACE: f32 = 24.0;

/// The text that running lines stand apart from.
pub(super) struct Body<'s> {
    sheets: &'s [&'s PageModel],
    /// Size of most of its letters (points).
    usual: Option<f32>,
}

impl<'s> Body<'s> {
    pub(super) fn of(sheets: &'s [&'s PageModel]) -> Self {
        Self { sheets, usual: usual_size(sheets) }
    }

    /// Those of `recurring` that are no text on most of the pages where they say the same at the same place. `found` are all
    /// lines taken for running ones, and `marked` the words that the file marks so.
    pub(super) fn without<'c>(
        &self,
        recurring: &[&'c MarginLine],
        found: &[&MarginLine],
        marked: &[Vec<bool>],
    ) -> Vec<&'c MarginLine> {
        let mut running = marked.to_vec();
        let mut parts: HashMap<(usize, usize), usize> = HashMap::new();
        for line in found {
            line.words.iter().for_each(|&word| running[line.page][word] = true);
            *parts.entry((line.page, line.row)).or_default() += 1;
        }
        let key = |line: &MarginLine| {
            let place = (line.top / SAME_PLACE).round() as i32;
            (line.shape.clone(), place, (line.size * 2.0).round() as i32)
        };
        let mut said: HashMap<_, HashSet<&str>> = HashMap::new();
        for line in recurring {
            said.entry(key(line)).or_default().insert(&line.text);
        }
        // What recurs only but for its number, in letters larger than the text, is a heading with a number.
        let is_heading = |line: &MarginLine| {
            self.usual.is_some_and(|usual| line.size > HEADING * usual)
                && line.text.split_whitespace().count() > FOLIO
                && said[&key(line)].len() > 1
        };
        let mut votes: HashMap<_, (usize, usize)> = HashMap::new();
        for line in recurring {
            let vote = votes.entry(key(line)).or_default();
            let several = parts[&(line.page, line.row)] > 1;
            vote.0 += usize::from(is_heading(line) || self.holds(line, several, &running[line.page]));
            vote.1 += 1;
        }
        let is_text = |line: &MarginLine| votes.get(&key(line)).is_some_and(|(text, all)| text * 2 > *all);
        recurring.iter().copied().filter(|line| !is_text(line)).collect()
    }

    /// Whether a line, which may be in `several` parts, is one of its lines, by the words of its page that are not
    /// `running`. They touch the line, or stand further out in larger letters. If the line is set like them, standing
    /// further out is enough.
    fn holds(&self, line: &MarginLine, several: bool, running: &[bool]) -> bool {
        let sheet = self.sheets[line.page];
        let level = |&word: &usize| sheet.words[word].turn == Turn::Level;
        if !line.words.iter().all(level) {
            return false;
        }
        let at_top = line.top + line.bottom < sheet.size.1;
        let as_text = self.usual.is_some_and(|usual| (line.size - usual).abs() <= AS_TEXT * usual);
        let apart = if several { ROW_APART } else { APART };
        // The number of a page is told by how it counts, however near a note stands.
        let folio = line.shape.contains('#') && line.text.split_whitespace().count() <= FOLIO;
        let holds = |word: &Word| {
            let (above, below) = (line.top - word.rect.bottom, word.rect.top - line.bottom);
            let gap = above.max(below);
            let outward = (above > below) == at_top;
            gap < apart * line.size && !folio || outward && (as_text || word.size > LARGER * line.size)
        };
        let words = sheet.words.iter().zip(running).filter(|(word, running)| {
            !**running
                && word.turn == Turn::Level
                && word.rect.left < line.right
                && word.rect.right > line.left
        });
        words.filter(|(word, _)| word.text.chars().any(char::is_alphanumeric)).any(|(word, _)| holds(word))
    }
}

/// Size of most letters of a document (points).
pub(super) fn usual_size(sheets: &[&PageModel]) -> Option<f32> {
    let mut letters: HashMap<i32, usize> = HashMap::new();
    for word in sheets.iter().flat_map(|sheet| &sheet.words) {
        *letters.entry((word.size * 2.0).round() as i32).or_default() += word.text.len();
    }
    letters.into_iter().max_by_key(|&(size, count)| (count, size)).map(|(size, _)| size as f32 / 2.0)
}
