//! What is quoted and what is not.

use super::*;
use crate::passage::tests::whole;

const REPORT: &str = "The committee is chaired by Marian Osei. It met five times in 2024.\n\n| Plant | Capacity (Mt) | Kiln built |\n|---|---:|---:|\n| Mirar | 2.4 | 1998 |\n| Vell | 1.9 | 2006 |\n\nThree plants lie inside the trading system. A loan of €300 million was agreed.";

async fn answer_from(report: &str, question: &str) -> Vec<String> {
    let task = Task {
        question: Question::read(question),
        passages: vec![whole(report)],
        doubtful: false,
        models: Models::default(),
    };
    let draft = Extractive.write(&task, &|_| ()).await;
    draft.sentences.into_iter().map(|sentence| sentence.text).collect()
}

async fn answer(question: &str) -> Vec<String> {
    answer_from(REPORT, question).await
}

#[tokio::test]
async fn a_row_comes_with_the_head_of_its_table_and_without_its_neighbours() {
    assert_eq!(
        answer("When was the kiln at Mirar built?").await,
        ["| Plant | Capacity (Mt) | Kiln built |", "| Mirar | 2.4 | 1998 |"]
    );
}

#[tokio::test]
async fn a_name_is_given_where_one_stands_and_nothing_where_none_does() {
    assert_eq!(answer("Who chairs the committee?").await[0], "The committee is chaired by Marian Osei.");
    assert!(answer("Which bank gave the €300 million loan?").await.is_empty());
}

#[tokio::test]
async fn a_number_is_of_the_measure_that_is_asked_for() {
    assert!(answer("How many tonnes was the loan agreed in 2024?").await.is_empty());
    assert_eq!(answer("How many euros was the loan?").await, ["A loan of €300 million was agreed."]);
}

#[tokio::test]
async fn an_office_is_asked_for_in_its_words() {
    for (told, answered) in [
        ("The Chief Executive is Ada Ray, since 2020.", true),
        ("Ada Ray runs the shipyards and serves as the group's Chief Executive.", true),
        ("Chief Network Officer Yusuf Arendal is the executive owner of the plan.", false),
        ("The Head of Docks, Yusuf Arendal, reports to the Chief Executive.", false),
        ("A Chief Executive was appointed in February 2024.", false),
    ] {
        let answer = answer_from(told, "Who is the chief executive?").await;
        assert_eq!(!answer.is_empty(), answered, "{told}");
    }
}

#[tokio::test]
async fn a_board_is_not_chaired_by_who_chairs_a_committee() {
    let committee = "The Safety Committee is chaired by Marian Osei.";
    assert!(answer_from(committee, "Who chairs the board?").await.is_empty());
    let board = "The board is chaired by Marian Osei.";
    assert_eq!(answer_from(board, "Who chairs the board?").await, [board]);
}

#[tokio::test]
async fn why_is_answered_with_a_reason_or_not_at_all() {
    let question = "Why did complaints at the depot fall in 2024?";
    let figures = "| Depot | 2023 | 2024 |\n|---|---:|---:|\n| Complaints at the depot | 64 | 37 |";
    assert!(answer_from(figures, question).await.is_empty());
    assert!(answer_from("Complaints at the depot fell to 37 in 2024.", question).await.is_empty());
    let reason = "Complaints at the depot fell in 2024 because the wash hall was roofed over.";
    assert_eq!(answer_from(reason, question).await, [reason]);
}

#[tokio::test]
async fn money_is_told_in_a_currency_and_a_price_per_something() {
    let volume = "We signed a forward contract for 6,000 tonnes of direct air capture.";
    let question = "How much per tonne is paid for direct air capture?";
    assert!(answer_from(volume, question).await.is_empty());
    let price = "For direct air capture DKK 4,100 a tonne is paid.";
    assert_eq!(answer_from(price, question).await, [price]);
}

#[tokio::test]
async fn every_sentence_stands_in_the_source() {
    for question in ["How often did the committee meet?", "Which plants lie inside the system?", "loan"] {
        for sentence in answer(question).await {
            assert!(REPORT.contains(&sentence), "{sentence}");
        }
    }
}
