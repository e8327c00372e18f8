//! Contents: shown in the text, but no headings and in no chunk.

use crate::read;
use crate::writer::{File, Page};
use serde_json::Map;
use sibyl_text::chunk::{settings, strategy};
use sibyl_text::tokens::CharsPerToken;
use sibyl_text::{BlockKind, ChunkContext, Document};
use std::collections::BTreeMap;

const ENTRIES: [(&str, u32); 6] = [
    ("Governance", 2),
    ("Strategy and outlook", 3),
    ("Climate risks", 3),
    ("Metrics", 4),
    ("Targets", 4),
    ("Index of terms", 5),
];
const TEXT: [&str; 4] = [
    "The company counts what it emits in its own",
    "plants and vehicles and in the power that it",
    "buys from others. It follows the standard that",
    "most of its peers use as well.",
];

/// Pages with the headings of [`ENTRIES`], after the page `contents`.
fn report(contents: Page) -> Document {
    let pages = (2..=5).map(|number| {
        let headings = ENTRIES.iter().filter(|(_, page)| *page == number).enumerate();
        headings.fold(Page::default(), |page, (i, (name, _))| {
            // At one place on all pages they would be running lines.
            let y = 60.0 * number as f32 + 240.0 * i as f32;
            page.bold(50.0, y, 16.0, name).lines(50.0, y + 30.0, &TEXT)
        })
    });
    read(&pages.fold(File::default().page(contents), File::page).bytes())
}

fn entries(document: &Document) -> Vec<String> {
    let blocks = document.blocks.iter().filter(|block| block.kind == BlockKind::Contents);
    blocks.map(|block| block.span.of(&document.text).to_owned()).collect()
}

/// All text of the document in the chunks of `name`.
fn chunked(document: &Document, name: &str) -> String {
    let strategy = strategy(name).expect("a strategy");
    let settings = settings(strategy, &Map::new()).expect("defaults");
    let counterparts = BTreeMap::new();
    let context = ChunkContext {
        path: "report.pdf",
        tokens: &CharsPerToken,
        window: None,
        counterparts: &counterparts,
        base_url: "",
    };
    let chunks = strategy.chunk(document, &settings, &context);
    let own = chunks.iter().flat_map(|chunk| chunk.own().map(|span| span.of(&document.text)));
    own.collect::<Vec<_>>().join("\n")
}

/// Laws for every layout of contents.
fn check(document: &Document) {
    let titles: Vec<&str> = document.sections.iter().map(|section| section.title.as_str()).collect();
    assert_eq!(titles, ENTRIES.map(|(name, _)| name), "{}", document.text);
    for name in ["report", "docs", "recursive"] {
        let text = chunked(document, name);
        assert_eq!(text.matches("The company counts").count(), ENTRIES.len(), "{name}: {text}");
        for (entry, _) in ENTRIES {
            assert_eq!(text.matches(entry).count(), 1, "{name}: {entry} in {text}");
        }
    }
}

#[test]
fn numbers_at_the_right_edge() {
    let page = ENTRIES.iter().enumerate().fold(Page::default(), |page, (i, (name, number))| {
        let y = 120.0 + 22.0 * i as f32;
        page.bold(50.0, y, 12.0, name).text(500.0, y, 12.0, &number.to_string())
    });
    let document = report(page.bold(50.0, 80.0, 20.0, "In this report"));
    assert_eq!(entries(&document)[..3], ["In this report", "Governance 2", "Strategy and outlook 3"]);
    check(&document);
}

#[test]
fn dots_that_lead_to_the_number() {
    let page = ENTRIES.iter().enumerate().fold(Page::default(), |page, (i, (name, number))| {
        page.text(50.0, 120.0 + 16.0 * i as f32, 10.0, &format!("{name} .......................... {number}"))
    });
    let document = report(page);
    assert_eq!(entries(&document).len(), ENTRIES.len(), "{}", document.text);
    check(&document);
}

#[test]
fn numbers_before_the_entries_without_any_title() {
    let page = ENTRIES.iter().enumerate().fold(Page::default(), |page, (i, (name, number))| {
        page.bold(50.0, 120.0 + 40.0 * i as f32, 14.0, &format!("{number:02} {name}"))
    });
    let document = report(page);
    assert_eq!(entries(&document)[1], "03 Strategy and outlook", "{}", document.text);
    check(&document);
}

#[test]
fn a_table_whose_numbers_grow_is_none() {
    let page = ENTRIES.iter().enumerate().fold(Page::default(), |page, (i, (name, _))| {
        let y = 120.0 + 16.0 * i as f32;
        page.text(50.0, y, 10.0, name).text(500.0, y, 10.0, &(12 + 7 * i).to_string())
    });
    let document = read(&File::default().page(page.bold(50.0, 80.0, 14.0, "Incidents by subject")).bytes());
    assert!(entries(&document).is_empty(), "{}", document.text);
    assert!(document.text.contains("| Metrics | 33 |"), "{}", document.text);
}
