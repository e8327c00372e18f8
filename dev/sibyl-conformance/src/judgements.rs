//! Laws of judgments: they belong to one workspace, and outlive the text that they are about.

use crate::Bench;
use crate::made::{Desk, document};
use serde_json::{Value, json};
use sibyl_store::table::answer::{AnswerFilter, LoggedOutcome, NewAnswer};
use sibyl_store::table::assessment::{ProposalRow, ProposalState};
use sibyl_store::table::calibration::CalibrationRow;
use sibyl_store::table::evaluation::NewEvaluation;
use sibyl_store::table::gold::{GoldFilter, GoldLabel, GoldQuery, GoldTarget};
use sibyl_store::table::program_proposal::ProgramProposal;
use sibyl_store::table::review::{AssessmentDecision, ImportedFinding, Review, ReviewStatus};

pub(crate) fn review(report: &str, paragraph: &str, status: ReviewStatus) -> (Review, Option<String>) {
    let review = Review {
        report_id: report.to_owned(),
        paragraph_id: paragraph.to_owned(),
        words: String::new(),
        status,
        note: format!("{paragraph} of {report}"),
        passages: Vec::new(),
        updated_at: String::new(),
        reviewer: Some("Ada".to_owned()),
    };
    (review, None)
}

fn query(id: &str) -> GoldQuery {
    GoldQuery { id: id.to_owned(), query: format!("what is {id}"), ..GoldQuery::default() }
}

fn identifier(id: &str) -> GoldTarget {
    GoldTarget::Identifier { id: id.to_owned() }
}

/// Findings stay where their report is read again, rest with it in the bin, and belong to one workspace.
pub async fn findings_outlive_the_text<B: Bench>() {
    let desk = Desk::<B>::new().await;
    let west = desk.another("west").await;
    let corpus = desk.corpus(Some(desk.workspace), "texts").await;
    let report = |text: &str| {
        let mut new = document(corpus, "r.md", &[text]);
        new.report_id = Some("acme".to_owned());
        new
    };
    let id = desk.put(report("alba")).await;
    let found = vec![review("acme", "S2.1", ReviewStatus::Met), review("acme", "S1.9", ReviewStatus::Gap)];
    desk.store.put_reviews(desk.workspace, found).await.unwrap();
    let told = async |workspace| {
        let reviews = desk.store.reviews(workspace, Some("acme".to_owned())).await.unwrap();
        reviews.into_iter().map(|review| (review.paragraph_id, review.status)).collect::<Vec<_>>()
    };
    let both = [("S1.9".to_owned(), ReviewStatus::Gap), ("S2.1".to_owned(), ReviewStatus::Met)];
    assert_eq!(told(desk.workspace).await, both);
    assert!(told(west).await.is_empty());
    desk.put(report("brix")).await;
    assert_eq!(told(desk.workspace).await, both, "over a new text");
    desk.store.delete_documents(vec![id]).await.unwrap();
    assert!(told(desk.workspace).await.is_empty(), "in the bin");
    desk.store.restore_documents(desk.workspace, vec![id]).await.unwrap();
    assert_eq!(told(desk.workspace).await, both, "restored");
}

/// A finding replaces the one before; every decision is kept, the latest first.
pub async fn every_decision_stays<B: Bench>() {
    let desk = Desk::<B>::new().await;
    for status in [ReviewStatus::Gap, ReviewStatus::Partly, ReviewStatus::Met] {
        desk.store.put_reviews(desk.workspace, vec![review("acme", "S2.1", status)]).await.unwrap();
    }
    let now = desk.store.review(desk.workspace, "acme", "S2.1").await.unwrap();
    assert_eq!(now.map(|review| review.status), Some(ReviewStatus::Met));
    let decisions = desk.store.decisions(desk.workspace, Some("acme".to_owned()), None).await.unwrap();
    let statuses: Vec<ReviewStatus> = decisions.iter().map(|decision| decision.status).collect();
    assert_eq!(statuses, [ReviewStatus::Met, ReviewStatus::Partly, ReviewStatus::Gap]);
    assert!(decisions.iter().all(|decision| decision.reviewer == "Ada"));
    let west = desk.another("west").await;
    assert!(desk.store.decisions(west, None, None).await.unwrap().is_empty());
}

