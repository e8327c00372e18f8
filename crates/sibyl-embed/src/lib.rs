//! Text becomes vectors: the trait, the embedders that ship and the remote one, and the one HTTP client.
//!
//! Knows no store, no settings and no keychain: whoever makes an embedder supplies its model folder or its key.

mod batch;
pub mod cache;
mod error;
pub mod http;
pub mod list;
mod model_folder;
pub mod openrouter;
pub mod shipped;
pub mod static_table;
pub mod transformer;

pub use error::{EmbeddingError, Error, Result};
pub use sibyl_space::{Space, Tier};

use std::future::Future;
use std::ops::Range;
use std::pin::Pin;
use std::time::Duration;

/// Turns text into vectors of one space.
pub trait Embedder: Send + Sync {
    /// The space its vectors live in.
    fn space(&self) -> &Space;
    /// Spaces of earlier forms of its model, whose vectors can be compared with its own, the latest first. They
    /// answer queries until its space is filled, and are filled no further.
    fn former(&self) -> &[Space] {
        &[]
    }
    /// Vectors of `texts`, in their order. Each has `space().dimensions` finite numbers and length 1, or all zeros
    /// for a text of which the model knows no word.
    ///
    /// # Errors
    /// [`EmbeddingError`] names cause and cure; no vector of a failed call is returned.
    fn embed<'a>(&'a self, texts: &'a [String], purpose: Purpose) -> EmbedFuture<'a>;
    /// The ranges of `texts` that it embeds at a time. A caller that stores the vectors of each range before it
    /// requests the next loses at most one batch when it is stopped.
    fn batches(&self, texts: &[String]) -> Vec<Range<usize>> {
        let starts = (0..texts.len()).step_by(BATCH);
        starts.map(|start| start..(start + BATCH).min(texts.len())).collect()
    }
    /// Maximum number of tokens that it reads at once; `None` if it does not say.
    fn window(&self) -> Option<usize> {
        None
    }
    /// Number of its tokens in `text`; `None` if it does not count them.
    fn tokens(&self, _text: &str) -> Option<usize> {
        None
    }
    /// Time to leave between two batches.
    fn pause(&self) -> Duration {
        Duration::ZERO
    }
}

impl dyn Embedder + '_ {
    /// The spaces that a vector of a query may be compared in, the one that is filled first.
    pub fn readable(&self) -> impl Iterator<Item = &Space> {
        std::iter::once(self.space()).chain(self.former())
    }
}

/// Number of texts that a model on this machine gets at once.
const BATCH: usize = 64;

/// The answer of [`Embedder::embed`].
pub type EmbedFuture<'a> = Pin<Box<dyn Future<Output = Result<Vec<Vec<f32>>, EmbeddingError>> + Send + 'a>>;

/// What a text is embedded for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Purpose {
    /// To be found.
    Passage,
    /// To find.
    Query,
}
