//! What connected programs propose in assessments. A proposal is no decision: it counts nowhere until a person
//! confirms it.

use super::review::{PinnedPassage, Review, ReviewStatus};
use super::{assessment, kept_text, review};
use crate::error::{Error, Result};
use crate::{SqliteStore, now};
use rusqlite::{OptionalExtension as _, Row};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Words of the report that a program gives as evidence. They were there, word for word, when it proposed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ProposedQuote {
    /// Row id of the document.
    pub document_id: i64,
    /// Where it was in the document's text: first UTF-16 code unit and one past the last.
    pub span: (usize, usize),
    /// The same as a passage to be pinned; its source says whether the quote is still there.
    pub pin: PinnedPassage,
}

/// What a program proposes for a requirement in a report.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ProgramProposal {
    /// Row id; another one whenever the program proposes again for the same requirement and report.
    pub id: i64,
    /// Identifier of the requirement.
    pub requirement: String,
    /// The report.
    pub report_id: String,
    /// Name of the program.
    pub program: String,
    /// The finding that it proposes; never open.
    pub finding: ReviewStatus,
    /// Its reason, in its own words.
    pub reason: String,
    /// The words of the report that it is based on.
    pub quotes: Vec<ProposedQuote>,
    /// When it proposed (ISO 8601, UTC).
    pub made_at: String,
}

const COLUMNS: &str = "id, requirement, report_id, program, finding, reason, quotes, made_at";

fn from_row(row: &Row<'_>) -> rusqlite::Result<ProgramProposal> {
    let quotes: String = row.get(6)?;
    Ok(ProgramProposal {
        id: row.get(0)?,
        requirement: row.get(1)?,
        report_id: row.get(2)?,
        program: row.get(3)?,
        finding: row.get(4)?,
        reason: row.get(5)?,
        quotes: crate::json(&quotes, 6)?,
        made_at: row.get(7)?,
    })
}

impl SqliteStore {
    pub(crate) async fn program_proposals(
        &self,
        id: i64,
        cell: Option<(&str, &str)>,
    ) -> Result<Vec<ProgramProposal>> {
        let (requirement, report) = cell.map(|(one, other)| (one.to_owned(), other.to_owned())).unzip();
        self.pool
            .read(move |c| {
                let mut select = c.prepare_cached(&format!(
                    "SELECT {COLUMNS} FROM program_proposal WHERE assessment_id = ?1
                       AND (?2 IS NULL OR (requirement, report_id) = (?2, ?3)) ORDER BY program, id"
                ))?;
                let rows = select.query_map((id, requirement, report), from_row)?;
                Ok(rows.collect::<rusqlite::Result<_>>()?)
            })
            .await
    }

    pub(crate) async fn program_proposal(&self, id: i64, proposal: i64) -> Result<ProgramProposal> {
        self.pool
            .read(move |c| {
                let query =
                    format!("SELECT {COLUMNS} FROM program_proposal WHERE assessment_id = ?1 AND id = ?2");
                c.prepare_cached(&query)?
                    .query_row((id, proposal), from_row)
                    .optional()?
                    .ok_or_else(|| gone(proposal))
            })
            .await
    }

    pub(crate) async fn put_program_proposal(
        &self,
        id: i64,
        proposal: ProgramProposal,
    ) -> Result<ProgramProposal> {
        let quotes = serde_json::to_string(&proposal.quotes)
            .map_err(|error| Error::Invalid(format!("the quotes cannot be stored: {error}")))?;
        self.pool
            .write(move |tx| {
                let ProgramProposal { requirement, report_id, program, finding, reason, .. } = proposal;
                tx.execute(
                    "DELETE FROM program_proposal
                     WHERE assessment_id = ?1 AND requirement = ?2 AND report_id = ?3 AND program = ?4",
                    (id, &requirement, &report_id, &program),
                )?;
                let query = format!(
                    "INSERT INTO program_proposal (assessment_id, requirement, report_id, program, finding, reason, quotes,
                       made_at)
                     SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8 WHERE EXISTS (SELECT 1 FROM assessment WHERE id = ?1)
                     RETURNING {COLUMNS}"
                );
                tx.query_row(
                    &query,
                    (id, requirement, report_id, program, finding, reason, quotes, now()),
                    from_row,
                )
                .optional()?
                .ok_or_else(|| assessment::missing(id))
            })
            .await
    }

    pub(crate) async fn delete_program_proposal(&self, id: i64, proposal: i64) -> Result<()> {
        self.pool
            .write(move |tx| {
                let deleted = tx.execute(
                    "DELETE FROM program_proposal WHERE assessment_id = ?1 AND id = ?2",
                    (id, proposal),
                )?;
                if deleted == 0 { Err(gone(proposal)) } else { Ok(()) }
            })
            .await
    }

    pub(crate) async fn confirm_program_proposal(
        &self,
        workspace: i64,
        (id, proposal): (i64, i64),
        (review, former): (Review, Option<String>),
    ) -> Result<Review> {
        self.pool
            .write(move |tx| {
                let query =
                    "DELETE FROM program_proposal WHERE assessment_id = ?1 AND id = ?2 RETURNING program";
                let program: Option<String> =
                    tx.query_row(query, (id, proposal), |row| row.get(0)).optional()?;
                let program = program.ok_or_else(|| gone(proposal))?;
                let kept = review::put(tx, workspace, review, former, Some(&program))?;
                kept_text::drop_unused(tx)?;
                Ok(kept)
            })
            .await
    }
}

fn gone(proposal: i64) -> Error {
    Error::NotFound {
        what: "proposal",
        id: proposal.to_string(),
        cure: "; its program has proposed again, or somebody has confirmed or dismissed it: read the requirement again"
            .to_owned(),
    }
}
