//! Content across the page or in columns of its own.

use super::Element;
use super::setter::{BOTTOM, END, LEFT, NAMES, RIGHT, Setter, broken, filled};

impl Setter<'_> {
    pub fn band(&mut self, element: Element) {
        let columns = 2 + self.random.below(3);
        match element {
            Element::OneColumn | Element::Notes | Element::Scripts | Element::Spaced => self.text(1, None),
            Element::TwoColumns => self.text(2, None),
            Element::ThreeColumns => self.text(3, None),
            Element::FourColumns => self.text(4, None),
            Element::Unequal
            | Element::BelowPicture
            | Element::ColumnHeadings
            | Element::Quote
            | Element::QuoteInside
            | Element::Caption
            | Element::List
            | Element::Capital
            | Element::ColumnFigure => {
                let columns = 1 + self.random.below(if element == Element::Capital { 2 } else { 4 });
                self.text(columns, Some(element));
            }
            Element::Across => {
                self.text(columns, None);
                if self.y < BOTTOM - 100.0 {
                    let text = format!(
                        "{}, with all that belongs to both of them and to what follows from it",
                        self.title()
                    );
                    // Spaced capitals of this length would leave the page.
                    let spaced = std::mem::take(&mut self.spaced);
                    self.heading_of(12.0, text);
                    self.spaced = spaced;
                    self.y -= 4.0;
                    self.text(columns, None);
                }
            }
            Element::Lead => {
                self.lead();
                if self.y < BOTTOM - 100.0 {
                    self.text(columns, None);
                }
            }
            Element::Sidebar => self.sidebar(),
            Element::Boxed => self.boxed(),
            Element::Timeline => self.timeline(),
            Element::Wrapped => self.wrapped(),
            Element::Icons => self.icons(),
            Element::Turned => self.turned(),
            Element::KeyFigures => self.figures(),
            Element::Numbers => self.numbers(false, false),
            Element::TallHeader => self.numbers(true, false),
            Element::Spanning => self.numbers(false, true),
            Element::ProseTable => self.prose_table(),
            Element::Continued | Element::Tabs | Element::Labels | Element::Contents | Element::Spread => {}
        }
    }

    /// A paragraph in larger type across the page.
    fn lead(&mut self) {
        let size = self.size * 1.45;
        let text = [self.sentence(), self.sentence()];
        self.made.sentences.extend(text.iter().cloned());
        let lines = broken(&text.join(" "), size, RIGHT - LEFT);
        let top = self.y;
        self.y = self.below(LEFT, top, size, size * 1.25, false, &lines) + 8.0;
    }

    /// A narrow column beside the text, in smaller type on lines of its own.
    fn sidebar(&mut self) {
        let most = (8 + self.random.below(16)).min(((BOTTOM - self.y) / self.leading) as usize);
        if most < 6 {
            self.y = BOTTOM;
            return;
        }
        let top = self.y;
        let edge = RIGHT - 150.0;
        let columns = 1 + self.random.below(2);
        self.columns((LEFT, edge - 20.0), top, columns, 16.0, most, None);
        let (size, leading) = (self.size, self.leading);
        (self.size, self.leading) = (size * 0.86, leading * 0.84);
        self.columns((edge, RIGHT), top, 1, 0.0, most, None);
        (self.size, self.leading) = (size, leading);
    }

    /// Text in a box with a line around it or a shade behind it, across the page or beside text.
    fn boxed(&mut self) {
        let beside = self.random.chance(2);
        let (left, right) = if beside { (RIGHT - 190.0, RIGHT) } else { (LEFT, RIGHT) };
        let top = self.y + 6.0;
        let text = [self.sentence(), self.sentence(), self.sentence()];
        let lines = broken(&text.join(" "), self.size, right - left - 24.0);
        let bottom = top + self.leading * (lines.len() as f32 + 1.2) + 20.0;
        if bottom > BOTTOM {
            self.y = BOTTOM;
            return;
        }
        self.made.beside.extend(text);
        if self.random.chance(2) {
            for (from, to) in [
                ((left, top), (right, top)),
                ((left, bottom), (right, bottom)),
                ((left, top), (left, bottom)),
                ((right, top), (right, bottom)),
            ] {
                self.rule(from, to);
            }
        } else {
            let (x, y) = (left + self.shift, 800.0 - bottom);
            self.raw(&format!("q 0.9 0.95 0.9 rg {x} {y} {} {} re f Q", right - left, bottom - top));
        }
        let (size, leading) = (self.size, self.leading);
        let name = self.title();
        self.draw(left + 12.0, top + 8.0 + leading, size, true, &name);
        self.below(left + 12.0, top + 8.0 + 1.2 * leading, size, leading, false, &lines);
        if beside {
            let most = ((bottom - top) / leading) as usize;
            let columns = 1 + self.random.below(2);
            self.columns((LEFT, left - 18.0), top, columns, 16.0, most, None);
        }
        self.y = self.y.max(bottom + 8.0);
    }

    /// Years with their events: side by side above their texts, or below each other beside them.
    fn timeline(&mut self) {
        let count = 3 + self.random.below(3);
        let upright = self.random.chance(2);
        let (size, leading) = (self.size, self.leading);
        let top = self.y + 8.0;
        let step = (RIGHT - LEFT) / count as f32;
        if !upright {
            self.rule((LEFT, top), (RIGHT, top));
        }
        let mut y = top;
        let mut lowest = top;
        for at in 0..count {
            let year = format!("{}", 2004 + 4 * at);
            let words = 6 + self.random.below(6);
            let text = self.sentence_of(words);
            self.made.entries.push(text.clone());
            let (x, measure) =
                if upright { (LEFT + 70.0, 300.0) } else { (LEFT + step * at as f32, step - 16.0) };
            let lines = broken(&text, size, measure);
            if upright {
                self.draw(LEFT, y + leading, size * 1.2, true, &year);
                y = self.below(x, y, size, leading, false, &lines) + 0.9 * leading;
                lowest = y;
            } else {
                self.draw(x, top + 1.5 * leading, size * 1.2, true, &year);
                lowest = lowest.max(self.below(x, top + 1.8 * leading, size, leading, false, &lines));
            }
            if lowest > BOTTOM {
                break;
            }
        }
        self.y = lowest + 6.0;
    }

    /// A paragraph whose lines are shorter beside a picture and longer below it.
    fn wrapped(&mut self) {
        let columns = 1 + self.random.below(2);
        let gutter = 16.0;
        let measure = (RIGHT - LEFT - gutter * (columns - 1) as f32) / columns as f32;
        let (top, size, leading) = (self.y, self.size, self.leading);
        let rows = 4 + self.random.below(5);
        let side = measure * self.random.between(0.3, 0.45);
        let right = self.random.chance(2);
        let edge = LEFT + measure;
        let tall = leading * rows as f32 - 4.0;
        let (from, to) = if right { (edge - side, edge) } else { (LEFT, LEFT + side) };
        let sentences: Vec<String> = (0..8 + self.random.below(6)).map(|_| self.sentence()).collect();
        let text = sentences.join(" ");
        let mut words = text.split(' ').peekable();
        let mut lines = Vec::new();
        while words.peek().is_some() {
            let narrow = lines.len() < rows;
            let room = if narrow { measure - side - 10.0 } else { measure };
            let x = if narrow && !right { LEFT + side + 10.0 } else { LEFT };
            lines.push((x, filled(&mut words, size, room)));
        }
        let drawn = lines.len();
        // Nobody could read what is below the end of the page.
        if top + leading * drawn as f32 > END {
            self.y = BOTTOM;
            return;
        }
        self.picture(from, top + 2.0, to, top + tall);
        for (at, (x, line)) in lines.iter().enumerate() {
            self.draw(*x, top + leading * (at + 1) as f32, size, false, line);
        }
        self.made.sentences.extend(sentences);
        self.y = top + leading * (drawn as f32 + 0.5);
        if columns == 2 {
            self.columns((edge + gutter, RIGHT), top, 1, 0.0, drawn, None);
        }
    }

    /// Short texts side by side, each below a sign of an icon font.
    fn icons(&mut self) {
        let count = 3 + self.random.below(2);
        let step = (RIGHT - LEFT) / count as f32;
        let (top, size, leading) = (self.y + 24.0, self.size, self.leading);
        let mut lowest = top;
        self.made.icons = true;
        self.page = std::mem::take(&mut self.page).resources("/ExtGState << /G << /Font [5 0 R 20] >> >>");
        for at in 0..count {
            let x = LEFT + step * at as f32;
            self.raw(&format!("q BT /G gs 1 0 0 1 {} {} Tm <41> Tj ET Q", x + self.shift, 800.0 - top));
            let words = 8 + self.random.below(6);
            let text = self.sentence_of(words);
            self.made.entries.push(text.clone());
            let lines = broken(&text, size, step - 18.0);
            lowest = lowest.max(self.below(x, top + 4.0, size, leading, false, &lines));
        }
        self.y = lowest + 6.0;
    }

    /// A line that runs upwards beside the text, in the margin or between two columns.
    fn turned(&mut self) {
        let top = self.y;
        let words = 6 + self.random.below(3);
        // What a file stores for a letter beyond Latin-1 is no letter of its font.
        let scripts = std::mem::take(&mut self.scripts);
        let text = self.sentence_of(words);
        self.scripts = scripts;
        self.made.beside.push(text.clone());
        let columns = 1 + self.random.below(3);
        self.text(columns, None);
        let x = if self.random.chance(2) { 24.0 } else { 588.0 } + self.shift;
        // What begins below the page's end nobody could read.
        let y = (800.0 - (top + 250.0)).max(10.0);
        self.raw(&format!("BT /F1 8 Tf 0 1 -1 0 {x} {y} Tm ({text}) Tj ET"));
    }

    /// Big numbers in a row, each over its label.
    fn figures(&mut self) {
        let count = 2 + self.random.below(3);
        let step = (RIGHT - LEFT) / count as f32;
        let top = self.y + 30.0;
        let mut lowest = top;
        for i in 0..count {
            let number = format!("${}.{} billion", 1 + self.random.below(90), self.random.below(10));
            let last = self.random.pick(&NAMES).to_lowercase();
            let label = format!("{} {} {last}", self.random.pick(&NAMES), self.words(4).join(" "));
            let x = LEFT + step * i as f32;
            self.draw(x, top, 20.0, true, &number);
            let (size, leading) = (self.size, self.leading);
            let lines = broken(&label, size, step - 30.0);
            lowest = lowest.max(self.below(x, top + 6.0, size, leading, false, &lines));
            self.made.figures.push((number, label));
        }
        self.y = lowest + 10.0;
    }

    /// Footnotes at the foot of the page, their marks small and raised.
    pub fn notes(&mut self) {
        let mut y = BOTTOM + 5.0;
        for mark in ["1", "2"] {
            let text = self.sentence();
            self.made.sentences.push(text.clone());
            self.draw(LEFT, y + 4.0, 5.5, false, mark);
            for (i, line) in broken(&text, 6.5, RIGHT - LEFT - 6.0).iter().enumerate() {
                y += 7.5;
                self.draw(if i == 0 { LEFT + 5.0 } else { LEFT }, y, 6.5, false, line);
            }
        }
    }
}
