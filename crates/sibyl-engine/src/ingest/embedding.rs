//! Which spaces a job fills, and with which corpora: whatever is kept from remote models stays on the machine.

use super::JobState;
use crate::embed::shipped::ShippedVectors;
use crate::embed::{Embedder, EmbeddingError, Purpose, Tier};
use crate::error::{Error, Result};
use crate::ingest::pipeline::TOKENS;
use crate::library::{Ingest, Library};
use crate::store::table::refusal::NewRefusal;
use crate::store::vector::MissingTexts;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sibyl_text::tokens::TokenCounter as _;
use std::collections::{HashMap, VecDeque};
use std::sync::Arc;
use tokio::sync::watch;

/// Number of texts looked up at once; the embedder decides how many of them it gets at a time.
const FETCH: usize = 1000;
/// A text that no provider objects to.
const HARMLESS: &str = "probe";

/// What filling in the missing vectors would send to the remote model in use; zero without one.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct EmbedEstimate {
    /// Different texts.
    pub texts: u64,
    /// Estimated tokens of them.
    pub tokens: u64,
    /// Estimated cost in US dollars; `None` if no remote model is in use.
    pub cost: Option<f64>,
}

impl Ingest<'_> {
    /// What [`Ingest::embed`] would send and cost, of corpora that may leave the machine.
    ///
    /// # Errors
    /// Storage errors.
    pub async fn embed_estimate(&self) -> Result<EmbedEstimate> {
        let (mut texts, mut tokens) = (0, 0);
        for embedder in
            self.library.models().embedders().await.iter().filter(|each| each.space().tier == Tier::Remote)
        {
            let allowed = corpora(self.library, embedder).await?;
            let missing = self.library.store().count_missing(&embedder.space().id(), allowed).await?;
            texts += missing.texts;
            tokens += missing.tokens;
        }
        let cost = self.library.models().cost_of(usize::try_from(tokens).unwrap_or(usize::MAX)).await?;
        Ok(EmbedEstimate { texts, tokens, cost })
    }
}

/// How far a space is.
pub(super) struct Filling<'a> {
    /// Model that embeds.
    pub(super) model: &'a str,
    /// Texts that got a vector.
    pub(super) done: usize,
    /// Number of texts that need one.
    pub(super) total: usize,
    /// Estimated US dollars for the texts done, and for all; `None` if the model is free.
    pub(super) cost: Option<(f64, f64)>,
}

