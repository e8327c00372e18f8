use super::*;
use proptest::prelude::*;

/// A list of `names`, each of which scores less than the one before it.
fn list(leg: Leg, names: &[&str]) -> List {
    let count = names.len() as f64;
    let scored: Vec<(&str, f64)> =
        names.iter().zip(0..).map(|(&name, n)| (name, count - f64::from(n))).collect();
    scores(leg, &scored)
}

fn scores(leg: Leg, scored: &[(&str, f64)]) -> List {
    let entries = scored.iter().map(|&(name, raw)| Entry {
        row: i64::from_str_radix(&crate::store::short_hash(&[name])[..15], 16).unwrap(),
        chunk_id: name.to_owned(),
        raw: Some(raw),
        label: String::new(),
    });
    List { leg, entries: entries.collect(), missing: None }
}

fn names(fused: &[Fused]) -> Vec<&str> {
    fused.iter().map(|one| one.chunk_id.as_str()).collect()
}

fn rrf(k: u32, semantic: f64) -> Rrf {
    Rrf { k, semantic, keyword: 1.0 }
}

/// Appendix C of the main document: "Scope 3 emissions disclosure requirements S2.29".
#[test]
fn the_worked_example_comes_out() {
    let semantic = list(Leg::Semantic, &["S2.29(a)(iii)", "S2.29(a)(i)", "S2.27", "S1.46", "S2.33"]);
    let keyword =
        list(Leg::Keyword, &["S2.29(a)(iii)", "S2.29(a)(i)", "S2.29(a)(ii)", "S2.29(b)", "S2.29(c)"]);
    let fused = fuse(&[semantic, keyword], &rrf(60, 1.0));
    let shown: Vec<(&str, String)> =
        fused.iter().map(|one| (one.chunk_id.as_str(), format!("{:.4}", one.score))).collect();
    let expected = [
        ("S2.29(a)(iii)", "0.0328"),
        ("S2.29(a)(i)", "0.0323"),
        // The example has its own order for ties; here ids decide.
        ("S2.29(a)(ii)", "0.0159"),
        ("S2.27", "0.0159"),
        ("S2.29(b)", "0.0156"),
        ("S1.46", "0.0156"),
        ("S2.33", "0.0154"),
        ("S2.29(c)", "0.0154"),
    ];
    assert_eq!(shown, expected.map(|(id, score)| (id, score.to_owned())));
    assert_eq!(fused[0].score, 1.0 / 61.0 + 1.0 / 61.0);
    assert_eq!(fused[1].score, 1.0 / 62.0 + 1.0 / 62.0);
}

#[test]
fn references_lead_in_their_order() {
    for members in [1, 3, 7, 40, 200] {
        let ids: Vec<String> = (0..members).map(|n| format!("ref{n:03}")).collect();
        let ids: Vec<&str> = ids.iter().map(String::as_str).collect();
        // The others have the last member first and a stranger beside it.
        let others: Vec<&str> = std::iter::once("stranger").chain(ids.iter().rev().copied()).collect();
        let lists = [list(Leg::Reference, &ids), list(Leg::Semantic, &others), list(Leg::Keyword, &others)];
        let kinds: [&dyn Fuse; 5] = [
            &rrf(60, 1.0),
            &rrf(0, 3.0),
            &rrf(1000, 0.0),
            &Scores { semantic: 0.4 },
            &Scores { semantic: 1.0 },
        ];
        for (nth, kind) in kinds.into_iter().enumerate() {
            let fused = fuse(&lists, kind);
            assert_eq!(names(&fused)[..members], ids, "kind {nth}");
            assert_eq!(names(&fused)[members], "stranger");
        }
    }
}

