//! Blocks: headings, paragraphs, list items and tables, each made of lines that know their place.

use super::flow;
use super::geometry::{Rect, bounds};
use super::ink::Ink;
use super::line::Line;
use super::list::{self, Mark};
use super::metrics::{EDGE, TEXT_SIZE};
use super::number::is_number;
use super::table::{self, Part, Table};
use super::word::{Turn, Word};

/// Distance between lines, in line distances of the block, from which a new paragraph begins.
const PARAGRAPH_GAP: f32 = 1.3;
/// The same inside one tagged paragraph, where only a break of layout counts.
const TAGGED_GAP: f32 = 3.0;
/// Share of its column's width from which a line is full.
const FULL: f32 = 0.8;
/// Widest space between two words of a sentence (em).
const WORD_GAP: f32 = 0.45;
/// Distance of a paragraph's number from its text, which no space between words reaches (em).
const NUMBER_GAP: f32 = 1.0;
/// Part of the width of a column left of a line that stands at its right edge.
const CREDIT: f32 = 0.25;

/// What a block is.
#[derive(Debug, Clone)]
pub(super) enum Form {
    Paragraph,
    /// A heading as tagged (`level`), or as found by its looks later on.
    Heading(Option<u8>),
    /// A list item with its mark taken off, nested `depth` deep.
    Item {
        mark: Mark,
        depth: u8,
    },
    Table(Table),
    /// Words inside a drawing or chart.
    Figure,
    /// A big number with its label.
    KeyFigure,
    /// An entry of a page of contents, or its title.
    Contents,
}

/// A block with its lines; tables hold theirs in their cells.
#[derive(Debug, Clone)]
pub(super) struct Block {
    pub(super) kind: Form,
    pub(super) lines: Vec<Line>,
    pub(super) rect: Rect,
}

impl Block {
    /// A block of `lines`; `None` where there are none.
    pub(super) fn new(kind: Form, lines: Vec<Line>) -> Option<Self> {
        let rect = bounds(lines.iter().map(|l| &l.rect))?;
        Some(Self { kind, lines, rect })
    }

    pub(super) fn table(table: Table, rect: Rect) -> Self {
        Self { kind: Form::Table(table), lines: Vec::new(), rect }
    }

    /// Whether it is a further part of the table before it.
    pub(super) fn is_later_part(&self) -> bool {
        matches!(&self.kind, Form::Table(Table { part: Part::Later { .. }, .. }))
    }

    /// Its text on one line.
    pub(super) fn text(&self) -> String {
        table::text(&self.lines)
    }

    /// Size of its letters (points).
    pub(super) fn size(&self) -> f32 {
        self.lines.iter().map(Line::size).fold(0.0, f32::max)
    }

    /// Makes a heading of it.
    pub(super) fn become_heading(&mut self, level: u8) {
        self.become_kind(Form::Heading(Some(level)));
    }

    /// Makes something else of it; the mark of a list item becomes its first word again.
    pub(super) fn become_kind(&mut self, kind: Form) {
        if let Form::Item { mark: Mark::Number(label) | Mark::Label(label), .. } = &self.kind
            && let Some(line) = self.lines.first_mut()
            && let Some(first) = line.words.first().cloned()
        {
            line.words.insert(0, Word { text: label.clone(), ..first });
            line.words[1].spaced = true;
        }
        self.kind = kind;
    }

    /// The colour of its letters, where they have one.
    pub(super) fn ink(&self) -> Option<Ink> {
        let ink = self.lines.first()?.ink()?;
        self.lines.iter().all(|line| line.ink() == Some(ink)).then_some(ink)
    }

    /// Whether all of it looks bold.
    pub(super) fn bold(&self) -> bool {
        !self.lines.is_empty() && self.lines.iter().all(Line::bold)
    }
}

/// Where the lines come from, which decides how much their distances mean.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Origin {
    /// One tagged element: it is one paragraph unless list marks say otherwise.
    Tagged,
    /// The body of a tagged list item, whose mark may still stand in its text.
    Item,
    /// A column of a page without tags.
    Position,
}

