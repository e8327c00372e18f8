//! What a question asks of figures: which operation, for which period, scope, basis and kind.
//!
//! Over 500 lines: what one question asks is read from its words in one place, and each part has its words there.

use super::money::{asks_for_money, is_of_money};
use super::name::without_names;
use super::noun::{counted, expected};
use super::scope::{Basis, asked_scopes, basis, category};
use sibyl_text::figure::Status;
use sibyl_text::language::period::{Period, periods};
use sibyl_text::language::unit::{Measure, in_short, is_asked_in, measured_in, names_a_currency};
use sibyl_text::language::words::words;

/// What is to be done with figures.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Operation {
    /// Give one.
    Value,
    /// Say by how much one differs from that of another time.
    Change,
    /// Give two or more side by side.
    Comparison,
    /// Name what has the greatest.
    Largest,
    /// Name what has the least.
    Smallest,
}

/// What a question asks of figures.
#[derive(Debug, Clone, PartialEq)]
pub struct Quantity {
    /// What is to be done with them.
    pub operation: Operation,
    /// The periods that it names, in order, each once.
    pub periods: Vec<Period>,
    /// Whether it asks for the time before the period that it names, or before the latest one.
    pub before: bool,
    /// Whether it asks for the two latest periods.
    pub two_latest: bool,
    /// Whether it asks for two things at once, which one row may give.
    pub both: bool,
    /// Scopes of emissions that it names, in ascending order.
    pub scopes: Vec<u8>,
    /// The category of Scope 3 that it names, 1 to 15.
    pub category: Option<u8>,
    /// How Scope 2 is to be counted.
    pub basis: Option<Basis>,
    /// The status that it asks for; actual figures if it names none.
    pub status: Option<Status>,
    /// What the unit is to measure.
    pub measure: Option<Measure>,
    /// Whether its words leave no doubt that a number is wanted.
    pub certain: bool,
    /// Whether it asks for a number in words, such as "how many".
    pub number: bool,
    /// Whether it asks in which direction something changed.
    pub direction: bool,
    /// Whether it asks how something compares with the one period that it names: `since 2019`.
    pub since: bool,
    /// Whether what it asks for is counted in money.
    pub money: bool,
    /// Whether it asks for the whole of something.
    pub total: bool,
    /// Whether it asks for something per something else.
    pub per: bool,
    /// Whether it speaks of greenhouse gases.
    pub of_emissions: bool,
    /// Whether it asks which of two things that it names has more of something.
    pub alternatives: bool,
    /// What it asks the number of.
    pub counted: Option<String>,
    /// What the unit has to measure by what is asked for, if the question names no unit: `how much water`.
    pub expected: Option<Measure>,
    /// Words that name its periods, in lower case.
    pub period_words: Vec<String>,
    /// Words that name its scope by its source, in lower case.
    pub scope_words: Vec<String>,
    /// Whether it is only a few words with a period, scope or kind, as people type if they want one number.
    pub telegraphic: bool,
}

/// Words that ask for a number.
const NUMBERS: [&str; 19] = [
    "how much",
    "how many",
    "how big",
    "how large",
    "how high",
    "how far",
    "amount",
    "percentage",
    "per cent of",
    "percent of",
    "what share",
    "what proportion",
    "what fraction",
    "what price",
    "what sum",
    "what weight",
    "what volume",
    "number of",
    "total",
];
/// Words that ask for a number in Italian, Portuguese and Spanish.
const NUMBER_WORDS_ABROAD: [&str; 10] =
    ["quanto", "quanta", "quanti", "quante", "quantos", "quantas", "cuánto", "cuánta", "cuántos", "cuántas"];
