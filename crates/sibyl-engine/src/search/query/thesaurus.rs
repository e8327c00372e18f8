//! Expansion of a query by the thesaurus, on stems, so that `offsets` finds the entry for `offset`.

use crate::error::Result;
use crate::store::keyword::Stemmer;
use crate::store::scope::CorpusInScope;
use crate::store::table::thesaurus::{NewThesaurusEntry, ThesaurusEntry};
use serde::Deserialize;
use std::collections::HashMap;

/// Maximum number of words added to a query's own, of those that the index has.
pub(super) const MOST: usize = 24;

/// A thesaurus ready for use.
#[derive(Debug, Clone, Default)]
pub struct Thesaurus {
    /// Entries by the first stem of their term.
    by_stem: HashMap<String, Vec<Prepared>>,
}

#[derive(Debug, Clone)]
struct Prepared {
    corpus: Option<i64>,
    shipped: bool,
    term: Vec<String>,
    expansion: String,
    stems: Vec<String>,
    weight: f64,
}

/// A word that the thesaurus adds.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Expansion {
    /// The word or words added.
    pub text: String,
    /// Their stems.
    pub stems: Vec<String>,
    /// Index of the first query word it answers to.
    pub of: usize,
    /// Number of query words it answers to.
    pub words: usize,
    /// Its weight.
    pub weight: f64,
}

impl Thesaurus {
    /// Prepares `entries`.
    ///
    /// # Errors
    /// Storage errors.
    pub fn new(entries: &[ThesaurusEntry], stemmer: &dyn Stemmer) -> Result<Self> {
        let texts: Vec<String> = entries.iter().flat_map(|e| [e.term.clone(), e.expansion.clone()]).collect();
        let mut stems = stemmer.tokens(&texts)?.into_iter();
        let mut by_stem: HashMap<String, Vec<Prepared>> = HashMap::new();
        for entry in entries {
            let (Some(term), Some(expansion)) = (stems.next(), stems.next()) else { break };
            if let Some(first) = term.first().filter(|_| !expansion.is_empty() && term != expansion) {
                by_stem.entry(first.clone()).or_default().push(Prepared {
                    corpus: entry.corpus_id,
                    shipped: entry.shipped,
                    expansion: entry.expansion.clone(),
                    stems: expansion,
                    weight: entry.weight,
                    term,
                });
            }
        }
        Ok(Self { by_stem })
    }

    /// The additions for the words with these stems; the longest term wins over those inside it. Entries for one
    /// corpus count if `corpora` has it. Those that ship count only if one of the corpora is about reporting:
    /// elsewhere the same words mean something else.
    pub(super) fn expand(&self, words: &[String], corpora: &[CorpusInScope]) -> Vec<Expansion> {
        let of_the_trade = corpora.iter().any(CorpusInScope::is_of_the_trade);
        let counts = |entry: &Prepared| match entry.corpus {
            Some(id) => corpora.iter().any(|corpus| corpus.id == id),
            None => !entry.shipped || of_the_trade,
        };
        let mut found: Vec<Expansion> = Vec::new();
        let mut covered = 0;
        for of in 0..words.len() {
            let entries = self.by_stem.get(&words[of]).map(Vec::as_slice).unwrap_or_default();
            let matching: Vec<&Prepared> =
                entries.iter().filter(|e| counts(e) && words[of..].starts_with(&e.term)).collect();
            let longest = matching.iter().map(|e| e.term.len()).max().unwrap_or(0);
            if of + longest <= covered {
                continue;
            }
            for entry in matching.into_iter().filter(|e| e.term.len() == longest) {
                match found.iter_mut().find(|other| other.stems == entry.stems) {
                    Some(other) => other.weight = other.weight.max(entry.weight),
                    None => found.push(Expansion {
                        text: entry.expansion.clone(),
                        stems: entry.stems.clone(),
                        of,
                        words: longest,
                        weight: entry.weight,
                    }),
                }
            }
            covered = covered.max(of + longest);
        }
        found
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Shipped {
    #[allow(dead_code)] // Explains the file to its reader.
    about: String,
    version: i64,
    groups: Vec<Group>,
    directed: Vec<Directed>,
}

/// Words that stand for each other.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Group {
    weight: f64,
    sets: Vec<Vec<String>>,
}

/// A word that leads to others and not the other way.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Directed {
    term: String,
    to: Vec<String>,
    weight: f64,
}

