//! The parts of a pack, laid out on pages.

use super::super::blocks::Block;
use super::face::{Faces, Weight};
use super::flow::{BOTTOM, Entry, Flow, Ink, LEFT, Line, RIGHT, Role, Shape, Side, Style, TOP, height};
use sibyl_page::Picture;

const WIDTH: f32 = RIGHT - LEFT;
const TITLE: Style = Style { size: 22.0, weight: Weight::Bold, ink: Ink::Full };
const HEADING: Style = Style { size: 15.0, weight: Weight::Bold, ink: Ink::Full };
const SUBHEADING: Style = Style { size: 11.5, weight: Weight::Bold, ink: Ink::Full };
const TEXT: Style = Style { size: 9.5, weight: Weight::Regular, ink: Ink::Full };
const STRONG: Style = Style { weight: Weight::Bold, ..TEXT };
const SOFT: Style = Style { ink: Ink::Soft, ..TEXT };
const SMALL: Style = Style { size: 8.5, weight: Weight::Regular, ink: Ink::Full };
const SMALL_STRONG: Style = Style { weight: Weight::Bold, ..SMALL };
const SMALL_SOFT: Style = Style { ink: Ink::Soft, ..SMALL };
/// Room for the names of facts.
const NAMES: f32 = 78.0;
/// Room between a bar or a frame and the text in it.
const INSET: f32 = 10.0;
/// Room between the text of a cell of a table and its edges.
const PAD: f32 = 4.0;
/// Room kept below a heading for its content. Below one above other headings there is also room for the first of
/// them.
const BELOW: f32 = 60.0;
const BELOW_ALL: f32 = 150.0;

/// `blocks` on pages.
pub(super) fn laid<'a, 'f>(blocks: Vec<Block<'a>>, faces: &'f Faces) -> Flow<'a, 'f> {
    let mut flow = Flow::new(faces);
    for block in blocks {
        lay(&mut flow, block);
    }
    flow
}

fn lay<'a>(flow: &mut Flow<'a, '_>, block: Block<'a>) {
    match block {
        Block::Title(text) => heading(flow, 0, &text, TITLE, (0.0, 14.0)),
        Block::Heading(text) => heading(flow, 1, &text, HEADING, (20.0, 6.0)),
        Block::Requirement { id, label } => {
            heading(flow, 2, &format!("{id}  {label}"), SUBHEADING, (14.0, 3.0));
        }
        Block::Asked { words, items } => asked(flow, &words, &items),
        Block::Line(text) => {
            flow.y += 3.0;
            paragraph(flow, &[(&text, TEXT)], (LEFT, WIDTH), None);
            flow.y += 3.0;
        }
        Block::Fact(name, value) => fact(flow, name, &value),
        Block::Table { head, shares, rows } => table(flow, &head, &shares, &rows),
        // The outline is the list of contents of a PDF.
        Block::Contents => {}
        Block::Break => {
            if flow.y > TOP {
                flow.turn();
            }
        }
        Block::Decision { report, said, .. } => {
            flow.need(BELOW);
            flow.y += 6.0;
            paragraph(flow, &[(&report, STRONG), (&said, TEXT)], (LEFT, WIDTH), None);
        }
        Block::Quotation { words, place } => {
            flow.need(BELOW / 2.0);
            flow.y += 4.0;
            let part = flow.part(Role::Quotation, None);
            flow.begin_side(Side::Bar);
            paragraph(flow, &[(&words, TEXT)], (LEFT + INSET, WIDTH - INSET), Some(part));
            paragraph(flow, &[(&place, SMALL_SOFT)], (LEFT + INSET, WIDTH - INSET), Some(part));
            flow.end_side();
            flow.y += 4.0;
        }
        Block::Page { picture, shows } => page(flow, picture, shows),
        Block::Proposal { said, evidence } => proposal(flow, &said, &evidence),
    }
}