/// Splits lines that follow each other into paragraphs and list items.
pub(super) fn paragraphs(lines: Vec<Line>, origin: Origin) -> Vec<Block> {
    let column = bounds(lines.iter().map(|l| &l.rect));
    let pitch = pitch(&lines);
    let credits: Vec<bool> = (0..lines.len()).map(|at| is_credit(&lines, at, column)).collect();
    let mut groups: Vec<(Option<Mark>, Vec<Line>)> = Vec::new();
    let numbers: Vec<Option<u32>> = lines.iter().map(first_number).collect();
    let mut in_list = origin == Origin::Item;
    // A star alone marks a note, not an item.
    let starred = |line: &&Line| line.words.first().is_some_and(|word| word.text == "*");
    let lone_star = lines.iter().filter(starred).count() == 1;
    for (at, (mut line, credit)) in lines.into_iter().zip(credits).enumerate() {
        let star = starred(&&line);
        let noted = lone_star && star;
        let within = |(mark, group): &(Option<Mark>, Vec<Line>)| {
            enumerates(group, &line, column)
                || mark.is_none() && !counts_on(&numbers, at) && ends_with_number(group, &line, column)
        };
        let taken = if noted || groups.last().is_some_and(within) {
            None
        } else {
            take_mark(&mut line, in_list || star, groups.is_empty())
        };
        let fresh = match groups.last().and_then(|(_, group)| group.last()) {
            None => true,
            Some(_) if taken.is_some() => true,
            Some(last) => match origin {
                Origin::Tagged | Origin::Item => {
                    line.baseline() - last.baseline() > TAGGED_GAP * line.size().max(1.0)
                }
                Origin::Position => {
                    credit
                        || noted
                        || groups.last().is_some_and(|group| stands_out(group, &line, column))
                        || !groups.last().is_some_and(|group| hangs_on(group, &line, pitch))
                            && breaks(last, &line, pitch, column)
                }
            },
        };
        if fresh {
            in_list = taken.is_some();
            groups.push((taken, vec![line]));
        } else if let Some((_, group)) = groups.last_mut() {
            group.push(line);
        }
    }
    let mut indents: Vec<f32> = Vec::new();
    let mut blocks = Vec::new();
    for (mark, group) in groups {
        let kind = match mark {
            Some(mark) => {
                let left = group[0].rect.left;
                indents.retain(|known| *known < left - 4.0 || (known - left).abs() <= 4.0);
                if indents.last().is_none_or(|known| (known - left).abs() > 4.0) {
                    indents.push(left);
                }
                Form::Item { mark, depth: indents.len().saturating_sub(1).min(8) as u8 }
            }
            None => Form::Paragraph,
        };
        blocks.extend(Block::new(kind, group));
    }
    blocks
}

/// Whether a line opens with a number in brackets that stands in the middle of a sentence. It had no room at the end
/// of the line above, or the number before it stands within a line.
fn enumerates(group: &[Line], line: &Line, column: Option<Rect>) -> bool {
    let Some(last) = group.last() else { return false };
    let (Some(end), Some(first)) = (last.words.last(), line.words.first()) else { return false };
    if !first.text.starts_with('(') || (line.rect.left - last.rect.left).abs() >= EDGE {
        return false;
    }
    let right = column.map_or(last.rect.right, |column| column.right);
    let full = last.rect.right + first.rect.width() + first.size > right;
    // Items of a list are joined by these as well.
    let joint = ["and", "or"].contains(&end.text.as_str());
    let number = first.text.trim_matches(['(', ')']).parse::<u32>().unwrap_or(0);
    let before = format!("({})", number.saturating_sub(1));
    let counted =
        number > 1 && group.iter().any(|line| line.words.iter().skip(1).any(|word| word.text == before));
    counted || full && !joint && flow::is_open_word(&end.text)
}

/// The number that a line opens with as an item does.
fn first_number(line: &Line) -> Option<u32> {
    let first = line.words.first()?;
    matches!(list::mark(&first.text, false), Some(Mark::Number(_)))
        .then(|| first.text.trim_end_matches(['.', ')']).parse().ok())?
}

/// Whether the number of line `at` follows that of a line before it, or a later one follows it, as those of a list do.
fn counts_on(numbers: &[Option<u32>], at: usize) -> bool {
    let Some(own) = numbers[at] else { return false };
    numbers[..at].iter().flatten().any(|other| other + 1 == own)
        || numbers[at + 1..].iter().flatten().any(|other| *other == own + 1)
}

