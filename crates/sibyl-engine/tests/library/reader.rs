//! Untrusted files are read by another process. Whatever happens to it, this one continues.

use sibyl_engine::ingest::{IngestRequest, Source};
use sibyl_engine::reader::{self, READER_ARGUMENT, ReadError, ReaderProgram};
use sibyl_engine::store::table::workspace::DEFAULT_WORKSPACE;
use sibyl_engine::{Library, OpenOptions};
use sibyl_text::Piece;
use sibyl_text::format::{FORMATS, Input};
use std::time::Duration;

const TEXT: &[u8] = "# Täglich\n\nA paragraph with 🌍.\n\n| a | b |\n|---|---|\n| 1 | 2 |\n".as_bytes();

/// This test binary, started again as a reader that behaves as `manner` says.
pub fn reader(manner: &str) -> ReaderProgram {
    ReaderProgram::Other {
        program: std::env::current_exe().unwrap(),
        arguments: ["--exact", "reader::reading_process", "--nocapture"].map(Into::into).to_vec(),
        environment: vec![("SIBYL_READER_MANNER".into(), manner.into())],
    }
}

/// Is this test binary started again by the tests below; otherwise it has nothing to do.
#[test]
fn reading_process() {
    match std::env::var("SIBYL_READER_MANNER").as_deref() {
        Ok("good") => {
            reader::run_reader();
        }
        Ok("hangs") => std::thread::sleep(Duration::from_secs(60)),
        Ok("crashes") => std::process::abort(),
        Ok("shows its environment") => {
            let names: Vec<String> =
                std::env::vars_os().map(|(name, _)| name.to_string_lossy().into_owned()).collect();
            eprintln!("{}", names.join(" "));
            std::process::exit(3);
        }
        Ok("never ends") => {
            use std::io::Write as _;
            let mut output = std::io::stdout().lock();
            while output.write_all(&[b'x'; 1 << 16]).is_ok() {}
        }
        Ok("asks for too much") => drop(std::hint::black_box(Vec::<u8>::with_capacity(1 << 60))),
        Ok("shouts") => {
            eprintln!("{}", "out of cheese ".repeat(100_000));
            reader::run_reader();
        }
        Ok("complains") => {
            eprintln!("out of cheese");
            std::process::exit(3);
        }
        _ => {}
    }
}

async fn read(manner: &str, limit: Duration) -> Result<sibyl_text::Document, ReadError> {
    let input = Input { name: "a.md", bytes: TEXT, page_metadata: None };
    reader::read(&reader(manner), "markdown", &input, Vec::new(), limit).await
}

const LONG: Duration = Duration::from_secs(60);

#[tokio::test]
async fn a_child_reads_what_this_process_would() {
    let input = Input { name: "a.md", bytes: TEXT, page_metadata: None };
    let format = FORMATS.iter().find(|format| format.name() == "markdown").unwrap();
    assert_eq!(read("good", LONG).await.unwrap(), format.read(&input));
}

#[tokio::test]
async fn a_child_that_hangs_is_killed() {
    assert_eq!(read("hangs", Duration::from_millis(300)).await, Err(ReadError::Timeout(0)));
}

#[tokio::test]
async fn a_child_that_crashes_is_an_error_with_its_last_words() {
    assert_eq!(read("crashes", LONG).await.unwrap_err().code(), "reader_crashed");
    let message = read("complains", LONG).await.unwrap_err().to_string();
    assert!(message.contains("out of cheese"), "{message}");
}

#[tokio::test]
async fn a_child_gets_no_key_of_the_environment() {
    // Set by the program that runs these tests, as a key may be set for the program.
    assert!(std::env::var_os("CARGO_MANIFEST_DIR").is_some());
    let message = read("shows its environment", LONG).await.unwrap_err().to_string();
    assert!(message.contains("SIBYL_READER_MANNER"), "{message}");
    assert!(!message.contains("CARGO_MANIFEST_DIR") && !message.contains("HOME"), "{message}");
}

#[tokio::test]
async fn a_child_that_answers_without_end_is_stopped() {
    let error = read("never ends", LONG).await.unwrap_err();
    assert_eq!(error, ReadError::TooMuch(reader::answer_limit(TEXT.len()) >> 20));
    assert_eq!(error.code(), "reader_too_much");
}

#[tokio::test]
async fn a_child_that_gets_no_memory_is_told_as_such() {
    let error = read("asks for too much", LONG).await.unwrap_err();
    assert_eq!(error, ReadError::TooLarge(reader::memory_limit(TEXT.len()) >> 20));
    assert_eq!(error.code(), "reader_too_large");
}

#[tokio::test]
async fn a_child_that_complains_at_length_still_answers() {
    let document = read("shouts", LONG).await.unwrap();
    assert_eq!(document.title.as_deref(), Some("Täglich"));
}

#[tokio::test]
async fn a_program_that_is_not_there_is_named() {
    let nowhere = ReaderProgram::Other {
        program: "/no/such/program".into(),
        arguments: vec![READER_ARGUMENT.into()],
        environment: Vec::new(),
    };
    let input = Input { name: "a.md", bytes: TEXT, page_metadata: None };
    let error = reader::read(&nowhere, "markdown", &input, Vec::new(), LONG).await.unwrap_err();
    assert_eq!(error.code(), "reader_not_started");
}

