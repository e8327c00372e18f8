//! A proposal: what a report has for a requirement, as far as the search finds it.
//!
//! The requirement is searched for in the report. A passage is evidence where it is nearer to the requirement than the best
//! passages of the same report are to requirements that it is not about (see [`Measured`]), and where it speaks for the
//! reporting entity (see [`super::counted`]).

use super::counted::not_counted;
use super::indexes::{Lead, ReportIndexes};
use super::likelihood::{likelihood, wrong};
use super::pin::pin;
use super::requirement::Requirement;
use crate::answer::relevance::{Searched, raw};
use crate::embed::{Embedder, Purpose};
use crate::error::Result;
use crate::library::Assessing;
use crate::search::{Filters, Hit, SearchRequest};
use crate::store::table::figure::{FigureFilter, FigureRow};
use crate::store::table::review::PinnedPassage;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sibyl_answer::{Passage, Unit};
use sibyl_text::Span;
use sibyl_text::language::words::{is_stop, words};
use sibyl_text::source_type::{Permission, allowing};
use std::sync::Arc;

pub use super::counted::ReasonNotCounted;
pub use super::state::ProposalState;

/// Rules that proposals are made by: those of other rules are out of date.
pub(super) const VERSION: u32 = 2;
/// Passages of a report that are looked at for a requirement.
const DEPTH: usize = 12;
/// Passages among which those are looked at, too, that stand where the report's own index says.
const LED: usize = 60;
/// Share of the similarity of the best sentence of a passage from which one is quoted that stands where the index says.
const AS_GOOD: f32 = 0.8;
/// Most passages of a proposal.
const MOST_EVIDENCE: usize = 6;
/// Nearest passages that are told where nothing was found.
const MOST_NEAREST: usize = 3;
/// Share of foreign requirements whose best passage is further off, from which a passage is evidence.
const NEARER: f64 = 0.5;
/// Likelihood from which something is proposed.
const LIKELY: f64 = 0.5;
/// Cosine similarity of a sentence to an item, by the static table, from which it says something of it.
const SAYS: f32 = 0.38;
/// Cosine similarity of the names of a figure to a metric, by the static table, from which it is one of it.
const MEASURES: f32 = 0.6;
/// Most figures of a proposal.
const MOST_FIGURES: usize = 6;
/// Figures that are compared.
const FIGURES: usize = 60;
/// Longest quote, in bytes: a longer sentence is cut between two words.
const LONGEST: usize = 600;

/// An item of the checklist.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ProposedItem {
    /// Identifier.
    pub id: String,
    /// What it asks for.
    pub text: String,
    /// Places in [`AssessmentProposal::evidence`], from 0, of what says something of it.
    pub evidence: Vec<usize>,
}

/// A passage of a report.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct EvidencePassage {
    /// Row id of the document.
    pub document_id: i64,
    /// Chunk it was found in.
    pub chunk_id: String,
    /// Where the quote stands in the document's text: first UTF-16 code unit and one past the last.
    pub span: (usize, usize),
    /// Its words.
    pub quote: String,
    /// Headings above it, from the outermost down.
    pub section: Vec<String>,
    /// Physical page.
    pub page: Option<u32>,
    /// Label printed on that page, where it differs from its number.
    pub page_label: Option<String>,
    /// Share of foreign requirements whose best passage is further off, 0 to 1.
    pub relevance: f64,
    /// The same, to be pinned.
    pub pin: PinnedPassage,
}

/// A passage that was found and does not count.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct NotCounted {
    /// The passage.
    pub passage: EvidencePassage,
    /// Why.
    pub reason: ReasonNotCounted,
}

