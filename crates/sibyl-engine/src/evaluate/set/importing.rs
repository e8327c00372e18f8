//! Taking in gold sets: JSON lines, collections in BEIR layout, qrels of TREC.

use super::exporting::GoldFormat;
use super::{Places, UnmatchedLabel, named, whole};
use crate::error::{Error, Result};
use crate::evaluate::gold;
use crate::ingest::source::upload_path;
use crate::library::{Library, Measuring};
use crate::store::now;
use crate::store::table::gold::{GoldLabel, GoldQuery, GoldSet, GoldTarget};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sibyl_measure::note::{ImportNote, admit, same_words};
use sibyl_measure::query::JudgedQuery;
use sibyl_measure::{beir, qrels, trec};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

/// A gold set to import.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct GoldImport {
    /// JSON lines, folder in BEIR layout, or TREC qrels. Only its name counts if the text comes with the call.
    pub path: PathBuf,
    /// JSON lines that come with the call; by default, the file is read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// Name of the set; by default, that of the file. If a set of this name exists, the import is added to it.
    #[serde(default)]
    pub name: Option<String>,
    /// Its format; detected by default.
    #[serde(default)]
    pub format: Option<GoldFormat>,
    /// The queries of TREC qrels: a line each with id, tab and text. By default, the file of the same name that ends in
    /// `queries.tsv`.
    #[serde(default)]
    pub queries: Option<PathBuf>,
    /// Files that were sent before and replace those on this machine's disk; `path` and `queries` are among their
    /// names. Of a collection in BEIR layout that is `queries.jsonl` and `qrels/`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub files: Vec<SentFile>,
    /// Split of a collection in BEIR layout; by default, `test` or the only one there is.
    #[serde(default)]
    pub split: Option<String>,
    /// Grade from which a label counts as relevant; by default, 2 for JSON lines and 1 for the others.
    #[serde(default)]
    pub relevant_from: Option<i32>,
    /// Replace the existing set of this name.
    #[serde(default)]
    pub replace: bool,
    /// Import nothing where the files have a fault, see [`NoteKind::is_fault`](crate::evaluate::NoteKind::is_fault).
    #[serde(default)]
    pub strict: bool,
}

impl GoldImport {
    /// Whether it reads a file of this machine by its path.
    pub const fn names_disk(&self) -> bool {
        self.files.is_empty() && (self.text.is_none() || self.queries.is_some())
    }
}

/// A file that was sent before.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SentFile {
    /// Its name, with `/` between folders.
    pub name: String,
    /// Id under which it is kept.
    pub file: String,
}

/// The result of an import.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct GoldImported {
    /// The set as it is now.
    pub set: GoldSet,
    /// Relevant labels that nothing in the workspace answers to; kept all the same.
    pub unmatched: Vec<UnmatchedLabel>,
    /// Folder of a collection in BEIR layout whose documents came with it. They are not part of the library, and
    /// are measured in one of their own.
    pub collection: Option<PathBuf>,
    /// How each open point of the files was settled, such as several grades for one document.
    pub notes: Vec<ImportNote>,
}

impl Measuring<'_> {
    /// Imports a gold set.
    ///
    /// # Errors
    /// [`Error::Io`] if a file cannot be read. [`Error::Invalid`] if it has no queries, or a strict import finds a
    /// fault.
    pub async fn import_gold(&self, workspace: &str, import: GoldImport) -> Result<GoldImported> {
        let store = self.library.store();
        let workspace = store.workspace(workspace).await?.id;
        let name = match &import.name {
            Some(name) => name.clone(),
            None => import.path.file_stem().unwrap_or_default().to_string_lossy().into_owned(),
        };
        let (name, replace, strict) = (named(&name, "gold set")?, import.replace, import.strict);
        let sent: Vec<String> = import.files.iter().map(|one| one.file.clone()).collect();
        let library = self.library.clone();
        let reading =
            move || if import.files.is_empty() { read(&import) } else { read_sent(&library, import) };
        let mut read = tokio::task::spawn_blocking(reading).await??;
        if read.queries.is_empty() {
            let why = read.notes.first().map_or_else(String::new, |note| format!(" ({note})"));
            return Err(Error::Invalid(format!("the file contains no judged queries{why}")));
        }
        admit(&read.notes, strict)?;
        for query in &read.queries {
            whole(&query.id, "id of a query")?;
            whole(&query.query, "text of a query")?;
        }
        let mut places = Places::new(store, workspace);
        // The ids of a collection are those of the documents that came with it.
        if read.collection.is_none() {
            read.notes.extend(places.keep_paths(&mut read.queries).await?);
        }
        let unmatched = places.unmatched(&read.queries).await?;
        let set = store.put_gold_set(workspace, &name, read.relevant_from, read.queries, replace).await?;
        self.library.spool().remove(&sent);
        Ok(GoldImported { set, unmatched, collection: read.collection, notes: read.notes })
    }
}

