//! Bars and columns of several series. A value belongs to the bar that it stands in or at the end of. A bar belongs
//! to the category below it or beside it, and to the series that a legend gives its colour.

use super::{Drawn, is_value, moved, said};
use crate::format::html::{attribute, name};
use crate::format::table::{Cell, Table};
use dom_query::NodeRef;

/// Fewest bars of a chart, and most of a drawing.
const LEAST: usize = 4;
const MOST: usize = 200;
/// Width of a sign, and height of its middle over the line (in heights of a letter).
const SIGN: f64 = 0.55;
const MIDDLE: f64 = 0.35;
/// Farthest that a value stands beyond the end of its bar, and a name from its patch of colour (in heights of a letter).
const BEYOND: f64 = 1.2;
const NAME: f64 = 1.5;
/// Greatest side of a patch of colour in a legend (in heights of a letter).
const PATCH: f64 = 1.7;
/// Texts in a box from which it is a ground.
const HELD: usize = 3;

/// A box that is filled.
struct Bar {
    left: f64,
    top: f64,
    right: f64,
    bottom: f64,
    colour: String,
}

impl Bar {
    fn holds(&self, (x, y): (f64, f64)) -> bool {
        (self.left..=self.right).contains(&x) && (self.top..=self.bottom).contains(&y)
    }

    /// The same with across and along changed for each other, so that level bars become columns that grow upwards.
    fn turned(&self) -> Self {
        let colour = self.colour.clone();
        Self { left: self.top, right: self.bottom, top: -self.right, bottom: -self.left, colour }
    }
}

/// A text with the middle of it, and half of its width and height.
struct Text<'d> {
    drawn: &'d Drawn,
    middle: (f64, f64),
    half: (f64, f64),
}

impl Text<'_> {
    /// As [`Bar::turned`].
    fn turned(&self) -> Self {
        let ((x, y), (across, along)) = (self.middle, self.half);
        Self { middle: (y, -x), half: (along, across), ..*self }
    }
}

/// The table of the series that `drawing` shows with `texts`, and the texts that are in none of its cells. `None` if
/// a value, a category or a series cannot be told.
pub(super) fn table<'d>(drawing: &NodeRef<'_>, texts: &'d [Drawn]) -> Option<(Vec<&'d str>, Table)> {
    let texts: Vec<Text<'d>> = texts.iter().map(placed).collect();
    let boxes: Vec<Bar> = drawing
        .descendants_it()
        .filter(|inner| name(inner) == "rect")
        .take(MOST + 1)
        .filter_map(|rect| bar(drawing, &rect))
        .collect();
    let held = |one: &Bar| texts.iter().filter(|text| one.holds(text.middle)).count();
    let boxes: Vec<Bar> = boxes.into_iter().filter(|one| held(one) < HELD).collect();
    let (mut bars, mut legend): (Vec<Bar>, Vec<(String, usize)>) = (Vec::new(), Vec::new());
    for one in boxes {
        match named(&one, &texts) {
            Some(at) => legend.push((one.colour, at)),
            None => bars.push(one),
        }
    }
    if !(LEAST..=MOST).contains(&bars.len()) || legend.len() < 2 {
        return None;
    }
    let upright = cells(&bars, &texts, &legend);
    let turned: (Vec<Bar>, Vec<Text<'d>>) =
        (bars.iter().map(Bar::turned).collect(), texts.iter().map(Text::turned).collect());
    let level = cells(&turned.0, &turned.1, &legend);
    // Where both ways can be read, nothing says which.
    if upright.is_some() { upright.filter(|_| level.is_none()) } else { level }
}

/// The table of upright `bars`, and the texts that are in none of its cells.
fn cells<'d>(bars: &[Bar], texts: &[Text<'d>], legend: &[(String, usize)]) -> Option<(Vec<&'d str>, Table)> {
    let values: Vec<usize> = (0..texts.len()).filter(|at| is_value(&texts[*at].drawn.text)).collect();
    let base = bars.iter().map(|bar| bar.bottom).fold(f64::MIN, f64::max);
    let mut below: Vec<usize> = (0..texts.len())
        .filter(|at| !values.contains(at) && !legend.iter().any(|(_, name)| name == at))
        .filter(|at| texts[*at].middle.1 > base)
        .collect();
    let first = below.iter().map(|at| texts[*at].middle.1 - texts[*at].half.1).fold(f64::MAX, f64::min);
    below.retain(|at| texts[*at].middle.1 - texts[*at].half.1 <= first + 2.0 * texts[*at].half.1);
    below.sort_by(|a, b| texts[*a].middle.0.total_cmp(&texts[*b].middle.0));
    let category = |bar: &Bar| {
        let middle = f64::midpoint(bar.left, bar.right);
        let far = |at: usize| (texts[below[at]].middle.0 - middle).abs();
        (0..below.len()).min_by(|a, b| far(*a).total_cmp(&far(*b)))
    };
    let mut told: Vec<Vec<Option<&str>>> = vec![vec![None; legend.len()]; below.len()];
    let mut used = 0;
    for bar in bars {
        let Some(value) = value(bar, bars, texts, &values) else { continue };
        let series = legend.iter().position(|(colour, _)| *colour == bar.colour)?;
        let place = told.get_mut(category(bar)?)?.get_mut(series)?;
        if place.replace(&texts[value].drawn.text).is_some() {
            return None;
        }
        used += 1;
    }
    // A value that is of no bar, or a category without any, leaves open what the others are.
    if used != values.len() || told.len() < 2 || told.iter().any(|row| row.iter().all(Option::is_none)) {
        return None;
    }
    let shown =
        |at: &usize| values.contains(at) || below.contains(at) || legend.iter().any(|(_, name)| name == at);
    let rest = (0..texts.len()).filter(|at| !shown(at)).map(|at| texts[at].drawn.text.as_str()).collect();
    let said = |at: &usize| Cell::new(texts[*at].drawn.text.as_str());
    let head = [Cell::new("")].into_iter().chain(legend.iter().map(|(_, name)| said(name))).collect();
    let rows = below.iter().zip(told).map(|(name, row)| {
        let values = row.into_iter().map(|value| Cell::new(value.unwrap_or_default()));
        [said(name)].into_iter().chain(values).collect()
    });
    let rows = [head].into_iter().chain(rows).collect();
    Some((rest, Table { rows, declared: 1, complete: true, sheet: false }))
}

