//! Splitting a block that is too long: sentences, table rows with their header, lines, and at last characters.

use super::{GroupPacker, Head, Unit, UnitKind};
use crate::document::{BlockKind, Document, Span};
use crate::language::sentence::{Lines, sentences};
use crate::tokens::CHARS_PER_TOKEN;

/// Atomic blocks longer than this (tokens) are split at line ends. No embedding service reads further (32,000
/// characters), so the rest could never be found by meaning.
const ATOMIC_LIMIT: usize = 8000;

/// Maximum number of letters of the title of a table, and of a row that names those below it.
const LONGEST_TITLE: usize = 160;

impl GroupPacker<'_> {
    /// Queues `unit` in at least two parts, if it may be split; `room` is what a chunk of its own has left.
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

    /// Header and first row stay together, and so do a band and the first row that it names. Every later row is
    /// repeated with its header and band.
    fn split_table(&mut self, unit: Unit, header_end: usize) {
        let text = self.packing.document.text.as_str();
        let header = Span::new(unit.span.start, header_end);
        let rows: Vec<Span> = lines_of(text, Span::new(header_end, unit.span.end)).collect();
        let bands = bands(text, &rows);
        let room = self.packing.limits.max;
        let tokens = |span: Option<Span>| span.map_or(0, |span| self.packing.count(span.start, span.end));
        let repeated = tokens(Some(header)) * 3 <= room;
        let title = self.title_of(unit.span);
        let mut units = Vec::with_capacity(rows.len());
        let mut from = None;
        for (index, row) in rows.iter().enumerate() {
            let start = *from.get_or_insert(row.start);
            if index + 1 < rows.len() && is_band(row.of(text)) && is_of(&bands[index + 1], *row) {
                continue;
            }
            // If the unit begins with a band, that band is not repeated above it.
            let above = bands[index].map(|band| band.filter(|band| band.start < start));
            let fits = above.iter().map(|band| tokens(*band)).sum::<usize>() * 6 <= room;
            let bands = if fits { above } else { [None; 2] };
            let head = (repeated && !units.is_empty()).then_some(Head { title, header, bands });
            let start = if units.is_empty() { header.start } else { start };
            units.push(Unit { span: Span::new(start, row.end), kind: UnitKind::Row { head } });
            from = None;
        }
        if units.is_empty() {
            units.push(Unit { span: header, kind: UnitKind::Row { head: None } });
        }
        self.queue.extend(units);
    }

    /// The line right above a table that says what it is about: a short paragraph that is no sentence, and leaves room.
    pub(super) fn title_of(&self, table: Span) -> Option<Span> {
        let Document { text, blocks, .. } = self.packing.document;
        let next = blocks.partition_point(|block| block.span.start < table.start);
        let block = blocks.get(next.checked_sub(1)?)?;
        let words = block.span.of(text).trim();
        let short = words.chars().count() <= LONGEST_TITLE
            && self.packing.count(block.span.start, block.span.end) * 6 <= self.packing.limits.max
            && !words.contains('\n')
            && !words.ends_with(['.', '!', '?']);
        (block.kind == BlockKind::Paragraph && short).then_some(block.span)
    }

    /// Splits text without a better place: at a line end, else at white space, else between characters.
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

/// For each row the bands that name it. Bands are rows with only a label; one right below another is inside it.
fn bands(text: &str, rows: &[Span]) -> Vec<[Option<Span>; 2]> {
    let alone: Vec<bool> = rows.iter().map(|row| is_band(row.of(text))).collect();
    let pairs = alone.windows(2).any(|two| two[0] && two[1]);
    let mut open = [None, None];
    let mut out = Vec::with_capacity(rows.len());
    for (index, row) in rows.iter().enumerate() {
        out.push(open);
        if !alone[index] {
            continue;
        }
        let inside = index > 0 && alone[index - 1];
        let holds = alone.get(index + 1).copied().unwrap_or(false);
        open = match (pairs, inside, holds) {
            (false, ..) | (true, false, true) => [Some(*row), None],
            (true, true, _) => [open[0], Some(*row)],
            (true, false, false) => [open[0], Some(*row)],
        };
        out[index] = [open[0].filter(|band| band != row), None];
    }
    out
}

/// Whether `row` is among the bands of another.
fn is_of(bands: &[Option<Span>; 2], row: Span) -> bool {
    bands.contains(&Some(row))
}

/// Whether a row of a table has words in its first cell alone.
fn is_band(row: &str) -> bool {
    let cells = row.trim().trim_start_matches('|');
    let Some((first, rest)) = cells.split_once(" |") else { return false };
    let words = first.trim();
    let named = words.chars().any(char::is_alphabetic) && words.chars().count() <= LONGEST_TITLE;
    named && rest.contains('|') && rest.chars().all(|c| matches!(c, '|' | ' '))
}

/// The lines of `span` with text, without their line breaks.
fn lines_of(text: &str, span: Span) -> impl Iterator<Item = Span> {
    let mut at = span.start;
    span.of(text).split_inclusive('\n').filter_map(move |line| {
        let start = at;
        at += line.len();
        let end = start + line.trim_end().len();
        (start < end).then_some(Span::new(start, end))
    })
}
