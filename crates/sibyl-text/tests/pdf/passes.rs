//! What each pass leaves of a page: what a person looks at who wants to know why a page was read as it was.

use crate::read;
use crate::writer::{File, Page};
use sibyl_text::BlockKind;
use sibyl_text::format::pdf::{PassStep, Shown, passes};
use std::path::PathBuf;

fn fixture(file: &str) -> Vec<u8> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../tests/fixtures");
    std::fs::read(folder.join(file)).expect("a fixture")
}

fn words(text: &str) -> Vec<&str> {
    text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect()
}

/// The steps of the first pages of reports laid out without tags and with them.
fn steps() -> Vec<PassStep> {
    let pages = [
        ("designed/three-columns.pdf", 1),
        ("designed/mcc-2021-cap-pages.pdf", 1),
        ("designed/smithsonian-2022-cap-pages.pdf", 2),
        ("pdf/treasury-2022-sustainability-plan.pdf", 4),
    ];
    pages.into_iter().flat_map(|(file, page)| passes(&fixture(file), &[], page)).collect()
}

#[test]
fn the_last_pass_leaves_what_the_document_says_of_the_page() {
    for page in 1..=2 {
        let bytes = fixture("designed/mcc-2021-cap-pages.pdf");
        let document = read(&bytes);
        let steps = passes(&bytes, &[], page);
        let last = steps.last().expect("a page has been read");
        let blocks = document.blocks_on(page);
        assert_eq!(last.shows.len(), blocks.len(), "{:#?}", last.shows);
        for (shown, placed) in last.shows.iter().zip(&blocks) {
            let kind = match placed.block.kind {
                BlockKind::Heading(_) => "heading",
                BlockKind::Item => "item",
                BlockKind::Table { .. } => "table",
                BlockKind::Figure => "figure",
                BlockKind::KeyFigure => "key figure",
                BlockKind::Contents => "contents",
                _ => "paragraph",
            };
            assert!(shown.kind.starts_with(kind), "{shown:?} is {placed:?}");
            let first = words(&shown.text).into_iter().next().unwrap_or_default();
            assert!(placed.text.contains(first), "{shown:?} is {placed:?}");
        }
    }
}

#[test]
fn a_pass_that_changed_nothing_shows_what_the_one_before_it_showed() {
    let steps = passes(&fixture("designed/three-columns.pdf"), &[], 1);
    let whole: Vec<&PassStep> = steps.iter().filter(|step| step.part.is_empty()).collect();
    for pair in whole.windows(2) {
        assert_eq!(pair[1].changed, pair[0].shows != pair[1].shows, "{}", pair[1].pass);
    }
    assert!(whole.iter().any(|step| step.changed) && whole.iter().any(|step| !step.changed));
}

#[test]
fn one_reading_of_a_place_is_taken_and_none_costs_less() {
    let mut decided = 0;
    for decision in steps().iter().flat_map(|step| &step.decisions) {
        let taken: Vec<_> = decision.hypotheses.iter().filter(|one| one.taken).collect();
        let [taken] = taken.as_slice() else { panic!("one is taken of {decision:?}") };
        assert!(decision.hypotheses.iter().all(|one| taken.cost <= one.cost), "{decision:?}");
        decided += 1;
    }
    assert!(decided > 0, "nothing was decided");
}

#[test]
fn what_stands_on_the_page_stands_within_it_after_every_pass() {
    for step in steps() {
        let outside = |shown: &&Shown| {
            let [left, top, right, bottom] = shown.rect;
            left > right || top > bottom || right < 0.0 || bottom < 0.0 || left > 1000.0 || top > 1000.0
        };
        assert_eq!(step.shows.iter().find(outside), None, "{}", step.pass);
    }
}

#[test]
fn columns_in_a_frame_are_no_table_since_that_tears_their_sentence() {
    let left = [
        "The board hears of the risks that come with",
        "a warmer climate twice in each year, and it",
        "asks the committee for risks to prepare what",
        "it is to decide, which the committee has done",
        "since the year before with the help of some",
    ];
    let right = [
        "people from outside of the company. They are",
        "paid by the hour and report to the chair. All",
        "of what they say is kept for at least a year",
        "so that what was decided can be looked up by",
        "anyone who has to know why it was decided so.",
    ];
    let page = Page::default().lines(50.0, 100.0, &left).lines(310.0, 100.0, &right);
    let page = [85.0, 165.0].into_iter().fold(page, |page, y| page.rule((45.0, y), (560.0, y)));
    let page = [45.0, 300.0, 560.0].into_iter().fold(page, |page, x| page.rule((x, 85.0), (x, 165.0)));
    let steps = passes(&File::default().page(page).bytes(), &[], 1);
    let mut readings =
        steps.iter().flat_map(|step| &step.decisions).flat_map(|decision| &decision.hypotheses);
    let table = readings.find(|one| one.reading == "table").expect("a table was thought of");
    assert!(!table.taken && table.cost.torn > 0, "{table:?}");
}

#[test]
fn a_page_that_is_not_there_leaves_nothing_to_look_at() {
    assert!(passes(&fixture("designed/three-columns.pdf"), &[], 9).is_empty());
    assert!(passes(&fixture("designed/three-columns.pdf"), &[], 0).is_empty());
    assert!(passes(b"%PDF-1.7 and no more", &[], 1).is_empty());
}
