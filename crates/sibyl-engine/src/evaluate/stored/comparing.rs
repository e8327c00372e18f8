//! Two kept runs side by side.
//!
//! Over 500 lines: half of them are the fields of the answer.

use super::{EvalRun, MeasuredQuery, RunSummary, holds};
use crate::error::{Error, Result};
use crate::evaluate::run::Scores;
use crate::library::Measuring;
use crate::store::short_hash;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sibyl_measure::measure::{Metric, Unit};
use sibyl_measure::outcome::{ANSWERED, LATENCY, NOT_FOUND_ACCURACY};
use sibyl_measure::significance::{LEVEL, TIE, bootstrap_interval, holm, randomisation_test, t_test};
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

/// How two runs are compared.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CompareOptions {
    /// Row id of the run that is compared with.
    pub baseline: i64,
    /// Row id of the run to examine.
    pub candidate: i64,
    /// Measures; by default all that both have.
    #[serde(default)]
    pub measures: Vec<String>,
    /// The test.
    #[serde(default)]
    pub test: SignificanceTest,
    /// Row ids of the other runs that are compared with the baseline: p-values are corrected for these comparisons
    /// too. By default, every run of the baseline's gold set with the same queries and labels, each repeated run
    /// once. Empty for this comparison alone.
    #[serde(default)]
    pub beside: Option<Vec<i64>>,
}

/// A test on paired values.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum SignificanceTest {
    /// Paired randomisation test: asks nothing of how differences are spread.
    #[default]
    Randomisation,
    /// Student's paired t-test.
    TTest,
}

/// What a comparison found.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct RunComparison {
    /// The run that is compared with.
    pub baseline: EvalRun,
    /// The run to examine.
    pub candidate: EvalRun,
    /// The test.
    pub test: SignificanceTest,
    /// Each measure.
    pub measures: Vec<MeasureComparison>,
    /// Row ids of the other runs whose comparisons with the baseline the p-values are corrected for.
    pub beside: Vec<i64>,
    /// Number of tests that the p-values are corrected for: one for each measure in this comparison and in those
    /// beside it.
    pub tests: usize,
    /// Each measure over the queries of each type.
    pub by_type: Vec<TypeComparison>,
    /// Queries that only one run has; they are left out.
    pub unpaired: Vec<String>,
    /// Reasons to doubt the comparison.
    pub notices: Vec<String>,
}

/// A measure of two runs.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct MeasureComparison {
    /// Its name.
    pub measure: String,
    /// What its values count.
    pub unit: Unit,
    /// Whether lower is better.
    pub lower_is_better: bool,
    /// Queries that both runs have a value for.
    pub queries: usize,
    /// Mean of the baseline over these queries.
    pub baseline: f64,
    /// Mean of the candidate over these queries.
    pub candidate: f64,
    /// Candidate minus baseline.
    pub difference: f64,
    /// Bounds of the difference: 95% of bootstrap samples of the queries lie between them.
    pub interval: (f64, f64),
    /// Two-sided p-value: how often chance alone gives a difference at least as large.
    pub p_value: f64,
    /// The p-value corrected (Holm) for the measures and runs that are compared at once.
    pub corrected: f64,
    /// Whether the p-value is computed without random draws.
    pub exact: bool,
    /// Whether the corrected p-value is below 0.05.
    pub significant: bool,
    /// Number of queries where the candidate is better.
    pub wins: usize,
    /// Queries without a difference.
    pub ties: usize,
    /// Number of queries where the candidate is worse.
    pub losses: usize,
    /// All that in a sentence.
    pub sentence: String,
}

/// A measure of two runs over the queries of a type.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct TypeComparison {
    /// The type.
    #[serde(rename = "type")]
    pub kind: String,
    /// The measure.
    pub measure: String,
    /// Queries of the type that both runs have a value for.
    pub queries: usize,
    /// Mean of the baseline over these queries.
    pub baseline: f64,
    /// Mean of the candidate over these queries.
    pub candidate: f64,
    /// Bounds of the difference, as for a measure.
    pub interval: (f64, f64),
    /// Number of queries where the candidate is better.
    pub wins: usize,
    /// Queries without a difference.
    pub ties: usize,
    /// Number of queries where the candidate is worse.
    pub losses: usize,
}

