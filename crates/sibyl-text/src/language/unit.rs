//! Units as tables and captions print them: what they measure, their scale, and their denominator.

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

/// Spellings of units in lower case, with what they measure and the factor.
const UNITS: &[(Measure, f64, &str)] = &[
    (Share, 1.0, "% percent pct pp procent prozent percentage"),
    (Mass, 1.0, "t tonne tonnes ton tons tonnen mt(metric) トン 吨"),
    (Mass, 1e3, "kt kilotonnes kilotonne"),
    (Mass, 1e6, "mmt mio.t megatonnes megatonne"),
    (Mass, 1e9, "gigatonnes"),
    (Mass, 1e-3, "kg kilogram kilograms kilogramme kilogrammes"),
    (Mass, 1e-6, "g gram grams gramme grammes"),
    (Mass, 0.000_453_592, "lb lbs pounds"),
    (Energy, 1.0, "mwh megawatt-hours"),
    (Energy, 1e3, "gwh"),
    (Energy, 1e6, "twh"),
    (Energy, 1e-3, "kwh"),
    (Energy, 0.277_777_8, "gj gigajoules"),
    (Energy, 277.777_8, "tj terajoules"),
    (Energy, 277_777.8, "pj"),
    (Energy, 0.000_277_778, "mj"),
    (Energy, 0.293_071, "mmbtu"),
    (Energy, 0.000_000_293_071, "btu btus"),
    (Power, 1.0, "mw megawatts megawatt"),
    (Power, 1e3, "gw gigawatts gigawatt"),
    (Power, 1e-3, "kw"),
    (Volume, 1.0, "m³ m3"),
    (Volume, 1e-3, "l litre litres liter liters"),
    (Volume, 1e3, "ml megalitres megaliters"),
    (Volume, 0.003_785_41, "gal gallons gallon"),
    (Volume, 0.158_987, "bbl barrels barrel boe"),
    (Area, 1.0, "ha hectares hectare"),
    (Area, 0.404_686, "acres acre"),
    (Area, 100.0, "km² km2"),
    (Area, 1e-4, "m² m2"),
    (Distance, 1.0, "km kilometres kilometers"),
    (Distance, 1.609_34, "miles mile"),
    (
        Money,
        1.0,
        "$ € £ ¥ ￥ ₩ us$ usd eur gbp jpy sek nok dkk chf cny rmb krw twd nt$ euro euros dollars kr krw 円 元",
    ),
    (Money, 1e3, "keur tsek tkr 千元 仟元 新台幣千元 新台幣仟元 新臺幣千元 新臺幣仟元"),
    (Money, 1e6, "meur msek mkr mnok mdkk 百万円 백만원 百萬元 百万元 新台幣百萬元 新臺幣百萬元"),
    (Temperature, 1.0, "°c °"),
    (Time, 1.0, "hours hour h"),
    (Time, 24.0, "days day"),
    (Time, 8_760.0, "years year"),
    (
        Count,
        1.0,
        "employees employee people persons fte ftes headcount number no. # units 人 名 sites incidents cases",
    ),
];
const SCALES: &[(&str, f64)] = &[
    ("thousand", 1e3),
    ("thousands", 1e3),
    ("000", 1e3),
    ("000s", 1e3),
    ("k", 1e3),
    ("tsd", 1e3),
    ("million", 1e6),
    ("millions", 1e6),
    ("mn", 1e6),
    ("mm", 1e6),
    ("mio", 1e6),
    ("m", 1e6),
    ("milj", 1e6),
    ("billion", 1e9),
    ("billions", 1e9),
    ("bn", 1e9),
    ("b", 1e9),
    ("mrd", 1e9),
    ("trillion", 1e12),
];
/// Endings of the words of a unit that say what it counts.
const OF_WHAT: [&str; 7] = ["co2eq", "co2e", "co₂e", "co2-eq", "co2-e", "co2", "co₂"];

