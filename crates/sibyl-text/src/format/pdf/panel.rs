//! Panels: filled boxes side by side, and the rules within one, part what stands on them, as cards on a table are parted.

use super::geometry::{Rect, bounds};
use super::key_figure;
use super::line::Line;
use super::metrics::SNAP;
use super::number::is_number;
use super::ruling::{Painted, Ruling};
use super::thing::{Gutter, Thing};
use super::word::Word;
use crate::language::cell::Kind;

/// Smallest panel (points), and the height from which one row of panels shows columns.
const WIDTH: f32 = 50.0;
const HEIGHT: f32 = 8.0;
const TALL: f32 = 100.0;
/// Widest room between panels (points).
const GAP: f32 = 20.0;
/// Filled boxes of a page beyond which it is a drawing.
const MAX_PANELS: usize = 300;
/// How far a line may run over the side of its panel (in letter sizes).
const OVER: f32 = 1.5;
/// Free height below panels from which what follows is no part of them (in letter sizes).
const BELOW: f32 = 2.2;
/// Share of the width of a part of a page that a rule across it covers.
const ACROSS: f32 = 0.7;
/// Shortest rule (points).
const RULE: f32 = 20.0;
/// Fewest labels that cards have in common.
const LABELS: usize = 2;
/// Fewest words of a panel.
const WORDS: usize = 8;
/// Least width and height of a picture (points), and pictures of a page beyond which it is a drawing.
const PICTURE: f32 = 20.0;
const MAX_PICTURES: usize = 200;

/// What parts a page apart from the words on it.
#[derive(Debug, Clone, Default)]
pub(super) struct Shapes {
    /// What fills room without a word.
    pub(super) pictures: Vec<Rect>,
    /// Sides of panels.
    pub(super) sides: Vec<Side>,
    /// Rules across a panel, as heights and from where to where they reach.
    pub(super) across: Vec<Ruling>,
}

/// Where two panels meet: at `at`, on the boxes side by side that `rect` holds.
#[derive(Debug, Clone, Copy)]
pub(super) struct Side {
    at: f32,
    rect: Rect,
}

/// A place at which a part of a page is parted.
pub(super) enum Parting {
    /// Before the thing of this number.
    Across(usize),
    /// Between panels, of which `cards` have the same parts each: no column of them names the rows of the others.
    Down { gutter: Gutter, cards: bool },
}

/// Those of the images and filled boxes of a page that are pictures: no word stands in them.
pub(super) fn pictures(mut painted: Vec<Rect>, words: &[Word]) -> Vec<Rect> {
    painted.retain(|rect| rect.width().min(rect.height()) >= PICTURE);
    painted.sort_by(|a, b| a.top.total_cmp(&b.top).then(a.left.total_cmp(&b.left)));
    painted.dedup();
    if painted.len() > MAX_PICTURES {
        return Vec::new();
    }
    painted.retain(|rect| !words.iter().any(|word| rect.holds(word.rect.center(), 0.0)));
    painted
}

/// The sides at which the filled boxes of a page meet: in several rows of them, or in one of tall ones.
pub(super) fn sides(painted: &[Painted]) -> Vec<Side> {
    let filled = |one: &&Painted| {
        let (width, height) = (one.rect.width(), one.rect.height());
        !one.clips && !one.ink.is_white() && width >= WIDTH && height >= HEIGHT
    };
    let mut boxes: Vec<Rect> = painted.iter().filter(filled).map(|one| one.rect).collect();
    boxes.sort_by(|a, b| a.top.total_cmp(&b.top).then(a.left.total_cmp(&b.left)));
    boxes.dedup();
    if boxes.len() > MAX_PANELS {
        return Vec::new();
    }
    let mut out: Vec<(Side, Vec<f32>)> = Vec::new();
    for left in &boxes {
        let row: Vec<&Rect> = boxes.iter().filter(|other| in_row(left, other)).collect();
        let meets = |right: &&&Rect| (-SNAP..GAP).contains(&(right.left - left.right));
        let (Some(right), Some(rect)) = (row.iter().find(meets), bounds(row.iter().copied())) else {
            continue;
        };
        let at = (left.right + right.left) / 2.0;
        match out.iter_mut().find(|(side, _)| near(side.at, at)) {
            Some((side, tops)) => {
                side.rect = side.rect.union(&rect);
                tops.push(left.top);
            }
            None => out.push((Side { at, rect }, vec![left.top])),
        }
    }
    let shows = |(side, tops): &(Side, Vec<f32>)| {
        let rows = tops.windows(2).filter(|pair| !near(pair[0], pair[1])).count() + 1;
        rows > 1 || side.rect.height() >= TALL
    };
    out.into_iter().filter(shows).map(|(side, _)| side).collect()
}

