//! Rows of cells that may reach over columns and rows.

/// What a cell is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    Name,
    Corner,
    Label,
    Group,
    Band,
    Value,
    /// A currency, which stands at the left of its cell.
    Before,
    /// A percent sign or unit behind a number.
    After,
    Unit,
}

/// A column of the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Column {
    Label,
    Before,
    Value,
    After,
    Spacer,
}

/// A cell.
#[derive(Debug, Clone)]
pub(super) struct Cell {
    pub(super) at: usize,
    pub(super) columns: usize,
    pub(super) rows: usize,
    pub(super) text: String,
    /// The mark of a note behind it.
    pub(super) mark: Option<&'static str>,
    pub(super) role: Role,
    pub(super) indented: bool,
}

impl Cell {
    pub(super) fn new(at: usize, role: Role, text: &str) -> Self {
        Self { at, columns: 1, rows: 1, text: text.to_owned(), mark: None, role, indented: false }
    }
}

/// What a row is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Names,
    Band,
    Body,
}

/// A row with its cells from the left.
#[derive(Debug, Clone)]
pub(super) struct Row {
    pub(super) kind: Kind,
    pub(super) cells: Vec<Cell>,
}

/// A place in a row.
#[derive(Debug, Clone, Copy)]
pub(super) enum Slot<'c> {
    Begins(&'c Cell),
    /// A cell that begins further left reaches over it.
    Across,
    /// A cell that begins further up reaches over it, and over so many columns.
    Down(usize),
    Free,
}

/// The places of all `rows` of `width` columns.
pub(super) fn slots(rows: &[Row], width: usize) -> Vec<Vec<Slot<'_>>> {
    let mut out: Vec<Vec<Slot<'_>>> = rows.iter().map(|_| vec![Slot::Free; width]).collect();
    for (row, cells) in rows.iter().enumerate() {
        for cell in &cells.cells {
            for (down, line) in out[row..].iter_mut().take(cell.rows).enumerate() {
                for across in 0..cell.columns {
                    line[cell.at + across] = match (down, across) {
                        (0, 0) => Slot::Begins(cell),
                        (_, 0) => Slot::Down(cell.columns),
                        _ => Slot::Across,
                    };
                }
            }
        }
    }
    out
}
