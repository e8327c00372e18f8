//! Files that cannot be trusted are parsed and drawn in a child process: it may crash, hang or eat memory, and is
//! killed.
//!
//! The program starts itself again with a hidden argument, so every program that opens a library calls
//! [`run_reader_if_asked`] before anything else. The child gets the file on its standard input and answers in JSON
//! after a marker on its standard output. It opens no library and no network.

use base64::prelude::{BASE64_STANDARD, Engine as _};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use sibyl_text::Document;
use sibyl_text::format::hocr::Scan;
use sibyl_text::format::{FORMATS, Input, pdf};
use std::ffi::OsString;
use std::io::{Read as _, Write as _};
use std::path::PathBuf;
use std::process::{ExitCode, Stdio};
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncReadExt as _, AsyncWriteExt as _};
use tokio::process::Command;

/// The argument that makes a program a reader.
pub const READER_ARGUMENT: &str = "--sibyl-reader";

/// Time limit for a file: 20 seconds and 20 more for each megabyte, at most 10 minutes.
pub fn time_limit(bytes: usize) -> Duration {
    Duration::from_secs((20 + 20 * (bytes as u64 >> 20)).min(600))
}

/// Maximum memory that a child may map, in bytes: 1 GiB and 64 times the file, at most 4 GiB. Applied if the
/// operating system has such a limit (Linux and other Unix systems); elsewhere there is only the time limit.
pub fn memory_limit(bytes: usize) -> u64 {
    const GIB: u64 = 1 << 30;
    (GIB + 64 * bytes as u64).min(4 * GIB)
}

/// Maximum number of bytes of a child's answer: 64 MiB and 64 times the file, at most 1 GiB.
pub fn answer_limit(bytes: usize) -> u64 {
    const MIB: u64 = 1 << 20;
    (64 * MIB + 64 * bytes as u64).min(1024 * MIB)
}

/// The part of our environment that a child gets: where its libraries and temporary files are, and no keys.
pub(super) const ENVIRONMENT: &[&str] = &[
    "LD_LIBRARY_PATH",
    "DYLD_LIBRARY_PATH",
    "DYLD_FALLBACK_LIBRARY_PATH",
    "SYSTEMROOT",
    "TEMP",
    "TMP",
    "TMPDIR",
    "RUST_BACKTRACE",
];

/// Which program parses files that cannot be trusted.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum ReaderProgram {
    /// This very program, started with [`READER_ARGUMENT`].
    #[default]
    Itself,
    /// Another program that ends up in [`run_reader`].
    Other {
        /// The program.
        program: PathBuf,
        /// Its arguments.
        arguments: Vec<OsString>,
        /// Environment variables added to the few that every reader gets.
        environment: Vec<(OsString, OsString)>,
    },
    /// No child: the file is parsed here. A crash then takes the program with it, so this is for tests of other
    /// things only.
    InProcess,
}

/// Why a child gave no document. The message names cause and cure.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ReadError {
    /// It took too long and was killed.
    #[error(
        "reading took longer than {0} seconds and was stopped; split the file, or save it again with another program"
    )]
    Timeout(u64),
    /// It answered with more than any document needs and was killed.
    #[error(
        "reading produced more than {0} MB and was stopped; the file is probably damaged: split it, or save it again \
         with another program"
    )]
    TooMuch(u64),
    /// It asked for more memory than it may have.
    #[error(
        "reading needed more than {0} MB of memory and was stopped; split the file, or save it again with another \
         program"
    )]
    TooLarge(u64),
    /// It crashed or was killed.
    #[error("the reader stopped ({0}); the file is probably damaged: save it again with another program")]
    Crashed(String),
    /// It could not be started.
    #[error("the reader could not be started ({0}); check that the program file has not moved")]
    NotStarted(String),
    /// The page asked for could not be drawn.
    #[error("{0}")]
    NotDrawn(String),
}

impl ReadError {
    /// Stable code of the cause.
    pub const fn code(&self) -> &'static str {
        match self {
            Self::Timeout(_) => "reader_timeout",
            Self::TooMuch(_) => "reader_too_much",
            Self::TooLarge(_) => "reader_too_large",
            Self::Crashed(_) => "reader_crashed",
            Self::NotStarted(_) => "reader_not_started",
            Self::NotDrawn(_) => "page_not_drawn",
        }
    }
}

