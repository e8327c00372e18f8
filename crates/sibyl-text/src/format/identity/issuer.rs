//! Who issued a report.

use super::form::{ENDS, FORMS, WORDS, formed, is_name_end, is_of_reports, takes_a_role, without_owner};
use super::{Places, is_report, pieces, speech};
use crate::language::sum;
use crate::language::words::is_stop;
use std::collections::BTreeMap;

/// Letters of the text that are looked at, from its beginning.
const READ: usize = 400_000;
/// Evidence that settles who the issuer is.
const SETTLED: u32 = 5;
/// How many times as often as small a name is written with a capital.
const SMALL: usize = 10;
/// Words of a line from which it is a sentence.
const SENTENCE: usize = 7;
/// First words of the names of public bodies.
const BODIES: [&str; 6] =
    ["department of", "u.s. department of", "us department of", "ministry of", "office of", "city of"];
/// Who checks reports, and issues none that it checks.
const ASSURERS: [&str; 14] = [
    "kpmg",
    "deloitte",
    "ernst & young",
    "pwc",
    "pricewaterhousecoopers",
    "bdo",
    "grant thornton",
    "mazars",
    "dnv",
    "bureau veritas",
    "sgs",
    "tüv",
    "lrqa",
    "dekra",
];

/// A place that speaks of the whole report, and what a name gains by standing there.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Place {
    /// A field says that it is the company's.
    Field,
    Rights,
    Speaks,
    Running,
    Front,
    Title,
    /// It owns more than anyone else does in the text.
    Leads,
    Owns,
    File,
    Author,
}

impl Place {
    const fn weight(self) -> u32 {
        match self {
            Self::Field => 8,
            Self::Rights => 5,
            Self::Speaks | Self::Running => 4,
            Self::Front | Self::Title | Self::File => 3,
            Self::Leads | Self::Owns | Self::Author => 2,
        }
    }
}

/// A name as it was met.
#[derive(Debug, Default)]
struct Name {
    /// As it was written, the first first.
    written: Vec<String>,
    places: Vec<Place>,
    /// Whether it has the form of a company or a body.
    formed: bool,
    /// Whether it stands beside what the report is called.
    beside: bool,
    /// Whether it is all of a line, or of a part of one, on the cover or in the title.
    whole: bool,
    /// Whether the file is called so and nothing else.
    is_file: bool,
}

/// The names of a report by their words in lower case, without the form.
#[derive(Debug, Default)]
struct Names(BTreeMap<String, Name>);

/// Who issued the report; `None` where it leaves that open.
pub(super) fn find(
    text: &str,
    title: Option<&str>,
    places: &Places<'_>,
    author: Option<&str>,
    file: &str,
) -> Option<String> {
    let text = &text[..text.floor_char_boundary(READ)];
    let mut names = Names::default();
    for line in &places.running {
        names.line(line, Place::Running);
    }
    for line in &places.front {
        names.line(line, Place::Front);
    }
    if let Some(title) = title {
        names.line(title, Place::Title);
    }
    if let Some(author) = author {
        names.line(author, Place::Author);
    }
    // The names of the columns of a table label no name beside them.
    let below = text.lines().skip(1).chain([""]);
    let heads = below.map(|line| line.starts_with("| ---")).chain(std::iter::repeat(false));
    for (line, heads) in text.lines().chain(places.running.iter().copied()).zip(heads) {
        if let Some(name) = holder(line) {
            names.line(name, Place::Rights);
        } else if let Some(name) = labelled(line).filter(|_| !heads) {
            names.line(name, Place::Field);
        }
        for (name, _) in formed(line).into_iter().filter(|(_, after)| speaks(after)) {
            names.add(&name, Place::Speaks, true, false);
        }
    }
    if let Some(name) = speech::of_rows(text) {
        names.add(name, Place::Field, false, false);
    }
    for name in speech::headlines(text) {
        names.add(name, Place::Running, true, false);
    }
    for name in speech::speakers(text) {
        names.add(name, Place::Speaks, !formed(name).is_empty(), false);
    }
    for (name, leads) in speech::owners(text) {
        names.add(&name, Place::Owns, false, false);
        if leads {
            names.add(&name, Place::Leads, false, false);
        }
    }
    if let Some(name) = speech::of_file(text, file).or_else(|| speech::of_file(title?, file)) {
        names.add(name, Place::File, false, false);
        // What a file is called by alone may be what it is, as a handbook.
        let own = key(&name.to_lowercase());
        let is_file = own == key(&file.replace(['-', '_'], " ").to_lowercase());
        if let Some(name) = names.0.get_mut(&own) {
            name.is_file = is_file;
        }
    }
    names.meet(&places.running, Place::Running);
    names.meet(&places.front, Place::Front);
    names.meet(title.as_slice(), Place::Title);
    names.settle(text)
}

