//! Pages of stored PDF files as they look, with the place of a stretch of their text.

mod block;
mod layout;
mod overlay;
mod pass;
mod strip;

pub use block::{PageBlock, PageBlockKind};
pub use layout::{LayoutOptions, PageLayout};
pub use pass::{PagePass, PassDecision, PassHypothesis, PassMark};

use crate::error::{Error, Result};
use crate::library::Contents;
use crate::reader;
use schemars::JsonSchema;
use serde::Serialize;
use sibyl_text::{Document, Span};

/// The format whose files have pages that look like something.
const DRAWN_FORMAT: &str = "pdf";

/// A page as it looks in its file.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct Facsimile {
    /// Physical page, from 1.
    pub page: u32,
    /// Pages of the file.
    pub pages: u32,
    /// The label printed for the page ("iv", "A-3") where the file names one.
    pub label: Option<String>,
    /// Width of the picture in pixels.
    pub width: u32,
    /// Height of the picture in pixels.
    pub height: u32,
    /// The picture as a PNG file in Base64.
    pub png: String,
    /// Where the requested stretch of text is on the page, a box for each of its lines.
    pub marks: Vec<Mark>,
}

/// A box on a page, in fractions of the page from its top left corner, 0 to 1.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, JsonSchema)]
pub struct Mark {
    /// Left edge.
    pub x: f32,
    /// Upper edge.
    pub y: f32,
    /// Width.
    pub width: f32,
    /// Height.
    pub height: f32,
}

impl Mark {
    /// The box `rect` (left, top, right, bottom in points) of a page of `size` points; `None` if none of it is on
    /// the page.
    fn of([left, top, right, bottom]: [f32; 4], (width, height): (f32, f32)) -> Option<Self> {
        let x = (left / width).clamp(0.0, 1.0);
        let y = (top / height).clamp(0.0, 1.0);
        let mark = Self {
            x,
            y,
            width: (right / width).clamp(0.0, 1.0) - x,
            height: (bottom / height).clamp(0.0, 1.0) - y,
        };
        (mark.width > 0.0 && mark.height > 0.0).then_some(mark)
    }
}

impl Contents<'_> {
    /// Page `page` (from 1) of document `id`, about `width` pixels wide, with the places of the stretch of bytes
    /// that `marked` finds in its text. It is drawn from the bytes the library keeps, in a process of its own.
    ///
    /// # Errors
    /// [`Error::NotFound`] for an unknown workspace or document. [`Error::NoPages`] if the document is no PDF.
    /// [`Error::Reader`] if there is no such page or it could not be drawn.
    pub async fn page_image(
        &self,
        workspace: &str,
        id: i64,
        page: u32,
        width: u32,
        marked: impl FnOnce(&str) -> Option<Span> + Send,
    ) -> Result<Facsimile> {
        let workspace = self.library.store().workspace(workspace).await?.id;
        let (document, drawn) = self.drawn(workspace, id, page, width).await?;
        let known = document.pages.iter().find(|known| known.number == page);
        Ok(Facsimile {
            page,
            pages: u32::try_from(document.pages.len()).unwrap_or(u32::MAX),
            label: known.and_then(|known| known.label.clone()),
            width: drawn.width,
            height: drawn.height,
            png: drawn.png,
            marks: marked(&document.text).map(|span| marks(&document, page, span)).unwrap_or_default(),
        })
    }

    /// Document `id` with the picture of its page `page`, about `width` pixels wide.
    async fn drawn(
        &self,
        workspace: i64,
        id: i64,
        page: u32,
        width: u32,
    ) -> Result<(Document, reader::Drawn)> {
        let (row, document) = self.library.store().document(workspace, id).await?;
        if row.format != DRAWN_FORMAT {
            return Err(Error::NoPages { title: row.title, format: row.format });
        }
        let (bytes, _) = self.library.store().source(workspace, id).await?;
        let limit = reader::time_limit(bytes.len());
        let passwords = self.library.passwords().all();
        let drawn =
            reader::draw(&self.library.options().reader, bytes, page, width, passwords, limit).await?;
        Ok((document, drawn))
    }
}

