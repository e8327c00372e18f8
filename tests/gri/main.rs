//! The program `sibyl` with a kind of source that does not ship, for the tests through the doors.

mod gri;

use std::process::ExitCode;

fn main() -> ExitCode {
    match sibyl_text::source_type::register(&[&gri::GRI]) {
        Ok(()) => sibyl_cli::run(),
        Err(_) => ExitCode::FAILURE,
    }
}
