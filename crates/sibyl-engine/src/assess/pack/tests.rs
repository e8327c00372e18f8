//! Laws over what a pack says, and over each format read back.

use super::blocks::{Block, blocks, counted, facts};
use super::data::*;
use super::picture::Pictures;
use super::words::log;
use super::{PackFormat, docx, write};
use crate::assess::{AssessmentScope, ProposalState};
use crate::store::table::review::{AssessmentDecision, ReviewStatus};
use ReviewStatus::{Gap, Met, NotApplicable, Open, Partly};
use sibyl_text::figure::Status;
use sibyl_text::format::{Input, format_of};
use std::collections::HashSet;

const FORMATS: [PackFormat; 5] =
    [PackFormat::Xlsx, PackFormat::Docx, PackFormat::Pdf, PackFormat::Html, PackFormat::Json];

fn report(id: &str, issuer: Option<&str>, title: &str, year: u16) -> PackReport {
    let file =
        |path: String| PackFile { path, sha256: "ab".repeat(32), text_version: "t1".to_owned(), pages: 4 };
    PackReport {
        report_id: id.to_owned(),
        issuer: issuer.map(str::to_owned),
        title: title.to_owned(),
        year: Some(year),
        files: vec![file(format!("reports/{id}.pdf"))],
    }
}

fn quotation(quote: &str, goes_on: bool) -> PackQuotation {
    PackQuotation {
        quote: quote.to_owned(),
        path: "reports/mill.pdf".to_owned(),
        text_version: "t1".to_owned(),
        start: 0,
        end: quote.len(),
        page: Some(3),
        page_label: None,
        goes_on,
        source: None,
    }
}

fn cell(report: &str, status: ReviewStatus) -> PackCell {
    let decided = status != Open;
    PackCell {
        report_id: report.to_owned(),
        status,
        note: if decided { "Read on paper & screen <twice>.".to_owned() } else { String::new() },
        reviewer: decided.then(|| "Ada Quill".to_owned()),
        decided_at: decided.then(|| "2026-11-30T03:31:58Z".to_owned()),
        quotations: if decided { vec![quotation("- The mill prices carbon.", false)] } else { Vec::new() },
        claims: Vec::new(),
        proposal: Some(PackProposal {
            state: ProposalState::Evidence,
            found: 1,
            of: 1,
            made_at: "2026-11-30T03:00:00Z".to_owned(),
            outdated: false,
            error_rate: Some(0.29),
            unmatched: None,
            quotations: vec![quotation("The board meets on topics including", true)],
            figures: vec![PackFigure {
                what: "Scope 1".to_owned(),
                status: Some(Status::Target),
                period: "2030".to_owned(),
                printed: "8,630,864".to_owned(),
                unit: "t CO2e".to_owned(),
                page: Some(20),
            }],
        }),
        history: Vec::new(),
    }
}

fn requirement(id: &str, heading: &str, cells: Vec<PackCell>) -> PackRequirement {
    let item = |list: &str, number: usize| PackItem {
        id: format!("{id}.{number}"),
        list: list.to_owned(),
        text: format!("Item number {number} of what {id} lists"),
    };
    PackRequirement {
        id: id.to_owned(),
        label: format!("Label of {id}"),
        heading: heading.to_owned(),
        standard: "IFRS S2".to_owned(),
        mandatory: true,
        explanation: format!("A report is asked by {id} to tell readers how it governs the climate."),
        unit: Some(format!("tonnes for {id}")),
        items: vec![item("", 1), item("counts", 2)],
        cells,
    }
}

/// Two reports, one of them without an issuer, in three parts with every status.
fn data() -> PackData {
    let both = |one, other| vec![cell("mill", one), cell("rail", other)];
    PackData {
        schema: SCHEMA.to_owned(),
        format: FORMAT.to_owned(),
        assessment: "FY2024 review".to_owned(),
        made_at: "2026-11-30T03:40:11Z".to_owned(),
        program: "0.0.1".to_owned(),
        scope: AssessmentScope::default(),
        reviewers: vec!["Ada Quill".to_owned()],
        agreements: Vec::new(),
        reports: vec![
            report("mill", Some("Quillmoor Mills"), "Climate report", 2024),
            report("rail", None, "2021 Climate Action Plan", 2021),
        ],
        contents: PackContents::default(),
        counts: Vec::new(),
        requirements: vec![
            requirement("S2.6", "Governance", both(Met, Open)),
            requirement("S2.7", "Governance", both(Open, Open)),
            requirement("S2.10", "Strategy", both(Partly, Gap)),
            requirement("S2.14", "Strategy", both(NotApplicable, Met)),
            requirement("S2.29", "Metrics", vec![cell("rail", Gap)]),
        ],
    }
}

/// Letters and digits of `text`, which all formats keep, however they set lines, signs and quotes.
fn letters(text: &str) -> String {
    text.chars().filter(|c| c.is_alphanumeric()).collect::<String>().to_lowercase()
}

