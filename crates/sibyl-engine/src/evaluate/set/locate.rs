//! Where a label is in the present contents of a workspace.

use super::Measuring;
use crate::anchor::find;
use crate::error::Result;
use crate::evaluate::label::{counted, label_id_of, target_name};
use crate::store::Store;
use crate::store::table::chunk::ChunkRow;
use crate::store::table::document::FormerPlace;
use crate::store::table::gold::{GoldFilter, GoldLabel, GoldQuery, GoldSpan, GoldTarget};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sibyl_measure::label::token;
use sibyl_measure::note::{ImportNote, NoteKind};
use sibyl_measure::unit::Unit;
use sibyl_text::document::SourceNow;
use sibyl_text::{Piece, Span};
use std::collections::{BTreeMap, HashMap};

/// A label that nothing in the workspace answers to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct UnmatchedLabel {
    /// Id of the query.
    pub query: String,
    /// What the label names.
    pub target: GoldTarget,
    /// Why nothing answers to it.
    pub why: String,
}

/// A gold query with the same words as a search, and where its labels are.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct GoldPanel {
    /// Name of the set.
    pub set: String,
    /// The query.
    pub query: GoldQuery,
    /// Its labels, the highest grade first.
    pub labels: Vec<LabelPlace>,
}

/// A label with the chunks that answer to it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct LabelPlace {
    /// The label.
    pub label: GoldLabel,
    /// Its name in runs.
    pub name: String,
    /// Row of the document of its passage; `None` for an identifier, or if no document has these words.
    pub document: Option<i64>,
    /// First and one past the last UTF-16 code unit of its passage in the text of the document.
    pub range: Option<(usize, usize)>,
    /// The present state of the text in which it was marked; `None` for an identifier.
    pub source: Option<SourceNow>,
    /// Ids of the chunks that carry its identifier, are of its document or stand on its page, in document order.
    /// For a passage: the chunks that hold at least half of its letters or, if none does, a part of them. Empty if
    /// the workspace has none.
    pub chunks: Vec<String>,
}

/// A passage, where it is now.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Located {
    /// Row of the document.
    pub document: i64,
    /// Path of the document, which may have been another one when the passage was marked.
    pub path: String,
    /// Its span (bytes of the text).
    pub span: Span,
}

/// Finds labels in what a workspace sees, reading each document once.
pub struct Places<'a> {
    store: &'a dyn Store,
    workspace: i64,
    texts: HashMap<String, Vec<Paper>>,
    known: HashMap<String, bool>,
    papers: Option<Papers>,
}

/// A document that is, or was, at the path that a label names.
struct Paper {
    id: i64,
    path: String,
    version: String,
    text: String,
}

/// The documents that a workspace sees, by what labels name them.
#[derive(Default)]
struct Papers {
    /// Physical pages by path.
    pages: HashMap<String, u32>,
    /// Paths as TREC spells them, without white space.
    spelt: HashMap<String, String>,
    /// Paths by row.
    rows: HashMap<i64, String>,
    /// Paths of today by those that their documents had before, with the moment until which they had them, the earlier first.
    former: HashMap<String, Vec<(String, String)>>,
}

/// The meaning of an identifier.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Named {
    /// A paragraph, term, topic or anything else whose id chunks carry, or something that the workspace does not
    /// have.
    Id(String),
    /// A document or a page.
    Unit(Unit),
}

impl<'a> Places<'a> {
    pub fn new(store: &'a dyn Store, workspace: i64) -> Self {
        Self { store, workspace, texts: HashMap::new(), known: HashMap::new(), papers: None }
    }

    /// The meaning of `id`: chunks that carry it come before documents with that name. In a label from the moment
    /// `at`, it means the document that had the name then.
    pub async fn named(&mut self, id: &str, at: Option<&str>) -> Result<Named> {
        if self.has(id).await? {
            return Ok(Named::Id(id.to_owned()));
        }
        let Unit { path: named, page } = Unit::of(id);
        let papers = self.papers().await?;
        let former = papers.former.get(&named).map(Vec::as_slice).unwrap_or_default();
        let then = at.and_then(|at| former.iter().find(|(until, _)| until.as_str() >= at));
        let path = then.map(|(_, path)| path);
        let path = path.or_else(|| papers.pages.get_key_value(&named).map(|(path, _)| path));
        let path = path.or_else(|| papers.spelt.get(&named));
        let path = path.or_else(|| former.last().map(|(_, path)| path));
        Ok(match path {
            Some(path) => Named::Unit(Unit { path: path.clone(), page }),
            None => Named::Id(id.to_owned()),
        })
    }

