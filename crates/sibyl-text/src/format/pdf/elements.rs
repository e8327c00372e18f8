//! Elements of a tagged page from which charts and cards are taken. Each is taken as a whole or not at all: what is
//! left of a torn sentence says nothing. What was taken is put back where the tags have it.

use super::block::{Block, Form};
use super::glyph::Artifact;
use super::line::Line;
use super::tagged;
use super::tags::{Role, Tags};
use super::word::Word;
use std::collections::HashMap;

/// The elements of a page; none where its tags are not believed.
#[derive(Default)]
pub(super) struct Elements<'t> {
    tags: Option<&'t Tags>,
    /// Words of each.
    words: HashMap<u32, usize>,
}

impl<'t> Elements<'t> {
    /// Those that hold `words`.
    pub(super) fn of(words: &[Word], tags: &'t Tags) -> Self {
        let known = Self { tags: Some(tags), words: HashMap::new() };
        Self { words: known.count(words.iter()), ..known }
    }

    fn around(&self, word: &Word) -> Option<u32> {
        let tags = self.tags?;
        let item = word.item.filter(|_| word.artifact == Artifact::No)?;
        Some(tags.block_around(tags.owner(item)?))
    }

    /// How many of `words` stand in each element.
    fn count<'w>(&self, words: impl Iterator<Item = &'w Word>) -> HashMap<u32, usize> {
        let mut out = HashMap::new();
        for element in words.filter_map(|word| self.around(word)) {
            *out.entry(element).or_default() += 1;
        }
        out
    }

    fn role(&self, element: u32) -> Option<Role> {
        self.tags?.elements.get(element as usize).map(|element| element.role)
    }

    /// Whether a word stands in a table, which the tags then read.
    pub(super) fn in_table(&self, word: &Word) -> bool {
        self.tags.zip(word.item).is_some_and(|(tags, item)| tags.cell_of(item).is_some())
    }

    /// Whether a line is a heading, which stays one also where it names what stands below it.
    pub(super) fn is_heading(&self, line: &Line) -> bool {
        let heads = |word: &Word| {
            self.around(word)
                .and_then(|element| self.role(element))
                .is_some_and(|role| matches!(role, Role::Heading(_)))
        };
        line.words.iter().all(heads)
    }

    /// Whether no other words stand in the elements of `lines`, but for those of drawings.
    pub(super) fn are_whole<'l>(&self, lines: impl Iterator<Item = &'l Line>) -> bool {
        self.count(lines.flat_map(|line| &line.words)).iter().all(|(element, count)| {
            self.role(*element) == Some(Role::Figure) || self.words.get(element) == Some(count)
        })
    }
}

/// Puts what was `taken` from a page among its blocks: before the first block that the tags have behind it. If the
/// tags do not know it, it goes where it stands.
pub(super) fn put_back(blocks: &mut Vec<Block>, taken: Vec<Block>) {
    let first = |block: &Block| {
        let cells: Box<dyn Iterator<Item = &Line>> = match &block.kind {
            Form::Table(table) => Box::new(table.rows.iter().flatten().flatten()),
            _ => Box::new(block.lines.iter()),
        };
        cells.flat_map(|line| &line.words).filter_map(|word| word.item).min()
    };
    for block in taken {
        let behind = |item| blocks.iter().position(|other| first(other).is_some_and(|other| other > item));
        match first(&block) {
            Some(item) => blocks.insert(behind(item).unwrap_or(blocks.len()), block),
            None => tagged::insert(blocks, vec![block]),
        }
    }
}