fn near(a: f32, b: f32) -> bool {
    (a - b).abs() <= SNAP
}

fn in_row(a: &Rect, b: &Rect) -> bool {
    near(a.top, b.top) && near(a.bottom, b.bottom)
}

/// The rules that part what stands in a panel of `rect`: those that are no sides of it.
pub(super) fn rules_within(rulings: &[Ruling], rect: &Rect) -> (Vec<Side>, Vec<Ruling>) {
    let within = |rule: &&Ruling| {
        let (side, range) = if rule.horizontal {
            (rule.at, (rect.top, rect.bottom))
        } else {
            (rule.at, (rect.left, rect.right))
        };
        let (from, to) = if rule.horizontal { (rect.left, rect.right) } else { (rect.top, rect.bottom) };
        side > range.0 + SNAP
            && side < range.1 - SNAP
            && rule.from > from - SNAP
            && rule.to < to + SNAP
            && rule.to - rule.from >= RULE
    };
    let (across, down): (Vec<&Ruling>, Vec<&Ruling>) =
        rulings.iter().filter(within).partition(|rule| rule.horizontal);
    let side = |rule: &&Ruling| Side { at: rule.at, rect: Rect { top: rule.from, bottom: rule.to, ..*rect } };
    (down.iter().map(side).collect(), across.into_iter().copied().collect())
}

/// Whether a rule stands between pieces of a panel.
pub(super) fn is_divided(rect: &Rect, rulings: &[Ruling]) -> bool {
    !rules_within(rulings, rect).0.is_empty()
}

/// Whether a cell of a grid, of lines in fragments, is a panel of a page. Pieces then stand side by side in it, and
/// one of them is a key figure.
pub(super) fn is_panel(fragments: &[(usize, Line)]) -> bool {
    let Some(usual) = usual_size(fragments.iter().map(|(_, line)| line)) else { return false };
    let words: usize = fragments.iter().map(|(_, line)| line.words.len()).sum();
    words >= WORDS
        && fragments.windows(2).any(|pair| pair[0].0 == pair[1].0)
        && fragments.iter().any(|(_, line)| is_figure(line, usual))
}

impl Shapes {
    /// Adds what parts a panel.
    pub(super) fn add(&mut self, panel: &Self) {
        self.sides.extend(&panel.sides);
        self.across.extend(&panel.across);
    }

    /// Whether one of them stands between two boxes.
    pub(super) fn part(&self, a: &Rect, b: &Rect) -> bool {
        let (upper, lower) = if a.center().1 < b.center().1 { (a, b) } else { (b, a) };
        let (left, right) = if a.center().0 < b.center().0 { (a, b) } else { (b, a) };
        let across = |rule: &Ruling| {
            let reaches = |rect: &Rect| rule.from < rect.right && rule.to > rect.left;
            (upper.bottom - SNAP..lower.top + SNAP).contains(&rule.at) && reaches(a) && reaches(b)
        };
        let down = |side: &Side| {
            let (from, to) = (left.center().0, right.left + SNAP);
            (from..to).contains(&side.at) && (side.rect.overlap_y(a) > 0.0 || side.rect.overlap_y(b) > 0.0)
        };
        self.across.iter().any(across) || self.sides.iter().any(down)
    }

    /// Where things, from top to bottom, are parted first, if shapes part them.
    pub(super) fn parting(&self, things: &[Thing]) -> Option<Parting> {
        let across = self.across.iter().find_map(|rule| parts_across(things, rule));
        across.map(Parting::Across).or_else(|| self.sides.iter().find_map(|side| self.down(side, things)))
    }

    /// The parting at a side.
    fn down(&self, side: &Side, things: &[Thing]) -> Option<Parting> {
        let gutter = side.gutter(things)?;
        let beside = |other: &&Side| other.rect.overlap_y(&side.rect) > 0.0;
        let mut sides: Vec<f32> = self.sides.iter().filter(beside).map(|side| side.at).collect();
        sides.sort_by(f32::total_cmp);
        let mut columns = vec![Vec::new(); sides.len() + 1];
        for line in things[gutter.start..gutter.end].iter().filter_map(Thing::level) {
            columns[sides.partition_point(|at| *at < line.rect.center().0)].push(line);
        }
        columns.retain(|column| !column.is_empty());
        Some(Parting::Down { gutter, cards: have_same_parts(&columns) })
    }
}

