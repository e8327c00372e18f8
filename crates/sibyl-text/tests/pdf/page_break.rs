//! Paragraphs cut in the middle of a sentence by a page or a column are one, and every line is on its page.

use crate::read;
use crate::writer::{File, Page, width};
use sibyl_text::{BlockKind, Document, Span};

const FIRST: [&str; 3] = [
    "The board hears of climate risks in each quarter of the year and",
    "decides on them. It looks at floods, at heat and at the prices that",
    "carbon may have in the years to come, as each of the plants and its",
];
const REST: [&str; 2] = [
    "offices can be hit by one of them. Where it finds that a plant is",
    "not safe, it says what is to be done.",
];

fn paragraphs(document: &Document) -> Vec<&str> {
    document.blocks.iter().map(|block| block.span.of(&document.text)).collect()
}

fn on(document: &Document, page: u32) -> Vec<String> {
    document.blocks_on(page).into_iter().map(|placed| placed.text).collect()
}

fn whole() -> String {
    [FIRST.as_slice(), &REST].concat().join(" ")
}

#[test]
fn a_sentence_that_the_page_break_cuts_is_one() {
    let first = Page::default().lines(50.0, 700.0, &FIRST);
    let second =
        Page::default().lines(50.0, 60.0, &REST).lines(50.0, 110.0, &["Another paragraph begins here."]);
    let document = read(&File::default().page(first).page(second).bytes());
    assert_eq!(paragraphs(&document), [whole().as_str(), "Another paragraph begins here."]);
    assert_eq!(on(&document, 1), [FIRST.join(" ")]);
    assert_eq!(on(&document, 2), [REST.join(" "), "Another paragraph begins here.".to_owned()]);
    let cut = document.text.find("its offices").unwrap();
    assert_eq!(document.pages_of(Span::new(cut, cut + 11)), Some((1, 2)));
    assert_eq!(document.pages[1].span.start, cut + 4);
}

#[test]
fn a_word_that_the_page_break_cuts_is_one() {
    let first = Page::default().lines(
        50.0,
        700.0,
        &[FIRST[0], FIRST[1], "carbon may have in the years to come, as each of the plants can adap-"],
    );
    let second = Page::default().lines(
        50.0,
        60.0,
        &["tation of each plant is planned in the year that comes behind this."],
    );
    let document = read(&File::default().page(first).page(second).bytes());
    assert!(document.text.contains("can adaptation of each"), "{}", document.text);
    assert_eq!(document.pages[0].span.of(&document.text).split(' ').next_back(), Some("adap"));
}

#[test]
fn a_paragraph_that_ends_its_sentence_ends_with_the_page() {
    let ended = [FIRST[0], FIRST[1], "carbon may have in the years to come, as each of the plants knows."];
    let first = Page::default().lines(50.0, 700.0, &ended);
    let second = Page::default().lines(50.0, 60.0, &REST);
    let document = read(&File::default().page(first).page(second).bytes());
    assert_eq!(paragraphs(&document).len(), 2);
}

#[test]
fn a_label_is_no_half_of_a_sentence() {
    let first =
        Page::default().lines(50.0, 600.0, &FIRST[..2]).text(50.0, 700.0, 10.0, "Scope and performance");
    let second = Page::default().lines(50.0, 60.0, &REST);
    let document = read(&File::default().page(first).page(second).bytes());
    assert!(paragraphs(&document).contains(&"Scope and performance"), "{}", document.text);
}

#[test]
fn a_note_between_two_halves_stands_behind_them() {
    let note = "1 Prices of the year before, as the market had them.";
    let first = Page::default().lines(50.0, 680.0, &FIRST).text(50.0, 740.0, 7.0, note);
    let second =
        Page::default().lines(50.0, 60.0, &REST).lines(50.0, 110.0, &["Another paragraph begins here."]);
    let document = read(&File::default().page(first).page(second).bytes());
    assert_eq!(paragraphs(&document), [whole().as_str(), note, "Another paragraph begins here."]);
    assert_eq!(on(&document, 1), [FIRST.join(" "), note.to_owned()]);
    assert_eq!(on(&document, 2), [REST.join(" "), "Another paragraph begins here.".to_owned()]);
    let at = document.text.find(note).unwrap();
    assert_eq!(document.pages_of(Span::new(at, at + note.len())), Some((1, 1)));
}

