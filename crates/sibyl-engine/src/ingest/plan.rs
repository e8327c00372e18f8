//! A request becomes a plan: which file goes to which corpus, cut by which strategy.

use super::job::{FileReport, Report};
use super::source::{self, Expansion, Kind};
use super::{IngestRequest, Source};
use crate::error::{Error, Result};
use crate::library::Library;
use crate::store::short_hash;
use crate::store::table::corpus::{Corpus, NewCorpus};
use crate::store::table::job::PlannedFile;
use crate::store::table::workspace::Workspace;
use serde_json::{Map, Value};
use sibyl_text::chunk;
use std::collections::{BTreeMap, HashSet};
use std::path::{Path, PathBuf};

/// Which files go where.
pub(super) struct Plan {
    pub(super) files: Vec<PlannedFile>,
    /// Folders that were listed completely, by corpus.
    pub(super) roots: Vec<(i64, String)>,
    /// Starts with what was left out.
    pub(super) report: Report,
}

/// Names that stand for shipped corpora in a request without sources.
const SHIPPED: &[&str] = &["all", "ifrs", "ifrs-s1", "ifrs-s2", "sasb"];

/// Refuses a request that no file could satisfy, before a job is made of it.
///
/// # Errors
/// [`Error::Invalid`], [`Error::NotFound`] and [`Error::Io`] name what is wrong and the cure.
pub(super) fn check(request: &IngestRequest, shipped: Option<&Path>) -> Result<()> {
    for source in &request.sources {
        if let Source::Path { path } = source {
            std::fs::metadata(path).map_err(|error| Error::io(path, error))?;
        }
    }
    if request.sources.is_empty() {
        shipped_paths(request.corpus.as_deref(), shipped)?;
    }
    if let Some(source_type) = request.source_type.as_deref() {
        let known = SOURCE_TYPES.contains(&source_type);
        if !known {
            let known = SOURCE_TYPES.join(", ");
            return Err(Error::Invalid(format!("`{source_type}` is no source type; choose one of {known}")));
        }
    }
    if let Some(name) = request.strategy.as_deref() {
        checked_settings(name, &request.settings)?;
    }
    Ok(())
}

/// Source types a corpus can hold.
pub const SOURCE_TYPES: &[&str] = &["ifrs_s1", "ifrs_s2", "sasb", "report", "docs", "text", "licensed"];

/// Checks the values `given` for strategy `name`.
///
/// # Errors
/// [`Error::Invalid`] names the strategies or parameters there are.
pub(super) fn checked_settings(
    name: &str,
    given: &Map<String, Value>,
) -> Result<(&'static dyn chunk::Strategy, sibyl_text::Settings)> {
    let strategy = chunk::strategy(name).ok_or_else(|| {
        let known = chunk::STRATEGIES.iter().map(|s| s.name()).collect::<Vec<_>>().join(", ");
        Error::Invalid(format!("`{name}` is no chunking strategy; choose one of {known}"))
    })?;
    let settings = chunk::settings(strategy, given).map_err(|error| Error::Invalid(error.to_string()))?;
    Ok((strategy, settings))
}

/// Files and folders of the shipped corpora called `name`.
fn shipped_paths(name: Option<&str>, shipped: Option<&Path>) -> Result<Vec<PathBuf>> {
    let name = name.unwrap_or("all");
    if !SHIPPED.contains(&name) {
        let known = SHIPPED.join(", ");
        return Err(Error::Invalid(format!(
            "no files were named, and `{name}` is not among the shipped corpora ({known}); name files or folders"
        )));
    }
    let folder = shipped.ok_or_else(|| {
        Error::Invalid("nothing ships with this program; name files or folders to ingest".to_owned())
    })?;
    let mut paths = Vec::new();
    if ["all", "ifrs", "ifrs-s1"].contains(&name) {
        paths.push(folder.join("ifrs/s1_full.md"));
    }
    if ["all", "ifrs", "ifrs-s2"].contains(&name) {
        paths.push(folder.join("ifrs/s2_full.md"));
    }
    if ["all", "sasb"].contains(&name) {
        paths.push(folder.join("sasb"));
    }
    Ok(paths)
}

/// Files and folders that `request` names.
///
/// # Errors
/// [`Error::Invalid`] where it asks for shipped corpora that there are none of.
pub(super) fn paths(request: &IngestRequest, shipped: Option<&Path>) -> Result<Vec<PathBuf>> {
    if request.sources.is_empty() {
        return shipped_paths(request.corpus.as_deref(), shipped);
    }
    let path = |source: &Source| match source {
        Source::Path { path } => Some(PathBuf::from(path)),
        _ => None,
    };
    Ok(request.sources.iter().filter_map(path).collect())
}

/// A file before its corpus is settled.
struct Candidate {
    kind: Kind,
    /// The corpus it is stored in already.
    home: Option<Corpus>,
    /// Name of its folder where a folder was given.
    tree: Option<String>,
    root: String,
    complete: bool,
    origin: String,
    path: String,
    page_metadata: Option<String>,
    failure: Option<FileReport>,
}

