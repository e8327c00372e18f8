//! Assessments: reports held against requirements.

use super::Progress;
use crate::command::{Call, Nothing};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sibyl_engine::assess::{
    Assessment, AssessmentCell, AssessmentGrid, AssessmentPlan, AssessmentProgress, AssessmentRun,
    AssessmentScope, AssessmentSummary, CarryOver, CellView, Decide, Pack, PackCells, PackCheck, PackFormat,
    PackImport, PackSignature, ReportComparison, ScopePreview, SignatureCheck, SigningKey,
};

/// An assessment by its row id.
#[derive(Debug, Clone, Copy, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AssessmentId {
    /// Row id.
    pub id: i64,
}

/// Another plan for an assessment.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AssessmentChange {
    /// Row id.
    pub id: i64,
    /// Its new name.
    pub name: String,
    /// Ids of the reports.
    pub reports: Vec<String>,
    /// The requirements.
    pub scope: AssessmentScope,
    /// Names of those who decide.
    #[serde(default)]
    pub reviewers: Vec<String>,
}

/// What an assessment may cover.
#[derive(Debug, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct ScopeQuery {
    /// Ids of the reports.
    pub reports: Vec<String>,
    /// The requirements.
    pub scope: AssessmentScope,
}

/// A cell of an assessment.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CellQuery {
    /// Row id of the assessment.
    pub id: i64,
    /// Identifier of the requirement.
    pub requirement: String,
    /// The report.
    pub report_id: String,
}

/// Two reports of an assessment.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CompareQuery {
    /// Row id of the assessment.
    pub id: i64,
    /// The earlier report.
    pub earlier: String,
    /// The later report.
    pub later: String,
}

/// An assessment as a file.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PackRequest {
    /// Row id of the assessment.
    pub id: i64,
    /// Form of the file; a workbook by default.
    #[serde(default)]
    pub format: PackFormat,
    /// Which cells go in; all of them by default. The summary counts all of them in any case.
    #[serde(default)]
    pub only: PackCells,
}

/// A pack to be checked.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PackText {
    /// The pack in JSON.
    pub pack: String,
}

/// Whether a new key may replace an existing one.
#[derive(Debug, Clone, Copy, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct KeyRequest {
    /// Makes a new key in place of the existing one, which is lost.
    pub replace: bool,
}

/// A file to be signed.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SignRequest {
    /// Its bytes, in Base64.
    pub content: String,
}

/// A signature to be checked.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SignatureQuery {
    /// The bytes of the file that was signed, in Base64.
    pub content: String,
    /// Content of the file with its name and `.minisig`.
    pub signature: String,
    /// The public key that it must be signed with (Base64). By default it is this machine's own key, or else the
    /// one that the signature states.
    #[serde(default)]
    pub key: Option<String>,
}

command! {
    /// The assessments of the workspace, the last changed first.
    AssessList = "assess.list": Query, Read, ["assessments", "reviews", "documents", "chunks"],
        remote Get "/api/v1/assessments";
    (call, _input: Nothing) -> Vec<AssessmentSummary> {
        Ok(call.library.assess().list(&call.workspace).await?)
    }
}

command! {
    /// What an assessment may cover: standards and industries with their requirements, and the industry of each
    /// report.
    AssessScope = "assess.scope": Query, Egress, ["documents", "chunks", "vectors"],
        remote Post "/api/v1/assessments/scope";
    (call, input: ScopeQuery) -> ScopePreview {
        Ok(call.library.assess().scope(&call.workspace, &input.reports, &input.scope).await?)
    }
}

command! {
    /// Makes an assessment of reports against requirements.
    AssessNew = "assess.new": Mutation, Write, ["assessments"],
        remote Post "/api/v1/assessments";
    (call, input: AssessmentPlan) -> Assessment {
        Ok(call.library.assess().create(&call.workspace, input).await?)
    }
}

command! {
    /// Changes name, reports, requirements or reviewers of an assessment. Decisions stay.
    AssessChange = "assess.change": Mutation, Write, ["assessments"],
        remote Post "/api/v1/assessments/{id}";
    (call, input: AssessmentChange) -> Assessment {
        let AssessmentChange { id, name, reports, scope, reviewers } = input;
        let plan = AssessmentPlan { name, reports, scope, reviewers };
        Ok(call.library.assess().change(&call.workspace, id, plan).await?)
    }
}

command! {
    /// Deletes an assessment with its proposals. Decisions stay.
    AssessDelete = "assess.delete": Mutation, Write, ["assessments"],
        remote Delete "/api/v1/assessments/{id}";
    (call, input: AssessmentId) -> Nothing {
        call.library.assess().delete(&call.workspace, input.id).await?;
        Ok(Nothing {})
    }
}

command! {
    /// An assessment: its requirements, its reports, and what is decided and proposed for each requirement in each report.
    AssessShow = "assess.show": Query, Read, ["assessments", "reviews", "documents", "chunks"],
        remote Get "/api/v1/assessments/{id}";
    (call, input: AssessmentId) -> AssessmentGrid {
        Ok(call.library.assess().grid(&call.workspace, input.id).await?)
    }
}

