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

/// A curve along a circle, of at most a quarter of it (y counts from the top).
fn curve((x, y): (f32, f32), radius: f32, from: f32, to: f32) -> String {
    let long = 4.0 / 3.0 * ((to - from) / 4.0).tan() * radius;
    let at = |angle: f32, along: f32| {
        let (cos, sin) = (angle.cos(), angle.sin());
        format!("{} {}", x + radius * cos - along * sin, PAGE_HEIGHT - (y + radius * sin + along * cos))
    };
    format!("{} {} {} c ", at(from, long), at(to, -long), at(to, 0.0))
}

/// A slice of a pie, or a piece of a ring with a `hole`, with or without a line around it.
fn slice(page: Page, ink: &str, center: (f32, f32), [radius, hole]: [f32; 2], [from, to]: [f32; 2]) -> Page {
    let at = |radius: f32, angle: f32| {
        format!("{} {} ", center.0 + radius * angle.cos(), PAGE_HEIGHT - center.1 - radius * angle.sin())
    };
    let steps = ((to - from) / 1.5).ceil() as usize;
    let along = |step: usize| from + (to - from) * step as f32 / steps as f32;
    let outside: String = (0..steps).map(|s| curve(center, radius, along(s), along(s + 1))).collect();
    let inside: String = (0..steps).rev().map(|s| curve(center, hole, along(s + 1), along(s))).collect();
    let path = if hole > 0.0 {
        format!("{}m {outside}{}l {inside}", at(radius, from), at(hole, to))
    } else {
        format!("{}m {}l {outside}", at(0.0, 0.0), at(radius, from))
    };
    page.raw(&format!("{ink} rg 1 G {path}h {} 0 g", if hole > 0.0 { "B" } else { "f" }))
}

/// Where the name of a slice stands.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Named {
    Above,
    Below,
    Before,
    /// Over two lines, behind the second of which the value stands.
    Around,
    InLegend,
    Nowhere,
}

const MIX: [&str; 3] = ["Wind", "Hydro", "Sun and tide"];

/// A page with a pie of three shares, its values inside, or outside where names stand beside them.
fn pie(hole: f32, named: Named, shares: [u32; 3]) -> Page {
    let (center, radius) = ((200.0, 300.0), 60.0);
    let mut page = Page::default().bold(60.0, 124.0, 9.0, "Where our power comes from");
    let mut from = -1.2;
    for (at, share) in shares.iter().enumerate() {
        let to = from + *share as f32 / 100.0 * std::f32::consts::TAU;
        page = slice(page, INKS[at], center, [radius, hole], [from, to]);
        let middle = f32::midpoint(from, to);
        let far = if matches!(named, Named::InLegend | Named::Nowhere) { 45.0 } else { 85.0 };
        let (x, y) = (center.0 + far * middle.cos(), center.1 + far * middle.sin());
        let value = format!("{share}%");
        page = match named {
            Named::Above => centred(centred(page, x, y, MIX[at]), x, y + 8.0, &value),
            Named::Below => centred(centred(page, x, y, &value), x, y + 8.0, MIX[at]),
            Named::Before => centred(page, x, y, &format!("{} {value}", MIX[at])),
            Named::Around => {
                let (first, last) =
                    MIX[at].rsplit_once(' ').map_or(("", MIX[at]), |(first, last)| (first, last));
                let page = if first.is_empty() { page } else { centred(page, x, y, first) };
                centred(page, x, y + 8.0, &format!("{last}; {value}"))
            }
            Named::InLegend => {
                let y = 400.0 + 12.0 * at as f32;
                let page = centred(page, x, center.1 + far * middle.sin() + 2.0, &value);
                fill(page, INKS[at], [150.0, y - 6.0, 156.0, y]).text(160.0, y, SIZE, MIX[at])
            }
            Named::Nowhere => centred(page, x, y + 2.0, &value),
        };
        from = to;
    }
    page
}

