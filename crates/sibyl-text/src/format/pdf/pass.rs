//! What a pass is: a step on the way from pages to a document.

use super::part::Part;
use super::reading::{Reading, Sheet};

/// What a pass reads and writes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Of {
    /// Words, and those that stand in nothing yet.
    Words,
    /// Lines, shades, images, panels and the grids that lines make.
    Drawn,
    /// The structure tree.
    Tags,
    /// Whether it says what the words of a page are.
    Belief,
    /// The outline and the metadata of the file.
    File,
    /// Charts as tables.
    Charts,
    /// Cards as key figures.
    Cards,
    /// Parts of a page that are read by themselves.
    Parts,
    /// Lines of words, tables and parts with their places.
    Things,
    /// What runs up or down at the side of a page.
    Margins,
    /// Things in their regions.
    Regions,
    /// Blocks in their regions.
    Columns,
    /// Blocks in reading order.
    Blocks,
    /// The running texts.
    Running,
    /// The title.
    Title,
    /// The words of the whole document.
    Lexicon,
    /// Pages as they are written.
    Pages,
}

impl Of {
    /// What it is called where it is shown.
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Words => "words",
            Self::Drawn => "lines and shapes drawn",
            Self::Tags => "tags",
            Self::Belief => "belief in tags",
            Self::File => "outline and metadata",
            Self::Charts => "charts",
            Self::Cards => "cards",
            Self::Parts => "parts",
            Self::Things => "things",
            Self::Margins => "margins",
            Self::Regions => "regions",
            Self::Columns => "blocks of regions",
            Self::Blocks => "blocks",
            Self::Running => "running text",
            Self::Title => "title",
            Self::Lexicon => "words of the document",
            Self::Pages => "pages",
        }
    }
}

/// What a pass is given.
pub(super) enum Run {
    /// All pages.
    Document(fn(&mut Reading<'_>)),
    /// One page.
    Page(fn(&mut Sheet, &mut Reading<'_>)),
    /// A part of a page whose words only their place orders: the page, a half of it, or what stands in a box.
    Part(fn(&mut Part)),
    /// The same; it has the passes for parts read those inside of it.
    Inner,
}

/// A step on the way from pages to a document.
pub(super) struct Pass {
    /// What it is called where it is shown.
    pub(super) name: &'static str,
    pub(super) reads: &'static [Of],
    pub(super) writes: &'static [Of],
    pub(super) run: Run,
}

/// A pass of the list.
pub(super) const fn pass(name: &'static str, reads: &'static [Of], writes: &'static [Of], run: Run) -> Pass {
    Pass { name, reads, writes, run }
}
