//! Former versions of gold sets. Every change keeps the former state of what it changed. A version is therefore
//! the present set with all later changes undone, the latest first.

use super::{GoldLabel, GoldQuery, GoldTarget, placed_labels, set_row};
use crate::error::{Error, Result};
use crate::{SqliteStore, now};
use rusqlite::{Connection, OptionalExtension as _, Transaction};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// Queries that a version names of those it changed.
const NAMED: usize = 20;

/// A version of a gold set.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct GoldVersion {
    /// Its number.
    pub version: i64,
    /// When it was made (ISO 8601, UTC).
    pub at: String,
    /// Grade from which a label counted as relevant.
    pub relevant_from: i32,
    /// Queries that it had.
    pub queries: usize,
    /// Labels that it had.
    pub labels: usize,
    /// What was changed since the previous version; `None` for the first known one.
    pub changes: Option<GoldChanges>,
}

/// The differences between a version of a gold set and the previous one.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct GoldChanges {
    /// Number of queries added.
    pub queries_added: usize,
    /// Queries with other words or another type.
    pub queries_changed: usize,
    /// Queries that went.
    pub queries_removed: usize,
    /// Number of labels added, including those of new queries.
    pub labels_added: usize,
    /// Labels with another grade.
    pub labels_changed: usize,
    /// Number of labels removed, including those of removed queries.
    pub labels_removed: usize,
    /// Ids of the first 20 queries that any of this is about.
    pub named: Vec<String>,
    /// Queries that any of this is about.
    pub touched: usize,
}

/// Words and type of a query.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct Asked {
    query: String,
    #[serde(rename = "type")]
    kind: String,
}

/// A label by its query, its target's key and its judge.
type LabelKey = (String, String, String);

/// A set at some time: everything with the row id that orders it.
#[derive(Debug, Clone, Default)]
struct Held {
    queries: HashMap<String, (i64, Asked)>,
    labels: HashMap<LabelKey, (i64, GoldLabel)>,
}

/// The former state of what a change affected.
struct Undo {
    version: i64,
    query: String,
    label: Option<(String, String)>,
    before: Option<(i64, String)>,
}

/// Begins a new version of the set at row `set`. If `relevant_from` is given, labels count as relevant from that
/// grade on. Returns its number.
pub(super) fn next_version(tx: &Transaction<'_>, set: i64, relevant_from: Option<i32>) -> Result<i64> {
    let at = now();
    let (version, relevant_from): (i64, i32) = tx
        .prepare_cached(
            "UPDATE gold_set SET version = version + 1, updated_at = ?2, relevant_from = coalesce(?3, relevant_from)
             WHERE id = ?1 RETURNING version, relevant_from",
        )?
        .query_row((set, &at, relevant_from), |row| Ok((row.get(0)?, row.get(1)?)))?;
    keep_version(tx, set, (version, &at), relevant_from)?;
    Ok(version)
}

/// Records when a version was made.
pub(super) fn keep_version(
    tx: &Transaction<'_>,
    set: i64,
    (version, at): (i64, &str),
    relevant_from: i32,
) -> Result<()> {
    tx.prepare_cached(
        "INSERT INTO gold_version (set_id, version, at, relevant_from) VALUES (?1, ?2, ?3, ?4)",
    )?
    .execute((set, version, at, relevant_from))?;
    Ok(())
}

/// Where to record a change: the set and the version that it leads to.
#[derive(Debug, Clone, Copy)]
pub(super) struct Change {
    pub set: i64,
    pub version: i64,
}

impl Change {
    /// Records the query `id` before it changes or goes; `None` if it is new.
    pub fn query(self, tx: &Transaction<'_>, id: &str, before: Option<(i64, &str, &str)>) -> Result<()> {
        let before = before.map(|(place, query, kind)| {
            (place, written(&Asked { query: query.to_owned(), kind: kind.to_owned() }))
        });
        self.keep(tx, id, None, before)
    }

    /// Records a label of the query `id` before it changes or goes; `None` if it is new.
    pub fn label(
        self,
        tx: &Transaction<'_>,
        id: &str,
        (key, judge): (&str, &str),
        before: Option<(i64, &GoldLabel)>,
    ) -> Result<()> {
        self.keep(tx, id, Some((key, judge)), before.map(|(place, label)| (place, written(label))))
    }

    fn keep(
        self,
        tx: &Transaction<'_>,
        query: &str,
        label: Option<(&str, &str)>,
        before: Option<(i64, Result<String>)>,
    ) -> Result<()> {
        let (place, before) = match before {
            Some((place, before)) => (Some(place), Some(before?)),
            None => (None, None),
        };
        tx.prepare_cached(
            "INSERT INTO gold_change (set_id, version, query_id, key, judge, place, before)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
        )?
        .execute((
            self.set,
            self.version,
            query,
            label.map(|it| it.0),
            label.map(|it| it.1),
            place,
            before,
        ))?;
        Ok(())
    }
}