command! {
    /// Everything about one requirement in one report: what is proposed with its evidence, what was decided and by whom.
    AssessCell = "assess.cell": Query, Read, ["assessments", "reviews", "documents", "chunks"],
        remote Get "/api/v1/assessments/{id}/cell";
    (call, input: CellQuery) -> CellView {
        let CellQuery { id, requirement, report_id } = &input;
        Ok(call.library.assess().cell(&call.workspace, *id, requirement, report_id).await?)
    }
}

command! {
    /// Makes the proposals of an assessment that are missing or out of date. If it is stopped, what was made is
    /// kept, and the next call continues from there.
    AssessRun = "assess.run": Stream, Spend, ["assessments"],
        remote Post "/api/v1/assessments/{id}/run";
    (call, input: AssessmentId) -> AssessmentRun {
        let told = |progress| tell(&call, progress);
        Ok(call.library.assess().run(&call.workspace, input.id, &told).await?)
    }
}

command! {
    /// Records a decision on one or more requirements in one report; returns the cells that changed.
    AssessDecide = "assess.decide": Mutation, Write, ["assessments", "reviews"],
        remote Post "/api/v1/assessments/{id}/decisions";
    (call, input: Decide) -> Vec<AssessmentCell> {
        Ok(call.library.assess().decide(&call.workspace, input).await?)
    }
}

command! {
    /// Two reports of an assessment side by side: what each says about a requirement, and whether that is new,
    /// gone, reworded, moved, restated or the same.
    AssessCompare = "assess.compare": Query, Read, ["assessments", "reviews", "documents", "chunks"],
        remote Get "/api/v1/assessments/{id}/compare";
    (call, input: CompareQuery) -> ReportComparison {
        let CompareQuery { id, earlier, later } = &input;
        Ok(call.library.assess().compare(&call.workspace, *id, earlier, later).await?)
    }
}

command! {
    /// Confirms for a report what was decided on its issuer's earlier report; returns the cells that changed.
    AssessCarryOver = "assess.carry_over": Mutation, Write, ["assessments", "reviews"],
        remote Post "/api/v1/assessments/{id}/carried";
    (call, input: CarryOver) -> Vec<AssessmentCell> {
        Ok(call.library.assess().carry_over(&call.workspace, input).await?)
    }
}

command! {
    /// An assessment as a file: workbook, document, page or data.
    AssessExport = "assess.export": Query, Read, ["assessments", "reviews", "documents", "chunks"],
        remote Get "/api/v1/assessments/{id}/export";
    (call, input: PackRequest) -> Pack {
        Ok(call.library.assess().export(&call.workspace, input.id, input.format, input.only).await?)
    }
}

command! {
    /// Whether a pack, the reports and the library still agree: files, quotations and decisions.
    AssessVerify = "assess.verify": Query, Read, ["reviews", "documents", "chunks"],
        remote Post "/api/v1/assessments/verify" unless |_input| false;
    (call, input: PackText) -> PackCheck {
        Ok(call.library.assess().verify(&call.workspace, &input.pack).await?)
    }
}

command! {
    /// The public key that signs packs on this machine; none if it has no key.
    AssessKey = "assess.key": Query, Read, ["secrets"];
    (call, _input: Nothing) -> Option<SigningKey> {
        Ok(call.library.assess().signing_key().await?)
    }
}

command! {
    /// Makes a key to sign packs with and keeps it in the keychain of the system.
    AssessKeyNew = "assess.key_new": Mutation, Write, ["secrets"];
    (call, input: KeyRequest) -> SigningKey {
        Ok(call.library.assess().new_signing_key(input.replace).await?)
    }
}

command! {
    /// Signs a file with the key of this machine. No remote door can do that: a signature is its user's own act.
    AssessSign = "assess.sign": Mutation, Write, [];
    (call, input: SignRequest) -> PackSignature {
        Ok(call.library.assess().sign(bytes(&input.content)?).await?)
    }
}

command! {
    /// Whether a file is the one that was signed, and with which key.
    AssessSignature = "assess.signature": Query, Read, [],
        remote Post "/api/v1/assessments/signature" unless |_input| false;
    (call, input: SignatureQuery) -> SignatureCheck {
        let (file, key) = (bytes(&input.content)?, input.key.as_deref());
        Ok(call.library.assess().check_signature(file, &input.signature, key).await?)
    }
}

command! {
    /// Imports the decisions of a pack in JSON. If the library has decided otherwise, its decision stays and the
    /// conflict is listed.
    AssessImport = "assess.import": Mutation, Write, ["assessments", "reviews"],
        remote Post "/api/v1/assessments/import";
    (call, input: PackText) -> PackImport {
        Ok(call.library.assess().import(&call.workspace, &input.pack).await?)
    }
}

/// Decodes `content` from Base64.
fn bytes(content: &str) -> crate::Result<Vec<u8>> {
    let pack = Pack { name: "file".to_owned(), media_type: String::new(), content: content.to_owned() };
    Ok(pack.bytes()?)
}

fn tell(call: &Call, progress: AssessmentProgress) {
    if let Some(listener) = &call.progress {
        listener(Progress::Assessing(progress));
    }
}
