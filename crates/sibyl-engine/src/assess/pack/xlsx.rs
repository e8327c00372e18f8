//! The pack as a workbook. No cell has markup, and no text is run as a formula.

use super::blocks::{ALL, counted, facts};
use super::data::{PackCell, PackCells, PackData, PackQuotation, PackReport, PackRequirement, moment, said};
use super::unwritten;
use super::words::{error_rate, log, proposed};
use crate::error::Result;
use rust_xlsxwriter::{DocProperties, ExcelDateTime, Format, FormatAlign, Workbook, Worksheet, XlsxError};

/// Maximum number of characters of a cell; a workbook accepts no more.
const LONGEST: usize = 32_000;
/// Maximum number of characters that a column of names in the summary is wide.
const WIDEST: usize = 70;
/// Numbers of the paper sizes A3 and A4.
const A3: u8 = 8;
const A4: u8 = 9;

type Written = std::result::Result<(), XlsxError>;

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
    let properties = DocProperties::new().set_title(&data.assessment).set_author(data.author());
    let made_at = ExcelDateTime::parse_from_str(data.made_at.trim_end_matches('Z'))?;
    book.set_properties(&properties.set_creation_datetime(&made_at));
    summary(printed(book.add_worksheet().set_name("Summary")?), data, &formats)?;
    grid(sheet(&mut book, "Grid")?, data, &formats)?;
    requirements(sheet(&mut book, "Requirements")?.set_paper_size(A3), data, &formats)?;
    proposals(sheet(&mut book, "Proposals")?, data, &formats)?;
    figures(sheet(&mut book, "Figures")?, data, &formats)?;
    logged(sheet(&mut book, "Log")?, data, &formats)?;
    sources(sheet(&mut book, "Sources")?, data, &formats)?;
    book.save_to_buffer()
}

/// `sheet` as wide as a page of A4 across when it is printed.
fn printed(sheet: &mut Worksheet) -> &mut Worksheet {
    sheet.set_landscape().set_paper_size(A4).set_print_fit_to_pages(1, 0).set_footer("&L&A&RPage &P of &N")
}

/// A sheet whose first row is printed on each of its pages.
fn sheet<'b>(book: &'b mut Workbook, name: &str) -> std::result::Result<&'b mut Worksheet, XlsxError> {
    printed(book.add_worksheet().set_name(name)?).set_repeat_rows(0, 0)
}

fn summary(sheet: &mut Worksheet, data: &PackData, formats: &Formats) -> Written {
    sheet.write_with_format(0, 0, &data.assessment, &formats.title)?;
    let mut row = 2;
    for (name, value) in facts(data) {
        sheet.write(row, 0, name)?.write(row, 1, value)?;
        row += 1;
    }
    row += 1;
    let (head, rows) = counted(data);
    for (column, name) in (0..).zip(head) {
        sheet.write_with_format(row, column, name, &formats.head)?;
    }
    let plain = Format::new();
    let mut widest = [20, 20];
    for (part, report, counts) in rows {
        row += 1;
        let format = if part == ALL { &formats.head } else { &plain };
        for (width, name) in widest.iter_mut().zip([&part, &report]) {
            *width = (*width).max(name.chars().count() + 2).min(WIDEST);
        }
        sheet.write_with_format(row, 0, part, format)?.write_with_format(row, 1, report, format)?;
        for (column, count) in (2..).zip(counts) {
            sheet.write_with_format(row, column, count as u32, format)?;
        }
    }
    sheet.write(row + 2, 0, "A proposal is what a search found; a decision is a reviewer’s.")?;
    for (column, width) in (0..).zip(widest) {
        sheet.set_column_width(column, width as f64)?;
    }
    for column in 2..8 {
        sheet.set_column_width(column, 14)?;
    }
    Ok(())
}

