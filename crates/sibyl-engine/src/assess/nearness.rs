//! How near the sentences of a report come to the phrases of a requirement. Words are compared by BM25 (Robertson
//! and Zaragoza, "The Probabilistic Relevance Framework", 2009), meaning by the static table.

use sibyl_text::language::words::stems;
use std::collections::{HashMap, HashSet};

/// Parameters of BM25: how soon a repeated word stops counting, and how much less long sentences count.
const REPEATED: f64 = 1.2;
const LENGTH: f64 = 0.75;
/// Number of sentences whose mean says how near a report comes as a whole.
const BEST: usize = 3;
/// Weights of the best sentences of a place, the best first.
const IN_PLACE: [f64; 5] = [1.0, 0.7, 0.5, 0.3, 0.2];
/// The weights that order sentences, beside the words of all phrases together. They are for the words of one
/// phrase, and by meaning for the sentence, the sentence with its neighbours, and the heading above it.
const ONE_PHRASE: f64 = 0.5;
const MEANING: f64 = 0.3;
const NEIGHBOURS: f64 = 0.3;
const HEADING: f64 = 0.3;

/// A sentence, item or row in the form in which it is compared.
pub(super) struct Compared {
    /// Vector of its words; empty, like the next one, if no model compares them.
    pub vector: Vec<f32>,
    /// Vector of it together with the neighbouring sentences.
    pub around: Vec<f32>,
    /// Place of the vector of the heading above it.
    pub heading: usize,
    /// Number of its place, from 0: a page, or a section of a document without pages.
    pub place: usize,
    /// Whether it only asks for something, as where a report quotes a standard.
    pub asks: bool,
}

/// What a requirement is looked for by.
pub(super) struct Wanted {
    /// Stems of each phrase.
    pub stems: Vec<HashSet<String>>,
    /// Vector of each phrase; none if no model compares them.
    pub vectors: Vec<Vec<f32>>,
}

impl Wanted {
    pub fn new(phrases: &[String], vectors: Vec<Vec<f32>>) -> Self {
        let stems = phrases.iter().map(|phrase| stems(phrase).into_iter().collect()).collect();
        Self { stems, vectors }
    }
}

/// How near a report comes to a requirement as a whole.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(super) struct Near {
    /// Mean of its three best sentences by the words of the phrase nearest to each, from 0 to about 1.
    pub words: f64,
    /// The same by meaning, −1 to 1.
    pub meaning: f64,
}

impl Near {
    /// How much nearer it is than `ground`.
    pub fn beyond(self, ground: Self) -> Self {
        Self { words: self.words - ground.words, meaning: self.meaning - ground.meaning }
    }
}

/// The sentences of a report.
pub(super) struct Sentences {
    all: Vec<Compared>,
    headings: Vec<Vec<f32>>,
    /// How often each word occurs in each sentence that has it.
    with: HashMap<String, Vec<(usize, f64)>>,
    /// Words of each sentence, divided by their mean.
    lengths: Vec<f64>,
    places: usize,
}

/// What each sentence scores.
pub(super) struct Scores {
    pub near: Near,
    /// How near each sentence comes, by words and meaning: comparable between requirements.
    pub close: Vec<f64>,
    /// Its rank value among the sentences of the report.
    pub score: Vec<f64>,
}

impl Sentences {
    /// The sentences with the words in `texts`, each compared as `all` says, under `headings`.
    pub fn new(texts: &[&str], all: Vec<Compared>, headings: Vec<Vec<f32>>) -> Self {
        let mut with: HashMap<String, Vec<(usize, f64)>> = HashMap::new();
        let mut lengths = Vec::with_capacity(texts.len());
        for (at, text) in texts.iter().enumerate() {
            let mut counts: HashMap<String, f64> = HashMap::new();
            let words = stems(text);
            lengths.push(words.len() as f64);
            for word in words {
                *counts.entry(word).or_default() += 1.0;
            }
            for (word, count) in counts {
                with.entry(word).or_default().push((at, count));
            }
        }
        let mean = (lengths.iter().sum::<f64>() / lengths.len().max(1) as f64).max(1.0);
        lengths.iter_mut().for_each(|length| *length /= mean);
        let places = all.iter().map(|one| one.place + 1).max().unwrap_or_default();
        Self { all, headings, with, lengths, places }
    }

