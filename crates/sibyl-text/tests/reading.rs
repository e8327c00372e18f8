//! Laws of reading: whatever the bytes, the document is whole and its structure is sound.
#![allow(clippy::unwrap_used, reason = "tests fail by panicking")]

mod common;

use proptest::prelude::*;
use sibyl_text::{BlockKind, Document, Severity, Span};

/// Checks all laws for every document.
fn check(name: &str, document: &Document) {
    let text = &document.text;
    assert!(!text.contains(['\r', '\0']), "{name}: line ends and NUL are normalised");
    assert_eq!(document.body.end, text.len(), "{name}: the body ends with the text");
    let mut at = document.body.start;
    for block in &document.blocks {
        let span = block.span;
        assert!(at <= span.start && span.start < span.end, "{name}: blocks are in order: {block:?}");
        assert!(text.is_char_boundary(span.start) && text.is_char_boundary(span.end), "{name}: {block:?}");
        let gap = &text[at..span.start];
        assert!(gap.trim().is_empty(), "{name}: {gap:?} lies in no block");
        if let BlockKind::Table { header_end } = block.kind {
            assert!(span.start < header_end && header_end <= span.end, "{name}: {block:?}");
            assert!(text.is_char_boundary(header_end), "{name}: {block:?}");
        }
        at = span.end;
    }
    assert!(text[at..].trim().is_empty(), "{name}: {:?} lies in no block", &text[at..]);
    let headings = document.blocks.iter().filter(|b| matches!(b.kind, BlockKind::Heading(_)));
    assert!(headings.map(|b| b.span).eq(document.sections.iter().map(|s| s.heading)), "{name}: headings");
    for section in &document.sections {
        assert!(document.body.contains(section.span) && section.span.contains(section.heading), "{name}");
        if let Some(parent) = section.parent.map(|i| &document.sections[i]) {
            assert!(parent.level < section.level && parent.span.contains(section.span), "{name}");
        }
    }
    for block in &document.blocks {
        // Sections nest, so the innermost one with a byte is the last in order.
        let at = |byte| document.sections.iter().rposition(|s| s.span.start <= byte && byte < s.span.end);
        let (first, last) = (at(block.span.start), at(block.span.end - 1));
        assert_eq!(first, last, "{name}: one section a block: {block:?}");
    }
    let mut at = 0;
    for segment in &document.segments {
        assert_eq!(segment.span.start, at, "{name}: segments lie end to end");
        at = segment.span.end;
    }
    assert!(document.segments.is_empty() || at == text.len(), "{name}: segments cover the text");
    let mut at = 0;
    for page in &document.pages {
        assert!(at <= page.span.start && page.span.start <= page.span.end, "{name}: pages are in order");
        assert!(text.is_char_boundary(page.span.start) && text.is_char_boundary(page.span.end), "{name}");
        at = page.span.end;
    }
    assert!(at <= text.len(), "{name}: pages lie in the text");
}

/// Text without white space: what reading must not lose.
fn ink(text: &str) -> String {
    text.chars().filter(|c| !c.is_whitespace() && *c != '\0').collect()
}

#[test]
fn fixtures_are_read_whole() {
    for (name, document) in common::fixtures("docs").into_iter().chain(common::fixtures("reports")) {
        check(&name, &document);
        assert!(document.notices.is_empty(), "{name}: {:?}", document.notices);
        let front = document.text.starts_with("---\n");
        assert_eq!(front, !document.metadata.is_empty(), "{name}");
    }
}