    /// The id under which a document, or a page of it, is kept where `id` names it by its row.
    pub async fn by_row(&mut self, id: &str) -> Result<Option<String>> {
        let Unit { path, page } = Unit::of(id);
        let Ok(row) = path.parse::<i64>() else { return Ok(None) };
        if let Named::Unit(_) = self.named(id, None).await? {
            return Ok(None);
        }
        let known = self.has(id).await?;
        let path = self.papers().await?.rows.get(&row).filter(|_| !known);
        Ok(path.map(|path| Unit { path: path.clone(), page }.id()))
    }

    async fn papers(&mut self) -> Result<&Papers> {
        if self.papers.is_none() {
            let mut papers = Papers::default();
            for row in self.store.documents(self.workspace, None).await? {
                let pages = papers.pages.entry(row.path.clone()).or_default();
                *pages = (*pages).max(u32::try_from(row.pages).unwrap_or_default());
                papers.spelt.insert(token(&row.path), row.path.clone());
                papers.rows.insert(row.id, row.path);
            }
            for FormerPlace { path, document, until } in self.store.former_places(self.workspace).await? {
                if let Some(now) = papers.rows.get(&document) {
                    papers.former.entry(path).or_default().push((until, now.clone()));
                }
            }
            self.papers = Some(papers);
        }
        Ok(self.papers.get_or_insert_default())
    }

    /// Why nothing matches `id`, from a label of the moment `at`; `None` if something does.
    async fn missing(&mut self, id: &str, at: &str) -> Result<Option<String>> {
        Ok(match self.named(id, Some(at)).await? {
            Named::Id(id) if self.has(&id).await? => None,
            Named::Id(_) => Some(
                "no chunk in this workspace has this id, and no document has this path; ingest the corpus that \
                 contains it"
                .to_owned(),
            ),
            Named::Unit(Unit { path, page }) => {
                let pages = self.papers().await?.pages.get(&path).copied().unwrap_or_default();
                match page {
                    Some(_) if pages == 0 => Some("the document has no pages; label the whole document".to_owned()),
                    Some(page) if !(1..=pages).contains(&page) => {
                        let pages = if pages == 1 { "1 page".to_owned() } else { format!("{pages} pages") };
                        Some(format!("the document has {pages}; correct the page number"))
                    }
                    _ => None,
                }
            }
        })
    }

    /// Where the words of `span` are. `None` if no document at its path, now or formerly, has them. One with the
    /// text that they were marked in comes first.
    pub async fn located(&mut self, span: &GoldSpan) -> Result<Option<Located>> {
        let papers = self.papers_at(&span.path).await?;
        let mut best: Option<(bool, &Paper, Span)> = None;
        for paper in papers {
            let other = paper.version != span.text_version;
            if let Some(found) = find(&paper.text, &span.quote, &span.before, &span.after)
                && best.is_none_or(|(first, ..)| first && !other)
            {
                best = Some((other, paper, found));
            }
        }
        Ok(best.map(|(_, paper, span)| Located { document: paper.id, path: paper.path.clone(), span }))
    }

    async fn papers_at(&mut self, path: &str) -> Result<&[Paper]> {
        if !self.texts.contains_key(path) {
            let mut papers = Vec::new();
            for id in self.store.documents_at(self.workspace, path).await? {
                let (row, document) = self.store.document(self.workspace, id).await?;
                papers.push(Paper { id, path: row.path, version: row.text_version, text: document.text });
            }
            self.texts.insert(path.to_owned(), papers);
        }
        Ok(self.texts.get(path).map(Vec::as_slice).unwrap_or_default())
    }

    /// The present state of the text in which the passage of `target` was marked, and where the passage is now.
    async fn shown(&mut self, target: &GoldTarget) -> Result<Option<SourceNow>> {
        let GoldTarget::Span(wanted) = target else { return Ok(None) };
        let version = &wanted.text_version;
        let kept = match version.is_empty() {
            true => false,
            false => self.store.text_version(self.workspace, 0, version).await?.is_some(),
        };
        let Some(Located { document, span, .. }) = self.located(wanted).await? else {
            let document_id = self.papers_at(&wanted.path).await?.first().map(|paper| paper.id);
            return Ok(Some(SourceNow { changed: true, document_id, range: None, kept }));
        };
        let mut papers = self.papers_at(&wanted.path).await?.iter();
        Ok(papers.find(|paper| paper.id == document).map(|paper| {
            let units = |part: &str| part.encode_utf16().count();
            let start = units(&paper.text[..span.start]);
            let range = Some((start, start + units(&paper.text[span.start..span.end])));
            let changed = !version.is_empty() && *version != paper.version;
            SourceNow { changed, document_id: Some(document), range, kept }
        }))
    }

