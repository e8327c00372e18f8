//! Which rows of a table name its columns: the one decision for tables of all formats.
//!
//! It goes by evidence, row by row from the top: what the cells of a row are, how far they reach, and what the file
//! marks as names. It also asks what stands below them, and what earlier rows name already.

use super::laid::{Laid, Layout};
use crate::language::cell::Kind;

/// Rows of a table that tell which of them name its columns.
pub(super) const DECIDING: usize = 500;
/// Most rows that name columns.
const MAX_NAMES: usize = 12;
/// Most letters of a name of a column in a table of text that marks no names.
const LONGEST_NAME: usize = 80;
/// The rows above the body of a table.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Heading {
    /// Rows that say what the whole table is about.
    pub(super) titles: Vec<usize>,
    /// Rows that name columns.
    pub(super) names: Vec<usize>,
    /// The first row of the body.
    pub(super) body: usize,
}

/// What a row at the top is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Verdict {
    Name,
    /// A label alone: it belongs to the names where a row of names follows.
    Pending,
    /// References that belong to the columns and name none.
    Codes,
    Body,
}

/// Figures and other cells below, by column.
#[derive(Debug, Clone, Copy, Default)]
struct Below {
    figures: usize,
    years: usize,
    others: usize,
}

struct Decision<'l> {
    layout: &'l Layout,
    below: Vec<Below>,
    /// Columns that hold values somewhere.
    valued: Vec<bool>,
    /// Columns that a row so far names.
    named: Vec<bool>,
    names: Vec<usize>,
    declared: usize,
}

impl Heading {
    /// Decides for `layout`, of which the file marks the first `declared` rows as names.
    pub(super) fn of(layout: &Layout, declared: usize) -> Self {
        let height = layout.rows.len().min(DECIDING);
        let rows: Vec<usize> = (0..height).filter(|row| !layout.is_blank(*row)).collect();
        let last = rows.last().copied().unwrap_or(0);
        // What marks all rows tells none apart.
        let declared = if declared > last { 0 } else { declared };
        let mut decision = Decision::new(layout, declared);
        let (mut heading, mut pending, mut codes) = (Self::default(), Vec::new(), Vec::new());
        for &row in rows.iter().take(MAX_NAMES.max(declared)) {
            decision.pass(row);
            if decision.names.is_empty() && pending.is_empty() && row < last && decision.is_title(row) {
                heading.titles.push(row);
                continue;
            }
            match decision.verdict(row) {
                _ if row == last => break,
                Verdict::Name => {
                    let waiting = std::mem::take(&mut pending);
                    waiting.into_iter().for_each(|row| decision.name(row));
                    decision.name(row);
                }
                Verdict::Pending => pending.push(row),
                Verdict::Codes => codes.push(row),
                Verdict::Body => break,
            }
        }
        heading.names = decision.names;
        if !heading.names.is_empty() {
            heading.titles.extend(codes);
            heading.titles.sort_unstable();
        }
        let above = heading.titles.iter().chain(&heading.names).max();
        heading.body = above.map_or(0, |row| row + 1);
        heading
    }
}

impl<'l> Decision<'l> {
    fn new(layout: &'l Layout, declared: usize) -> Self {
        let mut below = vec![Below::default(); layout.width];
        let mut valued = vec![false; layout.width];
        for row in 0..layout.rows.len().min(DECIDING) {
            for (column, cell) in layout.own(row) {
                below[column].add(cell.kind, 1);
                valued[column] |= cell.kind == Kind::Value && column > 0;
            }
        }
        Self { layout, below, valued, named: vec![false; layout.width], names: Vec::new(), declared }
    }

    /// Rows that are looked at.
    fn height(&self) -> usize {
        self.layout.rows.len().min(DECIDING)
    }

    /// Leaves `row` out of what stands below.
    fn pass(&mut self, row: usize) {
        let layout = self.layout;
        for (column, cell) in layout.own(row) {
            self.below[column].take(cell.kind);
        }
    }

    fn name(&mut self, row: usize) {
        self.names.push(row);
        for column in 0..self.layout.width {
            self.named[column] |= self.layout.at(row, column).is_some();
        }
    }

