//! Word documents (Office Open XML).
//!
//! The text as Word shows it with all changes accepted: headings by style and outline level, lists with their
//! numbers, tables, notes below the paragraph that refers to them. Headers and footers stay out.

mod body;
mod comments;
mod numbering;
mod run;
mod style;
mod symbol;
mod table;

use super::drawing::Drawing;
use super::office::{self, DOCX, Parts, attribute, elements};
use super::{Format, Input};
use crate::document::{Document, Notice, Severity};
use body::Body;
use roxmltree::Node;
use std::collections::HashMap;

/// Deepest nesting of tables, text boxes, content controls and runs that is followed.
const MAX_DEPTH: usize = 100;

/// Word documents.
#[derive(Debug, Clone, Copy, Default)]
pub struct Docx;

impl Format for Docx {
    fn name(&self) -> &'static str {
        "docx"
    }
    fn label(&self) -> &'static str {
        "Word"
    }
    fn version(&self) -> u32 {
        9
    }
    fn extensions(&self) -> &'static [&'static str] {
        DOCX.extensions
    }
    fn recognises(&self, input: &Input<'_>) -> bool {
        office::is(input, &DOCX)
    }
    fn untrusted(&self) -> bool {
        true
    }
    fn parse(&self, input: &Input<'_>, passwords: &[String]) -> Document {
        office::unlocked(input, DOCX, passwords, read)
    }
}

fn read(input: &Input<'_>) -> Result<Document, Notice> {
    let mut parts = Parts::open(input, DOCX)?;
    let mut metadata = parts.metadata();
    let main_part = parts.main.clone();
    let main = parts.text(&main_part)?.ok_or_else(|| office::broken(DOCX))?;
    let beside = parts.references(&main_part)?;
    let part = |kind: &str| {
        let named = beside.values().find(|reference| reference.kind == kind);
        named.map_or_else(|| format!("word/{kind}.xml"), |reference| reference.part.clone())
    };
    let styles = parts.text(&part("styles"))?;
    let numbering = parts.text(&part("numbering"))?;
    let footnotes = notes(&mut parts, &part("footnotes"), "footnote")?;
    let endnotes = notes(&mut parts, &part("endnotes"), "endnote")?;
    let (styles, english) = match &styles {
        Some(text) => {
            let tree = office::parse(text, DOCX)?;
            (style::Styles::of(tree.root_element()), style::is_english(tree.root_element()))
        }
        None => (style::Styles::default(), true),
    };
    let numbering = match &numbering {
        Some(text) => numbering::Lists::of(office::parse(text, DOCX)?.root_element(), english),
        None => numbering::Lists::default(),
    };
    let tree = office::parse(&main, DOCX)?;
    let root = office::element(tree.root_element(), "body").ok_or_else(|| office::broken(DOCX))?;
    let mut body =
        Body::new(styles, numbering, run::Notes { footnotes, endnotes, ..run::Notes::default() }, root);
    body.draw(Drawing::all(&mut parts, &beside, DOCX));
    body.blocks(root, 0);
    let title = metadata.get("title").and_then(serde_json::Value::as_str).map(str::to_owned);
    let comments = parts.text(&part("comments"))?;
    let comments = match &comments {
        Some(text) => comments::of(office::parse(text, DOCX)?.root_element(), root),
        None => Vec::new(),
    };
    let mut notices = std::mem::take(&mut parts.notices);
    notices.extend(body.notices());
    notices.extend(comments::kept(comments.len()));
    if !comments.is_empty() {
        metadata.insert("comments".to_owned(), comments.into());
    }
    Ok(body.finish(title, metadata, notices))
}

/// The texts of the notes in `part`, by their ids.
fn notes(parts: &mut Parts<'_>, part: &str, name: &str) -> Result<HashMap<String, String>, Notice> {
    let Some(text) = parts.text(part)? else { return Ok(HashMap::new()) };
    let tree = office::parse(&text, DOCX)?;
    let own = |note: &Node<'_, '_>| attribute(*note, "type").is_none_or(|kind| kind == "normal");
    let notes = elements(tree.root_element(), name).filter(own).filter_map(|note| {
        let text = elements(note, "p").map(run::plain).collect::<Vec<_>>().join(" ");
        Some((attribute(note, "id")?.to_owned(), text.trim().to_owned()))
    });
    Ok(notes.collect())
}

/// What was read as the changes in the document would have it.
fn changes_accepted(count: usize) -> Option<Notice> {
    let message = format!(
        "{count} tracked changes were read as accepted; accept or reject them in Word if that is wrong"
    );
    (count > 0).then(|| Notice::new(Severity::Info, "changes_accepted", message))
}

/// Whether a property such as `<w:b/>` is on.
fn is_on(properties: Option<Node<'_, '_>>, name: &str) -> bool {
    let property = properties.and_then(|properties| office::element(properties, name));
    property.is_some_and(|property| !matches!(attribute(property, "val"), Some("0" | "false" | "off")))
}
