//! The reference leg: chunks that the query names outright.

use super::fuse::Entry;
use super::notice::{NoticeCause, SearchNotice};
use crate::error::Result;
use crate::store::Store;
use crate::store::scope::Scope;
use crate::store::table::fact::FactRow;
use sibyl_text::reference::Reference;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

/// Chunks that may answer to one id: the parts of a paragraph. What more chunks answer to is a mention.
pub(super) const PARTS: usize = 16;

/// What the references of a query lead to.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Named {
    /// The chunks, in the order of the query; members of a range in their order, parts of a paragraph in theirs.
    pub entries: Vec<Entry>,
    /// Of chunks that were named by a fact, those facts by the chunk's row.
    pub facts: HashMap<i64, Vec<FactRow>>,
    /// Ids that lead nowhere, and why, in words.
    pub notices: Vec<SearchNotice>,
}

/// The chunks of `scope` whose own id is one of those that `references` name: never a parent's or an item's. If
/// only the edition of IFRS S2 narrows it, and the user did not name that edition, `any_edition` also finds a
/// paragraph that the edition does not have.
///
/// # Errors
/// Storage errors.
pub(super) async fn named(
    store: &dyn Store,
    scope: &Scope,
    references: &[Reference],
    any_edition: bool,
) -> Result<Named> {
    let mut named = Named::default();
    let ids: Vec<String> = references.iter().flat_map(|reference| reference.ids.iter().cloned()).collect();
    if ids.is_empty() {
        return Ok(named);
    }
    let chunks = store.chunks_of_keys(ids, Arc::clone(&scope.visible)).await?;
    let mut seen = HashSet::new();
    for reference in references {
        for id in &reference.ids {
            let all = chunks.get(id).map(Vec::as_slice).unwrap_or_default();
            let mut in_scope: Vec<_> = all.iter().filter(|(row, _)| scope.allowed.holds(*row)).collect();
            if in_scope.is_empty() && any_edition {
                in_scope.extend(all);
            }
            if in_scope.len() > PARTS {
                let chunks = in_scope.len();
                named.notices.push(SearchNotice::new(
                    NoticeCause::MentionedWidely,
                    format!(
                        "{id} is mentioned in {chunks} chunks; they are ranked by the words of the query"
                    ),
                ));
                continue;
            }
            match (all.is_empty(), in_scope.is_empty()) {
                // A range names everything between its ends, and standards skip numbers.
                (true, _) if !reference.range => {
                    let message = format!("no chunk has the id {id}");
                    named.notices.push(SearchNotice::new(NoticeCause::UnknownId, message));
                }
                (false, true) => {
                    let message = format!("{id} is outside the filters");
                    named.notices.push(SearchNotice::new(NoticeCause::OutsideFilters, message));
                }
                _ => {}
            }
            for (row, chunk_id) in in_scope {
                if seen.insert(*row) {
                    named.entries.push(Entry {
                        row: *row,
                        chunk_id: chunk_id.clone(),
                        raw: None,
                        label: id.clone(),
                    });
                }
            }
        }
    }
    Ok(named)
}
