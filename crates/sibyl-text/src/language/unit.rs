//! Units as tables, captions and sentences print them: what they measure, their scale, and their denominator.

mod spelled;

use std::collections::HashMap;
use std::sync::LazyLock;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use spelled::{OF_WHAT, SCALES, SCALES_IN_RUNS, SEVERAL_WORDS, UNITS};

/// What a unit measures.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(rename = "FigureMeasure")]
pub enum Measure {
    /// A share, in per cent.
    Share,
    /// A mass, in tonnes.
    Mass,
    /// Energy, in megawatt hours.
    Energy,
    /// Power, in megawatts.
    Power,
    /// A volume, in cubic metres.
    Volume,
    /// An area, in hectares.
    Area,
    /// A distance, in kilometres.
    Distance,
    /// A sum of money, in its currency.
    Money,
    /// A temperature, in degrees Celsius.
    Temperature,
    /// A length of time, in hours.
    Time,
    /// People or things.
    Count,
}

impl Measure {
    /// All of them.
    pub const ALL: [Self; 11] = [
        Self::Share,
        Self::Mass,
        Self::Energy,
        Self::Power,
        Self::Volume,
        Self::Area,
        Self::Distance,
        Self::Money,
        Self::Temperature,
        Self::Time,
        Self::Count,
    ];

    /// Its name, which is kept with figures and is its name on the wire.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Share => "share",
            Self::Mass => "mass",
            Self::Energy => "energy",
            Self::Power => "power",
            Self::Volume => "volume",
            Self::Area => "area",
            Self::Distance => "distance",
            Self::Money => "money",
            Self::Temperature => "temperature",
            Self::Time => "time",
            Self::Count => "count",
        }
    }
}

/// A unit as it was read.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Unit {
    /// What it measures.
    pub measure: Measure,
    /// Factor from a number in it to the unit of its measure.
    pub factor: f64,
    /// Whether it is per something else, as an intensity is.
    pub per: bool,
}

impl Unit {
    /// Whether it is an amount of money of which `whole` counts many at once.
    pub fn is_a_part_of(self, whole: &Self) -> bool {
        self.measure == Money
            && whole.measure == Money
            && !self.per
            && !whole.per
            && self.factor == 1.0
            && whole.factor > 1.0
    }
}

use Measure::*;

/// Where a word is a unit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Place {
    /// Anywhere, also alone in a cell.
    Alone,
    /// As [`Place::Alone`], and before a number, as currencies are.
    Before,
    /// In a cell only beside another unit.
    Beside,
    /// Where a unit is looked for: as a name in a cell it says what is counted.
    Sought,
    /// In running text behind a number: in the name of a column it says how long something lasts.
    Behind,
}
use Place::*;

/// A unit that a word is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Word {
    /// The unit of which it is a multiple, as `t`, `MWh`, `year` or `€`. Numbers in units of one name can be compared.
    /// Empty if they cannot, or if the word counts what sentences seldom call the same.
    pub name: &'static str,
    /// What it measures.
    pub measure: Measure,
    /// Factor from a number in it to the unit of its measure.
    pub factor: f64,
    pub(crate) place: Place,
}

/// Most bytes of a currency with how many are counted at once.
const LONGEST_CURRENCY: usize = 16;
static KNOWN: LazyLock<HashMap<&'static str, Word>> = LazyLock::new(|| {
    let words =
        |(name, measure, factor, place, spelled): &(&'static str, Measure, f64, Place, &'static str)| {
            let word = Word { name, measure: *measure, factor: *factor, place: *place };
            spelled.split(' ').map(move |spelling| (spelling, word)).collect::<Vec<_>>()
        };
    UNITS.iter().flat_map(words).collect()
});
static MULTIPLES: LazyLock<HashMap<&'static str, f64>> = LazyLock::new(|| {
    SCALES.iter().flat_map(|(factor, words)| words.split(' ').map(|word| (word, *factor))).collect()
});

impl Word {
    /// The unit that `word` is, as it is printed: `kt`, `MtCO2e`, `€`; `None` if it is none.
    pub fn of(word: &str) -> Option<Self> {
        Self::of_lower(&word.to_lowercase(), word)
    }

    /// The unit that `word`, in lower case, is in the unit that is `printed` so.
    fn of_lower(word: &str, printed: &str) -> Option<Self> {
        let plain = OF_WHAT.iter().find_map(|end| word.strip_suffix(end)).filter(|rest| !rest.is_empty());
        let word = plain.unwrap_or(word).trim_end_matches('-');
        let known = KNOWN.get(word).copied();
        let known = known.or_else(|| Self::counted_in(word)).or_else(|| Self::counted_in_run(word))?;
        Some(match word {
            // Metric tons are abbreviated like megatonnes, and megalitres like millilitres, except for their case.
            "mt" if printed.contains("Mt") => Self { factor: 1e6, ..known },
            "ml" if printed.contains("ml") => Self { factor: 1e-6, ..known },
            _ => known,
        })
    }

