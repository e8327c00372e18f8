//! The table that pairs paragraphs of IFRS S2 with those of IFRS S1.

use crate::chunk::ifrs::line::{Opening, explicit};
use crate::reference::ifrs::parent;
use serde::Deserialize;
use std::collections::BTreeMap;

#[derive(Deserialize)]
struct Table {
    mappings: Vec<Row>,
    #[serde(default)]
    item_pairs: Vec<Pair>,
}

#[derive(Deserialize)]
struct Row {
    s2_paragraphs: String,
    s1_paragraphs: String,
}

#[derive(Deserialize)]
struct Pair {
    s2: Option<String>,
    s1: Option<String>,
}

/// A mapping file that cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum MappingError {
    /// Not JSON, or not of the schema.
    #[error(
        "the mapping is no JSON of the form {{\"mappings\": [{{\"s2_paragraphs\", \"s1_paragraphs\"}}]}}: {0}"
    )]
    Json(#[from] serde_json::Error),
    /// A field that names no paragraphs.
    #[error("expected paragraphs such as `S2.5-7` in the mapping, not `{0}`")]
    Paragraphs(String),
}

/// Reads `s1_s2_mapping.json` into a map from S2 paragraph or item to the S1 one that answers to it.
///
/// A range is paired paragraph by paragraph where both sides are of one length; otherwise each S2 paragraph
/// gets the whole S1 range, such as `S1.26-27`. The S2 range itself is a key too. Pairs of items, where the
/// file has them, stand above the ranges.
///
/// # Errors
/// [`MappingError`] where the bytes are not JSON of that schema or a field names no paragraphs.
pub fn counterparts(json: &[u8]) -> Result<BTreeMap<String, String>, MappingError> {
    let table: Table = serde_json::from_slice(json)?;
    let mut map = BTreeMap::new();
    for row in table.mappings {
        let (s2, s1) = (paragraphs(&row.s2_paragraphs)?, paragraphs(&row.s1_paragraphs)?);
        let whole = canonical(&s1);
        for (n, id) in s2.iter().enumerate() {
            let counterpart = if s1.len() == s2.len() { &s1[n] } else { &whole };
            map.insert(id.clone(), counterpart.clone());
        }
        map.insert(canonical(&s2), whole);
    }
    for pair in table.item_pairs {
        if let (Some(s2), Some(s1)) = (pair.s2, pair.s1) {
            let id = |text: &str| {
                read(text).map(|o| o.id).ok_or_else(|| MappingError::Paragraphs(text.to_owned()))
            };
            map.insert(id(&s2)?, id(&s1)?);
        }
    }
    Ok(map)
}

/// The counterpart of `id`: its own, else that of the nearest item or paragraph it lies in.
pub(super) fn of(map: &BTreeMap<String, String>, id: &str) -> Option<String> {
    let mut at = Some(id);
    while let Some(id) = at {
        if let Some(found) = map.get(id) {
            return Some(found.clone());
        }
        at = parent(id);
    }
    None
}

fn read(text: &str) -> Option<Opening> {
    let text = text.trim();
    explicit(text, 0).filter(|o| o.rest == text.len())
}

fn paragraphs(text: &str) -> Result<Vec<String>, MappingError> {
    let refused = || MappingError::Paragraphs(text.to_owned());
    let opening = read(text).ok_or_else(refused)?;
    match (opening.number, opening.last) {
        (Some(first), Some(last)) => {
            let numbers = first.up_to(last).ok_or_else(refused)?;
            Ok(numbers.into_iter().map(|n| format!("{}.{n}", opening.standard.code())).collect())
        }
        _ => Ok(vec![opening.id]),
    }
}

/// `S1.26-27` for a list of ids in order.
fn canonical(ids: &[String]) -> String {
    match ids {
        [first, .., last] => {
            format!("{first}-{}", last.split_once('.').map_or(last.as_str(), |(_, number)| number))
        }
        _ => ids.concat(),
    }
}
