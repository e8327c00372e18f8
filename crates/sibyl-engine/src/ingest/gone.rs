//! Files that are gone. Nothing is deleted or marked without evidence: the folder where the file was last found
//! exists, is the same one, and no longer has the file.
//!
//! A document whose folder is missing, cannot be listed or is a different one is *away*. A drive may be
//! disconnected, and what is found in its place says nothing about the document. If more files are gone at once
//! than [`allowed`], their documents are held back for a day. A person can decide about both sooner.

use super::identity::identity;
use crate::error::Result;
use crate::library::Library;
use crate::store::job::{GoneDocument, GoneReport};
use crate::store::table::held::{HELD, HeldBecause};
use crate::store::table::missing::{Listed, MissingDocument, Settlement};
use crate::store::table::watched_folder::Gone;
use crate::store::{later, moment};
use std::collections::{HashMap, HashSet};
use std::io::ErrorKind;
use std::path::Path;

/// Number of documents that may be gone at once from a folder of any size. It is never more than half of the
/// folder, but always at least one.
const FEW: usize = 2;
/// Share of the documents of a folder that may be gone at once: a twentieth.
const SHARE: usize = 20;

/// Documents of a folder with `total` of them that are deleted or marked at once; where more are gone, all wait.
fn allowed(total: usize) -> usize {
    FEW.max(total / SHARE).min(total / 2).max(1)
}

/// What is found where the file of a document was.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Sight {
    /// The file.
    There,
    /// The file, under a name that differs only in case, which the file system takes for the same.
    Recased,
    /// No file.
    Absent,
}

/// The conclusion about a document whose file the job did not find.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Verdict {
    /// The file is there after all.
    There,
    /// The file has another name now.
    Renamed,
    /// The file is gone from its folder.
    Gone,
    /// Its folder is away.
    Away,
}

/// Settles the documents whose files `job` did not find, each time that it lists its folders. `gone` says what to
/// do with those that are gone. `None` if they were dealt with before.
pub(super) async fn settle(library: &Library, job: i64, gone: Gone) -> Result<Option<Settled>> {
    let store = library.store();
    let Some(listed) = store.listed(job).await? else { return Ok(None) };
    let now = library.now();
    let judge = move || {
        let verdicts = listed.missing.iter().map(|document| verdict(document, &listed)).collect::<Vec<_>>();
        settlement(&listed, &verdicts, gone, now)
    };
    let (settlement, report) = tokio::task::spawn_blocking(judge).await?;
    let documents = settlement.delete.len();
    let chunks = store.settle_missing(job, settlement).await?;
    Ok(Some(Settled { report, documents, chunks }))
}

/// What dealing with missing documents did.
pub(super) struct Settled {
    /// What became of those whose files are gone.
    pub(super) report: GoneReport,
    /// Documents that went into the bin, those whose file has another name now among them.
    pub(super) documents: usize,
    /// Their chunks.
    pub(super) chunks: usize,
}

/// Looks for the file of `document` once more, and at its folder.
fn verdict(document: &MissingDocument, listed: &Listed) -> Verdict {
    // What came through a door is in the library, whatever becomes of files.
    let Some(file) = document.origin.path() else { return Verdict::There };
    match sight(Path::new(file)) {
        Sight::There => Verdict::There,
        Sight::Recased => Verdict::Renamed,
        Sight::Absent if document.renamed => Verdict::Renamed,
        Sight::Absent => {
            let folder = folder_of(file);
            let was = document.found_in.as_ref();
            let same = was.is_some()
                && was == listed.folders.get(&folder)
                && was == identity(Path::new(&folder)).ok().as_ref();
            if same { Verdict::Gone } else { Verdict::Away }
        }
    }
}

fn sight(file: &Path) -> Sight {
    match std::fs::symlink_metadata(file) {
        Ok(_) => {
            let lower = |path: &Path| path.to_string_lossy().to_lowercase();
            let real = std::fs::canonicalize(file).ok();
            let recased = real.is_some_and(|real| real != file && lower(&real) == lower(file));
            if recased { Sight::Recased } else { Sight::There }
        }
        // A file where a folder was is as good as no folder.
        Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => Sight::Absent,
        Err(_) => Sight::There,
    }
}

/// The folder of the file at `origin`.
fn folder_of(origin: &str) -> String {
    Path::new(origin).parent().map_or_else(String::new, |folder| folder.to_string_lossy().into_owned())
}

