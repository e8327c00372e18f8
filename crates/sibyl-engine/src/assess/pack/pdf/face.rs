//! The fonts of a PDF, and what replaces characters that they lack.

use krilla::text::{Font, GlyphId, KrillaGlyph};
use skrifa::instance::{LocationRef, Size};
use skrifa::{FontRef, MetadataProvider as _};
use std::collections::HashMap;
use unicode_normalization::UnicodeNormalization as _;

const REGULAR: &[u8] = include_bytes!("../fonts/Inter-Regular.otf");
const BOLD: &[u8] = include_bytes!("../fonts/Inter-SemiBold.otf");

/// Weight of letters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Weight {
    Regular,
    Bold,
}

/// Both fonts.
#[derive(Debug)]
pub(super) struct Faces {
    regular: Face,
    bold: Face,
}

/// A font with the glyph of each of its characters, and its advance as a fraction of the size.
#[derive(Debug)]
struct Face {
    font: Font,
    glyphs: HashMap<char, (u32, f32)>,
}

impl Face {
    fn new(bytes: &'static [u8]) -> Option<Self> {
        let read = FontRef::new(bytes).ok()?;
        let advances = read.glyph_metrics(Size::new(1.0), LocationRef::default());
        let glyphs = read.charmap().mappings().filter_map(|(code, glyph)| {
            Some((char::from_u32(code)?, (glyph.to_u32(), advances.advance_width(glyph)?)))
        });
        Some(Self { glyphs: glyphs.collect(), font: Font::new(bytes.into(), 0)? })
    }
}

impl Faces {
    /// The fonts that ship; `None` if their files are damaged.
    pub fn new() -> Option<Self> {
        Some(Self { regular: Face::new(REGULAR)?, bold: Face::new(BOLD)? })
    }

    fn of(&self, weight: Weight) -> &Face {
        match weight {
            Weight::Regular => &self.regular,
            Weight::Bold => &self.bold,
        }
    }

    /// The font of `weight`.
    pub fn font(&self, weight: Weight) -> Font {
        self.of(weight).font.clone()
    }

    /// Width of `text` in parts of the size.
    pub fn width(&self, text: &str, weight: Weight) -> f32 {
        let glyphs = &self.of(weight).glyphs;
        text.chars().filter_map(|c| glyphs.get(&c)).map(|(_, advance)| advance).sum()
    }

    /// The glyphs of `text`.
    pub fn glyphs(&self, text: &str, weight: Weight) -> Vec<KrillaGlyph> {
        let glyphs = &self.of(weight).glyphs;
        let known = text.char_indices().filter_map(|(at, c)| Some((at, c, glyphs.get(&c)?)));
        let placed = known.map(|(at, c, (glyph, advance))| KrillaGlyph {
            glyph_id: GlyphId::new(*glyph),
            text_range: at..at + c.len_utf8(),
            x_advance: *advance,
            x_offset: 0.0,
            y_offset: 0.0,
            y_advance: 0.0,
            location: None,
        });
        placed.collect()
    }

    fn has(&self, c: char) -> bool {
        self.regular.glyphs.contains_key(&c) && self.bold.glyphs.contains_key(&c)
    }

    /// `text` in one line, with words in place of characters that the fonts lack.
    pub fn readable(&self, text: &str) -> String {
        let spaced = text.nfc().map(|c| if c.is_whitespace() { ' ' } else { c });
        let shown: Vec<char> = spaced.filter(|c| !c.is_control() && !is_invisible(*c)).collect();
        let mut out = String::with_capacity(text.len());
        let mut at = 0;
        while at < shown.len() {
            if self.has(shown[at]) {
                out.push(shown[at]);
                at += 1;
                continue;
            }
            // Signs and spaces between characters that are not there belong to them.
            let mut end = at + 1;
            for (next, c) in shown.iter().enumerate().skip(end) {
                if !self.has(*c) {
                    end = next + 1;
                } else if c.is_alphanumeric() {
                    break;
                }
            }
            out.push_str(&told(&shown[at..end]));
            at = end;
        }
        out.split_whitespace().collect::<Vec<_>>().join(" ")
    }
}

/// The words that replace `lacking`.
fn told(lacking: &[char]) -> String {
    match script(lacking[0]) {
        Some(name) => {
            let letters = lacking.iter().filter(|c| c.is_alphanumeric()).count().max(1);
            let what = if letters == 1 { "character" } else { "characters" };
            format!("[{letters} {what} in {name}: see the HTML pack]")
        }
        None => format!("[character U+{:04X}: see the HTML pack]", u32::from(lacking[0])),
    }
}

/// Whether nothing is seen of a character in any font: marks of direction, joiners and variants.
const fn is_invisible(c: char) -> bool {
    matches!(c,
        '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{2069}' | '\u{fe00}'..='\u{fe0f}'
            | '\u{feff}')
}

/// The script of a character that the fonts lack, if it is a common one.
const fn script(c: char) -> Option<&'static str> {
    Some(match c as u32 {
        0x0530..=0x058f => "Armenian script",
        0x0590..=0x05ff => "Hebrew script",
        0x0600..=0x06ff | 0x0750..=0x077f | 0x08a0..=0x08ff | 0xfb50..=0xfdff | 0xfe70..=0xfefc => {
            "Arabic script"
        }
        0x0900..=0x097f => "Devanagari script",
        0x0980..=0x09ff => "Bengali script",
        0x0a00..=0x0dff => "an Indian script",
        0x0e00..=0x0e7f => "Thai script",
        0x10a0..=0x10ff => "Georgian script",
        0x1100..=0x11ff | 0x3130..=0x318f | 0xac00..=0xd7af => "Korean script",
        0x3040..=0x30ff | 0x31f0..=0x31ff | 0xff66..=0xff9d => "Japanese script",
        0x2e80..=0x2fdf
        | 0x3000..=0x303f
        | 0x3400..=0x4dbf
        | 0x4e00..=0x9fff
        | 0xf900..=0xfaff
        | 0x20000..=0x323af => "Chinese script",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_fonts_lack_is_told_in_its_place() {
        let faces = Faces::new().unwrap();
        for known in ["Größe – “CO₂e” ≤ 5 °C", "Выбросы парниковых газов", "Εκπομπές 34 %"]
        {
            assert_eq!(faces.readable(known), known);
        }
        let chinese = faces.readable("Emissions (排放量, 2024) fell");
        assert_eq!(chinese, "Emissions ([3 characters in Chinese script: see the HTML pack], 2024) fell");
        let apart = faces.readable("a 温室 气体 b");
        assert_eq!(apart, "a [4 characters in Chinese script: see the HTML pack] b");
        assert_eq!(faces.readable("x \u{1f333} y"), "x [character U+1F333: see the HTML pack] y");
        assert_eq!(faces.readable("soft\u{ad}ly\u{200b}\n  on"), "softly on");
    }

    #[test]
    fn every_character_that_is_left_has_a_glyph() {
        let faces = Faces::new().unwrap();
        let all: String = (0..0x3_0000).filter_map(char::from_u32).collect();
        let text = faces.readable(&all);
        for weight in [Weight::Regular, Weight::Bold] {
            assert_eq!(faces.glyphs(&text, weight).len(), text.chars().count());
        }
    }
}
