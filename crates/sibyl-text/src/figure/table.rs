//! Figures in the cells of tables.

mod beside;
mod cell;
mod column;
mod group;
mod head;
mod name;
mod numbered;
mod year;

use super::{Figure, Origin, Status, Time, are_alike, plain, unit_in};
use crate::document::{INDENT, Span};
use crate::language::cell::Kind;
use crate::language::number::{self, Decimal};
use crate::language::unit::Measure::Money;
use crate::language::unit::{self, Unit};
pub use cell::cells;
pub(super) use cell::prose;
use cell::{bare, counted};
use column::{Column, Role, columns, dated, unbracketed};
use group::Groups;
use head::Head;
use name::MARKS;
use std::collections::{HashMap, HashSet};
use year::speaks_of_time;

/// Most words of a name that says little but a period.
const DATED: usize = 3;

/// A table with what applies to all of it.
struct Table<'a> {
    text: &'a str,
    head: Span,
    columns: Vec<Column>,
    /// The unit of figures that have none of their own.
    unit: Option<(String, Unit)>,
    /// The time of those that have none.
    time: Option<Time>,
    /// Whether only one column has figures.
    is_lone: bool,
    above: Vec<String>,
    decimal: Decimal,
}

/// A row: its place, its cells and their kinds.
#[derive(Clone)]
struct Row {
    span: Span,
    cells: Vec<Span>,
    kinds: Vec<Kind>,
    /// Whether its first cell leaves open that the others name columns.
    begins_names: bool,
}

/// The surroundings of a table.
pub(super) struct Around {
    /// The headings above, from the outermost down.
    pub(super) path: Vec<String>,
    /// The other of the two lines above it, from which only a unit is taken.
    pub(super) further: Option<String>,
    /// The line above that names it.
    pub(super) caption: Option<String>,
    /// How the document writes numbers.
    pub(super) decimal: Decimal,
}

/// Adds the figures of the table in `span` to `found`. Its header rows end at `header_end`.
pub(super) fn read(text: &str, span: Span, header_end: usize, around: Around, found: &mut Vec<Figure>) {
    let rows = rows(text, span, header_end);
    let mut from = 0;
    while from < rows.len() {
        let head = Head::of(text, &rows[from..]);
        let body = from + head.rows;
        let end =
            (body + 1..rows.len()).find(|at| begins_section(&head, &rows, body, *at)).unwrap_or(rows.len());
        read_section(text, &head, (&rows[from], &rows[body.min(end)..end]), &around, found);
        from = end;
    }
}

/// Whether another table begins within the table at the row `at`, where its rows below `head` begin at `body`.
/// Such a row names its columns anew, or is the title above a row that does.
fn begins_section(head: &Head, rows: &[Row], body: usize, at: usize) -> bool {
    let titled =
        rows[at].says_one_thing() && rows.get(at + 1).is_some_and(|row| row.names_columns_anew(head, true));
    let after_title = at > body && rows[at - 1].says_one_thing();
    let begins = titled || rows[at].names_columns_anew(head, after_title);
    begins && rows[at + 1..].iter().take(2 + usize::from(titled)).any(|row| row.kinds.contains(&Kind::Value))
}

