//! Blocks of pages become blocks of a document, each as one, also where it goes over pages.

use super::block::{Block, Form};
use super::hyphen::{Lexicon, Seam};
use super::indent;
use super::line::Line;
use super::list::{self, Mark};
use super::page_break::Paged;
use super::sideways::Sideways;
use super::table::Part;
use super::word::is_numeric;
use crate::document::{BlockKind, INDENT, Page, Segment, Span};
use crate::format::builder::{self, DocumentBuilder, Row, Words};
use crate::language::cell::Kind;

/// A line with its page.
type Placed<'b> = (u32, &'b Line);

/// A block with what of it stands on further pages.
struct Whole<'b> {
    parts: Vec<(u32, &'b Block)>,
    /// Whether it stands below no item of a list: first on its page, or behind a paragraph that the next page continues.
    apart: bool,
}

/// The document of pages in the order in which they are read; `lies` tells how those lie whose blocks were turned upright.
pub(super) fn document(
    pages: &[Paged],
    named: impl Iterator<Item = Page>,
    lies: &[Option<Sideways>],
    lexicon: &Lexicon,
) -> DocumentBuilder {
    let mut out = DocumentBuilder::on_pages(named);
    let composer = Composer { lexicon, lies };
    for whole in wholes(pages) {
        if whole.apart {
            out.turn(whole.parts[0].0);
        }
        composer.add(&whole, &mut out);
    }
    out
}

fn wholes(pages: &[Paged]) -> Vec<Whole<'_>> {
    let mut out: Vec<Whole<'_>> = Vec::new();
    // The block that the next page may continue.
    let mut open = 0;
    for (number, page) in (1..).zip(pages) {
        let (mut blocks, behind) = page.blocks.split_at(page.blocks.len() - page.behind);
        if let Some((rest, others)) = blocks.split_first().filter(|_| page.continues)
            && let Some(whole) = out.get_mut(open)
        {
            whole.parts.push((number, rest));
            blocks = others;
        }
        let apart = out.len();
        for block in blocks {
            match out.get_mut(open).filter(|above| block.is_later_part() && above.is_table()) {
                Some(above) => above.parts.push((number, block)),
                None => {
                    open = out.len();
                    out.push(Whole { parts: vec![(number, block)], apart: open == apart });
                }
            }
        }
        let aside = behind.iter().enumerate();
        out.extend(aside.map(|(at, block)| Whole { parts: vec![(number, block)], apart: at == 0 }));
    }
    out
}

impl<'b> Whole<'b> {
    fn is_table(&self) -> bool {
        matches!(self.parts[0].1.kind, Form::Table(_))
    }

    fn lines(&self) -> impl Iterator<Item = Placed<'b>> {
        self.parts.iter().flat_map(|(page, part)| part.lines.iter().map(|line| (*page, line)))
    }

    /// Rows of a table, their cells each with its lines; a row that goes over pages is one.
    fn rows(&self) -> Vec<Vec<Vec<Placed<'b>>>> {
        let mut out: Vec<Vec<Vec<Placed<'b>>>> = Vec::new();
        for (page, part) in &self.parts {
            let Form::Table(table) = &part.kind else { continue };
            let mut within = table.part == Part::Later { within: true };
            for row in &table.rows {
                let cells = row.iter().map(|cell| cell.iter().map(|line| (*page, line)).collect());
                match out.last_mut().filter(|_| within) {
                    Some(open) => {
                        open.iter_mut().zip(cells).for_each(|(cell, more)| cell.extend::<Vec<_>>(more))
                    }
                    None => out.push(cells.collect()),
                }
                within = false;
            }
        }
        out
    }
}

/// What puts the lines of a block together.
struct Composer<'l> {
    lexicon: &'l Lexicon,
    lies: &'l [Option<Sideways>],
}

