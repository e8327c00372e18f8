//! PowerPoint presentations (Office Open XML): each slide is a page, its title a heading.

mod slide;

use super::builder::DocumentBuilder;
use super::drawing::Drawing;
use super::office::{self, PPTX, Parts, Reference, attribute, element, elements};
use super::{Format, Input, withdrawn_notice};
use crate::document::{Document, Notice, Severity};
use slide::{Beside, Positions, Slide};
use std::collections::HashMap;

/// What PowerPoint itself calls a presentation that nobody gave a title.
const PROGRAM_TITLES: &[&str] = &[
    "PowerPoint Presentation",
    "PowerPoint-presentation",
    "PowerPoint-Präsentation",
    "PowerPoint-presentasjon",
    "PowerPoint-præsentation",
    "PowerPoint-esitys",
    "Présentation PowerPoint",
    "Presentación de PowerPoint",
];

/// PowerPoint presentations.
#[derive(Debug, Clone, Copy, Default)]
pub struct Pptx;

impl Format for Pptx {
    fn name(&self) -> &'static str {
        "pptx"
    }
    fn label(&self) -> &'static str {
        "PowerPoint"
    }
    fn version(&self) -> u32 {
        7
    }
    fn extensions(&self) -> &'static [&'static str] {
        PPTX.extensions
    }
    fn recognises(&self, input: &Input<'_>) -> bool {
        office::is(input, &PPTX)
    }
    fn untrusted(&self) -> bool {
        true
    }
    fn parse(&self, input: &Input<'_>, passwords: &[String]) -> Document {
        office::unlocked(input, PPTX, passwords, read)
    }
}

fn read(input: &Input<'_>) -> Result<Document, Notice> {
    let mut parts = Parts::open(input, PPTX)?;
    let metadata = parts.metadata();
    let main = parts.main.clone();
    let text = parts.text(&main)?.ok_or_else(|| office::broken(PPTX))?;
    let tree = office::parse(&text, PPTX)?;
    let list =
        element(tree.root_element(), "sldIdLst").map(|list| elements(list, "sldId").collect::<Vec<_>>());
    let size = element(tree.root_element(), "sldSz").and_then(|size| {
        let number = |name| attribute(size, name)?.parse::<i64>().ok();
        number("cx").zip(number("cy"))
    });
    let slides = parts.references(&main)?;
    let mut out = DocumentBuilder::default();
    let (mut hidden, mut unread, mut drawn, mut withdrawn, mut off) = (Vec::new(), Vec::new(), 0, 0, 0);
    let (mut layouts, no_places) = (HashMap::new(), Positions::default());
    let mut titled = false;
    for (number, node) in (1_u32..).zip(list.unwrap_or_default()) {
        out.page(number, None);
        // The id of the reference is the one with a namespace; the slide's own id has none.
        let reference = node.attributes().find(|a| a.name() == "id" && a.namespace().is_some());
        let part =
            reference.and_then(|reference| slides.get(reference.value())).map(|slide| slide.part.clone());
        match part.map_or(Ok(None), |part| Ok(parts.text(&part)?.map(|text| (part, text))))? {
            Some((part, text)) => {
                let tree = office::parse(&text, PPTX)?;
                if attribute(tree.root_element(), "show") == Some("0") {
                    hidden.push(number.to_string());
                    continue;
                }
                let beside = parts.references(&part)?;
                let layout = beside.values().find(|reference| reference.kind == "slideLayout");
                let places = match layout {
                    Some(layout) => layouts
                        .entry(layout.part.clone())
                        .or_insert_with(|| places_of(&mut parts, &layout.part)),
                    None => &no_places,
                };
                let shown = Drawing::all(&mut parts, &beside, PPTX);
                let slide = Slide::of(tree.root_element(), Beside { size, places, drawings: &shown });
                drawn += slide.drawn;
                withdrawn += slide.withdrawn;
                off += slide.beside;
                let notes = notes(&mut parts, &beside)?;
                let untitled = slide.title().is_empty() && !(slide.is_bare() && notes.is_empty());
                match slide.title() {
                    // Else what stands on it would be read as a part of the slide before.
                    _ if untitled && titled => out.heading(1, &format!("Slide {number}")),
                    title => out.heading(1, title),
                }
                titled |= !slide.title().is_empty();
                slide.write(&mut out);
                if !notes.is_empty() {
                    out.heading(2, "Speaker’s notes");
                    notes.iter().for_each(|paragraph| out.paragraph(paragraph));
                }
            }
            None => unread.push(number.to_string()),
        }
    }
    let mut notices = std::mem::take(&mut parts.notices);
    notices.extend(told(
        &hidden,
        "hidden_slides",
        Severity::Info,
        "are hidden and were left out; unhide them to include them",
    ));
    notices.extend(told(
        &unread,
        "slides_missing",
        Severity::Warning,
        "are missing from the file; open it and save it again",
    ));
    if drawn > 0 {
        let message = format!(
            "{drawn} charts and diagrams were left out: only text and tables are read; ingest a PDF of the slides for the rest"
        );
        notices.push(Notice::new(Severity::Info, "charts_left_out", message));
    }
    if off > 0 {
        let message = format!(
            "{off} texts that stand beside the slides were left out; move them onto a slide to include them"
        );
        notices.push(Notice::new(Severity::Info, "hidden_text", message));
    }
    if withdrawn > 0 {
        notices.push(withdrawn_notice(withdrawn, "texts"));
    }
    notices.extend(parts.comments()?);
    let title = metadata
        .get("title")
        .and_then(serde_json::Value::as_str)
        .filter(|title| !PROGRAM_TITLES.contains(title));
    Ok(out.finish(title.map(str::to_owned), metadata.clone(), notices))
}

fn told(slides: &[String], code: &str, severity: Severity, what: &str) -> Option<Notice> {
    (!slides.is_empty()).then(|| Notice::new(severity, code, format!("slides {} {what}", slides.join(", "))))
}

/// Where the placeholders of the layout in `part` stand, those that its master has in place among them. Of a damaged one
/// nothing is lost but the order of what stands on its slides.
fn places_of(parts: &mut Parts<'_>, part: &str) -> Positions {
    let masters = parts.references(part).unwrap_or_default();
    let master = masters.values().find(|reference| reference.kind == "slideMaster");
    let mut places = Positions::default();
    for part in master.map(|master| master.part.as_str()).into_iter().chain([part]) {
        let Ok(Some(text)) = parts.text(part) else { continue };
        if let Ok(tree) = office::parse(&text, PPTX) {
            places.add(tree.root_element());
        }
    }
    places
}

/// What the speaker noted below a slide that refers to the parts `beside`.
fn notes(parts: &mut Parts<'_>, beside: &HashMap<String, Reference>) -> Result<Vec<String>, Notice> {
    let Some(Reference { part, .. }) = beside.values().find(|reference| reference.kind == "notesSlide")
    else {
        return Ok(Vec::new());
    };
    let Some(text) = parts.text(part)? else { return Ok(Vec::new()) };
    let tree = office::parse(&text, PPTX)?;
    Ok(slide::notes(tree.root_element()))
}
