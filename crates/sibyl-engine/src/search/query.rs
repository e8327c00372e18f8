//! How a query is read: references, quoted phrases, identifiers and words become a weighted clause.
//!
//! Words are OR-ed and ranked, so that a natural question never comes back empty because one word is missing. Stop
//! words and words in most chunks are left out while a rarer one remains: they cost most of the time and decide
//! almost nothing.

mod stop;
mod structured;
mod thesaurus;
mod words;

pub use thesaurus::{Thesaurus, shipped};

use super::notice::{NoticeCause, SearchNotice};
use super::{SearchRequest, Term, TermFate};
use crate::error::{Error, Result};
use crate::store::keyword::{
    Clause, Frequencies, KeywordQuery, MAX_PHRASES, Phrase, Stemmer, Vocabulary, inverse_frequency,
};
use crate::store::scope::CorpusInScope;
use sibyl_text::language::runs::indexed;
use sibyl_text::reference::Reference;
use std::collections::HashSet;
use words::Item;

/// Share of the index from which a word is too frequent to tell chunks apart.
pub(super) const TOO_FREQUENT: f64 = 0.5;
/// Number of chunks below which no word is too frequent: in a small index the share says nothing.
pub(super) const SMALL_INDEX: u64 = 50;
/// Number of places of a clause for the query's own words; the rest is for what is added to them.
const OWN_PHRASES: usize = 40;
/// Number of phrases, identifiers and numbers of a query that are counted, from the first: counting a phrase takes
/// as long as many words.
const COUNTED_PHRASES: usize = 64;
/// References of a query that are followed, the first ones.
pub(super) const FOLLOWED: usize = 100;
/// Number of unknown words of a query for which the nearest known ones are looked up, from the first.
const CORRECTED: usize = 40;
/// Words that are not searched for and are listed all the same, so that each is explained; of more, their number is.
const LISTED_UNSEARCHED: usize = 200;
/// Number of members of a range beyond which its ids are not phrases of the keyword leg.
const PHRASED_IDS: usize = 4;
/// Weight of two words of the query that stand near each other, relative to that of a word. It is higher if they
/// stand in the query's order (the features of Metzler and Croft, which `sibyl-store` counts).
const NEAR: f64 = 0.1;
const IN_ORDER: f64 = 0.2;
/// Number of words used in place of an unknown one.
const CORRECTIONS: usize = 2;
/// Weight of a word used in place of an unknown one, by its edit distance.
const CORRECTION_WEIGHTS: [f64; 3] = [1.0, 0.9, 0.7];

/// A query that is being read: its parts, and what might be added to them.
#[derive(Debug, Clone)]
pub struct Reading {
    references: Vec<Reference>,
    parts: Vec<Part>,
    structured: Option<Clause>,
    chunks: u64,
    /// Phrases and references beyond those that are counted and followed.
    passed_over: usize,
}

/// A word or phrase that may be searched for.
#[derive(Debug, Clone, PartialEq)]
struct Part {
    phrase: Phrase,
    stems: Vec<String>,
    kind: AskedAs,
    fate: TermFate,
    frequency: u64,
    weight: f64,
}

#[derive(Debug, Clone, PartialEq)]
enum AskedAs {
    /// A word of the query.
    Word,
    /// Quoted text, an identifier, a reference's id or a number with the word before it.
    Phrase,
    /// A word of the phrase with these stems, in case the phrase occurs nowhere as a whole.
    Loose(Vec<String>),
    /// Added by the thesaurus for words with these stems.
    Added(Vec<String>),
    /// Used in place of a word that the index does not know.
    Correction,
    /// A part of the structured form.
    Fixed { wanted: bool },
}

impl Part {
    fn new(text: String, stems: Vec<String>, kind: AskedAs) -> Self {
        let fate = if kind == AskedAs::Phrase { TermFate::Phrase } else { TermFate::Kept };
        Self { phrase: Phrase::new(text), stems, kind, fate, frequency: 0, weight: 1.0 }
    }

