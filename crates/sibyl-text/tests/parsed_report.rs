//! Parsed reports: pages by offsets, texts, counts or markers, and what happens if they do not fit.
#![allow(clippy::unwrap_used, reason = "tests fail by panicking")]

mod common;

use proptest::prelude::*;
use sibyl_text::Document;
use sibyl_text::format::{Input, format_of};

fn read(name: &str, text: &str, metadata: Option<&str>) -> Document {
    let input = Input { name, bytes: text.as_bytes(), page_metadata: metadata.map(str::as_bytes) };
    let format = format_of(&input).unwrap();
    assert_eq!(format.name(), "parsed_report", "{text:?}");
    format.read(&input)
}

/// Number and text of each page.
fn pages(document: &Document) -> Vec<(u32, &str)> {
    document.pages.iter().map(|p| (p.number, p.span.of(&document.text).trim())).collect()
}

#[test]
fn pages_are_found_however_they_are_given() {
    const THREE: &str = "# Ett\n\nPå sidan ett.\n\n-----\n\nTwo.\n\n-----\n\nThree.\n";
    let beside: &[(&str, &str)] = &[
        (
            "page and offsets",
            r#"[{"page": 4, "start": 0}, {"page": 5, "start": 29}, {"page": 6, "start": 42}]"#,
        ),
        (
            "texts",
            r##"[{"page_number": 4, "text": "# Ett\n\nPå sidan ett."}, {"page": 5, "text": "Two."},
                      {"metadata": {"page": 6, "title": "Report"}, "text": "Three.\n"}]"##,
        ),
        ("marks, confirmed by the number of pages", r#"{"pages": [{"page": 4}, {"page": 5}, {"page": 6}]}"#),
    ];
    for (name, metadata) in beside {
        let document = read("report.md", THREE, Some(metadata));
        let found: Vec<_> =
            pages(&document).into_iter().map(|(n, t)| (n, t.trim_matches(['-', '\n']))).collect();
        assert_eq!(found, [(4, "# Ett\n\nPå sidan ett."), (5, "Two."), (6, "Three.")], "{name}");
        assert!(document.notices.is_empty(), "{name}: {:?}", document.notices);
        assert_eq!(document.sections[0].title, "Ett");
    }
    let counted = read(
        "report.md",
        "aåä\n\nbb\n\nc\n",
        Some(r#"[{"page":1,"chars":3},{"page":2,"chars":2},{"page":3,"chars":1}]"#),
    );
    assert_eq!(pages(&counted), [(1, "aåä"), (2, "bb"), (3, "c")]);
}

#[test]
fn pages_by_marks_in_the_text() {
    let cases: &[(&str, &[(u32, &str)])] = &[
        ("One.\u{c}Two.\u{c}Three.", &[(1, "One."), (2, "Two."), (3, "Three.")]),
        ("One.\n\u{c}", &[(1, "One.")]),
        ("<!-- page 7 -->\n\nSeven.\n\n<!-- page 9 -->\n\nNine.\n", &[(7, "Seven."), (9, "Nine.")]),
        ("One.\n\n--- end of page=0 ---\n\nTwo.\n\n--- end of page=1 ---\n", &[(1, "One."), (2, "Two.")]),
    ];
    for (text, expected) in cases {
        let document = read("report.md", text, None);
        assert_eq!(pages(&document), *expected, "{text:?}");
        assert!(
            !document.text.contains("page") && !document.text.contains('\u{c}'),
            "marks are layout: {text:?}"
        );
    }
}

#[test]
fn a_list_of_pages_is_a_report() {
    let json = r##"[{"metadata": {"page": 1, "title": "Annual report"}, "text": "# Risk\n\nOne\n"},
                    {"metadata": {"page": 2}, "text": ""}, {"metadata": {"page": 3}, "text": "Three"}]"##;
    let document = read("pages.json", json, None);
    assert_eq!(pages(&document), [(1, "# Risk\n\nOne"), (2, ""), (3, "Three")]);
    assert_eq!(document.title.as_deref(), Some("Risk"));
    let zero_based = r#"[{"page": 0, "text": "a"}, {"page": 1, "text": "b"}]"#;
    assert_eq!(pages(&read("pages.json", zero_based, None)), [(1, "a"), (2, "b")]);
}

