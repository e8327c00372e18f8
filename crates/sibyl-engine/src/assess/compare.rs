//! Two reports of an assessment side by side: what each says to a requirement, and what changed between them. They are two
//! years of an issuer, two versions of a report, or reports of two issuers.

mod counterpart;
mod figures;
mod words;

pub use figures::{ComparedFigure, FigureAgreement};
pub use words::ComparedWords;

use super::earlier::{earlier_report, is_carried};
use super::grid::ReportColumn;
use super::pin::place;
use super::propose::AssessmentProposal;
use super::requirement::RequirementRow;
use super::run::made_of;
use super::{Assessment, unknown_report};
use crate::error::{Error, Result};
use crate::library::Assessing;
use crate::store::table::review::{PinnedPassage, Review, ReviewStatus};
use counterpart::{Report, Sentence, same_section};
use figures::restated;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::{HashMap, HashSet};
use std::sync::Arc;
use words::{differences, whole};

/// Passages of each report that are compared for a requirement, best first.
const COMPARED: usize = 3;

/// How two reports are related.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ComparedAs {
    /// Reports of one issuer on two years.
    Years,
    /// Reports of one issuer on one year, or on unknown years.
    Versions,
    /// Reports of two issuers.
    Issuers,
}

/// How what the reports say about a requirement changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ChangeKind {
    /// Only the later report says something.
    New,
    /// Only the earlier report says something.
    Gone,
    /// Both do, but nothing that the one says has a counterpart in the other.
    Different,
    /// Both do, in other words.
    Reworded,
    /// Both do in the same words, under another heading.
    Moved,
    /// The later report gives another number for the same thing and period.
    Restated,
    /// Both do in the same words under the same heading.
    Same,
    /// Neither says anything.
    None,
    /// It is not known what one of them says: its proposal is missing or out of date, and nothing is pinned.
    Waiting,
}

/// A passage of one of the reports.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ComparedPassage {
    /// Row id of the document.
    pub document_id: i64,
    /// Where it is in the document's text: first UTF-16 code unit and one past the last.
    pub span: (usize, usize),
    /// Its words, in stretches that the other passage has or lacks.
    pub words: Vec<ComparedWords>,
    /// Headings above it, from the outermost down.
    pub section: Vec<String>,
    /// Physical page.
    pub page: Option<u32>,
    /// Label printed on that page, if it differs from its number.
    pub page_label: Option<String>,
}

/// A passage of one report beside its counterpart in the other.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ComparedPair {
    /// How it changed: `same`, `moved`, `reworded`, `new` or `gone`.
    pub kind: ChangeKind,
    /// What the earlier report says.
    pub earlier: Option<ComparedPassage>,
    /// What the later report says.
    pub later: Option<ComparedPassage>,
}

/// What changed of a requirement.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct RequirementChange {
    /// Its row, from 0.
    pub row: usize,
    /// What changed.
    pub kind: ChangeKind,
    /// What the reports say, what meets the requirement best first.
    pub pairs: Vec<ComparedPair>,
    /// Figures of its metric.
    pub figures: Vec<ComparedFigure>,
    /// If one report says nothing, its nearest passage. It is not used.
    pub nearest: Option<ComparedPassage>,
    /// The decision on the earlier report.
    pub earlier: ReviewStatus,
    /// The decision on the later report.
    pub later: ReviewStatus,
    /// Whether the earlier decision waits to be confirmed for the later report.
    pub carried: bool,
}

/// Two reports of an assessment side by side.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ReportComparison {
    /// How they are related.
    pub compared_as: ComparedAs,
    /// The earlier report.
    pub earlier: ReportColumn,
    /// The later report.
    pub later: ReportColumn,
    /// Requirements in reading order, below their headings.
    pub rows: Vec<RequirementRow>,
    /// What changed of each requirement that is asked of both, in the order of the rows.
    pub changes: Vec<RequirementChange>,
    /// Number of proposals of the two that are missing or out of date and therefore not compared.
    pub waiting: usize,
}

/// One of the two reports.
struct Side {
    report: Report,
    reviews: HashMap<String, Review>,
    proposals: HashMap<String, AssessmentProposal>,
}

impl Side {
    /// Whether it is known what it says about `requirement`: something is pinned, or proposed from its current
    /// text.
    fn is_known(&self, requirement: &str) -> bool {
        self.reviews.get(requirement).is_some_and(|review| !review.passages.is_empty())
            || self.proposals.contains_key(requirement)
    }

