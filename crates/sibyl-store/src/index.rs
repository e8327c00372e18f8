//! What is kept in memory of a space: its code file, the codes of newer vectors, and which chunk has which slot.
//!
//! A slot is the place of a vector: the slots of the code file come first, then those of the tail. Several chunks
//! may share one. Row ids are never used twice and a chunk's text never changes, so bringing an index up to date
//! only adds.

use super::codes::{CodeFile, Stamp, Writer, quantise, stride};
use super::kernel;
use super::scope::ChunkSet;
use super::vector::wrong_length;
use crate::error::Result;
use parking_lot::Mutex;
use rusqlite::{Connection, OptionalExtension as _};
use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Number of vectors newer than the code file that may be in memory. If there are more, and more than an eighth of
/// the file, a new file is written in the background.
const TAIL: usize = 4_096;
/// Time after which it is tried again to write a file that could not be written.
const RETRY: Duration = Duration::from_secs(60);
/// Codes of this many bytes are worth a thread of their own.
const BYTES_A_THREAD: usize = 4 << 20;

/// The space an index is of.
#[derive(Debug, Clone, Copy)]
pub(super) struct SpaceRow<'a> {
    pub row: i64,
    pub id: &'a str,
    pub dimensions: usize,
}

/// The indexes of a library, by space.
#[derive(Default)]
pub(super) struct Indexes(Mutex<HashMap<String, Arc<Entry>>>);

/// The index of one space.
#[derive(Default)]
pub(super) struct Entry {
    /// Its place in memory; locked while it is brought up to date.
    index: Mutex<Option<Arc<Index>>>,
    /// Whoever writes its code file takes the lock.
    writing: Mutex<()>,
    /// When it could not be written last.
    failed: Mutex<Option<Instant>>,
}

/// What can be had of an index.
pub(super) struct Current {
    /// The index, up to date; `None` if the code file is still to be written.
    pub index: Option<Arc<Index>>,
    /// Set if a new code file is due.
    pub due: Option<Arc<Entry>>,
}

impl Indexes {
    /// The index of `space`, brought up to date with what `c` sees, and whether its code file is due to be written.
    pub fn current(&self, c: &Connection, data: &Path, space: SpaceRow<'_>) -> Result<Current> {
        let entry = Arc::clone(self.0.lock().entry(space.id.to_owned()).or_default());
        let index = entry.updated(c, data, space)?;
        let due = index.as_ref().is_none_or(|index| index.is_long()) && entry.may_be_written();
        Ok(Current { index, due: due.then_some(entry) })
    }

    /// Forgets what is in memory of `space`.
    pub fn forget(&self, space: &str) {
        self.0.lock().remove(space);
    }
}

impl Entry {
    /// The index, brought up to date or opened.
    fn updated(&self, c: &Connection, data: &Path, space: SpaceRow<'_>) -> Result<Option<Arc<Index>>> {
        let mut index = self.index.lock();
        // Taken out, so that it is discarded if its update fails midway.
        *index = match index.take() {
            Some(mut known) => {
                Index::update(&mut known, c, space)?;
                Some(known)
            }
            None => Index::open(c, data, space)?.map(Arc::new),
        };
        Ok(index.clone())
    }

    fn may_be_written(&self) -> bool {
        self.failed.lock().is_none_or(|at| at.elapsed() > RETRY)
    }

    /// Rewrites the code file and starts to use it. Does nothing if somebody is doing it already.
    pub fn renew(&self, c: &Connection, data: &Path, space: SpaceRow<'_>) -> Result<()> {
        let Some(_turn) = self.writing.try_lock() else { return Ok(()) };
        let is_long = |index: &Option<Arc<Index>>| index.as_ref().is_none_or(|index| index.is_long());
        if !is_long(&self.index.lock()) {
            return Ok(());
        }
        let renewed = write(c, data, space).and_then(|()| Index::open(c, data, space));
        let failed = renewed.is_err().then(Instant::now);
        *self.failed.lock() = failed;
        // The next search reads what was added meanwhile.
        *self.index.lock() = renewed?.map(Arc::new);
        Ok(())
    }
}

/// Writes the code file of `space` from its vectors.
pub(super) fn write(c: &Connection, data: &Path, space: SpaceRow<'_>) -> Result<()> {
    let generation =
        c.query_row("SELECT value FROM generation WHERE name = 'vector'", [], |row| row.get(0))?;
    let mut writer = Writer::new(data, space.dimensions)?;
    let mut last = 0;
    each_vector(c, space, 0, |id, vector| {
        last = id;
        writer.push(id, vector)
    })?;
    writer.finish(data, space.id, generation, witness(c, space.row, last)?.unwrap_or(0))
}

