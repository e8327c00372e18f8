//! What stands on a slide, in the order in which it is read: the title, then from top to bottom and left to right.

use crate::format::builder::{DocumentBuilder, Mark};
use crate::format::drawing::{Drawing, reference};
use crate::format::numbering::Numbering;
use crate::format::office::{attribute, below, element, elements};
use crate::format::raised::raised;
use crate::format::table::{Card, Cell, Table, cards};
use roxmltree::Node;
use std::collections::HashMap;

/// Deepest nesting of groups, and of formulas in a text, that is followed.
const DEPTH: usize = 32;
/// Most rows of shapes that are key figures, and how far the sides of one column may differ (English metric units).
const CARD_ROWS: usize = 6;
/// How much further right each level of a paragraph begins where the slide says nothing else (English metric units).
const LEVEL: u32 = 342_900;
const SAME_LEFT: u64 = 100_000;
/// Kinds of placeholders that stand on every slide.
const FURNITURE: &[&str] = &["dt", "ftr", "hdr", "sldNum"];

/// Whether a shape stands wholly outside of a slide of this width and height. A title names its slide wherever it stands.
fn is_off(shape: Node<'_, '_>, (width, height): (i64, i64)) -> bool {
    if matches!(placeholder(shape), Some(("title" | "ctrTitle", _))) {
        return false;
    }
    let own = ["spPr", "grpSpPr"].into_iter().find_map(|properties| below(shape, &[properties, "xfrm"]));
    let Some(transform) = own.or_else(|| element(shape, "xfrm")) else { return false };
    let number = |node: &str, name: &str| attribute(element(transform, node)?, name)?.parse::<i64>().ok();
    let outside = |from: Option<i64>, length: Option<i64>, end: i64| {
        from.zip(length).is_some_and(|(from, length)| from >= end || from.saturating_add(length) <= 0)
    };
    // A shape that is turned reaches elsewhere.
    attribute(transform, "rot").is_none()
        && (outside(number("off", "x"), number("ext", "cx"), width)
            || outside(number("off", "y"), number("ext", "cy"), height))
}

/// A slide.
#[derive(Debug, Default)]
pub(super) struct Slide {
    title: String,
    shapes: Vec<Shape>,
    /// Charts and diagrams that could not be read.
    pub(super) drawn: usize,
    /// Runs of text that are struck through, and are left out.
    pub(super) withdrawn: usize,
    /// Texts that stand beside the slide, and are left out.
    pub(super) beside: usize,
}

/// What a slide refers to.
#[derive(Clone, Copy)]
pub(super) struct Beside<'b> {
    /// Width and height of the slide (English metric units), where the file says them.
    pub(super) size: Option<(i64, i64)>,
    /// Where its layout has placeholders.
    pub(super) places: &'b Positions,
    /// Charts and diagrams, by their references.
    pub(super) drawings: &'b HashMap<String, Drawing>,
}

/// Top, left and lower edge (English metric units).
type Position = (i64, i64, i64);

/// Where the placeholders of a layout stand.
#[derive(Debug, Default)]
pub(super) struct Positions {
    by_index: HashMap<String, Position>,
    by_kind: HashMap<String, Position>,
}

/// A shape with text, a table, or a group of them.
#[derive(Debug)]
struct Shape {
    /// Where it stands, as far as slide or layout say.
    place: Option<Position>,
    content: Content,
}

#[derive(Debug)]
enum Content {
    Text(Vec<Paragraph>),
    Table(Table),
    Drawing(Drawing),
    Group(Vec<Shape>),
    /// Key figures beside each other, with the lines of each of their rows and columns.
    Cards(Vec<Card>, Vec<Vec<Vec<String>>>),
}

/// A paragraph of a shape.
#[derive(Debug)]
struct Paragraph {
    text: String,
    depth: usize,
    mark: Option<Numbered>,
}

