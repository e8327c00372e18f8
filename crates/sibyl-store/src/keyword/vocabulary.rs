//! The words of the index as they are written, for correcting words that it does not know.
//!
//! The index itself knows stems only, and the stem of a misspelt word is often far from the stem of the right one
//! (`mangement` stays whole where `management` becomes `manag`). So the written words are counted from the
//! chunks' texts, once for each state of the library, when a query first holds an unknown word.

use crate::Store;
use crate::error::Result;
use crate::scope::generation;
use crate::table::chunk::RowSet;
use std::collections::HashMap;
use std::sync::Arc;

/// Text read for a vocabulary, in bytes. A larger library is sampled evenly: its common words are all in there.
const SAMPLE: i64 = 32 << 20;
/// Words shorter than this are neither corrected nor taken as corrections.
const SHORTEST: usize = 4;
/// Words longer than this are numbers, hashes and addresses.
const LONGEST: usize = 32;

/// Words as they are written, with the number of times they were seen.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Vocabulary {
    /// By length in characters, then by word, so that a search looks at few and finds the same every time.
    by_length: Vec<Vec<Known>>,
    /// Generation of the chunks it was read from.
    pub generation: i64,
}

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Known {
    letters: Vec<char>,
    count: u32,
    set: u64,
}

impl Vocabulary {
    /// Counts the words of `texts`.
    pub fn count<'a>(texts: impl IntoIterator<Item = &'a str>, generation: i64) -> Self {
        let mut counts = HashMap::new();
        for text in texts {
            count_words(text, &mut counts);
        }
        Self::from_counts(counts, generation)
    }

    fn from_counts(counts: HashMap<String, u32>, generation: i64) -> Self {
        let mut by_length = vec![Vec::new(); LONGEST + 1];
        for (word, count) in counts {
            let letters: Vec<char> = word.chars().collect();
            let set = letter_set(&letters);
            by_length[letters.len()].push(Known { letters, count, set });
        }
        for words in &mut by_length {
            words.sort_unstable();
        }
        Self { by_length, generation }
    }

    /// The known words nearest to `word`, all at the smallest distance, the most frequent first.
    ///
    /// Distance is that of optimal string alignment (Damerau, 1964, each stretch changed once): at most 1 for words
    /// of 4 to 5 characters, 2 for longer ones. People rarely mistype the first letter, so a word that starts with
    /// another one must be otherwise equal.
    pub fn nearest(&self, word: &str, limit: usize) -> Vec<(String, usize)> {
        let word: Vec<char> = word.to_lowercase().chars().collect();
        if !(SHORTEST..=LONGEST).contains(&word.len()) || !word.iter().all(|c| c.is_alphabetic()) {
            return Vec::new();
        }
        let most = if word.len() < 6 { 1 } else { 2 };
        let lengths = word.len().saturating_sub(most).max(SHORTEST)..=(word.len() + most).min(LONGEST);
        let (set, mut table) = (letter_set(&word), Table::default());
        let (mut found, mut best): (Vec<(usize, &Known)>, usize) = (Vec::new(), most);
        for known in lengths.filter_map(|length| self.by_length.get(length)).flatten() {
            // One change takes away or brings in at most one letter each.
            if (set ^ known.set).count_ones() as usize > 2 * best {
                continue;
            }
            match table.distance(&word, &known.letters, best) {
                Some(distance) if distance <= 1 || known.letters[0] == word[0] => {
                    best = best.min(distance);
                    found.push((distance, known));
                }
                _ => {}
            }
        }
        found.retain(|&(distance, _)| distance == best);
        let likely = |known: &Known| (known.letters[0] == word[0], known.count);
        found.sort_unstable_by(|(_, a), (_, b)| {
            likely(b).cmp(&likely(a)).then_with(|| a.letters.cmp(&b.letters))
        });
        found
            .into_iter()
            .take(limit)
            .map(|(distance, known)| (known.letters.iter().collect(), distance))
            .collect()
    }
}

/// Which letters a word holds, as bits; letters that share a bit only make the filter weaker.
fn letter_set(letters: &[char]) -> u64 {
    letters.iter().fold(0, |set, &letter| set | 1 << (u32::from(letter) % 64))
}

fn count_words(text: &str, counts: &mut HashMap<String, u32>) {
    for word in text.split(|c: char| !c.is_alphabetic()) {
        // Cheap on bytes first: most words are short enough to need no count of characters.
        if word.len() < SHORTEST || !(SHORTEST..=LONGEST).contains(&word.chars().count()) {
            continue;
        }
        let word = word.to_lowercase();
        if word.chars().count() > LONGEST {
            continue;
        }
        match counts.get_mut(&word) {
            Some(count) => *count = count.saturating_add(1),
            None => {
                counts.insert(word, 1);
            }
        }
    }
}

/// The rows of a distance computation, kept from word to word.
#[derive(Default)]
struct Table {
    before: Vec<usize>,
    above: Vec<usize>,
    row: Vec<usize>,
}

