//! The contents of paths, by name and size only: quick enough to show while files are dragged over a window.

use super::FileReport;
use super::source::{self, Expansion, Reach};
use crate::error::{Error, Result};
use crate::library::Ingest;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use tokio::sync::oneshot;

/// Number of files examined: more than most folders of reports have, and done before somebody drops them.
const FILES: usize = 2_000;
/// Entries of folders that are listed.
const ENTRIES: usize = 20_000;

/// The contents of some paths.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Glance {
    /// Files that would be read, by the extension of their names in lower case (empty if there is none), the most
    /// frequent first.
    pub kinds: Vec<(String, usize)>,
    /// Their bytes.
    pub bytes: u64,
    /// What would be left out, and why, including files that are too large.
    pub skipped: Vec<FileReport>,
    /// Whether there is more than the limit: 2,000 files, or 20,000 entries of folders.
    pub more: bool,
    /// Documents with one of these endings, by the name of their corpus.
    pub similar: BTreeMap<String, usize>,
}

impl Ingest<'_> {
    /// The contents of `paths`, and where `workspace` keeps similar documents. Of a file no more than its
    /// beginning is read, and of very many files the first ones. The work stops once nobody waits for the answer.
    ///
    /// # Errors
    /// [`Error::Io`] if no path exists and can be listed, and storage errors.
    pub async fn glance(&self, workspace: &str, paths: Vec<PathBuf>) -> Result<Glance> {
        let workspace = self.library.store().workspace(workspace).await?;
        let limit = (self.library.settings().await?.integer("max_file_size") as u64) << 20;
        let (answer, answered) = oneshot::channel();
        let looking = tokio::task::spawn_blocking(move || {
            let seen = look(&paths, limit, &|| !answer.is_closed());
            // The caller may have gone meanwhile.
            let _ = answer.send(seen);
        });
        let mut glance = match answered.await {
            Ok(glance) => glance?,
            Err(_) => return Err(looking.await.err().map_or(Error::Closed, Error::from)),
        };
        let endings: BTreeSet<&str> = glance.kinds.iter().map(|(ending, _)| ending.as_str()).collect();
        let names: BTreeMap<i64, String> = self
            .library
            .store()
            .corpora(workspace.id)
            .await?
            .into_iter()
            .map(|corpus| (corpus.id, corpus.name))
            .collect();
        let mut similar = BTreeMap::new();
        for document in self.library.store().documents(workspace.id, None).await? {
            let name =
                names.get(&document.corpus_id).filter(|_| endings.contains(ending(&document.path).as_str()));
            if let Some(name) = name {
                *similar.entry(name.clone()).or_default() += 1;
            }
        }
        glance.similar = similar;
        Ok(glance)
    }
}

/// The contents of `paths`, up to the limit. Files of more than `max_bytes` would be left out.
fn look(paths: &[PathBuf], max_bytes: u64, waited_for: &dyn Fn() -> bool) -> Result<Glance> {
    let mut reach = Reach::new(FILES, ENTRIES, waited_for);
    let expanded = source::expand_all(paths, max_bytes, &mut reach)?;
    Ok(Glance { more: reach.has_more(), ..gather(expanded) })
}

fn gather(expanded: Vec<Expansion>) -> Glance {
    let mut glance = Glance::default();
    let mut kinds: BTreeMap<String, usize> = BTreeMap::new();
    for expansion in expanded {
        glance.skipped.extend(expansion.skipped);
        for file in expansion.files {
            match file.failure {
                Some(failure) => glance.skipped.push(failure),
                None => {
                    *kinds.entry(ending(&file.path)).or_default() += 1;
                    glance.bytes += file.bytes;
                }
            }
        }
    }
    glance.kinds = kinds.into_iter().collect();
    glance.kinds.sort_by(|(a, many), (b, more)| more.cmp(many).then(a.cmp(b)));
    glance
}

/// The extension of a file's name in lower case; empty if there is none.
fn ending(path: &str) -> String {
    let name = path.rsplit('/').next().unwrap_or(path);
    match name.rsplit_once('.') {
        Some((stem, ending)) if !stem.is_empty() => ending.to_lowercase(),
        _ => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Library;
    use crate::ingest::{EmbedPlan, IngestRequest, Source};
    use crate::library::OpenOptions;
    use crate::store::table::workspace::DEFAULT_WORKSPACE;
    use std::fs;

    #[tokio::test]
    async fn files_are_counted_by_kind_and_found_again_where_they_are_kept() {
        let folder = tempfile::tempdir().unwrap();
        let library = Library::open(OpenOptions::new(folder.path().join("data"))).await.unwrap();
        let reports = folder.path().join("reports");
        fs::create_dir(&reports).unwrap();
        for (name, text) in [("a.md", "# A"), ("b.MD", "# B"), ("c.txt", "c"), ("d.zip", "PK")] {
            fs::write(reports.join(name), text).unwrap();
        }
        let request = IngestRequest {
            sources: vec![Source::path(reports.join("a.md"))],
            corpus: Some("kept".to_owned()),
            embed: EmbedPlan::Nothing,
            ..IngestRequest::default()
        };
        let job = library.ingest().start(DEFAULT_WORKSPACE, request).await.unwrap();
        library.jobs().wait(DEFAULT_WORKSPACE, job).await.unwrap();
        let glance = library.ingest().glance(DEFAULT_WORKSPACE, vec![reports.clone()]).await.unwrap();
        assert_eq!(glance.kinds, [("md".to_owned(), 2), ("txt".to_owned(), 1)]);
        assert_eq!(glance.bytes, 7);
        assert_eq!(glance.skipped.len(), 1, "{:?}", glance.skipped);
        assert_eq!(glance.similar, BTreeMap::from([("kept".to_owned(), 1)]));
        assert!(!glance.more);
        let text = library.ingest().glance(DEFAULT_WORKSPACE, vec![reports.join("c.txt")]).await.unwrap();
        assert!(text.similar.is_empty(), "{text:?}");
        assert!(library.ingest().glance(DEFAULT_WORKSPACE, vec![reports.join("none.md")]).await.is_err());
    }

    #[test]
    fn of_very_many_files_the_first_are_counted_and_more_are_told_of() {
        let folder = tempfile::tempdir().unwrap();
        for number in 0..=FILES {
            fs::write(folder.path().join(format!("{number}.md")), "#").unwrap();
        }
        let paths: Vec<PathBuf> =
            (0..=FILES).map(|number| folder.path().join(format!("{number}.md"))).collect();
        for (paths, more) in
            [(&paths[..], true), (&paths[..FILES], false), (&[folder.path().to_owned()][..], true)]
        {
            let glance = look(paths, 1000, &|| true).unwrap();
            assert_eq!((glance.kinds, glance.more), (vec![("md".to_owned(), FILES)], more));
        }
        let unheard = look(&paths, 1000, &|| false).unwrap();
        assert_eq!(unheard.kinds, []);
    }
}
