//! Tables as files hold them, with cells over several rows and columns, become grids that can be searched: a label
//! stands in every row and column that it speaks for.

use super::tidy::tidy;

/// Most columns that one cell spans (HTML Living Standard, 4.9.11).
const MAX_COLUMNS: usize = 1_000;
/// Most cells of a grid; beyond them cells span one row and column each.
const MAX_CELLS: usize = 4_000_000;

/// A cell.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Cell {
    pub(super) text: String,
    /// Columns that it spans, from 1.
    pub(super) columns: usize,
    /// Rows that it spans, from 1.
    pub(super) rows: usize,
}

impl Cell {
    /// A cell of one row and column.
    pub(super) fn new(text: impl Into<String>) -> Self {
        Self { text: text.into(), columns: 1, rows: 1 }
    }
}

/// A table as it was found: rows of cells, each where its row has room.
#[derive(Debug, Clone, Default)]
pub(super) struct Table {
    pub(super) rows: Vec<Vec<Cell>>,
    /// Rows at the top that name the columns.
    pub(super) header: usize,
}

/// A table in which every row has every column.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Grid {
    /// One name for each column, of all header rows; empty names where the table has none.
    pub(super) header: Vec<String>,
    pub(super) rows: Vec<Vec<String>>,
    /// Which row of the table each of these rows was, from 0.
    pub(super) origins: Vec<usize>,
}

impl Grid {
    pub(super) fn width(&self) -> usize {
        self.header.len()
    }
}

/// Most rows that are guessed to name columns.
const MAX_HEADER: usize = 4;
/// Most letters of a name of a column, where it is guessed to be one.
const LONGEST_NAME: usize = 80;

impl Table {
    /// Guesses how many rows at the top name columns: those above the first that holds a number which is no year,
    /// without rows that only name what follows; of a table without numbers the first, where it is short and full.
    pub(super) fn guess_header(&mut self) {
        let filled = |row: &Vec<Cell>| row.iter().filter(|cell| !cell.text.trim().is_empty()).count();
        let numeric = |row: &Vec<Cell>| row.iter().any(|cell| is_value(cell.text.trim()));
        let short = |row: &Vec<Cell>| row.iter().all(|cell| cell.text.trim().chars().count() <= LONGEST_NAME);
        let above = match self.rows.iter().position(numeric) {
            Some(first) => {
                let above = &self.rows[..first.min(MAX_HEADER)];
                let named = above.iter().take_while(|row| short(row));
                named
                    .map(filled)
                    .collect::<Vec<_>>()
                    .iter()
                    .rposition(|filled| *filled >= 2)
                    .map_or(0, |at| at + 1)
            }
            None => {
                let full = |row: &Vec<Cell>| row.len() >= 2 && filled(row) == row.len() && short(row);
                usize::from(self.rows.len() > 1 && self.rows.first().is_some_and(full))
            }
        };
        self.header = above;
    }
    /// The grid, without rows and columns that hold nothing; `None` where nothing is left.
    pub(super) fn into_grid(self) -> Option<Grid> {
        let header = self.header.min(self.rows.len());
        let mut rows = spread(self.rows, header);
        let body = rows.split_off(header);
        let width = rows.iter().chain(&body).map(Vec::len).max()?;
        let names = (0..width).map(|column| name(rows.iter().filter_map(|row| row.get(column)))).collect();
        let origins = (header..).take(body.len()).collect();
        let mut grid = Grid { header: names, rows: body, origins };
        for row in &mut grid.rows {
            row.resize(width, String::new());
            join_signs(row);
        }
        let filled = |row: &[String]| row.iter().any(|cell| !cell.is_empty());
        let mut rows = grid.rows.iter();
        grid.origins.retain(|_| rows.next().is_some_and(|row| filled(row)));
        grid.rows.retain(|row| filled(row));
        grid.merge_columns();
        (grid.width() > 0).then_some(grid)
    }
}

