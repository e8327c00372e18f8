//! Killed at any moment, a library opens, is sound and continues where it stopped. At most the batch in flight is
//! requested from the provider again.
//!
//! `SIBYL_KILLS=200 cargo test -p sibyl-engine --test library kill::` kills more often than the default.

use sibyl_engine::embed::{EmbedFuture, Embedder, EmbeddingError, Purpose, Space, Tier};
use sibyl_engine::ingest::{IngestRequest, JobState, Source};
use sibyl_engine::reader::ReaderProgram;
use sibyl_engine::store::hash;
use sibyl_engine::store::table::workspace::DEFAULT_WORKSPACE;
use sibyl_engine::{Library, OpenOptions};
use std::collections::{BTreeMap, HashMap};
use std::io::{BufRead as _, BufReader, Write as _};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// Kills where the environment names no number.
const KILLS: usize = 25;
/// Documents in the folder.
const DOCUMENTS: usize = 30;
/// Maximum number of texts in flight at once: a batch.
const BATCH: usize = 100;
const DIMENSIONS: usize = 8;

/// A slow provider on this machine that counts every text it is asked for.
struct Provider {
    address: SocketAddr,
    asked: Arc<Mutex<HashMap<String, usize>>>,
}

impl Provider {
    fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let asked: Arc<Mutex<HashMap<String, usize>>> = Arc::default();
        let counts = Arc::clone(&asked);
        std::thread::spawn(move || {
            for stream in listener.incoming() {
                let counts = Arc::clone(&counts);
                // A client that is killed breaks the connection; that is what this test is about.
                std::thread::spawn(move || stream.map(|stream| answer(stream, &counts)));
            }
        });
        Self { address, asked }
    }
}

/// One question a line: a JSON list of texts. One answer a line: a JSON list of vectors.
fn answer(stream: TcpStream, counts: &Mutex<HashMap<String, usize>>) -> std::io::Result<()> {
    let mut out = stream.try_clone()?;
    for line in BufReader::new(stream).lines() {
        let texts: Vec<String> = serde_json::from_str(&line?)?;
        for text in &texts {
            *counts.lock().unwrap().entry(text.clone()).or_default() += 1;
        }
        std::thread::sleep(Duration::from_millis(4));
        let vectors: Vec<Vec<f32>> = texts.iter().map(|text| vector(text)).collect();
        writeln!(out, "{}", serde_json::to_string(&vectors)?)?;
    }
    Ok(())
}

fn vector(text: &str) -> Vec<f32> {
    let raw: Vec<f32> =
        hash(text.as_bytes())[..DIMENSIONS].iter().map(|byte| f32::from(*byte) + 1.0).collect();
    let length = raw.iter().map(|number| number * number).sum::<f32>().sqrt();
    raw.into_iter().map(|number| number / length).collect()
}

/// Asks the provider.
struct Client {
    space: Space,
    address: SocketAddr,
}

impl Client {
    fn new(address: SocketAddr) -> Self {
        let space = Space {
            tier: Tier::Embedded,
            model: "counted".to_owned(),
            endpoint: String::new(),
            revision: "1".to_owned(),
            dimensions: DIMENSIONS,
            window: String::new(),
        };
        Self { space, address }
    }
}

impl Embedder for Client {
    fn space(&self) -> &Space {
        &self.space
    }

    fn embed<'a>(&'a self, texts: &'a [String], _purpose: Purpose) -> EmbedFuture<'a> {
        Box::pin(async move {
            let (address, texts) = (self.address, texts.to_vec());
            let asking = tokio::task::spawn_blocking(move || -> std::io::Result<Vec<Vec<f32>>> {
                let mut stream = TcpStream::connect(address)?;
                writeln!(stream, "{}", serde_json::to_string(&texts)?)?;
                let mut line = String::new();
                BufReader::new(stream).read_line(&mut line)?;
                Ok(serde_json::from_str(&line)?)
            });
            let answer = asking.await.map_err(std::io::Error::other).and_then(|answer| answer);
            answer.map_err(|error| EmbeddingError::Unreachable {
                endpoint: self.address.to_string(),
                attempts: 1,
                message: error.to_string(),
            })
        })
    }
}

async fn open(folder: &Path, provider: SocketAddr) -> Library {
    let options = OpenOptions { reader: ReaderProgram::InProcess, ..OpenOptions::new(folder.join("data")) };
    let library = Library::open(options).await.unwrap();
    library.models().set_embedders(vec![Arc::new(Client::new(provider))]);
    library
}

fn request(folder: &Path) -> IngestRequest {
    IngestRequest { sources: vec![Source::path(folder.join("docs"))], ..IngestRequest::default() }
}

