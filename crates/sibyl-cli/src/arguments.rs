//! The arguments of the command line.
//!
//! Over 500 lines: one list, in the order of `--help`.

mod answers;
mod ask;
mod assess;
pub mod backup;
pub mod bin;
mod documents;
mod eval;
mod facts;
mod figures;
mod gold;
mod serve;
mod text;
pub mod watch;

pub use answers::Answers;
pub use ask::Ask;
pub use assess::{Assess, AssessCommand, AssessKeyCommand, ScopeArguments};
pub use documents::{Correct, Documents, DocumentsCommand, Same};
pub use eval::{Eval, EvalKind, Family, Matrix, MatrixSearch, NOW};
pub use facts::Facts;
pub use figures::Figures;
pub use gold::{Gold, GoldCommand};
pub use serve::{Mcp, Serve};

use crate::choice::choice;
use crate::filter::FilterArguments;
use clap::{Args, CommandFactory as _, FromArgMatches as _, Parser, Subcommand, ValueEnum};
use sibyl_api::{
    Edition, Fusion, LabelLanguage, LookupRequest, Mode, SearchRequest, copied_standards, shipped_names,
    source_type,
};
use std::ffi::OsString;
use std::io::IsTerminal as _;
use std::path::PathBuf;

const EXAMPLES: &str = "Examples:
  sibyl ingest                                    the shipped standards
  sibyl ingest reports/ --corpus annual-reports   a folder of reports
  sibyl search \"transition plan\" --explain        legs, ranks and the sum of each score
  sibyl ask \"who oversees climate risk\"          an answer, each sentence with its source
  sibyl paragraph 'S2.14(a)(iv)' --json           exactly one paragraph
  sibyl eval gold.jsonl --fail-below recall@5=0.8 retrieval against judged queries

Exit codes: 0 done, 1 failed or not found, 2 incorrect usage, 3 threshold missed, 130 interrupted.";

const INGEST_EXAMPLES: &str = "Examples:
  sibyl ingest                                              the shipped standards
  sibyl ingest handbook/ --base-url https://docs.example    a tree of Markdown, with links for citations
  sibyl ingest acme.pdf --report-id acme-2024               one report, with an id you choose
  sibyl ingest s2.pdf --licensed S2                         your own copy beside the explanations
  sibyl ingest notes/ --strategy recursive --set chunk_size=800
  sibyl ingest archive/ --ocr on                            scanned pages, too
  sibyl ingest board/ --password-file passwords.txt         locked PDF and Office files; passwords are not kept

Ctrl-C stops after the current file; `sibyl jobs resume NUMBER` continues. A second run ingests only what changed.
The exit code is 1 if a file failed; all other files are stored.

Formats: PDF (scanned pages by OCR, with Tesseract), Word (.docx), Excel (.xlsx), PowerPoint (.pptx), OpenDocument (.odt,
.ods), EPUB, HTML (filed reports with Inline XBRL, too), CSV, Markdown, plain text, and JSON lists of pages.";

const SEARCH_EXAMPLES: &str = "Examples:
  sibyl search \"who oversees climate risk\" --explain
  sibyl search 'S2.29(a)(vi)' --mode keyword
  sibyl search \"methane\" --source-type sasb --industry EM-EP -k 3
  sibyl search '\"transition plan\" AND NOT finance*' --structured --mode keyword
  sibyl search \"water use\" --why-not 5e6f8339742be401";

const LOOKUP_EXAMPLES: &str = "Examples:
  sibyl lookup \"transition plan assumptions\" --source-type ifrs_s2
  sibyl lookup --paragraph-id 'S2.14(a)(iv)'";

const PREVIEW_EXAMPLES: &str = "Examples:
  sibyl chunk-preview acme.pdf
  sibyl chunk-preview guide.md --strategy docs --set target_tokens=300 --set overlap_tokens=0
  sibyl chunk-preview acme.pdf --page 3                          the blocks of a page, in reading order
  sibyl chunk-preview acme.pdf --page 3 --overlay page-3.svg     the same drawn over the page
  sibyl chunk-preview acme.pdf --page 3 --passes                 the page after each pass of the reader";

