//! Search: a query becomes ranked, explained hits.
//!
//! query (references, terms, filters) → semantic and keyword legs in parallel → fusion → near-duplicate
//! filter → rerank. A hit's score is the sum of its stored [`Contribution`]s, and that sum is its explanation.

mod attempt;
pub mod context;
mod counterpart;
mod counts;
mod dedupe;
mod dropped;
mod explain;
mod fact;
mod feedback;
mod foreign;
pub mod fuse;
mod history;
mod labels;
pub mod lookup;
mod map;
pub mod neighbours;
mod notice;
mod order;
mod paragraph;
pub mod query;
mod reference;
mod repeat;
pub mod retriever;
mod semantic;
pub mod sentence;
mod stages;
mod timing;
mod trace;
pub mod usual;

pub use context::{ContextBlock, ContextOptions};
pub use dropped::{DropCause, DropStage, Dropped};
pub use explain::{Fate, WhyNot};
pub use fuse::{DEFAULT_SEMANTIC_SHARE, Fusion};
pub use history::SearchRun;
pub use lookup::{LookupRequest, LookupText};
pub use map::{EmbeddingMap, LARGEST_SAMPLE, MapPlace, MapPoint, MapRequest, NEAREST};
pub use neighbours::NearestChunks;
pub use notice::{NoticeCause, SearchNotice};
pub use paragraph::LicensedCopy;
pub(crate) use retriever::check_length;
pub use retriever::{Providers, Retriever};
pub use sentence::NearestSentence;
pub use timing::{SearchStage, StageTiming};

use crate::embed::{Space, Tier};
use crate::store::nearest::ScanPath;
pub use crate::store::scope::Filters;
use crate::store::table::chunk::ChunkRow;
use crate::store::table::fact::FactRow;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use sibyl_text::reference::Reference;

/// Constant that dampens high ranks in reciprocal rank fusion (Cormack, Clarke and Büttcher, SIGIR 2009).
pub const DEFAULT_RRF_K: u32 = 60;
/// Results returned where the request names no number.
pub const DEFAULT_TOP_K: usize = 10;
/// Maximum number of results that a request may ask for.
pub const MAX_TOP_K: usize = 1_000;
/// Characters of the longest query that is read.
pub const LONGEST_QUERY: usize = 200_000;
/// Characters of a query that are compared by meaning, the first ones: some eight windows of the embedded model.
pub const COMPARED: usize = 8_000;
/// Largest weight of a leg in reciprocal rank fusion.
pub const MAX_WEIGHT: f64 = 1e6;
/// Candidates each leg hands to the fusion.
pub const LEG_DEPTH: usize = 200;
/// Hits of each leg that a trace lists where the request names no number.
pub const DEFAULT_LISTED: usize = 50;
/// Candidates per result asked for when a reranker follows.
pub const RERANK_OVERFETCH: usize = 4;
/// Cosine similarity from which two hits are near duplicates.
pub const NEAR_DUPLICATE: f32 = 0.95;

/// Which legs run.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Mode {
    /// By meaning only.
    Semantic,
    /// By words only.
    Keyword,
    /// Both, fused.
    #[default]
    Hybrid,
}

