//! Gold sets and runs as used by somebody who tunes retrieval.
//!
//! Over 500 lines: all of these tests share one set-up.

use crate::{list, text, write};
use serde_json::{Value, json};
use sibyl_tests::library::Opened;
use sibyl_tests::program::Sibyl;

/// A library with three notes, and judged queries about them.
fn with_notes() -> (Sibyl, tempfile::TempDir) {
    let sibyl = Sibyl::fresh_with_words();
    let folder = tempfile::tempdir().unwrap();
    let notes = [
        ("leave.md", "# Leave\n\nLeave is asked for at the office. It is granted within a week.\n"),
        ("pay.md", "# Pay\n\nSalaries are paid on the last day of the month.\n"),
        ("travel.md", "# Travel\n\nTrains are booked by whoever travels.\n"),
    ];
    for (name, words) in notes {
        write(folder.path(), &format!("notes/{name}"), words);
    }
    let judged = [
        json!({
            "id": "a", "query": "leave office", "type": "easy",
            "spans": [{ "path": "leave.md", "quote": "asked for at\nthe office", "grade": 3 }],
        }),
        json!({
            "id": "b", "query": "salaries", "type": "easy",
            "spans": [{ "path": "pay.md", "quote": "paid on the last day", "grade": 3 }],
        }),
        json!({
            "id": "c", "query": "quillwort", "type": "hard",
            "spans": [{ "path": "travel.md", "quote": "Trains are booked", "grade": 2 }],
        }),
        json!({
            "id": "d", "query": "trains", "type": "hard",
            "spans": [{ "path": "travel.md", "quote": "Ships are booked", "grade": 2 }],
        }),
    ];
    let lines: String = judged.iter().map(|line| format!("{line}\n")).collect();
    write(folder.path(), "gold.jsonl", lines);
    let notes = folder.path().join("notes");
    sibyl.json(&["ingest", text(&notes), "--corpus", "notes", "--source-type", "text", "--no-embed"]);
    (sibyl, folder)
}

/// A search by words in the notes, and not in the standards beside them.
fn notes() -> Value {
    json!({ "mode": "keyword", "filters": { "corpora": ["notes"] } })
}

#[test]
fn a_set_is_taken_in_run_and_given_out_again() {
    let (sibyl, folder) = with_notes();
    let gold = folder.path().join("gold.jsonl");
    let imported = sibyl.json(&["gold", "import", text(&gold)]);
    assert_eq!(imported["set"]["name"], "gold");
    assert_eq!((&imported["set"]["queries"], &imported["set"]["spans"]), (&json!(4), &json!(4)));
    let unmatched = list(&imported, "unmatched");
    assert_eq!(unmatched.len(), 1, "{imported}");
    assert_eq!(unmatched[0]["query"], "d");
    assert!(unmatched[0]["why"].as_str().unwrap().contains("no longer has these words"), "{imported}");

    let library = Opened::at(sibyl.folder());
    let call = |command: &str, input: Value| library.call("default", command, input).unwrap();
    let run = call("eval.run", json!({ "set": "gold", "name": "first", "search": notes() }));
    // Two of four queries are found: one finds nothing by its words, the label of the other is gone.
    assert_eq!((&run["measures"]["recall@5"], &run["measures"]["rr"]), (&json!(0.5), &json!(0.5)), "{run}");
    assert_eq!((&run["by_type"]["easy"]["rr"], &run["by_type"]["hard"]["rr"]), (&json!(1.0), &json!(0.0)));
    assert!(run["measures"]["latency_ms"].as_f64().unwrap() > 0.0, "{run}");
    assert_eq!((&run["set_version"], &run["queries"]), (&json!(1), &json!(4)));
    assert_eq!(run["configuration"]["corpora"][0]["name"], "notes");
    let hash = run["config_hash"].as_str().unwrap();
    let listed = sibyl.run(&["eval", "runs"]).out;
    assert!(listed.contains("configuration") && listed.contains(&hash[..8]), "{listed}");
    // The one result of `d` is not what was judged.
    assert_eq!(run["unjudged"], 1);
    let page = call("eval.run_get", json!({ "id": run["id"], "places": 3, "search": "leave" }));
    assert_eq!((list(&page, "queries").len(), &page["total"]), (1, &json!(1)));
    assert_eq!(page["queries"][0]["first_hit"], 1);
    assert_eq!(page["rankings"]["a"][0]["grade"], 3, "{page}");

    let given = sibyl.run(&["gold", "export", "gold"]);
    assert_eq!(given.out.lines().count(), 4, "{}", given.out);
    write(folder.path(), "again.jsonl", &given.out);
    let again = sibyl.json(&["gold", "import", text(&folder.path().join("again.jsonl"))]);
    assert_eq!(
        (&again["set"]["labels"], &again["unmatched"]),
        (&imported["set"]["labels"], &imported["unmatched"])
    );

    let trec = sibyl.run(&["gold", "export", "gold", "--format", "trec", text(folder.path())]);
    assert_eq!(trec.code, 0, "{}", trec.err);
    let qrels = folder.path().join("gold.qrels");
    let back = sibyl.json(&["gold", "import", text(&qrels), "--name", "back"]);
    assert_eq!((&back["set"]["queries"], &back["set"]["labels"]), (&json!(4), &json!(4)), "{back}");
    // The run names places as the qrels do, so that another tool scores it alike.
    let exported = sibyl.run(&["eval", "export", "first"]).out;
    write(folder.path(), "first.run", &exported);
    let run_file = folder.path().join("first.run");
    let imported = sibyl.json(&["eval", "import", text(&run_file), "--set", "back"]);
    assert_eq!(
        (&imported["run"]["measures"]["rr"], &imported["run"]["imported"]),
        (&json!(0.5), &json!(true))
    );
    assert_eq!(imported["unanswered"], 1, "{imported}");

    sibyl.json(&["gold", "delete", "back"]);
    let names: Vec<Value> = list(&json!({ "sets": sibyl.json(&["gold", "list"]) }), "sets")
        .iter()
        .map(|set| set["name"].clone())
        .collect();
    assert_eq!(names, [json!("again"), json!("gold")]);
}

