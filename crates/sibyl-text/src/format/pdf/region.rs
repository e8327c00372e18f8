//! Regions of a page without tags: what stands side by side is told apart before anything is taken for a table.
//!
//! A page is cut along the gutter with the most lines on both sides into what stands above the columns, the left side, the
//! right side and what stands below, and each part is cut again. A gutter counts where the lines beside it are running text
//! ([`Evidence`]); the gaps between the cells of a table are none.

use super::block::Block;
use super::evidence::Evidence;
use super::flow;
use super::geometry::{Rect, bounds};
use super::key_figure;
use super::line::Line;
use super::table::Table;
use std::cmp::Ordering;
use std::ops::Range;

/// Narrowest gutter (points, and in letter sizes).
const MIN_GUTTER: f32 = 5.0;
const GUTTER: f32 = 0.55;
/// Fewest lines on either side of a gutter.
const MIN_SIDE: usize = 2;
/// Things on a page beyond which no gutters are sought.
const MAX_THINGS: usize = 1_500;
/// Depth of regions in each other.
const MAX_DEPTH: usize = 40;
/// Distance between baselines within a paragraph (in letter sizes).
const STEP: f32 = 1.6;
/// Free height over both columns from which what follows is another band of the page (in letter sizes).
const BAND: f32 = 2.2;
/// Share of their height from which two lines stand in one row.
const SAME_ROW: f32 = 0.4;
/// Ratio to the letters of its band from which a line is a heading there.
const HEADING: f32 = 1.2;

/// Most things side by side.
const ROW: usize = 12;
/// Distance within which lines begin at the edge of one column (points).
const EDGE: f32 = 2.0;
/// Longest distance between the lines of the label of a key figure (in letter sizes).
const LABEL_STEP: f32 = 1.6;

/// Something on a page with its place.
pub(super) struct Thing {
    pub(super) rect: Rect,
    pub(super) content: Content,
}

pub(super) enum Content {
    /// A line with the number of its row.
    Line(usize, Line),
    /// A line that does not run from left to right.
    Turned(Line),
    Table(Table),
    /// What stands in a frame, in its own order.
    Blocks(Vec<Block>),
}

impl Thing {
    pub(super) fn line(row: usize, line: Line) -> Self {
        Self { rect: line.rect, content: Content::Line(row, line) }
    }

    /// The line that it is, if it is one that runs from left to right.
    pub(super) fn level(&self) -> Option<&Line> {
        if let Content::Line(_, line) = &self.content { Some(line) } else { None }
    }

    fn size(&self) -> f32 {
        self.level().map_or(10.0, Line::size)
    }
}

/// The regions of a page in reading order; `settle` takes out of each what can be recognised before it is cut further,
/// such as its tables.
pub(super) fn regions(
    things: Vec<Thing>,
    pictures: &[Rect],
    settle: &dyn Fn(Vec<Thing>) -> Vec<Thing>,
) -> Vec<Vec<Thing>> {
    let mut out = Vec::new();
    divide(things, pictures, settle, 0, &mut out);
    out
}

fn divide(
    things: Vec<Thing>,
    pictures: &[Rect],
    settle: &dyn Fn(Vec<Thing>) -> Vec<Thing>,
    depth: usize,
    out: &mut Vec<Vec<Thing>>,
) {
    if things.is_empty() {
        return;
    }
    let mut things = settle(things);
    let middle = |thing: &Thing| thing.rect.center().1;
    things.sort_by(|a, b| middle(a).total_cmp(&middle(b)).then(a.rect.left.total_cmp(&b.rect.left)));
    if let Some(figures) = figures(&things).filter(|figures| figures.len() < things.len()) {
        let below = things.split_off(figures.end);
        let band = things.split_off(figures.start);
        divide(things, pictures, settle, depth + 1, out);
        out.push(band);
        divide(below, pictures, settle, depth + 1, out);
        return;
    }
    let gutter = if things.len() <= MAX_THINGS && depth < MAX_DEPTH { best(&things, pictures) } else { None };
    let Some(gutter) = gutter else {
        out.push(things);
        return;
    };
    let below = things.split_off(gutter.end);
    let band = things.split_off(gutter.start);
    let (left, right): (Vec<Thing>, Vec<Thing>) =
        band.into_iter().partition(|thing| thing.rect.center().0 < gutter.at);
    for part in [things, left, right, below] {
        divide(part, pictures, settle, depth + 1, out);
    }
}

