//! The structure tree of a tagged file: which marked content belongs to which element, in reading order.

use hayro_syntax::Pdf;
use hayro_syntax::object::{Array, Dict, MaybeRef, Name, Object, ObjectIdentifier};
use std::collections::{HashMap, HashSet};

/// Depth of the tree beyond which elements are left out.
const MAX_DEPTH: usize = 200;
/// Elements and content items beyond which the rest of the tree is left out.
const MAX_NODES: usize = 2_000_000;
/// Widest span of a cell that is believed (columns or rows).
const MAX_SPAN: u32 = 200;

/// What an element is (ISO 32000-1, 14.8.4), as far as layout cares.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    /// Groups blocks: document, part, section, division, or a role that is not known.
    Group,
    /// A heading; the level is missing for `H` and `Title`.
    Heading(Option<u8>),
    Paragraph,
    List,
    Item,
    Label,
    ItemBody,
    Table,
    Row,
    HeaderCell,
    Cell,
    TocItem,
    Figure,
    Note,
    Caption,
    /// Part of a line.
    Inline,
    /// Says nothing of its own, as `NonStruct` does.
    Transparent,
}

/// An element of the tree.
#[derive(Debug, Clone)]
pub(super) struct Element {
    pub(super) role: Role,
    pub(super) parent: Option<u32>,
    /// Place of a cell in its table, from 0.
    pub(super) row: u32,
    pub(super) column: u32,
    /// Columns of a table, or those that a cell spans.
    pub(super) columns: u32,
    /// Rows that a cell spans.
    pub(super) rows: u32,
    /// Rows of a table that are shorter than others, so that spans or empty cells are missing.
    pub(super) short: Vec<u32>,
    /// The outermost table of several columns that it stands in (or is), and the outermost cell there.
    pub(super) table: Option<u32>,
    pub(super) cell: Option<u32>,
}

/// What a note stands in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Host {
    pub(super) block: u32,
    pub(super) table: Option<u32>,
}

/// The tree. Content items are numbered in reading order.
#[derive(Default)]
pub(super) struct Tags {
    pub(super) elements: Vec<Element>,
    /// The element that each content item belongs to.
    owners: Vec<u32>,
    items: HashMap<(usize, Option<ObjectIdentifier>, i32), u32>,
}

impl Tags {
    /// Reads the tree of the file; empty where it has none.
    pub(super) fn new(pdf: &Pdf, catalog: &Dict<'_>) -> Self {
        let Some(root) = catalog.get::<Dict<'_>>("StructTreeRoot") else { return Self::default() };
        let pages = pdf.pages();
        let numbers =
            pages.iter().enumerate().filter_map(|(i, page)| Some((page.raw().obj_id()?, i))).collect();
        let mut walk = Walk {
            pdf,
            pages: numbers,
            roles: root.get::<Dict<'_>>("RoleMap").unwrap_or_default(),
            seen: HashSet::new(),
            tables: Vec::new(),
            nodes: 0,
            tags: Self::default(),
        };
        walk.children(&root, None, None, 0);
        walk.tags.place_in_tables();
        walk.tags
    }

    /// Tells each element which table and cell it stands in. A table of one column is a box around text or another table.
    fn place_in_tables(&mut self) {
        for id in 0..self.elements.len() {
            let around = self.elements[id].parent.map(|parent| &self.elements[parent as usize]);
            let (table, cell) = around.map_or((None, None), |e| (e.table, e.cell));
            let element = &mut self.elements[id];
            let own = Some(id as u32);
            let opens = element.role == Role::Table && element.columns >= 2;
            element.table = table.or(own.filter(|_| opens));
            let holds = matches!(element.role, Role::Cell | Role::HeaderCell) && element.table.is_some();
            element.cell = cell.or(own.filter(|_| holds));
        }
    }

    /// The table and the cell that a content item stands in.
    pub(super) fn cell_of(&self, item: u32) -> Option<(u32, &Element)> {
        let owner = self.elements.get(self.owner(item)? as usize)?;
        Some((owner.table?, self.elements.get(owner.cell? as usize)?))
    }

    /// The content item with the given id on a page (or in a form on it).
    pub(super) fn item(&self, page: usize, form: Option<ObjectIdentifier>, id: i32) -> Option<u32> {
        self.items.get(&(page, form, id)).copied()
    }

    /// The element that a content item belongs to.
    pub(super) fn owner(&self, item: u32) -> Option<u32> {
        self.owners.get(item as usize).copied()
    }

    /// The element and everything around it, from the inside out.
    pub(super) fn around(&self, element: u32) -> impl Iterator<Item = (u32, &Element)> {
        let mut next = Some(element);
        std::iter::from_fn(move || {
            let id = next?;
            let element = self.elements.get(id as usize)?;
            next = element.parent;
            Some((id, element))
        })
    }

    /// The innermost element around `element` that is no part of a line.
    pub(super) fn block_around(&self, element: u32) -> u32 {
        self.around(element).find(|(_, e)| e.role != Role::Inline).map_or(element, |(id, _)| id)
    }

