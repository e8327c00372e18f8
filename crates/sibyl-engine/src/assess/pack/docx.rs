//! The pack as a document for people: cover, summary by part, then requirement by requirement, and the sources.

use super::data::{PackCell, PackData, PackQuotation, PackReport, STATUSES, moment, proposed, said};
use super::picture::Pictures;
use super::unwritten;
use crate::error::Result;
use docx_rs::{
    AlignmentType, BorderType, BreakType, Docx, Footer, PageNum, Paragraph, Pic, Run, RunFonts, Style,
    StyleType, Table, TableBorders, TableCell, TableRow, WidthType,
};
use std::io::Cursor;

/// Width of the text, in twentieths of a point.
const WIDTH: usize = 9_600;
/// The same in the unit of pictures, of which there are 635 in a twentieth of a point.
const ACROSS: u32 = 9_600 * 635;

pub(super) fn write(data: &PackData, pictures: &Pictures) -> Result<Vec<u8>> {
    let mut document = styled(Docx::new());
    document = cover(document, data);
    document = summary(document, data);
    for heading in data.headings() {
        document = document.add_paragraph(titled(&format!("{} · {}", heading.0, heading.1), "Heading1"));
        for one in data.below(heading) {
            document = document.add_paragraph(titled(&format!("{}  {}", one.id, one.label), "Heading2"));
            for cell in &one.cells {
                document = cell_of(document, data, pictures, cell);
            }
        }
    }
    document = sources(document, data);
    let mut bytes = Cursor::new(Vec::new());
    document.build().pack(&mut bytes).map_err(|error| unwritten(&error))?;
    Ok(bytes.into_inner())
}

fn styled(document: Docx) -> Docx {
    let heading =
        |id: &str, name: &str, size: usize| Style::new(id, StyleType::Paragraph).name(name).size(size).bold();
    let number = Paragraph::new().align(AlignmentType::Center).add_page_num(PageNum::new());
    document
        .default_fonts(RunFonts::new().ascii("Calibri").hi_ansi("Calibri").cs("Calibri"))
        .default_size(22)
        .add_style(heading("Title", "Title", 48))
        .add_style(heading("Heading1", "heading 1", 30))
        .add_style(heading("Heading2", "heading 2", 24))
        .add_style(Style::new("Quote", StyleType::Paragraph).name("Quote").italic())
        .footer(Footer::new().add_paragraph(number))
}

fn titled(text: &str, style: &str) -> Paragraph {
    Paragraph::new().style(style).keep_next(true).add_run(Run::new().add_text(one_line(text)))
}

fn plain(text: &str) -> Paragraph {
    Paragraph::new().add_run(Run::new().add_text(one_line(text)))
}

fn one_line(text: &str) -> String {
    let shown = |c: &char| !c.is_control() || c.is_whitespace();
    text.chars().filter(shown).collect::<String>().split_whitespace().collect::<Vec<_>>().join(" ")
}

fn cover(document: Docx, data: &PackData) -> Docx {
    let reviewers =
        if data.reviewers.is_empty() { "not named".to_owned() } else { data.reviewers.join(", ") };
    let names: Vec<String> = data.reports.iter().map(PackReport::name).collect();
    let mut document = document
        .add_paragraph(titled(&data.assessment, "Title"))
        .add_paragraph(plain(&format!("Reports: {}", names.join("; "))))
        .add_paragraph(plain(&format!("Requirements: {}", data.requirements.len())))
        .add_paragraph(plain(&format!("Reviewers: {reviewers}")))
        .add_paragraph(plain(&format!("Made {} with Sibyl {}", moment(&data.made_at), data.program)));
    if let Some(edition) = data.edition() {
        document = document.add_paragraph(plain(&format!("Edition: {edition}")));
    }
    for agreed in data.agreed() {
        document = document.add_paragraph(plain(&agreed));
    }
    for left in data.left_out() {
        document = document.add_paragraph(plain(&format!("Left out: {} ({})", left.id, left.reason)));
    }
    document.add_paragraph(plain("A proposal is what a search found; a decision is a reviewer’s."))
}

fn summary(document: Docx, data: &PackData) -> Docx {
    let head = ["Part"].into_iter().chain(STATUSES.map(said)).map(str::to_owned);
    let mut rows = vec![row(head.collect(), true)];
    for heading in data.headings() {
        let counts = STATUSES.map(|status| data.count_below(heading, status).to_string());
        let name = format!("{} · {}", heading.0, heading.1);
        rows.push(row([name].into_iter().chain(counts).collect(), false));
    }
    let counts = STATUSES.map(|status| data.count(status).to_string());
    rows.push(row(["All".to_owned()].into_iter().chain(counts).collect(), true));
    let breaks = Paragraph::new().add_run(Run::new().add_break(BreakType::Page));
    document.add_paragraph(titled("Summary", "Heading1")).add_table(table(rows)).add_paragraph(breaks)
}

