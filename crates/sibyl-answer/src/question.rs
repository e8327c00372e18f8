//! What a question asks for.

pub mod constraint;
mod focus;
mod german;
mod kind;
mod money;
pub mod name;
mod noun;
pub mod quantity;
pub mod scope;

pub(crate) use focus::is_said_by_scope;
pub use kind::Kind;
use quantity::{Operation, Quantity};
use sibyl_text::language::words::{is_stop, nearly, stem, words};
use std::collections::HashSet;

/// A word that a question is about, with what may replace it.
#[derive(Debug, Clone, PartialEq)]
pub struct Asked {
    /// The word in the question.
    pub word: String,
    /// Stems of the word and of its corrections: any one is enough.
    own: HashSet<String>,
    /// Stems of each of its expansions: all of one must occur.
    also: Vec<HashSet<String>>,
    /// How much it says, above 0: the rarer, the more.
    pub weight: f64,
}

impl Asked {
    /// The word `word`, corrected to `corrections` and expanded to `expansions`.
    pub fn new(word: &str, corrections: &[String], expansions: &[String], weight: f64) -> Self {
        let mut own = vec![word];
        own.extend(corrections.iter().map(String::as_str));
        own.extend(focus::nouns_of(word));
        let own = own.into_iter();
        let own =
            own.flat_map(|text| words(text).into_iter().map(|word| stem(word.text)).collect::<Vec<_>>());
        Self {
            word: word.to_owned(),
            own: own.collect(),
            also: expansions
                .iter()
                .map(|text| sibyl_text::language::words::stem_set(text))
                .filter(|stems| !stems.is_empty())
                .collect(),
            weight,
        }
    }

    /// The word, and what may replace it.
    pub fn texts(&self) -> Vec<String> {
        let further = self.also.iter().flatten().chain(&self.own);
        std::iter::once(self.word.clone()).chain(further.cloned()).collect()
    }

    /// How fully `stems` have it: 1 for the word itself, a little less for an expansion.
    pub(crate) fn held(&self, stems: &HashSet<String>) -> f64 {
        if self.own.iter().any(|stem| stems.contains(stem) || stems.iter().any(|other| nearly(stem, other))) {
            1.0
        } else if self.also.iter().any(|all| all.is_subset(stems)) {
            0.8
        } else {
            0.0
        }
    }

    /// Stems of its expansions that `stems` hold whole: `LTIR` stands for each of "lost time incident rate".
    pub(crate) fn spelled_by<'s>(&'s self, stems: &'s HashSet<String>) -> impl Iterator<Item = &'s String> {
        self.also.iter().filter(|all| all.is_subset(stems)).flatten()
    }

    /// How much it says about what is asked, above 0.
    pub(crate) fn bears(&self) -> f64 {
        self.weight * focus::bearing(&self.word)
    }

    /// Whether it is the word "scope", whose number is a separate condition.
    pub(crate) fn is_scope(&self) -> bool {
        matches!(self.word.to_lowercase().as_str(), "scope" | "scopes")
    }

    /// Whether `stems` are or contain the word itself.
    pub(crate) fn is_one_of(&self, stems: &HashSet<String>) -> bool {
        self.own.iter().any(|stem| stems.contains(stem))
    }
}

/// A question as it was read.
#[derive(Debug, Clone, PartialEq)]
pub struct Question {
    /// Its words.
    pub text: String,
    /// Its words without the names that say where to look; sentences are compared with these.
    pub compared: String,
    /// What it asks for.
    pub kind: Kind,
    /// The words that it is about, each once, in order.
    pub asked: Vec<Asked>,
    /// What it asks of figures.
    pub asks: Quantity,
    /// The word that reverses its meaning, such as "not".
    pub denial: Option<String>,
    /// Words that it writes like names: an answer has to be about them.
    pub names: Vec<String>,
    /// Abbreviations that it names: the passage that answers has them, or what they stand for.
    pub abbreviations: Vec<String>,
}

/// Words that only ask, and say nothing about the subject.
const ASKING: [&str; 12] = [
    "what",
    "which",
    "mean",
    "means",
    "meaning",
    "definition",
    "stand",
    "company",
    "companies",
    "entity",
    "library",
    "documents",
];
/// Verbs that say next to nothing without their objects.
const LIGHT: [&str; 17] = [
    "take", "takes", "took", "taken", "come", "comes", "came", "give", "gives", "gave", "given", "get",
    "gets", "got", "put", "let", "went",
];
/// Words that introduce the other figure of a comparison.
const COMPARING: [&str; 10] =
    ["year", "years", "yr", "yrs", "last", "previous", "prior", "earlier", "current", "compare"];
