//! Search phrasings that somebody added to a chunk by hand. They stay with the chunk's text. When its document is
//! chunked again, or its text changes, they go to the chunk that has the text now.

use super::chunk::{self, ChunkRow, NewChunk, Owner};
use crate::error::{Error, Result};
use crate::field;
use crate::job::ChunkChanges;
use crate::{SqliteStore, touch};
use rusqlite::{Connection, Transaction};
use sibyl_text::chunk::{passage, phrases, with_added};
use sibyl_text::tokens::{CharsPerToken, TokenCounter as _};
use std::borrow::Cow;
use std::collections::HashSet;

/// Maximum number of characters of a phrasing.
pub const LONGEST: usize = 200;
/// Maximum number of phrasings that may be added to a chunk.
pub const MOST: usize = 20;
/// Share of a passage's words that a chunk without a reference must have to count as the same.
const ALIKE: f64 = 0.5;

/// The parts of a chunk by which a phrasing identifies it.
struct Anchor {
    reference: String,
    passage: String,
}

/// A stored phrasing.
struct Kept {
    id: i64,
    place: Anchor,
    phrase: String,
}

impl SqliteStore {
    pub(crate) async fn add_phrasing(
        &self,
        workspace: i64,
        chunk_id: &str,
        phrase: &str,
    ) -> Result<ChunkRow> {
        let phrase = checked(phrase)?;
        self.change(workspace, chunk_id, move |tx, row, place, kept| {
            if phrases(&row.pieces, &row.text).iter().any(|known| known.eq_ignore_ascii_case(&phrase)) {
                return Err(Error::Taken { what: "phrasing", name: phrase, cure: "enter a different one" });
            }
            if kept.len() >= MOST {
                return Err(Error::Invalid(format!(
                    "a chunk has at most {MOST} phrasings of your own; remove one first"
                )));
            }
            tx.execute(
                "INSERT INTO phrasing (document_id, reference, passage, phrase) VALUES (?1, ?2, ?3, ?4)",
                (row.document_id, place.reference, place.passage, &phrase),
            )?;
            Ok(())
        })
        .await
    }

    pub(crate) async fn remove_phrasing(
        &self,
        workspace: i64,
        chunk_id: &str,
        phrase: &str,
    ) -> Result<ChunkRow> {
        let phrase = phrase.trim().to_owned();
        self.change(workspace, chunk_id, move |tx, _row, _place, kept| {
            let known = kept.iter().find(|one| one.phrase == phrase);
            let known = known.ok_or_else(|| Error::not_found("added phrasing", phrase.as_str()))?;
            tx.execute("DELETE FROM phrasing WHERE id = ?1", [known.id])?;
            Ok(())
        })
        .await
    }

    pub(crate) async fn with_phrasings(&self, document: i64, chunks: Vec<NewChunk>) -> Result<Vec<NewChunk>> {
        self.pool.read(move |c| Ok(applied(c, document, &chunks)?.into_owned())).await
    }

    /// Calls `work` with a chunk, its place and its phrasings, lets it change these, and stores the chunk with
    /// them.
    async fn change(
        &self,
        workspace: i64,
        chunk_id: &str,
        work: impl FnOnce(&Transaction<'_>, &ChunkRow, Anchor, &[Kept]) -> Result<()> + Send + 'static,
    ) -> Result<ChunkRow> {
        let chunk_id = chunk_id.to_owned();
        let unknown = Error::not_found("chunk", chunk_id.as_str());
        self.pool
            .write(move |tx| {
                let row = chunk::row_called(tx, workspace, &chunk_id)?.ok_or(unknown)?;
                let place = Anchor::of_row(&row);
                work(tx, &row, place, &kept_of(tx, &row)?)?;
                let phrases: Vec<String> = kept_of(tx, &row)?.into_iter().map(|one| one.phrase).collect();
                let (pieces, text) = with_added(&row.pieces, &row.text, &phrases);
                chunk::rewrite(tx, &row, pieces, text)?;
                touch(tx, "chunk")?;
                chunk::row_called(tx, workspace, &chunk_id)?.ok_or_else(|| {
                    Error::Damaged(format!("the chunk {chunk_id} was lost when it was stored"))
                })
            })
            .await
    }
}

/// `phrase` on one line, without what would end it in a list.
fn checked(phrase: &str) -> Result<String> {
    let words = phrase.split_whitespace().collect::<Vec<_>>().join(" ");
    let words = words.trim_end_matches('.').trim_end();
    if words.is_empty() || words.chars().count() > LONGEST || words.contains(';') {
        return Err(Error::Invalid(format!(
            "a phrasing has 1 to {LONGEST} characters and no semicolon; add each phrasing of a list on its own"
        )));
    }
    Ok(words.to_owned())
}

/// Replaces the stored chunks of their document by `chunks`, with the phrasings added to them, as
/// [`chunk::replace`] does.
pub(crate) fn put_chunks(
    tx: &Transaction<'_>,
    owner: &Owner<'_>,
    chunks: &[NewChunk],
) -> Result<ChunkChanges> {
    chunk::replace(tx, owner, &applied(tx, owner.document, chunks)?)
}

/// `chunks`, those of a document, with the phrasings added to them.
fn applied<'a>(c: &Connection, document: i64, chunks: &'a [NewChunk]) -> Result<Cow<'a, [NewChunk]>> {
    let kept = kept(c, document)?;
    if kept.is_empty() {
        return Ok(Cow::Borrowed(chunks));
    }
    let places: Vec<Anchor> = chunks.iter().map(Anchor::of_new).collect();
    let mut phrases: Vec<Vec<String>> = vec![Vec::new(); chunks.len()];
    for one in kept {
        if let Some(at) = target(&one.place, &places) {
            phrases[at].push(one.phrase);
        }
    }
    let mut chunks = chunks.to_vec();
    for (chunk, phrases) in chunks.iter_mut().zip(phrases).filter(|(_, phrases)| !phrases.is_empty()) {
        (chunk.pieces, chunk.text) = with_added(&chunk.pieces, &chunk.text, &phrases);
        chunk.tokens = CharsPerToken.count(&chunk.text);
    }
    Ok(Cow::Owned(chunks))
}

