//! Giving out gold sets: JSON lines, BEIR layout, qrels of TREC.

use super::Places;
use crate::error::{Error, Result};
use crate::evaluate::gold::JudgmentLine;
use crate::evaluate::label::{counted, label_id_of};
use crate::library::Measuring;
use crate::store::table::chunk::ChunkRow;
use crate::store::table::gold::{GoldFilter, GoldQuery, GoldSpan, GoldTarget};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use sibyl_measure::label::token;
use std::collections::{BTreeMap, HashSet};
use std::fmt::Write as _;
use std::path::PathBuf;

/// A format of gold sets.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum GoldFormat {
    /// One JSON object a line, with identifiers, spans, and who judged them when.
    #[default]
    Jsonl,
    /// `corpus.jsonl` with what labels name, `queries.jsonl` and `qrels/test.tsv`.
    Beir,
    /// TREC qrels and a file with the queries.
    Trec,
}

/// Which set to export, and how.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct GoldExport {
    /// Name of the set.
    pub set: String,
    /// The format.
    #[serde(default)]
    pub format: GoldFormat,
    /// An earlier version of it; the current one by default.
    #[serde(default)]
    pub version: Option<i64>,
    /// Folder that the files are written to; by default, they are only returned.
    #[serde(default)]
    pub folder: Option<PathBuf>,
}

/// A file that was made.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ExportedFile {
    /// Its name, with `/` between its parts.
    pub name: String,
    /// What is in it.
    pub text: String,
}

impl Measuring<'_> {
    /// Exports a gold set. Of several judgments of one passage qrels have the latest, and JSON lines have all.
    /// Qrels have only ids. A span's id is therefore its path and the hash of its words, and no id occurs twice
    /// for a query. They do not say from which grade a label counts as relevant. The documents of the BEIR layout
    /// are what the labels name, as the workspace has it now.
    ///
    /// # Errors
    /// [`Error::NotFound`] if there is no such set or version, [`Error::Io`] if a file cannot be written.
    pub async fn export_gold(&self, workspace: &str, export: GoldExport) -> Result<Vec<ExportedFile>> {
        let store = self.library.store();
        let workspace = store.workspace(workspace).await?.id;
        let (queries, relevant_from) = match export.version {
            Some(version) => store.gold_queries_at(workspace, &export.set, version).await?,
            None => {
                let (queries, _) = store.gold_queries(workspace, &export.set, GoldFilter::default()).await?;
                (queries, store.gold_set(workspace, &export.set).await?.relevant_from)
            }
        };
        let mut stem: String = export
            .set
            .chars()
            .map(|letter| if letter.is_alphanumeric() || "-_.".contains(letter) { letter } else { '_' })
            .collect();
        if let Some(version) = export.version {
            // Writing to a String cannot fail.
            let _ = write!(stem, "-v{version}");
        }
        let files = match export.format {
            GoldFormat::Jsonl => vec![(format!("{stem}.jsonl"), jsonl(&queries, relevant_from))],
            GoldFormat::Beir => {
                let head = "query-id\tcorpus-id\tscore\n";
                let lines = |id: &str, doc: &str, grade| format!("{id}\t{doc}\t{grade}\n");
                vec![
                    (
                        "corpus.jsonl".to_owned(),
                        beir_corpus(&mut Places::new(store, workspace), &queries).await?,
                    ),
                    ("queries.jsonl".to_owned(), beir_queries(&queries)),
                    ("qrels/test.tsv".to_owned(), format!("{head}{}", qrels(&queries, str::to_owned, lines))),
                ]
            }
            GoldFormat::Trec => {
                let lines = |id: &str, doc: &str, grade| format!("{} 0 {doc} {grade}\n", token(id));
                let texts: String = queries
                    .iter()
                    .map(|query| format!("{}\t{}\n", token(&query.id), one_line(&query.query)))
                    .collect();
                vec![
                    (format!("{stem}.qrels"), qrels(&queries, token, lines)),
                    (format!("{stem}.queries.tsv"), texts),
                ]
            }
        };
        let files: Vec<ExportedFile> =
            files.into_iter().map(|(name, text)| ExportedFile { name, text }).collect();
        for file in export.folder.iter().flat_map(|folder| files.iter().map(move |file| (folder, file))) {
            let (path, text) = (file.0.join(&file.1.name), &file.1.text);
            let written = path.parent().map_or(Ok(()), std::fs::create_dir_all);
            written.and_then(|()| std::fs::write(&path, text)).map_err(|error| Error::io(&path, error))?;
        }
        Ok(files)
    }
}

