//! Conditions that a question about a figure sets for the words that answer it: its period, and what the number is
//! of.

use super::alone::gives_reason;
use super::kind::term_of;
use super::{LEAST, ScoredUnit, holder};
use crate::figures::is_per;
use crate::passage::cells;
use crate::question::quantity::Quantity;
use crate::question::scope::{basis, category_of, scopes};
use crate::question::{Asked, Kind, Question, denial};
use sibyl_text::figure::Status;
use sibyl_text::language::date::is_month;
use sibyl_text::language::period::periods;
use sibyl_text::language::quantity::quantities;
use sibyl_text::language::unit::{self, Measure};
use sibyl_text::language::words::{is_stop, stem_set, words};
use std::collections::HashSet;

/// Weights of the three parts of the decision; set on 168 questions about five made-up reports.
const COVER: f64 = 0.55;
const NEAR: f64 = 0.25;
const RELEVANCE: f64 = 0.2;
/// Similarity in meaning that counts as full, by the static table.
const NEAREST: f64 = 0.6;
/// Weight of the three parts together against the similarity by the sentence transformer. Set on questions about
/// 14 reports by three writers.
const PARTS: f64 = 0.5;

/// Minimum share of what is asked that a text quoted for a number must have, with the headings above it.
const OF_A_FIGURE: f64 = 0.28;

/// Maximum number of words of a cell that is no sentence.
const SENTENCE: usize = 16;
/// Maximum number of words of a cell that may be only a name.
const NAME: usize = 6;

/// Whether `candidate` may answer `question`. It must say something, and have every name and the period, scope,
/// basis and kind that the question asks for. If the question denies something, the text must deny or except
/// something too, unless the denial only describes what the reason or the day is asked of.
pub(super) fn meets(question: &Question, candidate: &ScoredUnit<'_>) -> bool {
    let asks = &question.asks;
    candidate.of_names
        && says_something(question, candidate)
        && (question.kind != Kind::Reason || !candidate.unit.is_row || gives_reason(candidate.text()))
        && (question.kind == Kind::Reason || of_the_period(candidate, asks))
        && of_the_scope(question, candidate)
        && of_the_status(question, candidate)
        && !question.is_of_other_part(&format!("{} {}", candidate.text(), above(candidate)))
        && (!asks_which_day(&question.text) || says_when(candidate))
        && (question.denial.is_none()
            || matches!(question.kind, Kind::Reason | Kind::Date)
            || turns_round(candidate.text()))
}

/// Whether `question` asks for a day or year, and not under which conditions.
fn asks_which_day(question: &str) -> bool {
    const STARTS: [&str; 10] = [
        "when did ",
        "when was ",
        "when were ",
        "by when ",
        "since when ",
        "in which year ",
        "in what year ",
        "what year ",
        "on which date ",
        "on what date ",
    ];

    let lower = question.trim_start().to_lowercase();
    STARTS.iter().any(|start| lower.starts_with(start))
}

/// Whether `candidate` says when something is: by a number, or by a word for a time.
fn says_when(candidate: &ScoredUnit<'_>) -> bool {
    const TIMES: [&str; 36] = [
        "day",
        "days",
        "daily",
        "week",
        "weeks",
        "weekly",
        "month",
        "months",
        "monthly",
        "quarter",
        "quarters",
        "quarterly",
        "year",
        "years",
        "yearly",
        "annual",
        "annually",
        "spring",
        "summer",
        "autumn",
        "winter",
        "before",
        "after",
        "until",
        "since",
        "once",
        "whenever",
        "when",
        "always",
        "never",
        "immediately",
        "yet",
        "tomorrow",
        "now",
        "soon",
        "upon",
    ];

    let (own, above) = (candidate.text(), above(candidate));
    let tells = |text: &str| {
        text.bytes().any(|b| b.is_ascii_digit())
            || words(text).iter().any(|word| {
                let lower = word.text.to_lowercase();
                // A month is written large: `may` is a verb.
                TIMES.contains(&lower.as_str()) || word.is_capital() && is_month(&lower)
            })
    };
    tells(own) || candidate.unit.is_row && tells(&above)
}

/// Whether `text` denies or excepts something.
fn turns_round(text: &str) -> bool {
    let lower = text.to_lowercase();
    denial(text).is_some()
        || ["exclud", "except", "left out", "leaves out", "lack", "outside"]
            .iter()
            .any(|word| lower.contains(word))
}

/// What stands right above `candidate`: the row that heads it, and the headings.
fn above(candidate: &ScoredUnit<'_>) -> String {
    let head = candidate.unit.head.map(|head| head.of(&candidate.passage.source.text)).unwrap_or_default();
    format!("{head} {}", candidate.passage.section_of(candidate.unit.span).join(" "))
}