fn head(sheet: &mut Worksheet, columns: &[(&str, u16)], formats: &Formats) -> Written {
    for (column, (name, width)) in (0..).zip(columns) {
        sheet.write_with_format(0, column, *name, &formats.head)?;
        sheet.set_column_width(column, f64::from(*width))?;
    }
    sheet.set_freeze_panes(1, 1)?;
    Ok(())
}

/// Writes `rows` below a head of `columns`, with a filter over them.
fn listed(
    sheet: &mut Worksheet,
    columns: &[(&str, u16)],
    rows: impl Iterator<Item = Vec<String>>,
    formats: &Formats,
) -> Written {
    head(sheet, columns, formats)?;
    let mut last = 0;
    for (row, values) in (1..).zip(rows) {
        for (column, value) in (0..).zip(values) {
            sheet.write_with_format(row, column, cut(&value), &formats.wrapped)?;
        }
        last = row;
    }
    if last > 0 {
        sheet.autofilter(0, 0, last, u16::try_from(columns.len()).unwrap_or(u16::MAX) - 1)?;
    }
    Ok(())
}

/// The cells of `data` with their requirements, in reading order.
fn cells(data: &PackData) -> impl Iterator<Item = (&PackRequirement, &PackCell)> {
    data.requirements.iter().flat_map(|one| one.cells.iter().map(move |cell| (one, cell)))
}

fn grid(sheet: &mut Worksheet, data: &PackData, formats: &Formats) -> Written {
    let reports: Vec<String> = data.reports.iter().map(PackReport::name).collect();
    let columns: Vec<(&str, u16)> = [("Requirement", 18), ("Title", 50)]
        .into_iter()
        .chain(reports.iter().map(|report| (report.as_str(), 26)))
        .collect();
    let missing = match data.contents.only {
        PackCells::All => "Not in scope",
        PackCells::Decided | PackCells::Open => "Not in this pack",
    };
    let row = |one: &PackRequirement| {
        let status = |report: &PackReport| {
            let cell = one.cells.iter().find(|cell| cell.report_id == report.report_id);
            cell.map_or(missing, |cell| said(cell.status)).to_owned()
        };
        [one.id.clone(), one.label.clone()].into_iter().chain(data.reports.iter().map(status)).collect()
    };
    listed(sheet, &columns, data.requirements.iter().map(row), formats)?;
    sheet.set_freeze_panes(1, 2)?;
    Ok(())
}

fn requirements(sheet: &mut Worksheet, data: &PackData, formats: &Formats) -> Written {
    let columns = [
        ("Requirement", 14),
        ("Title", 22),
        ("What it asks for", 38),
        ("Checklist", 36),
        ("Standard", 12),
        ("Part", 14),
        ("Mandatory", 10),
        ("Report", 18),
        ("Decision", 11),
        ("Note", 26),
        ("Reviewer", 12),
        ("Decided", 13),
        ("Evidence", 42),
        ("Page", 8),
        ("File", 18),
        ("Source", 14),
        ("Proposal", 15),
        ("The report’s own index", 22),
    ];
    let row = |(one, cell): (&PackRequirement, &PackCell)| {
        let joined = |of: &dyn Fn(&PackQuotation) -> String| {
            cell.quotations.iter().map(of).collect::<Vec<_>>().join("\n")
        };
        let items: Vec<String> = one.items.iter().map(|item| format!("– {}", item.told())).collect();
        let sources = cell.quotations.iter().filter_map(|one| one.source.clone()).collect::<Vec<_>>();
        vec![
            one.id.clone(),
            one.label.clone(),
            one.asked(),
            items.join("\n"),
            one.standard.clone(),
            one.heading.clone(),
            if one.mandatory { "yes" } else { "no" }.to_owned(),
            data.report_name(&cell.report_id),
            said(cell.status).to_owned(),
            cell.note.clone(),
            cell.reviewer.clone().unwrap_or_default(),
            cell.decided_at.as_deref().map(moment).unwrap_or_default(),
            joined(&PackQuotation::shown),
            joined(&PackQuotation::cited),
            joined(&|quotation| quotation.path.clone()),
            sources.join("\n"),
            cell.proposal.as_ref().map(proposed).unwrap_or_default(),
            cell.claims.join("\n"),
        ]
    };
    listed(sheet, &columns, cells(data).map(row), formats)
}