/// What stands before a paragraph.
#[derive(Debug, Clone, Copy)]
enum Numbered {
    Bullet,
    /// Kind, first number, and whether brackets stand around it or behind it, else a full stop.
    Number(Numbering, i64, Around),
}

#[derive(Debug, Clone, Copy)]
enum Around {
    Both,
    Behind,
    Stop,
}

impl Positions {
    /// Adds the placeholders of a master, or of the layout that follows it and moves some of them.
    pub(super) fn add(&mut self, root: Node<'_, '_>) {
        let shapes = below(root, &["cSld", "spTree"]).into_iter().flat_map(|tree| elements(tree, "sp"));
        for shape in shapes {
            let Some((kind, index)) = placeholder(shape) else { continue };
            let own = below(shape, &["spPr", "xfrm"]).and_then(place);
            if let Some(place) = own.or_else(|| self.by_kind.get(layout_kind(kind)).copied()) {
                self.by_kind.insert(layout_kind(kind).to_owned(), place);
                self.by_index.insert(index.to_owned(), place);
            }
        }
    }

    fn of(&self, kind: &str, index: &str) -> Option<Position> {
        self.by_index.get(index).or_else(|| self.by_kind.get(layout_kind(kind))).copied()
    }
}

impl Slide {
    /// Reads a slide whose layout has its placeholders at `places`.
    pub(super) fn of(root: Node<'_, '_>, beside: Beside<'_>) -> Self {
        let mut slide = Self::default();
        if let Some(tree) = below(root, &["cSld", "spTree"]) {
            slide.collect(tree, beside, 0);
        }
        slide.order();
        let runs = root.descendants().filter(|run| run.tag_name().name() == "r" && is_struck(*run));
        let says = |run: &Node<'_, '_>| {
            element(*run, "t").and_then(|t| t.text()).is_some_and(|t| !t.trim().is_empty())
        };
        slide.withdrawn = runs.filter(says).count();
        slide
    }

    /// Its title; empty where it has none.
    pub(super) fn title(&self) -> &str {
        self.title.trim()
    }

    /// Whether nothing but a title stands on it.
    pub(super) fn is_bare(&self) -> bool {
        self.shapes.is_empty()
    }

    /// Writes what stands below its title.
    pub(super) fn write(&self, out: &mut DocumentBuilder) {
        write_shapes(out, &self.shapes);
    }

    fn collect(&mut self, tree: Node<'_, '_>, beside: Beside<'_>, depth: usize) {
        if depth > DEPTH {
            return;
        }
        for node in tree.children().filter(Node::is_element) {
            if depth == 0 && beside.size.is_some_and(|size| is_off(node, size)) {
                let says = |t: &Node<'_, '_>| {
                    t.tag_name().name() == "t" && t.text().is_some_and(|t| !t.trim().is_empty())
                };
                self.beside += usize::from(node.descendants().any(|t| says(&t)));
                continue;
            }
            match node.tag_name().name() {
                "grpSp" => self.group(node, beside, depth),
                "sp" => self.shape(node, beside.places),
                "graphicFrame" => {
                    let place = element(node, "xfrm").and_then(place);
                    match below(node, &["graphic", "graphicData", "tbl"]) {
                        Some(table) => {
                            self.shapes.push(Shape { place, content: Content::Table(read_table(table)) })
                        }
                        None => {
                            let drawn = reference(node).and_then(|id| beside.drawings.get(id));
                            match drawn {
                                Some(drawn) => self
                                    .shapes
                                    .push(Shape { place, content: Content::Drawing(drawn.clone()) }),
                                None => self.drawn += 1,
                            }
                        }
                    }
                }
                "AlternateContent" => {
                    if let Some(choice) = element(node, "Choice").or_else(|| element(node, "Fallback")) {
                        self.collect(choice, beside, depth);
                    }
                }
                _ => {}
            }
        }
    }

