//! BM25 with a weight for each phrase, as an auxiliary function of FTS5.
//!
//! FTS5's own `bm25()` gives every phrase of a query the same weight, so a synonym would count as much as the word
//! that was typed. It also walks each phrase's rows once more to count them. Here each phrase comes with its
//! weight times its inverse document frequency, and one pass scores all. With FTS5's own idf as weights and
//! without pairs the scores are those of `bm25()`.
//!
//! Words that follow each other in the query count extra where they stand together. They count once wherever one
//! has the other within [`REACH`] tokens, and more where they are neighbours in the query's order. Each of the two
//! saturates as a word's frequency does, and has its own inverse document frequency, known only once all rows were
//! seen. This is the sequential dependence model (Metzler and Croft, "A Markov Random Field Model for Term
//! Dependencies", SIGIR 2005). With BM25 it is as in Bendersky, Metzler and Croft, "Learning Concept Importance
//! Using a Weighted Dependence Model", WSDM 2010.

use crate::error::{Error, Result};
use rusqlite::{Connection, ffi};
use std::ffi::{CStr, c_int, c_void};

/// Saturation of term frequency (Robertson and Zaragoza, "The Probabilistic Relevance Framework", 2009); FTS5's value.
const K1: f64 = 1.2;
/// Influence of a chunk's length (the same source); FTS5's value.
const B: f64 = 0.75;
/// Maximum distance in tokens at which two words stand near each other.
const REACH: i32 = 8;
/// Maximum number of phrases in one expression: a scoring pass keeps a place for each, and a question has fewer.
pub(super) const MAX_PHRASES: usize = 62;

const SCORE: &CStr = c"weighted_bm25";
const LEAVES: &CStr = c"score_leaves";

/// Makes `weighted_bm25(keyword, weights, pairs)` and `score_leaves(keyword, weights, pairs)` known to `connection`.
pub(crate) fn register(connection: &Connection) -> Result<()> {
    // SAFETY: the handle lives as long as `connection`, and this thread alone uses it here.
    let status = unsafe { register_on(connection.handle()) };
    if status == ffi::SQLITE_OK {
        return Ok(());
    }
    Err(Error::from(rusqlite::Error::SqliteFailure(
        ffi::Error::new(status),
        Some("FTS5 refused the scoring function".to_owned()),
    )))
}

unsafe fn register_on(database: *mut ffi::sqlite3) -> c_int {
    let mut api: *mut ffi::fts5_api = std::ptr::null_mut();
    let mut statement: *mut ffi::sqlite3_stmt = std::ptr::null_mut();
    // SAFETY: FTS5 documents this statement as the way to its interface; it writes the interface's address into
    // `api`, which outlives the statement.
    unsafe {
        let prepared = ffi::sqlite3_prepare_v2(
            database,
            c"SELECT fts5(?1)".as_ptr(),
            -1,
            &raw mut statement,
            std::ptr::null_mut(),
        );
        if prepared != ffi::SQLITE_OK {
            return prepared;
        }
        ffi::sqlite3_bind_pointer(
            statement,
            1,
            (&raw mut api).cast::<c_void>(),
            c"fts5_api_ptr".as_ptr(),
            None,
        );
        ffi::sqlite3_step(statement);
        ffi::sqlite3_finalize(statement);
    }
    // SAFETY: a non-null address is the interface of the FTS5 that is compiled in, valid while the handle is open.
    let Some(create) = (unsafe { api.as_ref() }).and_then(|api| api.xCreateFunction) else {
        return ffi::SQLITE_ERROR;
    };
    // SAFETY: both functions have the signature that FTS5 asks for and keep no user data.
    unsafe {
        let status = create(api, SCORE.as_ptr(), std::ptr::null_mut(), Some(weighted_bm25), None);
        if status != ffi::SQLITE_OK {
            return status;
        }
        create(api, LEAVES.as_ptr(), std::ptr::null_mut(), Some(score_leaves), None)
    }
}

/// Inverse document frequency of a term in `frequency` of `chunks`: Robertson and Spärck Jones with 1 inside the
/// logarithm, as in Lucene. So it is never negative for frequent words.
pub fn inverse_frequency(frequency: u64, chunks: u64) -> f64 {
    let (chunks, frequency) = (chunks as f64, frequency as f64);
    (1.0 + ((chunks - frequency).max(0.0) + 0.5) / (frequency + 0.5)).ln()
}

/// What stays the same for all rows of one query.
struct Query {
    average_length: f64,
    weights: Vec<f64>,
    pairs: Vec<Pair>,
    frequencies: Vec<f64>,
    /// Where each phrase last occurred in the current row.
    last: Vec<Option<Position>>,
}

/// Column and token.
type Position = (i32, i32);

/// Two phrases that follow each other in the query.
#[derive(Default)]
struct Pair {
    first: usize,
    second: usize,
    /// Number of places of the first that have the second near, and number of places of the second right after the
    /// first.
    frequencies: [f64; 2],
    /// Places of the first that the second may still follow.
    open: Vec<Position>,
}

