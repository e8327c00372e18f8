//! Files that are stored documents under another name or in another place.
//!
//! A document has moved if its bytes stand elsewhere in its corpus and no longer in its former place. That holds
//! even if it went into the bin meanwhile, or its file is reached from another import root. A copy is no move: as
//! long as the original file is there, both are separate documents. All of this is known before anything is read,
//! and so before anything is missing.

use crate::error::Result;
use crate::library::Library;
use crate::store::origin::DocumentOrigin;
use crate::store::table::document::{Move, Placed};
use crate::store::table::job_file::PlannedFile;
use crate::store::table::workspace::Workspace;
use crate::store::{hash, hex};
use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::fs;
use std::io::ErrorKind;
use std::path::Path;
use std::sync::Arc;

/// A file of a job with its size in bytes; `None` for an upload.
#[derive(Clone)]
pub(super) struct Sized {
    pub(super) file: PlannedFile,
    pub(super) bytes: u64,
}

/// Recognises those of `files` that are documents of their corpus in another place, and notes for each where the
/// document was before. Returns what moves. Documents read again from stored bytes stay where they are.
///
/// # Errors
/// Storage errors.
pub(super) async fn recognise(
    library: &Library,
    workspace: &Workspace,
    files: &mut [Sized],
) -> Result<Vec<Move>> {
    let mut corpora: BTreeMap<i64, Vec<usize>> = BTreeMap::new();
    for (at, Sized { file, .. }) in files.iter().enumerate() {
        if file.failure.is_none() && file.origin.path().is_some() {
            corpora.entry(file.corpus_id).or_default().push(at);
        }
    }
    let watched = library.store().watched_folders(&workspace.name).await?;
    let watched: Arc<HashSet<String>> = Arc::new(watched.into_iter().map(|folder| folder.path).collect());
    let mut moves = Vec::new();
    for (corpus, own) in corpora {
        let documents = library.store().placed_documents(corpus).await?;
        if documents.is_empty() {
            continue;
        }
        let corpus = Corpus {
            files: own.iter().map(|at| files[*at].clone()).collect(),
            documents,
            watched: Arc::clone(&watched),
        };
        for (file, document) in tokio::task::spawn_blocking(move || corpus.moved()).await? {
            let file = &mut files[own[file]].file;
            let Some(origin) = file.origin.path() else { continue };
            moves.push(Move {
                document: document.id,
                root: file.root.clone(),
                origin: DocumentOrigin::Path(origin.to_owned()),
                path: file.path.clone(),
            });
            file.moved_from = Some(document.path);
            file.report_id = document.report_id;
        }
    }
    Ok(moves)
}

/// The files of a job that go to one corpus, and the documents that it has.
struct Corpus {
    files: Vec<Sized>,
    documents: Vec<Placed>,
    watched: Arc<HashSet<String>>,
}

/// A file that may be a document: by their positions.
#[derive(Clone, Copy)]
struct Pair {
    file: usize,
    document: usize,
}

impl Corpus {
    /// The positions of files that are documents in another place, with the document of each.
    fn moved(self) -> Vec<(usize, Placed)> {
        // A document in the bin occupies no path.
        let there = self.documents.iter().enumerate().filter(|(_, document)| !document.in_bin);
        let by_path: HashMap<&str, usize> =
            there.map(|(at, document)| (document.path.as_str(), at)).collect();
        let listed: HashMap<&str, usize> =
            self.files.iter().enumerate().map(|(at, file)| (file.file.path.as_str(), at)).collect();
        let mut pairs = self.pairs(&by_path, &listed);
        // One with the same name, or near its former place, is more likely the same.
        pairs.sort_by_key(|&pair| {
            let document = &self.documents[pair.document];
            let (from, to) = (&document.path, &self.files[pair.file].file.path);
            (
                document.in_bin,
                Reverse(alike(from.rsplit('/'), to.rsplit('/'))),
                Reverse(alike(from.chars(), to.chars())),
            )
        });
        let mut taken = (HashSet::new(), HashSet::new());
        pairs.retain(|pair| {
            let free = !taken.0.contains(&pair.file) && !taken.1.contains(&pair.document);
            free && taken.0.insert(pair.file) && taken.1.insert(pair.document)
        });
        // Documents may exchange places. But none takes the place of one that stays, or leaves a place that still
        // has its own file.
        loop {
            let before = pairs.len();
            let arriving: HashSet<usize> = pairs.iter().map(|pair| pair.file).collect();
            let leaving: HashSet<usize> = pairs.iter().map(|pair| pair.document).collect();
            pairs.retain(|pair| {
                let target = by_path.get(self.files[pair.file].file.path.as_str());
                let left = listed.get(self.documents[pair.document].path.as_str());
                target.is_none_or(|document| leaving.contains(document))
                    && left.is_none_or(|file| arriving.contains(file))
            });
            if pairs.len() == before {
                break;
            }
        }
        let moved = pairs.into_iter().map(|pair| (pair.file, self.documents[pair.document].clone()));
        moved.collect()
    }

    /// Every file with each document that it may be.
    fn pairs(&self, by_path: &HashMap<&str, usize>, listed: &HashMap<&str, usize>) -> Vec<Pair> {
        let mut by_size: HashMap<u64, Vec<usize>> = HashMap::new();
        let mut by_origin: HashMap<&str, usize> = HashMap::new();
        for (at, document) in self.documents.iter().enumerate() {
            by_size.entry(document.bytes).or_default().push(at);
            if let Some(path) = document.origin.path().filter(|_| !document.in_bin) {
                by_origin.insert(path, at);
            }
        }
        let roots: HashSet<&str> = self.files.iter().map(|file| file.file.root.as_str()).collect();
        let mut pairs = Vec::new();
        for (at, Sized { file, bytes }) in self.files.iter().enumerate() {
            let Some(place) = file.origin.path() else { continue };
            let own = by_path.get(file.path.as_str()).copied();
            // The very file, reached from another root.
            let reached = by_origin.get(place).filter(|_| own.is_none());
            if let Some(&document) = reached {
                pairs.push(Pair { file: at, document });
                continue;
            }
            let same_size = by_size.get(bytes).into_iter().flatten().copied().filter(|one| Some(*one) != own);
            let same_size: Vec<usize> = same_size.collect();
            if *bytes == 0 || same_size.is_empty() {
                continue;
            }
            // A file that cannot be read reports that when it is ingested.
            let Ok(content) = fs::read(place) else { continue };
            let content = hex(&hash(&content));
            let has_it = |document: usize| self.documents[document].source_hash == content;
            if own.is_some_and(has_it) {
                continue;
            }
            let same = same_size.into_iter().filter(|&document| has_it(document));
            let same = same.filter(|&document| {
                let document = &self.documents[document];
                let elsewhere = document.root != file.root
                    && !self.watched.contains(&document.root)
                    && !roots.contains(document.root.as_str());
                elsewhere || listed.contains_key(document.path.as_str()) || left(document, place)
            });
            pairs.extend(same.map(|document| Pair { file: at, document }));
        }
        pairs
    }
}

/// Whether the place of `document` has no file any more, or leads to the file at `path` in another spelling.
fn left(document: &Placed, path: &str) -> bool {
    let Some(place) = document.origin.path() else { return true };
    match fs::canonicalize(place) {
        Ok(there) => there == Path::new(path),
        Err(error) => matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory),
    }
}

/// How many of the first of both are the same.
fn alike<T: PartialEq>(a: impl Iterator<Item = T>, b: impl Iterator<Item = T>) -> usize {
    a.zip(b).take_while(|(a, b)| a == b).count()
}
