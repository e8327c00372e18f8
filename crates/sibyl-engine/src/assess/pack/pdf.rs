//! The pack as a PDF: real text in embedded fonts, with a list of contents and a structure for screen readers.

mod face;
mod flow;
mod layout;

use super::blocks::blocks;
use super::data::PackData;
use super::picture::Pictures;
use super::unwritten;
use crate::error::{Error, Result};
use face::{Faces, Weight};
use flow::{Entry, Flow, Ink, Item, LEFT, PAGE, RIGHT, Role, Shape};
use krilla::Document;
use krilla::color::rgb;
use krilla::destination::XyzDestination;
use krilla::geom::{PathBuilder, Point, Rect, Size, Transform};
use krilla::image::Image;
use krilla::metadata::{DateTime, Metadata};
use krilla::num::NormalizedF32;
use krilla::outline::{Outline, OutlineNode};
use krilla::page::PageSettings;
use krilla::paint::{Fill, Stroke, StrokeDash};
use krilla::surface::Surface;
use krilla::tagging::{
    Artifact, ArtifactType, ContentTag, Identifier, SpanTag, TableHeaderScope, Tag, TagGroup, TagKind,
    TagTree,
};
use std::collections::HashMap;
use std::num::NonZeroU16;

const TEXT: [u8; 3] = [0x1c, 0x1d, 0x2b];
const SOFT: [u8; 3] = [0x5b, 0x5f, 0x73];
const LINE: [u8; 3] = [0xb9, 0xbd, 0xd6];
const BEHIND: [u8; 3] = [0xec, 0xee, 0xf7];
/// Size of the text at the foot of a page, and its base line.
const FOOT: (f32, f32) = (8.0, PAGE.1 - 34.0);

pub(super) fn write(data: &PackData, pictures: &Pictures) -> Result<Vec<u8>> {
    let faces =
        Faces::new().ok_or_else(|| unwritten(&"the fonts that ship with the program cannot be read"))?;
    let laid = layout::laid(blocks(data, pictures), &faces);
    let mut document = Document::new();
    let mut spoken: HashMap<usize, Vec<Identifier>> = HashMap::new();
    let size = PageSettings::from_wh(PAGE.0, PAGE.1).ok_or_else(|| unwritten(&"the page has no size"))?;
    for (number, items) in laid.pages.iter().enumerate() {
        let mut page = document.start_page_with(size.clone());
        let mut surface = page.surface();
        for item in items {
            let tag = match item.part {
                Some(_) => ContentTag::Span(SpanTag::empty()),
                None => ContentTag::Artifact(Artifact::with_kind(ArtifactType::Layout)),
            };
            let content = surface.start_tagged(tag);
            draw(&mut surface, &faces, item)?;
            surface.end_tagged();
            if let Some(part) = item.part {
                spoken.entry(part).or_default().push(content);
            }
        }
        surface.start_tagged(ContentTag::Artifact(Artifact::with_kind(ArtifactType::Footer)));
        foot(&mut surface, &faces, &data.assessment, (number + 1, laid.pages.len()));
        surface.end_tagged();
        surface.finish();
        page.finish();
    }
    document.set_outline(outline(&laid.entries));
    document.set_tag_tree(structure(&laid, &spoken));
    document.set_metadata(metadata(data));
    document
        .finish()
        .map_err(|error| Error::Invalid(format!("the PDF cannot be written: {error:?}; choose DOCX")))
}

fn color([red, green, blue]: [u8; 3]) -> rgb::Color {
    rgb::Color::new(red, green, blue)
}

fn fill(of: [u8; 3]) -> Option<Fill> {
    Some(Fill { paint: color(of).into(), ..Fill::default() })
}

fn draw(surface: &mut Surface<'_>, faces: &Faces, item: &Item<'_>) -> Result<()> {
    match &item.shape {
        Shape::Text(text, style) => {
            surface.set_fill(fill(if style.ink == Ink::Full { TEXT } else { SOFT }));
            let glyphs = faces.glyphs(text, style.weight);
            let at = Point::from_xy(item.x, item.y);
            surface.draw_glyphs(at, &glyphs, faces.font(style.weight), text, style.size, false);
        }
        Shape::Picture(picture, width, height) => {
            let image =
                Image::from_png(picture.png.clone().into(), true).map_err(|error| unwritten(&error))?;
            surface.push_transform(&Transform::from_translate(item.x, item.y));
            if let Some(size) = Size::from_wh(*width, *height) {
                surface.draw_image(image, size);
            }
            surface.pop();
        }
        Shape::Filled { width, height, dark } => {
            surface.set_fill(fill(if *dark { LINE } else { BEHIND }));
            rectangle(surface, (item.x, item.y, *width, *height));
        }
        Shape::Dashed { width, height } => {
            surface.set_fill(None);
            surface.set_stroke(Some(Stroke {
                paint: color(SOFT).into(),
                width: 0.7,
                dash: Some(StrokeDash { array: vec![3.0, 2.5], offset: 0.0 }),
                opacity: NormalizedF32::ONE,
                ..Stroke::default()
            }));
            rectangle(surface, (item.x, item.y, *width, *height));
            surface.set_stroke(None);
        }
    }
    Ok(())
}

