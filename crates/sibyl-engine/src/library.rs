//! One open library: its store, its embedders, its settings and the data that ships with the program.

mod bin;
mod clock;
pub(crate) mod event;
mod kept;
mod part;
mod password;
pub(crate) mod queue;
mod search;
mod spool;

pub use clock::Clock;
pub use part::{Answering, Assessing, Contents, Ingest, Jobs, Measuring, Models, Search, Standards, Upkeep};
pub use spool::Incoming;

use crate::embed::openrouter::RemoteModel;
use crate::embed::{Embedder, Tier};
use crate::error::Result;
use crate::http::ApiKey;
use crate::reader::ReaderProgram;
use crate::secret::{KeyStore, NoKeys};
use crate::store::doctor::{Finding, Health, Severity};
use crate::store::edition::Edition;
use crate::store::rebuild::Rebuilt;
use crate::store::{Location, Place, Store};
use parking_lot::RwLock;
use password::Passwords;
use queue::Queue;
use search::Searching;
use sha2::{Digest as _, Sha256};
use sibyl_text::{Document, Strategy};
use spool::Spool;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tokio::sync::{Mutex, Notify, OnceCell};

/// How a library is opened.
#[derive(Debug, Clone)]
pub struct OpenOptions {
    /// Where the library is; it is made if it is missing.
    pub place: Arc<dyn Location>,
    /// The folder with what ships: `ifrs/`, `sasb/`, `models/`. `None` if nothing ships.
    pub shipped: Option<PathBuf>,
    /// What parses files that cannot be trusted. The default is this very program.
    pub reader: ReaderProgram,
    /// Whether this program takes over waiting jobs, as a window or a server does. A command that ends works only
    /// on its own.
    pub work: Work,
    /// The program that reads pictures of text: Tesseract, as found on the path.
    pub tesseract: PathBuf,
    /// Where keys of providers are looked for and kept.
    pub keys: Arc<dyn KeyStore>,
    /// Says how long documents have been in the bin, or held back.
    pub clock: Clock,
    /// The edition of IFRS S2 that applies if none is named: by default that of today's date.
    pub edition: fn() -> Edition,
}

/// Which jobs a program works on.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Work {
    /// Only jobs that this program starts or resumes.
    #[default]
    Asked,
    /// Every waiting job, even one that another program left behind.
    All,
}

/// Folder inside the data folder in which other ways of chunking are tried.
const SCRATCH: &str = "scratch";

/// Name of the library in the folder with what ships that has ingested all of it. A new library begins as its copy, and
/// then ingests what has changed since; without it, everything.
const READY: &str = "ready.sibyl";

/// Name of the program that recognises text, as looked for on the path.
const TESSERACT: &str = "tesseract";

impl OpenOptions {
    /// Opens the library in `folder`, with nothing shipped, no keys and untrusted files read in a child of this
    /// program.
    pub fn new(folder: impl Into<PathBuf>) -> Self {
        Self::at(Arc::new(Place::named(folder)))
    }

    /// As [`Self::new`], for the library at `place`.
    pub fn at(place: Arc<dyn Location>) -> Self {
        Self {
            place,
            shipped: None,
            reader: ReaderProgram::default(),
            work: Work::default(),
            tesseract: TESSERACT.into(),
            keys: Arc::new(NoKeys),
            clock: Clock::default(),
            edition: Edition::today,
        }
    }
}

/// An open library. Clones share it.
#[derive(Clone)]
pub struct Library(pub(crate) Arc<Inner>);

pub(crate) struct Inner {
    pub(crate) store: Arc<dyn Store>,
    options: OpenOptions,
    queue: Arc<Queue>,
    /// Files that came through a door and that no call has used yet.
    spool: Spool,
    /// Notifies the task that tends watched folders that this program changed them.
    pub(crate) watched: Arc<Notify>,
    /// Of locked files.
    passwords: Passwords,
    searching: Searching,
    answering: kept::KeptOfAnswers,
    assessing: kept::KeptOfAssessments,
    models: ModelsInUse,
    /// The document that was chunked last without storing.
    pub(crate) opened: parking_lot::Mutex<Option<Opened>>,
}

/// The models in use.
#[derive(Default)]
pub(crate) struct ModelsInUse {
    /// By tier.
    pub(crate) embedders: RwLock<Vec<Arc<dyn Embedder>>>,
    pub(crate) remote: Mutex<Option<RemoteInUse>>,
    /// Set once providers were looked for.
    pub(crate) settled: OnceCell<()>,
}

/// The remote embedder that was put in use last, with its settings.
pub(crate) struct RemoteInUse {
    pub(crate) model: RemoteModel,
    pub(crate) key: Option<ApiKey>,
    pub(crate) embedder: Arc<dyn Embedder>,
}

