//! The two strategies for standards: on the shipped corpora, on other ways of writing them, and on broken input.
//!
//! Over 500 lines: cases of one matter, with their texts.
#![allow(clippy::unwrap_used, reason = "tests fail by panicking")]

mod common;

use proptest::prelude::*;
use serde_json::{Value, json};
use sibyl_text::chunk::ifrs::counterparts;
use sibyl_text::chunk::sasb::{List, metrics};
use sibyl_text::chunk::{Role, settings, strategy};
use sibyl_text::tokens::{CharsPerToken, TokenCounter};
use sibyl_text::{Chunk, ChunkContext, Document};
use std::collections::{BTreeMap, BTreeSet};

fn data(path: &str) -> Vec<u8> {
    std::fs::read(std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../data").join(path)).unwrap()
}

fn cut_with(
    name: &str,
    document: &Document,
    path: &str,
    given: Value,
    map: &BTreeMap<String, String>,
) -> Vec<Chunk> {
    let chunker = strategy(name).unwrap();
    let context =
        ChunkContext { path, tokens: &CharsPerToken, window: None, counterparts: map, base_url: "" };
    chunker.chunk(document, &settings(chunker, given.as_object().unwrap()).unwrap(), &context)
}

fn cut(name: &str, document: &Document, path: &str) -> Vec<Chunk> {
    cut_with(name, document, path, json!({}), &BTreeMap::new())
}

fn id(chunk: &Chunk) -> Option<&str> {
    chunk.metadata["paragraph_id"].as_str()
}

/// Ids in order of their first chunk; chunks without one are left out.
fn ids(chunks: &[Chunk]) -> Vec<String> {
    let mut seen = BTreeSet::new();
    chunks.iter().filter_map(id).filter(|id| seen.insert(*id)).map(str::to_owned).collect()
}

/// The parent of `id`, by its brackets.
fn above(id: &str) -> Option<&str> {
    id.ends_with(')').then(|| &id[..id.rfind('(').unwrap()])
}

/// Ids as the shipped files write them: bold at the margin, labels two columns further in for each depth.
fn written_ids(text: &str) -> Vec<String> {
    let mut ids: Vec<String> = Vec::new();
    let mut open: Vec<String> = Vec::new();
    for line in text.lines() {
        let indent = line.len() - line.trim_start().len();
        let found = match line.trim_start().strip_prefix("- **(") {
            Some(rest) => {
                open.truncate(indent / 2 + 1);
                format!("{}({})", open.last().unwrap(), rest.split_once(')').unwrap().0)
            }
            None if line.starts_with("**S") => {
                open.clear();
                line[2..].split_once(' ').unwrap().0.to_owned()
            }
            None => continue,
        };
        open.push(found.clone());
        ids.push(found);
    }
    ids
}

/// Whether a passage of `document` is only what leads to the items of an edition that has others in it.
fn is_leading(document: &Document, chunk: &Chunk) -> bool {
    let named = document.metadata.get("edition").and_then(Value::as_str);
    named == Some("2023-06") && chunk.metadata["editions"] == json!(["2025-12"])
}

/// Laws of the IFRS strategy on any document.
fn check_ifrs(document: &Document, chunks: &[Chunk], max: usize) {
    let text = &document.text;
    let mut at = document.body.start;
    let mut parts: BTreeMap<Option<&str>, Vec<(u64, u64)>> = BTreeMap::new();
    for (index, chunk) in chunks.iter().enumerate() {
        let extent = chunk.extent();
        if chunk.parent.is_none() && !is_leading(document, chunk) {
            assert!(
                at <= extent.start && text[at..extent.start].trim().is_empty(),
                "all text is in a paragraph"
            );
            at = extent.end;
        }
        if let Some(parent) = chunk.parent {
            assert!(parent < index && chunks[parent].extent().start <= extent.start);
            let inside = id(chunk).unwrap().strip_prefix(id(&chunks[parent]).unwrap());
            assert!(inside.is_some_and(|rest| rest.starts_with('(')), "an item lies in what its id says");
            assert!(
                chunks[parent].metadata["sub_requirements"].as_array().unwrap().contains(&json!(id(chunk)))
            );
        }
        assert!(CharsPerToken.count(&chunk.text(text)) <= max);
        let number = |name: &str| chunk.metadata[name].as_u64().unwrap();
        parts.entry(id(chunk)).or_default().push((number("part"), number("parts")));
        for lead_in in chunk.spans(Role::LeadIn) {
            assert!(lead_in.end <= extent.start, "what leads in stands before");
        }
    }
    assert!(text[at..].trim().is_empty(), "all text is in a paragraph");
    for (_, parts) in parts.iter().filter(|(id, _)| id.is_some()) {
        let mut expected = 1;
        for &(part, of) in parts {
            assert!(part == expected && part <= of, "parts are complete and in order: {parts:?}");
            expected = if part == of { 1 } else { part + 1 };
        }
        assert_eq!(expected, 1, "the last part is there: {parts:?}");
    }
}

#[test]
fn every_shipped_id_has_its_own_chunk() {
    let map = counterparts(&data("ifrs/s1_s2_mapping.json")).unwrap();
    for path in ["ifrs/s1_full.md", "ifrs/s2_full.md"] {
        let document = common::read(path, &data(path));
        let chunks = cut_with("ifrs", &document, path, json!({}), &map);
        check_ifrs(&document, &chunks, 1_500);
        let expected = written_ids(&document.text);
        assert_eq!(ids(&chunks), expected, "{path}");
        let first =
            chunks.iter().filter(|c| id(c).is_some() && c.metadata["part"] == 1 && !is_leading(&document, c));
        let first = first.count();
        assert_eq!(first, expected.len(), "{path}: no id twice");
        for chunk in &chunks {
            let Some(id) = id(chunk) else { continue };
            let direct: Vec<&String> = expected.iter().filter(|i| above(i) == Some(id)).collect();
            assert_eq!(chunk.metadata["sub_requirements"], json!(direct), "{id}");
            let own = chunk.extent().of(&document.text);
            if chunk.parent.is_none() && chunk.metadata["part"] == 1 {
                assert!(own.contains(&format!("**{id} · ")), "{id}");
            } else if chunk.metadata["part"] == 1 {
                assert!(own.starts_with(&format!("- **{}", &id[id.rfind('(').unwrap()..])), "{id}: {own}");
            }
            let counterpart = &chunk.metadata["s1_counterpart"];
            assert!(counterpart.is_null() || id.starts_with("S2."), "{id}");
            let main =
                id.strip_prefix("S2.").is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()));
            assert!(
                !main || counterpart.as_str().is_some_and(|c| c.starts_with("S1.")),
                "{id} has no counterpart"
            );
        }
    }
}

