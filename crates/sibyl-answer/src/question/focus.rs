//! Which words of a question say what it is about.

use super::Asked;
use super::quantity::{CHANGES, Quantity};
use sibyl_text::language::date::is_month;
use sibyl_text::language::unit::is_asked_in;
use sibyl_text::language::words::is_stop;

/// Verbs for how much of something there is, or for reporting it: a figure or sentence may use others.
const OF_ANY: [&str; 83] = [
    "emit",
    "emits",
    "emitted",
    "use",
    "uses",
    "used",
    "employ",
    "employs",
    "employed",
    "withdraw",
    "withdrew",
    "withdrawn",
    "consume",
    "consumed",
    "produce",
    "produced",
    "generate",
    "generated",
    "spend",
    "spent",
    "buy",
    "bought",
    "report",
    "reports",
    "disclose",
    "discloses",
    "contribute",
    "contributed",
    "reach",
    "reached",
    "achieve",
    "carry",
    "make",
    "made",
    "count",
    "amount",
    "state",
    "release",
    "released",
    "going",
    "burn",
    "burns",
    "burned",
    "burnt",
    "send",
    "sends",
    "sent",
    "output",
    "production",
    "expense",
    "purchase",
    "purchased",
    "need",
    "happen",
    "happens",
    "happened",
    "cause",
    "caused",
    "causes",
    "draw",
    "drew",
    "drawn",
    "arise",
    "arose",
    "suffer",
    "suffered",
    "lodge",
    "lodged",
    "incur",
    "incurred",
    "take",
    "took",
    "taken",
    "put",
    "putting",
    "add",
    "added",
    "serve",
    "served",
    "hold",
    "held",
    "run",
    "ran",
];
/// Share of its weight that such a word counts.
const BEARS_LITTLE: f64 = 0.3;
/// Verbs, each with the word that a table or heading uses for it.
const DERIVED: [(&str, &str); 24] = [
    ("emit", "emissions"),
    ("emits", "emissions"),
    ("emitted", "emissions"),
    ("withdraw", "withdrawal"),
    ("withdrew", "withdrawal"),
    ("withdrawn", "withdrawal"),
    ("employ", "employees"),
    ("employed", "employees"),
    ("consume", "consumption"),
    ("consumed", "consumption"),
    ("generate", "generation"),
    ("generated", "generation"),
    ("produce", "production"),
    ("produced", "production"),
    ("invest", "investment"),
    ("invested", "investment"),
    ("disclose", "report"),
    ("discloses", "report"),
    ("died", "fatalities"),
    ("killed", "fatalities"),
    ("assures", "assurance"),
    ("assure", "assurance"),
    ("donated", "gave"),
    ("donate", "gave"),
];

/// Words for what scopes measure, which texts do not repeat beside a scope.
const OF_A_SCOPE: [&str; 17] = [
    "emission",
    "emissions",
    "emit",
    "emitted",
    "ghg",
    "greenhouse",
    "gas",
    "gases",
    "carbon",
    "co2",
    "co2e",
    "direct",
    "indirect",
    "market-based",
    "location-based",
    "market",
    "location",
];

/// Whether `word`, in lower case, adds nothing to the scope that is asked for. The name of a gas does add
/// something: it names a part.
pub(crate) fn is_said_by_scope(asks: &Quantity, word: &str) -> bool {
    let of_any = OF_A_SCOPE.contains(&word) && !matches!(word, "carbon" | "co2" | "co2e" | "gas" | "gases");
    !asks.scopes.is_empty() && (of_any || word.starts_with("scope"))
}

/// Share of its weight that `word` counts.
pub(super) fn bearing(word: &str) -> f64 {
    if OF_ANY.contains(&word.to_lowercase().as_str()) { BEARS_LITTLE } else { 1.0 }
}

/// What tables and headings may use instead of `word`: the noun of a verb, or the verb of a noun.
pub(super) fn nouns_of(word: &str) -> Vec<&'static str> {
    let lower = word.to_lowercase();
    let other_of = |(one, other): &(&'static str, &'static str)| match lower.as_str() {
        word if word == *one => Some(*other),
        word if word == *other => Some(*one),
        _ => None,
    };
    DERIVED.iter().filter_map(other_of).collect()
}

/// Words for a site that follow its name, and which tables leave out.
const SITES: [&str; 16] = [
    "plant", "site", "factory", "mine", "mill", "works", "kiln", "smelter", "refinery", "terminal",
    "facility", "location", "quarry", "yard", "campus", "unit",
];

