//! The conformance suite: every strategy in the list keeps these laws, over real, odd and random documents.
//!
//! Over 500 lines: one suite of laws, with the documents that broke them.
#![allow(clippy::unwrap_used, reason = "tests fail by panicking")]

mod common;

use proptest::prelude::*;
use serde_json::{Map, Value};
use sibyl_text::chunk::{Role, STRATEGIES, settings, strategy};
use sibyl_text::param::ParamKind;
use sibyl_text::tokens::{CharsPerToken, TokenCounter};
use sibyl_text::{Chunk, ChunkContext, Document, Piece, Settings, Span, Strategy as Chunker};
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Counts like the estimate, and records how many bytes it was asked to read.
#[derive(Default)]
struct Meter(AtomicUsize);

impl TokenCounter for Meter {
    fn name(&self) -> &str {
        "meter"
    }
    fn count(&self, text: &str) -> usize {
        self.0.fetch_add(text.len(), Ordering::Relaxed);
        CharsPerToken.count(text)
    }
}

fn cut(
    chunker: &dyn Chunker,
    document: &Document,
    settings: &Settings,
    tokens: &dyn TokenCounter,
) -> Vec<Chunk> {
    let counterparts = BTreeMap::new();
    let context = ChunkContext {
        path: "part-1/02-chapter/page.md",
        tokens,
        window: None,
        counterparts: &counterparts,
        base_url: "https://x.org",
    };
    chunker.chunk(document, settings, &context)
}

fn defaults(chunker: &dyn Chunker) -> Settings {
    settings(chunker, &Map::new()).unwrap()
}

fn count(text: &str) -> usize {
    CharsPerToken.count(text)
}

/// All laws for every strategy.
fn check(name: &str, chunker: &dyn Chunker, document: &Document, settings: &Settings) -> Vec<Chunk> {
    let name = format!("{} on {name}", chunker.name());
    let text = document.text.as_str();
    let chunks = cut(chunker, document, settings, &CharsPerToken);
    assert_eq!(chunks, cut(chunker, document, settings, &CharsPerToken), "{name}: deterministic");

    let mut siblings: BTreeMap<Option<usize>, usize> = BTreeMap::new();
    let mut covered: Vec<Span> = Vec::new();
    for (index, chunk) in chunks.iter().enumerate() {
        assert!(chunk.parent.is_none_or(|p| p < index), "{name}: a parent comes before its parts");
        assert!(!chunk.text(text).trim().is_empty(), "{name}: chunk {index} is empty");
        assert!(chunk.own().next().is_some(), "{name}: chunk {index} has text of its own");
        for piece in &chunk.pieces {
            let Piece::Source { span, .. } = piece else { continue };
            assert!(document.body.contains(*span) && !span.is_empty(), "{name}: {span:?} outside the body");
            assert!(text.is_char_boundary(span.start) && text.is_char_boundary(span.end), "{name}: {span:?}");
        }
        let extent = chunk.extent();
        let end = siblings.entry(chunk.parent).or_default();
        assert!(*end <= extent.start, "{name}: chunk {index} overlaps the chunk before it");
        *end = extent.end;
        covered.extend(chunk.own());
        check_size(&name, document, settings, chunk);
    }
    covered.sort_unstable();
    let mut at = document.body.start;
    for span in covered {
        if at < span.start {
            assert!(
                text[at..span.start].trim().is_empty(),
                "{name}: {:?} is in no chunk",
                &text[at..span.start]
            );
        }
        at = at.max(span.end);
    }
    assert!(text[at..].trim().is_empty(), "{name}: {:?} is in no chunk", &text[at..]);
    if settings.values().contains_key("overlap_tokens") {
        check_neighbours(&name, document, settings, &chunks);
    }
    chunks
}

