//! Searches through `sibyl serve`, many at once, beside the same searches in process.

use crate::Outcome;
use crate::timing::Times;
use serde_json::{Value, json};
use sibyl_engine::search::{Mode, SearchRequest};
use sibyl_engine::store::table::workspace::DEFAULT_WORKSPACE;
use sibyl_engine::{Library, OpenOptions};
use sibyl_lab::table::Table;
use sibyl_tests::program::Sibyl;
use sibyl_tests::server::Server;
use sibyl_tests::{fixture, root};
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::io::{AsyncBufReadExt as _, AsyncReadExt as _, AsyncWriteExt as _, BufReader};
use tokio::net::TcpStream;
use tokio::task::JoinSet;

/// Searches at once.
const AT_ONCE: usize = 64;
/// How long they last, in short and as long as the figures that are published.
const SECONDS: [u64; 2] = [15, 60];
/// Requests per second for each token: no limit in practice here.
const RATE: &str = "1000000";

/// How searches ended.
#[derive(Default)]
struct Told {
    milliseconds: Vec<f64>,
    errors: usize,
}

/// Each mode one at a time and many at once, in process and over HTTP on the loopback; if `long`, for a minute
/// each.
pub async fn measure(long: bool) -> Outcome<String> {
    let time = Duration::from_secs(SECONDS[usize::from(long)]);
    let sibyl = tokio::task::spawn_blocking(Sibyl::with_standards).await?;
    let queries: Arc<Vec<String>> = Arc::new(queries()?);
    let mut table = Table::new(&[
        "search",
        "at once",
        "in process p50 ms",
        "p95",
        "served p50 ms",
        "p95",
        "overhead p50",
        "searches a second",
        "errors",
        "server MB before",
        "after",
    ]);
    for mode in [Mode::Keyword, Mode::Hybrid] {
        for at_once in [1, AT_ONCE] {
            let mut options = OpenOptions::new(sibyl.folder());
            options.shipped = Some(root().join("data"));
            let library = Library::open(options).await?;
            let here = vec![library; at_once].into_iter().map(Asker::InProcess).collect();
            let inside = asked(here, queries.clone(), mode, time).await?;
            let server =
                Server::start(&sibyl, &["--rate", RATE, "--token-file", text(&token_file(&sibyl)?)?]);
            // What is read once is read.
            let warm = connected(&server, at_once).await?;
            asked(warm, queries.clone(), mode, Duration::from_secs(1)).await?;
            let before = resident(server.id());
            let callers = connected(&server, at_once).await?;
            let outside = asked(callers, queries.clone(), mode, time).await?;
            let after = resident(server.id());
            let (count, errors) = (outside.milliseconds.len(), inside.errors + outside.errors);
            let (inside, outside) = (
                inside.milliseconds.into_iter().collect::<Times>(),
                outside.milliseconds.into_iter().collect::<Times>(),
            );
            table.row([
                format!("{mode:?}").to_lowercase(),
                at_once.to_string(),
                format!("{:.2}", inside.p50()),
                format!("{:.2}", inside.p95()),
                format!("{:.2}", outside.p50()),
                format!("{:.2}", outside.p95()),
                format!("{:.2}", outside.p50() - inside.p50()),
                format!("{:.0}", count as f64 / time.as_secs_f64()),
                errors.to_string(),
                before,
                after,
            ]);
        }
    }
    Ok(table.markdown())
}

/// The queries of the gold set of the standards.
fn queries() -> Outcome<Vec<String>> {
    let text = std::fs::read_to_string(fixture("gold").join("standards.jsonl"))?;
    let words = |line: &str| Some(serde_json::from_str::<Value>(line).ok()?["query"].as_str()?.to_owned());
    Ok(text.lines().filter_map(words).collect())
}

fn text(path: &std::path::Path) -> Outcome<&str> {
    path.to_str().ok_or_else(|| "a path that is no text".into())
}

const TOKEN: &str = "sibyl-bench-loopback-only";