/// What a reader of files finds in `data` as `format`; all of it if that is text.
fn read_back(data: &PackData, format: PackFormat) -> String {
    let pack = write(data, &Pictures::default(), format).unwrap();
    let bytes = pack.bytes().unwrap();
    if matches!(format, PackFormat::Html | PackFormat::Json) {
        return letters(&String::from_utf8(bytes).unwrap());
    }
    let input = Input { name: &pack.name, bytes: &bytes, page_metadata: None };
    letters(&format_of(&input).unwrap().read(&input).text)
}

#[test]
fn every_format_says_what_each_requirement_asks_for() {
    let data = data().only(PackCells::All);
    for format in FORMATS {
        let text = read_back(&data, format);
        for one in &data.requirements {
            let items = one.items.iter().map(|item| item.text.as_str());
            for words in items.chain([one.explanation.as_str(), &one.label, one.unit.as_deref().unwrap()]) {
                assert!(text.contains(&letters(words)), "{words} is not in {format:?}: {text}");
            }
        }
        for report in &data.reports {
            let file = report.files[0].path.rsplit('/').next().unwrap();
            for words in [report.title.as_str(), report.issuer.as_deref().unwrap_or_default(), file] {
                assert!(text.contains(&letters(words)), "{words} is not in {format:?}");
            }
        }
    }
}

#[test]
fn counts_by_report_and_part_add_up_to_the_total_whatever_goes_in() {
    let whole = data().only(PackCells::All);
    for only in [PackCells::All, PackCells::Decided, PackCells::Open] {
        let chosen = data().only(only);
        let (_, rows) = counted(&chosen);
        let (parts, sums) = rows.split_at(chosen.counts.len());
        let (total, reports) = sums.split_last().unwrap();
        assert_eq!(reports.len(), 2);
        for column in 0..6 {
            let sum =
                |rows: &[(String, String, [usize; 6])]| rows.iter().map(|row| row.2[column]).sum::<usize>();
            assert_eq!((sum(parts), sum(reports)), (total.2[column], total.2[column]), "{only:?} {column}");
        }
        assert_eq!(total.2[5], total.2[..5].iter().sum::<usize>());
        assert_eq!((&chosen.counts, total.2[5]), (&whole.counts, whole.shown()), "{only:?}");
        let kept = chosen.requirements.iter().flat_map(|one| &one.cells);
        let open: Vec<bool> = kept.map(|cell| cell.status == Open).collect();
        let wanted = |open: bool| only == PackCells::All || open == (only == PackCells::Open);
        assert!(!open.is_empty() && open.into_iter().all(wanted), "{only:?}");
        assert!(chosen.requirements.iter().all(|one| !one.cells.is_empty()), "{only:?}");
    }
    let shown = |only| data().only(only).shown();
    assert_eq!(shown(PackCells::Decided) + shown(PackCells::Open), whole.shown());
}

#[test]
fn a_pack_with_a_part_of_the_cells_says_so_in_every_format() {
    for format in [PackFormat::Xlsx, PackFormat::Docx, PackFormat::Pdf, PackFormat::Html] {
        let text = read_back(&data().only(PackCells::Decided), format);
        assert!(text.contains("onlywhatisdecided6of9cells"), "{format:?}: {text}");
        assert!(!text.contains("labelofs27"), "{format:?}");
        assert!(!read_back(&data().only(PackCells::All), format).contains("onlywhatis"), "{format:?}");
    }
}

#[test]
fn a_report_in_another_language_is_told_with_its_proposals_in_every_format() {
    let mut data = data().only(PackCells::All);
    let cells = data.requirements.iter_mut().flat_map(|one| &mut one.cells);
    for proposal in cells.filter_map(|cell| cell.proposal.as_mut()) {
        proposal.unmatched = Some("Chinese".to_owned());
    }
    for format in [PackFormat::Xlsx, PackFormat::Docx, PackFormat::Pdf, PackFormat::Html] {
        let text = read_back(&data, format);
        assert!(text.contains(&letters("the report is in Chinese")), "{format:?}: {text}");
    }
}

#[test]
fn what_is_open_names_its_reports() {
    let data = data().only(PackCells::All);
    let pictures = Pictures::default();
    let lines: Vec<String> = blocks(&data, &pictures)
        .into_iter()
        .filter_map(|block| match block {
            Block::Line(words) if words.starts_with("Open in ") => Some(words),
            _ => None,
        })
        .collect();
    let unnamed = "2021 Climate Action Plan (rail.pdf)";
    assert_eq!(lines, [format!("Open in IFRS S2 · Governance – {unnamed}: S2.6; all reports: S2.7")]);
    let reports: Vec<String> =
        facts(&data).into_iter().filter(|(name, _)| *name == "Report").map(|(_, value)| value).collect();
    assert_eq!(reports, ["Quillmoor Mills 2024 · Climate report (mill.pdf)", unnamed]);
}

