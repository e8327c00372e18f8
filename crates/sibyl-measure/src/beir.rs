//! Collections in BEIR layout (Thakur et al., NeurIPS 2021): `corpus.jsonl`, `queries.jsonl`, `qrels/*.tsv`.

use crate::error::{Error, Result};
use crate::lines::{Line, Lines};
use crate::note::ImportNote;
use crate::qrels::{Qrels, Texts, joined, left_out};
use crate::query::QuerySet;
use serde::Deserialize;
use std::collections::HashSet;
use std::io::BufRead;
use std::path::{Path, PathBuf};

/// The split used if none is named and there are several.
pub const DEFAULT_SPLIT: &str = "test";

/// File with the documents of a collection.
const DOCUMENTS: &str = "corpus.jsonl";

/// Whether the folder `dir` has the documents of its collection.
pub fn has_documents(dir: &Path) -> bool {
    dir.join(DOCUMENTS).is_file()
}

/// A document of a collection.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct BeirDocument {
    /// Its id.
    #[serde(rename = "_id")]
    pub id: String,
    /// Its title; often empty.
    #[serde(default)]
    pub title: String,
    /// Its text.
    #[serde(default)]
    pub text: String,
}

impl BeirDocument {
    /// What is embedded and searched: title and text, a line each. Empty if the document is.
    pub fn passage(&self) -> String {
        let parts = [self.title.trim(), self.text.trim()];
        parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join("\n")
    }
}

#[derive(Deserialize)]
struct QueryLine {
    #[serde(rename = "_id")]
    id: String,
    text: String,
}

/// The documents of a collection, read one at a time.
pub struct Documents {
    lines: Box<dyn Iterator<Item = Result<Line<BeirDocument>>> + Send>,
    ids: HashSet<String>,
    notices: Vec<ImportNote>,
}

impl Documents {
    /// The documents of the collection in the folder `dir`.
    ///
    /// # Errors
    /// [`Error::Io`] if `corpus.jsonl` cannot be opened.
    pub fn open(dir: &Path) -> Result<Self> {
        Ok(Self::new(Lines::open(&dir.join(DOCUMENTS))?))
    }

    fn new(lines: Lines<impl BufRead + Send + 'static>) -> Self {
        Self { lines: Box::new(lines.json()), ids: HashSet::new(), notices: Vec::new() }
    }

    /// The next documents, at most `count`; none at the end. Lines that cannot be used, documents without text and
    /// repeated ids are left out and named in [`Self::notices`].
    ///
    /// # Errors
    /// [`Error::Io`] if the file cannot be read on.
    pub fn next_batch(&mut self, count: usize) -> Result<Vec<BeirDocument>> {
        let mut batch = Vec::new();
        while batch.len() < count {
            let Some(line) = self.lines.next() else { break };
            let Line { number, content } = line?;
            let why = match content {
                Err(error) => {
                    format!("expected a JSON object with _id, title and text, but {error}; fix the line")
                }
                Ok(document) if self.ids.contains(&document.id) => {
                    format!("the id `{}` is already used by a line above", document.id)
                }
                Ok(document) if document.passage().is_empty() => format!("`{}` has no text", document.id),
                Ok(document) => {
                    self.ids.insert(document.id.clone());
                    batch.push(document);
                    continue;
                }
            };
            self.notices.push(left_out(format!("corpus.jsonl line {number} is left out: {why}")));
        }
        Ok(batch)
    }

    /// What was left out so far.
    pub fn notices(&self) -> &[ImportNote] {
        &self.notices
    }

    /// Number of documents returned so far.
    pub fn count(&self) -> usize {
        self.ids.len()
    }
}

/// The judged queries of the collection in the folder `dir`: those that `qrels/{split}.tsv` judges. Without a
/// `split` it is [`DEFAULT_SPLIT`], or the only one there is.
///
/// # Errors
/// [`Error::Io`] if a file cannot be read, [`Error::UnfitPath`] if it is not clear which qrels to take.
pub fn queries(dir: &Path, split: Option<&str>) -> Result<QuerySet> {
    let qrels = qrels_file(&dir.join("qrels"), split)?;
    judged(Lines::open(&qrels)?, Lines::open(&dir.join("queries.jsonl"))?)
}