/// Version and entries of the thesaurus that ships with the program.
///
/// # Errors
/// [`Error::Damaged`](crate::Error::Damaged) if the shipped file does not parse.
pub fn shipped() -> Result<(i64, Vec<NewThesaurusEntry>)> {
    let file = include_str!("../../../../../data/thesaurus.json");
    let shipped: Shipped = serde_json::from_str(file)
        .map_err(|e| crate::Error::Damaged(format!("the shipped thesaurus cannot be read: {e}")))?;
    let entry = |term: &String, expansion: &String, weight| NewThesaurusEntry {
        corpus_id: None,
        term: term.clone(),
        expansion: expansion.clone(),
        weight,
    };
    let mut entries = Vec::new();
    for Group { weight, sets } in &shipped.groups {
        for set in sets {
            for term in set {
                let others = set.iter().filter(|other| *other != term);
                entries.extend(others.map(|other| entry(term, other, *weight)));
            }
        }
    }
    for Directed { term, to, weight } in &shipped.directed {
        entries.extend(to.iter().map(|expansion| entry(term, expansion, *weight)));
    }
    Ok((shipped.version, entries))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::keyword::PorterStemmer;

    fn thesaurus(entries: &[(Option<i64>, &str, &str, f64)]) -> Thesaurus {
        let entries: Vec<ThesaurusEntry> = entries
            .iter()
            .map(|&(corpus_id, term, expansion, weight)| ThesaurusEntry {
                id: 0,
                corpus_id,
                term: term.to_owned(),
                expansion: expansion.to_owned(),
                weight,
                shipped: corpus_id.is_none(),
            })
            .collect();
        Thesaurus::new(&entries, &PorterStemmer::new().unwrap()).unwrap()
    }

    fn expanded(thesaurus: &Thesaurus, query: &str, corpora: &[(i64, &str)]) -> Vec<(String, usize, f64)> {
        let corpora: Vec<CorpusInScope> = corpora
            .iter()
            .map(|&(id, source_type)| CorpusInScope { id, source_type: source_type.to_owned() })
            .collect();
        let words: Vec<String> = query.split(' ').map(str::to_owned).collect();
        let stems = PorterStemmer::new().unwrap().tokens(&words).unwrap().concat();
        thesaurus.expand(&stems, &corpora).into_iter().map(|e| (e.text, e.of, e.weight)).collect()
    }

    #[test]
    fn words_find_their_entries() {
        let thesaurus = thesaurus(&[
            (None, "offset", "carbon credit", 0.5),
            (None, "GHG", "greenhouse gas", 0.8),
            (None, "net zero", "climate target", 0.5),
            (None, "zero", "nought", 0.5),
            (Some(7), "board", "council", 0.5),
            (Some(7), "GHG", "greenhouse-gas", 0.9),
        ]);
        let one = |text: &str, of, weight| vec![(text.to_owned(), of, weight)];
        let (sasb, own) = ([(1, "sasb")], [(7, "report")]);
        assert_eq!(expanded(&thesaurus, "buying offsets", &sasb), one("carbon credit", 1, 0.5));
        assert_eq!(expanded(&thesaurus, "net zero plan", &sasb), one("climate target", 0, 0.5));
        assert_eq!(expanded(&thesaurus, "zero net", &sasb), one("nought", 0, 0.5));
        assert_eq!(expanded(&thesaurus, "board", &sasb), []);
        assert_eq!(expanded(&thesaurus, "board", &own), one("council", 0, 0.5));
        // The same stems once, with the greater weight.
        assert_eq!(expanded(&thesaurus, "ghg", &own), one("greenhouse gas", 0, 0.9));
        assert_eq!(expanded(&thesaurus, "", &own), []);
        // In texts on other subjects the shipped words may mean something else; a user's own count everywhere.
        let text = [(7, "text"), (8, "docs")];
        assert_eq!(expanded(&thesaurus, "buying offsets", &text), []);
        assert_eq!(expanded(&thesaurus, "board", &text), one("council", 0, 0.5));
    }

    #[test]
    fn the_shipped_file_holds_what_the_store_takes() {
        let (version, entries) = shipped().unwrap();
        assert!(version >= 1 && entries.len() > 300, "{} entries", entries.len());
        let stemmer = PorterStemmer::new().unwrap();
        let mut seen = std::collections::HashSet::new();
        for entry in &entries {
            assert!(entry.weight > 0.0 && entry.weight <= 1.0, "{entry:?}");
            assert_eq!(entry.term.trim(), entry.term);
            let stems = stemmer.tokens(&[entry.term.clone(), entry.expansion.clone()]).unwrap();
            assert!(!stems[0].is_empty() && !stems[1].is_empty() && stems[0] != stems[1], "{entry:?}");
            assert!(
                seen.insert((entry.term.to_lowercase(), entry.expansion.to_lowercase())),
                "twice: {entry:?}"
            );
        }
    }
}
