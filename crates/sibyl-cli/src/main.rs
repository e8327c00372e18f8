//! The program `sibyl`: the command list on a command line.
#![allow(clippy::print_stdout)] // Printing is what a program does.

mod arguments;
mod command;
mod filter;
mod output;
mod progress;
mod session;

use arguments::Arguments;
use clap::Parser as _;
use std::process::ExitCode;

fn main() -> ExitCode {
    if let Some(code) = sibyl_api::door::reader_child() {
        return code;
    }
    let arguments = Arguments::parse();
    arguments.logging();
    let runtime = match tokio::runtime::Runtime::new() {
        Ok(runtime) => runtime,
        Err(error) => {
            eprintln!("sibyl: no threads can be started: {error}");
            return ExitCode::FAILURE;
        }
    };
    let code = runtime.block_on(command::run(arguments));
    // Work that was asked for is done; what still runs in the background resumes at the next start.
    runtime.shutdown_background();
    code
}
