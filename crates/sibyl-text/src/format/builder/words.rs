//! The words of a block, and how the normalised text has them.

use crate::document::{Segment, Span};
use crate::format::tidy::tidy;

/// Words, and which of them stand where in the source. A line feed in them is a line break.
#[derive(Debug, Clone, Default)]
pub(in crate::format) struct Words {
    pub(in crate::format) text: String,
    /// Stretches of `text` with their places, in order.
    pub(in crate::format) lines: Vec<Segment>,
}

impl Words {
    /// Words that are tidy already, without a place.
    pub(super) fn of(text: String) -> Self {
        Self { text, lines: Vec::new() }
    }
}

impl From<&str> for Words {
    fn from(text: &str) -> Self {
        Self::of(tidy(text))
    }
}

impl From<&String> for Words {
    fn from(text: &String) -> Self {
        text.as_str().into()
    }
}

/// Where words stand, which decides what a reader of Markdown would take for marks in them.
#[derive(Clone, Copy)]
pub(super) enum Setting {
    /// At the start of a line, as do their further lines, that many blanks from the left.
    Lines(usize),
    /// On one line, behind a mark.
    Inside,
    /// On one line, behind the mark of a heading.
    Heading,
    /// In a cell of a table.
    Cell,
}

/// Bytes of words that are written in another way: their place, how many, and what stands there instead.
type Edit = (usize, usize, String);

/// Adds words to `text`, and their places to `segments`.
pub(super) fn write(text: &mut String, segments: &mut Vec<Segment>, words: &Words, setting: Setting) {
    let base = text.len();
    let edits = edits(&words.text, setting);
    let mut at = 0;
    for (from, length, instead) in &edits {
        text.push_str(&words.text[at..*from]);
        text.push_str(instead);
        at = from + length;
    }
    text.push_str(&words.text[at..]);
    let shifted = |at: usize| {
        let before = edits.iter().take_while(|(from, ..)| *from < at);
        before.fold(base + at, |at, (_, length, instead)| at + instead.len() - length)
    };
    segments.extend(words.lines.iter().map(|line| {
        let span = Span::new(shifted(line.span.start), shifted(line.span.end));
        Segment { span, ..line.clone() }
    }));
}

fn edits(text: &str, setting: Setting) -> Vec<Edit> {
    let breaks =
        |instead: &str| text.match_indices('\n').map(|(at, _)| (at, 1, instead.to_owned())).collect();
    match setting {
        Setting::Lines(indent) => {
            let mut out = Vec::new();
            let mut start = 0;
            for line in text.split('\n') {
                if start > 0 {
                    out.push((start - 1, 1, format!("\n{}", " ".repeat(indent))));
                }
                out.extend(escaped(line).map(|at| (start + at, 0, "\\".to_owned())));
                start += line.len() + 1;
            }
            out
        }
        Setting::Inside => breaks(" "),
        Setting::Heading => {
            let mut out: Vec<Edit> = breaks(" ");
            // A closing run of number signs would be taken for part of the mark.
            out.extend(text.ends_with('#').then(|| (text.len() - 1, 0, "\\".to_owned())));
            out
        }
        Setting::Cell => {
            let signs = text.match_indices(['|', '\n']).map(|(at, sign)| match sign {
                "|" => (at, 0, "\\".to_owned()),
                _ => (at, 1, "<br>".to_owned()),
            });
            signs.collect()
        }
    }
}

/// The byte of a line in front of which a backslash stands, lest the line begins as a block of another kind does.
fn escaped(line: &str) -> Option<usize> {
    let after = |n: usize| line[n..].chars().next().is_none_or(|c| c == ' ');
    let run = |sign: char| line.len() - line.trim_start_matches(sign).len();
    let only = |sign: char| line.chars().all(|c| c == sign || c == ' ');
    let escape = match line.chars().next() {
        Some('#') => run('#') <= 6 && after(run('#')),
        Some('-') => after(1) || only('-'),
        Some('=') => only('='),
        Some('*') => after(1) || (only('*') && line.matches('*').count() >= 3),
        Some('_') => only('_') && line.matches('_').count() >= 3,
        Some('+') => after(1),
        Some('>' | '|') => true,
        Some('`') => line.starts_with("```"),
        Some('~') => line.starts_with("~~~"),
        Some(':') => line.starts_with(":::") || only(':'),
        Some('<') => line[1..].starts_with(|c: char| c.is_ascii_alphabetic() || "/!?>".contains(c)),
        _ => false,
    };
    let digits = line.len() - line.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let number = (1..=9).contains(&digits) && line[digits..].starts_with(['.', ')']) && after(digits + 1);
    (escape || number).then_some(digits)
}