fn qrels_file(folder: &Path, split: Option<&str>) -> Result<PathBuf> {
    let mut splits = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(|error| Error::io(folder, error))? {
        let path = entry.map_err(|error| Error::io(folder, error))?.path();
        if path.extension().is_some_and(|extension| extension == "tsv") {
            splits.push(path.file_stem().unwrap_or_default().to_string_lossy().into_owned());
        }
    }
    splits.sort();
    let wanted = split.unwrap_or(DEFAULT_SPLIT);
    match splits.as_slice() {
        [only] if split.is_none() => Ok(folder.join(format!("{only}.tsv"))),
        some if some.iter().any(|name| name == wanted) => Ok(folder.join(format!("{wanted}.tsv"))),
        [] => Err(Error::unfit(
            folder,
            "contains no .tsv file; put the judgments of the collection there, as the BEIR layout requires",
        )),
        some => {
            Err(Error::unfit(folder, format!("has no split `{wanted}`; the splits are {}", some.join(", "))))
        }
    }
}

fn judged(qrels: Lines<impl BufRead>, queries: Lines<impl BufRead>) -> Result<QuerySet> {
    let (mut texts, mut notices) = (Texts::default(), Vec::new());
    let qrels = read_qrels(qrels, &mut notices)?;
    for line in queries.json::<QueryLine>() {
        let Line { number, content } = line?;
        match content {
            Ok(query) => texts.add(number, &query.id, &query.text),
            Err(error) => notices.push(left_out(format!(
                "queries.jsonl line {number} is left out: expected a JSON object with _id and text, but {error}; fix \
                 the line"
            ))),
        }
    }
    let mut set = joined(qrels, texts, "queries.jsonl", notices);
    // The layout cannot express a query without an answer.
    set.queries.iter_mut().for_each(|query| query.answerable = true);
    Ok(set)
}

fn read_qrels(lines: Lines<impl BufRead>, notices: &mut Vec<ImportNote>) -> Result<Qrels> {
    let mut qrels = Qrels::default();
    for line in lines {
        let Line { number, content } = line?;
        let read = content
            .and_then(|text| read_judgment(&text).ok_or_else(|| format!("`{text}` is something else")));
        match read {
            Ok((query, document, grade)) => qrels.add(number, query, document, grade),
            // The header line.
            Err(_) if number == 1 => {}
            Err(error) => notices.push(left_out(format!(
                "qrels line {number} is left out: expected query id, document id and a whole grade between tabs, but \
                 {error}; fix the line"
            ))),
        }
    }
    Ok(qrels)
}

