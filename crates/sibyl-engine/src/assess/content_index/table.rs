//! Indexes that are tables: a column of codes, and beside it one of places or answers.

use super::IndexEntry;
use super::code::{Code, Context, Framework, codes, pillar};
use super::place::{self, Holds, Place};
use sibyl_text::document::Span;
use sibyl_text::figure::cells;

/// Share of filled cells from which a column counts as one of codes.
const CODES: f64 = 0.5;
/// Rows with codes from which a table is an index.
const ROWS: usize = 2;
/// Share of the rows with codes that name a place from which a table is an index.
const PLACED: f64 = 1.0 / 3.0;
/// Maximum number of columns examined.
const COLUMNS: usize = 24;

/// Words in the name of a column that say what it contains.
const PAGES: [&str; 7] = ["page", "pages", "p", "pp", "seite", "seiten", "sida"];
const PLACES: [&str; 13] = [
    "location",
    "reference",
    "references",
    "where",
    "section",
    "chapter",
    "source",
    "cross",
    "link",
    "url",
    "document",
    "found",
    "disclosed",
];
const OMISSIONS: [&str; 4] = ["omission", "omissions", "omitted", "reason"];
const ANSWERS: [&str; 15] = [
    "response",
    "responses",
    "answer",
    "comment",
    "comments",
    "remark",
    "remarks",
    "note",
    "notes",
    "data",
    "value",
    "performance",
    "result",
    "information",
    "explanation",
];
/// Words in the name of a column that is not read.
const PASSED_OVER: [&str; 12] = [
    "unit",
    "units",
    "category",
    "type",
    "assurance",
    "assured",
    "sdg",
    "sdgs",
    "ungc",
    "material",
    "topic",
    "topics",
];

/// What the columns of an index are; another table may go on with them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Layout {
    columns: usize,
    codes: Vec<usize>,
    holds: Vec<(usize, Holds)>,
    bare: Vec<Framework>,
    paragraphs: bool,
}

/// A row with its cells.
struct Row {
    span: Span,
    cells: Vec<String>,
}

/// A table as it is printed.
pub(super) struct Table {
    names: Vec<String>,
    /// The rows, with that of the header first.
    rows: Vec<Row>,
    /// Frameworks that are named above it or by a column.
    frameworks: Vec<Framework>,
}

impl Table {
    /// The table in `span` of `text`, whose header rows end at `header_end`. `above` are the headings and lines above it.
    pub fn new(text: &str, span: Span, header_end: usize, above: &str) -> Self {
        let mut rows = Vec::new();
        let mut names: Vec<String> = Vec::new();
        let mut at = span.start;
        for line in span.of(text).split_inclusive('\n') {
            let row = Span::new(at, at + line.trim_end().len());
            at += line.len();
            let said = row.of(text).trim_start();
            if !said.starts_with('|') || said.chars().all(|c| "|-: ".contains(c)) && said.contains("--") {
                continue;
            }
            let all: Vec<String> =
                cells(text, row).into_iter().take(COLUMNS).map(|cell| plain(cell.of(text))).collect();
            if row.start < header_end {
                for (at, cell) in all.iter().enumerate() {
                    match names.get_mut(at) {
                        Some(name) => *name = format!("{name} {cell}"),
                        None => names.push(cell.clone()),
                    }
                }
            }
            rows.push(Row { span: row, cells: all });
        }
        let frameworks = Framework::named_in(&format!("{}\n{above}", names.join("\n")));
        Self { names, rows, frameworks }
    }

    /// Adds its entries to `entries` if it is an index, or continues one with the layout `before`; returns its
    /// layout.
    pub fn read(&self, before: Option<&Layout>, entries: &mut Vec<IndexEntry>) -> Option<Layout> {
        let own = self.layout();
        let goes_on = before.filter(|layout| layout.columns == self.names.len());
        let layout = own.or_else(|| goes_on.cloned())?;
        let least = if goes_on == Some(&layout) { 1 } else { ROWS };
        let (found, coded, placed) = self.entries(&layout);
        if coded < least || (placed as f64) < PLACED * coded as f64 || placed == 0 {
            return None;
        }
        entries.extend(found);
        Some(layout)
    }

