//! From a question to its answer.

use super::generators::Ready;
use super::shown::shown;
use super::stopped::Witness;
use super::understood::Understood;
use super::{Answer, AnswerEvent, AskRequest, Reading, Refusal, Reply, Told, Usage};
use crate::error::{Error, Result};
use crate::library::Answering;
use crate::search::{Hit, Leg, SearchRequest, StageTiming};
use crate::store::short_hash;
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
use std::sync::{Mutex, PoisonError};
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

/// One question on its way to its answer.
#[derive(Clone, Copy)]
pub(super) struct Asking<'a> {
    pub(super) request: &'a AskRequest,
    pub(super) ready: &'a Ready,
    sufficiency: Sufficiency,
    pub(super) told: &'a Told<'a>,
    /// Receives what a chat model has used so far.
    spent: &'a Spending<'a>,
    began: Instant,
}

impl<'a> Asking<'a> {
    /// The same, with `request` and the listener `told`.
    pub(super) const fn with(&self, request: &'a AskRequest, told: &'a Told<'a>) -> Self {
        Self { request, told, ..*self }
    }
}

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
        let mut answer = blank(request, &generator, threshold);
        (answer.reply.model, answer.prompt_version) = (ready.model.clone(), ready.prompt_version.clone());
        let witness = Witness::new(self.library, workspace, sent, &answer, began);
        let told: &Told<'_> = &|event| witness.tell(event, told);
        let spent: &Spending<'_> = &|usage| witness.count(usage);
        let asking = Asking { request, ready: &ready, sufficiency, told, spent, began };
        let answered = self.answer_to(workspace, &asking, &mut answer).await;
        witness.dismiss();
        answered?;
        answer.total_ms = began.elapsed().as_secs_f64() * 1e3;
        if request.record && !self.library.store().is_read_only() {
            answer.id = Some(self.keep(workspace, sent, &answer).await?);
        }
        Ok(answer)
    }

    async fn answer_to(&self, workspace: &str, asking: &Asking<'_>, answer: &mut Answer) -> Result<()> {
        let request = asking.request;
        let question = Question::read(&without(&request.question, &request.ignore)).ignoring(&request.ignore);
        answer.reply.understood = question.constraints();
        if question.is_idle() {
            answer.reply.refuse(Refusal::NoQuestion);
        } else if let Some(selection) = &request.selection {
            let passage = selection.passage().ok_or_else(|| {
                Error::Invalid("nothing is selected; select some text, or ask without a selection".to_owned())
            })?;
            answer.from_selection = true;
            answer.passages = vec![shown(&passage, None)];
            let passages = vec![passage];
            self.write(asking, question, passages, answer).await?;
        } else {
            self.retrieve_and_write(workspace, asking, question, answer).await?;
        }
        if let (Some(model), Some(usage)) = (&answer.reply.model, &mut answer.usage) {
            self.reckon_cost(model, usage).await?;
        }
        Ok(())
    }

    async fn retrieve_and_write(
        &self,
        workspace: &str,
        asking: &Asking<'_>,
        question: Question,
        answer: &mut Answer,
    ) -> Result<()> {
        let Asking { request, told, .. } = asking;
        let earlier = self.earlier(workspace, request).await?;
        let completed =
            earlier.as_deref().and_then(|earlier| super::session::completed(earlier, &request.question));
        let searched_for = completed.clone().unwrap_or_else(|| request.question.trim().to_owned());
        let earlier = earlier.filter(|_| completed.is_some());
        answer.searched_for = completed;
        let understood = self.understood(workspace, &searched_for, request).await?;
        let question = Question::read(&understood.text).of_kind(question.kind).ignoring(&request.ignore);
        answer.reply.understood = understood.constraints().chain(question.constraints()).collect();
        if earlier.is_some() {
            answer.reply.inherited = self.inherited(workspace, request, &answer.reply.understood).await?;
        }
        let Reply { understood: set, inherited, .. } = &answer.reply;
        told(AnswerEvent::Searching {
            searched_for,
            earlier,
            understood: set.clone(),
            inherited: inherited.clone(),
        });
        if let Some(unknown) = understood.unknown {
            answer.reply.refuse(Refusal::NotFound);
            answer.reply.remarks.push(format!("{unknown} is in no document here."));
            return Ok(());
        }
        // A chat model compares by itself.
        if asking.ready.model.is_none() && (2..=MOST_SIDES).contains(&understood.named.sides.len()) {
            return self.each_side(workspace, asking, &question, &understood, answer).await;
        }
        self.find_and_write(workspace, asking, question, understood, answer).await
    }

    /// Searches for what `understood` says and has the answer written.
    pub(super) async fn find_and_write(
        &self,
        workspace: &str,
        asking: &Asking<'_>,
        question: Question,
        understood: Understood,
        answer: &mut Answer,
    ) -> Result<()> {
        let Asking { request, told, sufficiency, began, .. } = asking;
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
        answer.grounds.percentile = calibration.percentile(best);
        answer.grounds.error_rate = calibration.error_rate(sufficiency.threshold);
        let relevance: Vec<f64> = scores.iter().map(|score| super::relevance::relevance(*score)).collect();
        answer.timings = found.trace.timings;
        answer.chunks_searched = found.trace.candidates_after;
        answer.notices = found.trace.notices;
        answer.tell_language();
        answer.config_hash = short_hash(&[&answer.config_hash, &found.trace.config_hash]);
        let passages = self.passages(workspace, &found.results, &relevance, request.max_tokens).await?;
        answer.passages =
            passages.iter().zip(&found.results).map(|(passage, hit)| shown(passage, Some(hit))).collect();
        for (passage, hit) in answer.passages.iter_mut().zip(&found.results) {
            passage.semantic_percentile = calibration.percentile_in(hit, &searched, Leg::Semantic);
            passage.keyword_percentile = calibration.percentile_in(hit, &searched, Leg::Keyword);
        }
        let passages = self.allowed(workspace, asking, passages, answer).await?;
        let passages = super::standing::quotable(passages, answer);
        let taken = answer.passages.iter().filter(|passage| passage.left_out.is_empty());
        answer.context_tokens = taken.map(|passage| passage.tokens).sum();
        told(AnswerEvent::Retrieved {
            chunks_searched: answer.chunks_searched,
            milliseconds: began.elapsed().as_secs_f64() * 1e3,
            context_tokens: answer.context_tokens,
            passages: answer.passages.clone(),
        });
        if !asking.ready.leaves
            && asking.ready.model.is_none()
            && self.figures_answer(workspace, asking, &question, &search.filters.reports, answer).await?
        {
            return Ok(());
        }
        self.write(asking, question, passages, answer).await
    }

    /// `passages` without those of corpora that may not leave this machine, if the generator sends them away.
    /// `answer` says what is left out.
    async fn allowed(
        &self,
        workspace: &str,
        asking: &Asking<'_>,
        mut passages: Vec<Passage>,
        answer: &mut Answer,
    ) -> Result<Vec<Passage>> {
        if !asking.ready.leaves {
            return Ok(passages);
        }
        let workspace = self.library.store().workspace(workspace).await?.id;
        let corpora = self.library.store().corpora(workspace).await?;
        let stays = |name: &str| !corpora.iter().any(|corpus| corpus.name == name && corpus.remote);
        let mut kept_back: Vec<String> = Vec::new();
        passages.retain(|passage| {
            let stays = stays(&passage.source.corpus);
            if stays && !kept_back.contains(&passage.source.corpus) {
                kept_back.push(passage.source.corpus.clone());
            }
            !stays
        });
        for passage in answer.passages.iter_mut().filter(|passage| stays(&passage.corpus)) {
            passage.left_out = format!("the corpus `{}` may not be sent to a remote model", passage.corpus);
        }
        if !kept_back.is_empty() {
            answer.reply.remarks.push(format!(
                "Left out, because they may not be sent to a remote model: {}.",
                kept_back.join(", ")
            ));
        }
        Ok(passages)
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

    /// Decides whether `passages` suffice and has the answer written from them.
    async fn write(
        &self,
        asking: &Asking<'_>,
        question: Question,
        passages: Vec<Passage>,
        answer: &mut Answer,
    ) -> Result<()> {
        let relevance: Vec<f64> = passages.iter().map(|passage| passage.relevance).collect();
        let value = confidence(&relevance[..relevance.len().min(RANKS_OF_CONFIDENCE)]);
        let band = Band::of(value);
        let caveat = band.caveat().map(str::to_owned);
        answer.grounds = Confidence { value, band, relevance, caveat, ..answer.grounds.clone() };
        answer.reply.rate(value);
        (asking.told)(AnswerEvent::Confident { confidence: answer.grounds.clone() });
        let enough = asking.sufficiency.reached(&answer.grounds.relevance);
        let least = Sufficiency { threshold: asking.sufficiency.threshold * DOUBTFUL, ..asking.sufficiency };
        // A generator that quotes the sources says itself how sure it is; a chat model does not.
        let doubtful = !enough && asking.ready.model.is_none() && least.reached(&answer.grounds.relevance);
        if !enough && !doubtful {
            answer.reply.refuse(Refusal::NotFound);
            return Ok(());
        }
        let began = Instant::now();
        let models = Models::among(&self.library.models().embedders().await);
        let mut task = Task { question, passages, doubtful, models };
        let mut plans = if asking.request.readings { ambiguity::readings(&task).await } else { Vec::new() };
        let several = plans.len() > 1;
        if !several {
            let passages = task.passages.iter().map(|passage| passage.number).collect();
            plans = vec![ambiguity::Plan { name: String::new(), passages }];
        }
        let all = std::mem::take(&mut task.passages);
        let (mut readings, mut numbered, mut fault) = (Vec::<Reading>::new(), 0, None);
        let mut sure: Vec<f64> = Vec::new();
        for plan in plans {
            task.passages = all.iter().filter(|one| plan.passages.contains(&one.number)).cloned().collect();
            let relevance: Vec<f64> = task.passages.iter().map(|passage| passage.relevance).collect();
            let value = confidence(&relevance[..relevance.len().min(RANKS_OF_CONFIDENCE)]);
            let place = (readings.len(), numbered + 1);
            let (sentences, citations, answers);
            (sentences, citations, answers, fault) =
                write_one(asking, &task, place, &plan.name, answer).await;
            let value = answers.unwrap_or(value);
            sure.extend(answers.filter(|_| !citations.is_empty()));
            numbered += citations.len();
            let (reading, band) = (plan.name, Band::of(value));
            readings.push(Reading {
                reading,
                answer: None,
                confidence: value,
                band,
                sentences,
                citations,
                figures: None,
            });
            if fault.is_some() {
                break;
            }
        }
        answer.timings.push(StageTiming {
            stage: "write".to_owned(),
            start_ms: (began - asking.began).as_secs_f64() * 1e3,
            duration_ms: began.elapsed().as_secs_f64() * 1e3,
            items_in: all.len(),
            items_out: readings.iter().map(|reading| reading.sentences.len()).sum(),
        });
        if asking.request.second_reading {
            read_again(asking, &all, &mut readings, answer).await;
        }
        if !sure.is_empty() {
            let value = sure.iter().sum::<f64>() / sure.len() as f64;
            answer.reply.rate(value);
            answer.grounds.caveat = Band::of(value).caveat().map(str::to_owned);
        }
        let used: Vec<usize> = all.iter().map(|passage| passage.number).collect();
        finish(readings, fault, &used, answer);
        super::standing::tell_drafts(&all, answer);
        Ok(())
    }
}

