//! The names of rows and columns as printed sheets have them: indented, turned, over each other, beside text.

use crate::figures::{across, centred, down, set_right, told};
use crate::headers::rows;
use crate::text;
use crate::writer::{Page, bold_width, width};

const ENDS: [f32; 2] = [345.0, 515.0];
const ENERGY: [&[&str]; 4] = [
    &["Ovens", "1,204", "1,187"],
    &["Mills", "412", "398"],
    &["Presses", "95", "91"],
    &["Lorries", "318", "299"],
];

fn bold_right(page: Page, ends: &[f32], y: f32, names: &[&str]) -> Page {
    ends.iter()
        .zip(names)
        .fold(page, |page, (end, name)| page.bold(end - bold_width(name, 10.0), y, 10.0, name))
}

fn cells(rows: &[&[&str]]) -> Vec<Vec<String>> {
    rows.iter().map(|row| row.iter().map(|cell| (*cell).to_owned()).collect()).collect()
}

/// Labels of rows at their own places, with a number for 2024 beside each.
fn labelled(labels: &[(f32, &str, &str)]) -> Page {
    let page = bold_right(Page::default().bold(50.0, 84.0, 10.0, "Energy"), &[515.0], 84.0, &["2024"]);
    labels.iter().enumerate().fold(page, |page, (r, (x, label, number))| {
        let y = 100.0 + 16.0 * r as f32;
        page.text(*x, y, 10.0, label).text(515.0 - width(number, 10.0), y, 10.0, number)
    })
}

#[test]
fn an_indented_name_is_a_part_of_the_one_above_it_that_begins_further_left() {
    let page = labelled(&[
        (50.0, "Fuels", "90"),
        (62.0, "Gas", "60"),
        (74.0, "Heating", "41"),
        (74.0, "Melting", "19"),
        (62.0, "Oil", "30"),
        (50.0, "Power", "55"),
    ]);
    assert_eq!(
        told(page),
        [
            "Fuels |  | 2024 | 90",
            "Fuels › Gas |  | 2024 | 60",
            "Fuels › Gas › Heating |  | 2024 | 41",
            "Fuels › Gas › Melting |  | 2024 | 19",
            "Fuels › Oil |  | 2024 | 30",
            "Power |  | 2024 | 55",
        ]
    );
}

#[test]
fn an_indented_sum_is_no_part_of_the_row_above_it() {
    let page = labelled(&[
        (50.0, "Gas", "60"),
        (50.0, "Oil", "30"),
        (62.0, "Total fuels", "90"),
        (50.0, "Power", "55"),
    ]);
    assert_eq!(told(page)[2], "Total fuels |  | 2024 | 90");
}

#[test]
fn names_at_the_middle_of_their_column_are_not_indented() {
    let names = ["Gas and oil", "Gas", "Oil of all kinds", "Power"];
    let rows: Vec<(f32, &str, &str)> = names
        .iter()
        .zip(["90", "60", "30", "55"])
        .map(|(name, number)| (120.0 - width(name, 10.0) / 2.0, *name, number))
        .collect();
    let expected: Vec<String> =
        rows.iter().map(|(_, name, number)| format!("{name} |  | 2024 | {number}")).collect();
    assert_eq!(told(labelled(&rows)), expected);
}

#[test]
fn names_of_one_column_stand_at_the_middle_of_two_rows_of_names() {
    let ends = [245.0, 330.0, 415.0, 500.0];
    let body: [&[&str]; 3] = [
        &["Energy used at the works", "1,204", "1,187", "318", "299"],
        &["Water", "412", "398", "95", "91"],
        &["Waste", "12", "9", "40", "38"],
    ];
    let page = centred(Page::default(), 265.0, 82.0, "North works");
    let page = centred(page, 435.0, 82.0, "South works");
    let page = centred(page, 95.0, 89.0, "Measure");
    let page = bold_right(page, &ends, 96.0, &["2023", "2024", "2023", "2024"]);
    let header = ["Measure", "North works 2023", "North works 2024", "South works 2023", "South works 2024"];
    assert_eq!(rows(set_right(page, &ends, 112.0, 16.0, &body)), [cells(&[&header]), cells(&body)].concat());
}

