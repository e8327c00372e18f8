//! Every format, and what an OCR program answers. Archives and PDF files are changed inside, streams decoded.

use super::{LONGEST_TEXT, Target, files, placed};
use libfuzzer_sys::fuzzer_mutate;
use sibyl_lab::fuzz::{Hocr, Pages, answer, archive, mutant, parts, text_formats, try_document};
use sibyl_lab::random::Random;
use sibyl_text::format::{FORMATS, Format};

/// Bytes of the longest archive or PDF file, which cannot be as short as a text.
const LONGEST_FILE: usize = 100_000;
/// Bytes of a part of an archive that the fuzzer may add at a time.
const ROOM: usize = 512;

struct Reader(&'static dyn Format);

/// Names, with the bytes of the longest input of each.
pub fn targets() -> impl Iterator<Item = (&'static str, usize)> {
    formats().map(|format| (format.name(), Reader(format).longest()))
}

pub fn named(name: &str) -> Option<Box<dyn Target>> {
    formats().find(|format| format.name() == name).map(|format| Box::new(Reader(format)) as _)
}

fn formats() -> impl Iterator<Item = &'static dyn Format> {
    FORMATS.iter().copied().chain([&Hocr as &dyn Format])
}

impl Reader {
    fn longest(&self) -> usize {
        let text = text_formats().chain([&Hocr as &dyn Format]).any(|text| text.name() == self.0.name());
        if text { LONGEST_TEXT } else { LONGEST_FILE }
    }
}

impl Target for Reader {
    fn run(&self, data: &[u8]) {
        let faults = try_document(0, self.0, data);
        assert!(faults.is_empty(), "{faults:?}");
    }

    fn seeds(&self) -> Vec<Vec<u8>> {
        if self.0.name() == Hocr.name() {
            return (0..20).map(answer).collect();
        }
        let longest = self.longest();
        let of = |extension: &&str| {
            let mut all = files("tests/fixtures", extension, longest);
            all.extend(files("crates/sibyl-text/tests", extension, longest));
            all
        };
        let mut seeds: Vec<Vec<u8>> = self.0.extensions().iter().flat_map(of).collect();
        if self.0.name() == "pdf" {
            // Of long files two pages.
            let long = files("tests/fixtures", "pdf", usize::MAX);
            let pages =
                long.iter().filter(|bytes| bytes.len() > longest).filter_map(|bytes| Pages::new(bytes));
            seeds.extend(pages.filter(|pages| pages.len() > 1).map(|pages| pages.file(0..2)));
        }
        seeds
    }

    fn mutate(&self, data: &mut [u8], size: usize, most: usize, seed: u32) -> usize {
        let mut random = Random::new(seed.into());
        let choice = random.below(4);
        let changed = if choice == 0 {
            None
        } else if let Some(pages) = (self.0.name() == "pdf").then(|| Pages::new(&data[..size])).flatten() {
            (choice == 1).then(|| pages.mutant(&mut random))
        } else {
            match parts(&data[..size]) {
                parts if parts.is_empty() => None,
                parts if choice == 1 => Some(mutant(&parts, &mut random)),
                mut parts => {
                    let at = random.below(parts.len());
                    let part = &mut parts[at].1;
                    let (length, room) = (part.len(), part.len() + ROOM);
                    part.resize(room, 0);
                    let length = fuzzer_mutate(part, length, room);
                    part.truncate(length);
                    Some(archive(&parts))
                }
            }
        };
        changed.and_then(|bytes| placed(data, bytes, most)).unwrap_or_else(|| fuzzer_mutate(data, size, most))
    }
}
