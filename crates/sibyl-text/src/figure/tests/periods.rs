//! Of when the cells of tables and the entries of lists are.

use super::{figure, told};

/// Printed number with unit, and year, of each figure.
fn years(source: &str) -> Vec<(String, Option<u16>)> {
    told(source).into_iter().map(|(_, year, printed, _)| (printed, year)).collect()
}

fn of(all: &[(&str, Option<u16>)]) -> Vec<(String, Option<u16>)> {
    all.iter().map(|(printed, year)| ((*printed).to_owned(), *year)).collect()
}

#[test]
fn a_column_of_years_of_something_else_dates_no_row() {
    for name in ["Stranding year", "Year of completion", "Commissioning year", "Lease expiry year"] {
        let source = format!(
            "Table 3 Towns and uses, end of 2024\n\n| Town | Use | Floor (m²) | {name} | Roof (kWp) |\n|---|---|---|---|---|\n\
             | Mirar | Shops | 1,200 | 2031 | 41 |\n| | Homes | 880 | 2038 | 26 |\n| Ostal | Shops | 460 | 2027 | 12 |\n\
             | | Homes | 950 | 2034 | 17 |\n"
        );
        let found = years(&source);
        assert_eq!(found.len(), 8, "{name}: {found:?}");
        assert!(found.iter().all(|(_, year)| *year == Some(2024)), "{name}: {found:?}");
    }
    for name in ["Year", "Reporting year", "Financial year ended", "Geschäftsjahr", "Data year"] {
        let source = format!(
            "| Site | Gas (t) | {name} |\n|---|---|---|\n| Mirar | 12 | 2022 |\n| Ostal | 14 | 2023 |\n"
        );
        assert_eq!(years(&source), of(&[("12 t", Some(2022)), ("14 t", Some(2023))]), "{name}");
    }
}

#[test]
fn parts_of_which_no_period_is_said_are_of_the_column_they_are_parts_of() {
    let behind = "| Use (kt) | 2022 | 2023 | of which Mirar | of which Ostal |\n|---|---|---|---|---|\n| Scrap | 31 | 35 | 21 | 14 |\n";
    let dated = [("31 kt", Some(2022)), ("35 kt", Some(2023)), ("21 kt", Some(2023)), ("14 kt", Some(2023))];
    assert_eq!(years(behind), of(&dated));
    let latest_first =
        "| Use (kt) | 2023 | 2022 | davon Mirar |\n|---|---|---|---|\n| Schrott | 35 | 31 | 21 |\n";
    assert_eq!(years(latest_first).pop(), Some(("21 kt".to_owned(), Some(2023))));
    let between = "| Use (kt) | 2023 | of which Mirar | 2022 | of which Mirar |\n|---|---|---|---|---|\n| Scrap | 35 | 21 | 31 | 19 |\n";
    let dated = [("35 kt", Some(2023)), ("21 kt", Some(2023)), ("31 kt", Some(2022)), ("19 kt", Some(2022))];
    assert_eq!(years(between), of(&dated));
}

#[test]
fn a_change_is_of_the_later_period_that_it_compares() {
    for (names, year) in [
        ("2023 | 2024 | Change", Some(2024)),
        ("2024 | 2023 | Veränderung zum Vorjahr", Some(2024)),
        ("2022 | 2023 | Change 2022 to 2023", Some(2023)),
        ("2024 | 2023 | 2024 vs 2023", Some(2024)),
        ("2024 | 2023 | Change since base year 2019", Some(2024)),
        ("Q3 2024 | Q3 2023 | Change", Some(2024)),
        ("Q4 2024 | FY 2024 | Change", None),
        ("North | South | Change", None),
    ] {
        let source = format!("| Item | {names} |\n|---|---|---|---|\n| Gas | 120 | 131 | -8 % |\n");
        let found = years(&source).pop();
        assert_eq!(found, Some(("-8 %".to_owned(), year)), "{names}");
    }
    let groups = "| Item | Q4 2024 | Q4 2023 | Change | 2024 | 2023 | Change |\n|---|---|---|---|---|---|---|\n\
                  | Gas | 12 | 13 | -8 % | 51 | 50 | 2 % |\n";
    assert_eq!(years(groups).pop(), Some(("2 %".to_owned(), Some(2024))));
}

#[test]
fn a_list_of_names_and_values_has_a_figure_for_each() {
    let source = "## Where power was used, GWh in 2023\n\nMirar 6.4 GWh\n\nOstal 3.9 GWh\n\nOther ports 1.1 GWh\n\n11.4\n";
    assert_eq!(
        told(source),
        [
            figure("Mirar", Some(2023), "6.4 GWh"),
            figure("Ostal", Some(2023), "3.9 GWh"),
            figure("Other ports", Some(2023), "1.1 GWh"),
        ]
    );
    let items = "What we spent in 2024:\n\n- Plants and grains 41.3%\n- Dairy 15.2%\n";
    let dated = [("41.3 %", Some(2024)), ("15.2 %", Some(2024))];
    assert_eq!(years(items), of(&dated));
    let counted = "## Smelters, FY24\n\nActive 17 smelters\n\nNot enrolled 6 smelters\n";
    assert_eq!(years(counted), of(&[("17", Some(2024)), ("6", Some(2024))]));
    let sentences = "Emissions fell by 12 %\n\nWater use fell to 30 %\n";
    assert!(told(sentences).iter().all(|(names, ..)| names.contains("fell")));
}
