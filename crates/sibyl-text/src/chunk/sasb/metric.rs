//! The metrics of an industry standard: where each is, and what its first line says.

use super::requirement::Requirement;
use crate::document::Span;
use crate::reference::cursor::Cursor;
use crate::reference::sasb::Code;

/// A metric as its text defines it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Metric {
    /// Its lines, from the one that its code opens.
    pub span: Span,
    /// Its code, such as `EM-EP-110a.1`.
    pub code: String,
    /// Its label, without the full stop.
    pub label: Option<String>,
    /// `Quantitative` or `Discussion and Analysis`.
    pub category: Option<String>,
    /// Unit of measure as the text prints it.
    pub unit: Option<String>,
    /// What it asks for, part by part.
    pub requirement: Requirement,
}

/// The metrics that `text` defines, in order; see [`metrics_in`].
pub fn metrics(text: &str) -> Vec<Metric> {
    metrics_in(text, Span::new(0, text.len())).into_iter().map(|(_, metric)| metric).collect()
}

/// A metric whose lines are still being read.
struct Open {
    code: Code,
    metric: Metric,
    /// Where the text after its label starts.
    behind: usize,
    /// Column of its bullet, if it is a list item: text indented further belongs to it.
    column: Option<usize>,
}

impl Open {
    fn close(mut self, text: &str, end: usize) -> (Code, Metric) {
        let end = self.metric.span.start + text[self.metric.span.start..end].trim_end().len();
        self.metric.span.end = end;
        self.metric.requirement = Requirement::read(text, Span::new(self.behind.min(end), end));
        (self.code, self.metric)
    }
}

/// The metrics whose lines `span` has: a code that opens a line, a list item, bold words or a table row.
pub(super) fn metrics_in(text: &str, span: Span) -> Vec<(Code, Metric)> {
    let mut out: Vec<(Code, Metric)> = Vec::new();
    let mut open: Option<Open> = None;
    let mut at = span.start;
    let mut after_blank = true;
    for line in span.of(text).split_inclusive('\n') {
        let words = line.trim_start_matches([' ', '\t', '-', '*', '+', '•', '|', '_', '#', '>']);
        let from = at;
        let start = at + (line.len() - words.len());
        let opens = at + (line.len() - line.trim_start().len());
        at += line.len();
        let blank = line.trim().is_empty();
        let opens_block = std::mem::replace(&mut after_blank, blank);
        if blank || start == opens && !opens_block {
            continue;
        }
        let shape = Shape::of(&text[opens..at]);
        let inside = open.as_ref().and_then(|open| open.column).is_some_and(|column| column < opens - from);
        if inside && shape != Shape::Heading {
            continue;
        }
        // Text that opens a block and is indented no further than a list item ends the item.
        let ends = match open.as_ref().map(|open| open.column) {
            Some(Some(_)) => opens_block || shape != Shape::Words,
            Some(None) => shape == Shape::Heading,
            None => false,
        };
        if ends && let Some(done) = open.take() {
            out.push(done.close(text, opens));
        }
        let mut cursor = Cursor::new(text, start);
        let Some(code) = Code::read(&mut cursor).filter(|c| c.metric.is_some()) else { continue };
        let id = code.id();
        if let Some(done) = open.take() {
            out.push(done.close(text, opens));
        }
        if out.iter().rev().take_while(|(c, _)| c.topic() == code.topic()).any(|(_, m)| m.code == id) {
            continue;
        }
        let Described { label, category, unit, behind } = describe(text, cursor.at, shape);
        let (span, requirement) = (Span::new(opens, at), Requirement::default());
        let metric = Metric { span, code: id, label, category, unit, requirement };
        let column = (shape == Shape::Item).then_some(opens - from);
        if shape == Shape::Row {
            out.push((code, metric));
        } else {
            open = Some(Open { code, metric, behind, column });
        }
    }
    out.extend(open.map(|done| done.close(text, span.end)));
    out
}

/// What a line opens with.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Shape {
    Heading,
    Item,
    Row,
    Words,
}

impl Shape {
    fn of(line: &str) -> Self {
        match line.as_bytes() {
            [b'#', ..] => Self::Heading,
            [b'|', ..] => Self::Row,
            [b'-' | b'*' | b'+', b' ' | b'\t', ..] => Self::Item,
            _ if line.starts_with('•') => Self::Item,
            _ => Self::Words,
        }
    }
}

/// What a metric's line says after its code.
#[derive(Default)]
struct Described {
    label: Option<String>,
    category: Option<String>,
    unit: Option<String>,
    /// Where the text after it starts.
    behind: usize,
}

/// Bytes within which a metric's label, category and unit must end.
const LONGEST: usize = 600;

/// Reads, after a code that ends at `at`, `** *(Quantitative; unit: Percentage (%))* **Label.**`,
/// ` · Label** *(Quantitative; Percentage (%))*`, `. Label` to the line's end, or the next cells of a table.
fn describe(text: &str, at: usize, shape: Shape) -> Described {
    let block = &text[at..text.floor_char_boundary(at + LONGEST)];
    let block = block.split("\n\n").next().unwrap_or(block);
    if shape == Shape::Row {
        let mut cells =
            block.lines().next().unwrap_or_default().split('|').map(str::trim).filter(|c| !c.is_empty());
        return Described { label: cells.next().map(one_line), ..Described::default() };
    }
    let mut found = Described::default();
    let mut rest = block.trim_start();
    if let Some(after) = rest.strip_prefix("**") {
        rest = after.trim_start();
        rest = found.marks(rest).trim_start();
        if let Some((label, after)) = rest.strip_prefix("**").and_then(|r| r.split_once("**")) {
            found.label = Some(one_line(label)).filter(|l| !l.is_empty());
            rest = after;
        }
    } else {
        rest = rest.trim_start_matches(|c: char| {
            c.is_whitespace() || matches!(c, '·' | ':' | '–' | '—' | '-' | '.')
        });
        let stop = rest.find("**").or_else(|| rest.find('\n')).unwrap_or(rest.len());
        found.label = Some(one_line(&rest[..stop])).filter(|l| !l.is_empty());
        rest = found.marks(rest[stop..].trim_start_matches("**").trim_start());
    }
    found.behind = at + (block.len() - rest.len());
    found
}

impl Described {
    /// Reads category and unit from `*(Quantitative; unit: Percentage (%))*` and returns the rest.
    fn marks<'a>(&mut self, text: &'a str) -> &'a str {
        let Some((inner, rest)) = text.strip_prefix("*(").and_then(|t| t.split_once(")*")) else {
            return text;
        };
        if let Some((category, unit)) = inner.split_once(';') {
            let unit = one_line(unit);
            self.unit = Some(unit.strip_prefix("unit:").map_or(unit.as_str(), str::trim).to_owned());
            self.category = Some(one_line(category));
        }
        rest
    }
}

/// The words on one line, without a full stop at the end.
fn one_line(words: &str) -> String {
    words.split_whitespace().collect::<Vec<_>>().join(" ").trim_end_matches('.').to_owned()
}
