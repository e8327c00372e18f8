//! A report prepared for the search for requirements: its sentences, its content indexes, and how near it comes to
//! requirements in general.

use super::counted::is_asking;
use super::indexes::ReportIndexes;
use super::likelihood::{Evident, Ground};
use super::nearness::{Compared, Near, Scores, Sentences, Wanted, median};
use super::phrases::{all, is_of_the_field, is_said, shuffled};
use super::requirement::Requirement;
use crate::embed::{Embedder, Purpose};
use crate::error::Result;
use crate::library::Assessing;
use sibyl_answer::{Passage, Source};
use sibyl_text::chunk::Role;
use sibyl_text::document::section_at;
use sibyl_text::language::sentence::sentence_ends;
use sibyl_text::language::tongue::tongue;
use sibyl_text::source_type::{Permission, allowing};
use sibyl_text::{Piece, Span};
use std::collections::HashMap;
use std::sync::Arc;

/// Maximum number of chunks of a document.
const CHUNKS: i64 = 1_000_000;
/// Length of a table row, in bytes, from which its sentences are compared one by one.
const LONG_ROW: usize = 300;
/// Length, in bytes, up to which what stands in a cell goes with what follows.
const SHORT_CELL: usize = 40;
/// Sentences, spread over a report, by which its language is told.
const SAMPLE: usize = 60;
/// The language of phrases and explanations.
const OURS: &str = "English";

/// A report as requirements are looked for in it.
pub(super) struct Measured {
    /// Id of the report.
    pub report: String,
    /// Its content indexes.
    pub indexes: ReportIndexes,
    /// The place of each sentence.
    pub stands: Vec<(Arc<Source>, Span)>,
    /// Its chunks: the sentences that begin in each.
    pub chunks: HashMap<String, Vec<usize>>,
    sentences: Sentences,
    /// Best closeness of foreign requirements, ascending.
    foreign: Vec<f64>,
    /// How near it comes to what it is not about.
    pub ground: Ground,
    /// How much nearer than that it comes to each requirement that was counted.
    pub counted: HashMap<&'static str, Near>,
    /// Its language, by its English name, if requirements cannot be matched in it.
    pub unmatched: Option<&'static str>,
}

impl Measured {
    /// Share of foreign requirements whose best sentence is further off than `close`, 0 to 1.
    pub fn relevance(&self, close: f64) -> f64 {
        let below = self.foreign.partition_point(|one| *one < close);
        below as f64 / self.foreign.len().max(1) as f64
    }

    /// What it has on the requirement `id`, to which it comes so `near` and which has these `telling` words.
    pub fn evident(&self, id: &str, near: Near, telling: &[(String, f64)]) -> Evident {
        let ground = if is_said(id) { self.ground.said } else { self.ground.explained };
        Evident { near: near.beyond(ground), telling: self.sentences.told(telling) }
    }

    /// What its sentences score for what is `wanted`.
    pub fn scores(&self, wanted: &Wanted) -> Scores {
        self.sentences.scores(wanted)
    }

    /// The total by `score` of the sentences of each place, with them, the best first.
    pub fn places(&self, score: &[f64]) -> Vec<(f64, Vec<usize>)> {
        self.sentences.places(score)
    }

    /// The place of the sentence `at`.
    pub fn place_of(&self, at: usize) -> usize {
        self.sentences.place_of(at)
    }
}