/// The contents of a file.
struct Read {
    queries: Vec<GoldQuery>,
    relevant_from: i32,
    collection: Option<PathBuf>,
    notes: Vec<ImportNote>,
}

/// The contents of files that were sent before.
fn read_sent(library: &Library, mut import: GoldImport) -> Result<Read> {
    let place = |name: &Path| PathBuf::from(upload_path(&name.to_string_lossy()));
    let files = import.files.iter().map(|one| (place(Path::new(&one.name)), one.file.clone()));
    let folder = library.spool().gather(files)?;
    import.path = folder.path().join(place(&import.path));
    import.queries = import.queries.map(|queries| folder.path().join(place(&queries)));
    // Their sender knows them only by name.
    let named = |path: &Path| path.strip_prefix(folder.path()).unwrap_or(path).display().to_string();
    read(&import).map_err(|error| match error {
        Error::Io { path, source } if source.kind() == ErrorKind::NotFound => {
            Error::unfit(named(&path), "is missing; choose it together with the other files")
        }
        Error::UnfitPath { path, why } => Error::unfit(named(&path), why),
        error => error,
    })
}

fn read(import: &GoldImport) -> Result<Read> {
    let usual = || if import.text.is_some() { GoldFormat::Jsonl } else { guessed(&import.path) };
    let format = import.format.unwrap_or_else(usual);
    if import.text.is_some() && format != GoldFormat::Jsonl {
        let message =
            "only JSON lines can be sent as text; import other formats by their path, or convert them";
        return Err(Error::Invalid(message.to_owned()));
    }
    let collection =
        Some(&import.path).filter(|folder| format == GoldFormat::Beir && beir::has_documents(folder));
    let (queries, usual, mut notes) = match format {
        GoldFormat::Jsonl => {
            let (queries, notes) = match &import.text {
                Some(text) => gold::read_text(text, &import.path)?,
                None => gold::read(&import.path)?,
            };
            (queries, gold::RELEVANT_FROM, notes)
        }
        GoldFormat::Beir => {
            let set = beir::queries(&import.path, import.split.as_deref())?;
            (set.queries.into_iter().map(labelled).collect(), qrels::RELEVANT_FROM, set.notices)
        }
        GoldFormat::Trec => {
            let beside = || import.path.with_extension("queries.tsv");
            let queries = import.queries.clone().unwrap_or_else(beside);
            let set = trec::queries(&import.path, &queries)?;
            (set.queries.into_iter().map(labelled).collect(), qrels::RELEVANT_FROM, set.notices)
        }
    };
    notes.extend(same_words(queries.iter().map(|query| (&*query.id, &*query.query))));
    let relevant_from = import.relevant_from.unwrap_or(usual);
    Ok(Read { queries, relevant_from, collection: collection.cloned(), notes })
}

fn guessed(path: &Path) -> GoldFormat {
    if path.is_dir() {
        GoldFormat::Beir
    } else if path.extension().is_some_and(|extension| extension == "jsonl") {
        GoldFormat::Jsonl
    } else {
        GoldFormat::Trec
    }
}

/// A query with a label for each of its grades.
fn labelled(query: JudgedQuery) -> GoldQuery {
    let at = now();
    let labels = query.judgments.grades().iter().map(|(id, &grade)| GoldLabel {
        target: GoldTarget::Identifier { id: id.clone() },
        grade,
        judge: String::new(),
        at: at.clone(),
    });
    GoldQuery { labels: labels.collect(), id: query.id, query: query.text, kind: query.kind }
}