impl Names {
    /// The names of a line: those with a form, and what stands beside the name of the report.
    fn line(&mut self, line: &str, place: Place) {
        let reports = pieces(line).any(is_report);
        for piece in pieces(line) {
            let found = formed(piece);
            let whole = found.is_empty().then(|| before_report(piece).or_else(|| of_report(piece))).flatten();
            for (name, _) in &found {
                self.add(name, place, true, reports);
            }
            if let Some(name) = whole {
                let ends = is_body(name) || is_name_end(name);
                if ends || reports || matches!(place, Place::Rights | Place::Field) {
                    self.add(name, place, ends, reports);
                }
            }
        }
    }

    /// Notes which of the names known so far stand in `lines`.
    fn meet(&mut self, lines: &[&str], place: Place) {
        // The cells of a table are no lines of a cover.
        let own = lines.iter().filter(|line| !line.contains(" | "));
        let parts: Vec<String> =
            own.flat_map(|line| pieces(line)).map(|part| key(&part.to_lowercase())).collect();
        let lines: Vec<String> = lines.iter().map(|line| key(&line.to_lowercase())).collect();
        for (key, name) in &mut self.0 {
            name.whole |= matches!(place, Place::Front | Place::Title) && parts.contains(key);
            if !name.places.contains(&place) && lines.iter().any(|line| holds(line, key)) {
                name.places.push(place);
            }
        }
    }

    fn add(&mut self, name: &str, place: Place, formed: bool, beside: bool) {
        let lower = name.to_lowercase();
        let key = key(&lower);
        if key.is_empty() || sum::is_bare(&key) || ASSURERS.iter().any(|one| holds(&key, one)) {
            return;
        }
        let entry = self.0.entry(key).or_default();
        entry.written.push(name.to_owned());
        if !entry.places.contains(&place) {
            entry.places.push(place);
        }
        entry.formed |= formed;
        entry.beside |= beside;
    }

    /// The name for which most speaks, where it is enough and no other name has as much.
    fn settle(&self, text: &str) -> Option<String> {
        let mut scored: Vec<(u32, &str)> = self
            .0
            .iter()
            .filter_map(|(key, name)| Some((self.evidence(key, name, text)?, key.as_str())))
            .collect();
        scored.sort_by(|(a, one), (b, other)| b.cmp(a).then_with(|| other.len().cmp(&one.len())));
        let (score, best) = scored.first().copied().filter(|(score, _)| *score >= SETTLED)?;
        let rival = scored.iter().skip(1).find(|(_, name)| !holds(best, name) && !holds(name, best));
        if rival.is_some_and(|(other, _)| *other == score) {
            return None;
        }
        self.written(best)
    }

