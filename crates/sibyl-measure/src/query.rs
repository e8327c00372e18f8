//! Judged queries, and the rankings that are held against them.

use crate::measure::Judgments;
use crate::note::{self, ImportNote, NoteKind};
use crate::unit::UnitLabel;
use sibyl_space::short_hash;
use sibyl_text::Span;
use std::sync::Arc;

/// A query with its judgments.
#[derive(Debug, Clone, PartialEq)]
pub struct JudgedQuery {
    /// Its id, unique in its set.
    pub id: String,
    /// What is searched for.
    pub text: String,
    /// Its type, such as `paraphrase`; empty if the set has none.
    pub kind: String,
    /// Whether the library has an answer. Queries without an answer are left out of the measures of a ranking.
    pub answerable: bool,
    /// Its judgments of ids.
    pub judgments: Judgments,
    /// Its judgments of passages.
    pub spans: Vec<SpanLabel>,
    /// Its judgments of documents and pages.
    pub units: Vec<UnitLabel>,
}

/// A labelled passage of a document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SpanLabel {
    /// How lists name it.
    pub name: String,
    /// Path of its document.
    pub path: String,
    /// Where it is now; `None` if it cannot be found.
    pub span: Option<Span>,
    /// Letters that it had when it was labelled, in bytes.
    pub letters: usize,
    /// Its grade.
    pub grade: i32,
}

/// Judged queries.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct QuerySet {
    /// The queries, in the order of their file.
    pub queries: Vec<JudgedQuery>,
    /// Ids of queries that nobody has judged: they have no part in any average.
    pub unlabelled: Vec<String>,
    /// What could not be used, what is repeated, and what counts.
    pub notices: Vec<ImportNote>,
}

impl QuerySet {
    /// The same in words.
    pub fn told(&self) -> Vec<String> {
        let known = self.notices.iter().any(|note| note.kind == NoteKind::Unlabelled);
        let unlabelled = note::unlabelled(&self.unlabelled).filter(|_| !known);
        self.notices.iter().chain(&unlabelled).map(|note| note.message.clone()).collect()
    }

    /// First 16 hex digits of the SHA-256 over all queries and judgments.
    pub fn hash(&self) -> String {
        let mut parts = Vec::new();
        for query in &self.queries {
            let relevant_from = query.judgments.relevant_from();
            parts.push(short_hash(&[
                &query.id,
                &query.text,
                &query.kind,
                &format!("{} {relevant_from} {:?}", query.answerable, query.judgments.grades()),
            ]));
            parts.extend(query.spans.iter().map(|span| format!("{} {}", span.name, span.grade)));
            parts.extend(query.units.iter().map(|unit| format!("{} {}", unit.name, unit.grade)));
        }
        short_hash(&parts.iter().map(String::as_str).collect::<Vec<_>>())
    }
}

/// A place in a ranking.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct RankedId {
    /// The id it is judged under.
    pub id: String,
    /// Other ids it is judged under, as a chunk of another system's run may be.
    pub also: Vec<String>,
    /// Relevance from 0 to 1, if known.
    pub relevance: Option<f64>,
    /// Whether it matches a reference of the query exactly.
    pub exact: bool,
    /// The chunk there, if it is from a library.
    pub passage: Option<Arc<Passage>>,
}

/// The parts of a chunk that scoring needs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Passage {
    /// Chunk id.
    pub chunk_id: String,
    /// Path of its document.
    pub path: String,
    /// The spans of the document in it.
    pub spans: Vec<Span>,
    /// Estimated tokens of its text, without its search aids.
    pub tokens: usize,
    /// First and last physical page.
    pub pages: Option<(u32, u32)>,
    /// Whether it alone has the whole paragraph or topic by which it is cited.
    pub whole: bool,
}
