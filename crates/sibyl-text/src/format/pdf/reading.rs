//! A file while it is read: its pages as they are drawn, then the blocks of all of them.

use super::block::Block;
use super::geometry::Rect;
use super::hyphen::Lexicon;
use super::model::PageModel;
use super::outline::Entry;
use super::page_break::Paged;
use super::part::Part;
use super::sideways::Sideways;
use super::table::Table;
use super::tagged::Started;
use super::tags::Tags;
use super::weigh::Decisions;
use super::word::Word;
use serde_json::{Map, Value};

/// A page while it is read.
pub(super) struct Sheet {
    pub(super) model: PageModel,
    /// Its words without furniture.
    pub(super) words: Vec<Word>,
    /// Whether its tags say what its words are.
    pub(super) tagged: bool,
    /// What it is read in where only place tells what stands on it: the page, or its halves.
    pub(super) parts: Vec<Part>,
    /// Its charts as tables.
    pub(super) charts: Vec<(Table, Rect)>,
    /// The blocks of each of its cards.
    pub(super) cards: Vec<Vec<Block>>,
    /// Where its regions stand.
    pub(super) places: Vec<Rect>,
    pub(super) blocks: Vec<Block>,
    /// What was decided where it can be read in several ways.
    pub(super) decisions: Decisions,
}

impl Sheet {
    pub(super) fn new(model: PageModel) -> Self {
        Self {
            model,
            words: Vec::new(),
            tagged: false,
            parts: Vec::new(),
            charts: Vec::new(),
            cards: Vec::new(),
            places: Vec::new(),
            blocks: Vec::new(),
            decisions: Decisions::default(),
        }
    }
}

/// A file while it is read.
pub(super) struct Reading<'t> {
    pub(super) tags: &'t Tags,
    pub(super) outline: Vec<Entry>,
    pub(super) metadata: Map<String, Value>,
    /// Pages whose blocks are not known yet.
    pub(super) sheets: Vec<Sheet>,
    /// Elements that began on the pages so far.
    pub(super) started: Started,
    /// The blocks of each page.
    pub(super) pages: Vec<Vec<Block>>,
    /// For each page, whether its headings are those that the tags name.
    pub(super) tagged: Vec<bool>,
    /// Width and height of each page as it is filed (points).
    pub(super) sizes: Vec<(f32, f32)>,
    /// How each page lies whose blocks stand as if it were upright.
    pub(super) lies: Vec<Option<Sideways>>,
    /// Where the regions of each page stand.
    pub(super) places: Vec<Vec<Rect>>,
    /// Distinct running texts.
    pub(super) running: Vec<String>,
    /// The title that the file shows or states.
    pub(super) title: Option<String>,
    pub(super) lexicon: Lexicon,
    /// The pages as they are written.
    pub(super) paged: Vec<Paged>,
}

impl<'t> Reading<'t> {
    /// A file with `pages` of which nothing is read.
    pub(super) fn new(
        pages: Vec<PageModel>,
        tags: &'t Tags,
        outline: Vec<Entry>,
        metadata: Map<String, Value>,
    ) -> Self {
        Self {
            tags,
            outline,
            metadata,
            sheets: pages.into_iter().map(Sheet::new).collect(),
            started: Started::default(),
            pages: Vec::new(),
            tagged: Vec::new(),
            sizes: Vec::new(),
            lies: Vec::new(),
            places: Vec::new(),
            running: Vec::new(),
            title: None,
            lexicon: Lexicon::default(),
            paged: Vec::new(),
        }
    }

    /// Adds the blocks of a page.
    pub(super) fn add(&mut self, sheet: Sheet) {
        self.sizes.push(sheet.model.size);
        self.lies.push(sheet.model.lies.filter(|_| !sheet.tagged));
        self.tagged.push(sheet.tagged && self.tags.has_headings());
        self.places.push(sheet.places);
        self.pages.push(sheet.blocks);
    }
}
