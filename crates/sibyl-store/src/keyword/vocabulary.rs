//! The words of the index as written, for correcting words that it does not know.
//!
//! The index itself knows stems only, and a misspelt word often has a quite different stem (`mangement` stays
//! whole where `management` becomes `manag`). So the written words are counted from the chunks' texts when a query
//! first holds an unknown word. Words of later chunks are added from then on.

use crate::SqliteStore;
use crate::error::Result;
use crate::scope::Scope;
use sibyl_text::language::runs::is_of_a_run;
use std::collections::HashMap;
use std::sync::Arc;

/// Text read for a vocabulary, in bytes. A larger library is sampled evenly: its common words are all in there.
const SAMPLE: i64 = 32 << 20;
/// Minimum length of words that are corrected or used as corrections.
const SHORTEST: usize = 4;
/// Words longer than this are numbers, hashes and addresses.
const LONGEST: usize = 32;

/// Maximum number of chunks up to which words are counted again after a deletion: it takes a few milliseconds.
const COUNTED_AGAIN: u64 = 5_000;
/// Share of the chunks that may have been deleted before the words of a larger library are counted again. A word that is
/// gone corrects nothing: how often it occurs is counted before it is searched for.
const OUTDATED: u64 = 8;

/// Words as they are written, with the number of times they were seen.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Vocabulary {
    /// By length in characters, then by word, so that a search examines few and finds the same every time.
    by_length: Vec<Vec<Known>>,
    state: State,
}

/// What a vocabulary was read from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
struct State {
    /// Newest row of the chunks.
    newest: i64,
    /// Deletions of chunks that there had been, and those before it was counted again.
    removals: i64,
    counted_at: i64,
    /// Bytes of all texts, about.
    bytes: i64,
}

impl State {
    /// One chunk in so many is read.
    fn stride(self) -> usize {
        usize::try_from(self.bytes / SAMPLE).unwrap_or(0) + 1
    }
}

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Known {
    letters: Arc<[char]>,
    count: u32,
    set: u64,
}

