//! The user's own licensed copy of a standard. It is a private corpus chunked like the standard, and its
//! paragraphs are shown beside the shipped explanations of the same identifiers.

use super::FileReport;
use super::IngestRequest;
use super::pipeline::Cutting;
use crate::error::{Error, Result};
use crate::store::table::chunk::NewChunk;
use serde_json::Value;
use sibyl_text::chunk::ifrs::STANDARD;
use sibyl_text::source_type;

/// Short names of the standards that there can be a copy of.
pub fn copied_standards() -> Vec<&'static str> {
    source_type::standards().filter(|(_, one)| one.copies).map(|(_, one)| one.short).collect()
}

impl IngestRequest {
    /// The request with everything filled in that follows from its being about a licensed copy.
    ///
    /// # Errors
    /// [`Error::Invalid`] if it contradicts itself, or would let the copy out of its workspace.
    pub(super) fn completed(mut self) -> Result<Self> {
        let refuse = |message: String| Err(Error::Invalid(message));
        let (kind, known) = (source_type::licensed(), copied_standards());
        let Some(named) = self.licensed_standard.take() else {
            if self.source_type.as_deref() == Some(kind.name) {
                let known = known.join(" or ");
                return refuse(format!(
                    "name the standard of the licensed copy: `licensed_standard` {known}"
                ));
            }
            return Ok(self);
        };
        let standard = named.trim().to_uppercase();
        if !known.contains(&standard.as_str()) {
            return refuse(format!("a licensed copy must be of {}, not of `{named}`", known.join(" or ")));
        }
        if self.sources.is_empty() {
            return refuse(format!("name the file of your licensed copy of IFRS {standard}"));
        }
        if self.shared || self.remote == Some(true) {
            return refuse(
                "a licensed copy stays in its workspace and on this machine; do not ingest it as shared or remote"
                    .to_owned(),
            );
        }
        for (name, given, only) in
            [("source_type", &self.source_type, kind.name), ("strategy", &self.strategy, kind.strategy)]
        {
            if let Some(other) = given.as_deref().filter(|given| *given != only) {
                return refuse(format!(
                    "a licensed copy has the {name} `{only}`, not `{other}`; leave it out"
                ));
            }
        }
        self.corpus.get_or_insert_with(|| format!("{}-{}", kind.home.name(), standard.to_lowercase()));
        self.source_type = Some(kind.name.to_owned());
        self.strategy = Some(kind.strategy.to_owned());
        self.remote = Some(false);
        self.settings.insert(STANDARD.to_owned(), standard.clone().into());
        self.licensed_standard = Some(standard);
        Ok(self)
    }
}

/// Why a document cannot be the standard that the settings name: it has no paragraph of it.
pub(super) fn contradiction(cutting: &Cutting, path: &str, chunks: &[NewChunk]) -> Option<FileReport> {
    let standard = cutting.settings.text(STANDARD);
    let of_it = |id: &str| id.strip_prefix(standard).is_some_and(|rest| rest.starts_with('.'));
    let found =
        |chunk: &NewChunk| chunk.metadata.get("paragraph_id").and_then(Value::as_str).is_some_and(of_it);
    if !copied_standards().contains(&standard) || chunks.iter().any(found) {
        return None;
    }
    let message = format!(
        "contains no paragraph of IFRS {standard}: none starts with its number, such as 14 or {standard}.14; choose \
         the file of your copy, or the other standard if the copy is of that one"
    );
    Some(FileReport::new(path, "no_paragraphs", message))
}
