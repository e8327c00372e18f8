//! Tables and rows that a page break cuts: one table, one row, and every line on its page.

use crate::read;
use crate::writer::{File, Page};
use serde_json::{Map, json};
use sibyl_text::chunk::{Role, settings, strategy};
use sibyl_text::tokens::CharsPerToken;
use sibyl_text::{BlockKind, ChunkContext, Document, Piece};
use std::collections::BTreeMap;

const XS: [f32; 4] = [50.0, 250.0, 350.0, 450.0];
const HEADER: [&str; 3] = ["Indicator", "2023", "2024"];

/// A ruled table from `top`, its first row bold if it is `headed`.
fn table(page: Page, top: f32, headed: bool, rows: &[[&str; 3]]) -> Page {
    let bottom = top + 20.0 * rows.len() as f32;
    let page = (0..=rows.len()).fold(page, |page, r| {
        let y = top + 20.0 * r as f32;
        page.rule((XS[0], y), (XS[3], y))
    });
    let page = XS.iter().fold(page, |page, x| page.rule((*x, top), (*x, bottom)));
    rows.iter().enumerate().fold(page, |page, (r, row)| {
        row.iter().zip(XS).fold(page, |page, (cell, x)| {
            let (x, y) = (x + 4.0, top + 14.0 + 20.0 * r as f32);
            if headed && r == 0 { page.bold(x, y, 10.0, cell) } else { page.text(x, y, 10.0, cell) }
        })
    })
}

const FIRST: [[&str; 3]; 3] = [HEADER, ["Energy used (GWh)", "7.1", "6.9"], ["Water drawn", "3.3", "3.1"]];
const REST: [[&str; 3]; 2] = [["Waste left", "1.4", "1.2"], ["Land sealed", "0.5", "0.4"]];

fn tables(document: &Document) -> Vec<String> {
    let tables = document.blocks.iter().filter(|block| matches!(block.kind, BlockKind::Table { .. }));
    tables.map(|table| table.span.of(&document.text).to_owned()).collect()
}

const WHOLE: &str = "| Indicator | 2023 | 2024 |
| --- | --- | --- |
| Energy used (GWh) | 7.1 | 6.9 |
| Water drawn | 3.3 | 3.1 |
| Waste left | 1.4 | 1.2 |
| Land sealed | 0.5 | 0.4 |";

/// Both parts on pages of their own, the second as `rows`, with `above` before it.
fn cut(rows: &[[&str; 3]], headed: bool, above: Option<&str>) -> Document {
    let second = above.into_iter().fold(Page::default(), |page, text| page.bold(50.0, 85.0, 12.0, text));
    let first = Page::default().text(50.0, 600.0, 10.0, "Each plant reports its numbers in spring.");
    let file =
        File::default().page(table(first, 640.0, true, &FIRST)).page(table(second, 100.0, headed, rows));
    read(&file.bytes())
}

#[test]
fn a_header_that_the_next_page_repeats_is_there_once() {
    let repeated = [[HEADER].as_slice(), &REST].concat();
    assert_eq!(tables(&cut(&repeated, true, None)), [WHOLE]);
}

#[test]
fn notes_below_a_table_do_not_part_it_from_the_rows_behind_the_header_that_the_next_page_repeats() {
    let note = "Measured at the gate of each plant.";
    let first = table(Page::default(), 640.0, true, &FIRST).text(50.0, 730.0, 7.0, note);
    let repeated = [[HEADER].as_slice(), &REST].concat();
    let file = File::default().page(first).page(table(Page::default(), 100.0, true, &repeated));
    let document = read(&file.bytes());
    assert_eq!(tables(&document), [WHOLE]);
    assert!(document.text.contains(note), "{}", document.text);
}

#[test]
fn a_table_that_goes_on_without_its_header_is_one() {
    assert_eq!(tables(&cut(&REST, false, None)), [WHOLE]);
}

#[test]
fn a_line_that_says_that_the_table_goes_on_is_set_aside() {
    let document = cut(&REST, false, Some("Table 3: Use of resources (continued)"));
    assert_eq!(tables(&document), [WHOLE]);
    assert!(document.metadata["running_text"].to_string().contains("(continued)"));
}

#[test]
fn another_table_on_the_next_page_stays_another() {
    let other =
        [["Indicator", "Unit", "Source"], ["Heat", "days", "Met service"], ["Floods", "sites", "Maps"]];
    assert_eq!(tables(&cut(&other, true, None)).len(), 2);
}

