//! Text that is drawn without ink over pictures.

use crate::read;
use crate::writer::{File, Page};

const PROSE: [&str; 3] = [
    "The plan has been in force since 2021 and is reviewed each",
    "year by the board, which hears of floods and of heat, and",
    "of what both of them have cost the sites of the company.",
];

/// Lines of 10 points without ink.
fn unseen(page: Page, y: f32, lines: &[&str]) -> Page {
    page.raw("3 Tr").lines(60.0, y, lines).raw("0 Tr")
}

#[test]
fn what_ocr_made_of_a_drawing_is_left_out() {
    let page = Page::default().lines(60.0, 100.0, &PROSE);
    let page = unseen(page, 300.0, &[",------- * * * --------,"]);
    let page =
        unseen(page, 400.0, &["Dt-p1r1men1 orDt-ren5e for ltn and", "DefenlieConm1unitin t$~bruaryZOH"]);
    let document = read(&File::default().page(page).bytes());
    assert_eq!(document.text.trim(), PROSE.join(" "));
    let notice = document.notices.iter().find(|notice| notice.code == "garbled_text_left_out").unwrap();
    assert!(notice.message.contains("on page 1"), "{}", notice.message);
}

#[test]
fn what_ocr_read_in_a_picture_is_text() {
    let page = Page::default().lines(60.0, 100.0, &PROSE);
    let lines = ["Plan to Reduce CO2e Emissions", "12.5 MWh per m2, see www.example.org/a~b"];
    let document = read(&File::default().page(unseen(page, 300.0, &lines)).bytes());
    assert!(document.notices.is_empty(), "{:?}", document.notices);
    let text = document.text;
    for line in lines {
        assert!(text.contains(&line.replace('~', "\\~")) || text.contains(line), "{text}");
    }
}

#[test]
fn of_a_scan_all_that_ocr_read_is_text() {
    let page = unseen(
        Page::default(),
        100.0,
        &["Dt-p1r1men1 orDt-ren5e for ltn and", "DefenlieConm1unitin of both"],
    );
    let text = read(&File::default().page(page).bytes()).text;
    assert!(text.contains("p1r1men1") && text.contains("Conm1unitin"), "{text}");
}
