//! Tables on a page of a PDF: with rules or without, with tags or without.

use super::Format;
use super::content::Content;
use super::element::Element;
use super::grid::{Cell, Column, Kind, Role, Slot, slots};
use super::random::Random;
use super::writer::{File, Page, bold_width, width};
use std::collections::BTreeSet;

const LEFT: f32 = 50.0;
const RIGHT: f32 = 550.0;
const SIZE: f32 = 8.0;
const LEADING: f32 = 10.0;
/// Type size of marks of notes, in that of their line.
const SMALL: f32 = 0.6;
/// Room at the left of an indented label.
const INDENT: f32 = 10.0;

/// How all tables of a page are set.
struct Style {
    /// Lines around all cells, else below all rows; `None` where there are at most two.
    grid: Option<bool>,
    /// Whether a line stands below the names of a table without others.
    below_names: bool,
    filled: bool,
    foot: bool,
    bold: bool,
    bold_bands: bool,
    centred: bool,
    /// Room between columns, and below each row.
    gap: f32,
    pad: f32,
    label: f32,
}

/// A page, with its tags where it has some.
struct Setter {
    page: Page,
    tags: Option<String>,
    count: usize,
    y: f32,
}

/// A table whose columns and rows have their places.
struct Laid<'c> {
    content: &'c Content,
    /// Left and right side of each column.
    sides: Vec<(f32, f32)>,
    /// Upper side of each row, and the lower side of the last.
    tops: Vec<f32>,
}

/// The file on whose page `contents` stand side by side.
pub(super) fn set(
    random: &mut Random,
    format: Format,
    elements: &BTreeSet<Element>,
    contents: &[Content],
) -> Vec<u8> {
    let has = |element: Element| elements.contains(&element);
    let ruled = format == Format::Ruled || format == Format::Tagged && random.chance(2);
    let style = Style {
        grid: ruled.then(|| random.chance(2)),
        below_names: random.chance(2),
        filled: has(Element::Filled),
        foot: has(Element::Foot),
        bold: random.chance(2),
        bold_bands: random.chance(2),
        centred: random.chance(3),
        gap: random.between(8.0, 14.0),
        pad: if ruled || has(Element::Wrapped) { random.between(5.0, 8.0) } else { random.between(2.0, 7.0) },
        label: if has(Element::Wrapped) { 105.0 } else { 150.0 },
    };
    let tags = (format == Format::Tagged).then(String::new);
    let mut setter = Setter { page: Page::default().raw("0.5 w"), tags, count: 0, y: 70.0 };
    setter.block("H1", 18.0, true, &["Report of the year"]);
    setter.y += 14.0;
    setter.block(
        "P",
        10.0,
        false,
        &[
            "The figures below are those of all sites that were open in the year. They were counted",
            "by those who work there, and nobody else has looked at them since they were sent to us.",
        ],
    );
    setter.y += 22.0;
    let measure = if contents.len() > 1 { 235.0 } else { RIGHT - LEFT };
    let (top, mut bottom) = (setter.y, setter.y);
    for (at, content) in contents.iter().enumerate() {
        let left = LEFT + at as f32 * (RIGHT - LEFT - measure);
        setter.y = top;
        setter.title(left, &content.title);
        let laid = Laid::of(content, &style, left, measure, setter.y);
        setter.table(&laid, &style);
        setter.y = laid.tops.last().copied().unwrap_or(setter.y);
        if let Some(note) = content.note {
            setter.y += 14.0;
            let y = setter.y;
            setter.element("P", |page| {
                let page = page.text(left, y - 3.0, 7.0 * SMALL, "1");
                page.text(left + 6.0, y, 7.0, note)
            });
        }
        bottom = bottom.max(setter.y);
    }
    setter.y = bottom + 26.0;
    setter.block(
        "P",
        10.0,
        false,
        &[
            "What is counted next year will be told in the report of that year, which is to be shorter",
            "than this one and will come out in spring.",
        ],
    );
    setter.file()
}

