//! Where the blocks of a document are on its pages.

use super::{Block, BlockKind, Document, Segment, Span};

/// Left, top, right and bottom in points from the top left corner of a page.
pub type Rect = [f32; 4];

/// A block, or the part of it on one page.
#[derive(Debug, Clone, PartialEq)]
pub struct PlacedBlock {
    /// Its kind.
    pub block: Block,
    /// Its lines on the page, without marks of Markdown, one after the other.
    pub text: String,
    /// A box for each stretch of lines that follow each other downwards, so that a paragraph that continues in the
    /// next column has two. Empty if the source has no geometry.
    pub boxes: Vec<Rect>,
    /// For a table, the box of each of its rows on the page.
    pub rows: Vec<Rect>,
    /// How many of these rows are header rows.
    pub header_rows: usize,
}

impl Document {
    /// The blocks of physical page `page` in reading order, with their places.
    pub fn blocks_on(&self, page: u32) -> Vec<PlacedBlock> {
        let Some(page) = self.pages.iter().find(|known| known.number == page) else { return Vec::new() };
        let on_page = self.blocks.iter().filter(|block| block.span.overlaps(page.span));
        on_page.filter_map(|block| self.placed(block, page.number, page.span)).collect()
    }

    /// `None` for a block on another page, such as a note after a paragraph that continues on this one.
    fn placed(&self, block: &Block, page: u32, extent: Span) -> Option<PlacedBlock> {
        let first = self.segments.partition_point(|segment| segment.span.end <= block.span.start);
        let inside = self.segments[first..].iter().take_while(|segment| segment.span.start < block.span.end);
        let (lines, others): (Vec<&Segment>, Vec<&Segment>) =
            inside.partition(|segment| segment.page == Some(page));
        if lines.is_empty() && others.iter().any(|segment| segment.page.is_some()) {
            return None;
        }
        let text = if lines.is_empty() {
            let start = block.span.start.max(extent.start);
            Span::new(start, block.span.end.min(extent.end)).of(&self.text).to_owned()
        } else {
            lines.iter().map(|line| line.span.of(&self.text)).collect::<Vec<_>>().join(" ")
        };
        let mut placed =
            PlacedBlock { block: *block, text, boxes: Vec::new(), rows: Vec::new(), header_rows: 0 };
        match block.kind {
            BlockKind::Table { header_end } => {
                let rows = self.rows(&lines);
                placed.header_rows = rows.iter().filter(|(start, _)| *start < header_end).count();
                placed.rows = rows.into_iter().map(|(_, rect)| rect).collect();
                placed.boxes = placed.rows.iter().copied().reduce(union).into_iter().collect();
            }
            _ => placed.boxes = stretches(lines.iter().filter_map(|line| line.rect)),
        }
        Some(placed)
    }

    /// The rows of a table, each with its first byte and its box: lines of text, and the cells in them.
    fn rows(&self, lines: &[&Segment]) -> Vec<(usize, Rect)> {
        let mut rows: Vec<(usize, Rect)> = Vec::new();
        let mut end = 0;
        for line in lines {
            let Some(rect) = line.rect else { continue };
            let fresh = rows.is_empty() || self.text[end..line.span.start].contains('\n');
            end = line.span.end;
            match rows.last_mut().filter(|_| !fresh) {
                Some((_, row)) => *row = union(*row, rect),
                None => rows.push((line.span.start, rect)),
            }
        }
        rows
    }
}

/// The boxes around lines that follow each other downwards.
fn stretches(lines: impl Iterator<Item = Rect>) -> Vec<Rect> {
    let mut out: Vec<Rect> = Vec::new();
    let mut last: Option<Rect> = None;
    for line in lines {
        let further_up = last.is_some_and(|last| line[3] <= last[1]);
        last = Some(line);
        match out.last_mut().filter(|_| !further_up) {
            Some(open) => *open = union(*open, line),
            None => out.push(line),
        }
    }
    out
}

fn union(a: Rect, b: Rect) -> Rect {
    [a[0].min(b[0]), a[1].min(b[1]), a[2].max(b[2]), a[3].max(b[3])]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Page;

    fn line(start: usize, end: usize, rect: Rect) -> Segment {
        Segment { span: Span::new(start, end), source: None, page: Some(1), rect: Some(rect) }
    }

    fn block(kind: BlockKind, start: usize, end: usize) -> Block {
        Block { kind, span: Span::new(start, end), depth: 0 }
    }

    fn document(text: &str, blocks: Vec<Block>, segments: Vec<Segment>) -> Document {
        let page = Page {
            number: 1,
            label: None,
            span: Span::new(0, text.len()),
            size: Some((200.0, 100.0)),
            regions: Vec::new(),
        };
        Document { text: text.to_owned(), blocks, segments, pages: vec![page], ..Document::default() }
    }

    #[test]
    fn a_paragraph_that_goes_on_in_the_next_column_has_two_boxes() {
        let text = "# Coal\n\nfirst second third";
        let document = document(
            text,
            vec![block(BlockKind::Heading(1), 0, 6), block(BlockKind::Paragraph, 8, 26)],
            vec![
                line(2, 6, [10.0, 10.0, 60.0, 20.0]),
                line(8, 13, [10.0, 60.0, 90.0, 70.0]),
                line(14, 20, [12.0, 72.0, 88.0, 82.0]),
                line(21, 26, [110.0, 30.0, 190.0, 40.0]),
            ],
        );
        let placed = document.blocks_on(1);
        assert_eq!(placed[0].text, "Coal");
        assert_eq!(placed[0].boxes, [[10.0, 10.0, 60.0, 20.0]]);
        assert_eq!(placed[1].text, "first second third");
        assert_eq!(placed[1].boxes, [[10.0, 60.0, 90.0, 82.0], [110.0, 30.0, 190.0, 40.0]]);
        assert_eq!(document.blocks_on(2), []);
    }

    #[test]
    fn a_table_has_a_box_for_each_row_around_its_cells() {
        let text = "| a | b |\n| --- | --- |\n| c | d |";
        let document = document(
            text,
            vec![block(BlockKind::Table { header_end: 23 }, 0, 33)],
            vec![
                line(2, 3, [10.0, 10.0, 20.0, 20.0]),
                line(6, 7, [50.0, 11.0, 60.0, 21.0]),
                line(26, 27, [10.0, 30.0, 20.0, 40.0]),
                line(30, 31, [50.0, 30.0, 60.0, 44.0]),
            ],
        );
        let [table] = document.blocks_on(1).try_into().unwrap();
        assert_eq!(table.rows, [[10.0, 10.0, 60.0, 21.0], [10.0, 30.0, 60.0, 44.0]]);
        assert_eq!((table.header_rows, table.boxes), (1, vec![[10.0, 10.0, 60.0, 44.0]]));
    }

    #[test]
    fn a_block_without_geometry_is_told_by_its_text() {
        let document = document("A line.", vec![block(BlockKind::Paragraph, 0, 7)], Vec::new());
        let [only] = document.blocks_on(1).try_into().unwrap();
        assert_eq!((only.text.as_str(), only.boxes.len()), ("A line.", 0));
    }
}
