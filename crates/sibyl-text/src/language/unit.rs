//! Units as tables, captions and sentences print them: what they measure, their scale, and their denominator.

use std::collections::HashMap;
use std::sync::LazyLock;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

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

/// All units: name, measure, factor, where they are one, and their spellings in lower case, none of which is
/// listed twice.
const UNITS: &[(&str, Measure, f64, Place, &str)] = &[
    ("%", Share, 1.0, Alone, "% percent pct procent prozent"),
    ("", Share, 1.0, Alone, "pp"),
    ("", Share, 1.0, Sought, "percentage"),
    ("", Share, 0.1, Alone, "‰"),
    ("", Share, 0.01, Alone, "bps"),
    ("", Share, 1e-4, Alone, "ppm"),
    ("t", Mass, 1.0, Alone, "t tonne tonnes ton tons tonnen mt トン 吨 公噸 公吨 톤"),
    ("t", Mass, 1e3, Alone, "kt kilotonnes kilotonne"),
    ("t", Mass, 1e6, Alone, "mmt mio.t megatonnes megatonne"),
    ("t", Mass, 1e9, Alone, "gigatonnes"),
    ("t", Mass, 1e-3, Alone, "kg 公斤 kilogram kilograms kilogramme kilogrammes"),
    ("t", Mass, 1e-6, Alone, "g gram grams gramme grammes"),
    ("t", Mass, 1e-9, Alone, "mg"),
    ("t", Mass, 1e-12, Alone, "µg μg"),
    ("t", Mass, 0.000_453_592, Alone, "lb lbs"),
    // A currency as well.
    ("", Mass, 0.000_453_592, Alone, "pounds"),
    ("", Mass, 0.000_453_592, Sought, "pound"),
    ("MWh", Energy, 1.0, Alone, "mwh megawatt-hours megawatthours"),
    ("MWh", Energy, 1e3, Alone, "gwh"),
    ("MWh", Energy, 1e6, Alone, "twh"),
    ("MWh", Energy, 1e-3, Alone, "kwh kilowatt-hours kilowatthours 千瓦时 千瓦時"),
    ("MWh", Energy, 1e-6, Alone, "wh"),
    ("GJ", Energy, 1.0 / 3.6, Alone, "gj gigajoules"),
    ("GJ", Energy, 1e3 / 3.6, Alone, "tj terajoules"),
    ("GJ", Energy, 1e6 / 3.6, Alone, "pj"),
    ("GJ", Energy, 1e-3 / 3.6, Alone, "mj"),
    ("GJ", Energy, 1e-9 / 3.6, Alone, "j"),
    ("MMBtu", Energy, 0.293_071, Alone, "mmbtu"),
    ("MMBtu", Energy, 0.000_000_293_071, Alone, "btu btus"),
    ("MMBtu", Energy, 0.029_307_1, Alone, "therm therms"),
    ("MW", Power, 1.0, Alone, "mw megawatts megawatt"),
    ("MW", Power, 1e3, Alone, "gw gigawatts gigawatt"),
    ("MW", Power, 1e-3, Alone, "kw"),
    ("m³", Volume, 1.0, Alone, "m³ m3 立方米 立方公尺"),
    ("m³", Volume, 1e9, Alone, "km³ km3"),
    ("m³", Volume, 1e-3, Alone, "l litre litres liter liters"),
    ("m³", Volume, 1e3, Alone, "ml megalitres megaliters"),
    ("m³", Volume, 0.003_785_41, Alone, "gal gallons gallon"),
    ("m³", Volume, 0.158_987, Alone, "bbl barrels barrel boe"),
    ("m³", Volume, 28.316_8, Alone, "mcf"),
    ("m³", Volume, 28_316.8, Alone, "mmcf"),
    ("m³", Volume, 1_233.48, Alone, "acre-feet"),
    ("ha", Area, 1.0, Alone, "ha hectares hectare 公頃 公顷"),
    ("ha", Area, 0.404_686, Alone, "acres acre"),
    ("ha", Area, 100.0, Alone, "km² km2"),
    ("ha", Area, 1e-4, Alone, "m² m2"),
    ("km", Distance, 1.0, Alone, "km kilometres kilometers 千米"),
    ("km", Distance, 1.609_34, Alone, "miles mile"),
    ("km", Distance, 1e-3, Behind, "metres metre meters meter"),
    ("km", Distance, 1e-5, Alone, "cm"),
    ("$", Money, 1.0, Before, "$ us$ usd ＄"),
    ("$", Money, 1.0, Alone, "dollars"),
    ("€", Money, 1.0, Before, "€ eur"),
    ("€", Money, 1.0, Alone, "euro euros"),
    ("€", Money, 1e3, Alone, "keur teur"),
    ("€", Money, 1e6, Alone, "meur"),
    ("£", Money, 1.0, Before, "£ gbp"),
    ("£", Money, 1.0, Sought, "sterling"),
    ("¥", Money, 1.0, Before, "¥ ￥ jpy"),
    ("¥", Money, 1.0, Alone, "円"),
    ("¥", Money, 1e3, Alone, "千円"),
    ("¥", Money, 1e6, Alone, "百万円"),
    ("¥", Money, 1e8, Alone, "億円"),
    ("₩", Money, 1.0, Before, "₩ krw"),
    ("₩", Money, 1e6, Alone, "백만원"),
    ("₹", Money, 1.0, Before, "₹ inr"),
    ("SEK", Money, 1.0, Before, "sek"),
    ("SEK", Money, 1e3, Alone, "tsek"),
    ("SEK", Money, 1e6, Alone, "msek"),
    ("NOK", Money, 1.0, Before, "nok"),
    ("NOK", Money, 1e6, Alone, "mnok"),
    ("DKK", Money, 1.0, Before, "dkk"),
    ("DKK", Money, 1e6, Alone, "mdkk"),
    ("kr", Money, 1.0, Before, "kr"),
    ("kr", Money, 1e3, Alone, "tkr"),
    ("kr", Money, 1e6, Alone, "mkr"),
    ("CHF", Money, 1.0, Before, "chf"),
    ("CNY", Money, 1.0, Before, "cny rmb"),
    ("TWD", Money, 1.0, Before, "twd nt$"),
    ("HKD", Money, 1.0, Before, "hkd hk$"),
    ("AUD", Money, 1.0, Before, "aud a$"),
    ("CAD", Money, 1.0, Before, "cad c$"),
    ("", Money, 1.0, Before, "r$"),
    ("", Money, 1.0, Alone, "元"),
    ("", Money, 1e3, Alone, "千元 仟元 新台幣千元 新台幣仟元 新臺幣千元 新臺幣仟元"),
    ("", Money, 1e4, Alone, "万元 萬元"),
    ("", Money, 1e8, Alone, "亿元 億元"),
    ("", Money, 1e6, Alone, "百萬元 百万元 新台幣百萬元 新臺幣百萬元"),
    ("°C", Temperature, 1.0, Alone, "°c"),
    ("°C", Temperature, 1.0, Sought, "°"),
    ("hour", Time, 1.0, Beside, "hours hour"),
    ("hour", Time, 1.0, Sought, "h"),
    ("hour", Time, 1.0 / 60.0, Behind, "minutes minute"),
    ("", Time, 1.0 / 3_600.0, Behind, "seconds"),
    ("day", Time, 24.0, Beside, "days day"),
    ("day", Time, 168.0, Behind, "weeks week"),
    ("month", Time, 730.0, Behind, "months month"),
    ("year", Time, 8_760.0, Beside, "years year"),
    ("", Count, 1.0, Alone, "fte ftes 人 名 株"),
    ("", Count, 1.0, Beside, "people persons number no. # units"),
    ("", Count, 1.0, Sought, "employees employee headcount sites incidents cases"),
];

