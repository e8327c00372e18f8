//! Tables with known names, groups and values, written in every format: each value is stored under its names.
//!
//! A table is made at random. It has names of columns in one or two rows (years, dates, units, words, long ones),
//! labels, rows that head others, a row of units, and values with signs. The values read back are compared one by
//! one.

use crate::office::{NAMESPACES, archive};
use crate::read;
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use std::cell::{Cell as Count, RefCell};

/// A known table.
#[derive(Debug, Clone)]
struct Known {
    title: Option<String>,
    /// Names above others, with the columns that each speaks for.
    groups: Vec<(String, usize)>,
    names: Vec<String>,
    units: Option<Vec<String>>,
    corner: String,
    rows: Vec<Row>,
}

#[derive(Debug, Clone)]
struct Row {
    /// The name for it and the rows below, if it begins a block.
    band: Option<String>,
    label: String,
    values: Vec<String>,
}

/// A format that tables are written in.
struct Written {
    name: &'static str,
    write: fn(&Known) -> Vec<u8>,
}

const FORMATS: &[Written] = &[
    Written { name: "plain.html", write: |known| html(known, "td", false) },
    Written { name: "marked.html", write: |known| html(known, "th", false) },
    Written { name: "signs.html", write: |known| html(known, "td", true) },
    Written { name: "merged.xlsx", write: |known| xlsx(known, true) },
    Written { name: "plain.xlsx", write: |known| xlsx(known, false) },
    Written { name: "table.docx", write: docx },
    Written { name: "table.pptx", write: pptx },
];

/// Names of `count` different columns.
fn names(count: usize) -> impl Strategy<Value = Vec<String>> {
    let at = move |all: &[&str]| all.iter().take(count).map(|name| (*name).to_owned()).collect::<Vec<_>>();
    prop_oneof![
        Just(at(&["2024", "2023", "2022", "2021", "2020"])),
        Just(at(&["2024*", "2023*", "2022", "2021", "2020"])),
        Just(at(&["31.12.2024", "31.12.2023", "31.12.2022", "31.12.2021", "31.12.2020"])),
        Just(at(&["1H 2024", "1H 2023", "1H 2022", "1H 2021", "1H 2020"])),
        Just(at(&["FY23", "FY22", "FY21", "FY20", "FY19"])),
        Just(at(&["2024A", "2025E", "2026E", "2027E", "2028E"])),
        Just(at(&["2024 kt", "2023 kt", "2022 kt", "2021 kt", "2020 kt"])),
        Just(at(&["Plan", "Actual", "Change", "Target", "Limit"])),
        Just(at(&[
            "Approximate value of what may yet be bought under the plans or programmes that were announced in the year",
            "Average price that was paid",
            "Bought",
            "Sold",
            "Held",
        ])),
    ]
}

fn value() -> impl Strategy<Value = String> {
    prop_oneof![
        4 => (1_000..999_999_u32).prop_map(|n| format!("{},{:03}", n / 1_000, n % 1_000)),
        2 => (1..9_999_u32).prop_map(|n| format!("{}.{}", n / 10, n % 10)),
        1 => (1..999_u32).prop_map(|n| format!("({n})")),
        1 => (1..99_u32).prop_map(|n| format!("{n}%")),
        1 => Just("–".to_owned()),
    ]
}

prop_compose! {
    fn known()(count in 1..4_usize, parts in 1..3_usize)
        (inner in names(count), parts in Just(parts), height in 2..7_usize,
         values in prop::collection::vec(value(), 6 * 6 + 6),
         bands in prop::collection::vec(any::<bool>(), 7),
         corner in prop::sample::select(vec!["", "Site", "In millions of EUR"]),
         title in prop::option::of(Just("Use of water by site".to_owned())),
         units in prop::option::of(prop::sample::select(vec!["kt", "EUR million", "MWh"]))) -> Known
    {
        let years: Vec<&str> = if inner[0].starts_with(|c: char| c.is_ascii_digit()) || inner[0].starts_with("FY") {
            vec!["Products", "Services"]
        } else {
            vec!["2024", "2023"]
        };
        let groups = if parts > 1 && inner.len() > 1 {
            years.iter().map(|name| ((*name).to_owned(), inner.len())).collect()
        } else {
            Vec::new()
        };
        let names: Vec<String> = if groups.is_empty() { inner } else { [inner.clone(), inner].concat() };
        let width = names.len();
        let rows = (0..height).map(|row| Row {
            band: (bands[row] && bands[6] && row % 2 == 0).then(|| format!("Block {}", ["north", "south", "east", "west"][row / 2])),
            label: format!("{} {}", ["Mill", "Quay", "Yard", "Plant", "Depot", "Farm"][row], "of the group"),
            // The first row has a number, as a table without any has no values.
            values: (0..width).map(|column| match column {
                0 if row == 0 => "1,204".to_owned(),
                _ => values[row * 6 + column].clone(),
            }).collect(),
        });
        Known { title, groups, units: units.map(|unit| vec![unit.to_owned(); width]), corner: corner.to_owned(), rows: rows.collect(), names }
    }
}

