//! Content among the columns of a text that is no part of it: quotations, key figures, pictures with captions.

use crate::read;
use crate::writer::{File, Page, width};

const LEFT: f32 = 50.0;
const RIGHT: f32 = 310.0;

/// Lines of text that fill a column; only the last ends a sentence.
const OPENING: [&str; 4] = [
    "The company counts what it emits in its own plants",
    "and vehicles and in the power that it buys from all",
    "others. It follows the standard that most of its own",
    "peers use as well and has the sums of every year",
];
const MIDDLE: [&str; 4] = [
    "checked by an auditor from outside who knows such",
    "plants. Where sums were wrong they are said again",
    "in the year that follows, with a reason for each of",
    "them. What others emit for it is counted in the same",
];
const CLOSING: [&str; 4] = [
    "way as long as they tell of it, and is guessed from",
    "what was paid where they do not. The guess is the",
    "weaker of the two and is shown apart from what was",
    "told, so that nobody takes the one for the other one.",
];
const WHOLE: [&str; 4] = [
    "It follows the standard that most of its own peers use as well and has the sums of every year checked by an auditor",
    "Where sums were wrong they are said again in the year that follows, with a reason for each of them.",
    "What others emit for it is counted in the same way as long as they tell of it, and is guessed from what was paid",
    "The guess is the weaker of the two and is shown apart from what was told, so that nobody takes the one for the other",
];

fn check(page: Page) -> String {
    let text = read(&File::default().page(page).bytes()).text;
    let places: Vec<usize> = WHOLE
        .iter()
        .map(|part| text.find(part).unwrap_or_else(|| panic!("{part} is torn in {text}")))
        .collect();
    assert!(places.is_sorted(), "{text}");
    text
}

#[test]
fn a_sentence_goes_on_in_the_next_column_past_a_quotation_that_ends_the_first() {
    let page = Page::default()
        .lines(LEFT, 100.0, &OPENING)
        .bold(LEFT, 170.0, 16.0, "What is not counted")
        .bold(LEFT, 190.0, 16.0, "is not cut.")
        .lines(RIGHT, 100.0, &MIDDLE)
        .lines(RIGHT, 148.0, &CLOSING);
    assert!(check(page).contains("What is not counted is not cut."));
}

#[test]
fn a_sentence_goes_on_below_a_quotation_that_heads_the_next_column() {
    let page = Page::default()
        .lines(LEFT, 100.0, &OPENING)
        .lines(RIGHT, 150.0, &MIDDLE)
        .lines(RIGHT, 198.0, &CLOSING)
        .bold(RIGHT, 104.0, 16.0, "What is not counted")
        .bold(RIGHT, 124.0, 16.0, "is not cut.");
    assert!(check(page).contains("What is not counted is not cut."));
}

#[test]
fn quotations_side_by_side_part_no_bands_of_the_page() {
    let quote = |page: Page, x: f32| {
        page.bold(x, 144.0, 16.0, "What is not counted is").bold(x, 164.0, 16.0, "not cut.")
    };
    let page = Page::default()
        .lines(LEFT, 100.0, &OPENING[..2])
        .lines(LEFT, 192.0, &OPENING[2..])
        .lines(LEFT, 216.0, &MIDDLE)
        .lines(RIGHT, 100.0, &CLOSING[..2])
        .lines(RIGHT, 192.0, &CLOSING[2..]);
    check(quote(quote(page, LEFT), RIGHT));
}

#[test]
fn key_figures_that_stand_side_by_side_by_chance_are_no_row() {
    let figure = |page: Page, x: f32, number: &str| {
        page.bold(x, 160.0, 20.0, number).text(x, 174.0, 10.0, "Tonnes of waste")
    };
    let left = [
        "The board hears of waste each quarter and decides",
        "on what is done with it in the next one.",
        "It met twice.",
    ];
    let right = [
        "is sorted by hand at each of the plants, and what is",
        "left of it goes to others who burn it.",
        "Little is.",
    ];
    let page = Page::default()
        .lines(LEFT, 100.0, &left)
        .lines(LEFT, 200.0, &["Plants tell of it every month. What they throw away"])
        .lines(RIGHT, 100.0, &right)
        .lines(RIGHT, 200.0, &["Burning is counted as what others emit for the plant."]);
    let text =
        read(&File::default().page(figure(figure(page, LEFT, "12 million"), RIGHT, "34 million")).bytes())
            .text;
    let parts = [
        "It met twice.",
        "12 million Tonnes of waste",
        "What they throw away is sorted by hand",
        "Little is.",
        "34 million Tonnes of waste",
        "Burning is counted",
    ];
    let places: Vec<Option<usize>> = parts.iter().map(|part| text.find(part)).collect();
    assert!(places.iter().all(Option::is_some) && places.is_sorted(), "{text}");
}

