//! Labels on documents and pages, and sets and runs on their way to other systems and back.

use crate::{list, text, write, writer};
use serde_json::{Value, json};
use sibyl_tests::library::Opened;
use sibyl_tests::program::Sibyl;
use std::fs;
use std::path::Path;

/// A library with a report of three pages, a chunk each, and a note.
fn with_report() -> (Sibyl, tempfile::TempDir) {
    let sibyl = Sibyl::fresh_with_words();
    let folder = tempfile::tempdir().unwrap();
    let page = |(word, second): (&str, &str)| {
        let first = format!("The {word} is counted at the weir every spring, and the count is published.");
        writer::Page::default().lines(50.0, 100.0, &[first.as_str(), second])
    };
    let report = [
        ("bittern", "Wardens of the river saw twelve of them in the reeds near the old lock."),
        ("corncrake", "In the meadows above the mill the wardens of the river heard nine more."),
        ("dotterel", "Four were ringed by wardens on the river bank before the first of May."),
    ];
    let report = report.into_iter().map(page);
    let report = report.fold(writer::File::default(), writer::File::page).bytes();
    let acme = folder.path().join("papers/acme");
    fs::create_dir_all(&acme).unwrap();
    fs::write(acme.join("2024.pdf"), report).unwrap();
    write(folder.path(), "papers/notes.md", "# Notes\n\nA garganey, and a dotterel without a river.\n");
    let papers = folder.path().join("papers");
    let size = ["--strategy", "recursive", "--set", "chunk_size=160", "--set", "chunk_overlap=0"];
    let words = ["ingest", text(&papers), "--corpus", "papers", "--source-type", "text", "--no-embed"];
    sibyl.json(&[&words[..], &size[..]].concat());
    (sibyl, folder)
}

fn papers() -> Value {
    json!({ "mode": "keyword", "filters": { "corpora": ["papers"] } })
}

/// Judged queries with these labels.
fn judged(folder: &Path, name: &str, queries: &[(&str, &str, Value)]) -> String {
    let line = |(id, query, relevant): &(&str, &str, Value)| {
        format!("{}\n", json!({ "id": id, "query": query, "relevant": relevant }))
    };
    write(folder, name, queries.iter().map(line).collect::<String>());
    text(&folder.join(name)).to_owned()
}

