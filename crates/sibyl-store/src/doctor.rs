//! Checking a library: stored and derived data are compared for consistency.

mod health;

pub use health::{Finding, Health};
pub use sibyl_text::Severity;

use super::scope::INCOMPLETE;

use super::table::chunk::chunk_id;
use super::table::kept_text::{self, TextFault};
use super::{SqliteStore, hash, hex};
use crate::error::{Error, Result};
use crate::field::{fields_of, keys};
use rusqlite::Connection;
use serde_json::{Map, Value};
use sibyl_space::Space;
use sibyl_text::language::runs::indexed;
use sibyl_text::{Chunk, Piece};
use std::collections::{BTreeMap, BTreeSet};

const REBUILD: &str = "run `sibyl rebuild`";
const INGEST: &str = "ingest the documents again with --force";
const RESTORE: &str =
    "run `sibyl rescue` to save what can be read, or restore a backup with `sibyl backup restore`";
const RESTORE_CITED: &str = "restore a backup; what cites it shows its quotes still";

/// Greatest distance from length 1 that a stored vector may have.
const LENGTH_TOLERANCE: f64 = 1e-3;
/// Places that a finding names.
const PLACES: usize = 3;

impl SqliteStore {
    pub(crate) async fn doctor(&self) -> Result<Health> {
        let mut health = Health::default();
        for checked in [self.check_rows().await, self.verify_codes().await] {
            match checked {
                Ok(found) => health.add(found),
                Err(error) if error.is_damage() => health.add(unreadable(&error)),
                Err(error) => return Err(error),
            }
        }
        Ok(health)
    }

    async fn check_rows(&self) -> Result<Health> {
        self.pool
            .read(|c| {
                let mut health = Health::default();
                health.add(check_file(c)?);
                health.add(check_chunks(c)?);
                health.add(check_keyword(c)?);
                health.add(check_vectors(c)?);
                health.add(check_kept_texts(c)?);
                Ok(health)
            })
            .await
    }
}

