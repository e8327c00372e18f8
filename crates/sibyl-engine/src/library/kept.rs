//! What is kept in memory between questions, so that an answer waits for no large text and no list of prices. Also
//! what continues in the background after a question was given up.

use super::{Answering, Assessing};
use parking_lot::Mutex;
use sibyl_answer::{ChatModel, Source};
use std::any::Any;
use std::collections::HashMap;
use std::future::Future;
use std::sync::Arc;
use tokio::runtime::Handle;
use tokio::sync::OwnedMutexGuard;
use tokio::task::JoinHandle;

/// What answering keeps.
#[derive(Default)]
pub(crate) struct KeptOfAnswers {
    /// Documents that answers were made from.
    pub sources: KeptSources,
    /// What chat providers list.
    pub chat_models: ListedModels,
    /// Answers that were given up and are on their way into the log.
    pub keeping: Keeping,
    /// Who measures what scores are worth in a workspace.
    pub calibrating: Turns,
}

/// What assessments keep.
#[derive(Default)]
pub(crate) struct KeptOfAssessments {
    /// What an assessment asks for.
    pub in_scope: KeptLast,
    /// Content indexes of reports.
    pub content_indexes: KeptLast,
}

impl Answering<'_> {
    /// What is kept between questions.
    pub(crate) fn kept(&self) -> &KeptOfAnswers {
        &self.library.0.answering
    }
}

impl Assessing<'_> {
    /// What is kept between assessments.
    pub(crate) fn kept(&self) -> &KeptOfAssessments {
        &self.library.0.assessing
    }
}

/// Maximum number of documents.
const KEPT: usize = 32;

/// Documents that answers were made from, of one state of the library.
#[derive(Default)]
pub(crate) struct KeptSources(Mutex<(i64, HashMap<i64, Arc<Source>>)>);

impl KeptSources {
    /// The document in row `id` at the chunks' `generation`, if it is kept.
    pub fn get(&self, generation: i64, id: i64) -> Option<Arc<Source>> {
        let kept = self.0.lock();
        kept.1.get(&id).filter(|_| kept.0 == generation).cloned()
    }

    /// Keeps a document of the chunks' `generation`; those of another generation go.
    pub fn put(&self, generation: i64, source: Arc<Source>) {
        let mut kept = self.0.lock();
        if kept.0 != generation || kept.1.len() >= KEPT {
            *kept = (generation, HashMap::new());
        }
        kept.1.insert(source.id, source);
    }
}

/// The last results made from things that seldom change, with what they were made from.
#[derive(Default)]
pub(crate) struct KeptLast(Mutex<Option<(String, Arc<dyn Any + Send + Sync>)>>);

impl KeptLast {
    /// The result for `key`, if it was the last one made.
    pub fn get<T: Send + Sync + 'static>(&self, key: &str) -> Option<Arc<T>> {
        let kept = self.0.lock();
        let (_, made) = kept.as_ref().filter(|(known, _)| known == key)?;
        Arc::clone(made).downcast().ok()
    }

    /// Keeps the result for `key`; the former one goes.
    pub fn put<T: Send + Sync + 'static>(&self, key: String, made: Arc<T>) {
        *self.0.lock() = Some((key, made));
    }
}

/// What the chat provider listed that was asked last, with its base URL.
#[derive(Default)]
pub(crate) struct ListedModels(Mutex<Option<(String, Arc<[ChatModel]>)>>);

impl ListedModels {
    /// The models at `base`, if they are kept.
    pub fn get(&self, base: &str) -> Option<Arc<[ChatModel]>> {
        let kept = self.0.lock();
        kept.as_ref().filter(|(known, _)| known == base).map(|(_, models)| Arc::clone(models))
    }

    /// Keeps the models at `base`; those of another provider go.
    pub fn put(&self, base: &str, models: Arc<[ChatModel]>) {
        *self.0.lock() = Some((base.to_owned(), models));
    }
}

/// Work that continues when the caller has gone.
#[derive(Default)]
pub(crate) struct Keeping(Mutex<Vec<JoinHandle<()>>>);

impl Keeping {
    /// Begins `work`.
    pub fn spawn(&self, work: impl Future<Output = ()> + Send + 'static, runtime: &Handle) {
        let mut all = self.0.lock();
        all.retain(|one| !one.is_finished());
        all.push(runtime.spawn(work));
    }

    /// Waits until all that has begun is done.
    pub async fn all(&self) {
        let all = std::mem::take(&mut *self.0.lock());
        for one in all {
            // One that panicked is done, too.
            let _ = one.await;
        }
    }
}

/// Turns at work that serves all callers: one does it, the others wait and find it done.
#[derive(Default)]
pub(crate) struct Turns(Mutex<HashMap<i64, Arc<tokio::sync::Mutex<()>>>>);

impl Turns {
    /// Waits for the turn at the work of the workspace in row `id`, which lasts until it is dropped.
    pub async fn take(&self, id: i64) -> OwnedMutexGuard<()> {
        let turn = Arc::clone(self.0.lock().entry(id).or_default());
        turn.lock_owned().await
    }
}
