//! The sample: reports of companies that do not exist, so that there is something to search from the first minute.

use crate::error::{Error, Result};
use crate::ingest::{EmbedPlan, IngestRequest, Source};
use crate::library::Ingest;
use crate::store::table::job::Kept;
use crate::store::table::workspace::LabelLanguage;
use crate::store::{hash, hex};
use schemars::JsonSchema;
use serde::Serialize;
use sibyl_text::source_type;
use std::path::{Path, PathBuf};

/// The workspace that holds the sample.
pub const SAMPLE_WORKSPACE: &str = "Sample";
/// The corpus with the sample's reports, private to that workspace and never sent to a remote model.
pub const SAMPLE_CORPUS: &str = "Sample reports";

/// Where the sample is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Sample {
    /// Name of its workspace.
    pub workspace: String,
    /// Name of its corpus.
    pub corpus: String,
    /// The job that ingests it; `None` if all of it is there already.
    pub job: Option<i64>,
}

impl Ingest<'_> {
    /// Makes the workspace with the sample, and ingests its reports in the background unless they are stored as
    /// they ship. However many programs ask at once, one job reads them.
    ///
    /// # Errors
    /// [`Error::Invalid`] if no sample ships with the program; otherwise as [`Ingest::start`].
    pub async fn open_sample(&self) -> Result<Sample> {
        let folder =
            self.library.shipped().map(|folder| folder.join("sample")).filter(|folder| folder.is_dir());
        let folder = folder.ok_or_else(|| {
            Error::Invalid(
                "no sample ships with this program; reinstall Sibyl, or add your own reports".to_owned(),
            )
        })?;
        let workspace = self.library.store().create_workspace(SAMPLE_WORKSPACE, LabelLanguage::En).await?;
        let reports = folder.clone();
        let sources = tokio::task::spawn_blocking(move || hashes(&reports)).await??;
        let kept = Kept { workspace: workspace.id, corpus: SAMPLE_CORPUS.to_owned(), sources };
        let request = IngestRequest {
            sources: vec![Source::path(&folder)],
            corpus: Some(SAMPLE_CORPUS.to_owned()),
            source_type: Some(source_type::report().name.to_owned()),
            remote: Some(false),
            embed: EmbedPlan::Instant,
            ..IngestRequest::default()
        };
        let job = self.start_unless_kept(&workspace.name, request, kept).await?;
        Ok(Sample { workspace: workspace.name, corpus: SAMPLE_CORPUS.to_owned(), job })
    }
}

/// SHA-256 (hex) of each report in `folder`.
fn hashes(folder: &Path) -> Result<Vec<String>> {
    let mut hashes = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(|error| Error::io(folder, error))? {
        let path: PathBuf = entry.map_err(|error| Error::io(folder, error))?.path();
        if path.extension().is_some_and(|extension| extension == "md") {
            hashes.push(hex(&hash(&std::fs::read(&path).map_err(|error| Error::io(&path, error))?)));
        }
    }
    Ok(hashes)
}
