//! Plain text: paragraphs between blank lines.

use super::{Format, Input, encoding, markdown, misnamed};
use crate::document::{Document, Span};

/// Reads plain text, and whatever no other format recognises: a file that is no text becomes a notice.
pub struct Plain;

impl Format for Plain {
    fn name(&self) -> &'static str {
        "plain"
    }
    fn label(&self) -> &'static str {
        "plain text"
    }
    fn version(&self) -> u32 {
        4
    }
    fn extensions(&self) -> &'static [&'static str] {
        &["txt", "text"]
    }
    fn recognises(&self, _input: &Input<'_>) -> bool {
        true
    }
    fn parse(&self, input: &Input<'_>, _: &[String]) -> Document {
        if let Some(notice) = misnamed::misnamed(input) {
            return Document { notices: vec![notice], ..Document::default() };
        }
        let encoding::Decoded { text, segments, mut notices } = match encoding::decode(input.bytes) {
            Ok(decoded) => decoded,
            Err(refused) => return *refused,
        };
        if text.trim().is_empty() {
            notices.push(super::empty_notice());
        }
        let mut blocks = Vec::new();
        markdown::push_paragraphs(&mut blocks, &text, 0, text.len());
        Document { body: Span::new(0, text.len()), text, blocks, segments, notices, ..Document::default() }
    }
}
