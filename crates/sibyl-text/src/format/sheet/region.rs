//! Where a sheet is divided: at blank rows, unless they part the names of columns from their rows, and where another table
//! stands beside.

use super::Sheet;
use crate::format::table::Kind;
use std::collections::BTreeSet;
use std::ops::Range;

/// Most letters of a title.
const LONGEST_TITLE: usize = 100;
/// Most rows of names above a blank row.
const MAX_NAMES: usize = 5;

/// Rows of a sheet, and the columns of them that belong together.
pub(super) struct Region<'s> {
    pub(super) sheet: &'s Sheet,
    pub(super) rows: Vec<u32>,
    columns: Range<u32>,
}

/// The regions of `sheet`, from the top and in a band of rows from the left.
pub(super) fn regions(sheet: &Sheet) -> Vec<Region<'_>> {
    let mut bands: Vec<Region<'_>> = Vec::new();
    for &row in sheet.rows.keys() {
        match bands.last_mut() {
            Some(band) if band.rows.last().is_some_and(|last| sheet.follows(*last, row)) => {
                band.rows.push(row)
            }
            _ => bands.push(Region { sheet, rows: vec![row], columns: 0..u32::MAX }),
        }
    }
    let mut joined: Vec<Region<'_>> = Vec::new();
    for band in bands {
        match joined.last_mut() {
            Some(above) if above.names(&band) => above.rows.extend(band.rows),
            _ => joined.push(band),
        }
    }
    joined.into_iter().flat_map(Region::divided).collect()
}

impl<'s> Region<'s> {
    /// The cells of a row, from the left.
    pub(super) fn cells(&self, row: u32) -> impl Iterator<Item = (u32, &'s str)> {
        let cells = self.sheet.rows.get(&row).map(|cells| cells.range(self.columns.clone()));
        cells.into_iter().flatten().map(|(column, text)| (*column, text.as_str()))
    }