/// The things that a row of key figures consists of: numbers side by side, each with its label below it. Nothing else
/// stands at their height.
fn figures(things: &[Thing]) -> Option<Range<usize>> {
    if things.len() > MAX_THINGS {
        return None;
    }
    let number = |thing: &Thing| thing.level().is_some_and(|line| key_figure::is_number(&line.text()));
    let numbers: Vec<usize> = (0..things.len()).filter(|&i| number(&things[i])).collect();
    numbers.iter().find_map(|&first| {
        let size = things[first].size();
        let row: Vec<usize> =
            numbers.iter().copied().filter(|&i| in_row(&things[first], &things[i])).collect();
        let alike = row.iter().all(|&i| (things[i].size() - size).abs() < 0.1 * size);
        if row.len() < 2 || !alike || row[0] != first {
            return None;
        }
        let mut own = row.clone();
        for &number in &row {
            let labels = label(things, number, &row);
            if labels.is_empty() {
                return None;
            }
            own.extend(labels);
        }
        let band = bounds(own.iter().map(|&i| &things[i].rect))?;
        own.sort_unstable();
        let inside = |thing: &Thing| (band.top..=band.bottom).contains(&thing.rect.center().1);
        let held = (0..things.len()).filter(|&i| inside(&things[i]));
        let range = own[0]..own[own.len() - 1] + 1;
        (held.eq(own.iter().copied()) && !stand_in_columns(things, &range, &row)).then_some(range)
    })
}

/// Whether the numbers `row` stand in columns of text by chance side by side: the text of each goes on below them.
fn stand_in_columns(things: &[Thing], range: &Range<usize>, row: &[usize]) -> bool {
    let (above, below) = (&things[..range.start], &things[range.end..]);
    let size = median_size(things);
    let mut lefts: Vec<f32> = row.iter().map(|&i| things[i].rect.left).collect();
    lefts.sort_by(f32::total_cmp);
    let at = lefts[1] - EDGE;
    let (over, under) = (Sides::of(above, at, size), Sides::of(below, at, size));
    let in_place = |line: &Line, left: f32| (line.rect.left - left).abs() < EDGE;
    let (Some((_, left)), Some((_, right)), Some((down, _)), Some((across, _))) =
        (over.left, over.right, under.left, under.right)
    else {
        return false;
    };
    match (link(left, down) + link(right, across)).cmp(&link(right, down)) {
        Ordering::Greater => true,
        Ordering::Less => false,
        Ordering::Equal => [(left, lefts[0]), (right, lefts[1]), (down, lefts[0]), (across, lefts[1])]
            .into_iter()
            .all(|(line, left)| in_place(line, left)),
    }
}

/// Size of the letters of most things (points).
fn median_size(things: &[Thing]) -> f32 {
    let mut sizes: Vec<f32> = things.iter().map(Thing::size).collect();
    sizes.sort_by(f32::total_cmp);
    sizes.get(sizes.len() / 2).copied().unwrap_or(0.0)
}

fn in_row(a: &Thing, b: &Thing) -> bool {
    a.rect.overlap_y(&b.rect) > SAME_ROW * a.rect.height().min(b.rect.height())
}

/// The lines of the label below the number `number` of a row; none where what stands there is no label.
fn label(things: &[Thing], number: usize, row: &[usize]) -> Vec<usize> {
    let (figure, size) = (things[number].rect, things[number].size());
    let mut out: Vec<usize> = Vec::new();
    let mut words = 0;
    for (i, thing) in things.iter().enumerate().skip(number + 1) {
        let Some(line) = thing.level() else { continue };
        let last = out.last().and_then(|&last| things[last].level());
        let near = match last {
            None => (-0.5 * size..key_figure::REACH * size).contains(&(line.rect.top - figure.bottom)),
            Some(last) => {
                (0.5 * last.size()..LABEL_STEP * last.size()).contains(&(line.baseline() - last.baseline()))
                    && (line.size() - last.size()).abs() < 0.1 * last.size()
            }
        };
        let below = |other: &Rect| line.rect.overlap_x(other) > 0.0;
        if !near || !below(&figure) || size < key_figure::LARGER * line.size() {
            continue;
        }
        if row.iter().any(|&other| other != number && below(&things[other].rect)) {
            return Vec::new();
        }
        words += line.words.len();
        out.push(i);
    }
    if words <= key_figure::LABEL { out } else { Vec::new() }
}

/// A stretch of free page from the thing `start` to before the thing `end`, with its middle at `at`.
#[derive(Debug, Clone, Copy)]
struct Gutter {
    start: usize,
    end: usize,
    from: f32,
    to: f32,
    at: f32,
    /// Lines on the side with fewer of them, where both have some.
    support: usize,
}

