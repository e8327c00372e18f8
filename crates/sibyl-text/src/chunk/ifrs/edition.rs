//! Which editions of IFRS S2 a passage belongs to.
//!
//! The front matter of a document names its own (`edition: 2023-06`). What the amendments of December 2025 do not touch
//! belongs to both; a line that opens with [`TOUCHED`] stands behind what they do touch, with everything inside it.

use super::outline::{Unit, own};
use crate::document::Document;
use serde_json::{Value, json};

/// IFRS S2 as issued in June 2023.
pub const ISSUED: &str = "2023-06";
/// IFRS S2 as amended in December 2025.
pub const AMENDED: &str = "2025-12";
/// What opens the line that says what the amendments change.
const TOUCHED: &str = "*Amended December 2025:*";

/// The editions of passages of a document; `None` where it names none.
#[derive(Debug, Clone, Copy)]
pub(super) struct Editions<'a> {
    document: &'a Document,
    named: Option<&'a str>,
}

impl<'a> Editions<'a> {
    pub(super) fn of(document: &'a Document) -> Self {
        Self { document, named: document.metadata.get("edition").and_then(Value::as_str) }
    }

    /// The editions of `unit`, or of its item `of`.
    pub(super) fn passage(&self, unit: &Unit, of: Option<usize>) -> Option<Value> {
        let named = self.named?;
        let both = named == ISSUED && !self.is_touched(unit, of);
        Some(if both { json!([ISSUED, AMENDED]) } else { json!([named]) })
    }

    fn is_touched(&self, unit: &Unit, of: Option<usize>) -> bool {
        let own = own(unit, of);
        let says = own.iter().any(|span| span.of(&self.document.text).contains(TOUCHED));
        says || of.is_some_and(|item| self.is_touched(unit, unit.items[item].parent))
    }
}
