//! Sources become files: folders are walked, companions found, kinds guessed.
//!
//! Over 500 lines: a quarter of them is tests, on folders as people have them.

mod kind;
mod temporary;

pub use kind::kind;
pub use temporary::{is_half_download, is_temporary, left_out};

use super::FileReport;
use super::identity::identity;
use crate::error::{Error, Result};
use sibyl_text::SourceType;
use sibyl_text::format::{FORMATS, Input, parsed_report};
use sibyl_text::source_type::report;
use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::fs;
use std::io::{ErrorKind, Read as _};
use std::path::{Path, PathBuf};
use unicode_normalization::UnicodeNormalization as _;

/// Folders with other people's or generated files, which are never walked.
const FOREIGN_FOLDERS: &[&str] = &["node_modules", "bower_components", "__pycache__", "venv"];
/// Suffixes that browsers add to the name of a saved page for the folder of its parts, and the extensions of such
/// pages.
const SAVED_WITH: &[&str] = &["_files", "-filer", "-Dateien", "_fichiers", "_archivos", "_bestanden"];
const SAVED_PAGES: &[&str] = &["html", "htm", "xhtml"];
/// Marks a folder as a cache (Cache Directory Tagging Specification).
const CACHE_TAG: &str = "CACHEDIR.TAG";
/// Extensions of the page metadata beside parsed Markdown, in place of the document's own extension.
const PAGE_METADATA: &[&str] = &["pages.json", "page_metadata.json"];
/// Endings of archives: what is inside is not looked for.
const ARCHIVES: &[&str] = &["zip", "7z", "rar", "tar", "gz", "tgz", "bz2", "xz", "zst"];
/// Number of bytes read to guess what a file is.
pub(super) const HEAD: usize = 64 << 10;
/// Deepest nesting of folders that is walked.
const MAX_DEPTH: usize = 64;

/// A file that a source was expanded to.
#[derive(Debug, Clone, PartialEq)]
pub struct Found {
    /// The file.
    pub origin: PathBuf,
    /// Path below the import root: Unicode NFC, `/` between its parts.
    pub path: String,
    /// The page metadata beside it.
    pub page_metadata: Option<PathBuf>,
    /// Its size.
    pub bytes: u64,
    /// Its kind.
    pub kind: &'static SourceType,
    /// Why it cannot be read, if that is known already.
    pub failure: Option<FileReport>,
}

/// What a source was expanded to.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Expansion {
    /// The import root, without symbolic links.
    pub root: String,
    /// Whether the source is a folder and was walked to its end. Folders that could not be listed are not among
    /// `folders`.
    pub complete: bool,
    /// The folders that were listed, each with its identity.
    pub folders: Vec<(String, String)>,
    /// Name of the folder, or of the file without its extension.
    pub name: String,
    /// The files, by path.
    pub files: Vec<Found>,
    /// What was left out, and why.
    pub skipped: Vec<FileReport>,
}

/// How far folders are walked.
pub struct Reach<'a> {
    /// Number of files that may still be examined.
    files: usize,
    /// Entries of folders that may still be listed.
    entries: usize,
    waited_for: &'a dyn Fn() -> bool,
    more: bool,
    ended: bool,
}

impl<'a> Reach<'a> {
    /// At most `files` files are examined and `entries` entries of folders listed, as long as somebody waits for
    /// the walk.
    pub fn new(files: usize, entries: usize, waited_for: &'a dyn Fn() -> bool) -> Self {
        Self { files, entries, waited_for, more: false, ended: false }
    }

    /// No limit.
    pub fn endless() -> Self {
        Self::new(usize::MAX, usize::MAX, &|| true)
    }

    /// Whether something beyond the limit was left out.
    pub fn has_more(&self) -> bool {
        self.more
    }

    /// Whether the limit is reached.
    pub fn is_over(&self) -> bool {
        self.ended || !(self.waited_for)()
    }

    /// Whether one more entry of a folder is listed.
    fn lists(&mut self) -> bool {
        let left = self.entries.checked_sub(1);
        self.more |= left.is_none();
        self.entries = left.unwrap_or(0);
        left.is_some() && !self.is_over()
    }

    /// Whether one more file may be examined.
    fn looks(&mut self) -> bool {
        let left = self.files.checked_sub(1);
        self.ended |= left.is_none();
        self.more |= self.ended;
        self.files = left.unwrap_or(0);
        left.is_some()
    }
}

