//! Made pages, each for one thing that layout can do.

use crate::writer::{File, Page};
use crate::{in_order, read, text};
use sibyl_text::{BlockKind, Severity};

const LEFT: [&str; 6] = [
    "The company counts what it emits in its own",
    "plants and vehicles and in the power that it",
    "buys from others. It follows the standard that",
    "most of its peers use as well and has the sums",
    "checked each year by an auditor from outside,",
    "who reports to the board.",
];
const RIGHT: [&str; 6] = [
    "Suppliers are asked for their numbers once a",
    "year. Where they have none, the company works",
    "with averages of their trade. It says so where",
    "it does, and how much of the whole rests upon",
    "such averages, so that readers can judge what",
    "the sums are worth.",
];

#[test]
fn two_columns_are_read_one_after_the_other() {
    let page = Page::default().lines(50.0, 100.0, &LEFT).lines(310.0, 100.0, &RIGHT);
    in_order(&text(page), &["in its own plants", "to the board.", "once a year.", "are worth."]);
}

#[test]
fn a_line_across_the_gutter_parts_the_columns_above_it_from_those_below() {
    let page = Page::default()
        .lines(50.0, 100.0, &LEFT)
        .lines(310.0, 100.0, &RIGHT)
        .bold(50.0, 200.0, 16.0, "Governance of climate risks and of what they may bring about")
        .lines(50.0, 230.0, &RIGHT)
        .lines(310.0, 230.0, &LEFT);
    let text = text(page);
    in_order(&text, &["to the board.", "are worth.", "# Governance", "are worth.", "to the board."]);
}

#[test]
fn columns_of_different_height_still_follow_each_other() {
    let page = Page::default().lines(50.0, 100.0, &LEFT).lines(310.0, 106.0, &RIGHT[..3]);
    in_order(&text(page), &["in its own plants", "to the board.", "once a year."]);
}

const NUMBERED: [(&str, &[&str]); 4] = [
    (
        "11",
        &["An entity shall tell who oversees its risks and how", "often that body meets on them in a year."],
    ),
    (
        "12",
        &["Where a body delegates, the entity names the people", "to whom it does and what they may decide"],
    ),
    ("B13", &["Short paragraphs stand alone."]),
    (
        "14A",
        &[
            "The amounts are those of the reporting period and",
            "of the one before, unless no effort that is",
            "reasonable can find them.",
        ],
    ),
];

fn numbered(left: f32, distance: f32) -> Page {
    let mut y = 100.0;
    let mut page = Page::default();
    for (number, lines) in NUMBERED {
        page = page.text(left, y, 10.0, number).lines(left + distance, y, lines);
        y += 12.0 * lines.len() as f32;
    }
    page
}

#[test]
fn a_number_beside_a_paragraph_stays_with_its_first_line() {
    for (left, distance) in [(50.0, 30.0), (72.0, 36.0), (72.0, 42.0)] {
        let text = text(numbered(left, distance));
        let expected: Vec<String> =
            NUMBERED.iter().map(|(number, lines)| format!("{number} {}", lines.join(" "))).collect();
        let paragraphs: Vec<&str> = text.split("\n\n").map(str::trim).collect();
        assert_eq!(paragraphs, expected, "{distance} points apart");
    }
}

#[test]
fn numbers_in_the_first_column_of_a_table_stay_there() {
    let rows = [
        ["1", "Purchased goods", "1 204"],
        ["2", "Capital goods and", "950"],
        ["", "what they are made of", ""],
        ["3", "Fuel", "17"],
        ["4", "Transport of goods", "2 411"],
    ];
    let page = rows.iter().enumerate().fold(Page::default(), |page, (r, row)| {
        let y = 100.0 + 12.0 * r as f32;
        let cells = [55.0, 85.0, 355.0].into_iter().zip(row).filter(|(_, cell)| !cell.is_empty());
        cells.fold(page, |page, (x, cell)| page.text(x, y, 10.0, cell))
    });
    let found = cells(&text(page));
    let numbers: Vec<&str> = found.iter().map(|row| row[0].as_str()).collect();
    // The first row of the table names no column.
    assert_eq!(numbers, ["", "1", "2", "3", "4"]);
    assert!(found.iter().all(|row| row.len() == 3), "{found:?}");
}