impl Setter {
    /// Lines below each other that are one element.
    fn block(&mut self, role: &str, size: f32, bold: bool, lines: &[&str]) {
        let top = self.y;
        self.y += lines.len() as f32 * 1.3 * size;
        self.element(role, |page| {
            lines.iter().enumerate().fold(page, |page, (at, line)| {
                let y = top + (at as f32 + 0.8) * 1.3 * size;
                if bold { page.bold(LEFT, y, size, line) } else { page.text(LEFT, y, size, line) }
            })
        });
    }

    fn title(&mut self, left: f32, text: &str) {
        let y = self.y + 10.0;
        self.y += 18.0;
        self.element("H2", |page| page.bold(left, y, 11.0, text));
    }

    /// Draws what is an element of its own.
    fn element(&mut self, role: &str, draw: impl FnOnce(Page) -> Page) {
        let said = self.draw(draw);
        if let Some(tags) = &mut self.tags {
            *tags += &format!("<< /S /{role} /Pg 6 0 R {said} >> ");
        }
    }

    /// Draws, and says what of the page that is.
    fn draw(&mut self, draw: impl FnOnce(Page) -> Page) -> String {
        let page = std::mem::take(&mut self.page);
        if self.tags.is_none() {
            self.page = draw(page);
            return String::new();
        }
        let item = self.count;
        self.count += 1;
        self.page = draw(page.raw(&format!("/P << /MCID {item} >> BDC"))).raw("EMC");
        format!("/K {item}")
    }

    fn artifact(&mut self, draw: impl FnOnce(Page) -> Page) {
        let page = std::mem::take(&mut self.page);
        self.page = if self.tags.is_some() { draw(page.raw("/Artifact BMC")).raw("EMC") } else { draw(page) };
    }

    fn table(&mut self, laid: &Laid<'_>, style: &Style) {
        if style.filled {
            let (left, right) = laid.ends();
            let (top, bottom) = (laid.tops[0], laid.tops[laid.content.heads]);
            let band = format!(
                "q 0.8 0.87 0.94 rg {left} {} {} {} re f Q",
                800.0 - bottom,
                right - left,
                bottom - top
            );
            self.artifact(|page| page.raw(&band));
        }
        self.artifact(|page| {
            laid.rules(style).into_iter().fold(page, |page, (from, to)| page.rule(from, to))
        });
        let mut tree = String::new();
        for (at, slots) in slots(&laid.content.rows, laid.sides.len()).iter().enumerate() {
            tree += "<< /S /TR /K [";
            for slot in slots {
                match slot {
                    Slot::Begins(cell) => {
                        let said = self.draw(|page| laid.cell(page, at, cell, style));
                        let names = laid.content.rows[at].kind == Kind::Names;
                        let role = if names { "TH" } else { "TD" };
                        tree += &format!(
                            "<< /S /{role} /Pg 6 0 R {said} /A << /O /Table /ColSpan {} /RowSpan {} >> >> ",
                            cell.columns, cell.rows
                        );
                    }
                    Slot::Free => tree += "<< /S /TD /Pg 6 0 R >> ",
                    Slot::Across | Slot::Down(_) => {}
                }
            }
            tree += "] >> ";
        }
        if let Some(tags) = &mut self.tags {
            *tags += &format!("<< /S /Table /K [{tree}] >> ");
        }
    }

    fn file(self) -> Vec<u8> {
        let file = File::default().page(self.page);
        match self.tags {
            Some(tags) => file
                .catalog("/MarkInfo << /Marked true >> /StructTreeRoot 5 0 R")
                .object(&format!("<< /K [{tags}] >>"))
                .bytes(),
            None => file.bytes(),
        }
    }
}

