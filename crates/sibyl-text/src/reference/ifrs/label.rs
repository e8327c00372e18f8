//! Item labels after a paragraph's number: `(a)(iv)`, `.a.iv`, `a iv`.

use super::id::{Class, classes};
use crate::reference::cursor::{Cursor, is_dash};

/// Reads the labels after a number. `None` if the number is no paragraph number at all: `14.5`, `15%`, `3rd`.
pub(super) fn labels(cursor: &mut Cursor<'_>) -> Option<Vec<String>> {
    let mut labels = Vec::new();
    if cursor.in_word() {
        let letter = cursor.take(|c| c.is_ascii_alphabetic())?;
        if cursor.in_word() {
            return None;
        }
        labels.push(letter.to_ascii_lowercase().to_string());
    }
    let mut ahead = *cursor;
    if ahead.take(|c| matches!(c, '.' | ',' | ':' | '/' | '\'' | '’')).is_some()
        && ahead.peek().is_some_and(|c| c.is_ascii_digit())
    {
        return None;
    }
    if cursor.peek().is_some_and(|c| matches!(c, '%' | '‰' | '°' | '€' | '$' | '£')) {
        return None;
    }
    while labels.len() < 4 {
        let mut ahead = *cursor;
        let label = dotted(&mut ahead).or_else(|| {
            ahead.spaces();
            bracketed(&mut ahead)
        });
        let Some(label) = label else { break };
        labels.push(label);
        *cursor = ahead;
    }
    if labels.is_empty() {
        labels = bare(cursor);
    } else if labels.len() < 3 {
        let mut further = *cursor;
        let more = bare_from(&mut further, labels.len());
        if !more.is_empty() && (more.len() > 1 || more[0].len() > 1 || ends(further)) {
            labels.extend(more);
            *cursor = further;
        }
    }
    Some(labels)
}

/// Reads `(iv)`.
pub(super) fn bracketed(cursor: &mut Cursor<'_>) -> Option<String> {
    let mut ahead = *cursor;
    if !ahead.eat('(') {
        return None;
    }
    ahead.spaces();
    let label = ahead.word().to_ascii_lowercase();
    ahead.spaces();
    if !ahead.eat(')') || classes(&label).is_empty() {
        return None;
    }
    *cursor = ahead;
    Some(label)
}

/// Reads the `.iv` of `S2.14.a.iv`.
fn dotted(cursor: &mut Cursor<'_>) -> Option<String> {
    let mut ahead = *cursor;
    if !ahead.eat('.') {
        return None;
    }
    let label = ahead.word();
    if label.is_empty() || label.bytes().any(|b| !b.is_ascii_lowercase()) || classes(label).is_empty() {
        return None;
    }
    *cursor = ahead;
    Some(label.to_owned())
}

/// Reads labels without brackets: `29 a vi 2`. One letter alone is read only where it can hardly be a word.
fn bare(cursor: &mut Cursor<'_>) -> Vec<String> {
    let mut ahead = *cursor;
    let labels = bare_from(&mut ahead, 0);
    let sure = match labels.as_slice() {
        [] => false,
        [one] => {
            matches!(one.as_str(), "b" | "c" | "d" | "e" | "f" | "g" | "h") && !is_unit(one, ahead)
                || ends(ahead)
        }
        _ => true,
    };
    if !sure {
        return Vec::new();
    }
    *cursor = ahead;
    labels
}

fn bare_from(cursor: &mut Cursor<'_>, depth: usize) -> Vec<String> {
    const ORDER: [Class; 3] = [Class::Letter, Class::Roman, Class::Digit];
    let mut labels = Vec::new();
    for class in ORDER.iter().skip(depth) {
        let mut ahead = *cursor;
        if ahead.spaces() == 0 {
            break;
        }
        let word = ahead.word().to_ascii_lowercase();
        if !classes(&word).iter().any(|(c, _)| c == class) || joined_on(ahead) {
            break;
        }
        labels.push(word);
        *cursor = ahead;
    }
    labels
}

/// A single letter that is a unit after a number: `5 g of`, `12 h per`.
fn is_unit(letter: &str, after: Cursor<'_>) -> bool {
    let mut ahead = after;
    matches!(letter, "g" | "h" | "c" | "f")
        && ahead.spaces() > 0
        && ahead.word_of(&["per", "a", "each", "every"]).is_some()
}

/// Whether a sign joins what follows to the word just read: `a-b`, `2.5`, `d'or`.
fn joined_on(cursor: Cursor<'_>) -> bool {
    let mut ahead = cursor;
    ahead.take(|c| matches!(c, '.' | ',' | '\'' | '’' | '/' | '%' | '-' | '_')).is_some() && ahead.in_word()
}

/// Whether a reference can end here: at the text's end, before a mark, or before a word that continues it.
pub(super) fn ends(cursor: Cursor<'_>) -> bool {
    let mut ahead = cursor;
    ahead.spaces();
    match ahead.peek() {
        None | Some(';' | '?' | '!' | ')' | ']' | '"' | '”' | '’') => true,
        Some('.' | ',' | ':') => {
            ahead.take(|_| true);
            !ahead.in_word()
        }
        Some(c) if is_dash(c) => {
            ahead.take(|_| true);
            !ahead.in_word() || bracketed(&mut ahead).is_some() || ahead.word().len() == 1
        }
        _ => ahead
            .word_of(&[
                "of",
                "in",
                "and",
                "or",
                "to",
                "vs",
                "versus",
                "requires",
                "require",
                "says",
                "requirements",
            ])
            .is_some(),
    }
}