    /// Its entries with the number of rows that have codes, and of those that also name a place.
    fn entries(&self, layout: &Layout) -> (Vec<IndexEntry>, usize, usize) {
        let mut entries = Vec::new();
        let (mut coded, mut placed) = (0, 0);
        let mut above = None;
        let mut last: Vec<Code> = Vec::new();
        for (at, row) in self.rows.iter().enumerate() {
            above = row.cells.iter().find_map(|cell| pillar(cell)).or(above);
            let context = Context { bare: &layout.bare, paragraphs: layout.paragraphs, pillar: above };
            let mut own: Vec<Code> = Vec::new();
            for cell in layout.codes.iter().filter_map(|column| row.cells.get(*column)) {
                own.extend(
                    codes(cell, context).into_iter().filter(|code| !own.contains(code)).collect::<Vec<_>>(),
                );
            }
            let claims = self.claims(row, layout);
            if at == 0 && (own.is_empty() || claims.is_empty()) {
                continue;
            }
            let coded_here = !own.is_empty();
            // A row with an empty code cell continues the row above.
            let empty = layout.codes.iter().all(|column| row.cells.get(*column).is_none_or(String::is_empty));
            let of = if coded_here {
                own.clone()
            } else if empty {
                last.clone()
            } else {
                Vec::new()
            };
            coded += usize::from(coded_here);
            placed += usize::from(coded_here && !claims.is_empty());
            if coded_here || !empty {
                last = own;
            }
            if claims.is_empty() {
                continue;
            }
            let (words, places): (Vec<String>, Vec<Vec<Place>>) = claims.into_iter().unzip();
            let places: Vec<Place> = places.into_iter().flatten().collect();
            for Code { framework, code } in of {
                entries.push(IndexEntry {
                    framework,
                    code,
                    title: self.title(row, layout),
                    words: words.join(" · "),
                    places: places.clone(),
                    span: row.span,
                });
            }
        }
        (entries, coded, placed)
    }

    /// What the cells of a row claim: the words of each with the places that it names.
    fn claims(&self, row: &Row, layout: &Layout) -> Vec<(String, Vec<Place>)> {
        let mut claims: Vec<(String, Vec<Place>)> = Vec::new();
        for (column, holds) in &layout.holds {
            let Some(cell) = row.cells.get(*column).filter(|cell| !cell.is_empty()) else { continue };
            // A cell that spans columns is printed in each of them.
            if claims.iter().any(|(words, _)| words == cell) {
                continue;
            }
            let places = if layout.codes.contains(column) || layout.is_title(*column) {
                tail(cell)
            } else {
                place::read(cell, *holds)
            };
            if !places.is_empty() {
                claims.push((cell.replace('\n', " "), places));
            }
        }
        claims
    }

    /// A row's title for what it is about: the first words beside its code, else those around the code in its
    /// cell.
    fn title(&self, row: &Row, layout: &Layout) -> String {
        let taken = |at: &usize| {
            layout.codes.contains(at)
                || layout.holds.iter().any(|(column, _)| column == at)
                || self.is_passed_over(*at)
        };
        let own = layout.codes.iter().filter_map(|at| row.cells.get(*at)).find(|cell| long_words(cell) > 1);
        let beside = || {
            let others = (0..row.cells.len()).filter(|at| !taken(at)).filter_map(|at| row.cells.get(at));
            others.into_iter().find(|cell| long_words(cell) > 0)
        };
        own.or_else(beside).map(|cell| cell.replace('\n', " ")).unwrap_or_default()
    }

    /// What its columns are; `None` without a column of codes beside one of places.
    fn layout(&self) -> Option<Layout> {
        let columns = self.names.len();
        let paragraphs = self
            .names
            .iter()
            .any(|name| words(name).iter().any(|word| word.starts_with("paragraph") || word == "para"));
        let named: Vec<Option<Holds>> = (0..columns).map(|at| self.named_for(at)).collect();
        let filled = |at: usize| {
            let body = self.rows.iter().skip(1).filter_map(move |row| row.cells.get(at));
            body.filter(|cell| cell.chars().any(char::is_alphanumeric))
        };
        let bare: Vec<Framework> = if self.frameworks.is_empty() && self.has_sure_gri() {
            vec![Framework::Gri]
        } else {
            self.frameworks.clone()
        };
        let mut with_codes: Vec<usize> = Vec::new();
        for at in (0..columns).filter(|at| !matches!(named[*at], Some(Holds::Pages | Holds::Omissions))) {
            let mut above = None;
            let (mut all, mut coded) = (0, 0);
            for row in self.rows.iter().skip(1) {
                above = row.cells.iter().find_map(|cell| pillar(cell)).or(above);
                let context = Context { bare: &bare, paragraphs, pillar: above };
                let Some(cell) = row.cells.get(at).filter(|cell| cell.chars().any(char::is_alphanumeric))
                else {
                    continue;
                };
                all += 1;
                coded += usize::from(!codes(cell, context).is_empty());
            }
            // Group names stand between the codes.
            let groups = self
                .rows
                .iter()
                .skip(1)
                .filter(|row| row.says_one_thing() && !row.cells.get(at).is_none_or(String::is_empty));
            let groups = groups.count().min(all - coded);
            if coded > 0 && coded as f64 >= CODES * (all - groups) as f64 {
                with_codes.push(at);
            }
        }
        if with_codes.is_empty() {
            return None;
        }
        // Codes may be in the titles themselves.
        let are_titles = |at: &usize| {
            let long = filled(*at).filter(|cell| long_words(cell) > 1).count();
            long * 2 > filled(*at).count()
        };
        let apart = !with_codes.iter().any(are_titles);
        let titles = (0..columns)
            .filter(|_| apart)
            .filter(|at| named[*at].is_none() && !with_codes.contains(at))
            .find(|at| {
                !self.is_passed_over(*at)
                    && filled(*at).any(|cell| cell.chars().filter(|c| c.is_alphabetic()).count() > 2)
            });
        let year = self.latest_year();
        let mut holds: Vec<(usize, Holds)> = Vec::new();
        for at in (0..columns).filter(|at| !with_codes.contains(at)) {
            let discloses =
                || Some(at) != titles && words(&self.names[at]).iter().any(|word| word == "disclosure");
            let own = named[at].or_else(|| (year == Some(at) || discloses()).then_some(Holds::Answers));
            holds.extend(own.map(|holds| (at, holds)));
        }
        if !holds.iter().any(|(_, holds)| *holds != Holds::Omissions) {
            let numbers = (0..columns).rev().filter(|at| !with_codes.contains(at)).find(|at| {
                let pages = filled(*at)
                    .filter(|cell| place::bare_pages(cell).is_some() || !place::marked(cell).is_empty());
                let count = filled(*at).count();
                count > 0 && pages.count() * 2 >= count
            });
            match numbers {
                Some(at) => holds.push((at, Holds::Pages)),
                // The places are at the ends of the titles or codes.
                None => holds.extend(
                    titles.into_iter().chain(with_codes.iter().copied()).map(|at| (at, Holds::Places)),
                ),
            }
        }
        Some(Layout { columns, codes: with_codes, holds, bare, paragraphs })
    }

