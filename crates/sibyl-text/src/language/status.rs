//! Words beside a year or in the name of a column that say whether its numbers are actual, aimed at, corrected or expected.

/// What is so.
pub(crate) const ACTUAL: &[&str] = &[
    "actual",
    "achieved",
    "réel",
    "réalisé",
    "publié",
    "ist",
    "berichtet",
    "real",
    "publicado",
    "gerealiseerd",
    "gerapporteerd",
    "consuntivo",
    "utfall",
    "実績",
    "实绩",
    "实际",
    "실적",
];
/// What is aimed at.
pub(crate) const TARGET: &[&str] = &[
    "target",
    "targets",
    "goal",
    "goals",
    "ambition",
    "ziel",
    "ziele",
    "zielwert",
    "mål",
    "målsättning",
    "objectif",
    "objectifs",
    "cible",
    "objetivo",
    "objetivos",
    "obiettivo",
    "obiettivi",
    "doel",
    "doelstelling",
    "streefwaarde",
    "tavoite",
    "目標",
    "目标",
    "목표",
];
/// What others are compared with.
pub(crate) const BASE: &[&str] = &[
    "baseline",
    "basisjahr",
    "basår",
    "basisjaar",
    "referentiejaar",
    "référence",
    "基準年",
    "基准年",
    "기준연도",
];
/// An actual value, as corrected later.
pub(crate) const RESTATED: &[&str] = &[
    "restated",
    "recalculated",
    "retraité",
    "retraitée",
    "ajusté",
    "angepasst",
    "reexpresado",
    "ajustado",
    "aangepast",
    "herzien",
    "rideterminato",
    "omräknad",
    "修正後",
];
/// What is expected or estimated.
pub(crate) const ESTIMATE: &[&str] = &[
    "estimate",
    "estimated",
    "forecast",
    "expected",
    "projected",
    "plan",
    "planned",
    "budget",
    "outlook",
    "guidance",
    "ausblick",
    "prévu",
    "prognos",
    "geschätzt",
    "schätzung",
    "prognose",
    "estimé",
    "estimée",
    "prévision",
    "estimado",
    "previsión",
    "previsto",
    "geraamd",
    "raming",
    "schatting",
    "予想",
    "予測",
    "見込",
    "预计",
    "예상",
];
/// By how much it differs from another.
pub(crate) const CHANGE: &[&str] = &[
    "change",
    "variance",
    "yoy",
    "vs",
    "versus",
    "difference",
    "δ",
    "veränderung",
    "förändring",
    "évolution",
    "variation",
    "variación",
    "verandering",
    "variazione",
    "増減",
    "同比",
    "变动",
];

/// Whether one of `names` is one of `words`, or what a word of a writing without spaces holds.
pub(crate) fn says(words: &[&str], names: &[&str]) -> bool {
    let held = |word: &str, name: &str| name.starts_with(|c| c > '\u{2e80}') && word.contains(name);
    names.iter().any(|name| words.iter().any(|word| word == name || held(word, name)))
}

/// Whether `word`, in lower case, is one of all these.
pub(crate) fn is_status(word: &str) -> bool {
    [ACTUAL, TARGET, BASE, RESTATED, ESTIMATE, CHANGE].iter().any(|names| says(&[word], names))
}
