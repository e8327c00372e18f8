//! The description is true: inputs that fit it are accepted and answered as described, and others are refused with
//! the name of what does not fit.

use crate::described::{departures, faults, validator};
use serde_json::Value;
use sibyl_tests::operation::operations;
use sibyl_tests::program::Sibyl;
use sibyl_tests::schema::Maker;
use sibyl_tests::server::Server;
use std::collections::{BTreeMap, BTreeSet};

/// Inputs that fit, of each operation.
const FITTING: u64 = 8;

/// Why a fitting input may still be refused: what it says about the library, a file, or itself as a whole is not
/// true. Codes, and parts of messages.
const UNTRUE: &[&str] = &[
    "query_syntax",
    "of a version that the library does not have",
    "unknown_space",
    "search_incomplete",
    "setting",
    "only a stored document can be compared",
    "has no pages",
    "has judged nothing",
    "these are the same judge",
    "contains no judged queries",
    "there are no queries to evaluate",
    "there is nothing to chunk",
    "needs two different words",
    "must be above 0",
    "no files were named",
    "licensed copy",
    "this is no pack in JSON",
    "this is not a minisign signature",
    "is no Base64",
];

/// Operations that take long with any input: they ingest everything that ships.
const SLOW: [&str; 1] = ["rag_ingest"];

#[test]
fn what_fits_the_description_is_taken_and_answered_as_it_says() {
    let sibyl = Sibyl::with_words();
    let server = Server::start(&sibyl, &["--allow", "spend", "--rate", "100000"]);
    let (operations, types) = operations(&server);
    let mut refused: BTreeMap<(String, String), (usize, Value)> = BTreeMap::new();
    let (mut sent, mut answered) = (0, 0);
    let mut own_answered = BTreeSet::new();
    for operation in operations.iter().filter(|operation| !SLOW.contains(&operation.id.as_str())) {
        // What is no command of the list is described by nothing else.
        let own = operation.command.is_none().then(|| validator(&operation.output, &types));
        for seed in 0..FITTING {
            let input = operation.fit(&types, seed);
            let answer = operation.send(&server, &input);
            sent += 1;
            if answer.status == 200 {
                let faults = match (operation.command, &own) {
                    (Some(command), _) => faults(command, &answer.json()),
                    (None, Some(own)) => {
                        own_answered.insert(operation.id.clone());
                        departures(own, &answer.json())
                    }
                    (None, None) => Vec::new(),
                };
                answered += usize::from(operation.command.is_some());
                assert!(faults.is_empty(), "{} with {input}: {}", operation.id, faults.join("; "));
            }
            if ![400, 415, 422, 500].contains(&answer.status) {
                continue;
            }
            let told = answer.json();
            let (code, message) = (&told["error"]["code"], &told["error"]["message"]);
            let untrue =
                |known: &&str| code == *known || message.as_str().is_some_and(|text| text.contains(known));
            if UNTRUE.iter().any(untrue) {
                continue;
            }
            let why =
                format!("{} {}", code.as_str().unwrap_or_default(), message.as_str().unwrap_or_default());
            refused.entry((operation.id.clone(), why)).or_insert((0, input)).0 += 1;
        }
    }
    let refused: Vec<String> = refused
        .iter()
        .map(|((id, why), (count, input))| format!("{id} {count}x: {why}\n    {input}"))
        .collect();
    assert!(refused.is_empty(), "{} of {sent}:\n{}", refused.len(), refused.join("\n"));
    for id in ["query", "rag_search", "rag_stats", "rag_status"] {
        assert!(own_answered.contains(id), "{id} was never answered: {own_answered:?}");
    }
    assert!(answered > sent / 4, "only {answered} of {sent} were answered");
}

#[test]
fn what_does_not_fit_the_description_is_refused_by_its_name() {
    let sibyl = Sibyl::with_words();
    let server = Server::start(&sibyl, &["--allow", "spend", "--rate", "100000"]);
    let (operations, types) = operations(&server);
    let mut wrong = Vec::new();
    let mut sent = 0;
    for operation in &operations {
        let mut maker = Maker::new(&types, 1);
        for unfit in maker.unfit(&operation.input) {
            // A path without its parameter is another path, and everything in an address is text.
            let missing = unfit.input[&unfit.field].is_null();
            if operation.is_in_path(&unfit.field) && missing
                || operation.is_text_in_address(&unfit.field) && !missing
            {
                continue;
            }
            let answer = operation.send(&server, &unfit.input);
            sent += 1;
            // A place on the server's disk is refused, whatever else is sent.
            let named = answer.body.contains(&unfit.field) || answer.status == 403;
            if !(400..500).contains(&answer.status) || !named {
                let (id, field, what) = (&operation.id, &unfit.field, unfit.what);
                wrong.push(format!(
                    "{id}.{field}: {what}: {} {}\n    {}",
                    answer.status, answer.body, unfit.input
                ));
            }
        }
    }
    assert!(wrong.is_empty(), "{} of {sent}:\n{}", wrong.len(), wrong.join("\n"));
}
