//! Who holds an office or is responsible for something, as a sentence or row names them.

use super::ScoredUnit;
use super::kind::names;
use crate::question::Question;
use crate::question::name::without_genitive;
use sibyl_text::language::date::month;
use sibyl_text::language::words::{Word, is_stop, stem, stem_set, words};
use std::collections::HashSet;

/// Share of what is asked that a text must have, with what stands above and before it, to name who is asked for.
const OF_THE_DUTY: f64 = 0.5;
/// The same of its own words alone.
const IN_ITS_WORDS: f64 = 0.3;
/// The same if the words do not name the duty as the question does.
const WITHOUT_THE_VERB: f64 = 0.45;
/// Similarity in meaning, by the sentence transformer, from which a person named beside an office counts as
/// responsible for a duty that the question words differently. Set on 44 questions for somebody, about 23 reports.
const ANSWERS_FOR: f64 = 0.38;

/// The `candidates` that name the person asked for: beside the office that `question` names, or else with what it
/// says about it.
pub(super) fn naming(question: &Question, candidates: &[ScoredUnit<'_>]) -> Vec<bool> {
    let known: HashSet<String> = words(&question.text).iter().map(|word| stem(word.text)).collect();
    // Title and issuer name whom the question is about.
    let source = candidates.first().map(|best| &best.passage.source);
    let title: HashSet<String> = source
        .iter()
        .flat_map(|source| source.issuer.iter().chain([&source.title]))
        .flat_map(|name| stem_set(name))
        .collect();
    let about: Vec<_> = question
        .asked
        .iter()
        .filter(|asked| !asked.is_one_of(&title) && asked.word.to_lowercase() != "name")
        .collect();
    let total: f64 = about.iter().map(|asked| asked.weight).sum();
    let share = |stems: &HashSet<String>| {
        about.iter().map(|asked| asked.weight * asked.held(stems)).sum::<f64>() / total.max(1e-9)
    };
    // The question does not ask for the names in the sentence that it refers back to. "Who chairs", "which firm
    // supplies": the first word is a verb.
    let does = about.first();
    let role = role(&question.text);
    let chairs_the_board = chairs_the_board(&question.text);
    // Companies whose reports are searched are no longer asked about.
    let is_asked =
        |body: &String| question.asked.iter().any(|asked| asked.is_one_of(&HashSet::from([body.clone()])));
    let bodies: Vec<String> =
        bodies(&question.text).into_iter().filter(|body| !title.contains(body) && is_asked(body)).collect();
    let of_the_body = |c: &ScoredUnit<'_>| {
        names_holder(c.text(), &role, &known)
            && !(chairs_the_board && chairs_a_committee(c.text()))
            && bodies.iter().all(|body| c.own.contains(body) || c.section.contains(body))
    };
    let says = |c: &ScoredUnit<'_>| {
        let own = stem_set(c.text());
        let told = does.is_some_and(|does| does.held(&own) > 0.0) || share(&own) >= WITHOUT_THE_VERB;
        share(&c.own) >= OF_THE_DUTY && told && share(&own) >= IN_ITS_WORDS
    };
    // A person beside the office that is asked for by its title answers, whatever else the question says.
    let holds = |c: &ScoredUnit<'_>| titled(&question.text).is_some() && names_person(c.text());
    let found: Vec<bool> = candidates
        .iter()
        .map(|c| names(c.text(), &known) && of_the_body(c) && (says(c) || holds(c)))
        .collect();
    let persons: Vec<bool> = candidates.iter().map(|c| names_person(c.text())).collect();
    let both: Vec<bool> = found.iter().zip(&persons).map(|(found, person)| *found && *person).collect();
    // Banks, ships and firms have names too, and firms do what persons do.
    let of_person = asks_for_person(&question.text);
    if both.contains(&true) && (of_person || !role.is_empty() || chairs_the_board) {
        return both;
    }
    if !role.is_empty() || chairs_the_board || !of_person {
        return found;
    }
    let nearer = |read: f64| {
        let own = candidates.iter().zip(&found).filter(|(_, found)| **found);
        own.into_iter().all(|(c, _)| c.read.is_none_or(|own| own < read))
    };
    // If a text words the duty differently, the nearest one with a person counts.
    let read = candidates.iter().enumerate().filter(|(at, _)| persons[*at]);
    let read = read.filter_map(|(at, c)| Some((at, c.read?)));
    match read.max_by(|(_, a), (_, b)| a.total_cmp(b)) {
        Some((nearest, read)) if read >= ANSWERS_FOR && nearer(read) && of_the_body(&candidates[nearest]) => {
            (0..candidates.len()).map(|at| at == nearest).collect()
        }
        _ => found,
    }
}