impl<'c> Laid<'c> {
    fn of(content: &'c Content, style: &Style, left: f32, measure: f32, top: f32) -> Self {
        let mut laid = Self { content, sides: Vec::new(), tops: Vec::new() };
        let mut widths: Vec<f32> =
            content.columns.iter().map(|column| if *column == Column::Spacer { 10.0 } else { 0.0 }).collect();
        let cells = || content.rows.iter().flat_map(|row| row.cells.iter().map(move |cell| (row.kind, cell)));
        for (kind, cell) in cells().filter(|(kind, cell)| *kind != Kind::Band && cell.columns == 1) {
            let bold = style.bold && kind == Kind::Names;
            let measure = match cell.role {
                Role::Name => 66.0,
                _ => style.label,
            };
            let lines = broken(&cell.text, measure, bold);
            let wide = lines.iter().map(|line| long(line, bold)).fold(0.0, f32::max)
                + cell.mark.map_or(0.0, |mark| width(mark, SIZE * SMALL))
                + if cell.indented { INDENT } else { 0.0 };
            widths[cell.at] = widths[cell.at].max(wide + 1.0);
        }
        // Names over several columns need room for their longest word; those over numbers with signs, for their lines.
        for (kind, cell) in cells().filter(|(kind, cell)| *kind == Kind::Names && cell.columns > 1) {
            let bold = style.bold && kind == Kind::Names;
            let own = &content.columns[cell.at..cell.at + cell.columns];
            let single = own.iter().filter(|column| **column == Column::Value).count() == 1;
            let lines = broken(&cell.text, if single { 66.0 } else { 0.0 }, bold);
            let wide = lines.iter().map(|line| long(line, bold)).fold(0.0, f32::max) + 8.0;
            let has: f32 = widths[cell.at..cell.at + cell.columns].iter().sum();
            if let Some(value) = own.iter().position(|column| *column == Column::Value) {
                widths[cell.at + value] += (wide - has).max(0.0);
            }
        }
        let begins = |at: usize| match content.columns[at] {
            Column::Label | Column::Before | Column::Spacer => at > 0,
            Column::Value => content.columns[at - 1] != Column::Before,
            Column::After => false,
        };
        let gaps = (0..widths.len()).filter(|at| begins(*at)).count() as f32;
        let all: f32 = widths.iter().sum();
        let gap = style.gap.min((measure - all) / gaps.max(1.0)).max(5.0);
        let mut x = left;
        for (at, wide) in widths.iter().enumerate() {
            x += if begins(at) {
                gap
            } else if at > 0 {
                2.0
            } else {
                0.0
            };
            laid.sides.push((x, x + wide));
            x += wide;
        }
        laid.tops = laid.heights(style).iter().fold(vec![top], |mut tops, height| {
            tops.push(tops[tops.len() - 1] + height);
            tops
        });
        laid
    }

    fn ends(&self) -> (f32, f32) {
        let last = self.sides.last().map_or(RIGHT, |side| side.1);
        (self.sides[0].0 - 3.0, last + 3.0)
    }

    fn heights(&self, style: &Style) -> Vec<f32> {
        let rows = self.content.rows.iter();
        rows.map(|row| {
            let single = row.cells.iter().filter(|cell| cell.rows == 1);
            let lines = single.map(|cell| self.lines(row.kind, cell, style).len()).max().unwrap_or(1);
            LEADING * lines as f32 + style.pad
        })
        .collect()
    }

    fn is_bold(&self, kind: Kind, style: &Style) -> bool {
        kind == Kind::Names && style.bold || kind == Kind::Band && style.bold_bands
    }

    fn lines(&self, kind: Kind, cell: &Cell, style: &Style) -> Vec<String> {
        let right = match kind {
            // Bands may reach over the columns beside.
            Kind::Band => self.ends().1,
            _ => self.sides[cell.at + cell.columns - 1].1,
        };
        let indent = if cell.indented { INDENT } else { 0.0 };
        broken(&cell.text, right - self.sides[cell.at].0 - indent + 0.1, self.is_bold(kind, style))
    }

