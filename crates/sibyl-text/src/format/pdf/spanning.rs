//! Names over several columns of a table, as `Scope 1` stands over `2023` and `2024`.

use super::flow;
use super::geometry::{Rect, bounds};
use super::line::Line;
use super::table::Table;
use std::ops::Range;

/// Words of the longest name.
const NAME: usize = 8;
/// Widest distance between names and the header below them: in letter sizes, and in distances of the header from its first
/// row, up to a number of letter sizes.
const STEP: f32 = 1.45;
const AS_ROWS: f32 = 1.2;
const REACH: f32 = 3.6;
/// Distance of the middle of a name from that of its columns, in distances of columns: with one column more or fewer it would
/// be twice as far.
const OFF: f32 = 0.25;

/// Opens the header of each column with the name that stands over it and others: `names` are the lines of the row above the
/// table. `false`, and nothing is changed, where one of them stands over no columns.
pub(super) fn put_over(names: &[&Line], table: &mut Table, rect: &mut Rect) -> bool {
    let header = table.rows.first().filter(|_| table.header);
    let Some(top) = header.and_then(|row| bounds(row.iter().flatten().map(|line| &line.rect))) else {
        return false;
    };
    let columns: Option<Vec<Rect>> = (0..table.width())
        .map(|c| bounds(table.rows.iter().flat_map(|row| &row[c]).map(|line| &line.rect)))
        .collect();
    let below = table.rows.get(1).and_then(|row| bounds(row.iter().flatten().map(|line| &line.rect)));
    let step = below.map_or(0.0, |below| AS_ROWS * (below.top - top.top));
    let close = |line: &&Line| {
        line.rect.bottom <= top.top + 0.5 * line.size()
            && top.top - line.rect.top < step.clamp((STEP + 0.5) * line.size(), REACH * line.size())
    };
    let Some(places) = columns.filter(|_| names.iter().all(close)).and_then(|columns| over(names, &columns))
    else {
        return false;
    };
    // The first column names the rows, and only letters like those of the header make lines of it of other names.
    let lines_of_header = names.len() > 1 && names.iter().all(|name| name.bold()) && header_is_bold(table);
    let spans = places.iter().any(|columns| columns.len() > 1);
    if places.iter().any(|columns| columns.start == 0 && columns.len() > 1) || !spans && !lines_of_header {
        return false;
    }
    for (name, columns) in names.iter().zip(places) {
        *rect = rect.union(&name.rect);
        for column in columns {
            table.rows[0][column].insert(0, (*name).clone());
        }
    }
    true
}

fn header_is_bold(table: &Table) -> bool {
    table.rows.first().is_some_and(|row| row.iter().flatten().all(Line::bold))
}

/// Whether one of the names of a row stands over several of the columns.
pub(super) fn is_over(names: &[&Line], columns: &[Rect]) -> bool {
    over(names, columns).is_some_and(|places| places.iter().any(|columns| columns.len() > 1))
}

/// The columns under each of the names of a row, from left to right; `None` where one stands over none.
fn over(names: &[&Line], columns: &[Rect]) -> Option<Vec<Range<usize>>> {
    let mut out: Vec<Range<usize>> = Vec::new();
    for (i, name) in names.iter().enumerate() {
        if name.words.len() > NAME || flow::ends_sentence(name) {
            return None;
        }
        let from = out.last().map_or(0, |last| last.end);
        let next = names.get(i + 1).map_or(f32::MAX, |next| next.rect.left);
        let to = columns.iter().take_while(|column| column.center().0 < next).count();
        out.push(under(name, columns, from, to)?);
    }
    Some(out)
}

/// The columns of `from..to` that a name stands over: the most of which it holds the middle, or those that it covers.
fn under(name: &Line, columns: &[Rect], from: usize, to: usize) -> Option<Range<usize>> {
    let middle = name.rect.center().0;
    let centred = |range: &Range<usize>| {
        let (first, last) = (&columns[range.start], &columns[range.end - 1]);
        let step = (last.center().0 - first.center().0) / (range.len() - 1) as f32;
        let whole = first.union(last);
        (middle - whole.center().0).abs() < OFF * step && holds(&whole, name)
    };
    let ranges = (from..to).flat_map(|start| (start + 2..=to).map(move |end| start..end));
    let covered: Vec<usize> = (from..to).filter(|&c| columns[c].overlap_x(&name.rect) > 1.0).collect();
    ranges.filter(centred).max_by_key(Range::len).or_else(|| {
        let range = *covered.first()?..*covered.last()? + 1;
        let whole = columns[range.start].union(&columns[range.end - 1]);
        (range.len() == 1 || holds(&whole, name)).then_some(range)
    })
}

/// Whether a name reaches no more than a letter beyond its columns.
fn holds(columns: &Rect, name: &Line) -> bool {
    name.rect.left >= columns.left - name.size() && name.rect.right <= columns.right + name.size()
}
