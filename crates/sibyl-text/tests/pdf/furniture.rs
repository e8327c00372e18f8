//! Page furniture that changes from page to page: marked tabs, names of chapters, turned tabs at the side.

use crate::read;
use crate::writer::{File, Page};
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
    // The tab of the page is set larger and in capitals.
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
