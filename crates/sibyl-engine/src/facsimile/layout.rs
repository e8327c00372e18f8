//! How a page was read: its blocks, their order, and their places.

use super::Mark;
use super::block::{PageBlock, PageBlockKind};
use super::overlay;
use super::pass::PagePass;
use crate::error::{Error, Result};
use crate::ingest::preview::PreviewSource;
use crate::library::Ingest;
use crate::reader;
use schemars::JsonSchema;
use serde::Serialize;
use sibyl_text::document::{PlacedBlock, Rect};
use sibyl_text::{BlockKind, Document};

/// Maximum number of characters of a block's text that are shown.
const FIRST_WORDS: usize = 160;

/// How a page was read.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct PageLayout {
    /// Physical page, from 1.
    pub page: u32,
    /// Pages of the document.
    pub pages: u32,
    /// Label printed on the page, if it differs from its number.
    pub page_label: Option<String>,
    /// The bands, columns and boxes into which it was divided before its blocks were recognised, in reading order.
    /// Empty if the source itself gives the order.
    pub regions: Vec<Mark>,
    /// Its blocks in reading order. Running headers, footers and page numbers are not among them.
    pub blocks: Vec<PageBlock>,
    /// The page with its blocks, or what each pass left, drawn over it, as an SVG file, where it was asked for.
    pub overlay: Option<String>,
    /// What each pass of the reader left of it, where that was asked for.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub passes: Vec<PagePass>,
}

/// What is shown of how a page was read, beside its blocks.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct LayoutOptions {
    /// Pixels across of a picture of the page under its overlay; no overlay by default.
    pub picture: Option<u32>,
    /// Whether the page is shown after each pass.
    pub passes: bool,
}

impl Ingest<'_> {
    /// How page `page` (from 1) of `source` was read, with what `options` ask for. Nothing is stored.
    ///
    /// # Errors
    /// Those of [`Ingest::preview`] for what cannot be read, and [`Error::Invalid`] if there is no such page. If a
    /// picture or the passes are asked for: [`Error::NoPages`] for a document whose pages have no geometry, and
    /// [`Error::Reader`] if the page could not be drawn or read again.
    pub async fn page_layout(
        &self,
        workspace: &str,
        source: PreviewSource,
        page: u32,
        options: LayoutOptions,
    ) -> Result<PageLayout> {
        let workspace = self.library.store().workspace(workspace).await?.id;
        let read = self.source(workspace, source.clone()).await?;
        let document = &read.document;
        let pages = document.pages.len();
        let known = document.pages.iter().find(|known| known.number == page).ok_or_else(|| {
            Error::Invalid(match pages {
                0 => format!("{} has no pages; open its text", read.path),
                _ => format!("page {page} does not exist: {} has {pages} page(s)", read.path),
            })
        })?;
        let size = known.size.filter(|(width, height)| *width > 0.0 && *height > 0.0);
        let regions = marks(&known.regions, size);
        let blocks = blocks(document, page, size);
        let (mut overlay, mut passes) = (None, Vec::new());
        if options != LayoutOptions::default() {
            let Some(size) = size else {
                let format = read.path.rsplit('.').next().unwrap_or_default().to_owned();
                return Err(Error::NoPages { title: read.path, format });
            };
            let bytes = self.source_bytes(workspace, source).await?;
            let limit = reader::time_limit(bytes.len());
            let program = &self.library.options().reader;
            let passwords = self.library.passwords().all();
            if options.passes {
                let steps = reader::passes(program, bytes.clone(), page, passwords.clone(), limit).await?;
                passes = steps.into_iter().map(|step| PagePass::of(step, size)).collect();
            }
            if let Some(width) = options.picture {
                let png = reader::draw(program, bytes, page, width, passwords, limit).await?.png;
                overlay = Some(if options.passes {
                    overlay::of_passes(&png, size, &passes)
                } else {
                    overlay::svg(&png, size, &regions, &blocks)
                });
            }
        }
        Ok(PageLayout {
            page,
            pages: u32::try_from(pages).unwrap_or(u32::MAX),
            page_label: document.label_of(page),
            regions,
            blocks,
            overlay,
            passes,
        })
    }
}

fn blocks(document: &Document, page: u32, size: Option<(f32, f32)>) -> Vec<PageBlock> {
    document.blocks_on(page).into_iter().map(|placed| block(placed, size)).collect()
}

/// Boxes in points as shares of a page of `size`; none if it has no geometry.
fn marks(rects: &[Rect], size: Option<(f32, f32)>) -> Vec<Mark> {
    let size = size.into_iter();
    size.flat_map(|size| rects.iter().filter_map(move |rect| Mark::of(*rect, size))).collect()
}

fn block(placed: PlacedBlock, size: Option<(f32, f32)>) -> PageBlock {
    let (kind, level) = match placed.block.kind {
        BlockKind::Heading(level) => (PageBlockKind::Heading, Some(level)),
        BlockKind::Paragraph => (PageBlockKind::Paragraph, None),
        BlockKind::Item => (PageBlockKind::Item, None),
        BlockKind::Table { .. } => (PageBlockKind::Table, None),
        BlockKind::Figure => (PageBlockKind::Figure, None),
        BlockKind::KeyFigure => (PageBlockKind::KeyFigure, None),
        BlockKind::Contents => (PageBlockKind::Contents, None),
        BlockKind::Code | BlockKind::Admonition | BlockKind::Quote | BlockKind::Html | BlockKind::Rule => {
            (PageBlockKind::Other, None)
        }
    };
    let words = placed.text.split_whitespace().collect::<Vec<_>>().join(" ");
    PageBlock {
        kind,
        level,
        depth: placed.block.depth,
        text: words.chars().take(FIRST_WORDS).collect(),
        boxes: marks(&placed.boxes, size),
        rows: marks(&placed.rows, size),
        header_rows: placed.header_rows,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sibyl_text::Span;
    use sibyl_text::document::{Block, Page, Segment};

    #[test]
    fn a_block_has_its_level_its_first_words_and_its_place_in_shares_of_the_page() {
        let text = format!("## Coal\n\n{}", "ash ".repeat(60));
        let segment = |start, end, rect| Segment {
            span: Span::new(start, end),
            source: None,
            page: Some(1),
            rect: Some(rect),
        };
        let document = Document {
            blocks: vec![
                Block { kind: BlockKind::Heading(2), span: Span::new(0, 7), depth: 0 },
                Block { kind: BlockKind::KeyFigure, span: Span::new(9, text.len()), depth: 0 },
            ],
            segments: vec![
                segment(3, 7, [20.0, 10.0, 120.0, 30.0]),
                segment(9, text.len(), [20.0, 50.0, 180.0, 90.0]),
            ],
            pages: vec![Page {
                number: 1,
                label: None,
                span: Span::new(0, text.len()),
                size: None,
                regions: Vec::new(),
            }],
            text,
            ..Document::default()
        };
        let blocks = blocks(&document, 1, Some((200.0, 100.0)));
        assert_eq!((blocks[0].kind, blocks[0].level), (PageBlockKind::Heading, Some(2)));
        assert_eq!(blocks[0].text, "Coal");
        let Mark { x, y, width, height } = blocks[0].boxes[0];
        for (found, expected) in [(x, 0.1), (y, 0.1), (width, 0.5), (height, 0.2)] {
            assert!((found - expected).abs() < 1e-6, "{:?}", blocks[0]);
        }
        assert_eq!((blocks[1].kind, blocks[1].text.len()), (PageBlockKind::KeyFigure, FIRST_WORDS));
    }
}