fn find<'a>(chunks: &'a [Chunk], wanted: &str) -> &'a Chunk {
    chunks
        .iter()
        .find(|c| id(c) == Some(wanted))
        .unwrap_or_else(|| panic!("no {wanted} in {:?}", ids(chunks)))
}

#[test]
fn an_item_stands_by_itself() {
    let map = counterparts(&data("ifrs/s1_s2_mapping.json")).unwrap();
    let document = common::read("s2_full.md", &data("ifrs/s2_full.md"));
    let chunks = cut_with("ifrs", &document, "s2_full.md", json!({}), &map);
    let item = find(&chunks, "S2.14(a)(iv)");
    let text = item.text(&document.text);
    let opening = "[IFRS S2 > Strategy > Strategy and decision-making > S2.14(a)(iv)]\n\nClimate effects on strategy and \
                   decisions\n\n(a) Responses and target-achievement plans.\n\n- **(iv) Climate transition plan";
    assert!(text.starts_with(opening), "{text}");
    let fields = ["paragraph_id", "standard", "pillar", "section", "sub_requirements"];
    let shown: Vec<&Value> = fields.iter().map(|f| &item.metadata[*f]).collect();
    assert_eq!(json!(shown), json!(["S2.14(a)(iv)", "S2", "strategy", "Strategy and decision-making", []]));
    assert!(item.metadata["s1_counterpart"].as_str().unwrap().starts_with("S1.33"));
    let appendix = find(&chunks, "S2.B32").text(&document.text);
    assert!(
        appendix.starts_with("[IFRS S2 > Appendix B: Application guidance > Greenhouse gases > Scope 3 greenhouse gas emissions > S2.B32]"),
        "{appendix}"
    );
    let pillars = [
        ("S2.4", "general"),
        ("S2.5", "governance"),
        ("S2.8", "strategy"),
        ("S2.23", "strategy"),
        ("S2.24", "risk_management"),
        ("S2.27", "metrics_targets"),
        ("S2.37", "metrics_targets"),
        ("S2.B1", "appendix"),
        ("S2.A.carbon_credit", "appendix"),
    ];
    for (id, pillar) in pillars {
        assert_eq!(find(&chunks, id).metadata["pillar"], pillar, "{id}");
    }
    let whole = |c: &&Chunk| id(c) == Some("S2.29") && !is_leading(&document, c);
    let parts: Vec<&Chunk> = chunks.iter().filter(whole).collect();
    assert!(parts.len() > 1);
    assert!(parts[0].text(&document.text).starts_with(&format!(
        "[IFRS S2 > Metrics and targets > Climate-related metrics > S2.29] [Part 1/{}]",
        parts.len()
    )));
    let switched_off = json!({"context_header": false, "item_chunks": false});
    let chunks = cut_with("ifrs", &document, "s2_full.md", switched_off, &map);
    assert!(chunks.iter().all(|c| c.parent.is_none()));
    assert!(find(&chunks, "S2.13").text(&document.text).starts_with("#### Business model and value chain"));
    let no_lead_in = cut_with("ifrs", &document, "s2_full.md", json!({"lead_in": false}), &map);
    assert!(no_lead_in.iter().all(|c| c.spans(Role::LeadIn).count() == 0));
}

