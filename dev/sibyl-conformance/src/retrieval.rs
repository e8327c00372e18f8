//! Laws of scopes and of the keyword leg, against a model that looks at every chunk.

use crate::Bench;
use crate::made::{Desk, Random, WORDS, described, document, new_corpus};
use serde_json::{Map, Value, json};
use sibyl_store::keyword::{Clause, KeywordQuery, Phrase, Wanted};
use sibyl_store::scope::{Filters, Scope};
use sibyl_text::source_type::field;
use std::collections::{BTreeSet, HashMap, HashSet};
use std::sync::Arc;

/// A chunk as the model knows it.
struct Known {
    key: i64,
    chunk_id: String,
    workspace: Option<i64>,
    corpus: &'static str,
    source_type: &'static str,
    path: String,
    report: Option<String>,
    metadata: Map<String, Value>,
    text: String,
}

impl Known {
    /// Whether a field of its metadata is `value`, or a list with it, ignoring case.
    fn has(&self, field: &str, value: &str) -> bool {
        let same = |one: &Value| one.as_str().is_some_and(|text| text.eq_ignore_ascii_case(value));
        let field = self.metadata.get(field);
        field.is_some_and(|one| same(one) || one.as_array().is_some_and(|all| all.iter().any(same)))
    }

    fn is_left_by(&self, filters: &Filters) -> bool {
        let any = |values: &[String], test: &dyn Fn(&str) -> bool| {
            values.is_empty() || values.iter().any(|value| test(value))
        };
        any(&filters.source_types, &|value| self.source_type == value)
            && any(&filters.corpora, &|value| self.corpus.eq_ignore_ascii_case(value))
            && any(&filters.reports, &|value| self.report.as_deref() == Some(value))
            && filters
                .report_or_none
                .as_ref()
                .is_none_or(|one| self.report.as_ref().is_none_or(|own| own == one))
            && any(filters.fields.values(&field::SECTION), &|value| self.has("section", value))
            && any(filters.fields.values(&field::TAG), &|value| self.has("tags", value))
            && any(filters.fields.values(&field::MODULE), &|value| self.has("module", value))
            && any(filters.fields.values(&field::CONTENT_TYPE), &|value| self.has("content_type", value))
            && any(&filters.paths, &|value| {
                self.path == value || self.path.starts_with(&format!("{}/", value.trim_end_matches('/')))
            })
    }

    /// How often the words of `phrase` follow each other in it.
    fn frequency(&self, phrase: &str) -> usize {
        let (text, words): (Vec<&str>, Vec<&str>) =
            (self.text.split(' ').collect(), phrase.split(' ').collect());
        text.windows(words.len()).filter(|window| *window == words).count()
    }

    fn meets(&self, clause: &Clause) -> bool {
        match clause {
            Clause::Phrase(phrase) => self.frequency(&phrase.text) > 0,
            Clause::Should(parts) => parts.iter().any(|part| self.meets(part)),
            Clause::Must(parts) => parts.iter().all(|part| self.meets(part)),
            Clause::MustNot(parts) => self.meets(&parts[0]) && !self.meets(&parts[1]),
        }
    }
}

const SECTIONS: [&str; 3] = ["Risk", "Strategy", "Targets"];
const TAGS: [&str; 3] = ["water", "air", "soil"];
const FOLDERS: [&str; 3] = ["in", "in/deep", "inner"];

/// Two workspaces with a corpus each, a shared one, and what the model knows of them.
struct Shelves<B> {
    desk: Desk<B>,
    west: i64,
    corpora: [(i64, Option<i64>, &'static str, &'static str); 3],
    known: Vec<Known>,
    random: Random,
    made: usize,
}

