//! The blocks of a page with their places.

use super::Mark;
use schemars::JsonSchema;
use serde::Serialize;

/// What a block of a page was read as.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum PageBlockKind {
    /// A heading.
    Heading,
    /// Running text.
    Paragraph,
    /// An item of a list.
    Item,
    /// A table.
    Table,
    /// Words inside a drawing or chart.
    Figure,
    /// A big number with its label.
    KeyFigure,
    /// An entry of a page of contents: it belongs to no chunk.
    Contents,
    /// Anything else, such as code or a quotation.
    Other,
}

/// A block of a page.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct PageBlock {
    /// The kind as which it was read.
    pub kind: PageBlockKind,
    /// Level of a heading, 1 to 6.
    pub level: Option<u8>,
    /// Nesting depth of a list item, 0 elsewhere.
    pub depth: u8,
    /// Its first words.
    pub text: String,
    /// Its places on the page: several if it continues in another column, none if the source has no geometry.
    pub boxes: Vec<Mark>,
    /// The rows of a table.
    pub rows: Vec<Mark>,
    /// How many of these rows are header rows.
    pub header_rows: usize,
}
