//! Figures whose period, unit or kind is said around them.

use super::{figure, read, told};
use crate::figure::Status;

#[test]
fn words_that_several_numbers_of_a_row_have_behind_them_are_their_unit() {
    let source = "| Used | 2024 | 2023 |\n|---|---|---|\n| Gas | 961 standard cubic feet | 1,059 standard cubic feet |\n\
                  | Coal | 12 lots of dirty stuff | none |\n";
    assert_eq!(
        told(source),
        [
            figure("Gas", Some(2024), "961 standard cubic feet"),
            figure("Gas", Some(2023), "1,059 standard cubic feet"),
        ]
    );
}

#[test]
fn sentences_in_the_cells_of_a_table_of_text_have_figures() {
    let source = "| Topic | What we did |\n|---|---|\n\
                  | Power | In 2020, the power that we bought from wind and sun reached 7.8 percent. |\n";
    let told = told(source);
    assert_eq!(told.len(), 1, "{told:?}");
    assert_eq!((told[0].1, told[0].2.as_str()), (Some(2020), "7.8 percent"));
}

#[test]
fn the_first_and_last_day_of_a_year_are_its_period() {
    for (period, year) in [
        ("from 2026-01-01 to 2026-12-31", Some(2026)),
        ("1 January 2024 to 31 December 2024", Some(2024)),
        ("1 July 2023 to 30 June 2024", Some(2024)),
        ("1 July 2021 to 30 June 2024", None),
        ("from 2024", None),
    ] {
        let source = format!("## Waste {period}\n\n| | Waste |\n|---|---|\n| Paper | 139 t |\n");
        assert_eq!(told(&source), [figure("Paper | Waste", year, "139 t")], "{period}");
    }
}

#[test]
fn numbers_that_refer_to_something_else_name_no_row() {
    let source = "| | | Staff | |\n|---|---|---|---|\n| 65 | 178-180 | Women | 5 people |\n| 65 | 178-180 | Men | 2 people |\n";
    let names: Vec<String> = told(source).into_iter().map(|(names, ..)| names).collect();
    assert_eq!(names.len(), 2, "{names:?}");
    assert!(names.iter().zip(["Women", "Men"]).all(|(names, name)| names.contains(name)), "{names:?}");
}

#[test]
fn a_triangle_is_a_minus_and_eras_are_years() {
    let source = "| 回次 | | 第107期 | 第108期 |\n|---|---|---|---|\n| 決算年月 | | 令和６年３月 | 令和７年３月 |\n\
                  | 財務活動による収支 | (百万円) | △11,694 | ▲1,097 |\n";
    let (document, figures) = read("report.md", source);
    let told: Vec<_> = figures.iter().map(|one| (one.printed(&document.text), one.value, one.year)).collect();
    assert_eq!(told, [("△11,694", -11_694.0, Some(2024)), ("▲1,097", -1_097.0, Some(2025))]);
    let (_, figures) = read("report.md", "| | 2024 |\n|---|---|\n| Sales | ▲4 % |\n");
    assert_eq!(figures[0].value, 4.0);
}

#[test]
fn what_leads_to_a_list_dates_and_measures_its_items() {
    let items = [
        figure("Scope 1 emissions were 15,751", Some(2020), "15,751 thousand tonnes"),
        figure("Scope 2 emissions were 749", Some(2020), "749 thousand tonnes"),
    ];
    let list = "We measure. In 2020 (in thousand tonnes):\n\n- Scope 1 emissions were 15,751\n- Scope 2 emissions were 749\n";
    assert_eq!(told(list), items);
    let cell = "| a | b |\n|---|---|\n| We say what we emit each year. In 2020 (in thousand tonnes): • Scope 1 emissions were 15,751 \
                • Scope 2 emissions were 749 | |\n";
    assert_eq!(told(cell), items);
}

#[test]
fn what_columns_are_is_said_in_many_languages() {
    let source = "| Thème | Unité | Réalisé | | | Objectif |\n|---|---|---|---|---|---|\n\
                  | | | 2022 | 2023 publié | 2023 retraité | 2030 |\n\
                  | Scope 1 | kt éq. CO2 | 412,6 | 398,1 | 401,7 | 268,0 |\n";
    let told: Vec<_> =
        told(source).into_iter().map(|(_, year, printed, status)| (year, printed, status)).collect();
    let one = |year, printed: &str, status| (Some(year), format!("{printed} kt éq. CO2"), status);
    assert_eq!(
        told,
        [
            one(2022, "412,6", Status::Actual),
            one(2023, "398,1", Status::Actual),
            one(2023, "401,7", Status::Restated),
            one(2030, "268,0", Status::Target),
        ]
    );
    for (name, status) in [
        ("Ziel 2030", Status::Target),
        ("2030年度目標", Status::Target),
        ("Basis", Status::Base),
        ("2023 (angepasst)", Status::Restated),
        ("2025 (geschätzt)", Status::Estimate),
        ("2025 guidance", Status::Estimate),
        ("Real 2024", Status::Actual),
    ] {
        assert_eq!(Status::told_by(name), Some(status), "{name}");
    }
}

