//! An embedding, rerank and chat provider on the loopback interface, for tests.
//!
//! It speaks the protocol of OpenRouter (`GET /models`, `POST /embeddings`, `POST /rerank`,
//! `POST /chat/completions`), counts its requests and misbehaves on request. Its vectors are bags of hashed words,
//! so that texts with words in common are near each other, today and on every machine. It knows nothing of Sibyl.

mod answer;
mod behaviour;
mod chat;
mod http;

pub use behaviour::Behaviour;

use parking_lot::Mutex;
use std::collections::VecDeque;
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Instant;

/// The settings of a provider.
#[derive(Debug, Clone)]
pub struct Options {
    /// Length of its vectors.
    pub dimensions: usize,
    /// The only key it accepts; `None` accepts any and none.
    pub key: Option<String>,
    /// Maximum number of texts in a request; larger requests are answered with HTTP 400.
    pub most_texts: usize,
    /// Port; 0 takes a free one.
    pub port: u16,
}

impl Default for Options {
    /// 64 dimensions, any key, 2,048 texts, a free port.
    fn default() -> Self {
        Self { dimensions: 64, key: None, most_texts: 2_048, port: 0 }
    }
}

/// A received request.
#[derive(Debug, Clone, PartialEq)]
pub struct Request {
    /// Path, such as `/v1/embeddings`.
    pub path: String,
    /// The `Authorization` header.
    pub authorization: Option<String>,
    /// The texts to embed, the documents to rank, or the messages of a chat.
    pub texts: Vec<String>,
    /// The model asked for.
    pub model: String,
    /// When it had arrived completely.
    pub at: Instant,
    /// HTTP status it was answered with; 0 where the connection was dropped.
    pub status: u16,
}

/// A running provider. It ends when it is dropped.
pub struct Provider {
    shared: Arc<Shared>,
    address: SocketAddr,
}

pub(crate) struct Shared {
    options: Options,
    once: Mutex<VecDeque<Behaviour>>,
    always: Mutex<Behaviour>,
    /// Words of texts that are refused.
    refused: Mutex<Vec<String>>,
    requests: Mutex<Vec<Request>>,
    /// Requests being answered, and their maximum at a time.
    running: AtomicUsize,
    at_once: AtomicUsize,
    /// Number of answers whose end the other side did not wait for.
    abandoned: AtomicUsize,
    ended: AtomicBool,
}

impl Provider {
    /// Starts a provider.
    ///
    /// # Errors
    /// If the port is not available.
    pub fn start(options: Options) -> std::io::Result<Self> {
        let listener = TcpListener::bind(("127.0.0.1", options.port))?;
        let address = listener.local_addr()?;
        let shared = Arc::new(Shared {
            options,
            once: Mutex::default(),
            always: Mutex::new(Behaviour::Answer),
            refused: Mutex::default(),
            requests: Mutex::default(),
            running: AtomicUsize::new(0),
            at_once: AtomicUsize::new(0),
            abandoned: AtomicUsize::new(0),
            ended: AtomicBool::new(false),
        });
        let serving = Arc::clone(&shared);
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                if serving.ended.load(Ordering::SeqCst) {
                    return;
                }
                let serving = Arc::clone(&serving);
                std::thread::spawn(move || http::serve(stream, &serving));
            }
        });
        Ok(Self { shared, address })
    }

    /// Its base URL, such as `http://127.0.0.1:40123/v1`.
    pub fn url(&self) -> String {
        format!("http://{}/v1", self.address)
    }

    /// The next requests are met with these, one each, in this order; the rest as usual.
    pub fn next(&self, behaviours: impl IntoIterator<Item = Behaviour>) {
        self.shared.once.lock().extend(behaviours);
    }

    /// Forgets what [`Provider::next`] said of requests that did not come.
    pub fn forget_next(&self) {
        self.shared.once.lock().clear();
    }

    /// From now on every request is met with this, unless [`Provider::next`] says otherwise.
    pub fn always(&self, behaviour: Behaviour) {
        *self.shared.always.lock() = behaviour;
    }

    /// From now on refuses every request with a text that contains `words` with HTTP 400, as a provider does with
    /// a text that is too long for its model.
    pub fn refuse(&self, words: &str) {
        self.shared.refused.lock().push(words.to_owned());
    }

    /// From now on no text is refused for what it contains.
    pub fn accept_all(&self) {
        self.shared.refused.lock().clear();
    }

    /// The requests so far, in the order they came.
    pub fn requests(&self) -> Vec<Request> {
        self.shared.requests.lock().clone()
    }

    /// Forgets the requests so far.
    pub fn forget(&self) {
        self.shared.requests.lock().clear();
    }

    /// Texts that were answered with a vector so far, each time they were.
    pub fn texts(&self) -> Vec<String> {
        let requests = self.requests();
        let answered = requests.into_iter().filter(|r| r.status == 200 && r.path.ends_with("/embeddings"));
        answered.flat_map(|r| r.texts).collect()
    }

    /// How often the other side left while a chat model hung.
    pub fn abandoned(&self) -> usize {
        self.shared.abandoned.load(Ordering::SeqCst)
    }

    /// The maximum number of requests answered at one time.
    pub fn most_at_once(&self) -> usize {
        self.shared.at_once.load(Ordering::SeqCst)
    }
}

impl Drop for Provider {
    fn drop(&mut self) {
        self.shared.ended.store(true, Ordering::SeqCst);
        // Wakes the thread that waits for connections, so that it sees the end; it may be gone already.
        let _ = TcpStream::connect(self.address);
    }
}

impl Shared {
    fn behaviour(&self) -> Behaviour {
        self.once.lock().pop_front().unwrap_or_else(|| self.always.lock().clone())
    }
}

/// The vector of `text`: each word adds to three places chosen by its hash; of length 1, or zeros without a word.
pub fn vector(text: &str, dimensions: usize) -> Vec<f32> {
    answer::vector(text, dimensions)
}
