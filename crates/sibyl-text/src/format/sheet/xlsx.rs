//! Excel workbooks (Office Open XML).

use super::{Hidden, Sheet};
use crate::document::{Document, Notice, Severity};
use crate::format::builder::DocumentBuilder;
use crate::format::drawing::Drawing;
use crate::format::number_format::{self, Moment};
use crate::format::office::{self, Parts, XLSX, attribute, below, element, elements};
use crate::format::raised::raised;
use crate::format::{Format, Input};
use calamine::{DataRef, Reader as _, SheetType, SheetVisible};
use std::collections::{HashMap, HashSet};
use std::io::Cursor;
use std::panic::{AssertUnwindSafe, catch_unwind};

type Workbook<'a> = calamine::Xlsx<Cursor<&'a [u8]>>;

/// Excel workbooks. Formulas count by the value that is stored with them.
#[derive(Debug, Clone, Copy, Default)]
pub struct Xlsx;

impl Format for Xlsx {
    fn name(&self) -> &'static str {
        "xlsx"
    }
    fn label(&self) -> &'static str {
        "Excel"
    }
    fn version(&self) -> u32 {
        9
    }
    fn extensions(&self) -> &'static [&'static str] {
        XLSX.extensions
    }
    fn recognises(&self, input: &Input<'_>) -> bool {
        office::is(input, &XLSX)
    }
    fn untrusted(&self) -> bool {
        true
    }
    fn parse(&self, input: &Input<'_>, passwords: &[String]) -> Document {
        office::unlocked(input, XLSX, passwords, read)
    }
}

fn read(input: &Input<'_>) -> Result<Document, Notice> {
    // The parser is not ours and the bytes are anyone's: a panic in it is a broken file.
    let workbook = catch_unwind(AssertUnwindSafe(|| workbook(input)));
    workbook.unwrap_or_else(|_| Err(office::broken(XLSX)))
}

fn workbook(input: &Input<'_>) -> Result<Document, Notice> {
    let mut parts = Parts::open(input, XLSX)?;
    let Checked { uncalculated, hidden, running, mut raised, parts: parts_of } = checked(&mut parts)?;
    let shared = parts.text("xl/sharedStrings.xml")?.unwrap_or_default();
    raised.add(&shared, "si")?;
    let raised = raised.into_shown();
    let comments = parts.comments()?;
    let mut metadata = parts.metadata();
    if !running.is_empty() {
        metadata.insert("running_text".to_owned(), running.into());
    }
    let mut notices = std::mem::take(&mut parts.notices);
    if uncalculated > 0 {
        let message = format!(
            "expected a value with each formula, found {uncalculated} formulas that were never calculated; their cells are \
             empty here: open the workbook in a spreadsheet program and save it again"
        );
        notices.push(Notice::new(Severity::Warning, "formulas_without_values", message));
    }
    let mut workbook = Workbook::new(Cursor::new(input.bytes)).map_err(|_| office::broken(XLSX))?;
    let mut out = DocumentBuilder::default();
    let (mut unseen, mut left_out, mut told, mut lost) = (Vec::new(), Hidden::default(), Vec::new(), 0);
    let sheets = workbook.sheets_metadata().to_vec();
    let is_read = |name: &str| {
        let cells = |sheet: &&calamine::Sheet| {
            sheet.typ == SheetType::WorkSheet && sheet.visible == SheetVisible::Visible
        };
        sheets.iter().filter(cells).any(|sheet| sheet.name == name)
    };
    for sheet in &sheets {
        if sheet.visible != SheetVisible::Visible {
            unseen.extend((sheet.typ == SheetType::WorkSheet).then(|| sheet.name.clone()));
            continue;
        }
        let (drawn, missed) = match parts_of.get(&sheet.name) {
            Some(part) => drawings(&mut parts, part)?,
            None => (Vec::new(), 0),
        };
        lost += missed;
        // The figures of other charts are those of cells.
        let drawn: Vec<Drawing> = drawn.into_iter().filter(|drawing| !drawing.shows_only(is_read)).collect();
        if sheet.typ == SheetType::ChartSheet {
            out.sheet(&sheet.name);
            write_drawings(&mut out, Some(&sheet.name), &drawn);
        }
        if sheet.typ != SheetType::WorkSheet {
            continue;
        }
        let ranges = hidden.get(&sheet.name).cloned().unwrap_or_default();
        match cells(&mut workbook, &sheet.name, ranges, &raised) {
            Some(cells) => {
                left_out.count(&sheet.name, &cells.hidden, &mut told);
                out.sheet(&sheet.name);
                super::write(&mut out, &sheet.name, &cells);
                let untold = cells.rows.is_empty().then_some(sheet.name.as_str());
                write_drawings(&mut out, untold, &drawn);
            }
            None => notices.push(unread(&sheet.name)),
        }
    }
    if lost > 0 {
        let message = format!(
            "{lost} charts and diagrams could not be read and were left out; ingest a PDF of the workbook for them"
        );
        notices.push(Notice::new(Severity::Info, "charts_left_out", message));
    }
    notices.extend(super::hidden_notice(&unseen));
    notices.extend(left_out.notices(&told));
    notices.extend(comments);
    let title = metadata.get("title").and_then(serde_json::Value::as_str).map(str::to_owned);
    let title =
        title.or_else(|| Some(input.name.rsplit_once('.').map_or(input.name, |(stem, _)| stem).to_owned()));
    Ok(out.finish(title, metadata, notices))
}

