//! What a search needs to know of many chunks at once: their names in lists, and what distinguishes them.

use super::scope::ChunkSet;
use super::{SqliteStore, json};
use crate::error::Result;
use roaring::RoaringTreemap;
use rusqlite::{OptionalExtension as _, Row};
use sibyl_text::Piece;
use sibyl_text::chunk::passage;
use sibyl_text::language::sentence::beginning;
use sibyl_text::source_type::field::PARAGRAPH;
use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

/// Characters of a snippet.
const SNIPPET: usize = 160;
/// Characters read of the chunk's own text for a snippet, including white space, which the snippet drops.
const HEAD: usize = 480;

/// A chunk as lists show it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Candidate {
    /// Chunk id, 16 hex digits.
    pub chunk_id: String,
    /// Paragraph id, topic code or document title.
    pub label: String,
    /// First words of the chunk's own text.
    pub snippet: String,
    /// Paragraph id or topic code: the name by which the chunk is cited.
    pub identity: Option<String>,
    /// SHA-256 of the text.
    pub input_hash: Vec<u8>,
}

impl SqliteStore {
    pub(crate) async fn candidates(&self, rows: Vec<i64>) -> Result<HashMap<i64, Candidate>> {
        self.pool
            .read(move |c| {
                let mut select = c.prepare_cached(
                    "SELECT c.chunk_id,
                       coalesce((SELECT value FROM chunk_field WHERE chunk = c.id AND field = ?3 AND rank = 0),
                         nullif(CAST(c.metadata ->> 'topic_code' AS TEXT), '')),
                       coalesce((SELECT title FROM correction WHERE document = d.id), d.title),
                       CASE WHEN instr(c.pieces, '\"aid\"') THEN c.text
                         ELSE substr(c.text, 1, ?2 + coalesce(length(c.pieces ->> '$[0].text'), 0)) END,
                       c.input_hash, c.pieces
                     FROM chunk c JOIN document d ON d.id = c.document_id WHERE c.id = ?1",
                )?;
                let mut found = HashMap::with_capacity(rows.len());
                for row in rows {
                    let candidate = select.query_row((row, HEAD, PARAGRAPH.name), |r| {
                        let identity: Option<String> = r.get(1)?;
                        Ok(Candidate {
                            chunk_id: r.get(0)?,
                            label: identity.clone().map_or_else(|| r.get(2), Ok)?,
                            snippet: snippet(r.get_ref(3)?.as_str()?, &pieces(r)?),
                            identity,
                            input_hash: r.get(4)?,
                        })
                    });
                    if let Some(candidate) = candidate.optional()? {
                        found.insert(row, candidate);
                    }
                }
                Ok(found)
            })
            .await
    }

    pub(crate) async fn metadata_of(
        &self,
        rows: Vec<i64>,
        field: &'static str,
    ) -> Result<HashMap<i64, String>> {
        self.pool
            .read(move |c| {
                let mut select =
                    c.prepare_cached("SELECT CAST(metadata ->> ?2 AS TEXT) FROM chunk WHERE id = ?1")?;
                let mut found = HashMap::with_capacity(rows.len());
                for row in rows {
                    let text: Option<Option<String>> =
                        select.query_row((row, field), |r| r.get(0)).optional()?;
                    found.extend(text.flatten().map(|text| (row, text)));
                }
                Ok(found)
            })
            .await
    }

    pub(crate) async fn chunks_of_keys(
        &self,
        keys: Vec<String>,
        allowed: Arc<ChunkSet>,
    ) -> Result<HashMap<String, Vec<(i64, String)>>> {
        self.pool
            .read(move |c| {
                let mut select = c.prepare_cached(
                    "SELECT c.id, c.chunk_id FROM chunk_key k JOIN chunk c ON c.id = k.chunk WHERE k.key = ?1
                     ORDER BY c.source_type, c.path, c.document_id, c.ordinal",
                )?;
                let mut found = HashMap::new();
                for key in keys {
                    let rows = select.query_map([&key], |row| Ok((row.get::<_, i64>(0)?, row.get(1)?)))?;
                    let mut chunks: Vec<(i64, String)> = rows.collect::<rusqlite::Result<_>>()?;
                    chunks.retain(|&(row, _)| allowed.holds(row));
                    found.insert(key, chunks);
                }
                Ok(found)
            })
            .await
    }

