//! Reading: bytes become a [`Document`].
//!
//! A new format is one file here and one line in [`FORMATS`].

mod builder;
pub mod docx;
mod drawing;
mod encoding;
pub mod epub;
mod front_matter;
pub mod hocr;
pub mod html;
mod identity;
mod locked;
pub mod markdown;
mod misnamed;
mod number_format;
mod numbering;
pub mod odt;
mod office;
pub mod parsed_report;
pub mod pdf;
pub mod plain;
pub mod pptx;
mod raised;
pub mod sheet;
mod table;
mod tidy;

use crate::document::{Document, Notice, Severity};

/// A file as it came: its name, its bytes and, for parsed reports, the page metadata beside it.
#[derive(Debug, Clone, Copy)]
pub struct Input<'a> {
    /// File name with its extension.
    pub name: &'a str,
    /// The bytes.
    pub bytes: &'a [u8],
    /// `page_metadata` JSON that stands beside already parsed Markdown.
    pub page_metadata: Option<&'a [u8]>,
}

impl Input<'_> {
    /// The extension in lower case, without its dot.
    pub fn extension(&self) -> String {
        self.name.rsplit_once('.').map(|(_, e)| e.to_ascii_lowercase()).unwrap_or_default()
    }

    /// The name without its extension.
    pub fn stem(&self) -> &str {
        self.name.rsplit_once('.').map_or(self.name, |(stem, _)| stem)
    }
}

/// Reads one kind of file. Implementations never panic and never fail: what could not be read is a notice.
pub trait Format: Sync {
    /// Stable name, such as `markdown`.
    fn name(&self) -> &'static str;
    /// What people call files of this kind, such as `Word`; several formats may share a name.
    fn label(&self) -> &'static str;
    /// Raised whenever the same bytes would give another text; part of a document's text version.
    fn version(&self) -> u32;
    /// File extensions in lower case, without the dot.
    fn extensions(&self) -> &'static [&'static str];
    /// Whether the bytes are of this format, whatever the file is called.
    fn recognises(&self, input: &Input<'_>) -> bool;
    /// Whether files of this kind are parsed in a child process that can be killed.
    fn untrusted(&self) -> bool {
        false
    }
    /// What stands in the file, opened with the first of `passwords` that fits where it is locked.
    fn parse(&self, input: &Input<'_>, passwords: &[String]) -> Document;
    /// Reads the file: what stands in it, with its title, issuer and year as far as it says them.
    fn read(&self, input: &Input<'_>) -> Document {
        self.read_locked(input, &[])
    }
    /// Reads the file as [`Self::read`] does, with the first of `passwords` that opens it where it is locked.
    fn read_locked(&self, input: &Input<'_>, passwords: &[String]) -> Document {
        identity::told(self.parse(input, passwords), input.stem())
    }
}

/// Every format there is, the most specific first.
pub static FORMATS: &[&dyn Format] = &[
    &pdf::Pdf,
    &docx::Docx,
    &sheet::Xlsx,
    &pptx::Pptx,
    &sheet::Ods,
    &odt::Odt,
    &epub::Epub,
    &html::Html,
    &sheet::Csv,
    &parsed_report::ParsedReport,
    &markdown::Markdown,
    &plain::Plain,
];

/// The names of all formats as a sentence has them: `PDF, Word … and plain text`, with `last` (`and`, `or`) before the last.
pub fn supported(last: &str) -> String {
    let mut names: Vec<&str> = Vec::new();
    for label in FORMATS.iter().map(|format| format.label()) {
        if !names.contains(&label) {
            names.push(label);
        }
    }
    let end = names.pop().unwrap_or_default();
    format!("{} {last} {end}", names.join(", "))
}

/// The format that reads `input`: the first that recognises its bytes. What is called PDF and does not begin as one is
/// left to plain text, which refuses it with what was expected.
pub fn format_of(input: &Input<'_>) -> Option<&'static dyn Format> {
    let mut formats = FORMATS.iter().copied();
    let found = formats.find(|format| format.recognises(input))?;
    let text = found.extensions().iter().any(|extension| TEXT.contains(extension));
    if text && misnamed::misnamed(input).is_some() { Some(&plain::Plain) } else { Some(found) }
}

/// That `input`, which `format` reads by its bytes, has a name that promises another format. Text may be called as one
/// likes.
pub fn renamed(format: &dyn Format, input: &Input<'_>) -> Option<Notice> {
    let extension = input.extension();
    let has = |format: &dyn Format| format.extensions().contains(&extension.as_str());
    let text = format.extensions().iter().any(|extension| TEXT.contains(extension));
    if text || has(format) || !FORMATS.iter().any(|other| has(*other)) {
        return None;
    }
    let label = format.label();
    let message = format!("the name ends in .{extension}, but the content is {label} and was read as such");
    Some(Notice::new(Severity::Info, "renamed", message))
}

/// Extensions of the formats that would make text of anything.
const TEXT: &[&str] = &["md", "txt", "html", "csv"];

/// What is said of `count` `pieces` that are struck through, or in the colour of what lies behind them.
fn withdrawn_notice(count: usize, pieces: &str) -> Notice {
    let message = format!(
        "{pieces} that are struck through or written in white on white were left out ({count}); format them as ordinary text to \
         include them"
    );
    Notice::new(Severity::Info, "withdrawn_text", message)
}

/// The notice of a file that holds no text.
fn empty_notice() -> Notice {
    Notice::new(
        Severity::Warning,
        "empty",
        "expected text, found a file without any; nothing in it can be searched",
    )
}
