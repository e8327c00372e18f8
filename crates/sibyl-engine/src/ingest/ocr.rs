//! OCR: pages that hold a picture and no text, or text that cannot be read, are drawn and read by Tesseract. Several run
//! at once, each in a process of its own with limits on time and memory.
//!
//! Tesseract is no part of Sibyl: it is used if it is installed. What it reads goes through the same layout as the
//! text of other pages, and stays marked as read by OCR.

use super::raw::RawFile;
use crate::library::Library;
use crate::reader::{self, ENVIRONMENT, ReaderProgram};
use schemars::JsonSchema;
use serde::Serialize;
use sibyl_text::document::{Document, Notice, Severity};
use sibyl_text::format::hocr::{self, Scan, ScannedPage};
use sibyl_text::format::pdf::MENDED_BY_OCR;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::sync::{Arc, LazyLock};
use std::time::Duration;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::process::Command;
use tokio::sync::Semaphore;
use tokio::task::JoinSet;
use tracing::Instrument as _;

/// How to install it.
pub const INSTALL: &str = "install Tesseract (Debian and Ubuntu: `sudo apt install tesseract-ocr`; macOS: `brew install \
                           tesseract`; Windows: `winget install tesseract-ocr.tesseract`) and start Sibyl again";
/// Width in pixels of a drawn page: 290 to an inch on A4, where Tesseract wants 300.
const WIDTH: u32 = 2_400;
/// Time limit for a page.
const PAGE_TIME: Duration = Duration::from_secs(120);
/// Time limit for the program to say what it is.
const ASK_TIME: Duration = Duration::from_secs(10);
/// Maximum memory that it may map for a page, in bytes. Applied on Linux; elsewhere there is only the time limit.
#[cfg(target_os = "linux")]
const MEMORY: u64 = 2 << 30;
/// Maximum number of bytes read of its answer for a page.
const MOST: u64 = 16 << 20;
/// Language data without a language, which finds out how a page is turned.
const ORIENTATION: &str = "osd";
/// Seconds for a page on one core (measured on pages of 2,400 pixels).
pub(super) const SECONDS: f64 = 3.0;

/// Pages that are read at once in this program.
static CORES: LazyLock<Semaphore> = LazyLock::new(|| Semaphore::new(cores()));

pub(super) fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// The state of OCR on this machine.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct OcrState {
    /// Whether Tesseract was found.
    pub installed: bool,
    /// Languages it has data for, by the names of its files, such as `eng`.
    pub languages: Vec<String>,
    /// How to install it.
    pub install: String,
}

/// Whether and how pages without text are read by OCR.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ocr {
    /// The program.
    pub program: PathBuf,
    /// Languages of the pages, such as `eng+swe`.
    pub languages: String,
    /// Whether they are read.
    pub on: bool,
}

/// How far OCR is with a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OcrStep {
    /// Number of pages to read.
    Begun(usize),
    /// One of them was read, or could not be.
    PageDone,
}

impl Ocr {
    /// Languages that the program has data of; `None` if it is not there.
    pub async fn known_languages(&self) -> Option<Vec<String>> {
        let mut command = started(&self.program);
        command.arg("--list-langs").stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let said = tokio::time::timeout(ASK_TIME, command.output()).await.ok()?.ok()?;
        // Former versions say it on their standard error.
        let text = if said.stdout.is_empty() { said.stderr } else { said.stdout };
        let text = String::from_utf8_lossy(&text);
        let lines = text.lines().skip(1).map(str::trim);
        Some(lines.filter(|line| !line.is_empty()).map(str::to_owned).collect())
    }

    /// Whether it would read more of `document` than was read.
    pub fn adds_to(&self, document: &Document) -> bool {
        let read = document.recognition.as_ref();
        let other = read.is_some_and(|read| read.languages != self.languages);
        let unread = |page: &u32| read.is_none_or(|read| !read.pages.contains(page));
        self.on && (other || document.pages_for_ocr().iter().any(unread))
    }

