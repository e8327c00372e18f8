//! Notices about a search: what was left out, what is degraded, and why.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::fmt;

/// The cause of a [`SearchNotice`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum NoticeCause {
    /// The semantic leg could not answer; the keyword leg did so alone.
    KeywordOnly,
    /// The reranker could not answer; the fused order stays.
    NotReranked,
    /// Some chunks in scope have no vector yet; words alone find them.
    PartlyEmbedded,
    /// What IFRS S1 and S2 answer to each other could not be read.
    CounterpartsUnread,
    /// An id in the query names no chunk.
    UnknownId,
    /// An id in the query names chunks that the filters leave out.
    OutsideFilters,
    /// An id in the query occurs in so many chunks that it is ranked as words.
    MentionedWidely,
    /// A filter names a value that no chunk has.
    UnknownFilterValue,
    /// The query is too long; the rest of it was left out.
    QueryCut,
    /// The query and the results are in different languages.
    OtherLanguage,
    /// The library changed during the search.
    LibraryChanged,
    /// A search recorded before causes existed: only the message says why.
    Unrecorded,
}

/// Something that a search says of itself.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(from = "Recorded")]
#[schemars(!from)]
pub struct SearchNotice {
    /// Its cause: decides where it is shown.
    pub cause: NoticeCause,
    /// What happened, in words.
    pub message: String,
}

impl SearchNotice {
    /// A notice of `cause`.
    pub fn new(cause: NoticeCause, message: impl Into<String>) -> Self {
        Self { cause, message: message.into() }
    }
}

impl fmt::Display for SearchNotice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

/// A notice as libraries store it.
#[derive(Deserialize)]
#[serde(untagged)]
enum Recorded {
    Message(String),
    Notice { cause: NoticeCause, message: String },
}

impl From<Recorded> for SearchNotice {
    fn from(recorded: Recorded) -> Self {
        match recorded {
            Recorded::Message(message) => Self { cause: NoticeCause::Unrecorded, message },
            Recorded::Notice { cause, message } => Self { cause, message },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_notice_of_a_former_run_is_read() {
        let read: Vec<SearchNotice> =
            serde_json::from_str(r#"["no chunk", {"cause": "not_reranked", "message": "timed out"}]"#)
                .unwrap();
        let causes: Vec<NoticeCause> = read.iter().map(|notice| notice.cause).collect();
        assert_eq!(causes, [NoticeCause::Unrecorded, NoticeCause::NotReranked]);
        assert_eq!(read[0].to_string(), "no chunk");
    }
}
