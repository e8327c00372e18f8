//! Colours, shapes and clips: what a page paints beside its letters.

use super::super::backdrop::{Clip, Covers, Shape};
use super::super::geometry::Rect;
use super::super::ink::Ink;
use super::super::ruling::Painted;
use super::{Interpreter, MAX_RULINGS};
use hayro_syntax::object::{Dict, Name, Number, Object};
use hayro_syntax::page::Resources;

impl Interpreter<'_, '_> {
    pub(super) fn colour(&mut self, components: &[Number]) {
        let levels: Vec<f64> = components.iter().map(|n| n.as_f64()).collect();
        self.state.ink = Ink::of(&levels);
    }

    pub(super) fn device(&mut self, ink: Ink) {
        self.state.ink = ink;
        self.state.known = true;
    }

    /// What a graphics state says about what shines through.
    pub(super) fn transparency(&mut self, dict: &Dict<'_>) {
        let opaque = dict.get::<f64>("ca").is_none_or(|alpha| alpha >= 1.0)
            && dict.get::<Dict<'_>>("SMask").is_none()
            && dict
                .get::<Name<'_>>("BM")
                .is_none_or(|mode| matches!(mode.as_ref(), b"Normal" | b"Compatible"));
        let says = ["ca", "SMask", "BM"].iter().any(|key| dict.contains_key(*key));
        if says {
            self.state.opaque = opaque;
        }
        // A state that does not say how much shines through leaves that as it is.
        if let Some(alpha) = dict.get::<f64>("ca") {
            self.state.clear = alpha <= 0.0;
        }
    }

    /// The colour of what is filled, where it is known and nothing shines through.
    pub(super) fn fill(&self) -> Ink {
        if self.state.known && self.state.opaque && !self.state.faint { self.state.ink } else { Ink::UNKNOWN }
    }

    pub(super) fn paint(&mut self, stroke: bool, fill: bool) {
        let visible = !self.marks.last().is_some_and(|m| m.hidden);
        if visible && self.out.rulings.len() < MAX_RULINGS {
            self.path.rulings(stroke, &mut self.out.rulings);
        }
        if visible && !stroke {
            self.paint_boxes(false);
            if self.out.bullets.len() < MAX_RULINGS {
                let ink = self.state.ink;
                let dots = self.path.dots().map(|rect| Painted { rect, clips: false, ink });
                self.out.bullets.extend(dots);
            }
        }
        if visible && fill && self.out.sectors.len() < MAX_RULINGS {
            self.out.sectors.extend(self.path.sectors(self.state.ink));
        }
        if visible && fill && stroke && self.out.outlined.len() < MAX_RULINGS {
            let ink = self.state.ink;
            self.out.outlined.extend(self.path.boxes().map(|rect| Painted { rect, clips: false, ink }));
        }
        if let Some(rect) = self.path.extent().filter(|_| visible) {
            let [a, b, c, d, ..] = self.state.ctm.0;
            let thick =
                if stroke { (self.state.line_width * a.hypot(b).max(c.hypot(d)) / 2.0) as f32 } else { 0.0 };
            let wide = Rect {
                left: rect.left - thick,
                top: rect.top - thick,
                right: rect.right + thick,
                bottom: rect.bottom + thick,
            };
            self.shape(wide, if !stroke && self.path.is_box() { Covers::Box } else { Covers::No });
        }
        self.end_path();
    }

    /// Colours that run into each other fill what is shown: where that is a box, as for a bar, it is a painted one.
    pub(super) fn shade(&mut self) {
        let Clip { rect, whole } = self.state.clip;
        let visible = !self.marks.last().is_some_and(|m| m.hidden);
        self.shape(rect, Covers::No);
        if visible && whole && rect != Clip::ALL.rect && self.out.painted.len() < MAX_RULINGS {
            self.out.painted.push(Painted { rect, clips: false, ink: Ink::UNKNOWN });
        }
    }

    /// Notes a shape that is painted within `rect`, and what of it it covers.
    pub(super) fn shape(&mut self, rect: Rect, covers: Covers) {
        let shown = Clip { rect, whole: covers != Covers::No }.within(self.state.clip);
        let (left, right) = (shown.rect.left <= shown.rect.right, shown.rect.top <= shown.rect.bottom);
        if !left || !right || self.out.shapes.len() >= MAX_RULINGS {
            return;
        }
        self.out.shapes.push(Shape {
            rect: shown.rect,
            ink: if shown.whole && covers == Covers::Box { self.fill() } else { Ink::UNKNOWN },
            covers: if shown.whole && self.state.opaque && !self.state.faint { covers } else { Covers::No },
            plain: covers == Covers::Box,
            letters: self.out.glyphs.len(),
        });
    }

    /// Ends the path under construction, which may become a clip.
    pub(super) fn end_path(&mut self) {
        if std::mem::take(&mut self.clips)
            && let Some(rect) = self.path.extent()
        {
            self.state.clip = self.state.clip.within(Clip { rect, whole: self.path.is_box() });
        }
        self.path.clear();
    }

    pub(super) fn paint_boxes(&mut self, clips: bool) {
        if self.out.painted.len() < MAX_RULINGS {
            let ink = self.state.ink;
            self.out.painted.extend(self.path.boxes().map(|rect| Painted { rect, clips, ink }));
        }
    }
}

/// Whether nothing shines through a picture.
pub(super) fn is_opaque(picture: &Dict<'_>) -> bool {
    let masks = ["SMask", "Mask", "SMaskInData"].iter().any(|key| picture.contains_key(*key));
    !masks && !picture.get::<bool>("ImageMask").unwrap_or(false)
}

/// Whether the colours of a space are known from their numbers.
pub(super) fn is_known(space: &Name<'_>, resources: &Resources<'_>) -> bool {
    let known =
        |name: &[u8]| matches!(name, b"DeviceGray" | b"DeviceRGB" | b"DeviceCMYK" | b"CalRGB" | b"ICCBased");
    known(space.as_ref())
        || match resources.get_color_space(space) {
            Some(Object::Name(name)) => known(name.as_ref()),
            Some(Object::Array(parts)) => {
                parts.flex_iter().next::<Name<'_>>().is_some_and(|name| known(name.as_ref()))
            }
            _ => false,
        }
}
