//! The semantic leg: which space answers, and the chunks nearest to the query in it.

use super::{COMPARED, Term, TermFate};
use crate::embed::cache::QueryCache;
use crate::embed::{Embedder, Space, Tier};
use crate::error::{Error, Result};
use crate::store::Store;
use crate::store::scope::{ChunkSet, Scope};
use parking_lot::Mutex;
use std::collections::HashMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// While vectors are being made, a count is reused for a multiple of the time it took, so that counting costs
/// searches no more than a tenth.
const COUNT_SERVES: u32 = 10;
/// Maximum number of chunks up to which vectors are counted again for every search: it takes a few milliseconds.
const COUNTED_AGAIN: u64 = 5_000;

/// Number of scopes whose coverage is kept.
const KEPT: usize = 64;

/// A space that can answer, and how much of the scope it covers.
#[derive(Clone)]
pub(super) struct Chosen {
    /// Embeds the query.
    pub embedder: Arc<dyn Embedder>,
    /// Its space.
    pub space: Space,
    /// The space's id.
    pub id: String,
    /// Chunks in scope that have a vector in it.
    pub covered: u64,
}

/// Which chunks of a scope have vectors. Vectors are added and never removed, so only chunks without one are
/// checked again.
#[derive(Default)]
pub(super) struct Coverage(Mutex<HashMap<(String, String), Counted>>);

#[derive(Clone)]
struct Counted {
    /// Generations of chunks and vectors.
    state: (i64, i64),
    at: Instant,
    took: Duration,
    covered: Arc<ChunkSet>,
}

impl Coverage {
    /// How much of `scope`, identified by `key`, the space called `space` covers at the generation `vectors`.
    async fn of(
        &self,
        store: &dyn Store,
        space: &str,
        scope: &Scope,
        key: &str,
        vectors: i64,
    ) -> Result<u64> {
        let (entry, state) = ((space.to_owned(), key.to_owned()), (scope.generation, vectors));
        let allowed = &scope.allowed;
        let known = self.0.lock().get(&entry).cloned();
        let mut covered = ChunkSet::default();
        if let Some(known) = known {
            let still = known.covered.shared(allowed);
            let serves = known.state == state
                || still == allowed.len()
                || allowed.before() > COUNTED_AGAIN && known.at.elapsed() < known.took * COUNT_SERVES;
            if serves {
                return Ok(still);
            }
            covered = known.covered.within(allowed);
        }
        let began = Instant::now();
        let rest = allowed.without(&covered);
        covered = covered.with(&store.covered_rows(space, Arc::new(rest)).await?);
        let (at, took, count) = (Instant::now(), began.elapsed(), covered.len());
        let mut counts = self.0.lock();
        if counts.len() >= KEPT {
            counts.clear();
        }
        counts.insert(entry, Counted { state, at, took, covered: Arc::new(covered) });
        Ok(count)
    }

    /// The space that covers most of `scope`, and how much. It is one from which `embedder` may answer or, if
    /// there is one, the `wanted` space. While a model's vectors are made again, those of its former space answer.
    pub async fn fullest<'a>(
        &self,
        store: &dyn Store,
        embedder: &'a dyn Embedder,
        wanted: Option<&str>,
        (scope, key): (&Scope, &str),
        vectors: i64,
    ) -> Result<Option<(&'a Space, u64)>> {
        let mut fullest = None;
        for space in embedder.readable() {
            let id = space.id();
            let full = fullest.is_some_and(|(_, covered)| covered == scope.allowed.len());
            if full || wanted.is_some_and(|wanted| wanted != id) {
                continue;
            }
            let covered = self.of(store, &id, scope, key, vectors).await?;
            if fullest.is_none_or(|(_, most)| covered > most) {
                fullest = Some((space, covered));
            }
        }
        Ok(fullest)
    }

    /// The space to search: the requested one, else the best tier that covers the whole scope, else the one that
    /// covers most of it. A remote one answers only if it covers the whole scope. A query does not leave the
    /// machine for less, and chunks that may not leave it are never missed. `None` if no space may answer.
    ///
    /// # Errors
    /// [`Error::Invalid`] if the space asked for is not in use.
    pub async fn choose(
        &self,
        store: &dyn Store,
        embedders: &[Arc<dyn Embedder>],
        wanted: Option<&str>,
        scope: &Scope,
        key: &str,
        vectors: i64,
    ) -> Result<Option<Chosen>> {
        let mut best: Option<((u64, Tier), Chosen)> = None;
        for embedder in embedders {
            let fullest = self.fullest(store, embedder.as_ref(), wanted, (scope, key), vectors);
            let Some((space, covered)) = fullest.await? else { continue };
            let (space, id) = (space.clone(), space.id());
            let mut settled = covered;
            if space.tier == Tier::Remote && covered < scope.allowed.len() {
                // A text that the provider refuses will never have a vector; the rest is not held up by it.
                settled += store.refused(&id, Arc::clone(&scope.allowed)).await?;
                if wanted.is_none() && settled < scope.allowed.len() {
                    continue;
                }
            }
            let worth = (settled, space.tier);
            if best.as_ref().is_none_or(|(most, _)| worth > *most) {
                best = Some((worth, Chosen { embedder: Arc::clone(embedder), space, id, covered }));
            }
        }
        match (best.map(|(_, best)| best), wanted) {
            (None, Some(wanted)) => Err(Error::UnknownSpace(wanted.to_owned())),
            (best, _) => Ok(best.filter(|best| best.covered > 0)),
        }
    }
}

