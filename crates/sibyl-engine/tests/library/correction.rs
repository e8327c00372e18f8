//! Title, issuer and year of a document, as somebody corrects them.

use crate::{ingest_soundly, opened};
use sibyl_engine::Library;
use sibyl_engine::answer::AskRequest;
use sibyl_engine::ingest::{EmbedPlan, IngestRequest, Source};
use sibyl_engine::search::{Mode, SearchRequest};
use sibyl_engine::store::table::document::{Details, DocumentRow, LONGEST_DETAIL, ListedDocuments};
use sibyl_engine::store::table::workspace::{DEFAULT_WORKSPACE, LabelLanguage};

const REPORT: &str = "---\ntitle: Our year\nissuer: Stone\nyear: 2021\n---\n\n# Our year\n\n\
    ## Emissions\n\nThe quarry emitted 4,200 tonnes of carbon dioxide in the year under review.\n";

struct Desk {
    folder: tempfile::TempDir,
    library: Library,
    workspace: i64,
}

impl Desk {
    async fn new() -> Self {
        let (folder, library, workspace) = opened().await;
        let desk = Self { folder, library, workspace };
        desk.ingest(REPORT).await;
        desk
    }

    async fn ingest(&self, text: &str) {
        let file = self.folder.path().join("quarry.md");
        std::fs::write(&file, text).unwrap();
        self.run(Source::path(file)).await;
    }

    async fn run(&self, source: Source) {
        let request = IngestRequest {
            sources: vec![source],
            source_type: Some("report".to_owned()),
            embed: EmbedPlan::Nothing,
            force: true,
            ..IngestRequest::default()
        };
        ingest_soundly(&self.library, request).await;
    }

    async fn row(&self) -> DocumentRow {
        self.library.store().documents(self.workspace, None).await.unwrap().remove(0)
    }

    async fn correct(&self, details: Details) -> DocumentRow {
        let id = self.row().await.id;
        self.library.store().correct_document(self.workspace, id, details).await.unwrap()
    }
}

fn details(title: &str, issuer: &str, year: u16) -> Details {
    Details { title: Some(title.to_owned()), issuer: Some(issuer.to_owned()), year: Some(year) }
}

fn shown(row: &DocumentRow) -> Details {
    Details { title: Some(row.title.clone()), issuer: row.issuer.clone(), year: row.year }
}

#[tokio::test]
async fn a_correction_is_shown_everywhere_and_survives_that_the_document_is_ingested_again() {
    let desk = Desk::new().await;
    let read = details("Our year", "Stone", 2021);
    assert_eq!((shown(&desk.row().await), desk.row().await.as_read), (read.clone(), None));

    let said = details("Annual report 2024", "Quarry Holdings plc", 2024);
    let corrected = desk.correct(details(" Annual  report\n2024 ", "Quarry Holdings plc", 2024)).await;
    assert_eq!((shown(&corrected), corrected.as_read), (said.clone(), Some(read.clone())));
    let search =
        SearchRequest { query: "emitted".to_owned(), mode: Mode::Keyword, ..SearchRequest::default() };
    let found = desk.library.search().run(DEFAULT_WORKSPACE, &search).await.unwrap();
    assert_eq!(found.results[0].title, "Annual report 2024");
    let ask = AskRequest {
        question: "How much carbon dioxide did the quarry emit?".to_owned(),
        generator: Some("extractive".to_owned()),
        threshold: Some(0.0),
        ..AskRequest::default()
    };
    let answer = desk.library.answer().ask(DEFAULT_WORKSPACE, &ask, &|_| ()).await.unwrap();
    assert_eq!(answer.reply.citations[0].title, "Annual report 2024");
    let words = ListedDocuments { words: "annual 2024".to_owned(), ..ListedDocuments::default() };
    let listed = desk.library.store().listed_documents(desk.workspace, words).await.unwrap();
    assert_eq!(listed.len(), 1);

    // From the file as it is now, and from the stored copy.
    desk.ingest(&REPORT.replace("Stone", "Stone & Sons")).await;
    assert_eq!(shown(&desk.row().await), said);
    desk.run(Source::Document { id: desk.row().await.id }).await;
    let row = desk.row().await;
    assert_eq!((shown(&row), row.as_read), (said, Some(details("Our year", "Stone & Sons", 2021))));

    // What is left open, and corrections that repeat what was read, follow what is read.
    let title = Details { issuer: None, year: None, ..details("Annual report 2024", "", 1990) };
    desk.correct(Details { issuer: Some("Stone & Sons".to_owned()), ..title }).await;
    desk.ingest(&REPORT.replace("2021", "2020")).await;
    assert_eq!(shown(&desk.row().await), details("Annual report 2024", "Stone", 2020));
    let back = desk.correct(Details { title: Some(" ".to_owned()), ..Details::default() }).await;
    assert_eq!((shown(&back), back.as_read), (details("Our year", "Stone", 2020), None));
}

#[tokio::test]
async fn a_correction_is_refused_where_it_cannot_be_and_from_where_the_document_is_not_seen() {
    let desk = Desk::new().await;
    let store = desk.library.store();
    let id = desk.row().await.id;
    desk.correct(details("Annual report", "Stone", 2024)).await;
    let before = desk.row().await;
    let elsewhere = store.create_workspace("elsewhere", LabelLanguage::En).await.unwrap().id;
    let long = "x".repeat(LONGEST_DETAIL + 1);
    for (workspace, wrong, expected) in [
        (elsewhere, details("Fern", "Fern", 2024), "does not exist"),
        (desk.workspace, details("Fern", "Fern", 1989), "1990 to 2099"),
        (desk.workspace, details("Fern", "Fern", 2100), "1990 to 2099"),
        (desk.workspace, details(&long, "Fern", 2024), "title has 301 characters, but at most 300"),
        (desk.workspace, details("Fern", &long, 2024), "issuer has 301 characters, but at most 300"),
    ] {
        let error = store.correct_document(workspace, id, wrong).await.unwrap_err();
        assert!(error.to_string().contains(expected), "{error}");
        assert_eq!(desk.row().await, before);
    }
}