/// The gutter with the most lines on both sides that parts columns of text.
fn best(things: &[Thing], pictures: &[Rect]) -> Option<Gutter> {
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
    let mut bands: Vec<Gutter> = found
        .into_iter()
        .flat_map(|gutter| bands(things, gutter, pictures))
        .filter_map(|gutter| trimmed(things, gutter))
        .collect();
    bands.sort_by(|a, b| b.support.cmp(&a.support).then((b.to - b.from).total_cmp(&(a.to - a.from))));
    bands.into_iter().find(|gutter| parts_text(things, gutter))
}

/// The next thing to the right at the same height.
fn neighbour(things: &[Thing], i: usize) -> Option<(usize, &Thing)> {
    let own = &things[i].rect;
    let beside = things.iter().enumerate().filter(|(_, other)| {
        let shared = other.rect.overlap_y(own);
        other.rect.left >= own.right && shared > 0.4 * other.rect.height().min(own.height())
    });
    beside.min_by(|a, b| a.1.rect.left.total_cmp(&b.1.rect.left))
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

impl Gutter {
    fn sides<'t>(&self, things: &'t [Thing]) -> (Vec<&'t Thing>, Vec<&'t Thing>) {
        things[self.start..self.end].iter().partition(|thing| thing.rect.center().0 < self.at)
    }

    /// The same with its support: lines that stand where both sides have some.
    fn counted(mut self, things: &[Thing]) -> Self {
        let (left, right) = self.sides(things);
        let extent = |side: &[&Thing]| bounds(side.iter().map(|thing| &thing.rect));
        let (Some(l), Some(r)) = (extent(&left), extent(&right)) else { return self };
        let (top, bottom) = (l.top.max(r.top), l.bottom.min(r.bottom));
        let inside = |side: &[&Thing]| {
            side.iter().filter(|thing| (top..=bottom).contains(&thing.rect.center().1)).count()
        };
        self.support = inside(&left).min(inside(&right));
        self
    }
}

