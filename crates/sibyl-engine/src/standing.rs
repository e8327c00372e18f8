//! The present state of places that answers, findings and labels cite. A citation names the version of the text
//! that it was made from. It is never bound to another version, and is found there only if its words still occur.

use crate::anchor::find;
use crate::error::{Error, Result};
use crate::store::Store;
use crate::store::table::document::DocumentRow;
use crate::store::table::kept_text::TextOf;
use sibyl_text::Span;
use sibyl_text::document::SourceNow;
use std::collections::HashMap;
use std::sync::Arc;

/// Number of letters around a quote that distinguish it from the same words elsewhere.
const AROUND: usize = 32;

/// A place that something cites.
pub(crate) struct Cited<'a> {
    /// Row of the document; 0 if there is none.
    pub document: i64,
    /// Version of the text that it was made from; empty if it is not known.
    pub version: &'a str,
    /// Where the quote is in that text.
    pub at: At,
    /// The words.
    pub quote: &'a str,
}

/// A stretch of a text.
#[derive(Clone, Copy)]
pub(crate) enum At {
    /// From the first UTF-16 code unit to one past the last.
    Units((usize, usize)),
    /// In bytes.
    Bytes(Span),
}

impl At {
    /// Its bytes in `text`; `None` if it does not fit there.
    pub(crate) fn span(self, text: &str) -> Option<Span> {
        match self {
            Self::Units((start, end)) => Some(Span::new(byte_at(text, start)?, byte_at(text, end)?)),
            Self::Bytes(span) => Some(span),
        }
        .filter(|span| text.get(span.start..span.end).is_some())
    }
}

/// A document as it is now.
struct Present {
    row: DocumentRow,
    text: Option<Arc<str>>,
}

/// Finds the present state of cited places in what a workspace sees, reading each document once.
pub(crate) struct Standings<'a> {
    store: &'a dyn Store,
    workspace: i64,
    present: HashMap<i64, Option<Present>>,
    former: HashMap<String, Option<Arc<TextOf>>>,
}

impl<'a> Standings<'a> {
    pub(crate) fn new(store: &'a dyn Store, workspace: i64) -> Self {
        Self { store, workspace, present: HashMap::new(), former: HashMap::new() }
    }

    /// The present state of `cited`.
    ///
    /// # Errors
    /// Storage errors.
    pub(crate) async fn of(&mut self, cited: Cited<'_>) -> Result<SourceNow> {
        let Some(row) = self.row(cited.document).await? else {
            let kept = self.former(cited.document, cited.version).await?.is_some();
            return Ok(SourceNow { changed: true, document_id: None, range: None, kept });
        };
        let (id, version) = (row.id, row.text_version.clone());
        let range = match cited.at {
            At::Units(range) => Some(range),
            At::Bytes(_) => None,
        };
        let unchanged = SourceNow { changed: false, document_id: Some(id), range, kept: true };
        if version == cited.version {
            return Ok(unchanged);
        }
        let Some(text) = self.text(cited.document).await? else {
            return Ok(SourceNow { changed: true, ..SourceNow::default() });
        };
        if cited.version.is_empty() && cited.at.span(&text).is_some_and(|span| span.of(&text) == cited.quote)
        {
            return Ok(unchanged);
        }
        let former = self.former(cited.document, cited.version).await?;
        let (before, after) =
            former.as_ref().map_or(("", ""), |former| around(&former.content.text, cited.at));
        let found = find(&text, cited.quote, before, after).map(|found| units(&text, found));
        Ok(SourceNow { changed: true, document_id: Some(id), range: found, kept: former.is_some() })
    }

    /// How a place of the report `report` stands that was in one of `documents`. `cited` judges each document; the
    /// one with the text that the place was made from comes first.
    ///
    /// # Errors
    /// Storage errors.
    pub(crate) async fn of_report<'c>(
        &mut self,
        documents: &[i64],
        report: &str,
        cited: impl Fn(i64) -> Cited<'c>,
    ) -> Result<SourceNow> {
        let mut own = Vec::new();
        for &id in documents {
            if let Some(row) = self.row(id).await?.filter(|row| row.report_id.as_deref() == Some(report)) {
                own.push((row.text_version != cited(id).version, id));
            }
        }
        let document = own.into_iter().min_by_key(|(other, _)| *other).map_or(0, |(_, id)| id);
        self.of(cited(document)).await
    }

    /// The document in row `id`; `None` if the workspace sees none.
    async fn row(&mut self, id: i64) -> Result<Option<&DocumentRow>> {
        if !self.present.contains_key(&id) {
            let found = match self.store.document_row(self.workspace, id).await {
                Ok(row) => Some(Present { row, text: None }),
                Err(sibyl_store::Error::NotFound { .. }) => None,
                Err(error) => return Err(Error::from(error)),
            };
            self.present.insert(id, found);
        }
        Ok(self.present.get(&id).and_then(Option::as_ref).map(|present| &present.row))
    }

    async fn text(&mut self, id: i64) -> Result<Option<Arc<str>>> {
        let Some(Some(present)) = self.present.get_mut(&id) else { return Ok(None) };
        if present.text.is_none() {
            let (_, document) = self.store.document(self.workspace, present.row.id).await?;
            present.text = Some(document.text.into());
        }
        Ok(present.text.clone())
    }

    async fn former(&mut self, id: i64, version: &str) -> Result<Option<Arc<TextOf>>> {
        if version.is_empty() {
            return Ok(None);
        }
        if !self.former.contains_key(version) {
            let found = self.store.text_version(self.workspace, id, version).await?.map(Arc::new);
            self.former.insert(version.to_owned(), found);
        }
        Ok(self.former.get(version).cloned().flatten())
    }
}

/// The byte at which the code unit `wanted` begins; `None` inside a character or beyond the end.
fn byte_at(text: &str, wanted: usize) -> Option<usize> {
    let mut units = 0;
    for (at, letter) in text.char_indices() {
        if units >= wanted {
            return (units == wanted).then_some(at);
        }
        units += letter.len_utf16();
    }
    (units == wanted).then_some(text.len())
}

/// The text before and after a stretch of `text`.
pub(crate) fn around(text: &str, at: At) -> (&str, &str) {
    let Some(Span { start, end }) = at.span(text) else { return ("", "") };
    let first = text[..start].char_indices().rev().nth(AROUND - 1).map_or(0, |(at, _)| at);
    let last = text[end..].char_indices().nth(AROUND).map_or(text.len(), |(at, _)| end + at);
    (&text[first..start], &text[end..last])
}

/// `span` of `text` in UTF-16 code units.
fn units(text: &str, span: Span) -> (usize, usize) {
    let before = text[..span.start].encode_utf16().count();
    (before, before + span.of(text).encode_utf16().count())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_count_utf16_code_units() {
        let text = "a😀é b";
        let words = |range| At::Units(range).span(text).map(|span| span.of(text));
        assert_eq!((words((1, 3)), words((3, 4)), words((0, 6))), (Some("😀"), Some("é"), Some(text)));
        assert_eq!((words((1, 2)), words((4, 9)), words((4, 3))), (None, None, None));
        assert_eq!(around(text, At::Units((3, 4))), ("a😀", " b"));
        assert_eq!(units(text, Span::new(1, 5)), (1, 3));
    }
}