fn written(value: &impl Serialize) -> Result<String> {
    serde_json::to_string(value)
        .map_err(|error| Error::Damaged(format!("a change to a gold set cannot be recorded: {error}")))
}

impl Held {
    /// The set at row `set` as it is now.
    fn now(c: &Connection, set: i64) -> Result<Self> {
        let mut held = Self::default();
        let mut select =
            c.prepare_cached("SELECT id, query_id, text, kind FROM gold_query WHERE set_id = ?1")?;
        let rows = select.query_map([set], |row| {
            let asked = Asked { query: row.get(2)?, kind: row.get(3)? };
            Ok((row.get(0)?, row.get::<_, String>(1)?, asked))
        })?;
        for row in rows {
            let (place, id, asked): (i64, String, Asked) = row?;
            for (place, label) in placed_labels(c, place)? {
                held.labels.insert((id.clone(), label.target.key(), label.judge.clone()), (place, label));
            }
            held.queries.insert(id, (place, asked));
        }
        Ok(held)
    }

    /// Undoes a change.
    fn undo(&mut self, change: Undo) -> Result<()> {
        let Undo { query, label, before, .. } = change;
        let damaged =
            |error| Error::Damaged(format!("an earlier version of a gold set cannot be read: {error}"));
        match (label, before) {
            (None, None) => _ = self.queries.remove(&query),
            (None, Some((place, before))) => {
                self.queries.insert(query, (place, serde_json::from_str(&before).map_err(damaged)?));
            }
            (Some((key, judge)), None) => _ = self.labels.remove(&(query, key, judge)),
            (Some((key, judge)), Some((place, before))) => {
                let label = serde_json::from_str(&before).map_err(damaged)?;
                self.labels.insert((query, key, judge), (place, label));
            }
        }
        Ok(())
    }

    /// The queries with their labels, in their order.
    fn queries(self) -> Vec<GoldQuery> {
        let mut labels: HashMap<String, BTreeMap<i64, GoldLabel>> = HashMap::new();
        for ((query, ..), (place, label)) in self.labels {
            labels.entry(query).or_default().insert(place, label);
        }
        let mut queries: Vec<(i64, String, Asked)> =
            self.queries.into_iter().map(|(id, (place, asked))| (place, id, asked)).collect();
        queries.sort_by_key(|(place, ..)| *place);
        let query = |(_, id, Asked { query, kind }): (i64, String, Asked)| {
            let labels = labels.remove(&id).map(|labels| labels.into_values().collect()).unwrap_or_default();
            GoldQuery { id, query, kind, labels }
        };
        queries.into_iter().map(query).collect()
    }
}

/// What was added, changed and removed between two states of one thing.
fn counted<T: PartialEq>(
    before: Option<&T>,
    after: Option<&T>,
    [added, changed, removed]: [&mut usize; 3],
) -> bool {
    let count = match (before, after) {
        (None, Some(_)) => added,
        (Some(_), None) => removed,
        (Some(before), Some(after)) if before != after => changed,
        _ => return false,
    };
    *count += 1;
    true
}

/// What is different in `after`, of the queries and labels that were touched.
fn changes(
    before: &Held,
    after: &Held,
    queries: BTreeSet<String>,
    labels: BTreeSet<LabelKey>,
) -> GoldChanges {
    let mut found = GoldChanges::default();
    let mut touched = BTreeSet::new();
    for id in queries {
        let asked = |held: &'_ Held| held.queries.get(&id).map(|(_, asked)| asked.clone());
        let counts = [&mut found.queries_added, &mut found.queries_changed, &mut found.queries_removed];
        if counted(asked(before).as_ref(), asked(after).as_ref(), counts) {
            touched.insert(id);
        }
    }
    for key in labels {
        // Giving the same grade again changes nothing.
        let judged =
            |held: &'_ Held| held.labels.get(&key).map(|(_, label)| (label.grade, label.target.clone()));
        let counts = [&mut found.labels_added, &mut found.labels_changed, &mut found.labels_removed];
        if counted::<(i32, GoldTarget)>(judged(before).as_ref(), judged(after).as_ref(), counts) {
            touched.insert(key.0);
        }
    }
    found.touched = touched.len();
    found.named = touched.into_iter().take(NAMED).collect();
    found
}

