//! Headings: from tags and the outline, else by size, weight and capitals against the running text.

use super::block::{Block, Form};
use super::geometry::Rect;
use super::ink::Ink;
use super::line::Line;
use super::list::Mark;
use super::metrics::SAME_SIZE;
use super::outline::Entry;
use crate::language::date::month;
use std::collections::{BTreeMap, HashMap, HashSet};

/// Ratio to the running text's size from which a short paragraph is a heading.
const LARGER: f32 = 1.14;
/// Longest heading by looks, and longest tagged heading that is believed (characters).
const MAX_LOOKS: usize = 160;
/// Longest heading that only its colour tells from text (characters).
const MAX_COLOURED: usize = 80;
const MAX_TAGGED: usize = 400;
/// Ratio to the running text's size from which a heading may stand alone, as on a cover.
const ALONE: f32 = 1.35;
/// Words from which a paragraph is text that a heading can head.
const MIN_BODY: usize = 6;
/// Pages at the start of a file on which its title is sought.
const TITLE_PAGES: usize = 2;
/// Words from which a text in quotation marks is more than a name.
const QUOTED: usize = 5;
/// Blocks of drawings on a page beyond which no titles are sought among them.
const MAX_DRAWN: usize = 200;
/// Distance of a title from the side or the middle of what it heads, in widths of that.
const SLACK: f32 = 0.15;
/// How often more letters than elsewhere tables hold where nothing but titles stands around them.
const TITLES: usize = 4;

/// Marks the headings of all pages and gives each its level. `tagged` says of which pages the tags name them.
pub(super) fn mark(pages: &mut [Vec<Block>], outline: &[Entry], tagged: &[bool]) {
    let body = body(pages);
    let depths: HashMap<String, u8> =
        outline.iter().rev().map(|entry| (key(&entry.title), entry.depth)).collect();
    let mut styles: Vec<(f32, bool)> = Vec::new();
    let mut votes: BTreeMap<usize, Vec<u8>> = BTreeMap::new();
    let mut found: Vec<(usize, usize, usize, Option<u8>)> = Vec::new();
    for (p, page) in pages.iter_mut().enumerate() {
        let tagged = tagged.get(p).copied().unwrap_or(false);
        let drawn = drawn_titles(page, body);
        for b in 0..page.len() {
            let block = &page[b];
            let text = block.text();
            match block.kind {
                Form::Heading(_) if text.chars().count() > MAX_TAGGED || !has_letters(&text) => {
                    page[b].kind = Form::Paragraph;
                    continue;
                }
                Form::Heading(Some(level)) if tagged => {
                    votes.entry(style(&mut styles, block)).or_default().push(level);
                    continue;
                }
                Form::Paragraph => {}
                // A bold item alone is a numbered heading that the writer made with a list.
                Form::Item { ref mark, .. }
                    if *mark != Mark::Bullet
                        && block.bold()
                        && !page.get(b + 1).is_some_and(|next| lists_on(mark, next))
                        && !tagged => {}
                _ => continue,
            }
            let listed = depths.get(&key(&text)).copied().filter(|_| text.chars().count() <= MAX_LOOKS);
            let alone = p > 0 && block.size() < ALONE * body.size;
            let looks = looks_like_heading(block, &text, body) && (!alone || heads(&page[b..], body))
                || is_coloured(block, &text, body) && heads(&page[b..], body);
            if listed.is_none() && (tagged || !looks) && !drawn.contains(&b) {
                continue;
            }
            let index = style(&mut styles, block);
            if let Some(depth) = listed {
                votes.entry(index).or_default().push(depth);
            }
            found.push((p, b, index, listed));
        }
    }
    let levels = levels(&styles, &votes);
    // Of one style, longer numbers stand deeper.
    let mut shallowest = vec![u8::MAX; styles.len()];
    let depths: Vec<u8> = found.iter().map(|(p, b, ..)| number_depth(&pages[*p][*b].text())).collect();
    for ((_, _, style, _), depth) in found.iter().zip(&depths).filter(|(_, depth)| **depth > 0) {
        shallowest[*style] = shallowest[*style].min(*depth);
    }
    for ((page, block, style, listed), depth) in found.into_iter().zip(depths) {
        let deeper = depth.saturating_sub(shallowest[style]);
        let level = listed.unwrap_or(levels[style] + deeper).clamp(1, 6);
        pages[page][block].become_heading(level);
    }
    pages.iter_mut().zip(tagged).filter(|(_, tagged)| !**tagged).for_each(|(page, _)| join(page));
}

