//! What people and programs judged: gold sets, runs, reviews, assessments and answers, with their searches.

use crate::error::Result;
use crate::table::answer::{AnswerFilter, LoggedAnswer, NewAnswer};
use crate::table::assessment::{AssessmentRow, ProposalRow};
use crate::table::calibration::CalibrationRow;
use crate::table::evaluation::{EvaluationRow, NewEvaluation};
use crate::table::gold::GoldVersion;
use crate::table::gold::{GoldFilter, GoldQuery, GoldSet, GoldTarget};
use crate::table::program_proposal::ProgramProposal;
use crate::table::review::{AssessmentDecision, ImportedFinding, Review};
use crate::table::run::StoredRun;
use async_trait::async_trait;
use std::collections::BTreeMap;

/// What people and programs judged: gold sets, runs, reviews, assessments and answers, with their searches.
#[async_trait]
pub trait Judgements: Send + Sync {
    /// The finding on `paragraph` in `report`.
    async fn review(&self, workspace: i64, report: &str, paragraph: &str) -> Result<Option<Review>>;

    /// All findings of `workspace`, of one report or of all, by report and paragraph, but none of a report in the
    /// bin.
    async fn reviews(&self, workspace: i64, report: Option<String>) -> Result<Vec<Review>>;

    /// Keeps findings in one transaction. Each replaces an earlier one on the same paragraph in the same report,
    /// and one under the former id that the paragraph had, if any. Every decision is added to the log of
    /// decisions.
    async fn put_reviews(
        &self,
        workspace: i64,
        reviews: Vec<(Review, Option<String>)>,
    ) -> Result<Vec<Review>>;

    /// Keeps findings as [`Self::put_reviews`] does, if each of them is still open.
    ///
    /// # Errors
    /// [`Error::Invalid`](crate::Error::Invalid) if somebody has decided on one meanwhile: nothing is kept then.
    async fn put_reviews_of_open(
        &self,
        workspace: i64,
        reviews: Vec<(Review, Option<String>)>,
    ) -> Result<Vec<Review>>;

    /// The decisions of `workspace` on `paragraph` in `report`, or on all by default, the latest first.
    async fn decisions(
        &self,
        workspace: i64,
        report: Option<String>,
        paragraph: Option<String>,
    ) -> Result<Vec<AssessmentDecision>>;

    /// The assessments of `workspace`, the one that changed last first.
    async fn assessments_json(&self, workspace: i64) -> Result<Vec<AssessmentRow<String>>>;

    /// The assessment in row `id`.
    ///
    /// # Errors
    /// [`Error::NotFound`](crate::Error::NotFound) if `workspace` has none.
    async fn assessment_json(&self, workspace: i64, id: i64) -> Result<AssessmentRow<String>>;

    /// Keeps an assessment: a new one, or the one in row `id` with another name and plan. Returns its row id.
    ///
    /// # Errors
    /// [`Error::Taken`](crate::Error::Taken) for the name of another assessment,
    /// [`Error::NotFound`](crate::Error::NotFound) for a row that `workspace` does not have.
    async fn put_assessment_json(
        &self,
        workspace: i64,
        id: Option<i64>,
        name: &str,
        plan: &str,
    ) -> Result<i64>;

    /// Keeps what another library has decided, all or nothing. `findings` fill what is still open, together with
    /// the decisions that led to them there. A new assessment with this name and plan is made if one is given.
    /// Returns the row id of that.
    ///
    /// # Errors
    /// [`Error::Taken`](crate::Error::Taken) for the name of another assessment;
    /// [`Error::Invalid`](crate::Error::Invalid) if somebody has decided on one of them meanwhile.
    async fn put_imported_json(
        &self,
        workspace: i64,
        assessment: Option<(&str, &str)>,
        findings: Vec<ImportedFinding>,
    ) -> Result<Option<i64>>;

    /// Deletes the assessment in row `id` with its proposals. Decisions stay.
    ///
    /// # Errors
    /// [`Error::NotFound`](crate::Error::NotFound) if `workspace` has none.
    async fn delete_assessment(&self, workspace: i64, id: i64) -> Result<()>;

    /// What is proposed in the assessment in row `id`, in short.
    async fn proposals(&self, id: i64) -> Result<Vec<ProposalRow>>;

