//! Every command of the list is called from another workspace with ids that it may not see. Whatever is answered
//! is as the description says.

use crate::described::{answered, most_are_answered};
use crate::{list, text, write};
use serde_json::{Value, json};
use sibyl_api::COMMANDS;
use sibyl_tests::library::Opened;
use sibyl_tests::program::Sibyl;

/// Words that are only in the private documents, file names, queries and notes of the workspace `east`.
const PRIVATE: [&str; 3] = ["quillwort", "zephyrine", "mangelwurzel-"];

/// What a command that is called from elsewhere answers.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Answers {
    /// No such thing.
    NotFound,
    /// Anything but private words.
    NothingPrivate,
}
use Answers::{NotFound, NothingPrivate};

/// What the workspace `east` owns.
struct East {
    document: i64,
    version: Value,
    chunk: String,
    job: i64,
    run: i64,
    asked: i64,
    evaluation: i64,
    thesaurus_entry: i64,
    watch: i64,
    binned: i64,
    review: Value,
    assessment: i64,
}

/// Each command with an input that names what belongs to `east`, if it accepts one.
fn calls(east: &East, elsewhere: &str) -> Vec<(&'static str, Value, Answers)> {
    let East {
        document,
        version,
        chunk,
        job,
        run,
        asked,
        evaluation,
        thesaurus_entry,
        watch,
        binned,
        review,
        assessment,
    } = east;
    let set = json!({ "set": "mangelwurzel-gold" });
    let gold = |more: Value| {
        let mut input = set.clone();
        for (key, value) in more.as_object().unwrap() {
            input[key] = value.clone();
        }
        input
    };
    let runs = json!({ "baseline": evaluation, "candidate": evaluation });
    let both = |key: &str, value: &str| {
        let mut input = runs.clone();
        input[key] = value.into();
        input
    };
    let matrix = json!({
        "set": "mangelwurzel-gold", "corpora": ["mangelwurzel-notes"], "rows": [{ "name": "now" }],
        "columns": [{ "name": "words", "search": { "mode": "keyword" } }],
    });
    let corpus = json!({ "name": "mangelwurzel-notes" });
    let of_document = json!({ "kind": "document", "id": document });
    let source_document = json!({ "sources": [of_document.clone()] });
    let source_corpus = json!({ "sources": [{ "kind": "corpus", "name": "mangelwurzel-notes" }] });
    let report = json!({ "report_id": "annual" });
    let scope = json!({ "standards": ["ifrs_s2"], "mandatory": true });
    let query = json!({ "query": "target", "mode": "keyword" });
    vec![
        ("workspace.list", json!({}), NothingPrivate),
        ("workspace.create", json!({ "name": "west" }), NothingPrivate),
        ("workspace.language", json!({ "name": "nowhere", "language": "en" }), NotFound),
        ("workspace.delete", json!({ "name": "nowhere" }), NotFound),
        ("library.stats", json!({}), NothingPrivate),
        ("library.overview", json!({}), NothingPrivate),
        ("corpus.inspect", corpus.clone(), NotFound),
        ("corpus.update", json!({ "name": "mangelwurzel-notes", "remote": true }), NotFound),
        ("corpus.delete", corpus, NotFound),
        ("corpus.delete_type", json!({ "source_type": "docs" }), NothingPrivate),
        ("sample.open", json!({}), NothingPrivate),
        ("ingest.glance", json!({ "paths": [elsewhere] }), NothingPrivate),
        ("ingest.preflight", source_document.clone(), NotFound),
        ("ingest.preflight", source_corpus.clone(), NotFound),
        ("ingest.start", json!({ "sources": [{ "kind": "path", "path": elsewhere }] }), NothingPrivate),
        ("embed.start", json!({}), NothingPrivate),
        ("embed.estimate", json!({}), NothingPrivate),
        ("job.list", json!({}), NothingPrivate),
        ("job.get", json!({ "id": job }), NotFound),
        ("job.files", json!({ "id": job }), NotFound),
        ("job.pause", json!({ "id": job }), NotFound),
        ("job.cancel", json!({ "id": job }), NotFound),
        ("job.resume", json!({ "id": job }), NotFound),
        ("job.retry", json!({ "id": job }), NotFound),
        ("job.retry", json!({ "id": job, "file": 0 }), NotFound),
        ("watch.list", json!({}), NothingPrivate),
        ("watch.add", json!({ "path": "/no/such/folder", "corpus": "texts" }), NothingPrivate),
        ("watch.change", json!({ "id": watch, "paused": true }), NotFound),
        ("watch.run", json!({ "id": watch }), NotFound),
        ("watch.remove", json!({ "id": watch }), NotFound),
        ("held.list", json!({}), NothingPrivate),
        ("held.decide", json!({ "root": "/no/such/folder", "confirmed": true }), NothingPrivate),
        ("document.list", json!({}), NothingPrivate),
        ("document.list", json!({ "corpus": "mangelwurzel-notes" }), NotFound),
        ("document.get", json!({ "id": document }), NotFound),
        ("document.version", json!({ "id": document, "text_version": version }), NotFound),
        ("document.alike", json!({}), NothingPrivate),
        ("document.same", json!({ "former": document, "found": document + 1 }), NotFound),
        ("document.same", json!({ "former": document, "found": document + 1, "same": false }), NotFound),
        ("fact.list", json!({ "document_id": document }), NothingPrivate),
        ("figure.list", json!({ "documents": [document] }), NothingPrivate),
        ("document.page_image", json!({ "document_id": document, "page": 1, "width": 100 }), NotFound),
        ("document.page_layout", json!({ "source": of_document.clone(), "page": 1 }), NotFound),
        ("document.correct", json!({ "id": document, "title": "Fern" }), NotFound),
        ("document.delete", json!({ "ids": [document] }), NotFound),
        ("report.delete", report.clone(), NotFound),
        ("bin.list", json!({}), NothingPrivate),
        ("bin.restore", json!({ "ids": [binned] }), NotFound),
        ("bin.delete", json!({ "ids": [binned] }), NotFound),
        ("chunk.list", json!({ "document": document }), NotFound),
        ("chunk.get", json!({ "chunk_id": chunk }), NotFound),
        ("phrasing.add", json!({ "id": chunk, "phrase": "fern" }), NotFound),
        ("phrasing.remove", json!({ "id": chunk, "phrase": "quillwort season" }), NotFound),
        ("phrasing.add", json!({ "id": "S2.14", "phrase": "fern" }), NothingPrivate),
        ("phrasing.remove", json!({ "id": "S2.14", "phrase": "fern" }), NothingPrivate),
        ("chunk.preview", json!({ "source": of_document }), NotFound),
        ("chunk.difference", json!({ "source": of_document }), NotFound),
        ("strategy.list", json!({}), NothingPrivate),
        ("source_type.list", json!({}), NothingPrivate),
        ("standards.tree", json!({}), NothingPrivate),
        ("standards.orientation", json!({}), NothingPrivate),
        ("standards.page", json!({ "id": "S2.14" }), NothingPrivate),
        (
            "standards.evidence",
            json!({ "id": "S2.14", "mode": "keyword", "reports": ["annual"] }),
            NothingPrivate,
        ),
        ("search", query.clone(), NothingPrivate),
        ("search.record", query, NothingPrivate),
        ("search.usual", json!({}), NothingPrivate),
        ("search.make_usual", json!({ "search": null }), NothingPrivate),
        ("search.runs", json!({ "limit": 100 }), NothingPrivate),
        ("search.run", json!({ "id": run }), NotFound),
        ("search.clear_runs", json!({}), NothingPrivate),
        ("rag_lookup", json!({ "query": "target" }), NothingPrivate),
        ("paragraph.get", json!({ "id": "S2.14" }), NothingPrivate),
        ("context.assemble", json!({ "chunk_ids": [chunk] }), NothingPrivate),
        ("answer.ask", json!({ "question": "Which target is to be met?" }), NothingPrivate),
        (
            "answer.ask",
            json!({ "question": "What is the target?", "filters": { "reports": ["annual"] } }),
            NothingPrivate,
        ),
        ("answer.generators", json!({}), NothingPrivate),
        ("answer.models", json!({}), NothingPrivate),
        ("answer.log.list", json!({}), NothingPrivate),
        ("answer.log.get", json!({ "id": asked }), NotFound),
        ("answer.log.rate", json!({ "id": asked, "rating": { "verdict": "wrong" } }), NotFound),
        ("answer.log.replay", json!({ "id": asked }), NotFound),
        ("answer.log.export", json!({}), NothingPrivate),
        ("answer.log.delete", json!({ "id": asked }), NotFound),
        ("answer.log.clear", json!({}), NothingPrivate),
        ("thesaurus.list", json!({}), NothingPrivate),
        (
            "thesaurus.put",
            json!({ "corpus": "mangelwurzel-notes", "term": "fern", "expansion": "moss" }),
            NotFound,
        ),
        ("thesaurus.delete", json!({ "id": thesaurus_entry }), NotFound),
        ("settings.get", json!({}), NothingPrivate),
        ("settings.set", json!({ "values": {} }), NothingPrivate),
        ("ocr.state", json!({}), NothingPrivate),
        ("model.list", json!({}), NothingPrivate),
        ("model.test", json!({ "space": "nowhere" }), NothingPrivate),
        ("eval.gold", json!({ "path": format!("{elsewhere}/none.jsonl") }), NothingPrivate),
        ("eval.answers", json!({ "path": format!("{elsewhere}/none.jsonl") }), NothingPrivate),
        ("eval.beir", json!({ "folder": format!("{elsewhere}/none") }), NothingPrivate),
        ("gold.list", json!({}), NothingPrivate),
        ("gold.import", json!({ "path": format!("{elsewhere}/none.jsonl") }), NothingPrivate),
        ("gold.export", set.clone(), NotFound),
        ("gold.get", set.clone(), NotFound),
        ("gold.history", set.clone(), NotFound),
        ("gold.put_query", gold(json!({ "query": "fern" })), NothingPrivate),
        ("gold.delete_query", gold(json!({ "id": "q1" })), NothingPrivate),
        ("gold.delete_query", json!({ "set": "mangelwurzel-other", "id": "q1" }), NotFound),
        ("gold.rename", json!({ "set": "mangelwurzel-other", "name": "fern" }), NotFound),
        (
            "gold.judge",
            json!({
                "set": "mangelwurzel-other", "query": "q1", "grade": 3, "target": { "kind": "chunk", "chunk_id": chunk },
            }),
            NotFound,
        ),
        (
            "gold.judge",
            json!({
                "set": "mangelwurzel-other", "query": "q1", "grade": 3,
                "target": { "kind": "passage", "document_id": document, "quote": "target" },
            }),
            NotFound,
        ),
        ("gold.panel", json!({ "query": "target" }), NothingPrivate),
        ("gold.pool", gold(json!({ "runs": [evaluation] })), NotFound),
        ("gold.agreement", json!({ "set": "mangelwurzel-other", "judges": ["a", "b"] }), NotFound),
        ("gold.candidates", gold(json!({ "corpus": "mangelwurzel-notes" })), NotFound),
        ("gold.suggest", json!({ "target": { "kind": "identifier", "id": "mangelwurzel.1" } }), NotFound),
        ("gold.decide", json!({ "set": "mangelwurzel-other", "candidate": "x" }), NotFound),
        ("gold.delete", set.clone(), NothingPrivate),
        ("eval.run", set.clone(), NotFound),
        ("eval.runs", json!({}), NothingPrivate),
        ("eval.run_find", json!({ "name": evaluation.to_string() }), NotFound),
        ("eval.run_find", json!({ "name": "mangelwurzel-run" }), NotFound),
        ("eval.run_get", json!({ "id": evaluation, "places": 10 }), NotFound),
        ("eval.run_delete", json!({ "id": evaluation }), NotFound),
        ("eval.run_rename", json!({ "id": evaluation, "name": "fern" }), NotFound),
        ("eval.run_export", json!({ "id": evaluation }), NotFound),
        ("eval.run_import", gold(json!({ "path": format!("{elsewhere}/none.run") })), NotFound),
        ("eval.compare", runs.clone(), NotFound),
        ("eval.compare_queries", both("measure", "rr"), NotFound),
        ("eval.compare_query", both("query", "q1"), NotFound),
        ("eval.matrix", matrix.clone(), NotFound),
        ("eval.matrix_run", json!({ "plan": matrix }), NotFound),
        ("eval.measures", json!({}), NothingPrivate),
        ("secret.status", json!({}), NothingPrivate),
        ("secret.set", json!({ "secret": "rerank", "value": "sk-1" }), NothingPrivate),
        ("secret.clear", json!({ "secret": "rerank" }), NothingPrivate),
        ("secret.test", json!({ "secret": "rerank" }), NothingPrivate),
        ("log.tail", json!({}), NothingPrivate),
        ("library.storage", json!({}), NothingPrivate),
        ("chunk.neighbours", json!({ "chunk_id": chunk }), NotFound),
        ("chunk.neighbours_of_text", json!({ "text": "target" }), NothingPrivate),
        ("embedding.map", json!({ "include": [chunk], "sample": 2000 }), NothingPrivate),
        ("embedding.map", json!({ "document_id": document }), NothingPrivate),
        ("passage.nearest_sentence", json!({ "query": "mill", "chunk_ids": [chunk] }), NotFound),
        ("app.info", json!({}), NothingPrivate),
        ("library.diagnostics", json!({}), NothingPrivate),
        ("library.doctor", json!({}), NothingPrivate),
        ("library.rebuild", json!({}), NothingPrivate),
        ("library.compact", json!({}), NothingPrivate),
        ("library.back_up", json!({ "path": format!("{elsewhere}/copy.sibyl") }), NothingPrivate),
        ("library.move", json!({ "path": format!("{elsewhere}/moved") }), NothingPrivate),
        ("library.condition", json!({}), NothingPrivate),
        ("library.check_place", json!({ "path": elsewhere }), NothingPrivate),
        ("backup.list", json!({}), NothingPrivate),
        ("backup.make", json!({}), NothingPrivate),
        ("backup.restore", json!({ "name": "none.sibyl" }), NotFound),
        ("review.list", report.clone(), NothingPrivate),
        ("review.put", review.clone(), NothingPrivate),
        ("review.export", report, NothingPrivate),
        ("assess.list", json!({}), NothingPrivate),
        ("assess.scope", json!({ "reports": ["annual"], "scope": scope }), NothingPrivate),
        ("assess.new", json!({ "name": "fern", "reports": ["annual"], "scope": scope }), NotFound),
        (
            "assess.change",
            json!({ "id": assessment, "name": "x", "reports": ["annual"], "scope": scope }),
            NotFound,
        ),
        ("assess.show", json!({ "id": assessment }), NotFound),
        (
            "assess.cell",
            json!({ "id": assessment, "requirement": "S2.14(a)(iv)", "report_id": "annual" }),
            NotFound,
        ),
        ("assess.run", json!({ "id": assessment }), NotFound),
        (
            "assess.decide",
            json!({ "id": assessment, "report_id": "annual", "requirements": ["S2.14(a)(iv)"], "status": "met" }),
            NotFound,
        ),
        ("assess.compare", json!({ "id": assessment, "earlier": "annual", "later": "annual-2" }), NotFound),
        (
            "assess.carry_over",
            json!({ "id": assessment, "report_id": "annual", "requirements": ["S2.14(a)(iv)"] }),
            NotFound,
        ),
        (
            "assess.propose",
            json!({
                "id": assessment, "requirement": "S2.14(a)(iv)", "report_id": "annual", "program": "reader",
                "finding": "gap", "reason": "nothing is said of it",
            }),
            NotFound,
        ),
        ("assess.confirm", json!({ "id": assessment, "proposal": 1 }), NotFound),
        ("assess.dismiss", json!({ "id": assessment, "proposal": 1 }), NotFound),
        ("assess.export", json!({ "id": assessment }), NotFound),
        ("assess.delete", json!({ "id": assessment }), NotFound),
        ("assess.verify", json!({ "pack": "{}" }), NothingPrivate),
        ("assess.key", json!({}), NothingPrivate),
        ("assess.key_new", json!({}), NothingPrivate),
        ("assess.sign", json!({ "content": "" }), NothingPrivate),
        ("assess.signature", json!({ "content": "", "signature": "" }), NothingPrivate),
        ("assess.import", json!({ "pack": "{}" }), NothingPrivate),
        ("ingest.unlock", json!({ "passwords": ["mangelwurzel"] }), NothingPrivate),
        ("ingest.start", source_document, NothingPrivate),
        ("ingest.start", source_corpus, NothingPrivate),
        // The last: nothing can be changed after it.
        ("library.rescue", json!({}), NothingPrivate),
    ]
}

