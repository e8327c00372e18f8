//! Figures of tables and cards: each number with the names of its row and column, its year and its unit.
//!
//! Over 500 lines: cases of one matter, with their pages.

use crate::read;
use crate::writer::{File, Page, bold_width, width};
use sibyl_text::figure::{Origin, figures};

/// The figures of a page: `names | column | year | number and unit`.
pub fn told(page: Page) -> Vec<String> {
    let document = read(&File::default().page(page).bytes());
    let all = figures(&document);
    let shown = all.iter().map(|figure| {
        let year = figure.year.map_or_else(|| "-".to_owned(), |year| year.to_string());
        let unit = figure.unit.as_deref().map(|unit| format!(" {unit}")).unwrap_or_default();
        let names =
            if figure.origin == Origin::Sentence { String::new() } else { figure.label.join(" › ") };
        format!("{names} | {} | {year} | {}{unit}", figure.column, figure.printed(&document.text))
    });
    shown.collect()
}

/// A page with `rows` at `step` points from each other from `top`, their cells beginning at `xs`.
fn set(page: Page, xs: &[f32], top: f32, step: f32, rows: &[&[&str]]) -> Page {
    rows.iter().enumerate().fold(page, |page, (r, row)| {
        let y = top + step * r as f32;
        let cells = xs.iter().zip(*row).filter(|(_, cell)| !cell.is_empty());
        cells.fold(page, |page, (x, cell)| page.text(*x, y, 10.0, cell))
    })
}

/// The same with cells after the first that end at `ends`.
pub fn set_right(page: Page, ends: &[f32], top: f32, step: f32, rows: &[&[&str]]) -> Page {
    rows.iter().enumerate().fold(page, |page, (r, row)| {
        let y = top + step * r as f32;
        let cells = ends.iter().zip(&row[1..]).filter(|(_, cell)| !cell.is_empty());
        cells.fold(page.text(50.0, y, 10.0, row[0]), |page, (end, cell)| {
            page.text(end - width(cell, 10.0), y, 10.0, cell)
        })
    })
}

pub fn centred(page: Page, middle: f32, y: f32, name: &str) -> Page {
    page.bold(middle - bold_width(name, 10.0) / 2.0, y, 10.0, name)
}

pub fn across(page: Page, ys: &[f32], from: f32, to: f32) -> Page {
    ys.iter().fold(page, |page, y| page.rule((from, *y), (to, *y)))
}

pub fn down(page: Page, xs: &[f32], from: f32, to: f32) -> Page {
    xs.iter().fold(page, |page, x| page.rule((*x, from), (*x, to)))
}

const ENDS: [f32; 4] = [260.0, 345.0, 430.0, 515.0];
const SITES: [&[&str]; 3] = [
    &["Cement works", "1,204", "318", "1,187", "299"],
    &["Quarries", "412", "95", "398", "91"],
    &["Offices", "12", "40", "9", "38"],
];

/// The figures of `SITES` with these columns and years.
fn of_sites(columns: [(&str, &str); 4], unit: &str) -> Vec<String> {
    let row = |row: &&[&str]| {
        let cells = columns.iter().zip(&row[1..]);
        cells.map(|((column, year), cell)| format!("{} | {column} | {year} | {cell}{unit}", row[0])).collect()
    };
    SITES.iter().flat_map(|cells| -> Vec<String> { row(cells) }).collect()
}

const YEARS_OVER_SCOPES: [(&str, &str); 4] =
    [("Scope 1", "2023"), ("Scope 2", "2023"), ("Scope 1", "2024"), ("Scope 2", "2024")];
const REGIONS_OVER_YEARS: [(&str, &str); 4] =
    [("Europe", "2023"), ("Europe", "2024"), ("Asia", "2023"), ("Asia", "2024")];

