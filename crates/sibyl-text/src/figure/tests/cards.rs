//! Key figures whose captions, units and other values stand in several lines.

use super::{Status, figure, told};

/// What is called how, and printed how with its unit, of each figure.
fn named(source: &str) -> Vec<(String, String)> {
    told(source).into_iter().map(|(name, _, printed, _)| (name, printed)).collect()
}

#[test]
fn another_value_in_brackets_is_no_part_of_a_caption() {
    let source = "Edition with data up to 31.12.2024\n\n94.7 %\n\nBoxes that can be recycled (2023: 93.2 %)\n\n\
                  1.14\n\nFeed ratio (target 2027: 1.10)\n";
    let expected = [
        ("Boxes that can be recycled", None, "94.7 %", Status::Actual),
        ("Boxes that can be recycled", Some(2023), "93.2 %", Status::Actual),
        ("Feed ratio", None, "1.14", Status::Actual),
        ("Feed ratio", Some(2027), "1.10", Status::Target),
    ];
    let told: Vec<_> = told(source);
    let told: Vec<_> = told
        .iter()
        .map(|(name, year, printed, status)| (name.as_str(), *year, printed.as_str(), *status))
        .collect();
    assert_eq!(told, expected);
    // What is no value of another time belongs to the caption.
    let kept = named("94.7 %\n\nBoxes (without lids)\n\n€12m\n\nSpent on mills\n");
    assert_eq!(kept[0].0, "Boxes (without lids)");
}

#[test]
fn a_unit_of_several_words_stands_behind_the_number_or_below_the_caption() {
    let beside = "Efficiency ratio\n\n4.18 g CO2 per dwt mile\n\nTarget 2030: 3.10\n";
    let expected =
        [("Efficiency ratio", "4.18 g CO2 per dwt mile"), ("Efficiency ratio", "3.10 g CO2 per dwt mile")];
    assert_eq!(named(beside), expected.map(|(name, printed)| (name.to_owned(), printed.to_owned())));
    let below = "438\n\nCarbon intensity\n\nkg CO2 per tonne of glass\n\n2018/19 base: 590\n\n\
                 61%\n\nRecycled glass\n\nof the batch\n\nplan 2027/28: 70%\n";
    let printed: Vec<String> = named(below).into_iter().map(|(_, printed)| printed).collect();
    let unit = "kg CO2 per tonne of glass";
    assert_eq!(printed, [format!("438 {unit}"), format!("590 {unit}"), "61 %".to_owned(), "70 %".to_owned()]);
    let names: Vec<String> = named(below).into_iter().map(|(name, _)| name).collect();
    assert_eq!(names[2..], ["Recycled glass of the batch"; 2]);
    let french = named("4,71 kg CO2e par tonne\n\nIntensité carbone\n\n61 %\n\nRecyclés\n");
    assert_eq!(french[0], ("Intensité carbone".to_owned(), "4,71 kg CO2e par tonne".to_owned()));
}

#[test]
fn a_caption_that_ends_with_a_period_is_one() {
    let source = "€1,486m\n\nOrder intake 1H 2024\n\n1H 2023: €1,302m\n\n€1,127m\n\nSales 1H 2024\n\n1H 2023: €1,127m\n";
    let told = told(source);
    let years: Vec<Option<u16>> = told.iter().map(|(_, year, ..)| *year).collect();
    assert_eq!(years, [Some(2024), Some(2023), Some(2024), Some(2023)]);
    assert_eq!(told[3].0, "Sales 1H 2024");
}

#[test]
fn the_sign_of_a_multiple_is_no_part_of_a_caption() {
    let source = "1.32×\n\nBook-to-bill\n\n1H 2023: 1.16×\n\n12 %\n\nMargin\n";
    let names: Vec<String> = named(source).into_iter().map(|(name, _)| name).collect();
    assert_eq!(names, ["Book-to-bill", "Book-to-bill", "Margin"]);
}

#[test]
fn a_report_that_states_its_period_is_not_of_the_year_in_its_title() {
    let cards = "50.2%\n\n再生可能エネルギー比率\n\n前年度：32.3%\n\n9.8%\n\n女性管理職比率\n";
    for (covered, year) in [
        ("報告対象期間：2023年4月1日〜2024年3月31日（2023年度）", 2023),
        ("Reporting period: 1 January 2023 to 31 December 2023", 2023),
        ("Reporting periods differ", 2024),
    ] {
        let source = format!("# ESGデータ集2024\n\n{covered}\n\n{cards}");
        let years: Vec<Option<u16>> = told(&source).into_iter().map(|(_, year, ..)| year).collect();
        assert_eq!(years, [Some(year), Some(year - 1), Some(year)], "{covered}");
    }
    let below =
        "# Data 2024\n\nReporting period: 2023\n\n## Goals set in 2022\n\n50 %\n\nShare\n\n9 %\n\nLoss\n";
    assert_eq!(told(below)[0], figure("Share", Some(2022), "50 %"));
}

#[test]
fn a_year_that_a_number_is_set_against_dates_it_not() {
    let told = told(
        "# データ集2024\n\n温室効果ガス排出量（2019年度比）\n\n34.9%\n\n2030年度目標：65%\n\n女性比率\n\n9.8%\n",
    );
    assert_eq!(told[0], figure("温室効果ガス排出量（2019年度比）", Some(2024), "34.9 %"));
}

#[test]
fn a_short_line_with_a_name_before_a_colon_is_a_key_figure() {
    let source = "# Report 2024\n\nThe board met five times in the year.\n\nCommittee attendance 2023/24: 96% (2022/23: 91%)\n\n\
                  - Leakage: 12 %\n- Telephone: 555 12\n";
    let expected = [
        figure("Committee attendance 2023/24", Some(2024), "96 %"),
        figure("Committee attendance 2023/24", Some(2023), "91 %"),
        figure("Leakage", Some(2024), "12 %"),
    ];
    assert_eq!(told(source), expected);
}

#[test]
fn a_line_needs_no_blank_behind_its_colon() {
    let source = "# データ集2024\n\n女性比率：9.8%\n\n- Leakage:12 %\n\nShare (2023):96 %\n";
    let values: Vec<String> = told(source).into_iter().map(|(_, _, printed, _)| printed).collect();
    assert_eq!(values, ["9.8 %", "12 %", "96 %"]);
}

#[test]
fn items_are_of_the_time_that_leads_to_them() {
    let source = "# Report 2024\n\nIn 2023:\n\n- Leakage: 12 %\n";
    assert_eq!(told(source)[0].1, Some(2023));
}

#[test]
fn the_period_of_another_report_is_not_that_of_this_one() {
    let source = "# Report 2024\n\nChanges since the previous reporting period 2022 are told below.\n\n50 %\n\nShare\n";
    assert_eq!(told(source)[0].1, Some(2024));
}

#[test]
fn blanks_of_several_bytes_part_words_as_well() {
    let source = "86 %\n\nQuote\n\nZiel\u{a0}für 2023 H1: 92 %\n\n12 %\n\nMargin\n";
    assert_eq!(told(source)[0].2, "86 %");
}
