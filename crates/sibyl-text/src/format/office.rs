//! Office files: archives of parts. Nothing in them is trusted: what inflates without end, what is locked and what
//! is something else is reported.

mod agile;

use super::{Input, encoding, locked};
use crate::document::{Document, Notice, Severity};
use roxmltree::{Node, ParsingOptions};
use serde_json::{Map, Value};
use std::collections::HashMap;
use std::io::{Cursor, Read as _};
use zip::ZipArchive;
use zip::result::ZipError;

/// Most bytes of all parts that are read of one file.
const MAX_BYTES: u64 = 1 << 30;
/// Most bytes a part inflates to for each of its bytes, once it is larger than [`SMALL`]. Sheets of equal cells come to
/// about 100; the format allows 1,032.
const MAX_RATIO: u64 = 250;
const SMALL: u64 = 8 << 20;
/// Most elements and texts of one part.
const MAX_NODES: u32 = 20_000_000;
/// Bytes at both ends of a file in which the names of its parts are looked for.
const REACH: usize = 64 << 10;
/// Begins an OLE compound file: a file of the years before 2007, or a locked one.
const OLE: &[u8] = b"\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1";
/// The stream of an OLE file that holds a locked one, in UTF-16.
const LOCKED: &[u8] = b"E\0n\0c\0r\0y\0p\0t\0e\0d\0P\0a\0c\0k\0a\0g\0e\0";

/// A kind of Office file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Package {
    /// What it is called, such as `a Word document`.
    pub(super) name: &'static str,
    /// Its extensions, the usual one first.
    pub(super) extensions: &'static [&'static str],
    /// The part that every such file has.
    pub(super) main: &'static str,
    /// What stands near the start of every such file, where its parts are named alike.
    pub(super) mime: Option<&'static str>,
}

pub(super) const DOCX: Package = Package {
    name: "a Word document",
    extensions: &["docx", "docm", "dotx"],
    main: "word/document.xml",
    mime: None,
};
pub(super) const XLSX: Package = Package {
    name: "an Excel workbook",
    extensions: &["xlsx", "xlsm", "xltx"],
    main: "xl/workbook.xml",
    mime: None,
};
pub(super) const PPTX: Package = Package {
    name: "a PowerPoint presentation",
    extensions: &["pptx", "pptm", "ppsx"],
    main: "ppt/presentation.xml",
    mime: None,
};
pub(super) const ODS: Package = Package {
    name: "an OpenDocument spreadsheet",
    extensions: &["ods"],
    main: "content.xml",
    mime: Some("application/vnd.oasis.opendocument.spreadsheet"),
};

pub(super) const ODT: Package = Package {
    name: "an OpenDocument text",
    extensions: &["odt", "ott"],
    main: "content.xml",
    mime: Some("application/vnd.oasis.opendocument.text"),
};
pub(super) const EPUB: Package =
    Package { name: "an EPUB book", extensions: &["epub"], main: "META-INF/container.xml", mime: None };

const PACKAGES: [Package; 6] = [DOCX, XLSX, PPTX, ODS, ODT, EPUB];

/// Whether a file is of `kind`: by its parts, else by its name.
pub(super) fn is(input: &Input<'_>, kind: &Package) -> bool {
    let extension = input.extension();
    let named = |kind: &Package| kind.extensions.contains(&extension.as_str());
    if input.bytes.starts_with(OLE) {
        return named(kind) || (is_locked(input.bytes) && *kind == DOCX && !PACKAGES.iter().any(named));
    }
    if !input.bytes.starts_with(b"PK\x03\x04") {
        return named(kind);
    }
    let bytes = input.bytes;
    let ends = [&bytes[..bytes.len().min(REACH)], &bytes[bytes.len().saturating_sub(REACH)..]];
    let holds = |kind: &Package| {
        let mark = kind.mime.unwrap_or(kind.main).as_bytes();
        ends.iter().any(|end| memchr::memmem::find(end, mark).is_some())
    };
    // A file may carry one of another kind inside; what it is called then decides.
    let found = PACKAGES
        .iter()
        .find(|kind| named(kind) && holds(kind))
        .or_else(|| PACKAGES.iter().find(|kind| holds(kind)));
    found.or_else(|| PACKAGES.iter().find(|kind| named(kind))) == Some(kind)
}

fn is_locked(bytes: &[u8]) -> bool {
    bytes.starts_with(OLE) && memchr::memmem::find(bytes, LOCKED).is_some()
}