    /// What each sentence scores for what is `wanted`.
    pub fn scores(&self, wanted: &Wanted) -> Scores {
        let all: HashSet<String> = wanted.stems.iter().flatten().cloned().collect();
        let mut words = self.by_words(&all);
        let mut phrase = vec![0.0; self.all.len()];
        for stems in &wanted.stems {
            phrase.iter_mut().zip(self.by_words(stems)).for_each(|(best, next)| *best = next.max(*best));
        }
        let nearest = |vector: &[f32]| -> f64 {
            let near = wanted.vectors.iter().map(|one| f64::from(product(one, vector)));
            near.reduce(f64::max).unwrap_or_default()
        };
        let mut meaning: Vec<f64> = self.all.iter().map(|one| nearest(&one.vector)).collect();
        for (at, _) in self.all.iter().enumerate().filter(|(_, one)| one.asks) {
            (words[at], phrase[at], meaning[at]) = (0.0, 0.0, 0.0);
        }
        let around: Vec<f64> = self.all.iter().map(|one| nearest(&one.around)).collect();
        let headings: Vec<f64> = self.headings.iter().map(|vector| nearest(vector)).collect();
        let heading: Vec<f64> =
            self.all.iter().map(|one| headings.get(one.heading).copied().unwrap_or_default()).collect();
        let near = Near { words: mean_of_best(&phrase), meaning: mean_of_best(&meaning) };
        let close = words.iter().zip(&meaning).map(|(words, meaning)| words + meaning).collect();
        let parts = [
            (words, 1.0),
            (phrase, ONE_PHRASE),
            (meaning, MEANING),
            (around, NEIGHBOURS),
            (heading, HEADING),
        ];
        let mut score = vec![0.0; self.all.len()];
        for (part, weight) in parts {
            score.iter_mut().zip(standardised(&part)).for_each(|(sum, value)| *sum += weight * value);
        }
        Scores { near, close, score }
    }

    /// The largest share of the words in `telling` (stems with their weights) that a sentence holds together with its
    /// neighbours, 0 to 1.
    pub fn told(&self, telling: &[(String, f64)]) -> f64 {
        let mut held = vec![0.0; self.all.len()];
        for (word, weight) in telling {
            let mut counted = 0;
            let holding = self.with.get(word).map_or(&[][..], Vec::as_slice);
            // A requirement that is quoted tells nothing.
            for (at, _) in holding.iter().filter(|(at, _)| !self.all[*at].asks) {
                let from = at.saturating_sub(1).max(counted);
                counted = (at + 2).min(held.len());
                held[from..counted.max(from)].iter_mut().for_each(|sum| *sum += weight);
            }
        }
        let all: f64 = telling.iter().map(|(_, weight)| weight).sum();
        let most = held.into_iter().fold(0.0, f64::max);
        if all > 0.0 { most / all } else { 0.0 }
    }

    /// The share of all words that are `wanted`, 0 to 1.
    pub fn share(&self, wanted: impl Fn(&str) -> bool) -> f64 {
        let (mut all, mut held) = (0.0, 0.0);
        for (word, holding) in &self.with {
            let count: f64 = holding.iter().map(|(_, count)| count).sum();
            all += count;
            held += if wanted(word) { count } else { 0.0 };
        }
        held / f64::max(all, 1.0)
    }

    /// The totals of the sentences of each place, with them, the best first.
    pub fn places(&self, score: &[f64]) -> Vec<(f64, Vec<usize>)> {
        let mut within: Vec<Vec<usize>> = vec![Vec::new(); self.places];
        for (at, one) in self.all.iter().enumerate() {
            within[one.place].push(at);
        }
        within
            .into_iter()
            .map(|mut within| {
                within.sort_by(|a, b| score[*b].total_cmp(&score[*a]));
                (within.iter().zip(IN_PLACE).map(|(at, weight)| weight * score[*at]).sum(), within)
            })
            .collect()
    }

    /// The place of the sentence `at`.
    pub fn place_of(&self, at: usize) -> usize {
        self.all[at].place
    }

    /// BM25 of each sentence for the words `asked`, as a share of what a sentence with all of them may reach.
    fn by_words(&self, asked: &HashSet<String>) -> Vec<f64> {
        let mut scores = vec![0.0; self.all.len()];
        let mut most = 0.0;
        for word in asked {
            let holding = self.with.get(word).map_or(&[][..], Vec::as_slice);
            let rarity = (1.0 + self.all.len() as f64 / (1.0 + holding.len() as f64)).ln();
            most += rarity;
            for (at, count) in holding {
                let length = 1.0 - LENGTH + LENGTH * self.lengths[*at];
                scores[*at] += rarity * count * (REPEATED + 1.0) / (count + REPEATED * length);
            }
        }
        if most > 0.0 {
            scores.iter_mut().for_each(|score| *score /= most);
        }
        scores
    }
}

/// The cosine of two vectors of length 1; 0 if one is missing.
pub(super) fn product(a: &[f32], b: &[f32]) -> f32 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// The middle of `all`, by words and by meaning; 0 of none.
pub(super) fn median(all: &[Near]) -> Near {
    let middle = |of: fn(&Near) -> f64| {
        let mut values: Vec<f64> = all.iter().map(of).collect();
        values.sort_by(f64::total_cmp);
        values.get(values.len() / 2).copied().unwrap_or_default()
    };
    Near { words: middle(|near| near.words), meaning: middle(|near| near.meaning) }
}

