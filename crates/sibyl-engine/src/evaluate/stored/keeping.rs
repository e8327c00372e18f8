//! Making a run: searching the queries of a gold set, and keeping the results and measurements.

use super::{
    COUNTED_PLACES, EvalRun, KEPT_PLACES, LegRank, MeasuredQuery, RunConfiguration, RunCorpus, RunPlace,
    RunRequest, RunSummary,
};
use crate::embed::Tier;
use crate::error::Result;
use crate::evaluate::run::{
    Answer, ByMode, EvaluateOptions, EvaluateProgress, Evaluation, evaluate_and_tell,
};
use crate::evaluate::set::counted_names;
use crate::evaluate::threshold::mode_name;
use crate::library::Measuring;
use crate::search::{Mode, SearchRequest};
use crate::store::short_hash;
use crate::store::table::evaluation::NewEvaluation;
use sibyl_measure::judging::judge;
use sibyl_measure::outcome::LATENCY;
use sibyl_measure::query::{JudgedQuery, QuerySet};
use std::collections::HashMap;
use std::time::Instant;

/// What a search answered to one query, as a run keeps it.
pub(in crate::evaluate) struct Found {
    places: Vec<RunPlace>,
    milliseconds: f64,
    unjudged: usize,
}

impl Found {
    /// What `answer` means for `query`.
    pub fn of(query: &JudgedQuery, answer: &Answer, milliseconds: f64) -> Self {
        let (_, judged) = judge(query, &answer.ranking);
        let unjudged = judged.iter().take(COUNTED_PLACES).filter(|place| place.grade.is_none()).count();
        let places = judged.into_iter().take(KEPT_PLACES).filter_map(|place| {
            let ranked = answer.ranking.get(place.at)?;
            let passage = ranked.passage.as_deref();
            let legs = answer.legs.get(place.at).into_iter().flatten();
            Some(RunPlace {
                id: ranked.id.clone(),
                chunk_id: passage.map(|passage| passage.chunk_id.clone()),
                path: passage.map(|passage| passage.path.clone()),
                pages: passage.and_then(|passage| passage.pages),
                page_labels: None,
                ocr: None,
                grade: place.grade,
                labels: place.labels,
                relevance: ranked.relevance.map(|value| (value * 1e4).round() / 1e4),
                legs: legs.map(|&(leg, rank)| LegRank { leg, rank }).collect(),
                extent: passage.and_then(|passage| {
                    let start = passage.spans.iter().map(|span| span.start).min()?;
                    Some((start, passage.spans.iter().map(|span| span.end).max()?))
                }),
                text: None,
            })
        });
        Self { places: places.collect(), milliseconds, unjudged }
    }
}

/// What a run is kept as.
pub(in crate::evaluate) struct Keeping<'a> {
    /// Its name.
    pub name: &'a str,
    /// Name of its gold set.
    pub set: &'a str,
    /// Version of that.
    pub version: i64,
    /// Hash of its queries and labels, see [`QuerySet::hash`].
    pub set_hash: &'a str,
    /// Hash of all that decides a cell of a matrix; empty for other runs.
    pub cell: &'a str,
    /// Whether another system searched.
    pub imported: bool,
    /// Time it took, in seconds.
    pub seconds: f64,
}

