//! What can go wrong, by cause. Every message says what was expected, what came, and the cure.

use std::io::ErrorKind;
use std::path::PathBuf;

/// An error of the engine. [`Error::code`] is stable and crosses every door.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The request contradicts itself or names an impossible value.
    #[error("{0}")]
    Invalid(String),
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
    /// The corpus is already there and unchanged.
    #[error("corpus `{corpus}` is already ingested; delete it first to ingest it again, or use --force")]
    AlreadyIngested {
        /// Name of the corpus.
        corpus: String,
    },
    /// A job that is done, without any failure to retry.
    #[error(
        "job {job} is done and there is nothing to retry; to take in new or changed files, ingest the folder again"
    )]
    NothingToRetry {
        /// Id of the job.
        job: i64,
    },
    /// A file of another program.
    #[error("{} is not a Sibyl library (application id {found:#010x}); choose another data folder", path.display())]
    NotALibrary {
        /// The file.
        path: PathBuf,
        /// The application id it carries.
        found: i32,
    },
    /// A library written by a newer version.
    #[error(
        "{} was written by a newer Sibyl (schema {found}, this version reads up to {supported}); update Sibyl",
        path.display()
    )]
    NewerLibrary {
        /// The file.
        path: PathBuf,
        /// Its schema version.
        found: i64,
        /// The newest schema version known here.
        supported: i64,
    },
    /// The library was moved while it was open; what is written here from then on would stay behind.
    #[error(
        "the library was moved to {}, and nothing is written to the former one any more; quit Sibyl and start it again",
        folder.display()
    )]
    Moved {
        /// The folder it lies in from the next start on.
        folder: PathBuf,
    },
    /// SQLite failed.
    #[error("the library could not be read or written: {0}; run `sibyl doctor` to check it")]
    Storage(#[from] rusqlite::Error),
    /// A file could not be read or written.
    #[error("{}: {source}{}", path.display(), remedy(source))]
    Io {
        /// The file or folder.
        path: PathBuf,
        /// The cause.
        source: std::io::Error,
    },
    /// Text could not be turned into vectors.
    #[error("{0}")]
    Embedding(#[from] crate::embed::EmbeddingError),
    /// Nothing was reranked.
    #[error("{0}")]
    Rerank(#[from] crate::search::rerank::RerankError),
    /// A document without pages that look like something.
    #[error("`{title}` is of the format {format}, which has no pages to draw; only PDF files have")]
    NoPages {
        /// Its title.
        title: String,
        /// Its format, such as `markdown`.
        format: String,
    },
    /// The process that opens files that cannot be trusted gave no answer.
    #[error("{0}")]
    Reader(#[from] crate::ingest::child::ReadError),
    /// The operating system's keychain did not do what it was asked.
    #[error(
        "the keychain cannot be used: {0}; start or unlock it, or set the key in the environment instead"
    )]
    Keychain(String),
    /// A structured keyword query has a syntax error.
    #[error("the keyword expression does not parse at character {at}: {message}")]
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
    pub fn code(&self) -> &'static str {
        match self {
            Self::Invalid(_) => "invalid",
            Self::NotFound { .. } => "not_found",
            Self::AlreadyIngested { .. } => "already_ingested",
            Self::NothingToRetry { .. } => "nothing_to_retry",
            Self::NotALibrary { .. } => "not_a_library",
            Self::NewerLibrary { .. } => "newer_library",
            Self::Moved { .. } => "moved",
            Self::Storage(_) => "storage",
            Self::Io { .. } => "io",
            Self::Embedding(error) => error.code(),
            Self::Rerank(error) => error.code(),
            Self::NoPages { .. } => "no_page_image",
            Self::Reader(error) => error.code(),
            Self::Keychain(_) => "keychain",
            Self::QuerySyntax { .. } => "query_syntax",
            Self::Damaged(_) => "damaged",
            Self::Cancelled => "cancelled",
            Self::Closed => "closed",
        }
    }

    /// Something of kind `what` called `id` does not exist.
    pub fn not_found(what: &'static str, id: impl Into<String>) -> Self {
        let cure = match what {
            "workspace" => "; `sibyl workspace list` shows the ones there are",
            "job" => "; `sibyl jobs` shows the ones there are",
            "document" => "; `sibyl documents` shows the ones there are",
            _ => "",
        };
        Self::NotFound { what, id: id.into(), cure: cure.to_owned() }
    }

    /// An I/O failure at `path`.
    pub fn io(path: impl Into<PathBuf>, source: std::io::Error) -> Self {
        Self::Io { path: path.into(), source }
    }
}

/// What to do about an I/O failure, starting with a separator, or nothing.
fn remedy(source: &std::io::Error) -> &'static str {
    match source.kind() {
        ErrorKind::NotFound => "; check the spelling of the path",
        ErrorKind::PermissionDenied => "; check who may read and write it",
        ErrorKind::StorageFull => "; make room on the disk and try again",
        _ => "",
    }
}

/// Result of the engine.
pub type Result<T> = std::result::Result<T, Error>;