const ANSWERS_EXAMPLES: &str = "Examples:
  sibyl answers                                  all questions, newest first
  sibyl answers show 4                           answer 4 with its sources
  sibyl answers replay 4                         what its search finds now
  sibyl answers export --format markdown";

const JOBS_EXAMPLES: &str = "Examples:
  sibyl jobs            all jobs, newest first
  sibyl jobs show 4     the files of job 4, with the cause of each failure
  sibyl jobs resume 4   continue where it stopped
  sibyl jobs retry 4    retry the files that failed";

const BACKUP_EXAMPLES: &str = "Examples:
  sibyl backup                                      all backups, newest first
  sibyl backup make                                 one more in the data folder
  sibyl backup make /mnt/usb/sibyl.sibyl            one in a file of your choice
  sibyl backup restore 2026-03-01T08-00-00Z.sibyl   restore it; the current library is kept beside it

The window and `sibyl serve` make backups automatically; see `sibyl settings backup_hours` and backup_keep.";

const WATCH_EXAMPLES: &str = "Examples:
  sibyl watch                                     all watched folders and their states
  sibyl watch add ~/reports --corpus reports      keep the corpus in step with the folder
  sibyl watch add /mnt/share --corpus filings --gone delete --every 60
  sibyl watch run 2                               ingest folder 2 now
  sibyl watch confirm 2                           delete what is held back in folder 2; `refuse` keeps it

Nothing is deleted because a drive is disconnected: if a folder is not the same folder as before, its documents stay. If
more than 5 % of a folder's documents are gone at once (but for one or two), they are held back for a day.";

/// Turns regulatory standards and company reports into an inspectable, searchable knowledge base.
#[derive(Debug, Parser)]
#[command(name = "sibyl", version, about, after_help = EXAMPLES, propagate_version = true)]
pub struct Arguments {
    #[command(flatten)]
    pub common: Common,
    #[command(subcommand)]
    pub command: Command,
}

/// Options of every command.
#[derive(Debug, Clone, Args)]
pub struct Common {
    /// Print JSON instead of text
    #[arg(long, global = true)]
    pub json: bool,
    /// Folder of the library [default: the system's folder for application data]
    #[arg(long, global = true, env = sibyl_api::door::DATA_DIR, value_name = "FOLDER")]
    pub data_dir: Option<PathBuf>,
    /// Workspace to work in
    #[arg(long, global = true, default_value = "default", value_name = "NAME")]
    pub workspace: String,
    /// Format of the log on standard error [default: text; json for a server]
    #[arg(long, global = true, value_enum)]
    pub log_format: Option<LogFormat>,
    /// Level of the log: error, warn, info, debug or trace, also per module [default: warn; `serve` logs each request]
    #[arg(long, global = true, value_name = "LEVEL")]
    pub log: Option<String>,
    /// Id of this run in the log
    #[arg(skip = sibyl_api::request_id())]
    pub request_id: String,
}

/// Format of the log.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum LogFormat {
    /// Readable lines.
    Text,
    /// One JSON object per line, with the request id.
    Json,
}

impl Arguments {
    /// Reads a command line, the program's name first.
    ///
    /// # Errors
    ///
    /// What clap reports, help and version included.
    pub fn read<T: Into<OsString> + Clone>(line: impl IntoIterator<Item = T>) -> Result<Self, clap::Error> {
        let mut command = text::with_text(Self::command());
        let matches = command.try_get_matches_from_mut(line)?;
        Self::from_arg_matches(&matches).map_err(|error| error.format(&mut command))
    }

