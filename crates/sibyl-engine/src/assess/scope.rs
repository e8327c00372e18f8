//! What reports can be assessed against, and which of that fits a report.

use super::AssessmentScope;
use super::requirement::Catalogue;
use crate::error::{Error, Result};
use crate::library::Assessing;
use crate::search::{Filters, SearchRequest};
use crate::standards::NodeKind;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sibyl_text::source_type;
use std::collections::BTreeMap;

/// Seconds of searching and writing for a proposal, as measured with the shipped models.
const SECONDS: f64 = 0.03;
/// Number of letters of a report from which its industry is guessed if it names no codes.
const BEGINNING: usize = 1500;
/// Number of passages of the standards considered for this.
const DEPTH: usize = 20;
/// Number of codes of an industry that a report must name to count as one of it.
const CODES: usize = 2;

/// A standard with paragraphs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ScopeStandard {
    /// Source type.
    pub source_type: String,
    /// Its name.
    pub label: String,
    /// Requirements of it, by the level that was asked for.
    pub requirements: usize,
}

/// A SASB industry.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ScopeIndustry {
    /// Code, such as `IF-EU`.
    pub code: String,
    /// Name.
    pub name: String,
    /// Metrics.
    pub metrics: usize,
}

/// The industry that a report seems to be of.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ProposedIndustry {
    /// The report.
    pub report_id: String,
    /// Who issued it.
    pub issuer: Option<String>,
    /// Its title.
    pub title: String,
    /// The year that it is about.
    pub year: Option<u16>,
    /// Code of the industry; `None` if nothing points to one.
    pub industry: Option<String>,
    /// Number of its codes in the report; 0 if only words point to it.
    pub codes: usize,
    /// Physical page of the first of them.
    pub page: Option<u32>,
}

/// What is in scope, and what there is besides.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ScopePreview {
    /// Every standard with paragraphs that the workspace sees.
    pub standards: Vec<ScopeStandard>,
    /// Every SASB industry that it sees, by code.
    pub industries: Vec<ScopeIndustry>,
    /// The industry of each report.
    pub proposed: Vec<ProposedIndustry>,
    /// Requirements in scope.
    pub requirements: usize,
    /// Approximate seconds for the proposals on a machine with two cores.
    pub seconds: f64,
}