impl Pair {
    fn met(&mut self, phrase: usize, (column, offset): Position, last: &[Option<Position>]) {
        let near = |&(at, before): &Position| at == column && offset - before <= REACH;
        if phrase == self.first {
            if last[self.second].as_ref().is_some_and(near) {
                self.frequencies[0] += 1.0;
            } else {
                self.open.push((column, offset));
            }
        } else if phrase == self.second {
            self.frequencies[0] += self.open.drain(..).filter(near).count() as f64;
            if last[self.first] == Some((column, offset - 1)) {
                self.frequencies[1] += 1.0;
            }
        }
    }
}

impl Query {
    fn new(average_length: f64, weights: Vec<f64>, pairs: &[u8]) -> Self {
        let pairs = pairs.as_chunks::<2>().0.iter().map(|&[first, second]| (first.into(), second.into()));
        let known = pairs.filter(|&(first, second)| first < weights.len() && second < weights.len());
        Self {
            average_length,
            pairs: known.map(|(first, second)| Pair { first, second, ..Pair::default() }).collect(),
            frequencies: vec![0.0; weights.len()],
            last: vec![None; weights.len()],
            weights,
        }
    }

    fn begin_row(&mut self) {
        self.frequencies.fill(0.0);
        self.last.fill(None);
        for pair in &mut self.pairs {
            pair.frequencies = [0.0; 2];
            pair.open.clear();
        }
    }

    /// Notes that `phrase` occurs at `place`; places come in ascending order.
    fn met(&mut self, phrase: usize, place: Position) {
        let Some(frequency) = self.frequencies.get_mut(phrase) else { return };
        *frequency += 1.0;
        for pair in &mut self.pairs {
            pair.met(phrase, place, &self.last);
        }
        self.last[phrase] = Some(place);
    }

    /// BM25's function of a frequency in a row of `length` tokens.
    fn saturation(&self, length: i32) -> impl Fn(f64) -> f64 {
        let norm = K1 * (1.0 - B + B * f64::from(length) / self.average_length);
        move |frequency| frequency * (K1 + 1.0) / (frequency + norm)
    }

    /// What the words alone score in a row of `length` tokens.
    fn words(&self, length: i32) -> f64 {
        let saturated = self.saturation(length);
        self.weights
            .iter()
            .zip(&self.frequencies)
            .map(|(weight, &frequency)| weight * saturated(frequency))
            .sum()
    }

    /// Whether two words of the query stand together in the row.
    fn together(&self) -> bool {
        self.pairs.iter().any(|pair| pair.frequencies[0] > 0.0)
    }

    /// Saturated frequencies of every pair, near and in order, still without a weight.
    fn pair_values(&self, length: i32) -> impl Iterator<Item = f64> {
        let saturated = self.saturation(length);
        self.pairs.iter().flat_map(|pair| pair.frequencies).map(saturated)
    }

    /// For every phrase its frequency in the row and its part of the score. Then for every pair how often it
    /// stands near, and its two values without a weight.
    fn leaves(&self, length: i32) -> Vec<f64> {
        let saturated = self.saturation(length);
        let words = self.weights.iter().zip(&self.frequencies);
        let words = words.flat_map(|(weight, &frequency)| [frequency, weight * saturated(frequency)]);
        let pairs = self.pairs.iter().flat_map(|Pair { frequencies: [near, in_order], .. }| {
            [*near, saturated(*near), saturated(*in_order)]
        });
        words.chain(pairs).collect()
    }
}

unsafe extern "C" fn drop_query(query: *mut c_void) {
    // SAFETY: FTS5 calls this once with the address that `query_of` leaked.
    drop(unsafe { Box::from_raw(query.cast::<Query>()) });
}

/// The score of the current row. `weights` is a blob of one little-endian f64 for each phrase, `pairs` one of two
/// bytes for each pair: the numbers of its phrases. If words of a pair stand together, the result is a blob
/// instead: that score and every pair's values, see [`Query::pair_values`].
unsafe extern "C" fn weighted_bm25(
    api: *const ffi::Fts5ExtensionApi,
    fts: *mut ffi::Fts5Context,
    context: *mut ffi::sqlite3_context,
    count: c_int,
    arguments: *mut *mut ffi::sqlite3_value,
) {
    // SAFETY: FTS5 calls with a valid interface, a cursor on a matching row and `count` arguments.
    unsafe {
        match read_row(api, fts, count, arguments) {
            Ok((query, length)) if query.together() => {
                give(context, std::iter::once(query.words(length)).chain(query.pair_values(length)));
            }
            Ok((query, length)) => ffi::sqlite3_result_double(context, query.words(length)),
            Err(status) => ffi::sqlite3_result_error_code(context, status),
        }
    }
}

