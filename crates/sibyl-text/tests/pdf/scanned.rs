//! Words found by OCR replace those that a page does not have.

use crate::check_laws;
use crate::writer::{File, Page};
use sibyl_text::format::hocr::{self, Scan, ScannedLine, ScannedPage, ScannedWord};
use sibyl_text::format::pdf::read_scanned;
use sibyl_text::{Document, Span};

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

/// The page of a file `name` as Tesseract read it: 300 pixels to an inch.
fn read_with(name: &str, answer: &str) -> Document {
    let path = |file: String| format!("{}/tests/fixtures/pages/{file}", env!("CARGO_MANIFEST_DIR"));
    let bytes = std::fs::read(path(format!("{name}.pdf"))).unwrap();
    let answer = std::fs::read_to_string(path(format!("{answer}.hocr"))).unwrap();
    let pages = vec![hocr::read(&answer, 1, 72.0 / 300.0).unwrap()];
    let document = read_scanned(&bytes, &[], &Scan { languages: "eng".to_owned(), pages });
    check_laws(&document);
    document
}

#[test]
fn a_page_on_its_head_is_read_from_its_first_line() {
    let document = read_with("upside-down", "upside-down");
    let lines: Vec<&str> = document.text.lines().filter(|line| !line.is_empty()).collect();
    assert_eq!(
        lines,
        [
            "Larch Foods: environmental policy",
            "The group will cut its Scope 1 emissions by 42 percent until 2030, measured against the year 2019.",
            "The board reviews the target every year.",
        ]
    );
    // Marked at its place on the page as filed: the first line is the lowest.
    let top = |text: &str| {
        let at = document.text.find(text).unwrap();
        document.segments.iter().find(|segment| segment.span.end > at).unwrap().rect.unwrap()[1]
    };
    assert!(top("Larch") > top("The group") && top("The group") > top("The board"));
}

#[test]
fn a_page_that_lies_on_its_side_is_read_from_its_first_line() {
    let texts = [
        "Sandford Mill burns less coal than it",
        "did, and its oil is bought in the spring",
        "and kept in a tank of its own, as the rules ask.",
    ];
    for angle in [90, 270] {
        let lines = texts.iter().enumerate().map(|(i, text)| {
            let across = 100.0 + 14.0 * i as f32;
            let mut level = line(across, 11.0, text);
            level.angle = angle;
            for word in &mut level.words {
                let [left, top, right, bottom] = word.rect;
                // On a page of 600 × 800 points.
                let (turned, baseline) = if angle == 90 {
                    ([top, 800.0 - right, bottom, 800.0 - left], across)
                } else {
                    ([600.0 - bottom, left, 600.0 - top, right], 600.0 - across)
                };
                (word.rect, word.baseline) = (turned, baseline);
            }
            level
        });
        let pages = vec![ScannedPage { number: 1, lines: lines.collect() }];
        let file = File::default().page(Page::default().rule((0.0, 0.0), (5.0, 5.0)));
        let document = read_scanned(&file.bytes(), &[], &Scan { languages: "eng".to_owned(), pages });
        check_laws(&document);
        assert_eq!(document.text.trim(), texts.join(" "), "{angle}");
    }
}

#[test]
fn what_nobody_can_have_written_is_left_out_and_said() {
    let document = read_with("upside-down", "upside-down-unread");
    assert_eq!(document.text.trim(), "");
    let notice = document.notices.iter().find(|notice| notice.code == "ocr_illegible").unwrap();
    assert!(notice.message.starts_with("page 1 was read by OCR"), "{}", notice.message);
    assert!(document.notices.iter().all(|notice| notice.code != "ocr_found_nothing"));
}

#[test]
fn gaps_between_the_words_of_a_typewriter_make_no_columns() {
    let text = read_with("typewritten-scan", "typewritten-scan").text;
    for sentence in [
        "The variations of print density on the document cause the photocell to generate an analogous electrical video signal.",
        "This signal is used to modulate a carrier, which is transmitted to a remote destination over a radio or cable communications",
        "At the remote terminal, demodulation reconstructs the video signal, which is used to modulate the density of print produced \
         by a printing device.",
        "18 January 2024",
    ] {
        assert!(text.contains(sentence), "{sentence:?} in\n{text}");
    }
}

#[test]
fn columns_of_a_typewritten_table_stay_apart() {
    let mut lines = Vec::new();
    let rows =
        [["Fuel", "2019", "2020"], ["Coal", "412", "388"], ["Oil", "9100", "8700"], ["Gas", "1500", "1610"]];
    for (r, row) in rows.iter().enumerate() {
        let baseline = 100.0 + 16.0 * r as f32;
        let word = |(text, left): (&&str, f32)| {
            let right = left + 6.6 * text.len() as f32 - 1.5;
            ScannedWord {
                text: (*text).to_owned(),
                rect: [left, baseline - 8.0, right, baseline],
                baseline,
                confidence: 95.0,
            }
        };
        let words = row.iter().zip([60.0, 120.0, 170.0]).map(word).collect();
        lines.push(ScannedLine { size: 11.0, angle: 0, words });
    }
    let file = File::default().page(Page::default().rule((0.0, 0.0), (5.0, 5.0)));
    let pages = vec![ScannedPage { number: 1, lines }];
    let text = read_scanned(&file.bytes(), &[], &Scan { languages: "eng".to_owned(), pages }).text;
    for row in rows {
        assert!(text.contains(&format!("| {} |", row.join(" | "))), "{text}");
    }
}

#[test]
fn of_a_page_with_text_only_that_is_replaced_which_cannot_be_read() {
    let own = [
        "The plan has been in force since 2021, and the board",
        "reviews it each year with those who carry it out.",
    ];
    // The second font names each letter 29 places before the one that it draws.
    let shifted = [
        "7KH HPLVVLRQV RI WKH JURXS IHOO WR WKRXVDQG WRQQHV",
        "DQG WKH VLWH UHSRUWV LWV ILJXUHV HDFK PRQWK WR WKH JURXS RIILFH",
        "7KH DXGLWRUV YLVLWHG WKUHH TXDUULHV DQG IRXQG QR EUHDFK RI D SHUPLW",
    ];
    let page =
        shifted.iter().enumerate().fold(Page::default().lines(60.0, 100.0, &own), |page, (i, line)| {
            page.bold(60.0, 300.0 + 12.0 * i as f32, 10.0, line)
        });
    let lines = vec![
        line(100.0, 10.0, "The p1an has been in force since 2O21, and the b0ard"),
        line(300.0, 10.0, "The emissions of the group fell to 412 thousand tonnes,"),
        line(312.0, 10.0, "and the site reports its figures each month."),
    ];
    let scan = Scan { languages: "eng".to_owned(), pages: vec![ScannedPage { number: 1, lines }] };
    let document = read_scanned(&File::default().page(page).bytes(), &[], &scan);
    check_laws(&document);
    let text = &document.text;
    assert!(text.contains(&own.join(" ")) && !text.contains("p1an"), "{text}");
    assert!(
        text.contains("fell to 412 thousand tonnes, and the site reports its figures each month."),
        "{text}"
    );
    // Where OCR found nothing the mark stays.
    assert_eq!(text.matches(char::REPLACEMENT_CHARACTER).count(), 1, "{text}");
    let read = document.recognition.as_ref().unwrap();
    assert_eq!((&*read.pages, read.lines.len()), (&[1][..], 2));
}
