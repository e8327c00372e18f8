//! Searching from the command line: sums, ranges, filters and odd queries.

use crate::{list, paragraphs};
use serde_json::{Value, json};
use sibyl_tests::library::Opened;
use sibyl_tests::program::Sibyl;

const MODES: [&str; 3] = ["semantic", "keyword", "hybrid"];

#[test]
fn what_a_request_leaves_out_is_ranked_as_the_library_does_by_default() {
    let sibyl = Sibyl::with_instant_vectors();
    let query = "how does the board oversee climate risk";
    let method = |words: &[&str]| {
        let found = sibyl.json(&[&["search", query, "-k", "1"], words].concat());
        found["results"][0]["search_method"].clone()
    };
    assert_eq!(method(&[]), "hybrid");
    let library = Opened::at(sibyl.folder());
    let call = |command: &str, input: Value| library.call("default", command, input).unwrap();
    let mut best = call("search.usual", json!({}));
    (best["mode"], best["feedback"], best["semantic_share"]) = (json!("semantic"), json!(false), json!(0.55));
    assert_eq!(call("search.make_usual", json!({ "search": best })), best);
    // The command line, a call that names only a query, and a lookup follow it; explicit values stay.
    assert_eq!(method(&[]), "semantic");
    assert_eq!(method(&["--mode", "keyword"]), "keyword");
    assert_eq!(method(&["--built-in"]), "hybrid");
    assert_eq!(call("search", json!({ "query": query }))["results"][0]["search_method"], "semantic");
    let hybrid = call("search", json!({ "query": query, "mode": "hybrid" }));
    let share = list(&hybrid["results"][0], "contributions")
        .iter()
        .find(|leaf| leaf["leg"] == "semantic")
        .map(|leaf| leaf["weight"].clone());
    assert_eq!(share, Some(json!(0.55)));
    let words = json!({ "query": "zqxv" });
    assert!(call("rag_lookup", words.clone())["text"].as_str().unwrap().contains("--- Result 1"));
    assert_eq!(sibyl.run(&["settings", "search_mode", "keyword"]).code, 0);
    assert!(!call("rag_lookup", words)["text"].as_str().unwrap().contains("--- Result 1"));
    // A number that ranks nothing is refused, and none brings the built-in ranking back.
    best["semantic_weight"] = json!(0);
    best["keyword_weight"] = json!(0);
    let refused = library.call("default", "search.make_usual", json!({ "search": best })).unwrap_err();
    assert!(refused.to_string().contains("must be above 0"), "{refused}");
    call("search.make_usual", json!({ "search": null }));
    assert_eq!(method(&[]), "hybrid");
}

#[test]
fn a_score_is_the_sum_of_its_leaves() {
    let sibyl = Sibyl::with_instant_vectors();
    for (query, k, options) in [
        ("Scope 3 emissions S2.29", None, &[][..]),
        ("how does the board oversee climate risk", None, &["--semantic-share", "0.7"]),
        ("Scope 3 emissions S2.29", Some(60.0), &["--fusion", "rrf"]),
        (
            "how does the board oversee climate risk",
            Some(7.0),
            &["--fusion", "rrf", "--rrf-k", "7", "--semantic-weight", "2.5"],
        ),
        ("EM-EP-110a.1 methane", Some(60.0), &["--fusion", "rrf", "--keyword-weight", "0.3"]),
    ] {
        for mode in MODES {
            let words = [&["search", query, "--explain", "--mode", mode], options].concat();
            let answer = sibyl.json(&words);
            assert!(!list(&answer, "results").is_empty(), "{words:?}");
            for hit in list(&answer, "results") {
                let leaves = list(hit, "contributions");
                let sum =
                    leaves.iter().map(|leaf| leaf["value"].as_f64().unwrap()).fold(0.0, |sum, x| sum + x);
                assert_eq!(hit["score"].as_f64().unwrap(), sum, "{words:?}: {hit}");
                for leaf in leaves.iter().filter(|_| mode == "hybrid") {
                    let (weight, rank) = (leaf["weight"].as_f64().unwrap(), leaf["rank"].as_f64().unwrap());
                    let value = leaf["value"].as_f64().unwrap();
                    let scale = |name: &str| leaf["range"][name].as_f64().unwrap();
                    let most = match k {
                        // As in the main document (4.4), and no other leaf: it knows no counterparts.
                        Some(k) => {
                            assert_ne!(leaf["leg"], "counterpart", "{leaf}");
                            weight / (k + rank)
                        }
                        None if leaf["range"].is_null() => continue,
                        None => {
                            let raw = leaf["raw"].as_f64().unwrap();
                            weight * (raw - scale("least")) / scale("deviation")
                        }
                    };
                    assert!((value - most).abs() < 1e-12, "{leaf}");
                }
            }
            let scores: Vec<f64> =
                list(&answer, "results").iter().map(|hit| hit["score"].as_f64().unwrap()).collect();
            assert!(scores.is_sorted_by(|a, b| a >= b), "{words:?}: {scores:?}");
        }
    }
    let told = sibyl.run(&["search", "Scope 3 emissions S2.29", "--explain", "-k", "1"]).out;
    for part in ["= ", "semantic (rank ", "keyword (rank ", "matched: ", "configuration ", "filters: "] {
        assert!(told.contains(part), "{part} in {told}");
    }
}

