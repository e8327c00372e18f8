//! Proposed questions: made from the headings, terms and identifiers of a corpus without a model, or written by a
//! chat model on request. Somebody decides about each.

use super::{GoldQueryInput, Places, locate, next_id};
use crate::error::{Error, Result};
use crate::evaluate::label::target_name;
use crate::library::Measuring;
use crate::store::now;
use crate::store::short_hash;
use crate::store::table::chunk::ChunkRow;
use crate::store::table::gold::{GoldFilter, GoldLabel, GoldQuery, GoldTarget};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sibyl_measure::label::fold;
use sibyl_text::Span;
use std::collections::HashSet;

/// Words of a passage that a proposal shows.
const SHOWN_WORDS: usize = 40;

/// Maximum number of words of a term, and minimum number of its definition.
const TERM_WORDS: usize = 6;
const DEFINITION_WORDS: usize = 4;
/// Text between a term and its definition.
const DEFINES: &[&str] = &[
    ":",
    "–",
    "—",
    "means ",
    "refers to ",
    "is defined as ",
    "are defined as ",
    "is the ",
    "is a ",
    "is an ",
];

/// Which proposals are asked for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CandidateQuery {
    /// Name of the set that they are for.
    pub set: String,
    /// Name of the corpus that they are made of.
    pub corpus: String,
    /// Their origin; all by default.
    #[serde(default)]
    pub source: Option<CandidateSource>,
    /// Proposals to leave out at the start.
    #[serde(default)]
    pub offset: usize,
    /// Maximum number of proposals.
    #[serde(default = "page")]
    pub limit: usize,
}

const fn page() -> usize {
    50
}

/// What a proposal is made of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum CandidateSource {
    /// A heading.
    Heading,
    /// A defined term.
    Term,
    /// A paragraph id or a topic code.
    Identifier,
}

/// A proposed question.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Proposal {
    /// Its id in decisions.
    pub id: String,
    /// The question.
    pub query: String,
    /// Its origin.
    pub source: CandidateSource,
    /// What would answer it.
    pub target: GoldTarget,
    /// First words of what would answer it.
    pub passage: String,
    /// Title of the document.
    pub title: String,
}

/// Proposed questions that nobody has decided about.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct CandidateList {
    /// The proposals, in the order of the documents.
    pub candidates: Vec<Proposal>,
    /// How many there are in all.
    pub total: usize,
    /// Proposals that were accepted.
    pub accepted: usize,
    /// Proposals that were thrown away.
    pub rejected: usize,
}

/// A passage about which a chat model is to write a question.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SuggestionQuery {
    /// What answers the question.
    pub target: GoldTarget,
}

/// A question as a chat model wrote it. Somebody decides about it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Suggestion {
    /// The question.
    pub query: String,
    /// The model.
    pub model: String,
}

/// A decision about a proposal.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Decision {
    /// Name of the set.
    pub set: String,
    /// Id of the proposal.
    pub candidate: String,
    /// The query for the set, in the words of the person who accepts it, with its answer; `null` rejects the
    /// proposal.
    #[serde(default)]
    pub accept: Option<AcceptedQuery>,
}

/// A proposal as it becomes a query.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct AcceptedQuery {
    /// The question, changed or as proposed.
    pub query: String,
    /// Its type; none by default.
    #[serde(default, rename = "type")]
    pub kind: String,
    /// What answers it, with grade 3.
    pub target: GoldTarget,
}

