//! Runs in TREC format: exported for other tools, imported from other systems.

use super::{EvalRun, Found, FoundById, Keeping, RunConfiguration, RunPlace, RunSummary};
use crate::error::{Error, Result};
use crate::evaluate::run::{Answer, EvaluateOptions, Searcher, evaluate_and_tell};
use crate::library::Measuring;
use crate::search::Mode;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sibyl_measure::label::fold;
use sibyl_measure::label::{label_id, token};
use sibyl_measure::note::{self, ImportNote, NoteKind, admit, counted, listed};
use sibyl_measure::outcome::is_latency;
use sibyl_measure::query::{JudgedQuery, RankedId};
use sibyl_measure::trec::{RunLine, SAME, read_run, read_run_text};
use std::collections::{BTreeMap, HashSet};
use std::fmt::Write as _;
use std::path::PathBuf;
use std::time::Instant;

/// A run of another system.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RunImport {
    /// File in TREC format. Only its name counts if the text comes with the call.
    pub path: PathBuf,
    /// Its lines, if they come with the call; by default, the file is read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// Id of a file that was sent before and replaces the one at `path`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// Name of the gold set that it answers.
    pub set: String,
    /// Name of the run; that of the file by default.
    #[serde(default)]
    pub name: Option<String>,
    /// Measures such as `ndcg@10`; the usual ones by default.
    #[serde(default)]
    pub measures: Vec<String>,
    /// Import nothing where the file has a fault, see [`NoteKind::is_fault`].
    #[serde(default)]
    pub strict: bool,
}

/// A run that was imported.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct RunImported {
    /// The run.
    pub run: EvalRun,
    /// Queries of the set that it does not answer; they count as having no results.
    pub unanswered: usize,
    /// Queries that it answers but the set does not have; they are left out.
    pub unknown: usize,
    /// How each open point of the file was settled, such as a repeated result.
    pub notes: Vec<ImportNote>,
}

/// The rankings of a file.
struct InFile(BTreeMap<String, Vec<RunLine>>);

impl Searcher for InFile {
    async fn search(&self, query: &str, _mode: Mode) -> Result<Answer> {
        let lines = self.0.get(query).into_iter().flatten();
        let place = |line: &RunLine| RankedId {
            id: fold(&line.id).into_owned(),
            also: line.also.iter().map(|id| fold(id).into_owned()).collect(),
            relevance: Some(line.score),
            ..RankedId::default()
        };
        Ok(Answer {
            ranking: lines.map(place).collect(),
            legs: Vec::new(),
            config_hash: "imported".to_owned(),
        })
    }
}

