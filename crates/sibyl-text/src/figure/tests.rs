//! Figures of small documents, by what their text says.

mod around;
mod cards;
mod names;
mod periods;

use super::*;
use crate::format::{Input, format_of};

fn read(name: &str, source: &str) -> (Document, Vec<Figure>) {
    let input = Input { name, bytes: source.as_bytes(), page_metadata: None };
    let document = format_of(&input).unwrap().read(&input);
    let figures = figures(&document);
    (document, figures)
}

/// Label, column, year, printed number with unit, and status.
fn told(source: &str) -> Vec<(String, Option<u16>, String, Status)> {
    let (document, figures) = read("report.md", source);
    figures
        .iter()
        .map(|figure| {
            let mut names = figure.label.join(" › ");
            if !figure.column.is_empty() {
                names = format!("{names} | {}", figure.column);
            }
            let unit = figure.unit.as_deref().map(|unit| format!(" {unit}")).unwrap_or_default();
            (names, figure.year, format!("{}{unit}", figure.printed(&document.text)), figure.status)
        })
        .collect()
}

fn figure(names: &str, year: Option<u16>, printed: &str) -> (String, Option<u16>, String, Status) {
    (names.to_owned(), year, printed.to_owned(), Status::Actual)
}

#[test]
fn a_cell_has_the_names_of_its_row_and_column() {
    let source = "# Climate\n\n| Metric | Unit | 2024 | 2023 |\n|---|---|---:|---:|\n| Scope 1 | t CO2e | 139,868 | 154,507 |\n\
                  | Water | m³ | 12 | n/a |\n";
    assert_eq!(
        told(source),
        [
            figure("Scope 1", Some(2024), "139,868 t CO2e"),
            figure("Scope 1", Some(2023), "154,507 t CO2e"),
            figure("Water", Some(2024), "12 m³"),
        ]
    );
}

#[test]
fn a_column_of_units_is_one_in_each_language_though_some_units_are_known_to_nobody() {
    for name in ["Unidad", "Unité", "Eenheid", "単位"] {
        let source = format!(
            "| Indicador | {name} | 2024 |\n|---|---|---:|\n| Gas | GWh | 12 |\n| Clientes | n.º | 31 |\n\
             | Quejas | por mil | 4 |\n"
        );
        let found: Vec<String> = told(&source).into_iter().map(|(names, ..)| names).collect();
        assert_eq!(found, ["Gas", "Clientes", "Quejas"], "{name}");
    }
}

#[test]
fn a_row_of_a_database_is_called_by_its_columns_of_words_and_not_by_its_number() {
    let source = "| id | site | level_1 | level_2 | unit | value_2023 | value_2024 |\n|---|---|---|---|---|---|---|\n\
                  | 1 | Works A | Scope 1 | CO2 | t | 10 | 11 |\n| 2 | Works A | Scope 1 | Total | t | 20 | 21 |\n\
                  | 5 | Works B | Scope 1 | Total | t | 30 | 31 |\n";
    assert_eq!(
        told(source)[2..],
        [
            figure("Works A › Scope 1 › Total", Some(2023), "20 t"),
            figure("Works A › Scope 1 › Total", Some(2024), "21 t"),
            figure("Works B › Scope 1 › Total", Some(2023), "30 t"),
            figure("Works B › Scope 1 › Total", Some(2024), "31 t"),
        ]
        .map(|(names, year, printed, status)| (format!("{names} | value"), year, printed, status))
    );
}

#[test]
fn rows_below_a_group_carry_its_name() {
    let source = "| Emissions (kt) | 2024 |\n|---|---|\n| Scope 1 | |\n| Kilns | 12 |\n| Ships | 3 |\n| Scope 2 | |\n| Kilns | 7 |\n";
    let names: Vec<String> = told(source).into_iter().map(|(names, ..)| names).collect();
    assert_eq!(names, ["Scope 1 › Kilns", "Scope 1 › Ships", "Scope 2 › Kilns"]);
}

