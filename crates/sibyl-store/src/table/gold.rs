//! Gold sets: judged queries of a workspace. A label names an identifier or a span of a document, never a chunk.
//!
//! Over 500 lines: a table, its rows, its readers and its writers are one file.

mod history;

pub use history::{GoldChanges, GoldVersion};

use super::kept_text;
use crate::error::{Error, Result};
use crate::{SqliteStore, json, now};
use history::{Change, keep_version, next_version};
use rusqlite::{Connection, OptionalExtension as _, Row, Transaction};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// A set of judged queries as a list shows it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct GoldSet {
    /// Its name, unique in its workspace.
    pub name: String,
    /// Increases with every change of queries and labels.
    pub version: i64,
    /// Grade from which a label counts as relevant.
    pub relevant_from: i32,
    /// Its queries.
    pub queries: usize,
    /// Queries with a relevant label.
    pub answerable: usize,
    /// Queries that nobody has judged: they have no part in any average.
    pub unlabelled: usize,
    /// Its labels, without judgments that nothing answers a query.
    pub labels: usize,
    /// Labels that are spans of documents; the others are identifiers.
    pub spans: usize,
    /// The judges by name, with the number of their labels; labels that came with the set have no judge and are
    /// left out.
    pub judges: BTreeMap<String, usize>,
    /// Queries of each type that is named.
    pub types: BTreeMap<String, usize>,
    /// When it was made (ISO 8601, UTC).
    pub created_at: String,
    /// When it last changed (ISO 8601, UTC).
    pub updated_at: String,
}

/// A judged query.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct GoldQuery {
    /// Its id, unique in its set.
    pub id: String,
    /// What is searched for.
    pub query: String,
    /// Its type, such as `paraphrase`; empty if none is named.
    #[serde(rename = "type")]
    pub kind: String,
    /// Its labels, in the order in which they were given.
    pub labels: Vec<GoldLabel>,
}

/// A judgment: how well its target answers the query.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct GoldLabel {
    /// What was judged.
    pub target: GoldTarget,
    /// 3 exact, 2 strongly related, 1 related, 0 not relevant. Imported sets may have other scales.
    pub grade: i32,
    /// The judge; empty for labels that came with the set.
    pub judge: String,
    /// When (ISO 8601, UTC).
    pub at: String,
}

/// What a label names.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum GoldTarget {
    /// A paragraph, defined term, topic, activity group or document of a collection.
    Identifier {
        /// Its id, such as `S2.14(a)(iv)`.
        id: String,
    },
    /// A passage of a document.
    Span(GoldSpan),
    /// That nothing answers the query, which is a judgment as well.
    Nothing,
}

/// A passage of a document, anchored by its words, so that it is found again after a change of text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct GoldSpan {
    /// Path of the document below its import root.
    pub path: String,
    /// The words.
    pub quote: String,
    /// Words before them, which distinguish them from the same words elsewhere in the document; may be empty.
    #[serde(default)]
    pub before: String,
    /// Words after them; may be empty.
    #[serde(default)]
    pub after: String,
    /// Version of the document's text in which they were marked; empty if it is not known.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub text_version: String,
}

impl GoldTarget {
    /// What distinguishes it from other targets of the same query.
    pub fn key(&self) -> String {
        match self {
            Self::Identifier { id } => id.clone(),
            Self::Span(GoldSpan { path, quote, before, .. }) => format!("{path}\n{before}\n{quote}"),
            // No path or id begins with a line feed.
            Self::Nothing => "\nnothing".to_owned(),
        }
    }
}

/// Which queries of a set to return.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct GoldFilter {
    /// Words in id or query, ignoring case; empty for all.
    pub search: String,
    /// Type; `None` for all.
    pub kind: Option<String>,
    /// Rows to leave out at the start.
    pub offset: usize,
    /// Maximum number of rows; all by default.
    pub limit: Option<usize>,
}

fn find_set(c: &Connection, workspace: i64, name: &str) -> Result<Option<i64>> {
    Ok(c.prepare_cached("SELECT id FROM gold_set WHERE workspace_id = ?1 AND name = ?2")?
        .query_row((workspace, name), |row| row.get(0))
        .optional()?)
}

fn set_row(c: &Connection, workspace: i64, name: &str) -> Result<i64> {
    find_set(c, workspace, name)?.ok_or_else(|| Error::not_found("gold set", name))
}