/// Collects places by cause and turns them into findings.
#[derive(Default)]
struct Faults(BTreeMap<&'static str, (usize, Vec<String>)>);

impl Faults {
    fn add(&mut self, code: &'static str, place: impl FnOnce() -> String) {
        let (count, places) = self.0.entry(code).or_default();
        *count += 1;
        if places.len() < PLACES {
            places.push(place());
        }
    }

    /// One finding for each cause. `describe` returns the text after the count, for one and for any other number.
    fn findings(
        self,
        describe: impl Fn(&str) -> (Severity, [&'static str; 2], &'static str),
    ) -> Vec<Finding> {
        let finding = |(code, (count, places)): (&'static str, (usize, Vec<String>))| {
            let (severity, [one, many], cure) = describe(code);
            let what = if count == 1 { one } else { many };
            let more = if count > places.len() { " and others" } else { "" };
            let message = format!("{count} {what}: {}{more}", places.join("; "));
            Finding { severity, code: code.to_owned(), message, cure: cure.to_owned() }
        };
        self.0.into_iter().map(finding).collect()
    }
}

fn check_file(c: &Connection) -> Result<Health> {
    let mut faults = Faults::default();
    // The check alone does not notice that another connection has written since this one read FTS5's list of
    // segments. It would report removed segments as damaged. A query reads the list again.
    c.query_row("SELECT count(*) FROM keyword WHERE keyword MATCH 'a'", [], |_| Ok(()))?;
    let mut select = c.prepare("PRAGMA integrity_check(20)")?;
    let mut rows = select.query([])?;
    while let Some(row) = rows.next()? {
        let line: String = row.get(0)?;
        if line != "ok" {
            faults.add("file_damaged", || line);
        }
    }
    let mut select = c.prepare("PRAGMA foreign_key_check")?;
    let mut rows = select.query([])?;
    while let Some(row) = rows.next()? {
        let (table, parent): (String, String) = (row.get(0)?, row.get(2)?);
        faults.add("reference_dangling", || format!("a row of {table} names a missing row of {parent}"));
    }
    let findings = faults.findings(|code| match code {
        "file_damaged" => {
            (Severity::Error, ["fault in the library file", "faults in the library file"], RESTORE)
        }
        _ => (Severity::Error, ["row refers to a missing row", "rows refer to missing rows"], RESTORE),
    });
    Ok(Health { checked: vec!["the library file".to_owned()], findings })
}

/// A chunk as its row says, for comparison with what its document says.
struct Stored {
    id: i64,
    chunk_id: String,
    ordinal: usize,
    text: String,
    input_hash: Vec<u8>,
    pieces: String,
    metadata: String,
    source_type: String,
    owner_agrees: bool,
}

fn check_chunks(c: &Connection) -> Result<Health> {
    let mut faults = Faults::default();
    let (mut documents, mut chunks) = (0, 0);
    let mut select = c.prepare(
        "SELECT d.id, d.path, d.text, o.name, w.name, d.source_hash, s.bytes, coalesce(d.name, d.path), d.config_hash
           FROM document d
         JOIN corpus o ON o.id = d.corpus_id LEFT JOIN workspace w ON w.id = o.workspace_id
         LEFT JOIN source s ON s.document_id = d.id ORDER BY d.id",
    )?;
    let mut rows = select.query([])?;
    let mut known = KnownKeys::prepare(c)?;
    while let Some(row) = rows.next()? {
        documents += 1;
        let id: i64 = row.get(0)?;
        let (path, text, corpus): (String, String, String) = (row.get(1)?, row.get(2)?, row.get(3)?);
        let workspace: Option<String> = row.get(4)?;
        let (source_hash, bytes): (String, Option<Vec<u8>>) = (row.get(5)?, row.get(6)?);
        let name: String = row.get(7)?;
        if row.get::<_, String>(8)? == INCOMPLETE {
            faults.add("document_incomplete", || path.clone());
        }
        if bytes.is_none_or(|bytes| hex(&hash(&bytes)) != source_hash) {
            faults.add("source_changed", || path.clone());
        }
        for chunk in stored_chunks(c, id)? {
            chunks += 1;
            let place = || format!("{path} chunk {}", chunk.ordinal);
            if chunk.input_hash != hash(chunk.text.as_bytes()) {
                faults.add("chunk_hash", place);
            }
            if rendered(&chunk.pieces, &text).as_deref() != Some(chunk.text.as_str()) {
                faults.add("chunk_text", place);
            }
            if chunk.chunk_id != chunk_id(workspace.as_deref(), &corpus, &name, chunk.ordinal) {
                faults.add("chunk_id", place);
            }
            if !chunk.owner_agrees {
                faults.add("chunk_owner", place);
            }
            known.compare(&chunk, &mut faults, place)?;
        }
    }
    let findings = faults.findings(|code| match code {
        "source_changed" => (
            Severity::Error,
            [
                "document whose source bytes are not those that were ingested",
                "documents whose source bytes are not those that were ingested",
            ],
            INGEST,
        ),
        "document_incomplete" => (
            Severity::Error,
            [
                "document that lost a part when the library was rescued",
                "documents that lost a part when the library was rescued",
            ],
            "ingest the documents again",
        ),
        "chunk_hash" => (
            Severity::Error,
            ["chunk whose hash does not match its text", "chunks whose hash does not match their text"],
            INGEST,
        ),
        "chunk_text" => (
            Severity::Error,
            ["chunk whose text does not match its pieces", "chunks whose text does not match their pieces"],
            INGEST,
        ),
        "chunk_id" => (
            Severity::Error,
            ["chunk whose id does not match its place", "chunks whose id does not match their place"],
            INGEST,
        ),
        "chunk_owner" => (
            Severity::Error,
            [
                "chunk that disagrees with its document about where it belongs",
                "chunks that disagree with their document about where they belong",
            ],
            INGEST,
        ),
        "chunk_key" => (
            Severity::Warning,
            [
                "chunk whose references do not match its metadata",
                "chunks whose references do not match their metadata",
            ],
            REBUILD,
        ),
        _ => (
            Severity::Warning,
            ["chunk whose fields are out of date", "chunks whose fields are out of date"],
            REBUILD,
        ),
    });
    let checked =
        format!("{documents} documents and {chunks} chunks: text, pieces, hashes, ids, references, fields");
    Ok(Health { checked: vec![checked], findings })
}

fn stored_chunks(c: &Connection, document: i64) -> Result<Vec<Stored>> {
    let mut select = c.prepare_cached(
        "SELECT k.id, k.chunk_id, k.ordinal, k.text, k.input_hash, k.pieces, k.metadata,
           k.corpus_id = d.corpus_id AND k.workspace_id IS o.workspace_id AND k.source_type = d.source_type
             AND k.path = d.path AND k.report_id IS d.report_id, k.source_type
         FROM chunk k JOIN document d ON d.id = k.document_id JOIN corpus o ON o.id = d.corpus_id
         WHERE k.document_id = ?1 ORDER BY k.ordinal",
    )?;
    let rows = select.query_map([document], |row| {
        Ok(Stored {
            id: row.get(0)?,
            chunk_id: row.get(1)?,
            ordinal: row.get(2)?,
            text: row.get(3)?,
            input_hash: row.get(4)?,
            pieces: row.get(5)?,
            metadata: row.get(6)?,
            owner_agrees: row.get(7)?,
            source_type: row.get(8)?,
        })
    })?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}

/// The text that the pieces cover in the document; `None` if they point outside it.
fn rendered(pieces: &str, text: &str) -> Option<String> {
    let pieces: Vec<Piece> = serde_json::from_str(pieces).ok()?;
    let inside = pieces.iter().all(|piece| match piece {
        Piece::Source { span, .. } => text.get(span.start..span.end).is_some(),
        Piece::Generated { .. } | Piece::Aid { .. } => true,
    });
    inside.then(|| Chunk { pieces, parent: None, oversize: false, metadata: Map::new() }.text(text))
}

/// References and fields as they are stored.
struct KnownKeys<'c> {
    keys: rusqlite::Statement<'c>,
    fields: rusqlite::Statement<'c>,
}

impl<'c> KnownKeys<'c> {
    fn prepare(c: &'c Connection) -> Result<Self> {
        Ok(Self {
            keys: c.prepare("SELECT key FROM chunk_key WHERE chunk = ?1")?,
            fields: c.prepare("SELECT field, rank, value FROM chunk_field WHERE chunk = ?1")?,
        })
    }

    fn compare(&mut self, chunk: &Stored, faults: &mut Faults, place: impl Fn() -> String) -> Result<()> {
        let metadata: Map<String, Value> = serde_json::from_str(&chunk.metadata).unwrap_or_default();
        // Keys are compared without case, as their column is.
        let wanted: BTreeSet<String> = keys(&metadata).map(str::to_ascii_lowercase).collect();
        let stored = self.keys.query_map([chunk.id], |row| row.get::<_, String>(0))?;
        let stored: BTreeSet<String> =
            stored.map(|key| key.map(|key| key.to_ascii_lowercase())).collect::<rusqlite::Result<_>>()?;
        if stored != wanted {
            faults.add("chunk_key", &place);
        }
        let wanted: BTreeSet<(String, usize, String)> = fields_of(&chunk.source_type, &metadata)
            .flat_map(|(field, values)| {
                let named = move |(rank, value): (usize, &str)| (field.to_owned(), rank, value.to_owned());
                values.into_iter().enumerate().map(named)
            })
            .collect();
        let stored = self.fields.query_map([chunk.id], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))?;
        if stored.collect::<rusqlite::Result<BTreeSet<_>>>()? != wanted {
            faults.add("chunk_field", &place);
        }
        Ok(())
    }
}