    /// Sends the log to standard error.
    pub fn logging(&self) {
        let serves = matches!(self.command, Command::Serve(_));
        let usual = if serves { "warn,sibyl_server=info" } else { "warn" };
        let level = self.common.log.as_deref().unwrap_or(usual);
        let format = if serves { LogFormat::Json } else { LogFormat::Text };
        // Errors of every module pass, and with them the spans with the request id.
        let filter = tracing_subscriber::EnvFilter::try_new(format!("error,{level}"))
            .unwrap_or_else(|_| tracing_subscriber::EnvFilter::new("warn"));
        let log = tracing_subscriber::fmt()
            .with_env_filter(filter)
            .with_writer(std::io::stderr)
            .with_ansi(std::io::stderr().is_terminal())
            // If nobody reads the log, there is nobody to tell.
            .log_internal_errors(false);
        match self.common.log_format.unwrap_or(format) {
            LogFormat::Text => log.init(),
            LogFormat::Json => log.json().flatten_event(true).with_span_list(false).init(),
        }
    }
}

/// The commands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Ingest documents: chunk, store and embed them; without a path, the standards that ship with Sibyl
    Ingest(Ingest),
    /// Search by meaning and by keyword
    Search(Box<Search>),
    /// Ask a question; every sentence of the answer names its source
    Ask(Box<Ask>),
    /// List logged answers; show one, search for it again, or print the log
    #[command(after_help = ANSWERS_EXAMPLES)]
    Answers {
        #[command(subcommand)]
        command: Option<Answers>,
    },
    /// Show exactly one paragraph, topic or metric
    Paragraph {
        /// Identifier, such as 'S2.14(a)(iv)' or EM-EP-110a.1
        id: String,
        /// Edition of IFRS S2 [default: the one in force]
        #[arg(long, value_parser = choice::<Edition>())]
        edition: Option<Edition>,
    },
    /// Count the chunks of each source type
    Stats,
    /// Delete a corpus, a report, a document or everything of a source type
    Delete(bin::Delete),
    /// Restore deleted documents from the bin, or list what is in it
    Restore(bin::Restore),
    /// List documents, correct one, or say which of two are the same
    #[command(args_conflicts_with_subcommands = true)]
    Documents(Documents),
    /// List the chunks of a document, or show one chunk in full
    Chunks {
        /// Document number as `sibyl documents` shows it, or a chunk id
        id: String,
    },
    /// List values that filed reports tag in their text (Inline XBRL), by concept or value
    Facts(Facts),
    /// List numbers that reports give, by what they measure, each with its year, unit and place
    Figures(Figures),
    /// Hold reports against the requirements of standards: proposals, decisions, evidence packs
    Assess(Assess),
    /// Chunk a file without storing anything
    ChunkPreview(ChunkPreview),
    /// Search and format the result for a language model (rag_lookup)
    Lookup(Lookup),
    /// Serve the library over HTTP, to other programs and agents
    Serve(Serve),
    /// Speak MCP on standard input and output, for an agent program
    Mcp(Mcp),
    /// Measure retrieval with judged queries
    #[command(args_conflicts_with_subcommands = true)]
    Eval(Box<Eval>),
    /// List, import, export and delete gold sets
    Gold(Gold),
    /// Recreate the keyword index, references, fields of chunks and code files; vectors are never touched
    Rebuild,
    /// Free unused space in the library file
    Compact,
    /// Check the whole library and say how to fix what is wrong
    Doctor,
    /// Save what can be read of a damaged library; the damaged file is kept
    Rescue,
    /// List backups; make one or go back to one
    #[command(after_help = BACKUP_EXAMPLES)]
    Backup {
        #[command(subcommand)]
        command: Option<backup::Backup>,
    },
    /// List the models, how many vectors the library has from each, and whether the remote one has a key
    Models {
        /// List the models that the chat provider offers, with their prices
        #[arg(long)]
        chat: bool,
    },
    /// List settings, show one, or change one
    Settings(Settings),
    /// Show where provider keys come from; save, remove or test one
    Secret {
        #[command(subcommand)]
        command: Option<Secret>,
    },
    /// List, create and delete workspaces
    Workspace {
        #[command(subcommand)]
        command: Option<Workspace>,
    },
    /// List chunking strategies with their parameters
    Strategies,
    /// List jobs; pause, cancel, resume or retry one
    #[command(after_help = JOBS_EXAMPLES)]
    Jobs {
        #[command(subcommand)]
        command: Option<Jobs>,
    },
    /// Watch folders and ingest what changes in them
    #[command(after_help = WATCH_EXAMPLES)]
    Watch {
        #[command(subcommand)]
        command: Option<watch::Watch>,
    },
}

