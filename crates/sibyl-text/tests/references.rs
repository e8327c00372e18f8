//! References in running text: what is found, what is left alone, and laws over random text.

use proptest::prelude::*;
use sibyl_text::reference::{DETECTORS, detect};

/// What `text` names, in order: ids joined by spaces, references by `; `, a range with `..` before it.
fn named(text: &str) -> String {
    let shown =
        detect(text).into_iter().map(|r| format!("{}{}", if r.range { ".." } else { "" }, r.ids.join(" ")));
    shown.collect::<Vec<_>>().join("; ")
}

#[test]
fn references_are_found_as_people_write_them() {
    let cases = [
        // Joined to the standard.
        ("S2.14(a)(iv)", "S2.14(a)(iv)"),
        ("what does s2.14(a)(iv) ask for?", "S2.14(a)(iv)"),
        ("S2.14 (a) (iv)", "S2.14(a)(iv)"),
        ("S2.14.a.iv", "S2.14(a)(iv)"),
        ("s2.29a", "S2.29(a)"),
        ("S2.29A was inserted", "S2.29A"),
        ("IFRS S2.29(a)(vi)(2).", "S2.29(a)(vi)(2)"),
        ("see S1.B42(b), which", "S1.B42(b)"),
        ("S2.45", "S2.45"),
        ("S1.B72", "S1.B72"),
        ("S1.33/S2.14", "S1.33; S2.14"),
        ("(S2.14)", "S2.14"),
        ("S2.A.carbon_credit", "S2.A.carbon_credit"),
        ("the term (s1.a.primary_users).", "S1.A.primary_users"),
        // The standard first.
        ("S2 14 a iv", "S2.14(a)(iv)"),
        ("IFRS S2 29 a vi", "S2.29(a)(vi)"),
        ("IFRS S2 29 a vi 2", "S2.29(a)(vi)(2)"),
        ("ifrs s1 b42 b", "S1.B42(b)"),
        ("S1 para 44(a)(vi)", "S1.44(a)(vi)"),
        ("S1 para. 44 a vi", "S1.44(a)(vi)"),
        ("IFRS S2, paragraph 14(a)", "S2.14(a)"),
        ("S2 § 14(a)", "S2.14(a)"),
        ("IFRS S2 14", "S2.14"),
        ("IFRS-S2 paragraph 22", "S2.22"),
        ("S2 29 b transition risk", "S2.29(b)"),
        ("S2 14", "S2.14"),
        ("IFRS S2 paragraphs 14, 15 and 22(b)", "S2.14 S2.15 S2.22(b)"),
        // The number first.
        ("paragraph 33 h of S2", "S2.33(h)"),
        ("para B42(b) in S1", "S1.B42(b)"),
        ("§ 14(a) of IFRS S2", "S2.14(a)"),
        ("paragraph 14 (IFRS S2)", "S2.14"),
        ("14(a) of S2", "S2.14(a)"),
        ("E5 of S1", "S1.E5"),
        ("D26 conciseness paragraph S1", "S1.D26"),
        ("paragraph 45 of S2", "S2.45"),
        ("paragraphs 14 and 22 of S2", "S2.14 S2.22"),
        // Ranges and lists.
        ("34 to 40 of S1", "..S1.34 S1.35 S1.36 S1.37 S1.38 S1.39 S1.40"),
        ("show paragraphs 34 to 40 S1", "..S1.34 S1.35 S1.36 S1.37 S1.38 S1.39 S1.40"),
        ("S2.5-7", "..S2.5 S2.6 S2.7"),
        ("S2.5–7", "..S2.5 S2.6 S2.7"),
        ("S2.5 to S2.7", "..S2.5 S2.6 S2.7"),
        ("paragraphs 15–17 of S2", "..S2.15 S2.16 S2.17"),
        ("S1.B19 to B22", "..S1.B19 S1.B20 S1.B21 S1.B22"),
        ("S1.B19-22", "..S1.B19 S1.B20 S1.B21 S1.B22"),
        ("B19–B21 of S1", "..S1.B19 S1.B20 S1.B21"),
        ("S2.14(a)-(c)", "..S2.14(a) S2.14(b) S2.14(c)"),
        ("S2 14 a to c", "..S2.14(a) S2.14(b) S2.14(c)"),
        ("S2.14(a)(ii)–(iv)", "..S2.14(a)(ii) S2.14(a)(iii) S2.14(a)(iv)"),
        ("S2.14(a) and (c)", "S2.14(a) S2.14(c)"),
        ("S2.14(a)(i), (iii) and (b)", "S2.14(a)(i) S2.14(a)(iii) S2.14(b)"),
        ("S2.7-5", "S2.7"),
        // SASB.
        ("EM-EP-110a.1", "EM-EP-110a.1"),
        ("em-ep-110A.1", "EM-EP-110a.1"),
        ("EM‑EP‑110a", "EM-EP-110a"),
        ("metrics of EM-EP.", "EM-EP"),
        ("FN-CB-000.A and FN-CB-000", "FN-CB-000.A; FN-CB-000"),
        ("EM-EP-110a.1 to EM-EP-110a.3", "..EM-EP-110a.1 EM-EP-110a.2 EM-EP-110a.3"),
        ("EM-EP-110a.1–3", "..EM-EP-110a.1 EM-EP-110a.2 EM-EP-110a.3"),
        // Swedish statutes.
        ("SFS 1977:1160", "SFS 1977:1160"),
        ("enligt 1977:1160 och (1998:808)", "SFS 1977:1160; SFS 1998:808"),
        ("3 kap. 5 §", "3 kap. 5 §"),
        ("3 kap 5 §", "3 kap. 5 §"),
        ("5 §", "5 §"),
        ("12a §", "12a §"),
        ("3 kap. 12 a § miljöbalken", "3 kap. 12a §"),
        ("5–7 §§", "..5 § 6 § 7 §"),
        ("3 kap. 2 och 5 §§", "3 kap. 2 § 3 kap. 5 §"),
        ("SFS 1977:1160 3 kap. 5 §", "SFS 1977:1160; 3 kap. 5 §"),
    ];
    for (text, expected) in cases {
        assert_eq!(named(text), expected, "in {text:?}");
    }
}

