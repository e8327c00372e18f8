//! The sentence of a passage that is nearest to a query, by the static table that ships.

use sibyl_engine::ingest::{EmbedPlan, IngestRequest, Source};
use sibyl_engine::reader::ReaderProgram;
use sibyl_engine::store::table::workspace::DEFAULT_WORKSPACE;
use sibyl_engine::{Error, Library, OpenOptions};
use std::path::Path;

const PASSAGE: &str = "The company was founded in Göteborg 🏔 by two sisters. Its canteen serves lunch at noon. \
    The transition plan rests on grid connections and on a rising carbon price. \
    Parking is free for visitors. The annual meeting takes place in May.";

#[tokio::test]
async fn the_sentence_about_the_query_is_found_and_the_others_are_not() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("about.md");
    std::fs::write(&file, format!("# About\n\n{PASSAGE}\n\n## Alone\n\nThe plan stands here by itself.\n"))
        .unwrap();
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../data");
    let options = OpenOptions {
        shipped: Some(data),
        reader: ReaderProgram::InProcess,
        ..OpenOptions::new(folder.path().join("data"))
    };
    let library = Library::open(options).await.unwrap();
    let request = IngestRequest {
        sources: vec![Source::path(&file)],
        embed: EmbedPlan::Nothing,
        ..IngestRequest::default()
    };
    crate::ingest_soundly(&library, request).await;
    let workspace = library.store().workspace(DEFAULT_WORKSPACE).await.unwrap().id;
    let document = library.store().documents(workspace, None).await.unwrap()[0].id;
    let chunks = library.store().chunks_of(workspace, document, 0, 10).await.unwrap();
    let ids: Vec<String> = chunks.iter().map(|chunk| chunk.chunk_id.clone()).collect();

    for (query, expected) in [
        (
            "assumptions behind the climate plan",
            "The transition plan rests on grid connections and on a rising carbon price.",
        ),
        ("where can guests leave their car", "Parking is free for visitors."),
        ("who established the firm", "The company was founded in Göteborg 🏔 by two sisters."),
        ("what is there to eat", "Its canteen serves lunch at noon."),
    ] {
        let found = library.search().nearest_sentences(DEFAULT_WORKSPACE, query, &ids).await.unwrap();
        assert_eq!(found[0].span.of(&found[0].chunk.text), expected, "{query}");
        assert!(
            found[0].similarity > 0.2 && found[0].similarity <= 1.001,
            "{query}: {}",
            found[0].similarity
        );
        assert!(found[0].model.contains("potion"), "{}", found[0].model);
        assert!(
            found
                .iter()
                .all(|each| !each.chunk.text.contains("by itself") || each.chunk.text.contains("canteen"))
        );
    }
    // No word that the table knows, and nothing to compare.
    assert_eq!(library.search().nearest_sentences(DEFAULT_WORKSPACE, "", &ids).await.unwrap(), []);
    assert_eq!(library.search().nearest_sentences(DEFAULT_WORKSPACE, "plan", &[]).await.unwrap(), []);

    let many = vec![ids[0].clone(); 51];
    let refused = library.search().nearest_sentences(DEFAULT_WORKSPACE, "plan", &many).await.unwrap_err();
    assert!(matches!(refused, Error::Invalid(message) if message.contains("50")));
    let unknown = library.search().nearest_sentences(DEFAULT_WORKSPACE, "plan", &["0".repeat(16)]).await;
    assert!(matches!(unknown, Err(Error::NotFound { .. })));
}
