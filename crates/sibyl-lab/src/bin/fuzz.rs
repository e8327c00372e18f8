//! `cargo xtask fuzz [COUNT] [FORMAT]`: COUNT documents for every format and strategy, a fiftieth of that as PDF unless PDF
//! alone is asked for. PDF files and archives are changed inside, what is in them decoded.
#![allow(clippy::print_stdout)] // It is a program that talks to its user.

use sibyl_lab::fuzz::{
    Fault, Hocr, Pages, Parts, answer, binary_formats, document, mutant, mutate, parts, text_formats,
    try_document,
};
use sibyl_lab::random::Random;
use sibyl_text::format::Format;
use std::path::Path;
use std::process::ExitCode;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// A document that takes longer hangs.
const LIMIT: Duration = Duration::from_secs(20);
const DEFAULT_COUNT: u64 = 100_000;
/// Bytes of the longest file that is changed and read.
const LONGEST: usize = 200_000;
/// Documents of other formats for each PDF, where all formats are tried: a PDF takes as long as many of them.
const PDF_SHARE: u64 = 50;

fn main() -> ExitCode {
    let count = std::env::args().nth(1).and_then(|word| word.parse().ok()).unwrap_or(DEFAULT_COUNT);
    let only = std::env::args().nth(2);
    let wanted = |format: &&dyn Format| only.as_deref().is_none_or(|only| only == format.name());
    std::panic::set_hook(Box::new(|_| {})); // Panics are counted, not told one by one.
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let texts =
        files(&root.join("data"), "md").into_iter().chain(files(&root.join("crates/sibyl-text/tests"), "md"));
    let texts: Vec<Vec<u8>> = texts.filter(|bytes| bytes.len() < 2 << 20).collect();
    let fixtures = root.join("tests/fixtures");
    let mut faults = Vec::new();
    for format in text_formats().filter(wanted) {
        let of = |extension: &&str| files(&fixtures, extension);
        let own: Vec<Vec<u8>> = format.extensions().iter().flat_map(of).collect();
        // A third of the documents are whole ones of the format's own, where there is any.
        faults.extend(run(format, count, &|seed| match (own.is_empty(), seed % 3) {
            (false, 0) => changed(&own, seed),
            _ => document(seed, &texts),
        }));
    }
    for format in binary_formats().filter(wanted) {
        let of = |extension: &&str| files(&fixtures, extension);
        let mut seeds: Vec<Vec<u8>> = format.extensions().iter().flat_map(of).collect();
        let files: Vec<Pages> = seeds.iter().filter_map(|bytes| Pages::new(bytes)).collect();
        // Long files take most of the time and show little that short ones do not.
        seeds.retain(|bytes| bytes.len() < LONGEST);
        let archives: Vec<Parts> =
            seeds.iter().map(|bytes| parts(bytes)).filter(|parts| !parts.is_empty()).collect();
        if seeds.is_empty() {
            println!("{}: no file of it below {}", format.name(), fixtures.display());
            return ExitCode::FAILURE;
        }
        let mutant = |seed: u64| {
            let mut random = Random::new(seed);
            match (archives.is_empty(), files.is_empty()) {
                (false, _) => mutant(random.pick(&archives), &mut random),
                (true, false) if !seed.is_multiple_of(10) => random.pick(&files).mutant(&mut random),
                _ => changed(&seeds, seed),
            }
        };
        let share = if files.is_empty() || only.is_some() { 1 } else { PDF_SHARE };
        faults.extend(run(format, count / share, &mutant));
    }
    if wanted(&(&Hocr as &dyn Format)) {
        faults.extend(run(&Hocr, count, &answer));
    }
    for fault in faults.iter().take(20) {
        println!("{fault:?}");
    }
    println!("{} faults", faults.len());
    if faults.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// One of `seeds` with bytes changed.
fn changed(seeds: &[Vec<u8>], seed: u64) -> Vec<u8> {
    let mut random = Random::new(seed);
    let mut bytes = random.pick(seeds).clone();
    for _ in 0..=random.below(40) {
        mutate(&mut bytes, &mut random);
    }
    bytes
}

fn run(format: &'static dyn Format, count: u64, make: &(dyn Fn(u64) -> Vec<u8> + Sync)) -> Vec<Fault> {
    let next = AtomicU64::new(0);
    let faults = Mutex::new(Vec::new());
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                let alive = watchdog(format.name());
                loop {
                    let seed = next.fetch_add(1, Ordering::Relaxed);
                    if seed >= count {
                        alive.store(u64::MAX, Ordering::Relaxed);
                        return;
                    }
                    alive.store(seed, Ordering::Relaxed);
                    let found = try_document(seed, format, &make(seed));
                    faults.lock().unwrap_or_else(PoisonError::into_inner).extend(found);
                }
            });
        }
    });
    let faults = faults.into_inner().unwrap_or_else(PoisonError::into_inner);
    println!("{}: {count} documents through every strategy, {} faults", format.name(), faults.len());
    faults
}

/// Ends the program where one document takes longer than [`LIMIT`], and says which.
fn watchdog(format: &'static str) -> Arc<AtomicU64> {
    let alive = Arc::new(AtomicU64::new(0));
    let watched = Arc::clone(&alive);
    std::thread::spawn(move || {
        let mut last = u64::MAX - 1;
        loop {
            std::thread::sleep(LIMIT);
            match watched.load(Ordering::Relaxed) {
                u64::MAX => return,
                seed if seed == last => {
                    println!("{format}: document {seed} hangs");
                    std::process::exit(1);
                }
                seed => last = seed,
            }
        }
    });
    alive
}

fn files(folder: &Path, extension: &str) -> Vec<Vec<u8>> {
    let Ok(entries) = std::fs::read_dir(folder) else { return Vec::new() };
    let mut paths: Vec<_> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    paths.sort();
    let of = |path: &Path| {
        if path.is_dir() {
            files(path, extension)
        } else if path.extension().is_some_and(|e| e == extension) {
            std::fs::read(path).into_iter().collect()
        } else {
            Vec::new()
        }
    };
    paths.iter().flat_map(|path| of(path)).collect()
}
