//! What designers and word processors do: drop capitals, letter-spaced headings, icons, cells without lines, spreads.
//!
//! Over 500 lines: one case a page, each with the page that it draws.

use crate::writer::{File, Page, width};
use crate::{in_order, read, text};
use sibyl_text::{BlockKind, Severity};

const TEXT: [&str; 5] = [
    "he company counts what it emits in its own",
    "plants and vehicles and in the power that it",
    "buys from others. It follows the standard that",
    "most of its peers use as well and has the sums",
    "checked each year by an auditor from outside.",
];

/// Rows of cells without the mark of their header.
pub fn rows(text: &str) -> Vec<Vec<&str>> {
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
fn a_drop_capital_below_a_lead_begins_the_text() {
    // The word is so close to its initial capital that no space is between them.
    let left = 50.0 + width("T", 30.0) + 0.5;
    let lead = ["The year was the driest on record, and the mills", "stood still for eleven weeks."];
    let page = Page::default().text(50.0, 80.0, 14.0, lead[0]).text(50.0, 97.0, 14.0, lead[1]);
    let page =
        page.text(50.0, 142.0, 30.0, "T").lines(left, 130.0, &TEXT[..2]).lines(50.0, 154.0, &TEXT[2..]);
    let text = text(page);
    let whole =
        "stood still for eleven weeks.\n\nThe company counts what it emits in its own plants and vehicles";
    assert!(text.contains(whole), "{text}");
}

#[test]
fn a_bullet_before_a_number_begins_an_item() {
    let items = ["1.2 million tonnes of milk", "38 kilotonnes of feed"];
    let page = items
        .iter()
        .zip([100.0, 112.0])
        .fold(Page::default(), |page, (item, y)| page.text(50.0, y, 7.0, "•").text(60.0, y, 10.0, item));
    assert_eq!(text(page), "- 1.2 million tonnes of milk\n- 38 kilotonnes of feed\n");
}

#[test]
fn shares_currencies_and_zero_are_key_figures() {
    let figures = [
        ("EUR 6.1m", "paid to schools close to our plants"),
        ("9 in 10", "customers like the taste of the water"),
        ("Zero", "fatal accidents at the sites of the company"),
    ];
    let page =
        figures.iter().zip([100.0, 180.0, 260.0]).fold(Page::default(), |page, ((number, label), y)| {
            page.text(50.0, y, 24.0, number).text(50.0, y + 16.0, 10.0, label)
        });
    // A label that ends in a year is above the last.
    let page = page.lines(50.0, 340.0, &["Water drawn for each tonne of cement since", "2018"]);
    let text = text(page.text(50.0, 380.0, 24.0, "–22%"));
    let mut expected: Vec<String> = figures.map(|(number, label)| format!("{number} {label}")).to_vec();
    expected.push("Water drawn for each tonne of cement since 2018 –22%".to_owned());
    assert_eq!(text.trim_end().split("\n\n").collect::<Vec<_>>(), expected);
}

#[test]
fn a_label_behind_its_number_is_one_figure_with_it() {
    // Close after the number, and at the distance of a word set in its letters.
    let page = Page::default().text(50.0, 100.0, 20.0, "11m");
    let page = page.text(50.0 + width("11m", 20.0) + 4.0, 100.0, 10.0, "meals given away");
    let page = page.text(50.0, 160.0, 20.0, "340");
    let page = page.text(50.0 + width("340", 20.0) + 8.0, 160.0, 10.0, "grants for the young");
    let document = read(&File::default().page(page.lines(50.0, 220.0, &TEXT[1..])).bytes());
    let told: Vec<(BlockKind, &str)> =
        document.blocks.iter().map(|b| (b.kind, &document.text[b.span.start..b.span.end])).collect();
    assert_eq!(told[0], (BlockKind::KeyFigure, "11m meals given away"), "{told:?}");
    assert_eq!(told[1], (BlockKind::KeyFigure, "340 grants for the young"), "{told:?}");
}

#[test]
fn a_heading_in_the_margin_heads_the_text_beside_it() {
    let page = |head: &str, y: f32| Page::default().bold(50.0, y, 10.0, head).lines(200.0, y, &TEXT[1..]);
    let bytes = File::default().page(page("First", 100.0)).page(page("Leaks and losses", 160.0)).bytes();
    let document = read(&bytes);
    assert!(document.text.contains("# Leaks and losses\n\nplants and vehicles"), "{}", document.text);
}

#[test]
fn words_that_somebody_said_head_nothing() {
    let said = "\"Profit is only a number on a page.\"";
    let page = Page::default().text(50.0, 100.0, 16.0, said);
    let text =
        text(page.lines(50.0, 130.0, &["The company counts what it emits in its own", TEXT[1], TEXT[2]]));
    assert!(text.starts_with(&format!("{said}\n\n")), "{text}");
}

#[test]
fn a_star_marks_a_note_where_no_other_line_has_one() {
    let page =
        Page::default().lines(50.0, 100.0, &["Sums of the year before are marked where", "they changed."]);
    let one = text(page.clone().lines(50.0, 130.0, &["* Restated after an error was found."]));
    assert!(one.contains("\n\n\\* Restated after"), "{one}");
    let two = text(page.lines(50.0, 130.0, &["* Heat and drought", "* Rising water"]));
    assert!(two.contains("- Heat and drought\n- Rising water"), "{two}");
}

#[test]
fn a_sentence_ends_no_paragraph_where_the_next_word_had_no_room() {
    let page = Page::default().lines(
        50.0,
        100.0,
        &[
            "Studies of the basins look at what",
            "is there for the mills.",
            "Hydrometeorological work has a",
            "part in all that is decided.",
        ],
    );
    let text = text(page);
    assert_eq!(text.matches("\n\n").count(), 0, "{text}");
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
    let page =
        Page::default().lines(50.0, 100.0, &TEXT).text(50.0, 300.0, 10.0, "The board struck this out.");
    let struck = TEXT.iter().enumerate().fold(page, |page, (i, line)| {
        let y = 97.0 + 12.0 * i as f32;
        page.rule((50.0, y), (50.0 + width(line, 10.0), y))
    });
    assert_eq!(text(struck).trim(), "The board struck this out.");
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
    assert!(notice.message.starts_with("One symbol from an icon font on page 1 "), "{}", notice.message);
}

#[test]
fn a_sheet_with_two_pages_is_read_page_by_page() {
    // Each page opens with a line across both columns; on the sheet alone, there would seem to be four columns.
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
fn a_sheet_with_two_pages_has_the_labels_of_both() {
    let sheet = |numbers: [&str; 2], crossed: bool| {
        let page = Page::default().wide().lines(50.0, 100.0, &TEXT).lines(650.0, 100.0, &TEXT);
        let page = page.text(50.0, 780.0, 9.0, numbers[0]).text(1130.0, 780.0, 9.0, numbers[1]);
        if crossed { page.text(480.0, 60.0, 18.0, "A line over both of the pages") } else { page }
    };
    let labels = |sheets: Vec<Page>| -> Vec<Option<String>> {
        let file = sheets.into_iter().fold(File::default(), File::page);
        read(&file.bytes()).pages.into_iter().map(|page| page.label).collect()
    };
    let both = |first: &str, second: &str| vec![Some(first.to_owned()), Some(second.to_owned())];
    assert_eq!(labels(vec![sheet(["08", "09"], false), sheet(["10", "11"], true)]), both("8–9", "10–11"));
    // Numbers that do not go on from sheet to sheet are those of something else.
    assert_eq!(labels(vec![sheet(["1", "2"], false), sheet(["7", "8"], false)]), vec![None, None]);
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
    assert!(titles.is_empty(), "{titles:?} in {}", document.text);
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

#[test]
fn lines_that_are_shaded_in_clipped_cells_part_no_row() {
    let xs = [50.0, 150.0, 350.0];
    let cells = [
        [vec!["Heat"], vec!["Days beyond the usual", "most are counted."]],
        [vec!["Floods"], vec!["Plants in the plain of", "a river are counted."]],
        [vec!["Drought"], vec!["Wells are measured."]],
    ];
    let mut page = Page::default();
    for (r, row) in cells.iter().enumerate() {
        let top = 100.0 + 40.0 * r as f32;
        for (c, lines) in row.iter().enumerate() {
            // Word processors shade the cell, and then each line again, to its margins only.
            for line in 0..lines.len() {
                let down = 800.0 - top - 12.0 * (line + 1) as f32;
                page = page.raw(&format!(
                    "0.9 g {} {down} {} 12 re f 0 g",
                    xs[c] + 5.0,
                    xs[c + 1] - xs[c] - 10.0
                ));
            }
            page = cell(page, [xs[c], top, xs[c + 1], top + 40.0], lines);
        }
    }
    let expected: Vec<Vec<String>> =
        cells.iter().map(|row| row.iter().map(|cell| cell.join(" ")).collect()).collect();
    assert_eq!(rows(&text(page)), expected);
}

#[test]
fn soft_hyphens_at_which_no_line_ends_go() {
    // As browsers write it: the glyph of a space without width, and the character it stands for.
    let soft = |before: &str| {
        let step = width(before, 10.0);
        format!("({before}) Tj /Span <</ActualText <FEFF00AD>>> BDC {step} 0 Td ( ) Tj EMC 0 0 Td")
    };
    let ops = format!("BT /F1 10 Tf 1 0 0 1 50 700 Tm {} {} (nity) Tj ET", soft("com"), soft("mu"));
    assert_eq!(text(Page::default().raw(&ops)), "community\n");
}

/// A justified paragraph beside another one, whose third line has wide spaces.
#[test]
fn wide_spaces_of_a_justified_line_part_no_words() {
    let beside = [
        "The plant stood still for a week while the new",
        "press was set up beside the old one. Workers of",
        "both shifts were trained by the makers of it and",
        "took over in May, a month before they had hoped.",
        "Since then, the scrap that leaves the hall fell.",
    ];
    let page = Page::default().lines(50.0, 100.0, &beside);
    let page = page.text(300.0, 100.0, 10.0, "Local partners around the harbour wrote");
    let page = page.text(300.0, 112.0, 10.0, "letters of support and asked each of the");
    let words = ["documented", "a", "survey", "among"];
    let right = 300.0 + width("letters of support and asked each of the", 10.0);
    let used: f32 = words.iter().map(|word| width(word, 10.0)).sum();
    let space = (right - 300.0 - used) / 3.0;
    let mut x = 300.0;
    let mut page = page;
    for word in words {
        page = page.text(x, 124.0, 10.0, word);
        x += width(word, 10.0) + space;
    }
    let page = page.text(300.0, 136.0, 10.0, "hundreds of volunteers to say what they");
    let text = text(page.text(300.0, 148.0, 10.0, "would change in the smelter."));
    in_order(
        &text,
        &[
            "Since then, the scrap that leaves the hall fell.",
            "asked each of the documented a survey among hundreds of volunteers",
        ],
    );
}

#[test]
fn a_gutter_as_wide_as_the_spaces_of_a_line_parts_columns() {
    let left = [
        "The plant stood still for a",
        "week while the new press",
        "was set up there in May,",
        "beside the old one, and the",
        "workers of both shifts knew",
    ];
    let right = [
        "Since then, the scrap that is",
        "sold by the mill fell by some",
        "tons in each of the years,",
        "and the noise that it makes is",
        "hardly heard at the harbour.",
    ];
    let column = left.iter().chain(&right).map(|line| width(line, 10.0)).fold(0.0, f32::max);
    let space = |line: &str| {
        let words: Vec<&str> = line.split(' ').collect();
        let used: f32 = words.iter().map(|word| width(word, 10.0)).sum();
        (column - used) / (words.len() - 1) as f32
    };
    // Each line fills its column; the third on the left has spaces as wide as the gutter.
    let gutter = space(left[2]);
    let mut page = Page::default();
    for (i, (line, other)) in left.iter().zip(right).enumerate() {
        let y = 100.0 + 12.0 * i as f32;
        for (mut x, line) in [(50.0, *line), (50.0 + column + gutter, other)] {
            for word in line.split(' ') {
                page = page.text(x, y, 10.0, word);
                x += width(word, 10.0) + space(line);
            }
        }
    }
    let text = text(page);
    assert_eq!(text, format!("{}\n\n{}\n", left.join(" "), right.join(" ")), "{text}");
}

#[test]
fn a_title_over_nothing_but_a_table_is_one() {
    let page = Page::default().text(50.0, 80.0, 16.0, "Emissions");
    let rows = [["Gas", "Tonnes"], ["Carbon dioxide", "4,012"], ["Methane", "310"], ["Nitrous oxide", "27"]];
    let page = ruled_rows(page, 110.0, &[50.0, 300.0], &rows.each_ref().map(|row| row.as_slice()));
    assert!(text(page).starts_with("# Emissions\n"));
}

#[test]
fn drawn_bullets_are_those_of_a_list_and_what_stands_out_below_it_is_no_item() {
    let items = ["Hedges and ponds", "Cover crops on a third", "Less tillage"];
    let mut page = Page::default().lines(
        50.0,
        100.0,
        &["The farms that the company leases get from it", "the means for:"],
    );
    for (item, y) in items.iter().zip([124.0, 136.0, 148.0]) {
        page = page.text(64.0, y, 10.0, item).raw(&format!("52 {} 3 3 re f", 800.0 - y + 2.0));
    }
    let page = page.lines(
        50.0,
        160.0,
        &["The plants of the company are visited each year", "by an auditor from outside."],
    );
    let expected = "The farms that the company leases get from it the means for:\n\n- Hedges and ponds\n- Cover crops on \
                    a third\n- Less tillage\n\nThe plants of the company are visited each year by an auditor from outside.\n";
    assert_eq!(text(page), expected);
}

#[test]
fn shapes_of_a_drawing_that_overlap_are_no_table() {
    // A pill, of which only the straight lower side is a line, with a box over its right end.
    let page = Page::default().lines(60.0, 100.0, &["Metrics and Targets (a)", "and (c)"]);
    let page = page.lines(105.0, 112.0, &["As well as other", "disclosures that", "stand below"]);
    let page = page.rule((56.0, 115.0), (170.0, 115.0)).rule((184.0, 95.0), (184.0, 104.0));
    let page = [104.0, 142.0].iter().fold(page, |page, y| page.rule((92.0, *y), (192.0, *y)));
    let page = [92.0, 192.0].iter().fold(page, |page, x| page.rule((*x, 104.0), (*x, 142.0)));
    let text = text(page);
    assert!(!text.contains('|'), "{text}");
    in_order(&text, &["Metrics and Targets (a) and (c)", "As well as other disclosures that stand below"]);
}

#[test]
fn a_name_that_begins_left_of_its_table_is_whole() {
    let cells = [["Theme", "Aim"], ["Supply chain", "Know the risks."], ["Host nations", "Work together."]];
    let mut page = Page::default();
    for y in [100.0, 120.0, 140.0, 160.0] {
        page = page.rule((50.0, y), (350.0, y));
    }
    for x in [50.0, 150.0, 350.0] {
        page = page.rule((x, 100.0), (x, 160.0));
    }
    for (row, y) in cells.iter().zip([114.0, 134.0, 154.0]) {
        // More than half of "Host" is outside.
        let left = if row[0].starts_with("Host") { 50.0 - 0.6 * width("Host", 10.0) } else { 55.0 };
        page = page.text(left, y, 10.0, row[0]).text(155.0, y, 10.0, row[1]);
    }
    let text = text(page);
    assert_eq!(rows(&text), cells, "{text}");
}

/// Rows of a table between rules, each with its cells at `xs`, the header over the first rule.
fn ruled_rows(page: Page, top: f32, xs: &[f32], rows: &[&[&str]]) -> Page {
    rows.iter().enumerate().fold(page, |page, (r, row)| {
        let y = top + 16.0 * r as f32;
        let page = row.iter().zip(xs).fold(page, |page, (cell, x)| {
            if r == 0 { page.bold(*x, y, 10.0, cell) } else { page.text(*x, y, 10.0, cell) }
        });
        page.rule((50.0, y + 5.0), (550.0, y + 5.0))
    })
}

#[test]
fn two_tables_with_rules_of_the_same_length_are_two() {
    let first: [&[&str]; 4] = [
        &["Topic", "What was done"],
        &["Governance", "The board hears of climate risks each quarter and decides"],
        &["Strategy", "Plans rest upon two scenarios that others have made"],
        &["Metrics", "Sums are checked each year by an auditor from outside"],
    ];
    let second: [&[&str]; 4] = [
        &["Indicator", "2022", "2023", "2024"],
        &["Energy used", "570.8", "408.8", "459.1"],
        &["Water drawn", "250.6", "681.8", "284.7"],
        &["Waste left", "781.2", "340.7", "682.1"],
    ];
    let page = ruled_rows(Page::default(), 100.0, &[50.0, 150.0], &first);
    let text = text(ruled_rows(page, 200.0, &[50.0, 300.0, 400.0, 500.0], &second));
    let expected: Vec<Vec<&str>> = first.iter().chain(&second).map(|row| row.to_vec()).collect();
    assert_eq!(rows(&text), expected);
}

#[test]
fn numbers_with_one_decimal_number_no_paragraph_beside_other_numbers() {
    let table = [
        ["Energy used", "86.8", "25.3", "9.1"],
        ["Water drawn", "25.6", "8.1", "14.7"],
        ["Waste left", "3.2", "34.7", "82.1"],
    ];
    let page = table.iter().enumerate().fold(Page::default(), |page, (r, row)| {
        let cells = row.iter().zip([50.0, 250.0, 290.0, 330.0]);
        cells.fold(page, |page, (cell, x)| page.text(x, 100.0 + 14.0 * r as f32, 10.0, cell))
    });
    // The first row names no column.
    assert_eq!(rows(&text(page))[1..], table.map(|row| row.to_vec()));
}

#[test]
fn names_of_columns_in_one_shade_are_cells() {
    let xs = [50.0, 200.0, 300.0, 400.0];
    let body = [["Own fleets", "2,886", "9%"], ["Buildings", "8,803", "27%"], ["Others", "2,455", "8%"]];
    let page = cell(Page::default(), [50.0, 100.0, 400.0, 120.0], &[]);
    let mut page = page.text(53.0, 112.0, 10.0, "Category").text(203.0, 112.0, 10.0, "Tonnes");
    page = page.text(303.0, 112.0, 10.0, "Share");
    for (r, row) in body.iter().enumerate() {
        let top = 120.0 + 20.0 * r as f32;
        for (c, text) in row.iter().enumerate() {
            page = cell(page, [xs[c], top, xs[c + 1], top + 20.0], &[text]);
        }
    }
    let found = text(page);
    let header = vec!["Category", "Tonnes", "Share"];
    assert_eq!(rows(&found), [vec![header], body.map(|row| row.to_vec()).to_vec()].concat());
}

#[test]
fn a_box_beside_a_table_mixes_with_none_of_its_rows() {
    let mut page = Page::default();
    for (r, (name, value)) in
        [("Own fleets", "2,886"), ("Buildings", "8,803"), ("Other sites", "2,455")].iter().enumerate()
    {
        let y = 120.0 + 30.0 * r as f32;
        page = page.text(350.0, y, 10.0, name).text(500.0, y, 10.0, value);
    }
    // A chart, with labels anywhere.
    for (r, mark) in ["40%", "30%", "20%", "10%"].iter().enumerate() {
        page = page.text(60.0, 114.0 + 23.0 * r as f32, 10.0, mark);
    }
    for (c, year) in ["2021", "2022", "2023", "2024"].iter().enumerate() {
        page = page.text(100.0 + 50.0 * c as f32, 200.0, 10.0, year).text(
            102.0 + 50.0 * c as f32,
            149.0,
            10.0,
            "31%",
        );
    }
    let page = [(50.0, 310.0), (340.0, 550.0)].iter().fold(page, |page, (left, right)| {
        let corners = [(*left, 95.0), (*right, 95.0), (*right, 210.0), (*left, 210.0)];
        (0..4).fold(page, |page, side| page.rule(corners[side], corners[(side + 1) % 4]))
    });
    let found = text(page);
    let table: Vec<Vec<&str>> =
        rows(&found).into_iter().filter(|row| row[0].starts_with(char::is_alphabetic)).collect();
    assert_eq!(
        table,
        [vec!["Own fleets", "2,886"], vec!["Buildings", "8,803"], vec!["Other sites", "2,455"]]
    );
}

#[test]
fn text_that_flows_around_a_box_is_read_before_it() {
    let beside: [&str; 4] = [
        "The company counts what it emits",
        "in its own plants and vehicles and",
        "in the power that it buys. It says",
        "what it knows of its suppliers and",
    ];
    let below: [&str; 3] = [
        "of those who use what it sells, where they have numbers, and it estimates all of the rest with",
        "averages of their trade, as long as nothing better can be had. It says so where it does and how",
        "much of the whole rests upon them.",
    ];
    let page = Page::default().lines(50.0, 100.0, &beside).lines(50.0, 148.0, &below);
    let page =
        page.lines(50.0, 184.0, &["What follows is another matter that the text comes to in the end."]);
    let page = page.lines(
        260.0,
        104.0,
        &["A box names what was bought in the year", "and what the plants made of it all."],
    );
    let corners = [(250.0, 90.0), (500.0, 90.0), (500.0, 130.0), (250.0, 130.0)];
    let text = text((0..4).fold(page, |page, side| page.rule(corners[side], corners[(side + 1) % 4])));
    let whole = format!("{} {}", beside.join(" "), below.join(" "));
    assert!(text.starts_with(&whole), "{text}");
    let place = |words: &str| text.find(words).unwrap_or_else(|| panic!("{words:?} is not in:\n{text}"));
    let boxed = place("A box names what was bought in the year and what the plants made of it all.");
    assert!(boxed < place("What follows is another matter"), "{text}");
}

#[test]
fn a_name_a_little_above_its_numbers_is_in_their_row() {
    let page =
        [("Light vehicles", "2,419", "8,154"), ("Heavy vehicles", "4,505", "4,545"), ("Ships", "171", "183")]
            .iter()
            .enumerate()
            .fold(
                Page::default().text(50.0, 100.0, 10.0, "Kind").text(250.0, 100.0, 10.0, "2023"),
                |page, (r, row)| {
                    let y = 118.0 + 18.0 * r as f32;
                    page.text(50.0, y, 10.0, row.0).text(250.0, y + 4.8, 10.0, row.1).text(
                        350.0,
                        y + 4.8,
                        10.0,
                        row.2,
                    )
                },
            );
    let text = text(page.text(350.0, 100.0, 10.0, "2024"));
    assert!(text.contains("| Heavy vehicles | 4,505 | 4,545 |"), "{text}");
}

#[test]
fn a_heading_that_only_its_colour_tells_is_one() {
    let text = [&*format!("Once a year t{}", TEXT[0]), TEXT[1], TEXT[2], TEXT[3], TEXT[4]];
    let page = Page::default()
        .lines(50.0, 100.0, &text)
        .raw("0 0.3 0.6 rg")
        .text(50.0, 190.0, 10.0, "Who oversees climate matters")
        .raw("0 g")
        .lines(50.0, 206.0, &text)
        .raw("0 0.3 0.6 rg")
        .text(50.0, 300.0, 10.0, "More on www.example.org/climate")
        .raw("0 g")
        .lines(50.0, 316.0, &text)
        // Grey does not count as a colour.
        .raw("0.4 g")
        .text(50.0, 400.0, 10.0, "Figures of the year before")
        .raw("0 g")
        .lines(50.0, 416.0, &text);
    let document = read(&File::default().page(page).bytes());
    let titles: Vec<&str> = document.sections.iter().map(|s| s.title.as_str()).collect();
    assert_eq!(titles, ["Who oversees climate matters"], "{}", document.text);
}

#[test]
fn a_cover_names_title_issuer_and_year() {
    let cover = Page::default()
        .bold(50.0, 300.0, 30.0, "Sustainability Report")
        .text(50.0, 380.0, 14.0, "Example Holdings plc")
        .text(50.0, 410.0, 14.0, "2023/24");
    let file = File::default().page(cover).page(Page::default().lines(50.0, 100.0, &TEXT));
    let document = read(&file.bytes());
    assert_eq!(document.title.as_deref(), Some("Sustainability Report"));
    assert_eq!(document.metadata["issuer"], "Example Holdings plc");
    assert_eq!(document.metadata["year"], "2023/24");
}

#[test]
fn key_figures_side_by_side_are_a_band_above_the_columns() {
    let columns = [
        ["The company counts what it emits", "in its own plants and vehicles and"],
        ["in the power that it buys. It says", "what it knows of its suppliers and"],
        ["of those who use what it sells, as", "long as nobody knows it better yet"],
    ];
    // The gutter between the columns is the one between the figures as well.
    let page = [("14.2 Mt", "Cement sold"), ("0.71", "Clinker factor")].iter().enumerate().fold(
        Page::default(),
        |page, (i, (number, label))| {
            let x = 50.0 + 270.0 * i as f32;
            page.bold(x, 120.0, 22.0, number).text(x, 136.0, 10.0, label)
        },
    );
    let page = columns.iter().enumerate().fold(page, |page, (i, row)| {
        let y = 176.0 + 12.0 * i as f32;
        page.text(50.0, y, 10.0, row[0]).text(320.0, y, 10.0, row[1])
    });
    let found = text(page);
    let order = ["14.2 Mt Cement sold", "0.71 Clinker factor", "The company counts", "in its own plants"];
    let places: Vec<usize> = order
        .iter()
        .map(|words| found.find(words).unwrap_or_else(|| panic!("{words:?} is not in:\n{found}")))
        .collect();
    assert!(places.is_sorted(), "{found}");
}

/// Three columns of unequal length, below a lead across the page; the first begins under a picture of 100 points.
#[test]
fn columns_of_unequal_length_below_a_picture_and_a_lead_are_read_one_after_the_other() {
    let lengths = [(6, 100.0), (11, 0.0), (9, 0.0)];
    let words = ["plants", "power", "people"];
    let page = Page::default()
        .bold(50.0, 80.0, 20.0, "Climate and what it means for all of us and for those to come")
        .text(
            50.0,
            110.0,
            14.0,
            "The group looks at what it emits, at what it buys and at those who work for it, and",
        )
        .text(50.0, 128.0, 14.0, "tells of each in turn.");
    let page = lengths.iter().zip(words).enumerate().fold(page, |page, (c, ((lines, down), word))| {
        (0..*lines).fold(page, |page, i| {
            let line = match i {
                0 => format!("Of {word} it is told how the"),
                i if i + 1 == *lines => format!("{word} of the group end here."),
                i => format!("rule of {word} number {i} and of"),
            };
            page.text(50.0 + 175.0 * c as f32, 160.0 + down + 12.0 * i as f32, 10.0, &line)
        })
    });
    let found = text(page);
    let whole = lengths.iter().zip(words).map(|((lines, _), word)| {
        let middle: String = (1..lines - 1).map(|i| format!("rule of {word} number {i} and of ")).collect();
        format!("Of {word} it is told how the {middle}{word} of the group end here.")
    });
    let mut at = found.find("tells of each in turn.").expect("the lead");
    for column in whole {
        let place = found[at..].find(&column);
        at += place.unwrap_or_else(|| panic!("{column:?} is not in its place in:\n{found}"));
    }
}

#[test]
fn a_line_of_one_letter_and_a_raised_digit_goes_on_with_the_line_above() {
    let page = Page::default()
        .text(50.0, 100.0, 10.0, "The water that all plants took in this year is told in")
        .text(50.0, 112.0, 10.0, "m")
        .text(58.33, 108.5, 6.0, "3");
    assert_eq!(text(page), "The water that all plants took in this year is told in m³\n");
}
