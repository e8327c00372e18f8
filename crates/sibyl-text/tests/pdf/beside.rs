//! Tables and text side by side: the gutter of a page separates them, whatever is at the same height.

use crate::writer::Page;
use crate::{in_order, text};

const TEXT: [&str; 8] = [
    "The company counts what it emits in its own",
    "plants and vehicles and in the power that it",
    "buys from others. It follows the standard that",
    "most of its own peers use as well and has the",
    "sums of every year checked by an auditor from",
    "outside who knows such plants. Where a sum was",
    "not right it is said again in the next year that",
    "follows, with a reason for each of them.",
];
const WHOLE: [&str; 3] = [
    "emits in its own plants and vehicles and in the power that it buys from others.",
    "has the sums of every year checked by an auditor from outside who knows such plants.",
    "Where a sum was not right it is said again in the next year that follows, with a reason for each of them.",
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
fn what_is_told_of_two_places_side_by_side_is_told_of_each() {
    let left =
        [["Opened", "1963"], ["People", "776"], ["Goods", "Primers and fillers"], ["Proofs", "ISO 14001"]];
    let right = [["Opened", "1957"], ["People", "684"], ["Goods", "Wood stains"], ["Proofs", "EMAS"]];
    let page = table(Page::default(), [50.0, 140.0], 100.0, 16.0, &left);
    let text = text(table(page, [320.0, 410.0], 108.0, 16.0, &right));
    let rows = [
        "| Opened | 1963 |",
        "| People | 776 |",
        "| Goods | Primers and fillers |",
        "| Proofs | ISO 14001 |",
        "| Opened | 1957 |",
        "| People | 684 |",
        "| Goods | Wood stains |",
        "| Proofs | EMAS |",
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
        "It follows the standard of most of its peers and has the sums of each year checked by an auditor",
        "Where a sum was not right it is said again in the year that follows.",
        "Table 7: what is emitted",
    ];
    in_order(&text(page), &[parts.as_slice(), &TABLE].concat());
}

#[test]
fn names_on_two_lines_are_cells_of_their_table() {
    let rows: [(&[&str], [&str; 3]); 4] = [
        (
            &["Injuries for each million hours of work,", "own people and those of others"],
            ["rate", "2.1", "2.4"],
        ),
        (&["Accidents for each million hours of work"], ["rate", "4.0", "4.9"]),
        (
            &["Women in the teams that lead all of the", "plants and in that of the group"],
            ["%", "36.5", "35.1"],
        ),
        (&["Countries"], ["number", "51", "49"]),
    ];
    let columns = [280.0, 340.0, 400.0];
    for low in [false, true] {
        let mut page = Page::default().text(50.0, 100.0, 10.0, "Name");
        page = table(page, columns, 100.0, 12.0, &[["Unit", "2022", "2023"]]);
        let mut y = 112.0;
        for (name, numbers) in rows {
            let last = y + 12.0 * (name.len() - 1) as f32;
            page = table(page.lines(50.0, y, name), columns, if low { last } else { y }, 12.0, &[numbers]);
            y = last + 12.0;
        }
        let text = text(page);
        assert!(!text.contains("Accidents for each million hours of work Women"), "{text}");
        in_order(&text, &["| 4.0 | 4.9 |", "Women", "| 36.5 | 35.1 |", "| Countries | number | 51 | 49 |"]);
    }
}

#[test]
fn a_chart_beside_text_is_no_table_with_it() {
    let page = Page::default()
        .lines(50.0, 100.0, &TEXT)
        .lines(
            50.0,
            208.0,
            &["What others emit for it is counted in the", "same way as long as they tell of it."],
        )
        .text(480.0, 172.0, 10.0, "335")
        .text(420.0, 184.0, 10.0, "301")
        .text(360.0, 196.0, 10.0, "248")
        .text(300.0, 208.0, 10.0, "212");
    let next = "What others emit for it is counted in the same way as long as they tell of it.";
    in_order(&text(page), &[WHOLE.as_slice(), &[next]].concat());
}

#[test]
fn a_list_beside_a_row_of_years_is_read_by_itself() {
    let topics = [
        "1  What is emitted",
        "2  People at work",
        "3  Goods",
        "4  Rights of people",
        "5  Water",
        "6  Waste",
    ];
    let years = ["1998", "2004", "2011", "2016"];
    let told = [
        ["The first oven is", "lit in a town by", "the sea."],
        ["A second plant", "opens in the north", "of the land."],
        ["Scrap goes back", "into all ovens for", "the first time."],
        ["The board asks for", "sums that someone", "has checked."],
    ];
    let mut page = Page::default().wide();
    for (at, topic) in topics.iter().enumerate() {
        let y = 100.0 + 14.0 * at as f32;
        let (number, name) = topic.split_at(1);
        page = page.text(50.0, y, 10.0, number).text(70.0, y, 10.0, name.trim());
    }
    for (at, (year, told)) in years.iter().zip(told).enumerate() {
        let x = 300.0 + 120.0 * at as f32;
        page = page
            .bold(x, 107.0, 16.0, year)
            .lines(x, 121.0, &told[..1])
            .lines(x, 135.0, &told[1..2])
            .lines(x, 149.0, &told[2..]);
    }
    let text = text(page);
    in_order(
        &text,
        &[
            "1998 The first oven is lit in a town by the sea.",
            "2004 A second plant opens in the north of the land.",
        ],
    );
    in_order(
        &text,
        &["What is emitted", "People at work", "Goods", "Rights of people", "Water", "Waste", "1998"],
    );
}

#[test]
fn a_big_number_does_not_number_the_text_of_the_next_column() {
    let page = Page::default()
        .bold(50.0, 124.0, 30.0, "214")
        .lines(50.0, 141.0, &["places along five rivers, read", "in each week by volunteers"])
        .lines(250.0, 100.0, &TEXT);
    in_order(
        &text(page),
        &[["214 places along five rivers, read in each week by volunteers"].as_slice(), &WHOLE].concat(),
    );
}
