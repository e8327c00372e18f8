//! Finds the places that an index names in a document: pages by their labels, sections by their names.

use super::content_index::Named;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sibyl_text::document::{Document, Span};

/// Words in the name of a document that identify nothing.
const EMPTY_WORDS: [&str; 14] =
    ["the", "our", "of", "and", "in", "for", "s", "plc", "group", "see", "form", "pdf", "company", "de"];
/// Names that a document uses for itself.
const ITSELF: [&str; 6] = [
    "this report",
    "this document",
    "this statement",
    "this annual report",
    "this sustainability report",
    "the present report",
];

/// Pages that an index names.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ClaimedPages {
    /// First physical page.
    pub first: u32,
    /// Last physical page.
    pub last: u32,
    /// Labels printed on them, if they differ from their numbers.
    pub labels: Option<(String, String)>,
}

/// A stretch of a document that an index names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Stretch {
    /// First and last physical page, if the document has pages.
    pub pages: Option<(u32, u32)>,
    labels: Option<(String, String)>,
    /// Where it is (bytes of the document's text).
    pub span: Span,
    /// The same in UTF-16 code units.
    units: (usize, usize),
    /// Whether it is named by its pages, so that everything on them belongs to it.
    by_pages: bool,
}

impl Stretch {
    /// Its pages as they are shown.
    pub fn claimed(&self) -> Option<ClaimedPages> {
        self.pages.map(|(first, last)| ClaimedPages { first, last, labels: self.labels.clone() })
    }

    /// Whether something on `page` (if known) and at `units` (UTF-16 code units) belongs to it.
    pub fn holds(&self, page: Option<u32>, units: (usize, usize)) -> bool {
        match (page, self.pages) {
            _ if !self.by_pages => units.0 < self.units.1 && self.units.0 < units.1,
            (Some(page), Some((first, last))) => (first..=last).contains(&page),
            _ => false,
        }
    }
}

/// What the words of an index lead to in a document.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Target {
    /// The parts of it that exist.
    pub found: Vec<Stretch>,
    /// Labels of pages that there are not.
    pub missing: Vec<String>,
    /// Whether its pages are counted from the first of the file, because no numbers printed on pages are known.
    pub counted: bool,
    /// The title of the section that is named.
    pub section: Option<String>,
}

/// The pages and sections of a document, without its text.
pub(super) struct Targets {
    document: Document,
    /// Ends of characters whose numbers of bytes and UTF-16 code units differ, each with the number of extra bytes
    /// so far.
    wide: Vec<(usize, usize)>,
}

impl Targets {
    /// Those of `document`.
    pub fn new(document: Document) -> Self {
        let mut wide = Vec::new();
        let mut more = 0;
        for (at, c) in document.text.char_indices().filter(|(_, c)| !c.is_ascii()) {
            more += c.len_utf8() - c.len_utf16();
            wide.push((at + c.len_utf8(), more));
        }
        let Document { sections, pages, about_pages, segments, .. } = document;
        Self { document: Document { sections, pages, about_pages, segments, ..Document::default() }, wide }
    }

    /// `span` in UTF-16 code units of the text.
    pub fn utf16(&self, span: Span) -> (usize, usize) {
        let units = |at: usize| {
            let before = self.wide.partition_point(|(end, _)| *end <= at);
            at - before.checked_sub(1).and_then(|last| self.wide.get(last)).map_or(0, |(_, more)| *more)
        };
        (units(span.start), units(span.end))
    }

    /// The physical page on which `span` begins, and the label printed on it.
    pub fn page_of(&self, span: Span) -> (Option<u32>, Option<String>) {
        let page = self.document.pages_of(span).map(|(first, _)| first);
        (page, page.and_then(|page| self.document.label_of(page)))
    }

