//! A request becomes a plan: its corpora are settled, and each of its files goes to one of them.

use super::JobReport;
use super::draft::draft;
use super::moved::{self, Sized};
use super::{IngestRequest, source};
use crate::error::{Error, Result};
use crate::library::Library;
use crate::store::origin::FileOrigin;
use crate::store::short_hash;
use crate::store::table::corpus::Corpus;
use crate::store::table::document::{DocumentRow, Move};
use crate::store::table::job_file::PlannedFile;
use crate::store::table::workspace::Workspace;
use sibyl_text::source_type::{self, SourceType};
use std::collections::{BTreeMap, HashSet};

/// Which files go where.
pub(super) struct Plan {
    pub(super) files: Vec<PlannedFile>,
    /// Import roots that were walked to their end, by corpus.
    pub(super) roots: Vec<(i64, String)>,
    /// Folders that were listed, each with its identity.
    pub(super) folders: Vec<(String, String)>,
    /// Documents that some of the files are, which are in another place now.
    pub(super) moves: Vec<Move>,
    /// It starts with what was left out.
    pub(super) report: JobReport,
}

/// Carries out the draft of `request` for its corpora: they are made, or brought up to date.
///
/// # Errors
/// As [`draft`]; [`Error::NothingToIngest`] if there are no files.
pub(super) async fn plan(
    library: &Library,
    workspace: &Workspace,
    request: &IngestRequest,
    uploads: &[(String, Vec<u8>, bool)],
) -> Result<Plan> {
    let draft = draft(library, workspace, request, uploads).await?;
    let mut corpora: BTreeMap<String, Corpus> = BTreeMap::new();
    let (mut files, mut roots): (Vec<Sized>, _) = (Vec::new(), Vec::new());
    for (name, candidate) in draft.candidates {
        let corpus = match corpora.get(&name) {
            Some(corpus) => corpus,
            None => {
                let corpus = library.store().put_corpus(draft.corpora[&name].clone()).await?;
                corpora.entry(name).or_insert(corpus)
            }
        };
        if candidate.complete && !roots.contains(&(corpus.id, candidate.root.clone())) {
            roots.push((corpus.id, candidate.root.clone()));
        }
        let file = PlannedFile {
            ordinal: 0,
            corpus_id: corpus.id,
            root: candidate.root,
            origin: candidate.origin,
            path: candidate.path,
            page_metadata: candidate.page_metadata,
            report_id: None,
            replaces: false,
            moved_from: None,
            failure: candidate.failure,
        };
        files.push(Sized { file, bytes: candidate.bytes });
    }
    let moves = moved::recognise(library, workspace, &mut files).await?;
    let mut files: Vec<PlannedFile> = files.into_iter().map(|one| one.file).collect();
    let of_reports = |one: &Corpus| source_type::named(&one.source_type).is_some_and(SourceType::is_report);
    let reports: HashSet<i64> = corpora.values().filter(|one| of_reports(one)).map(|one| one.id).collect();
    name_reports(library, workspace, request.report_id.as_ref(), &reports, &mut files).await?;
    for stored in draft.stored {
        if stored.whole {
            library.store().put_corpus(stored.corpus).await?;
        }
        files.extend(stored.documents.into_iter().map(again));
    }
    if let Some(id) = request.report_id.as_ref().filter(|_| files.len() > 1) {
        let count = files.len();
        return Err(Error::Invalid(format!(
            "one report id (`{id}`) was given for {count} files; ingest them one by one"
        )));
    }
    if files.is_empty() {
        let why = draft
            .skipped
            .first()
            .map_or_else(String::new, |first| format!(" ({} {})", first.path, first.message));
        return Err(Error::NothingToIngest { why });
    }
    for (ordinal, file) in files.iter_mut().enumerate() {
        file.ordinal = ordinal as i64;
    }
    let report = JobReport { skipped: draft.skipped, ..JobReport::default() };
    Ok(Plan { files, roots, folders: draft.folders, moves, report })
}

/// A stored document, to be read again from its stored bytes.
fn again(document: DocumentRow) -> PlannedFile {
    PlannedFile {
        ordinal: 0,
        corpus_id: document.corpus_id,
        root: document.root,
        origin: FileOrigin::Stored(document.id),
        path: document.path,
        page_metadata: None,
        report_id: document.report_id,
        replaces: false,
        moved_from: None,
        failure: None,
    }
}

/// Gives each of `files` that goes to one of the corpora `reports` the id of its report. It is the id `asked` for,
/// else that of its document, else one made of its path.
async fn name_reports(
    library: &Library,
    workspace: &Workspace,
    asked: Option<&String>,
    reports: &HashSet<i64>,
    files: &mut [PlannedFile],
) -> Result<()> {
    let mut taken = HashSet::new();
    for file in files.iter_mut().filter(|file| reports.contains(&file.corpus_id)) {
        if let Some(id) = asked {
            (file.report_id, file.replaces) = (Some(id.clone()), true);
            continue;
        }
        if file.report_id.is_none() {
            let stored = library.store().document_at(file.corpus_id, &file.path).await?;
            file.report_id = stored.and_then(|document| document.report_id);
        }
        let id = match file.report_id.take() {
            Some(id) => id,
            None => derived_report_id(library, workspace, file.corpus_id, &file.path, &taken).await?,
        };
        taken.insert(id.clone());
        file.report_id = Some(id);
    }
    Ok(())
}

/// The slug of the file's path. If another report has it already, a hash of the path distinguishes them.
async fn derived_report_id(
    library: &Library,
    workspace: &Workspace,
    corpus: i64,
    path: &str,
    taken: &HashSet<String>,
) -> Result<String> {
    let stem = path.rsplit_once('.').map_or(path, |(stem, _)| stem);
    let hash = short_hash(&[path]);
    let slug =
        Some(source::slug(stem)).filter(|slug| !slug.is_empty()).unwrap_or_else(|| format!("report-{hash}"));
    let others = library.store().others_of_report(workspace.id, &slug, corpus, path).await?;
    Ok(if others.is_empty() && !taken.contains(&slug) { slug } else { format!("{slug}-{}", &hash[..8]) })
}