    /// `document` with those of its pages read that need it, or with the reason why they were not. `heard` hears of each
    /// page.
    pub(super) async fn complete(
        &self,
        program: &ReaderProgram,
        file: &Arc<RawFile>,
        passwords: &[String],
        mut document: Document,
        heard: &(dyn Fn(OcrStep) + Sync),
    ) -> Document {
        let empty = document.pages_for_ocr();
        if empty.is_empty() {
            return document;
        }
        if !self.on {
            advise(&mut document, "ingest it again with OCR on (`--ocr on`, or OCR in Settings)");
            return document;
        }
        let Some(known) = self.known_languages().await else {
            advise(&mut document, INSTALL);
            return document;
        };
        let wanted: Vec<&str> =
            self.languages.split('+').map(str::trim).filter(|name| !name.is_empty()).collect();
        let missing: Vec<&str> =
            wanted.iter().copied().filter(|name| known.iter().all(|known| known != name)).collect();
        if wanted.is_empty() || !missing.is_empty() {
            let known = known.join(", ");
            let message = if wanted.is_empty() {
                format!("No OCR language is set; choose from {known} in Settings")
            } else {
                format!(
                    "Tesseract has no data for the language {}; choose from {known} in Settings, or install it (Debian \
                     and Ubuntu: `sudo apt install tesseract-ocr-LANGUAGE`)",
                    missing.join(", ")
                )
            };
            document.notices.push(Notice::new(Severity::Warning, "ocr_language_missing", message));
            return document;
        }
        let task = PageTask {
            program: self.program.clone(),
            reader: program.clone(),
            file: Arc::clone(file),
            passwords: passwords.to_vec(),
            languages: wanted.join("+"),
            turned: known.iter().any(|known| known == ORIENTATION),
        };
        let mut scan = Scan { languages: self.languages.clone(), pages: Vec::new() };
        let mut failed = Vec::new();
        let mut reading = JoinSet::new();
        heard(OcrStep::Begun(empty.len()));
        for page in document.pages.iter().filter(|page| empty.contains(&page.number)) {
            let (task, number, size) = (task.clone(), page.number, page.size);
            let page = async move { (number, task.page(number, size).await) };
            reading.spawn(page.in_current_span());
        }
        while let Some(read) = reading.join_next().await {
            heard(OcrStep::PageDone);
            match read {
                Ok((_, Ok(page))) => scan.pages.push(page),
                Ok((number, Err(cause))) => failed.push((number, cause)),
                Err(error) => tracing::warn!("a page could not be read by OCR: {error}"),
            }
        }
        scan.pages.sort_unstable_by_key(|page| page.number);
        failed.sort_unstable();
        if !scan.pages.is_empty() {
            let limit = reader::time_limit(file.bytes.len());
            match reader::read_scanned(program, &file.bytes, scan, passwords.to_vec(), limit).await {
                Ok(read) => document = read,
                Err(error) => {
                    document.notices.push(Notice::new(Severity::Warning, error.code(), error.to_string()));
                }
            }
        }
        for (number, cause) in failed {
            let message = format!("could not be read by OCR: {cause}; the rest of the document was read");
            document.notices.push(Notice::new(Severity::Warning, "ocr_failed", message).on_page(number));
        }
        document
    }
}

/// Adds to the notices about what OCR mends what to do.
fn advise(document: &mut Document, cure: &str) {
    for notice in document.notices.iter_mut().filter(|notice| MENDED_BY_OCR.contains(&&*notice.code)) {
        notice.message = format!("{}; {cure}", notice.message);
    }
}

/// How the pages of one file are read.
#[derive(Clone)]
struct PageTask {
    program: PathBuf,
    reader: ReaderProgram,
    file: Arc<RawFile>,
    passwords: Vec<String>,
    languages: String,
    /// Whether pages that lie on their side are recognised.
    turned: bool,
}

impl PageTask {
    /// Draws page `number` of `size` points and reads it.
    async fn page(&self, number: u32, size: Option<(f32, f32)>) -> Result<ScannedPage, String> {
        let Ok(_core) = CORES.acquire().await else { return Err("it was stopped".to_owned()) };
        let (bytes, passwords) = (self.file.bytes.clone(), self.passwords.clone());
        let drawn = reader::draw(&self.reader, bytes, number, WIDTH, passwords, PAGE_TIME);
        let picture = drawn.await.map_err(|error| error.to_string())?;
        let png = picture.png_bytes().ok_or("its picture is damaged")?;
        let scale = size.map_or(0.25, |(width, _)| width / picture.width.max(1) as f32);
        let answer = self.read(&png, (72.0 / scale.max(0.01)).round() as u32);
        let hocr = tokio::time::timeout(PAGE_TIME, answer)
            .await
            .map_err(|_| format!("it took longer than {} seconds", PAGE_TIME.as_secs()))??;
        hocr::read(&hocr, number, scale).map_err(|error| format!("Tesseract's answer is damaged ({error})"))
    }

