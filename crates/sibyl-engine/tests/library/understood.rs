//! The conditions of a question narrow its answer, are shown with it, and are ignored if the request says so.

use crate::ingest_soundly;
use sibyl_engine::Library;
use sibyl_engine::answer::{Answer, AskRequest, Constraint, ConstraintKind, Outcome, Refusal};
use sibyl_engine::ingest::{IngestRequest, Source};
use sibyl_engine::search::Filters;
use sibyl_engine::store::table::workspace::DEFAULT_WORKSPACE;

const REPORTS: [(&str, &str); 2] = [
    (
        "brindle.md",
        "# Brindle Foods climate report 2021\n\nBrindle Foods uses no carbon offsets.\n\n| Emissions (t CO2e) | 2020 | 2021 |\n\
         | --- | --- | --- |\n| Scope 1 | 159,000 | 157,000 |\n| Scope 2 | 288,000 | 270,000 |\n",
    ),
    (
        "tarn.md",
        "# Tarn Logistics climate report 2021\n\nTarn Logistics buys carbon offsets for its flights.\n\n\
         | Emissions (t CO2e) | 2020 | 2021 |\n| --- | --- | --- |\n| Scope 1 | 41,300 | 44,100 |\n",
    ),
];

async fn library() -> (tempfile::TempDir, Library) {
    let (folder, library, _) = crate::opened().await;
    let reports = folder.path().join("reports");
    std::fs::create_dir(&reports).unwrap();
    for (name, text) in REPORTS {
        std::fs::write(reports.join(name), text).unwrap();
    }
    let request = IngestRequest {
        sources: vec![Source::path(reports)],
        source_type: Some("report".to_owned()),
        ..IngestRequest::default()
    };
    ingest_soundly(&library, request).await;
    (folder, library)
}

async fn ask(library: &Library, question: &str, ignore: &[Constraint]) -> Answer {
    let request =
        AskRequest { question: question.to_owned(), ignore: ignore.to_vec(), ..AskRequest::default() };
    library.answer().ask(DEFAULT_WORKSPACE, &request, &|_| ()).await.unwrap()
}

fn told(answer: &Answer) -> &str {
    answer.reply.answer.as_deref().unwrap_or_default()
}

#[tokio::test(flavor = "multi_thread")]
async fn company_year_and_scope_decide_and_each_is_taken_back() {
    let (_folder, library) = library().await;
    let question = "Scope 1 emissions of Tarn Logistics in 2020";
    let answer = ask(&library, question, &[]).await;
    assert!(told(&answer).contains("41,300") && !told(&answer).contains("159,000"), "{}", told(&answer));
    let year = Constraint::new(ConstraintKind::Period, "2020");
    let company = answer.reply.understood.iter().find(|one| one.kind == ConstraintKind::Issuer).cloned();
    for one in [year.clone(), Constraint::new(ConstraintKind::Scope, "1"), company.clone().unwrap()] {
        assert!(answer.reply.understood.contains(&one), "{one:?}: {:?}", answer.reply.understood);
    }
    let latest = ask(&library, question, &[year]).await;
    assert!(told(&latest).contains("44,100"), "{}", told(&latest));
    let everyone = ask(&library, question, &company.into_iter().collect::<Vec<_>>()).await;
    assert!(everyone.reply.understood.iter().all(|one| one.kind != ConstraintKind::Issuer));
}

#[tokio::test(flavor = "multi_thread")]
async fn figures_are_sought_where_the_search_looks() {
    let (folder, library, _) = crate::opened().await;
    for (name, text) in REPORTS {
        let path = folder.path().join(name);
        std::fs::write(&path, text).unwrap();
        let request = IngestRequest {
            sources: vec![Source::path(path)],
            source_type: Some("report".to_owned()),
            corpus: Some(name.trim_end_matches(".md").to_owned()),
            ..IngestRequest::default()
        };
        ingest_soundly(&library, request).await;
    }
    let ask = async |filters: Filters| {
        let question = "Scope 2 emissions in 2021".to_owned();
        let request = AskRequest { question, filters, ..AskRequest::default() };
        library.answer().ask(DEFAULT_WORKSPACE, &request, &|_| ()).await.unwrap()
    };
    let corpus = |name: &str| Filters { corpora: vec![name.to_owned()], ..Filters::default() };
    let path = |name: &str| Filters { paths: vec![name.to_owned()], ..Filters::default() };
    for here in [corpus("brindle"), path("brindle.md"), Filters::default()] {
        let answer = ask(here).await;
        assert!(told(&answer).contains("270,000"), "{}", told(&answer));
    }
    for elsewhere in [corpus("tarn"), path("tarn.md")] {
        let answer = ask(elsewhere).await;
        assert!(!told(&answer).contains("270,000"), "{}", told(&answer));
        assert!(answer.passages.iter().all(|passage| passage.corpus == "tarn"));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn nobody_answers_for_somebody_else() {
    let (_folder, library) = library().await;
    let question = "Scope 1 emissions of Holmgaard Paper in 2020";
    let unknown = ask(&library, question, &[]).await;
    assert_eq!((unknown.reply.outcome, unknown.reply.refusal), (Outcome::Refused, Some(Refusal::NotFound)));
    let stranger = Constraint::new(ConstraintKind::UnknownIssuer, "Holmgaard Paper");
    assert!(unknown.reply.understood.contains(&stranger), "{:?}", unknown.reply.understood);
    let absent = ask(&library, "Scope 2 emissions of Tarn Logistics in 2021", &[]).await;
    assert_eq!(absent.reply.refusal, Some(Refusal::NotFound), "{}", told(&absent));
}

#[tokio::test(flavor = "multi_thread")]
async fn companies_that_are_compared_are_answered_for_one_by_one() {
    let (_folder, library) = library().await;
    let answer =
        ask(&library, "Compare the Scope 1 emissions of Brindle Foods and Tarn Logistics in 2021", &[]).await;
    let readings: Vec<&str> =
        answer.reply.readings.iter().filter_map(|reading| reading.answer.as_deref()).collect();
    assert_eq!(readings.len(), 2, "{}", told(&answer));
    assert!(
        readings.iter().any(|one| one.contains("157,000"))
            && readings.iter().any(|one| one.contains("44,100"))
    );
    for reading in &answer.reply.readings {
        for n in reading.sentences.iter().flat_map(|sentence| &sentence.citations) {
            assert!(reading.citations.iter().any(|citation| citation.n == *n), "{n}");
        }
    }
}