/// What the score of the current row is made of, of the same arguments: [`Query::leaves`] as a blob.
unsafe extern "C" fn score_leaves(
    api: *const ffi::Fts5ExtensionApi,
    fts: *mut ffi::Fts5Context,
    context: *mut ffi::sqlite3_context,
    count: c_int,
    arguments: *mut *mut ffi::sqlite3_value,
) {
    // SAFETY: as for `weighted_bm25`.
    unsafe {
        match read_row(api, fts, count, arguments) {
            Ok((query, length)) => give(context, query.leaves(length).into_iter()),
            Err(status) => ffi::sqlite3_result_error_code(context, status),
        }
    }
}

/// Returns `numbers` as a blob of little-endian f64.
unsafe fn give(context: *mut ffi::sqlite3_context, numbers: impl Iterator<Item = f64>) {
    let bytes: Vec<u8> = numbers.flat_map(f64::to_le_bytes).collect();
    let size = c_int::try_from(bytes.len()).unwrap_or_default();
    // SAFETY: SQLite copies the bytes before it returns.
    unsafe { ffi::sqlite3_result_blob(context, bytes.as_ptr().cast(), size, ffi::SQLITE_TRANSIENT()) }
}

/// The query's weights, its pairs and the average length, read on its first row and kept by FTS5 for the rest.
unsafe fn query_of<'a>(
    api: &ffi::Fts5ExtensionApi,
    fts: *mut ffi::Fts5Context,
    weights: *mut ffi::sqlite3_value,
    pairs: *mut ffi::sqlite3_value,
) -> Option<&'a mut Query> {
    // SAFETY: the auxiliary data of this function is only ever the `Query` made below, and one row at a time uses it.
    unsafe {
        let kept = api.xGetAuxdata?(fts, 0).cast::<Query>();
        if !kept.is_null() {
            return kept.as_mut();
        }
        let weights: Vec<f64> =
            bytes_of(weights)?.as_chunks::<8>().0.iter().map(|&bytes| f64::from_le_bytes(bytes)).collect();
        let pairs = bytes_of(pairs).unwrap_or_default();
        let (mut rows, mut tokens) = (0, 0);
        let counted = api.xRowCount?(fts, &raw mut rows) == ffi::SQLITE_OK
            && api.xColumnTotalSize?(fts, -1, &raw mut tokens) == ffi::SQLITE_OK;
        if !counted {
            return None;
        }
        let average_length = (tokens as f64 / rows.max(1) as f64).max(1.0);
        let query = Box::into_raw(Box::new(Query::new(average_length, weights, pairs)));
        // On failure FTS5 has already dropped it.
        if api.xSetAuxdata?(fts, query.cast::<c_void>(), Some(drop_query)) != ffi::SQLITE_OK {
            return None;
        }
        query.as_mut()
    }
}

/// The bytes of a blob; `None` for an empty one. They live as long as the call.
unsafe fn bytes_of<'a>(value: *mut ffi::sqlite3_value) -> Option<&'a [u8]> {
    // SAFETY: SQLite gives an address with as many bytes as it says, valid until the call returns.
    unsafe {
        let length = usize::try_from(ffi::sqlite3_value_bytes(value)).ok()?;
        let start = ffi::sqlite3_value_blob(value).cast::<u8>();
        (!start.is_null()).then(|| std::slice::from_raw_parts(start, length))
    }
}

/// Counts the current row; returns the counts with its length in tokens.
unsafe fn read_row<'a>(
    api: *const ffi::Fts5ExtensionApi,
    fts: *mut ffi::Fts5Context,
    count: c_int,
    arguments: *mut *mut ffi::sqlite3_value,
) -> std::result::Result<(&'a Query, c_int), c_int> {
    let (mut places, mut length) = (0, 0);
    // SAFETY: the caller has FTS5's own arguments, `fts` stands on a matching row, and all addresses are of local
    // variables.
    unsafe {
        let api = api.as_ref().filter(|_| count == 2).ok_or(ffi::SQLITE_MISUSE)?;
        let (Some(instances), Some(instance), Some(size)) = (api.xInstCount, api.xInst, api.xColumnSize)
        else {
            return Err(ffi::SQLITE_MISUSE);
        };
        let query = query_of(api, fts, *arguments, *arguments.add(1)).ok_or(ffi::SQLITE_MISUSE)?;
        query.begin_row();
        check(instances(fts, &raw mut places))?;
        check(size(fts, -1, &raw mut length))?;
        for index in 0..places {
            let (mut phrase, mut column, mut offset) = (0, 0, 0);
            check(instance(fts, index, &raw mut phrase, &raw mut column, &raw mut offset))?;
            if let Ok(phrase) = usize::try_from(phrase) {
                query.met(phrase, (column, offset));
            }
        }
        Ok((query, length))
    }
}

fn check(status: c_int) -> std::result::Result<(), c_int> {
    if status == ffi::SQLITE_OK { Ok(()) } else { Err(status) }
}
