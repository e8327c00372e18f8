//! Page furniture that changes from page to page: marked tabs, names of chapters, turned tabs at the side.

use crate::read;
use crate::writer::{File, Page, width};
use sibyl_text::Document;

const TABS: [&str; 4] = ["Governance", "Strategy", "Metrics", "Targets"];

/// Text that no other page has, which mentions a tab by its name.
fn body(page: Page, number: usize) -> Page {
    let lines = [
        format!("On page {number} the board tells what it hears of risk {number} and"),
        format!("how often. It meets {} times, as the charter has it.", number + 3),
    ];
    let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
    page.bold(50.0, 200.0 + 11.0 * number as f32, 16.0, &format!("Part {number} of the whole")).lines(
        50.0,
        230.0 + 11.0 * number as f32,
        &lines,
    )
}

fn document(furniture: impl Fn(Page, usize) -> Page) -> Document {
    read(
        &(1..=8)
            .fold(File::default(), |file, number| file.page(furniture(body(Page::default(), number), number)))
            .bytes(),
    )
}

fn check(document: &Document) {
    for name in TABS {
        assert!(!document.text.contains(name), "{name} in {}", document.text);
        assert!(!document.text.contains(&name.to_uppercase()), "{name} in {}", document.text);
    }
    assert_eq!(document.text.matches("as the charter has it").count(), 8);
    assert_eq!(document.sections.len(), 8, "{}", document.text);
}

#[test]
fn a_navigation_bar_goes_with_its_marked_tab() {
    // The tab of the current page is larger and in capitals.
    let document = document(|page, number| {
        TABS.iter().enumerate().fold(page, |page, (i, tab)| {
            let x = 60.0 + 120.0 * i as f32;
            match (number - 1) / 2 == i {
                true => page.bold(x, 40.0, 11.0, &tab.to_uppercase()),
                false => page.text(x, 40.0, 8.0, tab),
            }
        })
    });
    check(&document);
}

#[test]
fn the_name_of_the_chapter_goes_even_where_a_chapter_has_one_page() {
    // Three chapters of two or three pages and one of a single page.
    let document =
        document(|page, number| page.text(60.0, 40.0, 8.0, TABS[[0, 0, 0, 1, 1, 1, 2, 3][number - 1]]));
    check(&document);
}

#[test]
fn the_name_of_the_section_goes_where_left_pages_have_that_of_the_report() {
    // Pages are 600 points wide. Each section has two pages, and the right one names it.
    let document = document(|page, number| match number % 2 {
        0 => page.text(60.0, 40.0, 8.0, "Climate report"),
        _ => {
            let name = TABS[(number - 1) / 2];
            page.text(540.0 - width(name, 8.0), 40.0, 8.0, name)
        }
    });
    check(&document);
    assert!(!document.text.contains("Climate report"));
}

#[test]
fn the_number_of_a_page_that_lies_across_goes_with_the_others() {
    let document = document(|page, number| match number {
        5 => page.wide().text(598.0, 700.0, 8.0, "25"),
        _ => page.text(298.0, 770.0, 8.0, &format!("{}", number + 20)),
    });
    assert!(!document.text.contains("25"), "{}", document.text);
    check(&document);
}

#[test]
fn turned_tabs_at_the_side_go() {
    let document = document(|page, _| {
        TABS.iter().enumerate().fold(page, |page, (i, tab)| {
            page.raw(&format!("BT /F1 8 Tf 0 1 -1 0 585 {} Tm ({tab}) Tj ET", 650 - 130 * i))
        })
    });
    check(&document);
}

#[test]
fn text_that_begins_at_the_top_of_single_pages_stays() {
    let document = document(|page, number| match number % 3 {
        0 => page.text(60.0, 40.0, 10.0, &format!("Where the {number}th rule stands, others follow it.")),
        _ => page.text(60.0, 40.0, 8.0, "Climate report"),
    });
    assert_eq!(document.text.matches("rule stands, others").count(), 2, "{}", document.text);
    assert!(!document.text.contains("Climate report"));
}

/// How many pages have `words`, and the first of them.
fn said(document: &Document, words: &str) -> (usize, Option<u32>) {
    let first = document.pages.iter().find(|page| page.span.of(&document.text).contains(words));
    (document.text.matches(words).count(), first.map(|page| page.number))
}

#[test]
fn a_title_that_runs_on_in_large_letters_is_text_where_it_is_said_first() {
    let document = document(|page, number| {
        let page =
            page.text(60.0, 40.0, 22.0, "Climate adaptation plan").text(60.0, 780.0, 8.0, "Example plc");
        page.bold(60.0, 70.0, 24.0, if number < 5 { "Highlights" } else { "Progress so far" })
    });
    assert_eq!(said(&document, "Climate adaptation plan"), (1, Some(1)));
    assert_eq!(said(&document, "Highlights"), (1, Some(1)));
    assert_eq!(said(&document, "Progress so far"), (1, Some(5)));
    assert_eq!(said(&document, "Example plc"), (0, None));
}

#[test]
fn a_running_title_that_a_page_before_says_as_large_is_no_text() {
    let pages = (1..=8).fold(File::default(), |file, number| match number {
        1 => file.page(Page::default().bold(60.0, 400.0, 30.0, "Climate adaptation plan")),
        _ => file.page(body(Page::default(), number).text(60.0, 40.0, 14.0, "Climate adaptation plan")),
    });
    assert_eq!(said(&read(&pages.bytes()), "Climate adaptation plan"), (1, Some(1)));
}

