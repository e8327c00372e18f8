//! Names that a report gives away by how it speaks: of what somebody owns, as `we`, in lines that come again, in a
//! column of a table.

use super::bare;
use super::form::{WORDS, formed, is_name_end, is_of_reports, opens_none};
use crate::language::words::{folded, words};
use std::collections::BTreeMap;

/// How often a name owns something where it owns most in a report.
const OWNS: usize = 3;
/// How often where it alone settles who speaks, and how many times as often as the next one.
const OWNS_MOST: usize = 5;
const AHEAD: usize = 2;
/// Bytes behind `at` in which a name ends.
const NEAR: usize = 120;
/// How often a line comes again that runs through a report.
const AGAIN: usize = 3;
/// Rows of a table of which each names the same company.
const ROWS: usize = 3;
/// What stands in a column of companies and names none.
const OTHERS: [&str; 4] = ["Yes", "No", "Group", "All"];
/// Letters of the shortest word of a file's name that names somebody.
const FILE_WORD: usize = 3;

/// Who owns most in a text, `Halden's sites`, and whether nobody else comes near.
pub(super) fn owners(text: &str) -> Vec<(String, bool)> {
    let mut times: BTreeMap<String, usize> = BTreeMap::new();
    for (at, _) in text.match_indices(['’', '\'']) {
        let behind = text[at..].trim_start_matches(['’', '\'']);
        let ends = behind.strip_prefix('s').is_some_and(|rest| !rest.starts_with(char::is_alphanumeric));
        if let Some(name) = ends.then(|| name_before(&text[..at])).flatten() {
            *times.entry(name.to_owned()).or_default() += 1;
        }
    }
    let most = times.values().copied().max().unwrap_or_default();
    let next = times.values().copied().filter(|count| *count < most).max().unwrap_or_default();
    let alone = times.values().filter(|count| **count == most).count() == 1;
    let leads = most >= OWNS_MOST && alone && most >= AHEAD * next;
    let own = times.into_iter().filter(|(_, count)| *count >= OWNS && *count * 2 >= most);
    own.map(|(name, count)| (name, leads && count == most)).collect()
}

/// Who says `we` in a text: `At Halden Energy, we …`.
pub(super) fn speakers(text: &str) -> Vec<&str> {
    let begun = text
        .match_indices("At ")
        .chain(text.match_indices("at "))
        .filter(|(at, _)| text[..*at].chars().next_back().is_none_or(|c| !c.is_alphanumeric()));
    let named = begun.filter_map(|(at, mark)| {
        let rest = &text[at + mark.len()..];
        let rest = &rest[..rest.floor_char_boundary(NEAR)];
        let end = [" we ", " our ", " we’", " we'"].iter().filter_map(|sign| rest.find(sign)).min()?;
        let name = rest[..end].trim_end_matches([',', ' ']);
        is_name(name).then_some(name)
    });
    named.collect()
}

/// Names with the form of a company that are lines by themselves, again and again.
pub(super) fn headlines(text: &str) -> Vec<&str> {
    let mut times: BTreeMap<&str, usize> = BTreeMap::new();
    for line in text.lines().map(bare).filter(|line| is_name(line) && has_form(line)) {
        *times.entry(line).or_default() += 1;
    }
    times.into_iter().filter(|(_, count)| *count >= AGAIN).map(|(line, _)| line).collect()
}

/// The name that is in each row of a column of companies.
pub(super) fn of_rows(text: &str) -> Option<&str> {
    const COLUMNS: [&str; 10] = [
        "company",
        "issuer",
        "entity",
        "organisation",
        "organization",
        "unternehmen",
        "empresa",
        "会社名",
        "회사",
        "公司",
    ];
    fn cells(line: &str) -> Vec<&str> {
        line.trim().trim_matches('|').split('|').map(str::trim).collect()
    }
    let lines: Vec<&str> = text.lines().collect();
    lines.windows(2).enumerate().find_map(|(at, pair)| {
        let rules = pair[1].starts_with("| ---");
        let column = rules.then(|| {
            cells(pair[0]).iter().position(|name| COLUMNS.contains(&name.to_lowercase().as_str()))
        })??;
        let rows = lines[at + 2..].iter().take_while(|line| line.starts_with('|'));
        let values: Vec<&str> = rows.filter_map(|line| cells(line).get(column).copied()).collect();
        let first = *values.first()?;
        let named =
            first.chars().count() > 2 && !OTHERS.contains(&first) && (is_name(first) || is_run(first));
        (values.len() >= ROWS && named && values.iter().all(|value| *value == first)).then_some(first)
    })
}