/// Has the chat model say whether every sentence that cites something follows from its passages. This adds to the
/// check and never replaces it.
async fn read_again(
    asking: &Asking<'_>,
    passages: &[Passage],
    readings: &mut [Reading],
    answer: &mut Answer,
) {
    let text_of = |number: usize| passages.iter().find(|one| one.number == number).map(Passage::text);
    let mut pairs = Vec::new();
    for reading in readings.iter() {
        for sentence in reading.sentences.iter().filter(|sentence| !sentence.citations.is_empty()) {
            let cited = reading.citations.iter().filter(|citation| sentence.citations.contains(&citation.n));
            let texts: Vec<String> = cited.filter_map(|citation| text_of(citation.passage)).collect();
            pairs.push((sentence.text.clone(), texts.join("\n\n")));
        }
    }
    let written = answer.usage.clone();
    let spent = |usage: &Usage| {
        if let Some(all) = Usage::of_both(written.clone(), Some(usage.clone())) {
            (asking.spent)(&all);
        }
    };
    let Some(reading) = asking.ready.generator.read_again(&pairs, &spent) else {
        answer.reply.remarks.push("A second reading needs the chat generator; there was none.".to_owned());
        return;
    };
    let Review { verdicts, usage, fault } = reading.await;
    answer.usage = Usage::of_both(answer.usage.take(), usage);
    let sentences = readings.iter_mut().flat_map(|reading| &mut reading.sentences);
    for (sentence, verdict) in sentences.filter(|one| !one.citations.is_empty()).zip(verdicts) {
        sentence.second_reading = verdict;
    }
    if let Some(fault) = fault {
        answer.reply.remarks.push(format!("The second reading failed: {}.", fault.message));
    }
}

