//! What stands on a page, derived once from its operators and never changed by a pass.

use super::cell;
use super::characters::UNREADABLE;
use super::font::Fonts;
use super::geometry::Rect;
use super::glyph::Artifact;
use super::grid::{self, Grid};
use super::interpret::{self, Content};
use super::panel;
use super::rules;
use super::ruling::{self, Painted, Ruling};
use super::scanned;
use super::sector::Sector;
use super::shade;
use super::sideways::Sideways;
use super::spacing;
use super::squared;
use super::tagged;
use super::tags::Tags;
use super::unreadable::{self, Unread};
use super::unseen;
use super::visibility::Layers;
use super::word::{self, Word};
use crate::format::hocr::ScannedPage;
use hayro_syntax::page::Page;
use std::borrow::Cow;

/// A page as its operators, or OCR, say that it looks.
pub(super) struct PageModel {
    /// Where they stand on the page as it is filed.
    pub(super) words: Vec<Word>,
    /// For each word, whether it stands in a cell of a table of several columns.
    pub(super) in_table: Vec<bool>,
    /// Width and height as it is filed (points).
    pub(super) size: (f32, f32),
    /// How it lies, if not upright: what follows then stands where it does when the page is turned upright.
    pub(super) lies: Option<Sideways>,
    /// Lines drawn, sides of shades, and what both imply.
    pub(super) rulings: Vec<Ruling>,
    /// The grids of its rulings.
    pub(super) grids: Vec<Grid>,
    /// Images and filled boxes.
    pub(super) pictures: Vec<Rect>,
    /// Where panels meet.
    pub(super) panels: Vec<panel::Side>,
    /// Filled boxes.
    pub(super) fills: Vec<Painted>,
    /// Slices of pies and pieces of rings.
    pub(super) sectors: Vec<Sector>,
    /// Small filled shapes, which can be bullets or mark the points of a chart.
    pub(super) bullets: Vec<Painted>,
    /// Signs that could not be read.
    pub(super) unread: Unread,
    /// What of its text is a layer over a scan.
    pub(super) layer: Option<Layer>,
    /// Where OCR read what its fonts do not name; none where OCR read all of it, or nothing.
    pub(super) patched: Vec<Rect>,
    /// OCR read all of it anew.
    pub(super) anew: bool,
    /// Text that is not seen was left out.
    pub(super) unseen: bool,
    /// A limit was met, and the rest left out.
    pub(super) truncated: bool,
}

/// Text that another program read by OCR, and laid without ink over the picture of its page.
#[derive(Debug, Clone, Copy)]
pub(super) struct Layer {
    /// So many of its words are none that it was read poorly.
    pub(super) poor: bool,
}

/// What a page is read with.
pub(super) struct Context<'c> {
    pub(super) tags: &'c Tags,
    pub(super) layers: &'c Layers,
    /// Whether its marks as pagination are believed.
    pub(super) artifacts: bool,
}