#[test]
fn quotations_end_where_their_sentence_ends_and_lose_the_marks_of_lists() {
    for (quote, goes_on, shown) in [
        ("- The mill prices carbon.", false, "The mill prices carbon."),
        ("• on several topics\nincluding", true, "on several topics including …"),
        ("| Scope 1 | 8,630 |", false, "Scope 1 · 8,630"),
        ("| Scope 1 | The highest", true, "Scope 1 · The highest …"),
        ("-5 degrees", false, "-5 degrees"),
    ] {
        assert_eq!(quotation(quote, goes_on).shown(), shown);
    }
}

#[test]
fn figures_name_their_kind_period_and_unit_and_nothing_that_is_missing() {
    let mut figure = cell("mill", Met).proposal.unwrap().figures.remove(0);
    assert_eq!(figure.told(), "Target: Scope 1 (2030) 8,630,864 t CO2e p. 20");
    figure.status = Some(Status::Actual);
    (figure.period, figure.unit, figure.page) = (String::new(), String::new(), None);
    assert_eq!(figure.told(), "Scope 1 8,630,864 (unit not read)");
}

#[test]
fn the_log_names_what_each_entry_changed() {
    let entry = |status, note: &str, program: Option<&str>| AssessmentDecision {
        report_id: "mill".to_owned(),
        paragraph_id: "S2.6".to_owned(),
        reviewer: "Ada Quill".to_owned(),
        status,
        note: note.to_owned(),
        at: "2026-11-30T03:31:58Z".to_owned(),
        proposed_by: program.map(str::to_owned),
        imported_at: None,
    };
    let mut told = cell("mill", Met);
    told.history = vec![
        entry(Met, "", Some("Helper")),
        entry(Partly, "Other words", None),
        AssessmentDecision { reviewer: "Bo Wren".to_owned(), ..entry(Partly, "Words", None) },
        entry(Partly, "Words", None),
        entry(Open, "Words", None),
        entry(Open, "", None),
    ];
    let changed: Vec<String> = log(&told).into_iter().map(|entry| entry.changed).collect();
    assert_eq!(
        changed,
        [
            "Passage pinned",
            "Note added",
            "Partly met",
            "Partly met, as before",
            "Note changed",
            "Met, note removed (confirms the proposal of Helper)",
        ]
    );
}

/// The values of `attribute` in elements of `xml` that open with `before`.
fn values<'x>(xml: &'x str, before: &str) -> Vec<&'x str> {
    xml.split(before).skip(1).map(|rest| rest.split('"').next().unwrap_or_default()).collect()
}

#[test]
fn links_of_a_document_and_of_a_page_lead_to_what_there_is() {
    let data = data().only(PackCells::All);
    let parts = docx::parts(&data, &Pictures::default()).unwrap();
    let document = String::from_utf8(parts.document).unwrap();
    let marks: HashSet<&str> = values(&document, "<w:bookmarkStart w:id=\"").into_iter().collect();
    let (links, names) = (values(&document, "w:anchor=\""), values(&document, "w:name=\"part_"));
    assert!(
        links.len() > 5 && links.len() == names.len() && marks.len() == names.len(),
        "{links:?} {names:?}"
    );
    assert!(links.iter().all(|link| names.contains(&link.trim_start_matches("part_"))));

    let page = write(&data, &Pictures::default(), PackFormat::Html).unwrap().bytes().unwrap();
    let page = String::from_utf8(page).unwrap();
    let ids: HashSet<&str> = values(&page, "id=\"").into_iter().collect();
    let links = values(&page, "href=\"#");
    assert!(links.len() >= 3 && links.iter().all(|link| ids.contains(link)), "{links:?} {ids:?}");
    for tag in ["section", "article", "div", "details", "dl", "ul", "table", "header", "main"] {
        let (open, closed) = (format!("<{tag}"), format!("</{tag}>"));
        assert_eq!(page.matches(&open).count(), page.matches(&closed).count(), "{tag}");
    }
}

#[test]
fn a_document_repeats_the_heads_of_its_tables_and_says_who_made_it_and_when() {
    let data = data().only(PackCells::All);
    let parts = docx::parts(&data, &Pictures::default()).unwrap();
    let document = String::from_utf8(parts.document).unwrap();
    let pictures = Pictures::default();
    let tables = blocks(&data, &pictures).iter().filter(|block| matches!(block, Block::Table { .. })).count();
    assert_eq!((document.matches("<w:tblHeader />").count(), tables > 2), (tables, true));
    let core = String::from_utf8(parts.doc_props.core).unwrap();
    for said in ["<dc:title>FY2024 review<", "<dc:creator>Ada Quill<", ">2026-11-30T03:40:11Z<"] {
        assert!(core.contains(said), "{said} is not in {core}");
    }
}