/// The measurements of a run, except its time.
fn measures(run: &Value) -> serde_json::Map<String, Value> {
    let measured = run["measures"].as_object().unwrap().iter().filter(|(name, _)| *name != "latency_ms");
    measured.map(|(name, value)| (name.clone(), value.clone())).collect()
}

#[test]
fn qrels_and_run_of_a_set_measure_the_same_when_they_are_taken_in_again() {
    let sibyl = Sibyl::fresh_with_words();
    let folder = tempfile::tempdir().unwrap();
    let files = [
        (
            "leave and pay.md",
            "# Leave\n\nLeave is asked for at the office. It is granted within a week. Pay goes on.\n",
        ),
        ("leave at sea.md", "# Leave\n\nLeave at sea is granted by the captain.\n"),
        ("office.md", "# Office\n\nThe office grants leave and opens at nine.\n"),
    ];
    for (name, words) in files {
        write(folder.path(), &format!("notes/{name}"), words);
    }
    let span = |path: &str, quote: &str, grade: i32| json!({ "path": path, "quote": quote, "grade": grade });
    let judged = [
        // One chunk holds three of the passages, one of them judged not relevant.
        json!({ "id": "a", "query": "leave office granted", "spans": [
            span("leave and pay.md", "Leave is asked for at the office.", 3),
            span("leave and pay.md", "It is granted within a week.", 2),
            span("leave and pay.md", "Pay goes on.", 1),
            span("leave at sea.md", "granted by the captain", 2),
            span("office.md", "opens at nine", 0),
        ] }),
        json!({ "id": "b", "query": "captain", "spans": [
            span("leave at sea.md", "granted by the captain", 3), span("office.md", "The office", 2),
        ] }),
    ];
    let lines: String = judged.iter().map(|line| format!("{line}\n")).collect();
    write(folder.path(), "own.jsonl", lines);
    sibyl.json(&[
        "ingest",
        text(&folder.path().join("notes")),
        "--corpus",
        "notes",
        "--source-type",
        "text",
        "--no-embed",
    ]);
    sibyl.json(&["gold", "import", text(&folder.path().join("own.jsonl"))]);
    let run = Opened::at(sibyl.folder())
        .call("default", "eval.run", json!({ "set": "own", "name": "first", "search": notes() }))
        .unwrap();
    let before = measures(&run);
    assert!(before["recall@5"].as_f64().unwrap() < 1.0, "something is left to be found: {before:?}");

    let given = sibyl.run(&["gold", "export", "own", "--format", "trec", text(folder.path())]);
    assert!(given.err.contains("relevant from grade 2"), "{}", given.err);
    let qrels = std::fs::read_to_string(folder.path().join("own.qrels")).unwrap();
    let exported = sibyl.run(&["eval", "export", "first"]).out;
    for lines in [&qrels, &exported] {
        let mut named: Vec<Vec<&str>> = lines.lines().map(|line| line.split(' ').take(3).collect()).collect();
        let all = named.len();
        named.iter_mut().for_each(|fields| _ = fields.remove(1));
        named.sort_unstable();
        named.dedup();
        assert_eq!(named.len(), all, "no id stands twice for a query: {lines}");
    }
    write(folder.path(), "first.run", &exported);
    let (qrels, file) = (folder.path().join("own.qrels"), folder.path().join("first.run"));
    sibyl.json(&["gold", "import", text(&qrels), "--name", "back", "--relevant-from", "2"]);
    let back = sibyl.json(&["eval", "import", text(&file), "--set", "back"]);
    let after = measures(&back["run"]);
    let spans = ["span_recall@5", "span_precision@5", "intact@5", "tokens@5"];
    for (name, value) in before.iter().filter(|(name, _)| !spans.contains(&name.as_str())) {
        assert_eq!(after.get(name), Some(value), "{name}: {exported}");
    }
}

#[test]
fn a_collection_is_measured_kept_and_compared() {
    let sibyl = Sibyl::fresh_with_words();
    let folder = tempfile::tempdir().unwrap();
    let words = ["bittern", "corncrake", "dotterel", "fieldfare", "garganey"];
    let (mut corpus, mut queries, mut qrels) =
        (String::new(), String::new(), "query-id\tcorpus-id\tscore\n".to_owned());
    for (at, word) in words.iter().enumerate() {
        corpus += &format!(
            "{}\n",
            json!({ "_id": format!("d{at}"), "title": "", "text": format!("The {word} breeds.") })
        );
        queries += &format!("{}\n", json!({ "_id": format!("q{at}"), "text": word }));
        qrels += &format!("q{at}\td{at}\t1\n");
    }
    write(folder.path(), "birds/corpus.jsonl", corpus);
    write(folder.path(), "birds/queries.jsonl", queries);
    write(folder.path(), "birds/qrels/test.tsv", qrels);
    let birds = folder.path().join("birds");
    let eval = ["eval", "beir", text(&birds), "--modes", "keyword", "--measure", "rr"];
    assert_eq!(sibyl.run(&[&eval[..], &["--save", "before"]].concat()).code, 0);
    let sets = sibyl.json(&["gold", "list"]);
    assert_eq!(
        (&sets[0]["name"], &sets[0]["version"]),
        (&json!("birds"), &json!(1)),
        "its runs are found below it"
    );

    // The same by the commands of the window: the set is imported, its collection measured, and both runs
    // compared.
    let library = Opened::at(sibyl.folder());
    let call = |command: &str, input: Value| library.call("default", command, input).unwrap();
    let taken = call("gold.import", json!({ "path": birds }));
    assert_eq!((&taken["set"]["name"], &taken["collection"]), (&json!("birds"), &json!(birds)), "{taken}");
    let modes = ["hybrid", "keyword"];
    call("eval.beir", json!({ "folder": birds, "modes": modes, "measures": ["rr"], "save": "after" }));
    let runs = call("eval.runs", json!({ "set": "birds" }));
    let runs = runs.as_array().unwrap();
    let names: Vec<&Value> = runs.iter().map(|run| &run["name"]).collect();
    let expected = ["after", "after (keyword)", "before (keyword)"];
    assert_eq!(names, expected, "the first mode is the newest, which is looked at first");
    assert!(runs.iter().all(|run| run["measures"]["rr"] == json!(1.0)), "{runs:?}");
    assert_ne!(runs[0]["config_hash"], runs[1]["config_hash"], "each mode is a configuration of its own");
    let compared = call(
        "eval.compare",
        json!({ "baseline": runs[2]["id"], "candidate": runs[1]["id"], "measures": ["rr"] }),
    );
    assert_eq!(
        (&compared["measures"][0]["ties"], &compared["notices"]),
        (&json!(5), &json!([])),
        "{compared}"
    );
    let told = sibyl.run(&["eval", "compare", "before (keyword)", "after (keyword)", "--measure", "rr"]);
    assert!(told.out.contains("0 / 5 / 0") && told.out.contains("not significant"), "{}", told.out);
    let several = sibyl.run(&["eval", "compare", "before (keyword)", "after (keyword)", "after"]);
    let corrected =
        several.out.matches("corrected by Holm's method for 2 comparisons with the baseline").count();
    assert_eq!(corrected, 2, "{}", several.out);
}