impl Measuring<'_> {
    /// Searches every query of a gold set as the request says, and keeps the results and measurements.
    ///
    /// # Errors
    /// [`Error::NotFound`] if there is no such set, else as [`Measuring::gold`].
    pub async fn run(
        &self,
        workspace: &str,
        request: &RunRequest,
        progress: impl Fn(EvaluateProgress) + Send + Sync,
    ) -> Result<EvalRun> {
        let row = self.library.store().workspace(workspace).await?.id;
        let (set, queries) = self.query_set(row, &request.set).await?;
        let mode = request.search.mode;
        let mut options = EvaluateOptions {
            modes: vec![mode],
            search: request.search.clone(),
            ..EvaluateOptions::default()
        };
        if !request.measures.is_empty() {
            options.measures.clone_from(&request.measures);
        } else if set.spans > 0 {
            options.measures.extend(SPAN_METRICS.map(str::to_owned));
        }
        self.finish_embedding(workspace, &options, &progress).await?;
        let began = Instant::now();
        let (evaluation, mut found) = self.evaluated(workspace, &queries, &options, progress).await?;
        let found = found.remove(&mode).unwrap_or_default();
        let name = request.name.clone().unwrap_or_else(|| run_name(&request.search));
        let keeping = Keeping {
            name: &name,
            set: &set.name,
            version: set.version,
            set_hash: &queries.hash(),
            cell: "",
            imported: false,
            seconds: began.elapsed().as_secs_f64(),
        };
        let configuration = self.configuration(workspace, &request.search, &queries).await?;
        self.keep(row, &queries, keeping, configuration, &evaluation, mode, found).await
    }

    /// An evaluation of `queries` in `workspace`, with the results, by mode and id of the query.
    pub(in crate::evaluate) async fn evaluated(
        &self,
        workspace: &str,
        queries: &QuerySet,
        options: &EvaluateOptions,
        progress: impl Fn(EvaluateProgress) + Send + Sync,
    ) -> Result<(Evaluation, FoundByMode)> {
        let searcher = self.searcher(workspace, options);
        let mut found = FoundByMode::new();
        let told = |query: &JudgedQuery, mode: Mode, answer: Answer, milliseconds: f64| {
            let one = Found::of(query, &answer, milliseconds);
            found.entry(mode).or_default().insert(query.id.clone(), one);
        };
        let evaluation = evaluate_and_tell(queries, &searcher, options, progress, told).await?;
        Ok((evaluation, found))
    }

    /// Keeps what `evaluation` measured in `mode`.
    #[expect(clippy::too_many_arguments, reason = "each is another thing")]
    pub(in crate::evaluate) async fn keep(
        &self,
        workspace: i64,
        queries: &QuerySet,
        keeping: Keeping<'_>,
        configuration: RunConfiguration,
        evaluation: &Evaluation,
        mode: Mode,
        mut found: FoundById,
    ) -> Result<EvalRun> {
        let judged: HashMap<&str, &JudgedQuery> =
            queries.queries.iter().map(|query| (query.id.as_str(), query)).collect();
        let (mut rows, mut times, mut unjudged) = (Vec::new(), Vec::new(), 0);
        for query in &evaluation.per_query {
            let Some(found) = found.remove(&query.id) else { continue };
            let mut scores = query.scores.get(mode).cloned().unwrap_or_default();
            if !keeping.imported {
                scores.insert(LATENCY.to_owned(), found.milliseconds);
                times.push(found.milliseconds);
            }
            unjudged += found.unjudged;
            let relevant_from =
                judged.get(query.id.as_str()).map_or(1, |judged| judged.judgments.relevant_from());
            let first =
                found.places.iter().position(|place| place.grade.is_some_and(|it| it >= relevant_from));
            let run = MeasuredQuery {
                id: query.id.clone(),
                query: query.query.clone(),
                kind: query.kind.clone(),
                answerable: query.answerable,
                scores,
                expected: judged.get(query.id.as_str()).map(|query| counted_names(query)).unwrap_or_default(),
                first_hit: first.map(|at| at + 1),
                unjudged: found.unjudged,
            };
            rows.push((query.id.clone(), run, found.places));
        }
        let mut measures = evaluation.measures.get(mode).cloned().unwrap_or_default();
        if !times.is_empty() {
            measures.insert(LATENCY.to_owned(), times.iter().sum::<f64>() / times.len() as f64);
        }
        times.sort_by(f64::total_cmp);
        let at = |share: f64| {
            let place = ((times.len() as f64 * share).ceil() as usize).saturating_sub(1);
            times.get(place).copied().unwrap_or_default()
        };
        let by_type = evaluation.by_type.iter();
        let summary = RunSummary {
            set_version: keeping.version,
            set_hash: keeping.set_hash.to_owned(),
            config_hash: config_hash(evaluation, mode, &configuration),
            imported: keeping.imported,
            program: env!("CARGO_PKG_VERSION").to_owned(),
            measures,
            by_type: by_type
                .filter_map(|(kind, scores)| Some((kind.clone(), scores.get(mode)?.clone())))
                .collect(),
            queries: evaluation.queries,
            answerable: evaluation.answerable,
            types: evaluation.types.clone(),
            unjudged,
            p50_ms: at(0.5),
            p95_ms: at(0.95),
            seconds: keeping.seconds,
            notices: evaluation.notices.clone(),
            configuration,
        };
        let new = NewEvaluation {
            name: keeping.name,
            gold_set: keeping.set,
            cell: keeping.cell,
            summary: &summary,
            queries: &rows,
        };
        let id = self.library.store().put_evaluation(workspace, new).await?;
        Ok(self.library.store().evaluation::<RunSummary>(workspace, id).await?.into())
    }

    /// How the corpora in scope are chunked, and which model answers.
    pub(in crate::evaluate) async fn configuration(
        &self,
        workspace: &str,
        search: &SearchRequest,
        queries: &QuerySet,
    ) -> Result<RunConfiguration> {
        let store = self.library.store();
        let row = store.workspace(workspace).await?.id;
        let scope = store.scope(row, self.library.search().retriever().in_force(&search.filters)).await?;
        let figures = store.corpus_figures(row).await?;
        let mut corpora = Vec::new();
        for corpus in store.corpora(row).await? {
            if !scope.corpora.iter().any(|one| one.id == corpus.id) {
                continue;
            }
            let figures = figures.get(&corpus.id);
            corpora.push(RunCorpus {
                name: corpus.name,
                strategy: corpus.strategy,
                settings: corpus.settings,
                chunks: figures.map_or(0, |figures| figures.chunks),
                tokens: figures.map_or(0, |figures| figures.tokens),
            });
        }
        let by_meaning = search.mode != Mode::Keyword;
        let (mut model, mut cost_usd) = (None, None);
        if let (true, Some(first)) = (by_meaning, queries.queries.first()) {
            let request = SearchRequest { query: first.text.clone(), top_k: 1, ..search.clone() };
            let answer = self.library.search().run(workspace, &request).await?;
            let space = answer.trace.space;
            if space.as_ref().is_some_and(|space| space.tier == Tier::Remote) {
                let letters: usize = queries.queries.iter().map(|query| query.text.chars().count()).sum();
                cost_usd = self.library.models().cost_of(letters / 4).await?;
            }
            model = space.map(|space| space.model);
        }
        Ok(RunConfiguration { search: Some(search.clone()), model, corpora, cost_usd })
    }
}

