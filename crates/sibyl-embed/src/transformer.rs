//! The embedded default: a sentence transformer of BERT's kind (all-MiniLM-L6-v2) on `candle`.
//!
//! Weights are stored int8 with one scale a row and computed in f32. A text's vector is the mean over its tokens
//! of the last layer, brought to length 1 (Reimers and Gurevych, Sentence-BERT, EMNLP 2019). A text beyond the
//! window is the mean of its windows' vectors, so that nothing of it is lost.

mod bert;

use super::batch;
use super::model_folder::{ModelFolder, clean};
use super::{EmbedFuture, Embedder, EmbeddingError, Purpose, Space, Tier};
use bert::Bert;
use std::num::NonZero;
use std::path::Path;
use std::sync::{Arc, OnceLock};
use tokenizers::Tokenizer;
use tokio::sync::watch;
use tokio::task::JoinSet;

/// Tokens of a window beside its mark of beginning and end.
const WINDOW: usize = 254;
/// Tokens that a window shares with the one before it.
const OVERLAP: usize = 32;
/// Most tokens of a batch, padding counted: about a fifth of a second, the longest that a query waits.
const BATCH_TOKENS: usize = 1_024;

/// The sentence transformer of a model folder.
pub struct Transformer {
    space: Space,
    inner: Arc<Inner>,
    /// Queries under way: passages wait for them between two batches.
    queries: watch::Sender<usize>,
}

struct Inner {
    folder: ModelFolder,
    model: OnceLock<Result<Model, EmbeddingError>>,
}

struct Model {
    tokenizer: Tokenizer,
    bert: Bert,
    /// Marks of beginning and end.
    marks: [u32; 2],
}

impl Transformer {
    /// Reads the description of the model in `folder`; its weights are read and checked at first use.
    ///
    /// # Errors
    /// [`EmbeddingError::Model`] where the folder is not one of a sentence transformer.
    pub fn open(folder: &Path) -> Result<Self, EmbeddingError> {
        let folder = ModelFolder::open(folder, "bert")?;
        let space =
            folder.space(Tier::Embedded, &format!("mean of {WINDOW}-token windows, overlap {OVERLAP}"));
        let inner = Arc::new(Inner { folder, model: OnceLock::new() });
        Ok(Self { space, inner, queries: watch::Sender::new(0) })
    }

    async fn embed_texts(&self, texts: &[String], purpose: Purpose) -> Result<Vec<Vec<f32>>, EmbeddingError> {
        let _turn = (purpose == Purpose::Query).then(|| Turn::new(&self.queries));
        let owned = texts.to_vec();
        let windows = self.blocking(move |inner| inner.windows(&owned)).await?;
        let lengths: Vec<usize> = windows.iter().map(|window| window.ids.len()).collect();
        let windows = Arc::new(windows);
        let mut sums = vec![vec![0.0; self.space.dimensions]; texts.len()];
        let mut running = JoinSet::new();
        for members in batch::by_length(&lengths, BATCH_TOKENS) {
            if running.len() >= cores() {
                self.add(&mut running, &windows, &mut sums).await?;
            }
            if purpose == Purpose::Passage {
                // The sender lives as long as the receiver, so waiting cannot fail.
                let _ = self.queries.subscribe().wait_for(|queries| *queries == 0).await;
            }
            let (inner, windows) = (Arc::clone(&self.inner), Arc::clone(&windows));
            running.spawn_blocking(move || {
                let ids: Vec<&[u32]> = members.iter().map(|&m| windows[m].ids.as_slice()).collect();
                let vectors =
                    inner.model()?.bert.embed(&ids).map_err(|e| inner.folder.failed(e.to_string()))?;
                Ok((members, vectors))
            });
        }
        while !running.is_empty() {
            self.add(&mut running, &windows, &mut sums).await?;
        }
        for sum in &mut sums {
            normalise(sum);
        }
        match sums.iter().flatten().find(|x| !x.is_finite()) {
            Some(bad) => Err(self.inner.folder.failed(format!("the network gave {bad}"))),
            None => Ok(sums),
        }
    }

    /// Waits for one batch and adds its vectors to those of their texts.
    async fn add(
        &self,
        running: &mut JoinSet<Batch>,
        windows: &[Window],
        sums: &mut [Vec<f32>],
    ) -> Result<(), EmbeddingError> {
        let Some(done) = running.join_next().await else { return Ok(()) };
        let (members, vectors) = done.map_err(|_| self.stopped())??;
        for (member, vector) in members.into_iter().zip(vectors) {
            for (total, x) in sums[windows[member].text].iter_mut().zip(vector) {
                *total += x;
            }
        }
        Ok(())
    }

