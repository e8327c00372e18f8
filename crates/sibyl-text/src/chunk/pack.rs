//! Packs the blocks of a document into chunks that never cross a heading. Whole blocks come first, and sentences
//! where a block is too long. Table rows repeat their header, and overlaps are whole sentences.
//!
//! Every block is measured a fixed number of times, so the work grows with the text and not faster.

mod cut;
mod group;

use super::limits::Limits;
use super::{Piece, Role, joined};
use crate::document::{Block, BlockKind, Document, Span, section_at};
use crate::language::sentence::{Lines, sentences};
use crate::tokens::TokenCounter;
use group::{Group, groups, is_bare};

/// How a document is packed.
pub(super) struct Packing<'a> {
    /// The document.
    pub document: &'a Document,
    /// Counts tokens.
    pub tokens: &'a dyn TokenCounter,
    /// Sizes.
    pub limits: Limits,
    /// Deepest heading level that starts a chunk.
    pub split_level: usize,
    /// Whether tables are never split.
    pub keep_tables: bool,
    /// What stays with the section after it.
    pub orphans: Orphans,
    /// The context header of a section; empty for none.
    pub header: &'a dyn Fn(Option<usize>) -> String,
}

/// Which sections are too small to stand alone and are joined to the following one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Orphans {
    /// None.
    Stay,
    /// Headings without text of their own.
    Headings,
    /// Those, and sections below the minimum that a subsection follows.
    Short,
}

/// A packed chunk, before a strategy adds its metadata.
pub(super) struct Packed {
    /// The section in which its text begins; if it has only headings, that of the first.
    pub section: Option<usize>,
    /// Its pieces.
    pub pieces: Vec<Piece>,
    /// Its own text.
    pub body: Span,
    /// Whether an atomic block made it too long.
    pub oversize: bool,
    /// Bytes of code in it.
    pub code: usize,
    /// Bytes of tables in it.
    pub table: usize,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum UnitKind {
    Heading {
        /// Whether it is of a level that starts a chunk.
        splits: bool,
    },
    /// Text that may be split into sentences.
    Prose(Lines),
    Sentence,
    /// Sentence of a heading that is itself too long.
    HeadingSentence,
    /// Part of a sentence or line that is itself too long.
    Fragment,
    Code,
    /// An admonition.
    Whole,
    Table {
        header_end: usize,
    },
    Row {
        head: Option<Head>,
    },
    /// A line of an atomic block that is far too long.
    Line {
        code: bool,
    },
}

/// What a row of a table is repeated with where a chunk begins at it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Head {
    /// The line above the table that says what it is about.
    title: Option<Span>,
    header: Span,
    /// The rows that name those below them, the outermost first.
    bands: [Option<Span>; 2],
}

impl Head {
    /// Its parts in order, each with its role.
    fn parts(self) -> impl Iterator<Item = (Span, Role)> {
        let title = self.title.map(|span| (span, Role::LeadIn));
        let bands = self.bands.into_iter().flatten().map(|span| (span, Role::TableHeader));
        title.into_iter().chain([(self.header, Role::TableHeader)]).chain(bands)
    }
}

#[derive(Debug, Clone, Copy)]
struct Unit {
    span: Span,
    kind: UnitKind,
}

impl Unit {
    fn of(block: &Block, split_level: usize) -> Self {
        let kind = match block.kind {
            BlockKind::Heading(level) => UnitKind::Heading { splits: usize::from(level) <= split_level },
            BlockKind::Paragraph
            | BlockKind::Item
            | BlockKind::Rule
            | BlockKind::KeyFigure
            | BlockKind::Figure
            | BlockKind::Contents => UnitKind::Prose(Lines::Wrapped),
            BlockKind::Quote | BlockKind::Html => UnitKind::Prose(Lines::Meant),
            BlockKind::Code => UnitKind::Code,
            BlockKind::Admonition => UnitKind::Whole,
            BlockKind::Table { header_end } => UnitKind::Table { header_end },
        };
        Self { span: block.span, kind }
    }

    const fn is_heading(&self) -> bool {
        matches!(self.kind, UnitKind::Heading { .. })
    }

    /// Whether it is a table or a part of one.
    const fn is_of_table(&self) -> bool {
        matches!(self.kind, UnitKind::Table { .. } | UnitKind::Row { .. })
    }

