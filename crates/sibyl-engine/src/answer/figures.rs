//! Questions that figures answer.

use super::flow::{Asking, Checked, Grounded, Retrieved, Written};
use super::shown::shown;
use super::{AnswerEvent, Confidence, Reading, Refusal};
use crate::error::Result;
use crate::library::Answering;
use crate::search::Filters;
use crate::store::table::figure::{FigureFilter, FigureRow};
use sibyl_answer::citation::Composer;
use sibyl_answer::figures::shown::{
    FigureAlso, FigureAnswer, FigureElsewhere, FigurePassedOver, FigureShown, FigureTable, table, with_a_hole,
};
use sibyl_answer::figures::{
    Beside, Candidate, Chosen, Found, Nearness, beside, clause, find, may_answer, told,
};
use sibyl_answer::generate::Models;
use sibyl_answer::question::Question;
use sibyl_answer::{AnswerSentence, Band, Check, DraftSentence, Passage};
use sibyl_text::Span;
use sibyl_text::figure::Origin;
use std::collections::{BTreeMap, HashSet};
use std::ops::ControlFlow;
use std::sync::Arc;

/// Number of figures with a word of the question that are considered.
const LOOKED_AT: usize = 600;
/// Number of figures considered of each document that the best passages are from.
const OF_A_DOCUMENT: usize = 2000;
/// Number of the best passages whose documents are considered whole.
const BEST: usize = 3;

/// Figures that answer, and what follows from them.
struct Told<'a> {
    rows: &'a [FigureRow],
    candidates: &'a [Candidate],
    chosen: &'a [Chosen],
    near: &'a Nearness,
    working: Option<String>,
}