#[test]
fn a_row_that_begins_with_a_dash_or_of_which_is_a_part_of_the_row_above() {
    let source = "| Emissions (kt) | 2024 |\n|---|---|\n| Scope 1 | 12 |\n| – fuel oil | 8 |\n| - gas | 4 |\n| Scope 2 | 7 |\n\
                  | of which bought steam | 2 |\n| Total | 19 |\n";
    let names: Vec<String> = told(source).into_iter().map(|(names, ..)| names).collect();
    assert_eq!(
        names,
        ["Scope 1", "Scope 1 › fuel oil", "Scope 1 › gas", "Scope 2", "Scope 2 › bought steam", "Total"]
    );
}

#[test]
fn rows_that_begin_further_right_belong_to_the_row_above() {
    let source = "| Metric | | 2020 | Target |\n|---|---|---|---|\n| Scope 1 by division | | | |\n| | Tobacco | 10 | |\n| | Wine | 20 | |\n\
                  | Scope 2 | | 30 | 25 |\n| | Tobacco | 18 | |\n";
    let all = told(source);
    let names: Vec<&str> = all.iter().map(|(names, ..)| names.as_str()).collect();
    assert_eq!(
        names,
        [
            "Scope 1 by division › Tobacco",
            "Scope 1 by division › Wine",
            "Scope 2",
            "Scope 2 | Target",
            "Scope 2 › Tobacco"
        ]
    );
    assert_eq!(all[3].3, Status::Target);
}

#[test]
fn periods_and_units_come_from_where_they_stand() {
    let source = "Energy use in 2022, GWh\n\n| Site | Electricity | Gas |\n|---|---|---|\n| Mirar | 1.5 | 2 % |\n\n\
                  | Year | Output (kt) |\n|---|---|\n| 2019 | 310 |\n| 2021 | 295 |\n";
    assert_eq!(
        told(source),
        [
            figure("Mirar | Electricity", Some(2022), "1.5 GWh"),
            figure("Mirar | Gas", Some(2022), "2 %"),
            figure(" | Output", Some(2019), "310 kt"),
            figure(" | Output", Some(2021), "295 kt"),
        ]
    );
}

#[test]
fn a_sentence_gives_each_number_its_year() {
    let source = "Output rose to 3.4 million tonnes in 2024, from 3.1 million tonnes in 2023. We aim to cut it to 2.0 million tonnes by 2030.\n";
    let all: Vec<_> =
        told(source).into_iter().map(|(_, year, printed, status)| (year, printed, status)).collect();
    assert_eq!(
        all,
        [
            (Some(2024), "3.4 million tonnes".to_owned(), Status::Actual),
            (Some(2023), "3.1 million tonnes".to_owned(), Status::Actual),
            (Some(2030), "2.0 million tonnes".to_owned(), Status::Target),
        ]
    );
}

#[test]
fn values_are_read_by_the_habit_of_the_document() {
    let source = "| Kennzahl | 2024 |\n|---|---|\n| Wasser (m³) | 1.234 |\n| Strom (GWh) | 12,5 |\n| Gas (GWh) | 3,75 |\n";
    let (_, figures) = read("bericht.md", source);
    let values: Vec<f64> = figures.iter().map(|figure| figure.value).collect();
    assert_eq!(values, [1_234.0, 12.5, 3.75]);
    assert_eq!(figures[1].normal(), Some(12_500.0));
}

#[test]
fn a_year_that_a_heading_aims_at_dates_no_figure_below_it() {
    let of = |heading: &str| {
        let told =
            told(&format!("## {heading}\n\n| Metric | Value |\n|---|---|\n| Cars | 12 |\n| Vans | 7 |\n"));
        told.into_iter().map(|(_, year, ..)| year).collect::<Vec<_>>()
    };
    for heading in
        ["All vehicles electric by 2035", "A cut of 65 % from 2008", "From a 2008 baseline", "Base year 2008"]
    {
        assert_eq!(of(heading), [None, None], "{heading}");
    }
    assert_eq!(of("Fleet in 2023"), [Some(2023), Some(2023)]);
}

