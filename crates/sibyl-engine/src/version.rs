//! Texts of documents as they are and as they were, for what cites them.

use crate::error::{Error, Result};
use crate::library::Contents;
use crate::standing::{At, Cited, Standings};
use crate::store::table::document::DocumentRow;
use crate::store::table::kept_text::TextOf;

/// A text that something cites.
#[derive(Debug, Clone, PartialEq)]
pub struct CitedText {
    /// The text as it was when cited.
    pub text: TextOf,
    /// The document as it is now; `None` if it is gone.
    pub document: Option<DocumentRow>,
    /// Where the words of the stretch stand in the document's current text, in UTF-16 code units. `None` if they
    /// no longer stand there, or no stretch was named.
    pub now: Option<(usize, usize)>,
}

impl Contents<'_> {
    /// The text `version` of the document in row `id`: the one that it has now, or a former one that something
    /// cites. `range` is a stretch of it in UTF-16 code units, which is looked for in the current text.
    ///
    /// # Errors
    /// [`Error::NotFound`] if `workspace` sees no such text.
    pub async fn cited_text(
        &self,
        workspace: &str,
        id: i64,
        version: &str,
        range: Option<(usize, usize)>,
    ) -> Result<CitedText> {
        let store = self.library.store();
        let workspace = store.workspace(workspace).await?.id;
        let found = store.text_version(workspace, id, version).await?;
        let text = found.ok_or_else(|| Error::not_found("text version", version))?;
        let document = match store.document_row(workspace, id).await {
            Ok(row) => Some(row),
            Err(sibyl_store::Error::NotFound { .. }) => None,
            Err(error) => return Err(error.into()),
        };
        let at = range.map(At::Units);
        let quote = at.and_then(|at| at.span(&text.content.text)).map(|span| span.of(&text.content.text));
        let now = match (at, quote) {
            (Some(at), Some(quote)) if !quote.is_empty() => {
                let cited = Cited { document: id, version, at, quote };
                Standings::new(store, workspace).of(cited).await?.range
            }
            _ => None,
        };
        Ok(CitedText { text, document, now })
    }
}