/// The same in German, Dutch, French, the Scandinavian languages, Japanese, Chinese and Korean, which no English word
/// contains.
const NUMBERS_ABROAD: [&str; 22] = [
    "wie viel",
    "wieviel",
    "wie hoch",
    "wie groß",
    "hoeveel",
    "hoe hoog",
    "combien",
    "quel est le montant",
    "hur mycket",
    "hur många",
    "hur stor",
    "hvor mange",
    "hvor meget",
    "hvor mye",
    "hvor stor",
    "いくら",
    "何トン",
    "何人",
    "どれだけ",
    "どのくらい",
    "多少",
    "얼마",
];
/// Things that are measured: a short question about one of them wants a number.
const MEASURED: [&str; 37] = [
    "emission",
    "emissions",
    "output",
    "revenue",
    "sales",
    "consumption",
    "intensity",
    "rate",
    "ratio",
    "headcount",
    "turnover",
    "profit",
    "cost",
    "costs",
    "spend",
    "spending",
    "capex",
    "withdrawal",
    "withdrawals",
    "waste",
    "production",
    "capacity",
    "price",
    "score",
    "usage",
    "energy",
    "scope",
    "electricity",
    "water",
    "dividend",
    "employees",
    "volume",
    "expenditure",
    "expenditures",
    "income",
    "margin",
    "investment",
];
/// What is done with a thing, for which there is a number.
const USED: [&str; 7] = ["use", "usage", "consumption", "withdrawal", "generation", "number", "total"];
/// Units of German questions by what they measure.
const UNITS_ABROAD: [(&str, Measure); 6] = [
    ("tonnen", Measure::Mass),
    ("kilogramm", Measure::Mass),
    ("kilowattstunden", Measure::Energy),
    ("megawattstunden", Measure::Energy),
    ("kubikmeter", Measure::Volume),
    ("prozent", Measure::Share),
];
/// Words that ask for a target.
const OF_A_TARGET: [&str; 10] =
    ["target", "targets", "goal", "goals", "aim", "aims", "targeted", "pledge", "aiming", "ambition"];
/// Beginnings of words for greenhouse gases.
const OF_GASES: [&str; 8] =
    ["emission", "emit", "co2", "ghg", "greenhouse", "carbon", "footprint", "methane"];
/// Words of a short question that wants an explanation and no number.
const TOLD: [&str; 26] = [
    "plan",
    "plans",
    "policy",
    "policies",
    "rule",
    "rules",
    "measures",
    "actions",
    "members",
    "dates",
    "meetings",
    "reason",
    "reasons",
    "meaning",
    "definition",
    "risks",
    "chair",
    "officer",
    "auditor",
    "assurance",
    "who",
    "why",
    "when",
    "where",
    "how",
    "which",
];
/// Words for a change from one time to another.
pub(super) const CHANGES: [&str; 18] = [
    "fallen",
    "grown",
    "risen",
    "change",
    "changed",
    "increase",
    "increased",
    "decrease",
    "decreased",
    "rise",
    "rose",
    "fall",
    "fell",
    "grow",
    "grew",
    "drop",
    "dropped",
    "growth",
];
/// Words for a difference between two times, if both are named.
const DIFFERS: [&str; 5] = ["more", "less", "fewer", "higher", "lower"];
const LARGEST: [&str; 14] = [
    "largest",
    "highest",
    "most",
    "biggest",
    "greatest",
    "top",
    "maximum",
    "meisten",
    "meiste",
    "höchste",
    "höchsten",
    "größte",
    "größten",
    "longest",
];
const SMALLEST: [&str; 14] = [
    "smallest",
    "lowest",
    "least",
    "fewest",
    "minimum",
    "weakest",
    "wenigsten",
    "niedrigste",
    "niedrigsten",
    "kleinste",
    "kleinsten",
    "earliest",
    "soonest",
    "shortest",
];
/// Most words of two names with `or` between them.
const TWO_NAMES: usize = 10;
/// Words that ask which of several things is meant.
const WHICH: [&str; 8] = ["which", "what", "who", "where", "welche", "welcher", "welches", "welchen"];

