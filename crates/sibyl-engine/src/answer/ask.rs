//! From a question to its answer.

use super::flow::{Asking, Checked, Frame, Grounded, Meant, Retrieved, Written};
use super::shown::shown;
use super::stopped::Witness;
use super::understood::Understood;
use super::{Answer, AnswerEvent, AnswerPassage, AskRequest, Reading, Refusal, Told, Usage};
use crate::error::{Error, Result};
use crate::library::Answering;
use crate::search::{Hit, Leg, NoticeCause, SearchRequest, SearchStage, StageTiming};
use parking_lot::Mutex;
use sibyl_answer::ambiguity;
use sibyl_answer::citation::Composer;
use sibyl_answer::confidence::confidence;
use sibyl_answer::draft::Piece;
use sibyl_answer::generate::{Models, Review, Spending, Task};
use sibyl_answer::question::Question;
use sibyl_answer::question::constraint::without;
use sibyl_answer::sufficiency::Sufficiency;
use sibyl_answer::{AnswerCitation, AnswerSentence, Band, Confidence, Fault, Passage};
use sibyl_text::tokens::{CharsPerToken, TokenCounter as _};
use std::ops::ControlFlow;
use std::time::Instant;

/// Maximum number of passages that may be asked for.
pub const MOST_PASSAGES: usize = 50;

/// Characters of the longest question: the chat model reads it whole, and the price is per word.
pub const LONGEST_QUESTION: usize = 10_000;

/// Share of the threshold from which passages are still searched for an answer.
const DOUBTFUL: f64 = 0.65;

/// Maximum number of companies that are answered for one by one.
const MOST_SIDES: usize = 4;

/// Number of passages, the most relevant first, whose relevance makes the confidence.
const RANKS_OF_CONFIDENCE: usize = 3;

