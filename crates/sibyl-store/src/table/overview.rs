//! Figures over corpora.

use crate::SqliteStore;
use crate::error::Result;
use crate::scope::INCOMPLETE;
use rusqlite::params;
use sibyl_text::source_type::field::GROUPS;
use sibyl_text::source_type::fields;
use std::collections::HashMap;

/// Figures of one corpus.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CorpusFigures {
    /// Documents in it.
    pub documents: u64,
    /// Number of those whose files are gone.
    pub missing: u64,
    /// Number of those that lost a part when the library was rescued, and were not ingested since.
    pub incomplete: u64,
    /// Chunks in it.
    pub chunks: u64,
    /// Estimated tokens of its chunks.
    pub tokens: u64,
    /// Bytes of its documents as they were read.
    pub bytes: u64,
    /// When a document was last stored (ISO 8601, UTC).
    pub last_ingested: Option<String>,
}

/// What a corpus is made of.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CorpusShape {
    /// Median tokens of a chunk (the lower one of two); 0 without chunks.
    pub median_tokens: u64,
    /// The 12 largest groups of chunks with their sizes, the largest first, then by name. A chunk's group is its
    /// pillar, else its content type, topic or section, else the empty one.
    pub groups: Vec<(String, u64)>,
    /// Fields that its chunks can be filtered by.
    pub filters: Vec<String>,
    /// Notices from reading its documents, at most 500, by path: path and message.
    pub notices: Vec<(String, String)>,
}

impl SqliteStore {
    pub(crate) async fn corpus_figures(&self, workspace: i64) -> Result<HashMap<i64, CorpusFigures>> {
        self.pool
            .read(move |c| {
                let mut select = c.prepare_cached(
                    "SELECT o.id,
                       (SELECT count(*) FROM document WHERE corpus_id = o.id),
                       (SELECT count(*) FROM chunk WHERE corpus_id = o.id),
                       (SELECT coalesce(sum(tokens), 0) FROM chunk WHERE corpus_id = o.id),
                       (SELECT coalesce(sum(length(s.bytes)), 0) FROM source s
                          JOIN document d ON d.id = s.document_id WHERE d.corpus_id = o.id),
                       (SELECT max(ingested_at) FROM document WHERE corpus_id = o.id),
                       (SELECT count(*) FROM missing_document m JOIN document d ON d.id = m.document
                          WHERE d.corpus_id = o.id),
                       (SELECT count(*) FROM document WHERE corpus_id = o.id AND config_hash = ?2)
                     FROM corpus o WHERE o.workspace_id IS NULL OR o.workspace_id = ?1",
                )?;
                let rows = select.query_map(params![workspace, INCOMPLETE], |row| {
                    let figures = CorpusFigures {
                        documents: row.get(1)?,
                        chunks: row.get(2)?,
                        tokens: row.get(3)?,
                        bytes: row.get(4)?,
                        last_ingested: row.get(5)?,
                        missing: row.get(6)?,
                        incomplete: row.get(7)?,
                    };
                    Ok((row.get(0)?, figures))
                })?;
                Ok(rows.collect::<rusqlite::Result<_>>()?)
            })
            .await
    }

    pub(crate) async fn corpus_shape(&self, id: i64) -> Result<CorpusShape> {
        self.pool
            .read(move |c| {
                let median: Option<u64> = c.query_row(
                    "SELECT (SELECT tokens FROM chunk WHERE corpus_id = ?1 ORDER BY tokens
                       LIMIT 1 OFFSET (SELECT max(count(*) - 1, 0) / 2 FROM chunk WHERE corpus_id = ?1))",
                    [id],
                    |row| row.get(0),
                )?;
                let groups = GROUPS.map(|field| {
                    let name = field.name;
                    format!(
                        "(SELECT value FROM chunk_field WHERE chunk = c.id AND field = '{name}' AND rank = 0)"
                    )
                });
                let mut select = c.prepare_cached(&format!(
                    "SELECT coalesce({}, '') AS name, count(*) FROM chunk c
                     WHERE corpus_id = ?1 GROUP BY name ORDER BY count(*) DESC, name LIMIT 12",
                    groups.join(", ")
                ))?;
                let groups = select
                    .query_map([id], |row| Ok((row.get(0)?, row.get(1)?)))?
                    .collect::<rusqlite::Result<Vec<_>>>()?;
                let mut select = c.prepare_cached(
                    "SELECT EXISTS (SELECT 1 FROM chunk c CROSS JOIN chunk_field f ON f.chunk = c.id
                     WHERE c.corpus_id = ?1 AND f.field = ?2)",
                )?;
                let mut filters = Vec::new();
                for field in fields() {
                    if select.query_row((id, field.name), |row| row.get(0))? {
                        filters.push(field.in_words());
                    }
                }
                let report =
                    "SELECT EXISTS (SELECT 1 FROM chunk WHERE corpus_id = ?1 AND report_id IS NOT NULL)";
                if c.prepare_cached(report)?.query_row([id], |row| row.get(0))? {
                    filters.push("report".to_owned());
                }
                let mut select = c.prepare_cached(
                    "SELECT d.path, n.value ->> '$.message' FROM document d, json_each(d.structure, '$.notices') n
                     WHERE d.corpus_id = ?1 ORDER BY d.path LIMIT 500",
                )?;
                let notices = select
                    .query_map([id], |row| Ok((row.get(0)?, row.get(1)?)))?
                    .collect::<rusqlite::Result<_>>()?;
                Ok(CorpusShape { median_tokens: median.unwrap_or(0), groups, filters, notices })
            })
            .await
    }
}
