//! What reviewers decide about a paragraph in a report. It cites paragraph and report ids, never chunk ids.

use super::kept_text;
use crate::error::{Error, Result};
use crate::named::named;
use crate::{SqliteStore, now};
use rusqlite::{OptionalExtension as _, Row, Transaction};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sibyl_text::document::SourceNow;

/// What a reviewer found.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ReviewStatus {
    /// Not examined, or examined without a finding.
    #[default]
    Open,
    /// The report meets the requirement.
    Met,
    /// It meets a part of it.
    Partly,
    /// It does not meet it.
    Gap,
    /// The requirement does not apply.
    NotApplicable,
}

named!(
    ReviewStatus,
    "what a reviewer found",
    Open = "open",
    Met = "met",
    Partly = "partly",
    Gap = "gap",
    NotApplicable = "not_applicable",
);

/// A passage that a reviewer pinned: anchored by text, so that it is found again after any change of chunking.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PinnedPassage {
    /// Text version of the document it was taken from.
    pub text_version: String,
    /// Path of the document below its import root.
    pub path: String,
    /// Byte range in that text.
    pub start: usize,
    /// One past its last byte.
    pub end: usize,
    /// The words themselves.
    pub quote: String,
    /// 32 characters before them.
    pub before: String,
    /// 32 characters after them.
    pub after: String,
    /// Physical page, if the document has pages.
    pub page: Option<u32>,
    /// Label printed on that page, if it differs from its number.
    #[serde(default)]
    pub page_label: Option<String>,
    /// How sure OCR was of it, 0 to 100, if OCR read it.
    #[serde(default)]
    pub ocr: Option<u8>,
    /// The present state of its source, which is worked out and not stored.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<SourceNow>,
}

/// A reviewer's finding on one paragraph in one report.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Review {
    /// Report it is about.
    pub report_id: String,
    /// Paragraph, item, topic, metric or item of a metric it is about.
    pub paragraph_id: String,
    /// Words that the item of a metric had when the finding was kept; empty for everything else.
    #[serde(default)]
    pub words: String,
    /// The finding.
    pub status: ReviewStatus,
    /// The reviewer's words.
    pub note: String,
    /// Passages that bear it out.
    pub passages: Vec<PinnedPassage>,
    /// When it last changed (ISO 8601, UTC).
    pub updated_at: String,
    /// Who decided; `None` if nobody said so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reviewer: Option<String>,
}

/// A decision on one paragraph in one report, at the time when it was made.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct AssessmentDecision {
    /// Report it is about.
    pub report_id: String,
    /// Paragraph, item, topic, metric or item of a metric it is about.
    pub paragraph_id: String,
    /// Who decided; empty if nobody said so.
    pub reviewer: String,
    /// The decision.
    pub status: ReviewStatus,
    /// The reviewer's words.
    pub note: String,
    /// When (ISO 8601, UTC).
    pub at: String,
    /// Name of the program whose proposal was confirmed by it; `None` for every other decision.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub proposed_by: Option<String>,
    /// When it was imported with a pack (ISO 8601, UTC); `None` for one made in this library.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub imported_at: Option<String>,
}

/// A finding of another library.
#[derive(Debug, Clone)]
pub struct ImportedFinding {
    /// The finding, with the moment at which it was kept there.
    pub review: Review,
    /// The former id of its paragraph, if there is one.
    pub former: Option<String>,
    /// The decisions that led to it, the latest first; not empty.
    pub decisions: Vec<AssessmentDecision>,
}

const COLUMNS: &str = "report_id, paragraph_id, status, note, passages, updated_at, words, reviewer";

fn from_row(row: &Row<'_>) -> rusqlite::Result<Review> {
    let passages: String = row.get(4)?;
    Ok(Review {
        report_id: row.get(0)?,
        paragraph_id: row.get(1)?,
        status: row.get(2)?,
        note: row.get(3)?,
        passages: crate::json(&passages, 4)?,
        updated_at: row.get(5)?,
        words: row.get(6)?,
        reviewer: row.get(7)?,
    })
}

impl SqliteStore {
    pub(crate) async fn review(
        &self,
        workspace: i64,
        report: &str,
        paragraph: &str,
    ) -> Result<Option<Review>> {
        let key = (workspace, report.to_owned(), paragraph.to_owned());
        self.pool
            .read(move |c| {
                let query = format!(
                    "SELECT {COLUMNS} FROM review WHERE workspace_id = ?1 AND report_id = ?2 AND paragraph_id = ?3"
                );
                Ok(c.prepare_cached(&query)?.query_row(key, from_row).optional()?)
            })
            .await
    }

