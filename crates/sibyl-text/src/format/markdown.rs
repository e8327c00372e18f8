//! Markdown, with front matter, GitHub tables, Docusaurus admonitions and MDX lines.

mod marks;
mod readable;

use super::builder::Outline;
use super::{Format, Input, encoding, front_matter};
use crate::document::{Block, BlockKind, Document, Section, Severity, Span};
use marks::Marks;
use pulldown_cmark::{CodeBlockKind, Event, HeadingLevel, OffsetIter, Options, Parser, Tag, TagEnd};

pub use readable::readable;

/// Reads Markdown.
pub struct Markdown;

impl Format for Markdown {
    fn name(&self) -> &'static str {
        "markdown"
    }
    fn label(&self) -> &'static str {
        "Markdown"
    }
    fn version(&self) -> u32 {
        3
    }
    fn extensions(&self) -> &'static [&'static str] {
        &["md", "markdown", "mdx", "mdown", "mkd"]
    }
    fn recognises(&self, input: &Input<'_>) -> bool {
        let named = self.extensions().contains(&input.extension().as_str());
        encoding::binary_kind(input.bytes).is_none() && (named || looks_like_markdown(input.bytes))
    }
    fn parse(&self, input: &Input<'_>, _: &[String]) -> Document {
        match encoding::decode(input.bytes) {
            Ok(decoded) => document(decoded),
            Err(refused) => *refused,
        }
    }
}

/// A document from decoded Markdown: front matter, sections and blocks.
pub(super) fn document(decoded: encoding::Decoded) -> Document {
    let encoding::Decoded { text, segments, mut notices } = decoded;
    let front = front_matter::read(&text);
    notices.extend(front.notice);
    if text.trim().is_empty() && notices.iter().all(|n| n.severity < Severity::Error) {
        notices.push(super::empty_notice());
    }
    let body = Span::new(front.body, text.len());
    let (sections, blocks) = structure(&text, body);
    let title = front.fields.get("title").and_then(serde_json::Value::as_str).map(str::trim);
    let title = title
        .filter(|t| !t.is_empty())
        .map(str::to_owned)
        .or_else(|| sections.iter().find(|s| s.level == 1 && !s.title.is_empty()).map(|s| s.title.clone()));
    Document {
        text,
        body,
        title,
        metadata: front.fields,
        sections,
        blocks,
        segments,
        notices,
        ..Document::default()
    }
}

/// Whether a file that is not called Markdown is written in it: two headings set apart by blank lines.
fn looks_like_markdown(bytes: &[u8]) -> bool {
    const HEAD: usize = 64 * 1024;
    let mut blank_before = true;
    let mut headings = 0;
    for line in bytes[..bytes.len().min(HEAD)].split(|&b| b == b'\n') {
        let level = line.iter().take_while(|&&b| b == b'#').count();
        headings += usize::from(blank_before && (1..=6).contains(&level) && line.get(level) == Some(&b' '));
        blank_before = line.trim_ascii().is_empty();
        if headings == 2 {
            return true;
        }
    }
    false
}

/// Sections and blocks of the Markdown in `body`. Every character of `body` but white space lies in one block.
pub(crate) fn structure(text: &str, body: Span) -> (Vec<Section>, Vec<Block>) {
    let source = body.of(text);
    let marks = marks::find(source);
    let blanked = blanked(source, &marks);
    let mut reader = Reader::new(source, body.start);
    reader.read(
        Parser::new_ext(blanked.as_deref().unwrap_or(source), Options::ENABLE_TABLES).into_offset_iter(),
    );
    let blocks = place_marks(reader.blocks, &marks, body.start, text);
    let blocks = fill_gaps(text, body, blocks);
    let sections = sections(&blocks, reader.titles, body);
    (sections, blocks)
}

/// The text as the parser must see it, where that differs.
fn blanked(source: &str, marks: &Marks) -> Option<String> {
    if marks.blank.is_empty() {
        return None;
    }
    let mut out = String::with_capacity(source.len());
    let mut at = 0;
    for span in &marks.blank {
        if span.end <= at {
            continue;
        }
        out.push_str(&source[at..span.start.max(at)]);
        let covered = source[span.start.max(at)..span.end].bytes();
        out.extend(covered.map(|b| if b == b'\n' { '\n' } else { ' ' }));
        at = span.end;
    }
    out.push_str(&source[at..]);
    Some(out)
}

