//! Regions of a page without tags: what stands side by side is told apart before anything is taken for a table.
//!
//! A page is cut along the gutter with the most lines on both sides. The parts are what stands above the columns, the
//! left side, the right side and what stands below. Each part is cut again. A gutter counts where the lines beside it
//! are running text ([`Evidence`]); the gaps between the cells of a table are none.

use super::band::bands;
use super::beside;
use super::columns;
use super::evidence::Evidence;
use super::flow;
use super::geometry::{Rect, bounds};
use super::line::Line;
use super::metrics::{EDGE, LABEL_STEP};
use super::number_row::{SAME_ROW, figures, in_row};
use super::panel::{self, Parting, Shapes};
use super::part::Part;
use super::ruling::Ruling;
use super::thing::{self, Content, Gutter, HEADING, STEP, Thing, goes_across};
use super::unruled::tables_in;
use super::weigh::{Cost, Decisions};
use crate::language::cell::Kind;

/// Narrowest gutter (points, and in letter sizes).
const MIN_GUTTER: f32 = 5.0;
const GUTTER: f32 = 0.55;
/// Fewest lines of a card.
const CARD: usize = 4;
/// Fewest lines on either side of a gutter.
const MIN_SIDE: usize = 2;
/// Things on a page beyond which no gutters are sought.
const MAX_THINGS: usize = 1_500;
/// Depth of regions in each other.
const MAX_DEPTH: usize = 40;
/// Most things side by side.
const ROW: usize = 12;
/// Ratio to the distance of the entries of a list from which what follows them is none.
const LIST_STEP: f32 = 1.5;

/// Divides a part of a page into its regions, in reading order.
pub(super) fn part(part: &mut Part) {
    let things = std::mem::take(&mut part.things);
    let Part { shapes, rulings, decisions, .. } = part;
    let mut division = Division { shapes, rulings, decisions, regions: Vec::new() };
    division.divide(things, 0);
    part.regions = division.regions;
    let own = part.regions.iter().filter_map(|things| bounds(things.iter().map(|thing| &thing.rect)));
    part.places.splice(0..0, own);
}

/// A part of a page while it is divided.
struct Division<'p> {
    shapes: &'p Shapes,
    rulings: &'p [Ruling],
    decisions: &'p mut Decisions,
    regions: Vec<Vec<Thing>>,
}

