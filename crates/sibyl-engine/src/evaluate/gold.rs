//! Gold queries: one JSON object a line with the graded ids of paragraphs, topics, documents and pages, or with passages.
//!
//! ```json
//! {"id": "q1", "query": "…", "type": "paraphrase", "answerable": true, "relevant": {"S2.6(a)": 3, "S2.6": 2}}
//! {"id": "q2", "query": "…", "spans": [{"path": "guide/leave.md", "quote": "…", "before": "…", "grade": 3}]}
//! {"id": "q3", "query": "…", "relevant": {"acme/2024.pdf": 2, "acme/2024.pdf#page=12": 3}}
//! ```
//!
//! A query with `"answerable": false` and no label is one that nothing answers. Any other query without a label
//! was judged by nobody, and is left out of every average.
//!
//! `judgments` holds who judged what and when, if that is known:
//! `[{"id": "S2.6(a)", "grade": 3, "judge": "Ann", "at": "2021-03-01T09:00:00Z"}]`. For a passage, path and quote
//! take the place of the id. `relevant` and `spans` then say what the judgments come to; a grade that somebody
//! changed there counts from now on.

use super::label::{counted, target_name};
use crate::store::now;
use crate::store::table::gold::{GoldLabel, GoldQuery, GoldSpan, GoldTarget};
use serde::de::{MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};
use sibyl_measure::Result;
use sibyl_measure::label::fold;
use sibyl_measure::lines::{Line, Lines};
use sibyl_measure::note::{ImportNote, NoteKind, unlabelled};
use sibyl_measure::qrels::left_out;
use std::cmp::Ordering;
use std::collections::{BTreeMap, HashSet};
use std::fmt;
use std::io::BufRead;
use std::path::Path;

/// Grade from which an id counts as relevant: 3 exact, 2 strongly related, 1 related, 0 a known trap.
pub const RELEVANT_FROM: i32 = 2;

#[derive(Deserialize)]
struct GoldLine {
    id: String,
    query: String,
    #[serde(rename = "type", default)]
    kind: String,
    answerable: Option<bool>,
    #[serde(default)]
    relevant: Grades,
    #[serde(default)]
    spans: Vec<SpanLine>,
    #[serde(default)]
    judgments: Vec<JudgmentLine>,
}

/// Grades by id in the order of the line, which may name an id more than once.
#[derive(Default)]
struct Grades(Vec<(String, i32)>);

impl<'de> Deserialize<'de> for Grades {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> std::result::Result<Self, D::Error> {
        struct Pairs;
        impl<'de> Visitor<'de> for Pairs {
            type Value = Grades;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object of grades by id")
            }
            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> std::result::Result<Self::Value, A::Error> {
                let mut pairs = Vec::new();
                while let Some(pair) = map.next_entry()? {
                    pairs.push(pair);
                }
                Ok(Grades(pairs))
            }
        }
        deserializer.deserialize_map(Pairs)
    }
}

/// A judgment with its judge and its date.
#[derive(Serialize, Deserialize)]
pub(super) struct JudgmentLine {
    #[serde(flatten)]
    target: TargetLine,
    grade: i32,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    judge: String,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    at: String,
}

#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum TargetLine {
    Identifier { id: String },
    Span(GoldSpan),
    Nothing { nothing: bool },
}

impl From<TargetLine> for GoldTarget {
    fn from(target: TargetLine) -> Self {
        match target {
            TargetLine::Identifier { id } => Self::Identifier { id },
            TargetLine::Span(span) => Self::Span(span),
            TargetLine::Nothing { .. } => Self::Nothing,
        }
    }
}

impl From<&GoldLabel> for JudgmentLine {
    fn from(label: &GoldLabel) -> Self {
        let target = match label.target.clone() {
            GoldTarget::Identifier { id } => TargetLine::Identifier { id },
            GoldTarget::Span(span) => TargetLine::Span(span),
            GoldTarget::Nothing => TargetLine::Nothing { nothing: true },
        };
        Self { target, grade: label.grade, judge: label.judge.clone(), at: label.at.clone() }
    }
}

#[derive(Deserialize)]
struct SpanLine {
    #[serde(flatten)]
    span: GoldSpan,
    grade: i32,
}

