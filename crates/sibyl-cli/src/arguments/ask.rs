//! The arguments of `ask`.

use crate::choice::named;
use crate::filter::FilterArguments;
use clap::Args;
use sibyl_api::{AskRequest, Constraint, Selection};
use std::path::PathBuf;

const ASK_EXAMPLES: &str = "Examples:
  sibyl ask \"What must a transition plan disclose?\"
  sibyl ask \"scope 2 emissions of Northwind in 2024\" --json
  sibyl ask \"Who chairs the committee?\" --selection passage.txt    from this text alone: nothing is searched
  sibyl ask \"And in 2023?\" --session audit                         the question before it in the session completes it
  sibyl ask \"scope 1 in 2023\" --ignore period=2023                 without the year

Each sentence of the answer names its source and is checked against it. What the check does not confirm is marked.
If nothing answers the question, Sibyl says so.
--json prints the same fields as every door: outcome (complete, incomplete, refused, faulted), refusal (not_found, declined,
no_question), answer (null if there is none, with message), understood (what the question sets), answers (whether it answers
the question: yes, likely, unsure), stands (whether it stands in its sources: word_for_word, in_other_words, in_part, no),
confidence, band, sentences with their checks, removed, citations and readings; spans count UTF-16 code units of the document's text.

Exit status: 0 complete, 4 nothing was found, 5 refused for another reason, 6 incomplete, 1 faulted";

/// Options of `ask`.
#[derive(Debug, Args)]
#[command(after_help = ASK_EXAMPLES)]
pub struct Ask {
    /// The question
    pub question: String,
    /// Print each sentence as soon as it is checked
    #[arg(long)]
    pub stream: bool,
    /// Generator of the answer: extractive or chat [default: the setting answer_generator]
    #[arg(long)]
    pub generator: Option<String>,
    /// Chat model [default: the setting chat_model]
    #[arg(long)]
    pub model: Option<String>,
    /// Answer only from the text of this file; - reads standard input
    #[arg(long, value_name = "FILE")]
    pub selection: Option<PathBuf>,
    /// Session that the question belongs to
    #[arg(long, default_value = "", hide_default_value = true, value_name = "NAME")]
    pub session: String,
    /// Do not let an earlier question of the session complete this one
    #[arg(long)]
    pub no_follow_up: bool,
    /// Give one answer, even if the question has several readings
    #[arg(long)]
    pub no_readings: bool,
    /// Have the chat model check each sentence again against its passages
    #[arg(long)]
    pub second_reading: bool,
    /// Do not keep question and answer in the log
    #[arg(long)]
    pub no_log: bool,
    /// Minimum relevance for a passage to count (0 to 1) [default: the setting answer_threshold]
    #[arg(long)]
    pub threshold: Option<f64>,
    /// Minimum number of passages that must count
    #[arg(long, default_value_t = 1)]
    pub min_chunks: usize,
    /// Maximum number of passages
    #[arg(long, short = 'k', default_value_t = 8)]
    pub passages: usize,
    /// A condition of the question to ignore, as `understood` names it; may be repeated
    #[arg(long, value_name = "KIND=VALUE", value_parser = constraint)]
    pub ignore: Vec<Constraint>,
    #[command(flatten)]
    pub filters: FilterArguments,
}

impl Ask {
    /// The question, answered from `selection` alone if there is one.
    pub fn request(self, selection: Option<Selection>) -> AskRequest {
        AskRequest {
            question: self.question,
            generator: self.generator,
            model: self.model,
            ignore: self.ignore,
            selection,
            session: self.session,
            follow_up: !self.no_follow_up,
            readings: !self.no_readings,
            second_reading: self.second_reading,
            record: !self.no_log,
            threshold: self.threshold,
            min_chunks: self.min_chunks,
            passages: self.passages,
            filters: self.filters.into(),
            ..AskRequest::default()
        }
    }
}

/// `KIND=VALUE` as a condition.
fn constraint(text: &str) -> Result<Constraint, String> {
    let (kind, value) = text
        .split_once('=')
        .ok_or("write it as KIND=VALUE, as in period=2023, with the names that `understood` gives")?;
    Ok(Constraint::new(named(kind).map_err(|error| error.to_string())?, value))
}
