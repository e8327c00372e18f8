//! The user's own licensed copy of a standard. The texts here are invented; they only have a standard's shape.

#[path = "../../../sibyl-text/tests/pdf/writer.rs"]
#[allow(dead_code, reason = "the writer serves other tests too")]
mod writer;

use serde_json::json;
use sibyl_engine::ingest::{EmbedPlan, IngestRequest, Job, Source};
use sibyl_engine::reader::ReaderProgram;
use sibyl_engine::search::{Mode, SearchRequest};
use sibyl_engine::store::table::corpus::{Corpus, NewCorpus};
use sibyl_engine::store::table::workspace::{DEFAULT_WORKSPACE, LabelLanguage};
use sibyl_engine::{Library, OpenOptions};
use std::fs;
use std::path::{Path, PathBuf};

const COPY: &str = "\
# Rules of the mill on weather

## Aim

1 The mill tells its lenders how weather may harm the wheel.

## Strategy

### Choices

14 The mill tells how it answers to weather, with:

(a) what it did and will do, with:

(i) wheels it bought;

(ii) dams it mends;

(iii) grain it stores; and

(iv) the way by which it leaves brackwater, and what that way rests on.

(b) where the coin for it comes from.

15 The mill says what brackwater costs it, as paragraph 14(a)(iv) has it.

## Appendix B

B1 A wheel is whatever turns.
";

/// A library with the shipped explanations, beside a folder for copies.
struct Desk {
    folder: tempfile::TempDir,
    library: Library,
}

impl Desk {
    async fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let shipped = folder.path().join("shipped/ifrs");
        fs::create_dir_all(&shipped).unwrap();
        let ifrs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../data/ifrs");
        for entry in fs::read_dir(ifrs).unwrap() {
            let path = entry.unwrap().path();
            fs::copy(&path, shipped.join(path.file_name().unwrap())).unwrap();
        }
        let options = OpenOptions {
            reader: ReaderProgram::InProcess,
            shipped: Some(folder.path().join("shipped")),
            ..OpenOptions::new(folder.path().join("data"))
        };
        let desk = Self { folder, library: Library::open(options).await.unwrap() };
        desk.ingest(IngestRequest { corpus: Some("ifrs".to_owned()), ..request() }).await;
        desk
    }

    fn write(&self, name: &str, bytes: impl AsRef<[u8]>) -> PathBuf {
        let path = self.folder.path().join(name);
        fs::write(&path, bytes).unwrap();
        path
    }

    async fn ingest(&self, request: IngestRequest) -> Job {
        crate::ingest_soundly(&self.library, request).await
    }

    async fn corpus(&self, name: &str) -> Option<Corpus> {
        let workspace = self.library.store().workspace(DEFAULT_WORKSPACE).await.unwrap().id;
        self.library.store().corpus(workspace, name).await.unwrap()
    }
}

fn request() -> IngestRequest {
    IngestRequest { embed: EmbedPlan::Nothing, ..IngestRequest::default() }
}

fn copy_of(standard: &str, path: &Path) -> IngestRequest {
    IngestRequest {
        sources: vec![Source::path(path)],
        licensed_standard: Some(standard.to_owned()),
        ..request()
    }
}

/// The copy as a printed standard: headings in bold, items set in.
fn printed() -> Vec<u8> {
    let mut page = writer::Page::default();
    let mut y = 60.0;
    for line in COPY.lines().filter(|line| !line.is_empty()) {
        let level = line.chars().take_while(|c| *c == '#').count();
        if level > 0 {
            y += 14.0;
            page = page.bold(60.0, y, 20.0 - 3.0 * level as f32, line[level..].trim());
        } else {
            let indent = match line.split_once(' ').map(|(label, _)| label) {
                Some("(a)" | "(b)") => 90.0,
                Some(label) if label.starts_with('(') => 120.0,
                _ => 60.0,
            };
            page = page.text(indent, y, 10.0, line);
        }
        y += 18.0;
    }
    writer::File::default().page(page).bytes()
}

#[tokio::test]
async fn a_copy_stands_beside_the_explanations_as_markdown_and_as_pdf() {
    for (name, bytes) in [("mill.md", COPY.as_bytes().to_vec()), ("mill.pdf", printed())] {
        let desk = Desk::new().await;
        let before = desk.library.standards().page(DEFAULT_WORKSPACE, "S2.14(a)(iv)", None).await.unwrap();
        assert!(before.licensed.is_empty());
        let job = desk.ingest(copy_of("s2", &desk.write(name, &bytes))).await;
        assert!(job.report.failed.is_empty(), "{name}: {:?}", job.report.failed);

        let corpus = desk.corpus("licensed-s2").await.expect("a corpus of the copy");
        let workspace = desk.library.store().workspace(DEFAULT_WORKSPACE).await.unwrap().id;
        assert_eq!(
            (corpus.workspace_id, corpus.source_type.as_str(), corpus.strategy.as_str(), corpus.remote),
            (Some(workspace), "licensed", "ifrs", false)
        );
        for (id, words) in [
            ("S2.1", "harm the wheel"),
            ("S2.14", "answers to weather"),
            ("S2.14(a)(iv)", "leaves brackwater"),
            ("S2.14(b)", "the coin"),
            ("S2.B1", "whatever turns"),
        ] {
            let page = desk.library.standards().page(DEFAULT_WORKSPACE, id, None).await.unwrap();
            assert_eq!(page.licensed.len(), 1, "{name}: {id}");
            assert!(page.licensed[0].text.contains(words), "{name}: {id}: {}", page.licensed[0].text);
            assert!(!page.licensed[0].text.contains("[IFRS"), "{name}: {id}: {}", page.licensed[0].text);
            let hits = desk.library.search().paragraph(DEFAULT_WORKSPACE, id, None).await.unwrap();
            let (first, last) = (hits.first().unwrap(), hits.last().unwrap());
            assert_eq!((first.source_type.as_str(), last.source_type.as_str()), ("ifrs_s2", "licensed"));
            let named = json!([{ "chunk_id": page.licensed[0].chunk_id, "title": page.licensed[0].title }]);
            assert_eq!(first.metadata["licensed"], named);
        }
        let after = desk.library.standards().page(DEFAULT_WORKSPACE, "S2.14(a)(iv)", None).await.unwrap();
        assert_eq!(after.prose, before.prose, "the explanation stays");
        let again = desk.ingest(copy_of("S2", &desk.folder.path().join(name))).await;
        assert_eq!(again.report.documents.unchanged, 1, "{name}");
    }
}

