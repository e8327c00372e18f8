//! Making the proposals of an assessment: for every requirement in every report whose proposal is missing or out
//! of date.

use super::measured::Measured;
use super::propose::{AssessmentProposal, ProposalState, VERSION};
use super::requirement::{Catalogue, Requirement, RequirementRow, Requirements};
use super::{Assessment, AssessmentScope};
use crate::error::Result;
use crate::library::{Assessing, Library};
use crate::standards::StandardRows;
use crate::store::short_hash;
use crate::store::table::assessment::ProposalRow;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use std::sync::Arc;
use tokio::task::JoinSet;
use tracing::Instrument as _;

/// Foreign requirements that a report is measured by.
const FOREIGN: usize = 60;
/// Requirements that one task looks for.
const BATCH: usize = 8;
/// Tasks that run side by side.
const AT_ONCE: usize = 4;

/// How far a run has come.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct AssessmentProgress {
    /// Proposals made.
    pub done: usize,
    /// Proposals to be made in all.
    pub total: usize,
    /// Report that is at hand.
    pub report_id: String,
}

/// What a run did.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct AssessmentRun {
    /// Proposals made.
    pub made: usize,
    /// Number of proposals left unchanged.
    pub unchanged: usize,
    /// Of those made: evidence for every item.
    pub evidence: usize,
    /// Of those made: evidence for some items.
    pub partial: usize,
    /// Of those made: nothing found.
    pub nothing: usize,
    /// Reports in a language in which requirements cannot be matched. That nothing was found in them does not show that nothing is there.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unmatched: Vec<UnmatchedReport>,
}

/// A report in a language in which requirements cannot be matched.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct UnmatchedReport {
    /// Report id.
    pub report_id: String,
    /// Its language, by its English name.
    pub language: String,
}

/// Hashes of what the reports of an assessment say, by report.
pub(super) type Texts = HashMap<String, String>;

/// Hash of what a proposal is made of.
pub(super) fn made_of(texts: &Texts, report: &str, requirement: &Requirement) -> String {
    let text = texts.get(report).map(String::as_str).unwrap_or_default();
    short_hash(&[text, &requirement.hash, &VERSION.to_string()])
}

/// What is asked in `scope`, and [`FOREIGN`] requirements outside it.
pub(super) async fn asked(
    standards: StandardRows,
    scope: AssessmentScope,
) -> Result<(Vec<(RequirementRow, Requirement)>, Vec<Requirement>)> {
    let found = tokio::task::spawn_blocking(move || {
        let catalogue = Catalogue::new(&standards);
        let Requirements { rows, asked } = catalogue.requirements(&scope);
        let decided = rows.into_iter().filter(|row| row.requirement);
        (decided.zip(asked).collect(), catalogue.foreign(&scope, FOREIGN))
    });
    Ok(found.await?)
}

