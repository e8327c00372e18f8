//! Styles of paragraphs: which are headings, lists, entries of a table of contents.

use crate::format::office::{attribute, below, element, elements};
use roxmltree::Node;
use std::collections::HashMap;

/// Most styles that are based on one another in a row.
const DEPTH: usize = 32;

/// What a style says of its paragraphs.
#[derive(Debug, Clone, Default)]
struct Style {
    name: String,
    based_on: Option<String>,
    outline: Option<u8>,
    list: Option<String>,
    list_level: Option<usize>,
}

/// The styles of a document, by id.
#[derive(Debug, Default)]
pub(super) struct Styles(HashMap<String, Style>);

impl Styles {
    pub(super) fn of(root: Node<'_, '_>) -> Self {
        let styles = elements(root, "style").filter(|style| attribute(*style, "type") == Some("paragraph"));
        let style = |node| {
            let value = |path: &[&str]| below(node, path).and_then(|found| attribute(found, "val"));
            let style = Style {
                name: value(&["name"]).unwrap_or_default().to_lowercase(),
                based_on: value(&["basedOn"]).map(str::to_owned),
                outline: value(&["pPr", "outlineLvl"]).and_then(|level| level.parse().ok()),
                list: value(&["pPr", "numPr", "numId"]).map(str::to_owned),
                list_level: value(&["pPr", "numPr", "ilvl"]).and_then(|level| level.parse().ok()),
            };
            Some((attribute(node, "styleId")?.to_owned(), style))
        };
        Self(styles.filter_map(style).collect())
    }

    /// The style called `id` and those it is based on.
    fn chain<'s>(&'s self, id: &str) -> impl Iterator<Item = &'s Style> {
        let first = self.0.get(id);
        std::iter::successors(first, |style| self.0.get(style.based_on.as_ref()?)).take(DEPTH)
    }

    /// Heading level, 1 to 6, of a paragraph with the properties `properties`.
    pub(super) fn heading(&self, properties: Option<Node<'_, '_>>) -> Option<u8> {
        let own = properties.and_then(|p| element(p, "outlineLvl")).and_then(|level| attribute(level, "val"));
        let own = own.and_then(|level| level.parse::<u8>().ok());
        let by_name = |style: &Style| match style.name.as_str() {
            "title" => Some(0),
            name => name.strip_prefix("heading ")?.trim().parse::<u8>().ok()?.checked_sub(1),
        };
        let of_style =
            || self.chain(id(properties)?).find_map(|style| style.outline.or_else(|| by_name(style)));
        own.or_else(of_style).filter(|level| *level < 9).map(|level| level.min(5) + 1)
    }

    /// Whether the paragraph is an entry of a table of contents.
    pub(super) fn is_contents(&self, properties: Option<Node<'_, '_>>) -> bool {
        let name = id(properties).and_then(|id| self.0.get(id)).map_or("", |style| style.name.as_str());
        name.starts_with("toc ") || matches!(name, "table of figures" | "toc heading")
    }

    /// List and level that the paragraph has by its style.
    pub(super) fn list(&self, properties: Option<Node<'_, '_>>) -> Option<(String, usize)> {
        let id = id(properties)?;
        let list = self.chain(id).find_map(|style| style.list.clone())?;
        let level = self.chain(id).find_map(|style| style.list_level).unwrap_or(0);
        Some((list, level))
    }
}

/// Whether a document with these styles is written in English, or says nothing of its language.
pub(super) fn is_english(root: Node<'_, '_>) -> bool {
    let language = below(root, &["docDefaults", "rPrDefault", "rPr", "lang"]);
    language.and_then(|language| attribute(language, "val")).is_none_or(|name| name.starts_with("en"))
}

fn id<'t>(properties: Option<Node<'t, '_>>) -> Option<&'t str> {
    attribute(element(properties?, "pStyle")?, "val")
}