/// Calls `take` with every vector of `space` after row `after`, by row.
pub(super) fn each_vector(
    c: &Connection,
    space: SpaceRow<'_>,
    after: i64,
    mut take: impl FnMut(i64, Numbers<'_>) -> Result<()>,
) -> Result<()> {
    // The plus keeps SQLite from visiting the rows in the order of their hashes.
    let mut select =
        c.prepare_cached("SELECT id, vector FROM vector WHERE id > ?2 AND +space = ?1 ORDER BY id")?;
    let mut rows = select.query((space.row, after))?;
    while let Some(row) = rows.next()? {
        let blob = row.get_ref(1)?.as_blob().unwrap_or_default();
        if blob.len() != 4 * space.dimensions {
            return Err(wrong_length(space.id, blob.len() / 4, space.dimensions));
        }
        take(row.get(0)?, numbers(blob))?;
    }
    Ok(())
}

type Numbers<'a> = std::iter::Map<std::slice::Iter<'a, [u8; 4]>, fn(&'a [u8; 4]) -> f32>;

/// The numbers of a stored vector.
fn numbers(blob: &[u8]) -> Numbers<'_> {
    blob.as_chunks::<4>().0.iter().map(|bytes| f32::from_le_bytes(*bytes))
}

/// First bytes of the text hash of vector `row`, if it is in `space`.
fn witness(c: &Connection, space: i64, row: i64) -> Result<Option<u64>> {
    let hash: Option<[u8; 32]> = c
        .prepare_cached("SELECT input_hash FROM vector WHERE id = ?1 AND space = ?2")?
        .query_row((row, space), |r| r.get(0))
        .optional()?;
    Ok(hash.and_then(|hash| hash.first_chunk().map(|bytes| u64::from_le_bytes(*bytes))))
}

/// Whether a file of `stamp` is a true prefix of the vectors of `space`.
pub(super) fn is_current(c: &Connection, space: SpaceRow<'_>, stamp: &Stamp) -> Result<bool> {
    let (count, generation): (usize, i64) = c.query_row(
        "SELECT (SELECT count(*) FROM vector WHERE space = ?1 AND id <= ?2),
                (SELECT value FROM generation WHERE name = 'vector')",
        (space.row, stamp.last),
        |row| Ok((row.get(0)?, row.get(1)?)),
    )?;
    Ok(stamp.dimensions == space.dimensions
        && stamp.count == count
        && stamp.generation <= generation
        && stamp.witness == witness(c, space.row, stamp.last)?.unwrap_or(0))
}

/// What is in memory of a space.
#[derive(Clone)]
pub(super) struct Index {
    stride: usize,
    file: Option<Arc<CodeFile>>,
    /// Codes of the slots beyond the file.
    tail: Vec<i8>,
    /// Vector row of each slot, ascending.
    ids: Vec<i64>,
    scales: Vec<f32>,
    /// Chunk rows that have a vector, ascending, with their slots.
    chunks: Vec<(i64, u32)>,
    last_chunk: i64,
    last_vector: i64,
}

/// A slot and its approximate score: cosine similarity, apart from a factor common to all.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct ScoredSlot {
    pub slot: u32,
    pub score: f32,
}

/// Slots that may be considered, one bit each.
pub(super) struct Slots {
    words: Vec<u64>,
    /// Their number.
    pub count: usize,
}

impl Index {
    /// Opens the code file of `space` and reads the vectors that it lacks. `None` if that is too much to be read
    /// by a search.
    fn open(c: &Connection, data: &Path, space: SpaceRow<'_>) -> Result<Option<Self>> {
        let file = match CodeFile::open_newest(data, space.id) {
            Some(file) if is_current(c, space, file.stamp())? => Some(Arc::new(file)),
            _ => None,
        };
        let mut index = Self {
            stride: stride(space.dimensions),
            tail: Vec::new(),
            ids: file.iter().flat_map(|f| f.ids()).collect(),
            scales: file.iter().flat_map(|f| f.scales()).collect(),
            chunks: Vec::new(),
            last_chunk: 0,
            last_vector: file.as_ref().map_or(0, |f| f.stamp().last),
            file,
        };
        let new: usize = c
            .prepare_cached("SELECT count(*) FROM vector WHERE id > ?2 AND +space = ?1")?
            .query_row((space.row, index.last_vector), |row| row.get(0))?;
        if is_long(new, index.filed()) {
            return Ok(None);
        }
        index.read(c, space)?;
        Ok(Some(index))
    }