    /// The proposal of the assessment in row `id` for `requirement` in `report`, with the hash of its inputs.
    async fn proposal_json(
        &self,
        id: i64,
        requirement: &str,
        report: &str,
    ) -> Result<Option<(String, String)>>;

    /// The proposals of the assessment in row `id` for `report`, with their requirements.
    async fn full_proposals_json(&self, id: i64, report: &str) -> Result<Vec<(String, String)>>;

    /// Keeps proposals of the assessment in row `id`, each in place of an earlier one for the same requirement and
    /// report; none if the assessment was deleted meanwhile.
    async fn put_proposals_json(&self, id: i64, proposals: Vec<(ProposalRow, String)>) -> Result<()>;

    /// What programs propose in the assessment in row `id`, by the names of the programs: for one cell, a requirement
    /// and a report, or for all.
    async fn program_proposals(&self, id: i64, cell: Option<(&str, &str)>) -> Result<Vec<ProgramProposal>>;

    /// The proposal in row `proposal` of the assessment in row `id`.
    ///
    /// # Errors
    /// [`Error::NotFound`](crate::Error::NotFound) if it is no longer there.
    async fn program_proposal(&self, id: i64, proposal: i64) -> Result<ProgramProposal>;

    /// Keeps a proposal in the assessment in row `id`, in place of the same program's proposal for the same
    /// requirement and report. Returns it with its row id and the time.
    ///
    /// # Errors
    /// [`Error::NotFound`](crate::Error::NotFound) if the assessment was deleted meanwhile.
    async fn put_program_proposal(&self, id: i64, proposal: ProgramProposal) -> Result<ProgramProposal>;

    /// Deletes the proposal in row `proposal` of the assessment in row `id`.
    ///
    /// # Errors
    /// [`Error::NotFound`](crate::Error::NotFound) if it is no longer there.
    async fn delete_program_proposal(&self, id: i64, proposal: i64) -> Result<()>;

    /// In one transaction, keeps `review`, by which a person confirms the proposal in row `proposal` of the
    /// assessment in row `id`, and deletes the proposal. The decision says which program proposed it. `former` is
    /// as in [`Self::put_reviews`].
    ///
    /// # Errors
    /// [`Error::NotFound`](crate::Error::NotFound) if the proposal is no longer there: nothing is decided then.
    async fn confirm_program_proposal(
        &self,
        workspace: i64,
        proposal: (i64, i64),
        review: (Review, Option<String>),
    ) -> Result<Review>;

    /// Keeps an interaction of `workspace`, and forgets those that are older than `days`; 0 keeps them all. Returns
    /// its row id.
    ///
    /// # Errors
    /// Storage errors.
    async fn put_answer_json(
        &self,
        workspace: i64,
        new: NewAnswer<'_, String, String>,
        days: u32,
    ) -> Result<i64>;

    /// The interactions of `workspace` that `filter` names, newest first, and how many there are in all.
    ///
    /// # Errors
    /// Storage errors.
    async fn answers_json(
        &self,
        workspace: i64,
        filter: AnswerFilter,
    ) -> Result<(Vec<LoggedAnswer<String>>, usize)>;

    /// The interaction `id` of `workspace`: its row, the question and the answer.
    ///
    /// # Errors
    /// [`Error::NotFound`](crate::Error::NotFound) if there is none or it belongs to another workspace.
    async fn answer_json(&self, workspace: i64, id: i64) -> Result<(LoggedAnswer<String>, String, String)>;

    /// Sets or removes somebody's rating of the interaction `id` of `workspace`.
    ///
    /// # Errors
    /// [`Error::NotFound`](crate::Error::NotFound) if there is none or it belongs to another workspace.
    async fn rate_answer_json(&self, workspace: i64, id: i64, rating: Option<String>) -> Result<()>;

    /// Forgets the interaction `id` of `workspace`.
    ///
    /// # Errors
    /// [`Error::NotFound`](crate::Error::NotFound) if there is none or it belongs to another workspace.
    async fn delete_answer(&self, workspace: i64, id: i64) -> Result<()>;

    /// Forgets all interactions of `workspace`. Returns how many there were.
    ///
    /// # Errors
    /// Storage errors.
    async fn clear_answers(&self, workspace: i64) -> Result<usize>;