impl Assessing<'_> {
    /// `report` prepared for the search for requirements, with the `foreign` ones that it is not about.
    pub(super) async fn measured(
        &self,
        workspace: i64,
        report: &str,
        foreign: &Arc<Vec<Requirement>>,
    ) -> Result<Measured> {
        let mut stands: Vec<(Arc<Source>, Span)> = Vec::new();
        for source in self.sources(workspace, report).await? {
            if allowing(Permission::Evidence).any(|kind| kind.name == source.source_type) {
                stands.extend(units(&source).into_iter().map(|span| (Arc::clone(&source), span)));
            }
        }
        let table = self.library.models().instant().await;
        let sentences = sentences(table.as_ref(), &stands).await?;
        let of = async |phrases: &[String]| -> Result<Scores> {
            Ok(sentences.scores(&wanted_by(table.as_ref(), phrases).await?))
        };
        let mut best = Vec::with_capacity(foreign.len());
        let mut explained = Vec::with_capacity(foreign.len());
        for phrases in foreign.iter().filter_map(|one| one.said.first()) {
            let scores = of(phrases).await?;
            best.push(scores.close.iter().copied().fold(0.0, f64::max));
            explained.push(scores.near);
        }
        best.sort_by(f64::total_cmp);
        let mut said = Vec::new();
        for phrases in shuffled() {
            said.push(of(&phrases).await?.near);
        }
        let by_meaning = table.is_some();
        let field = sentences.share(is_of_the_field);
        let ground = Ground { said: median(&said), explained: median(&explained), field, by_meaning };
        let mut counted = HashMap::new();
        for (id, phrases) in all() {
            counted.insert(id, of(phrases).await?.near.beyond(ground.said));
        }
        Ok(Measured {
            report: report.to_owned(),
            indexes: self.indexes(workspace, report).await?,
            chunks: self.chunks(workspace, &stands).await?,
            unmatched: unmatched(&stands),
            stands,
            sentences,
            foreign: best,
            ground,
            counted,
        })
    }

    /// The sentences at these places that begin in each chunk.
    async fn chunks(
        &self,
        workspace: i64,
        stands: &[(Arc<Source>, Span)],
    ) -> Result<HashMap<String, Vec<usize>>> {
        let mut chunks: HashMap<String, Vec<usize>> = HashMap::new();
        let mut first = 0;
        while let Some((source, _)) = stands.get(first) {
            let count = stands[first..].partition_point(|(own, _)| own.id == source.id);
            let own = &stands[first..first + count];
            for chunk in self.library.store().chunks_of(workspace, source.id, 0, CHUNKS).await? {
                let held = bodies(&chunk.pieces).flat_map(|body| {
                    let from = own.partition_point(|(_, span)| span.start < body.start);
                    let to = own.partition_point(|(_, span)| span.start < body.end);
                    first + from..first + to.max(from)
                });
                let held = held.collect();
                chunks.insert(chunk.chunk_id, held);
            }
            first += count;
        }
        Ok(chunks)
    }
}

/// The spans of a document in `pieces` that repeat nothing: those of the body.
fn bodies(pieces: &[Piece]) -> impl Iterator<Item = Span> {
    pieces.iter().filter_map(|piece| match piece {
        Piece::Source { span, role: Role::Body } => Some(*span),
        _ => None,
    })
}

/// What is looked for by `phrases`.
pub(super) async fn wanted_by(table: Option<&Arc<dyn Embedder>>, phrases: &[String]) -> Result<Wanted> {
    Ok(Wanted::new(phrases, vectors(table, phrases.to_vec(), Purpose::Query).await?))
}

/// Vectors of `texts` by the static `table`; empty without a table.
pub(super) async fn vectors(
    table: Option<&Arc<dyn Embedder>>,
    texts: Vec<String>,
    purpose: Purpose,
) -> Result<Vec<Vec<f32>>> {
    match table {
        Some(table) => Ok(table.embed(&texts, purpose).await?),
        None => Ok(Vec::new()),
    }
}

/// Sentences, items and rows of `source`, without its headings.
fn units(source: &Arc<Source>) -> Vec<Span> {
    let whole = Passage {
        number: 0,
        chunk_id: String::new(),
        source: Arc::clone(source),
        spans: vec![Span::new(0, source.text.len())],
        heads: Vec::new(),
        section: Vec::new(),
        paragraph_id: None,
        relevance: 0.0,
    };
    let said = |span: &Span| {
        let text = span.of(&source.text).trim_start();
        !text.starts_with('#') && text.chars().any(char::is_alphanumeric)
    };
    whole.units().into_iter().flat_map(|unit| parts(&source.text, unit.span)).filter(said).collect()
}

/// `span` of `text`, or the sentences in its cells if it is a row of a table that says as much as a paragraph.
fn parts(text: &str, span: Span) -> Vec<Span> {
    let row = span.of(text);
    let says_little = |row: &str| row.split('|').all(|cell| cell.trim().len() <= SHORT_CELL);
    if row.len() < LONG_ROW || !row.trim_start().starts_with('|') || says_little(row) {
        return vec![span];
    }
    let is_edge = |c: char| c.is_whitespace() || c == '|';
    let mut parts: Vec<Span> = Vec::new();
    let (mut start, mut at) = (0, 0);
    for cell in row.split_inclusive('|') {
        for end in sentence_ends(cell).into_iter().chain([cell.len()]) {
            if at + end - start > SHORT_CELL {
                let part = &row[start..at + end];
                let bare = part.trim_matches(is_edge);
                let begin = span.start + start + part.find(bare).unwrap_or_default();
                parts.push(Span::new(begin, begin + bare.len()));
                start = at + end;
            }
        }
        at += cell.len();
    }
    // What is left is short, and goes with what is before it.
    let rest = row[start..at].trim_end_matches(is_edge);
    if let Some(last) = parts.last_mut().filter(|_| !rest.trim_start_matches(is_edge).is_empty()) {
        last.end = span.start + start + rest.len();
    }
    parts.retain(|part| part.of(text).chars().any(char::is_alphanumeric));
    parts
}