fn read_judgment(text: &str) -> Option<(String, String, i32)> {
    let mut fields = text.split('\t');
    let (query, document, grade) = (fields.next()?, fields.next()?, fields.next()?);
    Some((query.to_owned(), document.to_owned(), grade.trim().parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::note::NoteKind;
    use std::collections::BTreeMap;

    fn lines(text: &'static str) -> Lines<&'static [u8]> {
        Lines::new(text.as_bytes(), Path::new("file"))
    }

    #[test]
    fn queries_are_those_that_the_qrels_judge() {
        let qrels = "query-id\tcorpus-id\tscore\n1\td1\t1\r\n1\td2\t0\n3\td9\t2\nbroken\n9\td1\t1\n";
        let queries = concat!(
            "{\"_id\": \"3\", \"text\": \"three\", \"metadata\": {}}\n",
            "{\"_id\": \"2\", \"text\": \"two\"}\n",
            "{\"_id\": 4}\n",
            "{\"_id\": \"1\", \"text\": \"one\"}\n",
        );
        let set = judged(lines(qrels), lines(queries)).unwrap();
        assert_eq!(
            set.queries.iter().map(|q| (q.id.as_str(), q.text.as_str())).collect::<Vec<_>>(),
            [("3", "three"), ("1", "one")]
        );
        assert_eq!(
            set.queries[1].judgments.grades(),
            &BTreeMap::from([("d1".to_owned(), 1), ("d2".to_owned(), 0)])
        );
        let starts = [
            "qrels line 5 is left out",
            "queries.jsonl line 3 is left out",
            "1 judged query without a text in queries.jsonl is left out: `9`",
            "1 query of queries.jsonl is left out, because the qrels do not judge it: `2`",
        ];
        assert_eq!(set.notices.len(), starts.len());
        for (notice, start) in set.notices.iter().zip(starts) {
            assert!(notice.message.starts_with(start), "{notice}");
        }
    }

    #[test]
    fn qrels_without_a_header_lose_nothing() {
        let set = judged(lines("1\td1\t1\n"), lines("{\"_id\": \"1\", \"text\": \"one\"}")).unwrap();
        assert_eq!((set.queries.len(), set.notices.len()), (1, 0));
    }

    #[test]
    fn what_is_said_twice_counts_as_in_qrels_of_trec() {
        let qrels = "query-id\tcorpus-id\tscore\n1\td1\t0\n1\td1\t2\n1\td2\t1\n1\td2\t1\n";
        let queries = "{\"_id\": \"1\", \"text\": \"one\"}\n{\"_id\": \"1\", \"text\": \"uno\"}\n";
        let set = judged(lines(qrels), lines(queries)).unwrap();
        assert_eq!((set.queries[0].text.as_str(), set.queries[0].judgments.grades()["d1"]), ("one", 2));
        let kinds: Vec<NoteKind> = set.notices.iter().map(|note| note.kind).collect();
        assert_eq!(kinds, [NoteKind::Grades, NoteKind::RepeatedJudgment, NoteKind::RepeatedQuery]);
    }

    #[test]
    fn documents_come_in_batches_and_unusable_ones_are_named() {
        let mut documents = Documents::new(lines(concat!(
            "{\"_id\": \"a\", \"title\": \"A\", \"text\": \" one\"}\n",
            "{\"_id\": \"b\", \"title\": \"\", \"text\": \"two\"}\n",
            "{\"_id\": \"a\", \"text\": \"again\"}\n",
            "{\"_id\": \"c\", \"title\": \" \"}\n",
            "{\"title\": \"no id\"}\n",
            "{\"_id\": \"d\", \"title\": \"D\"}\n",
        )));
        let passages = |batch: Vec<BeirDocument>| batch.iter().map(BeirDocument::passage).collect::<Vec<_>>();
        assert_eq!(passages(documents.next_batch(2).unwrap()), ["A\none", "two"]);
        assert_eq!(passages(documents.next_batch(2).unwrap()), ["D"]);
        assert!(documents.next_batch(2).unwrap().is_empty());
        assert_eq!(documents.count(), 3);
        let numbers: Vec<_> =
            documents.notices().iter().filter_map(|n| n.message.split(' ').nth(2)).collect();
        assert_eq!(numbers, ["3", "4", "5"]);
    }

    #[test]
    fn the_split_is_the_one_named_or_the_obvious_one() {
        let folder = tempfile::tempdir().unwrap();
        let take = |split| qrels_file(folder.path(), split).map(|path| path.file_name().unwrap().to_owned());
        assert!(take(None).unwrap_err().to_string().contains("contains no .tsv file"));
        std::fs::write(folder.path().join("dev.tsv"), "").unwrap();
        assert_eq!(take(None).unwrap(), "dev.tsv");
        std::fs::write(folder.path().join("train.tsv"), "").unwrap();
        assert!(take(None).unwrap_err().to_string().contains("the splits are dev, train"));
        std::fs::write(folder.path().join("test.tsv"), "").unwrap();
        assert_eq!(take(None).unwrap(), "test.tsv");
        assert_eq!(take(Some("train")).unwrap(), "train.tsv");
        assert!(take(Some("all")).is_err());
    }
}
