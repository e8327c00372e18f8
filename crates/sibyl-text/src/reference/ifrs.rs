//! References to paragraphs of IFRS S1 and S2, as a person writes them.
//!
//! | Written | Named |
//! |---|---|
//! | `S2.14(a)(iv)`, `s2 14 a iv`, `para 14(a)(iv) of IFRS S2` | `S2.14(a)(iv)` |
//! | `34 to 40 of S1`, `paragraphs 34–40 of S1`, `S1.34-40` | `S1.34` … `S1.40` |
//! | `S2.14(a)-(c)` | `S2.14(a)`, `S2.14(b)`, `S2.14(c)` |
//! | `S2.A.carbon_credit` | `S2.A.carbon_credit` |
//!
//! Numbers stand everywhere in ordinary prose, so a number alone is never a reference. It needs a standard and,
//! unless the two are joined as in `S2.14`, a word such as "paragraph", an item label or a clear end.

pub(crate) mod id;
mod label;
mod passage;

use super::cursor::{Cursor, starts};
use super::{Detector, Reference};
use crate::document::Span;
pub use id::{Number, Standard, paragraph, parent};
use passage::{Passage, is_quantity};

/// Finds references to IFRS S1 and S2.
pub struct Ifrs;

impl Detector for Ifrs {
    fn name(&self) -> &'static str {
        "ifrs"
    }
    fn detect(&self, text: &str) -> Vec<Reference> {
        detect_in(text, None)
    }
}

/// All references in `text`, in order. Inside a standard's own text `home` is that standard, so "paragraph 14"
/// needs no name beside it.
pub fn detect_in(text: &str, home: Option<Standard>) -> Vec<Reference> {
    let mut found: Vec<Reference> = Vec::new();
    let mut free = 0;
    for start in starts(text) {
        if start < free {
            continue;
        }
        let cursor = Cursor::new(text, start);
        let found_here = match cursor.peek() {
            Some('S' | 's' | 'I' | 'i') => standard_first(cursor),
            Some('P' | 'p' | '§' | '¶') => keyword_first(cursor, home),
            Some('0'..='9' | 'B'..='E' | 'b'..='e') => {
                number_first(cursor).or_else(|| appendix_number(cursor))
            }
            _ => None,
        };
        let Some((ids, range, end)) = found_here else {
            continue;
        };
        free = end;
        found.push(Reference { detector: "ifrs".to_owned(), span: Span::new(start, end), ids, range });
    }
    found
}

/// Ids, whether written as a range, and the end.
type Found = (Vec<String>, bool, usize);

fn found(standard: Standard, passage: Passage, end: usize) -> Found {
    let ids = passage.places.iter().map(|place| format!("{}.{place}", standard.code())).collect();
    (ids, passage.range, end)
}

const KEYWORDS: [&str; 5] = ["paragraph", "paragraphs", "para", "paras", "par"];

/// Reads "paragraphs", "para.", "§" and says whether it is a plural.
fn keyword(cursor: &mut Cursor<'_>) -> Option<bool> {
    let mut ahead = *cursor;
    let plural = if ahead.take(|c| c == '§' || c == '¶').is_some() {
        ahead.eat('§')
    } else {
        let word = ahead.word_of(&KEYWORDS)?;
        ahead.eat('.');
        word.ends_with(['s', 'S'])
    };
    ahead.spaces();
    *cursor = ahead;
    Some(plural)
}

/// Reads `S2` or `IFRS S2`; says whether "IFRS" was there.
fn standard(cursor: &mut Cursor<'_>) -> Option<(Standard, bool)> {
    let mut ahead = *cursor;
    let full = ahead.word_of(&["ifrs"]).is_some();
    if full && ahead.spaces() == 0 && ahead.take(|c| c == '-').is_none() {
        return None;
    }
    let standard = Standard::read(&mut ahead)?;
    *cursor = ahead;
    Some((standard, full))
}

/// `S2.14(a)(iv)`, `S2.A.carbon_credit`, `S2 paragraph 14`, `IFRS S2 29 a vi`.
fn standard_first(mut cursor: Cursor<'_>) -> Option<Found> {
    if cursor.before().is_some_and(|c| c == '.' || c == '-' && !cursor.rest().starts_with(['I', 'i'])) {
        return None;
    }
    let (standard, full) = standard(&mut cursor)?;
    if cursor.eat('.') {
        if let Some(term) = term(&mut cursor) {
            return Some((vec![format!("{}.A.{term}", standard.code())], false, cursor.at));
        }
        let passage = Passage::read(&mut cursor, Some(standard), false)?;
        let plain = !passage.labelled && !passage.range;
        return (!(plain && is_quantity(cursor))).then(|| found(standard, passage, cursor.at));
    }
    let mut ahead = cursor;
    ahead.eat(',');
    ahead.spaces();
    if let Some(plural) = keyword(&mut ahead) {
        let passage = Passage::read(&mut ahead, Some(standard), plural)?;
        return Some(found(standard, passage, ahead.at));
    }
    if cursor.spaces() == 0 {
        return None;
    }
    let passage = Passage::read(&mut cursor, Some(standard), false)?;
    let sure = passage.labelled || !is_quantity(cursor) && (full || passage.series || label::ends(cursor));
    (sure && passage.exists(standard)).then(|| found(standard, passage, cursor.at))
}

