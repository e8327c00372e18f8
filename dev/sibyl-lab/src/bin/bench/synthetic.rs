//! A library of made-up chunks: text of words in their natural frequency, vectors in clusters.

use crate::Outcome;
use sibyl_engine::embed::{EmbedFuture, Embedder, Purpose, Space, Tier};
use sibyl_engine::store::hash;
use sibyl_engine::store::origin::DocumentOrigin;
use sibyl_engine::store::table::chunk::NewChunk;
use sibyl_engine::store::table::corpus::NewCorpus;
use sibyl_engine::store::table::document::NewDocument;
use sibyl_engine::{Library, OpenOptions};
use sibyl_lab::random::Random;
use sibyl_text::{Document, Span};
use std::path::Path;
use std::sync::Arc;

/// Words of a chunk.
const WORDS: usize = 60;
/// Different content words.
const VOCABULARY: usize = 20_000;
/// One chunk in a hundred carries this source path.
pub const NARROW: &str = "narrow/";
const CLUSTERS: usize = 500;
const BATCH: usize = 1_000;

const STOP: &[&str] =
    &["the", "of", "and", "to", "in", "a", "is", "that", "for", "it", "as", "with", "on", "by", "are", "be"];

/// Chunks, their vectors and the model that made them.
pub struct Synthetic {
    pub library: Library,
    pub embedder: Arc<Clusters>,
    pub count: usize,
}

/// A model whose vectors are in clusters: the vector of a text follows from its bytes.
pub struct Clusters {
    space: Space,
    centres: Vec<Vec<f32>>,
}

impl Clusters {
    fn new(dimensions: usize) -> Self {
        let mut random = Random::new(7);
        let centres =
            (0..CLUSTERS).map(|_| (0..dimensions).map(|_| random.normal() as f32).collect()).collect();
        let space = Space {
            tier: Tier::Embedded,
            model: format!("clusters-{dimensions}"),
            endpoint: String::new(),
            revision: "1".to_owned(),
            dimensions,
            window: "whole".to_owned(),
        };
        Self { space, centres }
    }

    /// The vector of `text`, of length 1.
    pub fn vector(&self, text: &str) -> Vec<f32> {
        let digest = hash(text.as_bytes());
        let mut eight = [0; 8];
        eight.copy_from_slice(&digest[..8]);
        let mut random = Random::new(u64::from_le_bytes(eight));
        let centre = &self.centres[random.below(self.centres.len())];
        let vector: Vec<f32> = centre.iter().map(|x| x + 0.8 * random.normal() as f32).collect();
        let length = vector.iter().map(|x| x * x).sum::<f32>().sqrt();
        vector.iter().map(|x| x / length).collect()
    }
}

impl Embedder for Clusters {
    fn space(&self) -> &Space {
        &self.space
    }
    fn embed<'a>(&'a self, texts: &'a [String], _purpose: Purpose) -> EmbedFuture<'a> {
        Box::pin(async move { Ok(texts.iter().map(|text| self.vector(text)).collect()) })
    }
}

/// A word of the vocabulary; low numbers are frequent (Zipf).
fn word(random: &mut Random) -> String {
    let rank = ((VOCABULARY as f64).powf(random.unit()) - 1.0) as usize;
    format!("w{}x", rank.min(VOCABULARY - 1))
}

/// Text of `words` words, every other one a stop word.
pub fn text(random: &mut Random, words: usize) -> String {
    (0..words)
        .map(|n| if n % 2 == 0 { (*random.pick(STOP)).to_owned() } else { word(random) })
        .collect::<Vec<_>>()
        .join(" ")
}

/// Four stop words and four content words, none of them among the most frequent.
pub fn query(random: &mut Random) -> String {
    let content = |random: &mut Random| format!("w{}x", 200 + random.below(2_000));
    (0..4).map(|_| format!("{} {}", random.pick(STOP), content(random))).collect::<Vec<_>>().join(" ")
}

impl Synthetic {
    /// A library of `count` chunks in `folder`, with vectors of `dimensions`.
    pub async fn build(folder: &Path, count: usize, dimensions: usize) -> Outcome<Self> {
        let library = Library::open(OpenOptions::new(folder)).await?;
        let store = library.store();
        store.workspace("default").await?;
        let corpus = store
            .put_corpus(NewCorpus {
                workspace_id: None,
                name: "synthetic".to_owned(),
                source_type: "text".to_owned(),
                strategy: "recursive".to_owned(),
                settings: serde_json::Map::new(),
                base_url: String::new(),
                remote: false,
            })
            .await?;
        let embedder = Arc::new(Clusters::new(dimensions));
        let space = store.ensure_space(embedder.space()).await?;
        let mut random = Random::new(1);
        let mut made = 0;
        while made < count {
            let narrow = made == 0;
            let size = if narrow { count.div_ceil(100) } else { BATCH.min(count - made) };
            let texts: Vec<String> = (0..size).map(|_| text(&mut random, WORDS)).collect();
            let path = format!("{}{made}.txt", if narrow { NARROW } else { "wide/" });
            store.put_document(document(corpus.id, path, &texts)).await?;
            let vectors = texts.iter().map(|text| (hash(text.as_bytes()), embedder.vector(text))).collect();
            store.put_vectors(&space, vectors).await?;
            made += size;
        }
        store.optimize_keyword().await?;
        library.models().set_embedders(vec![embedder.clone()]);
        Ok(Self { library, embedder, count })
    }
}

/// One stored document whose chunks are `texts`.
pub fn document(corpus_id: i64, path: String, texts: &[String]) -> NewDocument {
    let chunk = |text: &String| NewChunk {
        parent: None,
        text: text.clone(),
        pieces: Vec::new(),
        extent: Span::new(0, 0),
        metadata: serde_json::Map::new(),
        pages: None,
        tokens: text.len() / 4,
        oversize: false,
    };
    NewDocument {
        corpus_id,
        origin: DocumentOrigin::Path(path.clone()),
        title: path.clone(),
        path,
        root: String::new(),
        figures: Vec::new(),
        job_file: None,
        replaces_report: false,
        report_id: None,
        format: "plain".to_owned(),
        source_hash: String::new(),
        text_version: String::new(),
        config_hash: String::new(),
        document: Document::default(),
        token_count: 0,
        bytes: Vec::new(),
        page_metadata: None,
        chunks: texts.iter().map(chunk).collect(),
    }
}
