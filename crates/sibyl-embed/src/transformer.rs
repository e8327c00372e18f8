//! The embedded default: a sentence transformer of BERT's kind (all-MiniLM-L6-v2).
//!
//! Weights are int8 with one scale a row, activations seven bits with one scale a token. A text's vector is the
//! mean over its tokens of the last layer, brought to length 1 (Reimers and Gurevych, Sentence-BERT, EMNLP 2019).
//! The vector of a text beyond the window is the mean of its windows' vectors, so that nothing of it is lost.

mod attention;
mod bert;
mod dense;
mod kernel;
mod lanes;
mod layer_norm;
mod network_error;
mod quantised;
mod weights;

use super::batch;
use super::model_folder::{ModelFolder, clean};
use super::{EmbedFuture, Embedder, EmbeddingError, Purpose, Space, Tier};
use bert::Bert;
use lanes::Lanes;
use network_error::NetworkError;
use std::num::NonZero;
use std::ops::Range;
use std::path::Path;
use std::sync::{Arc, OnceLock};
use tokenizers::{Encoding, Tokenizer};
use tokio::sync::watch;
use tokio::task::JoinSet;

/// Tokens of a window besides the markers of its beginning and end.
const WINDOW: usize = 254;
/// Tokens that a window shares with the one before it.
const OVERLAP: usize = 32;
/// How activations are rounded. Vectors computed in f32 from the same weights are so close (cosine above 0.99)
/// that queries may be compared with them.
const ARITHMETIC: &str = "activations of seven bits";
/// Maximum number of tokens of a batch: about a twentieth of a second, the longest that a query waits.
const BATCH_TOKENS: usize = 512;

/// The sentence transformer of a model folder.
pub struct Transformer {
    space: Space,
    former: Vec<Space>,
    inner: Arc<Inner>,
    /// Queries under way: passages wait for them between two batches.
    queries: watch::Sender<usize>,
}

struct Inner {
    folder: ModelFolder,
    /// Read without the weights, if only tokens are counted.
    tokenizer: OnceLock<Result<Tokenizer, EmbeddingError>>,
    model: OnceLock<Result<Model, EmbeddingError>>,
    lanes: Lanes,
}