#[test]
fn every_share_of_a_pie_stands_beside_its_name() {
    for hole in [0.0, 30.0] {
        for named in [Named::Above, Named::Below, Named::Before, Named::Around, Named::InLegend] {
            // Equal shares: nothing but place and colour tells which is whose.
            for shares in [[30, 30, 40], [24, 51, 25]] {
                let found = text(pie(hole, named, shares));
                let rows = table(&found);
                for (name, share) in MIX.iter().zip(shares) {
                    let row = vec![(*name).to_owned(), format!("{share}%")];
                    assert!(rows.contains(&row), "{named:?}, hole {hole}: {row:?} is no row of\n{found}");
                }
            }
        }
    }
}

#[test]
fn a_number_that_a_name_ends_with_is_no_value() {
    let names = ["Scope 1", "Scope 2", "Scope 3"];
    let (mut page, mut from) = (Page::default(), -1.2);
    for (at, (name, value)) in names.iter().zip(["11,300", "368", "5,804"]).enumerate() {
        let to = from + std::f32::consts::TAU / 3.0;
        page = slice(page, INKS[at], (200.0, 300.0), [60.0, 30.0], [from, to]);
        let middle = f32::midpoint(from, to);
        let (x, y) = (200.0 + 85.0 * middle.cos(), 300.0 + 85.0 * middle.sin());
        page = centred(centred(page, x, y, name), x, y + 8.0, value);
        from = to;
    }
    let found = text(page);
    for row in [["Scope 1", "11,300"], ["Scope 2", "368"], ["Scope 3", "5,804"]] {
        assert!(table(&found).iter().any(|cells| cells == &row), "{row:?} is no row of\n{found}");
    }
}

#[test]
fn shares_that_nothing_names_are_paired_with_nothing() {
    let found = text(pie(0.0, Named::Nowhere, [24, 51, 25]));
    assert!(table(&found).is_empty(), "{found}");
    assert!(["24%", "51%", "25%"].iter().all(|share| found.contains(share)), "{found}");
}

#[test]
fn charts_below_each_other_whose_bars_begin_at_one_place_are_two() {
    let charts = [("Ore shipped (kt)", 100.0, [31, 58, 44]), ("Ore stored (kt)", 260.0, [75, 22, 22])];
    let page = charts.iter().fold(Page::default(), |page, (title, top, values)| {
        let page = page.bold(60.0, *top, 9.0, title);
        SITES.iter().zip(values).enumerate().fold(page, |page, (at, (site, value))| {
            let (y, right) = (top + 20.0 + 20.0 * at as f32, 130.0 + *value as f32);
            let page = fill(page.text(60.0, y + 7.0, SIZE, site), INKS[0], [130.0, y, right, y + 8.0]);
            page.text(right + 3.0, y + 7.0, SIZE, &value.to_string())
        })
    });
    let found = text(page);
    for (title, _, values) in charts {
        let below = &found[found.find(title).expect("the title")..];
        let rows = table(below);
        let named: Vec<_> = rows.into_iter().filter(|row| !row[0].is_empty()).take(values.len()).collect();
        let expected: Vec<Vec<String>> = SITES
            .iter()
            .zip(values)
            .map(|(site, value)| vec![(*site).to_owned(), value.to_string()])
            .collect();
        assert_eq!(named, expected, "{title}:\n{found}");
    }
}

#[test]
fn bars_from_a_sum_to_another_have_the_names_below_them() {
    let bars: [(&str, &str, f32, f32); 5] = [
        ("2023", "90", 0.0, 90.0),
        ("New sites", "+20", 90.0, 110.0),
        ("Heat pumps", "–45", 110.0, 65.0),
        ("Travel", "–5", 65.0, 60.0),
        ("2024", "60", 0.0, 60.0),
    ];
    let page = Page::default().bold(60.0, 124.0, 9.0, "Change in emissions (kt)");
    let page = bars.iter().enumerate().fold(page, |page, (at, (name, value, from, to))| {
        let (left, top) = (80.0 + 80.0 * at as f32, 330.0 - from.max(*to));
        let page = fill(page, INKS[at % 3], [left, top, left + 40.0, 330.0 - from.min(*to)]);
        centred(centred(page, left + 20.0, top - 3.0, value), left + 20.0, 341.0, name)
    });
    let found = text(page);
    let rows = table(&found);
    for (name, value, ..) in bars {
        let row = vec![name.to_owned(), value.to_owned()];
        assert!(rows.contains(&row), "{row:?} is no row of\n{found}");
    }
}