    /// Where `named` is, except where the index itself is, which has `index` as a row.
    pub fn find(&self, named: &Named, index: Option<Span>) -> Target {
        match named {
            Named::Pages(ranges) => self.pages(ranges),
            Named::Section(name) => self.section(name, index),
            Named::Document => {
                let span = Span::new(0, usize::MAX);
                Target {
                    found: vec![Stretch {
                        pages: None,
                        labels: None,
                        span,
                        units: (0, usize::MAX),
                        by_pages: false,
                    }],
                    ..Target::default()
                }
            }
            Named::LeftOut | Named::Answer => Target::default(),
        }
    }

    fn pages(&self, ranges: &[(String, String)]) -> Target {
        let labelled = self.document.pages.iter().any(|page| page.label.is_some());
        let mut target = Target { counted: !labelled, ..Target::default() };
        for (first, last) in ranges {
            let (from, to) = (self.physical(first), self.physical(last));
            for (label, page) in [(first, from), (last, to)] {
                if page.is_none() && !target.missing.contains(label) {
                    target.missing.push(label.clone());
                }
            }
            let (Some(first), Some(last)) = (from.or(to), to.or(from)) else { continue };
            let of = |number: u32| self.document.pages.iter().find(|page| page.number == number);
            let (Some(begin), Some(end)) = (of(first), of(last.max(first))) else { continue };
            let pages = (first, last.max(first));
            let span = Span::new(begin.span.start, end.span.end.max(begin.span.end));
            target.found.push(Stretch {
                pages: Some(pages),
                labels: self.document.labels_of(pages),
                span,
                units: self.utf16(span),
                by_pages: true,
            });
        }
        target
    }

    /// The physical page with the printed label `label`. If pages have labels, a page without one is placed by its
    /// neighbours.
    fn physical(&self, label: &str) -> Option<u32> {
        if self.document.about_pages {
            return None;
        }
        let pages = &self.document.pages;
        let number: Option<u32> = label.parse().ok();
        let printed = |label: &str| label.trim().trim_start_matches('0').to_lowercase();
        let wanted = printed(label);
        if let Some(page) =
            pages.iter().find(|page| page.label.as_deref().is_some_and(|own| printed(own) == wanted))
        {
            return Some(page.number);
        }
        let number = number?;
        // Two printed pages on one, as `12–13`.
        let spread = pages.iter().find(|page| {
            let ends = page.label.as_deref().and_then(|own| own.split_once(['-', '–', '/']));
            let ends =
                ends.and_then(|(a, b)| Some((a.trim().parse::<u32>().ok()?, b.trim().parse::<u32>().ok()?)));
            ends.is_some_and(|(first, last)| (first..=last).contains(&number))
        });
        if let Some(page) = spread {
            return Some(page.number);
        }
        let labelled: Vec<(u32, u32)> = pages
            .iter()
            .filter_map(|page| Some((page.number, page.label.as_deref()?.trim().parse().ok()?)))
            .collect();
        if labelled.is_empty() {
            return pages
                .iter()
                .find(|page| page.number == number && page.label.is_none())
                .map(|page| page.number);
        }
        let before = labelled.iter().filter(|(_, own)| *own < number).max_by_key(|(_, own)| *own)?;
        let after = labelled.iter().filter(|(_, own)| *own > number).min_by_key(|(_, own)| *own)?;
        let at = before.0 + (number - before.1);
        let between = after.0.checked_sub(before.0) == after.1.checked_sub(before.1);
        let page = pages.iter().find(|page| page.number == at && page.label.is_none());
        page.filter(|_| between).map(|page| page.number)
    }

    fn section(&self, name: &str, index: Option<Span>) -> Target {
        if let Some(target) = self.one_section(name, index) {
            return target;
        }
        // Several sections, or a path down to one.
        let down =
            name.rsplit(['>', '›', '/', '|']).next().map(str::trim).filter(|last| *last != name.trim());
        if let Some(target) = down.and_then(|last| self.one_section(last, index)) {
            return target;
        }
        let parts: Vec<Target> = name.split(',').map_while(|part| self.one_section(part, index)).collect();
        if parts.len() < 2 || parts.len() < name.split(',').count() {
            return Target::default();
        }
        let titles: Vec<String> = parts.iter().filter_map(|part| part.section.clone()).collect();
        let found = parts.into_iter().flat_map(|part| part.found).collect();
        Target { found, section: Some(titles.join(", ")), ..Target::default() }
    }

