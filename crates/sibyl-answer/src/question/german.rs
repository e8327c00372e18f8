//! Questions in German, whose function words and capitals say other things than those of English.

use sibyl_text::language::words::{is_stop, words};

/// Function words, and words that only ask or say that there is something.
const FUNCTION_WORDS: [&str; 84] = [
    "der",
    "die",
    "das",
    "den",
    "dem",
    "des",
    "ein",
    "eine",
    "einen",
    "einem",
    "einer",
    "eines",
    "und",
    "oder",
    "nicht",
    "ist",
    "sind",
    "war",
    "waren",
    "wird",
    "wurde",
    "wurden",
    "werden",
    "hat",
    "haben",
    "hatte",
    "hatten",
    "wie",
    "viel",
    "viele",
    "vielen",
    "hoch",
    "groß",
    "was",
    "wer",
    "wo",
    "wann",
    "warum",
    "welche",
    "welcher",
    "welches",
    "welchen",
    "welchem",
    "bei",
    "beim",
    "von",
    "vom",
    "zu",
    "zum",
    "zur",
    "im",
    "in",
    "am",
    "an",
    "auf",
    "aus",
    "für",
    "mit",
    "nach",
    "über",
    "unter",
    "um",
    "bis",
    "seit",
    "durch",
    "gegen",
    "ohne",
    "als",
    "sich",
    "auch",
    "noch",
    "es",
    "sein",
    "seine",
    "ihre",
    "lag",
    "lagen",
    "betrug",
    "betrugen",
    "gab",
    "jahr",
    "meisten",
    "wenigsten",
    "gesamten",
];
/// Number of them from which a question is in German.
const LEAST: usize = 2;

/// Whether `text` is in German, as far as its function words show.
pub(super) fn is_german(text: &str) -> bool {
    let all: Vec<String> = words(text).iter().map(|word| word.text.to_lowercase()).collect();
    // `In`, `an` and `was` are words of both languages.
    let german = all.iter().filter(|word| is_function_word(word) && !is_stop(word)).count();
    let english = all.iter().filter(|word| is_stop(word) && !is_function_word(word)).count();
    german >= LEAST && german > english
}

/// Whether `word`, in lower case, says nothing about the subject of a German question.
pub(super) fn is_function_word(word: &str) -> bool {
    FUNCTION_WORDS.contains(&word)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::question::Question;

    #[test]
    fn a_german_question_is_about_its_nouns_and_verbs() {
        let question = Question::read("Wie viel Dampf hat die Mühle Oberau 2023 verbraucht?");
        let asked: Vec<&str> = question.asked.iter().map(|one| one.word.as_str()).collect();
        assert_eq!(asked, ["Dampf", "Mühle", "Oberau", "2023", "verbraucht"]);
        assert!(question.names.is_empty(), "every noun has a capital");
        assert!(!is_german("Ormond Scope 1 emissions in Iceland in 2021/22"));
        assert!(!is_german("Did the German plant in Oberau die out, was it sold?"));
    }
}
