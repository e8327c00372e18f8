//! Groups: the stretches of blocks that are packed by themselves, one a heading, orphans with what follows.

use super::{Orphans, Packing};
use crate::document::{Block, BlockKind, Document, Span};

/// A stretch of blocks under one heading.
pub(super) struct Group {
    pub blocks: std::ops::Range<usize>,
    pub section: Option<usize>,
}

/// The groups of a document, orphans joined with what follows them. Entries of contents belong to none.
pub(super) fn groups(packing: &Packing<'_>) -> Vec<Group> {
    let blocks = &packing.document.blocks;
    let mut found: Vec<Group> = Vec::new();
    let mut heading = 0;
    let (mut after_contents, mut around) = (false, None);
    for (index, block) in blocks.iter().enumerate() {
        if block.kind == BlockKind::Contents {
            after_contents = true;
            continue;
        }
        let mut starts = found.is_empty() || after_contents;
        after_contents = false;
        let mut section = around;
        if let BlockKind::Heading(level) = block.kind {
            if usize::from(level) <= packing.split_level {
                starts = true;
                section = Some(heading);
                around = section;
            }
            heading += 1;
        }
        match found.last_mut() {
            Some(group) if !starts => group.blocks.end = index + 1,
            _ => found.push(Group { blocks: index..index + 1, section }),
        }
    }
    let mut joined: Vec<Group> = Vec::with_capacity(found.len());
    let mut waiting: Option<(Group, bool)> = None;
    let mut rest = found.into_iter().peekable();
    while let Some(mut group) = rest.next() {
        let mut bare = blocks[group.blocks.clone()].iter().all(|block| is_bare(packing.document, block));
        if let Some((first, first_bare)) = waiting.take() {
            group.blocks.start = first.blocks.start;
            bare &= first_bare;
        }
        let orphan =
            rest.peek().filter(|next| next.blocks.start == group.blocks.end).is_some_and(
                |next| match packing.orphans {
                    Orphans::Stay => false,
                    Orphans::Headings => bare,
                    Orphans::Short => bare || is_short_lead(packing, &group, next),
                },
            );
        if orphan {
            waiting = Some((group, bare));
        } else {
            joined.push(group);
        }
    }
    joined
}

/// Whether `block` has no content of its own: a heading, a rule, tags or module lines.
pub(super) fn is_bare(document: &Document, block: &Block) -> bool {
    match block.kind {
        BlockKind::Heading(_) | BlockKind::Rule => true,
        BlockKind::Html => {
            let text = block.span.of(&document.text);
            let module = text.starts_with("import ") || text.starts_with("export ");
            module || text.split('<').all(|tag| tag.split_once('>').map_or(tag, |t| t.1).trim().is_empty())
        }
        _ => false,
    }
}

/// Whether `group` is below the minimum and leads into its own subsection `next`.
fn is_short_lead(packing: &Packing<'_>, group: &Group, next: &Group) -> bool {
    // Tokens are hardly ever longer than this, so longer sections need no count.
    const BYTES_PER_TOKEN: usize = 32;
    let Packing { document, limits, .. } = packing;
    let child =
        group.section.is_some() && next.section.is_some_and(|s| document.sections[s].parent == group.section);
    let blocks = &document.blocks[group.blocks.clone()];
    let (Some(first), Some(last)) = (blocks.first(), blocks.last()) else { return false };
    let span = Span::new(first.span.start, last.span.end);
    child && span.len() <= limits.min * BYTES_PER_TOKEN && packing.count(span.start, span.end) < limits.min
}