/// What `east` sees of its own data.
fn own(library: &Opened, east: &East) -> Vec<Value> {
    let call = |command: &str, input: Value| {
        answered(library, "east", command, &input).unwrap_or_else(|error| panic!("{command}: {error}"))
    };
    vec![
        call("document.list", json!({})),
        call("document.get", json!({ "id": east.document })),
        call("chunk.list", json!({ "document": east.document })),
        call("job.list", json!({})),
        call("job.files", json!({ "id": east.job })),
        call("search.runs", json!({ "limit": 100 })),
        call("answer.log.list", json!({})),
        call("answer.log.get", json!({ "id": east.asked })),
        call("thesaurus.list", json!({})),
        call("review.list", json!({})),
        call("assess.list", json!({})),
        call("watch.list", json!({})),
        call("bin.list", json!({})),
        call("gold.list", json!({})),
        call("gold.get", json!({ "set": "mangelwurzel-gold" })),
        call("eval.runs", json!({})),
        call("eval.run_get", json!({ "id": east.evaluation, "places": 10 })),
        // Its coverage may grow: embedding fills in the missing vectors of the whole library.
        call("corpus.inspect", json!({ "name": "mangelwurzel-notes" }))["overview"]["corpus"].clone(),
    ]
}

/// Writes the documents of `east` into `folder` and ingests them. Gives the job of the first.
fn ingested(sibyl: &Sibyl, folder: &std::path::Path) -> i64 {
    write(
        folder,
        "mangelwurzel-notes/mangelwurzel-plan.md",
        "# Plan\n\nThe quillwort target is zephyrine.\n",
    );
    write(folder, "mangelwurzel-notes/mangelwurzel-broken.md", b"\x89PNG\r\n\x1a\n");
    write(folder, "mangelwurzel-notes/mangelwurzel-old.md", "# Old\n\nThe zephyrine target is past.\n");
    write(folder, "reports/annual.md", "# Quillworts 2025\n\nThe quillwort target was met.\n");
    write(folder, "elsewhere/harmless.md", "# Harmless\n\nNothing to see.\n");
    let path = |name: &str| folder.join(name);
    let ingest = |path: &std::path::Path, words: &[&str]| {
        let all = [&["ingest", text(path), "--workspace", "east", "--no-embed", "--json"], words].concat();
        sibyl.run(&all).json()
    };
    let job = ingest(&path("mangelwurzel-notes"), &[])["job"].as_i64().unwrap();
    ingest(&path("reports/annual.md"), &["--source-type", "report"]);
    job
}