/// A stored document in memory.
pub(crate) struct Opened {
    pub(crate) id: i64,
    /// Hash of its source and of how it was read.
    pub(crate) text_version: String,
    pub(crate) document: Arc<Document>,
}

impl Library {
    /// Opens the library, or makes it if there is none. Must be called inside a tokio runtime.
    ///
    /// # Errors
    /// As [`Location::open`], and [`crate::Error::Io`] where the data folder cannot be written.
    pub async fn open(options: OpenOptions) -> Result<Self> {
        if let Some(shipped) = &options.shipped
            && let Err(error) = options.place.begin_as(&shipped.join(READY)).await
        {
            // What ships is ingested then.
            tracing::warn!(%error, "the library that ships ready to use cannot be used");
        }
        let store = options.place.open().await?;
        let (read_only, folder) = (store.is_read_only(), options.place.folder());
        let queue = Arc::new(Queue::new(folder, read_only)?);
        let spool = Spool::new(folder, &queue.owner);
        let searching = Searching::new(Arc::clone(&store), options.edition).await?;
        let work = options.work;
        let library = Self(Arc::new(Inner {
            store,
            options,
            queue,
            spool,
            watched: Arc::default(),
            passwords: Passwords::default(),
            searching,
            answering: kept::KeptOfAnswers::default(),
            assessing: kept::KeptOfAssessments::default(),
            models: ModelsInUse::default(),
            opened: parking_lot::Mutex::default(),
        }));
        if let Some(models) =
            library.shipped().map(|folder| folder.join("models")).filter(|folder| folder.is_dir())
        {
            library.models().set_embedders(crate::embed::list::shipped(&models)?);
        }
        if work == Work::All && !read_only {
            let (queue, folder) = (Arc::clone(&library.0.queue), library.folder().to_owned());
            let lives = move |owner: &str| owner == queue.owner || queue.lives(owner);
            tokio::task::spawn_blocking(move || Spool::tidy(&folder, lives)).await?;
            library.ingest().renew_vectors().await?;
            library.jobs().work();
            library.watch_folders();
            library.look_after_itself();
            library.tend_bin();
            library.complete_figures();
        } else if !read_only {
            library.empty_bin().await;
        }
        Ok(library)
    }

    /// The store.
    pub fn store(&self) -> &dyn Store {
        self.0.store.as_ref()
    }

    /// The data folder.
    pub fn folder(&self) -> &Path {
        self.0.options.place.folder()
    }

    /// How it was opened.
    pub(crate) fn options(&self) -> &OpenOptions {
        &self.0.options
    }

    /// This program's end of the queue of jobs.
    pub(crate) fn queue(&self) -> &Arc<Queue> {
        &self.0.queue
    }

    /// Files that came through a door and that no call has used yet.
    pub(crate) fn spool(&self) -> &Spool {
        &self.0.spool
    }

    /// Passwords of locked files.
    pub(crate) fn passwords(&self) -> &Passwords {
        &self.0.passwords
    }

    /// The present moment in Unix seconds, by the clock that it was opened with.
    pub(crate) fn now(&self) -> i64 {
        self.0.options.clock.now()
    }

    /// The folder with what ships.
    pub fn shipped(&self) -> Option<&Path> {
        self.0.options.shipped.as_deref()
    }

    /// The edition of IFRS S2 that applies if none is named.
    pub fn edition(&self) -> Edition {
        (self.0.options.edition)()
    }

    /// Where keys of providers are looked for and kept.
    pub fn keys(&self) -> &dyn KeyStore {
        self.0.options.keys.as_ref()
    }

    /// Folder in which other ways of chunking are tried.
    pub(crate) fn scratch_folder(&self) -> PathBuf {
        self.folder().join(SCRATCH)
    }

    /// The store with the vectors of tried texts, by the hash of the text; `None` if there are none.
    ///
    /// # Errors
    /// As [`Location::open`].
    pub(crate) async fn tried(&self) -> Result<Option<Arc<dyn Store>>> {
        let place = Place::named(self.scratch_folder());
        Ok(if place.has_library().await? { Some(place.open().await?) } else { None })
    }
}

