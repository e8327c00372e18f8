//! Page furniture: running headers, footers and page numbers, known by standing at the same place on many pages.

mod apart;
mod title;

use super::glyph::Artifact;
use super::line::{Line, rows};
use super::model::PageModel;
use super::word::{Turn, Word};
use std::collections::{HashMap, HashSet};

/// Part of the page's height, at top and bottom, in which furniture stands.
const BAND: f32 = 0.22;
/// Rows from either edge that can be furniture.
const EDGE_ROWS: usize = 5;
/// Height within which two lines stand at the same place (points), and within which the very same text does.
const SAME_PLACE: f32 = 5.0;
const SAME_TEXT_PLACE: f32 = 24.0;
/// Share by which the letters of two running lines may differ in size.
const SAME_SIZE: f32 = 0.1;
/// Pages between two occurrences of a running text; headings of chapters recur further apart.
const RUN: usize = 2;
/// Pages on which a line must recur.
const MIN_PAGES: usize = 3;
/// Words of the longest line that changes from page to page where others recur, and width of the places that count as one
/// (points).
const MAX_CHANGING: usize = 8;
const SLOT: f32 = 2.0;
/// Parts of a row that recur from which it is a navigation bar.
const MIN_TABS: usize = 2;
/// Pages that a sheet shows side by side, by which their numbers count there.
const PAGES_OF_A_SPREAD: i64 = 2;
/// Part of the page's width, on either side, in which tabs are turned.
const SIDE: f32 = 0.12;
/// Share of a page's words above which a mark as pagination is not believed.
const TOO_MUCH: f32 = 0.6;

/// What was found: for each page and word, whether it is furniture, and the distinct running texts.
pub(super) struct Furniture {
    pub(super) marked: Vec<Vec<bool>>,
    pub(super) running: Vec<String>,
}

/// Height within which lines count as equally high (points).
const NOTCH: f32 = 0.5;

struct MarginLine {
    page: usize,
    /// Text with digits as `#`.
    shape: String,
    text: String,
    /// Its numbers less that of its page: numbers are page numbers where they count with the pages.
    offsets: Vec<i64>,
    top: f32,
    bottom: f32,
    left: f32,
    right: f32,
    /// Its distance to the nearer side of the page (points).
    margin: f32,
    /// Size of its letters (points).
    size: f32,
    words: Vec<usize>,
    /// Number of its row on the page.
    row: usize,
    /// Whether that row is the first or the last of the page.
    outermost: bool,
}

/// Finds the furniture of a document.
pub(super) fn find(sheets: &[&PageModel]) -> Furniture {
    let mut marked: Vec<Vec<bool>> = sheets.iter().map(|s| vec![false; s.words.len()]).collect();
    let mut running: Vec<String> = Vec::new();
    for (sheet, marked) in sheets.iter().zip(&mut marked) {
        mark_pagination(sheet, marked, &mut running);
    }
    let candidates: Vec<MarginLine> =
        sheets.iter().enumerate().flat_map(|(page, sheet)| candidates(page, sheet)).collect();
    let mut by_shape: HashMap<&str, Vec<&MarginLine>> = HashMap::new();
    for candidate in &candidates {
        by_shape.entry(&candidate.shape).or_default().push(candidate);
    }
    let recurring: Vec<&MarginLine> =
        by_shape.values().flat_map(|group| recurring(group, sheets.len())).collect();
    let mut found = in_margin(recurring, &candidates, sheets, &marked);
    found.sort_by(|a, b| (a.page, a.row).cmp(&(b.page, b.row)).then(a.left.total_cmp(&b.left)));
    // A part that recurs beside others that do not is a label of the text, unless nothing stands further out.
    let parts = |all: &mut dyn Iterator<Item = &MarginLine>| {
        let mut counts: HashMap<(usize, usize), usize> = HashMap::new();
        all.for_each(|c| *counts.entry((c.page, c.row)).or_default() += 1);
        counts
    };
    let (all, running_parts) = (parts(&mut candidates.iter()), parts(&mut found.iter().copied()));
    found.retain(|c| c.outermost || all[&(c.page, c.row)] == running_parts[&(c.page, c.row)]);
    let titles = title::first_said(&found, sheets);
    for candidate in found {
        if titles.contains(&(candidate.page, candidate.row)) {
            continue;
        }
        note(&mut running, &candidate.text);
        for &word in &candidate.words {
            marked[candidate.page][word] = true;
        }
    }
    Furniture { marked, running }
}