impl Quantity {
    /// What `text` asks of figures.
    pub fn read(text: &str) -> Self {
        let lower = in_short(&text.to_lowercase());
        let all: Vec<&str> = words(&lower).iter().map(|word| word.text).collect();
        let has = |list: &[&str]| list.iter().any(|word| all.contains(word));
        let mut periods = periods(text);
        let inside = periods.iter().flat_map(|period| words(&text[period.start..period.end]));
        let period_words: Vec<String> = inside.map(|word| word.text.to_lowercase()).collect();
        let mut seen = Vec::new();
        periods.retain(|period| {
            let fresh = !seen.contains(&(period.year, period.part));
            seen.push((period.year, period.part));
            fresh
        });
        whole_years(&lower, &mut periods);
        // A part of a year also applies to the other years named beside it.
        if let Some(part) = periods.iter().find_map(|period| period.part) {
            periods.iter_mut().for_each(|period| period.part = period.part.or(Some(part)));
        }
        let of_money = asks_for_money(&lower, &all);
        let asks = of_money || asks_for_a_number(&lower, &all);
        let which = all.iter().take(3).any(|word| WHICH.contains(word));
        let alternatives = asks_for_alternatives(&lower, &all);
        let direction = asks_for_direction(&lower);
        let operation = if alternatives {
            Operation::Comparison
        } else {
            operation(&lower, &all, asks, direction, periods.len())
        };
        // A share that is asked for in a change is calculated, and is no share itself.
        let measure =
            if operation == Operation::Change { None } else { measure(&without_names(text, &lower)) };
        let status = if names_a_base(&lower) {
            Some(Status::Base)
        } else if has(&OF_A_TARGET) {
            Some(Status::Target)
        } else if has(&["forecast", "expected", "estimate", "projected", "planned"]) {
            Some(Status::Estimate)
        } else {
            None
        };
        let (scopes, scope_words) = asked_scopes(&lower);
        let category = category(&lower);
        let counted = counted(&all);
        let money = (of_money || all.iter().any(|word| is_of_money(word)))
            && !lower.contains(" and what")
            && !has(&["share", "rate", "intensity"]);
        let short = all.len() <= 8 && !which;
        // "What did they achieve in reducing emissions?" wants an explanation, "What were the emissions?" a
        // number.
        let open = ["what did ", "what does ", "what do ", "what has ", "what have "];
        let open = open.iter().any(|start| lower.trim_start().starts_with(start));
        let of_a_scope = !scopes.is_empty()
            && (short || !periods.is_empty() || has(&["emissions", "emission", "emit", "emitted"]))
            && (category.is_some() || !lower.contains("categor"));
        let of_a_measure = has(&MEASURED)
            && (short
                || (!which && !periods.is_empty())
                || lower.starts_with("what was")
                || lower.starts_with("what were"));
        // "What was the use of steam in 2023?"
        let what_was = ["what was ", "what were "].iter().any(|start| lower.starts_with(start));
        let of_a_period = what_was && !periods.is_empty() && has(&USED) && !has(&TOLD);
        let certain = asks || alternatives || (!open && (of_a_scope || of_a_measure || of_a_period));
        let telegraphic = short
            && !has(&TOLD)
            && (!periods.is_empty() || !scopes.is_empty() || status.is_some())
            && !begins_otherwise(&lower);
        Self {
            operation,
            periods,
            before: names_the_year_before(&lower),
            two_latest: lower.contains("last two years") || lower.contains("past two years"),
            both: ["what", "how", "by how", "where", "when", "who", "from", "in which", "why"]
                .iter()
                .any(|word| lower.contains(&format!(" and {word}"))),
            scopes,
            category,
            basis: basis(&lower),
            status,
            measure,
            number: asks,
            certain: certain && !begins_otherwise(&lower),
            direction,
            since: periods_since(&lower),
            money,
            total: has(&["total", "altogether", "overall", "combined", "sum"])
                || ["in all", "add up", "in sum"].iter().any(|words| lower.contains(words)),
            per: lower.contains(" per ") && !lower.contains("per cent"),
            of_emissions: all.iter().any(|word| OF_GASES.iter().any(|gas| word.starts_with(gas))),
            alternatives,
            expected: expected(&all, counted.as_deref())
                .filter(|_| measure.is_none() && !money && operation != Operation::Change),
            counted,
            period_words,
            scope_words,
            telegraphic,
        }
    }

