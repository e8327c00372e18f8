//! Answering from selected text alone (source document 002, decision 5).

use crate::passage::{Passage, Source};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sibyl_text::Span;
use std::sync::Arc;

/// Text that somebody selected, and its origin.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Selection {
    /// The text.
    pub text: String,
    /// Path of the document it was selected in, for the citation.
    pub document: String,
    /// Heading above it, for the citation.
    pub section: String,
    /// Page it was selected on, for the citation.
    pub page: Option<u32>,
    /// Label printed on that page, if it differs from its number.
    pub page_label: Option<String>,
}

impl Selection {
    /// The one passage that an answer from it may rest on; `None` if nothing is selected.
    pub fn passage(&self) -> Option<Passage> {
        if self.text.trim().is_empty() {
            return None;
        }
        let pages = self.page.map(|number| crate::passage::SourcePage {
            number,
            label: self.page_label.clone(),
            span: Span::new(0, self.text.len()),
        });
        let source = Source {
            path: self.document.clone(),
            title: self.document.clone(),
            source_type: "selection".to_owned(),
            text: self.text.clone(),
            pages: pages.into_iter().collect(),
            ..Source::default()
        };
        Some(Passage {
            number: 1,
            chunk_id: String::new(),
            spans: vec![Span::new(0, source.text.len())],
            heads: Vec::new(),
            section: Some(self.section.clone()).filter(|section| !section.is_empty()).into_iter().collect(),
            paragraph_id: None,
            relevance: 1.0,
            source: Arc::new(source),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_selection_is_one_passage_and_nothing_is_none() {
        let selection = Selection { text: "The wheel turns.".into(), page: Some(34), ..Selection::default() };
        let passage = selection.passage().unwrap();
        assert_eq!(passage.text(), "The wheel turns.");
        assert_eq!(passage.source.pages_of(Span::new(0, 3)).map(|(page, _)| page.number), Some(34));
        assert!(Selection { text: " \n".into(), ..Selection::default() }.passage().is_none());
    }
}
