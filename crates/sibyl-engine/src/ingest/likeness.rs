//! Documents that look like one whose file is gone, so that somebody can be asked whether they are the same.
//!
//! The measure is the Sørensen–Dice coefficient of the sequences of three words in two texts: twice the number
//! that both have, divided by the sum of both numbers. Of a long text only the sequences with the smallest hashes
//! are compared (A. Z. Broder, "On the resemblance and containment of documents", 1997), which tells the share to
//! within a few hundredths.

use super::FileReport;
use crate::error::Result;
use crate::library::Library;
use crate::store::table::document::Placed;
use crate::store::table::likeness::Alike;
use std::cmp::Ordering;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::fs;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::io::ErrorKind;
use std::path::Path;

/// Share from which two texts count as alike.
const ALIKE: f64 = 0.5;
/// Words of a sequence.
const SEQUENCE: usize = 3;
/// Maximum number of sequences of a text that are compared.
const COMPARED: usize = 1024;

/// Asks about each document of the corpora of `job` whose file is gone. The job must have made a document that
/// resembles it, or one with the same bytes as such a document. Returns what the job's report says about it.
///
/// # Errors
/// Storage errors.
pub(super) async fn ask(library: &Library, job: i64) -> Result<Vec<FileReport>> {
    let store = library.store();
    let mut corpora: BTreeMap<i64, (HashSet<String>, Vec<i64>)> = BTreeMap::new();
    for (corpus, path, document) in store.documents_of_job(job).await? {
        let (listed, created) = corpora.entry(corpus).or_default();
        listed.insert(path);
        created.extend(document);
    }
    let mut said = Vec::new();
    for (corpus, (listed, created)) in corpora {
        let mut documents = store.placed_documents(corpus).await?;
        documents.retain(|document| !document.in_bin);
        let (gone, documents) =
            tokio::task::spawn_blocking(move || (gone(&documents, &listed), documents)).await?;
        if gone.is_empty() {
            continue;
        }
        let mut alike = copies(&documents, &gone, &created);
        alike.extend(likenesses(library, &gone, &created).await?);
        alike.sort_by(|a, b| {
            b.share.total_cmp(&a.share).then_with(|| (a.gone, a.found).cmp(&(b.gone, b.found)))
        });
        let mut taken = (HashSet::new(), HashSet::new());
        alike.retain(|pair| {
            let free = !taken.0.contains(&pair.gone) && !taken.1.contains(&pair.found);
            free && taken.0.insert(pair.gone) && taken.1.insert(pair.found)
        });
        let paths: HashMap<i64, &str> = documents.iter().map(|one| (one.id, one.path.as_str())).collect();
        let path = |id: i64| paths.get(&id).copied().unwrap_or_default();
        for Alike { gone, found, share } in store.ask_likeness(job, alike).await? {
            let message = format!(
                "looks like `{}`, whose file is gone ({:.0} % of their sequences of three words are the same); if it is \
                 the same document, `sibyl documents same {gone} {found}` gives it what people added to that one",
                path(gone),
                share * 100.0
            );
            said.push(FileReport::new(path(found), "looks_like", message));
        }
    }
    Ok(said)
}

/// Those of `documents` whose file is gone from its folder. The folder must exist and not be empty: a drive may be
/// disconnected.
fn gone(documents: &[Placed], listed: &HashSet<String>) -> Vec<Placed> {
    let mut roots: HashMap<&str, bool> = HashMap::new();
    let gone = documents.iter().filter(|document| {
        let folder = Path::new(&document.root);
        let readable = *roots.entry(&document.root).or_insert_with(|| {
            folder.is_absolute() && fs::read_dir(folder).is_ok_and(|mut entries| entries.next().is_some())
        });
        readable
            && !listed.contains(&document.path)
            && document.origin.path().is_some_and(|path| {
                fs::symlink_metadata(path).is_err_and(|error| error.kind() == ErrorKind::NotFound)
            })
    });
    gone.cloned().collect()
}

/// Documents with the same bytes as one that is gone and to which somebody added something. They are copies of it,
/// or files that replaced others.
fn copies(documents: &[Placed], gone: &[Placed], created: &[i64]) -> Vec<Alike> {
    let absent: HashSet<i64> = gone.iter().map(|one| one.id).collect();
    let mut alike = Vec::new();
    for former in gone.iter().filter(|one| one.is_used) {
        let same = documents.iter().filter(|one| {
            one.source_hash == former.source_hash
                && !one.is_used
                && !absent.contains(&one.id)
                && !created.contains(&one.id)
        });
        alike.extend(same.map(|one| Alike { gone: former.id, found: one.id, share: 1.0 }));
    }
    alike
}

