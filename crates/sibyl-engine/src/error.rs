//! What can go wrong, by cause. Every message says what was expected, what came, and the cure.

use sibyl_store::error::{remedy, where_to_look};
use std::any::Any;
use std::path::PathBuf;

/// An error of the engine. [`Error::code`] is stable and crosses every door.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The request contradicts itself or names an impossible value.
    #[error("{0}")]
    Invalid(String),
    /// A number of the request is beyond its bounds.
    #[error("`{name}` must be a number from {least} to {most}, not {given}")]
    OutOfRange {
        /// The field, such as `top_k`.
        name: &'static str,
        /// The minimum allowed.
        least: f64,
        /// The maximum allowed.
        most: f64,
        /// The given value.
        given: f64,
    },
    /// A word of the request is not among the known ones.
    #[error("`{given}` is not a known {what}; choose one of {}", known.join(", "))]
    UnknownChoice {
        /// What it should name, such as `chunking strategy`.
        what: &'static str,
        /// The given word.
        given: String,
        /// The known words.
        known: Vec<String>,
    },
    /// No model in use has the embedding space that was asked for.
    #[error("no model in use has the embedding space `{0}`; `sibyl models` lists the available spaces")]
    UnknownSpace(String),
    /// Nothing in scope can be found by meaning yet.
    #[error(
        "none of the {in_scope} chunks in scope has a usable vector yet; wait for embedding to start, or run `sibyl \
         ingest`"
    )]
    NoVectors {
        /// Chunks that the workspace and the filters leave.
        in_scope: u64,
    },
    /// Reranking was requested, but no reranker is set up.
    #[error("no reranker is set up; set its base URL in Settings")]
    NoReranker,
    /// A file cannot be read. Its own code is the code of the error.
    #[error("{} {}", .0.path, .0.message)]
    File(Box<sibyl_store::job::FileReport>),
    /// A setting, or a parameter of a chunking strategy. It does not exist, does not accept the value, or
    /// contradicts another one.
    #[error(transparent)]
    Setting(#[from] sibyl_text::ParamError),
    /// A folder that was there is not, or is empty: a drive may be disconnected.
    #[error(
        "{} {}, so nothing was changed or deleted; if it is on an external or network drive, connect the drive. To \
         remove documents that you no longer need, delete them in the Library",
        path.display(), if *empty { "is empty" } else { "is not there" }
    )]
    FolderAway {
        /// The folder.
        path: PathBuf,
        /// Whether it exists and has no file.
        empty: bool,
    },
    /// A file or folder that was named is not what can be used here.
    #[error("{} {why}", path.display())]
    UnfitPath {
        /// The file or folder.
        path: PathBuf,
        /// What it is or lacks, and the cure; it follows the path in the message.
        why: String,
    },
    /// A folder or file without anything that could be ingested.
    #[error("there are no files to ingest{why}; choose a different file or folder")]
    NothingToIngest {
        /// Why the first file was skipped, starting with a space, or empty.
        why: String,
    },
    /// Text that stays on this computer was to be sent to a remote model.
    #[error("remote models are not allowed for {corpora}; allow them, or {otherwise}")]
    KeptLocal {
        /// Names of the corpora, joined by commas.
        corpora: String,
        /// The other cure, such as `exclude such corpora with a filter`.
        otherwise: String,
    },
    /// A provider on another machine was to be asked although remote models are switched off.
    #[error(
        "remote models are switched off, so nothing is sent to {host}; switch them on in Settings (`remote_embedding`), or \
         use a provider on this computer"
    )]
    RemoteOff {
        /// The provider.
        host: String,
    },
    /// The chat model cannot be used with the present settings.
    #[error("{0}")]
    NoChatModel(&'static str),
    /// A run could not be measured, for texts were not embedded or a leg of the search did not run. The code is that of the
    /// cause.
    #[error("{message}")]
    NotMeasured {
        /// Stable code of the cause.
        code: String,
        /// What could not be done, the cause, and the cure.
        message: String,
    },
    /// Something named in the request does not exist.
    #[error("{what} `{id}` does not exist{cure}")]
    NotFound {
        /// Kind of thing, such as `paragraph`.
        what: &'static str,
        /// The id asked for.
        id: String,
        /// What to do, starting with a separator, or empty.
        cure: String,
    },
    /// A file could not be read or written.
    #[error("{}: {source}{}", path.display(), remedy(source))]
    Io {
        /// The file or folder.
        path: PathBuf,
        /// The cause.
        source: std::io::Error,
    },
    /// The store refused or failed.
    #[error(transparent)]
    Store(#[from] sibyl_store::Error),
    /// A provider is described wrongly, or a file that ships for embedding cannot be used.
    #[error(transparent)]
    Embed(#[from] sibyl_embed::Error),
    /// Text could not be turned into vectors.
    #[error(transparent)]
    Embedding(#[from] sibyl_embed::EmbeddingError),
    /// Nothing was reranked.
    #[error("{0}")]
    Rerank(#[from] crate::rerank::RerankError),
    /// A chat provider failed.
    #[error("{}", .0.message)]
    Chat(sibyl_answer::Fault),
    /// A document without pages that look like something.
    #[error("`{title}` is in the format {format}, which has no pages to show; only PDF files do")]
    NoPages {
        /// Its title.
        title: String,
        /// Its format, such as `markdown`.
        format: String,
    },
    /// The process that opens files that cannot be trusted gave no answer.
    #[error("{0}")]
    Reader(#[from] crate::reader::ReadError),
    /// The operating system's keychain failed.
    #[error(
        "the keychain cannot be used: {0}; start or unlock it, or set the key in the environment instead"
    )]
    Keychain(String),
    /// A structured keyword query has a syntax error.
    #[error("the keyword expression has a syntax error at character {at}: {message}")]
    QuerySyntax {
        /// Position in the query in characters, from 0.
        at: usize,
        /// What was expected and what came.
        message: String,
    },
    /// Stored data contradicts itself.
    #[error("the library is damaged: {0}; run `sibyl doctor`, then `sibyl rebuild`")]
    Damaged(String),
    /// The caller gave up.
    #[error("cancelled")]
    Cancelled,
    /// A worker thread has stopped.
    #[error("the library is closing; start the program again")]
    Closed,
}

impl Error {
    /// Stable code of the cause.
    pub fn code(&self) -> &str {
        match self {
            Self::Invalid(_) => "invalid",
            Self::OutOfRange { .. } => "out_of_range",
            Self::UnknownChoice { .. } => "unknown_choice",
            Self::UnknownSpace(_) => "unknown_space",
            Self::NoVectors { .. } => "no_vectors",
            Self::NoReranker => "rerank_not_set_up",
            Self::File(report) => &report.code,
            Self::Setting(_) => "setting",
            Self::FolderAway { .. } => "folder_away",
            Self::UnfitPath { .. } => "unfit_path",
            Self::NothingToIngest { .. } => "nothing_to_ingest",
            Self::KeptLocal { .. } => "remote_not_allowed",
            Self::RemoteOff { .. } => "remote_off",
            Self::NoChatModel(_) => "chat_not_set_up",
            Self::NotMeasured { code, .. } => code,
            Self::NotFound { .. } => "not_found",
            Self::Io { .. } => "io",
            Self::Store(error) => error.code(),
            Self::Embed(error) => error.code(),
            Self::Embedding(error) => error.code(),
            Self::Rerank(error) => error.code(),
            Self::Chat(fault) => &fault.code,
            Self::NoPages { .. } => "no_page_image",
            Self::Reader(error) => error.code(),
            Self::Keychain(_) => "keychain",
            Self::QuerySyntax { .. } => "query_syntax",
            Self::Damaged(_) => "damaged",
            Self::Cancelled => "cancelled",
            Self::Closed => "closed",
        }
    }

    /// Whether the work was given up, by the caller or because another program took it over.
    pub const fn is_cancelled(&self) -> bool {
        matches!(self, Self::Cancelled | Self::Store(sibyl_store::Error::Cancelled))
    }

    /// `given` is not among the `known` values for a `what`.
    pub fn unknown_choice<K: Into<String>>(
        what: &'static str,
        given: impl Into<String>,
        known: impl IntoIterator<Item = K>,
    ) -> Self {
        Self::UnknownChoice { what, given: given.into(), known: known.into_iter().map(Into::into).collect() }
    }

    /// Refuses `given` for the field `name` unless it is from `least` to `most`.
    ///
    /// # Errors
    /// [`Error::OutOfRange`], also for NaN.
    pub fn within(name: &'static str, given: f64, least: f64, most: f64) -> Result<()> {
        if (least..=most).contains(&given) {
            Ok(())
        } else {
            Err(Self::OutOfRange { name, least, most, given })
        }
    }

    /// Something of kind `what` called `id` does not exist.
    pub fn not_found(what: &'static str, id: impl Into<String>) -> Self {
        Self::NotFound { what, id: id.into(), cure: where_to_look(what).to_owned() }
    }

    /// The error for a panic with `payload`, which is logged.
    pub fn panicked(payload: &(dyn Any + Send)) -> Self {
        Self::Store(sibyl_store::Error::panicked(payload))
    }

    /// `path` cannot be used here: `why` says what it is or lacks, and the cure.
    pub fn unfit(path: impl Into<PathBuf>, why: impl Into<String>) -> Self {
        Self::UnfitPath { path: path.into(), why: why.into() }
    }

    /// An I/O failure at `path`.
    pub fn io(path: impl Into<PathBuf>, source: std::io::Error) -> Self {
        Self::Io { path: path.into(), source }
    }
}

impl From<sibyl_measure::Error> for Error {
    fn from(error: sibyl_measure::Error) -> Self {
        match error {
            sibyl_measure::Error::Invalid(message) => Self::Invalid(message),
            sibyl_measure::Error::UnfitPath { path, why } => Self::UnfitPath { path, why },
            sibyl_measure::Error::Io { path, source } => Self::Io { path, source },
        }
    }
}

impl From<tokio::task::JoinError> for Error {
    fn from(error: tokio::task::JoinError) -> Self {
        Self::Store(error.into())
    }
}

/// Result of the engine.
pub type Result<T> = std::result::Result<T, Error>;
