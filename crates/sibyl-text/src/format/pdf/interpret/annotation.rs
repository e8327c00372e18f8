//! Annotations that are printed on their page as text: notes typed on it, stamps and the fields of forms.

use super::super::geometry::{Matrix, Rect};
use super::{Interpreter, State};
use hayro_syntax::object::dict::keys::SUBTYPE;
use hayro_syntax::object::{Array, Dict, Name, Stream};
use hayro_syntax::page::Page;

/// Flags of an annotation that is not shown (ISO 32000-1, table 165: hidden, no view).
const NOT_SHOWN: u32 = 1 << 1 | 1 << 5;
/// Numbers of the corners of what an annotation marks beyond which further ones are left out.
const MAX_CORNERS: usize = 8_000;
/// Annotations of a page beyond which further ones are left out.
const MAX_ANNOTATIONS: usize = 2_000;

impl<'a> Interpreter<'_, 'a> {
    /// Reads the annotations of a page, which `base` places.
    pub(super) fn annotations(&mut self, page: &Page<'a>, base: Matrix) {
        let all = page.raw().get::<Array<'a>>("Annots").unwrap_or_default();
        for annotation in all.iter::<Dict<'a>>().take(MAX_ANNOTATIONS) {
            let text = annotation
                .get::<Name<'_>>(SUBTYPE)
                .is_some_and(|kind| matches!(kind.as_ref(), b"FreeText" | b"Stamp" | b"Widget"));
            let shown = annotation.get::<u32>("F").unwrap_or(0) & NOT_SHOWN == 0;
            let layer = annotation.get::<Dict<'_>>("OC");
            let visible = layer.is_none_or(|layer| self.layers.visible(annotation.get_ref("OC"), &layer));
            let strikes =
                annotation.get::<Name<'_>>(SUBTYPE).is_some_and(|kind| kind.as_ref() == b"StrikeOut");
            if strikes && shown && visible {
                self.out.strikes.extend(marked(&annotation, base));
            }
            if text
                && shown
                && visible
                && let Some(look) = appearance(&annotation)
                && let Some(place) = place(&annotation, &look)
            {
                self.state = State::new(place.then(base));
                self.x_object(&look, page.resources(), 0);
            }
        }
    }
}

/// The boxes of the words that an annotation marks, which `base` places.
fn marked(annotation: &Dict<'_>, base: Matrix) -> Vec<Rect> {
    let corners = annotation.get::<Array<'_>>("QuadPoints").unwrap_or_default();
    let corners: Vec<f64> = corners.iter::<f64>().take(MAX_CORNERS).collect();
    let quads = corners.chunks_exact(8).filter_map(|quad| {
        let points = quad.chunks_exact(2).map(|point| base.apply(point[0], point[1]));
        points.map(|point| Rect::around(point, point)).reduce(|a, b| a.union(&b))
    });
    quads.collect()
}

/// How an annotation looks, in its state.
fn appearance<'a>(annotation: &Dict<'a>) -> Option<Stream<'a>> {
    let looks = annotation.get::<Dict<'a>>("AP")?;
    looks.get::<Stream<'a>>("N").or_else(|| {
        let state = annotation.get::<Name<'_>>("AS")?;
        looks.get::<Dict<'a>>("N")?.get::<Stream<'a>>(state.as_ref())
    })
}

/// What puts the look of an annotation into its place on the page (ISO 32000-1, 12.5.5, algorithm 8.1).
fn place(annotation: &Dict<'_>, look: &Stream<'_>) -> Option<Matrix> {
    let [left, bottom, right, top] = annotation.get::<[f64; 4]>("Rect")?;
    let [x0, y0, x1, y1] = look.dict().get::<[f64; 4]>("BBox")?;
    let own = look.dict().get::<[f64; 6]>("Matrix").map_or(Matrix::IDENTITY, Matrix);
    let drawn = Rect::around(own.apply(x0, y0), own.apply(x1, y1))
        .union(&Rect::around(own.apply(x0, y1), own.apply(x1, y0)));
    let (wide, high) = (f64::from(drawn.width()), f64::from(drawn.height()));
    if wide <= 0.0 || high <= 0.0 {
        return None;
    }
    let (across, up) = ((right - left).abs() / wide, (top - bottom).abs() / high);
    let (x, y) =
        (left.min(right) - across * f64::from(drawn.left), bottom.min(top) - up * f64::from(drawn.top));
    let out = Matrix([across, 0.0, 0.0, up, x, y]);
    out.is_sane().then_some(out)
}
