//! Tables as programs print them: with leaders, with lines between groups of columns only, and with names cut at a bracket.

use crate::figures::{across, down, set_right, told};
use crate::headers::rows;
use crate::text;
use crate::writer::{Page, bold_width, width};

const ENDS: [f32; 4] = [260.0, 345.0, 430.0, 515.0];

fn bold_right(page: Page, ends: &[f32], y: f32, names: &[&str]) -> Page {
    ends.iter()
        .zip(names)
        .fold(page, |page, (end, name)| page.bold(end - bold_width(name, 10.0), y, 10.0, name))
}

#[test]
fn dots_lead_from_a_name_to_its_first_value() {
    let sums =
        [("Sales", "1,604.8", "1,588.3"), ("Operating result", "61.3", "48.7"), ("Debt", "188.0", "214.6")];
    for apart in [0.0, 6.0] {
        let page = bold_right(Page::default(), &[345.0, 430.0], 84.0, &["2024", "2023"]);
        let page = sums.iter().enumerate().fold(page, |page, (r, (name, first, second))| {
            let y = 100.0 + 14.0 * r as f32;
            let room = 345.0 - width(first, 10.0) - apart - 50.0 - width(name, 10.0);
            let led = format!("{name}{}", ".".repeat((room / width(".", 10.0)) as usize));
            page.text(50.0, y, 10.0, &led).text(345.0 - width(first, 10.0), y, 10.0, first).text(
                430.0 - width(second, 10.0),
                y,
                10.0,
                second,
            )
        });
        let wanted: Vec<String> = sums
            .iter()
            .flat_map(|(name, first, second)| {
                [format!("{name} |  | 2024 | {first}"), format!("{name} |  | 2023 | {second}")]
            })
            .collect();
        assert_eq!(told(page), wanted);
    }
}

#[test]
fn an_entry_of_a_page_of_contents_keeps_its_number() {
    let page = ["Our mines", "Our mills", "Our people"].iter().enumerate().fold(
        Page::default(),
        |page, (at, name)| {
            let dots = ".".repeat(120 - 2 * name.len());
            page.text(50.0, 100.0 + 14.0 * at as f32, 10.0, &format!("{name}{dots}{}", 12 + at))
        },
    );
    let text = text(page);
    assert!(!text.contains('|'), "{text}");
    crate::in_order(&text, &["Our mines", "12", "Our mills", "13", "Our people", "14"]);
}

const REGIONS: [&[&str]; 4] = [
    &["Vans", "4,812", "4,790", "2,104", "2,237"],
    &["Electric", "118", "240", "12", "57"],
    &["Lorries", "603", "588", "40", "44"],
    &["Trailers", "911", "902", "75", "61"],
];

#[test]
fn lines_between_groups_of_columns_leave_the_columns_within_a_group_apart() {
    let page = set_right(Page::default(), &ENDS, 100.0, 16.0, &REGIONS);
    let page = across(page, &[88.0, 104.0, 120.0, 136.0, 152.0], 46.0, 520.0);
    let page = down(page, &[190.0, 350.0], 88.0, 152.0);
    let page = bold_right(page, &ENDS, 80.0, &["2023", "2024", "2023", "2024"]);
    let body: Vec<Vec<String>> = rows(page).into_iter().skip(1).collect();
    let wanted: Vec<Vec<String>> =
        REGIONS.iter().map(|row| row.iter().map(|cell| (*cell).to_owned()).collect()).collect();
    assert_eq!(body, wanted);
}

#[test]
fn a_rule_under_a_title_belongs_to_no_table_far_below_it() {
    let left = ["The mill ran for most of the year and", "made more paper than in the year before."];
    let right = ["Its new plant cut the load that goes to", "the river by more than a third of it."];
    let page =
        Page::default().bold(50.0, 60.0, 18.0, "Statement of the year").rule((50.0, 70.0), (515.0, 70.0));
    let page = page.lines(50.0, 90.0, &left).lines(300.0, 90.0, &right);
    let page = page.bold(50.0, 190.0, 10.0, "Releases of the mill").rule((50.0, 222.0), (515.0, 222.0));
    let page = bold_right(page, &[345.0, 515.0], 215.0, &["COD", "Solids"]).bold(50.0, 215.0, 10.0, "Year");
    let table: [&[&str]; 3] = [&["2021", "1,288", "211"], &["2022", "1,204", "187"], &["2023", "786", "139"]];
    let page = set_right(page, &[345.0, 515.0], 236.0, 14.0, &table).rule((50.0, 270.0), (515.0, 270.0));
    let text = text(page);
    let sentences = [left.join(" "), right.join(" ")];
    crate::in_order(&text, &[&sentences[0], &sentences[1], "Releases of the mill"]);
    assert!(text.contains("| 2022 | 1,204 | 187 |"), "{text}");
    assert!(!text.lines().any(|line| line.starts_with('|') && line.contains("mill")), "{text}");
}

