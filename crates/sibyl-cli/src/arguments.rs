//! The words of the command line.

mod eval;

pub use eval::{Eval, EvalKind};

use crate::filter::FilterArguments;
use clap::{Args, Parser, Subcommand, ValueEnum};
use std::io::IsTerminal as _;
use std::path::PathBuf;

const EXAMPLES: &str = "Examples:
  sibyl ingest                                    the shipped standards
  sibyl ingest reports/ --corpus annual-reports   a folder of reports
  sibyl search \"transition plan\" --explain        legs, ranks and the sum of each score
  sibyl paragraph 'S2.14(a)(iv)' --json           exactly one paragraph
  sibyl eval gold.jsonl --fail-below recall@5=0.8 retrieval against judged queries

Exit codes: 0 done, 1 failed or not found, 2 wrong usage, 3 a threshold was missed, 130 interrupted.";

const INGEST_EXAMPLES: &str = "Examples:
  sibyl ingest                                              the shipped standards
  sibyl ingest handbook/ --base-url https://docs.example    a tree of Markdown, with links for citations
  sibyl ingest acme.pdf --report-id acme-2024               one report under an id of its own
  sibyl ingest s2.pdf --licensed S2                         your own copy beside the explanations
  sibyl ingest notes/ --strategy recursive --set chunk_size=800

Ctrl-C stops after the file at hand; `sibyl jobs resume NUMBER` goes on. A second run reads only what changed.
Exit code 1 where a file failed; every other file is stored.";

const SEARCH_EXAMPLES: &str = "Examples:
  sibyl search \"who oversees climate risk\" --explain
  sibyl search 'S2.29(a)(vi)' --mode keyword
  sibyl search \"methane\" --source-type sasb --industry EM-EP -k 3
  sibyl search '\"transition plan\" AND NOT finance*' --structured --mode keyword
  sibyl search \"water use\" --why-not 5e6f8339742be401";

const LOOKUP_EXAMPLES: &str = "Examples:
  sibyl lookup \"transition plan assumptions\" --source-type ifrs_s2
  sibyl lookup --paragraph-id 'S2.14(a)(iv)'";

const DELETE_EXAMPLES: &str = "Examples:
  sibyl delete --report acme-2024
  sibyl delete --corpus handbook
  sibyl delete --source-type ifrs_s1

Vectors stay, so that what is ingested again is not embedded again.";

const PREVIEW_EXAMPLES: &str = "Examples:
  sibyl chunk-preview acme.pdf
  sibyl chunk-preview guide.md --strategy docs --set target_tokens=300 --set overlap_tokens=0";

const JOBS_EXAMPLES: &str = "Examples:
  sibyl jobs            every job, the newest first
  sibyl jobs show 4     its files, with the cause of each failure
  sibyl jobs resume 4   go on where it stopped
  sibyl jobs retry 4    try the files that failed again";

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
    /// Folder of the library [default: the system's place for application data]
    #[arg(long, global = true, env = sibyl_api::door::DATA_DIR, value_name = "FOLDER")]
    pub data_dir: Option<PathBuf>,
    /// Workspace to work in
    #[arg(long, global = true, default_value = "default", value_name = "NAME")]
    pub workspace: String,
    /// Format of the log on standard error
    #[arg(long, global = true, value_enum, default_value = "text")]
    pub log_format: LogFormat,
    /// What is logged: error, warn, info, debug or trace, also per module
    #[arg(long, global = true, default_value = "warn", value_name = "LEVEL")]
    pub log: String,
    /// Id of this run in the log
    #[arg(skip = sibyl_api::request_id())]
    pub request_id: String,
}

/// Format of the log.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum LogFormat {
    /// Lines for people.
    Text,
    /// One JSON object a line, with the request id.
    Json,
}

impl Arguments {
    /// Sends the log to standard error.
    pub fn logging(&self) {
        // Errors of every module pass, and with them the spans that carry the request id.
        let filter = tracing_subscriber::EnvFilter::try_new(format!("error,{}", self.common.log))
            .unwrap_or_else(|_| tracing_subscriber::EnvFilter::new("warn"));
        let log = tracing_subscriber::fmt()
            .with_env_filter(filter)
            .with_writer(std::io::stderr)
            .with_ansi(std::io::stderr().is_terminal())
            // Where nobody reads the log there is nobody to be told so.
            .log_internal_errors(false);
        match self.common.log_format {
            LogFormat::Text => log.init(),
            LogFormat::Json => log.json().flatten_event(true).with_span_list(false).init(),
        }
    }
}

