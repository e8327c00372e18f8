//! How figures are worded: by the clause that holds the number, or by the names of its row and column.

use super::Candidate;
use crate::question::Question;
use sibyl_text::Span;
use sibyl_text::language::words::stem_set;

/// The shortest stretch of the sentence `row` of `text` between commas and the like. It holds `number` and nearly
/// all of the sentence's words that `question` asks for.
pub fn clause(question: &Question, text: &str, row: Span, number: Span) -> Span {
    if question.asks.both {
        return row;
    }
    let words = row.of(text);
    let mut edges: Vec<usize> = vec![0, words.len()];
    for sign in [", ", "; ", " and ", " while ", " but ", " (", ") "] {
        edges.extend(words.match_indices(sign).map(|(at, sign)| at + sign.len()));
    }
    edges.sort_unstable();
    edges.dedup();
    let total: f64 = question.asked.iter().map(|asked| asked.weight).sum::<f64>().max(1e-9);
    let held = |text: &str| {
        let stems = stem_set(text);
        question.asked.iter().map(|asked| asked.weight * asked.held(&stems)).sum::<f64>() / total
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
    let unit = match &candidate.unit {
        Some(unit)
            if unit.chars().count() == 1 && !unit.chars().all(char::is_alphanumeric) && unit != "%" =>
        {
            return format!("{name}{period}: {unit}{}", candidate.printed);
        }
        Some(unit) => format!(" {unit}"),
        None => String::new(),
    };
    format!("{name}{period}: {}{unit}", candidate.printed)
}