    /// Whether it may be repeated, whole or in sentences, as overlap.
    const fn repeats(&self) -> bool {
        !matches!(
            self.kind,
            UnitKind::Heading { .. }
                | UnitKind::HeadingSentence
                | UnitKind::Row { .. }
                | UnitKind::Line { .. }
                | UnitKind::Fragment
        )
    }

    /// Whether it may be part of an oversized chunk.
    const fn atomic(&self) -> bool {
        matches!(
            self.kind,
            UnitKind::Code
                | UnitKind::Whole
                | UnitKind::Table { .. }
                | UnitKind::Row { .. }
                | UnitKind::Line { .. }
        )
    }
}

/// Packs the whole document.
pub(super) fn pack(packing: &Packing<'_>) -> Vec<Packed> {
    let mut out = Vec::new();
    let mut group_packer = GroupPacker::new(packing);
    for group in groups(packing) {
        group_packer.pack(&group, &mut out);
    }
    out
}

impl Packing<'_> {
    fn count(&self, start: usize, end: usize) -> usize {
        self.tokens.count(&self.document.text[start..end])
    }

    /// The section in which the text of `body` begins. It is that of its first block with content, which headings
    /// and rules do not have.
    fn section_of(&self, body: Span) -> Option<usize> {
        let Document { blocks, sections, .. } = self.document;
        let first = blocks.partition_point(|block| block.span.end <= body.start);
        let mut inside = blocks[first..].iter().take_while(|block| block.span.start < body.end);
        let begins = inside.find(|block| !is_bare(self.document, block));
        section_at(sections, begins.map_or(body.start, |block| block.span.start.max(body.start)))
    }
}

/// Packs one group after the other, with its buffers kept.
struct GroupPacker<'a> {
    packing: &'a Packing<'a>,
    /// Units in their final division.
    placed: Vec<Unit>,
    /// Indices into `placed` at which chunks start.
    starts: Vec<usize>,
    /// Units still to place, the next one last.
    queue: Vec<Unit>,
    /// For each block of the group, its start and the tokens of the longest header that a chunk beginning in it may have.
    headers: Vec<(usize, usize)>,
    /// Tokens of the chunk being filled, with header and room for the overlap.
    current: usize,
    /// Tokens of its own text.
    body: usize,
    /// Whether it has more than headings.
    content: bool,
}

impl<'a> GroupPacker<'a> {
    fn new(packing: &'a Packing<'a>) -> Self {
        let (placed, starts, queue, headers) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        Self { packing, placed, starts, queue, headers, current: 0, body: 0, content: false }
    }

    fn pack(&mut self, group: &Group, out: &mut Vec<Packed>) {
        let packing = self.packing;
        let blocks = &packing.document.blocks[group.blocks.clone()];
        self.measure_headers(blocks);
        self.placed.clear();
        self.starts.clear();
        (self.current, self.body, self.content) = (0, 0, false);
        for block in blocks {
            self.queue.push(Unit::of(block, packing.split_level));
            while let Some(unit) = self.queue.pop() {
                self.place(unit);
            }
        }
        self.mend_last();
        self.emit(out);
    }

    /// A chunk takes the header of its first block with content. Without one, as for a long heading alone, it
    /// takes that of the block in which it begins.
    fn measure_headers(&mut self, blocks: &[Block]) {
        let Document { sections, .. } = self.packing.document;
        self.headers.clear();
        let mut known: Option<(Option<usize>, usize)> = None;
        let mut says = 0;
        for block in blocks.iter().rev() {
            let section = section_at(sections, block.span.start);
            let own = match known {
                Some((last, tokens)) if last == section => tokens,
                _ => self.header_tokens(section),
            };
            known = Some((section, own));
            if !is_bare(self.packing.document, block) {
                says = own;
            }
            self.headers.push((block.span.start, own.max(says)));
        }
        self.headers.reverse();
    }

    /// Tokens of the longest header that a chunk may have whose text begins at `start`.
    fn header_at(&self, start: usize) -> usize {
        let after = self.headers.partition_point(|(block, _)| *block <= start);
        after.checked_sub(1).map_or(0, |block| self.headers[block].1)
    }

    /// Tokens of the header of `section`, with the blank line after it.
    fn header_tokens(&self, section: Option<usize>) -> usize {
        let mut header = (self.packing.header)(section);
        if !header.is_empty() {
            header.push_str("\n\n");
        }
        self.packing.tokens.count(&header)
    }

