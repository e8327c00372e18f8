//! The pack as a workbook. No cell holds markup, and no text is run as a formula.

use super::data::{PackData, STATUSES, proposed, said};
use super::unwritten;
use crate::error::Result;
use rust_xlsxwriter::{Format, FormatAlign, Workbook, Worksheet, XlsxError};

/// Most characters of a cell; a workbook takes no more.
const LONGEST: usize = 32_000;

pub(super) fn write(data: &PackData) -> Result<Vec<u8>> {
    build(data).map_err(|error| unwritten(&error))
}

/// Formats of the sheets.
struct Formats {
    head: Format,
    wrapped: Format,
    title: Format,
}

fn build(data: &PackData) -> std::result::Result<Vec<u8>, XlsxError> {
    let mut book = Workbook::new();
    let formats = Formats {
        head: Format::new()
            .set_bold()
            .set_background_color(0x00E8_EAF6)
            .set_text_wrap()
            .set_align(FormatAlign::Top),
        wrapped: Format::new().set_text_wrap().set_align(FormatAlign::Top),
        title: Format::new().set_bold().set_font_size(14),
    };
    summary(book.add_worksheet().set_name("Summary")?, data, &formats)?;
    grid(book.add_worksheet().set_name("Grid")?, data, &formats)?;
    requirements(book.add_worksheet().set_name("Requirements")?, data, &formats)?;
    figures(book.add_worksheet().set_name("Figures")?, data, &formats)?;
    sources(book.add_worksheet().set_name("Sources")?, data, &formats)?;
    book.save_to_buffer()
}

fn summary(sheet: &mut Worksheet, data: &PackData, formats: &Formats) -> std::result::Result<(), XlsxError> {
    sheet.write_with_format(0, 0, &data.assessment, &formats.title)?;
    let edition = data.edition().map(|edition| ("Edition", edition));
    let agreed = data.agreed().map(|agreed| ("Agreement", agreed));
    let facts = [
        ("Made", super::data::moment(&data.made_at)),
        ("Program", format!("Sibyl {}", data.program)),
        ("Reviewers", data.reviewers.join(", ")),
        ("Reports", data.reports.iter().map(super::data::PackReport::name).collect::<Vec<_>>().join("; ")),
    ];
    let mut row = 2;
    for (name, value) in facts.into_iter().chain(edition).chain(agreed) {
        sheet.write(row, 0, name)?.write(row, 1, value)?;
        row += 1;
    }
    row += 1;
    let head = ["Standard", "Part"].into_iter().chain(STATUSES.map(said));
    for (column, name) in (0..).zip(head) {
        sheet.write_with_format(row, column, name, &formats.head)?;
    }
    for heading in data.headings() {
        row += 1;
        sheet.write(row, 0, heading.0)?.write(row, 1, heading.1)?;
        for (column, status) in (2..).zip(STATUSES) {
            sheet.write(row, column, data.count_below(heading, status) as u32)?;
        }
    }
    row += 1;
    sheet.write_with_format(row, 0, "All", &formats.head)?;
    for (column, status) in (2..).zip(STATUSES) {
        sheet.write_with_format(row, column, data.count(status) as u32, &formats.head)?;
    }
    for left in data.left_out() {
        row += 1;
        sheet.write(row + 1, 0, format!("Left out: {}", left.id))?.write(row + 1, 1, &left.reason)?;
    }
    sheet.write(row + 3, 0, "A proposal is what a search found; a decision is a reviewer’s.")?;
    sheet.set_column_width(0, 34)?.set_column_width(1, 40)?;
    Ok(())
}

fn head(
    sheet: &mut Worksheet,
    names: &[&str],
    widths: &[u16],
    formats: &Formats,
) -> std::result::Result<(), XlsxError> {
    for (column, (name, width)) in (0..).zip(names.iter().zip(widths)) {
        sheet.write_with_format(0, column, *name, &formats.head)?;
        sheet.set_column_width(column, f64::from(*width))?;
    }
    sheet.set_freeze_panes(1, 1)?;
    Ok(())
}

fn grid(sheet: &mut Worksheet, data: &PackData, formats: &Formats) -> std::result::Result<(), XlsxError> {
    let reports: Vec<String> = data.reports.iter().map(super::data::PackReport::name).collect();
    let names: Vec<&str> =
        ["Requirement", "Title"].into_iter().chain(reports.iter().map(String::as_str)).collect();
    let widths: Vec<u16> = [18, 50].into_iter().chain(reports.iter().map(|_| 22)).collect();
    head(sheet, &names, &widths, formats)?;
    sheet.set_freeze_panes(1, 2)?;
    for (row, one) in (1..).zip(&data.requirements) {
        sheet.write(row, 0, &one.id)?.write_with_format(row, 1, &one.label, &formats.wrapped)?;
        for (column, report) in (2..).zip(&data.reports) {
            let cell = one.cells.iter().find(|cell| cell.report_id == report.report_id);
            sheet.write(row, column, cell.map_or("Not in scope", |cell| said(cell.status)))?;
        }
    }
    filter(sheet, data.requirements.len(), names.len())
}

