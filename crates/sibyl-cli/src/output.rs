//! Answers as text.

use serde_json::Value;
use sibyl_api::{cited, cited_page};
use std::fmt::{Arguments, Write as _};
use std::io::{ErrorKind, Write as _};

/// The exit code a shell shows for a program that SIGPIPE ended (128 + 13).
const BROKEN_PIPE: i32 = 141;

/// Writes `answer` to standard output. Where its reader has gone (`sibyl documents | head`) the program ends at
/// once and quietly, as Unix tools do.
pub fn say(answer: &str) {
    let mut out = std::io::stdout().lock();
    let Err(error) = out.write_all(answer.as_bytes()).and_then(|()| out.flush()) else { return };
    if error.kind() == ErrorKind::BrokenPipe {
        std::process::exit(BROKEN_PIPE);
    }
    tell(format_args!("sibyl: the answer cannot be written ({error}); check where standard output goes"));
    std::process::exit(1);
}

/// Writes a line to standard error. Where nobody reads it the work continues.
pub fn tell(line: Arguments<'_>) {
    let _ = writeln!(std::io::stderr().lock(), "{line}");
}

/// The string at `path` (keys with dots), or empty.
pub fn text<'a>(value: &'a Value, path: &str) -> &'a str {
    at(value, path).as_str().unwrap_or_default()
}

/// The number at `path`, or 0.
pub fn number(value: &Value, path: &str) -> f64 {
    at(value, path).as_f64().unwrap_or_default()
}

/// The list at `path`, or none.
pub fn list<'a>(value: &'a Value, path: &str) -> &'a [Value] {
    at(value, path).as_array().map(Vec::as_slice).unwrap_or_default()
}

/// The pages that `value` stands on as they are cited, such as `12 (iv)`.
pub fn pages(value: &Value) -> Option<String> {
    let pages: (u32, u32) = serde_json::from_value(value["pages"].clone()).ok()?;
    let labels: Option<(String, String)> = serde_json::from_value(value["page_labels"].clone()).ok()?;
    Some(cited(pages, labels.as_ref(), "–"))
}

/// The page that `value` names as it is cited, such as `12 (iv)`.
pub fn page(value: &Value) -> Option<String> {
    let page = value["page"].as_u64().and_then(|page| u32::try_from(page).ok())?;
    Some(cited_page(page, value["page_label"].as_str()))
}

fn at<'a>(value: &'a Value, path: &str) -> &'a Value {
    path.split('.').fold(value, |value, key| &value[key])
}

/// Rows under a header, each column as wide as its widest cell; columns named in `right` are set flush right.
pub fn table(header: &[&str], right: &[usize], rows: &[Vec<String>]) -> String {
    let mut widths: Vec<usize> = header.iter().map(|cell| cell.chars().count()).collect();
    for row in rows {
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
    for row in rows {
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

/// How sure OCR was of what it read of a chunk or document, in brackets behind a space; nothing where it read none of it.
pub fn read_by_ocr(ocr: &Value) -> String {
    ocr["confidence"].as_u64().map(|of| format!(" {}", sibyl_api::read_by_ocr(of))).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_line_up() {
        let rows = [vec!["a".to_owned(), "10".to_owned()], vec!["long".to_owned(), "5".to_owned()]];
        assert_eq!(table(&["name", "n"], &[1], &rows), "name   n\na     10\nlong   5\n");
    }

    #[test]
    fn a_line_is_cut_at_characters() {
        assert_eq!(one_line("åäö\n  x", 10), "åäö x");
        assert_eq!(one_line("åäöåäö", 4), "åäö…");
    }
}
