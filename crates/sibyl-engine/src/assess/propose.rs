//! A proposal: what a report has for a requirement, as far as it was found.
//!
//! Each sentence of the report is compared with how reports say what the requirement asks for
//! ([`super::phrases`]), and the search by meaning adds how near its passages come. The pages with the nearest
//! sentences are the evidence, if they speak for the reporting entity ([`super::counted`]). The report must be
//! likely to meet the requirement ([`super::likelihood`]), or hold a figure that it asks for
//! ([`super::quantity`]).

use super::counted::not_counted;
use super::indexes::Lead;
use super::likelihood::{is_likely, likelihood, missed, with_figure, without_figure};
use super::measured::{Measured, wanted_by};
use super::nearness::standardised;
use super::pin::pin;
use super::requirement::Requirement;
use crate::embed::Embedder;
use crate::error::Result;
use crate::library::Assessing;
use crate::search::{Filters, SearchRequest};
use crate::store::table::figure::FigureRow;
use crate::store::table::review::PinnedPassage;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sibyl_answer::{Passage, Source};
use sibyl_text::Span;
use sibyl_text::source_type::{Permission, allowing};
use std::collections::HashMap;
use std::sync::Arc;

pub use super::counted::ReasonNotCounted;
pub use crate::store::table::assessment::ProposalState;

/// Version of the rules for proposals; those made by other rules are out of date.
pub(super) const VERSION: u32 = 4;
/// Number of pages, or of sections in documents without pages, considered for an item.
const DEPTH: usize = 10;
/// Number of pages among which those named by the report's own index are considered, too.
const LED: usize = 60;
/// Share of the best sentence's nearness from which a sentence at a place in the report's index is quoted instead.
const AS_GOOD: f64 = 0.8;
/// Passages that the search by meaning is asked for.
const BY_MEANING: usize = 100;
/// Maximum number of passages of a proposal, besides the best one of each item.
const MOST_EVIDENCE: usize = 6;
/// Number of passages that are always given, and the share of the best score from which others are.
const GIVEN: usize = 3;
const AS_NEAR: f64 = 0.5;
/// Number of nearest passages shown if nothing was found.
const MOST_NEAREST: usize = 3;
/// Share of requirements that a report is not about whose best sentence is further off, from which a passage is evidence
/// before those below it.
const NEARER: f64 = 0.25;
/// Share of the closeness of the closest passage from which another one is evidence, too.
const AS_CLOSE: f64 = 0.5;
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
    /// Where the quote is in the document's text: first UTF-16 code unit and one past the last.
    pub span: (usize, usize),
    /// Its words.
    pub quote: String,
    /// Headings above it, from the outermost down.
    pub section: Vec<String>,
    /// Physical page.
    pub page: Option<u32>,
    /// Label printed on that page, if it differs from its number.
    pub page_label: Option<String>,
    /// Share of requirements that the report is not about whose best sentence is further off, 0 to 1.
    pub relevance: f64,
    /// The same, to be pinned.
    pub pin: PinnedPassage,
}

/// A passage that was found but does not count.
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
    /// What it proposes.
    pub state: ProposalState,
    /// The checklist.
    pub items: Vec<ProposedItem>,
    /// What meets it, best first.
    pub evidence: Vec<EvidencePassage>,
    /// Figures that it asks for.
    pub figures: Vec<FigureRow>,
    /// What was found but does not count.
    pub not_counted: Vec<NotCounted>,
    /// If nothing was found, the nearest passages. They are not used.
    pub nearest: Vec<EvidencePassage>,
    /// Relevance of the best passage, 0 to 1.
    pub relevance: f64,
    /// How near the best sentences come to how reports say it, by their words (BM25): 0 without any of them, about
    /// 1 with all.
    pub held: f64,
    /// How likely the report meets at least a part of the requirement, 0 to 1. It depends on how near its sentences
    /// come to the requirement and to the other items of its paragraph, and on the words that tell it from others. It
    /// also depends on how many reports read by hand meet it, and on whether a figure that it asks for was found.
    pub likelihood: f64,
    /// Share of proposals like it that are wrong, 0 to 1, by its likelihood; `None` if that is not known.
    pub error_rate: Option<f64>,
    /// The language of the report, by its English name, if requirements cannot be matched in it. That nothing was
    /// found then shows nothing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unmatched: Option<String>,
    /// When it was made (ISO 8601, UTC).
    pub made_at: String,
}

impl AssessmentProposal {
    /// Items of the checklist for which something was found; a figure that is asked for meets the first.
    pub(super) fn found(&self) -> usize {
        self.items.iter().enumerate().filter(|(at, item)| is_met(*at, item, &self.figures)).count()
    }
}

