use super::*;
use crate::measure::{Judgments, Metric};
use crate::query::{Passage, SpanLabel};
use crate::unit::Unit;
use proptest::prelude::*;
use std::collections::BTreeMap;
use std::sync::Arc;

/// A chunk of `a.md` with these bytes and this name.
fn chunk(name: &str, spans: &[(usize, usize)]) -> RankedId {
    RankedId {
        id: name.to_owned(),
        passage: Some(Arc::new(Passage {
            chunk_id: name.to_owned(),
            path: "a.md".to_owned(),
            spans: spans.iter().map(|&(start, end)| Span::new(start, end)).collect(),
            tokens: 25,
            pages: None,
            whole: true,
        })),
        ..RankedId::default()
    }
}

fn label(name: &str, start: usize, end: usize, grade: i32) -> SpanLabel {
    SpanLabel {
        name: name.to_owned(),
        path: "a.md".to_owned(),
        span: Some(Span::new(start, end)),
        letters: end - start,
        grade,
    }
}

fn query(ids: &[(&str, i32)], spans: Vec<SpanLabel>) -> JudgedQuery {
    let grades = ids.iter().map(|&(id, grade)| (id.to_owned(), grade)).collect();
    JudgedQuery {
        id: "q".to_owned(),
        text: "words".to_owned(),
        kind: String::new(),
        answerable: true,
        judgments: Judgments::new(grades, 2),
        spans,
        units: Vec::new(),
    }
}

/// A chunk of `path` with `spans`, on `pages`.
fn on(path: &str, spans: &[(usize, usize)], pages: (u32, u32)) -> RankedId {
    let made = chunk(&format!("{path} {spans:?}"), spans);
    let passage = made.passage.as_deref().unwrap();
    let passage = Passage { path: path.to_owned(), pages: Some(pages), ..passage.clone() };
    RankedId { passage: Some(Arc::new(passage)), ..made }
}

fn with_units(mut query: JudgedQuery, units: &[(&str, i32)]) -> JudgedQuery {
    let label = |&(id, grade): &(&str, i32)| UnitLabel { name: id.to_owned(), unit: Unit::of(id), grade };
    query.units = units.iter().map(label).collect();
    query
}

fn value(name: &str, ranking: &JudgedRanking) -> Option<f64> {
    name.parse::<Metric>().unwrap().score(ranking)
}

#[test]
fn a_passage_is_found_with_the_chunk_that_completes_half_of_it() {
    // Of the 100 letters from 100 on, the first chunk has 40, and the second 30 more.
    let query = query(&[], vec![label("s", 100, 200, 3)]);
    let (ranking, places) = judge(&query, &[chunk("x", &[(0, 140)]), chunk("y", &[(140, 170)])]);
    let found: Vec<_> = places.iter().map(|place| (place.grade, place.labels.as_slice())).collect();
    assert_eq!(found, [(None, &[][..]), (Some(3), &["s".to_owned()][..])]);
    assert_eq!((value("rr", &ranking), value("recall@5", &ranking)), (Some(0.5), Some(1.0)));
    // 40 of 100 with the first, 70 with both; of 140 letters 40, of 170 letters 70.
    assert_eq!((value("span_recall@1", &ranking), value("span_recall@2", &ranking)), (Some(0.4), Some(0.7)));
    assert_eq!(value("span_precision@1", &ranking), Some(40.0 / 140.0));
    assert_eq!(value("span_precision@2", &ranking), Some(70.0 / 170.0));
    assert_eq!((value("intact@5", &ranking), value("tokens@5", &ranking)), (Some(0.0), Some(50.0)));
}

