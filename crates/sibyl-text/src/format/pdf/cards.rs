//! Cards: big numbers beside or below each other, as the highlights of a report are set. Each has its unit and
//! caption in a circle, a box or a column of its own. Each is one key figure; what else stands in it follows as lines
//! of their own.

mod beside;

use super::block::{Block, Form};
use super::elements::Elements;
use super::geometry::{Rect, bounds};
use super::key_figure::{LABEL, LARGER};
use super::line::Line;
use super::metrics::{EDGE, LEVEL, SAME_SIZE};
use super::number::{count_on, is_number};
use super::table::{Cell, Part, Table};
use super::thing::HEADING;
use super::word::is_years;
use crate::format::table;
use crate::language::unit::PER;

/// Farthest that the first line of a caption stands from its number (in letter sizes of the number), and another line from the
/// one before (in its own).
const FIRST: f32 = 1.3;
const NEXT: f32 = 1.2;
/// The first of these where all numbers of a row have one on the same level, as those in circles have below these.
const BELOW_SHAPES: f32 = 4.0;
/// Widest gap between a number and its unit beside it (in letter sizes of the number).
const UNIT: f32 = 0.8;
/// Most words of a unit; one that begins with `per` or `of` has twice as many.
const UNIT_WORDS: usize = 3;
/// Difference up to which a caption begins, or has its middle, where its number does (in letter sizes of the number).
const IN_LINE: f32 = 0.6;
/// Free height above and below a row of cards (in letter sizes of the numbers): text around them is set closer.
const FREE: f32 = 0.9;
/// Free height that is enough in any case (in letter sizes of captions).
const LINES_FREE: f32 = 2.0;
/// Most lines of a card.
const LINES: usize = 6;

/// The lines of a card.
struct Card<'l> {
    number: &'l Line,
    unit: Option<usize>,
    caption: Vec<usize>,
    /// What else stands below.
    further: Vec<usize>,
}

/// The rows of cards among the labels of a page, as the blocks of each, and the labels that are in none.
pub(super) fn found(labels: Vec<Line>, elements: &Elements<'_>) -> (Vec<Vec<Block>>, Vec<Line>) {
    let mut rows = rows(&labels);
    let held: Vec<usize> = rows.iter().flat_map(|(_, held)| held).copied().collect();
    rows.extend(beside::columns(&labels, &held));
    let whole = |(_, held): &(Vec<Block>, Vec<usize>)| elements.are_whole(held.iter().map(|at| &labels[*at]));
    let (cards, held): (Vec<Vec<Block>>, Vec<Vec<usize>>) = rows.into_iter().filter(whole).unzip();
    let held: Vec<usize> = held.into_iter().flatten().collect();
    let left = labels.into_iter().enumerate().filter(|(at, _)| !held.contains(at));
    (cards, left.map(|(_, label)| label).collect())
}

/// The same blocks, the cards of tables that only put them in their places out of these.
pub(super) fn out_of_tables(blocks: Vec<Block>) -> Vec<Block> {
    let parts = |block: Block| -> Vec<Block> {
        let Form::Table(Table { rows, part: Part::First, .. }) = &block.kind else { return vec![block] };
        let lines = |cell: &Cell| cell.iter().map(Line::text).collect();
        let texts: Vec<Vec<Vec<String>>> = rows.iter().map(|row| row.iter().map(lines).collect()).collect();
        let Some(cards) = table::cards(&texts) else { return vec![block] };
        let of = |places: &[table::Place]| -> Vec<Line> {
            places
                .iter()
                .flat_map(|(row, column, lines)| rows[*row][*column][lines.clone()].to_vec())
                .collect()
        };
        let blocks = |card: table::Card| -> Vec<Block> {
            let further =
                card.further.into_iter().filter_map(|place| Block::new(Form::Paragraph, of(&[place])));
            Block::new(Form::KeyFigure, of(&card.figure)).into_iter().chain(further).collect()
        };
        cards.into_iter().flat_map(blocks).collect()
    };
    blocks.into_iter().flat_map(parts).collect()
}

/// The rows of cards among `lines`, as blocks with the lines that each row holds. A number in a shape has its caption apart from
/// it.
fn rows(lines: &[Line]) -> Vec<(Vec<Block>, Vec<usize>)> {
    let mut found = rows_of(&|line| is_big(line, lines, BELOW_SHAPES), lines);
    let held: Vec<usize> = found.iter().flat_map(|(_, held)| held).copied().collect();
    let near = rows_of(&|line| is_big(line, lines, FIRST), lines);
    found.extend(near.into_iter().filter(|(_, own)| !own.iter().any(|at| held.contains(at))));
    found
}

