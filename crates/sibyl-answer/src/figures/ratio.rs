//! One figure divided by another: a part by its whole, and the ratios of a filing that have names.

use super::fitting::{Fit, Nearness, fitting};
use super::operation::in_unit_of;
use super::{Candidate, Chosen, Found, best_of, chosen, other_than, wanted};
use crate::question::quantity::{Operation, Quantity};
use crate::question::{Asked, Question};
use sibyl_text::figure::Origin;
use sibyl_text::language::sum::is_sum;
use sibyl_text::language::unit::Measure;
use sibyl_text::language::words::{stem_set, words};

/// Words between a part and its whole.
const PART_OF: [&str; 7] = [
    " as a percentage of ",
    " as a percent of ",
    " as a share of ",
    " as a proportion of ",
    " as a fraction of ",
    " as a part of ",
    " divided by ",
];
/// Words before a whole.
const OF_WHOLE: [&str; 7] = [
    "part of ",
    "share of ",
    "proportion of ",
    "percentage of ",
    "portion of ",
    "fraction of ",
    "per cent of ",
];
/// Words between a whole and its part.
const IS_PART: [&str; 9] = [
    " is from ",
    " came from ",
    " comes from ",
    " consists of ",
    " went to ",
    " are ",
    " is ",
    " were ",
    " was ",
];
/// Ratios by name, each with what is divided by what, in the terms that statements use.
const NAMED: [(&str, &[&str], &[&str]); 3] = [
    ("gross margin", &["gross profit"], REVENUE),
    ("operating margin", &["operating income", "operating profit"], REVENUE),
    ("current ratio", &["total current assets"], &["total current liabilities"]),
];
const REVENUE: &[&str] = &["net sales", "revenue", "revenues", "total revenue", "net revenue"];
/// Share of its own name that has to be asked for.
const PRECISE: f64 = 0.6;

/// What a question divides by what.
struct Sides {
    part: Vec<String>,
    whole: Vec<String>,
    /// Whether the result is a share.
    share: bool,
    /// What is asked for directly where it has a name.
    name: Option<&'static str>,
}

/// What `question` divides by what, if it does.
fn sides(question: &Question) -> Option<Sides> {
    let lower = question.text.to_lowercase();
    let texts = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>();
    if let Some((name, part, whole)) = NAMED.iter().find(|(name, ..)| lower.contains(name)) {
        let share = !name.ends_with("ratio");
        return Some(Sides { part: texts(part), whole: texts(whole), share, name: Some(name) });
    }
    let between = PART_OF.iter().find_map(|word| lower.split_once(word).map(|sides| (sides, *word)));
    if let Some(((part, whole), word)) = between {
        let share = word != " divided by ";
        return Some(Sides { part: texts(&[part]), whole: texts(&[whole]), share, name: None });
    }
    let (_, rest) = OF_WHOLE.iter().find_map(|word| lower.split_once(word))?;
    let (whole, part) = IS_PART.iter().find_map(|word| rest.split_once(word))?;
    Some(Sides { part: texts(&[part]), whole: texts(&[whole]), share: true, name: None })
}

/// The quotient that `question` asks for, unless one of the figures that were `given` is it.
pub(super) fn ratio(question: &Question, candidates: &[Candidate], given: &Found) -> Option<Found> {
    // A change or a ranking wants other workings, and a target is not what was reached.
    if question.asks.operation != Operation::Value || question.asks.status.is_some() {
        return None;
    }
    let sides = sides(question)?;
    if let Found::Answer { chosen, .. } = given
        && chosen.iter().all(|one| is_it(&candidates[one.index], &sides))
    {
        return None;
    }
    let parts = best_of_names(question, candidates, &sides.part);
    let wholes = best_of_names(question, candidates, &sides.whole);
    let pair = |part: &Fit| {
        let one = &candidates[part.index];
        let total = || {
            let mut column = (0..candidates.len()).filter(|at| is_total_over(&candidates[*at], one));
            column.next().filter(|_| sides.name.is_none()).map(|index| Chosen { index, ..chosen(part) })
        };
        let named = wholes.iter().find(|whole| divides(&candidates[whole.index], one)).map(chosen);
        named.or_else(total).map(|whole| (chosen(part), whole))
    };
    // Of several columns, the one that the whole names.
    let asked = asked_in(question, &sides.whole);
    let of_column = |fit: &Fit| {
        let stems = stem_set(&candidates[fit.index].column);
        asked.iter().map(|one| one.held(&stems)).sum::<f64>()
    };
    let mut parts: Vec<&Fit> = parts.iter().collect();
    parts.sort_by(|a, b| of_column(b).total_cmp(&of_column(a)));
    let (part, whole) = parts.into_iter().find_map(pair)?;
    let (a, b) = (&candidates[part.index], &candidates[whole.index]);
    let quotient = in_unit_of(a, b)? / b.value;
    let result = if sides.share { format!("{:.1} %", quotient * 100.0) } else { format!("{quotient:.2}") };
    let working = format!("{} / {} = {result}", a.printed, b.printed);
    Some(Found::Answer { chosen: vec![part, whole], working: Some(working) })
}

