//! Tables made here, by what their cells say.
#![allow(clippy::unwrap_used, reason = "tests fail by panicking")]

use super::*;

fn table(header: usize, rows: &[&[&str]]) -> Table {
    let rows = rows.iter().map(|row| row.iter().copied().map(Cell::new).collect()).collect();
    Table { rows, declared: header, complete: true, sheet: false }
}

fn wide(text: &str, columns: usize, rows: usize) -> Cell {
    Cell { columns, rows, ..Cell::new(text) }
}

fn shown(table: Table) -> Vec<String> {
    let grid = table.into_grids().pop().unwrap();
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
        shown(table_of(2, rows)),
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
    assert_eq!(shown(table_of(1, rows)), ["|2024", "Sales|$1,200", "Loss|(30)", "Margin|4%"]);
}

#[test]
fn what_is_empty_goes_and_spans_beyond_the_table_end_with_it() {
    let endless = wide("A", usize::MAX, usize::MAX);
    assert_eq!(shown(table_of(0, vec![vec![endless], vec![Cell::new("")]])), ["", "A", "A"]);
    assert_eq!(table(1, &[&["", ""], &["", ""]]).into_grids(), []);
    assert_eq!(shown(table(1, &[&["a", "", "b"], &["", "", ""], &["1", "", "2"]])), ["a|b", "1|2"]);
}

fn table_of(header: usize, rows: Vec<Vec<Cell>>) -> Table {
    Table { rows, declared: header, complete: true, sheet: false }
}