impl<B: Bench> Shelves<B> {
    async fn new(seed: u64, documents: usize) -> Self {
        let desk = Desk::<B>::new().await;
        let west = desk.another("west").await;
        let put = async |workspace, name, source_type| {
            desk.store.put_corpus(new_corpus(workspace, name, source_type)).await.unwrap().id
        };
        let corpora = [
            (put(Some(desk.workspace), "own", "text").await, Some(desk.workspace), "own", "text"),
            (put(Some(west), "west", "report").await, Some(west), "west", "report"),
            (put(None, "shared", "docs").await, None, "shared", "docs"),
        ];
        let mut shelves = Self { desk, west, corpora, known: Vec::new(), random: Random(seed), made: 0 };
        for _ in 0..documents {
            shelves.add().await;
        }
        shelves
    }

    /// Stores one more document.
    async fn add(&mut self) {
        let random = &mut self.random;
        let (corpus, workspace, name, source_type) = *random.pick(&self.corpora);
        self.made += 1;
        let path = format!("{}/{}.md", random.pick(&FOLDERS), self.made);
        let report = random.once_in(3).then(|| format!("r{}", random.below(3)));
        let parts: Vec<(String, Map<String, Value>)> = (0..1 + random.below(4))
            .map(|n| {
                let mut metadata = Map::new();
                if random.once_in(2) {
                    metadata.insert("section".to_owned(), json!(random.pick(&SECTIONS)));
                }
                if random.once_in(2) {
                    metadata.insert("tags".to_owned(), json!([random.pick(&TAGS), random.pick(&TAGS)]));
                }
                if random.once_in(2) {
                    metadata.insert("module".to_owned(), json!(format!("m{}", random.below(3))));
                }
                metadata.insert("content_type".to_owned(), json!(if n % 2 == 0 { "prose" } else { "table" }));
                (random.text(1, 12), metadata)
            })
            .collect();
        let mut new = described(corpus, &path, parts);
        new.report_id.clone_from(&report);
        let id = self.desk.put(new).await;
        let seen_by = workspace.unwrap_or(self.west);
        for chunk in self.desk.store.chunks_of(seen_by, id, 0, i64::MAX).await.unwrap() {
            self.known.push(Known {
                key: chunk.id,
                chunk_id: chunk.chunk_id,
                workspace,
                corpus: name,
                source_type,
                path: path.clone(),
                report: report.clone(),
                metadata: chunk.metadata,
                text: chunk.text,
            });
        }
    }

    /// Deletes a document.
    async fn remove(&mut self) {
        let path = self.random.pick(&self.known).path.clone();
        for (corpus, ..) in self.corpora {
            if let Some(row) = self.desk.store.document_at(corpus, &path).await.unwrap() {
                self.desk.store.delete_documents(vec![row.id]).await.unwrap();
            }
        }
        self.known.retain(|chunk| chunk.path != path);
    }

    /// What the model says that `workspace` sees after `filters`.
    fn expected(&self, workspace: i64, filters: &Filters) -> Vec<&Known> {
        let seen = self.known.iter().filter(|one| one.workspace.is_none_or(|own| own == workspace));
        seen.filter(|one| one.is_left_by(filters)).collect()
    }

    fn filters(&mut self) -> Filters {
        let random = &mut self.random;
        let mut filters = Filters::default();
        let mut some = |values: &[&str]| {
            if !random.once_in(3) {
                return Vec::new();
            }
            (0..1 + random.below(2)).map(|_| (*random.pick(values)).to_owned()).collect::<Vec<_>>()
        };
        filters.source_types = some(&["text", "report", "docs"]);
        filters.corpora = some(&["OWN", "shared", "west"]);
        filters.reports = some(&["r0", "r1", "r2"]);
        filters.report_or_none = some(&["r0", "r1"]).into_iter().next();
        filters.fields.set(&field::SECTION, some(&["risk", "Strategy", "TARGETS"]));
        filters.fields.set(&field::TAG, some(&["Water", "air"]));
        filters.fields.set(&field::MODULE, some(&["m0", "M1"]));
        filters.fields.set(&field::CONTENT_TYPE, some(&["prose", "TABLE"]));
        filters.paths = some(&["in", "in/deep/", "inner"]);
        filters
    }

