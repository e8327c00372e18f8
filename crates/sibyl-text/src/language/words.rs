//! Words of questions and sentences, as they are compared: without case, endings and function words.

use super::number::small;
use super::runs;
use std::collections::HashSet;
use unicode_normalization::UnicodeNormalization as _;

/// Words that say nothing about the subject of a sentence.
const STOP: &str = " a about above after again all also am an and any are as at be been before being below between both but by \
    can could did do does doing done down during each either ever every for from further get give given gives had has have having \
    he her here hers him his how i if in into is it its itself just least let like many may me might more most much must my need \
    no nor not of off on once only or other our out over own per please same say says shall she should so some such tell than that \
    the their them then there these they this those through to too under until up upon us use used very was we were what when where \
    whether which while who whom whose why will with within without would you your vs yr yrs pls etc ";

/// A word of a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Word<'a> {
    /// As it stands there.
    pub text: &'a str,
    /// First byte.
    pub start: usize,
}

impl Word<'_> {
    /// One past its last byte.
    pub fn end(&self) -> usize {
        self.start + self.text.len()
    }

    /// Whether it begins with a capital letter.
    pub fn is_capital(&self) -> bool {
        self.text.chars().next().is_some_and(char::is_uppercase)
    }
}

/// The words of `text`: runs of letters and digits. An apostrophe, a full stop or a comma between two digits, and
/// a hyphen between letters are part of a word.
pub fn words(text: &str) -> Vec<Word<'_>> {
    let mut found: Vec<Word<'_>> = Vec::new();
    let mut characters = text.char_indices().peekable();
    let mut start = None;
    let mut before = ' ';
    while let Some((at, c)) = characters.next() {
        let after = characters.peek().map_or(' ', |&(_, c)| c);
        let inside = c.is_alphanumeric()
            || (matches!(c, '.' | ',') && before.is_ascii_digit() && after.is_ascii_digit())
            || (matches!(c, '\'' | '’') && before.is_alphabetic() && after.is_alphabetic());
        match (inside, start) {
            (true, None) => start = Some(at),
            (false, Some(first)) => {
                found.push(Word { text: &text[first..at], start: first });
                start = None;
            }
            _ => {}
        }
        before = c;
    }
    if let Some(first) = start {
        found.push(Word { text: &text[first..], start: first });
    }
    found
}

/// `text` without accents and other marks on its letters.
pub fn folded(text: &str) -> String {
    text.nfd().filter(|c| !unicode_normalization::char::is_combining_mark(*c)).collect()
}

/// Whether `word`, in lower case, is a function word.
pub fn is_stop(word: &str) -> bool {
    STOP.contains(&format!(" {word} "))
}

/// Forms that share no beginning with their verb, each with it.
const IRREGULAR: [(&str, &str); 27] = [
    ("met", "meet"),
    ("held", "hold"),
    ("paid", "pay"),
    ("rose", "rise"),
    ("risen", "rise"),
    ("fell", "fall"),
    ("fallen", "fall"),
    ("spent", "spend"),
    ("built", "build"),
    ("made", "make"),
    ("sold", "sell"),
    ("bought", "buy"),
    ("led", "lead"),
    ("grew", "grow"),
    ("grown", "grow"),
    ("chose", "choose"),
    ("chosen", "choose"),
    ("took", "take"),
    ("taken", "take"),
    ("began", "begin"),
    ("begun", "begin"),
    ("wrote", "write"),
    ("written", "write"),
    ("drew", "draw"),
    ("drawn", "draw"),
    ("sent", "send"),
    ("lost", "lose"),
];

/// Signs that stand for a word.
const SIGNS: [(char, &str); 3] = [('£', "pound"), ('€', "euro"), ('$', "dollar")];

