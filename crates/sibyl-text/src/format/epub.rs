//! EPUB books: the pages of the spine, read as one page of HTML.

use super::office::{self, EPUB, Parts, attribute, below, elements, refused, resolve};
use super::{Format, Input, html};
use crate::document::{Document, Notice, Severity};
use roxmltree::Node;
use std::collections::{HashMap, HashSet};

/// EPUB books.
#[derive(Debug, Clone, Copy, Default)]
pub struct Epub;

impl Format for Epub {
    fn name(&self) -> &'static str {
        "epub"
    }
    fn label(&self) -> &'static str {
        "EPUB"
    }
    fn version(&self) -> u32 {
        6
    }
    fn extensions(&self) -> &'static [&'static str] {
        EPUB.extensions
    }
    fn recognises(&self, input: &Input<'_>) -> bool {
        office::is(input, &EPUB)
    }
    fn untrusted(&self) -> bool {
        true
    }
    fn read(&self, input: &Input<'_>) -> Document {
        read(input).unwrap_or_else(refused)
    }
}

fn read(input: &Input<'_>) -> Result<Document, Notice> {
    let mut parts = Parts::open(input, EPUB)?;
    if parts.names().any(|name| name == "META-INF/rights.xml") {
        return Err(office::encrypted(EPUB));
    }
    let container = parts.text(EPUB.main)?.ok_or_else(|| office::broken(EPUB))?;
    let container = office::parse(&container, EPUB)?;
    let rootfile = below(container.root_element(), &["rootfiles", "rootfile"]);
    let package =
        rootfile.and_then(|file| attribute(file, "full-path")).ok_or_else(|| office::broken(EPUB))?;
    let text = parts.text(package)?.ok_or_else(|| office::broken(EPUB))?;
    let tree = office::parse(&text, EPUB)?;
    let root = tree.root_element();
    let (folder, _) = package.rsplit_once('/').unwrap_or(("", package));
    let title = below(root, &["metadata", "title"]).and_then(|title| title.text()).unwrap_or_default();
    let mut page = format!(
        "<html xmlns=\"http://www.w3.org/1999/xhtml\"><head><title>{}</title></head><body><main>",
        title.replace('&', "&amp;").replace('<', "&lt;")
    );
    let locked = locked_parts(&mut parts)?;
    let mut missing = 0;
    for name in spine(root).map(|target| resolve(folder, &unescaped(target))) {
        if locked.contains(&name) {
            return Err(office::encrypted(EPUB));
        }
        match parts.text(&name)? {
            Some(chapter) => page.push_str(body(&chapter)),
            None => missing += 1,
        }
    }
    page.push_str("</main></body></html>");
    let mut notices = std::mem::take(&mut parts.notices);
    if missing > 0 {
        let message = format!("{missing} part(s) that the book names are not in it; fetch it again");
        notices.push(Notice::new(Severity::Warning, "parts_missing", message));
    }
    Ok(html::document(&page, notices))
}

/// Parts that are encrypted; shops often lock nothing but the fonts.
fn locked_parts(parts: &mut Parts<'_>) -> Result<HashSet<String>, Notice> {
    let Some(text) = parts.text("META-INF/encryption.xml")? else { return Ok(HashSet::new()) };
    let tree = office::parse(&text, EPUB)?;
    let locked = tree.descendants().filter(|node| node.tag_name().name() == "CipherReference");
    Ok(locked.filter_map(|node| Some(unescaped(attribute(node, "URI")?))).collect())
}

/// What the pages of a book are called, in reading order.
fn spine<'t>(root: Node<'t, 't>) -> impl Iterator<Item = &'t str> {
    let items = below(root, &["manifest"]).into_iter().flat_map(|manifest| elements(manifest, "item"));
    let names: HashMap<&str, &str> =
        items.filter_map(|item| Some((attribute(item, "id")?, attribute(item, "href")?))).collect();
    let order = below(root, &["spine"]).into_iter().flat_map(|spine| elements(spine, "itemref"));
    order.filter_map(move |item| names.get(attribute(item, "idref")?).copied())
}

/// What stands in the body of a page.
fn body(page: &str) -> &str {
    let start = page.find("<body").and_then(|at| Some(at + page[at..].find('>')? + 1)).unwrap_or(0);
    let end = page.rfind("</body").filter(|end| *end >= start).unwrap_or(page.len());
    &page[start..end]
}

/// A name as archives have it: `%20` is a space.
fn unescaped(name: &str) -> String {
    let mut bytes = Vec::with_capacity(name.len());
    let mut rest = name.as_bytes();
    while let Some((&first, tail)) = rest.split_first() {
        let code = (first == b'%').then(|| std::str::from_utf8(tail.get(..2)?).ok()).flatten();
        match code.and_then(|code| u8::from_str_radix(code, 16).ok()) {
            Some(byte) => {
                bytes.push(byte);
                rest = &tail[2..];
            }
            None => {
                bytes.push(first);
                rest = tail;
            }
        }
    }
    String::from_utf8(bytes).unwrap_or_else(|_| name.to_owned())
}
