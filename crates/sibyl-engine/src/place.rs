//! Moving the library to another folder.

use crate::error::{Error, Result};
use crate::library::Upkeep;
use crate::store::Place;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::fs;
use std::path::{Path, PathBuf};

/// A library that was moved.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Moved {
    /// The folder of the library from the next start on.
    pub folder: String,
    /// The folder that keeps the former one.
    pub former: String,
    /// Size of the library file there.
    pub bytes: u64,
}

impl Upkeep<'_> {
    /// The library's folder from the next start on, if it was moved since this one.
    ///
    /// # Errors
    /// As [`Place::next`].
    pub fn moved_to(&self) -> Result<Option<PathBuf>> {
        Ok(self.library.store().place().next()?)
    }

    /// Whether the library can be moved: not where its folder was named by hand.
    pub fn is_movable(&self) -> bool {
        self.library.store().place().home.is_some()
    }

    /// Copies the library to `folder`, checks the copy, and leaves word of it for the next start. Until then this
    /// one stays as it is and is only read: every program that has it open refuses to change it.
    ///
    /// # Errors
    /// [`Error::Invalid`] if the data folder was named by hand, a job is running, or `folder` is relative, not
    /// empty, inside the data folder or already has a library. [`Error::Io`] if it cannot be written.
    /// [`Error::Damaged`] if the copy is not sound. The library then stays where it is. [`Error::Moved`] if it was
    /// moved already.
    pub async fn move_to(&self, folder: PathBuf) -> Result<Moved> {
        let Some(home) = &self.library.store().place().home else {
            return Err(Error::Invalid(format!(
                "the data folder {} was set when Sibyl was started; start it with another one instead",
                self.library.folder().display()
            )));
        };
        check(&folder, self.library.folder(), home)?;
        fs::create_dir_all(&folder).map_err(|error| Error::io(&folder, error))?;
        let bytes = self.library.store().move_to(folder.clone()).await?;
        Ok(Moved {
            folder: folder.display().to_string(),
            former: self.library.folder().display().to_string(),
            bytes,
        })
    }
}

fn refuse(folder: &Path, why: &str) -> Error {
    Error::Invalid(format!("{} {why}; choose an empty folder", folder.display()))
}

/// Whether a library may be put into `folder`.
fn check(folder: &Path, now: &Path, home: &Path) -> Result<()> {
    if !folder.is_absolute() {
        return Err(refuse(folder, "is not an absolute path"));
    }
    if folder.to_str().is_none_or(|text| text.contains(['\n', '\r'])) {
        return Err(refuse(folder, "has a name that is not plain text"));
    }
    if Place::named(folder).has_library() {
        return Err(refuse(folder, "already contains a library"));
    }
    // The home keeps more than the library.
    if folder == home {
        return Ok(());
    }
    if resolved(folder).starts_with(resolved(now)) {
        return Err(refuse(folder, "is inside the data folder"));
    }
    match fs::read_dir(folder).map(|mut entries| entries.next().is_some()) {
        Ok(false) => Ok(()),
        Ok(true) => Err(refuse(folder, "is not empty")),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(()),
        Err(error) => Err(Error::io(folder, error)),
    }
}

