//! How two ways of chunking a document differ.

use super::PreviewChunk;
use crate::ingest::pipeline::TOKENS;
use crate::store::table::chunk::ChunkRow;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sibyl_text::Piece;
use sibyl_text::tokens::TokenCounter as _;
use std::collections::{BTreeSet, HashMap, HashSet};

/// How two lists of chunks differ.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Difference {
    /// Chunks that are in both, text for text.
    pub same: usize,
    /// Chunks whose place in the document stays and whose text changes.
    pub changed: usize,
    /// Chunks only the new list has, by position.
    pub added: Vec<usize>,
    /// Chunks only the old list has, by position.
    pub removed: Vec<usize>,
    /// Boundaries of the new list that the old one has not (bytes of the document's text).
    pub boundaries_added: Vec<usize>,
    /// Boundaries of the old list that the new one has not (bytes of the document's text).
    pub boundaries_removed: Vec<usize>,
    /// Tokens of chunks whose text has no twin in the old list: what would be embedded again.
    pub tokens_to_embed: usize,
}

/// The parts of a chunk that a comparison needs.
#[derive(Debug, Clone, Copy)]
pub struct Cut<'a> {
    text: &'a str,
    start: usize,
    end: usize,
}

impl<'a> Cut<'a> {
    /// A stored chunk.
    pub fn of_row(row: &'a ChunkRow) -> Self {
        let spans = row.pieces.iter().filter_map(|piece| match piece {
            Piece::Source { span, role } if role.is_own() => Some(*span),
            _ => None,
        });
        let (start, end) =
            spans.fold((usize::MAX, 0), |(start, end), span| (start.min(span.start), end.max(span.end)));
        Self { text: &row.text, start: start.min(end), end }
    }

    /// A chunk that is not stored.
    pub fn of_preview(chunk: &'a PreviewChunk) -> Self {
        Self { text: &chunk.text, start: chunk.extent.start, end: chunk.extent.end }
    }
}

/// How `new` differs from `old`.
pub fn difference(old: &[Cut<'_>], new: &[Cut<'_>]) -> Difference {
    let mut texts: HashMap<&str, Vec<usize>> = HashMap::new();
    for (position, cut) in old.iter().enumerate().rev() {
        texts.entry(cut.text).or_default().push(position);
    }
    let mut out = Difference::default();
    let mut left: Vec<bool> = vec![true; old.len()];
    let mut unmatched = Vec::new();
    for (position, cut) in new.iter().enumerate() {
        match texts.get_mut(cut.text).and_then(Vec::pop) {
            Some(twin) => {
                left[twin] = false;
                out.same += 1;
            }
            None => unmatched.push(position),
        }
    }
    let known: HashSet<&str> = old.iter().map(|cut| cut.text).collect();
    let fresh = unmatched.iter().map(|position| new[*position].text).filter(|text| !known.contains(text));
    out.tokens_to_embed = fresh.map(|text| TOKENS.count(text)).sum();
    let mut places: HashMap<(usize, usize), usize> = HashMap::new();
    for (position, cut) in old.iter().enumerate().filter(|(position, _)| left[*position]) {
        places.insert((cut.start, cut.end), position);
    }
    for position in unmatched {
        match places.remove(&(new[position].start, new[position].end)) {
            Some(twin) => {
                left[twin] = false;
                out.changed += 1;
            }
            None => out.added.push(position),
        }
    }
    out.removed = (0..old.len()).filter(|position| left[*position]).collect();
    let (old, new) = (boundaries(old), boundaries(new));
    out.boundaries_added = new.difference(&old).copied().collect();
    out.boundaries_removed = old.difference(&new).copied().collect();
    out
}

fn boundaries(cuts: &[Cut<'_>]) -> BTreeSet<usize> {
    cuts.iter().map(|cut| cut.start).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn cuts<'a>(text: &'a str, bounds: &[usize]) -> Vec<Cut<'a>> {
        let mut all = vec![0];
        all.extend(bounds.iter().map(|bound| bound % (text.len() + 1)));
        all.push(text.len());
        all.sort_unstable();
        all.dedup();
        all.windows(2)
            .map(|pair| Cut { text: &text[pair[0]..pair[1]], start: pair[0], end: pair[1] })
            .collect()
    }

    proptest! {
        #[test]
        fn every_chunk_of_both_lists_is_accounted_for(
            text in "[ab ]{0,40}",
            old in prop::collection::vec(0_usize..100, 0..8),
            new in prop::collection::vec(0_usize..100, 0..8),
        ) {
            let (old, new) = (cuts(&text, &old), cuts(&text, &new));
            let difference = difference(&old, &new);
            prop_assert_eq!(difference.same + difference.changed + difference.added.len(), new.len());
            prop_assert_eq!(difference.same + difference.changed + difference.removed.len(), old.len());
            let kept = boundaries(&old).len() - difference.boundaries_removed.len();
            prop_assert_eq!(kept + difference.boundaries_added.len(), boundaries(&new).len());
        }

        #[test]
        fn a_list_does_not_differ_from_itself(text in "[ab ]{0,40}", bounds in prop::collection::vec(0_usize..100, 0..8)) {
            let cuts = cuts(&text, &bounds);
            let expected = Difference { same: cuts.len(), ..Difference::default() };
            prop_assert_eq!(difference(&cuts, &cuts), expected);
        }
    }
}