#[test]
fn a_table_within_a_table_has_its_own_columns() {
    let source = "| Progress in the year | | |\n|---|---|---|\n| Category | MWh | % of Total |\n| Own power | 300 | 6% |\n\
                  | Grid | 1,600 | 94% |\n| | Cars of the fleet | |\n| Category | FY 22 | FY 23 |\n| Electric | 24 | 81 |\n\
                  | Other | 450 | 454 |\n";
    assert_eq!(
        told(source),
        [
            figure("Own power", None, "300 MWh"),
            figure("Own power | % of Total", None, "6 %"),
            figure("Grid", None, "1,600 MWh"),
            figure("Grid | % of Total", None, "94 %"),
            figure("Electric | Cars of the fleet", Some(2022), "24"),
            figure("Electric | Cars of the fleet", Some(2023), "81"),
            figure("Other | Cars of the fleet", Some(2022), "450"),
            figure("Other | Cars of the fleet", Some(2023), "454"),
        ]
    );
}

#[test]
fn a_row_of_units_or_years_is_no_table_within_a_table() {
    let source = "| Metric | 2023 | 2024 |\n|---|---|---|\n| Cars | 12 | 13 |\n| Energy | MWh | MWh |\n| Bought | 5 | 6 |\n\
                  | Base year | 2015 | 2015 |\n| Water | 8 | 9 |\n";
    let told = told(source);
    assert_eq!(told.last(), Some(&("Energy › Water".to_owned(), Some(2024), "9".to_owned(), Status::Actual)));
    assert!(told.iter().all(|(_, year, ..)| year.is_some()), "{told:?}");
}

#[test]
fn numbers_over_their_names_are_called_by_these() {
    let source = "| Progress | | |\n|---|---|---|\n| +1,920 | | +875 |\n| Electric cars | | Charging ports |\n| +56% | | +40% |\n\
                  | Category | FY 22 | FY 23 |\n| Electric | 24 | 81 |\n";
    assert_eq!(
        told(source)[..4],
        [
            figure("Electric cars", None, "1,920"),
            figure("Charging ports", None, "875"),
            figure("Electric cars", None, "56 %"),
            figure("Charging ports", None, "40 %"),
        ]
    );
}

#[test]
fn a_column_of_numbered_names_names_rows() {
    let source = "Scope 3 by category (kt CO2e)\n\nMost of it is use of products.\n\n| Stage | | FY22 | FY23 |\n|---|---|---|---|\n\
                  | Upstream | 1 Purchased goods | 188.0 | 179.3 |\n| Upstream | 4 Transport | 22.7 | 20.9 |\n\
                  | Downstream | 9 Transport | 8.8 | 8.1 |\n| Downstream | 12 End of life | 4.0 | 3.7 |\n";
    let told = told(source);
    assert_eq!(told[0], figure("Upstream › 1 Purchased goods", Some(2022), "188.0 kt CO2e"));
    assert_eq!(told[3], figure("Upstream › 4 Transport", Some(2023), "20.9 kt CO2e"));
    assert_eq!(told[6], figure("Downstream › 12 End of life", Some(2022), "4.0 kt CO2e"));
}

#[test]
fn a_column_of_counts_with_their_nouns_holds_figures() {
    let source = "| Region | Sites | Staff |\n|---|---|---|\n| North | 3 mines | 340 |\n| South | 5 smelters | 120 |\n| West | 12 refineries | 77 |\n";
    let printed: Vec<String> = told(source).into_iter().map(|(_, _, printed, _)| printed).collect();
    assert!(printed.iter().any(|printed| printed.starts_with("12")), "{printed:?}");
}

