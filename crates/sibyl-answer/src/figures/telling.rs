//! How figures are worded: by the clause that holds the number, or by the names of its row and column.

use super::Candidate;
use crate::question::{Asked, Question};
use sibyl_text::Span;
use sibyl_text::language::words::stem_set;

/// The shortest stretch of the sentence `row` of `text` between commas and the like. It holds `number` and nearly
/// all of the sentence's words that `question` asks for.
pub fn clause(question: &Question, text: &str, row: Span, number: Span) -> Span {
    if question.asks.both {
        return row;
    }
    let asked: Vec<&Asked> = question.asked.iter().collect();
    stretch(&asked, text, row, number)
}

/// The same for the words `asked`.
pub(super) fn stretch(asked: &[&Asked], text: &str, row: Span, number: Span) -> Span {
    let words = row.of(text);
    let mut edges: Vec<usize> = vec![0, words.len()];
    for sign in [", ", "; ", " and ", " while ", " but ", " (", ") "] {
        edges.extend(words.match_indices(sign).map(|(at, sign)| at + sign.len()));
    }
    edges.sort_unstable();
    edges.dedup();
    let total: f64 = asked.iter().map(|asked| asked.weight).sum::<f64>().max(1e-9);
    let held = |text: &str| {
        let stems = stem_set(text);
        asked.iter().map(|asked| asked.weight * asked.held(&stems)).sum::<f64>() / total
    };
    let whole = held(words);
    let at = (number.start - row.start, number.end - row.start);
    let mut best = row;
    for start in edges.iter().filter(|start| **start <= at.0) {
        for end in edges.iter().filter(|end| **end >= at.1 && **end > *start) {
            let stretch = words[*start..*end].trim_end_matches([' ', ',', ';', '(']);
            let stretch =
                stretch.strip_suffix(" and").or_else(|| stretch.strip_suffix(" while")).unwrap_or(stretch);
            if stretch.len() < best.len() && *start + stretch.len() >= at.1 && held(stretch) >= 0.95 * whole {
                best = Span::new(row.start + start, row.start + start + stretch.len());
            }
        }
    }
    best
}

/// A figure in one line: its names, period, number and unit.
pub fn told(candidate: &Candidate) -> String {
    let name = candidate.name();
    let period = candidate.period().map(|period| format!(", {period}")).unwrap_or_default();
    format!("{name}{period}: {}", with_unit(&candidate.printed, candidate.unit.as_deref()))
}

/// `number` with its unit; the sign of a currency stands before it: `£1,840 million`.
pub(super) fn with_unit(number: &str, unit: Option<&str>) -> String {
    let Some(unit) = unit else { return number.to_owned() };
    let sign = unit.chars().next().filter(|sign| CURRENCIES.contains(*sign));
    match sign.map(|sign| (sign, unit[sign.len_utf8()..].trim_start())) {
        Some((sign, "")) => format!("{sign}{number}"),
        Some((sign, scale)) if !scale.starts_with('/') => format!("{sign}{number} {scale}"),
        _ => format!("{number} {unit}"),
    }
}

/// Signs of currencies that are written before a number.
const CURRENCIES: &str = "£$€¥₩₹";