/// A search request. The defaults are those of the documents.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct SearchRequest {
    /// The query in natural language.
    pub query: String,
    /// Maximum number of results to return, 1 to 1,000.
    pub top_k: usize,
    /// Which legs run.
    pub mode: Mode,
    /// Restrictions.
    pub filters: Filters,
    /// How the lists of both legs become one, in hybrid mode.
    pub fusion: Fusion,
    /// Share of the semantic leg in fusion by scores, 0 to 1; the keyword leg has the rest.
    pub semantic_share: f64,
    /// The constant of reciprocal rank fusion; of no effect in another one.
    pub rrf_k: u32,
    /// Weight of the semantic leg in reciprocal rank fusion; of no effect in another one.
    pub semantic_weight: f64,
    /// Weight of the keyword leg in reciprocal rank fusion; of no effect in another one.
    pub keyword_weight: f64,
    /// Read the query as AND / OR / NOT / "phrase" / prefix* instead of natural language.
    pub structured: bool,
    /// Match unknown words to the nearest known words.
    pub correct_spelling: bool,
    /// Expand words from the thesaurus; its shipped entries only if standards or reports are in scope.
    pub thesaurus: bool,
    /// Put the counterpart of a good hit in the other standard after it, if a leg found it. This happens in hybrid
    /// mode with fusion by scores.
    pub counterparts: bool,
    /// Add words of the best passages to the keyword leg, and run it once more. This happens in hybrid mode with
    /// fusion by scores, if the query names no paragraph, code or fact.
    pub feedback: bool,
    /// Leave out near-duplicates of a better hit.
    pub dedupe: bool,
    /// Rerank the fused list with the configured provider.
    pub rerank: bool,
    /// Drop hits whose relevance (0 to 1) is below this.
    pub min_relevance: Option<f64>,
    /// Space to search; `None` uses the best one that covers the scope.
    pub space: Option<String>,
    /// Chunk ids whose fate to explain ("why not this one?").
    pub pinned: Vec<String>,
    /// Hits of each leg that the trace lists, the best first. It changes nothing else; listing them all takes
    /// longer than ranking them.
    pub listed: usize,
}

impl Default for SearchRequest {
    fn default() -> Self {
        Self {
            query: String::new(),
            top_k: DEFAULT_TOP_K,
            mode: Mode::default(),
            filters: Filters::default(),
            fusion: Fusion::default(),
            semantic_share: DEFAULT_SEMANTIC_SHARE,
            rrf_k: DEFAULT_RRF_K,
            semantic_weight: 1.0,
            keyword_weight: 1.0,
            structured: false,
            correct_spelling: true,
            thesaurus: true,
            counterparts: true,
            feedback: true,
            dedupe: true,
            rerank: false,
            min_relevance: None,
            space: None,
            pinned: Vec::new(),
            listed: DEFAULT_LISTED,
        }
    }
}

/// Which list a contribution comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Leg {
    /// An exact reference in the query.
    Reference,
    /// Vector similarity.
    Semantic,
    /// BM25.
    Keyword,
    /// A hit that it is paired with in the other standard: IFRS S1 for S2, and S2 for S1.
    Counterpart,
}

/// The range of the raw scores of a leg.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ScoreRange {
    /// The lowest of its raw scores, or what is known about all chunks that it lacks: it counts as 0.
    pub least: f64,
    /// The best of its raw scores.
    pub best: f64,
    /// Standard deviation of its raw scores, including what is known about all chunks that it lacks: it counts as
    /// 1.
    pub deviation: f64,
}

/// One leaf of a hit's score. Fusion by scores gives `weight · (raw − least) / deviation`, reciprocal rank fusion
/// `weight / (k + rank)`, and a single list the raw score. A counterpart gets less than its weight allows if it
/// would otherwise pass the hit that it is paired with.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Contribution {
    /// The list it comes from.
    pub leg: Leg,
    /// Rank in that list, from 1; of a counterpart, the fused rank of the hit that it is paired with.
    pub rank: usize,
    /// Weight of the list.
    pub weight: f64,
    /// Raw score in that list: cosine similarity, or BM25 with higher meaning better.
    pub raw: Option<f64>,
    /// The range on which the raw score was read, in fusion by scores.
    #[serde(default)]
    pub range: Option<ScoreRange>,
    /// What it adds to the score.
    pub value: f64,
    /// Shown beside it, such as the matched reference or the paragraph that it is paired with.
    pub label: String,
}

/// A part of a hit's BM25.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct KeywordLeaf {
    /// Stem or phrase; two if words that follow each other in the query stand together.
    pub terms: Vec<String>,
    /// How often it occurs in the chunk.
    pub frequency: f64,
    /// What it adds to the score.
    pub value: f64,
}

