//! Whichever method answers, the nearest are those of a plain comparison with every vector.

use super::{Nearest, ScanPath};
use crate::error::Error;
use crate::place::Place;
use crate::scope::ChunkSet;
use crate::{SqliteStore, hash};
use proptest::prelude::*;
use roaring::RoaringTreemap;
use sibyl_space::{Space, Tier};

/// Pseudo-random numbers from -1 to 1 (SplitMix64).
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut x = self.0;
        x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        x ^ (x >> 31)
    }

    fn number(&mut self) -> f32 {
        (self.next() >> 40) as f32 / (1 << 23) as f32 - 1.0
    }

    fn vector(&mut self, dimensions: usize) -> Vec<f32> {
        // The sum of a few even numbers is near enough to a normal one.
        (0..dimensions).map(|_| (0..4).map(|_| self.number()).sum()).collect()
    }

    /// A vector near one of `centres`, of length 1.
    fn near(&mut self, centres: &[Vec<f32>], spread: f32) -> Vec<f32> {
        let centre = &centres[self.next() as usize % centres.len()];
        let noise = self.vector(centre.len());
        unit(centre.iter().zip(noise).map(|(c, n)| c + spread * n).collect())
    }
}

fn unit(vector: Vec<f32>) -> Vec<f32> {
    let length = vector.iter().map(|x| x * x).sum::<f32>().sqrt();
    vector.into_iter().map(|x| x / length.max(f32::MIN_POSITIVE)).collect()
}

fn space(dimensions: usize) -> Space {
    Space {
        tier: Tier::Instant,
        model: "test".to_owned(),
        endpoint: String::new(),
        revision: String::new(),
        dimensions,
        window: String::new(),
    }
}

struct Bench {
    store: SqliteStore,
    space: String,
    folder: tempfile::TempDir,
}

impl Bench {
    async fn new(dimensions: usize) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let store = SqliteStore::open(Place::named(folder.path())).unwrap();
        let space = store.ensure_space(&space(dimensions)).await.unwrap();
        store
            .pool
            .write(|tx| {
                tx.execute_batch(
                    "INSERT INTO corpus (id, name, source_type, strategy, created_at) VALUES (1, 'one', 'text', '', ''), (2, 'two', 'text', '', '');
                     INSERT INTO document (id, corpus_id, path, root, origin, source_type, format, title, source_hash,
                       text_version, config_hash, text, structure, word_count, token_count, ingested_at)
                     VALUES (1, 1, '', '', '', 'text', '', '', '', '', '', '', '', 0, 0, '');",
                )?;
                Ok(())
            })
            .await
            .unwrap();
        Self { store, space, folder }
    }

    /// Adds one chunk for each number; the number stands for its text.
    async fn add_chunks(&self, corpus: i64, texts: Vec<usize>) {
        self.store
            .pool
            .write(move |tx| {
                let mut insert = tx.prepare(
                    r#"INSERT INTO chunk (chunk_id, document_id, corpus_id, ordinal, source_type, text, input_hash,
                         pieces, metadata, start, "end", tokens, word_count, oversize, path, ingested_at)
                       VALUES (?1, 1, ?2, ?3, 'text', ?4, ?5, '', '{}', 0, 0, 0, 0, 0, '', '')"#,
                )?;
                let first: i64 = tx.query_row("SELECT coalesce(max(ordinal), 0) + 1 FROM chunk", [], |r| r.get(0))?;
                for (n, text) in texts.into_iter().enumerate() {
                    let ordinal = first + n as i64;
                    // Ids in another order than rows, so that a tie cannot pass by row.
                    let id = crate::short_hash(&[&ordinal.to_string()]);
                    insert.execute((id, corpus, ordinal, text.to_string(), text_hash(text)))?;
                }
                Ok(())
            })
            .await
            .unwrap();
    }

    async fn put(&self, vectors: impl IntoIterator<Item = (usize, Vec<f32>)>) -> usize {
        let vectors = vectors.into_iter().map(|(text, vector)| (text_hash(text), vector)).collect();
        self.store.put_vectors(&self.space, vectors).await.unwrap()
    }

    async fn rows(&self) -> Vec<(i64, String, usize)> {
        self.store
            .pool
            .read(|c| {
                let mut select = c.prepare("SELECT id, chunk_id, text FROM chunk ORDER BY id")?;
                let rows = select
                    .query_map([], |r| Ok((r.get(0)?, r.get(1)?, r.get::<_, String>(2)?.parse().unwrap())))?;
                Ok(rows.collect::<rusqlite::Result<_>>()?)
            })
            .await
            .unwrap()
    }

    async fn nearest(&self, query: &[f32], allowed: &ChunkSet, k: usize) -> Nearest {
        self.store.nearest(&self.space, query, allowed, k).await.unwrap()
    }
}

