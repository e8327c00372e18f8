//! Gold sets that a workspace keeps: made, imported, judged and exported.

mod agreement;
mod candidate;
mod exporting;
mod importing;
mod locate;

pub use agreement::Agreement;
pub use candidate::{
    AcceptedQuery, CandidateList, CandidateQuery, CandidateSource, Decision, Proposal, Suggestion,
    SuggestionQuery,
};
pub use exporting::{ExportedFile, GoldExport, GoldFormat};
pub use importing::{GoldImport, GoldImported, SentFile};
pub use locate::{GoldPanel, LabelPlace, UnmatchedLabel};
pub(super) use locate::{Located, Named, Places, sources};

use super::label::{counted, span_name};
use crate::anchor;
use crate::error::{Error, Result};
use crate::library::Measuring;
use crate::store::table::document::DocumentRow;
use crate::store::table::gold::{GoldFilter, GoldQuery, GoldSet, GoldSpan, GoldTarget};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sibyl_measure::label::fold;
use sibyl_measure::measure::Judgments;
use sibyl_measure::note::{ImportNote, NoteKind};
use sibyl_measure::query::{JudgedQuery, QuerySet, SpanLabel};
use sibyl_measure::unit::{Unit, UnitLabel};
use std::collections::BTreeMap;

/// Default number of queries of a page.
const PAGE: usize = 100;
/// Number of characters around a span that distinguish it from the same words elsewhere.
const CONTEXT: usize = 32;
/// Highest grade that a person gives.
pub const HIGHEST_GRADE: i32 = 3;

/// Which queries of a set to return.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct GoldPageQuery {
    /// Name of the set.
    pub set: String,
    /// Words that the id or the query contains; empty for all.
    #[serde(default)]
    pub search: String,
    /// Type; all by default.
    #[serde(default, rename = "type")]
    pub kind: Option<String>,
    /// Queries to leave out at the start.
    #[serde(default)]
    pub offset: usize,
    /// Maximum number of queries.
    #[serde(default = "page")]
    pub limit: usize,
}

const fn page() -> usize {
    PAGE
}

/// Queries of a set.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct GoldPage {
    /// The set.
    pub set: GoldSet,
    /// The queries.
    pub queries: Vec<GoldQuery>,
    /// Queries in all that were asked for.
    pub total: usize,
    /// Labels of these queries that nothing in the workspace answers to.
    pub unmatched: Vec<UnmatchedLabel>,
}

/// A query to be kept.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct GoldQueryInput {
    /// Name of the set; made if it does not exist.
    pub set: String,
    /// Id of the query; the next free one by default.
    #[serde(default)]
    pub id: Option<String>,
    /// What is searched for.
    pub query: String,
    /// Its type; none by default.
    #[serde(default, rename = "type")]
    pub kind: String,
}

/// A judgment.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct JudgeInput {
    /// Name of the set.
    pub set: String,
    /// Id of the query.
    pub query: String,
    /// From 0 (not relevant) to 3 (exact); `null` takes the judgment back.
    pub grade: Option<i32>,
    /// Name of the judge; empty for the set's own labels.
    #[serde(default)]
    pub judge: String,
    /// What is judged.
    pub target: JudgeTarget,
}

/// What is judged.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum JudgeTarget {
    /// An identifier of a paragraph, topic, document or page.
    Identifier {
        /// Its id: that of a paragraph or topic, the path of a document, or its path with `#page=12`.
        id: String,
    },
    /// A document, or a page of it.
    Document {
        /// Row of the document.
        document_id: i64,
        /// Physical page, from 1; the whole document by default.
        #[serde(default)]
        page: Option<u32>,
    },
    /// A chunk: its paragraph or topic, or the passage of its document if it has no id.
    Chunk {
        /// Chunk id.
        chunk_id: String,
    },
    /// A passage of a document.
    Passage {
        /// Row of the document.
        document_id: i64,
        /// The words, as the document has them.
        quote: String,
        /// Words before them, if the same words occur more than once.
        #[serde(default)]
        before: String,
    },
    /// A label that is there.
    Label {
        /// Its target.
        target: GoldTarget,
    },
}

