//! Laws of vectors, and of the leg by meaning against the exact cosine.

use crate::Bench;
use crate::made::{Desk, Random, document, space};
use sibyl_store::hash;
use sibyl_store::job::JobKind;
use sibyl_store::scope::{ChunkSet, Filters};
use sibyl_store::table::job::NewJob;
use sibyl_store::table::refusal::NewRefusal;
use std::collections::{BTreeSet, HashMap, HashSet};
use std::sync::Arc;

const DIMENSIONS: usize = 16;

/// Chunks with vectors in a space.
struct Shelf<B> {
    desk: Desk<B>,
    space: String,
    corpus: i64,
    /// Key, text and vector of each chunk; every seventh has none.
    chunks: Vec<(i64, String, Option<Vec<f32>>)>,
    random: Random,
}

impl<B: Bench> Shelf<B> {
    async fn new(seed: u64, count: usize) -> Self {
        let desk = Desk::<B>::new().await;
        let mut random = Random(seed);
        let texts: Vec<String> = (0..count).map(|n| format!("{n} {}", random.text(1, 3))).collect();
        let (corpus, id) = desk.shelf(&texts).await;
        let space = desk.store.ensure_space(&space("made", DIMENSIONS)).await.unwrap();
        let mut chunks = Vec::new();
        for (n, chunk) in desk.chunks(id).await.into_iter().enumerate() {
            let vector = (n % 7 != 3).then(|| random.vector(DIMENSIONS));
            chunks.push((chunk.id, chunk.text, vector));
        }
        let vectors =
            chunks.iter().filter_map(|(_, text, vector)| Some((hash(text.as_bytes()), vector.clone()?)));
        let new = desk.store.put_vectors(&space, vectors.collect()).await.unwrap();
        assert_eq!(new, chunks.iter().filter(|(.., vector)| vector.is_some()).count());
        Self { desk, space, corpus, chunks, random }
    }

    /// A part of the chunks.
    fn some(&mut self, once_in: usize) -> ChunkSet {
        let random = &mut self.random;
        let keys: Vec<i64> =
            self.chunks.iter().filter(|_| random.once_in(once_in)).map(|(key, ..)| *key).collect();
        ChunkSet::new(keys, self.chunks.len() as u64)
    }

    /// Similarity of each chunk of `allowed` that has a vector to `query`, greatest first.
    fn exact(&self, query: &[f32], allowed: &ChunkSet) -> Vec<(f64, i64)> {
        let inside = self.chunks.iter().filter(|(key, ..)| allowed.holds(*key));
        let mut all: Vec<(f64, i64)> =
            inside.filter_map(|(key, _, vector)| Some((cosine(query, vector.as_ref()?), *key))).collect();
        all.sort_by(|a, b| b.0.total_cmp(&a.0));
        all
    }
}

fn cosine(a: &[f32], b: &[f32]) -> f64 {
    let dot = |a: &[f32], b: &[f32]| a.iter().zip(b).map(|(a, b)| f64::from(*a) * f64::from(*b)).sum::<f64>();
    dot(a, b) / (dot(a, a) * dot(b, b)).sqrt()
}

/// The nearest are those of greatest cosine in the set, and none from outside.
pub async fn the_nearest_are_those_of_greatest_cosine<B: Bench>() {
    let mut shelf = Shelf::<B>::new(20, 300).await;
    for round in 0..30 {
        let (query, allowed) = (shelf.random.vector(DIMENSIONS), shelf.some(1 + round % 4));
        let exact = shelf.exact(&query, &allowed);
        for k in [1, 10, 400] {
            let nearest = shelf.desk.store.nearest(&shelf.space, &query, &allowed, k).await.unwrap();
            assert_eq!(nearest.neighbours.len(), exact.len().min(k));
            for (near, (expected, _)) in nearest.neighbours.iter().zip(&exact) {
                let similarity = f64::from(near.similarity);
                assert!((similarity - expected).abs() < 1e-5, "{k}: {similarity} {expected}");
                assert!(allowed.holds(near.chunk));
                let own = exact.iter().find(|(_, key)| *key == near.chunk).unwrap();
                assert!((similarity - own.0).abs() < 1e-5);
            }
            let keys: HashSet<i64> = nearest.neighbours.iter().map(|near| near.chunk).collect();
            assert_eq!(keys.len(), nearest.neighbours.len(), "each once");
        }
    }
}

/// The rank of a chunk is its place among the nearest.
pub async fn nearness_is_the_place_among_the_nearest<B: Bench>() {
    let mut shelf = Shelf::<B>::new(21, 60).await;
    let (query, allowed) = (shelf.random.vector(DIMENSIONS), shelf.some(1));
    let exact = shelf.exact(&query, &allowed);
    let all = shelf.chunks.iter().map(|(key, ..)| *key).collect();
    let ranks = shelf.desk.store.nearness(&shelf.space, &query, &allowed, all).await.unwrap();
    assert_eq!(ranks.len(), exact.len());
    for ((similarity, key), rank) in exact.into_iter().zip(1..) {
        let (own, place) = ranks[&key];
        assert!((f64::from(own) - similarity).abs() < 1e-5);
        assert_eq!(place, rank, "{key}");
    }
}

