//! The pack as a document for people, to be edited and printed.

use super::blocks::{Block, blocks};
use super::data::PackData;
use super::picture::Pictures;
use super::unwritten;
use crate::error::Result;
use docx_rs::{
    AlignmentType, BorderType, BreakType, Docx, Footer, PageNum, Paragraph, Pic, Run, RunFonts, Style,
    StyleType, Table, TableBorder, TableBorderPosition, TableBorders, TableCell, TableRow, WidthType,
};
use sibyl_page::Picture;
use std::io::Cursor;

/// Width of the text, in twentieths of a point.
const WIDTH: usize = 9_600;
/// The same in the unit of pictures, of which there are 635 in a twentieth of a point.
const ACROSS: u32 = 9_600 * 635;

pub(super) fn write(data: &PackData, pictures: &Pictures) -> Result<Vec<u8>> {
    let document = blocks(data, pictures).into_iter().fold(styled(Docx::new()), add);
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

fn add(document: Docx, block: Block<'_>) -> Docx {
    match block {
        Block::Title(text) => document.add_paragraph(titled(&text, "Title")),
        Block::Heading(level, text) => {
            document.add_paragraph(titled(&text, if level == 1 { "Heading1" } else { "Heading2" }))
        }
        Block::Line(text) => document.add_paragraph(plain(&text)),
        Block::Fact(name, value) => {
            let named = Paragraph::new().add_run(Run::new().add_text(format!("{name}: ")).bold());
            document.add_paragraph(named.add_run(Run::new().add_text(one_line(&value))))
        }
        Block::Table { head, rows, .. } => {
            let rows = rows.into_iter().map(|values| row(values, false));
            let rows = std::iter::once(row(head, true)).chain(rows).collect();
            let table = Table::new(rows).width(WIDTH, WidthType::Dxa).set_borders(TableBorders::new());
            document.add_table(table).add_paragraph(Paragraph::new())
        }
        Block::Break => {
            document.add_paragraph(Paragraph::new().add_run(Run::new().add_break(BreakType::Page)))
        }
        Block::Decision { report, said } => {
            let head = Paragraph::new().keep_next(true);
            let head = head.add_run(Run::new().add_text(one_line(&report)).bold());
            document.add_paragraph(head.add_run(Run::new().add_text(format!("  {said}"))))
        }
        Block::Quotation { words, place } => {
            let quote = Paragraph::new().style("Quote").add_run(Run::new().add_text(one_line(&words)));
            document.add_paragraph(quote.add_run(Run::new().add_text(format!("  {place}"))))
        }
        Block::Page { picture, .. } => document.add_paragraph(pictured(picture)),
        Block::Proposal { said, evidence } => {
            let framed = TableCell::new().add_paragraph(plain(&said));
            let framed = evidence.iter().fold(framed, |framed, one| framed.add_paragraph(plain(one)));
            let frame = Table::new(vec![TableRow::new(vec![framed])]).width(WIDTH, WidthType::Dxa);
            document.add_table(dashed(frame)).add_paragraph(Paragraph::new())
        }
    }
}

fn pictured(picture: &Picture) -> Paragraph {
    let down = f64::from(ACROSS) * f64::from(picture.height) / f64::from(picture.width.max(1));
    let shown = Pic::new_with_dimensions(picture.png.clone(), picture.width, picture.height);
    Paragraph::new().add_run(Run::new().add_image(shown.size(ACROSS, down as u32)))
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

fn row(values: Vec<String>, bold: bool) -> TableRow {
    let cell = |value: String| {
        let run = Run::new().add_text(one_line(&value));
        TableCell::new().add_paragraph(Paragraph::new().add_run(if bold { run.bold() } else { run }))
    };
    TableRow::new(values.into_iter().map(cell).collect())
}

/// A table with a dashed frame, which is a proposal's alone.
fn dashed(table: Table) -> Table {
    let sides = [
        TableBorderPosition::Top,
        TableBorderPosition::Bottom,
        TableBorderPosition::Left,
        TableBorderPosition::Right,
    ];
    let border = |side| TableBorder::new(side).border_type(BorderType::Dashed).size(4).color("6B6F80");
    sides.into_iter().fold(table, |table, side| table.set_border(border(side)))
}
