//! Rows are split at the gaps between columns.

use super::geometry::Rect;
use super::justified;
use super::line::{Line, PHRASE, WIDE_GAP};
use super::list;
use super::metrics::{PHRASE_GAP, SAME_PLACE};
use super::word::{Word, is_dash, is_numeric};
use crate::language::cell::Kind;
use crate::language::unit::is_sign;

/// Gap at which a row of big numbers is cut before each (em), and the size from which they are big (points).
const FIGURE_GAP: f32 = 0.6;
const FIGURE: f32 = 14.0;
/// Ratio of letter sizes from which words stand in different texts if the gap between them is as wide as a letter of
/// the smaller.
const OTHER_SIZE: f32 = 1.35;
/// Or if it is wider than this space of the larger (em).
const OTHER_GAP: f32 = 0.42;
/// Fewest letters of a word in smaller letters that is no sign of the word beside it.
const WORD: usize = 3;
/// Rows on either side that are asked about a corridor, and how many of them must leave it free.
const CORRIDOR_REACH: usize = 6;
const CORRIDOR_SUPPORT: usize = 4;
/// Rows that leave a corridor free, fewest, where no row crosses it.
const SHORT_TABLE: usize = 3;
/// Fewest words that speak for running text.
const RUNNING: usize = 3;
/// Longest gap between a list mark and its text (em).
const MARK_GAP: f32 = 5.0;
/// Longest gap between a bullet and a number after it (em).
const BULLET_GAP: f32 = 2.0;

