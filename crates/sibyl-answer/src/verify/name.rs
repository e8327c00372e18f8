//! Proper names and identifiers.

use super::CitedUnit;
use crate::answer::{AnswerDifference, DifferenceKind};
use crate::passage::Passage;
use sibyl_text::language::date::{WEEKDAYS, month};
use sibyl_text::language::unit;
use sibyl_text::language::words::{Word, is_stop, stem, words};
use std::collections::HashSet;

/// Capitalised words that name nothing, apart from months and days of the week.
const PLAIN: [&str; 7] = ["i", "scope", "table", "page", "figure", "section", "paragraph"];

/// Whether `word`, in lower case, names nothing although it is capitalised.
fn is_plain(word: &str) -> bool {
    PLAIN.contains(&word)
        || month(word).is_some()
        || WEEKDAYS.iter().any(|weekday| weekday.eq_ignore_ascii_case(word))
}

/// Every name and identifier of `sentence` must be in a passage that it cites, or above it.
pub(super) fn check(
    sentence: &str,
    best: &[&CitedUnit<'_>],
    cited: &[&Passage],
    all: &[Passage],
    differences: &mut Vec<AnswerDifference>,
) {
    let there = vocabulary(cited);
    let named = capitals(all);
    let known = |name: &str| {
        words(name).iter().all(|word| is_stop(&word.text.to_lowercase()) || there.contains(&stem(word.text)))
    };
    for name in names(sentence, &named) {
        if !known(name) {
            let found = best.iter().find_map(|place| nearest(name, &place.text));
            differences.push(AnswerDifference { kind: DifferenceKind::Name, said: name.to_owned(), found });
        }
    }
    let text: String = cited
        .iter()
        .flat_map(|passage| {
            [
                passage.text(),
                passage.paragraph_id.clone().unwrap_or_default(),
                passage.section.join(" "),
                passage.source.title.clone(),
            ]
        })
        .collect::<Vec<_>>()
        .join("\n");
    for identifier in identifiers(sentence) {
        if !identifiers(&text).contains(&identifier) && !text.contains(identifier) {
            let letters: String = identifier.chars().take_while(|c| c.is_alphabetic()).collect();
            let found = identifiers(&text).into_iter().find(|other| other.starts_with(&letters));
            let found = found.map(str::to_owned);
            differences.push(AnswerDifference {
                kind: DifferenceKind::Identifier,
                said: identifier.to_owned(),
                found,
            });
        }
    }
}

/// Stems of every word of the passages and of what stands above them.
fn vocabulary(passages: &[&Passage]) -> HashSet<String> {
    let mut stems = HashSet::new();
    for passage in passages {
        let above = [
            passage.source.title.as_str(),
            passage.source.path.as_str(),
            passage.source.issuer.as_deref().unwrap_or_default(),
            passage.paragraph_id.as_deref().unwrap_or_default(),
        ];
        let text = passage.text();
        for text in above.into_iter().chain([text.as_str()]).chain(passage.section.iter().map(String::as_str))
        {
            stems.extend(words(text).iter().map(|word| stem(word.text)));
        }
    }
    stems
}

/// Words that are names in the passages: capitalised other than at the start of a sentence.
fn capitals(passages: &[Passage]) -> HashSet<String> {
    let mut found = HashSet::new();
    for passage in passages {
        let text = passage.text();
        let title = passage.source.issuer.as_deref().unwrap_or_default();
        for text in [text.as_str(), title] {
            for word in words(text) {
                let inside = text[..word.start]
                    .trim_end()
                    .chars()
                    .next_back()
                    .is_some_and(|c| c.is_alphanumeric() || c == ',');
                if word.is_capital() && (inside || text == title) && word.text.chars().count() > 2 {
                    found.insert(stem(word.text));
                }
            }
        }
    }
    found
}

/// Names in a sentence: runs of capitalised words. The first word counts only if it is a known name, or another
/// capitalised word follows.
fn names<'a>(sentence: &'a str, named: &HashSet<String>) -> Vec<&'a str> {
    let all = words(sentence);
    let mut found = Vec::new();
    let mut run: Vec<&Word<'_>> = Vec::new();
    let mut close = |run: &mut Vec<&Word<'_>>| {
        if let (Some(first), Some(last)) = (run.first(), run.last()) {
            found.push(&sentence[first.start..last.end()]);
        }
        run.clear();
    };
    for (index, word) in all.iter().enumerate() {
        let lower = word.text.to_lowercase();
        let is_number = word.text.starts_with(|c: char| c.is_ascii_digit());
        let begins = index == 0
            || sentence[..word.start].trim_end().ends_with(['.', '!', '?', ':', '|', '"', '“', '*', '-']);
        let follows = all.get(index + 1).is_some_and(|next| {
            next.is_capital()
                && !is_plain(&next.text.to_lowercase())
                && sentence[word.end()..next.start].chars().all(|c| c == ' ')
                && next.text.chars().skip(1).any(char::is_lowercase)
        });
        let holds_digit = word.text.chars().any(|c| c.is_ascii_digit());
        let measures = sentence[..word.start].trim_end().ends_with(|c: char| c.is_ascii_digit())
            && (unit::Word::of(word.text).is_some() || unit::scale(&lower).is_some());
        let name = word.is_capital()
            && !is_number
            && !holds_digit
            && !measures
            && !is_plain(&lower)
            && !is_stop(&lower)
            && word.text.chars().count() > 1
            && (!begins || named.contains(&stem(word.text)) || (follows && !is_stop(&lower)));
        let joined = run.last().is_none_or(|last| {
            sentence[last.end()..word.start].chars().all(|c| matches!(c, ' ' | '&' | '-'))
        });
        if !joined {
            close(&mut run);
        }
        if name {
            run.push(word);
        } else {
            close(&mut run);
        }
    }
    close(&mut run);
    found
}