impl Division<'_> {
    fn divide(&mut self, things: Vec<Thing>, depth: usize) {
        if things.is_empty() {
            return;
        }
        let mut things = in_height(things);
        let parting = self.shapes.parting(&things).filter(|_| depth < MAX_DEPTH);
        match parting.filter(|parting| self.is_parted(&things, parting)) {
            Some(Parting::Across(below)) => {
                let below = things.split_off(below);
                self.divide(things, depth + 1);
                self.divide(below, depth + 1);
                return;
            }
            Some(Parting::Down { gutter, .. }) => return self.cut(things, &gutter, depth),
            None => {}
        }
        if let Some(gutter) = between_cards(&things).filter(|_| depth < MAX_DEPTH) {
            return self.cut(things, &gutter, depth);
        }
        let (mut things, certain) = self.settled(things, depth);
        if let Some(gutter) = certain {
            return self.cut(things, &gutter, depth);
        }
        let band = if things.len() > MAX_THINGS { None } else { figures(&things) };
        if let Some(figures) = band.filter(|figures| figures.len() < things.len()) {
            let below = things.split_off(figures.end);
            let band = things.split_off(figures.start);
            self.divide(things, depth + 1);
            self.regions.push(band);
            self.divide(below, depth + 1);
            return;
        }
        let sought = things.len() <= MAX_THINGS && depth < MAX_DEPTH;
        let parts = |gutter: &Gutter| {
            let (left, right) = gutter.sides(&things);
            parts_text(&left, &right) || beside::alternate(&left, &right)
        };
        let mut gutters =
            if sought { gutters(&things, &self.shapes.pictures) } else { Vec::new() }.into_iter();
        match gutters.find(parts) {
            Some(gutter) => self.cut(things, &gutter, depth),
            None => self.regions.push(things),
        }
    }

    /// Divides what stands above a gutter, on its sides and below it.
    fn cut(&mut self, mut things: Vec<Thing>, gutter: &Gutter, depth: usize) {
        let below = things.split_off(gutter.end);
        let band = things.split_off(gutter.start);
        let (left, right): (Vec<Thing>, Vec<Thing>) =
            band.into_iter().partition(|thing| thing.rect.center().0 < gutter.at);
        for part in [things, left, right, below] {
            self.divide(part, depth + 1);
        }
    }

    /// Whether shapes part things there, and no table stands across.
    fn is_parted(&mut self, things: &[Thing], parting: &Parting) -> bool {
        let Parting::Down { gutter, cards: false } = parting else { return true };
        let (left, right) = gutter.sides(things);
        let band = &things[gutter.start..gutter.end];
        let crossed = |thing: &&Thing| {
            let rect = &thing.rect;
            matches!(thing.content, Content::Table(_))
                && rect.left < gutter.at
                && rect.right > gutter.at
                && !beside::parts_table(&left, &right, rect)
        };
        let torn = match Evidence::of(&beside_gutter(&left, &right)).rows_of_table() {
            0 => tables_in(band.to_vec(), self.rulings, columns::sure).iter().filter(crossed).count(),
            rows => rows,
        };
        let Some(place) = bounds(band.iter().map(|thing| &thing.rect)) else { return torn == 0 };
        let readings = [
            (true, "parts on panels", Cost { torn, ..Cost::default() }),
            (false, "a table over panels", Cost { unexplained: 1, ..Cost::default() }),
        ];
        self.decisions.cheapest(&place, readings)
    }

    /// The things of a region in order, settled; or as they were, with a gutter across which only chance makes a table.
    fn settled(&mut self, things: Vec<Thing>, depth: usize) -> (Vec<Thing>, Option<Gutter>) {
        // Only numbers make a table of what stands side by side.
        if things.len() > MAX_THINGS || depth >= MAX_DEPTH || !things.iter().any(is_numeric) {
            return (in_height(tables_in(things, self.rulings, columns::sure)), None);
        }
        let is_table = |thing: &&Thing| matches!(thing.content, Content::Table(_));
        let known: Vec<Rect> = things.iter().filter(is_table).map(|thing| thing.rect).collect();
        let before = in_height(things.clone());
        let after = in_height(tables_in(things, self.rulings, columns::sure));
        let tables = after.iter().filter(is_table).map(|thing| thing.rect);
        let taken: Vec<Rect> = tables.filter(|rect| !known.contains(rect)).collect();
        if taken.is_empty() {
            return (after, None);
        }
        let mut gutters = gutters(&before, &self.shapes.pictures).into_iter();
        match gutters.find(|gutter| self.is_certain(gutter, &before, &taken)) {
            Some(gutter) => (before, Some(gutter)),
            None => (after, None),
        }
    }

    /// Whether a gutter parts things of which only chance makes the tables `taken`.
    fn is_certain(&mut self, gutter: &Gutter, things: &[Thing], taken: &[Rect]) -> bool {
        let crosses = |table: &&Rect| table.left < gutter.from && table.right > gutter.to;
        let crossed: Vec<&Rect> = taken.iter().filter(crosses).collect();
        let Some(place) = bounds(crossed.iter().copied()) else { return false };
        let (left, right) = gutter.sides(things);
        let torn = crossed.iter().filter(|table| beside::parts_table(&left, &right, table)).count();
        let in_table = |thing: &&Thing| is_numeric(thing) && place.holds(thing.rect.center(), 0.0);
        let unnamed_numbers = things.iter().filter(in_table).count();
        let readings = [
            (false, "a table", Cost { torn, ..Cost::default() }),
            (true, "columns of text", Cost { unnamed_numbers, ..Cost::default() }),
        ];
        self.decisions.cheapest(&place, readings)
    }
}

/// Whether a thing is a line of nothing but numbers.
fn is_numeric(thing: &Thing) -> bool {
    thing.level().is_some_and(|line| line.words.iter().all(|word| word.numeric()))
}