    /// A currency with how many are counted at once glued to it, in lower case: `eurm`, `meur`, `us$bn`, `k€`.
    fn counted_in(word: &str) -> Option<Self> {
        if !(2..=LONGEST_CURRENCY).contains(&word.len()) {
            return None;
        }
        let sign = word.char_indices().find(|(_, c)| matches!(c, '$' | '€' | '£' | '¥' | '￥' | '₩' | '₹'));
        let cuts = match sign {
            Some((at, c)) => [at + c.len_utf8(), at],
            None if word.len() > 3 && word.bytes().all(|b| b.is_ascii_alphabetic()) => [3, word.len() - 3],
            None => return None,
        };
        // A thousand is `T` before a currency in German.
        let counted = |text: &str| match text.trim_matches(['.', '\'', '’', '‘']) {
            "t" => Some(1e3),
            text => scale(text),
        };
        let [(currency, behind), (before, own)] = cuts.map(|at| word.split_at(at));
        let [behind, before] =
            [(currency, scale(behind.trim_matches(['.', '\'', '’', '‘']))), (own, counted(before))];
        let mut found = [behind, before].into_iter().filter_map(|(currency, factor)| {
            let currency = KNOWN.get(currency).filter(|unit| unit.is_currency())?;
            Some(Self { factor: currency.factor * factor?, place: Alone, ..*currency })
        });
        found.next()
    }

    /// A unit behind how many are counted at once, in text without spaces: `千t`, `億円`, `万人`.
    fn counted_in_run(word: &str) -> Option<Self> {
        let counted = |(sign, factor): &(&str, f64)| Some((*factor, word.strip_prefix(sign)?));
        let (factor, unit) = SCALES_IN_RUNS.iter().find_map(counted)?;
        KNOWN.get(unit).map(|known| Self { factor: known.factor * factor, place: Alone, ..*known })
    }

    /// Whether it is a currency that may stand before a number, by its sign or its letters.
    pub fn is_currency(self) -> bool {
        self.place == Before
    }

    /// Factor from a number in it to the unit of its name.
    pub fn multiple(self) -> f64 {
        let one = KNOWN.get(self.name.to_lowercase().as_str());
        one.map_or(self.factor, |one| self.factor / one.factor)
    }
}

/// How many `word`, in lower case, counts at once: a thousand, a million; `None` if it is no such word.
pub fn scale(word: &str) -> Option<f64> {
    MULTIPLES.get(word).copied()
}

/// Whether `word` belongs to a unit before it or behind it, and says what it counts: `CO2e`, `equivalent`.
pub(crate) fn is_of_what(word: &str) -> bool {
    let lower = word.to_lowercase();
    OF_WHAT.contains(&lower.as_str())
        || matches!(lower.as_str(), "equivalent" | "metric" | "éq" | "éq." | "eq" | "eq." | "äq" | "äq.")
}

/// Whether `word` may stand within a unit of several words: a unit, how many are counted at once, what they count, or what
/// joins these.
pub(crate) fn belongs(word: &str) -> bool {
    let lower = word.to_lowercase();
    matches!(lower.as_str(), "of" | "cubic" | "square" | "short" | "long" | "dry" | "-" | "–")
        || is_of_what(word)
        || lower.contains('/')
        || read(word).is_some()
}

/// What the unit `word`, in lower case, of a question measures. People, cases and lengths of time are asked for
/// themselves, and single letters other than `t` mean something else.
pub fn measured_in(word: &str) -> Option<Measure> {
    if OF_WHAT[..OF_WHAT.len() - 2].contains(&word) {
        return Some(Mass);
    }
    let telling = word.chars().nth(1).is_some() || word == "t";
    let measure = Word::of_lower(word, word).filter(|_| telling)?.measure;
    Some(measure).filter(|measure| !matches!(measure, Count | Time))
}

/// Whether `word`, in lower case, is a unit of a question, as [`measured_in`] knows them, a multiple, or a part of the
/// name of a unit.
pub fn is_asked_in(word: &str) -> bool {
    measured_in(word).is_some()
        || matches!(word, "cubic" | "short")
        || scale(word).is_some() && word.len() > 2 && word.bytes().all(|b| b.is_ascii_alphabetic())
}