/// Words of offices, next to which persons are named.
const OF_AN_OFFICE: [&str; 22] = [
    "officer",
    "director",
    "head",
    "chair",
    "chairman",
    "chairwoman",
    "chairperson",
    "chaired",
    "president",
    "manager",
    "secretary",
    "executive",
    "administrator",
    "professor",
    "dr",
    "ceo",
    "cfo",
    "coo",
    "led",
    "leads",
    "headed",
    "treasurer",
];

/// Whether `text` names a person: words that are written as names follow each other near an office.
fn names_person(text: &str) -> bool {
    let all = words(text);
    let is_office = |word: &Word<'_>| OF_AN_OFFICE.contains(&word.text.to_lowercase().as_str());
    let is_name = |at: usize| {
        all.get(at).is_some_and(|word| {
            word.is_capital()
                && word.text.chars().skip(1).any(char::is_lowercase)
                && !is_office(word)
                && month(word.text).is_none()
                && !is_stop(&word.text.to_lowercase())
        })
    };
    let near = |at: usize| {
        let around = at.saturating_sub(BESIDE)..(at + 2 + BESIDE).min(all.len());
        all[around].iter().any(is_office)
    };
    let next_to = |at: usize| text[all[at].end()..].starts_with([' ', '-']);
    (0..all.len()).any(|at| is_name(at) && is_name(at + 1) && next_to(at) && near(at))
}

/// Offices by which a person is asked for.
const OFFICES: [&str; 12] = [
    "chief executive",
    "chief financial officer",
    "chief operating officer",
    "chief risk officer",
    "chief sustainability officer",
    "chief technology officer",
    "chief information officer",
    "chief medical officer",
    "chief people officer",
    "company secretary",
    "general counsel",
    "managing director",
];

/// Offices by their initials.
const ABBREVIATED: [(&str, &str); 6] = [
    ("CEO", "chief executive"),
    ("CFO", "chief financial officer"),
    ("COO", "chief operating officer"),
    ("CRO", "chief risk officer"),
    ("CTO", "chief technology officer"),
    ("CIO", "chief information officer"),
];

/// The office that `question` names by its title or initials.
fn titled(question: &str) -> Option<&'static str> {
    let lower = question.to_lowercase();
    let says = |short: &str| words(question).iter().any(|word| word.text == short);
    let whole = OFFICES.iter().find(|office| lower.contains(*office)).copied();
    whole.or_else(|| ABBREVIATED.iter().find(|(short, _)| says(short)).map(|(_, office)| *office))
}

/// Stems of the office whose holder is asked for, as in "who is the chief executive of". Empty unless an office of
/// two words or more is named.
fn role(question: &str) -> Vec<String> {
    let lower = question.to_lowercase();
    if let Some(office) = titled(question) {
        return words(office).iter().map(|word| stem(word.text)).collect();
    }
    let starts =
        ["who is the ", "who was the ", "who's the ", "who is its ", "who is their ", "name of the "];
    let Some(rest) = starts.iter().find_map(|start| lower.split_once(start)).map(|(_, rest)| rest) else {
        // `Who is Tarn's Director of Engineering?`
        let all = words(question);
        let of = all.iter().position(|word| without_genitive(word.text) != word.text);
        let named = of.filter(|_| lower.starts_with("who is ") || lower.starts_with("who was "));
        return named.map_or_else(Vec::new, |of| office_of_capitals(&all[of + 1..]));
    };
    office_in(words(rest).into_iter())
}

