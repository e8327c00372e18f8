//! The log on disk: JSON lines in the data folder, bounded by rotation, and reading its end.
//!
//! A line is what `tracing-subscriber` writes as JSON: `timestamp`, `level`, `target`, `fields`, and the
//! surrounding `span`.

use crate::error::{Error, Result};
use parking_lot::Mutex;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::collections::VecDeque;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Folder of the log, inside the data folder.
pub const LOGS: &str = "logs";
/// The file that is written.
const FILE: &str = "sibyl.log";
/// The file before it.
const OLD_FILE: &str = "sibyl.log.1";
/// Size from which a new file is begun, in bytes. There are at most two files.
const LARGEST: u64 = 5 << 20;
/// Bytes kept in memory until the data folder is known.
const HELD: usize = 64 << 10;
/// Maximum number of lines returned at once.
const MOST_LINES: usize = 10_000;

/// Writes lines to the log of a data folder. Clones share it. What is written before the folder is known is held
/// back and written then.
#[derive(Debug, Clone, Default)]
pub struct LogWriter(Arc<Mutex<State>>);

#[derive(Debug, Default)]
struct State {
    held: Vec<u8>,
    open: Option<Open>,
}

#[derive(Debug)]
struct Open {
    folder: PathBuf,
    file: File,
    bytes: u64,
}

impl LogWriter {
    /// Begins to write in the data folder `data`, below which the log's folder is made.
    ///
    /// # Errors
    /// [`Error::Io`] if it cannot be written; nothing is logged to disk then.
    pub fn open(&self, data: &Path) -> Result<()> {
        let folder = data.join(LOGS);
        let opened = fs::create_dir_all(&folder).and_then(|()| Open::new(folder.clone()));
        let mut opened = opened.map_err(|error| Error::io(&folder, error))?;
        let mut state = self.0.lock();
        let held = std::mem::take(&mut state.held);
        opened.write(&held).map_err(|error| Error::io(&folder, error))?;
        state.open = Some(opened);
        Ok(())
    }
}

impl Write for LogWriter {
    fn write(&mut self, line: &[u8]) -> io::Result<usize> {
        let State { held, open } = &mut *self.0.lock();
        match open {
            Some(open) => open.write(line)?,
            None if held.len() + line.len() <= HELD => held.extend_from_slice(line),
            None => {}
        }
        Ok(line.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(()) // Every line is handed to the operating system at once.
    }
}

impl Open {
    fn new(folder: PathBuf) -> io::Result<Self> {
        let file = File::options().create(true).append(true).open(folder.join(FILE))?;
        let bytes = file.metadata()?.len();
        Ok(Self { folder, file, bytes })
    }

    fn write(&mut self, lines: &[u8]) -> io::Result<()> {
        if self.bytes > 0 && self.bytes + lines.len() as u64 > LARGEST {
            fs::rename(self.folder.join(FILE), self.folder.join(OLD_FILE))?;
            *self = Self::new(self.folder.clone())?;
        }
        self.file.write_all(lines)?;
        self.bytes += lines.len() as u64;
        Ok(())
    }
}

/// How severe a line of the log is, the most severe first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum LogLevel {
    /// Something failed.
    #[serde(alias = "ERROR")]
    Error,
    /// Something is amiss.
    #[serde(alias = "WARN")]
    Warn,
    /// Something happened.
    #[serde(alias = "INFO")]
    Info,
    /// For developers.
    #[serde(alias = "DEBUG")]
    Debug,
    /// For developers, in every detail.
    #[serde(alias = "TRACE")]
    Trace,
}

impl LogLevel {
    /// Its name on the wire.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Error => "error",
            Self::Warn => "warn",
            Self::Info => "info",
            Self::Debug => "debug",
            Self::Trace => "trace",
        }
    }
}

/// Which lines of the log.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct LogQuery {
    /// The least severe level to return.
    pub level: LogLevel,
    /// Number of lines to return, 1 to 10,000, counted from the end.
    pub limit: usize,
}

impl Default for LogQuery {
    fn default() -> Self {
        Self { level: LogLevel::Trace, limit: 200 }
    }
}

/// A line of the log.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct LogLine {
    /// When it was written (ISO 8601, UTC).
    pub at: String,
    /// How severe it is.
    pub level: LogLevel,
    /// Module that wrote it.
    pub target: String,
    /// Its message.
    pub message: String,
    /// Everything else it carries, with what the span around it carries.
    pub fields: Map<String, Value>,
}

/// The end of the log.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct LogTail {
    /// The file that is written.
    pub file: String,
    /// The lines, oldest first; empty if no log has been written.
    pub lines: Vec<LogLine>,
}

/// The last lines in the log of the library in `folder` that are at least as severe as requested. The library need
/// not open.
///
/// # Errors
/// [`Error::OutOfRange`] for an impossible limit, [`Error::Io`] if the log cannot be read.
pub async fn last_lines(folder: &Path, query: LogQuery) -> Result<LogTail> {
    let logs = folder.join(LOGS);
    tokio::task::spawn_blocking(move || tail(&logs, &query)).await?
}

fn tail(folder: &Path, query: &LogQuery) -> Result<LogTail> {
    Error::within("limit", query.limit as f64, 1.0, MOST_LINES as f64)?;
    let mut lines = VecDeque::new();
    for name in [OLD_FILE, FILE] {
        let path = folder.join(name);
        let bytes = match fs::read(&path) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
            Err(error) => return Err(Error::io(path, error)),
        };
        for line in bytes.split(|byte| *byte == b'\n').filter(|line| !line.is_empty()) {
            let line = read(line);
            if line.level <= query.level {
                if lines.len() == query.limit {
                    lines.pop_front();
                }
                lines.push_back(line);
            }
        }
    }
    Ok(LogTail { file: folder.join(FILE).display().to_string(), lines: lines.into() })
}

/// Reads a line; one that is broken, as a crash may leave it, is a warning in its own words.
fn read(line: &[u8]) -> LogLine {
    let parsed = serde_json::from_slice::<Value>(line).unwrap_or_default();
    let text = |name: &str| parsed[name].as_str().map(str::to_owned);
    let level = text("level").and_then(|level| serde_json::from_value(level.to_lowercase().into()).ok());
    let (Some(at), Some(level), Some(target)) = (text("timestamp"), level, text("target")) else {
        let message = String::from_utf8_lossy(line).into_owned();
        let (at, target) = (String::new(), String::new());
        return LogLine { at, level: LogLevel::Warn, target, message, fields: Map::new() };
    };
    let mut fields = parsed["span"].as_object().cloned().unwrap_or_default();
    fields.remove("name");
    fields.extend(parsed["fields"].as_object().cloned().unwrap_or_default());
    let message = fields.remove("message").and_then(|message| message.as_str().map(str::to_owned));
    LogLine { at, level, target, message: message.unwrap_or_default(), fields }
}

#[cfg(test)]
mod tests;