fn paragraph(
    flow: &mut Flow<'_, '_>,
    pieces: &[(&str, Style)],
    (left, width): (f32, f32),
    parent: Option<usize>,
) {
    let part = flow.part(Role::Paragraph, parent);
    let lines = flow.lines(pieces, width);
    flow.write(lines, left, part);
}

fn heading(flow: &mut Flow<'_, '_>, level: u16, text: &str, style: Style, (before, after): (f32, f32)) {
    let lines = flow.lines(&[(text, style)], WIDTH);
    let own: f32 = lines.iter().map(height).sum();
    let below = if level < 2 { BELOW_ALL } else { BELOW };
    if !flow.need(before + own + after + below) && flow.y > TOP {
        flow.y += before;
    }
    let part = flow.part(Role::Heading(level.max(1), text.to_owned()), None);
    if level > 0 {
        let page = flow.pages.len() - 1;
        flow.entries.push(Entry { level, text: text.to_owned(), page, y: flow.y });
    }
    flow.write(lines, LEFT, part);
    flow.y += after;
}

fn fact(flow: &mut Flow<'_, '_>, name: &str, value: &str) {
    let part = flow.part(Role::Paragraph, None);
    let names = flow.lines(&[(&format!("{name}:"), SOFT)], NAMES);
    flow.need(TEXT.size * 2.0);
    names.into_iter().for_each(|line| flow.write_line(line, LEFT, part));
    let lines = flow.lines(&[(value, TEXT)], WIDTH - NAMES);
    flow.write(lines, LEFT + NAMES, part);
    flow.y += 3.0;
}

/// What a requirement asks for, in a lighter colour than the decision on it.
fn asked(flow: &mut Flow<'_, '_>, words: &str, items: &[String]) {
    paragraph(flow, &[(words, SMALL_SOFT)], (LEFT, WIDTH), None);
    for item in items {
        flow.y += 1.0;
        paragraph(flow, &[("–", SMALL_SOFT), (item, SMALL_SOFT)], (LEFT + INSET, WIDTH - INSET), None);
    }
    flow.y += 3.0;
}

/// The picture of a part of a page, across the whole width unless it would then be higher than a page.
fn page<'a>(flow: &mut Flow<'a, '_>, picture: &'a Picture, shows: String) {
    let (across, down) = (picture.width.max(1) as f32, picture.height.max(1) as f32);
    let scale = (WIDTH / across).min((BOTTOM - TOP - 4.0) / down);
    let (width, height) = (across * scale, down * scale);
    flow.need(height + 4.0);
    let part = flow.part(Role::Figure(shows), None);
    flow.put(LEFT, flow.y + 2.0, Some(part), Shape::Picture(picture, width, height));
    flow.y += height + 6.0;
}

fn proposal(flow: &mut Flow<'_, '_>, said: &str, evidence: &[String]) {
    let inner = (LEFT + INSET, WIDTH - 2.0 * INSET);
    flow.need(BELOW / 2.0);
    flow.y += 5.0;
    let part = flow.part(Role::Proposal, None);
    flow.begin_side(Side::Frame);
    paragraph(flow, &[(said, SMALL_STRONG)], inner, Some(part));
    for one in evidence {
        flow.y += 2.0;
        paragraph(flow, &[(one, SMALL)], inner, Some(part));
    }
    flow.end_side();
    flow.y += 5.0;
}

