//! Of when the cells of tables and the entries of lists are.

use super::told;

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