/// A ranked chunk with its explanation. The first fields are the result schema of the main document (§4.6).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Hit {
    /// Chunk id, 16 hex digits.
    pub chunk_id: String,
    /// The chunk's exact text with its context header.
    pub chunk_text: String,
    /// What the chunk says: its text without its context header and its search aids. It is what is shown, quoted and
    /// passed on; empty in searches that were kept before there were aids.
    #[serde(default)]
    pub passage: String,
    /// Its context header without the brackets; none in searches that were kept before hits had it.
    #[serde(default)]
    pub header: Option<String>,
    /// Phrases that find it, besides its own text.
    #[serde(default)]
    pub found_by: Vec<String>,
    /// Fields of its strategy's schema.
    pub metadata: Map<String, Value>,
    /// Source type of its corpus.
    pub source_type: String,
    /// Report it belongs to.
    pub report_id: Option<String>,
    /// Sum of `contributions`, or the raw score in a mode with one leg and no reference.
    pub score: f64,
    /// `semantic`, `keyword` or `hybrid`.
    pub search_method: Mode,
    /// Relevance from 0 to 1: the reranker's, else cosine similarity if there is one.
    pub relevance: Option<f64>,
    /// Rank in the answer, from 1.
    pub rank: usize,
    /// The leaves that sum up to `score`.
    pub contributions: Vec<Contribution>,
    /// Query words found in it, as stems, without those added by feedback.
    pub matched_terms: Vec<String>,
    /// What each of them, and each pair of words that stand together, adds to its BM25. These are the parts of the
    /// keyword leaf's raw score, in the order of the query.
    pub keyword_leaves: Vec<KeywordLeaf>,
    /// Rank before reranking, if a reranker ran.
    pub fused_rank: Option<usize>,
    /// The reranker's score, if it ran.
    pub rerank_score: Option<f64>,
    /// Document row it belongs to.
    pub document_id: i64,
    /// Title of its document.
    pub title: String,
    /// Path of its document below the import root.
    pub path: String,
    /// Corpus it belongs to.
    pub corpus: String,
    /// First and last physical page.
    pub pages: Option<(u32, u32)>,
    /// Labels printed on these pages, if they differ from their numbers.
    #[serde(default)]
    pub page_labels: Option<(String, String)>,
    /// Estimated tokens of the text.
    pub tokens: usize,
    /// Facts shown in it whose concept or value the query names.
    #[serde(default)]
    pub facts: Vec<FactRow>,
}

impl Hit {
    /// The hit of `chunk` at `rank`, of which only its contributions are known.
    fn of(chunk: ChunkRow, rank: usize, search_method: Mode, contributions: Vec<Contribution>) -> Self {
        Self {
            passage: chunk.passage(),
            header: chunk.header_in_words(),
            found_by: chunk.phrases(),
            chunk_id: chunk.chunk_id,
            chunk_text: chunk.text,
            metadata: chunk.metadata,
            source_type: chunk.source_type,
            report_id: chunk.report_id,
            score: fuse::sum(&contributions),
            search_method,
            relevance: None,
            rank,
            contributions,
            matched_terms: Vec::new(),
            keyword_leaves: Vec::new(),
            fused_rank: None,
            rerank_score: None,
            document_id: chunk.document_id,
            title: chunk.title,
            path: chunk.path,
            corpus: chunk.corpus,
            pages: chunk.pages,
            page_labels: chunk.page_labels,
            tokens: usize::try_from(chunk.tokens).unwrap_or_default(),
            facts: Vec::new(),
        }
    }
}

/// A place in a [`Ranking`].
#[derive(Debug, Clone, PartialEq)]
pub struct Ranked {
    /// Row id of the chunk.
    pub row: i64,
    /// Chunk id, 16 hex digits.
    pub chunk_id: String,
    /// Paragraph id or topic code: the name by which the chunk is cited.
    pub identity: Option<String>,
    /// Relevance from 0 to 1: the reranker's, else cosine similarity if there is one.
    pub relevance: Option<f64>,
    /// The leaves that sum up to its score.
    pub contributions: Vec<Contribution>,
}

