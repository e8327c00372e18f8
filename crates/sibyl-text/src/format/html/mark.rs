//! Marks: of items of lists, and of notes.

use super::attribute;
use crate::format::builder::Mark;
use crate::format::raised::raised;
use dom_query::NodeRef;

/// Signs that begin the items of lists which are not marked up as such.
const BULLETS: &[char] = &['•', '●', '▪', '■', '◦', '○', '‣', '·', '–', '—', '✓', '➢'];
/// Most letters of a list's label, such as `(viii)`.
const LABEL: usize = 7;

/// What a raised text is shown as, if not by its letters alone. A text that leads to its note becomes the mark of a
/// note, such as `[3]`; a number gets superscript digits.
pub(super) fn raised_mark(node: &NodeRef<'_>, name: &str) -> Option<String> {
    if name != "sup" && !(matches!(name, "span" | "font" | "a") && is_raised(node)) {
        return None;
    }
    let whole = node.text();
    let text = whole.trim().trim_matches(['[', ']', '(', ')']);
    let leads =
        !node.find(&["a"]).is_empty() || node.parent().is_some_and(|parent| super::name(&parent) == "a");
    if leads && !text.is_empty() && text.len() <= 4 {
        return Some(format!("[{text}]"));
    }
    let before = node.prev_sibling().map(|before| before.text().to_string()).unwrap_or_default();
    let shown = raised(&before, &whole);
    (shown != *whole).then_some(shown)
}

/// Whether the style of an element raises it.
fn is_raised(node: &NodeRef<'_>) -> bool {
    let style = attribute(node, "style").unwrap_or_default().to_ascii_lowercase();
    let style: String = style.chars().filter(|c| !c.is_whitespace()).collect();
    style.contains("vertical-align:super") || style.contains("vertical-align:text-top")
}

/// A box of a form, with a tick in it or without.
pub(super) fn check_box(node: &NodeRef<'_>) -> &'static str {
    if node.has_attr("checked") { "☒ " } else { "☐ " }
}

/// The mark of a list item, where that is all a text is.
pub(super) fn mark(text: &str) -> Option<Mark> {
    let mut signs = text.chars();
    if let (Some(sign), None) = (signs.next(), signs.next()) {
        return BULLETS.contains(&sign).then_some(Mark::Bullet);
    }
    let inner = text.strip_suffix(['.', ')'])?;
    let inner = inner.strip_prefix('(').unwrap_or(inner);
    let label = text.len() <= LABEL && !inner.is_empty() && is_label(inner);
    label.then(|| Mark::Label(text.to_owned()))
}

/// Whether a text is a number, a letter or a small Roman number.
fn is_label(text: &str) -> bool {
    let digits = text.len() <= 3 && text.bytes().all(|b| b.is_ascii_digit());
    let letter = text.len() == 1 && text.bytes().all(|b| b.is_ascii_alphabetic());
    digits || letter || text.chars().all(|c| "ivxIVX".contains(c))
}

/// Mark and text of a paragraph that begins like an item.
pub(super) fn marked(text: &str) -> Option<(Mark, &str)> {
    let sign = text.chars().next().filter(|sign| BULLETS.contains(sign))?;
    let rest = text[sign.len_utf8()..].trim_start();
    let apart = text[sign.len_utf8()..].starts_with(char::is_whitespace) && !rest.is_empty();
    (apart && !matches!(sign, '–' | '—')).then_some((Mark::Bullet, rest))
}