/// Phrasings of a document, in the order in which they were added.
fn kept(c: &Connection, document: i64) -> Result<Vec<Kept>> {
    let mut select = c.prepare_cached(
        "SELECT id, reference, passage, phrase FROM phrasing WHERE document_id = ?1 ORDER BY id",
    )?;
    let rows = select.query_map([document], |row| {
        let place = Anchor { reference: row.get(1)?, passage: row.get(2)? };
        Ok(Kept { id: row.get(0)?, place, phrase: row.get(3)? })
    })?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}

/// Phrasings of the stored chunk `row`.
fn kept_of(tx: &Transaction<'_>, row: &ChunkRow) -> Result<Vec<Kept>> {
    let mut kept = kept(tx, row.document_id)?;
    if kept.is_empty() {
        return Ok(kept);
    }
    let rows = chunk::rows_of(tx, row.document_id)?;
    let places: Vec<Anchor> = rows.iter().map(Anchor::of_row).collect();
    let at = rows.iter().position(|each| each.id == row.id);
    kept.retain(|one| target(&one.place, &places) == at);
    Ok(kept)
}

/// Which of `chunks` says what `place` said. With a reference, it is the chunk with that reference most like it;
/// else the most like it that is at least [`ALIKE`]. Ties are broken by position. None if it is gone.
fn target(place: &Anchor, chunks: &[Anchor]) -> Option<usize> {
    let wanted = words(&place.passage);
    let mut best: Option<(f64, usize)> = None;
    for (at, chunk) in chunks.iter().enumerate().filter(|(_, chunk)| chunk.reference == place.reference) {
        let share = if chunk.passage == place.passage {
            1.0
        } else {
            let said = words(&chunk.passage);
            // The other share distinguishes a chunk from a larger one that it is part of.
            let both = wanted.intersection(&said).count() as f64;
            both * both / (wanted.len().max(1) * said.len().max(1)) as f64
        };
        if best.is_none_or(|(most, _)| share > most) {
            best = Some((share, at));
        }
    }
    let (share, at) = best?;
    (!place.reference.is_empty() || share >= ALIKE * ALIKE).then_some(at)
}

fn words(text: &str) -> HashSet<String> {
    text.split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .map(str::to_lowercase)
        .collect()
}

impl Anchor {
    fn of_row(row: &ChunkRow) -> Self {
        Self::new(field::keys(&row.metadata).next(), passage(&row.pieces, &row.text))
    }

    fn of_new(chunk: &NewChunk) -> Self {
        Self::new(field::keys(&chunk.metadata).next(), passage(&chunk.pieces, &chunk.text))
    }

    fn new(reference: Option<&str>, passage: String) -> Self {
        Self { reference: reference.unwrap_or_default().to_owned(), passage }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(reference: &str, passage: &str) -> Anchor {
        Anchor { reference: reference.to_owned(), passage: passage.to_owned() }
    }

    #[test]
    fn a_phrase_is_one_line_without_what_ends_it_in_a_list() {
        assert_eq!(checked("  who\n looks  after it. ").unwrap(), "who looks after it");
        for bad in ["", " . ", "one; two", "x".repeat(201).as_str()] {
            assert!(matches!(checked(bad), Err(Error::Invalid(_))), "{bad}");
        }
    }

    #[test]
    fn a_phrasing_goes_where_its_passage_is_said_now() {
        let chunks = [
            place("", "Leave is asked for at the office."),
            place("", "Salaries come monthly, on the last day."),
            place("S2.5", "The objective."),
            place("S2.6", "First part about boards."),
            place("S2.6", "Second part about managers."),
        ];
        let at = |reference: &str, passage: &str| target(&place(reference, passage), &chunks);
        assert_eq!(at("", "Salaries come monthly, on the last day."), Some(1));
        // Five of seven words are the same.
        assert_eq!(at("", "Salaries come weekly, on the first day."), Some(1));
        // Three of seven are.
        assert_eq!(at("", "Lunch is served at noon for everybody."), None);
        // A reference says what a chunk is, whatever it says of it.
        assert_eq!(at("S2.5", "Other words."), Some(2));
        assert_eq!(at("S2.6", "Part two is about managers."), Some(4));
        assert_eq!(at("S2.7", "The objective."), None);
    }
}
