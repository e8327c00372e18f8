//! Laws of what is read out of documents: figures, facts and the places of both.

use crate::Bench;
use crate::made::{Desk, described, document, with};
use serde_json::Map;
use sibyl_store::hash;
use sibyl_store::scope::ChunkSet;
use sibyl_store::table::document::NewDocument;
use sibyl_store::table::fact::{FactFilter, FactKey, FactRow};
use sibyl_store::table::figure::{FigureFilter, FigureRow};
use sibyl_text::Span;
use sibyl_text::document::Fact;
use sibyl_text::figure::{Figure, Origin, Status};
use sibyl_text::language::unit::Measure;
use std::sync::Arc;

/// The chunks of the made-up report; the numbers are at bytes 5 and 16 of its text.
const TEXTS: [&str; 2] = ["alba 12 t", "brix 30 t"];

fn figure(start: usize, label: &[&str], year: u16, value: f64, status: Status) -> Figure {
    Figure {
        span: Span::new(start, start + 2),
        row: Span::new(start - 5, start + 4),
        head: None,
        label: label.iter().map(|name| (*name).to_owned()).collect(),
        column: "Site".to_owned(),
        above: vec!["Emissions".to_owned()],
        year: Some(year),
        part: None,
        unit: Some("t".to_owned()),
        read_as: None,
        value,
        status,
        origin: Origin::Table,
    }
}

/// A report of [`TEXTS`] with two figures.
fn report(corpus: i64) -> NewDocument {
    let figures = vec![
        figure(5, &["alba"], 2024, 12.0, Status::Actual),
        figure(16, &["brix", "alba"], 2025, 30.0, Status::Target),
    ];
    NewDocument { report_id: Some("acme".to_owned()), figures, ..document(corpus, "r.md", &TEXTS) }
}

/// Figures are found by names, year, kind and place, a page at a time, and only by who sees their document.
pub async fn figures_are_found_by_what_they_say<B: Bench>() {
    let desk = Desk::<B>::new().await;
    let west = desk.another("west").await;
    let corpus = desk.corpus(Some(desk.workspace), "texts").await;
    let id = desk.put(report(corpus)).await;
    let chunks = desk.chunks(id).await;
    let all = FigureFilter { limit: 9, ..FigureFilter::default() };
    let found = async |workspace, filter: FigureFilter| {
        let (rows, total) = desk.store.figures(workspace, filter).await.unwrap();
        (rows.into_iter().map(|row| row.printed).collect::<Vec<_>>(), total)
    };
    let is = |printed: &[&str], total: usize| (printed.iter().map(|one| (*one).to_owned()).collect(), total);
    assert_eq!(found(desk.workspace, all.clone()).await, is(&["12", "30"], 2), "in the order of the text");
    assert_eq!(found(west, all.clone()).await, is(&[], 0));
    let second = Arc::new(ChunkSet::new([chunks[1].id], 2));
    let words = |words: &[&str], any| FigureFilter {
        words: words.iter().map(|word| (*word).to_owned()).collect(),
        any,
        ..all.clone()
    };
    let only_second = [
        FigureFilter { years: vec![2025, 2026], ..all.clone() },
        FigureFilter { status: Some(Status::Target), ..all.clone() },
        FigureFilter { chunks: Some(second), documents: vec![id], ..all.clone() },
        words(&["BRIX"], false),
        words(&["alba", "brix"], false),
        words(&["brix", "corm"], true),
    ];
    for filter in only_second {
        assert_eq!(found(desk.workspace, filter.clone()).await, is(&["30"], 1), "{filter:?}");
    }
    let none = [
        FigureFilter { reports: vec!["other".to_owned()], ..all.clone() },
        FigureFilter { documents: vec![id + 1_000], ..all.clone() },
        FigureFilter { measure: Some(Measure::Mass), ..all.clone() },
        words(&["corm"], true),
    ];
    for filter in none {
        assert_eq!(found(desk.workspace, filter.clone()).await, is(&[], 0), "{filter:?}");
    }
    let page = FigureFilter { offset: 1, limit: 1, ..words(&["alba"], false) };
    assert_eq!(found(desk.workspace, page).await.1, 2, "a page tells how many there are");
    let (rows, _) = desk.store.figures(desk.workspace, all).await.unwrap();
    let expected = FigureRow {
        id: rows[1].id,
        document_id: id,
        document: "Title of r.md".to_owned(),
        document_year: rows[1].document_year,
        report_id: Some("acme".to_owned()),
        label: vec!["brix".to_owned(), "alba".to_owned()],
        column: "Site".to_owned(),
        above: vec!["Emissions".to_owned()],
        year: Some(2025),
        printed: "30".to_owned(),
        unit: Some("t".to_owned()),
        value: 30.0,
        status: Status::Target,
        span: (16, 18),
        places: (Span::new(16, 18), Span::new(11, 20), None),
        ..FigureRow::default()
    };
    assert_eq!(rows[1], expected);
}