/// A file with the token of this measurement, that its owner alone can read.
fn token_file(sibyl: &Sibyl) -> Outcome<std::path::PathBuf> {
    let path = sibyl.folder().join("bench-token");
    std::fs::write(&path, format!("read {TOKEN}\n"))?;
    #[cfg(unix)]
    std::fs::set_permissions(&path, std::os::unix::fs::PermissionsExt::from_mode(0o600))?;
    Ok(path)
}

/// A client that sends one question after the other.
enum Asker {
    InProcess(Library),
    Served { connection: BufReader<TcpStream>, address: String },
}

impl Asker {
    async fn connected(address: &str) -> std::io::Result<Self> {
        let connection = BufReader::new(TcpStream::connect(address).await?);
        connection.get_ref().set_nodelay(true)?;
        Ok(Self::Served { connection, address: address.to_owned() })
    }

    /// Searches, and says whether that went well.
    async fn ask(&mut self, query: &str, mode: Mode) -> std::io::Result<bool> {
        match self {
            Self::InProcess(library) => {
                let request = SearchRequest { query: query.to_owned(), mode, ..SearchRequest::default() };
                Ok(library.search().run(DEFAULT_WORKSPACE, &request).await.is_ok())
            }
            Self::Served { connection, address } => {
                let body = json!({ "query": query, "mode": mode }).to_string();
                let head = format!(
                    "POST /api/v1/search HTTP/1.1\r\nhost: {address}\r\nauthorization: Bearer {TOKEN}\r\n\
                     content-type: application/json\r\ncontent-length: {}\r\n\r\n{body}",
                    body.len()
                );
                connection.get_mut().write_all(head.as_bytes()).await?;
                Ok(answered(connection).await? == 200)
            }
        }
    }
}

/// Has all of `askers` go through the queries at once for `time`, each from another one on.
async fn asked(askers: Vec<Asker>, queries: Arc<Vec<String>>, mode: Mode, time: Duration) -> Outcome<Told> {
    let end = Instant::now() + time;
    let mut tasks = JoinSet::new();
    for (first, mut asker) in askers.into_iter().enumerate() {
        let queries = queries.clone();
        tasks.spawn(async move {
            let mut told = Told::default();
            let mut at = first;
            while Instant::now() < end {
                let query = &queries[at % queries.len()];
                at += 1;
                let start = Instant::now();
                let well = asker.ask(query, mode).await?;
                told.milliseconds.push(start.elapsed().as_secs_f64() * 1e3);
                told.errors += usize::from(!well);
            }
            std::io::Result::Ok(told)
        });
    }
    let mut all = Told::default();
    while let Some(told) = tasks.join_next().await {
        let told = told??;
        all.milliseconds.extend(told.milliseconds);
        all.errors += told.errors;
    }
    Ok(all)
}

/// Connections to `server`.
async fn connected(server: &Server, at_once: usize) -> Outcome<Vec<Asker>> {
    let mut all = Vec::new();
    for _ in 0..at_once {
        all.push(Asker::connected(&server.address).await?);
    }
    Ok(all)
}

/// Reads an answer to its end, and returns its status.
async fn answered(connection: &mut BufReader<TcpStream>) -> std::io::Result<u16> {
    let (mut status, mut length) = (0, 0);
    let mut line = String::new();
    loop {
        line.clear();
        if connection.read_line(&mut line).await? == 0 {
            return Err(std::io::ErrorKind::UnexpectedEof.into());
        }
        if status == 0 {
            status = line.split(' ').nth(1).and_then(|status| status.parse().ok()).unwrap_or(0);
        } else if let Some(given) = line.to_lowercase().strip_prefix("content-length:") {
            length = given.trim().parse().unwrap_or(0);
        } else if line.trim().is_empty() {
            break;
        }
    }
    let mut body = vec![0; length];
    connection.read_exact(&mut body).await?;
    Ok(status)
}

/// Megabytes in memory of a process; a dash if the system does not say.
fn resident(process: u32) -> String {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).unwrap_or_default();
    let kilobytes = status.lines().find_map(|line| line.strip_prefix("VmRSS:")?.trim().strip_suffix(" kB"));
    kilobytes
        .and_then(|kb| kb.trim().parse::<u64>().ok())
        .map_or_else(|| "–".to_owned(), |kb| (kb >> 10).to_string())
}
