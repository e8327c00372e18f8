//! A metric as data: what is measured, and the items of its lists, each with an id that outlives its number.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
pub use sibyl_text::chunk::sasb::List;
use sibyl_text::chunk::sasb::{Metric, metrics};
use sibyl_text::{Span, reference};
use std::collections::{BTreeSet, HashMap};

/// What is measured, or an item of one of a metric's lists: what a reviewer marks.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct MetricItem {
    /// Code of the metric, name of the list and the item's first words, such as
    /// `TR-AL-310a.2.also_to_be_discussed.why-each-stoppage-came-about`. For what is measured, code and
    /// `measured`.
    pub id: String,
    /// Its number among those of the metric, in reading order; what is measured is 1.
    pub number: usize,
    /// The term that it defines, if it opens with one in bold.
    pub term: Option<String>,
    /// Its words, on one line.
    pub text: String,
    /// The requirements of the standard that it states, if known: those of the shipped metrics.
    pub states: Vec<StandardRequirement>,
}

/// What the standard asks of a metric, in short words of our own.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct StandardRequirement {
    /// What kind of requirement it is.
    pub kind: RequirementKind,
    /// Its words.
    pub words: String,
}

/// A kind of requirement.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum RequirementKind {
    /// What is measured or described.
    Measure,
    /// What it is divided by, or how a rate is formed.
    Base,
    /// What counts.
    Includes,
    /// What does not count.
    Excludes,
    /// What a term means.
    Terms,
    /// What is to be disclosed besides the measure.
    Discuss,
    /// What may be disclosed.
    May,
}

/// A metric of a topic. Lists that it does not have are empty.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct StandardMetric {
    /// Metric code.
    pub code: String,
    /// Its label.
    pub label: String,
    /// `Quantitative` or `Discussion and Analysis`.
    pub category: String,
    /// Unit of measure as the standard prints it.
    pub unit: String,
    /// What is measured, or what is to be described.
    pub measured: MetricItem,
    /// What is in: scope, thresholds, how a case is timed, how things are calculated.
    pub counts: Vec<MetricItem>,
    /// What is out.
    pub does_not_count: Vec<MetricItem>,
    /// Defined terms with their gist.
    pub definitions: Vec<MetricItem>,
    /// What the standard asks to be said besides the number.
    pub also_to_be_discussed: Vec<MetricItem>,
    /// What the standard leaves open.
    pub may_be_added: Vec<MetricItem>,
    /// Advice to reviewers, which is no part of the standard.
    pub in_review: Option<String>,
}

impl StandardMetric {
    /// The metrics that `text`, the Markdown of a topic, defines.
    pub(crate) fn read(text: &str) -> Vec<Self> {
        metrics(text).into_iter().map(|metric| Self::of(text, metric)).collect()
    }

    fn of(text: &str, metric: Metric) -> Self {
        let asked = &metric.requirement;
        let mut seen = BTreeSet::new();
        let mut number = 1;
        let mut list = |list: List| -> Vec<MetricItem> {
            let own = asked.list(list).map(|span| one_line(text, span));
            own.map(|words| {
                number += 1;
                item(&metric.code, number, list, &words, &mut seen)
            })
            .collect()
        };
        Self {
            // Numbers follow the order of the lists.
            counts: list(List::Counts),
            does_not_count: list(List::DoesNotCount),
            definitions: list(List::Definitions),
            also_to_be_discussed: list(List::AlsoToBeDiscussed),
            may_be_added: list(List::MayBeAdded),
            measured: MetricItem {
                id: format!("{}.{MEASURED}", metric.code),
                number: 1,
                term: None,
                text: asked.measured.map(|span| one_line(text, span)).unwrap_or_default(),
                states: Vec::new(),
            },
            in_review: asked.in_review.map(|span| one_line(text, span)),
            label: metric.label.unwrap_or_default(),
            category: metric.category.unwrap_or_default(),
            unit: metric.unit.unwrap_or_default(),
            code: metric.code,
        }
    }

