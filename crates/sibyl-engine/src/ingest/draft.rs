//! A request becomes a draft: which files there are and which corpus each would go to. Nothing is stored by it.

use super::FileReport;
use super::check::{checked_settings, paths};
use super::source::{self, Expansion, Reach};
use super::{IngestRequest, Source};
use crate::error::{Error, Result};
use crate::library::Library;
use crate::store::origin::FileOrigin;
use crate::store::table::corpus::{Corpus, NewCorpus};
use crate::store::table::document::DocumentRow;
use crate::store::table::workspace::Workspace;
use serde_json::Map;
use sibyl_text::source_type::{self, Home, SourceType};
use std::collections::{BTreeMap, HashSet};

/// What a request comes down to.
pub(super) struct Draft {
    /// Files and uploads, each with the name of its corpus.
    pub(super) candidates: Vec<(String, DraftFile)>,
    /// Corpora that the candidates go to, by name.
    pub(super) corpora: BTreeMap<String, NewCorpus>,
    /// Stored documents to read again.
    pub(super) stored: Vec<Stored>,
    /// Folders that were listed, each with its identity.
    pub(super) folders: Vec<(String, String)>,
    /// What was left out, and why.
    pub(super) skipped: Vec<FileReport>,
}

/// A file before it is stored.
pub(super) struct DraftFile {
    kind: &'static SourceType,
    /// The corpus it is stored in already.
    home: Option<Corpus>,
    /// Name of its folder, if a folder was given.
    tree: Option<String>,
    pub(super) root: String,
    /// Whether its root is a folder that was walked to its end.
    pub(super) complete: bool,
    pub(super) origin: FileOrigin,
    pub(super) path: String,
    pub(super) page_metadata: Option<String>,
    /// Its size; 0 for an upload.
    pub(super) bytes: u64,
    pub(super) failure: Option<FileReport>,
}

/// Documents of one corpus to read again from their stored bytes.
pub(super) struct Stored {
    /// The corpus with what the request says changed.
    pub(super) corpus: NewCorpus,
    /// Whether all of the corpus was requested, so that the request's chunking applies to it from now on.
    pub(super) whole: bool,
    pub(super) documents: Vec<DocumentRow>,
}

/// Expands the sources of `request` and finds the corpus of each file. An upload is recognised by its name, its first
/// bytes, and whether page metadata came with it.
///
/// # Errors
/// [`Error::Invalid`] if corpus, source type, strategy and settings contradict each other; I/O and storage errors.
pub(super) async fn draft(
    library: &Library,
    workspace: &Workspace,
    request: &IngestRequest,
    uploads: &[(String, Vec<u8>, bool)],
) -> Result<Draft> {
    let limit = library.ingest().most_bytes().await?;
    let (mut candidates, mut folders, mut skipped) = (Vec::new(), Vec::new(), Vec::new());
    let shipped = request.sources.is_empty();
    let paths = paths(request, library.shipped())?;
    let expanding = move || source::expand_all(&paths, limit, &mut Reach::endless());
    for mut expansion in tokio::task::spawn_blocking(expanding).await?? {
        folders.append(&mut expansion.folders);
        gather(expansion, &mut candidates, &mut skipped);
    }
    let mut temporary = Vec::new();
    for (ordinal, (name, head, page_metadata)) in uploads.iter().enumerate() {
        let path = source::upload_path(name);
        if source::is_temporary(path.rsplit('/').next().unwrap_or(&path)) {
            temporary.push(path);
            continue;
        }
        candidates.push(DraftFile {
            kind: source::kind(&path, head, *page_metadata),
            home: None,
            tree: None,
            root: String::new(),
            complete: false,
            origin: FileOrigin::Upload(ordinal),
            path,
            page_metadata: None,
            bytes: 0,
            failure: None,
        });
    }
    skipped.extend(source::left_out(&temporary));
    if !shipped && !request.shared {
        for candidate in candidates.iter_mut().filter(|candidate| candidate.tree.is_none()) {
            find_home(library, workspace, request, candidate).await?;
        }
    }
    let stored = stored(library, workspace, request).await?;
    let scope = (!(shipped || request.shared)).then_some(workspace.id);
    let named = request.corpus.as_deref().filter(|_| !shipped);
    let names: Vec<String> =
        candidates.iter().map(|candidate| corpus_name(candidate, named, request)).collect();
    let mut corpora = BTreeMap::new();
    for (name, kind) in dominant(&names, &candidates) {
        let corpus = settled(library, scope, &name, kind, request).await?;
        corpora.insert(name, corpus);
    }
    let mut taken = HashSet::new();
    for (name, candidate) in names.iter().zip(&mut candidates) {
        if !taken.insert((name, candidate.path.clone())) {
            let message = format!(
                "another file in this import is also called {} in the corpus {name}; choose another corpus for one \
                 of them",
                candidate.path
            );
            candidate.failure = Some(FileReport::new(&candidate.path, "same_path", message));
        }
    }
    Ok(Draft { candidates: names.into_iter().zip(candidates).collect(), corpora, stored, folders, skipped })
}