#[test]
fn years_over_scopes_below_a_title_and_a_unit() {
    let page = Page::default().bold(50.0, 70.0, 10.0, "Emissions of the sites").text(
        50.0,
        84.0,
        10.0,
        "(tonnes CO2e)",
    );
    let page = centred(centred(page, 280.0, 98.0, "2023"), 450.0, 98.0, "2024");
    let page = set_right(page, &ENDS, 112.0, 14.0, &[&["Site", "Scope 1", "Scope 2", "Scope 1", "Scope 2"]]);
    assert_eq!(
        told(set_right(page, &ENDS, 126.0, 14.0, &SITES)),
        of_sites(YEARS_OVER_SCOPES, " tonnes CO2e")
    );
}

const INSIDE: [f32; 5] = [50.0, 195.0, 275.0, 355.0, 435.0];

#[test]
fn regions_over_years_in_a_ruled_table_with_a_title_across() {
    let page = across(Page::default(), &[80.0, 100.0, 120.0, 140.0, 160.0, 180.0, 200.0], 45.0, 510.0);
    let page = down(page, &[45.0, 510.0], 80.0, 200.0);
    let page = down(page, &[190.0, 350.0], 100.0, 200.0);
    let page = down(page, &[270.0, 430.0], 120.0, 200.0);
    let page = centred(page, 277.0, 94.0, "Energy used by plants in GWh");
    let page = centred(centred(page, 270.0, 114.0, "Europe"), 430.0, 114.0, "Asia");
    let page = set(page, &INSIDE, 134.0, 20.0, &[&["Site", "2023", "2024", "2023", "2024"]]);
    assert_eq!(told(set(page, &INSIDE, 154.0, 20.0, &SITES)), of_sites(REGIONS_OVER_YEARS, " GWh"));
}

#[test]
fn regions_at_the_left_of_their_years_below_a_row_of_the_unit() {
    let page = across(Page::default(), &[70.0, 90.0, 130.0, 150.0, 170.0, 190.0], 45.0, 510.0);
    let page = page.text(50.0, 84.0, 10.0, "Energy use, in GWh");
    let page = page.bold(195.0, 104.0, 10.0, "Europe").bold(355.0, 104.0, 10.0, "Asia");
    let page = set(page, &INSIDE, 124.0, 20.0, &[&["Site", "2023", "2024", "2023", "2024"]]);
    assert_eq!(told(set(page, &INSIDE, 144.0, 20.0, &SITES)), of_sites(REGIONS_OVER_YEARS, " GWh"));
}

#[test]
fn years_over_three_scopes_with_a_row_of_units_between() {
    let xs = [50.0, 170.0, 230.0, 290.0, 350.0, 410.0, 470.0];
    let edges = [45.0, 165.0, 225.0, 285.0, 345.0, 405.0, 465.0, 525.0];
    let page = across(Page::default(), &[80.0, 100.0, 120.0, 140.0, 160.0, 180.0], 45.0, 525.0);
    let page = down(down(page, &[45.0, 165.0, 345.0, 525.0], 80.0, 180.0), &edges, 100.0, 180.0);
    let page = page.bold(50.0, 94.0, 10.0, "Company");
    let page = centred(centred(page, 255.0, 94.0, "2022"), 435.0, 94.0, "2023");
    let names: [&[&str]; 4] = [
        &["", "Scope 1", "Scope 2", "Scope 3", "Scope 1", "Scope 2", "Scope 3"],
        &["", "kt", "kt", "Mt", "kt", "kt", "Mt"],
        &["Alder", "31", "12", "1.5", "29", "11", "1.4"],
        &["Birch", "8", "4", "0.2", "7", "3", "0.1"],
    ];
    let found = told(set(page, &xs, 114.0, 20.0, &names));
    let columns = ["Scope 1", "Scope 2", "Scope 3"];
    let mut expected = Vec::new();
    for row in &names[2..] {
        for (at, cell) in row[1..].iter().enumerate() {
            let (year, unit) = (2022 + at / 3, names[1][at + 1]);
            expected.push(format!("{} | {} | {year} | {cell} {unit}", row[0], columns[at % 3]));
        }
    }
    assert_eq!(found, expected);
}

