//! The contents of a pack, gathered from the library.

use super::super::AssessmentScope;
use super::super::claim::IndexClaim;
use super::super::grid::{AssessmentCell, ReportColumn};
use super::super::propose::AssessmentProposal;
use super::super::requirement::{AskedPart, Requirement, RequirementRow};
use super::data::{
    FORMAT, PackCell, PackContents, PackData, PackFigure, PackFile, PackItem, PackProposal, PackQuotation,
    PackReport, PackRequirement, SCHEMA,
};
use super::words::LIST_MARKS;
use crate::error::Result;
use crate::library::Assessing;
use crate::standards::NodeKind;
use crate::store::table::document::DocumentRow;
use crate::store::table::figure::FigureRow;
use crate::store::table::review::{AssessmentDecision, PinnedPassage};
use sibyl_text::figure::Status;
use sibyl_text::language::sentence::ends_sentence;
use sibyl_text::source_type;
use std::collections::HashMap;

/// Words from which a text without a full stop is a sentence that was cut and no title.
const SENTENCE: usize = 12;

/// The reports of `columns` with their files among `documents`.
fn reports_of(columns: &[ReportColumn], documents: &[DocumentRow]) -> Vec<PackReport> {
    let files = |column: &ReportColumn| {
        let own = documents.iter().filter(|document| document.report_id.as_ref() == Some(&column.report_id));
        own.map(|document| PackFile {
            path: document.path.clone(),
            sha256: document.source_hash.clone(),
            text_version: document.text_version.clone(),
            pages: document.pages,
        })
        .collect()
    };
    let report = |column: &ReportColumn| PackReport {
        report_id: column.report_id.clone(),
        issuer: column.issuer.clone(),
        title: column.title.clone(),
        year: column.year,
        files: files(column),
    };
    columns.iter().map(report).collect()
}

impl Assessing<'_> {
    /// The contents of the assessment in row `id`.
    pub(super) async fn pack(&self, workspace: &str, id: i64) -> Result<PackData> {
        let store = self.library.store();
        let row = store.workspace(workspace).await?.id;
        let grid = self.grid_of((workspace, row), store.assessment(row, id).await?).await?;
        let reports = reports_of(&grid.columns, &store.documents(row, None).await?);
        let mut reviews: HashMap<(String, String), _> = HashMap::new();
        for review in self.library.standards().reviews(workspace, None).await? {
            reviews.insert((review.report_id.clone(), review.paragraph_id.clone()), review);
        }
        let mut history: HashMap<(String, String), Vec<AssessmentDecision>> = HashMap::new();
        for decision in store.decisions(row, None, None).await? {
            let key = (decision.report_id.clone(), decision.paragraph_id.clone());
            history.entry(key).or_default().push(decision);
        }
        let known: HashMap<(usize, usize), &AssessmentCell> =
            grid.cells.iter().map(|cell| ((cell.row, cell.column), cell)).collect();
        let mut indexes = Vec::with_capacity(reports.len());
        for report in &reports {
            indexes.push(self.indexes(row, &report.report_id).await?);
        }
        let asked = self.requirements(row, &grid.assessment.scope).await?;
        let asked: HashMap<&str, &Requirement> =
            asked.asked.iter().map(|one| (one.id.as_str(), one)).collect();
        // The reviewers named for it, and everyone who decided.
        let mut reviewers = grid.assessment.reviewers;
        let mut requirements = Vec::new();
        for (at, row) in grid.rows.iter().enumerate().filter(|(_, row)| row.requirement) {
            let Some(requirement) = &row.id else { continue };
            let mut cells = Vec::with_capacity(reports.len());
            let asked_of = |report: &(usize, &PackReport)| row.is_asked_of(&report.1.report_id);
            for (column, report) in reports.iter().enumerate().filter(asked_of) {
                let key = (report.report_id.clone(), requirement.clone());
                let cell = known.get(&(at, column));
                let proposal: Option<(String, AssessmentProposal)> = match cell.and_then(|cell| cell.proposal)
                {
                    Some(_) => store.proposal(id, requirement, &report.report_id).await?,
                    None => None,
                };
                let review = reviews.remove(&key);
                let of_today = proposal.as_ref().filter(|_| !cell.is_some_and(|cell| cell.outdated));
                let claims = indexes[column].claims(requirement, of_today.map(|(_, proposal)| proposal));
                cells.push(PackCell {
                    claims: claims.iter().map(IndexClaim::told).collect(),
                    report_id: report.report_id.clone(),
                    status: review.as_ref().map(|review| review.status).unwrap_or_default(),
                    note: review.as_ref().map(|review| review.note.clone()).unwrap_or_default(),
                    reviewer: cell.and_then(|cell| cell.reviewer.clone()),
                    decided_at: cell.and_then(|cell| cell.decided_at.clone()),
                    quotations: review
                        .into_iter()
                        .flat_map(|review| review.passages)
                        .map(quotation)
                        .collect(),
                    proposal: proposal
                        .map(|(_, proposal)| in_pack(proposal, cell.is_some_and(|cell| cell.outdated))),
                    history: history.remove(&key).unwrap_or_default(),
                });
            }
            let (standard, heading) = above(&grid.rows, at);
            for who in cells.iter().filter_map(|cell| cell.reviewer.as_ref()) {
                if !who.is_empty() && !reviewers.contains(who) {
                    reviewers.push(who.clone());
                }
            }
            let asked = asked.get(requirement.as_str()).copied();
            requirements.push(PackRequirement {
                heading,
                standard,
                mandatory: row.mandatory,
                cells,
                ..explained(requirement, row, asked)
            });
        }
        Ok(PackData {
            schema: SCHEMA.to_owned(),
            format: FORMAT.to_owned(),
            assessment: grid.assessment.name,
            made_at: crate::store::now(),
            program: env!("CARGO_PKG_VERSION").to_owned(),
            scope: self.named_edition(grid.assessment.scope),
            reviewers,
            agreements: grid.agreements,
            reports,
            contents: PackContents::default(),
            counts: Vec::new(),
            requirements,
        })
    }
}

