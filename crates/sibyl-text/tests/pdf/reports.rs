//! Passages and table rows that were marked by hand on the rendered pages.

use crate::read;
use sibyl_text::Document;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::LazyLock;

static REPORTS: LazyLock<BTreeMap<String, Document>> = LazyLock::new(|| {
    let files = std::fs::read_dir(folder()).expect("fixtures").map(|entry| entry.expect("a file").path());
    files
        .filter(|path| path.extension().is_some_and(|e| e == "pdf"))
        .map(|path| {
            let name = path.file_stem().expect("a name").to_string_lossy().into_owned();
            (name, read(&std::fs::read(path).expect("readable")))
        })
        .collect()
});

fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../tests/fixtures/pdf")
}

/// Lines of a mark file: report, page, and the rest of the fields.
fn marks(file: &str) -> Vec<(String, u32, Vec<String>)> {
    let text = std::fs::read_to_string(folder().join(file)).expect("marks");
    let line = |line: &str| {
        let mut fields = line.split('\t').map(str::to_owned);
        let report = fields.next().expect("a report");
        let page = fields.next().and_then(|page| page.parse().ok()).expect("a page");
        (report, page, fields.collect())
    };
    text.lines().map(line).collect()
}

fn page(report: &str, number: u32) -> &'static str {
    let document = &REPORTS[report];
    document.pages[number as usize - 1].span.of(&document.text)
}

fn words(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn every_marked_quote_stands_on_its_page() {
    let marks = marks("quotes.tsv");
    assert_eq!(marks.len(), 50);
    for (report, number, quote) in marks {
        assert!(words(page(&report, number)).contains(&quote[0]), "{report}, page {number}: {}", quote[0]);
    }
}

#[test]
fn marked_table_rows_are_one_row_with_their_cells() {
    let marks = marks("rows.tsv");
    assert_eq!(marks.len(), 50);
    let missing: Vec<_> = marks
        .iter()
        .filter(|(report, number, cells)| {
            !page(report, *number).lines().filter(|line| line.starts_with('|')).any(|line| {
                let row: Vec<&str> =
                    line.trim_matches('|').split('|').map(str::trim).filter(|c| !c.is_empty()).collect();
                row == *cells
            })
        })
        .collect();
    assert!(missing.len() <= 5, "{} of 50 rows are torn: {missing:#?}", missing.len());
}

#[test]
fn running_lines_and_page_numbers_are_gone() {
    for (report, document) in REPORTS.iter() {
        for page in &document.pages {
            let number = page.number.to_string();
            let last = page.span.of(&document.text).lines().next_back().unwrap_or_default();
            assert_ne!(last, number, "{report}, page {number} ends in its number");
        }
    }
    let count = |report: &str, text: &str| REPORTS[report].text.matches(text).count();
    assert_eq!(
        count("treasury-2022-sustainability-plan", "# 2022 Department of the Treasury Sustainability Plan"),
        1
    );
    assert_eq!(count("federal-government-scorecard-fy2023", "For abbreviations and definitions"), 0);
    let running = &REPORTS["treasury-2022-sustainability-plan"].metadata["running_text"];
    assert_eq!(running[0], "2022 Department of the Treasury Sustainability Plan");
}

#[test]
fn headings_and_titles_are_those_of_the_reports() {
    let titles = |report: &str| {
        REPORTS[report].sections.iter().map(|s| (s.level, s.title.as_str())).collect::<Vec<_>>()
    };
    let tcfd = titles("tcfd-public-sector-guidance");
    for expected in
        [(1, "Foreword"), (2, "Year of applicability"), (1, "Risk Management"), (3, "Central government")]
    {
        assert!(tcfd.contains(&expected), "{expected:?} is missing");
    }
    let tva: Vec<&str> = titles("tva-2024-cap").into_iter().map(|(_, title)| title).collect();
    for expected in
        ["Section 2: Risk Assessment", "2A. Climate Hazard Exposures and Impacts Affecting Federal Buildings"]
    {
        assert!(tva.contains(&expected), "{expected} is missing from {tva:?}");
    }
    let title = |report: &str| REPORTS[report].title.as_deref();
    assert_eq!(
        title("federal-government-scorecard-fy2023"),
        Some("Federal Government FY 2023 OMB Scorecard")
    );
    assert_eq!(title("tva-2024-cap"), Some("Climate Adaptation Plan"));
}
