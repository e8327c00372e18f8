//! Files of TREC: qrels (`query 0 document grade`) and runs (`query Q0 document rank score tag`), as trec_eval reads them.
//!
//! A chunk may have several labelled passages. In a run it then has a line for each of them, all with its rank and
//! score. Lines after the first have [`SAME`] in the field `Q0`, which other tools do not read. So no line occurs
//! twice, other tools find every passage, and the run measures the same when it is imported again.

use crate::error::Result;
use crate::lines::{Line, Lines};
use crate::note::{self, ImportNote, NoteKind};
use crate::qrels::{Qrels, Texts, joined, left_out};
use crate::query::QuerySet;
use std::collections::{BTreeMap, HashSet};
use std::io::BufRead;
use std::path::Path;

/// The judged queries of the qrels at `path`, with their texts from the file at `texts`: id, tab, text.
///
/// # Errors
/// [`crate::Error::Io`] where a file cannot be read.
pub fn queries(path: &Path, texts: &Path) -> Result<QuerySet> {
    judged(Lines::open(path)?, Lines::open(texts)?)
}

fn judged(qrels: Lines<impl BufRead>, texts: Lines<impl BufRead>) -> Result<QuerySet> {
    let (mut qrel, mut text, mut notices) = (Qrels::default(), Texts::default(), Vec::new());
    for line in qrels {
        let Line { number, content } = line?;
        let read = content.as_deref().ok().and_then(|text| {
            let mut fields = text.split_whitespace();
            let (query, _, document, grade) =
                (fields.next()?, fields.next()?, fields.next()?, fields.next()?);
            Some((query.to_owned(), document.to_owned(), grade.parse().ok()?))
        });
        match read {
            Some((query, document, grade)) => qrel.add(number, query, document, grade),
            None => notices.push(left_out(format!(
                "qrels line {number} is left out: expected query, 0, document and a whole grade; fix the line"
            ))),
        }
    }
    for line in texts {
        let Line { number, content } = line?;
        let content = content.unwrap_or_default();
        match content.split_once('\t').filter(|(_, text)| !text.trim().is_empty()) {
            Some((id, words)) => text.add(number, id.trim(), words.trim()),
            None => notices.push(left_out(format!(
                "line {number} of the queries is left out: expected an id, a tab and a text; fix the line"
            ))),
        }
    }
    Ok(joined(qrel, text, "the queries", notices))
}

/// Second field of a line that names the same place as the line with its rank.
pub const SAME: &str = "same";

/// A place of a run.
#[derive(Debug, Clone, PartialEq)]
pub struct RunLine {
    /// Id of the result.
    pub id: String,
    /// Its score.
    pub score: f64,
    /// Other ids of the result.
    pub also: Vec<String>,
}

/// Rankings by query.
pub type Rankings = BTreeMap<String, Vec<RunLine>>;

/// The ranking of each query in the run at `path`, best first. As in trec_eval the scores decide, whatever the
/// column of ranks says. Of equal scores the greater id comes first, as everywhere here. An id that occurs more
/// than once keeps its best place.
///
/// # Errors
/// [`crate::Error::Io`] where the file cannot be read.
pub fn read_run(path: &Path) -> Result<(Rankings, Vec<ImportNote>)> {
    rankings(Lines::open(path)?)
}

/// The same of lines that are there; `path` is named in errors.
///
/// # Errors
/// None that lines in memory can have.
pub fn read_run_text(text: &str, path: &Path) -> Result<(Rankings, Vec<ImportNote>)> {
    rankings(Lines::new(text.as_bytes(), path))
}

/// Ids that other lines give to a place, by query and rank.
type Shared = BTreeMap<(String, String), Vec<String>>;

