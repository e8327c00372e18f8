//! Documents that look like one whose file is gone. An edited and renamed file is the same document only if
//! somebody says so.

use super::document::{DocumentRow, row_of};
use crate::error::{Error, Result};
use crate::{SqliteStore, touch};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Two documents about which somebody is asked whether they are the same.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Likeness {
    /// The document whose file is gone.
    pub gone: DocumentRow,
    /// The one that looks like it.
    pub found: DocumentRow,
    /// How alike their texts are, 0 to 1: twice the number of three-word sequences that both have, divided by the
    /// sum of both numbers (Sørensen–Dice coefficient).
    pub share: f64,
    /// The job that found it.
    pub job: i64,
}

/// Two documents that look alike.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Alike {
    /// Row of the document whose file is gone.
    pub gone: i64,
    /// Row of the one that looks like it.
    pub found: i64,
    /// How alike their texts are, 0 to 1.
    pub share: f64,
}

impl SqliteStore {
    pub(crate) async fn ask_likeness(&self, job: i64, alike: Vec<Alike>) -> Result<Vec<Alike>> {
        self.pool
            .write(move |tx| {
                let mut asked = Vec::new();
                for one in alike {
                    let new = tx
                        .prepare_cached(
                            "INSERT OR IGNORE INTO likeness (gone, found, share, job) VALUES (?1, ?2, ?3, ?4)",
                        )?
                        .execute((one.gone, one.found, one.share, job))?;
                    if new > 0 {
                        asked.push(one);
                    }
                }
                if !asked.is_empty() {
                    touch(tx, "corpus")?;
                }
                Ok(asked)
            })
            .await
    }

    pub(crate) async fn likenesses(&self, workspace: i64) -> Result<Vec<Likeness>> {
        self.pool
            .read(move |c| {
                let mut select = c.prepare_cached(
                    "SELECT l.gone, l.found, l.share, l.job FROM likeness l JOIN document d ON d.id = l.gone
                     JOIN corpus o ON o.id = d.corpus_id
                     WHERE NOT l.denied AND (o.workspace_id IS NULL OR o.workspace_id = ?1)
                     ORDER BY l.share DESC, l.gone, l.found",
                )?;
                let rows = select.query_map([workspace], |row| {
                    Ok((row.get(0)?, row.get(1)?, row.get::<_, f64>(2)?, row.get::<_, i64>(3)?))
                })?;
                let rows: Vec<(i64, i64, f64, i64)> = rows.collect::<rusqlite::Result<_>>()?;
                rows.into_iter()
                    .map(|(gone, found, share, job)| {
                        let (gone, found) = (row_of(c, workspace, gone)?, row_of(c, workspace, found)?);
                        Ok(Likeness { gone, found, share, job })
                    })
                    .collect()
            })
            .await
    }

    pub(crate) async fn deny_likeness(&self, workspace: i64, gone: i64, found: i64) -> Result<()> {
        self.pool
            .write(move |tx| {
                let (gone, found) = (row_of(tx, workspace, gone)?, row_of(tx, workspace, found)?);
                let denied = tx.execute(
                    "UPDATE likeness SET denied = 1 WHERE gone = ?1 AND found = ?2",
                    (gone.id, found.id),
                )?;
                if denied == 0 {
                    let pair = format!("{} and {}", gone.id, found.id);
                    return Err(Error::NotFound {
                        what: "question about documents",
                        id: pair,
                        cure: "; `sibyl documents same` lists those that are open".to_owned(),
                    });
                }
                touch(tx, "corpus")?;
                Ok(())
            })
            .await
    }
}
