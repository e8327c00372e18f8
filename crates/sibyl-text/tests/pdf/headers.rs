//! Tables whose header takes several lines, with spanning names, units and note markers.

use crate::read;
use crate::writer::{File, Page, width};

/// The first table of a page: its rows, cell by cell, the row below the header's mark first.
pub fn rows(page: Page) -> Vec<Vec<String>> {
    let text = read(&File::default().page(page).bytes()).text;
    let rows = text.lines().filter(|line| line.starts_with('|') && !line.contains("---"));
    rows.map(|row| row.trim_matches('|').split('|').map(|cell| cell.trim().to_owned()).collect()).collect()
}

const XS: [f32; 3] = [50.0, 300.0, 420.0];
const BODY: [[&str; 3]; 3] =
    [["Cement works", "1,204", "1,187"], ["Quarries", "318", "299"], ["Offices", "12", "9"]];

fn body(page: Page, top: f32) -> Page {
    BODY.iter().enumerate().fold(page, |page, (r, row)| {
        row.iter().zip(XS).fold(page, |page, (cell, x)| page.text(x, top + 13.0 * r as f32, 10.0, cell))
    })
}

fn with_header(header: [&str; 3]) -> Vec<Vec<String>> {
    let header = header.map(str::to_owned).to_vec();
    [header].into_iter().chain(BODY.map(|row| row.map(str::to_owned).to_vec())).collect()
}

#[test]
fn the_lines_of_a_header_are_one_row() {
    let page = Page::default()
        .bold(300.0, 88.0, 10.0, "Direct")
        .bold(420.0, 88.0, 10.0, "Power bought")
        .bold(50.0, 100.0, 10.0, "Place")
        .bold(300.0, 100.0, 10.0, "emissions")
        .bold(420.0, 100.0, 10.0, "by place")
        .text(300.0, 112.0, 10.0, "(t CO2e)")
        .text(420.0, 112.0, 10.0, "(t CO2e)");
    let expected = with_header(["Place", "Direct emissions (t CO2e)", "Power bought by place (t CO2e)"]);
    assert_eq!(rows(body(page, 125.0)), expected);
}

#[test]
fn a_name_over_several_columns_opens_the_header_of_each() {
    let page = Page::default()
        .bold(310.0, 88.0, 10.0, "Emissions in tonnes of CO2e")
        .bold(50.0, 100.0, 10.0, "Place")
        .bold(300.0, 100.0, 10.0, "2023")
        .bold(420.0, 100.0, 10.0, "2024");
    let expected =
        with_header(["Place", "Emissions in tonnes of CO2e 2023", "Emissions in tonnes of CO2e 2024"]);
    assert_eq!(rows(body(page, 113.0)), expected);
}

#[test]
fn the_name_of_a_group_of_rows_is_no_line_of_the_header() {
    let page = Page::default()
        .bold(50.0, 100.0, 10.0, "Indicator")
        .bold(300.0, 100.0, 10.0, "2023")
        .bold(420.0, 100.0, 10.0, "2024")
        .bold(50.0, 113.0, 10.0, "Energy and power of the group");
    let found = rows(body(page, 126.0));
    assert_eq!(found[0], ["Indicator", "2023", "2024"]);
    assert_eq!(found[1], ["Energy and power of the group", "", ""]);
}

#[test]
fn marks_of_notes_stay_with_names_and_numbers() {
    let page = body(Page::default(), 113.0)
        .bold(50.0, 100.0, 10.0, "Place")
        .bold(300.0, 100.0, 10.0, "2023")
        .bold(420.0, 100.0, 10.0, "2024")
        .text(50.0, 152.0, 10.0, "Ships")
        .text(76.0, 148.5, 6.0, "1")
        .text(300.0, 152.0, 10.0, "40")
        .text(420.0, 152.0, 10.0, "38")
        .text(431.5, 148.5, 6.0, "2");
    assert_eq!(rows(page).last().expect("rows"), &["Ships¹", "40", "38²"]);
}

