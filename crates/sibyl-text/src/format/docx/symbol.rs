//! Signs that are no letters of a text: symbols of fonts, and boxes to tick.

use crate::format::office::{attribute, element, elements};
use roxmltree::Node;
use std::borrow::Cow;

/// A box with a tick in it, and one without.
const TICKED: char = '☒';
const EMPTY: char = '☐';
/// Where fonts of symbols keep their signs (ECMA-376, 17.3.3.30).
const PRIVATE: u32 = 0xF000;

/// Fonts that show signs in the place of letters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Font {
    Wingdings,
    Wingdings2,
    Symbol,
}

impl Font {
    fn named(name: &str) -> Option<Self> {
        match name.to_ascii_lowercase().as_str() {
            "wingdings" => Some(Self::Wingdings),
            "wingdings 2" => Some(Self::Wingdings2),
            "symbol" => Some(Self::Symbol),
            _ => None,
        }
    }

    /// What the character `code` shows; none where that is not known.
    fn sign(self, code: u32) -> Option<char> {
        let sign = if (PRIVATE..PRIVATE + 0x100).contains(&code) { code - PRIVATE } else { code };
        match self {
            Self::Wingdings => wingdings(sign),
            Self::Wingdings2 => wingdings_2(sign),
            Self::Symbol => symbol(sign),
        }
    }
}

/// What a symbol shows; none where its font is not known.
pub(super) fn of(node: Node<'_, '_>) -> Option<char> {
    let code = u32::from_str_radix(attribute(node, "char")?, 16).ok()?;
    match Font::named(attribute(node, "font").unwrap_or_default()) {
        Some(font) => font.sign(code),
        None => char::from_u32(code).filter(|_| code < 0xE000),
    }
}

/// What `text` shows in a run with these properties: the signs of its font, where that has no letters.
pub(super) fn shown<'t>(text: &'t str, properties: Option<Node<'_, '_>>) -> Cow<'t, str> {
    let fonts = properties.and_then(|properties| element(properties, "rFonts"));
    let named = |name| fonts.and_then(|fonts| attribute(fonts, name)).and_then(Font::named);
    let (ascii, other) = (named("ascii"), named("hAnsi"));
    if ascii.is_none() && other.is_none() {
        return Cow::Borrowed(text);
    }
    // Where fonts without letters name their signs themselves, these are in an area of their own.
    let own = |c: char| ('\u{E000}'..='\u{F8FF}').contains(&c);
    let sign = |c: char| {
        let font = match c {
            _ if own(c) => ascii.as_ref().or(other.as_ref()),
            _ if c.is_ascii() => ascii.as_ref(),
            _ => other.as_ref(),
        };
        match font.filter(|_| !c.is_whitespace()) {
            Some(font) => font.sign(u32::from(c)).or(Some(c).filter(|c| u32::from(*c) > 0xFF && !own(*c))),
            None => Some(c),
        }
    };
    Cow::Owned(text.chars().filter_map(sign).collect())
}

/// What a field of a form shows: its box, or what is chosen of its list; none where it is something else.
pub(super) fn field(node: Node<'_, '_>) -> Option<String> {
    let data = element(node, "ffData")?;
    let value = |node, name| element(node, name).and_then(|found| attribute(found, "val"));
    if let Some(list) = element(data, "ddList") {
        let chosen = value(list, "result").or_else(|| value(list, "default"));
        let chosen = chosen.and_then(|chosen| chosen.parse().ok()).unwrap_or(0);
        return elements(list, "listEntry")
            .nth(chosen)
            .and_then(|entry| attribute(entry, "val"))
            .map(str::to_owned);
    }
    let field = element(data, "checkBox")?;
    let set = element(field, "checked").or_else(|| element(field, "default"));
    let off = |value: &str| matches!(value, "0" | "false" | "off");
    let ticked = set.is_some_and(|set| !attribute(set, "val").is_some_and(off));
    Some(if ticked { TICKED } else { EMPTY }.to_string())
}

fn wingdings(sign: u32) -> Option<char> {
    Some(match sign {
        0xFD | 0xFE | 0x78 => TICKED,
        0x6F | 0x70 | 0x71 | 0x72 | 0xA8 => EMPTY,
        0xFB => '✗',
        0xFC => '✓',
        0x6C | 0x9F => '●',
        0x6E | 0xA7 => '■',
        0xA1 => '○',
        0xE0 | 0xE8 | 0xF0 => '→',
        0xDF | 0xE7 | 0xEF => '←',
        0xE1 | 0xE9 | 0xF1 => '↑',
        0xE2 | 0xEA | 0xF2 => '↓',
        0xD8 => '➢',
        _ => return None,
    })
}

fn wingdings_2(sign: u32) -> Option<char> {
    Some(match sign {
        0x51..=0x54 => TICKED,
        0x2A | 0xA3 => EMPTY,
        0x4F => '✗',
        0x50 => '✓',
        _ => return None,
    })
}

fn symbol(sign: u32) -> Option<char> {
    const GREEK: &str = "αβχδεφγηιϕκλμνοπθρστυϖωξψζ";
    Some(match sign {
        0x61..=0x7A => GREEK.chars().nth(usize::try_from(sign - 0x61).ok()?)?,
        0x44 => 'Δ',
        0x53 => 'Σ',
        0x57 => 'Ω',
        0xA3 => '≤',
        0xA5 => '∞',
        0xB0 => '°',
        0xB1 => '±',
        0xB3 => '≥',
        0xB4 => '×',
        0xB7 => '•',
        0xB9 => '≠',
        0xBB => '≈',
        0x2D => '−',
        0xAE => '→',
        0x20..=0x3F => char::from_u32(sign)?,
        _ => return None,
    })
}
