//! The present state of a place that something cites.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The present state, in its document, of a place that something cites.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SourceNow {
    /// Whether the source has changed since: the document has another text, or is gone.
    pub changed: bool,
    /// Row of the document as it is now; `None` if it is gone, and for text from no document.
    pub document_id: Option<i64>,
    /// Where the quote is in the document's current text: first UTF-16 code unit and one past the last. `None` if
    /// it is no longer there. For a pinned passage, which has its place in bytes, it is given only if the source
    /// changed.
    pub range: Option<(usize, usize)>,
    /// Whether the text that it was made from can be opened.
    pub kept: bool,
}

impl SourceNow {
    /// What has become of the source, in words; `None` if it has not changed.
    pub const fn told(&self) -> Option<&'static str> {
        match (self.changed, self.document_id, self.range) {
            (false, ..) => None,
            (true, None, _) => Some("the source is no longer in the library"),
            (true, Some(_), Some(_)) => Some("the source has changed since, and still has these words"),
            (true, Some(_), None) => Some("the source has changed since, and no longer has these words"),
        }
    }
}