#[tokio::test]
async fn a_pdf_goes_through_the_child_and_one_that_kills_it_fails_alone() {
    let pdf = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../tests/fixtures/pdf/federal-government-scorecard-fy2023.pdf"
    );
    for (manner, created, failed) in [("good", 2, 0), ("crashes", 1, 1)] {
        let folder = tempfile::tempdir().unwrap();
        let options = OpenOptions { reader: reader(manner), ..OpenOptions::new(folder.path()) };
        let library = Library::open(options).await.unwrap();
        let request = IngestRequest {
            sources: vec![Source::path(pdf), Source::upload("note.txt", b"A note.".to_vec())],
            ..IngestRequest::default()
        };
        let id = library.ingest().start(DEFAULT_WORKSPACE, request).await.unwrap();
        let report = library.jobs().wait(DEFAULT_WORKSPACE, id).await.unwrap().report;
        assert_eq!(
            (report.documents.created, report.failed.len()),
            (created, failed),
            "{manner}: {report:?}"
        );
        let workspace = library.store().workspace(DEFAULT_WORKSPACE).await.unwrap().id;
        let documents = library.store().documents(workspace, None).await.unwrap();
        for document in documents.iter().filter(|document| document.format == "pdf") {
            assert_eq!(document.report_id.as_deref(), Some("federal-government-scorecard-fy2023"));
            assert!(document.pages > 0);
            let files = library.jobs().files(DEFAULT_WORKSPACE, id, &[], 0, 2).await.unwrap();
            assert_eq!(
                files.iter().map(|file| file.pages).collect::<Vec<_>>(),
                [Some(document.pages), Some(0)]
            );
            let chunks = library.store().chunks_of(workspace, document.id, 0, i64::MAX).await.unwrap();
            assert!(!chunks.is_empty() && chunks.iter().all(|chunk| chunk.pages.is_some()));
        }
        assert!(library.upkeep().doctor().await.unwrap().is_sound());
    }
}

/// Bytes that begin every PNG file (ISO/IEC 15948, 5.2), in Base64 as far as they make whole characters.
const PNG: &str = "iVBORw0KGg";

#[tokio::test]
async fn a_page_is_shown_as_it_looks_with_the_lines_of_a_chunk() {
    let pdf = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../tests/fixtures/pdf/federal-government-scorecard-fy2023.pdf"
    );
    let folder = tempfile::tempdir().unwrap();
    let options = OpenOptions { reader: reader("good"), ..OpenOptions::new(folder.path()) };
    let library = Library::open(options).await.unwrap();
    let request = IngestRequest {
        sources: vec![Source::path(pdf), Source::upload("note.txt", b"A note.".to_vec())],
        ..IngestRequest::default()
    };
    let id = library.ingest().start(DEFAULT_WORKSPACE, request).await.unwrap();
    library.jobs().wait(DEFAULT_WORKSPACE, id).await.unwrap();
    let workspace = library.store().workspace(DEFAULT_WORKSPACE).await.unwrap().id;
    let documents = library.store().documents(workspace, None).await.unwrap();
    let report = documents.iter().find(|document| document.format == "pdf").unwrap().id;
    let note = documents.iter().find(|document| document.format != "pdf").unwrap().id;
    let chunks = library.store().chunks_of(workspace, report, 0, i64::MAX).await.unwrap();
    let (_, document) = library.store().document(workspace, report).await.unwrap();
    let chunk = chunks.iter().find(|chunk| !chunk.pieces.is_empty()).unwrap();
    let own = |piece: &Piece| match piece {
        Piece::Source { span, .. } => Some(*span),
        Piece::Generated { .. } | Piece::Aid { .. } => None,
    };
    let span = chunk.pieces.iter().find_map(own).unwrap();
    let page = document.pages.iter().find(|page| page.span.overlaps(span)).unwrap().number;

    let shown =
        library.contents().page_image(DEFAULT_WORKSPACE, report, page, 600, |_| Some(span)).await.unwrap();
    assert_eq!((shown.page, shown.width), (page, 600));
    assert!(shown.pages > 0 && shown.height > 100 && shown.png.starts_with(PNG));
    assert!(!shown.marks.is_empty());
    for mark in &shown.marks {
        assert!(mark.x >= 0.0 && mark.x + mark.width <= 1.0 + 1e-6, "{mark:?}");
        assert!(mark.y >= 0.0 && mark.y + mark.height <= 1.0 + 1e-6, "{mark:?}");
    }
    let bare = library.contents().page_image(DEFAULT_WORKSPACE, report, page, 600, |_| None).await.unwrap();
    assert!(bare.marks.is_empty() && bare.png == shown.png);

    let beyond =
        library.contents().page_image(DEFAULT_WORKSPACE, report, 9_999, 600, |_| None).await.unwrap_err();
    assert_eq!(beyond.code(), "page_not_drawn");
    assert!(beyond.to_string().contains("page 9999 does not exist"), "{beyond}");
    let plain = library.contents().page_image(DEFAULT_WORKSPACE, note, 1, 600, |_| None).await.unwrap_err();
    assert_eq!(plain.code(), "no_page_image");
}

#[test]
fn limits_grow_with_the_file_and_end() {
    assert_eq!(reader::time_limit(0), Duration::from_secs(20));
    assert_eq!(reader::time_limit(5 << 20), Duration::from_secs(120));
    assert_eq!(reader::time_limit(4 << 30), Duration::from_secs(600));
    assert_eq!(reader::memory_limit(0), 1 << 30);
    assert_eq!(reader::memory_limit(1 << 30), 4 << 30);
    assert_eq!(reader::answer_limit(0), 64 << 20);
    assert_eq!(reader::answer_limit(1 << 30), 1 << 30);
}
