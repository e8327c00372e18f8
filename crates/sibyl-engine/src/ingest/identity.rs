//! The identity by which a folder is recognised as the one seen before.

use file_id::FileId;
use std::fs;
use std::io;
use std::path::Path;
use std::time::UNIX_EPOCH;

/// The device of `folder`, its number there and, if the file system keeps it, its creation time: a number may be
/// reused. A mount point is another folder when something is mounted there than when nothing is.
///
/// # Errors
/// Errors of the file system.
pub(super) fn identity(folder: &Path) -> io::Result<String> {
    let (device, number) = match file_id::get_file_id(folder)? {
        FileId::Inode { device_id, inode_number } => (device_id, u128::from(inode_number)),
        FileId::LowRes { volume_serial_number, file_index } => {
            (volume_serial_number.into(), file_index.into())
        }
        FileId::HighRes { volume_serial_number, file_id } => (volume_serial_number, file_id),
    };
    let made = fs::metadata(folder)?.created().ok().and_then(|made| made.duration_since(UNIX_EPOCH).ok());
    let made = made.map_or_else(String::new, |made| made.as_nanos().to_string());
    Ok(format!("{device:x} {number:x} {made}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_is_the_same_under_another_name_and_another_one_under_the_same() {
        let folder = tempfile::tempdir().unwrap();
        let (share, away) = (folder.path().join("share"), folder.path().join("away"));
        fs::create_dir(&share).unwrap();
        let before = identity(&share).unwrap();
        fs::write(share.join("note.md"), "# Note").unwrap();
        assert_eq!(identity(&share).unwrap(), before, "what it holds is no matter");
        fs::rename(&share, &away).unwrap();
        assert!(identity(&share).is_err());
        fs::create_dir(&share).unwrap();
        assert_ne!(identity(&share).unwrap(), before);
        assert_eq!(identity(&away).unwrap(), before);
    }
}