#[test]
fn units_that_repeat_over_the_columns_of_a_table_part_no_cards() {
    let page = bold_right(Page::default(), &[260.0, 430.0], 84.0, &["Inland", "Abroad"]);
    let page = bold_right(page, &ENDS, 98.0, &["2024", "2023", "2024", "2023"]);
    let page = ENDS.iter().fold(page, |page, end| page.text(end - width("MWh", 8.0), 110.0, 8.0, "MWh"));
    let fuels: [&[&str]; 5] = [
        &["Diesel", "88,410", "109,300", "21,705", "21,804"],
        &["Gas", "31,220", "30,945", "4,118", "4,502"],
        &["Heating oil", "512", "640", "2,960", "3,871"],
        &["Grid power", "52,014", "49,660", "9,877", "9,912"],
        &["Own power", "3,405", "1,120", "16", "12"],
    ];
    let page = set_right(page, &ENDS, 126.0, 14.0, &fuels);
    let told = told(page);
    for (name, value) in [("Diesel", "21,705"), ("Own power", "12"), ("Gas", "31,220")] {
        assert!(
            told.iter().any(|one| one.starts_with(name) && one.contains(&format!("| {value}"))),
            "{told:#?}"
        );
    }
}

#[test]
fn titles_of_tables_side_by_side_stand_over_their_own() {
    let staff: [&[&str]; 4] = [
        &["France", "871", "862"],
        &["Spain", "143", "141"],
        &["Belgium", "1,090", "1,084"],
        &["All", "2,104", "2,087"],
    ];
    let harm: [&[&str]; 4] = [
        &["Accidents", "18", "23"],
        &["Days lost", "829", "766"],
        &["Drills", "40", "38"],
        &["Courses", "212", "198"],
    ];
    let page =
        Page::default().bold(50.0, 70.0, 11.0, "Staff by country").bold(330.0, 70.0, 11.0, "Safety at work");
    // The first title line reaches over the first column of numbers.
    let page =
        page.text(50.0, 82.0, 10.0, "employees at the 31st of December").text(330.0, 82.0, 10.0, "own staff");
    let page = bold_right(page, &[200.0, 260.0, 470.0, 530.0], 98.0, &["2024", "2023", "2024", "2023"]);
    let page = staff.iter().zip(harm).enumerate().fold(page, |page, (r, (left, right))| {
        let y = 112.0 + 14.0 * r as f32;
        let page = page.text(50.0, y, 10.0, left[0]).text(330.0, y, 10.0, right[0]);
        let cells = [200.0, 260.0, 470.0, 530.0].into_iter().zip(left[1..].iter().chain(&right[1..]));
        cells.fold(page, |page, (end, cell)| page.text(end - width(cell, 10.0), y, 10.0, cell))
    });
    let told = told(page);
    for (name, year, value) in [
        ("France", 2024, "871"),
        ("Belgium", 2023, "1,084"),
        ("Accidents", 2024, "18"),
        ("Courses", 2023, "198"),
    ] {
        assert!(told.iter().any(|one| *one == format!("{name} |  | {year} | {value}")), "{told:#?}");
    }
}

#[test]
fn a_bracket_below_the_values_ends_the_name_beside_them() {
    let page = bold_right(Page::default(), &[345.0, 515.0], 84.0, &["2024", "2023"]);
    let table: [&[&str]; 5] = [
        &["Direct emissions", "318", "299"],
        &["Gross indirect emissions by location", "412", "398"],
        &["(thousand tonnes)", "", ""],
        &["Fuel", "12", "14"],
        &["Power", "77", "81"],
    ];
    let told = told(set_right(page, &[345.0, 515.0], 104.0, 20.0, &table));
    assert!(told[2].starts_with("Gross indirect emissions by location"), "{told:#?}");
    assert!(told[4].starts_with("Fuel |"), "{told:#?}");
}

