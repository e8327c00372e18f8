//! Files before they are read.

/// A file as it came.
#[derive(Debug, Clone)]
pub struct RawFile {
    /// Path below the import root.
    pub path: String,
    /// The bytes.
    pub bytes: Vec<u8>,
    /// Page metadata beside it.
    pub page_metadata: Option<Vec<u8>>,
}
