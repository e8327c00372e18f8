//! Glyphs as a page shows them.

use super::geometry::Rect;
use super::ink::Ink;
use std::rc::Rc;

/// Why content stands outside the running text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub(super) enum Artifact {
    /// It does not.
    #[default]
    No,
    /// Marked as an artifact of layout.
    Layout,
    /// Marked as running header, footer or page number.
    Pagination,
}

/// One shown glyph.
pub(super) struct Glyph {
    pub(super) text: Rc<str>,
    /// Start and end of its advance on the baseline.
    pub(super) start: (f32, f32),
    pub(super) end: (f32, f32),
    /// Space that is set after each letter (points).
    pub(super) tracking: f32,
    pub(super) rect: Rect,
    /// Height of the letters' em (points).
    pub(super) size: f32,
    /// Number of its font in the document.
    pub(super) face: u32,
    pub(super) bold: bool,
    pub(super) ink: Ink,
    /// The colour that fills it, where it is known for sure and nothing shines through.
    pub(super) fill: Ink,
    pub(super) fixed: bool,
    /// Shown without ink, as OCR lays its text over a picture.
    pub(super) unseen: bool,
    /// A line strikes it through.
    pub(super) struck: bool,
    /// It stands outside of what is shown.
    pub(super) cut: bool,
    /// Content item of the structure tree that it belongs to.
    pub(super) item: Option<u32>,
    pub(super) artifact: Artifact,
}