#[test]
fn columns_of_text_above_a_table_are_no_rows_of_it() {
    let left = [
        "Im Berichtsjahr sank der Verbrauch um sechs",
        "Prozent, obwohl die Maschine länger lief als im",
        "Vorjahr. Den Beitrag leistete die neue Anlage, die",
        "seit Februar im Betrieb ist und ohne Pause läuft.",
    ];
    let right = [
        "Der Anteil stieg, weil wir den Vertrag mit dem",
        "Windpark erweitert haben. Die Abnahme lag",
        "Ende des Jahres wieder auf dem Stand der",
        "Jahre davor und wird nicht weiter steigen.",
    ];
    let page = Page::default().lines(50.0, 60.0, &left).lines(310.0, 60.0, &right);
    let ends = [245.0, 335.0, 425.0, 515.0];
    let body: [&[&str]; 3] = [
        &["Strom", "14,2", "13,9", "13,1", "11,5"],
        &["Erdgas", "22,8", "21,3", "20,1", "16,0"],
        &["Wasser", "48,2", "47,9", "46,3", "42,0"],
    ];
    let dates = ["31.12.2022", "31.12.2023", "31.12.2024", "Ziel 2027"];
    let page = bold_right(page.bold(50.0, 124.0, 10.0, "Kennzahl"), &ends, 124.0, &dates);
    let header: Vec<&str> = ["Kennzahl"].into_iter().chain(dates).collect();
    assert_eq!(rows(set_right(page, &ends, 140.0, 16.0, &body)), [cells(&[&header]), cells(&body)].concat());
}

#[test]
fn a_table_begins_where_years_name_the_columns_anew_over_a_rule_as_long_as_those_above() {
    // The rule above the sum and those of both headers are as long: three, as those of one table are.
    let page = bold_right(Page::default().bold(50.0, 84.0, 10.0, "Staff"), &ENDS, 98.0, &["2024", "2023"]);
    let page = across(page, &[102.0, 150.0, 210.0], 50.0, 515.0);
    let page = set_right(page, &ENDS, 114.0, 16.0, &[&["Women", "41", "38"], &["Men", "52", "50"]]);
    let page = set_right(page, &ENDS, 162.0, 16.0, &[&["All", "93", "88"]]);
    let page = bold_right(page.bold(50.0, 192.0, 10.0, "Training"), &ENDS, 206.0, &["2021", "2020"]);
    let page = set_right(page, &ENDS, 222.0, 16.0, &[&["Hours", "24", "22"], &["Days", "3", "2"]]);
    let found = told(page);
    for figure in ["Women |  | 2024 | 41", "All |  | 2023 | 88", "Hours |  | 2021 | 24", "Days |  | 2020 | 2"]
    {
        assert!(found.iter().any(|found| found == figure), "{figure} is not in {found:#?}");
    }
}

#[test]
fn a_first_row_of_numbers_between_lines_names_no_columns() {
    let page = across(Page::default(), &[86.0, 104.0, 120.0, 136.0, 152.0], 45.0, 520.0);
    let page = down(page, &[45.0, 250.0, 380.0, 520.0], 86.0, 152.0);
    let page = set_right(page, &ENDS, 98.0, 16.0, &ENERGY);
    assert_eq!(rows(page), [cells(&[&["", "", ""]]), cells(&ENERGY)].concat());
}

