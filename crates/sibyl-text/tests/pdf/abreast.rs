//! Tables side by side, with rows at the same heights.

use crate::elements::rows;
use crate::text;
use crate::writer::{Page, width};

/// A row of cells that end at `right`, the first of them beginning at `left`.
fn row(page: Page, y: f32, left: f32, right: &[f32], cells: &[&str]) -> Page {
    let page = page.text(left, y, 10.0, cells[0]);
    right
        .iter()
        .zip(&cells[1..])
        .fold(page, |page, (right, cell)| page.text(right - width(cell, 10.0), y, 10.0, cell))
}

/// Two tables, the second with its left side at `left` and its numbers ending at `right`.
fn two(first: &[[&str; 3]], second: &[[&str; 3]], left: f32, right: [f32; 2]) -> Page {
    let numbers = [200.0, 250.0];
    let page = first
        .iter()
        .enumerate()
        .fold(Page::default(), |page, (r, cells)| row(page, 100.0 + 16.0 * r as f32, 50.0, &numbers, cells));
    second
        .iter()
        .enumerate()
        .fold(page, |page, (r, cells)| row(page, 100.0 + 16.0 * r as f32, left, &right, cells))
}

const BOARD: [[&str; 3]; 5] = [
    ["Board", "Number", "Share"],
    ["Women", "5", "45%"],
    ["Men", "6", "55%"],
    ["Independent", "7", "64%"],
    ["Foreign", "2", "–"],
];
const TRAINING: [[&str; 3]; 5] = [
    ["Training", "Hours", "People"],
    ["Safety", "88,120", "904"],
    ["Ethics", "9,331", "870"],
    ["Security", "6,415", "912"],
    ["Languages", "4,090", "377"],
];

#[test]
fn two_tables_with_names_of_their_own_for_their_rows_are_two() {
    let text = text(two(&BOARD, &TRAINING, 290.0, [460.0, 510.0]));
    let expected: Vec<Vec<&str>> = BOARD.iter().chain(&TRAINING).map(|row| row.to_vec()).collect();
    assert_eq!(rows(&text), expected, "{text}");
}

#[test]
fn two_tables_whose_columns_have_the_same_names_are_two() {
    let titled = |table: &[[&'static str; 3]; 5]| {
        let mut rows = vec![[table[0][0], "", ""], ["", "2023", "2022"]];
        rows.extend(&table[1..]);
        rows
    };
    // As near to each other as their columns are.
    let text = text(two(&titled(&BOARD), &titled(&TRAINING), 266.0, [430.0, 480.0]));
    let joined = |table: &[[&'static str; 3]; 5]| {
        let mut rows = vec![vec![table[0][0], "2023", "2022"]];
        rows.extend(table[1..].iter().map(|row| row.to_vec()));
        rows
    };
    assert_eq!(rows(&text), [joined(&BOARD), joined(&TRAINING)].concat(), "{text}");
}

#[test]
fn a_column_of_units_parts_no_table() {
    let table = [
        ["Energy", "2023", "2022", "Unit", "Target", "Base"],
        ["Power", "5.1", "4.5", "GWh", "3.0", "7.1"],
        ["Heat", "6.0", "5.5", "GWh", "4.0", "8.2"],
        ["Steam", "7.2", "6.4", "kt", "5.0", "9.0"],
        ["Fuel", "2.4", "1.8", "kt", "1.0", "3.3"],
    ];
    let page = table.iter().enumerate().fold(Page::default(), |page, (r, cells)| {
        let y = 100.0 + 16.0 * r as f32;
        let page = row(page, y, 50.0, &[200.0, 250.0], &cells[..3]);
        row(page, y, 290.0, &[460.0, 510.0], &cells[3..])
    });
    let text = text(page);
    assert_eq!(rows(&text), table.map(|row| row.to_vec()), "{text}");
}
