//! Files that a password locks.

use crate::{codes, refused};
use sibyl_text::Document;
use sibyl_text::format::{Input, format_of};

fn read(name: &str, passwords: &[&str]) -> Document {
    let path = format!("{}/tests/fixtures/locked/{name}", env!("CARGO_MANIFEST_DIR"));
    let bytes = std::fs::read(path).unwrap();
    let input = Input { name, bytes: &bytes, page_metadata: None };
    let passwords: Vec<String> = passwords.iter().map(|password| (*password).to_owned()).collect();
    format_of(&input).unwrap().read_locked(&input, &passwords)
}

/// Each locked file with its password and a text in it.
const FILES: &[(&str, &str, &str)] = &[
    ("agile.docx", "Grüße 7", "The mill closes in 2031."),
    ("agile.xlsx", "Grüße 7", "| Mill | 5 |"),
    ("aes256.pdf", "open 7", "The mill closes in 2031."),
    ("rc4.pdf", "open 7", "The mill closes in 2031."),
];

#[test]
fn a_password_that_fits_opens_the_file() {
    for (name, password, text) in FILES {
        let document = read(name, &["another", password, "a third"]);
        assert!(document.text.contains(text), "{name}: {document:?}");
        assert!(codes(&document).is_empty(), "{name}: {:?}", document.notices);
    }
}

#[test]
fn without_the_right_password_the_file_says_so_and_repeats_none() {
    for (name, _, _) in FILES {
        refused(&read(name, &[]), "password_needed");
        for tried in [["hunter2"].as_slice(), &["hunter2", "hunter3"]] {
            let document = read(name, tried);
            refused(&document, "password_wrong");
            assert!(!document.notices[0].message.contains("hunter"), "{name}");
        }
    }
}

#[test]
fn a_file_that_only_restricts_its_use_opens_by_itself() {
    assert_eq!(read("owner.pdf", &[]).text, "The mill closes in 2031.\n");
}
