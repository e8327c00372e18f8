//! Sentences that can stand alone: a lead-in comes with what it leads to, and an event with its reason.

use super::{MOST_ITEMS, ScoredUnit};
use crate::question::{Kind, Question};
use sibyl_text::language::words::{stem_set, words};

/// Maximum number of words of a label.
const LABEL_WORDS: usize = 12;

/// `chosen` with what they need to be understood: a lead-in with its items, and an event with its reason if that
/// is asked for. A lead-in or label that nothing follows says nothing.
pub(super) fn standing_alone<'c, 'a>(
    question: &Question,
    chosen: Vec<&'c ScoredUnit<'a>>,
    candidates: &'c [ScoredUnit<'a>],
) -> Vec<&'c ScoredUnit<'a>> {
    let behind = |c: &ScoredUnit<'_>, further: usize| {
        candidates
            .iter()
            .find(|other| other.passage.number == c.passage.number && other.index == c.index + further)
    };
    let mut out: Vec<&'c ScoredUnit<'a>> = Vec::new();
    let mut add = |c: &'c ScoredUnit<'a>| {
        if !out.iter().any(|known| std::ptr::eq(*known, c)) {
            out.push(c);
        }
    };
    let reasoned = chosen.iter().any(|c| gives_reason(c.text()));
    let follows = question.kind == Kind::Other && asks_what_followed(&question.text);
    // Of two things that are asked at once, the sentence behind the first may tell the second.
    let tells_second = |next: &ScoredUnit<'_>| {
        question.asks.both
            && matches!(question.kind, Kind::Other | Kind::Name | Kind::YesNo | Kind::Date)
            && question.asked.iter().any(|asked| asked.held(&stem_set(next.text())) > 0.0)
    };
    for c in chosen {
        if !is_lead_in(c) {
            let before = c.antecedent.and_then(|before| {
                candidates
                    .iter()
                    .find(|one| one.passage.number == c.passage.number && one.unit.span == before)
            });
            before.into_iter().for_each(&mut add);
            add(c);
            let next = behind(c, 1).filter(|next| next.unit.block == c.unit.block && !next.unit.is_row);
            let next = next.filter(|next| (follows || tells_second(next)) && !c.unit.is_row);
            next.into_iter().for_each(&mut add);
            // If no word marks a reason, what follows the event counts as one.
            let next = behind(c, 1).filter(|next| {
                let same = !next.unit.is_row && next.unit.block == c.unit.block;
                same && (gives_reason(next.text()) || !reasoned)
            });
            if question.kind == Kind::Reason
                && !gives_reason(c.text())
                && let Some(next) = next
            {
                add(next);
            }
            continue;
        }
        let followers: Vec<&'c ScoredUnit<'a>> =
            (1..=MOST_ITEMS).map_while(|further| behind(c, further)).collect();
        let first_is_item = followers.first().is_some_and(|first| is_item(first));
        let length = followers
            .iter()
            .enumerate()
            .take_while(|(at, one)| if first_is_item { is_item(one) } else { *at == 0 && !is_lead_in(one) })
            .count();
        if length > 0 {
            add(c);
            followers[..length].iter().for_each(|one| add(one));
        }
    }
    out
}

/// Whether `question` asks what was done after something or about it. The sentence that reports the event does not
/// say so, but the next one may.
fn asks_what_followed(question: &str) -> bool {
    const AFTER: [&str; 10] = [
        "after ",
        "following ",
        "since ",
        "in response to ",
        "in reaction to ",
        "about ",
        "because of ",
        "put right",
        "dealt with",
        "deal with",
    ];
    let lower = question.to_lowercase();
    let asks = ["what ", "how did", "how does", "how has", "which ", "following "];
    asks.iter().any(|start| lower.starts_with(start)) && AFTER.iter().any(|word| lower.contains(word))
}

/// Whether a unit only introduces what follows: it ends with a colon, or is a label without the end of a sentence.
fn is_lead_in(c: &ScoredUnit<'_>) -> bool {
    let text = c.text().trim().trim_end_matches('*');
    let ended = text.ends_with(['.', '!', '?', '”', '"', ';']);
    let label = !ended && words(text).len() <= LABEL_WORDS && !is_item(c);
    !c.unit.is_row && !c.is_paragraph() && (text.ends_with(':') || label)
}

fn is_item(c: &ScoredUnit<'_>) -> bool {
    let text = c.text().trim_start();
    let numbered = text.split(['.', ')']).next().is_some_and(|mark| {
        mark.len() < text.len()
            && mark.trim_start_matches('(').len() <= 3
            && mark.chars().any(char::is_alphanumeric)
            && !mark.contains(' ')
    });
    text.starts_with("- ") || text.starts_with("* ") || text.starts_with('•') || numbered
}

/// Whether `text` says why.
pub(super) fn gives_reason(text: &str) -> bool {
    let lower = text.to_lowercase();
    [
        "because",
        "due to",
        "due primarily",
        "due mainly",
        "due largely",
        "owing to",
        "as a result",
        "led to",
        "caused",
        "driven by",
        "driven primarily by",
        "driven mainly by",
        "driven largely by",
        "thanks to",
        "on account of",
        "reason",
        "since ",
        "so that",
        "in order to",
        "results from",
        "resulted from",
        "result of",
        "reflect",
        "attributable",
        "stems from",
        "stemmed from",
        "offset in part by",
        "offset by",
        "partly offset",
        "partially offset",
        "explained by",
    ]
    .iter()
    .any(|word| lower.contains(word))
}

/// Whether `text` says why, even by words that may mean something else.
pub(super) fn may_give_reason(text: &str) -> bool {
    const ALSO: [&str; 26] = [
        ", where ",
        " as ",
        " so ",
        "so, ",
        "explain",
        "consequence",
        "in response to",
        "prompted",
        " comes from",
        "came from",
        "arose from",
        "followed",
        "following",
        "given that",
        "this is why",
        "mainly through",
        " to make ",
        "could not",
        "cannot",
        "therefore",
        " after ",
        " meant ",
        "drove ",
        "pushed ",
        "held back",
        "brought about",
    ];
    let lower = text.to_lowercase();
    gives_reason(text) || ALSO.iter().any(|word| lower.contains(word))
}
