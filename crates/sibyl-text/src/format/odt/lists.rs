//! Lists: the number or sign that stands before an item or a numbered heading (ODF 1.3, part 3, 16.29 to 16.35).

use crate::format::builder::Mark;
use crate::format::numbering::Numbering;
use crate::format::office::{attribute, elements};
use roxmltree::Node;
use std::collections::HashMap;

/// Levels of a list.
const LEVELS: usize = 10;

/// How a level of a list is numbered; signs that are no numbers have none.
#[derive(Debug, Clone)]
struct Level {
    numbering: Numbering,
    before: String,
    after: String,
    start: i64,
    /// Levels that are shown, this one and those above it.
    shown: usize,
}

type Levels = [Option<Level>; LEVELS];

/// The styles of lists, and how far each list has counted.
#[derive(Debug, Default)]
pub(super) struct Lists {
    styles: HashMap<String, Levels>,
    outline: Levels,
    headings: [i64; LEVELS],
    /// Last number of the outermost level, by style and by name of the list.
    last: HashMap<String, i64>,
}

/// A list that is open.
#[derive(Debug, Clone)]
pub(super) struct Open {
    style: String,
    names: Vec<String>,
    /// Last number of each level, outermost first.
    numbers: Vec<Option<i64>>,
}

impl Open {
    /// How deep it is nested, from 0.
    pub(super) fn depth(&self) -> usize {
        self.numbers.len() - 1
    }
}

impl Lists {
    /// Adds the styles below `root`, of the text itself or of the styles beside it.
    pub(super) fn add(&mut self, root: Node<'_, '_>) {
        for holder in ["styles", "automatic-styles"].iter().flat_map(|name| elements(root, name)) {
            for style in elements(holder, "list-style") {
                let name = attribute(style, "name").unwrap_or_default();
                self.styles.insert(name.to_owned(), levels(style, "list-level-style-number"));
            }
            for style in elements(holder, "outline-style") {
                self.outline = levels(style, "outline-level-style");
            }
        }
    }

    /// Opens `list`, inside `outer` where it is nested.
    pub(super) fn open(&self, list: Node<'_, '_>, outer: Option<&Open>) -> Open {
        let own = attribute(list, "style-name").map(str::to_owned);
        if let Some(outer) = outer {
            let mut inner = outer.clone();
            inner.style = own.unwrap_or(inner.style);
            inner.numbers.push(None);
            return inner;
        }
        let style = own.unwrap_or_default();
        let former = match attribute(list, "continue-list") {
            Some(name) => self.last.get(&by_name(name)),
            None if attribute(list, "continue-numbering") == Some("true") => self.last.get(&style),
            None => None,
        };
        let names = ["id", "continue-list"].iter().filter_map(|name| Some(by_name(attribute(list, name)?)));
        Open { names: names.chain([style.clone()]).collect(), style, numbers: vec![former.copied()] }
    }

    /// What stands before the next item of `open`, which may begin to count at `start` again.
    pub(super) fn next(&mut self, open: &mut Open, start: Option<i64>) -> Mark {
        let depth = open.numbers.len().min(LEVELS) - 1;
        let levels = self.styles.get(&open.style);
        let Some(level) = levels.and_then(|levels| levels[depth].as_ref()) else { return Mark::Bullet };
        let next = || open.numbers[depth].map_or(level.start, |last| last.saturating_add(1));
        let number = start.unwrap_or_else(next);
        // A level that was skipped counts from here on.
        for (at, upper) in open.numbers.iter_mut().enumerate().take(depth) {
            let start = levels.and_then(|levels| levels[at].as_ref()).map_or(1, |level| level.start);
            upper.get_or_insert(start);
        }
        open.numbers[depth] = Some(number);
        if depth == 0 {
            self.last.extend(open.names.iter().map(|name| (name.clone(), number)));
        }
        let numbers: Vec<i64> = open.numbers.iter().map(|number| number.unwrap_or(1)).collect();
        levels.and_then(|levels| label(levels, depth, &numbers)).map_or(Mark::Bullet, Mark::Label)
    }

    /// The number of the next heading of `level` (from 1), where headings have any.
    pub(super) fn heading(&mut self, level: usize) -> Option<String> {
        let depth = level.clamp(1, LEVELS) - 1;
        self.headings[..depth].iter_mut().for_each(|upper| *upper = (*upper).max(1));
        self.headings[depth] += 1;
        self.headings[depth + 1..].fill(0);
        let start = |index: usize| self.outline[index].as_ref().map_or(1, |level| level.start);
        let numbers: Vec<i64> = (0..=depth).map(|at| self.headings[at].max(1) + start(at) - 1).collect();
        label(&self.outline, depth, &numbers)
    }
}

/// The key of a list's own name, which no style has.
fn by_name(name: &str) -> String {
    format!("#{name}")
}

/// The number at `depth`, with those of the upper levels that are shown before it; `None` where nothing is.
fn label(levels: &Levels, depth: usize, numbers: &[i64]) -> Option<String> {
    let own = levels[depth].as_ref()?;
    let first = (depth + 1).saturating_sub(own.shown);
    let shown: Vec<String> = (first..=depth)
        .filter_map(|at| Some(levels[at].as_ref()?.numbering.shown(*numbers.get(at)?)))
        .collect();
    Some(format!("{}{}{}", own.before, shown.join("."), own.after))
}

fn levels(style: Node<'_, '_>, name: &str) -> Levels {
    let mut levels = Levels::default();
    for node in elements(style, name) {
        let depth = attribute(node, "level").and_then(|level| level.parse::<usize>().ok()?.checked_sub(1));
        if let Some(slot) = depth.and_then(|depth| levels.get_mut(depth)) {
            *slot = Level::of(node);
        }
    }
    levels
}

impl Level {
    fn of(node: Node<'_, '_>) -> Option<Self> {
        let numbering = match attribute(node, "num-format")? {
            "" => return None,
            "a" => Numbering::LowerLetter,
            "A" => Numbering::UpperLetter,
            "i" => Numbering::LowerRoman,
            "I" => Numbering::UpperRoman,
            _ => Numbering::Decimal,
        };
        let sign = |name| attribute(node, name).unwrap_or_default().trim().to_owned();
        let number = |name| attribute(node, name).and_then(|number| number.parse().ok());
        Some(Self {
            numbering,
            before: sign("num-prefix"),
            after: sign("num-suffix"),
            start: number("start-value").unwrap_or(1),
            shown: number("display-levels").and_then(|shown| usize::try_from(shown).ok()).unwrap_or(1).max(1),
        })
    }
}
