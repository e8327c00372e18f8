//! Conditions that a question of a figure sets to the words that answer it: its period, and of what the number is.

use super::{ScoredUnit, names};
use crate::passage::cells;
use crate::question::quantity::Quantity;
use crate::question::{Asked, Kind, Question};
use sibyl_text::language::period::periods;
use sibyl_text::language::words::{stem, stem_set, words};
use std::collections::HashSet;

/// Least share of what is asked that what is quoted for a number says, with the headings above it.
const OF_A_FIGURE: f64 = 0.45;

/// Whether `candidate` may speak of a period that is asked for: it names one of them, or no other while its section or document
/// is of one. What names no period at all may explain, but is no figure of it.
pub(super) fn of_the_period(candidate: &ScoredUnit<'_>, asks: &Quantity) -> bool {
    if asks.periods.is_empty() {
        return true;
    }
    let asked = |year: u16| asks.periods.iter().any(|period| period.year == year);
    let source = &candidate.passage.source;
    let mut text = candidate.text().to_owned();
    if let Some(head) = candidate.unit.head {
        text = format!("{} {text}", head.of(&source.text));
    }
    let said = periods(&text);
    if said.iter().any(|period| asked(period.year)) {
        return true;
    }
    let around = candidate.passage.section_of(candidate.unit.span).join(" ");
    let around = periods(&format!("{around} {}", source.title));
    let about = around.iter().any(|period| asked(period.year))
        || source.year.is_some_and(|year| u16::try_from(year).is_ok_and(asked));
    said.is_empty() && (about || !asks.certain)
}

/// Whether `candidate` holds a number, and says with the headings above it of what it is.
pub(super) fn says_figure(question: &Question, candidate: &ScoredUnit<'_>) -> bool {
    let title = stem_set(&candidate.passage.source.title);
    let about: Vec<&Asked> = question.asked.iter().filter(|asked| !asked.is_one_of(&title)).collect();
    let total: f64 = about.iter().map(|asked| asked.weight).sum();
    let stems: HashSet<String> = candidate.own.union(&candidate.section).cloned().collect();
    let share = about.iter().map(|asked| asked.weight * asked.held(&stems)).sum::<f64>() / total.max(1e-9);
    // Rows whose cells are figures were looked at as such: where none of them meets what is asked, no other number of theirs
    // does.
    let asks = &question.asks;
    let conditions = !asks.periods.is_empty()
        || !asks.scopes.is_empty()
        || asks.measure.is_some()
        || asks.status.is_some();
    let told = !candidate.unit.is_row
        || !conditions
        || cells(candidate.text()).iter().any(|cell| says_number_in_words(cell));
    let first = words(&question.text).first().map(|word| word.text.to_lowercase());
    let names = about.iter().filter(|asked| {
        asked.word.starts_with(char::is_uppercase)
            && first.as_deref() != Some(asked.word.to_lowercase().as_str())
    });
    let named = names.into_iter().all(|name| name.held(&stems) > 0.0);
    told && named && crate::verify::measures(candidate.text()) && share >= OF_A_FIGURE
}

/// Whether a cell is text that holds a number, and not the number of a figure.
fn says_number_in_words(cell: &str) -> bool {
    cell.bytes().any(|b| b.is_ascii_digit())
        && cell
            .split_whitespace()
            .filter(|word| word.chars().filter(|c| c.is_alphabetic()).count() > 2)
            .count()
            > 3
}

/// Whether nothing has what the question asks for: a name, or a number, beside the words that it is about.
pub(super) fn lacks(question: &Question, candidates: &[ScoredUnit<'_>]) -> bool {
    let Some(best) = candidates.first() else { return true };
    let places = question.text.to_lowercase().starts_with("which countr");
    let asks_name = question.kind == Kind::Name && (places || !best.is_paragraph());
    let certain = question.asks.certain;
    let asks_figure = (question.kind == Kind::Figure || certain) && !best.is_paragraph();
    if !asks_name && !asks_figure {
        return false;
    }
    let known: HashSet<String> = words(&question.text).iter().map(|word| stem(word.text)).collect();
    // The name of who is asked about stands in the title.
    let title = stem_set(&best.passage.source.title);
    let about: Vec<_> = question
        .asked
        .iter()
        .filter(|asked| !asked.is_one_of(&title) && asked.word.to_lowercase() != "name")
        .collect();
    let total: f64 = about.iter().map(|asked| asked.weight).sum();
    let share = |stems: &HashSet<String>| {
        about.iter().map(|asked| asked.weight * asked.held(stems)).sum::<f64>() / total.max(1e-9)
    };
    if asks_name {
        // What a sentence points back to does not make its names the ones that are asked for.
        // "Who chairs", "which firm supplies": the first word says what somebody does.
        let does = about.first();
        let says = |c: &ScoredUnit<'_>| {
            let own = stem_set(c.text());
            let told = does.is_some_and(|does| does.held(&own) > 0.0) || share(&own) >= 0.45;
            share(&c.own) >= 0.6 && told && share(&own) >= 0.3
        };
        !candidates.iter().any(|c| names(c.text(), &known) && says(c))
    } else {
        !candidates.iter().any(|candidate| says_figure(question, candidate))
    }
}