/// The maximum is kept, unless an atomic block is in the way and the chunk says so.
fn check_size(name: &str, document: &Document, settings: &Settings, chunk: &Chunk) {
    let whole = chunk.text(&document.text);
    if let Some(size) = settings.values().get("chunk_size").and_then(Value::as_u64) {
        assert!(whole.chars().count() as u64 <= size, "{name}: {} characters", whole.chars().count());
    }
    let max = settings.integer("max_tokens");
    if max == 0 {
        return;
    }
    if chunk.oversize {
        let atomic =
            document.blocks.iter().any(|b| b.kind.atomic() && chunk.own().any(|s| s.overlaps(b.span)));
        assert!(atomic, "{name}: only an atomic block may exceed the maximum: {whole:?}");
        assert!(count(&whole) > max, "{name}: not oversize");
    } else {
        assert!(count(&whole) <= max, "{name}: {} tokens of {max}: {whole:?}", count(&whole));
    }
}

/// Whether `span` starts with a heading.
fn starts_section(document: &Document, span: Span) -> bool {
    document.sections.iter().any(|s| s.heading.start == span.start)
}

/// Laws between neighbours under one heading: overlap as asked, minimum as the goal of merging.
fn check_neighbours(name: &str, document: &Document, settings: &Settings, chunks: &[Chunk]) {
    let text = document.text.as_str();
    let (min, max) = (settings.integer("min_tokens"), settings.integer("max_tokens"));
    let asked = settings.integer("overlap_tokens");
    for chunk in
        chunks.first().into_iter().chain(chunks.iter().filter(|c| starts_section(document, c.extent())))
    {
        if settings.integer("split_at_headings") == 6 {
            assert_eq!(chunk.spans(Role::Overlap).count(), 0, "{name}: no overlap across headings");
        }
    }
    for pair in chunks.windows(2) {
        let (before, after) = (&pair[0], &pair[1]);
        if let Some(overlap) = after.spans(Role::Overlap).next() {
            assert_eq!(
                overlap.end,
                before.extent().end,
                "{name}: the overlap is the end of the chunk before"
            );
            assert!(before.extent().contains(overlap), "{name}: the overlap is text of the chunk before");
            let tokens = count(overlap.of(text));
            assert!(tokens <= 2 * asked, "{name}: {tokens} tokens of overlap, asked for {asked}");
        }
        if starts_section(document, after.extent()) || after.oversize || before.oversize {
            continue;
        }
        let own = |chunk: &Chunk| count(chunk.extent().of(text));
        let header: usize = before
            .pieces
            .iter()
            .map(|p| if let Piece::Generated { text } = p { count(text) } else { 0 })
            .sum();
        // Room for the overlap is kept free whether or not a sentence fits into it.
        let joined = header + asked + count(&text[before.extent().start..after.extent().end]);
        // A tenth is left for rounding each block up to whole tokens.
        let short = own(before).min(own(after)) * 10 < min * 9;
        assert!(
            !short || joined * 10 > max * 9,
            "{name}: {joined} tokens could be one chunk: {settings:?} {pair:?}"
        );
    }
}

#[test]
fn strategies_describe_themselves() {
    for chunker in STRATEGIES {
        assert!(strategy(chunker.name()).is_some_and(|s| s.name() == chunker.name()), "{}", chunker.name());
        assert!(chunker.summary().ends_with('.'), "{}: a sentence", chunker.name());
        for param in chunker.params() {
            assert!(!param.description.is_empty() && param.description.ends_with('.'), "{}", param.name);
            let given = [(param.name.to_owned(), param.default_value())].into_iter().collect();
            assert!(settings(*chunker, &given).is_ok(), "{}: its own default is refused", param.name);
            if let ParamKind::Integer { min, max, .. } = param.kind {
                for wrong in [min - 1, max + 1] {
                    let given = [(param.name.to_owned(), wrong.into())].into_iter().collect();
                    assert!(settings(*chunker, &given).is_err(), "{}: {wrong} is taken", param.name);
                }
            }
        }
    }
}

#[test]
fn laws_hold_on_real_documents() {
    for (name, document) in common::fixtures("docs").into_iter().chain(common::fixtures("reports")) {
        for chunker in STRATEGIES {
            assert!(!check(&name, *chunker, &document, &defaults(*chunker)).is_empty());
        }
    }
}

#[test]
fn laws_hold_on_odd_documents() {
    for (name, text) in common::odd_texts() {
        for file in ["x.md", "x.txt"] {
            let document = common::read(file, text.as_bytes());
            for chunker in STRATEGIES {
                check(name, *chunker, &document, &defaults(*chunker));
            }
        }
    }
}