fn rectangle(surface: &mut Surface<'_>, (x, y, width, height): (f32, f32, f32, f32)) {
    let mut path = PathBuilder::new();
    if let Some(rect) = Rect::from_xywh(x, y, width, height) {
        path.push_rect(rect);
    }
    if let Some(path) = path.finish() {
        surface.draw_path(&path);
    }
}

/// The name of the assessment at the left of the foot, as far as there is room, and the page number at the right.
fn foot(surface: &mut Surface<'_>, faces: &Faces, name: &str, (page, of): (usize, usize)) {
    let (size, y) = FOOT;
    let number = format!("Page {page} of {of}");
    let width = |text: &str| faces.width(text, Weight::Regular) * size;
    let at = RIGHT - width(&number);
    let mut name = faces.readable(name);
    if width(&name) > at - LEFT - 20.0 {
        while width(&name) > at - LEFT - 30.0 && name.pop().is_some() {}
        name.push('…');
    }
    surface.set_fill(fill(SOFT));
    for (x, text) in [(LEFT, &name), (at, &number)] {
        let glyphs = faces.glyphs(text, Weight::Regular);
        let font = faces.font(Weight::Regular);
        surface.draw_glyphs(Point::from_xy(x, y), &glyphs, font, text, size, false);
    }
}

/// The headings, with those of requirements below those of parts.
fn outline(entries: &[Entry]) -> Outline {
    let mut outline = Outline::new();
    let node = |entry: &Entry| {
        let place = XyzDestination::new(entry.page, Point::from_xy(0.0, (entry.y - 8.0).max(0.0)));
        OutlineNode::new(entry.text.clone(), place)
    };
    let mut above: Option<OutlineNode> = None;
    for entry in entries {
        match &mut above {
            Some(above) if entry.level > 1 => above.push_child(node(entry)),
            _ => {
                if let Some(done) = above.replace(node(entry)) {
                    outline.push_child(done);
                }
            }
        }
    }
    if let Some(done) = above {
        outline.push_child(done);
    }
    outline
}

fn structure(laid: &Flow<'_, '_>, spoken: &HashMap<usize, Vec<Identifier>>) -> TagTree {
    let mut children: HashMap<Option<usize>, Vec<usize>> = HashMap::new();
    for (at, part) in laid.parts.iter().enumerate() {
        children.entry(part.parent).or_default().push(at);
    }
    let mut tree = TagTree::new();
    for at in children.get(&None).into_iter().flatten() {
        tree.push(group(*at, laid, &children, spoken));
    }
    tree
}

fn group(
    at: usize,
    laid: &Flow<'_, '_>,
    children: &HashMap<Option<usize>, Vec<usize>>,
    spoken: &HashMap<usize, Vec<Identifier>>,
) -> TagGroup {
    let tag: TagKind = match &laid.parts[at].role {
        Role::Heading(level, text) => {
            let level = NonZeroU16::new(*level).unwrap_or(NonZeroU16::MIN);
            Tag::Hn(level, Some(text.clone())).into()
        }
        Role::Paragraph => Tag::P.into(),
        Role::Quotation => Tag::BlockQuote.into(),
        Role::Figure(shows) => Tag::Figure(Some(shows.clone())).into(),
        Role::Proposal => Tag::Div.into(),
        Role::Table => Tag::Table.into(),
        Role::Row => Tag::TR.into(),
        Role::ColumnHead => Tag::TH(TableHeaderScope::Column).into(),
        Role::Data => Tag::TD.into(),
    };
    let mut group = TagGroup::new(tag);
    spoken.get(&at).into_iter().flatten().for_each(|content| group.push(*content));
    for child in children.get(&Some(at)).into_iter().flatten() {
        group.push(self::group(*child, laid, children, spoken));
    }
    group
}

fn metadata(data: &PackData) -> Metadata {
    let metadata = Metadata::new()
        .title(data.assessment.clone())
        .authors(data.reviewers.clone())
        .creator(format!("Sibyl {}", data.program))
        .language("en".to_owned());
    match made(&data.made_at) {
        Some(at) => metadata.creation_date(at),
        None => metadata,
    }
}

/// A moment in ISO 8601 in the form of PDF; `None` if it is no such moment.
fn made(at: &str) -> Option<DateTime> {
    let mut parts = at.split(|c: char| !c.is_ascii_digit()).filter(|part| !part.is_empty());
    let year = parts.next()?.parse().ok()?;
    let mut next = || parts.next()?.parse::<u8>().ok();
    let day = DateTime::new(year).month(next()?).day(next()?);
    Some(day.hour(next()?).minute(next()?).second(next()?).utc_offset_hour(0).utc_offset_minute(0))
}
