//! Chunking: the trait, the list of strategies and what a chunk is.
//!
//! A new strategy is one file here and one line in [`STRATEGIES`]. The list gives it the conformance suite, the
//! settings form, the command-line flags and the documentation.

mod aid;
mod limits;
mod pack;
mod part;

pub mod docs;
pub mod ifrs;
pub mod paragraphs;
pub mod recursive;
pub mod report;
pub mod sasb;

pub use aid::{added, aids, given, passage, phrased, phrases, with_added};

use crate::document::{Document, Span};
use crate::param::{Param, ParamError, Settings};
use crate::tokens::TokenCounter;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::collections::BTreeMap;

/// Splits a document into chunks. Implementations are pure and deterministic.
pub trait Strategy: Sync {
    /// Stable name, as settings and flags spell it.
    fn name(&self) -> &'static str;
    /// One sentence: how it chunks, and which documents it is for.
    fn summary(&self) -> &'static str;
    /// The parameters it declares.
    fn params(&self) -> &'static [Param];
    /// Refuses settings whose values contradict each other.
    ///
    /// # Errors
    /// [`ParamError::Conflict`] says which values and why.
    fn check(&self, _settings: &Settings) -> Result<(), ParamError> {
        Ok(())
    }
    /// Whether each chunk is a unit of the document with an id of its own, such as a paragraph of a standard.
    fn has_units(&self) -> bool {
        false
    }
    /// Whether it tells each passage what answers to it in another standard.
    fn pairs_counterparts(&self) -> bool {
        false
    }
    /// Whether it has what fits the window of an embedding model in one chunk, whatever its settings estimate.
    fn keeps_to_window(&self) -> bool {
        false
    }
    /// Chunks `document` at its own places. `settings` come from [`settings`], so this cannot fail.
    fn cut(&self, document: &Document, settings: &Settings, context: &ChunkContext<'_>) -> Vec<Chunk>;
    /// The chunks of `document`, with search aids set apart: see [`aids`].
    fn chunk(&self, document: &Document, settings: &Settings, context: &ChunkContext<'_>) -> Vec<Chunk> {
        let mut chunks = self.cut(document, settings, context);
        aid::set_apart(document, &mut chunks, self.has_units());
        chunks
    }
}

/// Every strategy there is.
pub static STRATEGIES: &[&dyn Strategy] =
    &[&ifrs::Ifrs, &sasb::Sasb, &paragraphs::Paragraphs, &report::Report, &docs::Docs, &recursive::Recursive];

/// The strategy called `name`.
pub fn strategy(name: &str) -> Option<&'static dyn Strategy> {
    STRATEGIES.iter().copied().find(|s| s.name() == name)
}

/// Checked settings of `strategy` from the values `given`, with defaults for the rest.
///
/// # Errors
/// [`ParamError`] names the parameter, the values it accepts and the given one.
pub fn settings(strategy: &dyn Strategy, given: &Map<String, Value>) -> Result<Settings, ParamError> {
    let settings = Settings::new(strategy.params(), given)?;
    strategy.check(&settings)?;
    Ok(settings)
}

/// What an embedding model reads at a time.
#[derive(Clone, Copy)]
pub struct Window<'a> {
    /// Counts the tokens of the model itself.
    pub tokens: &'a dyn TokenCounter,
    /// Maximum number of tokens that it reads.
    pub most: usize,
}

/// What a strategy gets besides the document.
#[derive(Clone, Copy)]
pub struct ChunkContext<'a> {
    /// Path below the import root with `/` between its parts, such as `module-1/intro.md`.
    pub path: &'a str,
    /// Counts tokens.
    pub tokens: &'a dyn TokenCounter,
    /// What an embedding model reads at a time; `None` if no model is there.
    pub window: Option<Window<'a>>,
    /// Counterpart paragraph ids: S2 paragraph or item to the S1 one that answers to it.
    pub counterparts: &'a BTreeMap<String, String>,
    /// Base URL of the corpus, for citation links; empty if it has none.
    pub base_url: &'a str,
}

/// What a stretch of the document is in a chunk.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Role {
    /// The chunk's own text, which is its passage.
    Body,
    /// The chunk's own text, which is there to be found by: see [`aids`].
    Aid,
    /// Text of the chunk before, repeated for context.
    Overlap,
    /// The words of the paragraph that lead into an item, or the title of a table that was split into row groups.
    LeadIn,
    /// The header row of a table that was split into row groups, followed by rows that only name the rows below
    /// them.
    TableHeader,
}

impl Role {
    /// Whether no other chunk of the same level has the text.
    pub const fn is_own(self) -> bool {
        matches!(self, Self::Body | Self::Aid)
    }
}

/// A stretch of a chunk, in reading order.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Piece {
    /// Text that is nowhere in the document: context header, part marker.
    Generated {
        /// The text, with its own line breaks.
        text: String,
    },
    /// Text of the document.
    Source {
        /// Where it stands.
        span: Span,
        /// Why it is here.
        role: Role,
    },
    /// A search aid that is nowhere in the body of the document: it is from the front matter, or somebody added
    /// it. It comes after the chunk's own text.
    Aid {
        /// The text.
        text: String,
        /// Whether somebody added it by hand. It is then no part of the document, and stays with the chunk when
        /// the document is chunked again.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        by_hand: bool,
    },
}

