//! The style sheets that a page carries: their rules, and what each rule is for. Sheets in other files are never looked for.

use super::{attribute, name};
use dom_query::{Document as Tree, NodeId, NodeRef};
use std::collections::HashMap;

/// Most bytes of style sheets that are looked at.
const MAX_BYTES: usize = 4 << 20;
/// Most selectors that are sought through the whole page, one after the other.
const MOST: usize = 1_000;
/// Pseudo-classes that depend on nothing but the page.
const STRUCTURAL: &[&str] = &[
    "root",
    "first-child",
    "last-child",
    "only-child",
    "nth-child",
    "nth-last-child",
    "first-of-type",
    "last-of-type",
    "only-of-type",
    "nth-of-type",
    "not",
];

/// Attribute of elements that the page does not show.
pub(super) const UNSEEN: &str = "data-not-shown";
/// Attribute of elements of a line that a page sets as blocks of their own.
pub(super) const BLOCK: &str = "data-set-as-block";
/// Attribute that names, by their numbers, the sheets which hold for an element and all in it. The elements that
/// stand for the bodies of pages bound together have it.
pub(in super::super) const SHEETS: &str = "data-sheets";

/// A style sheet.
#[derive(Debug, Clone, Default)]
pub(in super::super) struct Sheet {
    /// Its text without comments.
    text: String,
    /// Where it holds: in elements whose [`SHEETS`] name this number; everywhere where it has none.
    scope: Option<usize>,
}

/// A rule: what it is for, what it says, and whether it holds under some condition only, as on paper.
pub(super) struct Rule<'c> {
    selectors: &'c str,
    pub(super) declarations: &'c str,
    pub(super) conditional: bool,
    pub(super) scope: Option<usize>,
}

impl Sheet {
    /// A sheet of `text`, which holds for the part `scope` of a page only.
    pub(in super::super) fn scoped(text: &str, scope: usize) -> Self {
        Self { text: without_comments(text), scope: Some(scope) }
    }

    /// The sheets that stand in a page; none where they are too long.
    pub(super) fn all_of(tree: &Tree) -> Vec<Self> {
        let mut text = String::new();
        for sheet in tree.select("style").nodes() {
            match attribute(sheet, "media").filter(|media| !is_screen(media)) {
                Some(media) => text.extend(["@media ", &media, "{", &sheet.text(), "}"]),
                None => text.push_str(&sheet.text()),
            }
            if text.len() > MAX_BYTES {
                return Vec::new();
            }
        }
        vec![Self { text: without_comments(&text), scope: None }]
    }

    /// Whether it has a word in it.
    pub(super) fn mentions(&self, word: &str) -> bool {
        self.text.contains(word)
    }

    /// Single classes with what is declared of them everywhere, in order.
    pub(super) fn classes(&self) -> impl Iterator<Item = (String, String)> {
        let everywhere = |rule: &Rule<'_>| !rule.conditional && rule.scope.is_none();
        self.rules().into_iter().filter(everywhere).flat_map(|rule| {
            let all = rule.selectors().filter_map(|selector| {
                let class = selector.strip_prefix('.')?;
                let plain = class.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(&byte));
                plain.then(|| (class.to_owned(), rule.declarations.to_ascii_lowercase()))
            });
            all.collect::<Vec<_>>()
        })
    }

    /// Its rules, in order.
    pub(super) fn rules(&self) -> Vec<Rule<'_>> {
        let mut out = Vec::new();
        let mut rest = self.text.as_str();
        // Blocks that are open around the rule, and whether each holds under some condition only.
        let mut open: Vec<bool> = Vec::new();
        while let Some(at) = rest.find(['{', '}']) {
            let (before, inside) = (&rest[..at], &rest[at + 1..]);
            let closes = rest[at..].starts_with('}');
            rest = inside;
            if closes {
                open.pop();
                continue;
            }
            let selectors = before.rsplit(';').next().unwrap_or_default().trim();
            if let Some(condition) = selectors.strip_prefix('@') {
                open.push(!always_holds(condition));
                continue;
            }
            let end = rest.find('}').unwrap_or(rest.len());
            let conditional = open.contains(&true);
            out.push(Rule { selectors, declarations: &rest[..end], conditional, scope: self.scope });
            rest = rest.get(end + 1..).unwrap_or_default();
        }
        out
    }
}

/// Whether what a block depends on holds for a page on a screen of any size.
fn always_holds(condition: &str) -> bool {
    let (name, said) = condition.split_once(char::is_whitespace).unwrap_or((condition, ""));
    match name.to_ascii_lowercase().as_str() {
        "media" => is_screen(said),
        "layer" | "supports" => true,
        _ => false,
    }
}

/// Whether `media` are screens of any size.
pub(super) fn is_screen(media: &str) -> bool {
    let is = |one: &str| matches!(one.trim(), "" | "all" | "screen" | "only screen" | "only all");
    media.to_ascii_lowercase().split(',').any(is)
}

impl<'c> Rule<'c> {
    /// Its selectors that depend on nothing but the page.
    pub(super) fn selectors(&self) -> impl Iterator<Item = &'c str> + use<'c> {
        self.all().filter(|selector| is_settled(selector))
    }

    /// What its other selectors are for at most: the elements that they name, in whatever state.
    pub(super) fn wider(&self) -> impl Iterator<Item = String> + use<'c> {
        self.all().filter(|selector| !is_settled(selector)).map(without_states)
    }

    fn all(&self) -> impl Iterator<Item = &'c str> + use<'c> {
        self.selectors.split(',').map(str::trim).filter(|selector| !selector.is_empty())
    }
}