/// Whether `word` is the kind of the thing whose name precedes it in `text`: the Tainosa plant.
pub(super) fn is_site_of_a_name(word: &str, text: &str) -> bool {
    let each: Vec<&str> = text.split_whitespace().collect();
    let bare = |word: &str| word.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase();
    SITES.contains(&&*word.to_lowercase())
        && each.windows(2).skip(1).any(|pair| {
            bare(pair[1]) == word.to_lowercase() && pair[0].chars().next().is_some_and(char::is_uppercase)
        })
}

/// Words for what to do with figures, or for the figure that is meant, apart from those for a change.
const OPERATIONS: [&str; 61] = [
    "more",
    "less",
    "fewer",
    "ended",
    "ending",
    "above",
    "between",
    "until",
    "since",
    "add",
    "sum",
    "come",
    "against",
    "versus",
    "larger",
    "smaller",
    "higher",
    "lower",
    "bigger",
    "combined",
    "altogether",
    "overall",
    "latest",
    "below",
    "high",
    "low",
    "large",
    "small",
    "far",
    "often",
    "percentage",
    "percent",
    "share",
    "proportion",
    "number",
    "amount",
    "much",
    "many",
    "figure",
    "value",
    "total",
    "compare",
    "compared",
    "largest",
    "highest",
    "biggest",
    "smallest",
    "lowest",
    "least",
    "most",
    "reported",
    "report",
    "reporting",
    "fiscal",
    "level",
    "big",
    "target",
    "baseline",
    "base",
    "goal",
    "difference",
];
/// Words for parts of a year, apart from the months.
const PARTS_OF_A_YEAR: [&str; 14] = [
    "first", "second", "third", "fourth", "half", "quarter", "months", "month", "six", "nine", "three",
    "end", "same", "h1",
];

/// Whether `asked` says what a figure is of, and not which operation, period or unit is wanted. Of a phrase one
/// word is enough.
pub(super) fn is_of_what(asked: &Asked, asks: &Quantity) -> bool {
    asked.word.to_lowercase().split_whitespace().any(|word| says_of_what(word, asks))
}

fn says_of_what(word: &str, asks: &Quantity) -> bool {
    if !asks.periods.is_empty() && (PARTS_OF_A_YEAR.contains(&word) || is_month(word)) {
        return false;
    }
    let period = asks.period_words.iter().any(|one| word.starts_with(one.as_str()));
    let of_scope = !asks.scopes.is_empty() && OF_A_SCOPE.contains(&word);
    !(OPERATIONS.contains(&word)
        || asks.scope_words.iter().any(|one| one == word)
        || CHANGES.contains(&word)
        || period
        || is_asked_in(word)
        || of_scope
        || is_stop(word)
        || word.len() < 2 && !asks.scopes.is_empty())
}

/// Words that divide the same thing in two: what holds for one part does not hold for the other.
const PARTS: [(&str, &str); 24] = [
    ("contractors", "employees"),
    ("contractors", "own"),
    ("contractor", "employee"),
    ("hazardous", "non-hazardous"),
    ("renewable", "non-renewable"),
    ("upstream", "downstream"),
    ("women", "men"),
    ("purchased", "owned"),
    ("gross", "net"),
    ("recovered", "fresh"),
    ("lost-time", "recordable"),
    ("fatal", "recordable"),
    ("direct", "indirect"),
    ("withdrawn", "discharged"),
    ("adjusted", "unadjusted"),
    ("mean", "median"),
    ("average", "median"),
    ("owned", "leased"),
    ("owned", "chartered"),
    ("domestic", "international"),
    ("onshore", "offshore"),
    ("full-time", "part-time"),
    ("permanent", "temporary"),
    ("voluntary", "involuntary"),
];

/// The last word of a compound such as `USDA-owned`. That of `non-hazardous` says the opposite of the whole.
fn last_of(word: &str) -> Option<&str> {
    let (first, last) = word.rsplit_once('-')?;
    (first != "non").then_some(last)
}

/// Whether `told` is about the part that `question` does not name, both in lower case.
pub(super) fn of_other_part(question: &str, told: &str) -> bool {
    let words_of = |text: &str| -> Vec<String> {
        let lower = text.to_lowercase();
        let whole = lower.split(|c: char| !c.is_alphanumeric() && c != '-');
        whole.flat_map(|word| [Some(word), last_of(word)]).flatten().map(str::to_owned).collect()
    };
    let (asked, told) = (words_of(question), words_of(told));
    let says = |words: &[String], word: &str| words.iter().any(|one| one == word);
    PARTS.iter().flat_map(|(one, other)| [(one, other), (other, one)]).any(|(one, other)| {
        says(&asked, one) && !says(&asked, other) && says(&told, other) && !says(&told, one)
    })
}
