//! Folders that other programs or machines write to as well: a database is torn there.

use std::path::Path;

/// Names that folders of synchronising services have, with the service. A name also matches if something follows
/// it after a space: `OneDrive - Acme`.
const SERVICES: [(&str, &str); 10] = [
    ("OneDrive", "OneDrive"),
    ("Dropbox", "Dropbox"),
    ("iCloud Drive", "iCloud"),
    ("iCloudDrive", "iCloud"),
    ("com~apple~CloudDocs", "iCloud"),
    ("Google Drive", "Google Drive"),
    ("GoogleDrive", "Google Drive"),
    ("Nextcloud", "Nextcloud"),
    ("Box", "Box"),
    ("pCloud Drive", "pCloud"),
];

/// Why `folder` is a bad place for a library.
pub(super) fn warning(folder: &Path) -> Option<String> {
    let resolved = folder.ancestors().find_map(|known| known.canonicalize().ok());
    let service = service(folder).or_else(|| service(resolved.as_deref()?));
    if let Some(service) = service {
        return Some(format!(
            "{} is synchronised by {service}, which copies a library while it is written and can damage it; move the \
             library to a folder on this computer that is not synchronised, and let {service} keep backups instead",
            folder.display()
        ));
    }
    let network = network(resolved.as_deref().unwrap_or(folder))?;
    Some(format!(
        "{} is a network folder ({network}); when the connection breaks, or another computer opens the library, it \
         can be damaged; move it to a disk of this computer",
        folder.display()
    ))
}

fn service(folder: &Path) -> Option<&'static str> {
    let names = folder.components().filter_map(|part| part.as_os_str().to_str());
    names.filter_map(named).next_back()
}

fn named(name: &str) -> Option<&'static str> {
    let is = |known: &str| {
        name.get(..known.len()).is_some_and(|start| start.eq_ignore_ascii_case(known))
            && matches!(name.as_bytes().get(known.len()), None | Some(b' ' | b'-'))
    };
    SERVICES.iter().find(|(known, _)| is(known)).map(|(_, service)| *service)
}

/// The file system of a network folder, by the number that Linux gives it.
#[cfg(target_os = "linux")]
fn network(folder: &Path) -> Option<&'static str> {
    const NETWORK: [(u64, &str); 8] = [
        (0x6969, "NFS"),
        (0x517b, "SMB"),
        (0xff53_4d42, "SMB"),
        (0xfe53_4d42, "SMB"),
        (0x0102_1997, "9P"),
        (0x5346_414f, "AFS"),
        (0x00c3_6400, "Ceph"),
        (0x0bd0_0bd0, "Lustre"),
    ];
    let kind = rustix::fs::statfs(folder).ok()?.f_type as u64 & 0xffff_ffff;
    NETWORK.iter().find(|(number, _)| *number == kind).map(|(_, name)| *name)
}

/// A path with the name of another computer.
#[cfg(windows)]
fn network(folder: &Path) -> Option<&'static str> {
    use std::path::{Component, Prefix};
    let shared = matches!(
        folder.components().next(),
        Some(Component::Prefix(prefix)) if matches!(prefix.kind(), Prefix::UNC(..) | Prefix::VerbatimUNC(..))
    );
    shared.then_some("SMB")
}

/// Volumes of other computers are mounted beside local ones: macOS does not distinguish them by a number.
#[cfg(not(any(target_os = "linux", windows)))]
fn network(_folder: &Path) -> Option<&'static str> {
    None
}

#[cfg(test)]
mod tests {
    use super::warning;
    use std::path::Path;

    #[test]
    fn folders_of_synchronising_services_are_told() {
        for (folder, service) in [
            ("/home/ann/OneDrive - Acme Ltd/sibyl", "OneDrive"),
            ("/home/ann/OneDrive/sibyl", "OneDrive"),
            ("/home/ann/dropbox/a/b", "Dropbox"),
            ("/Users/ann/Library/Mobile Documents/com~apple~CloudDocs/sibyl", "iCloud"),
            ("/Users/ann/Library/CloudStorage/GoogleDrive-ann@acme.test/My Drive", "Google Drive"),
        ] {
            let words = warning(Path::new(folder)).unwrap_or_else(|| panic!("{folder} is not told"));
            assert!(words.contains(service) && words.contains("move"), "{words}");
        }
        for folder in ["/home/ann/sibyl", "/home/ann/Boxes/x", "/home/dropboxer", "/srv/onedrives/a"] {
            assert_eq!(warning(Path::new(folder)), None, "{folder}");
        }
    }

    #[cfg(unix)]
    #[test]
    fn a_link_into_such_a_folder_is_told_too() {
        let root = tempfile::tempdir().unwrap();
        let inside = root.path().join("Dropbox/sibyl");
        std::fs::create_dir_all(&inside).unwrap();
        let link = root.path().join("library");
        std::os::unix::fs::symlink(&inside, &link).unwrap();
        assert!(warning(&link).unwrap().contains("Dropbox"));
        assert!(warning(&link.join("to/be/made")).unwrap().contains("Dropbox"));
    }
}