/// Whether each column of lines holds a key figure, or the same labels: those of a table stand in its first column alone.
fn have_same_parts(columns: &[Vec<&Line>]) -> bool {
    let Some(usual) = usual_size(columns.iter().flatten().copied()) else { return false };
    columns.len() > 1
        && (have_same_labels(columns)
            || columns.iter().all(|column| column.iter().any(|line| is_figure(line, usual))))
}

/// Whether all columns of lines have several labels in common.
pub(super) fn have_same_labels(columns: &[Vec<&Line>]) -> bool {
    let labels = |column: &Vec<&Line>| -> Vec<String> {
        column.iter().filter_map(|line| label(&line.text())).collect()
    };
    let Some((first, others)) = columns.split_first().filter(|(_, others)| !others.is_empty()) else {
        return false;
    };
    let others: Vec<Vec<String>> = others.iter().map(labels).collect();
    let mut shared = labels(first);
    shared.retain(|label| others.iter().all(|column| column.contains(label)));
    shared.sort_unstable();
    shared.dedup();
    shared.len() >= LABELS
}

/// What a line says before its value, if that is a name; units and periods stand over the columns of a table as well.
fn label(text: &str) -> Option<String> {
    let name = text.split_once(':').map_or(text, |(name, _)| name);
    let colon = name.len() < text.len();
    (colon || Kind::of_text(name) == Kind::Text && !is_number(name)).then(|| name.to_lowercase())
}

/// The median of the sizes of the words of lines.
fn usual_size<'l>(lines: impl Iterator<Item = &'l Line>) -> Option<f32> {
    let mut sizes: Vec<f32> = lines.flat_map(|line| line.words.iter().map(|word| word.size)).collect();
    sizes.sort_by(f32::total_cmp);
    sizes.get(sizes.len() / 2).copied()
}

/// Whether a line among letters of the size `usual` is a key figure.
fn is_figure(line: &Line, usual: f32) -> bool {
    line.size() >= key_figure::LARGER * usual && is_number(&line.text())
}

/// The first thing below a rule across all of them.
fn parts_across(things: &[Thing], rule: &Ruling) -> Option<usize> {
    let all = bounds(things.iter().map(|thing| &thing.rect))?;
    let covered = all.right.min(rule.to) - all.left.max(rule.from);
    let below = things.partition_point(|thing| thing.rect.center().1 < rule.at);
    let parts = covered >= ACROSS * all.width() && (1..things.len()).contains(&below);
    parts.then_some(below)
}

impl Side {
    /// The gutter that it is among things; `None` where something crosses it or stands beside the panels.
    fn gutter(&self, things: &[Thing]) -> Option<Gutter> {
        let middle = |thing: &Thing| thing.rect.center().1;
        let start = things.partition_point(|thing| middle(thing) < self.rect.top);
        let mut end = things.partition_point(|thing| middle(thing) <= self.rect.bottom);
        let whole = things.get(start..end)?.iter().all(|thing| self.holds(thing, things));
        let mut bottom = self.rect.bottom;
        while let Some(next) = things
            .get(end)
            .filter(|next| self.holds(next, things) && next.rect.top - bottom < BELOW * next.size())
        {
            bottom = bottom.max(next.rect.bottom);
            end += 1;
        }
        let left = |thing: &&Thing| thing.rect.center().0 < self.at;
        let lefts = things[start..end].iter().filter(left).count();
        let parts = whole && lefts > 1 && end - start - lefts > 1;
        parts.then_some(Gutter { start, end, from: self.at, to: self.at, at: self.at, support: lefts })
    }

    /// Whether a thing stands on one side, or on the left one but for a little that has room there.
    fn holds(&self, thing: &Thing, things: &[Thing]) -> bool {
        let rect = &thing.rect;
        let over = rect.right - self.at;
        let crosses = rect.left < self.at - SNAP && over > SNAP;
        let runs_over = || {
            let others = things.iter().filter(|other| other.rect.left >= self.at - SNAP);
            over < OVER * thing.size()
                && rect.center().0 < self.at
                && others
                    .into_iter()
                    .all(|other| other.rect.overlap_y(rect) <= 0.0 || other.rect.left > rect.right)
        };
        rect.left > self.rect.left - SNAP
            && rect.right < self.rect.right + OVER * thing.size()
            && (!crosses || runs_over())
    }
}
