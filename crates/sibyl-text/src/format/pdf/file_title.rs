//! The title that a file has: what its first pages show, or what it states itself.

use super::block::Block;
use super::heading;
use super::info;
use serde_json::{Map, Value};
use std::collections::BTreeSet;

/// Pages at the start of a file on which the words of its title stand.
const TITLE_PAGES: usize = 3;
/// Letters of a word that tells one title from another.
const TELLING: usize = 4;

/// The title that `metadata` states, where the first pages show words of it and no more than it, else the one that they
/// show.
pub(super) fn read(pages: &[Vec<Block>], metadata: &Map<String, Value>) -> Option<String> {
    let shown = heading::title(pages);
    info::title(metadata)
        .filter(|title| shown.as_ref().is_none_or(|shown| stands_on(pages, title) && !is_part(title, shown)))
        .or(shown)
}

/// Whether a word of a title that tells it from others stands on the first pages.
fn stands_on(pages: &[Vec<Block>], title: &str) -> bool {
    let words = |text: &str| -> BTreeSet<String> {
        let words = text.split(|c: char| !c.is_alphanumeric()).filter(|word| word.chars().count() >= TELLING);
        words.map(str::to_lowercase).collect()
    };
    let shown: BTreeSet<String> =
        pages.iter().take(TITLE_PAGES).flatten().flat_map(|block| words(&block.text())).collect();
    words(title).iter().any(|word| shown.contains(word))
}

/// Whether a title has no other words than what the title page shows, in the same order, and fewer.
fn is_part(title: &str, shown: &str) -> bool {
    let words = |text: &str| -> Vec<String> {
        let words = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
        words.map(str::to_lowercase).collect()
    };
    let (title, shown) = (words(title), words(shown));
    let mut rest = shown.iter();
    title.len() < shown.len() && title.iter().all(|word| rest.any(|other| other == word))
        || title.concat().len() < shown.concat().len() && shown.concat().contains(&title.concat())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_title_without_some_words_of_the_one_shown_is_part_of_it() {
        for title in ["Mill measures", "MILL-WATER measures", "Mill water measures"] {
            assert!(is_part(title, "Mill water measures 2024"), "{title}");
        }
        for title in ["Mill water measures 2024", "Measures of the mill", "Corvane mill measures"] {
            assert!(!is_part(title, "Mill water measures 2024"), "{title}");
        }
    }
}