impl Measuring<'_> {
    /// The gold sets of `workspace`, by name.
    ///
    /// # Errors
    /// [`Error::NotFound`] for an unknown workspace, else storage errors.
    pub async fn gold_sets(&self, workspace: &str) -> Result<Vec<GoldSet>> {
        let workspace = self.library.store().workspace(workspace).await?.id;
        Ok(self.library.store().gold_sets(workspace).await?)
    }

    /// Queries of a set, with the labels that nothing in the workspace matches.
    ///
    /// # Errors
    /// [`Error::NotFound`] if there is no such set.
    pub async fn gold_page(&self, workspace: &str, query: &GoldPageQuery) -> Result<GoldPage> {
        let workspace = self.library.store().workspace(workspace).await?.id;
        let set = self.library.store().gold_set(workspace, &query.set).await?;
        let filter = GoldFilter {
            search: query.search.clone(),
            kind: query.kind.clone(),
            offset: query.offset,
            limit: Some(query.limit),
        };
        let (queries, total) = self.library.store().gold_queries(workspace, &query.set, filter).await?;
        let mut places = Places::new(self.library.store(), workspace);
        let unmatched = places.unmatched(&queries).await?;
        Ok(GoldPage { set, queries, total, unmatched })
    }

    /// Keeps a query, in place of the one with its id; the labels stay.
    ///
    /// # Errors
    /// [`Error::Invalid`] for an empty query, else storage errors.
    pub async fn put_gold_query(&self, workspace: &str, input: GoldQueryInput) -> Result<GoldQuery> {
        let workspace = self.library.store().workspace(workspace).await?.id;
        let store = self.library.store();
        let (name, text) = (named(&input.set, "gold set")?, input.query.trim());
        if text.is_empty() {
            return Err(Error::Invalid("the query is empty; write what to search for".to_owned()));
        }
        whole(text, "query")?;
        if store.gold_sets(workspace).await?.iter().all(|set| set.name != name) {
            store.put_gold_set(workspace, &name, super::gold::RELEVANT_FROM, Vec::new(), false).await?;
        }
        let id = match input.id.map(|id| id.trim().to_owned()).filter(|id| !id.is_empty()) {
            Some(id) => id,
            None => {
                let (queries, _) = store.gold_queries(workspace, &name, GoldFilter::default()).await?;
                next_id(&queries)
            }
        };
        whole(&id, "id of the query")?;
        let kind = input.kind.trim().to_owned();
        let query = GoldQuery { id, query: text.to_owned(), kind, labels: Vec::new() };
        Ok(store.put_gold_query(workspace, &name, query).await?)
    }

    /// Keeps a judgment or takes it back; returns the query as it is now.
    ///
    /// # Errors
    /// [`Error::NotFound`] if set, query, chunk or document do not exist. [`Error::OutOfRange`] for a grade
    /// outside 0 to 3. [`Error::Invalid`] for words that the document does not have.
    pub async fn judge(&self, workspace: &str, input: JudgeInput) -> Result<GoldQuery> {
        let workspace = self.library.store().workspace(workspace).await?.id;
        if let Some(grade) = input.grade {
            Error::within("grade", grade.into(), 0.0, HIGHEST_GRADE.into())?;
        }
        let target = self.target(workspace, input.target).await?;
        let judged = self
            .library
            .store()
            .judge(workspace, &input.set, &input.query, target, input.judge.trim(), input.grade)
            .await?;
        Ok(judged)
    }

    async fn target(&self, workspace: i64, target: JudgeTarget) -> Result<GoldTarget> {
        let store = self.library.store();
        match target {
            JudgeTarget::Identifier { id } => {
                let id = named(&id, "identifier")?;
                let kept = Places::new(store, workspace).by_row(&id).await?;
                Ok(GoldTarget::Identifier { id: kept.unwrap_or(id) })
            }
            JudgeTarget::Document { document_id, page } => {
                let row = store.document_row(workspace, document_id).await?;
                if page.is_some() && row.pages == 0 {
                    return Err(Error::Invalid(format!(
                        "`{}` has no pages; judge the whole document",
                        row.title
                    )));
                }
                if let Some(page) = page {
                    Error::within("page", page.into(), 1.0, row.pages as f64)?;
                }
                Ok(GoldTarget::Identifier { id: Unit { path: row.path, page }.id() })
            }
            JudgeTarget::Label { target } => Ok(target),
            JudgeTarget::Chunk { chunk_id } => {
                let chunk = store.chunk(workspace, &chunk_id).await?;
                let chunk = chunk.ok_or_else(|| Error::not_found("chunk", chunk_id))?;
                let candidates = store.candidates(vec![chunk.id]).await?;
                if let Some(id) =
                    candidates.get(&chunk.id).and_then(|candidate| candidate.identity.as_deref())
                {
                    return Ok(GoldTarget::Identifier { id: fold(id).into_owned() });
                }
                let (row, document) = store.document(workspace, chunk.document_id).await?;
                let extent = locate::extent(&chunk.pieces)
                    .ok_or_else(|| Error::Invalid("the chunk has no text from its document".to_owned()))?;
                Ok(GoldTarget::Span(marked(&row, &document.text, extent.start, extent.end)))
            }
            JudgeTarget::Passage { document_id, quote, before } => {
                let (row, document) = store.document(workspace, document_id).await?;
                let found = anchor::find(&document.text, &quote, &before, "").ok_or_else(|| {
                    Error::Invalid(format!(
                        "`{}` does not contain these words; mark them in its current version",
                        row.title
                    ))
                })?;
                Ok(GoldTarget::Span(marked(&row, &document.text, found.start, found.end)))
            }
        }
    }

    /// The set `name` of `workspace` ready for searching, with its spans where they are now.
    pub(super) async fn query_set(&self, workspace: i64, name: &str) -> Result<(GoldSet, QuerySet)> {
        let store = self.library.store();
        let set = store.gold_set(workspace, name).await?;
        let (queries, _) = store.gold_queries(workspace, name, GoldFilter::default()).await?;
        let queries = self.located(workspace, queries, set.relevant_from).await?;
        Ok((set, queries))
    }

    /// `queries` ready for searching in `workspace`, with their spans where they are now.
    pub(super) async fn located(
        &self,
        workspace: i64,
        queries: Vec<GoldQuery>,
        relevant_from: i32,
    ) -> Result<QuerySet> {
        let mut places = Places::new(self.library.store(), workspace);
        let relevant = |query: &GoldQuery| {
            let mut query = query.clone();
            query.labels.retain(|label| label.grade >= relevant_from);
            query
        };
        let unmatched = places.unmatched(&queries.iter().map(relevant).collect::<Vec<_>>()).await?;
        let (mut judged, mut unlabelled) = (Vec::with_capacity(queries.len()), Vec::new());
        for query in queries {
            if query.labels.is_empty() {
                unlabelled.push(query.id);
            } else {
                judged.push(places.judged(query, relevant_from).await?);
            }
        }
        let notices = locate::in_words(&unmatched);
        Ok(QuerySet { queries: judged, unlabelled, notices })
    }
}

