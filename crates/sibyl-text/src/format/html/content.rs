//! What of a page is its content: not what is hidden, and not what surrounds it on every page of a site.

use super::stylesheet::UNSEEN;
use super::{Visit, attribute, name, svg, walk};
use crate::document::{Notice, Severity};
use dom_query::{Document as Tree, NodeRef};

/// Elements that show no text, or none of the page's own.
const SILENT: &[&str] = &[
    "script",
    "style",
    "template",
    "noscript",
    "svg",
    "iframe",
    "object",
    "embed",
    "canvas",
    "video",
    "audio",
    "map",
    "head",
    "input",
    "select",
    "textarea",
    "datalist",
    "progress",
    "meter",
    "rp",
    "colgroup",
    "ix:header",
];
/// Roles of what helps to move through a site (WAI-ARIA 1.2, section 5.3.4) or lies over it.
const FURNITURE_ROLES: &[&str] = &[
    "navigation",
    "search",
    "dialog",
    "alertdialog",
    "menu",
    "menubar",
    "toolbar",
    "tablist",
    "tooltip",
    "contentinfo",
];
/// Words in the names of consent notices.
const CONSENT: &[&str] = &["cookie", "consent", "gdpr", "onetrust", "didomi", "usercentrics"];
/// Parts of the names of navigation.
const NAVIGATION: &[&str] =
    &["nav", "navbar", "navigation", "menu", "submenu", "breadcrumb", "breadcrumbs", "pagination"];
/// Classes of text for screen readers only, which sheets in other files hide.
const SPOKEN: &[&str] =
    &["sr-only", "visually-hidden", "screen-reader-text", "skip-link", "skiplink", "katex-mathml"];
/// Parts of the classes of elements in which a font draws a sign for a word.
const ICONS: &[&str] = &["icon", "icons", "symbols"];
/// Longest text (letters) that is taken for furniture because of a name alone.
const LONGEST: usize = 4_000;
/// Most nodes of what is taken for furniture because of a name alone.
const MOST_NODES: usize = 2_000;

/// Whether a node is shown as part of the page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Shown {
    Yes,
    /// It is shown, but surrounds the content: navigation, notices, what stands on every page.
    Furniture,
    No,
}

/// The main content of a page.
pub(super) struct Content<'t> {
    /// What holds it.
    pub(super) root: NodeRef<'t>,
    /// Letters that the page shows altogether.
    letters: usize,
}

impl<'t> Content<'t> {
    /// Finds it: the element that says so where that holds a good part of the text, else the whole page.
    pub(super) fn find(tree: &'t Tree) -> Self {
        let body = tree.body().unwrap_or_else(|| tree.root());
        let letters = letters(&body, true);
        let named = |names: &str| {
            let found = tree.select(names);
            let nodes = found.nodes().iter().take(100).copied().filter(|node| shown(node) == Shown::Yes);
            nodes.map(|node| (letters_of(&node), node)).max_by_key(|(letters, _)| *letters)
        };
        let own = letters_of(&body);
        let main = named("main, [role=main]").filter(|(inside, _)| inside * 3 >= own);
        let article = || named("article").filter(|(inside, _)| inside * 3 >= own * 2);
        let root = main.or_else(article).filter(|(inside, _)| *inside > 0).map_or(body, |(_, node)| node);
        Self { root, letters }
    }

    /// Says how much of the page was left out where `read` letters were read.
    pub(super) fn left_out(&self, read: usize) -> Option<Notice> {
        let left = self.letters.checked_sub(read).filter(|left| *left > 0)?;
        let message = format!(
            "{left} of the {} letters on the page were left out as navigation, notices or other text around the \
             content; if something is missing, print the page to a PDF and ingest that",
            self.letters
        );
        Some(Notice::new(Severity::Info, "page_furniture", message))
    }
}

