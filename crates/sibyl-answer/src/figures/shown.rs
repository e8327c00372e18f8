//! Figures as they are shown: each with its rows and columns, the other places that state it, and the figures that
//! were passed over.

use super::Candidate;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sibyl_text::Span;
use sibyl_text::figure::{Origin, Status, cells};

/// Maximum number of table rows shown.
const ROWS: usize = 6;
/// Maximum number of columns, beside the column of names.
const COLUMNS: usize = 5;

/// The figures that answer a question, or what there is instead.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct FigureAnswer {
    /// The figures that answer, in the order of the answer; empty if none does.
    pub figures: Vec<FigureShown>,
    /// The tables that they stand in, each cut to the rows and columns around them. If none answers, the figures
    /// of other periods beside the one that is not given.
    pub tables: Vec<FigureTable>,
    /// What was calculated from them, such as `2,905,000 − 2,548,000 = +357,000 t (+14.0 %)`.
    pub working: Option<String>,
    /// Other places that state the figure.
    pub also: Vec<FigureAlso>,
    /// Figures that were considered but differ from the one asked for.
    pub passed_over: Vec<FigurePassedOver>,
}

/// A figure that answers.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct FigureShown {
    /// The number as it is printed.
    pub printed: String,
    /// Its unit as it is printed.
    pub unit: Option<String>,
    /// What it is: the names of its row and column.
    pub name: String,
    /// Its year or the part of one, such as `H1 2024`.
    pub period: Option<String>,
    /// Whether it is an actual value, a target or another kind.
    pub status: Status,
    /// Where it stands.
    pub origin: Origin,
    /// Number of the citation that it rests on.
    pub citation: usize,
}

/// A table, or some of its rows and columns.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct FigureTable {
    /// Number of the citation of its source; `None` if the table was put together from several rows.
    pub citation: Option<usize>,
    /// The row that names the columns.
    pub head: Vec<String>,
    /// Its rows, each with as many cells as `head`.
    pub rows: Vec<FigureTableRow>,
    /// Number of rows left out after the last.
    pub rows_after: usize,
    /// Number of columns left out.
    pub columns_left_out: usize,
}

/// A row of a table.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct FigureTableRow {
    /// Number of rows left out before it.
    pub rows_before: usize,
    /// Its cells; the first is its name.
    pub cells: Vec<String>,
    /// Positions of the cells that answer, or of the empty one that would, from 0.
    pub marked: Vec<usize>,
}

/// Another place that states a figure.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct FigureAlso {
    /// The figure there.
    pub figure: FigureElsewhere,
    /// How it agrees.
    pub agreement: Agreement,
}

/// A figure that was considered but differs from the one asked for.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct FigurePassedOver {
    /// The figure.
    pub figure: FigureElsewhere,
    /// How it differs.
    pub other: Other,
}

/// How two figures of the same thing and period agree.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(rename = "FigureAgreement")]
pub enum Agreement {
    /// They are the same.
    Agrees,
    /// One is the other, rounded.
    Rounded,
    /// They differ.
    Differs,
}

/// In what way a figure differs from the one asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(rename = "FigureOther")]
pub enum Other {
    /// Its scope is another, or it covers several together.
    Scope,
    /// Its Scope 2 is counted by the other method.
    Basis,
    /// It measures something else, such as a share instead of a mass.
    Measure,
    /// It is of another part, such as contractors instead of employees.
    Part,
    /// It is a target instead of an actual figure, or the other way round.
    Status,
}

/// A figure with its place.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct FigureElsewhere {
    /// Document row.
    pub document_id: i64,
    /// Title of the document.
    pub title: String,
    /// Physical page, from 1; `None` if the document has none.
    pub page: Option<u32>,
    /// Where the number is in the document's text: first UTF-16 code unit and one past the last.
    pub span: (usize, usize),
    /// The names of its row and column; if it stands in no table, its sentence.
    pub name: String,
    /// Its year or the part of one.
    pub period: Option<String>,
    /// The number as it is printed.
    pub printed: String,
    /// Its unit as it is printed.
    pub unit: Option<String>,
    /// Where it stands.
    pub origin: Origin,
}

impl Candidate {
    /// The names of its row and column.
    pub fn name(&self) -> String {
        let column = Some(&self.column).filter(|_| self.origin != Origin::Sentence);
        let names = self.label.iter().chain(column).filter(|name| !name.is_empty());
        names.map(String::as_str).collect::<Vec<_>>().join(" › ")
    }

