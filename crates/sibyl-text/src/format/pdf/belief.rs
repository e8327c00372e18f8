//! Whether the structure tree of a tagged file says what stands on a page, or contradicts it.

use super::geometry::Rect;
use super::glyph::Artifact;
use super::line::Line;
use super::metrics::{COLUMN_GAP, LEVEL, SAME_LINE};
use super::tags::{Role, Tags};
use super::word::{Turn, Word, is_numeric};
use crate::language::cell::Kind;
use std::collections::{BTreeMap, HashSet};

/// Share of a page's words that the tree must place before it is believed.
const COVERAGE: f32 = 0.7;
/// Words of a line from which it is text, and no name.
const RUN: usize = 3;
/// Lines in a row from which a tree contradicts its page.
const ACROSS: usize = 3;
/// Longest distance between the lines of a cell (in letter sizes), and share of the cells of a table that must run on.
const LINE_STEP: f32 = 1.5;
const LINES: f32 = 0.3;

/// Whether the structure tree places most words of a page.
pub(super) fn covers(words: &[Word]) -> bool {
    let running = words.iter().filter(|w| w.artifact == Artifact::No);
    let (mut all, mut placed) = (0, 0);
    for word in running {
        all += 1;
        placed += usize::from(word.item.is_some());
    }
    all > 0 && placed as f32 >= COVERAGE * all as f32
}

/// How often the tree contradicts what stands on the page. A paragraph of the tree goes from a line on to the column
/// beside and back. Or the rows of one of its tables are the lines of its cells. Or it has no table where rows of
/// values stand. Programs that guess tags write such trees, and those that lay out rows by something else than a
/// table.
pub(super) fn contradictions(words: &[Word], tags: &Tags) -> usize {
    let mut placed: Vec<(u32, &Word)> = words
        .iter()
        .filter(|word| word.artifact == Artifact::No && word.turn == Turn::Level)
        .filter_map(|word| Some((word.item?, word)))
        .collect();
    placed.sort_by_key(|(item, _)| *item);
    read_across(&placed, tags) + rows_that_are_lines(&placed, tags) + rows_outside(&placed, tags)
}

/// How many rows of values stand on the page outside of the tables of the tree, where these have fewer.
fn rows_outside(placed: &[(u32, &Word)], tags: &Tags) -> usize {
    let (mut within, mut rows) = (HashSet::new(), Vec::<Vec<Line>>::new());
    // Of the element that the last word stood in.
    let mut drawn: Option<(Option<u32>, bool)> = None;
    for (item, word) in placed.iter().filter(|(_, word)| !word.is_leader()) {
        if let Some((table, cell)) = tags.cell_of(*item) {
            within.insert((table, cell.row));
            continue;
        }
        let owner = tags.owner(*item);
        let known = drawn.filter(|(known, _)| *known == owner).map(|(_, drawn)| drawn);
        let is_drawn = known.unwrap_or_else(|| owner.is_some_and(|owner| is_drawn(owner, tags)));
        drawn = Some((owner, is_drawn));
        if !is_drawn {
            add(&mut rows, word);
        }
    }
    let count = rows.iter().filter(|row| is_row_of_values(row)).count();
    if count >= ACROSS && count > within.len() { count } else { 0 }
}

/// Whether an element stands in a drawing or a table of contents.
fn is_drawn(element: u32, tags: &Tags) -> bool {
    tags.around(element).any(|(_, element)| matches!(element.role, Role::Figure | Role::TocItem))
}

/// Adds the next word to the last of `rows`, or to a new one: to its last part, or to a new part behind a wide gap.
fn add(rows: &mut Vec<Vec<Line>>, word: &Word) {
    let own = || Line::of(vec![word.clone()]);
    let part = rows.last_mut().and_then(|row| row.last_mut());
    let level = |part: &&mut Line| {
        part.words.last().is_some_and(|last| (word.baseline - last.baseline).abs() < LEVEL * word.size)
    };
    let Some(part) = part.filter(level) else { return rows.push(own().into_iter().collect()) };
    match (word.rect.left - part.rect.right) / word.size {
        gap if gap < -LEVEL => rows.push(own().into_iter().collect()),
        gap if gap < COLUMN_GAP => {
            part.rect = part.rect.union(&word.rect);
            part.words.push(word.clone());
        }
        _ => rows.last_mut().into_iter().for_each(|row| row.extend(own())),
    }
}

