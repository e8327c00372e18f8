//! `sibyl backup`.

use clap::Subcommand;
use std::path::PathBuf;

/// What to do with backups.
#[derive(Debug, Subcommand)]
pub enum Backup {
    /// List the backups in the data folder
    List,
    /// Make a backup in the data folder, or in a file of your choice
    Make {
        /// A file that does not exist yet
        file: Option<PathBuf>,
    },
    /// Restore a backup; the current library is kept beside it
    Restore {
        /// Name of the backup as `sibyl backup` shows it
        name: String,
    },
}
