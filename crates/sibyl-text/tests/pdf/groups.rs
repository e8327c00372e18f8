//! Names over groups of columns, and names left of groups of numbers that lines enclose.

use crate::figures::{across, centred, down, told};
use crate::headers::rows;
use crate::writer::{Page, width};

const YEARS: [&str; 5] = ["2021", "2022", "2023", "2024", "2030"];
const SITES: [(&str, [&str; 5]); 3] = [
    ("Kilns", ["612", "598", "571", "318", "301"]),
    ("Mills", ["46.1", "45.5", "44.8", "21.2", "7.4"]),
    ("Lorries", ["9", "12", "10", "8", "6"]),
];

/// A cell of 60 points' width ends here, 4 points right of its number.
fn end(column: usize) -> f32 {
    290.0 + 60.0 * column as f32
}

fn at_right(page: Page, y: f32, cells: &[&str]) -> Page {
    cells
        .iter()
        .enumerate()
        .fold(page, |page, (c, cell)| page.text(end(c) - 4.0 - width(cell, 10.0), y, 10.0, cell))
}

#[test]
fn names_in_the_middle_of_their_cells_stand_over_all_of_these() {
    for first in [2, 3] {
        let middle = |from: usize, to: usize| (end(from) - 60.0 + end(to - 1)) / 2.0;
        let page = centred(Page::default(), middle(0, first), 84.0, "North");
        let page = centred(page, middle(first, 5), 84.0, "South");
        let page =
            at_right(page.text(50.0, 100.0, 10.0, "Plant").text(150.0, 100.0, 10.0, "Unit"), 100.0, &YEARS);
        let page = SITES.iter().enumerate().fold(page, |page, (r, (site, cells))| {
            let y = 116.0 + 16.0 * r as f32;
            at_right(page.text(50.0, y, 10.0, site).text(150.0, y, 10.0, "GWh"), y, cells)
        });
        let expected: Vec<String> = SITES
            .iter()
            .flat_map(|(site, cells)| {
                let of = move |(c, cell): (usize, &&str)| {
                    let name = if c < first { "North" } else { "South" };
                    format!("{site} | {name} | {} | {cell} GWh", YEARS[c])
                };
                cells.iter().enumerate().map(of).collect::<Vec<_>>()
            })
            .collect();
        assert_eq!(told(page), expected, "{first} columns of the north");
    }
}

#[test]
fn a_name_far_above_the_middle_one_of_its_years_stands_over_all_of_them() {
    let edges = [45.0, 170.0, 230.0, 290.0, 350.0, 410.0, 470.0, 530.0];
    let page = across(Page::default(), &[80.0, 120.0, 140.0, 160.0], 45.0, 530.0);
    let page = down(page, &edges, 80.0, 160.0);
    let middle = |c: usize| f32::midpoint(edges[c], edges[c + 1]);
    let page = centred(centred(page, middle(2), 94.0, "Peru"), middle(5), 94.0, "Chile");
    let lines: [[&str; 7]; 3] = [
        ["Metric", "2022", "2023", "2024", "2022", "2023", "2024"],
        ["Water drawn", "31.4", "36.2", "41.7", "12.6", "9.9", "6.2"],
        ["Water reused", "71", "74", "78", "62", "62", "66"],
    ];
    let page = lines.iter().enumerate().fold(page, |page, (r, cells)| {
        let y = 114.0 + 20.0 * r as f32;
        cells
            .iter()
            .enumerate()
            .fold(page, |page, (c, cell)| page.text(middle(c) - width(cell, 10.0) / 2.0, y, 10.0, cell))
    });
    let mut expected = Vec::new();
    for cells in &lines[1..] {
        for c in 1..7 {
            let name = if c < 4 { "Peru" } else { "Chile" };
            expected.push(format!("{} | {name} | {} | {}", cells[0], lines[0][c], cells[c]));
        }
    }
    assert_eq!(told(page), expected);
}

