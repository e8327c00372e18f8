//! What can go wrong, by cause. Every message says what was expected, what came, and the cure.

use crate::job::JobState;
use crate::named::UnknownName;
use std::any::Any;
use std::io::ErrorKind;
use std::path::PathBuf;

/// An error of the store. [`Error::code`] is stable and crosses every door.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The request contradicts itself or names an impossible value.
    #[error("{0}")]
    Invalid(String),
    /// A vector that does not fit its space: of another length, or with a value that is not finite.
    #[error(
        "expected a vector of {dimensions} finite numbers, got {found}; embed with the model of this embedding space"
    )]
    UnfitVector {
        /// Numbers that a vector of the space has.
        dimensions: usize,
        /// What came instead.
        found: String,
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
    /// A job that is done, without any failure to retry.
    #[error(
        "job {job} is done, so there is nothing to retry; to add new or changed files, ingest the folder again"
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
        "{} was written by a newer version of Sibyl (schema {found}, this version reads up to {supported}); update \
         Sibyl",
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
    /// The library was moved while it was open; what is written here from then on would be left behind.
    #[error(
        "the library was moved to {}, and nothing more is written to the old one; quit Sibyl and start it again",
        folder.display()
    )]
    Moved {
        /// The folder of the library from the next start on.
        folder: PathBuf,
    },
    /// Another file replaces the library at the next start; what is written until then would be lost.
    #[error(
        "a rescued library or a backup replaces this one, and nothing more is written to it; quit every \
         Sibyl program and start again"
    )]
    Replaced,
    /// The data folder or the library file cannot be written.
    #[error(
        "the library in {} is read-only: the folder or the file is write-protected; to change something, allow \
         writing there, or copy the folder and open the copy",
        folder.display()
    )]
    ReadOnly {
        /// The data folder.
        folder: PathBuf,
    },
    /// There is no space on the disk for the data to be written.
    #[error("the disk is full, and nothing was changed; free some space and try again")]
    Full,
    /// Pages of the library file cannot be read.
    #[error(
        "the library file is damaged: {0}; run `sibyl rescue` to save what can be read, or `sibyl backup restore` to \
         restore a backup"
    )]
    Corrupt(String),
    /// Nothing of the library file can be read.
    #[error("the library file cannot be read: {0}; restore a backup: `sibyl backup` shows all backups")]
    Unreadable(String),
    /// A copy of the library is not sound; the library itself may well be.
    #[error("{} is no sound copy of a library ({found}); nothing was changed; {cure}", copy.display())]
    BadCopy {
        /// The copy.
        copy: PathBuf,
        /// What shows it.
        found: String,
        /// What to do.
        cure: &'static str,
    },
    /// The database behind the store failed.
    #[error("the library could not be read or written: {0}; run `sibyl doctor` to check it")]
    Storage(Failure),
    /// The job has ended.
    #[error("job {job} has ended ({}); there is nothing left to stop", state.name())]
    JobEnded {
        /// Its id.
        job: i64,
        /// How it ended.
        state: JobState,
    },
    /// A job waits or is worked on, which must not be.
    #[error(
        "job {job} in workspace `{workspace}` is running; wait until it ends or pause it, then try again"
    )]
    JobAtWork {
        /// Its id.
        job: i64,
        /// Name of its workspace.
        workspace: String,
    },
    /// Something of this name is there already.
    #[error("{what} `{name}` already exists; {cure}")]
    Taken {
        /// Kind of thing, such as `phrasing`.
        what: &'static str,
        /// Its name.
        name: String,
        /// What to do.
        cure: &'static str,
    },
    /// A folder is watched already, for the same corpus or another one.
    #[error(
        "folder `{0}` is already watched; change its settings, or stop watching it before you add it to another corpus"
    )]
    Watched(String),
    /// A file that was to be made is there already.
    #[error("{} already exists; choose another file name", .0.display())]
    Exists(PathBuf),
    /// A file could not be read or written.
    #[error("{}: {source}{}", path.display(), remedy(source))]
    Io {
        /// The file or folder.
        path: PathBuf,
        /// The cause.
        source: std::io::Error,
    },
    /// Stored data contradicts itself.
    #[error("the library is damaged: {0}; run `sibyl doctor`, then `sibyl rebuild`")]
    Damaged(String),
    /// The caller gave up.
    #[error("cancelled")]
    Cancelled,
    /// A defect in the program itself.
    #[error(
        "something went wrong inside Sibyl ({0}); try again, and report it with the log if it happens again"
    )]
    Internal(String),
    /// A worker thread has stopped.
    #[error("the library is closing; start the program again")]
    Closed,
}