/// Names of the relevant labels of a query.
pub(super) fn counted_names(query: &JudgedQuery) -> Vec<String> {
    let from = query.judgments.relevant_from();
    let spans = query.spans.iter().filter(|span| span.grade >= from).map(|span| span.name.clone());
    let units = query.units.iter().filter(|unit| unit.grade >= from).map(|unit| unit.name.clone());
    query.judgments.relevant().map(str::to_owned).chain(units).chain(spans).collect()
}

impl Places<'_> {
    /// Has labels that name documents by their rows, which change, name them by their paths; says which.
    pub(super) async fn keep_paths(&mut self, queries: &mut [GoldQuery]) -> Result<Vec<ImportNote>> {
        let mut kept = BTreeMap::new();
        for label in queries.iter_mut().flat_map(|query| &mut query.labels) {
            if let GoldTarget::Identifier { id } = &mut label.target
                && let Some(path) = self.by_row(id).await?
            {
                kept.insert(std::mem::replace(id, path.clone()), path);
            }
        }
        Ok(kept
            .into_iter()
            .map(|(row, path)| {
                let message = format!(
                    "the document id `{row}` was replaced by the path `{path}`, because document ids can change"
                );
                ImportNote::new(NoteKind::Replaced, message)
            })
            .collect())
    }

    /// `query` with its labels as they are scored.
    async fn judged(&mut self, query: GoldQuery, relevant_from: i32) -> Result<JudgedQuery> {
        let (mut grades, mut spans, mut units) = (BTreeMap::new(), Vec::new(), Vec::<UnitLabel>::new());
        for label in counted(&query.labels) {
            match &label.target {
                GoldTarget::Identifier { id } => match self.named(id, Some(&label.at)).await? {
                    Named::Unit(unit) => match units.iter_mut().find(|one| one.unit == unit) {
                        Some(same) => same.grade = label.grade.max(same.grade),
                        None => units.push(UnitLabel { name: unit.id(), unit, grade: label.grade }),
                    },
                    Named::Id(id) => {
                        let kept = grades.entry(fold(&id).into_owned()).or_insert(label.grade);
                        *kept = label.grade.max(*kept);
                    }
                },
                GoldTarget::Span(span) => {
                    let located = self.located(span).await?;
                    let (path, at) = match located {
                        Some(Located { path, span, .. }) => (path, Some(span)),
                        None => (span.path.clone(), None),
                    };
                    spans.push(SpanLabel {
                        name: span_name(span),
                        path,
                        span: at,
                        letters: span.quote.len(),
                        grade: label.grade,
                    });
                }
                GoldTarget::Nothing => {}
            }
        }
        let judgments = Judgments::new(grades, relevant_from);
        let others = spans.iter().map(|span| span.grade).chain(units.iter().map(|unit| unit.grade));
        let answerable = judgments.any_relevant() || others.max().is_some_and(|best| best >= relevant_from);
        Ok(JudgedQuery {
            id: query.id,
            text: query.query,
            kind: query.kind,
            answerable,
            judgments,
            spans,
            units,
        })
    }
}

