//! What a page hides, and what it sets as blocks, by its own style sheet. Sheets in other files are never looked for.

use super::attribute;
use dom_query::{Document as Tree, NodeId, NodeRef};
use std::collections::{HashMap, HashSet};

/// Most rules that are followed.
const MOST: usize = 1_000;
/// Most bytes of style sheets that are looked at.
const MAX_BYTES: usize = 4 << 20;

/// A rule: what it is for, what it says, and whether it holds under some condition only, as on paper.
struct Rule<'c> {
    selectors: &'c str,
    declarations: String,
    conditional: bool,
}

/// The style sheets of a page, without comments; empty where they are too long.
pub(super) fn of(tree: &Tree) -> String {
    let mut css = String::new();
    for sheet in tree.select("style").nodes() {
        css.push_str(&sheet.text());
        if css.len() > MAX_BYTES {
            return String::new();
        }
    }
    without_comments(&css)
}

/// Single classes with what is declared of them, in order.
pub(super) fn classes(css: &str) -> impl Iterator<Item = (String, String)> {
    rules(css).into_iter().filter(|rule| !rule.conditional).flat_map(|rule| {
        let all = selectors(&rule).filter_map(|selector| {
            let class = selector.strip_prefix('.')?;
            let plain = class.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(&byte));
            plain.then(|| (class.to_owned(), rule.declarations.clone()))
        });
        all.collect::<Vec<_>>()
    })
}

/// Texts of a page that are not read although they stand in it.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Unseen {
    /// Hidden by the style sheet.
    pub(super) hidden: usize,
    /// Struck through, or white on white.
    pub(super) withdrawn: usize,
}

/// Marks as hidden what the style sheets of `tree` hide and show nowhere else, what is struck through, and what is written in
/// white on white; how many such texts there are.
pub(super) fn hide(tree: &Tree, css: &str) -> Unseen {
    let rules = rules(css);
    let says = |rule: &Rule<'_>, words: &[&str]| words.iter().any(|word| rule.declarations.contains(word));
    let hides = |rule: &Rule<'_>| says(rule, &["display:none", "visibility:hidden"]);
    let shows = |rule: &Rule<'_>| !hides(rule) && says(rule, &["display:", "visibility:"]);
    // By element: how weighty the rule is that counts, and whether it hides.
    let mut told: HashMap<NodeId, ((usize, usize), bool)> = HashMap::new();
    let wanted =
        rules.iter().enumerate().filter(|(_, rule)| shows(rule) || (hides(rule) && !rule.conditional));
    for (place, rule) in wanted {
        for selector in selectors(rule) {
            let weight = (weight(selector), place);
            for node in found(tree, selector) {
                let entry = told.entry(node.id).or_insert((weight, hides(rule)));
                if entry.0 <= weight {
                    *entry = (weight, hides(rule));
                }
            }
        }
    }
    let mut unseen = Unseen::default();
    for (id, _) in told.into_iter().filter(|(_, (_, hides))| *hides) {
        let node = NodeRef::new(id, tree.root().tree);
        if !attribute(&node, "style").is_some_and(|style| style.contains("display")) {
            unseen.hidden += usize::from(!node.text().trim().is_empty());
            node.set_attr("hidden", "");
        }
    }
    let mut withdrawn: Vec<NodeRef<'_>> = found(tree, "del, s, strike, [style*=line-through]");
    for rule in rules.iter().filter(|rule| !rule.conditional && says(rule, &["line-through"])) {
        withdrawn.extend(selectors(rule).flat_map(|selector| found(tree, selector)));
    }
    withdrawn.extend(white_on_white(tree, &rules));
    for node in withdrawn {
        let seen =
            !node.has_attr("hidden") && !node.ancestors_it(Some(64)).any(|above| above.has_attr("hidden"));
        unseen.withdrawn += usize::from(seen && !node.text().trim().is_empty());
        node.set_attr("hidden", "");
    }
    unseen
}

/// Attribute of elements of a line that a page sets as blocks of their own.
pub(super) const BLOCK: &str = "data-set-as-block";

