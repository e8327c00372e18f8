//! A question and its answer: to the citation, the paragraph and the page it is from. Also what is not found, an
//! answer from selected text alone, and the search of a logged answer run again.

use serde_json::json;
use sibyl_tests::desktop::Desktop;
use sibyl_tests::fixture;
use sibyl_tests::program::Sibyl;

const ARTICLE: &str = "[data-testid=ask-article]";
/// The place of a finished answer: the reply to the question with the given words.
const STANDS: &str = "const article = document.querySelector('[data-testid=ask-article]'); \
    return article?.querySelector('h2').textContent === arguments[0] && article.dataset.standing !== 'pending' \
        && article.dataset.standing";
/// The sentences of the answer.
const SENTENCES: &str = "return [...document.querySelectorAll('[data-testid=ask-answer] [data-sentence]')] \
    .map((each) => each.textContent)";
/// What the check of each of them found.
const CHECKS: &str =
    "return [...document.querySelectorAll('[data-check]')].map((each) => each.dataset.check)";

/// Asks and returns the state of the answer.
async fn ask(desktop: &Desktop, question: &str) -> String {
    desktop.fill("Question", &format!("{question}\n")).await;
    // A line end is the key Enter, and the text before it is entered at once.
    desktop.until(STANDS, &[json!(question)]).await.as_str().unwrap().to_owned()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_question_leads_to_its_answer_to_a_citation_and_to_its_paragraph() {
    let sibyl = Sibyl::with_instant_vectors();
    let desktop = Desktop::open(sibyl.folder()).await;
    desktop.go("#/ask").await;
    let question =
        "What must an entity disclose about its climate-related transition plan under S2.14(a)(iv)?";
    assert_eq!(ask(&desktop, question).await, "answered");
    // The answer says only what is in a source.
    let checks = desktop.until(CHECKS, &[]).await;
    assert!(checks.as_array().unwrap().iter().all(|check| check == "verified"), "{checks}");
    let sentences = desktop.script(SENTENCES, []).await;
    assert_eq!(sentences.as_array().unwrap().len(), checks.as_array().unwrap().len(), "{sentences:#}");
    desktop.says("[data-testid=ask-trace]", "chunks").await;
    desktop.picture("ask").await;

    // A citation is chosen, and opens the paragraph that it names.
    desktop.press_css("[data-cite='1']").await;
    desktop
        .until(
            "return document.querySelector('[data-cite=\"1\"]').getAttribute('aria-current') === 'true'",
            &[],
        )
        .await;
    let name = desktop.text("[data-source='1'] [data-head] b").await;
    desktop.press_in("[data-source='1']", "Open").await;
    desktop.until("return decodeURIComponent(location.hash).includes(arguments[0])", &[json!(name)]).await;
    desktop.wait_for("#standards-title", |title| title.contains(&name)).await;

    // The log keeps it; its search run again finds the same.
    desktop.go("#/ask").await;
    desktop.until(STANDS, &[json!(question)]).await;
    desktop.press("Replay the search").await;
    desktop.says("[role=dialog]", "Nothing has moved.").await;
    desktop.press_in("[role=dialog]", "Close").await;
    desktop.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_citation_of_a_pdf_opens_its_page_with_the_words_marked() {
    let sibyl = Sibyl::with_instant_vectors();
    let pdf = fixture("pdf").join("federal-government-scorecard-fy2023.pdf");
    let run = sibyl.run(&["ingest", &pdf.to_string_lossy(), "--corpus", "scorecards"]);
    assert_eq!(run.code, 0, "{}", run.err);
    let desktop = Desktop::open(sibyl.folder()).await;
    desktop.go("#/ask?corpus=scorecards").await;
    let question = "What did the federal government achieve in reducing greenhouse gas emissions in 2023?";
    assert_eq!(ask(&desktop, question).await, "answered");
    desktop.press_css("[data-cite='1']").await;
    desktop.press_in("[data-source='1']", "Open").await;
    desktop
        .until("return location.hash.startsWith('#/chunk-lab') && location.hash.includes('mark=')", &[])
        .await;
    let marked = "const picture = document.querySelector('[data-paper] img'); \
        return picture?.complete && document.querySelector('[data-paper] [data-mark]') && picture.alt";
    let alt = desktop.until(marked, &[]).await;
    assert!(alt.as_str().unwrap().ends_with("with the cited words marked"), "{alt}");
    desktop.picture("ask-page").await;
    desktop.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_figure_is_shown_in_its_table_with_its_cell_marked_and_a_missing_one_leaves_a_hole() {
    let sibyl = Sibyl::with_reports();
    let desktop = Desktop::open(sibyl.folder()).await;
    desktop.go("#/ask").await;
    assert_eq!(ask(&desktop, "What were Northwind's Scope 1 emissions in 2023?").await, "answered");
    let marked = "return document.querySelector('[data-testid=ask-article] [data-marked]')?.textContent";
    let cell = desktop.until(marked, &[]).await;
    assert_eq!(cell, "2,905,000, the answer");
    desktop.says(ARTICLE, "Answers the question").await;
    desktop.says(ARTICLE, "read from the cell on p.").await;
    desktop.picture("ask-figure").await;

    desktop.go("#/ask").await;
    assert_eq!(ask(&desktop, "What were Northwind's Scope 1 emissions in 2021?").await, "not_found");
    let hole = desktop.until(marked, &[]).await;
    assert!(hole.as_str().unwrap().ends_with("not given"), "{hole}");
    desktop.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_nothing_answers_is_not_found_and_a_selection_answers_alone() {
    let sibyl = Sibyl::with_instant_vectors();
    let desktop = Desktop::open(sibyl.folder()).await;
    desktop.go("#/ask").await;
    let foreign = "Who won the football world cup in 1998?";
    assert_eq!(ask(&desktop, foreign).await, "not_found");
    desktop
        .says(ARTICLE, "I don't have enough information in the provided disclosures to answer that question.")
        .await;
    assert_eq!(desktop.count("[data-sentence]").await, 0);

    // With nothing selected it is refused, in words.
    desktop.go("#/ask?from=selection").await;
    desktop.fill("Question", "When does the mill close?\n").await;
    desktop.says("[role=alert]", "No text is selected.").await;
    desktop.fill("Selected text", "The mill closes in 2031. The dam stays open.").await;
    assert_eq!(ask(&desktop, "When does the mill close?").await, "answered");
    let sentences = desktop.script(SENTENCES, []).await;
    assert!(sentences.as_array().unwrap().contains(&json!("The mill closes in 2031.")), "{sentences:#}");
    assert_eq!(desktop.text("[data-cite='1']").await, "a");
    desktop.picture("ask-selection").await;
    desktop.close().await;
}