    /// The same for a question that is answered in words: no number is wanted, and a scope that is named by its source
    /// need not be given by its number.
    #[must_use]
    pub fn in_its_words(mut self) -> Self {
        (self.certain, self.number, self.telegraphic) = (false, false, false);
        if !self.scope_words.is_empty() {
            self.scopes.clear();
            self.scope_words.clear();
        }
        self
    }

    /// Whether it may ask for a figure at all.
    pub fn may(&self, text: &str) -> bool {
        self.certain || self.direction || !begins_otherwise(&text.to_lowercase())
    }
}

/// Whether `lower` asks in which direction something changed.
fn asks_for_direction(lower: &str) -> bool {
    [
        "rise or fall",
        "fall or rise",
        "up or down",
        "increase or decrease",
        "more or less",
        "higher or lower",
        "lower or higher",
        "gone up",
        "gone down",
    ]
    .iter()
    .any(|words| lower.contains(words))
}

/// Whether `lower`, with the words `all`, asks which of two things that it names has more: `which used more, A or B`.
fn asks_for_alternatives(lower: &str, all: &[&str]) -> bool {
    const WHICH_ONE: [&str; 6] = ["which", "who", "welche", "welcher", "welches", "welchen"];
    // Each of the two is called by a name, and not by a clause.
    let names_two = |part: &str| {
        let number = part.split_whitespace().count();
        number <= TWO_NAMES && part.split(" or ").count() == 2 && !part.contains(" than ")
    };
    all.first().is_some_and(|word| WHICH_ONE.contains(word))
        && all.iter().any(|word| DIFFERS.contains(word) || matches!(*word, "larger" | "smaller" | "bigger"))
        && !asks_for_direction(lower)
        && lower.split(',').skip(1).any(names_two)
}

/// What `lower`, with the words `all`, wants done with figures of the number of `periods` it names. `asks` means
/// that it asks for a number, `direction` that it asks for the direction of a change.
fn operation(lower: &str, all: &[&str], asks: bool, direction: bool, periods: usize) -> Operation {
    let has = |list: &[&str]| list.iter().any(|word| all.contains(word));
    let which = all.iter().take(3).any(|word| WHICH.contains(word));
    if which && has(&LARGEST) && !lower.contains("at most") {
        Operation::Largest
    } else if which && has(&SMALLEST) && !lower.contains("at least") {
        Operation::Smallest
    } else if direction
        || (of_a_base(lower) && asks)
        || (asks && has(&DIFFERS) && names_another_time(lower))
        || has(&CHANGES) && (asks || periods > 1 || lower.starts_with("by ") || lower.starts_with("how did"))
    {
        Operation::Change
    } else if has(&["compare", "compared", "versus", "vs", "than", "both", "difference"]) || periods > 1 {
        Operation::Comparison
    } else {
        Operation::Value
    }
}

/// Whether the words of `lower`, which are `all`, ask for a number of anything.
fn asks_for_a_number(lower: &str, all: &[&str]) -> bool {
    let says = |list: &[&str]| list.iter().any(|words| lower.contains(words));
    let begins = |list: &[&str]| list.iter().any(|start| lower.trim_start().starts_with(start));
    says(&NUMBERS)
        || says(&NUMBERS_ABROAD)
        || all.iter().any(|word| NUMBER_WORDS_ABROAD.contains(word))
        || says(&["add up to", "come to", "amount to", "stand at"])
        || (begins(&["what "]) && all.last() == Some(&"cost"))
        || (begins(&["what is ", "what was ", "what were ", "what are "])
            && says(&["the share of", "the proportion of", "the fraction of", "the percentage of"]))
        || matches!(all, [.., "in", unit] if is_asked_in(unit))
        || names_an_amount_before_its_verb(all)
}