    /// What it says about `requirement`: what a reviewer pinned, else what is proposed.
    fn says(&self, requirement: &str) -> Vec<Sentence> {
        let pinned = self.reviews.get(requirement).map(|review| review.passages.as_slice());
        match pinned.filter(|passages| !passages.is_empty()) {
            Some(passages) => self.placed(passages.iter()),
            None => {
                let proposal = self.proposals.get(requirement);
                self.placed(proposal.iter().flat_map(|proposal| &proposal.evidence).map(|one| &one.pin))
            }
        }
    }

    fn placed<'p>(&self, passages: impl Iterator<Item = &'p PinnedPassage>) -> Vec<Sentence> {
        passages.filter_map(|pin| self.place(pin)).take(COMPARED).collect()
    }

    /// The passage nearest to `requirement` that is no evidence.
    fn nearest(&self, requirement: &str) -> Option<Sentence> {
        self.place(&self.proposals.get(requirement)?.nearest.first()?.pin)
    }

    fn place(&self, pin: &PinnedPassage) -> Option<Sentence> {
        place(&self.report.sources, pin).map(|(source, span)| Sentence::new(source, span))
    }

    fn status(&self, requirement: &str) -> ReviewStatus {
        self.reviews.get(requirement).map(|review| review.status).unwrap_or_default()
    }
}

/// How two reports are related. Reports of unknown issuers whose titles have different words count as those of two
/// issuers.
fn compared_as(first: &ReportColumn, second: &ReportColumn) -> ComparedAs {
    let others = match (&first.issuer, &second.issuer) {
        (Some(one), Some(other)) => one != other,
        _ => words_in(&first.title) != words_in(&second.title),
    };
    if others {
        ComparedAs::Issuers
    } else if first.year != second.year {
        ComparedAs::Years
    } else {
        ComparedAs::Versions
    }
}

/// The words of a title, in small letters, without the years and signs in which two reports of one issuer differ.
fn words_in(title: &str) -> Vec<String> {
    title.split(|c: char| !c.is_alphabetic()).filter(|word| !word.is_empty()).map(str::to_lowercase).collect()
}

