//! A standard's text divided into paragraphs and their items.
//!
//! The whole body is covered by units that follow each other. A unit is a paragraph with everything that belongs
//! to it, or prose outside any paragraph. Headings belong to the unit that follows them. An id is believed only if
//! it opens a heading, a block or a list item, in the order of the standard. Inside a sentence the same id is a
//! cross-reference.

mod items;

use super::heading::{Heading, Names, headings};
use super::line::{Form, Line, Opening};
use super::term;
use crate::document::{BlockKind, Document, Span};
use crate::reference::ifrs::id::{Number, Standard};
use items::Level;
use std::collections::{BTreeMap, BTreeSet};

/// A paragraph, or prose outside any paragraph.
#[derive(Debug, Clone, Default)]
pub(super) struct Unit {
    /// Everything, with the headings before it.
    pub(super) span: Span,
    /// Where its own words start, after the headings.
    pub(super) words: usize,
    /// Its id; `None` outside any paragraph.
    pub(super) opening: Option<Opening>,
    /// What the heading above announced, if the unit itself has no id.
    pub(super) announced: Option<Opening>,
    /// Titles of the sections around it.
    pub(super) path: Vec<String>,
    /// The paragraph's title, if it has one.
    pub(super) title: Option<Span>,
    /// The two words after the title: kind and force, as in `*(requirement · mandatory)*`.
    pub(super) marks: Option<(String, String)>,
    /// Items in reading order, outer before inner.
    pub(super) items: Vec<Item>,
    headings_only: bool,
    /// Level of the heading that opened it.
    level: Option<u8>,
}

/// An item of a paragraph.
#[derive(Debug, Clone)]
pub(super) struct Item {
    /// Its id, such as `S2.14(a)(iv)`.
    pub(super) id: String,
    /// The item with everything inside it.
    pub(super) span: Span,
    /// Its label followed by the title in bold, if it has one.
    pub(super) title: Option<Span>,
    /// Where the words after its label start.
    pub(super) words: usize,
    /// Index of the item around it.
    pub(super) parent: Option<usize>,
}

/// Divides `document` into units; `home` is its standard, if that is known.
pub(super) fn outline(document: &Document, home: Option<Standard>) -> Vec<Unit> {
    let lines = lines(document);
    let headings = headings(document, &lines, home);
    let text = &document.text;
    let explicit = headings.iter().any(|h| matches!(h.names, Names::Start(_)))
        || lines.iter().any(|l| {
            let form = l.form(text);
            !form.listed && l.explicit(text, form).is_some()
        });
    let mut scan = Scan {
        text,
        home,
        explicit,
        from_one: lines.iter().any(|l| {
            let number = l.numbered(text, l.form(text)).map(|(n, _)| n);
            (l.opens_block || l.after_clause)
                && number == Some(Number { series: None, value: 1, inserted: None })
        }),
        units: Vec::new(),
        unit: Unit {
            span: Span::new(document.body.start, document.body.start),
            headings_only: true,
            ..Unit::default()
        },
        levels: Vec::new(),
        last: BTreeMap::new(),
        seen: BTreeSet::new(),
    };
    scan.run(document, &lines, &headings);
    scan.units
}

/// The lines of the body; headings and blank lines end what precedes them.
fn lines(document: &Document) -> Vec<Line> {
    let body = document.body.of(&document.text);
    let mut at = document.body.start;
    let mut opens_block = true;
    let mut after_clause = true;
    let mut heading = document.sections.iter().map(|s| s.heading).peekable();
    body.split_inclusive('\n')
        .map(|raw| {
            let span = Span::new(at, at + raw.trim_end_matches('\n').len());
            at += raw.len();
            let line = Line { span, opens_block, after_clause };
            while heading.next_if(|h| h.end <= span.start).is_some() {}
            let words = span.of(&document.text).trim_end();
            opens_block = words.is_empty() || heading.peek().is_some_and(|h| h.overlaps(span));
            after_clause = opens_block || ends_clause(words);
            line
        })
        .collect()
}

fn ends_clause(words: &str) -> bool {
    let bare = words.trim_end_matches(['*', '_', ')', '”', '’', '"']);
    bare.ends_with(['.', ':', ';', '!', '?', '—'])
        || ["; and", "; or", ", and", ", or"].iter().any(|end| bare.ends_with(end))
}

struct Scan<'a> {
    text: &'a str,
    home: Option<Standard>,
    /// Whether paragraphs carry full ids; bare numbers then mean nothing.
    explicit: bool,
    units: Vec<Unit>,
    unit: Unit,
    levels: Vec<Level>,
    /// Whether a paragraph 1 is there; no other number can then be the first.
    from_one: bool,
    /// Highest paragraph number so far in each series.
    last: BTreeMap<Option<char>, Number>,
    seen: BTreeSet<String>,
}