/// Whether a line opens with the number that the sentence of the lines above it ends or goes on with, as `of scope` / `2. In`
/// does: that has not come to its end where the line is full, and text follows the number as it follows any word.
fn ends_with_number(group: &[Line], line: &Line, column: Option<Rect>) -> bool {
    let (Some(last), [first, next, ..]) = (group.last(), line.words.as_slice()) else { return false };
    let Some(end) = last.words.last() else { return false };
    let full = column.is_some_and(|column| last.rect.right > column.left + FULL * column.width());
    let running = end.text.ends_with(|c: char| c.is_lowercase()) && last.words.len() > 2;
    matches!(list::mark(&first.text, false), Some(Mark::Number(_)))
        && running
        && full
        && (line.rect.left - last.rect.left).abs() < EDGE
        && (line.size() - last.size()).abs() < 0.05 * line.size()
        && line.bold() == last.bold()
        && next.rect.left - first.rect.right < WORD_GAP * next.size
}

/// Takes the list mark off the start of a line that continues after it.
///
/// Dashes and numbers are marks only where text follows at a distance, or inside a list; `–` before a number
/// is a minus sign.
fn take_mark(line: &mut Line, in_list: bool, first_line: bool) -> Option<Mark> {
    let (first, next) = (line.words.first()?, line.words.get(1)?);
    if first.turn != Turn::Level || !next.spaced || list::refer(&line.words) {
        return None;
    }
    let gap = (next.rect.left - first.rect.right) / next.size.max(1.0);
    let mark = list::mark(&first.text, first.fixed)?;
    let dash = ["-", "–", "—", "−", "*", "·"].contains(&first.text.as_str());
    let sure = match &mark {
        Mark::Bullet if !dash => true,
        Mark::Bullet => !next.numeric() && (gap > 0.3 || in_list || first_line),
        Mark::Number(_) => {
            (in_list && first_line) || (gap > 0.2 && !next.text.starts_with(|c: char| c.is_lowercase()))
        }
        Mark::Label(text) => gap > 0.5 || in_list || text.starts_with('(') || text.ends_with(')'),
    };
    if !sure {
        return None;
    }
    line.words.remove(0);
    line.words[0].spaced = true;
    line.rect = bounds(line.words.iter().map(|w| &w.rect)).unwrap_or(line.rect);
    Some(mark)
}

/// The usual distance between the baselines of neighbouring lines (points).
fn pitch(lines: &[Line]) -> f32 {
    let mut steps: Vec<f32> = lines
        .windows(2)
        .map(|pair| pair[1].baseline() - pair[0].baseline())
        .filter(|step| *step > 0.5)
        .collect();
    steps.sort_by(f32::total_cmp);
    // The lower third rather than the median: short blocks hold as many paragraph gaps as line steps.
    steps.get(steps.len() / 3).copied().unwrap_or(0.0)
}