/// Words that say how many are counted at once, in lower case.
const SCALES: &[(f64, &str)] = &[
    (1e3, "thousand thousands 000 000s k tsd tausend milliers duizend duizenden tusen"),
    (1e6, "million millions mn mm mio m milj miljoner millionen"),
    (1e9, "billion billions bn b mrd miljard"),
    (1e12, "trillion"),
];
/// Endings of the words of a unit that say what it counts; the last two are also what a gas is called.
const OF_WHAT: [&str; 7] = ["co2eq", "co2e", "co₂e", "co2-eq", "co2-e", "co2", "co₂"];

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
        let known = KNOWN.get(word).copied().or_else(|| Self::counted_in(word))?;
        Some(match word {
            // Metric tons are abbreviated like megatonnes, and megalitres like millilitres, except for their case.
            "mt" if printed.contains("Mt") => Self { factor: 1e6, ..known },
            "ml" if printed.contains("ml") => Self { factor: 1e-6, ..known },
            _ => known,
        })
    }

    /// A currency with how many are counted at once glued to its letters, in lower case: `eurm`.
    fn counted_in(word: &str) -> Option<Self> {
        let (code, counted) = word.split_at_checked(3)?;
        let currency = KNOWN.get(code).filter(|unit| unit.is_currency() && code.is_ascii())?;
        Some(Self { factor: currency.factor * scale(counted)?, place: Alone, ..*currency })
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
        || scale(bare).is_some() && bare != "b" && !digits()
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
    [("kilowatt", "kwh"), ("megawatt", "mwh"), ("gigawatt", "gwh"), ("terawatt", "twh")]
        .iter()
        .fold(lower, |lower, (name, short)| {
            lower.replace(&format!("{name} hour"), short).replace(&format!("{name}-hour"), short)
        })
        .replace("whs", "wh")
}

/// The unit that `text` names, as `tonnes CO2e`, `€ million`, `MWh per tonne` or `%`; `None` if it names none.
pub fn read(text: &str) -> Option<Unit> {
    let lower = in_short(&text.to_lowercase());
    let (numerator, per) = match lower.find(" per ").or_else(|| lower.find('/')) {
        Some(at) if at > 0 => (&lower[..at], true),
        _ => (lower.as_str(), false),
    };
    let divided = |c: char| c.is_whitespace() || "()[],:;*".contains(c);
    let mut scale = 1.0;
    let mut found: Option<(Measure, f64)> = None;
    let mut bare_scale = false;
    for word in numerator.split(divided).map(|word| word.trim_matches('.')).filter(|word| !word.is_empty()) {
        if let Some(factor) = self::scale(word.trim_start_matches(['\'', '’', '‘'])) {
            scale *= factor;
            bare_scale |= word.len() > 2;
            continue;
        }
        let sought = |word: &str| Word::of_lower(word, text).filter(|unit| unit.place != Behind);
        found = found.or_else(|| sought(word).map(|unit| (unit.measure, unit.factor))).or_else(|| {
            // A scale glued to a currency: `€m`, `US$bn`.
            let at = word.rfind(['$', '€', '£', '¥'])?;
            let at = at + word[at..].chars().next().map_or(0, char::len_utf8);
            let factor = self::scale(&word[at..])?;
            sought(&word[..at]).map(|unit| (unit.measure, unit.factor * factor))
        });
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
        ] {
            assert_eq!(read(text), Some(Unit { measure, factor, per }), "{text}");
        }
        for text in ["Notes", "metres", "last twelve months"] {
            assert_eq!(read(text), None, "{text}");
        }
    }
}