    /// What speaks for a name, with what speaks for the shorter names inside it; `None` where it is none.
    fn evidence(&self, key: &str, name: &Name, text: &str) -> Option<u32> {
        let parts = self.0.iter().filter(|(other, _)| holds(key, other)).map(|(_, part)| part);
        let mut places: Vec<Place> = parts.flat_map(|part| part.places.iter().copied()).collect();
        places.sort();
        places.dedup();
        let said = said(text, key);
        // Who is called as the file is, in a line alone, needs no sentence that says so.
        let alone = name.whole && !name.is_file && places.contains(&Place::File);
        if !name.formed && said == 0 && !alone && !places.contains(&Place::Field) {
            return None;
        }
        let often = match said {
            0..3 => 0,
            3..10 => 1,
            _ => 2,
        };
        let weights: u32 = places.into_iter().map(Place::weight).sum();
        Some(weights + if name.formed { 2 } else { 0 } + u32::from(name.beside) + often)
    }

    /// How a name is written: with its form where it has one, and not in capitals alone.
    fn written(&self, best: &str) -> Option<String> {
        let all = &self.0.get(best)?.written;
        let rank = |name: &&String| {
            let formed = formed(name).len();
            (formed, usize::from(name.chars().any(char::is_lowercase)))
        };
        // The first of equals.
        let most = all.iter().map(|name| rank(&name)).max()?;
        all.iter().find(|name| rank(name) == most).cloned()
    }
}

/// How often sentences of `text` begin the name `key` with capitals; 0 where its first word is often written small. The names
/// of the columns of a table are no sentence.
fn said(text: &str, key: &str) -> usize {
    let first = key.split(' ').next().unwrap_or_default();
    if first.chars().any(|c| c > '\u{2e80}') {
        return text.matches(first).count();
    }
    let (mut times, mut small) = (0, 0);
    let below = text.lines().skip(1).chain([""]);
    let lines = text.lines().zip(below).filter(|(_, below)| !below.starts_with("| ---"));
    for (line, _) in lines.filter(|(line, _)| line.split_whitespace().count() >= SENTENCE) {
        for word in line.split(|c: char| !c.is_alphanumeric() && !matches!(c, '&' | '-' | '\'' | '’' | '.'))
        {
            let word = word.trim_matches(['-', '.', '\'', '’']);
            let word = without_owner(word);
            small += usize::from(word == first);
            times += usize::from(word != first && word.len() >= first.len() && word.to_lowercase() == first);
        }
    }
    if small * SMALL > times { 0 } else { times }
}

/// What of a piece may be a name without the form of a company: all of it, or what stands before the name of the report.
fn before_report(piece: &str) -> Option<&str> {
    let end = match is_report(piece) {
        false => piece.len(),
        true => {
            let mut ends =
                piece.split_whitespace().map(|word| (word.as_ptr() as usize - piece.as_ptr() as usize, word));
            ends.find(|(_, word)| is_of_reports(&word.to_lowercase()) || is_report(word))?.0
        }
    };
    let name = piece[..end].trim_matches(|c: char| c.is_whitespace() || matches!(c, ',' | '-' | '’' | '\''));
    let name = without_owner(name);
    let words: Vec<&str> = name.split_whitespace().collect();
    let linked = |word: &str| matches!(word, "&" | "of" | "and" | "de" | "y" | "et" | "und" | "the" | "la");
    let named = |word: &&str| word.starts_with(char::is_uppercase) || linked(word);
    let own = |word: &str| !is_of_reports(&word.to_lowercase());
    let sized = (1..=WORDS).contains(&words.len())
        && name.chars().count() > 2
        && !name.contains(|c: char| c.is_ascii_digit());
    let opens = words
        .first()
        .is_some_and(|first| !is_stop(&first.to_lowercase()) && first.starts_with(char::is_uppercase));
    (sized && opens && !name.ends_with('.') && words.iter().all(named) && words.iter().all(|word| own(word)))
        .then_some(name)
}