/// Puts the readings together, up to the point where `fault` stopped them from being written from `used`.
pub(super) fn finish(readings: Vec<Reading>, fault: Option<Fault>, used: &[usize], answer: &mut Answer) {
    let supported = answer.reply.write(readings, fault);
    if answer.reply.answer.is_none() {
        return;
    }
    let grounds = &mut answer.grounds;
    (grounds.supported, grounds.value, grounds.band) =
        (supported, answer.reply.confidence, answer.reply.band);
    for passage in answer.passages.iter_mut().filter(|passage| used.contains(&passage.number)) {
        passage.used = true;
        passage.cited = answer.reply.citations.iter().any(|citation| citation.passage == passage.number);
    }
    answer.reply.remarks.extend(answer.grounds.caveat.clone());
}

/// Has one reading written and checked, and reports each sentence as it comes.
async fn write_one(
    asking: &Asking<'_>,
    task: &Task,
    (reading, first): (usize, usize),
    name: &str,
    answer: &mut Answer,
) -> (Vec<AnswerSentence>, Vec<AnswerCitation>, Option<f64>, Option<Fault>) {
    (asking.told)(AnswerEvent::Writing {
        generator: answer.reply.generator.clone(),
        model: answer.reply.model.clone(),
        reading: name.to_owned(),
    });
    let composer = Composer::new(&task.passages, first);
    let written = Mutex::new((composer, Vec::new(), Vec::new()));
    let listener = |piece: &Piece| match piece {
        Piece::Delta(text) => (asking.told)(AnswerEvent::Delta { reading, text: text.clone() }),
        Piece::Sentence(draft) => {
            let mut written = written.lock().unwrap_or_else(PoisonError::into_inner);
            let (composer, sentences, citations) = &mut *written;
            let (sentence, new) = composer.add(draft);
            sentences.push(sentence.clone());
            citations.extend(new.clone());
            (asking.told)(AnswerEvent::Sentence { reading, sentence, citations: new });
        }
    };
    let draft = asking.ready.generator.write(task, &listener).await;
    let (_, sentences, citations) = written.into_inner().unwrap_or_else(PoisonError::into_inner);
    answer.usage = Usage::of_both(answer.usage.take(), draft.usage);
    if let Some(usage) = &answer.usage {
        (asking.spent)(usage);
    }
    (sentences, citations, draft.answers, draft.fault)
}

fn blank(request: &AskRequest, generator: &str, threshold: f64) -> Answer {
    // The question, and who asks it, do not decide how it is answered. A replay of the same question has the same
    // settings.
    let settings = AskRequest {
        question: String::new(),
        session: String::new(),
        selection: None,
        generator: None,
        follow_up: false,
        earlier: None,
        record: true,
        ..request.clone()
    };
    let settings = serde_json::to_string(&settings).unwrap_or_default();
    Answer {
        id: None,
        question: request.question.trim().to_owned(),
        searched_for: None,
        reply: Reply::new(generator),
        grounds: Confidence {
            value: 0.0,
            band: Band::VeryLow,
            relevance: Vec::new(),
            supported: 1.0,
            percentile: 0.0,
            threshold,
            error_rate: 0.0,
            caveat: None,
        },
        prompt_version: None,
        source_changed: false,
        passages: Vec::new(),
        context_tokens: 0,
        chunks_searched: 0,
        notices: Vec::new(),
        timings: Vec::new(),
        total_ms: 0.0,
        usage: None,
        from_selection: false,
        config_hash: short_hash(&[generator, &settings]),
    }
}