/// Findings of another library are imported with their assessment, or nothing is.
pub async fn an_import_is_all_or_nothing<B: Bench>() {
    let desk = Desk::<B>::new().await;
    let plan = json!({ "reports": ["acme"] });
    let store = &desk.store;
    store.put_assessment(desk.workspace, None, "taken", &plan).await.unwrap();
    store.put_reviews(desk.workspace, vec![review("acme", "S2.1", ReviewStatus::Met)]).await.unwrap();
    let new = || vec![imported("S2.2")];
    let refused = store.put_imported(desk.workspace, Some(("taken", &plan)), new()).await.unwrap_err();
    assert_eq!(refused.code(), "exists");
    let mut decided = new();
    decided.push(imported("S2.1"));
    let refused = store.put_imported(desk.workspace, Some(("fresh", &plan)), decided).await.unwrap_err();
    assert_eq!(refused.code(), "invalid");
    assert_eq!(store.reviews(desk.workspace, None).await.unwrap().len(), 1, "no finding came in");
    assert_eq!(store.assessments::<Value>(desk.workspace).await.unwrap().len(), 1, "no assessment came in");
    let made = store.put_imported(desk.workspace, Some(("fresh", &plan)), new()).await.unwrap();
    assert_eq!(store.assessment::<Value>(desk.workspace, made.unwrap()).await.unwrap().plan, plan);
    let came = store.review(desk.workspace, "acme", "S2.2").await.unwrap().unwrap();
    assert_eq!((came.status, came.updated_at.as_str()), (ReviewStatus::Gap, DECIDED));
    let log = store.decisions(desk.workspace, None, Some("S2.2".to_owned())).await.unwrap();
    let told: Vec<&str> = log.iter().map(|decision| decision.at.as_str()).collect();
    assert_eq!(told, [DECIDED, BEFORE], "as they were taken there");
    assert!(log.iter().all(|decision| decision.imported_at.is_some()));
}

/// When it was decided in another library, once and again.
const BEFORE: &str = "2026-03-30T08:00:00Z";
const DECIDED: &str = "2026-03-31T09:00:00Z";

/// A gap that somebody found in another library, who had thought otherwise before.
fn imported(paragraph: &str) -> ImportedFinding {
    let (review, former) = review("acme", paragraph, ReviewStatus::Gap);
    let review = Review { updated_at: DECIDED.to_owned(), ..review };
    let decision = |at: &str, status| AssessmentDecision {
        report_id: review.report_id.clone(),
        paragraph_id: review.paragraph_id.clone(),
        reviewer: "Ada".to_owned(),
        status,
        note: String::new(),
        at: at.to_owned(),
        proposed_by: None,
        imported_at: None,
    };
    let decisions = vec![decision(DECIDED, ReviewStatus::Gap), decision(BEFORE, ReviewStatus::Met)];
    ImportedFinding { decisions, former, review }
}

/// One proposal is kept for a requirement and a report; all go with their assessment, and decisions stay.
pub async fn proposals_go_with_their_assessment<B: Bench>() {
    let desk = Desk::<B>::new().await;
    let (store, west) = (&desk.store, desk.another("west").await);
    let id = store.put_assessment(desk.workspace, None, "one", &json!({})).await.unwrap();
    store.put_assessment(west, None, "one", &json!({})).await.unwrap();
    let taken = store.put_assessment(desk.workspace, None, "one", &json!({})).await.unwrap_err();
    assert_eq!(taken.code(), "exists");
    let row = |state: ProposalState| ProposalRow {
        requirement: "S2.1".to_owned(),
        report_id: "acme".to_owned(),
        made_of: format!("hash {}", state.name()),
        state,
        found: 1,
        items: 2,
        page: Some(3),
    };
    for state in [ProposalState::Partial, ProposalState::Evidence] {
        store.put_proposals(id, vec![(row(state), json!({ "is": state, "share": 0.1 }))]).await.unwrap();
    }
    assert_eq!(store.proposals(id).await.unwrap(), [row(ProposalState::Evidence)]);
    let full = store.proposal::<Value>(id, "S2.1", "acme").await.unwrap();
    assert_eq!(full, Some(("hash evidence".to_owned(), json!({ "is": "evidence", "share": 0.1 }))));
    let all = store.full_proposals::<Value>(id, "acme").await.unwrap();
    assert_eq!(all, [("S2.1".to_owned(), json!({ "is": "evidence", "share": 0.1 }))]);
    assert!(store.full_proposals::<Value>(id, "other").await.unwrap().is_empty());
    assert_eq!(store.proposal::<Value>(id, "S2.2", "acme").await.unwrap(), None);
    store.put_reviews(desk.workspace, vec![review("acme", "S2.1", ReviewStatus::Met)]).await.unwrap();
    assert_eq!(store.delete_assessment(west, id).await.unwrap_err().code(), "not_found");
    store.delete_assessment(desk.workspace, id).await.unwrap();
    assert!(store.proposals(id).await.unwrap().is_empty());
    store.put_proposals(id, vec![(row(ProposalState::Nothing), json!({}))]).await.unwrap();
    assert!(store.proposals(id).await.unwrap().is_empty(), "nothing is kept for one that is gone");
    assert_eq!(store.decisions(desk.workspace, None, None).await.unwrap().len(), 1);
}