/// Which queries of two runs are asked for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ComparedQueries {
    /// Row id of the run that is compared with.
    pub baseline: i64,
    /// Row id of the run to examine.
    pub candidate: i64,
    /// The measure.
    pub measure: String,
    /// Which of them.
    #[serde(default)]
    pub which: Which,
    /// Words that the id or the query contains; empty for all.
    #[serde(default)]
    pub search: String,
    /// Queries to leave out at the start.
    #[serde(default)]
    pub offset: usize,
    /// Maximum number of queries.
    #[serde(default = "page")]
    pub limit: usize,
}

const fn page() -> usize {
    100
}

/// Queries by what a change did to them.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Which {
    /// All of them.
    #[default]
    All,
    /// Those where the candidate is better.
    Better,
    /// Those without a difference.
    Same,
    /// Those where the candidate is worse.
    Worse,
}

/// Queries of two runs.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ComparedQueryPage {
    /// The queries, the greatest change first.
    pub queries: Vec<ComparedQuery>,
    /// Queries in all that were asked for.
    pub total: usize,
    /// Queries that both runs have a value for.
    pub all: usize,
    /// Of them: better.
    pub better: usize,
    /// Of them: without a difference.
    pub same: usize,
    /// Of them: worse.
    pub worse: usize,
}

/// A query of two runs.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ComparedQuery {
    /// Its id.
    pub id: String,
    /// The query.
    pub query: String,
    /// Its type; empty if none is named.
    #[serde(rename = "type")]
    pub kind: String,
    /// Names of its relevant labels.
    pub expected: Vec<String>,
    /// Value of the baseline.
    pub baseline: f64,
    /// Value of the candidate.
    pub candidate: f64,
    /// Candidate minus baseline.
    pub difference: f64,
    /// Rank of the first relevant result of each run, from 1.
    pub first_hit: (Option<usize>, Option<usize>),
}

/// Values of both runs for a query.
struct Pair<'a> {
    before: &'a MeasuredQuery,
    after: &'a MeasuredQuery,
    baseline: f64,
    candidate: f64,
}

impl Pair<'_> {
    fn difference(&self) -> f64 {
        self.candidate - self.baseline
    }
}

/// The queries that both runs have a value of `measure` for.
fn pairs<'a>(
    before: &'a [MeasuredQuery],
    after: &HashMap<&str, &'a MeasuredQuery>,
    measure: &str,
) -> Vec<Pair<'a>> {
    let pair = |before: &'a MeasuredQuery| {
        let after = *after.get(before.id.as_str())?;
        let (baseline, candidate) = (*before.scores.get(measure)?, *after.scores.get(measure)?);
        Some(Pair { before, after, baseline, candidate })
    };
    before.iter().filter_map(pair).collect()
}

/// Values by id of the query.
type Values = HashMap<String, Scores>;

fn values(queries: Vec<MeasuredQuery>) -> Values {
    queries.into_iter().map(|query| (query.id, query.scores)).collect()
}

/// What distinguishes a run from a repetition: its configuration, and its figures except time.
fn figures(run: &RunSummary, queries: &[MeasuredQuery]) -> String {
    let mut parts = vec![run.config_hash.clone()];
    for MeasuredQuery { id, scores, .. } in queries {
        let timeless: Vec<_> = scores.iter().filter(|(name, _)| *name != LATENCY).collect();
        parts.push(format!("{id} {timeless:?}"));
    }
    short_hash(&parts.iter().map(String::as_str).collect::<Vec<_>>())
}

fn by_id(queries: &[MeasuredQuery]) -> HashMap<&str, &MeasuredQuery> {
    queries.iter().map(|query| (query.id.as_str(), query)).collect()
}

fn unit(measure: &str) -> Unit {
    if measure == LATENCY {
        return Unit::Milliseconds;
    }
    measure.parse::<Metric>().map_or(Unit::Share, |metric| metric.measure().unit())
}