/// `word` in lower case without its ending, so that its forms meet.
///
/// It compares wordings, and is looser than the stems of the keyword index. Those are SQLite's (Porter) and know
/// neither irregular verbs nor numbers. They cannot change without every index being made again.
pub fn stem(word: &str) -> String {
    let mut word = word.to_lowercase().replace('’', "'");
    if let Some(base) = word.strip_suffix("'s") {
        word = base.to_owned();
    }
    if let Some((_, verb)) = IRREGULAR.iter().find(|(form, _)| *form == word) {
        word = (*verb).to_owned();
    }
    // Numbers from two on that are written out meet their figures.
    if let Some(number) = small(&word).filter(|number| *number > 1) {
        return number.to_string();
    }
    if word.len() < 4 || !word.is_ascii() || word.bytes().any(|b| b.is_ascii_digit()) {
        return word;
    }
    if let Some(base) = word.strip_suffix("ies") {
        word = format!("{base}y");
    } else if word.ends_with('s') && !word.ends_with("ss") && !word.ends_with("us") && !word.ends_with("is") {
        word.pop();
    }
    for ending in [
        "ations", "ation", "ments", "ment", "ively", "ive", "ings", "ing", "ers", "er", "ors", "or", "ions",
        "ion", "ed", "ly",
    ] {
        let least = if matches!(ending, "ing" | "ed") { 3 } else { 4 };
        if let Some(base) = word.strip_suffix(ending)
            && base.len() >= least
            && base.contains(['a', 'e', 'i', 'o', 'u', 'y'])
        {
            word = base.to_owned();
            break;
        }
    }
    while word.len() > 3 && (word.ends_with('e') || word.ends_with('y')) {
        word.pop();
    }
    let bytes = word.as_bytes();
    // "planned" and "plan" meet.
    if bytes.len() > 4
        && bytes[bytes.len() - 1] == bytes[bytes.len() - 2]
        && !word.ends_with("ss")
        && !word.ends_with("ll")
    {
        word.pop();
    }
    word
}

/// Whether two long stems of [`stem`] differ only in their last letter: "shortfal" and "shortfall".
pub fn nearly(a: &str, b: &str) -> bool {
    let (short, long) = if a.len() <= b.len() { (a, b) } else { (b, a) };
    short.len() >= 7 && long.len() - short.len() <= 1 && long.starts_with(short)
}

/// Letters that two stems of the index must share to be of one word, if they are that long.
const PREFIX: usize = 5;

/// Whether two stems of the keyword index are of one word: Porter leaves other endings than a near spelling has.
pub fn alike(a: &str, b: &str) -> bool {
    let start = |text: &str| text.char_indices().nth(PREFIX).map(|(at, _)| at);
    a == b || matches!((start(a), start(b)), (Some(x), Some(y)) if a[..x] == b[..y])
}

/// Words that point back to somebody or something named before, in lower case.
const POINTS_BACK: [&str; 12] =
    ["it", "its", "they", "them", "their", "this", "these", "those", "he", "she", "his", "her"];

/// Whether `word`, in lower case, points back to somebody or something named before.
pub fn points_back(word: &str) -> bool {
    POINTS_BACK.contains(&word)
}

/// Stems of the words of `text` that are no function words, in order; runs of Han, Kana and Hangul by their pairs of
/// letters.
pub fn stems(text: &str) -> Vec<String> {
    let text = runs::indexed(text);
    let plain = words(&text).into_iter().map(|word| word.text.to_lowercase());
    plain.filter(|word| !is_stop(word)).map(|word| stem(&word)).collect()
}

/// As [`stems`], each once, including the words that signs stand for.
pub fn stem_set(text: &str) -> HashSet<String> {
    let signs = SIGNS.iter().filter(|(sign, _)| text.contains(*sign)).map(|(_, word)| stem(word));
    stems(text).into_iter().chain(signs).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms_of_a_word_meet() {
        for forms in [
            &["chair", "chairs", "chaired"][..],
            &["meet", "met", "meets", "meeting"],
            &["rise", "rose", "rises", "rising"],
            &["emission", "emissions"],
            &["plan", "plans"],
            &["policy", "policies"],
            &["measure", "measured", "measures", "measurement"],
            &["Aurelia", "Aurelia's", "Aurelia’s"],
            &["two", "2"],
            &["disclose", "discloses", "disclosed", "disclosing"],
        ] {
            let stems: HashSet<String> = forms.iter().map(|word| stem(word)).collect();
            assert_eq!(stems.len(), 1, "{stems:?}");
        }
        assert_ne!(stem("gas"), stem("gap"));
        assert!(stem_set("tested at £78").contains(&stem("pounds")));
    }

    #[test]
    fn stems_meet_by_their_beginning() {
        assert!(alike("committe", "committee") && alike("a", "a") && !alike("plan", "plane"));
        assert!(
            nearly("shortfal", "shortfall") && !nearly("plan", "plane") && !nearly("shortfa", "shortfall")
        );
    }

    #[test]
    fn figures_stay_whole() {
        let found: Vec<&str> =
            words("£1,120.5 million in 2024, board's S2.14").iter().map(|w| w.text).collect();
        assert_eq!(
            found,
            ["1,120.5", "million", "in", "2024", "board's", "S2.14"].map(|w| if w == "S2.14" {
                "S2.14"
            } else {
                w
            })
        );
    }
}