impl Scan<'_> {
    fn run(&mut self, document: &Document, lines: &[Line], headings: &[Heading]) {
        let mut coming = headings.iter().peekable();
        let mut code =
            document.blocks.iter().filter(|b| matches!(b.kind, BlockKind::Code)).map(|b| b.span).peekable();
        let mut heading_end = 0;
        for line in lines {
            while let Some(heading) =
                coming.next_if(|h| h.span.start < line.span.end.max(line.span.start + 1))
            {
                self.heading(heading);
                heading_end = heading.span.end;
            }
            while code.next_if(|c| c.end <= line.span.start).is_some() {}
            let inside = line.span.start < heading_end || code.peek().is_some_and(|c| c.overlaps(line.span));
            if !inside && !line.span.of(self.text).trim().is_empty() {
                self.line(line);
            } else if !inside || line.span.start >= heading_end {
                self.words(line.span.start, line.span.of(self.text));
            }
        }
        self.close(document.body.end);
    }

    /// Notes that the unit has words of its own.
    fn words(&mut self, at: usize, line: &str) {
        if self.unit.headings_only && !line.trim().is_empty() {
            self.unit.headings_only = false;
            self.unit.words = at;
        }
    }

    fn heading(&mut self, heading: &Heading) {
        let at = heading.span.start;
        match &heading.names {
            Names::Start(opening) if self.holds(opening) && !self.seen.contains(&opening.id) => {
                self.item_by_id(
                    opening,
                    at,
                    Some(heading.title),
                    Form { indent: 0, listed: false, bold: false, words: at },
                );
            }
            Names::Start(opening) => {
                self.begin(at, heading);
                self.unit.headings_only = false;
                self.unit.level = Some(heading.level);
                self.open(opening.clone(), at, Some(heading.title).filter(|t| !t.is_empty()));
            }
            Names::Nothing if self.unit.level.is_some_and(|level| heading.level > level) => {}
            Names::Nothing
                if !self.explicit
                    && in_glossary(heading.path.get(..heading.path.len().saturating_sub(1))) =>
            {
                self.begin(at, heading);
                if let (Some(standard), Some(title)) = (self.home, heading.path.last()) {
                    let slug = term::known_at(title).map_or_else(|| term::slug(title), |(_, slug)| slug);
                    let id = format!("{}.A.{slug}", standard.code());
                    self.unit.headings_only = false;
                    self.unit.path.pop();
                    self.open(
                        Opening { id, standard, number: None, rest: at, last: None },
                        at,
                        Some(heading.title),
                    );
                }
            }
            Names::Nothing | Names::Announced(_) => {
                self.begin(at, heading);
                if let Names::Announced(opening) = &heading.names {
                    self.unit.announced = Some(opening.clone());
                }
            }
        }
    }

    /// Starts a unit at the heading, or continues one that has only headings so far.
    fn begin(&mut self, at: usize, heading: &Heading) {
        if !self.unit.headings_only {
            self.close(at);
        }
        self.unit.path.clone_from(&heading.path);
        self.unit.announced = None;
    }

    fn close(&mut self, at: usize) {
        let path = self.unit.path.clone();
        let announced = self.unit.announced.clone();
        let next = Unit {
            span: Span::new(at, at),
            path,
            announced,
            words: at,
            headings_only: true,
            ..Unit::default()
        };
        let mut unit = std::mem::replace(&mut self.unit, next);
        for level in self.levels.drain(..).filter(|l| l.open) {
            unit.items[level.item].span.end = at;
        }
        unit.span.end = at;
        if unit.span.of(self.text).trim().is_empty() {
            self.unit.span.start = unit.span.start;
        } else {
            self.units.push(unit);
        }
    }

    fn open(&mut self, opening: Opening, words: usize, title: Option<Span>) {
        if let Some(number) = opening.number {
            self.last.insert(number.series, number);
        }
        self.seen.insert(opening.id.clone());
        self.unit.words = words;
        self.unit.title = title;
        self.unit.marks = title.and_then(|t| marks(self.text, t.end));
        self.unit.opening = Some(opening);
    }

    /// Whether `opening` is an item of the unit at hand.
    fn holds(&self, opening: &Opening) -> bool {
        let inside =
            |o: &Opening| opening.id.strip_prefix(o.id.as_str()).is_some_and(|rest| rest.starts_with('('));
        self.unit.opening.as_ref().is_some_and(inside)
    }

    fn line(&mut self, line: &Line) {
        let form = line.form(self.text);
        if let Some(opening) = line.explicit(self.text, form) {
            if self.holds(&opening) && !self.seen.contains(&opening.id) {
                let title = self.bold_title(form, opening.rest);
                self.item_by_id(&opening, line.span.start, title, form);
                return;
            }
            if !form.listed
                && opening.last.is_none()
                && !self.seen.contains(&opening.id)
                && (form.bold || self.later(&opening))
            {
                let title = self.bold_title(form, opening.rest);
                self.paragraph(line, opening, title);
                return;
            }
        }
        if !self.explicit
            && let Some(standard) = self.home
        {
            if let Some((number, rest)) = line.numbered(self.text, form)
                && self.follows(line, number, rest == line.span.end)
            {
                let id = format!("{}.{number}", standard.code());
                self.paragraph(line, Opening { id, standard, number: Some(number), rest, last: None }, None);
                let labelled =
                    Line { span: Span::new(rest, line.span.end), opens_block: true, after_clause: true };
                self.item(&labelled, labelled.form(self.text));
                return;
            }
            if in_glossary(Some(&self.unit.path))
                && let Some((slug, rest)) = line.term(self.text, form)
            {
                let id = format!("{}.A.{slug}", standard.code());
                if !self.seen.contains(&id) {
                    let title = Span::new(form.words, rest);
                    self.paragraph(
                        line,
                        Opening { id, standard, number: None, rest, last: None },
                        Some(title),
                    );
                    return;
                }
            }
        }
        self.words(line.span.start, line.span.of(self.text));
        if self.unit.opening.is_some() && !self.item(line, form) && line.opens_block {
            self.leave_items(line, form);
        }
    }

    fn paragraph(&mut self, line: &Line, opening: Opening, title: Option<Span>) {
        if !self.unit.headings_only {
            self.close(line.span.start);
        }
        self.unit.headings_only = false;
        self.unit.announced = None;
        self.open(opening, line.span.start, title);
    }

    /// Whether the paragraph comes after all of its series so far.
    fn later(&self, opening: &Opening) -> bool {
        opening
            .number
            .is_none_or(|n| self.last.get(&n.series).is_none_or(|last| n > *last || opening.is_item()))
    }

    /// Whether a bare number can open the next paragraph here.
    fn follows(&self, line: &Line, number: Number, alone: bool) -> bool {
        let exists = self.home.is_some_and(|s| number.value <= s.last(number.series));
        let series_left = self.last.keys().next_back().is_some_and(|&s| s > number.series);
        if !exists || series_left || !line.opens_block && !line.after_clause {
            return false;
        }
        let Some(last) = self.last.get(&number.series) else {
            let expected =
                !(self.from_one && self.last.is_empty()) || number.series.is_none() && number.value == 1;
            return expected
                && (number.value == 1
                    || !alone && (self.last.is_empty() || number.value <= 3 || line.opens_block));
        };
        match number.value.checked_sub(last.value) {
            None => false,
            Some(0) => number.inserted > last.inserted,
            Some(1) => true,
            Some(2..=3) => !alone,
            Some(_) => !alone && line.opens_block,
        }
    }

    /// The title in bold after an id: up to the closing marks, across a line break if necessary.
    fn bold_title(&self, form: Form, rest: usize) -> Option<Span> {
        if !form.bold {
            return None;
        }
        let block = &self.text[rest..self.text.floor_char_boundary(rest + LONGEST_TITLE)];
        let block = &block[..block.find("\n\n").unwrap_or(block.len())];
        let end = block.find("**")?;
        let inner = &block[..end];
        let words = inner.trim_start_matches([' ', '\t', '\n', ':', '·', '.', '–', '—', '-', '|']);
        let start = rest + (inner.len() - words.len());
        (!words.trim().is_empty()).then(|| Span::new(start, start + words.trim_end().len()))
    }
}