#[test]
fn scopes_over_years_beside_a_column_of_units_whose_name_stands_in_the_upper_row() {
    let ends = [180.0, 260.0, 345.0, 430.0, 515.0];
    let rows: [&[&str]; 2] = [
        &["Cement works", "kt", "1,204", "318", "1,187", "299"],
        &["Quarries", "t", "412", "95", "398", "91"],
    ];
    let page = Page::default().bold(50.0, 70.0, 11.0, "What the plants emit");
    let page = page.bold(50.0, 98.0, 10.0, "Plant").bold(160.0, 98.0, 10.0, "Unit");
    let page = centred(centred(page, 285.0, 98.0, "Scope 1"), 455.0, 98.0, "Scope 2");
    let page = set_right(page, &ends, 112.0, 14.0, &[&["", "", "2023", "2024", "2023", "2024"]]);
    let found = told(set_right(page, &ends, 126.0, 14.0, &rows));
    let mut expected = Vec::new();
    for row in rows {
        for (at, cell) in row[2..].iter().enumerate() {
            let (scope, year) = (1 + at / 2, 2023 + at % 2);
            expected.push(format!("{} | Scope {scope} | {year} | {cell} {}", row[0], row[1]));
        }
    }
    assert_eq!(found, expected);
}

#[test]
fn a_row_of_years_of_which_one_thing_is_told_names_no_columns() {
    let rows: [&[&str]; 4] = [
        &["Target", "Scope 1", "Scope 2"],
        &["Base year", "2019", "2020"],
        &["Emissions (kt)", "41", "44"],
        &["Cut (%)", "30", "50"],
    ];
    let page = across(Page::default(), &[86.0, 106.0, 126.0, 146.0, 166.0], 45.0, 510.0);
    assert_eq!(
        told(set(page, &[50.0, 250.0, 400.0], 100.0, 20.0, &rows)),
        [
            "Emissions (kt) | Scope 1 | - | 41 kt",
            "Emissions (kt) | Scope 2 | - | 44 kt",
            "Cut (%) | Scope 1 | - | 30 %",
            "Cut (%) | Scope 2 | - | 50 %",
        ]
    );
}

#[test]
fn a_title_and_a_unit_that_stand_over_the_middle_of_a_table_are_about_all_of_it() {
    let page = across(Page::default(), &[80.0, 100.0, 120.0, 140.0, 160.0, 180.0, 200.0, 220.0], 45.0, 510.0);
    let page = down(page, &[45.0, 510.0], 80.0, 220.0);
    let page = down(page, &[190.0, 350.0], 80.0, 220.0);
    let page = down(page, &[270.0, 430.0], 140.0, 220.0);
    let page = centred(page, 270.0, 94.0, "Energy of plants");
    let page = page.text(440.0, 114.0, 10.0, "Unit: GWh");
    let page = centred(centred(page, 270.0, 134.0, "Europe"), 430.0, 134.0, "Asia");
    let page = set(page, &INSIDE, 154.0, 20.0, &[&["Site", "2023", "2024", "2023", "2024"]]);
    assert_eq!(told(set(page, &INSIDE, 174.0, 20.0, &SITES)), of_sites(REGIONS_OVER_YEARS, " GWh"));
}

const GROUPS: [&[&str]; 7] = [
    &["Topic", "Measure", "2023", "2024"],
    &["Energy", "Power (GWh)", "41", "44"],
    &["", "Gas (GWh)", "12", "13"],
    &["", "Steam (GWh)", "5", "9"],
    &["Water", "Taken in (ML)", "88", "81"],
    &["", "Given back (ML)", "61", "60"],
    &["Waste", "Burnt (kt)", "3", "2"],
];

