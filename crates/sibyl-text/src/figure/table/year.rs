//! Years and numbers that only look like one.

/// Whether `name` says when something is, so that a year beside it is one.
pub(super) fn speaks_of_time(name: &str) -> bool {
    const WORDS: [&str; 24] = [
        "year",
        "years",
        "date",
        "period",
        "deadline",
        "target",
        "goal",
        "by",
        "until",
        "since",
        "from",
        "baseline",
        "base",
        "established",
        "founded",
        "expiry",
        "maturity",
        "jahr",
        "bis",
        "ziel",
        "år",
        "année",
        "año",
        "anno",
    ];
    let lower = name.to_lowercase();
    lower.split(|c: char| !c.is_alphanumeric()).any(|word| WORDS.contains(&word))
}

/// Whether the name of a column of years says that they are the periods of its rows.
pub(super) fn is_of_period(name: &str) -> bool {
    names_period(name) && !qualifies_period(name)
}

/// Whether the name of a column of years calls them years of something else than what the rows report: `Stranding year`, but
/// not `Reporting year`.
pub(super) fn qualifies_period(name: &str) -> bool {
    const REPORTED: [&str; 48] = [
        "performance",
        "emission",
        "emissions",
        "compliance",
        "monitoring",
        "reference",
        "academic",
        "school",
        "water",
        "covered",
        "stand",
        "due",
        "reporting",
        "report",
        "reported",
        "fiscal",
        "financial",
        "calendar",
        "accounting",
        "data",
        "survey",
        "inventory",
        "measurement",
        "tax",
        "crop",
        "harvest",
        "production",
        "ended",
        "ending",
        "end",
        "to",
        "of",
        "the",
        "in",
        "and",
        "or",
        "de",
        "du",
        "des",
        "der",
        "le",
        "clos",
        "di",
        "del",
        "reporte",
        "fiscale",
        "fiscaal",
        "rapportering",
    ];
    let lower = name.to_lowercase();
    let mut words = lower.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    names_period(name)
        && !lower.contains(|c: char| c > '\u{2e80}')
        && !words.all(|word| {
            PERIODS.contains(&word) || REPORTED.contains(&word) || word.bytes().all(|b| b.is_ascii_digit())
        })
}

/// Whether a name has a word for a period.
fn names_period(name: &str) -> bool {
    let lower = name.to_lowercase();
    lower.split(|c: char| !c.is_alphanumeric()).any(|word| PERIODS.contains(&word))
        || lower.contains(['年', '期'])
        || lower.contains("연도")
        || lower.contains("년도")
}

/// Words for periods.
const PERIODS: [&str; 34] = [
    "year",
    "years",
    "fy",
    "period",
    "periods",
    "date",
    "month",
    "quarter",
    "season",
    "vintage",
    "target",
    "goal",
    "base",
    "baseline",
    "deadline",
    "by",
    "jahr",
    "berichtsjahr",
    "geschäftsjahr",
    "zeitraum",
    "bis",
    "år",
    "årtal",
    "perioden",
    "année",
    "exercice",
    "año",
    "ejercicio",
    "anno",
    "ano",
    "jaar",
    "rok",
    "vuosi",
    "год",
];

/// Whether the name of a column of years says what happened in them.
pub(super) fn tells_event(name: &str) -> bool {
    const WORDS: [&str; 48] = [
        "since",
        "joined",
        "joining",
        "founded",
        "founding",
        "foundation",
        "established",
        "establishment",
        "acquired",
        "acquisition",
        "commissioned",
        "commissioning",
        "built",
        "construction",
        "opened",
        "opening",
        "appointed",
        "appointment",
        "elected",
        "election",
        "member",
        "membership",
        "birth",
        "born",
        "certified",
        "certification",
        "expiry",
        "expires",
        "signed",
        "ratified",
        "closed",
        "closure",
        "seit",
        "gegründet",
        "gründungsjahr",
        "eröffnet",
        "baujahr",
        "inbetriebnahme",
        "beitritt",
        "mitglied",
        "geburtsjahr",
        "depuis",
        "fondée",
        "naissance",
        "desde",
        "dal",
        "sedan",
        "siden",
    ];
    let lower = name.to_lowercase();
    lower.split(|c: char| !c.is_alphanumeric()).any(|word| WORDS.contains(&word))
}

/// Whether a number has a sign between its thousands.
pub(super) fn is_grouped(number: &str) -> bool {
    let digits: Vec<&str> = number.split([',', '.', ' ', '\u{a0}', '\u{202f}', '\'', '’']).collect();
    let digit = |part: &str| part.chars().filter(char::is_ascii_digit).count();
    digits.windows(2).any(|pair| digit(pair[0]) > 0 && pair[1].len() == 3 && digit(pair[1]) == 3)
}