#[test]
fn a_passage_names_the_editions_of_s2_that_it_belongs_to() {
    let map = BTreeMap::new();
    let editions = |path: &str| {
        let name = path.rsplit('/').next().unwrap();
        let document = common::read(name, &data(path));
        cut_with("ifrs", &document, name, json!({}), &map)
    };
    let issued = editions("ifrs/s2_full.md");
    let (both, first, second) = (json!(["2023-06", "2025-12"]), json!(["2023-06"]), json!(["2025-12"]));
    for (id, expected) in [
        ("S2.1", &both),
        // What has an amended item is whole in one edition; what is beside one is in both.
        ("S2.29", &first),
        ("S2.29(a)(i)(3)", &both),
        ("S2.29(a)(ii)", &first),
        ("S2.B26", &both),
        ("S2.B28", &first),
        // An item is in the amended text.
        ("S2.B28(a)", &first),
        ("S2.B62", &first),
        ("S2.B62(a)", &first),
        ("S2.B62(a)(ii)", &first),
        ("S2.B62(b)", &both),
        ("S2.C4(a)", &both),
        ("S2.C4(b)", &first),
        ("S2.A.financed_emissions", &both),
    ] {
        assert_eq!(&find(&issued, id).metadata["editions"], expected, "{id}");
    }
    // Of the other edition it is what leads to its items, which differ from those of the first.
    let document = common::read("s2_full.md", &data("ifrs/s2_full.md"));
    for held in ["S2.29", "S2.29(a)(vi)", "S2.B62", "S2.B63", "S2.C4"] {
        let chunks: Vec<_> = issued.iter().filter(|chunk| id(chunk) == Some(held)).collect();
        let of = |editions: &Value| -> Vec<_> {
            chunks.iter().filter(|chunk| chunk.metadata["editions"] == *editions).collect()
        };
        let amends = |chunk: &&&Chunk| chunk.text(&document.text).contains("*Amended December 2025:*");
        let (whole, leading) = (of(&first), of(&second));
        assert_eq!((leading.len(), of(&both).len()), (1, 0), "{held}");
        assert!(whole.iter().any(amends) && !leading.iter().any(amends), "{held}");
        let items = "sub_requirements";
        assert_eq!(leading[0].metadata[items], whole[0].metadata[items], "{held}");
    }
    let amended = editions("ifrs/s2_amended.md");
    let named = amended.iter().filter(|chunk| id(chunk).is_some());
    assert!(named.clone().count() >= 33);
    for chunk in named {
        assert_eq!(chunk.metadata["editions"], json!(["2025-12"]), "{:?}", id(chunk));
    }
    assert!(editions("ifrs/s1_full.md").iter().all(|chunk| !chunk.metadata.contains_key("editions")));
}

/// A way of writing a standard, and the ids it has.
struct Shape {
    name: &'static str,
    file: &'static str,
    text: &'static str,
    ids: &'static [&'static str],
}

