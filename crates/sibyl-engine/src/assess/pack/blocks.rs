//! The pack as people read it, part by part in reading order. What a part looks like is up to each writer.

use super::data::{PackCell, PackData, PackProposal, PackQuotation, STATUSES, moment, proposed, said};
use super::picture::Pictures;
use crate::assess::{AssessmentLevel, ProposalState};
use crate::store::table::review::ReviewStatus;
use sibyl_page::Picture;

/// A part of the pack.
#[derive(Debug)]
pub(super) enum Block<'a> {
    /// The name of the assessment.
    Title(String),
    /// A heading: of level 1 over a part of a standard, of level 2 over a requirement.
    Heading(u8, String),
    /// A paragraph.
    Line(String),
    /// What is said of the assessment as a whole: a name, and the value that it has.
    Fact(&'static str, String),
    /// A table below a row of names, with the share of the width that each column takes.
    Table { head: Vec<String>, shares: Vec<f32>, rows: Vec<Vec<String>> },
    /// What follows begins on a page of its own.
    Break,
    /// A report, and what was decided there.
    Decision { report: String, said: String },
    /// Words of a report, and where they stand.
    Quotation { words: String, place: String },
    /// The part of a page that a quotation stands on, and what it shows.
    Page { picture: &'a Picture, shows: String },
    /// A proposal, which no writer shows as a decision: what it says, and its evidence.
    Proposal { said: String, evidence: Vec<String> },
}

/// All parts of `data`.
pub(super) fn blocks<'a>(data: &PackData, pictures: &'a Pictures) -> Vec<Block<'a>> {
    let mut blocks = cover(data);
    summary(&mut blocks, data);
    for heading in data.headings() {
        blocks.push(Block::Heading(1, part(heading)));
        for one in data.below(heading) {
            blocks.push(Block::Heading(2, format!("{}  {}", one.id, one.label)));
            for cell in &one.cells {
                cell_of(&mut blocks, data, pictures, cell);
            }
        }
    }
    blocks.push(Block::Break);
    figures(&mut blocks, data);
    method(&mut blocks, data);
    sources(&mut blocks, data);
    blocks
}

fn part((standard, heading): (&str, &str)) -> String {
    [standard, heading].into_iter().filter(|name| !name.is_empty()).collect::<Vec<_>>().join(" · ")
}

fn cover<'a>(data: &PackData) -> Vec<Block<'a>> {
    let mut facts: Vec<(&'static str, String)> = Vec::new();
    for report in &data.reports {
        let name = report.name();
        let title = if name.contains(report.title.trim()) { "" } else { report.title.trim() };
        facts.push(("Report", part((name.as_str(), title))));
    }
    let mut standards: Vec<&str> = Vec::new();
    for (standard, _) in data.headings() {
        if !standards.contains(&standard) {
            standards.push(standard);
        }
    }
    facts.push(("Standard", standards.join("; ")));
    facts.extend(data.edition().map(|edition| ("Edition", edition)));
    let level = match data.scope.level {
        AssessmentLevel::Paragraph => "by paragraph",
        AssessmentLevel::Item => "by item",
    };
    let mandatory = if data.scope.mandatory { ", mandatory ones only" } else { "" };
    facts.push(("Scope", format!("{} requirements, {level}{mandatory}", data.requirements.len())));
    for left in data.left_out() {
        facts.push(("Left out", format!("{} ({})", left.id, left.reason)));
    }
    let reviewers =
        if data.reviewers.is_empty() { "not named".to_owned() } else { data.reviewers.join(", ") };
    facts.push(("Reviewers", reviewers));
    facts.extend(data.agreed().map(|agreed| ("Agreement", agreed)));
    let cells = || data.requirements.iter().flat_map(|one| &one.cells);
    let at = || cells().filter_map(|cell| cell.decided_at.as_ref());
    let decided = match (at().min(), at().max()) {
        (Some(first), Some(last)) if first != last => format!("from {} to {}", moment(first), moment(last)),
        (Some(at), _) => moment(at),
        _ => "nothing yet".to_owned(),
    };
    facts.push(("Decided", decided));
    facts.push(("Made", format!("{} with Sibyl {}", moment(&data.made_at), data.program)));
    let title = Block::Title(data.assessment.clone());
    let facts = facts.into_iter().map(|(name, value)| Block::Fact(name, value));
    let told = "A proposal is what a search found; a decision is a reviewer’s.";
    std::iter::once(title).chain(facts).chain([Block::Line(told.to_owned())]).collect()
}

fn summary(blocks: &mut Vec<Block<'_>>, data: &PackData) {
    let head = ["Part"].into_iter().chain(STATUSES.map(said)).map(str::to_owned).collect();
    let counted = |name: String, counts: [usize; 5]| {
        [name].into_iter().chain(counts.map(|count| count.to_string())).collect::<Vec<_>>()
    };
    let below = |heading| counted(part(heading), STATUSES.map(|status| data.count_below(heading, status)));
    let mut rows: Vec<Vec<String>> = data.headings().into_iter().map(below).collect();
    rows.push(counted("All".to_owned(), STATUSES.map(|status| data.count(status))));
    blocks.push(Block::Heading(1, "Summary".to_owned()));
    blocks.push(Block::Table { head, shares: vec![0.4, 0.1, 0.12, 0.1, 0.16, 0.12], rows });
    for heading in data.headings() {
        let open = data.below(heading).filter_map(|one| {
            let open = one.cells.iter().filter(|cell| cell.status == ReviewStatus::Open);
            let reports: Vec<String> = open.map(|cell| data.report(&cell.report_id)).collect();
            match reports.len() {
                0 => None,
                all if all == one.cells.len() => Some(one.id.clone()),
                _ => Some(format!("{} ({})", one.id, reports.join(", "))),
            }
        });
        let open: Vec<String> = open.collect();
        if !open.is_empty() {
            blocks.push(Block::Line(format!("Open in {}: {}", part(heading), open.join(", "))));
        }
    }
    blocks.push(Block::Break);
}

fn cell_of<'a>(blocks: &mut Vec<Block<'a>>, data: &PackData, pictures: &'a Pictures, cell: &PackCell) {
    let decided = match (&cell.decided_at, &cell.reviewer) {
        (Some(at), Some(who)) if !who.trim().is_empty() => format!(" · {who}, {}", moment(at)),
        (Some(at), _) => format!(" · {}", moment(at)),
        (None, _) => String::new(),
    };
    let said = format!("{}{decided}", said(cell.status));
    blocks.push(Block::Decision { report: data.report(&cell.report_id), said });
    if !cell.note.trim().is_empty() {
        blocks.push(Block::Line(cell.note.clone()));
    }
    for quotation in &cell.quotations {
        let words = format!("“{}”", quotation.shown());
        blocks.push(Block::Quotation { words, place: quotation.place() });
        match pictures.of(quotation) {
            Some(Ok(picture)) => {
                let shows = format!("Part of {}, with the quoted lines marked", quotation.cited());
                blocks.push(Block::Page { picture, shows });
            }
            Some(Err(why)) => blocks.push(Block::Line(format!("Its page could not be drawn: {why}"))),
            None => {}
        }
    }
    let claimed = cell.claims.iter().map(|claim| Block::Line(format!("The report’s own index: {claim}")));
    blocks.extend(claimed);
    blocks.extend(cell.proposal.as_ref().map(proposal_of));
}

