//! The instant tier: a static table of word pieces (Model2Vec, potion-base-8M), pooled without a network pass.
//!
//! A text's vector is the sum of its pieces' int8 rows, each times its row's scale, scaled to length 1; unknown
//! words are left out. Vectors depend on no order of words, so no text is too long.

use super::model_folder::{ModelFolder, clean};
use super::{EmbedFuture, Embedder, EmbeddingError, Purpose, Space, Tier};
use model2vec_rs::model::StaticModel;
use safetensors::SafeTensors;
use std::path::Path;
use std::sync::{Arc, OnceLock};

/// Texts handed to the pool of threads at once.
const BATCH: usize = 256;

/// The static table of a model folder.
pub struct StaticTable {
    space: Space,
    inner: Arc<Inner>,
}

struct Inner {
    folder: ModelFolder,
    model: OnceLock<Result<StaticModel, EmbeddingError>>,
}

impl StaticTable {
    /// Reads the description of the table in `folder`; the table itself is read and checked at first use.
    ///
    /// # Errors
    /// [`EmbeddingError::Model`] where the folder is not one of a static table.
    pub fn open(folder: &Path) -> Result<Self, EmbeddingError> {
        let folder = ModelFolder::open(folder, "static")?;
        let space = folder.space(Tier::Instant, "whole text", None);
        Ok(Self { space, inner: Arc::new(Inner { folder, model: OnceLock::new() }) })
    }
}

impl Embedder for StaticTable {
    fn space(&self) -> &Space {
        &self.space
    }

    fn embed<'a>(&'a self, texts: &'a [String], _purpose: Purpose) -> EmbedFuture<'a> {
        Box::pin(async move {
            let (inner, texts) = (Arc::clone(&self.inner), texts.to_vec());
            let dimensions = self.space.dimensions;
            tokio::task::spawn_blocking(move || {
                let texts: Vec<String> = texts.iter().map(|text| clean(text).into_owned()).collect();
                let vectors = inner.model()?.encode_with_args(&texts, None, BATCH);
                match vectors.iter().find(|v| v.len() != dimensions || v.iter().any(|x| !x.is_finite())) {
                    Some(_) => {
                        Err(inner.folder.failed("the table gave a vector that is not one of its space"))
                    }
                    None => Ok(vectors),
                }
            })
            .await
            .unwrap_or_else(|_| Err(self.inner.folder.failed("the table stopped while it was read")))
        })
    }
}

impl Inner {
    fn model(&self) -> Result<&StaticModel, EmbeddingError> {
        self.model.get_or_init(|| load(&self.folder)).as_ref().map_err(Clone::clone)
    }
}

/// Passes the table to its library under the names that the library expects: the row scales are its token weights.
fn load(folder: &ModelFolder) -> Result<StaticModel, EmbeddingError> {
    let bytes = folder.read("model.safetensors")?;
    let broken = |error: safetensors::SafeTensorError| folder.failed(format!("model.safetensors: {error}"));
    let stored = SafeTensors::deserialize(&bytes).map_err(broken)?;
    let table = stored.tensor("embeddings").map_err(broken)?;
    let scales = stored.tensor("embeddings.scale").map_err(broken)?;
    let renamed =
        safetensors::serialize([("embeddings", table), ("weights", scales)], &None).map_err(broken)?;
    StaticModel::from_bytes(folder.read("tokenizer.json")?, renamed, folder.read("config.json")?, Some(true))
        .map_err(|error| folder.failed(error.to_string()))
}
