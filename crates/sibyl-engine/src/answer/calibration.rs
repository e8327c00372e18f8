//! What a score is worth: how it compares with the best scores of questions without an answer in the same corpora.
//!
//! These questions are of two kinds. Those of `data/questions/without_answer.txt` are foreign to reporting, or
//! close to it. Shuffled ones begin as one of them and end as another, so that they have words of the field and no
//! meaning. Each is searched for as a person's question is. What counts is the best score that it reaches in each
//! corpus, by meaning, by words, and by both (see [`super::relevance`]). It is measured with the first question,
//! and again once a corpus has grown or shrunk by a tenth.

use super::named::Named;
use super::relevance::{self, Searched};
use crate::error::Result;
use crate::library::{Answering, Library};
use crate::search::{Hit, Leg, SearchRequest};
use crate::store::short_hash;
use crate::store::table::calibration::CalibrationRow;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use tokio::task::JoinSet;
use tracing::Instrument as _;

const QUESTIONS: &str = include_str!("../../../../data/questions/without_answer.txt");
/// Distance in the list between the two questions that make a shuffled one. It is half of the list, so that
/// foreign subjects are joined to close ones.
const APART: usize = 30;
/// Number of hits of each question in which the best one of a corpus is looked for.
const DEPTH: usize = 50;
/// Questions that are searched for side by side.
const AT_ONCE: usize = 4;
/// Growth of a corpus, as a factor, from which it is measured again.
const GROWTH: f64 = 1.1;

/// Best scores of the questions in one corpus, ascending; 0 of those that find nothing there.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
struct LegScores {
    /// Cosine similarity.
    semantic: Vec<f64>,
    /// Share of the question's words.
    keyword: Vec<f64>,
}

/// What questions without an answer score in a workspace.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Calibration {
    /// Best raw scores (see [`relevance::raw`]) in all that the workspace sees, ascending.
    raw: Vec<f64>,
    /// In each corpus, by name.
    corpora: BTreeMap<String, LegScores>,
}

fn ascending(mut scores: Vec<f64>, questions: usize) -> Vec<f64> {
    scores.resize(questions, 0.0);
    scores.sort_by(f64::total_cmp);
    scores
}

/// Share of `scores`, which ascend, below `score`, 0 to 1; 0 of none.
fn share_below(scores: &[f64], score: f64) -> f64 {
    scores.partition_point(|one| *one < score) as f64 / scores.len().max(1) as f64
}

impl Calibration {
    /// Share of questions without an answer whose best raw score is below `raw`, 0 to 1.
    pub fn percentile(&self, raw: f64) -> f64 {
        share_below(&self.raw, raw)
    }

    /// Share of questions without an answer whose relevance reaches `threshold` all the same, 0 to 1.
    pub fn error_rate(&self, threshold: f64) -> f64 {
        let passing = self.raw.iter().filter(|raw| relevance::relevance(**raw) >= threshold).count();
        passing as f64 / self.raw.len().max(1) as f64
    }

    /// Of the questions without an answer, the share whose best passage in the corpus of `hit` matches them less
    /// well in `leg` than `hit` matches the question `searched` for. `None` if the leg did not find it.
    pub fn percentile_in(&self, hit: &Hit, searched: &Searched, leg: Leg) -> Option<f64> {
        let scores = self.corpora.get(&hit.corpus)?;
        let found = hit.contributions.iter().any(|leaf| leaf.leg == leg);
        let (scores, score) = match leg {
            Leg::Semantic => (&scores.semantic, similarity(hit)?),
            Leg::Keyword => (&scores.keyword, searched.coverage(hit)),
            _ => return None,
        };
        found.then(|| share_below(scores, score))
    }
}

/// Cosine similarity; not what a reranker says.
fn similarity(hit: &Hit) -> Option<f64> {
    hit.relevance.filter(|_| hit.rerank_score.is_none())
}