/// Equal texts share a vector, and a text that comes back finds its own again.
pub async fn equal_texts_share_a_vector<B: Bench>() {
    let desk = Desk::<B>::new().await;
    let (corpus, id) = desk.shelf(&["alba".to_owned(), "alba".to_owned(), "brix".to_owned()]).await;
    let name = desk.store.ensure_space(&space("made", 2)).await.unwrap();
    let put = async |vector| desk.store.put_vectors(&name, vec![(hash(b"alba"), vector)]).await.unwrap();
    assert_eq!((put(vec![1.0, 0.0]).await, put(vec![0.0, 1.0]).await), (1, 0), "the first one stays");
    let found = async || {
        let scope = desk.store.scope(desk.workspace, Filters::default()).await.unwrap();
        let nearest = desk.store.nearest(&name, &[1.0, 0.0], &scope.allowed, 9).await.unwrap();
        nearest.neighbours.into_iter().map(|near| (near.chunk, near.similarity)).collect::<HashMap<_, _>>()
    };
    let keys: Vec<i64> = desk.chunks(id).await.iter().map(|chunk| chunk.id).collect();
    assert_eq!(found().await, HashMap::from([(keys[0], 1.0), (keys[1], 1.0)]));
    desk.put(document(corpus, "a.md", &["corm"])).await;
    assert!(found().await.is_empty());
    desk.put(document(corpus, "a.md", &["corm", "alba"])).await;
    assert_eq!(found().await.len(), 1);
}

/// A vector that does not fit its space makes the whole batch fail.
pub async fn an_unfit_vector_stores_none<B: Bench>() {
    let desk = Desk::<B>::new().await;
    let name = desk.store.ensure_space(&space("made", 2)).await.unwrap();
    for bad in [vec![1.0], vec![1.0, f32::NAN], vec![f32::INFINITY, 0.0], vec![0.0; 3]] {
        let lot = vec![(hash(b"alba"), vec![1.0, 0.0]), (hash(b"brix"), bad.clone())];
        assert_eq!(desk.store.put_vectors(&name, lot).await.unwrap_err().code(), "invalid", "{bad:?}");
        assert!(desk.store.vectors_of_space(&name).await.unwrap().is_empty(), "{bad:?}");
    }
    let lot = || vec![(hash(b"alba"), vec![0.1, -0.0])];
    let nowhere = desk.store.put_vectors("0123456789abcdef", lot()).await.unwrap_err();
    assert_eq!(nowhere.code(), "not_found");
    desk.store.put_vectors(&name, lot()).await.unwrap();
    assert_eq!(desk.store.vectors_of_space(&name).await.unwrap(), lot(), "to the last bit");
    assert_eq!(desk.store.vectors_of_inputs(&name, vec![hash(b"alba")]).await.unwrap(), lot());
    let empty = ChunkSet::default();
    let short = desk.store.nearest(&name, &[1.0], &empty, 1).await.unwrap_err();
    assert_eq!(short.code(), "invalid");
}

/// What lacks a vector is visited once for each text, however large the steps, and is as much as is counted.
pub async fn each_missing_text_is_visited_once<B: Bench>() {
    let shelf = Shelf::<B>::new(22, 50).await;
    let store = &shelf.desk.store;
    let missing: BTreeSet<&String> =
        shelf.chunks.iter().filter(|(.., vector)| vector.is_none()).map(|(_, text, _)| text).collect();
    for step in [1, 3, 100] {
        let (mut visited, mut after) = (Vec::new(), 0);
        loop {
            let next = store.missing_inputs(&shelf.space, vec![shelf.corpus], after, step).await.unwrap();
            let Some(last) = next.last() else { break };
            after = last.chunk;
            assert!(next.len() <= step);
            visited.extend(next.into_iter().map(|input| {
                assert_eq!(input.hash, hash(input.text.as_bytes()));
                input.text
            }));
        }
        assert_eq!(visited.len(), missing.len());
        assert_eq!(visited.iter().collect::<BTreeSet<_>>(), missing);
    }
    let counted = store.count_missing(&shelf.space, vec![shelf.corpus]).await.unwrap();
    assert_eq!(counted.texts, missing.len() as u64);
    let unknown = store.count_missing("0123456789abcdef", vec![shelf.corpus]).await.unwrap();
    assert_eq!(unknown.texts, 50, "a space that is not stored yet lacks all");
    let known: Vec<[u8; 32]> = shelf.chunks.iter().map(|(_, text, _)| hash(text.as_bytes())).collect();
    assert_eq!(store.known_inputs(&shelf.space, known).await.unwrap().len(), 50 - missing.len());
}