/// The keyword index keeps no text, so FTS5 cannot check it. It is compared, word by word, with an index rebuilt
/// from the chunks.
fn check_keyword(c: &Connection) -> Result<Health> {
    let fresh = Connection::open_in_memory()?;
    fresh.execute_batch(
        "CREATE VIRTUAL TABLE keyword USING fts5 (text, content = '', tokenize = 'porter unicode61');
         CREATE VIRTUAL TABLE word USING fts5vocab (keyword, instance);",
    )?;
    let mut chunks = 0;
    {
        let mut insert = fresh.prepare("INSERT INTO keyword (rowid, text) VALUES (?1, ?2)")?;
        let mut select = c.prepare("SELECT id, text FROM chunk ORDER BY id")?;
        let mut rows = select.query([])?;
        while let Some(row) = rows.next()? {
            chunks += 1;
            let (id, text): (i64, String) = (row.get(0)?, row.get(1)?);
            insert.execute((id, indexed(&text)))?;
        }
    }
    c.execute_batch("CREATE VIRTUAL TABLE temp.stored_word USING fts5vocab (main, keyword, instance)")?;
    let compared = compare_words(c, &fresh);
    c.execute_batch("DROP TABLE temp.stored_word")?;
    let (words, faults) = compared?;
    let findings = faults.findings(|code| match code {
        "keyword_missing" => (
            Severity::Warning,
            [
                "word of a chunk is missing from the keyword index",
                "words of chunks are missing from the keyword index",
            ],
            REBUILD,
        ),
        _ => (
            Severity::Warning,
            ["word in the keyword index is in no chunk", "words in the keyword index are in no chunk"],
            REBUILD,
        ),
    });
    Ok(Health { checked: vec![format!("the keyword index: {words} words of {chunks} chunks")], findings })
}

