//! File metadata: title, author, subject, keywords and dates of the document information dictionary.

use super::characters::{clean_line, decode};
use hayro_syntax::Pdf;
use hayro_syntax::object::DateTime;
use serde_json::{Map, Value};

/// What the file says about itself, empty fields left out.
pub(super) fn metadata(pdf: &Pdf) -> Map<String, Value> {
    let info = pdf.metadata();
    let texts = [
        ("title", &info.title),
        ("author", &info.author),
        ("subject", &info.subject),
        ("keywords", &info.keywords),
        ("creator", &info.creator),
        ("producer", &info.producer),
    ];
    let dates = [("created", info.creation_date), ("modified", info.modification_date)];
    let mut out = Map::new();
    for (key, raw) in texts {
        let text = raw.as_deref().map(|raw| clean_line(&decode(raw))).unwrap_or_default();
        if !text.is_empty() {
            out.insert(key.to_owned(), text.into());
        }
    }
    for (key, date) in dates {
        out.extend(date.map(|date| (key.to_owned(), Value::from(day(date)))));
    }
    out
}

/// The title that the file gives itself, unless a program left it there.
pub(super) fn title(metadata: &Map<String, Value>) -> Option<String> {
    let title = metadata.get("title")?.as_str()?;
    let lower = title.to_lowercase();
    let file_name = [".doc", ".docx", ".pdf", ".xls", ".xlsx", ".ppt", ".pptx", ".indd", ".qxd", ".rtf"]
        .iter()
        .any(|end| lower.ends_with(end));
    let left_over = [
        "untitled",
        "microsoft word",
        "microsoft powerpoint",
        "powerpoint presentation",
        "slide 1",
        "layout 1",
    ]
    .iter()
    .any(|start| lower.starts_with(start));
    // `Report v3 FINAL` names a state of a file.
    let version = lower.split_whitespace().any(|word| {
        word.strip_prefix('v')
            .is_some_and(|rest| !rest.is_empty() && rest.bytes().all(|b| b.is_ascii_digit() || b == b'.'))
    });
    // What has no spaces but dashes, underscores or digits names a file.
    let one_word = !title.contains(' ') && title.contains(|c: char| "_-".contains(c) || c.is_ascii_digit());
    let joined = title.contains('_');
    (!file_name && !left_over && !one_word && !joined && !version && title.chars().any(char::is_alphabetic))
        .then(|| title.to_owned())
}

fn day(date: DateTime) -> String {
    format!("{:04}-{:02}-{:02}", date.year, date.month, date.day)
}