#[test]
fn a_matrix_by_command_tells_its_cost_and_keeps_what_it_ran() {
    let (sibyl, folder) = with_notes();
    sibyl.json(&["gold", "import", text(&folder.path().join("gold.jsonl"))]);
    let words = [
        "eval",
        "matrix",
        "gold",
        "--corpus",
        "notes",
        "--chunking",
        "now",
        "--chunking",
        "recursive:chunk_size=64,chunk_overlap=0",
        "--search",
        "keyword",
    ];
    let planned = sibyl.run(&[&words[..], &["--dry-run"]].concat());
    assert_eq!((planned.code, planned.out.matches('–').count()), (0, 2), "{}", planned.out);
    let done = sibyl.run(&words);
    assert!(done.code == 0 && done.out.contains("best: "), "{} {}", done.out, done.err);
    assert!(
        done.out.contains("not corrected for picking the best)")
            && done.out.contains("corrected by Holm's method for 1 comparison: difference"),
        "{}",
        done.out
    );
    assert_eq!(
        done.out.matches("% judged)").count(),
        2,
        "what nobody has judged is not told as wrong: {}",
        done.out
    );
    assert_eq!(sibyl.json(&["eval", "runs"]).as_array().unwrap().len(), 2);
    sibyl.run(&words);
    assert_eq!(
        sibyl.json(&["eval", "runs"]).as_array().unwrap().len(),
        2,
        "what has not changed is not run again"
    );
    sibyl.json(&["settings", "rerank_base_url", "https://reranker.invalid/v1"]);
    sibyl.json(&["settings", "remote_embedding", "true"]);
    let reranked = [&words[..10], &["rerank"]].concat();
    let refused = sibyl.run(&reranked);
    assert!(
        refused.code == 2 && refused.err.contains("the reranker's provider may charge for"),
        "{}",
        refused.err
    );
    assert!(refused.err.contains("add --yes"), "{}", refused.err);
    sibyl.json(&["settings", "rerank_base_url", ""]);
    sibyl.json(&["settings", "remote_embedding", "false"]);
    let unknown = sibyl.run(&[&words[..], &["--search", "semantic", "--model", "none"]].concat());
    assert!(unknown.code == 2 && unknown.err.contains("no model in use"), "{}", unknown.err);
}

#[test]
fn the_corpora_as_they_are_measure_in_a_matrix_what_a_run_measures() {
    let sibyl = Sibyl::fresh_with_words();
    let folder = tempfile::tempdir().unwrap();
    // `rare` is rare in the notes and common in the standards: alone, the notes would rank the other way round.
    for name in 0..12 {
        write(folder.path(), &format!("others/{name}.md"), "# Other\n\nrare rare rare words\n");
        write(folder.path(), &format!("notes/{name}.md"), "# Note\n\nusual words of every day\n");
    }
    write(folder.path(), "notes/first.md", "# Note\n\nA rare plant beside the path.\n");
    write(folder.path(), "notes/second.md", "# Note\n\nA usual plant, usual usual, beside the path.\n");
    for corpus in ["notes", "others"] {
        let path = folder.path().join(corpus);
        sibyl.json(&["ingest", text(&path), "--corpus", corpus, "--source-type", "text", "--no-embed"]);
    }
    let span = |path: &str| json!([{ "path": path, "quote": "plant", "grade": 3 }]);
    let judged = json!({ "id": "a", "query": "rare usual", "spans": span("first.md") });
    write(folder.path(), "plants.jsonl", format!("{judged}\n"));
    sibyl.json(&["gold", "import", text(&folder.path().join("plants.jsonl"))]);
    let library = Opened::at(sibyl.folder());
    let call = |command: &str, input: Value| library.call("default", command, input).unwrap();
    let run = call("eval.run", json!({ "set": "plants", "search": notes() }));
    let plan = json!({
        "set": "plants", "corpora": ["notes"], "rows": [{ "name": "now" }],
        "columns": [{ "name": "words", "search": { "mode": "keyword" } }],
    });
    let done = call("eval.matrix_run", json!({ "plan": plan }));
    let cell = &done["cells"][0]["run"];
    assert_eq!(measures(cell), measures(&run));
    let page = |id: &Value| call("eval.run_get", json!({ "id": id, "places": 20 }))["rankings"].clone();
    assert_eq!(page(&cell["id"]), page(&run["id"]), "the same chunks at the same ranks");

    // What surrounds the corpora decides with them, so that a change of it is a change of the cell.
    write(folder.path(), "others/more.md", "# Other\n\nmore words\n");
    let others = folder.path().join("others");
    sibyl.json(&["ingest", text(&others), "--corpus", "others", "--source-type", "text", "--no-embed"]);
    assert_eq!(call("eval.matrix", plan)["cells"][0]["run"], Value::Null);
}

