//! Passages of reports that are pinned to decisions, and where they are now.

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

/// Where the words of `pin` stand in `sources` today. They are looked for in the text that they were taken from,
/// else as whole words in the document at that path, else in another one.
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
    let (same, others): (Vec<&Arc<Source>>, Vec<&Arc<Source>>) =
        sources.iter().partition(|source| source.path == pin.path);
    same.into_iter().chain(others).find_map(|source| {
        let span = find(&source.text, &pin.quote, &pin.before, &pin.after)?;
        is_whole(&source.text, span).then_some((source, span))
    })
}

/// Whether `span` of `text` begins and ends between words and numbers: “5 euros” of “55 euros” or “1.5 euros” says
/// something else.
pub(super) fn is_whole(text: &str, span: Span) -> bool {
    let quote = span.of(text);
    let mut before = text[..span.start].chars().rev();
    let mut after = text[span.end..].chars();
    let neighbours = (before.next(), before.next());
    let following = (after.next(), after.next());
    let alphanumeric = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
    let digit = |c: Option<char>| c.is_some_and(char::is_numeric);
    let (first, last) = (quote.chars().next(), quote.chars().next_back());
    let within_number = |near: (Option<char>, Option<char>)| {
        near.0.is_some_and(|c| matches!(c, '.' | ',' | '\'' | '’')) && digit(near.1)
    };
    let signed = neighbours.0.is_some_and(|c| matches!(c, '-' | '−' | '–')) && !alphanumeric(neighbours.1);
    let cut_before = alphanumeric(first) && alphanumeric(neighbours.0)
        || digit(first) && (within_number(neighbours) || signed);
    let cut_after =
        alphanumeric(last) && alphanumeric(following.0) || digit(last) && within_number(following);
    !cut_before
        && !cut_after
        && !is_grouped(&text[..span.start], quote)
        && !is_grouped(quote, &text[span.end..])
}

/// Whether the number at the end of `before` continues in `after` with a group of three digits: `1 234`.
fn is_grouped(before: &str, after: &str) -> bool {
    let digits = |text: &str| text.chars().take_while(char::is_ascii_digit).count();
    let ends = |text: &str| text.chars().rev().take_while(char::is_ascii_digit).count();
    let gap = |c: char| c.is_whitespace() && c != '\n';
    match (before.strip_suffix(gap), after.strip_prefix(gap)) {
        (Some(head), _) => (1..=3).contains(&ends(head)) && digits(after) == 3,
        (None, Some(tail)) => (1..=3).contains(&ends(before)) && digits(tail) == 3,
        (None, None) => false,
    }
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
