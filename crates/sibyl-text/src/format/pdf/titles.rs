//! Titles of groups of rows, which stand across the columns of their table.

use super::line::rows;
use super::word::{Turn, Word};

/// Widest space between two words of a title (em).
const SPACE: f32 = 0.45;

/// Puts the words of a table row into the first column if they are one line from there on, without a gap at any
/// border between columns.
pub(super) fn put_first(table: &mut [Vec<Vec<Word>>]) {
    for row in table {
        let words: Vec<&Word> = row.iter().flatten().collect();
        let crosses = row.len() > 1 && !row[0].is_empty() && row[1..].iter().any(|cell| !cell.is_empty());
        if !crosses || !words.iter().all(|word| word.turn == Turn::Level) {
            continue;
        }
        let lines = rows(words.into_iter().cloned().collect());
        let [line] = lines.as_slice() else { continue };
        let named = line.words.iter().any(|word| word.text.chars().any(char::is_alphabetic));
        if named && line.parts(SPACE).len() == 1 {
            row.iter_mut().for_each(Vec::clear);
            row[0].clone_from(&line.words);
        }
    }
}