/// Turns parser events into flat blocks.
struct Reader<'a> {
    source: &'a str,
    /// Where `source` starts in the document's text.
    offset: usize,
    blocks: Vec<Block>,
    /// Start and plain text of each heading, in order.
    titles: Vec<(usize, String)>,
    /// Nesting depth of lists.
    depth: u8,
    /// Start of a list item whose mark has not become part of a block yet.
    mark: Option<usize>,
    /// Text that stands directly in a list item.
    run: Option<(usize, usize)>,
}

impl<'a> Reader<'a> {
    fn new(source: &'a str, offset: usize) -> Self {
        Self { source, offset, blocks: Vec::new(), titles: Vec::new(), depth: 0, mark: None, run: None }
    }

    fn read(&mut self, events: OffsetIter<'_>) {
        // Everything inside a block that is taken whole; the end of an item around it starts before it.
        let mut taken = 0..0;
        let mut heading: Option<(usize, String)> = None;
        for (event, range) in events {
            if let Some((_, title)) = &mut heading {
                match event {
                    Event::Text(text) | Event::Code(text) => title.push_str(&text),
                    Event::SoftBreak | Event::HardBreak => title.push(' '),
                    Event::End(TagEnd::Heading(_)) => self.titles.extend(heading.take()),
                    _ => {}
                }
                continue;
            }
            if taken.contains(&range.start) {
                continue;
            }
            let kind = match event {
                Event::Start(Tag::Heading { level, .. }) if self.depth == 0 => {
                    heading = Some((self.offset + range.start, String::new()));
                    BlockKind::Heading(level_number(level))
                }
                Event::Start(Tag::Heading { .. } | Tag::Paragraph) if self.depth > 0 => BlockKind::Item,
                Event::Start(Tag::Paragraph) => BlockKind::Paragraph,
                Event::Start(Tag::CodeBlock(CodeBlockKind::Indented)) => {
                    let line = self.source[..range.start].rfind('\n').map_or(0, |i| i + 1);
                    let indented = self.source[line..range.start].trim().is_empty();
                    let start = if indented { line } else { range.start };
                    self.push(BlockKind::Code, start, range.end);
                    taken = range.clone();
                    continue;
                }
                Event::Start(Tag::CodeBlock(_)) => BlockKind::Code,
                Event::Start(Tag::BlockQuote(_)) => BlockKind::Quote,
                Event::Start(Tag::HtmlBlock) => BlockKind::Html,
                Event::Start(Tag::Table(_)) => BlockKind::Table {
                    header_end: self.offset + header_end(self.source, range.start, range.end),
                },
                Event::Rule => BlockKind::Rule,
                Event::Start(Tag::List(_)) => {
                    self.flush();
                    continue;
                }
                Event::Start(Tag::Item) => {
                    self.depth = self.depth.saturating_add(1);
                    self.mark.get_or_insert(range.start);
                    continue;
                }
                Event::End(TagEnd::Item) => {
                    self.flush();
                    if let Some(start) = self.mark.take() {
                        self.push(BlockKind::Item, start, range.end);
                    }
                    self.depth = self.depth.saturating_sub(1);
                    continue;
                }
                Event::End(_) => continue,
                _ => {
                    let (start, end) = self.run.unwrap_or((range.start, range.end));
                    self.run = Some((start, end.max(range.end)));
                    continue;
                }
            };
            self.flush();
            if heading.is_none() {
                taken = range.clone();
            }
            self.push(kind, range.start, range.end);
        }
    }

    /// Makes a block of the text that stands directly in a list item.
    fn flush(&mut self) {
        if let Some((start, end)) = self.run.take() {
            self.push(BlockKind::Item, start, end);
        }
    }

    fn push(&mut self, kind: BlockKind, start: usize, end: usize) {
        let start = self.mark.take().unwrap_or(start).max(self.end());
        let end = start + self.source.get(start..end).unwrap_or_default().trim_end().len();
        if start < end {
            let span = Span::new(self.offset + start, self.offset + end);
            let depth = if matches!(kind, BlockKind::Item) { self.depth } else { 0 };
            self.blocks.push(Block { kind, span, depth });
        }
    }

    fn end(&self) -> usize {
        self.blocks.last().map_or(0, |b| b.span.end - self.offset)
    }
}

/// End of the table's header and delimiter rows, without the line break.
fn header_end(source: &str, start: usize, end: usize) -> usize {
    let mut breaks = memchr::memchr_iter(b'\n', &source.as_bytes()[start..end]).skip(1);
    breaks.next().map_or(end, |i| start + i)
}