/// The commands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Read, cut, store and embed documents; the shipped standards where no path is given
    Ingest(Ingest),
    /// Search by meaning and by words
    Search(Box<Search>),
    /// Show exactly one paragraph, topic or metric
    Paragraph {
        /// Identifier, such as 'S2.14(a)(iv)' or EM-EP-110a.1
        id: String,
    },
    /// Count chunks by source type
    Stats,
    /// Delete a corpus, a report, a document or everything of a source type
    Delete(Delete),
    /// List documents
    Documents {
        /// Only those of one corpus
        #[arg(long)]
        corpus: Option<String>,
    },
    /// List the chunks of a document, or show one chunk in full
    Chunks {
        /// Document number as `sibyl documents` shows it, or a chunk id
        id: String,
    },
    /// Cut a file without storing anything
    ChunkPreview(ChunkPreview),
    /// Search and format the result for a language model (rag_lookup)
    Lookup(Lookup),
    /// Measure retrieval against judged queries
    #[command(args_conflicts_with_subcommands = true)]
    Eval(Eval),
    /// Make keyword index, keys and code files anew; vectors are never touched
    Rebuild,
    /// Give back the room in the library file that nothing uses
    Compact,
    /// Verify the whole library and say how to mend it
    Doctor,
    /// List models and how many vectors the library has of each, and whether there is a key for the remote one
    Models,
    /// List settings, show one, or change it
    Settings(Settings),
    /// Show where keys of providers come from, or keep, forget and try one
    Secret {
        #[command(subcommand)]
        command: Option<Secret>,
    },
    /// List, make and delete workspaces
    Workspace {
        #[command(subcommand)]
        command: Option<Workspace>,
    },
    /// List chunking strategies with their parameters
    Strategies,
    /// List jobs, or pause, cancel, resume and retry one
    #[command(after_help = JOBS_EXAMPLES)]
    Jobs {
        #[command(subcommand)]
        command: Option<Jobs>,
    },
}

/// Options of `ingest`.
#[derive(Debug, Args)]
#[command(after_help = INGEST_EXAMPLES)]
pub struct Ingest {
    /// Files and folders
    pub paths: Vec<PathBuf>,
    /// Name of the corpus; for the shipped standards: all, ifrs or sasb
    #[arg(long)]
    pub corpus: Option<String>,
    /// Chunking strategy (see `sibyl strategies`)
    #[arg(long)]
    pub strategy: Option<String>,
    /// A parameter of the strategy; may be repeated
    #[arg(long = "set", value_name = "NAME=VALUE")]
    pub settings: Vec<String>,
    /// Source type: report, docs, text …; else it follows from the files
    #[arg(long)]
    pub source_type: Option<String>,
    /// Your own licensed copy of S1 or S2: private, linked to the explanations
    #[arg(long, value_name = "STANDARD")]
    pub licensed: Option<String>,
    /// Base URL of citation links
    #[arg(long)]
    pub base_url: Option<String>,
    /// Id of the report, where one file is ingested
    #[arg(long)]
    pub report_id: Option<String>,
    /// Let every workspace see the corpus
    #[arg(long)]
    pub shared: bool,
    /// Allow the corpus to be sent to the remote model
    #[arg(long)]
    pub remote: bool,
    /// Read and cut again what did not change
    #[arg(long)]
    pub force: bool,
    /// Do not embed; search by words only until vectors are made
    #[arg(long)]
    pub no_embed: bool,
}

/// Options of `search`.
#[derive(Debug, Args)]
#[command(after_help = SEARCH_EXAMPLES)]
pub struct Search {
    /// The query in natural language
    pub query: String,
    /// Which legs run
    #[arg(long, value_enum, default_value = "hybrid")]
    pub mode: Mode,
    /// Most results to return
    #[arg(long, short = 'k', default_value_t = 10)]
    pub top_k: usize,
    /// Constant of reciprocal rank fusion
    #[arg(long, default_value_t = 60)]
    pub rrf_k: u32,
    /// Weight of the semantic leg
    #[arg(long, default_value_t = 1.0)]
    pub semantic_weight: f64,
    /// Weight of the keyword leg
    #[arg(long, default_value_t = 1.0)]
    pub keyword_weight: f64,
    /// Read the query as AND / OR / NOT / "phrase" / prefix*
    #[arg(long)]
    pub structured: bool,
    /// Do not match unknown words to their nearest known words
    #[arg(long)]
    pub no_spelling: bool,
    /// Do not expand words from the thesaurus
    #[arg(long)]
    pub no_thesaurus: bool,
    /// Do not let the counterpart of a good hit in the other standard follow it
    #[arg(long)]
    pub no_counterparts: bool,
    /// Keep near-duplicates
    #[arg(long)]
    pub no_dedupe: bool,
    /// Rerank with the configured provider
    #[arg(long)]
    pub rerank: bool,
    /// Drop hits whose relevance (0 to 1) is below this
    #[arg(long)]
    pub min_relevance: Option<f64>,
    /// Space to search (see `sibyl models`)
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

/// Which legs run.
#[derive(Debug, Clone, Copy, ValueEnum)]
pub enum Mode {
    /// By meaning only
    Semantic,
    /// By words only
    Keyword,
    /// Both, fused
    Hybrid,
}

impl Mode {
    /// Its wire name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Semantic => "semantic",
            Self::Keyword => "keyword",
            Self::Hybrid => "hybrid",
        }
    }
}

