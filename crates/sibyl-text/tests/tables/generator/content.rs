//! What stands in a table: names, labels and values, with what each value says.

use super::element::Element;
use super::grid::{Cell, Column, Kind, Role, Row};
use super::names::{Name, names, over};
use super::random::Random;
use super::{Fact, Format};
use std::collections::BTreeSet;

/// A table, with what its cells say.
#[derive(Default)]
pub(super) struct Content {
    pub(super) title: String,
    pub(super) columns: Vec<Column>,
    pub(super) rows: Vec<Row>,
    /// Rows at the top that name columns.
    pub(super) heads: usize,
    pub(super) facts: Vec<Fact>,
    /// What stands below it as a note.
    pub(super) note: Option<&'static str>,
}

const LABELS: &[&str] = &[
    "Mill of Arden",
    "Quay of Brann",
    "Yard in Colm",
    "Depot in Dunn",
    "Farm of Ester",
    "Scope 1",
    "Plant in Fern",
    "Scope 2",
    "Hall of Gard",
    "Store in Holm",
];
const LONG_LABELS: &[&str] = &[
    "Mill of Arden with the halls that it shares with others",
    "Quay of Brann without the ships which are chartered by others",
    "Yard in Colm, as far as it was open",
    "Depot in Dunn with what was stored there for the farms around it",
    "Farm of Ester and the fields that belong to it",
    "Plant in Fern, where nothing was built before",
    "Hall of Gard with its roof and the yard that is beside it",
    "Store in Holm and in places that are supplied from it",
    "Works in Ivor",
    "Wells of Jarl and the pipes between them",
];
const BANDS: &[&str] = &["Northern region", "Southern region", "Eastern region"];
const GROUPS: &[&str] = &["Steel works", "Paper mills", "Glass makers"];
const UNITS: &[&str] = &["kt", "MWh", "EUR million", "t CO2e", "GWh"];
/// The mark of a note behind a name, label or value.
const MARK: &str = "1";

/// A table under construction.
struct Maker<'m> {
    random: &'m mut Random,
    format: Format,
    elements: &'m BTreeSet<Element>,
    out: Content,
    names: Vec<Name>,
    /// Names over others, each with the values that it stands over.
    over: Vec<(Name, usize)>,
    one: Option<&'static str>,
    unit: Option<&'static str>,
    /// Columns of the file, by the values: the first of each, that of its number, and the last.
    places: Vec<(usize, usize, usize)>,
    labels: usize,
}

impl Content {
    pub(super) fn new(
        random: &mut Random,
        format: Format,
        elements: &BTreeSet<Element>,
        title: &str,
    ) -> Self {
        let has = |element: Element| elements.contains(&element);
        let halves = has(Element::TwoRows) || has(Element::Unspanned);
        let most = if has(Element::SideBySide) { 2 } else { 4 };
        let parts = if halves { 2 } else { 1 };
        // One name over a single column would be its own.
        let least = if has(Element::OneName) { 2 } else { 1 };
        let inner = if halves { 2 + random.below(2) } else { least + random.below(most + 1 - least) };
        let names = names(random, elements, inner);
        let over = if halves { over(random, &names, parts) } else { Vec::new() };
        let unit = UNITS[random.below(UNITS.len())];
        let told = [Element::UnitBeside, Element::UnitRow, Element::UnitCorner, Element::UnitTitle];
        let unit = told.into_iter().any(has).then_some(unit);
        let mut maker = Maker {
            format,
            elements,
            out: Self::default(),
            names: (0..parts).flat_map(|_| names.clone()).collect(),
            over: over.into_iter().map(|name| (name, inner)).collect(),
            one: has(Element::OneName).then_some("Quantities of all kinds"),
            unit,
            places: Vec::new(),
            labels: 1 + usize::from(has(Element::GroupFirst) || has(Element::GroupMiddle)),
            random,
        };
        maker.out.title = match unit.filter(|_| has(Element::UnitTitle)) {
            Some(unit) => format!("{title} ({unit})"),
            None => title.to_owned(),
        };
        maker.columns();
        maker.heads();
        maker.body();
        maker.out
    }
}