struct Model {
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
        let window = format!("mean of {WINDOW}-token windows, overlap {OVERLAP}");
        let space = folder.space(Tier::Embedded, &window, Some(ARITHMETIC));
        let former = vec![folder.space(Tier::Embedded, &window, None)];
        let inner = Arc::new(Inner {
            folder,
            tokenizer: OnceLock::new(),
            model: OnceLock::new(),
            lanes: Lanes::default(),
        });
        Ok(Self { space, former, inner, queries: watch::Sender::new(0) })
    }

    async fn embed_texts(&self, texts: &[String], purpose: Purpose) -> Result<Vec<Vec<f32>>, EmbeddingError> {
        let _turn = (purpose == Purpose::Query).then(|| Turn::new(&self.queries));
        let owned = texts.to_vec();
        let windows = Arc::new(self.blocking(move |inner| inner.windows(&owned)).await?);
        let lengths: Vec<usize> = windows.iter().map(|window| window.ids.len()).collect();
        let mut vectors: Vec<Vec<f32>> = vec![Vec::new(); windows.len()];
        let mut running = JoinSet::new();
        for members in batch::in_order(&lengths, usize::MAX, BATCH_TOKENS) {
            if running.len() >= cores() {
                self.take(&mut running, &mut vectors).await?;
            }
            if purpose == Purpose::Passage {
                // The sender lives as long as the receiver, so waiting cannot fail.
                let _ = self.queries.subscribe().wait_for(|queries| *queries == 0).await;
            }
            let (inner, windows) = (Arc::clone(&self.inner), Arc::clone(&windows));
            running.spawn_blocking(move || inner.embed(&windows, members));
        }
        while !running.is_empty() {
            self.take(&mut running, &mut vectors).await?;
        }
        // In the order of the windows, not in that in which they were ready: a sum of floats depends on its order.
        let mut sums = vec![vec![0.0; self.space.dimensions]; texts.len()];
        for (window, vector) in windows.iter().zip(vectors) {
            sums[window.text].iter_mut().zip(vector).for_each(|(total, x)| *total += x);
        }
        for sum in &mut sums {
            normalise(sum);
        }
        match sums.iter().flatten().find(|x| !x.is_finite()) {
            Some(bad) => Err(self.inner.folder.failed(format!("the network gave {bad}"))),
            None => Ok(sums),
        }
    }

    /// Waits for one batch and puts its vectors in their places.
    async fn take(
        &self,
        running: &mut JoinSet<Batch>,
        vectors: &mut [Vec<f32>],
    ) -> Result<(), EmbeddingError> {
        let Some(done) = running.join_next().await else { return Ok(()) };
        let (members, made) = done.map_err(|_| self.stopped())??;
        vectors[members].iter_mut().zip(made).for_each(|(place, vector)| *place = vector);
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

/// The result of a batch: its windows, and their vectors.
type Batch = Result<(Range<usize>, Vec<Vec<f32>>), EmbeddingError>;

impl Embedder for Transformer {
    fn space(&self) -> &Space {
        &self.space
    }

    fn former(&self) -> &[Space] {
        &self.former
    }

    fn embed<'a>(&'a self, texts: &'a [String], purpose: Purpose) -> EmbedFuture<'a> {
        Box::pin(self.embed_texts(texts, purpose))
    }

    fn window(&self) -> Option<usize> {
        Some(WINDOW)
    }

    fn tokens(&self, text: &str) -> Option<usize> {
        self.inner.encoded(text).ok().map(|encoding| encoding.len())
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
        let loaded = || load(&self.folder, self.tokenizer()?);
        self.model.get_or_init(loaded).as_ref().map_err(Clone::clone)
    }

    fn embed(&self, windows: &[Window], members: Range<usize>) -> Batch {
        let ids: Vec<&[u32]> = windows[members.clone()].iter().map(|window| window.ids.as_slice()).collect();
        let bert = &self.model()?.bert;
        let vectors =
            self.lanes.run(|room| bert.embed(&ids, room)).map_err(|e| self.folder.failed(e.to_string()))?;
        Ok((members, vectors.map_err(|e| self.folder.failed(e.to_string()))?))
    }

    fn tokenizer(&self) -> Result<&Tokenizer, EmbeddingError> {
        self.tokenizer.get_or_init(|| tokenizer(&self.folder)).as_ref().map_err(Clone::clone)
    }

    fn encoded(&self, text: &str) -> Result<Encoding, EmbeddingError> {
        let encoded = self.tokenizer()?.encode_fast(clean(text), false);
        encoded.map_err(|error| self.folder.failed(error.to_string()))
    }

    fn windows(&self, texts: &[String]) -> Result<Vec<Window>, EmbeddingError> {
        let model = self.model()?;
        let mut windows = Vec::with_capacity(texts.len());
        for (number, text) in texts.iter().enumerate() {
            let encoding = self.encoded(text)?;
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
fn spans(tokens: usize) -> impl Iterator<Item = Range<usize>> {
    let step = WINDOW - OVERLAP;
    let more = tokens.saturating_sub(WINDOW).div_ceil(step);
    (0..=more).map(move |n| n * step..(n * step + WINDOW).min(tokens))
}

fn tokenizer(folder: &ModelFolder) -> Result<Tokenizer, EmbeddingError> {
    let mut tokenizer =
        Tokenizer::from_bytes(folder.read("tokenizer.json")?).map_err(|e| folder.failed(e.to_string()))?;
    // The file asks for truncation and padding to 128 tokens; windows replace both.
    tokenizer.with_truncation(None).map_err(|e| folder.failed(e.to_string()))?.with_padding(None);
    Ok(tokenizer)
}

fn load(folder: &ModelFolder, tokenizer: &Tokenizer) -> Result<Model, EmbeddingError> {
    let mark = |name| {
        tokenizer.token_to_id(name).ok_or_else(|| folder.failed(format!("tokenizer.json lacks {name}")))
    };
    let marks = [mark("[CLS]")?, mark("[SEP]")?];
    let bert = Bert::load(&folder.read("config.json")?, &folder.read("model.safetensors")?)
        .map_err(|e| folder.failed(e.to_string()))?;
    Ok(Model { bert, marks })
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