#[test]
fn rules_say_over_which_columns_the_names_above_them_stand() {
    // Both names stand at the right of their columns, which are three and two.
    let page =
        Page::default().rule((200.0, 88.0), (end(2), 88.0)).rule((end(3) - 50.0, 88.0), (end(4), 88.0));
    let right = |page: Page, x: f32, name: &str| page.text(x - width(name, 10.0) - 8.0, 84.0, 10.0, name);
    let page = right(right(page, end(2), "Emissions"), end(4), "Energy");
    let names = ["Plants", "Cars", "Travel", "Gas", "Power"];
    let page = at_right(page, 102.0, &names);
    let page = SITES.iter().enumerate().fold(page, |page, (r, (site, cells))| {
        let y = 118.0 + 16.0 * r as f32;
        at_right(page.text(50.0, y, 10.0, site), y, cells)
    });
    let header = ["", "Emissions Plants", "Emissions Cars", "Emissions Travel", "Energy Gas", "Energy Power"];
    assert_eq!(rows(page)[0], header);
}

#[test]
fn names_left_of_groups_of_ruled_numbers_name_the_rows_of_all_groups() {
    let groups = [200.0, 360.0];
    let heights = [100.0, 120.0, 140.0, 160.0, 180.0];
    let page = groups.iter().fold(Page::default(), |page, left| {
        let page = across(page, &heights, *left, left + 140.0);
        down(page, &[*left, left + 70.0, left + 140.0], 100.0, 180.0)
    });
    let page = centred(centred(page, 270.0, 95.0, "North"), 430.0, 95.0, "South");
    let lines: [(&str, [&str; 4]); 4] = [
        ("", ["Short term", "Total", "Short term", "Total"]),
        ("Mill at Varn", ["2.4", "13.4", "1.9", "15.0"]),
        ("Yard at Lunde", ["0.6", "5.0", "0.6", "5.8"]),
        ("Others", ["0.3", "2.0", "0.3", "2.0"]),
    ];
    let page = lines.iter().enumerate().fold(page, |page, (r, (name, cells))| {
        let y = 114.0 + 20.0 * r as f32;
        let lefts = [205.0, 275.0, 365.0, 435.0];
        let page = if name.is_empty() { page } else { page.text(50.0, y, 10.0, name) };
        lefts.iter().zip(cells).fold(page, |page, (x, cell)| page.text(*x, y, 10.0, cell))
    });
    let mut expected = vec![
        ["", "North Short term", "North Total", "South Short term", "South Total"]
            .map(str::to_owned)
            .to_vec(),
    ];
    for (name, cells) in &lines[1..] {
        expected.push([*name].iter().chain(cells).map(|cell| (*cell).to_owned()).collect());
    }
    assert_eq!(rows(page), expected);
}

#[test]
fn the_sign_of_a_currency_behind_a_number_in_brackets_is_that_of_the_next_one() {
    let lines: [(&str, [&str; 2]); 4] = [
        ("Packaging", ["2,614", "2,488"]),
        ("Wood", ["1,077", "1,160"]),
        ("Eliminations", ["(86 )", "(91 )"]),
        ("All sales", ["3,605", "3,557"]),
    ];
    let page = Page::default().bold(300.0, 84.0, 10.0, "2024").bold(390.0, 84.0, 10.0, "2023");
    let page = lines.iter().enumerate().fold(page, |page, (r, (name, cells))| {
        let y = 100.0 + 16.0 * r as f32;
        [270.0, 342.0].iter().zip(cells).fold(page.text(50.0, y, 10.0, name), |page, (x, cell)| {
            page.text(*x, y, 10.0, "$").text(x + 28.0, y, 10.0, cell)
        })
    });
    let body: Vec<Vec<String>> = lines
        .iter()
        .map(|(name, cells)| vec![(*name).to_owned(), format!("$ {}", cells[0]), format!("$ {}", cells[1])])
        .collect();
    assert_eq!(rows(page)[1..], body);
}
