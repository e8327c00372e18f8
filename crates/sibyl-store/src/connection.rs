//! One writer thread that owns the only read-write connection, and read-only connections under WAL.

use super::{LIBRARY_FILE, migrate, rebuild};
use crate::error::{Error, Result};
use crate::place::Place;
use parking_lot::Mutex;
use rusqlite::{Connection, ErrorCode, OpenFlags, Transaction, TransactionBehavior, ffi};
use std::io::ErrorKind;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Once, OnceLock, Weak, mpsc};
use tokio::sync::{Semaphore, oneshot};

type Work = Box<dyn FnOnce(&mut Connection) + Send>;

const READERS: usize = 4;

#[derive(Clone)]
pub(super) struct Pool(Arc<Inner>);

/// A pool that somebody else keeps open.
pub(super) struct WeakPool(Weak<Inner>);

impl WeakPool {
    /// The pool, if it is still open.
    pub(super) fn upgrade(&self) -> Option<Pool> {
        self.0.upgrade().map(Pool)
    }
}

struct Inner {
    writer: mpsc::Sender<Work>,
    readers: Mutex<Vec<Connection>>,
    permits: Arc<Semaphore>,
    place: Arc<Place>,
    path: PathBuf,
    read_only: bool,
    /// What showed that the file is damaged; the first of it.
    damage: OnceLock<String>,
}

/// Bytes that the write-ahead log keeps once its pages are in the library.
const LOG_LIMIT: i64 = 16 * 1024 * 1024;

/// When a commit reaches the disk.
#[derive(Clone, Copy)]
enum Sync {
    /// Before it is acknowledged.
    Now,
    /// With the next one that is acknowledged so.
    Later,
}

impl Sync {
    /// SQLite's name of it, under a write-ahead log.
    const fn level(self) -> &'static str {
        match self {
            Self::Now => "FULL",
            Self::Later => "NORMAL",
        }
    }
}

impl Pool {
    pub(super) fn open(place: Arc<Place>) -> Result<Self> {
        register_sqlite_vec();
        let path = place.folder.join(LIBRARY_FILE);
        let read_only = path.exists() && !can_be_written(&place.folder, &path);
        let mut writer = if read_only {
            let reader = open_reader(&path)?;
            migrate::check(&reader, &path)?;
            reader
        } else {
            place.take_next()?;
            refuse_lost(&place, &path)?;
            open_writer(&path)?
        };
        let readers = (0..READERS).map(|_| open_reader(&path)).collect::<Result<Vec<_>>>()?;
        let mut damage = OnceLock::new();
        if place.damage().is_some() {
            match readers.first().map(check) {
                Some(Err(Error::Corrupt(what))) => damage = OnceLock::from(what),
                Some(Ok(())) if !read_only => place.note_damage(None),
                _ => {}
            }
        }
        let (sender, work) = mpsc::channel::<Work>();
        std::thread::Builder::new()
            .name("library-writer".to_owned())
            .spawn(move || {
                while let Ok(job) = work.recv() {
                    job(&mut writer);
                }
            })
            .map_err(|e| Error::io(&path, e))?;
        Ok(Self(Arc::new(Inner {
            writer: sender,
            readers: Mutex::new(readers),
            permits: Arc::new(Semaphore::new(READERS)),
            place,
            path,
            read_only,
            damage,
        })))
    }

    /// The pool, without keeping it open.
    pub(super) fn downgrade(&self) -> WeakPool {
        WeakPool(Arc::downgrade(&self.0))
    }

    /// Where the library is.
    pub(super) fn place(&self) -> &Place {
        &self.0.place
    }

    /// Whether the library can only be read.
    pub(super) fn is_read_only(&self) -> bool {
        self.0.read_only
    }

    /// What showed that the library file is damaged, since this program opened it.
    pub(super) fn damage(&self) -> Option<&str> {
        self.0.damage.get().map(String::as_str)
    }

    /// Records that the file is damaged, if `result` says so.
    pub(super) fn noticed<T>(&self, result: Result<T>) -> Result<T> {
        if let Err(Error::Corrupt(what)) = &result {
            // The first finding is kept: it is as good a proof as any.
            if self.0.damage.set(what.clone()).is_ok() && !self.0.read_only {
                self.0.place.note_damage(Some(what));
            }
        }
        result
    }