    /// Reads a group: what stands in it is read together, in the order that it has inside.
    fn group(&mut self, node: Node<'_, '_>, beside: Beside<'_>, depth: usize) {
        let mut inner = Self::default();
        inner.collect(node, beside, depth + 1);
        inner.order();
        self.drawn += inner.drawn;
        if self.title.is_empty() {
            self.title = inner.title;
        }
        let own = below(node, &["grpSpPr", "xfrm"]).and_then(place);
        if let Some(first) = inner.shapes.first() {
            self.shapes.push(Shape { place: own.or(first.place), content: Content::Group(inner.shapes) });
        }
    }

    fn shape(&mut self, node: Node<'_, '_>, places: &Positions) {
        let Some(body) = element(node, "txBody") else { return };
        let holder = placeholder(node);
        match holder {
            Some(("title" | "ctrTitle", _)) if self.title.is_empty() => {
                let lines: Vec<String> = paragraphs(body, false).into_iter().map(|p| p.text).collect();
                self.title = lines.join(" ");
            }
            Some((kind, _)) if FURNITURE.contains(&kind) => {}
            holder => {
                let bulleted = matches!(holder, Some(("body" | "obj", _)));
                let paragraphs = paragraphs(body, bulleted);
                if !paragraphs.is_empty() {
                    let own = below(node, &["spPr", "xfrm"]).and_then(place);
                    let place = own.or_else(|| holder.and_then(|(kind, index)| places.of(kind, index)));
                    self.shapes.push(Shape { place, content: Content::Text(paragraphs) });
                }
            }
        }
    }

    /// Puts shapes in rows from the top and in each from the left, where all say where they stand.
    fn order(&mut self) {
        if self.shapes.iter().any(|shape| shape.place.is_none()) {
            return;
        }
        self.shapes.sort_by_key(|shape| shape.place);
        let mut row_end = i64::MIN;
        let mut row = 0_u32;
        let mut keyed: Vec<(u32, i64, Shape)> = Vec::new();
        for shape in self.shapes.drain(..) {
            let (top, left, bottom) = shape.place.unwrap_or_default();
            // What begins in the upper half of what stands beside it is in its row.
            if top >= row_end {
                row += 1;
                row_end = top + (bottom - top) / 2;
            }
            keyed.push((row, left, shape));
        }
        keyed.sort_by_key(|(row, left, _)| (*row, *left));
        let mut rows: Vec<Vec<Shape>> = Vec::new();
        let mut last = 0;
        for (row, _, shape) in keyed {
            match rows.last_mut().filter(|_| row == last) {
                Some(open) => open.push(shape),
                None => rows.push(vec![shape]),
            }
            last = row;
        }
        while !rows.is_empty() {
            let cards = (2..=CARD_ROWS.min(rows.len()))
                .rev()
                .find_map(|count| Some((count, cards_in(&rows[..count])?)));
            match cards {
                Some((count, cards)) => {
                    self.shapes.push(cards);
                    rows.drain(..count);
                }
                None => self.shapes.extend(rows.remove(0)),
            }
        }
    }
}

/// The key figures that rows of shapes are: texts below each other in columns, with a number in each.
fn cards_in(rows: &[Vec<Shape>]) -> Option<Shape> {
    let widest = rows.iter().max_by_key(|row| row.len())?;
    let left = |shape: &Shape| shape.place.map(|(_, left, _)| left);
    let lefts: Vec<i64> = widest.iter().map(left).collect::<Option<_>>()?;
    let mut lines = vec![vec![Vec::new(); lefts.len()]; rows.len()];
    for (row, shapes) in rows.iter().enumerate() {
        for shape in shapes {
            let Content::Text(paragraphs) = &shape.content else { return None };
            if paragraphs.len() > 1 && paragraphs.iter().any(|one| one.mark.is_some() || one.depth > 0) {
                return None;
            }
            let at = left(shape)?;
            let column = lefts.iter().position(|left| left.abs_diff(at) <= SAME_LEFT)?;
            lines[row][column].extend(paragraphs.iter().map(|paragraph| paragraph.text.clone()));
        }
    }
    let place = widest.first()?.place;
    Some(Shape { place, content: Content::Cards(cards(&lines)?, lines) })
}

