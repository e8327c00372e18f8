//! What a page looks like after each pass.

use super::block::{Block, Form};
use super::geometry::{Rect, bounds};
use super::line::{Line, rows};
use super::part::Part;
use super::pass::{Of, Pass};
use super::reading::{Reading, Sheet};
use super::sideways::Sideways;
use super::table::{self, Table};
use super::thing::{Content, Thing};
use super::weigh::Decision;
use super::word::Word;
use serde::{Deserialize, Serialize};

/// Most characters of what stands on a page that are shown.
const FIRST_WORDS: usize = 160;

/// A page, or a part of it, after a pass.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PassStep {
    /// What the pass is called.
    pub pass: String,
    /// What it reads.
    pub reads: Vec<String>,
    /// What it writes.
    pub writes: Vec<String>,
    /// The part of the page that it read: empty for the whole page, else the number of the part, and of the part inside of
    /// that, from 1.
    pub part: Vec<usize>,
    /// Whether it left something else there than stood there before.
    pub changed: bool,
    /// What stands there now, in the order in which it is read as far as that is known.
    pub shows: Vec<Shown>,
    /// What it decided.
    pub decisions: Vec<Decision>,
}

/// Something on a page.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Shown {
    /// What it is taken for, such as `line`, `table` or `key figure`.
    pub kind: String,
    /// The region that it stands in, from 1, once the page is divided.
    pub region: Option<usize>,
    /// Its first words.
    pub text: String,
    /// Where it stands on the page as it is filed: left, top, right, bottom (points).
    pub rect: [f32; 4],
}

/// Sees what each pass leaves of one page of a file.
#[derive(Default)]
pub(super) struct Trace {
    /// The page that is looked at, from 1; none where nobody looks.
    page: Option<usize>,
    /// The page that is read, and how it lies.
    at: usize,
    lies: Option<Sideways>,
    part: Vec<usize>,
    steps: Vec<PassStep>,
}

impl Trace {
    /// Looks at page `page`, from 1.
    pub(super) fn of(page: u32) -> Self {
        Self { page: Some(page as usize), ..Self::default() }
    }

    /// What was seen.
    pub(super) fn into_steps(self) -> Vec<PassStep> {
        self.steps
    }

    /// Page `number` (from 1) is read from now on, which lies so.
    pub(super) fn turn_to(&mut self, number: usize, lies: Option<Sideways>) {
        self.at = number;
        if self.page == Some(number) {
            self.lies = lies;
        }
    }

    /// A part of the page is read from now on.
    pub(super) fn enter(&mut self, number: usize) {
        self.part.push(number);
    }

    /// The part has been read.
    pub(super) fn leave(&mut self) {
        self.part.pop();
    }

    /// Notes what a pass left of all pages.
    pub(super) fn document(&mut self, pass: &Pass, reading: &Reading<'_>) {
        let Some(at) = self.page.and_then(|page| page.checked_sub(1)) else { return };
        let paged = reading.paged.get(at).map(|page| &page.blocks);
        let shows = match (reading.sheets.get(at), paged.or_else(|| reading.pages.get(at))) {
            (Some(sheet), _) => lines(&sheet.words),
            (None, Some(blocks)) => blocks.iter().map(block).collect(),
            (None, None) => return,
        };
        // Before a page is turned upright, its words stand as they are filed.
        let lies = if reading.sheets.is_empty() { reading.lies.get(at).copied().flatten() } else { None };
        self.note(pass, shows, Vec::new(), lies);
    }

    /// Notes what a pass left of a page.
    pub(super) fn page(&mut self, pass: &Pass, sheet: &mut Sheet) {
        let decisions = sheet.decisions.told();
        if self.page != Some(self.at) {
            return;
        }
        let mut shows: Vec<Shown> = lines(&sheet.words);
        shows.extend(sheet.parts.iter().map(|part| parts(part, "half")));
        shows.extend(sheet.blocks.iter().map(block));
        let lies = self.lies.filter(|_| !sheet.tagged && pass.name != "tags");
        self.note(pass, shows, decisions, lies);
    }

    /// Notes what a pass left of a part of a page.
    pub(super) fn part(&mut self, pass: &Pass, part: &mut Part) {
        let decisions = part.decisions.told();
        if self.page == Some(self.at) {
            self.note(pass, shown(part), decisions, self.lies);
        }
    }

