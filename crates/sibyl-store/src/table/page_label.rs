//! Labels printed on pages, where they differ from the physical numbers.

use crate::error::Result;
use rusqlite::Transaction;
use sibyl_text::Page;

/// Puts the labels of `pages` in place of the stored ones of the document.
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