/// `path` without symbolic links as far as it exists.
fn resolved(path: &Path) -> PathBuf {
    let known = path.ancestors().find_map(|known| {
        let rest = path.strip_prefix(known).ok()?;
        Some(known.canonicalize().ok()?.join(rest))
    });
    known.unwrap_or_else(|| path.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Library;
    use crate::library::OpenOptions;
    use crate::store::job::JobKind;
    use crate::store::table::job::NewJob;
    use crate::store::table::workspace::{DEFAULT_WORKSPACE, LabelLanguage};
    use sibyl_store::LIBRARY_FILE;
    use sibyl_store::place::POINTER;

    async fn open(place: Place) -> Library {
        let options = OpenOptions { home: place.home, ..OpenOptions::new(place.folder) };
        Library::open(options).await.unwrap()
    }

    async fn refused(library: &Library, folder: &Path) -> String {
        library.upkeep().move_to(folder.to_owned()).await.unwrap_err().to_string()
    }

    #[tokio::test]
    async fn a_library_moves_with_all_it_holds_and_the_former_one_stays() {
        let root = tempfile::tempdir().unwrap();
        let (home, away) = (root.path().join("home"), root.path().join("drive/sibyl"));
        let library = open(Place::of(&home).unwrap()).await;
        library.store().create_workspace("audit", LabelLanguage::Sv).await.unwrap();
        assert_eq!(library.upkeep().moved_to().unwrap(), None);
        let moved = library.upkeep().move_to(away.clone()).await.unwrap();
        assert_eq!((moved.folder, moved.former), (away.display().to_string(), home.display().to_string()));
        assert_eq!(library.upkeep().moved_to().unwrap(), Some(away.clone()));
        assert!(moved.bytes > 0 && home.join(LIBRARY_FILE).is_file());

        let place = Place::of(&home).unwrap();
        assert_eq!(place, Place { folder: away.clone(), home: Some(home.clone()) });
        let next = open(place).await;
        assert_eq!(next.store().workspace("audit").await.unwrap().language, "sv");
        assert_eq!(next.upkeep().moved_to().unwrap(), None);
        assert!(next.upkeep().doctor().await.unwrap().is_sound());

        // Back home once the former one is gone.
        assert!(refused(&next, &home).await.contains("already contains a library"));
        drop(library);
        for file in ["", "-wal", "-shm"] {
            let _ = fs::remove_file(home.join(format!("{LIBRARY_FILE}{file}")));
        }
        next.upkeep().move_to(home.clone()).await.unwrap();
        assert_eq!(Place::of(&home).unwrap().folder, home);
    }

    #[tokio::test]
    async fn a_library_that_was_moved_is_read_and_no_longer_written_by_whoever_has_it_open() {
        let root = tempfile::tempdir().unwrap();
        let (home, away) = (root.path().join("home"), root.path().join("away"));
        let (library, other) = (open(Place::of(&home).unwrap()).await, open(Place::of(&home).unwrap()).await);
        library.store().create_workspace("audit", LabelLanguage::Sv).await.unwrap();
        library.upkeep().move_to(away.clone()).await.unwrap();
        for former in [&library, &other] {
            let refused = former.store().create_workspace("late", LabelLanguage::En).await.unwrap_err();
            assert_eq!(refused.code(), "moved");
            let words = refused.to_string();
            assert!(
                words.contains(&away.display().to_string()) && words.contains("start it again"),
                "{words}"
            );
            assert_eq!(former.store().workspace("audit").await.unwrap().language, "sv");
            let again = former.upkeep().move_to(root.path().join("elsewhere")).await.unwrap_err();
            assert_eq!(again.code(), "moved");
        }
        open(Place::of(&home).unwrap())
            .await
            .store()
            .create_workspace("late", LabelLanguage::En)
            .await
            .unwrap();

        // Its owner may continue with what was left behind.
        fs::remove_file(home.join(POINTER)).unwrap();
        other.store().create_workspace("mine", LabelLanguage::En).await.unwrap();
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn what_is_written_while_a_library_moves_goes_with_it_or_is_refused() {
        let root = tempfile::tempdir().unwrap();
        let (home, away) = (root.path().join("home"), root.path().join("away"));
        let (library, other) = (open(Place::of(&home).unwrap()).await, open(Place::of(&home).unwrap()).await);
        let writers = [library.clone(), other].into_iter().enumerate().map(|(program, library)| {
            tokio::spawn(async move {
                let mut written = Vec::new();
                for number in 0..500 {
                    let name = format!("{program}-{number}");
                    match library.store().create_workspace(&name, LabelLanguage::En).await {
                        Ok(workspace) => written.push(workspace.name),
                        Err(error) => {
                            assert_eq!(error.code(), "moved");
                            break;
                        }
                    }
                }
                written
            })
        });
        let writers: Vec<_> = writers.collect();
        library.upkeep().move_to(away).await.unwrap();
        let next = open(Place::of(&home).unwrap()).await;
        for writer in writers {
            for name in writer.await.unwrap() {
                next.store().workspace(&name).await.unwrap();
            }
        }
    }

    #[tokio::test]
    async fn a_library_whose_job_waits_stays() {
        let root = tempfile::tempdir().unwrap();
        let home = root.path().join("home");
        let library = open(Place::of(&home).unwrap()).await;
        let new = NewJob {
            kind: JobKind::Embed,
            workspace: DEFAULT_WORKSPACE.to_owned(),
            request: "{}".to_owned(),
            uploads: Vec::new(),
        };
        let job = library.store().begin_job(new, Vec::new(), 0).await.unwrap().id;
        let away = root.path().join("away");
        let words = refused(&library, &away).await;
        assert!(words.contains(&format!("job {job} in workspace `default` is running")), "{words}");
        assert!(!home.join(POINTER).exists() && !away.join(LIBRARY_FILE).exists());
    }

    #[tokio::test]
    async fn a_folder_that_will_not_do_is_refused_with_its_cure() {
        let root = tempfile::tempdir().unwrap();
        let home = root.path().join("home");
        let library = open(Place::of(&home).unwrap()).await;
        let other = root.path().join("other");
        fs::create_dir(&other).unwrap();
        fs::write(other.join("notes.txt"), "mine").unwrap();
        assert!(refused(&library, &other).await.contains("is not empty; choose an empty folder"));
        assert!(refused(&library, &home.join("inner")).await.contains("is inside the data folder"));
        assert!(refused(&library, Path::new("relative")).await.contains("absolute"));
        assert!(refused(&library, &other.join("notes.txt/x")).await.contains("notes.txt"));
        fs::write(other.join(LIBRARY_FILE), "").unwrap();
        assert!(refused(&library, &other).await.contains("already contains a library"));
        #[cfg(unix)]
        {
            let link = root.path().join("link");
            std::os::unix::fs::symlink(&home, &link).unwrap();
            assert!(refused(&library, &link.join("inner/most")).await.contains("is inside the data folder"));
        }
        assert!(!home.join(POINTER).exists());

        let by_hand = open(Place::named(root.path().join("named"))).await;
        assert!(refused(&by_hand, &root.path().join("empty")).await.contains("set when Sibyl was started"));
    }

    #[test]
    fn a_library_that_is_out_of_reach_is_not_started_afresh() {
        let home = tempfile::tempdir().unwrap();
        fs::write(home.path().join(POINTER), "/nowhere/at/all\n").unwrap();
        let error = Place::of(home.path()).unwrap_err().to_string();
        assert!(error.contains("/nowhere/at/all") && error.contains("connect the drive"), "{error}");
        for half in ["", "\n", "drive/sibyl"] {
            fs::write(home.path().join(POINTER), half).unwrap();
            let error = Place::of(home.path()).unwrap_err().to_string();
            assert!(error.contains(POINTER) && error.contains("delete it"), "{half}: {error}");
        }
    }
}
