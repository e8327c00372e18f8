//! The rows above a table's figures: titles of the whole, names of columns in one row or several, and their units.

use super::{Row, Time, plain, unit_in};
use crate::language::cell::Kind;

/// The head of a table.
#[derive(Debug)]
pub(super) struct Head {
    /// Text about the whole table above the names of its columns, or about its unit below them.
    pub(super) titles: Vec<String>,
    /// The name of each column, from the outermost down.
    pub(super) names: Vec<String>,
    /// The unit of each column, from a row of units.
    pub(super) units: Vec<Option<String>>,
    /// Number of its rows.
    pub(super) rows: usize,
}

impl Head {
    /// The head of the table with these rows; the first row always belongs to it.
    pub(super) fn of(text: &str, rows: &[Row]) -> Self {
        let lone = rows.iter().take_while(|row| row.says_one_thing()).count();
        let below = Self::below(text, rows.get(lone..).unwrap_or_default());
        // A single cell beside the first may name columns, if no more than one row of names is below it.
        let is_title = |row: &Row| {
            let title = said(text, row).into_iter().find(|cell| !cell.is_empty());
            row.kinds.first() != Some(&Kind::Empty) || title.is_some_and(|title| unit_in(&title).is_some())
        };
        let titled = rows.get(lone).is_some_and(Row::may_name_columns)
            && (below.rows > 1 || rows[..lone].iter().all(is_title));
        if lone == 0 || !titled {
            return Self::below(text, rows);
        }
        let above = rows[..lone].iter().flat_map(|row| said(text, row)).filter(|title| !title.is_empty());
        Self { titles: above.chain(below.titles).collect(), rows: lone + below.rows, ..below }
    }

    /// The head of rows without titles.
    fn below(text: &str, rows: &[Row]) -> Self {
        let names = rows.first().map(|row| said(text, row)).unwrap_or_default();
        let mut head =
            Self { titles: Vec::new(), units: vec![None; names.len()], names, rows: rows.len().min(1) };
        while let Some(row) = rows.get(head.rows).filter(|_| head.rows + 1 < rows.len()) {
            let below = said(text, row);
            if row.holds_units() {
                head.take_units(row, &below);
            } else if head.is_divided_by(row) || head.is_dated_by(row) {
                head.names = joined(&head.names, &below);
            } else {
                break;
            }
            head.rows += 1;
        }
        head
    }

    fn take_units(&mut self, row: &Row, below: &[String]) {
        self.units.resize(self.units.len().max(below.len()), None);
        for (at, (cell, kind)) in below.iter().zip(&row.kinds).enumerate() {
            match (at, kind) {
                (_, Kind::Empty) => {}
                (0, Kind::Unit | Kind::Before) => self.titles.push(cell.clone()),
                (0, _) => {}
                _ => self.units[at] = Some(cell.clone()),
            }
        }
    }

    /// Whether columns after the first have no name so far.
    fn is_nameless(&self) -> bool {
        self.names.iter().skip(1).any(String::is_empty)
    }

    /// Whether the names of `row` are below names over several columns.
    fn is_divided_by(&self, row: &Row) -> bool {
        let corner_free = self.names.first().is_none_or(String::is_empty);
        let labelled = row.kinds.first().is_some_and(|kind| *kind != Kind::Empty);
        let beside = || row.kinds.iter().enumerate().skip(1);
        let fills = beside().all(|(at, kind)| {
            *kind != Kind::Empty || self.names.get(at).is_some_and(|name| !name.is_empty())
        });
        let begun = self.names.iter().skip(1).any(|name| !name.is_empty());
        self.is_nameless() && row.may_name_columns() && (!labelled || begun && corner_free && fills)
    }

    /// Whether `row` gives the years of the columns.
    fn is_dated_by(&self, row: &Row) -> bool {
        let count = |wanted: fn(&Kind) -> bool| row.kinds.iter().skip(1).filter(|kind| wanted(kind)).count();
        let dated = count(|kind| matches!(kind, Kind::Year | Kind::Period));
        let filled = count(|kind| *kind != Kind::Empty);
        let undated = self.names.iter().all(|name| Time::of(name).is_none());
        dated >= 2
            && filled <= dated + 1
            && !row.kinds.iter().any(|kind| kind.is_figure())
            && (row.begins_names || filled == dated && self.is_nameless())
            && (self.is_nameless() || undated)
    }
}

