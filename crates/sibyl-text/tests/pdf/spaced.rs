//! Tables and lists of terms without any line, their rows parted by white space.

use crate::elements::rows;
use crate::writer::Page;
use crate::{in_order, text};

const INTRO: [&str; 2] = [
    "This statement covers the company with all of the plants and mines that it held at the end",
    "of the year, and nothing that it sold before.",
];

/// Cells of several lines, each beginning on the first line of its row.
type Cells = [&'static [&'static str]];

/// Adds rows of cells that begin at `xs`, the first at the height `top` and the others `space` below the longest cell
/// before.
fn add(page: Page, xs: &[f32], top: f32, space: f32, rows: &[&Cells]) -> Page {
    let mut y = top;
    rows.iter().fold(page, |page, cells| {
        let page = xs.iter().zip(*cells).fold(page, |page, (x, lines)| page.lines(*x, y, lines));
        y += 12.0 * (cells.iter().map(|cell| cell.len()).max().unwrap_or(1) - 1) as f32 + space;
        page
    })
}

/// The same rows as the reader returns them.
fn joined(rows: &[&Cells]) -> Vec<Vec<String>> {
    rows.iter().map(|cells| cells.iter().map(|lines| lines.join(" ")).collect()).collect()
}

const TERMS: [&Cells; 4] = [
    &[
        &["Operating profit"],
        &[
            "Profit before what is paid for loans, taxes and all that the board",
            "holds to be seldom in size or kind.",
        ],
    ],
    &[&["Leverage"], &["Net debt divided by the profit of operations."]],
    &[
        &["Net debt"],
        &[
            "All loans and what is owed for leases, less the cash and the deposits",
            "that banks of good standing hold.",
        ],
    ],
    &[&["Near miss"], &["An event that did no harm but might have."]],
];

#[test]
fn a_name_stays_with_what_stands_beside_it() {
    let rows_of_page: [&Cells; 4] = [
        &[&["Legal form"], &["Public limited company under the law of Belgium"]],
        &[&["Registered office"], &["Havenlaan 86, Brussels"]],
        &[&["Chair"], &["Margriet van Oosterzee"]],
        &[&["Auditor"], &["Lindqvist and Partners"]],
    ];
    let page = Page::default().lines(50.0, 60.0, &INTRO);
    let text = text(add(page, &[50.0, 190.0], 110.0, 21.0, &rows_of_page));
    let expected = joined(&rows_of_page);
    let read: Vec<Vec<&str>> =
        rows(&text).into_iter().filter(|row| row.iter().any(|cell| !cell.is_empty())).collect();
    assert_eq!(read, expected, "{text}");
    in_order(&text, &["nothing that it sold before.", "Legal form"]);
}

#[test]
fn a_term_stays_with_its_meaning() {
    let head: &Cells = &[&["Term"], &["Meaning"]];
    let all = [&[head], TERMS.as_slice()].concat();
    let page = Page::default().lines(50.0, 60.0, &INTRO);
    // Of the last two, only the term shows where one ends and the other begins.
    let page = add(page, &[50.0, 190.0], 110.0, 18.0, &all[..4]);
    let text = text(add(page, &[50.0, 190.0], 200.0, 12.0, &all[4..]));
    assert_eq!(rows(&text), joined(&all), "{text}");
}

const RISKS: [&Cells; 4] = [
    &[&["Risk"], &["What it may do to us"], &["What we do"], &["Trend"]],
    &[
        &["Drought in the", "south"],
        &["Rivers may fall so low that no", "ship reaches the plants for up", "to six weeks."],
        &["Stores hold ore for a month", "and trains stand ready."],
        &["Rising"],
    ],
    &[
        &["Fire"],
        &["A fire in a shaft may close the", "mine for half of a year."],
        &["Each shaft has a second way", "out and pumps of its own that", "are tested once a month."],
        &["Stable"],
    ],
    &[
        &["Price of ore"],
        &["Ore may be sold for less than it", "costs to bring it up."],
        &["A third of it is sold ahead."],
        &["Stable"],
    ],
];

#[test]
fn rows_of_texts_that_white_space_parts_are_those_of_a_table() {
    let page = Page::default().lines(50.0, 60.0, &INTRO);
    let page = add(page, &[50.0, 140.0, 310.0, 470.0], 110.0, 18.0, &RISKS);
    let text = text(page.lines(50.0, 280.0, &INTRO));
    assert_eq!(rows(&text), joined(&RISKS), "{text}");
}

#[test]
fn columns_of_text_with_titles_at_one_height_stay_columns() {
    let titled = |page: Page, x: f32, titles: [&str; 3], texts: [[&str; 3]; 3]| {
        titles.iter().zip(texts).enumerate().fold(page, |page, (i, (title, lines))| {
            let y = 100.0 + 54.0 * i as f32;
            page.bold(x, y, 10.0, title).lines(x, y + 12.0, &lines)
        })
    };
    let page = titled(
        Page::default(),
        50.0,
        ["Water", "Waste", "Air"],
        [
            ["The plants take their water from", "rivers and give it back as clean", "as it was before."],
            [
                "What is left of the ore is kept",
                "behind walls that engineers from",
                "outside test each year.",
            ],
            ["Filters hold back the dust of the", "furnaces, and what they hold goes", "back into the ore."],
        ],
    );
    let page = titled(
        page,
        320.0,
        ["Soil", "Noise", "Light"],
        [
            [
                "Where a mine has come to its end",
                "the ground is filled and sown with",
                "the grass of the place.",
            ],
            ["Trains do not run at night, and the", "shafts are blown by fans that can", "hardly be heard."],
            ["Lamps are turned to the ground so", "that birds and those who live near", "are not disturbed."],
        ],
    );
    let text = text(page);
    in_order(
        &text,
        &[
            "Water",
            "rivers and give it back as clean as it was before.",
            "Waste",
            "Air",
            "Filters hold back the dust of the furnaces, and what they hold goes back into the ore.",
            "Soil",
            "Noise",
            "Light",
            "are not disturbed.",
        ],
    );
    assert!(!text.contains('|'), "{text}");
}

#[test]
fn facts_in_lines_as_close_as_those_of_a_text_are_read_row_by_row() {
    let facts: [&Cells; 5] = [
        &[&["Founded"], &["1948"]],
        &[&["Seat"], &["Bergen"]],
        &[&["Chair"], &["Lucia Moretti"]],
        &[&["Legal form"], &["Registered association"]],
        &[&["Members"], &["836"]],
    ];
    let page = add(Page::default().lines(50.0, 100.0, &INTRO), &[50.0, 150.0], 140.0, 12.0, &facts);
    let text = text(page);
    // A table of facts has no names of columns.
    assert_eq!(rows(&text)[0], ["", ""], "{text}");
    assert_eq!(rows(&text)[1..], joined(&facts), "{text}");
}

#[test]
fn names_side_by_side_without_any_number_are_lists() {
    let names: [&Cells; 5] = [
        &[&["Bergen"], &["Leuven"]],
        &[&["Cork"], &["Lyon"]],
        &[&["Dresden"], &["Malmö"]],
        &[&["Gent"], &["Porto"]],
        &[&["Kielce"], &["Turin"]],
    ];
    let text = text(add(Page::default().lines(50.0, 100.0, &INTRO), &[50.0, 150.0], 140.0, 12.0, &names));
    in_order(&text, &["Bergen", "Cork", "Dresden", "Gent", "Kielce", "Leuven", "Lyon"]);
}