    /// Its year or the part of one, in words.
    pub fn period(&self) -> Option<String> {
        let year = self.year?;
        Some(self.part.as_ref().map_or_else(|| year.to_string(), |part| format!("{part} {year}")))
    }

    /// The figure as it is shown with its citation.
    pub fn shown(&self, citation: usize) -> FigureShown {
        FigureShown {
            printed: self.printed.clone(),
            unit: self.unit.clone(),
            name: self.name(),
            period: self.period(),
            status: self.status,
            origin: self.origin,
            citation,
        }
    }
}

/// The table of `text` that contains the numbers and rows of `marked`, with the head `head`, cut to what is around
/// them. `None` if there is no such table.
pub fn table(text: &str, marked: &[(Span, Span)], head: Span, citation: usize) -> Option<FigureTable> {
    let first = marked.first()?.1;
    let head_cells = texts(text, head);
    let rows = rows(text, first, head);
    let of_row = |row: &Span| -> Vec<usize> {
        let numbers = marked.iter().map(|(number, _)| number);
        let numbers = numbers.filter(|number| row.start <= number.start && number.end <= row.end);
        let cells = cells(text, *row);
        let holds = |number: &Span| {
            cells.iter().position(|cell| cell.start <= number.start && number.end <= cell.end)
        };
        numbers.filter_map(holds).filter(|column| (1..head_cells.len()).contains(column)).collect()
    };
    let marks: Vec<Vec<usize>> = rows.iter().map(of_row).collect();
    if marks.iter().all(Vec::is_empty) {
        return None;
    }
    let values: Vec<usize> = marks.iter().flatten().map(|column| column - 1).collect();
    let values = around(&values, COLUMNS, head_cells.len() - 1);
    let columns: Vec<usize> = std::iter::once(0).chain(values.into_iter().map(|column| column + 1)).collect();
    let wanted: Vec<usize> = (0..rows.len()).filter(|at| !marks[*at].is_empty()).collect();
    let mut shown = Vec::new();
    let mut next = 0;
    for at in around(&wanted, ROWS, rows.len()) {
        let all = texts(text, rows[at]);
        let cells = columns.iter().map(|column| all.get(*column).cloned().unwrap_or_default()).collect();
        let marked = marks[at].iter().filter_map(|mark| columns.iter().position(|one| one == mark));
        shown.push(FigureTableRow { rows_before: at - next, cells, marked: marked.collect() });
        next = at + 1;
    }
    Some(FigureTable {
        citation: Some(citation),
        head: columns.iter().map(|column| head_cells[*column].clone()).collect(),
        rows: shown,
        rows_after: rows.len() - next,
        columns_left_out: head_cells.len() - columns.len(),
    })
}

/// The figures `given` of one row by period, with an empty place for each of `wanted` that is not among them.
pub fn with_a_hole(given: &[&Candidate], wanted: &[u16]) -> Option<FigureTable> {
    let mut years: Vec<u16> = given.iter().filter_map(|one| one.year).chain(wanted.iter().copied()).collect();
    years.sort_unstable_by(|a, b| b.cmp(a));
    years.dedup();
    let hole = years
        .iter()
        .position(|year| wanted.contains(year) && !given.iter().any(|one| one.year == Some(*year)))?;
    let kept = around(&[hole], COLUMNS, years.len());
    let first = given.first()?;
    let cell = |year: u16| {
        let one = given.iter().find(|one| one.year == Some(year));
        one.map(|one| one.printed.clone()).unwrap_or_default()
    };
    let row = FigureTableRow {
        rows_before: 0,
        cells: std::iter::once(first.name()).chain(kept.iter().map(|at| cell(years[*at]))).collect(),
        marked: kept.iter().position(|at| *at == hole).map(|at| at + 1).into_iter().collect(),
    };
    let unit = first.unit.clone().unwrap_or_default();
    Some(FigureTable {
        citation: None,
        head: std::iter::once(unit).chain(kept.iter().map(|at| years[*at].to_string())).collect(),
        rows: vec![row],
        rows_after: 0,
        columns_left_out: years.len() - kept.len(),
    })
}

/// At most `most` positions of `all` things, in order: `wanted`, and those around it.
fn around(wanted: &[usize], most: usize, all: usize) -> Vec<usize> {
    let mut kept: Vec<usize> = wanted.to_vec();
    kept.sort_unstable();
    kept.dedup();
    kept.truncate(most);
    for distance in 1..all {
        for at in kept.clone() {
            for near in [at.checked_sub(distance), Some(at + distance).filter(|near| *near < all)]
                .into_iter()
                .flatten()
            {
                if kept.len() < most && !kept.contains(&near) {
                    kept.push(near);
                }
            }
        }
    }
    kept.sort_unstable();
    kept
}

