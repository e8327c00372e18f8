//! The conditions that a question sets, one by one, so that a person can see them and take any back.

use super::quantity::{Operation, Quantity};
use super::scope::{Basis, scope_spans};
use super::{Kind, Question};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sibyl_text::language::period::{Period, periods};
use sibyl_text::language::words::words;
use sibyl_text::{Span, reference, source_type};

/// What kind of condition it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ConstraintKind {
    /// Whose reports are asked about: an issuer, a title or a file of the library.
    Issuer,
    /// A company that is asked about but is not in the library.
    UnknownIssuer,
    /// A year or a part of one: `2023`, `H1 2024`.
    Period,
    /// A period relative to another: `before`, the one before it; `two_latest`.
    RelativePeriod,
    /// A standard: `IFRS S2`.
    Standard,
    /// A paragraph, topic or metric code.
    Paragraph,
    /// Scopes of emissions; several together if it names several: `1`, `1 and 2`.
    Scope,
    /// How Scope 2 is counted: `market` or `location`.
    Basis,
    /// What a figure is: `target`, `base` or `estimate`.
    Status,
    /// What the unit measures, such as `share` or `mass`.
    Measure,
    /// What is asked for: `value`, `change`, `comparison`, `largest`, `smallest`. For what is no figure:
    /// `definition`, `list`, `date`, `name`, `yes_no`, `reason`.
    Operation,
    /// A word that reverses its meaning, such as `not`.
    Negation,
}

/// One condition that a question sets. If a request names it to be ignored, the question is asked again without
/// it.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Constraint {
    /// What kind of condition it is.
    pub kind: ConstraintKind,
    /// Its name, number or word.
    pub value: String,
}

impl Constraint {
    /// `value` of `kind`.
    pub fn new(kind: ConstraintKind, value: impl Into<String>) -> Self {
        Self { kind, value: value.into() }
    }
}

/// `text` without the words that name one of `ignored`; unchanged if nothing would be left.
pub fn without(text: &str, ignored: &[Constraint]) -> String {
    let named = in_words(text).into_iter().filter(|(constraint, _)| ignored.contains(constraint));
    without_spans(text, named.map(|(_, span)| span).collect())
}

/// Words for a period relative to today. `The year before` is relative to the period of the earlier question.
const RELATIVE: [&str; 6] =
    ["last year", "previous year", "prior year", "last two years", "past two years", "latest year"];
/// Words that say how Scope 2 is counted.
const OF_A_BASIS: [&str; 4] = ["market-based", "market based", "location-based", "location based"];

/// What also counts from `earlier` for `question`, which follows it: all but the period, scope, basis and paragraph,
/// if `question` names its own. A question that compares needs both.
pub fn lent(earlier: &str, question: &str) -> String {
    if Quantity::read(question).operation != Operation::Value {
        return earlier.to_owned();
    }
    let own = conditions(question);
    let replaced = conditions(earlier).into_iter().filter(|(kind, _)| own.iter().any(|(own, _)| own == kind));
    without_spans(earlier, replaced.map(|(_, span)| span).collect())
}

/// The kinds of condition that words of `text` name, each with its place; relative periods count as periods.
fn conditions(text: &str) -> Vec<(ConstraintKind, Span)> {
    let lower = text.to_ascii_lowercase();
    let said = |list: &'static [&'static str]| {
        let places = list.iter().flat_map(|words| lower.match_indices(*words));
        places.map(|(at, words)| Span::new(at, at + words.len())).collect::<Vec<_>>()
    };
    let relative = said(&RELATIVE).into_iter().map(|span| (ConstraintKind::Period, span));
    let basis = said(&OF_A_BASIS).into_iter().map(|span| (ConstraintKind::Basis, span));
    let named = in_words(text).into_iter().map(|(constraint, span)| (constraint.kind, span));
    named.chain(relative).chain(basis).collect()
}

/// `text` without the stretches at `spans`; unchanged if nothing would be left.
pub fn without_spans(text: &str, mut spans: Vec<Span>) -> String {
    spans.sort_unstable_by_key(|span| std::cmp::Reverse(span.start));
    let mut rest = text.to_owned();
    for span in spans {
        if rest.get(span.start..span.end).is_some() {
            rest.replace_range(span.start..span.end, " ");
        }
    }
    let rest = rest.split_whitespace().collect::<Vec<_>>().join(" ");
    if words(&rest).is_empty() { text.to_owned() } else { rest }
}