/// Refuses anything but a file or a folder: a pipe, socket or device may never end.
///
/// # Errors
/// [`Error::Io`] if `path` does not exist. [`Error::UnfitPath`] if it is neither.
pub fn check(path: &Path) -> Result<()> {
    let metadata = fs::metadata(path).map_err(|error| Error::io(path, error))?;
    if metadata.is_dir() || metadata.is_file() {
        return Ok(());
    }
    Err(Error::unfit(path, "is neither a file nor a folder; choose a file or a folder"))
}

/// Expands a file or folder. Files larger than `max_bytes` are found with a failure.
///
/// # Errors
/// Those of [`check`], and [`Error::Io`] if `path` cannot be listed.
pub fn expand(path: &Path, max_bytes: u64) -> Result<Expansion> {
    expand_within(path, max_bytes, &mut Reach::endless())
}

/// Expands a file or folder as far as `reach` goes.
///
/// # Errors
/// As [`expand`].
pub fn expand_within(path: &Path, max_bytes: u64, reach: &mut Reach<'_>) -> Result<Expansion> {
    let canonical = fs::canonicalize(path).map_err(|error| Error::io(path, error))?;
    check(path)?;
    let metadata = fs::metadata(&canonical).map_err(|error| Error::io(path, error))?;
    let mut walk = Walk {
        root: canonical.clone(),
        max_bytes,
        seen: HashSet::new(),
        foreign: BTreeMap::new(),
        temporary: Vec::new(),
        reach,
        out: Expansion::default(),
    };
    if metadata.is_dir() {
        walk.out.complete = true;
        walk.seen.insert(canonical.clone());
        fs::read_dir(&canonical).map_err(|error| Error::io(path, error))?;
        walk.folder(&canonical, "", 0);
        walk.out.name = file_name(&canonical);
        walk.name_foreign();
        walk.name_temporary();
        walk.out.files.sort_by(|a, b| a.path.cmp(&b.path));
        kind::settle_kinds(&mut walk.out);
    } else {
        walk.out.name =
            canonical.file_stem().map_or_else(String::new, |stem| stem.to_string_lossy().nfc().collect());
        let name = file_name(&canonical);
        walk.root = canonical.parent().map_or_else(PathBuf::new, Path::to_owned);
        walk.file(&canonical, &name, metadata.len(), true);
        walk.name_foreign();
        let folder = walk
            .root
            .file_name()
            .is_some_and(|name| name.to_string_lossy().to_lowercase().contains("report"));
        for file in walk.out.files.iter_mut().filter(|file| folder && !file.kind.is_of_the_trade()) {
            file.kind = report();
        }
    }
    walk.out.root = walk.root.to_string_lossy().into_owned();
    Ok(walk.out)
}

/// Expands each of `paths` as far as `reach` goes. A path that cannot be expanded is skipped with the reason, if
/// another one can be.
///
/// # Errors
/// As [`expand`] for the first path, if none can be expanded.
pub fn expand_all(paths: &[PathBuf], max_bytes: u64, reach: &mut Reach<'_>) -> Result<Vec<Expansion>> {
    let (mut out, mut refused) = (Vec::new(), Vec::new());
    for path in paths {
        if reach.is_over() {
            break;
        }
        match expand_within(path, max_bytes, reach) {
            Ok(expansion) => out.push(expansion),
            Err(error) => refused.push((path, error)),
        }
    }
    if out.is_empty() && !refused.is_empty() {
        return Err(refused.swap_remove(0).1);
    }
    let skipped = refused.into_iter().map(|(path, error)| unexpanded(path, &error)).collect::<Vec<_>>();
    out.push(Expansion { skipped, ..Expansion::default() });
    Ok(out)
}

/// Reports that `path` was left out because of `error`, which names it again.
fn unexpanded(path: &Path, error: &Error) -> FileReport {
    let path = path.display().to_string();
    let words = error.to_string();
    let message = words.strip_prefix(&path).map_or(&*words, |rest| rest.trim_start_matches([':', ' ']));
    FileReport::new(&path, error.code(), message)
}

/// The path of an upload called `name`: NFC, `/` between its parts, never absolute and never upwards.
pub fn upload_path(name: &str) -> String {
    let parts = name.split(['/', '\\']).filter(|part| !matches!(*part, "" | "." | ".."));
    let path = parts.collect::<Vec<_>>().join("/");
    if path.is_empty() { "upload".to_owned() } else { path.nfc().collect() }
}