#[test]
fn a_further_part_of_what_was_found_is_passed_over() {
    let query = query(&[], vec![label("s", 100, 200, 3), label("t", 300, 400, 2)]);
    let ranking = [chunk("x", &[(100, 160)]), chunk("y", &[(160, 210)]), chunk("z", &[(290, 410)])];
    let (ranking, places) = judge(&query, &ranking);
    assert_eq!(places.iter().map(|place| place.at).collect::<Vec<_>>(), [0, 2]);
    assert_eq!(value("precision@2", &ranking), Some(1.0));
    // Only the second passage is in one chunk.
    assert_eq!(value("intact@5", &ranking), Some(0.5));
}

#[test]
fn one_chunk_can_hold_several_passages() {
    let query = query(&[], vec![label("s", 0, 10, 3), label("t", 20, 30, 2), label("u", 90, 99, 1)]);
    let (ranking, places) = judge(&query, &[chunk("x", &[(0, 40)])]);
    assert_eq!((places[0].grade, places[0].labels.len()), (Some(3), 2));
    assert_eq!((value("recall@1", &ranking), value("precision@1", &ranking)), (Some(1.0), Some(1.0)));
    assert_eq!((value("ap", &ranking), value("span_recall@1", &ranking)), (Some(1.0), Some(1.0)));
    assert_eq!(value("span_precision@1", &ranking), Some(0.5));
}

#[test]
fn what_overlaps_is_counted_once_and_lost_passages_count_as_not_found() {
    let mut lost = label("t", 0, 50, 3);
    lost.span = None;
    let query = query(&[], vec![label("s", 0, 50, 3), lost]);
    let (ranking, _) = judge(&query, &[chunk("x", &[(0, 30)]), chunk("y", &[(20, 50)])]);
    assert_eq!(value("span_recall@2", &ranking), Some(0.5));
    assert_eq!(value("recall@5", &ranking), Some(0.5));
    assert_eq!(covered(&[Span::new(0, 30), Span::new(20, 50), Span::new(60, 61)]), 51);
}

#[test]
fn the_letters_of_an_id_are_those_of_its_chunks() {
    let query = query(&[("x", 3)], Vec::new());
    let (ranking, _) = judge(&query, &[chunk("x", &[(0, 30)])]);
    assert_eq!((value("span_recall@5", &ranking), value("span_precision@5", &ranking)), (None, Some(1.0)));
    // Another part of it is read as well; what both have counts once.
    let (parts, _) =
        judge(&query, &[chunk("x", &[(0, 30)]), chunk("y", &[(40, 60)]), chunk("x", &[(20, 40)])]);
    assert_eq!(
        (value("span_precision@5", &parts), value("tokens@5", &parts)),
        (Some(40.0 / 70.0), Some(75.0))
    );
    assert_eq!((value("intact@5", &ranking), value("recall@5", &ranking)), (Some(1.0), Some(1.0)));
    let (nothing, _) = judge(&query, &[chunk("y", &[(0, 30)])]);
    assert_eq!(value("intact@5", &nothing), None);
}

#[test]
fn of_the_chunks_of_a_document_or_page_the_first_counts() {
    let query = with_units(query(&[], Vec::new()), &[("a.pdf", 3), ("b.pdf#page=4", 2), ("b.pdf#page=9", 0)]);
    let ranking = [
        on("b.pdf", &[(0, 10)], (1, 2)),
        on("b.pdf", &[(10, 30)], (3, 4)),
        on("a.pdf", &[(0, 40)], (1, 1)),
        on("b.pdf", &[(30, 40)], (4, 5)),
        on("a.pdf", &[(40, 60)], (7, 7)),
        on("b.pdf", &[(80, 90)], (9, 9)),
    ];
    let (ranking, places) = judge(&query, &ranking);
    let found: Vec<_> = places.iter().map(|place| (place.at, place.grade)).collect();
    assert_eq!(found, [(0, None), (1, Some(2)), (2, Some(3)), (5, Some(0))]);
    assert_eq!((value("rr", &ranking), value("recall@5", &ranking)), (Some(0.5), Some(1.0)));
    assert_eq!((value("precision@4", &ranking), value("judged@4", &ranking)), (Some(0.5), Some(0.75)));
    // Of the 110 letters read, 20 and 10 are on page 4, 40 and 20 in the document.
    assert_eq!(value("span_precision@10", &ranking), Some(90.0 / 110.0));
    assert_eq!(value("intact@5", &ranking), None, "no border splits a document");
}