/// A set without queries. Returns its row id.
fn new_set(tx: &Transaction<'_>, workspace: i64, name: &str, relevant_from: i32) -> Result<i64> {
    let at = now();
    let (set, version): (i64, i64) = tx
        .prepare_cached(
            "INSERT INTO gold_set (workspace_id, name, relevant_from, created_at, updated_at)
             VALUES (?1, ?2, ?3, ?4, ?4) RETURNING id, version",
        )?
        .query_row((workspace, name, relevant_from, &at), |row| Ok((row.get(0)?, row.get(1)?)))?;
    keep_version(tx, set, (version, &at), relevant_from)?;
    Ok(set)
}

fn query_row(c: &Connection, set: i64, query: &str) -> Result<i64> {
    c.prepare_cached("SELECT id FROM gold_query WHERE set_id = ?1 AND query_id = ?2")?
        .query_row((set, query), |row| row.get(0))
        .optional()?
        .ok_or_else(|| Error::not_found("gold query", query))
}

/// A label with its row id.
fn label(row: &Row<'_>) -> rusqlite::Result<(i64, GoldLabel)> {
    let target: String = row.get(1)?;
    let label =
        GoldLabel { target: json(&target, 1)?, grade: row.get(2)?, judge: row.get(3)?, at: row.get(4)? };
    Ok((row.get(0)?, label))
}

/// The labels of the query at row `query` with their row ids, in the order in which they were given.
fn placed_labels(c: &Connection, query: i64) -> Result<Vec<(i64, GoldLabel)>> {
    let mut select =
        c.prepare_cached("SELECT id, target, grade, judge, at FROM gold_label WHERE query = ?1 ORDER BY id")?;
    Ok(select.query_map([query], label)?.collect::<rusqlite::Result<_>>()?)
}

fn labels(c: &Connection, query: i64) -> Result<Vec<GoldLabel>> {
    Ok(placed_labels(c, query)?.into_iter().map(|(_, label)| label).collect())
}

/// What `judge` says of the target with `key`, with its row id.
fn label_of(c: &Connection, query: i64, key: &str, judge: &str) -> Result<Option<(i64, GoldLabel)>> {
    let mut select = c.prepare_cached(
        "SELECT id, target, grade, judge, at FROM gold_label WHERE query = ?1 AND key = ?2 AND judge = ?3",
    )?;
    Ok(select.query_row((query, key, judge), label).optional()?)
}

/// Keeps a label of the query `id` at row `query`; a new set has no `change`.
fn put_label(
    tx: &Transaction<'_>,
    (query, id): (i64, &str),
    label: &GoldLabel,
    change: Option<Change>,
) -> Result<()> {
    let key = label.target.key();
    let before = label_of(tx, query, &key, &label.judge)?;
    let label = &marked(tx, query, label, before.as_ref().map(|(_, before)| &before.target))?;
    if let Some(change) = change
        && before.as_ref().is_none_or(|(_, before)| before != label)
    {
        let before = before.as_ref().map(|(place, before)| (*place, before));
        change.label(tx, id, (&key, &label.judge), before)?;
    }
    let target = serde_json::to_string(&label.target)
        .map_err(|error| Error::Damaged(format!("a label cannot be written: {error}")))?;
    tx.prepare_cached(
        "INSERT INTO gold_label (query, judge, key, target, grade, at) VALUES (?1, ?2, ?3, ?4, ?5, ?6)
         ON CONFLICT DO UPDATE SET target = excluded.target, grade = excluded.grade, at = excluded.at",
    )?
    .execute((query, &label.judge, key, target, label.grade, &label.at))?;
    Ok(())
}

/// `label` with the version of the text that its words were marked in. If it does not say one, that of the label
/// `before` it, else that of the document which has them now.
fn marked(
    tx: &Transaction<'_>,
    query: i64,
    label: &GoldLabel,
    before: Option<&GoldTarget>,
) -> Result<GoldLabel> {
    let mut label = label.clone();
    let GoldTarget::Span(span) = &mut label.target else { return Ok(label) };
    if let (true, Some(GoldTarget::Span(before))) = (span.text_version.is_empty(), before) {
        span.text_version.clone_from(&before.text_version);
    }
    if span.text_version.is_empty() {
        let mut select = tx.prepare_cached(
            "SELECT d.text_version FROM document d JOIN corpus o ON o.id = d.corpus_id
             WHERE (d.path = ?2 OR d.id IN (SELECT document FROM former_place WHERE path = ?2))
               AND instr(d.text, ?3) > 0 AND (o.workspace_id IS NULL OR o.workspace_id =
                 (SELECT s.workspace_id FROM gold_query q JOIN gold_set s ON s.id = q.set_id WHERE q.id = ?1))
             ORDER BY d.path <> ?2, o.workspace_id IS NULL, d.id LIMIT 1",
        )?;
        let found = select.query_row((query, &span.path, &span.quote), |row| row.get(0)).optional()?;
        span.text_version = found.unwrap_or_default();
    }
    Ok(label)
}

