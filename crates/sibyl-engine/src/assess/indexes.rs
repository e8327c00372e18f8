//! The content indexes of a report, and where the places that they name are in its documents.

use super::content_index::{self, IndexEntry, Named, Place};
use super::mapping::{Relation, relation};
use super::target::{Target, Targets, is_named_so};
use crate::error::Result;
use crate::library::Assessing;
use crate::store::table::document::DocumentRow;
use sibyl_text::Span;
use std::collections::HashMap;
use std::sync::Arc;

/// Documents whose indexes are kept in memory.
const KEPT: usize = 64;

/// A place that the report's index names for a requirement; it is searched first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Lead {
    /// Row id of the document.
    pub document_id: i64,
    /// Where it is (bytes of the document's text).
    pub span: Span,
}

impl Lead {
    /// Whether `span` of the document in row `document` is there.
    pub fn holds(&self, document: i64, span: Span) -> bool {
        self.document_id == document && self.span.overlaps(span)
    }
}

/// The indexes of a document with what their claims are checked against.
pub(super) struct Indexed {
    pub targets: Targets,
    entries: Vec<IndexEntry>,
}

/// The indexes of all documents of a report.
pub(super) struct ReportIndexes {
    own: Vec<(DocumentRow, Arc<Indexed>)>,
    /// Other documents of the library.
    others: Vec<DocumentRow>,
}

impl Assessing<'_> {
    /// The content indexes of `report`.
    pub(super) async fn indexes(&self, workspace: i64, report: &str) -> Result<ReportIndexes> {
        let rows = self.library.store().documents(workspace, None).await?;
        let (rows, others): (Vec<_>, Vec<_>) =
            rows.into_iter().partition(|row| row.report_id.as_deref() == Some(report));
        let mut own = Vec::with_capacity(rows.len());
        for row in rows {
            let indexed = self.indexed(workspace, &row).await?;
            own.push((row, indexed));
        }
        Ok(ReportIndexes { own, others })
    }

    /// The indexes of a document, kept in memory until its text is another one.
    async fn indexed(&self, workspace: i64, row: &DocumentRow) -> Result<Arc<Indexed>> {
        type Kept = HashMap<(i64, String), Arc<Indexed>>;
        let kept = &self.kept().content_indexes;
        let key = (row.id, row.text_version.clone());
        let known: Option<Arc<Kept>> = kept.get("");
        if let Some(known) = known.as_ref().and_then(|known| known.get(&key)) {
            return Ok(Arc::clone(known));
        }
        let (_, document) = self.library.store().document(workspace, row.id).await?;
        let made = tokio::task::spawn_blocking(move || {
            let entries = content_index::read(&document);
            Indexed { targets: Targets::new(document), entries }
        });
        let made = Arc::new(made.await?);
        let mut all: Kept =
            known.filter(|known| known.len() < KEPT).map(|known| (*known).clone()).unwrap_or_default();
        all.insert(key, Arc::clone(&made));
        kept.put(String::new(), Arc::new(all));
        Ok(made)
    }
}

/// A place in an index, with its target.
pub(super) struct Resolved<'a> {
    /// The document of the report that has it.
    pub document: Option<&'a DocumentRow>,
    /// A document of another report that the index names.
    pub other: Option<&'a DocumentRow>,
    pub target: Target,
    /// Where it begins and ends in the document's text, in UTF-16 code units.
    pub span: Option<(usize, usize)>,
}

impl<'a> Resolved<'a> {
    /// `place` in a document of the report, except where the index itself is, which has `index` as a row.
    fn within((row, indexed): (&'a DocumentRow, &Indexed), place: &Place, index: Option<Span>) -> Self {
        let target = indexed.targets.find(&place.named, index);
        let stretch = target.found.first().filter(|_| place.named != Named::Document);
        let span = stretch.map(|stretch| indexed.targets.utf16(stretch.span));
        Self { document: Some(row), other: None, target, span }
    }
}

impl ReportIndexes {
    /// The places in the documents of the report that they name for `requirement`.
    pub fn leads(&self, requirement: &str) -> Vec<Lead> {
        let mut leads = Vec::new();
        for Related { row, indexed, entry, .. } in self.related(requirement) {
            for place in entry.places.iter().filter(|place| place.named != Named::Document) {
                let Resolved { document: Some(document), target, .. } =
                    self.resolve(row, indexed, entry, place)
                else {
                    continue;
                };
                leads.extend(
                    target.found.iter().map(|stretch| Lead { document_id: document.id, span: stretch.span }),
                );
            }
        }
        leads
    }

    /// The entries that have to do with `requirement`.
    pub fn related<'a>(&'a self, requirement: &'a str) -> impl Iterator<Item = Related<'a>> {
        self.own.iter().flat_map(move |(row, indexed)| {
            indexed.entries.iter().filter_map(move |entry| {
                let (relation, source) = relation(entry.framework, &entry.code, requirement)?;
                Some(Related { row, indexed, entry, relation, source })
            })
        })
    }

    /// The target of `place` in `entry`, which is in the document `row`.
    pub fn resolve<'a>(
        &'a self,
        row: &'a DocumentRow,
        indexed: &'a Indexed,
        entry: &IndexEntry,
        place: &Place,
    ) -> Resolved<'a> {
        let name = place.document.as_deref();
        if name.is_none_or(|name| is_named(name, row)) {
            return Resolved::within((row, indexed), place, Some(entry.span));
        }
        let named = |other: &DocumentRow| name.is_some_and(|name| is_named(name, other));
        if let Some((other, indexed)) = self.own.iter().find(|(other, _)| named(other)) {
            return Resolved::within((other, indexed), place, None);
        }
        let of_issuer =
            |other: &&DocumentRow| row.issuer.is_some() && other.issuer == row.issuer && named(other);
        Resolved {
            document: None,
            other: self.others.iter().find(of_issuer),
            target: Target::default(),
            span: None,
        }
    }
}

/// An entry that has to do with a requirement.
pub(super) struct Related<'a> {
    pub row: &'a DocumentRow,
    pub indexed: &'a Indexed,
    pub entry: &'a IndexEntry,
    pub relation: Relation,
    pub source: Option<&'static str>,
}

/// Whether `name` names the document in `row`.
fn is_named(name: &str, row: &DocumentRow) -> bool {
    let issuer = row.issuer.as_deref().unwrap_or_default();
    is_named_so(name, &[&row.title, &row.path], issuer, row.year)
}
