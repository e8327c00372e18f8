//! Charts whose labels and values are text: bars and columns (side by side or stacked), bars of parts, lines with
//! marked points, pies and rings. They become tables of the pairs that a person sees, by place and colour, never by
//! length or order. Where a value, a category or a series cannot be told, the chart stays the words that it is.

mod bars;
mod pies;
mod points;
mod strips;

use super::elements::Elements;
use super::geometry::{Rect, bounds};
use super::ink::Ink;
use super::key_figure::LARGER;
use super::line::{Line, flowing, rows};
use super::metrics::SAME_LINE;
use super::ruling::Painted;
use super::sector::Sector;
use super::table::{Cell, Table};
use super::word::{Turn, Word, is_numeric, is_years};
use crate::language::cell::{Kind, is_unit};
use crate::language::period::periods;
use std::collections::BTreeMap;

/// Gap from which two words of a row belong to two labels (in letter sizes), and the one from which two numbers do.
const LABEL_GAP: f32 = 0.75;
const NUMBER_GAP: f32 = 0.35;
/// Most words of the label of a value.
const VALUE_WORDS: usize = 3;
/// Widest gap between a swatch and its name (in letter sizes), and its greatest size.
const SWATCH_GAP: f32 = 1.5;
const SWATCH: f32 = 1.6;
/// How far above a chart its title stands at most (in letter sizes).
const TITLE: f32 = 8.0;
/// Fewest values of a chart.
const VALUES: usize = 3;
/// Shapes of a page beyond which it is a drawing.
const MAX_SHAPES: usize = 2_000;

/// Words of a page that are one label.
struct Label {
    line: Line,
    rect: Rect,
    text: String,
    /// It is part of a chart that was found.
    used: bool,
}

impl Label {
    fn new(line: Line) -> Self {
        Self { rect: line.rect, text: line.text(), line, used: false }
    }

    fn size(&self) -> f32 {
        self.line.size()
    }

    /// Whether it can be the value of a bar or a point: a number, with its unit where it has one.
    fn is_value(&self) -> bool {
        let mut words = self.text.split_whitespace();
        let number = words.next().is_some_and(|word| {
            let number = word.trim_end_matches(|c: char| c.is_alphabetic());
            is_numeric(number) && word.len() - number.len() <= 3
        });
        number && words.count() < VALUE_WORDS
    }

    /// Whether it names a stretch of time, or what was aimed at or compared with then: `FY24`, `2019 base`, `2030 target`.
    fn is_period(&self) -> bool {
        let text = self.text.trim_end_matches(['*', 'E', 'e']);
        let lower = text.to_lowercase();
        let halves = ["h1", "h2", "1h", "2h", "q1", "q2", "q3", "q4"];
        let of_year = |mark: &&str| {
            let rest = lower.strip_prefix(*mark).map(str::trim_start);
            rest.is_some_and(|rest| {
                !rest.is_empty() && rest.chars().all(|c| c.is_ascii_digit() || "/-–’'".contains(c))
            })
        };
        let named = || {
            let [period] = &periods(&self.text)[..] else { return false };
            let rest = format!("{} {}", &self.text[..period.start], &self.text[period.end..]).to_lowercase();
            let alone = !rest.contains(|c: char| c.is_ascii_digit()) && !is_unit(&rest);
            alone && matches!(Kind::of_text(&self.text), Kind::Year | Kind::Period)
        };
        is_years(text) || halves.iter().any(of_year) || named()
    }
}

/// A value at its category, of the series of a colour.
#[derive(Clone, Copy)]
struct Point {
    /// Number of its category.
    category: usize,
    /// `None` for what several colours add up to.
    ink: Option<Ink>,
    /// Number of its label.
    value: usize,
}

/// A chart: the labels of its categories in order, each of one or several lines, and its values.
struct Chart {
    categories: Vec<Vec<usize>>,
    points: Vec<Point>,
    /// Where its shapes stand.
    drawn: Rect,
    /// Names of its series that stand beside them, by colour.
    names: Vec<(Ink, usize)>,
}

/// What is drawn on a page that charts can be made of.
#[derive(Clone, Copy)]
pub(super) struct Drawn<'d> {
    /// Filled boxes.
    pub(super) fills: &'d [Painted],
    /// Small filled shapes.
    pub(super) dots: &'d [Painted],
    pub(super) sectors: &'d [Sector],
}