/// Titles that the tags of a page take for part of a drawing: each is put before what it heads and is a paragraph from now
/// on. Gives their places on the page.
fn drawn_titles(page: &mut Vec<Block>, body: Body) -> HashSet<usize> {
    let is_drawn = |block: &Block| matches!(block.kind, Form::Figure);
    let drawn: Vec<Rect> = page.iter().filter(|block| is_drawn(block)).map(|block| block.rect).collect();
    if drawn.len() > MAX_DRAWN {
        return HashSet::new();
    }
    // Each with the place of what stands below it.
    let mut drawn: Vec<(Rect, Rect)> =
        drawn.into_iter().filter_map(|rect| Some((rect, first_below(page, &rect)?.rect))).collect();
    // From the lowest up, as a title may head another.
    drawn.sort_by(|(a, _), (b, _)| b.top.total_cmp(&a.top));
    let mut titles: Vec<Rect> = Vec::new();
    for (rect, below) in &drawn {
        let Some(at) = page.iter().position(|block| is_drawn(block) && block.rect == *rect) else { continue };
        let Some(next) = page.iter().find(|block| block.rect == *below) else { continue };
        // What stands side by side above one thing names its columns.
        let shares_next =
            drawn.iter().any(|(other, next)| other != rect && next == below && other.overlap_y(rect) > 0.0);
        let (title, text) = (&page[at], page[at].text());
        // A box may be set in smaller letters than the text around it.
        let body = Body { size: body.size.min(next.size().max(1.0)), ..body };
        let looks = looks_like_heading(title, &text, body) || is_coloured(title, &text, body);
        let heads = || titles.contains(below) || heads(&[title.clone(), next.clone()], body);
        if shares_next || !looks || !lines_up(rect, below) || !heads() {
            continue;
        }
        let mut title = page.remove(at);
        title.kind = Form::Paragraph;
        let to = page.iter().position(|block| block.rect == *below).unwrap_or(at);
        page.insert(to, title);
        titles.push(*rect);
    }
    let found = page.iter().enumerate().filter(|(_, block)| titles.contains(&block.rect));
    found.map(|(at, _)| at).collect()
}

/// Whether a title stands at the left side or in the middle of what it heads.
fn lines_up(title: &Rect, next: &Rect) -> bool {
    let slack = SLACK * next.width();
    (title.left - next.left).abs() < slack || (title.center().0 - next.center().0).abs() < slack
}

/// The first block below `rect` that stands in its way.
fn first_below<'b>(blocks: &'b [Block], rect: &Rect) -> Option<&'b Block> {
    let below = blocks.iter().filter(|b| b.rect.top >= rect.center().1 && b.rect.overlap_x(rect) > 0.0);
    below.min_by(|a, b| a.rect.top.total_cmp(&b.rect.top))
}

/// The title that a file's first pages show: what is set largest on the first page that holds a heading.
pub(super) fn title(pages: &[Vec<Block>]) -> Option<String> {
    let body = body(pages).size;
    pages.iter().take(TITLE_PAGES).find_map(|page| {
        // A year in larger letters than the rest of a title is no figure with its label.
        let dated = |block: &Block| {
            matches!(block.kind, Form::KeyFigure)
                && block.text().split_whitespace().next().is_some_and(super::word::is_years)
        };
        let running = |block: &Block| {
            (matches!(block.kind, Form::Paragraph | Form::Heading(_)) || dated(block))
                && has_letters(&block.text())
        };
        let size = page.iter().filter(|block| running(block)).map(Block::size).fold(0.0, f32::max);
        let largest = |block: &&Block| running(block) && block.size() >= size / SAME_SIZE;
        let title: Vec<String> =
            page.iter().skip_while(|block| !largest(block)).take_while(largest).map(Block::text).collect();
        let title = title.join(" ");
        (size >= ALONE * body && title.chars().count() <= MAX_LOOKS && !title.ends_with('.')).then_some(title)
    })
}

