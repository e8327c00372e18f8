//! Units become chunks: pieces, parents and metadata.

use super::edition::Editions;
use super::line::Opening;
use super::outline::{Item, Unit, own};
use super::{counterpart, place};
use crate::chunk::{Chunk, ChunkContext, Piece, Role, part};
use crate::document::{Document, Span};
use crate::language::sentence::{Lines, sentences};
use crate::reference::ifrs::detect_in;
use crate::reference::ifrs::id::Standard;
use serde_json::{Map, Value, json};
use std::ops::Range;

/// The strategy's settings.
#[derive(Debug, Clone, Copy)]
pub(super) struct Rules {
    /// Longest chunk in tokens.
    pub(super) max: usize,
    /// Whether chunks open with the context header.
    pub(super) header: bool,
    /// Whether items get chunks of their own.
    pub(super) items: bool,
    /// Whether items repeat what leads into them.
    pub(super) lead_in: bool,
}

/// Longest lead-in from running text, if paragraph or item have no title (tokens).
const LONGEST_LEAD_IN: usize = 120;

/// Makes chunks in reading order, parents first.
pub(super) struct Writer<'a> {
    document: &'a Document,
    rules: Rules,
    context: &'a ChunkContext<'a>,
    home: Option<Standard>,
    editions: Editions<'a>,
    /// The chunks so far.
    pub(super) chunks: Vec<Chunk>,
}

/// What all chunks of a unit share.
struct UnitContext<'a> {
    standard: Option<Standard>,
    path: &'a [String],
    metadata: Map<String, Value>,
}

/// What a chunk is made from.
#[derive(Clone)]
struct Passage<'a> {
    span: Span,
    id: Option<&'a str>,
    label: Option<String>,
    /// The stretches outside its own items.
    own: Vec<Span>,
    /// Ids of the items directly inside it.
    inner: Vec<&'a str>,
    /// Where its items begin: good places to split.
    starts: Vec<usize>,
    lead_in: Vec<Span>,
    parent: Option<usize>,
    /// Editions of the standard that it belongs to, if its document names any.
    editions: Option<Value>,
}

impl Passage<'_> {
    /// The passage up to its first item, as the editions have it that have other items in it.
    fn leading(&self, (editions, end): (Value, usize)) -> Self {
        let span = Span::new(self.span.start, end);
        let own = self.own.iter().copied().filter(|own| own.end <= end).collect();
        Self { span, own, starts: Vec::new(), editions: Some(editions), ..self.clone() }
    }
}

impl<'a> Writer<'a> {
    pub(super) fn new(
        document: &'a Document,
        rules: Rules,
        context: &'a ChunkContext<'a>,
        home: Option<Standard>,
    ) -> Self {
        Self { document, rules, context, home, editions: Editions::of(document), chunks: Vec::new() }
    }

    /// Adds the chunks of a unit; `announced` is the id or range that its heading names, if the unit has none of
    /// its own.
    pub(super) fn unit(&mut self, unit: &Unit, announced: Option<&Opening>) {
        let opening = unit.opening.as_ref().or(announced);
        let standard = opening.map(|o| o.standard).or(self.home);
        let id = opening.map(|o| match o.last {
            Some(last) if unit.opening.is_none() => format!("{}-{last}", o.id),
            _ => o.id.clone(),
        });
        let pillar = place::pillar(opening, &unit.path);
        let mut metadata = Map::new();
        metadata.insert("standard".to_owned(), json!(standard.map(Standard::code)));
        metadata.insert("pillar".to_owned(), json!(pillar));
        metadata.insert("section".to_owned(), json!(place::section(&unit.path, pillar)));
        metadata.insert("heading_path".to_owned(), json!(unit.path));
        if let Some((kind, language)) = &unit.marks {
            metadata.insert("kind".to_owned(), json!(kind));
            metadata.insert("language".to_owned(), json!(language));
        }
        let place = UnitContext { standard, path: &unit.path, metadata };
        let whole = Passage {
            span: unit.span,
            id: id.as_deref(),
            label: unit.title.map(|t| plain(t.of(&self.document.text))),
            own: own(unit, None),
            inner: unit.items.iter().filter(|i| i.parent.is_none()).map(|i| i.id.as_str()).collect(),
            starts: unit.items.iter().map(|i| i.span.start).collect(),
            lead_in: Vec::new(),
            parent: None,
            editions: self.editions.passage(unit, None),
        };
        let leading = self.editions.leading(unit, None).filter(|_| self.rules.items);
        let leading = leading.map(|leading| whole.leading(leading));
        let parts = self.push(whole, &place);
        if let Some(leading) = leading {
            self.push(leading, &place);
        }
        if self.rules.items {
            self.items(unit, &place, parts);
        }
    }

