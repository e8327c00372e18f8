//! What a report says of itself: its title, who issued it and the year that it is about.

use super::block::{Block, Form};
use super::heading;
use super::info;
use super::word::is_year;
use serde_json::{Map, Value};
use std::collections::BTreeSet;

/// Pages at the start of a file on which the words of its title stand.
const TITLE_PAGES: usize = 3;
/// Letters of a word that tells one title from another.
const TELLING: usize = 4;
/// Words of the longest name of an issuer.
const NAME: usize = 8;
/// Words of a page from which it is text and no cover.
const COVER: usize = 150;
/// Last words of the names of companies.
const FORMS: [&str; 36] = [
    "inc",
    "plc",
    "ag",
    "se",
    "sa",
    "s.a",
    "nv",
    "n.v",
    "ab",
    "asa",
    "oyj",
    "a/s",
    "gmbh",
    "ltd",
    "limited",
    "corp",
    "corporation",
    "company",
    "co",
    "group",
    "holding",
    "holdings",
    "llc",
    "llp",
    "spa",
    "srl",
    "s.r.l",
    "s.p.a",
    "bv",
    "b.v",
    "kgaa",
    "kg",
    "publ",
    "authority",
    "agency",
    "institution",
];
/// First words of the names of public bodies.
const BODIES: [&str; 6] =
    ["department of", "u.s. department of", "us department of", "ministry of", "office of", "city of"];
/// Words of titles, which no name of an issuer has.
const TITLES: [&str; 8] =
    ["report", "plan", "statement", "review", "strategy", "policy", "guidance", "highlights"];

/// What a report says of itself, each where it does.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Cover {
    pub(super) title: Option<String>,
    pub(super) issuer: Option<String>,
    /// The year as it is written, such as `2023/24`, where the title names none.
    pub(super) year: Option<String>,
}

/// Reads what the first pages and the file's own metadata say.
pub(super) fn read(pages: &[Vec<Block>], metadata: &Map<String, Value>) -> Cover {
    let shown = heading::title(pages);
    let stated = info::title(metadata)
        .filter(|title| shown.as_ref().is_none_or(|shown| stands_on(pages, title) && !is_part(title, shown)));
    let title = stated.or(shown);
    let named = |text: &str| text.split(|c: char| !c.is_ascii_digit()).any(is_year);
    let year = if title.as_deref().is_some_and(named) { None } else { year(pages) };
    let author = metadata.get("author").and_then(Value::as_str).filter(|author| is_issuer(author));
    let issuer = issuer(pages).or_else(|| author.map(str::to_owned));
    Cover { issuer: issuer.or_else(|| title.as_deref().and_then(in_title)), title, year }
}

/// The issuer that a title names beside what the report is: `Example Group plc: climate report`.
fn in_title(title: &str) -> Option<String> {
    let parts = title.split([':', '|', '–', '—', ',']).flat_map(|part| part.split(" - "));
    parts.map(str::trim).find(|part| is_issuer(part)).map(str::to_owned)
}

/// Whether a word of a title that tells it from others stands on the first pages.
fn stands_on(pages: &[Vec<Block>], title: &str) -> bool {
    let words = |text: &str| -> BTreeSet<String> {
        let words = text.split(|c: char| !c.is_alphanumeric()).filter(|word| word.chars().count() >= TELLING);
        words.map(str::to_lowercase).collect()
    };
    let shown: BTreeSet<String> =
        pages.iter().take(TITLE_PAGES).flatten().flat_map(|block| words(&block.text())).collect();
    words(title).iter().any(|word| shown.contains(word))
}

/// Whether a title is no more than a part of what the title page shows.
fn is_part(title: &str, shown: &str) -> bool {
    let letters = |text: &str| -> String {
        text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
    };
    let (title, shown) = (letters(title), letters(shown));
    title.len() < shown.len() && shown.contains(&title)
}

/// The page that a person would call the cover: the first with text, if there is little of it.
fn cover(pages: &[Vec<Block>]) -> Vec<String> {
    let Some(page) = pages.iter().find(|page| !page.is_empty()) else { return Vec::new() };
    let texts = page.iter().filter(|b| matches!(b.kind, Form::Paragraph | Form::Heading(_)));
    let texts: Vec<String> =
        texts.flat_map(|block| block.lines.iter().map(super::line::Line::text)).collect();
    let words: usize = texts.iter().map(|text| text.split_whitespace().count()).sum();
    if words < COVER { texts } else { Vec::new() }
}

/// Who holds the rights, or else whom the cover names.
fn issuer(pages: &[Vec<Block>]) -> Option<String> {
    let ends = pages.iter().take(2).chain(pages.iter().skip(2).next_back());
    let texts: Vec<String> =
        ends.flatten().flat_map(|block| block.lines.iter().map(super::line::Line::text)).collect();
    let holder = texts.iter().find_map(|text| holder(text));
    holder.or_else(|| cover(pages).into_iter().find(|text| is_issuer(text)))
}