/// Options of `ingest`.
#[derive(Debug, Args)]
#[command(after_help = INGEST_EXAMPLES)]
pub struct Ingest {
    /// Files and folders
    pub paths: Vec<PathBuf>,
    /// Name of the corpus
    #[arg(long, help = format!("Name of the corpus; for the shipped standards: {}", shipped_names().join(", ")))]
    pub corpus: Option<String>,
    /// Chunking strategy (see `sibyl strategies`)
    #[arg(long)]
    pub strategy: Option<String>,
    /// A parameter of the strategy; may be repeated
    #[arg(long = "set", value_name = "NAME=VALUE")]
    pub settings: Vec<String>,
    /// Source type
    #[arg(long, help = format!("Source type: {}; by default, it depends on the files", source_type::names().join(", ")))]
    pub source_type: Option<String>,
    /// Your own licensed copy of a standard
    #[arg(
        long,
        value_name = "STANDARD",
        help = format!("Your own licensed copy of {}: private, linked to the explanations", copied_standards().join(" or "))
    )]
    pub licensed: Option<String>,
    /// Base URL for citation links
    #[arg(long)]
    pub base_url: Option<String>,
    /// Id of the report, if you ingest a single file
    #[arg(long)]
    pub report_id: Option<String>,
    /// Make the corpus visible in every workspace
    #[arg(long)]
    pub shared: bool,
    /// Allow the corpus to be sent to the remote model
    #[arg(long)]
    pub remote: bool,
    /// Ingest unchanged files again too
    #[arg(long)]
    pub force: bool,
    /// File with passwords of locked files, one per line; - reads standard input
    #[arg(long, value_name = "FILE")]
    pub password_file: Option<PathBuf>,
    /// Use OCR on pages that contain a picture but no text, with Tesseract [default: the setting ocr]
    #[arg(long, value_enum, value_name = "on|off")]
    pub ocr: Option<Switch>,
    /// Do not embed; only keyword search finds the chunks until you do
    #[arg(long)]
    pub no_embed: bool,
}

/// On or off.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Switch {
    /// Yes.
    On,
    /// No.
    Off,
}

/// Options of `search`.
#[derive(Debug, Args)]
#[command(after_help = SEARCH_EXAMPLES)]
pub struct Search {
    /// The query in natural language
    pub query: String,
    /// Kinds of search to run; hybrid, unless the library has another default (`search_…` in `sibyl settings`)
    #[arg(long, value_parser = choice::<Mode>())]
    pub mode: Option<Mode>,
    /// Maximum number of results
    #[arg(long, short = 'k', default_value_t = 10)]
    pub top_k: usize,
    /// Start from the built-in ranking, not from the default search of this library
    #[arg(long)]
    pub built_in: bool,
    #[command(flatten)]
    pub fusion: FusionArguments,
    /// Interpret AND, OR, NOT, "phrase" and prefix* as operators
    #[arg(long)]
    pub structured: bool,
    /// Do not correct the spelling of unknown words
    #[arg(long)]
    pub no_spelling: bool,
    /// Do not add words from the thesaurus
    #[arg(long)]
    pub no_thesaurus: bool,
    /// Do not include the counterpart of a good hit in the other standard
    #[arg(long)]
    pub no_counterparts: bool,
    /// Do not add words from the best passages to the keyword search
    #[arg(long)]
    pub no_feedback: bool,
    /// Keep near-duplicates
    #[arg(long)]
    pub no_dedupe: bool,
    /// Rerank with the configured provider
    #[arg(long)]
    pub rerank: bool,
    /// Minimum relevance of a hit (0 to 1)
    #[arg(long)]
    pub min_relevance: Option<f64>,
    /// Embedding space to search (see `sibyl models`)
    #[arg(long)]
    pub space: Option<String>,
    /// Explain why a chunk is not among the results; may be repeated
    #[arg(long, value_name = "CHUNK_ID")]
    pub why_not: Vec<String>,
    /// Show legs, contributions, terms and timings
    #[arg(long)]
    pub explain: bool,
    #[command(flatten)]
    pub filters: FilterArguments,
}

