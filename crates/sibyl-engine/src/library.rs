//! One open library: its store, its embedders, its settings and the data that ships with the program.

use crate::embed::Embedder;
use crate::error::{Error, Result};
use crate::ingest::child::ReaderProgram;
use crate::store::Store;
use std::path::{Path, PathBuf};
use std::sync::{Arc, PoisonError, RwLock};

/// How a library is opened.
#[derive(Debug, Clone)]
pub struct OpenOptions {
    /// The data folder; made where it is missing.
    pub folder: PathBuf,
    /// The folder with what ships: `ifrs/`, `sasb/`, `models/`. `None` where nothing ships.
    pub shipped: Option<PathBuf>,
    /// What parses files that cannot be trusted. The default is this very program.
    pub reader: ReaderProgram,
    /// Whether this program takes over whatever jobs wait in the library (a window, a server), or works only on
    /// those it is asked for (a command that ends).
    pub work: Work,
}

/// Which jobs a program works on.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Work {
    /// Only jobs that this program starts or resumes.
    #[default]
    Asked,
    /// Every job that waits, also one that another program left behind.
    All,
}

impl OpenOptions {
    /// Opens `folder`, with nothing shipped and untrusted files read in a child of this program.
    pub fn new(folder: impl Into<PathBuf>) -> Self {
        Self {
            folder: folder.into(),
            shipped: None,
            reader: ReaderProgram::default(),
            work: Work::default(),
        }
    }
}

/// An open library. Clones share it.
#[derive(Clone)]
pub struct Library(pub(crate) Arc<Inner>);

pub(crate) struct Inner {
    pub(crate) store: Store,
    pub(crate) options: OpenOptions,
    embedders: RwLock<Vec<Arc<dyn Embedder>>>,
}

impl Library {
    /// Opens the library, and makes it where there is none. Must be called inside a tokio runtime.
    ///
    /// # Errors
    /// As [`Store::open`], and [`Error::Io`] where the data folder cannot be written.
    pub async fn open(options: OpenOptions) -> Result<Self> {
        let folder = options.folder.clone();
        let store = tokio::task::spawn_blocking(move || Store::open(&folder))
            .await
            .map_err(|_| Error::Closed)??;
        let library = Self(Arc::new(Inner { store, options, embedders: RwLock::default() }));
        Ok(library)
    }

    /// The store.
    pub fn store(&self) -> &Store {
        &self.0.store
    }

    /// The data folder.
    pub fn folder(&self) -> &Path {
        self.0.store.folder()
    }

    /// The folder with what ships.
    pub fn shipped(&self) -> Option<&Path> {
        self.0.options.shipped.as_deref()
    }

    /// The embedders in use, by tier: instant, embedded, remote.
    pub fn embedders(&self) -> Vec<Arc<dyn Embedder>> {
        self.0.embedders.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Puts `embedders` in use. Vectors of spaces that are no longer served stay.
    pub fn set_embedders(&self, mut embedders: Vec<Arc<dyn Embedder>>) {
        embedders.sort_by_key(|embedder| embedder.space().tier);
        *self.0.embedders.write().unwrap_or_else(PoisonError::into_inner) = embedders;
    }
}