/// The rows of cards whose numbers are those of `lines` that `counts`.
fn rows_of(counts: &dyn Fn(&Line) -> bool, lines: &[Line]) -> Vec<(Vec<Block>, Vec<usize>)> {
    let mut numbers: Vec<(usize, &Line)> =
        lines.iter().enumerate().filter(|(_, line)| counts(line)).collect();
    numbers.sort_by(|a, b| {
        a.1.baseline().total_cmp(&b.1.baseline()).then(a.1.rect.left.total_cmp(&b.1.rect.left))
    });
    let in_row = |a: &(usize, &Line), b: &(usize, &Line)| {
        (a.1.baseline() - b.1.baseline()).abs() <= LEVEL * a.1.size() && alike(a.1.size(), b.1.size())
    };
    let cards = |row: &[(usize, &Line)]| cards_of(row.to_vec(), lines);
    numbers.chunk_by(in_row).filter(|row| row.len() > 1).filter_map(cards).collect()
}

/// The cards of a row of numbers; `None` where one has no caption, or other lines stand among them.
fn cards_of(mut row: Vec<(usize, &Line)>, lines: &[Line]) -> Option<(Vec<Block>, Vec<usize>)> {
    row.sort_by(|a, b| a.1.rect.left.total_cmp(&b.1.rect.left));
    let (taken, own): (Vec<usize>, Vec<&Line>) = row.into_iter().unzip();
    if count_on(own.iter().map(|line| line.text())) {
        return None;
    }
    let all = |level: Option<f32>| -> Option<Vec<Card<'_>>> {
        own.iter().map(|number| card(number, &own, lines, &taken, level)).collect()
    };
    let mut cards = all(None).or_else(|| all(Some(level_of(&own, lines, &taken)?)))?;
    let rects: Vec<Rect> =
        cards.iter().zip(&taken).filter_map(|(card, at)| rect_of(&card.held(*at), lines)).collect();
    let rect = bounds(&rects)?;
    let held: Vec<usize> = cards.iter().zip(&taken).flat_map(|(card, at)| card.held(*at)).collect();
    let captions = cards.iter().flat_map(|card| &card.caption).map(|at| lines[*at].size());
    let caption = captions.fold(0.0, f32::max);
    // Inside of columns or panels, they belong to what stands around them.
    let free = (FREE * own[0].size()).min(LINES_FREE * caption);
    let around = Rect { top: rect.top - free, bottom: rect.bottom + free, ..rect };
    let pitch = rects.windows(2).map(|two| two[1].left - two[0].left).fold(f32::MAX, f32::min);
    let heads = |line: &Line| {
        let follows = line.rect.top > rect.bottom && !is_number(&line.text());
        line.size() >= HEADING * caption && (line.rect.bottom < rect.top || follows)
    };
    for (at, line) in lines.iter().enumerate().filter(|(at, _)| !held.contains(at)) {
        // At the far side of a card stands by how much its number has changed.
        let left = |rect: &Rect| line.rect.left >= rect.left && line.rect.right <= rect.left + pitch;
        let level = rect.top <= line.rect.center().1 && line.rect.center().1 <= rect.bottom;
        let card = rects.iter().position(left).filter(|_| level && is_short(line));
        match card {
            Some(card) => cards[card].further.push(at),
            // The heading above, or that of what follows, is none of them.
            None if heads(line) => {}
            None if line.rect.overlap_x(&around) > 0.0 && line.rect.overlap_y(&around) > 0.0 => return None,
            None => {}
        }
    }
    let held = cards.iter().zip(&taken).flat_map(|(card, at)| card.held(*at)).collect();
    Some((cards.into_iter().flat_map(|card| card.blocks(lines)).collect(), held))
}

/// The box around several of `lines`.
fn rect_of(held: &[usize], lines: &[Line]) -> Option<Rect> {
    bounds(held.iter().map(|at| &lines[*at].rect))
}

/// The level of the first lines below the numbers of a row that belong to one of them each.
fn level_of(row: &[&Line], lines: &[Line], taken: &[usize]) -> Option<f32> {
    let below = |number: &Line| -> Vec<f32> {
        let below = column(number, number.rect, row, lines, taken).into_iter().map(|at| &lines[at]);
        below.filter(|line| line.rect.top > number.rect.bottom).map(Line::baseline).collect()
    };
    let mut levels = below(row[0]);
    levels.sort_by(f32::total_cmp);
    let others: Vec<Vec<f32>> = row[1..].iter().map(|number| below(number)).collect();
    levels.into_iter().find(|level| others.iter().all(|other| other.iter().any(|own| is_level(*own, *level))))
}