fn ruled(page: Page, xs: &[f32], ys: &[f32]) -> Page {
    let page = ys.iter().fold(page, |page, y| page.rule((xs[0], *y), (xs[xs.len() - 1], *y)));
    xs.iter().fold(page, |page, x| page.rule((*x, ys[0]), (*x, ys[ys.len() - 1])))
}

const TABLE: [[&str; 3]; 4] = [
    ["Emissions (t CO2e)", "2023", "2024"],
    ["Scope 1", "1 204", "1 187"],
    ["Scope 2, market-based", "12 950", "0"],
    ["Scope 3 | category 6", "-3.5 %", "(17)"],
];

fn filled(page: Page, rows: &[[&str; 3]], top: f32) -> Page {
    rows.iter().enumerate().fold(page, |page, (r, row)| {
        let y = top + 20.0 * r as f32;
        page.text(55.0, y, 10.0, row[0]).text(255.0, y, 10.0, row[1]).text(355.0, y, 10.0, row[2])
    })
}

/// The cells of the table rows of a text, without delimiter rows.
fn cells(text: &str) -> Vec<Vec<String>> {
    let rows = text.lines().filter(|line| line.starts_with('|') && !line.contains("---"));
    rows.map(|row| {
        let row = row.replace("\\|", "\u{1}");
        row.trim_matches('|').split('|').map(|cell| cell.trim().replace('\u{1}', "|")).collect()
    })
    .collect()
}

#[test]
fn a_ruled_table_keeps_its_numbers() {
    let page = filled(Page::default(), &TABLE, 114.0);
    let page = ruled(page, &[50.0, 250.0, 350.0, 450.0], &[100.0, 120.0, 140.0, 160.0, 180.0]);
    let document = read(&File::default().page(page).bytes());
    assert_eq!(cells(&document.text), TABLE.map(|row| row.map(str::to_owned).to_vec()));
    assert!(document.blocks.iter().any(|b| matches!(b.kind, BlockKind::Table { .. })), "no table block");
}

#[test]
fn a_table_of_horizontal_rules_alone_is_a_table() {
    let page = [100.0, 120.0, 180.0]
        .iter()
        .fold(filled(Page::default(), &TABLE, 114.0), |page, y| page.rule((50.0, *y), (450.0, *y)));
    assert_eq!(cells(&text(page)), TABLE.map(|row| row.map(str::to_owned).to_vec()));
}

#[test]
fn a_table_without_rules_is_known_by_its_columns() {
    let page = Page::default().lines(50.0, 60.0, &LEFT[..2]);
    let page = filled(page, &TABLE, 120.0).lines(50.0, 240.0, &RIGHT[..2]);
    let text = text(page);
    assert_eq!(cells(&text), TABLE.map(|row| row.map(str::to_owned).to_vec()));
    in_order(&text, &["power that it", "| Scope 1 | 1 204 | 1 187 |", "Suppliers are asked"]);
}

#[test]
fn a_cell_across_columns_stands_in_the_first_of_them() {
    let page = ruled(Page::default(), &[50.0, 250.0, 350.0, 450.0], &[120.0, 140.0, 160.0])
        .rule((50.0, 100.0), (450.0, 100.0))
        .rule((50.0, 100.0), (50.0, 120.0))
        .rule((450.0, 100.0), (450.0, 120.0))
        .text(180.0, 114.0, 10.0, "Energy use in gigawatt hours, all sites together");
    let page = filled(page, &[["Site", "2023", "2024"], ["Mill", "7.1", "6.9"]], 134.0);
    let expected = [
        ["Energy use in gigawatt hours, all sites together", "", ""],
        ["Site", "2023", "2024"],
        ["Mill", "7.1", "6.9"],
    ];
    assert_eq!(cells(&text(page)), expected.map(|row| row.map(str::to_owned).to_vec()));
}

#[test]
fn numbers_below_each_other_in_a_cell_do_not_become_one() {
    let page = ruled(Page::default(), &[50.0, 250.0, 450.0], &[100.0, 120.0, 160.0])
        .text(55.0, 114.0, 10.0, "Site")
        .text(255.0, 114.0, 10.0, "Tonnes")
        .text(55.0, 134.0, 10.0, "Mill and plant")
        .text(255.0, 134.0, 10.0, "10")
        .text(255.0, 146.0, 10.0, "204");
    assert!(text(page).contains("| Mill and plant | 10<br>204 |"));
}