fn table(rows: Vec<TableRow>) -> Table {
    Table::new(rows).width(WIDTH, WidthType::Dxa).set_borders(TableBorders::new())
}

fn row(values: Vec<String>, bold: bool) -> TableRow {
    let cell = |value: String| {
        let run = Run::new().add_text(one_line(&value));
        TableCell::new().add_paragraph(Paragraph::new().add_run(if bold { run.bold() } else { run }))
    };
    TableRow::new(values.into_iter().map(cell).collect())
}

fn cell_of(document: Docx, data: &PackData, pictures: &Pictures, cell: &PackCell) -> Docx {
    let decided = match (&cell.decided_at, &cell.reviewer) {
        (Some(at), Some(who)) if !who.trim().is_empty() => format!(" · {who}, {}", moment(at)),
        (Some(at), _) => format!(" · {}", moment(at)),
        (None, _) => String::new(),
    };
    let head = Paragraph::new()
        .keep_next(true)
        .add_run(Run::new().add_text(one_line(&data.report(&cell.report_id))).bold())
        .add_run(Run::new().add_text(format!("  {}{decided}", said(cell.status))));
    let mut document = document.add_paragraph(head);
    if !cell.note.trim().is_empty() {
        document = document.add_paragraph(plain(&cell.note));
    }
    for quotation in &cell.quotations {
        document = quoted(document, quotation);
        document = match pictures.of(quotation) {
            Some(Ok(picture)) => {
                let across = f64::from(ACROSS);
                let down = across * f64::from(picture.height) / f64::from(picture.width.max(1));
                let shown = Pic::new_with_dimensions(picture.png.clone(), picture.width, picture.height)
                    .size(ACROSS, down as u32);
                document.add_paragraph(Paragraph::new().add_run(Run::new().add_image(shown)))
            }
            Some(Err(why)) => document.add_paragraph(plain(&format!("Its page could not be drawn: {why}"))),
            None => document,
        };
    }
    for claim in &cell.claims {
        document = document.add_paragraph(plain(&one_line(&format!("The report’s own index. {claim}"))));
    }
    let Some(proposal) = &cell.proposal else { return document };
    let wrong =
        proposal.error_rate.map(|rate| format!("; of this kind, {:.0} in 100 are wrong", rate * 100.0));
    let said = format!("Proposal: {}{}", proposed(proposal), wrong.unwrap_or_default());
    let mut framed = TableCell::new().add_paragraph(plain(&said));
    for quotation in &proposal.quotations {
        let place = quotation.cited();
        framed = framed.add_paragraph(plain(&format!("“{}” {place}", one_line(&quotation.shown()))));
    }
    for figure in &proposal.figures {
        let page = figure.page.map(|page| format!(" p. {page}")).unwrap_or_default();
        let said = format!("{} {}: {} {}{page}", figure.what, figure.period, figure.printed, figure.unit);
        framed = framed.add_paragraph(plain(&said));
    }
    let frame = Table::new(vec![TableRow::new(vec![framed])]).width(WIDTH, WidthType::Dxa);
    document.add_table(dashed(frame)).add_paragraph(Paragraph::new())
}

/// A table with a dashed frame, which is a proposal's alone.
fn dashed(table: Table) -> Table {
    use docx_rs::{TableBorder, TableBorderPosition};
    let sides = [
        TableBorderPosition::Top,
        TableBorderPosition::Bottom,
        TableBorderPosition::Left,
        TableBorderPosition::Right,
    ];
    let border = |side| TableBorder::new(side).border_type(BorderType::Dashed).size(4).color("6B6F80");
    sides.into_iter().fold(table, |table, side| table.set_border(border(side)))
}

fn quoted(document: Docx, quotation: &PackQuotation) -> Docx {
    let words = Run::new().add_text(format!("“{}”", one_line(&quotation.shown())));
    let quote = Paragraph::new()
        .style("Quote")
        .add_run(words)
        .add_run(Run::new().add_text(format!("  {}", quotation.place())));
    document.add_paragraph(quote)
}

fn sources(document: Docx, data: &PackData) -> Docx {
    let head = ["Report", "File", "SHA-256"].map(str::to_owned).to_vec();
    let mut rows = vec![row(head, true)];
    for report in &data.reports {
        for file in &report.files {
            rows.push(row(vec![report.name(), file.path.clone(), file.sha256.clone()], false));
        }
    }
    let check =
        "To compare this pack with a library, export it as JSON too and run: sibyl assess verify PACK.json";
    document.add_paragraph(titled("Sources", "Heading1")).add_table(table(rows)).add_paragraph(plain(check))
}
