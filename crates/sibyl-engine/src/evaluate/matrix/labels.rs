//! Labels by id, if the chunks of a row have no ids: the library's passages that have them count instead.

use super::copied::Copied;
use crate::error::Result;
use crate::library::{Library, Measuring};
use crate::store::table::chunk::ChunkRow;
use sibyl_measure::measure::Judgments;
use sibyl_measure::query::{QuerySet, SpanLabel};
use sibyl_text::Span;
use sibyl_text::chunk::{Piece, Role};
use std::collections::BTreeMap;

impl Measuring<'_> {
    /// `queries` as the chunks of `copied` are judged: an id that none of them has becomes the library's passage
    /// that has it. Ids that nobody carries stay.
    pub(super) async fn judged_in(
        &self,
        workspace: &str,
        copied: &Copied,
        queries: &QuerySet,
    ) -> Result<QuerySet> {
        let mut passages: BTreeMap<String, Option<(String, Span)>> = BTreeMap::new();
        let mut judged = queries.clone();
        for query in &mut judged.queries {
            let mut grades = query.judgments.grades().clone();
            for (id, grade) in query.judgments.grades() {
                let passage = match passages.get(id) {
                    Some(known) => known.clone(),
                    None => {
                        let lost = carriers(&copied.library, workspace, id).await?.is_empty();
                        let found =
                            if lost { passage(&carriers(self.library, workspace, id).await?) } else { None };
                        passages.entry(id.clone()).or_insert(found).clone()
                    }
                };
                let Some((path, span)) = passage else { continue };
                grades.remove(id);
                query.spans.push(SpanLabel {
                    name: id.clone(),
                    path,
                    letters: span.end - span.start,
                    span: Some(span),
                    grade: *grade,
                });
            }
            query.judgments = Judgments::new(grades, query.judgments.relevant_from());
        }
        Ok(judged)
    }
}

/// The chunks of `library` that carry `id`, in document order.
async fn carriers(library: &Library, workspace: &str, id: &str) -> Result<Vec<ChunkRow>> {
    let store = library.store();
    let workspace = store.workspace(workspace).await?.id;
    let rows = store.chunks_with_key(workspace, id).await?;
    let mut found = store.chunks_by_row(workspace, rows.clone()).await?;
    Ok(rows.iter().filter_map(|row| found.remove(row)).collect())
}

/// From the first to the last byte of what `chunks` say in the document of the first of them, with its path.
fn passage(chunks: &[ChunkRow]) -> Option<(String, Span)> {
    let first = chunks.first()?;
    let own = chunks.iter().filter(|chunk| chunk.document_id == first.document_id);
    let said = own.flat_map(|chunk| &chunk.pieces).filter_map(|piece| match piece {
        Piece::Source { span, role: Role::Body } => Some(*span),
        _ => None,
    });
    let whole = said.reduce(|a, b| Span::new(a.start.min(b.start), a.end.max(b.end)))?;
    Some((first.path.clone(), whole))
}