#[test]
fn rows_keep_their_pages_and_chunks_their_range() {
    let more = [
        ["Waste that went to landfill", "1.4", "1.2"],
        ["Waste that others used again", "5.0", "5.3"],
        ["Land sealed in the year", "0.5", "0.4"],
        ["Land given back to others", "0.2", "0.3"],
        ["Land sealed", "0.5", "0.4"],
    ];
    let document = cut(&more, false, None);
    for (row, page) in [("Energy used", 1), ("Land sealed", 2)] {
        let placed = document.blocks_on(page);
        assert!(placed.iter().any(|block| block.text.contains(row)), "{row} on page {page}: {placed:?}");
        assert!(!document.blocks_on(3 - page).iter().any(|block| block.text.contains(row)));
    }
    assert_eq!(document.blocks_on(2)[0].header_rows, 0);

    let report = strategy("report").expect("a strategy");
    let small = json!({ "target_tokens": 40, "min_tokens": 10, "max_tokens": 50, "overlap_tokens": 0 });
    let settings = settings(report, small.as_object().unwrap_or(&Map::new())).expect("settings");
    let counterparts = BTreeMap::new();
    let context = ChunkContext {
        path: "report.pdf",
        tokens: &CharsPerToken,
        window: None,
        counterparts: &counterparts,
        base_url: "",
    };
    let chunks = report.chunk(&document, &settings, &context);
    assert!(chunks.len() >= 2, "{} chunks", chunks.len());
    for chunk in &chunks {
        let own: String = chunk.own().map(|span| span.of(&document.text)).collect();
        let holds = |rows: &[[&str; 3]]| rows.iter().any(|row| own.contains(row[0]));
        let first = if own.contains("Each plant") || holds(&FIRST[1..]) { 1 } else { 2 };
        let last = if holds(&more) { 2 } else { 1 };
        assert_eq!(
            (&chunk.metadata["page_start"], &chunk.metadata["page_end"]),
            (&json!(first), &json!(last))
        );
    }
    let last = chunks.last().expect("chunks");
    let headers = last.pieces.iter().filter_map(|piece| match piece {
        Piece::Source { span, role: Role::TableHeader } => Some(span.of(&document.text)),
        _ => None,
    });
    assert!(headers.collect::<String>().starts_with("| Indicator | 2023 | 2024 |"));
}

#[test]
fn a_cell_that_the_page_break_cuts_is_one() {
    let row = |page: Page, top: f32, cells: [&str; 2]| {
        let page = [top, top + 20.0].iter().fold(page, |page, y| page.rule((50.0, *y), (450.0, *y)));
        let page = [50.0, 150.0, 450.0].iter().fold(page, |page, x| page.rule((*x, top), (*x, top + 20.0)));
        page.text(54.0, top + 14.0, 10.0, cells[0]).text(154.0, top + 14.0, 10.0, cells[1])
    };
    let head = |page: Page, top: f32| {
        let page = [50.0, 150.0, 450.0].iter().fold(page, |page, x| page.rule((*x, top), (*x, top + 20.0)));
        let page = page.rule((50.0, top), (450.0, top));
        page.bold(54.0, top + 14.0, 10.0, "Topic").bold(154.0, top + 14.0, 10.0, "What was done")
    };
    let first =
        row(head(Page::default(), 700.0), 720.0, ["Governance", "The board hears of climate risks and"]);
    let second = row(head(Page::default(), 60.0), 80.0, ["", "decides on them each quarter of the year."]);
    let second = row(second, 100.0, ["Strategy", "Plans rest upon two scenarios of others."]);
    let document = read(&File::default().page(first).page(second).bytes());
    let expected = "| Topic | What was done |
| --- | --- |
| Governance | The board hears of climate risks and decides on them each quarter of the year. |
| Strategy | Plans rest upon two scenarios of others. |";
    assert_eq!(tables(&document), [expected]);
    assert!(document.pages[1].span.of(&document.text).starts_with("decides on them"));
}

#[test]
fn a_row_of_several_cells_that_the_page_break_cuts_is_one() {
    let xs = [50.0, 150.0, 350.0, 550.0];
    let row = |page: Page, top: f32, bold: bool, cells: [&str; 3]| {
        let page = [top, top + 20.0].iter().fold(page, |page, y| page.rule((xs[0], *y), (xs[3], *y)));
        let page = xs.iter().fold(page, |page, x| page.rule((*x, top), (*x, top + 20.0)));
        cells.iter().zip(xs).fold(page, |page, (cell, x)| {
            let (x, y) = (x + 4.0, top + 14.0);
            if bold { page.bold(x, y, 10.0, cell) } else { page.text(x, y, 10.0, cell) }
        })
    };
    let first = row(Page::default(), 700.0, true, ["Topic", "What was done", "What comes next"]);
    let begun =
        ["Governance", "The board hears of climate risks and", "It will hear of each large site that"];
    let first = row(first, 720.0, false, begun);
    let second =
        row(Page::default(), 60.0, false, ["", "decides on them each quarter.", "floods could reach."]);
    let second =
        row(second, 80.0, false, ["Strategy", "Plans rest upon two scenarios.", "A third one follows."]);
    let document = read(&File::default().page(first).page(second).bytes());
    let expected = "| Topic | What was done | What comes next |
| --- | --- | --- |
| Governance | The board hears of climate risks and decides on them each quarter. | It will hear of each large site \
                    that floods could reach. |
| Strategy | Plans rest upon two scenarios. | A third one follows. |";
    assert_eq!(tables(&document), [expected]);
    let page = |words: &str| {
        let at = document.text.find(words).expect(words);
        let line = document.segments.iter().find(|line| line.span.start <= at && at < line.span.end);
        line.and_then(|line| line.page)
    };
    assert_eq!(
        [page("and"), page("decides"), page("that"), page("floods")],
        [Some(1), Some(2), Some(1), Some(2)]
    );
    let pages = |words: &str| {
        let at = document.text.find(words).expect(words);
        document.pages_of(sibyl_text::Span::new(at, at + words.len()))
    };
    assert_eq!(pages("The board hears"), Some((1, 1)));
    assert_eq!(pages("decides on them"), Some((2, 2)));
    assert_eq!(pages("The board hears of climate risks and decides"), Some((1, 2)));
    assert_eq!(pages("Strategy"), Some((2, 2)));
    assert!(
        document.blocks_on(2)[0]
            .text
            .starts_with("decides on them each quarter. floods could reach. Strategy")
    );
}
