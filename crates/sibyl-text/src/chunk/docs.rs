//! Documentation trees: never across a heading, atomic code, tables and admonitions, breadcrumb and link.

mod address;
mod slug;

use super::limits::{self, Limits};
use super::pack::{self, Orphans, Packed, Packing};
use super::{Chunk, ChunkContext, Strategy, context_header};
use crate::document::Document;
use crate::param::{Param, ParamError, Settings};
use serde_json::{Map, Value};

/// Chunks pages of a documentation tree.
pub struct Docs;

static PARAMS: [Param; 8] = [
    limits::target(500),
    limits::min(200),
    limits::max(800),
    limits::overlap(50),
    limits::SPLIT_AT_HEADINGS,
    limits::keep_tables(true),
    limits::merge_orphans("Join a heading that has no text with the section that follows."),
    limits::CONTEXT_HEADER,
];

impl Strategy for Docs {
    fn name(&self) -> &'static str {
        "docs"
    }
    fn summary(&self) -> &'static str {
        "Documentation trees: by heading, with breadcrumb and link; code, tables and admonitions stay whole."
    }
    fn params(&self) -> &'static [Param] {
        &PARAMS
    }
    fn check(&self, settings: &Settings) -> Result<(), ParamError> {
        Limits::check(settings)
    }
    fn cut(&self, document: &Document, settings: &Settings, context: &ChunkContext<'_>) -> Vec<Chunk> {
        let limits = Limits::of(settings);
        let page = DocsPage::new(document, context);
        let headed = settings.switch("context_header");
        let header = |section: Option<usize>| {
            let path = page.breadcrumb(section);
            if headed { context_header(path, limits.header(), context.tokens) } else { String::new() }
        };
        let packing = Packing {
            document,
            tokens: context.tokens,
            limits,
            split_level: settings.integer("split_at_headings"),
            keep_tables: settings.switch("keep_tables"),
            orphans: if settings.switch("merge_orphans") { Orphans::Headings } else { Orphans::Stay },
            header: &header,
        };
        let packed = pack::pack(&packing).into_iter().enumerate();
        packed
            .map(|(index, packed)| {
                let metadata = page.metadata(index, &packed);
                Chunk { pieces: packed.pieces, parent: None, oversize: packed.oversize, metadata }
            })
            .collect()
    }
}

/// What all chunks of a page share.
struct DocsPage<'a> {
    document: &'a Document,
    base_url: &'a str,
    title: &'a str,
    route: String,
    anchors: Vec<String>,
    /// What the page as a whole is, if it is not prose.
    content_type: Option<&'static str>,
    /// Fields that every chunk repeats.
    shared: Map<String, Value>,
}

impl<'a> DocsPage<'a> {
    fn new(document: &'a Document, context: &ChunkContext<'a>) -> Self {
        let front = &document.metadata;
        let path = context.path;
        let title = document.title.as_deref().unwrap_or_else(|| stem(path));
        let text = |name: &str| front.get(name).and_then(Value::as_str);
        let folders: Vec<&str> = path.split('/').collect();
        let folder = |level: usize| if level + 1 < folders.len() { folders[level] } else { "" };
        let mut shared = Map::new();
        let mut set = |name: &str, value: Value| drop(shared.insert(name.to_owned(), value));
        set("doc_path", path.into());
        set("module", text("module").unwrap_or_else(|| folder(0)).into());
        set("chapter", text("chapter").unwrap_or_else(|| folder(1)).into());
        set("title", title.into());
        set("tags", list(front.get("tags")));
        if let Some(description) = text("description").or_else(|| text("Description")) {
            set("description", description.into());
        }
        if let Some(objectives) = front.get("learning_objectives") {
            set("learning_objectives", list(Some(objectives)));
        }
        if let Some(label) = text("sidebar_label") {
            set("sidebar_label", label.into());
        }
        if let Some(position) = front.get("sidebar_position").filter(|p| p.is_number()) {
            set("sidebar_position", position.clone());
        }
        let declared =
            text("content_type").and_then(|t| CONTENT_TYPES.iter().find(|known| **known == t).copied());
        Self {
            document,
            base_url: context.base_url,
            title,
            route: address::route(path, front),
            anchors: slug::anchors(document),
            content_type: declared.or_else(|| content_type_of(path)),
            shared,
        }
    }

    /// Page title, then the headings down to `section`; a level-1 heading that repeats the title appears once.
    fn breadcrumb(&self, section: Option<usize>) -> Vec<&str> {
        let mut path = self.document.section_path(section);
        if path.first() != Some(&self.title) {
            path.insert(0, self.title);
        }
        path
    }

    fn metadata(&self, index: usize, packed: &Packed) -> Map<String, Value> {
        let section = packed.section.map(|i| &self.document.sections[i]);
        let anchor = packed.section.map_or("", |i| self.anchors[i].as_str());
        let own = match packed.body.len() {
            length if packed.code * 2 > length => "code",
            length if packed.table * 2 > length => "table",
            _ => "prose",
        };
        let mut metadata = self.shared.clone();
        let mut set = |name: &str, value: Value| drop(metadata.insert(name.to_owned(), value));
        set("section_heading", section.map_or(self.title, |s| s.title.as_str()).into());
        set("heading_breadcrumb", self.breadcrumb(packed.section).into());
        set("chunk_index", index.into());
        set("content_type", self.content_type.unwrap_or(own).into());
        set("url", address::url(self.base_url, &self.route, anchor).into());
        metadata
    }
}

/// Values of `content_type`.
const CONTENT_TYPES: [&str; 6] = ["prose", "code", "table", "lab", "quiz", "assessment"];

/// Lab, quiz or assessment, if a folder or the file has that name.
fn content_type_of(path: &str) -> Option<&'static str> {
    let lower = path.to_lowercase();
    let mut words = lower.split(|c: char| !c.is_alphanumeric());
    words.find_map(|word| match word {
        "lab" | "labs" => Some("lab"),
        "quiz" | "quizzes" => Some("quiz"),
        "assessment" | "assessments" => Some("assessment"),
        _ => None,
    })
}

/// A list of texts from front matter that may have one text, several separated by commas, or a list.
fn list(value: Option<&Value>) -> Value {
    match value {
        Some(Value::Array(items)) => items
            .iter()
            .filter_map(|item| match item {
                Value::String(text) => Some(text.trim().into()),
                // Docusaurus also accepts tags as `{label, permalink}`.
                Value::Object(fields) => fields.get("label").cloned(),
                Value::Null => None,
                other => Some(other.to_string().into()),
            })
            .collect(),
        Some(Value::String(text)) => {
            text.split(',').map(str::trim).filter(|t| !t.is_empty()).map(Value::from).collect()
        }
        _ => Value::Array(Vec::new()),
    }
}

/// File name without its extension.
fn stem(path: &str) -> &str {
    let name = path.rsplit('/').next().unwrap_or(path);
    name.rsplit_once('.').map_or(name, |(stem, _)| stem)
}
