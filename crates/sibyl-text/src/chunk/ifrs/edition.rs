//! Which editions of IFRS S2 a passage belongs to.
//!
//! The front matter of a document names its own (`edition: 2023-06`). What the amendments of December 2025 do not
//! touch belongs to both. A line that opens with [`TOUCHED`] stands after what they do touch, with everything
//! inside it. What holds such an item is whole only in the edition as issued. In the amended one it is what leads
//! to its items, which are passages of their own.

use super::outline::{Unit, own};
use crate::document::Document;
use serde_json::{Value, json};

/// IFRS S2 as issued in June 2023.
pub const ISSUED: &str = "2023-06";
/// IFRS S2 as amended in December 2025.
pub const AMENDED: &str = "2025-12";
/// What opens the line that says what the amendments change.
const TOUCHED: &str = "*Amended December 2025:*";

/// The editions of passages of a document; `None` if it names none.
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
        let both = named == ISSUED && !self.is_touched(unit, of) && !self.holds_touched(unit, of);
        Some(if both { json!([ISSUED, AMENDED]) } else { json!([named]) })
    }

    /// If `unit`, or its item `of`, is unchanged but has a changed item: the editions that have only what leads to
    /// its items, and where that ends.
    pub(super) fn leading(&self, unit: &Unit, of: Option<usize>) -> Option<(Value, usize)> {
        let divided = self.named? == ISSUED && !self.is_touched(unit, of) && self.holds_touched(unit, of);
        let end = inside(unit, of).map(|item| unit.items[item].span.start).min()?;
        divided.then(|| (json!([AMENDED]), end))
    }

    fn holds_touched(&self, unit: &Unit, of: Option<usize>) -> bool {
        inside(unit, of).any(|item| self.is_touched(unit, Some(item)))
    }

    fn is_touched(&self, unit: &Unit, of: Option<usize>) -> bool {
        let own = own(unit, of);
        let says = own.iter().any(|span| span.of(&self.document.text).contains(TOUCHED));
        says || of.is_some_and(|item| self.is_touched(unit, unit.items[item].parent))
    }
}

/// The items inside `unit`, or inside its item `of`.
fn inside(unit: &Unit, of: Option<usize>) -> impl Iterator<Item = usize> + '_ {
    let outer = of.map_or(unit.span, |of| unit.items[of].span);
    let first = of.map_or(0, |of| of + 1);
    (first..unit.items.len()).take_while(move |item| unit.items[*item].span.start < outer.end)
}
