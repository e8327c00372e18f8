//! The lines of a part of a page, and its tables among them.

use super::fragments::fragments;
use super::line::{rows, turned};
use super::part::Part;
use super::thing::{Content, Thing};
use super::word::{Turn, Word};
use std::mem::take;

/// Makes lines of the words that stand in nothing else, and tells those in the margins from the others.
pub(super) fn part(part: &mut Part) {
    let (level, other): (Vec<Word>, Vec<Word>) =
        take(&mut part.words).into_iter().partition(|word| word.turn == Turn::Level);
    part.things.extend(fragments(rows(level)).into_iter().map(|(row, line)| Thing::line(row, line)));
    let tables = take(&mut part.tables).into_iter();
    part.things.extend(tables.map(|(table, rect)| Thing { rect, content: Content::Table(table) }));
    let turned =
        turned(other).into_iter().map(|line| Thing { rect: line.rect, content: Content::Turned(line) });
    let beside = |line: &Thing| part.things.iter().any(|thing| thing.rect.overlap_x(&line.rect) > 0.0);
    let (within, margins): (Vec<Thing>, Vec<Thing>) = turned.partition(beside);
    part.things.extend(within);
    part.margins = margins;
}