const SHAPES: &[Shape] = &[
    Shape {
        name: "the worked example: id in the heading, bare labels, a gap in the list",
        file: "x.md",
        text: "# IFRS S2\n\n## Strategy (S2.8-23)\n\n### S2.14 Strategy and Decision-Making\n\n(a) The company tells how it \
               responds,\nincluding:\n\n(iv) its plan, with\n- key assumptions;\n- dependencies.\n\n(b) Money.\n",
        ids: &["S2.14", "S2.14(a)", "S2.14(a)(iv)", "S2.14(b)"],
    },
    Shape {
        name: "a range whose paragraphs cannot be told apart stays whole",
        file: "x.md",
        text: "# IFRS S2\n\n## Governance (S2.5-7)\n\nWho watches, and how. See S2.6 for more.\n\nS2.6 asks for bodies.\n\n## \
               Strategy (S2.8–9)\n\n**S2.8 · Aim** Words.\n\n**S2.9** More words, compare S2.10.\n",
        ids: &["S2.5-7", "S2.8", "S2.9"],
    },
    Shape {
        name: "one announced paragraph",
        file: "x.md",
        text: "# IFRS S1\n\n## Governance\n\n### Oversight (S1.27)\n\nThe bodies that watch.\n\n- (a) One.\n- (b) Two.\n",
        ids: &["S1.27"],
    },
    Shape {
        name: "headings for items",
        file: "x.md",
        text: "# S2\n\n## S2.14 Strategy\n\nText.\n\n### S2.14(a) Responses\n\nText.\n\n#### S2.14(a)(iv) Plan\n\nText.\n\n### \
               S2.14(b) Means\n\nText.\n\n## Paragraph 15\n\nText.\n",
        ids: &["S2.14", "S2.14(a)", "S2.14(a)(iv)", "S2.14(b)", "S2.15"],
    },
    Shape {
        name: "full ids in lists, and a table of contents",
        file: "s1.md",
        text: "# Contents\n\n- S1.27 Bodies\n- S1.28 Aim\n\n# Text\n\nS1.27 The bodies.\n\n- **S1.27(a)** One.\n- S1.27(b) Two.\n\n\
               S1.28 An aim. As S1.27(a) says,\nS1.27(b) is next.\n",
        ids: &["S1.27", "S1.27(a)", "S1.27(b)", "S1.28"],
    },
    Shape {
        name: "a licensed copy as text: plain numbers, no blank lines",
        file: "ifrs-s2.txt",
        text: "IFRS S2\n\nObjective\n\n1 The objective is told here.\n2 It reaches, as in paragraph\n14 and others, further\n\
               than paragraphs\n3 An odd wrap.\n3 Scope is next:\n(a) one, as in paragraph 4\n(a) and (b) show; and\n(b) two:\n(i) \
               deep; or\n(ii) deeper.\n4 The end. 5 is not here.\n\nAppendix B\n\nB1 The first.\nB2 A second: \n(a) x.\n",
        ids: &[
            "S2.1",
            "S2.2",
            "S2.3",
            "S2.3(a)",
            "S2.3(b)",
            "S2.3(b)(i)",
            "S2.3(b)(ii)",
            "S2.4",
            "S2.B1",
            "S2.B2",
            "S2.B2(a)",
        ],
    },
    Shape {
        name: "a licensed copy as Markdown with a glossary",
        file: "copy.md",
        text: "---\nstandard: IFRS S2\n---\n\n## Strategy\n\n**14** The company says:\n\n(a) this;\n\n(h) that; and\n\n(i) the \
               rest.\n\n15\\. Not one.\n\n22 A jump.\n\n## Appendix A Defined terms\n\ncarbon credit An emissions unit.\n\n**value \
               chain** All of it.\n\n| climate resilience | The capacity. |\n|---|---|\n| financed emissions | The portion. |\n",
        ids: &[
            "S2.14",
            "S2.14(a)",
            "S2.14(h)",
            "S2.14(i)",
            "S2.22",
            "S2.A.carbon_credit",
            "S2.A.value_chain",
            "S2.A.climate_resilience",
            "S2.A.financed_emissions",
        ],
    },
    Shape {
        name: "Roman and letter i",
        file: "s1.md",
        text: "# S1\n\n**S1.9 · T**\n\n- (h) text:\n  - (i) inner\n  - (ii) inner\n- (i) outer\n- (j) outer\n",
        ids: &["S1.9", "S1.9(h)", "S1.9(h)(i)", "S1.9(h)(ii)", "S1.9(i)", "S1.9(j)"],
    },
    Shape {
        name: "ids in code and sentences are no labels",
        file: "s1.md",
        text: "# S1\n\n**S1.9 · T** As in S1.10.\n\n```\n**S1.11 · No** x\n(a) no\n```\n\nS1.12, again, is elsewhere.\n\n**S1.10 · U** x\n",
        ids: &["S1.9", "S1.10"],
    },
    Shape {
        name: "no standard at all",
        file: "x.md",
        text: "# A page\n\n14 An entity acts.\n\n(a) Here.\n",
        ids: &[],
    },
];

#[test]
fn other_ways_of_writing_a_standard() {
    for shape in SHAPES {
        let document = common::read(shape.file, shape.text.as_bytes());
        let chunks = cut("ifrs", &document, shape.file);
        check_ifrs(&document, &chunks, 1_500);
        assert_eq!(ids(&chunks), shape.ids, "{}", shape.name);
    }
}