impl Measuring<'_> {
    /// A run as lines `query Q0 id rank score name`. Scores fall by one from place to place, so that every tool
    /// keeps the order. A place with several labels has a line for each; no id occurs twice for a query.
    ///
    /// # Errors
    /// [`Error::NotFound`] if there is no such run.
    pub async fn export_run(&self, workspace: &str, id: i64) -> Result<String> {
        let store = self.library.store();
        let workspace = store.workspace(workspace).await?.id;
        let name = token(&store.evaluation::<RunSummary>(workspace, id).await?.name);
        let mut out = String::new();
        for (query, places) in store.evaluation_rankings::<Vec<RunPlace>>(workspace, id, Vec::new()).await? {
            let (all, mut named) = (places.len(), HashSet::new());
            for (place, rank) in places.iter().zip(1..) {
                // A place is named by the labels that it finds, as the qrels name them.
                let labels = place.labels.iter().map(|label| label_id(label));
                let ids = labels.chain(place.labels.is_empty().then_some(place.id.as_str()));
                let new = ids.map(token).filter(|id| named.insert(id.clone())).collect::<Vec<_>>();
                for (at, id) in new.into_iter().enumerate() {
                    let (query, mark) = (token(&query), if at == 0 { "Q0" } else { SAME });
                    // Writing to a String cannot fail.
                    let _ = writeln!(out, "{query} {mark} {id} {rank} {} {name}", all + 1 - rank);
                }
            }
        }
        Ok(out)
    }

    /// Imports a run of another system and measures it with a gold set. Its ids are those of the set's labels.
    ///
    /// # Errors
    /// [`Error::Io`] if the file cannot be read, [`Error::NotFound`] if there is no such set. [`Error::Invalid`]
    /// if it answers no query of the set, or a strict import finds a fault.
    pub async fn import_run(&self, workspace: &str, import: RunImport) -> Result<RunImported> {
        let row = self.library.store().workspace(workspace).await?.id;
        let (set, queries) = self.query_set(row, &import.set).await?;
        let sent = Vec::from_iter(import.file.clone());
        let path = match &import.file {
            Some(id) => self.library.spool().path(id)?,
            None => import.path.clone(),
        };
        let text = import.text;
        let read = move || text.map_or_else(|| read_run(&path), |text| read_run_text(&text, &path));
        let (mut rankings, mut notes) = tokio::task::spawn_blocking(read).await??;
        // A searcher is asked by text, but a run knows ids.
        let mut by_id = queries.clone();
        for query in &mut by_id.queries {
            query.text.clone_from(&query.id);
        }
        let known = |id: &String| by_id.queries.iter().any(|query| query.id == *id);
        let mut foreign = Vec::new();
        rankings.retain(|id, _| {
            let known = known(id);
            if !known && !by_id.unlabelled.contains(id) {
                foreign.push(id.clone());
            }
            known
        });
        if rankings.is_empty() {
            return Err(Error::Invalid(format!(
                "the run contains no judged query from `{}`; choose the gold set that it was made with",
                set.name
            )));
        }
        let silent = by_id.queries.iter().map(|query| &query.id).filter(|id| !rankings.contains_key(*id));
        let silent: Vec<&String> = silent.collect();
        let (unknown, unanswered) = (foreign.len(), silent.len());
        notes.extend(missing(&foreign, &silent, &set.name));
        notes.extend(note::unlabelled(&by_id.unlabelled));
        admit(&notes, import.strict)?;
        let mut options = EvaluateOptions { modes: vec![Mode::Hybrid], ..EvaluateOptions::default() };
        if !import.measures.is_empty() {
            options.measures = import.measures;
        }
        // The file does not say how long another system searched.
        options.measures.retain(|name| !is_latency(name));
        let began = Instant::now();
        let mut found = FoundById::new();
        let told = |query: &JudgedQuery, _: Mode, answer: Answer, milliseconds: f64| {
            found.insert(query.id.clone(), Found::of(query, &answer, milliseconds));
        };
        let mut evaluation = evaluate_and_tell(&by_id, &InFile(rankings), &options, |_| (), told).await?;
        for (one, query) in evaluation.per_query.iter_mut().zip(&queries.queries) {
            one.query.clone_from(&query.text);
        }
        let stem = import.path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let keeping = Keeping {
            name: import.name.as_deref().unwrap_or(&stem),
            set: &set.name,
            version: set.version,
            set_hash: &queries.hash(),
            cell: "",
            imported: true,
            seconds: began.elapsed().as_secs_f64(),
        };
        let run = self
            .keep(row, &queries, keeping, RunConfiguration::default(), &evaluation, Mode::Hybrid, found)
            .await?;
        self.library.spool().remove(&sent);
        Ok(RunImported { run, unanswered, unknown, notes })
    }
}

/// What is reported about queries of a run that `set` lacks, and queries of `set` that the run does not answer.
fn missing(foreign: &[String], silent: &[&String], set: &str) -> Vec<ImportNote> {
    let queries = |count| counted(count, "query", "queries");
    let mut notes = Vec::new();
    if !foreign.is_empty() {
        let message = format!(
            "the run answers {} that `{set}` does not have: {}; left out",
            queries(foreign.len()),
            listed(foreign)
        );
        notes.push(ImportNote::new(NoteKind::UnknownQuery, message));
    }
    if !silent.is_empty() {
        let message = format!(
            "the run does not answer {} of `{set}`: {}; counted as answered with nothing",
            queries(silent.len()),
            listed(silent)
        );
        notes.push(ImportNote::new(NoteKind::Unanswered, message));
    }
    notes
}