/// The gutter without the lines at its ends that belong to what crosses the page above or below it.
fn trimmed(things: &[Thing], mut gutter: Gutter) -> Option<Gutter> {
    let alone = |gutter: &Gutter, i: usize| {
        let left = things[i].rect.center().0 < gutter.at;
        !things[gutter.start..gutter.end].iter().any(|other| {
            (other.rect.center().0 < gutter.at) != left && other.rect.overlap_y(&things[i].rect) > 0.0
        })
    };
    // A row that something crosses lies outside as a whole.
    let beside = |a: &Thing, b: &Thing| {
        let both_lines = a.level().is_some() && b.level().is_some();
        both_lines && a.rect.overlap_y(&b.rect) > SAME_ROW * a.rect.height().min(b.rect.height())
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
    // So does a row whose lines all are the last ones of cells or columns of other widths above.
    while let Some(end) = continued_row(things, &gutter) {
        gutter.start = end;
    }
    while gutter.start > 0
        && gutter.start < gutter.end
        && alone(&gutter, gutter.start)
        && joins(&things[gutter.start - 1], &things[gutter.start])
    {
        gutter.start += 1;
    }
    while gutter.end > gutter.start && alone(&gutter, gutter.end - 1) {
        let last = &things[gutter.end - 1];
        let left = last.rect.center().0 < gutter.at;
        let before = things[gutter.start..gutter.end - 1]
            .iter()
            .rev()
            .find(|other| (other.rect.center().0 < gutter.at) == left);
        let above = before.map_or(f32::MAX, |before| last.rect.top - before.rect.bottom);
        let nearer = things.get(gutter.end).is_some_and(|next| {
            next.rect.top - last.rect.bottom + 1.0 < above && next.rect.overlap_x(&last.rect) > 0.0
        });
        if nearer || before.is_some_and(|before| is_heading(last, before)) {
            gutter.end -= 1;
        } else {
            break;
        }
    }
    let gutter = gutter.counted(things);
    (gutter.support >= MIN_SIDE).then_some(gutter)
}

/// The end of the first row of a gutter where each of its lines is the next one of a paragraph above the gutter.
fn continued_row(things: &[Thing], gutter: &Gutter) -> Option<usize> {
    let first = things[gutter.start..gutter.end].first()?;
    let same_row = |thing: &&Thing| thing.rect.overlap_y(&first.rect) > SAME_ROW * first.rect.height();
    let row = things[gutter.start..gutter.end].iter().take_while(same_row).count();
    let above = &things[gutter.start.saturating_sub(ROW)..gutter.start];
    let mut over: Vec<usize> = Vec::new();
    for thing in &things[gutter.start..gutter.start + row] {
        over.push(above.iter().rposition(|above| joins(above, thing))?);
    }
    over.sort_unstable();
    over.dedup();
    let crossed = over.iter().any(|&i| keeps_free(&above[i], gutter.from, gutter.to).is_none());
    (row > 1 && over.len() == row && crossed).then_some(gutter.start + row)
}

/// The bands of the page that a gutter runs through: a free stretch over both sides parts two of them, at whose end only
/// headings may stand, unless the text of the sides continues below it.
fn bands(things: &[Thing], gutter: Gutter, pictures: &[Rect]) -> Vec<Gutter> {
    let band = &things[gutter.start..gutter.end];
    let size = median_size(band);
    let large = |thing: &Thing| thing.level().is_some_and(|line| line.size() > HEADING * size);
    let text = |part: &Range<usize>| Sides::of(&band[part.clone()], gutter.at, size);
    let mut out = Vec::new();
    let (mut start, mut last) = (0, None);
    let mut bottom = f32::MAX;
    for (i, thing) in band.iter().enumerate() {
        if large(thing) && !is_quoted(band, i) {
            continue;
        }
        if let Some(last) = last
            && thing.rect.top - bottom > BAND * size
            && free(bottom, thing.rect.top, gutter, pictures) > BAND * size
            // Over a heading no sentence continues.
            && (is_headed(&band[last + 1..i], gutter.at) || {
                let (above, below) = (text(&(start..last + 1)), text(&(i..band.len())));
                match above.down(&below).cmp(&above.over(&below)) {
                    Ordering::Greater => false,
                    Ordering::Less => true,
                    Ordering::Equal => goes_over(&band[start..=last], gutter.at) || !goes_over(&band[start..], gutter.at),
                }
            })
        {
            out.push(Gutter { start: gutter.start + start, end: gutter.start + last + 1, ..gutter });
            start = last + 1;
        }
        bottom = if bottom == f32::MAX { thing.rect.bottom } else { bottom.max(thing.rect.bottom) };
        last = Some(i);
    }
    // Headings at the end of a column head what stands below.
    let end = last.map_or(gutter.end, |last| gutter.start + last + 1);
    out.push(Gutter { start: gutter.start + start, end, ..gutter });
    out
}

/// The most height between `top` and `bottom` that is free of pictures beside a gutter: one across it parts what stands above and
/// below as free height does.
fn free(top: f32, bottom: f32, gutter: Gutter, pictures: &[Rect]) -> f32 {
    let (mut most, mut from) = (0.0_f32, top);
    let beside = |picture: &&Rect| {
        picture.bottom > top
            && picture.top < bottom
            && (picture.right <= gutter.to || picture.left >= gutter.from)
    };
    for picture in pictures.iter().filter(beside) {
        most = most.max(picture.top - from);
        from = from.max(picture.bottom);
    }
    most.max(bottom - from)
}

/// Whether the large line `i` belongs to a sentence, as that of a quotation does and that of a heading does not.
fn is_quoted(band: &[Thing], i: usize) -> bool {
    let Some(mut end) = band[i].level() else { return false };
    for line in band[i + 1..].iter().filter_map(Thing::level) {
        let step = line.baseline() - end.baseline();
        if step > STEP * end.size() {
            break;
        }
        let alike = (line.size() - end.size()).abs() < 0.05 * end.size();
        if alike && step > 0.5 * end.size() && line.rect.overlap_x(&end.rect) > 0.0 {
            end = line;
        }
    }
    flow::ends_sentence(end)
}

/// The first and last lines of running text on both sides of a gutter.
#[derive(Default)]
struct Sides<'t> {
    left: Option<(&'t Line, &'t Line)>,
    right: Option<(&'t Line, &'t Line)>,
}

