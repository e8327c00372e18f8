//! The section that a chunk is headed with is the one in which its text begins.
#![allow(clippy::unwrap_used, reason = "tests fail by panicking")]

mod common;

use proptest::prelude::*;
use serde_json::{Map, Value, json};
use sibyl_text::chunk::{self, Chunk, ChunkContext};
use sibyl_text::document::BlockKind;
use sibyl_text::tokens::CharsPerToken;
use sibyl_text::{Document, Span};
use std::collections::BTreeMap;

const HANDBOOK: &str = "# Handbook of Fallow Mills\n\nGross emissions of Fallow Mills were 4,812 tonnes in 2023.\n\n\
    ## People\n\nFallow Mills employs 310 people.\n\n### Catering\n\nThe canteen serves 190 lunches a day.\n\n\
    ## Water\n\nFallow Mills drew 77 megalitres from the river Nidd.\n";

fn cut(name: &str, document: &Document, given: &Value) -> Vec<Chunk> {
    let strategy = chunk::strategy(name).unwrap();
    let settings = chunk::settings(strategy, given.as_object().unwrap_or(&Map::new())).unwrap();
    let counterparts = BTreeMap::new();
    let context = ChunkContext {
        path: "x.md",
        tokens: &CharsPerToken,
        window: None,
        counterparts: &counterparts,
        base_url: "",
    };
    strategy.chunk(document, &settings, &context)
}

fn headers(name: &str, text: &str, given: &Value) -> Vec<String> {
    let document = common::read("x.md", text.as_bytes());
    let chunks = cut(name, &document, given);
    let header = |chunk: &Chunk| chunk.text(&document.text).lines().next().unwrap().to_owned();
    chunks.iter().map(header).collect()
}

#[test]
fn a_short_lead_that_goes_with_its_subsections_keeps_its_own_section() {
    let expected = ["[Report > Handbook of Fallow Mills]", "[Report > Handbook of Fallow Mills > Water]"];
    assert_eq!(headers("report", HANDBOOK, &Value::Null), expected);
    // Without the lead the chunk begins with the people.
    let (_, people) = HANDBOOK.split_once("2023.").unwrap();
    let bare = format!("# Handbook of Fallow Mills{people}");
    assert_eq!(headers("report", &bare, &Value::Null)[0], "[Report > Handbook of Fallow Mills > People]");
    // Headings that only lead to their subsection are in its path.
    let deep = "# Handbook\n\n## People\n\n### Catering\n\nThe canteen serves 190 lunches a day.\n";
    assert_eq!(headers("report", deep, &Value::Null), ["[Report > Handbook > People > Catering]"]);
}

#[test]
fn a_chunk_that_begins_behind_its_lead_is_headed_with_where_it_begins() {
    let lunches = "The canteen serves 190 lunches a day, and the mill pays a third of each. ".repeat(60);
    let text = format!("# Mill\n\nIt is old.\n\n## Catering\n\n{lunches}\n");
    let headers = headers("report", &text, &Value::Null);
    assert!(headers.len() > 1, "{headers:?}");
    assert_eq!(headers[0], "[Report > Mill]");
    assert!(headers[1..].iter().all(|header| header == "[Report > Mill > Catering]"), "{headers:?}");
}

#[test]
fn a_chunk_that_runs_across_headings_is_headed_with_the_one_it_begins_under() {
    for strategy in ["report", "docs"] {
        let given = json!({ "split_at_headings": 0, "target_tokens": 60, "min_tokens": 10, "max_tokens": 80,
            "overlap_tokens": 0 });
        let text = (1..9)
            .map(|n| format!("## Part {n}\n\n{}\n\n", format!("Word {n} of it. ").repeat(9)))
            .collect::<String>();
        let document = common::read("x.md", text.as_bytes());
        let chunks = cut(strategy, &document, &given);
        assert!(chunks.len() > 3);
        for chunk in chunks {
            let whole = chunk.text(&document.text);
            let number = whole.split("Word ").nth(1).unwrap().split(' ').next().unwrap();
            assert!(whole.lines().next().unwrap().ends_with(&format!("Part {number}]")), "{whole}");
        }
    }
}

/// Where the own text of a chunk begins: after headings, rules and tags.
fn begins(document: &Document, extent: Span) -> usize {
    let says = |kind: BlockKind| !matches!(kind, BlockKind::Heading(_) | BlockKind::Rule | BlockKind::Html);
    let inside = document.blocks.iter().filter(|block| block.span.overlaps(extent));
    let first = inside.into_iter().find(|block| says(block.kind));
    first.map_or(extent.start, |block| block.span.start.max(extent.start))
}

fn check(name: &str, document: &Document, given: &Value) {
    if document.blocks.iter().any(|block| block.kind == BlockKind::Html) {
        return;
    }
    for chunk in cut("report", document, given) {
        let path = document.path_at(begins(document, chunk.extent()));
        assert_eq!(chunk.metadata["section_path"], json!(path), "{name}: {:?}", chunk.extent());
    }
}

#[test]
fn every_chunk_is_headed_with_the_section_in_which_its_text_begins() {
    for folder in ["reports", "docs"] {
        for (name, document) in common::fixtures(folder) {
            for level in [6, 2, 0] {
                check(&name, &document, &json!({ "split_at_headings": level }));
            }
        }
    }
    for (name, text) in common::odd_texts() {
        check(name, &common::read("x.md", text.as_bytes()), &Value::Null);
    }
}

proptest! {
    #[test]
    fn so_it_is_in_any_document(text in common::markdown(), level in 0..7) {
        check("any", &common::read("x.md", text.as_bytes()), &json!({ "split_at_headings": level }));
    }
}
