//! Headings of pages that mark none up, such as most filings: short lines that are bold as a whole.

use super::{attribute, content, name};
use dom_query::{Document as Tree, NodeRef};

/// Most letters of such a heading.
const LONGEST: usize = 120;

/// How much of a block is bold.
#[derive(Debug, Default)]
pub(super) struct Bold {
    /// Whether the page marks up no heading.
    wanted: bool,
    nesting: usize,
    letters: usize,
    bold: usize,
}

impl Bold {
    /// Follows the blocks of a page.
    pub(super) fn of(tree: &Tree) -> Self {
        let marked = tree.select("h1, h2, h3, h4, h5, h6");
        Self {
            wanted: marked.nodes().iter().all(|heading| heading.text().trim().is_empty()),
            ..Self::default()
        }
    }

    pub(super) fn enter(&mut self, node: &NodeRef<'_>) {
        self.nesting += usize::from(self.wanted && is_bold(node));
    }

    pub(super) fn leave(&mut self, node: &NodeRef<'_>) {
        self.nesting = self.nesting.saturating_sub(usize::from(self.wanted && is_bold(node)));
    }

    pub(super) fn push(&mut self, text: &str) {
        let letters = content::count(text);
        self.letters += letters;
        self.bold += if self.nesting > 0 { letters } else { 0 };
    }

    /// The level of the block that ends here, `text`, where it is a heading.
    pub(super) fn end_block(&mut self, text: &str) -> Option<u8> {
        let whole = self.letters > 0 && self.bold == self.letters;
        (self.letters, self.bold) = (0, 0);
        let lower = text.to_lowercase();
        let worded = text.chars().filter(|c| c.is_alphabetic()).count() >= 3;
        let ends = text.ends_with(['.', ',', ';', ':'])
            && !lower.starts_with("item ")
            && !lower.starts_with("part ");
        if !(whole && worded) || ends || text.chars().count() > LONGEST {
            return None;
        }
        Some(match lower.as_str() {
            lower if lower.starts_with("part ") => 1,
            lower if lower.starts_with("item ") => 2,
            _ => 3,
        })
    }
}

fn is_bold(node: &NodeRef<'_>) -> bool {
    let style = || attribute(node, "style").unwrap_or_default().to_ascii_lowercase().replace(' ', "");
    let weight = |style: String| {
        ["font-weight:bold", "font-weight:7", "font-weight:8"].iter().any(|w| style.contains(w))
    };
    matches!(name(node).as_str(), "b" | "strong") || weight(style())
}