#[test]
fn a_big_number_beside_the_line_of_another_column_is_no_part_of_it() {
    let page = Page::default()
        .lines(LEFT, 100.0, &OPENING)
        .lines(LEFT, 148.0, &MIDDLE)
        .bold(RIGHT - 18.0, 118.0, 20.0, "340 million")
        .text(RIGHT - 18.0, 134.0, 10.0, "Tonnes of waste")
        .lines(RIGHT - 18.0, 160.0, &CLOSING);
    let text = check(page);
    assert!(text.contains("340 million Tonnes of waste"), "{text}");
}

#[test]
fn a_picture_in_a_column_parts_no_bands_of_the_page() {
    let picture = |page: Page, x: f32, top: f32, bottom: f32| {
        page.raw(&format!("q 0.8 g {x} {} 230 {} re f Q", 800.0 - bottom, bottom - top))
    };
    let page = Page::default()
        .lines(LEFT, 100.0, &OPENING)
        .text(LEFT, 242.0, 8.0, "The plant at the river, seen from the south.")
        .lines(LEFT, 260.0, &MIDDLE)
        .lines(RIGHT, 100.0, &CLOSING[..2])
        .text(RIGHT, 242.0, 8.0, "The plant at the lake, seen from the north.")
        .lines(RIGHT, 260.0, &CLOSING[2..]);
    check(picture(picture(page, LEFT, 150.0, 232.0), RIGHT, 126.0, 232.0));
}

#[test]
fn key_figures_side_by_side_in_columns_part_no_bands_of_the_page() {
    let figure = |page: Page, left: f32, number: &str, label: &str| {
        page.bold(left, 145.0, 24.0, number).text(left, 159.0, 9.0, label)
    };
    let page = Page::default()
        .lines(LEFT, 100.0, &OPENING[..2])
        .lines(LEFT, 183.0, &OPENING[2..])
        .lines(RIGHT, 100.0, &MIDDLE[..2])
        .lines(RIGHT, 183.0, &[MIDDLE[2], MIDDLE[3], CLOSING[0], CLOSING[1], CLOSING[2], CLOSING[3]]);
    let page = figure(figure(page, LEFT, "42 %", "less than before"), RIGHT, "17 %", "of all power");
    assert!(check(page).contains("42 % less than before"));
}

#[test]
fn a_credit_at_the_right_edge_is_no_part_of_the_text_above_it() {
    let text = [
        "The shore is kept by reefs and by dunes, which grow with the",
        "sea where walls do not and which cost less than these, so it",
        "is safer and the people of the coast have more from the sea.",
    ];
    let credit = "Picture: M. Conti";
    let right = text.iter().map(|line| width(line, 10.0)).fold(0.0, f32::max);
    let page = Page::default().lines(LEFT, 100.0, &text).text(
        LEFT + right - width(credit, 10.0),
        136.0,
        10.0,
        credit,
    );
    let document = read(&File::default().page(page).bytes());
    assert_eq!(document.text.trim(), format!("{}\n\n{credit}", text.join(" ")));
}

#[test]
fn the_raised_end_of_an_ordinal_stays_with_its_number() {
    let start = "Above the middle are those over the 25";
    let mark = LEFT + width(start, 10.0);
    let after = mark + width("th", 5.5);
    let page = Page::default()
        .text(LEFT, 100.0, 10.0, "The agencies are ranked by what they have saved.")
        .text(LEFT, 112.0, 10.0, start)
        .text(mark, 112.0 - 6.3, 5.5, "th")
        .text(after, 112.0, 10.0, ", but not over the next.");
    let text = read(&File::default().page(page).bytes()).text;
    assert!(text.contains("over the 25th, but not over the next."), "{text}");
}