    /// What the column at `at` contains, by its name.
    fn named_for(&self, at: usize) -> Option<Holds> {
        let words = words(self.names.get(at)?);
        let has = |all: &[&str]| words.iter().any(|word| all.contains(&word.as_str()));
        if self.is_passed_over(at) || words.len() > 8 {
            None
        } else if has(&OMISSIONS) {
            Some(Holds::Omissions)
        } else if has(&PAGES) {
            Some(Holds::Pages)
        } else if has(&PLACES) {
            Some(Holds::Places)
        } else {
            has(&ANSWERS).then_some(Holds::Answers)
        }
    }

    fn is_passed_over(&self, at: usize) -> bool {
        let Some(name) = self.names.get(at) else { return false };
        words(name).iter().any(|word| PASSED_OVER.contains(&word.as_str()))
    }

    /// The column of the latest of the years that name columns.
    fn latest_year(&self) -> Option<usize> {
        let year = |name: &String| {
            let digits = name.trim().trim_start_matches("FY").trim();
            let year = digits.parse::<u16>().ok()?;
            (2000..2100).contains(&year).then_some(year)
        };
        let years = self.names.iter().enumerate().filter_map(|(at, name)| Some((year(name)?, at)));
        years.max_by_key(|(year, at)| (*year, std::cmp::Reverse(*at))).map(|(_, at)| at)
    }

    /// Whether cells begin with unmistakable GRI codes, though nothing names GRI: three digits, a dash, one more.
    fn has_sure_gri(&self) -> bool {
        let context = Context { bare: &[Framework::Gri], ..Context::default() };
        let sure = |cell: &String| {
            cell.chars().take(3).all(|c| c.is_ascii_digit())
                && cell.len() <= 7
                && codes(cell, context).iter().any(|code| code.framework == Framework::Gri)
        };
        self.rows.iter().skip(1).filter(|row| row.cells.iter().any(sure)).count() > ROWS
    }
}

impl Layout {
    /// Whether a column of places is that of the titles, which end with them.
    fn is_title(&self, column: usize) -> bool {
        // Only if all columns of places are of one kind, and one of them is that of the codes.
        self.holds.iter().any(|(at, _)| self.codes.contains(at))
            && self.holds.iter().any(|(at, _)| *at == column)
    }
}

impl Row {
    /// Whether it says only one thing, as the name of a group of rows does.
    fn says_one_thing(&self) -> bool {
        let mut filled = self.cells.iter().filter(|cell| cell.chars().any(char::is_alphanumeric));
        let Some(first) = filled.next() else { return false };
        filled.all(|cell| cell == first)
    }
}

/// The places at the end of a title or code: after a word for a page, or after leaders.
fn tail(cell: &str) -> Vec<Place> {
    let pages = place::marked(cell);
    let pages = if pages.is_empty() {
        place::behind_leaders(cell).map(|(_, pages)| pages).unwrap_or_default()
    } else {
        pages
    };
    if pages.is_empty() {
        return Vec::new();
    }
    vec![Place { words: cell.replace('\n', " "), document: None, named: place::Named::Pages(pages) }]
}

/// Words of more than three letters.
fn long_words(cell: &str) -> usize {
    cell.split_whitespace().filter(|word| word.chars().filter(|c| c.is_alphabetic()).count() > 3).count()
}

/// The words of `name` in small letters.
fn words(name: &str) -> Vec<String> {
    let lower = name.to_lowercase();
    lower.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).map(str::to_owned).collect()
}

/// The words of a cell without marks of emphasis and links, its lines kept.
fn plain(cell: &str) -> String {
    let lines = cell
        .replace("**", "")
        .replace("__", "")
        .replace("<br/>", "<br>")
        .replace("<br />", "<br>")
        .replace("\\|", "|");
    let lines = lines.split("<br>").map(|line| line.split_whitespace().collect::<Vec<_>>().join(" "));
    lines.filter(|line| !line.is_empty()).collect::<Vec<_>>().join("\n")
}