    /// The block and, in a table, the table that hold the note around an element inside of them.
    pub(super) fn note_in(&self, element: u32) -> Option<Host> {
        let (_, note) = self.around(element).find(|(_, e)| e.role == Role::Note)?;
        let parent = note.parent?;
        let block = self.block_around(parent);
        let role = self.elements.get(block as usize)?.role;
        let text =
            matches!(role, Role::Paragraph | Role::Heading(_) | Role::ItemBody | Role::Item | Role::Caption);
        let table = self.elements.get(parent as usize)?.table;
        (text || table.is_some()).then_some(Host { block, table })
    }

    /// Whether any element is a heading.
    pub(super) fn has_headings(&self) -> bool {
        self.elements.iter().any(|e| matches!(e.role, Role::Heading(_)))
    }
}

struct Walk<'a> {
    pdf: &'a Pdf,
    pages: HashMap<ObjectIdentifier, usize>,
    roles: Dict<'a>,
    seen: HashSet<ObjectIdentifier>,
    tables: Vec<Grid>,
    nodes: usize,
    tags: Tags,
}

/// Where the next cell of an open table goes.
struct Grid {
    element: u32,
    rows: u32,
    column: u32,
    /// For each column, the first row that no cell from above reaches into.
    free_from: Vec<u32>,
    /// Columns that each row fills, with what reaches into it from above.
    widths: Vec<u32>,
    /// Whether a table of several rows and columns stands in it.
    holds_table: bool,
}

impl<'a> Walk<'a> {
    fn children(&mut self, dict: &Dict<'a>, element: Option<u32>, page: Option<usize>, depth: usize) {
        if let Some(array) = dict.get::<Array<'a>>("K") {
            for child in array.raw_iter() {
                self.child(child, element, page, depth);
            }
        } else if let Some(child) = dict.get_raw::<Object<'a>>("K") {
            self.child(child, element, page, depth);
        }
    }

    fn child(
        &mut self,
        child: MaybeRef<Object<'a>>,
        element: Option<u32>,
        page: Option<usize>,
        depth: usize,
    ) {
        self.nodes += 1;
        if depth > MAX_DEPTH || self.nodes > MAX_NODES {
            return;
        }
        let object = match child {
            MaybeRef::NotRef(object) => Some(object),
            MaybeRef::Ref(id) if self.seen.insert(id.into()) => self.pdf.xref().get::<Object<'a>>(id.into()),
            MaybeRef::Ref(_) => None,
        };
        match object {
            Some(Object::Number(id)) => self.item(element, page, None, id.as_i64()),
            Some(Object::Dict(dict)) => {
                let own_page = dict.get_ref("Pg").and_then(|id| self.pages.get(&id.into()).copied()).or(page);
                match dict.get::<Name<'_>>("Type").as_deref() {
                    Some(b"MCR") => {
                        let form = dict.get_ref("Stm").map(Into::into);
                        self.item(element, own_page, form, dict.get::<i64>("MCID").unwrap_or(-1));
                    }
                    Some(b"OBJR") => {}
                    _ => self.element(&dict, element, own_page, depth),
                }
            }
            _ => {}
        }
    }

    fn item(&mut self, element: Option<u32>, page: Option<usize>, form: Option<ObjectIdentifier>, id: i64) {
        let (Some(element), Some(page), Ok(id)) = (element, page, i32::try_from(id)) else { return };
        let number = self.tags.owners.len() as u32;
        self.tags.owners.push(element);
        self.tags.items.entry((page, form, id)).or_insert(number);
    }

    fn element(&mut self, dict: &Dict<'a>, parent: Option<u32>, page: Option<usize>, depth: usize) {
        let role = self.within_line(self.role(dict), parent);
        let id = self.tags.elements.len() as u32;
        let mut element = Element {
            role,
            parent,
            row: 0,
            column: 0,
            columns: 0,
            rows: 0,
            short: Vec::new(),
            table: None,
            cell: None,
        };
        match role {
            Role::Table => {
                self.tables.push(Grid {
                    element: id,
                    rows: 0,
                    column: 0,
                    free_from: Vec::new(),
                    widths: Vec::new(),
                    holds_table: false,
                });
            }
            Role::Row => {
                if let Some(grid) = self.tables.last_mut() {
                    grid.rows += 1;
                    grid.column = 0;
                }
            }
            Role::Cell | Role::HeaderCell => {
                if let Some(grid) = self.tables.last_mut() {
                    let (columns, rows) = (span(dict, "ColSpan"), span(dict, "RowSpan"));
                    (element.row, element.column) = grid.place(columns, rows);
                    (element.columns, element.rows) = (columns, rows);
                }
            }
            _ => {}
        }
        self.tags.elements.push(element);
        self.children(dict, Some(id), page, depth + 1);
        match (role, self.tables.last_mut()) {
            (Role::Row, Some(grid)) => grid.end_row(),
            (Role::Table, Some(_)) => {
                if let Some(grid) = self.tables.pop()
                    && let Some(table) = self.tags.elements.get_mut(grid.element as usize)
                {
                    // One row around another table only lays out what stands side by side.
                    let lays_out = grid.holds_table && grid.rows == 1;
                    table.columns = if lays_out { 1 } else { grid.free_from.len() as u32 };
                    let widths = (0..).zip(&grid.widths);
                    let short = widths.filter(|(_, width)| **width != table.columns);
                    table.short = short.map(|(row, _)| row).collect();
                    let whole = grid.rows > 1 && table.columns > 1;
                    if let Some(around) = self.tables.last_mut() {
                        around.holds_table |= whole || grid.holds_table;
                    }
                }
            }
            _ => {}
        }
    }

    /// What an element of `role` is inside `parent`. In a line of text, a label is the mark of a note, and what only
    /// groups is part of the line.
    fn within_line(&self, role: Role, parent: Option<u32>) -> Role {
        let around = parent.map(|parent| self.tags.around(parent).map(|(_, element)| element.role));
        let held = around.and_then(|mut roles| roles.find(|role| !matches!(role, Role::Inline)));
        let line = matches!(held, Some(Role::Paragraph | Role::Heading(_) | Role::Note | Role::Caption));
        let cell = matches!(held, Some(Role::Cell | Role::HeaderCell));
        let body = matches!(held, Some(Role::Item | Role::ItemBody | Role::Label | Role::TocItem));
        match role {
            Role::Label if line || cell => Role::Inline,
            Role::Group if line => Role::Inline,
            Role::Transparent if line || cell || body => Role::Inline,
            Role::Transparent => Role::Group,
            other => other,
        }
    }

    fn role(&self, dict: &Dict<'_>) -> Role {
        let Some(name) = dict.get::<Name<'_>>("S") else { return Role::Group };
        let mut name = name.as_str().to_owned();
        // A role map may lead through several names; standard names end the walk.
        for _ in 0..8 {
            if let Some(role) = standard_role(&name) {
                return role;
            }
            match self.roles.get::<Name<'_>>(&name) {
                Some(next) => name = next.as_str().to_owned(),
                None => break,
            }
        }
        Role::Group
    }
}