fn filter(sheet: &mut Worksheet, rows: usize, columns: usize) -> std::result::Result<(), XlsxError> {
    let (rows, columns) =
        (u32::try_from(rows).unwrap_or(u32::MAX), u16::try_from(columns).unwrap_or(u16::MAX));
    if rows > 0 {
        sheet.autofilter(0, 0, rows, columns - 1)?;
    }
    Ok(())
}

fn requirements(
    sheet: &mut Worksheet,
    data: &PackData,
    formats: &Formats,
) -> std::result::Result<(), XlsxError> {
    let names = [
        "Requirement",
        "Title",
        "Standard",
        "Part",
        "Mandatory",
        "Report",
        "Decision",
        "Note",
        "Reviewer",
        "Decided",
        "Evidence",
        "Page",
        "File",
        "Source",
        "Proposal",
        "Proposed page",
        "The report’s own index",
    ];
    let widths = [18, 40, 24, 24, 11, 24, 15, 40, 18, 20, 70, 10, 30, 30, 26, 14, 60];
    head(sheet, &names, &widths, formats)?;
    let mut row = 0;
    for one in &data.requirements {
        for cell in &one.cells {
            row += 1;
            let joined = |of: &dyn Fn(&super::data::PackQuotation) -> String| {
                let all: Vec<String> = cell.quotations.iter().map(of).collect();
                cut(&all.join("\n"))
            };
            let proposal = cell.proposal.as_ref();
            let page = proposal.and_then(|proposal| proposal.quotations.first()).map(|first| first.cited());
            let values = [
                one.id.clone(),
                one.label.clone(),
                one.standard.clone(),
                one.heading.clone(),
                if one.mandatory { "yes" } else { "no" }.to_owned(),
                data.report(&cell.report_id),
                said(cell.status).to_owned(),
                cut(&cell.note),
                cell.reviewer.clone().unwrap_or_default(),
                cell.decided_at.as_deref().map(super::data::moment).unwrap_or_default(),
                joined(&super::data::PackQuotation::shown),
                joined(&super::data::PackQuotation::cited),
                joined(&|quotation| quotation.path.clone()),
                cut(&cell
                    .quotations
                    .iter()
                    .filter_map(|one| one.source.clone())
                    .collect::<Vec<_>>()
                    .join("\n")),
                proposal.map(proposed).unwrap_or_default(),
                page.unwrap_or_default(),
                cut(&cell.claims.join("\n")),
            ];
            for (column, value) in (0..).zip(values) {
                sheet.write_with_format(row, column, value, &formats.wrapped)?;
            }
        }
    }
    filter(sheet, row as usize, names.len())
}

fn figures(sheet: &mut Worksheet, data: &PackData, formats: &Formats) -> std::result::Result<(), XlsxError> {
    let names = ["Requirement", "Report", "What", "Period", "Value as printed", "Unit", "Page"];
    head(sheet, &names, &[18, 24, 60, 12, 18, 20, 8], formats)?;
    let mut row = 0;
    for one in &data.requirements {
        for cell in &one.cells {
            for figure in cell.proposal.iter().flat_map(|proposal| &proposal.figures) {
                row += 1;
                let page = figure.page.map(|page| page.to_string()).unwrap_or_default();
                let values = [
                    one.id.clone(),
                    data.report(&cell.report_id),
                    cut(&figure.what),
                    figure.period.clone(),
                    figure.printed.clone(),
                    figure.unit.clone(),
                    page,
                ];
                for (column, value) in (0..).zip(values) {
                    sheet.write_with_format(row, column, value, &formats.wrapped)?;
                }
            }
        }
    }
    filter(sheet, row as usize, names.len())
}

fn sources(sheet: &mut Worksheet, data: &PackData, formats: &Formats) -> std::result::Result<(), XlsxError> {
    let names = ["Report", "File", "SHA-256", "Version of the text", "Pages"];
    head(sheet, &names, &[28, 40, 68, 24, 8], formats)?;
    let files = data.reports.iter().flat_map(|report| report.files.iter().map(move |file| (report, file)));
    for (row, (report, file)) in (1..).zip(files) {
        sheet.write(row, 0, report.name())?.write(row, 1, &file.path)?.write(row, 2, &file.sha256)?;
        sheet.write(row, 3, &file.text_version)?.write(row, 4, file.pages as f64)?;
    }
    Ok(())
}

/// `text` as far as a cell takes it.
fn cut(text: &str) -> String {
    text.chars().take(LONGEST).collect()
}