fn write_documents(folder: &Path) {
    let docs = folder.join("docs");
    std::fs::create_dir_all(&docs).unwrap();
    for n in 0..DOCUMENTS {
        let sections = (0..8).map(|s| {
            let body = (0..60)
                .map(|w| format!("Document {n}, section {s}, says thing number {w}."))
                .collect::<Vec<_>>();
            format!("## Section {s}\n\n{}\n\n", body.join(" "))
        });
        std::fs::write(
            docs.join(format!("{n}.md")),
            format!("# Document {n}\n\n{}", sections.collect::<String>()),
        )
        .unwrap();
    }
}

/// Chunk ids and texts, in order.
async fn chunks(library: &Library) -> BTreeMap<String, String> {
    let workspace = library.store().workspace(DEFAULT_WORKSPACE).await.unwrap().id;
    let mut all = BTreeMap::new();
    for document in library.store().documents(workspace, None).await.unwrap() {
        let rows = library.store().chunks_of(workspace, document.id, 0, i64::MAX).await.unwrap();
        all.extend(rows.into_iter().map(|row| (row.chunk_id, row.text)));
    }
    all
}

/// Is this test binary started again by the test below; otherwise it has nothing to do.
#[test]
fn ingesting_process() {
    let (Some(folder), Ok(provider)) =
        (std::env::var_os("SIBYL_KILL_FOLDER"), std::env::var("SIBYL_KILL_PROVIDER"))
    else {
        return;
    };
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
    runtime.block_on(async {
        let folder = Path::new(&folder);
        let library = open(folder, provider.parse().unwrap()).await;
        let id = library.ingest().start(DEFAULT_WORKSPACE, request(folder)).await.unwrap();
        let job = library.jobs().wait(DEFAULT_WORKSPACE, id).await.unwrap();
        assert_eq!(job.state, JobState::Done, "{:?}", job.error);
    });
}

#[test]
fn a_killed_process_loses_nothing_and_pays_for_at_most_one_batch_again() {
    let wanted = std::env::var("SIBYL_KILLS").ok().and_then(|kills| kills.parse().ok()).unwrap_or(KILLS);
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let expected = {
        let folder = tempfile::tempdir().unwrap();
        write_documents(folder.path());
        runtime.block_on(async {
            let library = open(folder.path(), Provider::start().address).await;
            let id = library.ingest().start(DEFAULT_WORKSPACE, request(folder.path())).await.unwrap();
            assert_eq!(library.jobs().wait(DEFAULT_WORKSPACE, id).await.unwrap().state, JobState::Done);
            chunks(&library).await
        })
    };
    assert!(expected.len() > DOCUMENTS * 4, "{}", expected.len());
    let mut random = 0x9e37_79b9_7f4a_7c15_u64;
    let (mut kills, mut rounds) = (0, 0);
    while kills < wanted {
        rounds += 1;
        let folder = tempfile::tempdir().unwrap();
        write_documents(folder.path());
        let provider = Provider::start();
        let (mut killed, mut finished) = (0, false);
        while !finished {
            let mut child = Command::new(std::env::current_exe().unwrap())
                .args(["--exact", "kill::ingesting_process", "--nocapture"])
                .env("SIBYL_KILL_FOLDER", folder.path())
                .env("SIBYL_KILL_PROVIDER", provider.address.to_string())
                .stdout(Stdio::null())
                .spawn()
                .unwrap();
            // xorshift64 (Marsaglia 2003)
            random ^= random << 13;
            random ^= random >> 7;
            random ^= random << 17;
            if kills < wanted {
                std::thread::sleep(Duration::from_millis(5 + random % 150));
            }
            finished = if kills < wanted {
                child.try_wait().unwrap().is_some()
            } else {
                child.wait().unwrap().success()
            };
            if !finished && kills < wanted {
                child.kill().unwrap();
                child.wait().unwrap();
                killed += 1;
                kills += 1;
                runtime.block_on(async {
                    let health = open(folder.path(), provider.address).await.upkeep().doctor().await.unwrap();
                    assert!(health.is_sound(), "after {killed} kills: {:?}", health.findings);
                });
            }
        }
        runtime.block_on(async {
            let library = open(folder.path(), provider.address).await;
            assert!(library.upkeep().doctor().await.unwrap().is_sound());
            assert_eq!(chunks(&library).await, expected);
            let jobs = library.jobs().list(DEFAULT_WORKSPACE).await.unwrap();
            assert!(jobs.iter().all(|job| job.state == JobState::Done), "{jobs:?}");
        });
        let asked = provider.asked.lock().unwrap();
        assert_eq!(asked.len(), expected.len());
        let total: usize = asked.values().sum();
        assert!(
            total <= expected.len() + killed * BATCH,
            "{total} texts for {} chunks and {killed} kills",
            expected.len()
        );
    }
    eprintln!("{kills} kills in {rounds} libraries");
}
