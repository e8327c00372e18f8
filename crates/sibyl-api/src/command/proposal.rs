//! What connected programs propose in assessments, and what a person decides about it.

use crate::command::Nothing;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sibyl_engine::assess::{AssessmentCell, Confirm, Propose};
use sibyl_engine::store::table::program_proposal::ProgramProposal;

/// A proposal of a program.
#[derive(Debug, Clone, Copy, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ProposalId {
    /// Row id of the assessment.
    pub id: i64,
    /// Row id of the proposal.
    pub proposal: i64,
}

command! {
    /// Keeps what a program proposes for one requirement in one report, with quotes from it. It decides nothing: a
    /// person confirms or dismisses it.
    AssessPropose = "assess.propose": Mutation, Write, ["assessments"],
        remote Post "/api/v1/assessments/{id}/proposals";
    (call, input: Propose) -> ProgramProposal {
        Ok(call.library.assess().propose_finding(&call.workspace, input).await?)
    }
}

command! {
    /// Decides as a program proposed and pins its quotes; returns the cells that changed.
    AssessConfirm = "assess.confirm": Mutation, Write, ["assessments", "reviews"],
        remote Post "/api/v1/assessments/{id}/proposals/{proposal}";
    (call, input: Confirm) -> Vec<AssessmentCell> {
        Ok(call.library.assess().confirm(&call.workspace, input).await?)
    }
}

command! {
    /// Deletes a proposal of a program. This decides nothing.
    AssessDismiss = "assess.dismiss": Mutation, Write, ["assessments"],
        remote Delete "/api/v1/assessments/{id}/proposals/{proposal}";
    (call, input: ProposalId) -> Nothing {
        call.library.assess().dismiss(&call.workspace, input.id, input.proposal).await?;
        Ok(Nothing {})
    }
}
