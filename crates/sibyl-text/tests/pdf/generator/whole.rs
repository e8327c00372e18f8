//! Documents of several pages.

use super::Element;
use super::setter::{BOTTOM, LEFT, RIGHT, Setter};
use crate::writer::width;

const TABS: [&str; 5] = ["Overview", "Environment", "Social matters", "Index", "Appendix"];

impl Setter<'_> {
    /// Pages with a bar of names at the top, each with a different one marked.
    pub fn tabs(&mut self) {
        let step = (RIGHT - LEFT) / TABS.len() as f32;
        let marked = self.random.below(3);
        for page in 0..3 + self.random.below(3) {
            for (at, name) in TABS.iter().enumerate() {
                self.draw(
                    LEFT + step * at as f32,
                    30.0,
                    7.5,
                    at == marked && page == 0 || at == (page + marked) % 5,
                    name,
                );
            }
            self.page(None);
        }
        self.made.furniture = TABS.map(str::to_owned).to_vec();
    }

    /// Pages with a printed number at the foot that differs from that of the sheet.
    pub fn labelled(&mut self) {
        let roman = self.random.chance(2);
        let names = ["iii", "iv", "v", "vi"];
        let start = if roman { 3 } else { 11 + self.random.below(80) };
        let style = if roman { "r" } else { "D" };
        self.catalog(&format!("/PageLabels << /Nums [0 << /S /{style} /St {start} >>] >>"));
        let outside = self.random.chance(2);
        for (page, roman_name) in names.iter().enumerate() {
            let label = if roman { (*roman_name).to_owned() } else { (start + page).to_string() };
            let x = if outside && page % 2 == 1 { RIGHT - 10.0 } else { LEFT };
            self.draw(x, 793.0, 7.5, false, &label);
            self.made.labels.push(label);
            self.page(None);
        }
    }

    /// A page of contents and the pages that it names.
    pub fn contents(&mut self) {
        let leaders = self.random.chance(2);
        let count = 5 + self.random.below(5);
        let titles: Vec<String> = (0..count).map(|_| self.title()).collect();
        self.y = 80.0;
        self.draw(LEFT, 80.0, 20.0, true, "Contents");
        let size = self.size + 1.0;
        for (at, title) in titles.iter().enumerate() {
            self.y += 22.0;
            let (y, number) = (self.y, (at + 2).to_string());
            self.draw(LEFT, y, size, false, title);
            let end = RIGHT - 150.0;
            let from = LEFT + width(title, size) + 6.0;
            if leaders {
                let dots = ".".repeat(((end - 6.0 - from) / width(".", size)) as usize);
                self.draw(from, y, size, false, &dots);
            }
            self.draw(end, y, size, false, &number);
        }
        self.made.contents = titles;
        self.turn();
        for _ in 0..2 {
            self.page(None);
        }
    }

    /// Two pages side by side, each with its number.
    pub fn spread(&mut self) {
        let number = 10 + 2 * self.random.below(40);
        for side in 0..2 {
            self.shift = 600.0 * side as f32;
            self.y = 50.0;
            self.filled(None);
            let x = if side == 0 { LEFT } else { RIGHT - 8.0 };
            self.draw(x, 793.0, 7.5, false, &(number + side).to_string());
        }
        self.page = std::mem::take(&mut self.page).wide();
        self.shift = 0.0;
        self.turn();
    }

    /// A table whose rows continue over the end of a page, its header said again or not.
    pub fn continued(&mut self) {
        let again = self.random.chance(2);
        let ruled = self.random.chance(2);
        let columns = 2 + self.random.below(3);
        let leading = self.leading * 1.4;
        self.heading(18.0);
        let columns_of_text = 1 + self.random.below(3);
        self.text(columns_of_text, None);
        self.heading(13.0);
        // The table ends the page.
        let count = 4 + self.random.below(3);
        self.y = self.y.max(BOTTOM + 20.0 - leading * (count as f32 + 1.0));
        for part in 0..2 {
            if part == 0 || again {
                self.y += leading;
                let (y, size) = (self.y, self.size);
                self.draw(LEFT, y, size, true, "Indicator");
                let years: Vec<String> = (0..columns).map(|c| (2020 + c).to_string()).collect();
                self.cells(columns, &years.iter().map(String::as_str).collect::<Vec<_>>(), y, true);
                self.line_below(ruled, leading);
            }
            self.rows(count, columns, leading, ruled, 6 * part);
            if part == 0 {
                self.turn();
            }
        }
        self.made.names = vec!["Indicator".to_owned(), "2020".to_owned()];
        self.made.name_rows = 1;
        self.y += 24.0;
        self.heading(13.0);
        self.band(Element::TwoColumns);
        self.turn();
    }
}
