//! Tables.

use super::setter::{END, LEFT, NAMES, RIGHT, Setter, WORDS, broken};
use crate::writer::width;

impl Setter<'_> {
    /// Numbers in columns below their names, with or without rules. Names may take several lines (`tall`) or be
    /// over two columns (`spanning`).
    pub fn numbers(&mut self, tall: bool, spanning: bool) {
        let columns = if spanning { 4 } else { 2 + self.random.below(4) };
        let ruled = self.random.chance(2);
        let leading = self.leading * self.random.between(1.0, 1.5);
        self.y += 6.0;
        if spanning {
            let names = ["Scope 1", "Scope 2"];
            self.y += leading;
            for (pair, name) in names.iter().enumerate() {
                let step = (RIGHT - LEFT - 190.0) / 4.0;
                let right = LEFT + 190.0 + step * (2 * pair + 2) as f32;
                let middle = right - 0.5 * (step + width("2020", self.size));
                let (x, y, size) = (middle - 0.5 * width(name, self.size), self.y, self.size);
                self.draw(x, y, size, true, name);
                if ruled {
                    self.rule((right - step - 24.0, y + 0.3 * leading), (right, y + 0.3 * leading));
                }
            }
            self.made.names.extend(names.map(str::to_owned));
            self.made.name_rows += 1;
        }
        let mut header = vec![if spanning { String::new() } else { "Indicator".to_owned() }];
        header.extend((0..columns).map(|c| (2020 + if spanning { c % 2 } else { c }).to_string()));
        if tall {
            self.y += self.leading;
            let above: Vec<&str> = (0..columns).map(|_| "Target").collect();
            let y = self.y;
            self.cells(columns, &above, y, true);
            self.made.names.extend(above.iter().map(|name| (*name).to_owned()));
            self.made.name_rows += 1;
            self.y += self.leading - leading;
        }
        self.y += leading;
        let y = self.y;
        let (size, first) = (self.size, header[0].clone());
        self.draw(LEFT, y, size, true, &first);
        let years: Vec<&str> = header[1..].iter().map(String::as_str).collect();
        self.cells(columns, &years, y, true);
        self.line_below(ruled, leading);
        self.made.names.extend(header.iter().filter(|name| !name.is_empty()).cloned());
        self.made.name_rows += 1;
        let count = 3 + self.random.below(7);
        self.rows(count, columns, leading, ruled, 0);
        self.y += 10.0;
    }

    /// Rows of a name and numbers.
    pub fn rows(&mut self, count: usize, columns: usize, leading: f32, ruled: bool, from: usize) {
        for first in NAMES.iter().skip(from).take(count) {
            if self.y + leading > END {
                break;
            }
            let name =
                format!("{first} {} {}", self.random.pick(&WORDS), self.random.pick(&NAMES).to_lowercase());
            let values: Vec<String> = (0..columns)
                .map(|_| format!("{}.{}", 1 + self.random.below(900), self.random.below(10)))
                .collect();
            self.y += leading;
            let (y, size) = (self.y, self.size);
            self.draw(LEFT, y, size, false, &name);
            self.cells(columns, &values.iter().map(String::as_str).collect::<Vec<_>>(), y, false);
            self.line_below(ruled, leading);
            self.made.rows.push([name].into_iter().chain(values).collect());
        }
    }

    pub fn cells(&mut self, columns: usize, values: &[&str], y: f32, bold: bool) {
        let step = (RIGHT - LEFT - 190.0) / columns as f32;
        let size = self.size;
        for (c, value) in values.iter().enumerate() {
            let x = LEFT + 190.0 + step * (c + 1) as f32 - width(value, size);
            self.draw(x, y, size, bold, value);
        }
    }

    pub fn line_below(&mut self, ruled: bool, leading: f32) {
        if ruled {
            let y = self.y + 0.35 * leading;
            self.rule((LEFT, y), (RIGHT, y));
        }
    }

    /// A table whose cells are sentences, between rules or with room between its rows.
    pub fn prose_table(&mut self) {
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
            // Nobody could read what is below the end of the page.
            if top + leading * height as f32 > END {
                break;
            }
            for (lines, x) in lines.iter().zip(edges) {
                self.below(x, top, size, leading, r == 0, lines);
            }
            self.y = top + leading * height as f32 + 0.9 * leading;
            if ruled {
                let y = self.y - 0.4 * leading;
                self.rule((LEFT, y), (RIGHT, y));
            }
            self.made.rows.push(cells);
        }
    }
}
