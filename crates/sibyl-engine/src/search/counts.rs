//! How often words occur, kept between searches. Counting a frequent word takes longer than ranking the rare ones,
//! and most queries share their frequent words. After that, only later chunks are counted.

use crate::error::Result;
use crate::store::Store;
use crate::store::keyword::{Frequencies, Phrase, Wanted};
use crate::store::scope::Scope;
use parking_lot::Mutex;
use std::collections::HashMap;
use std::hash::Hash;

/// Stems and phrases kept for a workspace.
const KEPT: usize = 50_000;

/// Frequencies by workspace.
#[derive(Default)]
pub(super) struct Counts(Mutex<HashMap<i64, Known>>);

/// The counts of a workspace.
#[derive(Default)]
struct Known {
    /// Number of deletions of chunks so far: the words of a deleted chunk are not known.
    removals: i64,
    stems: HashMap<String, Counted>,
    phrases: HashMap<Phrase, Counted>,
}

/// A number of chunks, and the newest row among which they were counted.
#[derive(Clone, Copy)]
struct Counted {
    count: u64,
    upto: i64,
}

impl Counts {
    /// How often stems (each with a phrase that finds it) and phrases occur in what `workspace` sees.
    ///
    /// # Errors
    /// Storage errors.
    pub async fn of(
        &self,
        store: &dyn Store,
        workspace: i64,
        scope: &Scope,
        (stems, phrases): (Vec<(String, Phrase)>, Vec<Phrase>),
    ) -> Result<Frequencies> {
        let mut found = Frequencies { chunks: scope.total, ..Frequencies::default() };
        let (stems, phrases) = {
            let mut kept = self.0.lock();
            let known = kept.entry(workspace).or_default();
            if known.removals != scope.removals || known.stems.len() + known.phrases.len() > KEPT {
                *known = Known { removals: scope.removals, ..Known::default() };
            }
            let phrases = phrases.into_iter().map(|phrase| (phrase.clone(), phrase));
            (
                unknown(stems, &known.stems, scope.newest, &mut found.stems),
                unknown(phrases, &known.phrases, scope.newest, &mut found.phrases),
            )
        };
        if stems.is_empty() && phrases.is_empty() {
            return Ok(found);
        }
        let read = store.keyword_frequencies(stems, phrases, scope).await?;
        let mut kept = self.0.lock();
        if let Some(known) = kept.get_mut(&workspace).filter(|known| known.removals == read.removals) {
            let counted = |&count: &u64, upto| Counted { count, upto };
            known
                .stems
                .extend(read.stems.iter().map(|(stem, count)| (stem.clone(), counted(count, read.newest))));
            // A phrase was counted among what the workspace saw when its scope was resolved.
            let phrases = read.phrases.iter();
            known
                .phrases
                .extend(phrases.map(|(phrase, count)| (phrase.clone(), counted(count, scope.newest))));
        }
        found.stems.extend(read.stems);
        found.phrases.extend(read.phrases);
        Ok(found)
    }
}

/// Copies to `found` what is known about `wanted` up to row `newest`, and returns what has to be counted.
fn unknown<T: Eq + Hash>(
    wanted: impl IntoIterator<Item = (T, Phrase)>,
    known: &HashMap<T, Counted>,
    newest: i64,
    found: &mut HashMap<T, u64>,
) -> Vec<Wanted<T>> {
    let mut unknown = Vec::new();
    for (name, phrase) in wanted {
        let known = match known.get(&name) {
            Some(counted) if counted.upto >= newest => {
                found.insert(name, counted.count);
                continue;
            }
            // What the workspace did not see before it may see now, in whichever chunk.
            Some(counted) if counted.count > 0 => Some((counted.count, counted.upto)),
            _ => None,
        };
        unknown.push(Wanted { name, phrase, known });
    }
    unknown
}