/// Those of the lines that recur which stand apart from the text, and what changes from page to page where they stand.
fn in_margin<'c>(
    mut recurring: Vec<&'c MarginLine>,
    candidates: &'c [MarginLine],
    sheets: &[&PageModel],
    marked: &[Vec<bool>],
) -> Vec<&'c MarginLine> {
    let body = apart::Body::of(sheets);
    loop {
        let mut found = recurring.clone();
        found.extend(changing(candidates, &found));
        let moved = moved_numbers(candidates, &found);
        found.extend(moved);
        let apart = body.without(&recurring, &found, marked);
        if apart.len() == recurring.len() {
            return found;
        }
        recurring = apart;
    }
}

/// Lines that stand where others recur but say something else. One is the name of the chapter in a running header.
/// Another is the marked tab of a navigation bar, which is set larger or in capitals.
fn changing<'c>(candidates: &'c [MarginLine], found: &[&'c MarginLine]) -> Vec<&'c MarginLine> {
    let id = |line: &MarginLine| std::ptr::from_ref(line) as usize;
    let known: HashSet<usize> = found.iter().map(|line| id(line)).collect();
    let names: HashSet<String> = found.iter().map(|line| line.text.to_lowercase()).collect();
    let mut rows: HashMap<(usize, usize), usize> = HashMap::new();
    let mut slots: HashMap<_, (HashSet<usize>, HashSet<usize>)> = HashMap::new();
    for line in candidates {
        let recurs = known.contains(&id(line));
        *rows.entry((line.page, line.row)).or_default() += usize::from(recurs);
        for slot in line.slots() {
            let pages = slots.entry(slot).or_default();
            pages.0.insert(line.page);
            if recurs {
                pages.1.insert(line.page);
            }
        }
    }
    let marked_tab = |line: &MarginLine| {
        rows[&(line.page, line.row)] >= MIN_TABS && names.contains(&line.text.to_lowercase())
    };
    let in_slot = |line: &MarginLine| {
        line.outermost
            && line.text.split_whitespace().count() <= MAX_CHANGING
            && line.slots().iter().any(|slot| {
                let (all, running) = &slots[slot];
                running.len() >= MIN_PAGES && running.len() * 2 >= all.len()
            })
    };
    let others = candidates.iter().filter(|line| !known.contains(&id(line)));
    others.filter(|line| is_name_or_number(&line.text) && (marked_tab(line) || in_slot(line))).collect()
}

/// Numbers at the edge of a page that count with the pages as those do that recur, as on a page that lies across.
fn moved_numbers<'c>(candidates: &'c [MarginLine], found: &[&'c MarginLine]) -> Vec<&'c MarginLine> {
    let is_number = |line: &&MarginLine| line.shape == "#" && line.offsets.len() == 1;
    let numbered: HashSet<usize> = found.iter().copied().filter(is_number).map(|line| line.page).collect();
    let mut known: HashMap<(i64, i32), usize> = HashMap::new();
    let key = |line: &MarginLine| (line.offsets[0], (line.size * 2.0).round() as i32);
    found.iter().copied().filter(is_number).for_each(|line| *known.entry(key(line)).or_default() += 1);
    let lone = candidates.iter().filter(is_number).filter(|line| !numbered.contains(&line.page));
    lone.filter(|line| line.outermost && known.get(&key(line)).is_some_and(|count| *count >= MIN_PAGES))
        .collect()
}

/// What the place of a line on its page is measured by.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Anchor {
    Left,
    Right,
    /// The distance to the nearer side of the page, so that left and right pages have it in common.
    Margin,
    /// The same, rounded at other places.
    MarginBetween,
}

/// A place on a page, and the size of the letters there.
type Slot = (Anchor, i32, i32, i32);

impl MarginLine {
    /// Where it stands: what shares one of these stands at the same place in letters of the same size.
    fn slots(&self) -> [Slot; 4] {
        let place = |v: f32| (v / SLOT).round() as i32;
        let (top, size) = (place(self.top), (self.size * 2.0).round() as i32);
        [
            (Anchor::Left, top, place(self.left), size),
            (Anchor::Right, top, place(self.right), size),
            (Anchor::Margin, top, place(self.margin), size),
            (Anchor::MarginBetween, top, place(self.margin + SLOT / 2.0), size),
        ]
    }
}

fn note(running: &mut Vec<String>, text: &str) {
    if text.chars().any(char::is_alphabetic)
        && !running.iter().any(|known| known == text)
        && running.len() < 100
    {
        running.push(text.to_owned());
    }
}

/// Believes the marks of the file, unless they take most of the page.
fn mark_pagination(sheet: &PageModel, marked: &mut [bool], running: &mut Vec<String>) {
    // Writers mark the repeated header rows of tables as pagination too.
    let pagination: Vec<bool> = sheet
        .words
        .iter()
        .zip(&sheet.in_table)
        .map(|(word, in_table)| word.artifact == Artifact::Pagination && !in_table)
        .collect();
    let count = pagination.iter().filter(|marked| **marked).count();
    if count as f32 > TOO_MUCH * sheet.words.len() as f32 && count > 12 {
        return;
    }
    let words = sheet.words.iter().zip(&pagination).filter(|(_, marked)| **marked).map(|(w, _)| w.clone());
    for line in super::line::flowing(words) {
        note(running, &line.text());
    }
    marked.copy_from_slice(&pagination);
}

/// The rows near the edges of a page that stand outside its tables, together with those that the file marks. A writer
/// that marks the numbers of most pages leaves out some.
fn candidates(page: usize, sheet: &PageModel) -> Vec<MarginLine> {
    let near = |w: &Word| w.rect.top < BAND * sheet.size.1 || w.rect.bottom > (1.0 - BAND) * sheet.size.1;
    let mut indexed: Vec<(usize, Word)> = sheet
        .words
        .iter()
        .enumerate()
        .filter(|(i, w)| w.turn == Turn::Level && near(w) && !sheet.in_table[*i])
        .map(|(i, w)| (i, w.clone()))
        .collect();
    // The word's index travels in its content item, which rows leave alone.
    for (i, word) in &mut indexed {
        word.item = Some(*i as u32);
    }
    let all = rows(indexed.into_iter().map(|(_, w)| w).collect());
    let tabs = tabs(page, sheet, all.len());
    let count = all.len();
    let top = all.iter().filter(|row| row.rect.center().1 < sheet.size.1 / 2.0).count();
    all.into_iter()
        .enumerate()
        .filter(|(i, _)| *i < EDGE_ROWS.min(top) || (*i >= top && i + EDGE_ROWS >= count))
        .flat_map(|(i, row)| pieces(row).into_iter().map(move |line| (i, line)))
        .map(|(row, line)| (row, line.text(), line))
        .map(|(row, text, line)| MarginLine {
            page,
            row,
            outermost: row == 0 || row + 1 == count,
            shape: shape(&text),
            offsets: numbers(&text).into_iter().map(|number| number - page as i64).collect(),
            text,
            top: line.rect.top,
            bottom: line.rect.bottom,
            left: line.rect.left,
            right: line.rect.right,
            margin: line.rect.left.min(sheet.size.0 - line.rect.right),
            size: line.size(),
            words: line.words.iter().filter_map(|w| w.item).map(|i| i as usize).collect(),
        })
        .chain(tabs)
        .collect()
}

/// Turned lines at the sides of a page, each a row of its own after the `rows` level ones.
fn tabs(page: usize, sheet: &PageModel, rows: usize) -> Vec<MarginLine> {
    let near = |w: &Word| {
        let x = w.rect.center().0;
        x < SIDE * sheet.size.0 || x > (1.0 - SIDE) * sheet.size.0
    };
    let turned = sheet
        .words
        .iter()
        .enumerate()
        .filter(|(i, w)| matches!(w.turn, Turn::Up | Turn::Down) && near(w) && !sheet.in_table[*i]);
    let words = turned.map(|(i, w)| Word { item: Some(i as u32), ..w.clone() });
    let lines = super::line::flowing(words).into_iter().zip(rows..);
    lines
        .map(|(line, row)| MarginLine {
            page,
            row,
            outermost: true,
            shape: shape(&line.text()),
            offsets: Vec::new(),
            text: line.text(),
            top: line.rect.top,
            bottom: line.rect.bottom,
            left: line.rect.left,
            right: line.rect.right,
            margin: line.rect.left.min(sheet.size.0 - line.rect.right),
            size: line.size(),
            words: line.words.iter().filter_map(|w| w.item).map(|i| i as usize).collect(),
        })
        .collect()
}

/// A row as a whole and, where it has parts far from each other, each of them.
fn pieces(row: Line) -> Vec<Line> {
    let parts: Vec<Line> =
        super::fragments::fragments(vec![row.clone()]).into_iter().map(|(_, line)| line).collect();
    if parts.len() > 1 { parts } else { vec![row] }
}

fn shape(text: &str) -> String {
    if roman(bare(text)) {
        return "#".to_owned();
    }
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '0'..='9' if out.ends_with('#') => {}
            '0'..='9' => out.push('#'),
            c => out.extend(c.to_lowercase()),
        }
    }
    out
}