/// What `read` makes of a file of `kind`, with the first of `passwords` that opens it where it is locked.
pub(super) fn unlocked(
    input: &Input<'_>,
    kind: Package,
    passwords: &[String],
    read: fn(&Input<'_>) -> Result<Document, Notice>,
) -> Document {
    if !is_locked(input.bytes) || passwords.is_empty() {
        return read(input).unwrap_or_else(refused);
    }
    let Some(file) = agile::Locked::open(input.bytes) else { return refused(encrypted(kind)) };
    match passwords.iter().find_map(|password| file.unlocked(password)) {
        Some(bytes) => read(&Input { bytes: &bytes, ..*input }).unwrap_or_else(refused),
        None => refused(locked::locked(kind.name, passwords.len())),
    }
}

/// The parts of a file.
pub(super) struct Parts<'a> {
    zip: ZipArchive<Cursor<&'a [u8]>>,
    names: Vec<String>,
    kind: Package,
    /// Name of the part that holds the text or lists the parts that do.
    pub(super) main: String,
    inflated: u64,
    /// What was found beside the text.
    pub(super) notices: Vec<Notice>,
}

impl<'a> Parts<'a> {
    /// Opens a file of `kind`.
    ///
    /// # Errors
    /// A notice that says what came instead.
    pub(super) fn open(input: &Input<'a>, kind: Package) -> Result<Self, Notice> {
        let bytes = input.bytes;
        if bytes.starts_with(OLE) {
            if is_locked(bytes) {
                return Err(locked::locked(kind.name, 0));
            }
            if [DOCX, XLSX, PPTX].contains(&kind) {
                return Err(old(kind));
            }
        }
        if !bytes.starts_with(b"PK") {
            let came = match encoding::binary_kind(bytes) {
                _ if bytes.is_empty() => "an empty file",
                Some(what) => what,
                None => "text",
            };
            let message = format!(
                "expected {}, found {came}; give the file the extension that matches its content",
                kind.name
            );
            return Err(Notice::new(Severity::Error, "wrong_kind", message));
        }
        let zip = ZipArchive::new(Cursor::new(bytes)).map_err(|_| broken(kind))?;
        // A name that is no text names no part.
        let names = zip.file_names().filter_map(|name| Some(name.ok()?.into_owned())).collect();
        let main = kind.main.to_owned();
        let mut parts = Self { zip, names, kind, main, inflated: 0, notices: Vec::new() };
        if parts.zip.index_for_name(kind.main).is_none() && [DOCX, PPTX].contains(&kind) {
            // Some programs name it otherwise; the archive itself refers to it.
            let named = parts.references("")?.into_values().find(|named| named.kind == "officeDocument");
            parts.main = named.map_or(parts.main, |named| named.part);
        }
        if parts.zip.index_for_name(&parts.main).is_none() {
            let message = format!(
                "expected {} with the part {}, found an archive of other files ({}); extract it and ingest what is \
                 inside",
                kind.name,
                kind.main,
                parts.names[..parts.names.len().min(3)].join(", ")
            );
            return Err(Notice::new(Severity::Error, "wrong_kind", message));
        }
        if parts.names.iter().any(|name| name.ends_with("vbaProject.bin")) {
            let message = "the file contains macros; they were neither run nor read";
            parts.notices.push(Notice::new(Severity::Info, "macros_ignored", message));
        }
        Ok(parts)
    }