/// Precedes the answer, so that nothing else written to standard output is mistaken for it.
const MARK: &[u8] = b"\x1esibyl-document\x1e";

/// What a child does with a file.
#[derive(Debug, Clone, Serialize, Deserialize)]
enum Task {
    /// Read it as the format of this name; the answer is a [`Document`].
    Read(String),
    /// Read it as PDF, with what OCR found on some of its pages; the answer is a [`Document`].
    ReadScanned(Scan),
    /// Read it as PDF; the answer is what each pass leaves of this page, a list of [`pdf::PassStep`].
    Passes(u32),
    /// Draw a page of it; the answer is a [`Drawn`].
    Draw { page: u32, width: u32 },
}

/// A page as a picture.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Drawn {
    /// Pixels across.
    pub width: u32,
    /// Pixels down.
    pub height: u32,
    /// The PNG file in Base64.
    pub png: String,
}

impl Drawn {
    /// The PNG file; `None` if it is damaged.
    pub fn png_bytes(&self) -> Option<Vec<u8>> {
        BASE64_STANDARD.decode(&self.png).ok()
    }
}

#[derive(Serialize, Deserialize)]
struct Question {
    task: Task,
    name: String,
    memory: u64,
    bytes: usize,
    page_metadata: Option<usize>,
    /// Passwords to try on the file. They come this way and no other: arguments and environment can be seen by others.
    passwords: Vec<String>,
}

/// Acts as a reader where the program was started as one, and says with which code to exit. Call it first thing
/// in `main`.
pub fn run_reader_if_asked() -> Option<ExitCode> {
    let asked = std::env::args_os().nth(1).is_some_and(|argument| argument == READER_ARGUMENT);
    asked.then(run_reader)
}

/// Reads one file from standard input and answers with its document.
pub fn run_reader() -> ExitCode {
    match answer() {
        Ok(()) => ExitCode::SUCCESS,
        Err(_) => ExitCode::FAILURE,
    }
}

fn answer() -> std::io::Result<()> {
    let mut input = std::io::stdin().lock();
    let mut length = [0; 4];
    input.read_exact(&mut length)?;
    let mut header = vec![0; u32::from_le_bytes(length) as usize];
    input.read_exact(&mut header)?;
    let question: Question = serde_json::from_slice(&header)?;
    limit_memory(question.memory);
    let mut bytes = vec![0; question.bytes];
    input.read_exact(&mut bytes)?;
    let mut metadata = vec![0; question.page_metadata.unwrap_or(0)];
    input.read_exact(&mut metadata)?;
    match question.task {
        Task::Read(format) => {
            let format = FORMATS.iter().find(|known| known.name() == format);
            let format =
                format.ok_or_else(|| std::io::Error::other("this program does not know the format"))?;
            let page_metadata = question.page_metadata.map(|_| metadata.as_slice());
            let input = Input { name: &question.name, bytes: &bytes, page_metadata };
            say(&format.read_locked(&input, &question.passwords))
        }
        Task::ReadScanned(scan) => say(&pdf::read_scanned(&bytes, &question.passwords, &scan)),
        Task::Passes(page) => say(&pdf::passes(&bytes, &question.passwords, page)),
        Task::Draw { page, width } => say(&drawn(bytes, page, width, &question.passwords)),
    }
}

fn say(answer: &impl Serialize) -> std::io::Result<()> {
    let mut output = std::io::stdout().lock();
    output.write_all(MARK)?;
    serde_json::to_writer(&mut output, answer)?;
    output.write_all(MARK)?;
    output.flush()
}

/// The page, or in words why it could not be drawn.
fn drawn(bytes: Vec<u8>, page: u32, width: u32, passwords: &[String]) -> Result<Drawn, String> {
    let picture = sibyl_page::draw(bytes, page, width, passwords).map_err(|error| error.to_string())?;
    Ok(Drawn { width: picture.width, height: picture.height, png: BASE64_STANDARD.encode(picture.png) })
}