#[test]
fn a_number_alone_in_a_line_is_what_its_caption_says() {
    let below = "96%\n\nsuppliers with a signed code\n\n€1,742\n\naverage training spend per head\n";
    let expected = [
        figure("suppliers with a signed code", None, "96 %"),
        figure("average training spend per head", None, "1,742 €"),
    ];
    assert_eq!(told(below), expected);
    let above = "Suppliers with a signed code\n\n96%\n\nAverage training spend per head\n\n€1,742\n";
    let names: Vec<String> = told(above).into_iter().map(|(name, ..)| name).collect();
    assert_eq!(names, ["Suppliers with a signed code", "Average training spend per head"]);
    let wide = told("Spend per head\n\n€\u{a0}1,742\n\nProduct weight\n\n12 t\n");
    let names: Vec<String> = wide.into_iter().map(|(name, ..)| name).collect();
    assert_eq!(names, ["Spend per head", "Product weight"]);
    let numbered = "Scope 1 emissions\n\n4,200 t\n\nScope 2 emissions\n\n1,150 t\n";
    let expected =
        [figure("Scope 1 emissions", None, "4,200 t"), figure("Scope 2 emissions", None, "1,150 t")];
    assert_eq!(told(numbered), expected);
}

#[test]
fn a_number_with_its_unit_in_the_next_line_is_what_the_line_above_says() {
    let source = "Guest nights\n\n2.61\n\nmillion\n\nFY23: 2.44 million\n\nCarbon per guest night\n\n9.8\n\nkg CO2e\n\n\
                  FY23: 10.9 kg CO2e\n\nTeam members\n\n7,340\n";
    let told: Vec<(String, String)> =
        told(source).into_iter().map(|(name, _, printed, _)| (name, printed)).collect();
    let expected = [
        ("Guest nights", "2.61 million"),
        ("Guest nights", "2.44 million"),
        ("Carbon per guest night", "9.8 kg CO2e"),
        ("Carbon per guest night", "10.9 kg CO2e"),
        ("Team members", "7,340"),
    ];
    assert_eq!(told, expected.map(|(name, printed)| (name.to_owned(), printed.to_owned())));
}

#[test]
fn a_line_below_a_number_gives_its_value_at_another_time() {
    for (line, year, value, status) in [
        ("FY23: 2.44 million", 2023, "2.44", Status::Actual),
        ("Target FY26: 3 million", 2026, "3", Status::Target),
        ("up from 2.1 million in FY22", 2022, "2.1", Status::Actual),
        ("2.3 million in 2023", 2023, "2.3", Status::Actual),
        ("FY23 : 2.44 million (+7%)", 2023, "2.44", Status::Actual),
        ("Prior year: 2.44 million", 2023, "2.44", Status::Actual),
        ("2.3 million at 31/12/2023 — target 2027: 3 million", 2027, "3", Status::Target),
        ("FY23: 2.44 million Target FY26: 3 million", 2023, "2.44", Status::Actual),
    ] {
        let source =
            format!("# Scorecard FY24\n\n2.61 million\n\nGuest nights\n\n{line}\n\n14 kt\n\nWaste\n");
        let (document, found) = read("report.md", &source);
        let nights = |year: u16| {
            let of = |one: &&Figure| one.label == ["Guest nights"] && one.year == Some(year);
            found.iter().find(of).map(|one| (one.printed(&document.text), one.status))
        };
        // The number itself is one of the period that the heading names.
        assert_eq!(nights(2024), Some(("2.61", Status::Actual)), "{line}");
        assert_eq!(nights(year), Some((value, status)), "{line}");
    }
}

#[test]
fn a_line_that_says_more_than_another_value_gives_none() {
    for line in ["Of these, 2.44 million in FY23 and 12 in 2019", "Hotel 4: 2.44 million"] {
        let found =
            told(&format!("# Scorecard FY24\n\n2.61 million\n\nGuest nights\n\n{line}\n\n14 kt\n\nWaste\n"));
        let nights = found.iter().filter(|(name, ..)| name == "Guest nights").count();
        assert_eq!(nights, 1, "{line}: {found:?}");
    }
}

