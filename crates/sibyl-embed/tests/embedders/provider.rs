//! A remote provider, behaving and misbehaving.

use sibyl_embed::cache::QueryCache;
use sibyl_embed::http::{ApiKey, Sleep};
use sibyl_embed::openrouter::{OPENROUTER, OpenRouter, RemoteModel};
use sibyl_embed::{Embedder, EmbeddingError, Purpose};
use sibyl_loopback::{Behaviour, Options, Provider};
use std::sync::{Arc, Mutex};
use std::time::Duration;

const KEY: &str = "sk-or-v1-0123456789abcdef";
const DIMENSIONS: usize = 64;

/// Records every wait and takes no time.
#[derive(Clone, Default)]
struct Waits(Arc<Mutex<Vec<Duration>>>);

impl Waits {
    fn sleep(&self) -> Sleep {
        let waits = Arc::clone(&self.0);
        Arc::new(move |time| {
            waits.lock().unwrap().push(time);
            Box::pin(async {})
        })
    }

    fn seconds(&self) -> Vec<f64> {
        self.0.lock().unwrap().iter().map(Duration::as_secs_f64).collect()
    }
}

fn provider() -> Provider {
    Provider::start(Options { dimensions: DIMENSIONS, key: Some(KEY.to_owned()), ..Options::default() })
        .unwrap()
}

fn model(provider: &Provider) -> RemoteModel {
    RemoteModel { base_url: provider.url(), dimensions: DIMENSIONS, ..RemoteModel::default() }
}

fn embedder(provider: &Provider, waits: &Waits) -> OpenRouter {
    OpenRouter::new(&model(provider), ApiKey::new(KEY))
        .unwrap()
        .with_sleep(waits.sleep())
        .with_timeout(Duration::from_secs(5))
}

fn texts(count: usize) -> Vec<String> {
    (0..count).map(|n| format!("scope {n} emissions of the year")).collect()
}

fn expected(texts: &[String]) -> Vec<Vec<f32>> {
    texts.iter().map(|text| sibyl_loopback::vector(text, DIMENSIONS)).collect()
}

fn assert_same(found: &[Vec<f32>], expected: &[Vec<f32>]) {
    assert_eq!(found.len(), expected.len());
    for (found, expected) in found.iter().zip(expected) {
        let difference = found.iter().zip(expected).map(|(a, b)| (a - b).abs()).fold(0.0, f32::max);
        assert!(found.len() == expected.len() && difference < 1e-6);
    }
}

#[tokio::test]
async fn every_misbehaviour_is_survived_or_named() {
    use Behaviour::*;
    let too_many = |after: &str| TooMany { retry_after: Some(after.to_owned()) };
    let after_all = [1.0, 2.0, 4.0].as_slice();
    // What the provider does, the code of the error (none if the vectors are right), and the waits in between.
    let cases: Vec<(Vec<Behaviour>, Option<&str>, &[f64])> = vec![
        (vec![], None, &[]),
        (vec![Shuffled], None, &[]),
        (vec![Status(500)], None, &[1.0]),
        (vec![Status(502), Status(503), Status(504)], None, after_all),
        (vec![TooMany { retry_after: None }], None, &[1.0]),
        (vec![too_many("7")], None, &[7.0]),
        (vec![too_many("0")], None, &[1.0]),
        (vec![too_many("3600"), too_many("0.5")], None, &[60.0, 2.0]),
        (vec![Drop], None, &[1.0]),
        (vec![DropHalfway, Drop], None, &[1.0, 2.0]),
        (vec![ErrorInBody(503)], None, &[1.0]),
        (vec![Status(500); 4], Some("embedding_provider"), after_all),
        (vec![ErrorInBody(429); 4], Some("embedding_provider"), after_all),
        (vec![Drop; 4], Some("embedding_unreachable"), after_all),
        (vec![Status(401)], Some("embedding_unauthorised"), &[]),
        (vec![EchoKey], Some("embedding_unauthorised"), &[]),
        (vec![Status(403)], Some("embedding_unauthorised"), &[]),
        (vec![Status(400)], Some("embedding_refused"), &[]),
        (vec![Status(402)], Some("embedding_refused"), &[]),
        (vec![Status(404)], Some("embedding_refused"), &[]),
        (vec![ErrorInBody(400)], Some("embedding_refused"), &[]),
        (vec![ShortVectors], Some("embedding_bad_answer"), &[]),
        (vec![TooFew], Some("embedding_bad_answer"), &[]),
        (vec![SameIndex], Some("embedding_bad_answer"), &[]),
        (vec![NotANumber], Some("embedding_bad_answer"), &[]),
        (vec![Infinite], Some("embedding_bad_answer"), &[]),
        (vec![Zeros], Some("embedding_bad_answer"), &[]),
        (vec![NotJson], Some("embedding_bad_answer"), &[]),
        (vec![OtherModel], Some("embedding_bad_answer"), &[]),
        (vec![Drip(Duration::from_millis(2))], None, &[]),
    ];
    let texts = texts(3);
    for (behaviours, code, seconds) in cases {
        let (provider, waits) = (provider(), Waits::default());
        provider.next(behaviours.clone());
        let outcome = embedder(&provider, &waits).embed(&texts, Purpose::Passage).await;
        assert_eq!(outcome.as_ref().err().map(EmbeddingError::code), code, "{behaviours:?}: {outcome:?}");
        assert_eq!(waits.seconds(), seconds, "{behaviours:?}");
        assert_eq!(provider.requests().len(), seconds.len() + 1, "{behaviours:?}");
        match outcome {
            Ok(vectors) => assert_same(&vectors, &expected(&texts)),
            Err(error) => assert!(error.to_string().contains("; "), "{error} names no cure"),
        }
    }
}