impl Answering<'_> {
    /// Answers `request` for the workspace called `workspace`, reports events to `told`, and keeps both in the
    /// log.
    ///
    /// # Errors
    /// [`Error::Invalid`] for an empty selection, a generator that does not exist and numbers out of bounds; otherwise
    /// as [`Search::run`](crate::library::Search::run).
    pub async fn ask(&self, workspace: &str, request: &AskRequest, told: &Told<'_>) -> Result<Answer> {
        let began = Instant::now();
        // The log keeps the request as it was sent.
        let (sent, request) = (request, &request.put_together());
        let characters = request.question.chars().count();
        if characters > LONGEST_QUESTION {
            return Err(Error::Invalid(format!(
                "`question` has at most {LONGEST_QUESTION} characters, not {characters}; ask a shorter question, or \
                 search with the long one"
            )));
        }
        let settings = self.library.settings().await?;
        let generator =
            request.generator.clone().unwrap_or_else(|| settings.text("answer_generator").to_owned());
        let ready = self.ready(&generator, request.model.as_deref()).await?;
        if !(1..=MOST_PASSAGES).contains(&request.passages) {
            let (given, most) = (request.passages as f64, MOST_PASSAGES as f64);
            return Err(Error::OutOfRange { name: "passages", least: 1.0, most, given });
        }
        let threshold = request.threshold.unwrap_or(settings.integer("answer_threshold") as f64 / 100.0);
        Error::within("threshold", threshold, 0.0, 1.0)?;
        let sufficiency = Sufficiency { threshold, min_chunks: request.min_chunks };
        let frame = Frame::new(request, generator, &ready, threshold);
        let witness = Witness::new(self.library, workspace, sent, &frame.blank(), began);
        let told: &Told<'_> = &|event| witness.tell(event, told);
        let spent: &Spending<'_> = &|usage| witness.count(usage);
        let ready = &ready;
        let asking = Asking { workspace, request, frame: &frame, ready, sufficiency, told, spent, began };
        let ended = self.end_of(&asking).await;
        witness.dismiss();
        let (meant, checked) = ended?;
        let mut answer = frame.answer(meant, checked);
        answer.total_ms = began.elapsed().as_secs_f64() * 1e3;
        if request.record && !self.library.store().is_read_only() {
            answer.id = Some(self.keep(workspace, sent, &answer).await?);
        }
        Ok(answer)
    }

    /// What the question means, and how it ends.
    async fn end_of(&self, asking: &Asking<'_>) -> Result<(Meant, Checked)> {
        let Asking { request, frame, .. } = asking;
        let question = Question::read(&without(&request.question, &request.ignore)).ignoring(&request.ignore);
        let meant = Meant { understood: question.constraints(), ..Meant::default() };
        let (meant, mut checked) = if question.is_idle() {
            let nothing = Grounded::before(frame, Retrieved::default());
            (meant, nothing.refused(frame, Refusal::NoQuestion))
        } else if let Some(selection) = &request.selection {
            let passage = selection.passage().ok_or_else(|| {
                Error::Invalid("nothing is selected; select some text, or ask without a selection".to_owned())
            })?;
            (meant, self.answered(asking, question, Retrieved::selected(passage)).await)
        } else {
            self.searched(asking, question).await?
        };
        if let (Some(model), Some(usage)) = (&frame.model, &mut checked.usage) {
            self.reckon_cost(model, usage).await?;
        }
        Ok((meant, checked))
    }

    /// What `question` means, with what an earlier one lends it, and how it ends.
    async fn searched(&self, asking: &Asking<'_>, question: Question) -> Result<(Meant, Checked)> {
        let Asking { workspace, request, frame, told, .. } = *asking;
        let earlier = self.earlier(workspace, request).await?;
        let completed = match &earlier {
            Some(earlier) => {
                let lent = self.of_other_sides(workspace, request, earlier).await?;
                super::session::completed(&lent, &request.question)
            }
            None => None,
        };
        let searched_for = completed.clone().unwrap_or_else(|| request.question.trim().to_owned());
        let earlier = earlier.filter(|_| completed.is_some());
        let understood = self.understood(workspace, &searched_for, request).await?;
        let question = Question::read(&understood.text).of_kind(question.kind).ignoring(&request.ignore);
        let set: Vec<_> = understood.constraints().chain(question.constraints()).collect();
        let inherited = match &earlier {
            Some(_) => self.inherited(workspace, request, &set).await?,
            None => Vec::new(),
        };
        let meant = Meant { searched_for: completed, understood: set, inherited };
        told(AnswerEvent::Searching {
            searched_for,
            earlier,
            understood: meant.understood.clone(),
            inherited: meant.inherited.clone(),
        });
        let checked = if let Some(unknown) = &understood.unknown {
            let nothing = Grounded::before(frame, Retrieved::default());
            let mut refused = nothing.refused(frame, Refusal::NotFound);
            refused.reply.remarks.push(format!("No document here contains {unknown}."));
            refused
        } else if asking.ready.model.is_none() && (2..=MOST_SIDES).contains(&understood.named.sides.len()) {
            // A chat model compares by itself.
            self.each_side(asking, &question, &understood).await?
        } else {
            self.found_and_answered(asking, question, understood).await?
        };
        Ok((meant, checked))
    }

    /// Searches for what `understood` says, and answers from what is found: by figures, else in words.
    pub(super) async fn found_and_answered(
        &self,
        asking: &Asking<'_>,
        question: Question,
        understood: Understood,
    ) -> Result<Checked> {
        let filters = understood.filters.clone();
        let (question, mut found) = self.retrieved(asking, question, understood).await?;
        if !asking.ready.leaves && asking.ready.model.is_none() {
            found = match self.figures_answer(asking, &question, &filters, found).await? {
                ControlFlow::Break(checked) => return Ok(checked),
                ControlFlow::Continue(found) => found,
            };
        }
        Ok(self.answered(asking, question, found).await)
    }

    /// What the search finds, and `question` with what it turns out to be about.
    async fn retrieved(
        &self,
        asking: &Asking<'_>,
        question: Question,
        understood: Understood,
    ) -> Result<(Question, Retrieved)> {
        let Asking { workspace, request, .. } = *asking;
        let Understood { query, filters, named, .. } = understood;
        let question = question.compared_as(&query);
        let search =
            SearchRequest { query, top_k: request.passages, filters, listed: 0, ..SearchRequest::default() };
        let found = self.library.search().run(workspace, &search).await?;
        let query = &found.trace.query;
        // The companies asked about decided where it was searched.
        let mut asked = super::relevance::asked(query, &found.results, found.trace.candidates_before);
        asked.retain(|asked| !named.holds(&asked.word));
        let question = question.about(asked).with_names_but(|name| named.holds(name));
        let searched = super::relevance::Searched::new(query, found.trace.candidates_before, &named);
        let scores: Vec<f64> = if super::named::names_nothing(query, &found.results) {
            vec![0.0; found.results.len()]
        } else {
            found.results.iter().map(|hit| super::relevance::raw(hit, &searched)).collect()
        };
        let best = scores.iter().copied().fold(0.0, f64::max);
        let calibration = self.calibration(workspace).await?;
        let relevance: Vec<f64> = scores.iter().map(|score| super::relevance::relevance(*score)).collect();
        let passages = self.passages(workspace, &found.results, &relevance, request.max_tokens).await?;
        let with_hits = passages.iter().zip(&found.results);
        let foreign = found.trace.notices.iter().filter(|one| one.cause == NoticeCause::OtherLanguage);
        let retrieved = Retrieved {
            shown: with_hits
                .map(|(passage, hit)| AnswerPassage {
                    semantic_percentile: calibration.percentile_in(hit, &searched, Leg::Semantic),
                    keyword_percentile: calibration.percentile_in(hit, &searched, Leg::Keyword),
                    ..shown(passage, Some(hit))
                })
                .collect(),
            remarks: foreign.map(|notice| notice.message.clone()).collect(),
            passages,
            percentile: calibration.percentile(best),
            error_rate: calibration.error_rate(asking.sufficiency.threshold),
            chunks_searched: found.trace.candidates_after,
            config_hash: Some(asking.frame.hash_with(&found.trace.config_hash)),
            notices: found.trace.notices,
            timings: found.trace.timings,
            ..Retrieved::default()
        };
        let mut retrieved = super::standing::quotable(self.allowed(asking, retrieved).await?);
        let taken = retrieved.shown.iter().filter(|passage| passage.left_out.is_empty());
        retrieved.context_tokens = taken.map(|passage| passage.tokens).sum();
        (asking.told)(AnswerEvent::Retrieved {
            chunks_searched: retrieved.chunks_searched,
            milliseconds: asking.began.elapsed().as_secs_f64() * 1e3,
            context_tokens: retrieved.context_tokens,
            passages: retrieved.shown.clone(),
        });
        Ok((question, retrieved))
    }

    /// `found` without the passages of corpora that may not leave this machine, where the generator sends them away. It
    /// says what is left out.
    async fn allowed(&self, asking: &Asking<'_>, mut found: Retrieved) -> Result<Retrieved> {
        if !asking.ready.leaves {
            return Ok(found);
        }
        let workspace = self.library.store().workspace(asking.workspace).await?.id;
        let corpora = self.library.store().corpora(workspace).await?;
        let stays = |name: &str| !corpora.iter().any(|corpus| corpus.name == name && corpus.remote);
        let mut kept_back: Vec<String> = Vec::new();
        found.passages.retain(|passage| {
            let stays = stays(&passage.source.corpus);
            if stays && !kept_back.contains(&passage.source.corpus) {
                kept_back.push(passage.source.corpus.clone());
            }
            !stays
        });
        for passage in found.shown.iter_mut().filter(|passage| stays(&passage.corpus)) {
            passage.left_out = format!("the corpus `{}` may not be sent to a remote model", passage.corpus);
        }
        if !kept_back.is_empty() {
            found.remarks.push(format!(
                "Left out, because they may not be sent to a remote model: {}.",
                kept_back.join(", ")
            ));
        }
        Ok(found)
    }

    /// The passages of `hits`, numbered, as long as the budget lasts.
    async fn passages(
        &self,
        workspace: &str,
        hits: &[Hit],
        relevance: &[f64],
        max_tokens: usize,
    ) -> Result<Vec<Passage>> {
        let workspace = self.library.store().workspace(workspace).await?.id;
        let (mut passages, mut tokens) = (Vec::new(), 0);
        for (hit, &relevance) in hits.iter().zip(relevance) {
            let chunk = self.library.store().chunk(workspace, &hit.chunk_id).await?;
            let chunk = chunk.ok_or_else(|| Error::not_found("chunk", hit.chunk_id.as_str()))?;
            let mut passage = self.passage(workspace, &chunk).await?;
            passage.number = passages.len() + 1;
            passage.relevance = relevance;
            tokens += CharsPerToken.count(&passage.text());
            if tokens > max_tokens && !passages.is_empty() {
                break;
            }
            passages.push(passage);
        }
        Ok(passages)
    }

    /// Answers from the passages of `found` in words, where they suffice.
    async fn answered(&self, asking: &Asking<'_>, question: Question, found: Retrieved) -> Checked {
        let grounded = grounded(asking, found);
        let enough = asking.sufficiency.reached(&grounded.grounds.relevance);
        let least = Sufficiency { threshold: asking.sufficiency.threshold * DOUBTFUL, ..asking.sufficiency };
        // A generator that quotes the sources says itself how sure it is; a chat model does not.
        let doubtful = !enough && asking.ready.model.is_none() && least.reached(&grounded.grounds.relevance);
        if !enough && !doubtful {
            return grounded.refused(asking.frame, Refusal::NotFound);
        }
        let (passages, mut written) = self.written(asking, question, grounded, doubtful).await;
        if asking.request.second_reading {
            written = read_again(asking, &passages, written).await;
        }
        super::standing::with_drafts(written.checked(asking.frame), &passages)
    }

    /// Has every reading of `question` written from the passages of `on`, which are given beside what was written.
    async fn written(
        &self,
        asking: &Asking<'_>,
        question: Question,
        mut on: Grounded,
        doubtful: bool,
    ) -> (Vec<Passage>, Written) {
        let began = Instant::now();
        let models = Models::among(&self.library.models().embedders().await);
        let mut task = Task { question, passages: std::mem::take(&mut on.found.passages), doubtful, models };
        let mut plans = if asking.request.readings { ambiguity::readings(&task).await } else { Vec::new() };
        if plans.len() <= 1 {
            let passages = task.passages.iter().map(|passage| passage.number).collect();
            plans = vec![ambiguity::Plan { name: String::new(), passages }];
        }
        let all = std::mem::take(&mut task.passages);
        let (mut readings, mut fault, mut usage) = (Vec::<Reading>::new(), None, None);
        let (mut numbered, mut sure) = (0, Vec::<f64>::new());
        for plan in plans {
            task.passages = all.iter().filter(|one| plan.passages.contains(&one.number)).cloned().collect();
            let place = (readings.len(), numbered + 1);
            let one = write_one(asking, &task, place, &plan.name, usage).await;
            (fault, usage) = (one.fault, one.usage);
            let value = one.answers.unwrap_or_else(|| confidence_in(&relevance_of(&task.passages)));
            sure.extend(one.answers.filter(|_| !one.citations.is_empty()));
            numbered += one.citations.len();
            readings.push(Reading {
                reading: plan.name,
                answer: None,
                confidence: value,
                band: Band::of(value),
                sentences: one.sentences,
                citations: one.citations,
                figures: None,
            });
            if fault.is_some() {
                break;
            }
        }
        on.found.timings.push(StageTiming {
            stage: SearchStage::Write,
            start_ms: (began - asking.began).as_secs_f64() * 1e3,
            duration_ms: began.elapsed().as_secs_f64() * 1e3,
            items_in: all.len(),
            items_out: readings.iter().map(|reading| reading.sentences.len()).sum(),
        });
        let mut value = on.grounds.value;
        if !sure.is_empty() {
            value = sure.iter().sum::<f64>() / sure.len() as f64;
            on.grounds.caveat = Band::of(value).caveat().map(str::to_owned);
        }
        let used = all.iter().map(|passage| passage.number).collect();
        (all, Written { on, readings, fault, value, used, usage })
    }
}

