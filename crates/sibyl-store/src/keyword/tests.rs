//! The keyword index against SQLite's own, and against its definition.

use super::{Clause, KeywordQuery, Phrase, RankedList};
use crate::origin::DocumentOrigin;
use crate::table::chunk::NewChunk;
use crate::table::corpus::NewCorpus;
use crate::table::document::NewDocument;
use crate::table::workspace::LabelLanguage;
use crate::{Place, SqliteStore};
use serde_json::Map;
use sibyl_text::{Document, Span};

const TEXTS: [&str; 6] = [
    "scenario analysis of climate resilience",
    "climate climate climate risk",
    "risk management process and the board",
    "transition plan with assumptions about carbon credits and a plan",
    "metric for water withdrawal in regions of high baseline water stress",
    "board board oversight of climate risk and transition plan",
];

/// A library with [`TEXTS`] and a workspace that sees them.
async fn library() -> (SqliteStore, tempfile::TempDir, i64) {
    let folder = tempfile::tempdir().unwrap();
    let store = SqliteStore::open(Place::named(folder.path())).unwrap();
    put(&store, "t.md", TEXTS).await;
    let workspace = store.create_workspace("default", LabelLanguage::En).await.unwrap().id;
    (store, folder, workspace)
}

/// Stores a document of one chunk a text.
async fn put<const N: usize>(store: &SqliteStore, path: &str, texts: [&str; N]) {
    let corpus = NewCorpus {
        workspace_id: None,
        name: path.to_owned(),
        source_type: "text".to_owned(),
        strategy: "text".to_owned(),
        settings: Map::new(),
        base_url: String::new(),
        remote: false,
    };
    let chunk = |text: &str| NewChunk {
        parent: None,
        tokens: text.len() / 4,
        text: text.to_owned(),
        pieces: Vec::new(),
        extent: Span::new(0, 0),
        metadata: Map::new(),
        pages: None,
        oversize: false,
    };
    let document = NewDocument {
        corpus_id: store.put_corpus(corpus).await.unwrap().id,
        path: path.to_owned(),
        root: String::new(),
        origin: DocumentOrigin::Path(path.to_owned()),
        report_id: None,
        replaces_report: false,
        format: "plain".to_owned(),
        title: path.to_owned(),
        source_hash: path.to_owned(),
        text_version: path.to_owned(),
        config_hash: String::new(),
        document: Document::default(),
        token_count: 0,
        bytes: Vec::new(),
        page_metadata: None,
        chunks: texts.into_iter().map(chunk).collect(),
        figures: Vec::new(),
        job_file: None,
    };
    store.put_document(document).await.unwrap();
}

/// With FTS5's own weights the scores are those of `bm25()`.
#[tokio::test]
async fn scores_are_those_of_fts5() {
    let (store, _folder, workspace) = library().await;
    let scope = store.scope_since(workspace, Default::default(), None).await.unwrap();
    for words in [&["scenario"][..], &["carbon", "withdrawal"], &["water", "oversight", "scenario"]] {
        let clause = Clause::Should(words.iter().map(|word| Clause::Phrase(Phrase::new(*word))).collect());
        // log((N - n + 0.5) / (n + 0.5)) with one chunk for each word, as sqlite3 computes it in fts5_aux.c.
        let weights = vec![((TEXTS.len() as f64 - 1.0 + 0.5) / 1.5).ln(); words.len()];
        let reference = store.fts5_bm25(clause.clone()).await.unwrap();
        let query = KeywordQuery { clause: Some(clause), weights, pairs: Vec::new(), pair_weights: [0.0; 2] };
        let list = store.keyword_ranked(query, &scope, 10).await.unwrap();
        assert_eq!(list.hits.len(), reference.len());
        for hit in &list.hits {
            let (_, score) = reference.iter().find(|(row, _)| *row == hit.row).unwrap();
            assert!((hit.score - score).abs() < 1e-12, "{words:?}: {} and {score}", hit.score);
        }
    }
}

/// Büttcher, Clarke and Lushman's point: of two texts with the same words, the one with the words together comes
/// first.
#[tokio::test]
async fn words_that_stand_together_count_extra() {
    const FILLER: &str = "one two three four five six seven eight nine ten eleven";
    let (store, _folder, workspace) = library().await;
    let texts = [
        format!("carbon {FILLER} price"),
        format!("price of carbon {FILLER}"),
        format!("carbon price of {FILLER}"),
        format!("price {FILLER} carbon"),
    ];
    put(&store, "near.md", texts.each_ref().map(String::as_str)).await;
    let scope = store.scope_since(workspace, Default::default(), None).await.unwrap();
    let query = |pairs| KeywordQuery {
        clause: Some(Clause::Must(
            ["carbon", "price"].map(|word| Clause::Phrase(Phrase::new(word))).to_vec(),
        )),
        weights: vec![2.0, 1.0],
        pairs,
        pair_weights: [0.3, 0.5],
    };
    let apart = store.keyword_ranked(query(Vec::new()), &scope, 10).await.unwrap();
    let together = store.keyword_ranked(query(vec![[0, 1]]), &scope, 10).await.unwrap();
    let score = |list: &RankedList, n: usize| {
        let row = list.hits.iter().map(|hit| hit.row).min().unwrap() + n as i64;
        list.hits.iter().find(|hit| hit.row == row).unwrap().score
    };
    for n in [0, 3] {
        assert_eq!(score(&together, n), score(&apart, n), "text {n} has them apart");
    }
    assert!(score(&together, 1) > score(&apart, 1), "near, in any order");
    // Metzler and Croft's two features, each a separate BM25 term: two chunks of ten have the words near each
    // other, one in order.
    let words = |text: &str| text.split(' ').count() as f64;
    let all: Vec<f64> = TEXTS.into_iter().chain(texts.iter().map(String::as_str)).map(words).collect();
    let (average, chunks) = (all.iter().sum::<f64>() / all.len() as f64, all.len() as f64);
    let idf = |frequency: f64| (1.0 + (chunks - frequency + 0.5) / (frequency + 0.5)).ln();
    let once = |n: usize| 2.2 / (1.0 + 1.2 * (0.25 + 0.75 * words(&texts[n]) / average));
    for (n, weight) in [(1, 0.3 * idf(2.0)), (2, 0.3 * idf(2.0) + 0.5 * idf(1.0))] {
        let extra = score(&together, n) - score(&apart, n);
        assert!((extra - weight * once(n)).abs() < 1e-9, "text {n}: {extra}");
    }
}

/// A word is found inside a run that no blank parts, as a phrase of its pairs; Latin text is found as before.
#[tokio::test]
async fn words_are_found_inside_runs() {
    let (store, _folder, workspace) = library().await;
    let text = "本行推動淨零排放與減碳目標,發行ＥＳＧ相關債券。サステナビリティ方針";
    put(&store, "run.md", [text, "目標碳減 and water"]).await;
    let scope = store.scope_since(workspace, Default::default(), None).await.unwrap();
    for word in ["淨零", "減碳", "減碳目標", "サステナビリティ", "方針", "ESG", "ＥＳＧ", "債券", "淨"]
    {
        let clause = Clause::Phrase(Phrase::new(word));
        let query = KeywordQuery { clause: Some(clause), weights: vec![1.0], ..KeywordQuery::default() };
        let hits = store.keyword_ranked(query, &scope, 10).await.unwrap().hits;
        assert_eq!(hits.len(), 1, "{word}: {hits:?}");
    }
}
