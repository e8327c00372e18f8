//! `sibyl figures`.

use super::{Outcome, print};
use crate::arguments::Figures;
use crate::output::{one_line, table};
use crate::session::Session;
use sibyl_api::FigureRow;
use sibyl_api::command::figure::FigureFind;
use std::fmt::Write as _;

/// Characters shown of a figure's names.
const NAMES: usize = 70;

pub async fn figures(session: &Session, words: Figures) -> Outcome {
    let offset = words.offset;
    let found = session.call::<FigureFind>(words.into()).await?;
    print(&session.common, &found, |found| {
        let head = ["what", "period", "value", "unit", "status", "report", "place"];
        let mut out = table(&head, &[2], found.figures.iter().map(row));
        let shown = offset + found.figures.len();
        if found.total > shown {
            // Writing to a String cannot fail.
            let _ = writeln!(out, "{} of {}; more with --offset {shown}", found.figures.len(), found.total);
        }
        out
    })
}

fn row(figure: &FigureRow) -> Vec<String> {
    let names = figure.label.iter().chain([&figure.column]).filter(|name| !name.is_empty());
    let names: Vec<&str> = names.map(String::as_str).collect();
    let period = match (figure.year, &figure.part) {
        (Some(year), Some(part)) => format!("{part} {year}"),
        (Some(year), None) => year.to_string(),
        (None, _) => String::new(),
    };
    let place = match (&figure.sheet, &figure.cells, figure.page) {
        (Some(sheet), Some(cells), _) => format!("{sheet}!{cells}"),
        (_, _, Some(page)) => format!("p. {page}"),
        _ => figure.above.last().cloned().unwrap_or_default(),
    };
    vec![
        one_line(&names.join(" › "), NAMES),
        period,
        figure.printed.clone(),
        figure.unit.clone().unwrap_or_default(),
        figure.status.name().to_owned(),
        one_line(&figure.document, 30),
        one_line(&place, 30),
    ]
}
