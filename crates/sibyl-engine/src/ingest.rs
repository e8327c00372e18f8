//! Ingesting: files become stored, searchable documents.
//!
//! A request becomes a persistent job. [`source`] expands its files. They are read (untrusted ones by a
//! [`reader`](crate::reader)), chunked and stored one transaction each by [`pipeline`], and embedded afterwards,
//! space by space. Text can be searched by words as soon as it is stored.

mod check;
mod draft;
mod embedding;
pub mod glance;
mod gone;
mod identity;
mod licensed;
mod likeness;
mod moved;
pub mod ocr;
pub mod pipeline;
mod plan;
pub mod preflight;
pub mod preview;
mod queue;
mod raw;
mod run;
pub mod source;
pub mod watched;

pub use crate::library::event::JobEvent;
pub use crate::store::job::{
    FileReport, FileResult, FileState, GoneReport, Job, JobFile, JobKind, JobReport, JobState, Stage, Status,
};
pub use crate::store::table::watched_folder::Gone;
pub use check::shipped_names;
pub use embedding::EmbedEstimate;
pub use licensed::copied_standards;

use crate::embed::Tier;
use crate::error::Result;
use crate::library::{Incoming, Ingest};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// What to ingest and how. Everything left out is chosen by the kind of the files.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct IngestRequest {
    /// Files, folders and uploads. None at all means the shipped corpora.
    pub sources: Vec<Source>,
    /// Name of the corpus; for the shipped corpora also `all`, or the name of a group of them.
    pub corpus: Option<String>,
    /// Standard of which the sources are the user's own licensed copy, such as `S2`. They become a private corpus,
    /// named like `licensed-s2` unless a name is given. It is never shared and never sent to a remote model.
    pub licensed_standard: Option<String>,
    /// Put the corpus where every workspace sees it. The shipped corpora always are there.
    pub shared: bool,
    /// Name of a source type; by default, it follows from the files.
    pub source_type: Option<String>,
    /// Name of the chunking strategy.
    pub strategy: Option<String>,
    /// Values for the strategy's parameters; the rest are its defaults.
    pub settings: Map<String, Value>,
    /// Base URL of citation links.
    pub base_url: Option<String>,
    /// Whether the corpus may be sent to a remote model; `false` by default for a new one.
    pub remote: Option<bool>,
    /// Id of the report, if exactly one is ingested; otherwise it follows from the file name.
    pub report_id: Option<String>,
    /// Read and chunk files again even if they have not changed.
    pub force: bool,
    /// Whether OCR reads pages with a picture and no text; by default, the setting `ocr` decides.
    pub ocr: Option<bool>,
    /// What happens to stored documents whose file is gone from a folder that is ingested again.
    pub gone: Gone,
    /// What is embedded before the job ends.
    pub embed: EmbedPlan,
}

/// Where a document comes from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Source {
    /// A file or folder of this machine.
    Path {
        /// Its path.
        path: String,
    },
    /// A file that came as bytes.
    Upload {
        /// File name, or a path below an import root with `/` between its parts.
        name: String,
        /// The bytes; in Base64 on the wire. Kept with the job until the file is stored.
        #[serde(default, with = "wire", skip_serializing_if = "Vec::is_empty")]
        #[schemars(with = "String")]
        bytes: Vec<u8>,
        /// Id of a file that was sent before; it replaces the bytes. It can be ingested once.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        file: Option<String>,
        /// Page metadata of parsed Markdown: JSON, in Base64 on the wire. Empty if there is none.
        #[serde(default, with = "wire", skip_serializing_if = "Vec::is_empty")]
        #[schemars(with = "String")]
        page_metadata: Vec<u8>,
    },
    /// Every stored document of a corpus, read again from its stored bytes.
    Corpus {
        /// Name of the corpus.
        name: String,
    },
    /// One stored document, read again from its stored bytes.
    Document {
        /// Its row.
        id: i64,
    },
}

impl Source {
    /// A file or folder of this machine.
    pub fn path(path: impl AsRef<std::path::Path>) -> Self {
        Self::Path { path: path.as_ref().to_string_lossy().into_owned() }
    }

    /// A file that came as bytes.
    pub fn upload(name: impl Into<String>, bytes: Vec<u8>) -> Self {
        Self::Upload { name: name.into(), bytes, file: None, page_metadata: Vec::new() }
    }

    /// A file that was sent before and is kept under the id `file`.
    pub fn sent(name: impl Into<String>, file: String) -> Self {
        Self::Upload { name: name.into(), bytes: Vec::new(), file: Some(file), page_metadata: Vec::new() }
    }
}

impl IngestRequest {
    /// Whether it reads a file or folder of this machine by its path.
    pub fn names_disk(&self) -> bool {
        self.sources.iter().any(|source| matches!(source, Source::Path { .. }))
    }

    /// Ids of the files that were sent before.
    fn sent(&self) -> Vec<String> {
        let id = |source: &Source| match source {
            Source::Upload { file, .. } => file.clone(),
            _ => None,
        };
        self.sources.iter().filter_map(id).collect()
    }
}

impl Ingest<'_> {
    /// Place for a file that is being sent; once it is kept, a request names it as [`Source::sent`].
    ///
    /// # Errors
    /// [`crate::Error::Io`] where the data folder cannot be written, [`crate::Error::Invalid`] where too many files wait already.
    pub fn receive(&self) -> Result<Incoming> {
        self.library.spool().receive()
    }

    /// Maximum number of bytes of a file, as the settings say.
    ///
    /// # Errors
    /// Storage errors.
    pub async fn most_bytes(&self) -> Result<u64> {
        Ok((self.library.settings().await?.integer("max_file_size") as u64) << 20)
    }
}

/// What a job embeds.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum EmbedPlan {
    /// Every tier in use, before the job ends: for commands that end.
    #[default]
    Complete,
    /// The instant tier before the job ends, and the rest in a following job of its own: for windows.
    Instant,
    /// Nothing.
    Nothing,
}

impl EmbedPlan {
    /// Whether models of `tier` embed before the job ends.
    pub(crate) fn includes(self, tier: Tier) -> bool {
        match self {
            Self::Complete => true,
            Self::Instant => tier == Tier::Instant,
            Self::Nothing => false,
        }
    }
}

/// What a job that only embeds is asked for.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(crate) struct EmbedRequest {
    /// Whether only the models on this machine embed.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub only_here: bool,
}

/// Bytes as Base64 (RFC 4648, with padding).
pub mod wire {
    use base64::Engine as _;
    use base64::engine::general_purpose::STANDARD;
    use serde::{Deserialize as _, Deserializer, Serializer, de::Error as _};

    /// Writes bytes.
    ///
    /// # Errors
    /// Errors of the serializer.
    pub fn serialize<S: Serializer>(bytes: &[u8], serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&STANDARD.encode(bytes))
    }

    /// Reads bytes.
    ///
    /// # Errors
    /// If the text is not Base64.
    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<u8>, D::Error> {
        STANDARD.decode(String::deserialize(deserializer)?).map_err(D::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::{IngestRequest, Source};

    #[test]
    fn uploads_cross_the_wire() {
        let sources = vec![Source::upload("a.bin", vec![0, 255, 7]), Source::path("/a")];
        let request = IngestRequest { sources, ..IngestRequest::default() };
        let json = serde_json::to_string(&request).unwrap();
        assert!(json.contains("AP8H"), "{json}");
        assert_eq!(serde_json::from_str::<IngestRequest>(&json).unwrap(), request);
        let broken = json.replace("AP8H", "AP8");
        assert!(serde_json::from_str::<IngestRequest>(&broken).is_err());
    }
}