/// Keeps a query with its labels; a new set has no `change`.
fn insert_query(tx: &Transaction<'_>, set: i64, query: &GoldQuery, change: Option<Change>) -> Result<()> {
    if let Some(change) = change {
        let before: Option<(i64, String, String)> = tx
            .prepare_cached("SELECT id, text, kind FROM gold_query WHERE set_id = ?1 AND query_id = ?2")?
            .query_row((set, &query.id), |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))
            .optional()?;
        let same = |(_, text, kind): &(i64, String, String)| *text == query.query && *kind == query.kind;
        if !before.as_ref().is_some_and(same) {
            let before = before.as_ref().map(|(place, text, kind)| (*place, text.as_str(), kind.as_str()));
            change.query(tx, &query.id, before)?;
        }
    }
    let row: i64 = tx
        .prepare_cached(
            "INSERT INTO gold_query (set_id, query_id, text, kind) VALUES (?1, ?2, ?3, ?4)
             ON CONFLICT DO UPDATE SET text = excluded.text, kind = excluded.kind RETURNING id",
        )?
        .query_row((set, &query.id, &query.query, &query.kind), |row| row.get(0))?;
    query.labels.iter().try_for_each(|label| put_label(tx, (row, &query.id), label, change))
}

/// Deletes the query at `row` with its labels.
fn remove_query(tx: &Transaction<'_>, row: i64, change: Change) -> Result<()> {
    let GoldQuery { id, query, kind, .. } = one_query(tx, row)?;
    // Undone, the query comes before its labels.
    for (place, label) in placed_labels(tx, row)? {
        change.label(tx, &id, (&label.target.key(), &label.judge), Some((place, &label)))?;
    }
    change.query(tx, &id, Some((row, &query, &kind)))?;
    tx.prepare_cached("DELETE FROM gold_query WHERE id = ?1")?.execute([row])?;
    Ok(())
}

/// The set at row `id`.
fn view(c: &Connection, id: i64) -> Result<GoldSet> {
    let mut set = c
        .prepare_cached(
            "SELECT s.name, s.version, s.relevant_from, s.created_at, s.updated_at,
               (SELECT count(*) FROM gold_query q WHERE q.set_id = s.id),
               (SELECT count(*) FROM gold_query q WHERE q.set_id = s.id AND EXISTS
                 (SELECT 1 FROM gold_label l WHERE l.query = q.id AND l.grade >= s.relevant_from
                   AND l.target ->> '$.kind' <> 'nothing')),
               (SELECT count(*) FROM gold_label l JOIN gold_query q ON q.id = l.query
                 WHERE q.set_id = s.id AND l.target ->> '$.kind' <> 'nothing'),
               (SELECT count(*) FROM gold_label l JOIN gold_query q ON q.id = l.query
                 WHERE q.set_id = s.id AND l.target ->> '$.kind' = 'span'),
               (SELECT count(*) FROM gold_query q WHERE q.set_id = s.id AND NOT EXISTS
                 (SELECT 1 FROM gold_label l WHERE l.query = q.id))
             FROM gold_set s WHERE s.id = ?1",
        )?
        .query_row([id], |row| {
            Ok(GoldSet {
                name: row.get(0)?,
                version: row.get(1)?,
                relevant_from: row.get(2)?,
                created_at: row.get(3)?,
                updated_at: row.get(4)?,
                queries: row.get(5)?,
                answerable: row.get(6)?,
                labels: row.get(7)?,
                spans: row.get(8)?,
                unlabelled: row.get(9)?,
                judges: BTreeMap::new(),
                types: BTreeMap::new(),
            })
        })?;
    let counted = |query: &str| -> Result<BTreeMap<String, usize>> {
        let mut select = c.prepare_cached(query)?;
        let rows = select.query_map([id], |row| Ok((row.get(0)?, row.get(1)?)))?;
        Ok(rows.collect::<rusqlite::Result<_>>()?)
    };
    set.judges = counted(
        "SELECT l.judge, count(*) FROM gold_label l JOIN gold_query q ON q.id = l.query
         WHERE q.set_id = ?1 AND l.judge <> '' GROUP BY l.judge",
    )?;
    set.types =
        counted("SELECT kind, count(*) FROM gold_query WHERE set_id = ?1 AND kind <> '' GROUP BY kind")?;
    Ok(set)
}