    /// What Tesseract says of a picture of `resolution` pixels to an inch.
    async fn read(&self, png: &[u8], resolution: u32) -> Result<String, String> {
        let mut command = started(&self.program);
        command.args([
            "stdin",
            "stdout",
            "-l",
            &self.languages,
            "--dpi",
            &resolution.clamp(70, 2400).to_string(),
        ]);
        command.args(["--psm", if self.turned { "1" } else { "3" }, "hocr"]);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).kill_on_drop(true);
        let mut process =
            command.spawn().map_err(|error| format!("Tesseract cannot be started ({error})"))?;
        limit_memory(&process);
        let (Some(mut stdin), Some(stdout), Some(stderr)) =
            (process.stdin.take(), process.stdout.take(), process.stderr.take())
        else {
            return Err("Tesseract has no standard input and output".to_owned());
        };
        let send = async {
            // A process that died early closes the pipe; its own message is read below.
            let _ = stdin.write_all(png).await;
            drop(stdin);
            Ok(())
        };
        // A process that answers without end may never accept its picture, so nothing else waits for that.
        let receive = async {
            let mut answer = Vec::new();
            let received = stdout.take(MOST + 1).read_to_end(&mut answer).await;
            if answer.len() as u64 > MOST {
                return Err(format!("Tesseract answered with more than {} MB", MOST >> 20));
            }
            Ok(received.map(|_| answer))
        };
        let complain = async { Ok(reader::complaint(stderr).await) };
        let ((), received, complaint) = tokio::try_join!(send, receive, complain)?;
        let status = process.wait().await.map_err(|error| error.to_string())?;
        let answer = received.ok().filter(|_| status.success());
        let Some(answer) = answer else {
            let words = complaint.lines().last().unwrap_or_default();
            return Err(format!("Tesseract stopped ({status}) {words}").trim_end().to_owned());
        };
        String::from_utf8(answer).map_err(|_| "Tesseract's output is not text".to_owned())
    }
}

/// A start of the program with what it needs of our environment, on one core.
fn started(program: &Path) -> Command {
    let mut command = Command::new(program);
    let kept = ENVIRONMENT.iter().chain(&["PATH", "TESSDATA_PREFIX", "HOME"]);
    command.env_clear().envs(kept.filter_map(|name| Some((name, std::env::var_os(name)?))));
    // Several pages at once use the cores better than several threads for one page.
    command.env("OMP_THREAD_LIMIT", "1").kill_on_drop(true);
    command
}

#[cfg(target_os = "linux")]
fn limit_memory(process: &tokio::process::Child) {
    use rustix::process::{Pid, Resource, Rlimit, prlimit};
    let pid = process.id().and_then(|id| Pid::from_raw(i32::try_from(id).ok()?));
    let limit = Rlimit { current: Some(MEMORY), maximum: Some(MEMORY) };
    // It waits for its picture, so the limit is in place before the work. If it is refused, the time limit
    // remains.
    let _ = pid.map(|pid| prlimit(Some(pid), Resource::As, limit));
}

#[cfg(not(target_os = "linux"))]
fn limit_memory(_process: &tokio::process::Child) {}

impl Library {
    /// OCR as the settings have it. `asked` is what was said about it for these files, `before` whether OCR read
    /// them last time. If nobody asks again, what OCR read is not lost.
    ///
    /// # Errors
    /// Storage errors.
    pub(crate) async fn ocr(&self, asked: Option<bool>, before: bool) -> crate::Result<Ocr> {
        let settings = self.settings().await?;
        let on = asked.unwrap_or(match settings.text("ocr") {
            "on" => true,
            "ask" => before,
            _ => false,
        });
        let languages = settings.text("ocr_languages").to_owned();
        Ok(Ocr { program: self.options().tesseract.clone(), languages, on })
    }

    /// The state of OCR on this machine.
    ///
    /// # Errors
    /// Storage errors.
    pub async fn ocr_state(&self) -> crate::Result<OcrState> {
        let mut languages = self.ocr(None, false).await?.known_languages().await;
        if let Some(known) = &mut languages {
            known.retain(|name| name != ORIENTATION);
        }
        Ok(OcrState {
            installed: languages.is_some(),
            languages: languages.unwrap_or_default(),
            install: INSTALL.to_owned(),
        })
    }
}
