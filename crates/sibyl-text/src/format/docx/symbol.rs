//! Signs that are no letters of a text: symbols of fonts, and boxes to tick.

use crate::format::office::{attribute, element};
use roxmltree::Node;

/// A box with a tick in it, and one without.
const TICKED: char = '☒';
const EMPTY: char = '☐';
/// Where fonts of symbols keep their signs (ECMA-376, 17.3.3.30).
const PRIVATE: u32 = 0xF000;

/// What a symbol shows; none where its font is not known.
pub(super) fn of(node: Node<'_, '_>) -> Option<char> {
    let code = u32::from_str_radix(attribute(node, "char")?, 16).ok()?;
    let font = attribute(node, "font").unwrap_or_default().to_ascii_lowercase();
    let sign = if (PRIVATE..PRIVATE + 0x100).contains(&code) { code - PRIVATE } else { code };
    match font.as_str() {
        "wingdings" => wingdings(sign),
        "wingdings 2" => wingdings_2(sign),
        "symbol" => symbol(sign),
        _ => char::from_u32(code).filter(|_| code < 0xE000),
    }
}

/// What the box of a form shows; none where a field is something else.
pub(super) fn check_box(node: Node<'_, '_>) -> Option<char> {
    let field = element(element(node, "ffData")?, "checkBox")?;
    let set = element(field, "checked").or_else(|| element(field, "default"));
    let off = |value: &str| matches!(value, "0" | "false" | "off");
    let ticked = set.is_some_and(|set| !attribute(set, "val").is_some_and(off));
    Some(if ticked { TICKED } else { EMPTY })
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
