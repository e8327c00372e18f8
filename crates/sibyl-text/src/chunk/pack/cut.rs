//! Splitting a block that is too long: sentences, table rows with their header, lines, and at last characters.

use super::{GroupPacker, Unit, UnitKind};
use crate::chunk::sentence::{Lines, sentences};
use crate::document::Span;
use crate::tokens::CHARS_PER_TOKEN;

/// Atomic blocks longer than this (tokens) are split at line ends: no embedding service reads further
/// (32,000 characters), so the rest could never be found by meaning.
const ATOMIC_LIMIT: usize = 8000;

impl GroupPacker<'_> {
    /// Queues `unit` in at least two parts, where it may be split; `room` is what a chunk of its own has left.
    pub(super) fn split(&mut self, unit: Unit, room: usize) -> bool {
        let text = self.packing.document.text.as_str();
        let from = self.queue.len();
        let part = |kind: UnitKind| move |span: Span| Unit { span, kind };
        let long = |limit: usize| self.packing.count(unit.span.start, unit.span.end) > limit;
        match unit.kind {
            UnitKind::Prose(lines) => {
                self.queue.extend(sentences(text, unit.span, lines).map(part(UnitKind::Sentence)))
            }
            UnitKind::Heading { .. } if long(room) => {
                let sentences = sentences(text, unit.span, Lines::Wrapped);
                self.queue.extend(sentences.map(part(UnitKind::HeadingSentence)));
            }
            UnitKind::Table { header_end }
                if long(if self.packing.keep_tables { ATOMIC_LIMIT } else { room }) =>
            {
                self.split_table(unit, header_end);
            }
            UnitKind::Code | UnitKind::Whole if long(ATOMIC_LIMIT) => {
                let code = unit.kind == UnitKind::Code;
                self.queue.extend(lines_of(text, unit.span).map(part(UnitKind::Line { code })));
            }
            _ => {}
        }
        let sentence = matches!(
            unit.kind,
            UnitKind::Prose(_) | UnitKind::Heading { .. } | UnitKind::Sentence | UnitKind::HeadingSentence
        );
        if self.queue.len() - from < 2 && (sentence || long(ATOMIC_LIMIT)) && long(room) {
            self.queue.truncate(from);
            self.split_hard(unit.span, room);
        }
        if self.queue.len() - from < 2 {
            self.queue.truncate(from);
            return false;
        }
        self.queue[from..].reverse();
        true
    }

    /// Header and first row stay together; every later row brings the header with it.
    fn split_table(&mut self, unit: Unit, header_end: usize) {
        let text = self.packing.document.text.as_str();
        let header = Span::new(unit.span.start, header_end);
        let repeated = self.packing.count(header.start, header.end) * 3 <= self.packing.limits.max;
        let mut rows = lines_of(text, Span::new(header_end, unit.span.end));
        let first = rows.next().map_or(header, |row| Span::new(header.start, row.end));
        self.queue.push(Unit { span: first, kind: UnitKind::Row { header: None } });
        let kind = UnitKind::Row { header: repeated.then_some(header) };
        self.queue.extend(rows.map(|span| Unit { span, kind }));
    }

    /// Splits what has no better place for it: at a line end, else at white space, else between characters.
    fn split_hard(&mut self, span: Span, room: usize) {
        let text = self.packing.document.text.as_str();
        let mut at = span.start;
        while at < span.end {
            let rest = &text[at..span.end];
            let mut chars = room.max(1) * CHARS_PER_TOKEN;
            let window = loop {
                let end = rest.char_indices().nth(chars).map_or(rest.len(), |(i, _)| i);
                let count = self.packing.tokens.count(&rest[..end]);
                if count <= room || chars == 1 {
                    break &rest[..end];
                }
                chars = (chars * room / count).clamp(1, chars - 1);
            };
            let mut cut = window.len();
            if cut < rest.len() {
                let tail = window.ceil_char_boundary(cut - cut / 3);
                let place = window[tail..].rfind('\n').or_else(|| window[tail..].rfind(char::is_whitespace));
                cut = place.map_or(cut, |i| tail + i).max(1);
            }
            let end = at + window[..cut].trim_end().len();
            if at < end {
                self.queue.push(Unit { span: Span::new(at, end), kind: UnitKind::Fragment });
            }
            at += cut;
            at += text[at..span.end].len() - text[at..span.end].trim_start().len();
        }
    }
}

/// The lines of `span` that hold text, without their line breaks.
fn lines_of(text: &str, span: Span) -> impl Iterator<Item = Span> {
    let mut at = span.start;
    span.of(text).split_inclusive('\n').filter_map(move |line| {
        let start = at;
        at += line.len();
        let end = start + line.trim_end().len();
        (start < end).then_some(Span::new(start, end))
    })
}
