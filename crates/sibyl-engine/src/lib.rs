//! One open library: ingest, embed, store, search, answer, evaluate.
//!
//! The engine knows no desktop shell, no command line and no HTTP server; every door reaches it through the
//! command list of `sibyl-api`. Only [`store`] opens SQLite.

pub mod error;
pub mod library;
pub mod settings;
pub mod ingest;
pub mod store;
pub mod embed;
pub mod search;
pub mod evaluate;

pub use error::{Error, Result};
pub use library::{Library, OpenOptions, Work};