/// Which chunks answer a query in which order: the hits of a search without their text, for measuring.
#[derive(Debug, Clone, PartialEq)]
pub struct Ranking {
    /// The hits, best first.
    pub places: Vec<Ranked>,
    /// Hash of everything that decides the ranking besides the query and the library.
    pub config_hash: String,
    /// What is degraded and why.
    pub notices: Vec<SearchNotice>,
    /// Whether a part of the search did not run.
    pub degraded: bool,
}

/// A row of one leg's list.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct LegHit {
    /// Chunk id.
    pub chunk_id: String,
    /// Rank in the list, from 1.
    pub rank: usize,
    /// Raw score: cosine similarity, or BM25 with higher meaning better.
    pub raw: f64,
    /// Paragraph id, topic code or document title: how a list names it.
    pub label: String,
    /// First words of the chunk's own text.
    pub snippet: String,
}

/// What one query word did.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Term {
    /// The word as typed, corrected or added.
    pub text: String,
    /// Its stem in the index.
    pub stem: String,
    /// Number of chunks in the library with the stem.
    pub document_frequency: u64,
    /// How the search treated it.
    pub fate: TermFate,
    /// Weight in the ranking, 1 for words of the query.
    pub weight: f64,
}

/// How a search treated a query word.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case", tag = "kind")]
pub enum TermFate {
    /// Searched for.
    Kept,
    /// Left out as a stop word.
    StopWord,
    /// Left out because nearly every chunk has it.
    TooFrequent,
    /// Left out because the query is too long, and has enough words as rare as this one.
    Beyond,
    /// Not in the index and nothing near it.
    Unknown,
    /// Not in the index; its nearest known words are searched for.
    Corrected {
        /// The words used instead.
        to: Vec<String>,
    },
    /// Added from the thesaurus.
    Expansion {
        /// The query word it answers to.
        of: String,
    },
    /// Part of a quoted phrase or an identifier.
    Phrase,
    /// Added because the best passages of a first ranking have it.
    Feedback,
}

/// How the query was read.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ParsedQuery {
    /// References found in it.
    pub references: Vec<Reference>,
    /// Its words.
    pub terms: Vec<Term>,
    /// What ran, in the store's own words; empty if nothing was left to search for.
    pub match_expression: String,
}

/// Everything that happened in a search.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Trace {
    /// How the query was read.
    pub query: ParsedQuery,
    /// Space whose vectors answered, if the semantic leg ran.
    pub space: Option<Space>,
    /// Tier of that space.
    pub tier: Option<Tier>,
    /// Text that was embedded for the query: it may be corrected, and explained by the thesaurus.
    pub embedded: Option<String>,
    /// Chunks in scope that have a vector in that space.
    pub covered: usize,
    /// Chunks in the workspace before the filters.
    pub candidates_before: usize,
    /// Number of chunks that passed the filters.
    pub candidates_after: usize,
    /// The semantic list.
    pub semantic: Vec<LegHit>,
    /// The keyword list.
    pub keyword: Vec<LegHit>,
    /// How the semantic list was computed.
    pub semantic_path: Option<ScanPath>,
    /// Candidates left out and why.
    pub dropped: Vec<Dropped>,
    /// Stages in order of their start.
    pub timings: Vec<StageTiming>,
    /// Hash of everything that decides the result besides the query and the library.
    pub config_hash: String,
    /// What is degraded and why, such as a failed embedding or reranker.
    pub notices: Vec<SearchNotice>,
    /// Whether a leg that was asked for is missing.
    pub degraded: bool,
    /// The fate of each pinned chunk.
    pub pinned: Vec<WhyNot>,
}

/// The answer to a [`SearchRequest`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct SearchResponse {
    /// The hits, best first.
    pub results: Vec<Hit>,
    /// Their number.
    pub total_results: usize,
    /// The mode that ran.
    pub search_mode: Mode,
    /// What happened.
    pub trace: Trace,
}

#[cfg(test)]
mod tests;