    /// Puts `unit` into the chunk being filled, into a new one, or back into the queue in parts.
    fn place(&mut self, unit: Unit) {
        let Limits { target, min, max, .. } = self.packing.limits;
        let Some(last) = self.placed.last().copied() else {
            return self.place_fresh(unit);
        };
        let more = self.packing.count(last.span.end, unit.span.end);
        let joined = self.current + more;
        let short = self.body < min || !self.content;
        if unit.is_heading() && !short && joined + min > target {
            return self.place_fresh(unit);
        }
        let nearer = joined.saturating_sub(target) < target.saturating_sub(self.current);
        if joined <= target || (joined <= max && (short || nearer)) {
            return self.push(unit, more);
        }
        let first = self.starts.last().map_or(unit, |&start| self.placed[start]);
        let taken = self.header_at(first.span.start) + self.packing.limits.overlap;
        if short && self.split(unit, max.saturating_sub(taken)) {
            return;
        }
        // A heading is torn from what follows only where the two are too long and nothing atomic excuses it.
        if self.content || !unit.atomic() { self.place_fresh(unit) } else { self.push(unit, more) }
    }

    /// Starts a chunk with `unit`.
    fn place_fresh(&mut self, unit: Unit) {
        let more = self.packing.count(unit.span.start, unit.span.end);
        let base = self.base(self.placed.last(), unit);
        let room = self.packing.limits.max.saturating_sub(base);
        if more > room && self.split(unit, room) {
            return;
        }
        self.mend_last();
        self.starts.push(self.placed.len());
        (self.current, self.body, self.content) = (base, 0, false);
        self.push(unit, more);
    }

    fn push(&mut self, unit: Unit, more: usize) {
        self.placed.push(unit);
        self.current += more;
        self.body += more;
        self.content |= !unit.is_heading();
    }

    /// What a chunk that starts with `unit` has before its own text: header, and room for repeated text.
    fn base(&self, previous: Option<&Unit>, unit: Unit) -> usize {
        let repeated = match (unit.kind, previous) {
            (UnitKind::Row { head: Some(head) }, _) => self.head_tokens(head),
            (_, Some(previous)) if unit.is_of_table() => {
                let title = self.title_of(unit.span);
                let title = title.map_or(0, |title| self.packing.count(title.start, title.end) + 1);
                title.max(if previous.repeats() { self.packing.limits.overlap } else { 0 })
            }
            // Text under another heading is not repeated, even if it is too short for a chunk of its own.
            (_, None) | (UnitKind::Heading { splits: true }, _) => 0,
            (_, Some(previous)) if !previous.repeats() => 0,
            (_, Some(_)) => self.packing.limits.overlap,
        };
        self.header_at(unit.span.start) + repeated
    }

    /// Tokens of what is repeated with a row, including the line breaks after it.
    fn head_tokens(&self, head: Head) -> usize {
        head.parts().map(|(span, _)| self.packing.count(span.start, span.end) + 1).sum()
    }

    /// A finished chunk below the minimum joins the one before it, or takes some of its text.
    fn mend_last(&mut self) {
        let Limits { min, max, .. } = self.packing.limits;
        let [.., before, last] = self.starts[..] else { return };
        let end = self.placed[self.placed.len() - 1].span.end;
        // Counted as a whole: many small blocks, each rounded up, would seem to reach the minimum.
        self.body = self.packing.count(self.placed[last].span.start, end);
        if self.body >= min {
            return;
        }
        let previous = before.checked_sub(1).map(|i| self.placed[i]);
        let first = self.placed[before];
        let whole = self.packing.count(first.span.start, end);
        if self.base(previous.as_ref(), first) + whole <= max {
            self.starts.pop();
            return;
        }
        if self.move_tail(before, last, whole) {
            return;
        }
        // No block can move whole: the last one before the split moves in sentences.
        let unit = self.placed[last - 1];
        let UnitKind::Prose(lines) = unit.kind else { return };
        let parts = sentences(&self.packing.document.text, unit.span, lines);
        let parts: Vec<Unit> = parts.map(|span| Unit { span, kind: UnitKind::Sentence }).collect();
        let moved = last - 1 + parts.len();
        self.placed.splice(last - 1..last, parts);
        self.starts.pop();
        self.starts.push(moved);
        self.move_tail(before, moved, whole);
    }

