//! The thesaurus: which words stand for which others, for every corpus or for one.

use crate::SqliteStore;
use crate::error::{Error, Result};
use rusqlite::{Connection, OptionalExtension as _, Transaction};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// One direction of the thesaurus: a query with `term` also searches for `expansion`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ThesaurusEntry {
    /// Row id.
    pub id: i64,
    /// Row id of the corpus it is for; `None` for every corpus.
    pub corpus_id: Option<i64>,
    /// Word or words of a query.
    pub term: String,
    /// Word or words searched for as well.
    pub expansion: String,
    /// Weight relative to the word that was typed, above 0 and at most 1.
    pub weight: f64,
    /// Whether it came with the program.
    pub shipped: bool,
}

/// An entry to be stored.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct NewThesaurusEntry {
    /// Row id of the corpus it is for; `None` for every corpus.
    #[serde(default)]
    pub corpus_id: Option<i64>,
    /// Word or words of a query.
    pub term: String,
    /// Word or words searched for as well.
    pub expansion: String,
    /// Weight relative to the word that was typed, above 0 and at most 1.
    pub weight: f64,
}

/// Generation that counts every change of the thesaurus.
const CHANGES: &str = "thesaurus";
/// Version of the shipped entries in the library.
const SHIPPED: &str = "thesaurus_shipped";

impl SqliteStore {
    pub(crate) async fn thesaurus(&self, workspace: i64) -> Result<Vec<ThesaurusEntry>> {
        self.pool
            .read(move |c| {
                let mut select = c.prepare_cached(
                    "SELECT t.id, t.corpus_id, t.term, t.expansion, t.weight, t.shipped FROM thesaurus t
                     LEFT JOIN corpus o ON o.id = t.corpus_id
                     WHERE t.corpus_id IS NULL OR o.workspace_id IS NULL OR o.workspace_id = ?1
                     ORDER BY t.term, t.expansion, t.corpus_id",
                )?;
                let rows = select.query_map([workspace], |row| {
                    Ok(ThesaurusEntry {
                        id: row.get(0)?,
                        corpus_id: row.get(1)?,
                        term: row.get(2)?,
                        expansion: row.get(3)?,
                        weight: row.get(4)?,
                        shipped: row.get(5)?,
                    })
                })?;
                Ok(rows.collect::<rusqlite::Result<_>>()?)
            })
            .await
    }

    pub(crate) async fn put_thesaurus_entry(&self, workspace: i64, entry: NewThesaurusEntry) -> Result<i64> {
        let (term, expansion) = (entry.term.trim().to_owned(), entry.expansion.trim().to_owned());
        if term.is_empty() || expansion.is_empty() || term.eq_ignore_ascii_case(&expansion) {
            return Err(Error::Invalid(format!(
                "a thesaurus entry needs two different words, not `{term}` and `{expansion}`"
            )));
        }
        if !(entry.weight > 0.0 && entry.weight <= 1.0) {
            return Err(Error::Invalid(format!(
                "the weight of a thesaurus entry must be above 0 and at most 1, not {}",
                entry.weight
            )));
        }
        self.pool
            .write(move |tx| {
                if let Some(corpus) = entry.corpus_id {
                    let seen = tx
                        .query_row(
                            "SELECT 1 FROM corpus WHERE id = ?1 AND (workspace_id IS NULL OR workspace_id = ?2)",
                            (corpus, workspace),
                            |_| Ok(()),
                        )
                        .optional()?;
                    seen.ok_or_else(|| Error::not_found("corpus", corpus.to_string()))?;
                }
                let id = put(tx, entry.corpus_id, &term, &expansion, entry.weight)?;
                count(tx, CHANGES)?;
                Ok(id)
            })
            .await
    }

    pub(crate) async fn delete_thesaurus_entry(&self, workspace: i64, id: i64) -> Result<()> {
        let deleted = self
            .pool
            .write(move |tx| {
                let deleted = tx.execute(
                    "DELETE FROM thesaurus WHERE id = ?1 AND (corpus_id IS NULL OR corpus_id IN
                       (SELECT id FROM corpus WHERE workspace_id IS NULL OR workspace_id = ?2))",
                    (id, workspace),
                )?;
                count(tx, CHANGES)?;
                Ok(deleted)
            })
            .await?;
        if deleted == 0 { Err(Error::not_found("thesaurus entry", id.to_string())) } else { Ok(()) }
    }

    pub(crate) async fn ship_thesaurus(&self, version: i64, entries: Vec<NewThesaurusEntry>) -> Result<bool> {
        if self.pool.read(|c| Ok(value(c, SHIPPED)?)).await? >= version {
            return Ok(false);
        }
        self.pool
            .write(move |tx| {
                tx.execute("DELETE FROM thesaurus WHERE shipped = 1", [])?;
                for entry in &entries {
                    tx.prepare_cached(
                        "INSERT INTO thesaurus (corpus_id, term, expansion, weight, shipped)
                         VALUES (NULL, ?1, ?2, ?3, 1) ON CONFLICT DO NOTHING",
                    )?
                    .execute((&entry.term, &entry.expansion, entry.weight))?;
                }
                tx.execute(
                    "INSERT INTO generation (name, value) VALUES (?1, ?2)
                     ON CONFLICT (name) DO UPDATE SET value = excluded.value",
                    (SHIPPED, version),
                )?;
                count(tx, CHANGES)?;
                Ok(true)
            })
            .await
    }
}

fn put(
    tx: &Transaction<'_>,
    corpus: Option<i64>,
    term: &str,
    expansion: &str,
    weight: f64,
) -> rusqlite::Result<i64> {
    tx.prepare_cached(
        "INSERT INTO thesaurus (corpus_id, term, expansion, weight) VALUES (?1, ?2, ?3, ?4)
         ON CONFLICT (coalesce(corpus_id, 0), term, expansion)
         DO UPDATE SET weight = excluded.weight, shipped = 0
         RETURNING id",
    )?
    .query_row((corpus, term, expansion, weight), |row| row.get(0))
}

fn count(tx: &Transaction<'_>, name: &str) -> rusqlite::Result<()> {
    tx.prepare_cached(
        "INSERT INTO generation (name, value) VALUES (?1, 1) ON CONFLICT (name) DO UPDATE SET value = value + 1",
    )?
    .execute([name])?;
    Ok(())
}

fn value(c: &Connection, name: &str) -> rusqlite::Result<i64> {
    let value =
        c.prepare_cached("SELECT value FROM generation WHERE name = ?1")?.query_row([name], |row| row.get(0));
    Ok(value.optional()?.unwrap_or(0))
}