#[cfg(unix)]
fn limit_memory(bytes: u64) {
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
    let current = getrlimit(Resource::As);
    let limit = current.maximum.map_or(bytes, |maximum| maximum.min(bytes));
    // A system that refuses the limit still has the limit on time.
    let _ = setrlimit(Resource::As, Rlimit { current: Some(limit), maximum: Some(limit) });
}

#[cfg(not(unix))]
fn limit_memory(_bytes: u64) {}

/// Reads `input` as `format` in a child of `program`, within `limit`. `passwords` are tried if it is locked.
///
/// # Errors
/// [`ReadError`] where the child gave no document.
pub async fn read(
    program: &ReaderProgram,
    format: &str,
    input: &Input<'_>,
    passwords: Vec<String>,
    limit: Duration,
) -> Result<Document, ReadError> {
    ask(program, Task::Read(format.to_owned()), input, passwords, limit).await
}

/// Reads the PDF `bytes` with what OCR found on the pages of `scan` in a child of `program`, within `limit`.
///
/// # Errors
/// [`ReadError`] where the child gave no document.
pub async fn read_scanned(
    program: &ReaderProgram,
    bytes: &[u8],
    scan: Scan,
    passwords: Vec<String>,
    limit: Duration,
) -> Result<Document, ReadError> {
    if *program == ReaderProgram::InProcess {
        let bytes = bytes.to_vec();
        let reading = tokio::task::spawn_blocking(move || pdf::read_scanned(&bytes, &passwords, &scan));
        return reading.await.map_err(|error| ReadError::Crashed(error.to_string()));
    }
    let input = Input { name: "", bytes, page_metadata: None };
    ask(program, Task::ReadScanned(scan), &input, passwords, limit).await
}

/// What each pass leaves of page `page` (from 1) of the PDF `bytes`, read in a child of `program` within `limit`.
///
/// # Errors
/// [`ReadError`] where the child gave no answer.
pub async fn passes(
    program: &ReaderProgram,
    bytes: Vec<u8>,
    page: u32,
    passwords: Vec<String>,
    limit: Duration,
) -> Result<Vec<pdf::PassStep>, ReadError> {
    if *program == ReaderProgram::InProcess {
        let reading = tokio::task::spawn_blocking(move || pdf::passes(&bytes, &passwords, page));
        return reading.await.map_err(|error| ReadError::Crashed(error.to_string()));
    }
    let input = Input { name: "", bytes: &bytes, page_metadata: None };
    ask(program, Task::Passes(page), &input, passwords, limit).await
}

/// Draws page `page` (from 1) of the PDF `bytes` about `width` pixels across in a child of `program`, within `limit`.
///
/// # Errors
/// [`ReadError`] where the child gave no picture.
pub async fn draw(
    program: &ReaderProgram,
    bytes: Vec<u8>,
    page: u32,
    width: u32,
    passwords: Vec<String>,
    limit: Duration,
) -> Result<Drawn, ReadError> {
    let answer: Result<Drawn, String> = if *program == ReaderProgram::InProcess {
        let drawing = tokio::task::spawn_blocking(move || drawn(bytes, page, width, &passwords));
        drawing.await.map_err(|error| ReadError::Crashed(error.to_string()))?
    } else {
        let input = Input { name: "", bytes: &bytes, page_metadata: None };
        ask(program, Task::Draw { page, width }, &input, passwords, limit).await?
    };
    answer.map_err(ReadError::NotDrawn)
}

