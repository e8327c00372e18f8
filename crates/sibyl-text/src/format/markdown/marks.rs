//! Lines that Markdown parsers do not know: `:::` admonitions and MDX (JSX tags, `import`, `export`).
//!
//! MDX lets a tag or an admonition interrupt a paragraph and hold Markdown; CommonMark does not. The marker
//! lines are therefore found first, blanked out for the parser, and put back as blocks of their own.

use crate::document::Span;

/// Marker lines found in a text.
#[derive(Debug, Default)]
pub(super) struct Marks {
    /// Outermost admonitions with everything in them, in order.
    pub admonitions: Vec<Span>,
    /// JSX tags and module lines outside admonitions, in order.
    pub lines: Vec<Span>,
    /// What the Markdown parser must see as blank, in order.
    pub blank: Vec<Span>,
}

/// Most lines that one opening JSX tag may run over.
const TAG_LINES: usize = 50;
/// Deepest nesting of admonitions that is followed.
const NESTING: usize = 16;

struct Open {
    colons: usize,
    line: Span,
}

/// Finds all marker lines of `text`. Spans are bytes of `text`.
pub(super) fn find(text: &str) -> Marks {
    let bytes = text.as_bytes();
    let mut marks = Marks::default();
    let mut open: Vec<Open> = Vec::new();
    let mut fence: Option<(u8, usize)> = None;
    let mut after_blank = true;
    let mut at = 0;
    while at < bytes.len() {
        let end = memchr::memchr(b'\n', &bytes[at..]).map_or(bytes.len(), |i| at + i);
        let indent = bytes[at..end].iter().take_while(|&&b| b == b' ' || b == b'\t').count();
        let line = &bytes[at + indent..end];
        let mut next = end + 1;
        let mut blank = line.is_empty();
        match (line.first(), fence) {
            (Some(&(b'`' | b'~')), Some((mark, length))) => {
                let run = run_of(line, mark);
                if run >= length && line[run..].trim_ascii().is_empty() {
                    fence = None;
                }
            }
            (_, Some(_)) => {}
            (Some(b'`' | b'~' | b'-' | b'*' | b'+' | b'0'..=b'9'), None) => fence = opened_fence(line),
            (Some(b':'), None) if line.starts_with(b":::") => {
                let whole = trimmed(text, at + indent, end);
                blank = admonition(line, whole, &mut open, &mut marks);
            }
            (Some(b'<'), None) => {
                if let Some(tag_end) = jsx_tag(text, at + indent, end) {
                    next = memchr::memchr(b'\n', &bytes[tag_end..]).map_or(bytes.len(), |i| tag_end + i) + 1;
                    marks.lines.push(Span::new(at + indent, tag_end));
                    blank = true;
                }
            }
            (Some(b'i' | b'e'), None) if indent == 0 && after_blank => {
                if let Some(module_end) = module_line(text, at, end) {
                    next = module_end + 1;
                    marks.lines.push(trimmed(text, at, module_end));
                    blank = true;
                }
            }
            _ => {}
        }
        after_blank = blank;
        at = next;
    }
    finish(text, open, marks)
}

/// Handles a line that starts with `:::`; true where it opens or closes an admonition.
fn admonition(line: &[u8], whole: Span, open: &mut Vec<Open>, marks: &mut Marks) -> bool {
    let colons = run_of(line, b':');
    let rest = line[colons..].trim_ascii();
    if rest.first().is_some_and(u8::is_ascii_alphabetic) {
        if open.len() == NESTING {
            return false;
        }
        open.push(Open { colons, line: whole });
        return true;
    }
    if !rest.is_empty() {
        return false;
    }
    // As in remark, a closing line is offered to the outermost admonition first. One that has no more colons than the
    // line closes, and what is still open inside closes with it.
    let Some(closed) = open.iter().position(|o| o.colons <= colons) else {
        return false;
    };
    let start = open[closed].line.start;
    marks.blank.extend(open[closed..].iter().map(|o| o.line));
    marks.blank.push(whole);
    open.truncate(closed);
    while marks.admonitions.last().is_some_and(|a| a.start >= start) {
        marks.admonitions.pop();
    }
    marks.admonitions.push(Span::new(start, whole.end));
    true
}