    fn check(&self, workspace: i64, filters: &Filters, scope: &Scope) {
        let expected: HashSet<i64> = self.expected(workspace, filters).iter().map(|one| one.key).collect();
        for one in &self.known {
            let key = one.key;
            assert_eq!(scope.allowed.holds(key), expected.contains(&key), "{filters:?} {}", one.path);
        }
        assert_eq!(scope.allowed.len(), expected.len() as u64, "{filters:?}");
        let visible = self.expected(workspace, &Filters::default()).len() as u64;
        assert_eq!((scope.visible.len(), scope.allowed.before()), (visible, visible));
        assert_eq!(scope.total, self.known.len() as u64);
    }

    /// A condition over made-up words, at most `depth` deep.
    fn clause(&mut self, depth: usize) -> Clause {
        let count = 1 + self.random.below(3);
        match if depth == 0 { 0 } else { self.random.below(4) } {
            0 => Clause::Phrase(Phrase::new(self.random.text(1, 2))),
            1 => Clause::Should((0..count).map(|_| self.clause(depth - 1)).collect()),
            2 => Clause::Must((0..count).map(|_| self.clause(depth - 1)).collect()),
            _ => Clause::MustNot(Box::new([self.clause(depth - 1), self.clause(depth - 1)])),
        }
    }
}

/// How many phrases `clause` holds.
fn phrases(clause: &Clause) -> usize {
    match clause {
        Clause::Phrase(_) => 1,
        Clause::Should(parts) | Clause::Must(parts) => parts.iter().map(phrases).sum(),
        Clause::MustNot(parts) => parts.iter().map(phrases).sum(),
    }
}

/// A query for any of `words`, each with a weight.
fn any_of(words: &[(&str, f64)]) -> KeywordQuery {
    let clauses = words.iter().map(|(word, _)| Clause::Phrase(Phrase::new(*word)));
    KeywordQuery {
        clause: Some(Clause::Should(clauses.collect())),
        weights: words.iter().map(|(_, weight)| *weight).collect(),
        ..KeywordQuery::default()
    }
}

/// A scope has exactly what the workspace sees and every filter allows.
pub async fn a_scope_is_what_its_filters_leave<B: Bench>() {
    let mut shelves = Shelves::<B>::new(3, 40).await;
    for round in 0..60 {
        let filters = shelves.filters();
        let workspace = if round % 2 == 0 { shelves.desk.workspace } else { shelves.west };
        let scope = shelves.desk.store.scope(workspace, filters.clone()).await.unwrap();
        shelves.check(workspace, &filters, &scope);
    }
}

/// A scope that is brought up to date is the one that is resolved afresh.
pub async fn a_scope_brought_up_to_date_is_a_fresh_one<B: Bench>() {
    let mut shelves = Shelves::<B>::new(4, 12).await;
    let workspace = shelves.desk.workspace;
    let filters: Vec<Filters> = (0..6).map(|_| shelves.filters()).collect();
    let mut kept: Vec<Option<Arc<Scope>>> = vec![None; filters.len()];
    for round in 0..12 {
        if round % 3 == 2 {
            shelves.remove().await;
        } else {
            shelves.add().await;
        }
        for (filters, known) in filters.iter().zip(&mut kept) {
            let scope =
                shelves.desk.store.scope_since(workspace, filters.clone(), known.take()).await.unwrap();
            shelves.check(workspace, filters, &scope);
            *known = Some(Arc::new(scope));
        }
    }
}

/// A value that no chunk has is named.
pub async fn an_unknown_filter_value_is_named<B: Bench>() {
    let desk = Desk::<B>::new().await;
    desk.shelf(&["alba".to_owned()]).await;
    let filters = Filters::default().with(&field::TAG, ["nirgends"]);
    let scope = desk.store.scope(desk.workspace, filters).await.unwrap();
    assert!(scope.allowed.is_empty());
    assert!(scope.notices.iter().any(|notice| notice.contains("nirgends")), "{:?}", scope.notices);
    let plain = desk.store.scope(desk.workspace, Filters::default()).await.unwrap();
    assert_eq!(plain.notices, Vec::<String>::new());
}