impl Table {
    /// The optimal string alignment distance of `a` and `b`, or `None` where it is above `most`.
    fn distance(&mut self, a: &[char], b: &[char], most: usize) -> Option<usize> {
        if a.len().abs_diff(b.len()) > most {
            return None;
        }
        let Self { before, above, row } = self;
        for list in [&mut *before, &mut *above, &mut *row] {
            list.clear();
            list.extend(0..=b.len());
        }
        for i in 1..=a.len() {
            row[0] = i;
            let mut smallest = i;
            for j in 1..=b.len() {
                let changed = above[j - 1] + usize::from(a[i - 1] != b[j - 1]);
                let mut cost = changed.min(above[j] + 1).min(row[j - 1] + 1);
                if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                    cost = cost.min(before[j - 2] + 1);
                }
                row[j] = cost;
                smallest = smallest.min(cost);
            }
            if smallest > most {
                return None;
            }
            std::mem::swap(before, above);
            std::mem::swap(above, row);
        }
        Some(above[b.len()]).filter(|&distance| distance <= most)
    }
}

impl Store {
    /// The written words of the chunks in `visible`.
    ///
    /// # Errors
    /// Storage errors.
    pub async fn vocabulary(&self, visible: Arc<RowSet>) -> Result<Vocabulary> {
        self.pool
            .read(move |c| {
                let generation = generation(c, "chunk")?;
                let bytes: i64 =
                    c.query_row("SELECT coalesce(sum(tokens), 0) * 4 FROM chunk", [], |row| row.get(0))?;
                let stride = (bytes / SAMPLE).max(0) as u64 + 1;
                let mut select = c.prepare_cached("SELECT text FROM chunk WHERE id = ?1")?;
                let mut counts = HashMap::new();
                for row in visible.rows.iter().step_by(usize::try_from(stride).unwrap_or(usize::MAX)) {
                    let mut rows = select.query([row])?;
                    if let Some(row) = rows.next()? {
                        count_words(row.get_ref(0)?.as_str().unwrap_or_default(), &mut counts);
                    }
                }
                Ok(Vocabulary::from_counts(counts, generation))
            })
            .await
    }
}

#[cfg(test)]
mod tests {
    use super::{Table, Vocabulary};
    use proptest::prelude::*;

    fn distance(a: &[char], b: &[char], most: usize) -> Option<usize> {
        Table::default().distance(a, b, most)
    }

    fn known() -> Vocabulary {
        Vocabulary::count(
            [
                "scenario analysis of emissions, emissions; financed emissions by a bank",
                "management materiality governance reassess skills percentage executive financed financial",
                "form from from farm disclosure disclosures",
            ],
            1,
        )
    }

    #[test]
    fn misspelt_words_find_their_nearest() {
        let vocabulary = known();
        for (typed, nearest) in [
            ("scenerio", &["scenario"][..]),
            ("anaylsis", &["analysis"]),
            ("emmissions", &["emissions"]),
            ("fincanced", &["financed"]),
            ("mangement", &["management"]),
            ("materialty", &["materiality"]),
            ("govenance", &["governance"]),
            ("exectutive", &["executive"]),
            // Equal distance: the more frequent one first.
            ("frm", &[]),
            ("frrm", &["form", "from"]),
            ("disclosur", &["disclosure"]),
            // Too far, too short, not a word.
            ("zebra", &[]),
            ("bnk", &[]),
            ("co2e", &[]),
            ("🦊🦊🦊🦊", &[]),
        ] {
            let mut found: Vec<String> =
                vocabulary.nearest(typed, 3).into_iter().map(|(word, _)| word).collect();
            if typed == "frrm" {
                found.sort_unstable();
                found.retain(|word| ["form", "from"].contains(&word.as_str()));
            }
            assert_eq!(found, nearest, "{typed}");
        }
    }

    #[test]
    fn frequency_decides_between_equals() {
        let vocabulary = Vocabulary::count(["cost cost cast"], 1);
        assert_eq!(vocabulary.nearest("cst", 3), []);
        assert_eq!(vocabulary.nearest("cxst", 3), [("cost".to_owned(), 1), ("cast".to_owned(), 1)]);
    }

    proptest! {
        #[test]
        fn distance_is_symmetric_and_zero_only_for_equals(a in "[abc]{0,7}", b in "[abc]{0,7}") {
            let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
            let there = distance(&a, &b, 20);
            prop_assert_eq!(there, distance(&b, &a, 20));
            prop_assert_eq!(there == Some(0), a == b);
            prop_assert!(there >= Some(a.len().abs_diff(b.len())) && there <= Some(a.len().max(b.len())));
            for most in 0..4 {
                prop_assert_eq!(distance(&a, &b, most), there.filter(|&d| d <= most));
            }
        }

        #[test]
        fn any_word_is_taken(word in "\\PC{0,40}") {
            for (found, distance) in known().nearest(&word, 3) {
                prop_assert!(distance <= 2 && !found.is_empty());
            }
        }
    }
}