impl Models<'_> {
    /// The embedders in use, by tier: instant, embedded, remote. The first call looks for the remote one's key, if
    /// that is switched on.
    pub async fn embedders(&self) -> Vec<Arc<dyn Embedder>> {
        self.providers_settled().await;
        self.embedders_by_now()
    }

    /// Those of them that are in use whether or not providers were looked for.
    pub(crate) fn embedders_by_now(&self) -> Vec<Arc<dyn Embedder>> {
        self.in_use().embedders.read().clone()
    }

    /// What is in use, to be changed.
    pub(crate) fn in_use(&self) -> &ModelsInUse {
        &self.library.0.models
    }

    /// The model on this machine whose window `strategy` keeps to; `None` if it keeps to none.
    pub(crate) async fn window_of(&self, strategy: &dyn Strategy) -> Option<Arc<dyn Embedder>> {
        if !strategy.keeps_to_window() {
            return None;
        }
        let here = |each: &Arc<dyn Embedder>| each.space().tier == Tier::Embedded && each.window().is_some();
        self.embedders().await.into_iter().find(here)
    }

    /// The static table among them: it reads a thousand sentences in milliseconds, and nothing leaves the machine.
    pub(crate) async fn instant(&self) -> Option<Arc<dyn Embedder>> {
        self.embedders().await.into_iter().find(|each| each.space().tier == Tier::Instant)
    }

    /// Puts `embedders` in use. Vectors of spaces that are no longer served stay.
    pub fn set_embedders(&self, mut embedders: Vec<Arc<dyn Embedder>>) {
        embedders.sort_by_key(|embedder| embedder.space().tier);
        *self.in_use().embedders.write() = embedders;
    }

    /// What embedding `tokens` with the remote model costs in US dollars; `None` if no remote model is in use.
    ///
    /// # Errors
    /// Storage errors.
    pub async fn cost_of(&self, tokens: usize) -> Result<Option<f64>> {
        let remote = self.is_remote().await;
        let price = self.library.settings().await?.integer("price_per_million_tokens") as f64 / 1e6;
        Ok(remote.then_some(tokens as f64 / 1e6 * price))
    }
}

impl Upkeep<'_> {
    /// Checks stored and derived data for consistency: the library file, its indexes, and the models that ship.
    ///
    /// # Errors
    /// Only where the work itself cannot be done; a damaged library is a finding.
    pub async fn doctor(&self) -> Result<Health> {
        let mut health = self.library.store().doctor().await?;
        if let Some(models) = self.library.shipped().map(|folder| folder.join("models")) {
            let checked = tokio::task::spawn_blocking(move || check_models(&models));
            health.add(checked.await?);
        }
        Ok(health)
    }

    /// Rebuilds everything derived: keyword index, references, fields, figures. Vectors are never thrown away.
    ///
    /// # Errors
    /// Storage and I/O errors; the old state stays where the transaction failed.
    pub async fn rebuild(&self) -> Result<Rebuilt> {
        let began = std::time::Instant::now();
        let rebuilt = self.library.store().rebuild().await;
        // Their marks are set even where files of codes cannot be written.
        self.library.make_figures().await?;
        let mut rebuilt = rebuilt?;
        rebuilt.seconds = began.elapsed().as_secs_f64();
        Ok(rebuilt)
    }

    /// Writes the library as one file. Returns its size in bytes.
    ///
    /// # Errors
    /// As [`crate::store::port::Upkeep::back_up`].
    pub async fn back_up(&self, target: &Path) -> Result<u64> {
        Ok(self.library.store().back_up(target).await?)
    }
}

/// Compares every file of the shipped models with the checksums beside them.
fn check_models(folder: &Path) -> Health {
    let mut health = Health::default();
    let mut fault = |message: String| {
        health.findings.push(Finding {
            severity: Severity::Error,
            code: "model_changed".to_owned(),
            message,
            cure: "reinstall Sibyl, or restore its data folder".to_owned(),
        });
    };
    let mut models: Vec<PathBuf> =
        std::fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path()).collect();
    models.sort();
    let mut checked = Vec::new();
    for model in models.iter().filter(|model| model.is_dir()) {
        let name = model.file_name().unwrap_or_default().to_string_lossy();
        let Ok(sums) = std::fs::read_to_string(model.join("SHA256SUMS")) else {
            fault(format!("the model {name} has no readable SHA256SUMS"));
            continue;
        };
        for (sum, file) in sums.lines().filter_map(|line| line.split_once(char::is_whitespace)) {
            let file = file.trim_start().trim_start_matches(['*', '.']).trim_start_matches('/');
            match file_sum(&model.join(file)) {
                Ok(found) if found == sum.to_ascii_lowercase() => {}
                Ok(_) => fault(format!("{file} of the model {name} is not the file that was shipped")),
                Err(error) => fault(format!("{file} of the model {name} cannot be read: {error}")),
            }
        }
        checked.push(format!("checksums of the model {name}"));
    }
    health.checked = checked;
    health
}

fn file_sum(path: &Path) -> std::io::Result<String> {
    let mut digest = Sha256::new();
    std::io::copy(&mut std::fs::File::open(path)?, &mut digest)?;
    Ok(crate::store::hex(&digest.finalize()))
}
