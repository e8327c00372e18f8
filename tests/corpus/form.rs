//! The form of a metric's parts: which there are, in which order, and how their items are written.

use crate::explained;
use sibyl_text::chunk::sasb::{self, List};
use std::collections::BTreeMap;

/// The parts after a metric's first paragraph, in order; the last two have their text on their own line.
const PARTS: [&str; 7] = [
    "Counts",
    "Does not count",
    "Definitions",
    "Also to be discussed",
    "May be added",
    "In review",
    "Asked as",
];
const LISTS: usize = 5;

/// What the label of the list says already.
const LIST_VERBS: [&str; 6] = ["Describes", "Discusses", "Discloses", "Explains", "Names", "States"];

/// What is wrong with the parts of the metrics of a file.
fn faults(text: &str) -> Vec<String> {
    let mut out = Vec::new();
    let mut metric: Option<(String, usize)> = None;
    for block in text.split("\n\n").map(|block| block.trim_matches('\n')) {
        if let Some(words) = block.strip_prefix("- **") {
            metric = Some((words.split('*').next().unwrap_or_default().to_owned(), 0));
            continue;
        }
        let Some((code, next)) = metric.as_mut().filter(|_| block.starts_with(' ')) else {
            metric = None;
            continue;
        };
        let mut fault = |what: &str| out.push(format!("{code}: {what}: {block}"));
        let mut lines = block.lines();
        let label = lines.next().unwrap_or_default();
        let named = label.strip_prefix("  *").and_then(|rest| rest.split_once(":*"));
        let Some((name, rest)) = named else {
            fault("a paragraph without a label");
            continue;
        };
        let Some(place) = PARTS.iter().position(|part| *part == name) else {
            fault("an unknown label");
            continue;
        };
        if place < *next {
            fault("out of order");
        }
        *next = place + 1;
        let lines: Vec<&str> = lines.collect();
        if place >= LISTS {
            if rest.trim().is_empty() {
                fault("no text on the line of the label");
            }
            continue;
        }
        if !rest.is_empty() {
            fault("text on the line of the label");
        }
        if !lines.first().is_some_and(|line| line.starts_with("  - ")) {
            fault("no item below the label");
        }
        let mut items: Vec<String> = Vec::new();
        for line in lines {
            if let Some(item) = line.strip_prefix("  - ") {
                items.push(item.to_owned());
            } else if let (Some(more), Some(item)) = (line.strip_prefix("    "), items.last_mut()) {
                item.push_str(more);
            } else {
                fault("an indent that is none");
            }
        }
        for item in items {
            if !item.ends_with(['.', '”']) && !item.ends_with(".)") {
                fault("an item without a full stop");
            }
            if sibyl_text::reference::detect(&item).first().is_some_and(|found| found.span.start == 0) {
                fault("an item that opens with a code");
            }
            let verb = item.split([' ', ',']).next().unwrap_or_default();
            if name == "Also to be discussed" && LIST_VERBS.contains(&verb) {
                fault("an item that opens with the verb of its list");
            }
            if name == "Definitions" && !item.strip_prefix("**").is_some_and(|rest| rest.contains("**")) {
                fault("a definition that does not open with its term");
            }
        }
    }
    out
}

#[test]
fn the_parts_of_every_metric_have_their_form() {
    for (name, text) in explained::files().iter().filter(|(_, text)| text.contains("standard: SASB")) {
        assert_eq!(faults(text), Vec::<String>::new(), "{name}");
    }
}

#[test]
fn a_fault_of_form_is_found() {
    let metric = |parts: &str| {
        format!("- **TR-AL-310a.2** *(Quantitative; unit: Days)* **Stoppages.** Days.\n\n{parts}\n")
    };
    let right = "  *Counts:*\n  - Strikes and\n    lockouts.\n  - “Days”.\n\n  *Definitions:*\n  - **Lockout**: x.\n\n  *In review:* Ask.";
    assert_eq!(faults(&metric(right)), Vec::<String>::new());
    for (parts, what) in [
        ("  *Counts:*\n\n  - Strikes.", "no item below"),
        ("  *Counts:* Strikes.", "text on the line"),
        ("  *Counts:*\n  - Strikes", "full stop"),
        ("  *Counts:*\n  - Strikes\n  and more.", "indent"),
        ("  *Counts:*\n  - TR-AL-310a.1 is another.", "opens with a code"),
        ("  *Definitions:*\n  - Lockout: x.", "does not open with its term"),
        ("  *Also to be discussed:*\n  - Discusses strikes.", "the verb of its list"),
        ("  *Included:*\n  - Strikes.", "unknown label"),
        ("  *Does not count:*\n  - Tea.\n\n  *Counts:*\n  - Strikes.", "out of order"),
        ("  *In review:*\n  - Ask.", "no text on the line"),
        ("  More words.", "without a label"),
    ] {
        let found = faults(&metric(parts));
        assert!(found.iter().any(|fault| fault.contains(what)), "{parts}: {found:?}");
    }
}

/// The chunker and this reader find the same parts, so that each checks the other.
#[test]
fn both_readers_find_the_same_parts() {
    let one_line = |words: &str| words.split_whitespace().collect::<Vec<_>>().join(" ");
    let mut count = 0;
    for (name, text) in explained::files().iter().filter(|(_, text)| text.contains("standard: SASB")) {
        let explanations: BTreeMap<_, _> = explained::explanations(text).into_iter().collect();
        for metric in sasb::metrics(text) {
            count += 1;
            let other = &explanations[&metric.code];
            let asked = &metric.requirement;
            let measured = asked.measured.map(|span| one_line(span.of(text))).unwrap_or_default();
            assert_eq!(measured, other.prose, "{name}: {}", metric.code);
            let advice = asked.in_review.map(|span| one_line(span.of(text)));
            assert_eq!(advice.as_ref(), other.lines.get("In review"), "{name}: {}", metric.code);
            for list in List::ALL {
                let items: Vec<String> = asked.list(list).map(|span| one_line(span.of(text))).collect();
                let others = other.lists.get(list.label()).cloned().unwrap_or_default();
                assert_eq!(items, others, "{name}: {}", metric.code);
            }
        }
    }
    assert_eq!(count, 982 + 217);
}
