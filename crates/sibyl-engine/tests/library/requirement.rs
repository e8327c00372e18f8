//! A metric as data: on its page, by its code, in a lookup, and in findings on its items. The text here is invented.

use serde_json::json;
use sibyl_engine::ingest::{EmbedPlan, IngestRequest};
use sibyl_engine::reader::ReaderProgram;
use sibyl_engine::search::lookup::LookupRequest;
use sibyl_engine::standards::{NodeKind, PartKind};
use sibyl_engine::store::table::review::{Review, ReviewStatus};
use sibyl_engine::store::table::workspace::DEFAULT_WORKSPACE;
use sibyl_engine::{Library, OpenOptions};
use std::fs;

const TEXT: &str = "\
---
standard: SASB
standard_code: TR-AL
industry: \"Mills\"
sector: \"Milling\"
---

# Mills (TR-AL)

Mills turn wind into flour.

## Labour (TR-AL-310a)

Millers can stop the wheel.

- **TR-AL-310a.1** *(Quantitative; unit: Percentage (%))* **Millers in the guild.** Millers in the
  guild as a share of all millers.

- **TR-AL-310a.2** *(Quantitative; unit: Number, Days idle)* **Stoppages.** The number of stoppages
  and the days lost.

  *Counts:*
  - Brackwater days alike.

  *Does not count:*
  - Days without wind.

  *Definitions:*
  - **Brackwater**: water that harms
    the wheel.

  *Also to be discussed:*
  - Why each stoppage came about, and what it did to the flour.
  - What was done to mend the matter.

  *May be added:*
  - The price of flour.

  *In review:* Ask for the miller's diary.

  *Asked as:* idle wheel.

*Asked as:* guild of millers.
";

struct Desk {
    folder: tempfile::TempDir,
    library: Library,
}

impl Desk {
    async fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir_all(folder.path().join("shipped/sasb")).unwrap();
        let options = OpenOptions {
            reader: ReaderProgram::InProcess,
            shipped: Some(folder.path().join("shipped")),
            ..OpenOptions::new(folder.path().join("data"))
        };
        fs::write(folder.path().join("shipped/sasb_requirements.jsonl"), REQUIREMENTS.replace('\n', ""))
            .unwrap();
        let desk = Self { library: Library::open(options).await.unwrap(), folder };
        desk.ship(TEXT).await;
        desk
    }

    /// Ingests another text of the industry.
    async fn ship(&self, text: &str) {
        fs::write(self.folder.path().join("shipped/sasb/mills.md"), text).unwrap();
        let request = IngestRequest {
            corpus: Some("sasb".to_owned()),
            embed: EmbedPlan::Nothing,
            ..IngestRequest::default()
        };
        crate::ingest_soundly(&self.library, request).await;
    }

    async fn mark(&self, id: &str, note: &str) -> Review {
        let review = Review {
            report_id: "mill-2024".to_owned(),
            paragraph_id: id.to_owned(),
            words: String::new(),
            status: ReviewStatus::Met,
            note: note.to_owned(),
            passages: Vec::new(),
            updated_at: String::new(),
            reviewer: None,
        };
        self.library.standards().put_reviews(DEFAULT_WORKSPACE, vec![review]).await.unwrap().remove(0)
    }

    /// Id, words and note of every finding.
    async fn findings(&self) -> Vec<[String; 3]> {
        let reviews = self.library.standards().reviews(DEFAULT_WORKSPACE, None).await.unwrap();
        reviews.into_iter().map(|review| [review.paragraph_id, review.words, review.note]).collect()
    }
}

/// What the items of the second metric state.
const REQUIREMENTS: &str = r#"{"code": "TR-AL-310a.2", "requirements": [
    ["measure", "stoppages, days lost", ["measured.the-number-of-stoppages-and"]],
    ["base", "days of all mills", ["measured.the-number-of-stoppages-and"]],
    ["excludes", "calm days", ["does_not_count.days-without-wind"]], ["may", "gone", ["may_be_added.what-is-gone"]]]}"#;

const WHY: &str = "TR-AL-310a.2.also_to_be_discussed.why-each-stoppage-came-about";
const WHAT: &str = "TR-AL-310a.2.also_to_be_discussed.what-was-done-to-mend";