/// The only value inside of an upright bar, or right above it where nothing stands upon it.
fn value(bar: &Bar, bars: &[Bar], texts: &[Text<'_>], values: &[usize]) -> Option<usize> {
    let only = |mut found: Box<dyn Iterator<Item = usize> + '_>| {
        let first = found.next()?;
        found.next().is_none().then_some(first)
    };
    let inside = values.iter().copied().filter(|at| bar.holds(texts[*at].middle));
    only(Box::new(inside)).or_else(|| {
        let above = values.iter().copied().filter(|at| {
            let text = &texts[*at];
            let gap = bar.top - (text.middle.1 + text.half.1);
            let reach = BEYOND * text.drawn.height;
            (bar.left..=bar.right).contains(&text.middle.0)
                && (-reach / 2.0..=reach).contains(&gap)
                && !bars.iter().any(|other| other.holds(text.middle))
        });
        only(Box::new(above))
    })
}

/// The text right behind a patch of colour, which is its name.
fn named(patch: &Bar, texts: &[Text<'_>]) -> Option<usize> {
    let level = f64::midpoint(patch.top, patch.bottom);
    texts.iter().position(|text| {
        let height = text.drawn.height;
        let small = (patch.right - patch.left).max(patch.bottom - patch.top) <= PATCH * height;
        let gap = text.middle.0 - text.half.0 - patch.right;
        let beside = (0.0..=NAME * height).contains(&gap) && (text.middle.1 - level).abs() <= height / 2.0;
        small && beside && !is_value(&text.drawn.text)
    })
}

fn placed(drawn: &Drawn) -> Text<'_> {
    let half = SIGN * drawn.height * drawn.text.chars().count() as f64 / 2.0;
    let x = match drawn.anchor.as_str() {
        "middle" => drawn.x,
        "end" => drawn.x - half,
        _ => drawn.x + half,
    };
    Text { drawn, middle: (x, drawn.y - MIDDLE * drawn.height), half: (half, drawn.height / 2.0) }
}

/// A filled box where it is drawn.
fn bar(drawing: &NodeRef<'_>, rect: &NodeRef<'_>) -> Option<Bar> {
    let number =
        |key: &str| -> Option<f64> { attribute(rect, key)?.trim().trim_end_matches("px").parse().ok() };
    let (x, y) = (number("x").unwrap_or(0.0), number("y").unwrap_or(0.0));
    let corners = [(x, y), (x + number("width")?, y + number("height")?)];
    let [Some(one), Some(other)] = corners.map(|corner| moved(drawing, rect, corner)) else { return None };
    let colour = rect
        .ancestors_it(None)
        .fold(said(rect, "fill"), |known, outer| known.or_else(|| said(&outer, "fill")));
    let colour = colour.filter(|colour| colour != "none")?.to_lowercase();
    let (left, right) = (one.0.min(other.0), one.0.max(other.0));
    let (top, bottom) = (one.1.min(other.1), one.1.max(other.1));
    (right > left && bottom > top).then_some(Bar { left, top, right, bottom, colour })
}