/// Makes an assessment of `east`; gives its row id.
fn assessed(library: &Opened) -> i64 {
    let scope = json!({ "standards": ["ifrs_s2"] });
    let plan = json!({ "name": "mangelwurzel-review", "reports": ["annual"], "scope": scope });
    library.call("east", "assess.new", plan).unwrap()["id"].as_i64().unwrap()
}

#[test]
fn no_command_shows_or_changes_what_another_workspace_owns() {
    let sibyl = Sibyl::with_words();
    for workspace in ["east", "west"] {
        sibyl.json(&["workspace", "create", workspace]);
    }
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let job = ingested(&sibyl, folder.path());

    let provider = sibyl_loopback::Provider::start(sibyl_loopback::Options::default()).unwrap();
    assert_eq!(sibyl.run(&["settings", "chat_base_url", &provider.url()]).code, 0);
    let library = Opened::at(sibyl.folder());
    let call = |command: &str, input: Value| answered(&library, "east", command, &input).unwrap();
    let watch = call(
        "watch.add",
        json!({ "path": text(&path("mangelwurzel-notes")), "corpus": "mangelwurzel-notes" }),
    );
    let old = call("document.list", json!({ "words": "mangelwurzel-old" }));
    let binned = old[0]["id"].as_i64().unwrap();
    call("document.delete", json!({ "ids": [binned] }));
    let documents = call("document.list", json!({ "corpus": "mangelwurzel-notes" }));
    let document = documents[0]["id"].as_i64().unwrap();
    let chunks = call("chunk.list", json!({ "document": document }));
    let run = call("search.record", json!({ "query": "quillwort", "mode": "keyword" }));
    let chunk = chunks[0]["row"]["chunk_id"].as_str().unwrap().to_owned();
    call("phrasing.add", json!({ "id": chunk, "phrase": "quillwort season" }));
    let asked = call("answer.ask", json!({ "question": "What is the quillwort target?" }));
    assert!(asked["answer"].as_str().unwrap().contains("zephyrine"), "{asked}");
    let entry = json!({ "corpus": "mangelwurzel-notes", "term": "quillwort", "expansion": "zephyrine" });
    let entry = call("thesaurus.put", entry);
    call("gold.put_query", json!({ "set": "mangelwurzel-gold", "query": "quillwort target" }));
    let target = json!({ "kind": "chunk", "chunk_id": chunk });
    let judged = json!({ "set": "mangelwurzel-gold", "query": "q1", "grade": 3, "judge": "zephyrine", "target": target });
    call("gold.judge", judged);
    let measured =
        json!({ "set": "mangelwurzel-gold", "name": "mangelwurzel-run", "search": { "mode": "keyword" } });
    let evaluation = call("eval.run", measured);
    assert_eq!(evaluation["measures"]["recall@5"], 1.0, "{evaluation}");
    let review = json!({ "report_id": "annual", "paragraph_id": "S2.14", "status": "met" });
    let mut reviewed = review.clone();
    reviewed["note"] = "quillwort".into();
    for (field, value) in [("passages", json!([])), ("updated_at", json!(""))] {
        reviewed[field] = value;
    }
    call("review.put", reviewed.clone());
    reviewed["note"] = "of another".into();
    let east = East {
        document,
        version: documents[0]["text_version"].clone(),
        chunk,
        job,
        run: run["run"].as_i64().unwrap(),
        asked: asked["id"].as_i64().unwrap(),
        evaluation: evaluation["id"].as_i64().unwrap(),
        thesaurus_entry: entry["id"].as_i64().unwrap(),
        watch: watch["id"].as_i64().unwrap(),
        binned,
        review: reviewed,
        assessment: assessed(&library),
    };
    assert!(!list(&call("job.get", json!({ "id": job }))["report"], "failed").is_empty());

    let before = own(&library, &east);
    let calls = calls(&east, text(&path("elsewhere")));
    most_are_answered(&library, "east", calls.iter().map(|(name, input, _)| (*name, input)));
    for entry in COMMANDS {
        let cases: Vec<_> = calls.iter().filter(|(name, ..)| *name == entry.name).collect();
        assert!(
            !cases.is_empty(),
            "`{}` is not called here: say what it may tell another workspace",
            entry.name
        );
        if entry.name == "answer.ask" {
            // What scores are worth would be measured anew with each vector that comes.
            library.rest("west");
        }
        for (name, input, answers) in cases {
            let answer = answered(&library, "west", name, input);
            if *answers == NotFound {
                assert_eq!(answer.as_ref().unwrap_err().code, "not_found", "{name} {input}: {answer:?}");
            }
            let told = answer
                .map_or_else(|error| format!("{} {}", error.code, error.message), |told| told.to_string());
            // A refusal may repeat the request.
            let asked = input.to_string();
            for word in PRIVATE.iter().filter(|word| !asked.contains(**word)) {
                assert!(!told.contains(word), "`{name}` with {input} tells `{word}`: {told}");
            }
        }
    }
    let unknown: Vec<_> =
        calls.iter().filter(|(name, ..)| sibyl_api::entry(name).is_none()).map(|(name, ..)| name).collect();
    assert!(unknown.is_empty(), "{unknown:?}");
    let after = own(&library, &east);
    for (before, after) in before.iter().zip(&after) {
        assert_eq!(before, after);
    }
}

#[test]
fn deleting_a_source_type_leaves_what_all_workspaces_share_to_the_default_one() {
    let sibyl = Sibyl::with_words();
    sibyl.json(&["workspace", "create", "west"]);
    let delete = |workspace: &str| sibyl.run(&["delete", "--source-type", "sasb", "--workspace", workspace]);
    let sasb = || sibyl.json(&["stats"])["sasb"].as_u64().unwrap();
    let before = sasb();
    let refused = delete("west");
    assert_eq!((refused.code, sasb()), (1, before), "{}", refused.out);
    assert!(refused.err.contains("shared") && refused.err.contains("default workspace"), "{}", refused.err);

    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), "mill.md", "# Mill\n\nThe wheel turns.\n");
    let mill = folder.path().join("mill.md");
    sibyl.json(&[
        "ingest",
        text(&mill),
        "--source-type",
        "sasb",
        "--corpus",
        "own",
        "--no-embed",
        "--workspace",
        "west",
    ]);
    assert_eq!((delete("west").code, sasb()), (0, before), "its own goes, the shared one stays");
    assert_eq!((delete("default").code, sasb()), (0, 0));
}