impl Measuring<'_> {
    /// Questions that a corpus suggests. They use the words of the text, so they find their own source more easily
    /// than people's questions do: change them.
    ///
    /// # Errors
    /// [`Error::NotFound`] if set or corpus do not exist.
    pub async fn candidates(&self, workspace: &str, wanted: &CandidateQuery) -> Result<CandidateList> {
        let store = self.library.store();
        let workspace = store.workspace(workspace).await?.id;
        let decisions = store.gold_decisions(workspace, &wanted.set).await?;
        let corpus = store.corpus(workspace, &wanted.corpus).await?;
        let corpus = corpus.ok_or_else(|| Error::not_found("corpus", wanted.corpus.as_str()))?;
        let (mut candidates, mut seen) = (Vec::new(), HashSet::new());
        for document in store.documents(workspace, Some(corpus.id)).await? {
            let text = store.document(workspace, document.id).await?.1.text;
            for chunk in store.chunks_of(workspace, document.id, 0, i64::MAX).await? {
                let made = proposals(&chunk, &text);
                candidates.extend(made.into_iter().filter(|one| {
                    wanted.source.is_none_or(|source| source == one.source)
                        && seen.insert(one.query.to_lowercase())
                        && !decisions.contains_key(&one.id)
                }));
            }
        }
        let total = candidates.len();
        let candidates = candidates.into_iter().skip(wanted.offset).take(wanted.limit).collect();
        let accepted = decisions.values().filter(|accepted| **accepted).count();
        Ok(CandidateList { candidates, total, accepted, rejected: decisions.len() - accepted })
    }

    /// A question that a passage answers, written by the chat model of the settings. The passage is sent to its provider.
    ///
    /// # Errors
    /// [`Error::NotFound`] if nothing matches the target. [`Error::Invalid`] if the chat model cannot be used, the
    /// corpus may not leave the machine, or the provider failed.
    pub async fn suggest(&self, workspace: &str, wanted: &SuggestionQuery) -> Result<Suggestion> {
        let store = self.library.store();
        let id = store.workspace(workspace).await?.id;
        let chunks = Places::new(store, id).chunks(&wanted.target, None).await?;
        let missing = || Error::not_found("passage", target_name(&wanted.target));
        let chunk = store.chunk(id, chunks.first().ok_or_else(missing)?).await?.ok_or_else(missing)?;
        let corpus = store.corpus(id, &chunk.corpus).await?.ok_or_else(missing)?;
        let (query, model) = self.library.answer().question_of(&chunk.passage(), &corpus).await?;
        Ok(Suggestion { query, model })
    }

    /// Accepts a proposal into its set, or rejects it. Returns the query that it became.
    ///
    /// # Errors
    /// [`Error::NotFound`] if there is no such set, [`Error::Invalid`] for an empty query.
    pub async fn decide(&self, workspace: &str, decision: Decision) -> Result<Option<GoldQuery>> {
        let store = self.library.store();
        let id = store.workspace(workspace).await?.id;
        let Decision { set, candidate, accept } = decision;
        let Some(AcceptedQuery { query, kind, target }) = accept else {
            store.decide(id, &set, &candidate, false).await?;
            return Ok(None);
        };
        let (queries, _) = store.gold_queries(id, &set, GoldFilter::default()).await?;
        let input = GoldQueryInput { set: set.clone(), id: Some(next_id(&queries)), query, kind };
        let kept = self.put_gold_query(workspace, input).await?;
        let label = GoldLabel { target, grade: super::HIGHEST_GRADE, judge: String::new(), at: now() };
        let kept = store.put_gold_query(id, &set, GoldQuery { labels: vec![label], ..kept }).await?;
        store.decide(id, &set, &candidate, true).await?;
        Ok(Some(kept))
    }
}

/// The questions that a chunk of `text` suggests.
fn proposals(chunk: &ChunkRow, text: &str) -> Vec<Proposal> {
    let field =
        |name: &str| chunk.metadata.get(name).and_then(|value| value.as_str()).filter(|it| !it.is_empty());
    let identity = field("paragraph_id").or_else(|| field("topic_code"));
    let target = match (identity, locate::extent(&chunk.pieces)) {
        (Some(id), _) => GoldTarget::Identifier { id: fold(id).into_owned() },
        (None, Some(extent)) => {
            GoldTarget::Span(super::anchored(&chunk.path, text, extent.start, extent.end))
        }
        (None, None) => return Vec::new(),
    };
    let passage: Vec<String> =
        chunk.passage().split_whitespace().take(SHOWN_WORDS).map(str::to_owned).collect();
    let made = |source: CandidateSource, query: String| Proposal {
        id: short_hash(&[&query, &target.key()]),
        query,
        source,
        target: target.clone(),
        passage: passage.join(" "),
        title: chunk.title.clone(),
    };
    let mut found = Vec::new();
    if let (None, Some(extent)) = (identity, locate::extent(&chunk.pieces)) {
        found.extend(definitions(extent.of(text)).into_iter().map(|(term, line)| {
            let (start, end) = (extent.start + line.start, extent.start + line.end);
            let target = GoldTarget::Span(super::anchored(&chunk.path, text, start, end));
            let query = format!("What does “{term}” mean?");
            Proposal {
                id: short_hash(&[&query, &target.key()]),
                target,
                ..made(CandidateSource::Term, query)
            }
        }));
    }
    if let Some(term) = identity.and_then(defined_term) {
        found.push(made(CandidateSource::Term, format!("What does “{term}” mean?")));
    } else if let Some(id) = identity {
        found.push(made(CandidateSource::Identifier, format!("What does {id} ask for?")));
    }
    let path = chunk.metadata.get("section_path").and_then(|value| value.as_array());
    let heading = path.and_then(|path| path.last()).and_then(|last| last.as_str());
    let heading = heading.or_else(|| field("section_heading")).or_else(|| field("topic"));
    if let Some(heading) = heading.map(plain).filter(|heading| heading.split_whitespace().count() > 1) {
        found.push(made(CandidateSource::Heading, format!("What is said about {heading}?")));
    }
    found
}

