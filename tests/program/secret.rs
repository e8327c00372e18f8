//! Keys in the keychain of the system.

use crate::bench::{Bench, KEY, holds};
use serde_json::{Value, json};
use sibyl_tests::program::Sibyl;
use std::time::Instant;

fn source(status: &Value, secret: &str) -> String {
    let one = status.as_array().unwrap().iter().find(|one| one["secret"] == secret).unwrap();
    one["source"].as_str().unwrap().to_owned()
}

#[test]
#[cfg(target_os = "linux")]
fn a_key_is_kept_used_and_forgotten() {
    let service = sibyl_tests::secret_service::SecretService::start();
    let bench = Bench::with(|sibyl| sibyl.env("DBUS_SESSION_BUS_ADDRESS", service.address()));
    let status = bench.sibyl.json(&["secret"]);
    assert_eq!(
        status,
        json!([
            { "secret": "openrouter", "source": "none", "variable": "OPENROUTER_API_KEY", "keychain_error": null },
            { "secret": "rerank", "source": "none", "variable": "COHERE_API_KEY", "keychain_error": null },
        ])
    );
    let test = bench.sibyl.run(&["secret", "test", "openrouter", "--json"]);
    assert_eq!((test.code, &test.json()["error"]["code"]), (1, &"embedding_no_key".into()));
    for wrong in ["", "\n", "sk-or\nv1"] {
        assert_eq!(bench.sibyl.run_with_input(&["secret", "set", "openrouter"], wrong).code, 2, "{wrong:?}");
    }
    for _ in 0..2 {
        let set = bench.sibyl.run_with_input(&["secret", "set", "openrouter", "--json"], &format!("{KEY}\n"));
        assert_eq!(set.code, 0, "{}", set.err);
        assert_eq!(source(&set.json(), "openrouter"), "keychain");
        assert_eq!(source(&set.json(), "rerank"), "none");
        assert!(!set.out.contains(KEY) && !set.err.contains(KEY));
    }
    assert!(bench.sibyl.run(&["models"]).out.contains("key: the system's keychain"));
    let test = bench.sibyl.json(&["secret", "test", "openrouter"]);
    assert_eq!((&test["model"], &test["dimensions"]), (&"openai/text-embedding-3-small".into(), &64.into()));
    assert!(test["milliseconds"].as_f64().unwrap() > 0.0);
    assert_eq!(bench.ingest("harbours", &["--remote"]).code, 0);
    let used = bench.provider.requests();
    assert_eq!(used.last().unwrap().authorization, Some(format!("Bearer {KEY}")));
    assert_eq!(holds(bench.sibyl.folder(), KEY), [""; 0]);

    // The keychain takes precedence over the environment, which is used if the keychain has no key.
    let bench = bench.env("OPENROUTER_API_KEY", "sk-or-v1-another");
    assert_eq!(source(&bench.sibyl.json(&["secret"]), "openrouter"), "keychain");
    for _ in 0..2 {
        let status = bench.sibyl.json(&["secret", "clear", "openrouter"]);
        assert_eq!(source(&status, "openrouter"), "environment");
    }
    let test = bench.sibyl.run(&["secret", "test", "openrouter", "--json"]);
    assert_eq!(test.json()["error"]["code"], "embedding_unauthorised");

    let url = bench.provider.url();
    let rerank = bench.sibyl.run(&["secret", "test", "rerank", "--json"]);
    assert_eq!((rerank.code, &rerank.json()["error"]["code"]), (2, &"rerank_not_set_up".into()));
    assert_eq!(bench.sibyl.run(&["settings", "rerank_base_url", &url]).code, 0);
    let rerank = bench.sibyl.run(&["secret", "test", "rerank", "--json"]);
    assert_eq!(rerank.json()["error"]["code"], "rerank_unauthorised");
    assert_eq!(bench.sibyl.run_with_input(&["secret", "set", "rerank"], KEY).code, 0);
    let test = bench.sibyl.json(&["secret", "test", "rerank"]);
    assert_eq!((&test["model"], &test["dimensions"]), (&"cohere/rerank-v3.5".into(), &Value::Null));
    let answer = bench.sibyl.json(&["search", "trend", "--mode", "keyword", "--rerank"]);
    assert_eq!(answer["trace"]["degraded"], false, "{:#}", answer["trace"]["notices"]);
    assert!(answer["results"][0]["rerank_score"].is_number());
}

#[test]
fn without_a_keychain_the_environment_serves_and_the_cause_is_said() {
    let sibyl = Sibyl::fresh().env("OPENROUTER_API_KEY", KEY);
    let status = sibyl.json(&["secret"]);
    assert_eq!(
        (source(&status, "openrouter"), source(&status, "rerank")),
        ("environment".into(), "none".into())
    );
    assert!(!status[0]["keychain_error"].as_str().unwrap().is_empty());
    for words in [&["secret", "set", "openrouter", "--json"], &["secret", "clear", "openrouter", "--json"]] {
        let run = sibyl.run_with_input(words, KEY);
        assert_eq!((run.code, &run.json()["error"]["code"]), (1, &"keychain".into()), "{}", run.err);
        assert!(run.err.contains("the keychain cannot be used") && !run.err.contains(KEY), "{}", run.err);
    }
    assert_eq!(holds(sibyl.folder(), KEY), [""; 0]);
}

#[test]
#[cfg(target_os = "linux")]
fn a_keychain_that_hangs_holds_nobody_up() {
    let folder = tempfile::tempdir().unwrap();
    let socket = folder.path().join("bus");
    // Accepts connections and never says a word.
    let _listener = std::os::unix::net::UnixListener::bind(&socket).unwrap();
    let address = format!("unix:path={}", socket.display());
    let bench = Bench::with(|sibyl| sibyl.env("DBUS_SESSION_BUS_ADDRESS", &address));
    assert_eq!(bench.sibyl.run(&["stats"]).code, 0);
    let began = Instant::now();
    let answer = bench.sibyl.json(&["search", "useful information"]);
    assert_eq!(answer["trace"]["tier"], "embedded");
    assert!(began.elapsed().as_secs() < 120, "{:?}", began.elapsed());
    let status = bench.sibyl.json(&["secret"]);
    assert!(
        status[0]["keychain_error"].as_str().unwrap().contains("did not answer within 3 s"),
        "{status:#}"
    );
}
