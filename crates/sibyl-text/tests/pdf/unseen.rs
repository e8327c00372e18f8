//! Text that is drawn without ink over pictures.

use crate::read;
use crate::writer::{FIRST_FREE, File, Page, width};
use sibyl_text::Document;

const PROSE: [&str; 3] = [
    "The plan has been in force since 2021 and is reviewed each",
    "year by the board, which hears of floods and of heat, and",
    "of what both of them have cost the sites of the company.",
];

/// A grey picture on the left half of the page, from 250 points down to the bottom.
const PICTURE: &str = "q 400 0 0 550 40 0 cm BI /W 1 /H 1 /CS /G /BPC 8 ID 7 EI Q";

/// Lines of 10 points without ink.
fn unseen(page: Page, y: f32, lines: &[&str]) -> Page {
    page.raw("3 Tr").lines(60.0, y, lines).raw("0 Tr")
}

fn has(document: &Document, code: &str) -> bool {
    document.notices.iter().any(|notice| notice.code == code)
}

#[test]
fn what_ocr_made_of_a_drawing_is_left_out() {
    let page = Page::default().lines(60.0, 100.0, &PROSE).raw(PICTURE);
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
    let page = Page::default().lines(60.0, 100.0, &PROSE).raw(PICTURE);
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

#[test]
fn text_without_ink_where_nothing_is_drawn_is_left_out_and_told() {
    let clear = "/ExtGState << /Clear << /ca 0 >> >>";
    let page = Page::default().lines(60.0, 100.0, &PROSE);
    let page = unseen(page, 300.0, &["The hidden number is 222 tonnes."]);
    let page = page
        .resources(clear)
        .raw("q /Clear gs")
        .lines(60.0, 340.0, &["Nobody sees these 999 tonnes."])
        .raw("Q");
    let document = read(&File::default().page(page).bytes());
    assert_eq!(document.text.trim(), PROSE.join(" "));
    assert!(has(&document, "unseen_text_left_out"), "{:?}", document.notices);
}

#[test]
fn small_and_pale_text_is_seen() {
    let page = Page::default().lines(60.0, 100.0, &PROSE).text(60.0, 300.0, 0.5, "Scope 3: 121 kt.");
    let page = page.raw("0.9 g").lines(60.0, 400.0, &["A pale note tells of 777 tonnes."]);
    let document = read(&File::default().page(page).bytes());
    assert!(document.text.contains("121 kt") && document.text.contains("777 tonnes"), "{}", document.text);
    assert!(document.notices.is_empty(), "{:?}", document.notices);
}

/// A page of 600 × 800 points with a picture of one grey point, shown `wide` and `high` after `text` is.
fn under_a_picture(text: Page, [wide, high]: [u32; 2], entries: &str) -> Document {
    let picture = format!(
        "<< /Type /XObject /Subtype /Image /Width 1 /Height 1 /ColorSpace /DeviceGray /BitsPerComponent 8 {entries} \
         /Length 1 >>\nstream\n7\nendstream"
    );
    let resources = format!("/XObject << /Im {FIRST_FREE} 0 R >>");
    let page = text.raw(&format!("q {wide} 0 0 {high} 40 380 cm /Im Do Q")).resources(&resources);
    read(&File::default().object(&picture).page(page).bytes())
}

#[test]
fn text_under_a_picture_is_left_out_and_told() {
    let text =
        || Page::default().lines(60.0, 100.0, &PROSE).lines(60.0, 400.0, &["Beneath it are 131 tonnes."]);
    let document = under_a_picture(text(), [300, 40], "");
    assert_eq!(document.text.trim(), PROSE.join(" "));
    assert!(has(&document, "unseen_text_left_out"), "{:?}", document.notices);
    // What only puts ink where its points are dark covers nothing, and neither does what has a mask of its own.
    for entries in ["/ImageMask true", "/Mask [0 1]"] {
        let document = under_a_picture(text(), [300, 40], entries);
        assert!(document.text.contains("131 tonnes"), "{entries}: {}", document.text);
    }
}

#[test]
fn text_under_the_picture_of_its_page_is_what_ocr_read_there() {
    let page = Page::default().lines(60.0, 100.0, &PROSE).lines(60.0, 400.0, &["Beneath it are 131 tonnes."]);
    let text = under_a_picture(page, [600, 420], "").text;
    assert!(text.contains("131 tonnes"), "{text}");
}

#[test]
fn text_that_is_struck_through_is_left_out_and_told() {
    let (kept, struck, more) = ("The board will cut emissions by ", "50 %", " 40 % until 2030.");
    let (from, size) = (60.0 + width(kept, 10.0), 10.0);
    let to = from + width(struck, size);
    let line = format!("{kept}{struck}{more}");
    let page = || Page::default().lines(60.0, 100.0, &PROSE).text(60.0, 200.0, size, &line);
    // A line, or a thin box, through the middle of small letters or of digits.
    let stroke = |y: f32| page().rule((from, y), (to, y));
    let filled = page().raw(&format!("{from} 602.2 {} 0.7 re f", to - from));
    for page in [stroke(197.2), stroke(196.4), filled] {
        let document = read(&File::default().page(page).bytes());
        assert!(document.text.contains("cut emissions by 40 % until 2030."), "{}", document.text);
        assert!(!document.text.contains("50"), "{}", document.text);
        assert!(has(&document, "withdrawn_text"), "{:?}", document.notices);
    }
    // An underline lies below the letters, and what rules more than them strikes nothing through.
    for page in [stroke(201.5), page().rule((30.0, 197.2), (560.0, 197.2))] {
        let document = read(&File::default().page(page).bytes());
        assert!(document.text.contains("by 50 % 40 % until"), "{}", document.text);
        assert!(!has(&document, "withdrawn_text"), "{:?}", document.notices);
    }
}

#[test]
fn text_that_an_annotation_strikes_through_is_left_out_and_told() {
    let (kept, struck) = ("The chair reviews the plan ", "every second year");
    let from = 60.0 + width(kept, 10.0);
    let to = from + width(struck, 10.0);
    let page = Page::default().lines(60.0, 100.0, &PROSE).text(
        60.0,
        200.0,
        10.0,
        &format!("{kept}{struck} each May."),
    );
    let annotation = |kind: &str| {
        format!(
            "<< /Type /Annot /Subtype /{kind} /Rect [{from} 597 {to} 610] /QuadPoints [{from} 610 {to} 610 {from} 597 {to} 597] >>"
        )
    };
    let page = page.resources(&format!(">> /Annots [{FIRST_FREE} 0 R] /Rest <<"));
    let read = |kind: &str| read(&File::default().page(page.clone()).object(&annotation(kind)).bytes());
    let document = read("StrikeOut");
    assert!(document.text.contains("The chair reviews the plan each May."), "{}", document.text);
    assert!(has(&document, "withdrawn_text"), "{:?}", document.notices);
    assert!(read("Highlight").text.contains("every second year"));
}

#[test]
fn text_in_a_font_that_names_other_letters_than_it_draws_is_marked_and_told() {
    let lines = [
        "7KH HPLVVLRQV RI WKH JURXS IHOO WR WKRXVDQG WRQQHV LQ WKH ODVW PRQWK",
        "7KH VLWH UHSRUWV LWV ILJXUHV HDFK PRQWK WR WKH JURXS RIILFH",
        "7KH DXGLWRUV YLVLWHG WKUHH TXDUULHV DQG IRXQG QR EUHDFK RI D SHUPLW",
    ];
    let shifted =
        lines.iter().enumerate().fold(Page::default().lines(60.0, 100.0, &PROSE), |page, (i, line)| {
            page.bold(60.0, 300.0 + 12.0 * i as f32, 10.0, line)
        });
    let document = read(&File::default().page(shifted).bytes());
    assert!(!document.text.contains("WKH") && document.text.contains('\u{FFFD}'), "{}", document.text);
    assert!(document.text.contains(&PROSE.join(" ")), "{}", document.text);
    assert!(has(&document, "text_unreadable"), "{:?}", document.notices);
    assert_eq!(document.pages_for_ocr(), [1]);
}

#[test]
fn text_laid_over_the_scan_of_its_page_is_marked_as_read_by_ocr() {
    let scan = |lines: &[&str]| {
        let page = Page::default().raw("q 600 0 0 800 0 0 cm /Im Do Q");
        let page = unseen(page.resources(&format!("/XObject << /Im {FIRST_FREE} 0 R >>")), 100.0, lines);
        let picture = "<< /Type /XObject /Subtype /Image /Width 1 /Height 1 /ColorSpace /DeviceGray /BitsPerComponent 8 \
                       /Length 1 >>\nstream\n7\nendstream";
        read(&File::default().object(picture).page(page).bytes())
    };
    let good = scan(&PROSE);
    assert_eq!(good.recognition.as_ref().map(|read| read.pages.clone()), Some(vec![1]));
    assert!(has(&good, "ocr_layer") && !has(&good, "ocr_layer_poor"), "{:?}", good.notices);
    assert_eq!((good.text.trim(), good.pages_for_ocr()), (&*PROSE.join(" "), vec![1]));
    let poor = scan(&[
        "Th3 pl4n ha$ b;en in f0rce s!nce 2O21 4nd is r;viewed",
        "e~ch y|ar by th3 bo:rd, wh!ch h~ars of fl0ods",
    ]);
    assert!(has(&poor, "ocr_layer_poor") && !has(&poor, "ocr_layer"), "{:?}", poor.notices);
}