#[test]
fn items_end_where_the_paragraph_goes_on() {
    let cases = [
        (
            "# S2\n\n**S2.9 · T** Intro.\n\n- **(a) L.** One.\n\n  Still one.\n\n*Terms:* x (S2.A.y).\n",
            "S2.9(a)",
            "Still one.",
        ),
        ("# S2\n\n## S2.9 T\n\n(a) One;\n\nstill one.\n\nThe paragraph goes on.\n", "S2.9(a)", "still one."),
        (
            "# S2\n\n## S2.9 T\n\n(a) One:\n\n- a bullet.\n\nThe paragraph goes on.\n",
            "S2.9(a)",
            "- a bullet.",
        ),
    ];
    for (text, wanted, end) in cases {
        let document = common::read("x.md", text.as_bytes());
        let chunks = cut("ifrs", &document, "x.md");
        let item = find(&chunks, wanted).extent().of(&document.text);
        assert!(item.ends_with(end), "{item:?}");
    }
}

#[test]
fn a_licensed_copy_repeats_the_words_that_introduce_an_item() {
    let text = "IFRS S2\n\n14 The aim is long. An entity shall tell about:\n(a) how it responds, with:\n(i) its plan.\n";
    let document = common::read("s2.txt", text.as_bytes());
    let chunks = cut("ifrs", &document, "s2.txt");
    let item = find(&chunks, "S2.14(a)(i)");
    let lead_in: Vec<&str> = item.spans(Role::LeadIn).map(|s| s.of(&document.text)).collect();
    assert_eq!(lead_in, ["The aim is long. An entity shall tell about:", "(a) how it responds, with:"]);
    assert_eq!(item.extent().of(&document.text), "(i) its plan.");
    assert_eq!(item.metadata["section"], "Strategy");
}

#[test]
fn what_a_paragraph_says_about_itself() {
    let text = "# S2\n\n**S2.9 · A title over\ntwo lines** *(requirement ·\nmandatory)*\n\nSee paragraph 14(a), S1.33–34 and paragraph 5 \
                of IAS 1.\n\n- **(a) Label.** Rests on S2.B3.\n\n  *Counterpart:* S1.2.\n\n*Terms:* users (S1.A.users).\n\n*Amended December \
                2025:* changed.\n";
    let document = common::read("x.md", text.as_bytes());
    let chunks = cut("ifrs", &document, "x.md");
    let paragraph = &find(&chunks, "S2.9").metadata;
    let shown = ["label", "kind", "language", "cites", "terms", "amended"].map(|f| paragraph[f].clone());
    let expected = json!([
        "A title over two lines",
        "requirement",
        "mandatory",
        ["S2.14(a)", "S1.33", "S1.34"],
        ["S1.A.users"],
        true
    ]);
    assert_eq!(json!(shown), expected);
    let item = &find(&chunks, "S2.9(a)").metadata;
    let shown = ["label", "cites", "terms", "amended"].map(|f| item[f].clone());
    assert_eq!(json!(shown), json!(["Label", ["S2.B3"], [], false]));
}

#[test]
fn counterparts_are_paired_as_far_as_the_file_says() {
    let shipped = counterparts(&data("ifrs/s1_s2_mapping.json")).unwrap();
    let documents = br#"{"mappings": [
        {"s2_paragraphs": "S2.5-7", "s2_description": "", "s1_paragraphs": "S1.26-27", "s1_description": "", "s1_pillar": "governance"},
        {"s2_paragraphs": "S2.8\u2013S2.9", "s1_paragraphs": "S1.28-29"},
        {"s2_paragraphs": "S2.13", "s1_paragraphs": "S1.32"}]}"#;
    let plain = counterparts(documents).unwrap();
    let cases = [
        (&plain, "S2.6", Some("S1.26-27")),
        (&plain, "S2.5-7", Some("S1.26-27")),
        (&plain, "S2.9", Some("S1.29")),
        (&plain, "S2.13", Some("S1.32")),
        (&plain, "S2.14", None),
        (&shipped, "S2.5", Some("S1.26")),
        (&shipped, "S2.15", Some("S1.34")),
        (&shipped, "S2.B9", Some("S1.B8")),
    ];
    for (map, id, expected) in cases {
        assert_eq!(map.get(id).map(String::as_str), expected, "{id}");
    }
    for (wrong, said) in [("{}", "mappings"), ("[]", "mappings"), ("{", "JSON")] {
        assert!(counterparts(wrong.as_bytes()).unwrap_err().to_string().contains(said), "{wrong}");
    }
    let wrong = br#"{"mappings": [{"s2_paragraphs": "Strategy", "s1_paragraphs": "S1.1"}]}"#;
    assert!(counterparts(wrong).unwrap_err().to_string().contains("`Strategy`"));
}

