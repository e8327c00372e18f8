//! Random designed pages with known truth: what stands on them, in which order, and what is a table.

use crate::writer::{Page, width};

/// A page and what a person reads on it.
pub struct Made {
    pub page: Page,
    /// The sentences of running text in reading order.
    pub sentences: Vec<String>,
    /// The rows of tables.
    pub rows: Vec<Vec<String>>,
    /// Big numbers with the label that belongs to each.
    pub figures: Vec<(String, String)>,
}

/// Numbers that look random and come from a seed (D. Lehmer, *Mathematical methods in large-scale computing units*, 1951).
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Self {
        let mut random = Self(seed.wrapping_mul(2_654_435_761) % 2_147_483_646 + 1);
        (0..4).for_each(|_| _ = random.below(2));
        random
    }
    /// A number from 0 to before `end`.
    pub fn below(&mut self, end: usize) -> usize {
        self.0 = self.0 * 48_271 % 2_147_483_647;
        (self.0 >> 7) as usize % end
    }
    fn chance(&mut self, of: usize) -> bool {
        self.below(of) == 0
    }
    fn pick<'a>(&mut self, from: &[&'a str]) -> &'a str {
        from[self.below(from.len())]
    }
    fn between(&mut self, low: f32, high: f32) -> f32 {
        low + (high - low) * self.below(101) as f32 / 100.0
    }
}

const WORDS: [&str; 72] = [
    "climate",
    "risks",
    "the",
    "of",
    "and",
    "our",
    "board",
    "oversees",
    "targets",
    "for",
    "emissions",
    "in",
    "supply",
    "chain",
    "energy",
    "from",
    "renewable",
    "sources",
    "by",
    "suppliers",
    "customers",
    "with",
    "transition",
    "plan",
    "capital",
    "expenditure",
    "scenario",
    "analysis",
    "a",
    "warmer",
    "world",
    "to",
    "assets",
    "at",
    "physical",
    "risk",
    "floods",
    "heat",
    "water",
    "stress",
    "sites",
    "were",
    "assessed",
    "against",
    "two",
    "pathways",
    "management",
    "reports",
    "each",
    "quarter",
    "on",
    "progress",
    "its",
    "remuneration",
    "is",
    "linked",
    "reductions",
    "across",
    "operations",
    "people",
    "communities",
    "where",
    "we",
    "work",
    "investment",
    "decisions",
    "carbon",
    "price",
    "applied",
    "internally",
    "year",
    "biodiversity",
];
const NAMES: [&str; 12] = [
    "Governance",
    "Strategy",
    "Metrics",
    "Targets",
    "Energy",
    "Water",
    "Waste",
    "People",
    "Suppliers",
    "Resilience",
    "Finance",
    "Land",
];
const LEFT: f32 = 45.0;
const RIGHT: f32 = 555.0;
const BOTTOM: f32 = 755.0;
const END: f32 = 790.0;

struct Setter<'r> {
    random: &'r mut Random,
    made: Made,
    y: f32,
    /// Size of the running text and distance of its lines (points).
    size: f32,
    leading: f32,
    serial: usize,
    style: Style,
}

/// What stands on a page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Style {
    /// Text in columns, tables, key figures and sidebars.
    Plain,
    /// Drop capitals, headings in spaced capitals and footnotes as well.
    Designed,
}

/// The page of a seed.
pub fn page(seed: u64, style: Style) -> Made {
    let mut random = Random::new(seed);
    let size = [8.0, 8.5, 9.0, 9.5, 10.0][random.below(5)];
    let leading = size * random.between(1.18, 1.4);
    let made = Made { page: Page::default(), sentences: Vec::new(), rows: Vec::new(), figures: Vec::new() };
    let mut setter = Setter { random: &mut random, made, y: 50.0, size, leading, serial: 0, style };
    setter.heading(18.0);
    while setter.y < BOTTOM - 120.0 {
        let kind = setter.random.below(if style == Style::Designed { 10 } else { 9 });
        match kind {
            0 => setter.lead(),
            1 => setter.numbers(),
            2 => setter.prose_table(),
            3 => setter.figures(),
            4 => setter.sidebar(),
            5 => setter.text(1),
            6 => setter.text(2),
            7 => setter.text(3),
            8 => setter.text(4),
            _ => setter.capital(),
        }
        setter.y += setter.random.between(8.0, 30.0);
        // Without a heading nobody could tell two bands of columns from one with paragraphs side by side.
        if (kind >= 4 || setter.random.chance(3)) && setter.y < BOTTOM - 100.0 {
            setter.heading(13.0);
        }
    }
    // Notes over the last lines of the text nobody could read.
    if style == Style::Designed && setter.random.chance(2) && setter.y <= BOTTOM {
        setter.notes();
    }
    setter.made
}