/// `text` without the parts in parentheses.
fn without_parentheses(text: &str) -> String {
    let mut depth = 0_usize;
    text.chars()
        .filter(|c| {
            depth += usize::from(*c == '(');
            let outside = depth == 0;
            depth = depth.saturating_sub(usize::from(*c == ')'));
            outside
        })
        .collect()
}

/// Whether `candidate` may be about a period that is asked for: it names one, or it names none and its section or
/// document is about one.
fn of_the_period(candidate: &ScoredUnit<'_>, asks: &Quantity) -> bool {
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
    // Text in parentheses is only for comparison.
    let said = periods(&without_parentheses(&text));
    let around = candidate.passage.section_of(candidate.unit.span).join(" ");
    let around = periods(&format!("{around} {}", source.title));
    let own = source.year.and_then(|year| u16::try_from(year).ok());
    let about = around.iter().any(|period| asked(period.year)) || own.is_some_and(asked);
    // Reports write about the future in sentences without a year.
    let ahead = own.is_some_and(|own| asked(own + 1)) && !asks.certain;
    said.is_empty() && (about || ahead || (own.is_none() && !asks.certain))
}

/// Whether `candidate` is of the scopes and the basis that are asked for, as far as it names any.
fn of_the_scope(question: &Question, candidate: &ScoredUnit<'_>) -> bool {
    let asks = &question.asks;
    let (own, above) = (candidate.text().to_lowercase(), above(candidate).to_lowercase());
    let told = Some(scopes(&own)).filter(|own| !own.is_empty()).unwrap_or_else(|| scopes(&above));
    // A row of two scopes gives their sum, unless it contains sentences.
    let tells = !candidate.unit.is_row
        || cells(candidate.text()).iter().any(|cell| cell.split_whitespace().count() > SENTENCE);
    let of_scope = asks.scopes.is_empty()
        || told == asks.scopes
        || (tells && asks.scopes.iter().all(|scope| told.contains(scope)))
        || (told.is_empty() && !asks.certain && !asks.telegraphic);
    let of_basis = asks.basis.is_none_or(|wanted| match basis(&own).or_else(|| basis(&above)) {
        Some(told) => told == wanted,
        None => !asks.certain && !asks.telegraphic,
    });
    let of_category = asks.category.is_none_or(|wanted| {
        let told = category_of(&own).or_else(|| category_of(&above));
        told.map_or(!asks.certain && !asks.telegraphic, |told| told == wanted)
    });
    of_scope && of_basis && of_category
}

/// Whether `candidate` states a target if one is asked for, and none if an actual figure is.
fn of_the_status(question: &Question, candidate: &ScoredUnit<'_>) -> bool {
    const TARGET: [&str; 9] =
        ["target", "goal", "aim", "ambition", "commitment", "pledge", "objective", "net zero", "net-zero"];
    const PLANS: [&str; 5] = ["we plan", "plans to", "we expect", "expects to", "we intend"];
    const AHEAD: [&str; 8] = ["will ", "want", "plan", "intend", "reduce", "cut", "by ", "until"];

    let asks = &question.asks;
    let own = candidate.text().to_lowercase();
    match asks.status {
        Some(Status::Target) => {
            let around = format!("{own} {}", above(candidate).to_lowercase());
            let year = candidate.passage.source.year;
            let ahead =
                periods(&own).iter().any(|period| year.is_none_or(|year| i64::from(period.year) > year));
            TARGET.iter().any(|word| around.contains(word))
                || (ahead && AHEAD.iter().any(|word| own.contains(word)))
        }
        // A goal set in the year asked about is no figure of that year.
        None | Some(Status::Base) if asks.certain && !candidate.unit.is_row => {
            let of_report = candidate.passage.source.year.and_then(|year| u16::try_from(year).ok());
            let last = asks.periods.iter().map(|period| period.year).max();
            let last = last.or(of_report.filter(|_| asks_for_today(&question.text)));
            let later = last.is_some_and(|last| periods(&own).iter().any(|period| period.year > last));
            // What was planned for a year is not what came of it.
            let planned = asks_for_the_past(&question.text) && PLANS.iter().any(|word| own.contains(word));
            let by_a_year = periods(&own).iter().any(|period| own[..period.start].ends_with("by "));
            !planned && !(later && (by_a_year || TARGET.iter().any(|word| own.contains(word))))
        }
        _ => true,
    }
}

/// Whether `question` asks how things were.
fn asks_for_the_past(question: &str) -> bool {
    words(question).iter().any(|word| matches!(word.text.to_lowercase().as_str(), "was" | "were" | "did"))
}

/// Whether `question` asks how things stand today.
fn asks_for_today(question: &str) -> bool {
    const TODAY: [&str; 5] = ["today", "now", "currently", "already", "presently"];
    words(question).iter().any(|word| TODAY.contains(&word.text.to_lowercase().as_str()))
}