fn of_groups() -> Vec<String> {
    let mut out = Vec::new();
    let mut group = "";
    for row in &GROUPS[1..] {
        group = if row[0].is_empty() { group } else { row[0] };
        for (year, cell) in ["2023", "2024"].iter().zip(&row[2..]) {
            let unit = row[1].split(['(', ')']).nth(1).unwrap_or_default();
            out.push(format!("{group} › {} |  | {year} | {cell} {unit}", row[1]));
        }
    }
    out
}

#[test]
fn the_name_of_a_group_in_its_first_row_reaches_to_the_next_between_rules() {
    let page = across(Page::default(), &[86.0, 106.0, 246.0], 45.0, 510.0);
    assert_eq!(told(set(page, &[50.0, 150.0, 330.0, 430.0], 100.0, 20.0, &GROUPS)), of_groups());
}

#[test]
fn the_name_of_a_group_in_a_cell_over_its_rows_holds_for_all_of_them() {
    let edges = [45.0, 145.0, 325.0, 425.0, 510.0];
    let page = across(Page::default(), &[86.0, 106.0, 166.0, 206.0, 226.0], 45.0, 510.0);
    let page = across(page, &[126.0, 146.0, 186.0], 145.0, 510.0);
    let page = down(page, &edges, 86.0, 226.0);
    let rows: Vec<Vec<&str>> = GROUPS.iter().map(|row| [&[""], &row[1..]].concat()).collect();
    let rows: Vec<&[&str]> = rows.iter().map(Vec::as_slice).collect();
    let page = set(page, &[50.0, 150.0, 330.0, 430.0], 100.0, 20.0, &rows);
    let page = page.text(50.0, 100.0, 10.0, "Topic").text(50.0, 140.0, 10.0, "Energy");
    let page = page.text(50.0, 190.0, 10.0, "Water").text(50.0, 220.0, 10.0, "Waste");
    assert_eq!(told(page), of_groups());
}

#[test]
fn a_total_ends_the_group_above_it() {
    let rows: [&[&str]; 8] = [
        &["Scope", "Source", "2023", "2024"],
        &["Scope 1", "Kilns", "41", "44"],
        &["", "Vehicles", "12", "13"],
        &["Scope 2", "Power", "5", "9"],
        &["", "Heat", "8", "7"],
        &["Total", "", "66", "73"],
        &["Scope 3", "Travel", "3", "2"],
        &["", "Goods bought", "91", "96"],
    ];
    let names = [
        "Scope 1 › Kilns",
        "Scope 1 › Vehicles",
        "Scope 2 › Power",
        "Scope 2 › Heat",
        "Total",
        "Scope 3 › Travel",
        "Scope 3 › Goods bought",
    ];
    let cells = |(name, row): (&&str, &&[&str])| {
        [format!("{name} |  | 2023 | {}", row[2]), format!("{name} |  | 2024 | {}", row[3])]
    };
    let expected: Vec<String> = names.iter().zip(&rows[1..]).flat_map(cells).collect();
    assert_eq!(told(set(Page::default(), &[50.0, 150.0, 330.0, 430.0], 100.0, 16.0, &rows)), expected);
}

#[test]
fn groups_within_groups_each_reach_to_the_next_of_their_own() {
    let rows: [&[&str]; 7] = [
        &["Area", "Kind", "Source", "2024"],
        &["Air", "Direct", "Kilns", "41"],
        &["", "", "Vehicles", "12"],
        &["", "Indirect", "Power", "5"],
        &["Soil", "Direct", "Spills", "8"],
        &["", "", "Leaks", "66"],
        &["", "Indirect", "Dust", "91"],
    ];
    let names = [
        "Air › Direct › Kilns",
        "Air › Direct › Vehicles",
        "Air › Indirect › Power",
        "Soil › Direct › Spills",
        "Soil › Direct › Leaks",
        "Soil › Indirect › Dust",
    ];
    let expected: Vec<String> =
        names.iter().zip(&rows[1..]).map(|(name, row)| format!("{name} |  | 2024 | {}", row[3])).collect();
    let page = across(Page::default(), &[86.0, 106.0, 126.0, 146.0, 166.0, 186.0, 206.0, 226.0], 45.0, 510.0);
    assert_eq!(told(set(page, &[50.0, 150.0, 250.0, 430.0], 100.0, 20.0, &rows)), expected);
}

