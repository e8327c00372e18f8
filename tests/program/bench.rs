//! What the tests of the remote tier share: a library, a provider, papers to ingest.

use serde_json::Value;
use sibyl_loopback::{Options, Provider};
use sibyl_tests::program::{Run, Sibyl};
use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::Path;
use tempfile::TempDir;

/// The key that the provider accepts.
pub const KEY: &str = "sk-or-v1-4f2a90c17d66b8e3";
const DIMENSIONS: &str = "64";

/// A library with the shipped models, a few standards, and its provider.
pub struct Bench {
    pub sibyl: Sibyl,
    pub provider: Provider,
    pub files: TempDir,
}

impl Bench {
    /// Remote embedding switched on, with the key in the environment.
    pub fn new() -> Self {
        Self::with(|sibyl| sibyl.env("OPENROUTER_API_KEY", KEY))
    }

    /// Remote embedding switched on, in the environment that `adds`.
    pub fn with(adds: impl FnOnce(Sibyl) -> Sibyl) -> Self {
        let files = tempfile::tempdir().unwrap();
        let shipped = files.path().join("shipped");
        ship(&shipped);
        let sibyl = adds(Sibyl::fresh().env("SIBYL_SHIPPED_DIR", &shipped.to_string_lossy()));
        let options = Options { key: Some(KEY.to_owned()), ..Options::default() };
        let provider = Provider::start(options).unwrap();
        for (name, value) in [
            ("remote_embedding", "true"),
            ("base_url", &provider.url()),
            ("embedding_dimensions", DIMENSIONS),
        ] {
            let run = sibyl.run(&["settings", name, value]);
            assert_eq!(run.code, 0, "{}", run.err);
        }
        Self { sibyl, provider, files }
    }

    /// The same with an environment variable for every run from now on.
    pub fn env(self, key: &str, value: &str) -> Self {
        Self { sibyl: self.sibyl.env(key, value), ..self }
    }

    /// Writes two papers about `topic`, long enough for several requests, and returns their folder. A serial
    /// number in each sentence makes them long. The provider's batches are counted by characters; to the model
    /// that ships, which takes its time here, the number is one unknown word.
    pub fn papers(&self, topic: &str) -> String {
        let folder = self.files.path().join(topic);
        std::fs::create_dir_all(&folder).unwrap();
        let serial = "0123456789abcdef".repeat(125);
        for paper in 1..=2 {
            let mut text = format!("# Paper {paper} on {topic}\n");
            for series in 1..=10 {
                let _ = write!(
                    text,
                    "\n## Finding {series}\n\nSeries {series} of paper {paper} speaks of {topic} and its trend {serial}.\n"
                );
            }
            std::fs::write(folder.join(format!("{paper}.md")), text).unwrap();
        }
        folder.to_string_lossy().into_owned()
    }

    /// Ingests papers about `topic` into a corpus of that name.
    pub fn ingest(&self, topic: &str, more: &[&str]) -> Run {
        let folder = self.papers(topic);
        let words = ["ingest", &folder, "--corpus", topic, "--json"];
        self.sibyl.run(&[&words, more].concat())
    }

    /// The remote model's row of `sibyl models`.
    pub fn remote_model(&self) -> Value {
        let models = self.sibyl.json(&["models"]);
        let remote = models.as_array().unwrap().iter().find(|model| model["space"]["tier"] == "remote");
        remote.cloned().unwrap_or_default()
    }

    /// The texts of the chunks in the corpus `topic`.
    pub fn chunk_texts(&self, topic: &str) -> BTreeSet<String> {
        let documents = self.sibyl.json(&["documents", "--corpus", topic]);
        let mut texts = BTreeSet::new();
        for document in documents.as_array().unwrap() {
            let chunks = self.sibyl.json(&["chunks", &document["id"].to_string()]);
            let rows = chunks.as_array().unwrap().iter();
            texts.extend(rows.map(|chunk| chunk["row"]["text"].as_str().unwrap().to_owned()));
        }
        texts
    }

    /// The texts that were answered with a vector; each must have been asked for once.
    pub fn sent_once(&self) -> BTreeSet<String> {
        let texts = self.provider.texts();
        let distinct: BTreeSet<String> = texts.iter().cloned().collect();
        assert_eq!(distinct.len(), texts.len(), "a text was asked for again");
        distinct
    }
}

/// A folder of what ships: the models with the vectors that ship, one paragraph of each standard and one industry.
fn ship(folder: &Path) {
    let data = sibyl_tests::root().join("data");
    std::fs::create_dir_all(folder.join("ifrs")).unwrap();
    std::fs::create_dir_all(folder.join("sasb")).unwrap();
    for part in ["models", "vectors"] {
        std::os::unix::fs::symlink(data.join(part), folder.join(part)).unwrap();
    }
    for standard in ["S1", "S2"] {
        let text = format!(
            "---\ntitle: {standard}\nstandard: {standard}\n---\n\n# {standard}\n\n## Objective ({standard}.1)\n\n\
             **{standard}.1 · Aim** *(objective · explanatory)*\n\nThe aim of {standard} is useful information.\n"
        );
        std::fs::write(folder.join(format!("ifrs/{}_full.md", standard.to_lowercase())), text).unwrap();
    }
    let industry = "sasb/car_rental_and_leasing.md";
    std::fs::copy(data.join(industry), folder.join(industry)).unwrap();
}

/// Files below `folder` that hold `needle`.
pub fn holds(folder: &Path, needle: &str) -> Vec<String> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(holds(&path, needle));
        } else if std::fs::read(&path).unwrap().windows(needle.len()).any(|bytes| bytes == needle.as_bytes())
        {
            found.push(path.display().to_string());
        }
    }
    found
}