/// Wins, ties and losses.
fn counts(pairs: &[&Pair<'_>], lower_is_better: bool) -> (usize, usize, usize) {
    let sign = if lower_is_better { -1.0 } else { 1.0 };
    let wins = pairs.iter().filter(|pair| sign * pair.difference() > TIE).count();
    let losses = pairs.iter().filter(|pair| sign * pair.difference() < -TIE).count();
    (wins, pairs.len() - wins - losses, losses)
}

fn means(pairs: &[&Pair<'_>]) -> (f64, f64) {
    let count = pairs.len().max(1) as f64;
    let mean = |value: fn(&Pair<'_>) -> f64| pairs.iter().map(|pair| value(pair)).sum::<f64>() / count;
    (mean(|pair| pair.baseline), mean(|pair| pair.candidate))
}

impl Measuring<'_> {
    /// Compares two runs measure by measure. The same runs always give the same p-values.
    ///
    /// # Errors
    /// [`Error::NotFound`] if a run does not exist, [`Error::Invalid`] if both have no query or measure in common.
    pub async fn compare_runs(&self, workspace: &str, options: &CompareOptions) -> Result<RunComparison> {
        let store = self.library.store();
        let workspace = store.workspace(workspace).await?.id;
        let baseline: EvalRun = store.evaluation::<RunSummary>(workspace, options.baseline).await?.into();
        let candidate: EvalRun = store.evaluation::<RunSummary>(workspace, options.candidate).await?.into();
        let before: Vec<MeasuredQuery> = store.evaluation_scores(workspace, options.baseline).await?;
        let after: Vec<MeasuredQuery> = store.evaluation_scores(workspace, options.candidate).await?;
        let others = match &options.beside {
            Some(ids) => self.named_beside(workspace, options, ids).await?,
            None => self.all_beside(workspace, (&baseline, &before), (&candidate, &after)).await?,
        };
        let common: BTreeSet<&String> =
            before.iter().flat_map(|query| query.scores.keys()).filter(|name| shared(&after, name)).collect();
        let measures: Vec<String> = if options.measures.is_empty() {
            common.into_iter().cloned().collect()
        } else {
            options.measures.iter().map(|name| canonical(name)).collect::<Result<_>>()?
        };
        let test = options.test;
        // Drawing assignments for every run of a large set takes time.
        let work = move || compared(baseline, candidate, (&before, &after), &others, &measures, test);
        tokio::task::spawn_blocking(work).await?
    }

    /// Values of the runs `ids`, except the two being compared.
    async fn named_beside(
        &self,
        workspace: i64,
        options: &CompareOptions,
        ids: &[i64],
    ) -> Result<Vec<(i64, Values)>> {
        let distinct: BTreeSet<i64> = ids.iter().copied().collect();
        let mut beside = Vec::new();
        for id in distinct.into_iter().filter(|id| ![options.baseline, options.candidate].contains(id)) {
            beside.push((id, values(self.library.store().evaluation_scores(workspace, id).await?)));
        }
        Ok(beside)
    }

    /// Values of every run that may be compared with `baseline`, except `candidate` and repetitions of a run.
    async fn all_beside(
        &self,
        workspace: i64,
        (baseline, before): (&EvalRun, &[MeasuredQuery]),
        (candidate, after): (&EvalRun, &[MeasuredQuery]),
    ) -> Result<Vec<(i64, Values)>> {
        let store = self.library.store();
        let mut seen =
            HashSet::from([figures(&baseline.summary, before), figures(&candidate.summary, after)]);
        let mut beside = Vec::new();
        for run in store.evaluations::<RunSummary>(workspace, Some(baseline.set.clone())).await? {
            let alike = run.summary.set_hash == baseline.summary.set_hash;
            if !alike || run.id == baseline.id || run.id == candidate.id {
                continue;
            }
            let queries: Vec<MeasuredQuery> = store.evaluation_scores(workspace, run.id).await?;
            if seen.insert(figures(&run.summary, &queries)) {
                beside.push((run.id, values(queries)));
            }
        }
        Ok(beside)
    }

    /// Queries of two runs, the greatest change first.
    ///
    /// # Errors
    /// [`Error::NotFound`] if a run does not exist, [`Error::Invalid`] for an unknown measure.
    pub async fn compared_queries(
        &self,
        workspace: &str,
        wanted: &ComparedQueries,
    ) -> Result<ComparedQueryPage> {
        let store = self.library.store();
        let workspace = store.workspace(workspace).await?.id;
        let measure = canonical(&wanted.measure)?;
        let before: Vec<MeasuredQuery> = store.evaluation_scores(workspace, wanted.baseline).await?;
        let after: Vec<MeasuredQuery> = store.evaluation_scores(workspace, wanted.candidate).await?;
        let found = by_id(&after);
        let mut pairs = pairs(&before, &found, &measure);
        let lower_is_better = unit(&measure) != Unit::Share;
        let (better, same, worse) = counts(&pairs.iter().collect::<Vec<_>>(), lower_is_better);
        let all = pairs.len();
        let words = wanted.search.to_lowercase();
        pairs.retain(|pair| {
            let kind = match counts(&[pair], lower_is_better) {
                (1, ..) => Which::Better,
                (_, 1, _) => Which::Same,
                _ => Which::Worse,
            };
            (wanted.which == Which::All || wanted.which == kind)
                && holds(&words, &pair.before.id, &pair.before.query)
        });
        pairs.sort_by(|a, b| b.difference().abs().total_cmp(&a.difference().abs()));
        let total = pairs.len();
        let queries = pairs.into_iter().skip(wanted.offset).take(wanted.limit).map(|pair| ComparedQuery {
            id: pair.before.id.clone(),
            query: pair.before.query.clone(),
            kind: pair.before.kind.clone(),
            expected: pair.before.expected.clone(),
            baseline: pair.baseline,
            candidate: pair.candidate,
            difference: pair.difference(),
            first_hit: (pair.before.first_hit, pair.after.first_hit),
        });
        Ok(ComparedQueryPage { queries: queries.collect(), total, all, better, same, worse })
    }
}

/// Two runs measure by measure, `others` held against the same baseline.
fn compared(
    baseline: EvalRun,
    candidate: EvalRun,
    (before, after): (&[MeasuredQuery], &[MeasuredQuery]),
    others: &[(i64, Values)],
    measures: &[String],
    test: SignificanceTest,
) -> Result<RunComparison> {
    let (found, ids) = (by_id(after), by_id(before));
    let (mut compared, mut by_type) = (Vec::new(), Vec::new());
    for measure in measures {
        let pairs = pairs(before, &found, measure);
        if pairs.is_empty() {
            return Err(Error::Invalid(format!(
                "no query has a value of `{measure}` in both runs; compare runs of the same gold set that both \
                 measure it"
            )));
        }
        compared.push(of_measure(measure, &pairs, test));
        by_type.extend(of_types(measure, &pairs));
    }
    if compared.is_empty() {
        return Err(Error::Invalid(
            "the runs have no query or measure in common; compare runs of the same gold set".to_owned(),
        ));
    }
    let mut p_values: Vec<f64> = compared.iter().map(|one| one.p_value).collect();
    for (_, other) in others {
        p_values.extend(measures.iter().filter_map(|measure| p_beside(before, other, measure, test)));
    }
    let tests = p_values.len();
    for (one, corrected) in compared.iter_mut().zip(holm(&p_values)) {
        one.corrected = corrected;
        one.significant = corrected < LEVEL;
        one.sentence = sentence(one, test, tests);
    }
    let only_before = before.iter().filter(|query| !found.contains_key(query.id.as_str()));
    let only_after = after.iter().filter(|query| !ids.contains_key(query.id.as_str()));
    let unpaired = only_before.chain(only_after).map(|query| query.id.clone()).collect();
    let notices = doubts(&baseline, &candidate);
    let beside = others.iter().map(|(id, _)| *id).collect();
    Ok(RunComparison {
        baseline,
        candidate,
        test,
        measures: compared,
        beside,
        tests,
        by_type,
        unpaired,
        notices,
    })
}

/// P-value of `measure` between the baseline and another run; `None` if they share no value of it.
fn p_beside(before: &[MeasuredQuery], other: &Values, measure: &str, test: SignificanceTest) -> Option<f64> {
    let difference =
        |query: &MeasuredQuery| Some(other.get(&query.id)?.get(measure)? - query.scores.get(measure)?);
    let differences: Vec<f64> = before.iter().filter_map(difference).collect();
    (!differences.is_empty()).then(|| p_value(&differences, test).0)
}

/// P-value of `differences`, and whether it is computed without random draws.
fn p_value(differences: &[f64], test: SignificanceTest) -> (f64, bool) {
    match test {
        SignificanceTest::Randomisation => randomisation_test(differences, 0),
        SignificanceTest::TTest => (t_test(differences), true),
    }
}

/// The name of a measure as runs have it.
fn canonical(name: &str) -> Result<String> {
    let known = [LATENCY, NOT_FOUND_ACCURACY, ANSWERED];
    match known.into_iter().find(|known| *known == name.trim()) {
        Some(known) => Ok(known.to_owned()),
        None => Ok(name.parse::<Metric>()?.to_string()),
    }
}

fn shared(queries: &[MeasuredQuery], measure: &str) -> bool {
    queries.iter().any(|query| query.scores.contains_key(measure))
}

fn of_measure(measure: &str, pairs: &[Pair<'_>], test: SignificanceTest) -> MeasureComparison {
    let differences: Vec<f64> = pairs.iter().map(Pair::difference).collect();
    let (p_value, exact) = p_value(&differences, test);
    let unit = unit(measure);
    let all: Vec<&Pair<'_>> = pairs.iter().collect();
    let (baseline, candidate) = means(&all);
    let (wins, ties, losses) = counts(&all, unit != Unit::Share);
    MeasureComparison {
        measure: measure.to_owned(),
        unit,
        lower_is_better: unit != Unit::Share,
        queries: pairs.len(),
        baseline,
        candidate,
        difference: candidate - baseline,
        interval: bootstrap_interval(&differences, 0),
        p_value,
        corrected: p_value,
        exact,
        significant: false,
        wins,
        ties,
        losses,
        sentence: String::new(),
    }
}

fn of_types(measure: &str, pairs: &[Pair<'_>]) -> Vec<TypeComparison> {
    let mut kinds: BTreeMap<&str, Vec<&Pair<'_>>> = BTreeMap::new();
    for pair in pairs.iter().filter(|pair| !pair.before.kind.is_empty()) {
        kinds.entry(&pair.before.kind).or_default().push(pair);
    }
    let of = |(kind, pairs): (&str, Vec<&Pair<'_>>)| {
        let (baseline, candidate) = means(&pairs);
        let (wins, ties, losses) = counts(&pairs, unit(measure) != Unit::Share);
        let differences: Vec<f64> = pairs.iter().map(|pair| pair.difference()).collect();
        let interval = bootstrap_interval(&differences, 0);
        let (kind, measure) = (kind.to_owned(), measure.to_owned());
        TypeComparison {
            kind,
            measure,
            queries: pairs.len(),
            baseline,
            candidate,
            interval,
            wins,
            ties,
            losses,
        }
    };
    kinds.into_iter().map(of).collect()
}

/// A comparison in words, one of `tests` that are made at once.
fn sentence(one: &MeasureComparison, test: SignificanceTest, tests: usize) -> String {
    let named = match test {
        SignificanceTest::Randomisation => "paired randomisation test",
        SignificanceTest::TTest => "paired t-test",
    };
    let better = (one.difference > 0.0) != one.lower_is_better;
    let verdict = match (one.significant, better) {
        (true, true) => "significantly better",
        (true, false) => "significantly worse",
        (false, _) => "not significant: chance may explain the difference",
    };
    let corrected = match tests {
        1 => String::new(),
        _ => format!(", corrected by Holm's method for {tests} tests: {}", p(one.corrected)),
    };
    format!(
        "{} goes from {:.4} to {:.4} ({:+.4}, 95% interval {:+.4} to {:+.4}): {verdict} ({named} over {} queries, \
         p = {}{corrected}).",
        one.measure,
        one.baseline,
        one.candidate,
        one.difference,
        one.interval.0,
        one.interval.1,
        one.queries,
        p(one.p_value),
    )
}

fn p(value: f64) -> String {
    if value < 0.0001 { "less than 0.0001".to_owned() } else { format!("{value:.4}") }
}

/// Reasons to doubt a comparison.
fn doubts(baseline: &EvalRun, candidate: &EvalRun) -> Vec<String> {
    let mut doubts = Vec::new();
    if baseline.set != candidate.set {
        doubts.push(format!(
            "the runs answer different gold sets, `{}` and `{}`; only queries with the same ids are compared",
            baseline.set, candidate.set
        ));
    } else if baseline.summary.set_hash != candidate.summary.set_hash {
        doubts.push(format!(
            "the gold set changed between the runs (version {} and {}); run the older configuration again",
            baseline.summary.set_version, candidate.summary.set_version
        ));
    }
    let unjudged = (baseline.summary.unjudged, candidate.summary.unjudged);
    if unjudged.0 + unjudged.1 > 0 {
        doubts.push(format!(
            "among the first ten results nobody has judged {} of the baseline and {} of the candidate; they count as \
             not relevant, so judge them before you trust a small difference",
            unjudged.0, unjudged.1
        ));
    }
    doubts
}