/// The conditions in `text` whose words say nothing else, each with its place.
fn in_words(text: &str) -> Vec<(Constraint, Span)> {
    let mut found: Vec<(Constraint, Span)> = Vec::new();
    for period in periods(text) {
        let constraint = Constraint::new(ConstraintKind::Period, name_of(&period));
        found.push((constraint, Span::new(period.start, period.end)));
    }
    let (scopes, spans) = scope_spans(&text.to_ascii_lowercase());
    let scopes = Constraint::new(ConstraintKind::Scope, listed(&scopes));
    found.extend(spans.into_iter().map(|span| (scopes.clone(), span)));
    for one in reference::detect(text) {
        let constraint = Constraint::new(ConstraintKind::Paragraph, one.ids.join(", "));
        found.push((constraint, one.span));
    }
    for (name, span) in standards(text) {
        if !found.iter().any(|(_, other)| other.overlaps(span)) {
            found.push((Constraint::new(ConstraintKind::Standard, name), span));
        }
    }
    found
}

/// The standards that `text` names, each with its place.
fn standards(text: &str) -> Vec<(&'static str, Span)> {
    let lower = text.to_ascii_lowercase();
    let mut found: Vec<(&'static str, Span)> = Vec::new();
    let bodies = source_type::standards().map(|(_, standard)| (standard.body, standard.body));
    let shorts = source_type::standards().map(|(_, standard)| (standard.short, standard.body));
    for (written, name) in bodies.chain(shorts) {
        let written = written.to_ascii_lowercase();
        for (at, _) in lower.match_indices(&written) {
            let span = Span::new(at, at + written.len());
            let edge = |c: Option<char>| c.is_none_or(|c| !c.is_alphanumeric());
            let whole = edge(lower[..at].chars().next_back()) && edge(lower[span.end..].chars().next());
            if whole && !found.iter().any(|(_, other)| other.overlaps(span)) {
                found.push((name, span));
            }
        }
    }
    found
}

/// A period as a person writes it.
fn name_of(period: &Period) -> String {
    match period.part {
        Some(part) => format!("{part} {}", period.year),
        None => period.year.to_string(),
    }
}

/// `1`, `1 and 2`, `1, 2 and 3`.
fn listed(scopes: &[u8]) -> String {
    let all: Vec<String> = scopes.iter().map(u8::to_string).collect();
    match all.split_last() {
        Some((last, rest)) if !rest.is_empty() => format!("{} and {last}", rest.join(", ")),
        _ => all.concat(),
    }
}

impl Basis {
    /// Its name on the wire.
    const fn name(self) -> &'static str {
        match self {
            Self::Market => "market",
            Self::Location => "location",
        }
    }
}

impl Question {
    /// Its conditions, except for the companies asked about.
    pub fn constraints(&self) -> Vec<Constraint> {
        use ConstraintKind::{Basis, Measure, Negation, Operation, RelativePeriod, Status};
        let mut found: Vec<Constraint> = Vec::new();
        let mut add = |constraint: Constraint| {
            if !found.contains(&constraint) {
                found.push(constraint);
            }
        };
        in_words(&self.text).into_iter().for_each(|(constraint, _)| add(constraint));
        let asks = &self.asks;
        if asks.before {
            add(Constraint::new(RelativePeriod, "before"));
        }
        if asks.two_latest {
            add(Constraint::new(RelativePeriod, "two_latest"));
        }
        if let Some(basis) = asks.basis {
            add(Constraint::new(Basis, basis.name()));
        }
        if let Some(status) = asks.status {
            add(Constraint::new(Status, status.name()));
        }
        if let Some(measure) = asks.measure {
            add(Constraint::new(Measure, measure.name()));
        }
        if let Some(denial) = &self.denial {
            add(Constraint::new(Negation, denial));
        }
        if let Some(operation) = self.operation() {
            add(Constraint::new(Operation, operation));
        }
        found
    }

    /// The same question without those of `ignored` that no words alone state. [`without`] removes from the text
    /// what words state.
    #[must_use]
    pub fn ignoring(mut self, ignored: &[Constraint]) -> Self {
        let operation = self.operation();
        for Constraint { kind, value } in ignored {
            match kind {
                ConstraintKind::RelativePeriod if value == "before" => self.asks.before = false,
                ConstraintKind::RelativePeriod => self.asks.two_latest = false,
                ConstraintKind::Basis => self.asks.basis = None,
                ConstraintKind::Status => self.asks.status = None,
                ConstraintKind::Measure => self.asks.measure = None,
                ConstraintKind::Negation => self.denial = None,
                ConstraintKind::Operation if operation == Some(value) => {
                    (self.kind, self.asks.certain) = (Kind::Other, false);
                    self.asks.operation = super::quantity::Operation::Value;
                }
                _ => {}
            }
        }
        self
    }