#[test]
fn a_block_is_oversize_only_where_its_chunk_exceeds_the_maximum() {
    for length in 1..400 {
        let text = format!("Words.\n\n    {}\n\n\n\n", "code ".repeat(80).get(..length).unwrap());
        let document = common::read("x.md", text.as_bytes());
        for chunker in
            STRATEGIES.iter().filter(|chunker| chunker.params().iter().any(|p| p.name == "max_tokens"))
        {
            let mut given = defaults(*chunker).values().clone();
            for param in chunker.params() {
                if let ParamKind::Integer { min, .. } = param.kind {
                    given.insert(param.name.to_owned(), min.into());
                }
            }
            for max in 58..66 {
                given.insert("max_tokens".to_owned(), max.into());
                let Ok(settings) = settings(*chunker, &given) else { continue };
                check("a block", *chunker, &document, &settings);
            }
        }
    }
}

/// Settings that the strategy accepts, from random numbers.
fn random_settings(chunker: &dyn Chunker, numbers: &[usize], switches: usize) -> Settings {
    let mut given = Map::new();
    let mut numbers = numbers.iter().cycle();
    for (index, param) in chunker.params().iter().enumerate() {
        let value: Value = match param.kind {
            ParamKind::Integer { min, max, .. } => {
                let (min, max) = (usize::try_from(min).unwrap(), usize::try_from(max).unwrap());
                (min + numbers.next().unwrap() % (max - min + 1).min(150)).into()
            }
            ParamKind::Switch { .. } => (switches >> index & 1 == 1).into(),
            ParamKind::Choice { options } => options[numbers.next().unwrap() % options.len()].into(),
            ParamKind::Text { default } => default.into(),
        };
        given.insert(param.name.to_owned(), value);
    }
    settings(chunker, &given).unwrap_or_else(|_| defaults(chunker))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, max_shrink_iters: 200, ..ProptestConfig::default() })]

    #[test]
    fn laws_hold_on_any_document(
        text in common::markdown(),
        numbers in prop::collection::vec(0..400_usize, 8),
        switches in 0..1024_usize,
    ) {
        let document = common::read("x.md", text.as_bytes());
        for chunker in STRATEGIES {
            check("random", *chunker, &document, &defaults(*chunker));
            check("random, other settings", *chunker, &document, &random_settings(*chunker, &numbers, switches));
        }
    }
}

#[test]
fn work_grows_with_the_text_and_not_faster() {
    let seeds = [
        (
            "sections",
            "# A heading\n\nSome text that says something. And more of it, at length.\n\n- item\n- item\n\n"
                .repeat(40),
        ),
        ("one paragraph", "A sentence of some words. ".repeat(120)),
        ("one table", format!("| a | b |\n|---|---|\n{}", "| cell | another cell |\n".repeat(120))),
        ("no spaces", "x".repeat(4_000)),
        ("headings only", "## A\n\n".repeat(500)),
        ("items", "- an item of a long list\n".repeat(150)),
        ("white space", format!("a{}", " \n".repeat(2_000))),
    ];
    for chunker in STRATEGIES {
        for (name, seed) in &seeds {
            let work = |times: usize| {
                // A table or paragraph that is repeated stays one block.
                let document = common::read("x.md", seed.repeat(times).as_bytes());
                let meter = Meter::default();
                let chunks = cut(*chunker, &document, &defaults(*chunker), &meter);
                meter.0.load(Ordering::Relaxed) + chunks.len()
            };
            let (small, large) = (work(8), work(32));
            assert!(large <= small * 5 + 20_000, "{} on {name}: {small} grew to {large}", chunker.name());
        }
    }
}

