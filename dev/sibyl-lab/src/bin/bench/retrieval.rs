//! Retrieval: the scan, the legs and the whole, against sqlite-vec's own index and plain FTS5.

use crate::Outcome;
use crate::synthetic::{NARROW, Synthetic, document, query, text};
use crate::timing::{Times, repeat, repeat_async};
use rusqlite::Connection;
use sibyl_engine::embed::Embedder as _;
use sibyl_engine::search::{Filters, Mode, SearchRequest};
use sibyl_engine::store::table::corpus::NewCorpus;
use sibyl_engine::{Library, OpenOptions};
use sibyl_lab::random::Random;
use sibyl_lab::table::Table;
use std::collections::HashSet;
use std::hint::black_box;
use std::time::Instant;

const QUERIES: usize = 40;
const K: usize = 10;

/// Rows a second into text, chunks and keyword index.
pub async fn ingest() -> Outcome<String> {
    let folder = tempfile::tempdir()?;
    let library = Library::open(OpenOptions::new(folder.path())).await?;
    let corpus = library
        .store()
        .put_corpus(NewCorpus {
            workspace_id: None,
            name: "rows".to_owned(),
            source_type: "text".to_owned(),
            strategy: "recursive".to_owned(),
            settings: serde_json::Map::new(),
            base_url: String::new(),
            remote: false,
        })
        .await?;
    let mut random = Random::new(3);
    let batches: Vec<Vec<String>> =
        (0..20).map(|_| (0..500).map(|_| text(&mut random, 60)).collect()).collect();
    let start = Instant::now();
    for (number, texts) in batches.iter().enumerate() {
        library.store().put_document(document(corpus.id, format!("{number}.txt"), texts)).await?;
    }
    let rate = 10_000.0 / start.elapsed().as_secs_f64();
    let mut table = Table::new(&["what", "rows/s"]);
    table.row(["text, chunk and keyword rows, documents of 500 chunks".to_owned(), format!("{rate:.0}")]);
    Ok(table.markdown())
}

/// Every size in `sizes` (chunks, dimensions).
pub async fn measure(sizes: &[(usize, usize)]) -> Outcome<String> {
    let mut table =
        Table::new(&["chunks × dimensions", "what", "p50 ms", "p95 ms", "against", "ratio", "recall@10"]);
    for &(count, dimensions) in sizes {
        let folder = tempfile::tempdir()?;
        let synthetic = Synthetic::build(folder.path(), count, dimensions).await?;
        one_size(&synthetic, dimensions, &mut table).await?;
    }
    Ok(table.markdown())
}

async fn one_size(synthetic: &Synthetic, dimensions: usize, table: &mut Table) -> Outcome<()> {
    let size = format!("{} × {dimensions}", synthetic.count);
    let mut random = Random::new(11);
    let queries: Vec<String> = (0..QUERIES).map(|_| query(&mut random)).collect();
    let peer = Peer::build(synthetic, dimensions).await?;
    let mut row = |what: &str, times: &Times, against: &str, ratio: Option<f64>, recall: Option<f64>| {
        table.row([
            size.clone(),
            what.to_owned(),
            format!("{:.2}", times.p50()),
            format!("{:.2}", times.p95()),
            against.to_owned(),
            ratio.map_or_else(String::new, |r| format!("{r:.2}×")),
            recall.map_or_else(String::new, |r| format!("{r:.4}")),
        ]);
    };
    let vectors: Vec<Vec<f32>> = queries.iter().map(|q| synthetic.embedder.vector(q)).collect();
    let nearest = semantic(synthetic, &vectors, &Filters::default()).await?;
    let vec0 = repeat(QUERIES.min(10), |n| drop(black_box(peer.vec0(&vectors[n]))));
    let exact: Vec<HashSet<i64>> = vectors.iter().map(|v| peer.exact(v)).collect();
    let recall = mean_recall(synthetic, &vectors, &exact).await?;
    row(
        "semantic (scan and rescore)",
        &nearest,
        "plain vec0",
        Some(vec0.p50() / nearest.p50()),
        Some(recall),
    );
    let streaming = streaming(synthetic.count * dimensions);
    row(
        "semantic",
        &nearest,
        "streaming the bytes of its codes",
        Some(nearest.p50() / streaming.p50()),
        None,
    );
    let narrow = Filters { paths: vec![NARROW.to_owned()], ..Filters::default() };
    let filtered = semantic(synthetic, &vectors, &narrow).await?;
    row("semantic, 1 % filter", &filtered, "unfiltered", Some(filtered.p50() / nearest.p50()), None);
    let all = |mode| SearchRequest { mode, ..SearchRequest::default() };
    let keyword = search(synthetic, &queries, &all(Mode::Keyword)).await;
    let plain = repeat(QUERIES, |n| drop(black_box(peer.fts(&queries[n]))));
    row(
        "keyword (4 stop + 4 content words)",
        &keyword,
        "plain FTS5 OR",
        Some(plain.p50() / keyword.p50()),
        None,
    );
    let semantic_leg = search(synthetic, &queries, &all(Mode::Semantic)).await;
    let slower = keyword.p50().max(semantic_leg.p50());
    let legs = SearchRequest { feedback: false, ..all(Mode::Hybrid) };
    let legs = search(synthetic, &queries, &legs).await;
    row(
        "hybrid without feedback (both legs, fusion, fetch)",
        &legs,
        "its slower leg",
        Some(legs.p50() / slower),
        None,
    );
    let hybrid = search(synthetic, &queries, &all(Mode::Hybrid)).await;
    row("hybrid", &hybrid, "its slower leg", Some(hybrid.p50() / slower), None);
    let narrow = SearchRequest { filters: narrow, ..all(Mode::Hybrid) };
    let hybrid_narrow = search(synthetic, &queries, &narrow).await;
    row("hybrid, 1 % filter", &hybrid_narrow, "unfiltered", Some(hybrid_narrow.p50() / hybrid.p50()), None);
    Ok(())
}