    /// Whether the only cell of a row reaches over the whole table and says what it is about.
    fn is_title(&self, row: usize) -> bool {
        let mut own = self.layout.own(row);
        let (Some((column, cell)), None) = (own.next(), own.next()) else { return false };
        let filled = |column: &usize| (0..self.height()).any(|row| self.layout.at(row, *column).is_some());
        let from = (0..self.layout.width).find(filled).unwrap_or(0);
        let to = (0..self.layout.width).rfind(filled).unwrap_or(0);
        cell.kind == Kind::Text && cell.columns > 1 && column <= from && column + cell.columns > to
    }

    fn covered(&self) -> bool {
        let named = |column: usize| self.named.get(column).copied().unwrap_or(false);
        let own_sign = |column: usize| named(column) && !self.valued.get(column).copied().unwrap_or(false);
        let by_neighbour =
            |column: usize| own_sign(column + 1) || column.checked_sub(1).is_some_and(own_sign);
        let valued = self.valued.iter().enumerate().filter(|(_, valued)| **valued);
        !self.names.is_empty()
            && valued.map(|(column, _)| column).all(|column| named(column) || by_neighbour(column))
    }

    fn verdict(&self, row: usize) -> Verdict {
        let data: Vec<(usize, &Laid)> = self.layout.data(row).collect();
        let label = self.layout.own(row).next().filter(|(column, _)| *column == 0).map(|(_, cell)| cell);
        if row < self.declared {
            return Verdict::Name;
        }
        if data.is_empty() {
            return self.label_alone(label);
        }
        let count = |kinds: &[Kind]| data.iter().filter(|(_, cell)| kinds.contains(&cell.kind)).count();
        if self.names.is_empty() && self.heads_ticks(row, &data, label) {
            return Verdict::Name;
        }
        // What answers a question above a table belongs to none of its columns.
        if self.names.is_empty() && data.iter().all(|(_, cell)| is_answer(cell)) {
            return if label.is_none() { Verdict::Codes } else { Verdict::Body };
        }
        let words = count(&[Kind::Text, Kind::Year, Kind::Period, Kind::Unit]);
        if words == 0 && self.are_codes(row, &data, label) {
            return Verdict::Codes;
        }
        if count(&[Kind::Value]) > 0 {
            let counted =
                is_enumeration(&data) && (self.contrasts(&data) || self.covered()) && label.is_none();
            return if counted { Verdict::Name } else { Verdict::Body };
        }
        let nothing = count(&[Kind::Nothing]);
        if nothing > 0 && (label.is_some() || nothing >= words) {
            return Verdict::Body;
        }
        let free = label.is_none_or(speaks_of_names);
        if self.covered() {
            return self.below_names(row, &data, free && count(&[Kind::Range]) == 0);
        }
        if count(&[Kind::Year]) == data.len() && self.is_yearly(&data) {
            return if label.is_none() { Verdict::Name } else { Verdict::Body };
        }
        let named = if self.names.is_empty() {
            let periods = data.iter().all(|(_, cell)| matches!(cell.kind, Kind::Year | Kind::Period));
            (periods && label.is_none())
                || self.contrasts(&data) && !self.is_mixed(row)
                || self.heads_text(row, &data)
        } else {
            label.is_none() || self.refines(row) || data.iter().any(|(column, _)| !self.named[*column])
        };
        if named { Verdict::Name } else { Verdict::Body }
    }

    /// A row of nothing but a label.
    fn label_alone(&self, label: Option<&Laid>) -> Verdict {
        let Some(label) = label else { return Verdict::Body };
        match label.kind {
            _ if self.names.is_empty() => Verdict::Pending,
            Kind::Unit | Kind::Before => Verdict::Name,
            _ => Verdict::Body,
        }
    }

    /// A row below others that name all columns of values.
    fn below_names(&self, row: usize, data: &[(usize, &Laid)], free: bool) -> Verdict {
        let units = data.iter().all(|(_, cell)| matches!(cell.kind, Kind::Unit | Kind::Before | Kind::After));
        let periods = data.iter().all(|(_, cell)| matches!(cell.kind, Kind::Year | Kind::Period));
        let label = self.layout.own(row).next().is_some_and(|(column, _)| column == 0);
        let named = if !label {
            // One cell in the middle may head a block, as do others like it further down.
            data.len() > 1 || units || periods || !self.has_lone_cell_below(row, data)
        } else {
            (free && (units || periods)) || self.refines(row) || self.is_marked_on(row)
        };
        if named { Verdict::Name } else { Verdict::Body }
    }