fn is_level(one: f32, other: f32) -> bool {
    (one - other).abs() <= EDGE
}

/// The lines that belong to `number`, which is as wide as `wide` with its unit. They are smaller, begin or have their
/// middle where it does, and are nearer to it than to another number of its row.
fn column(number: &Line, wide: Rect, row: &[&Line], lines: &[Line], taken: &[usize]) -> Vec<usize> {
    let size = number.size();
    let far = |line: &Line, of: &Line| {
        let wide = if std::ptr::eq(of, number) { wide } else { of.rect };
        let middle = (line.rect.center().0 - of.rect.center().0)
            .abs()
            .min((line.rect.center().0 - wide.center().0).abs());
        (line.rect.left - of.rect.left).abs().min(middle)
    };
    let own = |line: &Line| {
        let here = far(line, number);
        here <= IN_LINE * size
            && row.iter().all(|other| std::ptr::eq(*other, number) || far(line, other) > here)
    };
    let counts = |at: &usize| {
        let line = &lines[*at];
        let text = line.text();
        // A number may end what stands in brackets.
        let closes = text.ends_with([')', '）']) && !text.contains(['(', '（']);
        !taken.contains(at) && size >= LARGER * line.size() && own(line) && (!is_number(&text) || closes)
    };
    (0..lines.len()).filter(counts).collect()
}

/// Whether a line is a number, larger than what stands `reach` around it (in its letter sizes).
fn is_big(line: &Line, lines: &[Line], reach: f32) -> bool {
    let text = line.text();
    let near = |other: &&Line| {
        let gap = (other.rect.top - line.rect.bottom).max(line.rect.top - other.rect.bottom);
        gap <= reach * line.size() && other.rect.overlap_x(&line.rect) > 0.0 && !std::ptr::eq(*other, line)
    };
    is_number(&text)
        && !is_years(&text)
        && lines
            .iter()
            .filter(near)
            .any(|other| line.size() >= LARGER * other.size() && !is_number(&other.text()))
}

/// The card of `number`, one of a row whose captions begin at a `level` where they do apart from the numbers; `None` where it has
/// no caption.
fn card<'l>(
    number: &'l Line,
    row: &[&Line],
    lines: &[Line],
    taken: &[usize],
    level: Option<f32>,
) -> Option<Card<'l>> {
    let size = number.size();
    let unit = lines.iter().enumerate().position(|(at, line)| {
        let gap = line.rect.left - number.rect.right;
        let level = (line.baseline() - number.baseline()).abs() <= LEVEL * size;
        let smaller = size >= LARGER * line.size();
        !taken.contains(&at) && level && smaller && (0.0..UNIT * size).contains(&gap) && is_short(line)
    });
    let wide = unit.map_or(number.rect, |at| number.rect.union(&lines[at].rect));
    let mut column = column(number, wide, row, lines, taken);
    column.retain(|at| Some(*at) != unit);
    let begins = |line: &Line| level.is_some_and(|level| is_level(line.baseline(), level));
    let mut below: Vec<usize> =
        column.iter().copied().filter(|at| lines[*at].rect.top > number.rect.center().1).collect();
    below.sort_by(|a, b| lines[*a].rect.top.total_cmp(&lines[*b].rect.top));
    let mut end = number.rect.bottom;
    let mut kept: Vec<usize> = Vec::new();
    for at in &below {
        let line = &lines[*at];
        // What is set smaller than the caption may stand apart from it.
        let reach = match kept.first() {
            _ if begins(line) => BELOW_SHAPES * size,
            None => FIRST * size,
            Some(first) if lines[*first].size() >= SAME_SIZE * line.size() => 2.0 * NEXT * line.size(),
            Some(_) => NEXT * line.size(),
        };
        let between = |other: &Line| {
            other.rect.top > end
                && other.rect.bottom < line.rect.top
                && other.rect.overlap_x(&line.rect) > 0.0
        };
        if line.rect.top - end > reach || lines.iter().any(between) {
            break;
        }
        end = end.max(line.rect.bottom);
        kept.push(*at);
    }
    let above = column.iter().copied().filter(|at| {
        let gap = number.rect.top - lines[*at].rect.bottom;
        (-size / 2.0..FIRST * size / 2.0).contains(&gap) && lines[*at].rect.bottom < number.rect.center().1
    });
    let above = above.max_by(|a, b| lines[*a].rect.bottom.total_cmp(&lines[*b].rect.bottom));
    // Of a line above and smaller or lighter ones below, the line above says what it is.
    let names = |above: &Line, first: &Line| {
        above.size() >= SAME_SIZE * first.size()
            || above.bold() && !first.bold() && alike(above.size(), first.size())
    };
    let units = kept.iter().take_while(|at| is_unit(&lines[**at])).count();
    let mut measured = units + kept[units..].iter().take_while(|at| is_per(&lines[**at])).count();
    let told = |held: &[usize]| -> Vec<Line> { held.iter().map(|at| lines[*at].clone()).collect() };
    while measured > 0 && measured < kept.len() && is_open(&told(&kept[..measured])) {
        measured += 1;
    }
    let (caption, further): (Vec<usize>, Vec<usize>) = match (above, kept.first()) {
        (Some(above), _) if kept.get(measured).is_none_or(|first| names(&lines[above], &lines[*first])) => {
            let further = kept.split_off(measured);
            (kept.into_iter().chain([above]).collect(), further)
        }
        (_, Some(_)) => {
            // A unit may stand in a line of its own.
            let before = kept.iter().position(|at| begins(&lines[*at])).unwrap_or_default();
            let alone = before.max(usize::from(kept.len() > 1 && units > 0));
            let style = &lines[kept[alone]];
            let same =
                |at: &&usize| alike(lines[**at].size(), style.size()) && lines[**at].bold() == style.bold();
            let count = alone + kept[alone..].iter().take_while(same).count();
            let further = kept.split_off(count);
            (kept, further)
        }
        _ => return None,
    };
    let words: usize = caption.iter().map(|at| lines[*at].words.len()).sum();
    (words <= LABEL && caption.len() + further.len() <= LINES).then_some(Card {
        number,
        unit,
        caption,
        further,
    })
}