impl Answering<'_> {
    /// Answers `question` from figures in the scope of `filters`. Gives back what was `found` where figures decide nothing.
    pub(super) async fn figures_answer(
        &self,
        asking: &Asking<'_>,
        question: &Question,
        filters: &Filters,
        mut found: Retrieved,
    ) -> Result<ControlFlow<Checked, Retrieved>> {
        if !may_answer(question) {
            return Ok(ControlFlow::Continue(found));
        }
        let workspace = self.library.store().workspace(asking.workspace).await?.id;
        let mut rows = self.figures_about(workspace, question, filters, &found).await?;
        let models = Models::among(&self.library.models().embedders().await);
        let table = models.table.as_deref();
        let mut candidates: Vec<Candidate> = rows.iter().map(candidate).collect();
        let mut near = Nearness::of(question, &candidates, table).await?;
        let mut figures = find(question, &candidates, &near);
        // Figures of withdrawn documents are skipped.
        while let Found::Answer { chosen, .. } = &figures {
            let chosen = chosen.iter().map(|one| &rows[one.index]);
            let places = chosen.map(|row| (row.document_id, row.places.0)).collect();
            let Some((former, why)) = self.not_quotable(workspace, places).await? else { break };
            found.remark_once(why);
            let kept: Vec<bool> = rows.iter().map(|row| row.document_id != former).collect();
            near.retain(&kept);
            rows.retain(|row| row.document_id != former);
            candidates.retain(|one| one.document != former);
            figures = find(question, &candidates, &near);
        }
        Ok(match figures {
            Found::Nothing => ControlFlow::Continue(found),
            Found::Missing { why, given, years } => {
                let mut refused =
                    Grounded::before(asking.frame, found).refused(asking.frame, Refusal::NotFound);
                refused.reply.remarks.push(why);
                let given: Vec<&Candidate> = given.iter().map(|at| &candidates[*at]).collect();
                refused.reply.figures = Some(FigureAnswer {
                    figures: Vec::new(),
                    tables: with_a_hole(&given, &years).into_iter().collect(),
                    working: None,
                    also: Vec::new(),
                    passed_over: over(&beside(question, &candidates, &near, &[]), &rows, &candidates),
                });
                ControlFlow::Break(refused)
            }
            Found::Answer { chosen, working } => {
                let told =
                    Told { rows: &rows, candidates: &candidates, chosen: &chosen, near: &near, working };
                let (found, passages) = self.found_with(workspace, found, &told).await?;
                ControlFlow::Break(written(asking, question, found, &passages, told).checked(asking.frame))
            }
        })
    }

    /// The figures in the scope of `filters` that may answer `question`. They are those with one of its words, and
    /// the first ones of the documents that the best passages of `found` are from: a table may use other words.
    async fn figures_about(
        &self,
        workspace: i64,
        question: &Question,
        filters: &Filters,
        found: &Retrieved,
    ) -> Result<Vec<FigureRow>> {
        let of_scopes = (!question.asks.scopes.is_empty()).then(|| "scope".to_owned());
        let words: Vec<String> =
            question.asked.iter().flat_map(|asked| asked.texts()).chain(of_scopes).collect();
        if words.is_empty() {
            return Ok(Vec::new());
        }
        let mut scope = FigureFilter { any: true, ..FigureFilter::default() };
        if *filters != Filters::default() {
            let within = self.library.search().retriever().scope(workspace, filters).await?;
            scope.chunks = Some(Arc::clone(&within.allowed));
        }
        let worded = FigureFilter { words, limit: LOOKED_AT, ..scope.clone() };
        let (mut rows, _) = self.library.store().figures(workspace, worded).await?;
        let mut documents: Vec<i64> =
            found.passages.iter().take(BEST).map(|passage| passage.source.id).collect();
        documents.sort_unstable();
        documents.dedup();
        for document in documents {
            let whole = FigureFilter { documents: vec![document], limit: OF_A_DOCUMENT, ..scope.clone() };
            rows.extend(self.library.store().figures(workspace, whole).await?.0);
        }
        let mut known = HashSet::new();
        rows.retain(|row| known.insert(row.id));
        Ok(rows)
    }

    /// A document of `places` that is not to be quoted, and why.
    async fn not_quotable(
        &self,
        workspace: i64,
        places: BTreeMap<i64, Span>,
    ) -> Result<Option<(i64, String)>> {
        for (id, place) in places {
            let Some(chunk) = self.library.store().chunk_over(id, place).await? else { continue };
            let Some(chunk) = self.library.store().chunk(workspace, &chunk).await? else { continue };
            let source = self.source(workspace, &chunk).await?;
            if let Some(why) = super::standing::why_not(&source) {
                return Ok(Some((id, why)));
            }
        }
        Ok(None)
    }

    /// What was `found`, with the passages in which the figures of `told` stand, which are given beside it.
    async fn found_with(
        &self,
        workspace: i64,
        mut found: Retrieved,
        Told { rows, chosen, .. }: &Told<'_>,
    ) -> Result<(Retrieved, Vec<Passage>)> {
        let mut passages: Vec<Passage> = Vec::new();
        for one in *chosen {
            let (number, row, head) = rows[one.index].places;
            let id = self.library.store().chunk_over(rows[one.index].document_id, number).await?;
            let chunk = match id {
                Some(id) => self.library.store().chunk(workspace, &id).await?,
                None => None,
            };
            let Some(chunk) = chunk else { continue };
            let passage = self.passage(workspace, &chunk).await?;
            let passage = Passage {
                number: found.shown.len() + 1,
                spans: vec![row],
                heads: head.into_iter().collect(),
                relevance: one.probability,
                ..passage
            };
            found.shown.push(shown(&passage, None));
            passages.push(passage);
        }
        Ok((found, passages))
    }
}