#[test]
fn a_chunking_without_ids_is_judged_by_the_passages_that_carry_them() {
    let sibyl = Sibyl::with_words();
    let folder = tempfile::tempdir().unwrap();
    let lines = [
        json!({ "id": "a", "query": "climate transition plan assumptions dependencies", "relevant": { "S2.14(a)(iv)": 3 } }),
        json!({ "id": "b", "query": "internal carbon price per metric tonne", "relevant": { "S2.29(f)": 3, "S2.29(f)(ii)": 3 } }),
    ];
    write(folder.path(), "ids.jsonl", lines.map(|line| format!("{line}\n")).concat());
    sibyl.json(&["gold", "import", text(&folder.path().join("ids.jsonl"))]);
    let library = Opened::at(sibyl.folder());
    let call = |command: &str, input: Value| library.call("default", command, input).unwrap();
    let plan = json!({
        "set": "ids", "corpora": ["ifrs-s2"], "measure": "recall@10",
        "rows": [
            { "name": "now" },
            { "name": "whole pages", "strategy": "recursive", "settings": { "chunk_size": 2000, "chunk_overlap": 0 } },
        ],
        "columns": [{ "name": "words", "search": { "mode": "keyword" } }],
    });
    let done = call("eval.matrix_run", json!({ "plan": plan }));
    let cell = |at: usize| &done["cells"][at];
    assert!(cell(0)["value"].as_f64().unwrap() > 0.9, "{done}");
    assert!(cell(1)["value"].as_f64().unwrap() > 0.4, "{done}");
    let page = call("eval.run_get", json!({ "id": cell(1)["run"]["id"], "places": 10 }));
    assert!(page["rankings"].to_string().contains("S2.14(a)(iv)"), "{page}");
    let spans = |at: usize| cell(at)["run"]["measures"]["span_recall@5"].is_number();
    assert!(!spans(0) && spans(1), "{done}");
    assert_eq!(cell(0)["run"]["set_hash"], cell(1)["run"]["set_hash"], "they are compared as of one set");
}

#[test]
fn judgments_count_at_once_and_can_be_taken_back() {
    let (sibyl, folder) = with_notes();
    sibyl.json(&["gold", "import", text(&folder.path().join("gold.jsonl"))]);
    let library = Opened::at(sibyl.folder());
    let call = |command: &str, input: Value| library.call("default", command, input).unwrap();
    let found =
        call("search", json!({ "query": "trains", "mode": "keyword", "filters": { "corpora": ["notes"] } }));
    let chunk = found["results"][0]["chunk_id"].clone();
    let run = |name: &str| call("eval.run", json!({ "set": "gold", "name": name, "search": notes() }));
    let before = run("before");
    call("phrasing.add", json!({ "id": chunk, "phrase": "rail tickets" }));
    let pool = |judge: Value| {
        call("gold.pool", json!({ "set": "gold", "runs": [before["id"]], "seed": 3, "judge": judge }))
    };
    let waiting = pool(Value::Null);
    assert_eq!((&waiting["total"], &waiting["judged"]), (&json!(1), &json!(2)), "{waiting}");
    let item = &waiting["items"][0];
    assert_eq!((&item["query_id"], &item["found_by"]), (&json!("d"), &json!(["rail tickets"])));
    assert!(!item["passage"].as_str().unwrap().contains("rail tickets"), "{item}");
    assert_eq!(pool(json!("Ann"))["total"], 3, "Ann has judged nothing");

    let judge = |judge: &str, grade: Value| {
        let target = json!({ "kind": "chunk", "chunk_id": chunk });
        call(
            "gold.judge",
            json!({ "set": "gold", "query": "d", "grade": grade, "judge": judge, "target": target }),
        )
    };
    assert_eq!(list(&judge("Ann", json!(3)), "labels").len(), 2);
    judge("Ben", json!(1));
    assert_eq!(list(&judge("Ben", json!(3)), "labels").len(), 3, "a second judgment replaces the first");
    assert_eq!(pool(Value::Null)["total"], 0);
    let agreement = call("gold.agreement", json!({ "set": "gold", "judges": ["Ann", "Ben"] }));
    assert_eq!(
        (&agreement["pairs"], &agreement["agreed"], &agreement["kappa"]),
        (&json!(1), &json!(1.0), &json!(null))
    );
    let after = run("after");
    // Of the labels of `d` one of two is found now: (1 + 1 + 0 + ½) / 4.
    assert_eq!((&after["measures"]["recall@5"], &after["measures"]["rr"]), (&json!(0.625), &json!(0.75)));

    let compared = call(
        "eval.compare",
        json!({ "baseline": before["id"], "candidate": after["id"], "measures": ["mrr", "recall@5"] }),
    );
    let rr = &compared["measures"][0];
    assert_eq!(
        (&rr["difference"], &rr["wins"], &rr["ties"], &rr["losses"]),
        (&json!(0.25), &json!(1), &json!(3), &json!(0))
    );
    let hard = list(&compared, "by_type")
        .iter()
        .find(|one| one["type"] == "hard" && one["measure"] == "rr")
        .unwrap();
    assert_eq!(
        (&hard["queries"], &hard["wins"], &hard["ties"]),
        (&json!(2), &json!(1), &json!(1)),
        "{compared}"
    );
    assert_eq!(hard["interval"], json!([0.0, 1.0]), "of two queries one gains all: {hard}");
    let printed = sibyl.run(&["eval", "compare", "before", "after", "--measure", "rr"]);
    assert!(printed.out.contains("rr by type") && printed.out.contains("hard"), "{}", printed.out);
    // One difference, of which both signs are equally extreme.
    assert_eq!(
        (&rr["p_value"], &rr["corrected"], &rr["significant"]),
        (&json!(1.0), &json!(1.0), &json!(false))
    );
    assert!(rr["sentence"].as_str().unwrap().contains("not significant"), "{rr}");
    assert!(compared["notices"].to_string().contains("the gold set changed between the runs"), "{compared}");
    let changes = call(
        "eval.compare_queries",
        json!({ "baseline": before["id"], "candidate": after["id"], "measure": "rr", "which": "better" }),
    );
    assert_eq!(
        (&changes["queries"][0]["id"], &changes["total"], &changes["same"]),
        (&json!("d"), &json!(1), &json!(3))
    );
    let one = call(
        "eval.compare_query",
        json!({ "baseline": before["id"], "candidate": after["id"], "query": "d" }),
    );
    assert_eq!((list(&one, "before").len(), list(&one, "after").len()), (1, 1), "{one}");

    let renamed = call("eval.run_rename", json!({ "id": after["id"], "name": "with trains" }));
    assert_eq!(renamed["name"], "with trains", "{renamed}");
    assert_eq!(sibyl.json(&["eval", "runs"])[0]["name"], "with trains");

    let panel = call("gold.panel", json!({ "query": "  Trains " }));
    let first = &panel[0]["labels"][0];
    assert_eq!((&first["label"]["grade"], &first["chunks"]), (&json!(3), &json!([chunk])), "{panel}");
    judge("Ann", Value::Null);
    assert_eq!(list(&judge("Ben", Value::Null), "labels").len(), 1);
    let refused = library.call(
        "default",
        "gold.judge",
        json!({ "set": "gold", "query": "d", "grade": 4, "target": { "kind": "chunk", "chunk_id": chunk } }),
    );
    assert_eq!(refused.unwrap_err().code, "out_of_range");
}