impl Assessing<'_> {
    /// Makes the proposals of the assessment in row `id` that are missing or out of date. If it is stopped, what
    /// was made is kept, and the next run continues after it.
    ///
    /// # Errors
    /// As [`Search::run`](crate::library::Search::run); [`Error::NotFound`](crate::Error::NotFound) if there is no
    /// such assessment.
    pub async fn run(
        &self,
        workspace: &str,
        id: i64,
        progress: &(impl Fn(AssessmentProgress) + Send + Sync),
    ) -> Result<AssessmentRun> {
        let store = self.library.store();
        let row = store.workspace(workspace).await?.id;
        let assessment: Assessment = store.assessment(row, id).await?.into();
        let standards = self.library.standards().rows(row, assessment.scope.edition).await?;
        let Assessment { reports, scope, .. } = assessment;
        let (requirements, foreign) = asked(standards, scope).await?;
        let texts = self.texts(row, &reports).await?;
        let known: HashMap<(String, String), String> = store
            .proposals(id)
            .await?
            .into_iter()
            .map(|row| ((row.report_id, row.requirement), row.made_of))
            .collect();
        let mut missing: Vec<(String, Vec<Requirement>)> = Vec::new();
        let mut run = AssessmentRun::default();
        for report in &reports {
            let of_report = requirements.iter().filter(|(row, _)| row.is_asked_of(report));
            let (wanted, standing): (Vec<&Requirement>, Vec<&Requirement>) =
                of_report.map(|(_, requirement)| requirement).partition(|requirement| {
                    let key = (report.clone(), requirement.id.clone());
                    known.get(&key) != Some(&made_of(&texts, report, requirement))
                });
            run.unchanged += standing.len();
            missing.push((report.clone(), wanted.into_iter().cloned().collect()));
        }
        let total: usize = missing.iter().map(|(_, wanted)| wanted.len()).sum();
        let foreign = Arc::new(foreign);
        for (report_id, wanted) in missing.into_iter().filter(|(_, wanted)| !wanted.is_empty()) {
            progress(AssessmentProgress { done: run.made, total, report_id: report_id.clone() });
            let measured = Arc::new(self.measured(row, &report_id, &foreign).await?);
            if let Some(language) = measured.unmatched {
                run.unmatched
                    .push(UnmatchedReport { report_id: report_id.clone(), language: language.to_owned() });
            }
            let mut parts = wanted.chunks(BATCH).map(<[Requirement]>::to_vec);
            let mut tasks = JoinSet::new();
            let mut begin = |tasks: &mut JoinSet<Result<Vec<(Requirement, AssessmentProposal)>>>| {
                if let Some(part) = parts.next() {
                    let (library, workspace) = (self.library.clone(), workspace.to_owned());
                    let measured = Arc::clone(&measured);
                    let work = async move { proposed(&library, (&workspace, row), &measured, part).await };
                    tasks.spawn(work.in_current_span());
                }
            };
            (0..AT_ONCE).for_each(|_| begin(&mut tasks));
            while let Some(part) = tasks.join_next().await {
                let part = part??;
                begin(&mut tasks);
                for (_, proposal) in &part {
                    run.made += 1;
                    match proposal.state {
                        ProposalState::Evidence => run.evidence += 1,
                        ProposalState::Partial => run.partial += 1,
                        ProposalState::Nothing => run.nothing += 1,
                    }
                }
                let rows = part.into_iter().map(|(requirement, proposal)| {
                    (
                        short(&report_id, &requirement, &proposal, made_of(&texts, &report_id, &requirement)),
                        proposal,
                    )
                });
                store.put_proposals(id, rows.collect()).await?;
                progress(AssessmentProgress { done: run.made, total, report_id: report_id.clone() });
            }
        }
        Ok(run)
    }

    /// Hashes of the texts of `reports`.
    pub(super) async fn texts(&self, workspace: i64, reports: &[String]) -> Result<Texts> {
        let mut versions: HashMap<&String, Vec<String>> = HashMap::new();
        let documents = self.library.store().documents(workspace, None).await?;
        for document in &documents {
            if let Some(report) = document.report_id.as_ref().filter(|report| reports.contains(report)) {
                versions
                    .entry(report)
                    .or_default()
                    .push(format!("{} {}", document.text_version, document.config_hash));
            }
        }
        Ok(versions
            .into_iter()
            .map(|(report, mut versions)| {
                versions.sort_unstable();
                (report.clone(), short_hash(&versions.iter().map(String::as_str).collect::<Vec<_>>()))
            })
            .collect())
    }
}

async fn proposed(
    library: &Library,
    workspace: (&str, i64),
    measured: &Measured,
    part: Vec<Requirement>,
) -> Result<Vec<(Requirement, AssessmentProposal)>> {
    let mut proposals = Vec::with_capacity(part.len());
    for requirement in part {
        let proposal = library.assess().propose(workspace, measured, &requirement).await?;
        proposals.push((requirement, proposal));
    }
    Ok(proposals)
}

/// What `proposal` says in short.
fn short(
    report: &str,
    requirement: &Requirement,
    proposal: &AssessmentProposal,
    made_of: String,
) -> ProposalRow {
    ProposalRow {
        requirement: requirement.id.clone(),
        report_id: report.to_owned(),
        made_of,
        state: proposal.state,
        found: proposal.found(),
        items: proposal.items.len(),
        page: match proposal.evidence.first() {
            Some(passage) => passage.page,
            None => proposal.figures.first().and_then(|figure| figure.page),
        },
    }
}
