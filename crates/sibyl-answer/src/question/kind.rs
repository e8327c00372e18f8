//! What an answer has to bring, by the words of the question.

/// What an answer has to bring.
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

impl Kind {
    /// The one of the question that is `lower` in lower case and `plain` without its signs at the end.
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
        if has(&OF_A_NUMBER) || begins(&["compare "]) {
            return Self::Figure;
        }
        if has(&[
            "reason for",
            "reasons for",
            "reason of",
            "reason why",
            "reason that",
            "why is there",
            "explain why",
            " reason ",
        ]) || begins(&[
            "why ",
            "what explains",
            "what caused",
            "what led",
            "for what reason",
            "what is the reason",
            "what was the reason",
        ]) {
            return Self::Reason;
        }
        if has(&[
            "on which date",
            "dates on which",
            "on which days",
            "on what day",
            "by what date",
            "by which date",
        ]) || begins(&[
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
        ]) {
            return Self::Date;
        }
        if begins(&[
            "who ",
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
        ]) {
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
        ]) && !begins(&["is ", "are ", "do ", "does ", "can ", "has ", "have ", "did "])
        {
            return Self::List;
        }
        if begins(&[
            "is ", "are ", "do ", "does ", "can ", "could ", "has ", "have ", "did ", "may ", "must ",
            "should ", "will ",
        ]) {
            return Self::YesNo;
        }
        Self::Other
    }
}
