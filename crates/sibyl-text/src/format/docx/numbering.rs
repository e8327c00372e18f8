//! Lists: the number or sign that stands before a paragraph.

use crate::format::builder::Mark;
use crate::format::numbering::Numbering;
use crate::format::office::{attribute, element, elements};
use roxmltree::Node;
use std::collections::{HashMap, HashSet};

/// Levels of a list (ECMA-376, 17.9.6).
const LEVELS: usize = 9;

/// How a level of a list is numbered.
#[derive(Debug, Clone)]
struct Level {
    start: i64,
    sign: Sign,
    /// The text of the number, with `%1` to `%9` in the place of the numbers.
    text: String,
    /// Whether the numbers of upper levels are shown as digits here, whatever they are there.
    legal: bool,
    /// Upper levels after which it starts again; all of them where nothing is said.
    restarts_below: Option<usize>,
}

/// What a level shows of its number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Sign {
    Bullet,
    Number(Numbering),
    Nothing,
}

/// A list: its definition, and what it sets for itself by level.
#[derive(Debug)]
struct List {
    definition: String,
    starts: HashMap<usize, i64>,
    levels: HashMap<usize, Level>,
}

/// The lists of a document.
#[derive(Debug, Default)]
pub(super) struct Lists {
    levels: HashMap<String, Vec<Option<Level>>>,
    lists: HashMap<String, List>,
    /// Last numbers of each definition, by level.
    counters: HashMap<String, [Option<i64>; LEVELS]>,
    /// Lists whose own start was counted from.
    started: HashSet<(String, usize)>,
}

impl Lists {
    /// The lists that `root` defines, in a document that is `english` or not.
    pub(super) fn of(root: Node<'_, '_>, english: bool) -> Self {
        let mut lists = Self::default();
        let value = |node, name| element(node, name).and_then(|found| attribute(found, "val"));
        // A definition may be kept by a style, to which others refer.
        let (mut by_style, mut referring) = (HashMap::new(), HashMap::new());
        for definition in elements(root, "abstractNum") {
            let mut levels = vec![None; LEVELS];
            for node in elements(definition, "lvl") {
                if let Some(slot) = index(node).and_then(|index| levels.get_mut(index)) {
                    *slot = Some(Level::of(node, english));
                }
            }
            let id = attribute(definition, "abstractNumId").unwrap_or_default();
            by_style.extend(value(definition, "styleLink").map(|style| (style, id)));
            referring.extend(value(definition, "numStyleLink").map(|style| (id, style)));
            lists.levels.insert(id.to_owned(), levels);
        }
        for list in elements(root, "num") {
            let (Some(id), Some(own)) = (attribute(list, "numId"), value(list, "abstractNumId")) else {
                continue;
            };
            let definition = referring.get(own).and_then(|style| by_style.get(style)).copied().unwrap_or(own);
            let (mut starts, mut levels) = (HashMap::new(), HashMap::new());
            for over in elements(list, "lvlOverride") {
                let Some(level) = index(over) else { continue };
                starts.extend(
                    value(over, "startOverride").and_then(|start| Some((level, start.parse().ok()?))),
                );
                levels.extend(element(over, "lvl").map(|node| (level, Level::of(node, english))));
            }
            lists.lists.insert(id.to_owned(), List { definition: definition.to_owned(), starts, levels });
        }
        lists
    }

    /// What stands before the next paragraph of `list` at `level`; `None` where nothing does.
    pub(super) fn next(&mut self, list: &str, level: usize) -> Option<Mark> {
        let level = level.min(LEVELS - 1);
        let List { definition, starts, levels: own_levels } = self.lists.get(list)?;
        let defined = self.levels.get(definition)?;
        let of = |index: usize| own_levels.get(&index).or(defined[index].as_ref());
        let own = of(level)?;
        let counters = self.counters.entry(definition.clone()).or_default();
        let restart = starts.get(&level).copied();
        let first = restart.filter(|_| self.started.insert((list.to_owned(), level)));
        let number =
            first.unwrap_or_else(|| counters[level].map_or(own.start, |last| last.saturating_add(1)));
        counters[level] = Some(number);
        // A level that was skipped counts from here on, as Word counts it.
        for (upper, counter) in counters.iter_mut().enumerate().take(level) {
            if let Some(skipped) = of(upper).filter(|_| counter.is_none()) {
                *counter = Some(skipped.start);
            }
        }
        for (below, counter) in counters.iter_mut().enumerate().skip(level + 1) {
            let restarts = of(below).and_then(|deeper| deeper.restarts_below).unwrap_or(below);
            if level < restarts {
                *counter = None;
            }
        }
        if own.sign == Sign::Bullet {
            return Some(Mark::Bullet);
        }
        let mut text = own.text.clone();
        for (index, last) in counters.iter().enumerate() {
            let Some(upper) = of(index) else { continue };
            let number = last.unwrap_or(upper.start);
            let shown = match upper.sign {
                Sign::Nothing => String::new(),
                Sign::Number(numbering) if !own.legal => numbering.shown(number),
                Sign::Number(_) | Sign::Bullet => Numbering::Decimal.shown(number),
            };
            text = text.replace(&format!("%{}", index + 1), &shown);
        }
        let text = text.trim();
        (!text.is_empty()).then(|| Mark::Label(text.to_owned()))
    }
}

/// The level that `node` is about.
fn index(node: Node<'_, '_>) -> Option<usize> {
    attribute(node, "ilvl")?.parse().ok()
}

impl Level {
    fn of(node: Node<'_, '_>, english: bool) -> Self {
        let value = |name| element(node, name).and_then(|found| attribute(found, "val"));
        let sign = match value("numFmt").unwrap_or("decimal") {
            "bullet" => Sign::Bullet,
            "none" => Sign::Nothing,
            "lowerLetter" => Sign::Number(Numbering::LowerLetter),
            "upperLetter" => Sign::Number(Numbering::UpperLetter),
            "lowerRoman" => Sign::Number(Numbering::LowerRoman),
            "upperRoman" => Sign::Number(Numbering::UpperRoman),
            "decimalZero" => Sign::Number(Numbering::DecimalZero),
            "ordinal" if english => Sign::Number(Numbering::Ordinal),
            _ => Sign::Number(Numbering::Decimal),
        };
        Self {
            start: value("start").and_then(|start| start.parse().ok()).unwrap_or(1),
            sign,
            text: value("lvlText").unwrap_or_default().to_owned(),
            legal: super::is_on(Some(node), "isLgl"),
            restarts_below: value("lvlRestart").and_then(|level| level.parse().ok()),
        }
    }
}
