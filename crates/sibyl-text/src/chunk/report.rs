//! Company reports: chunks that follow the section hierarchy, with pages and section path.

use super::limits::{self, Limits};
use super::pack::{self, Orphans, Packing};
use super::{Chunk, ChunkContext, Strategy, context_header};
use crate::document::Document;
use crate::param::{Param, ParamError, Settings};
use serde_json::{Map, Value};

/// Chunks reports.
pub struct Report;

static PARAMS: [Param; 8] = [
    limits::target(600),
    limits::min(200),
    limits::max(800),
    limits::overlap(100),
    limits::SPLIT_AT_HEADINGS,
    limits::keep_tables(false),
    limits::merge_orphans(
        "Join a heading without text, and a section below the minimum that leads into a subsection, with what follows.",
    ),
    limits::CONTEXT_HEADER,
];

impl Strategy for Report {
    fn name(&self) -> &'static str {
        "report"
    }
    fn summary(&self) -> &'static str {
        "Sustainability reports: by section hierarchy, with section path, pages and an overlap of whole sentences."
    }
    fn params(&self) -> &'static [Param] {
        &PARAMS
    }
    fn check(&self, settings: &Settings) -> Result<(), ParamError> {
        Limits::check(settings)
    }
    fn cut(&self, document: &Document, settings: &Settings, context: &ChunkContext<'_>) -> Vec<Chunk> {
        let limits = Limits::of(settings);
        let headed = settings.switch("context_header");
        let header = |section: Option<usize>| {
            let path = std::iter::once("Report").chain(document.section_path(section));
            if headed { context_header(path, limits.header(), context.tokens) } else { String::new() }
        };
        let packing = Packing {
            document,
            tokens: context.tokens,
            limits,
            split_level: settings.integer("split_at_headings"),
            keep_tables: settings.switch("keep_tables"),
            orphans: if settings.switch("merge_orphans") { Orphans::Short } else { Orphans::Stay },
            header: &header,
        };
        let packed = pack::pack(&packing).into_iter().enumerate();
        packed
            .map(|(index, packed)| {
                let mut metadata = Map::new();
                if let Some((first, last)) = document.pages_of(packed.body) {
                    metadata.insert("page_start".to_owned(), first.into());
                    metadata.insert("page_end".to_owned(), last.into());
                }
                let path: Vec<Value> =
                    document.section_path(packed.section).into_iter().map(Into::into).collect();
                metadata.insert("section_path".to_owned(), path.into());
                metadata.insert("has_table".to_owned(), (packed.table > 0).into());
                metadata.insert("chunk_index".to_owned(), index.into());
                Chunk { pieces: packed.pieces, parent: None, oversize: packed.oversize, metadata }
            })
            .collect()
    }
}
