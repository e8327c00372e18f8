//! Documents to test with: every fixture, odd texts and a generator of Markdown that bends every rule.

#![allow(dead_code, reason = "each test file takes what it needs")]

use proptest::prelude::*;
use sibyl_text::Document;
use sibyl_text::format::{Input, format_of};
use std::path::{Path, PathBuf};

/// Reads a document as ingesting does.
pub fn read(name: &str, bytes: &[u8]) -> Document {
    let input = Input { name, bytes, page_metadata: None };
    format_of(&input).expect("plain text recognises everything").read(&input)
}

/// All fixtures below `tests/fixtures/NAME`: path below it and document.
pub fn fixtures(name: &str) -> Vec<(String, Document)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures").join(name);
    let mut files: Vec<PathBuf> = Vec::new();
    let mut folders = vec![root.clone()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).expect("fixtures are there") {
            let path = entry.expect("readable").path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|e| e == "md" || e == "txt") {
                files.push(path);
            }
        }
    }
    files.sort();
    assert!(!files.is_empty(), "no fixtures in {}", root.display());
    files
        .into_iter()
        .map(|path| {
            let name = path.strip_prefix(&root).expect("below the root").to_string_lossy().replace('\\', "/");
            let document = read(&name, &std::fs::read(&path).expect("readable"));
            (name, document)
        })
        .collect()
}

/// Texts that break careless readers and chunkers.
pub fn odd_texts() -> Vec<(&'static str, String)> {
    let rows: String = (0..400).map(|i| format!("| row {i} | some value {i} | and a remark |\n")).collect();
    let nested: String = (0..60).map(|i| format!("{}- level {i}\n", "  ".repeat(i))).collect();
    vec![
        ("empty", String::new()),
        ("white space only", " \n\t\n \n".to_owned()),
        ("one word", "word".to_owned()),
        ("no headings", "A sentence about water use. ".repeat(900)),
        ("no spaces", "x".repeat(20_000)),
        ("no spaces, wide letters", "水".repeat(9_000)),
        ("headings only", "# A\n\n## B\n\n### C\n\n## D\n".to_owned()),
        ("one huge table", format!("# T\n\nIntro.\n\n| a | b | c |\n|---|---|---|\n{rows}\nAfter it.\n")),
        ("one huge code block", format!("# T\n\n```text\n{}```\n", "let value = 1;\n".repeat(4_000))),
        ("unclosed fence", format!("# T\n\n```\n{}", "still code\n".repeat(100))),
        ("unclosed admonition", format!("# T\n\n:::note\n\n{}", "Text after it. ".repeat(300))),
        ("nested admonitions", "::::info\nA\n\n:::tip\nB\n:::\n\nC\n::::\n\nAfter.\n".to_owned()),
        ("deep lists", nested),
        ("deep quotes", format!("{} deep\n", ">".repeat(300))),
        ("deep emphasis", format!("{}x{}\n", "*".repeat(3_000), "*".repeat(3_000))),
        ("open brackets", "[".repeat(5_000)),
        ("right to left", "# כותרת\n\nזו פסקה ראשונה. זו פסקה שנייה؟ كيف حالك؟ بخير.\n\n".repeat(120)),
        ("emoji", "👩‍👩‍👧‍👦 family! 🇸🇪 flag. ".repeat(400)),
        ("long title", format!("# {}\n\nText.\n", "a very long title ".repeat(400))),
        ("wide gaps", format!("a.{}b.\n\n{}c.\n", " ".repeat(6_000), "\n".repeat(6_000))),
        ("link definitions", "[a]: http://example.org\n\n[b]: http://example.org/b\n".to_owned()),
        ("marks in a row", ":::note\n".repeat(3_000)),
        ("closing marks only", ":::\n".repeat(3_000)),
        ("tags only", "<Tabs\n".repeat(3_000)),
    ]
}

/// Markdown of all kinds of blocks in any order, well formed or not.
pub fn markdown() -> impl Strategy<Value = String> {
    let words = prop::sample::select(vec![
        "climate",
        "risk",
        "a",
        "Scope",
        "3",
        "12.4",
        "e.g.",
        "No.",
        "(a)",
        "S2.14(a)(iv)",
        "*em*",
        "`code`",
        "[x](y)",
        "<b>",
        "水。",
        "é",
        "👍",
        "?",
        "word!",
        "|",
        "#",
        ":",
        "\\",
        "`",
        "_",
        "long-hyphenated-word",
        "[^1]:",
        "{#id}",
    ]);
    let sentence = prop::collection::vec(words, 1..14).prop_map(|w| w.join(" ") + ". ");
    let prose = prop::collection::vec(sentence, 1..12).prop_map(|s| s.concat());
    let inline = prose.clone();
    let block = prop_oneof![
        4 => prose.clone(),
        2 => (1..7_usize, "[A-Za-z0-9 {}#-]{0,30}").prop_map(|(n, t)| format!("{} {t}", "#".repeat(n))),
        2 => prop::collection::vec((0..4_usize, inline.clone()), 1..6).prop_map(|items| {
            items.into_iter().map(|(d, t)| format!("{}- {t}\n", "  ".repeat(d))).collect()
        }),
        1 => (3..5_usize, prose.clone(), any::<bool>()).prop_map(|(n, t, closed)| {
            let fence = "`".repeat(n);
            format!("{fence}\n{t}\n{}", if closed { fence.as_str() } else { "" })
        }),
        1 => (1..40_usize, "[a-z ]{0,40}").prop_map(|(n, t)| {
            format!("| a | b |\n|---|---|\n{}", format!("| {t} | {n} |\n").repeat(n))
        }),
        1 => (3..5_usize, prose.clone(), any::<bool>()).prop_map(|(n, t, closed)| {
            let mark = ":".repeat(n);
            format!("{mark}note Title\n{t}\n{}", if closed { mark.as_str() } else { "" })
        }),
        1 => prose.clone().prop_map(|t| format!("<TabItem value=\"x\">\n{t}\n</TabItem>")),
        1 => prose.clone().prop_map(|t| format!("> {t}\n> more")),
        1 => Just("---".to_owned()),
        1 => Just("import X from 'y';".to_owned()),
        1 => "[ \t\\x0c\u{a0}\u{feff}\u{202e}]{0,5}",
        1 => prose.prop_map(|t| format!("    {t}")),
    ];
    let gap = prop_oneof![4 => Just("\n\n"), 2 => Just("\n"), 1 => Just("\n\n\n\n")];
    prop::collection::vec((block, gap), 0..25)
        .prop_map(|parts| parts.into_iter().map(|(block, gap)| block + gap).collect())
}