#[test]
fn broken_words_are_mended_and_compounds_keep_their_hyphen() {
    let page = Page::default().lines(
        50.0,
        100.0,
        &[
            "Plans for adaptation name nature-based measures. The plan for adap-",
            "tation of this year adds three of them, which count as nature-",
            "based and are paid for in 2025 from the budget for short- and long-",
            "term measures, some with the help of the Franco-",
            "German fund for 2024\u{ad}2027, a co\u{ad}",
            "operation of both states. It is led by an intra-",
            "agency group. A director and thirty-",
            "eight experts report each near-",
            "miss to the direct-",
            "or of the fund and to its regulat-",
            "or.",
        ],
    );
    let text = text(page);
    for expected in [
        "thirty-eight experts",
        "each near-miss",
        "to the director of",
        "its regulator.",
        "for adaptation of this",
        "as nature-based and",
        "short- and long-term",
        "Franco-German",
        "2024-2027",
        "a cooperation",
        "an intra-agency group",
    ] {
        assert!(text.contains(expected), "{expected:?} is not in:\n{text}");
    }
}

#[test]
fn a_footnote_mark_does_not_lengthen_the_number_before_it() {
    let page = Page::default().raw(
        "BT /F1 10 Tf 1 0 0 1 50 700 Tm (Emissions fell by 42) Tj /F1 6 Tf 4 Ts (3) Tj /F1 10 Tf 0 Ts ( percent since 2019.) Tj ET",
    );
    assert_eq!(text(page), "Emissions fell by 42³ percent since 2019.\n");
}

#[test]
fn lists_keep_their_marks_and_depth() {
    let page = Page::default()
        .text(50.0, 100.0, 10.0, "The board looks at:")
        .text(60.0, 114.0, 10.0, "•")
        .text(75.0, 114.0, 10.0, "risks that arise from heat and")
        .text(75.0, 126.0, 10.0, "from drought")
        .text(80.0, 140.0, 10.0, "•")
        .text(95.0, 140.0, 10.0, "in plants")
        .text(60.0, 154.0, 10.0, "•")
        .text(75.0, 154.0, 10.0, "chances")
        .text(50.0, 190.0, 10.0, "1.")
        .text(70.0, 190.0, 10.0, "First step")
        .text(50.0, 204.0, 10.0, "2.")
        .text(70.0, 204.0, 10.0, "Second step");
    let expected = "The board looks at:\n\n- risks that arise from heat and from drought\n  - in plants\n- chances\n1. First step\n2. Second step\n";
    assert_eq!(text(page), expected);
}

#[test]
fn text_that_looks_like_markdown_stays_text() {
    let page = Page::default()
        .text(50.0, 100.0, 10.0, "# of employees who were trained: 12 in all")
        .text(50.0, 130.0, 10.0, "> 5 MW of own solar power, on three roofs")
        .text(50.0, 160.0, 10.0, "+ 4 degrees is the worst case that is looked at");
    let document = read(&File::default().page(page).bytes());
    assert_eq!(document.blocks.len(), 3);
    assert!(document.blocks.iter().all(|b| b.kind == BlockKind::Paragraph), "{:?}", document.blocks);
    assert!(document.text.contains("\\# of employees"), "{}", document.text);
}

/// A plain report of some pages with headings, running lines and page numbers.
pub fn report(pages: usize) -> File {
    (1..=pages).fold(File::default(), |file, number| {
        file.page(
            Page::default()
                .text(50.0, 40.0, 8.0, "Annual climate report")
                .bold(50.0, 100.0, 16.0, ["Strategy", "Risks", "Targets", "Governance"][(number - 1) % 4])
                .lines(50.0, 130.0, &LEFT)
                .text(290.0, 770.0, 8.0, &format!("{number} | Report 2024")),
        )
    })
}