/// Stems of the office that begins `words`, written as a name: `Director of Engineering`.
fn office_of_capitals(words: &[Word<'_>]) -> Vec<String> {
    let office: Vec<&Word<'_>> =
        words.iter().take_while(|word| word.is_capital() || is_stop(word.text)).collect();
    let last = office.iter().rposition(|word| word.is_capital()).filter(|last| *last > 0);
    last.map_or_else(Vec::new, |last| office[..=last].iter().map(|word| stem(word.text)).collect())
}

/// Stems of the office that begins `words`, if it has two words or more. Words that end with one for a duty describe
/// who bears it: `the senior manager answerable for`.
fn office_in<'w>(words: impl Iterator<Item = Word<'w>>) -> Vec<String> {
    const BEARS_A_DUTY: [&str; 5] = ["responsible", "accountable", "answerable", "liable", "tasked"];

    let office: Vec<Word<'w>> = words.take_while(|word| !is_stop(word.text)).collect();
    let of_a_duty = office.iter().any(|word| BEARS_A_DUTY.contains(&word.text.to_lowercase().as_str()));
    if office.len() < 2 || of_a_duty {
        return Vec::new();
    }
    office.into_iter().map(|word| stem(word.text)).collect()
}

/// Whether `question` asks for a person, and not for a firm or anything else with a name.
fn asks_for_person(question: &str) -> bool {
    const PERSONS: [&str; 7] = [
        "who",
        "which person",
        "which executive",
        "which officer",
        "which director",
        "which manager",
        "which member",
    ];

    let lower = question.trim_start().to_lowercase();
    PERSONS.iter().any(|start| lower.starts_with(start))
}

/// Stems of the bodies that `question` writes as names in two words or more: the Audit Committee.
fn bodies(question: &str) -> Vec<String> {
    let all = words(question);
    let joined = |at: usize| {
        let large = |at: usize| at > 0 && all.get(at).is_some_and(|word| word.is_capital());
        large(at) && (large(at + 1) || at.checked_sub(1).is_some_and(large))
    };
    let body = |word: &Word<'_>| stem(without_genitive(word.text));
    all.iter().enumerate().filter(|(at, _)| joined(*at)).map(|(_, word)| body(word)).collect()
}

/// Whether `question` asks who chairs a board, and not one of its committees.
fn chairs_the_board(question: &str) -> bool {
    let lower = question.to_lowercase();
    lower.contains("chair") && lower.contains("board") && !lower.contains("committee")
}

/// Whether `text` is about a committee, and not about its board.
fn chairs_a_committee(text: &str) -> bool {
    let lower = text.to_lowercase();
    lower.contains("committee") && !lower.contains("board")
}

/// Maximum number of words between an office and its holder's name, if the text tells what somebody else does to the
/// holder.
const BESIDE: usize = 4;

/// Whether `text` has words of the stems `role` one after the other, or their initials, and a name that is not
/// `known`. The name must follow closely if the text tells what is done `to the` holder. Without a role, whether it
/// says anything.
fn names_holder(text: &str, role: &[String], known: &HashSet<String>) -> bool {
    let all = words(text);
    let said: Vec<String> = all.iter().map(|word| stem(word.text)).collect();
    let initials: String = role.iter().filter_map(|stem| stem.chars().next()).collect();
    let together = said.windows(role.len().max(1)).enumerate().filter(|(_, window)| *window == role);
    let short = all.iter().enumerate().filter(|(_, word)| {
        word.text.starts_with(char::is_uppercase) && word.text.to_lowercase().starts_with(&initials)
    });
    let mut places = together.map(|(at, _)| (at, at + role.len())).chain(short.map(|(at, _)| (at, at + 1)));
    let is_name = |at: usize| {
        all[at].is_capital()
            && all[at].text.chars().skip(1).any(char::is_lowercase)
            && !known.contains(&said[at])
            && month(all[at].text).is_none()
    };
    let told_to = |from: usize| {
        let before = |back: usize| from.checked_sub(back).map(|at| all[at].text.to_lowercase());
        matches!(before(1).as_deref(), Some("the" | "our" | "its")) && before(2).as_deref() == Some("to")
    };
    role.is_empty()
        || places.any(|(from, to)| match told_to(from) {
            true => (to..(to + BESIDE).min(all.len())).any(is_name),
            false => (0..all.len()).filter(|at| !(from..to).contains(at)).any(is_name),
        })
}