    /// Keeps a search of `workspace` that ran with the configuration of this hash; the number of its results is the
    /// field `total_results` of `response`. Returns its row id.
    ///
    /// # Errors
    /// Storage errors.
    async fn record_run_json(
        &self,
        workspace: i64,
        request: &str,
        response: &str,
        config_hash: &str,
    ) -> Result<i64>;

    /// The latest `limit` searches of `workspace`, newest first.
    ///
    /// # Errors
    /// Storage errors.
    async fn runs_json(&self, workspace: i64, limit: usize) -> Result<Vec<StoredRun<String>>>;

    /// What the search `id` of `workspace` asked and found.
    ///
    /// # Errors
    /// [`Error::NotFound`](crate::Error::NotFound) if there is none or it belongs to another workspace.
    async fn run_json(&self, workspace: i64, id: i64) -> Result<(String, String)>;

    /// Forgets all searches of `workspace`. Returns how many there were.
    ///
    /// # Errors
    /// Storage errors.
    async fn clear_runs(&self, workspace: i64) -> Result<usize>;

    /// What is kept for `workspace`; `None` if nothing was measured.
    ///
    /// # Errors
    /// Storage errors.
    async fn calibration_json(&self, workspace: i64) -> Result<Option<CalibrationRow<String, String>>>;

    /// Keeps `row` for `workspace` in place of the former one.
    ///
    /// # Errors
    /// Storage errors.
    async fn put_calibration_json(&self, workspace: i64, row: CalibrationRow<String, String>) -> Result<()>;

    /// The gold sets of `workspace`, by name.
    ///
    /// # Errors
    /// Storage errors.
    async fn gold_sets(&self, workspace: i64) -> Result<Vec<GoldSet>>;

    /// The gold set `name` of `workspace`.
    ///
    /// # Errors
    /// [`Error::NotFound`](crate::Error::NotFound) if it has none of that name.
    async fn gold_set(&self, workspace: i64, name: &str) -> Result<GoldSet>;

    /// Keeps `queries` with their labels as the set `name` of `workspace`. They are added to an existing set and
    /// overwrite its queries of the same id; if it is `replaced`, they take its place.
    ///
    /// # Errors
    /// Storage errors.
    async fn put_gold_set(
        &self,
        workspace: i64,
        name: &str,
        relevant_from: i32,
        queries: Vec<GoldQuery>,
        replaced: bool,
    ) -> Result<GoldSet>;

    /// Renames the set `name` of `workspace` to `new`.
    ///
    /// # Errors
    /// [`Error::NotFound`](crate::Error::NotFound) if there is none, [`Error::Taken`](crate::Error::Taken) if the
    /// new name is in use.
    async fn rename_gold_set(&self, workspace: i64, name: &str, new: &str) -> Result<GoldSet>;

    /// Deletes the set `name` of `workspace` with its queries and labels. Runs stay.
    ///
    /// # Errors
    /// [`Error::NotFound`](crate::Error::NotFound) if there is none.
    async fn delete_gold_set(&self, workspace: i64, name: &str) -> Result<()>;

    /// The queries of the set `name` of `workspace` that pass `filter`, in the order of the set, and their total
    /// number.
    ///
    /// # Errors
    /// [`Error::NotFound`](crate::Error::NotFound) if there is no such set.
    async fn gold_queries(
        &self,
        workspace: i64,
        name: &str,
        filter: GoldFilter,
    ) -> Result<(Vec<GoldQuery>, usize)>;

    /// Keeps `query` in the set `name` of `workspace`, in place of the one with its id. Labels that it names are
    /// added to those that are there.
    ///
    /// # Errors
    /// [`Error::NotFound`](crate::Error::NotFound) if there is no such set.
    async fn put_gold_query(&self, workspace: i64, name: &str, query: GoldQuery) -> Result<GoldQuery>;

    /// Deletes the query `id` of the set `name` of `workspace` with its labels.
    ///
    /// # Errors
    /// [`Error::NotFound`](crate::Error::NotFound) if there is none.
    async fn delete_gold_query(&self, workspace: i64, name: &str, id: &str) -> Result<()>;

    /// Keeps the judgment of `label.judge` on a target of the query `id`, in place of that judge's earlier one;
    /// without a `grade` it is taken back.
    ///
    /// # Errors
    /// [`Error::NotFound`](crate::Error::NotFound) if there is no such set or query.
    async fn judge(
        &self,
        workspace: i64,
        name: &str,
        id: &str,
        target: GoldTarget,
        judge: &str,
        grade: Option<i32>,
    ) -> Result<GoldQuery>;

