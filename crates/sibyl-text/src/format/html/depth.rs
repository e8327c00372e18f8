//! How deep a page nests, told before it is parsed: a parser of HTML looks through every open element at each tag, so
//! that a page of nothing but start tags costs it the square of its length.

use super::xhtml::VOID;

/// Elements whose end tag may be left out (HTML Living Standard, 13.1.2.4): they say nothing of depth.
const UNENDED: &[&str] = &[
    "html", "head", "body", "li", "dt", "dd", "p", "rt", "rp", "optgroup", "option", "colgroup", "caption",
    "thead", "tbody", "tfoot", "tr", "td", "th",
];
/// Levels to which pages are read. Browsers stop at 512.
pub(super) const MAX_DEPTH: usize = 5_000;

/// Whether elements of `page` stand more than [`MAX_DEPTH`] deep in others. Tags in comments and scripts count: a page
/// has not so many of them that none is closed.
pub(super) fn is_bottomless(page: &str) -> bool {
    let mut depth = 0_usize;
    let bytes = page.as_bytes();
    for at in memchr::memchr_iter(b'<', bytes) {
        let tag = &bytes[at + 1..];
        let (ends, tag) = tag.strip_prefix(b"/").map_or((false, tag), |tag| (true, tag));
        let length = tag.iter().take_while(|byte| byte.is_ascii_alphanumeric()).count();
        let name = String::from_utf8_lossy(&tag[..length]).to_ascii_lowercase();
        if length == 0 || VOID.contains(&name.as_str()) || UNENDED.contains(&name.as_str()) {
            continue;
        }
        depth = if ends { depth.saturating_sub(1) } else { depth + 1 };
        if depth > MAX_DEPTH {
            return true;
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_never_closed_is_bottomless() {
        assert!(is_bottomless(&"<div>".repeat(MAX_DEPTH + 1)));
        assert!(!is_bottomless(&"<div>".repeat(MAX_DEPTH)));
        assert!(!is_bottomless(&"<DIV><b>x</b></div>".repeat(2 * MAX_DEPTH)));
        assert!(!is_bottomless(&"<p>a<br><li>b<td>c".repeat(2 * MAX_DEPTH)));
    }
}
