//! Tables that only put key figures in their places. Each cell, or each column, is a card: one number with its
//! caption and what else is said of it.

use super::Kind;
use std::ops::Range;

/// Most words of a line of a card, and most rows of which each column is one.
const WORDS: usize = 30;
const ROWS: usize = 6;
/// Words between the numbers of a share: `17 of 64 hotels`.
const SHARES: [&str; 6] = ["of", "out", "von", "de", "van", "av"];

/// Lines of a card: of the cell in a row and a column.
pub(in super::super) type Place = (usize, usize, Range<usize>);

/// A card.
#[derive(Debug)]
pub(in super::super) struct Card {
    /// The number, then its caption.
    pub(in super::super) figure: Vec<Place>,
    pub(in super::super) further: Vec<Place>,
}

/// The cards of a table, of which `rows` has the cells in rows and the lines of each; `None` where it is another table.
pub(in super::super) fn cards(rows: &[Vec<Vec<String>>]) -> Option<Vec<Card>> {
    in_cells(rows).or_else(|| in_columns(rows))
}

/// Each cell is a card.
fn in_cells(rows: &[Vec<Vec<String>>]) -> Option<Vec<Card>> {
    let mut found = Vec::new();
    for (row, cells) in rows.iter().enumerate() {
        for (column, lines) in cells.iter().enumerate() {
            let said: Vec<(Place, &str)> = lines
                .iter()
                .enumerate()
                .filter(|(_, line)| !line.trim().is_empty())
                .map(|(at, line)| ((row, column, at..at + 1), line.as_str()))
                .collect();
            if !said.is_empty() {
                found.push(card(&said)?);
            }
        }
    }
    (found.len() > 1).then_some(found)
}

/// Each column is a card: a row of numbers with the captions below it, or above it where further lines follow. Names above
/// numbers alone are those of columns.
fn in_columns(rows: &[Vec<Vec<String>>]) -> Option<Vec<Card>> {
    let width = rows.first().map_or(0, Vec::len);
    if width < 2 || !(2..=ROWS).contains(&rows.len()) || rows.iter().any(|row| row.len() != width) {
        return None;
    }
    let text = |row: usize, column: usize| rows[row][column].join(" ");
    let all = |row: usize, is: fn(&str) -> bool| (0..width).all(|column| is(&text(row, column)));
    let numbers = (0..rows.len()).find(|row| all(*row, is_number))?;
    let told = |row: usize| {
        let texts: Vec<String> =
            (0..width).map(|column| text(row, column)).filter(|text| !text.is_empty()).collect();
        texts.len() > 1 && texts.iter().all(|text| text.contains(|c: char| c.is_ascii_digit()))
    };
    let captions = if numbers == 0 { 1 } else { numbers - 1 };
    if !all(captions, is_caption) || numbers > 0 && !(numbers + 1..rows.len()).any(told) {
        return None;
    }
    let stack = |column: usize| -> Option<Card> {
        let place = |row: usize| (row, column, 0..rows[row][column].len());
        let others = (0..rows.len()).filter(|row| ![numbers, captions].contains(row));
        let others: Vec<usize> = others.filter(|row| !text(*row, column).is_empty()).collect();
        others.iter().all(|row| !is_number(&text(*row, column))).then(|| Card {
            figure: vec![place(numbers), place(captions)],
            further: others
                .into_iter()
                .flat_map(|row| (0..rows[row][column].len()).map(move |at| (row, column, at..at + 1)))
                .collect(),
        })
    };
    (0..width).map(stack).collect()
}

/// The card that lines are: one number, and a caption above it, else below.
fn card(lines: &[(Place, &str)]) -> Option<Card> {
    let mut numbers = (0..lines.len()).filter(|at| is_number(lines[*at].1));
    let number = numbers.next().filter(|_| numbers.next().is_none())?;
    let behind = lines[number + 1..].iter().take_while(|(_, line)| is_caption(line)).count();
    let caption = if number > 0 { 0..number } else { 1..1 + behind };
    let stated = caption.clone().all(|at| is_caption(lines[at].1));
    let place = |at: usize| lines[at].0.clone();
    (stated && !caption.is_empty() && lines.iter().all(|(_, line)| line.split_whitespace().count() <= WORDS))
        .then(|| Card {
            further: (0..lines.len())
                .filter(|at| *at != number && !caption.contains(at))
                .map(place)
                .collect(),
            figure: std::iter::once(number).chain(caption.clone()).map(place).collect(),
        })
}

/// Whether a line is a number with its unit, or a share.
fn is_number(line: &str) -> bool {
    let mut words = line.split_whitespace().peekable();
    let mut is_share = || {
        let digits =
            |word: Option<&str>| word.is_some_and(|word| word.starts_with(|c: char| c.is_ascii_digit()));
        let first = digits(words.next());
        let mut between = 0;
        while words.next_if(|word| SHARES.contains(word)).is_some() {
            between += 1;
        }
        first && between > 0 && digits(words.next())
    };
    matches!(Kind::of_text(line), Kind::Value | Kind::Range) || is_share()
}

/// Whether a line can say what a number is.
fn is_caption(line: &str) -> bool {
    let value =
        line.split_once([':', '：']).is_some_and(|(_, rest)| rest.contains(|c: char| c.is_ascii_digit()));
    line.starts_with(char::is_alphabetic)
        && Kind::of_text(line) == Kind::Text
        && !value
        && !line.ends_with('.')
        && line.split_whitespace().count() <= WORDS
}