    fn note(
        &mut self,
        pass: &Pass,
        mut shows: Vec<Shown>,
        mut decisions: Vec<Decision>,
        lies: Option<Sideways>,
    ) {
        if let Some(lies) = lies {
            let rects = shows.iter_mut().map(|shown| &mut shown.rect);
            for rect in rects.chain(decisions.iter_mut().map(|decision| &mut decision.rect)) {
                let [left, top, right, bottom] = *rect;
                *rect = lies.filed(&Rect { left, top, right, bottom }).corners();
            }
        }
        let before = self.steps.iter().rfind(|step| step.part == self.part);
        let names = |of: &[Of]| of.iter().map(|of| of.name().to_owned()).collect();
        self.steps.push(PassStep {
            pass: pass.name.to_owned(),
            reads: names(pass.reads),
            writes: names(pass.writes),
            part: self.part.clone(),
            changed: before.is_none_or(|before| before.shows != shows),
            shows,
            decisions,
        });
    }
}

/// What stands in a part by now.
fn shown(part: &Part) -> Vec<Shown> {
    if !part.blocks.is_empty() {
        return part.blocks.iter().map(block).chain(part.margins.iter().map(thing)).collect();
    }
    let in_regions = |region: usize, shown: Shown| Shown { region: Some(region + 1), ..shown };
    if !part.columns.is_empty() {
        let columns = part.columns.iter().enumerate();
        return columns
            .flat_map(|(at, blocks)| blocks.iter().map(move |one| in_regions(at, block(one))))
            .collect();
    }
    if !part.regions.is_empty() {
        let regions = part.regions.iter().enumerate();
        return regions
            .flat_map(|(at, things)| things.iter().map(move |one| in_regions(at, thing(one))))
            .collect();
    }
    let mut out = lines(&part.words);
    out.extend(part.tables.iter().map(|(table, rect)| tabled(table, rect)));
    out.extend(part.inner.iter().map(|inner| parts(inner, "part")));
    out.extend(part.things.iter().chain(&part.margins).map(thing));
    out
}

/// Words that stand in nothing yet, as rows.
fn lines(words: &[Word]) -> Vec<Shown> {
    rows(words.to_vec()).iter().map(|line| lined(line, "words")).collect()
}

fn lined(line: &Line, kind: &str) -> Shown {
    of(kind, &line.text(), &line.rect)
}

fn tabled(table: &Table, rect: &Rect) -> Shown {
    let cells: Vec<String> = table.rows.iter().flatten().map(|cell| table::text(cell)).collect();
    of(&format!("table of {} rows", table.rows.len()), &cells.join(" | "), rect)
}

fn thing(thing: &Thing) -> Shown {
    match &thing.content {
        Content::Line(_, line) => lined(line, "line"),
        Content::Turned(line) => lined(line, "turned line"),
        Content::Table(table) => tabled(table, &thing.rect),
        Content::Blocks(blocks) => {
            let text: Vec<String> = blocks.iter().map(Block::text).collect();
            of("part", &text.join(" "), &thing.rect)
        }
    }
}

/// A part of which nothing is read.
fn parts(part: &Part, kind: &str) -> Shown {
    let text: Vec<&str> = part.words.iter().map(|word| word.text.as_str()).collect();
    let none = Rect { left: 0.0, top: 0.0, right: 0.0, bottom: 0.0 };
    of(kind, &text.join(" "), &bounds(part.words.iter().map(|word| &word.rect)).unwrap_or(none))
}

fn block(block: &Block) -> Shown {
    let kind = match &block.kind {
        Form::Paragraph => "paragraph",
        Form::Heading(Some(level)) => &format!("heading {level}"),
        Form::Heading(None) => "heading",
        Form::Item { .. } => "item",
        Form::Table(table) => return tabled(table, &block.rect),
        Form::Figure => "figure",
        Form::KeyFigure => "key figure",
        Form::Contents => "contents",
    };
    of(kind, &block.text(), &block.rect)
}

fn of(kind: &str, text: &str, rect: &Rect) -> Shown {
    Shown {
        kind: kind.to_owned(),
        region: None,
        text: text.chars().take(FIRST_WORDS).collect(),
        rect: rect.corners(),
    }
}