#[test]
fn a_date_over_the_names_of_rows_dates_a_table() {
    let source = "| As of 31 December 2024 | Emissions |\n|---|---|\n| Scope 1 | 139 t |\n";
    assert_eq!(told(source), [figure("Scope 1 | Emissions", Some(2024), "139 t")]);
    let source =
        "| 基準日:2022 年 12 月 31 日 | 溫室氣體排放量 |\n|---|---|\n| 範疇二 | 993.37 公噸 CO2e |\n";
    assert_eq!(told(source), [figure("範疇二 | 溫室氣體排放量", Some(2022), "993.37 公噸 CO2e")]);
}

#[test]
fn a_column_without_a_name_beside_dated_ones_has_no_period() {
    let source = "# Report 2024\n\n| | 2024 | 2023 | |\n|---|---|---|---|\n| Accidents | 1.24 | 1.31 | 1.11 |\n\
                  | Days lost | 40 | 52 | |\n";
    assert_eq!(
        told(source)[..3],
        [
            figure("Accidents", Some(2024), "1.24"),
            figure("Accidents", Some(2023), "1.31"),
            figure("Accidents", None, "1.11"),
        ]
    );
}

#[test]
fn the_period_of_a_row_tells_its_kind_as_that_of_a_column_does() {
    let source = "| | Scope 1, kt |\n|---|---|\n| 2024 | 12 |\n| 2030e | 9 |\n| Target 2035 | 4 |\n";
    let told: Vec<_> = told(source).into_iter().map(|(_, year, _, status)| (year, status)).collect();
    assert_eq!(
        told,
        [(Some(2024), Status::Actual), (Some(2030), Status::Estimate), (Some(2035), Status::Target)]
    );
}

#[test]
fn years_of_two_digits_behind_their_quarter_date_columns() {
    let source = "| GWh | Q1 24 | Q2 24 |\n|---|---|---|\n| Gas | 12 | 14 |\n";
    assert_eq!(told(source).iter().map(|(_, year, ..)| *year).collect::<Vec<_>>(), [Some(2024); 2]);
    let source = "In Q1 24 people joined us and 12 left.\n";
    assert!(told(source).iter().all(|(_, year, ..)| year.is_none()));
}

#[test]
fn the_mark_of_a_note_at_a_year_is_no_part_of_a_unit() {
    let source = "| Site | Emissions in 2024* kt CO2e |\n|---|---|\n| Ghent | 12 |\n";
    let told = told(source);
    assert_eq!((told[0].1, told[0].2.as_str()), (Some(2024), "12 kt CO2e"));
}

#[test]
fn what_is_counted_ends_before_words_that_are_no_unit() {
    let told = told("At 31 December the group had 3,420 employees at year end.\n");
    assert_eq!(told.last().map(|one| one.2.as_str()), Some("3,420 employees"));
}

#[test]
fn neither_end_of_a_range_is_a_figure() {
    let printed = |source: &str| -> Vec<String> {
        told(source).into_iter().map(|(_, _, printed, _)| printed).collect()
    };
    for range in [
        "We will save 10–15 % of the heat",
        "We will save 10 to 15 per cent of the heat",
        "We will save 10-15 % of the heat",
        "We will save 10% to 15% of the heat",
        "The mill will cost €12–15 million",
        "The mill will cost €12m–€15m",
        "The mill will save between 20 and 30 kt",
        "Das Werk spart 20 bis 30 kt im Jahr",
        "Elle économise entre 20 et 30 kt par an",
        "| Heat | 2024 |\n|---|---|\n| Saved (%) | 10–15 |",
    ] {
        assert_eq!(printed(&format!("{range}\n")), [""; 0], "{range}");
    }
    for (change, both) in [
        ("Emissions rose from 20 kt to 30 kt", &["20 kt", "30 kt"][..]),
        ("Emissions fell 10% to 30 kt", &["10 %", "30 kt"]),
        ("It spent EUR 140 million and k€ 30", &["140 EUR million", "30 k€"]),
        ("It used 20 kt of coal and 30 kt of gas", &["20 kt", "30 kt"]),
    ] {
        assert_eq!(printed(&format!("{change}\n")), both, "{change}");
    }
}