/// A box whose outline begins in the middle of its lower side, as some programs draw it.
fn outlined(page: Page, ink: &str, [left, top, right, bottom]: [f32; 4]) -> Page {
    let (middle, top, bottom) = (f32::midpoint(left, right), PAGE_HEIGHT - top, PAGE_HEIGHT - bottom);
    page.raw(&format!(
        "{ink} rg {middle} {bottom} m {left} {bottom} l {left} {top} l {right} {top} l {right} {bottom} l \
         {middle} {bottom} l h f 0 g"
    ))
}

#[test]
fn boxes_are_boxes_wherever_their_outline_begins() {
    let values = [[71, 29, 39], [62, 31, 43], [52, 26, 49]];
    let page = values.iter().enumerate().fold(Page::default(), |page, (c, row)| {
        let middle = 110.0 + 90.0 * c as f32;
        let mut base = 330.0;
        row.iter().enumerate().fold(centred(page, middle, 341.0, YEARS[c]), |page, (s, value)| {
            let long = *value as f32;
            let page = outlined(page, INKS[s], [middle - 20.0, base - long, middle + 20.0, base]);
            base -= long;
            centred(page, middle, base + long / 2.0 + 2.0, &value.to_string())
        })
    });
    let page = SERIES.iter().enumerate().fold(page, |page, (s, name)| {
        let x = 60.0 + 70.0 * s as f32;
        outlined(page, INKS[s], [x, 360.0, x + 6.0, 366.0]).text(x + 9.0, 366.0, SIZE, name)
    });
    let found = text(page);
    let rows = table(&found);
    for (s, name) in SERIES.iter().enumerate() {
        let own: Vec<String> = values.iter().map(|row| row[s].to_string()).collect();
        let row = [vec![(*name).to_owned()], own].concat();
        assert!(rows.contains(&row), "{row:?} is no row of\n{found}");
    }
}

#[test]
fn columns_in_which_colours_run_into_each_other_have_the_values_that_run_up_in_them() {
    let values = ["53 448", "55 192", "46 648", "46 009"];
    let page = Page::default().bold(60.0, 124.0, 9.0, "Emissions of the town (t)").resources(
        "/Shading << /S1 << /ShadingType 2 /ColorSpace /DeviceRGB /Coords [0 470 0 600] /Function \
         << /FunctionType 2 /Domain [0 1] /C0 [1 0.8 0] /C1 [0.9 0.4 0] /N 1 >> >> >>",
    );
    let page = values.iter().enumerate().fold(page, |page, (c, value)| {
        let (left, long) = (90.0 + 40.0 * c as f32, 150.0 - 7.0 * c as f32);
        let bottom = PAGE_HEIGHT - 330.0;
        let page = page.raw(&format!("q {left} {bottom} 14 {long} re W n /S1 sh Q"));
        let hex: String = value.bytes().map(|byte| format!("{byte:02X}")).collect();
        let page =
            page.raw(&format!("BT /F1 7 Tf 0 1 -1 0 {} {} Tm <{hex}> Tj ET", left + 9.5, bottom + 60.0));
        centred(page, left + 7.0, 341.0, YEARS[c])
    });
    let found = text(page);
    let rows = table(&found);
    let row = ["Emissions of the town (t)"].iter().chain(&values).map(|cell| (*cell).to_owned());
    assert!(rows.contains(&row.collect()), "{found}");
    assert_eq!(rows[0][1..], YEARS, "{found}");
}