/// An admonition that nobody closes ends at its first blank line, so that it cannot swallow the document.
fn finish(text: &str, open: Vec<Open>, mut marks: Marks) -> Marks {
    let mut ended: Vec<Span> = Vec::new();
    for unclosed in open {
        let from = unclosed.line.start;
        let next = marks.admonitions.partition_point(|a| a.end <= from);
        let taken = marks.admonitions.get(next).is_some_and(|a| a.start <= from)
            || ended.last().is_some_and(|a| from < a.end);
        if taken {
            continue;
        }
        let limit = marks.admonitions.get(next).map_or(text.len(), |a| a.start);
        let end = text[from..limit].find("\n\n").map_or(limit, |i| from + i);
        ended.push(trimmed(text, from, end));
        marks.blank.push(unclosed.line);
    }
    marks.admonitions.extend(ended);
    marks.admonitions.sort_unstable();
    marks.blank.extend(&marks.lines);
    marks.blank.sort_unstable();
    let admonitions = &marks.admonitions;
    marks.lines.retain(|line| {
        let i = admonitions.partition_point(|a| a.end <= line.start);
        admonitions.get(i).is_none_or(|a| !a.overlaps(*line))
    });
    marks
}

/// Mark and length of the fence that `line` opens, behind any list marks.
fn opened_fence(mut line: &[u8]) -> Option<(u8, usize)> {
    loop {
        match line.first()? {
            mark @ (b'`' | b'~') => {
                let run = run_of(line, *mark);
                let inline = *mark == b'`' && line[run..].contains(&b'`');
                return (run >= 3 && !inline).then_some((*mark, run));
            }
            b'-' | b'*' | b'+' => line = line[1..].strip_prefix(b" ")?.trim_ascii_start(),
            b'0'..=b'9' => {
                let digits = line.iter().take_while(|b| b.is_ascii_digit()).count();
                let after =
                    line[digits..].strip_prefix(b".").or_else(|| line[digits..].strip_prefix(b")"))?;
                line = after.strip_prefix(b" ")?.trim_ascii_start();
            }
            _ => return None,
        }
    }
}

/// End of the JSX tag, or line of tags, that starts at `start`; the first line ends at `end`.
fn jsx_tag(text: &str, start: usize, end: usize) -> Option<usize> {
    let bytes = text.as_bytes();
    let name = start + 1 + usize::from(bytes.get(start + 1) == Some(&b'/'));
    let component = bytes.get(name).is_some_and(u8::is_ascii_uppercase);
    let fragment = matches!(text[start..end].trim_end(), "<>" | "</>");
    if !component && !fragment {
        return None;
    }
    let first = trimmed(text, start, end);
    if text[..first.end].ends_with('>') {
        return Some(first.end);
    }
    if memchr::memchr(b'>', &bytes[start..end]).is_some() {
        return None;
    }
    let mut at = end + 1;
    for _ in 0..TAG_LINES {
        if at >= bytes.len() {
            return None;
        }
        let stop = memchr::memchr(b'\n', &bytes[at..]).map_or(bytes.len(), |i| at + i);
        let line = trimmed(text, at, stop);
        if line.is_empty() {
            return None;
        }
        if text[..line.end].ends_with('>') {
            return Some(line.end);
        }
        at = stop + 1;
    }
    None
}

/// End of the `import` or `export` statement that starts at `start`; an export runs to the next blank line.
fn module_line(text: &str, start: usize, end: usize) -> Option<usize> {
    let line = text[start..end].trim_end();
    let quoted = |s: &str| s.trim_end_matches(';').ends_with(['\'', '"']);
    if let Some(rest) = line.strip_prefix("import ") {
        let named = rest.contains(" from ") || rest.starts_with(['\'', '"']);
        return (named && quoted(rest)).then_some(end);
    }
    let rest = line.strip_prefix("export ")?;
    let known = ["const ", "let ", "var ", "function ", "default ", "class ", "{", "*"];
    known
        .iter()
        .any(|k| rest.starts_with(k))
        .then(|| text[start..].find("\n\n").map_or(text.len(), |i| start + i))
}

fn run_of(line: &[u8], mark: u8) -> usize {
    line.iter().take_while(|&&b| b == mark).count()
}

fn trimmed(text: &str, start: usize, end: usize) -> Span {
    Span::new(start, start + text[start..end].trim_end().len())
}
