//! Phrasings that are added to a chunk by hand.

use crate::ingest_soundly;
use sibyl_engine::embed::Tier;
use sibyl_engine::ingest::preview::{PreviewRequest, PreviewSource};
use sibyl_engine::ingest::{IngestRequest, Source};
use sibyl_engine::reader::ReaderProgram;
use sibyl_engine::search::lookup::format_results;
use sibyl_engine::search::{Hit, LookupRequest, Mode, SearchRequest};
use sibyl_engine::store::table::chunk::ChunkRow;
use sibyl_engine::store::table::workspace::DEFAULT_WORKSPACE;
use sibyl_engine::{Library, OpenOptions};
use std::path::{Path, PathBuf};

const CANTEEN: &str =
    "## Canteen\n\nLunch is served at noon; soup and bread are free for everybody who works here.\n\n";
const CARS: &str = "## Cars\n\nGuests leave their car on the lower deck, where eight places can charge.\n\n";

struct Desk {
    folder: tempfile::TempDir,
    library: Library,
}

impl Desk {
    async fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let options = OpenOptions {
            shipped: Some(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../data")),
            reader: ReaderProgram::InProcess,
            ..OpenOptions::new(folder.path().join("data"))
        };
        let library = Library::open(options).await.unwrap();
        Self { folder, library }
    }

    fn file(&self) -> PathBuf {
        self.folder.path().join("house.md")
    }

    async fn ingest(&self, text: &str, chunk_size: usize) {
        std::fs::write(self.file(), text).unwrap();
        let settings = serde_json::json!({ "chunk_size": chunk_size, "chunk_overlap": 0 });
        let request = IngestRequest {
            sources: vec![Source::path(self.file())],
            corpus: Some("house".to_owned()),
            strategy: Some("recursive".to_owned()),
            settings: settings.as_object().unwrap().clone(),
            ..IngestRequest::default()
        };
        ingest_soundly(&self.library, request).await;
    }

    async fn chunks(&self) -> Vec<ChunkRow> {
        let store = self.library.store();
        let workspace = store.workspace(DEFAULT_WORKSPACE).await.unwrap().id;
        let document = store.documents(workspace, None).await.unwrap()[0].id;
        store.chunks_of(workspace, document, 0, 100).await.unwrap()
    }

    async fn about(&self, word: &str) -> ChunkRow {
        let found = self.chunks().await.into_iter().find(|chunk| chunk.passage().contains(word));
        found.unwrap_or_else(|| panic!("no chunk says `{word}`"))
    }

    async fn found(&self, query: &str) -> Vec<String> {
        let request =
            SearchRequest { query: query.to_owned(), mode: Mode::Keyword, ..SearchRequest::default() };
        let answer = self.library.search().run(DEFAULT_WORKSPACE, &request).await.unwrap();
        answer.results.into_iter().map(|hit| hit.chunk_id).collect()
    }

    /// Chunks that lack a vector of a model of this machine.
    async fn missing(&self) -> u64 {
        let store = self.library.store();
        let mut missing = 0;
        for embedder in self.library.models().embedders().await {
            assert_ne!(embedder.space().tier, Tier::Remote);
            let corpora = store.embeddable_corpora(false).await.unwrap();
            missing += store.count_missing(&embedder.space().id(), corpora).await.unwrap().texts;
        }
        missing
    }
}

#[tokio::test]
async fn a_phrasing_finds_its_chunk_at_once_and_stays_with_what_it_says() {
    let desk = Desk::new().await;
    desk.ingest(&format!("# House\n\n{CANTEEN}{CARS}"), 30).await;
    let before = desk.about("Lunch").await;
    assert!(desk.found("cafeteria").await.is_empty());
    let contents = desk.library.contents();
    let add = |phrase: &'static str| contents.add_phrasing(DEFAULT_WORKSPACE, &before.chunk_id, phrase);
    let changed = add(" where is the  cafeteria. ").await.unwrap();
    assert_eq!(changed.added_phrases(), ["where is the cafeteria"]);
    assert_eq!(changed.passage(), before.passage(), "it is no part of what the chunk says");
    assert_eq!(desk.found("cafeteria").await, std::slice::from_ref(&before.chunk_id));
    assert_eq!(desk.missing().await, 0, "meaning finds it, too");
    let lookup = LookupRequest { query: "cafeteria".to_owned(), ..LookupRequest::default() };
    let told = desk.library.search().lookup(DEFAULT_WORKSPACE, &lookup).await.unwrap().text;
    assert!(told.contains("Lunch") && !told.contains("cafeteria"), "{told}");
    for (phrase, (code, said)) in [
        ("Where is the cafeteria", ("exists", "already")),
        ("a; b", ("invalid", "semicolon")),
        (" . ", ("invalid", "characters")),
    ] {
        let error = add(phrase).await.unwrap_err();
        assert_eq!(error.code(), code);
        assert!(error.to_string().contains(said), "{error}");
    }

    // The chunk is another one by number, and says a little else.
    let guests = "## Guests\n\nVisitors sign in at the desk beside the main door and get a badge there.\n\n";
    let later = CANTEEN.replace("noon", "one o'clock");
    desk.ingest(&format!("# House\n\n{guests}{later}{CARS}"), 30).await;
    let moved = desk.about("Lunch").await;
    assert!(moved.ordinal > before.ordinal);
    assert_eq!(moved.added_phrases(), ["where is the cafeteria"]);
    assert_eq!(desk.found("cafeteria").await, std::slice::from_ref(&moved.chunk_id));
    assert_eq!(desk.chunks().await.iter().filter(|chunk| !chunk.added_phrases().is_empty()).count(), 1);
    // With the present chunking, nothing differs from what is stored.
    let source = PreviewSource::Document { id: moved.document_id };
    let request = PreviewRequest { source, strategy: None, settings: None };
    let preview = desk.library.ingest().preview(DEFAULT_WORKSPACE, request).await.unwrap();
    let ingest = desk.library.ingest();
    let difference = ingest.preview_difference(DEFAULT_WORKSPACE, moved.document_id, &preview).await.unwrap();
    assert_eq!((difference.same, difference.changed), (desk.chunks().await.len(), 0));

    // The passage is gone for a while.
    desk.ingest(&format!("# House\n\n{CARS}"), 30).await;
    assert!(desk.found("cafeteria").await.is_empty());
    desk.ingest(&format!("# House\n\n{CANTEEN}{CARS}"), 30).await;
    let back = desk.about("Lunch").await;
    assert_eq!(back.added_phrases(), ["where is the cafeteria"]);

    let remove = |phrase: &'static str| contents.remove_phrasing(DEFAULT_WORKSPACE, &back.chunk_id, phrase);
    let restored = remove("where is the cafeteria").await.unwrap();
    assert_eq!((restored.text, restored.pieces), (before.text, before.pieces));
    assert!(desk.found("cafeteria").await.is_empty());
    assert_eq!(remove("where is the cafeteria").await.unwrap_err().code(), "not_found");
    assert!(desk.library.upkeep().doctor().await.unwrap().is_sound());
}