/// Splits rows at the gaps between columns. Each fragment comes with the number of its row.
pub(super) fn fragments(rows: Vec<Line>) -> Vec<(usize, Line)> {
    let gaps: Vec<Vec<(f32, f32)>> = rows.iter().map(free_stretches).collect();
    let cells_apart: Vec<Vec<(f32, f32)>> = rows.iter().map(parted).collect();
    let extents: Vec<(f32, f32)> = rows.iter().map(|row| (row.rect.left, row.rect.right)).collect();
    let numbered: Vec<Vec<usize>> = (0..rows.len()).map(|r| numbers(&rows, r)).collect();
    let justified: Vec<Vec<bool>> =
        (0..rows.len()).map(|r| justified::spaces(&rows, r, PHRASE_GAP)).collect();
    let columns: Vec<Vec<(Rect, Vec<u32>)>> = rows.iter().map(decimals).collect();
    let leading: Vec<bool> = rows.iter().map(has_leading_signs).collect();
    let mut out: Vec<(usize, Line)> = Vec::new();
    for (r, row) in rows.into_iter().enumerate() {
        let mut current: Vec<Word> = Vec::new();
        let end = row.words.len();
        for (at, word) in row.words.into_iter().enumerate() {
            if let Some(last) = current.last() {
                let size = last.size.max(word.size);
                let (from, to) = (last.rect.right, word.rect.left);
                let gap = (to - from) / size;
                let corridor = || {
                    let low = r.saturating_sub(CORRIDOR_REACH);
                    let high = (r + CORRIDOR_REACH + 1).min(gaps.len());
                    let free = |row: &&Vec<(f32, f32)>| {
                        row.iter().any(|(a, b)| b.min(to) - a.max(from) >= 0.5 * size)
                    };
                    let count = gaps[low..high].iter().filter(free).count();
                    // All rows of a short table that reach over the gap have it.
                    let reaching = extents[low..high].iter().filter(|(a, b)| *a < from && *b > to).count();
                    let item = list::is_mark(&joined(&current), last.fixed);
                    count > CORRIDOR_SUPPORT
                        || !item
                            && (count >= SHORT_TABLE && count == reaching
                                || is_head(&cells_apart, &extents, r, (from, to, size)))
                };
                let number = current.len() == 1 && numbered[r].contains(&(at - 1));
                // A number or a dash behind a number or another dash is the cell beside it, and no mark.
                let behind = |(at, cell): &(usize, Line)| {
                    let text = cell.text();
                    *at == r && (is_numeric(&text) || is_dash(&text))
                };
                let cell = current.len() == 1
                    && (is_dash(&last.text) || last.numeric())
                    && out.last().is_some_and(behind);
                // So is one before a number or the sign of a currency: `86.8` numbers no paragraph there.
                let counts_on = || current.len() == 1 && is_cell(&columns, r, last, &word);
                let mark = number
                    || gap < MARK_GAP
                        && !word.numeric()
                        && !is_sign(&word.text)
                        && !cell
                        && list::is_mark(&joined(&current), last.fixed)
                        && !counts_on()
                    || gap < BULLET_GAP && list::is_bullet(&joined(&current));
                let figure = gap > FIGURE_GAP
                    && size >= FIGURE
                    && starts_number(&word)
                    && current.iter().any(starts_number);
                // No text has such room between two numbers, nor a list between its mark and `n/a`.
                let numbers = last.numeric() && word.numeric();
                let cells =
                    gap > BULLET_GAP.max(WIDE_GAP) && stands_for_number(last) && stands_for_number(&word);
                // What begins with the sign of a currency ends before the same sign.
                let again = current.len() > 1
                    && current[0].text == word.text
                    && is_sign(&word.text)
                    && (stands_for_number(last) || gap > PHRASE_GAP)
                    || leading[r] && is_sign(&word.text) && stands_for_number(last);
                let small = last.size.min(word.size);
                // A raised or lowered sign is no text of its own.
                let lesser = if last.size < word.size { last } else { &word };
                let is_word = lesser.text.chars().filter(|c| c.is_alphabetic()).count() >= WORD;
                let space = if is_word { small.min(OTHER_GAP * size) } else { small };
                let other = size > OTHER_SIZE * small && to - from > space;
                // Dots lead to the number that ends an entry of a page of contents, or to the first value of a row.
                let led = gap < WIDE_GAP && last.is_leader();
                let entry = led && at + 1 == end && is_page(&word);
                let value = led && !entry && stands_for_number(&word);
                let ends = || cells_apart[r].contains(&(from, to));
                let begun = || is_begun(&cells_apart, &extents, r, (to, size));
                let apart = gap > WIDE_GAP
                    || figure
                    || other
                    || (gap > PHRASE_GAP && (numbers || ends() || begun() || corridor()));
                if word.spaced && (cells || again || value || !mark && !entry && !justified[r][at] && apart) {
                    if value && current.len() > 1 {
                        current.pop();
                    }
                    out.extend(Line::of(std::mem::take(&mut current)).map(|line| (r, line)));
                }
            }
            current.push(word);
        }
        out.extend(Line::of(current).map(|line| (r, line)));
    }
    out
}

/// Whether the room in row `r` lies between two columns: `room` is from and to what x it reaches, and at what size of
/// letters. The rows next to it that reach over it, as far as nothing crosses it, form a short table with it. All of
/// them are `parted` there.
fn is_head(parted: &[Vec<(f32, f32)>], extents: &[(f32, f32)], r: usize, room: (f32, f32, f32)) -> bool {
    let (from, to, size) = room;
    let is_parted = |i: &usize| parted[*i].iter().any(|(a, b)| b.min(to) - a.max(from) >= 0.5 * size);
    let reaches = |i: &usize| extents[*i].0 < from && extents[*i].1 > to;
    let low = r.saturating_sub(CORRIDOR_REACH);
    let high = (r + CORRIDOR_REACH + 1).min(parted.len());
    let above = (low..r).rev().take_while(|i| reaches(i) && is_parted(i)).count();
    let below = (r + 1..high).take_while(|i| reaches(i) && is_parted(i)).count();
    above + below + 1 >= SHORT_TABLE
}

/// Whether the signs of currencies in a row stand before their numbers: there are several, and it ends with a number.
fn has_leading_signs(row: &Line) -> bool {
    row.words.last().is_some_and(Word::numeric)
        && row.words.iter().filter(|word| is_sign(&word.text)).count() > 1
}

