//! Vectors of queries, kept while the program runs.

use super::{Embedder, EmbeddingError, Purpose};
use parking_lot::Mutex;
use std::collections::HashMap;

/// Queries that are kept.
const CAPACITY: usize = 256;

/// The vectors of the latest queries, by space and text.
#[derive(Default)]
pub struct QueryCache(Mutex<Kept>);

#[derive(Default)]
struct Kept {
    vectors: HashMap<(String, String), (u64, Vec<f32>)>,
    /// Counts uses: the entry with the lowest number was used longest ago.
    clock: u64,
    uses: CacheUses,
}

/// Where the requested vectors came from.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct CacheUses {
    /// How often a vector was already known.
    pub hits: u64,
    /// How often a model made one.
    pub misses: u64,
}

impl QueryCache {
    /// The vector of `query` by `embedder`, which is called only if it is not known.
    ///
    /// # Errors
    /// What the embedder fails with; failures are not kept.
    pub async fn embed(&self, embedder: &dyn Embedder, query: &str) -> Result<Vec<f32>, EmbeddingError> {
        let entry = (embedder.space().id(), query.to_owned());
        if let Some(vector) = self.known(&entry) {
            self.count(|uses| uses.hits += 1);
            return Ok(vector);
        }
        self.count(|uses| uses.misses += 1);
        let mut vectors = embedder.embed(&[query.to_owned()], Purpose::Query).await?;
        let vector = vectors.pop().ok_or_else(|| EmbeddingError::BadAnswer {
            endpoint: embedder.space().model.clone(),
            message: "expected a vector, got none".to_owned(),
        })?;
        self.keep(entry, vector.clone());
        Ok(vector)
    }

    /// How often it was asked for a vector, and how often it knew one.
    pub fn uses(&self) -> CacheUses {
        self.0.lock().uses
    }

    fn count(&self, count: impl FnOnce(&mut CacheUses)) {
        count(&mut self.0.lock().uses);
    }

    /// The vector of `query` in the space called `space`, if it is known.
    pub fn kept(&self, space: &str, query: &str) -> Option<Vec<f32>> {
        self.known(&(space.to_owned(), query.to_owned()))
    }

    fn known(&self, entry: &(String, String)) -> Option<Vec<f32>> {
        let mut kept = self.0.lock();
        kept.clock += 1;
        let now = kept.clock;
        kept.vectors.get_mut(entry).map(|(used, vector)| {
            *used = now;
            vector.clone()
        })
    }

    fn keep(&self, entry: (String, String), vector: Vec<f32>) {
        let mut kept = self.0.lock();
        if kept.vectors.len() >= CAPACITY {
            let oldest =
                kept.vectors.iter().min_by_key(|(_, (used, _))| *used).map(|(entry, _)| entry.clone());
            oldest.map(|oldest| kept.vectors.remove(&oldest));
        }
        kept.clock += 1;
        let now = kept.clock;
        kept.vectors.insert(entry, (now, vector));
    }
}
