//! Files as they come: nothing panics, everything is said, the rest goes on.

use sibyl_tests::program::Sibyl;
use std::fs;

#[test]
fn bad_files_are_named_and_good_ones_go_on() {
    let sibyl = Sibyl::fresh();
    let folder = tempfile::tempdir().unwrap();
    let put = |name: &str, bytes: &[u8]| fs::write(folder.path().join(name), bytes).unwrap();
    put("good.md", b"# Good\n\nA perfectly ordinary aardvark.\n");
    put("empty.md", b"");
    put("crlf.md", b"# Lines\r\n\r\nwindows aardvark\r\n");
    put("bom.txt", b"\xEF\xBB\xBFwith a mark");
    put("latin.txt", b"caf\xE9 in Latin-1");
    put("utf16.txt", &"\u{feff}wide words".encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<_>>());
    put("nul.txt", b"a\0b");
    put("rtl.md", "# \u{5e9}\u{5dc}\u{5d5}\u{5dd}\n\n\u{645}\u{631}\u{62d}\u{628}\u{627} 🌍\n".as_bytes());
    put("fake.pdf", b"this is no PDF at all");
    put("broken.pdf", b"%PDF-1.7\n1 0 obj\n<< /Type /Catalog /Pages 2 0 R >>\nendobj\ntrailer\n<<");
    put("archive.docx", b"PK\x03\x04\x14\0\x06\0\x08\0");
    put("deep.md", "> ".repeat(5_000).as_bytes());
    put("front.md", b"---\ntitle: [unclosed\n---\n# Body aardvark\n");
    let table: String = (0..3_000).map(|n| format!("| {n} | {} |\n", n * 7)).collect();
    put("table.md", format!("| n | value |\n|---|---|\n{table}").as_bytes());
    let run =
        sibyl.run(&["ingest", folder.path().to_str().unwrap(), "--corpus", "mixed", "--no-embed", "--json"]);
    assert!(!run.err.contains("panicked"), "{}", run.err);
    let report: serde_json::Value = serde_json::from_str(&run.out).unwrap();
    let said = report["report"].to_string();
    for name in ["broken.pdf", "archive.docx", "latin.txt", "empty.md", "front.md", "nul.txt"] {
        assert!(said.contains(name), "{name} is not mentioned in {said}");
    }
    for failed in report["report"]["failed"].as_array().unwrap() {
        assert!(failed["message"].as_str().unwrap().len() > 20, "{failed}");
    }
    let found = sibyl.json(&["search", "aardvark", "--corpus", "mixed", "--mode", "keyword"]);
    let paths: Vec<_> =
        found["results"].as_array().unwrap().iter().map(|h| h["path"].as_str().unwrap()).collect();
    assert!(
        paths.contains(&"good.md") && paths.contains(&"crlf.md") && paths.contains(&"front.md"),
        "{paths:?}"
    );
    assert_eq!(sibyl.json(&["doctor"])["healthy"], true);
}

#[test]
fn what_is_no_library_or_a_newer_one_is_refused() {
    let sibyl = Sibyl::fresh();
    fs::write(sibyl.folder().join("library.sibyl"), "not a database").unwrap();
    let run = sibyl.run(&["stats"]);
    assert_eq!(run.code, 1);
    assert!(!run.err.contains("panicked") && run.err.len() > 20, "{}", run.err);
}

#[test]
fn wrong_usage_is_said() {
    let sibyl = Sibyl::fresh();
    let missing = sibyl.run(&["ingest", "/no/such/folder", "--no-embed"]);
    assert_ne!(missing.code, 0);
    assert!(missing.err.contains("/no/such/folder"), "{}", missing.err);
    assert_eq!(sibyl.run(&["frobnicate"]).code, 2);
    assert_eq!(sibyl.run(&["delete"]).code, 2);
}
