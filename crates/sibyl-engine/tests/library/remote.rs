//! The remote tier in an open library: it follows settings, keys and permissions as they change.
//!
//! Over 500 lines: all of these tests share one set-up.

use serde_json::{Value, json};
use sibyl_engine::embed::Tier;
use sibyl_engine::error::Error;
use sibyl_engine::evaluate::matrix::{CellPlace, Matrix, MatrixRun};
use sibyl_engine::evaluate::run::{EvaluateProgress, EvaluateStage};
use sibyl_engine::http::ApiKey;
use sibyl_engine::ingest::{EmbedPlan, IngestRequest, Job, JobState, Source, Status};
use sibyl_engine::reader::ReaderProgram;
use sibyl_engine::search::{Mode, SearchRequest};
use sibyl_engine::secret::{FoundKey, KeyFuture, KeyStore, Secret, SecretSource};
use sibyl_engine::store::table::corpus::NewCorpus;
use sibyl_engine::store::table::job::Again;
use sibyl_engine::store::table::workspace::DEFAULT_WORKSPACE;
use sibyl_engine::{Library, OpenOptions};
use sibyl_loopback::{Behaviour, Options, Provider};
use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};
use tokio::sync::{Notify, Semaphore};

const DIMENSIONS: usize = 32;

/// Keys in memory, with a delay.
#[derive(Debug, Clone, Default)]
struct Keys {
    kept: Arc<Mutex<HashMap<Secret, ApiKey>>>,
    /// Nothing is found before it has a permit.
    opens: Option<Arc<Semaphore>>,
}

impl KeyStore for Keys {
    fn find(&self, secret: Secret) -> KeyFuture<'_, FoundKey> {
        Box::pin(async move {
            if let Some(opens) = &self.opens {
                drop(opens.acquire().await.unwrap());
            }
            let key = self.kept.lock().unwrap().get(&secret).cloned();
            let source = if key.is_some() { SecretSource::Keychain } else { SecretSource::None };
            FoundKey { key, source, keychain_error: None }
        })
    }

    fn set(&self, secret: Secret, key: ApiKey) -> KeyFuture<'_, Result<(), Error>> {
        self.kept.lock().unwrap().insert(secret, key);
        Box::pin(async { Ok(()) })
    }

    fn clear(&self, secret: Secret) -> KeyFuture<'_, Result<(), Error>> {
        self.kept.lock().unwrap().remove(&secret);
        Box::pin(async { Ok(()) })
    }
}

struct Desk {
    folder: tempfile::TempDir,
    library: Library,
    provider: Provider,
}

impl Desk {
    async fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let library = open(folder.path(), Keys::default()).await;
        let provider = Provider::start(Options { dimensions: DIMENSIONS, ..Options::default() }).unwrap();
        let desk = Self { folder, library, provider };
        desk.set("base_url", desk.provider.url()).await;
        desk.set("embedding_dimensions", DIMENSIONS).await;
        desk.set("remote_embedding", true).await;
        desk
    }

    async fn set(&self, name: &str, value: impl Into<Value>) {
        let values = [(name.to_owned(), value.into())].into_iter().collect();
        self.library.change_settings(values).await.unwrap();
    }

    /// The request that ingests a document of many chunks about `topic` into a corpus of that name.
    fn request(&self, topic: &str, remote: bool) -> IngestRequest {
        let folder = self.folder.path().join(topic);
        std::fs::create_dir_all(&folder).unwrap();
        let sections = (0..40).map(|n| {
            let body = format!("Section {n} says of {topic} what no other section says. ").repeat(30);
            format!("## Part {n}\n\n{body}\n\n")
        });
        std::fs::write(folder.join("paper.md"), sections.collect::<String>()).unwrap();
        IngestRequest {
            sources: vec![Source::path(folder)],
            corpus: Some(topic.to_owned()),
            remote: Some(remote),
            ..IngestRequest::default()
        }
    }

    async fn ingest(&self, topic: &str, remote: bool) -> Job {
        let id = self.library.ingest().start(DEFAULT_WORKSPACE, self.request(topic, remote)).await.unwrap();
        self.library.jobs().wait(DEFAULT_WORKSPACE, id).await.unwrap()
    }

    /// Begins ingesting, and returns when the provider has received `count` requests.
    async fn ingest_until(&self, topic: &str, count: usize) -> i64 {
        let job = self.library.ingest().start(DEFAULT_WORKSPACE, self.request(topic, true)).await.unwrap();
        self.asked(count).await;
        job
    }

    /// Returns when the provider has received `count` requests.
    async fn asked(&self, count: usize) {
        let began = Instant::now();
        while self.provider.requests().len() < count {
            assert!(began.elapsed().as_secs() < 60, "the provider is not asked");
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    }

    async fn chunks(&self, topic: &str) -> usize {
        let details = self.library.contents().corpus_details(DEFAULT_WORKSPACE, topic).await.unwrap();
        usize::try_from(details.overview.chunks).unwrap()
    }

    async fn tiers(&self) -> Vec<Tier> {
        self.library.models().embedders().await.iter().map(|embedder| embedder.space().tier).collect()
    }

    async fn search(&self, request: Value) -> Result<Option<Tier>, Error> {
        let request: SearchRequest = serde_json::from_value(request).unwrap();
        Ok(self.library.search().run(DEFAULT_WORKSPACE, &request).await?.trace.tier)
    }
}