/// Every version of a gold set can be read again as it was.
pub async fn every_version_of_a_gold_set_is_read_again<B: Bench>() {
    let desk = Desk::<B>::new().await;
    let store = &desk.store;
    let first =
        store.put_gold_set(desk.workspace, "set", 2, vec![query("a"), query("b")], false).await.unwrap();
    let mut versions = vec![first.version];
    let mut kept = Vec::new();
    let now = async || store.gold_queries(desk.workspace, "set", GoldFilter::default()).await.unwrap().0;
    kept.push(now().await);
    store.judge(desk.workspace, "set", "a", identifier("S2.1"), "Ada", Some(3)).await.unwrap();
    kept.push(now().await);
    versions.push(store.gold_set(desk.workspace, "set").await.unwrap().version);
    store.judge(desk.workspace, "set", "a", identifier("S2.1"), "Ada", Some(1)).await.unwrap();
    kept.push(now().await);
    versions.push(store.gold_set(desk.workspace, "set").await.unwrap().version);
    store.delete_gold_query(desk.workspace, "set", "b").await.unwrap();
    kept.push(now().await);
    versions.push(store.gold_set(desk.workspace, "set").await.unwrap().version);
    assert!(versions.is_sorted_by(|a, b| a < b), "{versions:?}");
    for (version, queries) in versions.iter().zip(&kept) {
        let (read, relevant_from) = store.gold_queries_at(desk.workspace, "set", *version).await.unwrap();
        assert_eq!((&read, relevant_from), (queries, 2), "version {version}");
    }
    let told: Vec<i64> =
        store.gold_history(desk.workspace, "set").await.unwrap().iter().map(|one| one.version).collect();
    assert_eq!(told, versions.iter().rev().copied().collect::<Vec<_>>());
    let unknown = store.gold_queries_at(desk.workspace, "set", 1_000).await.unwrap_err();
    assert_eq!(unknown.code(), "not_found");
}

/// A gold set belongs to one workspace; its queries keep their order and are listed in pages.
pub async fn a_gold_set_keeps_its_order<B: Bench>() {
    let desk = Desk::<B>::new().await;
    let (store, west) = (&desk.store, desk.another("west").await);
    let ids: Vec<String> = (0..9).map(|n| format!("q{}", (n * 5) % 9)).collect();
    let queries = ids.iter().map(|id| query(id)).collect();
    store.put_gold_set(desk.workspace, "set", 1, queries, false).await.unwrap();
    let page = async |offset, limit| {
        let filter = GoldFilter { offset, limit, ..GoldFilter::default() };
        let (queries, total) = store.gold_queries(desk.workspace, "set", filter).await.unwrap();
        assert_eq!(total, 9);
        queries.into_iter().map(|query| query.id).collect::<Vec<_>>()
    };
    assert_eq!(page(0, None).await, ids);
    let mut pages = Vec::new();
    for offset in (0..9).step_by(4) {
        pages.extend(page(offset, Some(4)).await);
    }
    assert_eq!(pages, ids);
    assert!(store.gold_sets(west).await.unwrap().is_empty());
    assert_eq!(store.gold_set(west, "set").await.unwrap_err().code(), "not_found");
    store.put_gold_set(desk.workspace, "other", 1, Vec::new(), false).await.unwrap();
    assert_eq!(store.rename_gold_set(desk.workspace, "other", "set").await.unwrap_err().code(), "exists");
    store.rename_gold_set(desk.workspace, "other", "new").await.unwrap();
    let names: Vec<String> =
        store.gold_sets(desk.workspace).await.unwrap().into_iter().map(|set| set.name).collect();
    assert_eq!(names, ["new", "set"]);
    store.decide(desk.workspace, "set", "what next", false).await.unwrap();
    store.decide(desk.workspace, "set", "what next", true).await.unwrap();
    assert!(store.gold_decisions(desk.workspace, "set").await.unwrap()["what next"]);
}