/// The corpora of a scope are those that a chunk in it belongs to.
pub async fn a_scope_names_its_corpora<B: Bench>() {
    let mut shelves = Shelves::<B>::new(5, 25).await;
    for _ in 0..20 {
        let filters = shelves.filters();
        let scope = shelves.desk.store.scope(shelves.west, filters.clone()).await.unwrap();
        let named: BTreeSet<i64> = scope.corpora.iter().map(|corpus| corpus.id).collect();
        let names: HashSet<&str> =
            shelves.expected(shelves.west, &filters).iter().map(|one| one.corpus).collect();
        let expected = shelves.corpora.iter().filter(|(_, _, name, _)| names.contains(name));
        assert_eq!(named, expected.map(|(id, ..)| *id).collect());
    }
}

/// The leg by words finds the chunks of the scope that meet the condition, and no others.
pub async fn words_find_what_holds_them<B: Bench>() {
    let mut shelves = Shelves::<B>::new(6, 40).await;
    for _ in 0..60 {
        let (clause, filters) = (shelves.clause(2), shelves.filters());
        let scope = shelves.desk.store.scope(shelves.west, filters.clone()).await.unwrap();
        let weights = vec![1.0; phrases(&clause)];
        let query = KeywordQuery { clause: Some(clause.clone()), weights, ..KeywordQuery::default() };
        let list = shelves.desk.store.keyword_ranked(query, &scope, 10_000).await.unwrap();
        let found: BTreeSet<i64> = list.hits.iter().map(|hit| hit.row).collect();
        let expected = shelves.expected(shelves.west, &filters).into_iter().filter(|one| one.meets(&clause));
        assert_eq!(found, expected.map(|one| one.key).collect(), "{clause:?} {filters:?}");
        assert_eq!(list.matched, found.len());
    }
}

/// The score of a chunk is BM25 with k1 = 1.2 and b = 0.75, its length measured against the chunks of the whole library.
pub async fn scores_of_words_are_bm25<B: Bench>() {
    let mut shelves = Shelves::<B>::new(7, 40).await;
    let length = |one: &Known| one.text.split(' ').count() as f64;
    let average = shelves.known.iter().map(length).sum::<f64>() / shelves.known.len() as f64;
    for round in 0..20 {
        let mut words = WORDS.map(|word| (word, 0.5 + (shelves.random.below(100) as f64) / 50.0));
        words.rotate_left(round % 10);
        let (words, filters) = (&words[..1 + round % 4], shelves.filters());
        let scope = shelves.desk.store.scope(shelves.west, filters.clone()).await.unwrap();
        let list = shelves.desk.store.keyword_ranked(any_of(words), &scope, 10_000).await.unwrap();
        let known: HashMap<i64, &Known> = shelves.known.iter().map(|one| (one.key, one)).collect();
        for hit in &list.hits {
            let one = known[&hit.row];
            let norm = 1.2 * (0.25 + 0.75 * length(one) / average);
            let score: f64 = words
                .iter()
                .map(|(word, weight)| (one.frequency(word) as f64, weight))
                .map(|(frequency, weight)| weight * frequency * 2.2 / (frequency + norm))
                .sum();
            assert!((hit.score - score).abs() < 1e-9, "{words:?} {}: {} {score}", one.text, hit.score);
            assert_eq!(hit.chunk_id, one.chunk_id);
        }
        let order = |a: &(f64, &String), b: &(f64, &String)| b.0.total_cmp(&a.0).then(b.1.cmp(a.1));
        let ranked: Vec<_> = list.hits.iter().map(|hit| (hit.score, &hit.chunk_id)).collect();
        let mut sorted = ranked.clone();
        sorted.sort_by(order);
        assert_eq!(ranked, sorted, "best first, of equal ones the greater chunk id");
    }
}

