//! Two documents that somebody says are the same.

use super::moving::{changed_in_place, leave};
use super::{DocumentRow, row_of};
use crate::error::{Error, Result};
use crate::table::chunk::{self, NewChunk, Owner};
use crate::table::kept_text;
use crate::table::phrasing;
use crate::table::review::{PinnedPassage, ReviewStatus};
use crate::{SqliteStore, json, now, touch};
use rusqlite::Transaction;
use std::collections::BTreeSet;

impl SqliteStore {
    pub(crate) async fn join_documents(
        &self,
        workspace: i64,
        former: i64,
        found: i64,
    ) -> Result<DocumentRow> {
        self.pool
            .write(move |tx| {
                let former = row_of(tx, workspace, former)?;
                let found = row_of(tx, workspace, found)?;
                if former.id == found.id {
                    return Err(Error::Invalid(format!("document {} is one already; name two documents", found.id)));
                }
                if former.corpus_id != found.corpus_id {
                    return Err(Error::Invalid(format!(
                        "`{}` and `{}` are in two corpora, and a document is in one; ingest `{}` into the corpus of the \
                         other first",
                        former.path, found.path, found.path
                    )));
                }
                kept_text::keep(tx, former.id)?;
                hand_over(tx, &former, &found)?;
                let chunks: Vec<NewChunk> = chunk::rows_of(tx, found.id)?
                    .iter()
                    .map(|row| chunk::as_new(tx, row))
                    .collect::<Result<_>>()?;
                take_place(tx, &former, &found)?;
                cut_as(tx, &former, &found.path, &chunks)?;
                kept_text::drop_present(tx, former.id)?;
                super::remove(tx, found.id)?;
                tx.execute("INSERT INTO former_document VALUES (?1, ?2)", (found.id, former.id))?;
                kept_text::drop_unused(tx)?;
                changed_in_place(tx)?;
                touch(tx, "corpus")?;
                row_of(tx, workspace, former.id)
            })
            .await
    }
}

/// Moves what people added to `found`, and what cites it, to `former`.
fn hand_over(tx: &Transaction<'_>, former: &DocumentRow, found: &DocumentRow) -> Result<()> {
    let rows = (former.id, found.id);
    for change in [
        "UPDATE phrasing SET document_id = ?1 WHERE document_id = ?2 AND NOT EXISTS (SELECT 1 FROM phrasing o
           WHERE o.document_id = ?1 AND o.phrase = phrasing.phrase AND o.reference = phrasing.reference
             AND o.passage = phrasing.passage)",
        "INSERT INTO correction (document, title, issuer, year)
           SELECT ?1, title, issuer, year FROM correction WHERE document = ?2
           ON CONFLICT DO UPDATE SET title = coalesce(title, excluded.title),
             issuer = coalesce(issuer, excluded.issuer), year = coalesce(year, excluded.year)",
        "UPDATE OR IGNORE text_use SET document = ?1 WHERE document = ?2",
        "UPDATE kept_text SET document = ?1 WHERE document = ?2",
        "UPDATE OR IGNORE former_place SET document = ?1 WHERE document = ?2",
        "UPDATE former_document SET document = ?1 WHERE document = ?2",
    ] {
        tx.execute(change, rows)?;
    }
    match (&former.report_id, &found.report_id) {
        (Some(former), Some(found)) if former != found => hand_over_findings(tx, former, found),
        _ => Ok(()),
    }
}

/// The parts of a finding that matter when it is joined with one on the same paragraph in another report.
struct Finding {
    status: ReviewStatus,
    note: String,
    passages: Vec<PinnedPassage>,
    updated_at: String,
}

