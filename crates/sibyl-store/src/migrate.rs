//! Schema versions. Each migration runs in one transaction with its version number.

use crate::error::{Error, Result};
use rusqlite::{Connection, TransactionBehavior};
use std::path::Path;

/// "Siby": tells a library from any other SQLite file.
const APPLICATION_ID: i32 = 0x5369_6279;

/// Migration `n` leads from schema `n` to `n + 1`.
const MIGRATIONS: &[&str] = &[
    include_str!("schema_1.sql"),
    include_str!("schema_2.sql"),
    include_str!("schema_3.sql"),
    include_str!("schema_4.sql"),
    include_str!("schema_5.sql"),
    include_str!("schema_6.sql"),
    include_str!("schema_7.sql"),
];

pub(super) fn migrate(connection: &mut Connection, path: &Path) -> Result<()> {
    let application: i32 = connection.pragma_query_value(None, "application_id", |row| row.get(0))?;
    let version: i64 = connection.pragma_query_value(None, "user_version", |row| row.get(0))?;
    let objects: i64 = connection.query_row("SELECT count(*) FROM sqlite_schema", [], |row| row.get(0))?;
    if application != APPLICATION_ID && (application != 0 || objects > 0) {
        return Err(Error::NotALibrary { path: path.to_owned(), found: application });
    }
    let supported = i64::try_from(MIGRATIONS.len()).unwrap_or(i64::MAX);
    if version > supported {
        return Err(Error::NewerLibrary { path: path.to_owned(), found: version, supported });
    }
    for (index, migration) in MIGRATIONS.iter().enumerate() {
        let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        // Read inside the transaction: another process may have migrated meanwhile.
        let version: i64 = transaction.pragma_query_value(None, "user_version", |row| row.get(0))?;
        if usize::try_from(version).is_ok_and(|v| v > index) {
            continue;
        }
        transaction.execute_batch(migration)?;
        transaction.pragma_update(None, "application_id", APPLICATION_ID)?;
        transaction.pragma_update(None, "user_version", index as i64 + 1)?;
        transaction.commit()?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::place::Place;
    use crate::table::workspace::DEFAULT_WORKSPACE;
    use crate::{LIBRARY_FILE, Store};

    /// A library as the first schema has it, with a job that is done.
    const FORMER: &str = "
        INSERT INTO corpus (id, name, source_type, strategy, created_at) VALUES (7, 'texts', 'text', 'recursive', '');
        INSERT INTO document (id, corpus_id, path, root, origin, report_id, source_type, format, title, source_hash,
            text_version, config_hash, text, structure, word_count, token_count, ingested_at)
            VALUES (5, 7, 'a.txt', '', '/a.txt', 'a', 'report', 'plain', 'A', '', '', '', 'A',
              '{\"pages\": [{\"number\": 1, \"label\": \"i\"}, {\"number\": 2, \"label\": \"2\"}],
                \"metadata\": {\"year\": 2024}}', 1, 1, '');
        INSERT INTO job (id, kind, state, workspace, request, created_at, updated_at)
            VALUES (3, 'ingest', 'done', 'default', '{}', '', '');
        INSERT INTO job_file (job, ordinal, corpus_id, root, origin, path, state, chunks)
            VALUES (3, 0, 7, '', '/a.txt', 'a.txt', 'done', 5);";

    #[tokio::test]
    async fn a_library_of_the_first_schema_opens_with_all_it_holds() {
        let folder = tempfile::tempdir().unwrap();
        let former = Connection::open(folder.path().join(LIBRARY_FILE)).unwrap();
        former.execute_batch(MIGRATIONS[0]).unwrap();
        former.execute_batch(FORMER).unwrap();
        former.pragma_update(None, "application_id", APPLICATION_ID).unwrap();
        former.pragma_update(None, "user_version", 1).unwrap();
        drop(former);
        for _ in 0..2 {
            let store = Store::open(Place::named(folder.path())).unwrap();
            let job = store.job_row(DEFAULT_WORKSPACE, 3).await.unwrap();
            assert_eq!((job.files_done, job.chunks, job.pages), (1, 5, 0));
            let documents = store.documents(1, None).await.unwrap();
            assert_eq!((documents[0].pages, documents[0].year), (2, Some(2024)));
            let files = store.job_files(3, &[], 0, 10).await.unwrap();
            assert_eq!((files[0].path.as_str(), files[0].pages, files[0].seconds), ("a.txt", None, None));
        }
        let opened = Connection::open(folder.path().join(LIBRARY_FILE)).unwrap();
        let labels = "SELECT group_concat(page || ' ' || label) FROM page_label";
        let labels: String = opened.query_row(labels, [], |row| row.get(0)).unwrap();
        assert_eq!(labels, "1 i", "a label that is the page's number is none");
    }
}
