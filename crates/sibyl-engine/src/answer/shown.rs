//! What an answer shows of its passages.

use super::AnswerPassage;
use super::source::rank;
use crate::search::{Hit, Leg};
use sibyl_answer::Passage;
use sibyl_text::document::labels;
use sibyl_text::tokens::{CharsPerToken, TokenCounter as _};

/// `passage` as an answer shows it; `hit` is what the search found of it, if it was searched for.
pub(super) fn shown(passage: &Passage, hit: Option<&Hit>) -> AnswerPassage {
    let text = passage.text();
    let source = &passage.source;
    let first = source.pages.first();
    let pages = hit.map_or_else(|| first.map(|page| (page.number, page.number)), |hit| hit.pages);
    let about = passage.spans.first().filter(|_| source.about_pages).and_then(|span| source.pages_of(*span));
    let selected = || labels(pages?, first?.label.clone(), first?.label.clone());
    AnswerPassage {
        number: passage.number,
        chunk_id: passage.chunk_id.clone(),
        document_id: source.id,
        text_version: source.text_version.clone(),
        document: source.file().to_owned(),
        title: source.title.clone(),
        corpus: source.corpus.clone(),
        source_type: source.source_type.clone(),
        section: passage.section.clone(),
        paragraph_id: passage.paragraph_id.clone(),
        pages,
        page_labels: hit.map_or_else(selected, |hit| hit.page_labels.clone()),
        about_page: about.map(|(page, _)| page.number),
        ocr: source.read_by_ocr(&passage.spans),
        relevance: passage.relevance,
        similarity: hit.and_then(|hit| hit.relevance),
        semantic_rank: hit.and_then(|hit| rank(hit, Leg::Semantic)),
        keyword_rank: hit.and_then(|hit| rank(hit, Leg::Keyword)),
        semantic_percentile: None,
        keyword_percentile: None,
        rerank_score: hit.and_then(|hit| hit.rerank_score),
        tokens: CharsPerToken.count(&text),
        text,
        found_by: hit.map(|hit| hit.found_by.clone()).unwrap_or_default(),
        used: false,
        cited: false,
        left_out: String::new(),
    }
}