#[test]
fn the_counterpart_of_a_hit_follows_it_and_says_so() {
    let sibyl = Sibyl::with_instant_vectors();
    let query = "which controls and procedures does management use to oversee climate matters";
    let words = ["search", query, "-k", "20"];
    let (with, without) = (sibyl.json(&words), sibyl.json(&[&words[..], &["--no-counterparts"]].concat()));
    let rank = |answer: &Value, id: &str| paragraphs(answer).iter().position(|found| *found == id);
    let leaf =
        |hit: &Value| list(hit, "contributions").iter().find(|leaf| leaf["leg"] == "counterpart").cloned();
    let [own, twin] = ["S2.6(b)(ii)", "S1.27(b)(ii)"];
    let lifted = list(&with, "results").iter().find(|hit| hit["metadata"]["paragraph_id"] == twin).unwrap();
    let lift = leaf(lifted).unwrap();
    assert_eq!(
        (&lift["label"], lift["rank"].as_u64()),
        (&own.into(), rank(&without, own).map(|n| n as u64 + 1))
    );
    assert!(rank(&with, own) < rank(&with, twin), "it never overtakes what it answers to");
    assert!(rank(&without, twin).is_none_or(|rank_without| rank(&with, twin) < Some(rank_without)));
    assert!(list(&without, "results").iter().all(|hit| leaf(hit).is_none()));
    assert_ne!(with["trace"]["config_hash"], without["trace"]["config_hash"]);
    let told = sibyl.run(&[&words[..], &["--explain"]].concat()).out;
    assert!(told.contains("counterpart (rank "), "{told}");
    // If only one standard is searched, nothing of the other is added.
    let alone = sibyl.json(&[&words[..], &["--standard", "S2"]].concat());
    assert!(list(&alone, "results").iter().all(|hit| hit["source_type"] == "ifrs_s2" && leaf(hit).is_none()));
}

#[test]
fn meaning_is_asked_for_in_the_words_of_the_trade() {
    let sibyl = Sibyl::with_instant_vectors();
    let embedded = |words: &[&str]| {
        let answer = sibyl.json(&[&["search"], words].concat());
        answer["trace"]["embedded"].as_str().unwrap_or_default().to_owned()
    };
    let query = "bord has skin in the game, says TCFD";
    let read = "board has skin in the game, says TCFD (remuneration, \
                Task Force on Climate-related Financial Disclosures)";
    for mode in ["hybrid", "semantic"] {
        assert_eq!(embedded(&[query, "--mode", mode]), read);
        assert_eq!(embedded(&[query, "--mode", mode, "--no-thesaurus", "--no-spelling"]), query);
    }
    assert_eq!(embedded(&[query, "--mode", "keyword"]), "");
    let told = sibyl.run(&["search", query, "--explain", "-k", "1"]).out;
    assert!(told.contains(&format!("embedded: {read}\n")), "{told}");
}

#[test]
fn a_range_names_all_its_paragraphs() {
    let sibyl = Sibyl::with_words();
    for query in ["S2.5-7", "S2.5–S2.7", "paragraphs 5–7 of IFRS S2"] {
        let answer = sibyl.json(&["search", query, "--mode", "keyword", "-k", "30"]);
        let mut named: Vec<&str> = list(&answer, "results")
            .iter()
            .filter(|hit| list(hit, "contributions").iter().any(|leaf| leaf["leg"] == "reference"))
            .filter_map(|hit| hit["metadata"]["paragraph_id"].as_str())
            .collect();
        assert_eq!(paragraphs(&answer)[..named.len()], named, "{query}: what is named comes first");
        named.dedup(); // A long paragraph has several parts.
        assert_eq!(named, ["S2.5", "S2.6", "S2.7"], "{query}");
    }
    let beyond = sibyl.json(&["search", "S2.99 target", "--mode", "keyword"]);
    let notices = list(&beyond["trace"], "notices");
    assert!(
        notices.iter().any(|notice| notice["message"].as_str().unwrap().contains("S2.99")),
        "{notices:?}"
    );
}