    async fn has(&mut self, id: &str) -> Result<bool> {
        if let Some(known) = self.known.get(id) {
            return Ok(*known);
        }
        let has = !self.store.chunks_with_key(self.workspace, id).await?.is_empty();
        self.known.insert(id.to_owned(), has);
        Ok(has)
    }

    /// Labels of `queries` that nothing answers to. Those that are not relevant may miss.
    pub async fn unmatched(&mut self, queries: &[GoldQuery]) -> Result<Vec<UnmatchedLabel>> {
        let mut unmatched = Vec::new();
        for query in queries {
            for label in counted(&query.labels).into_iter().filter(|label| label.grade > 0) {
                let why = match &label.target {
                    GoldTarget::Identifier { id } => self.missing(id, &label.at).await?,
                    GoldTarget::Span(span) if self.located(span).await?.is_none() => {
                        let why = match self.texts.get(&span.path).is_none_or(Vec::is_empty) {
                            true => "this workspace has no document with this path; ingest it",
                            false => "the document no longer has these words; mark them again",
                        };
                        Some(why.to_owned())
                    }
                    GoldTarget::Span(_) | GoldTarget::Nothing => None,
                };
                let Some(why) = why else { continue };
                unmatched.push(UnmatchedLabel { query: query.id.clone(), target: label.target.clone(), why });
            }
        }
        Ok(unmatched)
    }

    /// The chunks that carry `id`, or are from its document or its page, in document order. `at` is as for
    /// [`Self::named`].
    pub async fn carriers(&mut self, id: &str, at: Option<&str>) -> Result<Vec<ChunkRow>> {
        let (store, workspace) = (self.store, self.workspace);
        match self.named(id, at).await? {
            Named::Id(id) => {
                let rows = store.chunks_with_key(workspace, &id).await?;
                let mut found = store.chunks_by_row(workspace, rows.clone()).await?;
                Ok(rows.iter().filter_map(|row| found.remove(row)).collect())
            }
            Named::Unit(unit) => {
                let mut chunks = Vec::new();
                for document in store.documents_at(workspace, &unit.path).await? {
                    chunks.extend(store.chunks_of(workspace, document, 0, i64::MAX).await?);
                }
                chunks.retain(|chunk| unit.holds(&chunk.path, chunk.pages));
                Ok(chunks)
            }
        }
    }

    /// The chunk that a place of another system's run names. The place may give its own id, an id that it carries,
    /// a document or page that it begins, or a passage of `labels` that it holds. `None` if nothing here is called
    /// `id`.
    pub async fn resolved(&mut self, id: &str, labels: &[GoldLabel]) -> Result<Option<ChunkRow>> {
        let spans = labels.iter().filter(|label| matches!(label.target, GoldTarget::Span(_)));
        let mut spans = spans.filter_map(|label| Some((label_id_of(&label.target)?, &label.target)));
        if let Some((_, target)) = spans.find(|(own, _)| own == id || token(own) == id) {
            let chunk = self.chunks(target, None).await?.into_iter().next();
            return match chunk {
                Some(chunk) => Ok(self.store.chunk(self.workspace, &chunk).await?),
                None => Ok(None),
            };
        }
        if let Some(chunk) = self.store.chunk(self.workspace, id).await? {
            return Ok(Some(chunk));
        }
        Ok(self.carriers(id, None).await?.into_iter().next())
    }