/// The drawings on the sheet in `part`, in the order of their names, and how many could not be read.
///
/// # Errors
/// A notice where a part inflates without end or is damaged.
fn drawings(parts: &mut Parts<'_>, part: &str) -> Result<(Vec<Drawing>, usize), Notice> {
    let (mut found, mut unread) = (Vec::new(), 0);
    for layer in parts.references(part)?.into_values().filter(|layer| layer.kind == "drawing") {
        let Ok(beside) = parts.references(&layer.part) else {
            unread += 1;
            continue;
        };
        let mut drawn: Vec<_> = Drawing::all(parts, &beside, XLSX).into_iter().collect();
        drawn.sort_by(|(one, _), (other, _)| beside[one].part.cmp(&beside[other].part));
        unread += beside.values().filter(|one| Drawing::is(one)).count() - drawn.len();
        found.extend(drawn.into_iter().map(|(_, drawing)| drawing));
    }
    Ok((found, unread))
}

/// Writes drawings below the name of their sheet, where it is `untold` so far.
fn write_drawings(out: &mut DocumentBuilder, untold: Option<&str>, drawn: &[Drawing]) {
    if let Some(name) = untold.filter(|_| !drawn.is_empty()) {
        out.heading(1, name);
    }
    drawn.iter().for_each(|drawing| drawing.write(out));
}

/// What is known of the sheets before their cells are read.
struct Checked {
    /// Formulas that have no value stored with them.
    uncalculated: usize,
    /// By the name of a sheet, the rows and columns that it hides.
    hidden: HashMap<String, Ranges>,
    /// What is printed at the head and foot of the sheets, each line once.
    running: Vec<String>,
    /// By the name of a sheet, the part that holds it.
    parts: HashMap<String, String>,
    /// Texts that stand in the sheets themselves.
    raised: Raised,
}

/// What a sheet hides.
#[derive(Debug, Clone, Default)]
struct Ranges {
    /// Rows, from and to (from 0).
    rows: Vec<(u32, u32)>,
    columns: Vec<(u32, u32)>,
    /// Whether cells may be filled by more than their own format: by the style of a table, or on a condition.
    filled: bool,
}