/// Whether `candidate` says something. Lines from a table of contents, of names alone or of rights do not. Nor does
/// an auditor's statement, unless the question asks for one.
fn says_something(question: &Question, candidate: &ScoredUnit<'_>) -> bool {
    let text = candidate.text();
    if candidate.unit.is_row {
        // A cell alone is a name, or a line of text.
        let filled: Vec<&str> = cells(text).into_iter().filter(|cell| !cell.is_empty()).collect();
        return filled.len() > 1 || filled.iter().any(|cell| cell.split_whitespace().count() > NAME);
    }
    let lower = text.to_lowercase();
    let contents = text.contains("....") || text.contains(". . .") || text.contains("……");
    let rights = lower.contains("all rights reserved") || lower.contains('©');
    let tells = |word: &&sibyl_text::language::words::Word<'_>| {
        word.text.starts_with(char::is_lowercase) && !is_stop(&word.text.to_lowercase())
    };
    let names_alone = !matches!(question.kind, Kind::Name | Kind::Date)
        && !text.trim_start().starts_with(['-', '*', '•'])
        && !words(text).iter().any(|word| tells(&word));
    let assures =
        ["limited assurance", "reasonable assurance", "assurance engagement", "assurance conclusion"];
    let asks_for_assurance = {
        let asked = question.text.to_lowercase();
        ["assur", "audit", "verif", "review", "check"].iter().any(|word| asked.contains(word))
    };
    let of_an_auditor = !asks_for_assurance && assures.iter().any(|words| lower.contains(words));
    !contents && !rights && !names_alone && !of_an_auditor
}

