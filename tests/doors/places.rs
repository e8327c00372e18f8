//! A citation names the place of its quote: the headings above it, and what the format has of page, cells and anchor.

use crate::{list, text, write};
use serde_json::{Value, json};
use sibyl_tests::program::Sibyl;

const HANDBOOK: &str = "# Handbook of Fallow Mills\n\nGross emissions of Fallow Mills were 4,812 tonnes in 2023.\n\n\
    ## People\n\nFallow Mills employs 310 people.\n\n### Catering\n\nThe canteen serves 190 lunches a day.\n\n\
    ## Water\n\nFallow Mills drew 77 megalitres from the river Nidd.\n";

/// The same as a page, with an id at each part.
const PAGE: &str = "<!DOCTYPE html><html><head><title>Fallow Mills</title></head><body><main>\
    <h1>Handbook of Fallow Mills</h1><p id=\"gross\">Gross emissions of Fallow Mills were 4,812 tonnes in 2023.</p>\
    <h2 id=\"people\">People</h2><p>Fallow Mills employs 310 people.</p>\
    <h3 id=\"catering\">Catering</h3><p>The canteen serves 190 lunches a day.</p>\
    <h2>Water</h2><p>Fallow Mills drew 77 megalitres from the river Nidd.</p></main></body></html>";

/// A library with the file called `name`.
fn with(name: &str, bytes: impl AsRef<[u8]>) -> (Sibyl, tempfile::TempDir) {
    let sibyl = Sibyl::fresh_with_words();
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), name, bytes);
    sibyl.json(&["ingest", text(folder.path()), "--no-embed"]);
    assert_eq!(sibyl.run(&["settings", "answer_threshold", "20"]).code, 0);
    (sibyl, folder)
}

/// The citation whose quote has `words` of the answer to `question`.
fn cited(sibyl: &Sibyl, question: &str, words: &str) -> Value {
    let answer = sibyl.json(&["ask", question]);
    let found = list(&answer, "citations").iter().find(|one| one["quote"].as_str().unwrap().contains(words));
    found.unwrap_or_else(|| panic!("{words}: {answer}")).clone()
}

const HANDBOOK_PLACES: [(&str, &str, &[&str]); 4] = [
    ("How large were the gross emissions in 2023?", "4,812 tonnes", &["Handbook of Fallow Mills"]),
    ("How many people does Fallow Mills employ?", "310 people", &["Handbook of Fallow Mills", "People"]),
    (
        "How many lunches does the canteen serve a day?",
        "190 lunches",
        &["Handbook of Fallow Mills", "People", "Catering"],
    ),
    (
        "How many megalitres did it draw from the river?",
        "77 megalitres",
        &["Handbook of Fallow Mills", "Water"],
    ),
];

#[test]
fn the_section_is_that_of_the_quote() {
    let office = |name: &str| std::fs::read(sibyl_tests::fixture("office").join(name)).unwrap();
    for (name, bytes) in [
        ("handbook.md", HANDBOOK.as_bytes().to_vec()),
        ("handbook.docx", office("handbook.docx")),
        ("handbook.html", PAGE.as_bytes().to_vec()),
    ] {
        let (sibyl, _folder) = with(name, bytes);
        for (question, words, section) in HANDBOOK_PLACES {
            let citation = cited(&sibyl, question, words);
            assert_eq!(citation["section"], json!(section), "{name}: {question}");
        }
    }
}

#[test]
fn a_chunk_is_headed_with_the_section_in_which_it_begins() {
    let (sibyl, folder) = with("handbook.md", HANDBOOK);
    let words =
        ["ingest", text(folder.path()), "--corpus", "report", "--source-type", "report", "--no-embed"];
    sibyl.json(&words);
    let found = sibyl.json(&["search", "canteen lunches", "--mode", "keyword", "--source-type", "report"]);
    let hit = &found["results"][0];
    assert!(hit["passage"].as_str().unwrap().contains("Gross emissions"), "one chunk holds both: {hit}");
    assert!(hit["header"].as_str().unwrap().ends_with("Handbook of Fallow Mills"), "{}", hit["header"]);
}

#[test]
fn a_recursive_cut_has_the_headings_of_its_quotes_too() {
    let sibyl = Sibyl::fresh_with_words();
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), "handbook.md", HANDBOOK);
    sibyl.json(&["ingest", text(folder.path()), "--strategy", "recursive", "--no-embed"]);
    assert_eq!(sibyl.run(&["settings", "answer_threshold", "20"]).code, 0);
    for (question, words, section) in HANDBOOK_PLACES {
        assert_eq!(cited(&sibyl, question, words)["section"], json!(section), "{question}");
    }
}

#[test]
fn a_document_that_sets_no_page_breaks_has_no_page_but_about_one() {
    let bytes = std::fs::read(sibyl_tests::fixture("office/handbook.docx")).unwrap();
    let (sibyl, _folder) = with("handbook.docx", bytes);
    for (question, words, page) in [
        ("How large were the gross emissions in 2023?", "4,812 tonnes", 1),
        ("How many lunches does the canteen serve a day?", "190 lunches", 2),
    ] {
        let citation = cited(&sibyl, question, words);
        assert_eq!((&citation["pages"], &citation["about_page"]), (&Value::Null, &json!(page)), "{citation}");
    }
    let run = sibyl.run(&["ask", "How many lunches does the canteen serve a day?"]);
    assert!(run.out.contains("about p. 2"), "{}", run.out);
    let hit = &sibyl.json(&["search", "canteen lunches"])["results"][0];
    assert_eq!(hit["pages"], Value::Null);
}

#[test]
fn a_workbook_is_cited_by_sheet_and_cells_and_a_page_by_its_anchor() {
    let bytes = std::fs::read(sibyl_tests::fixture("office/scopes.xlsx")).unwrap();
    let (sibyl, _folder) = with("scopes.xlsx", bytes);
    let question = "What were the gross Scope 1 emissions in 2024?";
    let citation = cited(&sibyl, question, "398");
    assert_eq!(
        (&citation["sheet"], &citation["cells"]),
        (&json!("Emissions"), &json!("C6:E6")),
        "{citation}"
    );
    assert!(sibyl.run(&["ask", question]).out.contains("Emissions!C6:E6"));

    let (sibyl, _folder) = with("handbook.html", PAGE);
    for (question, words, anchor) in [
        ("How large were the gross emissions in 2023?", "4,812 tonnes", "gross"),
        ("How many people does Fallow Mills employ?", "310 people", "people"),
        ("How many lunches does the canteen serve a day?", "190 lunches", "catering"),
        ("How many megalitres did it draw from the river?", "77 megalitres", "catering"),
    ] {
        let citation = cited(&sibyl, question, words);
        assert_eq!(citation["anchor"], anchor, "{question}: {citation}");
        assert_eq!((&citation["pages"], &citation["cells"]), (&Value::Null, &Value::Null));
    }
}