impl Vocabulary {
    /// Counts the words of `texts`.
    pub fn count<'a>(texts: impl IntoIterator<Item = &'a str>) -> Self {
        let mut counts = HashMap::new();
        for text in texts {
            count_words(text, &mut counts);
        }
        let mut vocabulary = Self::default();
        vocabulary.add(counts);
        vocabulary
    }

    /// Whether it is the one of `scope`'s state.
    pub fn is_of(&self, scope: &Scope) -> bool {
        (self.state.newest, self.state.removals) == (scope.newest, scope.removals)
    }

    /// Whether the words of later chunks may be added to it: not if too many chunks were deleted meanwhile.
    fn serves(&self, scope: &Scope) -> bool {
        let chunks = scope.visible.rows.len();
        let deleted = scope.removals.abs_diff(self.state.counted_at);
        self.state.newest <= scope.newest
            && (deleted == 0 || chunks > COUNTED_AGAIN && deleted * OUTDATED < chunks)
    }

    fn add(&mut self, counts: HashMap<String, u32>) {
        self.by_length.resize(LONGEST + 1, Vec::new());
        let mut new: Vec<Vec<Known>> = vec![Vec::new(); LONGEST + 1];
        for (word, count) in counts {
            let letters: Vec<char> = word.chars().collect();
            let known = &mut self.by_length[letters.len()];
            match known.binary_search_by(|known| known.letters[..].cmp(&letters[..])) {
                Ok(place) => known[place].count = known[place].count.saturating_add(count),
                Err(_) => {
                    let set = letter_set(&letters);
                    new[letters.len()].push(Known { letters: letters.into(), count, set });
                }
            }
        }
        for (words, mut new) in self.by_length.iter_mut().zip(new).filter(|(_, new)| !new.is_empty()) {
            words.append(&mut new);
            words.sort_unstable();
        }
    }

    /// The known words nearest to `word`, all at the smallest distance, the most frequent first.
    ///
    /// Distance is that of optimal string alignment (Damerau, 1964, each stretch changed once): at most 1 for words
    /// of 4 to 5 characters, 2 for longer ones. People rarely mistype the first letter, so a word that starts with
    /// another one must be otherwise equal. Runs of Han, Kana and Hangul are sentences rather than words.
    pub fn nearest(&self, word: &str, limit: usize) -> Vec<(String, usize)> {
        let word: Vec<char> = word.to_lowercase().chars().collect();
        if !(SHORTEST..=LONGEST).contains(&word.len())
            || !word.iter().all(|c| c.is_alphabetic() && !is_of_a_run(*c))
        {
            return Vec::new();
        }
        let most = if word.len() < 6 { 1 } else { 2 };
        let lengths = word.len().saturating_sub(most).max(SHORTEST)..=(word.len() + most).min(LONGEST);
        let (set, mut table) = (letter_set(&word), Table::default());
        let (mut found, mut best): (Vec<(usize, &Known)>, usize) = (Vec::new(), most);
        for known in lengths.filter_map(|length| self.by_length.get(length)).flatten() {
            // One change removes or adds at most one letter each.
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

/// The letters of a word, as bits; letters that share a bit only make the filter weaker.
fn letter_set(letters: &[char]) -> u64 {
    letters.iter().fold(0, |set, &letter| set | 1 << (u32::from(letter) % 64))
}

fn count_words(text: &str, counts: &mut HashMap<String, u32>) {
    for word in text.split(|c: char| !c.is_alphabetic()) {
        // Bytes first, which is cheap: most words are short enough to need no count of characters.
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
    /// The optimal string alignment distance of `a` and `b`, or `None` if it is above `most`.
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

impl SqliteStore {
    pub(crate) async fn vocabulary(
        &self,
        scope: &Scope,
        known: Option<Arc<Vocabulary>>,
    ) -> Result<Vocabulary> {
        let known = known.filter(|known| known.serves(scope));
        let visible = Arc::clone(&scope.visible);
        let (newest, removals) = (scope.newest, scope.removals);
        self.pool
            .read(move |c| {
                let old = known.as_ref().map(|known| known.state);
                let mut bytes = c.prepare_cached(
                    "SELECT coalesce(sum(tokens), 0) * 4 FROM chunk NOT INDEXED WHERE id > ?1 AND id <= ?2",
                )?;
                let mut bytes_after =
                    |after: i64| bytes.query_row((after, newest), |row| row.get::<_, i64>(0));
                let state = match old {
                    Some(old) => {
                        State { newest, removals, bytes: old.bytes + bytes_after(old.newest)?, ..old }
                    }
                    None => State { newest, removals, counted_at: removals, bytes: bytes_after(0)? },
                };
                // One that would be sampled otherwise is counted again.
                let known = known.filter(|known| known.state.stride() == state.stride());
                let after = known.as_ref().map_or(0, |known| known.state.newest);
                let state =
                    State { counted_at: known.as_ref().map_or(removals, |k| k.state.counted_at), ..state };
                let mut select = c.prepare_cached("SELECT text FROM chunk WHERE id = ?1")?;
                let mut counts = HashMap::new();
                let later = visible.rows.iter().skip_while(|&row| row <= after.cast_unsigned());
                for row in later.step_by(state.stride()) {
                    let mut rows = select.query([row])?;
                    if let Some(row) = rows.next()? {
                        count_words(row.get_ref(0)?.as_str().unwrap_or_default(), &mut counts);
                    }
                }
                let mut vocabulary = known.map(Arc::unwrap_or_clone).unwrap_or_default();
                vocabulary.add(counts);
                vocabulary.state = state;
                Ok(vocabulary)
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
        Vocabulary::count([
            "scenario analysis of emissions, emissions; financed emissions by a bank",
            "management materiality governance reassess skills percentage executive financed financial",
            "form from from farm disclosure disclosures",
        ])
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
        let vocabulary = Vocabulary::count(["cost cost cast"]);
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