    async fn blocking<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Inner) -> Result<T, EmbeddingError> + Send + 'static,
    ) -> Result<T, EmbeddingError> {
        let inner = Arc::clone(&self.inner);
        tokio::task::spawn_blocking(move || work(&inner)).await.unwrap_or_else(|_| Err(self.stopped()))
    }

    fn stopped(&self) -> EmbeddingError {
        self.inner.folder.failed("the network stopped while it ran")
    }
}

/// What a batch gives: the numbers of its windows and their vectors.
type Batch = Result<(Vec<usize>, Vec<Vec<f32>>), EmbeddingError>;

impl Embedder for Transformer {
    fn space(&self) -> &Space {
        &self.space
    }

    fn embed<'a>(&'a self, texts: &'a [String], purpose: Purpose) -> EmbedFuture<'a> {
        Box::pin(self.embed_texts(texts, purpose))
    }
}

/// A query under way, counted until it is dropped.
struct Turn<'a>(&'a watch::Sender<usize>);

impl<'a> Turn<'a> {
    fn new(queries: &'a watch::Sender<usize>) -> Self {
        queries.send_modify(|n| *n += 1);
        Self(queries)
    }
}

impl Drop for Turn<'_> {
    fn drop(&mut self) {
        self.0.send_modify(|n| *n -= 1);
    }
}

/// A stretch of a text's tokens, with its marks.
struct Window {
    /// Number of the text it belongs to.
    text: usize,
    ids: Vec<u32>,
}

impl Inner {
    fn model(&self) -> Result<&Model, EmbeddingError> {
        self.model.get_or_init(|| load(&self.folder)).as_ref().map_err(Clone::clone)
    }

    fn windows(&self, texts: &[String]) -> Result<Vec<Window>, EmbeddingError> {
        let model = self.model()?;
        let mut windows = Vec::with_capacity(texts.len());
        for (number, text) in texts.iter().enumerate() {
            let encoding = model
                .tokenizer
                .encode_fast(clean(text), false)
                .map_err(|error| self.folder.failed(error.to_string()))?;
            for part in spans(encoding.len()) {
                let mut ids = vec![model.marks[0]];
                ids.extend_from_slice(&encoding.get_ids()[part]);
                ids.push(model.marks[1]);
                windows.push(Window { text: number, ids });
            }
        }
        Ok(windows)
    }
}

/// The windows of a text of `tokens` tokens; one even for a text without any.
fn spans(tokens: usize) -> impl Iterator<Item = std::ops::Range<usize>> {
    let step = WINDOW - OVERLAP;
    let more = tokens.saturating_sub(WINDOW).div_ceil(step);
    (0..=more).map(move |n| n * step..(n * step + WINDOW).min(tokens))
}

fn load(folder: &ModelFolder) -> Result<Model, EmbeddingError> {
    let mut tokenizer =
        Tokenizer::from_bytes(folder.read("tokenizer.json")?).map_err(|e| folder.failed(e.to_string()))?;
    // The file asks for truncation and padding to 128 tokens; windows take their place.
    tokenizer.with_truncation(None).map_err(|e| folder.failed(e.to_string()))?.with_padding(None);
    let mark = |name| {
        tokenizer.token_to_id(name).ok_or_else(|| folder.failed(format!("tokenizer.json lacks {name}")))
    };
    let marks = [mark("[CLS]")?, mark("[SEP]")?];
    let bert = Bert::load(&folder.read("config.json")?, &folder.read("model.safetensors")?)
        .map_err(|e| folder.failed(e.to_string()))?;
    Ok(Model { tokenizer, bert, marks })
}

fn normalise(vector: &mut [f32]) {
    let length = vector.iter().map(|x| x * x).sum::<f32>().sqrt();
    if length > 0.0 {
        vector.iter_mut().for_each(|x| *x /= length);
    }
}

fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, NonZero::get)
}

#[cfg(test)]
mod tests {
    use super::{OVERLAP, WINDOW, spans};

    #[test]
    fn windows_cover_every_token_and_overlap() {
        for tokens in (0..2_000).step_by(7) {
            let all: Vec<_> = spans(tokens).collect();
            assert_eq!(all.first().map(|s| s.start), Some(0));
            assert_eq!(all.last().map(|s| s.end), Some(tokens));
            assert!(all.iter().all(|s| s.len() <= WINDOW));
            assert!(
                all.windows(2)
                    .all(|pair| pair[0].end - pair[1].start == OVERLAP && pair[1].end > pair[0].end)
            );
        }
    }
}