/// What is proposed for a requirement in a report. It is never a decision.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct AssessmentProposal {
    /// What it says.
    pub state: ProposalState,
    /// The checklist.
    pub items: Vec<ProposedItem>,
    /// What meets it, best first.
    pub evidence: Vec<EvidencePassage>,
    /// Figures that its metric asks for.
    pub figures: Vec<FigureRow>,
    /// What was found and does not count.
    pub not_counted: Vec<NotCounted>,
    /// Where nothing was found, the nearest passages. They are not used.
    pub nearest: Vec<EvidencePassage>,
    /// Relevance of the best passage, 0 to 1.
    pub relevance: f64,
    /// Share of the requirement's words that the best passage holds, 0 to 1, each weighted by how rare it is.
    pub held: f64,
    /// How likely the report meets at least a part of the requirement, 0 to 1: by the words that its passages hold, and by
    /// how many of the reports that were read by hand meet it.
    pub likelihood: f64,
    /// Share of proposals of its kind that were wrong where that was measured, 0 to 1.
    pub error_rate: Option<f64>,
    /// When it was made (ISO 8601, UTC).
    pub made_at: String,
}

/// A report as requirements are looked for in it.
pub(super) struct Measured {
    /// Id of the report.
    pub report: String,
    /// Best scores of foreign requirements in it, ascending.
    pub foreign: Vec<f64>,
    /// Its content indexes.
    pub indexes: ReportIndexes,
}

impl Measured {
    /// Share of foreign requirements whose best passage scores less than `score`, 0 to 1.
    fn relevance(&self, score: f64) -> f64 {
        let below = self.foreign.partition_point(|one| *one < score);
        below as f64 / self.foreign.len().max(1) as f64
    }
}

/// A passage with what it is worth.
struct Found {
    passage: Passage,
    relevance: f64,
    /// The unit that is quoted.
    unit: Option<Unit>,
    /// Whether that stands where the report's own index says.
    led: bool,
    /// Vectors of its units.
    units: Vec<(Unit, Vec<f32>)>,
}

