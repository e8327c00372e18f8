//! Bands of a page: columns end at the height where others begin, or where the text of all of them begins anew.

use super::flow;
use super::geometry::{Rect, bounds};
use super::line::Line;
use super::number::is_number;
use super::thing::{Gutter, HEADING, STEP, Thing, columns, goes_across, median_size};
use std::cmp::Ordering;

/// Free height over both columns from which what follows is another band of the page (in letter sizes).
const BAND: f32 = 2.2;
/// The same where other columns follow or all columns begin anew.
const CLOSE_BAND: f32 = 0.9;
/// Ratio of a free stretch to the widest one between paragraphs from which columns end above it.
const ANEW: f32 = 1.2;
/// Columns that begin anew at one height from which they end above it: where the sentences go over to the right side,
/// and where they say nothing.
const PAIR: usize = 2;
const SURE: usize = 3;
/// Distance of the lines above and below a free stretch, in usual ones, up to which a blank line parts paragraphs.
const BLANK_LINE: f32 = 2.1;
/// Ratio of the distances to what stands below and above from which a line belongs to what is above.
const NEARER: f32 = 1.5;
/// Height above and below a free stretch in which the columns are looked at (in letter sizes).
const NEXT_LINES: f32 = 5.0;

/// The bands of the page that a gutter runs through. A free stretch over both sides parts two bands. Only headings
/// may stand at its end, unless the text of the sides continues below it.
pub(super) fn bands(page: &[Thing], gutter: Gutter, pictures: &[Rect]) -> Vec<Gutter> {
    let things = &page[gutter.start..gutter.end];
    let nearer_above = |i: &usize| is_nearer_above(&page[gutter.start..], *i);
    let size = median_size(things);
    let part = |start: usize, end: usize| gutter.between(gutter.start + start, gutter.start + end);
    let mut out = Vec::new();
    let (mut start, mut last) = (0, None);
    let mut top = f32::MIN;
    for (i, thing) in things.iter().enumerate() {
        if heads(things, i, size) {
            continue;
        }
        if let Some(last) = last {
            let stretch = Stretch { things, start, last, next: i, top, bottom: thing.rect.top, size, gutter };
            if stretch.parts(pictures) {
                let end = (last + 1..i).take_while(nearer_above).last().unwrap_or(last) + 1;
                out.push(part(start, end));
                start = end;
            }
        }
        top = top.max(thing.rect.bottom);
        last = Some(i);
    }
    // Headings at the end of a column head what stands below.
    let end = last.map_or(things.len(), |last| {
        (last + 1..things.len()).take_while(nearer_above).last().unwrap_or(last) + 1
    });
    out.push(part(start, end));
    out
}

/// Whether the large line `i` stands close below what is over it and far above what follows, as a figure under a text
/// does.
fn is_nearer_above(things: &[Thing], i: usize) -> bool {
    let own = &things[i].rect;
    let near = |distance: &dyn Fn(&Rect) -> f32, others: &mut dyn Iterator<Item = &Thing>| {
        let distances =
            others.filter(|other| other.rect.overlap_x(own) > 0.0).map(|other| distance(&other.rect));
        distances.fold(f32::MAX, f32::min)
    };
    let above = near(&|other| own.top - other.bottom, &mut things[..i].iter());
    let below = near(&|other| other.top - own.bottom, &mut things[i + 1..].iter());
    NEARER * above < below
}

/// Whether thing `i` is a heading among letters of `size`: no key figure, and no line of a quotation.
fn heads(things: &[Thing], i: usize, size: f32) -> bool {
    is_large(&things[i], size) && !is_quoted(things, i)
}

/// Whether a thing is a line in larger letters than `size`, and no key figure.
fn is_large(thing: &Thing, size: f32) -> bool {
    thing.level().is_some_and(|line| line.size() > HEADING * size) && !is_figure(thing)
}

fn is_figure(thing: &Thing) -> bool {
    thing.level().is_some_and(|line| is_number(&line.text()))
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

/// Height beside a gutter that no text fills, headings aside.
struct Stretch<'t> {
    things: &'t [Thing],
    /// The first and the last thing of the band above it, and the first one below it.
    start: usize,
    last: usize,
    next: usize,
    /// Where it begins and ends (points).
    top: f32,
    bottom: f32,
    /// Size of the letters of the text.
    size: f32,
    gutter: Gutter,
}

