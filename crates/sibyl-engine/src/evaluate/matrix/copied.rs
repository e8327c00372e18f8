//! A copy of the library in which one row is chunked and searched.
//!
//! How rare a word is and how long a chunk usually is are counted over the whole library, so a row has all its
//! neighbours with it. The corpora as they are therefore measure the same as a run of the same search.

use super::MatrixPlan;
use super::row::{CutRow, stored};
use crate::embed::{Embedder, Tier};
use crate::error::{Error, Result};
use crate::evaluate::run::{EvaluateOptions, EvaluateProgress};
use crate::ingest::JobState;
use crate::library::{Library, Measuring, OpenOptions};
use crate::store::table::corpus::{Corpus, NewCorpus};
use crate::store::{Location as _, Place, Store, short_hash};
use std::collections::{HashMap, HashSet};
use std::sync::Arc;
use std::time::Duration;
use tempfile::TempDir;

/// Interval after which new vectors are kept; later ones are lost if the work is given up.
const KEEPING: Duration = Duration::from_secs(2);

/// Folder of the copies, in the scratch folder. The name of each begins with the program that made it.
const COPIES: &str = "copies";

/// A copy of the library with one row in the place of the corpora that it chunks.
pub(super) struct Copied {
    /// The copy.
    pub library: Library,
    /// Removed with it.
    _folder: TempDir,
}

impl Measuring<'_> {
    /// The store that keeps what rows were embedded for, so that no text is embedded twice.
    pub(super) async fn kept_vectors(&self) -> Result<Arc<dyn Store>> {
        Ok(Place::named(self.library.scratch_folder()).open().await?)
    }

    /// A copy of the library with `row` in it. Of its text, only that of the corpora of `plan` may leave the
    /// machine.
    pub(super) async fn copied(&self, workspace: &str, plan: &MatrixPlan, row: &CutRow) -> Result<Copied> {
        let copies = self.library.scratch_folder().join(COPIES);
        let named = format!("{}-", self.library.queue().owner);
        let folder = std::fs::create_dir_all(&copies)
            .and_then(|()| tempfile::Builder::new().prefix(&named).tempdir_in(&copies))
            .map_err(|error| Error::io(&copies, error))?;
        self.library.store().copy_into(folder.path()).await?;
        let own = self.library.options();
        let options = OpenOptions {
            shipped: own.shipped.clone(),
            keys: Arc::clone(&own.keys),
            edition: own.edition,
            ..OpenOptions::new(folder.path())
        };
        let library = Library::open(options).await?;
        // Looked for once, before the models of the cells are put in use.
        library.models().providers_settled().await;
        let planned = self.planned(workspace, plan).await?;
        for corpus in self.everything().await? {
            if corpus.remote && !planned.contains(&corpus.id) {
                library.store().put_corpus(NewCorpus { remote: false, ..corpus.into() }).await?;
            }
        }
        for (corpus, document, cut) in &row.documents {
            let (strategy, settings) = (cut.strategy.clone(), cut.settings.clone());
            let new = NewCorpus { strategy, settings, ..corpus.clone().into() };
            let kept = library.store().put_corpus(new).await?;
            library.store().put_document(stored(kept.id, document, cut)).await?;
        }
        Ok(Copied { library, _folder: folder })
    }

    /// Moves the vectors of `rows` that killed programs made with `models` into `kept`, and removes their copies.
    pub(super) async fn take_over(
        &self,
        kept: &dyn Store,
        models: impl Iterator<Item = &Arc<dyn Embedder>>,
        rows: &[CutRow],
    ) -> Result<()> {
        let texts: HashSet<[u8; 32]> = rows.iter().flat_map(|row| row.texts.keys().copied()).collect();
        let models: Vec<_> = models.collect();
        let copies = self.library.scratch_folder().join(COPIES);
        for entry in std::fs::read_dir(copies).into_iter().flatten().flatten() {
            let (name, folder) = (entry.file_name().to_string_lossy().into_owned(), entry.path());
            let owner = name.split('-').next().unwrap_or_default();
            let queue = self.library.queue();
            if owner == queue.owner || queue.lives(owner) {
                continue;
            }
            // It is put there whole, or not at all.
            let place = Place::named(&folder);
            if place.has_library().await? {
                let left = place.open().await?;
                for model in &models {
                    hand_over(left.as_ref(), kept, model.as_ref(), &texts).await?;
                }
            }
            std::fs::remove_dir_all(&folder).map_err(|error| Error::io(&folder, error))?;
        }
        Ok(())
    }

    /// Hash of what surrounds the corpora of `plan` in the library and decides with them how rare a word is.
    pub(super) async fn surroundings(&self, workspace: &str, plan: &MatrixPlan) -> Result<String> {
        let planned = self.planned(workspace, plan).await?;
        let mut figures = HashMap::new();
        for each in self.library.store().workspaces().await? {
            figures.extend(self.library.store().corpus_figures(each.id).await?);
        }
        let mut parts = Vec::new();
        for corpus in self.everything().await?.iter().filter(|corpus| !planned.contains(&corpus.id)) {
            if let Some(figures) = figures.get(&corpus.id) {
                parts.push(format!("{} {} {}", corpus.id, figures.chunks, figures.tokens));
            }
        }
        parts.sort_unstable();
        Ok(short_hash(&parts.iter().map(String::as_str).collect::<Vec<_>>()))
    }

    /// Rows of the corpora of `plan`.
    async fn planned(&self, workspace: &str, plan: &MatrixPlan) -> Result<HashSet<i64>> {
        let id = self.library.store().workspace(workspace).await?.id;
        let mut planned = HashSet::new();
        for name in &plan.corpora {
            planned.extend(self.library.store().corpus(id, name).await?.map(|corpus| corpus.id));
        }
        Ok(planned)
    }

    /// The corpora of all workspaces, each once.
    async fn everything(&self) -> Result<Vec<Corpus>> {
        let mut corpora = HashMap::new();
        for each in self.library.store().workspaces().await? {
            let seen = self.library.store().corpora(each.id).await?;
            corpora.extend(seen.into_iter().map(|corpus| (corpus.id, corpus)));
        }
        Ok(corpora.into_values().collect())
    }

    /// Refuses a remote model if text of a corpus of `plan` may not leave the machine. Otherwise chunks that the
    /// model cannot see would be measured as not found.
    pub(super) async fn may_see(
        &self,
        workspace: &str,
        plan: &MatrixPlan,
        model: &dyn Embedder,
    ) -> Result<()> {
        if model.space().tier != Tier::Remote {
            return Ok(());
        }
        let planned = self.planned(workspace, plan).await?;
        let corpora = self.everything().await?;
        let stays = corpora.iter().filter(|corpus| planned.contains(&corpus.id) && !corpus.remote);
        let mut names: Vec<&str> = stays.map(|corpus| corpus.name.as_str()).collect();
        names.sort_unstable();
        if names.is_empty() {
            return Ok(());
        }
        Err(Error::KeptLocal {
            corpora: names.join(", "),
            otherwise: format!("remove {} from the matrix", model.space().model),
        })
    }
}