#[test]
fn names_close_to_each_other_over_two_rows_apart_are_those_of_columns() {
    let table = [
        ["Carrier", "1H 2024", "1H 2023", "Change, %"],
        ["Electricity", "4,410", "4,512", "-2.3"],
        ["Gas", "2,205", "2,100", "5.0"],
    ];
    // Each column is as wide as its name, and twelve points lie between two.
    let mut edge = 118.0;
    let edges: Vec<f32> = table[0][1..]
        .iter()
        .map(|name| {
            edge += 12.0 + width(name, 10.0);
            edge
        })
        .collect();
    let page = Page::default().text(50.0, 80.0, 10.0, "The table shows what the plants used in the year.");
    let page = table.iter().enumerate().fold(page, |page, (r, row)| {
        let y = 102.0 + 18.0 * r as f32;
        let page = page.text(50.0, y, 10.0, row[0]);
        row[1..]
            .iter()
            .zip(&edges)
            .fold(page, |page, (cell, edge)| page.text(edge - width(cell, 10.0), y, 10.0, cell))
    });
    assert_eq!(rows(page), table.map(|row| row.map(str::to_owned).to_vec()));
}

#[test]
fn a_name_on_two_lines_beside_its_numbers_is_one() {
    let page = body(Page::default(), 100.0)
        .text(50.0, 140.0, 10.0, "Ships and trains that")
        .text(300.0, 146.0, 10.0, "40")
        .text(420.0, 146.0, 10.0, "38")
        .text(50.0, 152.0, 10.0, "others run for us");
    assert_eq!(rows(page).last().expect("rows"), &["Ships and trains that others run for us", "40", "38"]);
}

#[test]
fn a_sum_in_larger_letters_belongs_to_its_table() {
    let page = body(Page::default(), 100.0)
        .bold(50.0, 148.0, 15.0, "Total")
        .bold(295.0, 148.0, 15.0, "1,534")
        .bold(415.0, 148.0, 15.0, "1,495");
    assert_eq!(rows(page).last().expect("rows"), &["Total", "1,534", "1,495"]);
}

#[test]
fn rules_that_end_before_the_first_and_last_row_hold_them_all_the_same() {
    let table = [
        ["Themes", "Goals"],
        ["Travel", "Meetings are held over the wire where they can be and by train where not."],
        ["Sites", "Each of them has a plan for heat and for floods that names who does what."],
        ["Supply", "Suppliers tell what they emit and what they do so that it becomes less."],
    ];
    let page = table.iter().enumerate().fold(Page::default(), |page, (r, row)| {
        let top = 100.0 + 40.0 * r as f32;
        let (first, second) =
            row[1].split_at(row[1][..38.min(row[1].len())].rfind(' ').unwrap_or(row[1].len()));
        let page = if r == 0 {
            page.bold(60.0, top + 30.0, 12.0, row[0]).bold(160.0, top + 30.0, 12.0, row[1])
        } else {
            page.text(60.0, top + 12.0, 10.0, row[0]).text(160.0, top + 12.0, 10.0, first).text(
                160.0,
                top + 24.0,
                10.0,
                second.trim(),
            )
        };
        if r > 1 { page.rule((50.0, top), (400.0, top)) } else { page }
    });
    let page = [150.0, 400.0].iter().fold(page, |page, x| page.rule((*x, 138.0), (*x, 260.0)));
    assert_eq!(rows(page), table.map(|row| row.map(str::to_owned).to_vec()));
}

#[test]
fn a_name_between_two_columns_stands_over_both() {
    let xs = [50.0, 300.0, 360.0, 420.0, 480.0];
    let header = ["Place", "2023", "2024", "2023", "2024"];
    let values = [["Cement works", "204", "187", "318", "299"], ["Quarries", "40", "38", "12", "19"]];
    let rows_of = |page: Page| {
        values.iter().cycle().take(4).enumerate().fold(page, |page, (r, row)| {
            row.iter().zip(xs).fold(page, |page, (cell, x)| page.text(x, 113.0 + 13.0 * r as f32, 10.0, cell))
        })
    };
    let page = header
        .iter()
        .zip(xs)
        .fold(rows_of(Page::default()), |page, (name, x)| page.bold(x, 100.0, 10.0, name));
    let page = page.bold(331.0, 87.0, 10.0, "Own").bold(444.0, 87.0, 10.0, "Bought");
    assert_eq!(rows(page)[0], ["Place", "Own 2023", "Own 2024", "Bought 2023", "Bought 2024"]);
}

#[test]
fn bold_names_above_the_bold_names_over_a_rule_open_the_header() {
    let page = BODY.iter().enumerate().fold(Page::default(), |page, (r, row)| {
        let y = 118.0 + 18.0 * r as f32;
        let page = page.rule((50.0, y - 12.0), (500.0, y - 12.0));
        row.iter().zip(XS).fold(page, |page, (cell, x)| page.text(x, y, 10.0, cell))
    });
    let page = page
        .rule((50.0, 160.0), (500.0, 160.0))
        .bold(300.0, 82.0, 10.0, "Target")
        .bold(420.0, 82.0, 10.0, "Target")
        .bold(50.0, 100.0, 10.0, "Place")
        .bold(300.0, 100.0, 10.0, "2023")
        .bold(420.0, 100.0, 10.0, "2024");
    assert_eq!(rows(page), with_header(["Place", "Target 2023", "Target 2024"]));
}