    pub(super) fn text(&self, row: u32, column: u32) -> Option<&'s str> {
        self.sheet.rows.get(&row)?.get(&column).map(String::as_str).filter(|_| self.columns.contains(&column))
    }

    /// What the first cell of a row says.
    pub(super) fn first(&self, row: u32) -> &'s str {
        self.cells(row).next().map_or("", |(_, text)| text)
    }

    /// The columns that `rows` fill.
    pub(super) fn columns(&self, rows: &[u32]) -> BTreeSet<u32> {
        rows.iter().flat_map(|row| self.cells(*row).map(|(column, _)| column)).collect()
    }

    /// Whether a row has one cell.
    pub(super) fn is_single(&self, row: u32) -> bool {
        self.cells(row).count() == 1
    }

    /// Rows at the top with a title or remark each; what names columns is none.
    pub(super) fn titles(&self) -> usize {
        let left = self.columns(&self.rows).first().copied();
        let several = self.rows.iter().any(|row| !self.is_single(*row));
        let titles = self.rows.iter().take_while(|row| {
            let mut cells = self.cells(**row);
            let (Some((column, text)), None) = (cells.next(), cells.next()) else { return false };
            let names = names_columns(text) && several;
            let below = self.rows.iter().find(|below| *below > row && !self.is_single(**below));
            let heads = below
                .and_then(|below| self.text(*below, column))
                .is_some_and(|text| Kind::of_text(text).is_figure());
            !names && (Some(column) == left || (Kind::of_text(text) == Kind::Text && !heads))
        });
        titles.count()
    }

    fn kinds(&self, row: u32) -> impl Iterator<Item = (u32, Kind)> {
        self.cells(row).map(|(column, text)| (column, Kind::of_text(text)))
    }

    /// Whether it ends with names of columns, and `below`, behind a blank row, has the rows that they name.
    fn names(&self, below: &Self) -> bool {
        let rows = &self.rows[self.titles()..];
        let wide = |row: &&u32| !self.is_single(**row);
        let valueless = |row: &u32| self.kinds(*row).all(|(_, kind)| !kind.is_figure());
        let Some(last) = rows.last().filter(|row| wide(row)) else { return false };
        let first = below.rows.iter().find(|row| !below.is_single(**row));
        let Some(first) = first.filter(|_| rows.len() <= MAX_NAMES && rows.iter().all(valueless)) else {
            return false;
        };
        let named = self.columns(rows);
        let mut values = below.kinds(*first).filter(|(_, kind)| kind.is_figure()).peekable();
        values.peek().is_some()
            && values.all(|(column, _)| named.contains(&column))
            && self.kinds(*last).all(|(_, kind)| kind != Kind::Code)
    }

    /// It, or the tables that stand side by side in it: each has labels of its own.
    fn divided(self) -> Vec<Self> {
        let columns: Vec<u32> = self.columns(&self.rows).into_iter().collect();
        let gaps = columns.windows(2).filter(|two| two[0] + 1 < two[1]).map(|two| two[1]);
        let titled = self.rows.iter().take(2).filter(|row| self.has_titles(**row));
        let titled = titled.flat_map(|row| self.cells(*row).skip(1).map(|(column, _)| column));
        let mut starts: Vec<u32> = gaps.chain(titled).collect();
        starts.sort_unstable();
        starts.dedup();
        let mut out: Vec<Self> = Vec::new();
        let mut from = self.columns.start;
        for start in starts {
            if self.begins_table(from, start) {
                out.extend(self.part(from..start));
                from = start;
            }
        }
        if out.is_empty() {
            return vec![self];
        }
        out.extend(self.part(from..self.columns.end));
        out
    }

    fn part(&self, columns: Range<u32>) -> Option<Self> {
        let mut part = Region { sheet: self.sheet, rows: Vec::new(), columns };
        part.rows = self.rows.iter().copied().filter(|row| part.cells(*row).next().is_some()).collect();
        (!part.rows.is_empty()).then_some(part)
    }

    /// Whether rows have labels in column `start` with values behind them, and values before it.
    fn begins_table(&self, from: u32, start: u32) -> bool {
        let merged_over = self.sheet.merged.iter().any(|((row, column), (_, width))| {
            let end = column.saturating_add(u32::try_from(*width).unwrap_or(u32::MAX));
            self.rows.contains(row) && (column + 1..end).contains(&start)
        });
        let (mut rows, mut labelled, mut left) = (0, 0, false);
        for &row in &self.rows {
            let figure = |kind: Kind| matches!(kind, Kind::Value);
            left |= self.kinds(row).any(|(column, kind)| (from..start).contains(&column) && figure(kind));
            if self.kinds(row).any(|(column, kind)| column > start && figure(kind)) {
                rows += 1;
                let label = self.text(row, start).map(Kind::of_text);
                labelled += usize::from(label == Some(Kind::Text));
            }
        }
        !merged_over && left && rows > 0 && labelled * 10 >= rows * 6
    }

    /// Whether a row holds several titles: the first of them reaches over labels and values.
    fn has_titles(&self, row: u32) -> bool {
        let mut cells = self.cells(row);
        let Some((first, _)) = cells.next() else { return false };
        let reaches = self.sheet.merged.get(&(row, first)).is_some_and(|(_, columns)| *columns > 1);
        let with_unit = |text: &str| text.ends_with(')') && text.contains('(');
        let several = cells.next().is_some();
        several
            && (reaches || self.cells(row).all(|(_, text)| with_unit(text)))
            && self.cells(row).all(|(_, text)| is_title(text) && Kind::of_text(text) == Kind::Text)
    }

    /// The title of `rows` that stands in their first row beside those of some of their columns.
    pub(super) fn shared_title(&self, rows: &[u32]) -> Option<&'s str> {
        let first = *rows.first().filter(|row| rows.len() > 2 && self.has_titles(**row))?;
        let left = self.columns(rows).first().copied()?;
        self.text(first, left)
    }
}

/// Whether a text may be a title.
pub(super) fn is_title(text: &str) -> bool {
    let letters = text.chars().any(char::is_alphabetic);
    letters
        && text.chars().count() <= LONGEST_TITLE
        && !text.ends_with(['.', ';', ':'])
        && !text.contains('\n')
}

/// Whether a text is the name of columns and no title: a period or a unit.
fn names_columns(text: &str) -> bool {
    matches!(Kind::of_text(text), Kind::Year | Kind::Period | Kind::Unit | Kind::Before)
}
