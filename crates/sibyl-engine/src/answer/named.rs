//! Whose report a question is about: names of issuers, titles and files that it says.

use crate::search::{Hit, Leg, ParsedQuery, TermFate};
use crate::store::table::document::DocumentRow;
use sibyl_answer::question::name::without_genitive;
use sibyl_text::Span;
use sibyl_text::language::words::{Word, folded, is_stop, words};
use std::collections::HashSet;

/// Words of titles and file names that name nobody.
const GENERIC: &str = " report reports annual sustainability climate plan action adaptation resilience environmental environment \
    social governance data supplement statement review book integrated financial nonfinancial non esg tcfd guidance disclosure \
    disclosures fact sheet scorecard federal government public sector agency department united states progress strategy strategic \
    energy group holdings plc inc ltd corporation company limited index global our notes half year quarter results summary final \
    draft version edition water waste carbon emissions emission risk people safety human rights tax policy pages page environment \
    product products nature impact responsibility corporate transition net zero target targets office national international ";

/// Reports that a question names.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Named {
    /// Their ids, each once.
    pub reports: Vec<String>,
    /// The name of each side: the issuer, or else the words of the question that name it.
    pub names: Vec<String>,
    /// The reports of each side; those of one issuer are together.
    pub sides: Vec<Vec<String>>,
    /// The words that name each side.
    words_of: Vec<Vec<String>>,
    /// The words that name them, in lower case and without accents.
    pub words: Vec<String>,
}

/// A report with the names that a question may use for it.
pub(crate) struct Titled<'a> {
    report: &'a str,
    issuer: &'a str,
    aliases: &'a [String],
    title: &'a str,
    path: &'a str,
}

impl<'a> Titled<'a> {
    /// `document`, if it is a report.
    pub fn of(document: &'a DocumentRow) -> Option<Self> {
        Some(Self {
            report: document.report_id.as_deref()?,
            issuer: document.issuer.as_deref().unwrap_or_default(),
            aliases: &document.aliases,
            title: &document.title,
            path: &document.path,
        })
    }
}

impl Named {
    /// Whether `word` is a form of one of the names.
    pub fn holds(&self, word: &str) -> bool {
        let word = bare(word);
        self.words.iter().any(|name| word == *name || word.strip_suffix('s') == Some(name))
    }

    /// One side, which has `reports`.
    pub fn of(&self, reports: &[String]) -> Self {
        Self { reports: reports.to_vec(), words: self.words.clone(), ..Self::default() }
    }

    /// Where `text` has the names.
    pub fn spans(&self, text: &str) -> Vec<Span> {
        let named = words(text).into_iter().filter(|word| self.holds(word.text));
        named.map(|word| Span::new(word.start, word.end())).collect()
    }

    /// Those sides whose names are `wanted`, without their reports.
    pub fn only(&self, wanted: impl Fn(&str) -> bool) -> Self {
        let words = self.names.iter().zip(&self.words_of).filter(|(name, _)| wanted(name));
        Self { words: words.flat_map(|(_, words)| words.iter().cloned()).collect(), ..Self::default() }
    }

    /// Those of `reports` that `question` names: by the first word of issuer, title or file name, by two words of
    /// them, or by another name of the issuer. Reports that the question describes in more detail come first.
    pub fn read<'a>(question: &str, reports: impl Iterator<Item = Titled<'a>>) -> Self {
        let written = words(question);
        let asked: Vec<String> = written.iter().map(|word| bare(word.text)).collect();
        let says =
            |name: &String| asked.iter().any(|word| word == name || word.strip_suffix('s') == Some(name));
        let mut found: Vec<(Titled<'_>, Vec<String>)> = Vec::new();
        for document in reports {
            let file = document.path.rsplit('/').next().unwrap_or(document.path);
            let stem = file.rsplit_once('.').map_or(file, |(stem, _)| stem).replace('_', " ");
            // What begins with an article, as `the Bank` does, is called so in other reports as well.
            let aliases = document.aliases.iter().map(String::as_str).filter(|name| !is_common(name));
            let texts = [document.issuer, document.title, &stem].into_iter().chain(aliases);
            let mut said: Vec<String> = Vec::new();
            let mut first = false;
            for text in texts {
                let names: Vec<String> = words(text).iter().map(|word| bare(word.text)).collect();
                // Short words, as in "SK hynix", name nobody by themselves.
                let short = |name: &&String| name.chars().count() <= 2 && !is_stop(name);
                let begin = names.iter().take_while(short).count();
                for (at, name) in names.iter().enumerate().filter(|(_, name)| tells(name)) {
                    if says(name) {
                        first |= at <= begin;
                        if !said.contains(name) {
                            said.push(name.clone());
                        }
                    }
                }
            }
            if first || said.len() > 1 {
                said.sort();
                found.push((document, said));
            }
        }
        let sets: Vec<HashSet<String>> =
            found.iter().map(|(_, said)| said.iter().cloned().collect()).collect();
        let mut named = Self::default();
        for (at, (document, said)) in found.into_iter().enumerate() {
            if sets.iter().any(|other| sets[at].is_subset(other) && sets[at] != *other) {
                continue;
            }
            if !named.reports.iter().any(|known| known == document.report) {
                named.reports.push(document.report.to_owned());
            }
            match named.words_of.iter().position(|known| *known == said) {
                Some(side) => named.sides[side].push(document.report.to_owned()),
                None => {
                    let name = match document.issuer {
                        "" => as_written(&written, &said),
                        issuer => issuer.to_owned(),
                    };
                    named.names.push(name);
                    named.words.extend(said.iter().cloned());
                    named.words_of.push(said);
                    named.sides.push(vec![document.report.to_owned()]);
                }
            }
        }
        named
    }
}

