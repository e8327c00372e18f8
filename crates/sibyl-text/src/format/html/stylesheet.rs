//! What a page hides by its own style sheet. Sheets in other files are never looked for.

use super::attribute;
use dom_query::Document as Tree;
use std::collections::BTreeSet;

/// Most classes and names that are hidden.
const MOST: usize = 200;
/// Most bytes of style sheets that are looked at.
const MAX_BYTES: usize = 4 << 20;

/// A rule: what it is for, what it says, and whether it holds under some condition only, as on paper.
struct Rule<'c> {
    selectors: &'c str,
    declarations: String,
    conditional: bool,
}

/// Marks as hidden what the style sheets of `tree` hide by its class or name, and show nowhere.
pub(super) fn hide(tree: &Tree) {
    let mut css = String::new();
    for sheet in tree.select("style").nodes() {
        css.push_str(&sheet.text());
        if css.len() > MAX_BYTES {
            return;
        }
    }
    let css = without_comments(&css);
    let rules = rules(&css);
    let says = |rule: &Rule<'_>, words: &[&str]| words.iter().any(|word| rule.declarations.contains(word));
    let hides = |rule: &Rule<'_>| says(rule, &["display:none", "visibility:hidden"]);
    let shows = |rule: &Rule<'_>| !hides(rule) && says(rule, &["display:", "visibility:"]);
    let shown: Vec<&str> =
        rules.iter().filter(|rule| shows(rule)).flat_map(|rule| parts(rule.selectors)).collect();
    let hidden: BTreeSet<&str> = rules
        .iter()
        .filter(|rule| !rule.conditional && hides(rule))
        .flat_map(|rule| rule.selectors.split(',').map(str::trim))
        .filter(|selector| is_simple(selector) && !shown.contains(selector))
        .collect();
    for selector in hidden.into_iter().take(MOST) {
        let Some(found) = tree.try_select(selector) else { continue };
        for node in found.nodes() {
            if !attribute(node, "style").is_some_and(|style| style.contains("display")) {
                node.set_attr("hidden", "");
            }
        }
    }
}

/// Whether a selector is one class or name.
fn is_simple(selector: &str) -> bool {
    let name = selector.strip_prefix(['.', '#']).unwrap_or_default();
    !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(&byte))
}

/// Classes and names in selectors, each with its sign.
fn parts(selectors: &str) -> impl Iterator<Item = &str> {
    let starts: Vec<usize> = selectors.match_indices(['.', '#']).map(|(at, _)| at).collect();
    starts.into_iter().map(|at| {
        let name = selectors[at + 1..]
            .bytes()
            .take_while(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(byte));
        &selectors[at..at + 1 + name.count()]
    })
}

fn without_comments(css: &str) -> String {
    let mut out = String::with_capacity(css.len());
    let mut rest = css;
    while let Some((before, inside)) = rest.split_once("/*") {
        out.push_str(before);
        rest = inside.split_once("*/").map_or("", |(_, after)| after);
    }
    out + rest
}

fn rules(css: &str) -> Vec<Rule<'_>> {
    let mut out = Vec::new();
    let mut rest = css;
    // Blocks that are open around the rule.
    let mut depth = 0_usize;
    while let Some(at) = rest.find(['{', '}']) {
        let (before, inside) = (&rest[..at], &rest[at + 1..]);
        let closes = rest[at..].starts_with('}');
        rest = inside;
        if closes {
            depth = depth.saturating_sub(1);
            continue;
        }
        let selectors = before.rsplit(';').next().unwrap_or_default().trim();
        if selectors.starts_with('@') {
            depth += 1;
            continue;
        }
        let end = rest.find('}').unwrap_or(rest.len());
        let said = rest[..end].chars().filter(|c| !c.is_whitespace()).map(|c| c.to_ascii_lowercase());
        out.push(Rule { selectors, declarations: said.collect(), conditional: depth > 0 });
        rest = rest.get(end + 1..).unwrap_or_default();
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_are_found_inside_and_beside_other_blocks() {
        let css = "@import 'a.css'; @font-face { src: url(x) } .a, p.b { Display : none } @media print { .c{ x:y } } #d{}} .e {z:1";
        let found: Vec<_> = rules(css)
            .into_iter()
            .map(|rule| (rule.selectors, rule.declarations, rule.conditional))
            .collect();
        let rule = |selectors, said: &str, conditional| (selectors, said.to_owned(), conditional);
        assert_eq!(
            found,
            [
                rule(".a, p.b", "display:none", false),
                rule(".c", "x:y", true),
                rule("#d", "", false),
                rule(".e", "z:1", false)
            ]
        );
        assert_eq!(parts("div.a #b > .c.d").collect::<Vec<_>>(), [".a", "#b", ".c", ".d"]);
        assert!(is_simple(".a-b") && !is_simple(".a .b") && !is_simple("p"));
    }
}