    /// Adds new entries of `c` to `known`.
    fn update(known: &mut Arc<Self>, c: &Connection, space: SpaceRow<'_>) -> Result<()> {
        let (chunk, vector) = newest(c)?;
        if chunk > known.last_chunk || vector > known.last_vector {
            Arc::make_mut(known).read(c, space)?;
        }
        Ok(())
    }

    /// Number of vectors in the file.
    fn filed(&self) -> usize {
        self.file.as_ref().map_or(0, |file| file.stamp().count)
    }

    /// Whether so much is in memory that a new file is due.
    fn is_long(&self) -> bool {
        is_long(self.ids.len() - self.filed(), self.filed())
    }

    /// Reads the vectors and chunks that are new.
    fn read(&mut self, c: &Connection, space: SpaceRow<'_>) -> Result<()> {
        let (newest_chunk, newest_vector) = newest(c)?;
        let (old_chunk, old_vector) = (self.last_chunk, self.last_vector);
        each_vector(c, space, old_vector, |id, vector| {
            self.ids.push(id);
            self.scales.push(quantise(vector, space.dimensions, &mut self.tail));
            Ok(())
        })?;
        if old_chunk == 0 {
            // In the order of the hashes, which both tables have an index of: no text is touched.
            self.link(
                c,
                "SELECT c.id, v.id FROM chunk c INDEXED BY chunk_input
                 CROSS JOIN vector v ON v.space = ?1 AND v.input_hash = c.input_hash",
                [space.row].as_slice(),
            )?;
        } else {
            self.link(
                c,
                "SELECT c.id, v.id FROM chunk c
                 CROSS JOIN vector v ON v.space = ?1 AND v.input_hash = c.input_hash WHERE c.id > ?2",
                [space.row, old_chunk].as_slice(),
            )?;
            self.link(
                c,
                "SELECT c.id, v.id FROM vector v CROSS JOIN chunk c ON c.input_hash = v.input_hash
                 WHERE v.id > ?3 AND +v.space = ?1 AND c.id <= ?2",
                [space.row, old_chunk, old_vector].as_slice(),
            )?;
        }
        self.chunks.sort_unstable();
        self.last_chunk = newest_chunk.max(old_chunk);
        self.last_vector = newest_vector.max(old_vector);
        Ok(())
    }

    /// Adds the chunks and vectors that `join` pairs.
    fn link(&mut self, c: &Connection, join: &str, values: &[i64]) -> Result<()> {
        let mut select = c.prepare_cached(join)?;
        let mut rows = select.query(rusqlite::params_from_iter(values))?;
        while let Some(row) = rows.next()? {
            if let Ok(slot) = self.ids.binary_search(&row.get(1)?) {
                self.chunks.push((row.get(0)?, slot as u32));
            }
        }
        Ok(())
    }

    /// The slots of the chunks of `allowed`.
    pub fn slots(&self, allowed: &ChunkSet) -> Slots {
        let mut slots = Slots { words: vec![0; self.ids.len().div_ceil(64)], count: 0 };
        let mut rest = self.chunks.as_slice();
        for row in &allowed.rows {
            let Ok(row) = i64::try_from(row) else { break };
            // If most chunks are allowed, a step or two are enough; if few are, it skips far.
            let mut reach = 1;
            while rest.get(reach).is_some_and(|(chunk, _)| *chunk < row) {
                reach *= 2;
            }
            let near = &rest[..rest.len().min(reach + 1)];
            rest = &rest[near.partition_point(|(chunk, _)| *chunk < row)..];
            match rest.first() {
                Some((chunk, slot)) if *chunk == row => slots.words[*slot as usize / 64] |= 1 << (slot % 64),
                Some(_) => {}
                None => break,
            }
        }
        slots.count = slots.words.iter().map(|word| word.count_ones() as usize).sum();
        slots
    }