#[test]
fn a_paragraph_of_a_document_that_was_found_counts_for_itself() {
    let query = with_units(query(&[("x", 3)], Vec::new()), &[("a.md", 2)]);
    let (ranking, places) =
        judge(&query, &[chunk("w", &[(0, 9)]), chunk("x", &[(9, 20)]), chunk("y", &[(20, 30)])]);
    let labels: Vec<_> = places.iter().map(|place| place.labels.concat()).collect();
    assert_eq!(labels, ["a.md", "x"]);
    assert_eq!((value("recall@2", &ranking), value("precision@2", &ranking)), (Some(1.0), Some(1.0)));
}

#[test]
fn another_system_names_documents_pages_and_passages_by_their_ids() {
    let of = |id: &str| RankedId { id: id.to_owned(), ..RankedId::default() };
    let passage = SpanLabel { path: "a b.md".to_owned(), ..label("a b.md#0123abcd first words", 0, 9, 3) };
    let query = with_units(query(&[], vec![passage]), &[("my report.pdf", 3), ("b.pdf#page=4", 2)]);
    let ranking =
        ["b.pdf#page=3", "b.pdf#page=4", "my_report.pdf#page=1", "my report.pdf", "a_b.md#0123abcd"].map(of);
    let (ranking, places) = judge(&query, &ranking);
    let found: Vec<_> = places.iter().map(|place| (place.at, place.grade)).collect();
    assert_eq!(found, [(0, None), (1, Some(2)), (2, Some(3)), (4, Some(3))]);
    assert_eq!(value("recall@5", &ranking), Some(1.0));
    // Its texts are not known.
    for name in ["tokens@5", "span_precision@5", "span_recall@5", "intact@5"] {
        assert_eq!(value(name, &ranking), None, "{name}");
    }
}

proptest! {
    /// A document whose paragraphs are each a chunk: judging by id and by passage gives the same.
    #[test]
    fn passages_that_are_chunks_give_the_figures_of_ids(
        lengths in proptest::collection::vec(1..60_usize, 1..20),
        grades in proptest::collection::btree_map(0..20_usize, -1..4, 0..10),
        order in proptest::collection::vec(0..20_usize, 0..30),
    ) {
        let mut start = 0;
        let paragraphs: Vec<(usize, usize)> = lengths.iter().map(|length| {
            let span = (start, start + length);
            start += length + 2;
            span
        }).collect();
        let grades: BTreeMap<usize, i32> =
            grades.into_iter().filter(|(at, _)| *at < paragraphs.len()).collect();
        let order = order.into_iter().filter(|at| *at < paragraphs.len());
        let ranking: Vec<RankedId> =
            order.map(|at| chunk(&at.to_string(), &[paragraphs[at]])).collect();
        let names: Vec<(String, i32)> = grades.iter().map(|(at, grade)| (at.to_string(), *grade)).collect();
        let ids: Vec<(&str, i32)> = names.iter().map(|(id, grade)| (id.as_str(), *grade)).collect();
        let spans = grades.iter().map(|(&at, &grade)| {
            label(&format!("s{at}"), paragraphs[at].0, paragraphs[at].1, grade)
        });
        let (by_id, _) = judge(&query(&ids, Vec::new()), &ranking);
        let (by_span, _) = judge(&query(&[], spans.collect()), &ranking);
        for name in [
            "ndcg@5", "ndcg", "recall@5", "precision@3", "success@1", "rr", "ap", "bpref", "judged@5", "intact@10",
            "tokens@5", "span_precision@5",
        ] {
            prop_assert_eq!(value(name, &by_id), value(name, &by_span), "{}", name);
        }
    }
}