impl Assessing<'_> {
    /// `scope` with the edition that applies, if a standard in it has editions.
    fn named_edition(&self, mut scope: AssessmentScope) -> AssessmentScope {
        let has_editions = source_type::standards().any(|(kind, standard)| {
            standard.editions && scope.standards.iter().any(|name| name == kind.name)
        });
        scope.edition = has_editions.then(|| scope.edition.unwrap_or_else(|| self.library.edition()));
        scope
    }
}

/// The standard of a row, and the heading above the row.
fn above(rows: &[RequirementRow], at: usize) -> (String, String) {
    let mut path = Vec::new();
    let mut next = rows[at].parent;
    while let Some(at) = next {
        path.push(&rows[at]);
        next = rows[at].parent;
    }
    path.reverse();
    let standard = path.first().map(|row| row.label.clone()).unwrap_or_default();
    // Of SASB the industry says more than its sector; of a standard with pillars the pillar more than the part around them.
    let industry = path.iter().find(|row| row.kind == NodeKind::Industry);
    let pillar = path.iter().skip(1).take(2).rfind(|row| row.kind == NodeKind::Section);
    let heading = industry.or(pillar).map(|row| row.label.clone()).unwrap_or_default();
    (standard, heading)
}

/// The requirement `id` of `row` with what it asks for. The program may not hand on the text of a standard that
/// does not ship with it.
fn explained(id: &str, row: &RequirementRow, asked: Option<&Requirement>) -> PackRequirement {
    let ships = source_type::named(&row.source_type).is_some_and(|kind| kind.ships.is_some());
    let asked = asked.filter(|_| ships);
    let unmarked = |text: &str| text.replace("**", "").replace('`', "");
    let item = |part: &AskedPart| PackItem {
        id: part.id.clone(),
        list: part.list.to_owned(),
        text: unmarked(&part.text),
    };
    PackRequirement {
        id: id.to_owned(),
        label: row.label.clone(),
        heading: String::new(),
        standard: String::new(),
        mandatory: row.mandatory,
        explanation: asked.map(|asked| unmarked(&asked.prose)).unwrap_or_default(),
        unit: asked.and_then(|asked| asked.unit.clone()),
        items: asked.map(|asked| asked.parts.iter().map(item).collect()).unwrap_or_default(),
        cells: Vec::new(),
    }
}

fn quotation(pin: PinnedPassage) -> PackQuotation {
    let goes_on = goes_on(&pin.quote, &pin.after);
    let (quote, path, text_version) = (pin.quote, pin.path, pin.text_version);
    let (start, end, page, page_label) = (pin.start, pin.end, pin.page, pin.page_label);
    let source = pin.source.and_then(|source| source.told()).map(str::to_owned);
    PackQuotation { quote, path, text_version, start, end, page, page_label, goes_on, source }
}