/// The words of `written` that are `said`, as a name.
fn as_written(written: &[Word<'_>], said: &[String]) -> String {
    let is_said = |word: &&Word<'_>| {
        let word = bare(word.text);
        said.iter().any(|name| word == *name || word.strip_suffix('s') == Some(name))
    };
    let told = written.iter().filter(is_said).map(|word| without_genitive(word.text));
    told.collect::<Vec<_>>().join(" ")
}

/// Whether what a report calls its issuer is a noun that others go by: it has an article or no capital letter.
fn is_common(name: &str) -> bool {
    let first = name.split_whitespace().next().unwrap_or_default();
    let article =
        ["the", "der", "die", "das", "le", "la", "el", "il"].contains(&first.to_lowercase().as_str());
    (article && name.contains(' ')) || first.chars().next().is_some_and(char::is_lowercase)
}

/// Whether `name` may name somebody.
fn tells(name: &str) -> bool {
    name.chars().count() > 2
        && name.chars().all(char::is_alphabetic)
        && !is_stop(name)
        && !GENERIC.contains(&format!(" {name} "))
}

/// `word` in lower case, without accents and genitive.
fn bare(word: &str) -> String {
    let word = folded(&word.to_lowercase().replace('’', "'"));
    word.strip_suffix("'s").unwrap_or(&word).to_owned()
}

/// Whether the question names a paragraph, a code or another standard that nothing here has, or somebody of whom no
/// passage speaks.
pub(crate) fn names_nothing(query: &ParsedQuery, hits: &[Hit]) -> bool {
    let found = hits.iter().flat_map(|hit| &hit.contributions).any(|leaf| leaf.leg == Leg::Reference);
    if !query.references.is_empty() && !found {
        return true;
    }
    query.terms.iter().enumerate().any(|(index, term)| {
        let missing = matches!(term.fate, TermFate::Unknown | TermFate::Corrected { .. } | TermFate::Phrase);
        let text = term.text.as_str();
        let standard = ["IFRS ", "IAS ", "ISA "]
            .iter()
            .any(|start| text.starts_with(start) && text.ends_with(|c: char| c.is_ascii_digit()));
        let mut letters = text.chars();
        let capital = letters.next().is_some_and(char::is_uppercase);
        let name = capital && letters.clone().count() > 3 && letters.clone().all(char::is_lowercase);
        // Nobody writes a common word like that: `FedEx`, `BASF`.
        let coined = capital
            && letters.clone().count() > 1
            && letters.any(char::is_uppercase)
            && !text.contains(|c: char| c.is_ascii_digit());
        // A plural or genitive of a name is corrected to the name. For a country there are also its adjective and
        // its people.
        let corrected = match &term.fate {
            TermFate::Corrected { to } => {
                to.iter().any(|known| text.to_lowercase().starts_with(&known.to_lowercase()))
            }
            _ => false,
        };
        let said = || hits.iter().map(|hit| hit.passage.as_str());
        let form = corrected || is_said_otherwise(text, said()) || spelled_out(text, said()).is_some();
        missing
            && term.document_frequency == 0
            && (standard || (index > 0 && name && !form) || (coined && !form))
    })
}