/// Whether `node` itself is shown; what it lies in is not asked.
pub(super) fn shown(node: &NodeRef<'_>) -> Shown {
    if node.is_text() {
        return Shown::Yes;
    }
    if !node.is_element() {
        return Shown::No;
    }
    let name = name(node);
    let ticked = || attribute(node, "type").is_some_and(|kind| matches!(kind.as_str(), "checkbox" | "radio"));
    let speaks = || name == "input" && ticked() || name == "svg" && svg::speaks(node);
    if (is_silent(&name) && !speaks()) || is_hidden(node, &name) {
        return Shown::No;
    }
    let role = attribute(node, "role").unwrap_or_default();
    let furniture = match name.as_str() {
        "body" | "main" | "article" | "html" | "p" | "td" | "th" | "tr" | "table" | "tbody" => false,
        "nav" => true,
        _ if FURNITURE_ROLES.contains(&role.as_str()) => true,
        "header" | "footer" => surrounds(node) && (name == "footer" || !holds_title(node)),
        "dialog" => true,
        _ => is_consent(node) || is_navigation(node),
    };
    if furniture { Shown::Furniture } else { Shown::Yes }
}

/// Whether an element shows no text, or none of the page's own.
pub(super) fn is_silent(name: &str) -> bool {
    SILENT.contains(&name)
}

fn is_hidden(node: &NodeRef<'_>, name: &str) -> bool {
    if node.has_attr(UNSEEN) || (name == "dialog" && !node.has_attr("open")) {
        return true;
    }
    let Some(class) = attribute(node, "class") else { return false };
    class.split_whitespace().any(|class| SPOKEN.contains(&class)) || is_icon(node, &class)
}

/// Whether the text of an element is the name of a sign that is drawn in its place.
fn is_icon(node: &NodeRef<'_>, class: &str) -> bool {
    let called = class.split(|c: char| !c.is_ascii_alphanumeric()).any(|part| ICONS.contains(&part));
    let named = || {
        let text = node.text();
        let text = text.trim();
        !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_')
    };
    called && attribute(node, "aria-hidden").is_some_and(|value| value == "true") && named()
}

/// Whether a header or footer is the page's and not that of a part of its content.
fn surrounds(node: &NodeRef<'_>) -> bool {
    let of_part = |node: NodeRef<'_>| matches!(name(&node).as_str(), "main" | "article" | "section");
    !node.ancestors_it(Some(64)).any(of_part)
}

fn holds_title(node: &NodeRef<'_>) -> bool {
    node.descendants_it().take(MOST_NODES).any(|node| name(&node) == "h1")
}

fn names(node: &NodeRef<'_>) -> String {
    let mut names = attribute(node, "id").unwrap_or_default();
    names.push(' ');
    names.push_str(&attribute(node, "class").unwrap_or_default());
    names.to_ascii_lowercase()
}

fn is_consent(node: &NodeRef<'_>) -> bool {
    let names = names(node);
    CONSENT.iter().any(|word| names.contains(word)) && within(node).is_some()
}

/// Whether an element is called navigation and holds little but links.
fn is_navigation(node: &NodeRef<'_>) -> bool {
    let names = names(node);
    let called = names.split(|c: char| !c.is_ascii_alphanumeric()).any(|part| NAVIGATION.contains(&part));
    called && within(node).is_some_and(|(all, linked)| linked * 2 > all)
}

/// Letters in `node`, and those of its links; `None` where it holds too much for furniture.
fn within(node: &NodeRef<'_>) -> Option<(usize, usize)> {
    let (mut all, mut linked) = (0, 0);
    for (index, inner) in node.descendants_it().enumerate() {
        if index == MOST_NODES || all > LONGEST {
            return None;
        }
        if inner.is_text() {
            let letters = count(&inner.text());
            all += letters;
            linked += if inner.ancestors_it(Some(8)).any(|node| name(&node) == "a") { letters } else { 0 };
        }
    }
    Some((all, linked))
}

/// Letters of the content in `node`.
fn letters_of(node: &NodeRef<'_>) -> usize {
    letters(node, false)
}

fn letters(node: &NodeRef<'_>, furniture: bool) -> usize {
    let mut count = Count { letters: 0, furniture };
    walk(node, &mut count);
    count.letters
}

/// Counts letters.
struct Count {
    letters: usize,
    furniture: bool,
}

impl<'t> Visit<'t> for Count {
    fn enter(&mut self, node: &NodeRef<'t>) -> bool {
        self.letters += if node.is_text() { count(&node.text()) } else { 0 };
        true
    }
    fn leave(&mut self, _node: &NodeRef<'t>) {}
    fn with_furniture(&self) -> bool {
        self.furniture
    }
}

/// Letters, digits and signs of a text; white space does not count.
pub(super) fn count(text: &str) -> usize {
    text.chars().filter(|c| !c.is_whitespace()).count()
}