    /// What it asks for, by its name on the wire; `None` if it leaves that open.
    fn operation(&self) -> Option<&'static str> {
        let Quantity { operation, certain, .. } = &self.asks;
        match (self.kind, operation) {
            (Kind::Definition, _) => Some("definition"),
            (Kind::Reason, _) => Some("reason"),
            (Kind::Date, _) => Some("date"),
            (Kind::YesNo, _) => Some("yes_no"),
            (_, Operation::Change) => Some("change"),
            (_, Operation::Comparison) => Some("comparison"),
            (_, Operation::Largest) => Some("largest"),
            (_, Operation::Smallest) => Some("smallest"),
            (Kind::Name, _) => Some("name"),
            (Kind::Figure, _) => Some("value"),
            (_, Operation::Value) if *certain => Some("value"),
            (Kind::List, _) => Some("list"),
            (Kind::Other | Kind::Greeting, _) => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(text: &str) -> Vec<(ConstraintKind, String)> {
        Question::read(text).constraints().into_iter().map(|one| (one.kind, one.value)).collect()
    }

    #[test]
    fn what_a_question_sets_is_told_one_by_one() {
        use ConstraintKind::{Basis, Negation, Operation, Paragraph, Period, Scope, Standard, Status};
        let of = |list: &[(ConstraintKind, &str)]| -> Vec<(ConstraintKind, String)> {
            list.iter().map(|(kind, value)| (*kind, (*value).to_owned())).collect()
        };
        assert_eq!(
            said("By how much did Scope 1 and 2 emissions fall from 2022 to 2023?"),
            of(&[(Period, "2022"), (Period, "2023"), (Scope, "1 and 2"), (Operation, "change")])
        );
        assert_eq!(
            said("scope 2 location-based target 2030"),
            of(&[
                (Period, "2030"),
                (Scope, "2"),
                (Basis, "location"),
                (Status, "target"),
                (Operation, "value")
            ])
        );
        assert_eq!(said("Who uses no offsets?"), of(&[(Negation, "no"), (Operation, "name")]));
        assert_eq!(
            said("Does S2.14(a) of SASB apply?"),
            of(&[(Paragraph, "S2.14(a)"), (Standard, "SASB"), (Operation, "yes_no")])
        );
    }

    #[test]
    fn a_question_that_follows_is_lent_what_it_does_not_name() {
        let earlier = "What were Northwind's Scope 1 emissions in 2023?";
        for (question, left) in [
            ("And what were they in 2021?", "What were Northwind's Scope 1 emissions in ?"),
            ("And Scope 3?", "What were Northwind's emissions in 2023?"),
            ("What about Scope 3 in 2021?", "What were Northwind's emissions in ?"),
            ("And last year?", "What were Northwind's Scope 1 emissions in ?"),
            ("And the year before?", earlier),
            ("How does that compare with 2021?", earlier),
            ("By how much did they fall from 2021?", earlier),
            ("Who checked them?", earlier),
        ] {
            assert_eq!(lent(earlier, question), left, "{question}");
        }
        assert_eq!(lent("Scope 2 market-based 2023", "and location-based?"), "Scope 2 2023");
    }

    #[test]
    fn what_is_ignored_is_no_part_of_the_question() {
        let text = "Scope 1 and 2 emissions in 2023";
        let ignored = [
            Constraint::new(ConstraintKind::Period, "2023"),
            Constraint::new(ConstraintKind::Operation, "value"),
        ];
        assert_eq!(without(text, &ignored), "Scope 1 and 2 emissions in");
        let question = Question::read(&without(text, &ignored)).ignoring(&ignored);
        assert_eq!(
            question.constraints(),
            [Constraint::new(ConstraintKind::Scope, "1 and 2")],
            "neither the year nor that a figure is asked for"
        );
        assert_eq!(without("2023", &[Constraint::new(ConstraintKind::Period, "2023")]), "2023");
        let scope = [Constraint::new(ConstraintKind::Scope, "1 and 2")];
        assert_eq!(without(text, &scope), "emissions in 2023");
    }
}
