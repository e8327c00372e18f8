//! The pack as people read it, part by part in reading order. What a part looks like is up to each writer.

use super::data::{PackCell, PackCount, PackData, PackProposal, PackQuotation, STATUSES, moment, said};
use super::picture::Pictures;
use super::words::{chosen, error_rate, log, proposed};
use crate::assess::{AssessmentLevel, ProposalState};
use crate::store::table::review::ReviewStatus;
use sibyl_page::Picture;

/// Name of the rows with the totals of all parts.
pub(super) const ALL: &str = "All parts";

/// A part of the pack.
#[derive(Debug)]
pub(super) enum Block<'a> {
    /// The name of the assessment.
    Title(String),
    /// A heading over a part of a standard, the summary or an appendix.
    Heading(String),
    /// The heading of a requirement.
    Requirement { id: String, label: String },
    /// What a requirement asks for, with its checklist.
    Asked { words: String, items: Vec<String> },
    /// A paragraph.
    Line(String),
    /// A fact about the assessment as a whole: a name and its value.
    Fact(&'static str, String),
    /// A table with a row of names, and the share of the width for each column.
    Table { head: Vec<String>, shares: Vec<f32>, rows: Vec<Vec<String>> },
    /// Place of the list of contents, in formats that have one in the text.
    Contents,
    /// What follows begins on a new page.
    Break,
    /// A report, and the decision on it.
    Decision { report: String, status: ReviewStatus, said: String },
    /// Words of a report, and their place.
    Quotation { words: String, place: String },
    /// The part of a page with a quotation, and what it shows.
    Page { picture: &'a Picture, shows: String },
    /// A proposal, which no writer shows as a decision: what it says, and its evidence.
    Proposal { said: String, evidence: Vec<String> },
}

/// All parts of `data`.
pub(super) fn blocks<'a>(data: &PackData, pictures: &'a Pictures) -> Vec<Block<'a>> {
    let mut blocks = cover(data);
    blocks.push(Block::Contents);
    summary(&mut blocks, data);
    for heading in data.headings() {
        blocks.push(Block::Heading(part(heading)));
        for one in data.below(heading) {
            blocks.push(Block::Requirement { id: one.id.clone(), label: one.label.clone() });
            let items: Vec<String> = one.items.iter().map(|item| item.told()).collect();
            let words = one.asked();
            if !words.is_empty() || !items.is_empty() {
                blocks.push(Block::Asked { words, items });
            }
            for cell in &one.cells {
                cell_of(&mut blocks, data, pictures, cell);
            }
        }
    }
    blocks.push(Block::Break);
    figures(&mut blocks, data);
    log_of(&mut blocks, data);
    method(&mut blocks, data);
    sources(&mut blocks, data);
    blocks
}

/// Standard and heading as one name.
fn part((standard, heading): (&str, &str)) -> String {
    [standard, heading].into_iter().filter(|name| !name.is_empty()).collect::<Vec<_>>().join(" · ")
}

/// Facts about the assessment as a whole: names with their values.
pub(super) fn facts(data: &PackData) -> Vec<(&'static str, String)> {
    let mut facts: Vec<(&'static str, String)> =
        data.reports.iter().map(|report| ("Report", report.full_name())).collect();
    let mut standards: Vec<&str> = Vec::new();
    for count in &data.counts {
        if !standards.contains(&count.standard.as_str()) {
            standards.push(&count.standard);
        }
    }
    facts.push(("Standard", standards.join("; ")));
    facts.extend(data.edition().map(|edition| ("Edition", edition)));
    let level = match data.scope.level {
        AssessmentLevel::Paragraph => "by paragraph",
        AssessmentLevel::Item => "by item",
    };
    let mandatory = if data.scope.mandatory { ", mandatory ones only" } else { "" };
    facts.push(("Scope", format!("{} requirements, {level}{mandatory}", data.contents.requirements)));
    facts.extend(chosen(data).map(|chosen| ("In this pack", chosen)));
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
        (Some(first), Some(last)) if first != last => {
            Some(format!("from {} to {}", moment(first), moment(last)))
        }
        (Some(at), _) => Some(moment(at)),
        _ if data.shown() == data.contents.cells => Some("nothing yet".to_owned()),
        _ => None,
    };
    facts.extend(decided.map(|decided| ("Decided", decided)));
    facts.push(("Made", format!("{} with Sibyl {}", moment(&data.made_at), data.program)));
    facts
}

