//! Separated values: one table in plain text.

use super::Sheet;
use crate::document::{Document, Notice, Severity};
use crate::format::write::Writer;
use crate::format::{Format, Input, encoding};
use ::csv::ReaderBuilder;
use serde_json::Map;

/// Signs that may separate values, the likeliest first.
const SEPARATORS: [u8; 4] = [b',', b';', b'\t', b'|'];
/// Rows at the start of a file that tell which sign separates its values.
const HEAD: usize = 100;

/// Separated values.
#[derive(Debug, Clone, Copy, Default)]
pub struct Csv;

impl Format for Csv {
    fn name(&self) -> &'static str {
        "csv"
    }
    fn version(&self) -> u32 {
        1
    }
    fn extensions(&self) -> &'static [&'static str] {
        &["csv", "tsv"]
    }
    fn recognises(&self, input: &Input<'_>) -> bool {
        let named = self.extensions().contains(&input.extension().as_str());
        named && encoding::binary_kind(input.bytes).is_none()
    }
    fn read(&self, input: &Input<'_>) -> Document {
        let encoding::Decoded { text, mut notices, .. } = match encoding::decode(input.bytes) {
            Ok(decoded) => decoded,
            Err(refused) => return *refused,
        };
        let separator = if input.extension() == "tsv" { b'\t' } else { separator(&text) };
        let mut reader = ReaderBuilder::new()
            .has_headers(false)
            .flexible(true)
            .delimiter(separator)
            .from_reader(text.as_bytes());
        let mut sheet = Sheet::default();
        let mut unread = 0;
        for (row, record) in (0_u32..).zip(reader.records()) {
            match record {
                Ok(record) => (0_u32..).zip(&record).for_each(|(column, text)| sheet.set(row, column, text)),
                Err(_) => unread += 1,
            }
        }
        if unread > 0 {
            let message = format!("{unread} rows could not be read as separated values and were left out");
            notices.push(Notice::new(Severity::Warning, "rows_unread", message));
        }
        let name = input.name.rsplit_once('.').map_or(input.name, |(stem, _)| stem);
        let mut out = Writer::default();
        super::write(&mut out, name, &sheet);
        out.finish(Some(name.to_owned()), Map::new(), notices)
    }
}

/// The sign that separates most lines into the same number of values.
fn separator(text: &str) -> u8 {
    let agreement = |separator: u8| {
        let mut reader = ReaderBuilder::new()
            .has_headers(false)
            .flexible(true)
            .delimiter(separator)
            .from_reader(text.as_bytes());
        let widths: Vec<usize> =
            reader.records().take(HEAD).filter_map(Result::ok).map(|record| record.len()).collect();
        let most = |width: &usize| widths.iter().filter(|other| *other == width).count();
        widths.iter().filter(|width| **width > 1).map(most).max().unwrap_or(0)
    };
    // Of equal ones the first.
    SEPARATORS.into_iter().rev().max_by_key(|separator| agreement(*separator)).unwrap_or(b',')
}
