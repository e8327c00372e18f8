//! A provider's key shows up nowhere. Alone in its program, since it listens to all that is logged.
#![allow(clippy::unwrap_used, reason = "tests fail by panicking")]

use sibyl_embed::http::ApiKey;
use sibyl_embed::openrouter::{OpenRouter, RemoteModel};
use sibyl_embed::{Embedder, Purpose};
use sibyl_loopback::{Behaviour, Options, Provider};
use std::sync::{Arc, Mutex};

const KEY: &str = "sk-or-v1-0123456789abcdef";

/// Writes what is logged into memory.
#[derive(Clone, Default)]
struct Log(Arc<Mutex<Vec<u8>>>);

impl std::io::Write for Log {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().unwrap().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

#[tokio::test]
async fn the_key_is_in_no_error_and_no_log() {
    let log = Log::default();
    let writer = log.clone();
    let subscriber = tracing_subscriber::fmt()
        .with_max_level(tracing_subscriber::filter::LevelFilter::TRACE)
        .with_ansi(false)
        .with_writer(move || writer.clone())
        .finish();
    let _guard = tracing::subscriber::set_default(subscriber);
    let key = ApiKey::new(KEY).unwrap();
    let provider =
        Provider::start(Options { dimensions: 8, key: Some(KEY.to_owned()), ..Options::default() }).unwrap();
    let embedder = |key| {
        let model = RemoteModel { base_url: provider.url(), dimensions: 8, ..RemoteModel::default() };
        OpenRouter::new(&model, Some(key)).unwrap().with_sleep(Arc::new(|_| Box::pin(async {})))
    };
    let texts = ["first text".to_owned(), "second text".to_owned()];
    let mut shown = format!("{key} {key:?}");
    for behaviour in [
        Behaviour::EchoKey,
        Behaviour::Status(401),
        Behaviour::Status(500),
        Behaviour::Drop,
        Behaviour::NotJson,
        Behaviour::TooFew,
        Behaviour::Answer,
    ] {
        provider.always(behaviour);
        let outcome = embedder(key.clone()).embed(&texts, Purpose::Passage).await;
        shown.push_str(&format!("{outcome:?}"));
        shown.extend(outcome.err().map(|error| error.to_string()));
    }
    let wrong = ApiKey::new("sk-or-v1-zyxwvu").unwrap();
    let error = embedder(wrong).embed(&texts, Purpose::Passage).await.unwrap_err();
    shown.push_str(&format!("{error} {error:?}"));
    shown.push_str(&String::from_utf8(log.0.lock().unwrap().clone()).unwrap());
    assert!(shown.contains("texts=2 tokens=6"), "texts and tokens are logged: {shown}");
    assert!(shown.contains("is asked again"));
    assert!(!shown.contains("0123456789abcdef") && !shown.contains("zyxwvu"));
}