    /// Moves the last split backwards until the tail has the minimum and the chunk before it keeps it.
    fn move_tail(&mut self, before: usize, last: usize, whole: usize) -> bool {
        let Limits { min, max, .. } = self.packing.limits;
        let mut tail = self.body;
        for cut in (before + 1..last).rev() {
            tail += self.packing.count(self.placed[cut].span.start, self.placed[cut + 1].span.start);
            let (left, unit) = (self.placed[cut - 1], self.placed[cut]);
            if whole.saturating_sub(tail) < min || self.base(Some(&left), unit) + tail > max {
                return false;
            }
            if tail >= min && !left.is_heading() {
                self.starts.pop();
                self.starts.push(cut);
                return true;
            }
        }
        false
    }

    fn emit(&self, out: &mut Vec<Packed>) {
        let max = self.packing.limits.max;
        for (index, &start) in self.starts.iter().enumerate() {
            let end = self.starts.get(index + 1).copied().unwrap_or(self.placed.len());
            let units = &self.placed[start..end];
            let (Some(first), Some(last)) = (units.first(), units.last()) else { continue };
            let body = Span::new(first.span.start, last.span.end);
            let section = self.packing.section_of(body);
            let header = (self.packing.header)(section);
            let mut size = self.header_tokens(section) + self.packing.count(body.start, body.end);
            let mut pieces = Vec::with_capacity(3);
            if !header.is_empty() {
                pieces.push(Piece::Generated { text: header });
            }
            if let UnitKind::Row { head: Some(head) } = first.kind {
                size += self.head_tokens(head);
                pieces.extend(head.parts().map(|(span, role)| Piece::Source { span, role }));
            } else if index > 0 && first.kind != (UnitKind::Heading { splits: true }) {
                let before = &self.placed[self.starts[index - 1]..start];
                if let Some((from, tokens)) = self.overlap(before, body.start, max.saturating_sub(size)) {
                    size += tokens;
                    let to = self.placed[start - 1].span.end;
                    pieces.push(Piece::Source { span: Span::new(from, to), role: Role::Overlap });
                } else if let Some(title) = self.title_of(body).filter(|_| first.is_of_table()) {
                    size += self.packing.count(title.start, title.end) + 1;
                    pieces.push(Piece::Source { span: title, role: Role::LeadIn });
                }
            }
            pieces.push(Piece::Source { span: body, role: Role::Body });
            let (mut code, mut table) = (0, 0);
            for unit in units {
                match unit.kind {
                    UnitKind::Code | UnitKind::Line { code: true } => code += unit.span.len(),
                    UnitKind::Table { .. } | UnitKind::Row { .. } => table += unit.span.len(),
                    _ => {}
                }
            }
            // Its parts are rounded up one by one, so that a chunk just within the maximum may seem to exceed it.
            let oversize = size > max && {
                let Packing { document, tokens, .. } = self.packing;
                tokens.count(&joined(&pieces, &document.text)) > max
            };
            out.push(Packed { section, pieces, body, oversize, code, table });
        }
    }

    /// Start and tokens of the overlap with the units `before` a chunk that starts at `body`. It is as many whole
    /// sentences (or whole small blocks) as come nearest to the requested size, within `room`.
    fn overlap(&self, before: &[Unit], body: usize, room: usize) -> Option<(usize, usize)> {
        let asked = self.packing.limits.overlap;
        let (mut from, mut total) = (body, 0);
        let mut parts: Vec<Span> = Vec::new();
        for unit in before.iter().rev() {
            parts.clear();
            match unit.kind {
                _ if !unit.repeats() => break,
                UnitKind::Prose(lines) => {
                    parts.extend(sentences(&self.packing.document.text, unit.span, lines))
                }
                _ => parts.push(unit.span),
            }
            for part in parts.iter().rev() {
                let tokens = total + self.packing.count(part.start, from);
                let takes = tokens <= asked || tokens - asked < asked - total;
                if tokens > room || !takes {
                    return (from < body).then_some((from, total));
                }
                (from, total) = (part.start, tokens);
                if total >= asked {
                    return Some((from, total));
                }
            }
        }
        (from < body).then_some((from, total))
    }
}
