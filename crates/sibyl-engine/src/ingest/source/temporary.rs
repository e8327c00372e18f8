//! Files that programs leave beside documents while they work: locks, partial downloads and the like.

use super::FileReport;

/// What Office puts before the name of a document that is open, in the file that locks it.
const LOCK: &str = "~$";
/// Endings of files that are not done, or not meant to stay.
const ENDINGS: &[&str] = &[
    "tmp",
    "temp",
    "part",
    "partial",
    "crdownload",
    "download",
    "opdownload",
    "filepart",
    "aria2",
    "!ut",
    "!qb",
    "swp",
    "lck",
];
/// How many others are named.
const NAMED: usize = 5;
/// The ending of a folder in which a browser keeps a half download.
const FOLDER_ENDING: &str = "download";

/// Whether a file of this name is a lock, a temporary file or a half download. Hidden files are handled elsewhere.
pub fn is_temporary(name: &str) -> bool {
    let lower = name.to_lowercase();
    lower.starts_with(LOCK)
        || lower.ends_with('~')
        || (lower.len() > 2 && lower.starts_with('#') && lower.ends_with('#'))
        || lower.rsplit_once('.').is_some_and(|(_, ending)| ENDINGS.contains(&ending))
}

/// Whether a folder of this name has a partial download.
pub fn is_half_download(folder: &str) -> bool {
    folder.to_lowercase().rsplit_once('.').is_some_and(|(_, ending)| ending == FOLDER_ENDING)
}

/// The report on such files: one for all, with the names of the first ones.
pub fn left_out(paths: &[String]) -> Option<FileReport> {
    let (first, others) = paths.split_first()?;
    let message = if others.is_empty() {
        "is a lock, a temporary file or an unfinished download and was left out".to_owned()
    } else {
        let named = others.iter().take(NAMED).map(String::as_str).collect::<Vec<_>>().join(", ");
        let more = if others.len() > NAMED { " …" } else { "" };
        format!(
            "is one of {} locks, temporary files and unfinished downloads that were left out; the others: {named}{more}",
            paths.len()
        )
    };
    Some(FileReport::new(first, "temporary", message))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn locks_and_half_downloads_are_told_by_their_names_and_documents_are_not() {
        for name in [
            "~$policy.docx",
            "~$book.xlsx",
            "~WRD0003.tmp",
            "Plan.pdf.crdownload",
            "Plan.pdf.part",
            "plan.PARTIAL",
            "Plan.pdf.download",
            "plan.md~",
            "#plan.md#",
            "plan.pdf.filepart",
            "report.pdf.!qB",
        ] {
            assert!(is_temporary(name), "{name}");
        }
        for name in [
            "plan.md",
            "~plan.md",
            "$plan.docx",
            "tmp",
            "part.md",
            "download.html",
            "a#b.md",
            "#1.md",
            "#",
            "~a$.md",
        ] {
            assert!(!is_temporary(name), "{name}");
        }
        let told = left_out(&["~$a.docx", "b.tmp", "c.part"].map(str::to_owned)).unwrap();
        assert!(told.path == "~$a.docx" && told.message.ends_with("the others: b.tmp, c.part"), "{told:?}");
        assert_eq!(left_out(&[]), None);
        assert!(is_half_download("Plan.pdf.download") && !is_half_download("download"));
    }
}
