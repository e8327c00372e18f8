//! One open library: ingest, embed, store, search, answer, evaluate.
//!
//! The engine knows no desktop shell, no command line and no HTTP server; every door reaches it through the
//! command list of `sibyl-api`. Only [`store`] opens a database, and only [`embed`] speaks HTTP.

mod anchor;
pub mod answer;
pub mod assess;
pub mod condition;
mod counterpart;
mod diagnostics;
pub mod error;
pub mod evaluate;
mod explanation;
pub mod facsimile;
pub mod figure;
mod first_start;
pub mod ingest;
pub mod library;
pub mod log;
mod metric;
pub mod overview;
mod phrasing;
pub mod place;
pub mod proof;
pub mod providers;
pub mod reader;
mod requirement;
pub mod rerank;
pub mod sample;
pub mod search;
pub mod secret;
pub mod settings;
mod shipped;
pub mod standards;
mod standing;
pub mod storage;
pub mod version;
pub mod watch;

pub use error::{Error, Result};
pub use library::{Library, OpenOptions, Work};
pub use sibyl_embed::{self as embed, http};
pub use sibyl_store::{self as store, Location, Place};