impl Composer<'_> {
    fn add(&self, whole: &Whole<'_>, out: &mut DocumentBuilder) {
        let words = || self.words("", whole.lines(), ' ');
        match &whole.parts[0].1.kind {
            Form::Heading(level) => out.heading(level.unwrap_or(1), words()),
            Form::Paragraph => out.paragraph(words()),
            Form::Figure => out.running(BlockKind::Figure, words()),
            Form::KeyFigure => out.running(BlockKind::KeyFigure, words()),
            Form::Contents => out.running(BlockKind::Contents, words()),
            Form::Item { mark, depth } => {
                let mark = match mark {
                    Mark::Bullet => builder::Mark::Bullet,
                    // A paragraph number such as `1.2` is that of no list.
                    Mark::Label(label) if list::mark(label, false).is_none() => {
                        return out.paragraph(self.words(&format!("{label} "), whole.lines(), ' '));
                    }
                    Mark::Number(label) | Mark::Label(label) => builder::Mark::Label(label.clone()),
                };
                out.item(usize::from(*depth), &mark, words());
            }
            Form::Table(table) => {
                let rows = whole.rows();
                let (header, body) = rows.split_at(usize::from(table.header).min(rows.len()));
                let at = labels_of(body);
                let row = |cells: &Vec<Vec<Placed<'_>>>, depth: usize| {
                    let indent = INDENT.to_string().repeat(depth);
                    let cells = cells.iter().enumerate().map(|(column, lines)| {
                        let label = if column == at { indent.as_str() } else { "" };
                        self.words(label, lines.iter().copied(), '\n')
                    });
                    Row { cells: cells.collect(), range: None }
                };
                let header = header.first().map(|cells| row(cells, 0));
                let body: Vec<Row> =
                    body.iter().zip(depths(body, at)).map(|(cells, depth)| row(cells, depth)).collect();
                out.rows(header.as_ref(), &body);
            }
        }
    }

    /// Lines as one line of text behind a `label`, words broken between them mended. Two numbers below each other, which
    /// must not read as one in a cell, are parted by `numbers`.
    fn words<'b>(&self, label: &str, lines: impl Iterator<Item = Placed<'b>>, numbers: char) -> Words {
        let mut out = Words { text: label.to_owned(), lines: Vec::new() };
        let mut last_numeric = false;
        for (page, line) in lines {
            let raw = tidy(&line.text());
            let text = raw.trim();
            // A leader on a line of its own says nothing.
            if text.chars().all(|c| c == '…' || c == ' ') {
                continue;
            }
            let numeric = is_numeric(text);
            if !out.lines.is_empty() {
                match self.lexicon.seam(&out.text[label.len()..], text) {
                    Seam::Drop => replace_last(&mut out, ""),
                    Seam::Keep => harden_last(&mut out),
                    Seam::Close => {}
                    Seam::Space => out.text.push(if numeric && last_numeric { numbers } else { ' ' }),
                }
            }
            last_numeric = numeric;
            let from = out.text.len();
            out.text.push_str(&inner_hyphens(text));
            let lies = self.lies.get(page as usize - 1).copied().flatten();
            let rect = lies.map_or(line.rect, |lies| lies.filed(&line.rect));
            let span = Span::new(from, out.text.len());
            out.lines.push(Segment { span, source: None, page: Some(page), rect: Some(rect.to_array()) });
        }
        harden_last(&mut out);
        out
    }
}

/// The column that names most rows: the first, or the second where that names groups of rows.
fn labels_of(rows: &[Vec<Vec<Placed<'_>>>]) -> usize {
    let filled =
        |column: usize| rows.iter().filter(move |row| row.get(column).is_some_and(|cell| !cell.is_empty()));
    let words = |row: &Vec<Vec<Placed<'_>>>| {
        row[1].first().is_some_and(|(_, line)| Kind::of_text(&line.text()) == Kind::Text)
    };
    usize::from(filled(0).count() * 2 <= filled(1).count() && filled(1).all(words))
}

/// How far the names of rows, which stand in the column `at`, are indented under those above them on their page.
fn depths(rows: &[Vec<Vec<Placed<'_>>>], at: usize) -> Vec<usize> {
    let page = |row: &Vec<Vec<Placed<'_>>>| row.iter().flatten().map(|(page, _)| *page).next();
    let mut out = Vec::with_capacity(rows.len());
    for rows in rows.chunk_by(|above, below| page(above) == page(below)) {
        let names = rows.iter().map(|row| Some(row.get(at)?.first()?.1));
        out.extend(indent::depths(&names.collect::<Vec<Option<&Line>>>()));
    }
    out
}

/// Puts `sign` in the place of the last one.
fn replace_last(words: &mut Words, sign: &str) {
    words.text.pop();
    words.text.push_str(sign);
    if let Some(last) = words.lines.last_mut() {
        last.span.end = words.text.len();
    }
}

/// A soft hyphen that stays at the end is a hyphen.
fn harden_last(words: &mut Words) {
    if words.text.ends_with('\u{AD}') {
        replace_last(words, "-");
    }
}

/// A soft hyphen inside a line was drawn, so it is a hyphen; at its end it waits for the next line.
fn inner_hyphens(text: &str) -> String {
    let body = text.trim_end_matches('\u{AD}');
    if !body.contains('\u{AD}') {
        return text.to_owned();
    }
    format!("{}{}", body.replace('\u{AD}', "-"), &text[body.len()..])
}

/// Dots of a leader from which it is drawn together to one sign.
const LEADER: usize = 4;

/// Draws the dot leaders of a table of contents together.
fn tidy(text: &str) -> String {
    if !text.contains("..") && !text.contains(". .") && !text.contains("……") {
        return text.to_owned();
    }
    let mut out = String::with_capacity(text.len());
    let mut run = String::new();
    let flush = |run: &mut String, out: &mut String| {
        let dots = run.chars().filter(|c| *c == '.').count() + 3 * run.chars().filter(|c| *c == '…').count();
        if dots >= LEADER {
            out.truncate(out.trim_end().len());
            out.push_str(" … ");
        } else {
            out.push_str(run);
        }
        run.clear();
    };
    for c in text.chars() {
        if c == '.' || c == '…' || (c == ' ' && !run.is_empty()) {
            run.push(c);
        } else {
            flush(&mut run, &mut out);
            out.push(c);
        }
    }
    flush(&mut run, &mut out);
    out
}