/// Those lines of `group`, which all have one shape, that recur.
fn recurring<'g>(group: &[&'g MarginLine], pages: usize) -> Vec<&'g MarginLine> {
    let mut by_text: HashMap<&str, Alike<'_>> = HashMap::new();
    let mut by_offset: HashMap<(i64, i64), Alike<'_>> = HashMap::new();
    let counted = |line: &MarginLine| {
        let page = line.page as i64;
        let offsets = line.offsets.iter();
        let outer = line.shape.starts_with('#') || line.shape.ends_with('#');
        let steps = if outer { [1, PAGES_OF_A_SPREAD].as_slice() } else { &[1] };
        offsets
            .flat_map(|&offset| steps.iter().map(move |&step| (step, offset - (step - 1) * page)))
            .collect::<Vec<_>>()
    };
    for line in group {
        if line.text.chars().any(char::is_alphabetic) && !roman(bare(&line.text)) {
            by_text.entry(&line.text).or_default().lines.push(line);
        }
        for count in counted(line) {
            by_offset.entry(count).or_default().lines.push(line);
        }
    }
    let mut recurs = |line: &MarginLine| {
        by_text.get_mut(line.text.as_str()).is_some_and(|same| same.recurs(line, SAME_TEXT_PLACE, pages))
            || repeats(line, group)
                && counted(line).iter().any(|count| {
                    by_offset.get_mut(count).is_some_and(|same| same.recurs(line, SAME_PLACE, pages))
                })
    };
    group.iter().copied().filter(|line| recurs(line)).collect()
}

