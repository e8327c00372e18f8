//! Tables that no lines draw, among the lines of a part of a page.

use super::columns;
use super::line::Line;
use super::pairs;
use super::ruling::Ruling;
use super::spaced;
use super::thing::{Content, Thing};

/// Takes tables out of fragments among what is drawn.
type Take = fn(Vec<(usize, Line)>, &[Ruling]) -> columns::Taken;

/// The same things with the lines that `take` finds in tables as tables.
pub(super) fn tables_in(things: Vec<Thing>, rulings: &[Ruling], take: Take) -> Vec<Thing> {
    let mut lines = Vec::new();
    let mut out = Vec::new();
    for thing in things {
        match thing.content {
            Content::Line(row, line) => lines.push((row, line)),
            content => out.push(Thing { content, ..thing }),
        }
    }
    lines.sort_by(|a, b| a.0.cmp(&b.0).then(a.1.rect.left.total_cmp(&b.1.rect.left)));
    let (pairs, lines) = pairs::take(lines);
    let (spaced, lines) = spaced::take(lines);
    let (mut tables, rest) = take(lines, rulings);
    tables.extend(spaced);
    tables.extend(pairs);
    out.extend(rest.into_iter().map(|(row, line)| Thing::line(row, line)));
    out.extend(tables.into_iter().map(|(table, rect)| Thing { rect, content: Content::Table(table) }));
    out
}
