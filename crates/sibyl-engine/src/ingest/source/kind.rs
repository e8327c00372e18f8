//! What a file is, as far as its name, its first bytes and its neighbours show.

use super::{Expansion, Found};
use sibyl_text::SourceType;
use sibyl_text::format::{Input, format_of};
use sibyl_text::source_type::{all, docs, report, text};

/// The namespace of the facts that a filed report marks in its text.
const INLINE_XBRL: &str = "http://www.xbrl.org/2013/inlineXBRL";

/// The kind of the file at `path` below its import root, by its name and its first bytes.
pub fn kind(path: &str, head: &[u8], page_metadata: bool) -> &'static SourceType {
    let (folders, name) = path.rsplit_once('/').unwrap_or(("", path));
    let head_text = String::from_utf8_lossy(head);
    let standard = front_matter(&head_text).and_then(|front| value(front, "standard"));
    let standard = standard.as_deref();
    let named = |one: &SourceType| {
        one.signs.file == Some(name) || standard.is_some_and(|own| one.signs.standards.contains(&own))
    };
    let folder = folders.rsplit('/').next();
    let placed = |one: &SourceType| one.signs.folder.is_some() && one.signs.folder == folder;
    let signed = all().iter().copied().find(|one| named(one));
    if let Some(known) = signed.or_else(|| all().iter().copied().find(|one| placed(one))) {
        return known;
    }
    let format = format_of(&Input { name, bytes: head, page_metadata: page_metadata.then_some(b"[]") });
    let format = format.map_or("plain", |format| format.name());
    let called_report = name.to_lowercase().contains("report");
    match format {
        "html" if head_text.contains(INLINE_XBRL) => report(),
        "plain" if called_report && name.contains('.') => report(),
        "plain" => text(),
        "markdown" | "html" if page_metadata || called_report => report(),
        "markdown" | "html" if front_matter(&head_text).is_some() || !folders.is_empty() => docs(),
        "markdown" | "html"
            if head_text.lines().any(|line| line.starts_with('#') || line.contains("<h1")) =>
        {
            docs()
        }
        "markdown" | "html" => text(),
        _ => report(),
    }
}

/// Lets the other files of a folder decide where a file's name and first bytes leave its kind open. A folder
/// called reports holds reports. Plain text in a tree of documentation belongs to it, and so does a page about
/// reporting.
pub(super) fn settle_kinds(expansion: &mut Expansion) {
    let open = |file: &Found| {
        let known = file.page_metadata.is_some() || file.kind.standard().is_some();
        !known && TEXT_EXTENSIONS.iter().any(|extension| file.path.to_lowercase().ends_with(extension))
    };
    let count = |kind| expansion.files.iter().filter(|file| file.kind == kind && open(file)).count();
    let settled = if expansion.name.to_lowercase().contains("report") {
        report()
    } else if count(docs()) > 0 && count(docs()) >= count(report()) {
        docs()
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
            ("s1_full.md", "# S1", false, "ifrs_s1"),
            ("mine.md", "---\nstandard: S2\n---\n", false, "ifrs_s2"),
            ("x/oil.md", "---\nstandard: SASB\n---\n", false, "sasb"),
            ("plan.md", "# Plan", true, "report"),
            ("report-2024.md", "# Report", false, "report"),
            ("scan", "%PDF-1.7\n", false, "report"),
            ("data-book.csv", "Site,Tonnes\n", false, "report"),
            ("plan.docx", "PK\u{3}\u{4}", false, "report"),
            ("filing.htm", "<html xmlns:ix=\"http://www.xbrl.org/2013/inlineXBRL\">", false, "report"),
            ("site/page.html", "<!DOCTYPE html><p>Text", false, "docs"),
            ("guide.md", front, false, "docs"),
            ("a/b/guide.md", "text", false, "docs"),
            ("notes.md", "just words", false, "text"),
            ("notes.txt", "just words", false, "text"),
        ] {
            assert_eq!(kind(path, head.as_bytes(), pages).name, expected, "{path}");
        }
    }
}