/// The term that an id such as `S1.A.primary_users` names.
fn defined_term(id: &str) -> Option<String> {
    let (_, term) = id.split_once(".A.")?;
    Some(term.replace('_', " "))
}

/// The terms that lines of `text` define, each with its line. A term is bold or quoted at the start of a line,
/// before a colon, a dash or a word such as `means`.
fn definitions(text: &str) -> Vec<(&str, Span)> {
    let (mut out, mut end) = (Vec::new(), 0);
    for line in text.split_inclusive('\n') {
        let words = line.trim();
        let start = end;
        end += line.len();
        let begin = start + (line.len() - line.trim_start().len());
        let bare = words.trim_start_matches(['-', '*', '•']).trim_start();
        // A bold term begins with the marks that a list has as well.
        let marked = [(words, "**", "**"), (bare, "**", "**"), (bare, "“", "”"), (bare, "\"", "\"")];
        let term = marked.into_iter().find_map(|(from, open, close)| {
            let (term, rest) = from.strip_prefix(open)?.split_once(close)?;
            let name = term.trim_end_matches(':').trim();
            let colon = name.len() < term.trim().len();
            let defines = colon || DEFINES.iter().any(|sign| rest.trim_start().starts_with(sign));
            let short = (1..=TERM_WORDS).contains(&name.split_whitespace().count());
            (defines && short && rest.split_whitespace().count() >= DEFINITION_WORDS).then_some(name)
        });
        out.extend(term.map(|term| (term, Span::new(begin, begin + words.len()))));
    }
    out
}

/// A heading without its number, with a small first letter unless it begins with a name or an abbreviation.
fn plain(heading: &str) -> String {
    let words = heading.trim().trim_start_matches(|c: char| c.is_ascii_digit() || ". )".contains(c));
    let mut letters = words.chars();
    match (letters.next(), letters.next()) {
        (Some(first), Some(second)) if second.is_lowercase() || second == ' ' => {
            let rest = &words[first.len_utf8()..];
            // Of several capital letters the first belongs to a name.
            if rest.split_whitespace().any(|word| word.starts_with(char::is_uppercase)) {
                words.to_owned()
            } else {
                first.to_lowercase().chain(rest.chars()).collect()
            }
        }
        _ => words.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headings_read_on_in_a_question() {
        for (heading, read) in [
            ("3.2 Water withdrawal", "water withdrawal"),
            ("GHG emissions", "GHG emissions"),
            ("Scope 2 by Location", "Scope 2 by Location"),
            ("A plan for leave", "a plan for leave"),
        ] {
            assert_eq!(plain(heading), read);
        }
        assert_eq!(defined_term("S1.A.primary_users").as_deref(), Some("primary users"));
        assert_eq!(defined_term("S1.27(a)"), None);
    }

    #[test]
    fn a_term_is_bold_or_quoted_and_its_definition_follows() {
        let text = "Terms of this report:\n\n- **Carbon budget** means the tonnes that are left.\n\
                    **Scope 3:** all emissions of the value chain.\n“Water stress” is the ratio of use to supply.\n\
                    **Note** that this is no term.\n**Net zero**: soon.\n\"Quoted\" words begin this sentence, too.\n";
        let found = definitions(text);
        let terms: Vec<&str> = found.iter().map(|(term, _)| *term).collect();
        assert_eq!(terms, ["Carbon budget", "Scope 3", "Water stress"]);
        assert_eq!(found[0].1.of(text), "- **Carbon budget** means the tonnes that are left.");
    }
}
