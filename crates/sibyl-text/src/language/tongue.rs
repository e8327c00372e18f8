//! Which language a text is written in.

use super::words::{is_stop, words};
use whatlang::{Lang, Script, detect};

/// Number of letters below which a language cannot be recognised if many languages share its script.
const FEW: usize = 20;
/// Words that begin English questions, and no questions in other languages of this script.
const ASKING: [&str; 10] = ["which", "what", "how", "who", "whose", "when", "where", "why", "does", "did"];
/// Share of English function words among its words from which a short text is English, whatever its names are.
const ENGLISH: f64 = 0.2;

/// Letters of a word that is short.
const SHORT: usize = 3;
/// Share of short words from which a text counts as a sentence. Technical terms are spelled alike in several
/// languages, so a list of them identifies none.
const OF_A_SENTENCE: f64 = 0.15;

/// Share of letters of another script from which a text is not in a language with Latin letters.
const OTHERS: f64 = 0.25;
/// After the Latin letters and their accents.
const BEHIND_LATIN: char = '\u{24f}';

fn is_of_another_script(c: char) -> bool {
    c.is_alphabetic() && c > BEHIND_LATIN
}

fn is_short(word: &str) -> bool {
    word.len() <= SHORT && word.chars().all(char::is_alphabetic) && !is_stop(&word.to_lowercase())
}

/// The language of `text`, by its English name; `None` if it is too short, or could be several.
pub fn tongue(text: &str) -> Option<&'static str> {
    // Headings of columns and names are in Latin letters in texts of every script.
    let letters = text.chars().filter(|c| c.is_alphabetic()).count();
    let others: String = text.chars().filter(|c| c.is_whitespace() || is_of_another_script(*c)).collect();
    let count = others.chars().filter(|c| c.is_alphabetic()).count();
    let found =
        if count as f64 >= OTHERS * letters as f64 && count > 0 { detect(&others)? } else { detect(text)? };
    if found.script() == Script::Latin {
        let words = words(text);
        let english = words.iter().filter(|word| is_stop(&word.text.to_lowercase())).count() as f64;
        let letters = text.chars().filter(|c| c.is_alphabetic()).count();
        let asks = words.first().is_some_and(|word| ASKING.contains(&&*word.text.to_lowercase()));
        if asks || (english >= ENGLISH * words.len() as f64 && english > 1.0) {
            return Some(Lang::Eng.eng_name());
        }
        let short = words.iter().filter(|word| is_short(word.text)).count() as f64;
        let is_written = !text.is_ascii() || short >= OF_A_SENTENCE * words.len() as f64;
        if letters < FEW || !is_written || !found.is_reliable() {
            return None;
        }
    }
    Some(match found.lang() {
        Lang::Cmn => "Chinese",
        lang => lang.eng_name(),
    })
}

#[cfg(test)]
mod tests {
    use super::tongue;

    #[test]
    fn a_question_tells_its_language() {
        for (language, text) in [
            ("English", "How many tonnes of Scope 1 emissions did the company report for 2023?"),
            ("English", "Which body oversees climate risk?"),
            ("German", "Wie hoch waren die Emissionen des Unternehmens im letzten Jahr?"),
            ("French", "Quelles sont les émissions de gaz à effet de serre de la société en 2023 ?"),
            ("Spanish", "¿Cuántas toneladas de residuos peligrosos generó la empresa durante el año pasado?"),
            ("Korean", "2023년 온실가스 배출량은 얼마입니까?"),
            (
                "Korean",
                "| id | company | site | area |\n| 1 | SK하이닉스 | 국내 | 온실가스 배출량 사업장 폐수 |",
            ),
            ("Japanese", "温室効果ガスの排出量はどのくらいですか。"),
            ("Chinese", "公司的温室气体排放量是多少"),
        ] {
            assert_eq!(tongue(text), Some(language), "{text}");
        }
    }

    #[test]
    fn names_codes_and_numbers_tell_none() {
        for text in [
            "",
            "EM-EP-110a.1",
            "S2.14(a)(iv)",
            "Scope 3",
            "12,345 t CO2e",
            "Müller GmbH",
            "Aéroports de Paris",
            "emissions carbon plan emissions emissions plan climate target plan",
            "transition plan emissions intensive installations",
            "carbon credits offset program verification",
        ] {
            assert_eq!(tongue(text), None, "{text}");
        }
    }
}
