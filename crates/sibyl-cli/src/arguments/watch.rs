//! The arguments of `sibyl watch`.

use crate::choice::choice;
use clap::Subcommand;
use sibyl_api::Gone;
use std::path::PathBuf;

/// What to do with watched folders.
#[derive(Debug, Subcommand)]
pub enum Watch {
    /// List watched folders
    List,
    /// Watch a folder
    Add {
        /// The folder
        folder: PathBuf,
        /// Corpus that its files go to
        #[arg(long, value_name = "NAME")]
        corpus: String,
        /// What to do with documents whose file has been deleted
        #[arg(long, value_parser = choice::<Gone>(), default_value = "mark")]
        gone: Gone,
        /// Seconds between scans, for network drives; 0 relies only on change notifications from the system
        #[arg(long, value_name = "SECONDS", default_value_t = 300)]
        every: u32,
    },
    /// Stop watching a folder; its documents are kept
    Remove {
        /// Number of the folder, as listed
        id: i64,
    },
    /// Ingest a folder now
    Run {
        /// Number of the folder, as listed
        id: i64,
    },
    /// Delete or mark the documents that are held back because their files are gone
    Confirm {
        /// Number of the folder, as listed, or its path
        folder: String,
        /// Those whose folder is away, such as a disconnected drive, instead of those missing from their folder
        #[arg(long)]
        away: bool,
    },
    /// Keep the held-back documents although their files are gone
    Refuse {
        /// Number of the folder, as listed, or its path
        folder: String,
    },
    /// Pause a folder until you resume it
    Pause {
        /// Number of the folder, as listed
        id: i64,
    },
    /// Watch a paused folder again
    Resume {
        /// Number of the folder, as listed
        id: i64,
    },
}