impl Assessing<'_> {
    /// The reports `earlier` and `later` of the assessment in row `id` side by side.
    ///
    /// # Errors
    /// [`Error::NotFound`] for an assessment or a report that does not exist; [`Error::Invalid`] for one report twice.
    pub async fn compare(
        &self,
        workspace: &str,
        id: i64,
        earlier: &str,
        later: &str,
    ) -> Result<ReportComparison> {
        let store = self.library.store();
        let row = store.workspace(workspace).await?.id;
        let assessment = Assessment::from(store.assessment(row, id).await?);
        if let Some(unknown) =
            [earlier, later].into_iter().find(|id| !assessment.reports.iter().any(|one| one == id))
        {
            return Err(unknown_report(unknown, &assessment.name));
        }
        if earlier == later {
            return Err(Error::Invalid(format!(
                "a report cannot be compared with itself, as `{earlier}` is here; choose another report of the assessment"
            )));
        }
        let requirements = self.requirements(row, &assessment.scope).await?;
        let (first, second) = (self.column(row, earlier).await?, self.column(row, later).await?);
        let compared_as = compared_as(&first, &second);
        let texts = self.texts(row, &assessment.reports).await?;
        let known: HashMap<(String, String), String> = store
            .proposals(id)
            .await?
            .into_iter()
            .map(|row| ((row.report_id, row.requirement), row.made_of))
            .collect();
        let current = |report: &str| -> HashSet<String> {
            let asked = requirements.asked.iter().filter(|requirement| {
                known.get(&(report.to_owned(), requirement.id.clone()))
                    == Some(&made_of(&texts, report, requirement))
            });
            asked.map(|requirement| requirement.id.clone()).collect()
        };
        let sides = Arc::new([
            self.side((workspace, row), id, earlier, &current(earlier)).await?,
            self.side((workspace, row), id, later, &current(later)).await?,
        ]);
        let before = earlier_report(&store.documents(row, None).await?, later).map(|(report, _)| report);
        let rows = requirements.rows.iter().enumerate().filter(|(_, row)| row.requirement);
        let asked: Vec<(usize, String)> = rows
            .zip(&requirements.asked)
            .filter(|((_, row), _)| row.is_asked_of(earlier) && row.is_asked_of(later))
            .map(|((at, _), requirement)| (at, requirement.id.clone()))
            .collect();
        let lacks = |id: &String| sides.iter().filter(|side| !side.proposals.contains_key(id)).count();
        let waiting = asked.iter().map(|(_, id)| lacks(id)).sum();
        // The texts are searched off the threads that serve others.
        let searched = Arc::clone(&sides);
        let told = tokio::task::spawn_blocking(move || {
            let each = asked.into_iter().map(|(at, id)| {
                let said = pairs(&id, &searched);
                let rows: Vec<(Sentence, Sentence)> = said.iter().filter_map(as_rows).collect();
                (change(at, &id, &searched, said), id, rows)
            });
            each.collect::<Vec<_>>()
        });
        let mut changes = Vec::new();
        for (mut change, id, rows) in told.await? {
            let figures = self.compared_figures(row, (&first, &second), &sides, (&id, &rows)).await?;
            let both = [ChangeKind::Same, ChangeKind::Moved, ChangeKind::Reworded, ChangeKind::Different];
            if both.contains(&change.kind) && compared_as != ComparedAs::Issuers && restated(&figures) {
                change.kind = ChangeKind::Restated;
            }
            // Only the decisions on the report before are carried over.
            change.carried = before.as_deref() == Some(earlier) && is_carried(change.earlier, change.later);
            changes.push(RequirementChange { figures, ..change });
        }
        let rows = requirements.rows.clone();
        Ok(ReportComparison { compared_as, earlier: first, later: second, rows, changes, waiting })
    }

    /// The column of one report.
    async fn column(&self, workspace: i64, report: &str) -> Result<ReportColumn> {
        let columns = self.columns(workspace, &[report.to_owned()]).await?;
        columns.into_iter().next().ok_or_else(|| Error::not_found("report", report))
    }

    /// What is known about `report`, with its proposals for the requirements in `current`.
    async fn side(
        &self,
        (name, workspace): (&str, i64),
        id: i64,
        report: &str,
        current: &HashSet<String>,
    ) -> Result<Side> {
        let reviews = self.library.standards().reviews(name, Some(report.to_owned())).await?;
        let proposals = self.library.store().full_proposals(id, report).await?;
        let sources = self.sources(workspace, report).await?;
        let report = tokio::task::spawn_blocking(move || Report::new(sources)).await?;
        Ok(Side {
            report,
            reviews: reviews.into_iter().map(|review| (review.paragraph_id.clone(), review)).collect(),
            proposals: proposals
                .into_iter()
                .filter(|(requirement, _)| current.contains(requirement))
                .collect(),
        })
    }
}

/// What a report says, beside what the other says on the same point.
type Pair = (Option<Sentence>, Option<Sentence>);

/// What the two reports say to `requirement`, side by side.
fn pairs(requirement: &str, sides: &[Side; 2]) -> Vec<Pair> {
    let [first, second] = sides;
    paired([first.says(requirement), second.says(requirement)], [&first.report, &second.report])
}

/// Both sides, where each is a row of a table.
fn as_rows((earlier, later): &Pair) -> Option<(Sentence, Sentence)> {
    let (earlier, later) = (earlier.as_ref()?, later.as_ref()?);
    (earlier.is_row() && later.is_row()).then(|| (earlier.clone(), later.clone()))
}

/// What changed about `requirement` in row `row`, given what the reports `said`; without figures.
fn change(row: usize, requirement: &str, sides: &[Side; 2], said: Vec<Pair>) -> RequirementChange {
    let [first, second] = sides;
    let pairs: Vec<ComparedPair> = said.into_iter().map(|(earlier, later)| pair(earlier, later)).collect();
    let known = first.is_known(requirement) && second.is_known(requirement);
    let (kind, pairs) = if known { (kind_of(&pairs), pairs) } else { (ChangeKind::Waiting, Vec::new()) };
    let silent = match kind {
        ChangeKind::New => Some(first),
        ChangeKind::Gone => Some(second),
        _ => None,
    };
    RequirementChange {
        row,
        kind,
        pairs,
        figures: Vec::new(),
        nearest: silent.and_then(|side| side.nearest(requirement)).map(|one| {
            let words = whole(&one.text);
            passage(&one, words)
        }),
        earlier: first.status(requirement),
        later: second.status(requirement),
        carried: false,
    }
}

