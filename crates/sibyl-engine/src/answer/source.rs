//! Hits become passages: spans of their documents, with pages and headings.

use crate::error::Result;
use crate::library::Answering;
use crate::search::{Hit, Leg};
use crate::store::table::chunk::ChunkRow;
use serde_json::Value;
use sibyl_answer::{Passage, Source, passage::SourcePage};
use sibyl_text::chunk::Role;
use sibyl_text::{Piece, Span};
use std::sync::Arc;

impl Answering<'_> {
    /// The document of `chunk` as `workspace` sees it.
    ///
    /// # Errors
    /// [`Error::NotFound`](crate::Error::NotFound) where it sees none.
    pub(super) async fn source(&self, workspace: i64, chunk: &ChunkRow) -> Result<Arc<Source>> {
        let id = chunk.document_id;
        let generation = self.library.store().generations().await?.chunk;
        if let Some(source) = self.library.0.sources.get(generation, id) {
            return Ok(source);
        }
        let (row, document) = self.library.store().document(workspace, id).await?;
        let field = |name: &str| document.metadata.get(name);
        let issuer = field("issuer").and_then(Value::as_str).map(str::to_owned);
        let pages = document.page_stretches().into_iter().map(|(page, span)| SourcePage {
            number: page.number,
            label: page.label.clone().filter(|label| *label != page.number.to_string()),
            span,
        });
        let source = Arc::new(Source {
            id,
            path: row.path,
            title: row.title,
            issuer,
            year: field("year").and_then(Value::as_i64),
            corpus: chunk.corpus.clone(),
            source_type: row.source_type,
            report_id: row.report_id,
            pages: pages.collect(),
            text: document.text,
        });
        self.library.0.sources.put(generation, Arc::clone(&source));
        Ok(source)
    }

    /// The passage of `chunk`, with the number 0.
    ///
    /// # Errors
    /// As [`Answering::source`].
    pub(super) async fn passage(&self, workspace: i64, chunk: &ChunkRow) -> Result<Passage> {
        let source = self.source(workspace, chunk).await?;
        let mut spans: Vec<Span> = Vec::new();
        let mut heads = Vec::new();
        for piece in &chunk.pieces {
            let Piece::Source { span, role } = piece else { continue };
            // A span of another state of the document is none.
            if source.text.get(span.start..span.end).is_none() {
                continue;
            }
            match role {
                Role::Body => match spans.last_mut() {
                    Some(last)
                        if source.text[last.end.min(span.start)..span.start].trim().is_empty()
                            && last.end <= span.start =>
                    {
                        last.end = span.end;
                    }
                    _ => spans.push(*span),
                },
                Role::TableHeader => heads.push(*span),
                Role::LeadIn | Role::Overlap | Role::Aid => {}
            }
        }
        Ok(Passage {
            number: 0,
            chunk_id: chunk.chunk_id.clone(),
            source,
            spans,
            heads,
            section: section(chunk),
            paragraph_id: identity(chunk),
            relevance: 0.0,
        })
    }
}

/// Headings above a chunk.
fn section(chunk: &ChunkRow) -> Vec<String> {
    let listed = chunk.metadata.get("section_path").and_then(Value::as_array);
    let listed: Vec<String> =
        listed.into_iter().flatten().filter_map(Value::as_str).map(str::to_owned).collect();
    if !listed.is_empty() {
        return listed;
    }
    let header = chunk.header().unwrap_or_default();
    let header = header.strip_prefix('[').and_then(|rest| rest.split(']').next()).unwrap_or_default();
    header.split(" > ").map(str::trim).filter(|part| !part.is_empty()).map(str::to_owned).collect()
}

/// What a chunk is cited as: paragraph id, metric or topic code.
fn identity(chunk: &ChunkRow) -> Option<String> {
    ["paragraph_id", "metric_code", "topic_code"]
        .iter()
        .find_map(|name| chunk.metadata.get(*name).and_then(Value::as_str))
        .map(str::to_owned)
}

/// Rank of a hit in the list of `leg`.
pub(super) fn rank(hit: &Hit, leg: Leg) -> Option<usize> {
    hit.contributions.iter().find(|leaf| leaf.leg == leg).map(|leaf| leaf.rank)
}