/// Whether `all` ask for an amount by its name: `what income did it earn`, `what injury rate does it report`.
fn names_an_amount_before_its_verb(all: &[&str]) -> bool {
    const AMOUNTS: [&str; 20] = [
        "rate",
        "ratio",
        "intensity",
        "income",
        "revenue",
        "sales",
        "profit",
        "loss",
        "cost",
        "price",
        "margin",
        "capacity",
        "score",
        "turnover",
        "headcount",
        "dividend",
        "expenditure",
        "expenditures",
        "volume",
        "weight",
    ];
    const VERBS: [&str; 11] = ["did", "does", "do", "is", "was", "were", "has", "have", "had", "will", "are"];

    let rest = all.strip_prefix(&["what"]).unwrap_or_default();
    let verb = rest.iter().take(6).position(|word| VERBS.contains(word));
    verb.and_then(|verb| rest[..verb].last()).is_some_and(|noun| AMOUNTS.contains(noun))
}

/// Whether `lower` compares with another time: `than the year before`, `than in 2022`.
fn names_another_time(lower: &str) -> bool {
    lower.split_once(" than ").is_some_and(|(_, than)| {
        let than = than.trim_start_matches("in ").trim_start_matches("fy");
        than.starts_with("20") || names_the_year_before(than)
    })
}

/// Whether `lower` names a base year.
fn names_a_base(lower: &str) -> bool {
    lower.contains("base year") || words(lower).iter().any(|word| word.text == "baseline")
}

/// Whether `lower` asks for the year before the one that it names or before the latest. `The year before, in 2023` is
/// that year itself.
fn names_the_year_before(lower: &str) -> bool {
    ["last year", "previous year", "prior year", "year before", "year earlier"].iter().any(|words| {
        lower.match_indices(words).any(|(at, words)| {
            let rest = lower[at + words.len()..].trim_start();
            // `The year before 2023` counts back; behind `last year`, a year names it.
            let named = !words.starts_with("year ");
            let apposed = rest.strip_prefix([',', '(']).or(Some(rest).filter(|_| named)).map(str::trim_start);
            let year = apposed.map(|rest| rest.strip_prefix("in ").unwrap_or(rest));
            let year = year.map(|rest| rest.strip_prefix("fy").unwrap_or(rest).trim_start());
            !year.is_some_and(|year| year.starts_with("19") || year.starts_with("20"))
        })
    })
}

/// Whether `lower` compares with a base year.
fn of_a_base(lower: &str) -> bool {
    names_a_base(lower)
        && [
            "below",
            "above",
            "against",
            "since",
            "compared",
            "relative to",
            "from the base",
            "from its base",
            "from the 20",
        ]
        .iter()
        .any(|words| lower.contains(words))
}

/// Makes `periods` whole years if `lower` says on which day a year ends, which does not make it a part of one.
fn whole_years(lower: &str, periods: &mut [Period]) {
    let ends = ["year ended", "year ending", "year that ended", "year to "];
    if ends.iter().any(|words| lower.contains(words)) {
        periods.iter_mut().for_each(|period| period.part = None);
    }
}

/// Whether `lower` compares with the period that it names.
fn periods_since(lower: &str) -> bool {
    ["against ", "since ", "compared with ", "compared to ", "versus ", "vs ", "than in ", "from "]
        .iter()
        .any(|word| {
            lower.match_indices(word).any(|(at, _)| {
                let rest =
                    lower[at + word.len()..].trim_start_matches("fy").trim_start_matches("the base year ");
                rest.starts_with("19") || rest.starts_with("20")
            })
        })
}

/// Whether the first words of a question ask for something else.
fn begins_otherwise(lower: &str) -> bool {
    const OTHERWISE: [&str; 29] = [
        "what explains ",
        "what caused ",
        "what led ",
        "what happened ",
        "what is behind ",
        "who ",
        "why ",
        "when ",
        "where ",
        "how does ",
        "how do ",
        "how is ",
        "how are ",
        "how was ",
        "how were ",
        "is ",
        "are ",
        "does ",
        "do ",
        "did ",
        "has ",
        "have ",
        "can ",
        "must ",
        "should ",
        "was ",
        "were ",
        "list ",
        "define ",
    ];
    OTHERWISE.iter().any(|start| lower.trim_start().starts_with(start))
}

