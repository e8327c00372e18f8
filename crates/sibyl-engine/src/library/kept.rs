//! Documents kept in memory between questions, so that an answer waits for no large text.

use sibyl_answer::Source;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

/// Most documents.
const KEPT: usize = 32;

/// Documents that answers were made from, of one state of the library.
#[derive(Default)]
pub(crate) struct KeptSources(Mutex<(i64, HashMap<i64, Arc<Source>>)>);

impl KeptSources {
    /// The document in row `id` as it is at the chunks' `generation`, where it is kept.
    pub fn get(&self, generation: i64, id: i64) -> Option<Arc<Source>> {
        let kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        kept.1.get(&id).filter(|_| kept.0 == generation).cloned()
    }

    /// Keeps a document of the chunks' `generation`; those of another one go.
    pub fn put(&self, generation: i64, source: Arc<Source>) {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if kept.0 != generation || kept.1.len() >= KEPT {
            *kept = (generation, HashMap::new());
        }
        kept.1.insert(source.id, source);
    }
}