impl Assessing<'_> {
    /// Best score of `requirement` in `report`.
    pub(super) async fn best_score(
        &self,
        workspace: &str,
        report: &str,
        requirement: &Requirement,
    ) -> Result<f64> {
        let (hits, searched) = self.hits(workspace, report, requirement, DEPTH).await?;
        Ok(hits.iter().map(|hit| raw(hit, &searched)).fold(0.0, f64::max))
    }

    async fn hits(
        &self,
        workspace: &str,
        report: &str,
        requirement: &Requirement,
        depth: usize,
    ) -> Result<(Vec<Hit>, Searched)> {
        let request = SearchRequest {
            query: requirement.query.clone(),
            top_k: depth,
            listed: 0,
            filters: Filters {
                source_types: allowing(Permission::Evidence).map(|one| one.name.to_owned()).collect(),
                reports: vec![report.to_owned()],
                ..Filters::default()
            },
            ..self.library.search().usual().await?
        };
        let found = self.library.search().run(workspace, &request).await?;
        let chunks = found.trace.candidates_before;
        let searched = Searched::new(&found.trace.query, chunks, &crate::answer::named::Named::default());
        Ok((found.results, searched))
    }

    /// What the report `measured` has for `requirement`.
    pub(super) async fn propose(
        &self,
        (workspace, id): (&str, i64),
        measured: &Measured,
        requirement: &Requirement,
    ) -> Result<AssessmentProposal> {
        let leads = measured.indexes.leads(&requirement.id);
        let depth = if leads.is_empty() { DEPTH } else { LED };
        let (mut hits, searched) = self.hits(workspace, &measured.report, requirement, depth).await?;
        let led = hits.split_off(hits.len().min(DEPTH));
        // Further down only what stands where the index says.
        hits.extend(
            led.into_iter().filter(|hit| leads.iter().any(|lead| lead.may_hold(hit.document_id, hit.pages))),
        );
        let table = self.library.models().instant().await;
        let asked = vectors(table.as_ref(), vec![requirement.query.clone()], Purpose::Query).await?.pop();
        let mut found = Vec::new();
        let mut left = Vec::new();
        let held = hits.iter().take(DEPTH).map(|hit| searched.coverage(hit)).fold(0.0, f64::max);
        let likelihood = likelihood(&requirement.id, held);
        for (rank, hit) in hits.into_iter().enumerate() {
            let relevance = measured.relevance(raw(&hit, &searched));
            let Some(chunk) = self.library.store().chunk(id, &hit.chunk_id).await? else { continue };
            let passage = self.library.answer().passage(id, &chunk).await?;
            if rank >= DEPTH
                && !leads.iter().any(|lead| passage.spans.iter().any(|span| lead.holds(&passage, *span)))
            {
                continue;
            }
            let one = quoted(table.as_ref(), passage, relevance, asked.as_deref(), &leads).await?;
            match not_counted(&one.passage, &requirement.query) {
                Some(reason) => left.push((one, reason)),
                None => found.push(one),
            }
        }
        let nearer = |one: &Found| likelihood >= LIKELY && one.relevance >= NEARER;
        // An auditor's words count where nobody else says anything.
        if !found.iter().any(nearer) && left.iter().any(|(one, _)| nearer(one)) {
            found.extend(left.drain(..).map(|(one, _)| one));
        }
        let relevance = found.iter().map(|one| one.relevance).fold(0.0, f64::max);
        let (evidence, rest): (Vec<Found>, Vec<Found>) = found.into_iter().partition(nearer);
        let evidence = best(evidence);
        let figures = self.figures(id, &measured.report, requirement, table.as_ref()).await?;
        let items = items(table.as_ref(), requirement, &evidence).await?;
        let with = items.iter().filter(|item| !item.evidence.is_empty()).count();
        let state = match (evidence.is_empty() && figures.is_empty(), with == items.len()) {
            (true, _) => ProposalState::Nothing,
            (false, true) => ProposalState::Evidence,
            (false, false) => ProposalState::Partial,
        };
        let nearest: &[Found] = if evidence.is_empty() { &rest } else { &[] };
        Ok(AssessmentProposal {
            state,
            items,
            nearest: nearest.iter().take(MOST_NEAREST).filter_map(evidence_of).collect(),
            not_counted: left
                .iter()
                .filter(|(one, _)| nearer(one))
                .filter_map(|(one, reason)| Some(NotCounted { passage: evidence_of(one)?, reason: *reason }))
                .collect(),
            evidence: evidence.iter().filter_map(evidence_of).collect(),
            figures,
            relevance,
            held,
            likelihood,
            error_rate: Some(wrong(state)),
            made_at: crate::store::now(),
        })
    }

    /// Figures of `report` whose names say what the metric measures.
    async fn figures(
        &self,
        workspace: i64,
        report: &str,
        requirement: &Requirement,
        table: Option<&Arc<dyn Embedder>>,
    ) -> Result<Vec<FigureRow>> {
        if requirement.unit.is_none() || table.is_none() {
            return Ok(Vec::new());
        }
        let label = requirement.label.to_lowercase();
        let names = words(&label).into_iter().map(|word| word.text).filter(|word| !is_stop(word));
        let filter = FigureFilter {
            reports: vec![report.to_owned()],
            words: names.map(str::to_owned).collect(),
            any: true,
            limit: FIGURES,
            ..FigureFilter::default()
        };
        let (rows, _) = self.library.store().figures(workspace, filter).await?;
        let named = |row: &FigureRow| {
            let above = row.above.last().into_iter();
            above.chain(&row.label).chain([&row.column]).map(String::as_str).collect::<Vec<_>>().join(" ")
        };
        let mut texts = vec![requirement.label.clone()];
        texts.extend(rows.iter().map(named));
        let mut embedded = vectors(table, texts, Purpose::Passage).await?.into_iter();
        let Some(asked) = embedded.next() else { return Ok(Vec::new()) };
        let mut near: Vec<(f32, FigureRow)> =
            embedded.zip(rows).map(|(vector, row)| (product(&asked, &vector), row)).collect();
        near.retain(|(similarity, _)| *similarity >= MEASURES);
        near.sort_by(|a, b| b.0.total_cmp(&a.0).then(b.1.year.cmp(&a.1.year)));
        Ok(near.into_iter().take(MOST_FIGURES).map(|(_, row)| row).collect())
    }
}

async fn vectors(
    table: Option<&Arc<dyn Embedder>>,
    texts: Vec<String>,
    purpose: Purpose,
) -> Result<Vec<Vec<f32>>> {
    match table {
        Some(table) => Ok(table.embed(&texts, purpose).await?),
        None => Ok(Vec::new()),
    }
}