#[test]
fn a_row_of_another_unit_or_year_is_of_the_name_above_it_and_a_sum_without_one_is_not() {
    let units: [&[&str]; 5] = [
        &["Source", "Unit", "2023", "2024"],
        &["Gas", "GWh", "41", "44"],
        &["", "TJ", "148", "158"],
        &["Steam", "GWh", "5", "9"],
        &["", "TJ", "18", "32"],
    ];
    let page = across(Page::default(), &[86.0, 106.0, 126.0, 146.0, 166.0, 186.0], 45.0, 510.0);
    assert_eq!(
        told(set(page, &[50.0, 200.0, 330.0, 430.0], 100.0, 20.0, &units)),
        [
            "Gas |  | 2023 | 41 GWh",
            "Gas |  | 2024 | 44 GWh",
            "Gas |  | 2023 | 148 TJ",
            "Gas |  | 2024 | 158 TJ",
            "Steam |  | 2023 | 5 GWh",
            "Steam |  | 2024 | 9 GWh",
            "Steam |  | 2023 | 18 TJ",
            "Steam |  | 2024 | 32 TJ",
        ]
    );
    let sums: [&[&str]; 4] =
        [&["Source", "2023", "2024"], &["Gas", "41", "44"], &["Steam", "5", "9"], &["", "46", "53"]];
    let page = across(Page::default(), &[86.0, 106.0, 126.0, 146.0, 166.0], 45.0, 510.0);
    let found = told(set(page, &[50.0, 330.0, 430.0], 100.0, 20.0, &sums));
    assert_eq!(found[4..], [" |  | 2023 | 46", " |  | 2024 | 53"]);
}

#[test]
fn a_total_right_below_a_heading_is_of_what_that_names() {
    let rows: [&[&str]; 7] = [
        &["Measure", "2023", "2024"],
        &["Certified by ISO", "", ""],
        &["Total number of sites", "40", "41"],
        &["Share of sites (%)", "11", "12"],
        &["Certified by others", "", ""],
        &["Total number of sites", "25", "26"],
        &["Share of sites (%)", "7", "8"],
    ];
    let page = across(Page::default(), &[86.0, 106.0, 126.0, 146.0, 166.0, 186.0, 206.0, 226.0], 45.0, 510.0);
    let found = told(set(page, &[50.0, 300.0, 430.0], 100.0, 20.0, &rows));
    let first: Vec<&str> = found.iter().step_by(2).map(String::as_str).collect();
    assert_eq!(
        first,
        [
            "Certified by ISO › Total number of sites |  | 2023 | 40",
            "Certified by ISO › Share of sites (%) |  | 2023 | 11 %",
            "Certified by others › Total number of sites |  | 2023 | 25",
            "Certified by others › Share of sites (%) |  | 2023 | 7 %",
        ]
    );
}

#[test]
fn a_row_with_a_reference_and_no_figures_heads_no_others() {
    let rows: [&[&str]; 5] = [
        &["Measure", "2023", "2024", "Standard"],
        &["Engineers", "40", "41", "102-8"],
        &["Training", "", "", "404-1"],
        &["New hires", "25", "26", "401-1"],
        &["Leavers", "7", "8", "401-1"],
    ];
    let page = across(Page::default(), &[86.0, 106.0, 126.0, 146.0, 166.0, 186.0], 45.0, 510.0);
    let found = told(set(page, &[50.0, 200.0, 300.0, 420.0], 100.0, 20.0, &rows));
    assert_eq!(found[2], "New hires |  | 2023 | 25");
}

