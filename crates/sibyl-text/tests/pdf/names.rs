//! The names of columns: in the row above a table, at the other side of their column than its cells, or over
//! several columns.

use crate::headers::rows;
use crate::writer::{Page, bold_width, width};

type Row<'t> = (&'t str, &'t [&'t str]);

/// Rows of numbers that end at `ends`, 16 points apart from `top`, with their names at the left.
fn numbers(page: Page, top: f32, ends: &[f32], rows: &[Row]) -> Page {
    rows.iter().enumerate().fold(page, |page, (r, (name, cells))| {
        let y = top + 16.0 * r as f32;
        ends.iter().zip(*cells).fold(page.text(50.0, y, 10.0, name), |page, (end, cell)| {
            page.text(end - width(cell, 10.0), y, 10.0, cell)
        })
    })
}

fn bold_to(page: Page, end: f32, y: f32, name: &str) -> Page {
    page.bold(end - bold_width(name, 10.0), y, 10.0, name)
}

fn rules(page: Page, heights: &[f32]) -> Page {
    heights.iter().fold(page, |page, y| page.rule((50.0, *y), (520.0, *y)))
}

fn rest(rows: &[Row]) -> Vec<Vec<String>> {
    let row = |(name, cells): &Row| [*name].iter().chain(*cells).map(|cell| (*cell).to_owned()).collect();
    rows.iter().map(row).collect()
}

const FOUR: [Row; 3] = [
    ("Gas burnt", &["41.2", "44.8", "31.2", "34.8"]),
    ("Cars owned", &["12.7", "13.9", "10.7", "11.9"]),
    ("Power bought", &["5.6", "9.4", "61.3", "64.0"]),
];
const ENDS: [f32; 4] = [260.0, 345.0, 430.0, 515.0];

#[test]
fn names_without_a_number_are_the_header_of_a_table_with_few_numbers() {
    let table = [
        ["Source", "Factor", "Unit", "Origin"],
        ["Natural gas", "0.18293", "kg/kWh", "Ministry"],
        ["Diesel", "2.51279", "kg/l", "Ministry"],
        ["Power", "0.132", "kg/kWh", "Grid"],
        ["Steam", "0.788", "kg/kWh", "Grid"],
    ];
    let page = table.iter().enumerate().fold(Page::default(), |page, (r, row)| {
        row.iter()
            .zip([50.0, 170.0, 290.0, 410.0])
            .fold(page, |page, (cell, x)| page.text(x, 100.0 + 17.0 * r as f32, 10.0, cell))
    });
    assert_eq!(rows(page), table);
}

#[test]
fn names_close_to_each_other_above_a_rule_are_the_header_in_the_order_of_the_columns() {
    let header = ["Natural gas used", "Power bought in", "Waste of plants", "Water taken in"];
    let ends = header.iter().scan(170.0, |end, name| {
        *end += 10.0 + bold_width(name, 10.0);
        Some(*end)
    });
    let ends: Vec<f32> = ends.collect();
    let page = rules(numbers(Page::default(), 118.0, &ends, &FOUR), &[105.0, 122.0, 138.0, 154.0]);
    let page = ends
        .iter()
        .zip(header)
        .fold(page.bold(50.0, 100.0, 10.0, "Place"), |page, (end, name)| bold_to(page, *end, 100.0, name));
    assert_eq!(rows(page)[0], ["Place", header[0], header[1], header[2], header[3]]);
}

#[test]
fn a_name_at_the_other_side_of_its_column_than_the_numbers_stands_over_them() {
    let page = rules(numbers(Page::default(), 118.0, &ENDS, &FOUR), &[88.0, 105.0, 122.0, 138.0, 154.0]);
    let page = page.bold(50.0, 100.0, 10.0, "Place").bold(180.0, 100.0, 10.0, "Gas");
    let page = ENDS[1..]
        .iter()
        .zip(["Heat", "Waste", "Water"])
        .fold(page, |page, (end, name)| bold_to(page, *end, 100.0, name));
    let expected =
        [vec![["Place", "Gas", "Heat", "Waste", "Water"].map(str::to_owned).to_vec()], rest(&FOUR)];
    assert_eq!(rows(page), expected.concat());
}

