//! The arguments of `eval`.

use super::FusionArguments;
use crate::choice::choice;
use clap::{Args, Subcommand, ValueEnum};
use sibyl_api::command::evaluate::{BeirInput, GoldInput};
use sibyl_api::{Fusion, Mode, SearchRequest, SignificanceTest};
use std::path::PathBuf;

const EVAL_EXAMPLES: &str = "Examples:
  sibyl eval gold.jsonl --fail-below recall@5=0.8
  sibyl eval gold.jsonl --fail-above tokens@5=800 --fail-above latency_ms=50
  sibyl eval gold.jsonl --modes keyword --measure ndcg@10          keyword only: needs no vectors
  sibyl eval gold.jsonl --modes hybrid --fusion rrf                another fusion
  sibyl eval answers questions.jsonl --misses                      answers instead of rankings
  sibyl eval beir scifact/ --split test --scratch /tmp/scifact     a second run embeds nothing twice
  sibyl eval gold.jsonl --save before                              keep the run
  sibyl eval gold.jsonl --against before --junit report.xml        fail if significantly worse
  sibyl eval runs                                                  the runs that were kept
  sibyl eval compare before after                                  differences, intervals, tests
  sibyl eval matrix gold --corpus guide --chunking now --chunking recursive:chunk_size=800 --search keyword,scores

The exit code is 3 if a threshold is missed or a measure is significantly worse than that of --against.";

/// Options of `eval`.
#[derive(Debug, Args)]
#[command(after_help = EVAL_EXAMPLES)]
pub struct Eval {
    #[command(subcommand)]
    pub beir: Option<EvalKind>,
    /// Judged queries, one JSON object per line, or the name of a gold set
    #[arg(required = true)]
    pub gold: Option<PathBuf>,
    #[command(flatten)]
    pub options: EvalOptions,
}

/// Other things to measure.
#[derive(Debug, Subcommand)]
pub enum EvalKind {
    /// Check whether answers and their sources are right, with questions whose answers are known or with judged queries
    Answers {
        /// Questions, one JSON object per line
        path: PathBuf,
        /// Generator of the answers: extractive or chat [default: the setting answer_generator]
        #[arg(long)]
        generator: Option<String>,
        /// Also print what was answered wrongly
        #[arg(long)]
        misses: bool,
    },
    /// Evaluate a collection in BEIR layout in a scratch library
    Beir {
        /// Folder with corpus.jsonl, queries.jsonl and qrels/
        folder: PathBuf,
        /// Split whose queries are used, qrels/SPLIT.tsv [default: test, or the only one]
        #[arg(long)]
        split: Option<String>,
        /// Folder that keeps the scratch library, so that a second run embeds nothing twice
        #[arg(long)]
        scratch: Option<PathBuf>,
        #[command(flatten)]
        options: EvalOptions,
    },
    /// List the kept runs
    Runs {
        /// Only those of this gold set
        #[arg(long, value_name = "NAME")]
        set: Option<String>,
    },
    /// Compare kept runs, each by name or number
    Compare {
        /// Baseline run
        baseline: String,
        /// Candidate runs
        #[arg(required = true)]
        candidates: Vec<String>,
        /// Measures, such as ndcg@10; may be repeated [default: all that both have]
        #[arg(long = "measure", value_name = "MEASURE")]
        measures: Vec<String>,
        /// The test
        #[arg(long, value_parser = choice::<SignificanceTest>(), default_value = "randomisation")]
        test: SignificanceTest,
        /// Which comparisons with the baseline to correct p-values for
        #[arg(long, value_enum, default_value_t)]
        correct_for: Family,
    },
    /// Measure ways of chunking by ways of searching, without touching the library
    Matrix(Matrix),
    /// Print a run in TREC format
    Export {
        /// Its name or number
        run: String,
    },
    /// Import another system's run in TREC format
    Import {
        /// The file
        path: PathBuf,
        /// Gold set that the run was made with
        #[arg(long, value_name = "NAME")]
        set: String,
        /// Name of the run [default: that of the file]
        #[arg(long)]
        name: Option<String>,
        /// Import nothing if a result is listed twice, or the run answers queries that the set does not have
        #[arg(long)]
        strict: bool,
    },
    /// Delete a run
    Delete {
        /// Its name or number
        run: String,
    },
}