/// Hash of everything that decides the figures of the run in `mode` besides the library.
fn config_hash(evaluation: &Evaluation, mode: Mode, configuration: &RunConfiguration) -> String {
    let chunking = chunking(configuration);
    let mut parts = vec![evaluation.config_hash.as_str(), &chunking];
    // The hash of an evaluation covers all its modes, but each mode is a run of its own.
    let ByMode { hybrid, semantic, keyword } = &evaluation.measures;
    if [hybrid, semantic, keyword].into_iter().flatten().count() > 1 {
        parts.push(mode_name(mode));
    }
    short_hash(&parts)
}

/// How the corpora are chunked, as text.
fn chunking(configuration: &RunConfiguration) -> String {
    let corpora = configuration.corpora.iter();
    // A map of JSON values sorts its keys.
    let told = corpora.map(|RunCorpus { name, strategy, settings, .. }| {
        format!("{name} {} {}", strategy, serde_json::Value::Object(settings.clone()))
    });
    told.collect::<Vec<_>>().join("\n")
}

/// Results, by mode and id of the query.
pub(in crate::evaluate) type FoundByMode = HashMap<Mode, FoundById>;

/// Results, by id of the query.
pub(in crate::evaluate) type FoundById = HashMap<String, Found>;

/// Measured in addition to the usual ones if labels are passages.
pub(in crate::evaluate) const SPAN_METRICS: [&str; 1] = ["span_recall@5"];

/// A run's name if nobody gave it one: its way of searching.
fn run_name(search: &SearchRequest) -> String {
    let mode = mode_name(search.mode);
    let reranked = if search.rerank { " + rerank" } else { "" };
    let usual = SearchRequest { mode: search.mode, rerank: search.rerank, ..SearchRequest::default() };
    let other = if *search == usual {
        String::new()
    } else {
        // A request always becomes JSON.
        format!(" {}", &short_hash(&[&serde_json::to_string(search).unwrap_or_default()])[..6])
    };
    format!("{mode}{reranked}{other}")
}
