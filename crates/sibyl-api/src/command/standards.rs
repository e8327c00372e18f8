//! The standards as a reviewer reads them.

use crate::command::Nothing;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sibyl_engine::standards::{Evidence, EvidenceRequest, Orientation, StandardPage, TreeNode};
use sibyl_engine::store::edition::Edition;

/// A part of the standards by identifier.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct StandardId {
    /// Paragraph, item, defined term, industry, topic or metric.
    pub id: String,
    /// The edition of IFRS S2; by default the one in force.
    #[serde(default)]
    pub edition: Option<Edition>,
}

/// The standards in an edition of IFRS S2.
#[derive(Debug, Clone, Copy, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct StandardsEdition {
    /// The edition; by default the one in force.
    pub edition: Option<Edition>,
}

command! {
    /// The tree of the standards.
    StandardsTree = "standards.tree": Query, Read, ["chunks"],
        remote Get "/api/v1/standards";
    (call, input: StandardsEdition) -> Vec<TreeNode> {
        Ok(call.library.standards().tree(&call.workspace, input.edition).await?)
    }
}

command! {
    /// The state of the standards: versions and dates, drafts under way, who uses them. Orientation, not advice.
    StandardsOrientation = "standards.orientation": Query, Read, [],
        remote Get "/api/v1/orientation";
    (call, _input: Nothing) -> Orientation {
        Ok(call.library.standards().orientation().await?)
    }
}

command! {
    /// Everything about one part of the standards.
    StandardsPage = "standards.page": Query, Read, ["chunks"],
        remote Get "/api/v1/standards/{id}";
    (call, input: StandardId) -> StandardPage {
        Ok(call.library.standards().page(&call.workspace, &input.id, input.edition).await?)
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
