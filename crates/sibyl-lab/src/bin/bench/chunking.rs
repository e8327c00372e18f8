//! Chunking: each strategy against a bare parse and against the text-splitter crate, over the same text.

use crate::Outcome;
use crate::timing::repeat;
use pulldown_cmark::{Options, Parser};
use serde_json::Map;
use sibyl_lab::table::Table;
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

pub fn measure() -> Outcome<String> {
    let text = corpus()?;
    let megabytes = text.len() as f64 / 1e6;
    let rate = |milliseconds: f64| megabytes / (milliseconds / 1e3);
    let parse = rate(
        repeat(RUNS, |_| {
            black_box(Parser::new_ext(&text, Options::ENABLE_TABLES).count());
        })
        .p50(),
    );
    let splitter = MarkdownSplitter::new(CHARACTERS);
    let peer = rate(
        repeat(2, |_| {
            black_box(splitter.chunks(&text).count());
        })
        .p50(),
    );
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
    let input = Input { name: "corpus.md", bytes: text.as_bytes(), page_metadata: None };
    let format = format_of(&input).ok_or("no format reads Markdown")?;
    row("read (Markdown to document)", rate(repeat(RUNS, |_| drop(black_box(format.read(&input)))).p50()));
    let document = format.read(&input);
    let counterparts = BTreeMap::new();
    let context =
        ChunkContext { path: "corpus.md", tokens: &CharsPerToken, counterparts: &counterparts, base_url: "" };
    for strategy in STRATEGIES {
        let settings = chunk::settings(*strategy, &Map::new())?;
        let cut = repeat(RUNS, |_| drop(black_box(strategy.chunk(&document, &settings, &context)))).p50();
        row(&format!("{}, cut", strategy.name()), rate(cut));
        let whole = repeat(RUNS, |_| {
            let document = format.read(&input);
            drop(black_box(strategy.chunk(&document, &settings, &context)));
        });
        row(&format!("{}, read and cut", strategy.name()), rate(whole.p50()));
    }
    Ok(table.markdown())
}

/// The shipped Markdown and the README files, repeated to ten megabytes.
fn corpus() -> Outcome<String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut once = String::new();
    for folder in ["crates/sibyl-text/tests/fixtures", "data/ifrs", "data/sasb"] {
        let mut paths: Vec<_> =
            std::fs::read_dir(root.join(folder))?.filter_map(|e| Some(e.ok()?.path())).collect();
        paths.sort();
        for path in paths.iter().filter(|path| path.extension().is_some_and(|e| e == "md")) {
            let text = std::fs::read_to_string(path)?;
            once.push_str(text.splitn(3, "---\n").nth(2).unwrap_or(&text));
            once.push('\n');
        }
    }
    let times = BYTES.div_ceil(once.len().max(1));
    Ok(once.repeat(times))
}