#[test]
fn a_pool_is_shuffled_the_same_way_for_the_same_seed() {
    let sibyl = Sibyl::fresh_with_words();
    let folder = tempfile::tempdir().unwrap();
    for at in 1..=9 {
        let words = "plover ".repeat(at);
        write(folder.path(), &format!("notes/{at}.md"), format!("# Note {at}\n\n{words}by the weir.\n"));
    }
    let notes = folder.path().join("notes");
    sibyl.json(&["ingest", text(&notes), "--corpus", "notes", "--source-type", "text", "--no-embed"]);
    let span = json!([{ "path": "elsewhere.md", "quote": "plover", "grade": 3 }]);
    write(
        folder.path(),
        "gold.jsonl",
        format!("{}\n", json!({ "id": "a", "query": "plover", "spans": span })),
    );
    sibyl.json(&["gold", "import", text(&folder.path().join("gold.jsonl"))]);
    let library = Opened::at(sibyl.folder());
    let call = |command: &str, input: Value| library.call("default", command, input).unwrap();
    let chunks = |places: &Value| -> Vec<String> {
        let places = places.as_array().unwrap().iter();
        places.map(|place| place["chunk_id"].as_str().unwrap().to_owned()).collect()
    };
    let run = call("eval.run", json!({ "set": "gold", "search": self::notes() }));
    let page = call("eval.run_get", json!({ "id": run["id"], "places": 10 }));
    let ranked = chunks(&page["rankings"]["a"]);
    assert_eq!(ranked.len(), 9, "{page}");
    let pool = |seed: u64| {
        let pool = call("gold.pool", json!({ "set": "gold", "runs": [run["id"]], "seed": seed }));
        assert_eq!(pool["total"], 9, "{pool}");
        chunks(&pool["items"])
    };
    let (one, two) = (pool(1), pool(2));
    assert_eq!(one, pool(1), "a judge who comes back goes on where the pool was left");
    assert_ne!(one, two);
    let mut reversed = ranked.clone();
    reversed.reverse();
    for order in [&one, &two] {
        assert!(*order != ranked && *order != reversed, "the order tells nothing of the ranks: {order:?}");
        let mut sorted = [order.clone(), ranked.clone()];
        sorted.iter_mut().for_each(|chunks| chunks.sort());
        assert_eq!(sorted[0], sorted[1]);
    }
}

#[test]
fn a_set_and_its_runs_are_found_by_the_name_they_were_given() {
    let (sibyl, folder) = with_notes();
    let gold = folder.path().join("gold.jsonl");
    sibyl.json(&["gold", "import", text(&gold)]);
    sibyl.json(&["gold", "import", text(&gold), "--name", "taken"]);
    let library = Opened::at(sibyl.folder());
    let call = |command: &str, input: Value| library.call("default", command, input);
    let run = call("eval.run", json!({ "set": "gold", "search": notes() })).unwrap();
    let renamed = call("eval.run_rename", json!({ "id": run["id"], "name": " by words " })).unwrap();
    assert_eq!((&renamed["name"], &renamed["id"]), (&json!("by words"), &run["id"]));
    let set = call("gold.rename", json!({ "set": "gold", "name": "notes" })).unwrap();
    assert_eq!((&set["name"], &set["queries"]), (&json!("notes"), &json!(4)), "{set}");
    let runs = call("eval.runs", json!({ "set": "notes" })).unwrap();
    assert_eq!((&runs[0]["name"], &runs[0]["set"]), (&json!("by words"), &json!("notes")), "{runs}");
    assert_eq!(call("gold.get", json!({ "set": "gold" })).unwrap_err().code, "not_found");
    let refused = call("gold.rename", json!({ "set": "notes", "name": "taken" })).unwrap_err();
    assert!(refused.message.contains("choose another name"), "{}", refused.message);
    let told = sibyl.json(&["gold", "list"]);
    let names: Vec<&Value> = told.as_array().unwrap().iter().map(|set| &set["name"]).collect();
    assert_eq!(names, ["notes", "taken"]);
}