/// The name of an organisation behind that of its report: `Half-year report of the Example Group 2024`.
fn of_report(piece: &str) -> Option<&str> {
    let (report, rest) = piece.split_once(" of ")?;
    let rest = rest.strip_prefix("the ").unwrap_or(rest);
    let name = rest.trim_end_matches(|c: char| c.is_ascii_digit() || "/–- ".contains(c));
    let named = is_report(report) && name.starts_with(char::is_uppercase) && is_name_end(name);
    (named && name.split_whitespace().count() <= WORDS).then_some(name)
}

/// The name in `© 2024 Example Group plc. All rights reserved.`
fn holder(text: &str) -> Option<&str> {
    let mark =
        ["©", "Copyright", "(c) 20"].iter().find_map(|mark| text.find(mark).map(|at| at + mark.len()))?;
    if takes_a_role(&text[..mark].to_lowercase()) {
        return None;
    }
    let name = text[mark..].trim_start_matches(|c: char| !c.is_alphabetic());
    let name = name.strip_prefix("by ").unwrap_or(name);
    let end = [". All", " All rights", ". ", " |", ";", " ("].iter().filter_map(|sign| name.find(sign)).min();
    let name = name[..end.unwrap_or(name.len())].trim_end_matches(['.', ',', ' ']);
    let named = is_body(name) || !formed(name).is_empty() || is_name_end(name);
    (named && name.starts_with(char::is_uppercase) && name.split_whitespace().count() <= WORDS)
        .then_some(name)
}

/// The name behind `Published by` and its like.
fn labelled(text: &str) -> Option<&str> {
    const LABELS: [&str; 16] = [
        "Published by",
        "Publisher",
        "Issuer",
        "Issued by",
        "Reporting entity",
        "Herausgeber",
        "Utgivare",
        "Uitgever",
        "Éditeur",
        "Name of the reporting entity",
        "Name of reporting entity",
        "Name of the undertaking",
        "Name of the company",
        "Company name",
        "EPD owner",
        "Owner of the declaration",
    ];
    let rest = LABELS.iter().find_map(|label| super::bare(text).strip_prefix(label))?;
    let name = rest.trim_start_matches(|c: char| c.is_whitespace() || matches!(c, ':' | '|' | '*'));
    let name = name.split(['|', ';', '*']).next()?.trim();
    (name.starts_with(char::is_uppercase) && name.split_whitespace().count() <= WORDS).then_some(name)
}

/// Whether what stands behind a name says that the report speaks as it.
fn speaks(after: &str) -> bool {
    let after = after.trim_start_matches([',', ' ']);
    let brackets = [
        "(the “Company",
        "(the \"Company",
        "(the “Group",
        "(\"we",
        "(“we",
        "(hereinafter",
        "(im Folgenden",
        "(nachfolgend",
    ];
    brackets.iter().any(|start| after.starts_with(start)) || after.starts_with("and its subsidiaries")
}

fn is_body(name: &str) -> bool {
    let lower = name.to_lowercase();
    BODIES.iter().any(|body| lower.starts_with(body))
}

/// The words of a name in lower case without its form.
fn key(lower: &str) -> String {
    let words = lower.split(|c: char| c.is_whitespace() || matches!(c, ',' | '(' | ')'));
    let mut words: Vec<&str> =
        words.map(|word| word.trim_matches('.')).filter(|word| !word.is_empty()).collect();
    while words.len() > 1
        && words.last().is_some_and(|last| FORMS.contains(last) || ENDS.contains(last) || *last == "&")
    {
        words.pop();
    }
    words.join(" ")
}