/// A short name of `text` in lower-case letters, digits and dashes; letters of every script stay.
pub fn slug(text: &str) -> String {
    let mut out = String::new();
    for character in text.nfc().flat_map(char::to_lowercase) {
        if character.is_alphanumeric() {
            out.push(character);
        } else if !out.is_empty() && !out.ends_with('-') {
            out.push('-');
        }
    }
    out.trim_end_matches('-').chars().take(80).collect()
}

struct Walk<'r, 'w> {
    root: PathBuf,
    max_bytes: u64,
    /// Folders and files seen, without symbolic links, so that each is taken once and no loop is walked twice.
    seen: HashSet<PathBuf>,
    /// Files of no known format: extension to number and first path.
    foreign: BTreeMap<String, (usize, String)>,
    /// Number and first paths of what programs leave beside documents while they work.
    temporary: Vec<String>,
    reach: &'r mut Reach<'w>,
    out: Expansion,
}

impl Walk<'_, '_> {
    fn folder(&mut self, folder: &Path, below: &str, depth: usize) {
        if depth > MAX_DEPTH {
            return self.skip(
                below,
                "too_deep",
                "is more than 64 folders deep; ingest the inner folder separately",
            );
        }
        let before = identity(folder);
        let entries = match fs::read_dir(folder) {
            Ok(entries) => entries,
            Err(error) => return self.unlisted(below, &error),
        };
        let (mut names, mut whole) = (Vec::new(), true);
        for entry in entries {
            if !self.reach.lists() {
                self.out.complete = false;
                break;
            }
            match entry {
                Ok(entry) => names.push(entry.file_name()),
                Err(error) => {
                    whole = false;
                    self.unlisted(below, &error);
                }
            }
        }
        // If a drive has gone meanwhile, what remains is no list of its contents.
        if let (true, Ok(before), Ok(after)) = (whole, before, identity(folder))
            && before == after
        {
            self.out.folders.push((folder.to_string_lossy().into_owned(), after));
        }
        names.sort();
        for name in names {
            if self.reach.is_over() {
                self.out.complete = false;
                return;
            }
            let text: String = name.to_string_lossy().nfc().collect();
            let path = if below.is_empty() { text.clone() } else { format!("{below}/{text}") };
            self.entry(&folder.join(&name), &text, &path, depth);
        }
    }

    fn entry(&mut self, at: &Path, name: &str, path: &str, depth: usize) {
        if name.starts_with('.') {
            return self.skip(
                path,
                "hidden",
                "is hidden and was left out; ingest it separately if you need it",
            );
        }
        if is_temporary(name) && (is_half_download(name) || !at.is_dir()) {
            self.temporary.push(path.to_owned());
            return;
        }
        let target = match fs::canonicalize(at) {
            Ok(target) => target,
            Err(error) if error.kind() == ErrorKind::NotFound => {
                return self.skip(path, "io", "is a broken link; fix it or delete it");
            }
            Err(error) => return self.unlisted(path, &error),
        };
        if !target.starts_with(&self.root) {
            return self.skip(
                path,
                "outside",
                "is a link that leads out of the folder; ingest its target separately",
            );
        }
        let metadata = match fs::metadata(&target) {
            Ok(metadata) => metadata,
            Err(error) => return self.unlisted(path, &error),
        };
        if !self.seen.insert(target.clone()) {
            return self.skip(path, "linked", "is a link to something that is already included");
        }
        if metadata.is_dir() {
            if FOREIGN_FOLDERS.contains(&name) || target.join(CACHE_TAG).is_file() {
                let reason = "contains installed or generated files and was left out; ingest it separately if you \
                              need it";
                return self.skip(path, "foreign_folder", reason);
            }
            if belongs_to_page(&target, name) {
                let reason = "contains what a saved page shows, such as pictures and advertisements, and was left out; \
                              ingest it separately if you need it";
                return self.skip(path, "page_folder", reason);
            }
            self.folder(&target, path, depth + 1);
        } else if metadata.is_file() {
            self.file(&target, path, metadata.len(), false);
        } else {
            self.skip(
                path,
                "special",
                "is a pipe, a socket or a device and was left out; only files are ingested",
            );
        }
    }