    fn one_section(&self, name: &str, index: Option<Span>) -> Option<Target> {
        let wanted = bare(name);
        let number = section_number(name);
        if wanted.is_empty() && number.is_none() {
            return None;
        }
        let is_named = |title: &str| match number {
            Some(number) if wanted.is_empty() => section_number(title) == Some(number),
            _ => bare(title) == wanted,
        };
        let sections = &self.document.sections;
        let all: Vec<_> = sections
            .iter()
            .filter(|section| is_named(&section.title))
            .filter(|section| index.is_none_or(|index| !section.span.contains(index)))
            .collect();
        let title = all.first()?.title.clone();
        let found = all.iter().map(|section| {
            let pages = self.document.pages_of(section.span);
            let labels = pages.and_then(|pages| self.document.labels_of(pages));
            Stretch { pages, labels, span: section.span, units: self.utf16(section.span), by_pages: false }
        });
        Some(Target { found: found.collect(), section: Some(title), ..Target::default() })
    }
}

/// The words of the name of a section in small letters, without its number and what leads to it.
fn bare(name: &str) -> String {
    let lower = name.to_lowercase().replace('&', " and ");
    let words: Vec<&str> =
        lower.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
    let leads = |word: &&&str| {
        matches!(**word, "section" | "sections" | "chapter" | "see" | "the" | "our")
            || word.bytes().all(|b| b.is_ascii_digit())
    };
    let from = words.iter().take_while(leads).count();
    words[from..].join(" ")
}

/// The number that the name of a section begins with, such as `3.2`.
fn section_number(name: &str) -> Option<&str> {
    let lead = name.trim_start_matches(|c: char| !c.is_ascii_digit());
    let before = &name[..name.len() - lead.len()];
    let led = before.split_whitespace().all(|word| {
        matches!(
            word.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase().as_str(),
            "section" | "chapter" | "see" | ""
        )
    });
    let length = lead.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(lead.len());
    let number = lead[..length].trim_end_matches('.');
    (led && !number.is_empty() && number.len() <= 8).then_some(number)
}

/// Whether `name` names the document that has these `titles`, was issued by `issuer` and is about `year`.
pub(super) fn is_named_so(name: &str, titles: &[&str], issuer: &str, year: Option<u16>) -> bool {
    let words = |text: &str| -> Vec<String> {
        let lower = text.to_lowercase();
        let words = lower.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
        words
            .map(|word| word.strip_prefix("fy").filter(|rest| rest.len() == 4).unwrap_or(word).to_owned())
            .collect()
    };
    let lower = name.to_lowercase();
    if ITSELF.iter().any(|itself| lower.trim().starts_with(itself)) {
        return true;
    }
    let mut own: Vec<String> = titles.iter().flat_map(|title| words(title)).collect();
    own.extend(words(issuer));
    own.extend(year.map(|year| year.to_string()));
    let mut said = words(name);
    said.retain(|word| !EMPTY_WORDS.contains(&word.as_str()));
    !said.is_empty() && said.iter().all(|word| own.contains(word))
}

#[cfg(test)]
mod tests {
    use super::*;
    use sibyl_text::document::{Page, Section};