    pub(crate) async fn reviews(&self, workspace: i64, report: Option<String>) -> Result<Vec<Review>> {
        self.pool
            .read(move |c| {
                let mut select = c.prepare_cached(&format!(
                    "SELECT {COLUMNS} FROM review r WHERE workspace_id = ?1 AND (?2 IS NULL OR report_id = ?2)
                       AND (NOT EXISTS (SELECT 1 FROM document d WHERE d.report_id = r.report_id AND d.corpus_id IS NULL)
                         OR EXISTS (SELECT 1 FROM document d WHERE d.report_id = r.report_id AND d.corpus_id IS NOT NULL))
                     ORDER BY report_id, paragraph_id"
                ))?;
                let rows = select.query_map((workspace, report), from_row)?;
                Ok(rows.collect::<rusqlite::Result<_>>()?)
            })
            .await
    }

    pub(crate) async fn put_reviews(
        &self,
        workspace: i64,
        reviews: Vec<(Review, Option<String>)>,
    ) -> Result<Vec<Review>> {
        self.pool.write(move |tx| put_all(tx, workspace, reviews)).await
    }

    pub(crate) async fn put_reviews_of_open(
        &self,
        workspace: i64,
        reviews: Vec<(Review, Option<String>)>,
    ) -> Result<Vec<Review>> {
        self.pool.write(move |tx| put_all_open(tx, workspace, reviews)).await
    }

    pub(crate) async fn decisions(
        &self,
        workspace: i64,
        report: Option<String>,
        paragraph: Option<String>,
    ) -> Result<Vec<AssessmentDecision>> {
        self.pool
            .read(move |c| {
                let mut select = c.prepare_cached(
                    "SELECT report_id, paragraph_id, reviewer, status, note, at, proposed_by, imported_at FROM decision
                     WHERE workspace_id = ?1
                       AND (?2 IS NULL OR report_id = ?2) AND (?3 IS NULL OR paragraph_id = ?3) ORDER BY id DESC",
                )?;
                let rows = select.query_map((workspace, report, paragraph), |row| {
                    Ok(AssessmentDecision {
                        report_id: row.get(0)?,
                        paragraph_id: row.get(1)?,
                        reviewer: row.get(2)?,
                        status: row.get(3)?,
                        note: row.get(4)?,
                        at: row.get(5)?,
                        proposed_by: row.get(6)?,
                        imported_at: row.get(7)?,
                    })
                })?;
                Ok(rows.collect::<rusqlite::Result<_>>()?)
            })
            .await
    }
}

/// Keeps findings, as [`SqliteStore::put_reviews`] does.
pub(super) fn put_all(
    tx: &Transaction<'_>,
    workspace: i64,
    reviews: Vec<(Review, Option<String>)>,
) -> Result<Vec<Review>> {
    let mut kept = Vec::with_capacity(reviews.len());
    for (review, former) in reviews {
        kept.push(put(tx, workspace, review, former, None)?);
    }
    kept_text::drop_unused(tx)?;
    Ok(kept)
}

/// Keeps findings, as [`SqliteStore::put_reviews_of_open`] does.
fn put_all_open(
    tx: &Transaction<'_>,
    workspace: i64,
    reviews: Vec<(Review, Option<String>)>,
) -> Result<Vec<Review>> {
    all_open(tx, workspace, reviews.iter().map(|(review, _)| review), false)?;
    put_all(tx, workspace, reviews)
}

/// Keeps findings of another library, if each of them is still open here, with their decisions as made there.
///
/// # Errors
/// [`Error::Invalid`] if somebody has decided on one meanwhile: nothing is kept then.
pub(super) fn put_imported(
    tx: &Transaction<'_>,
    workspace: i64,
    findings: Vec<ImportedFinding>,
) -> Result<()> {
    all_open(tx, workspace, findings.iter().map(|finding| &finding.review), true)?;
    let imported_at = now();
    for ImportedFinding { review, former, decisions } in findings {
        let at = review.updated_at.clone();
        let kept = keep(tx, workspace, review, former, at)?;
        for decision in decisions.into_iter().rev() {
            let of_here = AssessmentDecision {
                report_id: kept.report_id.clone(),
                paragraph_id: kept.paragraph_id.clone(),
                imported_at: Some(imported_at.clone()),
                ..decision
            };
            add(tx, workspace, &of_here)?;
        }
    }
    kept_text::drop_unused(tx)
}