    /// What is measured and the items of its lists, each with the name of its part.
    pub(crate) fn items(&self) -> impl Iterator<Item = (&'static str, &MetricItem)> {
        let lists = List::ALL.into_iter();
        std::iter::once((MEASURED, &self.measured))
            .chain(lists.flat_map(|list| self.list(list).iter().map(move |item| (list.name(), item))))
    }

    /// What is measured and the items of its lists, to be changed.
    pub(crate) fn items_mut(&mut self) -> impl Iterator<Item = &mut MetricItem> {
        std::iter::once(&mut self.measured)
            .chain(&mut self.counts)
            .chain(&mut self.does_not_count)
            .chain(&mut self.definitions)
            .chain(&mut self.also_to_be_discussed)
            .chain(&mut self.may_be_added)
    }

    /// Items of one list, in reading order.
    pub fn list(&self, list: List) -> &[MetricItem] {
        match list {
            List::Counts => &self.counts,
            List::DoesNotCount => &self.does_not_count,
            List::Definitions => &self.definitions,
            List::AlsoToBeDiscussed => &self.also_to_be_discussed,
            List::MayBeAdded => &self.may_be_added,
        }
    }
}

/// Name of the part with what is measured.
pub(crate) const MEASURED: &str = "measured";

/// Number of an item's words in its id.
const ID_WORDS: usize = 5;

fn item(code: &str, number: usize, list: List, words: &str, seen: &mut BTreeSet<String>) -> MetricItem {
    let text = words.replace("**", "");
    let term = words.strip_prefix("**").and_then(|rest| rest.split_once("**")).map(|(term, _)| term);
    let first: Vec<String> = plain_words(&text).take(ID_WORDS).collect();
    let id = format!("{code}.{}.{}", list.name(), first.join("-"));
    // Of items that begin alike, those after the first are distinguished by a count.
    let counted = (2..).map(|n| format!("{id}-{n}"));
    let id = std::iter::once(id.clone()).chain(counted).find(|id| !seen.contains(id)).unwrap_or(id);
    seen.insert(id.clone());
    let term = term.map(|term| term.trim_end_matches(':').to_owned());
    MetricItem { id, number, term, text, states: Vec::new() }
}

/// The code of the metric if `id` names one of its items.
pub(crate) fn metric_of(id: &str) -> Option<&str> {
    let list = || List::ALL.into_iter().find_map(|list| id.find(&format!(".{}.", list.name())));
    let code = match id.strip_suffix(MEASURED).and_then(|rest| rest.strip_suffix('.')) {
        Some(code) => code,
        None => &id[..list()?],
    };
    let found = reference::detect(code);
    found.first().is_some_and(|found| found.span == Span::new(0, code.len())).then_some(code)
}

/// Share of words that two texts must have in common to count as one item that was edited.
const ALIKE: f64 = 0.5;

/// For each finding (its id, and the words that it was about), the id that its item has today; `None` if `metric`
/// no longer has the item. A finding stays with its id if that is still there. Else it goes to the item whose
/// words are most like its own. They must share at least half of the words of both, and no other finding may be
/// there.
pub(crate) fn anchor<'a>(metric: &'a StandardMetric, findings: &[(&str, &str)]) -> Vec<Option<&'a str>> {
    let items: Vec<&MetricItem> = metric.items().map(|(_, item)| item).collect();
    let mut anchors: Vec<Option<&str>> = findings
        .iter()
        .map(|(id, _)| items.iter().find(|item| item.id == *id).map(|item| item.id.as_str()))
        .collect();
    let mut alike: Vec<(f64, usize, &str)> = Vec::new();
    for (finding, (_, words)) in findings.iter().enumerate().filter(|(n, _)| anchors[*n].is_none()) {
        let likeness = items.iter().map(|item| (shared(words, &item.text), finding, item.id.as_str()));
        alike.extend(likeness.filter(|(share, ..)| *share >= ALIKE));
    }
    alike.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    for (_, finding, id) in alike {
        if anchors[finding].is_none() && !anchors.contains(&Some(id)) {
            anchors[finding] = Some(id);
        }
    }
    anchors
}