#[test]
fn running_lines_go_and_are_kept_aside() {
    let document = read(&report(4).bytes());
    assert!(!document.text.contains("Annual climate report"), "{}", document.text);
    assert!(!document.text.contains("Report 2024"));
    let titles: Vec<&str> = document.sections.iter().map(|s| s.title.as_str()).collect();
    assert_eq!(titles, ["Strategy", "Risks", "Targets", "Governance"]);
    assert!(document.metadata["running_text"].to_string().contains("Annual climate report"));
}

#[test]
fn pages_without_text_are_named_in_one_notice() {
    let blank = Page::default().rule((0.0, 0.0), (50.0, 70.0));
    let file = report(1)
        .page(blank.clone())
        .page(Page::default().lines(50.0, 100.0, &LEFT))
        .page(blank.clone())
        .page(blank);
    let document = read(&file.bytes());
    let [notice] = document.notices.as_slice() else { panic!("{:?}", document.notices) };
    assert_eq!((notice.severity, notice.code.as_str()), (Severity::Warning, "pages_without_text"));
    assert!(notice.message.starts_with("Pages 2, 4–5 contain no text"), "{}", notice.message);
    assert_eq!(document.pages.len(), 5);
}

#[test]
fn pages_carry_their_printed_labels() {
    let file = report(4).catalog("/PageLabels << /Nums [0 << /S /r /St 3 >> 2 << /S /D /P (A-) >>] >>");
    let labels: Vec<Option<String>> = read(&file.bytes()).pages.into_iter().map(|p| p.label).collect();
    assert_eq!(labels, ["iii", "iv", "A-1", "A-2"].map(|l| Some(l.to_owned())));
}

#[test]
fn the_outline_gives_headings_their_level() {
    let file = report(2)
        .catalog("/Outlines 5 0 R")
        .object("<< /First 6 0 R /Last 6 0 R >>")
        .object("<< /Title (Our climate) /First 7 0 R /Last 7 0 R >>")
        .object("<< /Title (Risks) >>");
    let document = read(&file.bytes());
    let risks = document.sections.iter().find(|s| s.title == "Risks").expect("a heading");
    assert_eq!(risks.level, 2);
}

#[test]
fn a_hidden_layer_is_not_read() {
    let page = Page::default()
        .text(50.0, 100.0, 10.0, "Shown to everyone.")
        .raw("/OC /Layer BDC")
        .text(50.0, 130.0, 10.0, "Draft, not for release.")
        .raw("EMC")
        .text(50.0, 160.0, 10.0, "Shown as well.")
        .resources("/Properties << /Layer 5 0 R >>");
    let off = "/OCProperties << /OCGs [5 0 R] /D << /OFF [5 0 R] >> >>";
    let file = File::default().page(page).object("<< /Type /OCG /Name (Draft) >>");
    let hidden = read(&file.catalog(off).bytes()).text;
    assert_eq!(hidden, "Shown to everyone.\n\nShown as well.\n");
}

#[test]
fn a_font_set_by_the_graphics_state_counts() {
    let page = Page::default()
        .raw("/G gs BT 1 0 0 1 50 700 Tm (Set by the state.) Tj ET")
        .resources("/ExtGState << /G << /Font [3 0 R 10] >> >>");
    assert_eq!(text(page), "Set by the state.\n");
}

#[test]
fn a_wrapped_line_that_refers_to_items_is_no_item() {
    let lines = [
        "What is told of the plan goes with the disclosures that are named in",
        "(b) and (c) of the list. Each of them stands on its own, and those of",
        "(a) to (d), which come first, stand before all of the others there.",
    ];
    assert_eq!(text(Page::default().lines(50.0, 100.0, &lines)), format!("{}\n", lines.join(" ")));
}

#[test]
fn a_segment_leads_back_to_its_place() {
    let document = read(&File::default().page(Page::default().lines(50.0, 100.0, &LEFT)).bytes());
    let segment = &document.segments[2];
    assert_eq!(segment.span.of(&document.text), LEFT[2]);
    let [left, top, right, bottom] = segment.rect.expect("a box");
    assert!(
        (left - 50.0).abs() < 1.0 && top < 124.0 && bottom > 124.0 && bottom - top < 16.0 && right > 200.0
    );
}