impl SqliteStore {
    pub(crate) async fn gold_sets(&self, workspace: i64) -> Result<Vec<GoldSet>> {
        self.pool
            .read(move |c| {
                let mut select =
                    c.prepare_cached("SELECT id FROM gold_set WHERE workspace_id = ?1 ORDER BY name")?;
                let ids: Vec<i64> =
                    select.query_map([workspace], |row| row.get(0))?.collect::<rusqlite::Result<_>>()?;
                ids.into_iter().map(|id| view(c, id)).collect()
            })
            .await
    }

    pub(crate) async fn gold_set(&self, workspace: i64, name: &str) -> Result<GoldSet> {
        let name = name.to_owned();
        self.pool.read(move |c| view(c, set_row(c, workspace, &name)?)).await
    }

    pub(crate) async fn put_gold_set(
        &self,
        workspace: i64,
        name: &str,
        relevant_from: i32,
        queries: Vec<GoldQuery>,
        replaced: bool,
    ) -> Result<GoldSet> {
        let name = name.to_owned();
        self.pool
            .write(move |tx| {
                let (set, change) = match find_set(tx, workspace, &name)? {
                    Some(set) => {
                        let version = next_version(tx, set, Some(relevant_from))?;
                        (set, Some(Change { set, version }))
                    }
                    None => (new_set(tx, workspace, &name, relevant_from)?, None),
                };
                if let Some(change) = change.filter(|_| replaced) {
                    let mut select =
                        tx.prepare_cached("SELECT id FROM gold_query WHERE set_id = ?1 ORDER BY id")?;
                    let rows: Vec<i64> =
                        select.query_map([set], |row| row.get(0))?.collect::<rusqlite::Result<_>>()?;
                    rows.into_iter().try_for_each(|row| remove_query(tx, row, change))?;
                }
                queries.iter().try_for_each(|query| insert_query(tx, set, query, change))?;
                kept_text::drop_unused(tx)?;
                view(tx, set)
            })
            .await
    }

    pub(crate) async fn rename_gold_set(&self, workspace: i64, name: &str, new: &str) -> Result<GoldSet> {
        let (name, new) = (name.to_owned(), new.to_owned());
        self.pool
            .write(move |tx| {
                let set = set_row(tx, workspace, &name)?;
                if name != new && set_row(tx, workspace, &new).is_ok() {
                    return Err(Error::Taken { what: "gold set", name: new, cure: "choose another name" });
                }
                tx.execute("UPDATE gold_set SET name = ?2 WHERE id = ?1", (set, &new))?;
                tx.execute(
                    "UPDATE evaluation SET gold_set = ?3 WHERE workspace_id = ?1 AND gold_set = ?2",
                    (workspace, &name, &new),
                )?;
                view(tx, set)
            })
            .await
    }

    pub(crate) async fn delete_gold_set(&self, workspace: i64, name: &str) -> Result<()> {
        let name = name.to_owned();
        self.pool
            .write(move |tx| {
                let set = set_row(tx, workspace, &name)?;
                tx.execute("DELETE FROM gold_set WHERE id = ?1", [set])?;
                kept_text::drop_unused(tx)
            })
            .await
    }

    pub(crate) async fn gold_queries(
        &self,
        workspace: i64,
        name: &str,
        filter: GoldFilter,
    ) -> Result<(Vec<GoldQuery>, usize)> {
        let name = name.to_owned();
        self.pool
            .read(move |c| {
                let set = set_row(c, workspace, &name)?;
                let GoldFilter { search, kind, offset, limit } = filter;
                let kept = "FROM gold_query WHERE set_id = ?1 AND (?2 IS NULL OR kind = ?2)
                    AND (?3 = '' OR instr(lower(text), lower(?3)) OR instr(lower(query_id), lower(?3)))";
                let total = c
                    .prepare_cached(&format!("SELECT count(*) {kept}"))?
                    .query_row((set, &kind, &search), |row| row.get(0))?;
                let mut select = c.prepare_cached(&format!(
                    "SELECT id, query_id, text, kind {kept} ORDER BY id LIMIT ?4 OFFSET ?5"
                ))?;
                let limit = limit.and_then(|limit| i64::try_from(limit).ok()).unwrap_or(-1);
                let rows = select.query_map((set, &kind, &search, limit, offset), |row| {
                    let query = GoldQuery {
                        id: row.get(1)?,
                        query: row.get(2)?,
                        kind: row.get(3)?,
                        labels: Vec::new(),
                    };
                    Ok((row.get(0)?, query))
                })?;
                let mut found = Vec::new();
                for row in rows {
                    let (row, query): (i64, GoldQuery) = row?;
                    found.push(GoldQuery { labels: labels(c, row)?, ..query });
                }
                Ok((found, total))
            })
            .await
    }