fn compare_words(stored: &Connection, fresh: &Connection) -> Result<(usize, Faults)> {
    type Word = (String, i64, i64);
    let word =
        |row: &rusqlite::Row<'_>| -> rusqlite::Result<Word> { Ok((row.get(0)?, row.get(1)?, row.get(2)?)) };
    // Both are in the order of the index: by term, row and offset.
    let mut stored = stored.prepare("SELECT term, doc, offset FROM temp.stored_word")?;
    let mut fresh = fresh.prepare("SELECT term, doc, offset FROM word")?;
    let (mut left, mut right) = (stored.query_map([], word)?, fresh.query_map([], word)?);
    let (mut faults, mut words) = (Faults::default(), 0);
    let (mut a, mut b) = (left.next().transpose()?, right.next().transpose()?);
    loop {
        let order = match (&a, &b) {
            (None, None) => return Ok((words, faults)),
            (Some(_), None) => std::cmp::Ordering::Less,
            (None, Some(_)) => std::cmp::Ordering::Greater,
            (Some(a), Some(b)) => a.cmp(b),
        };
        let place = |word: &Option<Word>| {
            word.as_ref().map_or_else(String::new, |(term, row, _)| format!("`{term}` of row {row}"))
        };
        match order {
            std::cmp::Ordering::Less => faults.add("keyword_extra", || place(&a)),
            std::cmp::Ordering::Greater => faults.add("keyword_missing", || place(&b)),
            std::cmp::Ordering::Equal => words += 1,
        }
        if order.is_le() {
            a = left.next().transpose()?;
        }
        if order.is_ge() {
            b = right.next().transpose()?;
        }
    }
}

fn check_vectors(c: &Connection) -> Result<Health> {
    let mut faults = Faults::default();
    let mut checked = Vec::new();
    let mut spaces = c.prepare("SELECT id, space_id, dimensions, description FROM space ORDER BY id")?;
    let mut rows = spaces.query([])?;
    while let Some(row) = rows.next()? {
        let (id, name, dimensions): (i64, String, usize) = (row.get(0)?, row.get(1)?, row.get(2)?);
        let description: String = row.get(3)?;
        let space: Option<Space> = serde_json::from_str(&description).ok();
        if space.as_ref().is_none_or(|space| space.id() != name || space.dimensions != dimensions) {
            faults.add("space_description", || name.clone());
        }
        let mut select =
            c.prepare_cached("SELECT id, input_hash, vector FROM vector WHERE space = ?1 ORDER BY id")?;
        let mut vectors = select.query([id])?;
        let mut count = 0;
        while let Some(row) = vectors.next()? {
            count += 1;
            let number: i64 = row.get(0)?;
            let input = row.get_ref(1)?.as_blob().map_err(rusqlite::Error::from)?;
            let blob = row.get_ref(2)?.as_blob().map_err(rusqlite::Error::from)?;
            let place = || format!("vector {number} of space {name}");
            if blob.len() != dimensions * 4 || input.len() != 32 {
                faults.add("vector_length", place);
                continue;
            }
            let squares = blob.chunks_exact(4).map(|bytes| {
                let number = f64::from(f32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]));
                number * number
            });
            let length = squares.sum::<f64>().sqrt();
            // A text of which the model knows no word has only zeros. Comparisons with NaN are false.
            if !(length == 0.0 || (length - 1.0).abs() <= LENGTH_TOLERANCE) {
                faults.add("vector_norm", place);
            }
        }
        let model = space.map_or(name, |space| space.model);
        checked.push(format!("{count} vectors of {model}"));
    }
    let cure = "delete the corpus and ingest it again, so that its texts are embedded again";
    let findings = faults.findings(|code| match code {
        "space_description" => (
            Severity::Error,
            [
                "vector space whose description does not match it",
                "vector spaces whose description does not match them",
            ],
            RESTORE,
        ),
        "vector_length" => (
            Severity::Error,
            [
                "vector whose length is not that of its space",
                "vectors whose length is not that of their space",
            ],
            cure,
        ),
        _ => (
            Severity::Error,
            [
                "vector that is not finite, or neither zero nor of length 1",
                "vectors that are not finite, or neither zero nor of length 1",
            ],
            cure,
        ),
    });
    Ok(Health { checked, findings })
}

fn check_kept_texts(c: &Connection) -> Result<Health> {
    let mut faults = Faults::default();
    let (checked, found) = kept_text::check(c)?;
    for fault in found {
        match fault {
            TextFault::Damaged(place) => faults.add("text_damaged", || place),
            TextFault::Lost(place) => faults.add("text_lost", || place),
        }
    }
    let findings = faults.findings(|code| match code {
        "text_damaged" => (
            Severity::Error,
            [
                "former text that is kept for what cites it cannot be read as it was",
                "former texts that are kept for what cites them cannot be read as they were",
            ],
            RESTORE_CITED,
        ),
        _ => (
            Severity::Error,
            [
                "answer, finding or label cites a text that the library no longer has",
                "answers, findings and labels cite texts that the library no longer has",
            ],
            RESTORE_CITED,
        ),
    });
    Ok(Health { checked: vec![format!("{checked} former texts that something cites")], findings })
}

/// A library file that cannot even be checked is a finding too.
fn unreadable(error: &Error) -> Health {
    let finding = Finding {
        severity: Severity::Error,
        code: "file_damaged".to_owned(),
        message: error.to_string(),
        cure: RESTORE.to_owned(),
    };
    Health { checked: Vec::new(), findings: vec![finding] }
}

#[cfg(test)]
mod tests;
