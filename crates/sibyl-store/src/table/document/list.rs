//! Lists of documents, a page at a time.

use super::{COLUMNS, DocumentRow, from_row};
use crate::SqliteStore;
use crate::error::Result;

/// Which documents to list, and which page of the list.
#[derive(Debug, Clone, Default)]
pub struct ListedDocuments {
    /// Only those of one corpus; by default all.
    pub corpus: Option<i64>,
    /// Only those with these row ids; all by default.
    pub ids: Vec<i64>,
    /// Only those whose title, path or corpus contains each of these words, in any case; all if it is empty.
    pub words: String,
    /// Only those that belong to a report.
    pub reports: bool,
    /// Position to begin at, from 0.
    pub offset: usize,
    /// Maximum number of documents to return; all by default.
    pub limit: Option<usize>,
}

impl SqliteStore {
    pub(crate) async fn listed_documents(
        &self,
        workspace: i64,
        list: ListedDocuments,
    ) -> Result<Vec<DocumentRow>> {
        let words: Vec<String> = list.words.split_whitespace().map(str::to_lowercase).collect();
        let ids = serde_json::Value::from(list.ids).to_string();
        self.pool
            .read(move |c| {
                let mut select = c.prepare_cached(&format!(
                    "SELECT {COLUMNS}, o.name FROM document d INDEXED BY document_listed
                     JOIN corpus o ON o.id = d.corpus_id
                     WHERE (o.workspace_id IS NULL OR o.workspace_id = ?1) AND (?2 IS NULL OR o.id = ?2)
                       AND (?3 = '[]' OR d.id IN (SELECT value FROM json_each(?3)))
                       AND (NOT ?4 OR d.report_id IS NOT NULL)
                     ORDER BY o.name, d.path"
                ))?;
                let mut rows = select.query((workspace, list.corpus, ids, list.reports))?;
                let (mut passed, mut found) = (0, Vec::new());
                while found.len() < list.limit.unwrap_or(usize::MAX) {
                    let Some(row) = rows.next()? else { break };
                    let document = from_row(row)?;
                    if !words.is_empty() {
                        let corpus: String = row.get(20)?;
                        let told = format!("{} {} {corpus}", document.title, document.path).to_lowercase();
                        if !words.iter().all(|word| told.contains(word)) {
                            continue;
                        }
                    }
                    passed += 1;
                    if passed > list.offset {
                        found.push(document);
                    }
                }
                Ok(found)
            })
            .await
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::origin::DocumentOrigin;
    use crate::place::Place;
    use crate::table::corpus::NewCorpus;
    use crate::table::document::NewDocument;
    use crate::table::workspace::DEFAULT_WORKSPACE;

    fn document(corpus: i64, path: &str, title: &str, report: Option<&str>) -> NewDocument {
        NewDocument {
            corpus_id: corpus,
            path: path.to_owned(),
            root: String::new(),
            origin: DocumentOrigin::Path(path.to_owned()),
            report_id: report.map(str::to_owned),
            replaces_report: false,
            format: "markdown".to_owned(),
            title: title.to_owned(),
            source_hash: path.to_owned(),
            text_version: "1".to_owned(),
            config_hash: "1".to_owned(),
            document: sibyl_text::Document::default(),
            token_count: 0,
            bytes: Vec::new(),
            page_metadata: None,
            chunks: Vec::new(),
            figures: Vec::new(),
            job_file: None,
        }
    }

    #[tokio::test]
    async fn a_list_is_found_by_words_and_given_in_pages() {
        let folder = tempfile::tempdir().unwrap();
        let store = SqliteStore::open(Place::named(folder.path())).unwrap();
        let workspace = store.workspace(DEFAULT_WORKSPACE).await.unwrap().id;
        let corpus = NewCorpus {
            workspace_id: Some(workspace),
            name: "Fleet".to_owned(),
            source_type: "report".to_owned(),
            strategy: "recursive".to_owned(),
            settings: serde_json::Map::new(),
            base_url: String::new(),
            remote: false,
        };
        let corpus = store.put_corpus(corpus).await.unwrap().id;
        for (path, title, report) in [
            ("a.md", "\u{c5}rsredovisning 2023", Some("acme")),
            ("b.md", "Annual report 2024", Some("bolt")),
            ("c.md", "Handbook 2024", None),
        ] {
            store.put_document(document(corpus, path, title, report)).await.unwrap();
        }
        let paths = async |list: ListedDocuments| -> Vec<String> {
            let rows = store.listed_documents(workspace, list).await.unwrap();
            rows.into_iter().map(|row| row.path).collect()
        };
        let by = |words: &str| ListedDocuments { words: words.to_owned(), ..ListedDocuments::default() };
        assert_eq!(paths(by("")).await, ["a.md", "b.md", "c.md"]);
        assert_eq!(paths(by("2024 fleet")).await, ["b.md", "c.md"]);
        assert_eq!(paths(by("\u{e5}rs")).await, ["a.md"]);
        assert!(paths(by("no such")).await.is_empty());
        assert_eq!(paths(ListedDocuments { offset: 1, limit: Some(1), ..by("2024") }).await, ["c.md"]);
        assert_eq!(paths(ListedDocuments { reports: true, ..by("") }).await, ["a.md", "b.md"]);
    }
}