    fn has_lone_cell_below(&self, row: usize, data: &[(usize, &Laid)]) -> bool {
        let column = data.first().map(|(column, _)| *column);
        (row + 1..self.height()).any(|row| {
            let mut own = self.layout.own(row);
            own.next().is_some_and(|(at, cell)| Some(at) == column && !cell.kind.is_figure())
                && own.next().is_none()
        })
    }

    /// Whether at least two cells stand below one that reaches over both.
    fn refines(&self, row: usize) -> bool {
        self.names.iter().rev().take(1).any(|&above| {
            self.layout.own(above).filter(|(_, cell)| cell.columns > 1).any(|(from, cell)| {
                let inside = from..from + cell.columns;
                let parts: Vec<&str> = (self.layout.data(row))
                    .filter(|(column, _)| inside.contains(column))
                    .map(|(_, cell)| cell.text.as_str())
                    .collect();
                parts.len() > 1 && parts.iter().any(|part| *part != parts[0])
            })
        })
    }

    /// Whether the row is marked as those above that name columns are, and the one below is not.
    fn is_marked_on(&self, row: usize) -> bool {
        let marked = |row: usize| {
            let mut own = self.layout.own(row).peekable();
            own.peek().is_some() && own.all(|(_, cell)| cell.marked)
        };
        let below = (row + 1..self.height()).find(|row| !self.layout.is_blank(*row));
        marked(row) && self.names.iter().all(|row| marked(*row)) && below.is_some_and(|row| !marked(row))
    }

    /// Whether a cell that is no figure stands above a column of figures.
    fn contrasts(&self, data: &[(usize, &Laid)]) -> bool {
        data.iter().any(|(column, cell)| {
            let Below { figures, years, others } = self.below_of(*column, cell.columns);
            let figures = if cell.kind == Kind::Text { figures + years } else { figures };
            figures > 0 && figures >= others
        })
    }

    /// What stands below a cell; below what stands on its right where a sign is all that stands below it.
    fn below_of(&self, column: usize, columns: usize) -> Below {
        let sum = |from: usize, to: usize| {
            let columns = self.below.get(from..to.min(self.below.len())).unwrap_or_default();
            columns.iter().fold(Below::default(), |sum, below| Below {
                figures: sum.figures + below.figures,
                years: sum.years + below.years,
                others: sum.others + below.others,
            })
        };
        let own = sum(column, column + columns);
        let empty = own.figures + own.years + own.others == 0;
        let named = self.names.iter().any(|row| self.layout.at(*row, column + columns).is_some());
        if empty && !named { sum(column + columns, column + columns + 1) } else { own }
    }

    /// Whether years are what the columns hold.
    fn is_yearly(&self, data: &[(usize, &Laid)]) -> bool {
        let below = data.iter().map(|(column, cell)| self.below_of(*column, cell.columns));
        let (years, figures) =
            below.fold((0, 0), |(years, figures), below| (years + below.years, figures + below.figures));
        years > 0 && years >= figures
    }

    /// Whether words stand above columns that only tick their rows off.
    fn heads_ticks(&self, row: usize, data: &[(usize, &Laid)], label: Option<&Laid>) -> bool {
        let mut ticked = vec![false; self.layout.width];
        for below in row + 1..self.height() {
            for (column, cell) in self.layout.data(below) {
                if !is_tick(&cell.text) && cell.kind != Kind::Nothing {
                    return false;
                }
                ticked[column] |= is_tick(&cell.text);
            }
        }
        let named = |column: usize| data.iter().any(|(at, _)| *at == column);
        let name = |cell: &Laid| matches!(cell.kind, Kind::Text | Kind::Year | Kind::Period | Kind::Unit);
        let words = data.iter().all(|(_, cell)| name(cell) && !is_tick(&cell.text));
        let all = ticked.iter().enumerate().all(|(column, ticked)| !ticked || named(column));
        words && all && ticked.contains(&true) && (data.len() > 1 || label.is_none())
    }