/// What was `found`, and how sure an answer from it will be.
fn grounded(asking: &Asking<'_>, found: Retrieved) -> Grounded {
    let relevance = relevance_of(&found.passages);
    let Grounded { found, grounds } = Grounded::before(asking.frame, found);
    let value = confidence_in(&relevance);
    let band = Band::of(value);
    let caveat = band.caveat().map(str::to_owned);
    let grounds = Confidence { value, band, relevance, caveat, ..grounds };
    (asking.told)(AnswerEvent::Confident { confidence: grounds.clone() });
    Grounded { found, grounds }
}

fn relevance_of(passages: &[Passage]) -> Vec<f64> {
    passages.iter().map(|passage| passage.relevance).collect()
}

/// The confidence that passages make which are as relevant as this, the most relevant first.
fn confidence_in(relevance: &[f64]) -> f64 {
    confidence(&relevance[..relevance.len().min(RANKS_OF_CONFIDENCE)])
}

/// Has the chat model say whether every sentence that cites something follows from its passages. This adds to the
/// check and never replaces it.
async fn read_again(asking: &Asking<'_>, passages: &[Passage], mut written: Written) -> Written {
    let text_of = |number: usize| passages.iter().find(|one| one.number == number).map(Passage::text);
    let mut pairs = Vec::new();
    for reading in &written.readings {
        for sentence in reading.sentences.iter().filter(|sentence| !sentence.citations.is_empty()) {
            let cited = reading.citations.iter().filter(|citation| sentence.citations.contains(&citation.n));
            let texts: Vec<String> = cited.filter_map(|citation| text_of(citation.passage)).collect();
            pairs.push((sentence.text.clone(), texts.join("\n\n")));
        }
    }
    let before = written.usage.clone();
    let spent = |usage: &Usage| {
        if let Some(all) = Usage::of_both(before.clone(), Some(usage.clone())) {
            (asking.spent)(&all);
        }
    };
    let remarks = &mut written.on.found.remarks;
    let Some(reading) = asking.ready.generator.read_again(&pairs, &spent) else {
        remarks.push("A second reading needs the chat generator; there was none.".to_owned());
        return written;
    };
    let Review { verdicts, usage, fault } = reading.await;
    written.usage = Usage::of_both(written.usage.take(), usage);
    let sentences = written.readings.iter_mut().flat_map(|reading| &mut reading.sentences);
    for (sentence, verdict) in sentences.filter(|one| !one.citations.is_empty()).zip(verdicts) {
        sentence.second_reading = verdict;
    }
    remarks.extend(fault.map(|fault| format!("The second reading failed: {}.", fault.message)));
    written
}

