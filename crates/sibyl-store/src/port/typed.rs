//! Values that a store keeps as JSON, written and read with their types. Their contents are the caller's business.

use super::Store;
use crate::error::{Error, Result};
use crate::table::answer::{AnswerFilter, LoggedAnswer, NewAnswer};
use crate::table::assessment::{AssessmentRow, ProposalRow};
use crate::table::calibration::CalibrationRow;
use crate::table::evaluation::{EvaluationRow, NewEvaluation};
use crate::table::review::ImportedFinding;
use crate::table::run::StoredRun;
use serde::Serialize;
use serde::de::DeserializeOwned;

fn written(what: &str, value: &(impl Serialize + ?Sized)) -> Result<String> {
    serde_json::to_string(value).map_err(|e| Error::Damaged(format!("{what} cannot be recorded: {e}")))
}

fn read<T: DeserializeOwned>(json: &str) -> Result<T> {
    serde_json::from_str(json).map_err(|e| Error::Damaged(format!("a recorded value cannot be read: {e}")))
}

fn named<T: DeserializeOwned>(pairs: Vec<(String, String)>) -> Result<Vec<(String, T)>> {
    pairs.into_iter().map(|(name, json)| Ok((name, read(&json)?))).collect()
}

fn assessment<P: DeserializeOwned>(row: AssessmentRow<String>) -> Result<AssessmentRow<P>> {
    let AssessmentRow { id, name, plan, created_at, updated_at } = row;
    Ok(AssessmentRow { id, name, plan: read(&plan)?, created_at, updated_at })
}

fn evaluation<S: DeserializeOwned>(row: EvaluationRow<String>) -> Result<EvaluationRow<S>> {
    let EvaluationRow { id, name, gold_set, at, summary } = row;
    Ok(EvaluationRow { id, name, gold_set, at, summary: read(&summary)? })
}

fn answer<Rating: DeserializeOwned>(row: LoggedAnswer<String>) -> Result<LoggedAnswer<Rating>> {
    Ok(LoggedAnswer {
        id: row.id,
        at: row.at,
        session: row.session,
        question: row.question,
        outcome: row.outcome,
        refusal: row.refusal,
        confidence: row.confidence,
        generator: row.generator,
        readings: row.readings,
        source_changed: row.source_changed,
        rating: row.rating.map(|json| read(&json)).transpose()?,
    })
}

