//! Pages with a picture and no text are read by OCR if it is on, and the rest of the document is unchanged.

use crate::reader::reader;
use sibyl_engine::ingest::{EmbedPlan, IngestRequest, Job, Source};
use sibyl_engine::store::table::document::DocumentRow;
use sibyl_engine::store::table::workspace::DEFAULT_WORKSPACE;
use sibyl_engine::{Library, OpenOptions};
use sibyl_text::{Document, Span};

const SCANNED: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/fixtures/scans/scanned.pdf");

struct Desk {
    _folder: tempfile::TempDir,
    library: Library,
}

impl Desk {
    async fn new(tesseract: Option<&std::path::Path>) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let mut options = OpenOptions { reader: reader("good"), ..OpenOptions::new(folder.path()) };
        if let Some(program) = tesseract {
            options.tesseract = program.to_owned();
        }
        Self { library: Library::open(options).await.unwrap(), _folder: folder }
    }

    /// With Tesseract, which tests need.
    async fn with_ocr() -> Self {
        let desk = Self::new(None).await;
        let state = desk.library.ocr_state().await.unwrap();
        assert!(
            state.installed && state.languages.contains(&"eng".to_owned()),
            "Tesseract with English is missing; `cargo xtask test` installs it, or: {}",
            state.install
        );
        desk
    }

    async fn ingest(&self, ocr: Option<bool>, force: bool) -> Job {
        let request = IngestRequest {
            sources: vec![Source::path(SCANNED)],
            embed: EmbedPlan::Nothing,
            ocr,
            force,
            ..IngestRequest::default()
        };
        let id = self.library.ingest().start(DEFAULT_WORKSPACE, request).await.unwrap();
        self.library.jobs().wait(DEFAULT_WORKSPACE, id).await.unwrap()
    }

    async fn document(&self) -> (DocumentRow, Document) {
        let workspace = self.library.store().workspace(DEFAULT_WORKSPACE).await.unwrap().id;
        let [row] =
            <[_; 1]>::try_from(self.library.store().documents(workspace, None).await.unwrap()).unwrap();
        self.library.store().document(workspace, row.id).await.unwrap()
    }
}

fn messages(job: &Job, code: &str) -> Vec<String> {
    let notices = job.report.notices.iter().filter(|notice| notice.code == code);
    notices.map(|notice| notice.message.clone()).collect()
}

#[tokio::test]
async fn a_scanned_page_becomes_text_in_its_place_and_stays_marked() {
    let desk = Desk::with_ocr().await;
    let job = desk.ingest(Some(true), false).await;
    assert!(job.report.failed.is_empty(), "{:?}", job.report.failed);
    assert_eq!(messages(&job, "read_by_ocr").len(), 1, "{:?}", job.report.notices);
    assert_eq!(messages(&job, "ocr_found_nothing").len(), 1, "page 4 is empty: {:?}", job.report.notices);
    assert!(messages(&job, "pages_without_text").is_empty());

    let (row, document) = desk.document().await;
    let places =
        ["This report covers", "4,200 tonnes of carbon", "Two of them will run on batteries", "Waste water"]
            .map(|words| document.text.find(words).unwrap_or_else(|| panic!("{words}: {}", document.text)));
    assert!(places.is_sorted(), "the order of the pages: {places:?}");
    assert!(document.sections.iter().any(|section| section.title == "Harbour emissions"));
    let known = row.ocr.unwrap();
    assert_eq!((known.pages, known.languages.as_str()), (2, "eng"));
    assert!((80..=100).contains(&known.confidence), "{}", known.confidence);

    // Each line has its box on its page, so that the page view can mark it.
    let sentence = Span::new(places[1], places[1] + "4,200 tonnes".len());
    let line = document.segments.iter().find(|line| line.span.overlaps(sentence)).unwrap();
    let [left, top, right, bottom] = line.rect.unwrap();
    assert_eq!(line.page, Some(2));
    // The picture has 200 dots an inch: its first line of text begins 180 dots from the left and 330 from the top.
    assert!((left - 65.0).abs() < 4.0 && (110.0..=135.0).contains(&top), "{left} {top}");
    assert!(right > left + 300.0 && bottom > top && bottom < 145.0, "{right} {bottom}");

    // What is smudged is doubtful, and nothing else.
    let read = document.recognition.unwrap();
    assert_eq!(read.pages, [2, 4]);
    let basin = document.text.find("of the basin").unwrap();
    assert!(!read.doubtful.is_empty());
    // The smudge touches the word after it.
    let smudge = Span::new(basin.saturating_sub(24), basin + "of".len());
    assert!(
        read.doubtful.iter().all(|word| smudge.contains(*word)),
        "{:?} in {}",
        read.doubtful,
        document.text
    );

    // Chunks and searches know it.
    let found = desk
        .library
        .search()
        .run(
            DEFAULT_WORKSPACE,
            &sibyl_engine::search::SearchRequest {
                query: "tugboats on batteries".to_owned(),
                mode: sibyl_engine::search::Mode::Keyword,
                ..Default::default()
            },
        )
        .await
        .unwrap();
    let ocr = &found.results[0].metadata["ocr"];
    assert!(ocr["confidence"].as_u64().unwrap() >= 80, "{ocr}");
    assert!(!ocr["doubtful"].as_array().unwrap().is_empty(), "{ocr}");
}

