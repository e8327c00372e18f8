//! Figures of a small table, asked for in words.

use super::shown::Agreement;
use super::*;

/// A table of emissions of a report about 2024, in kt.
pub(super) fn table() -> Vec<Candidate> {
    let head = Some(Span::new(0, 40));
    let rows: [(&str, usize); 4] = [
        ("Scope 1", 100),
        ("Scope 2, market-based", 200),
        ("Scope 2, location-based", 300),
        ("Scope 3", 400),
    ];
    let cells = rows.iter().flat_map(|(label, row)| {
        [(2024, 11.0, "11"), (2023, 14.0, "14")].map(|(year, value, printed)| Candidate {
            document: 1,
            title: "Aurelia annual report".to_owned(),
            document_year: Some(2024),
            label: vec![(*label).to_owned()],
            column: String::new(),
            above: vec!["Greenhouse gas emissions".to_owned()],
            year: Some(year),
            part: None,
            printed: printed.to_owned(),
            unit: Some("kt CO2e".to_owned()),
            measure: Some(Measure::Mass),
            per: false,
            value: value + *row as f64,
            normal: None,
            status: Status::Actual,
            origin: Origin::Table,
            places: (Span::new(*row, row + 2), Span::new(*row, row + 30), head),
        })
    });
    cells.collect()
}

fn chosen(question: &str, candidates: &[Candidate]) -> Result<Vec<(String, Option<u16>)>, Found> {
    match find(&Question::read(question), candidates, &Nearness::default()) {
        Found::Answer { chosen, .. } => Ok(chosen
            .iter()
            .map(|one| (candidates[one.index].label[0].clone(), candidates[one.index].year))
            .collect()),
        other => Err(other),
    }
}

#[test]
fn a_figure_is_of_the_scope_basis_and_year_that_is_asked_for() {
    let table = table();
    let one = |label: &str, year| Ok(vec![(label.to_owned(), Some(year))]);
    assert_eq!(chosen("scope 1 emissions 2023", &table), one("Scope 1", 2023));
    assert_eq!(chosen("How high were the Scope 1 emissions?", &table), one("Scope 1", 2024));
    assert_eq!(chosen("scope 2 location based 2023", &table), one("Scope 2, location-based", 2023));
    assert_eq!(
        chosen("By how much did Scope 3 emissions fall from 2023 to 2024?", &table),
        Ok(vec![("Scope 3".to_owned(), Some(2023)), ("Scope 3".to_owned(), Some(2024))])
    );
    for question in [
        "How did Scope 3 emissions change since 2023?",
        "How did Aurelia's Scope 3 emissions change between 2023 and 2024?",
        "What were the Scope 3 emissions in 2024 and how did they change since 2023?",
        "How much have Scope 3 emissions grown since 2023?",
    ] {
        let both = vec![("Scope 3".to_owned(), Some(2023)), ("Scope 3".to_owned(), Some(2024))];
        assert_eq!(chosen(question, &table), Ok(both), "{question}");
    }
}

#[test]
fn how_far_it_is_from_the_base_year_is_worked_out() {
    let mut table = table();
    let base = Candidate { year: Some(2019), value: 130.0, status: Status::Base, ..table[0].clone() };
    table.push(base);
    let found = find(
        &Question::read("How far are Scope 1 emissions below the base year?"),
        &table,
        &Nearness::default(),
    );
    let Found::Answer { chosen, working } = found else { panic!("{found:?}") };
    let years: Vec<_> = chosen.iter().map(|one| table[one.index].year).collect();
    assert_eq!(years, [Some(2019), Some(2024)]);
    assert!(working.is_some_and(|working| working.contains("-14.6 %")));
}

