//! Tables and text side by side: the gutter of a page parts them, whatever stands at one height.

use crate::writer::Page;
use crate::{in_order, text};

const TEXT: [&str; 8] = [
    "The company counts what it emits in its own",
    "plants and vehicles and in the power that it",
    "buys from others. It follows the standard that",
    "most of its own peers use as well and has the",
    "sums of every year checked by an auditor from",
    "outside who knows such plants. Where a sum was",
    "not right it is said again in the year that",
    "follows, with a reason for each of them.",
];
const WHOLE: [&str; 3] = [
    "emits in its own plants and vehicles and in the power that it buys from others.",
    "has the sums of every year checked by an auditor from outside who knows such plants.",
    "Where a sum was not right it is said again in the year that follows, with a reason for each of them.",
];
const ROWS: [[&str; 4]; 6] = [
    ["Source", "Unit", "2022", "2023"],
    ["Ovens", "kt CO2e", "18.2", "17.7"],
    ["Lorries", "kt CO2e", "6.4", "6.1"],
    ["Cooling", "kt CO2e", "0.7", "0.6"],
    ["Power", "kt CO2e", "22.0", "12.4"],
    ["Travel", "kt CO2e", "1.1", "2.8"],
];
const TABLE: [&str; 6] = [
    "| Source | Unit | 2022 | 2023 |",
    "| Ovens | kt CO2e | 18.2 | 17.7 |",
    "| Lorries | kt CO2e | 6.4 | 6.1 |",
    "| Cooling | kt CO2e | 0.7 | 0.6 |",
    "| Power | kt CO2e | 22.0 | 12.4 |",
    "| Travel | kt CO2e | 1.1 | 2.8 |",
];

/// The rows of a table from `top` on, their cells at `places`.
fn table<const N: usize>(page: Page, places: [f32; N], top: f32, step: f32, rows: &[[&str; N]]) -> Page {
    rows.iter().enumerate().fold(page, |page, (at, row)| {
        let y = top + step * at as f32;
        row.iter().zip(places).fold(page, |page, (cell, x)| page.text(x, y, 10.0, cell))
    })
}

#[test]
fn text_to_the_right_of_a_table_is_no_column_of_it() {
    for (top, step) in [(100.0, 12.0), (112.0, 12.0), (94.0, 16.0), (106.0, 12.0)] {
        let page = table(Page::default(), [50.0, 110.0, 180.0, 230.0], top, step, &ROWS);
        in_order(&text(page.lines(275.0, 100.0, &TEXT)), &[TABLE.as_slice(), &WHOLE].concat());
    }
}

#[test]
fn text_to_the_left_of_a_table_is_no_column_of_it() {
    for (top, step) in [(100.0, 12.0), (112.0, 12.0), (94.0, 16.0), (106.0, 12.0)] {
        let page = Page::default().lines(50.0, 100.0, &TEXT);
        let page = table(page, [300.0, 360.0, 430.0, 480.0], top, step, &ROWS);
        in_order(&text(page), &[WHOLE.as_slice(), &TABLE].concat());
    }
}

#[test]
fn the_numbers_of_a_table_do_not_number_the_text_beside_it() {
    let rows = [["Year", "Rate"], ["2019", "3.4"], ["2020", "2.9"], ["2021", "2.6"], ["2022", "2.2"]];
    let page = table(Page::default(), [50.0, 150.0], 100.0, 14.0, &rows).lines(190.0, 100.0, &TEXT);
    let rows = ["| Year | Rate |", "| 2019 | 3.4 |", "| 2020 | 2.9 |", "| 2021 | 2.6 |", "| 2022 | 2.2 |"];
    in_order(&text(page), &[rows.as_slice(), &WHOLE].concat());
}

#[test]
fn numbers_far_from_the_paragraphs_that_they_count_stay_with_them() {
    let page = Page::default()
        .lines(90.0, 100.0, &["Each plant has a meter that is read", "once a month by two people."])
        .lines(90.0, 136.0, &["The sums of all plants are told to", "the board at the end of a year."])
        .text(50.0, 100.0, 10.0, "2.1")
        .text(50.0, 136.0, 10.0, "2.2");
    let parts = [
        "2.1 Each plant has a meter that is read once a month by two people.",
        "2.2 The sums of all plants are told to the board at the end of a year.",
    ];
    in_order(&text(page), &parts);
}

#[test]
fn rows_in_two_columns_of_a_page_at_different_heights_are_two_tables() {
    let left = [
        ["Europe", "2022", "2023"],
        ["Volume", "1,204", "1,190"],
        ["Sales", "410", "388"],
        ["Margin", "12%", "11%"],
    ];
    let right = [
        ["Asia", "2022", "2023"],
        ["Volume", "602", "640"],
        ["Sales", "233", "251"],
        ["Margin", "8%", "10%"],
    ];
    let page = table(Page::default(), [50.0, 140.0, 200.0], 100.0, 16.0, &left);
    let text = text(table(page, [320.0, 410.0, 470.0], 108.0, 16.0, &right));
    let rows = [
        "| Europe | 2022 | 2023 |",
        "| Volume | 1,204 | 1,190 |",
        "| Sales | 410 | 388 |",
        "| Margin | 12% | 11% |",
        "| Asia | 2022 | 2023 |",
        "| Volume | 602 | 640 |",
        "| Sales | 233 | 251 |",
        "| Margin | 8% | 10% |",
    ];
    in_order(&text, &rows);
}

#[test]
fn columns_of_text_above_a_table_are_no_rows_of_it() {
    let page = Page::default()
        .lines(
            50.0,
            100.0,
            &[
                "The company counts what it emits",
                "in its own plants and in power that",
                "it buys. It follows the standard of",
            ],
        )
        .lines(
            230.0,
            100.0,
            &[
                "most of its peers and has the sums",
                "of each year checked by an auditor",
                "from outside. Where a sum was not",
            ],
        )
        .lines(
            410.0,
            100.0,
            &[
                "right it is said again in the year",
                "that follows. What others emit for",
                "it is counted in the same way.",
            ],
        )
        .text(50.0, 148.0, 10.0, "Table 7: what is emitted");
    let page = table(page, [50.0, 230.0, 410.0, 470.0], 160.0, 12.0, &ROWS);
    let parts = [
        "counts what it emits in its own plants and in power that it buys.",
        "It follows the standard of most of its peers and has the sums of each year checked by an auditor from outside.",
        "Where a sum was not right it is said again in the year that follows.",
        "Table 7: what is emitted",
    ];
    in_order(&text(page), &[parts.as_slice(), &TABLE].concat());
}