#[test]
fn odd_texts_are_read_whole() {
    for (name, text) in common::odd_texts() {
        for file in ["x.md", "x.txt", "x.dat", "x", "x.JSON"] {
            let document = common::read(file, text.as_bytes());
            check(name, &document);
            assert_eq!(ink(&document.text), ink(&text), "{name} as {file}");
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn any_markdown_is_read_whole(text in common::markdown()) {
        let text = text.trim_start_matches('\u{feff}');
        let document = common::read("x.md", text.as_bytes());
        check("random Markdown", &document);
        prop_assert_eq!(ink(&document.text), ink(text));
    }

    #[test]
    fn any_bytes_are_read(bytes in prop::collection::vec(any::<u8>(), 0..600), name in "[a-z]{0,3}\\.(md|txt|json|docx|)") {
        check("random bytes", &common::read(&name, &bytes));
    }

    #[test]
    fn the_encoding_does_not_change_the_text(text in "[a-z é水\n:#]{0,200}", crlf in any::<bool>(), little in any::<bool>()) {
        let plain = common::read("x.md", text.as_bytes());
        let sent = if crlf { text.replace('\n', "\r\n") } else { text.clone() };
        let marked = [b"\xEF\xBB\xBF", sent.as_bytes()].concat();
        let units = std::iter::once(0xFEFF).chain(sent.encode_utf16());
        let wide: Vec<u8> = units.flat_map(|u| if little { u.to_le_bytes() } else { u.to_be_bytes() }).collect();
        for bytes in [sent.as_bytes(), &marked, &wide] {
            let document = common::read("x.md", bytes);
            check("encoded", &document);
            prop_assert_eq!(&document.text, &plain.text);
            prop_assert_eq!(&document.blocks, &plain.blocks);
            for segment in &document.segments {
                let source = segment.source.unwrap();
                prop_assert!(source.end <= bytes.len() && source.len() >= segment.span.len().min(1));
            }
        }
    }
}

/// Kinds and first lines of a document's blocks.
fn outline(text: &str) -> Vec<String> {
    let document = common::read("x.md", text.as_bytes());
    let first = |s: Span| s.of(&document.text).lines().next().unwrap_or_default().to_owned();
    document
        .blocks
        .iter()
        .map(|b| {
            let kind = match b.kind {
                BlockKind::Heading(n) => format!("heading {n}"),
                BlockKind::Table { .. } => "table".to_owned(),
                BlockKind::Item => format!("item {}", b.depth),
                kind => format!("{kind:?}").to_lowercase(),
            };
            format!("{kind}: {}", first(b.span))
        })
        .collect()
}

#[test]
fn blocks_are_recognised() {
    let cases: &[(&str, &[&str])] = &[
        (
            "para\n:::note Title\nx\n\ny\n:::\nmore",
            &["paragraph: para", "admonition: :::note Title", "paragraph: more"],
        ),
        ("::::info\nA\n:::tip\nB\n:::\nC\n::::\nD", &["admonition: ::::info", "paragraph: D"]),
        (
            "- one\n\n    :::note\n    x\n    :::\n\n- two",
            &["item 1: - one", "admonition: :::note", "item 1: - two"],
        ),
        (":::note\nnever closed\n\nplain", &["admonition: :::note", "paragraph: plain"]),
        ("```\n:::note\n<Tabs>\n```", &["code: ```"]),
        ("- ```\n  :::note\n  ```\n- b", &["code: - ```", "item 1: - b"]),
        (
            "import X from 'y';\nimport Z from \"z\"\n\n# A",
            &["html: import X from 'y';", "html: import Z from \"z\"", "heading 1: # A"],
        ),
        ("import this from memory", &["paragraph: import this from memory"]),
        (
            "<Tabs>\n<TabItem value=\"a\">\n```sh\nls\n```\n</TabItem>\n</Tabs>",
            &[
                "html: <Tabs>",
                "html: <TabItem value=\"a\">",
                "code: ```sh",
                "html: </TabItem>",
                "html: </Tabs>",
            ],
        ),
        ("<Tabs\n  groupId=\"x\"\n>\ntext\n</Tabs>", &["html: <Tabs", "paragraph: text", "html: </Tabs>"]),
        ("<A> is no tag line", &["paragraph: <A> is no tag line"]),
        ("- a\n  - b\n\n    more\n- c", &["item 1: - a", "item 2: - b", "item 2: more", "item 1: - c"]),
        (
            "a\n\n[ref]: http://x\n\n|a|\n|-|\n|1|",
            &["paragraph: a", "paragraph: [ref]: http://x", "table: |a|"],
        ),
        ("> q\n> # no section\n\n    code\n\n***", &["quote: > q", "code:     code", "rule: ***"]),
    ];
    for (text, expected) in cases {
        assert_eq!(outline(text), *expected, "{text:?}");
    }
}

#[test]
fn titles_are_plain_and_nested() {
    let document = common::read(
        "x.md",
        b"# The *whole* `story` {#intro}\n\n### Deep [link](x)\n\n## Next\n\nSet\next\n===\n",
    );
    let titles: Vec<_> = document.sections.iter().map(|s| (s.level, s.title.as_str(), s.parent)).collect();
    assert_eq!(
        titles,
        [(1, "The whole story", None), (3, "Deep link", Some(0)), (2, "Next", Some(0)), (1, "Set ext", None)]
    );
    assert_eq!(document.title.as_deref(), Some("The whole story"));
}

#[test]
fn front_matter_is_metadata() {
    for text in [
        "---\ntitle: A title\ntags: [a, b]\ndate: 2021-05-20\nsidebar_position: 3\n---\n\nBody.\n",
        "+++\ntitle = \"A title\"\ntags = [\"a\", \"b\"]\ndate = 2021-05-20\nsidebar_position = 3\n+++\nBody.\n",
    ] {
        let document = common::read("x.md", text.as_bytes());
        let fields = serde_json::Value::Object(document.metadata.clone());
        let expected = serde_json::json!(
            {"title": "A title", "tags": ["a", "b"], "date": "2021-05-20", "sidebar_position": 3}
        );
        assert_eq!(fields, expected);
        assert_eq!(document.title.as_deref(), Some("A title"));
        assert_eq!(document.body.of(&document.text).trim(), "Body.");
    }
}

#[test]
fn broken_front_matter_stays_text_and_is_said() {
    let cases = [
        ("---\na: 1\nb: [x\n---\n\nBody.", Some(3)),
        ("---\na: 1\na: 2\n---\n", Some(3)),
        ("+++\nok = 1\nbroken\n+++\n", Some(3)),
        ("---\n- a\n- b\n---\n", Some(2)),
    ];
    for (text, line) in cases {
        let document = common::read("x.md", text.as_bytes());
        let notice = document.notices.iter().find(|n| n.code == "front_matter_broken").unwrap();
        assert_eq!(notice.severity, Severity::Warning);
        assert!(notice.line >= line && notice.line <= line.map(|l| l + 1), "{text:?}: {notice:?}");
        assert_eq!((document.body.start, &document.metadata), (0, &serde_json::Map::new()), "{text:?}");
    }
    for text in ["---\n\nA rule, then text.\n", "----\na: 1\n----\n"] {
        assert_eq!(common::read("x.md", text.as_bytes()).body.start, 0, "{text:?} has no front matter");
    }
}

#[test]
fn what_is_no_text_is_refused_by_name() {
    let cases: &[(&[u8], &str)] = &[
        (b"PK\x03\x04rest", "found a ZIP archive;"),
        (b"\x89PNG\r\n\x1a\n", "PNG image"),
        (b"\x00\x01\x02\x03\x04\x05\x06\x07\x01\x02", "binary data"),
    ];
    for (bytes, said) in cases {
        let document = common::read("report.md", bytes);
        assert_eq!(document.text, "");
        let notice = &document.notices[0];
        assert!(notice.severity == Severity::Error && notice.message.contains(said), "{notice:?}");
    }
}

#[test]
fn guesses_and_mending_are_said() {
    let cases: &[(&[u8], &str, &str)] = &[
        (b"Pr\xE4ambel \x80 5", "Präambel € 5", "encoding_guessed"),
        (b"a\0b", "ab", "nul_removed"),
        ("åäö \u{FFFD} ok".as_bytes(), "åäö \u{FFFD} ok", ""),
        (b"\xC3\xA5\xC3\xA4\xFF ok", "åä\u{FFFD} ok", "bytes_replaced"),
        (b"h\0e\0l\0l\0o\0", "hello", "encoding_guessed"),
        (b"\0h\0e\0l\0l\0o", "hello", "encoding_guessed"),
        (b"a\rb\r\nc", "a\nb\nc", ""),
    ];
    for (bytes, text, code) in cases {
        let document = common::read("x.txt", bytes);
        assert_eq!(document.text, *text);
        let codes: Vec<&str> = document.notices.iter().map(|n| n.code.as_str()).collect();
        assert_eq!(codes.join(","), *code, "{text}");
    }
}

#[test]
fn what_is_called_pdf_and_is_none_is_refused() {
    for (name, bytes, found) in [
        ("a.pdf", &b"# Plain\n\nwords"[..], "found text"),
        ("a.PDF", b"", "found an empty file"),
        ("a.pdf", b"<!DOCTYPE html><html><body><p>Gone</p></body></html>", "found text"),
        ("a.odt", b"words", "found text"),
        ("a.epub", b"\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1", "found an old Office file"),
        ("a.rtf", b"\x89PNG\r\n\x1A\n", "found a PNG image"),
    ] {
        let document = common::read(name, bytes);
        assert_eq!(document.text, "", "{name}");
        let notice = &document.notices[0];
        assert_eq!(
            (notice.severity, notice.code.as_str()),
            (Severity::Error, "wrong_kind"),
            "{name}: {notice:?}"
        );
        assert!(notice.message.contains(found) && notice.message.starts_with("expected a"), "{notice:?}");
    }
    assert!(common::read("a.md", b"# Plain").notices.is_empty());
}

#[test]
fn bytes_without_order_are_no_text_and_old_encodings_are() {
    // Every byte as often as any other, in an order in which none says more than another.
    let noise: Vec<u8> = (0..3_000_u32).map(|n| (n.wrapping_mul(2_654_435_761) >> 13) as u8).collect();
    let document = common::read("noise.txt", &noise);
    assert_eq!((document.text.as_str(), document.notices[0].code.as_str()), ("", "not_text"));
    let head = [b"A page of words, and then what a program wrote.\n".repeat(20), noise].concat();
    assert_eq!(common::read("mixed.md", &head).notices[0].code, "not_text");
    let shift_jis = b"\x8B\x43\x8C\xF3\x95\xCF\x93\xAE\x82\xCC\x83\x8A\x83\x58\x83\x4E\x81\x42\n".repeat(50);
    assert_eq!(common::read("a.txt", &shift_jis).notices[0].code, "encoding_guessed");
}