    /// Its stem, if one stem is all there is to count.
    fn only_stem(&self) -> Option<&String> {
        match self.stems.as_slice() {
            [stem] if !self.phrase.prefix => Some(stem),
            _ => None,
        }
    }

    fn searched(&self) -> bool {
        matches!(self.fate, TermFate::Kept | TermFate::Phrase | TermFate::Expansion { .. })
    }
}

/// A query ready to run.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Plan {
    /// References found in it.
    pub references: Vec<Reference>,
    /// Its words, each with its treatment.
    pub terms: Vec<Term>,
    /// What the keyword leg runs.
    pub keyword: KeywordQuery,
    /// The stems of each phrase of the clause, joined with spaces.
    pub labels: Vec<String>,
    /// The part of the query that was left out because the query is too long.
    pub notices: Vec<SearchNotice>,
}

impl Reading {
    /// Splits the query of `request` into its parts, with the additions of `thesaurus`.
    ///
    /// # Errors
    /// [`Error::QuerySyntax`] for a structured query that does not parse.
    pub fn new(
        request: &SearchRequest,
        stemmer: &dyn Stemmer,
        thesaurus: &Thesaurus,
        corpora: &[CorpusInScope],
    ) -> Result<Self> {
        let mut references = sibyl_text::source_type::references(&request.query);
        let passed_over = references.len().saturating_sub(FOLLOWED);
        references.truncate(FOLLOWED);
        let mut reading = Self { references, parts: Vec::new(), structured: None, chunks: 0, passed_over };
        if request.structured {
            reading.read_structured(&request.query, stemmer)?;
        } else {
            reading.read_natural(&request.query, stemmer, thesaurus, corpora)?;
        }
        Ok(reading)
    }

    fn read_structured(&mut self, query: &str, stemmer: &dyn Stemmer) -> Result<()> {
        let read = structured::parse(query)?;
        if let Some(extra) = read.phrases.get(MAX_PHRASES) {
            let message = format!("a query may have at most {MAX_PHRASES} words and phrases; leave some out");
            return Err(Error::QuerySyntax { at: extra.at, message });
        }
        let texts: Vec<String> = read.phrases.iter().map(|asked| asked.phrase.text.clone()).collect();
        for (asked, stems) in read.phrases.into_iter().zip(stemmer.tokens(&texts)?) {
            if stems.is_empty() {
                let message = format!("`{}` has no letter or digit to search for", asked.phrase.text);
                return Err(Error::QuerySyntax { at: asked.at, message });
            }
            let fate = if stems.len() == 1 { TermFate::Kept } else { TermFate::Phrase };
            let part = Part::new(String::new(), stems, AskedAs::Fixed { wanted: asked.wanted });
            self.parts.push(Part { phrase: asked.phrase, fate, ..part });
        }
        self.structured = Some(read.clause);
        Ok(())
    }