#[test]
fn labels_name_documents_and_pages_in_every_format() {
    let (sibyl, folder) = with_report();
    let library = Opened::at(sibyl.folder());
    let call = |command: &str, input: Value| library.call("default", command, input).unwrap();
    let documents = call("document.list", json!({ "corpus": "papers" }));
    let note =
        list(&json!({ "all": documents }), "all").iter().find(|one| one["path"] == "notes.md").unwrap()["id"]
            .clone();
    let gold = judged(
        folder.path(),
        "units.jsonl",
        &[
            // All three pages mention it; they count once.
            ("a", "wardens river", json!({ "acme/2024.pdf": 3 })),
            // The note is before or after the third page.
            ("b", "dotterel", json!({ "acme/2024.pdf#page=3": 3, note.to_string(): 2 })),
            (
                "c",
                "corncrake",
                json!({ "acme/2024.pdf#page=1": 2, "acme/2024.pdf#page=9": 2, "gone.pdf": 2 }),
            ),
        ],
    );
    let imported = sibyl.json(&["gold", "import", &gold]);
    let why: Vec<(&str, &str)> = list(&imported, "unmatched")
        .iter()
        .map(|one| (one["target"]["id"].as_str().unwrap(), one["why"].as_str().unwrap()))
        .collect();
    assert_eq!(why.len(), 2, "{imported}");
    assert!(why[0].0.ends_with("#page=9") && why[0].1.contains("has 3 pages"), "{why:?}");
    assert!(why[1].0 == "gone.pdf" && why[1].1.contains("no document has this path"), "{why:?}");
    assert!(imported["notes"].to_string().contains("was replaced by the path `notes.md`"), "{imported}");

    let measure = |set: &str| {
        let input = json!({ "set": set, "name": set, "search": papers() });
        let run = call("eval.run", input);
        let value = |name: &str| run["measures"][name].as_f64().unwrap();
        (value("success@3"), value("recall@5"), value("precision@5"), run)
    };
    let (success, recall, precision, run) = measure("units");
    // `a` and `b` are found, all of them; of `c` nothing.
    assert!((success - 2.0 / 3.0).abs() < 1e-12 && (recall - 2.0 / 3.0).abs() < 1e-12, "{run}");
    assert!((precision - (1.0 / 5.0 + 2.0 / 5.0) / 3.0).abs() < 1e-12, "{run}");
    let page = call("eval.run_get", json!({ "id": run["id"], "places": 10 }));
    let places: Vec<&Value> =
        list(&page["rankings"], "a").iter().filter(|place| place["path"] == "acme/2024.pdf").collect();
    assert_eq!(places.len(), 1, "of the chunks of a document the first counts: {page}");
    assert_eq!(places[0]["labels"], json!(["acme/2024.pdf"]));

    for (format, file) in [("trec", "units.qrels"), ("beir", "")] {
        let out = folder.path().join(format);
        sibyl.json(&["gold", "export", "units", "--format", format, text(&out)]);
        let path = out.join(file);
        sibyl.json(&["gold", "import", text(&path), "--name", format, "--relevant-from", "2"]);
        let (again, ..) = measure(format);
        assert_eq!(again, success, "{format}");
    }
    let by_file = sibyl.json(&["eval", &gold, "--modes", "keyword"]);
    assert!(by_file["measures"]["keyword"]["judged@10"].is_number(), "{by_file}");
    let by_file = by_file["notices"].to_string();
    assert!(by_file.contains("has 3 pages") && by_file.contains("replaced by the path"), "{by_file}");

    // A page and a document are judged where they were found.
    call("gold.put_query", json!({ "set": "made", "id": "m", "query": "dotterel" }));
    let report = places[0]["chunk_id"].clone();
    let report = call("chunk.get", json!({ "chunk_id": report }))["row"]["document_id"].clone();
    let judge = |target: Value| {
        library.call(
            "default",
            "gold.judge",
            json!({ "set": "made", "query": "m", "grade": 2, "target": target }),
        )
    };
    let kept = judge(json!({ "kind": "document", "document_id": report, "page": 3 })).unwrap();
    assert_eq!(kept["labels"][0]["target"], json!({ "kind": "identifier", "id": "acme/2024.pdf#page=3" }));
    assert_eq!(
        judge(json!({ "kind": "document", "document_id": report, "page": 4 })).unwrap_err().code,
        "out_of_range"
    );
    assert_eq!(
        judge(json!({ "kind": "document", "document_id": note, "page": 1 })).unwrap_err().code,
        "invalid"
    );
    judge(json!({ "kind": "document", "document_id": note })).unwrap();
    let panel = call("gold.panel", json!({ "query": "dotterel" }));
    let made = panel.as_array().unwrap().iter().find(|one| one["set"] == "made").unwrap();
    assert!(list(made, "labels").iter().all(|label| list(label, "chunks").len() == 1), "{made}");
}

#[test]
fn what_another_system_found_is_shown_and_judged_with_the_rest() {
    let (sibyl, folder) = with_report();
    let library = Opened::at(sibyl.folder());
    let call = |command: &str, input: Value| library.call("default", command, input).unwrap();
    let gold =
        judged(folder.path(), "gold.jsonl", &[("b", "dotterel", json!({ "acme/2024.pdf#page=1": 3 }))]);
    sibyl.json(&["gold", "import", &gold]);
    let chunk =
        call("search", json!({ "query": "garganey", "mode": "keyword" }))["results"][0]["chunk_id"].clone();
    let ids = ["acme/2024.pdf#page=1", chunk.as_str().unwrap(), "acme/2024.pdf#page=3", "elsewhere-17"];
    let lines = (1..).zip(ids).map(|(rank, id)| format!("b Q0 {id} {rank} {} theirs\n", 9 - rank));
    write(folder.path(), "theirs.run", lines.collect::<String>());
    let run =
        sibyl.json(&["eval", "import", text(&folder.path().join("theirs.run")), "--set", "gold"])["run"]
            .clone();
    assert_eq!((&run["measures"]["rr"], &run["measures"]["judged@10"]), (&json!(1.0), &json!(0.25)), "{run}");
    assert!(run["measures"].get("tokens@5").is_none(), "nothing is known of its texts: {run}");

    let page = call("eval.run_get", json!({ "id": run["id"], "places": 10 }));
    let texts: Vec<Option<&str>> =
        list(&page["rankings"], "b").iter().map(|place| place["text"].as_str()).collect();
    assert!(texts[0].unwrap().contains("bittern") && texts[1].unwrap().contains("garganey"), "{texts:?}");
    assert!(texts[2].unwrap().contains("dotterel") && texts[3].is_none(), "{texts:?}");

    let pool = call("gold.pool", json!({ "set": "gold", "runs": [run["id"]] }));
    assert_eq!((&pool["total"], &pool["judged"], &pool["gone"]), (&json!(2), &json!(1), &json!(1)), "{pool}");
    let page = list(&pool, "items").iter().find(|item| item["unit"] == "acme/2024.pdf#page=3").unwrap();
    let target = json!({ "kind": "identifier", "id": page["unit"] });
    call("gold.judge", json!({ "set": "gold", "query": "b", "grade": 1, "target": target }));
    assert_eq!(call("gold.pool", json!({ "set": "gold", "runs": [run["id"]] }))["total"], 1);
}