/// Marks what the style sheets of `tree` or its elements themselves set as blocks, as a number that stands over its caption.
/// Of several rules, the one of most weight counts, and of these the last.
pub(super) fn set_blocks(tree: &Tree, css: &str) {
    let is_block = |said: &str| {
        let own = said
            .split(';')
            .map(|one| one.trim_end_matches("!important"))
            .rfind(|one| one.starts_with("display:"));
        own.is_some_and(|one| {
            matches!(one, "display:block" | "display:flex" | "display:grid" | "display:table")
        })
    };
    let rules = rules(css);
    let mut told: HashMap<NodeId, ((usize, usize), bool)> = HashMap::new();
    let says = |rule: &&Rule<'_>| !rule.conditional && rule.declarations.contains("display:");
    for (place, rule) in rules.iter().filter(says).take(MOST).enumerate() {
        for selector in selectors(rule) {
            let weight = (weight(selector), place);
            for node in found(tree, selector) {
                let entry = told.entry(node.id).or_insert((weight, false));
                if entry.0 <= weight {
                    *entry = (weight, is_block(&rule.declarations));
                }
            }
        }
    }
    for node in found(tree, "[style*=display], [style*=Display], [style*=DISPLAY]") {
        let style: String = attribute(&node, "style").unwrap_or_default().split_whitespace().collect();
        told.insert(node.id, ((usize::MAX, 0), is_block(&style.to_lowercase())));
    }
    for (id, _) in told.into_iter().filter(|(_, (_, block))| *block) {
        NodeRef::new(id, tree.root().tree).set_attr(BLOCK, "");
    }
}

/// Elements whose text is white where neither they nor what they stand in have a colour or picture behind them, as far as
/// the page says so itself.
fn white_on_white<'t>(tree: &'t Tree, rules: &[Rule<'_>]) -> Vec<NodeRef<'t>> {
    let white = |said: &str| {
        let said: String = said.chars().filter(|c| !c.is_whitespace()).flat_map(char::to_lowercase).collect();
        said.split(';').any(|one| {
            let value = one.strip_prefix("color:").map(|value| value.trim_end_matches("!important"));
            value.is_some_and(|value| matches!(value, "#fff" | "#ffffff" | "white" | "rgb(255,255,255)"))
        })
    };
    if !found(tree, "link[rel=stylesheet]").is_empty() {
        return Vec::new();
    }
    let mut nodes: Vec<NodeRef<'t>> = found(tree, "[style*=color], font[color]");
    nodes.retain(|node| {
        let font = attribute(node, "color").map(|color| format!("color:{color}"));
        attribute(node, "style").or(font).is_some_and(|style| white(&style))
    });
    for rule in rules.iter().filter(|rule| !rule.conditional && white(&rule.declarations)) {
        nodes.extend(selectors(rule).flat_map(|selector| found(tree, selector)));
    }
    if nodes.is_empty() {
        return nodes;
    }
    let coloured = rules.iter().filter(|rule| rule.declarations.contains("background")).take(MOST);
    let coloured: HashSet<NodeId> = coloured
        .flat_map(|rule| selectors(rule).flat_map(|selector| found(tree, selector)))
        .map(|node| node.id)
        .collect();
    let laid_under = |node: &NodeRef<'_>| {
        coloured.contains(&node.id)
            || node.has_attr("bgcolor")
            || node.has_attr("background")
            || attribute(node, "style")
                .is_some_and(|style| style.contains("background") || style.contains("position"))
    };
    // A colour of its own further in is another one.
    let plain = |node: &NodeRef<'_>| {
        node.descendants_it()
            .take(100)
            .all(|inner| !(inner.has_attr("style") || inner.has_attr("class") || laid_under(&inner)))
    };
    nodes.retain(|node| {
        plain(node) && !laid_under(node) && !node.ancestors_it(None).any(|above| laid_under(&above))
    });
    nodes
}

/// The selectors of a rule that depend on nothing but the page.
fn selectors<'r>(rule: &'r Rule<'_>) -> impl Iterator<Item = &'r str> {
    let all = rule.selectors.split(',').map(str::trim);
    all.filter(|selector| !selector.is_empty() && !selector.contains([':', '@', '&']))
}

/// What `selector` finds; nothing where it is not understood.
fn found<'t>(tree: &'t Tree, selector: &str) -> Vec<NodeRef<'t>> {
    tree.try_select(selector).map(|found| found.nodes().to_vec()).unwrap_or_default()
}

/// How weighty a selector is: names, then classes and attributes, then elements (Selectors 4, section 17).
fn weight(selector: &str) -> usize {
    let names = selector.matches('#').count();
    let classes = selector.matches(['.', '[']).count();
    let elements =
        selector.split([' ', '>', '+', '~']).filter(|part| part.starts_with(|c: char| c.is_alphabetic()));
    names * 10_000 + classes * 100 + elements.count()
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
        assert!(weight("#a") > weight(".a.b p") && weight(".a") > weight("div p"));
    }
}
