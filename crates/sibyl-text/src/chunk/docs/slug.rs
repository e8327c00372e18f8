//! Heading anchors as Docusaurus makes them (github-slugger), so that a citation link leads to its heading.

use crate::document::{Document, Section};
use std::collections::HashMap;
use unicode_normalization::char::is_combining_mark;

/// The anchor of every section; empty for level 1, which Docusaurus gives no anchor.
pub(super) fn anchors(document: &Document) -> Vec<String> {
    let mut seen: HashMap<String, usize> = HashMap::new();
    let anchor = |section: &Section| {
        let own = custom(section.heading.of(&document.text)).map(str::to_owned);
        let anchor = own.unwrap_or_else(|| unique(slug(&section.title), &mut seen));
        if section.level == 1 { String::new() } else { anchor }
    };
    document.sections.iter().map(anchor).collect()
}

/// The id written in the heading: `## Title {#id}` or `## Title {/* #id */}`.
fn custom(heading: &str) -> Option<&str> {
    let heading = heading.lines().next()?.trim_end().trim_end_matches('#').trim_end();
    let inner = heading.strip_suffix('}')?;
    let inner = &inner[inner.rfind('{')? + 1..];
    let inner = inner.strip_prefix("/*").and_then(|i| i.strip_suffix("*/")).unwrap_or(inner);
    let id = inner.trim().strip_prefix('#')?;
    (!id.is_empty()).then_some(id)
}

/// Appends `-1`, `-2` … to a slug that was used before.
fn unique(slug: String, seen: &mut HashMap<String, usize>) -> String {
    let Some(mut count) = seen.get(&slug).copied() else {
        seen.insert(slug.clone(), 0);
        return slug;
    };
    loop {
        count += 1;
        let numbered = format!("{slug}-{count}");
        if !seen.contains_key(&numbered) {
            seen.insert(slug, count);
            seen.insert(numbered.clone(), 0);
            return numbered;
        }
    }
}

/// Lower case, hyphens for spaces, and only letters, combining marks, decimal digits, `-` and `_`.
pub(super) fn slug(title: &str) -> String {
    let mut out = String::with_capacity(title.len());
    if title.is_ascii() {
        let kept = title.bytes().filter(|b| b.is_ascii_alphanumeric() || matches!(b, b' ' | b'-' | b'_'));
        out.extend(kept.map(|b| if b == b' ' { '-' } else { char::from(b.to_ascii_lowercase()) }));
        return out;
    }
    let kept = |c: &char| {
        matches!(c, ' ' | '-' | '_' | '\u{203f}' | '\u{2040}' | '\u{200c}' | '\u{200d}')
            || c.is_alphabetic()
            || is_combining_mark(*c)
            || (c.is_numeric() && !is_other_number(*c))
    };
    out.extend(title.to_lowercase().chars().filter(kept).map(|c| if c == ' ' { '-' } else { c }));
    out
}

/// Superscripts, subscripts, fractions and enclosed numbers, which slugs leave out ("CO₂" is `co`).
fn is_other_number(c: char) -> bool {
    matches!(
        c,
        '²' | '³' | '¹' | '¼'..='¾' | '\u{2070}'..='\u{2089}' | '\u{2150}'..='\u{215f}' | '\u{2460}'..='\u{249b}'
            | '\u{24ea}'..='\u{24ff}' | '\u{2776}'..='\u{2793}' | '\u{3220}'..='\u{3229}' | '\u{3248}'..='\u{324f}'
            | '\u{3251}'..='\u{325f}' | '\u{3280}'..='\u{3289}' | '\u{32b1}'..='\u{32bf}'
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Span;

    #[test]
    fn slugs_are_those_of_docusaurus() {
        // Expected values follow github-slugger's documented rule, worked out by hand.
        let cases = [
            ("Principle 1: Embodiment", "principle-1-embodiment"),
            ("`--data-path`", "--data-path"),
            ("eth_getBlockByHash", "eth_getblockbyhash"),
            ("What's new?", "whats-new"),
            ("CO₂ & energy", "co--energy"),
            ("Über Åtgärder", "über-åtgärder"),
            ("日本語 見出し", "日本語-見出し"),
            ("1.1 Start", "11-start"),
        ];
        for (title, expected) in cases {
            assert_eq!(slug(title), expected);
        }
    }

    #[test]
    fn custom_and_repeated_headings() {
        let text = "# Top\n## A\n## A\n## B {#own-id}\n## A-1\n## A\n## C {/* #c2 */} ##\n";
        let body = Span::new(0, text.len());
        let (sections, blocks) = crate::format::markdown::structure(text, body);
        let document = Document { text: text.to_owned(), body, sections, blocks, ..Document::default() };
        assert_eq!(anchors(&document), ["", "a", "a-1", "own-id", "a-1-1", "a-2", "c2"]);
    }
}