    /// Names of the parts.
    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        self.names.iter().map(String::as_str)
    }

    /// The bytes of part `name`; `None` where there is none.
    ///
    /// # Errors
    /// A notice where the part is damaged, locked or inflates without end.
    pub(super) fn bytes(&mut self, name: &str) -> Result<Option<Vec<u8>>, Notice> {
        let Some(index) = self.zip.index_for_name(name) else { return Ok(None) };
        let kind = self.kind;
        let part = self.zip.by_index(index).map_err(|error| match error {
            ZipError::UnsupportedArchive(ZipError::PASSWORD_REQUIRED) => encrypted(kind),
            _ => broken(kind),
        })?;
        let most =
            (part.compressed_size().saturating_mul(MAX_RATIO)).max(SMALL).min(MAX_BYTES - self.inflated);
        let mut bytes = Vec::new();
        part.take(most + 1).read_to_end(&mut bytes).map_err(|_| broken(kind))?;
        if bytes.len() as u64 > most {
            return Err(bomb(kind, name));
        }
        self.inflated += bytes.len() as u64;
        Ok(Some(bytes))
    }

    /// The text of part `name`.
    ///
    /// # Errors
    /// As [`Self::bytes`].
    pub(super) fn text(&mut self, name: &str) -> Result<Option<String>, Notice> {
        let Some(bytes) = self.bytes(name)? else { return Ok(None) };
        match encoding::decode(&bytes) {
            Ok(decoded) => Ok(Some(decoded.text)),
            Err(_) => Err(broken(self.kind)),
        }
    }

    /// What the parts that `part` refers to are called, by the id of the reference: kind and name of each.
    ///
    /// # Errors
    /// As [`Self::bytes`].
    pub(super) fn references(&mut self, part: &str) -> Result<HashMap<String, Reference>, Notice> {
        let (folder, name) = part.rsplit_once('/').unwrap_or(("", part));
        let path = format!("{folder}/_rels/{name}.rels");
        let Some(text) = self.text(path.trim_start_matches('/'))? else { return Ok(HashMap::new()) };
        let tree = parse(&text, self.kind)?;
        let references = elements(tree.root_element(), "Relationship").filter_map(|node| {
            let target = attribute(node, "Target")?;
            let outside = attribute(node, "TargetMode") == Some("External");
            let kind = attribute(node, "Type")?.rsplit('/').next()?.to_owned();
            let reference = Reference { kind, part: resolve(folder, target) };
            (!outside).then(|| Some((attribute(node, "Id")?.to_owned(), reference)))?
        });
        Ok(references.collect())
    }

    /// What is said of comments in the file, which are no part of its text.
    ///
    /// # Errors
    /// A notice where a part inflates without end or is damaged.
    pub(super) fn comments(&mut self) -> Result<Option<Notice>, Notice> {
        let told = |name: &&str| {
            let file = name.rsplit('/').next().unwrap_or_default();
            let folder = name.contains("/comments/");
            name.ends_with(".xml")
                && (folder
                    || file.trim_end_matches(|c: char| !c.is_ascii_alphabetic()).starts_with("comments"))
        };
        let names: Vec<String> = self.names().filter(told).map(str::to_owned).collect();
        let mut count = 0;
        for name in names.iter().filter(|name| !name.contains("commentsExt") && !name.contains("commentsIds"))
        {
            let text = self.text(name)?.unwrap_or_default();
            let tree = parse(&text, self.kind)?;
            let comments =
                tree.descendants().filter(|node| matches!(node.tag_name().name(), "comment" | "cm"));
            count += comments.count();
        }
        Ok(comments_left_out(count))
    }

    /// What the file says about itself.
    pub(super) fn metadata(&mut self) -> Map<String, Value> {
        let mut out = Map::new();
        let Ok(Some(text)) = self.text("docProps/core.xml") else { return out };
        let Ok(tree) = parse(&text, self.kind) else { return out };
        for (key, element) in [
            ("title", "title"),
            ("author", "creator"),
            ("subject", "subject"),
            ("keywords", "keywords"),
            ("created", "created"),
            ("modified", "modified"),
        ] {
            let found =
                elements(tree.root_element(), element).next().and_then(|node| node.text()).map(str::trim);
            let day = |value: &str| value.get(..10).unwrap_or(value).to_owned();
            let dated = matches!(key, "created" | "modified");
            if let Some(value) = found.filter(|value| !value.is_empty()) {
                let value = if dated { day(value) } else { value.to_owned() };
                out.insert(key.to_owned(), value.into());
            }
        }
        out
    }
}

/// A reference of one part to another.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Reference {
    /// Last word of its type, such as `slide`.
    pub(super) kind: String,
    /// Name of the part.
    pub(super) part: String,
}

/// The part that `target` names from a part in `folder`.
pub(super) fn resolve(folder: &str, target: &str) -> String {
    if let Some(whole) = target.strip_prefix('/') {
        return whole.to_owned();
    }
    let mut path: Vec<&str> = folder.split('/').filter(|part| !part.is_empty()).collect();
    for part in target.split('/') {
        match part {
            "" | "." => {}
            ".." => drop(path.pop()),
            part => path.push(part),
        }
    }
    path.join("/")
}