/// The name in `text` most like `name`: with as many words, sharing one if possible.
fn nearest(name: &str, text: &str) -> Option<String> {
    let named: HashSet<String> =
        words(text).iter().filter(|word| word.is_capital()).map(|word| stem(word.text)).collect();
    let count = words(name).len();
    let candidates = names(text, &named);
    let like = candidates.iter().filter(|other| words(other).len() == count).chain(candidates.iter());
    like.copied().next().map(str::to_owned)
}

/// Identifiers: runs without a space that mix capital letters and digits with `.`, `-` or brackets.
fn identifiers(text: &str) -> Vec<&str> {
    text.split(|c: char| c.is_whitespace() || matches!(c, ',' | ';' | '|' | '"' | '“' | '”'))
        .map(|word| word.trim_matches(|c: char| matches!(c, '.' | ':' | '*' | '[' | ']' | '?' | '!')))
        .map(|word| if word.contains('(') { word } else { word.trim_end_matches(')') })
        .filter(|word| {
            word.starts_with(|c: char| c.is_ascii_uppercase())
                && word.contains(['.', '-'])
                && word.chars().any(|c| c.is_ascii_digit())
                && word.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '(' | ')'))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_runs_of_capitals() {
        let named = HashSet::from(["aurelia".to_owned()]);
        assert_eq!(
            names("The chair is Marian Osei of Larkin & Rowe.", &named),
            ["Marian Osei", "Larkin & Rowe"]
        );
        assert_eq!(names("Aurelia grew. Companies did not.", &named), ["Aurelia"]);
        assert_eq!(names("In March the Board met.", &named), ["Board"]);
        assert_eq!(names("It used 32.6 Mt of coal and 7 GWh.", &named), [""; 0]);
    }

    #[test]
    fn identifiers_are_found() {
        assert_eq!(
            identifiers("See S2.14(a)(iv), EM-EP-110a.1 and ISAE 3410."),
            ["S2.14(a)(iv)", "EM-EP-110a.1"]
        );
    }
}