/// `name` without white space around it.
fn named(name: &str, what: &str) -> Result<String> {
    let name = name.trim();
    if name.is_empty() || name.chars().count() > 200 {
        return Err(Error::Invalid(format!("the name of the {what} has 1 to 200 characters")));
    }
    whole(name, what)?;
    Ok(name.to_owned())
}

/// Refuses a NUL character, which not every store can keep in a text.
fn whole(text: &str, what: &str) -> Result<()> {
    if text.contains('\0') {
        return Err(Error::Invalid(format!("the {what} contains a NUL character; remove it")));
    }
    Ok(())
}

/// The first of `q1`, `q2`, … that no query has.
fn next_id(queries: &[GoldQuery]) -> String {
    let number = queries.iter().filter_map(|query| query.id.strip_prefix('q')?.parse::<u64>().ok()).max();
    format!("q{}", number.unwrap_or(0) + 1)
}

/// The span of `text` from `start` to `end`, in the form in which it is marked now. `text` is that of the document
/// `row`.
fn marked(row: &DocumentRow, text: &str, start: usize, end: usize) -> GoldSpan {
    GoldSpan { text_version: row.text_version.clone(), ..anchored(&row.path, text, start, end) }
}

/// The span of `text` from `start` to `end`, with the text around it.
fn anchored(path: &str, text: &str, start: usize, end: usize) -> GoldSpan {
    let before: String = text[..start].chars().rev().take(CONTEXT).collect();
    GoldSpan {
        path: path.to_owned(),
        quote: text[start..end].to_owned(),
        before: before.chars().rev().collect(),
        after: text[end..].chars().take(CONTEXT).collect(),
        text_version: String::new(),
    }
}