#[test]
fn a_heading_at_the_head_of_the_page_keeps_its_paragraph() {
    let first = Page::default().lines(50.0, 700.0, &FIRST);
    let second = Page::default().bold(50.0, 60.0, 16.0, "What the board decides").lines(50.0, 90.0, &REST);
    let document = read(&File::default().page(first).page(second).bytes());
    let heading = document.text.find("What the board").unwrap();
    assert!(document.text[heading..].contains("offices can be hit"), "{}", document.text);
}

#[test]
fn a_box_beside_the_end_of_the_page_cuts_no_sentence() {
    let narrow = [
        "The board hears of climate risks in each",
        "quarter of the year and decides on them. It",
        "looks at floods, at heat and at the prices",
        "that carbon may have in the years to come,",
        "as each of the plants that it owns and its",
    ];
    let (left, right, top, bottom) = (330.0, 560.0, 680.0, 760.0);
    let page = Page::default().lines(50.0, 700.0, &narrow);
    let page = page.rule((left, top), (right, top)).rule((left, bottom), (right, bottom));
    let page = page.rule((left, top), (left, bottom)).rule((right, top), (right, bottom));
    let aside = [
        "Five goals stand for what the plants do in",
        "the next years, and all of them are checked.",
        "Some of them are met.",
    ];
    let first = page.lines(340.0, 700.0, &aside);
    let second = Page::default().lines(50.0, 60.0, &REST);
    let document = read(&File::default().page(first).page(second).bytes());
    let text = &document.text;
    assert!(text.contains("that it owns and its offices can be hit by one of them."), "{text}");
}

#[test]
fn a_name_at_the_head_of_a_column_continues_the_sentence_before_it() {
    let left = [
        "The museum keeps its old collections in three",
        "houses by the river. It plans for floods there,",
        "and for the heat of the summers to come. Each",
        "of the houses has a plan that goes with the",
    ];
    let right = [
        "Climate Action Plan of the year before, and",
        "both are looked at again each second year by",
        "the people who keep the houses. They write",
        "down what they find in them, room by room.",
    ];
    let page = Page::default().lines(50.0, 100.0, &left).lines(320.0, 100.0, &right);
    let document = read(&File::default().page(page).bytes());
    assert!(document.text.contains("goes with the Climate Action Plan"), "{}", document.text);
}

#[test]
fn large_ornaments_over_columns_leave_their_first_row_whole() {
    let left = [
        "The office sees that people know of climate risks",
        "and of what they can do in their own work. It has",
        "asked the school to write lessons for each of the",
        "groups of people that work for it, and plans to",
    ];
    let right = [
        "teach them in the year that comes, as soon as all",
        "of the lessons are written. The people who learn",
        "from them say what they can do with it, and those",
        "who teach them change what does not help at all.",
    ];
    let page = Page::default().text(258.0, 103.0, 33.0, "***");
    let page = page.lines(50.0, 112.0, &left).lines(286.0, 112.0, &right);
    let document = read(&File::default().page(page).bytes());
    let whole = [left, right].concat().join(" ");
    assert!(document.text.contains(&whole), "{}", document.text);
}

#[test]
fn a_bold_name_on_the_first_line_of_an_item_belongs_to_it() {
    let rest = [
        "Dependable transmission of data is what the",
        "work rests upon.",
        "Some of the houses stand where floods may",
    ];
    let page = Page::default().lines(50.0, 100.0, &["Two things are at risk where it gets too warm:"]);
    let page = page.text(70.0, 116.0, 10.0, "•").bold(88.0, 116.0, 10.0, "Data centres:");
    let page = page.lines(88.0, 128.0, &rest).lines(88.0, 164.0, &["come in the years that lie before us."]);
    let document = read(&File::default().page(page).bytes());
    let item = "- Data centres: Dependable transmission of data is what the work rests upon. Some of the houses stand where \
                floods may come in the years that lie before us.";
    assert!(paragraphs(&document).contains(&item), "{}", document.text);
    assert_eq!(document.blocks.iter().filter(|block| block.kind == BlockKind::Item).count(), 1);
}

