//! The list itself.

use crate::command::{Answer, Call, Entry};
use crate::{ApiError, command};
use serde_json::Value;

/// Every command there is.
pub static COMMANDS: &[Entry] = &[];

/// The row of the command called `name`.
pub fn entry(name: &str) -> Option<&'static Entry> {
    COMMANDS.iter().find(|entry| entry.name == name)
}

/// Runs the command called `name` on JSON.
pub fn dispatch(name: &str, call: Call, input: Value) -> Answer {
    match entry(name) {
        Some(entry) => (entry.run)(call, input),
        None => {
            let error = ApiError::new("unknown_command", format!("there is no command `{name}`"));
            Box::pin(async move { Err(error) })
        }
    }
}
