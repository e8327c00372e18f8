//! Small pages, each of a kind found in company reports, with their words and figures.

use crate::writer::{File, Page, width};
use crate::{in_order, read};
use sibyl_text::{Document, Severity};
use std::path::PathBuf;

fn document(name: &str) -> Document {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(format!("tests/fixtures/pages/{name}.pdf"));
    read(&std::fs::read(path).expect("a fixture"))
}

pub fn text(name: &str) -> String {
    document(name).text
}

/// The text of a file of one page.
fn made(page: Page) -> String {
    read(&File::default().page(page).bytes()).text
}

/// The rows of all tables of a document, their cells parted by `|`.
fn rows(name: &str) -> Vec<String> {
    table_rows(&text(name))
}

fn table_rows(text: &str) -> Vec<String> {
    let tidy = |row: &str| {
        let cells: Vec<&str> = row.trim_matches('|').split('|').map(str::trim).collect();
        cells.join("|")
    };
    text.lines().filter(|line| line.starts_with('|') && !line.contains("---")).map(tidy).collect()
}

/// Whether a document gives a notice with this code.
fn notes(document: &Document, code: &str) -> bool {
    document.notices.iter().any(|notice| notice.code == code)
}

#[test]
fn a_gap_between_groups_of_columns_parts_no_table() {
    let rows = rows("gap-between-column-groups");
    assert_eq!(rows.len(), 9);
    assert!(rows.contains(&"Silvermoor|216|0|11|269|269|0".to_owned()), "{rows:?}");
    let header: Vec<&str> = rows[0].split('|').collect();
    assert_eq!(header.len(), 7);
    assert!(header[1..4].iter().all(|name| name.starts_with("Scope 1 ")), "{header:?}");
    assert!(header[4..].iter().all(|name| name.starts_with("Scope 2 ")), "{header:?}");
}

#[test]
fn a_filled_band_parts_the_header_from_the_first_row() {
    assert_eq!(
        rows("header-band-without-rule")[..2],
        [
            "PARAMETER||UNIT|UPSTREAM|CORE|DOWNSTREAM|TOTAL",
            "Global warming potential (GWP)|Fossil|kg CO2 eq.|5,73E-04|2,41E+00|2,14E+00|4,54E+00"
        ]
    );
}

#[test]
fn the_name_of_a_block_below_the_header_is_a_row() {
    let rows = rows("band-row-below-the-header");
    assert_eq!(rows[0], "ESG Metric|2021|2020|2019|2018|2017|GRI Indicator*|SASB Standard");
    assert!(rows[1].starts_with("SCOPE 1 ENERGY CONSUMPTION|"), "{rows:?}");
    assert_eq!(rows[2], "Jet Fuel (The)¹|175,698|166,120|1,275,001|1,171,937|1,204,015|302-1|RT-AE-130a.1");
    assert_eq!(rows[12], "Total (The)³|416,356|-|-|-|-|302-1|RT-AE-130a.1", "the row below the last rule");
}

#[test]
fn rules_between_rows_leave_the_first_and_the_last_in_the_table() {
    let rows = rows("first-and-last-row-outside-table");
    assert_eq!((rows.len(), rows[0].as_str()), (6, "Opportunity|Timeline|Potential Result"));
    assert!(
        rows[5].contains("Long term (11·30 years)") && rows[5].ends_with("button the river."),
        "{}",
        rows[5]
    );
}

#[test]
fn names_of_several_lines_at_the_foot_of_their_cells_are_read_from_top_to_bottom() {
    let rows = rows("header-cells-set-at-the-bottom");
    assert!(
        rows[0].starts_with(
            "||Total scope 1 (location based)|Total scope 1 (market based)|Total scope 2 (location based)"
        ),
        "{}",
        rows[0]
    );
    assert!(rows[0].contains(
        "|Total scope 1 + 2 (location based)|Total scope 3|Grand total scope 1, 2, 3 (location based)|"
    ));
    assert!(rows[2].starts_with("|Global emissions (in. EU)|22|22|599|641|"), "{rows:?}");
    assert!(rows[3].starts_with("2021 (the2e)|EU emissions|1,609|"), "{rows:?}");
}

#[test]
fn a_label_in_the_first_row_of_its_group_stays_there() {
    let rows = rows("year-label-in-first-row-of-group");
    assert_eq!(
        rows[1..4],
        [
            "2022|EU|1,295|2,582|1,148|5,025",
            "|Outside the EU|22|599|129|750",
            "2021|EU|1,609|3,074|888|5,571"
        ]
    );
}

#[test]
fn a_list_of_labels_with_values_beside_it_is_a_table_of_pairs() {
    let text = text("label-value-bullets");
    in_order(
        &text,
        &[
            "## Structure",
            "| Post-consumer recycled | 70 % |",
            "| Thickness | 56 µm |",
            "## Properties / performance",
            "| Tensile strength | 60 N/cm |",
            "| Unwind force | 5 N/cm |",
            "| Acid-free | yes |",
            "| Ageing resistance (UV) | no |",
            "| Suitable surfaces | Cardboard, paper |",
            "| Hand tearability | no |",
            "Values in this section",
        ],
    );
}