/// The questions without an answer.
fn questions() -> Vec<String> {
    let plain: Vec<&str> = QUESTIONS.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    let halves = |text: &str| -> (String, String) {
        let words: Vec<&str> = text.split_whitespace().collect();
        let (first, second) = words.split_at(words.len().div_ceil(2));
        (first.join(" "), second.join(" "))
    };
    let shuffled = plain.iter().zip(plain.iter().skip(APART));
    let shuffled = shuffled.map(|(one, other)| format!("{} {}", halves(other).0, halves(one).1));
    plain.iter().map(|line| (*line).to_owned()).chain(shuffled).collect()
}

/// The size of a corpus, in steps of [`GROWTH`].
fn step(count: u64) -> i64 {
    ((count + 1) as f64).log(GROWTH).round() as i64
}

/// The size of each corpus of a workspace, by name, in steps: its chunks, and their vectors of each model.
type Holdings = BTreeMap<String, Vec<i64>>;

/// What is kept of a workspace.
type Row = CalibrationRow<Holdings, Calibration>;

impl Answering<'_> {
    /// The scores of questions without an answer in what `workspace` sees; measured if not yet known.
    ///
    /// # Errors
    /// As [`Search::run`](crate::library::Search::run).
    pub(super) async fn calibration(&self, workspace: &str) -> Result<Calibration> {
        let store = self.library.store();
        let id = store.workspace(workspace).await?.id;
        if let (Some(kept), moment) = self.kept_calibration(id).await?
            && kept.moment == moment
        {
            return Ok(kept.scores);
        }
        // Others who ask meanwhile wait for the measurement.
        let _turn = self.kept().calibrating.take(id).await;
        let (kept, moment) = self.kept_calibration(id).await?;
        if let Some(kept) = &kept
            && kept.moment == moment
        {
            return Ok(kept.scores.clone());
        }
        let corpora = self.holdings(id).await?;
        let scores = match kept {
            Some(kept) if alike(&kept.corpora, &corpora) => kept.scores,
            _ => self.measure_calibration(workspace).await?,
        };
        let row = CalibrationRow { moment, corpora, scores };
        // What cannot be kept is measured again by the next program.
        if !store.is_read_only() {
            store.put_calibration(id, &row).await?;
        }
        Ok(row.scores)
    }

    /// What is kept for the workspace in row `id`, and the holdings for which it would be kept now.
    async fn kept_calibration(&self, id: i64) -> Result<(Option<Row>, String)> {
        let store = self.library.store();
        let now = store.generations().await?;
        let moment = short_hash(&[&now.chunk.to_string(), &now.vector.to_string(), QUESTIONS]);
        Ok((store.calibration(id).await?, moment))
    }

    async fn holdings(&self, workspace: i64) -> Result<Holdings> {
        let store = self.library.store();
        let names: BTreeMap<i64, String> =
            store.corpora(workspace).await?.into_iter().map(|corpus| (corpus.id, corpus.name)).collect();
        let mut holdings = Holdings::new();
        for space in store.spaces().await? {
            for coverage in store.coverage(&space.id).await? {
                let Some(name) = names.get(&coverage.corpus) else { continue };
                let held = holdings.entry(name.clone()).or_insert_with(|| vec![step(coverage.chunks)]);
                held.push(step(coverage.covered));
            }
        }
        Ok(holdings)
    }

    async fn measure_calibration(&self, workspace: &str) -> Result<Calibration> {
        let began = std::time::Instant::now();
        let questions = questions();
        let asked = questions.len();
        let mut tasks = JoinSet::new();
        for part in questions.chunks(asked.div_ceil(AT_ONCE)) {
            let (library, workspace, part) = (self.library.clone(), workspace.to_owned(), part.to_vec());
            tasks.spawn(async move { best_of(&library, &workspace, part).await }.in_current_span());
        }
        let mut calibration = Calibration::default();
        while let Some(part) = tasks.join_next().await {
            for (raw, by_corpus) in part?? {
                calibration.raw.push(raw);
                for (corpus, (semantic, keyword)) in by_corpus {
                    let scores = calibration.corpora.entry(corpus).or_default();
                    scores.semantic.push(semantic);
                    scores.keyword.push(keyword);
                }
            }
        }
        calibration.raw = ascending(calibration.raw, asked);
        for scores in calibration.corpora.values_mut() {
            scores.semantic = ascending(std::mem::take(&mut scores.semantic), asked);
            scores.keyword = ascending(std::mem::take(&mut scores.keyword), asked);
        }
        let milliseconds = began.elapsed().as_millis() as u64;
        tracing::info!(workspace, asked, milliseconds, "questions without an answer were measured");
        Ok(calibration)
    }
}

