//! Names over several columns of a table, as `Scope 1` stands over `2023` and `2024`.

use super::flow;
use super::geometry::{Rect, bounds};
use super::line::Line;
use super::metrics::{CELL_STEP, ROW_REACH};
use super::row::phrases;
use super::ruling::Ruling;
use super::table::{Cell, Table, text};
use std::ops::Range;

/// Words of the longest name.
const NAME: usize = 8;
/// Widest distance between names and the header below them, in distances of the header from its first row.
const AS_ROWS: f32 = 1.2;
/// Distance of the middle of a name from that of its columns, in distances of columns: with one column more or fewer it would
/// be twice as far.
const OFF: f32 = 0.25;
/// Difference of two such distances that says nothing.
const SAME: f32 = 0.05;
/// Farthest distance of a rule below the name that it is wide as (in letter sizes).
const UNDER: f32 = 1.2;
/// Columns beyond which no groups of them are sought.
const MAX_COLUMNS: usize = 60;
/// Distance within which the ends of two names agree (em).
const SAME_END: f32 = 0.15;

/// Opens the header of each column with the name that stands over it and others: `names` are the lines of the row above the
/// table. `false`, and nothing is changed, where one of them stands over no columns.
pub(super) fn put_over(lines: &[&Line], table: &mut Table, rect: &mut Rect) -> bool {
    if lines.iter().any(|name| is_ruled(name)) {
        return put_names_over(lines, table, rect);
    }
    let parts = phrases(lines);
    let parts: Vec<&Line> = parts.iter().collect();
    put_names_over(&parts, table, rect) || parts.len() > lines.len() && put_names_over(lines, table, rect)
}

/// Names of one row, each as wide as the rule below it, which shows over which columns it stands. Names that share a rule stay
/// as wide as they are.
pub(super) fn as_wide_as_rules(names: &[&Line], rulings: &[Ruling]) -> Vec<Line> {
    let ruled: Vec<Line> = names.iter().map(|name| as_wide_as_rule(name, rulings)).collect();
    let shared = ruled.windows(2).any(|pair| pair[0].rect.right > pair[1].rect.left);
    if shared { names.iter().copied().cloned().collect() } else { ruled }
}

fn as_wide_as_rule(name: &Line, rulings: &[Ruling]) -> Line {
    let under = |rule: &&Ruling| {
        rule.horizontal
            && (0.0..UNDER * name.size()).contains(&(rule.at - name.baseline()))
            && rule.from <= name.rect.left + 1.0
            && rule.to > name.rect.right
    };
    let mut out = name.clone();
    if let Some(rule) = rulings.iter().filter(under).min_by(|a, b| a.at.total_cmp(&b.at)) {
        (out.rect.left, out.rect.right) = (rule.from, rule.to);
    }
    out
}

/// Whether a name is as wide as a rule below it, which is as wide as its columns.
fn is_ruled(name: &Line) -> bool {
    let words = bounds(name.words.iter().map(|word| &word.rect));
    words.is_some_and(|words| name.rect.width() > words.width() + name.size())
}

fn put_names_over(names: &[&Line], table: &mut Table, rect: &mut Rect) -> bool {
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
            && top.top - line.rect.top < step.clamp((CELL_STEP + 0.5) * line.size(), ROW_REACH * line.size())
    };
    let header = table.rows.first().map_or(&[][..], Vec::as_slice);
    let places =
        columns.filter(|_| names.iter().all(close)).and_then(|columns| over(names, &columns, header));
    let Some(places) = places else {
        return false;
    };
    // The first column names the rows, and only letters like those of the header make lines of it of other names.
    let first_line = |columns: &Range<usize>| {
        let below = header.get(columns.start).and_then(|cell| cell.first());
        let step = below.map_or(f32::MAX, |below| below.baseline() - names[0].baseline());
        columns.start > 0 && step < CELL_STEP * names[0].size()
    };
    let alike = names.iter().all(|name| name.bold()) && header_is_bold(table);
    let lines_of_header = alike && (names.len() > 1 || places.iter().all(first_line));
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

/// Whether one of the names of a row stands over several of the columns, whose own names are `header`.
pub(super) fn is_over(names: &[&Line], columns: &[Rect], header: &[Cell]) -> bool {
    over(names, columns, header).is_some_and(|places| places.iter().any(|columns| columns.len() > 1))
}

