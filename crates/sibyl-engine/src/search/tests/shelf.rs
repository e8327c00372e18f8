//! A small library to search in.

use crate::embed::{EmbedFuture, Embedder, EmbeddingError, Purpose, Space, Tier};
use crate::rerank::{RerankError, RerankFuture, Reranker};
use crate::search::{Providers, Retriever, SearchRequest, SearchResponse};
use crate::store::Place;
use crate::store::edition::Edition;
use crate::store::origin::DocumentOrigin;
use crate::store::table::chunk::NewChunk;
use crate::store::table::corpus::NewCorpus;
use crate::store::table::document::NewDocument;
use crate::store::table::workspace::LabelLanguage;
use crate::store::{Store, hash};
use serde_json::{Map, Value, json};
use sibyl_text::{Document, Piece, Span};
use std::sync::Arc;
use tempfile::TempDir;

/// A library in a temporary folder.
pub struct Shelf {
    pub store: Arc<dyn Store>,
    pub retriever: Retriever,
    pub providers: Providers,
    _folder: TempDir,
}

/// A chunk to be stored: its text, its metadata, and the position of the one it is part of. A first line in
/// brackets followed by a blank line is its context header.
pub struct Page {
    pub text: String,
    pub metadata: Value,
    pub parent: Option<usize>,
}

pub fn page(text: &str, metadata: Value) -> Page {
    Page { text: text.to_owned(), metadata, parent: None }
}

fn header(text: &str) -> Vec<Piece> {
    let header = text.split_once("]\n\n").filter(|(header, _)| header.starts_with('['));
    header.map(|(header, _)| Piece::Generated { text: format!("{header}]") }).into_iter().collect()
}

/// A paragraph as the IFRS strategy stores it.
pub fn paragraph(id: &str, text: &str) -> Page {
    let standard = &id[..2];
    let metadata = json!({
        "paragraph_id": id, "standard": standard, "pillar": "strategy", "section": "Strategy",
    });
    page(&format!("[IFRS {standard} > Strategy > {id}]\n\n{text}"), metadata)
}

impl Shelf {
    pub fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let store = crate::store::open(Place::named(folder.path())).unwrap();
        let providers =
            Providers { embedders: vec![Arc::new(Bag::new(Tier::Instant))], ..Providers::default() };
        Self { retriever: Retriever::new(Arc::clone(&store)).unwrap(), store, providers, _folder: folder }
    }

    /// The same shelf on a day on which `edition` applies.
    pub fn meaning(self, edition: fn() -> Edition) -> Self {
        Self { retriever: self.retriever.meaning(edition), ..self }
    }

    pub fn store(&self) -> &dyn Store {
        self.store.as_ref()
    }

    pub async fn workspace(&self, name: &str) -> i64 {
        self.store().create_workspace(name, LabelLanguage::En).await.unwrap().id
    }

    /// Stores `pages` as one document and gives each a vector.
    pub async fn put(
        &self,
        workspace: Option<i64>,
        corpus: &str,
        source_type: &str,
        path: &str,
        pages: Vec<Page>,
    ) {
        self.put_words(workspace, corpus, source_type, path, pages).await;
        self.embed().await;
    }

    /// Stores `pages` as one document without vectors.
    pub async fn put_words(
        &self,
        workspace: Option<i64>,
        corpus: &str,
        source_type: &str,
        path: &str,
        pages: Vec<Page>,
    ) {
        let corpus = self
            .store()
            .put_corpus(NewCorpus {
                workspace_id: workspace,
                name: corpus.to_owned(),
                source_type: source_type.to_owned(),
                strategy: "ifrs".to_owned(),
                settings: Map::new(),
                base_url: String::new(),
                remote: false,
            })
            .await
            .unwrap();
        let chunks: Vec<NewChunk> = pages
            .into_iter()
            .map(|page| NewChunk {
                parent: page.parent,
                tokens: page.text.len() / 4,
                pieces: header(&page.text),
                text: page.text,
                extent: Span::new(0, 0),
                metadata: page.metadata.as_object().cloned().unwrap_or_default(),
                pages: None,
                oversize: false,
            })
            .collect();
        let document = NewDocument {
            corpus_id: corpus.id,
            path: path.to_owned(),
            root: String::new(),
            origin: DocumentOrigin::Path(path.to_owned()),
            report_id: (source_type == "report").then(|| path.to_owned()),
            replaces_report: false,
            format: "markdown".to_owned(),
            title: format!("Title of {path}"),
            source_hash: path.to_owned(),
            text_version: "1".to_owned(),
            config_hash: "1".to_owned(),
            document: Document::default(),
            token_count: 0,
            bytes: Vec::new(),
            page_metadata: None,
            chunks,
            figures: Vec::new(),
            job_file: None,
        };
        self.store().put_document(document).await.unwrap();
    }

    /// Gives every chunk a vector in the space of each embedder that works.
    pub async fn embed(&self) {
        for embedder in &self.providers.embedders {
            let space = self.store().ensure_space(embedder.space()).await.unwrap();
            let mut corpora: Vec<i64> = Vec::new();
            for workspace in self.store().workspaces().await.unwrap() {
                corpora.extend(self.store().corpora(workspace.id).await.unwrap().iter().map(|c| c.id));
            }
            let missing = self.store().missing_inputs(&space, corpora, 0, usize::MAX).await.unwrap();
            let texts: Vec<String> = missing.iter().map(|input| input.text.clone()).collect();
            let vectors = embedder.embed(&texts, Purpose::Passage).await.unwrap();
            let vectors = missing.iter().map(|input| input.hash).zip(vectors).collect();
            self.store().put_vectors(&space, vectors).await.unwrap();
        }
    }

    pub async fn search(&self, workspace: i64, request: &SearchRequest) -> SearchResponse {
        self.retriever.search(workspace, request, &self.providers).await.unwrap()
    }
}