/// A page with lines along `across` (height, from, to) and `down` (place, from, to).
fn ruled(page: Page, across: &[[f32; 3]], down: &[[f32; 3]]) -> Page {
    let page = across.iter().fold(page, |page, &[y, from, to]| page.rule((from, y), (to, y)));
    down.iter().fold(page, |page, &[x, from, to]| page.rule((x, from), (x, to)))
}

#[test]
fn a_name_beside_an_empty_corner_stands_over_its_own_columns() {
    let across = [100.0, 120.0, 140.0, 160.0].map(|y| [y, 60.0, 500.0]);
    let inner = [160.0, 260.0, 360.0].map(|x| [x, 120.0, 160.0]);
    let outer = [60.0, 420.0, 500.0].map(|x| [x, 100.0, 160.0]);
    let name = "Governance";
    let cells = [(65.0, "Industry"), (165.0, "a)"), (265.0, "b)"), (365.0, "c)"), (425.0, "a)")];
    let filled = [(65.0, "Banks"), (165.0, "yes"), (265.0, "no"), (365.0, "yes"), (425.0, "no")];
    let page = ruled(Page::default(), &across, &[inner, outer].concat());
    let page =
        page.text(340.0 - width(name, 10.0) / 2.0, 114.0, 10.0, name).text(440.0, 114.0, 10.0, "Strategy");
    let page = cells.iter().fold(page, |page, (x, cell)| page.text(*x, 134.0, 10.0, cell));
    let page = filled.iter().fold(page, |page, (x, cell)| page.text(*x, 154.0, 10.0, cell));
    assert_eq!(rows(page)[0], ["", "", "Governance", "", "Strategy"]);
}

#[test]
fn the_labels_of_a_chart_with_lines_are_no_table() {
    let across = [100.0, 150.0, 200.0].map(|y| [y, 60.0, 360.0]);
    let down = [60.0, 160.0, 260.0, 360.0].map(|x| [x, 100.0, 200.0]);
    let page = ruled(Page::default(), &across, &down)
        .text(90.0, 120.0, 10.0, "-3%")
        .text(190.0, 170.0, 10.0, "-29%")
        .text(290.0, 170.0, 10.0, "-30%");
    assert_eq!(rows(page), Vec::<Vec<String>>::new());
}

#[test]
fn a_filled_header_through_which_the_lines_between_columns_run_is_a_row_of_its_own() {
    let (xs, ends) = ([40.0, 130.0, 240.0, 320.0, 400.0, 480.0], [90.0, 112.0, 134.0, 156.0, 178.0, 200.0]);
    let fill = |page: Page| page.raw("0.3 0.5 0.2 rg 40 688 440 22 re f 0 g");
    // No rule is below the header, and the name of a group crosses those between its rows.
    let across = |page: Page, (y, from): (f32, f32)| page.rule((from, y), (480.0, y));
    let page =
        [(134.0, 130.0), (156.0, 40.0), (178.0, 130.0)].into_iter().fold(fill(Page::default()), across);
    let page = xs[1..5].iter().fold(page, |page, x| page.rule((*x, 90.0), (*x, 200.0)));
    let rows = [
        ["Part", "", "Unit", "Made", "Used"],
        ["Heat", "Steam", "MJ", "3.51", "1.07"],
        ["", "Water", "MJ", "3.89", "0.38"],
        ["Power", "Bought", "kWh", "41.7", "22.2"],
        ["", "Own", "kWh", "17.2", "69.8"],
    ];
    let page = rows.iter().zip(ends).fold(page, |page, (row, top)| {
        row.iter()
            .zip(xs)
            .filter(|(cell, _)| !cell.is_empty())
            .fold(page, |page, (cell, x)| page.text(x + 5.0, top + 15.0, 10.0, cell))
    });
    let text = crate::text(page);
    let mut at = 0;
    for row in rows {
        let cells: Vec<&str> = row.to_vec();
        let line = text.lines().position(|line| {
            line.starts_with('|')
                && line.trim_matches('|').split('|').map(str::trim).eq(cells.iter().copied())
        });
        let line = line.unwrap_or_else(|| panic!("{row:?} is no row of:\n{text}"));
        assert!(line >= at, "{text}");
        at = line;
    }
}