impl PageModel {
    /// The model of `page`, the `index`th from 0, with what OCR read on it in the place of its words where there is that.
    pub(super) fn of<'a>(
        page: &Page<'a>,
        index: usize,
        fonts: &mut Fonts<'a>,
        context: &Context<'_>,
        scan: Option<&ScannedPage>,
    ) -> Self {
        let Context { tags, layers, artifacts } = *context;
        let content = interpret::content(page, index, fonts, layers, tags);
        let mut out = Self::drawn(content, page.render_dimensions());
        if !artifacts {
            out.words.iter_mut().for_each(|word| word.artifact = Artifact::No);
        }
        if let Some(scan) = scan {
            out.scanned(scan);
        }
        out.grids = grid::grids(&out.rulings);
        out.in_table = out.in_tables(tags);
        out
    }

    /// What is drawn on a page of `size`.
    fn drawn(content: Content, size: (f32, f32)) -> Self {
        let Content {
            mut glyphs,
            mut rulings,
            mut painted,
            mut bullets,
            mut sectors,
            mut outlined,
            mut images,
            unseen,
            truncated,
            ..
        } = content;
        let unread = unreadable::marked(&mut glyphs);
        let words = spacing::mended(word::words(&glyphs, size.0, size.1));
        let layer = unseen::is_layer(&words, &images, size).then(|| Layer { poor: unseen::is_poor(&words) });
        let words = unseen::told(words);
        let lies = Sideways::of(&words, size);
        let mut seen = Cow::Borrowed(&words);
        let (mut width, mut height) = size;
        if let Some(lies) = lies {
            seen = Cow::Owned(words.iter().map(|word| lies.word(word.clone())).collect());
            (width, height) = lies.upright_size();
            rulings.iter_mut().for_each(|ruling| *ruling = lies.ruling(*ruling));
            let shapes = painted.iter_mut().chain(&mut bullets).chain(&mut outlined);
            let rects = shapes.map(|painted| &mut painted.rect);
            // Nobody has seen a pie on a page that lies.
            sectors.clear();
            rects.chain(&mut images).for_each(|rect| *rect = lies.upright(rect));
        }
        let painted = ruling::visible(painted);
        let mut rulings = rules::of_page(squared::without(rulings, &seen), &seen);
        let (edges, cells) = shade::edges(&painted, &rulings, &seen);
        rulings.extend(edges);
        rulings.extend(cell::sides(&cells, &seen, width, height));
        rulings.extend(rules::implied(&rulings, &seen));
        let mut fills: Vec<Painted> = painted.iter().filter(|painted| !painted.clips).copied().collect();
        let pictures = images.into_iter().chain(fills.iter().map(|fill| fill.rect)).collect();
        fills.append(&mut outlined);
        let panels = panel::sides(&painted);
        let (in_table, grids) = (Vec::new(), Vec::new());
        Self {
            words,
            in_table,
            size,
            lies,
            rulings,
            grids,
            pictures,
            panels,
            fills,
            sectors,
            bullets,
            unread,
            layer,
            patched: Vec::new(),
            anew: false,
            unseen,
            truncated,
        }
    }

    /// Puts what OCR read in the place of its words, and turns it as they stand. Of a page with text of its own only that
    /// is replaced which cannot be read.
    fn scanned(&mut self, page: &ScannedPage) {
        let dark = |word: &Word| word.text.contains(UNREADABLE);
        let legible = |word: &Word| !dark(word) && word.text.chars().any(char::is_alphanumeric);
        if self.layer.is_none() && self.words.iter().any(dark) && self.words.iter().any(legible) {
            self.patched = self.words.iter().filter(|word| dark(word)).map(|word| word.rect).collect();
            let read = scanned::words(&scanned::over(page, &self.patched));
            // What is read anew stands in the element of what it replaces.
            let anew = |own: Word| -> Vec<Word> {
                let inside = read.iter().filter(|word| dark(&own) && own.rect.holds(word.rect.center(), 0.0));
                let new = |word: &Word| Word {
                    item: own.item,
                    artifact: own.artifact,
                    bold: own.bold,
                    ink: own.ink,
                    ..word.clone()
                };
                let new: Vec<Word> = inside.map(new).collect();
                if new.is_empty() { vec![own] } else { new }
            };
            self.words = std::mem::take(&mut self.words).into_iter().flat_map(anew).collect();
            return;
        }
        let read = scanned::words(page);
        // A layer that OCR did not read anew is better than nothing.
        if read.is_empty() && !self.words.is_empty() {
            return;
        }
        self.words = read;
        self.anew = true;
        let Some(lies) = Sideways::of(&self.words, self.size).filter(|_| self.lies.is_none()) else { return };
        self.rulings.iter_mut().for_each(|ruling| *ruling = lies.ruling(*ruling));
        let shapes = self.fills.iter_mut().chain(&mut self.bullets).map(|shape| &mut shape.rect);
        self.pictures.iter_mut().chain(shapes).for_each(|rect| *rect = lies.upright(rect));
        self.panels.clear();
        self.sectors.clear();
        self.lies = Some(lies);
    }

    /// For each word, whether it stands in a table, by the tags or by lines.
    fn in_tables(&self, tags: &Tags) -> Vec<bool> {
        let table = |grid: &&Grid| grid.size().0 >= 2 && grid.size().1 >= 2 && grid.regions() >= 4;
        let tables: Vec<&Grid> = self.grids.iter().filter(table).collect();
        let ruled = |word: &Word| {
            let rect = self.lies.map_or(word.rect, |lies| lies.upright(&word.rect));
            tables.iter().any(|grid| grid.rect.holds(rect.center(), 0.0))
        };
        let tagged = tagged::in_tables(&self.words, tags);
        self.words.iter().zip(tagged).map(|(word, tagged)| tagged || ruled(word)).collect()
    }
}