impl Known {
    fn width(&self) -> usize {
        self.names.len()
    }

    /// What names a column, from the outermost down.
    fn path(&self, column: usize) -> Vec<&str> {
        let mut end = 0;
        let group = self.groups.iter().find(|(_, columns)| {
            end += columns;
            column < end
        });
        let group = group.map(|(name, _)| name.as_str());
        group
            .into_iter()
            .chain([self.names[column].as_str()])
            .chain(self.units.iter().map(|units| units[column].as_str()))
            .collect()
    }
}

/// How many values of `known` are in `text` under all their names, and their total.
fn under_their_names(known: &Known, text: &str) -> (u32, u32) {
    let cells = |line: &str| -> Vec<String> {
        let inner = line.trim().trim_start_matches('|').trim_end_matches('|');
        inner.split('|').map(|cell| cell.trim().to_owned()).collect()
    };
    let (mut header, mut band): (Vec<String>, Option<String>) = (Vec::new(), None);
    let mut found: Vec<(Option<String>, Vec<String>, Vec<String>)> = Vec::new();
    let lines: Vec<&str> = text.lines().collect();
    for (at, line) in lines.iter().enumerate().filter(|(_, line)| line.starts_with('|')) {
        if lines.get(at + 1).is_some_and(|next| next.starts_with("| ---")) {
            header = cells(line);
        } else if !line.starts_with("| ---") {
            let row = cells(line);
            if row[1..].iter().all(String::is_empty) {
                band = Some(row[0].clone());
            } else {
                found.push((band.clone(), header.clone(), row));
            }
        }
    }
    let (mut right, mut all, mut open) = (0_u32, 0_u32, None);
    for row in &known.rows {
        open = row.band.clone().or(open);
        let read = found.iter().find(|(_, _, cells)| cells[0] == row.label);
        for (column, value) in row.values.iter().enumerate() {
            all += 1;
            let Some((band, header, cells)) = read else { continue };
            let named = header.get(column + 1).is_some_and(|name| {
                known.path(column).iter().all(|part| name.contains(part))
                    && known.names.iter().all(|other| {
                        known.path(column).iter().any(|own| own.contains(other.as_str()))
                            || !name.contains(other.as_str())
                    })
            });
            let plain = |text: &str| text.replace(['$', ' '], "");
            let same = cells.get(column + 1).is_some_and(|cell| plain(cell) == plain(value))
                && cells.len() == known.width() + 1;
            right += u32::from(named && same && *band == open);
        }
    }
    (right, all)
}

fn html(known: &Known, mark: &str, signs: bool) -> Vec<u8> {
    // Of three columns of the page one of the table is made: a sign, the number, and what closes it.
    let wide = if signs { 3 } else { 1 };
    let span = |columns: usize| format!(" colspan=\"{}\"", columns * wide);
    let mut rows = String::new();
    let head = |cells: &[(String, usize)], corner: &str| {
        let cells: String = cells
            .iter()
            .map(|(text, columns)| format!("<{mark}{}>{text}</{mark}>", span(*columns)))
            .collect();
        format!("<tr><{mark}>{corner}</{mark}>{cells}</tr>")
    };
    if !known.groups.is_empty() {
        rows += &head(&known.groups, "");
    }
    let one = |names: &[String]| names.iter().map(|name| (name.clone(), 1)).collect::<Vec<_>>();
    rows += &head(&one(&known.names), &known.corner);
    if let Some(units) = &known.units {
        rows += &head(&one(units), "");
    }
    for row in &known.rows {
        if let Some(band) = &row.band {
            rows +=
                &format!("<tr><td>{band}</td>{}</tr>", format!("<td{}></td>", span(1)).repeat(known.width()));
        }
        let cells: String = row
            .values
            .iter()
            .map(|value| match value.strip_suffix('%') {
                _ if !signs => format!("<td>{value}</td>"),
                Some(number) => format!("<td colspan=2>{number}</td><td>%</td>"),
                None if value.starts_with(|c: char| c.is_ascii_digit()) => {
                    format!("<td>$</td><td>{value}</td><td></td>")
                }
                None => format!("<td colspan=2>{value}</td><td></td>"),
            })
            .collect();
        rows += &format!("<tr><td>{}</td>{cells}</tr>", row.label);
    }
    let title = known.title.as_ref().map(|title| format!("<p>{title}</p>")).unwrap_or_default();
    format!("<html><body>{title}<table>{rows}</table></body></html>").into_bytes()
}