/// A judge has one opinion of a target. Another judge's opinion is kept beside it, and one taken back is gone.
pub async fn a_judge_has_one_opinion<B: Bench>() {
    let desk = Desk::<B>::new().await;
    let store = &desk.store;
    store.put_gold_set(desk.workspace, "set", 1, vec![query("a")], false).await.unwrap();
    let judged = async |judge: &str, grade| {
        let target = identifier("S2.1");
        let query = store.judge(desk.workspace, "set", "a", target, judge, grade).await.unwrap();
        let mut labels: Vec<(String, i32)> =
            query.labels.into_iter().map(|label| (label.judge, label.grade)).collect();
        labels.sort();
        labels
    };
    let label = |judge: &str, grade| (judge.to_owned(), grade);
    assert_eq!(judged("Ada", Some(3)).await, [label("Ada", 3)]);
    assert_eq!(judged("Bo", Some(0)).await, [label("Ada", 3), label("Bo", 0)]);
    assert_eq!(judged("Ada", Some(1)).await, [label("Ada", 1), label("Bo", 0)]);
    assert_eq!(judged("Ada", None).await, [label("Bo", 0)]);
}

/// Answers are listed newest first, in pages, and only to their workspace.
pub async fn answers_are_their_workspaces<B: Bench>() {
    let desk = Desk::<B>::new().await;
    let (store, west) = (&desk.store, desk.another("west").await);
    let put = async |session: &str, question: &str| {
        let new = NewAnswer {
            session,
            question,
            outcome: LoggedOutcome::Complete,
            confidence: 0.1 + 0.2,
            generator: "made",
            config_hash: "c",
            request: &json!({ "question": question }),
            answer: &json!({ "answer": format!("so is {question}"), "score": 0.1 }),
        };
        store.put_answer(desk.workspace, new, 0).await.unwrap()
    };
    let ids = [put("s", "alba").await, put("t", "brix").await, put("s", "corm alba").await];
    let listed = async |workspace, filter: AnswerFilter| {
        let (rows, total) = store.answers::<Value>(workspace, filter).await.unwrap();
        (rows.into_iter().map(|row| row.id).collect::<Vec<_>>(), total)
    };
    let all = AnswerFilter { limit: 9, ..AnswerFilter::default() };
    assert_eq!(listed(desk.workspace, all.clone()).await, (vec![ids[2], ids[1], ids[0]], 3));
    let second = AnswerFilter { offset: 1, limit: 1, ..all.clone() };
    assert_eq!(listed(desk.workspace, second).await, (vec![ids[1]], 3));
    let of_session = AnswerFilter { session: Some("s".to_owned()), ..all.clone() };
    assert_eq!(listed(desk.workspace, of_session).await, (vec![ids[2], ids[0]], 2));
    let found = AnswerFilter { search: "ALBA".to_owned(), ..all.clone() };
    assert_eq!(listed(desk.workspace, found).await, (vec![ids[2], ids[0]], 2));
    assert_eq!(listed(west, all.clone()).await, (Vec::new(), 0));
    store.rate_answer(desk.workspace, ids[0], Some(&json!({ "good": true }))).await.unwrap();
    let (row, request, answer) = store.answer::<Value, Value, Value>(desk.workspace, ids[0]).await.unwrap();
    assert_eq!((row.rating, row.confidence), (Some(json!({ "good": true })), 0.1 + 0.2));
    assert_eq!((request, &answer["score"]), (json!({ "question": "alba" }), &json!(0.1)));
    let other = store.answer::<Value, Value, Value>(west, ids[0]).await.unwrap_err();
    assert_eq!(other.code(), "not_found");
    assert_eq!(store.delete_answer(west, ids[0]).await.unwrap_err().code(), "not_found");
    assert_eq!(store.clear_answers(west).await.unwrap(), 0);
    assert_eq!(store.clear_answers(desk.workspace).await.unwrap(), 3);
}