/// The tree of a part. Document types, and with them entities of the file's own, are refused: no Office program
/// writes any.
///
/// # Errors
/// A notice where the part is no XML.
pub(super) fn parse(text: &str, kind: Package) -> Result<roxmltree::Document<'_>, Notice> {
    let options = ParsingOptions { allow_dtd: false, nodes_limit: MAX_NODES, ..ParsingOptions::default() };
    roxmltree::Document::parse_with_options(text, options).map_err(|error| match error {
        roxmltree::Error::DtdDetected => {
            let message = format!(
                "expected {} as an Office program saves it, found one that defines its own XML entities, which are \
                 never resolved; open it and save it again",
                kind.name
            );
            Notice::new(Severity::Error, "xml_entities", message)
        }
        _ => broken(kind),
    })
}

/// The children of `node` that are elements called `name`, in whatever namespace.
pub(super) fn elements<'t, 'i: 't>(node: Node<'t, 'i>, name: &str) -> impl Iterator<Item = Node<'t, 'i>> {
    node.children().filter(move |child| child.is_element() && child.tag_name().name() == name)
}

/// The first child of `node` that is an element called `name`.
pub(super) fn element<'t, 'i: 't>(node: Node<'t, 'i>, name: &str) -> Option<Node<'t, 'i>> {
    elements(node, name).next()
}

/// The first element called `name` on the way that `path` names down from `node`.
pub(super) fn below<'t, 'i: 't>(node: Node<'t, 'i>, path: &[&str]) -> Option<Node<'t, 'i>> {
    path.iter().try_fold(node, |node, name| element(node, name))
}

/// An attribute of `node`, in whatever namespace.
pub(super) fn attribute<'t>(node: Node<'t, '_>, name: &str) -> Option<&'t str> {
    node.attributes().find(|attribute| attribute.name() == name).map(|attribute| attribute.value())
}

/// How far right a style of OpenDocument begins its paragraphs (hundredths of a point); 0 where it does not say.
pub(super) fn indent_of(style: Node<'_, '_>) -> u32 {
    const UNITS: [(&str, f32); 5] =
        [("cm", 72.0 / 2.54), ("mm", 72.0 / 25.4), ("in", 72.0), ("pt", 1.0), ("pc", 12.0)];
    let properties = element(style, "paragraph-properties");
    let points = |name: &str| {
        let value = properties.and_then(|properties| attribute(properties, name)).unwrap_or_default();
        let known = UNITS.iter().find_map(|(unit, points)| Some((value.strip_suffix(unit)?, points)));
        known.and_then(|(number, points)| Some(number.parse::<f32>().ok()? * points)).unwrap_or(0.0)
    };
    // A float becomes the nearest number that there is.
    ((points("margin-left") + points("text-indent")) * 100.0).round().max(0.0) as u32
}

/// A document of which nothing could be read.
pub(super) fn refused(notice: Notice) -> Document {
    Document { notices: vec![notice], ..Document::default() }
}

/// A file that is damaged.
/// What is said of `count` comments.
pub(super) fn comments_left_out(count: usize) -> Option<Notice> {
    let (comments, were) = if count == 1 { ("comment", "was") } else { ("comments", "were") };
    let message = format!("{count} {comments} {were} left out; make them part of the text to include them");
    (count > 0).then(|| Notice::new(Severity::Info, "comments_left_out", message))
}

pub(super) fn broken(kind: Package) -> Notice {
    let message = format!(
        "expected {} that is complete, found one that is damaged or cut off; download it again, or open it and save \
         it again",
        kind.name
    );
    Notice::new(Severity::Error, "office_broken", message)
}

fn bomb(kind: Package, part: &str) -> Notice {
    let message = format!(
        "expected {} of ordinary size, found one whose part {part} unpacks to an excessive size; if you trust the \
         file, open it and save it again",
        kind.name
    );
    Notice::new(Severity::Error, "archive_bomb", message)
}

fn old(kind: Package) -> Notice {
    let message = format!(
        "expected {} (.{}), found a file from an Office program older than 2007; open it and save it in the new format",
        kind.name, kind.extensions[0]
    );
    Notice::new(Severity::Error, "not_text", message)
}

/// A file that is locked in a way that no password helps with.
pub(super) fn encrypted(kind: Package) -> Notice {
    let message = format!(
        "expected {} that opens without a password, found one that is locked in a way Sibyl does not support; save a copy \
         without a password",
        kind.name
    );
    Notice::new(Severity::Error, "office_encrypted", message)
}