#[tokio::test]
async fn what_ocr_read_stays_until_somebody_says_otherwise() {
    let desk = Desk::with_ocr().await;
    let first = desk.ingest(None, false).await;
    let [unread] = <[_; 1]>::try_from(messages(&first, "pages_without_text")).unwrap();
    assert!(unread.starts_with("Pages 2, 4 contain no text") && unread.contains("--ocr on"), "{unread}");
    assert_eq!(desk.document().await.0.ocr, None);

    // The file has not changed, but now its pages are to be read.
    assert_eq!(desk.ingest(Some(true), false).await.report.documents.updated, 1);
    assert_eq!(desk.document().await.0.ocr.unwrap().pages, 2);
    assert_eq!(desk.ingest(Some(true), false).await.report.documents.unchanged, 1);
    assert_eq!(desk.ingest(None, false).await.report.documents.unchanged, 1);
    desk.ingest(None, true).await;
    assert_eq!(desk.document().await.0.ocr.unwrap().pages, 2, "read again, as before");
    desk.ingest(Some(false), true).await;
    assert_eq!(desk.document().await.0.ocr, None);
}

#[tokio::test]
async fn without_tesseract_the_message_says_how_to_install_it() {
    let desk = Desk::new(Some("/no/such/tesseract".as_ref())).await;
    let job = desk.ingest(Some(true), false).await;
    let [unread] = <[_; 1]>::try_from(messages(&job, "pages_without_text")).unwrap();
    assert!(unread.contains("apt install tesseract-ocr"), "{unread}");
    assert!(desk.document().await.1.text.contains("Waste water"));
    assert!(!desk.library.ocr_state().await.unwrap().installed);
}

/// A program that claims to be Tesseract and runs `work` for each page.
#[cfg(unix)]
fn pretender(folder: &std::path::Path, work: &str) -> std::path::PathBuf {
    use std::os::unix::fs::PermissionsExt as _;
    let program = folder.join("tesseract");
    let list = "if [ \"$1\" = --list-langs ]; then echo 'List (2):'; echo eng; echo osd; exit; fi";
    std::fs::write(&program, format!("#!/bin/sh\n{list}\n{work}\n")).unwrap();
    std::fs::set_permissions(&program, std::fs::Permissions::from_mode(0o755)).unwrap();
    program
}

#[cfg(unix)]
#[tokio::test]
async fn a_page_that_fails_is_named_and_the_rest_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    for (work, cause) in [
        ("cat > /dev/null; echo 'out of ink' >&2; exit 3", "out of ink"),
        ("cat > /dev/null; echo 'no page'", "damaged"),
        ("head -c 40000000 /dev/zero", "more than 16 MB"),
    ] {
        let desk = Desk::new(Some(&pretender(folder.path(), work))).await;
        let job = desk.ingest(Some(true), false).await;
        let failed: Vec<Option<u32>> =
            job.report.notices.iter().filter(|n| n.code == "ocr_failed").map(|n| n.page).collect();
        assert_eq!(failed, [Some(2), Some(4)], "{work}: {:?}", job.report.notices);
        assert!(messages(&job, "ocr_failed").iter().all(|message| message.contains(cause)), "{work}");
        assert_eq!(messages(&job, "pages_without_text").len(), 1);
        assert!(desk.document().await.1.text.contains("Waste water"));
    }
}

#[cfg(unix)]
#[tokio::test]
async fn a_language_that_is_not_there_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let desk = Desk::new(Some(&pretender(folder.path(), "exit 3"))).await;
    let settings = serde_json::json!({ "ocr_languages": "eng+swe" });
    desk.library.change_settings(settings.as_object().unwrap().clone()).await.unwrap();
    let job = desk.ingest(Some(true), false).await;
    let [missing] = <[_; 1]>::try_from(messages(&job, "ocr_language_missing")).unwrap();
    assert!(missing.contains("swe") && missing.contains("eng"), "{missing}");
    assert_eq!(desk.library.ocr_state().await.unwrap().languages, ["eng"], "osd is no language");
}

#[tokio::test]
async fn progress_tells_how_many_pages_of_how_many_ocr_has_read() {
    let desk = Desk::with_ocr().await;
    let mut events = desk.library.jobs().events();
    desk.ingest(Some(true), false).await;
    let mut steps = Vec::new();
    while let Ok(event) = events.try_recv() {
        steps.push((event.ocr_done, event.ocr_pages));
    }
    steps.retain(|(_, pages)| *pages > 0);
    steps.dedup();
    assert_eq!(steps, [(0, 2), (1, 2), (2, 2)]);
}

#[tokio::test]
async fn the_preflight_counts_pages_for_ocr() {
    let desk = Desk::with_ocr().await;
    let request = IngestRequest { sources: vec![Source::path(SCANNED)], ..IngestRequest::default() };
    let preflight = desk.library.ingest().preflight(DEFAULT_WORKSPACE, request).await.unwrap();
    assert_eq!((preflight.pages, preflight.pages_without_text, preflight.ocr_possible), (4, 2, true));
    assert!(preflight.ocr_seconds > 0.0);
}
