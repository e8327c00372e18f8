//! Assessments, and what is proposed in them. Reviewers' decisions are in [`super::review`].

use super::review::{self, ImportedFinding};
use crate::error::{Error, Result};
use crate::named::named;
use crate::{SqliteStore, now};
use rusqlite::{ErrorCode, OptionalExtension as _, Row, Transaction};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What a proposal says.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ProposalState {
    /// There is evidence for every item.
    Evidence,
    /// There is evidence for some items.
    Partial,
    /// Nothing was found.
    Nothing,
}

named!(
    ProposalState,
    "what a proposal says",
    Evidence = "evidence",
    Partial = "partial",
    Nothing = "nothing"
);

/// A stored assessment with its plan.
#[derive(Debug, Clone, PartialEq)]
pub struct AssessmentRow<P> {
    /// Row id.
    pub id: i64,
    /// Its name, which no other assessment of the workspace has.
    pub name: String,
    /// What its creator chose.
    pub plan: P,
    /// When it was made (ISO 8601, UTC).
    pub created_at: String,
    /// When its plan last changed (ISO 8601, UTC).
    pub updated_at: String,
}

/// A proposal in short, with the hash of its inputs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProposalRow {
    /// Identifier of the requirement.
    pub requirement: String,
    /// Report it was looked for in.
    pub report_id: String,
    /// Hash of the report's texts, the requirement and the rules.
    pub made_of: String,
    /// What it says.
    pub state: ProposalState,
    /// Items with evidence.
    pub found: usize,
    /// Items in all.
    pub items: usize,
    /// Physical page of the best evidence.
    pub page: Option<u32>,
}

fn assessment(row: &Row<'_>) -> rusqlite::Result<AssessmentRow<String>> {
    Ok(AssessmentRow {
        id: row.get(0)?,
        name: row.get(1)?,
        plan: row.get(2)?,
        created_at: row.get(3)?,
        updated_at: row.get(4)?,
    })
}

const COLUMNS: &str = "id, name, plan, created_at, updated_at";

impl SqliteStore {
    pub(crate) async fn assessments_json(&self, workspace: i64) -> Result<Vec<AssessmentRow<String>>> {
        self.pool
            .read(move |c| {
                let query = format!(
                    "SELECT {COLUMNS} FROM assessment WHERE workspace_id = ?1 ORDER BY updated_at DESC, id DESC"
                );
                let mut select = c.prepare_cached(&query)?;
                let rows = select.query_map([workspace], assessment)?;
                Ok(rows.collect::<rusqlite::Result<_>>()?)
            })
            .await
    }

    pub(crate) async fn assessment_json(&self, workspace: i64, id: i64) -> Result<AssessmentRow<String>> {
        self.pool
            .read(move |c| {
                let query = format!("SELECT {COLUMNS} FROM assessment WHERE workspace_id = ?1 AND id = ?2");
                c.prepare_cached(&query)?
                    .query_row((workspace, id), assessment)
                    .optional()?
                    .ok_or_else(|| missing(id))
            })
            .await
    }

    pub(crate) async fn put_assessment_json(
        &self,
        workspace: i64,
        id: Option<i64>,
        name: &str,
        plan: &str,
    ) -> Result<i64> {
        let [name, plan] = [name, plan].map(str::to_owned);
        self.pool
            .write(move |tx| {
                let Some(id) = id else { return insert(tx, workspace, &name, &plan) };
                let changed = tx
                    .execute(
                        "UPDATE assessment SET name = ?3, plan = ?4, updated_at = ?5 WHERE workspace_id = ?1 AND id = ?2",
                        (workspace, id, &name, plan, now()),
                    )
                    .map_err(|error| taken(error, &name))?;
                if changed == 0 { Err(missing(id)) } else { Ok(id) }
            })
            .await
    }

    pub(crate) async fn put_imported_json(
        &self,
        workspace: i64,
        assessment: Option<(&str, &str)>,
        findings: Vec<ImportedFinding>,
    ) -> Result<Option<i64>> {
        let new = assessment.map(|(name, plan)| (name.to_owned(), plan.to_owned()));
        self.pool
            .write(move |tx| {
                let made = new.map(|(name, plan)| insert(tx, workspace, &name, &plan)).transpose()?;
                review::put_imported(tx, workspace, findings)?;
                Ok(made)
            })
            .await
    }