impl Grid {
    /// Notes how far the row reached.
    fn end_row(&mut self) {
        let row = self.rows.saturating_sub(1);
        while self.free_from.get(self.column as usize).is_some_and(|free| *free > row) {
            self.column += 1;
        }
        self.widths.push(self.column);
    }

    /// Takes the next free place for a cell of the given spans.
    fn place(&mut self, columns: u32, rows: u32) -> (u32, u32) {
        let row = self.rows.saturating_sub(1);
        while self.free_from.get(self.column as usize).is_some_and(|free| *free > row) {
            self.column += 1;
        }
        let start = self.column;
        self.column += columns;
        if self.free_from.len() < self.column as usize {
            self.free_from.resize(self.column as usize, 0);
        }
        for free in &mut self.free_from[start as usize..self.column as usize] {
            *free = row + rows;
        }
        (row, start)
    }
}

fn span(dict: &Dict<'_>, key: &str) -> u32 {
    let own = dict.get::<Dict<'_>>("A").and_then(|a| a.get::<u32>(key));
    let listed = || dict.get::<Array<'_>>("A")?.iter::<Dict<'_>>().find_map(|a| a.get::<u32>(key));
    own.or_else(listed).unwrap_or(1).clamp(1, MAX_SPAN)
}

fn standard_role(name: &str) -> Option<Role> {
    Some(match name {
        "Document" | "DocumentFragment" | "Part" | "Art" | "Sect" | "Div" | "BlockQuote" | "TOC"
        | "Index" | "Private" | "Aside" | "THead" | "TBody" | "TFoot" => Role::Group,
        "NonStruct" => Role::Transparent,
        "H" | "Title" => Role::Heading(None),
        "H1" | "H2" | "H3" | "H4" | "H5" | "H6" => Role::Heading(name[1..].parse().ok()),
        "P" => Role::Paragraph,
        "L" => Role::List,
        "LI" => Role::Item,
        "Lbl" => Role::Label,
        "LBody" => Role::ItemBody,
        "Table" => Role::Table,
        "TR" => Role::Row,
        "TH" => Role::HeaderCell,
        "TD" => Role::Cell,
        "TOCI" => Role::TocItem,
        "Figure" | "Formula" | "Form" => Role::Figure,
        "Note" | "FENote" => Role::Note,
        "Caption" => Role::Caption,
        "Span" | "Quote" | "Reference" | "BibEntry" | "Code" | "Link" | "Annot" | "Ruby" | "RB" | "RT"
        | "RP" | "Warichu" | "WT" | "WP" | "Em" | "Strong" | "Sub" => Role::Inline,
        _ => return None,
    })
}
