//! Inline XBRL: what a filed report tags in its text, with the place where each value is shown.
//!
//! Source: Inline XBRL Part 1: Specification 1.1 (XBRL International, 2013).

mod context;
mod place;
mod transform;

use super::{attribute, name};
use crate::document::Fact;
use context::Contexts;
use dom_query::{Document as Tree, NodeRef};
use place::{extended, located};
use std::collections::HashMap;
use std::ops::Range;

/// Most letters of a text that are kept as a value.
const LONGEST: usize = 1_000;
/// Most facts of a page.
const MOST: usize = 200_000;

/// The facts of a page as they are met.
#[derive(Default)]
pub(super) struct Facts {
    contexts: Contexts,
    /// By its id, the element that continues a text, and which follows it.
    continued: HashMap<String, usize>,
    found: Vec<Fact>,
    /// Of each, whether its value is the text that it shows.
    as_shown: Vec<bool>,
    /// Elements that are open: the fact that each tags, and where its text began in the block that is open.
    open: Vec<(Option<usize>, usize)>,
    /// Facts whose text in the block that is open has ended: where it stands in it.
    pieces: Vec<(usize, usize, usize)>,
    /// Where what belongs to no value began in the block that is open, and where it ended (section 5 of the source).
    excluding: Vec<usize>,
    excluded: Vec<Range<usize>>,
}

impl Facts {
    /// None yet, of a page whose contexts and units are `tree`'s; with those that it carries without showing them.
    pub(super) fn of(tree: &Tree) -> Self {
        let mut facts = Self { contexts: Contexts::of(tree), ..Self::default() };
        let hidden = tree.select("ix\\:header ix\\:hidden > *");
        for node in hidden.nodes().iter().take(MOST) {
            if let Some(index) = facts.add(node)
                && facts.as_shown[index]
            {
                facts.found[index].value = first_letters(&node.text());
            }
        }
        facts
    }

    /// Told of every element before its text, which begins at byte `at` of the block that is open.
    pub(super) fn enter(&mut self, node: &NodeRef<'_>, at: usize) {
        let index = match name(node).as_str() {
            "ix:continuation" => attribute(node, "id").and_then(|id| self.continued.get(&id).copied()),
            "ix:nonfraction" | "ix:nonnumeric" => self.add(node),
            "ix:exclude" => return self.excluding.push(at),
            _ => return,
        };
        if let (Some(index), Some(next)) = (index, attribute(node, "continuedat")) {
            self.continued.insert(next, index);
        }
        self.open.push((index, at));
    }

    /// Told of every element after its text, which ends at byte `at` of the block that is open.
    pub(super) fn leave(&mut self, node: &NodeRef<'_>, at: usize) {
        match name(node).as_str() {
            "ix:nonfraction" | "ix:nonnumeric" | "ix:continuation" => {
                if let Some((Some(index), from)) = self.open.pop() {
                    self.pieces.push((index, from, at));
                }
            }
            "ix:exclude" => self.excluded.extend(self.excluding.pop().map(|from| from..at)),
            _ => {}
        }
    }

    /// Told where a block of `text` was written: as `written`, which begins at byte `start` of the document.
    pub(super) fn end_block(&mut self, text: &str, written: &str, start: usize) {
        let still = self.open.iter().filter_map(|(index, from)| Some(((*index)?, *from, text.len())));
        let pieces: Vec<_> = self.pieces.drain(..).chain(still).collect();
        self.excluded.extend(self.excluding.iter().map(|from| *from..text.len()));
        self.excluding.fill(0);
        for (index, from, to) in pieces {
            let Some(fact) = self.found.get_mut(index) else { continue };
            if self.as_shown[index] && fact.value.len() < 4 * LONGEST {
                fact.value.push(' ');
                fact.value.push_str(&without(text, from..to, &self.excluded));
            }
            if let Some(span) = located(text, from..to.max(from), written) {
                fact.span = Some(extended(fact.span, start + span.start, start + span.end));
            }
        }
        self.open.iter_mut().for_each(|(_, from)| *from = 0);
        self.excluded.clear();
    }

    /// All facts.
    pub(super) fn finish(mut self) -> Vec<Fact> {
        for (fact, as_shown) in self.found.iter_mut().zip(self.as_shown) {
            if as_shown {
                fact.value = first_letters(&fact.value);
            }
        }
        self.found
    }

    /// Takes up the fact that `node` tags; none where it names no concept or context.
    fn add(&mut self, node: &NodeRef<'_>) -> Option<usize> {
        if self.found.len() == MOST {
            return None;
        }
        let numeric = name(node) == "ix:nonfraction";
        let concept = attribute(node, "name")?.trim().to_owned();
        let (period, entity, dimensions) = self.contexts.of_fact(node)?;
        let format = attribute(node, "format").unwrap_or_default();
        let shown = node.text();
        let shown = shown.trim();
        let nil = attribute(node, "xsi:nil").is_some_and(|nil| matches!(nil.trim(), "true" | "1"));
        let value = if nil {
            Some(String::new())
        } else if numeric {
            let scale = attribute(node, "scale").and_then(|scale| scale.trim().parse().ok()).unwrap_or(0);
            let negative = attribute(node, "sign").is_some_and(|sign| sign.trim() == "-");
            transform::number(shown, &format, scale, negative)
        } else {
            transform::text(shown, &format)
        };
        self.as_shown.push(value.is_none());
        self.found.push(Fact {
            span: None,
            concept,
            value: value.unwrap_or_default(),
            numeric,
            unit: attribute(node, "unitref").and_then(|unit| self.contexts.unit(&unit)),
            decimals: attribute(node, "decimals").filter(|_| numeric),
            period,
            entity,
            dimensions,
            anchor: attribute(node, "id"),
        });
        Some(self.found.len() - 1)
    }
}

/// `part` of `text` without what of it is `excluded`.
fn without(text: &str, part: Range<usize>, excluded: &[Range<usize>]) -> String {
    let shown = |at: &usize| !excluded.iter().any(|range| range.contains(at));
    let inside = text.get(part.clone()).unwrap_or_default();
    inside
        .char_indices()
        .filter(|(at, _)| shown(&(part.start + at)))
        .map(|(_, c)| c)
        .take(4 * LONGEST)
        .collect()
}

/// The first letters of a text, in one line.
fn first_letters(text: &str) -> String {
    let mut words = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if let Some((end, _)) = words.char_indices().nth(LONGEST) {
        words.truncate(end);
        words.push('…');
    }
    words
}