/// The paragraphs of a speaker's notes.
pub(super) fn notes(root: Node<'_, '_>) -> Vec<String> {
    let Some(tree) = below(root, &["cSld", "spTree"]) else { return Vec::new() };
    let is_body = |shape: &Node<'_, '_>| placeholder(*shape).is_some_and(|(kind, _)| kind == "body");
    let bodies = elements(tree, "sp").filter(is_body);
    let texts = bodies.filter_map(|shape| element(shape, "txBody")).flat_map(|body| paragraphs(body, false));
    texts.map(|paragraph| paragraph.text).collect()
}

/// Kind and index of the placeholder that a shape is; one without a kind holds anything.
fn placeholder<'t>(shape: Node<'t, '_>) -> Option<(&'t str, &'t str)> {
    let own = shape.children().find(|child| child.tag_name().name() == "nvSpPr")?;
    let placeholder = below(own, &["nvPr", "ph"])?;
    Some((attribute(placeholder, "type").unwrap_or("obj"), attribute(placeholder, "idx").unwrap_or("0")))
}

/// What masters call placeholders of a kind.
fn layout_kind(kind: &str) -> &str {
    match kind {
        "ctrTitle" => "title",
        "obj" | "subTitle" => "body",
        kind => kind,
    }
}

fn place(transform: Node<'_, '_>) -> Option<Position> {
    let number = |node: &str, name: &str| attribute(element(transform, node)?, name)?.parse::<i64>().ok();
    let top = number("off", "y")?;
    Some((top, number("off", "x")?, top.saturating_add(number("ext", "cy")?)))
}

/// The paragraphs of a text with something in them; those of a `bulleted` placeholder are items unless they say
/// otherwise.
fn paragraphs(body: Node<'_, '_>, bulleted: bool) -> Vec<Paragraph> {
    let all = elements(body, "p").map(|paragraph| {
        let properties = element(paragraph, "pPr");
        let depth =
            properties.and_then(|p| attribute(p, "lvl")).and_then(|level| level.parse().ok()).unwrap_or(0);
        let has = |name| properties.and_then(|p| element(p, name));
        let mark = if has("buNone").is_some() {
            None
        } else if let Some(auto) = has("buAutoNum") {
            Some(numbered(auto))
        } else if has("buChar").is_some() || bulleted {
            Some(Numbered::Bullet)
        } else {
            None
        };
        Paragraph { text: text(paragraph), depth, mark }
    });
    all.filter(|paragraph| !paragraph.text.trim().is_empty()).collect()
}

fn numbered(auto: Node<'_, '_>) -> Numbered {
    let kind = attribute(auto, "type").unwrap_or_default();
    let numbering = match kind {
        kind if kind.starts_with("alphaLc") => Numbering::LowerLetter,
        kind if kind.starts_with("alphaUc") => Numbering::UpperLetter,
        kind if kind.starts_with("romanLc") => Numbering::LowerRoman,
        kind if kind.starts_with("romanUc") => Numbering::UpperRoman,
        _ => Numbering::Decimal,
    };
    let around = match kind {
        kind if kind.ends_with("ParenBoth") => Around::Both,
        kind if kind.ends_with("ParenR") => Around::Behind,
        _ => Around::Stop,
    };
    let start = attribute(auto, "startAt").and_then(|start| start.parse().ok()).unwrap_or(1);
    Numbered::Number(numbering, start, around)
}

fn text(paragraph: Node<'_, '_>) -> String {
    let mut out = String::new();
    collect_text(paragraph, &mut out, 0);
    out
}