/// Whether something was found for the item in place `at` of a checklist.
fn is_met(at: usize, item: &ProposedItem, figures: &[FigureRow]) -> bool {
    !item.evidence.is_empty() || at == 0 && !figures.is_empty()
}

/// A passage with its score.
struct Found {
    passage: Passage,
    /// The sentence that is quoted.
    span: Span,
    relevance: f64,
    close: f64,
    score: f64,
    /// Whether it is at a place in the report's own index.
    led: bool,
    /// Places of the items that it was found for.
    items: Vec<usize>,
}

/// A page with the sentence to quote.
struct Page {
    sentence: usize,
    close: f64,
    score: f64,
    led: bool,
}

/// What was found for an item.
struct Looked {
    likelihood: f64,
    /// How near the report comes by words.
    words: f64,
    /// Its pages, the nearest first.
    pages: Vec<Page>,
}

impl Assessing<'_> {
    /// What the report `measured` has for `requirement`.
    pub(super) async fn propose(
        &self,
        (workspace, id): (&str, i64),
        measured: &Measured,
        requirement: &Requirement,
    ) -> Result<AssessmentProposal> {
        let leads = measured.indexes.leads(&requirement.id);
        let table = self.library.models().instant().await;
        let by_meaning = self.by_meaning(workspace, measured, requirement).await?;
        let figures = match &requirement.quantity {
            Some(quantity) => self.figures(id, &measured.report, quantity).await?,
            None => Vec::new(),
        };
        let mut looked = Vec::with_capacity(requirement.items.len());
        for (at, (item, _)) in requirement.items.iter().enumerate() {
            let asked = (item.as_str(), requirement.said[at].as_slice(), requirement.telling[at].as_slice());
            looked.push(look_for(table.as_ref(), measured, asked, &by_meaning, &leads).await?);
        }
        weigh_together(&mut looked, requirement, !figures.is_empty());
        let (mut found, mut left) = self.passages(id, measured, requirement, &looked).await?;
        let is_near = |one: &Found| one.items.iter().any(|item| is_likely(looked[*item].likelihood));
        // An auditor's words count if nobody else says anything.
        let says = |one: &Found| is_near(one) && one.relevance >= NEARER;
        if !found.iter().any(says) {
            let (auditors, others): (Vec<_>, Vec<_>) =
                left.into_iter().partition(|(_, reason)| *reason == ReasonNotCounted::Auditor);
            found.extend(auditors.into_iter().map(|(one, _)| one));
            left = others;
        }
        let likelihood = looked.iter().map(|one| one.likelihood).fold(0.0, f64::max);
        let relevance = found.iter().map(|one| one.relevance).fold(0.0, f64::max);
        let closest = found.iter().map(|one| one.close).fold(0.0, f64::max);
        let nearer = found.iter().any(says);
        let is_evidence = |one: &Found| {
            is_near(one) && one.close >= AS_CLOSE * closest && (one.relevance >= NEARER || !nearer)
        };
        let (evidence, rest): (Vec<Found>, Vec<Found>) = found.into_iter().partition(is_evidence);
        let evidence = best_of(evidence, &looked);
        let items = items(requirement, &looked, &evidence);
        let all = items.iter().enumerate().all(|(at, item)| is_met(at, item, &figures));
        let lacks_figure = figures.is_empty() && requirement.quantity.as_ref().is_some_and(|one| one.needed);
        let state = match (evidence.is_empty() && figures.is_empty(), all && !lacks_figure) {
            (true, _) => ProposalState::Nothing,
            (false, true) => ProposalState::Evidence,
            (false, false) => ProposalState::Partial,
        };
        let nearest: &[Found] = if state == ProposalState::Nothing { &rest } else { &[] };
        Ok(AssessmentProposal {
            state,
            items,
            nearest: nearest.iter().take(MOST_NEAREST).map(evidence_of).collect(),
            not_counted: left
                .iter()
                .filter(|(one, _)| says(one))
                .map(|(one, reason)| NotCounted { passage: evidence_of(one), reason: *reason })
                .collect(),
            evidence: evidence.iter().map(evidence_of).collect(),
            figures,
            relevance,
            held: looked.iter().map(|one| one.words).fold(0.0, f64::max),
            likelihood,
            error_rate: measured.unmatched.is_none().then_some(wrong(state, likelihood)),
            unmatched: measured.unmatched.map(str::to_owned),
            made_at: crate::store::now(),
        })
    }

    /// How near each page of the report `measured` comes to `requirement` in the search by meaning, in standard
    /// scores over the passages found (mean 0, deviation 1). Pages without any get the score of the last of them.
    async fn by_meaning(
        &self,
        workspace: &str,
        measured: &Measured,
        requirement: &Requirement,
    ) -> Result<ByMeaning> {
        let query = match requirement.said.as_slice() {
            [one] => one.join(" "),
            _ => requirement.query.clone(),
        };
        let request = SearchRequest {
            query,
            top_k: BY_MEANING,
            listed: 0,
            thesaurus: false,
            correct_spelling: false,
            counterparts: false,
            feedback: false,
            dedupe: false,
            rerank: false,
            filters: Filters {
                source_types: allowing(Permission::Evidence).map(|one| one.name.to_owned()).collect(),
                reports: vec![measured.report.clone()],
                ..Filters::default()
            },
            ..self.library.search().usual().await?
        };
        // If no model compares meanings, no page is near.
        let mut hits = self.library.search().run(workspace, &request).await?.results;
        hits.retain(|hit| hit.relevance.is_some());
        let near: Vec<f64> = hits.iter().filter_map(|hit| hit.relevance).collect();
        let near = standardised(&near);
        let mut pages: HashMap<usize, f64> = HashMap::new();
        for (hit, near) in hits.iter().zip(&near) {
            for sentence in measured.chunks.get(&hit.chunk_id).into_iter().flatten() {
                let best = pages.entry(measured.place_of(*sentence)).or_insert(f64::MIN);
                *best = near.max(*best);
            }
        }
        Ok(ByMeaning { least: near.iter().copied().reduce(f64::min).unwrap_or_default(), pages })
    }

    /// The passages on the pages `looked` up for each item of `requirement`: those that count and those that do
    /// not, each the nearest first.
    async fn passages(
        &self,
        workspace: i64,
        measured: &Measured,
        requirement: &Requirement,
        looked: &[Looked],
    ) -> Result<(Vec<Found>, Vec<(Found, ReasonNotCounted)>)> {
        let mut order: Vec<(usize, &Page)> = Vec::new();
        for (item, one) in looked.iter().enumerate() {
            order.extend(one.pages.iter().map(|page| (item, page)));
        }
        order.sort_by(|(_, a), (_, b)| b.score.total_cmp(&a.score));
        let (mut found, mut left): (Vec<Found>, Vec<(Found, ReasonNotCounted)>) = Default::default();
        for (item, page) in order {
            let (source, span) = &measured.stands[page.sentence];
            let known = found
                .iter_mut()
                .chain(left.iter_mut().map(|(one, _)| one))
                .find(|one| one.passage.source.id == source.id && one.span == *span);
            if let Some(known) = known {
                known.items.push(item);
                continue;
            }
            let Some(passage) = self.passage_over(workspace, source, *span).await? else { continue };
            let reason = not_counted(&passage, &requirement.query);
            let (relevance, close) = (measured.relevance(page.close), page.close);
            let (score, led) = (page.score, page.led);
            let one = Found { passage, span: *span, relevance, close, score, led, items: vec![item] };
            match reason {
                Some(reason) => left.push((one, reason)),
                None => found.push(one),
            }
        }
        Ok((found, left))
    }

    /// The passage around `span` of `source`.
    async fn passage_over(&self, workspace: i64, source: &Source, span: Span) -> Result<Option<Passage>> {
        let store = self.library.store();
        let Some(id) = store.chunk_over(source.id, span).await? else { return Ok(None) };
        match store.chunk(workspace, &id).await? {
            Some(chunk) => Ok(Some(self.library.answer().passage(workspace, &chunk).await?)),
            None => Ok(None),
        }
    }
}