/// # Errors
/// [`Error::Invalid`] if somebody has decided on one of `reviews`, or has noted or pinned something if they are to
/// be `untouched`.
fn all_open<'a>(
    tx: &Transaction<'_>,
    workspace: i64,
    reviews: impl Iterator<Item = &'a Review>,
    untouched: bool,
) -> Result<()> {
    for review in reviews {
        let decided: bool = tx.prepare_cached(
            "SELECT EXISTS (SELECT 1 FROM review WHERE workspace_id = ?1 AND report_id = ?2 AND paragraph_id = ?3
               AND (status <> 'open' OR (?4 AND (trim(note) <> '' OR passages <> '[]'))))",
        )?
        .query_row((workspace, &review.report_id, &review.paragraph_id, untouched), |row| row.get(0))?;
        if decided {
            return Err(Error::Invalid(format!(
                "somebody has worked on {} in `{}` meanwhile; check its present state, and try again without it",
                review.paragraph_id, review.report_id
            )));
        }
    }
    Ok(())
}

/// Keeps a finding, and the decision in it if that is a new one or confirms the proposal of the program
/// `proposed_by`.
pub(super) fn put(
    tx: &Transaction<'_>,
    workspace: i64,
    review: Review,
    former: Option<String>,
    proposed_by: Option<&str>,
) -> Result<Review> {
    let kept = keep(tx, workspace, review, former, now())?;
    let decision = AssessmentDecision {
        report_id: kept.report_id.clone(),
        paragraph_id: kept.paragraph_id.clone(),
        reviewer: kept.reviewer.clone().unwrap_or_default(),
        status: kept.status,
        note: kept.note.clone(),
        at: kept.updated_at.clone(),
        proposed_by: proposed_by.map(str::to_owned),
        imported_at: None,
    };
    let another: bool = tx
        .prepare_cached(
            "SELECT (?4, ?5, ?6) IS NOT (SELECT reviewer, status, note FROM decision
               WHERE workspace_id = ?1 AND report_id = ?2 AND paragraph_id = ?3 ORDER BY id DESC LIMIT 1)",
        )?
        .query_row(
            (
                workspace,
                &decision.report_id,
                &decision.paragraph_id,
                &decision.reviewer,
                decision.status,
                &decision.note,
            ),
            |row| row.get(0),
        )?;
    if another || proposed_by.is_some() {
        add(tx, workspace, &decision)?;
    }
    Ok(kept)
}

/// Keeps a finding as one of the moment `at`.
fn keep(
    tx: &Transaction<'_>,
    workspace: i64,
    mut review: Review,
    former: Option<String>,
    at: String,
) -> Result<Review> {
    for passage in &mut review.passages {
        passage.source = None;
    }
    if let Some(former) = former {
        let key = (workspace, &review.report_id, &former);
        tx.execute(
            "DELETE FROM review WHERE workspace_id = ?1 AND report_id = ?2 AND paragraph_id = ?3",
            key,
        )?;
        tx.execute(
            "UPDATE decision SET paragraph_id = ?4 WHERE workspace_id = ?1 AND report_id = ?2 AND paragraph_id = ?3",
            (workspace, &review.report_id, &former, &review.paragraph_id),
        )?;
    }
    let passages = serde_json::to_string(&review.passages)
        .map_err(|e| Error::Invalid(format!("the pinned passages cannot be stored: {e}")))?;
    let query = format!(
        "INSERT INTO review (workspace_id, report_id, paragraph_id, status, note, passages, updated_at, words, reviewer)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)
         ON CONFLICT DO UPDATE SET status = excluded.status, note = excluded.note, passages = excluded.passages,
           updated_at = excluded.updated_at, words = excluded.words, reviewer = excluded.reviewer
         RETURNING {COLUMNS}"
    );
    let reviewer = review.reviewer.map(|name| name.trim().to_owned()).filter(|name| !name.is_empty());
    let values = (
        workspace,
        review.report_id,
        review.paragraph_id,
        review.status,
        review.note,
        passages,
        at,
        review.words,
        reviewer,
    );
    Ok(tx.prepare_cached(&query)?.query_row(values, from_row)?)
}

/// Adds a decision to the earlier ones.
fn add(tx: &Transaction<'_>, workspace: i64, decision: &AssessmentDecision) -> Result<()> {
    tx.prepare_cached(
        "INSERT INTO decision (workspace_id, report_id, paragraph_id, reviewer, status, note, at, proposed_by, imported_at)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)",
    )?
    .execute((
        workspace,
        &decision.report_id,
        &decision.paragraph_id,
        &decision.reviewer,
        decision.status,
        &decision.note,
        &decision.at,
        &decision.proposed_by,
        &decision.imported_at,
    ))?;
    Ok(())
}

/// Deletes the findings on `report` if no document belongs to it any more, not even one in the bin.
pub(super) fn forget(tx: &Transaction<'_>, report: &str) -> Result<()> {
    for table in ["review", "decision", "program_proposal"] {
        tx.prepare_cached(&format!(
            "DELETE FROM {table} WHERE report_id = ?1 AND NOT EXISTS (SELECT 1 FROM document d WHERE d.report_id = ?1)"
        ))?
        .execute([report])?;
    }
    Ok(())
}