    fn read_natural(
        &mut self,
        query: &str,
        stemmer: &dyn Stemmer,
        thesaurus: &Thesaurus,
        corpora: &[CorpusInScope],
    ) -> Result<()> {
        let mut texts: Vec<(String, AskedAs)> = Vec::new();
        let mut phrases = 0;
        let mut phrase = |text: String, texts: &mut Vec<(String, AskedAs)>| {
            phrases += 1;
            if phrases <= COUNTED_PHRASES {
                texts.push((text, AskedAs::Phrase));
            }
        };
        for item in words::split(query, &self.references) {
            match item {
                Item::Word(word) => {
                    let number = word.chars().all(char::is_numeric);
                    if number
                        && let Some((before, AskedAs::Word)) = texts.last()
                        && !is_stop(before)
                    {
                        phrase(format!("{before} {word}"), &mut texts);
                    }
                    texts.push((word, AskedAs::Word));
                }
                Item::Quoted(text) | Item::Identifier(text) => phrase(text, &mut texts),
                Item::Reference(index) => {
                    let ids = self.references.get(index).map(|r| r.ids.as_slice()).unwrap_or_default();
                    ids.iter().take(PHRASED_IDS).for_each(|id| phrase(id.clone(), &mut texts));
                }
            }
        }
        self.passed_over += phrases.saturating_sub(COUNTED_PHRASES);
        let words: Vec<String> = texts.iter().map(|(text, _)| text.clone()).collect();
        let stems = stemmer.tokens(&words)?;
        let mut seen = HashSet::new();
        let mut loose = Vec::new();
        for ((text, kind), stems) in texts.iter().zip(&stems) {
            if stems.is_empty() || !seen.insert(stems.clone()) {
                continue;
            }
            // A run of a script without blanks is a phrase of its pairs of letters.
            if *kind == AskedAs::Phrase || stems.len() > 1 {
                let text = indexed(text);
                let words = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !is_stop(word));
                loose.extend(words.map(|word| (word.to_owned(), stems.clone())));
            }
            self.parts.push(Part::new(text.clone(), stems.clone(), kind.clone()));
        }
        let words: Vec<String> = loose.iter().map(|(word, _)| word.clone()).collect();
        for ((word, of), stems) in loose.into_iter().zip(stemmer.tokens(&words)?) {
            if stems.len() == 1 && seen.insert(stems.clone()) {
                self.parts.push(Part::new(word, stems, AskedAs::Loose(of)));
            }
        }
        // The thesaurus sees the words as they follow each other, also those that occur twice or say little.
        let (spoken, stems): (Vec<&String>, Vec<String>) = texts
            .iter()
            .zip(&stems)
            .filter(|((_, kind), _)| *kind == AskedAs::Word)
            .flat_map(|((text, _), stems)| stems.iter().map(move |stem| (text, stem.clone())))
            .unzip();
        for expansion in thesaurus.expand(&stems, corpora) {
            if seen.insert(expansion.stems.clone()) {
                let words = expansion.of..expansion.of + expansion.words;
                let mut of: Vec<&str> = spoken[words.clone()].iter().map(|word| word.as_str()).collect();
                of.dedup();
                let of = of.join(" ");
                let part = Part::new(expansion.text, expansion.stems, AskedAs::Added(stems[words].to_vec()));
                self.parts.push(Part { fate: TermFate::Expansion { of }, weight: expansion.weight, ..part });
            }
        }
        Ok(())
    }

    /// The references found.
    pub fn references(&self) -> &[Reference] {
        &self.references
    }

    /// What has to be counted: stems, each with a phrase that finds it, and phrases.
    pub fn to_count(&self) -> (Vec<(String, Phrase)>, Vec<Phrase>) {
        let (mut stems, mut phrases) = (Vec::new(), Vec::new());
        for part in &self.parts {
            match part.only_stem() {
                Some(stem) => stems.push((stem.clone(), part.phrase.clone())),
                None => phrases.push(part.phrase.clone()),
            }
        }
        (stems, phrases)
    }

    /// Notes how often everything occurs, and leaves out what finds nothing or says nothing.
    pub fn count(&mut self, frequencies: &Frequencies) {
        self.chunks = frequencies.chunks;
        for part in &mut self.parts {
            let count = match part.only_stem() {
                Some(stem) => frequencies.stems.get(stem),
                None => frequencies.phrases.get(&part.phrase),
            };
            part.frequency = count.copied().unwrap_or(0);
        }
        if self.structured.is_none() {
            self.leave_out();
        }
    }

    fn leave_out(&mut self) {
        let found: HashSet<Vec<String>> =
            self.parts.iter().filter(|part| part.frequency > 0).map(|part| part.stems.clone()).collect();
        // Words that were not typed must occur in the index; a word of a phrase is used only if the phrase does
        // not occur.
        self.parts.retain(|part| match &part.kind {
            AskedAs::Added(_) | AskedAs::Correction => part.frequency > 0,
            AskedAs::Loose(of) => part.frequency > 0 && !found.contains(of),
            AskedAs::Word | AskedAs::Phrase | AskedAs::Fixed { .. } => true,
        });
        let mut added = 0;
        self.parts.retain(|part| {
            added += usize::from(matches!(part.kind, AskedAs::Added(_)));
            !matches!(part.kind, AskedAs::Added(_)) || added <= thesaurus::MOST
        });
        for part in &mut self.parts {
            if part.kind == AskedAs::Word && is_stop(&part.phrase.text) {
                part.fate = TermFate::StopWord;
            } else if part.frequency == 0 && !matches!(part.fate, TermFate::Corrected { .. }) {
                part.fate = TermFate::Unknown;
            }
        }
        let limit = self.chunks as f64 * TOO_FREQUENT;
        let small = self.chunks < SMALL_INDEX;
        let tells = |part: &Part| part.searched() && (small || part.frequency as f64 <= limit);
        if self.parts.iter().any(tells) {
            for part in self.parts.iter_mut().filter(|part| part.searched() && part.stems.len() == 1) {
                if !tells(part) {
                    part.fate = TermFate::TooFrequent;
                }
            }
        }
        // A question of stop words alone is asked with the rarest of them.
        if !self.parts.iter().any(Part::searched) {
            let stop_words =
                self.parts.iter_mut().filter(|p| p.fate == TermFate::StopWord && p.frequency > 0);
            if let Some(rarest) = stop_words.min_by_key(|part| part.frequency) {
                rarest.fate = TermFate::Kept;
            }
        }
    }

    /// The words that the index does not know and the thesaurus does not explain.
    pub fn unknown_words(&self) -> Vec<String> {
        let explained: HashSet<&String> = (self.parts.iter())
            .filter_map(|part| if let AskedAs::Added(of) = &part.kind { Some(of) } else { None })
            .flatten()
            .collect();
        let unknown = |part: &&Part| part.kind == AskedAs::Word && part.fate == TermFate::Unknown;
        let words = self.parts.iter().filter(unknown);
        words
            .filter(|part| !part.stems.iter().any(|s| explained.contains(s)))
            .map(|part| part.phrase.text.clone())
            .take(CORRECTED)
            .collect()
    }

    /// Uses the nearest words of `vocabulary` in place of `unknown` ones. Count again afterwards.
    ///
    /// # Errors
    /// Storage errors.
    pub fn correct(
        &mut self,
        unknown: &[String],
        vocabulary: &Vocabulary,
        stemmer: &dyn Stemmer,
    ) -> Result<()> {
        let mut seen: HashSet<Vec<String>> = self.parts.iter().map(|part| part.stems.clone()).collect();
        for word in unknown {
            let nearest = vocabulary.nearest(word, CORRECTIONS);
            let words: Vec<String> = nearest.iter().map(|(word, _)| word.clone()).collect();
            let Some(part) = self.parts.iter_mut().find(|part| part.phrase.text == *word) else { continue };
            if words.is_empty() {
                continue;
            }
            part.fate = TermFate::Corrected { to: words.clone() };
            for ((word, distance), stems) in nearest.into_iter().zip(stemmer.tokens(&words)?) {
                if stems.len() == 1 && seen.insert(stems.clone()) {
                    let weight = CORRECTION_WEIGHTS.get(distance).copied().unwrap_or(0.5);
                    self.parts.push(Part { weight, ..Part::new(word, stems, AskedAs::Correction) });
                }
            }
        }
        Ok(())
    }

    /// The clause and its weights.
    pub fn plan(self) -> Plan {
        let Self { references, mut parts, structured, chunks, passed_over } = self;
        let mut left_out = passed_over;
        if structured.is_none() {
            // If a query is longer than a clause may be, its rarest words stay.
            let searched: Vec<usize> = (0..parts.len()).filter(|&n| parts[n].searched()).collect();
            let own = |n: &usize| !matches!(parts[*n].kind, AskedAs::Added(_));
            let mut words: Vec<usize> = searched.iter().copied().filter(own).collect();
            // Of equally rare words the first in the query.
            words.sort_by_key(|&n| parts[n].frequency);
            let beyond: HashSet<usize> = words.into_iter().skip(OWN_PHRASES).collect();
            left_out += beyond.len();
            let room = searched.iter().filter(|n| !beyond.contains(n)).skip(MAX_PHRASES).copied();
            for n in beyond.iter().copied().chain(room.collect::<Vec<_>>()) {
                parts[n].fate = TermFate::Beyond;
            }
        }
        let mut unsearched = 0;
        let listed = parts.iter().filter(|part| {
            unsearched += usize::from(!part.searched());
            part.searched() || unsearched <= LISTED_UNSEARCHED
        });
        let terms = listed.map(Part::term).collect();
        let searched: Vec<&Part> = parts.iter().filter(|part| part.searched()).collect();
        let rarity = |part: &Part| inverse_frequency(part.frequency, chunks);
        let weight = |part: &&Part| match &part.kind {
            AskedAs::Fixed { wanted: false } => 0.0,
            // A synonym counts at most as much as the words it stands for.
            AskedAs::Added(of) => {
                let sources = parts.iter().filter(|p| p.frequency > 0 && of.contains(&p.stems[0]));
                let most = sources.map(rarity).fold(f64::NEG_INFINITY, f64::max);
                part.weight * if most.is_finite() { rarity(part).min(most) } else { rarity(part) }
            }
            _ => part.weight * rarity(part),
        };
        let pairs = if structured.is_none() { pairs(&parts, &searched) } else { Vec::new() };
        let natural = || {
            let phrases: Vec<Clause> =
                searched.iter().map(|part| Clause::Phrase(part.phrase.clone())).collect();
            (!phrases.is_empty()).then_some(Clause::Should(phrases))
        };
        Plan {
            keyword: KeywordQuery {
                clause: structured.or_else(natural),
                weights: searched.iter().map(weight).collect(),
                pairs,
                pair_weights: [NEAR, IN_ORDER],
            },
            labels: searched.iter().map(|part| part.stems.join(" ")).collect(),
            references,
            terms,
            notices: (left_out > 0).then(|| too_long(left_out)).into_iter().collect(),
        }
    }
}

