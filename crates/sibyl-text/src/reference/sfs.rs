//! Swedish statutes: `SFS 1977:1160`, `1977:1160`, `3 kap. 5 §`, `12a §`, `5–7 §§`.
//!
//! Ids are written as `SFS 1977:1160`, `3 kap. 5 §` and `5 §`; a letter joins its number (`12a §`).

use super::cursor::{Cursor, is_dash, starts};
use super::{Detector, Reference};
use crate::document::Span;

/// Finds statute numbers and sections.
pub struct Sfs;

impl Detector for Sfs {
    fn name(&self) -> &'static str {
        "sfs"
    }
    fn detect(&self, text: &str) -> Vec<Reference> {
        let mut found: Vec<Reference> = Vec::new();
        let mut free = 0;
        for start in starts(text) {
            if start < free {
                continue;
            }
            let cursor = Cursor::new(text, start);
            let Some((ids, range, end)) = statute(cursor).or_else(|| sections(cursor)) else { continue };
            free = end;
            found.push(Reference {
                detector: self.name().to_owned(),
                span: Span::new(start, end),
                ids,
                range,
            });
        }
        found
    }
}

/// Years in which a statute book can have been numbered.
const YEARS: std::ops::RangeInclusive<u16> = 1600..=2099;

/// Bodies whose standards are numbered like statutes, as in "ISO 1940:2003".
const OTHER_BODIES: [&str; 6] = ["iso", "iec", "en", "din", "bs", "ss"];

fn statute(mut cursor: Cursor<'_>) -> Option<(Vec<String>, bool, usize)> {
    let before = cursor.read_so_far();
    let named = cursor.word_of(&["sfs"]).is_some();
    if named {
        cursor.spaces();
    } else {
        let word = before.trim_end().rsplit(|c: char| !c.is_alphanumeric()).next().unwrap_or_default();
        if before.ends_with(['.', ',', ':', '-', '/'])
            || OTHER_BODIES.iter().any(|b| b.eq_ignore_ascii_case(word))
        {
            return None;
        }
    }
    let year: u16 = cursor.digits(4)?.parse().ok()?;
    if !YEARS.contains(&year) || !cursor.eat(':') {
        return None;
    }
    let number: u16 = cursor.digits(4)?.parse().ok().filter(|&n| n > 0)?;
    let mut after = cursor;
    let goes_on = after.take(|c| matches!(c, ':' | '.' | ',' | '-')).is_some()
        && after.peek().is_some_and(|c| c.is_ascii_digit());
    (!cursor.in_word() && !goes_on).then(|| (vec![format!("SFS {year}:{number}")], false, cursor.at))
}

/// `3 kap. 5 §`, `5 §`, `5 och 7 §§`.
fn sections(mut cursor: Cursor<'_>) -> Option<(Vec<String>, bool, usize)> {
    if cursor.read_so_far().ends_with(['.', ',', ':', '-', '/', '–']) {
        return None;
    }
    let mut chapter = String::new();
    let mut ahead = cursor;
    if let Some(number) = number(&mut ahead)
        && ahead.spaces() > 0
        && ahead.word_of(&["kap"]).is_some()
    {
        ahead.eat('.');
        ahead.spaces();
        chapter = format!("{number} kap. ");
        cursor = ahead;
    }
    let mut numbers = vec![number(&mut cursor)?];
    let mut range = false;
    loop {
        let mut ahead = cursor;
        let spaced = ahead.spaces() > 0;
        if ahead.take(is_dash).is_some() {
            ahead.spaces();
            let last = number(&mut ahead)?;
            let from: u16 = numbers.last()?.parse().ok()?;
            let to: u16 = last.parse().ok()?;
            if to <= from || to - from > 100 {
                return None;
            }
            numbers.extend((from + 1..=to).map(|n| n.to_string()));
            range = true;
        } else if ahead.eat(',') || spaced && ahead.word_of(&["och", "eller", "and"]).is_some() {
            ahead.spaces();
            let Some(next) = number(&mut ahead) else { break };
            numbers.push(next);
        } else {
            break;
        }
        cursor = ahead;
    }
    cursor.spaces();
    if !cursor.eat('§') {
        return None;
    }
    if !cursor.eat('§') && numbers.len() > 1 && !range {
        return None;
    }
    let ids = numbers.into_iter().map(|n| format!("{chapter}{n} §")).collect();
    Some((ids, range, cursor.at))
}

/// Reads `5`, `12a` or `12 a` before a section sign or "kap".
fn number(cursor: &mut Cursor<'_>) -> Option<String> {
    let mut ahead = *cursor;
    let mut number = ahead.digits(3).filter(|d| !d.starts_with('0'))?.to_owned();
    let mut further = ahead;
    further.spaces();
    if let Some(letter) = further.take(|c| c.is_ascii_lowercase())
        && !further.in_word()
    {
        number.push(letter);
        ahead = further;
    } else if ahead.in_word() {
        return None;
    }
    *cursor = ahead;
    Some(number)
}