    pub(crate) async fn put_gold_query(
        &self,
        workspace: i64,
        name: &str,
        query: GoldQuery,
    ) -> Result<GoldQuery> {
        let name = name.to_owned();
        self.pool
            .write(move |tx| {
                let set = set_row(tx, workspace, &name)?;
                let change = Change { set, version: next_version(tx, set, None)? };
                insert_query(tx, set, &query, Some(change))?;
                kept_text::drop_unused(tx)?;
                one_query(tx, query_row(tx, set, &query.id)?)
            })
            .await
    }

    pub(crate) async fn delete_gold_query(&self, workspace: i64, name: &str, id: &str) -> Result<()> {
        let (name, id) = (name.to_owned(), id.to_owned());
        self.pool
            .write(move |tx| {
                let set = set_row(tx, workspace, &name)?;
                let query = query_row(tx, set, &id)?;
                remove_query(tx, query, Change { set, version: next_version(tx, set, None)? })?;
                kept_text::drop_unused(tx)
            })
            .await
    }

    pub(crate) async fn judge(
        &self,
        workspace: i64,
        name: &str,
        id: &str,
        target: GoldTarget,
        judge: &str,
        grade: Option<i32>,
    ) -> Result<GoldQuery> {
        let (name, id, judge) = (name.to_owned(), id.to_owned(), judge.to_owned());
        self.pool
            .write(move |tx| {
                let set = set_row(tx, workspace, &name)?;
                let query = query_row(tx, set, &id)?;
                let change = Change { set, version: next_version(tx, set, None)? };
                match grade {
                    Some(grade) => {
                        let label = GoldLabel { target, grade, judge, at: now() };
                        put_label(tx, (query, &id), &label, Some(change))?;
                    }
                    None => {
                        let key = target.key();
                        if let Some((row, label)) = label_of(tx, query, &key, &judge)? {
                            change.label(tx, &id, (&key, &judge), Some((row, &label)))?;
                            tx.prepare_cached("DELETE FROM gold_label WHERE id = ?1")?.execute([row])?;
                        }
                    }
                }
                kept_text::drop_unused(tx)?;
                one_query(tx, query)
            })
            .await
    }

    pub(crate) async fn gold_decisions(&self, workspace: i64, name: &str) -> Result<BTreeMap<String, bool>> {
        let name = name.to_owned();
        self.pool
            .read(move |c| {
                let set = set_row(c, workspace, &name)?;
                let mut select =
                    c.prepare_cached("SELECT candidate, accepted FROM gold_decision WHERE set_id = ?1")?;
                let rows = select.query_map([set], |row| Ok((row.get(0)?, row.get(1)?)))?;
                Ok(rows.collect::<rusqlite::Result<_>>()?)
            })
            .await
    }

    pub(crate) async fn decide(
        &self,
        workspace: i64,
        name: &str,
        candidate: &str,
        accepted: bool,
    ) -> Result<()> {
        let (name, candidate) = (name.to_owned(), candidate.to_owned());
        self.pool
            .write(move |tx| {
                let set = set_row(tx, workspace, &name)?;
                tx.execute(
                    "INSERT INTO gold_decision (set_id, candidate, accepted) VALUES (?1, ?2, ?3)
                     ON CONFLICT DO UPDATE SET accepted = excluded.accepted",
                    (set, candidate, accepted),
                )?;
                Ok(())
            })
            .await
    }
}

fn one_query(c: &Connection, row: i64) -> Result<GoldQuery> {
    let query = c
        .prepare_cached("SELECT query_id, text, kind FROM gold_query WHERE id = ?1")?
        .query_row([row], |row| {
            Ok(GoldQuery { id: row.get(0)?, query: row.get(1)?, kind: row.get(2)?, labels: Vec::new() })
        })?;
    Ok(GoldQuery { labels: labels(c, row)?, ..query })
}