/// The figures of a document are those of its text: they go with it, and figures of another text do not come in.
pub async fn figures_are_those_of_the_text<B: Bench>() {
    let desk = Desk::<B>::new().await;
    let corpus = desk.corpus(Some(desk.workspace), "texts").await;
    let new = report(corpus);
    let (text, id) = (new.document.clone(), desk.put(new).await);
    let count = async || {
        let all = FigureFilter { limit: 9, ..FigureFilter::default() };
        desk.store.figures(desk.workspace, all).await.unwrap().1
    };
    let made = || vec![figure(5, &["alba"], 2024, 12.0, Status::Actual)];
    assert!(desk.store.documents_without_figures().await.unwrap().is_empty());
    desk.store.rebuild().await.unwrap();
    assert_eq!(desk.store.documents_without_figures().await.unwrap(), [(id, "text".to_owned())]);
    let mut other = text.clone();
    other.text.push('!');
    desk.store.put_figures(id, other, made()).await.unwrap();
    assert_eq!(count().await, 2, "they are of another text");
    desk.store.put_figures(id, text.clone(), made()).await.unwrap();
    assert_eq!(count().await, 1);
    assert!(desk.store.documents_without_figures().await.unwrap().is_empty());
    desk.store.put_figures(id + 1_000, text, made()).await.unwrap();
    desk.put(document(corpus, "r.md", &["corm"])).await;
    assert_eq!(count().await, 0, "they went with their text");
}

fn fact(place: Option<(usize, usize)>, concept: &str, value: &str) -> Fact {
    Fact {
        span: place.map(|(start, end)| Span::new(start, end)),
        concept: concept.to_owned(),
        value: value.to_owned(),
        numeric: place.is_some(),
        unit: place.map(|_| "ex:t".to_owned()),
        decimals: Some("INF".to_owned()),
        period: "2025-12-31".to_owned(),
        entity: "acme".to_owned(),
        dimensions: vec![("ex:Site".to_owned(), "ex:North".to_owned())],
        anchor: Some(format!("f-{value}")),
    }
}

/// Facts are listed in the order of their document, and named by concept or value within a scope.
pub async fn facts_are_found_by_name_and_value<B: Bench>() {
    let desk = Desk::<B>::new().await;
    let west = desk.another("west").await;
    let corpus = desk.corpus(Some(desk.workspace), "texts").await;
    let mut new = document(corpus, "r.md", &TEXTS);
    let facts = [
        fact(Some((5, 7)), "ex:Water", "12"),
        fact(Some((16, 18)), "ex:Air", "30"),
        fact(None, "ex:Name", "Acme"),
    ];
    new.document.facts = facts.to_vec();
    let id = desk.put(new).await;
    assert_eq!(desk.store.document_of_row(id).await.unwrap().facts, facts);
    let chunks = desk.chunks(id).await;
    let rows: Vec<FactRow> = facts
        .iter()
        .zip(0..)
        .map(|(fact, ordinal)| FactRow {
            document_id: id,
            ordinal,
            document: "Title of r.md".to_owned(),
            concept: fact.concept.clone(),
            value: fact.value.clone(),
            numeric: fact.numeric,
            unit: fact.unit.clone(),
            decimals: fact.decimals.clone(),
            period: fact.period.clone(),
            entity: fact.entity.clone(),
            dimensions: fact.dimensions.clone(),
            anchor: fact.anchor.clone(),
            chunk_id: fact.span.map(|_| chunks[ordinal as usize].chunk_id.clone()),
        })
        .collect();
    let all = FactFilter { limit: 9, ..FactFilter::default() };
    let found = async |workspace, filter| desk.store.facts(workspace, filter).await.unwrap();
    assert_eq!(found(desk.workspace, all.clone()).await, rows);
    assert!(found(west, all.clone()).await.is_empty());
    let words = |word: &str| FactFilter { words: vec!["NORTH".to_owned(), word.to_owned()], ..all.clone() };
    for filter in [
        FactFilter { offset: 1, limit: 1, ..all.clone() },
        FactFilter { chunk: Some(chunks[1].chunk_id.clone()), ..all.clone() },
        words("air"),
    ] {
        assert_eq!(found(desk.workspace, filter.clone()).await, rows[1..2], "{filter:?}");
    }
    for filter in [FactFilter { document: Some(id + 1_000), ..all.clone() }, words("soil")] {
        assert!(found(desk.workspace, filter.clone()).await.is_empty(), "{filter:?}");
    }
    let named = async |key: FactKey, chunk: usize| {
        let allowed = Arc::new(ChunkSet::new([chunks[chunk].id], 2));
        desk.store.facts_named(key, allowed).await.unwrap()
    };
    let concept = |name: &str| FactKey::Concept(name.to_owned());
    let water = vec![(chunks[0].id, rows[0].clone())];
    for key in [concept("ex:water"), concept("WATER"), FactKey::Value("12".to_owned())] {
        assert_eq!(named(key.clone(), 0).await, water, "{key:?}");
        assert!(named(key, 1).await.is_empty(), "out of scope");
    }
    for key in [concept("xx:Water"), concept("Name"), FactKey::Value("Acme".to_owned())] {
        assert!(named(key.clone(), 0).await.is_empty(), "{key:?} is shown nowhere");
    }
}

