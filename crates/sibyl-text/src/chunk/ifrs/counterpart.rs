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
        "the mapping is not JSON of the form {{\"mappings\": [{{\"s2_paragraphs\", \"s1_paragraphs\"}}]}}: {0}"
    )]
    Json(#[from] serde_json::Error),
    /// A field that names no paragraphs.
    #[error("expected paragraphs such as `S2.5-7` in the mapping, not `{0}`")]
    Paragraphs(String),
}

/// The table as written, with ids in their canonical form.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Mapping {
    /// Rows of paragraphs.
    pub rows: Vec<MappingRow>,
    /// Pairs of items: of S2 and of S1. A side is missing where the other standard has nothing of the kind.
    pub pairs: Vec<(Option<String>, Option<String>)>,
}

/// Paragraphs of S2 and the paragraphs of S1 that answer to them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MappingRow {
    /// Paragraphs of S2, each by itself.
    pub s2: Vec<String>,
    /// Paragraphs of S1, each by itself.
    pub s1: Vec<String>,
}

/// Reads `s1_s2_mapping.json`.
///
/// # Errors
/// [`MappingError`] where the bytes are not JSON of that schema or a field names no paragraphs.
pub fn mapping(json: &[u8]) -> Result<Mapping, MappingError> {
    let table: Table = serde_json::from_slice(json)?;
    let row = |row: Row| {
        Ok(MappingRow { s2: paragraphs(&row.s2_paragraphs)?, s1: paragraphs(&row.s1_paragraphs)? })
    };
    let pair =
        |pair: Pair| Ok((pair.s2.as_deref().map(id).transpose()?, pair.s1.as_deref().map(id).transpose()?));
    Ok(Mapping {
        rows: table.mappings.into_iter().map(row).collect::<Result<_, MappingError>>()?,
        pairs: table.item_pairs.into_iter().map(pair).collect::<Result<_, MappingError>>()?,
    })
}

/// Reads `s1_s2_mapping.json` into a map from S2 paragraph or item to the S1 one that answers to it.
///
/// If both sides of a range have the same length, it is paired paragraph by paragraph. Otherwise each S2 paragraph
/// gets the whole S1 range, such as `S1.26-27`. The S2 range itself is a key too. Pairs of items, if the file has
/// them, take precedence over the ranges.
///
/// # Errors
/// As [`mapping`].
pub fn counterparts(json: &[u8]) -> Result<BTreeMap<String, String>, MappingError> {
    let table = mapping(json)?;
    let mut map = BTreeMap::new();
    for MappingRow { s2, s1 } in table.rows {
        let whole = range(&s1);
        for (n, id) in s2.iter().enumerate() {
            let counterpart = if s1.len() == s2.len() { &s1[n] } else { &whole };
            map.insert(id.clone(), counterpart.clone());
        }
        map.insert(range(&s2), whole);
    }
    for pair in table.pairs {
        if let (Some(s2), Some(s1)) = pair {
            map.insert(s2, s1);
        }
    }
    Ok(map)
}

/// The counterpart of `id`: its own, else that of the nearest item or paragraph around it.
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

fn id(text: &str) -> Result<String, MappingError> {
    read(text).map(|o| o.id).ok_or_else(|| MappingError::Paragraphs(text.to_owned()))
}

/// `S1.26-27` for a list of ids in order.
pub fn range(ids: &[String]) -> String {
    match ids {
        [first, .., last] => {
            format!("{first}-{}", last.split_once('.').map_or(last.as_str(), |(_, number)| number))
        }
        _ => ids.concat(),
    }
}