/// Expands the sources of `request` and settles the corpus of each file. Corpora are made where they are missing.
///
/// # Errors
/// [`Error::Invalid`] where corpus, source type, strategy and settings contradict each other; I/O and storage
/// errors.
pub(super) async fn plan(
    library: &Library,
    workspace: &Workspace,
    request: &IngestRequest,
    uploads: &[(String, Vec<u8>, bool)],
) -> Result<Plan> {
    let limit = (library.settings().await?.integer("max_file_size") as u64) << 20;
    let mut report = Report::default();
    let mut candidates = Vec::new();
    let shipped = request.sources.is_empty();
    for path in paths(request, library.shipped())? {
        let expansion = tokio::task::spawn_blocking(move || source::expand(&path, limit))
            .await
            .map_err(|_| Error::Closed)??;
        gather(expansion, &mut candidates, &mut report);
    }
    for (ordinal, (name, head, page_metadata)) in uploads.iter().enumerate() {
        let path = source::upload_path(name);
        candidates.push(Candidate {
            kind: source::kind(&path, head, *page_metadata),
            home: None,
            tree: None,
            root: String::new(),
            complete: false,
            origin: format!("upload:{ordinal}"),
            path,
            page_metadata: None,
            failure: None,
        });
    }
    if !shipped && !request.shared {
        for candidate in candidates.iter_mut().filter(|candidate| candidate.tree.is_none()) {
            find_home(library, workspace, request, candidate).await?;
        }
    }
    let stored = stored(library, workspace, request).await?;
    let scope = (!(shipped || request.shared)).then_some(workspace.id);
    let named = request.corpus.as_deref().filter(|_| !shipped);
    let mut corpora: BTreeMap<String, Corpus> = BTreeMap::new();
    let names: Vec<String> =
        candidates.iter().map(|candidate| corpus_name(candidate, named, request)).collect();
    let kinds = dominant(&names, &candidates);
    let (mut files, mut roots, mut taken) = (Vec::new(), Vec::new(), HashSet::new());
    let mut reports = HashSet::new();
    for (candidate, name) in candidates.into_iter().zip(names) {
        let corpus = match corpora.get(&name) {
            Some(corpus) => corpus,
            None => {
                let kind = kinds.get(&name).copied().unwrap_or(candidate.kind);
                let corpus = settle(library, scope, &name, kind, request).await?;
                corpora.entry(name).or_insert(corpus)
            }
        };
        if candidate.complete && !roots.contains(&(corpus.id, candidate.root.clone())) {
            roots.push((corpus.id, candidate.root.clone()));
        }
        let mut failure = candidate.failure;
        if !taken.insert((corpus.id, candidate.path.clone())) {
            let message = format!(
                "another file of this import is called {} in the corpus {} too; give one of them another corpus",
                candidate.path, corpus.name
            );
            failure = Some(file_report(&candidate.path, "same_path", message));
        }
        let (report_id, replaces) = match (&request.report_id, corpus.source_type.as_str()) {
            (Some(id), "report") => (Some(id.clone()), true),
            (_, "report") => {
                let id =
                    derived_report_id(library, workspace, corpus.id, &candidate.path, &mut reports).await?;
                (Some(id), false)
            }
            _ => (None, false),
        };
        files.push(PlannedFile {
            ordinal: 0,
            corpus_id: corpus.id,
            root: candidate.root,
            origin: candidate.origin,
            path: candidate.path,
            page_metadata: candidate.page_metadata,
            report_id,
            replaces,
            failure,
        });
    }
    files.extend(stored);
    if let Some(id) = request.report_id.as_ref().filter(|_| files.len() > 1) {
        let count = files.len();
        return Err(Error::Invalid(format!(
            "one report id (`{id}`) was given for {count} files; ingest them one by one"
        )));
    }
    if files.is_empty() {
        let why = report
            .skipped
            .first()
            .map_or_else(String::new, |first| format!(" ({} {})", first.path, first.message));
        return Err(Error::Invalid(format!(
            "there is no file to ingest{why}; name a file or another folder"
        )));
    }
    for (ordinal, file) in files.iter_mut().enumerate() {
        file.ordinal = ordinal as i64;
    }
    Ok(Plan { files, roots, report })
}

fn gather(expansion: Expansion, candidates: &mut Vec<Candidate>, report: &mut Report) {
    report.skipped.extend(expansion.skipped);
    let tree = (expansion.complete || expansion.files.len() > 1).then_some(expansion.name);
    for file in expansion.files {
        candidates.push(Candidate {
            kind: file.kind,
            home: None,
            tree: tree.clone(),
            root: expansion.root.clone(),
            complete: expansion.complete,
            origin: file.origin.to_string_lossy().into_owned(),
            path: file.path,
            page_metadata: file.page_metadata.map(|path| path.to_string_lossy().into_owned()),
            failure: file.failure,
        });
    }
}

