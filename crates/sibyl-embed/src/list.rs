//! The shipped embedders: a new one is one file and one line here.

use super::static_table::StaticTable;
use super::transformer::Transformer;
use super::{Embedder, EmbeddingError};
use std::path::Path;
use std::sync::Arc;

type Open = fn(&Path) -> Result<Arc<dyn Embedder>, EmbeddingError>;

/// Folder of each model below the folder of models, and what reads it.
static SHIPPED: &[(&str, Open)] = &[
    ("potion-base-8M-int8", |folder| Ok(Arc::new(StaticTable::open(folder)?))),
    ("all-MiniLM-L6-v2-int8", |folder| Ok(Arc::new(Transformer::open(folder)?))),
];

/// The embedders whose models are in `models`, fastest tier first. Weights are read at first use.
///
/// # Errors
/// [`EmbeddingError::Model`] if a model is missing or is not the expected one.
pub fn shipped(models: &Path) -> Result<Vec<Arc<dyn Embedder>>, EmbeddingError> {
    SHIPPED.iter().map(|(folder, open)| open(&models.join(folder))).collect()
}
