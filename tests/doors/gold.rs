//! The questions of reviewers find what answers them.

use crate::{list, text, write};
use serde_json::{Value, json};
use sibyl_loopback::{Behaviour, Options, Provider};
use sibyl_tests::library::Opened;
use sibyl_tests::program::Sibyl;

/// What the shipped standards must reach by meaning and words together, with the model that ships. One query of the 107
/// counts for 0.01, so that the last bit of another processor decides nothing.
const LEAST: [(&str, f64); 3] = [("ndcg@10", 0.81), ("recall@5", 0.83), ("success@3", 0.93)];

#[test]
fn what_reviewers_ask_is_found_and_what_they_name_stands_first() {
    let sibyl = Sibyl::with_standards();
    let gold = sibyl_tests::root().join("tests/fixtures/gold/standards.jsonl");
    let answer = sibyl.json(&["eval", text(&gold)]);
    let reached = |mode: &str, measure: &str| answer["measures"][mode][measure].as_f64().unwrap();
    for (measure, least) in LEAST {
        let hybrid = reached("hybrid", measure);
        assert!(hybrid >= least, "{measure} is {hybrid}");
        for leg in ["semantic", "keyword"] {
            assert!(hybrid >= reached(leg, measure), "{measure} is better by the {leg} leg alone");
        }
    }
    let named: Vec<_> =
        list(&answer, "per_query").iter().filter(|query| query["type"] == "exact_id").collect();
    assert!(named.len() > 5, "{}", named.len());
    for query in named {
        assert_eq!(query["hybrid"]["success@1"], 1.0, "{}", query["query"]);
    }
}

/// Proposals of a corpus: one accepted unchanged, one in other words, one rejected.
#[test]
fn proposed_questions_count_once_somebody_has_decided_about_them() {
    let sibyl = Sibyl::fresh_with_words();
    let folder = tempfile::tempdir().unwrap();
    for (name, words) in [
        ("leave", "# Annual leave policy\n\nLeave is granted within a week of asking.\n"),
        ("pay", "# Pay day rules\n\nSalaries are paid on the last day of the month.\n"),
        (
            "travel",
            "# Train travel booking\n\nTrains are booked by whoever travels.\n\n**Trip owner** means the person who \
             pays for it.\n",
        ),
    ] {
        write(folder.path(), &format!("notes/{name}.md"), words);
    }
    let notes = folder.path().join("notes");
    let words = ["ingest", text(&notes), "--corpus", "notes", "--source-type", "docs", "--no-embed"];
    sibyl.json(&words);
    let library = Opened::at(sibyl.folder());
    let call = |command: &str, input: Value| library.call("default", command, input).unwrap();
    call("gold.put_query", json!({ "set": "mine", "query": "how long does leave take" }));
    let proposed =
        || call("gold.candidates", json!({ "set": "mine", "corpus": "notes", "source": "heading" }));
    let first = proposed();
    let all = list(&first, "candidates").to_vec();
    assert!(all.len() >= 3, "{first}");
    assert!(all.iter().any(|one| one["query"] == "What is said about annual leave policy?"), "{first}");
    let asks = |corpus: &str, source: &str, query: &str| {
        let found = call(
            "gold.candidates",
            json!({ "set": "mine", "corpus": corpus, "source": source, "limit": 500 }),
        );
        let made = list(&found, "candidates").iter().find(|one| one["query"] == query).cloned();
        made.unwrap_or_else(|| panic!("{corpus} suggests no {query}: {found}"))["target"].clone()
    };
    let term = asks("notes", "term", "What does “Trip owner” mean?");
    assert_eq!(term["quote"], "**Trip owner** means the person who pays for it.");
    assert_eq!(asks("ifrs-s2", "identifier", "What does S2.22 ask for?")["id"], "S2.22");
    assert_eq!(asks("ifrs-s1", "term", "What does “primary users” mean?")["id"], "S1.A.primary_users");
    let accept = |one: &Value, query: &str| {
        let accepted = json!({ "query": query, "target": one["target"] });
        json!({ "set": "mine", "candidate": one["id"], "accept": accepted })
    };
    let refused = library.call("default", "gold.decide", accept(&all[0], "  ")).unwrap_err();
    assert_eq!(refused.code, "invalid");
    let kept = call("gold.decide", accept(&all[0], all[0]["query"].as_str().unwrap()));
    assert_eq!(kept["query"]["labels"][0]["grade"], 3, "{kept}");
    let changed = call("gold.decide", accept(&all[1], "when is the money there"));
    assert_eq!(changed["query"]["query"], "when is the money there", "{changed}");
    let discarded = call("gold.decide", json!({ "set": "mine", "candidate": all[2]["id"] }));
    assert_eq!(discarded["query"], Value::Null);

    let rest = proposed();
    assert_eq!((&rest["accepted"], &rest["rejected"]), (&json!(2), &json!(1)), "{rest}");
    assert_eq!(rest["total"].as_u64().unwrap() + 3, first["total"].as_u64().unwrap(), "{rest}");
    let decided: Vec<&Value> = all[..3].iter().map(|one| &one["id"]).collect();
    assert!(list(&rest, "candidates").iter().all(|one| !decided.contains(&&one["id"])), "{rest}");
    let set = call("gold.get", json!({ "set": "mine" }));
    assert_eq!((list(&set, "queries").len(), list(&set, "unmatched").len()), (3, 0), "{set}");
    // What answers them is found by a run as what a person judged is.
    let search = json!({ "mode": "keyword", "filters": { "corpora": ["notes"] } });
    let run = call("eval.run", json!({ "set": "mine", "search": search, "measures": ["success@5"] }));
    assert_eq!(run["queries"], 2, "what nobody has judged counts for nothing");
    let page = call("eval.run_get", json!({ "id": run["id"], "search": "What is said about" }));
    assert_eq!(page["queries"][0]["first_hit"], 1, "{page}");
}

