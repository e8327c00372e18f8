//! Tables whose rows have several lines.

use crate::headers::rows;
use crate::writer::{Page, width};

const XS: [f32; 4] = [50.0, 240.0, 330.0, 420.0];

/// Rows with cells of several lines, 12 points apart, and `pad` points of room above and below each. A rule is
/// below each if they are `ruled`.
fn table(top: f32, pad: f32, ruled: bool, cells: &[[&[&str]; 4]]) -> Page {
    let rule = |page: Page, y: f32| if ruled { page.rule((50.0, y), (520.0, y)) } else { page };
    let mut y = top;
    let mut page = rule(Page::default(), y);
    for row in cells {
        for (x, cell) in XS.iter().zip(row) {
            page = page.lines(*x, y + pad + 9.0, cell);
        }
        let lines = row.iter().map(|cell| cell.len()).max().unwrap_or(1);
        y += 12.0 * lines as f32 + 2.0 * pad;
        page = rule(page, y);
    }
    page
}

const GOALS: [[&[&str]; 4]; 5] = [
    [&["Goal"], &["Base"], &["Reached"], &["State"]],
    [&["Less power from coal", "in half of all plants"], &["2019: 31%"], &["47%"], &["On its way"]],
    [&["No deaths"], &["None"], &["None"], &["Reached"]],
    [
        &["Half of all waste is", "used again by 2030"],
        &["2018"],
        &["Little has been", "done as yet."],
        &["Behind"],
    ],
    [&["Water taken in"], &["118"], &["104"], &["Reached"]],
];

fn joined(cells: &[[&[&str]; 4]]) -> Vec<Vec<String>> {
    cells.iter().map(|row| row.iter().map(|cell| cell.join(" ")).collect()).collect()
}

#[test]
fn rules_below_every_row_bind_its_lines() {
    assert_eq!(rows(table(100.0, 3.0, true, &GOALS)), joined(&GOALS));
}

#[test]
fn rows_of_numbers_between_two_rules_are_rows_of_their_own() {
    let grouped = table(
        100.0,
        3.0,
        true,
        &[
            [&["Place"], &["Unit"], &["2023"], &["2022"]],
            [&["Works", "Quarries"], &["t", "t"], &["12", "14"], &["13", "15"]],
            [&["All places", "of them abroad"], &["t", "t"], &["26", "9"], &["28", "10"]],
        ],
    );
    let expected = [
        ["Place", "Unit", "2023", "2022"],
        ["Works", "t", "12", "13"],
        ["Quarries", "t", "14", "15"],
        ["All places", "t", "26", "28"],
        ["of them abroad", "t", "9", "10"],
    ];
    assert_eq!(rows(grouped), expected);
}

/// Checks that rows `step` points apart with names of several lines are read as such. Their numbers are at the
/// distance `at` below the first line.
fn check_names_of_several_lines(step: f32, at: fn(usize) -> f32) {
    let names: [&[&str]; 5] = [
        &["Indicator"],
        &[
            "Injuries with days lost per million",
            "hours worked by our own people and",
            "by those of contractors",
        ],
        &["Injuries told to the authority"],
        &["Women who lead the divisions and", "the whole of the group"],
        &["Nations in the work force"],
    ];
    let numbers = [
        ["Unit", "2023", "2022"],
        ["rate", "2.1", "2.4"],
        ["rate", "4.0", "4.9"],
        ["%", "36", "35"],
        ["sum", "51", "49"],
    ];
    let mut y = 100.0;
    let mut page = Page::default();
    for (name, row) in names.iter().zip(numbers) {
        page = page.lines(50.0, y, name);
        for (x, cell) in [250.0, 330.0, 420.0].into_iter().zip(row) {
            page = page.text(x, y + at(name.len()), 10.0, cell);
        }
        y += 12.0 * (name.len() - 1) as f32 + step;
    }
    let expected = names
        .iter()
        .zip(numbers)
        .map(|(name, row)| [name.join(" ")].into_iter().chain(row.map(str::to_owned)).collect::<Vec<_>>());
    assert_eq!(rows(page), expected.collect::<Vec<_>>());
}

#[test]
fn a_name_of_several_lines_is_one_row_with_its_numbers() {
    for step in [12.0, 18.0] {
        check_names_of_several_lines(step, |_| 0.0);
        check_names_of_several_lines(step, |lines| 12.0 * (lines - 1) as f32);
        check_names_of_several_lines(step, |lines| 6.0 * (lines - 1) as f32);
    }
}

#[test]
fn a_name_at_the_middle_of_a_group_of_rows_stands_in_the_first_of_them() {
    let body = [
        ["Natural gas", "40,112", "41,870"],
        ["Cars", "3,304", "3,391"],
        ["Cooling", "611", "590"],
        ["Power", "9,118", "15,770"],
        ["Heat", "2,040", "2,212"],
    ];
    let page = body.iter().enumerate().fold(Page::default(), |page, (r, row)| {
        let y = 118.0 + 18.0 * r as f32;
        row.iter().zip(&XS[1..]).fold(page, |page, (cell, x)| page.text(*x, y, 10.0, cell))
    });
    let page = ["Scope", "Source", "2023", "2022"]
        .iter()
        .zip(XS)
        .fold(page, |page, (name, x)| page.bold(x, 100.0, 10.0, name))
        .text(50.0, 136.0, 10.0, "Scope 1")
        .text(50.0, 181.0, 10.0, "Scope 2");
    let names = ["Scope 1", "", "", "Scope 2", ""];
    let expected = names.iter().zip(body).map(|(name, [a, b, c])| vec![*name, a, b, c]).collect::<Vec<_>>();
    assert_eq!(rows(page)[1..], expected);
}

#[test]
fn the_units_of_a_short_table_close_to_its_names_are_a_column() {
    let body = [
        ["Power from coal and oil of all the plants", "MWh", "814", "856"],
        ["Power", "MWh", "402", "399"],
        ["Heat and steam bought from others", "MWh", "55", "61"],
    ];
    let x = 50.0 + width(body[0][0], 10.0) + 10.0;
    let table = [["Indicator", "Unit", "2023", "2022"]].into_iter().chain(body);
    let page = table.clone().enumerate().fold(Page::default(), |page, (r, row)| {
        let y = 100.0 + 18.0 * r as f32;
        row.iter().zip([50.0, x, 350.0, 420.0]).fold(page, |page, (cell, x)| page.text(x, y, 10.0, cell))
    });
    assert_eq!(rows(page), table.collect::<Vec<_>>());
}