#[test]
fn a_name_over_several_columns_opens_their_names_where_the_tags_know_no_spans() {
    let rows = rows("tagged-table-without-spans");
    let names =
        "Assets|Base|Orderly 2030|Orderly 2050|Disorderly 2030|Disorderly 2050|No policy 2030|No policy 2050";
    assert_eq!(rows[0], names);
}

#[test]
fn what_is_covered_or_has_the_colour_of_the_paper_is_no_text() {
    let covered = document("word-dropped-beside-covered-text");
    assert_eq!(
        rows("word-dropped-beside-covered-text"),
        ["Value chain|2019|2020|2021", "Scope 3 emissions (tonnes CO2e)|263,000|235,000|176,000"]
    );
    assert!(!covered.text.contains("466,000") && notes(&covered, "unseen_text_left_out"));
    let white = rows("white-row-on-white-paper");
    assert_eq!(
        white.last().map(String::as_str),
        Some("|Global emissions (ex. UK)|15|518|54|587"),
        "{white:?}"
    );
}

#[test]
fn text_in_a_font_that_names_no_letters_leaves_a_mark_and_a_notice() {
    let document = document("lines-in-a-font-without-unicode");
    in_order(&document.text, &["There were \u{FFFD} in 2024.", "paid to address \u{FFFD} the law"]);
    let notice = document.notices.iter().find(|notice| notice.code == "text_unreadable").expect("a notice");
    assert_eq!(notice.severity, Severity::Warning);
    assert!(notice.message.starts_with("5 pieces of text on page 1 could not be read"), "{}", notice.message);
    let ligature = text("ligature-without-unicode");
    assert_eq!(ligature.matches("zerti\u{FFFD}ziert").count(), 2, "{ligature}");
}

#[test]
fn notes_and_marks_of_a_tagged_page_tear_no_sentence_and_no_cell() {
    in_order(
        &text("tagged-footnote-mark-in-sentence"),
        &[
            "was rejected at the ballot box.¹ The counter-proposal of parliament",
            "art. 1 par. 3 CSRD². The scope of the report grows accordingly.",
            "¹ Federal office",
            "² New version",
        ],
    );
    let notes = text("notes-inside-cells-and-sentences");
    in_order(
        &notes,
        &[
            "business travel emissions²¹. Consequently, we restated",
            "21 Find the report",
            "| | 2023ⁱ | 2017 |",
            "| Scope 1 GHG emissions | 115,294ⁱⁱⁱ | 84,463 |",
            "i. For 2023, we updated the methodology that we use.",
            "iii. An external third party",
        ],
    );
    assert_eq!(notes.matches("i. For 2023").count(), 1);
}

#[test]
fn links_and_groups_inside_of_a_tagged_line_are_part_of_it() {
    in_order(
        &text("tagged-link-in-heading"),
        &[
            "# 7 Analysis of differences between RL-E Reporting and Swiss law",
            "The new directive (CSRD) is close to its adoption.",
        ],
    );
    let text = text("chrome-nonstruct-in-paragraph");
    let paragraphs: Vec<&str> = text.trim().split("\n\n").skip(1).collect();
    assert_eq!(paragraphs.len(), 3, "{text}");
    assert!(paragraphs[2].ends_with("please see our 2021 climate metrics."), "{text}");
}

#[test]
fn replacement_text_inside_of_words_does_not_end_them() {
    let heading = text("actualtext-inside-words").to_lowercase();
    assert!(heading.starts_with("# varför en klimatplan nui?\n"), "{heading}");
    in_order(&text("actualtext-signature").to_lowercase(), &["gunnel lind", "kommunalråd i halden"]);
}

#[test]
fn text_of_a_note_that_is_printed_on_the_page_is_text_of_it() {
    assert!(text("freetext-stamp").contains("Dnr. KS 2024/375"));
}

#[test]
fn a_line_of_the_text_that_repeats_but_for_its_figures_is_no_furniture() {
    let document = document("text-that-repeats-but-for-its-numbers");
    for (site, scope_1) in ["2,949", "4,030", "1,536", "3,124", "6,874", "4,902"].into_iter().enumerate() {
        let line = format!("In 2024, site {} emitted {scope_1} tonnes of CO2e in Scope 1", site + 1);
        assert!(document.pages[site].span.of(&document.text).contains(&line), "{line}");
    }
    assert!(!document.text.contains("Halden Group site sheets"));
}

#[test]
fn a_letter_drawn_twice_is_one() {
    in_order(
        &text("drawn-twice"),
        &[
            "SUSTAINABILITY TARGETS 2030",
            "The still water of the hill was less full.",
            "Total emissions 55 kt",
            "Board committee on climate",
        ],
    );
}

#[test]
fn lines_of_han_text_join_without_a_space() {
    let text = text("han-text-wrapped");
    for words in ["相關組織架構", "減碳目標", "董事會", "危老都市更新", "氣候風險管理政策，將"]
    {
        assert!(text.contains(words), "{words} in {text}");
    }
}