/// Whether `word`, in lower case, is a unit or a multiple in a cell of its own.
pub(crate) fn stands_alone(word: &str) -> bool {
    // Abbreviations of multiples end with a full stop; single letters before one number an item.
    let bare = if word.len() > 3 { word.trim_end_matches('.') } else { word };
    let digits = || bare.bytes().any(|b| b.is_ascii_digit());
    OF_WHAT.contains(&bare)
        || Word::of_lower(bare, bare).is_some_and(|unit| matches!(unit.place, Alone | Before))
        || scale(bare).is_some() && !matches!(bare, "b" | "cr") && !digits()
}

/// Whether `word`, in lower case, belongs to a unit beside it.
pub(crate) fn stands_beside(word: &str) -> bool {
    Word::of_lower(word, word).is_some_and(|unit| unit.place == Beside)
        || scale(word).is_some() && word != "b"
}

/// Whether `word`, in lower case, is a currency that may stand before a number, by its sign or its letters.
pub(crate) fn is_currency(word: &str) -> bool {
    Word::of_lower(word, word).is_some_and(Word::is_currency)
}

/// Whether `text` is the sign of a currency, with or without the letters of its country: `€`, `US$`.
pub(crate) fn is_sign(text: &str) -> bool {
    text.ends_with(|c: char| !c.is_alphabetic()) && is_currency(&text.to_lowercase())
}

/// What follows the currency that `lower` begins with, in lower case, if the number follows.
pub(crate) fn after_currency(lower: &str) -> Option<&str> {
    let signs = UNITS.iter().filter(|unit| unit.3 == Before).flat_map(|unit| unit.4.split(' '));
    let mut rest = signs.filter_map(|sign| lower.strip_prefix(sign));
    rest.find(|after| !after.starts_with(char::is_alphabetic))
}

/// Whether `text` names a currency, by its sign or its letters.
pub fn names_a_currency(text: &str) -> bool {
    let lower = text.to_lowercase();
    let is_money = |word: &str| Word::of(word).is_some_and(|unit| unit.measure == Money);
    let is_sign = |c: char| !c.is_ascii_alphanumeric() && is_money(c.encode_utf8(&mut [0; 4]));
    lower.contains(is_sign) || lower.split(|c: char| !c.is_alphabetic()).any(is_money)
}

/// `lower` with the abbreviations of units that are written in several words: `gwh` for `gigawatt hours`.
pub fn in_short(lower: &str) -> String {
    let lower = ["metres", "meters", "metre", "meter"].iter().fold(lower.to_owned(), |lower, name| {
        lower.replace(&format!("cubic {name}"), "m3").replace(&format!("square {name}"), "m2")
    });
    let lower = SEVERAL_WORDS.iter().fold(lower, |lower, (words, word)| lower.replace(words, word));
    [("kilowatt", "kwh"), ("megawatt", "mwh"), ("gigawatt", "gwh"), ("terawatt", "twh")]
        .iter()
        .fold(lower, |lower, (name, short)| {
            lower.replace(&format!("{name} hour"), short).replace(&format!("{name}-hour"), short)
        })
        .replace("whs", "wh")
}

/// What stands between the two units of an intensity.
pub(crate) const PER: [&str; 6] = ["per", "par", "je", "pro", "por", "pr."];

/// The unit that `text` names, as `tonnes CO2e`, `€ million`, `MWh per tonne` or `%`; `None` if it names none.
pub fn read(text: &str) -> Option<Unit> {
    let lower = in_short(&text.to_lowercase());
    let divided = PER.iter().filter_map(|word| lower.find(&format!(" {word} "))).min();
    let (numerator, per) = match divided.or_else(|| lower.find('/')) {
        Some(at) if at > 0 => (&lower[..at], true),
        _ => (lower.as_str(), false),
    };
    let divided = |c: char| c.is_whitespace() || "()[],:;*".contains(c);
    let mut scale = 1.0;
    let mut found: Option<(Measure, f64)> = None;
    let mut bare_scale = false;
    let elided =
        |word| ["d’", "d'"].iter().find_map(|article| str::strip_prefix(word, article)).unwrap_or(word);
    let words = numerator.split(divided).map(|word| word.trim_matches('.')).map(elided);
    for word in words.filter(|word| !word.is_empty()) {
        if let Some(factor) = self::scale(word.trim_start_matches(['\'', '’', '‘'])) {
            scale *= factor;
            bare_scale |= word.len() > 2;
            continue;
        }
        let sought = |word: &str| Word::of_lower(word, text).filter(|unit| unit.place != Behind);
        found = found.or_else(|| sought(word).map(|unit| (unit.measure, unit.factor)));
    }
    match found {
        Some((measure, factor)) => Some(Unit { measure, factor: factor * scale, per }),
        None if bare_scale => Some(Unit { measure: Count, factor: scale, per }),
        None => None,
    }
}

