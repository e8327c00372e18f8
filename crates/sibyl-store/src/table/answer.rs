//! Questions that were asked, with their answers. Request, answer and rating are kept as JSON; their contents are
//! the business of the answering code.

use super::kept_text;
use crate::error::{Error, Result};
use crate::named::named;
use crate::{SqliteStore, now};
use rusqlite::{OptionalExtension as _, Row};
use serde::Serialize;

/// The outcome of a question, by every name that the log has had for one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum LoggedOutcome {
    /// It was answered completely.
    Complete,
    /// An answer began but did not end.
    Incomplete,
    /// It was not answered because nothing answers it.
    Refused,
    /// It was not answered because something went wrong.
    Faulted,
    /// What earlier versions called [`LoggedOutcome::Complete`].
    Answered,
    /// What earlier versions called [`LoggedOutcome::Refused`] where nothing in scope answers it.
    NotFound,
    /// The same where nothing was asked.
    Greeting,
    /// What earlier versions called [`LoggedOutcome::Faulted`].
    Failed,
}

named!(
    LoggedOutcome,
    "the outcome of a question",
    Complete = "complete",
    Incomplete = "incomplete",
    Refused = "refused",
    Faulted = "faulted",
    Answered = "answered",
    NotFound = "not_found",
    Greeting = "greeting",
    Failed = "failed",
);

/// An interaction to be kept.
#[derive(Debug, Clone)]
pub struct NewAnswer<'a, Request, Answer> {
    /// Session it belongs to; empty for none.
    pub session: &'a str,
    /// The question.
    pub question: &'a str,
    /// Its outcome.
    pub outcome: LoggedOutcome,
    /// How sure it was, 0 to 1.
    pub confidence: f64,
    /// What wrote it.
    pub generator: &'a str,
    /// Hash of the configuration it ran with.
    pub config_hash: &'a str,
    /// The request.
    pub request: &'a Request,
    /// The answer.
    pub answer: &'a Answer,
}

/// A kept interaction as a list shows it.
#[derive(Debug, Clone, PartialEq)]
pub struct LoggedAnswer<Rating> {
    /// Row id.
    pub id: i64,
    /// When it was asked (ISO 8601, UTC).
    pub at: String,
    /// Session it belongs to; empty for none.
    pub session: String,
    /// The question.
    pub question: String,
    /// Its outcome.
    pub outcome: LoggedOutcome,
    /// Why it was refused, if the answer says so.
    pub refusal: Option<String>,
    /// How sure it was, 0 to 1.
    pub confidence: f64,
    /// What wrote it.
    pub generator: String,
    /// Number of its readings; 0 if it has only one.
    pub readings: usize,
    /// Whether the text of a document that it cites is another one now, or gone.
    pub source_changed: bool,
    /// What somebody thought of it.
    pub rating: Option<Rating>,
}

/// Which interactions to list.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct AnswerFilter {
    /// Text in question or answer, ignoring case; empty for all.
    pub search: String,
    /// Session; `None` for all.
    pub session: Option<String>,
    /// Rows to leave out at the start.
    pub offset: usize,
    /// Maximum number of rows.
    pub limit: usize,
}

const COLUMNS: &str = "id, at, session, question, outcome, confidence, generator, json_array_length(answer, '$.readings'), rating,
    EXISTS (SELECT 1 FROM text_use u LEFT JOIN document d
        ON d.corpus_id IS NOT NULL
          AND d.id = coalesce((SELECT f.document FROM former_document f WHERE f.id = u.document), u.document)
      WHERE u.kind = 'answer' AND u.owner = CAST(answer_log.id AS TEXT) AND d.text_version IS NOT u.text_version),
     answer ->> '$.refusal'";

fn from_row(row: &Row<'_>) -> rusqlite::Result<LoggedAnswer<String>> {
    Ok(LoggedAnswer {
        id: row.get(0)?,
        at: row.get(1)?,
        session: row.get(2)?,
        question: row.get(3)?,
        outcome: row.get(4)?,
        refusal: row.get(10)?,
        confidence: row.get(5)?,
        generator: row.get(6)?,
        readings: row.get::<_, Option<usize>>(7)?.unwrap_or_default(),
        source_changed: row.get(9)?,
        rating: row.get(8)?,
    })
}

