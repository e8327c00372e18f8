//! Words that OCR found take the place of those that a page does not have.

use crate::check_laws;
use crate::writer::{File, Page};
use sibyl_text::Span;
use sibyl_text::format::hocr::{Scan, ScannedLine, ScannedPage, ScannedWord};
use sibyl_text::format::pdf::read_scanned;

/// A line that begins 60 points from the left; a word in brackets is doubtful.
fn line(baseline: f32, size: f32, words: &str) -> ScannedLine {
    let mut left = 60.0;
    let word = |text: &str| {
        let sure = text.trim_matches(['[', ']']);
        let right = left + 0.5 * size * sure.chars().count() as f32;
        let rect = [left, baseline - 0.7 * size, right, baseline];
        left = right + 0.3 * size;
        ScannedWord {
            text: sure.to_owned(),
            rect,
            baseline,
            confidence: if sure == text { 90.0 } else { 30.0 },
        }
    };
    ScannedLine { size, angle: 0, words: words.split(' ').map(word).collect() }
}

#[test]
fn scanned_pages_are_read_between_the_others_with_doubtful_words_marked() {
    let prose = [
        "Before the scanned page stands a page of text that has",
        "two lines of words in Helvetica and no picture.",
    ];
    let file = File::default()
        .page(Page::default().lines(60.0, 100.0, &prose))
        .page(Page::default().rule((0.0, 0.0), (5.0, 5.0)))
        .page(Page::default().lines(
            60.0,
            100.0,
            &["Behind it another page goes on with what was said before."],
        ));
    let page = ScannedPage {
        number: 2,
        lines: vec![
            line(80.0, 20.0, "Water use"),
            // Sizes that are measured on a picture are never quite the same.
            line(120.0, 10.4, "The plant took 1,200 cubic metres of water from the environ-"),
            line(132.0, 9.7, "ment and gave [w4ter] back that was cleaner than before."),
        ],
    };
    let scan = Scan { languages: "eng".to_owned(), pages: vec![page] };
    let document = read_scanned(&file.bytes(), &[], &scan);
    check_laws(&document);
    assert_eq!(
        document.pages[1].span.of(&document.text),
        "# Water use\n\nThe plant took 1,200 cubic metres of water from the environment and gave w4ter back that was \
         cleaner than before."
    );
    let read = document.recognition.as_ref().unwrap();
    assert_eq!(read.pages, [2]);
    let doubtful: Vec<&str> = read.doubtful.iter().map(|word| word.of(&document.text)).collect();
    assert_eq!(doubtful, ["w4ter"]);
    assert_eq!(read.lines.len(), 3);
    assert_eq!(read.lines[0].confidence, 90.0);
    // 5 of the 45 letters and signs of the last line are doubtful: 90 − 60 · 5 / 45.
    assert!((read.lines[2].confidence - 83.33).abs() < 0.01, "{}", read.lines[2].confidence);
    assert_eq!(read.confidence(document.pages[0].span), None);
    assert_eq!(read.confidence(read.lines[0].span), Some(90));
    assert_eq!(read.doubtful_in(Span::new(0, document.text.len())).count(), 1);
    assert_eq!(document.metadata["ocr"]["pages"], 1);
    assert!(document.notices.iter().any(|notice| notice.code == "read_by_ocr"));
    assert!(document.notices.iter().all(|notice| notice.code != "pages_without_text"));
}

#[test]
fn a_page_on_which_nothing_was_found_is_told_apart_from_one_that_was_not_read() {
    let blank = Page::default().rule((0.0, 0.0), (5.0, 5.0));
    let text = Page::default().lines(60.0, 100.0, &["One page of this file has text, the others have none."]);
    let file = File::default().page(text).page(blank.clone()).page(blank);
    let scan = Scan {
        languages: "eng".to_owned(),
        pages: vec![
            ScannedPage { number: 3, lines: Vec::new() },
            ScannedPage { number: 99, lines: Vec::new() },
        ],
    };
    let document = read_scanned(&file.bytes(), &[], &scan);
    check_laws(&document);
    let message =
        |code: &str| document.notices.iter().find(|n| n.code == code).map(|n| n.message.as_str()).unwrap();
    assert!(message("pages_without_text").starts_with("Page 2 contains no text"));
    assert!(message("ocr_found_nothing").starts_with("page 3 was read by OCR"));
}