/// A document is edited and ingested again: labels in it keep their place as long as their words are there.
#[test]
fn a_label_stays_with_its_words_and_is_lost_with_them() {
    let (sibyl, folder) = with_notes();
    sibyl.json(&["gold", "import", text(&folder.path().join("gold.jsonl"))]);
    let library = Opened::at(sibyl.folder());
    let call = |command: &str, input: Value| library.call("default", command, input).unwrap();
    let edited = |at: &str| {
        let leave = format!(
            "# Leave\n\nSince May other rules apply. Leave is asked for {at}\nthe office. It is granted.\n"
        );
        write(folder.path(), "notes/leave.md", leave);
        let notes = folder.path().join("notes");
        sibyl.json(&["ingest", text(&notes), "--corpus", "notes", "--source-type", "text", "--no-embed"]);
        let run = call("eval.run", json!({ "set": "gold", "search": self::notes() }));
        let page = call("eval.run_get", json!({ "id": run["id"], "places": 3 }));
        let unmatched = call("gold.get", json!({ "set": "gold" }))["unmatched"].clone();
        let lost: Vec<String> = unmatched
            .as_array()
            .unwrap()
            .iter()
            .map(|one| one["query"].as_str().unwrap().to_owned())
            .collect();
        (lost, list(&page, "queries").iter().find(|query| query["id"] == "a").unwrap()["first_hit"].clone())
    };
    assert_eq!(edited("at"), (vec!["d".to_owned()], json!(1)), "other words stand around it");
    let (lost, _) = edited("in");
    assert_eq!(lost, ["a", "d"], "a word of it is another one");
}

#[test]
fn the_guard_fails_where_a_run_is_significantly_worse() {
    let sibyl = Sibyl::fresh_with_words();
    let folder = tempfile::tempdir().unwrap();
    let words = [
        "bittern",
        "corncrake",
        "dotterel",
        "fieldfare",
        "garganey",
        "hobby",
        "jackdaw",
        "knot",
        "lapwing",
        "merlin",
    ];
    let mut judged = String::new();
    for word in words {
        write(
            folder.path(),
            &format!("birds/{word}.md"),
            format!("# Bird\n\nThe {word} breeds by the weir.\n"),
        );
        let span = json!({ "path": format!("{word}.md"), "quote": format!("The {word} breeds"), "grade": 3 });
        judged += &format!("{}\n", json!({ "id": word, "query": word, "spans": [span] }));
    }
    write(folder.path(), "birds.jsonl", judged);
    let (birds, gold) = (folder.path().join("birds"), folder.path().join("birds.jsonl"));
    sibyl.json(&["ingest", text(&birds), "--corpus", "birds", "--source-type", "text", "--no-embed"]);
    let eval = ["eval", text(&gold), "--modes", "keyword", "--measure", "rr"];
    let saved = sibyl.run(&[&eval[..], &["--save", "good"]].concat());
    assert!(saved.code == 0 && saved.err.contains("good (keyword)"), "{}", saved.err);
    let junit = folder.path().join("report.xml");
    let against = [&eval[..], &["--against", "good (keyword)", "--junit", text(&junit)]].concat();
    let same = sibyl.run(&against);
    assert_eq!(same.code, 0, "{} {}", same.out, same.err);
    assert!(same.out.contains("not significant"), "{}", same.out);
    let report = std::fs::read_to_string(&junit).unwrap();
    assert!(report.contains("failures=\"0\"") && report.contains("rr against good (keyword)"), "{report}");

    sibyl.json(&["delete", "--corpus", "birds"]);
    write(folder.path(), "other/finch.md", "# Bird\n\nA finch.\n");
    sibyl.json(&["ingest", text(&folder.path().join("other")), "--source-type", "text", "--no-embed"]);
    let worse = sibyl.run(&against);
    // Ten losses of ten: 2 of 2^10 assignments.
    assert_eq!(worse.code, 3, "{} {}", worse.out, worse.err);
    assert!(worse.err.contains("significantly worse"), "{}", worse.err);
    let told = sibyl.run(&[&against[..], &["--json"]].concat());
    let told: Value = serde_json::from_str(&told.out).unwrap();
    assert_eq!(
        (&told["measures"]["keyword"]["rr"], &told["checks"][0]["passed"]),
        (&json!(0.0), &json!(false))
    );
    let compared = list(&told["comparison"], "measures").iter().find(|one| one["measure"] == "rr").unwrap();
    assert_eq!(compared["losses"], 10, "{told}");
    assert!(
        std::fs::read_to_string(&junit).unwrap().contains("<failure message=\"rr goes from 1.0000 to 0.0000")
    );
    let runs = sibyl.json(&["eval", "runs"]);
    assert_eq!(runs.as_array().unwrap().len(), 1, "what is compared in passing is not kept: {runs}");
    sibyl.json(&["eval", "delete", "good (keyword)"]);
    assert_eq!(sibyl.json(&["eval", "runs"]), json!([]));
}