    /// Adds a chunk for each item; `paragraph` are the chunks of the paragraph around them.
    fn items(&mut self, unit: &Unit, place: &UnitContext<'_>, paragraph: Range<usize>) {
        let mut made: Vec<Range<usize>> = Vec::with_capacity(unit.items.len());
        for (n, item) in unit.items.iter().enumerate() {
            let mut above = item.parent.map_or(&paragraph, |p| &made[p]).clone();
            let first = above.start;
            let holder = above.find(|&c| self.chunks[c].extent().end > item.span.start).unwrap_or(first);
            let inner = || unit.items[n + 1..].iter().take_while(|i| i.span.start < item.span.end);
            let passage = Passage {
                span: item.span,
                id: Some(&item.id),
                label: item.title.map(|t| without_mark(&plain(t.of(&self.document.text)))),
                own: own(unit, Some(n)),
                inner: inner().filter(|i| i.parent == Some(n)).map(|i| i.id.as_str()).collect(),
                starts: inner().map(|i| i.span.start).collect(),
                lead_in: if self.rules.lead_in { self.lead_in(unit, item) } else { Vec::new() },
                parent: Some(holder),
                editions: self.editions.passage(unit, Some(n)),
            };
            let leading = self.editions.leading(unit, Some(n)).map(|leading| passage.leading(leading));
            made.push(self.push(passage, place));
            if let Some(leading) = leading {
                self.push(leading, place);
            }
        }
    }

    /// What leads into an item: the paragraph's title and the titles of the items around it. Without titles, it is
    /// the end of the words that introduce the list.
    fn lead_in(&self, unit: &Unit, item: &Item) -> Vec<Span> {
        let mut around = Vec::new();
        let mut at = item.parent;
        while let Some(parent) = at {
            around.push(parent);
            at = unit.items[parent].parent;
        }
        let first_inside = |n: usize| unit.items.get(n).map_or(item.span.start, |i| i.span.start);
        let words = unit.opening.as_ref().map_or(unit.words, |o| o.rest.max(unit.words));
        let paragraph = unit.title.or_else(|| self.last_sentences(Span::new(words, first_inside(0))));
        let items = around.into_iter().rev().map(|n| {
            let above = &unit.items[n];
            above.title.or_else(|| self.last_sentences(Span::new(above.span.start, first_inside(n + 1))))
        });
        let lead_in = std::iter::once(paragraph).chain(items).flatten();
        lead_in.filter(|s| s.end <= item.span.start && !s.is_empty()).collect()
    }

    /// As many of the last sentences of `span` as fit a lead-in.
    fn last_sentences(&self, span: Span) -> Option<Span> {
        let text = &self.document.text;
        let from = text.ceil_char_boundary(span.start.max(span.end.saturating_sub(LONGEST_LEAD_IN * 8)));
        let span = trim(text, Span::new(from, span.end.max(from)))?;
        let fits = |start: &usize| self.context.tokens.count(&text[*start..span.end]) <= LONGEST_LEAD_IN;
        sentences(text, span, Lines::Wrapped)
            .map(|s| s.start)
            .find(fits)
            .map(|start| Span::new(start, span.end))
    }