fn breaks(last: &Line, next: &Line, pitch: f32, column: Option<Rect>) -> bool {
    let size = last.size().max(next.size());
    let step = next.baseline() - last.baseline();
    // A bold opening that runs on into the next line is no heading: only a change at the line's end counts.
    let ends_bold = last.words.last().is_some_and(|w| w.bold);
    let starts_bold = next.words.first().is_some_and(|w| w.bold);
    let change = last.bold() != next.bold() && ends_bold != starts_bold && !flow::is_open(last, next);
    // A line in a colour of its own is no part of a text in another, unless a sentence goes over to it, as to a link.
    let coloured = matches!((last.ink(), next.ink()), (Some(a), Some(b)) if a != b && (a.is_chromatic() || b.is_chromatic()));
    if coloured && !flow::is_open(last, next) {
        return true;
    }
    // Two numbered headings may stand close below each other.
    let numbered =
        |word: &Word| matches!(list::mark(&word.text, false), Some(Mark::Number(_) | Mark::Label(_)));
    if last.bold() && next.bold() && next.words.len() > 1 && next.words.first().is_some_and(numbered) {
        return true;
    }
    if hangs(next) || next.opens_note() {
        return true;
    }
    if is_number(&last.text()) != is_number(&next.text()) && !flow::is_open(last, next) {
        return true;
    }
    if step < 0.0 || size / last.size().min(next.size()).max(0.1) > TEXT_SIZE || change {
        return true;
    }
    if is_contents_line(last) {
        return true;
    }
    let usual = pitch.clamp(size * 0.9, size * 1.7);
    if step > usual * PARAGRAPH_GAP {
        return true;
    }
    let Some(column) = column else { return false };
    // A line that ends its sentence well before the right edge ends its paragraph, if the next word had room there.
    let below = (next.rect.left - last.rect.left).abs() < EDGE;
    let needed = next.words.first().filter(|_| below).map_or(0.0, |word| word.rect.width() + 0.25 * size);
    let short = last.rect.right < column.right - needed.max(0.2 * column.width());
    let ends = last.words.last().is_some_and(|w| w.text.ends_with(['.', ':', '?', '!']));
    let indented = next.rect.left > last.rect.left + size && last.rect.left < column.left + 2.0;
    (short && ends) || (indented && ends && next.rect.left < column.left + 4.0 * size)
}

/// Whether line `at` stands alone at the right edge of its column below a text that has come to its end, as the name of a
/// photographer does.
fn is_credit(lines: &[Line], at: usize, column: Option<Rect>) -> bool {
    let (Some(last), Some(column)) = (at.checked_sub(1).map(|at| &lines[at]), column) else { return false };
    let line = &lines[at];
    let far = |line: &Line| line.rect.left > column.left + CREDIT * column.width();
    far(line)
        && !far(last)
        && column.right - line.rect.right < 0.5 * line.size()
        && lines.get(at + 1).is_none_or(|next| !far(next))
        && flow::ends_sentence(last)
}

/// Whether `next` stands below the text of an item, right of its mark, where only more of that item can stand.
fn hangs_on((mark, item): &(Option<Mark>, Vec<Line>), next: &Line, pitch: f32) -> bool {
    let (Some(first), Some(last)) = (item.first(), item.last()) else { return false };
    let (small, large) = (last.size().min(next.size()).max(0.1), last.size().max(next.size()));
    let step = next.baseline() - last.baseline();
    let close = (0.5 * small..PARAGRAPH_GAP * pitch.clamp(large * 0.9, large * 1.7)).contains(&step);
    // A bold name of the item may fill its first line; another bold line begins something new.
    let alike = last.bold() == next.bold() || item.len() == 1 && last.bold();
    mark.is_some()
        && item.iter().skip(1).chain([next]).all(|line| (line.rect.left - first.rect.left).abs() < EDGE)
        && close
        && alike
        && large <= TEXT_SIZE * small
        && last.ink() == next.ink()
        && !hangs(next)
        && !next.opens_note()
}

/// Whether `next` begins left of the text of an item in whose last line its first word had room: it is no part of it.
fn stands_out((mark, item): &(Option<Mark>, Vec<Line>), next: &Line, column: Option<Rect>) -> bool {
    let (Some(first), Some(last), Some(column)) = (item.first(), item.last(), column) else { return false };
    let Some(word) = next.words.first().filter(|word| word.turn == Turn::Level) else { return false };
    mark.is_some()
        && next.rect.left < first.rect.left - EDGE
        && last.rect.right + word.rect.width() + last.size() < column.right
}

/// Whether a line opens with a paragraph's number that stands at a distance from its text.
fn hangs(line: &Line) -> bool {
    let [number, first, ..] = line.words.as_slice() else { return false };
    list::is_plain_number(&number.text)
        && first.rect.left - number.rect.right > NUMBER_GAP * number.size.max(first.size)
}

/// Whether a line of a table of contents ends here: dots that lead to a page number.
fn is_contents_line(line: &Line) -> bool {
    let text = line.text();
    let number = text.rsplit(['.', ' ', '…']).next().unwrap_or_default();
    let counts = !number.is_empty()
        && number.len() <= 6
        && number.chars().all(|c| c.is_ascii_digit() || "ivxlc".contains(c));
    counts && ["...", ". . .", "……"].iter().any(|leader| text.contains(leader))
}