/// Questions about a tree of documentation, and two ways of chunking it.
#[test]
fn the_documentation_answers_its_questions_however_it_is_cut() {
    let sibyl = Sibyl::with_standards();
    let tree = sibyl_tests::root().join("crates/sibyl-text/tests/fixtures/docs");
    let gold = sibyl_tests::root().join("tests/fixtures/gold/docs.jsonl");
    sibyl.json(&["ingest", text(&tree), "--corpus", "guide", "--source-type", "docs"]);
    let imported = sibyl.json(&["gold", "import", text(&gold)]);
    assert_eq!((&imported["set"]["queries"], &imported["unmatched"]), (&json!(20), &json!([])), "{imported}");
    let library = Opened::at(sibyl.folder());
    let call = |command: &str, input: Value| library.call("default", command, input).unwrap();
    let search = json!({ "filters": { "corpora": ["guide"] } });
    let run = call("eval.run", json!({ "set": "docs", "search": search }));
    let recall = run["measures"]["recall@5"].as_f64().unwrap();
    assert!(recall >= 0.9, "recall@5 is {recall}");

    let plan = json!({
        "set": "docs", "corpora": ["guide"], "measure": "span_recall@5",
        "rows": [
            { "name": "as it is" },
            { "name": "short", "strategy": "recursive", "settings": { "chunk_size": 64, "chunk_overlap": 0 } },
        ],
        "columns": [{ "name": "words", "search": { "mode": "keyword" } }],
    });
    let costs = call("eval.matrix", plan.clone());
    assert_eq!((&costs["best"], &costs["verdict"]), (&Value::Null, &Value::Null));
    assert!(costs["rows"][1]["chunks"].as_u64() > costs["rows"][0]["chunks"].as_u64(), "{costs}");
    assert_eq!(costs["rows"][0]["models"], json!([]), "words ask no model: {costs}");
    let done = call("eval.matrix_run", json!({ "plan": plan }));
    let ids: Vec<&Value> = list(&done, "cells").iter().map(|cell| &cell["run"]["id"]).collect();
    assert!(ids.iter().all(|id| id.is_i64()), "{done}");
    assert_eq!(done["best"], json!({ "row": 0, "column": 0 }), "{done}");
    let compared = call(
        "eval.compare",
        json!({ "baseline": ids[0], "candidate": ids[1], "measures": ["span_recall@5"], "beside": [] }),
    );
    let (verdict, of) = (&done["verdict"], &compared["measures"][0]);
    assert_eq!(
        (&verdict["against"], &verdict["comparisons"]),
        (&json!({ "row": 1, "column": 0 }), &json!(1))
    );
    assert_eq!((&verdict["p_value"], &verdict["corrected"]), (&of["p_value"], &of["p_value"]), "{done}");
    assert!(
        compared["measures"][0]["losses"].as_u64() > compared["measures"][0]["wins"].as_u64(),
        "{compared}"
    );
    // Nothing has changed, so that no cell is run again.
    let again = call("eval.matrix_run", json!({ "plan": plan }));
    let same: Vec<&Value> = list(&again, "cells").iter().map(|cell| &cell["run"]["id"]).collect();
    assert_eq!(ids, same);

    // With the shorter notation, the corpus as it is and the row of that chunking are one.
    let apply = json!({
        "sources": [{ "kind": "corpus", "name": "guide" }], "strategy": "recursive",
        "settings": { "chunk_size": 64, "chunk_overlap": 0 }, "force": true, "embed": "instant",
    });
    call("ingest.start", apply);
    library.rest("default");
    let applied = call("eval.matrix", plan);
    let now: Vec<&Value> = list(&applied, "cells").iter().map(|cell| &cell["run"]["id"]).collect();
    assert_eq!(now, [ids[1], ids[1]], "{applied}");
}

/// The same questions over all 135 documents of the tree. By words only, because so many vectors take a minute.
#[test]
fn the_whole_tree_of_documentation_answers_its_questions() {
    let sibyl = Sibyl::fresh_with_words();
    let tree = sibyl_tests::root().join("tests/fixtures/docs");
    let gold = sibyl_tests::root().join("tests/fixtures/gold/docs.jsonl");
    sibyl.json(&["ingest", text(&tree), "--corpus", "guide", "--source-type", "docs", "--no-embed"]);
    assert_eq!(sibyl.json(&["documents", "--corpus", "guide"]).as_array().unwrap().len(), 135);
    let words = ["eval", text(&gold), "--modes", "keyword", "--fail-below", "keyword:recall@5=0.9"];
    let measured = sibyl.run(&words);
    assert_eq!(measured.code, 0, "{} {}", measured.out, measured.err);
}

/// The same runs as ir-measures and SciPy see them.
#[test]
fn two_chunkings_compare_as_other_tools_say() {
    let sibyl = Sibyl::fresh_with_words();
    let folder = sibyl_tests::root().join("tests/fixtures/gold/compared");
    let file = |name: &str| folder.join(name);
    sibyl.json(&["gold", "import", text(&file("docs.qrels"))]);
    for run in ["docs.run", "short.run"] {
        let imported = sibyl.json(&["eval", "import", text(&file(run)), "--set", "docs"]);
        assert_eq!(imported["unknown"], 0, "{imported}");
    }
    let expected = std::fs::read_to_string(file("expected.json")).unwrap();
    let expected: Value = serde_json::from_str(&expected).unwrap();
    let number = |value: &Value| value.as_f64().unwrap();
    // What is simulated lies within four standard errors of 400,000 samples, and counts the sample itself as one.
    let simulated = |p: f64| 4.0 * (p * (1.0 - p) / 400_000.0).sqrt() + 4.0 / 400_000.0;
    let exact = |_: f64| 1e-9;
    let tests: [(&str, &dyn Fn(f64) -> f64); 2] = [("randomisation", &simulated), ("t_test", &exact)];
    for (test, bound) in tests {
        let words = ["eval", "compare", "docs", "short", "--test", &test.replace('_', "-")];
        let compared = sibyl.json(&words);
        for (measure, expected) in expected.as_object().unwrap() {
            let of = list(&compared, "measures").iter().find(|one| one["measure"] == *measure).unwrap();
            for (side, name) in [("baseline", "docs"), ("candidate", "short")] {
                let apart = (number(&of[side]) - number(&expected[name])).abs();
                assert!(apart < 1e-9, "{measure} of {name}: {of}");
            }
            let p = number(&expected[test]);
            let apart = (number(&of["p_value"]) - p).abs();
            assert!(apart <= bound(p), "{measure}, {test}: {of} instead of {expected}");
            assert_eq!((&of["wins"], &of["losses"]), (&expected["wins"], &expected["losses"]), "{measure}");
        }
    }
}

