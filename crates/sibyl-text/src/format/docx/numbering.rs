//! Lists: the number or sign that stands before a paragraph.

use crate::format::numbering::Numbering;
use crate::format::office::{attribute, below, element, elements};
use crate::format::write::Mark;
use roxmltree::Node;
use std::collections::HashMap;

/// Levels of a list (ECMA-376, 17.9.6).
const LEVELS: usize = 9;

/// How a level of a list is numbered.
#[derive(Debug, Clone)]
struct Level {
    start: i64,
    /// `None` for signs that are no numbers.
    numbering: Option<Numbering>,
    /// The text of the number, with `%1` to `%9` in the place of the numbers.
    text: String,
}

/// The lists of a document.
#[derive(Debug, Default)]
pub(super) struct Lists {
    levels: HashMap<String, Vec<Option<Level>>>,
    /// Definition of each list, and where its own levels begin.
    lists: HashMap<String, (String, HashMap<usize, i64>)>,
    /// Last numbers of each definition, by level.
    counters: HashMap<String, [Option<i64>; LEVELS]>,
    /// Lists whose own start was counted from.
    started: HashMap<(String, usize), ()>,
}

impl Lists {
    pub(super) fn of(root: Node<'_, '_>) -> Self {
        let mut lists = Self::default();
        for definition in elements(root, "abstractNum") {
            let mut levels = vec![None; LEVELS];
            for node in elements(definition, "lvl") {
                let index = attribute(node, "ilvl").and_then(|level| level.parse::<usize>().ok());
                if let Some(slot) = index.and_then(|index| levels.get_mut(index)) {
                    *slot = Some(Level::of(node));
                }
            }
            let id = attribute(definition, "abstractNumId").unwrap_or_default();
            lists.levels.insert(id.to_owned(), levels);
        }
        for list in elements(root, "num") {
            let definition = element(list, "abstractNumId").and_then(|node| attribute(node, "val"));
            let starts = elements(list, "lvlOverride").filter_map(|over| {
                let start = attribute(element(over, "startOverride")?, "val")?.parse().ok()?;
                Some((attribute(over, "ilvl")?.parse().ok()?, start))
            });
            if let (Some(id), Some(definition)) = (attribute(list, "numId"), definition) {
                lists.lists.insert(id.to_owned(), (definition.to_owned(), starts.collect()));
            }
        }
        lists
    }

    /// What stands before the next paragraph of `list` at `level`; `None` where nothing does.
    pub(super) fn next(&mut self, list: &str, level: usize) -> Option<Mark> {
        let level = level.min(LEVELS - 1);
        let (definition, starts) = self.lists.get(list)?;
        let levels = self.levels.get(definition)?;
        let own = levels[level].as_ref()?;
        let counters = self.counters.entry(definition.clone()).or_default();
        let restart = starts.get(&level).copied();
        let first = restart.filter(|_| self.started.insert((list.to_owned(), level), ()).is_none());
        let number =
            first.unwrap_or_else(|| counters[level].map_or(own.start, |last| last.saturating_add(1)));
        counters[level] = Some(number);
        counters[level + 1..].fill(None);
        if own.numbering.is_none() {
            return Some(Mark::Bullet);
        }
        let mut text = own.text.clone();
        for (index, level) in levels.iter().enumerate() {
            let Some(level) = level else { continue };
            let number = counters[index].unwrap_or(level.start);
            let shown = level.numbering.unwrap_or(Numbering::Decimal).shown(number);
            text = text.replace(&format!("%{}", index + 1), &shown);
        }
        let text = text.trim();
        (!text.is_empty()).then(|| Mark::Label(text.to_owned()))
    }
}

impl Level {
    fn of(node: Node<'_, '_>) -> Self {
        let value = |name| below(node, &[name]).and_then(|found| attribute(found, "val"));
        let numbering = match value("numFmt").unwrap_or("decimal") {
            "bullet" => None,
            "lowerLetter" => Some(Numbering::LowerLetter),
            "upperLetter" => Some(Numbering::UpperLetter),
            "lowerRoman" => Some(Numbering::LowerRoman),
            "upperRoman" => Some(Numbering::UpperRoman),
            _ => Some(Numbering::Decimal),
        };
        let start = value("start").and_then(|start| start.parse().ok()).unwrap_or(1);
        let text = if value("numFmt") == Some("none") { "" } else { value("lvlText").unwrap_or_default() };
        Self { start, numbering, text: text.to_owned() }
    }
}