/// Checks that no part inflates without end, as the parser opens the file itself.
///
/// # Errors
/// A notice where one does, or is damaged.
fn checked(parts: &mut Parts<'_>) -> Result<Checked, Notice> {
    let main = parts.main.clone();
    let book = parts.text(&main)?.ok_or_else(|| office::broken(XLSX))?;
    let tree = office::parse(&book, XLSX)?;
    let targets = parts.references(&main)?;
    let sheets =
        element(tree.root_element(), "sheets").map(|list| elements(list, "sheet").collect::<Vec<_>>());
    let named: HashMap<String, String> = (sheets.unwrap_or_default().into_iter())
        .filter_map(|sheet| {
            let id = sheet.attributes().find(|a| a.name() == "id" && a.namespace().is_some())?;
            Some((targets.get(id.value())?.part.clone(), attribute(sheet, "name")?.to_owned()))
        })
        .collect();
    let read = |name: &&str| name.ends_with(".xml") || name.ends_with(".rels");
    let names: Vec<String> = parts.names().filter(read).map(str::to_owned).collect();
    let mut out = Checked {
        uncalculated: 0,
        hidden: HashMap::new(),
        running: Vec::new(),
        raised: Raised::default(),
        parts: HashMap::new(),
    };
    for part in names {
        let bytes = parts.bytes(&part)?.unwrap_or_default();
        if part.starts_with("xl/worksheets/") {
            out.uncalculated += formulas_without_value(&bytes);
            if memchr::memmem::find(&bytes, b"superscript").is_some() {
                // A damaged sheet is told where its cells are read.
                out.raised.add(&String::from_utf8_lossy(&bytes), "is").unwrap_or_default();
            }
        }
        if let Some(name) = named.get(&part) {
            out.hidden.insert(name.clone(), hidden_ranges(&bytes));
            let new: Vec<String> =
                printed_around(&bytes).into_iter().filter(|line| !out.running.contains(line)).collect();
            out.running.extend(new);
        }
    }
    out.parts = named.into_iter().map(|(part, name)| (name, part)).collect();
    Ok(out)
}

