//! Answers made from given passages through the public functions: chat models that fail and lie, and selected
//! text.
#![allow(clippy::unwrap_used, reason = "tests fail by panicking")]

mod chat;
mod lies;
mod selected;
mod told;

use sibyl_answer::citation::Composer;
use sibyl_answer::draft::{Draft, Piece};
use sibyl_answer::generate::{Generator, Models, Task};
use sibyl_answer::question::Question;
use sibyl_answer::{AnswerSentence, Passage, Source};
use sibyl_text::Span;
use std::sync::{Arc, Mutex};

/// A passage that is all of `text`.
fn passage(number: usize, title: &str, text: &str) -> Passage {
    let source = Source {
        title: title.to_owned(),
        path: format!("{title}.md"),
        text: text.to_owned(),
        ..Source::default()
    };
    Passage {
        number,
        chunk_id: format!("c{number}"),
        spans: vec![Span::new(0, text.len())],
        heads: Vec::new(),
        section: Vec::new(),
        paragraph_id: None,
        relevance: 1.0,
        source: Arc::new(source),
    }
}

fn task(question: &str, passages: Vec<Passage>) -> Task {
    Task { question: Question::read(question), passages, doubtful: false, models: Models::default() }
}

/// What `generator` writes for `task`, with the check of each sentence and the deltas it sent.
async fn written(generator: &dyn Generator, task: &Task) -> (Draft, Vec<AnswerSentence>, usize) {
    let told = Mutex::new((Composer::new(&task.passages, 1), Vec::new(), 0));
    let draft = generator
        .write(task, &|piece: &Piece| {
            let mut told = told.lock().unwrap();
            match piece {
                Piece::Delta(_) => told.2 += 1,
                Piece::Sentence(draft) => {
                    let (sentence, _) = told.0.add(draft);
                    told.1.push(sentence);
                }
            }
        })
        .await;
    let (_, sentences, deltas) = told.into_inner().unwrap();
    (draft, sentences, deltas)
}