#[test]
fn what_no_figure_meets_is_said_with_what_there_is() {
    let table = table();
    for question in [
        "scope 1 emissions 2022",
        "scope 1 and 2 emissions 2023",
        "What percentage of Scope 1 emissions 2023",
    ] {
        assert!(matches!(chosen(question, &table), Err(Found::Missing { .. })), "{question}");
    }
    let Err(Found::Missing { why, given, .. }) = chosen("scope 1 emissions 2022", &table) else { panic!() };
    assert_eq!(why, "Scope 1: 2023 and 2024 are given; 2022 is not.");
    assert_eq!(given.iter().map(|at| table[*at].year).collect::<Vec<_>>(), [Some(2024), Some(2023)]);
    // A sentence may state the target.
    assert_eq!(chosen("What is the target for Scope 1 emissions?", &table), Err(Found::Nothing));
    assert_eq!(chosen("Who verified the Scope 1 emissions of 2023?", &table), Err(Found::Nothing));
    assert_eq!(chosen("How many ships were built in 2023?", &table), Err(Found::Nothing));
}

#[test]
fn of_a_sentence_the_clause_with_the_number_is_told() {
    let text = "The mint saved 1,850 MWh, and the mill cut its waste by 3.7 % of the total.";
    let at = text.find("3.7").unwrap();
    let question = Question::read("By how much did the mill cut its waste?");
    let span = clause(&question, text, Span::new(0, text.len()), Span::new(at, at + 3));
    assert_eq!(span.of(text), "the mill cut its waste by 3.7 % of the total.");
}

#[test]
fn what_else_states_a_figure_and_what_is_another_is_told() {
    let mut table = table();
    let like = |label: &str, printed: &str, value: f64, place: usize| Candidate {
        label: vec![label.to_owned()],
        printed: printed.to_owned(),
        value,
        document: 2,
        places: (Span::new(place, place + 2), Span::new(place, place + 30), None),
        ..table[1].clone()
    };
    let more = [
        like("Scope 1 emissions", "114.0", 114.0, 10),
        like("Scope 1", "110.4", 110.4, 50),
        like("Direct emissions (Scope 1)", "100", 114.4, 90),
        like("Scope 1 target", "90", 90.0, 130),
    ];
    table.extend(more);
    table.last_mut().expect("a figure").status = Status::Target;
    let question = Question::read("scope 1 emissions 2023");
    let Found::Answer { chosen, .. } = find(&question, &table, &Nearness::default()) else {
        panic!("it is found")
    };
    let told = chosen[0].index;
    let beside = beside(&question, &table, &Nearness::default(), &[told]);
    let also: Vec<_> = beside.also.into_iter().map(|(at, how)| (table[at].value, how)).collect();
    assert!(also.contains(&(114.0, Agreement::Agrees)), "{also:?}");
    assert!(also.contains(&(114.4, Agreement::Rounded)), "{also:?}");
    assert!(also.contains(&(110.4, Agreement::Differs)), "{also:?}");
    assert!(also.iter().all(|(value, _)| *value > 100.0), "a target states no actual figure: {also:?}");
    let over: Vec<_> =
        beside.passed_over.into_iter().map(|(at, other)| (table[at].label[0].as_str(), other)).collect();
    assert!(over.contains(&("Scope 1 target", Other::Status)), "{over:?}");
    assert!(over.contains(&("Scope 3", Other::Scope)), "{over:?}");
}

#[test]
fn a_scope_is_its_total_and_none_of_its_parts() {
    let plain = table();
    for parts in [
        ["Scope 1: gas plants", "Scope 1: vehicles", "Scope 1, total"],
        ["CO2", "Other", "Total"],
        ["Direct combustion", "Fleet", "전체"],
    ] {
        let row = |name: &&str| {
            let mut one = plain[0].clone();
            one.label = match name.starts_with("Scope") {
                true => vec![(*name).to_owned()],
                false => vec!["Scope 1".to_owned(), (*name).to_owned()],
            };
            one
        };
        let table: Vec<Candidate> = parts.iter().map(row).collect();
        let Found::Answer { chosen, .. } =
            find(&Question::read("scope 1 emissions 2024"), &table, &Nearness::default())
        else {
            panic!("{parts:?}")
        };
        assert_eq!(chosen[0].index, 2, "{parts:?}");
    }
}

#[test]
fn emissions_of_a_scope_are_no_share() {
    let mut table = table();
    let share = Candidate {
        label: vec!["Uncertainty of Scope 3 emissions".to_owned()],
        measure: Some(Measure::Share),
        unit: Some("%".to_owned()),
        ..table[6].clone()
    };
    table.retain(|one| one.label != ["Scope 3"]);
    table.push(share);
    assert!(chosen("scope 3 emissions 2024", &table).is_err());
    assert!(chosen("What share of Scope 3 emissions 2024 is uncertain", &table).is_ok());
}

