//! What SQLite writes and syncs, in the order in which it asks for it: a shim over the system's file layer ("VFS").
//!
//! <https://www.sqlite.org/vfs.html>

use parking_lot::Mutex;
use rusqlite::ffi::{
    SQLITE_OK, sqlite3_file, sqlite3_filename, sqlite3_int64, sqlite3_io_methods, sqlite3_vfs,
    sqlite3_vfs_find, sqlite3_vfs_register,
};
use std::collections::{BTreeMap, HashMap};
use std::ffi::{CStr, c_int, c_void};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

/// Something that was asked of the system.
pub(super) enum Op {
    Write { file: String, at: usize, bytes: Vec<u8> },
    Truncate { file: String, size: usize },
    Sync { file: String },
}

impl Op {
    /// The file it was asked for.
    pub(super) fn file(&self) -> &str {
        match self {
            Self::Write { file, .. } | Self::Truncate { file, .. } | Self::Sync { file } => file,
        }
    }

    /// Applies it to `file`, except for sectors that `keeps` refuses.
    pub(super) fn apply(&self, file: &mut Vec<u8>, mut keeps: impl FnMut(usize) -> bool) {
        match self {
            Self::Write { at, bytes, .. } => {
                let mut from = 0;
                while from < bytes.len() {
                    let sector = (at + from) / super::SECTOR;
                    let to = bytes.len().min((sector + 1) * super::SECTOR - at);
                    if keeps(sector) {
                        let length = file.len().max(at + to);
                        file.resize(length, 0);
                        file[at + from..at + to].copy_from_slice(&bytes[from..to]);
                    }
                    from = to;
                }
            }
            Self::Truncate { size, .. } => {
                if keeps(0) {
                    file.truncate(*size);
                }
            }
            Self::Sync { .. } => {}
        }
    }
}

/// What was written to the files of a folder.
pub(super) struct Recording {
    /// The files when it began, by name.
    pub before: BTreeMap<String, Vec<u8>>,
    pub ops: Vec<Op>,
}

/// Records until it ends.
pub(super) struct Recorder;

impl Recorder {
    /// How many operations there are so far.
    pub(super) fn length(&self) -> usize {
        RUNNING.lock().as_ref().map_or(0, |running| running.recording.ops.len())
    }

    /// What was recorded.
    pub(super) fn end(self) -> Recording {
        RUNNING.lock().take().expect("a recording runs until it is ended").recording
    }
}

struct Running {
    folder: PathBuf,
    recording: Recording,
    /// Names of open files, by their handle.
    names: HashMap<usize, String>,
}

static RUNNING: Mutex<Option<Running>> = Mutex::new(None);

/// Records what is written to the library in `folder`, which nobody has open.
pub(super) fn start(folder: &Path) -> Recorder {
    let real = real();
    let mut before = BTreeMap::new();
    for name in ["library.sibyl", "library.sibyl-wal"] {
        if let Ok(bytes) = std::fs::read(folder.join(name)) {
            before.insert(name.to_owned(), bytes);
        }
    }
    let recording = Recording { before, ops: Vec::new() };
    *RUNNING.lock() = Some(Running { folder: folder.to_owned(), recording, names: HashMap::new() });
    assert!(!real.0.is_null(), "SQLite has a file layer");
    Recorder
}

/// The system's file layer.
struct Real(*mut sqlite3_vfs);

// SAFETY: SQLite itself shares it between threads, and it is never changed.
unsafe impl Send for Real {}
// SAFETY: as above.
unsafe impl Sync for Real {}

/// The methods of a kind of files with the recording ones among them, and those of the system.
#[repr(C)]
struct Methods {
    own: sqlite3_io_methods,
    real: *const sqlite3_io_methods,
}

