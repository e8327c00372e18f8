//! Words from the passages at the head of a first ranking, added to the words of the query: pseudo-relevance feedback.
//!
//! A question and the passage that answers it often share few words; words of the best passages are often in other
//! answers too. The relevance model is that of Lavrenko and Croft, "Relevance-Based Language Models" (SIGIR 2001).
//! It is mixed with the query as in RM3 (Abdul-Jaleel et al., "UMass at TREC 2004: Novelty and HARD"). With `λ`
//! for [`SHARE`] it is `(1 − λ) · P(w | query) + λ · Σ P(w | passage) · P(passage)`, where `P(passage)` is the
//! passage's share of the scores.

use super::attempt::{Attempt, Legs};
use super::fuse::{Fused, Fusion};
use super::query::{SMALL_INDEX, TOO_FREQUENT, is_stop};
use super::{Mode, SearchStage, Term, TermFate};
use crate::error::Result;
use crate::store::keyword::{Clause, MAX_PHRASES, Phrase, inverse_frequency};
use std::collections::{HashMap, HashSet};

/// Number of passages whose words are used.
const PASSAGES: usize = 2;
/// Maximum number of words that are added.
const WORDS: usize = 30;
/// Part of all weight that the added words have together, 0 to 1.
const SHARE: f64 = 0.2;
/// Minimum number of letters of a word.
const MIN_LETTERS: usize = 3;

/// A word of the passages.
struct Found {
    /// Its first occurrence, in lower case.
    text: String,
    stem: String,
    /// Its probability in the relevance model, 0 to 1.
    probability: f64,
    frequency: u64,
    rarity: f64,
}

impl Attempt<'_> {
    /// Runs the keyword leg once more, with words of the best passages of a first ranking.
    ///
    /// # Errors
    /// Storage errors.
    pub async fn feed_back(&mut self, legs: &mut Legs) -> Result<()> {
        if !self.feeds_back(legs) {
            return Ok(());
        }
        let stage = self.clock.stage(SearchStage::Feedback, PASSAGES);
        let mut first = self.fused(legs).await?;
        first.truncate(PASSAGES);
        let words = self.words_of(&first).await?;
        let added = words.len();
        if added > 0 {
            self.add(words);
            let list =
                self.store().keyword_ranked(self.plan.keyword.clone(), &self.scope, self.depth()).await?;
            legs.keyword = Some(list);
        }
        stage.end(added);
        Ok(())
    }

    /// Whether words are to be added. Fusion must be by scores, since reciprocal rank fusion is meant to run as
    /// documented, and the query must not name what it looks for.
    fn feeds_back(&self, legs: &Legs) -> bool {
        let request = self.request;
        request.feedback
            && request.mode == Mode::Hybrid
            && request.fusion == Fusion::Scores
            && !request.structured
            && legs.meaning.is_some()
            && legs.named.entries.is_empty()
            && self.scope.total >= SMALL_INDEX
            && matches!(self.plan.keyword.clause, Some(Clause::Should(_)))
    }

    /// Words in `passages` but not in the query, the most distinctive first.
    async fn words_of(&self, passages: &[Fused]) -> Result<Vec<Found>> {
        let rows = passages.iter().map(|one| one.row).collect();
        let chunks = self.store().chunks_by_row(self.workspace, rows).await?;
        let scores: f64 = passages.iter().map(|one| one.score).sum();
        if scores <= 0.0 {
            return Ok(Vec::new());
        }
        let mut texts: Vec<String> = Vec::new();
        let mut places: HashMap<String, usize> = HashMap::new();
        let mut probabilities: Vec<f64> = Vec::new();
        for one in passages {
            let Some(chunk) = chunks.get(&one.row) else { continue };
            let words: Vec<String> = words(&chunk.text).collect();
            let each = one.score / scores / words.len() as f64;
            for word in words {
                let place = *places.entry(word).or_insert_with_key(|word| {
                    texts.push(word.clone());
                    probabilities.push(0.0);
                    texts.len() - 1
                });
                probabilities[place] += each;
            }
        }
        let stems = self.retriever.stems(&texts)?;
        let own: HashSet<&String> = self.plan.labels.iter().collect();
        let mut found: Vec<Found> = Vec::new();
        let mut by_stem: HashMap<String, usize> = HashMap::new();
        for ((text, stems), probability) in texts.into_iter().zip(stems).zip(probabilities) {
            let [stem] = stems.as_slice() else { continue };
            if own.contains(stem) {
                continue;
            }
            let place = *by_stem.entry(stem.clone()).or_insert(found.len());
            match found.get_mut(place) {
                Some(known) => known.probability += probability,
                None => {
                    let stem = stem.clone();
                    found.push(Found { text, stem, probability, frequency: 0, rarity: 0.0 });
                }
            }
        }
        let wanted = found.iter().map(|word| (word.stem.clone(), Phrase::new(word.text.clone()))).collect();
        let counted = self.retriever.count_stems(self.workspace, &self.scope, wanted).await?;
        for word in &mut found {
            word.frequency = counted.stems.get(&word.stem).copied().unwrap_or(0);
            word.rarity = inverse_frequency(word.frequency, counted.chunks);
        }
        let most = counted.chunks as f64 * TOO_FREQUENT;
        found.retain(|word| word.frequency > 0 && word.frequency as f64 <= most);
        let tells = |word: &Found| word.probability * word.rarity;
        found.sort_by(|a, b| tells(b).total_cmp(&tells(a)).then_with(|| a.stem.cmp(&b.stem)));
        found.truncate(WORDS);
        Ok(found)
    }

    /// Adds `words` to the query.
    fn add(&mut self, words: Vec<Found>) {
        let plan = &mut self.plan;
        let Some(Clause::Should(clause)) = &mut plan.keyword.clause else { return };
        let own =
            plan.terms.iter().filter(|term| matches!(term.fate, TermFate::Kept | TermFate::Phrase)).count();
        let all: f64 = words.iter().map(|word| word.probability).sum();
        let most = SHARE / (1.0 - SHARE) * own as f64;
        let room = MAX_PHRASES.saturating_sub(clause.len());
        for word in words.into_iter().take(room) {
            let weight = most * word.probability / all;
            clause.push(Clause::Phrase(Phrase::new(word.text.clone())));
            plan.keyword.weights.push(weight * word.rarity);
            plan.labels.push(word.stem.clone());
            plan.terms.push(Term {
                text: word.text,
                stem: word.stem,
                document_frequency: word.frequency,
                fate: TermFate::Feedback,
                weight,
            });
        }
    }
}

/// The words of `text` that may be distinctive, in lower case.
fn words(text: &str) -> impl Iterator<Item = String> {
    let words = text.split(|c: char| !c.is_alphanumeric());
    let words = words.filter(|word| word.chars().nth(MIN_LETTERS - 1).is_some());
    words.filter(|word| !word.chars().all(char::is_numeric) && !is_stop(word)).map(str::to_lowercase)
}
