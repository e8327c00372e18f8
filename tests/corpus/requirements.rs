//! The requirements of the SASB metrics, each with the places in the explanation that state it.

use crate::coverage::{figures, stems};
use crate::explained::{self, Explanation};
use crate::facts;
use serde_json::Value;
use sibyl_corpus::root;
use std::collections::{BTreeMap, BTreeSet};

/// Words of an item or sentence that its place is named by.
const PLACE_WORDS: usize = 5;
/// Share of a requirement's words that must be where it is stated.
const SHARED: f64 = 1.0 / 3.0;

/// Where the requirements of a kind may be stated besides what is measured, which may state any but the terms and
/// options.
const LISTS: [(&str, &str, &str); 5] = [
    ("includes", "Counts", "counts"),
    ("excludes", "Does not count", "does_not_count"),
    ("terms", "Definitions", "definitions"),
    ("discuss", "Also to be discussed", "also_to_be_discussed"),
    ("may", "May be added", "may_be_added"),
];

struct Requirement {
    kind: String,
    words: String,
    places: Vec<String>,
}

/// Every metric of the file that ships, with its requirements, in order.
fn shipped() -> Vec<(String, Vec<Requirement>)> {
    let text = std::fs::read_to_string(root().join("data/sasb_requirements.jsonl")).unwrap();
    let read = |requirement: &Value| Requirement {
        kind: facts::text(&requirement[0]),
        words: facts::text(&requirement[1]),
        places: facts::strings(&requirement[2]),
    };
    text.lines()
        .map(|line| {
            let row: Value = serde_json::from_str(line).unwrap();
            let requirements = row["requirements"].as_array().unwrap().iter().map(read).collect();
            (facts::text(&row["code"]), requirements)
        })
        .collect()
}

/// The sentences and items of a metric by their places.
fn places(metric: &Explanation) -> BTreeMap<String, String> {
    let mut out = BTreeMap::new();
    let mut add = |part: &str, text: &str| {
        let plain = text.replace("**", "").to_lowercase();
        let words = plain.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
        let place = format!("{part}.{}", words.take(PLACE_WORDS).collect::<Vec<_>>().join("-"));
        let counted = (2..).map(|n| format!("{place}-{n}"));
        let place =
            std::iter::once(place.clone()).chain(counted).find(|place| !out.contains_key(place)).unwrap();
        out.insert(place, text.to_owned());
    };
    let mut start = 0;
    for end in sibyl_text::language::sentence::sentence_ends(&metric.prose) {
        add("measured", metric.prose[start..end].trim());
        start = end;
    }
    for (_, label, name) in LISTS {
        for item in metric.lists.get(label).into_iter().flatten() {
            add(name, item);
        }
    }
    out
}

/// Calls `check` with each requirement, its metric's label and the texts that state it.
fn each(mut check: impl FnMut(&str, &Requirement, &str)) {
    let explanations: BTreeMap<String, Explanation> =
        explained::files().iter().flat_map(|(_, text)| explained::explanations(text)).collect();
    for (code, requirements) in shipped() {
        let metric = &explanations[&code];
        let places = places(metric);
        for requirement in &requirements {
            let stated = requirement.places.iter().map(|place| {
                places
                    .get(place)
                    .unwrap_or_else(|| panic!("{code} has no {place}: {:?}", places.keys()))
                    .as_str()
            });
            let stated = stated.collect::<Vec<_>>().join(" ");
            check(&code, requirement, &format!("{} {stated}", metric.label));
        }
    }
}

#[test]
fn every_requirement_of_the_facts_is_stated_somewhere() {
    let (shipped, asked) = (shipped(), facts::asked());
    assert_eq!((shipped.len(), asked.len()), (982, 982));
    for ((code, requirements), asked) in shipped.iter().zip(asked) {
        assert_eq!(*code, asked.code);
        let items: Vec<(&str, &str)> =
            requirements.iter().map(|one| (one.kind.as_str(), one.words.as_str())).collect();
        let wanted: Vec<(&str, &str)> =
            asked.items.iter().map(|(kind, words)| (*kind, words.as_str())).collect();
        assert_eq!(items, wanted, "{code}");
        for requirement in requirements {
            let distinct: BTreeSet<&String> = requirement.places.iter().collect();
            assert!(!distinct.is_empty(), "{code}: nothing states {}", requirement.words);
            assert_eq!(distinct.len(), requirement.places.len(), "{code}: {}", requirement.words);
        }
    }
}

#[test]
fn a_requirement_is_stated_where_its_words_and_figures_stand() {
    let mut wrong = Vec::new();
    each(|code, requirement, stated| {
        let (want, have) = (stems(&requirement.words), stems(stated));
        let few = (want.intersection(&have).count() as f64) < SHARED * want.len() as f64 && want.len() > 2;
        if few || !figures(&requirement.words).is_subset(&figures(stated)) {
            wrong.push(format!("{code}: {} | {stated}", requirement.words));
        }
    });
    assert_eq!(wrong, Vec::<String>::new());
}

