//! The displayed details of chunks, kept between searches: while somebody types, most hits are the same as one
//! letter earlier.

use crate::error::Result;
use crate::store::Store;
use crate::store::candidate::Candidate;
use parking_lot::Mutex;
use std::collections::HashMap;
use std::sync::Arc;

/// Chunks kept, of about half a kilobyte each.
const KEPT: usize = 20_000;

/// The details of chunks, by row id.
pub(super) type Candidates = HashMap<i64, Arc<Candidate>>;

/// Candidates of one state of the library.
#[derive(Default)]
pub(super) struct Labels(Mutex<(i64, Candidates)>);

impl Labels {
    /// The chunks with these row ids at the chunks' `generation`; deleted ones are left out.
    ///
    /// # Errors
    /// Storage errors.
    pub async fn of(&self, store: &dyn Store, rows: &[i64], generation: i64) -> Result<Candidates> {
        let mut found = Candidates::with_capacity(rows.len());
        let mut unknown = Vec::new();
        {
            let mut kept = self.0.lock();
            if kept.0 != generation || kept.1.len() > KEPT {
                *kept = (generation, Candidates::new());
            }
            for &row in rows {
                match kept.1.get(&row) {
                    Some(candidate) => drop(found.insert(row, Arc::clone(candidate))),
                    None => unknown.push(row),
                }
            }
        }
        if unknown.is_empty() {
            return Ok(found);
        }
        let read = store.candidates(unknown).await?;
        let read: Candidates = read.into_iter().map(|(row, candidate)| (row, Arc::new(candidate))).collect();
        let mut kept = self.0.lock();
        if kept.0 == generation {
            kept.1.extend(read.iter().map(|(row, candidate)| (*row, Arc::clone(candidate))));
        }
        found.extend(read);
        Ok(found)
    }
}
