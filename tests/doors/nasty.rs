//! Files as they come: each is read, or reported with its reason, and the rest continues.

use crate::{list, text, write, writer};
use serde_json::{Value, json};
use sibyl_tests::program::Sibyl;

/// The expected result for a file.
enum Fate {
    /// Stored; the word is found in it.
    Found(&'static str),
    /// Stored with a notice of this code; the word is found in it.
    Noticed(&'static str, &'static str),
    /// Reported as failed or left out with this code.
    Told(&'static str),
}
use Fate::{Found, Noticed, Told};

fn utf16(text: &str) -> Vec<u8> {
    [0xFEFF].into_iter().chain(text.encode_utf16()).flat_map(u16::to_le_bytes).collect()
}

fn table() -> String {
    let rows: String = (0..3_000).map(|n| format!("| row {n} | {} tonnes | corncrake |\n", n * 7)).collect();
    format!("| site | emissions | bird |\n|---|---|---|\n{rows}")
}

fn nested() -> String {
    let list: String = (0..200).map(|depth| format!("{}- level {depth}\n", "  ".repeat(depth))).collect();
    format!("# Deep\n\n{list}\n\n{} the goldcrest\n\n{}\n", ">".repeat(400), "[".repeat(5_000))
}

fn printed(words: Option<&str>) -> Vec<u8> {
    let page = writer::Page::default().rule((50.0, 50.0), (500.0, 50.0));
    let page = match words {
        Some(words) => page.lines(50.0, 100.0, &[words, "and a second line of the page."]),
        None => page,
    };
    writer::File::default().page(page).bytes()
}

/// Bytes without any order (xorshift64, G. Marsaglia, "Xorshift RNGs", 2003).
fn noise(length: usize) -> Vec<u8> {
    let mut state = 0x9E37_79B9_7F4A_7C15_u64;
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state.to_le_bytes()[7]
    };
    (0..length).map(|_| next()).collect()
}

fn files() -> Vec<(&'static str, Vec<u8>, Fate)> {
    let latin_1 = b"# Caf\xE9\n\nThe dunlin eats cr\xEApes.\n".to_vec();
    let mac_roman = b"# Pi\x8Fge\n\nLe h\x8Eron mange des grenouilles pr\x8Fs de la for\x90t.\n".to_vec();
    let broken = [("é".repeat(50) + " the wryneck ").as_bytes(), b"\xFF", "ü".repeat(50).as_bytes()].concat();
    let word = std::fs::read(sibyl_tests::root().join("tests/fixtures/office/report.docx")).unwrap();
    vec![
        ("empty.md", Vec::new(), Noticed("empty", "")),
        ("blank.md", b" \n\t\n  \n".to_vec(), Noticed("empty", "")),
        ("no-headings.md", b"Only a sentence about the bittern.\n".to_vec(), Found("bittern")),
        ("table.md", table().into_bytes(), Found("corncrake")),
        ("crlf.md", b"# Old\r\n\r\nThe dotterel\r\nwalks.\r\n".to_vec(), Found("dotterel")),
        ("bom.md", "\u{feff}# Mark\n\nThe fieldfare.\n".into(), Found("fieldfare")),
        ("utf16.txt", utf16("A garganey swims.\r\nIt is Größe 5.\r\n"), Found("garganey")),
        ("latin1.md", latin_1, Noticed("encoding_guessed", "dunlin")),
        ("macroman.md", mac_roman, Noticed("encoding_guessed", "grenouilles")),
        ("broken.md", broken, Noticed("bytes_replaced", "wryneck")),
        ("rtl.md", "# مخاطر\n\nالهدهد يطير فوق النهر\n".into(), Found("الهدهد")),
        ("emoji.md", "# 🐦\n\n👩\u{200d}🔬🇸🇪 the redpoll 🔥🔥\n".into(), Found("redpoll")),
        ("nul.md", b"# Nul\n\nThe sis\0kin sings of twites.\n".to_vec(), Noticed("nul_removed", "twites")),
        ("nested.md", nested().into_bytes(), Found("goldcrest")),
        ("one-line.md", "whimbrel ".repeat(60_000).into_bytes(), Found("whimbrel")),
        ("picture.md", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x01".to_vec(), Told("not_text")),
        ("paper.md", printed(Some("A printed page names the avocet")), Found("avocet")),
        ("scan.pdf", printed(None), Noticed("pages_without_text", "")),
        ("cut-off.pdf", b"%PDF-1.7\n1 0 obj\n<< /Type /Catalog".to_vec(), Told("pdf_broken")),
        ("bad.pdf", noise(3_000), Told("wrong_kind")),
        ("renamed.pdf", b"# Not printed\n\nThe ortolan is plain text.\n".to_vec(), Told("wrong_kind")),
        ("word.pdf", word, Noticed("renamed", "puffin")),
        ("noise.txt", noise(3_000), Told("not_text")),
        ("noise.md", noise(40_000), Told("not_text")),
        ("archive.zip", b"PK\x03\x04\x14\0\0\0".to_vec(), Told("archive")),
    ]
}

#[test]
fn each_is_read_or_told_and_the_rest_goes_on() {
    let sibyl = Sibyl::with_words();
    let folder = tempfile::tempdir().unwrap();
    let files = files();
    for (name, bytes, _) in &files {
        write(folder.path(), &format!("flock/{name}"), bytes);
    }
    let words = ["ingest", text(&folder.path().join("flock")), "--no-embed", "--json"].map(str::to_owned);
    let run = sibyl.run(&words.each_ref().map(String::as_str));
    assert_eq!(run.code, 1, "some files failed: {}", run.err);
    let job: Value = serde_json::from_str(&run.out).unwrap();
    assert_eq!((&job["status"], &job["state"]), (&json!("completed_with_failures"), &json!("done")));
    let told = |list_name: &str, name: &str| -> Vec<Value> {
        let entries = list(&job["report"], list_name).iter();
        entries.filter(|entry| entry["path"] == name).cloned().collect()
    };
    let has_code = |entries: &[Value], code: &str| {
        entries.iter().any(|entry| {
            let reason = entry["message"].as_str().unwrap_or_default();
            entry["code"].as_str().unwrap_or_default().starts_with(code) && reason.len() > 20
        })
    };
    for (name, _, fate) in &files {
        let (failed, skipped, notices) = (told("failed", name), told("skipped", name), told("notices", name));
        let word = match fate {
            Told(code) => {
                let all = [failed, skipped].concat();
                assert!(has_code(&all, code), "{name}: {all:?}");
                continue;
            }
            Found(word) => {
                assert!(failed.is_empty() && skipped.is_empty(), "{name}: {failed:?} {skipped:?}");
                word
            }
            Noticed(code, word) => {
                let all = [failed, notices].concat();
                assert!(has_code(&all, code), "{name}: {all:?}");
                word
            }
        };
        if word.is_empty() {
            continue;
        }
        let found = sibyl.json(&["search", word, "--mode", "keyword", "--no-spelling", "-k", "100"]);
        let hits = list(&found, "results");
        assert!(!hits.is_empty(), "{name}: {word} is not found");
        for hit in hits {
            assert_eq!(hit["path"], *name, "{word}");
            let text = hit["chunk_text"].as_str().unwrap();
            assert!(!text.contains(['\r', '\0', '\u{feff}']), "{name}: {text:?}");
        }
    }
    let pieces = |name: &str| {
        let documents = sibyl.json(&["documents"]);
        let found = documents.as_array().unwrap().iter().find(|document| document["path"] == name);
        found.and_then(|document| document["chunks"].as_u64()).unwrap_or(0)
    };
    assert!(pieces("table.md") > 10 && pieces("one-line.md") > 10, "what is long is cut");
    assert_eq!(sibyl.run(&["doctor"]).code, 0);
    let told = sibyl.run(&["ingest", text(&folder.path().join("flock")), "--no-embed"]);
    let line = told.out.lines().find(|line| line.contains("picture.md")).unwrap_or_default();
    assert!(line.starts_with("failed") && line.contains("expected text"), "{}", told.out);
}

#[test]
fn links_of_citations_lead_to_the_web_or_nowhere() {
    let sibyl = Sibyl::fresh_with_words();
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), "guide.md", "# Guide\n\nThe turbine turns.\n");
    let path = folder.path().join("guide.md");
    let ingest = |url: &str| sibyl.run(&["ingest", text(&path), "--base-url", url, "--no-embed"]);
    for url in ["javascript:alert(1)", "ftp://docs.example", "notaurl", "https://"] {
        let refused = ingest(url);
        assert!(refused.code != 0 && refused.err.contains("http or https"), "{url}: {}", refused.err);
    }
    let taken = ingest("https://docs.example/");
    assert_eq!(taken.code, 0, "{}", taken.err);
}