/// Each p-value times those that are not smaller, never below the one before it.
fn holm(p_values: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..p_values.len()).collect();
    order.sort_by(|&a, &b| p_values[a].total_cmp(&p_values[b]));
    let (mut corrected, mut least) = (vec![0.0; p_values.len()], 0.0_f64);
    for (rank, at) in order.into_iter().enumerate() {
        least = least.max(p_values[at] * (p_values.len() - rank) as f64).min(1.0);
        corrected[at] = least;
    }
    corrected
}

#[test]
fn a_comparison_is_corrected_for_the_other_runs_of_its_set() {
    let sibyl = Sibyl::fresh_with_words();
    let folder = sibyl_tests::root().join("tests/fixtures/gold/compared");
    sibyl.json(&["gold", "import", text(&folder.join("docs.qrels"))]);
    let library = Opened::at(sibyl.folder());
    let call = |command: &str, input: Value| library.call("default", command, input).unwrap();
    let import = |name: &str, text: &str| {
        let input = json!({ "path": format!("{name}.run"), "text": text, "set": "docs" });
        call("eval.run_import", input)["run"]["id"].clone()
    };
    let lines = |name: &str| std::fs::read_to_string(folder.join(name)).unwrap();
    let (docs, short) = (lines("docs.run"), lines("short.run"));
    let (baseline, candidate) = (import("docs", &docs), import("short", &short));
    let compare = |more: Value| {
        let mut input =
            json!({ "baseline": baseline, "candidate": candidate, "measures": ["ndcg@10", "rr"] });
        input.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        call("eval.compare", input)
    };
    let numbers = |compared: &Value, field: &str| -> Vec<f64> {
        list(compared, "measures").iter().map(|one| one[field].as_f64().unwrap()).collect()
    };
    let two = compare(json!({}));
    assert_eq!((&two["beside"], &two["tests"]), (&json!([]), &json!(2)), "{two}");

    // A third run that misses most, the same again under another name, and a run of another set.
    let few: String =
        short.lines().filter(|line| line.contains(" 1 ")).map(|line| format!("{line}\n")).collect();
    import("few", &few);
    let third = import("few again", &few);
    sibyl.json(&["gold", "import", text(&folder.join("docs.qrels")), "--name", "other"]);
    call("eval.run_import", json!({ "path": "other.run", "text": docs, "set": "other" }));
    let family = compare(json!({}));
    assert_eq!((&family["beside"], &family["tests"]), (&json!([third]), &json!(4)), "{family}");
    let beside = compare(json!({ "candidate": third, "beside": [] }));
    let p_values = [numbers(&two, "p_value"), numbers(&beside, "p_value")].concat();
    assert_eq!(numbers(&family, "corrected"), holm(&p_values)[..2], "{p_values:?}");
    assert!(numbers(&family, "corrected")[0] > numbers(&two, "corrected")[0], "{family}");
    let alone = compare(json!({ "beside": [] }));
    assert_eq!(alone["measures"], two["measures"]);
    assert_eq!(compare(json!({ "beside": [third, candidate] }))["measures"], family["measures"]);

    let words = ["eval", "compare", "docs", "short", "--measure", "ndcg@10", "--measure", "rr"];
    let told = sibyl.run(&words).out;
    let family = "corrected by Holm's method for 2 comparisons with the baseline, 4 tests in all";
    assert!(told.contains(family), "{told}");
    let told = sibyl.run(&[&words[..], &["--correct-for", "named"]].concat()).out;
    assert!(told.contains("the 2 measures of just this comparison"), "{told}");

    // With another version of the set, a run answers different questions.
    let query = call("gold.put_query", json!({ "set": "docs", "query": "something new" }));
    let target = json!({ "kind": "identifier", "id": "public-networks/concepts/node-sync.md" });
    call("gold.judge", json!({ "set": "docs", "query": query["id"], "grade": 3, "target": target }));
    let later = import("later", &few);
    let told = compare(json!({}));
    assert_eq!(told["beside"], json!([third]), "{later} is left out");
}

#[test]
fn a_former_version_of_a_set_is_told_and_given_out() {
    let (sibyl, folder) = with_notes();
    sibyl.json(&["gold", "import", text(&folder.path().join("gold.jsonl"))]);
    let first = sibyl.run(&["gold", "export", "gold"]).out;
    let library = Opened::at(sibyl.folder());
    let call = |command: &str, input: Value| library.call("default", command, input).unwrap();
    let run = call("eval.run", json!({ "set": "gold", "search": notes() }));
    call("gold.put_query", json!({ "set": "gold", "query": "ships" }));
    call("gold.delete_query", json!({ "set": "gold", "id": "a" }));
    assert_ne!(sibyl.run(&["gold", "export", "gold"]).out, first);
    let scored_on = run["set_version"].to_string();
    assert_eq!(sibyl.run(&["gold", "export", "gold", "--version", &scored_on]).out, first);

    let history = call("gold.history", json!({ "set": "gold" }));
    let versions: Vec<&Value> = history.as_array().unwrap().iter().map(|it| &it["version"]).collect();
    assert_eq!(versions, [3, 2, 1]);
    let changes = &history[0]["changes"];
    assert_eq!(
        (&changes["queries_removed"], &changes["labels_removed"]),
        (&json!(1), &json!(1)),
        "{history}"
    );
    assert_eq!((&changes["named"], &history[2]["changes"]), (&json!(["a"]), &Value::Null), "{history}");
    let told = sibyl.run(&["gold", "history", "gold"]).out;
    assert!(told.contains("−1") && told.contains("first known"), "{told}");
    let qrels =
        sibyl.run(&["gold", "export", "gold", "--version", "1", "--format", "trec", text(folder.path())]);
    assert!(qrels.out.contains("gold-v1.qrels") && qrels.err.contains("from grade 2"), "{}", qrels.err);
    let unknown = sibyl.run(&["gold", "export", "gold", "--version", "9"]);
    assert!(unknown.code != 0 && unknown.err.contains("choose one from 1 to 3"), "{}", unknown.err);
}