    /// Runs `work` on a read-only connection of its own, outside a transaction (backup).
    pub(super) async fn alone<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Connection) -> Result<T> + Send + 'static,
    ) -> Result<T> {
        let path = self.0.path.clone();
        self.noticed(tokio::task::spawn_blocking(move || work(&open_reader(&path)?)).await?)
    }

    /// Runs `change` in one immediate transaction on the writer thread; an error rolls it back. What was committed
    /// is on the disk, with everything committed before it.
    ///
    /// # Errors
    /// [`Error::Moved`] if the library was moved away; `change` is not run then.
    pub(super) async fn write<T: Send + 'static>(
        &self,
        change: impl FnOnce(&Transaction<'_>) -> Result<T> + Send + 'static,
    ) -> Result<T> {
        self.commit(Sync::Now, change).await
    }

    /// Like [`Pool::write`], but does not wait for the disk: until the next `write`, a power failure undoes it. For the steps
    /// of a job, which are made again and acknowledged only at its end.
    ///
    /// # Errors
    /// As [`Pool::write`].
    pub(super) async fn write_ahead<T: Send + 'static>(
        &self,
        change: impl FnOnce(&Transaction<'_>) -> Result<T> + Send + 'static,
    ) -> Result<T> {
        self.commit(Sync::Later, change).await
    }

    async fn commit<T: Send + 'static>(
        &self,
        sync: Sync,
        change: impl FnOnce(&Transaction<'_>) -> Result<T> + Send + 'static,
    ) -> Result<T> {
        let place = Arc::clone(&self.0.place);
        if self.0.read_only {
            return Err(Error::ReadOnly { folder: place.folder.clone() });
        }
        self.with_writer(move |connection| {
            // Set each time, because a callback that panicked left its own.
            connection.pragma_update(None, "synchronous", sync.level())?;
            let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
            // Not earlier: a program that moves the library holds the lock until the move is recorded.
            place.stays()?;
            let value = change(&transaction)?;
            transaction.commit()?;
            Ok(value)
        })
        .await
    }

    /// Runs `work` on the writer connection outside a transaction (checkpoint, vacuum, backup).
    pub(super) async fn with_writer<T: Send + 'static>(
        &self,
        work: impl FnOnce(&mut Connection) -> Result<T> + Send + 'static,
    ) -> Result<T> {
        let (answer, answered) = oneshot::channel();
        let work: Work = Box::new(move |connection| {
            // A panic rolls the transaction back, and the thread serves the next caller.
            let done = catch_unwind(AssertUnwindSafe(|| work(connection)));
            // The caller may have gone; the work is done all the same.
            let _ = answer.send(done.unwrap_or_else(|payload| Err(Error::panicked(payload.as_ref()))));
        });
        self.0.writer.send(work).map_err(|_| Error::Closed)?;
        self.noticed(answered.await.map_err(|_| Error::Closed)?)
    }

    /// Runs `query` on a read-only connection, inside one read transaction, on a blocking thread.
    pub(super) async fn read<T: Send + 'static>(
        &self,
        query: impl FnOnce(&Connection) -> Result<T> + Send + 'static,
    ) -> Result<T> {
        let permit = Arc::clone(&self.0.permits).acquire_owned().await.map_err(|_| Error::Closed)?;
        let inner = Arc::clone(&self.0);
        let read = tokio::task::spawn_blocking(move || {
            let reader = inner.readers.lock().pop();
            let lease = Lease { reader: Some(reader.ok_or(Error::Closed)?), inner: &inner };
            let connection = lease.reader.as_ref().ok_or(Error::Closed)?;
            let transaction = connection.unchecked_transaction()?;
            let value = query(&transaction);
            drop(transaction);
            drop(lease);
            drop(permit);
            value
        });
        self.noticed(read.await?)
    }
}

/// Returns the connection even if the query panics.
struct Lease<'a> {
    reader: Option<Connection>,
    inner: &'a Inner,
}

impl Drop for Lease<'_> {
    fn drop(&mut self) {
        if let Some(reader) = self.reader.take() {
            self.inner.readers.lock().push(reader);
        }
    }
}

/// Reads every page of the library file.
///
/// # Errors
/// [`Error::Corrupt`] if one is damaged, else storage errors.
pub(super) fn check(c: &Connection) -> Result<()> {
    let found: String = c.query_row("PRAGMA quick_check(1)", [], |row| row.get(0))?;
    if found == "ok" {
        return Ok(());
    }
    Err(Error::Corrupt(found.trim_start_matches("*** in database main ***").trim().to_owned()))
}

/// Refuses to begin a new library where there was one: backups of an empty library would push out its own.
fn refuse_lost(place: &Place, path: &Path) -> Result<()> {
    let found = match path.metadata() {
        Ok(file) if file.len() > 0 => return Ok(()),
        Ok(_) => "it is empty",
        Err(error) if error.kind() == ErrorKind::NotFound => "it is gone",
        Err(error) => return Err(Error::io(path, error)),
    };
    if place.backups()?.is_empty() {
        return Ok(());
    }
    Err(Error::Unreadable(format!(
        "{found}, and there are backups (to begin a new library, move those away)"
    )))
}

/// Whether SQLite can write the file and the log beside it.
pub(super) fn can_be_written(folder: &Path, path: &Path) -> bool {
    let denied = |error: &std::io::Error| {
        matches!(error.kind(), ErrorKind::PermissionDenied | ErrorKind::ReadOnlyFilesystem)
    };
    let probe = folder.join(format!(".write-{}", std::process::id()));
    let beside = std::fs::File::create(&probe);
    if beside.is_ok() {
        // It was made to see whether it can be.
        let _ = std::fs::remove_file(&probe);
    }
    let file = std::fs::OpenOptions::new().append(true).open(path);
    !beside.is_err_and(|error| denied(&error)) && !file.is_err_and(|error| denied(&error))
}