/// Changes of the set at row `set` after `version`, the latest first.
fn later(c: &Connection, set: i64, version: i64) -> Result<Vec<Undo>> {
    let mut select = c.prepare_cached(
        "SELECT version, query_id, key, judge, place, before FROM gold_change WHERE set_id = ?1 AND version > ?2
         ORDER BY id DESC",
    )?;
    let rows = select.query_map((set, version), |row| {
        let label: Option<String> = row.get(2)?;
        let judge: Option<String> = row.get(3)?;
        let place: Option<i64> = row.get(4)?;
        Ok(Undo {
            version: row.get(0)?,
            query: row.get(1)?,
            label: label.zip(judge),
            before: place.zip(row.get(5)?),
        })
    })?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}

impl SqliteStore {
    pub(crate) async fn gold_history(&self, workspace: i64, name: &str) -> Result<Vec<GoldVersion>> {
        let name = name.to_owned();
        self.pool
            .read(move |c| {
                let set = set_row(c, workspace, &name)?;
                let mut select = c.prepare_cached(
                    "SELECT version, at, relevant_from FROM gold_version WHERE set_id = ?1 ORDER BY version DESC",
                )?;
                let known = select
                    .query_map([set], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))?
                    .collect::<rusqlite::Result<Vec<(i64, String, i32)>>>()?;
                let mut undone = later(c, set, 0)?.into_iter().peekable();
                let mut held = Held::now(c, set)?;
                let mut versions = Vec::with_capacity(known.len());
                let first = known.last().map_or(0, |(version, ..)| *version);
                for (version, at, relevant_from) in known {
                    let (queries, labels) = (held.queries.len(), held.labels.len());
                    let (mut of_queries, mut of_labels) = (BTreeSet::new(), BTreeSet::new());
                    let mut own = Vec::new();
                    while let Some(change) = undone.next_if(|change| change.version == version) {
                        match &change.label {
                            None => _ = of_queries.insert(change.query.clone()),
                            Some((key, judge)) => {
                                of_labels.insert((change.query.clone(), key.clone(), judge.clone()));
                            }
                        }
                        own.push(change);
                    }
                    // Only the affected parts of the former version are needed.
                    let after = Held {
                        queries: of_queries
                            .iter()
                            .filter_map(|id| Some((id.clone(), held.queries.get(id)?.clone())))
                            .collect(),
                        labels: of_labels
                            .iter()
                            .filter_map(|key| Some((key.clone(), held.labels.get(key)?.clone())))
                            .collect(),
                    };
                    own.into_iter().try_for_each(|change| held.undo(change))?;
                    let changes =
                        (version > first).then(|| changes(&held, &after, of_queries, of_labels));
                    versions.push(GoldVersion { version, at, relevant_from, queries, labels, changes });
                }
                Ok(versions)
            })
            .await
    }

    pub(crate) async fn gold_queries_at(
        &self,
        workspace: i64,
        name: &str,
        version: i64,
    ) -> Result<(Vec<GoldQuery>, i32)> {
        let name = name.to_owned();
        self.pool
            .read(move |c| {
                let set = set_row(c, workspace, &name)?;
                let relevant_from = c
                    .prepare_cached(
                        "SELECT relevant_from FROM gold_version WHERE set_id = ?1 AND version = ?2",
                    )?
                    .query_row((set, version), |row| row.get(0))
                    .optional()?;
                let Some(relevant_from) = relevant_from else { return Err(unknown(c, set, version)?) };
                let mut held = Held::now(c, set)?;
                later(c, set, version)?.into_iter().try_for_each(|change| held.undo(change))?;
                Ok((held.queries(), relevant_from))
            })
            .await
    }
}

fn unknown(c: &Connection, set: i64, version: i64) -> Result<Error> {
    let (first, last): (i64, i64) = c.query_row(
        "SELECT coalesce(min(version), 0), coalesce(max(version), 0) FROM gold_version WHERE set_id = ?1",
        [set],
        |row| Ok((row.get(0)?, row.get(1)?)),
    )?;
    Ok(Error::NotFound {
        what: "version of the gold set",
        id: version.to_string(),
        cure: format!("; choose one from {first} to {last}"),
    })
}

#[cfg(test)]
mod tests {
    use super::super::{GoldFilter, GoldSpan};
    use super::*;
    use crate::Place;

    fn id(id: &str) -> GoldTarget {
        GoldTarget::Identifier { id: id.to_owned() }
    }

    fn span(quote: &str) -> GoldTarget {
        let [path, quote, before, after] = ["a.md", quote, "", ""].map(str::to_owned);
        GoldTarget::Span(GoldSpan { path, quote, before, after, text_version: String::new() })
    }