/// A shorter list is the beginning of a longer one, and the rank of a chunk is its place in the whole list.
pub async fn ranks_are_places_in_the_whole_list<B: Bench>() {
    let shelves = Shelves::<B>::new(8, 40).await;
    let scope = shelves.desk.store.scope(shelves.west, Filters::default()).await.unwrap();
    let query = any_of(&[("alba", 1.0), ("kelp", 2.0), ("corm", 0.5)]);
    let whole = shelves.desk.store.keyword_ranked(query.clone(), &scope, 10_000).await.unwrap();
    assert!(whole.hits.len() > 10);
    for depth in [0, 1, 5, whole.hits.len()] {
        let list = shelves.desk.store.keyword_ranked(query.clone(), &scope, depth).await.unwrap();
        assert_eq!((&list.hits[..], list.matched), (&whole.hits[..depth], whole.matched));
    }
    let all: Vec<i64> = shelves.known.iter().map(|one| one.key).collect();
    let ranks = shelves.desk.store.keyword_ranks(query, &scope, all).await.unwrap();
    let expected = whole.hits.iter().zip(1..).map(|(hit, rank)| (hit.row, (hit.score, rank)));
    assert_eq!(ranks, expected.collect());
}

/// A score is the sum of its leaves.
pub async fn leaves_add_up_to_the_score<B: Bench>() {
    let shelves = Shelves::<B>::new(9, 30).await;
    let scope = shelves.desk.store.scope(shelves.west, Filters::default()).await.unwrap();
    let query = KeywordQuery {
        pairs: vec![[0, 1], [1, 2]],
        pair_weights: [0.3, 0.7],
        ..any_of(&[("alba", 1.0), ("brix", 2.0), ("corm", 0.5)])
    };
    let list = shelves.desk.store.keyword_ranked(query.clone(), &scope, 10_000).await.unwrap();
    let rows = list.hits.iter().map(|hit| hit.row).collect();
    let leaves = shelves.desk.store.keyword_leaves(query, list.pair_weights.clone(), rows).await.unwrap();
    assert!(
        leaves.values().flatten().any(|leaf| leaf.phrases.len() == 2),
        "a pair stands together somewhere"
    );
    for hit in &list.hits {
        let sum: f64 = leaves[&hit.row].iter().map(|leaf| leaf.value).sum();
        assert!((sum - hit.score).abs() < 1e-9, "{}: {sum} {}", hit.chunk_id, hit.score);
    }
}

/// A phrase counts over what the workspace sees, and a stem over the library. A stem that the workspace does not
/// see counts 0.
pub async fn frequencies_tell_nobody_anothers_words<B: Bench>() {
    let mut shelves = Shelves::<B>::new(10, 40).await;
    let secret = shelves.corpora[1].0;
    shelves.desk.put(document(secret, "secret.md", &["zork alba", "zork"])).await;
    for (workspace, zork) in [(shelves.desk.workspace, 0), (shelves.west, 2)] {
        let scope = shelves.desk.store.scope(workspace, Filters::default()).await.unwrap();
        let wanted = |name: &str| Wanted { name: name.to_owned(), phrase: Phrase::new(name), known: None };
        let stems = WORDS.into_iter().chain(["zork"]).map(wanted).collect();
        let pair = Phrase::new(shelves.random.text(2, 2));
        let phrase = Wanted { name: pair.clone(), phrase: pair.clone(), known: None };
        let counted = shelves.desk.store.keyword_frequencies(stems, vec![phrase], &scope).await.unwrap();
        assert_eq!(counted.chunks, shelves.known.len() as u64 + 2);
        assert_eq!(counted.stems["zork"], zork);
        for word in &WORDS[1..] {
            let all = shelves.known.iter().filter(|one| one.frequency(word) > 0).count();
            assert_eq!(counted.stems[*word], all as u64, "{word}");
        }
        let seen = shelves.expected(workspace, &Filters::default());
        let holding = seen.iter().filter(|one| one.frequency(&pair.text) > 0).count();
        assert_eq!(counted.phrases[&pair], holding as u64, "{pair:?}");
    }
}