#[test]
fn ordinary_sentences_name_nothing() {
    let cases = [
        "in 2030 a plan",
        "section 5 a company",
        "Scope 3",
        "Scope 3 of S2",
        "S2 sensors 15 minutes",
        "S2 15 minutes",
        "S2 14 companies took part",
        "S2 2024",
        "S2. 15 companies reported",
        "the S1 and S2 standards",
        "S20.14 and XS2.14 and CS2",
        "IFRS 9 paragraph 5",
        "IFRS 16, 14(a)",
        "paragraph 14",
        "paragraph 5 of the contract",
        "$1.34 to 40 million",
        "from 34 to 40 percent",
        "in S1 2024 sales rose 14 percent",
        "vitamin B12 is not covered by S1",
        "B2 of the building",
        "10:30 to 11:45",
        "2024-05-12, 12/05/2024, 1,500.50",
        "does S2 set a mandatory emissions reduction percentage",
        "S1 counterpart of S2 risk management paragraphs",
        "IF-THEN rules, TR-808, if-re and em-ep",
        "ISO 1940:2003 and ISO 14001:2015",
        "9001:2015, 12:1160, 1977:11605, 2020:10:30",
        "5 % of 12 a day",
        "EM-EP-1100a and EM-EP-110ab",
    ];
    for text in cases {
        assert_eq!(named(text), "", "in {text:?}");
    }
}

#[test]
fn the_words_of_the_reference_are_marked() {
    let text = "När gäller 3 kap. 5 §, and what does paragraph 33 h of IFRS S2 ask?";
    let marked: Vec<_> = detect(text).iter().map(|r| r.span.of(text)).collect();
    assert_eq!(marked, ["3 kap. 5 §", "paragraph 33 h of IFRS S2"]);
}

/// Ids as the standards have them: main or appendix number, then letter, Roman number and digit.
fn paragraph_id() -> impl Strategy<Value = (String, String, Vec<String>)> {
    let roman = prop::sample::select(vec!["i", "ii", "iii", "iv", "v", "vi", "vii"]);
    let number =
        prop_oneof![(1u8..=37).prop_map(|n| n.to_string()), (1u8..=59).prop_map(|n| format!("B{n}"))];
    let labels = ("[a-h]", roman, 1u8..=3, 0usize..=3).prop_map(|(a, r, d, depth)| {
        [a, r.to_owned(), d.to_string()].into_iter().take(depth).collect::<Vec<_>>()
    });
    (prop::sample::select(vec!["S1", "S2"]), number, labels).prop_map(|(s, n, l)| (s.to_owned(), n, l))
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn every_way_of_writing_an_id_names_it((standard, number, labels) in paragraph_id(), lower in any::<bool>()) {
        let brackets: String = labels.iter().map(|l| format!("({l})")).collect();
        let bare: String = labels.iter().map(|l| format!(" {l}")).collect();
        let id = format!("{standard}.{number}{brackets}");
        for way in [
            id.clone(),
            format!("IFRS {id}"),
            format!("{standard} {number}{bare}"),
            format!("IFRS {standard} {number}{bare}"),
            format!("{standard} para {number}{brackets}"),
            format!("paragraph {number}{bare} of {standard}"),
            format!("para. {number}{brackets} in IFRS {standard}"),
        ] {
            let way = if lower { way.to_lowercase() } else { way };
            let found = detect(&way);
            prop_assert_eq!(found.len(), 1, "in {}", way);
            prop_assert_eq!(&found[0].ids, std::slice::from_ref(&id), "in {}", way);
            prop_assert_eq!(found[0].span.of(&way), way.as_str());
        }
    }

    #[test]
    fn spans_are_ordered_and_apart(text in prop_oneof![
        ".{0,200}",
        "([sS][12]|IFRS|paragraphs?|§|[0-9]{1,4}|[B-E][0-9]{1,2}|\\([a-z]{1,3}\\)|EM-EP|kap|of|to|[ .,:–()-]){0,40}",
    ]) {
        let found = detect(&text);
        let mut end = 0;
        for reference in &found {
            prop_assert!(reference.span.start >= end && !reference.span.is_empty());
            prop_assert!(text.is_char_boundary(reference.span.start) && text.is_char_boundary(reference.span.end));
            prop_assert!(!reference.ids.is_empty() && reference.ids.len() <= 400);
            prop_assert!(DETECTORS.iter().any(|d| d.name() == reference.detector));
            end = reference.span.end;
        }
    }

    #[test]
    fn words_around_do_not_hide_an_explicit_id((standard, number, labels) in paragraph_id(), before in "([j-u]{4,9} ){0,3}[ (,]", after in "[ ),;?]( [j-u]{4,9}){0,3}") {
        let brackets: String = labels.iter().map(|l| format!("({l})")).collect();
        let id = format!("{standard}.{number}{brackets}");
        let text = format!("{before}{id}{after}");
        let found = detect(&text);
        prop_assert_eq!(found.len(), 1, "in {:?}", text);
        prop_assert_eq!(&found[0].ids, &[id]);
    }
}
