//! Names of columns in several lines, whose last ones stand close over their table: each is read from top to bottom.

use super::flow;
use super::geometry::Rect;
use super::line::Line;
use super::metrics::{LEVEL, PHRASE_GAP};
use super::row::phrases;
use super::spanning;
use super::table::{Cell, text};
use super::word::{Turn, is_numeric, is_years};

/// Farthest room between the last line of a name and the table (in letter sizes).
const REACH: f32 = 1.8;
/// Farthest distance of two lines of a name (in letter sizes).
const STEP: f32 = 2.0;
/// Distance of sides up to which two lines line up (in letter sizes).
const ALIGNED: f32 = 0.4;
/// How far a name may reach out of the room of its column (in letter sizes).
const OUT: f32 = 0.6;
/// Lines of the longest name, and words of the longest line of one.
const LINES: usize = 8;
const WORDS: usize = 5;
/// Share of the columns that must have a name.
const NAMED: f32 = 0.7;

/// The row of such names and which of `lines` they fill; `None` where those do not stand so over `columns`, which begin at the
/// height `top`.
pub(super) fn over(lines: &[&Line], columns: &[Rect], top: f32) -> Option<(Vec<Cell>, Vec<usize>)> {
    let rooms: Vec<(f32, f32)> = (0..columns.len())
        .map(|c| {
            let left = c.checked_sub(1).map_or(f32::MIN, |before| columns[before].right);
            let right = columns.get(c + 1).map_or(f32::MAX, |next| next.left);
            (left, right)
        })
        .collect();
    let mut nearest: Vec<usize> = (0..lines.len()).filter(|&at| lines[at].baseline() < top).collect();
    nearest.sort_by(|&a, &b| lines[b].baseline().total_cmp(&lines[a].baseline()));
    let mut row: Vec<Cell> = vec![Cell::new(); columns.len()];
    let mut used = Vec::new();
    let mut checked = f32::MAX;
    for at in nearest {
        let line = lines[at];
        // What stands over groups of columns ends the names.
        if line.baseline() < checked - LEVEL * line.size() {
            checked = line.baseline();
            let beside: Vec<&Line> = lines
                .iter()
                .copied()
                .filter(|other| (other.baseline() - checked).abs() <= LEVEL * line.size())
                .collect();
            let phrases = phrases(&beside);
            if !used.is_empty() && spanning::is_over(&phrases.iter().collect::<Vec<_>>(), columns, &row) {
                break;
            }
        }
        let Some(parts) = parts(line, columns, &rooms) else {
            // What stands across the columns ends the names, unless it is far above.
            if row.iter().any(|cell| cell.first().is_some_and(|first| is_next(line, first))) {
                return None;
            }
            continue;
        };
        let fits = |(c, part): &(usize, Line)| match row[*c].first() {
            Some(below) => row[*c].len() < LINES && is_next(part, below) && lines_up(part, below),
            None => top - part.rect.bottom < REACH * part.size(),
        };
        if !parts.iter().all(fits) {
            continue;
        }
        let names_rows = parts.iter().all(|(c, _)| *c == 0);
        for (c, part) in parts {
            row[c].insert(0, part);
        }
        used.push((at, names_rows));
    }
    // What stands over the first column higher than all other names is the title of the table.
    let top = row.iter().skip(1).filter_map(|cell| cell.first()).map(Line::baseline).fold(f32::MAX, f32::min);
    let is_title = |line: &Line| line.baseline() < top - LEVEL * line.size();
    row[0].retain(|line| !is_title(line));
    used.retain(|(at, names_rows)| !names_rows || !is_title(lines[*at]));
    let used = used.into_iter().map(|(at, _)| at).collect();
    let named = row.iter().filter(|cell| !cell.is_empty()).count();
    let several = row.iter().any(|cell| cell.len() > 1);
    let number = |cell: &Cell| is_numeric(&text(cell)) && !is_years(&text(cell));
    let sentence = row.iter().filter_map(|cell| cell.last()).filter(|line| flow::ends_sentence(line)).count();
    let whole = several
        && named >= 2
        && named as f32 >= NAMED * columns.len() as f32
        && sentence == 0
        && !row.iter().any(number);
    whole.then_some((row, used))
}

/// Whether `above` can be the line over `below` in one name.
fn is_next(above: &Line, below: &Line) -> bool {
    let step = below.baseline() - above.baseline();
    let size = above.size();
    (0.5 * size..STEP * size).contains(&step)
        && (below.size() - size).abs() < 0.1 * size
        && above.bold() == below.bold()
}

/// Whether two lines begin, end or have their middle at one place, as those of a name do.
fn lines_up(above: &Line, below: &Line) -> bool {
    let (a, b) = (&above.rect, &below.rect);
    let sides = [a.left - b.left, a.right - b.right, a.center().0 - b.center().0];
    sides.into_iter().any(|off| off.abs() < ALIGNED * above.size())
}

/// The parts of a line by the columns that they stand over; `None` where one stands over none alone.
fn parts(line: &Line, columns: &[Rect], rooms: &[(f32, f32)]) -> Option<Vec<(usize, Line)>> {
    if line.words.iter().any(|word| word.turn != Turn::Level) {
        return None;
    }
    // A name stands at the left, the right or the middle of its column.
    let nearest = |part: &Line| {
        let off = |c: &usize| {
            let (own, column) = (&part.rect, &columns[*c]);
            let sides =
                [own.left - column.left, own.right - column.right, own.center().0 - column.center().0];
            sides.into_iter().map(f32::abs).fold(f32::MAX, f32::min)
        };
        (0..columns.len()).min_by(|a, b| off(a).total_cmp(&off(b)))
    };
    let parts: Vec<(usize, Line)> =
        line.parts(PHRASE_GAP).into_iter().filter_map(|part| Some((nearest(&part)?, part))).collect();
    let apart = parts.windows(2).all(|pair| pair[0].0 < pair[1].0);
    let fits = |(c, part): &(usize, Line)| {
        let slack = OUT * part.size();
        part.words.len() <= WORDS
            && part.rect.left >= rooms[*c].0 - slack
            && part.rect.right <= rooms[*c].1 + slack
    };
    (apart && parts.iter().all(fits)).then_some(parts)
}
