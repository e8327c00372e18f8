//! The standards as a reviewer reads them.

use crate::command::Nothing;
use serde::{Deserialize, Serialize};
use sibyl_engine::standards::{Evidence, EvidenceRequest, StandardPage, TreeNode};
use ts_rs::TS;

/// A part of the standards by identifier.
#[derive(Debug, Clone, Serialize, Deserialize, TS)]
#[serde(deny_unknown_fields)]
pub struct StandardId {
    /// Paragraph, item, defined term, industry, topic or metric.
    pub id: String,
}

command! {
    /// The tree of the standards.
    StandardsTree = "standards.tree": Query, Read, ["chunks"],
        remote Get "/api/v1/standards";
    (call, _input: Nothing) -> Vec<TreeNode> {
        Ok(call.library.standards().tree(&call.workspace).await?)
    }
}

command! {
    /// Everything about one part of the standards.
    StandardsPage = "standards.page": Query, Read, ["chunks"],
        remote Get "/api/v1/standards/{id}";
    (call, input: StandardId) -> StandardPage {
        Ok(call.library.standards().page(&call.workspace, &input.id).await?)
    }
}

command! {
    /// Passages of reports about a part of the standards.
    StandardsEvidence = "standards.evidence": Query, Egress, ["chunks", "vectors"],
        remote Post "/api/v1/standards/{id}/evidence";
    (call, input: EvidenceRequest) -> Evidence {
        Ok(call.library.standards().evidence(&call.workspace, input).await?)
    }
}
