//! Characters: what a font's code stands for, cleaned of what only layout needs.

use unicode_normalization::UnicodeNormalization;

/// What stands for text that cannot be read.
pub(super) const UNREADABLE: &str = "\u{FFFD}";

/// Appends `raw` to `out` with ligatures and presentation forms taken apart. White space becomes a plain
/// space, marks without a shape go, superscript and fraction characters stay (they carry facts).
pub(super) fn push_clean(out: &mut String, raw: char) {
    match raw {
        ' '..='~' => out.push(raw),
        // Soft hyphen and U+0002 stand for a hyphen at the end of a line; both are resolved when lines are joined.
        '\u{AD}' | '\u{2}' => out.push('\u{AD}'),
        '\u{FFFE}'
        | '\u{FFFF}'
        | '\u{FEFF}'
        | '\u{200B}'..='\u{200F}'
        | '\u{2060}'
        | '\u{202A}'..='\u{202E}' => {}
        c if c.is_whitespace() => out.push(' '),
        c if c.is_control() => {}
        // A hyphen that forbids a break is a hyphen.
        '\u{2010}' | '\u{2011}' => out.push('-'),
        '\u{F020}'..='\u{F0FF}' => out.push(symbol(raw)),
        // Signs that Chinese and Japanese writing has in this form alone.
        '！' | '（' | '）' | '，' | '：' | '；' | '？' => out.push(raw),
        // Alphabetic presentation forms (ligatures), Arabic forms, wide forms, Kangxi radicals, unit ligatures.
        '\u{FB00}'..='\u{FB4F}'
        | '\u{FB50}'..='\u{FDFF}'
        | '\u{FE70}'..='\u{FEFC}'
        | '\u{FF01}'..='\u{FFEF}'
        | '\u{2F00}'..='\u{2FDF}'
        | '\u{3300}'..='\u{33FF}'
        | '\u{1D400}'..='\u{1D7FF}'
        | '\u{2126}'
        | '\u{212A}'
        | '\u{212B}' => out.extend(std::iter::once(raw).nfkc()),
        // Subscript digits stand in formulas such as CO2, which people search by plain digits.
        '\u{2080}'..='\u{2089}' => out.extend(std::iter::once(raw).nfkc()),
        c => out.push(c),
    }
}

/// Whether a sign is one of a writing without spaces between its words: Han, Kana and their punctuation.
pub(super) fn is_unspaced(sign: char) -> bool {
    matches!(sign,
        '\u{2E80}'..='\u{2FDF}'
        | '\u{3000}'..='\u{30FF}'
        | '\u{31F0}'..='\u{31FF}'
        | '\u{3400}'..='\u{4DBF}'
        | '\u{4E00}'..='\u{9FFF}'
        | '\u{F900}'..='\u{FAFF}'
        | '\u{FF01}'..='\u{FF9F}'
        | '\u{20000}'..='\u{323AF}')
}

/// Whether a line that ends a text with `left` goes over into one that begins with `right` without a space.
pub(super) fn joins_unspaced(left: &str, right: &str) -> bool {
    left.chars().next_back().is_some_and(is_unspaced) && right.chars().next().is_some_and(is_unspaced)
}

/// Whether all of a text is for private use: what its font draws has no meaning as text.
pub(super) fn is_private(text: &str) -> bool {
    let private = |c| matches!(c, '\u{E000}'..='\u{F8FF}' | '\u{F0000}'..='\u{10FFFD}');
    !text.is_empty() && text.chars().all(private)
}

/// The meaning of a code of the symbol fonts that writers use for list marks and ticks.
fn symbol(raw: char) -> char {
    match raw as u32 & 0xFF {
        0x20 => ' ',
        0xB7 | 0x6C | 0x9F => '•',
        0xA7 | 0x6E => '▪',
        0x71 | 0xA8 => '□',
        0xD8 => '➢',
        0xFC => '✓',
        0xFB => '✗',
        0xE0 | 0xE8 => '→',
        0x2D => '-',
        _ => raw,
    }
}

/// Decodes a text string of a PDF (UTF-16 with its mark, UTF-8 with its mark, else PDFDocEncoding).
pub(super) fn decode(bytes: &[u8]) -> String {
    let utf16 = |read: fn([u8; 2]) -> u16, rest: &[u8]| {
        let units = rest.chunks_exact(2).map(|pair| read([pair[0], pair[1]]));
        char::decode_utf16(units).map(|c| c.unwrap_or(char::REPLACEMENT_CHARACTER)).collect::<String>()
    };
    match bytes {
        [0xFE, 0xFF, rest @ ..] => utf16(u16::from_be_bytes, rest),
        [0xFF, 0xFE, rest @ ..] => utf16(u16::from_le_bytes, rest),
        [0xEF, 0xBB, 0xBF, rest @ ..] => String::from_utf8_lossy(rest).into_owned(),
        _ => bytes.iter().map(|&b| doc_encoding(b)).collect(),
    }
}

/// PDFDocEncoding (ISO 32000-1, annex D.2).
fn doc_encoding(byte: u8) -> char {
    const HIGH: [char; 33] = [
        '•', '†', '‡', '…', '—', '–', 'ƒ', '⁄', '‹', '›', '−', '‰', '„', '“', '”', '‘', '’', '‚', '™', 'ﬁ',
        'ﬂ', 'Ł', 'Œ', 'Š', 'Ÿ', 'Ž', 'ı', 'ł', 'œ', 'š', 'ž', '\u{FFFD}', '€',
    ];
    match byte {
        0x80..=0xA0 => HIGH[usize::from(byte - 0x80)],
        _ => char::from(byte),
    }
}

/// One line of clean text: characters cleaned, runs of white space to one space, ends trimmed.
pub(super) fn clean_line(raw: &str) -> String {
    let mut out = String::with_capacity(raw.len());
    for c in raw.chars() {
        push_clean(&mut out, c);
    }
    out.split_whitespace().collect::<Vec<_>>().join(" ").replace('\u{AD}', "")
}
