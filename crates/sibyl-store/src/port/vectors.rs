//! Vectors of texts, by space.

use crate::error::Result;
use crate::scope::ChunkSet;
use crate::table::refusal::NewRefusal;
use crate::vector::{Coverage, MissingInput, MissingTexts, StoredSpace};
use async_trait::async_trait;
use sibyl_space::Space;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

/// Vectors of texts, by space.
#[async_trait]
pub trait Vectors: Send + Sync {
    /// Those of `chunks` with a vector in the space called `space`.
    ///
    /// # Errors
    /// Storage errors.
    async fn covered_rows(&self, space: &str, chunks: Arc<ChunkSet>) -> Result<ChunkSet>;

    /// Registers `space` and returns its id; a known one is left unchanged.
    async fn ensure_space(&self, space: &Space) -> Result<String>;

    /// The spaces the library knows, oldest first.
    async fn spaces(&self) -> Result<Vec<StoredSpace>>;

    /// At most `limit` different texts of `corpora` that have no vector in `space` and were not refused. They are
    /// ordered by the row of the first chunk after row `after` that holds them. Continuing after the last one's
    /// row visits each missing text once.
    ///
    /// # Errors
    /// [`Error::NotFound`](crate::Error::NotFound) for an unknown space.
    async fn missing_inputs(
        &self,
        space: &str,
        corpora: Vec<i64>,
        after: i64,
        limit: usize,
    ) -> Result<Vec<MissingInput>>;

    /// How many different texts of `corpora` still need a vector in `space`, which need not be stored yet. This is
    /// the number that [`Self::missing_inputs`] visits.
    ///
    /// # Errors
    /// Storage errors.
    async fn count_missing(&self, space: &str, corpora: Vec<i64>) -> Result<MissingTexts>;

    /// Which of `hashes` (SHA-256 of texts) have a vector in `space`; none if the space is not stored yet.
    ///
    /// # Errors
    /// Storage errors.
    async fn known_inputs(&self, space: &str, hashes: Vec<[u8; 32]>) -> Result<HashSet<[u8; 32]>>;

    /// Stores vectors of texts in one transaction, each of length 1 and identified by the SHA-256 of its text. A
    /// text that has a vector keeps it. Returns how many are new.
    ///
    /// # Errors
    /// [`Error::NotFound`](crate::Error::NotFound) for an unknown space,
    /// [`Error::UnfitVector`](crate::Error::UnfitVector) for a vector of another length or with a number that is
    /// not finite; then none is stored.
    async fn put_vectors(&self, space: &str, vectors: Vec<([u8; 32], Vec<f32>)>) -> Result<usize>;

    /// Like [`Self::put_vectors`], for vectors that a model on this machine can make again at no cost: it does not
    /// wait for the disk.
    ///
    /// # Errors
    /// As [`Self::put_vectors`].
    async fn put_vectors_ahead(&self, space: &str, vectors: Vec<([u8; 32], Vec<f32>)>) -> Result<usize>;

    /// The vectors that the space called `space` has for texts with these hashes; none if there is no such space.
    ///
    /// # Errors
    /// Storage errors.
    async fn vectors_of_inputs(
        &self,
        space: &str,
        hashes: Vec<[u8; 32]>,
    ) -> Result<Vec<([u8; 32], Vec<f32>)>>;

    /// Every vector of `space` with the SHA-256 of its text.
    ///
    /// # Errors
    /// [`Error::NotFound`](crate::Error::NotFound) for an unknown space.
    async fn vectors_of_space(&self, space: &str) -> Result<Vec<([u8; 32], Vec<f32>)>>;

    /// How much of each corpus that has chunks is covered by `space`.
    ///
    /// # Errors
    /// [`Error::NotFound`](crate::Error::NotFound) for an unknown space.
    async fn coverage(&self, space: &str) -> Result<Vec<Coverage>>;

    /// The vectors in `space` of the chunks with these row ids, by row id; chunks without one are left out.
    ///
    /// # Errors
    /// [`Error::NotFound`](crate::Error::NotFound) for an unknown space.
    async fn vectors_of(&self, space: &str, rows: Vec<i64>) -> Result<HashMap<i64, Vec<f32>>>;

    /// Stores that the provider of `space` refused a text. From then on the text needs no vector.
    ///
    /// # Errors
    /// [`crate::Error::NotFound`] for an unknown space.
    async fn put_refusal(&self, space: &str, refusal: NewRefusal) -> Result<()>;

    /// How many of `chunks` the provider of the space called `space` refused to embed.
    ///
    /// # Errors
    /// Storage errors.
    async fn refused(&self, space: &str, chunks: Arc<ChunkSet>) -> Result<u64>;
}
