//! How reports say what requirements ask for: sentences in the words of reports, which passages are compared with.

use serde::Deserialize;
use sibyl_text::language::words::{stem_set, stems};
use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::LazyLock;

const PHRASES: &str = include_str!("../../../../data/assessment/phrases.jsonl");
/// Bytes of a requirement's explanation that replace its phrases if it has none.
const EXPLAINED: usize = 240;
/// Shuffled requirements, and phrases of each.
const SHUFFLED: usize = 60;
const PHRASES_EACH: usize = 3;
/// Share of requirements up to which a word of their phrases is telling.
const TELLING: f64 = 1.0 / 15.0;

/// A line of the file.
#[derive(Deserialize)]
struct Row {
    id: String,
    /// Another requirement that asks for the same of other matters.
    #[serde(default)]
    like: Option<String>,
    said: Vec<String>,
}

static KNOWN: LazyLock<BTreeMap<String, Row>> = LazyLock::new(|| {
    // The file is part of the program, and a test reads each of its lines.
    let rows = PHRASES.lines().filter_map(|line| serde_json::from_str::<Row>(line).ok());
    rows.map(|row| (row.id.clone(), row)).collect()
});

/// How reports say what the requirement `id` asks for. If nobody wrote that down, its label and the beginning of
/// `prose`.
pub(super) fn said(id: &str, label: &str, prose: &str) -> Vec<String> {
    if let Some(row) = KNOWN.get(id) {
        return row.said.clone();
    }
    let cut = prose.floor_char_boundary(EXPLAINED.min(prose.len()));
    let begins = prose[..cut].rsplit_once(['.', ' ']).map_or(&prose[..cut], |(head, _)| head).trim();
    let both = [label.trim(), begins].into_iter().filter(|text| !text.is_empty());
    both.map(str::to_owned).collect()
}

/// Phrases that begin as one of the phrases in the file and end as another: the words of the field without anything
/// said. How near a report comes to them is owed to its subject and its length alone.
pub(super) fn shuffled() -> Vec<Vec<String>> {
    let phrases: Vec<&str> = all().flat_map(|(_, said)| said).map(String::as_str).collect();
    let half = |at: usize, last: bool| {
        let words: Vec<&str> = phrases[at % phrases.len()].split_whitespace().collect();
        let (first, second) = words.split_at(words.len().div_ceil(2));
        if last { second.join(" ") } else { first.join(" ") }
    };
    // The halves come from phrases that are far apart in the file, so from different paragraphs.
    let step = (phrases.len() / (SHUFFLED * PHRASES_EACH)).max(1);
    let mixed = |at: usize| {
        let apart = phrases.len() / 3 + at * phrases.len() / (SHUFFLED * PHRASES_EACH) / 3;
        format!("{} {}", half(at * step, false), half(at * step + apart, true))
    };
    (0..SHUFFLED).map(|one| (0..PHRASES_EACH).map(|of| mixed(of * SHUFFLED + one)).collect()).collect()
}

/// In how many requirements each stem occurs.
static HOLDING: LazyLock<HashMap<String, f64>> = LazyLock::new(|| {
    let mut holding: HashMap<String, f64> = HashMap::new();
    for (_, said) in all() {
        for stem in said.iter().flat_map(|phrase| stems(phrase)).collect::<HashSet<_>>() {
            *holding.entry(stem).or_default() += 1.0;
        }
    }
    holding
});

/// Whether the phrases of any requirement have the stem `stem`: whether it is a word of the field.
pub(super) fn is_of_the_field(stem: &str) -> bool {
    HOLDING.contains_key(stem)
}

