//! What the columns of a table are, by their names and by their cells.

use super::head::Head;
use super::name::{unit_at_end, unmarked, without_period, without_unit};
use super::numbered::{lists_names, numbers_rows};
use super::year::{is_grouped, is_of_period, qualifies_period, tells_event};
use super::{Row, Status, Time, are_alike, owned_unit};
use crate::document::Span;
use crate::language::cell::Kind;
use crate::language::unit::{self, Unit};
use std::collections::HashSet;

/// Share of a column's filled cells that decides its kind.
const MOST_OF: f64 = 0.5;
/// Names of columns that hold units.
const UNIT_COLUMNS: [&str; 22] = [
    "unit",
    "units",
    "unit of measure",
    "uom",
    "einheit",
    "einheiten",
    "enhet",
    "enhed",
    "yksikkö",
    "eenheid",
    "eenheden",
    "unité",
    "unités",
    "unidad",
    "unidades",
    "unidade",
    "unità",
    "unità di misura",
    "jednostka",
    "单位",
    "単位",
    "단위",
];

/// What a column is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    /// It names rows.
    Label,
    /// It has the units of rows.
    Unit,
    /// It has the periods of rows.
    Period,
    /// It says when something began or ends. That is no period of the numbers beside it.
    Event,
    /// It has figures.
    Figures,
    /// It has remarks.
    Words,
    /// It numbers the rows.
    Order,
}

/// A column with what its name says.
pub(super) struct Column {
    pub(super) role: Role,
    pub(super) name: String,
    pub(super) time: Option<Time>,
    pub(super) unit: Option<(String, Unit)>,
    pub(super) status: Option<Status>,
    /// Whether its name dates it or at least half of its numbers are no years, and no number has a sign between its
    /// thousands, as years have none.
    pub(super) counts: bool,
}

impl Column {
    /// Whether its name says nothing: no thing, period or unit.
    pub(super) fn is_nameless(&self) -> bool {
        self.name.is_empty() && self.time.is_none() && self.unit.is_none()
    }
}

/// The columns below `head`, by its names for them and by their cells.
pub(super) fn columns(text: &str, head: &Head, rows: &[Row]) -> Vec<Column> {
    let names = &head.names;
    let width = rows.iter().map(|row| row.kinds.len()).max().unwrap_or(0).max(names.len());
    // Without names, each row of two columns is a fact.
    let facts = width == 2 && names.iter().all(String::is_empty);
    let mut columns: Vec<Column> = (0..width)
        .map(|at| {
            let name = names.get(at).map(|path| unmarked(path)).unwrap_or_default();
            let of = rows.iter().filter_map(|row| row.kinds.get(at));
            let count = |wanted: &[Kind]| of.clone().filter(|kind| wanted.contains(kind)).count() as f64;
            let filled = of.clone().filter(|kind| **kind != Kind::Empty).count() as f64;
            let lower = name.to_lowercase();
            let named_unit = UNIT_COLUMNS.contains(&lower.as_str());
            let figures = count(&[Kind::Value, Kind::Range, Kind::Nothing]);
            let time = Time::of(&name);
            let cells = rows.iter().filter_map(|row| row.cells.get(at));
            let cells: Vec<&str> = cells.map(|cell| cell.of(text)).collect();
            let named_after = names.iter().skip(at + 1).any(|name| !name.is_empty());
            let role = if numbers_rows(&lower, &cells, named_after) {
                Role::Order
            } else if lists_names(&cells) {
                Role::Words
            } else if named_unit || (filled > 0.0 && count(&[Kind::Unit]) > filled * MOST_OF) {
                Role::Unit
            } else if filled > 0.0 && count(&[Kind::Year, Kind::Period]) > filled * MOST_OF && time.is_none()
            {
                Role::Period
            } else if figures > 0.0
                && (count(&[Kind::Value]) >= filled * 0.3 || time.is_some() || facts && at > 0)
            {
                Role::Figures
            } else {
                Role::Words
            };
            let told = head.units.get(at).and_then(Option::as_deref);
            let told = told.and_then(|unit| Some((unbracketed(unit).to_owned(), unit::read(unit)?)));
            let unit = told.or_else(|| owned_unit(&name)).or_else(|| unit_at_end(&name));
            let mut said = without_period(&name);
            // The unit of a number that is no date in a name, as in `2 °C`, is that of nothing below it.
            let amount = |unit: &str| {
                let before = said.strip_suffix(unit).and_then(|before| before.rsplit(" / ").next());
                let number = before.map_or("", str::trim);
                !number.is_empty() && number.chars().all(|c| c.is_numeric() || ".,".contains(c))
            };
            let unit = unit.filter(|(unit, _)| role == Role::Figures && (time.is_some() || !amount(unit)));
            if let Some((unit, _)) = &unit {
                said = without_unit(&said, unit);
            }
            let mut cells = rows.iter().filter_map(|row| Some((row.kinds.get(at)?, row.cells.get(at)?)));
            let grouped = |(kind, cell): (&Kind, &Span)| *kind == Kind::Value && is_grouped(cell.of(text));
            let counts = time.is_some() || count(&[Kind::Value]) >= count(&[Kind::Year]);
            let counts = counts && !cells.any(grouped);
            // The name nearest to the cells counts.
            let status = name.rsplit(" / ").find_map(Status::told_by);
            Column { role, status, time, unit, name: said, counts }
        })
        .collect();
    share_units(&mut columns);
    part_events(text, &mut columns, rows);
    // Columns before the first figures name rows; numbers there, such as those of notes, do not count as figures.
    let first = columns.iter().position(|column| column.role == Role::Figures);
    for column in columns.iter_mut().take(first.unwrap_or(0)).filter(|column| column.role == Role::Words) {
        column.role = Role::Label;
    }
    let labelled = columns.iter().any(|column| matches!(column.role, Role::Label | Role::Period));
    if !labelled {
        // The first column has figures as well: the names of classes, or numbers of rows.
        if let Some(column) = columns.first_mut().filter(|_| width > 1) {
            column.role = Role::Label;
        }
    }
    columns
}

