//! Every command of the list is called from another workspace with ids that it may not see. Whatever is answered
//! is as the description says.

mod calls;

use crate::described::{answered, most_are_answered};
use crate::{list, text, write};
use calls::{Answers, East, calls};
use serde_json::{Value, json};
use sibyl_api::COMMANDS;
use sibyl_tests::library::Opened;
use sibyl_tests::program::Sibyl;

/// Words that are only in the private documents, file names, queries and notes of the workspace `east`.
const PRIVATE: [&str; 3] = ["quillwort", "zephyrine", "mangelwurzel-"];

/// Groups of commands, each tried in a library of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Group {
    /// Files that become documents, and what is done with these.
    Documents,
    /// Searches, answers, and the standards that they search.
    Questions,
    /// Gold sets and evaluations.
    Evaluation,
    /// Reviews and assessments.
    Assessments,
    /// The library as a whole, and everything else.
    Library,
}

impl Group {
    /// The group of `command`; a new command without a group of its own is one of the library's.
    fn of(command: &str) -> Self {
        match command.split('.').next().unwrap_or(command) {
            "bin" | "chunk" | "corpus" | "document" | "embed" | "embedding" | "held" | "ingest" | "job"
            | "sample" | "watch" => Self::Documents,
            "answer" | "context" | "paragraph" | "passage" | "phrasing" | "rag_lookup" | "search"
            | "standards" | "thesaurus" => Self::Questions,
            "eval" | "gold" => Self::Evaluation,
            "assess" | "review" => Self::Assessments,
            _ => Self::Library,
        }
    }
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

/// Gives `east` something of everything, beside the documents in the folder `notes`, which `job` ingested.
fn owned(library: &Opened, notes: &str, job: i64) -> East {
    let call = |command: &str, input: Value| answered(library, "east", command, &input).unwrap();
    let watch = call("watch.add", json!({ "path": notes, "corpus": "mangelwurzel-notes" }));
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
    let failed = call("job.get", json!({ "id": job }));
    assert!(!list(&failed["report"], "failed").is_empty());
    East {
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
        assessment: assessed(library),
    }
}

#[test]
fn no_command_on_documents_shows_or_changes_what_another_workspace_owns() {
    shows_and_changes_nothing_of_another_workspace(Group::Documents);
}

#[test]
fn no_question_shows_or_changes_what_another_workspace_owns() {
    shows_and_changes_nothing_of_another_workspace(Group::Questions);
}

#[test]
fn no_evaluation_shows_or_changes_what_another_workspace_owns() {
    shows_and_changes_nothing_of_another_workspace(Group::Evaluation);
}

#[test]
fn no_assessment_shows_or_changes_what_another_workspace_owns() {
    shows_and_changes_nothing_of_another_workspace(Group::Assessments);
}

#[test]
fn no_other_command_shows_or_changes_what_another_workspace_owns() {
    shows_and_changes_nothing_of_another_workspace(Group::Library);
}

/// Calls every command of `group` from the workspace `west` with what `east` owns.
fn shows_and_changes_nothing_of_another_workspace(group: Group) {
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
    let east = owned(&library, text(&path("mangelwurzel-notes")), job);
    let before = own(&library, &east);
    let all = calls(&east, text(&path("elsewhere")));
    let unknown: Vec<_> =
        all.iter().filter(|(name, ..)| sibyl_api::entry(name).is_none()).map(|(name, ..)| name).collect();
    assert!(unknown.is_empty(), "{unknown:?}");
    let calls: Vec<_> = all.into_iter().filter(|(name, ..)| Group::of(name) == group).collect();
    most_are_answered(&library, "east", calls.iter().map(|(name, input, _)| (*name, input)));
    for entry in COMMANDS.iter().filter(|entry| Group::of(entry.name) == group) {
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
            if *answers == Answers::NotFound {
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