#[test]
fn contradictions_are_refused() {
    let cases = [
        ("report", r#"{"min_tokens": 700}"#, "`min_tokens` (700) is above `target_tokens` (600)"),
        ("report", r#"{"target_tokens": 900}"#, "`target_tokens` (900) is above `max_tokens` (800)"),
        ("docs", r#"{"overlap_tokens": 300}"#, "use at most 250"),
        ("recursive", r#"{"chunk_overlap": 500}"#, "use at most 250"),
        ("recursive", r#"{"chunk_overlap": 600, "chunk_size": 500}"#, "use at most 250"),
    ];
    for (name, given, said) in cases {
        let given: Map<String, Value> = serde_json::from_str(given).unwrap();
        let error = settings(strategy(name).unwrap(), &given).unwrap_err().to_string();
        assert!(error.contains(said), "{error}");
    }
}

#[test]
fn a_heading_that_stands_alone_has_room_for_its_own_header() {
    // It ends the document, is too long to join the text before it, and has a longer header than that text.
    let heading = "a heading of very many words that goes on and on ".repeat(4);
    let text = format!(
        "{}\n\n## {heading}\n",
        "Sixty characters of text come before what ends the report. ".repeat(4)
    );
    let document = common::read("x.md", text.as_bytes());
    for max in 60..160 {
        for name in ["report", "docs"] {
            let given = [("target_tokens", max), ("max_tokens", max), ("split_at_headings", 0)];
            let mut given: Map<String, Value> =
                given.map(|(name, value)| (name.to_owned(), value.into())).into_iter().collect();
            given.extend([
                ("min_tokens".to_owned(), 0.into()),
                ("overlap_tokens".to_owned(), (max / 2).into()),
            ]);
            let chunker = strategy(name).unwrap();
            check("a heading alone", chunker, &document, &settings(chunker, &given).unwrap());
        }
    }
}

#[test]
fn overlap_is_really_there() {
    // Sentences of exactly ten tokens, so that the requested overlap can be met to within half a sentence.
    let prose = "This sentence has forty characters, ok. ".repeat(600);
    for (name, asked) in [("report", 100), ("report", 45), ("docs", 50), ("docs", 20)] {
        let chunker = strategy(name).unwrap();
        let given = [("overlap_tokens".to_owned(), asked.into())].into_iter().collect();
        let settings = settings(chunker, &given).unwrap();
        let document = common::read("x.md", prose.as_bytes());
        let chunks = check("ten-token sentences", chunker, &document, &settings);
        assert!(chunks.len() > 10);
        for chunk in &chunks[1..] {
            let overlap = chunk.spans(Role::Overlap).next().unwrap();
            let tokens = count(overlap.of(&document.text));
            assert!(tokens.abs_diff(asked) <= 5, "{name}: {tokens} of {asked}");
            assert!(overlap.of(&document.text).starts_with("This sentence"));
        }
    }
    // On real texts, every boundary between two chunks of running text has one.
    let (mut boundaries, mut present, mut tokens) = (0, 0, 0);
    let mut missing = Vec::new();
    let report = strategy("report").unwrap();
    for (_, document) in common::fixtures("reports") {
        let chunks = cut(report, &document, &defaults(report), &CharsPerToken);
        for pair in chunks.windows(2) {
            if starts_section(&document, pair[1].extent()) {
                continue;
            }
            boundaries += 1;
            match pair[1].spans(Role::Overlap).next() {
                Some(overlap) => {
                    present += 1;
                    tokens += count(overlap.of(&document.text));
                }
                None => missing.push(pair[0].extent().of(&document.text).to_owned()),
            }
        }
    }
    // Only if a last sentence is nearer to zero than to the requested overlap does a boundary have none.
    for text in missing {
        let sentence = text.trim_end().trim_end_matches(['.', ';']).rsplit(". ").next().unwrap_or_default();
        assert!(count(sentence) > 150, "{} tokens would fit: {sentence}", count(sentence));
    }
    assert!(boundaries > 20 && present * 10 >= boundaries * 9, "{present} of {boundaries}");
    assert!((80..=120).contains(&(tokens / present)), "{} tokens on average", tokens / present);
}

#[test]
fn the_recursive_cut_is_the_documented_one() {
    /// The algorithm of the specification, word for word, stopped at the end of the text.
    fn documented(text: &str, size: usize, overlap: usize) -> Vec<(usize, usize, String)> {
        const SEPARATORS: [&str; 9] = ["\n\n\n", "\n\n", "\n", ". ", "? ", "! ", "; ", ", ", " "];
        let mut out = Vec::new();
        let (mut at, mut covered) = (0, 0);
        while at < text.len() {
            let mut end = (at + size).min(text.len());
            if end < text.len() {
                let from = at.max(end - (end - at) * 3 / 10);
                let found =
                    SEPARATORS.iter().find_map(|s| text[from..end].rfind(s).map(|i| from + i + s.len()));
                end = found.unwrap_or(end);
            }
            let content = text[at..end].trim();
            // A window that adds only white space to the one before is no chunk.
            if !text[covered.max(at)..end].trim().is_empty() {
                out.push((at, end, content.to_owned()));
            }
            covered = end;
            if end == text.len() {
                break;
            }
            at += (end - at).saturating_sub(overlap).max(1);
        }
        out
    }
    let chunker = strategy("recursive").unwrap();
    let sample = common::fixtures("docs").into_iter().find(|(name, _)| name.ends_with("types.md")).unwrap().1;
    let ascii: String = sample.body.of(&sample.text).chars().filter(char::is_ascii).collect();
    let document = common::read("x.txt", ascii.as_bytes());
    for (size, overlap) in [(500, 50), (100, 50), (60, 0), (1000, 120)] {
        let given = serde_json::json!({"chunk_size": size, "chunk_overlap": overlap});
        let settings = settings(chunker, given.as_object().unwrap()).unwrap();
        let chunks = check("documented", chunker, &document, &settings);
        let number =
            |chunk: &Chunk, name: &str| usize::try_from(chunk.metadata[name].as_u64().unwrap()).unwrap();
        let expected = documented(&document.text, size, overlap);
        assert_eq!(chunks.len(), expected.len());
        for (index, (chunk, (start, end, content))) in chunks.iter().zip(&expected).enumerate() {
            assert_eq!(&chunk.text(&document.text), content);
            assert_eq!((number(chunk, "start_char"), number(chunk, "end_char")), (*start, *end));
            assert_eq!(number(chunk, "token_count"), content.chars().count().div_ceil(4));
            assert_eq!(number(chunk, "chunk_index"), index);
        }
    }
}

#[test]
fn the_worked_report_example() {
    let text = "## Environmental Performance\n\n### GHG Emissions\n\n#### Scope 3\n\nOur Scope 3 emissions totaled 12.4 \
                million tonnes CO2e in FY2024,\nrepresenting a 3.2% decrease from the prior year.\n";
    let document = common::read("report.md", text.as_bytes());
    let chunker = strategy("report").unwrap();
    let chunks = check("worked example", chunker, &document, &defaults(chunker));
    assert_eq!(chunks.len(), 1, "headings without text go with the text below them");
    let whole = chunks[0].text(&document.text);
    assert!(
        whole.starts_with("[Report > Environmental Performance > GHG Emissions > Scope 3]\n\n## Env"),
        "{whole}"
    );
    assert_eq!(
        Value::Object(chunks[0].metadata.clone()),
        serde_json::json!({"section_path": ["Environmental Performance", "GHG Emissions", "Scope 3"],
            "has_table": false, "chunk_index": 0})
    );
}

#[test]
fn long_tables_repeat_their_header() {
    let rows: String = (0..300).map(|i| format!("| Site {i} | {i}00 tonnes |\n")).collect();
    let text = format!("# Emissions\n\nBy site:\n\n| Site | Scope 1 |\n|---|---|\n{rows}\nThat is all.\n");
    let document = common::read("report.md", text.as_bytes());
    let chunker = strategy("report").unwrap();
    let chunks = check("table", chunker, &document, &defaults(chunker));
    assert!(chunks.len() > 2);
    for chunk in &chunks {
        let whole = chunk.text(&document.text);
        let table = whole.split("\n\n").find(|part| part.starts_with('|')).unwrap();
        assert!(table.starts_with("| Site | Scope 1 |\n|---|---|\n| Site "), "{table}");
        assert_eq!(chunk.metadata["has_table"], true);
    }
    let docs = strategy("docs").unwrap();
    let chunks = check("table", docs, &document, &defaults(docs));
    assert!(chunks.iter().any(|c| c.oversize && c.extent().of(&document.text).contains("Site 299")));
}

#[test]
fn the_caption_of_a_table_stands_in_its_first_chunk() {
    let rows: String = (0..300).map(|i| format!("| Site {i} | {i}00 tonnes |\n")).collect();
    let before = "The mills of the company stand in many places. ".repeat(60);
    let text = format!(
        "# Emissions\n\n{before}\n\nTable 7: Emissions by site\n\n| Site | Scope 1 |\n|---|---|\n{rows}\n"
    );
    let document = common::read("report.md", text.as_bytes());
    let chunker = strategy("report").unwrap();
    for overlap in [0, 40] {
        let set = Map::from_iter([("overlap_tokens".to_owned(), Value::from(overlap))]);
        let chunks = check("table", chunker, &document, &settings(chunker, &set).unwrap());
        let with_rows: Vec<String> = chunks.iter().map(|chunk| chunk.text(&document.text)).collect();
        let with_rows: Vec<&String> = with_rows.iter().filter(|text| text.contains("| Site")).collect();
        assert!(with_rows.len() > 2, "{with_rows:?}");
        for text in with_rows {
            assert_eq!(text.matches("Table 7: Emissions by site").count(), 1, "overlap {overlap}: {text}");
        }
    }
}

#[test]
fn docs_chunks_carry_every_field() {
    let text = "---\ntitle: Foundations\ntags: [robots, ai]\nlearning_objectives:\n  - Explain embodiment\n\
                sidebar_label: Basics\nsidebar_position: 2\ndescription: What it is\n---\n\
                import Tabs from '@theme/Tabs';\n\n# Foundations\n\nIntro.\n\n## Principles\n\n### Embodiment\n\nText.\n\n\
                ### Embodiment\n\n```py\nprint('a long enough line of code')\n```\n";
    let document = common::read("page.md", text.as_bytes());
    let chunker = strategy("docs").unwrap();
    let chunks = check("fields", chunker, &document, &defaults(chunker));
    let urls: Vec<&str> = chunks.iter().map(|c| c.metadata["url"].as_str().unwrap()).collect();
    let page = "https://x.org/part-1/chapter/page".to_owned();
    assert_eq!(urls, [page.clone(), format!("{page}#embodiment"), format!("{page}#embodiment-1")]);
    assert_eq!(
        Value::Object(chunks[1].metadata.clone()),
        serde_json::json!({
            "doc_path": "part-1/02-chapter/page.md", "module": "part-1", "chapter": "02-chapter",
            "title": "Foundations", "description": "What it is", "tags": ["robots", "ai"],
            "learning_objectives": ["Explain embodiment"], "sidebar_label": "Basics", "sidebar_position": 2,
            "section_heading": "Embodiment", "heading_breadcrumb": ["Foundations", "Principles", "Embodiment"],
            "chunk_index": 1, "content_type": "prose", "url": format!("{page}#embodiment"),
        })
    );
    assert_eq!(chunks[2].metadata["content_type"], "code");
    assert!(
        chunks[1]
            .text(&document.text)
            .starts_with("[Foundations > Principles > Embodiment]\n\n## Principles")
    );
    assert!(chunks[0].text(&document.text).ends_with("# Foundations\n\nIntro."));
}

#[test]
fn what_stands_above_a_heading_is_not_repeated_below_it_though_it_makes_no_chunk_of_its_own() {
    let rows = "| a row | 3 |\n".repeat(24);
    let text = format!(
        "<Tab>\n# {}\n</Tab>\n\n# Next\n\n| a | b |\n|---|---|\n{rows}\nSome text.\n",
        "Heading words. ".repeat(16)
    );
    let document = common::read("x.md", text.as_bytes());
    let chunker = STRATEGIES.iter().find(|chunker| chunker.name() == "report").unwrap();
    let given = serde_json::json!({
        "split_at_headings": 6, "target_tokens": 93, "min_tokens": 57, "max_tokens": 148, "overlap_tokens": 15,
        "context_header": false
    });
    let settings = settings(*chunker, given.as_object().unwrap()).unwrap();
    let chunks = check("a heading in a tab", *chunker, &document, &settings);
    assert_eq!(chunks[1].text(&document.text).lines().next(), Some("# Next"));
}
