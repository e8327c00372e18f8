//! What reports and their chapters are called.

use super::year_of;

/// What reports are called, as words or ends of words, in the languages that reports come in.
const REPORTS: [&str; 52] = [
    "report",
    "reports",
    "statement",
    "statements",
    "accounts",
    "review",
    "databook",
    "factbook",
    "factsheet",
    "data book",
    "fact book",
    "fact sheet",
    "data sheet",
    "supplement",
    "snapshot",
    "disclosure",
    "disclosures",
    "declaration",
    "data pack",
    "libro de datos",
    "registration document",
    "enregistrement universel",
    "10-k",
    "10-q",
    "20-f",
    "bericht",
    "erklärung",
    "mitteilung",
    "abschluss",
    "präsentation",
    "presentation",
    "rapport",
    "déclaration",
    "présentation",
    "informe",
    "memoria",
    "estado de",
    "estados",
    "declaración",
    "relazione",
    "bilancio",
    "dichiarazione",
    "verslag",
    "jaarrekening",
    "redovisning",
    "beretning",
    "vuosikertomus",
    "scorecard",
    "results",
    "ergebnisse",
    "résultats",
    "resultados",
];
/// What reports are called in text without spaces.
const REPORTS_IN_RUNS: [&str; 8] =
    ["レポート", "報告書", "報告", "データブック", "报告", "年报", "绩效", "データ集"];

/// Of these, what a chapter is called as well, where nothing stands before it and no year behind it.
const CHAPTERS: [&str; 4] = ["results", "ergebnisse", "résultats", "resultados"];
/// Who writes a chapter of a report and not all of it.
const OFFICERS: [&str; 8] =
    ["chief", "chair", "chairman", "chairwoman", "ceo", "cfo", "president", "vorstandsvorsitzenden"];
/// Whether a text is called as reports are.
pub(super) fn is_report(text: &str) -> bool {
    let lower = text.to_lowercase();
    let words = || lower.split(|c: char| !c.is_alphanumeric() && c != '-').filter(|word| !word.is_empty());
    let named = |name: &str| match name.contains(' ') {
        true => lower.contains(name),
        false => words().any(|word| word.ends_with(name)),
    };
    REPORTS.iter().any(|name| named(name)) || REPORTS_IN_RUNS.iter().any(|name| lower.contains(name))
}

/// Whether a text is what chapters of reports are called.
pub(super) fn is_chapter(text: &str) -> bool {
    let lower = text.to_lowercase();
    let mut words = lower.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).peekable();
    let begins = words.peek().is_some_and(|first| CHAPTERS.contains(first));
    (begins || words.any(|word| OFFICERS.contains(&word))) && year_of(text).is_none()
}
