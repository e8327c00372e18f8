//! Laws of the list of kinds, and of the strategy for standards of any issuer.
#![allow(clippy::unwrap_used, reason = "tests fail by panicking")]

mod common;

use serde_json::Map;
use sibyl_text::chunk::{settings, strategy};
use sibyl_text::source_type::{Permission, SOURCE_TYPES, all, named};
use sibyl_text::tokens::CharsPerToken;
use sibyl_text::{Chunk, ChunkContext};
use std::collections::{BTreeMap, BTreeSet};

#[test]
fn a_kind_says_all_that_is_needed_of_it() {
    let distinct = |of: fn(&str) -> &str| {
        SOURCE_TYPES.iter().map(|kind| of(kind.name)).collect::<BTreeSet<_>>().len() == SOURCE_TYPES.len()
    };
    assert!(distinct(|name| name));
    assert!(distinct(|name| named(name).unwrap().mark));
    assert!(distinct(|name| named(name).unwrap().home.name()));
    for kind in all() {
        let name = kind.name;
        assert!(name.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'_'), "{name}");
        assert!(strategy(kind.strategy).is_some(), "{name}: {}", kind.strategy);
        assert!(!kind.label.is_empty() && !kind.about.is_empty() && kind.mark.len() == 2, "{name}");
        let Some(standard) = kind.standard() else {
            assert!(
                !kind.allows(Permission::Review) && kind.ships.is_none(),
                "{name} has nothing to decide on"
            );
            continue;
        };
        let found = standard.references.detect(standard.example);
        assert_eq!(found.len(), 1, "{name}: {}", standard.example);
        assert_eq!(found[0].ids, [standard.example], "{name}");
        assert!(kind.allows(Permission::Review), "{name}");
    }
    assert!(named("licensed").unwrap().allows.is_empty(), "a copy stays where it is");
    assert!(named("nothing").is_none());
}

fn cut(text: &str) -> Vec<Chunk> {
    let document = common::read("standard.md", text.as_bytes());
    let chunker = strategy("paragraphs").unwrap();
    let counterparts = BTreeMap::new();
    let context = ChunkContext {
        path: "standard.md",
        tokens: &CharsPerToken,
        window: None,
        counterparts: &counterparts,
        base_url: "",
    };
    chunker.chunk(&document, &settings(chunker, &Map::new()).unwrap(), &context)
}

fn id(chunk: &Chunk) -> &str {
    chunk.metadata.get("paragraph_id").and_then(|id| id.as_str()).unwrap_or_default()
}

#[test]
fn numbered_paragraphs_and_their_items_are_chunks() {
    let text = "---\nstandard: GRI\ntopic: Emissions\n---\n\n# Emissions\n\n## Disclosures\n\n\
        ### Disclosure 305-1 Direct emissions\n\nThe organisation shall report:\n\n- (a) gross emissions:\n  - (i) of\n    mills;\n  \
        - (ii) of kilns.\n- (b) gases.\n\nNotes follow.\n\n**305-2 · Steam.** It may report steam.\n\n\
        ## 12 months later\n\nNothing was numbered.\n";
    let chunks = cut(text);
    let ids: Vec<&str> = chunks.iter().map(id).filter(|id| !id.is_empty()).collect();
    assert_eq!(ids, ["305-1", "305-1(a)", "305-1(a)(i)", "305-1(a)(ii)", "305-1(b)", "305-2"]);
    let chunk = |wanted: &str| chunks.iter().find(|chunk| id(chunk) == wanted).unwrap();
    let field = |wanted: &str, name: &str| chunk(wanted).metadata[name].clone();
    assert_eq!(field("305-1", "label"), "Direct emissions");
    assert_eq!(field("305-1", "kind"), "requirement");
    assert_eq!(field("305-1", "sub_requirements"), serde_json::json!(["305-1(a)", "305-1(b)"]));
    assert_eq!(field("305-2", "label"), "Steam");
    assert_eq!(field("305-2", "kind"), "guidance");
    assert_eq!(field("305-1(b)", "disclosure_topic"), "Emissions");
    let document = common::read("standard.md", text.as_bytes());
    assert!(chunk("305-1(b)").text(&document.text).ends_with("(b) gases."));
    assert!(chunk("305-1").text(&document.text).ends_with("Notes follow."));
    assert_eq!(chunks[chunk("305-1(a)(i)").parent.unwrap()], *chunk("305-1(a)"));
}

#[test]
fn years_and_decimals_open_no_paragraph() {
    for text in ["# 2024-25 in brief\n\nWords.\n", "3.5 million tonnes.\n", "# Notes\n\n**Water** use.\n"] {
        assert!(cut(text).iter().all(|chunk| id(chunk).is_empty()), "{text}");
    }
}