impl Maker<'_> {
    fn has(&self, element: Element) -> bool {
        self.elements.contains(&element)
    }

    fn columns(&mut self) {
        let mut columns = vec![Column::Label; self.labels];
        if self.has(Element::UnitColumn) {
            columns.push(Column::Label);
        }
        for value in 0..self.names.len() {
            if self.has(Element::Spacers) && value > 0 {
                columns.push(Column::Spacer);
            }
            let first = columns.len();
            if self.has(Element::Dollar) {
                columns.push(Column::Before);
            }
            let number = columns.len();
            columns.push(Column::Value);
            if self.has(Element::Percent) || self.has(Element::UnitBeside) {
                columns.push(Column::After);
            }
            self.places.push((first, number, columns.len() - 1));
        }
        self.out.columns = columns;
    }

    /// A cell over the values from `from` to `to`; over the number of the first alone where the file has no such cells.
    fn across(&self, from: usize, to: usize, spans: bool, role: Role, text: &str) -> Cell {
        if !spans {
            return Cell::new(self.places[from].1, role, text);
        }
        let (first, last) = (self.places[from].0, self.places[to].2);
        Cell { columns: last + 1 - first, ..Cell::new(first, role, text) }
    }

    fn heads(&mut self) {
        let spans = self.format.spans();
        let count = self.names.len();
        let names_row = |cells| Row { kind: Kind::Names, cells };
        let mut rows = Vec::new();
        if let Some(one) = self.one {
            rows.push(names_row(vec![self.across(0, count - 1, spans, Role::Name, one)]));
        }
        if !self.over.is_empty() {
            let spanned = spans && self.has(Element::TwoRows);
            let mut from = 0;
            let mut cells = Vec::new();
            for (name, inner) in &self.over {
                cells.push(self.across(from, from + inner - 1, spanned, Role::Name, &name.text));
                from += inner;
            }
            rows.push(names_row(cells));
        }
        let mut cells = self.corner();
        for (value, name) in self.names.iter().enumerate() {
            let mark = (self.has(Element::Notes) && value == 0 && !self.format.is_sheet()).then_some(MARK);
            cells.push(Cell { mark, ..self.across(value, value, spans, Role::Name, &name.text) });
        }
        rows.push(names_row(cells));
        if let Some(unit) = self.unit.filter(|_| self.has(Element::UnitRow)) {
            let units = (0..count).map(|value| self.across(value, value, spans, Role::Unit, unit));
            rows.push(names_row(units.collect()));
        }
        self.out.heads = rows.len();
        self.out.rows = rows;
    }

    /// What stands over the labels.
    fn corner(&mut self) -> Vec<Cell> {
        let mut cells = Vec::new();
        if let Some(unit) = self.unit.filter(|_| self.has(Element::UnitCorner)) {
            cells.push(Cell::new(0, Role::Corner, &format!("In {unit}")));
        } else if self.random.chance(2) {
            cells.push(Cell::new(0, Role::Corner, "Division"));
            if self.labels > 1 {
                cells.push(Cell::new(1, Role::Corner, "Site"));
            }
        }
        if self.has(Element::UnitColumn) {
            cells.push(Cell::new(self.labels, Role::Corner, "Unit"));
        }
        cells
    }

    fn body(&mut self) {
        let banded = self.has(Element::Bands) || self.has(Element::Indented);
        let blocks = if banded || self.labels > 1 { 2 + self.random.below(2) } else { 1 };
        let first = if self.has(Element::Bands) { self.random.below(2) } else { 1 };
        let mut label = self.random.below(LABELS.len());
        let same = self.random.chance(2);
        let start = label;
        let names = self.out.rows.clone();
        for block in 0..blocks {
            if self.has(Element::Repeated) && block > 0 {
                self.out.rows.extend(names.iter().cloned());
            }
            let band = (banded && block + first > 0).then(|| BANDS[block]);
            if let Some(band) = band {
                let width = self.out.columns.len();
                let columns = if self.random.chance(2) && self.format.spans() { width } else { 1 };
                let cell = Cell { columns, ..Cell::new(0, Role::Band, band) };
                self.out.rows.push(Row { kind: Kind::Band, cells: vec![cell] });
            }
            if same {
                label = start;
            }
            let rows = if blocks > 1 { 2 + self.random.below(3) } else { 3 + self.random.below(6) };
            let half = rows / 2;
            for row in 0..rows {
                if self.has(Element::Repeated) && blocks == 1 && row == half {
                    self.out.rows.extend(names.iter().cloned());
                }
                let group = (self.labels > 1).then(|| (GROUPS[block], row, rows));
                self.row(label % LABELS.len(), band, group);
                label += 1;
            }
        }
    }

    /// A row of values; `group` names it and others, of which it is that of the given number.
    fn row(&mut self, label: usize, band: Option<&str>, group: Option<(&str, usize, usize)>) {
        let mut cells = Vec::new();
        if let Some((name, row, rows)) = group {
            let middle = self.has(Element::GroupMiddle);
            if row == 0 {
                cells.push(Cell { rows: if middle { rows } else { 1 }, ..Cell::new(0, Role::Group, name) });
            }
        }
        let long = self.has(Element::Wrapped);
        let text = if long { LONG_LABELS[label] } else { LABELS[label] };
        let noted = self.has(Element::Notes) && self.random.chance(3);
        cells.push(Cell {
            mark: noted.then_some(MARK),
            indented: self.has(Element::Indented),
            ..Cell::new(self.labels - 1, Role::Label, text)
        });
        let mut unit_of_row = None;
        if self.has(Element::UnitColumn) {
            let unit = UNITS[self.random.below(UNITS.len())];
            unit_of_row = Some(unit);
            cells.push(Cell::new(self.labels, Role::Unit, unit));
        }
        let filled = self.random.below(self.names.len());
        for value in 0..self.names.len() {
            let (first, number, last) = self.places[value];
            let (printed, read) = self.value(value != filled);
            let Some(read) = read else {
                cells.push(Cell::new(number, Role::Value, &printed));
                continue;
            };
            if first < number {
                cells.push(Cell::new(first, Role::Before, "$"));
            }
            let noted = self.has(Element::Notes) && !self.format.is_sheet() && self.random.chance(6);
            cells.push(Cell { mark: noted.then_some(MARK), ..Cell::new(number, Role::Value, &printed) });
            let behind = if self.has(Element::Percent) { Some("%") } else { self.unit };
            if let Some(behind) = behind.filter(|_| last > number) {
                cells.push(Cell::new(last, Role::After, behind));
            }
            let name = &self.names[value];
            let own = if first < number { Some("$") } else { behind.filter(|_| last > number) };
            let over = self.over_of(value);
            self.out.facts.push(Fact {
                value: read,
                printed,
                band: band.or(group.map(|(name, ..)| name)).map(str::to_owned),
                label: text.to_owned(),
                column: over.iter().map(|name| name.text.clone()).chain([name.text.clone()]).collect(),
                said: over
                    .iter()
                    .map(|name| name.said.as_str())
                    .chain([name.said.as_str()])
                    .collect::<Vec<_>>()
                    .join(" "),
                over: self.one.map(str::to_owned),
                unit: own.or(unit_of_row).or(name.unit).or(self.unit).map(str::to_owned),
                year: name.year.or(over.and_then(|name| name.year)),
                part: name.part,
                title: self.out.title.clone(),
            });
        }
        self.out.note =
            self.elements.contains(&Element::Notes).then_some("Counted anew after the sale of a part of it.");
        self.out.rows.push(Row { kind: Kind::Body, cells });
    }

    fn over_of(&self, value: usize) -> Option<&Name> {
        let mut end = 0;
        self.over.iter().find_map(|(name, count)| {
            end += count;
            (value < end).then_some(name)
        })
    }

    /// A value as it is printed, and the number that it is; where it may be `missing`, now and then none.
    fn value(&mut self, missing: bool) -> (String, Option<f64>) {
        let pool = if self.has(Element::Equal) { 2 } else { 900_000 };
        let number = 1_204 + self.random.below(pool);
        let (whole, thousands) = (number as f64, format!("{},{:03}", number / 1_000, number % 1_000));
        match self.random.below(8) {
            0 if missing => (if self.random.chance(2) { "–" } else { "n/a" }.to_owned(), None),
            1 => (format!("({thousands})"), Some(-whole)),
            2 | 3 => (
                format!("{}.{}", number % 1_000, number % 10),
                Some((number % 1_000 * 10 + number % 10) as f64 / 10.0),
            ),
            4 => ((number % 900 + 7).to_string(), Some((number % 900 + 7) as f64)),
            _ => (thousands, Some(whole)),
        }
    }
}