    /// Adds the parts of a passage and says which chunks they are.
    fn push(&mut self, passage: Passage<'_>, place: &UnitContext<'_>) -> Range<usize> {
        let first = self.chunks.len();
        let text = &self.document.text;
        let Some(span) = trim(text, passage.span) else { return first..first };
        let tokens = self.context.tokens;
        let mut header = self.rules.header.then(|| place::header(place.standard, place.path, passage.id));
        if header.as_ref().is_some_and(|h| tokens.count(h) * 3 > self.rules.max) {
            header = Some(place::header(place.standard, &[], passage.id));
        }
        let repeated: usize = passage.lead_in.iter().map(|s| tokens.count(s.of(text)) + 1).sum();
        let lead_in = if repeated * 2 > self.rules.max { &[] } else { passage.lead_in.as_slice() };
        let repeated = if lead_in.is_empty() { 0 } else { repeated };
        let frame = header.as_ref().map_or(0, |h| tokens.count(h)) + repeated + FRAME;
        let parts = part::cut(
            text,
            span,
            self.rules.max.saturating_sub(frame),
            tokens,
            part::Places { named: &passage.starts, whole: &[], uncut: span.end },
        );
        let mut metadata = self.metadata(&passage, place);
        let count = parts.len();
        for (n, span) in parts.into_iter().enumerate() {
            let mark = (count > 1).then(|| format!("[Part {}/{count}]", n + 1));
            let mut pieces = Vec::with_capacity(2 + lead_in.len());
            let generated: Vec<&str> = header.as_deref().into_iter().chain(mark.as_deref()).collect();
            if !generated.is_empty() {
                pieces.push(Piece::Generated { text: generated.join(" ") });
            }
            pieces.extend(lead_in.iter().map(|&span| Piece::Source { span, role: Role::LeadIn }));
            pieces.push(Piece::Source { span: span.trimmed_end(text), role: Role::Body });
            metadata.insert("part".to_owned(), json!(n + 1));
            metadata.insert("parts".to_owned(), json!(count));
            if let Some((start, end)) = self.document.pages_of(span) {
                metadata.insert("page_start".to_owned(), json!(start));
                metadata.insert("page_end".to_owned(), json!(end));
            }
            self.chunks.push(Chunk {
                pieces,
                parent: passage.parent,
                oversize: false,
                metadata: metadata.clone(),
            });
        }
        first..self.chunks.len()
    }

    fn metadata(&self, passage: &Passage<'_>, place: &UnitContext<'_>) -> Map<String, Value> {
        let mut metadata = Map::new();
        metadata.insert("paragraph_id".to_owned(), json!(passage.id));
        metadata.extend(place.metadata.clone());
        metadata.insert("sub_requirements".to_owned(), json!(passage.inner));
        let answer = passage.id.filter(|_| place.standard == Some(Standard::S2));
        metadata.insert(
            "s1_counterpart".to_owned(),
            json!(answer.and_then(|id| counterpart::of(self.context.counterparts, id))),
        );
        metadata.insert("label".to_owned(), json!(passage.label));
        let (terms, cites) = self.references(passage);
        metadata.insert("terms".to_owned(), json!(terms));
        metadata.insert("cites".to_owned(), json!(cites));
        let amended = passage.own.iter().any(|s| s.of(&self.document.text).contains("*Amended "));
        metadata.insert("amended".to_owned(), json!(amended));
        if let Some(editions) = &passage.editions {
            metadata.insert("editions".to_owned(), editions.clone());
        }
        metadata
    }

    /// Ids of the defined terms and of the paragraphs that the passage's own words name. The line with the
    /// counterpart is no citation.
    fn references(&self, passage: &Passage<'_>) -> (Vec<String>, Vec<String>) {
        let (mut terms, mut cites) = (Vec::new(), Vec::new());
        let text = &self.document.text;
        let blocks = passage.own.iter().flat_map(|s| s.of(text).split("\n\n"));
        for block in blocks.filter(|b| !b.trim_start().starts_with("*Counterpart:*")) {
            for id in detect_in(block, self.home).into_iter().flat_map(|r| r.ids) {
                let list = if id.contains(".A.") { &mut terms } else { &mut cites };
                if Some(id.as_str()) != passage.id && !list.contains(&id) {
                    list.push(id);
                }
            }
        }
        (terms, cites)
    }
}

/// Tokens kept free for the part mark and the blank lines between pieces.
const FRAME: usize = 6;

/// The span without white space at its ends; `None` if nothing is left.
fn trim(text: &str, span: Span) -> Option<Span> {
    let words = span.of(text);
    let start = span.start + (words.len() - words.trim_start().len());
    let end = span.start + words.trim_end().len();
    (start < end).then(|| Span::new(start, end))
}

/// A title on one line.
fn plain(title: &str) -> String {
    title.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// `(iv) Transition plan.` as `Transition plan`.
fn without_mark(title: &str) -> String {
    let words = title.split_once(") ").filter(|_| title.starts_with('(')).map_or(title, |(_, words)| words);
    words.trim_end_matches('.').to_owned()
}
