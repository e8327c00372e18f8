//! Pages whose lines are placed by coordinates, as in reports that were laid out on paper and filed as web pages.
//! Their pieces are put in lines, and lines with figures below each other in tables.

use super::stylesheet::{Sheet, UNSEEN};
use super::{attribute, name};
use crate::format::table::Kind;
use dom_query::{Document as Tree, NodeId, NodeRef};
use std::collections::HashMap;

/// Fewest pieces of what is put in lines.
const FEWEST: usize = 6;
/// Most columns of a table of placed pieces.
const MAX_COLUMNS: usize = 16;
/// Letters from which a line is taken for one of several of a paragraph.
const LONG_LINE: usize = 40;

/// Where an element is placed, as far as that is said: points or whatever unit the page has.
#[derive(Debug, Clone, Copy, Default)]
struct Place {
    placed: bool,
    left: Option<f32>,
    /// From the top down.
    top: Option<f32>,
}

/// A piece of text in its place.
#[derive(Debug, Clone)]
struct Piece {
    left: f32,
    top: f32,
    text: String,
    html: String,
}

/// Puts the placed pieces of `tree` in lines and tables, where a page has them.
pub(super) fn order(tree: &Tree, sheets: &[Sheet]) {
    if !sheets.iter().any(|sheet| sheet.mentions("absolute")) && tree.select("[style*=absolute]").is_empty() {
        return;
    }
    let classes: HashMap<String, Place> = sheets
        .iter()
        .flat_map(Sheet::classes)
        .map(|(class, said)| (class, Place::default().with(&said)))
        .filter(|(_, place)| place.placed || place.left.is_some() || place.top.is_some())
        .collect();
    let of = |node: &NodeRef<'_>| {
        let named = attribute(node, "class").unwrap_or_default();
        let by_class = named.split_whitespace().filter_map(|class| classes.get(class)).fold(
            Place::default(),
            |place, more| Place {
                placed: place.placed || more.placed,
                left: more.left.or(place.left),
                top: more.top.or(place.top),
            },
        );
        by_class.with(&attribute(node, "style").unwrap_or_default())
    };
    let placed = |node: &NodeRef<'_>| {
        Some(of(node)).filter(|place| place.placed && place.left.is_some() && place.top.is_some())
    };
    let mut groups: HashMap<NodeId, usize> = HashMap::new();
    for node in tree.select("[style], [class]").nodes() {
        if let Some(parent) = placed(node).and_then(|_| node.parent()) {
            *groups.entry(parent.id).or_default() += 1;
        }
    }
    let root = tree.root();
    for (id, _) in groups.into_iter().filter(|(_, count)| *count >= FEWEST) {
        let parent = NodeRef::new(id, root.tree);
        let mut pieces = Vec::new();
        let mut whole = true;
        for child in parent.children_it(false) {
            let text = child.text();
            if text.trim().is_empty() || child.has_attr(UNSEEN) {
                continue;
            }
            let inner = child.descendants_it().any(|inner| inner.is_element() && placed(&inner).is_some());
            match placed(&child).filter(|_| !inner && name(&child) != "table") {
                Some(Place { left: Some(left), top: Some(top), .. }) => {
                    pieces.push(Piece {
                        left,
                        top,
                        text: text.trim().to_owned(),
                        html: child.inner_html().to_string(),
                    });
                }
                _ => whole = false,
            }
        }
        if whole && pieces.len() >= FEWEST {
            parent.set_html(html_of(lines(pieces)));
        }
    }
}

impl Place {
    /// It, with what declarations say besides.
    fn with(mut self, said: &str) -> Self {
        for one in said.split(';') {
            let Some((property, value)) = one.split_once(':') else { continue };
            let value = value.trim();
            let number = || {
                let digits = value
                    .find(|c: char| !(c.is_ascii_digit() || matches!(c, '.' | '-')))
                    .unwrap_or(value.len());
                value[..digits].parse::<f32>().ok().filter(|number| number.is_finite())
            };
            match property.trim() {
                "position" => self.placed = value.starts_with("absolute"),
                "left" => self.left = number().or(self.left),
                "top" => self.top = number().or(self.top),
                "bottom" => self.top = number().map(|bottom| -bottom).or(self.top),
                _ => {}
            }
        }
        self
    }
}