#[test]
fn a_number_that_ends_a_sentence_on_the_next_line_is_no_item() {
    in_order(
        &text("number-at-line-start"),
        &["calculation of scope 2. In about 10 percent", "into force on 1. January 2022. The country"],
    );
}

#[test]
fn bold_words_in_larger_type_leave_the_lines_in_their_order() {
    in_order(
        &text("bold-phrases-in-larger-type"),
        &[
            "for chart, and we are chestnut vinegar around our kitchen-maple targets that wheat Willow 1, 2 and 3, as upon",
            "on the keel to net zero emissions by 2050, and are vinegar with chestnut to velvet a kitchen-maple",
            "barley and chestnut by a wheat-underneath underneath that that savanna and anchor of the Thistle, from",
        ],
    );
}

#[test]
fn swedish_compounds_lose_the_hyphen_of_a_line_end() {
    let text = text("hyphen-between-known-words");
    assert!(text.contains("byggföretag") && text.contains("utsläppsberäkning"), "{text}");
}

#[test]
fn a_cover_in_two_sizes_names_the_report() {
    let title = document("cover-title-in-two-sizes").title;
    assert_eq!(title.as_deref(), Some("2021 Environmental, Social & Governance Report"));
}

#[test]
fn who_runs_a_programme_is_not_the_issuer() {
    let document = document("programme-operator-as-issuer");
    let issuer = document.metadata.get("issuer").and_then(|issuer| issuer.as_str());
    assert!(issuer.is_none_or(|issuer| issuer.eq_ignore_ascii_case("Halden S.r.l.")), "{issuer:?}");
}

#[test]
fn the_bars_of_a_chart_stand_beside_their_values() {
    assert_eq!(
        rows("bar-chart-values")[1..],
        ["Halden Energy|0.31", "EU Average³|2.9", "Industry Average³|1.7"]
    );
}

#[test]
fn small_lines_above_and_below_a_headline_are_read_with_it() {
    in_order(
        &text("phrase-split-by-headline"),
        &["Announced aim to be\n", "Carbon Neutral by 2025\n", "in Scope 1 & 2 emissions"],
    );
}

/// Draws each letter of a text by itself, and again a little to the right.
fn twice(page: Page, y: f32, words: &str) -> Page {
    let mut x = 60.0;
    words.chars().fold(page, |page, letter| {
        let letter = letter.to_string();
        let page = page.text(x, y, 10.0, &letter).text(x + 0.9, y, 10.0, &letter);
        x += width(&letter, 10.0);
        page
    })
}

#[test]
fn double_letters_are_no_copies_of_each_other() {
    let page = Page::default().text(60.0, 100.0, 10.0, "All will still tell of 1,100 hills.");
    let page = twice(page, 140.0, "Bills of 11,000 still fill it");
    in_order(&made(page), &["All will still tell of 1,100 hills.", "Bills of 11,000 still fill it"]);
}

#[test]
fn white_letters_on_a_dark_box_are_seen_and_black_ones_under_a_white_box_are_not() {
    let page = Page::default()
        .raw("0.1 0.2 0.4 rg 50 690 300 30 re f 1 g")
        .text(60.0, 100.0, 10.0, "Target of the group for 2030")
        .raw("0 g")
        .text(60.0, 200.0, 10.0, "A draft that was painted over")
        .raw("1 g 50 590 300 30 re f 0 g")
        .text(60.0, 300.0, 10.0, "The board reviews it each year.");
    let text = made(page);
    in_order(&text, &["Target of the group for 2030", "The board reviews it each year."]);
    assert!(!text.contains("draft"), "{text}");
}

#[test]
fn a_word_that_a_clip_cuts_only_in_part_stays_whole() {
    let page = Page::default()
        .raw("q 66 590 300 30 re W n")
        .text(60.0, 200.0, 10.0, "Buildings and yards")
        .raw("Q q 300 490 100 30 re W n")
        .text(60.0, 300.0, 10.0, "What stands outside")
        .raw("Q");
    let text = made(page);
    assert!(text.contains("Buildings and yards") && !text.contains("outside"), "{text}");
}

#[test]
fn a_band_behind_the_header_of_a_ruled_table_parts_it_from_the_rows() {
    let table = [
        ["Site", "FY23", "1H 2024"],
        ["Cement works", "1,204", "587"],
        ["Quarries", "318", "140"],
        ["Offices", "12", "6"],
    ];
    let page = Page::default().raw("0.8 0.9 0.8 rg 50 690 400 20 re f 0 g");
    let page = table.iter().enumerate().fold(page, |page, (r, row)| {
        let y = 105.0 + 20.0 * r as f32;
        let page = if r > 0 { page.rule((50.0, y + 5.0), (450.0, y + 5.0)) } else { page };
        row.iter().zip([60.0, 260.0, 360.0]).fold(page, |page, (cell, x)| page.text(x, y, 10.0, cell))
    });
    assert_eq!(table_rows(&made(page)), table.map(|row| row.join("|")));
}