#[test]
fn every_shipped_metric_is_in_its_topic() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../data/sasb");
    let mut files = 0;
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|e| e != "md") {
            continue;
        }
        files += 1;
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let document = common::read(&name, &std::fs::read(&path).unwrap());
        let chunks = cut("sasb", &document, &name);
        let mut topic = document.metadata["standard_code"].as_str().unwrap().to_owned();
        let mut expected: Vec<(String, Vec<String>)> = vec![(topic.clone(), Vec::new())];
        for line in document.text.lines() {
            if let Some(heading) = line.strip_prefix("## ") {
                heading.rsplit_once('(').unwrap().1.trim_end_matches(')').clone_into(&mut topic);
                expected.push((topic.clone(), Vec::new()));
            } else if let Some(metric) = line.strip_prefix("- **") {
                expected.last_mut().unwrap().1.push(metric.split([' ', '*']).next().unwrap().to_owned());
            }
        }
        let mut found: Vec<(Value, Vec<Value>)> = Vec::new();
        for chunk in &chunks {
            if chunk.metadata["part"] == 1 {
                found.push((chunk.metadata["topic_code"].clone(), Vec::new()));
            }
            let codes = chunk.metadata["metric_codes"].as_array().unwrap();
            found.last_mut().unwrap().1.extend(codes.iter().cloned());
        }
        // A metric that does not fit in a chunk is split into parts that follow each other.
        found.iter_mut().for_each(|(_, codes)| codes.dedup());
        assert_eq!(json!(found), json!(expected), "{name}: each metric in its topic, in order");
        for chunk in &chunks {
            assert_eq!(chunk.metadata["industry_sector"], document.metadata["industry"], "{name}");
            assert_eq!(chunk.metadata["standard_code"], document.metadata["standard_code"], "{name}");
            assert!(chunk.metadata["in_s2_industry_guidance"].is_boolean(), "{name}");
            for metric in chunk.metadata["metrics"].as_array().unwrap() {
                for field in ["label", "category", "unit"] {
                    assert!(metric[field].as_str().is_some_and(|v| !v.is_empty()), "{name}: {metric}");
                }
            }
        }
        check_cover(&document, &chunks);
    }
    assert_eq!(files, 77);
}

fn check_cover(document: &Document, chunks: &[Chunk]) {
    let mut at = document.body.start;
    for chunk in chunks {
        let extent = chunk.extent();
        assert!(at <= extent.start && document.text[at..extent.start].trim().is_empty());
        at = extent.end;
    }
    assert!(document.text[at..].trim().is_empty());
}

#[test]
fn the_worked_sasb_example() {
    let path = "sasb/oil_and_gas_exploration_and_production.md";
    let document = common::read(path, &data(path));
    let chunks = cut("sasb", &document, path);
    let topics: Vec<&Chunk> = chunks.iter().filter(|c| c.metadata["topic_code"] == "EM-EP-110a").collect();
    let header = "[SASB > Oil & Gas – Exploration & Production > Greenhouse Gas Emissions";
    assert!(topics.iter().all(|c| c.text(&document.text).starts_with(header)));
    let topic = topics[0];
    assert!(topic.text(&document.text)[header.len()..].contains("\n\n## Green"));
    let mut codes: Vec<&Value> =
        topics.iter().flat_map(|c| c.metadata["metric_codes"].as_array().unwrap()).collect();
    codes.dedup();
    assert_eq!(codes, ["EM-EP-110a.1", "EM-EP-110a.2", "EM-EP-110a.3"]);
    let metrics: Vec<&Value> =
        topics.iter().flat_map(|c| c.metadata["metrics"].as_array().unwrap()).collect();
    assert_eq!(metrics[0]["category"], "Quantitative");
    assert_eq!(metrics[0]["unit"], "Metric tonnes CO2-e (t), Percentage (%)");
    let first = chunks[0].text(&document.text);
    assert!(first.starts_with("[SASB > Oil & Gas – Exploration & Production]"), "{first}");
    assert!(first.contains("\n\n# Oil"), "{first}");
    let small = cut_with("sasb", &document, path, json!({"max_tokens": 900}), &BTreeMap::new());
    let parts: Vec<&Chunk> = small.iter().filter(|c| c.metadata["topic_code"] == "EM-EP-110a").collect();
    assert!(parts.len() > 1);
    assert!(
        parts.iter().skip(1).all(|c| c.extent().of(&document.text).starts_with("- **EM-EP-110a.")),
        "cut before a metric"
    );
    assert!(parts.iter().all(|c| CharsPerToken.count(&c.text(&document.text)) <= 900));
}