/// The stems that tell the requirement `id`, said as `said`, from others, with their weights. If nobody wrote its
/// phrases, they are those of its label, which is the first of `said`.
pub(super) fn telling(id: &str, said: &[String]) -> Vec<(String, f64)> {
    let phrases = if KNOWN.contains_key(id) { said } else { &said[..said.len().min(1)] };
    let mut counts: BTreeMap<String, f64> = BTreeMap::new();
    for stem in phrases.iter().flat_map(|phrase| stem_set(phrase)) {
        *counts.entry(stem).or_default() += 1.0;
    }
    let of = all().count() as f64;
    let holding = |stem: &str| HOLDING.get(stem).copied().unwrap_or(1.0);
    let told = counts.into_iter().filter(|(stem, _)| holding(stem) <= of * TELLING);
    let weighed = |(stem, count): (String, f64)| {
        let weight = count * (of / holding(&stem)).ln();
        (stem, weight)
    };
    told.map(weighed).collect()
}

/// Whether phrases were written for `id`.
pub(super) fn is_said(id: &str) -> bool {
    KNOWN.contains_key(id)
}

/// The requirement whose counts apply to `id`.
pub(super) fn counted_as(id: &str) -> &str {
    KNOWN.get(id).and_then(|row| row.like.as_deref()).unwrap_or(id)
}

/// The phrases of each requirement that was counted by hand.
pub(super) fn all() -> impl Iterator<Item = (&'static str, &'static [String])> {
    KNOWN.values().filter(|row| row.like.is_none()).map(|row| (row.id.as_str(), row.said.as_slice()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_of_the_file_is_read_and_leads_to_a_requirement() {
        assert_eq!(KNOWN.len(), PHRASES.lines().count());
        for row in KNOWN.values() {
            assert!(!row.said.is_empty() && row.said.iter().all(|phrase| !phrase.trim().is_empty()));
            let other = row.like.as_deref();
            assert!(other.is_none_or(|other| KNOWN.get(other).is_some_and(|row| row.like.is_none())));
        }
        assert_eq!(counted_as("S1.27(a)(i)"), "S2.6(a)(i)");
    }

    #[test]
    fn shuffled_phrases_are_none_of_the_file_and_made_of_its_words() {
        let real: Vec<&String> = all().flat_map(|(_, said)| said).collect();
        let words: std::collections::HashSet<&str> =
            real.iter().flat_map(|phrase| phrase.split_whitespace()).collect();
        let shuffled: Vec<String> = shuffled().into_iter().flatten().collect();
        assert_eq!(shuffled.len(), SHUFFLED * PHRASES_EACH);
        for phrase in shuffled {
            assert!(!real.contains(&&phrase), "{phrase}");
            assert!(phrase.split_whitespace().all(|word| words.contains(word)), "{phrase}");
        }
    }

    #[test]
    fn words_that_many_requirements_share_tell_none() {
        let of = |id: &str| {
            let said = all().find(|(own, _)| *own == id).unwrap().1;
            telling(id, said).into_iter().map(|(stem, _)| stem).collect::<Vec<_>>()
        };
        let stem = sibyl_text::language::words::stem;
        let redeploy = of("S2.22(a)(iii)(2)");
        assert!(redeploy.contains(&stem("repurpose")) && redeploy.contains(&stem("relocate")));
        assert!(!redeploy.contains(&stem("climate")) && !redeploy.contains(&stem("risk")));
        let label = ["Length of ferry lines".to_owned(), "The climate of the entity".to_owned()];
        let told: Vec<String> = telling("X", &label).into_iter().map(|(stem, _)| stem).collect();
        assert!(told.contains(&stem("ferry")) && !told.contains(&stem("entity")));
    }

    #[test]
    fn a_requirement_without_phrases_is_told_by_label_and_explanation() {
        let prose = "The measure is the weight of hazardous waste. ".repeat(20);
        let told = said("IF-EU-150a.1", "Hazardous waste", &prose);
        assert_eq!(told[0], "Hazardous waste");
        assert!(told[1].len() <= EXPLAINED && told[1].starts_with("The measure is the weight"));
        assert_eq!(said("X", "Label", ""), ["Label"]);
    }
}
