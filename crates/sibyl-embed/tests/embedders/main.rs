//! The embedders through their public functions. One program: each would link the models' libraries again.
#![allow(clippy::unwrap_used, reason = "tests fail by panicking")]

mod golden;
mod plain;
mod provider;