impl Grid {
    /// Drops columns that hold nothing, and joins neighbours that one column of the page was divided into: they
    /// share a name, or hold numbers where one of them has none, and no row fills both.
    fn merge_columns(&mut self) {
        let width = self.width();
        let mut kept: Vec<usize> = Vec::new();
        for column in 0..width {
            let empty = self.rows.iter().all(|row| row[column].is_empty());
            let name = &self.header[column];
            let last = kept.last().copied();
            let repeated = last.is_some_and(|last| *name == self.header[last]);
            if empty && (name.is_empty() || repeated) {
                continue;
            }
            let Some(last) = last.filter(|&last| self.is_one_column(last, column)) else {
                kept.push(column);
                continue;
            };
            for row in &mut self.rows {
                let text = std::mem::take(&mut row[column]);
                if row[last].is_empty() {
                    row[last] = text;
                }
            }
            if self.header[last].is_empty() {
                self.header[last] = std::mem::take(&mut self.header[column]);
            }
        }
        if kept.len() < width {
            let keep = |row: &mut Vec<String>| {
                *row = kept.iter().map(|&column| std::mem::take(&mut row[column])).collect();
            };
            keep(&mut self.header);
            self.rows.iter_mut().for_each(keep);
        }
    }

    fn is_one_column(&self, left: usize, right: usize) -> bool {
        let (one, other) = (&self.header[left], &self.header[right]);
        let digit = |text: &String| text.contains(|c: char| c.is_ascii_digit());
        let numbers =
            |column: usize| self.rows.iter().all(|row| row[column].is_empty() || digit(&row[column]));
        let alike = if one.is_empty() || other.is_empty() {
            self.header.iter().any(|name| !name.is_empty()) && numbers(left) && numbers(right)
        } else {
            one == other
        };
        alike && self.rows.iter().all(|row| row[left].is_empty() || row[right].is_empty())
    }
}

/// Whether a text is a number that is no year: a value, not the name of a column.
fn is_value(text: &str) -> bool {
    let digits = text.chars().filter(char::is_ascii_digit).count();
    let letters = text.chars().filter(|c| c.is_alphabetic()).count();
    let year = text.len() == 4 && digits == 4 && (text.starts_with("19") || text.starts_with("20"));
    let begins = text.starts_with(|c: char| !c.is_alphabetic());
    begins && digits > 0 && letters <= 3 && !year && !text.contains(['/', ':']) && !text.starts_with('[')
}

/// One name of all header rows of a column.
fn name<'a>(parts: impl Iterator<Item = &'a String>) -> String {
    let mut out: Vec<&str> = Vec::new();
    for part in parts {
        if !part.is_empty() && out.last() != Some(&part.as_str()) {
            out.push(part);
        }
    }
    out.join(" / ")
}

/// Puts each text where it speaks: in every row that its cell spans, and, of the first `header` rows, in every column.
fn spread(rows: Vec<Vec<Cell>>, header: usize) -> Vec<Vec<String>> {
    let height = rows.len();
    let width = |row: &Vec<Cell>| row.iter().map(|cell| cell.columns.clamp(1, MAX_COLUMNS)).sum::<usize>();
    let widest = rows.iter().map(width).max().unwrap_or(0);
    let spans = widest.saturating_mul(height) <= MAX_CELLS;
    // By column: the text that an upper cell says, and for how many more rows.
    let mut above: Vec<(usize, String)> = Vec::new();
    let inherit = |texts: &mut Vec<String>, above: &mut Vec<(usize, String)>| {
        while let Some((left, text)) = above.get_mut(texts.len()).filter(|(left, _)| *left > 0) {
            *left -= 1;
            texts.push(text.clone());
        }
    };
    let mut out = Vec::with_capacity(height);
    for (index, row) in rows.into_iter().enumerate() {
        let mut texts: Vec<String> = Vec::new();
        for cell in row {
            inherit(&mut texts, &mut above);
            let text = tidy(&cell.text);
            let columns = if spans { cell.columns.clamp(1, MAX_COLUMNS) } else { 1 };
            let more = if spans { cell.rows.clamp(1, height - index) - 1 } else { 0 };
            for column in 0..columns {
                let at = texts.len();
                let speaks = column == 0 || index < header;
                let said = if speaks { text.clone() } else { String::new() };
                if more > 0 {
                    above.resize(above.len().max(at + 1), (0, String::new()));
                    above[at] = (more, said.clone());
                }
                texts.push(said);
            }
        }
        inherit(&mut texts, &mut above);
        out.push(texts);
    }
    out
}

