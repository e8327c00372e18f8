//! Page marks in the text: form feeds, `<!-- page 3 -->`, `--- end of page=3 ---` and, where the page count
//! confirms them, `-----` lines. Marks are layout and leave the text.

use super::metadata::PageEntry;
use crate::document::{Page, Segment, Span};
use crate::format::encoding::Decoded;

/// What a mark says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Mark {
    /// The page with this number starts.
    Starts(u32),
    /// The page with this number (from 0) ends.
    Ends(u32),
    /// One page ends and the next starts.
    Break,
    /// A `-----` line, which may be a plain rule.
    Rule,
}

/// How far (bytes) around its words a line is looked at for a page mark, so that many hits in one endless line
/// cost little.
const MARK_LINE: usize = 100;

/// Whether `bytes` hold page marks that need no confirmation.
pub(super) fn marked(bytes: &[u8]) -> bool {
    if memchr::memchr(0x0C, bytes).is_some() {
        return true;
    }
    let mut hits =
        memchr::memmem::find_iter(bytes, "<!--").chain(memchr::memmem::find_iter(bytes, "end of page"));
    hits.any(|at| {
        let before = &bytes[at.saturating_sub(MARK_LINE)..at];
        let after = &bytes[at..bytes.len().min(at + MARK_LINE)];
        let start = memchr::memrchr(b'\n', before).map_or(0, |i| i + 1);
        let end = memchr::memchr(b'\n', after).unwrap_or(after.len());
        let line = [&before[start..], &after[..end]].concat();
        std::str::from_utf8(&line).is_ok_and(|line| page_mark(line.trim()).is_some())
    })
}

/// Pages by the marks in the text, and the text without them.
pub(super) fn take(decoded: Decoded) -> (Decoded, Vec<Page>) {
    let marks: Vec<_> = found(&decoded.text, false).collect();
    cut(decoded, &marks)
}

/// Pages by the marks in the text, where there is one page for each entry; the entries give the numbers.
pub(super) fn take_for(decoded: Decoded, entries: &[PageEntry]) -> (Decoded, Vec<Page>) {
    for rules in [false, true] {
        let marks: Vec<_> = found(&decoded.text, rules).collect();
        // The text after a last mark may be empty.
        let fits = !marks.is_empty() && (marks.len() + 1 == entries.len() || marks.len() == entries.len());
        if fits {
            let (decoded, mut pages) = cut(decoded, &marks);
            if pages.len() != entries.len() {
                return (decoded, Vec::new());
            }
            for (page, entry) in pages.iter_mut().zip(entries) {
                *page = entry.page(page.span);
            }
            return (decoded, pages);
        }
    }
    (decoded, Vec::new())
}

/// The marks of `text`, in order.
fn found(text: &str, rules: bool) -> impl Iterator<Item = (Span, Mark)> {
    let mut at = 0;
    text.split_inclusive(['\n', '\u{c}']).filter_map(move |line| {
        let start = at;
        at += line.len();
        let bare = line.trim();
        if line.ends_with('\u{c}') {
            return Some((Span::new(at - 1, at), Mark::Break));
        }
        let mark = page_mark(bare).or_else(|| (rules && is_rule(bare)).then_some(Mark::Rule))?;
        Some((Span::new(start, at), mark))
    })
}

fn page_mark(line: &str) -> Option<Mark> {
    if let Some(inner) = line.strip_prefix("<!--").and_then(|l| l.strip_suffix("-->")) {
        let inner = inner.trim().to_ascii_lowercase();
        let number = inner.strip_prefix("page")?.trim_start_matches([' ', ':', '=', '#', '_', '-']);
        return number.trim().parse().ok().map(Mark::Starts);
    }
    let inner = line.strip_prefix("---")?.strip_suffix("---")?.trim_matches('-').trim();
    let number = inner.strip_prefix("end of page")?.trim_start_matches([' ', '=', '.']);
    number.trim().parse().ok().map(Mark::Ends)
}

fn is_rule(line: &str) -> bool {
    line.len() >= 5 && line.bytes().all(|b| b == b'-')
}

/// Splits `decoded` at `marks`.
fn cut(decoded: Decoded, marks: &[(Span, Mark)]) -> (Decoded, Vec<Page>) {
    if marks.is_empty() {
        return (decoded, Vec::new());
    }
    let source = decoded.text;
    let mut text = String::with_capacity(source.len());
    let mut pages: Vec<Page> = Vec::new();
    let mut kept: Vec<(Span, usize)> = Vec::new();
    let mut number = 1;
    let mut from = 0;
    let ends = marks.iter().map(|(span, mark)| (*span, Some(*mark)));
    for (mark, kind) in ends.chain([(Span::new(source.len(), source.len()), None)]) {
        if let Some(Mark::Ends(zero_based)) = kind {
            number = zero_based.saturating_add(1);
        }
        let start = text.len();
        text.push_str(&source[from..mark.start]);
        kept.push((Span::new(from, mark.start), start));
        let blank = text[start..].trim().is_empty();
        // Nothing before the first named page, or after the last break, is no page of its own.
        let edge = blank && (matches!(kind, Some(Mark::Starts(_))) && pages.is_empty() || kind.is_none());
        if !edge {
            pages.push(Page {
                number,
                label: None,
                span: Span::new(start, text.len()),
                size: None,
                regions: Vec::new(),
            });
        }
        if !text.is_empty() && !text.ends_with('\n') && kind.is_some() {
            text.push('\n');
        }
        number = match kind {
            Some(Mark::Starts(next)) => next,
            _ => number.saturating_add(1),
        };
        from = mark.end;
    }
    let segments = kept_segments(&decoded.segments, &kept, text.len());
    (Decoded { text, segments, notices: decoded.notices }, pages)
}

/// Segments of the text after the split; where there were none, text and source had been the same bytes.
fn kept_segments(old: &[Segment], kept: &[(Span, usize)], length: usize) -> Vec<Segment> {
    let mut out: Vec<Segment> = Vec::new();
    let mut next = 0;
    for (index, (stretch, start)) in kept.iter().enumerate() {
        let end = kept.get(index + 1).map_or(length, |(_, start)| *start);
        let source = if old.is_empty() {
            Some(*stretch)
        } else {
            while next + 1 < old.len() && old[next].span.end <= stretch.start {
                next += 1;
            }
            let mut last = next;
            while last + 1 < old.len() && old[last].span.end < stretch.end {
                last += 1;
            }
            let ends = (old[next].source, old[last].source);
            ends.0.zip(ends.1).map(|(first, last)| Span::new(first.start, last.end))
        };
        if *start < end {
            out.push(Segment { span: Span::new(*start, end), source, page: None, rect: None });
        }
    }
    out
}
