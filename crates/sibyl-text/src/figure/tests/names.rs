//! What belongs to a name, a period or a unit.

use super::*;

#[test]
fn years_in_which_something_happened_are_no_periods_of_the_numbers_beside_them() {
    let board = "| Name | Role | Since | Meetings |\n|---|---|---|---|\n| Anna Berg | Chair | 2018 | 11 |\n| Olaf Moe | Member | 2021 | 9 |\n";
    assert_eq!(
        told(board),
        [
            figure("Anna Berg › Chair | Meetings", None, "11"),
            figure("Olaf Moe › Member | Meetings", None, "9")
        ]
    );
    let dated = |head: &str, rows: [&str; 2]| {
        let source = format!("| {head} | Kilns |\n|---|---|---|\n| {} | 4 |\n| {} | 5 |\n", rows[0], rows[1]);
        told(&source).into_iter().map(|(_, year, ..)| year).collect::<Vec<_>>()
    };
    let sites = ["Moss | 2018", "Ski | 2021"];
    for head in ["Site | Joined", "Site | Commissioned in", "Werk | Baujahr", "Site | Ausbau"] {
        assert_eq!(dated(head, sites), [None, None], "{head}");
    }
    for head in ["Site | Year", "Werk | Berichtsjahr", "拠点 | 年度", "Site | "] {
        assert_eq!(dated(head, sites), [Some(2018), Some(2021)], "{head}");
    }
    assert_eq!(
        dated("Zakład | Lata", ["Moss | 2018", "Moss | 2021"]),
        [Some(2018), Some(2021)],
        "years part rows of one name"
    );
}

#[test]
fn what_is_measured_is_the_name_of_a_column_and_no_part_of_its_unit() {
    let source = "| Year | CO2, kt | CO2e (t) | kt CO2 |\n|---|---|---|---|\n| 2023 | 41 | 5 | 7 |\n| 2024 | 38 | 6 | 8 |\n";
    let names: Vec<_> = told(source).into_iter().map(|(names, _, printed, _)| (names, printed)).collect();
    let expected = [
        (" | CO2", "41 kt"),
        (" | CO2e", "5 t"),
        ("", "7 kt CO2"),
        (" | CO2", "38 kt"),
        (" | CO2e", "6 t"),
        ("", "8 kt CO2"),
    ];
    assert_eq!(names, expected.map(|(name, printed)| (name.to_owned(), printed.to_owned())));
}

#[test]
fn the_mark_of_a_note_behind_a_unit_is_no_part_of_it() {
    let source =
        "# Energy\n\nWe used 412 GWh[1] in 2024.\n\nWater fell to 310 m³ [2] a year.\n\n[1] Without steam.\n";
    let printed: Vec<String> = told(source).into_iter().map(|(_, _, printed, _)| printed).collect();
    assert_eq!(printed, ["412 GWh", "310 m³"]);
}

#[test]
fn marks_of_the_notes_below_a_table_are_no_part_of_its_names() {
    let table = "# Waste (1)\n\n| Type | 2024 (2) | Use (4) | 2023 |\n|---|---|---|---|\n| Hazardous (3) | 320 | 5 | 311 |\n| Injuries¹ | 12 | 6 | 15 |\n\
                 | Firms³,ᵇ | 1 | 6 | 9 |\n\
                 | Water, m³ | 12 | 6 | 15 |\n";
    let notes = "\n(1) Without soil.\n\n(2) With Ski.\n\n(3) By law.\n\n1 Own people.\n\n(b) Half owned.\n";
    let names = |source: &str| told(source).into_iter().map(|(names, ..)| names).collect::<Vec<_>>();
    let marked = names(&format!("{table}{notes}"));
    assert_eq!(
        marked[..4],
        ["Hazardous", "Hazardous | Use (4)", "Hazardous", "Injuries"],
        "no note is marked (4)"
    );
    assert_eq!(marked[6..9], ["Firms", "Firms | Use (4)", "Firms"]);
    assert!(marked[9..].iter().all(|name| name.starts_with("Water, m³")), "{marked:?}");
    let (document, figures) = read("report.md", &format!("{table}{notes}"));
    assert_eq!(
        (figures[0].above.last().map(String::as_str), figures[0].printed(&document.text)),
        (Some("Waste"), "320")
    );
    assert_eq!(names(table)[0], "Hazardous (3)", "without notes, nobody knows what it is but behind a year");
}
