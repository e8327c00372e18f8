//! Inline XBRL: what a filed report tags in its text, with the place where each value is shown.
//!
//! Source: Inline XBRL Part 1: Specification 1.1 (XBRL International, 2013).

mod context;
mod place;
mod transform;

use super::{attribute, name};
use crate::document::{Fact, Notice, Severity};
use crate::format::tidy::tidy;
use context::Contexts;
use dom_query::{Document as Tree, NodeRef};
use place::{extended, located};
use serde_json::{Map, Value};
use std::collections::HashMap;
use std::ops::Range;

/// Most letters of a text that are kept as a value.
const LONGEST: usize = 1_000;
/// What registries call the name of who files a report, the usual ones first.
const REGISTRANT: &[&str] = &[
    "EntityRegistrantName",
    "CompanyNameCoverPage",
    "FilerNameInJapaneseDEI",
    "FilerNameInEnglishDEI",
    "NameOfReportingEntityOrOtherMeansOfIdentification",
    "EntityCurrentLegalOrRegisteredName",
    "NameOfReportingEntity",
];
const FISCAL_YEAR: &[&str] = &["DocumentFiscalYearFocus"];
/// The last day of what a report is about.
const PERIOD_END: &[&str] = &[
    "DocumentPeriodEndDate",
    "CurrentPeriodEndDateDEI",
    "EndDateForPeriodCoveredByReport",
    "CurrentFiscalYearEndDateDEI",
];
const DOCUMENT_TYPE: &[&str] = &["DocumentType", "DocumentTypeDEI", "DocumentTitleCoverPage"];
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
    /// Facts whose context the page does not hold.
    adrift: usize,
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
            "ix:nonfraction" | "ix:nonnumeric" | "ix:fraction" => self.add(node),
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
            "ix:nonfraction" | "ix:nonnumeric" | "ix:fraction" | "ix:continuation" => {
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
            let to = to.max(from);
            let shown = text.get(from..to).is_some_and(|part| !part.trim().is_empty());
            // What is shown and not found again stands somewhere in its block.
            let whole = || {
                (shown && !written.trim().is_empty())
                    .then(|| written.len() - written.trim_start().len()..written.trim_end().len())
            };
            if let Some(span) = located(text, from..to, written).or_else(whole) {
                fact.span = Some(extended(fact.span, start + span.start, start + span.end));
            }
        }
        self.open.iter_mut().for_each(|(_, from)| *from = 0);
        self.excluded.clear();
    }

    /// What is said of facts that could not be read whole, and of those that the page does not show.
    pub(super) fn notices(&self) -> Vec<Notice> {
        let adrift = (self.adrift > 0).then(|| {
            let message = format!(
                "expected the context of each tagged value, found {} values whose contexts are in another file; they are kept \
                 with an unknown context: read on the page which period each is about",
                self.adrift
            );
            Notice::new(Severity::Warning, "facts_without_context", message)
        });
        let hidden = self.found.iter().filter(|fact| fact.span.is_none() && !fact.value.is_empty()).count();
        let hidden = (hidden > 0).then(|| {
            let message = format!("{hidden} tagged values are hidden in the file: no text shows them");
            Notice::new(Severity::Info, "facts_hidden", message)
        });
        adrift.into_iter().chain(hidden).collect()
    }

    /// What the page tags about itself: who filed it, for which year, and what it is.
    pub(super) fn metadata(&self) -> Map<String, Value> {
        let tagged = |names: &[&str]| {
            names.iter().find_map(|name| {
                let concept = |fact: &&Fact| fact.concept.rsplit(':').next() == Some(*name);
                self.found
                    .iter()
                    .filter(concept)
                    .map(|fact| first_letters(&fact.value))
                    .find(|value| !value.is_empty())
            })
        };
        let issuer = tagged(REGISTRANT);
        let end = tagged(PERIOD_END);
        let year =
            tagged(FISCAL_YEAR).or_else(|| end.as_ref().and_then(|end| end.get(..4).map(str::to_owned)));
        let fields = [
            ("issuer", issuer),
            ("year", year.filter(|year| year.len() == 4 && year.bytes().all(|b| b.is_ascii_digit()))),
            ("period_end", end),
            ("document_type", tagged(DOCUMENT_TYPE)),
        ];
        fields.into_iter().filter_map(|(name, value)| Some((name.to_owned(), Value::from(value?)))).collect()
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
        let context = self.contexts.of_fact(node);
        self.adrift += usize::from(context.is_none());
        let (period, entity, dimensions) = context.unwrap_or_default();
        let format = attribute(node, "format").unwrap_or_default();
        let shown = node.text();
        let shown = shown.trim();
        let nil = attribute(node, "xsi:nil").is_some_and(|nil| matches!(nil.trim(), "true" | "1"));
        let value = if nil {
            Some(String::new())
        } else if name(node) == "ix:fraction" {
            fraction(node)
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

/// The value of a fraction: `1/3`.
fn fraction(node: &NodeRef<'_>) -> Option<String> {
    let part = |wanted: &str| {
        let found = node.descendants_it().find(|inner| name(inner) == wanted)?;
        let scale = attribute(&found, "scale").and_then(|scale| scale.trim().parse().ok()).unwrap_or(0);
        let negative = attribute(&found, "sign").is_some_and(|sign| sign.trim() == "-");
        transform::number(
            found.text().trim(),
            &attribute(&found, "format").unwrap_or_default(),
            scale,
            negative,
        )
    };
    Some(format!("{}/{}", part("ix:numerator")?, part("ix:denominator")?))
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
    let tidied = tidy(text);
    let mut words = tidied.split_whitespace().collect::<Vec<_>>().join(" ");
    if let Some((end, _)) = words.char_indices().nth(LONGEST) {
        words.truncate(end);
        words.push('…');
    }
    words
}
