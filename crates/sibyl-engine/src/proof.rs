//! Tests whether a model on this machine works: it must tell related words from unrelated ones.

use crate::embed::{EmbeddingError, Purpose, Tier};
use crate::error::{Error, Result};
use crate::library::Models;
use schemars::JsonSchema;
use serde::Serialize;
use std::time::Instant;

/// A query, a passage that answers it, and one about something else.
const WORDS: [&str; 3] = [
    "Which emissions does the company report?",
    "The company discloses its greenhouse gas emissions in tonnes of carbon dioxide.",
    "The recipe asks for two eggs and a spoon of sugar.",
];

/// A model that was tried.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct ModelProof {
    /// The model.
    pub model: String,
    /// Length of its vectors.
    pub dimensions: usize,
    /// Time for three sentences, in milliseconds.
    pub milliseconds: f64,
}

impl Models<'_> {
    /// Embeds three sentences with the model in use on this machine that fills the space called `space`. Nothing is
    /// stored, nothing is sent.
    ///
    /// # Errors
    /// [`Error::NotFound`] if no such model is in use. [`Error::Invalid`] for a remote one. [`Error::Embedding`]
    /// if it fails or cannot tell related words from unrelated ones.
    pub async fn prove(&self, space: &str) -> Result<ModelProof> {
        let embedder = self.embedder_of(space).await.ok_or_else(|| Error::not_found("model", space))?;
        let model = embedder.space().model.clone();
        if embedder.space().tier == Tier::Remote {
            return Err(Error::Invalid(format!(
                "`{model}` is a provider's model; test its key in Settings, because that may cost money"
            )));
        }
        let began = Instant::now();
        let texts = WORDS.map(str::to_owned);
        let vectors = embedder.embed(&texts, Purpose::Passage).await?;
        let milliseconds = began.elapsed().as_secs_f64() * 1e3;
        let alike = |a: &[f32], b: &[f32]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f32>();
        match vectors.as_slice() {
            [query, answer, other] if alike(query, answer) > alike(query, other) => {
                Ok(ModelProof { model, dimensions: query.len(), milliseconds })
            }
            _ => {
                let message = "it cannot tell related words from unrelated ones".to_owned();
                Err(EmbeddingError::Model { model, message }.into())
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::Library;
    use crate::library::OpenOptions;
    use std::path::Path;

    #[tokio::test]
    async fn the_models_that_ship_prove_themselves_and_others_are_not_there() {
        let folder = tempfile::tempdir().unwrap();
        let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../data");
        let options = OpenOptions { shipped: Some(data), ..OpenOptions::new(folder.path()) };
        let library = Library::open(options).await.unwrap();
        for embedder in library.models().embedders().await {
            let proof = library.models().prove(&embedder.space().id()).await.unwrap();
            assert_eq!(
                (&proof.model, proof.dimensions),
                (&embedder.space().model, embedder.space().dimensions)
            );
        }
        let error = library.models().prove("elsewhere").await.unwrap_err();
        assert_eq!(error.code(), "not_found");
    }
}
