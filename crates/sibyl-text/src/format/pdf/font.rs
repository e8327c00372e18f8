//! Fonts: what a code stands for, how far it advances, and whether it looks bold or italic.

use super::characters::{UNREADABLE, push_clean};
use super::shifted::Known;
use hayro_font::hayro_cmap::BfString;
use hayro_font::{CMapResolverFn, Font, FontCache, FontGlyph, FontQuery, FontResolverFn};
use hayro_syntax::object::{Array, Dict, Name};
use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;
use std::sync::Arc;

/// Loads the fonts of one document, each once.
pub(super) struct Fonts<'a> {
    cache: FontCache<'a>,
    standard: FontResolverFn,
    cmaps: CMapResolverFn,
    faces: HashMap<Vec<u8>, Rc<Face<'a>>>,
    /// What is known of the letters that they name.
    pub(super) known: Known,
}

/// A font with what reading order and headings need to know of it.
pub(super) struct Face<'a> {
    /// Its number in the document.
    pub(super) number: u32,
    font: Font<'a>,
    /// Looks bold by its name, weight or flags.
    pub(super) bold: bool,
    /// Typewriter face, in which writers set `o` as a list mark.
    pub(super) fixed: bool,
    /// Whether its lines run from left to right.
    pub(super) horizontal: bool,
    /// Top of the letters above the baseline (em).
    pub(super) ascent: f32,
    /// Bottom of the letters below the baseline (em, positive).
    pub(super) descent: f32,
    codes: RefCell<HashMap<u32, Code>>,
}

/// What one code of a font stands for.
#[derive(Clone)]
pub(super) struct Code {
    /// Its text; a mark where the font does not say which letter it draws.
    pub(super) text: Rc<str>,
    /// Advance in em, along x or (vertical fonts) y.
    pub(super) advance: (f64, f64),
}

impl<'a> Fonts<'a> {
    pub(super) fn new() -> Self {
        Self {
            cache: FontCache::new(),
            standard: Arc::new(|query| {
                Some(match query {
                    FontQuery::Standard(font) => font.get_font_data(),
                    FontQuery::Fallback(query) => query.pick_standard_font().get_font_data(),
                })
            }),
            cmaps: Arc::new(hayro_cmap::load_embedded),
            faces: HashMap::new(),
            known: Known::default(),
        }
    }

    /// The face that a font dictionary describes; `None` where it is broken.
    pub(super) fn face(&mut self, dict: &Dict<'a>) -> Option<Rc<Face<'a>>> {
        let key = dict.data().to_vec();
        if let Some(face) = self.faces.get(&key) {
            return Some(Rc::clone(face));
        }
        let font = self.cache.font(dict, &self.standard, &self.cmaps)?;
        let face = Rc::new(Face::new(font, dict, self.faces.len() as u32));
        self.faces.insert(key, Rc::clone(&face));
        Some(face)
    }
}

const FIXED_PITCH: u32 = 1;
const FORCE_BOLD: u32 = 1 << 18;
/// `FontWeight` from which a face counts as bold (ISO 32000-1, table 122: 400 is normal, 700 bold).
const BOLD_WEIGHT: f32 = 600.0;

impl<'a> Face<'a> {
    fn new(font: Font<'a>, dict: &Dict<'a>, number: u32) -> Self {
        let inner = dict.get::<Array<'_>>("DescendantFonts").and_then(|a| a.iter::<Dict<'_>>().next());
        let descriptor = inner.as_ref().unwrap_or(dict).get::<Dict<'_>>("FontDescriptor").unwrap_or_default();
        let name =
            dict.get::<Name<'_>>("BaseFont").map(|n| n.as_str().to_ascii_lowercase()).unwrap_or_default();
        let name = name.split_once('+').map_or(name.as_str(), |(_, rest)| rest);
        let flags = descriptor.get::<u32>("Flags").unwrap_or(0);
        let weight = descriptor.get::<f32>("FontWeight").unwrap_or(0.0);
        let bold_name = ["bold", "black", "heavy", "demi"].iter().any(|part| name.contains(part));
        let ascent = descriptor.get::<f32>("Ascent").unwrap_or(0.0) / 1000.0;
        let descent = descriptor.get::<f32>("Descent").unwrap_or(0.0).abs() / 1000.0;
        Self {
            number,
            bold: bold_name || weight >= BOLD_WEIGHT || flags & FORCE_BOLD != 0,
            fixed: name.contains("courier") || flags & FIXED_PITCH != 0,
            horizontal: font.is_horizontal(),
            ascent: if (0.5..=1.1).contains(&ascent) { ascent } else { 0.8 },
            descent: if (0.05..=0.4).contains(&descent) { descent } else { 0.2 },
            codes: RefCell::new(HashMap::new()),
            font,
        }
    }

    /// The next code of a shown string and how many bytes it takes (at least one).
    pub(super) fn read(&self, bytes: &[u8], offset: usize) -> (u32, usize) {
        let (code, len) = self.font.read_code(bytes, offset);
        (code, len.max(1))
    }

    /// What `code` stands for.
    pub(super) fn code(&self, code: u32) -> Code {
        if let Some(known) = self.codes.borrow().get(&code) {
            return known.clone();
        }
        let (unicode, drawn) = match self.font.glyph(self.font.map_code(code), code) {
            FontGlyph::Outline(glyph) => match glyph.as_unicode() {
                None => (None, !glyph.outline().elements().is_empty()),
                known => (known, true),
            },
            FontGlyph::Type3(glyph) => (glyph.as_unicode(), false),
        };
        let mut text = String::new();
        match unicode {
            Some(BfString::Char(c)) => push_clean(&mut text, c),
            Some(BfString::String(s)) => s.chars().for_each(|c| push_clean(&mut text, c)),
            None if drawn => text.push_str(UNREADABLE),
            None => {}
        }
        let advance = self.font.code_advance(code);
        let entry = Code { text: text.into(), advance: (advance.x / 1000.0, advance.y / 1000.0) };
        self.codes.borrow_mut().insert(code, entry.clone());
        entry
    }
}
