//! Answers as text.

use serde::Serialize;
use serde_json::{Map, Value, json};
use sibyl_api::metadata;
use std::fmt::{Arguments, Write as _};
use std::io::{ErrorKind, Write as _};

/// The exit code a shell shows for a program that SIGPIPE ended (128 + 13).
const BROKEN_PIPE: i32 = 141;

/// Writes `answer` to standard output. If its reader has gone (`sibyl documents | head`), the program ends at once
/// and quietly, as Unix tools do.
pub fn say(answer: &str) {
    let mut out = std::io::stdout().lock();
    let Err(error) = out.write_all(answer.as_bytes()).and_then(|()| out.flush()) else { return };
    if error.kind() == ErrorKind::BrokenPipe {
        std::process::exit(BROKEN_PIPE);
    }
    tell(format_args!("sibyl: the answer cannot be written ({error}); check where standard output goes"));
    std::process::exit(1);
}

/// Writes a line to standard error. If nobody reads it, the work continues.
pub fn tell(line: Arguments<'_>) {
    let _ = writeln!(std::io::stderr().lock(), "{line}");
}

/// `value` as text for a cell: as its name or number on the wire.
pub fn cell(value: &impl Serialize) -> String {
    match json!(value) {
        Value::String(text) => text,
        other => other.to_string(),
    }
}

/// Rows under a header, each column as wide as its widest cell; columns in `right` are aligned right.
pub fn table(header: &[&str], right: &[usize], rows: impl IntoIterator<Item = Vec<String>>) -> String {
    let rows: Vec<Vec<String>> = rows.into_iter().collect();
    let mut widths: Vec<usize> = header.iter().map(|cell| cell.chars().count()).collect();
    for row in &rows {
        for (width, cell) in widths.iter_mut().zip(row) {
            *width = (*width).max(cell.chars().count());
        }
    }
    let mut out = String::new();
    let mut line = |cells: &mut dyn Iterator<Item = &str>| {
        let mut row = String::new();
        for (column, (cell, width)) in cells.zip(&widths).enumerate() {
            let gap = width.saturating_sub(cell.chars().count());
            let (before, after) = if right.contains(&column) { (gap, 0) } else { (0, gap) };
            // Writing to a String cannot fail.
            let _ = write!(row, "{}{cell}{}  ", " ".repeat(before), " ".repeat(after));
        }
        out.push_str(row.trim_end());
        out.push('\n');
    };
    line(&mut header.iter().copied());
    for row in &rows {
        line(&mut row.iter().map(String::as_str));
    }
    out
}

/// `text` on one line, cut to `width` characters.
pub fn one_line(text: &str, width: usize) -> String {
    let flat = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if flat.chars().count() <= width {
        return flat;
    }
    let mut cut: String = flat.chars().take(width.saturating_sub(1)).collect();
    cut.push('…');
    cut
}

/// How sure OCR was of what it read of a chunk or document, 0 to 100, in brackets after a space. Empty if it read
/// none of it.
pub fn read_by_ocr(confidence: Option<u8>) -> String {
    confidence.map(|of| format!(" {}", sibyl_api::read_by_ocr(of.into()))).unwrap_or_default()
}

/// The same for a chunk with `metadata`.
pub fn chunk_ocr(metadata: &Map<String, Value>) -> String {
    read_by_ocr(metadata::ocr(metadata).map(|ocr| ocr.confidence))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_line_up() {
        let rows = [vec!["a".to_owned(), "10".to_owned()], vec!["long".to_owned(), "5".to_owned()]];
        assert_eq!(table(&["name", "n"], &[1], rows), "name   n\na     10\nlong   5\n");
    }

    #[test]
    fn a_line_is_cut_at_characters() {
        assert_eq!(one_line("åäö\n  x", 10), "åäö x");
        assert_eq!(one_line("åäöåäö", 4), "åäö…");
    }
}
