//! Which documents have a phrase.

use super::Phrase;
use crate::SqliteStore;
use crate::error::Result;

impl SqliteStore {
    pub(crate) async fn documents_holding(&self, workspace: i64, phrase: Phrase) -> Result<Vec<i64>> {
        self.pool
            .read(move |c| {
                let mut select = c.prepare_cached(
                    "SELECT DISTINCT d.id FROM keyword k JOIN chunk c ON c.id = k.rowid JOIN document d ON d.id = c.document_id
                     JOIN corpus o ON o.id = d.corpus_id
                     WHERE keyword MATCH ?1 AND (o.workspace_id IS NULL OR o.workspace_id = ?2)",
                )?;
                let rows = select.query_map((phrase.expression(), workspace), |row| row.get(0))?;
                Ok(rows.collect::<rusqlite::Result<_>>()?)
            })
            .await
    }
}
