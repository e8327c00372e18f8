//! IFRS paragraphs: one chunk for each paragraph of the standards, and one for each item at every depth.
//!
//! A paragraph's chunk has the whole paragraph. Each item also has a chunk of its own, with the words that lead
//! into it and a parent, so that every id is a hit by itself.

mod counterpart;
pub mod edition;
mod heading;
mod line;
mod outline;
mod place;
mod term;
mod write;

use super::{Chunk, ChunkContext, Strategy, limits};
use crate::document::Document;
use crate::param::{Param, ParamKind, Settings};
use crate::reference::ifrs::id::{Number, Standard};
pub use counterpart::{Mapping, MappingError, MappingRow, counterparts, mapping, range};
use line::Opening;
use outline::outline;
use serde_json::Value;
use std::collections::BTreeSet;
use write::{Rules, Writer};

/// Chunks IFRS S1 and S2 into paragraphs and items.
pub struct Ifrs;

const MAX: &str = "max_tokens";
const ITEMS: &str = "item_chunks";
const LEAD_IN: &str = "lead_in";
/// The setting that says which standard a document is.
pub const STANDARD: &str = "standard";

static PARAMS: [Param; 5] = [
    Param {
        name: MAX,
        kind: ParamKind::Integer { min: 200, max: 8_000, default: 1_500 },
        unit: "tokens",
        description: "Longest chunk; a longer paragraph is split at the end of an item or sentence.",
    },
    limits::CONTEXT_HEADER,
    Param {
        name: ITEMS,
        kind: ParamKind::Switch { default: true },
        unit: "",
        description: "Whether each item, such as (a) or (iv), gets its own chunk beside its paragraph's.",
    },
    Param {
        name: LEAD_IN,
        kind: ParamKind::Switch { default: true },
        unit: "",
        description: "Whether an item's chunk repeats the titles of its paragraph and of the items around it.",
    },
    Param {
        name: STANDARD,
        kind: ParamKind::Choice { options: &["auto", "S1", "S2"] },
        unit: "",
        description: "Standard of a document whose front matter and title do not name one; auto looks at its file \
                      name and first words.",
    },
];

impl Strategy for Ifrs {
    fn name(&self) -> &'static str {
        "ifrs"
    }
    fn summary(&self) -> &'static str {
        "Paragraphs of IFRS S1 and S2, with each item at every depth as a separate hit."
    }
    fn params(&self) -> &'static [Param] {
        &PARAMS
    }
    fn has_units(&self) -> bool {
        true
    }
    fn pairs_counterparts(&self) -> bool {
        true
    }
    fn cut(&self, document: &Document, settings: &Settings, context: &ChunkContext<'_>) -> Vec<Chunk> {
        let home = home(document, context.path, settings.text(STANDARD));
        let units = outline(document, home);
        let rules = Rules {
            max: settings.integer(MAX),
            header: settings.switch(limits::CONTEXT_HEADER.name),
            items: settings.switch(ITEMS),
            lead_in: settings.switch(LEAD_IN),
        };
        let mut writer = Writer::new(document, rules, context, home);
        let known: Paragraphs = units
            .iter()
            .filter_map(|u| u.opening.as_ref())
            .filter_map(|o| Some((o.standard, o.number?)))
            .collect();
        for unit in &units {
            let alone = |o: &&Opening| unit.opening.is_none() && !any_of(&known, o);
            writer.unit(unit, unit.announced.as_ref().filter(alone));
        }
        writer.chunks
    }
}

/// The standard in a document: from its front matter or its title, else the `given` one, else from its name or its
/// first words.
fn home(document: &Document, path: &str, given: &str) -> Option<Standard> {
    let field = |name: &str| document.metadata.get(name).and_then(Value::as_str);
    let named = [field("standard"), document.title.as_deref(), field("title"), Some(given)];
    let body = document.body.of(&document.text);
    let opening = &body[..body.char_indices().nth(4_000).map_or(body.len(), |(at, _)| at)];
    let file = path.rsplit('/').next().unwrap_or(path);
    let name: String = file.chars().map(|c| if c == '_' || c == '.' { ' ' } else { c }).collect();
    let heading = document.sections.first().map(|s| s.title.as_str());
    let named = named.into_iter().flatten().chain(heading).chain([name.as_str(), opening]);
    named.into_iter().find_map(Standard::named_in)
}

/// The paragraphs that a document has.
type Paragraphs = BTreeSet<(Standard, Number)>;

/// Whether one of the paragraphs that a heading announced is among `known`.
fn any_of(known: &Paragraphs, announced: &Opening) -> bool {
    let Some(first) = announced.number else { return false };
    let last = Number { inserted: Some('Z'), ..announced.last.unwrap_or(first) };
    known.range((announced.standard, first)..=(announced.standard, last)).next().is_some()
}