/// Fills the spaces of the tiers that are `wanted` one after the other for `job`, and stops between two batches
/// when asked. A text that its provider refuses is recorded and left out. Returns the number of vectors made by
/// space, even if it ended with an error.
pub(super) async fn fill_all(
    library: &Library,
    job: i64,
    wanted: impl Fn(Tier) -> bool,
    wish: &watch::Receiver<Option<JobState>>,
    mut progress: impl FnMut(&Filling<'_>),
) -> (Vec<(String, usize)>, Result<()>) {
    let mut made = Vec::new();
    // A keychain may have been unlocked, and settings changed by another program, since this one began.
    library.models().look_for_providers().await;
    for embedder in library.models().embedders().await {
        if wanted(embedder.space().tier) {
            let mut vectors = 0;
            let filled = fill(library, job, &embedder, wish, &mut progress, &mut vectors).await;
            made.push((embedder.space().id(), vectors));
            if filled.is_err() {
                return (made, filled);
            }
        }
    }
    (made, Ok(()))
}

/// Whether any space in use lacks vectors.
pub(super) async fn waits(library: &Library) -> Result<bool> {
    for embedder in library.models().embedders().await {
        let space = library.store().ensure_space(embedder.space()).await?;
        if library.store().count_missing(&space, corpora(library, &embedder).await?).await?.texts > 0 {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Corpora that `embedder` may see.
async fn corpora(library: &Library, embedder: &Arc<dyn Embedder>) -> Result<Vec<i64>> {
    Ok(library.store().embeddable_corpora(embedder.space().tier == Tier::Remote).await?)
}

async fn fill(
    library: &Library,
    job: i64,
    embedder: &Arc<dyn Embedder>,
    wish: &watch::Receiver<Option<JobState>>,
    progress: &mut impl FnMut(&Filling<'_>),
    made: &mut usize,
) -> Result<()> {
    let store = library.store();
    let space = store.ensure_space(embedder.space()).await?;
    let mut allowed = corpora(library, embedder).await?;
    let mut all = store.count_missing(&space, allowed.clone()).await?;
    if all.texts == 0 {
        return Ok(());
    }
    let price = match embedder.space().tier {
        Tier::Remote => Some(library.settings().await?.integer("price_per_million_tokens") as f64 / 1e12),
        Tier::Instant | Tier::Embedded => None,
    };
    let model = &embedder.space().model;
    let filling = |done: usize, tokens: u64, all: MissingTexts| Filling {
        model,
        done,
        total: usize::try_from(all.texts).unwrap_or(usize::MAX),
        cost: price.map(|price| (price * tokens as f64, price * all.tokens.max(tokens) as f64)),
    };
    let shipped = shipped_vectors(library, &space, embedder.space().dimensions).await?;
    let tried = library.tried().await?;
    let (mut done, mut tokens, mut after, mut first, mut serves) = (0, 0, 0, true, false);
    'fetch: loop {
        progress(&filling(done, tokens, all));
        let missing = store.missing_inputs(&space, allowed.clone(), after, FETCH).await?;
        let Some(last) = missing.last() else { return Ok(()) };
        after = last.chunk;
        let (mut known, mut hashes, mut texts) = (Vec::new(), Vec::new(), Vec::new());
        let mut made_before = HashMap::new();
        if let Some(tried) = &tried {
            let asked = missing.iter().map(|input| input.hash).collect();
            made_before.extend(tried.vectors_of_inputs(&space, asked).await?);
        }
        for input in missing {
            let shipped = shipped.as_ref().and_then(|shipped| shipped.get(&input.hash));
            match shipped.or_else(|| made_before.remove(&input.hash)) {
                Some(vector) => known.push((input.hash, vector)),
                None => {
                    hashes.push(input.hash);
                    texts.push(input.text);
                }
            }
        }
        if !known.is_empty() {
            done += known.len();
            *made += store.put_vectors(&space, known).await?;
        }
        let mut batches = VecDeque::from(embedder.batches(&texts));
        while let Some(batch) = batches.pop_front() {
            if !std::mem::take(&mut first) {
                unless_asked(wish, tokio::time::sleep(embedder.pause())).await?;
            }
            // While texts wait for their turn, somebody may take their model out of use or keep their corpus back.
            let Some(embedder) = library.models().embedder_of(&space).await else { return Ok(()) };
            let allowed_now = corpora(library, &embedder).await?;
            if allowed_now != allowed {
                (allowed, after) = (allowed_now, 0);
                let left = store.count_missing(&space, allowed.clone()).await?;
                all = MissingTexts { texts: left.texts + done as u64, tokens: left.tokens + tokens };
                continue 'fetch;
            }
            let embedding = embedder.embed(&texts[batch.clone()], Purpose::Passage);
            let embedded = match unless_asked(wish, embedding).await? {
                Err(error) if error.is_about_text() => {
                    if !serves {
                        // A wrong model name or setting is refused in the same way, whatever the text.
                        unless_asked(wish, embedder.embed(&[HARMLESS.to_owned()], Purpose::Passage))
                            .await??;
                        serves = true;
                    }
                    if batch.len() > 1 {
                        let middle = batch.start + batch.len() / 2;
                        batches.push_front(middle..batch.end);
                        batches.push_front(batch.start..middle);
                    } else {
                        store.put_refusal(&space, refusal(job, hashes[batch.start], &error)).await?;
                        all.texts = all.texts.saturating_sub(1);
                        all.tokens = all.tokens.saturating_sub(TOKENS.count(&texts[batch.start]) as u64);
                        progress(&filling(done, tokens, all));
                    }
                    continue;
                }
                embedded => embedded?,
            };
            serves = true;
            done += embedded.len();
            tokens += price.map_or(0, |_| counted(&texts[batch.clone()]));
            let vectors = hashes[batch].iter().copied().zip(embedded).collect();
            *made += store.put_vectors(&space, vectors).await?;
            progress(&filling(done, tokens, all));
        }
    }
}

fn counted(texts: &[String]) -> u64 {
    texts.iter().map(|text| TOKENS.count(text) as u64).sum()
}

fn refusal(job: i64, hash: [u8; 32], error: &EmbeddingError) -> NewRefusal {
    tracing::warn!(job, code = error.code(), "a text is left without a vector: {error}");
    NewRefusal { job, hash, reason: error.words().to_owned() }
}

/// The result of `work`, unless the job is asked to stop before.
async fn unless_asked<T>(
    wish: &watch::Receiver<Option<JobState>>,
    work: impl Future<Output = T>,
) -> Result<T> {
    let mut asked = wish.clone();
    tokio::select! {
        biased;
        _ = asked.wait_for(Option::is_some) => Err(Error::Cancelled),
        done = work => Ok(done),
    }
}

/// The vectors that ship for `space`.
pub(super) async fn shipped_vectors(
    library: &Library,
    space: &str,
    dimensions: usize,
) -> Result<Option<ShippedVectors>> {
    let Some(folder) = library.shipped().map(std::path::Path::to_owned) else { return Ok(None) };
    let space = space.to_owned();
    let read = tokio::task::spawn_blocking(move || ShippedVectors::open(&folder, &space, dimensions));
    Ok(read.await??)
}