fn cover<'a>(data: &PackData) -> Vec<Block<'a>> {
    let title = Block::Title(data.assessment.clone());
    let facts = facts(data).into_iter().map(|(name, value)| Block::Fact(name, value));
    let told = "A proposal is what a search found; a decision is a reviewer’s. What a requirement asks for is explained in \
                Sibyl’s words, which are not the text of the standard.";
    std::iter::once(title).chain(facts).chain([Block::Line(told.to_owned())]).collect()
}

/// Part, report, and the count of each status with their sum.
type CountRow = (String, String, [usize; 6]);

/// The counts of a pack as a table: a head, then a row for each part and report, for each report, and for all.
pub(super) fn counted(data: &PackData) -> (Vec<String>, Vec<CountRow>) {
    let head = ["Part", "Report"].into_iter().chain(STATUSES.map(said)).chain(["Total"]);
    let row = |part: String, report: String, holds: &dyn Fn(&PackCount) -> bool| {
        let [met, partly, gap, not_applicable, open] = STATUSES.map(|status| data.count(status, holds));
        let total = met + partly + gap + not_applicable + open;
        (part, report, [met, partly, gap, not_applicable, open, total])
    };
    let mut rows = Vec::new();
    for count in &data.counts {
        let name = part((&count.standard, &count.heading));
        rows.push(row(name, data.report_name(&count.report_id), &|one| one == count));
    }
    if data.reports.len() > 1 {
        for report in &data.reports {
            rows.push(row(ALL.to_owned(), report.name(), &|one| one.report_id == report.report_id));
        }
    }
    let reports = match data.reports.as_slice() {
        [one] => one.name(),
        _ => "All reports".to_owned(),
    };
    rows.push(row(ALL.to_owned(), reports, &|_| true));
    (head.map(str::to_owned).collect(), rows)
}

fn summary(blocks: &mut Vec<Block<'_>>, data: &PackData) {
    let (mut head, rows) = counted(data);
    let mut shares = vec![0.22, 0.23, 0.07, 0.09, 0.07, 0.15, 0.08, 0.09];
    // Of one report the cover says which it is.
    let one = data.reports.len() < 2;
    if one {
        head.remove(1);
        shares = vec![0.4, 0.09, 0.1, 0.08, 0.15, 0.09, 0.09];
    }
    let rows = rows.into_iter().map(|(part, report, counts)| {
        let names = std::iter::once(part).chain((!one).then_some(report));
        names.chain(counts.map(|count| count.to_string())).collect()
    });
    blocks.push(Block::Heading("Summary".to_owned()));
    blocks.push(Block::Table { head, shares, rows: rows.collect() });
    for heading in data.headings() {
        let open = open_below(data, heading);
        if !open.is_empty() {
            blocks.push(Block::Line(format!("Open in {} – {}", part(heading), open.join("; "))));
        }
    }
    blocks.push(Block::Break);
}

/// What is open below `heading`: for each report, or all of them together, the requirements.
fn open_below(data: &PackData, heading: (&str, &str)) -> Vec<String> {
    let mut groups: Vec<(Vec<&str>, Vec<&str>)> = Vec::new();
    for one in data.below(heading) {
        let open = one.cells.iter().filter(|cell| cell.status == ReviewStatus::Open);
        let reports: Vec<&str> = open.map(|cell| cell.report_id.as_str()).collect();
        if reports.is_empty() {
            continue;
        }
        match groups.iter_mut().find(|(of, _)| *of == reports) {
            Some((_, ids)) => ids.push(&one.id),
            None => groups.push((reports, vec![&one.id])),
        }
    }
    let told = |(reports, ids): (Vec<&str>, Vec<&str>)| {
        let names = match reports.len() == data.reports.len() && reports.len() > 1 {
            true => "all reports".to_owned(),
            false => reports.iter().map(|id| data.report_name(id)).collect::<Vec<_>>().join(" and "),
        };
        format!("{names}: {}", ids.join(", "))
    };
    groups.into_iter().map(told).collect()
}

