//! No run of eight words is shared with the issued standards. The fixture has only hashes.

use crate::explained;
use blake2::digest::consts::U6;
use blake2::{Blake2b, Digest};
use sibyl_corpus::{fixture, root};

const WORDS: usize = 8;
const SIZE: usize = 6;

/// Sorted six-byte BLAKE2b hashes of every eight-word run of the issued standards.
struct Shingles(Vec<u8>);

impl Shingles {
    fn load() -> Self {
        Self(std::fs::read(fixture("facts/licensed-shingles.bin")).unwrap())
    }

    fn contains(&self, run: &[&str]) -> bool {
        let hash = Blake2b::<U6>::digest(run.join(" "));
        let rows = self.0.chunks_exact(SIZE);
        let (mut low, mut high) = (0, rows.len());
        while low < high {
            let middle = low.midpoint(high);
            match self.0[middle * SIZE..(middle + 1) * SIZE].cmp(&hash[..]) {
                std::cmp::Ordering::Less => low = middle + 1,
                std::cmp::Ordering::Greater => high = middle,
                std::cmp::Ordering::Equal => return true,
            }
        }
        false
    }
}

fn shared(shingles: &Shingles, text: &str) -> Vec<String> {
    let text = text.to_lowercase().replace(['\u{2019}', '\''], "");
    let words: Vec<&str> =
        text.split(|c: char| !c.is_ascii_alphanumeric()).filter(|w| !w.is_empty()).collect();
    words.windows(WORDS).filter(|run| shingles.contains(run)).map(|run| run.join(" ")).collect()
}

#[test]
fn no_run_of_eight_words_is_shared_with_the_issued_standards() {
    let shingles = Shingles::load();
    for (name, text) in explained::files() {
        assert_eq!(shared(&shingles, &text), Vec::<String>::new(), "{name}");
    }
}

#[test]
fn neither_do_the_requirements_that_ship_nor_those_of_the_facts() {
    let shingles = Shingles::load();
    for path in [root().join("data/sasb_requirements.jsonl"), fixture("facts/sasb_requirements.jsonl")] {
        let text = std::fs::read_to_string(path).unwrap();
        for item in text.split('"') {
            assert_eq!(shared(&shingles, item), Vec::<String>::new());
        }
    }
}

#[test]
fn the_sample_shares_none_either_and_says_that_it_is_fiction() {
    let shingles = Shingles::load();
    let mut reports = 0;
    for entry in std::fs::read_dir(root().join("data/sample")).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|extension| extension == "md") {
            let text = std::fs::read_to_string(&path).unwrap();
            assert_eq!(shared(&shingles, &text), Vec::<String>::new(), "{}", path.display());
            let title = text.lines().find(|line| line.starts_with("# ")).unwrap();
            assert!(title.ends_with("(fictional)") && text.contains("does not exist"), "{title}");
            reports += 1;
        }
    }
    assert_eq!(reports, 3);
}

#[test]
fn the_check_finds_a_run_that_is_shared() {
    // A set phrase that the standards also print, and that no explanation may contain.
    let phrase = "for annual reporting periods beginning on or after 1 January";
    assert!(!shared(&Shingles::load(), phrase).is_empty());
}