#[test]
fn the_name_of_a_group_between_a_header_and_rows_in_frames_of_their_own_is_a_row() {
    // Header and rows each stand between lines; what names the first group stands between them.
    let page = across(Page::default(), &[70.0, 90.0], 45.0, 520.0);
    let page = down(page, &[45.0, 250.0, 380.0, 520.0], 70.0, 90.0);
    let page = bold_right(page.bold(50.0, 84.0, 10.0, "Place"), &ENDS, 84.0, &["2024", "2023"]);
    let page = page.bold(50.0, 102.0, 10.0, "Energy");
    let page = across(page, &[108.0, 124.0, 140.0, 156.0, 172.0], 45.0, 520.0);
    let page = down(page, &[45.0, 250.0, 380.0, 520.0], 108.0, 172.0);
    let found = told(set_right(page, &ENDS, 120.0, 16.0, &ENERGY));
    assert_eq!(found[0], "Energy › Ovens |  | 2024 | 1,204");
    assert_eq!(found[7], "Energy › Lorries |  | 2023 | 299");
}

#[test]
fn turned_names_over_a_table_are_its_header() {
    let page = across(Page::default(), &[186.0, 204.0, 220.0, 236.0, 252.0], 45.0, 520.0);
    let page = down(page, &[45.0, 250.0, 380.0, 520.0], 186.0, 252.0);
    let page = set_right(page, &ENDS, 198.0, 16.0, &ENERGY);
    let turned =
        |x: f32, name: &str| format!("BT /F1 10 Tf 0 1 -1 0 {x} {} Tm ({name}) Tj ET", 800.0 - 182.0);
    let page = page.raw(&turned(343.0, "Energy in MWh")).raw(&turned(513.0, "Water in litres"));
    assert_eq!(rows(page), [cells(&[&["", "Energy in MWh", "Water in litres"]]), cells(&ENERGY)].concat());
}

#[test]
fn a_number_that_reaches_over_the_right_side_of_its_table_stands_in_the_last_column() {
    let page = across(Page::default(), &[86.0, 104.0, 120.0, 136.0, 152.0, 168.0], 45.0, 512.0);
    let page = down(page, &[45.0, 250.0, 380.0, 512.0], 86.0, 168.0);
    let body: [&[&str]; 4] = [
        &["Ovens", "12", "1,187"],
        &["Mills", "41", "8"],
        &["Presses", "95", "9"],
        &["Lorries", "31", "299"],
    ];
    let page = bold_right(page.bold(50.0, 98.0, 10.0, "Place"), &[345.0, 508.0], 98.0, &["2024", "2023"]);
    let page = set_right(page, &[345.0, 516.0], 114.0, 16.0, &body);
    assert_eq!(rows(page), [cells(&[&["Place", "2024", "2023"]]), cells(&body)].concat());
}

#[test]
fn rows_in_larger_letters_than_the_names_of_their_columns_are_below_those() {
    let dates = ["Sept 28, 2024", "Sept 30, 2023"];
    let page = ENDS
        .iter()
        .zip(dates)
        .fold(Page::default(), |page, (end, name)| page.bold(end - bold_width(name, 8.0), 84.0, 8.0, name));
    let page = page.bold(50.0, 100.0, 10.0, "Net sales");
    let found = told(set_right(page, &ENDS, 116.0, 14.0, &ENERGY));
    assert_eq!(found.len(), 8);
    assert!(
        found[0].starts_with("Net sales › Ovens |") && found[0].ends_with("| 2024 | 1,204"),
        "{found:#?}"
    );
}

#[test]
fn a_dash_in_the_last_cell_of_a_row_is_no_mark_of_the_name_beside_it() {
    let left: [&[&str]; 4] =
        [&["Ovens", "12", "11"], &["Mills", "41", "39"], &["Other", "-", "-"], &["All", "53", "50"]];
    let right: [[&str; 3]; 4] =
        [["Gas", "4", "5"], ["Oil", "7", "8"], ["Others", "3", "5"], ["Sum", "14", "18"]];
    let page = set_right(Page::default(), &[160.0, 230.0], 100.0, 16.0, &left);
    let page = right.iter().enumerate().fold(page, |page, (r, [name, one, other])| {
        let y = 100.0 + 16.0 * r as f32;
        page.text(258.0, y, 10.0, name).text(400.0, y, 10.0, one).text(470.0, y, 10.0, other)
    });
    let text = text(page);
    assert!(text.contains("Others") && !text.contains("- Others"), "{text}");
}