/// The same things from top to bottom.
fn in_height(mut things: Vec<Thing>) -> Vec<Thing> {
    let middle = |thing: &Thing| thing.rect.center().1;
    things.sort_by(|a, b| middle(a).total_cmp(&middle(b)).then(a.rect.left.total_cmp(&b.rect.left)));
    things
}

/// What may be gutters, those with the most lines on both sides first.
fn gutters(things: &[Thing], pictures: &[Rect]) -> Vec<Gutter> {
    let mut bands: Vec<Gutter> = stretches(things)
        .into_iter()
        .flat_map(|gutter| bands(things, gutter, pictures))
        .filter_map(|gutter| trimmed(things, gutter))
        .collect();
    bands.sort_by(|a, b| b.support.cmp(&a.support).then((b.to - b.from).total_cmp(&(a.to - a.from))));
    bands
}

/// The gutter between cards: columns that have several labels in common, as no columns of a table do, whatever free height
/// lies between their parts.
fn between_cards(things: &[Thing]) -> Option<Gutter> {
    let lines: Vec<&Line> = things.iter().filter_map(Thing::level).collect();
    let name = |line: &Line| Kind::of_text(&line.text()) == Kind::Text;
    let repeated = |pair: &[&Line]| pair[0].text() == pair[1].text() && name(pair[0]);
    if things.len() > MAX_THINGS || lines.windows(2).filter(|pair| repeated(pair)).count() < 2 {
        return None;
    }
    let cards = |gutter: &Gutter| {
        let columns = thing::columns(&things[gutter.start..gutter.end].iter().collect::<Vec<_>>());
        columns.iter().all(|column| column.len() >= CARD) && panel::have_same_labels(&columns)
    };
    stretches(things).into_iter().filter_map(|gutter| trimmed(things, gutter)).find(cards)
}

/// Free stretches between things, each as high as nothing crosses it.
fn stretches(things: &[Thing]) -> Vec<Gutter> {
    let mut found: Vec<Gutter> = Vec::new();
    for (i, thing) in things.iter().enumerate() {
        let Some((j, next)) = neighbour(things, i) else { continue };
        let size = thing.size().min(next.size());
        let (from, to) = (thing.rect.right, next.rect.left);
        let known = found.iter().any(|g| {
            (g.start..g.end).contains(&i) && (g.start..g.end).contains(&j) && from <= g.from && to >= g.to
        });
        if known || to - from < MIN_GUTTER.max(GUTTER * size) {
            continue;
        }
        found.extend(grow(things, i.min(j), i.max(j), from, to));
    }
    found
}

/// The next thing to the right at the same height, or at that of the next line.
fn neighbour(things: &[Thing], i: usize) -> Option<(usize, &Thing)> {
    let own = &things[i].rect;
    let next = |least: f32| {
        let beside = things.iter().enumerate().filter(|(_, other)| {
            let shared = other.rect.overlap_y(own);
            other.rect.left >= own.right && shared > least * other.rect.height().min(own.height())
        });
        beside.min_by(|a, b| a.1.rect.left.total_cmp(&b.1.rect.left))
    };
    next(0.4).or_else(|| next(-1.0))
}

/// Grows a free stretch between two things up and down until something crosses it.
fn grow(things: &[Thing], first: usize, last: usize, mut from: f32, mut to: f32) -> Option<Gutter> {
    for thing in &things[first..=last] {
        (from, to) = keeps_free(thing, from, to)?;
    }
    let (mut start, mut end) = (first, last + 1);
    while let Some((a, b)) = things.get(end).and_then(|thing| keeps_free(thing, from, to)) {
        (from, to, end) = (a, b, end + 1);
    }
    while let Some((a, b)) = start.checked_sub(1).and_then(|above| keeps_free(&things[above], from, to)) {
        (from, to, start) = (a, b, start - 1);
    }
    Some(Gutter { start, end, from, to, at: (from + to) / 2.0, support: 0 }.counted(things))
}