/// Number of letters in which a name and its adjective agree: Morocco, Moroccan.
const OF_A_NAME: usize = 5;

/// Whether `passages` say a name that `name` is a form of.
fn is_said_otherwise<'a>(name: &str, mut passages: impl Iterator<Item = &'a str>) -> bool {
    let Some((end, _)) = name.char_indices().nth(OF_A_NAME) else { return false };
    let begin = &name[..end];
    let near = |other: &Word<'_>| {
        other.is_capital()
            && other.text.starts_with(begin)
            && other.text.len().abs_diff(name.len()) < OF_A_NAME - 1
    };
    passages.any(|passage| words(passage).iter().any(near))
}

/// The words of `passages` whose initials are `abbreviation`, which is of capital letters alone.
pub(super) fn spelled_out<'a>(
    abbreviation: &str,
    mut passages: impl Iterator<Item = &'a str>,
) -> Option<String> {
    let letters: Vec<char> = abbreviation.chars().collect();
    if letters.len() < 2 || !letters.iter().all(|letter| letter.is_ascii_uppercase()) {
        return None;
    }
    let begins = |(word, letter): (&Word<'_>, &char)| {
        word.text.chars().next().is_some_and(|first| first.to_ascii_uppercase() == *letter)
            && word.text.chars().nth(2).is_some()
    };
    passages.find_map(|passage| {
        let all = words(passage);
        let found = all.windows(letters.len()).find(|some| some.iter().zip(&letters).all(begins))?;
        Some(passage[found[0].start..found[found.len() - 1].end()].to_owned())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(question: &str, library: &[(i64, &str, &str, &str)]) -> (Vec<String>, usize) {
        let ids: Vec<String> = library.iter().map(|one| one.0.to_string()).collect();
        let titled = library.iter().zip(&ids).map(|((_, path, title, issuer), report)| Titled {
            report,
            issuer,
            aliases: &[],
            title,
            path,
        });
        let named = Named::read(question, titled);
        (named.reports, named.sides.len())
    }

    #[test]
    fn a_report_is_named_by_what_it_calls_its_issuer_and_by_no_common_noun() {
        let aliases = ["Korva", "the Bank", "KGX"].map(str::to_owned);
        let read = |question: &str| {
            let report = Titled {
                report: "1",
                issuer: "Corvane Glass plc",
                aliases: &aliases,
                title: "Report",
                path: "a.pdf",
            };
            Named::read(question, std::iter::once(report)).names
        };
        for question in ["Scope 1 of Korva in 2024", "What is KGX's Scope 1?", "Does Corvane use coal?"] {
            assert_eq!(read(question), ["Corvane Glass plc"], "{question}");
        }
        assert_eq!(read("Which bank uses coal?"), [""; 0]);
    }

    #[test]
    fn an_abbreviation_is_what_is_said_with_its_initials() {
        let spelled = |word| spelled_out(word, ["", "Our asset retirement obligations rose."].into_iter());
        assert_eq!(spelled("ARO").as_deref(), Some("asset retirement obligations"));
        assert_eq!((spelled("ARP"), spelled("aro")), (None, None));
    }

    #[test]
    fn what_is_of_a_country_names_it() {
        let said = |name| is_said_otherwise(name, ["Factories in Morocco: 15."].into_iter());
        assert!(said("Moroccan") && !said("Mexican") && !said("Moroccolandia"));
    }

    #[test]
    fn reports_are_named_by_issuer_title_and_file() {
        let library = [
            (1, "northwind-2024.md", "Northwind Energy plc", ""),
            (2, "plan.pdf", "2021 Climate Action Plan", "Union Pacific"),
            (3, "ups-2020-tcfd.pdf", "TCFD", ""),
            (4, "nestle-2023.xlsx", "Results", "Nestlé S.A."),
            (5, "qx-lumora-data-2024.xlsx", "qx-lumora-data-2024", ""),
        ];
        assert_eq!(named("Is Northwind's target met?", &library), (vec!["1".to_owned()], 1));
        assert_eq!(
            named("UPS or Union Pacific: who emits more?", &library),
            (vec!["2".to_owned(), "3".to_owned()], 2)
        );
        assert_eq!(named("sales of Nestle in 2023", &library).0, ["4"]);
        assert_eq!(named("QX Lumora scope 1", &library).0, ["5"]);
        assert_eq!(named("Is the climate plan met?", &library).0, Vec::<String>::new());
    }
}