/// Whether several rows next to row `r` begin at the x `at`, where a word stands in that row, and all of them have
/// cells further right. Names of rows stand there. Row `r` begins with the name of a group, before the name of its
/// first row.
fn is_begun(parted: &[Vec<(f32, f32)>], extents: &[(f32, f32)], r: usize, (at, size): (f32, f32)) -> bool {
    let celled = |i: usize| parted[i].iter().any(|(from, _)| *from > at);
    let low = r.saturating_sub(CORRIDOR_REACH);
    let high = (r + CORRIDOR_REACH + 1).min(parted.len());
    let begins = |i: &usize| (extents[*i].0 - at).abs() < SAME_PLACE * size && celled(*i);
    celled(r) && (low..high).filter(begins).count() > 1
}

/// Stretches of x between the words of a row that part two cells. Either no text has room as wide, or the room lies
/// between two numbers or before several that end the row.
fn parted(row: &Line) -> Vec<(f32, f32)> {
    let gap = |at: usize| (row.words[at].rect.left - row.words[at - 1].rect.right) / row.words[at].size;
    let number = |at: usize| stands_for_number(&row.words[at]);
    let ends = (1..row.words.len()).rev().take_while(|at| number(*at) && gap(*at) > PHRASE_GAP).count();
    let first = if ends > 1 { row.words.len() - ends } else { row.words.len() };
    let parts = |at: &usize| {
        gap(*at) > WIDE_GAP || gap(*at) > PHRASE_GAP && (*at >= first || number(*at - 1) && number(*at))
    };
    let parted = (1..row.words.len()).filter(parts);
    parted.map(|at| (row.words[at - 1].rect.right, row.words[at].rect.left)).collect()
}

/// Whether a word is a number, or a dash or `n/a` in the place of one.
fn stands_for_number(word: &Word) -> bool {
    word.numeric() || is_dash(&word.text) || Kind::of_text(&word.text) == Kind::Nothing
}

/// The numbers like `2.3` of a row that stand by themselves, in parts.
fn decimals(row: &Line) -> Vec<(Rect, Vec<u32>)> {
    let alone = |at: usize| {
        let words = &row.words;
        let gap = |a: usize| words[a + 1].rect.left - words[a].rect.right > PHRASE * words[a].size;
        (at == 0 || gap(at - 1)) && (at + 1 == words.len() || gap(at))
    };
    let digit = |word: &Word| word.text.starts_with(|c: char| c.is_ascii_digit());
    let numbers = row.words.iter().enumerate();
    let numbers = numbers.filter(|(_, word)| digit(word) && list::is_paragraph_number(&word.text));
    numbers
        .filter(|(at, _)| alone(*at))
        .filter_map(|(_, word)| Some((word.rect, parts(&word.text)?)))
        .collect()
}

/// The numbers that a text like `2.3` consists of.
fn parts(text: &str) -> Option<Vec<u32>> {
    text.trim_end_matches('.').split('.').map(|part| part.parse().ok()).collect()
}

/// Whether a number like `2.3` of row `r` is a cell and numbers no paragraph that begins with `first`. Either `first`
/// goes on with a sentence far from the number, or the numbers above and below do not count up.
fn is_cell(columns: &[Vec<(Rect, Vec<u32>)>], r: usize, number: &Word, first: &Word) -> bool {
    let own = if list::is_paragraph_number(&number.text) { parts(&number.text) } else { None };
    let Some(own) = own else { return false };
    let gap = (first.rect.left - number.rect.right) / number.size.max(first.size);
    let next = |rows: &mut dyn Iterator<Item = &Vec<(Rect, Vec<u32>)>>| {
        let mut over =
            rows.take(CORRIDOR_REACH).flatten().filter(|(rect, _)| rect.overlap_x(&number.rect) > 0.0);
        over.next().map(|(_, parts)| parts.clone())
    };
    let above = next(&mut columns[..r].iter().rev());
    let below = next(&mut columns[r + 1..].iter());
    gap > WIDE_GAP && first.text.starts_with(char::is_lowercase)
        || above.is_some_and(|above| above >= own)
        || below.is_some_and(|below| below <= own)
}

