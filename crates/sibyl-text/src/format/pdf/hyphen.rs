//! Words broken at the end of a line.

use super::block::{Block, Form};
use super::characters::joins_unspaced;
use super::line::Line;
use std::collections::HashSet;

/// What to do where one line goes over into the next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Seam {
    /// A space between them.
    Space,
    /// The hyphen stays and nothing comes between.
    Keep,
    /// The hyphen goes.
    Drop,
    /// Nothing comes between, as in writings without spaces.
    Close,
}

/// Parts that English writes with a hyphen and that reports use: they decide where the document itself says
/// neither `longterm` nor `long-term`.
const FIRST_PARTS: [&str; 31] = [
    "long", "short", "medium", "mid", "non", "low", "high", "net", "zero", "well", "self", "on", "off",
    "cross", "year", "day", "multi", "full", "part", "site", "real", "best", "near", "twenty", "thirty",
    "forty", "fifty", "sixty", "seventy", "eighty", "ninety",
];
const LAST_PARTS: [&str; 20] = [
    "term",
    "related",
    "based",
    "wide",
    "scale",
    "level",
    "free",
    "neutral",
    "making",
    "specific",
    "driven",
    "led",
    "year",
    "efficient",
    "aligned",
    "effective",
    "intensive",
    "friendly",
    "party",
    "quality",
];

/// Frequent words of languages that write compounds as one word: Swedish, German, Danish and Norwegian, Dutch, Finnish; and how
/// many of them tell one.
const COMPOUNDING: [&[&str]; 5] = [
    &["och", "att", "det", "som", "inte", "är", "har"],
    &["und", "der", "das", "nicht", "ist", "für", "von"],
    &["og", "det", "som", "ikke", "til", "på", "ved"],
    &["het", "een", "niet", "voor", "zijn", "wordt"],
    &["ja", "että", "ovat", "eivät", "myös", "sekä"],
];
const TELLING: usize = 3;

/// Whether a line begins with the stop of the sentence before it.
fn is_stopped(right: &str) -> bool {
    let mut signs = right.chars();
    signs.next().is_some_and(|sign| ".,;".contains(sign)) && signs.next().is_none_or(|next| next == ' ')
}

fn is_compound(first: &str, last: &str) -> bool {
    FIRST_PARTS.contains(&first.to_lowercase().as_str()) || LAST_PARTS.contains(&last)
}

/// Whether joining two parts would double an `a` or `i`, which English writes with a hyphen (`intra-agency`).
fn doubles(first: &str, last: &str) -> bool {
    ['a', 'i'].iter().any(|vowel| first.ends_with(*vowel) && last.starts_with(*vowel))
}

/// The words of a document, lower case: they tell `adap-tation` from `nature-based`.
#[derive(Default)]
pub(super) struct Lexicon(HashSet<String>);

impl Lexicon {
    /// The words of a document, without the halves of words that a line break cuts.
    pub(super) fn of(pages: &[Vec<Block>]) -> Self {
        let mut lexicon = Self::default();
        let mut cut = false;
        let mut add = |line: &Line| {
            let count = line.words.len();
            for (i, word) in line.words.iter().enumerate() {
                let ends_cut = i + 1 == count && word.text.ends_with(['-', '\u{AD}']);
                if !(ends_cut || (i == 0 && cut)) {
                    lexicon.add(&word.text);
                }
                cut = ends_cut;
            }
        };
        for block in pages.iter().flatten() {
            block.lines.iter().for_each(&mut add);
            if let Form::Table(table) = &block.kind {
                table.rows.iter().flatten().flatten().for_each(&mut add);
            }
        }
        lexicon
    }

    /// Adds the words of a text.
    pub(super) fn add(&mut self, text: &str) {
        for word in text.split(|c: char| !c.is_alphanumeric() && c != '-').filter(|w| !w.is_empty()) {
            self.0.insert(word.to_lowercase());
            for part in word.split('-').filter(|part| !part.is_empty()) {
                self.0.insert(part.to_lowercase());
            }
        }
    }

    fn holds(&self, word: &str) -> bool {
        self.0.contains(&word.to_lowercase())
    }

    /// Whether the document is in a language that writes compounds as one word, as its words tell.
    fn writes_compounds_as_one(&self) -> bool {
        COMPOUNDING.iter().any(|words| words.iter().filter(|word| self.holds(word)).count() >= TELLING)
    }

    /// How a line that ends in `left` goes over into one that starts with `right`.
    pub(super) fn seam(&self, left: &str, right: &str) -> Seam {
        if joins_unspaced(left, right) || is_stopped(right) {
            return Seam::Close;
        }
        let soft = left.ends_with('\u{AD}');
        if !soft && !left.ends_with('-') {
            return Seam::Space;
        }
        let letters = |c: &char| c.is_alphabetic();
        let stem: String = left.trim_end_matches(['-', '\u{AD}']).chars().rev().take_while(letters).collect();
        let stem: String = stem.chars().rev().collect();
        let rest: String = right.chars().take_while(letters).collect();
        if stem.is_empty() || rest.is_empty() {
            // A dash that stands alone, or a range of numbers: a number keeps its hyphen.
            let digit = left.trim_end_matches(['-', '\u{AD}']).ends_with(|c: char| c.is_alphanumeric());
            let on = right.starts_with(|c: char| c.is_alphanumeric());
            return if digit && on { Seam::Keep } else { Seam::Space };
        }
        let capitals = |text: &str| text.chars().all(char::is_uppercase);
        if rest.starts_with(char::is_uppercase) && !(capitals(&stem) && capitals(&rest)) {
            return Seam::Keep;
        }
        let joined = self.holds(&format!("{stem}{rest}"));
        let compound = self.holds(&format!("{stem}-{rest}"));
        // "short- and long-term": the hyphen stands for the rest of a compound, which follows. "regulat-or." is one word.
        let follows = right[rest.len()..].starts_with(' ') || right.len() == rest.len();
        if follows && !joined && ["and", "or", "to", "und", "oder", "et", "ou"].contains(&rest.as_str()) {
            return Seam::Space;
        }
        // These languages write compounds as one word.
        if !compound && self.writes_compounds_as_one() {
            return Seam::Drop;
        }
        let apart = stem.len() > 1 && self.holds(&stem) && self.holds(&rest) && rest.len() > 2;
        match (joined, compound) {
            (true, false) => Seam::Drop,
            (false, true) => Seam::Keep,
            _ if soft => Seam::Drop,
            _ if compound || apart || is_compound(&stem, &rest) || doubles(&stem, &rest) => Seam::Keep,
            _ => Seam::Drop,
        }
    }
}
