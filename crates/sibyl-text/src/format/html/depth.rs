//! How deep a page nests and how much one tag holds, told before the page is parsed. A parser of HTML looks through
//! every open element at each tag, and through all attributes before it at each attribute. A page of nothing else
//! therefore costs it the square of its length.

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

/// Attributes to which a tag is read.
pub(super) const MAX_ATTRIBUTES: usize = 50_000;

/// Whether a tag of `page` has more than [`MAX_ATTRIBUTES`].
pub(super) fn has_endless_tag(page: &str) -> bool {
    let bytes = page.as_bytes();
    let mut at = 0;
    while let Some(start) = memchr::memchr(b'<', &bytes[at..]) {
        at += start + 1;
        if !bytes.get(at).is_some_and(u8::is_ascii_alphabetic) {
            continue;
        }
        let (mut attributes, mut apart, mut last, mut quote) = (0, false, b' ', None);
        for &byte in &bytes[at..] {
            at += 1;
            if quote.is_some() {
                if quote == Some(byte) {
                    (quote, apart) = (None, true);
                }
                continue;
            }
            match byte {
                b'>' => break,
                b'"' | b'\'' if last == b'=' => quote = Some(byte),
                b'/' => apart = true,
                _ if byte.is_ascii_whitespace() => {
                    apart = true;
                    continue;
                }
                _ => attributes += usize::from(std::mem::take(&mut apart) && byte != b'=' && last != b'='),
            }
            last = byte;
        }
        if attributes > MAX_ATTRIBUTES {
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

    #[test]
    fn only_a_tag_of_too_many_attributes_is_endless() {
        let tag = |count: usize| {
            let attributes: String = (0..count).map(|n| format!(" a{n} = \"x > y\"")).collect();
            format!("<p{attributes}>text")
        };
        assert!(has_endless_tag(&tag(MAX_ATTRIBUTES + 1)));
        assert!(!has_endless_tag(&tag(MAX_ATTRIBUTES)));
        assert!(has_endless_tag(&format!("<p {}>", "a='x'b ".repeat(MAX_ATTRIBUTES))));
        assert!(!has_endless_tag(&"<p a=1 b/>".repeat(MAX_ATTRIBUTES)));
        assert!(!has_endless_tag(&"1 < 2 ".repeat(MAX_ATTRIBUTES)));
        assert!(!has_endless_tag(&format!("<a title='{}", "word ".repeat(2 * MAX_ATTRIBUTES))));
    }
}