#[test]
fn each_entry_of_a_table_of_contents_stands_alone() {
    let page = Page::default().lines(
        50.0,
        100.0,
        &[
            "2.1 Scope of the report ........................ 2",
            "2.2 Boundaries .................................... 14",
        ],
    );
    assert_eq!(text(page), "2.1 Scope of the report … 2\n\n2.2 Boundaries … 14\n");
}

#[test]
fn a_bold_opening_stays_with_its_paragraph() {
    let page = Page::default()
        .lines(50.0, 60.0, &LEFT)
        .bold(50.0, 160.0, 10.0, "The parts of the chain that heat can harm before")
        .bold(50.0, 172.0, 10.0, "all others")
        .text(106.0, 172.0, 10.0, "are those that must be kept cold")
        .text(50.0, 184.0, 10.0, "on their way.");
    let expected = "The parts of the chain that heat can harm before all others are those that must be kept cold on their way.";
    assert!(text(page.clone()).contains(expected), "{}", text(page));
}

#[test]
fn the_title_stays_where_running_lines_repeat_it() {
    let cover = Page::default().bold(50.0, 45.0, 20.0, "Annual climate report").lines(50.0, 130.0, &RIGHT);
    let body = report(3);
    let document = read(&body.first(cover).bytes());
    assert!(document.text.starts_with("# Annual climate report\n"), "{}", document.text);
    assert_eq!(document.text.matches("Annual climate report").count(), 1);
}

#[test]
fn a_label_that_recurs_beside_text_is_no_running_line() {
    let file = ["read", "write", "copy"].iter().fold(File::default(), |file, name| {
        let page = Page::default()
            .text(50.0, 40.0, 8.0, "Manual")
            .bold(50.0, 80.0, 10.0, name)
            .text(450.0, 80.0, 10.0, "[Function]")
            .lines(50.0, 110.0, &LEFT);
        file.page(page)
    });
    assert_eq!(read(&file.bytes()).text.matches("[Function]").count(), 3);
}

#[test]
fn roman_page_numbers_go_as_others_do() {
    let file = ["iii", "iv", "v", "vi"].iter().fold(File::default(), |file, number| {
        file.page(Page::default().lines(50.0, 100.0, &LEFT).text(50.0, 780.0, 8.0, number))
    });
    let text = read(&file.bytes()).text;
    assert!(text.lines().all(|line| !["iii", "iv", "v", "vi"].contains(&line)), "{text}");
}

#[test]
fn a_line_that_runs_up_the_margin_parts_no_columns() {
    // It reaches from the upper columns down to the lower ones.
    let page = Page::default()
        .lines(50.0, 100.0, &LEFT)
        .lines(310.0, 100.0, &RIGHT)
        .bold(50.0, 210.0, 16.0, "Governance")
        .lines(50.0, 230.0, &RIGHT)
        .lines(310.0, 230.0, &LEFT)
        .raw("BT /F1 8 Tf 0 1 -1 0 588 540 Tm (Sums are rounded to whole tonnes throughout this report.) Tj ET");
    let text = text(page);
    in_order(&text, &["to the board.", "are worth.", "# Governance", "are worth.", "to the board."]);
    assert!(text.contains("Sums are rounded to whole tonnes throughout this report."), "{text}");
}

#[test]
fn a_quotation_in_large_letters_inside_a_paragraph_does_not_tear_it() {
    let page = Page::default()
        .lines(50.0, 100.0, &LEFT[..3])
        .text(50.0, 154.0, 16.0, "All that is emitted")
        .text(50.0, 173.0, 16.0, "is counted.")
        .lines(50.0, 197.0, &LEFT[3..]);
    let text = text(page);
    assert!(text.contains("the standard that most of its peers use as well"), "{text}");
    assert!(text.contains("All that is emitted is counted."), "{text}");
}

#[test]
fn pictures_side_by_side_do_not_part_columns_that_go_on_below_them() {
    let column = |page: Page, left: f32, above: &[&str], below: &[&str]| {
        page.lines(left, 100.0, above).lines(left, 230.0, below)
    };
    let page = column(Page::default(), 50.0, &LEFT, &RIGHT[..5]);
    let page = column(page, 310.0, &["the sums are worth to them.", "It says so each year."], &LEFT);
    in_order(
        &text(page),
        &["to the board.", "can judge what the sums are worth to them.", "in its own plants"],
    );
}