/// A row for each passage that was proposed, and one for each proposal without any.
fn proposals(sheet: &mut Worksheet, data: &PackData, formats: &Formats) -> Written {
    let columns = [
        ("Requirement", 16),
        ("Title", 26),
        ("Report", 22),
        ("Proposal", 20),
        ("Error rate", 18),
        ("Passage", 74),
        ("Page", 8),
        ("File", 22),
    ];
    let rows = cells(data).flat_map(|(one, cell)| {
        let proposal = cell.proposal.as_ref();
        let passages: Vec<Option<&PackQuotation>> = match proposal {
            Some(proposal) if proposal.quotations.is_empty() => vec![None],
            Some(proposal) => proposal.quotations.iter().map(Some).collect(),
            None => Vec::new(),
        };
        passages.into_iter().map(move |passage| {
            vec![
                one.id.clone(),
                one.label.clone(),
                data.report_name(&cell.report_id),
                proposal.map(proposed).unwrap_or_default(),
                proposal.map(error_rate).unwrap_or_default(),
                passage.map(PackQuotation::shown).unwrap_or_default(),
                passage.map(PackQuotation::cited).unwrap_or_default(),
                passage.map(|passage| passage.path.clone()).unwrap_or_default(),
            ]
        })
    });
    listed(sheet, &columns, rows, formats)
}

fn figures(sheet: &mut Worksheet, data: &PackData, formats: &Formats) -> Written {
    let columns = [
        ("Requirement", 18),
        ("Report", 26),
        ("What", 60),
        ("Kind", 12),
        ("Period", 12),
        ("Value as printed", 18),
        ("Unit", 20),
        ("Page", 8),
    ];
    let rows = cells(data).flat_map(|(one, cell)| {
        let figures = cell.proposal.iter().flat_map(|proposal| &proposal.figures);
        figures.map(move |figure| {
            vec![
                one.id.clone(),
                data.report_name(&cell.report_id),
                figure.what.clone(),
                figure.kind().to_owned(),
                figure.period.clone(),
                figure.printed.clone(),
                figure.unit.clone(),
                figure.page.map(|page| page.to_string()).unwrap_or_default(),
            ]
        })
    });
    listed(sheet, &columns, rows, formats)
}

fn logged(sheet: &mut Worksheet, data: &PackData, formats: &Formats) -> Written {
    let columns = [
        ("When", 24),
        ("Requirement", 18),
        ("Report", 26),
        ("Reviewer", 20),
        ("What changed", 40),
        ("Note", 60),
    ];
    let rows = cells(data).flat_map(|(one, cell)| {
        log(cell).into_iter().map(move |entry| {
            vec![
                moment(&entry.decision.at),
                one.id.clone(),
                data.report_name(&cell.report_id),
                entry.decision.reviewer.clone(),
                entry.changed,
                entry.decision.note.clone(),
            ]
        })
    });
    listed(sheet, &columns, rows, formats)
}

fn sources(sheet: &mut Worksheet, data: &PackData, formats: &Formats) -> Written {
    let columns = [("Report", 30), ("File", 40), ("SHA-256", 68), ("Version of the text", 24), ("Pages", 8)];
    let files = data.reports.iter().flat_map(|report| report.files.iter().map(move |file| (report, file)));
    let rows = files.map(|(report, file)| {
        let (path, sha256) = (file.path.clone(), file.sha256.clone());
        vec![report.full_name(), path, sha256, file.text_version.clone(), file.pages.to_string()]
    });
    listed(sheet, &columns, rows, formats)
}

/// `text`, cut to what a cell accepts.
fn cut(text: &str) -> String {
    text.chars().take(LONGEST).collect()
}
