//! BM25 with a weight for each phrase, as an auxiliary function of FTS5.
//!
//! FTS5's own `bm25()` gives every phrase of a query the same weight, so that a synonym would count as much as
//! the word that was typed, and it walks each phrase's rows once more to count them. Here each phrase comes with
//! its weight times its inverse document frequency, and one pass scores all. With FTS5's own idf as weights the
//! scores are those of `bm25()`.

use crate::error::{Error, Result};
use rusqlite::{Connection, ffi};
use std::ffi::{CStr, c_int, c_void};

/// Saturation of term frequency (Robertson and Zaragoza, "The Probabilistic Relevance Framework", 2009); FTS5's value.
const K1: f64 = 1.2;
/// Influence of a chunk's length (the same source); FTS5's value.
const B: f64 = 0.75;
/// Phrases that one expression may hold: a row's matched phrases are reported as bits of one number.
pub(super) const MAX_PHRASES: usize = 62;

const SCORE: &CStr = c"weighted_bm25";
const PHRASES: &CStr = c"matched_phrases";

/// Makes `weighted_bm25(keyword, weights)` and `matched_phrases(keyword)` known to `connection`.
pub(in crate::store) fn register(connection: &Connection) -> Result<()> {
    // SAFETY: the handle lives as long as `connection`, and this thread alone uses it here.
    let status = unsafe { register_on(connection.handle()) };
    if status == ffi::SQLITE_OK {
        return Ok(());
    }
    Err(Error::Storage(rusqlite::Error::SqliteFailure(
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
        create(api, PHRASES.as_ptr(), std::ptr::null_mut(), Some(matched_phrases), None)
    }
}

/// What stays the same for all rows of one query.
struct Query {
    average_length: f64,
    weights: Vec<f64>,
    frequencies: Vec<f64>,
}

unsafe extern "C" fn drop_query(query: *mut c_void) {
    // SAFETY: FTS5 calls this once with the address that `query_of` leaked.
    drop(unsafe { Box::from_raw(query.cast::<Query>()) });
}

/// The BM25 score of the current row; `weights` is a blob of one little-endian f64 for each phrase.
unsafe extern "C" fn weighted_bm25(
    api: *const ffi::Fts5ExtensionApi,
    fts: *mut ffi::Fts5Context,
    context: *mut ffi::sqlite3_context,
    count: c_int,
    arguments: *mut *mut ffi::sqlite3_value,
) {
    // SAFETY: FTS5 calls with a valid interface, a cursor on a matching row and `count` arguments.
    unsafe {
        let score = (api.as_ref())
            .filter(|_| count == 1)
            .and_then(|api| Some(score_row(api, fts, query_of(api, fts, *arguments)?)));
        match score {
            Some(Ok(score)) => ffi::sqlite3_result_double(context, score),
            Some(Err(status)) => ffi::sqlite3_result_error_code(context, status),
            None => ffi::sqlite3_result_error_code(context, ffi::SQLITE_MISUSE),
        }
    }
}

/// The query's weights and the average length, read on its first row and kept by FTS5 for the rest.
unsafe fn query_of<'a>(
    api: &ffi::Fts5ExtensionApi,
    fts: *mut ffi::Fts5Context,
    weights: *mut ffi::sqlite3_value,
) -> Option<&'a mut Query> {
    // SAFETY: the auxiliary data of this function is only ever the `Query` made below, and one row at a time uses it.
    unsafe {
        let kept = api.xGetAuxdata?(fts, 0).cast::<Query>();
        if !kept.is_null() {
            return kept.as_mut();
        }
        let bytes = usize::try_from(ffi::sqlite3_value_bytes(weights)).ok()?;
        let blob = ffi::sqlite3_value_blob(weights).cast::<u8>();
        if blob.is_null() {
            return None;
        }
        let weights: Vec<f64> = std::slice::from_raw_parts(blob, bytes)
            .as_chunks::<8>()
            .0
            .iter()
            .map(|&bytes| f64::from_le_bytes(bytes))
            .collect();
        let (mut rows, mut tokens) = (0, 0);
        let counted = api.xRowCount?(fts, &raw mut rows) == ffi::SQLITE_OK
            && api.xColumnTotalSize?(fts, -1, &raw mut tokens) == ffi::SQLITE_OK;
        if !counted {
            return None;
        }
        let average_length = (tokens as f64 / rows.max(1) as f64).max(1.0);
        let query = Box::new(Query { average_length, frequencies: vec![0.0; weights.len()], weights });
        let query = Box::into_raw(query);
        // On failure FTS5 has already dropped it.
        if api.xSetAuxdata?(fts, query.cast::<c_void>(), Some(drop_query)) != ffi::SQLITE_OK {
            return None;
        }
        query.as_mut()
    }
}

unsafe fn score_row(
    api: &ffi::Fts5ExtensionApi,
    fts: *mut ffi::Fts5Context,
    query: &mut Query,
) -> std::result::Result<f64, c_int> {
    let (Some(instances), Some(instance), Some(size)) = (api.xInstCount, api.xInst, api.xColumnSize) else {
        return Err(ffi::SQLITE_MISUSE);
    };
    query.frequencies.fill(0.0);
    let (mut count, mut length) = (0, 0);
    // SAFETY: `fts` stands on a matching row, and all addresses are of local variables.
    unsafe {
        check(instances(fts, &raw mut count))?;
        check(size(fts, -1, &raw mut length))?;
        for index in 0..count {
            let (mut phrase, mut column, mut offset) = (0, 0, 0);
            check(instance(fts, index, &raw mut phrase, &raw mut column, &raw mut offset))?;
            if let Some(frequency) = usize::try_from(phrase).ok().and_then(|p| query.frequencies.get_mut(p)) {
                *frequency += 1.0;
            }
        }
    }
    let norm = K1 * (1.0 - B + B * f64::from(length) / query.average_length);
    Ok(query.weights.iter().zip(&query.frequencies).map(|(w, f)| w * (f * (K1 + 1.0)) / (f + norm)).sum())
}

/// Which phrases of the expression the current row holds: bit `n` for phrase `n`.
unsafe extern "C" fn matched_phrases(
    api: *const ffi::Fts5ExtensionApi,
    fts: *mut ffi::Fts5Context,
    context: *mut ffi::sqlite3_context,
    _count: c_int,
    _arguments: *mut *mut ffi::sqlite3_value,
) {
    // SAFETY: FTS5 calls with a valid interface and a cursor on a matching row.
    unsafe {
        let Some((instances, instance)) = api.as_ref().and_then(|api| Some((api.xInstCount?, api.xInst?)))
        else {
            return ffi::sqlite3_result_error_code(context, ffi::SQLITE_MISUSE);
        };
        let (mut count, mut bits) = (0, 0_i64);
        if let Err(status) = check(instances(fts, &raw mut count)) {
            return ffi::sqlite3_result_error_code(context, status);
        }
        for index in 0..count {
            let (mut phrase, mut column, mut offset) = (0, 0, 0);
            if let Err(status) =
                check(instance(fts, index, &raw mut phrase, &raw mut column, &raw mut offset))
            {
                return ffi::sqlite3_result_error_code(context, status);
            }
            bits |= u32::try_from(phrase).ok().and_then(|p| 1_i64.checked_shl(p)).unwrap_or(0);
        }
        ffi::sqlite3_result_int64(context, bits);
    }
}

fn check(status: c_int) -> std::result::Result<(), c_int> {
    if status == ffi::SQLITE_OK { Ok(()) } else { Err(status) }
}