/// The figures of `told` in words, each with its place in `passages`.
fn written(
    asking: &Asking<'_>,
    question: &Question,
    found: Retrieved,
    passages: &[Passage],
    Told { rows, candidates, chosen, near, working }: Told<'_>,
) -> Written {
    let value = chosen.iter().map(|one| one.probability).fold(1.0, f64::min);
    let told_to = asking.told;
    told_to(AnswerEvent::Writing {
        generator: asking.frame.generator.clone(),
        model: None,
        reading: String::new(),
    });
    let mut composer = Composer::new(passages, 1);
    let (mut sentences, mut citations) = (Vec::<AnswerSentence>::new(), Vec::new());
    let mut figures: Vec<FigureShown> = Vec::new();
    for (passage, one) in passages.iter().zip(chosen) {
        let candidate = &candidates[one.index];
        let row = passage.spans[0];
        let text = match candidate.origin {
            Origin::Sentence => clause(question, &passage.source.text, row, candidate.places.0)
                .of(&passage.source.text)
                .to_owned(),
            _ => told(candidate),
        };
        let draft = DraftSentence {
            text,
            passages: vec![passage.number],
            misplaced: Vec::new(),
            quoted: Some((passage.number, row)),
        };
        let (mut sentence, new) = composer.add(&draft);
        // Number, names and unit are those of the record, which was read from this place.
        (sentence.check, sentence.support) = (Check::Verified, 1.0);
        sentence.differences.clear();
        told_to(AnswerEvent::Sentence { reading: 0, sentence: sentence.clone(), citations: new.clone() });
        figures.extend(sentence.citations.first().map(|citation| candidate.shown(*citation)));
        sentences.push(sentence);
        citations.extend(new);
    }
    let tables = tables(passages, chosen, candidates, &figures);
    let answers: Vec<usize> = chosen.iter().map(|one| one.index).collect();
    let beside = beside(question, candidates, near, &answers);
    let figures = FigureAnswer {
        figures,
        tables,
        working: working.clone(),
        also: stated_again(&beside, rows, candidates),
        passed_over: over(&beside, rows, candidates),
    };
    if let Some(working) = working {
        let cited = citations.iter().map(|citation| citation.n).collect();
        let sentence = AnswerSentence {
            text: working,
            citations: cited,
            check: Check::Supported,
            differences: Vec::new(),
            support: 1.0,
            second_reading: None,
        };
        told_to(AnswerEvent::Sentence { reading: 0, sentence: sentence.clone(), citations: Vec::new() });
        sentences.push(sentence);
    }
    let band = Band::of(value);
    let Grounded { found, grounds } = Grounded::before(asking.frame, found);
    let relevance = chosen.iter().map(|one| one.probability).collect();
    let reading = Reading {
        reading: String::new(),
        answer: None,
        confidence: value,
        band,
        sentences,
        citations,
        figures: Some(figures),
    };
    Written {
        on: Grounded { found, grounds: Confidence { relevance, ..grounds } },
        readings: vec![reading],
        fault: None,
        value,
        used: passages.iter().map(|passage| passage.number).collect(),
        usage: None,
    }
}

/// The tables of the `figures` that were `chosen`, each once.
fn tables(
    passages: &[Passage],
    chosen: &[Chosen],
    candidates: &[Candidate],
    figures: &[FigureShown],
) -> Vec<FigureTable> {
    let mut headed: Vec<(i64, Span)> = Vec::new();
    let mut found = Vec::new();
    for ((passage, one), figure) in passages.iter().zip(chosen).zip(figures) {
        let first = &candidates[one.index];
        let Some(head) = first.places.2 else { continue };
        if headed.contains(&(first.document, head)) {
            continue;
        }
        headed.push((first.document, head));
        let of_it = chosen.iter().map(|one| &candidates[one.index]);
        let of_it = of_it.filter(|one| one.document == first.document && one.places.2 == Some(head));
        let marked: Vec<(Span, Span)> = of_it.map(|one| (one.places.0, one.places.1)).collect();
        found.extend(table(&passage.source.text, &marked, head, figure.citation));
    }
    found
}

/// Other places that state the figure that answers.
fn stated_again(beside: &Beside, rows: &[FigureRow], candidates: &[Candidate]) -> Vec<FigureAlso> {
    let figure = |at: usize| elsewhere(&rows[at], &candidates[at]);
    beside.also.iter().map(|(at, how)| FigureAlso { figure: figure(*at), agreement: *how }).collect()
}

/// The figures that were considered but differ.
fn over(beside: &Beside, rows: &[FigureRow], candidates: &[Candidate]) -> Vec<FigurePassedOver> {
    let figure = |at: usize| elsewhere(&rows[at], &candidates[at]);
    let over = beside.passed_over.iter();
    over.map(|(at, other)| FigurePassedOver { figure: figure(*at), other: *other }).collect()
}

fn elsewhere(row: &FigureRow, candidate: &Candidate) -> FigureElsewhere {
    FigureElsewhere {
        document_id: row.document_id,
        title: row.document.clone(),
        page: row.page,
        span: row.span,
        name: candidate.name(),
        period: candidate.period(),
        printed: row.printed.clone(),
        unit: row.unit.clone(),
        origin: row.origin,
    }
}

pub(crate) fn candidate(row: &FigureRow) -> Candidate {
    Candidate {
        document: row.document_id,
        title: row.document.clone(),
        document_year: row.document_year.map(i64::from),
        label: row.label.clone(),
        column: row.column.clone(),
        above: row.above.clone(),
        year: row.year,
        part: row.part.clone(),
        printed: row.printed.clone(),
        unit: row.unit.clone(),
        measure: row.measure,
        per: row.per,
        value: row.value,
        normal: row.normal,
        status: row.status,
        origin: row.origin,
        places: row.places,
    }
}