fn gather(expansion: Expansion, candidates: &mut Vec<DraftFile>, skipped: &mut Vec<FileReport>) {
    skipped.extend(expansion.skipped);
    let tree = (expansion.complete || expansion.files.len() > 1).then_some(expansion.name);
    for file in expansion.files {
        candidates.push(DraftFile {
            kind: file.kind,
            home: None,
            tree: tree.clone(),
            root: expansion.root.clone(),
            complete: expansion.complete,
            origin: FileOrigin::Path(file.origin.to_string_lossy().into_owned()),
            path: file.path,
            page_metadata: file.page_metadata.map(|path| path.to_string_lossy().into_owned()),
            bytes: file.bytes,
            failure: file.failure,
        });
    }
}

/// A single file that was ingested before with its folder stays where it was, instead of getting a second place.
async fn find_home(
    library: &Library,
    workspace: &Workspace,
    request: &IngestRequest,
    candidate: &mut DraftFile,
) -> Result<()> {
    let Some(path) = candidate.origin.path() else { return Ok(()) };
    let found = library.store().document_from(workspace.id, path).await?;
    let Some(document) = found else { return Ok(()) };
    let corpus = library.store().corpus_by_id(document.corpus_id).await?;
    let fits = request.corpus.as_ref().is_none_or(|name| *name == corpus.name)
        && request.source_type.as_ref().is_none_or(|source_type| *source_type == corpus.source_type);
    if fits {
        candidate.path = document.path;
        candidate.root = document.root;
        candidate.home = Some(corpus);
    }
    Ok(())
}

/// The kind of most files of each corpus; of two equally frequent kinds the earlier one.
fn dominant(names: &[String], candidates: &[DraftFile]) -> BTreeMap<String, &'static SourceType> {
    let mut kinds: BTreeMap<&str, Vec<&'static SourceType>> = BTreeMap::new();
    for (name, candidate) in names.iter().zip(candidates) {
        kinds.entry(name).or_default().push(candidate.kind);
    }
    let most = |kinds: &[&'static SourceType]| {
        let count = |one: &&SourceType| kinds.iter().filter(|kind| *kind == one).count();
        source_type::all().iter().copied().rev().max_by_key(|one| count(one))
    };
    kinds.into_iter().filter_map(|(name, kinds)| Some((name.to_owned(), most(&kinds)?))).collect()
}

/// The corpus for a file: the one where it is stored already, else the one in the request, else one for its kind.
fn corpus_name(candidate: &DraftFile, named: Option<&str>, request: &IngestRequest) -> String {
    if let Some(corpus) = &candidate.home {
        return corpus.name.clone();
    }
    if let Some(name) = named {
        return name.to_owned();
    }
    let tree = || candidate.tree.as_deref().map(source::slug).filter(|slug| !slug.is_empty());
    let asked = request.source_type.as_deref();
    match (asked, asked.and_then(source_type::named).unwrap_or(candidate.kind)) {
        (Some(name), kind) if !kind.is_report() => tree().unwrap_or_else(|| source::slug(name)),
        (_, SourceType { home: Home::Own(name), .. }) => (*name).to_owned(),
        (_, SourceType { home: Home::Folder(name), .. }) => tree().unwrap_or_else(|| (*name).to_owned()),
    }
}

