//! Backups, and the rescue of a damaged library. Neither needs the library to open.

use super::{End, Outcome, print};
use crate::arguments::{Common, backup::Backup};
use crate::output::table;
use crate::session::{Session, place};
use serde_json::{Value, json};
use sibyl_api::{ApiError, door};

/// Bytes as megabytes with one decimal.
fn megabytes(bytes: u64) -> String {
    format!("{:.1} MB", bytes as f64 / 1e6)
}

pub async fn backup(common: &Common, command: Option<Backup>) -> Outcome {
    match command.unwrap_or(Backup::List) {
        Backup::List => list(common),
        Backup::Make { file } => make(common, file).await,
        Backup::Restore { name } => {
            let restored = door::restore(place(common)?, name).await?;
            print(common, &wire(&restored)?, |_| {
                format!(
                    "The backup {} ({}) is the library from the next start on. Quit every Sibyl program first; the \
                     current library stays in the data folder as replaced-….sibyl.\n",
                    restored.name,
                    megabytes(restored.bytes)
                )
            });
            Ok(End::Done)
        }
    }
}

fn list(common: &Common) -> Outcome {
    let backups = door::backups(&place(common)?)?;
    print(common, &wire(&backups)?, |_| {
        if backups.is_empty() {
            return "No backups yet. `sibyl backup make` makes one.\n".to_owned();
        }
        let rows: Vec<Vec<String>> = backups
            .iter()
            .map(|backup| vec![backup.name.clone(), backup.made_at.clone(), megabytes(backup.bytes)])
            .collect();
        table(&["backup", "made", "size"], &[2], &rows)
    });
    Ok(End::Done)
}

async fn make(common: &Common, file: Option<std::path::PathBuf>) -> Outcome {
    let session = Session::open_as_it_is(common).await?;
    let made = match file {
        Some(path) => session.call("library.back_up", json!({ "path": path })).await?,
        None => session.call("backup.make", json!({})).await?,
    };
    print(common, &made, |made| {
        let size = megabytes(made["bytes"].as_u64().unwrap_or_default());
        match made["name"].as_str() {
            Some(name) => format!("{name}: {size}, checked.\n"),
            None => format!("{size} written and checked.\n"),
        }
    });
    Ok(End::Done)
}

pub async fn rescue(common: &Common) -> Outcome {
    let rescued = door::rescue(place(common)?).await?;
    print(common, &wire(&rescued)?, |_| {
        let rows: Vec<Vec<String>> = rescued
            .tables
            .iter()
            .filter(|table| table.saved + table.lost > 0)
            .map(|table| vec![table.name.clone(), table.saved.to_string(), table.lost.to_string()])
            .collect();
        let mut out = table(&["table", "saved", "lost"], &[1, 2], &rows);
        if !rescued.incomplete.is_empty() {
            out += &format!(
                "These documents lost a part; ingest them again with --force: {}\n",
                rescued.incomplete.join(", ")
            );
        }
        out + "The rescued library is used from the next start on. Quit every Sibyl program first; the damaged file \
               stays in the data folder as replaced-….sibyl.\n"
    });
    Ok(End::Done)
}

fn wire<T: serde::Serialize>(value: &T) -> Result<Value, ApiError> {
    serde_json::to_value(value).map_err(|error| ApiError::new("internal", error.to_string()))
}