fn open_writer(path: &Path) -> Result<Connection> {
    let mut writer = Connection::open(path)?;
    configure(&writer)?;
    migrate::migrate(&mut writer, path)?;
    match rebuild::follow(&mut writer) {
        // The doctor tells it; what was derived before stays.
        Err(Error::Corrupt(what)) => tracing::warn!("fields of chunks are out of date: {what}"),
        followed => followed?,
    }
    writer.pragma_update(None, "journal_mode", "WAL")?;
    // One huge document would leave a log of its size beside the library permanently.
    writer.pragma_update(None, "journal_size_limit", LOG_LIMIT)?;
    Ok(writer)
}

pub(super) fn open_reader(path: &Path) -> Result<Connection> {
    let flags =
        OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX | OpenFlags::SQLITE_OPEN_URI;
    let reader = Connection::open_with_flags(path, flags)?;
    let unreadable = reader.query_row("SELECT count(*) FROM sqlite_schema", [], |_| Ok(())).err();
    let code = unreadable.and_then(|error| error.sqlite_error_code());
    if matches!(code, Some(ErrorCode::CannotOpen | ErrorCode::ReadOnly)) {
        // If nothing can be written, the log beside the file cannot be shared, so only the file is read.
        let reader = Connection::open_with_flags(immutable(path)?, flags)?;
        configure(&reader)?;
        return Ok(reader);
    }
    configure(&reader)?;
    Ok(reader)
}

/// The address of the file at `path`, to be read as if nobody could change it.
///
/// # Errors
/// [`Error::Invalid`] if the path is not valid Unicode.
pub(super) fn immutable(path: &Path) -> Result<String> {
    let name = path.to_str();
    let name = name.ok_or_else(|| Error::Invalid(format!("{} is not valid Unicode", path.display())))?;
    Ok(format!("file:{}?immutable=1", name.replace('%', "%25").replace('?', "%3f").replace('#', "%23")))
}

/// Sets up a connection as every one of this crate is.
pub(super) fn configure(connection: &Connection) -> Result<()> {
    connection.busy_timeout(std::time::Duration::from_secs(30))?;
    // Each commit is synced: what was acknowledged is there even if the power fails right after it.
    connection.pragma_update(None, "synchronous", "FULL")?;
    connection.pragma_update(None, "foreign_keys", true)?;
    connection.pragma_update(None, "mmap_size", 1_i64 << 30)?;
    connection.pragma_update(None, "temp_store", "MEMORY")?;
    connection.set_prepared_statement_cache_capacity(128);
    super::keyword::prepare(connection)
}

/// Makes sqlite-vec's functions known to every connection opened afterwards in this process.
pub(super) fn register_sqlite_vec() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        type Entry = unsafe extern "C" fn(
            *mut ffi::sqlite3,
            *mut *mut std::ffi::c_char,
            *const ffi::sqlite3_api_routines,
        ) -> std::ffi::c_int;
        // SAFETY: sqlite3_vec_init has the signature that SQLite asks of an extension's entry point.
        let status = unsafe {
            let entry: Entry = std::mem::transmute(sqlite_vec::sqlite3_vec_init as *const ());
            ffi::sqlite3_auto_extension(Some(entry))
        };
        assert_eq!(status, ffi::SQLITE_OK, "SQLite refused a statically linked extension");
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pool(folder: &Path) -> Pool {
        Pool::open(Arc::new(Place::named(folder))).unwrap()
    }

    #[tokio::test]
    async fn a_change_that_panics_is_rolled_back_and_the_next_one_is_made() {
        let folder = tempfile::tempdir().unwrap();
        let pool = pool(folder.path());
        let put = "INSERT INTO setting VALUES (?1, '')";
        let broken = pool.write(move |tx| -> Result<()> {
            tx.execute(put, ["lost"])?;
            panic!("seven is no even number")
        });
        let error = broken.await.unwrap_err();
        assert_eq!(error.code(), "internal");
        assert!(error.to_string().contains("seven is no even number"), "{error}");
        pool.write(move |tx| Ok(tx.execute(put, ["kept"])?)).await.unwrap();
        let kept = pool.read(|c| {
            Ok(c.query_row("SELECT group_concat(key) FROM setting", [], |row| row.get::<_, String>(0))?)
        });
        assert_eq!(kept.await.unwrap(), "kept");
    }

    #[tokio::test]
    async fn queries_that_panic_cost_no_reader() {
        let folder = tempfile::tempdir().unwrap();
        let pool = pool(folder.path());
        for _ in 0..=READERS {
            let broken = pool.read(|_| -> Result<()> { panic!("seven is no even number") });
            assert_eq!(broken.await.unwrap_err().code(), "internal");
        }
        pool.read(|_| Ok(())).await.unwrap();
    }
}