#[test]
fn a_row_further_left_than_a_heading_is_not_below_it() {
    let rows: [&[&str]; 7] = [
        &["Scope", "Source", "2024"],
        &["Scope 1", "", "53"],
        &["", "By plant", ""],
        &["", "Kilns", "41"],
        &["", "Vehicles", "12"],
        &["Scope 2", "", "5"],
        &["", "Power", "4"],
    ];
    let page = across(Page::default(), &[86.0, 106.0, 126.0, 146.0, 166.0, 186.0, 206.0, 226.0], 45.0, 510.0);
    assert_eq!(
        told(set(page, &[50.0, 200.0, 430.0], 100.0, 20.0, &rows)),
        [
            "Scope 1 |  | 2024 | 53",
            "Scope 1 › By plant › Kilns |  | 2024 | 41",
            "Scope 1 › By plant › Vehicles |  | 2024 | 12",
            "Scope 2 |  | 2024 | 5",
            "Scope 2 › Power |  | 2024 | 4",
        ]
    );
}

#[test]
fn a_heading_over_groups_holds_for_all_of_them() {
    let rows: [&[&str]; 8] = [
        &["Scope", "Source", "2024"],
        &["Plants", "", ""],
        &["Scope 1", "Kilns", "41"],
        &["", "Vehicles", "12"],
        &["Scope 2", "Power", "5"],
        &["Offices", "", ""],
        &["Scope 1", "Boilers", "7"],
        &["", "Cars", "3"],
    ];
    let page =
        across(Page::default(), &[86.0, 106.0, 126.0, 146.0, 166.0, 186.0, 206.0, 226.0, 246.0], 45.0, 510.0);
    assert_eq!(
        told(set(page, &[50.0, 200.0, 430.0], 100.0, 20.0, &rows)),
        [
            "Plants › Scope 1 › Kilns |  | 2024 | 41",
            "Plants › Scope 1 › Vehicles |  | 2024 | 12",
            "Plants › Scope 2 › Power |  | 2024 | 5",
            "Offices › Scope 1 › Boilers |  | 2024 | 7",
            "Offices › Scope 1 › Cars |  | 2024 | 3",
        ]
    );
}

#[test]
fn the_unit_of_the_first_card_holds_for_cards_like_it() {
    let cards = [("1,204 kt", "Scope 1"), ("950", "Scope 2"), ("8,310", "Scope 3")];
    let page = cards.iter().enumerate().fold(Page::default(), |page, (at, (number, name))| {
        let x = 50.0 + 180.0 * at as f32;
        page.bold(x, 120.0, 24.0, number).text(x, 136.0, 10.0, name)
    });
    let found = told(page);
    assert_eq!(found, ["Scope 1 |  | - | 1,204 kt", "Scope 2 |  | - | 950 kt", "Scope 3 |  | - | 8,310 kt"]);
}

#[test]
fn the_unit_of_the_first_column_holds_for_columns_like_it() {
    let rows: [&[&str]; 4] = [
        &["Site", "Scope 1 (t CO2e)", "Scope 2", "Scope 3", "Staff"],
        &["Cement works", "1,204", "318", "1,187", "29"],
        &["Quarries", "412", "95", "398", "91"],
        &["Offices", "12", "40", "9", "38"],
    ];
    let mut expected = Vec::new();
    for row in &rows[1..] {
        for (at, cell) in row[1..].iter().enumerate() {
            let name = ["Scope 1", "Scope 2", "Scope 3", "Staff"][at];
            let unit = if at < 3 { " t CO2e" } else { "" };
            expected.push(format!("{} | {name} | - | {cell}{unit}", row[0]));
        }
    }
    assert_eq!(told(set(Page::default(), &[50.0, 150.0, 270.0, 360.0, 450.0], 100.0, 16.0, &rows)), expected);
}