/// The name in `© 2024 Example Group plc. All rights reserved.`
fn holder(text: &str) -> Option<String> {
    let mark =
        ["©", "Copyright", "(c) 20"].iter().find_map(|mark| text.find(mark).map(|at| at + mark.len()))?;
    let name = text[mark..].trim_start_matches(|c: char| !c.is_alphabetic());
    let name = name.strip_prefix("by ").unwrap_or(name);
    let end = [". All", " All rights", ". ", ", ", " |", ";"].iter().filter_map(|sign| name.find(sign)).min();
    let name = name[..end.unwrap_or(name.len())].trim_end_matches(['.', ',', ' ']);
    let known = |name: &&str| name.starts_with(char::is_uppercase) && is_issuer(name);
    Some(name).filter(known).map(str::to_owned)
}

/// Whether a text is nothing but the name of a company or a public body.
fn is_issuer(text: &str) -> bool {
    let lower = text.trim().to_lowercase();
    let words: Vec<&str> = lower.split_whitespace().collect();
    let Some(last) = words.last().filter(|_| (2..=NAME).contains(&words.len())) else { return false };
    let last = last.trim_matches(['.', ',', '(', ')']);
    let formed = FORMS.contains(&last) || BODIES.iter().any(|body| lower.starts_with(body));
    // What stands behind a colon has a role of its own, which need not be that of the issuer.
    formed
        && !text.contains(':')
        && text.trim().starts_with(char::is_uppercase)
        && !words.iter().any(|word| TITLES.contains(word) || word.bytes().any(|b| b.is_ascii_digit()))
}

/// The only year that the cover gives as that of the report.
fn year(pages: &[Vec<Block>]) -> Option<String> {
    let found: BTreeSet<String> = cover(pages).iter().filter_map(|text| stated_year(text)).collect();
    let mut found = found.into_iter();
    found.next().filter(|_| found.next().is_none())
}

/// The year of a text that is nothing else, or that says of which year it speaks: `2024`, `2023/24`, `FY 2023`,
/// `for the year ended 31 March 2024`.
fn stated_year(text: &str) -> Option<String> {
    let lower = text.trim().to_lowercase();
    let marks = ["fiscal year", "financial year", "year ended", "year ending", "fy"];
    let rest = marks.iter().find_map(|mark| {
        let at = lower.find(mark)?;
        let opens = lower[..at].chars().next_back().is_none_or(|c| !c.is_alphanumeric());
        opens.then(|| &lower[at + mark.len()..])
    });
    let of = rest.unwrap_or(&lower);
    let at = of.char_indices().map(|(at, _)| at).find(|&at| of.get(at..at + 4).is_some_and(is_year))?;
    let year = &of[at..];
    let bare = year.trim_end_matches(|c: char| !c.is_ascii_digit());
    let only = bare.chars().all(|c| c.is_ascii_digit() || "/-–".contains(c));
    match rest {
        Some(_) => Some(year.chars().take_while(|c| c.is_ascii_digit() || "/-–".contains(*c)).collect()),
        None => (at == 0 && only).then(|| bare.to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_that_of_an_issuer_by_its_form() {
        for name in
            ["Example Group", "Example Holdings plc", "Aurelia Cement S.A.", "U.S. Department of State"]
        {
            assert!(is_issuer(name), "{name}");
        }
        for text in
            ["Greenwood, Max", "Annual report of the Group", "our group", "Group", "Vision 2030 Group"]
        {
            assert!(!is_issuer(text), "{text}");
        }
    }

    #[test]
    fn a_title_names_the_issuer_beside_what_the_report_is() {
        for (title, name) in [
            ("Aurelia Cement S.A.: climate report 2024", Some("Aurelia Cement S.A.")),
            ("Sustainability report 2024 | Halden Energy AB", Some("Halden Energy AB")),
            ("Climate Adaptation Plan – Department of the Interior", Some("Department of the Interior")),
            ("Report of the Group: what we do", None),
            ("Risks, opportunities and targets", None),
        ] {
            assert_eq!(in_title(title).as_deref(), name, "{title}");
        }
    }

    #[test]
    fn who_holds_the_rights_is_named_beside_the_sign() {
        for (text, name) in [
            ("© 2024 Example Group plc. All rights reserved.", Some("Example Group plc")),
            ("Copyright 2023–2024 by Halden Energy AB", Some("Halden Energy AB")),
            ("Photo © Jane Doe", None),
        ] {
            assert_eq!(holder(text).as_deref(), name, "{text}");
        }
    }

    #[test]
    fn a_year_counts_where_it_stands_alone_or_is_called_one() {
        for (text, year) in [
            ("2024", Some("2024")),
            ("2023/24", Some("2023/24")),
            ("FY2023", Some("2023")),
            ("For the year ended 31 March 2024", Some("2024")),
            ("Published in May 2024", None),
            ("Net zero by 2050", None),
        ] {
            assert_eq!(stated_year(text).as_deref(), year, "{text}");
        }
    }
}
