//! Passages of reports as they are pinned to decisions, and where they stand today.

use crate::anchor::find;
use crate::error::Result;
use crate::library::Assessing;
use crate::standing::{At, around};
use crate::store::table::review::PinnedPassage;
use sibyl_answer::Source;
use sibyl_text::Span;
use std::collections::HashMap;
use std::sync::Arc;

/// The passage at `span` of `source`, to be pinned.
pub(super) fn pin(source: &Source, span: Span) -> PinnedPassage {
    let page = source.pages_of(span).filter(|_| !source.about_pages).map(|(first, _)| first);
    let (before, after) = around(&source.text, At::Bytes(span));
    PinnedPassage {
        text_version: source.text_version.clone(),
        path: source.path.clone(),
        start: span.start,
        end: span.end,
        quote: span.of(&source.text).to_owned(),
        before: before.to_owned(),
        after: after.to_owned(),
        page: page.map(|page| page.number),
        page_label: page.and_then(|page| page.label.clone()),
        ocr: source.read_by_ocr(&[span]).map(|read| read.confidence),
        source: None,
    }
}

/// Where the words of `pin` stand in `sources` today.
pub(super) fn place<'s>(sources: &'s [Arc<Source>], pin: &PinnedPassage) -> Option<(&'s Arc<Source>, Span)> {
    let span = Span::new(pin.start, pin.end);
    let own = sources.iter().find(|source| {
        source.path == pin.path
            && source.text_version == pin.text_version
            && source.text.get(span.start..span.end) == Some(&pin.quote)
    });
    if let Some(source) = own {
        return Some((source, span));
    }
    let found =
        |source: &'s Arc<Source>| Some((source, find(&source.text, &pin.quote, &pin.before, &pin.after)?));
    sources.iter().find_map(found)
}

impl Assessing<'_> {
    /// The documents of `report`, as answers read them.
    pub(super) async fn sources(&self, workspace: i64, report: &str) -> Result<Vec<Arc<Source>>> {
        let store = self.library.store();
        let corpora: HashMap<i64, String> =
            store.corpora(workspace).await?.into_iter().map(|corpus| (corpus.id, corpus.name)).collect();
        let mut sources = Vec::new();
        for document in store.documents(workspace, None).await? {
            if document.report_id.as_deref() == Some(report) {
                let corpus = corpora.get(&document.corpus_id).map(String::as_str).unwrap_or_default();
                sources.push(self.library.answer().document_source(workspace, document.id, corpus).await?);
            }
        }
        Ok(sources)
    }
}