impl Search {
    /// As a request that ranks like `usual` wherever nothing else is said.
    pub fn over(self, usual: SearchRequest) -> SearchRequest {
        let usual = self.fusion.over(usual);
        SearchRequest {
            query: self.query,
            top_k: self.top_k,
            mode: self.mode.unwrap_or(usual.mode),
            filters: self.filters.into(),
            structured: self.structured,
            correct_spelling: usual.correct_spelling && !self.no_spelling,
            thesaurus: usual.thesaurus && !self.no_thesaurus,
            counterparts: usual.counterparts && !self.no_counterparts,
            feedback: usual.feedback && !self.no_feedback,
            dedupe: usual.dedupe && !self.no_dedupe,
            rerank: usual.rerank || self.rerank,
            min_relevance: self.min_relevance,
            space: self.space,
            pinned: self.why_not,
            ..usual
        }
    }
}

/// How the two legs are combined into one list.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Fusion")]
pub struct FusionArguments {
    /// How the two legs are combined into one list; the built-in ranking uses scores
    #[arg(long, value_parser = choice::<Fusion>())]
    pub fusion: Option<Fusion>,
    /// Share of the semantic leg in fusion by scores (0 to 1), 0.4 unless set; the keyword leg gets the rest
    #[arg(long)]
    pub semantic_share: Option<f64>,
    /// Constant of reciprocal rank fusion (with --fusion rrf), 60 unless set
    #[arg(long)]
    pub rrf_k: Option<u32>,
    /// Weight of the semantic leg in reciprocal rank fusion (with --fusion rrf), 1 unless set
    #[arg(long)]
    pub semantic_weight: Option<f64>,
    /// Weight of the keyword leg in reciprocal rank fusion (with --fusion rrf), 1 unless set
    #[arg(long)]
    pub keyword_weight: Option<f64>,
}

impl FusionArguments {
    /// `search` with the given values.
    pub fn over(&self, search: SearchRequest) -> SearchRequest {
        SearchRequest {
            fusion: self.fusion.unwrap_or(search.fusion),
            semantic_share: self.semantic_share.unwrap_or(search.semantic_share),
            rrf_k: self.rrf_k.unwrap_or(search.rrf_k),
            semantic_weight: self.semantic_weight.unwrap_or(search.semantic_weight),
            keyword_weight: self.keyword_weight.unwrap_or(search.keyword_weight),
            ..search
        }
    }
}

/// Options of `chunk-preview`.
#[derive(Debug, Args)]
#[command(after_help = PREVIEW_EXAMPLES)]
pub struct ChunkPreview {
    /// File to chunk
    pub path: PathBuf,
    /// File with passwords of locked files, one per line; - reads standard input
    #[arg(long, value_name = "FILE")]
    pub password_file: Option<PathBuf>,
    /// Chunking strategy (see `sibyl strategies`)
    #[arg(long)]
    pub strategy: Option<String>,
    /// A parameter of the strategy; may be repeated
    #[arg(long = "set", value_name = "NAME=VALUE")]
    pub settings: Vec<String>,
    /// Show how this page was read, instead of chunks (physical number, from 1)
    #[arg(long, value_name = "NUMBER", conflicts_with_all = ["strategy", "settings"])]
    pub page: Option<u32>,
    /// Write the page with its blocks drawn over it to this file (SVG); with --passes, what each pass left
    #[arg(long, value_name = "FILE", requires = "page")]
    pub overlay: Option<PathBuf>,
    /// Show the page after each pass of the reader, with the readings that were not taken
    #[arg(long, requires = "page")]
    pub passes: bool,
}