    fn file(&mut self, at: &Path, path: &str, bytes: u64, wanted: bool) {
        let lower = path.to_lowercase();
        if !wanted && PAGE_METADATA.iter().any(|ending| lower.ends_with(&format!(".{ending}"))) {
            return;
        }
        if !self.reach.looks() {
            self.out.complete = false;
            return;
        }
        let companion =
            PAGE_METADATA.iter().map(|ending| at.with_extension(ending)).find(|beside| beside.is_file());
        let (head, unreadable) = match head(at) {
            Ok(head) => (head, None),
            Err(error) => (Vec::new(), Some(error)),
        };
        let input = Input { name: path, bytes: &head, page_metadata: None };
        let extension = input.extension();
        let named = match extension.as_str() {
            // Most JSON beside documents says how to build them.
            "json" => unreadable.is_some() || holds_pages(at, &head, bytes <= self.max_bytes),
            extension => FORMATS.iter().any(|format| format.extensions().contains(&extension)),
        };
        let recognised = || FORMATS.iter().any(|format| format.untrusted() && format.recognises(&input));
        let asked = wanted && !ARCHIVES.contains(&extension.as_str());
        if !asked && !named && !recognised() {
            let group = self.foreign.entry(extension).or_insert_with(|| (0, path.to_owned()));
            group.0 += 1;
            return;
        }
        let failure = if let Some(error) = unreadable {
            Some(FileReport::new(path, "io", format!("cannot be opened ({error}); check its permissions")))
        } else if bytes > self.max_bytes {
            Some(FileReport::new(path, "too_large", too_large(bytes, self.max_bytes)))
        } else {
            None
        };
        self.out.files.push(Found {
            origin: at.to_owned(),
            path: path.to_owned(),
            kind: kind(path, &head, companion.is_some()),
            page_metadata: companion,
            bytes,
            failure,
        });
    }

    fn unlisted(&mut self, path: &str, error: &std::io::Error) {
        self.skip(path, "io", &format!("cannot be listed ({error}); check its permissions"));
    }

    fn skip(&mut self, path: &str, code: &str, reason: &str) {
        self.out.skipped.push(FileReport::new(path, code, reason.to_owned()));
    }

    fn name_temporary(&mut self) {
        self.out.skipped.extend(left_out(&std::mem::take(&mut self.temporary)));
    }

    fn name_foreign(&mut self) {
        let known: BTreeSet<&str> = FORMATS.iter().flat_map(|format| format.extensions()).copied().collect();
        let known = known.into_iter().collect::<Vec<_>>().join(", ");
        for (extension, (count, first)) in std::mem::take(&mut self.foreign) {
            if ARCHIVES.contains(&extension.as_str()) {
                let message = match count {
                    1 => "is an archive; extract it first".to_owned(),
                    _ => format!("is one of {count} .{extension} archives; extract them first"),
                };
                self.out.skipped.push(FileReport::new(&first, "archive", message));
                continue;
            }
            if extension == "json" {
                let message = format!(
                    "{} no list of pages, and no other JSON is ingested from a folder; to ingest such a file as plain \
                     text, add it separately",
                    files(count, &extension, "contains", "contain")
                );
                self.out.skipped.push(FileReport::new(&first, "unknown_format", message));
                continue;
            }
            let message = format!(
                "{} not in a supported format ({known}); {} to one of these",
                files(count, &extension, "is", "are"),
                if count == 1 { "convert it" } else { "convert them" }
            );
            self.out.skipped.push(FileReport::new(&first, "unknown_format", message));
        }
    }
}

/// Whether the folder called `name` was saved with a page beside it.
fn belongs_to_page(folder: &Path, name: &str) -> bool {
    let stem = SAVED_WITH.iter().find_map(|ending| name.strip_suffix(ending));
    let page = |stem: &str, ending: &&str| folder.with_file_name(format!("{stem}.{ending}")).is_file();
    stem.is_some_and(|stem| SAVED_PAGES.iter().any(|ending| page(stem, ending)))
}

/// `count` files of a kind with a verb in the right number: `1 .json file contains`.
fn files(count: usize, extension: &str, one: &str, many: &str) -> String {
    let (noun, verb) = if count == 1 { ("file", one) } else { ("files", many) };
    match extension {
        "" => format!("{count} {noun} without an extension {verb}"),
        _ => format!("{count} .{extension} {noun} {verb}"),
    }
}

/// Why a file of `bytes` is not read if `limit` is the maximum.
pub(super) fn too_large(bytes: u64, limit: u64) -> String {
    format!(
        "has {} MB, but files may have at most {} MB; split it, or raise the setting max_file_size",
        bytes.div_ceil(1 << 20),
        limit >> 20
    )
}