    /// Whether the first row of a table of text heads it.
    fn heads_text(&self, row: usize, data: &[(usize, &Laid)]) -> bool {
        let layout = self.layout;
        let below = (row + 1..self.height()).filter(|row| !layout.is_blank(*row));
        let all_marked = |row: usize| layout.own(row).all(|(_, cell)| cell.marked);
        if all_marked(row) && !below.clone().any(all_marked) {
            return true;
        }
        let filled = |column: usize| layout.at(row, column).is_some();
        let used =
            (0..layout.width).filter(|column| below.clone().any(|row| layout.at(row, *column).is_some()));
        let used: Vec<usize> = used.collect();
        let full = used.iter().all(|column| filled(*column)) && layout.own(row).count() > 1;
        let short = layout.own(row).all(|(_, cell)| cell.text.chars().count() <= LONGEST_NAME);
        let words =
            data.iter().all(|(_, cell)| !matches!(cell.kind, Kind::Code | Kind::Range) && !is_answer(cell));
        // Days or years at the beginning of rows are what they are about.
        let dated = |row: usize| {
            layout
                .at(row, 0)
                .is_some_and(|label| matches!(label.kind, Kind::Year | Kind::Period | Kind::Value))
        };
        if dated(row) && below.clone().next().is_some_and(dated) {
            return false;
        }
        full && short && words && !(used.len() <= 2 && self.is_list_of_pairs(row, data))
    }

    /// Whether a table without marks has two columns, and in the second words, years and counts: facts, each with its name.
    fn is_mixed(&self, row: usize) -> bool {
        let Below { figures, years, others } = self.below_of(1, 1);
        let marked = self.layout.own(row).any(|(_, cell)| cell.marked);
        self.layout.width == 2 && !marked && figures.min(years).min(others) > 0
    }

    /// Whether two columns are labels with what each says: values of many kinds, or labels with a colon.
    fn is_list_of_pairs(&self, row: usize, data: &[(usize, &Laid)]) -> bool {
        let mixed = data.iter().any(|(column, cell)| {
            let Below { figures, years, .. } = self.below_of(*column, cell.columns);
            figures + years > 0
        });
        let labels = (row..self.height()).filter_map(|row| self.layout.at(row, 0));
        let (all, asking) = labels.fold((0, 0), |(all, asking), label| {
            (all + 1, asking + usize::from(label.text.ends_with([':', '?', '：'])))
        });
        mixed || asking * 2 > all
    }

    /// Whether a row holds references that stand above names.
    fn are_codes(&self, row: usize, data: &[(usize, &Laid)], label: Option<&Laid>) -> bool {
        let is_code = |cell: &Laid| {
            let small = cell.kind == Kind::Value && cell.text.len() <= 3;
            small || matches!(cell.kind, Kind::Code | Kind::Range | Kind::Nothing)
        };
        let coded = data.iter().any(|(_, cell)| matches!(cell.kind, Kind::Code | Kind::Range));
        if !coded || !data.iter().all(|(_, cell)| is_code(cell)) || label.is_some_and(|label| !is_code(label))
        {
            return false;
        }
        let mut below = (row + 1..self.height()).filter(|row| !self.layout.is_blank(*row));
        let named = |row: usize| {
            let mut data = self.layout.data(row).peekable();
            data.peek().is_some()
                && data.all(|(_, cell)| matches!(cell.kind, Kind::Text | Kind::Period | Kind::Year))
        };
        let coded = |row: usize| self.layout.own(row).all(|(_, cell)| is_code(cell));
        below.find(|row| !coded(*row)).is_some_and(named)
    }
}

impl Below {
    fn slot(&mut self, kind: Kind) -> Option<&mut usize> {
        match kind {
            Kind::Value | Kind::Range | Kind::Nothing => Some(&mut self.figures),
            Kind::Year => Some(&mut self.years),
            Kind::Text | Kind::Code => Some(&mut self.others),
            Kind::Empty | Kind::Before | Kind::After | Kind::Period | Kind::Unit => None,
        }
    }
    fn add(&mut self, kind: Kind, count: usize) {
        if let Some(slot) = self.slot(kind) {
            *slot += count;
        }
    }
    fn take(&mut self, kind: Kind) {
        if let Some(slot) = self.slot(kind) {
            *slot = slot.saturating_sub(1);
        }
    }
}

/// Whether the label of a row says that years or units follow.
fn speaks_of_names(label: &Laid) -> bool {
    label.kind.heads_names(&label.text)
}

/// Whether a cell says that something holds for its row and column, or does not, by a sign.
fn is_tick(text: &str) -> bool {
    const TICKS: [&str; 18] =
        ["✓", "✔", "☑", "☒", "☐", "✗", "✘", "×", "x", "X", "●", "•", "○", "■", "□", "▪", "√", "+"];
    TICKS.contains(&text.trim())
}