/// The places of `span` on page `page`. Of a line that it covers in part, the part is by its share of characters.
fn marks(document: &Document, page: u32, span: Span) -> Vec<Mark> {
    let size = document.pages.iter().find(|known| known.number == page).and_then(|known| known.size);
    let Some((width, height)) = size.filter(|(width, height)| *width > 0.0 && *height > 0.0) else {
        return Vec::new();
    };
    let on_page = document.segments.iter().filter(|line| line.page == Some(page) && line.span.overlaps(span));
    on_page
        .filter_map(|line| {
            let [left, top, right, bottom] = line.rect?;
            let share =
                |byte: usize| share(line.span.of(&document.text), byte.saturating_sub(line.span.start));
            let (from, to) = (share(span.start), share(span.end));
            let edge = |part: f32| left + part * (right - left);
            let (left, right) =
                if right - left >= bottom - top { (edge(from), edge(to)) } else { (left, right) };
            Mark::of([left, top, right, bottom], (width, height))
        })
        .collect()
}

/// Share of the characters of `line` before byte `byte`, 0 to 1.
fn share(line: &str, byte: usize) -> f32 {
    let all = line.chars().count();
    if byte >= line.len() || all == 0 {
        return 1.0;
    }
    let before = line.char_indices().take_while(|(at, _)| *at < byte).count();
    before as f32 / all as f32
}

#[cfg(test)]
mod tests {
    use super::*;
    use sibyl_text::document::{Page, Segment};

    fn line(start: usize, end: usize, page: u32, rect: [f32; 4]) -> Segment {
        Segment { span: Span::new(start, end), source: None, page: Some(page), rect: Some(rect) }
    }

    /// Two pages of 100 by 200 points: lines of ten characters, two on the first page and one on the second.
    fn document() -> Document {
        let page = |number, start, end| Page {
            number,
            label: None,
            span: Span::new(start, end),
            size: Some((100.0, 200.0)),
            regions: Vec::new(),
        };
        Document {
            text: "abcdefghij klmnopqrst uvwxyzabcd".to_owned(),
            pages: vec![page(1, 0, 21), page(2, 22, 32)],
            segments: vec![
                line(0, 10, 1, [10.0, 20.0, 90.0, 30.0]),
                line(11, 21, 1, [10.0, 40.0, 90.0, 50.0]),
                line(22, 32, 2, [10.0, 20.0, 90.0, 30.0]),
            ],
            ..Document::default()
        }
    }

    #[test]
    fn each_line_of_the_stretch_has_its_box_and_other_pages_have_none() {
        let marks = |page| super::marks(&document(), page, Span::new(0, 32));
        assert_eq!(marks(1).len(), 2);
        assert_eq!(marks(2).len(), 1);
        assert_eq!(marks(3).len(), 0);
        let first = marks(1)[0];
        for (found, expected) in [(first.x, 0.1), (first.y, 0.1), (first.width, 0.8), (first.height, 0.05)] {
            assert!((found - expected).abs() < 1e-6, "{first:?}");
        }
    }

    #[test]
    fn a_line_covered_in_part_is_marked_in_part() {
        let marks = marks(&document(), 1, Span::new(5, 16));
        let edges: Vec<(f32, f32)> = marks.iter().map(|mark| (mark.x, mark.x + mark.width)).collect();
        let near = |(a, b): (f32, f32), (c, d): (f32, f32)| (a - c).abs() < 1e-6 && (b - d).abs() < 1e-6;
        assert!(near(edges[0], (0.5, 0.9)) && near(edges[1], (0.1, 0.5)), "{edges:?}");
    }

    #[test]
    fn a_page_without_size_has_no_places() {
        let mut document = document();
        document.pages[0].size = None;
        assert!(marks(&document, 1, Span::new(0, 32)).is_empty());
    }
}