fn collect_text(node: Node<'_, '_>, out: &mut String, depth: usize) {
    if depth > DEPTH {
        return;
    }
    for child in node.children().filter(Node::is_element) {
        match child.tag_name().name() {
            "t" => out.push_str(child.text().unwrap_or_default()),
            "br" => out.push('\n'),
            "r" if is_struck(child) => {}
            "AlternateContent" => {
                if let Some(choice) = element(child, "Choice").or_else(|| element(child, "Fallback")) {
                    collect_text(choice, out, depth + 1);
                }
            }
            _ => {
                let start = out.len();
                collect_text(child, out, depth + 1);
                let baseline = element(child, "rPr").and_then(|properties| attribute(properties, "baseline"));
                if baseline.and_then(|share| share.parse::<i64>().ok()).is_some_and(|share| share > 0) {
                    let (before, own) = out.split_at(start);
                    let shown = raised(before, own);
                    out.replace_range(start.., &shown);
                }
            }
        }
    }
}

/// Whether a run is struck through.
fn is_struck(run: Node<'_, '_>) -> bool {
    let strike = element(run, "rPr").and_then(|properties| attribute(properties, "strike"));
    strike.is_some_and(|strike| strike != "noStrike")
}

fn write_shapes(out: &mut DocumentBuilder, shapes: &[Shape]) {
    for shape in shapes {
        match &shape.content {
            Content::Text(paragraphs) => write_text(out, paragraphs),
            Content::Table(table) => out.table(table.clone()),
            Content::Drawing(drawing) => drawing.write(out),
            Content::Group(shapes) => write_shapes(out, shapes),
            Content::Cards(cards, lines) => cards.iter().for_each(|card| out.card(card, lines)),
        }
    }
}

fn write_text(out: &mut DocumentBuilder, paragraphs: &[Paragraph]) {
    let listed = paragraphs.len() > 1 || paragraphs.iter().any(|paragraph| paragraph.depth > 0);
    // Numbers of the levels that are open.
    let mut counts: Vec<i64> = Vec::new();
    for paragraph in paragraphs {
        let mark = match paragraph.mark {
            Some(Numbered::Bullet) if !listed => None,
            Some(Numbered::Bullet) => Some(Mark::Bullet),
            Some(Numbered::Number(numbering, start, around)) => {
                counts.resize(paragraph.depth.min(DEPTH) + 1, 0);
                let count = counts.last_mut().map_or(1, |count| {
                    *count += 1;
                    *count
                });
                let number = numbering.shown(start.saturating_add(count - 1));
                Some(Mark::Label(match around {
                    Around::Both => format!("({number})"),
                    Around::Behind => format!("{number})"),
                    Around::Stop => format!("{number}."),
                }))
            }
            None => None,
        };
        match mark {
            Some(mark) => out.item(paragraph.depth, &mark, &paragraph.text),
            None => out.paragraph(&paragraph.text),
        }
    }
    out.end_list();
}

fn read_table(node: Node<'_, '_>) -> Table {
    let flag = |node: Node<'_, '_>, name: &str| matches!(attribute(node, name), Some("1" | "true"));
    let mut table = Table::default();
    // Nearly every table of the program says that it has a first row, also where it has none.
    let named = element(node, "tblPr").is_some_and(|properties| flag(properties, "firstRow"));
    for (index, row) in elements(node, "tr").enumerate() {
        let cells = elements(row, "tc").filter(|cell| !flag(*cell, "hMerge") && !flag(*cell, "vMerge"));
        let cells = cells.map(|cell| {
            let span = |name| attribute(cell, name).and_then(|span| span.parse().ok()).unwrap_or(1);
            let lines = element(cell, "txBody").map(|body| paragraphs(body, false)).unwrap_or_default();
            let text = lines.into_iter().map(|line| line.text).collect::<Vec<_>>().join("\n");
            let first = below(cell, &["txBody", "p", "pPr"]);
            let set = |name| first.and_then(|first| attribute(first, name)?.parse::<u32>().ok()).unwrap_or(0);
            // A level without a margin of its own has that of the program.
            let indent = set("marL").max(set("lvl").saturating_mul(LEVEL));
            let marked = named && index == 0;
            Cell { text, columns: span("gridSpan"), rows: span("rowSpan"), marked, indent }
        });
        table.rows.push(cells.collect());
    }
    table
}