fn jsonl(queries: &[GoldQuery], relevant_from: i32) -> String {
    let mut out = String::new();
    for query in queries {
        let (mut relevant, mut spans) = (BTreeMap::new(), Vec::new());
        let mut answerable = false;
        for label in counted(&query.labels) {
            answerable |= label.grade >= relevant_from;
            match &label.target {
                GoldTarget::Identifier { id } => {
                    relevant.insert(id.clone(), label.grade);
                }
                GoldTarget::Span(GoldSpan { path, quote, before, after, .. }) => {
                    let mut span = json!({ "path": path, "quote": quote, "grade": label.grade });
                    for (name, words) in [("before", before), ("after", after)] {
                        if !words.is_empty() {
                            span[name] = Value::from(words.as_str());
                        }
                    }
                    spans.push(span);
                }
                GoldTarget::Nothing => {}
            }
        }
        let mut line =
            json!({ "id": query.id, "query": query.query, "type": query.kind, "relevant": relevant });
        // Nobody has judged a query without labels.
        if !query.labels.is_empty() {
            line["answerable"] = answerable.into();
        }
        if !spans.is_empty() {
            line["spans"] = Value::from(spans);
        }
        if !query.labels.is_empty() {
            line["judgments"] = json!(query.labels.iter().map(JudgmentLine::from).collect::<Vec<_>>());
        }
        // Writing to a String cannot fail.
        let _ = writeln!(out, "{line}");
    }
    out
}

/// A line for each id of the qrels: the text that it names in the workspace, or the words of a passage. Of ids
/// that nothing answers to the text is empty.
async fn beir_corpus(places: &mut Places<'_>, queries: &[GoldQuery]) -> Result<String> {
    let (mut out, mut seen) = (String::new(), HashSet::new());
    for label in queries.iter().flat_map(|query| counted(&query.labels)) {
        let Some(id) = label_id_of(&label.target).filter(|id| seen.insert(id.clone())) else { continue };
        let (title, text) = match &label.target {
            GoldTarget::Identifier { id } => {
                let chunks = places.carriers(id, Some(&label.at)).await?;
                let title = chunks.first().map(|chunk| chunk.title.clone()).unwrap_or_default();
                (title, chunks.iter().map(ChunkRow::passage).collect::<Vec<_>>().join("\n\n"))
            }
            GoldTarget::Span(span) => (String::new(), span.quote.clone()),
            GoldTarget::Nothing => continue,
        };
        // Writing to a String cannot fail.
        let _ = writeln!(out, "{}", json!({ "_id": id, "title": title, "text": text }));
    }
    Ok(out)
}

fn beir_queries(queries: &[GoldQuery]) -> String {
    queries.iter().map(|query| format!("{}\n", json!({ "_id": query.id, "text": query.query }))).collect()
}

/// A line for each id of a query's labels, once `key` has adapted it to the format; of several grades the best.
fn qrels(
    queries: &[GoldQuery],
    key: impl Fn(&str) -> String,
    line: impl Fn(&str, &str, i32) -> String,
) -> String {
    let mut out = String::new();
    for query in queries {
        let mut grades: BTreeMap<String, i32> = BTreeMap::new();
        for label in counted(&query.labels) {
            let Some(id) = label_id_of(&label.target) else { continue };
            let kept = grades.entry(key(&id)).or_insert(label.grade);
            *kept = label.grade.max(*kept);
        }
        out.extend(grades.iter().map(|(id, &grade)| line(&query.id, id, grade)));
    }
    out
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
