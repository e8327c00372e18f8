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
async fn a_question_for_the_reason_of_an_amount_is_answered_with_the_reason() {
    let report = "Scrap from the loom hall came to 4.1 tonnes in 2024. The amount of scrap in the loom hall grew since worn shuttles tore the yarn.";
    let reason = "The amount of scrap in the loom hall grew since worn shuttles tore the yarn.";
    assert_eq!(answer_from(report, "Why has the amount of scrap in the loom hall grown?").await, [reason]);
}

#[tokio::test]
async fn who_bears_a_duty_is_named_beside_any_office() {
    for (told, question) in [
        (
            "The senior manager with responsibility for flood risk is the Chief Risk Officer, Ada Ray.",
            "Who is the senior manager answerable for flood risk?",
        ),
        (
            "The executive accountable for dam safety is the Head of Works, Yusuf Arendal.",
            "Who is the executive responsible for dam safety?",
        ),
    ] {
        assert_eq!(answer_from(told, question).await, [told]);
    }
}

#[tokio::test]
async fn an_office_is_also_asked_for_by_its_initials() {
    let officers = "| Name | Age | Position |\n|---|---:|---|\n| Ada Ray | 51 | Chief Financial Officer since May 2022 |\n| Yusuf Arendal | 48 | Chief Operating Officer since 2019 |";
    let question = "Who keeps the books, i.e. who is the CFO?";
    assert_eq!(
        answer_from(officers, question).await[1],
        "| Ada Ray | 51 | Chief Financial Officer since May 2022 |"
    );
}

#[tokio::test]
async fn an_amount_asked_for_by_its_name_needs_a_number() {
    let told = "The Weir business was bought in 2024, and its income is told with that of the mill.";
    let question = "What income did the Weir business earn in 2024?";
    assert!(answer_from(told, question).await.is_empty());
    let number = "The Weir business earned an income of £4 million in 2024.";
    assert_eq!(answer_from(number, question).await, [number]);
}

#[tokio::test]
async fn what_is_planned_for_a_year_is_not_what_came_of_it() {
    let plan = "For 2024 we plan capital expenditures of £190 million.";
    assert!(answer_from(plan, "What were the capital expenditures in 2024?").await.is_empty());
    let spent = "In 2024 capital expenditures were £190 million.";
    assert_eq!(answer_from(spent, "What were the capital expenditures in 2024?").await, [spent]);
}

#[tokio::test]
async fn the_sentence_behind_tells_the_second_thing_that_is_asked() {
    let told =
        "A tenth of the bonus of directors depends on climate. The outcome for 2024 was 8 of 10 points.";
    let question = "How is climate reflected in the bonus of directors, and what was the outcome?";
    assert_eq!(answer_from(told, question).await.join(" "), told);
}

#[tokio::test]
async fn when_is_answered_with_a_time_whatever_the_question_denies() {
    let question = "When did the rule come in that new halls may not burn oil?";
    let told =
        "New halls must be heated without fire, under a rule on oil that the council passed on 3 May 2021.";
    assert_eq!(answer_from(told, question).await, [told]);
    let timeless = "New halls may not burn oil under a rule of the council.";
    assert!(answer_from(timeless, question).await.is_empty());
    let monthly = "The council meets monthly.";
    assert_eq!(answer_from(monthly, "When does the council meet?").await, [monthly]);
}

#[tokio::test]
async fn how_long_something_lasts_is_not_how_much_of_it_there_is() {
    let lasts = "A 12-year agreement with a wind farm that delivers power to the mill begins in April 2026.";
    let question = "How much power will the wind farm deliver to the mill?";
    assert!(answer_from(lasts, question).await.is_empty());
    let amount = "For 12 years the wind farm is to deliver 40 GWh of power to the mill.";
    assert_eq!(answer_from(amount, question).await, [amount]);
    let days = "The time that repairs at the mill took was 9 days.";
    assert_eq!(answer_from(days, "How much time did repairs at the mill take?").await, [days]);
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
