//! What a library costs as it grows: searches while documents are being stored, and the lists of many documents.

use crate::Outcome;
use crate::synthetic::{Synthetic, document, query, text};
use crate::timing::{Times, repeat_async};
use sibyl_engine::embed::Embedder as _;
use sibyl_engine::search::SearchRequest;
use sibyl_engine::store::hash;
use sibyl_engine::store::table::corpus::NewCorpus;
use sibyl_engine::store::table::document::NewDocument;
use sibyl_engine::{Library, OpenOptions};
use sibyl_lab::random::Random;
use sibyl_lab::table::Table;
use sibyl_text::format::{Input, format_of};
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

const CHUNKS: usize = 30_000;
const DIMENSIONS: usize = 384;
const QUERIES: usize = 200;
/// Chunks of each document that is stored meanwhile.
const BATCH: usize = 200;
/// Time between the end of one document's storing and the next: a reader needs it for pages.
const PAUSE: Duration = Duration::from_millis(20);
/// Documents of the small library and of the large one.
const SIZES: [usize; 2] = [10, 1_000];
/// Headings of a document, as a report of 200 pages has.
const HEADINGS: usize = 200;
const RUNS: usize = 9;

/// Hybrid searches in a quiet library and while documents are stored in it.
pub async fn ingesting() -> Outcome<String> {
    let folder = tempfile::tempdir()?;
    let synthetic = Synthetic::build(folder.path(), CHUNKS, DIMENSIONS).await?;
    let mut random = Random::new(23);
    let queries: Vec<String> = (0..QUERIES).map(|_| query(&mut random)).collect();
    let quiet = searches(&synthetic.library, &queries).await;
    let (stop, stored) = (AtomicBool::new(false), AtomicUsize::new(0));
    let storing = async {
        while !stop.load(Ordering::Relaxed) {
            let number = stored.fetch_add(1, Ordering::Relaxed);
            store(&synthetic, &mut random, number).await?;
            tokio::time::sleep(PAUSE).await;
        }
        Ok::<(), Box<dyn std::error::Error>>(())
    };
    let searching = async {
        let times = searches(&synthetic.library, &queries).await;
        stop.store(true, Ordering::Relaxed);
        times
    };
    let (outcome, busy) = tokio::join!(storing, searching);
    outcome?;
    let mut table =
        Table::new(&["what", "p50 ms", "p95 ms", "× quiet p50", "× quiet p95", "documents stored"]);
    for (what, times, count) in
        [("quiet library", &quiet, 0), ("while ingesting", &busy, stored.load(Ordering::Relaxed))]
    {
        table.row([
            format!("hybrid search, {CHUNKS} × {DIMENSIONS}, {what}"),
            format!("{:.2}", times.p50()),
            format!("{:.2}", times.p95()),
            format!("{:.2}", times.p50() / quiet.p50()),
            format!("{:.2}", times.p95() / quiet.p95()),
            count.to_string(),
        ]);
    }
    Ok(table.markdown())
}

/// Stores one document with its vectors.
async fn store(synthetic: &Synthetic, random: &mut Random, number: usize) -> Outcome<()> {
    let store = synthetic.library.store();
    let workspace = store.workspace("default").await?.id;
    let corpus = store.corpus(workspace, "synthetic").await?.ok_or("the synthetic corpus is gone")?;
    let texts: Vec<String> = (0..BATCH).map(|_| text(random, 60)).collect();
    store.put_document(document(corpus.id, format!("new/{number}.txt"), &texts)).await?;
    let vectors = texts.iter().map(|text| (hash(text.as_bytes()), synthetic.embedder.vector(text))).collect();
    store.put_vectors(&synthetic.embedder.space().id(), vectors).await?;
    Ok(())
}