#[tokio::test]
async fn a_redirect_is_not_followed_with_the_key() {
    let (first, second) = (provider(), provider());
    first.next([Behaviour::Redirect(format!("{}/embeddings", second.url()))]);
    let outcome = embedder(&first, &Waits::default()).embed(&texts(1), Purpose::Passage).await;
    assert_eq!(outcome.unwrap_err().code(), "embedding_refused");
    assert!(second.requests().is_empty());
}

#[tokio::test]
async fn a_provider_that_never_answers_is_given_up() {
    let (provider, waits) = (provider(), Waits::default());
    provider.always(Behaviour::Slow(Duration::from_secs(2)));
    let embedder = embedder(&provider, &waits).with_timeout(Duration::from_millis(100));
    let error = embedder.embed(&texts(1), Purpose::Passage).await.unwrap_err();
    assert!(matches!(error, EmbeddingError::Unreachable { attempts: 4, .. }), "{error:?}");
}

#[tokio::test]
async fn nobody_listening_is_unreachable() {
    let provider = provider();
    let model = model(&provider);
    drop(provider);
    let embedder = OpenRouter::new(&model, None).unwrap().with_sleep(Waits::default().sleep());
    let error = embedder.embed(&texts(1), Purpose::Query).await.unwrap_err();
    assert!(matches!(error, EmbeddingError::Unreachable { attempts: 4, .. }), "{error:?}");
}

#[tokio::test]
async fn without_a_key_nothing_leaves_for_openrouter() {
    let embedder = OpenRouter::new(&RemoteModel::default(), None).unwrap();
    assert_eq!(embedder.space().endpoint, OPENROUTER);
    let error = embedder.embed(&texts(1), Purpose::Passage).await.unwrap_err();
    assert!(matches!(error, EmbeddingError::NoKey { .. }), "{error:?}");
    // A service that wants one says so itself.
    let provider = provider();
    let embedder = OpenRouter::new(&model(&provider), None).unwrap();
    let error = embedder.embed(&texts(1), Purpose::Passage).await.unwrap_err();
    assert!(matches!(error, EmbeddingError::NoKey { .. }), "{error:?}");
}

#[tokio::test]
async fn batches_keep_their_limits_and_order_and_go_one_at_a_time() {
    let (provider, waits) = (provider(), Waits::default());
    let paused = RemoteModel { pause: Duration::from_millis(250), ..model(&provider) };
    let embedder = OpenRouter::new(&paused, ApiKey::new(KEY)).unwrap().with_sleep(waits.sleep());
    let mut all = texts(230);
    all.push("word ".repeat(4_000)); // 5,000 estimated tokens
    all.push("term ".repeat(4_000));
    all.push("é".repeat(40_000)); // cut at 32,000 characters
    let vectors = embedder.embed(&all, Purpose::Passage).await.unwrap();
    let mut cut = all.clone();
    cut[232].truncate(32_000 * "é".len());
    assert_same(&vectors, &expected(&cut));
    let requests = provider.requests();
    let sizes: Vec<usize> = requests.iter().map(|r| r.texts.len()).collect();
    assert_eq!(sizes, [100, 100, 31, 1, 1]);
    assert_eq!(embedder.batches(&all), [0..100, 100..200, 200..231, 231..232, 232..233]);
    assert!(
        requests.iter().all(|r| r.path == "/v1/embeddings" && r.model == "openai/text-embedding-3-small")
    );
    assert!(requests.iter().all(|r| r.authorization.as_deref() == Some("Bearer sk-or-v1-0123456789abcdef")));
    assert_eq!(requests[4].texts[0].chars().count(), 32_000);
    assert_eq!(waits.seconds(), [0.25; 4], "a pause between two batches each");

    let (provider, waits) = (self::provider(), Waits::default());
    provider.always(Behaviour::Slow(Duration::from_millis(30)));
    let embedder = OpenRouter::new(&model(&provider), ApiKey::new(KEY)).unwrap().with_sleep(waits.sleep());
    let all = texts(250);
    let (one, two) =
        tokio::join!(embedder.embed(&all, Purpose::Passage), embedder.embed(&all[..1], Purpose::Query));
    assert!(one.is_ok() && two.is_ok());
    assert_eq!(provider.most_at_once(), 1);
}

#[tokio::test]
async fn the_probe_tells_the_length_of_the_vectors() {
    let provider = provider();
    let unknown = RemoteModel { dimensions: 7, ..model(&provider) };
    let embedder = OpenRouter::new(&unknown, ApiKey::new(KEY)).unwrap();
    assert_eq!(embedder.probe().await, Ok(DIMENSIONS));
    assert_eq!(embedder.embed(&texts(1), Purpose::Query).await.unwrap_err().code(), "embedding_bad_answer");
}

#[tokio::test]
async fn a_query_is_embedded_once() {
    let (provider, waits, cache) = (provider(), Waits::default(), QueryCache::default());
    let embedder = embedder(&provider, &waits);
    provider.next([Behaviour::Status(400)]);
    assert!(cache.embed(&embedder, "carbon").await.is_err(), "a failure is not kept");
    for _ in 0..3 {
        assert_same(&[cache.embed(&embedder, "carbon").await.unwrap()], &expected(&["carbon".to_owned()]));
    }
    assert_eq!(provider.texts(), ["carbon"]);
    // The least recently used goes first: the query above stays as long as it is requested.
    for n in 0..300 {
        cache.embed(&embedder, &format!("query {n}")).await.unwrap();
        cache.embed(&embedder, "carbon").await.unwrap();
    }
    assert_eq!(provider.texts().iter().filter(|text| *text == "carbon").count(), 1);
    cache.embed(&embedder, "query 0").await.unwrap();
    assert_eq!(provider.texts().iter().filter(|text| *text == "query 0").count(), 2);
}