/// The charts among `labels` as tables with their places, and the labels that are in none.
pub(super) fn found(
    labels: Vec<Line>,
    drawn: Drawn<'_>,
    elements: &Elements<'_>,
) -> (Vec<(Table, Rect)>, Vec<Line>) {
    let Drawn { fills, dots, sectors } = drawn;
    let most = fills.len().max(dots.len()).max(sectors.len());
    if fills.len() + dots.len() + sectors.len() < VALUES - 1 || most > MAX_SHAPES {
        return (Vec::new(), labels);
    }
    let pies = pies::of(sectors);
    let labels = labels.into_iter().flat_map(|label| pies::apart(label, &pies));
    let mut labels: Vec<Label> = labels.map(Label::new).collect();
    let legend = legend(&labels, fills, dots);
    let mut tables = Vec::new();
    let charts = bars::charts(&labels, fills).into_iter().chain(points::charts(&labels, dots));
    let charts = charts.chain(pies::charts(&labels, &pies, &legend));
    for chart in charts.chain(strips::charts(&labels, fills, &legend)) {
        let taken = |at: &usize| labels[*at].used;
        if chart.points.iter().any(|point| taken(&point.value))
            || chart.categories.iter().flatten().any(taken)
        {
            continue;
        }
        tables.extend(chart.table(&mut labels, &legend, elements));
    }
    let left = labels.into_iter().filter(|label| !label.used).map(|label| label.line);
    (tables, left.collect())
}

/// The labels of a page, row by row: words that stand close to each other, and numbers that are turned, as those in narrow bars
/// are.
pub(super) fn labels(words: Vec<Word>) -> Vec<Line> {
    let (level, turned): (Vec<Word>, Vec<Word>) =
        words.into_iter().partition(|word| word.turn == Turn::Level);
    let turned = flowing(turned).into_iter().filter(|line| is_numeric(&line.text()));
    rows(level).iter().flat_map(labels_of).chain(turned).collect()
}

/// The labels that a row of words holds.
fn labels_of(row: &Line) -> Vec<Line> {
    let mut out: Vec<Vec<Word>> = Vec::new();
    for word in &row.words {
        let joins = out.last().and_then(|label| label.last()).is_some_and(|last| {
            let gap = (word.rect.left - last.rect.right) / last.size.max(word.size);
            // A big number and the unit beside it are two.
            let alike = last.size.max(word.size) < LARGER * last.size.min(word.size);
            let level = (last.baseline - word.baseline).abs() <= SAME_LINE * last.size.min(word.size);
            let joined = if word.spaced { gap <= LABEL_GAP && alike } else { alike || !level };
            // Two numbers are one only where a space groups the digits of thousands.
            joined && (!last.numeric() || !word.numeric() || gap <= NUMBER_GAP && is_group(&word.text))
        });
        match out.last_mut() {
            Some(label) if joins => label.push(word.clone()),
            _ => out.push(vec![word.clone()]),
        }
    }
    out.into_iter().filter_map(Line::of).collect()
}

/// Whether a text is three digits, with what may stand behind them.
fn is_group(text: &str) -> bool {
    let digits = text.chars().take_while(char::is_ascii_digit).count();
    digits == 3 && !text.chars().nth(3).is_some_and(char::is_alphanumeric)
}

/// The names of colours: labels right behind a small shape of the colour, with the place of both.
fn legend(labels: &[Label], fills: &[Painted], dots: &[Painted]) -> Vec<(Ink, usize, Rect)> {
    let named = |shape: &Painted| {
        let beside = |label: &&(usize, &Label)| {
            let gap = label.1.rect.left - shape.rect.right;
            let size = label.1.size();
            (0.0..SWATCH_GAP * size).contains(&gap)
                && shape.rect.height().max(shape.rect.width() / 2.0) <= SWATCH * size
                && label.1.rect.overlap_y(&shape.rect) > 0.0
                && (label.1.text.contains(char::is_alphabetic) || label.1.is_period())
        };
        let all: Vec<(usize, &Label)> = labels.iter().enumerate().collect();
        let (at, label) = all.iter().filter(beside).min_by(|a, b| a.1.rect.left.total_cmp(&b.1.rect.left))?;
        Some((shape.ink, *at, label.rect.union(&shape.rect)))
    };
    fills.iter().chain(dots).filter(|shape| !shape.ink.is_white()).filter_map(named).collect()
}