#[test]
fn cards_of_other_things_take_no_unit() {
    let cards = [("1,204 kt", "Scope 1"), ("950", "Suppliers asked"), ("83", "Sites")];
    let page = cards.iter().enumerate().fold(Page::default(), |page, (at, (number, name))| {
        let y = 120.0 + 60.0 * at as f32;
        page.bold(50.0, y, 24.0, number).text(50.0, y + 16.0, 10.0, name)
    });
    let found = told(page);
    assert_eq!(
        found,
        ["Scope 1 |  | - | 1,204 kt", "Suppliers asked |  | - | 950", "Sites |  | - | 83 Sites"]
    );
}

#[test]
fn the_unit_of_the_first_year_holds_for_the_others_and_not_for_their_change() {
    let rows: [&[&str]; 3] = [
        &["Source", "2022 (GWh)", "2023", "2024", "Change"],
        &["Power", "41", "44", "47", "7"],
        &["Gas", "12", "13", "11", "-15"],
    ];
    let page = across(Page::default(), &[86.0, 106.0, 126.0, 146.0], 45.0, 510.0);
    let found = told(set(page, &[50.0, 150.0, 250.0, 330.0, 420.0], 100.0, 20.0, &rows));
    let expected = [
        "Power |  | 2022 | 41 GWh",
        "Power |  | 2023 | 44 GWh",
        "Power |  | 2024 | 47 GWh",
        "Power | Change | 2024 | 7",
    ];
    assert_eq!(found[..4], expected);
}

#[test]
fn a_number_in_millions_has_the_unit_of_its_row() {
    let rows: [&[&str]; 4] = [
        &["Measure", "Unit", "2023", "2024"],
        &["Energy", "Megawatt hours", "45.3 million", "40.9 million"],
        &["Waste", "Tonnes", "2.09 million", "1.43 million"],
        &["Water", "ML", "412", "398"],
    ];
    let page = across(Page::default(), &[86.0, 106.0, 126.0, 146.0, 166.0], 45.0, 510.0);
    let found = told(set(page, &[50.0, 150.0, 300.0, 420.0], 100.0, 20.0, &rows));
    assert_eq!(
        [&found[0], &found[2], &found[4]],
        [
            "Energy |  | 2023 | 45.3 million Megawatt hours",
            "Waste |  | 2023 | 2.09 million Tonnes",
            "Water |  | 2023 | 412 ML"
        ]
    );
}

#[test]
fn a_unit_alone_on_the_line_above_a_table_or_one_further_up_is_that_of_its_figures() {
    let rows: [&[&str]; 3] = [&["Source", "2023", "2024"], &["Power", "41", "44"], &["Gas", "12", "13"]];
    let expected = [
        "Power |  | 2023 | 41 GWh",
        "Power |  | 2024 | 44 GWh",
        "Gas |  | 2023 | 12 GWh",
        "Gas |  | 2024 | 13 GWh",
    ];
    let page = |lines: &[&str]| {
        let page = Page::default().bold(50.0, 60.0, 16.0, "Energy use");
        let page =
            page.text(50.0, 100.0, 10.0, lines[0]).text(50.0, 130.0, 10.0, lines.get(1).unwrap_or(&""));
        set(
            across(page, &[146.0, 166.0, 186.0, 206.0], 45.0, 510.0),
            &[50.0, 300.0, 420.0],
            160.0,
            20.0,
            &rows,
        )
    };
    assert_eq!(told(page(&["", "in GWh"])), expected);
    assert_eq!(told(page(&["All amounts in GWh", "All sites that the company runs"])), expected);
}

#[test]
fn the_unit_of_a_heading_reaches_below_a_heading_without_one() {
    let rows: [&[&str]; 3] = [&["Source", "2023", "2024"], &["Rivers", "41", "44"], &["Wells", "12", "13"]];
    let page = Page::default()
        .bold(50.0, 60.0, 18.0, "Water taken in (ML)")
        .bold(50.0, 100.0, 13.0, "By source")
        .text(50.0, 120.0, 10.0, "All plants of the company, those that it rents as well.");
    let page = set(page, &[50.0, 300.0, 420.0], 150.0, 16.0, &rows);
    assert_eq!(
        told(page),
        [
            "Rivers |  | 2023 | 41 ML",
            "Rivers |  | 2024 | 44 ML",
            "Wells |  | 2023 | 12 ML",
            "Wells |  | 2024 | 13 ML"
        ]
    );
}