#[test]
fn judges_and_dates_come_back_and_collections_are_whole() {
    let (sibyl, folder) = with_report();
    let gold =
        judged(folder.path(), "mine.jsonl", &[("b", "dotterel", json!({ "acme/2024.pdf#page=3": 3 }))]);
    sibyl.json(&["gold", "import", &gold]);
    let library = Opened::at(sibyl.folder());
    let call = |command: &str, input: Value| library.call("default", command, input).unwrap();
    let chunk =
        call("search", json!({ "query": "garganey", "mode": "keyword" }))["results"][0]["chunk_id"].clone();
    for (judge, grade) in [("Ann", 0), ("Ben", 2)] {
        let target = json!({ "kind": "chunk", "chunk_id": chunk });
        let input = json!({ "set": "mine", "query": "b", "grade": grade, "judge": judge, "target": target });
        call("gold.judge", input);
    }
    let of = |set: &str| call("gold.get", json!({ "set": set }))["queries"].clone();
    let out = folder.path().join("out");
    sibyl.json(&["gold", "export", "mine", text(&out)]);
    let again = sibyl.json(&["gold", "import", text(&out.join("mine.jsonl")), "--name", "again"]);
    assert_eq!(again["notes"], json!([]), "{again}");
    assert_eq!(of("again"), of("mine"), "every judgment with its judge and its date");

    sibyl.json(&["gold", "export", "mine", "--format", "beir", text(&out)]);
    let corpus = fs::read_to_string(out.join("corpus.jsonl")).unwrap();
    let corpus: Vec<Value> = corpus.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(corpus.len(), 2, "{corpus:?}");
    let page = corpus.iter().find(|one| one["_id"] == "acme/2024.pdf#page=3").unwrap();
    assert!(page["text"].as_str().unwrap().contains("The dotterel is counted"), "{page}");
    // Elsewhere it is measured with the documents that it brings.
    let measured = sibyl.json(&["eval", "beir", text(&out), "--modes", "keyword", "--measure", "recall@5"]);
    assert_eq!(measured["measures"]["keyword"]["recall@5"], 1.0, "{measured}");
}

#[test]
fn a_measure_of_which_less_is_better_fails_above_its_value() {
    let (sibyl, folder) = with_report();
    let gold =
        judged(folder.path(), "gold.jsonl", &[("b", "dotterel", json!({ "acme/2024.pdf#page=3": 3 }))]);
    let eval = ["eval", gold.as_str(), "--modes", "keyword"];
    let junit = folder.path().join("report.xml");
    let with = |words: &[&str]| sibyl.run(&[&eval[..], words, &["--junit", text(&junit)][..]].concat());
    let kept =
        with(&["--fail-above", "keyword:tokens@5=100000", "--fail-above", "keyword:latency_ms=600000"]);
    assert_eq!(kept.code, 0, "{} {}", kept.out, kept.err);
    for measure in ["judged@10", "tokens@5", "latency_ms", "span_precision@5"] {
        assert!(kept.out.contains(measure), "{measure}: {}", kept.out);
    }
    let missed = with(&["--fail-above", "keyword:tokens@5=1"]);
    assert!(missed.code == 3 && missed.err.contains("above 1"), "{} {}", missed.code, missed.err);
    let report = fs::read_to_string(&junit).unwrap();
    assert!(report.contains("failures=\"1\"") && report.contains("tokens@5&lt;=1"), "{report}");
    let wrong = with(&["--fail-below", "keyword:tokens@5=1"]);
    assert!(wrong.code != 3 && wrong.err.contains("--fail-above"), "{} {}", wrong.code, wrong.err);
    let wrong = with(&["--fail-above", "keyword:recall@5=1"]);
    assert!(wrong.code != 0 && wrong.err.contains("--fail-below"), "{} {}", wrong.code, wrong.err);
}