/// As [`Store::nearest`], once its code file is written.
async fn scanned(store: &SqliteStore, space: &str, query: &[f32], allowed: &ChunkSet, k: usize) -> Nearest {
    for _ in 0..1_000 {
        let found = store.nearest(space, query, allowed, k).await.unwrap();
        if found.path == ScanPath::Codes {
            return found;
        }
        tokio::time::sleep(std::time::Duration::from_millis(20)).await;
    }
    panic!("no code file was written");
}

fn text_hash(text: usize) -> [u8; 32] {
    hash(text.to_string().as_bytes())
}

fn row_set(rows: impl IntoIterator<Item = i64>) -> ChunkSet {
    let rows: RoaringTreemap = rows.into_iter().map(|row| row as u64).collect();
    ChunkSet { before: rows.len(), rows }
}

fn cosine(a: &[f32], b: &[f32]) -> f64 {
    let dot = |x: &[f32], y: &[f32]| x.iter().zip(y).map(|(a, b)| f64::from(*a) * f64::from(*b)).sum::<f64>();
    let lengths = (dot(a, a) * dot(b, b)).sqrt();
    if lengths == 0.0 { 0.0 } else { dot(a, b) / lengths }
}

/// Whether `found` are the nearest by comparison with every vector; similarities within `tolerance` may swap.
fn assert_nearest(
    found: &Nearest,
    all: &[(i64, String, f64)],
    allowed: &ChunkSet,
    k: usize,
    tolerance: f64,
) -> Result<(), TestCaseError> {
    let mut expected: Vec<f64> =
        all.iter().filter(|(row, ..)| allowed.rows.contains(*row as u64)).map(|(.., s)| *s).collect();
    expected.sort_by(|a, b| b.total_cmp(a));
    expected.truncate(k);
    prop_assert_eq!(found.neighbours.len(), expected.len());
    for (one, expected) in found.neighbours.iter().zip(expected) {
        let (_, id, own) = all.iter().find(|(row, ..)| *row == one.chunk).unwrap();
        prop_assert_eq!(&one.chunk_id, id);
        prop_assert!(allowed.rows.contains(one.chunk as u64));
        prop_assert!((f64::from(one.similarity) - own).abs() < 1e-5, "{} is not {own}", one.similarity);
        prop_assert!((own - expected).abs() <= tolerance, "{own} stands where {expected} should");
    }
    for pair in found.neighbours.windows(2) {
        let equal = pair[0].similarity == pair[1].similarity;
        prop_assert!(pair[0].similarity >= pair[1].similarity);
        prop_assert!(
            !equal || pair[0].chunk_id > pair[1].chunk_id,
            "of equal ones the greater id comes first"
        );
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]
    #[test]
    fn the_nearest_are_those_of_a_plain_comparison(
        seed in any::<u64>(),
        chunks in 1_usize..400,
        texts in 1_usize..300,
        dimensions in prop::sample::select(vec![3_usize, 64, 100]),
        k in 1_usize..60,
        kept in 1_u64..5,
        step in 1_usize..400,
    ) {
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).build().unwrap();
        runtime.block_on(async {
            let mut random = Random(seed);
            let bench = Bench::new(dimensions).await;
            let vectors: Vec<Vec<f32>> = (0..texts)
                .map(|n| if n == 7 { vec![0.0; dimensions] } else { unit(random.vector(dimensions)) })
                .collect();
            let holds: Vec<usize> = (0..chunks).map(|_| random.next() as usize % texts).collect();
            // Chunks and vectors are added in alternating portions, with searches in between; every ninth text
            // never gets a vector.
            let has_vector = |text: usize| text % 9 != 4;
            for start in (0..chunks.max(texts)).step_by(step) {
                bench.add_chunks(1, holds.iter().skip(start).take(step).copied().collect()).await;
                let portion = (start..texts.min(start + step)).filter(|&n| has_vector(n));
                bench.put(portion.map(|n| (n, vectors[n].clone()))).await;
                let query = unit(random.vector(dimensions));
                let all: Vec<(i64, String, f64)> = bench.rows().await.into_iter()
                    .filter(|(.., text)| *text < start + step && has_vector(*text))
                    .map(|(row, id, text)| (row, id, cosine(&query, &vectors[text])))
                    .collect();
                let allowed = row_set((1..=chunks as i64).filter(|_| random.next().is_multiple_of(kept)));
                let found = bench.nearest(&query, &allowed, k).await;
                // Tiny spaces have many near-equal neighbours, which the codes cannot order beyond ×4.
                assert_nearest(&found, &all, &allowed, k, if dimensions == 3 { 2e-2 } else { 1e-5 })?;
            }
            Ok::<(), TestCaseError>(())
        })?;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_code_file_finds_what_a_full_comparison_finds() {
    let (count, dimensions, k) = (6_000, 256, 10);
    let mut random = Random(11);
    let centres: Vec<Vec<f32>> = (0..60).map(|_| unit(random.vector(dimensions))).collect();
    let vectors: Vec<Vec<f32>> = (0..count).map(|_| random.near(&centres, 0.05)).collect();
    let bench = Bench::new(dimensions).await;
    bench.add_chunks(1, (0..count).collect()).await;
    bench.put(vectors.iter().cloned().enumerate()).await;
    let everything = row_set(1..=count as i64);
    let first = bench.nearest(&vectors[0], &everything, k).await;
    assert_eq!(first.path, ScanPath::Exact, "no search waits until the file is written");
    let settled = scanned(&bench.store, &bench.space, &vectors[0], &everything, k).await;
    assert_eq!(settled.neighbours[0], first.neighbours[0]);
    let (mut hit, mut wanted) = (0, 0);
    for round in 0..60 {
        let query = random.near(&centres, 0.05);
        // Unfiltered, a tenth and a hundredth.
        let allowed = row_set((1..=count as i64).filter(|row| row % [1, 10, 60][round % 3] == 0));
        let found = bench.nearest(&query, &allowed, k).await;
        assert_eq!(found.path, ScanPath::Codes);
        let mut expected: Vec<(f64, i64)> =
            allowed.rows.iter().map(|row| (cosine(&query, &vectors[row as usize - 1]), row as i64)).collect();
        expected.sort_by(|a, b| b.0.total_cmp(&a.0));
        wanted += k;
        hit +=
            expected[..k].iter().filter(|(_, row)| found.neighbours.iter().any(|n| n.chunk == *row)).count();
    }
    assert!(hit as f64 >= 0.999 * wanted as f64, "recall is {hit} of {wanted}");
    let query = random.near(&centres, 0.05);
    for (allowed, most) in [(everything, count / 100), (row_set(1..=60), 0)] {
        let mut all: Vec<(f64, i64)> =
            allowed.rows.iter().map(|row| (cosine(&query, &vectors[row as usize - 1]), row as i64)).collect();
        all.sort_by(|a, b| b.0.total_cmp(&a.0));
        let rows: Vec<i64> = [0, all.len() / 2, all.len() - 1].map(|place| all[place].1).to_vec();
        let found = bench.store.nearness(&bench.space, &query, &allowed, rows).await.unwrap();
        assert_eq!(found.len(), 3);
        for (row, (similarity, rank)) in found {
            let place = all.iter().position(|(_, other)| *other == row).unwrap();
            assert!((f64::from(similarity) - all[place].0).abs() < 1e-5);
            assert!(rank.abs_diff(place + 1) <= most, "rank {rank} stands where {} should", place + 1);
        }
    }
    assert!(bench.store.verify_codes().await.unwrap().is_sound());
}

#[tokio::test(flavor = "multi_thread")]
async fn damaged_stale_and_missing_code_files_are_made_again() {
    let (count, dimensions) = (5_000, 8);
    let mut random = Random(5);
    let vectors: Vec<Vec<f32>> = (0..count + 10).map(|_| unit(random.vector(dimensions))).collect();
    let bench = Bench::new(dimensions).await;
    bench.add_chunks(1, (0..count).collect()).await;
    bench.put(vectors.iter().cloned().enumerate().take(count)).await;
    bench.store.rebuild_codes(&bench.space).await.unwrap();
    let files = || -> Vec<std::path::PathBuf> {
        std::fs::read_dir(bench.folder.path().join("codes")).unwrap().map(|e| e.unwrap().path()).collect()
    };
    let [path] = &files()[..] else { panic!("one code file was expected: {:?}", files()) };
    let whole = std::fs::read(path).unwrap();
    let everything = row_set(1..=count as i64);
    let expected = bench.nearest(&vectors[3], &everything, 5).await;
    assert_eq!(expected.path, ScanPath::Codes);
    assert_eq!(expected.neighbours[0].chunk, 4);
    type Harm<'a> = &'a dyn Fn(&mut Vec<u8>);
    let harms: [(&str, Harm<'_>); 4] = [
        ("a torn file", &|bytes| bytes.truncate(1_000)),
        ("a damaged header", &|bytes| bytes[20] ^= 1),
        ("an empty file", &|bytes| bytes.clear()),
        ("another version", &|bytes| bytes[8] = 9),
    ];
    for (what, harm) in harms {
        let mut bytes = whole.clone();
        harm(&mut bytes);
        std::fs::remove_file(path).unwrap();
        std::fs::write(path, &bytes).unwrap();
        // As another program would find it.
        let store = SqliteStore::open(Place::named(bench.folder.path())).unwrap();
        let exact = store.nearest(&bench.space, &vectors[3], &everything, 5).await.unwrap();
        assert_eq!(exact.neighbours, expected.neighbours, "{what}");
        assert_eq!(scanned(&store, &bench.space, &vectors[3], &everything, 5).await, expected, "{what}");
        assert_eq!(std::fs::read(path).unwrap(), whole, "{what} is rebuilt");
    }
    let mut bytes = whole.clone();
    bytes[5_000] ^= 1;
    std::fs::remove_file(path).unwrap();
    std::fs::write(path, &bytes).unwrap();
    let health = bench.store.verify_codes().await.unwrap();
    assert!(!health.is_sound(), "a changed code is found: {health:?}");

    // A few new vectors are found without a new file, and the file of a library put back to an older state is not
    // used.
    bench.add_chunks(1, (count..count + 10).collect()).await;
    bench.put(vectors.iter().cloned().enumerate().skip(count)).await;
    let found = bench.nearest(&vectors[count + 2], &row_set(1..=count as i64 + 10), 1).await;
    assert_eq!(found.neighbours[0].chunk, count as i64 + 3);
    bench.store.rebuild_codes(&bench.space).await.unwrap();
    let sql = "DELETE FROM vector WHERE id > 4990; UPDATE generation SET value = 0 WHERE name = 'vector'";
    bench.store.pool.write(move |tx| Ok(tx.execute_batch(sql)?)).await.unwrap();
    assert!(!bench.store.verify_codes().await.unwrap().is_sound());
    let store = SqliteStore::open(Place::named(bench.folder.path())).unwrap();
    let found =
        store.nearest(&bench.space, &vectors[count + 2], &row_set(1..=count as i64 + 10), 1).await.unwrap();
    assert!(found.neighbours[0].chunk <= 4_990);
    scanned(&store, &bench.space, &vectors[3], &everything, 5).await;
    assert!(store.verify_codes().await.unwrap().is_sound());
}

#[tokio::test]
async fn texts_without_a_vector_are_counted_and_visited_once() {
    let bench = Bench::new(2).await;
    bench.add_chunks(1, vec![1, 2, 1, 3]).await;
    bench.add_chunks(2, vec![3, 4]).await;
    assert_eq!(bench.put([(2, vec![1.0, 0.0])]).await, 1);
    assert_eq!(
        bench.put([(2, vec![0.0, 1.0]), (9, vec![0.0, 1.0])]).await,
        1,
        "a vector that is there stays"
    );
    let missing = async |corpora: Vec<i64>, after, limit| -> Vec<String> {
        let missing = bench.store.missing_inputs(&bench.space, corpora, after, limit).await.unwrap();
        for input in &missing {
            assert_eq!(input.hash, hash(input.text.as_bytes()));
        }
        missing.into_iter().map(|input| input.text).collect()
    };
    assert_eq!(missing(vec![1, 2], 0, 10).await, ["1", "3", "4"]);
    assert_eq!(missing(vec![1], 0, 10).await, ["1", "3"]);
    assert_eq!(missing(vec![2], 0, 1).await, ["3"]);
    assert_eq!(missing(vec![1, 2], 4, 10).await, ["3", "4"]);
    assert!(missing(vec![], 0, 10).await.is_empty());
    let coverage = bench.store.coverage(&bench.space).await.unwrap();
    let numbers: Vec<_> = coverage.iter().map(|c| (c.corpus, c.chunks, c.covered)).collect();
    assert_eq!(numbers, [(1, 4, 1), (2, 2, 0)]);
    assert_eq!(bench.store.count_missing(&bench.space, vec![1, 2]).await.unwrap().texts, 3);
    assert_eq!(bench.store.spaces().await.unwrap()[0].vectors, 2);
    let vectors = bench.store.vectors_of(&bench.space, vec![1, 2, 77]).await.unwrap();
    assert_eq!(vectors.into_iter().collect::<Vec<_>>(), [(2, vec![1.0, 0.0])]);
}

#[tokio::test]
async fn vectors_that_do_not_fit_are_refused_whole() {
    let bench = Bench::new(2).await;
    for bad in [vec![1.0], vec![1.0, f32::NAN], vec![f32::INFINITY, 0.0]] {
        let vectors = vec![(text_hash(1), vec![1.0, 0.0]), (text_hash(2), bad)];
        let refused = bench.store.put_vectors(&bench.space, vectors).await;
        assert!(matches!(refused, Err(Error::UnfitVector { .. })), "{refused:?}");
    }
    assert_eq!(bench.store.spaces().await.unwrap()[0].vectors, 0);
    assert!(matches!(bench.store.coverage("nowhere").await, Err(Error::NotFound { .. })));
    let refused = bench.store.nearest(&bench.space, &[1.0], &row_set([1]), 1).await;
    assert!(matches!(refused, Err(Error::UnfitVector { .. })));
}
