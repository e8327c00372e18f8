//! Asking a logged question again: what its search finds now, and what has moved.

use super::{Answer, AnswerPassage};
use crate::error::Result;
use crate::library::Answering;
use schemars::JsonSchema;
use serde::Serialize;

/// A passage that one of both searches found.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct MovedPassage {
    /// Chunk id.
    pub chunk_id: String,
    /// Its name: paragraph id, or title of its document.
    pub label: String,
    /// Its rank then, from 1; `None` if it was not found.
    pub before: Option<usize>,
    /// Its rank now, from 1; `None` if it is not found.
    pub after: Option<usize>,
    /// Its relevance then.
    pub relevance_before: Option<f64>,
    /// Its relevance now.
    pub relevance_after: Option<f64>,
    /// Whether its document has another text now than then, or is gone.
    pub source_changed: bool,
    /// Why it moved, in words; empty if it did not.
    pub why: String,
}

/// A logged question that was searched for again.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct Replay {
    /// The passages of both searches, those found now first.
    pub passages: Vec<MovedPassage>,
    /// Whether settings that decide the answer have changed.
    pub settings_changed: bool,
    /// Whether a source that the answer cites has changed since, or is gone.
    pub source_changed: bool,
    /// Confidence then.
    pub confidence_before: f64,
    /// Confidence now.
    pub confidence_after: f64,
    /// What would be answered now, by the extractive generator.
    pub answer: Answer,
}

impl Answering<'_> {
    /// Searches again for the entry `id` of the log and says what has moved. Nothing is sent to a chat model.
    ///
    /// # Errors
    /// As [`Answering::entry`] and [`Answering::ask`].
    pub async fn replay(&self, workspace: &str, id: i64) -> Result<Replay> {
        let (_, mut request, former) = self.entry(workspace, id).await?;
        request.generator = Some(sibyl_answer::generate::extractive::INFO.name.to_owned());
        request.record = false;
        if let Some(searched_for) = &former.searched_for {
            request.question.clone_from(searched_for);
            request.also.clear();
        }
        request.follow_up = false;
        let answer = self.ask(workspace, &request, &|_| ()).await?;
        let settings_changed =
            answer.config_hash != former.config_hash && former.reply.generator == answer.reply.generator;
        let workspace = self.library.store().workspace(workspace).await?.id;
        let mut passages = Vec::new();
        let pairs = paired(&former.passages, &answer.passages);
        for ((now, rank), &before) in answer.passages.iter().zip(1..).zip(&pairs) {
            let then = before.map(|at| &former.passages[at]);
            let source = match then {
                Some(then) => self.source_of(workspace, then).await?,
                None => Source::Same,
            };
            let why = match then {
                None => "it was not among the passages then: it is new, has changed, or ranks higher now",
                Some(then) if then.text != now.text && source != Source::Same => {
                    "the source changed, and this passage with it"
                }
                Some(then) if then.text != now.text => "its text has changed",
                Some(_) if before != Some(rank - 1) && settings_changed => "settings have changed",
                Some(_) if before != Some(rank - 1) => "other passages appeared, disappeared or changed",
                Some(_) => "",
            };
            passages.push(MovedPassage {
                chunk_id: now.chunk_id.clone(),
                label: now.paragraph_id.clone().unwrap_or_else(|| now.title.clone()),
                before: before.map(|at| at + 1),
                after: Some(rank),
                relevance_before: then.map(|then| then.relevance),
                relevance_after: Some(now.relevance),
                source_changed: source != Source::Same,
                why: why.to_owned(),
            });
        }
        for (then, rank) in former.passages.iter().zip(1..) {
            if pairs.contains(&Some(rank - 1)) {
                continue;
            }
            let source = self.source_of(workspace, then).await?;
            // A chunk is called by its place: what is called the same now may say something else.
            let says_it = match self.library.store().chunk(workspace, &then.chunk_id).await? {
                Some(chunk) => Some(self.passage(workspace, &chunk).await?.text().contains(&then.text)),
                None => None,
            };
            let why = match (source, says_it) {
                (Source::Gone, _) => "its document is no longer in the library",
                (_, Some(true)) => "others rank higher now",
                (Source::Changed, _) => "the source changed: it no longer has this passage",
                (Source::Same, Some(false)) => "its text has changed",
                (Source::Same, None) => "it is no longer in the library",
            };
            passages.push(MovedPassage {
                chunk_id: then.chunk_id.clone(),
                label: then.paragraph_id.clone().unwrap_or_else(|| then.title.clone()),
                before: Some(rank),
                after: None,
                relevance_before: Some(then.relevance),
                relevance_after: None,
                source_changed: source != Source::Same,
                why: why.to_owned(),
            });
        }
        Ok(Replay {
            passages,
            settings_changed,
            source_changed: former.source_changed,
            confidence_before: former.reply.confidence,
            confidence_after: answer.reply.confidence,
            answer,
        })
    }

    /// How the source of a former answer's passage stands now.
    async fn source_of(&self, workspace: i64, then: &AnswerPassage) -> Result<Source> {
        match self.library.store().document_row(workspace, then.document_id).await {
            Ok(row) if then.text_version.is_empty() || row.text_version == then.text_version => {
                Ok(Source::Same)
            }
            Ok(_) => Ok(Source::Changed),
            Err(sibyl_store::Error::NotFound { .. }) => Ok(Source::Gone),
            Err(error) => Err(error.into()),
        }
    }
}

/// For each of the passages of `now`, its place in `then`: that of the same chunk with the same words, else
/// another of the same chunk. An answer may show a part of a chunk besides the whole.
fn paired(then: &[AnswerPassage], now: &[AnswerPassage]) -> Vec<Option<usize>> {
    let mut pairs: Vec<Option<usize>> = vec![None; now.len()];
    for same_words in [true, false] {
        for (at, passage) in now.iter().enumerate() {
            if pairs[at].is_some() {
                continue;
            }
            let is_it = |other: &AnswerPassage| {
                other.chunk_id == passage.chunk_id && (!same_words || other.text == passage.text)
            };
            let free = then.iter().enumerate().filter(|(place, _)| !pairs.contains(&Some(*place)));
            pairs[at] = free.into_iter().find(|(_, other)| is_it(other)).map(|(place, _)| place);
        }
    }
    pairs
}

/// How the source of a passage stands.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Source {
    Same,
    Changed,
    Gone,
}