/// Whether each number of a line is that of the line like it before or after it, or counts with the pages. A line
/// with figures of its own on each page is content. `group` are the lines like it, page by page.
fn repeats(line: &MarginLine, group: &[&MarginLine]) -> bool {
    let on = |page: usize| {
        let start = group.partition_point(|other| other.page < page);
        group[start..].iter().take_while(move |other| other.page == page)
    };
    let at = group.partition_point(|other| other.page < line.page);
    let before = at.checked_sub(1).map(|at| group[at].page);
    let after =
        group[group.partition_point(|other| other.page <= line.page)..].first().map(|other| other.page);
    let alike = |other: &&&MarginLine| {
        other.offsets.len() == line.offsets.len()
            && line.offsets.iter().zip(&other.offsets).all(|(own, other_own)| {
                let pages = line.page as i64 - other.page as i64;
                // The same number, or one that counts with the pages, of which a sheet may show two.
                (own - other_own == -pages) || own == other_own || own - other_own == pages
            })
    };
    [before, after].into_iter().flatten().any(|page| on(page).any(|other| alike(&other)))
}

/// Lines that say the same, or whose numbers count with the pages alike.
#[derive(Default)]
struct Alike<'a> {
    lines: Vec<&'a MarginLine>,
    /// What was found for a place and a size of letters, in parts of [`NOTCH`] points: a page has room for few of each.
    known: HashMap<(i32, i32), bool>,
}