/// Pieces in lines from the top, each from the left.
fn lines(mut pieces: Vec<Piece>) -> Vec<Vec<Piece>> {
    pieces.sort_by(|one, other| one.top.total_cmp(&other.top).then(one.left.total_cmp(&other.left)));
    let mut gaps: Vec<f32> =
        pieces.windows(2).map(|two| two[1].top - two[0].top).filter(|gap| *gap > 0.5).collect();
    gaps.sort_by(f32::total_cmp);
    let pitch = gaps.get(gaps.len() / 2).copied().unwrap_or(1.0);
    let mut lines: Vec<Vec<Piece>> = Vec::new();
    for piece in pieces {
        match lines.last_mut() {
            Some(line) if line.first().is_some_and(|first| piece.top - first.top <= pitch * 0.35) => {
                line.push(piece)
            }
            _ => lines.push(vec![piece]),
        }
    }
    for line in &mut lines {
        line.sort_by(|one, other| one.left.total_cmp(&other.left));
    }
    lines
}

fn html_of(lines: Vec<Vec<Piece>>) -> String {
    let mut out = String::new();
    let mut at = 0;
    while at < lines.len() {
        let end = table_end(&lines, at);
        if end > at {
            write_table(&lines[at..end], &mut out);
            at = end;
            continue;
        }
        out.push_str("<p>");
        loop {
            let words: Vec<&str> = lines[at].iter().map(|piece| piece.html.as_str()).collect();
            out.push_str(&words.join(" "));
            let goes_on = lines.get(at + 1).is_some_and(|next| continues(&lines[at], next))
                && table_end(&lines, at + 1) == at + 1;
            at += 1;
            if !goes_on {
                break;
            }
            out.push('\n');
        }
        out.push_str("</p>");
    }
    out
}

/// Whether `next` is a further line of the paragraph of `line`.
fn continues(line: &[Piece], next: &[Piece]) -> bool {
    let [one] = line else { return false };
    let [other] = next else { return false };
    let ends = one.text.ends_with(['.', ':', '!', '?']) && other.text.starts_with(|c: char| c.is_uppercase());
    (one.left - other.left).abs() < 2.0 && one.text.chars().count() >= LONG_LINE && !ends
}

/// Where the table ends that begins with line `at`; `at` where none does.
fn table_end(lines: &[Vec<Piece>], at: usize) -> usize {
    let wide = |line: &Vec<Piece>| (2..=MAX_COLUMNS).contains(&line.len());
    let valued =
        |line: &&Vec<Piece>| line.iter().skip(1).any(|piece| Kind::of_text(&piece.text) == Kind::Value);
    if !lines.get(at).is_some_and(wide) {
        return at;
    }
    let mut end = at;
    while lines.get(end).is_some_and(wide)
        // A line alone between two of the table is a label in it.
        || (lines.get(end).is_some_and(|line| line.len() == 1 && line[0].text.chars().count() < LONG_LINE)
            && lines.get(end + 1).is_some_and(|line| wide(line) && valued(&line)))
    {
        end += 1;
    }
    let rows = &lines[at..end];
    let figures = rows.iter().filter(valued).count();
    if figures > 0 && figures * 2 >= rows.len() && rows.len() > 1 { end } else { at }
}

fn write_table(rows: &[Vec<Piece>], out: &mut String) {
    let gap = rows
        .iter()
        .flat_map(|row| row.windows(2).map(|two| two[1].left - two[0].left))
        .fold(f32::MAX, f32::min);
    let mut lefts: Vec<f32> = rows.iter().flatten().map(|piece| piece.left).collect();
    lefts.sort_by(f32::total_cmp);
    let mut columns: Vec<(f32, f32)> = Vec::new();
    for left in lefts {
        match columns.last_mut() {
            Some((_, to)) if left - *to <= gap * 0.45 => *to = left,
            _ => columns.push((left, left)),
        }
    }
    out.push_str("<table>");
    for row in rows {
        out.push_str("<tr>");
        let mut pieces = row.iter().peekable();
        for (_, to) in &columns {
            out.push_str("<td>");
            let mut first = true;
            while let Some(piece) = pieces.next_if(|piece| piece.left <= *to) {
                if !std::mem::take(&mut first) {
                    out.push(' ');
                }
                out.push_str(&piece.html);
            }
            out.push_str("</td>");
        }
        out.push_str("</tr>");
    }
    out.push_str("</table>");
}