impl<'t> Sides<'t> {
    /// Those of `things` in letters of `size`, in the columns next to the gutter.
    fn of(things: &'t [Thing], at: f32, size: f32) -> Self {
        let (left, right): (Vec<&Thing>, Vec<&Thing>) = things
            .iter()
            .filter(|thing| thing.level().is_some_and(|line| (line.size() - size).abs() < 0.05 * size))
            .partition(|thing| thing.rect.center().0 < at);
        let ends = |column: Option<Vec<&'t Line>>| {
            let column = column?;
            Some((*column.first()?, *column.last()?))
        };
        Self { left: ends(columns(&left).pop()), right: ends(columns(&right).into_iter().next()) }
    }

    /// How well the sentences go on from each side to what stands `below` on it, and from there to the right side.
    fn down(&self, below: &Self) -> i32 {
        let up = links(below.left.or(self.left), self.right);
        links(self.left, below.left) + links(self.right, below.right) + up
    }

    /// How well they go on from the left side to the right one, first above and then `below`.
    fn over(&self, below: &Self) -> i32 {
        let next = below.left.or(below.right);
        links(self.left, self.right) + links(self.right, next) + links(below.left, below.right)
    }
}

/// Whether the end of one text and the start of another make a sentence (1), contradict each other (-1) or say nothing.
fn links(from: Option<(&Line, &Line)>, to: Option<(&Line, &Line)>) -> i32 {
    from.zip(to).map_or(0, |((_, end), (start, _))| link(end, start))
}

fn link(end: &Line, start: &Line) -> i32 {
    let lower = start.words.first().is_some_and(|word| word.text.starts_with(char::is_lowercase));
    match (flow::ends_sentence(end), lower) {
        (false, true) => 1,
        (true, false) => 0,
        _ => -1,
    }
}

/// Whether one of the large lines between two parts of a band is their heading: it stands on the left side alone, and is no
/// number.
fn is_headed(large: &[Thing], at: f32) -> bool {
    let number = |thing: &Thing| thing.level().is_some_and(|line| key_figure::is_number(&line.text()));
    large.iter().all(|thing| thing.rect.left < at) && large.iter().any(|thing| !number(thing))
}

/// Whether the text at the end of the left side of a band continues at the top of the right side.
fn goes_over(band: &[Thing], at: f32) -> bool {
    let (left, right): (Vec<&Thing>, Vec<&Thing>) = band.iter().partition(|thing| thing.rect.center().0 < at);
    let (Some(left), Some(right)) = (columns(&left).pop(), columns(&right).into_iter().next()) else {
        return false;
    };
    let Some(top) = right.first() else { return false };
    // What is set in other letters, such as a heading or a figure, is no part of the text.
    let text: Vec<&Line> =
        left.into_iter().filter(|line| (line.size() - top.size()).abs() < 0.05 * top.size()).collect();
    text.last().is_some_and(|end| !flow::ends_sentence(end)) && goes_across(&[text, right])
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
fn parts_text(things: &[Thing], gutter: &Gutter) -> bool {
    let (left, right) = gutter.sides(things);
    // Only what stands next to the gutter: further off there may be columns of another kind.
    let beside: Vec<Vec<&Line>> =
        columns(&left).pop().into_iter().chain(columns(&right).into_iter().next()).collect();
    let evidence = Evidence::of(&beside);
    evidence.speaks_for_columns() || evidence.is_running() && goes_across(&beside)
}

/// Whether the last line of a column leaves a sentence open that the first line of the next one continues.
fn goes_across(columns: &[Vec<&Line>]) -> bool {
    let [left, right] = columns else { return false };
    let (Some(end), Some(start)) = (left.last(), right.first()) else { return false };
    let lower = start.words.first().is_some_and(|word| word.text.starts_with(char::is_lowercase));
    let alike = (end.size() - start.size()).abs() < 0.05 * start.size() && end.bold() == start.bold();
    lower && alike && end.words.len() > 1 && flow::is_open(end, start)
}

/// The lines of one side in columns: lines that share width stand in one.
fn columns<'t>(side: &[&'t Thing]) -> Vec<Vec<&'t Line>> {
    let mut lines: Vec<&Line> = side.iter().filter_map(|thing| thing.level()).collect();
    // Narrow lines make the columns; wide ones may cross several and stand in the first.
    lines.sort_by(|a, b| a.rect.left.total_cmp(&b.rect.left));
    let mut out: Vec<(Rect, Vec<&Line>)> = Vec::new();
    for line in lines {
        match out.iter_mut().find(|(rect, _)| rect.overlap_x(&line.rect) > 1.0) {
            Some((rect, column)) => {
                *rect = rect.union(&line.rect);
                column.push(line);
            }
            None => out.push((line.rect, vec![line])),
        }
    }
    let mut columns: Vec<Vec<&Line>> = out.into_iter().map(|(_, column)| column).collect();
    for column in &mut columns {
        column.sort_by(|a, b| a.baseline().total_cmp(&b.baseline()));
    }
    columns
}