/// Reads the gold queries of the file at `path`, and why some of its lines cannot be used.
///
/// # Errors
/// [`Error::Io`](sibyl_measure::Error::Io) where the file cannot be read.
pub fn read(path: &Path) -> Result<(Vec<GoldQuery>, Vec<ImportNote>)> {
    from_lines(Lines::open(path)?)
}

/// The same of lines that are there; `path` is named in errors.
///
/// # Errors
/// None that lines in memory can have.
pub fn read_text(text: &str, path: &Path) -> Result<(Vec<GoldQuery>, Vec<ImportNote>)> {
    from_lines(Lines::new(text.as_bytes(), path))
}

fn from_lines<R: BufRead>(lines: Lines<R>) -> Result<(Vec<GoldQuery>, Vec<ImportNote>)> {
    let mut queries = Vec::new();
    let mut notices = Vec::new();
    let mut ids = HashSet::new();
    let at = now();
    for line in lines.json::<GoldLine>() {
        let Line { number, content } = line?;
        let gold = match content {
            Ok(gold) if gold.id.trim().is_empty() || gold.query.trim().is_empty() => {
                let why = "its id or its query is empty; fill them in";
                notices.push(left_out(format!("line {number} is left out: {why}")));
                continue;
            }
            Ok(gold) => gold,
            Err(error) => {
                notices.push(left_out(format!(
                    "line {number} is left out: expected a JSON object with id, query, type, answerable and \
                     relevant, but {error}; fix the line"
                )));
                continue;
            }
        };
        if !ids.insert(gold.id.clone()) {
            let message = format!(
                "line {number} is left out: the id `{}` is already used by a line above, which counts; rename it",
                gold.id
            );
            notices.push(ImportNote::new(NoteKind::RepeatedQuery, message));
            continue;
        }
        queries.push(judged(gold, number, &at, &mut notices));
    }
    let bare = queries.iter().filter(|query| query.labels.is_empty());
    notices.extend(unlabelled(&bare.map(|query| query.id.as_str()).collect::<Vec<_>>()));
    Ok((queries, notices))
}

/// The query on line `number` with its labels; `notices` get what it leaves open.
fn judged(gold: GoldLine, number: u64, at: &str, notices: &mut Vec<ImportNote>) -> GoldQuery {
    let label = |target, grade| GoldLabel { target, grade, judge: String::new(), at: at.to_owned() };
    let ids = fold_grades(&gold.relevant.0, &gold.id, number, notices).into_iter();
    let ids = ids.map(|(id, grade)| label(GoldTarget::Identifier { id }, grade));
    let spans = gold.spans.into_iter().map(|line| label(GoldTarget::Span(line.span), line.grade));
    let said = once(ids.chain(spans).collect(), &gold.id, number, notices);
    let mut labels: Vec<GoldLabel> = Vec::with_capacity(gold.judgments.len());
    for JudgmentLine { target, grade, judge, at: given } in gold.judgments {
        if !given.is_empty() && !is_date(&given) {
            let message = format!(
                "line {number} has a judgment with the date `{given}`; dates must look like 2026-03-01T09:00:00Z, \
                 so the time of the import is used instead"
            );
            notices.push(ImportNote::new(NoteKind::Replaced, message));
        }
        let at = if is_date(&given) { given } else { at.to_owned() };
        labels.push(GoldLabel { target: target.into(), grade, judge, at });
    }
    let mut labels = once(labels, &gold.id, number, notices);
    // The result of the judgments is no judgment of its own.
    let known: BTreeMap<String, i32> =
        counted(&labels).into_iter().map(|label| (folded_key(&label.target), label.grade)).collect();
    labels
        .extend(said.into_iter().filter(|label| known.get(&folded_key(&label.target)) != Some(&label.grade)));
    let answerable = counted(&labels).into_iter().any(|label| label.grade >= RELEVANT_FROM);
    // Of a query without labels its line alone says whether it has an answer.
    let said = gold.answerable.filter(|_| !labels.is_empty());
    if said.is_some_and(|said| said != answerable) {
        let counts = if answerable { "has an answer" } else { "has no answer" };
        let message = format!(
            "line {number} (`{}`) counts as a query that {counts}, contrary to its `answerable` field: an answer is a \
             label of grade {RELEVANT_FROM} or more; fix the grades or the field",
            gold.id
        );
        notices.push(ImportNote::new(NoteKind::Contrary, message));
    }
    let nothing =
        (labels.is_empty() && gold.answerable == Some(false)).then(|| label(GoldTarget::Nothing, 0));
    let labels = labels.into_iter().chain(nothing).collect();
    GoldQuery { id: gold.id, query: gold.query, kind: gold.kind, labels }
}