impl Chart {
    /// The table of its values, where all of them have a name; its labels are used then.
    fn table(
        self,
        labels: &mut [Label],
        legend: &[(Ink, usize, Rect)],
        elements: &Elements<'_>,
    ) -> Option<(Table, Rect)> {
        let mut values: Vec<usize> = self.points.iter().map(|point| point.value).collect();
        values.sort_unstable();
        if values.windows(2).any(|two| two[0] == two[1]) {
            return None;
        }
        let places = values.iter().chain(self.categories.iter().flatten()).map(|at| labels[*at].rect);
        let places: Vec<Rect> = places.chain([self.drawn]).collect();
        let whole = bounds(&places)?;
        let periods = self.categories.iter().all(|lines| lines.iter().all(|at| labels[*at].is_period()));
        let (mut series, points) = self.series(labels, legend, &whole)?;
        if let [(_, named @ None)] = &mut series[..]
            && periods
        {
            *named = title(labels, &whole);
        }
        let mut taken: Vec<usize> = Vec::new();
        let mut cell = |all: &[usize]| -> Cell {
            taken.extend(all);
            all.iter().map(|at| labels[*at].line.clone()).collect()
        };
        let mut cells: BTreeMap<(usize, usize), Cell> = BTreeMap::new();
        for (row, (_, named)) in series.iter().enumerate() {
            cells.insert((row + 1, 0), cell(named.as_slice()));
        }
        for (column, lines) in self.categories.iter().enumerate() {
            cells.insert((0, column + 1), cell(lines));
        }
        for point in points {
            let row = series.iter().position(|(ink, _)| same(*ink, point.ink))?;
            // Two values at one place: nothing tells them apart.
            if cells.insert((row + 1, point.category + 1), cell(&[point.value])).is_some() {
                return None;
            }
        }
        let (height, width) = (series.len() + 1, self.categories.len() + 1);
        let mut at = |row: usize, column: usize| cells.remove(&(row, column)).unwrap_or_default();
        // Periods name columns; other categories are rows.
        let rows: Vec<Vec<Cell>> = if periods {
            (0..height).map(|row| (0..width).map(|column| at(row, column)).collect()).collect()
        } else {
            (0..width).map(|column| (0..height).map(|row| at(row, column)).collect()).collect()
        };
        let named = rows.first().is_some_and(|head| head.iter().any(|cell| !cell.is_empty()));
        let table = Table::new(rows, named);
        let rect = table.rect()?;
        taken.retain(|at| !elements.is_heading(&labels[*at].line));
        if !elements.are_whole(taken.iter().map(|at| &labels[*at].line)) {
            return None;
        }
        taken.into_iter().for_each(|at| labels[at].used = true);
        Some((table, rect))
    }

    /// Its series by colour, each with the label that names it, and the points of them; `None` where several have no
    /// names. Bars of several colours are one series where each category has one of them and no name tells them apart.
    #[expect(clippy::type_complexity, reason = "both halves are used at once")]
    fn series(
        &self,
        labels: &[Label],
        legend: &[(Ink, usize, Rect)],
        whole: &Rect,
    ) -> Option<(Vec<(Option<Ink>, Option<usize>)>, Vec<Point>)> {
        let mut inks: Vec<Ink> = Vec::new();
        for ink in self.points.iter().filter_map(|point| point.ink) {
            if !inks.iter().any(|known| same(Some(*known), Some(ink))) {
                inks.push(ink);
            }
        }
        let name = |ink: &Ink| {
            let own = self.names.iter().find(|(other, _)| other.is_as(*ink)).map(|(_, at)| *at);
            let far = |rect: &Rect| (-rect.overlap_x(whole)).max(0.0) + (-rect.overlap_y(whole)).max(0.0);
            let listed = legend.iter().filter(|(other, at, _)| other.is_as(*ink) && !labels[*at].used);
            let listed = listed.min_by(|a, b| far(&a.2).total_cmp(&far(&b.2))).map(|(_, at, _)| *at);
            own.or(listed)
        };
        let mut named: Vec<(Option<Ink>, Option<usize>)> =
            inks.iter().map(|ink| (Some(*ink), name(ink))).collect();
        let of = |category: usize| self.points.iter().filter(move |point| point.category == category);
        let single = (0..self.categories.len()).all(|category| of(category).count() <= 1);
        let mut points = self.points.clone();
        if named.len() > 1 && named.iter().any(|(_, name)| name.is_none()) {
            if !single {
                return None;
            }
            named.truncate(1);
            named[0].1 = None;
            points.iter_mut().for_each(|point| point.ink = named[0].0);
        }
        if points.iter().any(|point| point.ink.is_none()) {
            named.push((None, None));
        }
        Some((named, points))
    }
}

/// Whether two values are of one series.
fn same(one: Option<Ink>, other: Option<Ink>) -> bool {
    match (one, other) {
        (Some(one), Some(other)) => one == other || one.is_as(other),
        (one, other) => one.is_none() && other.is_none(),
    }
}

/// The line right above a chart that begins over it.
fn title(labels: &[Label], chart: &Rect) -> Option<usize> {
    let above = |label: &&(usize, &Label)| {
        let gap = chart.top - label.1.rect.bottom;
        let size = label.1.size();
        (-size / 4.0..TITLE * size).contains(&gap)
            && label.1.rect.left < chart.center().0
            && label.1.rect.right > chart.left
            && !label.1.used
            && !label.1.is_value()
            && label.1.text.contains(char::is_alphabetic)
    };
    let all: Vec<(usize, &Label)> = labels.iter().enumerate().collect();
    all.iter().filter(above).max_by(|a, b| a.1.rect.bottom.total_cmp(&b.1.rect.bottom)).map(|(at, _)| *at)
}
