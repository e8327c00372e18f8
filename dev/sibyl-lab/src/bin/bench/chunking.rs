//! Chunking: each strategy against a bare parse and against the text-splitter crate, over the same text.

use crate::Outcome;
use crate::timing::repeat;
use pulldown_cmark::{Options, Parser};
use serde_json::Map;
use sibyl_lab::table::Table;
use sibyl_text::Document;
use sibyl_text::chunk::{self, ChunkContext, STRATEGIES};
use sibyl_text::format::{Input, format_of};
use sibyl_text::tokens::CharsPerToken;
use std::collections::BTreeMap;
use std::hint::black_box;
use std::path::Path;
use text_splitter::MarkdownSplitter;

const BYTES: usize = 10 << 20;
const RUNS: usize = 5;
/// 500 tokens of four characters.
const CHARACTERS: usize = 2_000;

/// Measures documents of natural size and one of ten megabytes. text-splitter's Markdown splitter takes time
/// quadratic in a document's length, so the large one alone would not be fair.
pub fn measure() -> Outcome<String> {
    let documents = documents()?;
    let sizes: Vec<usize> = documents.iter().map(String::len).collect();
    let (least, most) = (sizes.iter().min().copied(), sizes.iter().max().copied());
    let total: usize = sizes.iter().sum();
    let times = BYTES.div_ceil(total.max(1));
    let one = documents.concat().repeat(times);
    Ok(format!(
        "{} documents of {} to {} kB, as they ship\n\n{}\nOne document of {:.0} MB, the same repeated\n\n{}",
        documents.len(),
        least.unwrap_or_default() / 1000,
        most.unwrap_or_default() / 1000,
        compare(&documents, RUNS)?,
        one.len() as f64 / 1e6,
        compare(&[one], 2)?,
    ))
}

/// Rates over `documents`, the peer's from `peer_runs` runs.
fn compare(documents: &[String], peer_runs: usize) -> Outcome<String> {
    let megabytes = documents.iter().map(String::len).sum::<usize>() as f64 / 1e6;
    let rate = |runs: usize, work: &dyn Fn(&str)| {
        let times = repeat(runs, |_| documents.iter().for_each(|text| work(text)));
        megabytes / (times.p50() / 1e3)
    };
    let parse = rate(RUNS, &|text| {
        black_box(Parser::new_ext(text, Options::ENABLE_TABLES).count());
    });
    let splitter = MarkdownSplitter::new(CHARACTERS);
    let peer = rate(peer_runs, &|text| {
        black_box(splitter.chunks(text).count());
    });
    let mut table = Table::new(&["what", "MB/s", "× bare parse", "× text-splitter Markdown"]);
    let mut row = |name: &str, rate: f64| {
        table.row([
            name.to_owned(),
            format!("{rate:.0}"),
            format!("{:.2}", rate / parse),
            format!("{:.1}", rate / peer),
        ]);
    };
    row("pulldown-cmark, bare parse", parse);
    row("text-splitter, Markdown", peer);
    let first = documents.first().ok_or("there is no Markdown to chunk")?;
    let format = format_of(&input(first)).ok_or("no format reads Markdown")?;
    row("read (Markdown to document)", rate(RUNS, &|text| drop(black_box(format.read(&input(text))))));
    let read: Vec<Document> = documents.iter().map(|text| format.read(&input(text))).collect();
    let counterparts = BTreeMap::new();
    let context = ChunkContext {
        path: "corpus.md",
        tokens: &CharsPerToken,
        window: None,
        counterparts: &counterparts,
        base_url: "",
    };
    for strategy in STRATEGIES {
        let settings = chunk::settings(*strategy, &Map::new())?;
        let chunked = repeat(RUNS, |_| {
            read.iter().for_each(|document| drop(black_box(strategy.chunk(document, &settings, &context))));
        });
        row(&format!("{}, chunked", strategy.name()), megabytes / (chunked.p50() / 1e3));
        let whole = rate(RUNS, &|text| {
            let document = format.read(&input(text));
            drop(black_box(strategy.chunk(&document, &settings, &context)));
        });
        row(&format!("{}, read and chunked", strategy.name()), whole);
    }
    Ok(table.markdown())
}

const fn input(text: &str) -> Input<'_> {
    Input { name: "corpus.md", bytes: text.as_bytes(), page_metadata: None }
}

/// The shipped Markdown and that of the tests, without front matter.
fn documents() -> Outcome<Vec<String>> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut documents = Vec::new();
    for folder in ["crates/sibyl-text/tests/fixtures", "data/ifrs", "data/sasb"] {
        let mut paths: Vec<_> =
            std::fs::read_dir(root.join(folder))?.filter_map(|e| Some(e.ok()?.path())).collect();
        paths.sort();
        for path in paths.iter().filter(|path| path.extension().is_some_and(|e| e == "md")) {
            let text = std::fs::read_to_string(path)?;
            documents.push(format!("{}\n", text.splitn(3, "---\n").nth(2).unwrap_or(&text)));
        }
    }
    Ok(documents)
}
