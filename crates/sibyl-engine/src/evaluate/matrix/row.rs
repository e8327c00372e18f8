//! A way of chunking, carried out: the chunks that the corpora would have, and what embedding them would take.

use super::{MatrixCost, MatrixPlan, MatrixRow, ModelCost};
use crate::embed::{Embedder, Tier};
use crate::error::{Error, Result};
use crate::ingest::preview::{Preview, PreviewChunk, PreviewRequest, PreviewSource};
use crate::library::Measuring;
use crate::store::table::chunk::NewChunk;
use crate::store::table::corpus::Corpus;
use crate::store::table::document::{DocumentRow, NewDocument};
use crate::store::{hash, hex, short_hash};
use std::collections::HashMap;
use std::sync::Arc;

/// A row as it is chunked.
pub(super) struct CutRow {
    /// Hash of what is chunked and how.
    pub hash: String,
    /// Number of chunks that it makes.
    pub chunks: usize,
    /// Estimated tokens of them.
    pub tokens: usize,
    /// Estimated tokens of each different text, by its hash.
    pub texts: HashMap<[u8; 32], usize>,
    /// Its documents if they are chunked again; empty if the corpora stay as they are.
    pub documents: Vec<(Corpus, DocumentRow, Preview)>,
}

impl Measuring<'_> {
    /// Chunks the documents of a row.
    pub(super) async fn cut_row(
        &self,
        workspace: &str,
        plan: &MatrixPlan,
        row: &MatrixRow,
    ) -> Result<CutRow> {
        let store = self.library.store();
        let id = store.workspace(workspace).await?.id;
        let (mut chunks, mut total, mut texts) = (0, 0, HashMap::new());
        let (mut documents, mut parts) = (Vec::new(), Vec::new());
        for name in &plan.corpora {
            let corpus = store.corpus(id, name).await?;
            let corpus = corpus.ok_or_else(|| Error::not_found("corpus", name.as_str()))?;
            for document in store.documents(id, Some(corpus.id)).await? {
                let mut hashes = String::new();
                let mut add = |text: &str, tokens: usize| {
                    chunks += 1;
                    total += tokens;
                    let hash = hash(text.as_bytes());
                    hashes.push_str(&hex(&hash));
                    texts.insert(hash, tokens);
                };
                if row.strategy.is_some() {
                    let source = PreviewSource::Document { id: document.id };
                    let (strategy, settings) = (row.strategy.clone(), Some(row.settings.clone()));
                    let request = PreviewRequest { source, strategy, settings };
                    let cut = self.library.ingest().preview(workspace, request).await?;
                    cut.chunks.iter().for_each(|chunk| add(&chunk.text, chunk.tokens));
                    parts.push(part(&corpus, &document, &cut.config_hash, &hashes));
                    documents.push((corpus.clone(), document, cut));
                } else {
                    for chunk in store.chunks_of(id, document.id, 0, i64::MAX).await? {
                        add(&chunk.text, usize::try_from(chunk.tokens).unwrap_or_default());
                    }
                    parts.push(part(&corpus, &document, &document.config_hash, &hashes));
                }
            }
        }
        if parts.is_empty() {
            return Err(Error::Invalid(
                "there is nothing to chunk; choose a corpus that contains documents".to_owned(),
            ));
        }
        let hash = short_hash(&parts.iter().map(String::as_str).collect::<Vec<_>>());
        Ok(CutRow { hash, chunks, tokens: total, texts, documents })
    }

    /// What `row` costs with each of `models`, and with queries of so many tokens.
    pub(super) async fn cost(
        &self,
        row: &CutRow,
        models: &[Arc<dyn Embedder>],
        query_tokens: usize,
    ) -> Result<MatrixCost> {
        let mut cost = MatrixCost { chunks: row.chunks, tokens: row.tokens, models: Vec::new() };
        for model in models {
            cost.models.push(self.model_cost(model.as_ref(), &row.texts, query_tokens).await?);
        }
        Ok(cost)
    }

    async fn model_cost(
        &self,
        model: &dyn Embedder,
        texts: &HashMap<[u8; 32], usize>,
        query_tokens: usize,
    ) -> Result<ModelCost> {
        let space = model.space().id();
        let hashes: Vec<[u8; 32]> = texts.keys().copied().collect();
        let mut known = self.library.store().known_inputs(&space, hashes.clone()).await?;
        if let Some(tried) = self.library.tried().await? {
            known.extend(tried.known_inputs(&space, hashes).await?);
        }
        let new = texts.iter().filter(|(hash, _)| !known.contains(*hash));
        let (new_texts, new_tokens) = new.fold((0, 0), |(n, sum), (_, tokens)| (n + 1, sum + tokens));
        let cost_usd = match model.space().tier {
            Tier::Remote => self.library.models().cost_of(new_tokens + query_tokens).await?,
            Tier::Instant | Tier::Embedded => None,
        };
        Ok(ModelCost { space, model: model.space().model.clone(), new_texts, new_tokens, cost_usd })
    }
}

/// What decides the chunks of a document, as text.
fn part(corpus: &Corpus, document: &DocumentRow, config: &str, hashes: &str) -> String {
    short_hash(&[&corpus.name, &document.path, &document.text_version, config, hashes])
}

/// `document` as a row has it, chunked as `cut` says.
pub(super) fn stored(corpus: i64, document: &DocumentRow, cut: &Preview) -> NewDocument {
    let chunk = |chunk: &PreviewChunk| NewChunk {
        parent: chunk.parent,
        text: chunk.text.clone(),
        pieces: chunk.pieces.clone(),
        extent: chunk.extent,
        metadata: chunk.metadata.clone(),
        pages: chunk.pages,
        tokens: chunk.tokens,
        oversize: chunk.oversize,
    };
    NewDocument {
        corpus_id: corpus,
        path: document.path.clone(),
        root: document.root.clone(),
        origin: document.origin.clone(),
        report_id: document.report_id.clone(),
        replaces_report: false,
        format: document.format.clone(),
        title: document.title.clone(),
        source_hash: document.source_hash.clone(),
        text_version: document.text_version.clone(),
        config_hash: cut.config_hash.clone(),
        token_count: usize::try_from(document.token_count).unwrap_or_default(),
        document: (*cut.document).clone(),
        bytes: Vec::new(),
        page_metadata: None,
        chunks: cut.chunks.iter().map(chunk).collect(),
        figures: Vec::new(),
        job_file: None,
    }
}