/// Whether the words of `part` follow each other in those of `whole`.
fn holds(whole: &str, part: &str) -> bool {
    format!(" {whole} ").contains(&format!(" {part} "))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn issuer(title: &str, front: &[&str], text: &str) -> Option<String> {
        find(text, Some(title), &Places { front: front.to_vec(), running: Vec::new() }, None, "")
    }

    #[test]
    fn a_name_is_found_by_its_form() {
        for (text, name) in [
            ("Halden Energy AB buys wind power.", "Halden Energy AB"),
            ("The shares of Corvane Dental Holdings, Inc. rose", "Corvane Dental Holdings, Inc."),
            ("Compañía Minera Cobre Andino S.A.", "Compañía Minera Cobre Andino S.A."),
            ("Aguas de Serralba, S.A. en 2024", "Aguas de Serralba, S.A."),
            ("the board of Veldhoek Zuivel Coöperatie U.A.", "Veldhoek Zuivel Coöperatie U.A."),
            ("水沢精密工業株式会社", "水沢精密工業株式会社"),
            ("株式会社ハンノキ", "株式会社ハンノキ"),
        ] {
            assert_eq!(formed(text).first().map(|(name, _)| name.as_str()), Some(name), "{text}");
        }
        for text in [
            "BALANCE SHEET AS AT 31 DECEMBER",
            "The Limited",
            "as of 2024",
            "Audited by Halden Prüf AG",
            "we se it",
        ] {
            assert_eq!(formed(text), [], "{text}");
        }
    }

    #[test]
    fn who_holds_the_rights_is_named_beside_the_sign() {
        for (text, name) in [
            ("© 2024 Example Group plc. All rights reserved.", Some("Example Group plc")),
            ("Copyright 2023–2024 by Halden Energy AB", Some("Halden Energy AB")),
            ("Photo © Jane Doe", None),
        ] {
            assert_eq!(holder(text), name, "{text}");
        }
    }

    #[test]
    fn a_label_names_the_issuer_and_the_head_of_a_table_does_not() {
        let table =
            "| Company name | Country | Sector |\n| --- | --- | --- |\n| Tarn Mills | Norway | Paper |";
        assert_eq!(issuer("Report", &[], table), None);
        let field = "| Topic | Value |\n| --- | --- |\n| Company name | Tarn Mills |";
        assert_eq!(issuer("Report", &[], field).as_deref(), Some("Tarn Mills"));
    }

    #[test]
    fn a_line_of_the_cover_that_the_file_is_called_by_names_the_issuer() {
        let of = |file: &str, front: &[&str]| {
            let places = Places { front: front.to_vec(), running: Vec::new() };
            find("Tarn Mills\n\nData sheet 2024", Some("Data sheet 2024"), &places, None, file)
        };
        assert_eq!(
            of("tarn-mills-data-2024", &["Tarn Mills", "Data sheet 2024"]).as_deref(),
            Some("Tarn Mills")
        );
        assert_eq!(of("data-2024", &["Tarn Mills", "Data sheet 2024"]), None);
        assert_eq!(of("tarn-mills", &["Tarn Mills", "Data sheet 2024"]), None, "it may be a thing");
        assert_eq!(of("mills-by-year", &["Mills | Year", "Data sheet 2024"]), None, "cells");
        assert_eq!(of("tarn-mills-data-2024", &["What Tarn Mills did"]), None);
    }

    #[test]
    fn the_name_on_which_most_places_agree_is_that_of_the_issuer() {
        let body = "Corvane cut what it emits, and in 2023 Corvane bought steam from others.";
        for (title, front, name) in [
            (
                "Climate report 2023",
                &["Corvane Glass Inc.", "Climate report 2023"][..],
                Some("Corvane Glass Inc."),
            ),
            ("Our numbers 2024 report | Corvane", &["Corvane Glass Group"], Some("Corvane Glass Group")),
            (
                "Climate Adaptation Plan – Department of the Interior",
                &["Department of the Interior"],
                Some("Department of the Interior"),
            ),
            // A slogan, an assurer and two names of the same weight are none.
            ("Annual Report – Building Better Futures", &["Annual Report"], None),
            ("Report", &["Assured by Lind Prüf AB"], None),
            ("Report", &["Lind AB", "Tarn Mills plc"], None),
        ] {
            assert_eq!(issuer(title, front, body).as_deref(), name, "{title}");
        }
    }
}