    fn query(id: &str, words: &str, labels: &[(GoldTarget, i32)]) -> GoldQuery {
        let label = |(target, grade): &(GoldTarget, i32)| GoldLabel {
            target: target.clone(),
            grade: *grade,
            judge: String::new(),
            at: now(),
        };
        let (query, labels) = (words.to_owned(), labels.iter().map(label).collect());
        GoldQuery { id: id.to_owned(), query, kind: String::new(), labels }
    }

    #[tokio::test]
    async fn every_version_is_the_set_as_it_was_and_tells_what_it_changed() {
        let folder = tempfile::tempdir().unwrap();
        let store = SqliteStore::open(Place::named(folder.path())).unwrap();
        let workspace = store.workspace("default").await.unwrap().id;
        let set = async || {
            let (queries, _) = store.gold_queries(workspace, "gold", GoldFilter::default()).await.unwrap();
            (queries, store.gold_set(workspace, "gold").await.unwrap().relevant_from)
        };
        let put = async |relevant_from, queries, replaced| {
            store.put_gold_set(workspace, "gold", relevant_from, queries, replaced).await.unwrap();
        };
        let judge = async |query: &str, target: GoldTarget, judge: &str, grade| {
            store.judge(workspace, "gold", query, target, judge, grade).await.unwrap();
        };
        let mut was = Vec::new();
        put(2, vec![query("a", "fern", &[(id("1"), 3), (span("moss"), 2)]), query("b", "moss", &[])], false)
            .await;
        was.push(set().await);
        judge("b", span("moss"), "Ann", Some(3)).await;
        was.push(set().await);
        judge("b", span("moss"), "Ann", Some(1)).await;
        was.push(set().await);
        judge("b", span("moss"), "Ann", Some(1)).await;
        was.push(set().await);
        judge("b", span("moss"), "Ann", None).await;
        was.push(set().await);
        judge("b", span("moss"), "Ann", None).await;
        was.push(set().await);
        store.put_gold_query(workspace, "gold", query("a", "ferns", &[(id("2"), 1)])).await.unwrap();
        was.push(set().await);
        store.delete_gold_query(workspace, "gold", "a").await.unwrap();
        was.push(set().await);
        put(1, vec![query("a", "fern", &[(id("1"), 3)]), query("c", "lichen", &[])], false).await;
        was.push(set().await);
        put(1, vec![query("c", "lichen", &[(id("9"), 2)])], true).await;
        was.push(set().await);
        store.rename_gold_set(workspace, "gold", "plants").await.unwrap();
        store.rename_gold_set(workspace, "plants", "gold").await.unwrap();

        for (version, was) in (1..).zip(&was) {
            assert_eq!(&store.gold_queries_at(workspace, "gold", version).await.unwrap(), was, "{version}");
        }
        let history = store.gold_history(workspace, "gold").await.unwrap();
        let held: Vec<(i64, usize, i32)> =
            history.iter().rev().map(|it| (it.version, it.queries, it.relevant_from)).collect();
        let expected = (1..).zip(&was).map(|(version, (queries, from))| (version, queries.len(), *from));
        assert_eq!(held, expected.collect::<Vec<_>>());
        let told: Vec<[usize; 7]> = history
            .iter()
            .rev()
            .filter_map(|version| version.changes.as_ref())
            .map(|it| {
                [
                    it.queries_added,
                    it.queries_changed,
                    it.queries_removed,
                    it.labels_added,
                    it.labels_changed,
                    it.labels_removed,
                    it.touched,
                ]
            })
            .collect();
        let expected = [
            [0, 0, 0, 1, 0, 0, 1],
            [0, 0, 0, 0, 1, 0, 1],
            // The same grade again, and the withdrawal of one that does not exist.
            [0, 0, 0, 0, 0, 0, 0],
            [0, 0, 0, 0, 0, 1, 1],
            [0, 0, 0, 0, 0, 0, 0],
            [0, 1, 0, 1, 0, 0, 1],
            [0, 0, 1, 0, 0, 3, 1],
            [2, 0, 0, 1, 0, 0, 2],
            // `c` is put back as it was, with a label.
            [0, 0, 2, 1, 0, 1, 3],
        ];
        assert_eq!(told, expected);
        assert_eq!(history[0].changes.as_ref().unwrap().named, ["a", "b", "c"]);
        let unknown = store.gold_queries_at(workspace, "gold", 11).await.unwrap_err();
        assert!(unknown.to_string().contains("choose one from 1 to 10"), "{unknown}");
        assert!(
            store.gold_history(workspace + 1, "gold").await.is_err(),
            "another workspace does not see it"
        );
        store.delete_gold_set(workspace, "gold").await.unwrap();
    }
}