/// How near pages come in the search by meaning.
struct ByMeaning {
    pages: HashMap<usize, f64>,
    /// The score of all other pages.
    least: f64,
}

/// The pages of the report `measured` that come nearest to the phrases of an item, and how likely the report meets it.
async fn look_for(
    table: Option<&Arc<dyn Embedder>>,
    measured: &Measured,
    (item, phrases, telling): (&str, &[String], &[(String, f64)]),
    by_meaning: &ByMeaning,
    leads: &[Lead],
) -> Result<Looked> {
    let scores = measured.scores(&wanted_by(table, phrases).await?);
    let evident = measured.evident(item, scores.near, telling);
    let likelihood = match measured.unmatched {
        // Words of another language come near to nothing, which says nothing.
        Some(_) => 0.0,
        None => likelihood(item, evident, &measured.counted, measured.ground),
    };
    tracing::debug!(report = measured.report, item, ?evident, likelihood, "an item was looked for");
    let mut pages: Vec<(f64, Vec<usize>)> = measured
        .places(&scores.score)
        .into_iter()
        .map(|(sum, sentences)| {
            let place = sentences.first().map(|at| measured.place_of(*at));
            let near = place.and_then(|place| by_meaning.pages.get(&place).copied());
            (sum + near.unwrap_or(by_meaning.least), sentences)
        })
        .collect();
    pages.sort_by(|a, b| b.0.total_cmp(&a.0));
    let is_led = |at: &usize| {
        let (source, span) = &measured.stands[*at];
        leads.iter().any(|lead| lead.holds(source.id, *span))
    };
    let chosen = pages.into_iter().take(LED).enumerate().filter_map(|(rank, (score, sentences))| {
        let best = *sentences.first()?;
        let enough = AS_GOOD * scores.close[best];
        let led = sentences.iter().copied().find(|at| is_led(at) && scores.close[*at] >= enough);
        let sentence = led.unwrap_or(best);
        let page = Page { sentence, close: scores.close[sentence], score, led: led.is_some() };
        (rank < DEPTH || page.led).then_some(page)
    });
    Ok(Looked { likelihood, words: scores.near.words, pages: chosen.collect() })
}