/// The texts at the head and foot of the printed pages of a sheet, without their codes (ECMA-376, part 1, 18.3.1.46).
fn printed_around(sheet: &[u8]) -> Vec<String> {
    let kinds = ["oddHeader", "oddFooter", "evenHeader", "evenFooter", "firstHeader", "firstFooter"];
    let said = kinds.iter().filter_map(|kind| {
        let from = memchr::memmem::find(sheet, format!("<{kind}").as_bytes())?;
        let start = from + memchr::memchr(b'>', &sheet[from..])? + 1;
        let end = start + memchr::memchr(b'<', &sheet[start..])?;
        let text = String::from_utf8_lossy(&sheet[start..end]);
        let signs = [("&quot;", "\""), ("&apos;", "'"), ("&#39;", "'"), ("&#10;", "\n"), ("&#xA;", "\n")];
        let text = signs.iter().fold(text.into_owned(), |text, (code, sign)| text.replace(code, sign));
        Some(without_codes(&text.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&")))
    });
    let lines = said.flat_map(|text| text.lines().map(|line| line.trim().to_owned()).collect::<Vec<_>>());
    lines.filter(|line| line.chars().any(char::is_alphabetic)).collect()
}

/// A text behind the colour that it begins with: six digits, or those of a theme with a tint, `01+034`.
fn without_colour(text: &str) -> &str {
    let tinted = text.get(2..3).is_some_and(|sign| matches!(sign, "+" | "-"));
    let digits = text.bytes().take(6).take_while(u8::is_ascii_hexdigit).count();
    text.get(if tinted { 6 } else { digits }..).unwrap_or_default()
}

/// A text of a header or footer without the codes that set its place, its font, page numbers and dates.
fn without_codes(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some((before, code)) = rest.split_once('&') {
        out.push_str(before);
        let mut signs = code.chars();
        rest = match signs.next() {
            Some('&') => {
                out.push('&');
                signs.as_str()
            }
            Some('L' | 'C' | 'R') => {
                out.push('\n');
                signs.as_str()
            }
            Some('"') => signs.as_str().split_once('"').map_or("", |(_, rest)| rest),
            Some('K') => without_colour(signs.as_str()),
            Some(c) if c.is_ascii_digit() => code.trim_start_matches(|c: char| c.is_ascii_digit()),
            _ => signs.as_str(),
        };
    }
    out + rest
}

/// Rows and columns that a sheet hides.
fn hidden_ranges(sheet: &[u8]) -> Ranges {
    let tags = |start: &'static [u8]| {
        memchr::memmem::find_iter(sheet, start).map(move |at| {
            let end = memchr::memchr(b'>', &sheet[at..]).map_or(sheet.len(), |end| at + end);
            String::from_utf8_lossy(&sheet[at..end])
        })
    };
    let value = |tag: &str, name: &str| {
        let (_, rest) = tag.split_once(&format!(" {name}=\""))?;
        rest.split('"').next()?.parse::<u32>().ok()?.checked_sub(1)
    };
    let hides = |tag: &str| tag.contains(" hidden=\"1\"") || tag.contains(" hidden=\"true\"");
    let rows =
        tags(b"<row ").filter(|tag| hides(tag)).filter_map(|tag| value(&tag, "r").map(|row| (row, row)));
    let columns = tags(b"<col ").filter(|tag| hides(tag));
    let columns = columns.filter_map(|tag| Some((value(&tag, "min")?, value(&tag, "max")?)));
    let mut joined: Vec<(u32, u32)> = Vec::new();
    for (from, to) in rows {
        match joined.last_mut() {
            Some(last) if last.1 + 1 == from => last.1 = to,
            _ => joined.push((from, to)),
        }
    }
    let holds = |mark: &[u8]| memchr::memmem::find(sheet, mark).is_some();
    let filled = holds(b"<tablePart") || holds(b"<conditionalFormatting");
    Ranges { rows: joined, columns: columns.collect(), filled }
}

/// Texts with raised parts, as they come from the parser and as they are shown. The mark of a note is no digit of the
/// number before it.
#[derive(Debug, Default)]
struct Raised {
    shown: HashMap<String, String>,
    /// Texts of which nothing is raised.
    plain: HashSet<String>,
}

impl Raised {
    /// Adds the texts that elements called `name` hold in the part `text`.
    ///
    /// # Errors
    /// A notice where the part is damaged.
    fn add(&mut self, text: &str, name: &str) -> Result<(), Notice> {
        if !text.contains("superscript") {
            return Ok(());
        }
        let tree = office::parse(text, XLSX)?;
        for item in tree.descendants().filter(|item| item.tag_name().name() == name) {
            let (mut said, mut shown) = (String::new(), String::new());
            for part in item.children().filter(|part| matches!(part.tag_name().name(), "r" | "t")) {
                let text = if part.tag_name().name() == "t" { Some(part) } else { element(part, "t") };
                let text = text.and_then(|text| text.text()).unwrap_or_default();
                let set = below(part, &["rPr", "vertAlign"]).and_then(|align| attribute(align, "val"));
                said.push_str(text);
                let text = if set == Some("superscript") { raised(&shown, text) } else { text.to_owned() };
                shown.push_str(&text);
            }
            if said == shown {
                self.plain.insert(said);
            } else {
                self.shown.insert(said, shown);
            }
        }
        Ok(())
    }

    /// The texts that are shown otherwise wherever they stand.
    fn into_shown(mut self) -> HashMap<String, String> {
        self.shown.retain(|said, _| !self.plain.contains(said));
        self.shown
    }
}

/// Cells of a sheet that have a formula and no value. A formula that comes to an empty text says that it is one.
fn formulas_without_value(sheet: &[u8]) -> usize {
    let empty = |at: usize| {
        let rest = sheet[at + b"</f>".len()..].trim_ascii_start();
        let valueless =
            [b"</c>".as_slice(), b"<v></v>", b"<v/>", b"<v />"].iter().any(|end| rest.starts_with(end));
        let cell = &sheet[memchr::memmem::rfind(&sheet[..at], b"<c ").unwrap_or(0)..at];
        valueless && memchr::memmem::find(cell, b"t=\"str\"").is_none()
    };
    memchr::memmem::find_iter(sheet, b"</f>").filter(|at| empty(*at)).count()
}

fn unread(sheet: &str) -> Notice {
    let message = format!(
        "expected the cells of sheet {sheet:?}, found a damaged part; the sheet was left out; open the workbook and \
         save it again"
    );
    Notice::new(Severity::Warning, "sheet_broken", message)
}

/// The cells of a sheet that hides `ranges`; `None` where they cannot be read to their end.
fn cells(
    workbook: &mut Workbook<'_>,
    name: &str,
    ranges: Ranges,
    raised: &HashMap<String, String>,
) -> Option<Sheet> {
    let mut sheet = Sheet::default();
    let Ranges { rows, columns, filled } = ranges;
    (sheet.hidden.rows, sheet.hidden.columns) = (rows, columns);
    for merged in workbook.merge_cells_by_sheet_name(name).ok()? {
        let span = |from: u32, to: u32| usize::try_from(to.saturating_sub(from)).unwrap_or(0) + 1;
        let size = (span(merged.start.0, merged.end.0), span(merged.start.1, merged.end.1));
        sheet.merged.insert(merged.start, size);
    }
    let mut reader = workbook.worksheet_cells_reader(name).ok()?;
    let looks: Vec<Look> = reader.styles().iter().map(Look::of).collect();
    while let Some((cell, style)) = reader.next_cell_with_style_id().ok()? {
        let look = looks.get(style);
        let code = look.and_then(|look| look.code.as_deref()).unwrap_or("General");
        let (row, column) = cell.get_position();
        let mut text = shown(cell.get_value(), code);
        if let Some(as_shown) = raised.get(&text) {
            text.clone_from(as_shown);
        }
        if look.is_some_and(|look| look.struck || (look.unseen && !filled)) {
            sheet.hidden.cells += usize::from(!text.trim().is_empty());
            continue;
        }
        sheet.set(row, column, &text);
        if look.is_some_and(|look| look.marked) {
            sheet.marked.insert((row, column));
        }
        if let Some(indent) = look.map(|look| look.indent).filter(|indent| *indent > 0) {
            *sheet.indents.entry((row, column)).or_default() += indent * STEP;
        }
    }
    Some(sheet)
}

/// What a style of cells says of them.
struct Look {
    /// How numbers are shown.
    code: Option<String>,
    /// Whether it sets cells apart: bold or filled.
    marked: bool,
    /// Whether what it formats is white on white.
    unseen: bool,
    struck: bool,
    /// How many steps further right it begins.
    indent: u32,
}

/// Blanks that are as wide as a step.
const STEP: u32 = 3;

impl Look {
    fn of(style: &calamine::Style) -> Self {
        let white = |color: calamine::Color| color.is_white();
        let filled = style.fill.as_ref().filter(|fill| fill.is_visible());
        let coloured = filled.is_some_and(|fill| !fill.get_color().is_some_and(white));
        let font = style.font.as_ref();
        let unseen = font.and_then(|font| font.color).is_some_and(white) && !coloured;
        Self {
            code: style.number_format.as_ref().map(|format| format.format_code.clone()),
            marked: coloured || font.is_some_and(calamine::Font::is_bold),
            unseen,
            struck: font.is_some_and(calamine::Font::has_strikethrough),
            indent: style.alignment.as_ref().and_then(|alignment| alignment.indent).map_or(0, u32::from),
        }
    }
}

/// What a cell shows.
fn shown(value: &DataRef<'_>, code: &str) -> String {
    match value {
        DataRef::Int(number) => number_format::number(*number as f64, code),
        DataRef::Float(number) => number_format::number(*number, code),
        DataRef::String(text) => number_format::text(text, code),
        DataRef::SharedString(text) => number_format::text(text, code),
        DataRef::DateTimeIso(text) | DataRef::DurationIso(text) => text.clone(),
        DataRef::Bool(value) => if *value { "TRUE" } else { "FALSE" }.to_owned(),
        DataRef::DateTime(moment) if moment.is_duration() => number_format::duration(moment.as_f64(), code),
        DataRef::DateTime(days) => Moment::of(days).shown(code),
        DataRef::Error(error) => error.to_string(),
        DataRef::Empty => String::new(),
    }
}
