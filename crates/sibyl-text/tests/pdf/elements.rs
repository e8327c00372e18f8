//! What designers and word processors do: drop capitals, letter-spaced headings, icons, cells without lines, spreads.

use crate::read;
use crate::writer::{File, Page};
use sibyl_text::Severity;

const TEXT: [&str; 5] = [
    "he company counts what it emits in its own",
    "plants and vehicles and in the power that it",
    "buys from others. It follows the standard that",
    "most of its peers use as well and has the sums",
    "checked each year by an auditor from outside.",
];

fn text(page: Page) -> String {
    read(&File::default().page(page).bytes()).text
}

/// Rows of cells without the mark of their header.
fn rows(text: &str) -> Vec<Vec<&str>> {
    let rows = text.lines().filter(|line| line.starts_with('|') && !line.contains("---"));
    rows.map(|row| row.trim_matches('|').split('|').map(str::trim).collect()).collect()
}

/// A cell of a table, its text clipped to it as word processors do.
fn cell(page: Page, [left, top, right, bottom]: [f32; 4], lines: &[&str]) -> Page {
    let (width, height) = (right - left, bottom - top);
    let page = page.raw(&format!("q {left} {} {width} {height} re W* n", 800.0 - bottom));
    page.lines(left + 2.0, top + 11.0, lines).raw("Q")
}

#[test]
fn a_drop_capital_is_the_first_letter_of_its_word() {
    let page = Page::default().text(50.0, 112.0, 30.0, "T").lines(71.0, 100.0, &TEXT[..2]);
    let text = text(page.lines(50.0, 124.0, &TEXT[2..]));
    assert!(text.starts_with("The company counts what it emits in its own plants and vehicles"), "{text}");
}

#[test]
fn a_drop_capital_that_is_a_word_stays_one() {
    let page = Page::default().text(50.0, 112.0, 30.0, "A").lines(
        73.0,
        100.0,
        &["company counts what it emits in", "its own plants."],
    );
    let text = text(page.lines(
        50.0,
        124.0,
        &["Another company does not, and its numbers are less sure than those."],
    ));
    assert!(text.starts_with("A company counts what it emits in its own plants."), "{text}");
}

#[test]
fn letter_spaced_headings_are_words() {
    let spaced = "BT /F2 16 Tf 6 Tc 1 0 0 1 50 720 Tm (OUR CLIMATE) Tj ET";
    let page = Page::default().raw(spaced).raw("BT 0 Tc ET").lines(50.0, 120.0, &TEXT);
    let text = text(page);
    assert!(text.starts_with("# OUR CLIMATE\n"), "{text}");
}

#[test]
fn cells_that_are_clipped_one_by_one_are_a_table_without_any_line() {
    let xs = [50.0, 150.0, 260.0, 380.0];
    let cells = [
        [
            vec!["Governance"],
            vec!["The board hears of", "climate each quarter", "and decides."],
            vec!["Where a risk goes", "beyond one plant,", "the group acts."],
        ],
        [
            vec!["Strategy"],
            vec!["Plans rest upon two", "scenarios of others."],
            vec!["Each plant looks at", "floods and at heat."],
        ],
        [vec!["Metrics"], vec!["Sums are checked."], vec!["Plants report", "them in spring."]],
    ];
    let mut page = Page::default();
    for (r, row) in cells.iter().enumerate() {
        let top = 100.0 + 44.0 * r as f32;
        for (c, lines) in row.iter().enumerate() {
            page = cell(page, [xs[c], top, xs[c + 1], top + 44.0], lines);
        }
    }
    let expected: Vec<Vec<String>> =
        cells.iter().map(|row| row.iter().map(|cell| cell.join(" ")).collect()).collect();
    assert_eq!(rows(&text(page)), expected);
}

#[test]
fn one_clip_around_each_of_two_columns_makes_no_table() {
    let page = cell(Page::default(), [48.0, 89.0, 300.0, 160.0], &TEXT);
    let text = text(cell(page, [300.0, 89.0, 552.0, 160.0], &TEXT));
    assert!(!text.contains('|'), "{text}");
}

#[test]
fn lines_that_strike_words_out_are_no_rules_of_a_table() {
    let page = Page::default().lines(50.0, 100.0, &TEXT);
    let struck = (0..5).fold(page, |page, i| {
        let y = 97.0 + 12.0 * i as f32;
        page.rule((50.0, y), (248.0, y))
    });
    let text = text(struck);
    assert!(!text.contains('|'), "{text}");
    assert!(
        text.contains("in its own plants and vehicles and in the power that it buys from others."),
        "{text}"
    );
}

