//! Files that are not what their names say. A `.pdf` that begins like no PDF is damaged or was renamed. What could be
//! made of its bytes would be a text that nobody wrote.

use super::encoding;
use super::{Input, pdf};
use crate::document::{Notice, Severity};

/// A kind of file that its name promises.
struct PromisedFormat {
    extensions: &'static [&'static str],
    /// As it stands in a sentence.
    name: &'static str,
    /// How such a file begins, in words.
    beginning: &'static str,
    begins: fn(&[u8]) -> bool,
}

/// Kinds of files that no text can be taken for and that no format here refuses by itself.
const KINDS: &[PromisedFormat] = &[
    PromisedFormat { extensions: &["pdf"], name: "a PDF file", beginning: "%PDF-", begins: pdf::begins },
    PromisedFormat {
        extensions: &["odp"],
        name: "an OpenDocument presentation",
        beginning: "the mark of a ZIP archive (PK)",
        begins: |bytes| bytes.starts_with(b"PK\x03\x04"),
    },
    PromisedFormat {
        extensions: &["doc", "xls", "ppt"],
        name: "an old Office file",
        beginning: "the mark of a compound file (D0 CF 11 E0)",
        begins: |bytes| bytes.starts_with(b"\xD0\xCF\x11\xE0"),
    },
    PromisedFormat {
        extensions: &["rtf"],
        name: "a Rich Text file",
        beginning: "{\\rtf",
        begins: |bytes| bytes.starts_with(b"{\\rtf"),
    },
];

/// Why `input` is not read: its name promises another kind of file than its bytes are. Parsed text that came with page
/// metadata may be called like the file it was parsed from.
pub(super) fn misnamed(input: &Input<'_>) -> Option<Notice> {
    let extension = input.extension();
    let kind = KINDS.iter().find(|kind| kind.extensions.contains(&extension.as_str()))?;
    if input.page_metadata.is_some() || (kind.begins)(input.bytes) {
        return None;
    }
    let came = match encoding::binary_kind(input.bytes) {
        Some(other) => other,
        None if input.bytes.is_empty() => "an empty file",
        None => "text",
    };
    let message = format!(
        "expected {}, which begins with {}, because the name ends in .{extension}; found {came}: save the original \
         again, or rename the file to match its content",
        kind.name, kind.beginning
    );
    Some(Notice::new(Severity::Error, "wrong_kind", message))
}