fn rankings(lines: Lines<impl BufRead>) -> Result<(Rankings, Vec<ImportNote>)> {
    let (mut ranked, mut notices) = (BTreeMap::<String, Vec<(String, RunLine)>>::new(), Vec::new());
    let mut shared = Shared::new();
    let mut stands = BTreeMap::<(String, String), Vec<u64>>::new();
    for line in lines {
        let Line { number, content } = line?;
        let read = content.as_deref().ok().and_then(|text| {
            let fields: Vec<&str> = text.split_whitespace().collect();
            let [query, mark, id, rank, score, ..] = fields[..] else { return None };
            let score = score.parse::<f64>().ok().filter(|score| score.is_finite())?;
            let key = (query.to_owned(), rank.to_owned());
            Some((key, mark == SAME, RunLine { id: id.to_owned(), score, also: Vec::new() }))
        });
        let Some((key, same, place)) = read else {
            notices.push(left_out(format!(
                "line {number} is left out: expected query, Q0, document, rank, score and name; fix the line"
            )));
            continue;
        };
        stands.entry((key.0.clone(), place.id.clone())).or_default().push(number);
        if same {
            shared.entry(key).or_default().push(place.id);
        } else {
            ranked.entry(key.0).or_default().push((key.1, place));
        }
    }
    for ((query, id), numbers) in stands.into_iter().filter(|(_, numbers)| numbers.len() > 1) {
        let message = format!(
            "`{id}` occurs {} times in the ranking of `{query}` ({}): its best place counts",
            numbers.len(),
            note::lines(&numbers)
        );
        notices.push(ImportNote::new(NoteKind::RepeatedResult, message));
    }
    let mut rankings = Rankings::new();
    for (query, places) in ranked {
        let places = places.into_iter().map(|(rank, place)| RunLine {
            also: shared.remove(&(query.clone(), rank)).unwrap_or_default(),
            ..place
        });
        let mut places: Vec<RunLine> = places.collect();
        places.sort_by(|a, b| b.score.total_cmp(&a.score).then_with(|| b.id.cmp(&a.id)));
        let mut seen = HashSet::new();
        places.retain(|place| seen.insert(place.id.clone()));
        rankings.insert(query, places);
    }
    Ok((rankings, notices))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(text: &'static str) -> Lines<&'static [u8]> {
        Lines::new(text.as_bytes(), Path::new("file"))
    }

    #[test]
    fn qrels_and_queries_become_a_set() {
        let set = judged(
            lines("q1 0 d1 1\nq1 0 d2 0\nq2 0 d1 0\nq9 0 d1 1\nbroken line\n"),
            lines("q1\twhat is it\nq2\tnothing\nno tab\nq3\tnot judged\n"),
        )
        .unwrap();
        let told: Vec<(&str, &str, bool)> =
            set.queries.iter().map(|q| (q.id.as_str(), q.text.as_str(), q.answerable)).collect();
        assert_eq!(told, [("q1", "what is it", true), ("q2", "nothing", false)]);
        let starts = [
            "qrels line 5",
            "line 3 of the queries",
            "1 judged query without a text in the queries is left out: `q9`",
            "1 query of the queries is left out, because the qrels do not judge it: `q3`",
        ];
        assert_eq!(set.notices.len(), starts.len(), "{:?}", set.notices);
        for (notice, start) in set.notices.iter().zip(starts) {
            assert!(notice.message.starts_with(start), "{notice}");
        }
    }

    #[test]
    fn what_is_said_twice_is_named_with_what_counts() {
        let set = judged(
            lines("q1 0 harbour-a 3\nq1 0 harbour-b 1\nq1 0 harbour-a 0\nq1 0 harbour-b 1\n"),
            lines("q1\tquay power\nq1\tquay power of the harbour\nq1\tquay power\n"),
        )
        .unwrap();
        let [query] = &set.queries[..] else { panic!("{:?}", set.queries) };
        assert_eq!((query.text.as_str(), query.judgments.grades()["harbour-a"]), ("quay power", 3));
        let told: Vec<(NoteKind, &str)> =
            set.notices.iter().map(|note| (note.kind, note.message.as_str())).collect();
        assert_eq!(
            told,
            [
                (
                    NoteKind::Grades,
                    "`harbour-a` has the grades 3 and 0 for `q1` (lines 1 and 3): the highest, 3, counts; leave one"
                ),
                (
                    NoteKind::RepeatedJudgment,
                    "`harbour-b` has the grade 1 for `q1` more than once (lines 2 and 4): it counts once"
                ),
                (
                    NoteKind::RepeatedQuery,
                    "`q1` has the texts \"quay power\" and \"quay power of the harbour\" (lines 1, 2 and 3): the first \
                     counts; leave one"
                ),
            ]
        );
    }

    #[test]
    fn a_result_that_stands_twice_keeps_its_best_place() {
        let text = "q1 Q0 harbour-a 1 3.0 x\nq1 Q0 harbour-b 2 2.5 x\nq1 Q0 harbour-a 3 2.0 x\nq2 Q0 harbour-a 1 1 x\n";
        let (rankings, notices) = rankings(lines(text)).unwrap();
        let ids: Vec<&str> = rankings["q1"].iter().map(|place| place.id.as_str()).collect();
        assert_eq!(ids, ["harbour-a", "harbour-b"]);
        let [note] = &notices[..] else { panic!("{notices:?}") };
        assert_eq!(note.kind, NoteKind::RepeatedResult);
        assert_eq!(
            note.message,
            "`harbour-a` occurs 2 times in the ranking of `q1` (lines 1 and 3): its best place counts"
        );
    }

    #[test]
    fn scores_decide_the_order_of_a_run_and_equal_ones_the_greater_id() {
        let (rankings, notices) =
            rankings(lines("q Q0 a 1 0.5 x\nq Q0 b 2 0.9 x\nq Q0 c 3 0.5 x\nq Q0 d 4 much x\n")).unwrap();
        let ids: Vec<&str> = rankings["q"].iter().map(|place| place.id.as_str()).collect();
        assert_eq!(ids, ["b", "c", "a"]);
        assert_eq!(notices.len(), 1);
    }

    #[test]
    fn lines_of_the_same_place_are_one_place() {
        let (rankings, _) =
            rankings(lines("q Q0 a 1 3 x\nq same b 1 3 x\nq Q0 c 2 2 x\nq Q0 d 3 1 x\nr Q0 e 1 1 x\n"))
                .unwrap();
        let places: Vec<(&str, &[String])> =
            rankings["q"].iter().map(|place| (place.id.as_str(), place.also.as_slice())).collect();
        assert_eq!(places, [("a", &["b".to_owned()][..]), ("c", &[]), ("d", &[])]);
        assert_eq!(rankings["r"][0].also, [""; 0], "a rank belongs to its query");
    }
}