/// The system's layer; from the first call on, the recording layer is in front of it.
fn real() -> &'static Real {
    static REAL: OnceLock<Real> = OnceLock::new();
    REAL.get_or_init(|| {
        // SAFETY: the default layer lives as long as the program, and the copy of it is leaked, so that it does, too.
        unsafe {
            let real = sqlite3_vfs_find(std::ptr::null());
            let own = Box::leak(Box::new(*real));
            own.zName = c"recording".as_ptr();
            own.xOpen = Some(open);
            assert_eq!(sqlite3_vfs_register(own, 1), SQLITE_OK, "SQLite takes a layer");
            Real(real)
        }
    })
}

unsafe extern "C" fn open(
    _own: *mut sqlite3_vfs,
    name: sqlite3_filename,
    file: *mut sqlite3_file,
    flags: c_int,
    out: *mut c_int,
) -> c_int {
    let real = real().0;
    // SAFETY: SQLite's arguments are handed on to the layer that they are meant for.
    let (status, methods) = unsafe {
        let status = (*real).xOpen.map_or(1, |open| open(real, name, file, flags, out));
        (status, (*file).pMethods)
    };
    if status != SQLITE_OK || methods.is_null() || name.is_null() {
        return status;
    }
    // SAFETY: a name that is not null is a C string.
    let path = PathBuf::from(unsafe { CStr::from_ptr(name) }.to_string_lossy().into_owned());
    let mut running = RUNNING.lock();
    let Some(running) = running.as_mut().filter(|running| path.parent() == Some(&running.folder)) else {
        return status;
    };
    let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    running.names.insert(file as usize, name);
    // SAFETY: the methods of the system live as long as the program. The table is leaked: a file keeps it while it is open.
    unsafe {
        let mut own = *methods;
        own.xWrite = Some(write);
        own.xTruncate = Some(truncate);
        own.xSync = Some(sync);
        (*file).pMethods = &raw const Box::leak(Box::new(Methods { own, real: methods })).own;
    }
    status
}

/// Records what `op` makes from the name of `file`, if that is to be recorded.
fn keep(file: *mut sqlite3_file, op: impl FnOnce(String) -> Op) {
    if let Some(running) = RUNNING.lock().as_mut()
        && let Some(name) = running.names.get(&(file as usize))
    {
        running.recording.ops.push(op(name.clone()));
    }
}

/// The system's methods for `file`.
///
/// # Safety
/// `file` was opened by [`open`] and recorded.
unsafe fn methods(file: *mut sqlite3_file) -> sqlite3_io_methods {
    // SAFETY: `own` is the first field, so that the table of a recorded file is one of `Methods`.
    unsafe { *(*(*file).pMethods.cast::<Methods>()).real }
}

unsafe extern "C" fn write(
    file: *mut sqlite3_file,
    from: *const c_void,
    length: c_int,
    at: sqlite3_int64,
) -> c_int {
    // SAFETY: SQLite gives `length` bytes at `from`.
    let bytes =
        unsafe { std::slice::from_raw_parts(from.cast::<u8>(), usize::try_from(length).unwrap_or_default()) };
    let at_byte = usize::try_from(at).unwrap_or_default();
    keep(file, |name| Op::Write { file: name, at: at_byte, bytes: bytes.to_vec() });
    // SAFETY: the call is passed on unchanged.
    unsafe { methods(file).xWrite.map_or(1, |write| write(file, from, length, at)) }
}

unsafe extern "C" fn truncate(file: *mut sqlite3_file, size: sqlite3_int64) -> c_int {
    let bytes = usize::try_from(size).unwrap_or_default();
    keep(file, |name| Op::Truncate { file: name, size: bytes });
    // SAFETY: as in `write`.
    unsafe { methods(file).xTruncate.map_or(1, |truncate| truncate(file, size)) }
}

unsafe extern "C" fn sync(file: *mut sqlite3_file, flags: c_int) -> c_int {
    // SAFETY: as in `write`.
    let status = unsafe { methods(file).xSync.map_or(1, |sync| sync(file, flags)) };
    keep(file, |name| Op::Sync { file: name });
    status
}
