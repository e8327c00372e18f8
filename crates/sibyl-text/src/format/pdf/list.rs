//! List marks: bullets, numbers and letters at the start of a line.

use super::word::Word;

/// Signs that writers use as bullets.
const BULLETS: &str = "•●▪■◦○□▫‣⁃➢➤►▶✓✔❖◆◇∙·–—−-*»";

/// A mark that was taken off the start of a line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Mark {
    /// A bullet of any shape.
    Bullet,
    /// `1.` or `1)`, as Markdown numbers items.
    Number(String),
    /// Any other label, such as `a)`, `(iv)` or `2.3`.
    Label(String),
}

/// The mark that `text` is, if it is one and nothing else.
pub(super) fn mark(text: &str, fixed: bool) -> Option<Mark> {
    let text = text.trim();
    let mut chars = text.chars();
    let (first, second) = (chars.next()?, chars.next());
    if second.is_none() {
        return ((fixed && first == 'o') || BULLETS.contains(first)).then_some(Mark::Bullet);
    }
    let inner = text.strip_prefix('(').unwrap_or(text);
    let core = inner.strip_suffix([')', '.']).unwrap_or(inner);
    let (opened, closed) = (inner.len() < text.len(), core.len() < inner.len());
    if core.is_empty() || !closed || (opened && !text.ends_with(')')) {
        return None;
    }
    let number = core.len() <= 3 && core.bytes().all(|b| b.is_ascii_digit());
    if number && !opened {
        return Some(Mark::Number(text.to_owned()));
    }
    let letter = core.len() == 1 && core.bytes().all(|b| b.is_ascii_alphabetic());
    let roman = core.len() <= 5
        && (core.bytes().all(|b| b"ivx".contains(&b)) || core.bytes().all(|b| b"IVX".contains(&b)));
    (number || letter || roman).then(|| Mark::Label(text.to_owned()))
}

/// Words between the first and the last of the items that a text refers to.
const JOINTS: [&str; 5] = ["and", "or", "to", "–", "-"];

/// Whether words that begin with a mark refer to items, as those of a wrapped line can: `(b) and (c)`, `(a) to (d)`.
pub(super) fn refer(words: &[Word]) -> bool {
    let label = |text: &str| matches!(mark(text, false), Some(Mark::Label(_)));
    let [first, joint, last, ..] = words else { return false };
    label(&first.text)
        && JOINTS.contains(&joint.text.as_str())
        && label(last.text.trim_end_matches([',', ';', '.', ':']))
}

/// Whether `text` is a list mark and nothing else.
pub(super) fn is_mark(text: &str, fixed: bool) -> bool {
    mark(text, fixed).is_some() || is_paragraph_number(text)
}

/// Whether `text` is a bullet that is no dash, star or dot, which may belong to what follows.
pub(super) fn is_bullet(text: &str) -> bool {
    let mut signs = text.trim().chars();
    signs.next().is_some_and(|sign| BULLETS.contains(sign) && !"⁃∙·–—−-*".contains(sign))
        && signs.next().is_none()
}

/// Whether `text` can number a paragraph beside it: `12`, `12A`, `B12`, `BC45`.
pub(super) fn is_plain_number(text: &str) -> bool {
    let rest = text.trim_start_matches(|c: char| c.is_ascii_uppercase());
    let digits = rest.trim_end_matches(|c: char| c.is_ascii_uppercase());
    text.len() - rest.len() <= 2
        && rest.len() - digits.len() <= 1
        && (1..=3).contains(&digits.len())
        && digits.bytes().all(|b| b.is_ascii_digit())
}

/// Whether `text` numbers a paragraph or heading: `1.2`, `3.4.1`, `A.12`.
pub(super) fn is_paragraph_number(text: &str) -> bool {
    let text = text.strip_suffix('.').unwrap_or(text);
    let mut parts = text.split('.');
    let Some(first) = parts.next() else { return false };
    let head = first.len() <= 2 && !first.is_empty() && first.bytes().all(|b| b.is_ascii_digit())
        || first.len() == 1 && first.bytes().all(|b| b.is_ascii_uppercase());
    let mut rest = 0;
    head && parts.all(|part| {
        rest += 1;
        !part.is_empty() && part.len() <= 3 && part.bytes().all(|b| b.is_ascii_digit())
    }) && (1..=4).contains(&rest)
}
