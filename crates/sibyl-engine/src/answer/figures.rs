//! Questions that figures answer.

use super::ask::Asking;
use super::shown::shown;
use super::{Answer, AnswerEvent, Reading, Refusal};
use crate::error::Result;
use crate::library::Answering;
use crate::store::table::figure::{FigureFilter, FigureRow};
use sibyl_answer::citation::Composer;
use sibyl_answer::figures::{Candidate, Chosen, Found, clause, find, told};
use sibyl_answer::question::Question;
use sibyl_answer::{AnswerSentence, Band, Check, DraftSentence, Passage};
use sibyl_text::figure::Origin;

/// Figures that are looked at for one question.
const LOOKED_AT: usize = 600;

/// Figures that answer, and what follows from them.
struct Told<'a> {
    rows: &'a [FigureRow],
    candidates: &'a [Candidate],
    chosen: &'a [Chosen],
    working: Option<String>,
}

impl Answering<'_> {
    /// Answers `question` from figures of `reports`, or of all documents where it is empty. Returns whether figures decided.
    pub(super) async fn figures_answer(
        &self,
        workspace: &str,
        asking: &Asking<'_>,
        question: &Question,
        reports: &[String],
        answer: &mut Answer,
    ) -> Result<bool> {
        let workspace = self.library.store().workspace(workspace).await?.id;
        let filter = FigureFilter {
            reports: reports.to_vec(),
            words: question.asked.iter().flat_map(|asked| asked.texts()).collect(),
            any: true,
            limit: LOOKED_AT,
            ..FigureFilter::default()
        };
        if filter.words.is_empty() {
            return Ok(false);
        }
        let (rows, _) = self.library.store().figures(workspace, filter).await?;
        let candidates: Vec<Candidate> = rows.iter().map(candidate).collect();
        match find(question, &candidates) {
            Found::Nothing => Ok(false),
            Found::Missing(why) => {
                answer.reply.refuse(Refusal::NotFound);
                answer.reply.remarks.push(why);
                Ok(true)
            }
            Found::Answer { chosen, working } => {
                let told = Told { rows: &rows, candidates: &candidates, chosen: &chosen, working };
                self.tell_figures(workspace, asking, question, told, answer).await?;
                Ok(true)
            }
        }
    }

    async fn tell_figures(
        &self,
        workspace: i64,
        asking: &Asking<'_>,
        question: &Question,
        Told { rows, candidates, chosen, working }: Told<'_>,
        answer: &mut Answer,
    ) -> Result<()> {
        let mut passages: Vec<Passage> = Vec::new();
        for one in chosen {
            let (number, row, head) = rows[one.index].places;
            let id = self.library.store().chunk_over(rows[one.index].document_id, number).await?;
            let chunk = match id {
                Some(id) => self.library.store().chunk(workspace, &id).await?,
                None => None,
            };
            let Some(chunk) = chunk else { continue };
            let passage = self.passage(workspace, &chunk).await?;
            let passage = Passage {
                number: answer.passages.len() + 1,
                spans: vec![row],
                heads: head.into_iter().collect(),
                relevance: one.coverage,
                ..passage
            };
            answer.passages.push(shown(&passage, None));
            passages.push(passage);
        }
        let value = chosen.iter().map(|one| one.coverage).fold(1.0, f64::min);
        let told_to = asking.told;
        told_to(AnswerEvent::Writing {
            generator: answer.reply.generator.clone(),
            model: None,
            reading: String::new(),
        });
        let mut composer = Composer::new(&passages, 1);
        let (mut sentences, mut citations) = (Vec::<AnswerSentence>::new(), Vec::new());
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
            // Number, names and unit are those of the record, which were read where it stands.
            (sentence.check, sentence.support) = (Check::Verified, 1.0);
            sentence.differences.clear();
            told_to(AnswerEvent::Sentence { reading: 0, sentence: sentence.clone(), citations: new.clone() });
            sentences.push(sentence);
            citations.extend(new);
        }
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
        answer.reply.rate(value);
        answer.grounds.relevance = chosen.iter().map(|one| one.coverage).collect();
        let reading =
            Reading { reading: String::new(), answer: None, confidence: value, band, sentences, citations };
        let used: Vec<usize> = passages.iter().map(|passage| passage.number).collect();
        super::ask::finish(vec![reading], None, &used, answer);
        Ok(())
    }
}

fn candidate(row: &FigureRow) -> Candidate {
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
        measure: row.measure.clone(),
        per: row.per,
        value: row.value,
        status: row.status,
        origin: row.origin,
        places: row.places,
    }
}