/// Units as the facts write them and as the explanations do.
const UNITS: &[&[&str]] = &[
    &["%", "per cent", "percentage"],
    &["seconds", "second"],
    &["minutes", "minute"],
    &["hours", "hour", "h"],
    &["days", "day"],
    &["weeks", "week"],
    &["months", "month"],
    &["years", "year"],
    &["t", "tonnes", "tonne"],
    &["kg", "kilograms"],
    &["m", "metres", "metre"],
    &["km", "kilometres"],
    &["litres", "litre", "l"],
    &["barrels", "barrel", "bbl"],
    &["kWh"],
    &["GJ", "gigajoules"],
    &["MW", "megawatts"],
    &["ppm"],
    &["mg"],
    &["million"],
    &["billion"],
    &["employees"],
];

#[test]
fn the_units_of_its_figures_stand_there_too() {
    let holds = |words: &str, unit: &str| {
        unit == "%" && words.contains('%')
            || unit.contains(' ') && words.contains(unit)
            || words.split(|c: char| !c.is_alphabetic()).any(|word| word == unit)
    };
    let (mut count, mut wrong) = (0, Vec::new());
    each(|code, requirement, stated| {
        let mut words = requirement.words.split([' ', '-']).peekable();
        while let Some(word) = words.next() {
            let number = word.trim_end_matches('%');
            if !number.ends_with(|c: char| c.is_ascii_digit()) {
                continue;
            }
            let next = words.peek().map(|next| next.trim_end_matches([',', ';', ')', '.']));
            let unit = if number.len() < word.len() { Some("%") } else { next };
            for names in UNITS.iter().filter(|names| unit.is_some_and(|unit| names.contains(&unit))) {
                count += 1;
                if !names.iter().any(|name| holds(stated, name)) {
                    wrong.push(format!("{code}: {names:?}: {} | {stated}", requirement.words));
                }
            }
        }
    });
    assert!(count > 100, "{count} units");
    assert_eq!(wrong, Vec::<String>::new());
}

/// An item of a list states requirements of its list's kind: what counts is not listed under what does not.
/// `should leave out` is the one duty among what does not count.
#[test]
fn a_list_states_what_it_is_the_list_of() {
    let mut wrong = Vec::new();
    each(|code, requirement, _| {
        let own = LISTS.iter().find(|(kind, ..)| *kind == requirement.kind).map(|(.., list)| *list);
        for place in &requirement.places {
            let part = place.split('.').next().unwrap_or_default();
            let measured = part == "measured" && !["terms", "may"].contains(&requirement.kind.as_str());
            let left_out = part == "does_not_count" && requirement.words.starts_with("should leave out");
            if !measured && !left_out && own != Some(part) {
                wrong.push(format!("{code}: {} in {part}: {}", requirement.kind, requirement.words));
            }
        }
    });
    assert_eq!(wrong, Vec::<String>::new());
}

/// A sentence that is said to state several requirements has words of each that the others lack.
#[test]
fn no_place_is_claimed_by_requirements_that_it_does_not_state() {
    let explanations: BTreeMap<String, Explanation> =
        explained::files().iter().flat_map(|(_, text)| explained::explanations(text)).collect();
    let (mut shared, mut wrong) = (0, Vec::new());
    for (code, requirements) in shipped() {
        let mut claims: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
        for requirement in &requirements {
            for place in &requirement.places {
                claims.entry(place).or_default().push(&requirement.words);
            }
        }
        let places = places(&explanations[&code]);
        for (place, claimed) in claims.into_iter().filter(|(_, claimed)| claimed.len() > 1) {
            shared += 1;
            let there = stems(&places[place]);
            for (at, words) in claimed.iter().enumerate() {
                let others = claimed.iter().enumerate().filter(|(other, _)| *other != at);
                let others: BTreeSet<String> = others.flat_map(|(_, words)| stems(words)).collect();
                let own: BTreeSet<String> = stems(words).difference(&others).cloned().collect();
                if !own.is_empty() && own.is_disjoint(&there) {
                    wrong.push(format!("{code}: {place} does not state {words}"));
                }
            }
        }
    }
    assert!(shared > 0, "no place states several requirements");
    assert_eq!(wrong, Vec::<String>::new());
}

/// What a reading of the protocols found in addition to the rows of the facts.
const BESIDE: [&str; 4] = [
    "IF-RE-130a.2: counts.as-renewable-when-purchased-by",
    "IF-WU-140b.1: definitions.formal-enforcement-action-a-step",
    "RT-CP-430a.1: counts.raw-materials-are-recycled-and",
    "RT-CP-430a.2: counts.raw-materials-are-recycled-and",
];

/// No sentence or item says what nothing asks for.
#[test]
fn every_item_states_a_requirement() {
    let explanations: BTreeMap<String, Explanation> =
        explained::files().iter().flat_map(|(_, text)| explained::explanations(text)).collect();
    let mut idle = Vec::new();
    for (code, requirements) in shipped() {
        let stated: BTreeSet<&str> =
            requirements.iter().flat_map(|one| &one.places).map(String::as_str).collect();
        let places = places(&explanations[&code]);
        idle.extend(
            places
                .keys()
                .filter(|place| !stated.contains(place.as_str()))
                .map(|place| format!("{code}: {place}")),
        );
    }
    idle.sort();
    assert_eq!(idle, BESIDE);
}