/// Words in a question about a paragraph that say nothing about it.
const OF_A_PARAGRAPH: [&str; 36] = [
    "what",
    "require",
    "requires",
    "required",
    "requirement",
    "requirements",
    "ask",
    "asks",
    "asked",
    "say",
    "says",
    "disclose",
    "disclosed",
    "disclosure",
    "mean",
    "means",
    "state",
    "states",
    "cover",
    "covers",
    "demand",
    "demands",
    "explain",
    "tell",
    "under",
    "about",
    "ifrs",
    "paragraph",
    "standard",
    "must",
    "entity",
    "company",
    "report",
    "reported",
    "show",
    "me",
];
impl Question {
    /// Reads `text`.
    pub fn read(text: &str) -> Self {
        let told = without_courtesy(text);
        let lower = told.to_lowercase();
        let plain = lower.trim_end_matches(['!', '.', '?', ',', ' ']);
        let asked = words(text).into_iter().map(|word| Asked::new(word.text, &[], &[], 1.0)).collect();
        let kind = Kind::of(&lower, plain);
        let question = Self {
            text: text.trim().to_owned(),
            compared: text.trim().to_owned(),
            kind,
            asked: Vec::new(),
            asks: if kind == Kind::Reason {
                Quantity::read(told).in_its_words()
            } else {
                Quantity::read(told)
            },
            denial: denial(text),
            names: name::in_question(text),
            abbreviations: name::abbreviations(text),
        };
        question.about(asked)
    }

    /// The id of the paragraph that it asks for, if it asks for nothing else: `What does S2.29(a) require?`
    pub(crate) fn asks_for_paragraph(&self) -> Option<String> {
        let named = sibyl_text::reference::detect(&self.text);
        let [reference] = named.as_slice() else { return None };
        let [id] = reference.ids.as_slice() else { return None };
        let rest = [&self.text[..reference.span.start], &self.text[reference.span.end..]];
        let plain = rest.iter().flat_map(|text| words(text)).all(|word| {
            let word = word.text.to_lowercase();
            is_stop(&word) || OF_A_PARAGRAPH.contains(&word.as_str())
        });
        plain.then(|| id.clone())
    }

    /// The same question about `asked`; function words and repetitions are left out.
    #[must_use]
    pub fn about(self, asked: Vec<Asked>) -> Self {
        let mut kept: Vec<Asked> = Vec::new();
        let german = german::is_german(&self.text);
        let shouted = !self.text.chars().any(char::is_lowercase);
        for one in asked {
            let word = one.word.to_lowercase();
            let letters = one.word.chars().count() > 1 && one.word.chars().all(char::is_uppercase);
            // An abbreviation is not a short word, although it may look like one: SHE, IT.
            let telling = tells(&word) || letters && !shouted && is_stop(&word);
            let empty = one.own.is_empty() || !telling || german && german::is_function_word(&word);
            if !empty && !kept.iter().any(|known| known.own == one.own) {
                kept.push(one);
            }
        }
        Self { asked: kept, ..self }
    }

    /// The words that say what it is about, and not which operation, period or unit is wanted.
    pub(crate) fn focus(&self) -> Vec<&Asked> {
        let tells = |asked: &&Asked| {
            focus::is_of_what(asked, &self.asks) && !focus::is_site_of_a_name(&asked.word, &self.text)
        };
        self.asked.iter().filter(tells).collect()
    }

    /// The same question, but sentences are compared with `words`.
    #[must_use]
    pub fn compared_as(self, words: &str) -> Self {
        Self { compared: words.to_owned(), ..self }
    }

    /// The same question about each of its names except those that `known` accepts.
    #[must_use]
    pub fn with_names_but(mut self, known: impl Fn(&str) -> bool) -> Self {
        self.names.retain(|name| !known(name));
        self.abbreviations.retain(|name| !known(name));
        self
    }

    /// Whether `told` is about another part of something than the question.
    pub(crate) fn is_of_other_part(&self, told: &str) -> bool {
        focus::of_other_part(&self.text, told)
    }

    /// Whether `stems` have the thing whose number the question asks for, if it names one.
    pub(crate) fn counts(&self, stems: &HashSet<String>) -> bool {
        let Some(noun) = self.asks.counted.as_deref() else { return true };
        let noun = stem(noun);
        let asked = self.asked.iter().find(|asked| asked.own.contains(&noun));
        asked.map_or_else(|| stems.contains(&noun), |asked| asked.held(stems) > 0.0)
    }

    /// Whether `stems` have every name that is asked about.
    pub(crate) fn is_of_names(&self, stems: &HashSet<String>) -> bool {
        let asked = |name: &String| self.asked.iter().find(|asked| asked.word == *name);
        self.names.iter().filter_map(asked).all(|asked| asked.held(stems) > 0.0)
    }

    /// Whether `stems` have a name that is asked about, if there is any: of two that are compared, each is in its
    /// own place.
    pub(crate) fn is_of_some_name(&self, stems: &HashSet<String>) -> bool {
        let asked = |name: &String| self.asked.iter().find(|asked| asked.word == *name);
        let mut named = self.names.iter().filter_map(asked).peekable();
        named.peek().is_none() || named.any(|asked| asked.held(stems) > 0.0)
    }

    /// Whether `stems`, those of a whole passage, have every name and abbreviation that is asked about.
    pub(crate) fn is_of_passage(&self, stems: &HashSet<String>) -> bool {
        let asked = |name: &String| self.asked.iter().find(|asked| asked.word == *name);
        self.is_of_names(stems)
            && self.abbreviations.iter().filter_map(asked).all(|asked| asked.held(stems) > 0.0)
    }