#[test]
fn each_leg_is_read_on_its_own_scale() {
    let semantic = scores(Leg::Semantic, &[("a", 0.9), ("b", 0.5), ("c", 0.1)]);
    let keyword = scores(Leg::Keyword, &[("b", 30.0), ("a", 25.0), ("d", 10.0)]);
    let fused = fuse(&[semantic, keyword], &Scores { semantic: 0.4 });
    let shown: Vec<(&str, String)> =
        fused.iter().map(|one| (one.chunk_id.as_str(), format!("{:.3}", one.score))).collect();
    // The deviations are √(0.32/3) and √(650/9): 0.4 · 0.8/0.327 + 0.6 · 15/8.498, and 0.4 · 0.4/0.327 + 0.6 ·
    // 20/8.498. The lowest of a list gets what a chunk outside the list gets.
    let expected = [("a", "2.039"), ("b", "1.902"), ("d", "0.000"), ("c", "0.000")];
    assert_eq!(shown, expected.map(|(name, score)| (name, score.to_owned())));
    let leaf = &fused[1].contributions[0];
    let range = leaf.range.unwrap();
    assert_eq!((leaf.leg, leaf.raw, leaf.weight), (Leg::Semantic, Some(0.5), 0.4));
    assert_eq!((range.least, range.best), (0.1, 0.9));
    assert!((range.deviation - (0.32_f64 / 3.0).sqrt()).abs() < 1e-12, "{range:?}");
}

#[test]
fn what_a_whole_list_does_not_hold_scores_nothing() {
    let whole = List { missing: Some(0.0), ..scores(Leg::Keyword, &[("a", 4.0), ("b", 2.0)]) };
    let scored: Vec<f64> = fuse(&[whole], &Scores { semantic: 0.0 }).iter().map(|one| one.score).collect();
    // The deviation of 4, 2 and 0 is √(8/3).
    assert_eq!(scored, [4.0, 2.0].map(|raw| raw / (8.0_f64 / 3.0).sqrt()));
    let alike = scores(Leg::Keyword, &[("a", 4.0), ("b", 4.0)]);
    let scored: Vec<f64> = fuse(&[alike], &Scores { semantic: 0.25 }).iter().map(|one| one.score).collect();
    assert_eq!(scored, [0.75, 0.75], "where all are alike, none stands out");
}

fn permutation() -> impl Strategy<Value = Vec<&'static str>> {
    let all = vec!["a", "b", "c", "d", "e", "f", "g", "h"];
    (Just(all).prop_shuffle(), 0..=8_usize).prop_map(|(all, length)| all[..length].to_vec())
}

proptest! {
    #[test]
    fn scores_are_the_sum_of_their_leaves(
        semantic in permutation(), keyword in permutation(), k in 0_u32..200, weight in 0.0_f64..1.0, by_scores: bool
    ) {
        let lists = [list(Leg::Semantic, &semantic), list(Leg::Keyword, &keyword)];
        let kind: &dyn Fuse = if by_scores { &Scores { semantic: weight } } else { &rrf(k, weight) };
        let fused = fuse(&lists, kind);
        for one in &fused {
            let mut total = 0.0;
            for leaf in &one.contributions {
                let share = leaf.range.zip(leaf.raw).map(|(range, raw)| match range.deviation {
                    deviation if deviation > 0.0 => (raw - range.least) / deviation,
                    _ => 1.0,
                });
                let value = match share {
                    Some(share) => leaf.weight * share,
                    None => leaf.weight / (f64::from(k) + leaf.rank as f64),
                };
                prop_assert_eq!(leaf.value.to_bits(), value.to_bits());
                prop_assert_eq!(share.is_some(), by_scores);
                total += leaf.value;
            }
            prop_assert_eq!(total.to_bits(), one.score.to_bits());
            prop_assert!(!by_scores || total >= 0.0, "{}", total);
        }
        for pair in fused.windows(2) {
            prop_assert!(pair[0].score > pair[1].score
                || pair[0].score == pair[1].score && pair[0].chunk_id > pair[1].chunk_id);
        }
        let mut expected: Vec<&str> = semantic.iter().chain(&keyword).copied().collect();
        expected.sort_unstable();
        expected.dedup();
        let mut found = names(&fused);
        found.sort_unstable();
        prop_assert_eq!(found, expected);
    }

    #[test]
    fn the_order_of_the_lists_changes_no_rank(semantic in permutation(), keyword in permutation(), by_scores: bool) {
        let (one, other) = (list(Leg::Semantic, &semantic), list(Leg::Keyword, &keyword));
        let kind: &dyn Fuse = if by_scores { &Scores { semantic: 0.5 } } else { &rrf(60, 1.0) };
        let there = fuse(&[one.clone(), other.clone()], kind);
        let back = fuse(&[other, one], kind);
        prop_assert_eq!(names(&there), names(&back));
    }
}