/// Whether the last sentence of `quote` continues in the text `after` it. Titles have no end to miss.
fn goes_on(quote: &str, after: &str) -> bool {
    let quote = quote.trim();
    let unmarked = quote.replace('†', "");
    let closed = unmarked.trim_end_matches(['”', '’', '"', '\'', ')', ']', '*', ' ']);
    let row_ends = quote.is_empty() || closed.ends_with('|');
    if row_ends || ends_sentence(&unmarked) || quote.starts_with('#') {
        return false;
    }
    // A row of a table without its end was cut.
    if quote.starts_with('|') {
        return true;
    }
    let gap = &after[..after.len() - after.trim_start().len()];
    let next = after.trim_start().chars().next();
    let same =
        gap.matches('\n').count() < 2 && next.is_some_and(|next| next.is_lowercase() || next.is_numeric());
    // Items of lists often have no full stop.
    let item = LIST_MARKS.iter().any(|mark| quote.starts_with(mark));
    same || (!item && quote.split_whitespace().count() >= SENTENCE)
}

/// What kind of value `figure` is. If both years are known, a value for a year after the report's has not happened
/// yet. It is a target if one of its names or a heading above says so, or else an estimate.
fn status(figure: &FigureRow) -> Status {
    let ahead = figure.year.zip(figure.document_year).is_some_and(|(year, report)| year > report);
    if figure.status != Status::Actual || !ahead {
        return figure.status;
    }
    let names = figure.above.iter().chain(&figure.label).chain([&figure.column]);
    let said =
        names.map(|name| name.to_lowercase()).any(|name| name.contains("target") || name.contains("goal"));
    if said { Status::Target } else { Status::Estimate }
}

fn in_pack(proposal: AssessmentProposal, outdated: bool) -> PackProposal {
    let found = proposal.found();
    let figures = proposal.figures.into_iter().map(|figure| PackFigure {
        what: {
            let names = figure.label.iter().chain([&figure.column]).map(|name| name.trim());
            names.filter(|name| !name.is_empty()).collect::<Vec<_>>().join(" › ")
        },
        status: Some(status(&figure)),
        period: match (figure.part, figure.year) {
            (Some(part), Some(year)) => format!("{part} {year}"),
            (None, Some(year)) => year.to_string(),
            _ => String::new(),
        },
        printed: figure.printed,
        unit: figure.unit.unwrap_or_default(),
        page: figure.page,
    });
    PackProposal {
        state: proposal.state,
        found,
        of: proposal.items.len(),
        made_at: proposal.made_at,
        outdated,
        error_rate: proposal.error_rate,
        unmatched: proposal.unmatched,
        figures: figures.collect(),
        quotations: proposal.evidence.into_iter().map(|passage| quotation(passage.pin)).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_of_a_year_after_the_report_is_none_that_was() {
        let figure = |year, above: &str, status| FigureRow {
            year: Some(year),
            document_year: Some(2021),
            above: vec![above.to_owned()],
            label: vec!["Scope 1".to_owned()],
            status,
            ..FigureRow::default()
        };
        let told = |year, above, read| status(&figure(year, above, read));
        assert_eq!(told(2030, "Target emissions by year", Status::Actual), Status::Target);
        assert_eq!(told(2030, "Emissions by year", Status::Actual), Status::Estimate);
        assert_eq!(told(2020, "Target emissions by year", Status::Actual), Status::Actual);
        assert_eq!(told(2030, "Target emissions by year", Status::Base), Status::Base);
    }

    #[test]
    fn a_sentence_goes_on_where_its_end_is_missing() {
        for (quote, after, expected) in [
            ("The plan covers topics including", " water and heat.", true),
            ("The plan covers topics including", "\nwater and heat.", true),
            ("The plan covers water.", " It covers heat.", false),
            ("Climate Adaptation Plan", "\n\nThe plan covers", false),
            ("Climate Adaptation Plan", "", false),
            ("He said: “The plan covers water.”", " and left", false),
            ("| Scope 1 | 8,630 |", "\n| Scope 2 | 301 |", false),
            ("| Scope 1 | The highest concentration of", " sites |", true),
            (
                "- Offer each customer who moves goods by truck today a rail service with lower emissions",
                "\n\n- Buy",
                false,
            ),
            ("We have told our footprint since 2010.*", " See", false),
            (
                "Our enterprise risk process already includes information on each site and on each of its many several",
                "\n\n- flood",
                true,
            ),
        ] {
            assert_eq!(goes_on(quote, after), expected, "{quote}");
        }
    }
}
