//! What a line of a standard can open: a paragraph, an item or a defined term.

use super::term;
use crate::document::Span;
use crate::reference::cursor::Cursor;
use crate::reference::ifrs::id::{Class, Number, Standard, classes};
use crate::reference::ifrs::parent;

/// An id that a line opens with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Opening {
    /// The id, such as `S2.14` or `S2.A.carbon_credit`.
    pub(super) id: String,
    /// Its standard.
    pub(super) standard: Standard,
    /// Its number; `None` for a defined term.
    pub(super) number: Option<Number>,
    /// Where the words after the id start (bytes of the document's text).
    pub(super) rest: usize,
    /// Last paragraph where the line names a range.
    pub(super) last: Option<Number>,
}

impl Opening {
    /// The paragraph's id without item labels.
    pub(super) fn base(&self) -> &str {
        let mut id = self.id.as_str();
        while let Some(above) = parent(id) {
            id = above;
        }
        id
    }
    /// Whether the id is that of an item.
    pub(super) fn is_item(&self) -> bool {
        self.id.ends_with(')')
    }
}

/// Reads `S2.14`, `S2.14(a)(iv)`, `S2.5–7` or `S2.A.carbon_credit` at byte `at`. Only the dotted form counts.
pub(super) fn explicit(text: &str, at: usize) -> Option<Opening> {
    let mut cursor = Cursor::new(text, at);
    let standard = Standard::read(&mut cursor)?;
    if !cursor.eat('.') {
        return None;
    }
    if let Some(slug) = cursor.rest().strip_prefix("A.") {
        let length = slug.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(slug.len());
        let slug = slug[..length].trim_end_matches('_');
        let rest = cursor.at + 2 + slug.len();
        return (!slug.is_empty()).then(|| {
            let id = format!("{}.A.{}", standard.code(), slug.to_ascii_lowercase());
            Opening { id, standard, number: None, rest, last: None }
        });
    }
    let number = Number::read(&mut cursor)?;
    if cursor.in_word() {
        return None;
    }
    let mut id = format!("{}.{number}", standard.code());
    while let Some((label, after)) = label(text, cursor.at) {
        id.push_str(&format!("({label})"));
        cursor.at = after;
    }
    let last = (!id.ends_with(')')).then(|| range_end(&mut cursor, standard, number)).flatten();
    Some(Opening { id, standard, number: Some(number), rest: cursor.at, last })
}

/// Reads the `–7` or `-S2.7` of a range that starts with `first`.
fn range_end(cursor: &mut Cursor<'_>, standard: Standard, first: Number) -> Option<Number> {
    let mut ahead = *cursor;
    ahead.eat(' ');
    ahead.take(crate::reference::cursor::is_dash)?;
    ahead.eat(' ');
    let mut named = ahead;
    if Standard::read(&mut named) == Some(standard) && named.eat('.') {
        ahead = named;
    }
    let mut last = Number::read(&mut ahead)?;
    last.series = last.series.or(first.series);
    if ahead.in_word() || last.series != first.series || last.value <= first.value {
        return None;
    }
    *cursor = ahead;
    Some(last)
}

/// Reads `(iv)` at byte `at`; returns the label in lower case and the byte after it.
pub(super) fn label(text: &str, at: usize) -> Option<(String, usize)> {
    let inner = text.get(at..)?.strip_prefix('(')?;
    let length = inner.bytes().take(6).position(|b| b == b')')?;
    let label = &inner[..length];
    (label == label.to_ascii_lowercase() && !classes(label).is_empty())
        .then(|| (label.to_owned(), at + length + 2))
}

/// A line without its line break, and what surrounds it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Line {
    /// The line without its break.
    pub(super) span: Span,
    /// Whether a blank line, a heading or nothing precedes it.
    pub(super) opens_block: bool,
    /// Whether the line before ends a clause, so that an item or a paragraph may follow.
    pub(super) after_clause: bool,
}

/// A line's outer form: indentation, list marker, emphasis.
#[derive(Debug, Clone, Copy)]
pub(super) struct Form {
    /// Columns before the first character; a tab counts as four.
    pub(super) indent: usize,
    /// Whether it begins with a list marker.
    pub(super) listed: bool,
    /// Whether two asterisks or underscores open the words.
    pub(super) bold: bool,
    /// Where the words start (bytes of the document's text).
    pub(super) words: usize,
}

impl Line {
    /// The line's outer form.
    pub(super) fn form(&self, text: &str) -> Form {
        let mut cursor = Cursor::new(text, self.span.start);
        let mut indent = 0;
        while let Some(c) = cursor.take(|c| c == ' ' || c == '\t' || c == '\u{a0}') {
            indent += if c == '\t' { 4 } else { 1 };
        }
        let mut ahead = cursor;
        let listed = ahead.take(|c| matches!(c, '-' | '*' | '+' | '•')).is_some()
            && ahead.take(|c| c == ' ' || c == '\t').is_some();
        if listed {
            cursor = ahead;
            while cursor.take(|c| c == ' ' || c == '\t').is_some() {}
        }
        let bold = cursor.rest().starts_with("**") || cursor.rest().starts_with("__");
        if bold {
            cursor.at += 2;
        }
        Form { indent, listed, bold, words: cursor.at.min(self.span.end) }
    }