/// What remains of a free stretch beside `thing`; `None` where it crosses.
fn keeps_free(thing: &Thing, from: f32, to: f32) -> Option<(f32, f32)> {
    let rect = &thing.rect;
    if rect.right <= from || rect.left >= to {
        return Some((from, to));
    }
    let least = MIN_GUTTER.max(GUTTER * thing.size());
    let (left, right) = (rect.left - from, to - rect.right);
    match (left >= least, right >= least) {
        (true, true) if right > left => Some((rect.right, to)),
        (true, _) => Some((from, rect.left)),
        (false, true) => Some((rect.right, to)),
        (false, false) => None,
    }
}

/// The gutter without the lines at its ends that belong to what crosses the page above or below it.
fn trimmed(things: &[Thing], gutter: Gutter) -> Option<Gutter> {
    let mut gutter = between_frames(things, between_rows(things, gutter));
    while let Some(end) = last_row(things, &gutter) {
        gutter.start = end;
    }
    while gutter.start > 0
        && gutter.start < gutter.end
        && is_alone(things, &gutter, gutter.start)
        && joins(&things[gutter.start - 1], &things[gutter.start])
    {
        gutter.start += 1;
    }
    while gutter.end > gutter.start
        && is_alone(things, &gutter, gutter.end - 1)
        && belongs_below(things, &gutter, gutter.end - 1)
    {
        gutter.end -= 1;
    }
    let gutter = gutter.counted(things);
    (gutter.support >= MIN_SIDE).then_some(gutter)
}

/// Whether nothing stands at the height of thing `i` on the other side of a gutter.
fn is_alone(things: &[Thing], gutter: &Gutter, i: usize) -> bool {
    let left = |thing: &Thing| thing.rect.center().0 < gutter.at;
    let own = &things[i];
    let mut others = things[gutter.start..gutter.end].iter().filter(|other| left(other) != left(own));
    !others.any(|other| other.rect.overlap_y(&own.rect) > 0.0)
}

/// Whether the last thing `i` of a gutter belongs to what stands below: it is nearer to it, or heads it.
fn belongs_below(things: &[Thing], gutter: &Gutter, i: usize) -> bool {
    let left = |thing: &Thing| thing.rect.center().0 < gutter.at;
    let last = &things[i];
    let before = things[gutter.start..i].iter().rev().find(|other| left(other) == left(last));
    let above = before.map_or(f32::MAX, |before| last.rect.top - before.rect.bottom);
    let nearer = things.get(gutter.end).is_some_and(|next| {
        next.rect.top - last.rect.bottom + 1.0 < above && next.rect.overlap_x(&last.rect) > 0.0
    });
    nearer || before.is_some_and(|before| is_heading(last, before))
}

/// The gutter without the rows at its ends that something crosses: these lie outside as a whole.
fn between_rows(things: &[Thing], mut gutter: Gutter) -> Gutter {
    // Large letters above a row reach into it.
    let beside = |a: &Thing, b: &Thing| {
        a.level().is_some() && b.level().is_some() && in_row(a, b) && a.rect.overlap_x(&b.rect) <= 0.0
    };
    while gutter.start > 0
        && gutter.start < gutter.end
        && beside(&things[gutter.start - 1], &things[gutter.start])
    {
        gutter.start += 1;
    }
    while gutter.end < things.len()
        && gutter.end > gutter.start
        && beside(&things[gutter.end - 1], &things[gutter.end])
    {
        gutter.end -= 1;
    }
    gutter
}

/// The gutter without what stands beside a table or a box that reaches over it.
fn between_frames(things: &[Thing], gutter: Gutter) -> Gutter {
    let reaches =
        |thing: &&Thing| thing.level().is_none() && keeps_free(thing, gutter.from, gutter.to).is_none();
    let middle = |thing: &Thing| thing.rect.center().1;
    let (above, below) = (things[..gutter.start].iter(), things[gutter.end..].iter());
    let top = above.filter(reaches).map(|thing| thing.rect.bottom).fold(f32::MIN, f32::max);
    let bottom = below.filter(reaches).map(|thing| thing.rect.top).fold(f32::MAX, f32::min);
    let band = &things[gutter.start..gutter.end];
    let start = gutter.start + band.partition_point(|thing| middle(thing) < top);
    let end = gutter.start + band.partition_point(|thing| middle(thing) <= bottom);
    Gutter { start, end: end.max(start), ..gutter }
}