/// Searches come back to the last bit, newest first, and only to their workspace.
pub async fn searches_come_back_to_the_last_bit<B: Bench>() {
    let desk = Desk::<B>::new().await;
    let (store, west) = (&desk.store, desk.another("west").await);
    let response =
        json!({ "total_results": 2, "scores": [0.1 + 0.2, f64::MIN_POSITIVE, 1e300], "z": 1, "a": 2 });
    let mut ids = Vec::new();
    for n in 0..3 {
        ids.push(store.record_run(desk.workspace, &json!({ "n": n }), &response, "hash").await.unwrap());
    }
    let (request, read) = store.run::<Value, Value>(desk.workspace, ids[1]).await.unwrap();
    assert_eq!((request, read.to_string()), (json!({ "n": 1 }), response.to_string()));
    let runs = store.runs::<Value>(desk.workspace, 2).await.unwrap();
    let told: Vec<_> = runs.into_iter().map(|run| (run.id, run.results, run.config_hash)).collect();
    assert_eq!(told, [(ids[2], 2, "hash".to_owned()), (ids[1], 2, "hash".to_owned())]);
    assert!(store.runs::<Value>(west, 9).await.unwrap().is_empty());
    assert_eq!(store.run::<Value, Value>(west, ids[0]).await.unwrap_err().code(), "not_found");
    assert_eq!(store.clear_runs(west).await.unwrap(), 0);
    assert_eq!(store.clear_runs(desk.workspace).await.unwrap(), 3);
}

/// A measured run keeps its queries in order, and returns each by its id.
pub async fn a_measured_run_keeps_its_queries<B: Bench>() {
    let desk = Desk::<B>::new().await;
    let (store, west) = (&desk.store, desk.another("west").await);
    let queries: Vec<(String, Value, Value)> =
        ["b", "a", "c"].map(|id| (id.to_owned(), json!({ "ndcg": 0.1 }), json!([id, 1]))).to_vec();
    let summary = json!({ "mean": 0.3 });
    let new =
        |cell| NewEvaluation { name: "run", gold_set: "set", cell, summary: &summary, queries: &queries };
    let older = store.put_evaluation(desk.workspace, new("cell")).await.unwrap();
    let newer = store.put_evaluation(desk.workspace, new("")).await.unwrap();
    let runs = store.evaluations::<Value>(desk.workspace, Some("set".to_owned())).await.unwrap();
    assert_eq!(runs.iter().map(|run| run.id).collect::<Vec<_>>(), [newer, older]);
    assert!(store.evaluations::<Value>(desk.workspace, Some("other".to_owned())).await.unwrap().is_empty());
    assert_eq!(store.evaluation_named(desk.workspace, "run").await.unwrap(), newer);
    let cell = store.evaluation_of_cell::<Value>(desk.workspace, "cell").await.unwrap();
    assert_eq!(cell.map(|run| (run.id, run.summary)), Some((older, json!({ "mean": 0.3 }))));
    let rankings = async |ids: &[&str]| {
        let ids = ids.iter().map(|id| (*id).to_owned()).collect();
        store.evaluation_rankings::<Value>(desk.workspace, older, ids).await.unwrap()
    };
    let all = rankings(&[]).await;
    assert_eq!(all.iter().map(|(id, _)| id.as_str()).collect::<Vec<_>>(), ["b", "a", "c"]);
    assert_eq!(rankings(&["c"]).await, [("c".to_owned(), json!(["c", 1]))]);
    assert_eq!(store.evaluation_scores::<Value>(desk.workspace, older).await.unwrap().len(), 3);
    assert_eq!(store.evaluation::<Value>(west, older).await.unwrap_err().code(), "not_found");
    assert_eq!(store.evaluation_scores::<Value>(west, older).await.unwrap_err().code(), "not_found");
    store.delete_evaluation(desk.workspace, older).await.unwrap();
    assert_eq!(
        store.evaluation_scores::<Value>(desk.workspace, older).await.unwrap_err().code(),
        "not_found"
    );
    store.rename_evaluation(desk.workspace, newer, "named").await.unwrap();
    assert_eq!(store.evaluation::<Value>(desk.workspace, newer).await.unwrap().name, "named");
}

