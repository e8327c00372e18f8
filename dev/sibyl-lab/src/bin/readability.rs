//! `cargo xtask readability [--torn] PATH…`: compares tagged PDF files read with and without their tags, and with
//! `pdftotext`.
#![allow(clippy::print_stdout)] // It is a program that talks to its user.

use sibyl_lab::readability::{in_tables, kept, kept_sentences, sentences, tables};
use sibyl_lab::table::Table;
use sibyl_text::format::pdf::{Trust, read};
use sibyl_text::language::sentence::sentences_in;
use sibyl_text::{Document, Span};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::time::{Duration, Instant};

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let torn = words.iter().any(|word| word == "--torn");
    let files: Vec<PathBuf> =
        words.iter().filter(|word| !word.starts_with("--")).flat_map(|word| pdfs(Path::new(word))).collect();
    if files.is_empty() {
        println!("usage: cargo xtask readability [--torn] FILE-OR-FOLDER…");
        return ExitCode::from(2);
    }
    let mut table = Table::new(&[
        "Report",
        "Pages",
        "Sentences whole",
        "… by pdftotext",
        "Rows whole",
        "Order (tau)",
        "Letters in tables",
        "… by tags",
        "Tables that are prose",
        "Pages/s",
        "… pdftotext",
    ]);
    for path in &files {
        match std::fs::read(path) {
            Ok(bytes) => table.row(measure(path, &bytes, torn)),
            Err(cause) => println!("{}: {cause}", path.display()),
        }
    }
    println!("{}", table.markdown());
    println!("Truth is the tagged reading; of files without tags, the sentences that pdftotext keeps whole.");
    ExitCode::SUCCESS
}

fn measure(path: &Path, bytes: &[u8], torn: bool) -> Vec<String> {
    let tagged = read(bytes, Trust::Tags);
    let begun = Instant::now();
    let placed = read(bytes, Trust::Place);
    let time = begun.elapsed();
    let other = pdftotext(path);
    // Without tags, both readings are the same.
    let has_tags = tagged.text != placed.text;
    let kept = kept(&tagged, &placed);
    let own = match (&other, has_tags) {
        (Some((text, _)), false) => kept_sentences(&sentences(&plain(text)), &placed.text),
        _ => kept.sentences,
    };
    let theirs = other.as_ref().and_then(|(text, _)| kept_sentences(&sentences(&tagged), text));
    let (count, prose) = tables(&placed);
    let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    if torn {
        kept.torn.iter().for_each(|sentence| println!("{name}: torn: {sentence}"));
        kept.lost_rows.iter().for_each(|row| println!("{name}: row: {row}"));
        prose.iter().for_each(|table| println!("{name}: prose:\n{table}"));
    }
    let pages = placed.pages.len();
    let speed = |time: Duration| format!("{:.0}", pages as f64 / time.as_secs_f64().max(1e-9));
    let by_tags = |value: String| if has_tags { value } else { "–".to_owned() };
    vec![
        name,
        pages.to_string(),
        share(own),
        share(theirs),
        by_tags(share(kept.rows)),
        by_tags(share(kept.order)),
        share(Some(in_tables(&placed))),
        by_tags(share(Some(in_tables(&tagged)))),
        format!("{} of {count}", prose.len()),
        speed(time),
        other.map_or("–".to_owned(), |(_, time)| speed(time)),
    ]
}

fn share(value: Option<f64>) -> String {
    value.map_or("–".to_owned(), |value| format!("{value:.3}"))
}

/// Plain text as a document of paragraphs, which blank lines part.
fn plain(text: &str) -> Document {
    let paragraphs: Vec<String> = text
        .split("\n\n")
        .map(|part| part.split_whitespace().collect::<Vec<_>>().join(" "))
        .filter(|part| !sentences_in(part, Span::new(0, part.len())).is_empty())
        .collect();
    let joined = paragraphs.join("\n\n");
    let input = sibyl_text::format::Input { name: "text.md", bytes: joined.as_bytes(), page_metadata: None };
    sibyl_text::format::Format::read(&sibyl_text::format::markdown::Markdown, &input)
}

/// The output of poppler's program for a file, and its time; `None` if it is not installed.
fn pdftotext(path: &Path) -> Option<(String, Duration)> {
    let begun = Instant::now();
    let out = Command::new("pdftotext").args(["-enc", "UTF-8"]).arg(path).arg("-").output().ok()?;
    let time = begun.elapsed();
    out.status.success().then(|| (String::from_utf8_lossy(&out.stdout).into_owned(), time))
}

fn pdfs(path: &Path) -> Vec<PathBuf> {
    let Ok(entries) = std::fs::read_dir(path) else { return vec![path.to_owned()] };
    let mut files: Vec<PathBuf> = entries
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.extension().is_some_and(|e| e.eq_ignore_ascii_case("pdf")))
        .collect();
    files.sort();
    files
}
