//! What a metric asks for, part by part: what is measured, the lists after it, and advice to reviewers.
//!
//! ```text
//! - **TR-AL-310a.2** *(Quantitative; unit: Number)* **Work stoppages.** What is measured.
//!
//!   *Counts:*
//!   - One item.
//!   - Another item.
//!
//!   *In review:* Advice.
//! ```

use crate::document::Span;

/// A list that a metric may have, in the order of the text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum List {
    /// What is in: scope, thresholds, how a case is timed, how things are calculated.
    Counts,
    /// What is out.
    DoesNotCount,
    /// Defined terms with their gist.
    Definitions,
    /// What the standard asks to be said besides the number.
    AlsoToBeDiscussed,
    /// What the standard leaves open.
    MayBeAdded,
}

impl List {
    /// Every list.
    pub const ALL: [Self; 5] =
        [Self::Counts, Self::DoesNotCount, Self::Definitions, Self::AlsoToBeDiscussed, Self::MayBeAdded];

    /// Its label in the text.
    pub const fn label(self) -> &'static str {
        match self {
            Self::Counts => "Counts",
            Self::DoesNotCount => "Does not count",
            Self::Definitions => "Definitions",
            Self::AlsoToBeDiscussed => "Also to be discussed",
            Self::MayBeAdded => "May be added",
        }
    }

    /// Its name in data and in the ids of its items.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Counts => "counts",
            Self::DoesNotCount => "does_not_count",
            Self::Definitions => "definitions",
            Self::AlsoToBeDiscussed => "also_to_be_discussed",
            Self::MayBeAdded => "may_be_added",
        }
    }
}

const IN_REVIEW: &str = "In review";

/// The parts of a metric after its label. A text without lists has only what is measured.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Requirement {
    /// The prose after the label.
    pub measured: Option<Span>,
    /// Items with the name of their list, in reading order; without their bullets.
    pub items: Vec<(List, Span)>,
    /// Advice to reviewers, without its label.
    pub in_review: Option<Span>,
    /// Where the label lines start.
    pub(super) labels: Vec<usize>,
    /// Where the lines start that are not among its parts, such as `*Asked as:*`.
    pub(super) beside: Option<usize>,
}

/// What the lines being read belong to.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    Measured,
    List(List),
    InReview,
    /// A named line that is not among a metric's parts, such as `*Asked as:*`.
    Other,
}

impl Requirement {
    /// Reads `span` of `text`: the text after a metric's label.
    pub(super) fn read(text: &str, span: Span) -> Self {
        let mut out = Self::default();
        let mut part = Part::Measured;
        // Columns of the list's bullets, and whether its last item continues.
        let (mut bullets, mut goes_on) = (None, false);
        let mut at = span.start;
        for line in span.of(text).split_inclusive('\n') {
            let start = at;
            at += line.len();
            let indent = line.len() - line.trim_start().len();
            let words = Span::new(start + indent, start + line.trim_end().len());
            if words.end <= words.start {
                goes_on = false;
                continue;
            }
            let first = start == span.start;
            if let Some((name, rest)) = label(words.of(text)).filter(|_| !first) {
                let list = List::ALL.into_iter().find(|list| list.label() == name);
                part = match list {
                    Some(list) => Part::List(list),
                    None if name == IN_REVIEW => Part::InReview,
                    None => Part::Other,
                };
                match part {
                    Part::Other => out.beside = out.beside.or(Some(start)),
                    _ => out.labels.push(start),
                }
                (bullets, goes_on) = (None, false);
                if !rest.is_empty() {
                    out.add(part, Span::new(words.end - rest.len(), words.end), false);
                    goes_on = true;
                }
                continue;
            }
            let Part::List(_) = part else {
                out.add(part, words, true);
                continue;
            };
            let bullet = bullet(words.of(text)).filter(|_| bullets.is_none_or(|column| indent <= column));
            match bullet {
                Some(length) => {
                    bullets.get_or_insert(indent);
                    out.add(part, Span::new(words.start + length, words.end), false);
                }
                None => out.add(part, words, goes_on),
            }
            goes_on = true;
        }
        out
    }