/// Moves the findings on the report `found` to the report `former`, if no document of `found` remains besides the
/// one that goes. Of two on the same paragraph the later one counts, with the notes and passages of both.
fn hand_over_findings(tx: &Transaction<'_>, former: &str, found: &str) -> Result<()> {
    let documents: i64 =
        tx.query_row("SELECT count(*) FROM document WHERE report_id = ?1", [found], |row| row.get(0))?;
    if documents > 1 {
        return Ok(());
    }
    tx.execute("UPDATE OR IGNORE review SET report_id = ?1 WHERE report_id = ?2", (former, found))?;
    let both: Vec<(i64, String)> = {
        let mut select = tx.prepare("SELECT workspace_id, paragraph_id FROM review WHERE report_id = ?1")?;
        let rows = select.query_map([found], |row| Ok((row.get(0)?, row.get(1)?)))?;
        rows.collect::<rusqlite::Result<_>>()?
    };
    for (workspace, paragraph) in both {
        let of = |report: &str| -> Result<Finding> {
            Ok(tx.query_row(
                "SELECT status, note, passages, updated_at FROM review
                 WHERE workspace_id = ?1 AND report_id = ?2 AND paragraph_id = ?3",
                (workspace, report, &paragraph),
                |row| {
                    let passages: String = row.get(2)?;
                    Ok(Finding {
                        status: row.get(0)?,
                        note: row.get(1)?,
                        passages: json(&passages, 2)?,
                        updated_at: row.get(3)?,
                    })
                },
            )?)
        };
        let joined = joined(of(former)?, of(found)?);
        let passages = serde_json::to_string(&joined.passages)
            .map_err(|e| Error::Invalid(format!("the pinned passages cannot be stored: {e}")))?;
        tx.execute(
            "UPDATE review SET status = ?4, note = ?5, passages = ?6, updated_at = ?7
             WHERE workspace_id = ?1 AND report_id = ?2 AND paragraph_id = ?3",
            (workspace, former, &paragraph, joined.status, joined.note, passages, now()),
        )?;
        tx.execute(
            "DELETE FROM review WHERE workspace_id = ?1 AND report_id = ?2 AND paragraph_id = ?3",
            (workspace, found, &paragraph),
        )?;
    }
    Ok(())
}

fn joined(a: Finding, b: Finding) -> Finding {
    let (later, earlier) = if a.updated_at > b.updated_at { (a, b) } else { (b, a) };
    let status = if later.status == ReviewStatus::Open { earlier.status } else { later.status };
    let notes: BTreeSet<&str> = [earlier.note.as_str(), later.note.as_str()].into();
    let note = match notes.contains("") || notes.len() == 1 {
        true => notes.into_iter().collect(),
        false => format!("{}\n\n{}", earlier.note, later.note),
    };
    let mut passages = earlier.passages;
    for passage in later.passages {
        if !passages.contains(&passage) {
            passages.push(passage);
        }
    }
    Finding { status, note, passages, updated_at: later.updated_at }
}

/// Replaces the data of `former` by those of `found`, except for its chunks.
fn take_place(tx: &Transaction<'_>, former: &DocumentRow, found: &DocumentRow) -> Result<()> {
    leave(tx, former.id, &found.path)?;
    tx.execute("UPDATE document SET path = '//' || id WHERE id = ?1", [found.id])?;
    let rows = (former.id, found.id);
    tx.execute(
        "UPDATE document SET (root, origin, format, title, source_hash, text_version, config_hash, text, structure,
           word_count, token_count, ingested_at, pages, metadata, figures_by) =
           (SELECT root, origin, format, title, source_hash, text_version, config_hash, text, structure,
              word_count, token_count, ingested_at, pages, metadata, figures_by FROM document WHERE id = ?2),
           name = coalesce(name, path), path = ?3 WHERE id = ?1",
        (former.id, found.id, &found.path),
    )?;
    for table in ["source", "fact", "figure", "page_label"] {
        tx.execute(&format!("DELETE FROM {table} WHERE document_id = ?1"), [former.id])?;
        tx.execute(&format!("UPDATE {table} SET document_id = ?1 WHERE document_id = ?2"), rows)?;
    }
    tx.execute("UPDATE chunk SET path = ?2 WHERE document_id = ?1", (former.id, &found.path))?;
    super::found_again(tx, former.id)
}

/// Replaces the chunks of `former`, which is now at `path`, by `chunks`.
fn cut_as(tx: &Transaction<'_>, former: &DocumentRow, path: &str, chunks: &[NewChunk]) -> Result<()> {
    let (corpus_name, workspace, workspace_name, name): (String, Option<i64>, Option<String>, String) = tx
        .query_row(
            "SELECT o.name, o.workspace_id, w.name, coalesce(d.name, d.path) FROM document d
             JOIN corpus o ON o.id = d.corpus_id LEFT JOIN workspace w ON w.id = o.workspace_id WHERE d.id = ?1",
            [former.id],
            |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?)),
        )?;
    let owner = Owner {
        document: former.id,
        name: &name,
        corpus: former.corpus_id,
        corpus_name: &corpus_name,
        workspace,
        workspace_name: workspace_name.as_deref(),
        source_type: &former.source_type,
        report: former.report_id.as_deref(),
        path,
        at: &now(),
    };
    phrasing::put_chunks(tx, &owner, chunks)?;
    Ok(())
}