async fn open(folder: &std::path::Path, keys: Keys) -> Library {
    let options = OpenOptions {
        reader: ReaderProgram::InProcess,
        keys: Arc::new(keys),
        ..OpenOptions::new(folder.join("data"))
    };
    Library::open(options).await.unwrap()
}

#[tokio::test]
async fn settings_and_keys_are_followed_at_once() {
    let desk = Desk::new().await;
    assert_eq!(desk.tiers().await, [Tier::Remote], "a provider on this machine may do without a key");
    desk.set("base_url", "https://provider.invalid/v1").await;
    assert!(desk.tiers().await.is_empty(), "elsewhere a key is needed");
    desk.library.keys().set(Secret::Openrouter, ApiKey::new("sk-1").unwrap()).await.unwrap();
    desk.library.models().apply().await.unwrap();
    assert_eq!(desk.tiers().await, [Tier::Remote]);
    let first = desk.library.models().embedders().await.remove(0);
    desk.library.models().apply().await.unwrap();
    desk.set("max_file_size", 100).await;
    assert!(Arc::ptr_eq(&first, &desk.library.models().embedders().await[0]), "what did not change stays");
    desk.set("embedding_model", "another/model").await;
    let second = desk.library.models().embedders().await.remove(0);
    assert_ne!(second.space().id(), first.space().id());
    desk.library.keys().set(Secret::Openrouter, ApiKey::new("sk-2").unwrap()).await.unwrap();
    desk.library.models().apply().await.unwrap();
    let third = desk.library.models().embedders().await.remove(0);
    assert!(!Arc::ptr_eq(&second, &third) && second.space().id() == third.space().id());
    desk.set("remote_embedding", false).await;
    assert!(desk.tiers().await.is_empty());
    desk.set("remote_embedding", true).await;
    desk.library.keys().clear(Secret::Openrouter).await.unwrap();
    desk.library.models().apply().await.unwrap();
    assert!(desk.tiers().await.is_empty());
}

#[tokio::test]
async fn opening_waits_for_no_keychain() {
    let desk = Desk::new().await;
    let opens = Arc::new(Semaphore::new(0));
    let keys = Keys { opens: Some(opens.clone()), ..Keys::default() };
    let library = open(desk.folder.path(), keys).await;
    library.contents().stats(DEFAULT_WORKSPACE).await.unwrap();
    opens.add_permits(1);
    assert_eq!(library.models().embedders().await.len(), 1, "whoever needs the models waits for the key");
}

