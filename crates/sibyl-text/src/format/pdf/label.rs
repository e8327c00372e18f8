//! Page labels: what is printed for each page ("iv", "A-3"), from the catalog's number tree.

use super::characters::{clean_line, decode};
use crate::document::{self, cited};
use hayro_syntax::object::{Array, Dict, Name, Object, String as PdfString};

/// Depth of the number tree beyond which entries are left out.
const MAX_DEPTH: usize = 32;
/// Longest letter or roman label that is spelt out.
const MAX_LABEL: u32 = 4_000;

/// The label of each of `pages` pages; `None` where the file names none (ISO 32000-1, 12.4.2).
pub(super) fn labels(catalog: &Dict<'_>, pages: usize) -> Vec<Option<String>> {
    let mut ranges: Vec<(usize, Dict<'_>)> = Vec::new();
    if let Some(root) = catalog.get::<Dict<'_>>("PageLabels") {
        collect(&root, 0, pages, &mut ranges);
    }
    ranges.sort_by_key(|(start, _)| *start);
    (0..pages)
        .map(|page| {
            let at = ranges.partition_point(|(start, _)| *start <= page).checked_sub(1)?;
            let (start, range) = &ranges[at];
            label(range, page - start)
        })
        .collect()
}

fn collect<'a>(node: &Dict<'a>, depth: usize, pages: usize, out: &mut Vec<(usize, Dict<'a>)>) {
    if depth > MAX_DEPTH || out.len() > pages {
        return;
    }
    if let Some(numbers) = node.get::<Array<'a>>("Nums") {
        let mut items = numbers.iter::<Object<'a>>();
        while let (Some(key), Some(value)) = (items.next(), items.next()) {
            if let (Object::Number(key), Object::Dict(range)) = (key, value) {
                out.extend(usize::try_from(key.as_i64()).ok().map(|key| (key, range)));
            }
        }
    }
    if let Some(kids) = node.get::<Array<'a>>("Kids") {
        for kid in kids.iter::<Dict<'a>>().take(pages.saturating_add(1)) {
            collect(&kid, depth + 1, pages, out);
        }
    }
}

fn label(range: &Dict<'_>, offset: usize) -> Option<String> {
    let prefix = range.get::<PdfString<'_>>("P").map(|p| clean_line(&decode(&p))).unwrap_or_default();
    let start = range.get::<u32>("St").unwrap_or(1).max(1);
    let number = start.saturating_add(u32::try_from(offset).unwrap_or(u32::MAX));
    let style = range.get::<Name<'_>>("S");
    let value = match style.as_deref() {
        Some(b"D") => number.to_string(),
        Some(b"R") => roman(number).to_uppercase(),
        Some(b"r") => roman(number),
        Some(b"A") => letters(number).to_uppercase(),
        Some(b"a") => letters(number),
        _ => String::new(),
    };
    let text = format!("{prefix}{value}");
    (!text.is_empty()).then_some(text)
}

fn roman(number: u32) -> String {
    const SIGNS: [(u32, &str); 13] = [
        (1000, "m"),
        (900, "cm"),
        (500, "d"),
        (400, "cd"),
        (100, "c"),
        (90, "xc"),
        (50, "l"),
        (40, "xl"),
        (10, "x"),
        (9, "ix"),
        (5, "v"),
        (4, "iv"),
        (1, "i"),
    ];
    let mut rest = number.min(MAX_LABEL);
    let mut out = String::new();
    for (value, sign) in SIGNS {
        while rest >= value {
            out.push_str(sign);
            rest -= value;
        }
    }
    out
}

/// a to z, then aa to zz, and so on: the letter repeats.
fn letters(number: u32) -> String {
    let index = number.min(MAX_LABEL).saturating_sub(1);
    let letter = char::from(b'a' + (index % 26) as u8);
    std::iter::repeat_n(letter, index as usize / 26 + 1).collect()
}

/// Physical pages, rising, with the labels printed on them where those differ: `3, 7–12 (iv–ix)`.
pub(super) fn named(numbers: &[u32], pages: &[document::Page]) -> String {
    let mut out: Vec<(u32, u32)> = Vec::new();
    for &number in numbers {
        match out.last_mut() {
            Some((_, end)) if *end + 1 == number => *end = number,
            _ => out.push((number, number)),
        }
    }
    let label = |number| pages.iter().find(|page| page.number == number)?.own_label().map(str::to_owned);
    let shown = out.into_iter().map(|(first, last)| {
        let labels = document::labels((first, last), label(first), label(last));
        cited((first, last), labels.as_ref(), "–")
    });
    shown.collect::<Vec<_>>().join(", ")
}