/// Two words are one to the index exactly where the stemmer gives both the same tokens.
pub async fn the_stemmer_is_that_of_the_index<B: Bench>() {
    let desk = Desk::<B>::new().await;
    let words = ["emission", "emissions", "emitted", "Källa", "kalla", "running", "run", "S2", "s2", "s1"];
    let texts = words.map(str::to_owned);
    let (_, id) = desk.shelf(&texts).await;
    let keys: Vec<i64> = desk.chunks(id).await.iter().map(|chunk| chunk.id).collect();
    let stems = desk.store.stemmer().unwrap().tokens(&texts).unwrap();
    let scope = desk.store.scope(desk.workspace, Filters::default()).await.unwrap();
    for (word, stem) in words.iter().zip(&stems) {
        let list = desk.store.keyword_ranked(any_of(&[(word, 1.0)]), &scope, 100).await.unwrap();
        let found: BTreeSet<i64> = list.hits.iter().map(|hit| hit.row).collect();
        let same = keys.iter().zip(&stems).filter(|(_, other)| *other == stem);
        assert_eq!(found, same.map(|(key, _)| *key).collect(), "{word}");
    }
    let none = desk.store.stemmer().unwrap().tokens(&["§ — ()".to_owned()]).unwrap();
    assert_eq!(none, [Vec::<String>::new()]);
}

/// Words are corrected by those that the workspace has, never by another's.
pub async fn a_vocabulary_is_the_workspaces_own<B: Bench>() {
    let desk = Desk::<B>::new().await;
    let west = desk.another("west").await;
    desk.shelf(&["governance of harbours".to_owned()]).await;
    let nearest = async |workspace, word: &str| {
        let scope = desk.store.scope(workspace, Filters::default()).await.unwrap();
        let words = desk.store.vocabulary(&scope, None).await.unwrap().nearest(word, 3);
        words.into_iter().map(|(word, _)| word).collect::<Vec<_>>()
    };
    assert_eq!(nearest(desk.workspace, "govrnance").await, ["governance"]);
    assert!(nearest(west, "govrnance").await.is_empty());
}

/// References and paragraph ids are looked up among the chunks that are handed over.
pub async fn references_stay_within_the_set<B: Bench>() {
    let desk = Desk::<B>::new().await;
    let corpus = desk.corpus(Some(desk.workspace), "texts").await;
    let part =
        |text: &str, id: &str| (text.to_owned(), Map::from_iter([("paragraph_id".to_owned(), json!(id))]));
    let first = desk.put(described(corpus, "a.md", vec![part("alba", "S1.1"), part("brix", "S1.2")])).await;
    let second = desk.put(described(corpus, "b.md", vec![part("corm", "S1.1")])).await;
    let whole = desk.store.scope(desk.workspace, Filters::default()).await.unwrap().allowed;
    let of_first = Arc::new(whole.within(&desk.store.rows_of_document(first).await.unwrap()));
    let rows = async |set: &Arc<_>| {
        let found = desk.store.chunks_of_keys(vec!["S1.1".to_owned()], Arc::clone(set)).await.unwrap();
        found["S1.1"].iter().map(|(key, _)| *key).collect::<Vec<i64>>()
    };
    let (one, other) = (desk.chunks(first).await[0].id, desk.chunks(second).await.remove(0));
    assert_eq!(rows(&whole).await, [one, other.id]);
    assert_eq!(rows(&of_first).await, [one]);
    let ids = desk.store.paragraph_ids(Arc::clone(&of_first)).await.unwrap();
    assert_eq!(ids.into_iter().collect::<Vec<_>>(), ["S1.1", "S1.2"]);
    let asked = vec![other.chunk_id.clone()];
    assert!(desk.store.rows_of_chunks(asked.clone(), of_first).await.unwrap().is_empty());
    let found = desk.store.rows_of_chunks(asked, whole).await.unwrap();
    assert_eq!(found, HashMap::from([(other.chunk_id, other.id)]));
}
