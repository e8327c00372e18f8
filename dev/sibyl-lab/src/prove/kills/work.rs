//! What the command line is doing when it is killed.

use crate::prove::world::{DOCUMENTS, QUESTION, World, rows, text, write};
use serde_json::json;
use sibyl_tests::library::Opened;
use sibyl_tests::program::Sibyl;
use std::path::Path;

/// A command that is killed.
pub(super) struct Work {
    pub name: &'static str,
    /// The library it works on.
    pub library: fn(&World) -> Sibyl,
    /// Writes the files of a case with words of its seed.
    pub prepare: fn(&World, &Path, u64),
    /// The words of the command.
    pub words: fn(&World, &Path) -> Vec<String>,
    /// Whether to run the command again, given whether it had ended well.
    pub again: fn(&Sibyl, bool) -> bool,
    /// What speaks against it in a library in which it has ended.
    pub fault: fn(&Opened, &Sibyl, u64) -> Option<String>,
    /// Whether the number of vectors in the library shows what was stored.
    pub counted: bool,
    /// Whether the library is that of [`World::library`].
    pub own: bool,
}

/// The usual kind of work.
const PLAIN: Work = Work {
    name: "",
    library: World::library,
    prepare: |_, _, _| (),
    words: |_, _| Vec::new(),
    again: |_, acknowledged| !acknowledged,
    fault: |_, _, _| None,
    counted: true,
    own: true,
};

pub(super) static WORKS: &[Work] = &[
    Work {
        name: "ingest",
        prepare: |_, files, seed| write(&files.join("fresh"), "fresh", seed),
        words: |_, files| ingest(&files.join("fresh"), "fresh", &[]),
        fault: |library, _, seed| whole(library, "fresh", seed),
        ..PLAIN
    },
    Work {
        name: "embed",
        words: |world, _| ingest(&world.folder("sluices"), "sluices", &[]),
        fault: |library, _, _| whole(library, "sluices", 0),
        ..PLAIN
    },
    Work {
        name: "re-chunk",
        words: |world, _| {
            ingest(
                &world.folder("weirs"),
                "weirs",
                &["--strategy", "recursive", "--set", "chunk_size=900", "--force"],
            )
        },
        fault: |library, _, _| whole(library, "weirs", 0),
        ..PLAIN
    },
    Work {
        name: "matrix",
        words: |_, _| {
            let chunking = "recursive:chunk_size=700,chunk_overlap=0";
            let words =
                ["--chunking", "now", "--chunking", chunking, "--search", "keyword,semantic", "--yes"];
            owned(&[&["eval", "matrix", "gold", "--corpus", "weirs"][..], &words].concat())
        },
        fault: |library, sibyl, _| {
            let runs = rows(library, "eval.runs", json!({})).len();
            let scratch = sibyl.folder().join("scratch/copies");
            if !copies(&scratch).is_empty() {
                // The remains of a killed one are removed by the next that has something to run.
                let other = "recursive:chunk_size=650,chunk_overlap=0";
                let words = ["--chunking", other, "--search", "keyword", "--yes"];
                sibyl.run(&[&["eval", "matrix", "gold", "--corpus", "weirs"][..], &words].concat());
            }
            let left = copies(&scratch);
            (runs < 4 || !left.is_empty()).then(|| format!("{runs} cells, expected 4; left behind: {left:?}"))
        },
        counted: false,
        ..PLAIN
    },
    Work {
        name: "watch",
        prepare: |world, _, seed| write(&world.folder("inbox"), "inbox", seed),
        words: |_, _| owned(&["watch", "run", "1"]),
        fault: |library, _, seed| whole(library, "inbox", seed),
        ..PLAIN
    },
    Work {
        name: "answer",
        words: |_, _| owned(&["ask", QUESTION]),
        fault: |library, _, _| {
            let logged = rows(library, "answer.log.list", json!({})).len();
            (logged < 2).then(|| format!("{logged} answers in the log, expected 2"))
        },
        counted: false,
        ..PLAIN
    },
    Work {
        name: "backup",
        words: |_, _| owned(&["backup", "make"]),
        again: |sibyl, _| backups(sibyl).is_empty(),
        fault: |_, sibyl, _| {
            let backups = backups(sibyl);
            backups.is_empty().then(|| "no backup".to_owned()).or_else(|| unsound(sibyl, &backups))
        },
        counted: false,
        ..PLAIN
    },
    Work {
        name: "migration",
        library: |world| {
            world.former(&sibyl_tests::root().join("crates/sibyl-store/tests/former/schema_1.sibyl"))
        },
        words: |_, _| owned(&["stats"]),
        fault: |library, _, _| {
            let found = (
                rows(library, "document.list", json!({})).len(),
                rows(library, "review.list", json!({})).len(),
            );
            (found != (4, 1)).then(|| format!("{found:?} documents and findings, expected 4 and 1"))
        },
        counted: false,
        own: false,
        ..PLAIN
    },
];

fn owned(words: &[&str]) -> Vec<String> {
    words.iter().map(|word| (*word).to_owned()).collect()
}

fn ingest(folder: &Path, corpus: &str, more: &[&str]) -> Vec<String> {
    owned(&[&["ingest", text(folder), "--corpus", corpus, "--remote"][..], more].concat())
}

/// Whether each document of `corpus` is there once, with the words of `seed` in its chunks.
pub(super) fn whole(library: &Opened, corpus: &str, seed: u64) -> Option<String> {
    let documents = rows(library, "document.list", json!({ "corpus": corpus }));
    let mut paths: Vec<&str> = documents.iter().filter_map(|document| document["path"].as_str()).collect();
    paths.sort_unstable();
    let expected: Vec<String> = (1..=DOCUMENTS).map(|number| format!("{number}.md")).collect();
    if paths != expected {
        return Some(format!("{corpus} holds {paths:?}, expected {expected:?}"));
    }
    let torn = documents.iter().find(|document| {
        let chunks = rows(library, "chunk.list", json!({ "document": document["id"] }));
        let words: String = chunks.iter().filter_map(|chunk| chunk["row"]["text"].as_str()).collect();
        !(words.contains(&format!("says {seed}")) && words.contains("Part 5 of"))
    });
    torn.map(|document| format!("{} of {corpus} is not whole", document["path"]))
}

/// Copies of libraries in `folder`.
fn copies(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let folders = entries.filter(|entry| entry.path().is_dir());
    folders.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect()
}

/// Names of the backups that the program lists.
fn backups(sibyl: &Sibyl) -> Vec<String> {
    let listed = sibyl.json(&["backup"]);
    let names = listed.as_array().into_iter().flatten().filter_map(|backup| backup["name"].as_str());
    names.map(str::to_owned).collect()
}

/// A backup that is no sound library, or remains of half of one.
fn unsound(sibyl: &Sibyl, backups: &[String]) -> Option<String> {
    let folder = sibyl.folder().join("backups");
    for name in backups {
        let health = sibyl.with_file(&folder.join(name)).run(&["doctor"]);
        if health.code != 0 {
            return Some(format!("{name}: {}", health.out));
        }
    }
    let half = std::fs::read_dir(&folder).into_iter().flatten().flatten();
    let half = half.map(|entry| entry.file_name()).find(|name| name.to_string_lossy().ends_with(".part"));
    half.map(|name| format!("left behind: {}", name.display()))
}
