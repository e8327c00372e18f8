//! Numbered paragraphs of any standard: one chunk for each paragraph, and one for each item inside it.
//!
//! A paragraph begins with its number, in a heading (`### Disclosure 305-1 Direct emissions`) or in a label in
//! bold (`**305-1 · Direct emissions**`). Items are those of a list, such as `- (a) gross volumes`.

use super::part::{self, Places};
use super::{Chunk, ChunkContext, Piece, Role, Strategy, context_header, limits};
use crate::document::{Block, BlockKind, Document, Span};
use crate::param::{Param, ParamKind, Settings};
use crate::source_type;
use serde_json::{Map, Value, json};

/// Chunks standards into paragraphs and items.
pub struct Paragraphs;

const MAX: &str = "max_tokens";

static PARAMS: [Param; 2] = [
    Param {
        name: MAX,
        kind: ParamKind::Integer { min: 200, max: 8_000, default: 1_500 },
        unit: "tokens",
        description: "Longest chunk; a longer paragraph is split at the end of an item or sentence.",
    },
    limits::CONTEXT_HEADER,
];

impl Strategy for Paragraphs {
    fn name(&self) -> &'static str {
        "paragraphs"
    }
    fn summary(&self) -> &'static str {
        "Standards of any issuer: by numbered paragraph, such as 305-1, with each item as a separate hit."
    }
    fn params(&self) -> &'static [Param] {
        &PARAMS
    }
    fn has_units(&self) -> bool {
        true
    }
    fn cut(&self, document: &Document, settings: &Settings, context: &ChunkContext<'_>) -> Vec<Chunk> {
        let text = |name: &str| document.metadata.get(name).and_then(Value::as_str);
        let max = settings.integer(MAX);
        let mut writer = Writer {
            document,
            context,
            standard: text("standard").or(document.title.as_deref()),
            max,
            headed: settings.switch(limits::CONTEXT_HEADER.name),
            chunks: Vec::new(),
        };
        for unit in units(document) {
            writer.unit(&unit);
        }
        writer.chunks
    }
}

/// The text between two paragraph numbers or headings.
struct Unit<'a> {
    span: Span,
    section: Option<usize>,
    /// Whether it begins with a heading.
    headed: bool,
    opening: Option<Opening<'a>>,
    items: Vec<Item>,
}

/// Number and label with which a paragraph opens.
struct Opening<'a> {
    id: &'a str,
    label: &'a str,
}

/// An item of a paragraph.
struct Item {
    span: Span,
    depth: u8,
    /// Its mark, such as `(a)`.
    mark: String,
    /// The item around it.
    parent: Option<usize>,
}

/// The units of `document`, in order.
fn units(document: &Document) -> Vec<Unit<'_>> {
    let text = document.text.as_str();
    let mut units: Vec<Unit<'_>> = Vec::new();
    for block in document.blocks.iter().filter(|block| document.body.contains(block.span)) {
        let heading = matches!(block.kind, BlockKind::Heading(_));
        let opening = opening(block.span.of(text), heading).filter(|_| heading || block.kind.running());
        if heading || opening.is_some() || units.is_empty() {
            let start = if units.is_empty() { document.body.start } else { block.span.start };
            if let Some(last) = units.last_mut() {
                last.span.end = start;
            }
            let section = crate::document::section_at(&document.sections, block.span.start);
            let span = Span::new(start, document.body.end);
            units.push(Unit { span, section, headed: heading, opening, items: Vec::new() });
        }
        let Some(unit) = units.last_mut().filter(|unit| unit.opening.is_some()) else { continue };
        unit.add(block, text);
    }
    if units.is_empty() && !document.body.of(text).trim().is_empty() {
        let span = document.body;
        units.push(Unit { span, section: None, headed: false, opening: None, items: Vec::new() });
    }
    units
}