/// What `delete` deletes.
#[derive(Debug, Args)]
#[command(after_help = DELETE_EXAMPLES)]
#[group(required = true, multiple = false)]
pub struct Delete {
    /// A corpus by name
    #[arg(long)]
    pub corpus: Option<String>,
    /// A document by number
    #[arg(long)]
    pub document: Option<i64>,
    /// A report by its id
    #[arg(long)]
    pub report: Option<String>,
    /// Everything of a source type, such as ifrs_s1
    #[arg(long)]
    pub source_type: Option<String>,
}

/// Options of `chunk-preview`.
#[derive(Debug, Args)]
#[command(after_help = PREVIEW_EXAMPLES)]
pub struct ChunkPreview {
    /// File to cut
    pub path: PathBuf,
    /// Chunking strategy (see `sibyl strategies`)
    #[arg(long)]
    pub strategy: Option<String>,
    /// A parameter of the strategy; may be repeated
    #[arg(long = "set", value_name = "NAME=VALUE")]
    pub settings: Vec<String>,
}

/// Options of `lookup`.
#[derive(Debug, Args)]
#[command(after_help = LOOKUP_EXAMPLES)]
pub struct Lookup {
    /// What information is needed
    #[arg(default_value = "")]
    pub query: String,
    /// Source types to search; may be repeated
    #[arg(long)]
    pub source_type: Vec<String>,
    /// Most results
    #[arg(long, short = 'k', default_value_t = 5)]
    pub top_k: usize,
    /// The exact paragraph to fetch
    #[arg(long)]
    pub paragraph_id: Option<String>,
    /// The report that is worked on
    #[arg(long)]
    pub report_id: Option<String>,
}

/// Options of `settings`.
#[derive(Debug, Args)]
pub struct Settings {
    /// Name of a setting
    pub name: Option<String>,
    /// Value to give it
    #[arg(requires = "name")]
    pub value: Option<String>,
    /// Bring its default back
    #[arg(long, requires = "name", conflicts_with = "value")]
    pub reset: bool,
}

/// What is done with keys of providers.
#[derive(Debug, Clone, Copy, Subcommand)]
pub enum Secret {
    /// Show where each key comes from
    Status,
    /// Keep a key, read from standard input, in the keychain of the system
    Set {
        /// Whose key
        #[arg(value_enum)]
        secret: SecretName,
    },
    /// Remove a key from the keychain of the system
    Clear {
        /// Whose key
        #[arg(value_enum)]
        secret: SecretName,
    },
    /// Send one word to the provider to see whether key, model and base URL work
    Test {
        /// Whose key
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

impl SecretName {
    /// Its wire name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Openrouter => "openrouter",
            Self::Rerank => "rerank",
        }
    }
}

/// What is done with workspaces.
#[derive(Debug, Subcommand)]
pub enum Workspace {
    /// List workspaces
    List,
    /// Make a workspace
    Create {
        /// Its name
        name: String,
        /// Language of source labels
        #[arg(long, default_value = "en", value_parser = ["en", "sv"])]
        language: String,
    },
    /// Delete a workspace with its private corpora and reviews
    Delete {
        /// Its name
        name: String,
    },
}

/// What is done with jobs.
#[derive(Debug, Subcommand)]
pub enum Jobs {
    /// List jobs
    List,
    /// Show a job and its files
    Show {
        /// Job number
        id: i64,
    },
    /// Stop a job until it is resumed
    Pause {
        /// Job number
        id: i64,
    },
    /// Give a job up
    Cancel {
        /// Job number
        id: i64,
    },
    /// Go on with a job
    Resume {
        /// Job number
        id: i64,
    },
    /// Try the failed files of a job again
    Retry {
        /// Job number
        id: i64,
        /// Position of the one file to try, as `jobs show` numbers them
        #[arg(long, value_name = "N")]
        file: Option<i64>,
    },
}
