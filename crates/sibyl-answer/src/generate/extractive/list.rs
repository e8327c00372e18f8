//! Questions that ask for every item of a list.

use super::{ABOVE, BEFORE, LIST, MOST_ITEMS, NEAR_LIST, OF_THE_NAME, READ, ScoredUnit, around};
use crate::generate::enumeration::enumerations;
use crate::question::Question;
use sibyl_text::language::words::words;
use std::collections::HashSet;

/// The list in a report whose every item `question` asks for, with the best unit; `None` if there is none.
pub(super) fn list<'c, 'a>(question: &Question, candidates: &'c [ScoredUnit<'a>]) -> Vec<&'c ScoredUnit<'a>> {
    let Some(best) = candidates.first().filter(|best| !best.is_paragraph()) else { return Vec::new() };
    if !asks_for_several(&question.text) {
        return Vec::new();
    }
    let total: f64 = question.asked.iter().map(|asked| asked.weight).sum::<f64>().max(1e-9);
    // The transformer reads no lists.
    let best_score = best.score - READ * best.read.unwrap_or_default();
    let mut found: Option<(f64, Vec<&ScoredUnit<'a>>)> = None;
    let mut seen = HashSet::new();
    for passage in
        candidates.iter().map(|c| c.passage).filter(|p| p.paragraph_id.is_none() && seen.insert(p.number))
    {
        let all = passage.units();
        for one in enumerations(passage, &all) {
            let first = one.units.iter().min().map(|at| passage.section_of(all[*at].span));
            let around = around(passage, first.as_ref().unwrap_or(&passage.section));
            let held = question.asked.iter().map(|asked| {
                let near = [(&one.before, BEFORE), (&around, ABOVE)];
                let near = near.iter().map(|(stems, weight)| asked.held(stems) * weight).fold(0.0, f64::max);
                asked.weight * asked.held(&one.about).max(near)
            });
            let score = held.sum::<f64>() / total + 0.45 / (passage.number as f64 + 1.0);
            let units: Vec<&ScoredUnit<'a>> = candidates
                .iter()
                .filter(|c| c.passage.number == passage.number && one.units.contains(&c.index))
                .collect();
            let better = found.as_ref().is_none_or(|(known, _)| score > *known);
            if better
                && units.len() <= 2 * MOST_ITEMS
                && score >= best_score * NEAR_LIST
                && score + LIST >= best_score
            {
                found = Some((score, units));
            }
        }
    }
    let mut units = found.map(|(_, units)| units).unwrap_or_default();
    if !units.is_empty() && !units.iter().any(|c| std::ptr::eq(*c, best)) {
        units.push(best);
    }
    units
}

/// Whether `question` names what it asks for in the plural: "which plants", "what Scope 3 categories", "pillars
/// of".
fn asks_for_several(question: &str) -> bool {
    let plural = |word: &str| {
        let word = word.to_lowercase();
        word.len() > 3
            && word.ends_with('s')
            && !["ss", "us", "is", "'s", "’s"].iter().any(|end| word.ends_with(end))
    };
    let words = words(question);
    let asking = words
        .iter()
        .position(|word| matches!(word.text.to_lowercase().as_str(), "which" | "what" | "list" | "name"));
    words[asking.map_or(0, |at| at + 1)..].iter().take(OF_THE_NAME).any(|word| plural(word.text))
}
