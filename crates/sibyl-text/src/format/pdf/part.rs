//! A part of a page while it is read: the page, a half of it, or what stands in a box or a cell of a grid.

use super::block::Block;
use super::geometry::{Rect, bounds};
use super::grid::{self, Grid};
use super::panel::Shapes;
use super::ruling::Ruling;
use super::table::Table;
use super::thing::{Content, Thing};
use super::weigh::Decisions;
use super::word::Word;

/// What is known of a part of a page; each pass takes some of it and leaves what it makes of that.
#[derive(Default)]
pub(super) struct Part {
    /// Words that stand in nothing yet.
    pub(super) words: Vec<Word>,
    pub(super) rulings: Vec<Ruling>,
    /// The grids of its rulings.
    pub(super) grids: Vec<Grid>,
    pub(super) shapes: Shapes,
    /// What parts it, and the parts inside of it.
    pub(super) parting: Shapes,
    /// Parts inside of it that are read by themselves.
    pub(super) inner: Vec<Part>,
    /// Ruled tables.
    pub(super) tables: Vec<(Table, Rect)>,
    /// Its lines, tables and parts.
    pub(super) things: Vec<Thing>,
    /// What runs up or down at its side.
    pub(super) margins: Vec<Thing>,
    /// Where the parts inside of it stand.
    pub(super) frames: Vec<Rect>,
    /// Its things in the regions into which it is divided, in reading order.
    pub(super) regions: Vec<Vec<Thing>>,
    /// Where its regions stand, and those of the parts inside of it.
    pub(super) places: Vec<Rect>,
    /// The blocks of each region.
    pub(super) columns: Vec<Vec<Block>>,
    /// Its blocks in reading order.
    pub(super) blocks: Vec<Block>,
    /// What was decided where it can be read in several ways.
    pub(super) decisions: Decisions,
}

impl Part {
    /// A part with nothing read of it.
    pub(super) fn new(words: Vec<Word>, rulings: Vec<Ruling>, shapes: Shapes) -> Self {
        Self { words, grids: grid::grids(&rulings), rulings, shapes, ..Self::default() }
    }

    /// Puts the parts inside of it, read by now, among its things.
    pub(super) fn place(&mut self, inner: Vec<Self>) {
        self.parting = self.shapes.clone();
        for part in inner {
            self.places.extend(part.places);
            self.parting.add(&part.shapes);
            let rect = bounds(part.blocks.iter().map(|block| &block.rect));
            self.things.extend(rect.map(|rect| Thing { rect, content: Content::Blocks(part.blocks) }));
        }
        let framed = self.things.iter().filter(|thing| matches!(thing.content, Content::Blocks(_)));
        self.frames = framed.map(|thing| thing.rect).collect();
    }
}