#[test]
fn the_mark_of_a_footnote_stays_with_its_note() {
    let page = Page::default()
        .lines(50.0, 100.0, &TEXT)
        .text(50.0, 736.5, 6.0, "1")
        .text(
            55.0,
            740.0,
            7.0,
            "As the standard has it, by the share of power in each of the plants that the company runs",
        )
        .text(50.0, 749.0, 7.0, "for others.")
        .text(50.0, 758.5, 6.0, "2")
        .text(55.0, 762.0, 7.0, "By number of people.");
    let text = text(page);
    let notes = "¹ As the standard has it, by the share of power in each of the plants that the company runs for others.";
    assert!(text.contains(&format!("\n\n{notes}\n\n² By number of people.")), "{text}");
}

#[test]
fn signs_of_icon_fonts_go_and_that_is_said() {
    let map = "begincmap 1 begincodespacerange <00> <FF> endcodespacerange 1 beginbfchar <41> <E123> endbfchar endcmap";
    let map = format!("/CIDInit /ProcSet findresource begin 12 dict begin {map} end end");
    let page = Page::default()
        .resources("/ExtGState << /G << /Font [5 0 R 20] >> >>")
        .raw("q BT /G gs 1 0 0 1 50 720 Tm <41> Tj ET Q")
        .lines(50.0, 100.0, &TEXT);
    let file = File::default()
        .page(page)
        .object("<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /ToUnicode 6 0 R >>")
        .object(&format!("<< /Length {} >>\nstream\n{map}\nendstream", map.len()));
    let document = read(&file.bytes());
    assert!(document.text.starts_with("he company"), "{}", document.text);
    let [notice] = document.notices.as_slice() else { panic!("{:?}", document.notices) };
    assert_eq!((notice.severity, notice.code.as_str()), (Severity::Info, "icons_left_out"));
    assert!(notice.message.starts_with("One sign of an icon font on page 1 "), "{}", notice.message);
}

#[test]
fn a_sheet_with_two_pages_is_read_page_by_page() {
    // Each page opens with a line over both of its columns; alone on the sheet, the columns would be four.
    let half =
        |page: Page, left: f32, name: &str, number: &str| {
            page.bold(left, 80.0, 18.0, name)
                .lines(left, 120.0, &TEXT)
                .lines(left + 260.0, 120.0, &TEXT)
                .text(left + if left < 600.0 { 0.0 } else { 480.0 }, 780.0, 9.0, number)
        };
    let page = half(half(Page::default().wide(), 50.0, "Governance", "12"), 650.0, "Strategy", "13");
    let document = read(&File::default().page(page).bytes());
    let order: Vec<usize> =
        ["Governance", "Strategy"].map(|name| document.text.find(name).expect(name)).to_vec();
    let texts: Vec<usize> = document.text.match_indices("he company").map(|(at, _)| at).collect();
    assert_eq!(texts.len(), 4, "{}", document.text);
    assert!(order[0] < texts[0] && texts[1] < order[1] && order[1] < texts[2], "{}", document.text);
}

#[test]
fn a_page_of_contents_gives_no_headings() {
    let entries =
        ["Governance", "Strategy and outlook", "Climate risks", "Metrics", "Targets", "Index of terms"];
    let page = entries
        .iter()
        .enumerate()
        .fold(Page::default().bold(50.0, 80.0, 20.0, "Contents"), |page, (i, entry)| {
            page.bold(50.0, 120.0 + 22.0 * i as f32, 12.0, &format!("{entry} {}", 3 + 4 * i))
        });
    let document = read(&File::default().page(page).page(Page::default().lines(50.0, 100.0, &TEXT)).bytes());
    let titles: Vec<&str> = document.sections.iter().map(|s| s.title.as_str()).collect();
    assert_eq!(titles, ["Contents"], "{}", document.text);
}

#[test]
fn the_title_is_what_the_first_page_shows_largest() {
    let cover = Page::default()
        .bold(50.0, 60.0, 12.0, "Environmental")
        .bold(50.0, 300.0, 30.0, "Sustainability")
        .bold(50.0, 334.0, 30.0, "Report 2024")
        .text(50.0, 380.0, 12.0, "Example Group");
    let file = File::default().page(cover).page(Page::default().lines(50.0, 100.0, &TEXT));
    assert_eq!(read(&file.bytes()).title.as_deref(), Some("Sustainability Report 2024"));
}