    fn targets(labels: &[Option<&str>], titles: &[&str]) -> Targets {
        let text = "é".repeat(10 * labels.len().max(titles.len()));
        let span = |at: usize| Span::new(20 * at, 20 * (at + 1));
        let page = |(at, label): (usize, &Option<&str>)| Page {
            number: at as u32 + 1,
            label: label.map(str::to_owned),
            span: span(at),
            size: None,
            regions: Vec::new(),
        };
        let section = |(at, title): (usize, &&str)| Section {
            level: 1,
            title: (*title).to_owned(),
            heading: Span::new(20 * at, 20 * at + 2),
            span: span(at),
            parent: None,
        };
        let pages = labels.iter().enumerate().map(page).collect();
        let sections = titles.iter().enumerate().map(section).collect();
        Targets::new(Document { text, pages, sections, ..Document::default() })
    }

    fn pages(targets: &Targets, first: &str, last: &str) -> (Vec<(u32, u32)>, Vec<String>) {
        let target = targets.find(&Named::Pages(vec![(first.to_owned(), last.to_owned())]), None);
        (target.found.iter().filter_map(|stretch| stretch.pages).collect(), target.missing)
    }

    #[test]
    fn pages_are_those_printed_and_not_those_counted() {
        let labelled = targets(&[Some("i"), Some("ii"), Some("1"), None, Some("3"), Some("4–5"), None], &[]);
        assert_eq!(pages(&labelled, "1", "1").0, [(3, 3)]);
        assert_eq!(pages(&labelled, "ii", "3").0, [(2, 5)]);
        assert_eq!(pages(&labelled, "2", "2").0, [(4, 4)], "between its neighbours");
        assert_eq!(pages(&labelled, "5", "5").0, [(6, 6)], "two printed pages on one");
        assert_eq!(
            pages(&labelled, "7", "7"),
            (vec![], vec!["7".to_owned()]),
            "the seventh page is no page 7"
        );
        let bare = targets(&[None, None, None], &[]);
        assert_eq!(pages(&bare, "2", "3").0, [(2, 3)]);
        assert_eq!(pages(&bare, "3", "9"), (vec![(3, 3)], vec!["9".to_owned()]));
        assert!(bare.find(&Named::Pages(vec![("2".to_owned(), "2".to_owned())]), None).counted);
        assert!(!labelled.find(&Named::Pages(vec![("1".to_owned(), "1".to_owned())]), None).counted);
    }

    #[test]
    fn sections_are_found_by_name_number_and_path() {
        let targets = targets(&[None; 3], &["1.2 Our climate targets", "Risk & resilience", "Index"]);
        let found =
            |name: &str| targets.find(&Named::Section(name.to_owned()), Some(Span::new(45, 50))).section;
        assert_eq!(found("Climate targets"), Some("1.2 Our climate targets".to_owned()));
        assert_eq!(found("Section 1.2"), Some("1.2 Our climate targets".to_owned()));
        assert_eq!(found("Strategy > Risk and resilience"), Some("Risk & resilience".to_owned()));
        assert_eq!(found("climate targets, risk & resilience").map(|all| all.matches(", ").count()), Some(1));
        assert_eq!(found("Climate targets, waste"), None, "a part of what is named is not all of it");
        assert_eq!((found("Targets"), found("Section 1.3")), (None, None));
        assert_eq!(found("Index"), None, "an index does not stand for what it lists");
    }

    #[test]
    fn places_are_told_in_utf16() {
        let targets = targets(&[None; 2], &[]);
        assert_eq!(targets.utf16(Span::new(0, 20)), (0, 10));
        assert_eq!(targets.utf16(Span::new(20, 40)), (10, 20));
    }

    #[test]
    fn a_document_is_named_by_words_that_it_has() {
        let named = |name: &str| {
            is_named_so(
                name,
                &["Quill plc: Sustainability Report 2024", "reports/quill.pdf"],
                "Quill plc",
                Some(2024),
            )
        };
        assert!(
            named("Sustainability Report 2024")
                && named("our FY2024 sustainability report")
                && named("this report")
        );
        assert!(
            !named("Sustainability Report 2023")
                && !named("Annual Report 2024")
                && !named("CDP response C6.1")
        );
        assert!(!named(""));
    }
}
