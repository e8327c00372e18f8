//! Cards below each other whose captions stand beside their numbers.

use super::super::block::Block;
use super::super::key_figure::{LABEL, LARGER};
use super::super::line::Line;
use super::super::metrics::EDGE;
use super::super::number::{count_on, is_number};
use super::super::word::is_years;
use super::{Card, IN_LINE, alike};

/// Farthest that a caption stands to the right of its number (in letter sizes of the number).
const RIGHT: f32 = 4.0;
/// Farthest that a caption stands to the left of its number (in letter sizes of the number).
const LEFT: f32 = 8.0;
/// Farthest that the middle of a caption's lines is above or below that of its number (in letter sizes of the
/// number).
const LEVEL: f32 = 1.2;
/// Ratio up to which numbers of one column may differ in size: a ring is drawn as large as its number is.
const RINGS: f32 = 1.3;
/// Most lines beside a number.
const LINES: usize = 5;

/// Lines left and right of a number.
type Sides = (Vec<usize>, Vec<usize>);

/// The columns of cards among `lines` that are not `held` by others.
pub(super) fn columns(lines: &[Line], held: &[usize]) -> Vec<(Vec<Block>, Vec<usize>)> {
    let is_big = |(at, line): &(usize, &Line)| {
        let text = line.text();
        !held.contains(at) && is_number(&text) && !is_years(&text)
    };
    let mut columns: Vec<Vec<(usize, &Line)>> = Vec::new();
    for number in lines.iter().enumerate().filter(is_big) {
        let (a, size) = (number.1.rect, number.1.size());
        let below = |column: &&mut Vec<(usize, &Line)>| {
            let b = column[0].1.rect;
            let miss = [a.left - b.left, a.right - b.right, a.center().0 - b.center().0];
            let other = column[0].1.size();
            size.max(other) <= RINGS * size.min(other) && miss.iter().any(|miss| miss.abs() <= IN_LINE * size)
        };
        match columns.iter_mut().find(below) {
            Some(column) => column.push(number),
            None => columns.push(vec![number]),
        }
    }
    let big: Vec<&Line> = columns.iter().flatten().map(|(_, line)| *line).collect();
    columns
        .into_iter()
        .filter(|column| column.len() > 1)
        .filter_map(|column| cards(column, &big, lines, held))
        .collect()
}

/// The cards of a column of numbers; `None` where one has no caption.
fn cards(
    mut column: Vec<(usize, &Line)>,
    big: &[&Line],
    lines: &[Line],
    held: &[usize],
) -> Option<(Vec<Block>, Vec<usize>)> {
    column.sort_by(|a, b| a.1.rect.top.total_cmp(&b.1.rect.top));
    let numbers: Vec<&Line> = column.iter().map(|(_, line)| *line).collect();
    if count_on(numbers.iter().map(|line| line.text())) {
        return None;
    }
    let all: Vec<Sides> =
        numbers.iter().map(|number| sides(number, (&numbers, big), lines, held)).collect::<Option<_>>()?;
    let lefts = all.iter().filter(|(left, _)| !left.is_empty()).count();
    if lefts != 0 && lefts != all.len() {
        return None;
    }
    let mut found = (Vec::new(), Vec::new());
    for ((at, number), (left, right)) in column.iter().zip(all) {
        let (caption, further) = parts(number, left, right, lines)?;
        let card = Card { number, unit: None, caption, further };
        found.1.extend(card.held(*at));
        found.0.extend(card.blocks(lines));
    }
    Some(found)
}

/// What stands left and right of a number, the nearest of its column and of all `big` ones. `None` if its row holds
/// more than that, as the row of a table does.
fn sides(
    number: &Line,
    (numbers, big): (&[&Line], &[&Line]),
    lines: &[Line],
    held: &[usize],
) -> Option<Sides> {
    let size = number.size();
    let apart = |a: &Line, b: &Line| (a.rect.center().1 - b.rect.center().1).abs();
    let (mut left, mut right) = (Vec::new(), Vec::new());
    let others =
        lines.iter().enumerate().filter(|(at, line)| !held.contains(at) && !std::ptr::eq(*line, number));
    for (at, line) in others {
        let far = apart(line, number);
        let within = line.rect.right > number.rect.left - LEFT * size
            && line.rect.left < number.rect.right + RIGHT * size;
        let nearest = || {
            let others = numbers.iter().filter(|other| !std::ptr::eq(**other, number));
            others.into_iter().all(|other| apart(line, other) > far)
        };
        // What stands nearer to a number of another column belongs to that.
        let gap = |number: &Line| -line.rect.overlap_x(&number.rect);
        let of_another = || {
            big.iter().any(|other| {
                !std::ptr::eq(*other, number)
                    && other.size() >= LARGER * line.size()
                    && apart(line, other) <= LEVEL * other.size()
                    && gap(other) < gap(number)
            })
        };
        if !within || of_another() {
            continue;
        }
        if size >= LARGER * line.size() && far <= LEVEL * size && nearest() {
            let side = if line.rect.center().0 < number.rect.center().0 { &mut left } else { &mut right };
            side.push(at);
        } else if line.rect.overlap_y(&number.rect) > line.size() / 2.0 {
            return None;
        }
    }
    Some((left, right))
}

/// Caption and further lines of a number with lines `left` and `right` of it; `None` where these are no caption.
fn parts(
    number: &Line,
    left: Vec<usize>,
    mut right: Vec<usize>,
    lines: &[Line],
) -> Option<(Vec<usize>, Vec<usize>)> {
    let aligned = |side: &[usize]| {
        side.iter().all(|at| (lines[*at].rect.left - lines[side[0]].rect.left).abs() <= EDGE)
    };
    let beside = |at: &usize| lines[*at].rect.overlap_x(&number.rect) <= 0.0;
    if left.len() + right.len() > LINES
        || !aligned(&left)
        || !aligned(&right)
        || !left.iter().chain(&right).all(beside)
    {
        return None;
    }
    let (caption, further) = if left.is_empty() {
        right.sort_by(|a, b| lines[*a].rect.top.total_cmp(&lines[*b].rect.top));
        let first = &lines[*right.first()?];
        let same = |at: &&usize| alike(lines[**at].size(), first.size()) && lines[**at].ink() == first.ink();
        let further = right.split_off(right.iter().take_while(same).count());
        (right, further)
    } else {
        (left, right)
    };
    let words: usize = caption.iter().map(|at| lines[*at].words.len()).sum();
    let said = caption.iter().any(|at| lines[*at].text().contains(char::is_alphabetic));
    (said && words <= LABEL && !caption.iter().any(|at| is_number(&lines[*at].text())))
        .then_some((caption, further))
}
