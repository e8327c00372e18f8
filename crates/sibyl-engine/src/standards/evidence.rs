//! Evidence: passages of reports that speak of a paragraph.

use crate::error::{Error, Result};
use crate::library::Standards;
use crate::search::{Filters, Hit, MAX_TOP_K, Mode, SearchRequest, Trace};
use crate::store::edition::Edition;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sibyl_text::source_type::{Permission, allowing};
use std::collections::HashMap;

/// What evidence is looked for.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct EvidenceRequest {
    /// Paragraph, item, topic or metric.
    pub id: String,
    /// Look for its items too.
    pub below: bool,
    /// Which legs run.
    pub mode: Mode,
    /// Report ids; all reports by default.
    pub reports: Vec<String>,
    /// Maximum number of passages to return.
    pub top_k: usize,
    /// Space in which to compare meanings; by default the best that covers the reports.
    pub space: Option<String>,
    /// The edition of IFRS S2; by default the one in force.
    pub edition: Option<Edition>,
}

impl Default for EvidenceRequest {
    fn default() -> Self {
        Self {
            id: String::new(),
            below: true,
            mode: Mode::Hybrid,
            reports: Vec::new(),
            top_k: 20,
            space: None,
            edition: None,
        }
    }
}

/// Passages found.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Evidence {
    /// The passages, best first.
    pub hits: Vec<Hit>,
    /// For each passage, the identifier that found it.
    pub found_by: Vec<String>,
    /// The queries that ran, by identifier.
    pub queries: Vec<(String, String)>,
    /// What happened in the search for the identifier itself, with what the searches for its items had to say.
    pub trace: Trace,
}

impl Standards<'_> {
    /// Passages of reports that speak of `request.id`, with its items searched for one by one where asked.
    /// A passage found by several identifiers goes to the one that ranks it best, the deeper one on a tie.
    ///
    /// # Errors
    /// As [`Standards::page`] and [`Search::run`](crate::library::Search::run).
    pub async fn evidence(&self, workspace: &str, request: EvidenceRequest) -> Result<Evidence> {
        Error::within("top_k", request.top_k as f64, 1.0, MAX_TOP_K as f64)?;
        let page = self.page(workspace, &request.id, request.edition).await?;
        let mut queries = vec![(request.id.clone(), query(&page.label, &page.prose))];
        if request.below {
            let items = page.items.iter();
            queries.extend(items.map(|item| (item.id.clone(), query(&item.label, &item.prose))));
        }
        let usual = self.library.search().usual().await?;
        let mut best: HashMap<String, (Hit, String)> = HashMap::new();
        let mut trace: Option<Trace> = None;
        for (id, query) in &queries {
            let response =
                self.library.search().run(workspace, &search(&request, query, usual.clone())).await?;
            for hit in response.results {
                let better = best.get(&hit.chunk_id).is_none_or(|(other, by)| {
                    (hit.rank, std::cmp::Reverse(id.len())) < (other.rank, std::cmp::Reverse(by.len()))
                });
                if better {
                    best.insert(hit.chunk_id.clone(), (hit, id.clone()));
                }
            }
            match &mut trace {
                None => trace = Some(response.trace),
                Some(trace) => hear(trace, response.trace),
            }
        }
        let mut found: Vec<(Hit, String)> = best.into_values().collect();
        found.sort_by(|(a, _), (b, _)| {
            a.rank.cmp(&b.rank).then(b.score.total_cmp(&a.score)).then_with(|| b.chunk_id.cmp(&a.chunk_id))
        });
        found.truncate(request.top_k);
        let (hits, found_by) = found.into_iter().unzip();
        let trace = trace
            .ok_or_else(|| Error::Invalid("a search for evidence needs at least one query".to_owned()))?;
        Ok(Evidence { hits, found_by, queries, trace })
    }
}

/// Adds what another search had to say.
fn hear(trace: &mut Trace, other: Trace) {
    trace.degraded |= other.degraded;
    for notice in other.notices {
        if !trace.notices.contains(&notice) {
            trace.notices.push(notice);
        }
    }
}

fn search(request: &EvidenceRequest, query: &str, usual: SearchRequest) -> SearchRequest {
    SearchRequest {
        query: query.to_owned(),
        top_k: request.top_k,
        mode: request.mode,
        space: request.space.clone(),
        filters: Filters {
            source_types: allowing(Permission::Evidence).map(|one| one.name.to_owned()).collect(),
            reports: request.reports.clone(),
            ..Filters::default()
        },
        ..usual
    }
}

/// Label and explanation without identifiers: those would only find passages that cite the paragraph.
pub(crate) fn query(label: &str, prose: &str) -> String {
    let mut text = format!("{label}. {prose}");
    for reference in sibyl_text::source_type::references(&text).into_iter().rev() {
        text.replace_range(reference.span.start..reference.span.end, "");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn trace(notices: &[&str], degraded: bool) -> Trace {
        let trace = json!({
            "query": { "references": [], "terms": [], "match_expression": "" },
            "space": null, "tier": null, "embedded": null, "covered": 0, "candidates_before": 0,
            "candidates_after": 0, "semantic": [], "keyword": [], "semantic_path": null, "dropped": [],
            "timings": [], "config_hash": "", "notices": notices, "degraded": degraded, "pinned": [],
        });
        serde_json::from_value(trace).unwrap()
    }

    #[test]
    fn what_the_search_for_an_item_says_is_heard_once() {
        let mut own = trace(&["a"], false);
        hear(&mut own, trace(&["a", "b"], true));
        hear(&mut own, trace(&["b"], false));
        assert_eq!(own, trace(&["a", "b"], true));
    }
}
