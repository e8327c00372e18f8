//! The place of a stretch of the text in its source: its headings, its approximate page, its cells in a sheet, or
//! its anchor in a page.

use super::{Document, Section, Span};
use serde::{Deserialize, Serialize};

/// A stretch of the text in cells of a sheet: a row of a table, its column names, a title or a remark.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Cells {
    /// The stretch.
    pub span: Span,
    /// Name of the sheet; empty in a file that is a single sheet.
    pub sheet: String,
    /// Where they are on it.
    pub range: CellRange,
}

/// Cells of a sheet: the first and the last row and column, from 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct CellRange {
    /// First and last row.
    pub rows: (u32, u32),
    /// First and last column.
    pub columns: (u32, u32),
}

impl CellRange {
    /// The smallest range that contains both.
    pub fn and(self, other: Self) -> Self {
        let both = |a: (u32, u32), b: (u32, u32)| (a.0.min(b.0), a.1.max(b.1));
        Self { rows: both(self.rows, other.rows), columns: both(self.columns, other.columns) }
    }

    /// As spreadsheets write it: `C6:E6`, or `C6` for one cell.
    pub fn a1(self) -> String {
        let cell = |row: u32, column: u32| format!("{}{}", letters(column), u64::from(row) + 1);
        let [first, last] = [cell(self.rows.0, self.columns.0), cell(self.rows.1, self.columns.1)];
        if first == last { first } else { format!("{first}:{last}") }
    }
}

/// Letters of the column `column`, from 0: A to Z, then AA.
fn letters(column: u32) -> String {
    let mut rest = u64::from(column) + 1;
    let mut out = Vec::new();
    while rest > 0 {
        rest -= 1;
        // A remainder of 26 is a letter.
        out.push(char::from(b'A' + (rest % 26) as u8));
        rest /= 26;
    }
    out.iter().rev().collect()
}

/// Where an element with an id begins in the text of a page.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Anchor {
    /// Byte of the text.
    pub at: usize,
    /// The id.
    pub id: String,
}

/// The section of `at`: the last heading that begins there or before. `None` above the first heading.
pub fn section_at(sections: &[Section], at: usize) -> Option<usize> {
    sections.partition_point(|section| section.heading.start <= at).checked_sub(1)
}

/// Titles from the outermost section down to `section`.
pub fn section_path(sections: &[Section], section: Option<usize>) -> Vec<&str> {
    let mut path = Vec::new();
    let mut at = section;
    while let Some(index) = at {
        path.push(sections[index].title.as_str());
        at = sections[index].parent;
    }
    path.reverse();
    path
}

/// The sheet of `span`, and the cells there that it touches.
pub fn cells_of(cells: &[Cells], span: Span) -> Option<(&str, CellRange)> {
    let first = cells.partition_point(|known| known.span.end <= span.start);
    let touched = cells[first..].iter().take_while(|known| known.span.start < span.end);
    let mut found: Option<(&str, CellRange)> = None;
    for Cells { sheet, range, .. } in touched {
        found = match found {
            None => Some((sheet.as_str(), *range)),
            Some((name, all)) if name == sheet => Some((name, all.and(*range))),
            // A sheet ends with its last row.
            Some(found) => Some(found),
        };
    }
    found
}

/// The id of the element that begins at `at`, or next before it.
pub fn anchor_at(anchors: &[Anchor], at: usize) -> Option<&str> {
    let behind = anchors.partition_point(|anchor| anchor.at <= at);
    anchors[..behind].last().map(|anchor| anchor.id.as_str())
}

impl Document {
    /// Titles from the outermost section down to that of `at`.
    pub fn path_at(&self, at: usize) -> Vec<&str> {
        section_path(&self.sections, section_at(&self.sections, at))
    }

    /// The page on which `span` begins in a former layout, in a document whose pages are only that.
    pub fn about_page(&self, span: Span) -> Option<u32> {
        let page = self.pages.iter().find(|page| page.span.end > span.start)?;
        self.about_pages.then_some(page.number)
    }

    /// How many pages it has, if it says so.
    pub fn page_count(&self) -> usize {
        if self.about_pages { 0 } else { self.pages.len() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn section(level: u8, title: &str, start: usize, end: usize, parent: Option<usize>) -> Section {
        let heading = Span::new(start, start + 4);
        Section { level, title: title.to_owned(), heading, span: Span::new(start, end), parent }
    }

    #[test]
    fn a_place_lies_in_the_section_of_the_last_heading_before_it() {
        let sections = [
            section(1, "Mill", 10, 100, None),
            section(2, "People", 40, 80, Some(0)),
            section(3, "Catering", 60, 80, Some(1)),
            section(2, "Water", 80, 100, Some(0)),
        ];
        let path = |at| section_path(&sections, section_at(&sections, at));
        assert_eq!(path(3), Vec::<&str>::new());
        assert_eq!((path(10), path(39)), (vec!["Mill"], vec!["Mill"]));
        assert_eq!(path(45), ["Mill", "People"]);
        assert_eq!(path(79), ["Mill", "People", "Catering"]);
        assert_eq!(path(81), ["Mill", "Water"]);
    }

    #[test]
    fn cells_are_written_as_spreadsheets_write_them() {
        for (column, name) in
            [(0, "A"), (25, "Z"), (26, "AA"), (51, "AZ"), (52, "BA"), (701, "ZZ"), (702, "AAA")]
        {
            assert_eq!(letters(column), name);
        }
        let range = CellRange { rows: (5, 5), columns: (2, 4) };
        assert_eq!(range.a1(), "C6:E6");
        assert_eq!(range.and(CellRange { rows: (7, 7), columns: (1, 1) }).a1(), "B6:E8");
        assert_eq!(CellRange { rows: (0, 0), columns: (0, 0) }.a1(), "A1");
    }

    #[test]
    fn a_stretch_stands_in_the_cells_of_one_sheet() {
        let row = |start, sheet: &str, row| Cells {
            span: Span::new(start, start + 8),
            sheet: sheet.to_owned(),
            range: CellRange { rows: (row, row), columns: (0, 2) },
        };
        let cells = [row(0, "A", 0), row(10, "A", 1), row(20, "B", 0)];
        let of = |start, end| {
            cells_of(&cells, Span::new(start, end)).map(|(sheet, range)| (sheet.to_owned(), range.a1()))
        };
        assert_eq!(of(10, 18), Some(("A".to_owned(), "A2:C2".to_owned())));
        assert_eq!(of(2, 12), Some(("A".to_owned(), "A1:C2".to_owned())));
        assert_eq!(of(12, 25), Some(("A".to_owned(), "A2:C2".to_owned())));
        assert_eq!(of(8, 10), None);
    }

    #[test]
    fn the_nearest_anchor_begins_there_or_before() {
        let anchors = [Anchor { at: 0, id: "top".into() }, Anchor { at: 9, id: "water".into() }];
        assert_eq!((anchor_at(&anchors, 8), anchor_at(&anchors, 9)), (Some("top"), Some("water")));
        assert_eq!(anchor_at(&anchors[1..], 3), None);
    }
}