/// A topic whose metrics have every list that a metric can have.
fn topic(metrics: usize, words: usize) -> String {
    let mut text =
        String::from("# Airlines (TR-AL)\n\n## Labour (TR-AL-310a)\n\nCrews can ground a fleet.\n");
    for metric in 1..=metrics {
        text.push_str(&format!(
            "\n- **TR-AL-310a.{metric}** *(Quantitative; unit: Number)* **Stoppages {metric}.** Their number.\n"
        ));
        for label in ["Counts", "Does not count", "Definitions", "Also to be discussed", "May be added"] {
            let long = "word ".repeat(words);
            text.push_str(&format!(
                "\n  *{label}:*\n  - {label} {long}once.\n  - TR-AL-310a.9 is another\n    metric.\n"
            ));
        }
        text.push_str("\n  *In review:* Ask for the list.\n\n  *Asked as:* strikes; lockouts.\n");
    }
    text + "\n*Asked as:* unions.\n"
}

#[test]
fn a_long_topic_is_cut_between_its_metrics() {
    let text = topic(5, 10);
    let document = common::read("airlines.md", text.as_bytes());
    for max in [250, 450, 700, 1_500] {
        let chunks = cut_with(
            "sasb",
            &document,
            "airlines.md",
            json!({ "target_tokens": max, "max_tokens": max }),
            &BTreeMap::new(),
        );
        check_cover(&document, &chunks);
        let parts: Vec<&Chunk> = chunks.iter().filter(|c| c.metadata["topic_code"] == "TR-AL-310a").collect();
        let whole = (text.len() / 4).div_ceil(max);
        assert!(whole <= parts.len() && parts.len() <= 2 * whole, "{max}: {}", parts.len());
        let mut codes = Vec::new();
        for (n, part) in parts.iter().enumerate() {
            let own = part.text(&document.text);
            assert!(CharsPerToken.count(&own) <= max);
            let mark =
                if parts.len() > 1 { format!(" [Part {}/{}]", n + 1, parts.len()) } else { String::new() };
            assert!(own.starts_with(&format!("[SASB > Airlines > Labour]{mark}\n\n")), "{own}");
            let held: Vec<&str> = part.metadata["metric_codes"]
                .as_array()
                .unwrap()
                .iter()
                .map(|c| c.as_str().unwrap())
                .collect();
            // Every metric of a part is there from its code to its advice.
            assert_eq!(own.matches("*In review:*").count(), held.len(), "{max}: {own}");
            assert_eq!(own.matches("**Stoppages").count(), held.len());
            codes.extend(held);
        }
        assert_eq!(codes, ["TR-AL-310a.1", "TR-AL-310a.2", "TR-AL-310a.3", "TR-AL-310a.4", "TR-AL-310a.5"]);
    }
}

#[test]
fn a_metric_longer_than_a_chunk_is_cut_between_its_lists() {
    let document = common::read("airlines.md", topic(1, 60).as_bytes());
    let chunks = cut_with(
        "sasb",
        &document,
        "airlines.md",
        json!({"target_tokens": 220, "max_tokens": 220}),
        &BTreeMap::new(),
    );
    check_cover(&document, &chunks);
    let parts: Vec<String> = chunks
        .iter()
        .filter(|c| c.metadata["topic_code"] == "TR-AL-310a")
        .map(|c| c.extent().of(&document.text).trim_start().to_owned())
        .collect();
    assert!(
        parts[0].ends_with("Crews can ground a fleet.") && parts[1].starts_with("- **TR-AL-310a.1**"),
        "{parts:#?}"
    );
    assert!(parts.len() > 3 && parts[2..].iter().all(|own| own.starts_with('*')), "{parts:#?}");
}

#[test]
fn the_parts_of_a_metric_are_read() {
    let text = topic(2, 2);
    let found = metrics(&text);
    let codes: Vec<&str> = found.iter().map(|metric| metric.code.as_str()).collect();
    assert_eq!(codes, ["TR-AL-310a.1", "TR-AL-310a.2"], "an item that opens with a code is an item");
    for metric in found {
        let asked = &metric.requirement;
        assert_eq!(asked.measured.map(|span| span.of(&text)), Some("Their number."));
        assert_eq!(asked.in_review.map(|span| span.of(&text)), Some("Ask for the list."));
        for list in List::ALL {
            let items: Vec<&str> = asked.list(list).map(|span| span.of(&text)).collect();
            let first = format!("{} word word once.", list.label());
            assert_eq!(items, [first.as_str(), "TR-AL-310a.9 is another\n    metric."]);
        }
        assert!(metric.span.of(&text).ends_with("*Asked as:* strikes; lockouts."));
    }
    // The shipped texts have their metrics in the same form, with or without lists.
    let text = String::from_utf8(data("sasb/airlines.md")).unwrap();
    for metric in metrics(&text) {
        let measured = metric.requirement.measured.map(|span| span.of(&text)).unwrap_or_default();
        assert!(measured.ends_with('.') && !measured.contains(":*"), "{}: {measured}", metric.code);
    }
    assert_eq!(metrics("No metric here: EM-EP-110a.1.\n"), []);
}