/// Whether a word can be the number of a page.
fn is_page(word: &Word) -> bool {
    word.numeric() && word.text.chars().all(|c| c.is_ascii_digit() || "-–—".contains(c))
}

fn starts_number(word: &Word) -> bool {
    let mut signs = word.text.trim_start_matches(|c: char| "$€£¥~<>≈+-−–".contains(c)).chars();
    signs.next().is_some_and(|c| c.is_ascii_digit())
}

/// Where in a row numbers of paragraphs stand beside their text. Text of a row near by begins at the same place.
/// Unlike the rows of a table, none of these rows is parted further on by anything but other text.
fn numbers(rows: &[Line], r: usize) -> Vec<usize> {
    let words = &rows[r].words;
    let near = &rows[r.saturating_sub(CORRIDOR_REACH)..(r + CORRIDOR_REACH + 1).min(rows.len())];
    let is_number = |at: &usize| {
        let Some([number, first]) = words.get(*at..at + 2) else { return false };
        let size = number.size.max(first.size);
        let begins = |row: &Line| {
            let same = |at: &usize| (row.words[*at].rect.left - first.rect.left).abs() < SAME_PLACE * size;
            let own = |at: &usize| {
                let before = at.checked_sub(1).map(|before| &row.words[before]);
                begins_part(&row.words, *at)
                    && before.is_none_or(|before| !list::is_plain_number(&before.text))
            };
            (0..row.words.len()).filter(same).filter(own).any(|at| is_running(&row.words[at..]))
        };
        // Among columns, only one of several numbers below each other is none of a table beside the text.
        let counts = |row: &Line| {
            let below = row.words.iter().enumerate().filter(|(_, word)| {
                list::is_plain_number(&word.text)
                    && word.text != number.text
                    && (word.rect.left - number.rect.left).abs() < SAME_PLACE * size
            });
            below.into_iter().any(|(at, _)| begins_part(&row.words, at))
        };
        list::is_plain_number(&number.text)
            && begins_part(words, *at)
            && (*at == 0 || !words[at - 1].numeric() && near.iter().any(counts))
            && first.spaced
            && first.rect.left - number.rect.right <= MARK_GAP * first.size
            && is_running(&words[at + 1..])
            && near.iter().any(begins)
    };
    (0..words.len().saturating_sub(1)).filter(is_number).collect()
}

/// Whether a part of a row begins with the word `at`: it is the first, or stands far from the one before.
fn begins_part(words: &[Word], at: usize) -> bool {
    let before = at.checked_sub(1).map(|before| &words[before]);
    before.is_none_or(|before| {
        words[at].rect.left - before.rect.right > WIDE_GAP * words[at].size.max(before.size)
    })
}

/// Whether words begin with a letter and follow each other without a gap between columns; behind one, other such words follow,
/// which a number may precede.
fn is_running(words: &[Word]) -> bool {
    let far =
        |pair: &[Word]| pair[1].rect.left - pair[0].rect.right > WIDE_GAP * pair[0].size.max(pair[1].size);
    let end = words.windows(2).position(far).map_or(words.len(), |last| last + 1);
    let rest = &words[end..];
    let numbered = rest.first().is_some_and(|word| list::is_plain_number(&word.text));
    end >= RUNNING
        && words[0].text.starts_with(|c: char| c.is_alphabetic() || "([“‘\"'".contains(c))
        && (rest.is_empty() || is_running(if numbered { &rest[1..] } else { rest }))
}

/// Start of a line up to the length of a list mark.
fn joined(words: &[Word]) -> String {
    if words.len() > 2 { String::new() } else { words.iter().map(|w| w.text.as_str()).collect() }
}

/// Stretches of x between the words of a row that hold nothing.
fn free_stretches(row: &Line) -> Vec<(f32, f32)> {
    row.words
        .windows(2)
        .map(|pair| (pair[0].rect.right, pair[1].rect.left))
        .filter(|(a, b)| b - a > PHRASE_GAP * row.size())
        .collect()
}
