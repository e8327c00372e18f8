//! EPUB books: the pages of the spine, read as one page of HTML.

use super::html::{self, SHEETS, Sheet, Style};
use super::office::{self, EPUB, Parts, attribute, below, elements, refused, resolve};
use super::{Format, Input};
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
        8
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
    fn parse(&self, input: &Input<'_>, _: &[String]) -> Document {
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
    let mut chapters = Chapters::default();
    let mut missing = 0;
    for name in spine(root).map(|target| resolve(folder, &unescaped(target))) {
        if locked.contains(&name) {
            return Err(office::encrypted(EPUB));
        }
        match parts.text(&name)? {
            Some(chapter) => chapters.add(&chapter, &name, &mut parts)?,
            None => missing += 1,
        }
    }
    page.extend([&chapters.page, "</main></body></html>"]);
    let mut notices = std::mem::take(&mut parts.notices);
    if missing > 0 {
        let message = format!("{missing} part(s) that the book names are not in it; fetch it again");
        notices.push(Notice::new(Severity::Warning, "parts_missing", message));
    }
    let mut document = html::document(&page, chapters.sheets, notices);
    for (key, element) in [("author", "creator"), ("publisher", "publisher")] {
        let said = below(root, &["metadata", element]).and_then(|node| node.text()).map(str::trim);
        if let Some(said) = said.filter(|said| !said.is_empty()) {
            document.metadata.entry(key).or_insert_with(|| said.into());
        }
    }
    Ok(document)
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

/// The pages of a book bound together, with their style sheets.
#[derive(Default)]
struct Chapters {
    page: String,
    sheets: Vec<Sheet>,
    /// Numbers of the sheets in parts of the book, by name.
    numbers: HashMap<String, usize>,
}

impl Chapters {
    /// Adds the page in the part `name`: what stands in its body, for which its own style sheets hold.
    fn add(&mut self, page: &str, name: &str, parts: &mut Parts<'_>) -> Result<(), Notice> {
        let tag = page.find("<body").and_then(|at| Some((at + 5, at + page[at..].find('>')?)));
        let (from, to) = tag.unwrap_or((0, 0));
        let start = tag.map_or(0, |(_, to)| to + 1);
        let end = page.rfind("</body").filter(|end| *end >= start).unwrap_or(page.len());
        let (folder, _) = name.rsplit_once('/').unwrap_or(("", name));
        let mut numbers = Vec::new();
        for style in html::styles(&page[..start]) {
            let (text, part) = match style {
                Style::Written(text) => (Some(text), None),
                Style::Linked(target) => {
                    let part = resolve(folder, &unescaped(&target));
                    if let Some(number) = self.numbers.get(&part) {
                        numbers.push(number.to_string());
                        continue;
                    }
                    // A sheet that cannot be read hides nothing.
                    (parts.text(&part).ok().flatten(), Some(part))
                }
            };
            let number = self.sheets.len();
            let Some(text) = text else { continue };
            self.sheets.push(Sheet::scoped(&text, number));
            self.numbers.extend(part.map(|part| (part, number)));
            numbers.push(number.to_string());
        }
        let attributes = page[from..to].trim_end_matches('/');
        let opens = format!("<div {SHEETS}=\"{}\"{attributes}>", numbers.join(" "));
        self.page.extend([&opens, &page[start..end], "</div>"]);
        Ok(())
    }
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
