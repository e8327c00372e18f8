//! Excel workbooks (Office Open XML).

use super::moment::Moment;
use super::{Sheet, display};
use crate::document::{Document, Notice, Severity};
use crate::format::office::{self, Parts, XLSX, refused};
use crate::format::write::Writer;
use crate::format::{Format, Input};
use calamine::{DataRef, Reader as _, SheetType, SheetVisible};
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
        4
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
    fn read(&self, input: &Input<'_>) -> Document {
        read(input).unwrap_or_else(refused)
    }
    fn read_locked(&self, input: &Input<'_>, passwords: &[String]) -> Document {
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
    let uncalculated = checked(&mut parts)?;
    let metadata = parts.metadata();
    let mut notices = std::mem::take(&mut parts.notices);
    if uncalculated > 0 {
        let message = format!(
            "expected a value with each formula, found {uncalculated} formulas that were never calculated; their cells are \
             empty here: open the workbook in a spreadsheet program and save it again"
        );
        notices.push(Notice::new(Severity::Warning, "formulas_without_values", message));
    }
    let mut workbook = Workbook::new(Cursor::new(input.bytes)).map_err(|_| office::broken(XLSX))?;
    let mut out = Writer::default();
    let mut hidden = Vec::new();
    for sheet in workbook.sheets_metadata().to_vec() {
        if sheet.typ != SheetType::WorkSheet {
            continue;
        }
        if sheet.visible != SheetVisible::Visible {
            hidden.push(sheet.name);
            continue;
        }
        match cells(&mut workbook, &sheet.name) {
            Some(cells) => {
                out.sheet(&sheet.name);
                super::write(&mut out, &sheet.name, &cells);
            }
            None => notices.push(unread(&sheet.name)),
        }
    }
    notices.extend(super::hidden_notice(&hidden));
    let title = metadata.get("title").and_then(serde_json::Value::as_str).map(str::to_owned);
    let title =
        title.or_else(|| Some(input.name.rsplit_once('.').map_or(input.name, |(stem, _)| stem).to_owned()));
    Ok(out.finish(title, metadata, notices))
}

/// Checks that no part inflates without end, as the parser opens the file itself; the number of formulas that have no
/// value stored with them.
///
/// # Errors
/// A notice where one does, or is damaged.
fn checked(parts: &mut Parts<'_>) -> Result<usize, Notice> {
    let read = |name: &&str| name.ends_with(".xml") || name.ends_with(".rels");
    let names: Vec<String> = parts.names().filter(read).map(str::to_owned).collect();
    let mut uncalculated = 0;
    for name in names {
        let bytes = parts.bytes(&name)?.unwrap_or_default();
        if name.starts_with("xl/worksheets/") {
            uncalculated += formulas_without_value(&bytes);
        }
    }
    Ok(uncalculated)
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

/// The cells of a sheet; `None` where they cannot be read to their end.
fn cells(workbook: &mut Workbook<'_>, name: &str) -> Option<Sheet> {
    let mut sheet = Sheet::default();
    for merged in workbook.merge_cells_by_sheet_name(name).ok()? {
        let span = |from: u32, to: u32| usize::try_from(to.saturating_sub(from)).unwrap_or(0) + 1;
        let size = (span(merged.start.0, merged.end.0), span(merged.start.1, merged.end.1));
        sheet.merged.insert(merged.start, size);
    }
    let mut reader = workbook.worksheet_cells_reader(name).ok()?;
    let codes: Vec<Option<String>> =
        reader.styles().iter().map(|style| Some(style.number_format.as_ref()?.format_code.clone())).collect();
    while let Some((cell, style)) = reader.next_cell_with_style_id().ok()? {
        let code = codes.get(style).and_then(Option::as_deref).unwrap_or("General");
        let (row, column) = cell.get_position();
        sheet.set(row, column, &shown(cell.get_value(), code));
    }
    Some(sheet)
}

/// What a cell shows.
fn shown(value: &DataRef<'_>, code: &str) -> String {
    match value {
        DataRef::Int(number) => display::number(*number as f64, code),
        DataRef::Float(number) => display::number(*number, code),
        DataRef::String(text) => display::text(text, code),
        DataRef::SharedString(text) => display::text(text, code),
        DataRef::DateTimeIso(text) | DataRef::DurationIso(text) => text.clone(),
        DataRef::Bool(value) => if *value { "TRUE" } else { "FALSE" }.to_owned(),
        DataRef::DateTime(moment) if moment.is_duration() => display::duration(moment.as_f64(), code),
        DataRef::DateTime(moment) => {
            let (year, month, day, hour, minute, second, milli) = moment.to_ymd_hms_milli();
            Moment { year, month, day, hour, minute, second, milli }.shown(code)
        }
        DataRef::Error(error) => error.to_string(),
        DataRef::Empty => String::new(),
    }
}