async fn searches(library: &Library, queries: &[String]) -> Times {
    repeat_async(queries.len(), |n| {
        let request = SearchRequest { query: queries[n].clone(), ..SearchRequest::default() };
        async move {
            if let Err(error) = library.search().run("default", &request).await {
                eprintln!("bench: {error}");
            }
        }
    })
    .await
}

/// Opening, listing and hovering with files over libraries of ten and of a thousand documents.
pub async fn documents() -> Outcome<String> {
    let dropped = tempfile::tempdir()?;
    for number in 0..5 {
        std::fs::write(dropped.path().join(format!("report-{number}.md")), report(number))?;
    }
    let mut measured = Vec::new();
    for count in SIZES {
        let folder = tempfile::tempdir()?;
        build(folder.path(), count).await?;
        measured.push(one_size(folder.path(), dropped.path()).await?);
    }
    let [few, many] = measured.as_slice() else { return Err("two libraries were to be measured".into()) };
    let [small, large] = SIZES;
    let mut table = Table::new(&[
        "what",
        &format!("{small} documents, ms"),
        &format!("{large} documents, ms"),
        &format!("{large} × {small}"),
    ]);
    for (what, few, many) in [
        ("open", few.open, many.open),
        ("list", few.list, many.list),
        ("hover with 5 files", few.hover, many.hover),
    ] {
        table.row([what.to_owned(), format!("{few:.2}"), format!("{many:.2}"), format!("{:.1}", many / few)]);
    }
    Ok(table.markdown())
}

/// Median milliseconds of one library.
struct Size {
    open: f64,
    list: f64,
    hover: f64,
}

async fn one_size(folder: &Path, dropped: &Path) -> Outcome<Size> {
    let mut opened = Vec::new();
    for _ in 0..RUNS {
        let start = Instant::now();
        drop(Library::open(OpenOptions::new(folder)).await?);
        opened.push(start.elapsed().as_secs_f64() * 1e3);
    }
    let library = Library::open(OpenOptions::new(folder)).await?;
    let workspace = library.store().workspace("default").await?.id;
    let list = repeat_async(RUNS, |_| async {
        if let Err(error) = library.store().documents(workspace, None).await {
            eprintln!("bench: {error}");
        }
    })
    .await;
    let hover = repeat_async(RUNS, |_| async {
        if let Err(error) = library.ingest().glance("default", vec![dropped.to_owned()]).await {
            eprintln!("bench: {error}");
        }
    })
    .await;
    Ok(Size { open: opened.into_iter().collect::<Times>().p50(), list: list.p50(), hover: hover.p50() })
}

/// A library of `count` documents with the structure of long reports, in `folder`.
async fn build(folder: &Path, count: usize) -> Outcome<()> {
    let library = Library::open(OpenOptions::new(folder)).await?;
    let store = library.store();
    let corpus = store
        .put_corpus(NewCorpus {
            workspace_id: None,
            name: "reports".to_owned(),
            source_type: "report".to_owned(),
            strategy: "report".to_owned(),
            settings: serde_json::Map::new(),
            base_url: String::new(),
            remote: false,
        })
        .await?;
    let mut random = Random::new(29);
    for number in 0..count {
        let bytes = report(number).into_bytes();
        let name = format!("report-{number}.md");
        let input = Input { name: &name, bytes: &bytes, page_metadata: None };
        let read = format_of(&input).ok_or("no format reads Markdown")?.read(&input);
        let texts: Vec<String> = (0..20).map(|_| text(&mut random, 60)).collect();
        let new = document(corpus.id, name.clone(), &texts);
        let report_id = Some(format!("report-{number}"));
        store.put_document(NewDocument { document: read, report_id, ..new }).await?;
    }
    Ok(())
}

fn report(number: usize) -> String {
    let mut random = Random::new(number as u64);
    let section = |n: usize| format!("## Section {n}\n\n{}\n\n", text(&mut random, 120));
    format!("# Report {number}\n\n") + (0..HEADINGS).map(section).collect::<String>().as_str()
}
