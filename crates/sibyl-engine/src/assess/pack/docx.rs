//! The pack as a document for people, to be edited and printed.

mod finish;

use super::blocks::{Block, blocks};
use super::data::PackData;
use super::picture::Pictures;
use super::unwritten;
use crate::error::Result;
use docx_rs::{
    AlignmentType, BorderType, BreakType, Docx, Footer, Hyperlink, HyperlinkType, LineSpacing, PageMargin,
    PageNum, Paragraph, Pic, Run, RunFonts, Shading, Style, StyleType, Table, TableBorder,
    TableBorderPosition, TableBorders, TableCell, TableLayoutType, TableRow, WidthType, XMLDocx,
};
use finish::{Properties, marked};
use sibyl_page::Picture;
use std::io::Cursor;

/// Width and height of an A4 page, and its side margins, in twentieths of a point.
const PAGE: (u32, u32) = (11_906, 16_838);
const ASIDE: i32 = 1_153;
/// Width of the text, in the same unit.
const WIDTH: usize = 9_600;
/// The same in the unit of pictures, with 635 to a twentieth of a point.
const ACROSS: u32 = 9_600 * 635;
/// Heading over the list of contents.
const CONTENTS: &str = "Contents";

pub(super) fn write(data: &PackData, pictures: &Pictures) -> Result<Vec<u8>> {
    let mut bytes = Cursor::new(Vec::new());
    parts(data, pictures)?.pack(&mut bytes).map_err(|error| unwritten(&error))?;
    Ok(bytes.into_inner())
}

/// The parts that a document is packed from.
pub(super) fn parts(data: &PackData, pictures: &Pictures) -> Result<XMLDocx> {
    let blocks = blocks(data, pictures);
    let names = blocks.iter().filter_map(|block| match block {
        Block::Heading(name) => Some(name.clone()),
        _ => None,
    });
    let mut writer = Writer { names: names.collect(), ..Writer::default() };
    let document =
        blocks.into_iter().fold(styled(Docx::new()), |document, block| writer.add(document, block));
    let mut parts = document.build();
    parts.document = marked(parts.document, &writer.shows).map_err(|error| unwritten(&error))?;
    let author = data.author();
    let properties = Properties { title: &data.assessment, author: &author, made_at: &data.made_at };
    parts.doc_props.core = properties.core().into_bytes();
    Ok(parts)
}

fn styled(document: Docx) -> Docx {
    let named = |id: &str, name: &str, (before, after): (u32, u32)| {
        Style::new(id, StyleType::Paragraph).name(name).line_spacing(spacing(before, after))
    };
    let heading = |id: &str, name: &str, size: usize, room| named(id, name, room).size(size).bold();
    let number = Paragraph::new().align(AlignmentType::Center).add_page_num(PageNum::new());
    let margins = PageMargin::new().left(ASIDE).right(ASIDE).top(1_134).bottom(1_134);
    document
        .page_size(PAGE.0, PAGE.1)
        .page_margin(margins)
        .default_fonts(RunFonts::new().ascii("Calibri").hi_ansi("Calibri").cs("Calibri"))
        .default_size(21)
        .default_line_spacing(spacing(0, 120))
        .add_style(heading("Title", "Title", 48, (0, 240)))
        .add_style(heading("Heading1", "heading 1", 30, (400, 140)).outline_lvl(0))
        .add_style(heading("Heading2", "heading 2", 24, (320, 80)).outline_lvl(1))
        .add_style(heading("ContentsHeading", "Contents Heading", 30, (400, 140)))
        .add_style(named("Entry", "Contents Entry", (0, 60)))
        .add_style(named("Fact", "Fact", (0, 60)))
        .add_style(named("Asked", "What is asked", (0, 60)).color("4D5060").size(19))
        .add_style(named("Cell", "Table Text", (30, 30)).size(18))
        .add_style(named("Decision", "Decision", (160, 80)))
        .add_style(named("Quote", "Quote", (60, 80)).italic().indent(Some(284), None, None, None))
        .footer(Footer::new().add_paragraph(number))
}

fn spacing(before: u32, after: u32) -> LineSpacing {
    LineSpacing::new().before(before).after(after)
}

/// State while a document is written.
#[derive(Default)]
struct Writer {
    /// Its headings, which the list of contents leads to.
    names: Vec<String>,
    /// Headings that were written.
    headings: usize,
    /// What its pictures show.
    shows: Vec<String>,
}