async fn search(synthetic: &Synthetic, queries: &[String], request: &SearchRequest) -> Times {
    repeat_async(queries.len(), |n| {
        let request = SearchRequest {
            query: queries[n].clone(),
            dedupe: false,
            correct_spelling: false,
            thesaurus: false,
            ..request.clone()
        };
        async move {
            if let Err(error) = synthetic.library.search().run("default", &request).await {
                eprintln!("bench: {error}");
            }
        }
    })
    .await
}

async fn semantic(synthetic: &Synthetic, vectors: &[Vec<f32>], filters: &Filters) -> Outcome<Times> {
    let store = synthetic.library.store();
    let workspace = store.workspace("default").await?.id;
    let scope = store.scope(workspace, filters.clone()).await?;
    let space = synthetic.embedder.space().id();
    Ok(repeat_async(vectors.len(), |n| {
        let (scope, space) = (&scope, &space);
        async move {
            if let Err(error) = store.nearest(space, &vectors[n], &scope.allowed, K).await {
                eprintln!("bench: {error}");
            }
        }
    })
    .await)
}

async fn mean_recall(synthetic: &Synthetic, vectors: &[Vec<f32>], exact: &[HashSet<i64>]) -> Outcome<f64> {
    let store = synthetic.library.store();
    let workspace = store.workspace("default").await?.id;
    let scope = store.scope(workspace, Filters::default()).await?;
    let space = synthetic.embedder.space().id();
    let mut found = 0;
    for (vector, wanted) in vectors.iter().zip(exact) {
        let nearest = store.nearest(&space, vector, &scope.allowed, K).await?;
        found += nearest.neighbours.iter().filter(|n| wanted.contains(&n.chunk)).count();
    }
    Ok(found as f64 / (vectors.len() * K) as f64)
}

/// Reads as many bytes as the codes have, once.
fn streaming(bytes: usize) -> Times {
    let memory: Vec<u64> = (0..bytes as u64 / 8).collect();
    repeat(20, |_| {
        black_box(memory.iter().fold(0_u64, |sum, word| sum.wrapping_add(*word)));
    })
}

/// What others would use: vec0 as the crate builds it, and FTS5 with every word.
struct Peer {
    connection: Connection,
    vectors: Vec<(i64, Vec<f32>)>,
}

impl Peer {
    async fn build(synthetic: &Synthetic, dimensions: usize) -> Outcome<Self> {
        // The engine has registered sqlite-vec for every connection of this process.
        let connection = Connection::open_in_memory()?;
        connection.execute_batch(&format!(
            "CREATE VIRTUAL TABLE v USING vec0 (embedding float[{dimensions}] distance_metric=cosine);
             CREATE VIRTUAL TABLE f USING fts5 (text, content = '', tokenize = 'porter unicode61');"
        ))?;
        let mut vectors = Vec::with_capacity(synthetic.count);
        let store = synthetic.library.store();
        let workspace = store.workspace("default").await?.id;
        connection.execute_batch("BEGIN")?;
        for document in store.documents(workspace, None).await? {
            for chunk in store.chunks_of(workspace, document.id, 0, i64::MAX).await? {
                let vector = synthetic.embedder.vector(&chunk.text);
                let blob: Vec<u8> = vector.iter().flat_map(|x| x.to_le_bytes()).collect();
                connection
                    .prepare_cached("INSERT INTO v (rowid, embedding) VALUES (?1, ?2)")?
                    .execute((chunk.id, blob))?;
                connection
                    .prepare_cached("INSERT INTO f (rowid, text) VALUES (?1, ?2)")?
                    .execute((chunk.id, chunk.text))?;
                vectors.push((chunk.id, vector));
            }
        }
        connection.execute_batch("COMMIT; INSERT INTO f (f) VALUES ('optimize')")?;
        Ok(Self { connection, vectors })
    }

    fn vec0(&self, query: &[f32]) -> rusqlite::Result<Vec<i64>> {
        let blob: Vec<u8> = query.iter().flat_map(|x| x.to_le_bytes()).collect();
        let mut select = self
            .connection
            .prepare_cached("SELECT rowid FROM v WHERE embedding MATCH ?1 AND k = ?2 ORDER BY distance")?;
        select.query_map((blob, K as i64), |row| row.get(0))?.collect()
    }

    fn fts(&self, query: &str) -> rusqlite::Result<Vec<i64>> {
        let words: Vec<String> = query.split(' ').map(|word| format!("\"{word}\"")).collect();
        let mut select = self
            .connection
            .prepare_cached("SELECT rowid FROM f WHERE f MATCH ?1 ORDER BY bm25(f) LIMIT 200")?;
        select.query_map([words.join(" OR ")], |row| row.get(0))?.collect()
    }

    /// The true nearest, from the full vectors.
    fn exact(&self, query: &[f32]) -> HashSet<i64> {
        let similarity = |vector: &[f32]| vector.iter().zip(query).map(|(a, b)| a * b).sum::<f32>();
        let mut all: Vec<(f32, i64)> =
            self.vectors.iter().map(|(row, vector)| (similarity(vector), *row)).collect();
        all.sort_by(|a, b| b.0.total_cmp(&a.0));
        all.into_iter().take(K).map(|(_, row)| row).collect()
    }
}
