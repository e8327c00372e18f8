//! `rag_lookup`: a search whose answer is text for a language model (main document, section 6).

use super::repeat::repeats;
use super::retriever::{Providers, Retriever};
use super::{Filters, Hit, Leg, MAX_TOP_K, SearchNotice, SearchRequest};
use crate::error::Result;
use crate::requirement::Requirements;
use crate::store::edition::Edition;
use crate::store::table::chunk::{ChunkRow, OCR};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use sibyl_text::document::cited;
use sibyl_text::format::markdown::readable;
use sibyl_text::source_type::field::EDITION;
use sibyl_text::source_type::{self, SourceType, Standard};
use std::fmt::Write as _;

/// Results where the request names no number.
pub const LOOKUP_TOP_K: usize = 5;

/// What is looked up.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct LookupRequest {
    /// What information is needed, in natural language.
    pub query: String,
    /// Source types to search; all if empty.
    pub source_types: Option<Vec<String>>,
    /// Maximum number of results, 1 to 1,000. A paragraph and its items have the same words, so only the best of
    /// them is a result.
    pub top_k: usize,
    /// The exact paragraph to fetch; `query` and `source_types` are then ignored.
    pub paragraph_id: Option<String>,
    /// The report that the caller works on; its chunks are then the only report chunks searched.
    pub report_id: Option<String>,
    /// The edition of IFRS S2; by default the one in force.
    pub edition: Option<Edition>,
}

impl Default for LookupRequest {
    fn default() -> Self {
        Self {
            query: String::new(),
            source_types: None,
            top_k: LOOKUP_TOP_K,
            paragraph_id: None,
            report_id: None,
            edition: None,
        }
    }
}

/// What was found, as text for a language model.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct LookupText {
    /// The formatted results.
    pub text: String,
    /// Notices about the search: what is degraded or was left out, and why.
    pub notices: Vec<SearchNotice>,
}

impl Retriever {
    /// Looks `request` up, ranked like `usual`, and formats what is found.
    ///
    /// # Errors
    /// As [`Retriever::search`] and [`Retriever::paragraph`].
    pub async fn lookup(
        &self,
        workspace: i64,
        request: &LookupRequest,
        usual: SearchRequest,
        providers: &Providers,
        requirements: &Requirements,
    ) -> Result<LookupText> {
        if let Some(id) = request.paragraph_id.as_deref().filter(|id| !id.trim().is_empty()) {
            let text = format_results(&self.paragraph(workspace, id, request.edition, requirements).await?);
            return Ok(LookupText { text, notices: Vec::new() });
        }
        let search = SearchRequest {
            query: request.query.clone(),
            top_k: looked_at(request.top_k),
            filters: Filters {
                source_types: request.source_types.clone().unwrap_or_default(),
                report_or_none: request.report_id.clone(),
                ..Filters::default().with(&EDITION, request.edition.map(Edition::code))
            },
            ..usual
        };
        let found = self.search(workspace, &search, providers).await?;
        let results = self.once(workspace, found.results, request.top_k).await?;
        Ok(LookupText { text: format_results(&results), notices: found.trace.notices })
    }

    /// The first `limit` of `hits` that do not repeat a better one.
    async fn once(&self, workspace: i64, hits: Vec<Hit>, limit: usize) -> Result<Vec<Hit>> {
        let (mut told, mut kept): (Vec<ChunkRow>, Vec<Hit>) = (Vec::new(), Vec::new());
        for hit in hits {
            if kept.len() == limit {
                break;
            }
            // What was deleted since it was found repeats nothing.
            if let Some(chunk) = self.store().chunk(workspace, &hit.chunk_id).await? {
                if told.iter().any(|better| repeats(better, &chunk)) {
                    continue;
                }
                told.push(chunk);
            }
            kept.push(hit);
        }
        Ok(kept)
    }
}

/// Number of hits of a search from which `top_k` that do not repeat each other are chosen. A number that no search
/// allows is left for the search to refuse.
fn looked_at(top_k: usize) -> usize {
    top_k.saturating_mul(2).min(MAX_TOP_K).max(top_k)
}