/// One reading as it was written.
struct One {
    sentences: Vec<AnswerSentence>,
    citations: Vec<AnswerCitation>,
    /// How sure its writer is, where it says so.
    answers: Option<f64>,
    fault: Option<Fault>,
    /// What it took, with the readings before it.
    usage: Option<Usage>,
}

/// Has one reading written and checked, and reports each sentence as it comes. The readings before it took
/// `before`.
async fn write_one(
    asking: &Asking<'_>,
    task: &Task,
    (reading, first): (usize, usize),
    name: &str,
    before: Option<Usage>,
) -> One {
    (asking.told)(AnswerEvent::Writing {
        generator: asking.frame.generator.clone(),
        model: asking.frame.model.clone(),
        reading: name.to_owned(),
    });
    let composer = Composer::new(&task.passages, first);
    let written = Mutex::new((composer, Vec::new(), Vec::new()));
    let listener = |piece: &Piece| match piece {
        Piece::Delta(text) => (asking.told)(AnswerEvent::Delta { reading, text: text.clone() }),
        Piece::Sentence(draft) => {
            let mut written = written.lock();
            let (composer, sentences, citations) = &mut *written;
            let (sentence, new) = composer.add(draft);
            sentences.push(sentence.clone());
            citations.extend(new.clone());
            (asking.told)(AnswerEvent::Sentence { reading, sentence, citations: new });
        }
    };
    let draft = asking.ready.generator.write(task, &listener).await;
    let (_, sentences, citations) = written.into_inner();
    let usage = Usage::of_both(before, draft.usage);
    if let Some(usage) = &usage {
        (asking.spent)(usage);
    }
    One { sentences, citations, answers: draft.answers, fault: draft.fault, usage }
}