/// A table whose rows may continue on the next page; its head is repeated on each page.
fn table(flow: &mut Flow<'_, '_>, head: &[String], shares: &[f32], rows: &[Vec<String>]) {
    let table = flow.part(Role::Table, None);
    let room = 3.0 * SMALL.size;
    flow.need(2.0 * room);
    let mut edges = vec![LEFT];
    for share in shares {
        edges.push(edges[edges.len() - 1] + share * WIDTH);
    }
    let lines = |flow: &Flow<'_, '_>, values: &[String], style| -> Vec<Vec<Line>> {
        let cells = values.iter().zip(edges.windows(2));
        cells.map(|(value, edge)| flow.lines(&[(value, style)], edge[1] - edge[0] - 2.0 * PAD)).collect()
    };
    let names = |flow: &mut Flow<'_, '_>| {
        let cells = lines(flow, head, SMALL_STRONG);
        let tall: f32 = cells.iter().map(|cell| cell.iter().map(height).sum()).fold(0.0, f32::max);
        let behind = Shape::Filled { width: WIDTH, height: tall + 2.0 * PAD, dark: false };
        flow.put(LEFT, flow.y, None, behind);
        let row = flow.part(Role::Row, Some(table));
        write_row(flow, cells, &edges, (row, Role::ColumnHead));
    };
    names(flow);
    for values in rows {
        let cells = lines(flow, values, SMALL);
        let tall: f32 = cells.iter().map(|cell| cell.iter().map(height).sum()).fold(0.0, f32::max);
        // A row too high for any page begins here and continues on the next.
        if tall + 2.0 * PAD < BOTTOM - TOP - room && flow.need(tall + 2.0 * PAD) {
            names(flow);
        }
        let row = flow.part(Role::Row, Some(table));
        write_row(flow, cells, &edges, (row, Role::Data));
        flow.put(LEFT, flow.y - 0.5, None, Shape::Filled { width: WIDTH, height: 0.5, dark: true });
    }
    flow.y += 8.0;
}

fn write_row(flow: &mut Flow<'_, '_>, cells: Vec<Vec<Line>>, edges: &[f32], (row, role): (usize, Role)) {
    let tallest = cells.iter().map(Vec::len).max().unwrap_or_default();
    let mut cells: Vec<_> = cells
        .into_iter()
        .map(|lines| {
            let part = flow.part(role.clone(), Some(row));
            (part, lines.into_iter())
        })
        .collect();
    flow.y += PAD;
    for _ in 0..tallest {
        let mut most: f32 = 0.0;
        let next: Vec<(usize, Option<Line>)> =
            cells.iter_mut().map(|(part, lines)| (*part, lines.next())).collect();
        for line in next.iter().filter_map(|(_, line)| line.as_ref()) {
            most = most.max(height(line));
        }
        flow.need(most);
        for ((part, line), left) in next.into_iter().zip(edges) {
            if let Some(line) = line {
                flow.write_line(line, left + PAD, part);
            }
        }
        flow.y += most;
    }
    flow.y += PAD;
}

#[cfg(test)]
mod tests {
    use super::super::flow::{Item, PAGE};
    use super::*;
    use crate::store::table::review::ReviewStatus;

    fn words(count: usize) -> String {
        (0..count).map(|at| format!("word{at}")).collect::<Vec<_>>().join(" ")
    }