    /// Adds a line to the part's text; if `joined`, to that of its last item.
    fn add(&mut self, part: Part, line: Span, joined: bool) {
        let last = match part {
            Part::Measured => self.measured.get_or_insert(line),
            Part::InReview => self.in_review.get_or_insert(line),
            Part::List(list) => {
                if !joined || self.items.last().is_none_or(|(other, _)| *other != list) {
                    self.items.push((list, line));
                }
                match self.items.last_mut() {
                    Some((_, span)) => span,
                    None => return,
                }
            }
            Part::Other => return,
        };
        last.end = line.end;
    }

    /// Items of one list, in reading order.
    pub fn list(&self, wanted: List) -> impl Iterator<Item = Span> + '_ {
        self.items.iter().filter(move |(list, _)| *list == wanted).map(|(_, span)| *span)
    }
}

/// `*Name:* rest`.
fn label(line: &str) -> Option<(&str, &str)> {
    let (name, rest) = line.strip_prefix('*')?.split_once(":*")?;
    (!name.is_empty() && !name.contains('*')).then(|| (name, rest.trim_start()))
}

/// Length of the bullet that opens `line`, with the space after it.
fn bullet(line: &str) -> Option<usize> {
    let rest = line.strip_prefix(['-', '*', '+', '•'])?;
    let words = rest.trim_start();
    (words.len() < rest.len() && !words.is_empty()).then(|| line.len() - words.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    const METRIC: &str = "The number of stoppages\n  of a full shift.\n\n  *Counts:*\n  - Strikes and lockouts\n    alike.\n  \
        - Days lost:\n    - of own staff,\n    - of others.\n\n  *Does not count:* Idle time.\n\n  *Definitions:*\n  - **Lockout**: \
        staff kept out.\n\n  *Also to be discussed:*\n\n  - Why each came about.\n\n  - What was done.\n\n  *May be added:*\n  \
        * The cost.\n\n  *In review:* Ask for\n  the list.\n\n  *Asked as:* strikes; lockouts.\n";

    fn shown(text: &str) -> (Option<&str>, Vec<(List, &str)>, Option<&str>) {
        let read = Requirement::read(text, Span::new(0, text.len()));
        (
            read.measured.map(|span| span.of(text)),
            read.items.iter().map(|(list, span)| (*list, span.of(text))).collect(),
            read.in_review.map(|span| span.of(text)),
        )
    }

    #[test]
    fn every_part_is_found_with_its_items() {
        let (measured, items, in_review) = shown(METRIC);
        assert_eq!(measured, Some("The number of stoppages\n  of a full shift."));
        assert_eq!(
            items,
            [
                (List::Counts, "Strikes and lockouts\n    alike."),
                (List::Counts, "Days lost:\n    - of own staff,\n    - of others."),
                (List::DoesNotCount, "Idle time."),
                (List::Definitions, "**Lockout**: staff kept out."),
                (List::AlsoToBeDiscussed, "Why each came about."),
                (List::AlsoToBeDiscussed, "What was done."),
                (List::MayBeAdded, "The cost."),
            ]
        );
        assert_eq!(in_review, Some("Ask for\n  the list."));
    }

    #[test]
    fn a_metric_without_lists_is_what_is_measured() {
        for text in ["Jet fuel burned.\n", "Jet fuel burned.\n\n*Asked as:* fuel.\n"] {
            assert_eq!(shown(text), (Some("Jet fuel burned."), vec![], None), "{text}");
        }
        assert_eq!(shown("\n \n"), (None, vec![], None));
        // Emphasis is no label, and a label opens a line.
        let text = "*Scope:* 1 only, *not* 2.\n\n*Counts:*\n*Counts:* *x*\n";
        assert_eq!(shown(text), (Some("*Scope:* 1 only, *not* 2."), vec![(List::Counts, "*x*")], None));
    }
}