impl Writer {
    fn add(&mut self, document: Docx, block: Block<'_>) -> Docx {
        match block {
            Block::Title(text) => document.add_paragraph(titled(&text, "Title")),
            Block::Contents => self.contents(document),
            Block::Heading(text) => {
                self.headings += 1;
                let heading = Paragraph::new().style("Heading1").keep_next(true);
                let heading = heading.add_bookmark_start(self.headings, bookmark(self.headings));
                let heading = heading.add_run(Run::new().add_text(one_line(&text)));
                document.add_paragraph(heading.add_bookmark_end(self.headings))
            }
            Block::Requirement { id, label } => {
                document.add_paragraph(titled(&format!("{id}  {label}"), "Heading2"))
            }
            Block::Asked { words, items } => {
                let said = std::iter::once(words).filter(|words| !words.is_empty());
                let listed = items.into_iter().map(|item| format!("– {item}"));
                let asked = |text: String| plain(&text).style("Asked").keep_next(true);
                said.chain(listed).map(asked).fold(document, Docx::add_paragraph)
            }
            Block::Line(text) => document.add_paragraph(plain(&text)),
            Block::Fact(name, value) => {
                let named = Paragraph::new().style("Fact");
                let named = named.add_run(Run::new().add_text(format!("{name}: ")).bold());
                document.add_paragraph(named.add_run(Run::new().add_text(one_line(&value))))
            }
            Block::Table { head, shares, rows } => {
                document.add_table(table(head, &shares, rows)).add_paragraph(Paragraph::new())
            }
            Block::Break => {
                let turn = Paragraph::new().line_spacing(spacing(0, 0));
                document.add_paragraph(turn.add_run(Run::new().add_break(BreakType::Page)))
            }
            Block::Decision { report, said, .. } => {
                let head = Paragraph::new().style("Decision").keep_next(true);
                let head = head.add_run(Run::new().add_text(one_line(&report)).bold());
                document.add_paragraph(head.add_run(Run::new().add_text(format!("  {said}"))))
            }
            Block::Quotation { words, place } => {
                let quote = Paragraph::new().style("Quote").keep_lines(true);
                let quote = quote.add_run(Run::new().add_text(one_line(&words)));
                document.add_paragraph(quote.add_run(Run::new().add_text(format!("  {place}"))))
            }
            Block::Page { picture, shows } => {
                self.shows.push(shows);
                document.add_paragraph(pictured(picture))
            }
            Block::Proposal { said, evidence } => {
                let text = |text: &str, next: bool| plain(text).style("Cell").keep_next(next);
                let framed = TableCell::new().add_paragraph(text(&said, !evidence.is_empty()));
                let framed =
                    evidence.iter().fold(framed, |framed, one| framed.add_paragraph(text(one, false)));
                let frame = Table::new(vec![TableRow::new(vec![framed])]).width(WIDTH, WidthType::Dxa);
                document.add_table(dashed(frame)).add_paragraph(Paragraph::new().line_spacing(spacing(0, 0)))
            }
        }
    }

    /// The headings, each with a link to its place.
    fn contents(&self, document: Docx) -> Docx {
        let entry = |(at, name): (usize, &String)| {
            let link = Hyperlink::new(bookmark(at + 1), HyperlinkType::Anchor);
            let link = link.add_run(Run::new().add_text(one_line(name)).color("1F4E9E"));
            Paragraph::new().style("Entry").add_hyperlink(link)
        };
        let document = document.add_paragraph(titled(CONTENTS, "ContentsHeading"));
        self.names.iter().enumerate().map(entry).fold(document, Docx::add_paragraph)
    }
}

fn bookmark(number: usize) -> String {
    format!("part_{number}")
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

/// A table whose columns have their shares of the width, and whose head is repeated on each of its pages.
fn table(head: Vec<String>, shares: &[f32], rows: Vec<Vec<String>>) -> Table {
    let widths: Vec<usize> = shares.iter().map(|share| (share * WIDTH as f32) as usize).collect();
    let row = |values: Vec<String>, head: bool| {
        let cells = values.into_iter().zip(&widths).map(|(value, width)| {
            let run = Run::new().add_text(one_line(&value));
            let text = Paragraph::new().style("Cell").add_run(if head { run.bold() } else { run });
            let cell = TableCell::new().width(*width, WidthType::Dxa).add_paragraph(text);
            if head { cell.shading(Shading::new().fill("ECEEF7")) } else { cell }
        });
        TableRow::new(cells.collect()).cant_split()
    };
    let rows = std::iter::once(row(head, true)).chain(rows.into_iter().map(|values| row(values, false)));
    Table::new(rows.collect())
        .set_grid(widths.clone())
        .layout(TableLayoutType::Fixed)
        .width(WIDTH, WidthType::Dxa)
        .set_borders(TableBorders::new())
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
