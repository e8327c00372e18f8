//! Files dropped on the window: examined, ingested, given up and taken up again, even after the program was
//! killed.

use crate::digits;
use serde_json::json;
use sibyl_tests::desktop::Desktop;
use sibyl_tests::program::Sibyl;
use sibyl_tests::{fixture, root};
use std::path::Path;
use std::time::Duration;

const DOCK: &str = "[data-testid=job-dock]";
/// Pages are read at their own pace.
const READING: Duration = Duration::from_secs(120);

/// Files beside the reports, and the size of each: enough to read that a job can be caught at work.
const LONG: usize = 12;
const BYTES: usize = 2 << 20;

/// Real reports, and the longest of them again and again in files that take their time.
fn reports(folder: &Path) -> usize {
    let sources = [fixture("pdf"), root().join("crates/sibyl-text/tests/fixtures/reports")];
    let files = sources.iter().flat_map(|source| std::fs::read_dir(source).unwrap().flatten());
    let (mut count, mut longest) = (0, String::new());
    for file in files {
        let name = file.file_name().into_string().unwrap();
        if name.ends_with(".pdf") || name.ends_with(".md") && name != "README.md" {
            std::fs::copy(file.path(), folder.join(&name)).unwrap();
            count += 1;
            let text = std::fs::read_to_string(file.path()).unwrap_or_default();
            longest = if text.len() > longest.len() { text } else { longest };
        }
    }
    for number in 0..LONG {
        let text = longest.repeat(BYTES.div_ceil(longest.len()));
        std::fs::write(folder.join(format!("long-{number:02}.md")), format!("# Volume {number}\n\n{text}"))
            .unwrap();
    }
    count + LONG
}

fn is_pdf(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "pdf")
}

/// Number of finished files, as the dock shows it.
async fn done(desktop: &Desktop) -> u64 {
    let text = desktop.text(&format!("{DOCK} .heading")).await;
    let before = text.split(" of ").next().unwrap_or_default();
    digits(before.rsplit(" · ").next().unwrap_or_default())
}

async fn past(desktop: &Desktop, files: u64) {
    let script = "const told = /(\\d+) of \\d+ files/.exec(document.querySelector(arguments[0])?.textContent ?? ''); \
                  return Number(told?.[1] ?? 0) > arguments[1]";
    desktop.until_within(READING, script, &[json!(DOCK), json!(files)]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_dropped_folder_is_ingested_through_cancel_resume_and_a_killed_program() {
    let sibyl = Sibyl::with_standards();
    let dropped = tempfile::tempdir().unwrap();
    let files = reports(dropped.path());
    let pdfs =
        std::fs::read_dir(fixture("pdf")).unwrap().flatten().filter(|file| is_pdf(&file.path())).count();
    let desktop = Desktop::open(sibyl.folder()).await;
    desktop.says("[data-testid=library-corpora]", "sasb").await;
    desktop.drop_files(&[dropped.path()]).await;
    let card = desktop.says("[data-testid=preflight]", "Pages").await;
    assert!(card.contains(&format!("Files{files}")), "{card}");
    desktop.picture("library-preflight").await;
    desktop.press(&format!("Add {files} files")).await;

    desktop.says(DOCK, "Running").await;
    past(&desktop, 0).await;
    desktop.press_in(DOCK, "Cancel").await;
    desktop.says(&format!("{DOCK} .heading"), "Cancelled").await;
    desktop.picture("library-cancelled").await;
    let kept = done(&desktop).await;
    assert!(kept > 0 && kept < files as u64, "{kept} of {files}: it was not given up halfway");

    desktop.press_in(DOCK, "Resume").await;
    past(&desktop, kept).await;
    let reached = done(&desktop).await;
    assert!(reached < files as u64, "the job ended before the program could be killed");
    desktop.kill();

    let desktop = Desktop::open(sibyl.folder()).await;
    // What is embedded afterwards may be reported already, with the ingest below it.
    let done = "const text = document.querySelector(arguments[0])?.textContent ?? ''; \
                return text.includes(`${arguments[1]} of ${arguments[1]} files`) || text.includes('Ingest 2 · Done')";
    desktop.until_within(READING, done, &[json!(DOCK), json!(files)]).await;
    desktop.says(&format!("{DOCK} .heading"), "Done").await;
    desktop.press_in("[data-testid=library-corpora]", "RPreports").await;
    desktop.press(&format!("Documents {pdfs}")).await;
    let rows =
        "return document.querySelector('[role=grid][aria-label=Documents]')?.getAttribute('aria-rowcount')";
    assert_eq!(desktop.until(rows, &[]).await, json!((pdfs + 1).to_string()));
    desktop.picture("library-documents").await;
    desktop.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_another_program_ingests_appears_in_the_open_library() {
    let sibyl = Sibyl::with_instant_vectors();
    let desktop = Desktop::open(sibyl.folder()).await;
    desktop.says("[data-testid=library-corpora]", "sasb").await;
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("mill.md");
    std::fs::write(&file, "# The mill\n\nThe wheel turns.\n").unwrap();
    let file = file.display().to_string();
    let run = sibyl.run(&["ingest", &file, "--corpus", "mill-notes", "--source-type", "text", "--no-embed"]);
    assert_eq!(run.code, 0, "{}", run.err);
    desktop.says("[data-testid=library-corpora]", "mill-notes").await;
    desktop.close().await;
}