impl Copied {
    /// Uses only `model`, and has it embed what it has not embedded before; `kept` supplies and receives vectors.
    pub async fn embed(
        &self,
        workspace: &str,
        model: &Arc<dyn Embedder>,
        row: &CutRow,
        kept: &dyn Store,
        options: &EvaluateOptions,
        progress: &(impl Fn(EvaluateProgress) + Send + Sync),
    ) -> Result<()> {
        self.library.models().set_embedders(vec![Arc::clone(model)]);
        let texts: HashSet<[u8; 32]> = row.texts.keys().copied().collect();
        hand_over(kept, self.library.store(), model.as_ref(), &texts).await?;
        let measuring = self.library.evaluation();
        let mut embedding = std::pin::pin!(measuring.finish_embedding(workspace, options, progress));
        loop {
            let embedded = tokio::select! {
                embedded = &mut embedding => Some(embedded),
                () = tokio::time::sleep(KEEPING) => None,
            };
            // What was made before it failed was paid for as well.
            hand_over(self.library.store(), kept, model.as_ref(), &texts).await?;
            if let Some(embedded) = embedded {
                return embedded;
            }
        }
    }
}

impl Drop for Copied {
    /// Stops unfinished embedding if the work is given up: nobody waits for it any more.
    fn drop(&mut self) {
        let wishes = self.library.queue().wishes.lock();
        wishes.values().for_each(|wish| _ = wish.send_replace(Some(JobState::Cancelled)));
    }
}

/// Copies to `to` the vectors of `model` for `texts` that `from` has and it lacks.
async fn hand_over(
    from: &dyn Store,
    to: &dyn Store,
    model: &dyn Embedder,
    texts: &HashSet<[u8; 32]>,
) -> Result<()> {
    let space = to.ensure_space(model.space()).await?;
    let known = to.known_inputs(&space, texts.iter().copied().collect()).await?;
    let missing: Vec<[u8; 32]> = texts.difference(&known).copied().collect();
    let vectors = from.vectors_of_inputs(&space, missing).await?;
    if !vectors.is_empty() {
        to.put_vectors(&space, vectors).await?;
    }
    Ok(())
}
