//! Findings on items of metrics, which follow their item when its words change. Also what the parts of the
//! standards with findings ask for.

use super::{StandardRows, field, id_of};
use crate::error::{Error, Result};
use crate::explanation::{advice, joined};
use crate::library::Standards;
use crate::metric::{StandardMetric, anchor, metric_of};
use crate::standing::{At, Cited, Standings};
use crate::store::table::review::{PinnedPassage, Review};
use sibyl_text::Span;
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// What a finding is on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Asked {
    /// A metric.
    Metric(Box<StandardMetric>),
    /// A part of a metric, by its name: `measured`, `counts` …
    Part(&'static str),
    /// A paragraph, item or topic that has advice to reviewers.
    Advice(String),
}

impl Standards<'_> {
    /// What the parts of the standards in `ids` ask for, if there is more to say than their words.
    pub async fn asked(&self, workspace: &str, ids: &BTreeSet<&str>) -> Result<BTreeMap<String, Asked>> {
        let workspace = self.library.store().workspace(workspace).await?.id;
        let standards = self.rows(workspace, None).await?;
        let mut out = BTreeMap::new();
        for row in standards.rows.iter().chain(&standards.apart) {
            let Some(id) = id_of(row).filter(|id| ids.contains(id)) else { continue };
            if let Some(advice) = advice(row) {
                out.entry(id.to_owned()).or_insert(Asked::Advice(advice));
            }
        }
        for &id in ids {
            let Some(metric) = standards.metric(metric_of(id).unwrap_or(id)) else { continue };
            let part = metric.items().find(|(_, item)| item.id == id).map(|(part, _)| part);
            let asked = match part {
                Some(part) => Asked::Part(part),
                None if metric.code == id => Asked::Metric(Box::new(metric)),
                None => continue,
            };
            out.insert(id.to_owned(), asked);
        }
        Ok(out)
    }

    /// All findings of `workspace`, of one report or of all, by report and paragraph. A finding on an item of a
    /// metric names the item by today's id, and [`Review::words`] holds what the item said when the finding was
    /// kept. If the metric no longer has the item, the finding keeps its former id. Pinned passages say how their
    /// sources stand now.
    pub async fn reviews(&self, workspace: &str, report: Option<String>) -> Result<Vec<Review>> {
        let workspace = self.library.store().workspace(workspace).await?.id;
        let mut reviews = self.library.store().reviews(workspace, report).await?;
        self.compare(workspace, &mut reviews).await?;
        if reviews.iter().all(|review| metric_of(&review.paragraph_id).is_none()) {
            return Ok(reviews);
        }
        let standards = self.rows(workspace, None).await?;
        for (index, id) in moved(&standards, &reviews) {
            reviews[index].paragraph_id = id;
        }
        Ok(reviews)
    }

    /// Makes the passages pinned to `reviews` say the present state of their sources.
    async fn compare(&self, workspace: i64, reviews: &mut [Review]) -> Result<()> {
        let store = self.library.store();
        let mut standings = Standings::new(store, workspace);
        let mut documents: HashMap<String, Vec<i64>> = HashMap::new();
        for review in reviews {
            for passage in &mut review.passages {
                if !documents.contains_key(&passage.path) {
                    let found = store.documents_at(workspace, &passage.path).await?;
                    documents.insert(passage.path.clone(), found);
                }
                let known = documents.get(&passage.path).map(Vec::as_slice).unwrap_or_default();
                let cited = |document: i64| Cited {
                    document,
                    version: &passage.text_version,
                    at: At::Bytes(Span::new(passage.start, passage.end)),
                    quote: &passage.quote,
                };
                let source = standings.of_report(known, &review.report_id, cited).await?;
                passage.source = Some(source);
            }
        }
        Ok(())
    }

    /// Refuses passages that are not where they claim, in the version of the text that they name. Passages of an
    /// existing finding stay as they are, and those without a version cannot be checked.
    async fn check_passages(&self, workspace: i64, reviews: &[Review]) -> Result<()> {
        let store = self.library.store();
        for review in reviews {
            let kept = store.review(workspace, &review.report_id, &review.paragraph_id).await?;
            let kept = kept.map(|review| review.passages).unwrap_or_default();
            let same = |passage: &PinnedPassage| {
                let place =
                    |one: &PinnedPassage| (one.text_version.clone(), one.start, one.end, one.quote.clone());
                kept.iter().any(|one| place(one) == place(passage))
            };
            for passage in review.passages.iter().filter(|one| !one.text_version.is_empty() && !same(one)) {
                let text = store.text_version(workspace, 0, &passage.text_version).await?;
                let text = text.as_ref().map(|text| text.content.text.as_str());
                if text.and_then(|text| text.get(passage.start..passage.end)) != Some(&passage.quote) {
                    let why = match text {
                        Some(_) => "does not occur there",
                        None => "is of a version that the library does not have",
                    };
                    return Err(Error::Invalid(format!(
                        "the passage “{}” pinned to {} {why}: `text_version`, `start`, `end` and `quote` must be those of \
                         the document as it is now; find the passage again and pin it",
                        passage.quote, review.paragraph_id
                    )));
                }
            }
        }
        Ok(())
    }

    /// Keeps findings in one transaction, each in place of an earlier one on the same paragraph in the same report. One on an
    /// item of a metric keeps the words that the item has today. What is decided in them is kept with the decisions.
    pub async fn put_reviews(&self, workspace: &str, reviews: Vec<Review>) -> Result<Vec<Review>> {
        let workspace = self.library.store().workspace(workspace).await?.id;
        let checked = self.checked_reviews(workspace, reviews).await?;
        Ok(self.library.store().put_reviews(workspace, checked).await?)
    }

    /// `reviews` as the store keeps them: with the words that the items of metrics have today, and with their former ids.
    ///
    /// # Errors
    /// [`Error::Invalid`] if a pinned passage is not in its document.
    pub(crate) async fn checked_reviews(
        &self,
        workspace: i64,
        reviews: Vec<Review>,
    ) -> Result<Vec<(Review, Option<String>)>> {
        self.check_passages(workspace, &reviews).await?;
        let of_metrics = reviews.iter().any(|review| metric_of(&review.paragraph_id).is_some());
        let standards = if of_metrics { Some(self.rows(workspace, None).await?) } else { None };
        let mut kept = Vec::with_capacity(reviews.len());
        for mut review in reviews {
            let mut former = None;
            if let (Some(code), Some(standards)) = (metric_of(&review.paragraph_id), &standards) {
                let metric = standards.metric(code);
                let mut items = metric.iter().flat_map(StandardMetric::items);
                if let Some((_, item)) = items.find(|(_, item)| item.id == review.paragraph_id) {
                    review.words.clone_from(&item.text);
                }
                let stored = self.library.store().reviews(workspace, Some(review.report_id.clone())).await?;
                let here = moved(standards, &stored).into_iter().find(|(_, id)| *id == review.paragraph_id);
                former = here.map(|(index, _)| stored[index].paragraph_id.clone());
            }
            kept.push((review, former));
        }
        Ok(kept)
    }
}