/// Hits in the layout of section 6.3, passages as they are read: a comparison of quotes leaves marks and breaks out.
pub fn format_results(hits: &[Hit]) -> String {
    let best = hits.iter().filter_map(bm25).fold(0.0, f64::max);
    let mut out = String::new();
    for (hit, number) in hits.iter().zip(1..) {
        let score = relevance(hit, best);
        // Writing to a String cannot fail.
        let _ = writeln!(out, "--- Result {number} (source: {}, score: {score:.2}) ---", hit.source_type);
        let place = bracket(hit);
        let passage = readable(hit.passage.trim());
        let _ = writeln!(out, "{place}\n\n{}\n", below_heading(&passage, &place));
    }
    out.push_str("--- No more results ---");
    out
}

/// `passage` without the heading it begins with, if its `place` already names that.
fn below_heading<'a>(passage: &'a str, place: &str) -> &'a str {
    let named = place.trim_end_matches(']').rsplit(['|', '>', ':']).next().unwrap_or_default().trim();
    let Some((heading, rest)) = passage.split_once("\n\n").filter(|(line, _)| line.starts_with('#')) else {
        return passage;
    };
    let repeats = !named.is_empty() && heading.trim_start_matches('#').trim_start().starts_with(named);
    if repeats { rest.trim_start_matches('\n') } else { passage }
}

/// The relevance of a hit from 0 to 1. If none was measured (only words were compared), its BM25 relative to the
/// best one's is used.
fn relevance(hit: &Hit, best: f64) -> f64 {
    let by_words = || bm25(hit).filter(|_| best > 0.0).map(|score| score / best);
    hit.relevance.or_else(by_words).unwrap_or(0.0).clamp(0.0, 1.0)
}

fn bm25(hit: &Hit) -> Option<f64> {
    hit.contributions.iter().find(|leaf| leaf.leg == Leg::Keyword).and_then(|leaf| leaf.raw)
}

/// The line that places a hit: paragraph, topic, or page and section.
fn bracket(hit: &Hit) -> String {
    let text = |name: &str| hit.metadata.get(name).and_then(Value::as_str).map(str::to_owned);
    let list = |name: &str, separator: &str| {
        let values = hit.metadata.get(name).and_then(Value::as_array)?;
        let values: Vec<&str> = values.iter().filter_map(Value::as_str).collect();
        (!values.is_empty()).then(|| values.join(separator))
    };
    let of_type = source_type::named(&hit.source_type);
    let fields = if let Some(paragraph) = text("paragraph_id") {
        let pillar = text("pillar").map(|pillar| pillar_name(&pillar));
        vec![("Paragraph", Some(paragraph)), ("Pillar", pillar), ("Section", text("section"))]
    } else if of_type.and_then(SourceType::standard).is_some_and(Standard::has_topics) {
        vec![
            ("Industry", text("industry_sector")),
            ("Topic", text("disclosure_topic")),
            ("Metrics", list("metric_codes", ", ")),
        ]
    } else {
        let pages = hit.pages.map(|pages| cited(pages, hit.page_labels.as_ref(), "-"));
        let section =
            list("section_path", " > ").or_else(|| text("section")).or_else(|| text("section_heading"));
        let kind = if of_type.is_some_and(SourceType::is_report) { "Report" } else { "Document" };
        let ocr = hit.metadata.get(OCR).and_then(|ocr| ocr.get("confidence")?.as_u64());
        let ocr = ocr.map(|confidence| format!("{confidence}% confidence"));
        vec![(kind, Some(hit.title.clone())), ("Pages", pages), ("Read by OCR", ocr), ("Section", section)]
    };
    let shown = fields.into_iter().filter_map(|(name, value)| Some(format!("{name}: {}", value?)));
    format!("[{}]", shown.collect::<Vec<_>>().join(" | "))
}

fn pillar_name(pillar: &str) -> String {
    match pillar {
        "governance" => "Governance",
        "strategy" => "Strategy",
        "risk_management" => "Risk Management",
        "metrics_targets" => "Metrics and Targets",
        "general" => "General",
        "appendix" => "Appendix",
        other => other,
    }
    .to_owned()
}