/// Whether `text` tells nothing but how many are counted at once, as `million` and `in thousands` do.
pub fn is_scale(text: &str) -> bool {
    let lower = text.to_lowercase();
    let words = lower
        .split(|c: char| c.is_whitespace() || "()".contains(c))
        .map(|word| word.trim_matches(['.', '\'', '’', '‘']));
    let mut words = words.filter(|word| !word.is_empty() && *word != "in").peekable();
    words.peek().is_some() && words.all(|word| scale(word).is_some())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_spelling_has_one_meaning_and_each_name_a_unit() {
        let mut spelled: Vec<&str> = UNITS.iter().flat_map(|unit| unit.4.split(' ')).collect();
        spelled.extend(SCALES.iter().flat_map(|(_, words)| words.split(' ')));
        let all = spelled.len();
        spelled.sort_unstable();
        spelled.dedup();
        assert_eq!(spelled.len(), all);
        for (name, measure, ..) in UNITS.iter().filter(|unit| !unit.0.is_empty()) {
            let one = Word::of(name).unwrap();
            assert_eq!((one.name, one.measure, one.multiple()), (*name, *measure, 1.0), "{name}");
        }
    }

    #[test]
    fn a_word_is_a_unit_where_it_may_stand() {
        for word in ["t", "tco2e", "kgco2e", "€", "usd", "eurm", "mio.", "%", "barrels", "co2e"] {
            assert!(stands_alone(word), "{word}");
        }
        for word in ["b", "h", "employees", "percentage", "months", "hours", "000", "notes", "g."] {
            assert!(!stands_alone(word), "{word}");
        }
        assert!(stands_beside("hours") && stands_beside("000") && !stands_beside("months"));
        assert!(is_sign("US$") && is_sign("€") && !is_sign("EUR") && !is_sign("%"));
        assert_eq!(after_currency("kr 5"), Some(" 5"));
        assert_eq!(after_currency("krone"), None);
        assert!(is_asked_in("million") && is_asked_in("cubic") && is_asked_in("tco2e"));
        assert!(!is_asked_in("co2") && !is_asked_in("people") && !is_asked_in("years"));
    }

    #[test]
    fn units_are_read_as_they_are_printed() {
        for (text, measure, factor, per) in [
            ("tonnes CO2e", Mass, 1.0, false),
            ("MtCO2e", Mass, 1e6, false),
            ("MT CO2e", Mass, 1.0, false),
            ("kt CO2", Mass, 1e3, false),
            ("thousand tonnes", Mass, 1e3, false),
            ("million metric tons CO2e", Mass, 1e6, false),
            ("€ million", Money, 1e6, false),
            ("€m", Money, 1e6, false),
            ("US$bn", Money, 1e9, false),
            ("EURm", Money, 1e6, false),
            ("tonnes CO2e/MM$ revenue", Mass, 1.0, true),
            ("kWh per tonne", Energy, 1e-3, true),
            ("%", Share, 1.0, false),
            ("GJ", Energy, 1.0 / 3.6, false),
            ("million megawatt hours", Energy, 1e6, false),
            ("Kilowatt-hours", Energy, 1e-3, false),
            ("number of employees", Count, 1.0, false),
            ("k€", Money, 1e3, false),
            ("T€", Money, 1e3, false),
            ("TEUR", Money, 1e3, false),
            ("Mio. €", Money, 1e6, false),
            ("Mrd. EUR", Money, 1e9, false),
            ("Tsd. €", Money, 1e3, false),
            ("$bn", Money, 1e9, false),
            ("£’000", Money, 1e3, false),
            ("MSEK", Money, 1e6, false),
            ("mill. kr", Money, 1e6, false),
            ("millones de euros", Money, 1e6, false),
            ("miles de millones de euros", Money, 1e9, false),
            ("miles de toneladas", Mass, 1e3, false),
            ("R$ milhões", Money, 1e6, false),
            ("migliaia di euro", Money, 1e3, false),
            ("milliards d’euros", Money, 1e9, false),
            ("₹ crore", Money, 1e7, false),
            ("Rs. lakh", Count, 1e5, false),
            ("億円", Money, 1e8, false),
            ("百万円", Money, 1e6, false),
            ("亿元", Money, 1e8, false),
            ("억원", Money, 1e8, false),
            ("千t-CO2", Mass, 1e3, false),
            ("万吨", Mass, 1e4, false),
            ("百万kWh", Energy, 1e3, false),
            ("千人", Count, 1e3, false),
        ] {
            assert_eq!(read(text), Some(Unit { measure, factor, per }), "{text}");
        }
        for text in ["Notes", "metres", "last twelve months", "Monaco", "千葉", "Mseku"] {
            assert_eq!(read(text), None, "{text}");
        }
    }
}
