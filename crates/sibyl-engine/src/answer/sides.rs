//! Questions about several companies: each is answered from its own reports.

use super::ask::{Asking, finish};
use super::understood::Understood;
use super::{Answer, AnswerEvent, AskRequest, Reading, Refusal};
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
        workspace: &str,
        asking: &Asking<'_>,
        question: &Question,
        understood: &Understood,
        answer: &mut Answer,
    ) -> Result<()> {
        let request = AskRequest { readings: false, ..asking.request.clone() };
        let question = question.clone().of_one_side();
        let (mut readings, mut used, mut missing) = (Vec::<Reading>::new(), Vec::new(), Vec::new());
        let mut shift = Shift { citations: 0, passages: 0 };
        let blank = answer.clone();
        for (name, side) in understood.sides() {
            let at = readings.len();
            let told = |event| (asking.told)(shifted(event, at, name, shift));
            let part_asking = asking.with(&request, &told);
            let mut part = blank.clone();
            self.find_and_write(workspace, &part_asking, question.clone(), side, &mut part).await?;
            let (sentences, citations, figures) =
                (part.reply.sentences, part.reply.citations, part.reply.figures);
            if sentences.is_empty() {
                missing.push(name);
            } else {
                used.extend(
                    part.passages.iter().filter(|one| one.used).map(|one| one.number + shift.passages),
                );
                readings.push(Reading {
                    reading: name.to_owned(),
                    answer: None,
                    confidence: part.reply.confidence,
                    band: Band::of(part.reply.confidence),
                    sentences: sentences.into_iter().map(|one| moved(one, shift)).collect(),
                    citations: citations.into_iter().map(|one| cited(one, shift)).collect(),
                    figures: figures.map(|figures| renumbered(figures, shift)),
                });
            }
            let behind = part.passages.len();
            answer.passages.extend(part.passages.into_iter().map(|mut passage| {
                passage.number += shift.passages;
                passage
            }));
            shift.passages += behind;
            shift.citations = readings.iter().map(|reading| reading.citations.len()).sum();
            answer.context_tokens += part.context_tokens;
            answer.chunks_searched += part.chunks_searched;
            answer.timings.extend(part.timings);
            answer.notices.extend(part.notices.into_iter().filter(|one| !blank.notices.contains(one)));
            answer.grounds.relevance.extend(part.grounds.relevance);
            answer.config_hash = part.config_hash;
        }
        if readings.is_empty() {
            answer.reply.refuse(Refusal::NotFound);
            return Ok(());
        }
        let least = readings.iter().map(|reading| reading.confidence).fold(1.0, f64::min);
        answer.reply.rate(least);
        answer.reply.remarks.extend(missing.into_iter().map(|name| format!("{name}: nothing was found.")));
        finish(readings, None, &used, answer);
        Ok(())
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