#[tokio::test]
async fn a_paragraph_takes_phrasings_and_keeps_them_when_the_standards_are_read_again() {
    let desk = Desk::new().await;
    let standards =
        || IngestRequest { corpus: Some("ifrs-s2".to_owned()), force: true, ..IngestRequest::shipped(true) };
    ingest_soundly(&desk.library, standards()).await;
    let contents = desk.library.contents();
    let before = desk.library.standards().page(DEFAULT_WORKSPACE, "S2.22(a)", None).await.unwrap();
    contents.add_phrasing(DEFAULT_WORKSPACE, "S2.22(a)", "quokka test").await.unwrap();
    ingest_soundly(&desk.library, standards()).await;
    let page = desk.library.standards().page(DEFAULT_WORKSPACE, "S2.22(a)", None).await.unwrap();
    assert_eq!(page.added_phrases, ["quokka test"]);
    assert_eq!(page.asked_as, [before.asked_as, vec!["quokka test".to_owned()]].concat());
    assert_eq!(page.prose, before.prose);
    assert_eq!(desk.found("quokka").await, [page.chunks[0].chunk_id.clone()]);
    let unknown = contents.add_phrasing(DEFAULT_WORKSPACE, "S2.99", "quokka").await.unwrap_err();
    assert_eq!(unknown.code(), "not_found");
}

#[tokio::test]
async fn a_lookup_holds_no_phrasing_and_has_room_for_more_passages() {
    let desk = Desk::new().await;
    for corpus in ["ifrs-s1", "ifrs-s2"] {
        let request = IngestRequest { corpus: Some(corpus.to_owned()), ..IngestRequest::shipped(true) };
        ingest_soundly(&desk.library, request).await;
    }
    let query = "Scope 3 emissions disclosure requirements".to_owned();
    let lookup = LookupRequest { query: query.clone(), top_k: 50, ..LookupRequest::default() };
    let told = desk.library.search().lookup(DEFAULT_WORKSPACE, &lookup).await.unwrap().text;
    assert!(!told.contains("*Asked as:*") && !told.contains("*Terms:*") && !told.contains("*Points to:*"));
    // A paragraph and its items have the same words.
    assert!(told.contains("[Paragraph: S2.B56 |") && !told.contains("[Paragraph: S2.B56(a) |"), "{told}");
    let request = SearchRequest { query, top_k: 50, ..SearchRequest::default() };
    let hits = desk.library.search().run(DEFAULT_WORKSPACE, &request).await.unwrap().results;
    for phrase in hits.iter().flat_map(|hit| &hit.found_by).filter(|phrase| phrase.contains(' ')) {
        let listed = format!("{phrase};");
        assert!(!told.contains(&listed), "{phrase}");
    }
    // As results were laid out when they still held their aids, with the marks of their document.
    let before = |hit: &Hit| {
        let (_, whole) = hit.chunk_text.split_once("\n\n").unwrap();
        let head = format_results(&[Hit { passage: String::new(), ..hit.clone() }]);
        let head: Vec<&str> = head.lines().take(2).collect();
        format!("{}\n\n{}\n\n", head.join("\n"), whole.trim())
    };
    // A passage counts once: repeating a paragraph with its items takes space and adds nothing.
    let fits = |text: &str, budget: usize| {
        let mut left = budget * sibyl_text::tokens::CHARS_PER_TOKEN;
        let results = text.split("--- Result ").skip(1);
        let within = results
            .take_while(|result| left.checked_sub(result.len()).inspect(|rest| left = *rest).is_some());
        within.filter(|result| result.lines().nth(1).is_some_and(|place| told.contains(place))).count()
    };
    let before: String = hits.iter().map(before).collect();
    for budget in [1_000, 2_000, 4_000, 8_000] {
        let (passages, whole) = (fits(&told, budget), fits(&before, budget));
        assert!(
            whole > 0 && passages > whole,
            "{passages} passages fit in {budget} tokens, {whole} with their aids"
        );
    }
}