/// What a matrix combines.
#[derive(Debug, Args)]
pub struct Matrix {
    /// Name of the gold set
    pub set: String,
    /// Corpus that is chunked and searched; may be repeated
    #[arg(long = "corpus", value_name = "NAME", required = true)]
    pub corpora: Vec<String>,
    /// Way of chunking, such as recursive:chunk_size=800,chunk_overlap=80; `now` for the corpora as they are; may
    /// be repeated
    #[arg(long = "chunking", value_name = "STRATEGY[:NAME=VALUE,…]", default_value = NOW)]
    pub cuts: Vec<String>,
    /// Ways of searching
    #[arg(long = "search", value_enum, value_delimiter = ',', default_values = ["keyword", "semantic", "scores"])]
    pub searches: Vec<MatrixSearch>,
    /// Embedding model, by name or space; may be repeated [default: the best in use]
    #[arg(long = "model", value_name = "MODEL")]
    pub models: Vec<String>,
    /// Measure to compare combinations by
    #[arg(long, value_name = "MEASURE", default_value = "ndcg@10")]
    pub measure: String,
    /// Show the cost without running anything
    #[arg(long)]
    pub dry_run: bool,
    /// Run it even if a provider charges for it
    #[arg(long)]
    pub yes: bool,
}

/// The corpora as they are chunked in the library.
pub const NOW: &str = "now";

/// A way of searching.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum MatrixSearch {
    /// By words
    Keyword,
    /// By meaning
    Semantic,
    /// Both, fused by their scores
    Scores,
    /// Both, fused by their ranks
    Rrf,
    /// Both, fused by their scores and reranked
    Rerank,
}

impl MatrixSearch {
    /// Its name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Keyword => "keyword",
            Self::Semantic => "semantic",
            Self::Scores => "scores",
            Self::Rrf => "rrf",
            Self::Rerank => "rerank",
        }
    }

    /// As a search with the model of `space`; if none is named, with the best in use.
    pub fn request(self, space: Option<&str>) -> SearchRequest {
        let mode = match self {
            Self::Keyword => Mode::Keyword,
            Self::Semantic => Mode::Semantic,
            Self::Scores | Self::Rrf | Self::Rerank => Mode::Hybrid,
        };
        let fusion = if self == Self::Rrf { Fusion::Rrf } else { Fusion::Scores };
        let (rerank, space) = (self == Self::Rerank, space.map(str::to_owned));
        SearchRequest { mode, fusion, rerank, space, ..SearchRequest::default() }
    }
}

/// Comparisons that p-values are corrected for together.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub enum Family {
    /// Every stored run on the baseline's gold set with the same queries and labels
    #[default]
    Set,
    /// Only the named candidates
    Named,
}

/// Options of every evaluation.
#[derive(Debug, Clone, Args)]
pub struct EvalOptions {
    /// Modes to measure; keyword alone needs no vectors [default: all three]
    #[arg(long, value_parser = choice::<Mode>(), value_delimiter = ',')]
    pub modes: Vec<Mode>,
    /// Fail (exit code 3) if a measure is below a value, such as recall@5=0.9 (in hybrid mode) or
    /// semantic:ndcg@10=0.6; may be repeated
    #[arg(long, value_name = "MEASURE=VALUE")]
    pub fail_below: Vec<String>,
    /// Fail (exit code 3) if a measure that should be low is above a value, such as tokens@5=800 (in hybrid mode) or
    /// semantic:latency_ms=50; may be repeated
    #[arg(long, value_name = "MEASURE=VALUE")]
    pub fail_above: Vec<String>,
    /// Measures to print, such as ndcg@10; may be repeated
    #[arg(long = "measure", value_name = "MEASURE")]
    pub measures: Vec<String>,
    /// Keep what was found and measured as a run of this name
    #[arg(long, value_name = "NAME")]
    pub save: Option<String>,
    /// Fail (exit code 3) if a measure is significantly worse than in this run, given by name or number
    #[arg(long, value_name = "RUN")]
    pub against: Option<String>,
    /// Write the checks of --fail-below, --fail-above and --against as JUnit XML
    #[arg(long, value_name = "FILE")]
    pub junit: Option<PathBuf>,
    #[command(flatten)]
    pub fusion: FusionArguments,
}

impl EvalOptions {
    /// With the judged queries at `path`.
    pub fn gold(self, path: PathBuf) -> GoldInput {
        let search = self.fusion.over(SearchRequest::default());
        let Self { modes, measures, fail_below, fail_above, save, against, .. } = self;
        GoldInput { path, modes, measures, fail_below, fail_above, search, save, against }
    }

    /// With the collection in `folder`.
    pub fn beir(self, folder: PathBuf, split: Option<String>, scratch: Option<PathBuf>) -> BeirInput {
        let search = self.fusion.over(SearchRequest::default());
        let Self { modes, measures, fail_below, fail_above, save, against, .. } = self;
        BeirInput { folder, split, scratch, modes, measures, fail_below, fail_above, search, save, against }
    }
}
