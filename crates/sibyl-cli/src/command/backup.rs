//! Backups, and the rescue of a damaged library. Neither needs the library to open.

use super::{Outcome, print};
use crate::arguments::{Common, backup::Backup};
use crate::output::table;
use crate::session::{Session, place};
use sibyl_api::command::Nothing;
use sibyl_api::command::maintenance::{BackupMake, FilePath, LibraryBackUp};
use sibyl_api::door;

/// Bytes as megabytes with one decimal.
fn megabytes(bytes: u64) -> String {
    format!("{:.1} MB", bytes as f64 / 1e6)
}

pub async fn backup(common: &Common, command: Option<Backup>) -> Outcome {
    match command.unwrap_or(Backup::List) {
        Backup::List => list(common).await,
        Backup::Make { file } => make(common, file).await,
        Backup::Restore { name } => {
            let place = place(common)?;
            let restored = door::restore(&*place, name).await?;
            print(common, &restored, |restored| {
                format!(
                    "The backup {} ({}) is the library from the next start on. Quit every Sibyl program first; the \
                     current library stays in the data folder as {}.\n",
                    restored.name,
                    megabytes(restored.bytes),
                    place.kept_as()
                )
            })
        }
    }
}

async fn list(common: &Common) -> Outcome {
    let backups = door::backups(&*place(common)?).await?;
    print(common, &backups, |backups| {
        if backups.is_empty() {
            return "No backups yet. `sibyl backup make` makes one.\n".to_owned();
        }
        let rows = backups
            .iter()
            .map(|backup| vec![backup.name.clone(), backup.made_at.clone(), megabytes(backup.bytes)]);
        table(&["backup", "made", "size"], &[2], rows)
    })
}

async fn make(common: &Common, file: Option<std::path::PathBuf>) -> Outcome {
    let session = Session::open_as_it_is(common).await?;
    if let Some(path) = file {
        let made = session.call::<LibraryBackUp>(FilePath { path }).await?;
        return print(common, &made, |made| format!("{} written and checked.\n", megabytes(made.bytes)));
    }
    let made = session.call::<BackupMake>(Nothing {}).await?;
    print(common, &made, |made| format!("{}: {}, checked.\n", made.name, megabytes(made.bytes)))
}

pub async fn rescue(common: &Common) -> Outcome {
    let place = place(common)?;
    let rescued = door::rescue(&*place).await?;
    print(common, &rescued, |rescued| {
        let rows = rescued
            .tables
            .iter()
            .filter(|table| table.saved + table.lost > 0)
            .map(|table| vec![table.name.clone(), table.saved.to_string(), table.lost.to_string()]);
        let mut out = table(&["table", "saved", "lost"], &[1, 2], rows);
        if !rescued.incomplete.is_empty() {
            out += &format!(
                "These documents lost a part; ingest them again: {}\n",
                rescued.incomplete.join(", ")
            );
        }
        out + &format!(
            "Sibyl uses the rescued library from its next start on. Quit every Sibyl program first; the damaged file \
             stays in the data folder as {}.\n",
            place.kept_as()
        )
    })
}