#[test]
fn filters_leave_only_what_fits_and_say_what_fits_nothing() {
    let sibyl = Sibyl::with_words();
    let all = sibyl.json(&["search", "emissions of the entity", "--mode", "keyword"]);
    let field = |hit: &Value, name: &str| hit["metadata"][name].as_str().unwrap_or_default().to_owned();
    type Check<'a> = &'a dyn Fn(&Value) -> bool;
    let cases: [(&[&str], Check<'_>); 7] = [
        (&["--source-type", "ifrs_s1"], &|hit| hit["source_type"] == "ifrs_s1"),
        (&["--source-type", "ifrs_s1", "--source-type", "sasb"], &|hit| hit["source_type"] != "ifrs_s2"),
        (&["--standard", "S2"], &|hit| field(hit, "standard") == "S2"),
        (&["--pillar", "metrics_targets"], &|hit| field(hit, "pillar") == "metrics_targets"),
        (&["--industry", "EM-EP"], &|hit| field(hit, "standard_code") == "EM-EP"),
        (&["--corpus", "sasb"], &|hit| hit["corpus"] == "sasb"),
        (&["--standard", "s2", "--pillar", "strategy"], &|hit| {
            field(hit, "standard") == "S2" && field(hit, "pillar") == "strategy"
        }),
    ];
    for (filter, fits) in cases {
        let words = [&["search", "emissions of the entity", "--mode", "keyword"], filter].concat();
        let answer = sibyl.json(&words);
        assert!(!list(&answer, "results").is_empty(), "{filter:?}");
        assert!(list(&answer, "results").iter().all(fits), "{filter:?}");
        let counted = |answer: &Value, name: &str| answer["trace"][name].as_u64().unwrap();
        assert_eq!(counted(&answer, "candidates_before"), counted(&all, "candidates_before"));
        assert!(counted(&answer, "candidates_after") < counted(&all, "candidates_before"), "{filter:?}");
    }
    let none = sibyl.json(&["search", "emissions", "--mode", "keyword", "--industry", "XX-YY"]);
    assert_eq!(none["total_results"], 0);
    let notices = list(&none["trace"], "notices");
    assert!(
        notices.iter().any(|notice| notice["message"].as_str().unwrap().contains("`XX-YY`")),
        "{notices:?}"
    );
    let told = sibyl.run(&["search", "emissions", "--mode", "keyword", "--industry", "XX-YY"]);
    assert_eq!(told.code, 0, "{}", told.err);
    assert!(told.out.starts_with("Nothing found in 0 of "), "{}", told.out);
}

fn odd_queries() -> Vec<String> {
    let mut queries: Vec<String> = [
        "",
        "   ",
        "the of and to",
        "\"",
        "\"unfinished phrase",
        "'; DROP TABLE chunk; --",
        "AND OR NOT",
        "NEAR(climate risk, 5)",
        "text : climate",
        "keyword:climate",
        "climate* (risk",
        "^climate + risk - {water}",
        ")(*&^%$#@![]{}|\\;",
        "S2.(a)(",
        "§ 99999999999999999999",
        "مخاطر المناخ",
        "סיכוני אקלים",
        "气候风险",
        "🌍🔥 climate 👩\u{200d}🔬",
        "e\u{301}missions \u{202e}ksir\u{202c}",
        "%_%",
        "-1",
    ]
    .map(str::to_owned)
    .to_vec();
    queries.push("climate risk ".repeat(800));
    queries.push("x".repeat(10_000));
    queries.push("\"(".repeat(5_000));
    // 100 kB, as words and as one.
    queries.push("climate risk of the دلتا 🌍 ".repeat(2_900));
    queries.push("x".repeat(100_000));
    // No argument can contain this, but it may come through another door.
    queries.push("climate\0risk \0".to_owned());
    queries
}

#[test]
fn odd_queries_are_answered_in_every_mode() {
    let sibyl = Sibyl::with_instant_vectors();
    let library = Opened::at(sibyl.folder());
    for query in odd_queries() {
        let shown: String = query.chars().take(40).collect();
        for mode in MODES {
            let request = json!({ "query": query, "mode": mode, "top_k": 3 });
            let answer = library.call("default", "search", request);
            if query.trim().is_empty() {
                assert_eq!(answer.unwrap_err().code, "invalid");
                continue;
            }
            let answer = answer.unwrap_or_else(|error| panic!("{shown:?} ({mode}): {error}"));
            assert!(list(&answer, "results").len() <= 3);
        }
    }
    let request = json!({ "query": "climate\0risk", "mode": "keyword" });
    let answer = library.call("default", "search", request).unwrap();
    assert!(!list(&answer, "results").is_empty(), "NUL parts words");
    let long = "climate risk ".repeat(8_000);
    for query in ["\"unfinished phrase", "'; DROP TABLE chunk; --", "🌍🔥 climate", "مخاطر المناخ", &long]
    {
        let run = sibyl.run(&["search", "--mode", "keyword", "--", query]);
        assert_eq!(run.code, 0, "{query}: {}", run.err);
    }
}

#[test]
fn a_structured_query_is_parsed_and_a_wrong_one_told_with_its_place() {
    let sibyl = Sibyl::with_words();
    let found = |query: &str| {
        let words = ["search", query, "--structured", "--mode", "keyword", "--no-dedupe", "-k", "500"];
        sibyl.json(&words)["total_results"].as_u64().unwrap()
    };
    let (both, either) = (found("methane AND flaring"), found("methane OR flaring"));
    let (first, second) = (found("methane"), found("flaring"));
    assert!(both > 0 && both <= first.min(second));
    assert_eq!(either, first + second - both);
    assert_eq!(found("methane NOT flaring"), first - both);
    let run = sibyl.run(&["search", "water AND (", "--structured", "--mode", "keyword"]);
    assert_ne!(run.code, 0);
    assert!(run.err.contains("at character "), "{}", run.err);
}
