//! The rows that a statement may look at, for as long as it is looked at.

use super::ChunkSet;
use crate::error::Result;
use rusqlite::{Connection, functions::FunctionFlags};
use std::cell::RefCell;
use std::sync::Arc;

thread_local! {
    /// The rows that `in_scope` lets through on this thread; `None` lets all through.
    static SCOPE: RefCell<Option<Arc<ChunkSet>>> = const { RefCell::new(None) };
}

/// Puts a scope in place for as long as it lives. A read runs on one thread from beginning to end.
pub(crate) struct Scoped;

impl Scoped {
    pub(crate) fn to(rows: Arc<ChunkSet>) -> Self {
        SCOPE.set(Some(rows));
        Self
    }
}

impl Drop for Scoped {
    fn drop(&mut self) {
        SCOPE.set(None);
    }
}

/// Makes `in_scope`, which tells whether a row of `chunk` is in the scope in place, known to `connection`.
pub(crate) fn register(connection: &Connection) -> Result<()> {
    let flags = FunctionFlags::SQLITE_UTF8 | FunctionFlags::SQLITE_INNOCUOUS;
    connection.create_scalar_function("in_scope", 1, flags, |context| {
        let row: i64 = context.get(0)?;
        Ok(SCOPE.with_borrow(|scope| scope.as_ref().is_none_or(|set| set.holds(row))))
    })?;
    Ok(())
}