impl SqliteStore {
    pub(crate) async fn put_answer_json(
        &self,
        workspace: i64,
        new: NewAnswer<'_, String, String>,
        days: u32,
    ) -> Result<i64> {
        let (request, answer) = (new.request.clone(), new.answer.clone());
        let texts = [new.session, new.question, new.generator, new.config_hash].map(str::to_owned);
        let (outcome, confidence) = (new.outcome, new.confidence);
        self.pool
            .write(move |tx| {
                let [session, question, generator, config_hash] = texts;
                let id = tx
                    .prepare_cached(
                        "INSERT INTO answer_log (workspace_id, at, session, question, outcome, confidence, generator,
                           config_hash, request, answer)
                         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10) RETURNING id",
                    )?
                    .query_row(
                        (
                            workspace, now(), session, question, outcome, confidence, generator, config_hash, request,
                            answer,
                        ),
                        |row| row.get(0),
                    )?;
                forget_old(tx, workspace, days)?;
                Ok(id)
            })
            .await
    }

    pub(crate) async fn answers_json(
        &self,
        workspace: i64,
        filter: AnswerFilter,
    ) -> Result<(Vec<LoggedAnswer<String>>, usize)> {
        self.pool
            .read(move |c| {
                let AnswerFilter { search, session, offset, limit } = filter;
                let kept = "FROM answer_log WHERE workspace_id = ?1 AND (?2 IS NULL OR session = ?2)
                    AND (?3 = '' OR instr(lower(question), lower(?3)) OR instr(lower(answer ->> '$.answer'), lower(?3)))";
                let total = c.prepare_cached(&format!("SELECT count(*) {kept}"))?.query_row(
                    (workspace, &session, &search),
                    |row| row.get(0),
                )?;
                let mut select =
                    c.prepare_cached(&format!("SELECT {COLUMNS} {kept} ORDER BY id DESC LIMIT ?4 OFFSET ?5"))?;
                let rows = select.query_map((workspace, &session, &search, limit, offset), from_row)?;
                Ok((rows.collect::<rusqlite::Result<_>>()?, total))
            })
            .await
    }

    pub(crate) async fn answer_json(
        &self,
        workspace: i64,
        id: i64,
    ) -> Result<(LoggedAnswer<String>, String, String)> {
        self.pool
            .read(move |c| {
                let query = format!(
                    "SELECT {COLUMNS}, request, answer FROM answer_log WHERE workspace_id = ?1 AND id = ?2"
                );
                let found = c
                    .prepare_cached(&query)?
                    .query_row((workspace, id), |row| Ok((from_row(row)?, row.get(11)?, row.get(12)?)))
                    .optional()?;
                found.ok_or_else(|| Error::not_found("answer", id.to_string()))
            })
            .await
    }

    pub(crate) async fn rate_answer_json(
        &self,
        workspace: i64,
        id: i64,
        rating: Option<String>,
    ) -> Result<()> {
        self.pool
            .write(move |tx| {
                let changed = tx
                    .prepare_cached(
                        "UPDATE answer_log SET rating = ?3, rated_at = ?4 WHERE workspace_id = ?1 AND id = ?2",
                    )?
                    .execute((workspace, id, rating, now()))?;
                found(changed, id)
            })
            .await
    }

    pub(crate) async fn delete_answer(&self, workspace: i64, id: i64) -> Result<()> {
        self.pool
            .write(move |tx| {
                let deleted = tx
                    .execute("DELETE FROM answer_log WHERE workspace_id = ?1 AND id = ?2", (workspace, id))?;
                kept_text::drop_unused(tx)?;
                found(deleted, id)
            })
            .await
    }

    pub(crate) async fn clear_answers(&self, workspace: i64) -> Result<usize> {
        self.pool
            .write(move |tx| {
                let deleted = tx.execute("DELETE FROM answer_log WHERE workspace_id = ?1", [workspace])?;
                kept_text::drop_unused(tx)?;
                Ok(deleted)
            })
            .await
    }
}

fn found(rows: usize, id: i64) -> Result<()> {
    if rows == 0 { Err(Error::not_found("answer", id.to_string())) } else { Ok(()) }
}

/// Deletes what was asked more than `days` ago; 0 deletes nothing.
fn forget_old(tx: &rusqlite::Transaction<'_>, workspace: i64, days: u32) -> Result<()> {
    if days > 0 {
        tx.prepare_cached(
            "DELETE FROM answer_log WHERE workspace_id = ?1 AND julianday(at) < julianday('now') - ?2",
        )?
        .execute((workspace, days))?;
        kept_text::drop_unused(tx)?;
    }
    Ok(())
}