impl<'t> Stretch<'t> {
    fn above(&self) -> &'t [Thing] {
        &self.things[self.start..=self.last]
    }

    fn below(&self) -> &'t [Thing] {
        &self.things[self.next..]
    }

    /// Whether a band ends above it and another one begins below.
    fn parts(&self, pictures: &[Rect]) -> bool {
        if self.bottom - self.top <= CLOSE_BAND * self.size {
            return false;
        }
        let wide = self.bottom - self.top > BAND * self.size
            && self.free(pictures) > BAND * self.size
            && !self.is_around_quotation();
        // Over a heading no sentence continues.
        if self.changes_columns() || wide && self.is_headed() {
            return true;
        }
        match self.direction() {
            Ordering::Less => false,
            Ordering::Equal => {
                let lines = if self.ends_sentences() { BLANK_LINE } else { 0.0 };
                wide && self.may_end_sentences() || self.begun_anew(lines) >= SURE
            }
            Ordering::Greater => wide || self.begun_anew(0.0) >= PAIR,
        }
    }

    /// Whether a quotation in larger letters stands above or below it: the room around that is its own.
    fn is_around_quotation(&self) -> bool {
        [self.last, self.next]
            .iter()
            .any(|&i| is_large(&self.things[i], self.size) && is_quoted(self.things, i))
    }

    /// Its most height that is free of pictures: one across it parts what stands above and below as free height does.
    fn free(&self, pictures: &[Rect]) -> f32 {
        let gutter = &self.gutter;
        let (mut most, mut from) = (0.0_f32, self.top);
        let beside = |picture: &&Rect| {
            picture.bottom > self.top
                && picture.top < self.bottom
                && (picture.right <= gutter.to || picture.left >= gutter.from)
        };
        for picture in pictures.iter().filter(beside) {
            most = most.max(picture.top - from);
            from = from.max(picture.bottom);
        }
        most.max(self.bottom - from)
    }

    /// Whether headings stand in it, all of them on the left side.
    fn is_headed(&self) -> bool {
        let headings = &self.things[self.last + 1..self.next];
        !headings.is_empty() && headings.iter().all(|thing| thing.rect.left < self.gutter.at)
    }

    /// Whether the sentences go on better below it (less) or on the right side (greater).
    fn direction(&self) -> Ordering {
        let at = self.gutter.at;
        let (above, below) = (Sides::of(self.above(), at, self.size), Sides::of(self.below(), at, self.size));
        above.over(&below).cmp(&above.down(&below))
    }

    /// Whether the text on both sides above it ends with its sentences, as paragraphs do.
    fn ends_sentences(&self) -> bool {
        let above = Sides::of(self.above(), self.gutter.at, self.size);
        let ends = |side: Option<(&Line, &Line)>| side.is_some_and(|(_, end)| flow::ends_sentence(end));
        ends(above.left) && ends(above.right)
    }

    /// Whether the sentences, where they do not say how they go on, allow that a band ends.
    fn may_end_sentences(&self) -> bool {
        goes_over(self.above(), self.gutter.at) || !goes_over(&self.things[self.start..], self.gutter.at)
    }

    /// Whether one column on one side of it stands over or under several on the other side.
    fn changes_columns(&self) -> bool {
        let (above, below) = (self.above(), self.below());
        // Only next to it: further off there may be a third kind of columns.
        let bottom = above.iter().map(|thing| thing.rect.bottom).fold(f32::MIN, f32::max);
        let top = below.iter().map(|thing| thing.rect.top).fold(f32::MAX, f32::min);
        let reach = NEXT_LINES * self.size;
        let start = above.iter().position(|thing| thing.rect.bottom > bottom - reach).unwrap_or(0);
        let end = below.iter().position(|thing| thing.rect.top > top + reach).unwrap_or(below.len());
        let (above, below) = (self.columns(&above[start..]), self.columns(&below[..end]));
        let spans = |one: &Rect, others: &[Rect]| {
            others.iter().filter(|other| one.overlap_x(other) > self.size).count() > 1
        };
        above.iter().any(|one| spans(one, &below)) || below.iter().any(|one| spans(one, &above))
    }

    /// Where the columns of text of a part stand.
    fn columns(&self, part: &[Thing]) -> Vec<Rect> {
        let lines: Vec<&Thing> = part.iter().filter(|thing| is_text(thing, self.size)).collect();
        columns(&lines).iter().filter_map(|lines| bounds(lines.iter().map(|line| &line.rect))).collect()
    }

    /// How many columns begin again at one height below it: all of them or none. They stand further off from what is
    /// above than paragraphs are from each other, and than `least` lines are.
    fn begun_anew(&self, least: f32) -> usize {
        let lines: Vec<&Thing> = self.things.iter().filter(|thing| is_text(thing, self.size)).collect();
        let top = self.things[self.next].rect.center().1;
        let (mut first, mut usual) = (Vec::new(), 0.0_f32);
        let (mut line, mut free) = (f32::MAX, f32::MAX);
        for column in columns(&lines) {
            for pair in column.windows(2) {
                let step = pair[1].baseline() - pair[0].baseline();
                if pair[0].rect.center().1 < top && pair[1].rect.center().1 >= top - 0.1 * self.size {
                    first.push(pair[1].baseline());
                    free = free.min(step);
                } else {
                    usual = usual.max(pair[1].rect.top - pair[0].rect.bottom);
                    line = line.min(step);
                }
            }
        }
        let together = first.windows(2).all(|pair| (pair[0] - pair[1]).abs() < 0.1 * self.size);
        let apart = self.bottom - self.top > ANEW * usual && free > least * line;
        if together && apart { first.len() } else { 0 }
    }
}

/// Whether a thing is a line in letters of `size`.
fn is_text(thing: &Thing, size: f32) -> bool {
    thing.level().is_some_and(|line| (line.size() - size).abs() < 0.05 * size)
}

/// The first and last lines of running text on both sides of a gutter.
#[derive(Default)]
pub(super) struct Sides<'t> {
    pub(super) left: Option<(&'t Line, &'t Line)>,
    pub(super) right: Option<(&'t Line, &'t Line)>,
}

impl<'t> Sides<'t> {
    /// Those of `things` in letters of `size`, in the columns next to the gutter.
    pub(super) fn of(things: &'t [Thing], at: f32, size: f32) -> Self {
        let (left, right): (Vec<&Thing>, Vec<&Thing>) =
            things.iter().filter(|thing| is_text(thing, size)).partition(|thing| thing.rect.center().0 < at);
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

pub(super) fn link(end: &Line, start: &Line) -> i32 {
    let lower = start.words.first().is_some_and(|word| word.text.starts_with(char::is_lowercase));
    match (flow::ends_sentence(end), lower) {
        (false, true) => 1,
        (true, false) => 0,
        _ => -1,
    }
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