#[test]
fn plain_sasb_files() {
    let cases = [
        (
            "oil_and_gas.md",
            "# Oil & Gas\n\nAbout it.\n\n## GHG Emissions\n\nText.\n\n### Metrics\n\n| EM-EP-110a.1 | Gross emissions | t |\n| \
             EM-EP-110a.2 | Split | t |\n\n## Air Quality\n\nSee EM-EP-110a.1.\n",
            json!([
                ["Oil & Gas", null, "EM-EP", []],
                ["Oil & Gas", "GHG Emissions", "EM-EP-110a", ["EM-EP-110a.1", "EM-EP-110a.2"]],
                ["Oil & Gas", "Air Quality", null, []]
            ]),
        ),
        (
            "banking_and_finance.md",
            "# Banking & Finance\n\n## Commercial Banks (FN-CB)\n\n### Data Security\n\nFN-CB-230a.1. Breaches.\n\n## Insurance \
             (FN-IN)\n\n### Advice\n\nText.\n",
            json!([
                ["Commercial Banks", "Data Security", "FN-CB-230a", ["FN-CB-230a.1"]],
                ["Insurance", "Advice", null, []]
            ]),
        ),
        ("some_notes.txt", "No headings here.", json!([["Some notes", null, null, []]])),
    ];
    for (file, text, expected) in cases {
        let document = common::read(file, text.as_bytes());
        let chunks = cut("sasb", &document, file);
        check_cover(&document, &chunks);
        let shown: Vec<Value> = chunks
            .iter()
            .map(|c| {
                json!(
                    ["industry_sector", "disclosure_topic", "topic_code", "metric_codes"]
                        .map(|f| c.metadata[f].clone())
                )
            })
            .collect();
        assert_eq!(json!(shown), expected, "{file}");
    }
}

/// Lines of a standard, some of them changed, moved, cut or joined.
fn broken() -> impl Strategy<Value = String> {
    let lines: Vec<String> = {
        let text = String::from_utf8(data("ifrs/s2_full.md")).unwrap();
        let shapes = SHAPES.iter().flat_map(|s| s.text.lines().map(str::to_owned));
        let sasb = String::from_utf8(data("sasb/insurance.md")).unwrap();
        text.lines()
            .skip(100)
            .take(900)
            .chain(sasb.lines().take(60))
            .map(str::to_owned)
            .chain(shapes)
            .collect()
    };
    let count = lines.len();
    let piece = (0..count, 1..30_usize, 0..8_u8, "[ (a-ziv)0-9.S*·–#>é水-]{0,6}");
    prop::collection::vec(piece, 0..12).prop_map(move |pieces| {
        let mut out = String::from("# IFRS S2\n\n");
        for (start, length, change, noise) in pieces {
            let taken = &lines[start..(start + length).min(count)];
            match change {
                0 => taken.iter().rev().for_each(|l| out.push_str(&format!("{l}\n"))),
                1 => taken.iter().for_each(|l| out.push_str(&format!("{noise}{l}\n"))),
                2 => taken.iter().for_each(|l| out.push_str(&format!("{}\n", l.trim_start()))),
                3 => out.push_str(&taken.join(" ")),
                4 => taken.iter().for_each(|l| {
                    out.push_str(&format!("{}\n", l.chars().skip(noise.len()).collect::<String>()))
                }),
                5 => taken.iter().filter(|l| !l.is_empty()).for_each(|l| out.push_str(&format!("{l}\n"))),
                _ => taken.iter().for_each(|l| out.push_str(&format!("{l}\n"))),
            }
        }
        out
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn laws_hold_on_broken_standards(text in broken(), max in 200..1_500_usize, txt in any::<bool>()) {
        let name = if txt { "s2.txt" } else { "s2.md" };
        let document = common::read(name, text.as_bytes());
        let chunks = cut_with("ifrs", &document, name, json!({"max_tokens": max}), &BTreeMap::new());
        check_ifrs(&document, &chunks, max);
        let chunks = cut_with("sasb", &document, name, json!({"max_tokens": max}), &BTreeMap::new());
        check_cover(&document, &chunks);
        for chunk in &chunks {
            prop_assert!(CharsPerToken.count(&chunk.text(&document.text)) <= max);
        }
    }
}