/// Adds the figures of the rows below `head`, which begins with the row `first`, to `found`.
fn read_section(
    text: &str,
    head: &Head,
    (first, body): (&Row, &[Row]),
    around: &Around,
    found: &mut Vec<Figure>,
) {
    let Around { path, further, caption, decimal } = around;
    let near = || head.titles.iter().rev().chain(caption).chain(further).chain(path.iter().rev());
    let mut columns = columns(text, head, body);
    beside::date(&mut columns, &head.names);
    let unit = columns.iter().zip(&head.names).filter(|(column, _)| column.role == Role::Label);
    let unit = unit.map(|(_, name)| name).chain(near()).find_map(|name| owned_unit(name));
    let above: Vec<String> = path.iter().chain(caption).chain(&head.titles).cloned().collect();
    let corners = columns.iter().zip(&head.names).filter(|(column, _)| column.role == Role::Label);
    let mut corners = corners.filter_map(|(_, name)| Time::above(name));
    let time = above.iter().rev().find_map(|name| Time::above(name)).or_else(|| corners.next_back());
    let is_lone = columns.iter().filter(|column| column.role == Role::Figures).count() == 1;
    let body = &dated(&columns, body);
    let table = Table { text, head: first.span, columns, unit, time, is_lone, above, decimal: *decimal };
    let mut groups = Groups::among(table.repeated(body));
    let mut at = 0;
    while let Some(row) = body.get(at) {
        if let Some(taken) = table.cards(&body[at..], found) {
            at += taken;
            continue;
        }
        at += 1;
        let labels = table.labels(row);
        let last = labels.last().and_then(|(column, _)| row.cells.get(*column));
        let depth = last.map_or(0, |cell| indent(text, *cell));
        if table.holds_figures(row) {
            let names = groups.path(&labels, depth, table.is_of_the_same(row));
            table.figures_of(row, &names, found);
        } else if !table.has_words(row) || body.get(at).is_some_and(|next| table.is_outside(row, next)) {
            groups.open(labels, depth);
        }
    }
}

/// The rows of the table in `span` with their cells: the first row of its header, and those after `header_end`.
fn rows(text: &str, span: Span, header_end: usize) -> Vec<Row> {
    let mut lines = Vec::new();
    let mut at = span.start;
    for line in span.of(text).split_inclusive('\n') {
        let row = Span::new(at, at + line.trim_end().len());
        at += line.len();
        if row.of(text).trim_start().starts_with('|') {
            lines.push(row);
        }
    }
    let (heads, body): (Vec<Span>, Vec<Span>) = lines.into_iter().partition(|row| row.start < header_end);
    let Some(head) = heads.first().copied() else { return Vec::new() };
    let row = |span: Span| {
        let cells = cells(text, span);
        let mut kinds: Vec<Kind> = cells.iter().map(|cell| Kind::of_text(bare(cell.of(text)))).collect();
        for at in 0..kinds.len() {
            let words = if kinds[at] == Kind::Text { counted(cells[at].of(text)) } else { None };
            let Some(words) = words else { continue };
            if cells.iter().filter(|cell| counted(cell.of(text)) == Some(words)).count() > 1 {
                kinds[at] = Kind::Value;
            }
        }
        let first = cells.first().map(|cell| bare(cell.of(text))).zip(kinds.first());
        let begins_names = first.is_none_or(|(first, kind)| head::begins_names(first, *kind));
        Row { span, cells, kinds, begins_names }
    };
    std::iter::once(head).chain(body).map(row).collect()
}

fn owned_unit(name: &str) -> Option<(String, Unit)> {
    unit_in(name).map(|(unit, read)| (unit.to_owned(), read))
}

