//! The commands: each calls the list and prints the answer.

mod answers;
mod ask;
mod assess;
mod backup;
mod bin;
mod compare;
mod evaluate;
mod figures;
mod followed;
mod gold;
mod gone;
mod ingest;
mod maintain;
mod matrix;
mod mcp;
mod proposal;
mod provider;
mod run;
mod search;
mod serve;
mod show;
mod watch;

use crate::arguments::{Arguments, Command, Common};
use crate::output::{say, tell};
use crate::session::Session;
use serde::Serialize;
use serde_json::{Map, Value, json};
use sibyl_api::{ApiError, written};
use std::process::ExitCode;

/// A threshold was missed.
const BELOW: u8 = 3;
/// Nothing in the library answers the question.
const NOT_FOUND: u8 = 4;
/// The question was not answered for another reason, although nothing went wrong.
const REFUSED: u8 = 5;
/// An answer began but did not end.
const INCOMPLETE: u8 = 6;
/// The user interrupted.
const INTERRUPTED: u8 = 130;

/// How a command ended.
pub enum End {
    /// Without a problem.
    Done,
    /// A threshold was missed.
    Below,
    /// Something is wrong, or files failed; the details have been printed.
    Failed,
    /// Nothing answers the question.
    NotFound,
    /// The question was not answered, although nothing went wrong.
    Refused,
    /// An answer began but did not end.
    Incomplete,
}

type Outcome = Result<End, ApiError>;

/// Runs the command and says how it ended.
pub async fn run(arguments: Arguments) -> ExitCode {
    let json = arguments.common.json;
    match dispatch(arguments).await {
        Ok(End::Done) => ExitCode::SUCCESS,
        Ok(End::Below) => ExitCode::from(BELOW),
        Ok(End::Failed) => ExitCode::FAILURE,
        Ok(End::NotFound) => ExitCode::from(NOT_FOUND),
        Ok(End::Refused) => ExitCode::from(REFUSED),
        Ok(End::Incomplete) => ExitCode::from(INCOMPLETE),
        Err(error) => {
            if json {
                say(&format!("{}\n", json!({ "error": error })));
            }
            tell(format_args!("sibyl: {}", error.message));
            ExitCode::from(match error.code.as_str() {
                "interrupted" => INTERRUPTED,
                "chat_not_set_up" | "exists" | "invalid" | "nothing_to_ingest" | "out_of_range"
                | "remote_not_allowed" | "remote_off" | "rerank_not_set_up" | "setting" | "unfit_path"
                | "unknown_choice" | "unknown_space" => 2,
                _ => 1,
            })
        }
    }
}

async fn dispatch(arguments: Arguments) -> Outcome {
    let common = arguments.common;
    match arguments.command {
        Command::Ingest(words) => ingest::ingest(&common, words).await,
        Command::Search(words) => search::search(&open(&common).await?, *words).await,
        Command::Ask(words) => ask::ask(&open(&common).await?, *words).await,
        Command::Answers { command } => answers::answers(&open(&common).await?, command).await,
        Command::Lookup(words) => search::lookup(&open(&common).await?, words).await,
        Command::Paragraph { id, edition } => show::paragraph(&open(&common).await?, id, edition).await,
        Command::Stats => show::stats(&open(&common).await?).await,
        Command::Documents(words) => show::documents(&open(&common).await?, words).await,
        Command::Chunks { id } => show::chunks(&open(&common).await?, id).await,
        Command::Facts(words) => show::facts(&open(&common).await?, words).await,
        Command::Figures(words) => figures::figures(&open(&common).await?, words).await,
        Command::Assess(words) => assess::assess(&open(&common).await?, words).await,
        Command::Models { chat: true } => {
            provider::chat_models(&Session::open_as_it_is(&common).await?).await
        }
        Command::Models { chat: false } => provider::models(&open(&common).await?).await,
        Command::Settings(words) => provider::settings(&Session::open_as_it_is(&common).await?, words).await,
        Command::Secret { command } => {
            provider::secret(&Session::open_as_it_is(&common).await?, command).await
        }
        Command::Strategies => show::strategies(&Session::open_as_it_is(&common).await?).await,
        Command::ChunkPreview(words) => {
            show::chunk_preview(&Session::open_as_it_is(&common).await?, words).await
        }
        Command::Delete(words) => bin::delete(&open(&common).await?, words).await,
        Command::Restore(words) => bin::restore(&Session::open_as_it_is(&common).await?, words).await,
        Command::Rebuild => maintain::rebuild(&Session::open_as_it_is(&common).await?).await,
        Command::Compact => maintain::compact(&Session::open_as_it_is(&common).await?).await,
        Command::Doctor => maintain::doctor(&Session::open_as_it_is(&common).await?).await,
        Command::Rescue => backup::rescue(&common).await,
        Command::Backup { command } => backup::backup(&common, command).await,
        Command::Workspace { command } => {
            maintain::workspace(&Session::open_as_it_is(&common).await?, command).await
        }
        Command::Jobs { command } => maintain::jobs(&Session::open_as_it_is(&common).await?, command).await,
        Command::Watch { command } => watch::watch(&Session::open_as_it_is(&common).await?, command).await,
        Command::Eval(words) => evaluate::evaluate(&common, *words).await,
        Command::Gold(words) => gold::gold(&Session::open_as_it_is(&common).await?, words.command).await,
        Command::Serve(words) => serve::serve(&common, words).await,
        Command::Mcp(words) => mcp::mcp(&common, words).await,
    }
}

async fn open(common: &Common) -> Result<Session, ApiError> {
    Session::open(common).await
}

/// Prints `answer` as JSON if that was asked for, else as `text` makes it. The command then ends without a
/// problem.
fn print<T: Serialize + ?Sized>(common: &Common, answer: &T, text: impl FnOnce(&T) -> String) -> Outcome {
    let out = if common.json { format!("{:#}\n", written(answer)?) } else { text(answer) };
    say(&out);
    Ok(End::Done)
}

/// `NAME=VALUE` pairs as settings, with numbers and switches as such.
fn settings(pairs: &[String]) -> Result<Map<String, Value>, ApiError> {
    pairs
        .iter()
        .map(|pair| {
            let (name, value) = pair
                .split_once('=')
                .ok_or_else(|| ApiError::invalid(format!("--set takes NAME=VALUE, not `{pair}`")))?;
            let parsed = serde_json::from_str(value).unwrap_or_else(|_| Value::from(value));
            Ok((name.replace('-', "_"), parsed))
        })
        .collect()
}
