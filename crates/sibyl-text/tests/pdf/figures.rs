//! Figures of tables and cards: each number with the names of its row and column, its year and its unit.

use crate::read;
use crate::writer::{File, Page};
use sibyl_text::figure::{Origin, figures};

/// What a page says of its figures: `names | column | year | number and unit`.
fn told(page: Page) -> Vec<String> {
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
