//! A folder with a model that ships inside: weights, tokenizer, `model_info.json` and their SHA256SUMS.

use super::{EmbeddingError, Space, Tier};
use serde::Deserialize;
use sibyl_space::{hash, hex};
use std::collections::HashMap;
use std::path::{Path, PathBuf};

/// A model folder whose description has been read and checked.
#[derive(Debug, Clone)]
pub(super) struct ModelFolder {
    path: PathBuf,
    info: ModelInfo,
    sums: HashMap<String, String>,
}

#[derive(Debug, Clone, Deserialize)]
struct ModelInfo {
    id: String,
    kind: String,
    dimensions: usize,
    weights_sha256: String,
    tokenizer_sha256: String,
}

impl ModelFolder {
    /// Reads the description of the model of `kind` in `path`; weights are read when they are needed.
    pub fn open(path: &Path, kind: &str) -> Result<Self, EmbeddingError> {
        let name =
            path.file_name().map_or_else(|| path.display().to_string(), |n| n.to_string_lossy().into_owned());
        let failed = |message: String| EmbeddingError::Model { model: name.clone(), message };
        let listed = std::fs::read_to_string(path.join("SHA256SUMS"))
            .map_err(|e| failed(format!("{}: {e}", path.join("SHA256SUMS").display())))?;
        let sums = listed
            .lines()
            .filter_map(|line| line.split_once("  "))
            .map(|(sum, file)| (file.trim().to_owned(), sum.to_owned()))
            .collect();
        let blank = ModelInfo {
            id: name.clone(),
            kind: String::new(),
            dimensions: 0,
            weights_sha256: String::new(),
            tokenizer_sha256: String::new(),
        };
        let mut folder = Self { path: path.to_owned(), info: blank, sums };
        let info: ModelInfo = serde_json::from_slice(&folder.read("model_info.json")?)
            .map_err(|e| failed(format!("model_info.json: {e}")))?;
        if info.kind != kind || info.dimensions == 0 {
            return Err(failed(format!(
                "a {kind} model was expected and a {} model of {} dimensions is there",
                info.kind, info.dimensions
            )));
        }
        folder.info = info;
        Ok(folder)
    }

    /// The bytes of `file`, checked against SHA256SUMS.
    pub fn read(&self, file: &str) -> Result<Vec<u8>, EmbeddingError> {
        let expected =
            self.sums.get(file).ok_or_else(|| self.failed(format!("SHA256SUMS does not list {file}")))?;
        let path = self.path.join(file);
        let bytes = std::fs::read(&path).map_err(|e| self.failed(format!("{}: {e}", path.display())))?;
        let found = hex(&hash(&bytes));
        if found != *expected {
            return Err(self.failed(format!("{file} has SHA-256 {found} instead of {expected}")));
        }
        Ok(bytes)
    }

    /// The space of its vectors. `window` says how long texts are handled, and `arithmetic` how numbers are
    /// rounded on the way if not computed in f32.
    pub fn space(&self, tier: Tier, window: &str, arithmetic: Option<&str>) -> Space {
        let parts = [Some(&*self.info.weights_sha256), Some(&self.info.tokenizer_sha256), arithmetic];
        let made_of = parts.into_iter().flatten().collect::<Vec<_>>().join(" ");
        Space {
            tier,
            model: self.info.id.clone(),
            endpoint: String::new(),
            revision: hex(&hash(made_of.as_bytes())),
            dimensions: self.info.dimensions,
            window: window.to_owned(),
        }
    }

    /// The error of this model with `message` as its cause.
    pub fn failed(&self, message: impl Into<String>) -> EmbeddingError {
        EmbeddingError::Model { model: self.info.id.clone(), message: message.into() }
    }
}

/// `text` without the two characters that PDF text may have inside words, and that would make a known word
/// unknown.
pub(super) fn clean(text: &str) -> std::borrow::Cow<'_, str> {
    if text.contains(['\u{FFFE}', '\u{2}']) {
        text.replace(['\u{FFFE}', '\u{2}'], "").into()
    } else {
        text.into()
    }
}
