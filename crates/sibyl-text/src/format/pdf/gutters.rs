//! The gutters between the columns of a table that only horizontal rules mark.

use super::geometry::Rect;
use super::line::Line;
use super::metrics::{MIN_ROWS, PHRASE_GAP};
use super::word::{Word, is_dash, is_numeric, is_years};

/// Narrowest gutter (points).
const MIN_GUTTER: f32 = 7.0;
/// Narrowest gutter between two columns of numbers (points).
const NUMBERS: f32 = 2.0;
/// Share of the rows of a table that may cross a gutter, as titles do.
const CROSSING: f32 = 0.12;

/// The middles of the gutters between columns, also of those that only names over several columns cross.
pub(super) fn gutters(rows: &[Line], rect: &Rect) -> Vec<f32> {
    let all: Vec<&Line> = rows.iter().collect();
    let head = rows.iter().take_while(|row| names_columns(row)).count();
    let names = |row: &Line| row.parts(PHRASE_GAP).len();
    let fullest = rows[..head].iter().map(names).max().unwrap_or(0);
    let own = |(at, row): &(usize, &Line)| *at >= head || names(row) == fullest;
    let below: Vec<&Line> = rows.iter().enumerate().filter(own).map(|(_, row)| row).collect();
    let (crossed, free) = (clear(&all, rect), clear(&below, rect));
    if head < rows.len() && free.len() > crossed.len() { free } else { crossed }
}

/// The last row of names of which one crosses the gutter `at`, with the row below it.
pub(super) fn over(rows: &[Line], at: f32) -> Option<&[Line]> {
    let head = rows.iter().take_while(|row| names_columns(row)).count();
    let crosses = |row: &Line| {
        let parts = row.parts(PHRASE_GAP);
        parts.iter().any(|part| part.rect.left < at && part.rect.right > at)
    };
    // Text without numbers has no rows that are sure to be names.
    let names = if head < rows.len() { head } else { 0 };
    rows.windows(2).take(names).rfind(|pair| crosses(&pair[0]) && !crosses(&pair[1]))
}

/// Middles of the stretches of x that nearly no row crosses.
fn clear(rows: &[&Line], rect: &Rect) -> Vec<f32> {
    let width = rect.width().ceil().clamp(1.0, 10_000.0) as usize;
    let mut crossed = vec![0usize; width];
    for row in rows {
        let mut taken = vec![false; width];
        let mut last: Option<&Word> = None;
        for word in &row.words {
            // The space between two words of one phrase is crossed too.
            let near =
                last.filter(|l| word.rect.left - l.rect.right < PHRASE_GAP * word.size && !are_two(l, word));
            let from = near.map_or(word.rect.left, |l| l.rect.right) - rect.left;
            let to = word.rect.right - rect.left;
            let (from, to) = (from.max(0.0) as usize, (to.max(0.0).ceil() as usize).min(width));
            taken[from.min(to)..to].iter_mut().for_each(|t| *t = true);
            last = Some(word);
        }
        crossed.iter_mut().zip(taken).for_each(|(count, taken)| *count += usize::from(taken));
    }
    let allowed = (CROSSING * rows.len() as f32) as usize;
    let mut out = Vec::new();
    let mut start = None;
    let mut seen_text = false;
    for (x, count) in crossed.iter().enumerate() {
        if *count <= allowed {
            start.get_or_insert(x);
            continue;
        }
        if let Some(from) = start.take()
            && seen_text
        {
            let wide = (x - from) as f32;
            let at = rect.left + freest(&crossed[from..x]) + from as f32;
            if wide >= MIN_GUTTER || wide >= NUMBERS && (parts_numbers(rows, at) || parts_most(rows, at)) {
                out.push(at);
            }
        }
        seen_text = true;
    }
    out
}

/// The middle of the widest part of a stretch that the fewest rows cross; that of the stretch where no such part is as wide as
/// a gutter.
fn freest(crossed: &[usize]) -> f32 {
    let fewest = crossed.iter().min().copied().unwrap_or(0);
    let mut widest = 0..0;
    let mut start = 0;
    for part in crossed.chunk_by(|a, b| (*a == fewest) == (*b == fewest)) {
        if part[0] == fewest && part.len() > widest.len() {
            widest = start..start + part.len();
        }
        start += part.len();
    }
    let part = if widest.len() as f32 >= NUMBERS { widest } else { 0..crossed.len() };
    (part.start + part.end) as f32 / 2.0
}

/// Whether all rows but one leave the room of a gutter: the names of columns may come closer to each other than their cells.
fn parts_most(rows: &[&Line], at: f32) -> bool {
    let rooms = rows.iter().filter_map(|row| {
        let next = row.words.iter().position(|word| word.rect.left > at)?;
        Some(row.words[next].rect.left - row.words.get(next.checked_sub(1)?)?.rect.right)
    });
    let (wide, narrow): (Vec<f32>, Vec<f32>) = rooms.partition(|room| *room >= 2.0 * MIN_GUTTER);
    wide.len() >= MIN_ROWS && narrow.len() <= 1
}

/// Whether two words that follow each other are two numbers, and not one whose thousands a space parts.
fn are_two(last: &Word, next: &Word) -> bool {
    let number = |word: &Word| is_numeric(&word.text) || is_dash(&word.text);
    let digits = |text: &str| text.bytes().all(|b| b.is_ascii_digit());
    let thousands =
        next.text.len() == 3 && digits(&next.text) && last.text.ends_with(|c: char| c.is_ascii_digit());
    number(last) && number(next) && !thousands && next.spaced
}

/// Whether numbers stand on both sides of a gutter, in most rows that reach over it.
fn parts_numbers(rows: &[&Line], at: f32) -> bool {
    let pairs = rows.iter().filter_map(|row| {
        let next = row.words.iter().position(|word| word.rect.left > at)?;
        Some((row.words.get(next.checked_sub(1)?)?, &row.words[next]))
    });
    let (two, all) =
        pairs.fold((0, 0), |(two, all), (last, next)| (two + usize::from(are_two(last, next)), all + 1));
    two >= MIN_ROWS && two * 2 > all
}

/// Whether no word of a row is a number other than a year.
pub(super) fn names_columns(row: &Line) -> bool {
    row.words.iter().all(|word| is_years(&word.text) || !is_numeric(&word.text))
}