#[test]
fn what_does_not_fit_is_said_and_the_text_stands() {
    let cases = [
        ("not JSON", "page_metadata_broken"),
        (r#"{"x": 1}"#, "page_metadata_broken"),
        (r#"[{"text": "a"}]"#, "page_metadata_broken"),
        (r#"[1, 2]"#, "page_metadata_broken"),
        (r#"[{"page": 1, "start": 900}]"#, "pages_unknown"),
        (r#"[{"page": 1, "start": 4}, {"page": 2, "start": 2}]"#, "pages_unknown"),
        (r#"[{"page": 1, "chars": 3}, {"page": 2, "chars": 99999999999}]"#, "pages_unknown"),
        (r#"[{"page": 2, "text": "Some"}, {"page": 1, "text": "text"}]"#, "page_order"),
    ];
    for (metadata, code) in cases {
        let document = read("report.md", "Some text.\n", Some(metadata));
        assert_eq!(document.text, "Some text.\n");
        let codes: Vec<&str> = document.notices.iter().map(|n| n.code.as_str()).collect();
        assert_eq!(codes, [code], "{metadata}");
    }
}

#[test]
fn pages_reach_the_chunks() {
    let one = format!("# Risk\n\n{}", "A sentence on page forty-two. ".repeat(60));
    let two = "A sentence on page forty-three. ".repeat(60);
    let text = format!("<!-- page 42 -->\n{one}\n\n<!-- page 43 -->\n{two}\n");
    let document = read("report.md", &text, None);
    let report = sibyl_text::chunk::strategy("report").unwrap();
    let settings = sibyl_text::chunk::settings(report, &serde_json::Map::new()).unwrap();
    let counterparts = std::collections::BTreeMap::new();
    let tokens = &sibyl_text::tokens::CharsPerToken;
    let context = sibyl_text::ChunkContext {
        path: "report.md",
        tokens,
        window: None,
        counterparts: &counterparts,
        base_url: "",
    };
    let chunks = report.chunk(&document, &settings, &context);
    for chunk in &chunks {
        let own = chunk.extent().of(&document.text);
        let expected =
            (42 + u64::from(!own.contains("forty-two")), 42 + u64::from(own.contains("forty-three")));
        let found =
            (chunk.metadata["page_start"].as_u64().unwrap(), chunk.metadata["page_end"].as_u64().unwrap());
        assert_eq!(found, expected, "{own}");
    }
    assert!(chunks.len() > 1);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 100, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn page_texts_always_come_back(texts in prop::collection::vec("[a-zå.\n ]{0,40}", 1..8)) {
        let list: Vec<_> = texts.iter().enumerate()
            .map(|(i, text)| serde_json::json!({"page": i + 1, "text": text})).collect();
        let document = read("pages.json", &serde_json::Value::Array(list).to_string(), None);
        prop_assert_eq!(document.pages.len(), texts.len());
        for (page, text) in document.pages.iter().zip(&texts) {
            prop_assert_eq!(page.span.of(&document.text), text.trim());
        }
        let whole = texts.join("\u{c}");
        if texts.len() > 1 {
            let marked = read("x.txt", &whole, None);
            let kept: Vec<&str> = texts.iter().map(|t| t.trim()).collect();
            let found: Vec<&str> = marked.pages.iter().map(|p| p.span.of(&marked.text).trim()).collect();
            prop_assert!(kept.starts_with(&found) && found.len() + 1 >= kept.len());
        }
    }

    #[test]
    fn any_metadata_is_survived(text in common::markdown(), metadata in "[\\[{]?[\\[\\]{}\":,a-z0-9 ]{0,60}") {
        let document = read("x.md", &text, Some(&metadata));
        let mut at = 0;
        for page in &document.pages {
            prop_assert!(at <= page.span.start && page.span.end <= document.text.len());
            at = page.span.end;
        }
    }
}