#[test]
fn a_chat_model_writes_a_question_on_request_and_sees_nothing_that_is_kept_back() {
    let sibyl = Sibyl::fresh_with_words();
    let folder = tempfile::tempdir().unwrap();
    write(
        folder.path(),
        "notes/leave.md",
        "# Annual leave policy\n\nLeave is granted within a week of asking.\n",
    );
    let notes = folder.path().join("notes");
    sibyl.json(&["ingest", text(&notes), "--corpus", "notes", "--source-type", "docs", "--no-embed"]);
    let library = Opened::at(sibyl.folder());
    let call = |command: &str, input: Value| library.call("default", command, input);
    call("gold.put_query", json!({ "set": "mine", "query": "leave" })).unwrap();
    let proposed = call("gold.candidates", json!({ "set": "mine", "corpus": "notes" })).unwrap();
    let target = json!({ "target": proposed["candidates"][0]["target"] });
    let off = call("gold.suggest", target.clone()).unwrap_err();
    assert!(off.code == "remote_off" && off.message.contains("switch them on in Settings"), "{off:?}");
    sibyl.json(&["settings", "remote_embedding", "true"]);
    let without = call("gold.suggest", target.clone()).unwrap_err();
    assert!(without.code == "chat_not_set_up" && without.message.contains("needs a key"), "{without:?}");
    sibyl.json(&["settings", "remote_embedding", "false"]);

    let provider = Provider::start(Options::default()).unwrap();
    provider.always(Behaviour::Say("\n“How soon is time off allowed?”\n\nI hope this helps.".to_owned()));
    sibyl.json(&["settings", "chat_base_url", &provider.url()]);
    let written = call("gold.suggest", target.clone()).unwrap();
    assert_eq!(written["query"], "How soon is time off allowed?");
    let asked = provider.requests();
    assert!(asked[0].texts.concat().contains("Leave is granted within a week of asking."), "{asked:?}");
    assert_eq!(written["model"], asked[0].model);
    let set = call("gold.get", json!({ "set": "mine" })).unwrap();
    assert_eq!(list(&set, "queries").len(), 1, "nobody has decided about it");

    provider.always(Behaviour::SayThenError("How".to_owned()));
    let failed = call("gold.suggest", target).unwrap_err();
    assert!(failed.message.contains("the provider failed in the middle"), "{failed:?}");
    let gone =
        call("gold.suggest", json!({ "target": { "kind": "identifier", "id": "S2.99" } })).unwrap_err();
    assert_eq!(gone.code, "not_found");
}
