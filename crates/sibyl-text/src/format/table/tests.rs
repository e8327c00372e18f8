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

/// A table with these labels of groups and kinds, and one figure in each row; the labels of the groups as they are repeated.
fn groups(rows: &[(&str, &str)]) -> Vec<String> {
    let figures: Vec<String> = (1..=rows.len()).map(|at| at.to_string()).collect();
    let head: &[&str] = &["Region", "Kind", "2024"];
    let rows = rows.iter().zip(&figures).map(|((group, kind), figure)| vec![*group, *kind, figure.as_str()]);
    let rows: Vec<Vec<&str>> = std::iter::once(head.to_vec()).chain(rows).collect();
    let rows: Vec<&[&str]> = rows.iter().map(Vec::as_slice).collect();
    let grid = table(1, &rows).into_grids().pop().unwrap();
    grid.rows.into_iter().map(|mut row| row.swap_remove(0)).collect()
}

#[test]
fn the_label_of_a_group_stands_in_its_first_row_or_in_its_middle() {
    let (power, heat, steam) = ("Power", "Heat", "Steam");
    let first = [("North", power), ("", heat), ("", steam), ("South", power), ("", heat), ("Total", "")];
    assert_eq!(groups(&first), ["North", "North", "North", "South", "South", "Total"]);
    let middle = [("", power), ("North", heat), ("", steam), ("", power), ("South", heat), ("", steam)];
    assert_eq!(groups(&middle), ["North", "North", "North", "South", "South", "South"]);
    let unequal = [
        ("", power),
        ("", heat),
        ("North", steam),
        ("", "Gas"),
        ("", "Oil"),
        ("South", power),
        ("", power),
        ("West", heat),
        ("", steam),
        ("All", ""),
    ];
    let expected = ["North", "North", "North", "North", "North", "South", "West", "West", "West", "All"];
    assert_eq!(groups(&unequal), expected);
    // Of two rows, the label stands beside the lower one in all groups.
    let lower = [("", power), ("North", heat), ("", power), ("South", heat), ("", power), ("West", heat)];
    assert_eq!(groups(&lower), ["North", "North", "South", "South", "West", "West"]);
}

#[test]
fn a_label_whose_group_cannot_be_told_stays_in_its_row() {
    let one = [("", "Power"), ("North", "Heat"), ("", "Steam")];
    assert_eq!(groups(&one), ["", "North", ""], "one group alone proves nothing");
    let sum = [("", "Total"), ("North", "Power"), ("", "Heat"), ("South", "Power"), ("", "Heat")];
    assert_eq!(groups(&sum), ["", "North", "North", "South", "South"], "a sum above all belongs to none");
    let even = [("", "Power"), ("North", "Heat"), ("", "Steam"), ("South", "Power"), ("", "Heat")];
    assert_eq!(groups(&even), ["", "North", "", "South", ""], "steam may be of either");
    let torn = [
        ("", "Power"),
        ("North", "Heat"),
        ("", "Oil"),
        ("", "Gas"),
        ("", "Steam"),
        ("", "Coal"),
        ("South", "Power"),
    ];
    assert_eq!(groups(&torn), ["", "North", "", "", "", "", "South"]);
}