/// A place is in the smallest chunk that contains it, or else in the one in which it begins.
pub async fn the_smallest_chunk_holds_a_place<B: Bench>() {
    let desk = Desk::<B>::new().await;
    let corpus = desk.corpus(Some(desk.workspace), "texts").await;
    let mut new = document(corpus, "r.md", &TEXTS);
    let mut part = new.chunks[0].clone();
    (part.text, part.extent) = ("alba".to_owned(), Span::new(0, 4));
    new.chunks.push(part);
    let id = desk.put(new).await;
    let chunks: Vec<Option<String>> =
        desk.chunks(id).await.into_iter().map(|chunk| Some(chunk.chunk_id)).collect();
    let over = async |start, end| desk.store.chunk_over(id, Span::new(start, end)).await.unwrap();
    assert_eq!(over(0, 3).await, chunks[2]);
    assert_eq!(over(0, 7).await, chunks[0], "the smaller one does not contain it");
    assert_eq!(over(12, 18).await, chunks[1]);
    assert_eq!(over(5, 18).await, chunks[0], "it begins there");
    assert_eq!(over(9, 10).await, None, "between two chunks");
    assert_eq!(desk.store.chunk_over(id + 1_000, Span::new(0, 3)).await.unwrap(), None);
}

/// A candidate has the name by which its chunk is cited, else the title of its document.
pub async fn a_candidate_says_what_its_chunk_is<B: Bench>() {
    let desk = Desk::<B>::new().await;
    let corpus = desk.corpus(Some(desk.workspace), "texts").await;
    let parts = vec![
        ("alba".to_owned(), with("paragraph_id", "S2.1")),
        ("brix".to_owned(), with("topic_code", "T-1")),
        ("corm  dolt\nfenk".to_owned(), Map::new()),
    ];
    let id = desk.put(described(corpus, "a.md", parts)).await;
    let chunks = desk.chunks(id).await;
    let mut rows: Vec<i64> = chunks.iter().map(|chunk| chunk.id).collect();
    rows.push(rows[2] + 1_000);
    let found = desk.store.candidates(rows.clone()).await.unwrap();
    assert_eq!(found.len(), 3, "what is not there is left out");
    let expected = [
        ("S2.1", Some("S2.1"), "alba"),
        ("T-1", Some("T-1"), "brix"),
        ("Title of a.md", None, "corm dolt fenk"),
    ];
    for (chunk, (label, identity, snippet)) in chunks.iter().zip(expected) {
        let one = &found[&chunk.id];
        assert_eq!(
            (one.label.as_str(), one.identity.as_deref(), one.snippet.as_str()),
            (label, identity, snippet)
        );
        assert_eq!((&one.chunk_id, &one.input_hash[..]), (&chunk.chunk_id, &hash(chunk.text.as_bytes())[..]));
    }
    let topics = desk.store.metadata_of(rows, "topic_code").await.unwrap();
    assert_eq!(topics.into_iter().collect::<Vec<_>>(), [(chunks[1].id, "T-1".to_owned())]);
}
