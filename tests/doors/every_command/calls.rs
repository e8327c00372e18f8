//! Every command with an input that names what belongs to the workspace `east`.

use serde_json::{Value, json};

/// What a command that is called from elsewhere answers.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Answers {
    /// No such thing.
    NotFound,
    /// Anything but private words.
    NothingPrivate,
}
use Answers::{NotFound, NothingPrivate};

/// What the workspace `east` owns.
pub struct East {
    pub document: i64,
    pub version: Value,
    pub chunk: String,
    pub job: i64,
    pub run: i64,
    pub asked: i64,
    pub evaluation: i64,
    pub thesaurus_entry: i64,
    pub watch: i64,
    pub binned: i64,
    pub review: Value,
    pub assessment: i64,
}

/// Each command with an input that names what belongs to `east`, if it accepts one.
pub fn calls(east: &East, elsewhere: &str) -> Vec<(&'static str, Value, Answers)> {
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