/// The vector of `query`, taken from `known` if it was requested before.
///
/// # Errors
/// What the embedder fails with.
pub(super) async fn embed(chosen: &Chosen, query: &str, known: &QueryCache) -> Result<Vec<f32>> {
    Ok(known.embed(chosen.embedder.as_ref(), query).await?)
}

/// As much of `query` as is compared by meaning, whole words of it.
pub(super) fn compared(query: &str) -> &str {
    let Some((end, _)) = query.char_indices().nth(COMPARED) else { return query };
    let most = &query[..end];
    // Text without spaces, as in Chinese, is cut anywhere.
    most.rfind(char::is_whitespace).filter(|blank| *blank > end / 2).map_or(most, |blank| &most[..blank])
}

/// Minimum weight at which the thesaurus gives the same thing in other words and not only a related word, such as
/// the meaning of an acronym.
const SAME: f64 = 0.8;

/// The text that is embedded for `query`, read as `terms`. Each word that the index does not know is in its
/// nearest known spelling. What the thesaurus says for phrases and acronyms follows in brackets. A model splits an
/// unknown word into pieces that mean something else, and takes a technical phrase for the sum of its words.
/// Synonyms of single words are left out: the model knows those.
pub(super) fn embedded(query: &str, terms: &[Term]) -> String {
    let mut text = corrected(query, terms);
    let added: Vec<&str> =
        terms.iter().filter(|term| tells_the_model(term)).map(|t| t.text.as_str()).collect();
    if !added.is_empty() {
        text = format!("{text} ({})", added.join(", "));
    }
    text
}

fn tells_the_model(term: &Term) -> bool {
    let TermFate::Expansion { of } = &term.fate else { return false };
    let spelt_out = term.text.chars().any(char::is_lowercase);
    spelt_out && (term.weight >= SAME || of.split_whitespace().nth(1).is_some())
}

fn corrected(query: &str, terms: &[Term]) -> String {
    let mut words: Vec<String> =
        query.split_inclusive(|c: char| !c.is_alphanumeric()).map(str::to_owned).collect();
    for term in terms {
        let TermFate::Corrected { to } = &term.fate else { continue };
        let Some(nearest) = to.first() else { continue };
        for word in &mut words {
            let bare = word.trim_end_matches(|c: char| !c.is_alphanumeric());
            if bare.eq_ignore_ascii_case(&term.text) {
                *word = format!("{nearest}{}", &word[bare.len()..]);
            }
        }
    }
    words.concat()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unknown_words_are_embedded_in_their_nearest_spelling() {
        let term = |text: &str, fate: TermFate| Term {
            text: text.to_owned(),
            stem: String::new(),
            document_frequency: 0,
            fate,
            weight: 1.0,
        };
        let terms = [
            term(
                "govrnance",
                TermFate::Corrected { to: vec!["governance".to_owned(), "governing".to_owned()] },
            ),
            term("board", TermFate::Kept),
        ];
        assert_eq!(
            corrected("Govrnance: the board’s govrnance?", &terms),
            "governance: the board’s governance?"
        );
    }

    #[test]
    fn phrases_and_acronyms_are_told_to_the_model_and_neighbours_of_words_are_not() {
        let added = |text: &str, of: &str, weight: f64| Term {
            text: text.to_owned(),
            stem: String::new(),
            document_frequency: 0,
            fate: TermFate::Expansion { of: of.to_owned() },
            weight,
        };
        let terms = [
            added("remuneration", "skin in the game", 0.6),
            added("total recordable incident rate", "trir", 0.8),
            added("objective", "goals", 0.5),
            added("GHG", "greenhouse gas", 0.8),
        ];
        assert_eq!(
            embedded("Skin in the game for goals on trir", &terms),
            "Skin in the game for goals on trir (remuneration, total recordable incident rate)"
        );
        assert_eq!(embedded("goals of greenhouse gas", &terms[2..]), "goals of greenhouse gas");
    }
}