/// Each does as the method of [`Judgements`](super::Judgements) with `_json` at the end of its name. It fails with
/// [`Error::Damaged`] if a value cannot be written or is not of the expected type.
impl dyn Store + '_ {
    /// As `record_run_json`.
    ///
    /// # Errors
    /// As there.
    pub async fn record_run(
        &self,
        workspace: i64,
        request: &(impl Serialize + Sync),
        response: &(impl Serialize + Sync),
        config_hash: &str,
    ) -> Result<i64> {
        let (request, response) = (written("a search", request)?, written("a search", response)?);
        self.record_run_json(workspace, &request, &response, config_hash).await
    }

    /// As `runs_json`.
    ///
    /// # Errors
    /// As there.
    pub async fn runs<Request: DeserializeOwned>(
        &self,
        workspace: i64,
        limit: usize,
    ) -> Result<Vec<StoredRun<Request>>> {
        let typed = |run: StoredRun<String>| {
            let StoredRun { id, at, request, results, config_hash } = run;
            Ok(StoredRun { id, at, request: read(&request)?, results, config_hash })
        };
        self.runs_json(workspace, limit).await?.into_iter().map(typed).collect()
    }

    /// As `run_json`.
    ///
    /// # Errors
    /// As there.
    pub async fn run<Request: DeserializeOwned, Response: DeserializeOwned>(
        &self,
        workspace: i64,
        id: i64,
    ) -> Result<(Request, Response)> {
        let (request, response) = self.run_json(workspace, id).await?;
        Ok((read(&request)?, read(&response)?))
    }

    /// As `calibration_json`; `None` also if the stored value cannot be read.
    ///
    /// # Errors
    /// As there.
    pub async fn calibration<C: DeserializeOwned, S: DeserializeOwned>(
        &self,
        workspace: i64,
    ) -> Result<Option<CalibrationRow<C, S>>> {
        let row = self.calibration_json(workspace).await?;
        Ok(row.and_then(|CalibrationRow { moment, corpora, scores }| {
            Some(CalibrationRow { moment, corpora: read(&corpora).ok()?, scores: read(&scores).ok()? })
        }))
    }

    /// As `put_calibration_json`.
    ///
    /// # Errors
    /// As there.
    pub async fn put_calibration<C: Serialize + Sync, S: Serialize + Sync>(
        &self,
        workspace: i64,
        row: &CalibrationRow<C, S>,
    ) -> Result<()> {
        let row = CalibrationRow {
            moment: row.moment.clone(),
            corpora: written("a calibration", &row.corpora)?,
            scores: written("a calibration", &row.scores)?,
        };
        self.put_calibration_json(workspace, row).await
    }

    /// As `put_answer_json`.
    ///
    /// # Errors
    /// As there.
    pub async fn put_answer<R: Serialize + Sync, A: Serialize + Sync>(
        &self,
        workspace: i64,
        new: NewAnswer<'_, R, A>,
        days: u32,
    ) -> Result<i64> {
        let NewAnswer { session, question, outcome, confidence, generator, config_hash, request, answer } =
            new;
        let (request, answer) = (&written("an answer", request)?, &written("an answer", answer)?);
        let new =
            NewAnswer { session, question, outcome, confidence, generator, config_hash, request, answer };
        self.put_answer_json(workspace, new, days).await
    }

    /// As `answers_json`.
    ///
    /// # Errors
    /// As there.
    pub async fn answers<Rating: DeserializeOwned>(
        &self,
        workspace: i64,
        filter: AnswerFilter,
    ) -> Result<(Vec<LoggedAnswer<Rating>>, usize)> {
        let (rows, total) = self.answers_json(workspace, filter).await?;
        Ok((rows.into_iter().map(answer).collect::<Result<_>>()?, total))
    }

    /// As `answer_json`.
    ///
    /// # Errors
    /// As there.
    pub async fn answer<Rating: DeserializeOwned, Request: DeserializeOwned, Answer: DeserializeOwned>(
        &self,
        workspace: i64,
        id: i64,
    ) -> Result<(LoggedAnswer<Rating>, Request, Answer)> {
        let (row, request, given) = self.answer_json(workspace, id).await?;
        Ok((answer(row)?, read(&request)?, read(&given)?))
    }

    /// As `rate_answer_json`.
    ///
    /// # Errors
    /// As there.
    pub async fn rate_answer(
        &self,
        workspace: i64,
        id: i64,
        rating: Option<&(impl Serialize + Sync)>,
    ) -> Result<()> {
        let rating = rating.map(|rating| written("an answer", rating)).transpose()?;
        self.rate_answer_json(workspace, id, rating).await
    }

    /// As `put_evaluation_json`.
    ///
    /// # Errors
    /// As there.
    pub async fn put_evaluation<S: Serialize + Sync, Q: Serialize + Sync, R: Serialize + Sync>(
        &self,
        workspace: i64,
        new: NewEvaluation<'_, S, Q, R>,
    ) -> Result<i64> {
        let NewEvaluation { name, gold_set, cell, summary, queries } = new;
        let what = "a run";
        let queries = queries
            .iter()
            .map(|(id, scores, ranking)| Ok((id.clone(), written(what, scores)?, written(what, ranking)?)));
        let (summary, queries) = (&written(what, summary)?, &queries.collect::<Result<Vec<_>>>()?);
        self.put_evaluation_json(workspace, NewEvaluation { name, gold_set, cell, summary, queries }).await
    }

    /// As `evaluations_json`.
    ///
    /// # Errors
    /// As there.
    pub async fn evaluations<S: DeserializeOwned>(
        &self,
        workspace: i64,
        gold_set: Option<String>,
    ) -> Result<Vec<EvaluationRow<S>>> {
        self.evaluations_json(workspace, gold_set).await?.into_iter().map(evaluation).collect()
    }

    /// As `evaluation_json`.
    ///
    /// # Errors
    /// As there.
    pub async fn evaluation<S: DeserializeOwned>(&self, workspace: i64, id: i64) -> Result<EvaluationRow<S>> {
        evaluation(self.evaluation_json(workspace, id).await?)
    }

    /// As `evaluation_of_cell_json`.
    ///
    /// # Errors
    /// As there.
    pub async fn evaluation_of_cell<S: DeserializeOwned>(
        &self,
        workspace: i64,
        cell: &str,
    ) -> Result<Option<EvaluationRow<S>>> {
        self.evaluation_of_cell_json(workspace, cell).await?.map(evaluation).transpose()
    }

    /// As `evaluation_scores_json`.
    ///
    /// # Errors
    /// As there.
    pub async fn evaluation_scores<Q: DeserializeOwned>(&self, workspace: i64, id: i64) -> Result<Vec<Q>> {
        self.evaluation_scores_json(workspace, id).await?.iter().map(|json| read(json)).collect()
    }

    /// As `evaluation_rankings_json`.
    ///
    /// # Errors
    /// As there.
    pub async fn evaluation_rankings<R: DeserializeOwned>(
        &self,
        workspace: i64,
        id: i64,
        queries: Vec<String>,
    ) -> Result<Vec<(String, R)>> {
        named(self.evaluation_rankings_json(workspace, id, queries).await?)
    }

    /// As `assessments_json`.
    ///
    /// # Errors
    /// As there.
    pub async fn assessments<P: DeserializeOwned>(&self, workspace: i64) -> Result<Vec<AssessmentRow<P>>> {
        self.assessments_json(workspace).await?.into_iter().map(assessment).collect()
    }

    /// As `assessment_json`.
    ///
    /// # Errors
    /// As there.
    pub async fn assessment<P: DeserializeOwned>(&self, workspace: i64, id: i64) -> Result<AssessmentRow<P>> {
        assessment(self.assessment_json(workspace, id).await?)
    }

    /// As `put_assessment_json`.
    ///
    /// # Errors
    /// As there.
    pub async fn put_assessment(
        &self,
        workspace: i64,
        id: Option<i64>,
        name: &str,
        plan: &(impl Serialize + Sync),
    ) -> Result<i64> {
        self.put_assessment_json(workspace, id, name, &written("a plan", plan)?).await
    }

    /// As `put_imported_json`.
    ///
    /// # Errors
    /// As there.
    pub async fn put_imported<P: Serialize + Sync>(
        &self,
        workspace: i64,
        assessment: Option<(&str, &P)>,
        findings: Vec<ImportedFinding>,
    ) -> Result<Option<i64>> {
        let plan = assessment.map(|(_, plan)| written("a plan", plan)).transpose()?;
        let new = assessment.map(|(name, _)| name).zip(plan.as_deref());
        self.put_imported_json(workspace, new, findings).await
    }

    /// As `proposal_json`.
    ///
    /// # Errors
    /// As there.
    pub async fn proposal<T: DeserializeOwned>(
        &self,
        id: i64,
        requirement: &str,
        report: &str,
    ) -> Result<Option<(String, T)>> {
        let found = self.proposal_json(id, requirement, report).await?;
        found.map(|(made_of, json)| Ok((made_of, read(&json)?))).transpose()
    }

    /// As `full_proposals_json`.
    ///
    /// # Errors
    /// As there.
    pub async fn full_proposals<T: DeserializeOwned>(
        &self,
        id: i64,
        report: &str,
    ) -> Result<Vec<(String, T)>> {
        named(self.full_proposals_json(id, report).await?)
    }

    /// As `put_proposals_json`.
    ///
    /// # Errors
    /// As there.
    pub async fn put_proposals(
        &self,
        id: i64,
        proposals: Vec<(ProposalRow, impl Serialize + Send)>,
    ) -> Result<()> {
        let json = |(row, content)| Ok((row, written("a proposal", &content)?));
        self.put_proposals_json(id, proposals.into_iter().map(json).collect::<Result<_>>()?).await
    }
}