    /// Proposed questions that were accepted or rejected in the set `name` of `workspace`.
    ///
    /// # Errors
    /// [`Error::NotFound`](crate::Error::NotFound) if there is no such set.
    async fn gold_decisions(&self, workspace: i64, name: &str) -> Result<BTreeMap<String, bool>>;

    /// Remembers that the proposed question `candidate` was accepted into the set `name` of `workspace`, or
    /// rejected.
    ///
    /// # Errors
    /// [`Error::NotFound`](crate::Error::NotFound) if there is no such set.
    async fn decide(&self, workspace: i64, name: &str, candidate: &str, accepted: bool) -> Result<()>;

    /// The known versions of the gold set `name` of `workspace`, the newest first, with what each changed.
    ///
    /// # Errors
    /// [`Error::NotFound`](crate::Error::NotFound) if there is no such set.
    async fn gold_history(&self, workspace: i64, name: &str) -> Result<Vec<GoldVersion>>;

    /// The queries of the gold set `name` of `workspace` at `version`, and the grade from which a label counted as
    /// relevant.
    ///
    /// # Errors
    /// [`Error::NotFound`](crate::Error::NotFound) if there is no such set, and for a version that is not known.
    async fn gold_queries_at(
        &self,
        workspace: i64,
        name: &str,
        version: i64,
    ) -> Result<(Vec<GoldQuery>, i32)>;

    /// Keeps a run of `workspace`. Returns its row id.
    ///
    /// # Errors
    /// Storage errors.
    async fn put_evaluation_json(
        &self,
        workspace: i64,
        new: NewEvaluation<'_, String, String, String>,
    ) -> Result<i64>;

    /// The runs of `workspace`, of one gold set or of all, the newest first.
    ///
    /// # Errors
    /// Storage errors.
    async fn evaluations_json(
        &self,
        workspace: i64,
        gold_set: Option<String>,
    ) -> Result<Vec<EvaluationRow<String>>>;

    /// The run `id` of `workspace`.
    ///
    /// # Errors
    /// [`Error::NotFound`](crate::Error::NotFound) if there is none or it belongs to another workspace.
    async fn evaluation_json(&self, workspace: i64, id: i64) -> Result<EvaluationRow<String>>;

    /// The newest run of `workspace` that is called `name`.
    ///
    /// # Errors
    /// [`Error::NotFound`](crate::Error::NotFound) if there is none.
    async fn evaluation_named(&self, workspace: i64, name: &str) -> Result<i64>;

    /// The newest run of `workspace` that is the cell `cell` of a matrix.
    ///
    /// # Errors
    /// Storage errors.
    async fn evaluation_of_cell_json(
        &self,
        workspace: i64,
        cell: &str,
    ) -> Result<Option<EvaluationRow<String>>>;

    /// Values of every query of the run `id` of `workspace`, in the order of the set.
    ///
    /// # Errors
    /// [`Error::NotFound`](crate::Error::NotFound) if there is none or it belongs to another workspace.
    async fn evaluation_scores_json(&self, workspace: i64, id: i64) -> Result<Vec<String>>;

    /// The results of the run `id` of `workspace` for its queries, by id: for those of `queries`, or for all if it
    /// is empty.
    ///
    /// # Errors
    /// [`Error::NotFound`](crate::Error::NotFound) if there is none or it belongs to another workspace.
    async fn evaluation_rankings_json(
        &self,
        workspace: i64,
        id: i64,
        queries: Vec<String>,
    ) -> Result<Vec<(String, String)>>;

    /// Renames the run `id` of `workspace`.
    ///
    /// # Errors
    /// [`Error::NotFound`](crate::Error::NotFound) if there is none or it belongs to another workspace.
    async fn rename_evaluation(&self, workspace: i64, id: i64, name: &str) -> Result<()>;

    /// Deletes the run `id` of `workspace`.
    ///
    /// # Errors
    /// [`Error::NotFound`](crate::Error::NotFound) if there is none or it belongs to another workspace.
    async fn delete_evaluation(&self, workspace: i64, id: i64) -> Result<()>;
}
