//! Text in columns, and content inside them.

use super::Element;
use super::setter::{BOTTOM, END, LEFT, RIGHT, Setter, broken, broken_bold, filled};
use crate::writer::width;

/// A part of a column that no column's end cuts.
enum Part {
    /// Lines in their sizes, bold or not, each with its distance from the one above and from the left.
    Lines(Vec<Line>),
    /// Room between paragraphs.
    Gap(f32),
    /// A picture of this height with a caption below.
    Picture(f32, Vec<String>),
}

struct Line {
    text: String,
    size: f32,
    leading: f32,
    bold: bool,
    indent: f32,
}

/// Where the parts of a text are: the column and upper end of each, and a picture over some of the columns.
struct Places {
    at: Vec<(usize, f32)>,
    picture: Option<(std::ops::Range<usize>, f32, f32)>,
    lowest: f32,
}

impl Part {
    fn height(&self, caption: f32) -> f32 {
        match self {
            Self::Lines(lines) => lines.iter().map(|line| line.leading).sum(),
            Self::Gap(height) => *height,
            Self::Picture(height, lines) => height + caption * (lines.len() as f32 + 2.5),
        }
    }
}

impl Setter<'_> {
    /// Text in `columns` columns below the cursor, with `inside` among its paragraphs.
    pub fn text(&mut self, columns: usize, inside: Option<Element>) {
        let gutter = self.random.between(1.35 * self.size, 2.6 * self.size);
        let room = ((BOTTOM - self.y) / self.leading) as usize;
        let longer = if inside.is_some() { 12 } else { 5 };
        let most = (longer + self.random.below(26)).min(room.saturating_sub(1));
        if most < 4 {
            self.y = BOTTOM;
            return;
        }
        let top = self.y;
        self.columns((LEFT, RIGHT), top, columns, gutter, most, inside);
    }

    pub fn columns(
        &mut self,
        (left, right): (f32, f32),
        top: f32,
        columns: usize,
        gutter: f32,
        most: usize,
        inside: Option<Element>,
    ) {
        let measure = (right - left - gutter * (columns - 1) as f32) / columns as f32;
        let shorter = self.random.below(3.min(most / 2) + 1);
        let mut lines = (columns * most).saturating_sub(shorter + 2).max(2);
        let known = self.made.clone();
        loop {
            let parts = self.parts(lines as f32 * self.leading, measure, inside);
            let places = self.places(&parts, top, columns, inside);
            // Nobody could read what is below the end of the page.
            if places.lowest <= END || lines <= 2 {
                self.put(&parts, &places, left, measure, gutter);
                return;
            }
            self.made = known.clone();
            lines = lines * 4 / 5;
        }
    }

    /// Where parts are in columns below `top`.
    fn places(&mut self, parts: &[Part], top: f32, columns: usize, inside: Option<Element>) -> Places {
        let caption = self.leading * 0.8;
        let heights: Vec<f32> = parts.iter().map(|part| part.height(caption)).collect();
        let total: f32 = heights.iter().sum();
        // Pictures are over some of the columns.
        let picture = inside == Some(Element::BelowPicture);
        let over =
            if picture && columns > 1 { 1 + self.random.below(columns - 1) } else { usize::from(picture) };
        let from = self.random.below(columns - over + 1);
        let tall = if picture { self.leading * (4 + self.random.below(6)) as f32 } else { 0.0 };
        let starts: Vec<f32> =
            (0..columns)
                .map(|column| {
                    if (from..from + over).contains(&column) { top + tall + 0.6 * self.leading } else { top }
                })
                .collect();
        let bottom = top + (total + (tall + 0.6 * self.leading) * over as f32) / columns as f32;
        let unequal = inside == Some(Element::Unequal);
        let ends: Vec<f32> = (0..columns)
            .map(|_| if unequal { bottom - self.leading * self.random.below(4) as f32 } else { bottom })
            .collect();
        let (mut column, mut y, mut lowest) = (0, starts[0], top);
        let mut at = Vec::new();
        for (i, (part, height)) in parts.iter().zip(&heights).enumerate() {
            // A heading or a gap is never the last in a column.
            let next = heights.get(i + 1).copied().unwrap_or(0.0);
            let alone = matches!(part, Part::Gap(_)) || matches!(part, Part::Lines(lines) if lines[0].bold);
            let needed = height + if alone { next + self.leading } else { 0.0 };
            if column + 1 < columns && y > starts[column] && y + needed > ends[column] + 0.1 {
                column += 1;
                y = starts[column];
            }
            at.push((column, y));
            if !matches!(part, Part::Gap(_)) || y > starts[column] {
                y += height;
            }
            lowest = lowest.max(y);
        }
        let picture = picture.then_some((from..from + over, top, top + tall));
        Places { at, picture, lowest }
    }

    fn put(&mut self, parts: &[Part], places: &Places, left: f32, measure: f32, gutter: f32) {
        let caption = self.leading * 0.8;
        let step = measure + gutter;
        if let Some((columns, top, bottom)) = &places.picture {
            let (start, end) = (columns.start as f32, columns.end as f32);
            self.picture(left + step * start, *top, left + step * end - gutter, *bottom);
        }
        for (part, (column, top)) in parts.iter().zip(&places.at) {
            let (x, mut y) = (left + *column as f32 * step, *top);
            match part {
                Part::Gap(_) => {}
                Part::Lines(lines) => {
                    for line in lines {
                        y += line.leading;
                        self.draw(x + line.indent, y, line.size, line.bold, &line.text);
                    }
                }
                Part::Picture(height, lines) => {
                    self.picture(x, y + caption, x + measure, y + caption + height);
                    let size = self.size * 0.8;
                    self.below(x, y + caption + height + 0.3 * caption, size, caption, false, lines);
                }
            }
        }
        self.y = self.y.max(places.lowest + 0.5 * self.leading);
    }

    fn line(&self, text: String) -> Line {
        Line { text, size: self.size, leading: self.leading, bold: false, indent: 0.0 }
    }

    /// Paragraphs of about `height` points.
    fn parts(&mut self, height: f32, measure: f32, inside: Option<Element>) -> Vec<Part> {
        let indented = self.random.chance(2);
        let caption = self.leading * 0.8;
        let mut out: Vec<Part> = Vec::new();
        let mut sum = 0.0;
        let mut waits = 1 + self.random.below(2);
        if inside == Some(Element::Capital) {
            let part = self.capital(measure);
            sum += part.height(caption);
            out.push(part);
        }
        while sum < height {
            let fresh = out.len();
            if waits == 0 && inside.is_some_and(|inside| inside != Element::QuoteInside) {
                self.inside(&mut out, measure, inside);
                waits = 2 + self.random.below(3);
            } else if fresh > 0 && !indented {
                out.push(Part::Gap(self.leading));
            }
            let sentences: Vec<String> = (0..1 + self.random.below(3)).map(|_| self.sentence()).collect();
            self.made.sentences.extend(sentences.iter().cloned());
            let lines = broken(&sentences.join(" "), self.size, measure);
            let half = lines.len() / 2;
            for (at, text) in lines.into_iter().enumerate() {
                if at == half && at > 1 && waits == 0 && inside == Some(Element::QuoteInside) {
                    self.quote(&mut out, measure);
                    waits = 4;
                }
                let line = self.line(text);
                out.push(Part::Lines(vec![line]));
            }
            waits = waits.saturating_sub(1);
            sum += out[fresh..].iter().map(|part| part.height(caption)).sum::<f32>();
        }
        out
    }

    fn inside(&mut self, out: &mut Vec<Part>, measure: f32, inside: Option<Element>) {
        let (size, leading) = (self.size, self.leading);
        match inside {
            Some(Element::ColumnHeadings) => {
                let text = self.title();
                self.made.headings.push(text.clone());
                let size = size * self.random.between(1.0, 1.35);
                out.push(Part::Gap(leading));
                let lines = broken_bold(&text, size, measure);
                let line = |text| Line { text, size, leading: size * 1.25, bold: true, indent: 0.0 };
                out.push(Part::Lines(lines.into_iter().map(line).collect()));
                out.push(Part::Gap(0.3 * leading));
            }
            Some(Element::Quote) => self.quote(out, measure),
            Some(Element::Caption) => {
                let text = self.sentence();
                self.made.beside.push(text.clone());
                let tall = leading * (3 + self.random.below(4)) as f32;
                out.push(Part::Picture(tall, broken(&text, size * 0.8, measure)));
                out.push(Part::Gap(leading));
            }
            Some(Element::List) => {
                let numbered = self.random.chance(3);
                for at in 1..=2 + self.random.below(4) {
                    let count = 5 + self.random.below(10);
                    let text = self.sentence_of(count);
                    self.made.sentences.push(text.clone());
                    let mark = if numbered { format!("{at}.") } else { "•".to_owned() };
                    let indent = 1.6 * size;
                    let room = measure - indent;
                    let lines = broken(&text, size, room);
                    for (i, text) in lines.into_iter().enumerate() {
                        let mut line = vec![Line { indent, ..self.line(text) }];
                        if i == 0 {
                            line.insert(0, Line { leading: 0.0, ..self.line(mark.clone()) });
                            line.swap(0, 1);
                        }
                        out.push(Part::Lines(line));
                    }
                }
            }
            Some(Element::ColumnFigure) => {
                let number = format!("{} million", 10 + self.random.below(800));
                let label =
                    format!("{} {}", self.random.pick(&super::setter::NAMES), self.words(3).join(" "));
                out.push(Part::Gap(leading));
                let mut lines = vec![Line {
                    text: number.clone(),
                    size: 2.0 * size,
                    leading: 2.2 * size,
                    bold: true,
                    indent: 0.0,
                }];
                lines.extend(broken(&label, size, measure).into_iter().map(|text| self.line(text)));
                self.made.figures.push((number, label));
                out.push(Part::Lines(lines));
                out.push(Part::Gap(leading));
            }
            _ => {}
        }
    }

    /// Words of the text in larger letters between rules or without.
    fn quote(&mut self, out: &mut Vec<Part>, measure: f32) {
        let count = 7 + self.random.below(5);
        let text = self.sentence_of(count);
        self.made.beside.push(text.clone());
        let size = self.size * self.random.between(1.4, 1.8);
        let bold = self.random.chance(2);
        let lines = if bold { broken_bold(&text, size, measure) } else { broken(&text, size, measure) };
        out.push(Part::Gap(self.leading));
        out.push(Part::Lines(
            lines
                .into_iter()
                .map(|text| Line { text, size, leading: size * 1.2, bold, indent: 0.0 })
                .collect(),
        ));
        out.push(Part::Gap(self.leading));
    }

    /// A paragraph that begins with a capital two lines high.
    fn capital(&mut self, measure: f32) -> Part {
        let text = [self.sentence(), self.sentence(), self.sentence()];
        self.made.sentences.extend(text.iter().cloned());
        let text = text.join(" ");
        let (size, leading) = (self.size, self.leading);
        let large = size + leading * 1.35;
        let indent = width(&text[..1], large) + 3.0;
        let mut words = text[1..].split(' ').peekable();
        let mut lines = Vec::new();
        while words.peek().is_some() {
            let room = if lines.len() < 2 { measure - indent } else { measure };
            let line = filled(&mut words, size, room);
            let indent = if lines.len() < 2 { indent } else { 0.0 };
            lines.push(Line { indent, ..self.line(line) });
        }
        let letter = Line {
            text: text[..1].to_owned(),
            size: large,
            leading: 2.0 * leading,
            bold: false,
            indent: 0.0,
        };
        lines[0].leading = -leading;
        lines.insert(0, letter);
        Part::Lines(lines)
    }
}