/// Findings that fill what is open are kept all together, or none if somebody has decided on one meanwhile.
pub async fn only_what_is_open_is_filled<B: Bench>() {
    let desk = Desk::<B>::new().await;
    let store = &desk.store;
    let fill = async |paragraphs: &[&str], status| {
        let reviews = paragraphs.iter().map(|paragraph| review("acme", paragraph, status)).collect();
        store.put_reviews_of_open(desk.workspace, reviews).await
    };
    fill(&["S2.1"], ReviewStatus::Open).await.unwrap();
    let kept = fill(&["S2.1", "S2.2"], ReviewStatus::Met).await.unwrap();
    assert_eq!(kept.iter().map(|one| one.paragraph_id.as_str()).collect::<Vec<_>>(), ["S2.1", "S2.2"]);
    assert_eq!(fill(&["S2.3", "S2.1"], ReviewStatus::Gap).await.unwrap_err().code(), "invalid");
    assert_eq!(store.reviews(desk.workspace, None).await.unwrap(), kept);
    let west = desk.another("west").await;
    store.put_reviews_of_open(west, vec![review("acme", "S2.1", ReviewStatus::Gap)]).await.unwrap();
}

fn proposal(program: &str, finding: ReviewStatus) -> ProgramProposal {
    ProgramProposal {
        id: 0,
        requirement: "S2.1".to_owned(),
        report_id: "acme".to_owned(),
        program: program.to_owned(),
        finding,
        reason: "it says so".to_owned(),
        quotes: Vec::new(),
        made_at: String::new(),
    }
}

/// Of each program the last proposal for a cell is kept, until it is deleted or its assessment is.
pub async fn a_program_proposes_once_for_a_cell<B: Bench>() {
    let desk = Desk::<B>::new().await;
    let store = &desk.store;
    let id = store.put_assessment(desk.workspace, None, "one", &json!({})).await.unwrap();
    let put = async |new| store.put_program_proposal(id, new).await.unwrap();
    let first = put(proposal("b", ReviewStatus::Met)).await;
    let other = put(proposal("a", ReviewStatus::Gap)).await;
    let last = put(proposal("b", ReviewStatus::Partly)).await;
    assert!(last.id != first.id && !last.made_at.is_empty());
    let elsewhere =
        put(ProgramProposal { requirement: "S2.2".to_owned(), ..proposal("c", ReviewStatus::Met) }).await;
    let of_cell = store.program_proposals(id, Some(("S2.1", "acme"))).await.unwrap();
    assert_eq!(of_cell, [other.clone(), last.clone()], "by the names of the programs");
    assert!(store.program_proposals(id, Some(("S2.1", "other"))).await.unwrap().is_empty());
    assert_eq!(store.program_proposals(id, None).await.unwrap(), [other.clone(), last.clone(), elsewhere]);
    assert_eq!(store.program_proposal(id, last.id).await.unwrap(), last);
    assert_eq!(
        store.program_proposal(id, first.id).await.unwrap_err().code(),
        "not_found",
        "it proposed again"
    );
    assert_eq!(store.program_proposal(id + 1_000, last.id).await.unwrap_err().code(), "not_found");
    store.delete_program_proposal(id, other.id).await.unwrap();
    assert_eq!(store.delete_program_proposal(id, other.id).await.unwrap_err().code(), "not_found");
    assert!(
        store.decisions(desk.workspace, None, None).await.unwrap().is_empty(),
        "a proposal is no decision"
    );
    store.delete_assessment(desk.workspace, id).await.unwrap();
    assert!(store.program_proposals(id, None).await.unwrap().is_empty());
    let late = store.put_program_proposal(id, proposal("b", ReviewStatus::Met)).await.unwrap_err();
    assert_eq!(late.code(), "not_found");
}

/// A person confirms a proposal once, the one that was read; the decision names its program.
pub async fn a_confirmed_proposal_is_a_decision<B: Bench>() {
    let desk = Desk::<B>::new().await;
    let store = &desk.store;
    let id = store.put_assessment(desk.workspace, None, "one", &json!({})).await.unwrap();
    let read = store.put_program_proposal(id, proposal("b", ReviewStatus::Met)).await.unwrap();
    let last = store.put_program_proposal(id, proposal("b", ReviewStatus::Met)).await.unwrap();
    let confirm = async |proposal| {
        let found = review("acme", "S2.1", ReviewStatus::Met);
        store.confirm_program_proposal(desk.workspace, (id, proposal), found).await
    };
    assert_eq!(confirm(read.id).await.unwrap_err().code(), "not_found");
    assert!(store.reviews(desk.workspace, None).await.unwrap().is_empty(), "nothing was decided");
    let kept = confirm(last.id).await.unwrap();
    assert_eq!(store.review(desk.workspace, "acme", "S2.1").await.unwrap(), Some(kept));
    let decisions = store.decisions(desk.workspace, None, None).await.unwrap();
    assert_eq!((decisions.len(), decisions[0].proposed_by.as_deref()), (1, Some("b")));
    assert!(store.program_proposals(id, None).await.unwrap().is_empty());
    assert_eq!(confirm(last.id).await.unwrap_err().code(), "not_found");
}