/// Says that `left_out` words, phrases and references of the query were.
fn too_long(left_out: usize) -> SearchNotice {
    let message = format!(
        "the query is longer than is searched for by words: its {OWN_PHRASES} rarest words and phrases were searched for, \
         {left_out} others were left out"
    );
    SearchNotice::new(NoticeCause::QueryCut, message)
}

/// The words of the query that follow each other once empty words are left out, as places in `searched`. The
/// nearest known word stands for an unknown one.
fn pairs(parts: &[Part], searched: &[&Part]) -> Vec<[u8; 2]> {
    let place = |kind: AskedAs, text: &str| {
        searched.iter().position(|part| part.kind == kind && part.phrase.text == text)
    };
    let words = parts.iter().filter(|part| part.kind == AskedAs::Word).filter_map(|part| match &part.fate {
        TermFate::Corrected { to } => place(AskedAs::Correction, to.first()?),
        _ => place(AskedAs::Word, &part.phrase.text),
    });
    let places: Vec<u8> = words.filter_map(|place| place.try_into().ok()).collect();
    places.windows(2).map(|pair| [pair[0], pair[1]]).collect()
}

impl Part {
    fn term(&self) -> Term {
        Term {
            text: self.phrase.text.clone(),
            stem: self.stems.join(" "),
            document_frequency: self.frequency,
            fate: self.fate.clone(),
            weight: self.weight,
        }
    }
}

/// Whether a word is too common in English to tell passages apart.
pub(super) fn is_stop(word: &str) -> bool {
    let word = word.to_lowercase();
    let mut letters = word.chars();
    // A letter of Han is a word: 水 is water.
    let han = |c: char| ('\u{3400}'..='\u{9fff}').contains(&c);
    let one_letter =
        matches!((letters.next(), letters.next()), (Some(c), None) if c.is_alphabetic() && !han(c));
    one_letter || stop::is_stop_word(&word)
}