/// Each passage beside its counterpart, wherever that is in the other report.
fn paired(said: [Vec<Sentence>; 2], reports: [&Report; 2]) -> Vec<Pair> {
    let [earlier, later] = said;
    let mut found: Vec<Pair> = Vec::new();
    for one in earlier {
        let other = reports[1].counterpart(&one).cloned();
        found.push((Some(one), other));
    }
    for one in later {
        let told =
            |side: &Option<Sentence>| side.as_ref().is_some_and(|side| one.is_of(&side.source, side.span));
        if found.iter().any(|(_, later)| told(later)) {
            continue;
        }
        let other = reports[0].counterpart(&one).cloned();
        found.push((other, Some(one)));
    }
    found
}

fn pair(earlier: Option<Sentence>, later: Option<Sentence>) -> ComparedPair {
    match (earlier, later) {
        (Some(earlier), Some(later)) => {
            let kind = match (earlier.text == later.text, same_section(&earlier.section(), &later.section()))
            {
                (true, true) => ChangeKind::Same,
                (true, false) => ChangeKind::Moved,
                (false, _) => ChangeKind::Reworded,
            };
            let [one, other] = differences(&earlier.text, &later.text);
            let (earlier, later) = (passage(&earlier, one), passage(&later, other));
            ComparedPair { kind, earlier: Some(earlier), later: Some(later) }
        }
        (earlier, later) => ComparedPair {
            kind: if later.is_some() { ChangeKind::New } else { ChangeKind::Gone },
            earlier: earlier.map(|one| passage(&one, whole(&one.text))),
            later: later.map(|one| passage(&one, whole(&one.text))),
        },
    }
}

/// The greatest change among `pairs`.
fn kind_of(pairs: &[ComparedPair]) -> ChangeKind {
    let any = |side: fn(&ComparedPair) -> bool| pairs.iter().any(side);
    let all = |kinds: &[ChangeKind]| pairs.iter().all(|pair| kinds.contains(&pair.kind));
    match (any(|pair| pair.earlier.is_some()), any(|pair| pair.later.is_some())) {
        (false, false) => ChangeKind::None,
        (false, true) => ChangeKind::New,
        (true, false) => ChangeKind::Gone,
        (true, true) if all(&[ChangeKind::New, ChangeKind::Gone]) => ChangeKind::Different,
        (true, true) if all(&[ChangeKind::Same]) => ChangeKind::Same,
        (true, true) if all(&[ChangeKind::Same, ChangeKind::Moved]) => ChangeKind::Moved,
        (true, true) => ChangeKind::Reworded,
    }
}

fn passage(sentence: &Sentence, words: Vec<ComparedWords>) -> ComparedPassage {
    let Sentence { source, span, .. } = sentence;
    let page = source.pages_of(*span).filter(|_| !source.about_pages).map(|(first, _)| first);
    ComparedPassage {
        document_id: source.id,
        span: source.utf16(*span),
        words,
        section: sentence.section(),
        page: page.map(|page| page.number),
        page_label: page.and_then(|page| page.label.clone()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A pair with a passage on each side that is named.
    fn pair_of(kind: ChangeKind, earlier: bool, later: bool) -> ComparedPair {
        let passage = |there: bool| {
            there.then(|| ComparedPassage {
                document_id: 1,
                span: (0, 1),
                words: Vec::new(),
                section: Vec::new(),
                page: None,
                page_label: None,
            })
        };
        ComparedPair { kind, earlier: passage(earlier), later: passage(later) }
    }

    #[test]
    fn only_passages_that_were_paired_are_reworded() {
        let gone = || pair_of(ChangeKind::Gone, true, false);
        let new = || pair_of(ChangeKind::New, false, true);
        let other_words = || pair_of(ChangeKind::Reworded, true, true);
        let same = || pair_of(ChangeKind::Same, true, true);
        assert_eq!(kind_of(&[gone(), new()]), ChangeKind::Different);
        assert_eq!(kind_of(&[gone(), other_words(), new()]), ChangeKind::Reworded);
        assert_eq!(kind_of(&[same()]), ChangeKind::Same);
        assert_eq!(kind_of(&[gone()]), ChangeKind::Gone);
        assert_eq!(kind_of(&[new()]), ChangeKind::New);
        assert_eq!(kind_of(&[]), ChangeKind::None);
    }
}