impl Unit<'_> {
    /// Adds a block. An item begins with its label, and ends before the next one that is no part of it.
    fn add(&mut self, block: &Block, text: &str) {
        let item = block.kind == BlockKind::Item;
        let depth = if item { block.depth } else { 0 };
        let mark = mark(block.span.of(text)).filter(|_| item);
        if !item || mark.is_some() {
            let open =
                self.items.iter_mut().filter(|one| one.span.is_empty() && (!item || one.depth >= depth));
            open.for_each(|one| one.span.end = block.span.start);
        }
        let Some(mark) = mark else { return };
        let parent = self.items.iter().rposition(|one| one.span.is_empty() && one.depth < depth);
        // An empty span means that the end is not known yet.
        let span = Span::new(block.span.start, block.span.start);
        self.items.push(Item { span, depth, mark, parent });
    }
}

/// Words that may precede the number of a paragraph.
const KEYWORDS: [&str; 5] = ["Disclosure", "Paragraph", "Requirement", "Article", "Provision"];

/// The number and the label that `block` opens with: of a heading, or of a label in bold.
fn opening(block: &str, heading: bool) -> Option<Opening<'_>> {
    let line = block.lines().next()?.trim_start();
    let inside = if heading {
        line.trim_start_matches('#').trim()
    } else {
        line.strip_prefix("**")?.split_once("**")?.0
    };
    let rest = KEYWORDS.iter().find_map(|word| inside.strip_prefix(word)).map(str::trim_start);
    let (named, rest) = (rest.is_some(), rest.unwrap_or(inside));
    let length = rest.find(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '-' | '.')));
    let id = rest[..length.unwrap_or(rest.len())].trim_end_matches(['-', '.']);
    let steps: Vec<&str> = id.split(['-', '.']).collect();
    let numbered = steps.iter().all(|step| step.chars().any(|c| c.is_ascii_digit()) && step.len() <= 4);
    let year = steps.first().is_some_and(|step| step.len() == 4);
    if !numbered || !id.starts_with(|c: char| c.is_ascii_digit()) || !named && (steps.len() < 2 || year) {
        return None;
    }
    let label = rest[id.len()..].trim_matches(|c: char| c.is_whitespace() || "·:.–—-*#".contains(c));
    Some(Opening { id, label })
}

/// The label that an item begins with: `(a)`, also in bold.
fn mark(item: &str) -> Option<String> {
    let inside =
        item.trim_start_matches(|c: char| c.is_whitespace() || "-*+".contains(c)).strip_prefix('(')?;
    let (mark, _) = inside.split_once(')')?;
    let short = (1..=4).contains(&mark.len()) && mark.chars().all(|c| c.is_ascii_alphanumeric());
    short.then(|| format!("({mark})"))
}

/// Words that make a paragraph an obligation (ISO/IEC Directives, Part 2, section 7).
const OBLIGATIONS: [&str; 2] = ["shall", "must"];

struct Writer<'a> {
    document: &'a Document,
    context: &'a ChunkContext<'a>,
    standard: Option<&'a str>,
    max: usize,
    headed: bool,
    chunks: Vec<Chunk>,
}