#[test]
fn page_numbers_go_where_the_file_marks_only_those_of_other_pages() {
    let document = document(|page, number| match number {
        3 | 6 => page.text(300.0, 780.0, 9.0, &format!("{}", number + 70)),
        _ => page.raw(&format!(
            "/Artifact << /Type /Pagination >> BDC BT /F1 9 Tf 1 0 0 1 300 20 Tm ({}) Tj ET EMC",
            number + 70
        )),
    });
    for number in [73, 76] {
        assert_eq!(said(&document, &number.to_string()), (0, None), "{}", document.text);
    }
}

#[test]
fn a_number_that_does_not_count_with_the_pages_goes_where_theirs_stand() {
    let document = document(|page, number| {
        page.text(300.0, 780.0, 9.0, &format!("{}", if number == 4 { 97 } else { number + 70 }))
    });
    assert_eq!(said(&document, "97"), (0, None), "{}", document.text);
}

#[test]
fn a_running_line_goes_where_it_only_reaches_into_the_margin() {
    let document =
        document(|page, number| page.text(60.0, if number == 5 { 182.0 } else { 174.0 }, 12.0, "Scorecard"));
    assert_eq!(said(&document, "Scorecard"), (0, None), "{}", document.text);
}

/// A site sheet, the `number`th: its title stands over a table whose header is the same on every sheet.
fn sheet(number: usize, size: f32) -> Page {
    let cells = |page: Page, y: f32, row: [&str; 3]| {
        row.iter().zip([60.0, 300.0, 400.0]).fold(page, |page, (cell, x)| page.text(x, y, 10.0, cell))
    };
    let (this, last) = (format!("{}", 410 + 7 * number * number), format!("{}", 398 + 11 * number));
    let site = ["Ostrava", "Brno", "Plzen", "Zlin"][number - 1];
    let page =
        Page::default().text(60.0, 40.0, 8.0, "Site data").bold(60.0, 70.0, size, &format!("Site {site}"));
    let page = cells(page, 100.0, ["Emissions", "2024", "2023"]);
    let page = cells(page, 116.0, ["Scope 1, kt", &this, &last]);
    cells(page, 132.0, ["Scope 2, kt", &format!("{}", 20 + number), &format!("{}", 31 - number)])
}

#[test]
fn the_header_of_a_table_that_stands_at_the_same_place_of_every_sheet_names_its_columns() {
    for size in [12.0, 16.0, 20.0] {
        let file = (1..=4).fold(File::default(), |file, number| file.page(sheet(number, size)));
        let document = read(&file.bytes());
        assert_eq!(document.text.matches("| Emissions | 2024 | 2023 |").count(), 4, "{}", document.text);
        assert_eq!(said(&document, "Site data"), (0, None), "{}", document.text);
    }
}

#[test]
fn a_sentence_that_every_page_says_between_others_stays_in_its_paragraph() {
    let sites = ["rolling mill", "coke ovens", "foundry", "sinter plant", "power station"];
    let file = sites.iter().fold(File::default(), |file, site| {
        file.page(
            Page::default()
                .text(60.0, 40.0, 10.0, "Ostrava Steel a.s. Annual Report 2024")
                .bold(60.0, 80.0, 16.0, &format!("The {site}"))
                .lines(
                    60.0,
                    110.0,
                    &[
                        &format!("Our mills source wood from certified forests near the {site}."),
                        "The board reviews the sourcing plan every spring with the auditors.",
                        &format!("In the year we closed the old boiler of the {site}."),
                    ],
                )
                .text(300.0, 780.0, 8.0, "Ostrava Steel a.s."),
        )
    });
    let document = read(&file.bytes());
    assert_eq!(document.text.matches("The board reviews the sourcing plan").count(), 5, "{}", document.text);
    assert!(!document.text.contains("Ostrava Steel"), "{}", document.text);
}

#[test]
fn a_sentence_under_the_heading_of_every_page_is_text() {
    let document = document(|page, number| {
        page.text(60.0, 40.0, 8.0, "Example plc")
            .bold(60.0, 80.0, 14.0, &format!("Results of unit {}", number * number))
            .text(60.0, 96.0, 10.0, "The table shows the results of the year.")
    });
    assert_eq!(document.text.matches("The table shows the results of the year.").count(), 8);
    assert_eq!(said(&document, "Example plc"), (0, None), "{}", document.text);
}

#[test]
fn the_footers_of_sheets_that_show_two_pages_go_with_their_numbers() {
    let sites = ["mill", "quarry", "harbour", "foundry", "smelter", "depot"];
    let sheet = |left: usize| {
        let story = |page: Page, x: f32, number: usize| {
            let site = sites[number - 8];
            page.bold(x, 80.0, 16.0, &format!("The story of part {number}")).lines(
                x,
                110.0,
                &[
                    &format!("The {site} takes wood from forests near it, as the charter"),
                    &format!("of the {site} asks, and tells what becomes of all of it."),
                ],
            )
        };
        let page = story(story(Page::default().wide(), 60.0, left), 660.0, left + 1);
        let right = format!("Strategy {:02}", left + 1);
        page.text(60.0, 780.0, 8.0, &format!("{left:02} Ostrava Steel Annual Report 2024")).text(
            1_140.0 - width(&right, 8.0),
            780.0,
            8.0,
            &right,
        )
    };
    let file = [8, 10, 12].into_iter().fold(File::default(), |file, left| file.page(sheet(left)));
    let document = read(&file.bytes());
    assert!(
        !document.text.contains("Ostrava Steel") && !document.text.contains("Strategy"),
        "{}",
        document.text
    );
    for number in 8..=13 {
        assert!(document.text.contains(&format!("# The story of part {number}\n")), "{}", document.text);
    }
}
