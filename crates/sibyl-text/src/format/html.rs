//! HTML: a saved page, or a report as it is filed (Inline XBRL: the text as it is shown, and the facts it tags).
//!
//! The main content is read; navigation, cookie notices, scripts and hidden text stay out. Nothing that a
//! page refers to is ever fetched.

mod blocks;
mod bold;
mod cascade;
mod charset;
mod colour;
mod content;
mod depth;
mod facts;
mod mark;
mod placed;
mod stylesheet;
mod svg;
mod table;
mod visibility;
mod xhtml;

use super::tidy::tidy;
use super::{Format, Input};
use crate::document::{Document, Notice, Severity};
use blocks::Blocks;
use bold::Bold;
use content::{Content, Shown};
use dom_query::{Document as Tree, NodeRef};
use facts::Facts;
use serde_json::Map;
pub(super) use stylesheet::{SHEETS, Sheet};

/// Bytes at the start of a file in which its first tag may stand.
const HEAD: usize = 2048;

/// The HyperText Markup Language.
#[derive(Debug, Clone, Copy, Default)]
pub struct Html;

impl Format for Html {
    fn name(&self) -> &'static str {
        "html"
    }
    fn label(&self) -> &'static str {
        "HTML"
    }
    fn version(&self) -> u32 {
        9
    }
    fn extensions(&self) -> &'static [&'static str] {
        &["html", "htm", "xhtml"]
    }
    fn recognises(&self, input: &Input<'_>) -> bool {
        let named = self.extensions().contains(&input.extension().as_str());
        super::encoding::binary_kind(input.bytes).is_none() && (named || begins_like_html(input.bytes))
    }
    fn untrusted(&self) -> bool {
        true
    }
    fn parse(&self, input: &Input<'_>, _: &[String]) -> Document {
        match charset::decode(input.bytes) {
            Ok((text, notices)) => document(&text, Vec::new(), notices),
            Err(refused) => *refused,
        }
    }
}

/// Whether the first tag of a file, behind comments and an XML declaration, opens a page.
fn begins_like_html(bytes: &[u8]) -> bool {
    let head = bytes[..bytes.len().min(HEAD)].to_ascii_lowercase();
    let mut rest = head.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(&head).trim_ascii_start();
    for (open, close) in [(b"<?xml".as_slice(), b"?>".as_slice()), (b"<!--", b"-->")] {
        while rest.starts_with(open) {
            let Some(end) = memchr::memmem::find(rest, close) else { return false };
            rest = rest[end + close.len()..].trim_ascii_start();
        }
    }
    rest.starts_with(b"<!doctype html") || rest.starts_with(b"<html")
}

/// Reads a page, about which `notices` are known already, and for which `sheets` hold besides those that it carries.
pub(super) fn document(html: &str, mut sheets: Vec<Sheet>, mut notices: Vec<Notice>) -> Document {
    let html = xhtml::closed(html);
    if depth::is_bottomless(&html) {
        let message = format!(
            "expected a page whose elements are closed, found more than {} open within each other; save the page again \
             from a browser",
            depth::MAX_DEPTH
        );
        notices.push(Notice::new(Severity::Error, "nested_too_deep", message));
        return Document { notices, ..Document::default() };
    }
    if depth::has_endless_tag(&html) {
        let message = format!(
            "expected tags of a few attributes, found one of more than {}; save the page again from a browser",
            depth::MAX_ATTRIBUTES
        );
        notices.push(Notice::new(Severity::Error, "tag_too_long", message));
        return Document { notices, ..Document::default() };
    }
    let tree = Tree::from(&*html);
    sheets.extend(Sheet::all_of(&tree));
    let unseen = visibility::settle(&tree, &sheets);
    if unseen.hidden > 0 {
        let message = format!("{} texts that the style of the page hides were left out", unseen.hidden);
        notices.push(Notice::new(Severity::Info, "hidden_text", message));
    }
    if unseen.withdrawn > 0 {
        notices.push(super::withdrawn_notice(unseen.withdrawn, "texts"));
    }
    placed::order(&tree, &sheets);
    let content = Content::find(&tree);
    let mut blocks = Blocks::new(Bold::of(&tree), Facts::of(&tree));
    blocks.anchor(&content.root);
    walk(&content.root, &mut blocks);
    notices.extend(content.left_out(blocks.letters));
    blocks.finish(title(&tree), Map::new(), notices)
}

/// A style sheet of a page: the file that it names, or its text.
pub(super) enum Style {
    Linked(String),
    Written(String),
}

/// The style sheets that the head of a page names or holds, in order.
pub(super) fn styles(head: &str) -> Vec<Style> {
    let tree = Tree::from(&*xhtml::closed(head));
    let styles = tree.select("link[rel=stylesheet], style");
    let style = |node: &NodeRef<'_>| {
        let linked = || attribute(node, "href").map(Style::Linked);
        if name(node) == "style" { Some(Style::Written(node.text().to_string())) } else { linked() }
    };
    let screen =
        |node: &&NodeRef<'_>| attribute(node, "media").is_none_or(|media| stylesheet::is_screen(&media));
    styles.nodes().iter().filter(screen).filter_map(style).collect()
}

/// The title that the page gives itself.
fn title(tree: &Tree) -> Option<String> {
    let title = tidy(&tree.select_single("head > title").text()).replace('\n', " ");
    (!title.is_empty()).then_some(title)
}

/// What a walk tells of each node.
trait Visit<'t> {
    /// Told before what is inside; whether that is visited too.
    fn enter(&mut self, node: &NodeRef<'t>) -> bool;
    /// Told after what is inside, where that was visited.
    fn leave(&mut self, node: &NodeRef<'t>);
    /// Whether navigation and the like is visited.
    fn with_furniture(&self) -> bool {
        false
    }
}

/// Visits what is shown below `root` in reading order. Elements nest as deep as a file likes, so this does not
/// recurse.
fn walk<'t>(root: &NodeRef<'t>, visit: &mut impl Visit<'t>) {
    let mut next = root.first_child();
    while let Some(mut node) = next {
        let shown = match content::shown(&node) {
            Shown::Yes => true,
            Shown::Furniture => visit.with_furniture(),
            Shown::No => false,
        };
        if shown && visit.enter(&node) {
            if let Some(child) = node.first_child() {
                next = Some(child);
                continue;
            }
            visit.leave(&node);
        }
        next = loop {
            if let Some(sibling) = node.next_sibling() {
                break Some(sibling);
            }
            match node.parent() {
                Some(parent) if parent.id != root.id => node = parent,
                _ => break None,
            }
            visit.leave(&node);
        };
    }
}

/// Name of an element in lower case, empty for what is none.
fn name(node: &NodeRef<'_>) -> String {
    node.qual_name_ref().map(|name| name.local.to_ascii_lowercase().to_string()).unwrap_or_default()
}

/// An attribute of an element.
fn attribute(node: &NodeRef<'_>, name: &str) -> Option<String> {
    node.attr(name).map(|value| value.to_string())
}
