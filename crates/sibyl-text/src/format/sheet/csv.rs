//! Separated values: one table in plain text.

use super::Sheet;
use crate::document::{Document, Notice, Severity};
use crate::format::builder::DocumentBuilder;
use crate::format::{Format, Input, encoding};
use ::csv::ReaderBuilder;
use serde_json::Map;

/// Signs that may separate values. Where several divide all lines alike the first does: a semicolon stands beside commas
/// that are decimal ones.
const SEPARATORS: [u8; 4] = [b';', b'\t', b'|', b','];
/// Rows at the start of a file that tell which sign separates its values.
const HEAD: usize = 100;

/// Separated values.
#[derive(Debug, Clone, Copy, Default)]
pub struct Csv;

impl Format for Csv {
    fn name(&self) -> &'static str {
        "csv"
    }
    fn label(&self) -> &'static str {
        "CSV"
    }
    fn version(&self) -> u32 {
        8
    }
    fn extensions(&self) -> &'static [&'static str] {
        &["csv", "tsv"]
    }
    fn recognises(&self, input: &Input<'_>) -> bool {
        let named = self.extensions().contains(&input.extension().as_str());
        named && encoding::binary_kind(input.bytes).is_none()
    }
    fn parse(&self, input: &Input<'_>, _: &[String]) -> Document {
        let encoding::Decoded { text, mut notices, .. } = match encoding::decode(input.bytes) {
            Ok(decoded) => decoded,
            Err(refused) => return *refused,
        };
        let (told, text) = told_separator(&text);
        let tabs = input.extension() == "tsv";
        let separator = told.unwrap_or_else(|| if tabs { b'\t' } else { separator(text) });
        let mut reader = ReaderBuilder::new()
            .has_headers(false)
            .flexible(true)
            .delimiter(separator)
            .from_reader(text.as_bytes());
        let mut sheet = Sheet::default();
        let (mut unread, mut row) = (0, 0_u32);
        for record in reader.records() {
            let Ok(record) = record else {
                unread += 1;
                continue;
            };
            // The reader passes over blank lines, which part tables.
            let start = record.position().map_or(0, |place| place.byte());
            let blank = usize::try_from(start)
                .is_ok_and(|at| text.get(at..).is_some_and(|rest| rest.starts_with('\n')));
            row = row.saturating_add(u32::from(blank));
            (0_u32..).zip(&record).for_each(|(column, value)| sheet.set(row, column, value));
            row = row.saturating_add(1);
        }
        if unread > 0 {
            let message = format!("{unread} rows could not be read as separated values and were left out");
            notices.push(Notice::new(Severity::Warning, "rows_unread", message));
        }
        let name = input.name.rsplit_once('.').map_or(input.name, |(stem, _)| stem);
        let mut out = DocumentBuilder::default();
        super::write(&mut out, name, &sheet);
        out.finish(Some(name.to_owned()), Map::new(), notices)
    }
}

/// The separator that the first line states, as Excel understands it (`sep=;`), and the lines with the values.
fn told_separator(text: &str) -> (Option<u8>, &str) {
    let (first, rest) = text.split_once('\n').unwrap_or((text, ""));
    match first.trim().strip_prefix("sep=").map(str::as_bytes) {
        Some([sign]) => (Some(*sign), rest),
        _ => (None, text),
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
