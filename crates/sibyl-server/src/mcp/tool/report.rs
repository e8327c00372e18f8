//! Tools that list reports and find their figures.

use super::super::Agents;
use super::{Answered, Nothing, Tool};
use rmcp::service::{RequestContext, RoleServer};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sibyl_api::command::figure::FigureFind;
use sibyl_api::{ApiError, FigureList, FigureQuery, FigureStatus, LONGEST_QUERY};

/// Lists reports.
pub(super) struct ListReports;

/// A report.
#[derive(Serialize, JsonSchema)]
pub(super) struct Report {
    /// Its id.
    report_id: Option<String>,
    /// Its title.
    title: String,
    /// Whose report it is.
    issuer: Option<String>,
    /// The year it reports on.
    year: Option<u16>,
    /// Its pages.
    #[schemars(range(min = 0))]
    pages: i64,
    /// Passages it was cut into.
    #[schemars(range(min = 0))]
    chunks: i64,
    /// The resource with its text.
    uri: String,
}

/// The reports.
#[derive(Serialize, JsonSchema)]
pub(super) struct Reports {
    /// The reports.
    reports: Vec<Report>,
}

impl Tool for ListReports {
    const NAME: &'static str = "list_reports";
    type Input = Nothing;
    type Output = Reports;

    fn described() -> String {
        "List the reports, with the ids that other tools and resources take.".to_owned()
    }

    async fn call(
        agents: &Agents,
        _: Nothing,
        _: &RequestContext<RoleServer>,
    ) -> Result<Answered<Reports>, ApiError> {
        let reports = agents.reports().await?.into_iter().map(|report| Report {
            report_id: report.report_id,
            title: report.title,
            issuer: report.issuer,
            year: report.year,
            pages: report.pages,
            chunks: report.chunks,
            uri: format!("sibyl://documents/{}", report.id),
        });
        Ok(Reports { reports: reports.collect() }.into())
    }
}

/// Finds numbers of reports.
pub(super) struct FindFigures;

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Wanted {
    /// What it is a number of, such as `scope 1` or `water withdrawn`. All words must stand in its names.
    #[schemars(length(min = 1, max = LONGEST_QUERY), regex(pattern = r"\S"))]
    what: String,
    /// Only of this report.
    #[serde(default)]
    report_id: Option<String>,
    /// Only of this year.
    #[schemars(range(min = 1950, max = 2100))]
    #[serde(default)]
    year: Option<u16>,
    /// Most figures.
    #[schemars(range(min = 1, max = 200))]
    #[serde(default = "Wanted::usual")]
    limit: usize,
}

impl Wanted {
    fn usual() -> usize {
        30
    }
}

/// A number that a report gives.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "FoundFigure")]
pub(super) struct Figure {
    /// What it is a number of: names of its row and column, or the sentence that says it.
    what: String,
    /// The number as it is printed.
    value: String,
    /// Its unit as it is printed.
    unit: Option<String>,
    /// The year that it is about, or that its period ends in.
    year: Option<u16>,
    /// The part of that year, such as H1 or Q3.
    part: Option<String>,
    /// What it says.
    status: FigureStatus,
    /// The report.
    report_id: Option<String>,
    /// The title of the report.
    document: String,
    /// Its physical page.
    page: Option<u32>,
    /// Its sheet, in a workbook.
    sheet: Option<String>,
    /// The cells of its row, in a workbook.
    cells: Option<String>,
}

/// The figures.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "FoundFigures")]
pub(super) struct Figures {
    /// The figures, best first.
    figures: Vec<Figure>,
    /// How many there are in all.
    total: usize,
}

impl Tool for FindFigures {
    const NAME: &'static str = "find_figures";
    type Input = Wanted;
    type Output = Figures;

    fn described() -> String {
        "Find numbers that reports give, by what they are numbers of, as they are printed, with year, unit and place. One of \
         another year, scope or company is no answer."
            .to_owned()
    }

    async fn call(
        agents: &Agents,
        input: Wanted,
        _: &RequestContext<RoleServer>,
    ) -> Result<Answered<Figures>, ApiError> {
        let Wanted { what, report_id, year, limit } = input;
        let query = FigureQuery {
            text: what,
            // The report of the session holds, whatever the arguments say.
            reports: agents.report.clone().or(report_id).into_iter().collect(),
            years: year.into_iter().collect(),
            limit: Some(limit),
            ..FigureQuery::default()
        };
        let FigureList { figures, total } = agents.run::<FigureFind>(query).await?;
        let figures = figures.into_iter().map(|figure| {
            let names = figure.label.iter().chain([&figure.column]).filter(|name| !name.is_empty());
            Figure {
                what: names.map(String::as_str).collect::<Vec<_>>().join(" › "),
                value: figure.printed,
                unit: figure.unit,
                year: figure.year,
                part: figure.part,
                status: figure.status,
                report_id: figure.report_id,
                document: figure.document,
                page: figure.page,
                sheet: figure.sheet,
                cells: figure.cells,
            }
        });
        Ok(Figures { figures: figures.collect(), total }.into())
    }
}