    /// The `most` slots of `slots` that score best against `query`, best first. It leaves out those that are
    /// certainly not among the first `k`.
    pub fn scan(&self, query: &[f32], slots: &Slots, k: usize, most: usize) -> Vec<ScoredSlot> {
        let mut codes = Vec::new();
        let query_scale = quantise(query.iter().copied(), query.len(), &mut codes);
        let threads = (slots.count * self.stride / BYTES_A_THREAD).clamp(1, threads());
        let part = slots.words.len().div_ceil(threads).max(1);
        let mut found: Vec<ScoredSlot> = std::thread::scope(|scope| {
            let parts: Vec<_> = slots.words.chunks(part).enumerate().collect();
            let work = |(n, words): (usize, &[u64])| self.scan_part(&codes, n * part, words, most);
            let others: Vec<_> = parts.iter().skip(1).map(|&one| scope.spawn(move || work(one))).collect();
            let mut found = parts.first().map_or_else(Vec::new, |&one| work(one));
            for other in others {
                found.extend(other.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)));
            }
            found
        });
        sort(&mut found);
        found.truncate(most);
        if let Some(last) = found.get(k.saturating_sub(1)).copied() {
            // Rounding adds an error of variance scale² / 12 for either side. Eight standard deviations below the
            // k-th score nothing can climb among the first k.
            let largest = found.iter().map(|c| self.scales[c.slot as usize]).fold(0.0, f32::max);
            let deviation = ((query_scale * query_scale + largest * largest) / 12.0).sqrt();
            let margin = if query_scale > 0.0 { 8.0 * deviation / query_scale } else { f32::INFINITY };
            found.truncate(found.partition_point(|c| c.score >= last.score - margin));
        }
        found
    }

    fn scan_part(&self, query: &[i8], first: usize, words: &[u64], most: usize) -> Vec<ScoredSlot> {
        let dot = kernel::best().dot;
        let file = self.file.as_ref().map_or(&[][..], |f| f.codes());
        let filed = file.len() / self.stride;
        let mut found: Vec<ScoredSlot> = Vec::with_capacity(2 * most);
        let mut least = f32::NEG_INFINITY;
        for (n, &word) in words.iter().enumerate() {
            let mut word = word;
            while word != 0 {
                let slot = (first + n) * 64 + word.trailing_zeros() as usize;
                word &= word - 1;
                let codes = match slot.checked_sub(filed) {
                    None => &file[slot * self.stride..][..self.stride],
                    Some(beyond) => &self.tail[beyond * self.stride..][..self.stride],
                };
                let score = dot(query, codes) as f32 * self.scales[slot];
                if score > least {
                    found.push(ScoredSlot { slot: slot as u32, score });
                    if found.len() == 2 * most {
                        sort(&mut found);
                        found.truncate(most);
                        least = found.last().map_or(least, |c| c.score);
                    }
                }
            }
        }
        sort(&mut found);
        found.truncate(most);
        found
    }

    /// How many chunks of `allowed`, which has the slots `slots`, score better against `query` than the chunk of
    /// row `chunk`. `None` if that chunk has no vector. Scores are approximate.
    pub fn better_than(&self, query: &[f32], slots: &Slots, allowed: &ChunkSet, chunk: i64) -> Option<usize> {
        let own = self.chunks.binary_search_by_key(&chunk, |(row, _)| *row).ok()?;
        let mut codes = Vec::new();
        quantise(query.iter().copied(), query.len(), &mut codes);
        let own = self.score(&codes, self.chunks[own].1 as usize);
        let mut better = vec![0_u64; slots.words.len()];
        for (n, &word) in slots.words.iter().enumerate() {
            let mut word = word;
            while word != 0 {
                let bit = word.trailing_zeros();
                word &= word - 1;
                better[n] |= u64::from(self.score(&codes, n * 64 + bit as usize) > own) << bit;
            }
        }
        let is_better = |&&(row, slot): &&(i64, u32)| {
            better[slot as usize / 64] >> (slot % 64) & 1 == 1
                && u64::try_from(row).is_ok_and(|row| allowed.rows.contains(row))
        };
        Some(self.chunks.iter().filter(is_better).count())
    }

    fn score(&self, query: &[i8], slot: usize) -> f32 {
        let file = self.file.as_ref().map_or(&[][..], |f| f.codes());
        let codes = match slot.checked_sub(file.len() / self.stride) {
            None => &file[slot * self.stride..][..self.stride],
            Some(beyond) => &self.tail[beyond * self.stride..][..self.stride],
        };
        (kernel::best().dot)(query, codes) as f32 * self.scales[slot]
    }

    /// The vector row of `slot`.
    pub fn vector(&self, slot: u32) -> i64 {
        self.ids[slot as usize]
    }
}

/// Whether `tail` vectors beyond the `filed` ones of a code file are so many that a new file is due.
fn is_long(tail: usize, filed: usize) -> bool {
    tail > TAIL.max(filed / 8)
}

/// Best first, equal ones by slot.
fn sort(candidates: &mut [ScoredSlot]) {
    candidates.sort_unstable_by(|a, b| b.score.total_cmp(&a.score).then(a.slot.cmp(&b.slot)));
}

/// The newest row of the chunks and of the vectors.
fn newest(c: &Connection) -> Result<(i64, i64)> {
    Ok(c.prepare_cached(
        "SELECT coalesce((SELECT max(id) FROM chunk), 0), coalesce((SELECT max(id) FROM vector), 0)",
    )?
    .query_row([], |row| Ok((row.get(0)?, row.get(1)?)))?)
}

fn threads() -> usize {
    std::thread::available_parallelism().map_or(1, std::num::NonZero::get).min(8)
}