/// Whether `text` names a currency, by its sign or its letters.
pub fn names_a_currency(text: &str) -> bool {
    let lower = text.to_lowercase();
    let money = || {
        UNITS.iter().filter(|(measure, _, _)| *measure == Money).flat_map(|(_, _, names)| names.split(' '))
    };
    let signs: Vec<char> =
        money().filter_map(|name| name.chars().next().filter(|_| name.chars().count() == 1)).collect();
    lower.contains(signs.as_slice())
        || lower
            .split(|c: char| !c.is_alphabetic())
            .any(|word| word.len() > 1 && money().any(|name| name == word))
}

/// The unit that `text` names, as `tonnes CO2e`, `€ million`, `MWh per tonne` or `%`; `None` if it names none.
pub fn read(text: &str) -> Option<Unit> {
    let lower = text.to_lowercase();
    let lower = ["metres", "meters", "metre", "meter"].iter().fold(lower, |lower, name| {
        lower.replace(&format!("cubic {name}"), "m3").replace(&format!("square {name}"), "m2")
    });
    let lower = [("kilowatt", "kwh"), ("megawatt", "mwh"), ("gigawatt", "gwh"), ("terawatt", "twh")]
        .iter()
        .fold(lower, |lower, (name, short)| {
            lower.replace(&format!("{name} hour"), short).replace(&format!("{name}-hour"), short)
        })
        .replace("whs", "wh");
    let (numerator, per) = match lower.find(" per ").or_else(|| lower.find('/')) {
        Some(at) if at > 0 => (&lower[..at], true),
        _ => (lower.as_str(), false),
    };
    let divided = |c: char| c.is_whitespace() || "()[],:;*".contains(c);
    let mut scale = 1.0;
    let mut found: Option<(Measure, f64)> = None;
    let mut bare_scale = false;
    for word in numerator.split(divided).map(|word| word.trim_matches('.')).filter(|word| !word.is_empty()) {
        if let Some((_, factor)) =
            SCALES.iter().find(|(name, _)| *name == word.trim_start_matches(['\'', '’']))
        {
            scale *= factor;
            bare_scale |= word.len() > 2;
            continue;
        }
        if found.is_none() {
            found = of_word(word, text).or_else(|| {
                // A scale glued to a currency: `€m`, `US$bn`.
                let at = word.rfind(['$', '€', '£', '¥'])?;
                let at = at + word[at..].chars().next().map_or(0, char::len_utf8);
                let (_, factor) = SCALES.iter().find(|(name, _)| *name == &word[at..])?;
                of_word(&word[..at], text).map(|(measure, one)| (measure, one * factor))
            });
        }
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
        .map(|word| word.trim_matches(['.', '\'', '’']));
    let mut words = words.filter(|word| !word.is_empty() && *word != "in").peekable();
    words.peek().is_some() && words.all(|word| SCALES.iter().any(|(name, _)| *name == word))
}

/// What one word of a unit, in lower case, measures; `printed` is the unit as printed.
fn of_word(word: &str, printed: &str) -> Option<(Measure, f64)> {
    let plain = OF_WHAT.iter().find_map(|ending| word.strip_suffix(ending)).filter(|rest| !rest.is_empty());
    let word = plain.unwrap_or(word).trim_end_matches('-');
    // Metric tons are abbreviated like megatonnes, except for their case.
    if word == "mt" {
        return Some((Mass, if printed.contains("Mt") { 1e6 } else { 1.0 }));
    }
    if word == "ml" && printed.contains("ml") {
        return Some((Volume, 1e-6));
    }
    let known = UNITS.iter().find(|(_, _, names)| names.split(' ').any(|name| name == word));
    known.map(|(measure, factor, _)| (*measure, *factor))
}

#[cfg(test)]
mod tests {
    use super::*;

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
            ("tonnes CO2e/MM$ revenue", Mass, 1.0, true),
            ("kWh per tonne", Energy, 1e-3, true),
            ("%", Share, 1.0, false),
            ("GJ", Energy, 0.277_777_8, false),
            ("million megawatt hours", Energy, 1e6, false),
            ("Kilowatt-hours", Energy, 1e-3, false),
            ("number of employees", Count, 1.0, false),
        ] {
            assert_eq!(read(text), Some(Unit { measure, factor, per }), "{text}");
        }
        assert_eq!(read("Notes"), None);
    }
}