/// The columns under each of `names`, which stand in one row from left to right, by their middles; `None` where one stands over
/// none, or each over one.
pub(super) fn places(names: &[&Line], columns: &[Rect]) -> Option<Vec<Range<usize>>> {
    let mut out: Vec<Range<usize>> = Vec::new();
    for name in names {
        let from = out.last().map_or(0, |last| last.end);
        let (x, size) = (name.rect.center().0, name.size());
        let within = |c: &usize| {
            let column = &columns[*c];
            (column.left..=column.right).contains(&x)
                && name.rect.left >= column.left - size
                && name.rect.right <= column.right + size
        };
        let off = |range: &Range<usize>| {
            let (first, last) = (&columns[range.start], &columns[range.end - 1]);
            let step = (last.center().0 - first.center().0) / (range.len() - 1) as f32;
            (first.union(last).center().0 - x).abs() / step
        };
        let ranges =
            (from..columns.len()).flat_map(|start| (start + 2..=columns.len()).map(move |end| start..end));
        let nearest = || ranges.min_by(|a, b| off(a).total_cmp(&off(b))).filter(|range| off(range) < OFF);
        out.push((from..columns.len()).find(within).map(|c| c..c + 1).or_else(nearest)?);
    }
    out.iter().any(|columns| columns.len() > 1).then_some(out)
}

/// The columns under each of the names of a row, from left to right; `None` where one stands over none. `header` are the
/// names of the columns below them.
pub(super) fn over(names: &[&Line], columns: &[Rect], header: &[Cell]) -> Option<Vec<Range<usize>>> {
    if names.iter().any(|name| name.words.len() > NAME || flow::ends_sentence(name)) {
        return None;
    }
    let texts: Vec<String> = header.iter().map(|cell| text(cell)).collect();
    let ruled = names.iter().any(|name| is_ruled(name));
    let told = || over_repeated(names, columns, &texts).or_else(|| over_ends(names, header));
    if let Some(places) = if ruled { None } else { told() } {
        return Some(places);
    }
    let middles: [Middle; 2] = [middle_of_texts, middle_of_cells];
    let ways = middles.into_iter().filter_map(|middle| assigned(names, columns, header, middle));
    ways.min_by(|a, b| a.cost.total_cmp(&b.cost)).map(|way| way.places)
}

/// The middle of some of the columns.
type Middle = fn(&[Rect], &Range<usize>) -> f32;

/// Places of names over columns, from left to right, and how far they are from what names look like.
struct Way {
    cost: f32,
    places: Vec<Range<usize>>,
}

/// The columns under all names of a row that fit them best: each name stands in the middle of its own, and no two share one.
/// `None` where a name stands over none.
fn assigned(names: &[&Line], columns: &[Rect], header: &[Cell], middle: Middle) -> Option<Way> {
    let mut ways = vec![Way { cost: 0.0, places: Vec::new() }];
    for (i, name) in names.iter().enumerate() {
        let before = names.get(i + 1).map_or(f32::MAX, |next| next.rect.left);
        let to = columns.iter().take_while(|column| column.center().0 < before).count();
        // Over a column without a name of its own stands that.
        let own = |c: &usize| header.get(*c).is_some_and(Vec::is_empty) && holds(&columns[*c], name);
        let parts = match (0..to).find(own) {
            _ if is_ruled(name) => above_rule(name, columns).map(|part| (0.0, part)).into_iter().collect(),
            Some(c) => vec![(0.0, c..c + 1)],
            None => under(name, columns, 0..to, middle),
        };
        // For each column at which the names so far can end, the best of them.
        let mut next: Vec<Way> = Vec::new();
        for (off, part) in parts {
            let fits = |way: &&Way| way.places.last().is_none_or(|last| last.end <= part.start);
            let Some(best) = ways.iter().filter(fits).min_by(|a, b| a.cost.total_cmp(&b.cost)) else {
                continue;
            };
            // One column more on either side has the same middle: no column between two names is left out.
            let cost = best.cost + off - SAME / 2.0 * part.len() as f32;
            let ends = |way: &&mut Way| way.places.last().is_some_and(|last| last.end == part.end);
            match next.iter_mut().find(ends) {
                Some(way) if way.cost <= cost => {}
                found => {
                    let way = Way { cost, places: best.places.iter().cloned().chain([part]).collect() };
                    match found {
                        Some(found) => *found = way,
                        None => next.push(way),
                    }
                }
            }
        }
        ways = next;
    }
    ways.into_iter().min_by(|a, b| a.cost.total_cmp(&b.cost))
}

/// The columns above the rule that a name is as wide as.
fn above_rule(name: &Line, columns: &[Rect]) -> Option<Range<usize>> {
    let held = |c: &usize| columns[*c].overlap_x(&name.rect) > 0.5 * columns[*c].width();
    Some((0..columns.len()).find(held)?..(0..columns.len()).rfind(held)? + 1)
}

/// The middle of columns whose texts are as wide as their cells, or stand in the middle of these.
fn middle_of_texts(columns: &[Rect], of: &Range<usize>) -> f32 {
    (columns[of.start].left + columns[of.end - 1].right) / 2.0
}

