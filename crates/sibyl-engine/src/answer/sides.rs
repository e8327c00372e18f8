//! Questions about several companies: each is answered from its own reports.

use super::flow::{Asking, Checked, Grounded, Retrieved, Written};
use super::understood::Understood;
use super::{AnswerEvent, AskRequest, Confidence, Reading, Refusal};
use crate::error::Result;
use crate::library::Answering;
use sibyl_answer::figures::shown::FigureAnswer;
use sibyl_answer::question::Question;
use sibyl_answer::{AnswerCitation, AnswerSentence, Band};

/// How far the numbers of one part are raised because it follows others.
#[derive(Clone, Copy)]
struct Shift {
    citations: usize,
    passages: usize,
}

impl Answering<'_> {
    /// Answers `question` for each side of `understood` and puts the answers side by side.
    pub(super) async fn each_side(
        &self,
        asking: &Asking<'_>,
        question: &Question,
        understood: &Understood,
    ) -> Result<Checked> {
        let request = AskRequest { readings: false, ..asking.request.clone() };
        let question = question.clone().of_one_side();
        let (mut readings, mut used, mut missing) = (Vec::<Reading>::new(), Vec::new(), Vec::new());
        let (mut all, mut relevance) = (Retrieved::default(), Vec::new());
        let mut shift = Shift { citations: 0, passages: 0 };
        for (name, side) in understood.sides() {
            let at = readings.len();
            let told = |event| (asking.told)(shifted(event, at, name, shift));
            let of_side = asking.with(&request, &told);
            let part = self.found_and_answered(&of_side, question.clone(), side).await?;
            let Checked { on: Grounded { found, grounds }, reply, .. } = part;
            if reply.sentences.is_empty() {
                missing.push(name);
            } else {
                used.extend(found.shown.iter().filter(|one| one.used).map(|one| one.number + shift.passages));
                readings.push(Reading {
                    reading: name.to_owned(),
                    answer: None,
                    confidence: reply.confidence,
                    band: Band::of(reply.confidence),
                    sentences: reply.sentences.into_iter().map(|one| moved(one, shift)).collect(),
                    citations: reply.citations.into_iter().map(|one| cited(one, shift)).collect(),
                    figures: reply.figures.map(|figures| renumbered(figures, shift)),
                });
            }
            let behind = found.shown.len();
            all.shown.extend(found.shown.into_iter().map(|mut passage| {
                passage.number += shift.passages;
                passage
            }));
            shift.passages += behind;
            shift.citations = readings.iter().map(|reading| reading.citations.len()).sum();
            all.context_tokens += found.context_tokens;
            all.chunks_searched += found.chunks_searched;
            all.timings.extend(found.timings);
            all.notices.extend(found.notices);
            all.config_hash = found.config_hash;
            relevance.extend(grounds.relevance);
        }
        let least = readings.iter().map(|reading| reading.confidence).fold(1.0, f64::min);
        if !readings.is_empty() {
            all.remarks.extend(missing.into_iter().map(|name| format!("{name}: nothing was found.")));
        }
        let Grounded { found, grounds } = Grounded::before(asking.frame, all);
        let on = Grounded { found, grounds: Confidence { relevance, ..grounds } };
        if readings.is_empty() {
            return Ok(on.refused(asking.frame, Refusal::NotFound));
        }
        let written = Written { on, readings, fault: None, value: least, used, usage: None };
        Ok(written.checked(asking.frame))
    }
}

fn moved(mut sentence: AnswerSentence, shift: Shift) -> AnswerSentence {
    sentence.citations.iter_mut().for_each(|n| *n += shift.citations);
    sentence
}

fn renumbered(mut figures: FigureAnswer, shift: Shift) -> FigureAnswer {
    figures.figures.iter_mut().for_each(|figure| figure.citation += shift.citations);
    figures.tables.iter_mut().filter_map(|table| table.citation.as_mut()).for_each(|n| *n += shift.citations);
    figures
}

fn cited(mut citation: AnswerCitation, shift: Shift) -> AnswerCitation {
    citation.n += shift.citations;
    citation.passage += shift.passages;
    citation
}

/// `event` of the part that is the reading at `at`, called `name`.
fn shifted(event: AnswerEvent, at: usize, name: &str, shift: Shift) -> AnswerEvent {
    match event {
        AnswerEvent::Writing { generator, model, .. } => {
            AnswerEvent::Writing { generator, model, reading: name.to_owned() }
        }
        AnswerEvent::Delta { text, .. } => AnswerEvent::Delta { reading: at, text },
        AnswerEvent::Sentence { sentence, citations, .. } => AnswerEvent::Sentence {
            reading: at,
            sentence: moved(sentence, shift),
            citations: citations.into_iter().map(|one| cited(one, shift)).collect(),
        },
        other => other,
    }
}
