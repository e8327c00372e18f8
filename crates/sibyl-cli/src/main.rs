//! The program `sibyl`.

use std::process::ExitCode;

fn main() -> ExitCode {
    sibyl_cli::run()
}