/// The language of what stands at these places, if it is not that of the phrases.
fn unmatched(stands: &[(Arc<Source>, Span)]) -> Option<&'static str> {
    let step = (stands.len() / SAMPLE).max(1);
    let sample: Vec<&str> =
        stands.iter().step_by(step).take(SAMPLE).map(|(source, span)| span.of(&source.text)).collect();
    tongue(&sample.join("\n")).filter(|found| *found != OURS)
}

/// The sentences at these places, ready to be compared by `table`.
async fn sentences(table: Option<&Arc<dyn Embedder>>, stands: &[(Arc<Source>, Span)]) -> Result<Sentences> {
    let mut headings: Vec<String> = Vec::new();
    let mut places: HashMap<(i64, usize), usize> = HashMap::new();
    let mut sections: HashMap<(i64, Option<usize>), usize> = HashMap::new();
    let mut stood = Vec::with_capacity(stands.len());
    for (source, span) in stands {
        let section = section_at(&source.sections, span.start);
        let page = source.pages_of(*span).filter(|_| !source.about_pages).map(|(first, _)| first.number);
        let next = places.len();
        let place = page.map_or(section.unwrap_or_default(), |page| page as usize);
        let place = *places.entry((source.id, place)).or_insert(next);
        let heading = *sections.entry((source.id, section)).or_insert_with(|| {
            headings.push(source.path_at(span.start).into_iter().rev().take(2).collect::<Vec<_>>().join(" "));
            headings.len() - 1
        });
        stood.push((place, heading));
    }
    let own: Vec<&str> = stands.iter().map(|(source, span)| span.of(&source.text)).collect();
    let around = (0..own.len()).map(|at| own[at.saturating_sub(1)..(at + 2).min(own.len())].join(" "));
    let around = vectors(table, around.collect(), Purpose::Passage).await?;
    let vector = vectors(table, own.iter().map(|&text| text.to_owned()).collect(), Purpose::Passage).await?;
    let under = vectors(table, headings, Purpose::Passage).await?;
    let heads = stands.iter().map(|(source, span)| source.path_at(span.start).last().copied());
    let texts: Vec<String> =
        heads.zip(&own).map(|(head, own)| format!("{} {own}", head.unwrap_or_default())).collect();
    let (mut vector, mut around, mut asking) = (vector.into_iter(), around.into_iter(), own.iter().copied());
    let compared = stood.into_iter().map(|(place, heading)| Compared {
        vector: vector.next().unwrap_or_default(),
        around: around.next().unwrap_or_default(),
        heading,
        place,
        asks: is_asking(asking.next().unwrap_or_default()),
    });
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    Ok(Sentences::new(&texts, compared.collect(), under))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(row: &str) -> Vec<String> {
        let whole = format!("before {row}");
        let span = Span::new("before ".len(), whole.len());
        parts(&whole, span).into_iter().map(|part| part.of(&whole).to_owned()).collect()
    }

    #[test]
    fn sentences_in_the_cells_of_a_long_row_are_compared_one_by_one() {
        let first = "The board of the ferry company reviews its climate risks each quarter.";
        let second = "It approved the budget for the new quay in March, after two hearings in the town.";
        let asked =
            "Describe how the board oversees risks and opportunities that are related to the climate.";
        let row =
            format!("| 1(a) | {asked} | {first} {second} The quay is to be raised by half a metre. | Yes |");
        let parts = said(&row);
        assert_eq!(parts[0], format!("1(a) | {asked}"), "a short cell goes with the next");
        assert_eq!(parts[1..3], [first, second]);
        assert!(parts.iter().all(|part| row.contains(part.as_str())));
        assert_eq!(
            parts.last().map(String::as_str),
            Some("The quay is to be raised by half a metre. | Yes"),
            "the last cell goes with what is before it"
        );
    }

    #[test]
    fn a_row_of_figures_stays_whole() {
        let row = format!("| Scope 1 |{}", " 12,450 |".repeat(40));
        assert_eq!(said(&row), [row]);
    }
}