/// What becomes of the missing documents, by the conclusion about each, at `now` (Unix seconds).
fn settlement(listed: &Listed, verdicts: &[Verdict], gone: Gone, now: i64) -> (Settlement, GoneReport) {
    let at = moment(now);
    let mut settled = Settlement { gone, at: at.clone(), ..Settlement::default() };
    let mut report = GoneReport::default();
    let ordinary = ordinary(listed, verdicts, gone);
    let mut until: Vec<String> = Vec::new();
    for (document, verdict) in listed.missing.iter().zip(verdicts) {
        let id = document.id;
        let done = document.kept || (document.marked && gone != Gone::Delete);
        match verdict {
            Verdict::There => settled.release.extend(document.held.is_some().then_some(id)),
            // The answer may be that it is another document by now.
            Verdict::Renamed | Verdict::Gone if document.asked && gone != Gone::Keep => {
                if !document.marked {
                    settled.mark.push(id);
                    report.marked.add(named(document));
                }
            }
            Verdict::Renamed => settled.delete.push(id),
            Verdict::Gone | Verdict::Away if done => {}
            Verdict::Gone | Verdict::Away if gone == Gone::Keep => {
                settled.release.extend(document.held.is_some().then_some(id));
            }
            Verdict::Away => {
                settled.hold.push((id, HeldBecause::Away));
                report.away.add(named(document));
            }
            Verdict::Gone => {
                let since = many_since(document);
                let acts = match since {
                    Some(since) => later(since, HELD) <= at,
                    None => ordinary.contains(&(document.corpus, document.root.as_str())),
                };
                if !acts {
                    settled.hold.push((id, HeldBecause::Many));
                    report.held.add(named(document));
                    until.push(later(since.unwrap_or(&at), HELD));
                } else if gone == Gone::Mark {
                    settled.mark.push(id);
                    report.marked.add(named(document));
                } else {
                    settled.delete.push(id);
                    report.deleted.add(named(document));
                }
            }
        }
    }
    report.until = until.into_iter().min();
    settled.found = found(listed);
    (settled, report)
}

/// Since when a document has been held back because many were gone at once.
fn many_since(document: &MissingDocument) -> Option<&str> {
    let held = document.held.as_ref().filter(|(reason, _)| *reason == HeldBecause::Many);
    held.map(|(_, since)| since.as_str())
}

fn named(document: &MissingDocument) -> GoneDocument {
    GoneDocument { id: document.id, path: document.path.clone() }
}

/// The import roots, by corpus, from which no more documents have just gone than the limit.
fn ordinary<'a>(listed: &'a Listed, verdicts: &[Verdict], gone: Gone) -> HashSet<(i64, &'a str)> {
    let mut total: HashMap<(i64, &str), usize> = HashMap::new();
    for document in &listed.documents {
        *total.entry((document.corpus, document.root.as_str())).or_default() += 1;
    }
    let mut fresh: HashMap<(i64, &str), usize> = HashMap::new();
    for (document, verdict) in listed.missing.iter().zip(verdicts) {
        let key = (document.corpus, document.root.as_str());
        let waits = document.kept
            || document.asked
            || (document.marked && gone != Gone::Delete)
            || many_since(document).is_some();
        match verdict {
            Verdict::Gone if !waits => *fresh.entry(key).or_default() += 1,
            // What is not in the folder anyway is no part of its share.
            Verdict::Gone | Verdict::Away => *total.entry(key).or_default() -= 1,
            Verdict::There | Verdict::Renamed => {}
        }
    }
    fresh.into_iter().filter(|(key, fresh)| *fresh <= allowed(total[key])).map(|(key, _)| key).collect()
}

/// The documents that are not missing and whose file was found in another folder than before, with that folder's
/// identity.
fn found(listed: &Listed) -> Vec<(i64, String)> {
    let missing: HashSet<i64> = listed.missing.iter().map(|document| document.id).collect();
    let there = listed.documents.iter().filter(|document| !missing.contains(&document.id));
    let moved = there.filter_map(|document| {
        let folder = listed.folders.get(&folder_of(document.origin.path()?))?;
        (document.found_in.as_ref() != Some(folder)).then(|| (document.id, folder.clone()))
    });
    moved.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_few_files_of_a_folder_may_be_gone_at_once_and_never_most_of_it() {
        for (total, most) in [(1, 1), (2, 1), (3, 1), (4, 2), (7, 2), (40, 2), (60, 3), (100, 5), (1_000, 50)]
        {
            assert_eq!(allowed(total), most, "{total}");
        }
    }
}