#[tokio::test]
async fn no_other_workspace_sees_a_copy() {
    let desk = Desk::new().await;
    desk.ingest(copy_of("S2", &desk.write("mill.md", COPY))).await;
    desk.library.store().create_workspace("other", LabelLanguage::En).await.unwrap();
    let found = async |workspace: &str| {
        let query = SearchRequest {
            query: "brackwater".to_owned(),
            mode: Mode::Keyword,
            correct_spelling: false,
            ..SearchRequest::default()
        };
        desk.library.search().run(workspace, &query).await.unwrap().results.len()
    };
    assert!(found(DEFAULT_WORKSPACE).await > 0);
    assert_eq!(found("other").await, 0);
    let page = desk.library.standards().page("other", "S2.14", None).await.unwrap();
    assert!(page.licensed.is_empty());
    let hits = desk.library.search().paragraph("other", "S2.14", None).await.unwrap();
    assert!(hits.iter().all(|hit| hit.source_type == "ifrs_s2" && !hit.metadata.contains_key("licensed")));
}

#[tokio::test]
async fn a_file_that_is_no_copy_of_the_standard_is_refused() {
    let desk = Desk::new().await;
    let other = COPY.replace("# Rules of the mill", "# IFRS S1 rules of the mill");
    for (name, text) in [
        ("letter.md", "# A letter\n\nDear miller, nothing here is numbered.\n"),
        ("other.md", other.as_str()),
    ] {
        let request = copy_of("S2", &desk.write(name, text));
        let preflight = desk.library.ingest().preflight(DEFAULT_WORKSPACE, request.clone()).await.unwrap();
        assert!(preflight.files[0].failure.as_ref().unwrap().contains("no paragraph of IFRS S2"));
        let job = desk.ingest(request).await;
        let [failure] = job.report.failed.as_slice() else { panic!("{:?}", job.report) };
        assert_eq!((failure.path.as_str(), failure.code.as_str()), (name, "no_paragraphs"));
        assert!(failure.message.contains("no paragraph of IFRS S2"), "{}", failure.message);
    }
    // The same file is accepted as what it says it is.
    let job = desk.ingest(copy_of("S1", &desk.folder.path().join("other.md"))).await;
    assert!(job.report.failed.is_empty(), "{:?}", job.report.failed);
    assert_eq!(
        desk.library.standards().page(DEFAULT_WORKSPACE, "S1.14", None).await.unwrap().licensed.len(),
        1
    );
}

#[tokio::test]
async fn a_copy_never_leaves_its_workspace_or_the_machine() {
    let desk = Desk::new().await;
    let path = desk.write("mill.md", COPY);
    let copy = || copy_of("S2", &path);
    let refused = [
        (copy_of("S3", &path), "S1 or S2"),
        (IngestRequest { shared: true, ..copy() }, "stays in its workspace"),
        (IngestRequest { remote: Some(true), ..copy() }, "stays in its workspace"),
        (IngestRequest { sources: Vec::new(), ..copy() }, "name the file"),
        (IngestRequest { strategy: Some("report".to_owned()), ..copy() }, "strategy `ifrs`"),
        (IngestRequest { source_type: Some("docs".to_owned()), ..copy() }, "source_type `licensed`"),
        (
            IngestRequest { source_type: Some("licensed".to_owned()), licensed_standard: None, ..copy() },
            "S1 or S2",
        ),
    ];
    for (request, words) in refused {
        let error = desk.library.ingest().start(DEFAULT_WORKSPACE, request).await.unwrap_err();
        assert_eq!(error.code(), "invalid");
        assert!(error.to_string().contains(words), "{error}");
    }
    desk.ingest(copy()).await;
    let corpus = desk.corpus("licensed-s2").await.unwrap();
    for (workspace_id, remote) in [(corpus.workspace_id, true), (None, false)] {
        let change = NewCorpus {
            workspace_id,
            name: corpus.name.clone(),
            source_type: corpus.source_type.clone(),
            strategy: corpus.strategy.clone(),
            settings: corpus.settings.clone(),
            base_url: corpus.base_url.clone(),
            remote,
        };
        assert_eq!(desk.library.store().put_corpus(change).await.unwrap_err().code(), "invalid");
    }
}