#[test]
fn bold_words_in_the_middle_of_a_sentence_begin_no_paragraph() {
    let page = Page::default().text(50.0, 100.0, 10.0, "By the end of September in the year 2030,");
    let page = page.bold(50.0, 112.0, 10.0, "put in place all that was planned");
    let page = page.lines(50.0, 124.0, &["to account for the heat of the summers to come."]);
    let document = read(&File::default().page(page).bytes());
    assert_eq!(paragraphs(&document).len(), 1, "{}", document.text);
}

#[test]
fn text_that_grows_wider_below_a_box_to_its_left_is_one() {
    let beside = [
        "The office keeps what the people of the",
        "coast have left behind them, such as old",
        "houses, boats and the tools of the ones who",
        "built them, and the letters that they wrote,",
    ];
    let below =
        ["and is charged with keeping them safe from floods and from the heat of the summers to come."];
    let (left, right, top, bottom) = (45.0, 270.0, 90.0, 142.0);
    let page = Page::default().rule((left, top), (right, top)).rule((left, bottom), (right, bottom));
    let page = page.rule((left, top), (left, bottom)).rule((right, top), (right, bottom));
    let page = page.lines(
        55.0,
        104.0,
        &[
            "For a thousand years people have lived",
            "along the coast, and from what it gave",
            "to them in each of these years.",
        ],
    );
    let page = page.lines(290.0, 104.0, &beside).lines(50.0, 152.0, &below);
    let document = read(&File::default().page(page).bytes());
    assert!(document.text.contains("letters that they wrote, and is charged with"), "{}", document.text);
}

#[test]
fn a_number_in_brackets_that_wraps_within_a_sentence_is_no_item() {
    let lines = [
        "The office of research has a new division that has been set up to",
        "(1) support what the regions do, and (2) write down what they find.",
    ];
    let page = Page::default().text(70.0, 100.0, 10.0, "•").lines(88.0, 100.0, &lines);
    let page = page.text(70.0, 124.0, 10.0, "•").lines(88.0, 124.0, &["The office of law has none."]);
    let document = read(&File::default().page(page).bytes());
    assert!(document.text.contains("set up to (1) support what"), "{}", document.text);
    assert!(width(lines[0], 10.0) < width(lines[1], 10.0) + 10.0);
}

#[test]
fn a_number_in_brackets_behind_another_within_the_lines_is_no_item() {
    let lines = [
        "The people of the coast go four ways, and each of them has its own: (1) the law, (2) the",
        "church, (3) the school, and in the end",
        "(4) what they do at home. Each is shown in a room.",
    ];
    let document = read(&File::default().page(Page::default().lines(50.0, 100.0, &lines)).bytes());
    assert_eq!(paragraphs(&document), [lines.join(" ")]);
}

#[test]
fn a_name_at_the_head_of_a_page_continues_the_prose_before_it() {
    let start = "The office counts what it emits. It asks others as well, such as the North";
    let ends = ["Each of the plants reports its sums in the spring of a year to the board.", start];
    let rest = [
        "Sea Council, which has the sums of the ships that sail on it in summer.",
        "They are not checked by anyone.",
    ];
    let first = Page::default().lines(50.0, 700.0, &ends);
    let document = read(&File::default().page(first).page(Page::default().lines(50.0, 60.0, &rest)).bytes());
    assert!(document.text.contains("the North Sea Council, which"), "{}", document.text);
}

#[test]
fn the_rest_of_an_item_hangs_below_it_on_the_next_page() {
    let lines = [
        "The office of research helps the regions with their plans, and it helps the 20",
        "towns with theirs, as it did before, so that each of them knows of the 10",
    ];
    let first = Page::default().lines(50.0, 690.0, &["Two offices help with the plans:"]);
    let first = first.text(70.0, 706.0, 10.0, "•").lines(88.0, 706.0, &lines);
    let second = Page::default().lines(88.0, 60.0, &["EPA rules that count."]).lines(50.0, 90.0, &REST);
    let document = read(&File::default().page(first).page(second).bytes());
    assert!(document.text.contains("knows of the 10 EPA rules that count."), "{}", document.text);
}