impl Table<'_> {
    /// The columns with the cells of `row` in them that have `role`.
    fn in_role<'r>(&'r self, row: &'r Row, role: Role) -> impl Iterator<Item = (&'r Column, &'r str)> {
        let cells = row.cells.iter().map(|cell| cell.of(self.text));
        self.columns.iter().zip(cells).filter(move |(column, _)| column.role == role)
    }

    /// The cells that name `row`, each with its column; note markers after the first are left out.
    fn labels(&self, row: &Row) -> Vec<(usize, String)> {
        let cells = row.cells.iter().zip(&self.columns).enumerate();
        let named = cells.filter(|(_, (cell, column))| column.role == Role::Label && !cell.is_empty());
        let named = named.map(|(at, (cell, _))| (at, plain(cell.of(self.text)))).enumerate();
        named.filter(|(order, (_, name))| *order == 0 || !is_note(name)).map(|(_, label)| label).collect()
    }

    /// The first names that rows with figures have in several groups.
    fn repeated(&self, body: &[Row]) -> HashSet<String> {
        let (mut group, mut told, mut out) = (0, HashMap::new(), HashSet::new());
        for row in body {
            if !self.holds_figures(row) {
                group += 1;
            } else if let Some((_, name)) = self.labels(row).into_iter().next()
                && *told.entry(name.clone()).or_insert(group) != group
            {
                out.insert(name);
            }
        }
        out
    }

    /// Whether a row has something apart from its names and figures. If so, it heads no other rows. Where neither of
    /// two columns has a name, each row is a fact.
    fn has_words(&self, row: &Row) -> bool {
        let named = self.columns.iter().any(|column| !column.name.is_empty() || column.time.is_some());
        row.kinds.iter().zip(&self.columns).any(|(kind, column)| {
            let words = match column.role {
                Role::Words => !named || !column.name.is_empty(),
                Role::Figures => !named && row.kinds.len() == 2 && *kind == Kind::Text,
                _ => false,
            };
            words && !matches!(kind, Kind::Empty | Kind::Nothing)
        })
    }

    /// Whether a row's name stands left of that of the `next` row, which has none in the same column.
    fn is_outside(&self, row: &Row, next: &Row) -> bool {
        let first = |row: &Row| self.labels(row).first().map(|(column, _)| *column);
        first(row).zip(first(next)).is_some_and(|(own, other)| own < other)
    }

    /// Whether a row without a name has a unit or period, as further rows of one name do.
    fn is_of_the_same(&self, row: &Row) -> bool {
        let filled = |role| self.in_role(row, role).any(|(_, cell)| !cell.is_empty());
        filled(Role::Unit) || filled(Role::Period)
    }

    /// Adds the figures of cards side by side to `found`, if `rows` begin with them. Cards are a row of numbers
    /// alone with a row of labels below, and maybe a second number below each. Returns how many rows they take.
    fn cards(&self, rows: &[Row], found: &mut Vec<Figure>) -> Option<usize> {
        let filled = |row: &Row| -> Vec<usize> {
            (0..row.kinds.len()).filter(|at| row.kinds[*at] != Kind::Empty).collect()
        };
        let are = |row: &Row, kind: Kind| filled(row).iter().all(|at| row.kinds[*at] == kind);
        let (numbers, names) = (rows.first()?, rows.get(1)?);
        let places = filled(numbers);
        if places.len() < 2
            || !are(numbers, Kind::Value)
            || !are(names, Kind::Text)
            || filled(names) != places
            || self.columns.iter().any(|column| column.time.is_some())
        {
            return None;
        }
        let second = rows.get(2).filter(|row| filled(row) == places && are(row, Kind::Value));
        for row in std::iter::once(numbers).chain(second) {
            for at in &places {
                let name = plain(names.cells[*at].of(self.text));
                let unit = owned_unit(&name).or_else(|| self.unit.clone());
                found.extend(self.figure_in(row, *at, unit.as_ref()).map(|figure| Figure {
                    row: Span::new(numbers.span.start, names.span.end.max(row.span.end)),
                    head: None,
                    label: vec![name],
                    ..figure
                }));
            }
        }
        Some(2 + usize::from(second.is_some()))
    }

    fn holds_figures(&self, row: &Row) -> bool {
        let mut cells = row.kinds.iter().zip(&self.columns);
        cells.any(|(kind, column)| column.role == Role::Figures && (kind.is_figure() || *kind == Kind::Year))
            && !self.is_band(row)
    }

    /// Whether a row names those below it and has dashes in place of all else, even where other rows have words or
    /// units. Its name is in capitals or reaches over the next cell.
    fn is_band(&self, row: &Row) -> bool {
        let cells = || row.kinds.iter().zip(&self.columns).enumerate();
        let filled =
            || cells().filter(|(_, (kind, column))| **kind != Kind::Empty && column.role != Role::Label);
        let said = |role: &Role| matches!(role, Role::Words | Role::Unit);
        let Some((at, name)) = self.labels(row).pop() else { return false };
        let capitals = !name.contains(char::is_lowercase) && name.contains(char::is_alphabetic);
        (capitals || row.kinds.get(at + 1) == Some(&Kind::Empty))
            && filled().all(|(_, (kind, _))| *kind == Kind::Nothing)
            && filled().any(|(_, (_, column))| said(&column.role) && !column.name.is_empty())
    }

    /// Adds the figures of `row`, which `names` name, to `found`.
    fn figures_of(&self, row: &Row, names: &[String], found: &mut Vec<Figure>) {
        // A column of base years dates the figures of those, one of target years the targets.
        let dates = self.in_role(row, Role::Period);
        let dates: Vec<(Option<Status>, Time)> =
            dates.filter_map(|(column, cell)| Some((column.status, Time::of(cell)?))).collect();
        // No year stands for a range, so it stays among the names.
        let ranges = self.in_role(row, Role::Period).filter(|(_, cell)| Time::of(cell) == Some(Time::Range));
        let mut label: Vec<String> =
            names.iter().cloned().chain(ranges.map(|(_, cell)| plain(cell))).collect();
        if label.is_empty() {
            // The words that date a row without another name may say more than the date.
            let said = self.in_role(row, Role::Period).map(|(_, cell)| plain(cell));
            label.extend(said.filter(|cell| Kind::of_text(cell) != Kind::Year));
        }
        let named = names.iter().rev().find_map(|name| Time::of(name));
        let dated_by = |status: Option<Status>| {
            let of = |wanted: Option<Status>| {
                dates.iter().find(|(told, _)| *told == wanted).map(|(_, time)| *time)
            };
            of(status).or_else(|| of(None)).or(named)
        };
        let units = || self.in_role(row, Role::Unit).filter(|(_, cell)| Kind::of_text(cell) != Kind::Nothing);
        let unit_of_row = units().find_map(|(_, cell)| Some((plain(cell), unit::read(cell)?)));
        // A text in a column of units is a unit, even if it is not known what it measures.
        let unread = units().find(|(_, cell)| !cell.is_empty() && unit_of_row.is_none());
        let unread = unread.map(|(_, cell)| unbracketed(&plain(cell)).to_owned());
        let unit_of_row = unit_of_row.or_else(|| names.iter().rev().find_map(|name| owned_unit(name)));
        // If the name of a row says little but its period, it states the kind as a column's does: `2030e`, `Target
        // 2030`.
        let told = |name: &str| {
            let dates = name.split_whitespace().count() <= DATED && Time::of(name).is_some();
            Status::told_by_row(name).or_else(|| Status::told_by(name).filter(|_| dates))
        };
        let status_of_row = names.iter().rev().find_map(|name| told(name));
        let dated = || self.in_role(row, Role::Period).find_map(|(_, cell)| told(&plain(cell)));
        let status_of_row = status_of_row.or_else(dated);
        // An amount in brackets says what one share gets of a total.
        let per_piece = names.iter().any(|name| {
            let parts = name.split('(').enumerate();
            let said = parts.filter(|(at, part)| *at == 0 || !part.contains(|c: char| c.is_ascii_digit()));
            said.map(|(_, part)| part).collect::<String>().to_lowercase().contains("per share")
        });
        for (at, (kind, column)) in row.kinds.iter().zip(&self.columns).enumerate() {
            let counts = *kind == Kind::Value || *kind == Kind::Year && self.is_counted(row, names, column);
            if column.role != Role::Figures || !counts {
                continue;
            }
            // A figure for one piece is not in millions, even if the table is.
            let counted = |(unit, read): &&(String, Unit)| {
                unit::is_scale(unit) || read.measure == Money && read.factor > 1.0
            };
            let wide = column.unit.as_ref().or(self.unit.as_ref());
            let wide = wide.filter(|wide| unread.is_none() && !(per_piece && counted(wide)));
            let around = unit_of_row.as_ref().or(wide);
            let Some(figure) = self.figure_in(row, at, around) else { continue };
            // A heading's period is that of each of several columns only if they differ by something else.
            let headed = self.time.filter(|_| self.is_lone || !column.is_nameless());
            let time = column.time.or_else(|| dated_by(column.status)).or(headed);
            let period = time.and_then(Time::period);
            found.push(Figure {
                label: label.clone(),
                column: column.name.clone(),
                year: period.map(|(year, _)| year),
                part: period.and_then(|(_, part)| part),
                status: column.status.or(status_of_row).unwrap_or(Status::Actual),
                unit: figure.unit.or_else(|| unread.clone()),
                ..figure
            });
        }
    }

    /// Whether a number in `column` that could be a year is a count like those around it. Neither the column nor the
    /// row, which has `names`, speaks of time. Also, a figure stands beside it or the column is one of counts.
    fn is_counted(&self, row: &Row, names: &[String], column: &Column) -> bool {
        let beside = row.kinds.iter().zip(&self.columns);
        let beside = beside.filter(|(kind, other)| other.role == Role::Figures && **kind == Kind::Value);
        !names.is_empty()
            && !std::iter::once(&column.name).chain(names).any(|name| speaks_of_time(name))
            && (beside.count() > 0 || column.counts)
    }

    /// The words behind the number in column `at`, if another number of `row` has them as well.
    fn counted_in(&self, row: &Row, at: usize) -> Option<String> {
        let words = |cell: &Span| counted(cell.of(self.text));
        let own = words(row.cells.get(at)?)?;
        let alike = row.cells.iter().filter(|cell| words(cell) == Some(own)).count();
        (alike > 1).then(|| own.to_owned())
    }

    /// The figure in the cell of `row` in column `at`, without a name. Its unit is the one beside it, or else
    /// `around` it.
    fn figure_in(&self, row: &Row, at: usize, around: Option<&(String, Unit)>) -> Option<Figure> {
        let cell = row.cells.get(at)?;
        let printed = cell.of(self.text);
        let read = number::read(printed, self.decimal)?;
        let start = cell.start + (read.text.as_ptr() as usize - printed.as_ptr() as usize);
        // The mark of a note may stand between a number and its unit.
        let own = [read.after.trim_start_matches(MARKS), read.before].into_iter();
        let own = own.filter_map(|sign| Some((sign.to_owned(), unit::read(sign)?))).next();
        let unit = match (own, around) {
            (Some((scale, _)), Some((unit, _))) if unit::is_scale(&scale) => scaled(&scale, unit),
            // A currency sign beside the number leaves open how many are counted at once.
            (Some((sign, one)), Some((scale, _))) if one.measure == Money && unit::is_scale(scale) => {
                scaled(&sign, scale)
            }
            (Some((_, one)), Some((_, whole))) if one.is_a_part_of(whole) => around.cloned(),
            (own, around) => own.or_else(|| around.cloned()),
        };
        let period = self.time.and_then(Time::period);
        Some(Figure {
            span: Span::new(start, start + read.text.len()),
            row: row.span,
            head: Some(self.head),
            label: Vec::new(),
            column: String::new(),
            above: self.above.clone(),
            year: period.map(|(year, _)| year),
            part: period.and_then(|(_, part)| part),
            read_as: unit.as_ref().map(|(_, unit)| *unit),
            unit: unit.map(|(unit, _)| unit).or_else(|| self.counted_in(row, at)),
            value: read.value,
            status: Status::Actual,
            origin: Origin::Table,
        })
    }
}

/// Whether a cell after the name of a row is a note marker: `a`, `(1)`, `(restated)`.
fn is_note(name: &str) -> bool {
    name.len() <= 2 || name.starts_with('(') && name.ends_with(')') && !name.contains(' ')
}

/// A unit of two parts, one of which tells how many are counted at once.
fn scaled(first: &str, second: &str) -> Option<(String, Unit)> {
    let whole = format!("{first} {second}");
    unit::read(&whole).map(|read| (whole, read))
}

/// How many times the text of a cell is indented.
fn indent(text: &str, cell: Span) -> usize {
    text[..cell.start].chars().rev().take_while(|c| *c == INDENT).count()
}