/// Whether the first block heads the one after it: text, a list or a table below it, or a lower heading. The
/// labels of a chart head nothing.
fn heads(blocks: &[Block], body: Body) -> bool {
    let [block, next, ..] = blocks else { return false };
    // It may stand in the margin, beside the first line of what it heads.
    let beside = block.rect.right < next.rect.left
        && next.lines.first().is_some_and(|line| line.rect.overlap_y(&block.rect) > 0.0);
    if next.rect.overlap_x(&block.rect) <= 0.0 && !beside {
        return false;
    }
    match &next.kind {
        Form::Table(_) | Form::Item { .. } | Form::Heading(_) => true,
        Form::Paragraph => {
            let text = next.text();
            text.split_whitespace().count() >= MIN_BODY
                || (next.size() <= block.size() && looks_like_heading(next, &text, body))
                || is_coloured(next, &text, body)
        }
        Form::Figure | Form::KeyFigure | Form::Contents => false,
    }
}

/// Joins headings that are the lines of one: same level and looks, close below each other, the second without
/// a number of its own.
fn join(blocks: &mut Vec<Block>) {
    let mut out: Vec<Block> = Vec::new();
    for block in blocks.drain(..) {
        let level = |kind: &Form| if let Form::Heading(level) = kind { *level } else { None };
        let text = block.text();
        let mark = text.split_whitespace().next().is_some_and(|first| super::list::is_mark(first, false));
        let numbered = mark || text.starts_with(|c: char| c.is_ascii_digit());
        match out.last_mut() {
            Some(last)
                if level(&block.kind).is_some()
                    && level(&last.kind) == level(&block.kind)
                    && same((last.size(), last.bold()), (block.size(), block.bold()))
                    && !numbered
                    && (0.0..0.9 * block.size()).contains(&(block.rect.top - last.rect.bottom)) =>
            {
                last.rect = last.rect.union(&block.rect);
                last.lines.extend(block.lines);
            }
            _ => out.push(block),
        }
    }
    *blocks = out;
}

/// Whether a block continues the list that an item with `mark` belongs to.
fn lists_on(mark: &Mark, next: &Block) -> bool {
    matches!(&next.kind, Form::Item { mark: other, .. } if std::mem::discriminant(mark) == std::mem::discriminant(other))
}

/// The place of the block's style among `styles`, which it joins if it is new.
fn style(styles: &mut Vec<(f32, bool)>, block: &Block) -> usize {
    let style = (block.size(), block.bold());
    styles.iter().position(|known| same(*known, style)).unwrap_or_else(|| {
        styles.push(style);
        styles.len() - 1
    })
}

fn same(a: (f32, bool), b: (f32, bool)) -> bool {
    a.1 == b.1 && a.0.max(b.0) / a.0.min(b.0).max(0.1) <= SAME_SIZE
}

/// Levels of the styles: as the outline says where it names headings of that style, else by rank of size and
/// weight below the style before it.
fn levels(styles: &[(f32, bool)], votes: &BTreeMap<usize, Vec<u8>>) -> Vec<u8> {
    let mut ranked: Vec<usize> = (0..styles.len()).collect();
    ranked.sort_by(|&a, &b| styles[b].0.total_cmp(&styles[a].0).then(styles[b].1.cmp(&styles[a].1)));
    let mut out = vec![1; styles.len()];
    let mut last = 0u8;
    for style in ranked {
        let voted = votes.get(&style).map(|depths| {
            let mut depths = depths.clone();
            depths.sort_unstable();
            depths[depths.len() / 2]
        });
        last = voted.unwrap_or(last.saturating_add(1)).min(6);
        out[style] = last;
    }
    out
}

/// Size, weight and colour of the running text.
#[derive(Clone, Copy)]
struct Body {
    size: f32,
    bold: bool,
    ink: Ink,
}

fn body(pages: &[Vec<Block>]) -> Body {
    let blocks = || pages.iter().flatten();
    let text = blocks().filter(|b| !matches!(b.kind, Form::Figure)).flat_map(|b| &b.lines);
    let tables = blocks().filter_map(|b| if let Form::Table(table) = &b.kind { Some(table) } else { None });
    let cells = tables.flat_map(|table| table.rows.iter().flatten().flatten());
    let letters = |line: &Line| line.words.iter().map(|word| word.text.len()).sum::<usize>();
    // Where tables hold nearly all there is, titles stand out from what is in these.
    let titles_alone = text.clone().map(letters).sum::<usize>() * TITLES < cells.clone().map(letters).sum();
    let cells = cells.filter(|_| titles_alone);
    let mut weights: BTreeMap<(u32, bool), usize> = BTreeMap::new();
    let mut inks: BTreeMap<Ink, usize> = BTreeMap::new();
    for word in text.chain(cells).flat_map(|line| &line.words) {
        *weights.entry(((word.size * 2.0).round() as u32, word.bold)).or_default() += word.text.len();
        *inks.entry(word.ink).or_default() += word.text.len();
    }
    let most = weights.into_iter().max_by_key(|(_, weight)| *weight);
    let (size, bold) = most.map_or((20, false), |(style, _)| style);
    let ink = inks.into_iter().max_by_key(|(_, weight)| *weight).map_or(Ink::BLACK, |(ink, _)| ink);
    Body { size: size as f32 / 2.0, bold, ink }
}

