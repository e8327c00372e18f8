//! Libraries, documents and numbers that are made up, the same at every run.

use crate::Bench;
use serde_json::{Map, Value};
use sibyl_space::{Space, Tier};
use sibyl_store::origin::DocumentOrigin;
use sibyl_store::table::chunk::{ChunkRow, NewChunk};
use sibyl_store::table::corpus::NewCorpus;
use sibyl_store::table::document::NewDocument;
use sibyl_store::table::workspace::LabelLanguage;
use sibyl_store::{Store, hash, hex};
use sibyl_text::chunk::Role;
use sibyl_text::{Document, Piece, Span};
use std::sync::Arc;

/// Words that stemming does not change, and that share no stem.
pub const WORDS: [&str; 10] =
    ["alba", "brix", "corm", "dolt", "fenk", "gurn", "holm", "jask", "kelp", "lomp"];

/// A new library with its default workspace.
pub struct Desk<B> {
    /// What opens it.
    pub bench: B,
    /// The library.
    pub store: Arc<dyn Store>,
    /// Key of the default workspace.
    pub workspace: i64,
}

impl<B: Bench> Desk<B> {
    /// Makes one.
    pub async fn new() -> Self {
        let bench = B::new();
        let store = bench.open().await;
        let workspace = store.workspace("default").await.unwrap().id;
        Self { bench, store, workspace }
    }

    /// Another workspace of it.
    pub async fn another(&self, name: &str) -> i64 {
        self.store.create_workspace(name, LabelLanguage::En).await.unwrap().id
    }

    /// A corpus of texts: of `workspace`, or shared.
    pub async fn corpus(&self, workspace: Option<i64>, name: &str) -> i64 {
        self.store.put_corpus(new_corpus(workspace, name, "text")).await.unwrap().id
    }

    /// A corpus of texts of the default workspace with one document of `texts`: its key, and that of the document.
    pub async fn shelf(&self, texts: &[String]) -> (i64, i64) {
        let corpus = self.corpus(Some(self.workspace), "texts").await;
        (corpus, self.put(document(corpus, "a.md", texts)).await)
    }

    /// Stores `new` and returns its key.
    pub async fn put(&self, new: NewDocument) -> i64 {
        self.store.put_document(new).await.unwrap().0
    }

    /// Keys of the documents that the default workspace sees, in the order of its list.
    pub async fn documents(&self) -> Vec<i64> {
        let rows = self.store.documents(self.workspace, None).await.unwrap();
        rows.into_iter().map(|row| row.id).collect()
    }

    /// All chunks of `document`, in order.
    pub async fn chunks(&self, document: i64) -> Vec<ChunkRow> {
        self.store.chunks_of(self.workspace, document, 0, i64::MAX).await.unwrap()
    }

    /// Their texts.
    pub async fn texts(&self, document: i64) -> Vec<String> {
        self.chunks(document).await.into_iter().map(|chunk| chunk.text).collect()
    }
}

/// The metadata of a chunk that has `value` in `field`.
pub fn with(field: &str, value: &str) -> Map<String, Value> {
    Map::from_iter([(field.to_owned(), Value::from(value))])
}

/// A corpus of `source_type`.
pub fn new_corpus(workspace: Option<i64>, name: &str, source_type: &str) -> NewCorpus {
    NewCorpus {
        workspace_id: workspace,
        name: name.to_owned(),
        source_type: source_type.to_owned(),
        strategy: "recursive".to_owned(),
        settings: Map::new(),
        base_url: String::new(),
        remote: false,
    }
}

/// A document of one chunk a text.
pub fn document<T: AsRef<str>>(corpus: i64, path: &str, texts: &[T]) -> NewDocument {
    let plain = texts.iter().map(|text| (text.as_ref().to_owned(), Map::new()));
    described(corpus, path, plain.collect())
}

/// A document of chunks with metadata; its text is theirs, one below the other.
pub fn described(corpus: i64, path: &str, parts: Vec<(String, Map<String, Value>)>) -> NewDocument {
    let (mut text, mut chunks) = (String::new(), Vec::new());
    for (words, metadata) in parts {
        let span = Span::new(text.len(), text.len() + words.len());
        text.push_str(&words);
        text.push_str("\n\n");
        chunks.push(NewChunk {
            parent: None,
            tokens: words.len().div_ceil(4),
            text: words,
            pieces: vec![Piece::Source { span, role: Role::Body }],
            extent: span,
            metadata,
            pages: None,
            oversize: false,
        });
    }
    let version = hex(&hash(text.as_bytes()));
    NewDocument {
        corpus_id: corpus,
        path: path.to_owned(),
        root: "/made".to_owned(),
        origin: DocumentOrigin::Path(format!("/made/{path}")),
        report_id: None,
        replaces_report: false,
        format: "plain".to_owned(),
        title: format!("Title of {path}"),
        source_hash: version.clone(),
        text_version: version,
        config_hash: "made".to_owned(),
        token_count: text.len().div_ceil(4),
        bytes: text.clone().into_bytes(),
        document: Document { body: Span::new(0, text.len()), text, ..Document::default() },
        page_metadata: None,
        chunks,
        figures: Vec::new(),
        job_file: None,
    }
}

/// A space of `dimensions`.
pub fn space(model: &str, dimensions: usize) -> Space {
    Space {
        tier: Tier::Embedded,
        model: model.to_owned(),
        endpoint: String::new(),
        revision: "1".to_owned(),
        dimensions,
        window: String::new(),
    }
}

/// Numbers that follow from a seed (SplitMix64: Steele, Lea and Flood, 2014).
pub struct Random(pub u64);

impl Random {
    /// The next number.
    pub fn number(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `end`.
    pub fn below(&mut self, end: usize) -> usize {
        usize::try_from(self.number() % end as u64).unwrap_or_default()
    }

    /// Whether something happens that happens once in `times`.
    pub fn once_in(&mut self, times: usize) -> bool {
        self.below(times) == 0
    }

    /// One of `all`.
    pub fn pick<'a, T>(&mut self, all: &'a [T]) -> &'a T {
        &all[self.below(all.len())]
    }

    /// A vector of length 1, as embedders make them.
    pub fn vector(&mut self, dimensions: usize) -> Vec<f32> {
        let numbers: Vec<f64> = (0..dimensions).map(|_| self.below(2_000_001) as f64 / 1e6 - 1.0).collect();
        let length = numbers.iter().map(|x| x * x).sum::<f64>().sqrt();
        numbers.into_iter().map(|x| (x / length) as f32).collect()
    }

    /// A text of `least` to `most` words from [`WORDS`].
    pub fn text(&mut self, least: usize, most: usize) -> String {
        let count = least + self.below(most - least + 1);
        (0..count).map(|_| *self.pick(&WORDS)).collect::<Vec<_>>().join(" ")
    }
}
