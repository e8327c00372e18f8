//! Bands of a page: content above or below columns that is set in columns of other widths or in none.

use crate::writer::Page;
use crate::{in_order, text};

/// Columns of text in which each sentence continues in the next column.
const FIRST: [&str; 4] = [
    "The company counts what it emits",
    "in its own plants and in power that",
    "it buys. It follows the standard of",
    "most of its peers and has the sums",
];
const SECOND: [&str; 4] = [
    "of each year checked by an auditor",
    "from outside. Where a sum was not",
    "right it is said again in the year",
    "that follows. What others emit for",
];
const THIRD: [&str; 4] = [
    "it is counted in the same way as",
    "long as they tell of it. Where they",
    "do not it is guessed from what was",
    "paid. Such guesses are shown apart.",
];
const WHOLE: [&str; 3] = [
    "has the sums of each year checked by an auditor from outside.",
    "What others emit for it is counted in the same way as long as they tell of it.",
    "Such guesses are shown apart.",
];
const WIDE: [&str; 3] = [
    "Suppliers are asked for their numbers once a year.",
    "Where they have none, the company works with the",
    "averages of their trade and tells how many these",
];
const WIDE_NEXT: [&str; 3] = [
    "were. It says so where it does, and how much of the",
    "whole rests upon averages, so that any reader can",
    "judge what such sums are worth to a lender of money.",
];
const WIDE_WHOLE: [&str; 3] = [
    "Suppliers are asked for their numbers once a year.",
    "averages of their trade and tells how many these were.",
    "judge what such sums are worth to a lender of money.",
];

fn three_columns(page: Page, top: f32) -> Page {
    page.lines(50.0, top, &FIRST).lines(230.0, top, &SECOND).lines(410.0, top, &THIRD)
}

fn two_columns(page: Page, top: f32) -> Page {
    page.lines(50.0, top, &WIDE).lines(320.0, top, &WIDE_NEXT)
}

#[test]
fn columns_of_another_width_are_a_band_of_their_own() {
    let narrow: [&[&str]; 4] = [
        &["Plants are counted by", "what they burn and not", "by their size. What such"],
        &["plants are made of does", "not matter here. Each of", "them has a meter that"],
        &["is read once a month", "by two people who sign", "for it. The sums of"],
        &["all plants are told to", "the board, which asks", "what they will be then."],
    ];
    let page = narrow
        .iter()
        .enumerate()
        .fold(Page::default(), |page, (at, lines)| page.lines(50.0 + 135.0 * at as f32, 100.0, lines));
    let text = text(two_columns(page, 147.0));
    let parts = [
        "What such plants are made of",
        "Each of them has a meter that is read once",
        "what they will be then.",
    ];
    in_order(&text, &[parts, WIDE_WHOLE].concat());
}

#[test]
fn columns_that_all_begin_anew_below_a_gap_are_a_band_of_their_own() {
    let page = three_columns(Page::default(), 100.0)
        .lines(50.0, 158.0, &["Plants are counted by what they", "burn and not by their size. What"])
        .lines(230.0, 158.0, &["such plants are made of does not", "matter here. Each of them has a"])
        .lines(410.0, 158.0, &["meter that is read once a month", "by two people who sign for it."]);
    let parts = ["What such plants are made of", "Each of them has a meter that is read once a month"];
    in_order(&text(page), &[WHOLE.as_slice(), &parts].concat());
}

/// Paragraphs in three columns: two in each, ending at the same heights as those beside them.
const PAIRS: [[[&str; 3]; 2]; 3] = [
    [
        ["Women hold a third of the posts", "with staff to lead, and each year", "there are a few more."],
        ["All plants now send what they use", "each month, so that no one has to", "ask for it by letter."],
    ],
    [
        ["The board looked at floods in the", "north and had the dyke of the port", "built up by a metre."],
        ["Two ovens were put out, as those", "that are left can take on all that", "was melted in them."],
    ],
    [
        [
            "Those who buy the metal asked for",
            "less around it, and now it goes out",
            "in crates that return.",
        ],
        ["The fund for pensions buys no part", "of a firm that digs for coal, which", "its members wished."],
    ],
];

#[test]
fn a_blank_line_at_one_height_in_all_columns_ends_none_of_them() {
    let page = PAIRS.iter().enumerate().fold(Page::default(), |page, (column, paragraphs)| {
        let x = 50.0 + 180.0 * column as f32;
        page.lines(x, 100.0, &paragraphs[0]).lines(x, 148.0, &paragraphs[1])
    });
    let parts: Vec<String> = PAIRS.iter().flatten().map(|lines| lines.join(" ")).collect();
    in_order(&text(page), &parts.iter().map(String::as_str).collect::<Vec<_>>());
}

