//! Hard sentences: real ends and apparent ends, compared with the rules of Unicode alone.
#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a test fails by panicking and prints its measure"
)]

use sibyl_text::language::sentence::sentence_ends;
use std::collections::BTreeSet;
use unicode_segmentation::UnicodeSegmentation as _;

const HARD: &str = include_str!("fixtures/sentences.txt");
/// Where a reader ends a sentence.
const END: char = '‖';

/// A paragraph and the bytes at which a reader ends its sentences, without its own end.
struct Paragraph {
    text: String,
    ends: BTreeSet<usize>,
}

fn paragraphs() -> Vec<Paragraph> {
    let lines = HARD.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    lines
        .map(|line| {
            let mut text = String::new();
            let mut ends = BTreeSet::new();
            for part in line.split(END) {
                if !text.is_empty() {
                    ends.insert(text.len());
                    text.push(' ');
                }
                text.push_str(part.trim());
            }
            Paragraph { text, ends }
        })
        .collect()
}

/// Ends found by `split` and not by a reader, and the other way round, each with its paragraph.
fn wrong(split: impl Fn(&str) -> Vec<usize>) -> Vec<String> {
    let mut out = Vec::new();
    for Paragraph { text, ends } in paragraphs() {
        let found: BTreeSet<usize> = split(&text).into_iter().filter(|end| *end < text.len()).collect();
        let shown = |at: &usize| format!("{}‖{}", &text[..*at], &text[*at..]);
        out.extend(found.difference(&ends).map(|at| format!("torn:   {}", shown(at))));
        out.extend(ends.difference(&found).map(|at| format!("missed: {}", shown(at))));
    }
    out
}

#[test]
fn hard_sentences_end_where_a_reader_ends_them() {
    let all: usize = paragraphs().iter().map(|paragraph| paragraph.ends.len() + 1).sum();
    assert!(all >= 200, "{all} sentences");
    let ours = wrong(sentence_ends);
    let unicode = wrong(|text| {
        text.split_sentence_bound_indices().map(|(at, part)| at + part.trim_end().len()).collect()
    });
    println!(
        "{all} sentences; wrong ends: {} of ours, {} by the rules of Unicode",
        ours.len(),
        unicode.len()
    );
    assert!(ours.len() * 50 <= all, "{}\n{}", ours.len(), ours.join("\n"));
    assert!(ours.len() * 5 <= unicode.len());
}