fn cell_of<'a>(blocks: &mut Vec<Block<'a>>, data: &PackData, pictures: &'a Pictures, cell: &PackCell) {
    let decided = match (&cell.decided_at, &cell.reviewer) {
        (Some(at), Some(who)) if !who.trim().is_empty() => format!(" · {who}, {}", moment(at)),
        (Some(at), _) => format!(" · {}", moment(at)),
        (None, _) => String::new(),
    };
    let said = format!("{}{decided}", said(cell.status));
    blocks.push(Block::Decision { report: data.report_in_full(&cell.report_id), status: cell.status, said });
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
    let said = [proposed(proposal), error_rate(proposal)];
    let said = said.into_iter().filter(|words| !words.is_empty()).collect::<Vec<_>>().join("; ");
    let quoted = |one: &PackQuotation| format!("“{}” {}", one.shown(), one.cited());
    let figures = proposal.figures.iter().map(|figure| figure.told());
    let evidence = proposal.quotations.iter().map(quoted).chain(figures).collect();
    Block::Proposal { said: format!("Proposal: {said}"), evidence }
}

fn figures(blocks: &mut Vec<Block<'_>>, data: &PackData) {
    let mut rows = Vec::new();
    for one in &data.requirements {
        for cell in &one.cells {
            for figure in cell.proposal.iter().flat_map(|proposal| &proposal.figures) {
                rows.push(vec![
                    one.id.clone(),
                    data.report_name(&cell.report_id),
                    figure.what.clone(),
                    figure.kind().to_owned(),
                    figure.period.clone(),
                    figure.amount(),
                    figure.cited(),
                ]);
            }
        }
    }
    if rows.is_empty() {
        return;
    }
    let head = ["Requirement", "Report", "Figure", "Kind", "Period", "As printed", "Page"];
    blocks.push(Block::Heading("Appendix: figures".to_owned()));
    blocks.push(Block::Line(
        "A figure without a kind is a reported value; a target, an estimate and the like are named."
            .to_owned(),
    ));
    blocks.push(Block::Table {
        head: head.map(str::to_owned).to_vec(),
        shares: vec![0.17, 0.18, 0.26, 0.09, 0.08, 0.14, 0.08],
        rows,
    });
}

fn log_of(blocks: &mut Vec<Block<'_>>, data: &PackData) {
    let mut rows = Vec::new();
    for one in &data.requirements {
        for cell in &one.cells {
            for entry in log(cell) {
                rows.push(vec![
                    moment(&entry.decision.at),
                    one.id.clone(),
                    data.report_name(&cell.report_id),
                    entry.decision.reviewer.clone(),
                    entry.changed,
                ]);
            }
        }
    }
    if rows.is_empty() {
        return;
    }
    let head = ["When", "Requirement", "Report", "Reviewer", "What changed"];
    blocks.push(Block::Heading("Appendix: log of decisions".to_owned()));
    blocks.push(Block::Table {
        head: head.map(str::to_owned).to_vec(),
        shares: vec![0.2, 0.17, 0.23, 0.16, 0.24],
        rows,
    });
}

fn method(blocks: &mut Vec<Block<'_>>, data: &PackData) {
    let proposals =
        || data.requirements.iter().flat_map(|one| &one.cells).filter_map(|cell| cell.proposal.as_ref());
    let (all, outdated) = (proposals().count(), proposals().filter(|one| one.outdated).count());
    let nothing = proposals().filter(|one| one.state == ProposalState::Nothing).count();
    let measured = proposals().filter(|one| one.error_rate.is_some()).count();
    let decided: usize = STATUSES
        .into_iter()
        .filter(|one| *one != ReviewStatus::Open)
        .map(|one| data.count(one, |_| true))
        .sum();
    blocks.push(Block::Heading("Appendix: method".to_owned()));
    let told = [
        format!(
            "Reviewers decided {decided} of {} cells; a cell is one requirement in one report.",
            data.contents.cells
        ),
        format!(
            "This pack holds {all} proposals. Sibyl searched each report for each requirement, and quotes what it \
             found word for word. {nothing} of the proposals found nothing. {outdated} are out of date."
        ),
        format!(
            "An error rate is the share of proposals like this one that are wrong, by measurements on reports read by hand. \
             It is known for {measured} of the {all} proposals, and is shown with each of these. It is not known for \
             reports in other languages than English, where “nothing found” does not show that nothing is there."
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
    blocks.push(Block::Heading("Sources".to_owned()));
    blocks.push(Block::Table {
        head: ["Report", "File", "SHA-256", "Version of the text"].map(str::to_owned).to_vec(),
        shares: vec![0.2, 0.24, 0.36, 0.2],
        rows: rows.collect(),
    });
    let check =
        "To compare this pack with a library, export it as JSON too and run: sibyl assess verify PACK.json";
    blocks.push(Block::Line(check.to_owned()));
}