#[tokio::test]
async fn the_parts_of_a_metric_are_data_wherever_it_is_asked_for() {
    let desk = Desk::new().await;
    let page = desk.library.standards().page(DEFAULT_WORKSPACE, "TR-AL-310a", None).await.unwrap();
    assert_eq!((page.prose.as_str(), page.asked_as.len()), ("Millers can stop the wheel.", 1));
    assert_eq!(page.metrics.len(), 2);
    assert_eq!(page.metrics[0].measured.text, "Millers in the guild as a share of all millers.");
    assert!(page.metrics[0].also_to_be_discussed.is_empty() && page.metrics[0].in_review.is_none());

    let page = desk.library.standards().page(DEFAULT_WORKSPACE, "TR-AL-310a.2", None).await.unwrap();
    assert_eq!(page.prose, "The number of stoppages and the days lost.");
    let metric = serde_json::to_value(&page.metrics[0]).unwrap();
    let item = |number: usize, part: &str, text: &str| json!({"id": format!("TR-AL-310a.2.{part}"), "number": number, "term": null, "text": text, "states": []});
    let stating = |mut item: serde_json::Value, states: serde_json::Value| {
        item["states"] = states;
        item
    };
    let expected = json!({
        "code": "TR-AL-310a.2",
        "label": "Stoppages",
        "category": "Quantitative",
        "unit": "Number, Days idle",
        "measured": stating(
            item(1, "measured", "The number of stoppages and the days lost."),
            json!([{"kind": "measure", "words": "stoppages, days lost"}, {"kind": "base", "words": "days of all mills"}]),
        ),
        "counts": [item(2, "counts.brackwater-days-alike", "Brackwater days alike.")],
        "does_not_count": [stating(
            item(3, "does_not_count.days-without-wind", "Days without wind."),
            json!([{"kind": "excludes", "words": "calm days"}]),
        )],
        "definitions": [{
            "id": "TR-AL-310a.2.definitions.brackwater-water-that-harms-the",
            "number": 4,
            "term": "Brackwater",
            "text": "Brackwater: water that harms the wheel.",
            "states": [],
        }],
        "also_to_be_discussed": [
            {"id": WHY, "number": 5, "term": null, "text": "Why each stoppage came about, and what it did to the flour.", "states": []},
            {"id": WHAT, "number": 6, "term": null, "text": "What was done to mend the matter.", "states": []},
        ],
        "may_be_added": [item(7, "may_be_added.the-price-of-flour", "The price of flour.")],
        "in_review": "Ask for the miller's diary.",
    });
    assert_eq!(metric, expected);
    let items: Vec<&str> = page.items.iter().map(|item| item.id.as_str()).collect();
    assert_eq!(items, [WHY, WHAT]);
    assert_eq!(page.in_review.as_deref(), Some("Ask for the miller's diary."));

    let measured =
        desk.library.standards().page(DEFAULT_WORKSPACE, "TR-AL-310a.2.measured", None).await.unwrap();
    assert_eq!((measured.kind, measured.in_review), (PartKind::Measured, None));
    assert_eq!(measured.prose, "The number of stoppages and the days lost.");

    for id in ["TR-AL-310a.2", "TR-AL-310a"] {
        let hits = desk.library.search().paragraph(DEFAULT_WORKSPACE, id, None).await.unwrap();
        let mut metrics = hits.iter().flat_map(|hit| hit.metadata["metrics"].as_array().unwrap());
        assert!(metrics.any(|metric| *metric == expected), "{id}");
    }
    let request = LookupRequest { paragraph_id: Some("TR-AL-310a.2".to_owned()), ..LookupRequest::default() };
    let text = desk.library.search().lookup(DEFAULT_WORKSPACE, &request).await.unwrap().text;
    for part in ["Does not count:\n  - Days without wind.", "Also to be discussed:\n  - Why each stoppage"] {
        assert!(text.contains(part), "{text}");
    }

    let page = desk.library.standards().page(DEFAULT_WORKSPACE, WHY, None).await.unwrap();
    assert_eq!((page.kind, page.label.as_str()), (PartKind::AlsoToBeDiscussed, "Stoppages"));
    assert_eq!(page.prose, "Why each stoppage came about, and what it did to the flour.");
    assert_eq!(page.breadcrumb.last().unwrap().1.as_deref(), Some("TR-AL-310a.2"));
    let gone = desk.library.standards().page(DEFAULT_WORKSPACE, &format!("{WHY}-not"), None).await;
    assert_eq!(gone.unwrap_err().code(), "not_found");

    let tree = desk.library.standards().tree(DEFAULT_WORKSPACE, None).await.unwrap();
    let node = tree.iter().find(|node| node.id.as_deref() == Some(WHY)).unwrap();
    assert_eq!((node.kind, node.number.as_str(), node.requirement), (NodeKind::Item, "5", true));
    assert_eq!(tree[node.parent.unwrap()].id.as_deref(), Some("TR-AL-310a.2"));
}