/// Has a child of `program` do `task` with `input` within `limit`.
async fn ask<T: DeserializeOwned>(
    program: &ReaderProgram,
    task: Task,
    input: &Input<'_>,
    passwords: Vec<String>,
    limit: Duration,
) -> Result<T, ReadError> {
    let mut command = match program {
        ReaderProgram::Other { program, arguments, environment } => {
            let mut command = Command::new(program);
            command.args(arguments).env_clear().envs(environment.iter().map(|(name, value)| (name, value)));
            command
        }
        _ => {
            let itself = std::env::current_exe().map_err(|error| ReadError::NotStarted(error.to_string()))?;
            let mut command = Command::new(itself);
            command.arg(READER_ARGUMENT).env_clear();
            command
        }
    };
    command.envs(ENVIRONMENT.iter().filter_map(|name| Some((name, std::env::var_os(name)?))));
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).kill_on_drop(true);
    let mut child = command.spawn().map_err(|error| ReadError::NotStarted(error.to_string()))?;
    let (stdin, stdout, stderr) = (child.stdin.take(), child.stdout.take(), child.stderr.take());
    let (Some(mut stdin), Some(stdout), Some(stderr)) = (stdin, stdout, stderr) else {
        return Err(ReadError::NotStarted("it has no standard input and output".to_owned()));
    };
    let header = question(task, input, passwords)?;
    let most = answer_limit(input.bytes.len());
    let work = async {
        let send = async {
            // A child that died early closes the pipe; its own message is read below.
            let _ = stdin.write_all(&header).await;
            let _ = stdin.write_all(input.bytes).await;
            let _ = stdin.write_all(input.page_metadata.unwrap_or_default()).await;
            drop(stdin);
            Ok(())
        };
        let receive = async {
            let mut answer = Vec::new();
            let received = stdout.take(most + 1).read_to_end(&mut answer).await;
            if answer.len() as u64 > most {
                Err(ReadError::TooMuch(most >> 20))
            } else {
                Ok((received, answer))
            }
        };
        let listen = async { Ok(complaint(stderr).await) };
        let ((), (received, answer), complaint) = tokio::try_join!(send, receive, listen)?;
        Ok((received, answer, complaint, child.wait().await))
    };
    let work = tokio::time::timeout(limit, work).await;
    let (received, answer, complaint, status) = work.unwrap_or(Err(ReadError::Timeout(limit.as_secs())))?;
    if !complaint.is_empty() {
        tracing::warn!(complaint, "a reader wrote to its standard error");
    }
    if let (Ok(_), Some(said)) = (received, said(&answer)) {
        return Ok(said);
    }
    // What Rust says before it ends a program that gets no memory.
    if complaint.contains("memory allocation of") {
        return Err(ReadError::TooLarge(memory_limit(input.bytes.len()) >> 20));
    }
    let status = status.map_or_else(|error| error.to_string(), |status| status.to_string());
    let words = complaint.lines().find(|line| !line.trim().is_empty()).unwrap_or_default();
    Err(ReadError::Crashed(if words.is_empty() { status } else { format!("{status}: {words}") }))
}

/// Bytes of what a child says on its standard error that are kept.
const COMPLAINT: usize = 4 << 10;

/// The first words that a child says on its standard error; the rest is read too, since a full pipe would stop it.
pub(super) async fn complaint(mut stderr: impl AsyncRead + Unpin) -> String {
    let (mut kept, mut part) = (Vec::new(), [0; 4096]);
    // One that cannot be read any more has ended.
    while let Ok(count @ 1..) = stderr.read(&mut part).await {
        kept.extend_from_slice(&part[..count.min(COMPLAINT - kept.len())]);
    }
    String::from_utf8_lossy(&kept).trim().to_owned()
}

fn question(task: Task, input: &Input<'_>, passwords: Vec<String>) -> Result<Vec<u8>, ReadError> {
    let question = Question {
        task,
        name: input.name.to_owned(),
        memory: memory_limit(input.bytes.len()),
        bytes: input.bytes.len(),
        page_metadata: input.page_metadata.map(<[u8]>::len),
        passwords,
    };
    let json = serde_json::to_vec(&question).map_err(|error| ReadError::NotStarted(error.to_string()))?;
    let length = u32::try_from(json.len()).map_err(|error| ReadError::NotStarted(error.to_string()))?;
    Ok([&length.to_le_bytes(), json.as_slice()].concat())
}

/// The text between the markers.
fn said<T: DeserializeOwned>(answer: &[u8]) -> Option<T> {
    let find = |bytes: &[u8]| bytes.windows(MARK.len()).position(|window| window == MARK);
    let start = find(answer)? + MARK.len();
    let end = start + find(&answer[start..])?;
    serde_json::from_slice(&answer[start..end]).ok()
}
