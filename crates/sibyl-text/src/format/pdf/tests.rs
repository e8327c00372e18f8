//! What the format does with real reports when their tags are left aside, and with files that are none.

use super::*;
use std::path::PathBuf;

fn input<'a>(name: &'a str, bytes: &'a [u8]) -> Input<'a> {
    Input { name, bytes, page_metadata: None }
}

fn fixture(name: &str) -> Vec<u8> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../tests/fixtures/pdf");
    std::fs::read(folder.join(name)).unwrap()
}

#[test]
fn is_known_by_its_bytes_whatever_it_is_called() {
    let late = [&[b'\n'; 1000][..], b"%PDF-1.7"].concat();
    assert!(Pdf.recognises(&input("report.txt", b"%PDF-1.4 and so on")));
    assert!(Pdf.recognises(&input("report.bin", &late)));
    assert!(!Pdf.recognises(&input("report.pdf", b"plain text, whatever its name")));
    assert!(!Pdf.recognises(&input("report.pdf", b"")));
}

#[test]
fn a_broken_file_is_one_error_with_a_cure() {
    let whole = fixture("treasury-2022-sustainability-plan.pdf");
    for bytes in [&b"%PDF-1.7"[..], b"%PDF-1.7\n1 0 obj\n<<>>\nendobj\n%%EOF", &whole[..200]] {
        let document = Pdf.read(&input("cut.pdf", bytes));
        assert!(document.text.is_empty());
        let notice = &document.notices[0];
        assert_eq!((notice.severity, notice.code.as_str()), (Severity::Error, "pdf_broken"));
        assert!(notice.message.contains("save"), "no cure in {:?}", notice.message);
    }
}

#[test]
fn place_alone_finds_the_marked_quotes_and_most_rows() {
    let documents: std::collections::BTreeMap<String, Document> = [
        "epa-2024-cap",
        "federal-government-scorecard-fy2023",
        "tcfd-public-sector-guidance",
        "treasury-2022-sustainability-plan",
        "tva-2024-cap",
    ]
    .map(|name| (name.to_owned(), read(&fixture(&format!("{name}.pdf")), Trust::Place)))
    .into();
    let page = |mark: &[&str]| {
        let document = &documents[mark[0]];
        document.pages[mark[1].parse::<usize>().unwrap() - 1].span.of(&document.text)
    };
    let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let quotes = String::from_utf8(fixture("quotes.tsv")).unwrap();
    for mark in quotes.lines().map(|line| line.split('\t').collect::<Vec<_>>()) {
        assert!(words(page(&mark)).contains(mark[2]), "{mark:?}");
    }
    let rows = String::from_utf8(fixture("rows.tsv")).unwrap();
    let whole = rows
        .lines()
        .filter(|line| {
            let mark: Vec<&str> = line.split('\t').collect();
            page(&mark).lines().any(|row| {
                let cells = row.trim_matches('|').split('|').map(str::trim).filter(|cell| !cell.is_empty());
                cells.eq(mark[2..].iter().copied())
            })
        })
        .count();
    // The scorecard's dashboards, where charts and tables share their rulings, are the ones that need tags.
    assert!(whole >= 36, "only {whole} of 50 rows");
}

#[test]
fn a_table_over_five_pages_is_one_though_each_repeats_its_title_and_names_untagged() {
    let document = read(&fixture("epa-2024-cap.pdf"), Trust::Tags);
    let page = |number: usize| document.pages[number - 1].span.of(&document.text).trim();
    let title =
        "PRIORITIZED ACTIONS TO ADDRESS CLIMATE HAZARD EXPOSURES AND IMPACTS AFFECTING FEDERAL BUILDINGS";
    assert!(page(19).contains(&format!("| {title} | | |\n")));
    for number in 20..24 {
        assert!(!page(number).contains(title), "page {number}");
        // The page may begin within a row.
        assert!(page(number).lines().skip(1).all(|line| line.starts_with('|')), "page {number}");
    }
    assert!(page(20).contains("Athens, Georgia, and Ada, Oklahoma. |"));
}

#[test]
fn a_title_and_labels_with_their_numbers_in_one_box_are_rows_of_their_own() {
    let document = read(&fixture("federal-government-scorecard-fy2023.pdf"), Trust::Place);
    let page = document.pages[6].span.of(&document.text);
    let rows: Vec<Vec<&str>> = page
        .lines()
        .map(|line| {
            line.trim_matches('|').split('|').map(str::trim).filter(|cell| !cell.is_empty()).collect()
        })
        .collect();
    for row in [
        &["Annual Progress"][..],
        &["Percent of total investments completed by ESPC or UESCs over the last 4 years", "61%"],
        &["Percent of covered facilities evaluated for efficiency opportunities", "47%"],
        &["Type of Investment", "Thou. $", "% of investment"],
        &["Direct Obligations", "$232,605", "32%"],
    ] {
        assert!(rows.iter().any(|found| found == row), "{row:?} in {page}");
    }
}
