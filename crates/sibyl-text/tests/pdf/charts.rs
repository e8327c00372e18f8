//! Charts whose labels are text: each value stands under its category and its series.

use crate::text;
use crate::writer::{PAGE_HEIGHT, Page, width};

const INKS: [&str; 3] = ["0.1 0.2 0.4", "0.3 0.6 0.9", "0.9 0.6 0.1"];
const SERIES: [&str; 3] = ["Import", "Export", "Own use"];
const YEARS: [&str; 4] = ["2021", "2022", "2023", "2024"];
const SITES: [&str; 4] = ["Port Avell", "Lunde", "Kilcarrow", "Saint Loup"];
const SIZE: f32 = 7.0;

/// How the values of a chart are drawn.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Kind {
    /// Columns of each category side by side.
    Columns,
    /// Columns upon each other, with a sum over each.
    Stacked,
    /// Level bars of each category below each other.
    Bars,
    /// Level bars one after the other.
    Chained,
    /// Lines with marked points, the name of each at its end.
    Lines,
}

fn fill(page: Page, ink: &str, [left, top, right, bottom]: [f32; 4]) -> Page {
    page.raw(&format!("{ink} rg {left} {} {} {} re f 0 g", PAGE_HEIGHT - bottom, right - left, bottom - top))
}

fn centred(page: Page, x: f32, y: f32, text: &str) -> Page {
    page.text(x - width(text, SIZE) / 2.0, y, SIZE, text)
}

fn legend(page: Page, series: usize) -> Page {
    (0..series).fold(page, |page, s| {
        let x = 60.0 + 70.0 * s as f32;
        fill(page, INKS[s], [x, 134.0, x + 6.0, 140.0]).text(x + 9.0, 140.0, SIZE, SERIES[s])
    })
}

/// A page with a chart of `values`, by category and series.
fn page(kind: Kind, categories: &[&str], values: &[Vec<u32>]) -> Page {
    let series = values[0].len();
    let title = "Goods handled (million tonnes)";
    let mut page = Page::default().bold(60.0, 124.0, 9.0, title);
    if series > 1 && kind != Kind::Lines {
        page = legend(page, series);
    }
    let upon = if matches!(kind, Kind::Stacked | Kind::Chained) { series } else { 1 };
    let scale = |value: u32| value as f32 / upon as f32;
    for (c, (name, row)) in categories.iter().zip(values).enumerate() {
        let at = c as f32;
        let middle = 110.0 + 90.0 * at;
        page = match kind {
            Kind::Columns | Kind::Stacked | Kind::Lines => centred(page, middle, 341.0, name),
            Kind::Bars | Kind::Chained => page.text(60.0, 172.0 + 40.0 * at, SIZE, name),
        };
        let (mut base, mut from) = (330.0, 130.0);
        for (s, value) in row.iter().enumerate() {
            let (long, text) = (scale(*value), value.to_string());
            let side = middle - 11.0 * series as f32 + 22.0 * s as f32;
            let line = 160.0 + 40.0 * at + 10.0 * s as f32;
            page = match kind {
                Kind::Columns => {
                    let page = fill(page, INKS[s], [side, 330.0 - long, side + 20.0, 330.0]);
                    centred(page, side + 10.0, 328.0 - long, &text)
                }
                Kind::Stacked => {
                    let page = fill(page, INKS[s], [middle - 20.0, base - long, middle + 20.0, base]);
                    base -= long;
                    centred(page, middle, base + long / 2.0 + 2.0, &text)
                }
                Kind::Bars => fill(page, INKS[s], [130.0, line, 130.0 + long, line + 8.0]).text(
                    133.0 + long,
                    line + 7.0,
                    SIZE,
                    &text,
                ),
                Kind::Chained => {
                    let page = fill(page, INKS[s], [from, 160.0 + 40.0 * at, from + long, 178.0 + 40.0 * at]);
                    from += long;
                    centred(page, from - long / 2.0, 172.0 + 40.0 * at, &text)
                }
                Kind::Lines => {
                    let y = 240.0 - long / 2.0 + 50.0 * s as f32;
                    let dot = fill(page, INKS[s], [middle - 1.5, y - 1.5, middle + 1.5, y + 1.5]);
                    let page = centred(dot, middle, y - 4.0, &text);
                    let last = series > 1 && c + 1 == categories.len();
                    if last { page.text(middle + 10.0, y + 2.0, SIZE, SERIES[s]) } else { page }
                }
            };
        }
        if kind == Kind::Stacked && series > 1 {
            page = centred(page, middle, base - 3.0, &row.iter().sum::<u32>().to_string());
        }
    }
    page
}

/// Header and rows of the only table of a text.
fn table(text: &str) -> Vec<Vec<String>> {
    let rows = text.lines().filter(|line| line.starts_with('|') && !line.contains("---"));
    rows.map(|row| row.trim_matches('|').split('|').map(|cell| cell.trim().to_owned()).collect()).collect()
}

#[test]
fn every_value_of_a_chart_stands_under_its_category_and_series() {
    let mut state = 7_u32;
    let mut random = |most: u32| {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 16) % most
    };
    for kind in [Kind::Columns, Kind::Stacked, Kind::Bars, Kind::Chained, Kind::Lines] {
        for series in 1..=3 {
            for (categories, periods) in [(YEARS, true), (SITES, false)] {
                // Small differences: what is longer or comes first says nothing about what it is.
                let values: Vec<Vec<u32>> =
                    categories.iter().map(|_| (0..series).map(|_| 120 + random(60)).collect()).collect();
                let found = text(page(kind, &categories, &values));
                let rows = table(&found);
                let cell = |row: &str, column: usize| {
                    rows.iter().find(|cells| cells[0] == row).and_then(|cells| cells.get(column)).cloned()
                };
                for (c, category) in categories.iter().enumerate() {
                    for s in 0..series {
                        let name = if series > 1 { SERIES[s] } else { "Goods handled (million tonnes)" };
                        let stored = if periods { cell(name, c + 1) } else { cell(category, s + 1) };
                        let value = values[c][s].to_string();
                        assert_eq!(
                            stored,
                            Some(value),
                            "{kind:?}, {series} series, {category}, {name}:\n{found}"
                        );
                    }
                }
                let names: Vec<&str> = if periods { YEARS.to_vec() } else { SERIES[..series].to_vec() };
                if periods || series > 1 {
                    assert_eq!(rows[0][1..=names.len()], names, "{kind:?}, {series} series:\n{found}");
                }
            }
        }
    }
}

#[test]
fn columns_of_colours_that_nothing_names_stay_words() {
    let page = (0..3).fold(Page::default(), |page, c| {
        let middle = 110.0 + 90.0 * c as f32;
        let page = centred(page, middle, 341.0, YEARS[c]);
        (0..2).fold(page, |page, s| {
            let (side, long) = (middle - 22.0 + 22.0 * s as f32, 40.0 + 10.0 * (c + s) as f32);
            let page = fill(page, INKS[s], [side, 330.0 - long, side + 20.0, 330.0]);
            centred(page, side + 10.0, 328.0 - long, &format!("{}", 40 + 10 * (c + s)))
        })
    });
    let found = text(page);
    assert!(table(&found).iter().all(|row| !row.iter().any(|cell| cell == "2021")), "{found}");
    assert!(found.contains("2021") && found.contains("40"), "{found}");
}