#[test]
fn more_than_a_blank_line_in_all_columns_ends_them() {
    let page = PAIRS.iter().enumerate().fold(Page::default(), |page, (column, paragraphs)| {
        let x = 50.0 + 180.0 * column as f32;
        page.lines(x, 100.0, &paragraphs[0]).lines(x, 156.0, &paragraphs[1])
    });
    let parts = (0..2).flat_map(|row| PAIRS.iter().map(move |column| column[row].join(" ")));
    let parts: Vec<String> = parts.collect();
    in_order(&text(page), &parts.iter().map(String::as_str).collect::<Vec<_>>());
}

#[test]
fn the_room_around_a_quotation_ends_no_column_beside_it() {
    let [first, second, third] = PAIRS;
    let page = Page::default()
        .lines(50.0, 100.0, &first[0])
        .lines(50.0, 136.0, &first[1])
        .lines(50.0, 172.0, &second[1])
        .lines(230.0, 100.0, &second[0])
        .text(230.0, 158.0, 13.0, "A river does not care")
        .text(230.0, 182.0, 13.0, "about the year.")
        .lines(230.0, 214.0, &third[1])
        .lines(410.0, 100.0, &third[0]);
    let whole = |lines: [&str; 3]| lines.join(" ");
    let parts = [whole(second[1]), whole(second[0]), whole(third[1]), whole(third[0])];
    let text = text(page);
    in_order(&text, &parts.iter().map(String::as_str).collect::<Vec<_>>());
    in_order(&text, &[&parts[1], "A river does not care about the year.", &parts[2]]);
}

#[test]
fn the_last_line_of_one_cell_above_columns_is_no_column() {
    let rows: [[&[&str]; 3]; 4] = [
        [&["Topic"], &["What was done"], &["What follows"]],
        [
            &["Power"],
            &["Two plants were joined to a farm of", "wind mills by the end of the year."],
            &["All plants are to follow before", "the end of the next five years."],
        ],
        [
            &["Water"],
            &["The sites in dry places have met and", "agreed on what each of them may use."],
            &["Meters are to tell what is used", "in each hall and in each hour."],
        ],
        [
            &["Waste"],
            &["Less was brought away than in any", "of the years before, as scrap goes", "back."],
            &["Scrap of suppliers is to go back", "into the same ovens from now."],
        ],
    ];
    let mut page = Page::default();
    let mut y = 100.0;
    for [name, second, third] in rows {
        page = page.lines(50.0, y, name).lines(170.0, y, second).lines(380.0, y, third);
        y += 12.0 * second.len() as f32 + 11.0;
    }
    let text = text(two_columns(page, y + 4.0));
    let row = "| Waste | Less was brought away than in any of the years before, as scrap goes back. |";
    in_order(&text, &[[row].as_slice(), &WIDE_WHOLE].concat());
}

#[test]
fn the_numbers_of_two_pages_on_one_sheet_are_no_text() {
    let page = three_columns(Page::default().wide(), 100.0)
        .text(50.0, 780.0, 8.0, "12")
        .lines(650.0, 100.0, &WIDE)
        .lines(920.0, 100.0, &WIDE_NEXT)
        .text(1150.0, 780.0, 8.0, "13");
    let text = text(page);
    in_order(&text, &[WHOLE, WIDE_WHOLE].concat());
    assert!(!text.contains("12") && !text.contains("13"), "{text}");
}

#[test]
fn text_beside_a_box_that_reaches_over_the_gutter_is_no_part_of_the_columns_below() {
    let aside = [
        "Ovens run in",
        "three shifts",
        "and are fed",
        "with scrap of",
        "the town, the",
        "price of which",
        "rose in spring.",
    ];
    let page = Page::default()
        .raw("50 616 400 94 re S")
        .lines(
            60.0,
            110.0,
            &[
                "What the board asked of all plants in this year is told here,",
                "with the sums.",
                "Each plant has to answer by the end of June and names one person.",
            ],
        )
        .lines(470.0, 100.0, &aside);
    let text = text(two_columns(page, 200.0));
    assert!(text.contains(&aside.join(" ")), "{text}");
    in_order(&text, &WIDE_WHOLE);
}