fn product(a: &[f32], b: &[f32]) -> f32 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// `passage` with its unit that is nearest to what is `asked`; the first one where no model compares them. Of units that are
/// about as near, one is taken that stands where one of `leads` says.
async fn quoted(
    table: Option<&Arc<dyn Embedder>>,
    passage: Passage,
    relevance: f64,
    asked: Option<&[f32]>,
    leads: &[Lead],
) -> Result<Found> {
    let units = passage.units();
    let texts = units.iter().map(|unit| unit.of(&passage).to_owned()).collect();
    let vectors = vectors(table, texts, Purpose::Passage).await?;
    let is_led = |at: &usize| {
        units.get(*at).is_some_and(|unit| leads.iter().any(|lead| lead.holds(&passage, unit.span)))
    };
    let near: Vec<f32> =
        asked.map(|asked| vectors.iter().map(|vector| product(asked, vector)).collect()).unwrap_or_default();
    let nearest = |among: &dyn Fn(&usize) -> bool| {
        let all = near.iter().copied().enumerate().filter(|(at, _)| among(at));
        all.reduce(|best, next| if next.1 > best.1 { next } else { best })
    };
    let first = nearest(&|_| true);
    let led = nearest(&is_led).filter(|(_, near)| first.is_none_or(|(_, best)| *near >= AS_GOOD * best));
    let at = led.or(first).map_or(0, |(at, _)| at);
    let (unit, led) = (units.get(at).copied(), is_led(&at));
    let units = units.into_iter().zip(vectors).collect();
    Ok(Found { passage, relevance, unit, led, units })
}

/// What is kept of `evidence`, in its order: what stands where the report's own index says before other passages.
fn best(evidence: Vec<Found>) -> Vec<Found> {
    let mut order: Vec<usize> = (0..evidence.len()).collect();
    order.sort_by_key(|at| !evidence[*at].led);
    order.truncate(MOST_EVIDENCE);
    let kept = evidence.into_iter().enumerate().filter(|(at, _)| order.contains(at));
    kept.map(|(_, one)| one).collect()
}

/// The checklist of `requirement`, with what of `evidence` says something of each item.
async fn items(
    table: Option<&Arc<dyn Embedder>>,
    requirement: &Requirement,
    evidence: &[Found],
) -> Result<Vec<ProposedItem>> {
    let texts: Vec<String> = requirement.items.iter().map(|(_, text)| text.clone()).collect();
    let vectors = vectors(table, texts, Purpose::Query).await?;
    let mut items: Vec<ProposedItem> = Vec::with_capacity(requirement.items.len());
    for (at, (id, text)) in requirement.items.iter().enumerate() {
        // The requirement itself is what the passages were found by.
        let says = |found: &&Found| match (requirement.items.len(), vectors.get(at)) {
            (1, _) | (_, None) => true,
            (_, Some(vector)) => found.units.iter().any(|(_, unit)| product(vector, unit) >= SAYS),
        };
        let evidence = evidence.iter().enumerate().filter(|(_, found)| says(found)).map(|(at, _)| at);
        items.push(ProposedItem { id: id.clone(), text: text.clone(), evidence: evidence.collect() });
    }
    Ok(items)
}

/// A passage as it is shown; `None` for one without words.
fn evidence_of(found: &Found) -> Option<EvidencePassage> {
    let Found { passage, relevance, unit, .. } = found;
    let source = &passage.source;
    let whole = unit.map(|unit| unit.span).or_else(|| passage.spans.first().copied())?;
    let span = Span::new(whole.start, whole.start + shortened(whole.of(&source.text)).len());
    let pin = pin(source, span);
    Some(EvidencePassage {
        document_id: source.id,
        chunk_id: passage.chunk_id.clone(),
        span: source.utf16(span),
        quote: pin.quote.clone(),
        section: passage.section_of(span),
        page: pin.page,
        page_label: pin.page_label.clone(),
        relevance: *relevance,
        pin,
    })
}

/// `text` up to its last word within [`LONGEST`] bytes.
fn shortened(text: &str) -> &str {
    if text.len() <= LONGEST {
        return text.trim_end();
    }
    let cut = text.floor_char_boundary(LONGEST);
    text[..cut].rsplit_once(char::is_whitespace).map_or(&text[..cut], |(head, _)| head)
}