fn has_letters(text: &str) -> bool {
    text.chars().filter(|c| c.is_alphabetic()).count() >= 2
}

/// Whether a block can be a heading, whatever its size and weight.
fn can_head(block: &Block, text: &str) -> bool {
    let length = text.chars().count();
    let start = text.trim_start().chars().next();
    length <= MAX_LOOKS
        && block.lines.len() <= 4
        && has_letters(text)
        && !text.ends_with([',', ';', '.', ':'])
        && !start.is_none_or(char::is_lowercase)
        && !is_caption(text)
        && !is_date(text)
        && !is_quotation(text)
        && !text.contains('…')
        && !text.contains("....")
        && !block.lines.iter().any(|l| l.words.iter().any(|w| w.turn != super::word::Turn::Level))
}

fn looks_like_heading(block: &Block, text: &str, body: Body) -> bool {
    if !can_head(block, text) {
        return false;
    }
    let length = text.chars().count();
    let ratio = block.size() / body.size.max(0.1);
    let capitals = text.chars().filter(|c| c.is_alphabetic()).all(char::is_uppercase) && length >= 5;
    ratio >= LARGER
        || (ratio >= 0.95 && block.bold() && !body.bold && length <= 120 && block.lines.len() <= 2)
        || (ratio >= 0.95 && capitals && length <= 80 && block.lines.len() <= 2)
}

/// Whether a block is told from the running text by its colour alone, and is no link.
fn is_coloured(block: &Block, text: &str, body: Body) -> bool {
    let links = ["www.", "http", "@", "›", "»", "→", ">"].iter().any(|sign| text.contains(sign));
    block.ink().is_some_and(|ink| ink.is_chromatic() && ink != body.ink)
        && block.size() >= 0.95 * body.size
        && text.chars().count() <= MAX_COLOURED
        && block.lines.len() <= 2
        && !links
        && !text.ends_with(|c: char| c.is_ascii_digit())
        && can_head(block, text)
}

/// `Figure 3`, `Table A.2`: a caption, not a heading.
fn is_caption(text: &str) -> bool {
    let mut words = text.split_whitespace();
    let first = words.next().unwrap_or_default().to_lowercase();
    ["figure", "fig.", "table", "chart", "box", "source", "source:", "note", "note:", "notes:"]
        .contains(&first.as_str())
        && words.next().is_none_or(|next| next.chars().any(|c| c.is_ascii_digit()) || first.ends_with(':'))
}

/// `“We are not there yet, but we know the way.”`: what somebody said, set large beside the text.
fn is_quotation(text: &str) -> bool {
    let said = text.trim().strip_prefix(['“', '”', '„', '"', '«', '‘']);
    let said = said.and_then(|said| said.strip_suffix(['”', '“', '"', '»', '’']));
    said.is_some_and(|said| said.split_whitespace().count() >= QUOTED)
}

/// `June 2024`, `As submitted May 31, 2024`: a date, not a heading.
fn is_date(text: &str) -> bool {
    let words: Vec<String> = text
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .map(str::to_lowercase)
        .collect();
    words.len() <= 6
        && words.iter().any(|word| month(word).is_some())
        && words.last().is_some_and(|word| super::word::is_year(word))
}

/// How deep a number in front of a heading goes: 1 for `2A.`, 2 for `3A.1`, 0 without a number.
fn number_depth(text: &str) -> u8 {
    let Some(first) = text.split_whitespace().next() else { return 0 };
    let first = first.trim_end_matches(['.', ')']);
    let parts: Vec<&str> = first.split('.').collect();
    let number = |part: &&str| {
        !part.is_empty()
            && part.len() <= 3
            && part.starts_with(|c: char| c.is_ascii_digit() || c.is_ascii_uppercase())
    };
    let digits = first.chars().any(|c| c.is_ascii_digit());
    if digits && parts.iter().all(number) { parts.len().min(6) as u8 } else { 0 }
}

/// Letters and digits only, so that an outline title meets the heading it names.
fn key(text: &str) -> String {
    text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}
