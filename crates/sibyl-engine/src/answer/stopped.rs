//! Answers that were given up midway: what had arrived is kept in the log and marked as incomplete.

use super::shown::shown;
use super::{Answer, AnswerEvent, AskRequest, Fault, Reading, Selection, Told, Usage};
use crate::library::{Answering, Library};
use parking_lot::Mutex;
use sibyl_answer::citation::SentenceStream;
use sibyl_answer::{AnswerSentence, Check};
use sibyl_text::tokens::CHARS_PER_TOKEN;
use std::time::Instant;
use tokio::runtime::Handle;

/// Code of the fault of an answer that was given up.
pub(super) const STOPPED: &str = "cancelled";

/// What has been reported of an answer so far.
struct Heard {
    answer: Answer,
    readings: Vec<Reading>,
    /// Words of the sentence that is being written.
    writing: SentenceStream,
    /// Sentences that were followed by others as they were written.
    drafted: usize,
    /// Sentences that were reported with their check.
    told: usize,
    /// What the chat model used for its finished work, and for the second reading as far as it got.
    spent: Option<Usage>,
    /// Characters that it wrote since.
    characters: usize,
}

/// Listens to an answer on its way, and keeps what there is if it is dropped before its end.
pub(super) struct Witness {
    library: Library,
    workspace: String,
    request: AskRequest,
    began: Instant,
    runtime: Handle,
    /// `None` once the answer is complete, or if nothing is to be kept.
    heard: Mutex<Option<Heard>>,
}

impl Witness {
    /// A witness of the answer to `request`, which is `blank` yet. Must be called inside a tokio runtime.
    pub fn new(
        library: &Library,
        workspace: &str,
        request: &AskRequest,
        blank: &Answer,
        began: Instant,
    ) -> Self {
        let heard = request.record.then(|| {
            let mut answer = blank.clone();
            // For selected text nothing is searched, so no event reports its passage.
            if let Some(passage) = request.selection.as_ref().and_then(Selection::passage) {
                answer.from_selection = true;
                answer.passages = vec![shown(&passage, None)];
            }
            let writing = SentenceStream::new(0);
            Heard { answer, readings: Vec::new(), writing, drafted: 0, told: 0, spent: None, characters: 0 }
        });
        Self {
            library: library.clone(),
            workspace: workspace.to_owned(),
            request: request.clone(),
            began,
            runtime: Handle::current(),
            heard: Mutex::new(heard),
        }
    }

    /// Records `event` and passes it on to `told`.
    pub fn tell(&self, event: AnswerEvent, told: &Told<'_>) {
        if let Some(heard) = self.heard.lock().as_mut() {
            heard.hear(&event);
        }
        told(event);
    }

    /// Records what the chat model has used so far.
    pub fn count(&self, usage: &Usage) {
        if let Some(heard) = self.heard.lock().as_mut() {
            (heard.spent, heard.characters) = (Some(usage.clone()), 0);
        }
    }

    /// The answer is complete, or there will be none: nothing is left to keep.
    pub fn dismiss(&self) {
        *self.heard.lock() = None;
    }
}

impl Drop for Witness {
    fn drop(&mut self) {
        let heard = self.heard.get_mut().take();
        let Some(heard) = heard else { return };
        let mut answer = heard.stopped(self.began.elapsed().as_secs_f64() * 1e3);
        let (library, workspace, request) =
            (self.library.clone(), std::mem::take(&mut self.workspace), self.request.clone());
        let keeping = async move {
            if let (Some(model), Some(usage)) = (&answer.reply.model, &mut answer.usage)
                && let Err(error) = library.answer().reckon_cost(model, usage).await
            {
                tracing::warn!(code = error.code(), "what a stopped answer cost is not known: {error}");
            }
            if let Err(error) = library.answer().keep(&workspace, &request, &answer).await {
                tracing::warn!(code = error.code(), "an answer that was stopped is not in the log: {error}");
            }
        };
        self.library.answer().kept().keeping.spawn(keeping, &self.runtime);
    }
}

impl Heard {
    fn hear(&mut self, event: &AnswerEvent) {
        let answer = &mut self.answer;
        match event {
            AnswerEvent::Searching { searched_for, earlier, understood, inherited } => {
                answer.reply.understood.clone_from(understood);
                answer.reply.inherited.clone_from(inherited);
                answer.searched_for = earlier.is_some().then(|| searched_for.clone());
            }
            AnswerEvent::Retrieved { chunks_searched, context_tokens, passages, .. } => {
                (answer.chunks_searched, answer.context_tokens) = (*chunks_searched, *context_tokens);
                answer.passages.clone_from(passages);
            }
            AnswerEvent::Confident { confidence } => {
                answer.reply.rate(confidence.value);
                answer.grounds = confidence.clone();
            }
            AnswerEvent::Writing { reading, .. } => {
                (self.writing, self.drafted, self.told) = (SentenceStream::new(0), 0, 0);
                self.readings.push(Reading {
                    reading: reading.clone(),
                    answer: None,
                    confidence: answer.reply.confidence,
                    band: answer.reply.band,
                    sentences: Vec::new(),
                    citations: Vec::new(),
                    figures: None,
                });
            }
            AnswerEvent::Delta { text, .. } => {
                self.characters += text.chars().count();
                // Whole sentences are reported by themselves, with their check.
                self.drafted += self.writing.push(text).len();
            }
            AnswerEvent::Sentence { sentence, citations, .. } => {
                self.told += 1;
                if let Some(reading) = self.readings.last_mut() {
                    reading.sentences.push(sentence.clone());
                    reading.citations.extend(citations.clone());
                }
            }
        }
    }

    /// What has arrived, marked as given up. The sentence that was torn cites nothing and is not passed off as
    /// checked.
    fn stopped(mut self, total_ms: f64) -> Answer {
        // Once the writer has finished, its last sentence is complete as well, although nothing followed it.
        let rest = self.writing.end().filter(|_| self.told <= self.drafted);
        let torn = rest.map(|draft| AnswerSentence {
            text: draft.text,
            citations: Vec::new(),
            check: Check::Unsupported,
            differences: Vec::new(),
            support: 0.0,
            second_reading: None,
        });
        if let Some(reading) = self.readings.last_mut() {
            reading.sentences.extend(torn);
        }
        let mut answer = self.answer;
        let begun = self.readings.iter().any(|reading| !reading.sentences.is_empty());
        let message = if begun {
            "stopped before it was complete; the part that arrived is kept; ask again for a complete answer"
        } else {
            "stopped before anything was answered; ask again"
        };
        let fault = Fault { code: STOPPED.to_owned(), message: message.to_owned() };
        let supported = answer.reply.write(self.readings, Some(fault));
        if begun {
            let grounds = &mut answer.grounds;
            (grounds.supported, grounds.value, grounds.band) =
                (supported, answer.reply.confidence, answer.reply.band);
        }
        for passage in &mut answer.passages {
            passage.cited = answer.reply.citations.iter().any(|citation| citation.passage == passage.number);
            passage.used = passage.cited;
        }
        let torn = (self.characters > 0).then(|| Usage {
            prompt_tokens: answer.context_tokens as u64,
            completion_tokens: self.characters.div_ceil(CHARS_PER_TOKEN) as u64,
            cost: None,
            counted: false,
        });
        answer.usage = Usage::of_both(self.spent, torn);
        answer.total_ms = total_ms;
        answer
    }
}

impl Answering<'_> {
    /// Waits until given-up answers are in the log. A program that ends waits for it.
    pub async fn settled(&self) {
        self.kept().keeping.all().await;
    }
}