/// How sure it is, 0 to 1, that `chosen` answer `question`. It depends on how much of the subject they name, with
/// what stands above them. It also depends on how near the nearest is in meaning, and how relevant their passages
/// are.
pub(super) fn answers(question: &Question, chosen: &[&ScoredUnit<'_>], doubtful: bool) -> f64 {
    let Some(best) = chosen.first() else { return 0.0 };
    // A paragraph of a standard is judged by its relevance, and so is text that the user selected.
    if chosen.iter().any(|one| one.is_paragraph() || one.passage.source.report_id.is_none()) {
        return if doubtful { 0.0 } else { best.passage.relevance.max(LEAST.plain) };
    }
    let title = stem_set(&best.passage.source.title);
    let about: Vec<&Asked> = question.focus().into_iter().filter(|asked| !asked.is_one_of(&title)).collect();
    let total: f64 = about.iter().map(|asked| asked.bears()).sum();
    let all: HashSet<String> =
        chosen.iter().flat_map(|one| one.own.iter().chain(&one.section)).cloned().collect();
    let held: f64 = about.iter().map(|asked| asked.bears() * asked.held(&all)).sum();
    let cover = if total > 0.0 { held / total } else { 1.0 };
    let near = chosen.iter().map(|one| one.near).fold(0.0, f64::max);
    let relevance = chosen.iter().map(|one| one.passage.relevance).fold(0.0, f64::max);
    if near == 0.0 {
        // No model compares meanings here.
        return (COVER * cover + RELEVANCE * relevance) / (COVER + RELEVANCE);
    }
    let parts = COVER * cover + NEAR * (near / NEAREST).min(1.0) + RELEVANCE * relevance;
    let read = chosen.iter().filter_map(|one| one.read).reduce(f64::max);
    read.map_or(parts, |read| (read + PARTS * parts) / (1.0 + PARTS))
}

/// Whether `candidate` has a number, and says with the headings above it what it is of.
pub(super) fn says_figure(question: &Question, candidate: &ScoredUnit<'_>) -> bool {
    let title = stem_set(&candidate.passage.source.title);
    // Scopes and names are separate conditions.
    let scoped = |asked: &&Asked| !question.asks.scopes.is_empty() && asked.is_scope();
    let about: Vec<&Asked> = question
        .focus()
        .into_iter()
        .filter(|asked| !asked.is_one_of(&title) && !scoped(asked) && !question.names.contains(&asked.word))
        .collect();
    let total: f64 = about.iter().map(|asked| asked.bears()).sum();
    let stems: HashSet<String> = candidate.own.union(&candidate.section).cloned().collect();
    let held = about.iter().map(|asked| asked.bears() * asked.held(&stems)).sum::<f64>();
    let share = if total > 0.0 { held / total } else { 1.0 };
    let counted = question.counts(&stems);
    // Rows of figures were already considered as figures. If none of those fits, no other number in the rows does.
    let asks = &question.asks;
    let conditions = !asks.periods.is_empty()
        || !asks.scopes.is_empty()
        || asks.measure.is_some()
        || asks.status.is_some()
        || asks.money;
    let told = !candidate.unit.is_row
        || !conditions
        || cells(candidate.text()).iter().any(|cell| says_number_in_words(cell));
    let named = question.is_of_names(&stems);
    // A row itself says what it is about: its headings are also those of its neighbours.
    let told = told
        && (!candidate.unit.is_row
            || about.is_empty()
            || about.iter().any(|asked| asked.held(&candidate.own) > 0.0));
    let explains = term_of(candidate.passage, candidate.text(), &above(candidate)).is_some();
    told && named
        && counted
        && !explains
        && share >= OF_A_FIGURE
        && gives_number(question, candidate)
        && of_the_money(candidate, asks)
        && (candidate.unit.is_row || of_the_measure(candidate.text(), asks))
}

/// Whether `candidate` gives a number. How long something lasts is not how much of it there is, except of what is
/// counted in hours or days.
fn gives_number(question: &Question, candidate: &ScoredUnit<'_>) -> bool {
    const LASTS: [&str; 14] = [
        "time", "training", "learning", "leave", "notice", "holiday", "downtime", "overtime", "work",
        "longer", "earlier", "later", "sooner", "faster",
    ];

    let lower = question.text.to_lowercase();
    let lasts = words(&lower).iter().any(|word| LASTS.contains(&word.text));
    if candidate.unit.is_row || lasts || !lower.contains("how much ") {
        return crate::verify::measures(candidate.text());
    }
    let numbers = quantities(candidate.text());
    numbers.iter().any(|number| !number.is_year && number.measure != Some(Measure::Time))
}

/// Whether `candidate` names a currency if the question asks for money, and a ratio of one thing per another if it
/// asks for that. What stands above a row may say so for it.
fn of_the_money(candidate: &ScoredUnit<'_>, asks: &Quantity) -> bool {
    let (own, above) = (candidate.text(), above(candidate));
    let per = is_per(&own.to_lowercase()) || (candidate.unit.is_row && is_per(&above.to_lowercase()));
    (!asks.money || unit::names_a_currency(own) || unit::names_a_currency(&above)) && (!asks.per || per)
}

/// Whether `text` gives a number of the measure asked for, if there is one. Shares may also be written in words.
fn of_the_measure(text: &str, asks: &Quantity) -> bool {
    let Some(wanted) = asks.measure.or(asks.expected.filter(|expected| *expected != Measure::Count)) else {
        return true;
    };
    if wanted == Measure::Share && says_share_in_words(text) {
        return true;
    }
    quantities(text).iter().any(|quantity| match quantity.measure {
        Some(Measure::Money) => wanted == Measure::Money,
        _ => unit::read(&format!("{} {}", quantity.text, quantity.after))
            .is_some_and(|unit| unit.measure == wanted),
    })
}

/// Whether `text` names a part of a whole in words: a third, half of, one in five.
fn says_share_in_words(text: &str) -> bool {
    const PARTS: [&str; 13] = [
        "half", "third", "thirds", "quarter", "quarters", "fifth", "fifths", "tenth", "tenths", "all",
        "none", "majority", "most",
    ];
    let lower = text.to_lowercase();
    let all: Vec<&str> = words(&lower).iter().map(|word| word.text).collect();
    all.iter().any(|word| PARTS.contains(word))
        || ["one in ", "out of ", " in ten", " of the "].iter().any(|words| lower.contains(words))
            && crate::verify::numbers(text).len() > 1
}

/// Whether a cell is text that contains a number, and not a figure or the name of one: `Scope 3, category 5 Waste`.
fn says_number_in_words(cell: &str) -> bool {
    let numbered = |word: &str| {
        matches!(word.to_lowercase().as_str(), "scope" | "scopes" | "category" | "note" | "table")
    };
    let words: Vec<&str> = cell.split_whitespace().collect();
    let tells = words.iter().enumerate().any(|(at, word)| {
        word.bytes().any(|b| b.is_ascii_digit())
            && !at.checked_sub(1).is_some_and(|before| numbered(words[before]))
    });
    tells && words.iter().filter(|word| word.chars().filter(|c| c.is_alphabetic()).count() > 2).count() > 3
}

/// Whether no candidate has what the question asks for: a name, or a number, beside the words that it is about.
pub(super) fn lacks(question: &Question, candidates: &[ScoredUnit<'_>]) -> bool {
    let Some(best) = candidates.first() else { return true };
    let places = question.text.to_lowercase().starts_with("which countr");
    let asks_name = question.kind == Kind::Name && (places || !best.is_paragraph());
    let asks_figure = (question.kind == Kind::Figure || question.asks.certain) && !best.is_paragraph();
    if !asks_name && !asks_figure {
        return false;
    }
    if asks_name {
        !holder::naming(question, candidates).contains(&true)
    } else {
        !candidates.iter().any(|candidate| says_figure(question, candidate))
    }
}
