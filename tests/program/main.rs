//! The program `sibyl` with providers and keys.
#![allow(clippy::unwrap_used, reason = "tests fail by panicking")]

mod bench;
mod failing;
mod pipe;
mod privacy;
mod remote;
mod secret;