/// Tells two kinds of columns of years apart: those that are periods, and those that date something else than the
/// numbers beside them, such as when a member joined.
fn part_events(text: &str, columns: &mut [Column], rows: &[Row]) {
    // Words behind the figures are remarks.
    let first = columns.iter().position(|column| column.role == Role::Figures).unwrap_or(columns.len());
    let named: Vec<usize> = (0..first).filter(|at| columns[*at].role == Role::Words).collect();
    let label = |row: &Row| -> Vec<String> {
        named.iter().filter_map(|at| row.cells.get(*at)).map(|cell| cell.of(text).to_lowercase()).collect()
    };
    let mut told = HashSet::new();
    // Rows of one name differ in their periods.
    let repeated = !rows.iter().map(label).all(|label| told.insert(label));
    for column in columns.iter_mut().filter(|column| column.role == Role::Period) {
        let dates = column.name.is_empty() || column.status.is_some() || is_of_period(&column.name);
        let of_else = tells_event(&column.name)
            || !named.is_empty() && column.status.is_none() && qualifies_period(&column.name);
        if of_else || !(dates || repeated || named.is_empty()) {
            column.role = Role::Event;
        }
    }
}

/// Gives a column of figures without a unit that of the nearest one before it with a unit and a similar name,
/// since the unit is printed once.
fn share_units(columns: &mut [Column]) {
    let dated = |column: &Column| column.name.is_empty() && matches!(column.time, Some(Time::Period(..)));
    for at in 1..columns.len() {
        let (before, rest) = columns.split_at_mut(at);
        let bare = |column: &&mut Column| column.role == Role::Figures && column.unit.is_none();
        let Some(column) = rest.first_mut().filter(bare) else { continue };
        let alike = |other: &&Column| are_alike(&other.name, &column.name) || dated(other) && dated(column);
        let like = before.iter().rev().find(|other| other.unit.is_some() && alike(other));
        column.unit = like.and_then(|like| like.unit.clone());
    }
}

/// The rows with the period of their group, where it stands only in the group's first row, left of their names.
pub(super) fn dated(columns: &[Column], body: &[Row]) -> Vec<Row> {
    let mut out = body.to_vec();
    let names = columns.iter().rposition(|column| column.role == Role::Label).unwrap_or(0);
    for at in (0..names).filter(|at| columns[*at].role == Role::Period) {
        let filled = |row: &Row| row.kinds.get(at).is_some_and(|kind| *kind != Kind::Empty);
        let named = |row: &Row| {
            (at..=names).any(|at| columns[at].role == Role::Label && row.kinds.get(at) != Some(&Kind::Empty))
        };
        // A period that stands in the middle of its group leaves the first row open.
        if !out.first().is_some_and(filled) {
            continue;
        }
        let mut last = None;
        for row in &mut out {
            if filled(row) {
                last = Some((row.cells[at], row.kinds[at]));
            } else if let Some((cell, kind)) = last.filter(|_| named(row) && at < row.cells.len()) {
                (row.cells[at], row.kinds[at]) = (cell, kind);
            }
        }
    }
    out
}

/// A unit without the brackets around it.
pub(super) fn unbracketed(unit: &str) -> &str {
    unit.trim_matches(|c| matches!(c, '(' | ')' | '[' | ']'))
}