#[tokio::test]
async fn a_corpus_that_is_kept_back_is_sent_no_further() {
    let desk = Desk::new().await;
    desk.provider.always(Behaviour::Slow(Duration::from_millis(200)));
    let job = desk.ingest_until("harbours", 1).await;
    let store = desk.library.store();
    let workspace = store.workspace(DEFAULT_WORKSPACE).await.unwrap().id;
    let corpus = store.corpus(workspace, "harbours").await.unwrap().unwrap();
    store
        .put_corpus(NewCorpus {
            workspace_id: corpus.workspace_id,
            name: corpus.name,
            source_type: corpus.source_type,
            strategy: corpus.strategy,
            settings: corpus.settings,
            base_url: corpus.base_url,
            remote: false,
        })
        .await
        .unwrap();
    let asked = desk.provider.requests().len();
    assert_eq!(desk.library.jobs().wait(DEFAULT_WORKSPACE, job).await.unwrap().state, JobState::Done);
    assert!(desk.provider.requests().len() <= asked + 1, "at most the batch in flight");
    assert!(desk.provider.texts().len() < desk.chunks("harbours").await);
}

#[tokio::test]
async fn a_file_that_another_program_puts_back_while_its_job_embeds_is_read_all_the_same() {
    let desk = Desk::new().await;
    let request = desk.request("harbours", true);
    let late = desk.folder.path().join("harbours/late.md");
    std::fs::write(&late, b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\0\0\0").unwrap();
    desk.provider.always(Behaviour::Slow(Duration::from_millis(300)));
    let job = desk.library.ingest().start(DEFAULT_WORKSPACE, request).await.unwrap();
    desk.asked(1).await;
    std::fs::write(&late, "# Late\n\nIt came when the others were through.\n").unwrap();
    desk.library.store().requeue_job(job, Again::EveryFailed, Vec::new()).await.unwrap();
    desk.provider.always(Behaviour::Answer);
    let jobs = desk.library.jobs();
    let ended = tokio::time::timeout(Duration::from_secs(60), jobs.wait(DEFAULT_WORKSPACE, job));
    let ended = ended.await.expect("somebody goes on with the job").unwrap();
    assert_eq!((ended.state, ended.files, ended.files_done), (JobState::Done, 2, 2));
    assert_eq!((ended.report.failed.len(), ended.report.documents.created), (0, 2));
}

#[tokio::test]
async fn what_is_added_while_vectors_are_made_is_stored_at_once_and_gets_its_own() {
    let desk = Desk::new().await;
    desk.provider.always(Behaviour::Slow(Duration::from_secs(2)));
    let add = async |topic: &str| {
        let request = IngestRequest { embed: EmbedPlan::Instant, ..desk.request(topic, true) };
        let job = desk.library.ingest().start(DEFAULT_WORKSPACE, request).await.unwrap();
        assert_eq!(desk.library.jobs().wait(DEFAULT_WORKSPACE, job).await.unwrap().state, JobState::Done);
    };
    add("harbours").await;
    desk.asked(1).await;
    let embedding = desk.library.ingest().embed(DEFAULT_WORKSPACE).await.unwrap();
    add("glaciers").await;
    assert_eq!(
        desk.library.jobs().get(DEFAULT_WORKSPACE, embedding).await.unwrap().state,
        JobState::Running,
        "it goes on meanwhile"
    );
    assert!(desk.chunks("glaciers").await > 0);
    desk.provider.always(Behaviour::Answer);
    assert_eq!(desk.library.jobs().wait(DEFAULT_WORKSPACE, embedding).await.unwrap().state, JobState::Done);
    let chunks = desk.chunks("harbours").await + desk.chunks("glaciers").await;
    assert_eq!(desk.provider.texts().len(), chunks, "each text once");
}

#[tokio::test]
async fn a_model_that_is_switched_off_is_asked_no_further() {
    let desk = Desk::new().await;
    desk.provider.always(Behaviour::Slow(Duration::from_millis(200)));
    let job = desk.ingest_until("harbours", 1).await;
    desk.set("remote_embedding", false).await;
    let asked = desk.provider.requests().len();
    assert_eq!(desk.library.jobs().wait(DEFAULT_WORKSPACE, job).await.unwrap().state, JobState::Done);
    assert!(desk.provider.requests().len() <= asked + 1, "at most the batch in flight");
    // After it is switched on again, the next job requests the rest.
    desk.set("remote_embedding", true).await;
    let job = desk.library.ingest().embed(DEFAULT_WORKSPACE).await.unwrap();
    assert_eq!(desk.library.jobs().wait(DEFAULT_WORKSPACE, job).await.unwrap().state, JobState::Done);
    assert_eq!(desk.provider.texts().len(), desk.chunks("harbours").await, "each text once");
}

#[tokio::test]
async fn batches_leave_the_pause_that_is_set() {
    let desk = Desk::new().await;
    desk.set("batch_pause", 300).await;
    assert_eq!(desk.ingest("harbours", true).await.state, JobState::Done);
    let requests = desk.provider.requests();
    assert!(requests.len() >= 3, "several batches");
    for two in requests.windows(2) {
        assert!(two[1].at - two[0].at >= Duration::from_millis(300));
    }
}

#[tokio::test]
async fn a_query_leaves_only_for_a_scope_that_is_covered() {
    let desk = Desk::new().await;
    assert_eq!(desk.ingest("harbours", true).await.state, JobState::Done);
    assert_eq!(desk.ingest("glaciers", false).await.state, JobState::Done);
    assert!(desk.provider.texts().iter().all(|text| text.contains("harbours")));
    let asked = || desk.provider.requests().len();
    let before = asked();
    let semantic = |corpora: Value| json!({ "query": "sections", "mode": "semantic", "filters": { "corpora": corpora } });
    assert_eq!(desk.search(semantic(json!(["harbours"]))).await.unwrap(), Some(Tier::Remote));
    assert_eq!(desk.search(semantic(json!(["harbours"]))).await.unwrap(), Some(Tier::Remote));
    assert_eq!(asked(), before + 1, "the same query is embedded once");
    for scope in [json!([]), json!(["glaciers"])] {
        let refused = desk.search(semantic(scope)).await.unwrap_err();
        assert_eq!(refused.code(), "no_vectors", "{refused}");
    }
    let hybrid =
        SearchRequest { query: "another section".to_owned(), mode: Mode::Hybrid, ..SearchRequest::default() };
    let answer = desk.library.search().run(DEFAULT_WORKSPACE, &hybrid).await.unwrap();
    assert!(answer.trace.degraded && answer.trace.tier.is_none() && !answer.results.is_empty());
    assert_eq!(asked(), before + 1);
}

#[tokio::test]
async fn a_provider_is_tried_with_one_word() {
    let desk = Desk::new().await;
    let test = desk.library.models().test(Secret::Openrouter).await.unwrap();
    assert_eq!((test.model.as_str(), test.dimensions), ("openai/text-embedding-3-small", Some(DIMENSIONS)));
    assert_eq!(desk.provider.texts().len(), 1);
    assert_eq!(desk.library.models().test(Secret::Rerank).await.unwrap_err().code(), "rerank_not_set_up");
    desk.set("rerank_base_url", desk.provider.url()).await;
    let test = desk.library.models().test(Secret::Rerank).await.unwrap();
    assert_eq!((test.model.as_str(), test.dimensions), ("cohere/rerank-v3.5", None));
    desk.provider.next([Behaviour::Status(401), Behaviour::Status(403)]);
    assert_eq!(desk.library.models().test(Secret::Rerank).await.unwrap_err().code(), "rerank_unauthorised");
    assert_eq!(desk.library.models().test(Secret::Openrouter).await.unwrap_err().code(), "embedding_no_key");
}

#[tokio::test]
async fn a_preflight_tells_of_stored_corpora_and_counts_what_is_new_only() {
    let desk = Desk::new().await;
    desk.set("price_per_million_tokens", 20_000_000).await;
    let preflight = async |request: IngestRequest| {
        desk.library.ingest().preflight(DEFAULT_WORKSPACE, request).await.unwrap()
    };
    let before = preflight(desk.request("harbours", true)).await;
    assert!(before.chunks > 10 && before.tokens > 1_000, "{before:?}");
    // 20 dollars for a million tokens.
    let price = |tokens: usize| Some(tokens as f64 / 1e6 * 20.0);
    assert_eq!(before.cost, price(before.tokens));
    assert!(
        desk.library.contents().corpus_details(DEFAULT_WORKSPACE, "harbours").await.is_err(),
        "nothing is made"
    );
    assert_eq!(desk.ingest("harbours", true).await.state, JobState::Done);
    assert_eq!(before.chunks, desk.chunks("harbours").await);
    assert_eq!(desk.ingest("glaciers", false).await.state, JobState::Done);

    let again = |name: &str| IngestRequest {
        sources: vec![Source::Corpus { name: name.to_owned() }],
        force: true,
        ..IngestRequest::default()
    };
    let same = preflight(again("harbours")).await;
    assert_eq!((same.files.len(), same.pages, same.sampled), (1, before.pages, false));
    assert_eq!((same.bytes, same.tokens, same.chunks), (before.bytes, before.tokens, before.chunks));
    assert_eq!(
        (same.files[0].strategy.as_str(), same.files[0].bytes),
        (before.files[0].strategy.as_str(), before.bytes)
    );
    assert_eq!((same.cost, same.embedding_seconds), (Some(0.0), 0.0), "every text has its vector");
    assert!(same.seconds > 0.0);
    // The same folder given by path goes to a corpus that may already leave the machine, so the request need not
    // say so again.
    let path = IngestRequest { remote: None, ..desk.request("harbours", true) };
    assert_eq!(preflight(path).await.cost, Some(0.0));
    let kept = preflight(again("glaciers")).await;
    assert_eq!((kept.files.len(), kept.cost), (1, None), "what stays costs nothing");

    let settings = json!({ "chunk_size": 300, "chunk_overlap": 0 }).as_object().cloned().unwrap();
    let otherwise = IngestRequest { strategy: Some("recursive".to_owned()), settings, ..again("harbours") };
    let again = preflight(otherwise.clone()).await;
    assert!(again.chunks > same.chunks && again.cost == price(again.tokens), "{again:?}");
    assert!(again.embedding_seconds > 0.0);
    let stored =
        desk.library.contents().corpus_details(DEFAULT_WORKSPACE, "harbours").await.unwrap().overview.corpus;
    assert_eq!(stored.strategy, before.files[0].strategy, "the corpus stays as it was");
    let job = desk.library.ingest().start(DEFAULT_WORKSPACE, otherwise).await.unwrap();
    assert_eq!(desk.library.jobs().wait(DEFAULT_WORKSPACE, job).await.unwrap().state, JobState::Done);
    assert_eq!(again.chunks, desk.chunks("harbours").await);

    let workspace = desk.library.store().workspace(DEFAULT_WORKSPACE).await.unwrap().id;
    let document = desk.library.store().documents(workspace, None).await.unwrap().remove(0);
    let one =
        IngestRequest { sources: vec![Source::Document { id: document.id }], ..IngestRequest::default() };
    let one = preflight(one).await;
    assert_eq!((one.files.len(), one.files[0].path.as_str()), (1, document.path.as_str()));
    assert_eq!(one.chunks, usize::try_from(document.chunks).unwrap());
}

#[tokio::test]
async fn what_is_missing_is_priced_and_counted_by_the_active_model() {
    let desk = Desk::new().await;
    desk.set("price_per_million_tokens", 20_000_000).await;
    assert_eq!(desk.ingest("harbours", true).await.state, JobState::Done);
    assert_eq!(desk.ingest("glaciers", false).await.state, JobState::Done);
    let estimate = async || desk.library.ingest().embed_estimate().await.unwrap();
    let none = estimate().await;
    assert_eq!((none.texts, none.tokens, none.cost), (0, 0, Some(0.0)), "what stays costs nothing");
    let percent =
        async || desk.library.contents().overview(DEFAULT_WORKSPACE).await.unwrap().embedded_percent.round();
    assert_eq!(percent().await, 50.0);

    desk.set("embedding_dimensions", DIMENSIONS * 2).await;
    let all = estimate().await;
    assert_eq!(usize::try_from(all.texts).unwrap(), desk.chunks("harbours").await);
    assert_eq!(all.cost, Some(all.tokens as f64 / 1e6 * 20.0));
    assert_eq!(percent().await, 0.0, "vectors of a model that is not in use do not count");
    let details = desk.library.contents().corpus_details(DEFAULT_WORKSPACE, "harbours").await.unwrap();
    let served: Vec<u64> =
        details.overview.coverage.iter().filter(|model| model.served).map(|model| model.covered).collect();
    assert_eq!(served, [0], "a model that made no vector yet covers nothing");

    desk.set("remote_embedding", false).await;
    assert_eq!((estimate().await.texts, estimate().await.cost), (0, None));
}

#[tokio::test]
async fn one_text_that_the_provider_refuses_holds_up_no_other() {
    let desk = Desk::new().await;
    desk.provider.refuse("Section 17 says of harbours");
    let job = desk.ingest("harbours", true).await;
    assert_eq!(
        (job.state, job.report.status),
        (JobState::Done, Status::CompletedWithFailures),
        "{:?}",
        job.error
    );
    let refused = job.report.refused.len();
    assert!(refused > 0, "the report names what was refused");
    let first = &job.report.refused[0];
    assert_eq!((first.path.as_str(), first.code.as_str()), ("paper.md", "embedding_refused"));
    assert!(first.message.contains("maximum context length") && first.message.contains("retry the job"));
    let chunks = desk.chunks("harbours").await;
    assert_eq!(
        desk.provider.texts().iter().filter(|text| text.contains("harbours")).count(),
        chunks - refused
    );

    assert_eq!(desk.library.ingest().embed_estimate().await.unwrap().texts, 0, "nothing waits for ever");
    let asked = desk.provider.requests().len();
    let again = desk.library.ingest().embed(DEFAULT_WORKSPACE).await.unwrap();
    assert_eq!(desk.library.jobs().wait(DEFAULT_WORKSPACE, again).await.unwrap().state, JobState::Done);
    assert_eq!(desk.provider.requests().len(), asked, "it is not asked again by itself");
    let semantic = json!({ "query": "sections", "mode": "semantic", "filters": { "corpora": ["harbours"] } });
    assert_eq!(
        desk.search(semantic).await.unwrap(),
        Some(Tier::Remote),
        "the rest can be searched by meaning"
    );

    desk.library.jobs().retry(DEFAULT_WORKSPACE, job.id, None).await.unwrap();
    assert_eq!(
        desk.library.jobs().wait(DEFAULT_WORKSPACE, job.id).await.unwrap().report.refused.len(),
        refused,
        "still refused"
    );
    desk.provider.accept_all();
    desk.library.jobs().retry(DEFAULT_WORKSPACE, job.id, None).await.unwrap();
    let mended = desk.library.jobs().wait(DEFAULT_WORKSPACE, job.id).await.unwrap();
    assert_eq!((mended.state, mended.report.refused.len()), (JobState::Done, 0));
    let texts = desk.provider.texts();
    assert_eq!(texts.iter().filter(|text| text.contains("harbours")).count(), chunks, "each text once");
    let refused = desk.library.jobs().retry(DEFAULT_WORKSPACE, job.id, None).await.unwrap_err();
    assert_eq!(refused.code(), "nothing_to_retry", "{refused}");
}

#[tokio::test]
async fn a_provider_that_refuses_everything_is_not_asked_text_by_text() {
    let desk = Desk::new().await;
    desk.provider.always(Behaviour::Status(400));
    let job = desk.ingest("harbours", true).await;
    assert_eq!((job.state, job.report.failed_code.as_deref()), (JobState::Failed, Some("embedding_refused")));
    assert!(desk.provider.requests().len() <= 2, "{}", desk.provider.requests().len());
    desk.provider.always(Behaviour::Answer);
    desk.library.jobs().resume(DEFAULT_WORKSPACE, job.id).await.unwrap();
    let job = desk.library.jobs().wait(DEFAULT_WORKSPACE, job.id).await.unwrap();
    assert_eq!((job.state, job.report.refused.len()), (JobState::Done, 0));
}

/// A gold set about `topic`, and a matrix of two ways of chunking, searched by meaning with the remote model.
async fn matrix_of(desk: &Desk, topic: &str) -> MatrixRun {
    let judged = json!({
        "id": "a", "query": format!("what section 7 says of {topic}"),
        "spans": [{ "path": "paper.md", "quote": format!("Section 7 says of {topic}"), "grade": 3 }],
    });
    let import = json!({ "path": format!("{topic}.jsonl"), "text": judged.to_string() });
    let import = serde_json::from_value(import).unwrap();
    desk.library.evaluation().import_gold(DEFAULT_WORKSPACE, import).await.unwrap();
    let space = desk.library.models().embedders().await[0].space().id();
    let plan = json!({
        "set": topic, "corpora": [topic],
        "rows": [
            { "name": "now" },
            { "name": "short", "strategy": "recursive", "settings": { "chunk_size": 500, "chunk_overlap": 0 } },
        ],
        "columns": [
            { "name": "words", "search": { "mode": "keyword" } },
            { "name": "meaning", "search": { "mode": "semantic", "space": space } },
        ],
    });
    serde_json::from_value(json!({ "plan": plan })).unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_matrix_tells_what_a_model_costs_and_embeds_no_text_twice() {
    let desk = Desk::new().await;
    desk.ingest("harbours", true).await;
    desk.ingest("quays", false).await;
    // Allowed to leave the machine since: no part of this matrix, it stays all the same.
    let store = desk.library.store();
    let workspace = store.workspace(DEFAULT_WORKSPACE).await.unwrap().id;
    let quays = store.corpus(workspace, "quays").await.unwrap().unwrap();
    store.put_corpus(NewCorpus { remote: true, ..quays.into() }).await.unwrap();
    let mut run = matrix_of(&desk, "harbours").await;
    let measuring = desk.library.evaluation();
    let asked = desk.provider.texts().len();
    let before = measuring.matrix(DEFAULT_WORKSPACE, &run.plan).await.unwrap();
    assert_eq!(desk.provider.texts().len(), asked, "to tell the cost asks nobody");
    assert_eq!(
        (before.cells[0].space.as_ref(), &before.cells[1].space),
        (None, &run.plan.columns[1].search.space)
    );
    let [now, short] = [0, 1].map(|row| before.rows[row].models[0].clone());
    assert_eq!((now.new_texts, now.new_tokens), (0, 0), "its vectors are there");
    assert!(short.new_texts > 0 && short.cost_usd > now.cost_usd, "{short:?}");
    let sum = now.cost_usd.unwrap() + short.cost_usd.unwrap();
    assert!(before.cost_usd.is_some_and(|cost| (cost - sum).abs() < 1e-12), "{before:?}");

    let done = measuring.run_matrix(DEFAULT_WORKSPACE, &run, &|_| ()).await.unwrap();
    assert!(done.cells.iter().all(|cell| cell.run.is_some()) && done.cost_usd.is_none(), "{done:?}");
    assert_eq!(done.rows[1].models[0].new_texts, 0, "what was made is kept");
    let sent = || {
        desk.provider.texts().into_iter().filter(|text| !text.starts_with("what section")).collect::<Vec<_>>()
    };
    let passages = sent();
    assert_eq!(passages.len(), asked + short.new_texts);
    assert_eq!(passages.iter().collect::<HashSet<_>>().len(), passages.len(), "no text was sent twice");
    assert!(
        passages.iter().all(|text| !text.contains("quays")),
        "what the matrix does not search stays here"
    );

    // Run again, and applied to the corpus: nothing is embedded again.
    run.cells = vec![CellPlace { row: 1, column: 1 }];
    measuring.run_matrix(DEFAULT_WORKSPACE, &run, &|_| ()).await.unwrap();
    let mut request = desk.request("harbours", true);
    request.strategy = Some("recursive".to_owned());
    request.settings = run.plan.rows[1].settings.clone();
    request.force = true;
    let store = desk.library.store();
    let quays = store.corpus(workspace, "quays").await.unwrap().unwrap();
    store.put_corpus(NewCorpus { remote: false, ..quays.into() }).await.unwrap();
    let job = desk.library.ingest().start(DEFAULT_WORKSPACE, request).await.unwrap();
    desk.library.jobs().wait(DEFAULT_WORKSPACE, job).await.unwrap();
    assert_eq!(desk.chunks("harbours").await, done.rows[1].chunks);
    assert_eq!(sent(), passages);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_matrix_sends_no_corpus_that_is_kept_back() {
    let desk = Desk::new().await;
    desk.ingest("harbours", false).await;
    let mut run = matrix_of(&desk, "harbours").await;
    let refused = desk.library.evaluation().run_matrix(DEFAULT_WORKSPACE, &run, &|_| ()).await.unwrap_err();
    assert!(refused.to_string().contains("remote models are not allowed for harbours"), "{refused}");
    run.cells = vec![CellPlace { row: 0, column: 0 }, CellPlace { row: 1, column: 0 }];
    desk.library.evaluation().run_matrix(DEFAULT_WORKSPACE, &run, &|_| ()).await.unwrap();
    assert!(desk.provider.texts().is_empty(), "words ask nobody");
    run.plan.columns[1].search.space = Some("gone".to_owned());
    let unknown = desk.library.evaluation().matrix(DEFAULT_WORKSPACE, &run.plan).await.unwrap_err();
    assert!(matches!(unknown, Error::UnknownSpace(_)), "{unknown}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_matrix_that_is_stopped_goes_on_with_the_cells_that_are_missing() {
    let desk = Desk::new().await;
    desk.ingest("harbours", true).await;
    let run = matrix_of(&desk, "harbours").await;
    let measuring = desk.library.evaluation();
    let third = Notify::new();
    let progress = |told: EvaluateProgress| {
        if told.stage == EvaluateStage::Cell && told.done == 3 {
            third.notify_one();
        }
    };
    desk.provider.always(Behaviour::Slow(Duration::from_secs(1)));
    tokio::select! {
        done = measuring.run_matrix(DEFAULT_WORKSPACE, &run, &progress) => panic!("nothing stopped it: {done:?}"),
        () = third.notified() => {}
    }
    desk.provider.always(Behaviour::Answer);
    let runs = |matrix: &Matrix| -> Vec<Option<i64>> {
        matrix.cells.iter().map(|cell| cell.run.as_ref().map(|run| run.id)).collect()
    };
    let half = runs(&measuring.matrix(DEFAULT_WORKSPACE, &run.plan).await.unwrap());
    assert!(half[..3].iter().all(Option::is_some) && half[3].is_none(), "{half:?}");
    let done = runs(&measuring.run_matrix(DEFAULT_WORKSPACE, &run, &|_| ()).await.unwrap());
    assert_eq!(half[..3], done[..3], "what was run is not run again");
    assert!(done[3].is_some());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_matrix_tells_what_a_remote_reranker_is_asked() {
    let desk = Desk::new().await;
    desk.ingest("harbours", true).await;
    let mut run = matrix_of(&desk, "harbours").await;
    run.plan.columns[1].search.rerank = true;
    let measuring = desk.library.evaluation();
    let reranked = async || -> Vec<usize> {
        let found = measuring.matrix(DEFAULT_WORKSPACE, &run.plan).await.unwrap();
        found.cells.iter().map(|cell| cell.reranked).collect()
    };
    desk.set("rerank_model", "judge").await;
    for (base, expected) in [("", 0), ("http://127.0.0.1:9/v1", 0), ("https://reranker.invalid/v1", 1)] {
        desk.set("rerank_base_url", base).await;
        assert_eq!(reranked().await, [0, expected, 0, expected], "{base}");
    }
}