#[test]
fn names_over_groups_that_repeat_the_names_below_are_those_of_all_their_columns() {
    // Each is centred over the cells of its group, whose numbers are at the right.
    let page = numbers(Page::default(), 116.0, &ENDS, &FOUR);
    let page = ENDS
        .iter()
        .zip(["2023", "2022", "2023", "2022"])
        .fold(page, |page, (end, name)| bold_to(page, *end, 100.0, name));
    let page = page
        .bold(50.0, 100.0, 10.0, "In tonnes")
        .bold(232.0, 84.0, 10.0, "By market")
        .bold(397.0, 84.0, 10.0, "By place");
    let header = ["In tonnes", "By market 2023", "By market 2022", "By place 2023", "By place 2022"];
    let expected = [vec![header.map(str::to_owned).to_vec()], rest(&FOUR)];
    assert_eq!(rows(page), expected.concat());
}

#[test]
fn names_centred_over_groups_of_unlike_columns_leave_no_column_between_them_out() {
    let page = numbers(Page::default(), 116.0, &ENDS, &FOUR);
    let page = ENDS
        .iter()
        .zip(["Pay", "Bonus", "Shares", "Pension"])
        .fold(page, |page, (end, name)| bold_to(page, *end, 100.0, name));
    let page = page.bold(50.0, 100.0, 10.0, "Name").bold(244.0, 84.0, 10.0, "Paid at once").bold(
        415.0,
        84.0,
        10.0,
        "Paid later",
    );
    let header =
        ["Name", "Paid at once Pay", "Paid at once Bonus", "Paid later Shares", "Paid later Pension"];
    assert_eq!(rows(page)[0], header);
}

#[test]
fn lines_of_names_that_end_alike_are_one_header_above_the_title_of_a_group() {
    let page = numbers(Page::default(), 132.0, &ENDS, &FOUR).text(50.0, 116.0, 10.0, "Cost");
    let names =
        [("Land and", "buildings"), ("Plant and", "machines"), ("Assets in", "construction"), ("", "Total")];
    let page = ENDS.iter().zip(names).fold(page, |page, (end, (over, under))| {
        bold_to(bold_to(page, *end, 88.0, over), *end, 100.0, under)
    });
    let found = rows(page.text(50.0, 100.0, 10.0, "In thousands"));
    assert_eq!(
        found[0],
        ["In thousands", "Land and buildings", "Plant and machines", "Assets in construction", "Total"]
    );
    assert_eq!(found[1], ["Cost", "", "", "", ""]);
}

#[test]
fn the_sign_of_a_currency_before_a_column_goes_with_its_numbers() {
    let body: [Row; 3] = [
        ("Net sales", &["4,812.7", "4,590.1"]),
        ("Cost of sales", &["3,301.9", "3,190.4"]),
        ("Profit", &["1,510.8", "1,399.7"]),
    ];
    let page = numbers(Page::default(), 116.0, &[360.0, 510.0], &body);
    let page = [116.0, 148.0]
        .iter()
        .fold(page, |page, y| page.text(290.0, *y, 10.0, "$").text(440.0, *y, 10.0, "$"));
    let page = page.bold(300.0, 100.0, 10.0, "2023").bold(450.0, 100.0, 10.0, "2022");
    let expected = [
        ["", "2023", "2022"],
        ["Net sales", "$ 4,812.7", "$ 4,590.1"],
        ["Cost of sales", "3,301.9", "3,190.4"],
        ["Profit", "$ 1,510.8", "$ 1,399.7"],
    ];
    assert_eq!(rows(page), expected);
}

#[test]
fn the_first_line_of_one_name_stands_with_the_second() {
    let page = rules(numbers(Page::default(), 118.0, &ENDS, &FOUR), &[105.0, 122.0, 138.0, 154.0]);
    let page = ENDS
        .iter()
        .zip(["2023", "2022", "2021", "in three years"])
        .fold(page, |page, (end, name)| bold_to(page, *end, 100.0, name));
    let page = bold_to(page.bold(50.0, 100.0, 10.0, "Source"), 515.0, 89.0, "Change");
    assert_eq!(rows(page)[0], ["Source", "2023", "2022", "2021", "Change in three years"]);
}