/// `labels` with one for each target and judge. If a line gives several at the same time, the one with the highest
/// grade counts.
fn once(labels: Vec<GoldLabel>, query: &str, number: u64, notices: &mut Vec<ImportNote>) -> Vec<GoldLabel> {
    let mut kept: Vec<GoldLabel> = Vec::with_capacity(labels.len());
    for label in labels {
        let same = |known: &&mut GoldLabel| {
            (&known.judge, folded_key(&known.target)) == (&label.judge, folded_key(&label.target))
        };
        let Some(known) = kept.iter_mut().find(same) else {
            kept.push(label);
            continue;
        };
        let name = target_name(&label.target);
        if known.grade == label.grade {
            let message =
                format!("line {number}: `{name}` is judged for `{query}` more than once: it counts once");
            notices.push(ImportNote::new(NoteKind::RepeatedJudgment, message));
            continue;
        }
        let (later, why) = match label.at.cmp(&known.at) {
            Ordering::Greater => (true, "latest"),
            Ordering::Less => (false, "latest"),
            Ordering::Equal => (label.grade > known.grade, "highest"),
        };
        let grades = format!("{} and {}", known.grade, label.grade);
        if later {
            *known = label;
        }
        let message = format!(
            "line {number}: `{name}` has the grades {grades} for `{query}`: the {why}, {}, counts; leave one",
            known.grade
        );
        notices.push(ImportNote::new(NoteKind::Grades, message));
    }
    kept
}

/// What distinguishes a label from others of its query once ids are folded.
fn folded_key(target: &GoldTarget) -> String {
    match target {
        GoldTarget::Identifier { id } => fold(id).into_owned(),
        GoldTarget::Span(_) | GoldTarget::Nothing => target.key(),
    }
}

/// Whether `text` is a time as labels have it: ISO 8601, in UTC, so that later ones sort after earlier ones.
fn is_date(text: &str) -> bool {
    let shape = text.bytes().map(|byte| if byte.is_ascii_digit() { b'0' } else { byte });
    let shape: Vec<u8> = shape.collect();
    let Some(rest) = shape.strip_prefix(b"0000-00-00T00:00:00") else { return false };
    rest == b"Z" || rest.strip_prefix(b".").and_then(|rest| rest.strip_suffix(b"Z")).is_some_and(is_zeros)
}

fn is_zeros(digits: &[u8]) -> bool {
    !digits.is_empty() && digits.iter().all(|digit| *digit == b'0')
}

