//! The evidence pack: an assessment as files that others open, check and keep.
//!
//! One value, [`PackData`], has everything that is handed over; each format only writes it. It names the files of
//! every report by their SHA-256, and the version of every quoted text. By these, [`check`](Assessing::verify) can
//! say whether pack, reports and library still agree.

mod blocks;
mod check;
mod contents;
mod data;
mod docx;
mod gather;
mod html;
mod import;
mod pdf;
mod picture;
mod signature;
#[cfg(test)]
mod tests;
mod words;
mod xlsx;

pub use check::{PackCheck, PackFault};
pub use data::PackCells;
pub use import::{PackConflict, PackImport};
pub use signature::{KeyOrigin, PackSignature, SignatureCheck, SignatureState, SigningKey};

use crate::error::{Error, Result};
use crate::library::Assessing;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use data::PackData;
use picture::Pictures;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Form of a pack.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum PackFormat {
    /// A workbook: summary, grid, a row for each requirement in each report, proposals, figures, log, sources.
    #[default]
    Xlsx,
    /// A document for people, to be edited.
    Docx,
    /// The same as a PDF, to be handed over.
    Pdf,
    /// One page that opens offline and can be searched.
    Html,
    /// Data for programs; only this form can be checked against the library and imported.
    Json,
}

/// A file of a pack.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Pack {
    /// Name of the file.
    pub name: String,
    /// Media type.
    pub media_type: String,
    /// Its bytes, in Base64.
    pub content: String,
}

impl Pack {
    /// `bytes` in Base64, as `content` is.
    pub fn encoded(bytes: &[u8]) -> String {
        STANDARD.encode(bytes)
    }

    /// Its bytes.
    ///
    /// # Errors
    /// [`Error::Invalid`] if `content` is no Base64.
    pub fn bytes(&self) -> Result<Vec<u8>> {
        STANDARD.decode(&self.content).map_err(|error| {
            Error::Invalid(format!("the pack {} is no Base64: {error}; export it again", self.name))
        })
    }
}

impl Assessing<'_> {
    /// The assessment in row `id` as a file with the cells that `only` names.
    ///
    /// # Errors
    /// [`Error::NotFound`] if there is no such assessment.
    pub async fn export(
        &self,
        workspace: &str,
        id: i64,
        format: PackFormat,
        only: PackCells,
    ) -> Result<Pack> {
        let data = self.pack(workspace, id).await?.only(only);
        let pictures = match format {
            PackFormat::Docx | PackFormat::Pdf | PackFormat::Html => self.pictures(workspace, &data).await?,
            PackFormat::Xlsx | PackFormat::Json => Pictures::default(),
        };
        tokio::task::spawn_blocking(move || write(&data, &pictures, format)).await?
    }
}

fn write(data: &PackData, pictures: &Pictures, format: PackFormat) -> Result<Pack> {
    let (bytes, extension, media_type) = match format {
        PackFormat::Xlsx => {
            let kind = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";
            (xlsx::write(data)?, "xlsx", kind)
        }
        PackFormat::Docx => {
            let kind = "application/vnd.openxmlformats-officedocument.wordprocessingml.document";
            (docx::write(data, pictures)?, "docx", kind)
        }
        PackFormat::Pdf => (pdf::write(data, pictures)?, "pdf", "application/pdf"),
        PackFormat::Html => (html::write(data, pictures).into_bytes(), "html", "text/html"),
        PackFormat::Json => {
            let bytes = serde_json::to_vec_pretty(data).map_err(|error| unwritten(&error))?;
            (bytes, "json", "application/json")
        }
    };
    Ok(Pack {
        name: format!("{}.{extension}", file_name(&data.assessment)),
        media_type: media_type.to_owned(),
        content: Pack::encoded(&bytes),
    })
}

fn unwritten(error: &impl std::fmt::Display) -> Error {
    Error::Invalid(format!("the pack cannot be written: {error}; choose another format"))
}

/// `name` without what file systems do not accept.
fn file_name(name: &str) -> String {
    let kept = |c: char| if c.is_alphanumeric() || matches!(c, ' ' | '-' | '_') { c } else { '-' };
    let name: String = name.chars().map(kept).collect();
    let name = name.trim().trim_matches('-').to_owned();
    if name.is_empty() { "assessment".to_owned() } else { name }
}
