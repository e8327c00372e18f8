//! The library with which every case begins, and the provider that counts its requests.

use crate::random::Random;
use serde_json::{Value, json};
use sibyl_loopback::{Behaviour, Options, Provider};
use sibyl_tests::library::Opened;
use sibyl_tests::program::Sibyl;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::time::Duration;
use tempfile::TempDir;

pub(super) const WORKSPACE: &str = "default";
/// Documents of a corpus.
pub(super) const DOCUMENTS: usize = 3;
const SECTIONS: usize = 5;
/// Numbers of a vector.
pub(super) const DIMENSIONS: usize = 16;
/// The queries of the gold set.
pub(super) const QUERY: &str = "the trend of weirs";
/// A question about a text in the library.
pub(super) const QUESTION: &str = "What does part 2 of weirs number 1 say?";

/// Whether a text is a search query.
pub(super) fn is_query(text: &str) -> bool {
    text.contains(QUERY) || text.contains(QUESTION)
}

pub(super) struct World {
    pub provider: Provider,
    /// With documents, vectors, a finding, a gold set, a watched folder, an answer.
    base: Sibyl,
    files: TempDir,
}

impl World {
    pub(super) fn made() -> Self {
        let files = tempfile::tempdir().expect("a temporary folder");
        let shipped = files.path().join("shipped");
        std::fs::create_dir(&shipped).expect("a folder");
        let provider = Provider::start(Options { dimensions: DIMENSIONS, ..Options::default() });
        let provider = provider.expect("a provider");
        let base = Sibyl::fresh().env("SIBYL_SHIPPED_DIR", &shipped.display().to_string());
        Opened::without_models(base.folder()).skip_first_start();
        let dimensions = DIMENSIONS.to_string();
        for (name, value) in [
            ("remote_embedding", "true"),
            ("base_url", &*provider.url()),
            ("embedding_dimensions", &*dimensions),
        ] {
            base.json(&["settings", name, value]);
        }
        let world = Self { provider, base, files };
        world.fill();
        world
    }

    fn fill(&self) {
        for (topic, more) in [("weirs", "--remote"), ("sluices", "--no-embed"), ("inbox", "--remote")] {
            let folder = self.files.path().join(topic);
            write(&folder, topic, 0);
            self.base.json(&["ingest", text(&folder), "--corpus", topic, more]);
        }
        let library = Opened::without_models(self.base.folder());
        let call = |command: &str, input: Value| {
            library.call(WORKSPACE, command, input).unwrap_or_else(|error| panic!("{command}: {error}"))
        };
        call("review.put", finding(0));
        call("thesaurus.put", json!({ "term": "weir", "expansion": "dam" }));
        call("gold.import", json!({ "path": "gold.jsonl", "text": gold() }));
        drop(library);
        self.base.json(&["ask", QUESTION]);
        self.base.json(&["watch", "add", text(&self.files.path().join("inbox")), "--corpus", "inbox"]);
    }

    /// A library of its own for a case.
    pub(super) fn library(&self) -> Sibyl {
        self.base.copied()
    }

    /// An empty library of the same environment, except for the file `library`.
    pub(super) fn former(&self, library: &Path) -> Sibyl {
        self.base.with_file(library)
    }

    /// A folder for the files of the case of `seed`; that of an earlier case is deleted.
    pub(super) fn case(&self, _seed: u64) -> PathBuf {
        let folder = self.files.path().join("case");
        // There is none before the first case.
        let _ = std::fs::remove_dir_all(&folder);
        std::fs::create_dir(&folder).expect("a folder");
        folder
    }

    /// The folder of a corpus of the library.
    pub(super) fn folder(&self, topic: &str) -> PathBuf {
        self.files.path().join(topic)
    }

    /// Makes the provider delay each answer.
    pub(super) fn slow(&self, random: &mut Random) {
        self.provider.always(Behaviour::Slow(Duration::from_millis(random.below(12) as u64)));
    }

    /// Has the provider answer at once.
    pub(super) fn quick(&self) {
        self.provider.always(Behaviour::Answer);
    }

    /// What is missing that was there before the case.
    pub(super) fn missing(&self, library: &Opened) -> Vec<String> {
        let mut missing = Vec::new();
        for (command, input, at_least) in [
            ("document.list", json!({ "corpus": "weirs" }), DOCUMENTS),
            ("document.list", json!({ "corpus": "sluices" }), DOCUMENTS),
            ("document.list", json!({ "corpus": "inbox" }), DOCUMENTS),
            ("review.list", json!({}), 1),
            ("thesaurus.list", json!({}), 1),
            ("gold.list", json!({}), 1),
            ("watch.list", json!({}), 1),
            ("answer.log.list", json!({}), 1),
        ] {
            let found = rows(library, command, input.clone()).len();
            if found < at_least {
                missing.push(format!("{command} {input} gives {found} rows, expected {at_least}"));
            }
        }
        missing
    }
}

/// The rows that a command lists.
pub(super) fn rows(library: &Opened, command: &str, input: Value) -> Vec<Value> {
    match library.call(WORKSPACE, command, input) {
        Ok(Value::Array(rows)) => rows,
        Ok(page) => page
            .as_object()
            .into_iter()
            .flat_map(|page| page.values())
            .find_map(Value::as_array)
            .cloned()
            .unwrap_or_default(),
        Err(error) => vec![json!({ "error": error.to_string() })],
    }
}

/// Finding `number` on a report.
pub(super) fn finding(number: usize) -> Value {
    json!({
        "report_id": "weirs-2024", "paragraph_id": format!("S2.{number}"), "status": "met",
        "note": "seen", "passages": [], "updated_at": "",
    })
}

fn gold() -> String {
    let spans = json!([{ "path": "1.md", "quote": "part 2 of weirs number 1", "grade": 3 }]);
    json!({ "id": "q1", "query": QUERY, "spans": spans }).to_string()
}

/// Writes documents about `topic` into `folder`, each with words of `seed`. A serial number makes them long:
/// batches are counted by characters.
pub(super) fn write(folder: &Path, topic: &str, seed: u64) {
    std::fs::create_dir_all(folder).expect("a folder");
    let serial = "0123456789abcdef".repeat(125);
    for number in 1..=DOCUMENTS {
        let mut words = format!("# {topic} {number}\n");
        for part in 1..=SECTIONS {
            // Writing to a String cannot fail.
            let _ = write!(
                words,
                "\n## Part {part}\n\nPart {part} of {topic} number {number} says {seed}. Serial {serial}.\n"
            );
        }
        std::fs::write(folder.join(format!("{number}.md")), words).expect("a file");
    }
}

pub(super) fn text(path: &Path) -> &str {
    path.to_str().expect("a temporary folder has a plain name")
}