/// What the unit is to measure, by the words before `per`.
fn measure(lower: &str) -> Option<Measure> {
    let lower = lower.split_once(" per ").map_or(lower, |(before, _)| before);
    let all: Vec<&str> = words(lower).iter().map(|word| word.text).collect();
    let has = |list: &[&str]| list.iter().any(|word| all.contains(word));
    let share = has(&["percentage", "percent", "proportion", "share", "fraction"]);
    if share || lower.contains("per cent") || lower.contains('%') {
        Some(Measure::Share)
    } else if lower.contains("what weight") {
        Some(Measure::Mass)
    } else {
        // Pounds are money as well.
        let units = all.iter().filter(|word| !word.starts_with("pound"));
        let abroad =
            |word: &str| UNITS_ABROAD.iter().find(|(unit, _)| *unit == word).map(|(_, measure)| *measure);
        let units = units
            .filter_map(|word| measured_in(word).or_else(|| abroad(word)))
            .find(|measure| *measure != Measure::Money);
        units.or_else(|| (has(&["money"]) || names_a_currency(lower)).then_some(Measure::Money))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scope_period_and_operation_are_read() {
        let read = Quantity::read("scope 2 market based 2022 norvane");
        assert_eq!(
            (read.scopes, read.basis, read.operation),
            (vec![2], Some(Basis::Market), Operation::Value)
        );
        assert!(read.certain && read.periods[0].year == 2022);
        assert_eq!(
            Quantity::read("By how much did output fall from 2022 to 2023?").operation,
            Operation::Change
        );
        assert_eq!(Quantity::read("Which site used the most water in 2024?").operation, Operation::Largest);
        assert_eq!(Quantity::read("What is the 2030 target for Scope 1?").status, Some(Status::Target));
        assert!(!Quantity::read("Who verified the Scope 1 emissions?").certain);
        assert_eq!(
            Quantity::read("How far is it below its base year in Scope 1?").operation,
            Operation::Change
        );
        let counted = |text| Quantity::read(text).counted;
        assert_eq!(counted("How many garments got fixed in 2024?").as_deref(), Some("garments"));
        assert_eq!(counted("A leak: how many people hit, what penalty?"), None);
        assert_eq!(counted("How much money was put aside?"), None);
        assert_eq!(counted("How much lower was Scope 1 than the year before?"), None);
        for (text, measured) in [
            ("How many gigawatt hours came from coal?", Some(Measure::Energy)),
            ("How many cubic metres were withdrawn?", Some(Measure::Volume)),
            ("What was it fined in SEK?", Some(Measure::Money)),
            ("How many pounds did it spend?", None),
            ("How many days did the stoppage last?", None),
        ] {
            assert_eq!(Quantity::read(text).measure, measured, "{text}");
        }
        assert_eq!(counted("How many gigawatt hours came from coal?"), None);
        assert!(!Quantity::read("What did the government achieve in reducing emissions in 2023?").certain);
        for (text, operation) in [
            ("Which used more steam in 2023, Oberau or Unterau?", Operation::Comparison),
            ("Welches Werk verbrauchte 2023 am meisten Dampf?", Operation::Largest),
            ("Which mill has the earliest closing year?", Operation::Smallest),
            ("Did the mills use more or less steam?", Operation::Change),
        ] {
            assert_eq!(Quantity::read(text).operation, operation, "{text}");
        }
        assert_eq!(Quantity::read("Wie viele Tonnen Asche fielen an?").measure, Some(Measure::Mass));
        for (text, certain) in [
            ("What was the use of steam of the four mills of the Oberau group in 2023?", true),
            ("What was the policy of the Oberau group on steam and heat in 2023?", false),
            ("Wie viel Strom verbrauchte das Werk 2023?", true),
            ("¿Cuánta agua extrajo la planta en 2023?", true),
            ("連結売上高はいくらでしたか。", true),
            ("Which quantitative targets has the company set?", false),
        ] {
            assert_eq!(Quantity::read(text).certain, certain, "{text}");
        }
    }
}