/// The new state of the corpus called `name`: as it is, with the changes in the request.
async fn settled(
    library: &Library,
    scope: Option<i64>,
    name: &str,
    kind: &SourceType,
    request: &IngestRequest,
) -> Result<NewCorpus> {
    let existing = library.store().corpus_in(scope, name).await?;
    let known = existing.as_ref().map(|corpus| corpus.source_type.as_str());
    let asked = request.source_type.as_deref().or(known);
    let kept_for =
        || source_type::all().iter().copied().find(|one| matches!(one.home, Home::Own(own) if own == name));
    let source_type = match asked {
        Some(asked) => source_type::named(asked)
            .ok_or_else(|| Error::unknown_choice("source type", asked, source_type::names()))?,
        None => kept_for().unwrap_or(kind),
    };
    let (mut strategy, mut settings) = match &existing {
        Some(corpus) => (corpus.strategy.clone(), corpus.settings.clone()),
        None => (source_type.strategy.to_owned(), Map::new()),
    };
    if let Some(asked) = request.strategy.as_ref().filter(|asked| **asked != strategy) {
        strategy.clone_from(asked);
        settings = Map::new();
    }
    if !request.settings.is_empty() {
        settings.clone_from(&request.settings);
    }
    checked_settings(&strategy, &settings)?;
    let kept = existing.as_ref();
    Ok(NewCorpus {
        workspace_id: scope,
        name: name.to_owned(),
        source_type: source_type.name.to_owned(),
        strategy,
        settings,
        base_url: match &request.base_url {
            Some(url) => checked_url(url)?,
            None => kept.map(|corpus| corpus.base_url.clone()).unwrap_or_default(),
        },
        remote: request.remote.or_else(|| kept.map(|corpus| corpus.remote)).unwrap_or(false),
    })
}

/// The address that links of citations begin with; empty for none.
pub(super) fn checked_url(url: &str) -> Result<String> {
    let url = url.trim();
    // Schemes are the same in capitals (RFC 3986, section 3.1).
    let host = url
        .split_once("://")
        .filter(|(scheme, _)| ["https", "http"].iter().any(|known| scheme.eq_ignore_ascii_case(known)));
    let host = host.map(|(_, rest)| rest);
    let named = |rest: &str| rest.starts_with(|c: char| c.is_alphanumeric() || c == '[');
    if url.is_empty() || host.is_some_and(named) {
        return Ok(url.to_owned());
    }
    Err(Error::Invalid(format!(
        "`base_url` must be an http or https address such as https://docs.example, not `{url}`"
    )))
}

/// Stored documents to read again from their stored bytes.
async fn stored(library: &Library, workspace: &Workspace, request: &IngestRequest) -> Result<Vec<Stored>> {
    let mut out = Vec::new();
    for source in &request.sources {
        match source {
            Source::Corpus { name } => {
                let corpus = library.store().corpus(workspace.id, name).await?;
                let corpus = corpus.ok_or_else(|| Error::not_found("corpus", name))?;
                let documents = library.store().documents(workspace.id, Some(corpus.id)).await?;
                let corpus =
                    settled(library, corpus.workspace_id, name, source_type::text(), request).await?;
                out.push(Stored { corpus, whole: true, documents });
            }
            Source::Document { id } => {
                let (document, _) = library.store().document(workspace.id, *id).await?;
                let corpus = library.store().corpus_by_id(document.corpus_id).await?;
                out.push(Stored { corpus: corpus.into(), whole: false, documents: vec![document] });
            }
            Source::Path { .. } | Source::Upload { .. } => {}
        }
    }
    Ok(out)
}