/// Puts admonitions and MDX lines in place of what the parser saw there.
fn place_marks(blocks: Vec<Block>, marks: &Marks, offset: usize, text: &str) -> Vec<Block> {
    if marks.admonitions.is_empty() && marks.lines.is_empty() {
        return blocks;
    }
    let admonitions = marks.admonitions.iter().map(|s| (BlockKind::Admonition, s));
    let lines = marks.lines.iter().map(|s| (BlockKind::Html, s));
    let mut placed: Vec<Block> = admonitions
        .chain(lines)
        .map(|(kind, s)| Block { kind, span: Span::new(s.start + offset, s.end + offset), depth: 0 })
        .collect();
    placed.sort_unstable_by_key(|b| b.span);
    // What begins inside another mark belongs to it.
    let mut reached = 0;
    placed.retain(|mark| {
        let stands_alone = mark.span.start >= reached;
        reached = if stands_alone { mark.span.end } else { reached };
        stands_alone
    });
    let mut out = Vec::with_capacity(blocks.len() + placed.len());
    let mut placed = placed.into_iter().peekable();
    for mut block in blocks {
        block.span.start = block.span.start.max(out.last().map_or(0, |last: &Block| last.span.end));
        while let Some(mark) = placed.next_if(|m| m.span.start < block.span.end) {
            if block.span.start < mark.span.start {
                push_part(&mut out, block, block.span.start, mark.span.start, text);
            }
            block.span.start = block.span.start.max(mark.span.end);
            out.push(mark);
        }
        push_part(&mut out, block, block.span.start, block.span.end, text);
    }
    out.extend(placed);
    out
}

fn push_part(out: &mut Vec<Block>, block: Block, start: usize, end: usize, text: &str) {
    let part = text.get(start..end).unwrap_or_default();
    let inner = part.trim();
    if inner.is_empty() {
        return;
    }
    let whole = block.span.start == start && block.span.end == end;
    let start = if whole { start } else { start + part.len() - part.trim_start().len() };
    let kind = match block.kind {
        BlockKind::Table { header_end } if !(start..=end).contains(&header_end) => BlockKind::Paragraph,
        kind => kind,
    };
    out.push(Block {
        kind,
        span: Span::new(start, start + text[start..end].trim_end().len()),
        depth: block.depth,
    });
}

/// Makes paragraphs of text that gave no event, such as link definitions.
fn fill_gaps(text: &str, body: Span, blocks: Vec<Block>) -> Vec<Block> {
    let mut out = Vec::with_capacity(blocks.len());
    let mut at = body.start;
    for block in blocks {
        push_paragraphs(&mut out, text, at, block.span.start);
        at = block.span.end;
        out.push(block);
    }
    push_paragraphs(&mut out, text, at, body.end);
    out
}

/// Pushes one paragraph for each stretch of `text[start..end]` between blank lines.
pub(super) fn push_paragraphs(out: &mut Vec<Block>, text: &str, start: usize, end: usize) {
    if text[start..end].trim_start().is_empty() {
        return;
    }
    let mut open: Option<Span> = None;
    let mut at = start;
    for line in text[start..end].split_inclusive('\n') {
        let inner = line.trim();
        if inner.is_empty() {
            out.extend(open.take().map(|span| Block { kind: BlockKind::Paragraph, span, depth: 0 }));
        } else {
            let from = at + line.len() - line.trim_start().len();
            open = Some(Span::new(open.map_or(from, |s| s.start), from + inner.len()));
        }
        at += line.len();
    }
    out.extend(open.map(|span| Block { kind: BlockKind::Paragraph, span, depth: 0 }));
}

/// Sections from the heading blocks and their titles.
fn sections(blocks: &[Block], titles: Vec<(usize, String)>, body: Span) -> Vec<Section> {
    let mut titles = titles.into_iter().peekable();
    let mut out = Outline::default();
    for block in blocks {
        let BlockKind::Heading(level) = block.kind else { continue };
        while titles.next_if(|(start, _)| *start < block.span.start).is_some() {}
        let title = titles.next_if(|(start, _)| *start == block.span.start).map_or_else(String::new, |t| t.1);
        out.add(level, plain_title(&title).to_owned(), block.span);
    }
    out.finish(body.end)
}

/// The title without a custom anchor, `{#id}` or `{/* #id */}`.
fn plain_title(title: &str) -> &str {
    let title = title.trim();
    match title.rfind("{#").or_else(|| title.rfind("{/*")) {
        Some(at) if title.ends_with('}') => title[..at].trim_end(),
        _ => title,
    }
}

fn level_number(level: HeadingLevel) -> u8 {
    match level {
        HeadingLevel::H1 => 1,
        HeadingLevel::H2 => 2,
        HeadingLevel::H3 => 3,
        HeadingLevel::H4 => 4,
        HeadingLevel::H5 => 5,
        HeadingLevel::H6 => 6,
    }
}