#[test]
fn cards_that_end_with_another_value_are_apart_from_what_follows() {
    let source = "# Targets for 2027\n\nRecyclable packaging\n\n83%\n\nTarget: 95%\n\nCage-free eggs\n\n64%\n\n\
                  Target: 100%\n\nMaribo Foods\n\n2\n";
    let told: Vec<(String, String, Status)> =
        told(source).into_iter().map(|(name, _, printed, status)| (name, printed, status)).collect();
    let expected = [
        ("Recyclable packaging", "83 %", Status::Actual),
        ("Recyclable packaging", "95 %", Status::Target),
        ("Cage-free eggs", "64 %", Status::Actual),
        ("Cage-free eggs", "100 %", Status::Target),
    ];
    assert_eq!(told, expected.map(|(name, printed, status)| (name.to_owned(), printed.to_owned(), status)));
}

#[test]
fn a_caption_begins_behind_the_unit() {
    let told = told("61% Employees trained\n\n61%\n\nEmployees trained\n\n1.38 Mio. t\n\nTimber sawn\n");
    let names: Vec<(&str, &str)> =
        told.iter().map(|(name, _, printed, _)| (name.as_str(), printed.as_str())).collect();
    assert_eq!(names[names.len() - 2..], [("Employees trained", "61 %"), ("Timber sawn", "1.38 Mio. t")]);
}

#[test]
fn a_period_below_a_caption_dates_its_number_unless_it_is_compared_with_that() {
    let source = "–46%\n\nportfolio emissions intensity\n\nsince 2019\n\nUS$ 214m\n\nspent on decarbonisation\n\n\
                  31.12.2024\n\n1,270\n\nwind parks insured\n\n31.12.2023\n";
    let told: Vec<(Option<u16>, String)> =
        told(source).into_iter().map(|(_, year, printed, _)| (year, printed)).collect();
    let expected = [(None, "–46 %"), (Some(2024), "214 US$ m"), (Some(2023), "1,270")];
    assert_eq!(told, expected.map(|(year, printed)| (year, printed.to_owned())));
}

#[test]
fn numbers_of_chapters_alone_in_a_line_are_no_figures() {
    assert_eq!(told("1\n\nOur company\n\n2\n\nOur climate\n\n3\n\nOur people\n"), []);
    assert_eq!(told("Annual report\n\n12\n\nGovernance\n"), []);
    assert_eq!(told("Our company\n\n4\n\nOur climate\n\n12\n\nOur people\n\n31\n"), [], "of a contents page");
    assert_eq!(told("Lead time\n\n3–5 days\n\nSites\n\n4–6\n"), [], "a range is no figure");
}

/// Value in the unit of what it measures, and its unit as it is told, of each figure called `name`.
fn measured(source: &str, name: &str) -> Vec<(Option<f64>, String)> {
    let (document, figures) = read("report.html", source);
    let called = figures.iter().filter(|figure| figure.label.iter().any(|label| label == name));
    let told = |figure: &Figure| {
        format!("{} {}", figure.printed(&document.text), figure.unit.as_deref().unwrap_or_default())
    };
    called.map(|figure| (figure.normal(), told(figure))).collect()
}