#[test]
fn a_range_of_years_names_its_column_and_is_no_year() {
    for range in ["2024–2027", "2024-2027", "2024–27", "2024 to 2027", "FY2024–FY2027"] {
        let rows: [&[&str]; 3] =
            [&["Spending", "2023", "2024", range], &["Grid", "41", "44", "130"], &["Heat", "12", "13", "50"]];
        let page = Page::default().bold(50.0, 60.0, 16.0, "Plan of 2024");
        let page = set(page, &[50.0, 250.0, 340.0, 430.0], 100.0, 16.0, &rows);
        let range = format!("{range} | -");
        assert_eq!(
            told(page),
            [
                "Grid |  | 2023 | 41".to_owned(),
                "Grid |  | 2024 | 44".to_owned(),
                format!("Grid | {range} | 130"),
                "Heat |  | 2023 | 12".to_owned(),
                "Heat |  | 2024 | 13".to_owned(),
                format!("Heat | {range} | 50"),
            ]
        );
    }
}

#[test]
fn a_fiscal_year_of_two_calendar_years_is_the_second() {
    for years in [["FY2023/24", "FY2024/25"], ["2023-24", "2024-25"], ["2023/24", "2024/25"]] {
        let rows: [&[&str]; 3] =
            [&["Spending", years[0], years[1]], &["Grid", "41", "44"], &["Heat", "12", "13"]];
        assert_eq!(
            told(set(Page::default(), &[50.0, 250.0, 340.0], 100.0, 16.0, &rows)),
            ["Grid |  | 2024 | 41", "Grid |  | 2025 | 44", "Heat |  | 2024 | 12", "Heat |  | 2025 | 13"]
        );
    }
}

#[test]
fn a_range_of_years_in_the_name_of_a_row_dates_it_with_none_of_them() {
    let rows: [&[&str]; 4] = [
        &["Programme", "Cost (EUR million)", "Saved (kt)"],
        &["Kilns 2024–2027", "41", "44"],
        &["Ships 2024", "12", "13"],
        &["Trains", "5", "6"],
    ];
    let page = Page::default().bold(50.0, 60.0, 16.0, "Programmes of 2023");
    assert_eq!(
        told(set(page, &[50.0, 250.0, 400.0], 100.0, 16.0, &rows)),
        [
            "Kilns 2024–2027 | Cost | - | 41 EUR million",
            "Kilns 2024–2027 | Saved | - | 44 kt",
            "Ships 2024 | Cost | 2024 | 12 EUR million",
            "Ships 2024 | Saved | 2024 | 13 kt",
            "Trains | Cost | 2023 | 5 EUR million",
            "Trains | Saved | 2023 | 6 kt",
        ]
    );
}

#[test]
fn a_column_of_periods_and_a_sentence_keep_ranges_apart_from_years() {
    let rows: [&[&str]; 4] = [
        &["Measure", "Period", "Saved (kt)"],
        &["Kilns", "2025–2030", "44"],
        &["Ships", "2024", "13"],
        &["Trains", "2026–29", "6"],
    ];
    let page = Page::default().bold(50.0, 60.0, 16.0, "Measures of 2024").text(
        50.0,
        90.0,
        10.0,
        "We will put 90 million euros into the works in 2024–2027.",
    );
    assert_eq!(
        told(set(page, &[50.0, 250.0, 400.0], 120.0, 16.0, &rows)),
        [
            " |  | - | 90 million euros",
            "Kilns › 2025–2030 | Saved | - | 44 kt",
            "Ships | Saved | 2024 | 13 kt",
            "Trains › 2026–29 | Saved | - | 6 kt",
        ]
    );
}