/// The middle of columns whose texts stand at the right of their cells. Left of the first one is as much room as
/// there is for the next one, up to the column before.
fn middle_of_cells(columns: &[Rect], of: &Range<usize>) -> f32 {
    let first = columns[of.start].right;
    let before = of.start.checked_sub(1).map_or(f32::MIN, |before| columns[before].right);
    let left = (2.0 * first - columns[of.start + 1].right).max(before);
    (left + columns[of.end - 1].right) / 2.0
}

/// The columns under each name if the header repeats the names of columns for each group, as `2023` and `2024` below
/// `Scope 1` and again below `Scope 2`. One name stands over each group, and others over single columns.
fn over_repeated(names: &[&Line], columns: &[Rect], header: &[String]) -> Option<Vec<Range<usize>>> {
    let groups = repeated(header)?;
    let single = |c: &usize| !groups.iter().any(|group| group.contains(c));
    let mut parts: Vec<Range<usize>> = (1..columns.len()).filter(single).map(|c| c..c + 1).collect();
    parts.extend(groups.iter().cloned());
    let mut out: Vec<Range<usize>> = Vec::new();
    for name in names {
        let middle = name.rect.center().0;
        let holds = |part: &&Range<usize>| {
            let left = columns[part.start].left.min(columns[part.start - 1].right);
            left < middle && middle < columns[part.end - 1].right
        };
        out.push(parts.iter().find(holds)?.clone());
    }
    let once = out.windows(2).all(|pair| pair[0].end <= pair[1].start);
    (once && groups.iter().all(|group| out.contains(group))).then_some(out)
}

/// The column under each name if all names end at the right, or begin at the left, exactly where the name of a column
/// does. Each is then its first line.
fn over_ends(names: &[&Line], header: &[Cell]) -> Option<Vec<Range<usize>>> {
    let ends: [fn(&Line) -> f32; 2] = [|line| line.rect.right, |line| line.rect.left];
    let same = |end: fn(&Line) -> f32, name: &Line, cell: &Cell| {
        cell.first().is_some_and(|below| (end(below) - end(name)).abs() < SAME_END * name.size())
    };
    ends.into_iter().find_map(|end| {
        let columns = names.iter().map(|name| header.iter().position(|cell| same(end, name, cell)));
        columns.map(|column| column.map(|c| c..c + 1)).collect()
    })
}

/// The groups of columns behind the first in which the same names follow each other again and again, or
/// most of them.
fn repeated(header: &[String]) -> Option<Vec<Range<usize>>> {
    if header.len() > MAX_COLUMNS {
        return None;
    }
    let distinct = |names: &[String]| {
        names.iter().enumerate().all(|(i, name)| !name.is_empty() && !names[..i].contains(name))
    };
    let starts = (2..=header.len().saturating_sub(1) / 2)
        .flat_map(|length| (1..=header.len() - 2 * length).map(move |start| (length, start)));
    // Groups that are alike in all names are those that are meant, whatever smaller ones share.
    [true, false].into_iter().find_map(|whole| {
        starts.clone().find_map(|(length, start)| {
            let first = &header[start..start + length];
            let alike = |names: &&[String]| {
                let same = first.iter().zip(names.iter()).filter(|(a, b)| a == b).count();
                let enough = same == length || !whole && same * 2 > length;
                names.len() == length && enough && distinct(names)
            };
            let groups = header[start..].chunks(length).take_while(alike).count();
            let range = |i: usize| start + i * length..start + (i + 1) * length;
            (groups > 1).then(|| (0..groups).map(range).collect())
        })
    })
}

/// The columns of `within` that a name can stand over, each set with its distance from the middle (in distances of
/// columns). These are several columns whose middle it holds, or those that it covers.
fn under(name: &Line, columns: &[Rect], within: Range<usize>, middle: Middle) -> Vec<(f32, Range<usize>)> {
    let ranges = within.clone().flat_map(|start| (start + 2..=within.end).map(move |end| start..end));
    let centred = ranges.filter_map(|range| {
        let (first, last) = (&columns[range.start], &columns[range.end - 1]);
        let step = (last.center().0 - first.center().0) / (range.len() - 1) as f32;
        let off = (middle(columns, &range) - name.rect.center().0).abs() / step;
        (off < OFF && holds(&first.union(last), name)).then_some((off, range))
    });
    let mut out: Vec<(f32, Range<usize>)> = centred.collect();
    let covered: Vec<usize> = within.filter(|&c| columns[c].overlap_x(&name.rect) > 1.0).collect();
    if let (Some(first), Some(last)) = (covered.first(), covered.last()) {
        let range = *first..*last + 1;
        let whole = columns[range.start].union(&columns[range.end - 1]);
        let known = out.iter().any(|(_, other)| *other == range);
        if !known && (range.len() == 1 || holds(&whole, name)) {
            out.push((OFF, range));
        }
    }
    out
}

/// Whether a name reaches no more than a letter beyond its columns.
fn holds(columns: &Rect, name: &Line) -> bool {
    name.rect.left >= columns.left - name.size() && name.rect.right <= columns.right + name.size()
}