fn mean_of_best(values: &[f64]) -> f64 {
    let mut best = values.to_vec();
    best.sort_by(|a, b| b.total_cmp(a));
    best.truncate(BEST);
    best.iter().sum::<f64>() / best.len().max(1) as f64
}

/// `values` with the mean 0 and the deviation 1; all 0 if they do not differ.
pub(super) fn standardised(values: &[f64]) -> Vec<f64> {
    let count = values.len().max(1) as f64;
    let mean = values.iter().sum::<f64>() / count;
    let deviation = (values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / count).sqrt();
    let scale = if deviation > 1e-9 { 1.0 / deviation } else { 0.0 };
    values.iter().map(|value| (value - mean) * scale).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXTS: [&str; 4] = [
        "The board is briefed on climate matters every quarter.",
        "The plant has a new kiln.",
        "A committee of the board reviews the budget.",
        "Scope 1 emissions fell.",
    ];

    fn sentences() -> Sentences {
        let compared =
            |place| Compared { vector: Vec::new(), around: Vec::new(), heading: 0, place, asks: false };
        Sentences::new(&TEXTS, (0..TEXTS.len()).map(|at| compared(at / 2)).collect(), Vec::new())
    }

    fn wanted(phrases: &[&str]) -> Wanted {
        Wanted::new(&phrases.iter().map(|&phrase| phrase.to_owned()).collect::<Vec<_>>(), Vec::new())
    }

    #[test]
    fn the_sentence_with_the_words_comes_first_and_its_place_with_it() {
        let sentences = sentences();
        let scores = sentences.scores(&wanted(&["The board is briefed quarterly on climate."]));
        let best = (0..TEXTS.len()).max_by(|a, b| scores.score[*a].total_cmp(&scores.score[*b]));
        assert_eq!(best, Some(0));
        let places = sentences.places(&scores.score);
        assert_eq!((places[0].1[0], sentences.place_of(0)), (0, 0));
        assert!(places[0].0 > places[1].0);
    }

    #[test]
    fn what_a_report_says_in_full_is_nearer_than_what_it_does_not_say() {
        let sentences = sentences();
        let said =
            sentences.scores(&wanted(&["The board is briefed on climate matters every quarter."])).near;
        let unsaid = sentences.scores(&wanted(&["Carbon credits are verified by a scheme."])).near;
        assert!(said.words > unsaid.words && unsaid.words == 0.0);
        assert!(said.words <= 1.5, "{}", said.words);
    }

    #[test]
    fn a_sentence_that_only_asks_comes_near_to_nothing() {
        let text = "Describe how often the board is briefed on climate matters.";
        let near = |asks| {
            let compared = Compared { vector: Vec::new(), around: Vec::new(), heading: 0, place: 0, asks };
            let sentences = Sentences::new(&[text], vec![compared], Vec::new());
            sentences.scores(&wanted(&["The board is briefed on climate matters."])).near.words
        };
        assert!(near(false) > 0.0);
        assert_eq!(near(true), 0.0);
    }

    #[test]
    fn telling_words_are_counted_once_and_in_neighbouring_sentences_together() {
        let stem = |word: &str| sibyl_text::language::words::stem(word);
        let told = |words: &[&str]| {
            sentences().told(&words.iter().map(|word| (stem(word), 1.0)).collect::<Vec<_>>())
        };
        assert_eq!(told(&["kiln", "quarter"]), 1.0, "the first and the second sentence are neighbours");
        assert_eq!(told(&["quarter", "scope"]), 0.5, "the first and the fourth are not");
        assert_eq!(told(&["board"]), 1.0, "two sentences have it");
        assert_eq!(told(&["ferry"]), 0.0);
        assert_eq!(told(&[]), 0.0);
    }

    #[test]
    fn a_share_of_words_counts_each_time_that_they_occur() {
        let board = sibyl_text::language::words::stem("board");
        let all: usize = TEXTS.iter().map(|text| stems(text).len()).sum();
        let share = sentences().share(|stem| stem == board);
        assert!((share - 2.0 / all as f64).abs() < 1e-9, "two sentences have it: {share}");
        assert_eq!(sentences().share(|_| false), 0.0);
    }

    #[test]
    fn standardised_values_have_no_mean_and_one_deviation() {
        let values = standardised(&[1.0, 2.0, 3.0, 6.0]);
        assert!(values.iter().sum::<f64>().abs() < 1e-9);
        assert!((values.iter().map(|value| value * value).sum::<f64>() / 4.0 - 1.0).abs() < 1e-9);
        assert_eq!(standardised(&[2.0, 2.0]), [0.0, 0.0]);
    }
}