    fn cell(&self, mut page: Page, row: usize, cell: &Cell, style: &Style) -> Page {
        let kind = self.content.rows[row].kind;
        let bold = self.is_bold(kind, style);
        let lines = self.lines(kind, cell, style);
        let (top, bottom) = (self.tops[row], self.tops[row + cell.rows]);
        let free = bottom - top - style.pad - LEADING * lines.len() as f32;
        let down = match () {
            () if cell.rows > 1 => 0.5 * free,
            () if kind == Kind::Names && style.foot => free,
            () => 0.0,
        };
        let (left, right) = (self.sides[cell.at].0, self.sides[cell.at + cell.columns - 1].1);
        for (at, line) in lines.iter().enumerate() {
            let mark = cell.mark.filter(|_| at + 1 == lines.len());
            let small = mark.map_or(0.0, |mark| width(mark, SIZE * SMALL));
            let wide = long(line, bold) + small;
            let x = match cell.role {
                Role::Name if cell.columns > 1 || style.centred => 0.5 * (left + right - wide),
                Role::Unit if cell.at < self.content.columns.len() && kind == Kind::Body => left,
                Role::Name | Role::Value | Role::Unit => right - wide,
                Role::Label if cell.indented => left + INDENT,
                _ => left,
            };
            let y = top + 0.5 * style.pad + down + LEADING * (at as f32 + 0.78);
            page = if bold { page.bold(x, y, SIZE, line) } else { page.text(x, y, SIZE, line) };
            if let Some(mark) = mark {
                page = page.text(x + wide - small, y - 0.35 * SIZE, SIZE * SMALL, mark);
            }
        }
        page
    }

    /// The lines of the table: each from one place to another.
    fn rules(&self, style: &Style) -> Vec<((f32, f32), (f32, f32))> {
        let (left, right) = self.ends();
        let bottom = self.tops.len() - 1;
        let across = |y: f32| ((left, y), (right, y));
        let Some(grid) = style.grid else {
            let below = style.below_names.then(|| across(self.tops[self.content.heads]));
            return below.into_iter().collect();
        };
        let slots = slots(&self.content.rows, self.sides.len());
        let mut out = vec![across(self.tops[0]), across(self.tops[bottom])];
        for (row, across) in slots.iter().enumerate().take(bottom).skip(1) {
            // No line crosses a cell that reaches further down.
            let from = across.iter().position(|slot| !matches!(slot, Slot::Down(_))).unwrap_or(0);
            let x = if from == 0 { left } else { self.between(from) };
            out.push(((x, self.tops[row]), (right, self.tops[row])));
        }
        if grid {
            for (row, slots) in slots.iter().enumerate() {
                let (top, low) = (self.tops[row], self.tops[row + 1]);
                out.extend([((left, top), (left, low)), ((right, top), (right, low))]);
                for (column, slot) in slots.iter().enumerate().skip(1) {
                    let apart = match self.content.columns[column] {
                        Column::Value => self.content.columns[column - 1] != Column::Before,
                        Column::After => false,
                        _ => true,
                    };
                    if apart && !matches!(slot, Slot::Across) {
                        out.push(((self.between(column), top), (self.between(column), low)));
                    }
                }
            }
        }
        out
    }

    /// The middle of the room before a column.
    fn between(&self, column: usize) -> f32 {
        0.5 * (self.sides[column - 1].1 + self.sides[column].0)
    }
}

fn long(text: &str, bold: bool) -> f32 {
    if bold { bold_width(text, SIZE) } else { width(text, SIZE) }
}

/// `text` broken into lines of at most `measure` points; a longer word is a line of its own.
fn broken(text: &str, measure: f32, bold: bool) -> Vec<String> {
    let mut out: Vec<String> = Vec::new();
    for word in text.split(' ') {
        match out.last_mut() {
            Some(line) if long(&format!("{line} {word}"), bold) <= measure => {
                *line = format!("{line} {word}")
            }
            _ => out.push(word.to_owned()),
        }
    }
    out
}