/// Cells of a grid that may reach over others: text and columns; the rows of the table from the top.
fn grid(known: &Known) -> Vec<Vec<(String, usize)>> {
    let mut out = Vec::new();
    let row = |first: &str, rest: &[String]| {
        std::iter::once(first.to_owned())
            .chain(rest.iter().cloned())
            .map(|text| (text, 1))
            .collect::<Vec<_>>()
    };
    if !known.groups.is_empty() {
        out.push(std::iter::once((String::new(), 1)).chain(known.groups.iter().cloned()).collect());
    }
    out.push(row(&known.corner, &known.names));
    out.extend(known.units.iter().map(|units| row("", units)));
    for one in &known.rows {
        out.extend(one.band.iter().map(|band| row(band, &vec![String::new(); known.width()])));
        out.push(row(&one.label, &one.values));
    }
    out
}

fn xlsx(known: &Known, merged: bool) -> Vec<u8> {
    let mut text = String::new();
    let mut merges = String::new();
    let mut number = 0;
    if let Some(title) = &known.title {
        number += 1;
        text += &crate::sheet::row(number, &[crate::sheet::text_cell("A1", title)]);
    }
    for cells in grid(known) {
        number += 1;
        let mut column = 0;
        let mut written = Vec::new();
        for (text, columns) in cells {
            let name = |column: usize| char::from(b'A' + u8::try_from(column).unwrap());
            let at = format!("{}{number}", name(column));
            if !text.is_empty() {
                written.push(crate::sheet::text_cell(&at, &text));
            }
            if merged && columns > 1 {
                merges += &format!("<mergeCell ref=\"{at}:{}{number}\"/>", name(column + columns - 1));
            }
            column += columns;
        }
        text += &crate::sheet::row(number, &written);
    }
    let merges = if merges.is_empty() { String::new() } else { format!("<mergeCells>{merges}</mergeCells>") };
    crate::sheet::workbook(&[("Figures", "visible", &text, &merges)])
}

fn docx(known: &Known) -> Vec<u8> {
    let cell = |(text, columns): &(String, usize)| {
        format!(
            "<w:tc><w:tcPr><w:gridSpan w:val=\"{columns}\"/></w:tcPr><w:p><w:r><w:t>{text}</w:t></w:r></w:p></w:tc>"
        )
    };
    let rows: String = grid(known)
        .iter()
        .map(|row| format!("<w:tr>{}</w:tr>", row.iter().map(cell).collect::<String>()))
        .collect();
    let title = known
        .title
        .as_ref()
        .map(|title| format!("<w:p><w:r><w:t>{title}</w:t></w:r></w:p>"))
        .unwrap_or_default();
    archive(&[
        ("[Content_Types].xml", "<Types/>"),
        (
            "word/document.xml",
            &format!("<w:document {NAMESPACES}><w:body>{title}<w:tbl>{rows}</w:tbl></w:body></w:document>"),
        ),
    ])
}

fn pptx(known: &Known) -> Vec<u8> {
    let cell = |(text, columns): &(String, usize)| {
        let covered = "<a:tc hMerge=\"1\"><a:txBody/></a:tc>".repeat(columns - 1);
        format!(
            "<a:tc gridSpan=\"{columns}\"><a:txBody><a:p><a:r><a:t>{text}</a:t></a:r></a:p></a:txBody></a:tc>{covered}"
        )
    };
    let rows: String = grid(known)
        .iter()
        .map(|row| format!("<a:tr>{}</a:tr>", row.iter().map(cell).collect::<String>()))
        .collect();
    let frame = format!(
        "<p:graphicFrame><a:graphic><a:graphicData><a:tbl><a:tblPr firstRow=\"1\"/>{rows}</a:tbl></a:graphicData></a:graphic></p:graphicFrame>"
    );
    crate::pptx::made(&[(&frame, true, "")])
}

/// Share of the values under all their names, below which no format may fall.
const LEAST: f64 = 0.99;

#[test]
fn every_value_is_stored_under_its_names() {
    for format in FORMATS {
        let (right, all) = (Count::new(0_u32), Count::new(0_u32));
        let worst = RefCell::new(None);
        let mut runner =
            TestRunner::new(Config { cases: 200, failure_persistence: None, ..Config::default() });
        runner
            .run(&known(), |known| {
                let text = read(format.name, &(format.write)(&known)).text;
                let (here, of) = under_their_names(&known, &text);
                right.set(right.get() + here);
                all.set(all.get() + of);
                if here < of {
                    worst.borrow_mut().get_or_insert((known.clone(), text));
                }
                Ok(())
            })
            .unwrap();
        let share = f64::from(right.get()) / f64::from(all.get());
        println!("{}: {share:.4} of {} values under their names", format.name, all.get());
        if let Some((known, text)) = worst.into_inner().filter(|_| share < LEAST) {
            panic!("{}: {share:.4}, as in {known:#?}\n{text}", format.name);
        }
    }
}