/// The end of the first row of a gutter if each of its lines is one of the last of a paragraph above the gutter. The
/// paragraph may be that of a cell or of a column of another width.
fn last_row(things: &[Thing], gutter: &Gutter) -> Option<usize> {
    let first = things[gutter.start..gutter.end].first()?;
    let same_row = |thing: &&Thing| thing.rect.overlap_y(&first.rect) > SAME_ROW * first.rect.height();
    let row = things[gutter.start..gutter.end].iter().take_while(same_row).count();
    let (row, below) = things[gutter.start..gutter.end].split_at(row);
    let above = &things[gutter.start.saturating_sub(ROW)..gutter.start];
    let over = |belongs: &dyn Fn(&Thing, &Thing) -> bool| -> Option<Vec<usize>> {
        row.iter().map(|thing| above.iter().rposition(|above| belongs(above, thing))).collect()
    };
    let mut over = over(&joins).or_else(|| over(&|above, thing| lists(above, thing, below)))?;
    over.sort_unstable();
    over.dedup();
    let crossed = over.iter().any(|&i| keeps_free(&above[i], gutter.from, gutter.to).is_none());
    // A line by itself that goes on below is text beside a box.
    let ends = |thing: &Thing| !below.iter().take(ROW).any(|below| joins(thing, below));
    let last = row.len() > 1 || row.iter().all(ends);
    (over.len() == row.len() && crossed && last).then_some(gutter.start + row.len())
}

/// Whether `next` is the next entry of a list that `entry` stands in. It begins where that does, in letters as large.
/// What stands `below` is further away and begins elsewhere, or is set in other letters.
fn lists(entry: &Thing, next: &Thing, below: &[Thing]) -> bool {
    let (Some(above), Some(line)) = (entry.level(), next.level()) else { return false };
    let alike = |other: &Line| {
        (other.rect.left - line.rect.left).abs() < EDGE
            && (other.size() - line.size()).abs() < 0.1 * line.size()
    };
    let step = line.baseline() - above.baseline();
    let near = |other: &Thing| {
        let Some(other) = other.level() else { return false };
        alike(other) || other.baseline() - line.baseline() < LIST_STEP * step
    };
    let goes_on = below.iter().take(ROW).filter(|other| other.rect.top > next.rect.bottom);
    (0.0..LABEL_STEP * 2.0 * line.size()).contains(&step)
        && alike(above)
        && !is_numeric(next)
        && !goes_on.into_iter().any(near)
}

/// Whether `thing` looks like a heading below `before`.
fn is_heading(thing: &Thing, before: &Thing) -> bool {
    let (Some(line), Some(before)) = (thing.level(), before.level()) else { return false };
    line.size() > HEADING * before.size() || (line.bold() && !before.bold() && line.size() >= before.size())
}

/// Whether `below` is the next line of a paragraph that `above` stands in.
fn joins(above: &Thing, below: &Thing) -> bool {
    match (above.level(), below.level()) {
        (Some(above), Some(below)) => {
            let step = below.baseline() - above.baseline();
            above.rect.overlap_x(&below.rect) > 0.0
                && (0.0..STEP * above.size()).contains(&step)
                && flow::continues(above, below, above.rect.right)
        }
        _ => false,
    }
}

/// Whether the lines on the sides of a gutter are columns that are read one after the other.
fn parts_text(left: &[&Thing], right: &[&Thing]) -> bool {
    let beside = beside_gutter(left, right);
    let evidence = Evidence::of(&beside);
    evidence.speaks_for_columns() || evidence.is_running() && goes_across(&beside)
}

/// The columns next to a gutter: further off there may be columns of another kind.
fn beside_gutter<'t>(left: &[&'t Thing], right: &[&'t Thing]) -> Vec<Vec<&'t Line>> {
    thing::columns(left).pop().into_iter().chain(thing::columns(right).into_iter().next()).collect()
}