#[test]
fn the_title_of_a_group_of_rows_is_one_cell_though_columns_part_below_its_words() {
    let table = [
        ["302-1", "Energy used within the whole group", "In the tables of data", "80"],
        ["302-3", "Energy used for each tonne made", "For a tonne of product", "81"],
        ["305-1", "What the group emits on its own", "By control of plants", "82"],
    ];
    let xs = [50.0, 94.0, 300.0, 480.0];
    let page = table.iter().zip([138.0, 156.0, 174.0]).fold(Page::default(), |page, (row, y)| {
        row.iter().zip(xs).fold(page, |page, (cell, x)| page.text(x, y, 10.0, cell))
    });
    let page = ["Code", "What is told", "Where", "Page"]
        .iter()
        .zip(xs)
        .fold(page, |page, (name, x)| page.bold(x, 102.0, 10.0, name))
        .bold(50.0, 120.0, 10.0, "GRI 302: Energy and what is emitted");
    // Each cell has a line of its own below it.
    let page = [90.0, 107.0, 125.0, 143.0, 161.0, 179.0].into_iter().fold(page, |page, y| {
        let ends = [90.0, 296.0, 476.0, 520.0];
        [46.0, 90.0, 296.0, 476.0]
            .iter()
            .zip(ends)
            .fold(page, |page, (from, to)| page.rule((*from, y), (to, y)))
    });
    assert_eq!(rows(page)[1], ["GRI 302: Energy and what is emitted", "", "", ""]);
}

#[test]
fn rows_below_a_shaded_header_are_one_table_with_it_where_every_other_row_is_shaded() {
    let starts = [50.0, 175.0, 260.0, 345.0, 430.0];
    let shade = |page: Page, y: f32| {
        starts.iter().zip(ENDS.iter().map(|end| end - 85.0).chain([515.0])).fold(page, |page, (from, to)| {
            page.raw(&format!("0.9 g {from} {} {} 16 re f 0 g", 800.0 - y - 16.0, to + 5.0 - from))
        })
    };
    let page = [88.0, 104.0, 136.0].into_iter().fold(Page::default(), shade);
    let page = numbers(page, 132.0, &ENDS, &FOUR);
    let page = page
        .bold(50.0, 100.0, 10.0, "Waste")
        .bold(190.0, 100.0, 10.0, "Burnt")
        .bold(360.0, 100.0, 10.0, "Buried");
    let page = ENDS
        .iter()
        .zip(["2023", "2022", "2023", "2022"])
        .fold(page, |page, (end, name)| bold_to(page, *end, 116.0, name));
    let found = rows(page);
    assert!(found.ends_with(&rest(&FOUR)), "{found:?}");
    assert!(found.len() <= 5, "{found:?}");
}

#[test]
fn the_first_row_above_all_rules_is_no_header() {
    let header = ["Region", "2021", "2022", "2023", "2024"];
    // The names begin at the left of cells whose numbers end at the right.
    let lefts = [50.0, 185.0, 270.0, 355.0, 440.0];
    let page =
        header.iter().zip(lefts).fold(Page::default(), |page, (name, x)| page.bold(x, 100.0, 10.0, name));
    let page = numbers(page, 116.0, &ENDS, &FOUR);
    let expected = std::iter::once(header.map(str::to_owned).to_vec()).chain(rest(&FOUR)).collect::<Vec<_>>();
    assert_eq!(rows(rules(page, &[121.0, 137.0, 153.0])), expected);
}

#[test]
fn numbers_close_to_each_other_are_cells_where_a_name_reaches_into_the_room_between_them() {
    let header = ["Region", "2021", "2022", "2023"];
    let page = header
        .iter()
        .zip([50.0, 150.0, 204.0, 258.0])
        .fold(Page::default(), |page, (name, x)| page.bold(x, 100.0, 10.0, name));
    let table: [Row; 3] = [
        ("Fenwick", &["1,319,650", "8,527,099", "949"]),
        ("Dunmore", &["1,650", "34.3", "67,377"]),
        ("Larkfield", &["47,841", "86", "883"]),
    ];
    let page = numbers(page, 116.0, &[202.0, 256.0, 310.0], &table);
    let expected =
        std::iter::once(header.map(str::to_owned).to_vec()).chain(rest(&table)).collect::<Vec<_>>();
    assert_eq!(rows(page), expected);
}