/// A text that a provider refused is settled: nobody waits for its vector.
pub async fn a_refused_text_is_no_longer_missing<B: Bench>() {
    let shelf = Shelf::<B>::new(23, 20).await;
    let store = &shelf.desk.store;
    let new = NewJob {
        kind: JobKind::Embed,
        workspace: "default".to_owned(),
        request: "{}".to_owned(),
        uploads: Vec::new(),
    };
    let job = store.begin_job(new, Vec::new(), 0).await.unwrap().id;
    let before = store.count_missing(&shelf.space, vec![shelf.corpus]).await.unwrap().texts;
    let (key, text, _) = shelf.chunks.iter().find(|(.., vector)| vector.is_none()).unwrap();
    let refusal = NewRefusal { hash: hash(text.as_bytes()), job, reason: "too long".to_owned() };
    store.put_refusal(&shelf.space, refusal).await.unwrap();
    let after = store.count_missing(&shelf.space, vec![shelf.corpus]).await.unwrap().texts;
    assert_eq!(after + 1, before);
    let refused =
        async |keys: Vec<i64>| store.refused(&shelf.space, Arc::new(ChunkSet::new(keys, 20))).await.unwrap();
    let others = shelf.chunks.iter().map(|(other, ..)| *other).filter(|other| other != key).collect();
    assert_eq!((refused(vec![*key]).await, refused(others).await), (1, 0));
}

/// Coverage counts what has a vector, in any part of the library.
pub async fn covered_is_what_has_a_vector<B: Bench>() {
    let mut shelf = Shelf::<B>::new(24, 120).await;
    for once_in in [1, 2, 30] {
        let part = shelf.some(once_in);
        let covered = shelf.desk.store.covered_rows(&shelf.space, Arc::new(part.clone())).await.unwrap();
        let expected = shelf.chunks.iter().filter(|(key, _, vector)| part.holds(*key) && vector.is_some());
        let expected: Vec<i64> = expected.map(|(key, ..)| *key).collect();
        assert_eq!(covered.len(), expected.len() as u64);
        assert!(expected.iter().all(|key| covered.holds(*key)));
    }
    let coverage = shelf.desk.store.coverage(&shelf.space).await.unwrap();
    let with = shelf.chunks.iter().filter(|(.., vector)| vector.is_some()).count() as u64;
    let told: Vec<_> = coverage.iter().map(|one| (one.corpus, one.chunks, one.covered)).collect();
    assert_eq!(told, [(shelf.corpus, 120, with)]);
    let keys = shelf.chunks.iter().map(|(key, ..)| *key).collect();
    let vectors = shelf.desk.store.vectors_of(&shelf.space, keys).await.unwrap();
    let expected = shelf.chunks.iter().filter_map(|(key, _, vector)| Some((*key, vector.clone()?)));
    assert_eq!(vectors, expected.collect());
}

/// A space is identified by its description: registered twice it is one, and no other space has its vectors.
pub async fn a_space_is_its_description<B: Bench>() {
    let desk = Desk::<B>::new().await;
    let (one, other) = (space("made", 2), space("other", 2));
    let first = desk.store.ensure_space(&one).await.unwrap();
    assert_eq!(desk.store.ensure_space(&one).await.unwrap(), first);
    assert_eq!(first, one.id());
    let second = desk.store.ensure_space(&other).await.unwrap();
    desk.store.put_vectors(&first, vec![(hash(b"alba"), vec![1.0, 2.0])]).await.unwrap();
    let spaces = desk.store.spaces().await.unwrap();
    let told: Vec<_> = spaces.into_iter().map(|stored| (stored.id, stored.space, stored.vectors)).collect();
    assert_eq!(told, [(first, one, 1), (second.clone(), other, 0)]);
    assert!(desk.store.known_inputs(&second, vec![hash(b"alba")]).await.unwrap().is_empty());
    assert_eq!(desk.store.vectors_of_space("0123456789abcdef").await.unwrap_err().code(), "not_found");
}

/// Vectors that are stored without waiting for the disk are vectors like any others, for every program.
pub async fn vectors_made_ahead_are_vectors<B: Bench>() {
    let desk = Desk::<B>::new().await;
    let name = desk.store.ensure_space(&space("made", 2)).await.unwrap();
    let ahead =
        async |text: &[u8], vector| desk.store.put_vectors_ahead(&name, vec![(hash(text), vector)]).await;
    assert_eq!(ahead(b"alba", vec![1.0, 0.0]).await.unwrap(), 1);
    assert_eq!(ahead(b"alba", vec![0.0, 1.0]).await.unwrap(), 0, "the first one stays");
    assert_eq!(ahead(b"brix", vec![1.0]).await.unwrap_err().code(), "invalid");
    let nowhere = desk.store.put_vectors_ahead("0123456789abcdef", Vec::new()).await.unwrap_err();
    assert_eq!(nowhere.code(), "not_found");
    let other = desk.bench.open().await;
    assert_eq!(other.vectors_of_space(&name).await.unwrap(), [(hash(b"alba"), vec![1.0, 0.0])]);
}
