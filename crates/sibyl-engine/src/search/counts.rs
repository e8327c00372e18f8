//! How often words occur, kept between searches: to count a frequent word takes longer than to rank the rare ones, and
//! most queries have the same frequent words.

use crate::error::Result;
use crate::store::Store;
use crate::store::keyword::Frequencies;
use crate::store::scope::Scope;
use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

/// Stems and phrases kept for a workspace.
const KEPT: usize = 50_000;

/// Frequencies of one state of the library, by workspace.
#[derive(Default)]
pub(super) struct Counts(Mutex<HashMap<i64, (i64, Frequencies)>>);

impl Counts {
    /// How often stems (each with an expression that finds it) and phrases occur in what `workspace` sees.
    ///
    /// # Errors
    /// Storage errors.
    pub async fn of(
        &self,
        store: &Store,
        workspace: i64,
        scope: &Scope,
        (mut stems, mut phrases): (Vec<(String, String)>, Vec<String>),
    ) -> Result<Frequencies> {
        let mut found = Frequencies { chunks: scope.total, ..Frequencies::default() };
        {
            let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            let (generation, known) = kept.entry(workspace).or_default();
            if *generation != scope.generation || known.stems.len() + known.phrases.len() > KEPT {
                (*generation, *known) = (scope.generation, Frequencies::default());
            }
            let found = &mut found;
            stems.retain(|(stem, _)| !take(&known.stems, stem, &mut found.stems));
            phrases.retain(|phrase| !take(&known.phrases, phrase, &mut found.phrases));
        }
        if stems.is_empty() && phrases.is_empty() {
            return Ok(found);
        }
        let read = store.keyword_frequencies(stems, phrases, scope).await?;
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, known)) =
            kept.get_mut(&workspace).filter(|(generation, _)| *generation == scope.generation)
        {
            known.stems.extend(read.stems.clone());
            known.phrases.extend(read.phrases.clone());
        }
        found.stems.extend(read.stems);
        found.phrases.extend(read.phrases);
        Ok(found)
    }
}

/// Copies what is known of `name` and says whether anything is.
fn take(known: &HashMap<String, u64>, name: &String, found: &mut HashMap<String, u64>) -> bool {
    known.get(name).map(|&count| found.insert(name.clone(), count)).is_some()
}