#[test]
fn a_category_is_none_of_its_neighbours() {
    let mut table = table();
    let of = |label: &str| Candidate {
        label: vec![label.to_owned()],
        above: vec!["Scope 3 emissions by category".to_owned()],
        ..table[7].clone()
    };
    let categories =
        [of("2 Capital goods"), of("3 Fuel- and energy-related activities"), of("Business travel")];
    table.extend(categories);
    let asked = |question: &str| chosen(question, &table).map(|chosen| chosen[0].0.clone());
    assert_eq!(
        asked("What were the Scope 3 category 2 (capital goods) emissions in 2023?"),
        Ok("2 Capital goods".to_owned())
    );
    assert_eq!(asked("Scope 3 category 6 business travel emissions 2023"), Ok("Business travel".to_owned()));
    let missing = asked("What were the Scope 3 category 5 (waste) emissions in 2023?");
    assert!(missing.is_err(), "{missing:?}");
}

#[test]
fn tonnes_of_something_are_no_tonnes_of_gases() {
    let mut table = table();
    table[0].label = vec!["Waste in operations".to_owned()];
    assert!(chosen("How many tonnes of waste were there in operations in 2024?", &table).is_err());
    table[0].unit = Some("t".to_owned());
    assert!(chosen("How many tonnes of waste were there in operations in 2024?", &table).is_ok());
}

/// The figure `printed` of the sentence `text` in a report about 2024.
fn said(text: &str, printed: &str, unit: &str, measure: Measure, year: Option<u16>) -> Candidate {
    let at = text.find(printed).unwrap();
    Candidate {
        label: vec![text.to_owned()],
        above: Vec::new(),
        year,
        printed: printed.to_owned(),
        unit: Some(unit.to_owned()),
        measure: Some(measure),
        value: printed.replace(',', "").parse().unwrap(),
        origin: Origin::Sentence,
        places: (Span::new(at, at + printed.len()), Span::new(0, text.len()), None),
        ..table()[0].clone()
    }
}

#[test]
fn a_plan_for_later_years_is_no_figure_of_the_year_asked_for() {
    let spent =
        "Spending on the plan was £1,510 million in 2024, or 82 % of capital expenditure of £1,840 million.";
    let ahead = "We expect £9.6 billion of capital expenditure between 2025 and 2029.";
    let figures = [
        said(ahead, "9.6", "£ billion", Measure::Money, None),
        said(spent, "1,510", "£ million", Measure::Money, Some(2024)),
        said(spent, "1,840", "£ million", Measure::Money, Some(2024)),
    ];
    let answered = |figures: &[Candidate]| match find(
        &Question::read("capital expenditure in 2024"),
        figures,
        &Nearness::default(),
    ) {
        Found::Answer { chosen, .. } => Some(figures[chosen[0].index].printed.clone()),
        _ => None,
    };
    assert_eq!(answered(&figures).as_deref(), Some("1,840"), "the number next to what is asked for");
    assert_eq!(answered(&figures[..1]), None);
}

#[test]
fn a_difference_has_the_currency_and_unit_of_its_figures() {
    let pair = |unit: &str, measure: Measure| -> Vec<Candidate> {
        let of = |one: &Candidate| Candidate {
            unit: Some(unit.to_owned()),
            measure: Some(measure),
            ..one.clone()
        };
        table()[..2].iter().map(of).collect()
    };
    for (unit, measure, difference) in [
        ("£ million", Measure::Money, "11 − 14 = −£3 million"),
        ("€", Measure::Money, "11 − 14 = −€3"),
        ("kt CO2e", Measure::Mass, "11 − 14 = −3 kt CO2e"),
        ("%", Measure::Share, "11 − 14 = −3 percentage points"),
    ] {
        let question = Question::read("By how much did Scope 1 change from 2023 to 2024?");
        let Found::Answer { working, .. } = find(&question, &pair(unit, measure), &Nearness::default())
        else {
            panic!("{unit}")
        };
        let working = working.unwrap();
        assert!(working.starts_with(difference), "{unit}: {working}");
    }
}

