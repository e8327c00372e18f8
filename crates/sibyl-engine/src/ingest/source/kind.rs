//! What a file is, as far as its name, its first bytes and its neighbours tell.

use super::{Expansion, Found};
use sibyl_text::format::{Input, format_of};

/// What a document is, as far as its file tells.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum SourceKind {
    /// IFRS S1 in numbered paragraphs.
    IfrsS1,
    /// IFRS S2 in numbered paragraphs.
    IfrsS2,
    /// A SASB industry standard.
    Sasb,
    /// A company's report.
    Report,
    /// A page of a documentation tree.
    Docs,
    /// Anything else.
    Text,
}

impl SourceKind {
    /// Every kind.
    pub const ALL: [Self; 6] = [Self::IfrsS1, Self::IfrsS2, Self::Sasb, Self::Report, Self::Docs, Self::Text];

    /// The source type of such documents.
    pub const fn source_type(self) -> &'static str {
        match self {
            Self::IfrsS1 => "ifrs_s1",
            Self::IfrsS2 => "ifrs_s2",
            Self::Sasb => "sasb",
            Self::Report => "report",
            Self::Docs => "docs",
            Self::Text => "text",
        }
    }

    /// The chunking strategy for documents of `source_type`. A licensed copy of a standard is chunked like the
    /// standard.
    pub fn strategy(source_type: &str) -> &'static str {
        match source_type {
            "ifrs_s1" | "ifrs_s2" | "licensed" => "ifrs",
            "sasb" => "sasb",
            "report" => "report",
            "docs" => "docs",
            _ => "recursive",
        }
    }

    /// The kind that a corpus of this name always holds.
    pub fn of_corpus(name: &str) -> Option<Self> {
        match name {
            "ifrs-s1" => Some(Self::IfrsS1),
            "ifrs-s2" => Some(Self::IfrsS2),
            "sasb" => Some(Self::Sasb),
            "reports" => Some(Self::Report),
            _ => None,
        }
    }
}

/// The namespace of the facts that a filed report marks in its text.
const INLINE_XBRL: &str = "http://www.xbrl.org/2013/inlineXBRL";

/// What the file at `path` below its import root is, by its name and its first bytes.
pub fn kind(path: &str, head: &[u8], page_metadata: bool) -> SourceKind {
    let (folders, name) = path.rsplit_once('/').unwrap_or(("", path));
    let text = String::from_utf8_lossy(head);
    let standard = front_matter(&text).and_then(|front| value(front, "standard"));
    match (name, standard.as_deref()) {
        ("s1_full.md", _) | (_, Some("IFRS S1" | "S1")) => return SourceKind::IfrsS1,
        ("s2_full.md", _) | (_, Some("IFRS S2" | "S2")) => return SourceKind::IfrsS2,
        (_, Some("SASB")) => return SourceKind::Sasb,
        _ if folders.rsplit('/').next() == Some("sasb") => return SourceKind::Sasb,
        _ => {}
    }
    let format = format_of(&Input { name, bytes: head, page_metadata: page_metadata.then_some(b"[]") });
    let format = format.map_or("plain", |format| format.name());
    let called_report = name.to_lowercase().contains("report");
    match format {
        "html" if text.contains(INLINE_XBRL) => SourceKind::Report,
        "plain" if called_report && name.contains('.') => SourceKind::Report,
        "plain" => SourceKind::Text,
        "markdown" | "html" if page_metadata || called_report => SourceKind::Report,
        "markdown" | "html" if front_matter(&text).is_some() || !folders.is_empty() => SourceKind::Docs,
        "markdown" | "html" if text.lines().any(|line| line.starts_with('#') || line.contains("<h1")) => {
            SourceKind::Docs
        }
        "markdown" | "html" => SourceKind::Text,
        _ => SourceKind::Report,
    }
}

/// Lets the company a file keeps decide where its name and first bytes leave it open: a folder called reports
/// holds reports, plain text in a tree of documentation belongs to it, and so does a page about reporting.
pub(super) fn settle_kinds(expansion: &mut Expansion) {
    let open = |file: &Found| {
        let known = file.page_metadata.is_some()
            || matches!(file.kind, SourceKind::IfrsS1 | SourceKind::IfrsS2 | SourceKind::Sasb);
        !known && TEXT_EXTENSIONS.iter().any(|extension| file.path.to_lowercase().ends_with(extension))
    };
    let count = |kind| expansion.files.iter().filter(|file| file.kind == kind && open(file)).count();
    let settled = if expansion.name.to_lowercase().contains("report") {
        SourceKind::Report
    } else if count(SourceKind::Docs) > 0 && count(SourceKind::Docs) >= count(SourceKind::Report) {
        SourceKind::Docs
    } else {
        return;
    };
    for file in expansion.files.iter_mut().filter(|file| open(file)) {
        file.kind = settled;
    }
}

/// Files of these endings are what their neighbours are.
const TEXT_EXTENSIONS: &[&str] = &[".md", ".mdx", ".markdown", ".txt", ".html", ".htm"];

fn front_matter(text: &str) -> Option<&str> {
    let text = text.trim_start_matches('\u{feff}');
    let mark = ["---", "+++"]
        .into_iter()
        .find(|mark| text.lines().next().is_some_and(|line| line.trim_end() == *mark))?;
    let inside = text.get(mark.len()..)?;
    inside.find(&format!("\n{mark}")).map(|end| &inside[..end])
}

fn value(front: &str, name: &str) -> Option<String> {
    front.lines().find_map(|line| {
        let (key, value) = line.split_once([':', '='])?;
        (key.trim() == name).then(|| value.trim().trim_matches(['"', '\'']).to_owned())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_what_it_holds_and_where_it_stands() {
        let front = "---\ntitle: A\n---\n# A";
        for (path, head, pages, expected) in [
            ("s1_full.md", "# S1", false, SourceKind::IfrsS1),
            ("mine.md", "---\nstandard: S2\n---\n", false, SourceKind::IfrsS2),
            ("x/oil.md", "---\nstandard: SASB\n---\n", false, SourceKind::Sasb),
            ("plan.md", "# Plan", true, SourceKind::Report),
            ("report-2024.md", "# Report", false, SourceKind::Report),
            ("scan", "%PDF-1.7\n", false, SourceKind::Report),
            ("data-book.csv", "Site,Tonnes\n", false, SourceKind::Report),
            ("plan.docx", "PK\u{3}\u{4}", false, SourceKind::Report),
            (
                "filing.htm",
                "<html xmlns:ix=\"http://www.xbrl.org/2013/inlineXBRL\">",
                false,
                SourceKind::Report,
            ),
            ("site/page.html", "<!DOCTYPE html><p>Text", false, SourceKind::Docs),
            ("guide.md", front, false, SourceKind::Docs),
            ("a/b/guide.md", "text", false, SourceKind::Docs),
            ("notes.md", "just words", false, SourceKind::Text),
            ("notes.txt", "just words", false, SourceKind::Text),
        ] {
            assert_eq!(kind(path, head.as_bytes(), pages), expected, "{path}");
        }
    }
}
