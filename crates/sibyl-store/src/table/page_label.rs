//! Labels printed on pages, if they differ from the physical numbers.

use crate::error::Result;
use rusqlite::Transaction;
use sibyl_text::Page;

/// Replaces the stored labels of the document by those of `pages`.
pub(crate) fn replace(tx: &Transaction<'_>, document: i64, pages: &[Page]) -> Result<()> {
    tx.prepare_cached("DELETE FROM page_label WHERE document_id = ?1")?.execute([document])?;
    let mut insert =
        tx.prepare_cached("INSERT OR IGNORE INTO page_label (document_id, page, label) VALUES (?1, ?2, ?3)")?;
    for page in pages {
        if let Some(label) = page.own_label() {
            insert.execute((document, page.number, label))?;
        }
    }
    Ok(())
}