impl StandardRows {
    /// The metric `code` as the parts of its topic define it.
    fn metric(&self, code: &str) -> Option<StandardMetric> {
        let topic = code.rsplit_once('.')?.0;
        let parts = self.rows.iter().filter(|row| field(row, "topic_code") == topic);
        let mut metric =
            StandardMetric::read(&joined(parts)).into_iter().find(|metric| metric.code == code)?;
        self.requirements.tell(&mut metric);
        Some(metric)
    }
}

/// Findings whose item has another id today: the place of each in `reviews`, and that id.
fn moved(standards: &StandardRows, reviews: &[Review]) -> Vec<(usize, String)> {
    let mut groups: BTreeMap<(&str, &str), Vec<usize>> = BTreeMap::new();
    for (index, review) in reviews.iter().enumerate() {
        if let Some(code) = metric_of(&review.paragraph_id) {
            groups.entry((code, &review.report_id)).or_default().push(index);
        }
    }
    let mut known: Option<(&str, Option<StandardMetric>)> = None;
    let mut out = Vec::new();
    for ((code, _), group) in groups {
        if known.as_ref().is_none_or(|(other, _)| *other != code) {
            known = Some((code, standards.metric(code)));
        }
        let Some((_, Some(metric))) = &known else { continue };
        let findings: Vec<(&str, &str)> =
            group.iter().map(|&n| (reviews[n].paragraph_id.as_str(), reviews[n].words.as_str())).collect();
        for (&index, anchor) in group.iter().zip(anchor(metric, &findings)) {
            if let Some(id) = anchor.filter(|id| *id != reviews[index].paragraph_id) {
                out.push((index, id.to_owned()));
            }
        }
    }
    out
}