/// A single file that was ingested before with its folder goes where it was, instead of a second place.
async fn find_home(
    library: &Library,
    workspace: &Workspace,
    request: &IngestRequest,
    candidate: &mut Candidate,
) -> Result<()> {
    let found = library.store().document_from(workspace.id, &candidate.origin).await?;
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

/// The kind most files of each corpus are of; the earlier kind where two are equally many.
fn dominant(names: &[String], candidates: &[Candidate]) -> BTreeMap<String, Kind> {
    let mut counts: BTreeMap<&str, BTreeMap<Kind, usize>> = BTreeMap::new();
    for (name, candidate) in names.iter().zip(candidates) {
        *counts.entry(name).or_default().entry(candidate.kind).or_default() += 1;
    }
    let most = |kinds: BTreeMap<Kind, usize>| kinds.into_iter().rev().max_by_key(|(_, count)| *count);
    counts.into_iter().filter_map(|(name, kinds)| Some((name.to_owned(), most(kinds)?.0))).collect()
}

/// The corpus a file goes to: where it is stored already, else where the request says, else by what it is.
fn corpus_name(candidate: &Candidate, named: Option<&str>, request: &IngestRequest) -> String {
    if let Some(corpus) = &candidate.home {
        return corpus.name.clone();
    }
    if let Some(name) = named {
        return name.to_owned();
    }
    let tree = || candidate.tree.as_deref().map(source::slug).filter(|slug| !slug.is_empty());
    match (request.source_type.as_deref(), candidate.kind) {
        (Some("report"), _) => "reports".to_owned(),
        (Some(other), _) => tree().unwrap_or_else(|| source::slug(other)),
        (None, Kind::IfrsS1) => "ifrs-s1".to_owned(),
        (None, Kind::IfrsS2) => "ifrs-s2".to_owned(),
        (None, Kind::Sasb) => "sasb".to_owned(),
        (None, Kind::Report) => "reports".to_owned(),
        (None, Kind::Docs) => tree().unwrap_or_else(|| "docs".to_owned()),
        (None, Kind::Text) => tree().unwrap_or_else(|| "texts".to_owned()),
    }
}

/// The corpus called `name`, made or brought up to date.
async fn settle(
    library: &Library,
    scope: Option<i64>,
    name: &str,
    kind: Kind,
    request: &IngestRequest,
) -> Result<Corpus> {
    let existing = library.store().corpus_in(scope, name).await?;
    let known = existing.as_ref().map(|corpus| corpus.source_type.as_str());
    let asked = request.source_type.as_deref().or(known);
    let source_type = asked.unwrap_or_else(|| Kind::of_corpus(name).unwrap_or(kind).source_type());
    let (mut strategy, mut settings) = match &existing {
        Some(corpus) => (corpus.strategy.clone(), corpus.settings.clone()),
        None => (Kind::strategy(source_type).to_owned(), Map::new()),
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
    let corpus = NewCorpus {
        workspace_id: scope,
        name: name.to_owned(),
        source_type: source_type.to_owned(),
        strategy,
        settings,
        base_url: request
            .base_url
            .clone()
            .or_else(|| kept.map(|corpus| corpus.base_url.clone()))
            .unwrap_or_default(),
        remote: request.remote.or_else(|| kept.map(|corpus| corpus.remote)).unwrap_or(false),
    };
    library.store().put_corpus(corpus).await
}

/// The slug of the file's path. Where another report has it already, a hash of the path sets them apart.
async fn derived_report_id(
    library: &Library,
    workspace: &Workspace,
    corpus: i64,
    path: &str,
    taken: &mut HashSet<String>,
) -> Result<String> {
    let stem = path.rsplit_once('.').map_or(path, |(stem, _)| stem);
    let hash = short_hash(&[path]);
    let slug =
        Some(source::slug(stem)).filter(|slug| !slug.is_empty()).unwrap_or_else(|| format!("report-{hash}"));
    let others = library.store().others_of_report(workspace.id, &slug, corpus, path).await?;
    let id =
        if others.is_empty() && !taken.contains(&slug) { slug } else { format!("{slug}-{}", &hash[..8]) };
    taken.insert(id.clone());
    Ok(id)
}

/// Stored documents that are to be read again from their stored bytes.
async fn stored(
    library: &Library,
    workspace: &Workspace,
    request: &IngestRequest,
) -> Result<Vec<PlannedFile>> {
    let mut files = Vec::new();
    for source in &request.sources {
        let documents = match source {
            Source::Corpus { name } => {
                let corpus = library.store().corpus(workspace.id, name).await?;
                let corpus = corpus.ok_or_else(|| Error::not_found("corpus", name))?;
                // What the request says about cutting holds for the whole corpus from now on.
                settle(library, corpus.workspace_id, name, Kind::Text, request).await?;
                library.store().documents(workspace.id, Some(corpus.id)).await?
            }
            Source::Document { id } => vec![library.store().document(workspace.id, *id).await?.0],
            _ => continue,
        };
        for document in documents {
            files.push(PlannedFile {
                ordinal: 0,
                corpus_id: document.corpus_id,
                root: document.root,
                origin: format!("stored:{}", document.id),
                path: document.path,
                page_metadata: None,
                report_id: document.report_id,
                replaces: false,
                failure: None,
            });
        }
    }
    Ok(files)
}

fn file_report(path: &str, code: &str, message: String) -> FileReport {
    FileReport { path: path.to_owned(), line: None, page: None, code: code.to_owned(), message }
}