/// Best raw score of a question, and the best by meaning and by words in each corpus that it finds something in.
type Best = (f64, BTreeMap<String, (f64, f64)>);

/// The best scores of each of `questions`.
async fn best_of(library: &Library, workspace: &str, questions: Vec<String>) -> Result<Vec<Best>> {
    let mut all = Vec::new();
    for query in questions {
        let request = SearchRequest { query, top_k: DEPTH, listed: 0, ..SearchRequest::default() };
        let found = library.search().run(workspace, &request).await?;
        let searched = Searched::new(&found.trace.query, found.trace.candidates_before, &Named::default());
        let raw = found.results.iter().map(|hit| relevance::raw(hit, &searched)).fold(0.0, f64::max);
        let mut by_corpus: BTreeMap<String, (f64, f64)> = BTreeMap::new();
        for hit in &found.results {
            let (semantic, keyword) = by_corpus.entry(hit.corpus.clone()).or_default();
            *semantic = similarity(hit).unwrap_or_default().max(*semantic);
            *keyword = searched.coverage(hit).max(*keyword);
        }
        all.push((raw, by_corpus));
    }
    Ok(all)
}

/// Whether the corpora are the same and about as large. One step of difference is allowed, so that small growth
/// leads to no second measurement.
fn alike(a: &Holdings, b: &Holdings) -> bool {
    let near =
        |a: &Vec<i64>, b: &Vec<i64>| a.len() == b.len() && a.iter().zip(b).all(|(a, b)| (a - b).abs() <= 1);
    a.len() == b.len() && a.iter().all(|(name, held)| b.get(name).is_some_and(|other| near(held, other)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn calibration(raw: &[f64]) -> Calibration {
        Calibration { raw: ascending(raw.to_vec(), raw.len()), corpora: BTreeMap::new() }
    }

    #[test]
    fn a_score_has_its_place_among_questions_without_an_answer() {
        // Relevance 0.6 is a raw score of 0.53: one of the four reaches it.
        let four = calibration(&[0.6, 0.1, 0.4, 0.2]);
        assert_eq!([0.0, 0.15, 0.4, 1.0].map(|raw| four.percentile(raw)), [0.0, 0.25, 0.5, 1.0]);
        assert_eq!([0.6, 0.0, 1.0].map(|threshold| four.error_rate(threshold)), [0.25, 1.0, 0.0]);
        assert_eq!((calibration(&[]).percentile(0.9), calibration(&[]).error_rate(0.0)), (0.0, 0.0));
    }

    #[test]
    fn shuffled_questions_have_words_of_two() {
        let questions = questions();
        assert_eq!(questions.len(), 90);
        assert_eq!(questions[60], "minimum wage sourdough bread");
    }

    #[test]
    fn corpora_are_measured_again_once_they_have_changed_by_more_than_a_tenth() {
        let of = |chunks| Holdings::from([("notes".to_owned(), vec![step(chunks), step(0)])]);
        assert!(alike(&of(1_000), &of(1_000)) && alike(&of(1_000), &of(1_050)));
        assert!(!alike(&of(1_000), &of(1_250)) && !alike(&of(1_000), &of(0)));
        assert!(!alike(&of(1_000), &Holdings::new()) && !alike(&Holdings::new(), &of(1_000)));
    }
}
