//! The headings of a standard: the paragraphs they announce, and their path.

use super::line::{Form, Line, Opening, explicit};
use crate::document::{Document, Span};
use crate::reference::cursor::Cursor;
use crate::reference::ifrs::id::{Number, Standard};

/// A heading line.
#[derive(Debug, Clone)]
pub(super) struct Heading {
    /// The line itself.
    pub(super) span: Span,
    /// 1 to 6.
    pub(super) level: u8,
    /// Titles from the outermost section down to this one, without the standard's own title.
    pub(super) path: Vec<String>,
    /// What the heading names.
    pub(super) names: Names,
    /// Where its words begin after an id that opens it.
    pub(super) title: Span,
}

/// What a heading names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Names {
    /// Only a title.
    Nothing,
    /// It opens with an id: the paragraph or item starts here.
    Start(Opening),
    /// Paragraphs below it: `(S2.5–7)`.
    Announced(Opening),
}

/// The headings of `document` in reading order; if it has none, they are guessed from short lines before
/// paragraphs.
pub(super) fn headings(document: &Document, lines: &[Line], home: Option<Standard>) -> Vec<Heading> {
    if document.sections.is_empty() {
        return guessed(&document.text, lines, home);
    }
    let mut headings: Vec<Heading> = Vec::with_capacity(document.sections.len());
    for section in &document.sections {
        let (names, title, words) = read(&document.text, section.heading, &section.title, home);
        let mut path =
            section.parent.and_then(|p| headings.get(p)).map(|h| h.path.clone()).unwrap_or_default();
        if !is_document_title(document, section.level, &section.title) && !title.is_empty() {
            path.push(title);
        }
        headings.push(Heading { span: section.heading, level: section.level, path, names, title: words });
    }
    headings
}

/// Whether the heading is the standard's own title.
fn is_document_title(document: &Document, level: u8, title: &str) -> bool {
    let named = title.to_ascii_lowercase();
    let standard = named.contains("ifrs s1") || named.contains("ifrs s2");
    level == 1 && (standard || document.title.as_deref().is_some_and(|t| t.trim() == title.trim()))
}

/// What a heading names, its title without ids, and where the words after an opening id begin.
fn read(text: &str, span: Span, title: &str, home: Option<Standard>) -> (Names, String, Span) {
    let line = span.of(text);
    let first = line.find(char::is_alphanumeric).map_or(span.end, |n| span.start + n);
    if let Some(opening) = opening(text, first, home).filter(|o| o.rest <= span.end) {
        let rest = &text[opening.rest..span.end];
        let start =
            span.end - rest.trim_start_matches([' ', '\t', ':', '·', '.', '–', '—', '-', '*', '|']).len();
        let words = trimmed(text, Span::new(start, span.end));
        let title = words.of(text).trim_matches(['*', '_']).trim().to_owned();
        let names = if opening.last.is_some() { Names::Announced(opening) } else { Names::Start(opening) };
        return (names, title, words);
    }
    let title = title.trim();
    let announced = last_bracket(title).and_then(|at| {
        let inner = explicit(title, at + 1)?;
        (title[inner.rest..].trim_end() == ")").then(|| (inner, title[..at].trim_end().to_owned()))
    });
    match announced {
        Some((opening, title)) => (Names::Announced(opening), title, span),
        None => {
            let appendix = last_bracket(title).filter(|&at| matches!(&title[at..], "(S1.A)" | "(S2.A)"));
            (Names::Nothing, title[..appendix.unwrap_or(title.len())].trim_end().to_owned(), span)
        }
    }
}

/// The id a heading opens with, also as `Paragraph 14`.
fn opening(text: &str, at: usize, home: Option<Standard>) -> Option<Opening> {
    if let Some(opening) = explicit(text, at) {
        return Some(opening);
    }
    let mut cursor = Cursor::new(text, at);
    cursor.word_of(&["paragraph"])?;
    cursor.spaces();
    if let Some(opening) = explicit(text, cursor.at) {
        return Some(opening);
    }
    let standard = home?;
    let number = Number::read(&mut cursor).filter(|_| !cursor.in_word())?;
    let id = format!("{}.{number}", standard.code());
    Some(Opening { id, standard, number: Some(number), rest: cursor.at, last: None })
}

/// Where the bracket that ends `title` opens, counting brackets inside it.
fn last_bracket(title: &str) -> Option<usize> {
    let mut depth = 0_usize;
    if !title.ends_with(')') {
        return None;
    }
    title.char_indices().rev().find_map(|(at, c)| {
        depth = match c {
            ')' => depth + 1,
            '(' => depth - 1,
            _ => depth,
        };
        (depth == 0).then_some(at)
    })
}

fn trimmed(text: &str, span: Span) -> Span {
    let kept = span.of(text).trim_end_matches([' ', '\t', '#', '\n', '\r', '=', '-']);
    Span::new(span.start, span.start + kept.len())
}

/// In text without marked headings: short lines without a full stop, alone in their block, before a paragraph's
/// number or before another such line.
fn guessed(text: &str, lines: &[Line], home: Option<Standard>) -> Vec<Heading> {
    let mut found = Vec::new();
    let mut before_paragraph = false;
    for (n, line) in lines.iter().enumerate().rev() {
        let form = line.form(text);
        let words = text[form.words..line.span.end].trim_end();
        if words.is_empty() {
            continue;
        }
        let alone = line.opens_block && lines.get(n + 1).is_none_or(|l| l.span.of(text).trim().is_empty());
        if before_paragraph && alone && is_title(words, form) {
            found.push((*line, words));
            continue;
        }
        before_paragraph =
            home.is_some() && line.numbered(text, form).is_some() || line.explicit(text, form).is_some();
    }
    let mut path: Vec<String> = Vec::new();
    let level = |words: &str| if words.starts_with("Appendix ") || MAIN.contains(&words) { 2 } else { 3 };
    let heading = |(line, words): (Line, &str)| {
        let level = level(words);
        path.truncate(usize::from(level) - 2);
        if !words.contains("IFRS S1") && !words.contains("IFRS S2") {
            path.push(words.to_owned());
        }
        Heading { span: line.span, level, path: path.clone(), names: Names::Nothing, title: line.span }
    };
    found.into_iter().rev().map(heading).collect()
}

/// Headings of the second level in both standards.
const MAIN: [&str; 9] = [
    "Objective",
    "Scope",
    "Conceptual foundations",
    "Governance",
    "Strategy",
    "Risk management",
    "Metrics and targets",
    "General requirements",
    "Judgements, uncertainties and errors",
];

fn is_title(words: &str, form: Form) -> bool {
    !form.listed
        && words.len() <= 160
        && words.chars().next().is_some_and(char::is_uppercase)
        && !words.ends_with(['.', ':', ';', ',', '?', '!'])
        && words.split_whitespace().count() <= 24
}