/// A chunk: pieces in reading order, what is known about it, and its place in the hierarchy.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Chunk {
    /// The pieces, in reading order.
    pub pieces: Vec<Piece>,
    /// Index in the list of the chunk it is part of (an item inside its paragraph).
    pub parent: Option<usize>,
    /// Whether one atomic block made it longer than the maximum.
    pub oversize: bool,
    /// Fields of the strategy's own schema.
    pub metadata: Map<String, Value>,
}

impl Chunk {
    /// The exact text that is embedded and searched. Neighbouring spans keep the white space between them in the
    /// source, and rows follow their repeated header on the next line. A blank line sets everything else apart.
    pub fn text(&self, document: &str) -> String {
        joined(&self.pieces, document)
    }

    /// Spans of the chunk's own text, in order: its passage and its search aids.
    pub fn own(&self) -> impl Iterator<Item = Span> + '_ {
        self.pieces.iter().filter_map(|piece| match piece {
            Piece::Source { span, role } if role.is_own() => Some(*span),
            _ => None,
        })
    }

    /// Spans with the given role, in order.
    pub fn spans(&self, wanted: Role) -> impl Iterator<Item = Span> + '_ {
        self.pieces.iter().filter_map(move |piece| match piece {
            Piece::Source { span, role } if *role == wanted => Some(*span),
            _ => None,
        })
    }

    /// From the first to the last byte of its own text.
    pub fn extent(&self) -> Span {
        let start = self.own().map(|s| s.start).min().unwrap_or(0);
        let end = self.own().map(|s| s.end).max().unwrap_or(start);
        Span::new(start, end)
    }
}

impl Piece {
    /// The piece's text.
    pub fn text<'a>(&'a self, document: &'a str) -> &'a str {
        match self {
            Self::Generated { text } | Self::Aid { text, .. } => text,
            Self::Source { span, .. } => span.of(document),
        }
    }
}

/// Length in bytes of the context header, and of the blank lines after it, at the beginning of a chunk of
/// `pieces`; 0 without a header. A first line in brackets that is in the document is no header.
pub fn header_length(pieces: &[Piece], text: &str) -> usize {
    let Some(Piece::Generated { text: header }) = pieces.first() else { return 0 };
    let body = text.strip_prefix(header.trim_end());
    body.map_or(0, |body| text.len() - body.trim_start_matches('\n').len())
}

/// The text of `pieces`, see [`Chunk::text`].
fn joined(pieces: &[Piece], document: &str) -> String {
    let mut out = String::new();
    let mut previous_end = None;
    let mut after_header = false;
    for piece in pieces {
        let text = piece.text(document).trim_end();
        if text.trim_start().is_empty() {
            continue;
        }
        let gap = match (previous_end, piece) {
            (Some(end), Piece::Source { span, .. }) if end <= span.start => &document[end..span.start],
            _ => "\n\n",
        };
        if !out.is_empty() {
            let apart = if after_header { "\n" } else { "\n\n" };
            out.push_str(if gap.trim().is_empty() && previous_end.is_some() { gap } else { apart });
        }
        out.push_str(text);
        after_header = matches!(piece, Piece::Source { role: Role::TableHeader, .. });
        previous_end = match piece {
            Piece::Source { span, .. } => Some(span.start + text.len()),
            Piece::Generated { .. } | Piece::Aid { .. } => None,
        };
    }
    out
}

/// `[A > B > C]` from the parts of `path`, at most `limit` tokens long. If it is too long, parts are shortened
/// first, and then the middle of the path is left out.
fn context_header<'a>(
    path: impl IntoIterator<Item = &'a str>,
    limit: usize,
    tokens: &dyn TokenCounter,
) -> String {
    let mut parts: Vec<&str> = path.into_iter().map(str::trim).filter(|part| !part.is_empty()).collect();
    let mut whole = String::with_capacity(parts.iter().map(|part| part.len() + 3).sum::<usize>() + 2);
    for (index, part) in parts.iter().enumerate() {
        whole.push_str(if index == 0 { "[" } else { " > " });
        whole.push_str(part);
    }
    if whole.is_empty() {
        return whole;
    }
    whole.push(']');
    if tokens.count(&whole) < limit {
        return whole;
    }
    let mut longest = parts.iter().map(|part| part.chars().count()).max().unwrap_or(0);
    while longest > 1 || parts.len() > 2 {
        longest /= 2;
        if longest < 12 && parts.len() > 2 {
            parts.remove(1);
            longest *= 2;
        }
        let short = |part: &&str| match part.char_indices().nth(longest) {
            Some((end, _)) => format!("{}…", part[..end].trim_end()),
            None => (*part).to_owned(),
        };
        let text = format!("[{}]", parts.iter().map(short).collect::<Vec<_>>().join(" > "));
        if tokens.count(&text) < limit {
            return text;
        }
    }
    String::new()
}