/// Options of `lookup`.
#[derive(Debug, Args)]
#[command(after_help = LOOKUP_EXAMPLES)]
pub struct Lookup {
    /// What you want to know
    #[arg(default_value = "")]
    pub query: String,
    /// Source types to search; may be repeated
    #[arg(long)]
    pub source_type: Vec<String>,
    /// Maximum number of results
    #[arg(long, short = 'k', default_value_t = 5)]
    pub top_k: usize,
    /// The exact paragraph to fetch
    #[arg(long)]
    pub paragraph_id: Option<String>,
    /// Report you are working on
    #[arg(long)]
    pub report_id: Option<String>,
    /// Edition of IFRS S2 [default: the one in force]
    #[arg(long, value_parser = choice::<Edition>())]
    pub edition: Option<Edition>,
}

impl From<Lookup> for LookupRequest {
    fn from(words: Lookup) -> Self {
        Self {
            query: words.query,
            source_types: (!words.source_type.is_empty()).then_some(words.source_type),
            top_k: words.top_k,
            paragraph_id: words.paragraph_id,
            report_id: words.report_id,
            edition: words.edition,
        }
    }
}

/// Options of `settings`.
#[derive(Debug, Args)]
pub struct Settings {
    /// Name of a setting
    pub name: Option<String>,
    /// New value
    #[arg(requires = "name")]
    pub value: Option<String>,
    /// Reset it to its default
    #[arg(long, requires = "name", conflicts_with = "value")]
    pub reset: bool,
}

/// What to do with provider keys.
#[derive(Debug, Clone, Copy, Subcommand)]
pub enum Secret {
    /// Show where each key comes from
    Status,
    /// Save a key from standard input in the system's keychain
    Set {
        /// Provider whose key it is
        #[arg(value_enum)]
        secret: SecretName,
    },
    /// Remove a key from the system's keychain
    Clear {
        /// Provider whose key it is
        #[arg(value_enum)]
        secret: SecretName,
    },
    /// Test key, model and base URL by sending one word to the provider
    Test {
        /// Provider whose key it is
        #[arg(value_enum)]
        secret: SecretName,
    },
}

/// Whose key it is.
#[derive(Debug, Clone, Copy, ValueEnum)]
pub enum SecretName {
    /// The embedding provider's
    Openrouter,
    /// The reranker's
    Rerank,
}

impl From<SecretName> for sibyl_api::Secret {
    fn from(name: SecretName) -> Self {
        match name {
            SecretName::Openrouter => Self::Openrouter,
            SecretName::Rerank => Self::Rerank,
        }
    }
}

/// What to do with workspaces.
#[derive(Debug, Subcommand)]
pub enum Workspace {
    /// List workspaces
    List,
    /// Create a workspace
    Create {
        /// Its name
        name: String,
        /// Language of source labels
        #[arg(long, default_value = "en", value_parser = choice::<LabelLanguage>())]
        language: LabelLanguage,
    },
    /// Delete a workspace with its private corpora and reviews
    Delete {
        /// Its name
        name: String,
    },
}

/// What to do with jobs.
#[derive(Debug, Subcommand)]
pub enum Jobs {
    /// List jobs
    List,
    /// Show a job and its files
    Show {
        /// Job number
        id: i64,
    },
    /// Pause a job until you resume it
    Pause {
        /// Job number
        id: i64,
    },
    /// Cancel a job
    Cancel {
        /// Job number
        id: i64,
    },
    /// Resume a job
    Resume {
        /// Job number
        id: i64,
    },
    /// Retry the failed files of a job
    Retry {
        /// Job number
        id: i64,
        /// Retry only this file, as numbered by `jobs show`
        #[arg(long, value_name = "N")]
        file: Option<i64>,
    },
}