/// Bytes within which a title must end.
const LONGEST_TITLE: usize = 600;

/// Whether the path leads through the glossary.
fn in_glossary(path: Option<&[String]>) -> bool {
    let glossary = |title: &String| {
        let title = title.to_ascii_lowercase();
        title == "defined terms"
            || title.strip_prefix("appendix a").is_some_and(|rest| !rest.starts_with(char::is_alphanumeric))
    };
    path.is_some_and(|path| path.iter().any(glossary))
}

/// Reads `** *(requirement · mandatory)*` after a title that ends at `at`.
fn marks(text: &str, at: usize) -> Option<(String, String)> {
    let rest = text[at..].trim_start_matches(['*', ' ', '\n']).strip_prefix('(')?;
    let end = rest.char_indices().take(60).find(|&(_, c)| c == ')')?.0;
    let (kind, force) = rest[..end].split_once('·')?;
    Some((kind.trim().to_owned(), force.trim().to_owned()))
}

/// The stretches of a unit, or of its item `of`, that belong to no item inside it.
pub(super) fn own(unit: &Unit, of: Option<usize>) -> Vec<Span> {
    let whole = of.map_or(Span::new(unit.words.max(unit.span.start), unit.span.end), |n| unit.items[n].span);
    let mut out = Vec::new();
    let mut at = whole.start;
    let inner = &unit.items[of.map_or(0, |n| n + 1)..];
    for item in inner.iter().take_while(|i| i.span.start < whole.end).filter(|i| i.parent == of) {
        if at < item.span.start {
            out.push(Span::new(at, item.span.start));
        }
        at = item.span.end;
    }
    if at < whole.end {
        out.push(Span::new(at, whole.end));
    }
    out
}