/// Joins currency signs, closing brackets and percent signs in cells of their own with their number.
fn join_signs(row: &mut [String]) {
    const BEFORE_DIGITS: &[char] = &['(', '-', '.', '\u{2212}', '\u{2013}', '\u{2014}'];
    for at in 0..row.len() {
        let number_follows = row
            .get(at + 1)
            .is_some_and(|next| next.starts_with(|c: char| c.is_ascii_digit() || BEFORE_DIGITS.contains(&c)));
        let number = row[..at]
            .iter()
            .rposition(|cell| !cell.is_empty())
            .filter(|&before| row[before].ends_with(|c: char| c.is_ascii_digit() || c == ')'));
        match row[at].as_str() {
            "$" | "€" | "£" | "¥" | "US$" if number_follows => {
                let sign = std::mem::take(&mut row[at]);
                row[at + 1].insert_str(0, &sign);
            }
            ")" | "%" | ")%" => {
                if let Some(number) = number {
                    let sign = std::mem::take(&mut row[at]);
                    row[number].push_str(&sign);
                }
            }
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(header: usize, rows: &[&[&str]]) -> Table {
        let rows = rows.iter().map(|row| row.iter().copied().map(Cell::new).collect()).collect();
        Table { rows, header }
    }

    fn wide(text: &str, columns: usize, rows: usize) -> Cell {
        Cell { text: text.to_owned(), columns, rows }
    }

    fn shown(table: Table) -> Vec<String> {
        let grid = table.into_grid().unwrap();
        std::iter::once(&grid.header).chain(&grid.rows).map(|row| row.join("|")).collect()
    }

    #[test]
    fn a_label_stands_in_every_row_and_column_it_speaks_for() {
        let rows = vec![
            vec![wide("Metric", 1, 2), wide("2024", 2, 1)],
            vec![Cell::new("Plan"), Cell::new("Actual")],
            vec![wide("Scope 1", 1, 2), Cell::new("5"), Cell::new("6")],
            vec![Cell::new("7"), Cell::new("8")],
            vec![wide("Total", 2, 1), Cell::new("9")],
        ];
        assert_eq!(
            shown(Table { rows, header: 2 }),
            ["Metric|2024 / Plan|2024 / Actual", "Scope 1|5|6", "Scope 1|7|8", "Total||9"]
        );
    }

    #[test]
    fn signs_join_their_number_and_parts_of_a_column_join() {
        let rows = vec![
            vec![Cell::new(""), wide("2024", 3, 1), Cell::new("")],
            vec![Cell::new("Sales"), Cell::new("$"), Cell::new("1,200"), Cell::new(""), Cell::new("")],
            vec![Cell::new("Loss"), wide("(30", 2, 1), Cell::new(")"), Cell::new("")],
            vec![Cell::new("Margin"), Cell::new(""), Cell::new("4"), Cell::new("%"), Cell::new("")],
        ];
        assert_eq!(shown(Table { rows, header: 1 }), ["|2024", "Sales|$1,200", "Loss|(30)", "Margin|4%"]);
    }

    #[test]
    fn what_is_empty_goes_and_spans_beyond_the_table_end_with_it() {
        let endless = wide("A", usize::MAX, usize::MAX);
        assert_eq!(
            shown(Table { rows: vec![vec![endless], vec![Cell::new("")]], header: 0 }),
            ["", "A", "A"]
        );
        assert_eq!(table(1, &[&["", ""], &["", ""]]).into_grid(), None);
        assert_eq!(shown(table(1, &[&["a", "", "b"], &["", "", ""], &["1", "", "2"]])), ["a|b", "1|2"]);
    }
}
