//! What a question asks the number or the amount of, and what that is measured in.

use sibyl_text::language::unit::{Measure, is_asked_in};

/// Words that end what is counted: verbs, and words between it and what it belongs to.
const BEHIND: [&str; 55] = [
    "do", "does", "did", "is", "are", "was", "were", "has", "have", "had", "will", "can", "came", "come",
    "of", "in", "at", "from", "took", "worked", "fell", "went", "per", "for", "got", "get", "gets", "hit",
    "must", "should", "may", "would", "could", "been", "what", "which", "who", "that", "to", "on", "by",
    "with", "among", "against", "between", "aboard", "during", "after", "before", "under", "into", "and",
    "or", "than", "not",
];
/// Words that name nothing in particular.
const ANYTHING: [&str; 20] = [
    "people",
    "times",
    "kinds",
    "others",
    "more",
    "persons",
    "men",
    "women",
    "money",
    "less",
    "lower",
    "higher",
    "fewer",
    "further",
    "individuals",
    "part",
    "all",
    "these",
    "them",
    "total",
];
/// Words for a part of a whole.
const SHARES: [&str; 6] = ["share", "proportion", "percentage", "percent", "fraction", "portion"];
/// Words before what something is a part of.
const OF_IT: [&str; 6] = ["its", "the", "their", "our", "all", "new"];
/// Things by the measure in which they are given.
const MEASURES: [(&str, Measure); 15] = [
    ("electricity", Measure::Energy),
    ("energy", Measure::Energy),
    ("heat", Measure::Energy),
    ("water", Measure::Volume),
    ("groundwater", Measure::Volume),
    ("seawater", Measure::Volume),
    ("wastewater", Measure::Volume),
    ("waste", Measure::Mass),
    ("co2", Measure::Mass),
    ("co2e", Measure::Mass),
    ("carbon", Measure::Mass),
    ("methane", Measure::Mass),
    ("money", Measure::Money),
    ("emissions", Measure::Mass),
    ("greenhouse", Measure::Mass),
];

/// The thing whose number, amount or share `all` ask for. It is the last word before the verb if that is no unit,
/// else what follows the unit and `of`.
pub(super) fn counted(all: &[&str]) -> Option<String> {
    let (at, of_share) = begin(all)?;
    let ends = |at: usize, word: &str| BEHIND.contains(&word) || (of_share && at > 0 && word.ends_with("ed"));
    let noun = |from: usize| {
        let words = all[from..].iter().enumerate();
        words.take_while(|(at, word)| !ends(*at, word)).count() + from
    };
    let mut end = noun(at);
    if end > at && is_asked_in(all[end - 1]) && all.get(end) == Some(&"of") {
        end = noun(end + 1);
    }
    let noun = all[..end].last().filter(|_| end > at)?;
    let noun = super::name::without_genitive(noun);
    let plain = noun.chars().all(char::is_alphabetic) && noun.chars().count() > 2;
    (plain && !is_asked_in(noun) && !ANYTHING.contains(&noun)).then(|| noun.to_owned())
}

/// Where what is counted begins in `all`, and whether a share of it is asked for: `how many of its ships`, `what share
/// of its fleet`.
fn begin(all: &[&str]) -> Option<(usize, bool)> {
    let asks = |pair: &[&str]| pair == ["how", "many"] || pair == ["how", "much"];
    let past = |at: usize| at + all[at..].iter().take_while(|word| OF_IT.contains(word)).count();
    if let Some(at) = all.windows(2).position(asks) {
        let at = at + 2;
        return Some(if all.get(at) == Some(&"of") { (past(at + 1), false) } else { (at, false) });
    }
    // Earnings are stated per share, and a market share is no share of a thing.
    let own = |at: usize| !at.checked_sub(1).is_some_and(|before| matches!(all[before], "per" | "market"));
    let mut shares = all.windows(2).enumerate();
    let share = shares.position(|(at, pair)| SHARES.contains(&pair[0]) && pair[1] == "of" && own(at))?;
    Some((past(share + 2), true))
}

/// What the unit of the thing that `all` ask for measures, if they name no unit. `counted` is what they ask the
/// number of.
pub(super) fn expected(all: &[&str], counted: Option<&str>) -> Option<Measure> {
    let asks = |many: &str| all.windows(2).position(|pair| pair == ["how", many]).map(|at| at + 2);
    if all.contains(&"per") {
        return None;
    }
    if let Some(at) = asks("many") {
        let people =
            all[at..].iter().find(|word| !OF_IT.contains(word)).is_some_and(|word| PEOPLE.contains(word));
        let in_a_unit = all.get(at).is_some_and(|word| is_asked_in(word));
        return (people || (counted.is_some() && !in_a_unit)).then_some(Measure::Count);
    }
    let Some(at) = asks("much") else {
        let emissions = all.contains(&"emissions") && !all.iter().any(|word| NO_MASS.contains(word));
        let what =
            all.first() == Some(&"what") && all.get(1).is_some_and(|word| matches!(*word, "was" | "were"));
        return (emissions && what).then_some(Measure::Mass);
    };
    let noun = all[at..].iter().take_while(|word| !BEHIND.contains(word)).last()?;
    MEASURES.iter().find(|(name, _)| name == noun).map(|(_, measure)| *measure)
}

/// Who is counted.
const PEOPLE: [&str; 6] = ["people", "persons", "individuals", "men", "women", "employees"];
/// Words beside `emissions` for what is given in another measure.
const NO_MASS: [&str; 8] = ["intensity", "rate", "target", "share", "reduction", "cost", "goal", "number"];

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str) -> Vec<&str> {
        text.split(' ').collect()
    }

    #[test]
    fn what_is_counted_is_the_noun_before_the_verb() {
        for (text, noun) in [
            ("how many collisions with whales did it report", Some("collisions")),
            ("on how many of its roofs had it put panels", Some("roofs")),
            ("what share of its vehicle fleet does it convert", Some("fleet")),
            ("what share of the mill's turnover was aligned", Some("turnover")),
            ("what proportion of the mill's staff resigned in 2023", Some("staff")),
            ("how many tonnes of waste were burnt", Some("waste")),
            ("how many people were hurt", None),
        ] {
            assert_eq!(counted(&of(text)).as_deref(), noun, "{text}");
        }
    }

    #[test]
    fn amounts_are_given_in_the_measure_of_their_thing() {
        let asks = |text: &str| expected(&of(text), counted(&of(text)).as_deref());
        assert_eq!(asks("how many people were hurt"), Some(Measure::Count));
        assert_eq!(asks("how many pounds of waste were burnt"), None);

        assert_eq!(asks("how much electricity did it use in croatia"), Some(Measure::Energy));
        assert_eq!(asks("how much water was taken in"), Some(Measure::Volume));
        assert_eq!(asks("what were its financed emissions in 2024"), Some(Measure::Mass));
        assert_eq!(asks("how much water per tonne was taken in"), None);
        assert_eq!(asks("what was the emissions intensity in 2024"), None);
        assert_eq!(asks("how much did it pay"), None);
    }
}