/// Weighs the items of `requirement` as one. What is to be said besides what a metric measures counts only where the
/// report is about that. A metric that is a number is met by a figure, not by words on its subject.
fn weigh_together(looked: &mut [Looked], requirement: &Requirement, has_figures: bool) {
    let Some((first, others)) = looked.split_first_mut() else { return };
    if has_figures {
        first.likelihood = with_figure(first.likelihood);
    }
    if requirement.is_metric() {
        others.iter_mut().for_each(|one| one.likelihood = one.likelihood.min(first.likelihood));
    }
    if requirement.unit.is_some() && !has_figures {
        looked.iter_mut().for_each(|one| one.likelihood = without_figure(one.likelihood));
    }
}

/// How likely a proposal of `state` is wrong if the report meets the requirement with this `likelihood`.
fn wrong(state: ProposalState, likelihood: f64) -> f64 {
    match state {
        ProposalState::Nothing => missed(likelihood),
        ProposalState::Evidence | ProposalState::Partial => 1.0 - likelihood,
    }
}

/// What is kept of `evidence`, which is in the order of its scores. That is the best for each item likely to be
/// met, and what comes nearly as near as the best of all. Places that the report's own index names come before
/// other passages.
fn best_of(evidence: Vec<Found>, looked: &[Looked]) -> Vec<Found> {
    let enough = evidence.first().map_or(0.0, |best| AS_NEAR * best.score);
    let is_first = |at: usize| {
        let new = |item: &usize| {
            is_likely(looked[*item].likelihood) && !evidence[..at].iter().any(|one| one.items.contains(item))
        };
        evidence[at].items.iter().any(new)
    };
    let near = |(at, one): &(usize, &Found)| *at < GIVEN || one.led || one.score >= enough || is_first(*at);
    let mut order: Vec<usize> = evidence.iter().enumerate().filter(near).map(|(at, _)| at).collect();
    order.sort_by_key(|at| (!is_first(*at), !evidence[*at].led));
    let firsts = order.iter().filter(|at| is_first(**at)).count();
    order.truncate(MOST_EVIDENCE.max(firsts));
    let kept = evidence.into_iter().enumerate().filter(|(at, _)| order.contains(at));
    kept.map(|(_, one)| one).collect()
}

/// The checklist of `requirement`, with the passages of `evidence` found for each item that is likely to be met.
fn items(requirement: &Requirement, looked: &[Looked], evidence: &[Found]) -> Vec<ProposedItem> {
    let each = requirement.items.iter().zip(looked).enumerate();
    each.map(|(at, ((id, text), one))| {
        let of_item = |found: &Found| is_likely(one.likelihood) && found.items.contains(&at);
        let places = evidence.iter().enumerate().filter(|(_, found)| of_item(found)).map(|(place, _)| place);
        ProposedItem { id: id.clone(), text: text.clone(), evidence: places.collect() }
    })
    .collect()
}

/// A passage as it is shown.
fn evidence_of(found: &Found) -> EvidencePassage {
    let Found { passage, relevance, span: whole, .. } = found;
    let source = &passage.source;
    let span = Span::new(whole.start, whole.start + shortened(whole.of(&source.text)).len());
    let pin = pin(source, span);
    EvidencePassage {
        document_id: source.id,
        chunk_id: passage.chunk_id.clone(),
        span: source.utf16(span),
        quote: pin.quote.clone(),
        section: passage.section_of(span),
        page: pin.page,
        page_label: pin.page_label.clone(),
        relevance: *relevance,
        pin,
    }
}

/// `text` up to its last word within [`LONGEST`] bytes.
fn shortened(text: &str) -> &str {
    if text.len() <= LONGEST {
        return text.trim_end();
    }
    let cut = text.floor_char_boundary(LONGEST);
    text[..cut].rsplit_once(char::is_whitespace).map_or(&text[..cut], |(head, _)| head)
}