#[test]
fn a_tagged_number_is_what_its_tag_says_at_any_scale() {
    let fact = |name: &str, more: &str, printed: &str| {
        format!("<ix:nonFraction name='x:{name}' contextRef='y' {more}>{printed}</ix:nonFraction>")
    };
    let page = |body: String| {
        format!(
            "<html xmlns:ix='http://www.xbrl.org/2013/inlineXBRL' xmlns:xbrli='http://www.xbrl.org/2003/instance' \
             xmlns:iso4217='http://www.xbrl.org/2003/iso4217'><body><div style='display:none'><ix:header><ix:resources>\
             <xbrli:context id='y'><xbrli:entity><xbrli:identifier scheme='s'>1</xbrli:identifier></xbrli:entity>\
             <xbrli:period><xbrli:startDate>2024-01-01</xbrli:startDate><xbrli:endDate>2024-12-31</xbrli:endDate></xbrli:period>\
             </xbrli:context><xbrli:unit id='u'><xbrli:measure>iso4217:USD</xbrli:measure></xbrli:unit>\
             <xbrli:unit id='p'><xbrli:measure>xbrli:pure</xbrli:measure></xbrli:unit></ix:resources></ix:header></div>{body}\
             </body></html>"
        )
    };
    let cell = format!(
        "<table><tr><th></th><th>2024</th></tr><tr><td>Sales</td><td>{}</td></tr><tr><td>Loss</td><td>{}</td></tr></table>",
        fact("Sales", "unitRef='u' scale='6' format='ixt:num-dot-decimal'", "6,364"),
        fact("NetLoss", "unitRef='u' scale='3' sign='-' format='ixt:num-dot-decimal'", "1,250"),
    );
    let sentence = format!(
        "<p>Debt came to {} and the rate to {}.</p>",
        fact("Debt", "unitRef='u' scale='9' format='ixt:num-dot-decimal'", "2.5"),
        fact("Rate", "unitRef='p' scale='-2' format='ixt:num-dot-decimal'", "4.5"),
    );
    let page = page(cell + &sentence);
    assert_eq!(measured(&page, "Sales"), [(Some(6_364e6), "6,364 million USD".to_owned())]);
    assert_eq!(measured(&page, "Net Loss"), [(Some(-1_250e3), "1,250 thousand USD".to_owned())]);
    assert_eq!(measured(&page, "Debt"), [(Some(2.5e9), "2.5 billion USD".to_owned())]);
    assert_eq!(measured(&page, "Rate"), [(Some(4.5), "4.5 %".to_owned())]);
}

#[test]
fn a_currency_sign_beside_a_number_leaves_the_scale_of_the_table() {
    for (caption, sign, factor) in [
        ("(in millions)", "$", 1e6),
        ("(In thousands, except per share amounts)", "$", 1e3),
        ("Amounts in US$ million", "$", 1e6),
        ("(in millions)", "€", 1e6),
        ("All amounts as they are", "$", 1.0),
    ] {
        let source = format!(
            "<p>{caption}</p><table><tr><th>Item</th><th>2024</th><th>2023</th></tr><tr><td>Sales</td><td>{sign}7,107</td>\
             <td>{sign}6,524</td></tr><tr><td>Earnings per share</td><td>{sign}3.20</td><td>{sign}3.10</td></tr></table>"
        );
        let of =
            |name| measured(&source, name).into_iter().map(|(normal, _)| normal.unwrap()).collect::<Vec<_>>();
        assert_eq!(of("Sales"), [7_107.0 * factor, 6_524.0 * factor], "{caption}");
        assert_eq!(of("Earnings per share"), [3.2, 3.1], "{caption}");
    }
}

#[test]
fn a_number_that_could_be_a_year_is_a_count_among_counts() {
    let source = "| Workforce | FY23 | FY24 |\n|---|---|---|\n| Employees | 2027 | 2100 |\n| Contractors | 450 | 2048 |\n\
                  | Sites | 14 | 15 |\n| Founded in year | 1998 | 1999 |\n";
    let values: Vec<String> =
        told(source).into_iter().map(|(names, _, printed, _)| format!("{names} {printed}")).collect();
    let counts =
        ["Employees 2027", "Employees 2100", "Contractors 450", "Contractors 2048", "Sites 14", "Sites 15"];
    assert_eq!(values, counts);
    let printed =
        |source: &str| told(source).into_iter().map(|(_, _, printed, _)| printed).collect::<Vec<_>>();
    let built =
        "| Mill | Built | Output (t) |\n|---|---|---|\n| North | 1998 | 1,200 |\n| South | 2004 | 900 |\n";
    assert_eq!(printed(built), ["1,200 t", "900 t"]);
    let aims = "| Commitment | Value |\n|---|---|\n| Net zero by | 2050 |\n| Cut of Scope 1 | 42 % |\n| Base year | 2019 |\n";
    assert!(!printed(aims).iter().any(|one| one.starts_with("20")), "{:?}", printed(aims));
}

