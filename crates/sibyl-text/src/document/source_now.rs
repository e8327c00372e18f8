//! How a place that something cites stands today.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// How a place that something cites stands in its document as it is now.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SourceNow {
    /// Whether the source has changed since: the document has another text, or is gone.
    pub changed: bool,
    /// Row of the document as it is now; `None` where it is gone, and for what is from no document.
    pub document_id: Option<i64>,
    /// Where the quote stands in the document's text of now: first UTF-16 code unit and one past the last. `None` where it
    /// stands there no longer. Of a pinned passage, which has its place in bytes, it is told only where the source changed.
    pub range: Option<(usize, usize)>,
    /// Whether the text that it was made from can be opened.
    pub kept: bool,
}

impl SourceNow {
    /// What has become of the source, in words; `None` where it has not changed.
    pub const fn told(&self) -> Option<&'static str> {
        match (self.changed, self.document_id, self.range) {
            (false, ..) => None,
            (true, None, _) => Some("the source is no longer in the library"),
            (true, Some(_), Some(_)) => Some("the source has changed since, and still has these words"),
            (true, Some(_), None) => Some("the source has changed since, and no longer has these words"),
        }
    }
}
