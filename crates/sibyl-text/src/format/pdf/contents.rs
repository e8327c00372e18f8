//! Contents: entries that name the page on which something stands. They are no text of their own and head nothing.

use super::block::{Block, Form};
use super::line::Line;
use std::collections::HashMap;

/// Fewest entries of contents, and fewest below a title that says what they are.
const MIN_ENTRIES: usize = 5;
const MIN_TITLED: usize = 3;
/// Share of the entries whose numbers must not fall.
const GROWING: f32 = 0.8;
/// Share of the entries that must have leaders, or stand as headings on the pages that they name.
const PROVEN: f32 = 0.5;
/// Words of the longest line that may stand between entries, such as the name of a part, and most of them in a row.
const BETWEEN: usize = 10;
const MOST_BETWEEN: usize = 3;
/// Letters of the longest entry, and of what can be the heading that an entry names.
const LONGEST: usize = 160;
/// Fewest letters of an entry that is sought among the headings.
const SOUGHT: usize = 4;
/// Titles of contents, letters only.
const TITLES: [&str; 9] = [
    "contents",
    "tableofcontents",
    "tablecontents",
    "inthisreport",
    "inthisdocument",
    "innehåll",
    "innehållsförteckning",
    "inhalt",
    "sommaire",
];

/// An entry of contents.
struct Entry {
    /// Letters of what it names.
    name: String,
    number: u32,
    leads: bool,
}

/// What a block is where contents are sought.
enum Look {
    Title,
    Entries(Vec<Entry>),
    Short,
    Other,
}

/// Marks the entries of contents on all pages, and the titles above them.
pub(super) fn mark(pages: &mut [Vec<Block>]) {
    let mut known: Option<HashMap<String, Vec<usize>>> = None;
    for p in 0..pages.len() {
        let looks: Vec<Look> = pages[p].iter().map(look).collect();
        let mut found: Vec<std::ops::Range<usize>> = Vec::new();
        let mut start = 0;
        while start < looks.len() {
            let run = run(&looks[start..]);
            if run == 0 {
                start += 1;
                continue;
            }
            let end = start + run;
            let entries: Vec<&Entry> = looks[start..end]
                .iter()
                .flat_map(|look| if let Look::Entries(entries) = look { entries.as_slice() } else { &[] })
                .collect();
            let titled = matches!(looks[start], Look::Title);
            let least = if titled { MIN_TITLED } else { MIN_ENTRIES };
            let growing = entries.windows(2).filter(|pair| pair[0].number <= pair[1].number).count();
            let counts = entries.len() >= least && growing as f32 >= GROWING * (entries.len() - 1) as f32;
            if counts
                && (titled
                    || share(entries.iter().filter(|entry| entry.leads).count(), entries.len()) >= PROVEN
                    || named(&entries, p, known.get_or_insert_with(|| openings(pages))))
            {
                found.push(start..end);
            }
            start = end;
        }
        for range in found.into_iter().rev() {
            let blocks: Vec<Block> = pages[p].drain(range.clone()).collect();
            let entries: Vec<Block> = blocks.into_iter().flat_map(parts).collect();
            pages[p].splice(range.start..range.start, entries);
        }
    }
}

fn share(part: usize, whole: usize) -> f32 {
    part as f32 / whole.max(1) as f32
}

/// How many blocks from the first on can be contents: entries with at most a few short lines between them, a title before.
fn run(looks: &[Look]) -> usize {
    if matches!(looks[0], Look::Short | Look::Other) {
        return 0;
    }
    let (mut end, mut between) = (0, 0);
    for (i, look) in looks.iter().enumerate() {
        match look {
            Look::Title if i == 0 => end = 1,
            Look::Entries(_) => (end, between) = (i + 1, 0),
            Look::Short if between < MOST_BETWEEN => between += 1,
            _ => break,
        }
    }
    end
}