/// Every document that is gone with each new one that looks like it.
async fn likenesses(library: &Library, gone: &[Placed], created: &[i64]) -> Result<Vec<Alike>> {
    if created.is_empty() {
        return Ok(Vec::new());
    }
    let former = sketches(library, gone.iter().map(|one| one.id)).await?;
    let new = sketches(library, created.iter().copied()).await?;
    let compare = move || {
        let pairs = former.iter().flat_map(|(gone, a)| new.iter().map(move |(found, b)| (gone, a, found, b)));
        let pairs = pairs.map(|(&gone, a, &found, b)| Alike { gone, found, share: likeness(a, b) });
        pairs.filter(|pair| pair.share >= ALIKE).collect()
    };
    Ok(tokio::task::spawn_blocking(compare).await?)
}

async fn sketches(library: &Library, ids: impl Iterator<Item = i64>) -> Result<BTreeMap<i64, Vec<u64>>> {
    let mut out = BTreeMap::new();
    for id in ids {
        let text = library.store().document_of_row(id).await?.text;
        out.insert(id, tokio::task::spawn_blocking(move || sketch(&text)).await?);
    }
    Ok(out)
}

/// The smallest hashes of the sequences of words of `text`, each once, rising.
fn sketch(text: &str) -> Vec<u64> {
    let words = words(text);
    let mut hashes: Vec<u64> = words
        .windows(SEQUENCE.min(words.len().max(1)))
        .map(|sequence| {
            let mut hasher = DefaultHasher::new();
            sequence.hash(&mut hasher);
            hasher.finish()
        })
        .collect();
    hashes.sort_unstable();
    hashes.dedup();
    hashes.truncate(COMPARED);
    hashes
}

/// Words in small letters. In a script without spaces, each letter counts as a word.
fn words(text: &str) -> Vec<String> {
    let mut out: Vec<String> = Vec::new();
    let mut open = false;
    for letter in text.chars() {
        let alone = matches!(letter, '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{9fff}' | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{323af}');
        if !letter.is_alphanumeric() {
            open = false;
            continue;
        }
        if alone || !open {
            out.push(String::new());
        }
        open = !alone;
        if let Some(word) = out.last_mut() {
            word.extend(letter.to_lowercase());
        }
    }
    out
}

/// How alike two texts are, 0 to 1.
fn likeness(a: &[u64], b: &[u64]) -> f64 {
    // Of the smallest hashes of both together, those that both have.
    let (mut at, mut in_a, mut in_b, mut both) = (0, 0, 0, 0_u32);
    let most = if a.len() == COMPARED || b.len() == COMPARED { COMPARED } else { usize::MAX };
    while at < most && (in_a < a.len() || in_b < b.len()) {
        let order = match (a.get(in_a), b.get(in_b)) {
            (Some(x), Some(y)) => x.cmp(y),
            (Some(_), None) => Ordering::Less,
            _ => Ordering::Greater,
        };
        both += u32::from(order.is_eq());
        in_a += usize::from(order.is_le());
        in_b += usize::from(order.is_ge());
        at += 1;
    }
    if at == 0 {
        return 0.0;
    }
    let resemblance = f64::from(both) / at as f64;
    2.0 * resemblance / (1.0 + resemblance)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn alike(a: &str, b: &str) -> f64 {
        likeness(&sketch(a), &sketch(b))
    }

    #[test]
    fn texts_are_as_alike_as_the_share_of_the_sequences_that_both_have() {
        assert_eq!(alike("One two three four five.", "one, two: three four five"), 1.0);
        // Each has three sequences, and both have two of them.
        assert!((alike("one two three four five", "one two three four six") - 2.0 / 3.0).abs() < 1e-9);
        assert_eq!(alike("one two three", "three two one"), 0.0);
        assert_eq!((alike("", ""), alike("", "one")), (0.0, 0.0));
        assert_eq!(alike("one two", "One two."), 1.0, "a short text is one sequence");
        assert!(alike("港は2029年までに14の岸壁を接続する", "港は2029年までに16の岸壁を接続する") > ALIKE);
    }

    #[test]
    fn of_long_texts_a_part_tells_the_share() {
        let text = |from: usize| (from..from + 20_000).map(|word| format!("w{word} ")).collect::<String>();
        for (apart, expected) in [(0, 1.0), (5_000, 0.75), (10_000, 0.5), (20_000, 0.0)] {
            let found = alike(&text(0), &text(apart));
            assert!((found - expected).abs() < 0.05, "{apart}: {found}");
        }
    }
}