/// A workspace has one calibration, the last one, to the last bit.
pub async fn a_calibration_is_the_last_one<B: Bench>() {
    let desk = Desk::<B>::new().await;
    let (store, west) = (&desk.store, desk.another("west").await);
    let read = async |workspace| store.calibration::<Value, Value>(workspace).await.unwrap();
    assert_eq!(read(desk.workspace).await, None);
    for n in [1, 2] {
        let row = CalibrationRow {
            moment: format!("{n}"),
            corpora: json!({ "chunks": n }),
            scores: json!([0.1 + 0.2, f64::MIN_POSITIVE]),
        };
        store.put_calibration(desk.workspace, &row).await.unwrap();
        assert_eq!(read(desk.workspace).await, Some(row));
    }
    assert_eq!(read(west).await, None);
}

/// A deleted gold set is gone with its queries; other sets and the runs on it stay.
pub async fn a_deleted_gold_set_is_gone<B: Bench>() {
    let desk = Desk::<B>::new().await;
    let (store, west) = (&desk.store, desk.another("west").await);
    for name in ["set", "other"] {
        store.put_gold_set(desk.workspace, name, 1, vec![query("a")], false).await.unwrap();
    }
    let (summary, queries) = (json!({}), Vec::<(String, Value, Value)>::new());
    let new = NewEvaluation { name: "run", gold_set: "set", cell: "", summary: &summary, queries: &queries };
    store.put_evaluation(desk.workspace, new).await.unwrap();
    assert_eq!(store.delete_gold_set(west, "set").await.unwrap_err().code(), "not_found");
    store.delete_gold_set(desk.workspace, "set").await.unwrap();
    assert_eq!(store.delete_gold_set(desk.workspace, "set").await.unwrap_err().code(), "not_found");
    let queries = store.gold_queries(desk.workspace, "set", GoldFilter::default()).await;
    assert_eq!(queries.unwrap_err().code(), "not_found");
    assert_eq!(store.gold_history(desk.workspace, "set").await.unwrap_err().code(), "not_found");
    assert_eq!(store.gold_queries(desk.workspace, "other", GoldFilter::default()).await.unwrap().1, 1);
    assert_eq!(store.evaluations::<Value>(desk.workspace, Some("set".to_owned())).await.unwrap().len(), 1);
}

/// A query that is put again keeps its place and its labels; those that it names are added.
pub async fn a_gold_query_keeps_its_labels<B: Bench>() {
    let desk = Desk::<B>::new().await;
    let store = &desk.store;
    store.put_gold_set(desk.workspace, "set", 1, vec![query("a"), query("b")], false).await.unwrap();
    store.judge(desk.workspace, "set", "a", identifier("S2.1"), "Ada", Some(3)).await.unwrap();
    let label = |target, grade| GoldLabel {
        target: identifier(target),
        grade,
        judge: "Ada".to_owned(),
        at: "2026-01-01T00:00:00Z".to_owned(),
    };
    let put = |id: &str| GoldQuery { query: "now".to_owned(), labels: vec![label("S2.2", 1)], ..query(id) };
    let kept = store.put_gold_query(desk.workspace, "set", put("a")).await.unwrap();
    let told: Vec<_> = kept.labels.iter().map(|one| (&one.target, one.grade)).collect();
    assert_eq!(told, [(&identifier("S2.1"), 3), (&identifier("S2.2"), 1)]);
    store.put_gold_query(desk.workspace, "set", put("c")).await.unwrap();
    let (queries, _) = store.gold_queries(desk.workspace, "set", GoldFilter::default()).await.unwrap();
    let told: Vec<_> = queries.iter().map(|one| (one.id.as_str(), one.query.as_str())).collect();
    assert_eq!(told, [("a", "now"), ("b", "what is b"), ("c", "now")]);
    assert_eq!(queries[0], kept);
    let nowhere = store.put_gold_query(desk.workspace, "none", put("a")).await.unwrap_err();
    assert_eq!(nowhere.code(), "not_found");
}