/// Words that both texts have, over words that one of them has (Jaccard index).
fn shared(a: &str, b: &str) -> f64 {
    let mut held: HashMap<String, (bool, bool)> = HashMap::new();
    plain_words(a).for_each(|word| held.entry(word).or_default().0 = true);
    plain_words(b).for_each(|word| held.entry(word).or_default().1 = true);
    let both = held.values().filter(|(a, b)| *a && *b).count();
    if held.is_empty() { 0.0 } else { both as f64 / held.len() as f64 }
}

fn plain_words(text: &str) -> impl Iterator<Item = String> + '_ {
    text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).map(str::to_lowercase)
}

fn one_line(text: &str, span: Span) -> String {
    span.of(text).split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "- **TR-AL-310a.2** *(Quantitative; unit: Number, Days)* **Stoppages.** Their number\n  and length.\n\n  \
        *Counts:*\n  - Strikes and lockouts.\n\n  *Definitions:*\n  - **Lockout**: staff are kept\n    out.\n\n  *Also to be \
        discussed:*\n  - Why each stoppage came about, and what it did.\n  - Why each stoppage came about and ended.\n\n  *In \
        review:* Ask for the list.\n";
    const DISCUSSED: &str = "TR-AL-310a.2.also_to_be_discussed";

    fn stoppages(text: &str) -> StandardMetric {
        StandardMetric::read(text).remove(0)
    }

    #[test]
    fn a_metric_is_data() {
        let metric = stoppages(TEXT);
        assert_eq!((metric.label.as_str(), metric.unit.as_str()), ("Stoppages", "Number, Days"));
        assert_eq!(metric.measured.text, "Their number and length.");
        assert_eq!(metric.measured.id, "TR-AL-310a.2.measured");
        let numbers: Vec<usize> = metric.items().map(|(_, item)| item.number).collect();
        assert_eq!(numbers, [1, 2, 3, 4, 5]);
        assert_eq!(metric.counts[0].id, "TR-AL-310a.2.counts.strikes-and-lockouts");
        assert_eq!(metric.definitions[0].term.as_deref(), Some("Lockout"));
        assert_eq!(metric.definitions[0].text, "Lockout: staff are kept out.");
        let ids: Vec<&str> = metric.also_to_be_discussed.iter().map(|item| item.id.as_str()).collect();
        let first = format!("{DISCUSSED}.why-each-stoppage-came-about");
        assert_eq!(ids, [first.as_str(), &format!("{first}-2")]);
        assert_eq!(metric.in_review.as_deref(), Some("Ask for the list."));
        assert!(metric.does_not_count.is_empty() && metric.may_be_added.is_empty());
        for (_, item) in metric.items() {
            assert_eq!(metric_of(&item.id), Some("TR-AL-310a.2"), "{}", item.id);
        }
        for id in ["TR-AL-310a.2", "TR-AL-310a", "S2.14(a)", "S1.A.users", "x.counts.y", "x.measured", ""] {
            assert_eq!(metric_of(id), None, "{id}");
        }
    }

    #[test]
    fn a_finding_follows_its_item() {
        let metric = stoppages(TEXT);
        let id = |words: &str| format!("{DISCUSSED}.{words}");
        let first = id("why-each-stoppage-came-about");
        let second = id("why-each-stoppage-came-about-2");
        let old = id("reasons-why-each-stoppage-came");
        let gone = id("what-the-weather-was");
        // Its own id; words that changed a little; words that are gone.
        let findings = [
            (first.as_str(), "Quite other words."),
            (old.as_str(), "Reasons why each stoppage came about and ended."),
            (gone.as_str(), "What the weather was."),
        ];
        assert_eq!(anchor(&metric, &findings), [Some(first.as_str()), Some(second.as_str()), None]);
        // Two findings never share an item: the one that is more alike has it.
        let older = id("reasons");
        let findings =
            [(older.as_str(), "Reasons why each stoppage came about"), (first.as_str(), ""), findings[1]];
        assert_eq!(anchor(&metric, &findings), [None, Some(first.as_str()), Some(second.as_str())]);
    }
}