impl Alike<'_> {
    /// Whether enough of the lines stand within `near` points of `line`, in letters of its size.
    fn recurs(&mut self, line: &MarginLine, near: f32, pages: usize) -> bool {
        let notches = |points: f32| (points / NOTCH).round() as i32;
        *self.known.entry((notches(line.top), notches(line.size))).or_insert_with(|| {
            // The title itself, set larger where the running lines repeat it, is none of them.
            let same_size = |other: &MarginLine| (other.size - line.size).abs() <= SAME_SIZE * line.size;
            let there =
                self.lines.iter().filter(|other| (other.top - line.top).abs() <= near && same_size(other));
            let mut places: Vec<usize> = there.map(|other| other.page).collect();
            places.sort_unstable();
            places.dedup();
            let runs = places.windows(2).filter(|pair| pair[1] - pair[0] <= RUN).count();
            (places.len() >= MIN_PAGES && runs >= 2)
                || (pages <= 4 && places.len() >= 2 && places.len() * 2 >= pages)
        })
    }
}

/// Whether a text has letters or is the number of a page, which a section that counts for itself may have of its own.
fn is_name_or_number(text: &str) -> bool {
    text.chars().any(char::is_alphabetic) || !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit())
}

fn roman(text: &str) -> bool {
    !text.is_empty() && text.len() <= 6 && text.bytes().all(|b| b"ivxlc".contains(&b))
}

fn bare(text: &str) -> &str {
    text.trim_matches(|c: char| !c.is_alphanumeric())
}

/// The numbers in a line, roman ones where the line is nothing else.
fn numbers(text: &str) -> Vec<i64> {
    if roman(bare(text)) {
        return vec![roman_value(bare(text))];
    }
    text.split(|c: char| !c.is_ascii_digit()).filter_map(|digits| digits.parse().ok()).collect()
}

fn roman_value(text: &str) -> i64 {
    let value = |b: u8| match b {
        b'i' => 1,
        b'v' => 5,
        b'x' => 10,
        b'l' => 50,
        _ => 100,
    };
    let values: Vec<i64> = text.bytes().map(value).collect();
    let sign = |(i, v): (usize, &i64)| if values.get(i + 1).is_some_and(|next| next > v) { -v } else { *v };
    values.iter().enumerate().map(sign).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn running_lines_of_many_pages_are_found_and_their_numbers_with_them() {
        let line = |page: usize, text: String, top: f32| MarginLine {
            page,
            shape: shape(&text),
            offsets: numbers(&text).into_iter().map(|number| number - page as i64).collect(),
            text,
            top,
            bottom: top + 8.0,
            left: 50.0,
            right: 90.0,
            margin: 50.0,
            size: 8.0,
            words: Vec::new(),
            row: 0,
            outermost: true,
        };
        // So many that each could not be compared with each other.
        let pages = 20_000;
        let footers: Vec<MarginLine> =
            (0..pages).map(|page| line(page, format!("{}", page + 7), 800.0)).collect();
        let group: Vec<&MarginLine> = footers.iter().collect();
        assert_eq!(recurring(&group, pages).len(), pages);
        let figures: Vec<MarginLine> =
            (0..pages).map(|page| line(page, format!("{}", page * page), 800.0)).collect();
        let group: Vec<&MarginLine> = figures.iter().collect();
        assert_eq!(recurring(&group, pages).len(), 0, "they do not count with the pages");
        // As OCR finds them, each a little higher or lower than the others.
        let jittered: Vec<MarginLine> = (0..pages)
            .map(|page| line(page, "Annual report".to_owned(), 800.0 + (page * 7_919 % 1_000) as f32 / 500.0))
            .collect();
        let mut alike = Alike { lines: jittered.iter().collect(), ..Alike::default() };
        assert!(jittered.iter().all(|line| alike.recurs(line, SAME_TEXT_PLACE, pages)));
        assert!(alike.known.len() < 10, "{} were compared with all", alike.known.len());
    }
}
