//! Queries in another language than the documents.

use super::notice::{NoticeCause, SearchNotice};
use crate::embed::{Space, Tier};
use sibyl_text::language::tongue::tongue;

/// Number of hits whose language is examined.
const HITS: usize = 3;
/// Characters of each of them.
const CHARACTERS: usize = 600;

/// Says that `query` is in another language than the `texts` that were found, and what the model of `space` can match.
pub(super) fn notice<'a>(
    query: &str,
    texts: impl Iterator<Item = &'a str>,
    space: Option<&Space>,
) -> Option<SearchNotice> {
    let asked = tongue(query)?;
    let mut found = String::new();
    for text in texts.take(HITS) {
        found.extend(text.chars().take(CHARACTERS));
        found.push('\n');
    }
    let found = tongue(&found).filter(|found| *found != asked)?;
    let matched = match space {
        Some(space) if space.tier == Tier::Remote => format!(
            "{} can match meaning across languages, but keywords match only as they are spelled",
            space.model
        ),
        Some(space) => format!(
            "{} matches meaning in English only, and keywords match only as they are spelled",
            space.model
        ),
        None => "Keywords match only as they are spelled".to_owned(),
    };
    let message = format!(
        "This is asked in {asked}, but what was found is in {found}. {matched}. Ask in {found} as well."
    );
    Some(SearchNotice::new(NoticeCause::OtherLanguage, message))
}

#[cfg(test)]
mod tests {
    use super::*;

    const GERMAN: &str = "Wie hoch waren die Emissionen des Unternehmens im letzten Jahr?";
    const ENGLISH: &str = "The company reports its emissions of greenhouse gases for each year since 2019.";

    #[test]
    fn another_language_is_told_once_and_the_same_one_never() {
        let told = notice(GERMAN, [ENGLISH, ENGLISH].into_iter(), None).expect("a notice");
        assert_eq!(told.cause, NoticeCause::OtherLanguage);
        assert!(
            told.message.contains("asked in German") && told.message.contains("Ask in English"),
            "{told}"
        );
        assert_eq!(notice("Which emissions were reported?", [ENGLISH].into_iter(), None), None);
        assert_eq!(notice(GERMAN, [].into_iter(), None), None);
        assert_eq!(notice("Scope 1", [ENGLISH].into_iter(), None), None);
    }
}
