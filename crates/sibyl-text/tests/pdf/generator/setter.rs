//! The hand that sets pages: words, sentences, lines.

use super::{Element, Made, Random};
use crate::writer::{File, Page, bold_width, width};
use std::collections::HashSet;
use std::iter::Peekable;

pub const WORDS: [&str; 72] = [
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
pub const NAMES: [&str; 12] = [
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
pub const LEFT: f32 = 45.0;
pub const RIGHT: f32 = 555.0;
pub const BOTTOM: f32 = 755.0;
pub const END: f32 = 790.0;
/// Ratio of small signs to the letters beside them.
const SMALL: f32 = 0.6;

pub struct Setter<'r> {
    pub random: &'r mut Random,
    pub made: Made,
    file: File,
    pub page: Page,
    /// Where the next thing goes (points from the top), and how far everything is shifted to the right.
    pub y: f32,
    pub shift: f32,
    /// Size of the running text and distance of its lines (points).
    pub size: f32,
    pub leading: f32,
    serial: usize,
    titles: HashSet<String>,
    /// Whether any element may be on a page, or only columns of text beside the requested one.
    mixed: bool,
    /// Whether sentences have small signs and marks of notes.
    pub scripts: bool,
    pub spaced: bool,
}

impl<'r> Setter<'r> {
    pub fn new(random: &'r mut Random, mixed: bool) -> Self {
        let size = [8.0, 8.5, 9.0, 9.5, 10.0][random.below(5)];
        let leading = size * random.between(1.18, 1.4);
        Self {
            random,
            made: Made::default(),
            file: File::default(),
            page: Page::default(),
            y: 50.0,
            shift: 0.0,
            size,
            leading,
            serial: 0,
            titles: HashSet::new(),
            mixed,
            scripts: false,
            spaced: false,
        }
    }

    pub fn finished(mut self) -> Made {
        if self.made.icons {
            // Letters of this font are signs of the private use area.
            let map = "begincmap\n1 begincodespacerange\n<00> <FF>\nendcodespacerange\n1 beginbfrange\n\
                       <41> <5A> <E001>\nendbfrange\nendcmap";
            self.file = self
                .file
                .object("<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /ToUnicode 6 0 R >>")
                .object(&format!("<< /Length {} >>\nstream\n{map}\nendstream", map.len()));
        }
        self.made.bytes = self.file.bytes();
        self.made
    }

    /// Ends the page and begins the next.
    pub fn turn(&mut self) {
        let page = std::mem::take(&mut self.page);
        self.file = std::mem::take(&mut self.file).page(page);
        self.y = 50.0;
    }

    pub fn catalog(&mut self, entries: &str) {
        self.file = std::mem::take(&mut self.file).catalog(entries);
    }

    /// A page that begins with a heading and shows `wanted` between other things.
    pub fn page(&mut self, wanted: Option<Element>) {
        self.filled(wanted);
        self.turn();
    }

    /// Sets the page, and leaves it open.
    pub fn filled(&mut self, wanted: Option<Element>) {
        self.scripts = wanted == Some(Element::Scripts) || self.mixed && self.random.chance(6);
        self.spaced = wanted == Some(Element::Spaced) || self.mixed && self.random.chance(6);
        self.heading(18.0);
        let mut wanted = wanted;
        // The requested element comes first or after one other band.
        let mut until = self.random.below(2);
        let mut notes = wanted == Some(Element::Notes) || self.mixed && self.random.chance(5);
        while self.y < BOTTOM - 120.0 {
            let element = match wanted {
                Some(element) if until == 0 => {
                    wanted = None;
                    element
                }
                Some(element) if self.y > 330.0 => {
                    wanted = None;
                    element
                }
                _ => self.any(),
            };
            until = until.saturating_sub(1);
            self.band(element);
            notes |= element == Element::Notes;
            self.y += self.random.between(8.0, 30.0);
            // Without a heading, two bands of columns could not be told from one with paragraphs side by side.
            let columns = !matches!(
                element,
                Element::Lead
                    | Element::Numbers
                    | Element::ProseTable
                    | Element::TallHeader
                    | Element::Spanning
                    | Element::KeyFigures
            );
            // A heading needs text below it.
            let room = self.y < BOTTOM - 150.0;
            if (columns || self.random.chance(3)) && room {
                self.heading(13.0);
            }
            if columns && !room {
                break;
            }
        }
        // Notes over the last lines of the text nobody could read.
        if notes && self.y <= BOTTOM {
            self.notes();
        }
    }

    fn any(&mut self) -> Element {
        let text = [Element::OneColumn, Element::TwoColumns, Element::ThreeColumns, Element::FourColumns];
        let whole = |element: &Element| {
            matches!(
                element,
                Element::Tabs | Element::Labels | Element::Contents | Element::Spread | Element::Continued
            )
        };
        if self.mixed && self.random.chance(2) {
            let all: Vec<Element> = Element::ALL.iter().copied().filter(|element| !whole(element)).collect();
            all[self.random.below(all.len())]
        } else {
            text[self.random.below(4)]
        }
    }

    /// Draws a line; small signs such as `₂` and `¹` are digits in smaller type, lower or higher.
    pub fn draw(&mut self, x: f32, y: f32, size: f32, bold: bool, text: &str) {
        let mut x = x + self.shift;
        let mut rest = text;
        while !rest.is_empty() {
            let end = rest.find(small).unwrap_or(rest.len());
            let (plain, other) = rest.split_at(end);
            if !plain.is_empty() {
                self.show(x, y, size, bold, plain);
                x += if bold { bold_width(plain, size) } else { width(plain, size) };
            }
            let mut signs = other.chars();
            if let Some((digit, rise)) = signs.next().and_then(sign) {
                self.show(x, y - rise * size, size * SMALL, bold, digit);
                x += width(digit, size * SMALL);
            }
            rest = signs.as_str();
        }
    }

    fn show(&mut self, x: f32, y: f32, size: f32, bold: bool, text: &str) {
        let page = std::mem::take(&mut self.page);
        self.page = if bold { page.bold(x, y, size, text) } else { page.text(x, y, size, text) };
    }

    pub fn raw(&mut self, ops: &str) {
        self.page = std::mem::take(&mut self.page).raw(ops);
    }

    pub fn rule(&mut self, from: (f32, f32), to: (f32, f32)) {
        let shift = self.shift;
        self.page = std::mem::take(&mut self.page).rule((from.0 + shift, from.1), (to.0 + shift, to.1));
    }

    /// A picture: a grey rectangle, which may have a line around it.
    pub fn picture(&mut self, left: f32, top: f32, right: f32, bottom: f32) {
        let (x, y) = (left + self.shift, 800.0 - bottom);
        self.raw(&format!("q 0.8 g {x} {y} {} {} re f Q", right - left, bottom - top));
    }

    pub fn words(&mut self, count: usize) -> Vec<String> {
        (0..count).map(|_| self.random.pick(&WORDS).to_owned()).collect()
    }

    /// A sentence that no other in the document is equal to.
    pub fn sentence(&mut self) -> String {
        let count = 9 + self.random.below(14);
        self.sentence_of(count)
    }

    pub fn sentence_of(&mut self, count: usize) -> String {
        let mut words = self.words(count);
        self.serial += 1;
        words[count / 2] = format!("{}{}", self.random.pick(&NAMES).to_lowercase(), roman(self.serial));
        if self.random.chance(3) {
            words[2].push(',');
        }
        if self.scripts && self.random.chance(2) {
            words[count - 3] = ["CO₂e", "m³", "CO₂", "data¹", "CH₄"][self.random.below(5)].to_owned();
        }
        let text = words.join(" ");
        format!("{}{}.", text[..1].to_uppercase(), &text[1..])
    }

    /// A title that no other in the document is equal to.
    pub fn title(&mut self) -> String {
        loop {
            let title =
                format!("{} and {}", self.random.pick(&NAMES), self.random.pick(&NAMES).to_lowercase());
            if self.titles.insert(title.clone()) {
                return title;
            }
        }
    }

    pub fn heading(&mut self, size: f32) {
        let text = self.title();
        self.heading_of(size, text);
    }

    pub fn heading_of(&mut self, size: f32, text: String) {
        self.made.headings.push(text.clone());
        self.y += size;
        let y = self.y;
        // Some designers set headings in spaced capitals.
        if self.spaced {
            let (x, up, text) = (LEFT + self.shift, 800.0 - y, text.to_uppercase());
            self.raw(&format!("BT /F2 {size} Tf 4 Tc 1 0 0 1 {x} {up} Tm ({text}) Tj 0 Tc ET"));
        } else {
            self.draw(LEFT, y, size, true, &text);
        }
        self.y += size * 0.4 + 6.0;
    }

    /// Draws `lines` below `top`; returns where the last of them is.
    pub fn below(&mut self, x: f32, top: f32, size: f32, leading: f32, bold: bool, lines: &[String]) -> f32 {
        let mut y = top;
        for line in lines {
            y += leading;
            self.draw(x, y, size, bold, line);
        }
        y
    }
}

fn small(c: char) -> bool {
    sign(c).is_some()
}

/// The digit of a small sign, and its height above the line (in letter sizes).
fn sign(c: char) -> Option<(&'static str, f32)> {
    match c {
        '₂' => Some(("2", -0.12)),
        '₄' => Some(("4", -0.12)),
        '¹' => Some(("1", 0.38)),
        '²' => Some(("2", 0.38)),
        '³' => Some(("3", 0.38)),
        _ => None,
    }
}

/// Width of a line with its small signs (points).
pub fn long(text: &str, size: f32) -> f32 {
    let plain: String = text.chars().filter(|c| !small(*c)).collect();
    width(&plain, size) + text.chars().filter(|c| small(*c)).count() as f32 * width("0", size * SMALL)
}

/// The words that fit in a line of `room` points; at least one.
pub fn filled<'a>(words: &mut Peekable<impl Iterator<Item = &'a str>>, size: f32, room: f32) -> String {
    let mut line = words.next().unwrap_or_default().to_owned();
    while let Some(word) = words.peek() {
        let longer = format!("{line} {word}");
        if long(&longer, size) > room {
            break;
        }
        line = longer;
        words.next();
    }
    line
}

/// A bold text broken into lines that fit into `measure` points; its letters are wider by up to a tenth.
pub fn broken_bold(text: &str, size: f32, measure: f32) -> Vec<String> {
    broken(text, 1.1 * size, measure)
}

/// A text broken into lines that fit into `measure` points.
pub fn broken(text: &str, size: f32, measure: f32) -> Vec<String> {
    let mut out: Vec<String> = vec![String::new()];
    for word in text.split(' ') {
        let line = out.last_mut().expect("never empty");
        if line.is_empty() {
            *line = word.to_owned();
        } else if long(&format!("{line} {word}"), size) <= measure {
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