fn look(block: &Block) -> Look {
    let lines: Vec<String> = match &block.kind {
        Form::Contents => {
            let text = block.text();
            return match entry(&text) {
                Some(entry) => Look::Entries(vec![entry]),
                None => Look::Short,
            };
        }
        Form::Table(table) => table
            .rows
            .iter()
            .map(|row| row.iter().flatten().map(Line::text).collect::<Vec<_>>().join(" "))
            .collect(),
        _ => block.lines.iter().map(Line::text).collect(),
    };
    let text = block.text();
    if !matches!(block.kind, Form::Table(_)) && TITLES.contains(&letters(&text).as_str()) {
        return Look::Title;
    }
    let entries: Vec<Entry> = lines.iter().filter_map(|line| entry(line)).collect();
    // An entry may take several lines, the last of which has its number.
    if !entries.is_empty() && entries.len() * 2 >= lines.len() {
        return Look::Entries(entries);
    }
    let short = !matches!(block.kind, Form::Table(_)) && text.split_whitespace().count() <= BETWEEN;
    if short { Look::Short } else { Look::Other }
}

/// What a line names and the page that it says, before or behind it.
fn entry(line: &str) -> Option<Entry> {
    let words: Vec<&str> = line.split_whitespace().collect();
    let (first, last) = (*words.first()?, *words.last()?);
    let leads = ["....", ". . .", "……", "…"].iter().any(|leader| line.contains(leader));
    let bare = last.trim_start_matches(['.', '…', '_']);
    let (name, number) = match (page_number(bare), page_number(first)) {
        (Some(number), _) => (line.trim_end().strip_suffix(bare)?, number),
        (None, Some(number)) => (line.trim_start().strip_prefix(first)?, number),
        (None, None) => return None,
    };
    let name = letters(name);
    let proper = name.chars().filter(|c| c.is_alphabetic()).count() >= 2 && name.chars().count() <= LONGEST;
    proper.then_some(Entry { name, number, leads })
}

/// The number of a page: up to four digits that are no decimal, or a small roman number.
fn page_number(word: &str) -> Option<u32> {
    if (1..=4).contains(&word.len()) && word.bytes().all(|b| b.is_ascii_digit()) {
        return word.parse().ok();
    }
    let roman = ["i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix", "x", "xi", "xii"];
    // They stand before all others.
    roman.contains(&word).then_some(0)
}

fn letters(text: &str) -> String {
    text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

/// The pages on which short blocks stand, by their letters.
fn openings(pages: &[Vec<Block>]) -> HashMap<String, Vec<usize>> {
    let mut out: HashMap<String, Vec<usize>> = HashMap::new();
    for (p, page) in pages.iter().enumerate() {
        for block in page
            .iter()
            .filter(|block| matches!(block.kind, Form::Paragraph | Form::Heading(_) | Form::Item { .. }))
        {
            let text = letters(&block.text());
            if (SOUGHT..=LONGEST).contains(&text.chars().count()) {
                out.entry(text).or_default().push(p);
            }
        }
    }
    out
}

/// Whether most entries stand, as headings do, on the pages that they name: all as far from their numbers.
fn named(entries: &[&Entry], page: usize, openings: &HashMap<String, Vec<usize>>) -> bool {
    let mut offsets: HashMap<i64, usize> = HashMap::new();
    for entry in entries {
        let places = openings.get(&entry.name).map_or(&[][..], Vec::as_slice);
        for place in places.iter().filter(|place| **place != page) {
            *offsets.entry(*place as i64 - i64::from(entry.number)).or_default() += 1;
        }
    }
    let most = offsets.into_values().max().unwrap_or(0);
    share(most, entries.len()) >= PROVEN
}

/// The entries of a block, each a block of its own.
fn parts(mut block: Block) -> Vec<Block> {
    if let Form::Table(table) = block.kind {
        let rows = table.rows.into_iter().map(|row| row.into_iter().flatten().collect::<Vec<Line>>());
        return rows.filter_map(|lines| Block::new(Form::Contents, lines)).collect();
    }
    block.become_kind(Form::Contents);
    let mut out: Vec<Vec<Line>> = Vec::new();
    let mut ended = true;
    for line in block.lines {
        let text = line.text();
        let number = |word: Option<&str>| {
            word.is_some_and(|word| page_number(word.trim_start_matches(['.', '…', '_'])).is_some())
        };
        let (opens, closes) =
            (number(text.split_whitespace().next()), number(text.split_whitespace().next_back()));
        match out.last_mut() {
            Some(entry) if !ended && (closes || !opens) => entry.push(line),
            _ => out.push(vec![line]),
        }
        ended = closes;
    }
    out.into_iter().filter_map(|lines| Block::new(Form::Contents, lines)).collect()
}
