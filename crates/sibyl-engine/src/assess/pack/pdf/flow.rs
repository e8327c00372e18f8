//! The position and page of everything.

use super::face::{Faces, Weight};
use sibyl_page::Picture;

/// Width and height of a page of A4, in points.
pub(super) const PAGE: (f32, f32) = (595.28, 841.89);
/// Left and right limits of the text.
pub(super) const LEFT: f32 = 56.0;
pub(super) const RIGHT: f32 = PAGE.0 - LEFT;
/// Top and bottom limits of the text.
pub(super) const TOP: f32 = 58.0;
pub(super) const BOTTOM: f32 = PAGE.1 - 64.0;
/// Line spacing, as a multiple of the text's size.
const LEADING: f32 = 1.4;
/// Characters after which a word may be broken.
const BREAKS: [char; 5] = ['-', '–', '—', '/', '_'];

/// Colour of text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Ink {
    Full,
    Soft,
}

/// How text looks.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Style {
    /// Points.
    pub size: f32,
    pub weight: Weight,
    pub ink: Ink,
}

/// The role of a part of a page for a screen reader.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Role {
    Heading(u16, String),
    Paragraph,
    Quotation,
    /// A picture, with what it shows.
    Figure(String),
    Proposal,
    Table,
    Row,
    ColumnHead,
    Data,
}

/// A part of the document's structure, in the part at place `parent`.
#[derive(Debug)]
pub(super) struct Part {
    pub role: Role,
    pub parent: Option<usize>,
}

/// Something that is seen.
#[derive(Debug)]
pub(super) enum Shape<'a> {
    /// Text on its base line.
    Text(String, Style),
    /// A picture of this width and height.
    Picture(&'a Picture, f32, f32),
    /// A filled rectangle: darker for a bar or a line, lighter behind text.
    Filled { width: f32, height: f32, dark: bool },
    /// A frame of dashes.
    Dashed { width: f32, height: f32 },
}

/// Something on a page.
#[derive(Debug)]
pub(super) struct Item<'a> {
    /// Left end of the base line for text, or else the upper left corner.
    pub x: f32,
    pub y: f32,
    /// Place of the part that it belongs to; `None` for what only adorns.
    pub part: Option<usize>,
    pub shape: Shape<'a>,
}

/// An entry of the list of contents that viewers show.
#[derive(Debug)]
pub(super) struct Entry {
    pub level: u16,
    pub text: String,
    /// Page, from 0.
    pub page: usize,
    pub y: f32,
}

/// What is beside or around text that may continue on the next page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Side {
    Bar,
    Frame,
}

/// A word, or a part of one after which a line may end.
struct Word {
    text: String,
    style: Style,
    width: f32,
    /// Whether a space precedes it.
    spaced: bool,
}

/// Text of one style in a line, and where it begins there.
pub(super) struct Run {
    x: f32,
    end: f32,
    text: String,
    style: Style,
}

/// A line of text.
pub(super) type Line = Vec<Run>;

/// Pages that are filled from the top.
pub(super) struct Flow<'a, 'f> {
    faces: &'f Faces,
    pub pages: Vec<Vec<Item<'a>>>,
    pub parts: Vec<Part>,
    pub entries: Vec<Entry>,
    /// Where the next thing begins.
    pub y: f32,
    side: Option<(Side, f32)>,
}

impl<'a, 'f> Flow<'a, 'f> {
    pub fn new(faces: &'f Faces) -> Self {
        Self { faces, pages: vec![Vec::new()], parts: Vec::new(), entries: Vec::new(), y: TOP, side: None }
    }

    /// A new part of the document; returns its place.
    pub fn part(&mut self, role: Role, parent: Option<usize>) -> usize {
        self.parts.push(Part { role, parent });
        self.parts.len() - 1
    }

    pub fn put(&mut self, x: f32, y: f32, part: Option<usize>, shape: Shape<'a>) {
        if let Some(page) = self.pages.last_mut() {
            page.push(Item { x, y, part, shape });
        }
    }

    /// Goes to the next page if less than `height` is left on this one; returns whether it did.
    pub fn need(&mut self, height: f32) -> bool {
        let full = self.y + height > BOTTOM && self.y > TOP;
        if full {
            self.turn();
        }
        full
    }

