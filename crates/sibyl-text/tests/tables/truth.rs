//! How many cells of a made table are stored under all their names.

use crate::generator::{Fact, Made};
use sibyl_text::figure::{Figure, Origin, cells, figures};
use sibyl_text::{BlockKind, Document};
use std::collections::BTreeMap;

/// What became of the cells of a file.
#[derive(Debug, Default)]
pub struct Verdict {
    /// Cells under all their names.
    pub right: usize,
    /// All cells, and figures that are none.
    pub all: usize,
    pub faults: Vec<String>,
    /// How often each part of the names was wrong.
    pub kinds: BTreeMap<&'static str, usize>,
}

/// Holds what `document` stores against what `made` says.
pub fn judge(made: &Made, document: &Document) -> Verdict {
    let mut left: Vec<Figure> = figures(document);
    left.retain(|figure| figure.origin == Origin::Table);
    let mut out = Verdict { all: made.facts.len(), ..Verdict::default() };
    let mut open = Vec::new();
    for fact in &made.facts {
        match left.iter().position(|figure| wrong(fact, figure, document, made).is_empty()) {
            Some(at) => {
                left.remove(at);
                out.right += 1;
            }
            None => open.push(fact),
        }
    }
    for fact in open {
        let same = left.iter().enumerate().filter(|(_, figure)| figure.value == fact.value);
        let nearest = same
            .map(|(at, figure)| (wrong(fact, figure, document, made), at))
            .min_by_key(|(wrong, _)| wrong.len());
        let said = format!("{} of {:?} {:?} under {:?}", fact.printed, fact.band, fact.label, fact.column);
        match nearest {
            Some((wrong, at)) => {
                let figure = left.remove(at);
                wrong.iter().for_each(|kind| *out.kinds.entry(kind).or_default() += 1);
                out.faults.push(format!(
                    "{}: {said}: {:?} | {:?} | {:?} | {:?} {:?} | {:?}",
                    wrong.join(", "),
                    figure.label,
                    figure.column,
                    figure.unit,
                    figure.year,
                    figure.part,
                    figure.above
                ));
            }
            None => {
                *out.kinds.entry("lost").or_default() += 1;
                out.faults.push(format!("lost: {said}"));
            }
        }
    }
    out.all += left.len();
    for figure in left {
        *out.kinds.entry("no figure").or_default() += 1;
        let printed = figure.printed(&document.text);
        out.faults.push(format!("no figure: {printed} | {:?} | {:?}", figure.label, figure.column));
    }
    out
}

/// Which names of `figure` are not those of `fact`.
fn wrong(fact: &Fact, figure: &Figure, document: &Document, made: &Made) -> Vec<&'static str> {
    if figure.value != fact.value {
        return vec!["value"];
    }
    let mut out = Vec::new();
    let mut hold = |right: bool, kind: &'static str| {
        if !right {
            out.push(kind);
        }
    };
    let (label, bands) =
        figure.label.split_last().map_or(("", &[][..]), |(label, bands)| (label.as_str(), bands));
    hold(letters(label) == letters(&fact.label), "row");
    let bands: Vec<String> = bands.iter().map(|band| letters(band)).collect();
    hold(bands == fact.band.iter().map(|band| letters(band)).collect::<Vec<_>>(), "band");
    hold(is_column(fact, &figure.column), "column");
    hold(figure.unit.as_deref().map(letters) == fact.unit.as_deref().map(letters), "unit");
    let part = figure.part.map(|part| part.to_string());
    hold((figure.year, part.as_deref()) == (fact.year, fact.part), "period");
    let above = |title: &str| figure.above.iter().any(|above| letters(above) == letters(title));
    let others = made.facts.iter().filter(|other| other.title != fact.title);
    hold(above(&fact.title) && !others.into_iter().any(|other| above(&other.title)), "title");
    let over =
        |name: &String| words(&figure.column).join(" ").contains(&words(name).join(" ")) || above(name);
    hold(fact.over.iter().all(over), "name over all");
    hold(is_headed(fact, figure, document), "header");
    out
}

/// Whether a column's name says all that is said, and nothing that none of its names says.
fn is_column(fact: &Fact, column: &str) -> bool {
    let mut known: Vec<String> = fact.column.iter().chain(&fact.over).flat_map(|name| words(name)).collect();
    let said = words(column);
    words(&fact.said).iter().all(|word| said.contains(word))
        && said.iter().all(|word| match known.iter().position(|known| known == word) {
            Some(at) => {
                known.remove(at);
                true
            }
            None => false,
        })
}

/// Whether the table block that holds the figure names its column.
fn is_headed(fact: &Fact, figure: &Figure, document: &Document) -> bool {
    let text = &document.text;
    let mut blocks = document.blocks.iter().filter(|block| block.span.contains(figure.span));
    let Some((start, BlockKind::Table { header_end })) =
        blocks.next().map(|block| (block.span.start, block.kind))
    else {
        return false;
    };
    let column = cells(text, figure.row).iter().position(|cell| cell.contains(figure.span));
    let head = sibyl_text::Span::new(start, header_end).of(text).lines().next().unwrap_or_default();
    let head = cells(head, sibyl_text::Span::new(0, head.len())).into_iter().map(|cell| cell.of(head));
    let name = column.and_then(|column| head.clone().nth(column)).map(words).unwrap_or_default();
    fact.column.iter().flat_map(|name| words(name)).all(|word| name.contains(&word))
}

/// Letters and digits; raised digits are marks.
fn letters(text: &str) -> String {
    words(text).concat()
}

fn words(text: &str) -> Vec<String> {
    let text = text.replace("<br>", " ");
    let plain = |c: char| c.is_ascii_alphanumeric() || "$%€".contains(c);
    let words = text.split(|c: char| !plain(c)).filter(|word| !word.is_empty());
    words.map(str::to_lowercase).filter(|word| word != "in").collect()
}