/// Whether a line is as short as units are.
fn is_short(line: &Line) -> bool {
    let of_what = is_per(line) || line.words.first().is_some_and(|word| word.text == "of");
    let most = if of_what { 2 * UNIT_WORDS } else { UNIT_WORDS };
    line.words.iter().filter(|word| word.spaced).count() <= most
}

/// Whether a line goes on behind a number with what it is for each of: `per million hours`.
fn is_per(line: &Line) -> bool {
    line.words.first().is_some_and(|word| PER.contains(&word.text.as_str()))
}

/// Whether a bracket that lines open ends in none of them.
fn is_open(told: &[Line]) -> bool {
    let count = |sign: char| told.iter().map(|line| line.text().matches(sign).count()).sum::<usize>();
    count('(') > count(')')
}

/// Whether a line is nothing but a unit, behind which another value may stand in brackets.
fn is_unit(line: &Line) -> bool {
    let text = line.text().to_lowercase();
    let bare = text.find(['(', '（']).filter(|at| *at > 0).map_or(text.as_str(), |at| &text[..at]);
    crate::language::cell::is_unit(bare)
}

fn alike(one: f32, other: f32) -> bool {
    one.max(other) <= SAME_SIZE * one.min(other)
}

impl Card<'_> {
    /// The lines that it holds, the number `at` first.
    fn held(&self, at: usize) -> Vec<usize> {
        [at].into_iter().chain(self.unit).chain(self.caption.iter().chain(&self.further).copied()).collect()
    }

    /// The key figure, and each further line below it.
    fn blocks(&self, lines: &[Line]) -> Vec<Block> {
        let words = self
            .number
            .words
            .iter()
            .chain(self.unit.iter().flat_map(|at| &lines[*at].words))
            .cloned()
            .collect();
        let first = Line::of(words);
        let caption = self.caption.iter().map(|at| lines[*at].clone());
        let figure = Block::new(Form::KeyFigure, first.into_iter().chain(caption).collect());
        let mut further: Vec<Vec<Line>> = Vec::new();
        for at in &self.further {
            match further.last_mut().filter(|told| is_open(told.as_slice())) {
                Some(told) => told.push(lines[*at].clone()),
                None => further.push(vec![lines[*at].clone()]),
            }
        }
        let further = further.into_iter().filter_map(|told| Block::new(Form::Paragraph, told));
        figure.into_iter().chain(further).collect()
    }
}