/// The rows of the table of `text` that `row` belongs to, without the head and the line below it.
fn rows(text: &str, row: Span, head: Span) -> Vec<Span> {
    let is_row = |line: &str| line.trim_start().starts_with('|');
    let mut start = text[..row.start].rfind('\n').map_or(0, |at| at + 1);
    while start > 0 {
        let before = text[..start - 1].rfind('\n').map_or(0, |at| at + 1);
        if !is_row(&text[before..start]) {
            break;
        }
        start = before;
    }
    let mut found = Vec::new();
    let mut at = start;
    for line in text[start..].split_inclusive('\n').take_while(|line| is_row(line)) {
        let span = Span::new(at, at + line.trim_end().len());
        at += line.len();
        let beneath = line.chars().all(|c| matches!(c, '|' | '-' | ':') || c.is_whitespace());
        let heads = span.start < head.end && head.start < span.end;
        if !beneath && !heads {
            found.push(span);
        }
    }
    found
}

/// What the cells of `row` say, without marks of emphasis.
fn texts(text: &str, row: Span) -> Vec<String> {
    let plain = |cell: &Span| cell.of(text).trim_matches('*').replace("\\|", "|").trim().to_owned();
    cells(text, row).iter().map(plain).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "Before.\n\n| Emissions (t) | 2024 | 2023 | Base |\n|---|---:|---:|---:|\n| Gas plants | 10 | 11 | 12 |\n| **Total** | 20 | 21 | 22 |\n\nAfter | all.\n";

    fn marked(number: &str) -> (Span, Span) {
        let at = TEXT.find(number).expect("the number");
        let start = TEXT[..at].rfind('\n').expect("a line") + 1;
        let end = at + TEXT[at..].find('\n').expect("an end");
        (Span::new(at, at + number.len()), Span::new(start, end))
    }

    #[test]
    fn the_cell_that_answers_is_marked_in_its_table() {
        let head = marked("2024").1;
        let table = table(TEXT, &[marked("21")], head, 3).expect("a table");
        assert_eq!(table.head, ["Emissions (t)", "2024", "2023", "Base"]);
        assert_eq!(table.rows.len(), 2);
        assert_eq!(table.rows[1].cells, ["Total", "20", "21", "22"]);
        assert_eq!((table.rows[0].marked.as_slice(), table.rows[1].marked.as_slice()), (&[][..], &[2][..]));
        assert_eq!((table.rows_after, table.columns_left_out, table.citation), (0, 0, Some(3)));
    }

    #[test]
    fn a_large_table_is_cut_around_the_cell() {
        let names: Vec<String> = (0..30).map(|at| format!("c{at}")).collect();
        let mut text = format!("| name | {} |\n|{}\n", names.join(" | "), "---|".repeat(31));
        for row in 0..30 {
            let cells: Vec<String> = (0..30).map(|column| format!("{row}v{column}")).collect();
            text.push_str(&format!("| r{row} | {} |\n", cells.join(" | ")));
        }
        let at = text.find("17v9 ").expect("the cell");
        let start = text[..at].rfind('\n').expect("a line") + 1;
        let row = Span::new(start, at + text[at..].find('\n').expect("an end"));
        let head = Span::new(0, text.find('\n').expect("a line"));
        let table = table(&text, &[(Span::new(at, at + 4), row)], head, 1).expect("a table");
        assert_eq!((table.rows.len(), table.head.len()), (ROWS, COLUMNS + 1));
        let row = table.rows.iter().find(|row| !row.marked.is_empty()).expect("the row");
        assert_eq!((row.cells[0].as_str(), row.cells[row.marked[0]].as_str()), ("r17", "17v9"));
        let hidden: usize = table.rows.iter().map(|row| row.rows_before).sum();
        assert_eq!(hidden + table.rows.len() + table.rows_after, 30);
        assert_eq!(table.columns_left_out + table.head.len(), 31);
    }

    #[test]
    fn what_is_not_given_is_a_hole_among_what_is() {
        let all = super::super::tests::table();
        let given: Vec<&Candidate> = all.iter().filter(|one| one.label == ["Scope 1"]).collect();
        let table = with_a_hole(&given, &[2022]).expect("a table");
        assert_eq!(table.head, ["kt CO2e", "2024", "2023", "2022"]);
        assert_eq!(table.rows[0].cells, ["Scope 1", "11", "14", ""]);
        assert_eq!(table.rows[0].marked, [3]);
        assert_eq!(with_a_hole(&given, &[2023]), None);
    }
}
