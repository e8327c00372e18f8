//! Looking after a library: checks, rebuilding, backups.

use crate::command::Nothing;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sibyl_engine::condition::{Condition, warning};
use sibyl_engine::log::{LogQuery, LogTail, last_lines};
use sibyl_engine::place::Moved;
use sibyl_engine::storage::{Compacted, Storage};
use sibyl_engine::store::backup::Backup;
use sibyl_engine::store::doctor::Finding;
use sibyl_engine::store::rebuild::Rebuilt;
use sibyl_engine::store::rescue::Rescued;
use std::path::PathBuf;

/// The program and the library it has open.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct AppInfo {
    /// Version of the program.
    pub version: String,
    /// The data folder.
    pub folder: String,
    /// Bytes of everything in it.
    pub disk_bytes: u64,
    /// Bytes that can still be written to its disk; `null` if the system does not say.
    pub free_bytes: Option<u64>,
    /// Whether any model in use sends text over the network.
    pub remote: bool,
    /// Whether the data folder can be moved; not if it was named when the program was started.
    pub movable: bool,
    /// The library's folder from the next start on, if it was moved.
    pub moved_to: Option<String>,
}

/// A file to be written.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct FilePath {
    /// Its path.
    pub path: PathBuf,
}

/// An empty folder, or one to be made.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct FolderPath {
    /// Its absolute path.
    pub path: PathBuf,
}

/// What helps to find a fault.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Diagnostics {
    /// One fact a line.
    pub text: String,
}

/// A file that was written.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct WrittenFile {
    /// Its size in bytes.
    pub bytes: u64,
}

/// A backup by name.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct BackupName {
    /// Its file name, as `backup.list` gives it.
    pub name: String,
}

/// A backup that takes the place of the library at the next start.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct RestoredBackup {
    /// Its file name.
    pub name: String,
    /// Its size in bytes.
    pub bytes: u64,
}

/// Whether a folder is a good place for a library.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct PlaceCheck {
    /// Why it is not; `null` if nothing speaks against it.
    pub warning: Option<String>,
}

/// The health of a library.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct HealthReport {
    /// Whether nothing is wrong.
    pub healthy: bool,
    /// What was checked, with counts.
    pub checked: Vec<String>,
    /// What was found, the gravest first.
    pub findings: Vec<Finding>,
}

command! {
    /// The last lines of the desktop program's log.
    LogTailGet = "log.tail": Query, Read, ["log"];
    (call, input: LogQuery) -> LogTail {
        Ok(last_lines(call.library.folder(), input).await?)
    }
}

command! {
    /// Information for tracing a fault: version, system, folder, models, counts, health and the end of the log. It
    /// has no keys and no text of documents. The whole library is checked for this.
    LibraryDiagnostics = "library.diagnostics": Mutation, Read, [];
    (call, _input: Nothing) -> Diagnostics {
        let text = call.library.upkeep().diagnostics(&call.workspace, env!("CARGO_PKG_VERSION")).await?;
        Ok(Diagnostics { text })
    }
}

command! {
    /// What takes up space in the data folder.
    LibraryStorage = "library.storage": Query, Read, ["chunks", "vectors"];
    (call, _input: Nothing) -> Storage {
        Ok(call.library.upkeep().storage().await?)
    }
}

command! {
    /// The program and the library it has open.
    AppInfoGet = "app.info": Query, Read, ["corpora", "settings", "models"];
    (call, _input: Nothing) -> AppInfo {
        Ok(AppInfo {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            folder: call.library.folder().display().to_string(),
            disk_bytes: call.library.upkeep().disk_bytes()?,
            free_bytes: call.library.upkeep().free_bytes(),
            remote: call.library.models().is_remote().await,
            movable: call.library.upkeep().is_movable(),
            moved_to: call.library.upkeep().moved_to().await?.map(|folder| folder.display().to_string()),
        })
    }
}

command! {
    /// Verifies the whole library.
    LibraryDoctor = "library.doctor": Mutation, Read, [];
    (call, _input: Nothing) -> HealthReport {
        let health = call.library.upkeep().doctor().await?;
        Ok(HealthReport { healthy: health.is_sound(), checked: health.checked, findings: health.findings })
    }
}

command! {
    /// Rebuilds the keyword index, references, fields and code files; vectors are never touched.
    LibraryRebuild = "library.rebuild": Mutation, Write, ["chunks", "vectors"];
    (call, _input: Nothing) -> Rebuilt {
        Ok(call.library.upkeep().rebuild().await?)
    }
}

command! {
    /// Frees the unused space in the library file.
    LibraryCompact = "library.compact": Mutation, Write, ["chunks"];
    (call, _input: Nothing) -> Compacted {
        Ok(call.library.upkeep().compact().await?)
    }
}

command! {
    /// Copies the library to another folder, which becomes the data folder at the next start. Until then the open
    /// one stays as it is and can only be read.
    LibraryMove = "library.move": Mutation, Write, ["settings"];
    (call, input: FolderPath) -> Moved {
        Ok(call.library.upkeep().move_to(input.path).await?)
    }
}

command! {
    /// Writes the library as one file.
    LibraryBackUp = "library.back_up": Mutation, Read, [];
    (call, input: FilePath) -> WrittenFile {
        Ok(WrittenFile { bytes: call.library.upkeep().back_up(&input.path).await? })
    }
}

command! {
    /// The condition of the library: whether its file is sound and can be written, whether its folder is a good
    /// place for it, and its backups. A remote caller gets only the first two.
    LibraryConditionGet = "library.condition": Query, Read, ["condition", "settings"],
        remote Get "/api/v1/library/condition";
    (call, _input: Nothing) -> Condition {
        let condition = call.library.upkeep().condition().await?;
        Ok(if call.is_far() { condition.without_places() } else { condition })
    }
}

command! {
    /// Says whether a folder is a good place for a library. It is not if another program or computer writes to it
    /// too.
    PlaceCheckGet = "library.check_place": Query, Read, [];
    (_call, input: FolderPath) -> PlaceCheck {
        Ok(PlaceCheck { warning: warning(&input.path) })
    }
}

command! {
    /// Saves what can be read of a damaged library into a new file, starting with what people made. It takes the
    /// place of the library at the next start; until then nothing more is written. The damaged file is kept.
    LibraryRescue = "library.rescue": Mutation, Write, ["condition"];
    (call, _input: Nothing) -> Rescued {
        Ok(call.library.upkeep().rescue().await?)
    }
}

command! {
    /// Lists the backups in the data folder, the newest first.
    BackupList = "backup.list": Query, Read, ["condition"];
    (call, _input: Nothing) -> Vec<Backup> {
        Ok(call.library.upkeep().condition().await?.backups.unwrap_or_default())
    }
}

command! {
    /// Makes a backup in the data folder now and checks it. Then it deletes the oldest backups beyond the number
    /// in the setting `backup_keep`.
    BackupMake = "backup.make": Mutation, Write, ["condition"];
    (call, _input: Nothing) -> Backup {
        Ok(call.library.upkeep().keep_backup().await?)
    }
}

command! {
    /// Lets a backup replace the library at the next start; until then nothing more is written. The present
    /// library is kept.
    BackupRestore = "backup.restore": Mutation, Write, ["condition"];
    (call, input: BackupName) -> RestoredBackup {
        let bytes = call.library.upkeep().restore_backup(&input.name).await?;
        Ok(RestoredBackup { name: input.name, bytes })
    }
}