impl Setter<'_> {
    fn draw(&mut self, x: f32, y: f32, size: f32, bold: bool, text: &str) {
        let page = std::mem::take(&mut self.made.page);
        self.made.page = if bold { page.bold(x, y, size, text) } else { page.text(x, y, size, text) };
    }

    fn rule(&mut self, from: (f32, f32), to: (f32, f32)) {
        self.made.page = std::mem::take(&mut self.made.page).rule(from, to);
    }

    fn words(&mut self, count: usize) -> Vec<String> {
        (0..count).map(|_| self.random.pick(&WORDS).to_owned()).collect()
    }

    /// A sentence that no other on the page is equal to.
    fn sentence(&mut self) -> String {
        let count = 9 + self.random.below(14);
        let mut words = self.words(count);
        self.serial += 1;
        words[count / 2] = format!("{}{}", self.random.pick(&NAMES).to_lowercase(), roman(self.serial));
        if self.random.chance(3) {
            words[2].push(',');
        }
        let text = words.join(" ");
        format!("{}{}.", text[..1].to_uppercase(), &text[1..])
    }

    fn heading(&mut self, size: f32) {
        let text = format!("{} and {}", self.random.pick(&NAMES), self.random.pick(&NAMES).to_lowercase());
        self.y += size;
        let (y, text) = (self.y, text);
        // Some designers set headings in spaced capitals.
        if self.style == Style::Designed && self.random.chance(4) {
            let up = 800.0 - y;
            let show =
                format!("BT /F2 {size} Tf 4 Tc 1 0 0 1 {LEFT} {up} Tm ({}) Tj 0 Tc ET", text.to_uppercase());
            self.made.page = std::mem::take(&mut self.made.page).raw(&show);
        } else {
            self.draw(LEFT, y, size, true, &text);
        }
        self.y += size * 0.4 + 6.0;
    }

    /// A paragraph in larger type across the page.
    fn lead(&mut self) {
        let size = self.size * 1.45;
        let text = [self.sentence(), self.sentence()];
        self.made.sentences.extend(text.iter().cloned());
        for line in broken(&text.join(" "), size, RIGHT - LEFT) {
            self.y += size * 1.25;
            let y = self.y;
            self.draw(LEFT, y, size, false, &line);
        }
        self.y += 8.0;
    }

    /// A paragraph across the page that begins with a capital two lines high.
    fn capital(&mut self) {
        let text = [self.sentence(), self.sentence(), self.sentence()];
        self.made.sentences.extend(text.iter().cloned());
        let text = text.join(" ");
        let (size, leading, top) = (self.size, self.leading, self.y);
        let large = size + leading * 1.35;
        self.draw(LEFT, top + 2.0 * leading, large, false, &text[..1]);
        let indent = width(&text[..1], large) + 3.0;
        let lines = broken(&text[1..], size, RIGHT - LEFT - indent);
        for (i, line) in lines.iter().enumerate() {
            self.draw(
                if i < 2 { LEFT + indent } else { LEFT },
                top + leading * (i + 1) as f32,
                size,
                false,
                line,
            );
        }
        self.y = top + leading * (lines.len().max(2) as f32 + 0.5);
    }

    /// Footnotes at the foot of the page, their marks small and raised.
    fn notes(&mut self) {
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

    /// Lines of running text in a measure; an empty line stands for the distance of paragraphs.
    fn lines(&mut self, wanted: usize, measure: f32, sentences: &mut Vec<String>) -> Vec<String> {
        let indented = self.random.chance(2);
        let mut out: Vec<String> = Vec::new();
        while out.len() < wanted {
            let paragraph: Vec<String> = (0..1 + self.random.below(3)).map(|_| self.sentence()).collect();
            sentences.extend(paragraph.iter().cloned());
            if !out.is_empty() && !indented {
                out.push(String::new());
            }
            out.extend(broken(&paragraph.join(" "), self.size, measure));
        }
        out
    }

    /// Text in columns of one baseline grid, the last of them perhaps shorter.
    fn text(&mut self, columns: usize) {
        let gutter = self.random.between(1.35 * self.size, 2.6 * self.size);
        let room = ((BOTTOM - self.y) / self.leading) as usize;
        let most = (5 + self.random.below(26)).min(room.saturating_sub(1));
        if most < 4 {
            self.y = BOTTOM;
            return;
        }
        let (left, top) = (LEFT, self.y);
        self.columns(left, RIGHT, top, columns, gutter, most);
    }

    fn columns(&mut self, left: f32, right: f32, top: f32, columns: usize, gutter: f32, most: usize) {
        let measure = (right - left - gutter * (columns - 1) as f32) / columns as f32;
        let mut sentences = Vec::new();
        let shorter = self.random.below(3.min(most / 2) + 1);
        let lines = self.lines(columns * most - shorter - 2, measure, &mut sentences);
        let height = lines.len().div_ceil(columns);
        for (i, line) in lines.iter().enumerate().filter(|(_, line)| !line.is_empty()) {
            let x = left + (i / height) as f32 * (measure + gutter);
            let y = top + self.leading * (i % height + 1) as f32;
            let size = self.size;
            self.draw(x, y, size, false, line);
        }
        self.made.sentences.extend(sentences);
        self.y = self.y.max(top + self.leading * (height as f32 + 0.5));
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
        self.columns(LEFT, edge - 20.0, top, columns, 16.0, most);
        let (size, leading) = (self.size, self.leading);
        (self.size, self.leading) = (size * 0.86, leading * 0.84);
        self.columns(edge, RIGHT, top, 1, 0.0, most);
        (self.size, self.leading) = (size, leading);
    }

    /// Numbers in columns below their names, with or without rules.
    fn numbers(&mut self) {
        let columns = 2 + self.random.below(4);
        let step = (RIGHT - LEFT - 190.0) / columns as f32;
        let mut rows: Vec<Vec<String>> = vec![
            ["Indicator".to_owned()]
                .into_iter()
                .chain((0..columns).map(|c| (2020 + c).to_string()))
                .collect(),
        ];
        for first in NAMES.iter().take(3 + self.random.below(7)) {
            let name =
                format!("{first} {} {}", self.random.pick(&WORDS), self.random.pick(&NAMES).to_lowercase());
            let values =
                (0..columns).map(|_| format!("{}.{}", 1 + self.random.below(900), self.random.below(10)));
            rows.push([name].into_iter().chain(values.collect::<Vec<_>>()).collect());
        }
        let ruled = self.random.chance(2);
        let (size, leading) = (self.size, self.leading * self.random.between(1.0, 1.5));
        self.y += 6.0;
        for (r, row) in rows.iter().enumerate() {
            self.y += leading;
            let y = self.y;
            self.draw(LEFT, y, size, r == 0, &row[0]);
            for (c, value) in row[1..].iter().enumerate() {
                let x = LEFT + 190.0 + step * (c + 1) as f32 - width(value, size);
                self.draw(x, y, size, r == 0, value);
            }
            if ruled {
                self.rule((LEFT, y + 0.35 * leading), (RIGHT, y + 0.35 * leading));
            }
        }
        self.y += 10.0;
        self.made.rows.extend(rows);
    }

    /// A table whose cells are sentences, between rules or with room between its rows.
    fn prose_table(&mut self) {
        let edges = [LEFT, LEFT + 120.0, LEFT + 330.0];
        let measures = [100.0, 190.0, 180.0];
        let ruled = self.random.chance(2);
        let (size, leading) = (self.size, self.leading);
        self.y += 8.0;
        for (r, name) in NAMES.iter().enumerate().take(4 + self.random.below(2)) {
            let cells: Vec<String> = if r == 0 {
                ["Topic", "What was done", "What follows"].map(str::to_owned).to_vec()
            } else {
                vec![(*name).to_owned(), self.sentence(), self.sentence()]
            };
            let top = self.y;
            let lines: Vec<Vec<String>> =
                cells.iter().zip(measures).map(|(cell, measure)| broken(cell, size, measure)).collect();
            let height = lines.iter().map(Vec::len).max().unwrap_or(0);
            // What stands below the page's end nobody could read.
            if top + leading * height as f32 > END {
                break;
            }
            for (lines, x) in lines.iter().zip(edges) {
                for (i, line) in lines.iter().enumerate() {
                    self.draw(x, top + leading * (i + 1) as f32, size, r == 0, line);
                }
            }
            self.y = top + leading * height as f32 + 0.9 * leading;
            if ruled {
                let y = self.y - 0.4 * leading;
                self.rule((LEFT, y), (RIGHT, y));
            }
            self.made.rows.push(cells);
        }
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
            for (l, line) in broken(&label, self.size, step - 30.0).iter().enumerate() {
                lowest = top + 6.0 + self.leading * (l + 1) as f32;
                let size = self.size;
                self.draw(x, lowest, size, false, line);
            }
            self.made.figures.push((number, label));
        }
        self.y = lowest + 10.0;
    }
}

/// A text broken into lines that fit into `measure` points.
fn broken(text: &str, size: f32, measure: f32) -> Vec<String> {
    let mut out: Vec<String> = vec![String::new()];
    for word in text.split(' ') {
        let line = out.last_mut().expect("never empty");
        if line.is_empty() {
            *line = word.to_owned();
        } else if width(&format!("{line} {word}"), size) <= measure {
            line.push(' ');
            line.push_str(word);
        } else {
            out.push(word.to_owned());
        }
    }
    out
}

fn roman(mut number: usize) -> String {
    let mut out = String::new();
    for (value, sign) in [(50, "l"), (40, "xl"), (10, "x"), (9, "ix"), (5, "v"), (4, "iv"), (1, "i")] {
        while number >= value {
            out.push_str(sign);
            number -= value;
        }
    }
    out
}