#[test]
fn the_end_of_a_column_name_tells_unit_and_status() {
    let source =
        "| Site | Products / 2024 kt | 2025E | Change % |\n|---|---|---|---|\n| Arden | 12 | 14 | 3 |\n";
    let of = |names: &str, year, printed: &str, status| (names.to_owned(), year, printed.to_owned(), status);
    assert_eq!(
        told(source),
        [
            of("Arden | Products", Some(2024), "12 kt", Status::Actual),
            of("Arden", Some(2025), "14", Status::Estimate),
            of("Arden | Change", None, "3 %", Status::Change),
        ]
    );
}

#[test]
fn letters_behind_a_year_tell_its_status_unless_words_do() {
    for (name, status) in [
        ("2024A vs 2023A", Some(Status::Change)),
        ("Change 2025E/2024A", Some(Status::Change)),
        ("2024A (restated)", Some(Status::Restated)),
        ("2024A", Some(Status::Actual)),
        ("FY2025E", Some(Status::Estimate)),
        ("FY25E", Some(Status::Estimate)),
        ("Site 25E", None),
    ] {
        assert_eq!(Status::told_by(name), status, "{name}");
    }
}

#[test]
fn what_one_share_has_of_a_total_leaves_the_scale_of_the_total() {
    let source = "(in millions)\n\n| Item | 2024 |\n|---|---|\n| Dividends declared ($1.20 per share) | (1,204) |\n\
                  | Earnings per share | 3.20 |\n";
    let printed: Vec<String> = told(source).into_iter().map(|(_, _, printed, _)| printed).collect();
    assert_eq!(printed, ["(1,204) millions", "3.20"]);
}

#[test]
fn a_total_of_rows_that_a_group_names_is_one_of_the_group() {
    let source = "| Metric | Unit | 2024 |\n|---|---|---:|\n| Climate | | |\n| Scope 1 emissions | t | 10 |\n\
                  | Scope 2 emissions | t | 5 |\n| Total Scope 1 and 2 | t | 15 |\n| Total staff | number | 7 |\n";
    let names: Vec<String> = told(source).into_iter().map(|(names, ..)| names).collect();
    assert_eq!(names[2..], ["Climate › Total Scope 1 and 2", "Total staff"]);
}

#[test]
fn a_total_beside_names_of_rows_names_them_as_others_do() {
    let source = "| Site | What | 2024 |\n|---|---|---:|\n| North | Gas | 10 |\n| | Oil | 5 |\n| Total | Gas | 12 |\n\
                  | | Oil | 8 |\n";
    let names: Vec<String> = told(source).into_iter().map(|(names, ..)| names).collect();
    assert_eq!(names, ["North › Gas", "North › Oil", "Total › Gas", "Total › Oil"]);
}

#[test]
fn what_dates_a_row_and_says_more_than_a_year_is_its_name() {
    let source =
        "| Year | Cases |\n|---|---:|\n| 2022 | 31 |\n| 2023 | 27 |\n| 2024 | 25 |\n| 2019 (base) | 44 |\n";
    let found = told(source);
    assert_eq!(found[3].0, "2019 (base) | Cases");
    assert_eq!(found[3].1, Some(2019));
}

#[test]
fn the_unit_of_a_number_in_the_name_of_a_column_is_not_that_of_its_figures() {
    let source = "| Loss of value, % | 1.5 °C | 3 °C |\n|---|---:|---:|\n| Bonds | 0.4 | 1.9 |\n| Shares | 7.9 | 12.4 |\n";
    let found = told(source);
    assert_eq!((found[1].0.as_str(), found[1].2.as_str()), ("Bonds | 3 °C", "1.9 %"));
}
