//! The words of `eval`.

use super::{FusionArguments, Mode};
use clap::{Args, Subcommand};
use serde_json::{Value, json};
use std::path::PathBuf;

const EVAL_EXAMPLES: &str = "Examples:
  sibyl eval gold.jsonl --fail-below recall@5=0.8
  sibyl eval gold.jsonl --modes keyword --measure ndcg@10          keyword only: needs no vectors
  sibyl eval gold.jsonl --modes hybrid --fusion rrf                another fusion
  sibyl eval answers questions.jsonl --misses                      answers instead of rankings
  sibyl eval beir scifact/ --split test --scratch /tmp/scifact     a second run embeds nothing twice

The exit code is 3 if a threshold is missed.";

/// Options of `eval`.
#[derive(Debug, Args)]
#[command(after_help = EVAL_EXAMPLES)]
pub struct Eval {
    #[command(subcommand)]
    pub beir: Option<EvalKind>,
    /// Judged queries, one JSON object per line
    #[arg(required = true)]
    pub gold: Option<PathBuf>,
    #[command(flatten)]
    pub options: EvalOptions,
}

/// Other things to measure.
#[derive(Debug, Subcommand)]
pub enum EvalKind {
    /// Questions of which the answers are known, or judged queries: are answers right and their sources, too?
    Answers {
        /// Questions, one JSON object per line
        path: PathBuf,
        /// What writes the answers: extractive or chat [default: as set]
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
        /// Split whose queries are searched, qrels/SPLIT.tsv [default: test, or the only one]
        #[arg(long)]
        split: Option<String>,
        /// Folder that keeps the scratch library, so that a second run embeds nothing twice
        #[arg(long)]
        scratch: Option<PathBuf>,
        #[command(flatten)]
        options: EvalOptions,
    },
}

/// Options of every evaluation.
#[derive(Debug, Clone, Args)]
pub struct EvalOptions {
    /// Modes to measure; keyword alone needs no vectors [default: all three]
    #[arg(long, value_enum, value_delimiter = ',')]
    pub modes: Vec<Mode>,
    /// Fail (exit code 3) if a measure is below a value, such as recall@5=0.9 (in hybrid mode) or
    /// semantic:ndcg@10=0.6; may be repeated
    #[arg(long, value_name = "MEASURE=VALUE")]
    pub fail_below: Vec<String>,
    /// Measures to print, such as ndcg@10; may be repeated
    #[arg(long = "measure", value_name = "MEASURE")]
    pub measures: Vec<String>,
    #[command(flatten)]
    pub fusion: FusionArguments,
}

impl EvalOptions {
    /// As input of the evaluating commands.
    pub fn to_json(&self) -> Value {
        let modes: Vec<&str> = self.modes.iter().map(|mode| mode.name()).collect();
        json!({
            "modes": modes,
            "measures": self.measures,
            "fail_below": self.fail_below,
            "search": self.fusion.to_json(),
        })
    }
}