/// Labels of the results, best first.
pub fn labels(response: &SearchResponse) -> Vec<String> {
    let label = |name: &str, hit: &crate::search::Hit| {
        hit.metadata.get(name).and_then(Value::as_str).map(str::to_owned)
    };
    response
        .results
        .iter()
        .map(|hit| {
            label("paragraph_id", hit).or_else(|| label("name", hit)).unwrap_or_else(|| hit.chunk_id.clone())
        })
        .collect()
}

/// Embeds a text as the sum of a direction for each of its words, so texts with the same words are alike.
pub struct Bag {
    space: Space,
    failure: Option<EmbeddingError>,
}

const DIMENSIONS: usize = 32;

impl Bag {
    pub fn new(tier: Tier) -> Self {
        let space = Space {
            tier,
            model: format!("bag of words ({tier:?})"),
            endpoint: String::new(),
            revision: "1".to_owned(),
            dimensions: DIMENSIONS,
            window: "whole".to_owned(),
        };
        Self { space, failure: None }
    }

    /// The same space, and every call fails.
    pub fn failing(tier: Tier) -> Self {
        let failure = EmbeddingError::NoKey { endpoint: "http://provider".to_owned() };
        Self { failure: Some(failure), ..Self::new(tier) }
    }
}

impl Embedder for Bag {
    fn space(&self) -> &Space {
        &self.space
    }
    fn embed<'a>(&'a self, texts: &'a [String], _: Purpose) -> EmbedFuture<'a> {
        Box::pin(async move {
            self.failure.clone().map_or_else(|| Ok(texts.iter().map(|text| bag(text)).collect()), Err)
        })
    }
}

fn bag(text: &str) -> Vec<f32> {
    let mut vector = vec![0.0; DIMENSIONS];
    for word in text.to_lowercase().split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()) {
        for (index, byte) in hash(word.as_bytes()).into_iter().enumerate() {
            vector[index] += f32::from(byte) / 255.0 - 0.5;
        }
    }
    let length = vector.iter().map(|x| x * x).sum::<f32>().sqrt();
    if length > 0.0 {
        vector.iter_mut().for_each(|x| *x /= length);
    }
    vector
}

/// A reranker that prefers short texts, or fails.
pub struct Shortest {
    pub fails: bool,
    pub remote: bool,
}

impl Reranker for Shortest {
    fn name(&self) -> &str {
        "shortest"
    }
    fn is_remote(&self) -> bool {
        self.remote
    }
    fn rerank<'a>(&'a self, _query: &'a str, texts: &'a [String]) -> RerankFuture<'a> {
        Box::pin(async move {
            if self.fails {
                return Err(RerankError::NoKey { endpoint: "http://reranker".to_owned() });
            }
            Ok(texts.iter().map(|text| 1.0 / (1.0 + text.len() as f64)).collect())
        })
    }
}
