//! The program `sibyl`: the command list for a command line.

mod arguments;
mod choice;
mod command;
mod filter;
mod output;
mod progress;
mod session;

use arguments::Arguments;
use std::process::ExitCode;
use tracing::Instrument as _;

/// Runs the program with the arguments of its command line.
pub fn run() -> ExitCode {
    if let Some(code) = sibyl_api::door::begin() {
        return code;
    }
    let arguments = Arguments::read(std::env::args_os()).unwrap_or_else(|error| error.exit());
    arguments.logging();
    // One run is one request, and every thread that works for it logs its id.
    let request = tracing::error_span!("sibyl", request_id = arguments.common.request_id);
    let begin = {
        let request = request.clone();
        move || std::mem::forget(request.clone().entered())
    };
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().on_thread_start(begin).build();
    let runtime = match runtime {
        Ok(runtime) => runtime,
        Err(error) => {
            output::tell(format_args!("sibyl: no threads can be started: {error}"));
            return ExitCode::FAILURE;
        }
    };
    let code = runtime.block_on(command::run(arguments).instrument(request));
    // The requested work is done; what still runs in the background resumes at the next start.
    runtime.shutdown_background();
    code
}
