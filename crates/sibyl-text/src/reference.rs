//! References in running text: paragraph ids, metric codes, statute numbers.
//!
//! A new kind of reference is one file here and one line in [`DETECTORS`].

pub(crate) mod cursor;
pub mod ifrs;
pub mod sasb;
pub mod sfs;

use crate::document::Span;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A reference found in a text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Reference {
    /// Name of the detector, such as `ifrs`.
    pub detector: String,
    /// Where it is in the text (bytes).
    pub span: Span,
    /// The ids it names, canonical and in order; a range names each of its members.
    pub ids: Vec<String>,
    /// Whether it was written as a range.
    pub range: bool,
}

/// Finds one kind of reference.
pub trait Detector: Sync {
    /// Stable name.
    fn name(&self) -> &'static str;
    /// All references in `text`, in order, without overlaps.
    fn detect(&self, text: &str) -> Vec<Reference>;
}

/// Every detector there is. If two find the same words, the earlier one keeps them.
pub static DETECTORS: &[&dyn Detector] = &[&ifrs::Ifrs, &sasb::Sasb, &sfs::Sfs];

/// All references in `text` that one of [`DETECTORS`] finds, in order, none inside another.
pub fn detect(text: &str) -> Vec<Reference> {
    detect_with([], text)
}

/// As [`detect`], with detectors of standards: theirs come first, each once.
pub(crate) fn detect_with(
    first: impl IntoIterator<Item = &'static dyn Detector>,
    text: &str,
) -> Vec<Reference> {
    let mut found: Vec<Reference> = Vec::new();
    let mut asked: Vec<&str> = Vec::new();
    for detector in first.into_iter().chain(DETECTORS.iter().copied()) {
        if asked.contains(&detector.name()) {
            continue;
        }
        asked.push(detector.name());
        let mut more = detector.detect(text);
        more.retain(|reference| {
            let next = found.partition_point(|other| other.span.end <= reference.span.start);
            found.get(next).is_none_or(|other| !other.span.overlaps(reference.span))
        });
        found.append(&mut more);
        found.sort_by_key(|r| r.span);
    }
    found
}