#[test]
fn a_sum_that_each_group_has_is_that_of_its_group() {
    let page = bold_right(Page::default(), &[345.0, 515.0], 84.0, &["2024", "2023"]);
    let rows: [(f32, &[&str]); 9] = [
        (50.0, &["Offices", "", ""]),
        (62.0, &["Electricity", "412", "388"]),
        (62.0, &["Heat", "118", "97"]),
        (50.0, &["All energy", "530", "485"]),
        (50.0, &["Shops", "", ""]),
        (62.0, &["Electricity", "903", "918"]),
        (62.0, &["Heat", "33", "41"]),
        (50.0, &["All energy", "936", "959"]),
        (50.0, &["Total of the group", "1,466", "1,444"]),
    ];
    let page = rows.iter().enumerate().fold(page, |page, (r, (x, row))| {
        let y = 100.0 + 16.0 * r as f32;
        let cells = [345.0, 515.0].into_iter().zip(&row[1..]).filter(|(_, cell)| !cell.is_empty());
        cells.fold(page.text(*x, y, 10.0, row[0]), |page, (end, cell)| {
            page.text(end - width(cell, 10.0), y, 10.0, cell)
        })
    });
    let told = told(page);
    assert!(told.contains(&"Offices › All energy |  | 2024 | 530".to_owned()), "{told:#?}");
    assert!(told.contains(&"Shops › All energy |  | 2023 | 959".to_owned()), "{told:#?}");
    assert!(told.contains(&"Total of the group |  | 2024 | 1,466".to_owned()), "{told:#?}");
}

#[test]
fn the_name_of_a_group_stands_apart_from_that_of_its_first_row() {
    let rows = [
        ("Steel works", "Hall of Gard", "592", "845"),
        ("", "Mill of Arden", "136", "534"),
        ("", "Quay of Brann", "844", "655"),
        ("Paper mills", "Yard in Colm", "144", "302"),
        ("", "Depot in Dunn", "328", "739"),
    ];
    // Less room than between two columns of text, and more than between two words.
    let inner = 50.0 + width("Steel works", 10.0) + 8.0;
    let page = bold_right(Page::default(), &[345.0, 515.0], 84.0, &["2024", "2023"]);
    let page = rows.iter().enumerate().fold(page, |page, (r, (group, name, first, second))| {
        let y = 100.0 + 16.0 * r as f32;
        let page = if group.is_empty() { page } else { page.text(50.0, y, 10.0, group) };
        page.text(inner, y, 10.0, name).text(345.0 - width(first, 10.0), y, 10.0, first).text(
            515.0 - width(second, 10.0),
            y,
            10.0,
            second,
        )
    });
    let told = told(page);
    assert_eq!(told[0], "Steel works › Hall of Gard |  | 2024 | 592", "{told:#?}");
    assert_eq!(told[4], "Steel works › Quay of Brann |  | 2024 | 844", "{told:#?}");
    assert_eq!(told[8], "Paper mills › Depot in Dunn |  | 2024 | 328", "{told:#?}");
}

#[test]
fn a_sign_close_behind_a_number_is_that_of_the_next_one() {
    let rows = [("Works", "914.4", "87.7"), ("Halls", "308.0", "63.5"), ("Stores", "382.2", "573.4")];
    let page = bold_right(Page::default(), &[200.0, 260.0], 84.0, &["2024", "2023"]);
    let page = rows.iter().enumerate().fold(page, |page, (r, (name, first, second))| {
        let y = 100.0 + 16.0 * r as f32;
        page.text(50.0, y, 10.0, name)
            .text(150.0, y, 10.0, "$")
            .text(200.0 - width(first, 10.0), y, 10.0, first)
            .text(204.0, y, 10.0, "$")
            .text(260.0 - width(second, 10.0), y, 10.0, second)
    });
    let told = told(page);
    for (name, first, second) in rows {
        for (year, value) in [(2024, first), (2023, second)] {
            let sum = |one: &String| {
                one.starts_with(&format!("{name} |  | {year} | ")) && one.ends_with(&format!("{value} $"))
            };
            assert!(told.iter().any(sum), "{told:#?}");
        }
    }
}

#[test]
fn a_year_at_the_first_of_its_columns_is_that_of_all() {
    let ends = [230.0, 300.0, 370.0, 440.0];
    let page = bold_right(Page::default(), &[ends[0], ends[2]], 84.0, &["2024", "2023"]);
    let page = bold_right(page, &ends, 96.0, &["Steel", "Paper", "Steel", "Paper"]);
    let sites: [&[&str]; 3] = [
        &["Holm", "353", "712", "742", "55"],
        &["Arden", "463", "628", "524", "843"],
        &["Brann", "290", "433", "871", "400"],
    ];
    let told = told(set_right(page, &ends, 112.0, 16.0, &sites));
    for site in sites {
        let names = [("Steel", 2024), ("Paper", 2024), ("Steel", 2023), ("Paper", 2023)];
        for ((name, year), value) in names.into_iter().zip(&site[1..]) {
            assert!(told.contains(&format!("{} | {name} | {year} | {value}", site[0])), "{told:#?}");
        }
    }
}
