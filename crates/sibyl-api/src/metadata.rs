//! The parts of a chunk's metadata that doors read. Its fields are those of the strategy that made the chunk.

use serde::Deserialize as _;
use serde_json::{Map, Value};
use sibyl_engine::answer::OcrReading;
use sibyl_engine::search::LicensedCopy;
use sibyl_engine::store::table::chunk::OCR;

/// Text of the first of the fields `names` that has one.
pub fn first<'a>(metadata: &'a Map<String, Value>, names: &[&str]) -> Option<&'a str> {
    names.iter().filter_map(|name| metadata.get(*name)?.as_str()).find(|text| !text.is_empty())
}

/// The name by which the chunk is cited: its paragraph id or topic code.
pub fn cited_as(metadata: &Map<String, Value>) -> Option<&str> {
    first(metadata, &["paragraph_id", "topic_code"])
}

/// What OCR read of the chunk, if it read any of it.
pub fn ocr(metadata: &Map<String, Value>) -> Option<OcrReading> {
    OcrReading::deserialize(metadata.get(OCR)?).ok()
}

/// The user's own licensed copies of the paragraph that the chunk explains.
pub fn licensed(metadata: &Map<String, Value>) -> Vec<LicensedCopy> {
    let copies = metadata.get(LicensedCopy::FIELD).map(Vec::deserialize);
    copies.and_then(Result::ok).unwrap_or_default()
}
