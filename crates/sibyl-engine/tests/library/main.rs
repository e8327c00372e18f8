//! An open library through its public functions. One program: each would link the whole engine again.
#![allow(clippy::unwrap_used, reason = "tests fail by panicking")]

mod evaluate;
mod golden;
mod ingest;
mod kill;
mod licensed;
mod plain;
mod provider;
mod reader;
mod remote;
mod shipped;
mod workspaces;