/// However its text is cut, a metric has the items that the text has, each whole.
#[tokio::test]
async fn a_metric_that_is_cut_is_told_whole() {
    let desk = Desk::new().await;
    let list = |name: &str, items: usize, words: usize| {
        let item = |n: usize| {
            format!("  - {name} {n}. {}\n", "More of it\n    is said here. ".repeat(words).trim_end())
        };
        format!("\n  *{name}:*\n{}", (1..=items).map(item).collect::<String>())
    };
    let lists =
        [list("Counts", 6, 9), list("Definitions", 1, 60), list("Also to be discussed", 9, 2)].concat();
    let text = TEXT.replace("\n  *Counts:*\n  - Brackwater days alike.\n", &lists);
    desk.ship(&text).await;
    let wanted: Vec<String> =
        text.split("\n\n").filter(|block| block.starts_with("  *")).flat_map(items_of).collect();
    let page = desk.library.standards().page(DEFAULT_WORKSPACE, "TR-AL-310a.2", None).await.unwrap();
    let metric = &page.metrics[0];
    let told = [&metric.counts, &metric.definitions, &metric.also_to_be_discussed];
    let told: Vec<&str> = told.into_iter().flatten().map(|item| item.text.as_str()).collect();
    assert!(told.iter().all(|item| wanted.iter().any(|words| words == item)), "{told:#?}");
    assert!(page.chunks.len() > 4 && told.len() >= 16, "{} chunks, {} items", page.chunks.len(), told.len());
    let hits = desk.library.search().paragraph(DEFAULT_WORKSPACE, "TR-AL-310a.2", None).await.unwrap();
    assert_eq!(hits[0].metadata["metrics"], json!([metric]));
    let named = "> TR-AL-310a.2 Stoppages] [Part";
    assert!(
        hits.len() > 4 && hits[1..].iter().all(|hit| hit.chunk_text.lines().next().unwrap().contains(named))
    );
}

/// The items of a list, each on one line.
fn items_of(block: &str) -> Vec<String> {
    let items = block.split("\n  - ").skip(1);
    items.map(|item| item.split_whitespace().collect::<Vec<_>>().join(" ").replace("**", "")).collect()
}

#[tokio::test]
async fn a_finding_follows_the_item_whose_words_were_changed() {
    let desk = Desk::new().await;
    let told = "Why each stoppage came about, and what it did to the flour.";
    assert_eq!(desk.mark(WHY, "page 3").await.words, told);
    desk.mark(WHAT, "page 4").await;
    desk.mark("TR-AL-310a.2", "the metric itself").await;

    let changed = TEXT
        .replace(
            "Why each stoppage came about, and what it did to the flour.",
            "Causes: why each stoppage came about, and what it did to flour.",
        )
        .replace("  - What was done to mend the matter.\n", "");
    desk.ship(&changed).await;
    let now = "TR-AL-310a.2.also_to_be_discussed.causes-why-each-stoppage-came";
    let found = desk.findings().await;
    let finding = |id: &str, words: &str, note: &str| [id.to_owned(), words.to_owned(), note.to_owned()];
    // Its former words are kept, and so is the finding on the item that is gone.
    assert!(found.contains(&finding(now, told, "page 3")), "{found:?}");
    assert!(found.contains(&finding(WHAT, "What was done to mend the matter.", "page 4")), "{found:?}");
    assert!(found.contains(&finding("TR-AL-310a.2", "", "the metric itself")), "{found:?}");

    // Kept again, it is about today's words and replaces the former one.
    desk.mark(now, "page 5").await;
    let found = desk.findings().await;
    let words = "Causes: why each stoppage came about, and what it did to flour.";
    assert!(found.contains(&finding(now, words, "page 5")), "{found:?}");
    assert_eq!(found.len(), 3, "{found:?}");
    let store = desk.library.store();
    let workspace = store.workspace(DEFAULT_WORKSPACE).await.unwrap().id;
    let stored: Vec<String> =
        store.reviews(workspace, None).await.unwrap().into_iter().map(|review| review.paragraph_id).collect();
    assert!(!stored.contains(&WHY.to_owned()), "{stored:?}");
}