impl Assessing<'_> {
    /// The contents of `scope`, the choices, and the industry of each of `reports`.
    ///
    /// # Errors
    /// [`Error::NotFound`] for an unknown workspace or report, and errors of searching.
    pub async fn scope(
        &self,
        workspace: &str,
        reports: &[String],
        scope: &AssessmentScope,
    ) -> Result<ScopePreview> {
        let id = self.library.store().workspace(workspace).await?.id;
        let standards = self.library.standards().rows(id, scope.edition).await?;
        let asked = scope.clone();
        let (counts, industries, requirements) = tokio::task::spawn_blocking(move || {
            let catalogue = Catalogue::new(&standards);
            let count = |name: &str| {
                let alone = AssessmentScope {
                    standards: vec![name.to_owned()],
                    industries: Vec::new(),
                    ..asked.clone()
                };
                catalogue.requirements(&alone).asked.len()
            };
            let with_paragraphs: Vec<ScopeStandard> = source_type::standards()
                .map(|(kind, standard)| (kind.name, standard.body))
                .filter(|(name, _)| {
                    let own = |node: &&crate::standards::TreeNode| node.source_type == **name;
                    catalogue.nodes().iter().filter(own).any(|node| node.kind == NodeKind::Paragraph)
                })
                .map(|(name, body)| ScopeStandard {
                    source_type: name.to_owned(),
                    label: body.to_owned(),
                    requirements: count(name),
                })
                .collect();
            (with_paragraphs, industries(&catalogue), catalogue.requirements(&asked).asked.len())
        })
        .await?;
        let mut proposed = Vec::new();
        for column in self.known(id, reports).await? {
            let mut one = ProposedIndustry {
                report_id: column.report_id,
                issuer: column.issuer,
                title: column.title,
                year: column.year,
                industry: None,
                codes: 0,
                page: None,
            };
            self.propose_industry((workspace, id), &mut one).await?;
            proposed.push(one);
        }
        let seconds = SECONDS * (requirements * reports.len()) as f64;
        Ok(ScopePreview { standards: counts, industries, proposed, requirements, seconds })
    }

    /// Refuses a scope that names what the workspace does not see, or has no requirement.
    pub(super) async fn check_scope(&self, workspace: i64, scope: &AssessmentScope) -> Result<()> {
        let standards = self.library.standards().rows(workspace, scope.edition).await?;
        let asked = scope.clone();
        let (unknown, count) = tokio::task::spawn_blocking(move || {
            let catalogue = Catalogue::new(&standards);
            let known = industries(&catalogue);
            let seen = |name: &String| catalogue.nodes().iter().any(|node| node.source_type == *name);
            let standard =
                asked.standards.iter().find(|name| !seen(name)).map(|name| ("standard", name.clone()));
            let listed = |code: &&String| !known.iter().any(|industry| industry.code == **code);
            let industry = asked
                .industries
                .iter()
                .map(|industry| &industry.code)
                .find(listed)
                .map(|code| ("industry", code.clone()));
            (standard.or(industry), catalogue.requirements(&asked).asked.len())
        })
        .await?;
        if let Some((what, id)) = unknown {
            let cure = "; `sibyl assess scope` lists the standards and industries that there are".to_owned();
            return Err(Error::NotFound { what, id, cure });
        }
        if count == 0 {
            return Err(Error::Invalid(
                "nothing is in scope; name a standard such as `ifrs_s2` or an industry such as `IF-EU`"
                    .to_owned(),
            ));
        }
        Ok(())
    }

    /// Finds the industry of a report: by its metric codes, else by what its beginning is nearest to.
    async fn propose_industry(&self, (workspace, id): (&str, i64), one: &mut ProposedIndustry) -> Result<()> {
        let documents = self.library.store().documents(id, None).await?;
        let own = documents.iter().filter(|document| document.report_id.as_ref() == Some(&one.report_id));
        let mut named: BTreeMap<String, (usize, Option<u32>)> = BTreeMap::new();
        let mut beginning = format!("{} {}", one.issuer.as_deref().unwrap_or_default(), one.title);
        for document in own {
            let (_, content) = self.library.store().document(id, document.id).await?;
            for found in source_type::references(&content.text) {
                let Some(code) = industry_of(found.span.of(&content.text)) else { continue };
                let page = content.pages_of(found.span).map(|(first, _)| first);
                let seen = named.entry(code).or_insert((0, page));
                seen.0 += 1;
            }
            let end = content.text.floor_char_boundary(BEGINNING.min(content.text.len()));
            beginning = format!("{beginning} {}", &content.text[..end]);
        }
        if let Some((code, (codes, page))) = named.into_iter().max_by_key(|(_, (codes, _))| *codes)
            && codes >= CODES
        {
            (one.industry, one.codes, one.page) = (Some(code), codes, page);
            return Ok(());
        }
        let query: String = beginning.chars().take(BEGINNING).collect();
        if !query.chars().any(char::is_alphanumeric) {
            return Ok(());
        }
        let sasb = source_type::standards().map(|(kind, _)| kind.name.to_owned());
        let request = SearchRequest {
            query,
            top_k: DEPTH,
            listed: 0,
            filters: Filters { source_types: sasb.collect(), ..Filters::default() },
            ..self.library.search().usual().await?
        };
        let found = self.library.search().run(workspace, &request).await?;
        let mut votes: BTreeMap<String, f64> = BTreeMap::new();
        for hit in &found.results {
            if let Some(code) = hit.metadata.get("standard_code").and_then(serde_json::Value::as_str) {
                *votes.entry(code.to_owned()).or_default() += 1.0 / hit.rank as f64;
            }
        }
        one.industry = votes.into_iter().max_by(|a, b| a.1.total_cmp(&b.1)).map(|(code, _)| code);
        Ok(())
    }
}

/// The industries of the standards at hand.
fn industries(catalogue: &Catalogue<'_>) -> Vec<ScopeIndustry> {
    let mut counts: BTreeMap<String, ScopeIndustry> = BTreeMap::new();
    for node in catalogue.nodes() {
        let Some(id) = &node.id else { continue };
        if node.kind == NodeKind::Industry {
            let one = ScopeIndustry { code: id.clone(), name: node.label.clone(), metrics: 0 };
            counts.insert(id.clone(), one);
        } else if node.kind == NodeKind::Metric
            && let Some(one) = industry_of(id).and_then(|code| counts.get_mut(&code))
        {
            one.metrics += 1;
        }
    }
    counts.into_values().collect()
}

/// The industry that a SASB code belongs to: `IF-EU` of `IF-EU-110a.2`.
fn industry_of(code: &str) -> Option<String> {
    let mut parts = code.splitn(3, '-');
    let (sector, industry, rest) = (parts.next()?, parts.next()?, parts.next()?);
    let letters = |part: &str| part.len() == 2 && part.bytes().all(|byte| byte.is_ascii_uppercase());
    (letters(sector) && letters(industry) && rest.starts_with(|c: char| c.is_ascii_digit()))
        .then(|| format!("{sector}-{industry}"))
}

#[cfg(test)]
mod tests {
    use super::industry_of;

    #[test]
    fn a_code_names_its_industry() {
        assert_eq!(industry_of("IF-EU-110a.2").as_deref(), Some("IF-EU"));
        assert_eq!(industry_of("TR-AL-000.A").as_deref(), Some("TR-AL"));
        assert_eq!(
            [industry_of("S2.14(a)"), industry_of("IF-EU"), industry_of("if-eu-110a")],
            [None, None, None]
        );
    }
}
