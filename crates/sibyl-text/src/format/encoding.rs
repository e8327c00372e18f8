//! Bytes become text: the encoding is recognised or guessed (and said), line ends become LF, binary is refused.

use crate::document::{Document, Notice, Segment, Severity, Span};
use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};

/// Shortest stretch of source (bytes) that gets a segment of its own; stretches end at line ends.
const SEGMENT_BYTES: usize = 1024;
/// How much of a file's head (bytes) decides guesses.
const HEAD: usize = 8192;
/// How much of a file (bytes) decides in which old encoding it is.
const DETECTED: usize = 4 << 20;
/// How much of a file's head (bytes) is looked at for control characters.
const SAMPLE: usize = 512;

/// Decoded text with its way back to the source.
#[derive(Debug, Default)]
pub(crate) struct Decoded {
    /// UTF-8 with LF only and without NUL.
    pub text: String,
    /// Where stretches of the text stood in the source; empty where text and source are the same bytes.
    pub segments: Vec<Segment>,
    /// What was guessed or mended.
    pub notices: Vec<Notice>,
}

/// Decodes `bytes`.
///
/// # Errors
/// A document without text, whose only notice says what the file is instead of text.
pub(crate) fn decode(bytes: &[u8]) -> Result<Decoded, Box<Document>> {
    if let Some(kind) = binary_kind(bytes) {
        let notice = Notice::new(
            Severity::Error,
            "not_text",
            format!(
                "expected text, found {kind}; convert it to PDF, Word, HTML, Markdown or plain text and ingest that"
            ),
        );
        return Err(Box::new(Document { notices: vec![notice], ..Document::default() }));
    }
    let mended = memchr::memchr2(0, b'\r', bytes).is_some() || bytes.starts_with(b"\xEF\xBB\xBF");
    if !mended
        && !is_iso_2022_jp(bytes)
        && let Ok(text) = std::str::from_utf8(bytes)
    {
        return Ok(Decoded { text: text.to_owned(), ..Decoded::default() });
    }
    let mut notices = Vec::new();
    let (encoding, start) = recognise(bytes, &mut notices);
    Ok(decode_lines(bytes, start, encoding, notices))
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Encoding {
    Utf8,
    Utf16 {
        little: bool,
    },
    /// One of the times before Unicode.
    Legacy(&'static encoding_rs::Encoding),
}

/// The encoding and the first byte after a byte order mark.
fn recognise(bytes: &[u8], notices: &mut Vec<Notice>) -> (Encoding, usize) {
    match bytes {
        [0xEF, 0xBB, 0xBF, ..] => return (Encoding::Utf8, 3),
        [0xFF, 0xFE, ..] => return (Encoding::Utf16 { little: true }, 2),
        [0xFE, 0xFF, ..] => return (Encoding::Utf16 { little: false }, 2),
        _ => {}
    }
    if let Some(little) = utf16_without_mark(bytes) {
        let order = if little { "little" } else { "big" };
        notices.push(Notice::new(
            Severity::Info,
            "encoding_guessed",
            format!(
                "no byte order mark; every second byte is empty, so the file was read as UTF-16 ({order} endian)"
            ),
        ));
        return (Encoding::Utf16 { little }, 0);
    }
    let switched = is_iso_2022_jp(bytes);
    if !switched && mostly_utf8(bytes) {
        return (Encoding::Utf8, 0);
    }
    let encoding = if switched { encoding_rs::ISO_2022_JP } else { detected(bytes) };
    notices.push(Notice::new(
        Severity::Info,
        "encoding_guessed",
        format!(
            "expected UTF-8, found another encoding; read as {}. Save the file as UTF-8 if letters look wrong",
            encoding.name()
        ),
    ));
    (Encoding::Legacy(encoding), 0)
}

/// The encoding that the letters of a text are most likely in; Windows-1252 where nothing speaks for another.
fn detected(bytes: &[u8]) -> &'static encoding_rs::Encoding {
    let mut detector = EncodingDetector::new(Iso2022JpDetection::Allow);
    detector.feed(&bytes[..bytes.len().min(DETECTED)], bytes.len() <= DETECTED);
    detector.guess(None, Utf8Detection::Deny)
}

/// Whether a text in ASCII switches to Japanese letters and back by its escape sequences (RFC 1468).
fn is_iso_2022_jp(bytes: &[u8]) -> bool {
    const TO_KANJI: [&[u8]; 2] = [b"\x1B$B", b"\x1B$@"];
    if memchr::memchr(0x1B, bytes).is_none() || !bytes.is_ascii() {
        return false;
    }
    let switches = TO_KANJI.iter().any(|sequence| memchr::memmem::find(bytes, sequence).is_some());
    switches && !encoding_rs::ISO_2022_JP.decode_without_bom_handling(bytes).1
}

/// Whether one byte of every pair is nearly always NUL; `Some(true)` for little endian.
fn utf16_without_mark(bytes: &[u8]) -> Option<bool> {
    let head = &bytes[..bytes.len().min(HEAD) & !1];
    memchr::memchr(0, head)?;
    let pairs = head.len() / 2;
    let high = head.iter().step_by(2).filter(|&&b| b == 0).count();
    let low = head.iter().skip(1).step_by(2).filter(|&&b| b == 0).count();
    match pairs {
        0..=1 => None,
        _ if low * 10 >= pairs * 7 && high * 10 <= pairs => Some(true),
        _ if high * 10 >= pairs * 7 && low * 10 <= pairs => Some(false),
        _ => None,
    }
}

/// Whether well-formed multi-byte sequences outnumber broken ones (all of it, where none is broken).
fn mostly_utf8(bytes: &[u8]) -> bool {
    // Most texts are, and this is many times faster.
    if std::str::from_utf8(bytes).is_ok() {
        return true;
    }
    let (mut good, mut broken) = (0_usize, 0_usize);
    for chunk in bytes.utf8_chunks() {
        good += chunk.valid().chars().filter(|c| !c.is_ascii()).count();
        broken += usize::from(!chunk.invalid().is_empty());
    }
    good > broken
}

fn decode_lines(bytes: &[u8], start: usize, encoding: Encoding, notices: Vec<Notice>) -> Decoded {
    let mut out = Decoded { text: String::with_capacity(bytes.len()), segments: Vec::new(), notices };
    let mut at = start;
    let (mut stretch_source, mut stretch_text) = (start, 0);
    let (mut line, mut mended, mut nul) = (1_u32, None, 0_usize);
    while at < bytes.len() {
        let (end, next) = line_end(bytes, at, encoding);
        let before = out.text.len();
        let whole = decode_into(&bytes[at..end], encoding, &mut out.text);
        if !whole && mended.is_none() {
            mended = Some(line);
        }
        if memchr::memchr(0, &out.text.as_bytes()[before..]).is_some() {
            let clean: String = out.text[before..].chars().filter(|&c| c != '\0').collect();
            nul += out.text.len() - before - clean.len();
            out.text.truncate(before);
            out.text.push_str(&clean);
        }
        if next > end {
            out.text.push('\n');
        }
        line = line.saturating_add(1);
        at = next;
        if at - stretch_source >= SEGMENT_BYTES || at >= bytes.len() {
            out.segments.push(Segment {
                span: Span::new(stretch_text, out.text.len()),
                source: Some(Span::new(stretch_source, at)),
                page: None,
                rect: None,
            });
            (stretch_source, stretch_text) = (at, out.text.len());
        }
    }
    if let Some(line) = mended {
        let message = "some bytes are not characters in the file's encoding and were replaced by U+FFFD; check the \
                       places marked \u{FFFD} against the source";
        out.notices.push(Notice::new(Severity::Warning, "bytes_replaced", message).at_line(line));
    }
    if nul > 0 {
        let message = format!("{nul} NUL characters were left out");
        out.notices.push(Notice::new(Severity::Info, "nul_removed", message));
    }
    out
}

/// End of the line that starts at `at`, and the start of the next one.
fn line_end(bytes: &[u8], at: usize, encoding: Encoding) -> (usize, usize) {
    let Encoding::Utf16 { little } = encoding else {
        let Some(end) = memchr::memchr2(b'\n', b'\r', &bytes[at..]).map(|i| at + i) else {
            return (bytes.len(), bytes.len());
        };
        let pair = bytes[end] == b'\r' && bytes.get(end + 1) == Some(&b'\n');
        return (end, end + 1 + usize::from(pair));
    };
    let unit = |i: usize| -> Option<u16> {
        let pair = [*bytes.get(i)?, *bytes.get(i + 1)?];
        Some(if little { u16::from_le_bytes(pair) } else { u16::from_be_bytes(pair) })
    };
    let mut end = at;
    while let Some(value) = unit(end) {
        match value {
            0x0A => return (end, end + 2),
            0x0D if unit(end + 2) == Some(0x0A) => return (end, end + 4),
            0x0D => return (end, end + 2),
            _ => end += 2,
        }
    }
    (bytes.len(), bytes.len())
}

/// Appends the decoded `line`; false where something had to be replaced.
fn decode_into(line: &[u8], encoding: Encoding, out: &mut String) -> bool {
    match encoding {
        Encoding::Utf8 => {
            let text = String::from_utf8_lossy(line);
            out.push_str(&text);
            matches!(text, std::borrow::Cow::Borrowed(_))
        }
        Encoding::Legacy(encoding) => {
            let (text, broken) = encoding.decode_without_bom_handling(line);
            out.push_str(&text);
            !broken
        }
        Encoding::Utf16 { little } => {
            let pairs = line.chunks_exact(2);
            let mut whole = pairs.remainder().is_empty();
            let units = pairs.map(|p| {
                let pair = [p[0], p[1]];
                if little { u16::from_le_bytes(pair) } else { u16::from_be_bytes(pair) }
            });
            for unit in char::decode_utf16(units) {
                whole &= unit.is_ok();
                out.push(unit.unwrap_or(char::REPLACEMENT_CHARACTER));
            }
            if line.len() % 2 == 1 {
                out.push(char::REPLACEMENT_CHARACTER);
            }
            whole
        }
    }
}

/// Leading bytes of files that hold no text, and what they are.
const MAGIC: &[(&[u8], &str)] = &[
    (b"{\\rtf", "a Rich Text file (.rtf)"),
    (b"%PDF-", "a PDF file"),
    (b"\x89PNG", "a PNG image"),
    (b"\xFF\xD8\xFF", "a JPEG image"),
    (b"GIF8", "a GIF image"),
    (b"RIFF", "a RIFF file (WebP image, sound or film)"),
    (b"\x1F\x8B", "a gzip archive"),
    (b"7z\xBC\xAF\x27\x1C", "a 7-Zip archive"),
    (b"Rar!", "a RAR archive"),
    (b"\xD0\xCF\x11\xE0", "an old Office file (.doc, .xls, .ppt)"),
    (b"SQLite format 3\0", "an SQLite database"),
    (b"\x7FELF", "a program"),
    (b"MZ\x90", "a program"),
];

/// What the file is, where it is no text.
pub(crate) fn binary_kind(bytes: &[u8]) -> Option<&'static str> {
    if let Some((_, kind)) = MAGIC.iter().find(|(magic, _)| bytes.starts_with(magic)) {
        return Some(kind);
    }
    let holds = |mark: &str| memchr::memmem::find(&bytes[..bytes.len().min(HEAD)], mark.as_bytes()).is_some();
    if bytes.starts_with(b"PK\x03\x04") {
        return Some(if holds("opendocument.presentation") {
            "an OpenDocument presentation (.odp)"
        } else if holds("xl/workbook.bin") {
            "a binary Excel workbook (.xlsb)"
        } else {
            "a ZIP archive"
        });
    }
    if (bytes.starts_with(b"MIME-Version:") || bytes.starts_with(b"From:")) && holds("multipart/related") {
        return Some("a web page packed in one file (.mht)");
    }
    let marked = bytes.starts_with(&[0xFF, 0xFE]) || bytes.starts_with(&[0xFE, 0xFF]);
    if marked || utf16_without_mark(bytes).is_some() {
        return None;
    }
    let control = |bytes: &[u8]| bytes.iter().filter(|&&byte| is_control(byte)).count();
    let head = &bytes[..bytes.len().min(SAMPLE)];
    let dense = |count: usize, share: usize, of: &[u8]| count > 3 && count * share > of.len();
    // What is no UTF-8 is taken for an old encoding, in which every byte is a letter: but no text has many controls.
    let binary = dense(control(head), 10, head) || !mostly_utf8(bytes) && dense(control(bytes), 50, bytes);
    binary.then_some("binary data")
}

/// Whether `byte` stands for no character of a text in any encoding that has ASCII in it.
fn is_control(byte: u8) -> bool {
    byte == 0x7F || byte < 0x20 && !matches!(byte, b'\t' | b'\n' | b'\r' | 0x0C | 0x1B)
}