/// Reads the `A.carbon_credit` of a defined term and returns `carbon_credit`.
fn term(cursor: &mut Cursor<'_>) -> Option<String> {
    let rest = cursor.rest();
    let slug = rest.strip_prefix("A.").or_else(|| rest.strip_prefix("a."))?;
    let length = slug.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(slug.len());
    let slug = slug[..length].trim_end_matches('_');
    if !slug.starts_with(|c: char| c.is_ascii_alphabetic()) || slug.len() < 3 {
        return None;
    }
    cursor.at += 2 + slug.len();
    Some(slug.to_ascii_lowercase())
}

/// `paragraph 33 h of S2`, `§ 14(a) of IFRS S2`, `paragraphs 34 to 40 S1`.
fn keyword_first(mut cursor: Cursor<'_>, home: Option<Standard>) -> Option<Found> {
    let plural = keyword(&mut cursor)?;
    let passage = Passage::read(&mut cursor, None, plural)?;
    let mut ahead = cursor;
    match named_after(&mut ahead, &["of", "in", "from", "under", "to"], true) {
        Some(standard) => Some(found(standard, passage, ahead.at)),
        None if of_another_text(cursor) => None,
        None => home.map(|standard| found(standard, passage, cursor.at)),
    }
}

/// Whether the text continues with "of IAS 1", "in the Conceptual Framework" or another text's name.
fn of_another_text(mut cursor: Cursor<'_>) -> bool {
    cursor.spaces();
    let joined = cursor.word_of(&["of", "in", "from"]).is_some();
    cursor.spaces();
    joined
        && cursor.word_of(&["this", "the", "Appendix"]).is_none()
        && cursor.peek().is_some_and(char::is_uppercase)
}

/// Words before a number that is then no paragraph number.
const OTHER_COUNTS: [&str; 19] = [
    "scope", "scopes", "category", "tier", "phase", "level", "version", "step", "table", "figure", "chapter",
    "section", "part", "page", "question", "target", "stage", "item", "annex",
];

/// `34 to 40 of S1`, `14(a) of S2`, `33 h of S2`, `E5 of S1`; a lone number only at the start of the text.
fn number_first(mut cursor: Cursor<'_>) -> Option<Found> {
    if cursor.before().is_some_and(|c| matches!(c, '.' | ',' | '-' | '–' | '/' | ':' | '$' | '€' | '£'))
    {
        return None;
    }
    let before = cursor.read_so_far();
    let passage = Passage::read(&mut cursor, None, false)?;
    if OTHER_COUNTS.iter().any(|w| w.eq_ignore_ascii_case(last_word(before))) {
        return None;
    }
    let (joints, adjacent): (&[&str], bool) = match (passage.labelled, passage.series, passage.range) {
        (true, ..) | (_, true, _) => (&["of", "in", "from", "under"], true),
        (_, _, true) => (&["of"], false),
        _ if before.trim().is_empty() => (&["of"], false),
        _ => return None,
    };
    let standard = named_after(&mut cursor, joints, adjacent)?;
    passage.exists(standard).then(|| found(standard, passage, cursor.at))
}

/// `D26 conciseness paragraph S1`: the standard comes a few words later in the same sentence, together with the
/// word "paragraph".
fn appendix_number(mut cursor: Cursor<'_>) -> Option<Found> {
    let number = Number::read(&mut cursor).filter(|n| n.series.is_some())?;
    let end = cursor.at;
    if cursor.in_word() {
        return None;
    }
    let mut said = false;
    for _ in 0..6 {
        if cursor.spaces() == 0 {
            return None;
        }
        let mut ahead = cursor;
        if let Some((standard, _)) = standard(&mut ahead) {
            let known = said && number.value <= standard.last(number.series);
            return known.then(|| (vec![format!("{}.{number}", standard.code())], false, end));
        }
        said |= KEYWORDS.iter().any(|w| w.eq_ignore_ascii_case(cursor.word()));
    }
    None
}

/// Reads the standard that belongs to the number just read: "of IFRS S2", "(S1)". `adjacent` allows no words
/// between them.
fn named_after(cursor: &mut Cursor<'_>, joints: &[&str], adjacent: bool) -> Option<Standard> {
    let mut ahead = *cursor;
    let mut gap = ahead.eat(',');
    gap |= ahead.spaces() > 0;
    gap |= ahead.eat('(');
    if ahead.word_of(joints).is_some() {
        ahead.spaces();
        if ahead.word_of(&["the"]).is_some() {
            ahead.spaces();
        }
    } else if !adjacent || !gap {
        return None;
    }
    let (standard, _) = standard(&mut ahead)?;
    let mut further = ahead;
    if further.eat('.') && further.in_word() {
        return None;
    }
    *cursor = ahead;
    Some(standard)
}

fn last_word(text: &str) -> &str {
    text.trim_end().rsplit(|c: char| !c.is_alphanumeric()).next().unwrap_or_default()
}