/// Any failure of the database behind a store. A full or damaged database has an error of its own.
#[derive(Debug, thiserror::Error)]
#[error("{source}")]
pub struct Failure {
    /// Whether somebody else held the library for too long, so that the same may work later.
    pub busy: bool,
    source: Box<dyn std::error::Error + Send + Sync>,
}

impl Error {
    /// Stable code of the cause.
    pub fn code(&self) -> &'static str {
        match self {
            Self::Invalid(_) | Self::UnfitVector { .. } => "invalid",
            Self::NotFound { .. } => "not_found",
            Self::NothingToRetry { .. } => "nothing_to_retry",
            Self::JobEnded { .. } => "job_ended",
            Self::JobAtWork { .. } => "job_at_work",
            Self::Exists(_) | Self::Taken { .. } | Self::Watched(_) => "exists",
            Self::NotALibrary { .. } => "not_a_library",
            Self::NewerLibrary { .. } => "newer_library",
            Self::Moved { .. } => "moved",
            Self::Replaced => "replaced",
            Self::ReadOnly { .. } => "read_only",
            Self::Full => "disk_full",
            Self::Storage(_) => "storage",
            Self::Io { .. } => "io",
            Self::Damaged(_) | Self::Corrupt(_) | Self::Unreadable(_) => "damaged",
            Self::BadCopy { .. } => "bad_copy",
            Self::Cancelled => "cancelled",
            Self::Internal(_) => "internal",
            Self::Closed => "closed",
        }
    }

    /// Whether the library itself is at fault, and not the request.
    pub const fn is_damage(&self) -> bool {
        matches!(self, Self::Storage(_) | Self::Damaged(_) | Self::Corrupt(_) | Self::Unreadable(_))
    }

    /// Something of kind `what` called `id` does not exist.
    pub fn not_found(what: &'static str, id: impl Into<String>) -> Self {
        Self::NotFound { what, id: id.into(), cure: where_to_look(what).to_owned() }
    }

    /// The error for a panic with `payload`, which is logged.
    pub fn panicked(payload: &(dyn Any + Send)) -> Self {
        let message = payload
            .downcast_ref::<&str>()
            .map(|message| (*message).to_owned())
            .or_else(|| payload.downcast_ref::<String>().cloned())
            .unwrap_or_else(|| "no reason was given".to_owned());
        tracing::error!("a panic was caught: {message}");
        Self::Internal(message)
    }

    /// An I/O failure at `path`.
    pub fn io(path: impl Into<PathBuf>, source: std::io::Error) -> Self {
        Self::Io { path: path.into(), source }
    }
}

impl From<rusqlite::Error> for Error {
    fn from(error: rusqlite::Error) -> Self {
        use rusqlite::ErrorCode;
        if let rusqlite::Error::FromSqlConversionFailure(_, _, cause) = &error
            && let Some(unknown) = cause.downcast_ref::<UnknownName>()
        {
            return Self::Damaged(unknown.to_string());
        }
        match error.sqlite_error_code() {
            Some(ErrorCode::DiskFull) => Self::Full,
            Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase) => Self::Corrupt(error.to_string()),
            code => {
                let busy = matches!(code, Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked));
                Self::Storage(Failure { busy, source: error.into() })
            }
        }
    }
}

impl From<tokio::task::JoinError> for Error {
    /// A task that panicked is a defect; one that was stopped ends with the library.
    fn from(error: tokio::task::JoinError) -> Self {
        error.try_into_panic().map_or(Self::Closed, |payload| Self::panicked(payload.as_ref()))
    }
}

/// Where to look up the things of kind `what`, starting with a separator, or nothing.
pub fn where_to_look(what: &str) -> &'static str {
    match what {
        "workspace" => "; `sibyl workspace list` shows all workspaces",
        "job" => "; `sibyl jobs` shows all jobs",
        "document" => "; `sibyl documents` shows all documents",
        "backup" => "; `sibyl backup` shows all backups",
        "text version" => "; a former text is kept as long as an answer, a finding or a label cites it",
        _ => "",
    }
}

/// What to do about an I/O failure, starting with a separator, or nothing.
pub fn remedy(source: &std::io::Error) -> &'static str {
    match source.kind() {
        ErrorKind::NotFound => "; check the spelling of the path",
        ErrorKind::PermissionDenied => "; check its permissions",
        ErrorKind::StorageFull => "; free some disk space and try again",
        _ => "",
    }
}

/// A job's report that is no JSON.
pub(crate) fn unwritable(error: serde_json::Error) -> Error {
    Error::Damaged(format!("the report of a job cannot be stored: {error}"))
}

/// Result of the store.
pub type Result<T> = std::result::Result<T, Error>;