/// The name in `text` that `file` is called by: most of its words that follow each other there, with capitals.
pub(super) fn of_file<'t>(text: &'t str, file: &str) -> Option<&'t str> {
    let file = folded(file).to_lowercase();
    let called: Vec<&str> =
        file.split(|c: char| !c.is_alphabetic()).filter(|word| !word.is_empty()).collect();
    let told = words(text);
    let own: Vec<String> = told.iter().map(|word| folded(word.text).to_lowercase()).collect();
    let longest = |from: usize| {
        let names = called[from].chars().count() >= FILE_WORD && !opens_none(called[from]);
        let same = |at: usize| {
            let written = || told[at..].iter().map(|word| word.text.starts_with(char::is_uppercase));
            let alike = own[at..].iter().zip(&called[from..]).zip(written());
            alike
                .take_while(|((own, word), capital)| own == *word && *capital && !is_of_reports(word))
                .count()
        };
        let best =
            (0..if names { own.len() } else { 0 }).map(|at| (same(at), at)).filter(|(length, _)| *length > 0);
        best.max_by(|a, b| a.0.cmp(&b.0).then(b.1.cmp(&a.1)))
    };
    let (length, at) = (0..called.len()).find_map(longest)?;
    let last = &told[at + length - 1];
    Some(&text[told[at].start..last.end()])
}

/// The words with capitals that end a text; `None` where they are no name.
fn name_before(text: &str) -> Option<&str> {
    let line = text.rsplit('\n').next().unwrap_or_default();
    let mut from = line.len();
    for (count, word) in line.rsplit(' ').take(WORDS).enumerate() {
        let ends = word.ends_with(['.', ',', ':', ';', ')', '!', '?']);
        if !(word.starts_with(char::is_uppercase) || word == "&") || count > 0 && ends {
            break;
        }
        // Between two words stands a space.
        from -= word.len() + usize::from(count > 0);
    }
    let name = line[from..].trim_start();
    let name = name.split_once(' ').filter(|(first, _)| opens_none(first)).map_or(name, |(_, rest)| rest);
    let common = line[..line.len() - name.len()]
        .split_whitespace()
        .next_back()
        .is_some_and(|word| word.eq_ignore_ascii_case("the"));
    ((!common || name.contains(' ')) && is_name(name)).then_some(name)
}

/// Whether a text may be a name: a few words with capitals, of which none is one of reports.
fn is_name(text: &str) -> bool {
    let mut all = text.split_whitespace();
    let named =
        |word: &str| word.starts_with(char::is_uppercase) || matches!(word, "&" | "of" | "and" | "de");
    (1..=WORDS).contains(&all.clone().count())
        && text.chars().count() > 1
        && !text.contains(|c: char| c.is_ascii_digit() || c == '|')
        && all.clone().next().is_some_and(|first| first == "The" || !opens_none(first))
        && all.all(|word| named(word) && !is_of_reports(&word.to_lowercase()))
}

/// Whether a text is one without spaces, with letters.
fn is_run(text: &str) -> bool {
    text.contains(|c: char| c > '\u{2e80}') && text.contains(char::is_alphabetic)
}

/// Whether a name is that of a company by its form or its last word.
fn has_form(name: &str) -> bool {
    is_name_end(name) || formed(name).iter().any(|(found, _)| found == name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_owns_things_is_named_before_the_sign_of_the_owner() {
        let text = "Corvane’s sites, the Company's plan, The Company’s plan, Lind’s audit. In Corvane's words, For Corvane's part, \
            it's Corvane’s. Of Corvane’s mills.";
        assert_eq!(owners(text), [("Corvane".to_owned(), true)]);
        let two = "Corvane’s sites and Lind Mills’s sites. ".repeat(3);
        assert_eq!(owners(&two), [("Corvane".to_owned(), false), ("Lind Mills".to_owned(), false)]);
    }

    #[test]
    fn who_says_we_is_named_before_it() {
        assert_eq!(
            speakers("At Corvane Energy Inc., we believe. And at Corvane our people."),
            ["Corvane Energy Inc.", "Corvane"]
        );
        assert_eq!(
            speakers("At the end we stop. Look at what we do. At 2 sites we burn gas."),
            Vec::<&str>::new()
        );
    }

    #[test]
    fn a_line_that_comes_again_names_whom_it_has_the_form_of() {
        let page = "The Corvane Company\nBalance sheet\n1 2 3\n";
        assert_eq!(headlines(&page.repeat(3)), ["The Corvane Company"]);
        assert_eq!(headlines(page), Vec::<&str>::new());
    }

    #[test]
    fn a_column_of_companies_names_the_one_in_each_row() {
        let table = |names: [&str; 3]| {
            let rows: String = names.iter().map(|name| format!("| {name} | 7 |\n")).collect();
            format!("Text\n\n| Company | value |\n| --- | --- |\n{rows}\nText")
        };
        assert_eq!(of_rows(&table(["Corvane"; 3])), Some("Corvane"));
        assert_eq!(of_rows(&table(["Corvane", "Lind", "Corvane"])), None);
    }

    #[test]
    fn a_file_is_called_by_the_name_that_its_text_has() {
        let text = "The plan of Corvane Mühlen. Climate plan.";
        for (file, name) in [
            ("corvane-muhlen-2024-climate", Some("Corvane Mühlen")),
            ("2024_Corvane_report", Some("Corvane")),
            ("climate-plan", None),
            ("a7", None),
        ] {
            assert_eq!(of_file(text, file), name, "{file}");
        }
    }
}
