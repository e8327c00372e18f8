//! Documents made of plain words, in the shape of reports.

use sibyl_lab::random::Random;
use std::fmt::Write as _;

const WORDS: &[&str] = &[
    "the",
    "of",
    "and",
    "to",
    "in",
    "a",
    "for",
    "with",
    "on",
    "by",
    "emissions",
    "target",
    "company",
    "report",
    "climate",
    "energy",
    "water",
    "scope",
    "board",
    "risk",
    "transition",
    "plan",
    "carbon",
    "assets",
    "strategy",
    "capital",
    "suppliers",
    "measured",
    "value",
    "chain",
    "governance",
    "metric",
    "policy",
    "reduction",
    "sites",
    "production",
    "employees",
    "products",
    "forecast",
    "disclosure",
    "period",
    "revenue",
    "investment",
    "standard",
    "review",
    "committee",
    "progress",
    "baseline",
];

/// A sentence of `words` words.
pub fn sentence(random: &mut Random, words: usize) -> String {
    let words: Vec<&str> = (0..words).map(|_| *random.pick(WORDS)).collect();
    format!("Our {}.", words.join(" "))
}

/// A Markdown report of at least `bytes` bytes: headings of three levels, paragraphs, lists and tables.
pub fn report(random: &mut Random, bytes: usize) -> String {
    let mut text = "# Annual report\n".to_owned();
    let mut section = 0;
    while text.len() < bytes {
        section += 1;
        let level = if section % 20 == 1 { "##" } else { "###" };
        put(&mut text, format_args!("\n{level} {section} {}\n", sentence(random, 4).trim_end_matches('.')));
        for _ in 0..3 {
            let sentences: Vec<String> = (0..5).map(|_| sentence(random, 18)).collect();
            put(&mut text, format_args!("\n{}\n", sentences.join(" ")));
        }
        match section % 3 {
            0 => {
                put(
                    &mut text,
                    format_args!("\n| Metric | Unit | This year | Last year |\n|---|---|---|---|\n"),
                );
                for _ in 0..8 {
                    let (now, before) = (random.below(100_000), random.below(100_000));
                    put(&mut text, format_args!("| {} | t CO2e | {now} | {before} |\n", sentence(random, 3)));
                }
            }
            1 => {
                put(&mut text, format_args!("\n"));
                for _ in 0..6 {
                    put(&mut text, format_args!("- {}\n", sentence(random, 12)));
                }
            }
            _ => {}
        }
    }
    text
}

fn put(text: &mut String, what: std::fmt::Arguments<'_>) {
    // Writing into a string cannot fail.
    let _ = text.write_fmt(what);
}