fn proposal_of<'a>(proposal: &PackProposal) -> Block<'a> {
    let wrong =
        proposal.error_rate.map(|rate| format!("; of this kind, {:.0} in 100 are wrong", rate * 100.0));
    let said = format!("Proposal: {}{}", proposed(proposal), wrong.unwrap_or_default());
    let quoted = |one: &PackQuotation| format!("“{}” {}", one.shown(), one.cited());
    let figures = proposal.figures.iter().map(|figure| {
        let page = figure.page.map(|page| format!(" p. {page}")).unwrap_or_default();
        format!("{} {}: {} {}{page}", figure.what, figure.period, figure.printed, figure.unit)
    });
    Block::Proposal { said, evidence: proposal.quotations.iter().map(quoted).chain(figures).collect() }
}

fn figures(blocks: &mut Vec<Block<'_>>, data: &PackData) {
    let mut rows = Vec::new();
    for one in &data.requirements {
        for cell in &one.cells {
            for figure in cell.proposal.iter().flat_map(|proposal| &proposal.figures) {
                let page = figure.page.map(|page| format!("p. {page}")).unwrap_or_default();
                let printed = format!("{} {}", figure.printed, figure.unit);
                let (what, period) = (figure.what.clone(), figure.period.clone());
                rows.push(vec![one.id.clone(), data.report(&cell.report_id), what, period, printed, page]);
            }
        }
    }
    if rows.is_empty() {
        return;
    }
    let head = ["Requirement", "Report", "Figure", "Period", "As printed", "Page"];
    blocks.push(Block::Heading(1, "Appendix: figures".to_owned()));
    blocks.push(Block::Table {
        head: head.map(str::to_owned).to_vec(),
        shares: vec![0.17, 0.18, 0.3, 0.1, 0.17, 0.08],
        rows,
    });
}

fn method(blocks: &mut Vec<Block<'_>>, data: &PackData) {
    let proposals =
        || data.requirements.iter().flat_map(|one| &one.cells).filter_map(|cell| cell.proposal.as_ref());
    let (all, outdated) = (proposals().count(), proposals().filter(|one| one.outdated).count());
    let nothing = proposals().filter(|one| one.state == ProposalState::Nothing).count();
    let measured = proposals().filter(|one| one.error_rate.is_some()).count();
    let decided: usize =
        STATUSES.into_iter().filter(|one| *one != ReviewStatus::Open).map(|one| data.count(one)).sum();
    blocks.push(Block::Heading(1, "Appendix: method".to_owned()));
    let told = [
        format!("Reviewers decided {decided} cells; a cell is one requirement in one report."),
        format!(
            "Sibyl made {all} proposals. It searched each report for each requirement, and quotes what it found word for word. \
             {nothing} of the proposals found nothing. {outdated} are out of date."
        ),
        format!(
            "An error rate is the share of proposals of the same kind that were wrong when measured. It is known for \
             {measured} of the {all} proposals, and is shown with each of these."
        ),
        "Figures are shown as the report prints them, without conversion.".to_owned(),
        "A picture shows the part of the page with the pinned passage. A passage has no picture if its file has no pages to \
         draw, if its file has changed since, or if the passage is as long as a page."
            .to_owned(),
    ];
    blocks.extend(told.map(Block::Line));
}

fn sources(blocks: &mut Vec<Block<'_>>, data: &PackData) {
    let files = data.reports.iter().flat_map(|report| report.files.iter().map(move |file| (report, file)));
    let rows = files.map(|(report, file)| {
        vec![report.name(), file.path.clone(), file.sha256.clone(), file.text_version.clone()]
    });
    blocks.push(Block::Heading(1, "Sources".to_owned()));
    blocks.push(Block::Table {
        head: ["Report", "File", "SHA-256", "Version of the text"].map(str::to_owned).to_vec(),
        shares: vec![0.2, 0.24, 0.36, 0.2],
        rows: rows.collect(),
    });
    let check =
        "To compare this pack with a library, export it as JSON too and run: sibyl assess verify PACK.json";
    blocks.push(Block::Line(check.to_owned()));
}
