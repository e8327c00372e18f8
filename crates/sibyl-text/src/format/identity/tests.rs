//! What small documents say of themselves.

use super::*;
use crate::document::{Page, Span};
use serde_json::json;

/// Title, issuer and year of a text with running lines.
fn said(title: Option<&str>, running: &[&str], text: &str) -> [Option<String>; 3] {
    let metadata = json!({ "running_text": running }).as_object().cloned().unwrap_or_default();
    let title = title.map(str::to_owned);
    let told = told(Document { text: text.to_owned(), title, metadata, ..Document::default() }, "file-7");
    let field = |name: &str| told.metadata.get(name).and_then(Value::as_str).map(str::to_owned);
    [told.title.clone(), field("issuer"), field("year")]
}

#[test]
fn a_running_line_names_title_issuer_and_year_of_an_excerpt() {
    let text = "# How we are governed\n\nThe board of Corvane meets six times a year and hears the committee each time.";
    for (line, title, issuer) in [
        (
            "Corvane Energy Networks | Integrated Report 2024",
            "Integrated Report 2024",
            "Corvane Energy Networks",
        ),
        (
            "12 Corvane Glass N.V. Environmental Report 2024",
            "Environmental Report 2024",
            "Corvane Glass N.V.",
        ),
        (
            "Corvane S.A. – Estado de información no financiera 2024",
            "Estado de información no financiera 2024",
            "Corvane S.A.",
        ),
        ("ESG Data Book FY24 · Corvane Coatings plc", "ESG Data Book FY24", "Corvane Coatings plc"),
        (
            "Corvane Textil AG   Nachhaltigkeitsbericht 2023/24",
            "Nachhaltigkeitsbericht 2023/24",
            "Corvane Textil AG",
        ),
    ] {
        let found = said(Some("How we are governed"), &[line], text);
        assert_eq!([found[0].as_deref(), found[1].as_deref()], [Some(title), Some(issuer)], "{line}");
    }
}

#[test]
fn a_title_that_a_report_has_stays() {
    let running = ["Corvane plc | Annual Report 2024"];
    assert_eq!(said(Some("Climate statement"), &running, "Text.")[0].as_deref(), Some("Climate statement"));
    // Without a year it may be the name of a chapter.
    let running = ["Corvane plc | Report of the board"];
    assert_eq!(
        said(Some("Building what lasts"), &running, "Text.")[0].as_deref(),
        Some("Building what lasts")
    );
}

#[test]
fn the_name_of_a_chapter_yields_to_that_of_the_report() {
    let running = ["Corvane plc | Annual Report and Accounts 2024"];
    let title = |title: &str, running: &[&str], text: &str| said(Some(title), running, text)[0].clone();
    let chapter = "Chief Executive’s review";
    assert_eq!(title(chapter, &running, "Text.").as_deref(), Some("Annual Report and Accounts 2024"));
    let text = "Corvane plc Annual Report and Accounts 2024 Strategic report 14\n\nText.";
    let found = said(Some(chapter), &[], text);
    assert_eq!(found[0].as_deref(), Some("Annual Report and Accounts 2024"));
    assert_eq!(title(chapter, &[], "# Glass\n\n## Sand\n").as_deref(), Some(chapter));
    let text = "# Results by segment\n\nCorvane Glass Inc.\n\n# Form 10-K\n\nText.";
    assert_eq!(title("Results by segment", &[], text).as_deref(), Some("Form 10-K"));
    assert_eq!(title("Annual results", &[], text).as_deref(), Some("Annual results"));
    assert_eq!(title("Results 2024", &[], text).as_deref(), Some("Results 2024"));
}

#[test]
fn a_title_goes_on_in_the_next_heading() {
    let text = "# Exhibit 9\n\n# DISCUSSION OF FINANCIAL CONDITION AND\n\n# RESULTS OF OPERATIONS\n\n# Corvane Inc.\n\nText.";
    assert_eq!(
        said(None, &[], text)[0].as_deref(),
        Some("DISCUSSION OF FINANCIAL CONDITION AND RESULTS OF OPERATIONS")
    );
}

#[test]
fn a_year_in_short_is_told_in_full() {
    let [title, _, year] = said(Some("ESG report FY24"), &[], "Text.");
    assert_eq!((title.as_deref(), year.as_deref()), (Some("ESG report FY24"), Some("2024")));
    assert_eq!(said(Some("ESG report 2024"), &[], "Text.")[2], None);
}

#[test]
fn a_file_without_a_title_takes_the_one_it_begins_with() {
    for title in [None, Some("file-7"), Some("CORVANE QUARRIES LIMITED")] {
        let text = "CORVANE QUARRIES LIMITED\n\nDirectors' Report and Financial Statements\n\nfor the year ended 31 March 2024\n\nText.";
        let found = said(title, &[], text);
        let [title, issuer, year] = found.each_ref().map(Option::as_deref);
        assert_eq!(title, Some("Directors' Report and Financial Statements"));
        assert_eq!((issuer, year), (Some("CORVANE QUARRIES LIMITED"), Some("2024")));
    }
}