    /// Goes to the next page.
    pub fn turn(&mut self) {
        let side = self.side.take();
        if let Some((side, from)) = side {
            self.draw_side(side, from);
        }
        self.pages.push(Vec::new());
        self.y = TOP;
        if let Some((side, _)) = side {
            self.begin_side(side);
        }
    }

    /// Puts `side` to all that comes until [`Flow::end_side`].
    pub fn begin_side(&mut self, side: Side) {
        self.side = Some((side, self.y));
        if side == Side::Frame {
            self.y += 5.0;
        }
    }

    pub fn end_side(&mut self) {
        if let Some((side, from)) = self.side.take() {
            self.draw_side(side, from);
        }
    }

    fn draw_side(&mut self, side: Side, from: f32) {
        let height = self.y - from + if side == Side::Frame { 6.0 } else { 2.0 };
        match side {
            Side::Bar => {
                let bar = Shape::Filled { width: 2.0, height, dark: true };
                self.put(LEFT, from, None, bar);
            }
            Side::Frame => {
                let frame = Shape::Dashed { width: RIGHT - LEFT, height };
                self.put(LEFT, from, None, frame);
                self.y += 6.0;
            }
        }
    }

    /// `pieces`, with a space between each two, in lines of `width`.
    pub fn lines(&self, pieces: &[(&str, Style)], width: f32) -> Vec<Line> {
        let mut lines: Vec<Line> = Vec::new();
        let mut line: Line = Vec::new();
        for word in pieces.iter().flat_map(|(text, style)| self.words(text, *style, width)) {
            let space = self.faces.width(" ", word.style.weight) * word.style.size;
            let before = if word.spaced && !line.is_empty() { space } else { 0.0 };
            let mut x = line.last().map_or(0.0, |run| run.end) + before;
            if x + word.width > width && !line.is_empty() {
                if let (true, Some(last)) = (word.spaced, line.last_mut()) {
                    // A reader that ignores lines then still finds the words apart.
                    last.text.push(' ');
                }
                lines.push(std::mem::take(&mut line));
                x = 0.0;
            }
            let end = x + word.width;
            match line.last_mut() {
                Some(last) if last.style == word.style => {
                    if word.spaced {
                        last.text.push(' ');
                    }
                    last.text.push_str(&word.text);
                    last.end = end;
                }
                other => {
                    if let (true, Some(last)) = (word.spaced, other) {
                        last.text.push(' ');
                    }
                    line.push(Run { x, end, text: word.text, style: word.style });
                }
            }
        }
        if !line.is_empty() {
            lines.push(line);
        }
        lines
    }

    /// The words of `text`, none wider than `most`.
    fn words(&self, text: &str, style: Style, most: f32) -> Vec<Word> {
        let mut words = Vec::new();
        let text = self.faces.readable(text);
        for word in text.split(' ').filter(|word| !word.is_empty()) {
            for (index, atom) in word.split_inclusive(BREAKS).enumerate() {
                let mut spaced = index == 0;
                let mut part = String::new();
                let mut width = 0.0;
                for c in atom.chars() {
                    let mut code = [0; 4];
                    let advance = self.faces.width(c.encode_utf8(&mut code), style.weight) * style.size;
                    if width + advance > most && !part.is_empty() {
                        words.push(Word { text: std::mem::take(&mut part), style, width, spaced });
                        (width, spaced) = (0.0, false);
                    }
                    part.push(c);
                    width += advance;
                }
                words.push(Word { text: part, style, width, spaced });
            }
        }
        words
    }

    /// Writes `lines` as a part, starting at `left`.
    pub fn write(&mut self, lines: Vec<Line>, left: f32, part: usize) {
        for line in lines {
            let height = height(&line);
            self.need(height);
            self.write_line(line, left, part);
            self.y += height;
        }
    }

    /// Writes a line at the place that is reached, and stays there.
    pub fn write_line(&mut self, line: Line, left: f32, part: usize) {
        let size = line.iter().map(|run| run.style.size).fold(0.0, f32::max);
        let base = self.y + size;
        for run in line {
            self.put(left + run.x, base, Some(part), Shape::Text(run.text, run.style));
        }
    }
}

/// Height of a line.
pub(super) fn height(line: &Line) -> f32 {
    line.iter().map(|run| run.style.size).fold(0.0, f32::max) * LEADING
}