    /// The same question, as one of the kind `kind`.
    #[must_use]
    pub fn of_kind(self, kind: Kind) -> Self {
        Self { kind, ..self }
    }

    /// The same question about one of the companies that it compares.
    #[must_use]
    pub fn of_one_side(mut self) -> Self {
        let several = self.asks.periods.len() > 1;
        let compares = match self.asks.operation {
            Operation::Largest | Operation::Smallest => true,
            Operation::Comparison => !several,
            Operation::Value | Operation::Change => false,
        };
        if compares {
            self.asks.operation = Operation::Value;
            self.asks.certain |= self.asks.telegraphic || !self.asks.scopes.is_empty();
        }
        if self.kind == Kind::Name || self.kind == Kind::List {
            let which = self.text.to_lowercase();
            if compares && (which.starts_with("which of") || which.starts_with("who ")) {
                self.kind = Kind::Other;
            }
        }
        self
    }

    /// Whether it asks nothing: it is empty or a greeting.
    pub fn is_idle(&self) -> bool {
        self.text.is_empty() || self.kind == Kind::Greeting
    }
}

/// The first word of `text` that reverses its meaning.
pub fn denial(text: &str) -> Option<String> {
    const NOT: [&str; 10] =
        ["not", "no", "never", "without", "neither", "nor", "none", "cannot", "nothing", "nobody"];
    let denies = |word: &String| NOT.contains(&word.as_str()) || word.ends_with("n't");
    words(text).iter().map(|word| word.text.to_lowercase().replace('’', "'")).find(denies)
}

/// `text` without the polite words that it begins with.
fn without_courtesy(text: &str) -> &str {
    const COURTESY: [&str; 17] = [
        "please ",
        "can you ",
        "could you ",
        "would you ",
        "do you know ",
        "i would like to know ",
        "i'd like to know ",
        "i want to know ",
        "tell me ",
        "give me ",
        "show me ",
        "let me know ",
        "find ",
        "kindly ",
        "hi, ",
        "hello, ",
        "so ",
    ];
    let mut rest = text.trim();
    while let Some(word) = COURTESY
        .iter()
        .find(|word| rest.get(..word.len()).is_some_and(|start| start.eq_ignore_ascii_case(word)))
    {
        rest = rest[word.len()..].trim_start();
    }
    if rest.is_empty() { text.trim() } else { rest }
}

/// Whether `word`, in lower case, can be what a question is about.
pub fn tells(word: &str) -> bool {
    !is_stop(word) && !ASKING.contains(&word) && !COMPARING.contains(&word) && !LIGHT.contains(&word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_asked_for_is_read_from_the_first_words() {
        for (text, kind) in [
            ("Hello!", Kind::Greeting),
            ("What is a carbon credit?", Kind::Definition),
            ("meaning of \"impracticable\" in S1?", Kind::Definition),
            ("How many ships has Halden ordered?", Kind::Figure),
            ("When was the kiln at Mirar built?", Kind::Date),
            ("who chairs the committee", Kind::Name),
            ("Which plants fall under the ETS?", Kind::List),
            ("Which executive is in charge of the roadmap?", Kind::Name),
            ("Osterwyk: reason capital goods emissions jumped", Kind::Reason),
            ("Why has the amount of scrap grown?", Kind::Reason),
            ("What drives the share of night shifts?", Kind::Reason),
            ("What amount was set aside for that reason?", Kind::Figure),
            ("Was every table audited, and by which firm?", Kind::YesNo),
            ("Were all controls found to work?", Kind::YesNo),
            ("Was geschah mit der Mühle in Oberau?", Kind::Other),
            ("Is it reasonable?", Kind::YesNo),
            ("Is it mandatory?", Kind::YesNo),
            ("easterham turbines writedown", Kind::Other),
        ] {
            assert_eq!(Question::read(text).kind, kind, "{text}");
        }
        assert!(Question::read("  ").is_idle() && !Question::read("hello world of emissions").is_idle());
    }

    #[test]
    fn an_abbreviation_that_looks_like_a_short_word_is_asked_about() {
        let asked =
            |text: &str| Question::read(text).asked.into_iter().map(|one| one.word).collect::<Vec<_>>();
        assert_eq!(asked("SHE investment"), ["SHE", "investment"]);
        assert_eq!(asked("what did she invest"), ["invest"]);
        assert_eq!(asked("WHAT DID SHE INVEST"), ["INVEST"]);
    }

    #[test]
    fn terms_are_what_it_is_about() {
        let question = Question::read("Who chairs Halden's audit committee, and what audit?");
        let words: Vec<&str> = question.asked.iter().map(|one| one.word.as_str()).collect();
        assert_eq!(words, ["chairs", "Halden's", "audit", "committee"]);
        let asked = Asked::new("NOx", &[], &["nitrogen oxides".to_owned()], 1.0);
        assert_eq!(asked.held(&sibyl_text::language::words::stem_set("oxides of nitrogen")), 0.8);
        assert_eq!(asked.held(&sibyl_text::language::words::stem_set("oxides")), 0.0);
    }
}