impl Row {
    /// Whether it names the columns anew below `head`: by periods or units that `head` does not have. Years alone
    /// may be figures unless a title is right above them (`titled`).
    pub(super) fn names_columns_anew(&self, head: &Head, titled: bool) -> bool {
        let named = |kind: &Kind| match kind {
            Kind::Period | Kind::Unit => true,
            Kind::Year => titled || self.begins_names,
            _ => false,
        };
        let first =
            self.kinds.first().is_some_and(|kind| matches!(kind, Kind::Text | Kind::Empty | Kind::Year));
        let dated = head.names.iter().any(|name| Time::of(name).is_some());
        let dates = self.kinds.iter().skip(1).any(|kind| matches!(kind, Kind::Period | Kind::Year));
        first
            && self.may_name_columns()
            && self.kinds.iter().skip(1).any(named)
            && (dates || !dated && head.units.iter().all(Option::is_none))
    }

    /// Whether it says something in one of several cells alone.
    pub(super) fn says_one_thing(&self) -> bool {
        let mut filled = self.kinds.iter().filter(|kind| **kind != Kind::Empty);
        let name = matches!(filled.next(), Some(Kind::Text | Kind::Unit | Kind::Period | Kind::Year));
        name && self.kinds.len() > 1 && filled.next().is_none()
    }

    /// Whether several cells after the first can be names, and none is a value.
    fn may_name_columns(&self) -> bool {
        let name = |kind: &&Kind| matches!(kind, Kind::Text | Kind::Unit | Kind::Year | Kind::Period);
        let filled = self.kinds.iter().skip(1).filter(|kind| **kind != Kind::Empty);
        filled.clone().count() >= 2 && filled.clone().all(|kind| name(&kind))
    }

    /// Whether it has only units.
    fn holds_units(&self) -> bool {
        let unit = |kind: &&Kind| matches!(kind, Kind::Unit | Kind::Before | Kind::After);
        let mut filled = self.kinds.iter().skip(1).filter(|kind| **kind != Kind::Empty).peekable();
        let lone = self.kinds.first() == Some(&Kind::Unit);
        self.begins_names && (filled.peek().is_some() || lone) && filled.all(|kind| unit(&kind))
    }
}

/// What the cells of a row say.
fn said(text: &str, row: &Row) -> Vec<String> {
    row.cells.iter().map(|cell| plain(cell.of(text))).collect()
}

/// Whether the first cell of a row leaves open that the others name columns.
pub(super) fn begins_names(first: &str, kind: Kind) -> bool {
    kind == Kind::Empty || kind.heads_names(first)
}

/// Names with those `below` them.
fn joined(names: &[String], below: &[String]) -> Vec<String> {
    let over = over(names, below);
    let width = names.len().max(below.len());
    let name = |at: usize| {
        let own = names.get(at).map(String::as_str).unwrap_or_default();
        match below.get(at).filter(|below| !below.is_empty()) {
            Some(below) => format!("{} {below}", over[at]).trim().to_owned(),
            None => own.to_owned(),
        }
    };
    (0..width).map(name).collect()
}

/// The name over each column: its own, or the last one before it. If the same names repeat below, a name over a group
/// of them names the whole group, wherever it is placed above it.
fn over<'n>(names: &'n [String], below: &[String]) -> Vec<&'n str> {
    let width = names.len().max(below.len());
    let mut last = "";
    let mut out: Vec<&str> = Vec::new();
    for at in 0..width {
        last = names.get(at).map(String::as_str).filter(|name| !name.is_empty()).unwrap_or(last);
        out.push(last);
        // A name for the rows does not name a column beside it.
        last = if at == 0 { "" } else { last };
    }
    let filled =
        |all: &[String]| -> Vec<usize> { (1..all.len()).filter(|at| !all[*at].is_empty()).collect() };
    let columns = filled(below);
    let (Some(first), Some(end)) = (columns.first(), columns.last()) else { return out };
    let spoken: Vec<usize> = filled(names).into_iter().filter(|at| (*first..=*end).contains(at)).collect();
    let part = columns.len() / spoken.len().max(1);
    if part < 2 || part * spoken.len() != columns.len() {
        return out;
    }
    let same = columns.iter().zip(&columns[part..]).all(|(one, other)| below[*one] == below[*other]);
    let inside = columns.chunks(part).zip(&spoken).all(|(group, at)| group.contains(at));
    if same && inside {
        for (group, at) in columns.chunks(part).zip(&spoken) {
            group.iter().for_each(|column| out[*column] = names[*at].as_str());
        }
    }
    out
}