/// The grades of line `number` by folded id; if several fold into one, the highest counts.
fn fold_grades(
    grades: &[(String, i32)],
    query: &str,
    number: u64,
    notices: &mut Vec<ImportNote>,
) -> BTreeMap<String, i32> {
    let mut folded: BTreeMap<String, Vec<&(String, i32)>> = BTreeMap::new();
    for pair in grades {
        folded.entry(fold(&pair.0).into_owned()).or_default().push(pair);
    }
    let mut highest = BTreeMap::new();
    for (id, said) in folded {
        let best = said.iter().map(|(_, grade)| *grade).max().unwrap_or_default();
        let alike = said.iter().all(|(_, grade)| *grade == best);
        let twice = said.iter().enumerate().any(|(at, one)| said[..at].iter().any(|other| other.0 == one.0));
        let listed: Vec<String> = said.iter().map(|(own, grade)| format!("`{own}` {grade}")).collect();
        let listed = listed.join(", ");
        if twice {
            let kind = if alike { NoteKind::RepeatedJudgment } else { NoteKind::Grades };
            let message = format!(
                "line {number}: an id is judged for `{query}` more than once ({listed}): the highest grade, {best}, \
                 counts; leave one"
            );
            notices.push(ImportNote::new(kind, message));
        } else if !alike {
            let message = format!(
                "line {number}: {listed} count as the one id `{id}` for `{query}`, with the highest grade, {best}"
            );
            notices.push(ImportNote::new(NoteKind::Folded, message));
        }
        highest.insert(id, best);
    }
    highest
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn parse(text: &str) -> (Vec<GoldQuery>, Vec<ImportNote>) {
        from_lines(Lines::new(text.as_bytes(), Path::new("gold.jsonl"))).unwrap()
    }

    #[test]
    fn the_highest_grade_of_folded_ids_stays() {
        let (queries, _) = parse(
            r#"{"id": "q", "query": "x", "relevant": {"EM-EP-420a": 1, "EM-EP-420a.1": 0, "EM-EP-420a.2": 3}}"#,
        );
        let told: Vec<_> = queries[0].labels.iter().map(|label| (label.target.key(), label.grade)).collect();
        assert_eq!(told, [("EM-EP-420a".to_owned(), 3)]);
    }

    #[test]
    fn a_query_is_without_an_answer_where_its_line_says_so_and_judged_by_nobody_where_it_has_no_label() {
        let (queries, notices) = parse(concat!(
            r#"{"id": "a1", "query": "shore power", "answerable": true, "relevant": {"harbour.md": 3}}"#,
            "\n",
            r#"{"id": "a2", "query": "dredging permit", "answerable": true, "relevant": {}}"#,
            "\n",
            r#"{"id": "a3", "query": "price of lunch on the moon", "answerable": false, "relevant": {}}"#,
            "\n",
            r#"{"id": "a4", "query": "tides"}"#,
            "\n",
            r#"{"id": "a5", "query": "gulls", "relevant": {"harbour.md": 0}}"#,
        ));
        let labels = |id: &str| &queries.iter().find(|query| query.id == id).unwrap().labels;
        assert_eq!((labels("a2").len(), labels("a4").len(), labels("a5").len()), (0, 0, 1));
        assert_eq!((labels("a3").len(), &labels("a3")[0].target), (1, &GoldTarget::Nothing));
        let [note] = &notices[..] else { panic!("{notices:?}") };
        assert_eq!(note.kind, NoteKind::Unlabelled);
        assert!(note.message.starts_with("2 queries without labels have no part in any average: `a2`, `a4`"));
    }

    #[test]
    fn judgments_that_contradict_each_other_are_named_with_the_one_that_counts() {
        for (line, kind, grade, says) in [
            (
                r#""relevant": {"S1.1": 0, "S1.2": 2, "S1.1": 3}"#,
                NoteKind::Grades,
                3,
                "line 1: an id is judged for `q` more than once (`S1.1` 0, `S1.1` 3): the highest grade, 3, counts",
            ),
            (
                r#""relevant": {"S1.1": 2, "S1.1": 2}"#,
                NoteKind::RepeatedJudgment,
                2,
                "line 1: an id is judged for `q` more than once (`S1.1` 2, `S1.1` 2): the highest grade, 2, counts",
            ),
            (
                r#""relevant": {"TR-AL-000": 3, "TR-AL": 1}"#,
                NoteKind::Folded,
                3,
                "line 1: `TR-AL-000` 3, `TR-AL` 1 count as the one id `TR-AL-000` for `q`, with the highest grade, 3",
            ),
            (
                r#""spans": [{"path": "a.md", "quote": "one", "grade": 1}, {"path": "a.md", "quote": "one", "grade": 3}]"#,
                NoteKind::Grades,
                3,
                "line 1: `a.md#",
            ),
            (
                r#""judgments": [{"id": "S1.1", "grade": 3, "judge": "Ann", "at": "2021-03-02T09:00:00Z"},
                    {"id": "S1.1", "grade": 2, "judge": "Ann", "at": "2021-03-01T09:00:00Z"}]"#,
                NoteKind::Grades,
                3,
                "line 1: `S1.1` has the grades 3 and 2 for `q`: the latest, 3, counts",
            ),
        ] {
            let line = format!(r#"{{"id": "q", "query": "x", {line}}}"#).replace('\n', " ");
            let (queries, notices) = parse(&line);
            let [note] = &notices[..] else { panic!("{line}: {notices:?}") };
            assert!(note.kind == kind && note.message.starts_with(says), "{note:?}");
            assert_eq!(counted(&queries[0].labels).into_iter().map(|label| label.grade).max(), Some(grade));
        }
    }

    #[test]
    fn spans_are_read_beside_ids() {
        let (queries, notices) = parse(
            r#"{"id": "q", "query": "x", "answerable": true, "spans": [{"path": "a.md", "quote": "one two", "grade": 2}]}"#,
        );
        assert_eq!(notices, []);
        let span = GoldSpan {
            path: "a.md".to_owned(),
            quote: "one two".to_owned(),
            before: String::new(),
            after: String::new(),
            text_version: String::new(),
        };
        assert_eq!((&queries[0].labels[0].target, queries[0].labels[0].grade), (&GoldTarget::Span(span), 2));
    }

    #[test]
    fn judgments_keep_their_judges_and_dates_and_what_they_come_to_counts_once() {
        let (queries, notices) = parse(concat!(
            r#"{"id": "q", "query": "x", "answerable": true, "relevant": {"S1.1": 3, "S1.2": 2, "S1.3": 2}, "judgments": ["#,
            r#"{"id": "S1.1", "grade": 1, "judge": "Ann", "at": "2021-03-01T09:00:00Z"}, "#,
            r#"{"id": "S1.1", "grade": 3, "judge": "Ben", "at": "2021-03-02T09:00:00.5Z"}, "#,
            r#"{"id": "S1.2", "grade": 0, "judge": "Ann", "at": "2021-03-01T09:00:00Z"}, "#,
            r#"{"path": "a.md", "quote": "one", "grade": 2, "judge": "Ann", "at": "yesterday"}]}"#,
        ));
        let told: Vec<_> =
            queries[0].labels.iter().map(|label| (label.judge.as_str(), label.grade)).collect();
        // The grade of S1.2 was changed in `relevant`, and S1.3 was added there.
        assert_eq!(told, [("Ann", 1), ("Ben", 3), ("Ann", 0), ("Ann", 2), ("", 2), ("", 2)]);
        assert_eq!(queries[0].labels[1].at, "2021-03-02T09:00:00.5Z");
        let counts = |id: &str| {
            let labels = counted(&queries[0].labels).into_iter();
            labels.filter(|label| label.target.key() == id).map(|label| label.grade).collect::<Vec<_>>()
        };
        assert_eq!((counts("S1.1"), counts("S1.2"), counts("S1.3")), (vec![3], vec![2], vec![2]));
        assert!(notices.len() == 1 && notices[0].message.contains("`yesterday`"), "{notices:?}");
    }

    #[test]
    fn unusable_lines_are_named_and_the_rest_is_read() {
        let (queries, notices) = parse(concat!(
            "{\"id\": \"a\", \"query\": \"one\", \"type\": \"typo\", \"answerable\": true, \"relevant\": {\"S1.1\": 2}}\n",
            "{\"id\": \"b\", \"query\": \n",
            "\n",
            "[]\n",
            "{\"id\": \"a\", \"query\": \"again\"}\n",
            "{\"id\": \"c\", \"query\": \"none\", \"type\": \"negative\", \"answerable\": true, \"relevant\": {\"S1.1\": 1}}\n",
        ));
        assert_eq!(
            queries.iter().map(|q| (q.id.as_str(), q.labels.len())).collect::<Vec<_>>(),
            [("a", 1), ("c", 1)]
        );
        let starts = [
            "line 2 is left out",
            "line 4 is left out",
            "line 5 is left out",
            "line 6 (`c`) counts as a query that has no answer",
        ];
        assert_eq!(notices.len(), starts.len());
        for (notice, start) in notices.iter().zip(starts) {
            assert!(notice.message.starts_with(start), "{notice}");
        }
    }

    proptest! {
        #[test]
        fn no_file_stops_the_reader(bytes in proptest::collection::vec(any::<u8>(), 0..400)) {
            let (queries, notices) = from_lines(Lines::new(&bytes[..], Path::new("gold.jsonl"))).unwrap();
            let lines = bytes.split(|&b| b == b'\n').filter(|line| !line.trim_ascii().is_empty()).count();
            prop_assert!(queries.len() + notices.len() <= 2 * lines);
        }
    }
}
