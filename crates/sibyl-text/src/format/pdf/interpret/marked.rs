//! Marked content: the structure tree's items, artifacts, hidden layers and replacement text.

use super::super::characters::{decode, push_clean};
use super::super::glyph::{Artifact, Glyph};
use super::Interpreter;
use crate::format::pdf::metrics::SAME_LINE;
use hayro_syntax::object::{Dict, Name, Object, ObjectIdentifier, String as PdfString};
use hayro_syntax::page::Resources;

/// Depth of marked content beyond which marks are ignored.
const MAX_MARKS: usize = 512;

/// One level of marked content, with what it inherits from the levels around it.
pub(super) struct Mark {
    pub(super) item: Option<u32>,
    pub(super) artifact: Artifact,
    pub(super) hidden: bool,
    /// Replacement text and the number of glyphs there were when it began.
    actual: Option<(String, usize)>,
}

impl<'a> Interpreter<'_, 'a> {
    pub(super) fn begin_mark(
        &mut self,
        tag: &Name<'_>,
        properties: Option<&Object<'_>>,
        resources: &Resources<'a>,
        form: Option<ObjectIdentifier>,
    ) {
        let around = self.marks.last();
        let mut mark = Mark {
            item: around.and_then(|m| m.item),
            artifact: around.map_or(Artifact::No, |m| m.artifact),
            hidden: around.is_some_and(|m| m.hidden),
            actual: None,
        };
        let dict = match properties {
            Some(Object::Dict(dict)) => Some(dict.clone()),
            Some(Object::Name(name)) => resources.properties.get::<Dict<'_>>(name),
            _ => None,
        };
        match tag.as_ref() {
            b"Artifact" => {
                let kind = dict.as_ref().and_then(|d| d.get::<Name<'_>>("Type"));
                let pagination = kind.is_some_and(|kind| kind.as_ref() == b"Pagination");
                mark.artifact = if pagination { Artifact::Pagination } else { Artifact::Layout };
            }
            b"OC" => {
                if let (Some(Object::Name(name)), Some(dict)) = (properties, &dict) {
                    mark.hidden |= !self.layers.visible(resources.properties.get_ref(name), dict);
                }
            }
            _ => {}
        }
        if let Some(dict) = &dict {
            if let Some(id) = dict.get::<i32>("MCID")
                && let Some(item) = self.tags.item(self.page, form, id)
            {
                mark.item = Some(item);
            }
            if let Some(text) = dict.get::<PdfString<'_>>("ActualText") {
                mark.actual = Some((decode(&text), self.out.glyphs.len()));
            }
        }
        if self.marks.len() < MAX_MARKS {
            self.marks.push(mark);
        }
    }

    pub(super) fn end_mark(&mut self) {
        let Some(mark) = self.marks.pop() else { return };
        if let Some((text, from)) = mark.actual {
            replace(self.out.glyphs.get_mut(from..).unwrap_or_default(), &text);
        }
    }
}

/// Letters up to which replacement text is taken to stand for one sign (a ligature, a hyphen, a drop capital).
const SHORT_ACTUAL_TEXT: usize = 8;

/// Puts replacement text in place of what the glyphs say: always where it is short, else only where the
/// glyphs say nothing, so that words keep their own boxes.
fn replace(glyphs: &mut [Glyph], text: &str) {
    let mut clean = String::new();
    text.chars().for_each(|c| push_clean(&mut clean, c));
    let short = clean.chars().count() <= SHORT_ACTUAL_TEXT && !clean.trim().contains(' ');
    let unmapped = glyphs.iter().all(|g| g.text.is_empty() || g.text.contains('\u{FFFD}'));
    if !short && !unmapped {
        return;
    }
    let letters: Vec<char> = clean.chars().collect();
    if letters.len() == glyphs.len() {
        for (glyph, letter) in glyphs.iter_mut().zip(letters) {
            glyph.text = letter.to_string().as_str().into();
        }
        return;
    }
    let Some((first, rest)) = glyphs.split_first_mut() else { return };
    first.text = clean.as_str().into();
    for glyph in rest {
        // All of them are the place of the text, as far as they stand on its line.
        if (glyph.start.1 - first.start.1).abs() < SAME_LINE * first.size {
            first.rect = first.rect.union(&glyph.rect);
            first.end = glyph.end;
        }
        glyph.text = "".into();
    }
}