/// The first [`HEAD`] bytes of a file.
pub(super) fn head(path: &Path) -> std::io::Result<Vec<u8>> {
    let mut head = Vec::new();
    fs::File::open(path)?.take(HEAD as u64).read_to_end(&mut head)?;
    Ok(head)
}

/// Whether a JSON file is a list of pages; one that is too large to be read is believed what its `head` promises.
fn holds_pages(path: &Path, head: &[u8], readable: bool) -> bool {
    parsed_report::begins_like_pages(head)
        && (!readable || fs::read(path).map_or(true, |bytes| parsed_report::is_page_list(&bytes)))
}

fn file_name(path: &Path) -> String {
    path.file_name().map_or_else(String::new, |name| name.to_string_lossy().nfc().collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folder(files: &[(&str, &str)]) -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        for (path, text) in files {
            let path = folder.path().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        folder
    }

    fn paths(expansion: &Expansion) -> Vec<&str> {
        expansion.files.iter().map(|file| file.path.as_str()).collect()
    }

    #[test]
    fn files_are_found_below_their_root_in_order() {
        let folder = folder(&[("b/z.md", "# Z"), ("a.txt", "a"), ("b/c/y.md", "# Y"), ("b.md", "# B")]);
        let expansion = expand(folder.path(), 1000).unwrap();
        assert_eq!(paths(&expansion), ["a.txt", "b.md", "b/c/y.md", "b/z.md"]);
        assert!(expansion.complete);
    }

    #[test]
    fn what_a_saved_page_shows_is_no_document_of_its_own() {
        let folder = folder(&[
            ("Plan 2030.html", "<h1>Plan</h1>"),
            ("Plan 2030_files/saved_resource.html", "<p>Advertisement"),
            ("Plan 2030_files/deep/frame.htm", "<p>Advertisement"),
            ("case_files/one.html", "<h1>Case</h1>"),
        ]);
        let expansion = expand(folder.path(), 1000).unwrap();
        assert_eq!(paths(&expansion), ["Plan 2030.html", "case_files/one.html"]);
        let skipped: Vec<_> =
            expansion.skipped.iter().map(|skipped| (&*skipped.path, &*skipped.code)).collect();
        assert_eq!(skipped, [("Plan 2030_files", "page_folder")]);
    }

    #[test]
    fn names_are_normalised() {
        let folder = folder(&[("cafe\u{301}/re\u{301}sume\u{301}.md", "# R")]);
        assert_eq!(paths(&expand(folder.path(), 1000).unwrap()), ["caf\u{e9}/r\u{e9}sum\u{e9}.md"]);
    }

    #[cfg(unix)]
    #[test]
    fn links_neither_loop_nor_lead_out() {
        let outside = folder(&[("secret.md", "# Secret")]);
        let folder = folder(&[("a/page.md", "# A")]);
        let link =
            |target: &Path, name: &str| std::os::unix::fs::symlink(target, folder.path().join(name)).unwrap();
        link(folder.path(), "a/up");
        link(&folder.path().join("a"), "twin");
        link(outside.path(), "away");
        link(Path::new("/no/such/place"), "broken");
        let expansion = expand(folder.path(), 1000).unwrap();
        assert_eq!(paths(&expansion), ["a/page.md"]);
        let mut reasons: Vec<(&str, &str)> =
            expansion.skipped.iter().map(|skipped| (skipped.path.as_str(), skipped.code.as_str())).collect();
        reasons.sort_unstable();
        assert_eq!(reasons, [("a/up", "linked"), ("away", "outside"), ("broken", "io"), ("twin", "linked")]);
    }

    #[test]
    fn a_walk_ends_at_its_bounds_and_where_nobody_waits_for_it() {
        let folder = folder(&[("a/1.md", "1"), ("a/2.md", "2"), ("b/3.md", "3"), ("b/4.md", "4")]);
        let within = |reach: &mut Reach<'_>| {
            let expansion = expand_within(folder.path(), 1000, reach).unwrap();
            (paths(&expansion).join(" "), expansion.complete)
        };
        // Six entries: two folders and what is in them.
        for (files, entries, found, more) in [
            (4, 6, "a/1.md a/2.md b/3.md b/4.md", false),
            (3, 6, "a/1.md a/2.md b/3.md", true),
            (4, 4, "a/1.md a/2.md", true),
            (4, 1, "", true),
            (0, 6, "", true),
        ] {
            let mut reach = Reach::new(files, entries, &|| true);
            let (seen, complete) = within(&mut reach);
            assert_eq!(
                (seen.as_str(), complete, reach.has_more()),
                (found, !more, more),
                "{files} {entries}"
            );
        }
        // Called for each entry listed and each one examined: the seventh call is for the second file.
        let asked = std::cell::Cell::new(0);
        let waited_for = || asked.replace(asked.get() + 1) < 6;
        assert_eq!(within(&mut Reach::new(100, 100, &waited_for)), ("a/1.md".to_owned(), false));
    }

    #[cfg(unix)]
    #[test]
    fn what_is_no_file_is_not_opened() {
        let folder = folder(&[]);
        let socket = folder.path().join("socket.md");
        let _listener = std::os::unix::net::UnixListener::bind(&socket).unwrap();
        let error = expand(&socket, 1000).unwrap_err();
        assert!(error.to_string().contains("neither a file nor a folder"), "{error}");
        let expansion = expand(folder.path(), 1000).unwrap();
        assert!(expansion.files.is_empty());
        let skipped: Vec<_> =
            expansion.skipped.iter().map(|each| (each.path.as_str(), each.code.as_str())).collect();
        assert_eq!(skipped, [("socket.md", "special")]);
    }

    #[test]
    fn archives_are_left_out_whether_named_or_found() {
        let folder = folder(&[("a.md", "# A"), ("old.zip", "PK"), ("b/older.zip", "PK")]);
        for path in [folder.path().to_owned(), folder.path().join("old.zip")] {
            let skipped = expand(&path, 1000).unwrap().skipped;
            assert_eq!(skipped.len(), 1, "{skipped:?}");
            assert_eq!(skipped[0].code, "archive");
            assert!(skipped[0].message.ends_with(" first"), "{skipped:?}");
        }
        assert!(expand(&folder.path().join("old.zip"), 1000).unwrap().files.is_empty());
    }

    #[test]
    fn of_json_only_lists_of_pages_are_taken_from_a_folder() {
        let pages = r#"[{"page": 1, "text": "Our mill"}, {"page": 2, "text": "Our river"}]"#;
        let folder = folder(&[
            ("_category_.json", r#"{"label": "Concepts"}"#),
            ("links.json", r#"[{"label": "Concepts"}]"#),
            ("report.json", pages),
            ("page.md", "# Page"),
        ]);
        let expansion = expand(folder.path(), 1000).unwrap();
        assert_eq!(paths(&expansion), ["page.md", "report.json"]);
        assert_eq!(expansion.skipped.len(), 1, "{:?}", expansion.skipped);
        assert!(expansion.skipped[0].message.starts_with("2 .json files contain no list of pages"));
        assert_eq!(paths(&expand(&folder.path().join("links.json"), 1000).unwrap()), ["links.json"]);
        assert_eq!(paths(&expand(folder.path(), 30).unwrap()), ["page.md", "report.json"]);
    }

    #[test]
    fn neighbours_settle_what_a_file_leaves_open() {
        let docs = folder(&[("a/one.md", "# 1"), ("a/reporting.md", "# 2"), ("notes.txt", "n")]);
        let kinds = |folder: &Path| {
            expand(folder, 1000).unwrap().files.iter().map(|f| f.kind.name).collect::<Vec<_>>()
        };
        assert_eq!(kinds(docs.path()), ["docs"; 3]);
        let reports = folder(&[("reports-md/order.md", "---\ntitle: Order\n---\n")]);
        assert_eq!(kinds(&reports.path().join("reports-md")), ["report"]);
        assert_eq!(kinds(&reports.path().join("reports-md/order.md")), ["report"]);
    }

    #[test]
    fn uploads_stay_below_their_root() {
        for (name, path) in [
            ("../../etc/passwd", "etc/passwd"),
            ("C:\\a\\b.md", "C:/a/b.md"),
            ("/", "upload"),
            ("a//b", "a/b"),
        ] {
            assert_eq!(upload_path(name), path);
        }
    }

    #[test]
    fn slugs_are_short_names() {
        for (text, expected) in [
            ("Annual Report 2024.final", "annual-report-2024-final"),
            ("Årsredovisning", "årsredovisning"),
            ("—", ""),
        ] {
            assert_eq!(slug(text), expected);
        }
    }
}