    /// The chunks that answer to `target`, in document order. `at` is as for [`Self::named`].
    pub async fn chunks(&mut self, target: &GoldTarget, at: Option<&str>) -> Result<Vec<String>> {
        let (store, workspace) = (self.store, self.workspace);
        match target {
            GoldTarget::Identifier { id } => {
                Ok(self.carriers(id, at).await?.into_iter().map(|chunk| chunk.chunk_id).collect())
            }
            GoldTarget::Span(span) => {
                let Some(Located { document, span, .. }) = self.located(span).await? else {
                    return Ok(Vec::new());
                };
                let chunks = store.chunks_of(workspace, document, 0, i64::MAX).await?;
                let held = |chunk: &ChunkRow| -> usize {
                    let parts = sources(&chunk.pieces);
                    parts.map(|part| part.end.min(span.end).saturating_sub(part.start.max(span.start))).sum()
                };
                let parts = chunks.iter().map(|chunk| (chunk, held(chunk))).filter(|(_, held)| *held > 0);
                let parts: Vec<(&ChunkRow, usize)> = parts.collect();
                // Neighbours that repeat a part of a passage do not count as its chunks.
                let half = |held: usize| 2 * held >= span.end - span.start;
                let any = parts.iter().any(|(_, held)| half(*held));
                let named = parts.iter().filter(|(_, held)| !any || half(*held));
                Ok(named.map(|(chunk, _)| chunk.chunk_id.clone()).collect())
            }
            GoldTarget::Nothing => Ok(Vec::new()),
        }
    }
}

impl Measuring<'_> {
    /// The gold queries of `workspace` that ask `query`, whatever the case, with the chunks that their labels name.
    ///
    /// # Errors
    /// [`crate::Error::NotFound`] for an unknown workspace, else storage errors.
    pub async fn gold_panel(&self, workspace: &str, query: &str) -> Result<Vec<GoldPanel>> {
        let store = self.library.store();
        let workspace = store.workspace(workspace).await?.id;
        let wanted = folded(query);
        let mut places = Places::new(store, workspace);
        let mut panels = Vec::new();
        for set in store.gold_sets(workspace).await? {
            let (queries, _) = store.gold_queries(workspace, &set.name, GoldFilter::default()).await?;
            for query in queries.into_iter().filter(|one| folded(&one.query) == wanted) {
                let mut labels = Vec::new();
                for label in counted(&query.labels) {
                    let at = places.shown(&label.target).await?;
                    labels.push(LabelPlace {
                        label: label.clone(),
                        name: target_name(&label.target),
                        document: at.as_ref().and_then(|source| source.document_id),
                        range: at.as_ref().and_then(|source| source.range),
                        source: at,
                        chunks: places.chunks(&label.target, Some(&label.at)).await?,
                    });
                }
                labels.sort_by_key(|place| -place.label.grade);
                panels.push(GoldPanel { set: set.name.clone(), query, labels });
            }
        }
        Ok(panels)
    }
}

fn folded(query: &str) -> String {
    query.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase()
}

/// What is reported about labels that nothing matches.
pub fn in_words(unmatched: &[UnmatchedLabel]) -> Vec<ImportNote> {
    let mut by_cause: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for label in unmatched {
        let name = target_name(&label.target);
        let names = by_cause.entry(&label.why).or_default();
        if !names.contains(&name) {
            names.push(name);
        }
    }
    let said = |(why, names): (&str, Vec<String>)| {
        let shown = names.iter().take(20).map(String::as_str).collect::<Vec<_>>().join(", ");
        let more = if names.len() > 20 { ", …" } else { "" };
        let labels = if names.len() == 1 { "label" } else { "labels" };
        let message = format!("{} {labels} cannot be found: {why}: {shown}{more}", names.len());
        ImportNote::new(NoteKind::Unmatched, message)
    };
    by_cause.into_iter().map(said).collect()
}

/// The spans of the document that a chunk repeats.
pub fn sources(pieces: &[Piece]) -> impl Iterator<Item = Span> {
    pieces.iter().filter_map(|piece| match piece {
        Piece::Source { span, .. } => Some(*span),
        Piece::Generated { .. } | Piece::Aid { .. } => None,
    })
}

/// From the first to the last byte of a chunk in the text of the document.
pub fn extent(pieces: &[Piece]) -> Option<Span> {
    let start = sources(pieces).map(|span| span.start).min()?;
    let end = sources(pieces).map(|span| span.end).max()?;
    Some(Span::new(start, end))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evaluate::label::span_name;
    use sibyl_measure::label::{label_id, span_id};

    #[test]
    fn a_name_holds_the_id_of_its_span() {
        for path in ["a.md", "leave and pay.md", "c# notes.md", "issue #12 .md"] {
            let [quote, before, after, text_version] =
                ["Net zero #cafe0123 by", "", "", ""].map(str::to_owned);
            let span = GoldSpan { path: path.into(), quote, before, after, text_version };
            assert_eq!(label_id(&span_name(&span)), span_id(&span.path, &span.before, &span.quote));
        }
        assert_eq!(label_id("S2.29(a)"), "S2.29(a)");
    }
}
