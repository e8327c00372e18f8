//! The characters of a page: as its byte order mark or its own declaration says, else as text is read anywhere.

use crate::document::{Document, Notice, Severity};
use crate::format::encoding;
use encoding_rs::{Encoding, UTF_8, UTF_16BE, UTF_16LE};

/// Bytes at the start of a page in which its declaration may stand.
const HEAD: usize = 4096;

/// Decodes a page.
///
/// # Errors
/// A document without text that says what the file is instead of text.
pub(super) fn decode(bytes: &[u8]) -> Result<(String, Vec<Notice>), Box<Document>> {
    let declared = declared(&bytes[..bytes.len().min(HEAD)]);
    let foreign = declared.filter(|encoding| ![UTF_8, UTF_16BE, UTF_16LE].contains(encoding));
    let marked = Encoding::for_bom(bytes).is_some() || encoding::binary_kind(bytes).is_some();
    let Some(encoding) = foreign.filter(|_| !marked && std::str::from_utf8(bytes).is_err()) else {
        let decoded = encoding::decode(bytes)?;
        return Ok((decoded.text, decoded.notices));
    };
    let (text, broken) = encoding.decode_without_bom_handling(bytes);
    let notices = broken.then(|| {
        let message = format!(
            "the page declares the encoding {}, but some bytes are not characters in it and were replaced by U+FFFD; \
             check the places marked \u{FFFD} against the source",
            encoding.name()
        );
        Notice::new(Severity::Warning, "bytes_replaced", message)
    });
    Ok((text.replace("\r\n", "\n").replace('\r', "\n"), notices.into_iter().collect()))
}

/// The encoding that `<meta charset>`, `<meta http-equiv>` or the XML declaration names.
fn declared(head: &[u8]) -> Option<&'static Encoding> {
    let head = head.to_ascii_lowercase();
    [b"charset=".as_slice(), b"encoding="].iter().find_map(|key| {
        let at = memchr::memmem::find(&head, key)? + key.len();
        let value = head[at..].trim_ascii_start();
        let value = value.strip_prefix(b"\"").or_else(|| value.strip_prefix(b"'")).unwrap_or(value);
        let end = value.iter().position(|b| b"\"' />;?".contains(b))?;
        Encoding::for_label(&value[..end])
    })
}
