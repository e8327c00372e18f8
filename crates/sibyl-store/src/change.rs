//! What other programs write to the library.

use super::SqliteStore;
use crate::connection::Pool;
use crate::error::{Error, Result};
use std::collections::BTreeMap;
use std::time::Duration;
use tokio::sync::watch;

/// A state of the library.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ChangeMark {
    /// How often each kind of rows was changed, by its name.
    pub counts: BTreeMap<String, i64>,
    /// Whether the library is known to be damaged.
    pub damaged: bool,
    /// Whether another one replaces it at the next start.
    pub replaced: bool,
}

impl SqliteStore {
    pub(crate) async fn changes(&self, within: Duration) -> Result<watch::Receiver<ChangeMark>> {
        let (mut version, mark) = look(&self.pool).await?;
        let (sender, receiver) = watch::channel(mark);
        let pool = self.pool.downgrade();
        tokio::spawn(async move {
            loop {
                tokio::select! {
                    () = sender.closed() => return,
                    () = tokio::time::sleep(within) => {}
                }
                // The library closes with its last owner, which must not be this task.
                let Some(pool) = pool.upgrade() else { return };
                match renew(&pool, &mut version, &sender).await {
                    Ok(()) => {}
                    Err(Error::Closed) => return,
                    Err(error) => {
                        tracing::warn!(
                            code = error.code(),
                            "changes by other programs are not seen: {error}"
                        );
                    }
                }
            }
        });
        Ok(receiver)
    }
}

/// Reports to `sender` what another program changed since `version`.
async fn renew(pool: &Pool, version: &mut i64, sender: &watch::Sender<ChangeMark>) -> Result<()> {
    let condition = condition(pool);
    let known = {
        let mark = sender.borrow();
        (mark.damaged, mark.replaced)
    };
    if known != condition {
        // Without reading rows: these may be what is damaged.
        sender.send_modify(|mark| (mark.damaged, mark.replaced) = condition);
        return Ok(());
    }
    if foreign_version(pool).await? != *version {
        let (now, mark) = look(pool).await?;
        *version = now;
        sender.send_replace(mark);
    }
    Ok(())
}

async fn look(pool: &Pool) -> Result<(i64, ChangeMark)> {
    let (damaged, replaced) = condition(pool);
    // The version first: whatever is written between the two is found by the next look.
    let version = foreign_version(pool).await?;
    let counts = pool
        .read(|c| {
            let mut select = c.prepare_cached("SELECT name, value FROM generation")?;
            let rows = select.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?;
            Ok(rows.collect::<rusqlite::Result<_>>()?)
        })
        .await?;
    Ok((version, ChangeMark { counts, damaged, replaced }))
}

/// Whether the library is known to be damaged, and whether another file replaces it.
fn condition(pool: &Pool) -> (bool, bool) {
    (pool.damage().is_some(), pool.place().is_replaced())
}

/// A number that changes with everything another program writes, and with nothing that this one does.
async fn foreign_version(pool: &Pool) -> Result<i64> {
    // SQLite leaves a connection's own changes out, and all of this program's are made on the writer's.
    pool.with_writer(|c| Ok(c.pragma_query_value(None, "data_version", |row| row.get(0))?)).await
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::place::Place;
    use crate::table::workspace::LabelLanguage;

    #[tokio::test]
    async fn a_look_reports_what_another_program_wrote_and_not_its_own() {
        let folder = tempfile::tempdir().unwrap();
        let program = || SqliteStore::open(Place::named(folder.path())).unwrap();
        let (own, other) = (program(), program());
        let (mut version, mark) = look(&own.pool).await.unwrap();
        let (sender, mut receiver) = watch::channel(mark);

        own.create_workspace("east", LabelLanguage::En).await.unwrap();
        renew(&own.pool, &mut version, &sender).await.unwrap();
        assert!(!receiver.has_changed().unwrap(), "its own change");

        let before = receiver.borrow_and_update().counts.clone();
        other.create_workspace("west", LabelLanguage::En).await.unwrap();
        renew(&own.pool, &mut version, &sender).await.unwrap();
        assert!(receiver.has_changed().unwrap());
        assert_ne!(receiver.borrow_and_update().counts["workspace"], before["workspace"]);

        renew(&own.pool, &mut version, &sender).await.unwrap();
        assert!(!receiver.has_changed().unwrap(), "nothing was written since");
    }
}