/// Whether a cell answers yes or no.
fn is_answer(cell: &Laid) -> bool {
    let answers =
        ["true", "false", "yes", "no", "ok", "ja", "nein", "nej", "oui", "non", "sí", "☒", "☐", "✓", "✗"];
    answers.contains(&cell.text.to_lowercase().as_str())
}

/// Whether cells count: `1`, `2`, `3` or `(1)`, `(2)`, `(3)`.
fn is_enumeration(data: &[(usize, &Laid)]) -> bool {
    let number = |text: &str| text.trim_matches(['(', ')', '[', ']', '.']).parse::<usize>().ok();
    let mut numbers = data.iter().map(|(_, cell)| number(&cell.text));
    let Some(Some(first)) = numbers.next() else { return false };
    first <= 2 && data.len() > 2 && numbers.zip(first + 1..).all(|(number, wanted)| number == Some(wanted))
}

impl Heading {
    /// Whether the body has a `row`: it holds something, and is none of rows that repeat all names of the columns.
    pub(super) fn has(&self, layout: &Layout, row: usize) -> bool {
        let texts = |row: usize| layout.own(row).map(|(column, cell)| (column, cell.text.as_str()));
        let word = |(_, cell): (usize, &Laid)| cell.text.contains(char::is_alphanumeric);
        let count = self.names.len();
        let named = self.names.iter().any(|name| layout.data(*name).any(word));
        let repeats = |from: usize| {
            let below = from..(from + count).min(layout.rows.len());
            below.len() == count && below.zip(&self.names).all(|(row, name)| texts(row).eq(texts(*name)))
        };
        let mut starts = (row + 1).saturating_sub(count).max(self.body)..=row;
        // Words over words may be data as well: names repeat that are marked, or have figures or periods among or below them.
        let told = || {
            self.names
                .iter()
                .any(|name| layout.own(*name).any(|(_, cell)| cell.marked || cell.kind != Kind::Text))
                || (self.body..layout.rows.len())
                    .any(|row| layout.data(row).any(|(_, cell)| cell.kind.is_figure()))
        };
        !(layout.is_blank(row) || named && starts.any(repeats) && told())
    }

    /// Where other periods name the columns further down, with the labels right above them: there another table begins.
    pub(super) fn next(&self, layout: &Layout) -> Option<usize> {
        let leaf = |column: usize| self.names.iter().rev().find_map(|row| layout.at(*row, column));
        let dated = |cell: &Laid| matches!(cell.kind, Kind::Year | Kind::Period);
        let label_of =
            |row: usize| layout.own(row).next().filter(|(column, _)| *column == 0).map(|(_, cell)| cell);
        let own_label = self.names.iter().find_map(|row| label_of(*row));
        let renames = |row: usize| {
            if !self.has(layout, row) || !layout.data(row).all(|(_, cell)| dated(cell)) {
                return false;
            }
            let data: Vec<(usize, &Laid)> = layout.data(row).collect();
            let known = data.len() > 1
                && data.iter().all(|(column, cell)| {
                    (*column..column + cell.columns).any(|column| leaf(column).is_some_and(dated))
                });
            let free = label_of(row).is_none_or(|label| {
                speaks_of_names(label) || own_label.is_some_and(|own| own.text == label.text) || run_on(&data)
            });
            let below = (row + 1..layout.rows.len()).find(|row| !layout.is_blank(*row));
            let valued = below.is_some_and(|row| {
                layout.data(row).all(|(_, cell)| !dated(cell))
                    && (row..layout.rows.len())
                        .take(4)
                        .any(|row| layout.data(row).any(|(_, cell)| cell.kind == Kind::Value))
            });
            known && free && valued
        };
        let body = self.body + 1;
        let at = (body..layout.rows.len()).find(|row| renames(*row))?;
        let alone =
            |row: usize| layout.is_blank(row) || (layout.data(row).count() == 0 && label_of(row).is_some());
        let from = (body..at).rev().take_while(|row| alone(*row)).last();
        Some(from.unwrap_or(at))
    }
}

/// Whether cells are years that follow each other.
fn run_on(data: &[(usize, &Laid)]) -> bool {
    let year = |cell: &Laid| cell.text.get(..4).and_then(|year| year.parse::<i32>().ok());
    let years: Vec<i32> =
        data.iter().filter(|(_, cell)| cell.kind == Kind::Year).filter_map(|(_, cell)| year(cell)).collect();
    years.len() == data.len() && years.windows(2).all(|two| (two[1] - two[0]).abs() == 1)
}