#[test]
fn a_title_that_is_the_name_of_a_file_is_none() {
    let text = "# Cover\n\n## Energy of our mills\n\nText.";
    for title in ["file-7", "crv-2024_d2", "other_file-2024-databook"] {
        assert_eq!(said(Some(title), &[], text)[0].as_deref(), Some("Energy of our mills"), "{title}");
    }
    assert_eq!(said(Some("file-7"), &[], "Text.")[0].as_deref(), Some("file-7"));
    assert_eq!(said(Some("Mills"), &[], text)[0].as_deref(), Some("Mills"));
}

#[test]
fn the_fields_of_a_form_say_what_it_is() {
    let form = |name: &str, value: &str| {
        format!(
            "# Cover\n\n## Digital template\n\n| {name} | {value} |\n| --- | --- |\n| Title of the report | Care report |\n\
             | | Reporting period end date (yyyy-mm-dd) | 2026-03-31 | OK |\n"
        )
    };
    let expected = ["Care report", "Corvane XY", "2026"].map(|word| Some(word.to_owned()));
    for name in ["Name of the reporting entity", "Company name:", "Name of the undertaking (as registered)"] {
        assert_eq!(said(None, &[], &form(name, "Corvane XY")), expected, "{name}");
    }
    // A list of labels in several languages has no values.
    assert_eq!(said(None, &[], &form("Entity name", "Unternehmensname"))[1], None);
}

#[test]
fn a_title_with_a_chapter_beside_it_ends_before_that() {
    let text = "# Corvane S.A.\n\n## Libro de datos 2024 · Medio ambiente\n\nText.";
    assert_eq!(said(Some("Plantilla"), &[], text)[0].as_deref(), Some("Libro de datos 2024"));
}

#[test]
fn the_name_of_a_file_tells_the_year_that_its_text_speaks_of() {
    let year = |file: &str, title: &str| {
        let text = "# Climate risks\n\nIn 2023 we began. In 2021 we had not.".to_owned();
        let document = Document { text, title: Some(title.to_owned()), ..Document::default() };
        told(document, file).metadata.get("year").and_then(Value::as_str).map(str::to_owned)
    };
    for file in ["corvane-2023-risks", "corvane 10k 2023 exhibit 99"] {
        assert_eq!(year(file, "Climate risks").as_deref(), Some("2023"), "{file}");
    }
    for file in ["corvane-2022", "corvane-2021-2023", "corvane-2023-04-11", "20230411", "file-7"] {
        assert_eq!(year(file, "Climate risks"), None, "{file}");
    }
    assert_eq!(year("corvane-2023", "Climate report 2021"), None);
}

#[test]
fn a_cover_is_the_first_page_where_it_has_few_words() {
    let text = "Corvane Mühlen SE\n\n2023\n\nWe mill in 2019 and 2024.";
    let page = |number, span| Page { number, label: None, span, size: None, regions: Vec::new() };
    let pages = vec![page(1, Span::new(0, 26)), page(2, Span::new(26, text.len()))];
    let document = Document { text: text.to_owned(), pages, ..Document::default() };
    assert_eq!(told(document, "").metadata["year"], "2023");
}

#[test]
fn text_without_spaces_names_them_as_well() {
    for (line, issuer) in [
        ("水沢精密工業株式会社 サステナビリティレポート2024", "水沢精密工業株式会社"),
        ("临海陶瓷股份有限公司 2024年环境绩效表", "临海陶瓷股份有限公司"),
    ] {
        let [title, found, _] = said(None, &[], line);
        assert_eq!(found.as_deref(), Some(issuer));
        assert!(title.is_some_and(|title| title.contains("2024")));
    }
}

#[test]
fn a_year_counts_where_it_stands_alone_or_is_called_one() {
    for (text, year) in [
        ("2024", Some("2024")),
        ("2023/24", Some("2023/24")),
        ("FY2023", Some("2023")),
        ("FY24 results", Some("2024")),
        ("FY’24 results", Some("2024")),
        ("Financial year ended 2024-03-31", Some("2024")),
        ("For the year ended 31 March 2024", Some("2024")),
        ("Environmental declaration 2024", Some("2024")),
        ("For the quarterly period ended June 29, 2024", Some("2024")),
        ("Data for the year to 31 December 2024, published on 28 March 2025", Some("2024")),
        ("Boekjaar 2024", Some("2024")),
        ("Published in May 2024", None),
        ("Net zero by 2050", None),
    ] {
        assert_eq!(stated_year(text).as_deref(), year, "{text}");
    }
}