/// Whether parts of a line are a name and several values.
fn is_row_of_values(parts: &[Line]) -> bool {
    let Some((name, others)) = parts.split_first().filter(|(_, others)| others.len() > 1) else {
        return false;
    };
    let figures = others.iter().filter(|part| Kind::of_text(&part.text()).is_figure()).count();
    figures > 1
        && others.iter().any(|part| is_numeric(&part.text()))
        && !matches!(Kind::of_text(&name.text()), Kind::Value | Kind::Range | Kind::Nothing)
}

/// How often text goes from a line on to what stands beside it and back to the line below, if it does so again and again.
fn read_across(placed: &[(u32, &Word)], tags: &Tags) -> usize {
    // Stretches of words without a wide gap: box, baseline, size and number of words.
    let mut runs: Vec<(Rect, f32, f32, usize)> = Vec::new();
    for (_, word) in placed.iter().filter(|(item, _)| tags.cell_of(*item).is_none()) {
        match runs.last_mut() {
            Some((rect, baseline, size, words))
                if (word.baseline - *baseline).abs() < SAME_LINE * *size
                    && (-COLUMN_GAP..COLUMN_GAP).contains(&((word.rect.left - rect.right) / *size)) =>
            {
                *rect = rect.union(&word.rect);
                *words += 1;
            }
            _ => runs.push((word.rect, word.baseline, word.size, 1)),
        }
    }
    runs.retain(|(.., words)| *words >= RUN);
    let returns = |three: &&[(Rect, f32, f32, usize)]| {
        let [(left, above, size, _), (right, beside, ..), (back, below, ..)] = [three[0], three[1], three[2]];
        right.left - left.right > COLUMN_GAP * size
            && right.left - back.right > COLUMN_GAP * size
            && (beside - above).abs() < size
            && (0.5..3.0).contains(&((below - above) / size))
    };
    Some(runs.windows(3).filter(returns).count()).filter(|count| *count >= ACROSS).unwrap_or(0)
}

/// How many cells of tables run on into the cell below them, line by line.
fn rows_that_are_lines(placed: &[(u32, &Word)], tags: &Tags) -> usize {
    type Ends<'w> = (&'w Word, &'w Word, usize);
    let mut cells: BTreeMap<(u32, u32), BTreeMap<u32, Ends<'_>>> = BTreeMap::new();
    for (item, word) in placed {
        let Some((table, cell)) = tags.cell_of(*item) else { continue };
        let rows = cells.entry((table, cell.column)).or_default();
        let ends = rows.entry(cell.row).or_insert((word, word, 0));
        *ends = (ends.0, word, ends.2 + 1);
    }
    let mut tables: BTreeMap<u32, (usize, usize)> = BTreeMap::new();
    for ((table, _), rows) in &cells {
        let counts = tables.entry(*table).or_default();
        for (above, below) in rows.iter().zip(rows.iter().skip(1)).filter(|(a, b)| a.0 + 1 == *b.0) {
            let ((_, last, words), (first, ..)) = (*above.1, *below.1);
            let step = (first.baseline - last.baseline) / first.size;
            counts.0 += 1;
            counts.1 += usize::from(
                words >= RUN
                    && (0.5..LINE_STEP).contains(&step)
                    && first.text.starts_with(char::is_lowercase)
                    && !last.text.ends_with(['.', ';', ':', '!', '?']),
            );
        }
    }
    let torn =
        |(pairs, running): &&(usize, usize)| *running >= ACROSS && *running as f32 >= LINES * *pairs as f32;
    tables.values().filter(torn).map(|(_, running)| running).sum()
}
