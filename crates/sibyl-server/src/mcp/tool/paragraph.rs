//! The tool that fetches one part of the standards.

use super::super::Agents;
use super::{Answered, Tool};
use rmcp::service::{RequestContext, RoleServer};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sibyl_api::command::standards::{StandardId, StandardsPage};
use sibyl_api::{ApiError, Edition, MetricList, Modality, PartKind, StandardMetric};

/// Fetches a paragraph, item, topic or metric.
pub(super) struct GetParagraph;

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Wanted {
    /// Such as S2.14(a)(iv) or EM-EP-110a.1.
    #[schemars(length(min = 1), regex(pattern = r"\S"))]
    id: String,
    /// Edition of IFRS S2: as issued June 2023 or as amended December 2025 (periods from 1 January 2027); the one meant today
    /// if omitted.
    #[serde(default)]
    edition: Option<Edition>,
}

/// A part of it.
#[derive(Serialize, JsonSchema)]
pub(super) struct Item {
    /// Its id.
    id: String,
    /// Its name.
    label: String,
    /// Its wording.
    text: String,
}

/// A metric of a SASB standard, part by part.
#[derive(Serialize, JsonSchema)]
pub(super) struct Metric {
    /// Its code.
    code: String,
    /// Its name.
    label: String,
    /// Quantitative, or Discussion and Analysis.
    category: String,
    /// Its unit of measure.
    unit: String,
    /// What is measured or described.
    measured: String,
    /// What counts.
    counts: Vec<String>,
    /// What does not count.
    does_not_count: Vec<String>,
    /// Defined terms.
    definitions: Vec<String>,
    /// What is to be disclosed beside it.
    also_to_be_discussed: Vec<String>,
    /// What may be added.
    may_be_added: Vec<String>,
}

impl From<&StandardMetric> for Metric {
    fn from(metric: &StandardMetric) -> Self {
        let texts = |list| metric.list(list).iter().map(|item| item.text.clone()).collect();
        Self {
            code: metric.code.clone(),
            label: metric.label.clone(),
            category: metric.category.clone(),
            unit: metric.unit.clone(),
            measured: metric.measured.text.clone(),
            counts: texts(MetricList::Counts),
            does_not_count: texts(MetricList::DoesNotCount),
            definitions: texts(MetricList::Definitions),
            also_to_be_discussed: texts(MetricList::AlsoToBeDiscussed),
            may_be_added: texts(MetricList::MayBeAdded),
        }
    }
}

/// The paragraph.
#[derive(Serialize, JsonSchema)]
pub(super) struct Part {
    /// Its id.
    id: String,
    /// Its name.
    label: String,
    /// What it is, such as paragraph or metric.
    kind: PartKind,
    /// Whether it is required, allowed or explains.
    modality: Modality,
    /// The pillar it belongs to.
    pillar: String,
    /// Editions of IFRS S2 that have it as it stands here; none of other standards.
    editions: Vec<Edition>,
    /// What is known of its edition, of amendments and of changes under way.
    remarks: Vec<String>,
    /// Its wording.
    text: String,
    /// Its parts.
    items: Vec<Item>,
    /// Its metrics, or itself where it is one, part by part.
    metrics: Vec<Metric>,
}

impl Tool for GetParagraph {
    const NAME: &'static str = "get_paragraph";
    type Input = Wanted;
    type Output = Part;

    fn described() -> String {
        "Fetch one paragraph, item, topic or metric of the standards by its id.".to_owned()
    }

    async fn call(
        agents: &Agents,
        input: Wanted,
        _: &RequestContext<RoleServer>,
    ) -> Result<Answered<Part>, ApiError> {
        let Wanted { id, edition } = input;
        let page = agents.run::<StandardsPage>(StandardId { id, edition }).await?;
        if let Some(wanted) = edition
            && !page.editions.is_empty()
            && !page.editions.contains(&wanted)
        {
            let editions: Vec<&str> = page.editions.iter().map(|edition| edition.code()).collect();
            let message = format!(
                "`{}` does not exist in the edition {}; it is in the edition {}",
                page.id,
                wanted.code(),
                editions.join(", ")
            );
            return Err(ApiError::new("not_found", message));
        }
        let (text, remarks) = (page.text(), page.remarks());
        let items = page.items.into_iter();
        let part = Part {
            remarks,
            items: items.map(|item| Item { id: item.id, label: item.label, text: item.prose }).collect(),
            metrics: page.metrics.iter().map(Metric::from).collect(),
            id: page.id,
            label: page.label,
            kind: page.kind,
            modality: page.modality,
            pillar: page.pillar,
            editions: page.editions,
            text: page.prose,
        };
        Ok(Answered { text: Some(text), ..part.into() })
    }
}