#[test]
fn the_year_before_is_counted_from_the_year_that_is_named() {
    let table = table();
    let year = |question: &str| chosen(question, &table).map(|chosen| chosen[0].1);
    assert_eq!(year("What were Scope 3 emissions the year before 2024?"), Ok(Some(2023)));
    assert_eq!(year("What were Scope 3 emissions the year before, in 2023?"), Ok(Some(2023)));
    let both = chosen("How much higher were Scope 3 emissions in 2024 than the year before?", &table);
    assert_eq!(both.map(|both| both.iter().map(|one| one.1).collect()), Ok(vec![Some(2023), Some(2024)]));
}

#[test]
fn an_amount_is_given_in_a_measure_of_its_thing() {
    let share = "The remaining 5% of electricity is bought by landlords in Croatia.";
    let figure = [said(share, "5", "%", Measure::Share, Some(2024))];
    assert!(chosen("How much electricity was bought in Croatia in 2024?", &figure).is_err());
    assert!(chosen("What share of electricity was bought in Croatia in 2024?", &figure).is_ok());
    let loan = "Sovereign bonds worth 5.9 billion euros have no financed emissions.";
    let figure = [said(loan, "5.9", "billion euros", Measure::Money, Some(2024))];
    assert!(chosen("What were the financed emissions of sovereign bonds in 2024?", &figure).is_err());
}

/// Cells of one table of 2024: the row, the column and the number, row by row.
fn cells(of: &[(&str, &str, f64)]) -> Vec<Candidate> {
    let rows: Vec<&str> = of.iter().map(|(row, ..)| *row).collect();
    let cell = |(at, (row, column, value)): (usize, &(&str, &str, f64))| {
        let line = 100 * (1 + rows.iter().position(|one| one == row).unwrap_or_default());
        Candidate {
            label: vec![(*row).to_owned()],
            column: (*column).to_owned(),
            above: Vec::new(),
            year: Some(2024),
            printed: value.to_string(),
            unit: None,
            measure: None,
            value: *value,
            places: (Span::new(line + at, line + at + 1), Span::new(line, line + 50), Some(Span::new(0, 40))),
            ..table()[0].clone()
        }
    };
    of.iter().enumerate().map(cell).collect()
}

#[test]
fn a_cell_without_a_number_is_not_given() {
    let table = cells(&[("Oberau", "Steam", 12.0), ("Oberau", "Peat", 3.0), ("Unterau", "Steam", 14.0)]);
    assert!(matches!(chosen("Unterau peat 2024", &table), Err(Found::Missing { .. })));
    assert_eq!(chosen("Oberau peat 2024", &table), Ok(vec![("Oberau".to_owned(), Some(2024))]));
}

#[test]
fn of_two_the_greater_is_given_first_with_the_difference() {
    let table = cells(&[("Oberau", "Steam", 12.0), ("Unterau", "Steam", 14.0), ("Seeau", "Steam", 19.0)]);
    let question = Question::read("Which used more steam in 2024, Oberau or Unterau?");
    let Found::Answer { chosen, working } = find(&question, &table, &Nearness::default()) else { panic!() };
    let values: Vec<f64> = chosen.iter().map(|one| table[one.index].value).collect();
    assert_eq!(values, [14.0, 12.0]);
    assert!(working.is_some_and(|working| working.starts_with("14 − 12 = +2")));
}

#[test]
fn a_share_that_is_not_printed_is_worked_out_from_the_part_and_the_total() {
    let table = cells(&[
        ("Weavers", "Headcount", 30.0),
        ("Dyers", "Headcount", 90.0),
        ("All crafts", "Headcount", 120.0),
        ("Fees", "Amounts", 12.0),
        ("Revenue", "Amounts", 48.0),
    ]);
    for (question, result) in [
        ("What part of the headcount in 2024 are weavers?", "30 / 120 = 25.0 %"),
        ("Compute the fees as a percentage of revenue in 2024.", "12 / 48 = 25.0 %"),
    ] {
        let found = find(&Question::read(question), &table, &Nearness::default());
        let Found::Answer { working, .. } = found else { panic!("{question}") };
        assert_eq!(working.as_deref(), Some(result), "{question}");
    }
}