/// Whether `one` is itself the quotient that is asked for.
fn is_it(one: &Candidate, sides: &Sides) -> bool {
    let names = one.label.iter().chain([&one.column]).map(|name| name.to_lowercase());
    match sides.name {
        Some(name) => names.into_iter().any(|one| one.contains(name)),
        None => one.measure == Some(Measure::Share),
    }
}

/// Whether `whole` may be divided into `part`: both are of one document, period and measure.
fn divides(whole: &Candidate, part: &Candidate) -> bool {
    (whole.document, whole.year, &whole.part, whole.status)
        == (part.document, part.year, &part.part, part.status)
        && (whole.measure == part.measure || whole.measure.is_none() || part.measure.is_none())
        && whole.places.0 != part.places.0
        && whole.value != 0.0
}

/// Whether `one` is the total of the column in which `part` stands.
fn is_total_over(one: &Candidate, part: &Candidate) -> bool {
    divides(one, part)
        && one.origin != Origin::Sentence
        && one.places.2.is_some()
        && (one.places.2, &one.column) == (part.places.2, &part.column)
        && one.label.last().is_some_and(|name| is_sum(name))
}

/// The words of `question` that are in `names`, or these words themselves where it says none of them.
fn asked_in(question: &Question, names: &[String]) -> Vec<Asked> {
    let all: Vec<String> =
        names.iter().flat_map(|name| words(name)).map(|word| word.text.to_owned()).collect();
    let said = |asked: &&Asked| all.iter().any(|word| *word == asked.word.to_lowercase());
    let own: Vec<Asked> = question.asked.iter().filter(said).cloned().collect();
    if own.is_empty() { all.iter().map(|word| Asked::new(word, &[], &[], 1.0)).collect() } else { own }
}

/// The figures of tables that fit one of `names` for the period of `question`, the best of each column first.
fn best_of_names(question: &Question, candidates: &[Candidate], names: &[String]) -> Vec<Fit> {
    let mut found: Vec<Fit> = Vec::new();
    for name in names {
        let asks = Quantity {
            periods: question.asks.periods.clone(),
            period_words: question.asks.period_words.clone(),
            certain: true,
            number: true,
            measure: None,
            expected: None,
            counted: None,
            money: false,
            ..Quantity::read(name)
        };
        let texts = std::slice::from_ref(name);
        let asked = if names.len() > 1 { all_of(name) } else { asked_in(question, texts) };
        let named = |word: &&String| asked.iter().any(|one| one.word == **word);
        let names: Vec<String> = question.names.iter().filter(named).cloned().collect();
        let side = Question { text: name.clone(), asks: asks.clone(), names, ..question.clone() };
        let side = Question { asked, ..side };
        let mut fits = fitting(&side, &side.focus(), candidates, &Nearness::default());
        fits.retain(|fit| {
            let one = &candidates[fit.index];
            fit.precision >= PRECISE
                && one.origin != Origin::Sentence
                && one.measure != Some(Measure::Share)
                && other_than(one, &asks).is_none()
        });
        let Some(best) = best_of(candidates, &fits, &asks, wanted(&asks)) else { continue };
        let (score, year) = (best.score, candidates[best.index].year);
        fits.retain(|fit| fit.score >= score && candidates[fit.index].year == year);
        found.extend(fits);
    }
    found.sort_by(|a, b| b.score.total_cmp(&a.score));
    found
}

/// Each word of `name`.
fn all_of(name: &str) -> Vec<Asked> {
    words(name).iter().map(|word| Asked::new(word.text, &[], &[], 1.0)).collect()
}