    pub(crate) async fn delete_assessment(&self, workspace: i64, id: i64) -> Result<()> {
        self.pool
            .write(move |tx| {
                let deleted = tx
                    .execute("DELETE FROM assessment WHERE workspace_id = ?1 AND id = ?2", (workspace, id))?;
                if deleted == 0 { Err(missing(id)) } else { Ok(()) }
            })
            .await
    }

    pub(crate) async fn proposals(&self, id: i64) -> Result<Vec<ProposalRow>> {
        self.pool
            .read(move |c| {
                let mut select = c.prepare_cached(
                    "SELECT requirement, report_id, made_of, state, found, items, page FROM proposal
                     WHERE assessment_id = ?1",
                )?;
                let rows = select.query_map([id], |row| {
                    Ok(ProposalRow {
                        requirement: row.get(0)?,
                        report_id: row.get(1)?,
                        made_of: row.get(2)?,
                        state: row.get(3)?,
                        found: row.get(4)?,
                        items: row.get(5)?,
                        page: row.get(6)?,
                    })
                })?;
                Ok(rows.collect::<rusqlite::Result<_>>()?)
            })
            .await
    }

    pub(crate) async fn proposal_json(
        &self,
        id: i64,
        requirement: &str,
        report: &str,
    ) -> Result<Option<(String, String)>> {
        let key = (id, requirement.to_owned(), report.to_owned());
        self.pool
            .read(move |c| {
                let mut select = c.prepare_cached(
                    "SELECT made_of, content FROM proposal WHERE assessment_id = ?1 AND requirement = ?2 AND report_id = ?3",
                )?;
                Ok(select.query_row(key, |row| Ok((row.get(0)?, row.get(1)?))).optional()?)
            })
            .await
    }

    pub(crate) async fn full_proposals_json(&self, id: i64, report: &str) -> Result<Vec<(String, String)>> {
        let key = (id, report.to_owned());
        self.pool
            .read(move |c| {
                let mut select = c.prepare_cached(
                    "SELECT requirement, content FROM proposal WHERE assessment_id = ?1 AND report_id = ?2",
                )?;
                let rows = select.query_map(key, |row| Ok((row.get(0)?, row.get(1)?)))?;
                Ok(rows.collect::<rusqlite::Result<_>>()?)
            })
            .await
    }

    pub(crate) async fn put_proposals_json(
        &self,
        id: i64,
        proposals: Vec<(ProposalRow, String)>,
    ) -> Result<()> {
        self.pool
            .write(move |tx| {
                let mut insert = tx.prepare_cached(
                    "INSERT OR REPLACE INTO proposal (assessment_id, requirement, report_id, made_of, made_at, state, found,
                       items, page, content)
                     SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10 WHERE EXISTS (SELECT 1 FROM assessment WHERE id = ?1)",
                )?;
                for (row, content) in proposals {
                    insert.execute(rusqlite::params![
                        id,
                        row.requirement,
                        row.report_id,
                        row.made_of,
                        now(),
                        row.state,
                        row.found,
                        row.items,
                        row.page,
                        content
                    ])?;
                }
                Ok(())
            })
            .await
    }
}

/// A new assessment; returns its row id.
fn insert(tx: &Transaction<'_>, workspace: i64, name: &str, plan: &str) -> Result<i64> {
    tx.execute(
        "INSERT INTO assessment (workspace_id, name, plan, created_at, updated_at) VALUES (?1, ?2, ?3, ?4, ?4)",
        (workspace, name, plan, now()),
    )
    .map_err(|error| taken(error, name))?;
    Ok(tx.last_insert_rowid())
}

fn taken(error: rusqlite::Error, name: &str) -> Error {
    match &error {
        rusqlite::Error::SqliteFailure(cause, _) if cause.code == ErrorCode::ConstraintViolation => {
            Error::Taken { what: "assessment", name: name.to_owned(), cure: "choose another name" }
        }
        _ => error.into(),
    }
}

/// The error that there is no assessment in row `id`.
pub(super) fn missing(id: i64) -> Error {
    Error::NotFound {
        what: "assessment",
        id: id.to_string(),
        cure: "; `sibyl assess list` lists those that there are".to_owned(),
    }
}
