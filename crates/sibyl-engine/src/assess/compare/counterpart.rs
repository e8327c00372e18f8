//! Where another report says the same as a quotation, in the same or similar words.

use super::words::shown;
use sibyl_answer::{Passage, Source};
use sibyl_text::Span;
use sibyl_text::language::words::{is_stop, words};
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

/// Likeness from which a sentence is another wording of a quotation.
const ALIKE: f64 = 0.6;
/// Minimum number of words that two sentences must share to be wordings of one another.
const SHARED: usize = 3;

/// A sentence, item or row of a report.
#[derive(Clone)]
pub(super) struct Sentence {
    pub source: Arc<Source>,
    pub span: Span,
    /// Its words as they are shown.
    pub text: String,
}

impl Sentence {
    pub fn new(source: &Arc<Source>, span: Span) -> Self {
        Self { source: Arc::clone(source), span, text: shown(span.of(&source.text)) }
    }

    /// The words of its first cell in lower case, if it is a row of a table. A restatement in brackets is no part
    /// of the name.
    fn row_name(&self) -> Option<Vec<String>> {
        let label = *sibyl_answer::passage::cells(self.span.of(&self.source.text))
            .first()
            .filter(|_| self.is_row())?;
        let label = label.to_lowercase();
        let named = match label.split_once('(') {
            Some((name, note)) if note.contains("restated") => name,
            _ => label.as_str(),
        };
        let words: Vec<String> = words(named).into_iter().map(|word| word.text.to_owned()).collect();
        (!words.is_empty()).then_some(words)
    }

    /// Whether it is a row of a table.
    pub fn is_row(&self) -> bool {
        self.span.of(&self.source.text).trim_start().starts_with('|')
    }

    /// Headings above it, from the outermost down.
    pub fn section(&self) -> Vec<String> {
        self.source.path_at(self.span.start).into_iter().map(str::to_owned).collect()
    }

    /// Whether it is at the same place of the document.
    pub fn is_of(&self, source: &Source, span: Span) -> bool {
        self.source.id == source.id && self.span.overlaps(span)
    }
}

/// What a report says, sentence by sentence.
pub(super) struct Report {
    pub sources: Vec<Arc<Source>>,
    sentences: Vec<Sentence>,
    /// Sentences with each word, by position, ascending.
    with: HashMap<String, Vec<usize>>,
    /// Sentences with the same words as shown.
    alike: HashMap<String, Vec<usize>>,
    /// Rows of tables by their names.
    named: HashMap<Vec<String>, Vec<usize>>,
    /// The words of each sentence weigh so much together.
    weights: Vec<f64>,
}

impl Report {
    pub fn new(sources: Vec<Arc<Source>>) -> Self {
        let sentences: Vec<Sentence> = sources.iter().flat_map(sentences_of).collect();
        let mut with: HashMap<String, Vec<usize>> = HashMap::new();
        let mut alike: HashMap<String, Vec<usize>> = HashMap::new();
        let mut named: HashMap<Vec<String>, Vec<usize>> = HashMap::new();
        let told: Vec<HashSet<String>> = sentences.iter().map(|one| telling(&one.text)).collect();
        for (at, sentence) in sentences.iter().enumerate() {
            alike.entry(sentence.text.clone()).or_default().push(at);
            for word in &told[at] {
                with.entry(word.clone()).or_default().push(at);
            }
            if let Some(name) = sentence.row_name() {
                named.entry(name).or_default().push(at);
            }
        }
        let mut report = Self { sources, sentences, with, alike, named, weights: Vec::new() };
        report.weights =
            told.iter().map(|words| words.iter().map(|word| report.weight(word)).sum()).collect();
        report
    }

    /// The sentence that says what `quote` says. Of several places with the same words it is the one under the
    /// same heading, else the sentence most like it. For a row of a table it is the row of the same name under the
    /// same heading, since rows on other things share most of their words.
    pub fn counterpart(&self, quote: &Sentence) -> Option<&Sentence> {
        if let Some(same) = self.alike.get(&quote.text) {
            let section = quote.section();
            let under = |at: &&usize| same_section(&self.sentences[**at].section(), &section);
            return same.iter().find(under).or(same.first()).map(|at| &self.sentences[*at]);
        }
        if let Some(name) = quote.row_name() {
            let rows = self.named.get(&name)?;
            let section = quote.section();
            let under = |at: &&usize| same_section(&self.sentences[**at].section(), &section);
            let mut of_section = rows.iter().filter(under);
            return match (of_section.next(), of_section.next()) {
                (Some(one), None) => Some(&self.sentences[*one]),
                _ => None,
            };
        }
        let asked = telling(&quote.text);
        let of_quote: f64 = asked.iter().map(|word| self.weight(word)).sum();
        let mut shared: HashMap<usize, (f64, usize)> = HashMap::new();
        for word in &asked {
            let weight = self.weight(word);
            for at in self.with.get(word).into_iter().flatten() {
                let (sum, count) = shared.entry(*at).or_default();
                (*sum, *count) = (*sum + weight, *count + 1);
            }
        }
        let alike = shared.into_iter().filter(|(_, (_, count))| *count >= SHARED).map(|(at, (sum, _))| {
            // Dice's coefficient over words, each weighted by how rare it is in the report.
            (at, 2.0 * sum / (of_quote + self.weights[at]))
        });
        let (at, _) = alike
            .filter(|(_, alike)| *alike >= ALIKE)
            .max_by(|(at, a), (other, b)| a.total_cmp(b).then(other.cmp(at)))?;
        Some(&self.sentences[at])
    }