fn is_settled(selector: &str) -> bool {
    let state = |part: &str| {
        let end = part.find(|c: char| !(c.is_ascii_alphabetic() || c == '-')).unwrap_or(part.len());
        STRUCTURAL.contains(&&part[..end])
    };
    !selector.contains(['@', '&']) && selector.split(':').skip(1).all(state)
}

/// A selector without pseudo-classes and pseudo-elements.
fn without_states(selector: &str) -> String {
    let mut out = String::new();
    let (mut inside, mut depth) = (false, 0_usize);
    for c in selector.chars() {
        match c {
            ':' => inside = true,
            '(' if inside => depth += 1,
            ')' if inside => depth = depth.saturating_sub(1),
            ' ' | '>' | '+' | '~' if depth == 0 => inside = false,
            _ => {}
        }
        if !inside {
            out.push(c);
        }
    }
    if out.trim().is_empty() { "*".to_owned() } else { out }
}

/// The elements of a page by what selectors name them by.
#[derive(Default)]
pub(super) struct Index<'t> {
    named: HashMap<String, Vec<NodeId>>,
    tree: Option<&'t Tree>,
    /// Selectors that were sought through the whole page.
    sought: usize,
}

impl<'t> Index<'t> {
    pub(super) fn of(tree: &'t Tree) -> Self {
        let mut named: HashMap<String, Vec<NodeId>> = HashMap::new();
        for node in tree.root().descendants_it().filter(NodeRef::is_element) {
            named.entry(name(&node)).or_default().push(node.id);
            for class in attribute(&node, "class").unwrap_or_default().split_whitespace() {
                named.entry(format!(".{class}")).or_default().push(node.id);
            }
            if let Some(id) = attribute(&node, "id") {
                named.entry(format!("#{id}")).or_default().push(node.id);
            }
        }
        Self { named, tree: Some(tree), sought: 0 }
    }

    /// What `selector` finds; nothing where it is not understood. `None` after too many that name more than one thing.
    pub(super) fn find(&mut self, selector: &str) -> Option<Vec<NodeId>> {
        let plain = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_');
        let rest = selector.strip_prefix(['.', '#']).unwrap_or(selector);
        if rest.chars().all(plain) {
            let is_name = rest.len() == selector.len();
            let key = if is_name { selector.to_ascii_lowercase() } else { selector.to_owned() };
            return Some(self.named.get(&key).cloned().unwrap_or_default());
        }
        self.sought += 1;
        let found = self.tree.filter(|_| self.sought <= MOST)?.try_select(selector);
        Some(found.map(|found| found.nodes().iter().map(|node| node.id).collect()).unwrap_or_default())
    }
}

/// How weighty a selector is: names, then classes and attributes, then elements (Selectors 4, section 17).
pub(super) fn weight(selector: &str) -> usize {
    let names = selector.matches('#').count();
    let classes = selector.matches(['.', '[', ':']).count();
    let elements =
        selector.split([' ', '>', '+', '~']).filter(|part| part.starts_with(|c: char| c.is_alphabetic()));
    names * 10_000 + classes * 100 + elements.count()
}

/// What declarations say: name, value, and whether it counts before all others. Names are those of the file.
pub(super) fn declared(declarations: &str) -> impl Iterator<Item = (&str, &str, bool)> {
    declarations.split(';').filter_map(|one| {
        let (name, value) = one.split_once(':')?;
        let value = value.trim();
        let stressed =
            value.rsplit_once('!').filter(|(_, word)| word.trim().eq_ignore_ascii_case("important"));
        let (value, first) = stressed.map_or((value, false), |(value, _)| (value.trim_end(), true));
        Some((name.trim(), value, first))
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

#[cfg(test)]
mod tests {
    use super::*;

    /// Selectors, declarations, and whether they hold in some media alone.
    type Told<'a> = (&'a str, Vec<(&'a str, &'a str, bool)>, bool);

    fn rules(css: &str) -> Vec<Told<'_>> {
        // Comments are out before rules are sought, so that a sheet may borrow its text here.
        let sheet = Box::leak(Box::new(Sheet { text: css.to_owned(), scope: None }));
        let told =
            |rule: Rule<'static>| (rule.selectors, declared(rule.declarations).collect(), rule.conditional);
        sheet.rules().into_iter().map(told).collect()
    }

    #[test]
    fn rules_are_found_inside_and_beside_other_blocks() {
        let css = "@import 'a.css'; @font-face { src: url(x) } .a, p.b { Display : none } @media print { .c{ x:y! important } } #d{}} \
                   @media screen, print{ .e {z:1} }";
        let expected = [
            (".a, p.b", vec![("Display", "none", false)], false),
            (".c", vec![("x", "y", true)], true),
            ("#d", vec![], false),
            (".e", vec![("z", "1", false)], false),
        ];
        assert_eq!(rules(css), expected);
        assert!(weight("#a") > weight(".a.b p") && weight(".a") > weight("div p"));
    }

    #[test]
    fn states_of_an_element_are_told_from_its_place() {
        let of =
            |selectors: &'static str| Rule { selectors, declarations: "", conditional: false, scope: None };
        let rule = of("a:hover, tr:nth-child(2n) td, p::before, .x:not(.y), :is(.z) b");
        assert_eq!(rule.selectors().collect::<Vec<_>>(), ["tr:nth-child(2n) td", ".x:not(.y)"]);
        assert_eq!(rule.wider().collect::<Vec<_>>(), ["a", "p", " b"]);
    }
}