    /// One of each kind, with texts that are too long for a line or a page.
    fn blocks(picture: &Picture) -> Vec<Block<'_>> {
        let long = "x".repeat(700);
        let row = |at: usize| vec![format!("row{at}"), words(12), "a".repeat(64), "5".to_owned()];
        vec![
            Block::Title("Climate review".to_owned()),
            Block::Fact("Report", words(40)),
            Block::Break,
            Block::Contents,
            Block::Heading("Governance".to_owned()),
            Block::Requirement { id: "S2.6".to_owned(), label: words(30) },
            Block::Asked { words: words(60), items: vec![words(45), words(25)] },
            Block::Decision {
                report: "Quillmoor".to_owned(),
                status: ReviewStatus::Met,
                said: "Met".to_owned(),
            },
            Block::Line(long),
            Block::Quotation { words: words(1_500), place: "p. 3".to_owned() },
            Block::Page { picture, shows: "Part of p. 3".to_owned() },
            Block::Proposal { said: "Proposal".to_owned(), evidence: vec![words(900), words(20)] },
            Block::Table {
                head: ["Requirement", "Words", "Hash", "Page"].map(str::to_owned).to_vec(),
                shares: vec![0.2, 0.3, 0.4, 0.1],
                rows: (0..60).map(row).chain([vec!["end".to_owned(), words(3_000)]]).collect(),
            },
        ]
    }

    /// Left, top, right and bottom of something.
    fn bounds(item: &Item<'_>, faces: &Faces) -> [f32; 4] {
        let (x, y) = (item.x, item.y);
        match &item.shape {
            Shape::Text(text, style) => {
                let width = faces.width(text.trim_end(), style.weight) * style.size;
                [x, y - style.size, x + width, y + 0.3 * style.size]
            }
            Shape::Picture(_, width, height)
            | Shape::Filled { width, height, .. }
            | Shape::Dashed { width, height } => [x, y, x + width, y + height],
        }
    }

    #[test]
    fn all_of_the_text_stands_on_the_pages_in_its_order() {
        let picture = Picture { width: 1_100, height: 9_000, png: Vec::new() };
        let faces = Faces::new().unwrap();
        let laid = laid(blocks(&picture), &faces);
        for item in laid.pages.iter().flatten() {
            let [left, top, right, bottom] = bounds(item, &faces);
            let across = left >= LEFT - 0.1 && right <= RIGHT + 0.1 && left <= right;
            assert!(across && top >= TOP - 1.0 && bottom <= PAGE.1 - 45.0, "{item:?}");
        }
        let said = |wanted: &Role| {
            let own = |item: &&Item<'_>| item.part.is_some_and(|part| laid.parts[part].role == *wanted);
            let text = laid.pages.iter().flatten().filter(own).map(|item| match &item.shape {
                Shape::Text(text, _) => text.as_str(),
                _ => "",
            });
            text.collect::<String>()
        };
        let paragraphs = said(&Role::Paragraph);
        for whole in [words(40), words(60), words(45), "x".repeat(700), words(1_500), words(900)] {
            assert!(paragraphs.contains(&whole), "{} characters of {paragraphs}", whole.len());
        }
        let cells = said(&Role::Data);
        assert!(cells.contains(&"a".repeat(20)) && cells.contains("word2999"));
    }

    #[test]
    fn what_goes_over_a_page_keeps_its_side_and_its_head() {
        let picture = Picture { width: 1_100, height: 200, png: Vec::new() };
        let faces = Faces::new().unwrap();
        let laid = laid(blocks(&picture), &faces);
        let pages =
            |is: &dyn Fn(&Item<'_>) -> bool| laid.pages.iter().filter(|page| page.iter().any(is)).count();
        let role =
            |item: &Item<'_>, wanted: &Role| item.part.is_some_and(|part| laid.parts[part].role == *wanted);
        let frames = pages(&|item| matches!(item.shape, Shape::Dashed { .. }));
        let bars = pages(&|item| matches!(item.shape, Shape::Filled { width, .. } if width < 3.0));
        assert!(frames > 1 && bars > 1, "{frames} pages with a frame, {bars} with a bar");
        let heads = pages(&|item| role(item, &Role::ColumnHead));
        assert!(heads > 1, "{heads}");
        let entries: Vec<(u16, usize)> = laid.entries.iter().map(|entry| (entry.level, entry.page)).collect();
        assert_eq!(entries, [(1, 1), (2, 1)]);
    }

    #[test]
    fn no_heading_is_left_alone_at_the_end_of_a_page() {
        let faces = Faces::new().unwrap();
        for lines in 0..80 {
            let before = (0..lines).map(|_| Block::Line("A line.".to_owned()));
            let (id, label) = ("S2.14".to_owned(), String::new());
            let after = [Block::Heading("Strategy".to_owned()), Block::Requirement { id, label }];
            let blocks = before.chain(after).chain([Block::Line("Below.".to_owned())]).collect();
            let laid = laid(blocks, &faces);
            assert_eq!(laid.entries[0].page, laid.entries[1].page, "after {lines} lines");
            let last = laid.pages[laid.entries[1].page].iter();
            assert!(
                last.into_iter().any(|item| matches!(&item.shape, Shape::Text(text, _) if text == "Below."))
            );
        }
    }
}