    /// How rare `word` is: the logarithm of the share of sentences with it, Robertson and Spärck Jones's inverse document
    /// frequency.
    fn weight(&self, word: &str) -> f64 {
        let with = self.with.get(word).map_or(0, Vec::len) as f64;
        (1.0 + self.sentences.len() as f64 / (1.0 + with)).ln()
    }
}

/// Whether both are under the same heading; true if one has none.
pub(super) fn same_section(one: &[String], other: &[String]) -> bool {
    match (one.last(), other.last()) {
        (Some(one), Some(other)) => one.trim().eq_ignore_ascii_case(other.trim()),
        _ => true,
    }
}

fn sentences_of(source: &Arc<Source>) -> Vec<Sentence> {
    let passage = Passage {
        number: 0,
        chunk_id: String::new(),
        source: Arc::clone(source),
        spans: vec![Span::new(0, source.text.len())],
        heads: Vec::new(),
        section: Vec::new(),
        paragraph_id: None,
        relevance: 0.0,
    };
    passage.units().into_iter().map(|unit| Sentence::new(source, unit.span)).collect()
}

/// The words of a sentence that say something. Numbers change with the year, so they do not tell a sentence from
/// its next wording.
fn telling(text: &str) -> HashSet<String> {
    words(text)
        .into_iter()
        .filter(|word| !word.text.starts_with(|first: char| first.is_ascii_digit()))
        .map(|word| word.text.to_lowercase())
        .filter(|word| !is_stop(word))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn report(text: &str) -> Report {
        Report::new(vec![Arc::new(Source { text: text.to_owned(), ..Source::default() })])
    }

    fn quote(text: &str) -> Sentence {
        let source = Arc::new(Source { text: text.to_owned(), ..Source::default() });
        Sentence::new(&source, Span::new(0, text.len()))
    }

    const LATER: &str = "The audit committee reviews climate risks twice a year with the head of treasury.\n\n\
        We measure emissions by the operational control approach at all sites.\n\n\
        The board oversees climate risks through its sustainability committee, which meets six times a year.\n\n\
        | Gas | 2023 | 2024 |\n|---|---|---|\n| Methane from pipelines and compressors | 410 | 388 |\n";

    #[test]
    fn another_wording_is_found_and_the_same_words_come_first() {
        let later = report(LATER);
        let found = |text: &str| later.counterpart(&quote(text)).map(|one| one.text.clone());
        let board = found(
            "The board oversees climate risks through its sustainability committee, which met four times in 2023.",
        );
        assert!(board.is_some_and(|text| text.contains("meets six times")));
        let same = found("We measure emissions by the operational control approach at all sites.");
        assert!(same.is_some_and(|text| text.starts_with("We measure")));
        let row = found("| Methane from pipelines and compressors | 395 | 410 |");
        assert_eq!(row.as_deref(), Some("Methane from pipelines and compressors · 410 · 388"));
    }

    #[test]
    fn a_row_is_that_of_its_name_and_no_other_scope() {
        let table = "## Emissions\n\n| Scope | 2023 | 2024 |\n|---|---|---|\n| Scope 1 (2023 restated) | 410 | 388 |\n\
            | Scope 2, location-based | 90 | 80 |\n| Total | 500 | 468 |\n\n## Water\n\n| m³ | 2024 |\n|---|---|\n| Total | 7 |\n";
        let later = report(table);
        let found = |text: &str| later.counterpart(&quote(text)).map(|one| one.text.clone());
        assert_eq!(found("| Scope 1 | 400 | 415 |").as_deref(), Some("Scope 1 (2023 restated) · 410 · 388"));
        assert_eq!(found("| Scope 2 | 95 | 90 |"), None, "market-based is not location-based");
        assert_eq!(found("| Scope 3 | 95 | 90 |"), None);
        assert_eq!(found("| Total | 510 | 505 |"), None, "of two totals nothing says which");
        let board = quote("## Board\n\n| | 2024 |\n|---|---|\n| Scope 1 | 45 |\n");
        let row = board.source.text.find("| Scope 1").unwrap();
        let row = Sentence::new(&board.source, Span::new(row, board.source.text.trim_end().len()));
        assert!(later.counterpart(&row).is_some(), "without headings nothing tells the two apart");
    }

    #[test]
    fn a_sentence_on_something_else_is_no_counterpart_though_it_shares_words() {
        let later = report(LATER);
        for other in [
            "The remuneration committee sets the pay of executives twice a year.",
            "Climate risks.",
            "We measure water withdrawals at sites in areas of high stress.",
            "| Sulphur dioxide | 12 | 9 |",
            "| Methane from pipelines and flares | 12 | 9 |",
        ] {
            assert!(later.counterpart(&quote(other)).is_none(), "{other}");
        }
        assert!(report("").counterpart(&quote("The board oversees climate risks.")).is_none());
    }
}