    pub(crate) async fn paragraph_ids(&self, visible: Arc<ChunkSet>) -> Result<BTreeSet<String>> {
        self.pool
            .read(move |c| {
                let mut select = c.prepare_cached("SELECT chunk, value FROM chunk_field WHERE field = ?1")?;
                let (mut rows, mut ids) = (select.query([PARAGRAPH.name])?, BTreeSet::new());
                while let Some(row) = rows.next()? {
                    if visible.holds(row.get(0)?) {
                        ids.insert(row.get(1)?);
                    }
                }
                Ok(ids)
            })
            .await
    }

    pub(crate) async fn rows_of_document(&self, id: i64) -> Result<ChunkSet> {
        self.pool
            .read(move |c| {
                let mut select = c.prepare_cached("SELECT id FROM chunk WHERE document_id = ?1")?;
                let rows = select.query_map([id], |row| row.get::<_, u64>(0))?;
                let rows: RoaringTreemap = rows.collect::<rusqlite::Result<_>>()?;
                Ok(ChunkSet { before: rows.len(), rows })
            })
            .await
    }

    pub(crate) async fn rows_of_chunks(
        &self,
        chunk_ids: Vec<String>,
        visible: Arc<ChunkSet>,
    ) -> Result<HashMap<String, i64>> {
        self.pool
            .read(move |c| {
                let mut select = c.prepare_cached("SELECT id FROM chunk WHERE chunk_id = ?1")?;
                let mut found = HashMap::new();
                for id in chunk_ids {
                    let row: Option<i64> = select.query_row([&id], |row| row.get(0)).optional()?;
                    if let Some(row) = row.filter(|&row| visible.holds(row)) {
                        found.insert(id, row);
                    }
                }
                Ok(found)
            })
            .await
    }
}

fn pieces(row: &Row<'_>) -> rusqlite::Result<Vec<Piece>> {
    json(row.get_ref(5)?.as_str()?, 5)
}

/// The first words of the passage of a chunk of `pieces`, on one line, up to the end of a sentence if one is near,
/// else of a word. If the passage is empty, those of its text. If no piece is an aid, the beginning of the text is
/// enough.
fn snippet(text: &str, pieces: &[Piece]) -> String {
    let passage = passage(pieces, text);
    let own = if passage.is_empty() { text } else { &passage };
    let line = own.split_whitespace().collect::<Vec<_>>().join(" ");
    let (words, open) = beginning(&line, SNIPPET);
    format!("{words}{}", if open { "…" } else { "" })
}

#[cfg(test)]
mod tests {
    use super::snippet;
    use sibyl_text::{Piece, Span, chunk::Role};

    #[test]
    fn snippets_are_the_chunks_own_first_words() {
        for (header, text, expected) in [
            (
                "[IFRS S2 > Strategy]",
                "[IFRS S2 > Strategy]\n\nAn entity\nshall  disclose",
                "An entity shall disclose",
            ),
            ("[A > B] [Part 2/2]", "[A > B] [Part 2/2]\n\n[Table 3]\n1 2", "[Table 3] 1 2"),
            ("", "[Table 3]\n| 1 | 2 |", "[Table 3] | 1 | 2 |"),
            ("", "[not a header", "[not a header"),
            ("[only a header]", "[only a header]", "[only a header]"),
            ("", "", ""),
        ] {
            let first = match header {
                "" => Piece::Source { span: Span::new(0, text.len()), role: Role::Body },
                header => Piece::Generated { text: header.to_owned() },
            };
            assert_eq!(snippet(text, &[first]), expected, "{text}");
        }
        let own = |start, end, role| Piece::Source { span: Span::new(start, end), role };
        let aided = [own(0, 7, Role::Body), own(7, 26, Role::Aid), own(26, 31, Role::Body)];
        assert_eq!(snippet("Short.\n*Asked as:* what.\n\nLong", &aided), "Short. Long");
        let long = snippet(&"å".repeat(400), &[]);
        assert_eq!(long.chars().count(), 161, "{long}");
        assert!(snippet(&"word ".repeat(100), &[]).ends_with("word…"));
        let named =
            format!("{}No. 4 e.g. at S2.14 ends here. {}", "word ".repeat(24), "More follows. ".repeat(9));
        assert!(snippet(&named, &[]).ends_with("at S2.14 ends here."), "{}", snippet(&named, &[]));
    }
}