#[test]
fn columns_of_years_are_named_by_a_legend_of_years() {
    let page = SITES.iter().enumerate().fold(Page::default(), |page, (c, site)| {
        let middle = 110.0 + 90.0 * c as f32;
        (0..2).fold(centred(page, middle, 341.0, site), |page, s| {
            let (side, long) = (middle - 22.0 + 22.0 * s as f32, 40.0 + 10.0 * (c + s) as f32);
            let page = fill(page, INKS[s], [side, 330.0 - long, side + 20.0, 330.0]);
            centred(page, side + 10.0, 328.0 - long, &format!("{}", 14 + 2 * c + s))
        })
    });
    let page = ["2023", "2024"].iter().enumerate().fold(page, |page, (s, year)| {
        let x = 60.0 + 70.0 * s as f32;
        fill(page, INKS[s], [x, 360.0, x + 6.0, 366.0]).text(x + 9.0, 366.0, SIZE, year)
    });
    let found = text(page);
    let rows = table(&found);
    assert_eq!(rows[0][1..], ["2023", "2024"], "{found}");
    for (c, site) in SITES.iter().enumerate() {
        let row = [(*site).to_owned(), (14 + 2 * c).to_string(), (15 + 2 * c).to_string()];
        assert!(rows.iter().any(|cells| *cells == row), "{row:?} is no row of\n{found}");
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

/// A bar of parts that are as wide as their shares of `total`, at `top`, each with its share in it.
fn of_parts(page: Page, top: f32, shares: &[u32]) -> Page {
    let mut left = 60.0;
    shares.iter().enumerate().fold(page, |page, (at, share)| {
        let right = left + *share as f32 * 4.0;
        let page = fill(page, INKS[at], [left, top, right, top + 20.0]);
        let page = centred(page, (left + right) / 2.0, top + 12.5, &format!("{share}%"));
        left = right;
        page
    })
}

#[test]
fn parts_of_a_bar_are_called_what_stands_below_them() {
    let page = of_parts(Page::default().bold(60.0, 124.0, 9.0, "Leases by kind"), 150.0, &[52, 31, 17]);
    let page = centred(centred(page, 164.0, 181.0, "Offices and"), 164.0, 189.0, "warehouses");
    let page = centred(centred(page, 330.0, 181.0, "Shops since 2020"), 426.0, 181.0, "None");
    let found = text(page.lines(60.0, 240.0, &["What follows is about the leases."]));
    let rows = table(&found);
    for row in [["Offices and warehouses", "52%"], ["Shops since 2020", "31%"], ["None", "17%"]] {
        assert!(rows.iter().any(|cells| cells.join(" ") == row.join(" ")), "{row:?} is no row of\n{found}");
    }
}

#[test]
fn parts_of_the_only_bar_of_their_colours_are_called_by_a_legend() {
    let named = |page: Page| legend(page, 3);
    let one = text(named(of_parts(Page::default(), 160.0, &[52, 31, 17])));
    assert!(table(&one).iter().any(|row| row.join(" ") == "Export 31%"), "{one}");
    // Two bars without names are of something that nobody tells.
    let two = text(named(of_parts(of_parts(Page::default(), 160.0, &[52, 31, 17]), 200.0, &[40, 40, 20])));
    assert!(!two.contains("| Export | 31%") && two.contains("31%"), "{two}");
}

#[test]
fn the_value_of_a_thin_part_of_a_column_stands_beside_it() {
    let values = [[60, 4, 50], [52, 5, 44]];
    let page = values.iter().enumerate().fold(legend(Page::default(), 3), |page, (c, row)| {
        let left = 90.0 + 90.0 * c as f32;
        let mut bottom = 330.0;
        let page = row.iter().enumerate().fold(page, |page, (s, value)| {
            let top = bottom - *value as f32;
            let middle = f32::midpoint(top, bottom) + 2.5;
            let page = fill(page, INKS[s], [left, top, left + 30.0, bottom]);
            bottom = top;
            let x = if *value < 10 { left + 38.0 } else { left + 15.0 };
            centred(page, x, middle, &value.to_string())
        });
        centred(page, left + 15.0, 341.0, YEARS[c])
    });
    let found = text(page);
    let rows = table(&found);
    for (s, name) in SERIES.iter().enumerate() {
        let row = [(*name).to_owned(), values[0][s].to_string(), values[1][s].to_string()];
        assert!(rows.iter().any(|cells| *cells == row), "{row:?} is no row of\n{found}");
    }
}
