//! What an answer has to give, judged by the words of the question.

use super::german::is_german;

/// What an answer has to give.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Nothing: it is a greeting or thanks.
    Greeting,
    /// What a term means.
    Definition,
    /// Every item of something.
    List,
    /// A number.
    Figure,
    /// A day or a year.
    Date,
    /// A person, a company or a place by name.
    Name,
    /// Whether something is so.
    YesNo,
    /// Why something is so.
    Reason,
    /// Anything else.
    Other,
}

const GREETINGS: [&str; 14] = [
    "hello",
    "hi",
    "hey",
    "hallo",
    "hej",
    "thanks",
    "thank you",
    "good morning",
    "good afternoon",
    "good evening",
    "good day",
    "bye",
    "goodbye",
    "hi there",
];

/// Words that ask for a number.
const OF_A_NUMBER: [&str; 14] = [
    "how much",
    "how many",
    "how big",
    "how large",
    "how far",
    "how old",
    "how high",
    "how often",
    "how long",
    "amount",
    "percentage",
    "price tag",
    "price of",
    "what share",
];

/// Words that ask for a reason.
const OF_A_REASON: [&str; 4] = [" reason ", " reasons ", "why is there", "explain why"];
/// First words that ask for a reason.
const BEGINS_A_REASON: [&str; 30] = [
    "why ",
    "what drives",
    "what is driving",
    "what was driving",
    "what has driven",
    "what contributed",
    "what pushed",
    "what lay behind",
    "what is the cause",
    "what was the cause",
    "what were the reasons",
    "what are the reasons",
    "what explains",
    "what explained",
    "what accounts for",
    "what accounted for",
    "what is behind",
    "what was behind",
    "what lies behind",
    "what drove",
    "what made",
    "what brought down",
    "what brought about",
    "thanks to what",
    "how come",
    "what caused",
    "what led",
    "for what reason",
    "what is the reason",
    "what was the reason",
];
/// Words that ask for a day.
const OF_A_DATE: [&str; 6] =
    ["on which date", "dates on which", "on which days", "on what day", "by what date", "by which date"];
/// First words that ask for a day or a year.
const BEGINS_A_DATE: [&str; 15] = [
    "by when",
    "when does",
    "when do ",
    "when are ",
    "when must",
    "when were",
    "when has",
    "when was",
    "when did",
    "when is",
    "when will",
    "on which day",
    "on what date",
    "what year",
    "in which year",
];
/// First words that ask for somebody, or for a place, by name.
const BEGINS_A_NAME: [&str; 24] = [
    "who ",
    "what is the name of",
    "what was the name of",
    "what are the names of",
    "whom ",
    "which bank",
    "which company supplies",
    "which firm",
    "name of",
    "which countries",
    "which country",
    "which auditor",
    "which lender",
    "which person",
    "which executive",
    "which officer",
    "which director",
    "which manager",
    "which member",
    "which committee",
    "which body",
    "which department",
    "which team",
    "which institute",
];

/// First words that ask whether something is so.
const BEGINS_YES_OR_NO: [&str; 17] = [
    "is ", "are ", "was ", "were ", "do ", "does ", "did ", "has ", "have ", "had ", "can ", "could ",
    "may ", "must ", "should ", "will ", "would ",
];

impl Kind {
    /// The kind of the question; `lower` is its text in lower case, and `plain` that without punctuation at the
    /// end.
    pub(super) fn of(lower: &str, plain: &str) -> Self {
        if GREETINGS.contains(&plain) {
            return Self::Greeting;
        }
        let has = |words: &[&str]| words.iter().any(|word| format!(" {plain} ").contains(word));
        let begins = |words: &[&str]| words.iter().any(|word| lower.starts_with(word));
        if has(&["meaning of", "definition of", "define ", "stand for", "mean by", "means what"])
            || (has(&[" mean "]) && begins(&["what do", "what does", "what is"]))
            || plain.ends_with(" mean")
            || (begins(&["what is a ", "what is an ", "what are "]) && !has(&[" of ", " in 20", " for "]))
        {
            return Self::Definition;
        }
        // "Why has the amount of waste grown?" asks for no amount.
        if begins(&[
            "why ",
            "explain why",
            "what drives",
            "what drove",
            "what is driving",
            "what was driving",
        ]) {
            return Self::Reason;
        }
        if has(&OF_A_NUMBER) || begins(&["compare "]) {
            return Self::Figure;
        }
        if has(&OF_A_REASON) || begins(&BEGINS_A_REASON) && !begins(&["what made up"]) {
            return Self::Reason;
        }
        if has(&OF_A_DATE) || begins(&BEGINS_A_DATE) {
            return Self::Date;
        }
        if begins(&BEGINS_A_NAME) {
            return Self::Name;
        }
        if has(&[
            "list ",
            "which ",
            "what are the",
            "pillars",
            "items",
            "categories",
            "name the",
            "what things",
            "eight things",
            "seven things",
        ]) && !begins(&BEGINS_YES_OR_NO)
        {
            return Self::List;
        }
        // `Was passierte mit …` asks what happened.
        if begins(&BEGINS_YES_OR_NO) && !(begins(&["was "]) && is_german(lower)) {
            return Self::YesNo;
        }
        Self::Other
    }
}