    /// The paragraph or term whose id begins it, as in `**S2.14 · Title**` or `S2.14 An entity …`.
    pub(super) fn explicit(&self, text: &str, form: Form) -> Option<Opening> {
        let opening = explicit(text, form.words).filter(|o| o.rest <= self.span.end)?;
        let after = &text[opening.rest..self.span.end];
        let titled =
            after.trim_start().starts_with(['·', ':', '–', '—', '|']) || after.trim_start().starts_with("- ");
        let apart =
            after.is_empty() || after.starts_with("**") || after.starts_with([' ', '\t', '.', ')', '\u{a0}']);
        let fresh =
            after.trim_start_matches(['.', '*', ' ', '\t', '\u{a0}']).chars().next().is_none_or(begins_words);
        ((self.opens_block || form.listed) && (titled || apart && fresh)).then_some(opening)
    }

    /// The number that opens a paragraph of a standard's own text: `14 An entity …`, `**B42** …`, `14. …`. A
    /// number alone on its line counts too.
    pub(super) fn numbered(&self, text: &str, form: Form) -> Option<(Number, usize)> {
        if form.listed {
            return None;
        }
        let mut cursor = Cursor::new(text, form.words);
        let number = Number::read(&mut cursor).filter(|_| {
            text.as_bytes()[form.words].is_ascii_digit() || text.as_bytes()[form.words].is_ascii_uppercase()
        })?;
        cursor.eat('.');
        let bold = cursor.rest().starts_with("**") || cursor.rest().starts_with("__");
        if bold {
            cursor.at += 2;
        }
        let end = self.span.end;
        if cursor.at >= end {
            return (cursor.at == end).then_some((number, end));
        }
        let gap = cursor.take(|c| c == ' ' || c == '\t' || c == '\u{a0}' || c == '\u{2003}')?;
        let rest = text[cursor.at..end].trim_start();
        (gap.is_whitespace() && rest.chars().next().is_some_and(begins_words))
            .then_some((number, end - rest.len()))
    }

    /// The item labels that open the line, with the byte where each starts, and where the words continue:
    /// `- **(a) Label.** …`, `(iv) …`, `(a)(i) …`.
    pub(super) fn labels(&self, text: &str, form: Form) -> Option<(Vec<(String, usize)>, usize)> {
        let mut labels = Vec::new();
        let mut at = form.words;
        while let Some((name, after)) = label(text, at).filter(|&(_, after)| after <= self.span.end) {
            labels.push((name, at));
            at = after;
            let rest = &text[at..self.span.end];
            let further = at + (rest.len() - rest.trim_start().len());
            if label(text, further).is_none() {
                break;
            }
            at = further;
        }
        let rest = &text[at..self.span.end];
        let apart = rest.is_empty() || rest.starts_with(char::is_whitespace) || rest.starts_with(['*', '_']);
        (!labels.is_empty() && apart).then_some((labels, at))
    }

    /// The defined term that opens the line, and where its words end.
    pub(super) fn term(&self, text: &str, form: Form) -> Option<(String, usize)> {
        let row = text[form.words..self.span.end].starts_with('|');
        if !(self.opens_block || self.after_clause || row) || form.listed {
            return None;
        }
        let start = if row {
            let cell = &text[form.words + 1..self.span.end];
            form.words + 1 + (cell.len() - cell.trim_start().len())
        } else {
            form.words
        };
        let line = text[start..self.span.end].trim_start_matches(['*', '_']);
        let start = self.span.end - line.len();
        if let Some((length, slug)) = term::known_at(line) {
            let after = line[length..].trim_start_matches(['*', '_', ' ', '\t', ':', '|', '–', '-']);
            return (after.is_empty() || after.chars().next().is_some_and(begins_words))
                .then_some((slug, start + length));
        }
        let name = form.bold.then(|| line.split_once("**")).flatten()?.0.trim_end_matches(':').trim();
        let slug = term::slug(name);
        (self.opens_block
            && name.split_whitespace().count() <= 8
            && slug.len() >= 3
            && !slug.starts_with(|c: char| c.is_ascii_digit()))
        .then_some((slug, start + name.len()))
    }
}

/// Whether a sentence or a title can start so.
fn begins_words(c: char) -> bool {
    c.is_uppercase()
        || matches!(c, '“' | '‘' | '"' | '\'' | '[' | '(' | '*' | '·' | '_')
        || !c.is_ascii() && c.is_alphabetic() && !c.is_lowercase()
}

/// Kinds a label may have and its ordinal in each, the deepest kind first.
pub(super) fn readings(label: &str) -> Vec<(Class, u16)> {
    classes(label)
}