impl Writer<'_> {
    fn unit(&mut self, unit: &Unit<'_>) {
        let ends = |item: &Item| if item.span.is_empty() { unit.span.end } else { item.span.end };
        let span_of = |item: &Item| Span::new(item.span.start, ends(item)).trimmed_end(&self.document.text);
        let items: Vec<Span> = unit.items.iter().map(span_of).collect();
        let mut ids: Vec<String> = Vec::new();
        for item in &unit.items {
            let outer = item.parent.map(|at| ids[at].as_str());
            let outer = outer.or(unit.opening.as_ref().map(|opening| opening.id)).unwrap_or_default();
            ids.push(format!("{outer}{}", item.mark));
        }
        let inside = |parent: Option<usize>| {
            let of = unit.items.iter().zip(&ids).filter(|(item, _)| item.parent == parent);
            of.map(|(_, id)| id.as_str()).collect::<Vec<_>>()
        };
        let starts: Vec<usize> = items.iter().map(|span| span.start).collect();
        let metadata = self.metadata(unit, unit.span, unit.opening.as_ref().map(|one| one.id), &inside(None));
        let label = unit.opening.as_ref().map(|opening| opening.label).unwrap_or_default();
        let first = self.chunks.len();
        self.push(unit, (unit.span, &starts), None, with_label(metadata, label));
        let whole = first..self.chunks.len();
        let mut made: Vec<usize> = Vec::new();
        for (at, (item, span)) in unit.items.iter().zip(&items).enumerate() {
            let holds = |chunk: &usize| self.chunks[*chunk].extent().end > span.start;
            let parent = item.parent.map(|parent| made[parent]);
            let parent = parent.or_else(|| whole.clone().find(holds).or_else(|| whole.clone().next()));
            let words = span.of(&self.document.text);
            let label =
                words.split_once(')').map_or(words, |(_, rest)| rest).lines().next().unwrap_or_default();
            let metadata = self.metadata(unit, *span, Some(&ids[at]), &inside(Some(at)));
            made.push(self.chunks.len());
            self.push(unit, (*span, &starts), parent, with_label(metadata, label));
        }
    }

    /// Adds the chunks of `span`, which is best split at `starts`.
    fn push(
        &mut self,
        unit: &Unit<'_>,
        (span, starts): (Span, &[usize]),
        parent: Option<usize>,
        metadata: Map<String, Value>,
    ) {
        let text = self.document.text.as_str();
        let path = self.standard.into_iter().chain(self.document.section_path(unit.section));
        let header =
            if self.headed { context_header(path, self.max / 4, self.context.tokens) } else { String::new() };
        let tokens = self.context.tokens;
        let budget = self.max.saturating_sub(tokens.count(&header) + 1);
        let places = Places { named: starts, whole: &[], uncut: usize::MAX };
        for part in part::cut(text, span, budget, tokens, places) {
            let part = part.trimmed_end(text);
            if part.of(text).trim().is_empty() {
                continue;
            }
            let mut pieces = Vec::with_capacity(2);
            if !header.is_empty() {
                pieces.push(Piece::Generated { text: header.clone() });
            }
            pieces.push(Piece::Source { span: part, role: Role::Body });
            self.chunks.push(Chunk { pieces, parent, oversize: false, metadata: metadata.clone() });
        }
    }

    fn metadata(&self, unit: &Unit<'_>, span: Span, id: Option<&str>, inside: &[&str]) -> Map<String, Value> {
        let mut path = self.document.section_path(unit.section);
        if unit.headed && unit.opening.is_some() {
            path.pop(); // It names the paragraph, which is not below itself.
        }
        let mut metadata = Map::new();
        let mut set = |name: &str, value: Value| drop(metadata.insert(name.to_owned(), value));
        set("standard", json!(self.standard));
        set("heading_path", json!(path));
        set("section", json!(path.last()));
        if let Some(id) = id {
            let text = span.of(&self.document.text);
            let words = |c: char| !c.is_alphanumeric();
            let asks =
                text.split(words).any(|word| OBLIGATIONS.iter().any(|own| own.eq_ignore_ascii_case(word)));
            set("paragraph_id", json!(id));
            set("kind", json!(if asks { "requirement" } else { "guidance" }));
            set("language", json!(if asks { "mandatory" } else { "explanatory" }));
            set("sub_requirements", json!(inside));
        }
        // What a kind of source lists as a field may be said by the front matter, for all its paragraphs.
        let front = &self.document.metadata;
        for field in source_type::fields() {
            let said = std::iter::once(&field.name).chain(field.entries()).find_map(|name| front.get(*name));
            let said = said.filter(|value| value.is_string() || value.is_array());
            if let (Some(value), Some(&entry)) = (said, field.entries().first()) {
                let own = metadata.entry(entry).or_insert(Value::Null);
                if own.is_null() {
                    own.clone_from(value);
                }
            }
        }
        metadata
    }
}

fn with_label(mut metadata: Map<String, Value>, label: &str) -> Map<String, Value> {
    let label = label.trim_matches(|c: char| c.is_whitespace() || "*.;:".contains(c));
    if !label.is_empty() {
        metadata.insert("label".to_owned(), json!(label));
    }
    metadata
}
