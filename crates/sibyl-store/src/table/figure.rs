//! Figures: the numbers that documents report, each with what it measures.

use crate::SqliteStore;
use crate::error::Result;
use crate::report::ReportFacts;
use crate::scope::{ChunkSet, Scoped};
use rusqlite::types::Value;
use rusqlite::{Connection, OptionalExtension as _, Row, Transaction, params_from_iter};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sibyl_text::document::cells_of;
use sibyl_text::figure::{Figure, Origin, Status, VERSION};
use sibyl_text::language::runs::{indexed, is_one_letter};
use sibyl_text::language::unit::Measure;
use sibyl_text::{Document, Span};
use std::collections::HashMap;
use std::sync::Arc;

/// A figure with the document that reports it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct FigureRow {
    /// Row id.
    pub id: i64,
    /// Row id of the document.
    pub document_id: i64,
    /// Title of the document.
    pub document: String,
    /// Year that the document is about, if known.
    pub document_year: Option<u16>,
    /// Report that it belongs to.
    pub report_id: Option<String>,
    /// Names of its row, beginning with its group; if it stands in no table, its sentence.
    pub label: Vec<String>,
    /// Name of its column without period and unit.
    pub column: String,
    /// Headings and caption above, from the outermost down.
    pub above: Vec<String>,
    /// Year that it is about, or that its period ends in; `None` if nothing says it.
    pub year: Option<u16>,
    /// Part of that year, such as `H1`, `Q3` or `9M`.
    pub part: Option<String>,
    /// The number as it is printed.
    pub printed: String,
    /// The unit as it is printed.
    pub unit: Option<String>,
    /// What the unit measures; `None` if it is not known.
    pub measure: Option<Measure>,
    /// Whether it is per something, as an intensity is.
    pub per: bool,
    /// The number as a value.
    pub value: f64,
    /// The value in the base unit of its measure, such as tonnes; `None` if that is not known.
    pub normal: Option<f64>,
    /// Whether it is an actual value, a target or another kind.
    pub status: Status,
    /// Where it stands.
    pub origin: Origin,
    /// The number in the document's text: first UTF-16 code unit and one past the last.
    pub span: (usize, usize),
    /// Physical page, from 1.
    pub page: Option<u32>,
    /// Sheet, if the document is a workbook.
    pub sheet: Option<String>,
    /// Cells of its row, such as `A6:E6`, if the document has cells.
    pub cells: Option<String>,
    /// The number, its row or sentence, and the row that names the columns (bytes of the document's text).
    #[serde(skip)]
    pub places: (Span, Span, Option<Span>),
}

impl Default for FigureRow {
    fn default() -> Self {
        Self {
            id: 0,
            document_id: 0,
            document: String::new(),
            document_year: None,
            report_id: None,
            label: Vec::new(),
            column: String::new(),
            above: Vec::new(),
            year: None,
            part: None,
            printed: String::new(),
            unit: None,
            measure: None,
            per: false,
            value: 0.0,
            normal: None,
            status: Status::Actual,
            origin: Origin::Table,
            span: (0, 0),
            page: None,
            sheet: None,
            cells: None,
            places: (Span::default(), Span::default(), None),
        }
    }
}

/// Which figures are wanted. What is empty restricts nothing.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct FigureFilter {
    /// Only of these documents.
    pub documents: Vec<i64>,
    /// Only of these reports.
    pub reports: Vec<String>,
    /// Only what stands in these chunks, such as those that a search may look at.
    pub chunks: Option<Arc<ChunkSet>>,
    /// Words in its names: all of them, or any if [`FigureFilter::any`] says so.
    pub words: Vec<String>,
    /// Whether one of the words is enough.
    pub any: bool,
    /// Only of these years.
    pub years: Vec<u16>,
    /// Only of this measure.
    pub measure: Option<Measure>,
    /// Only with this status.
    pub status: Option<Status>,
    /// Position to begin at, from 0.
    pub offset: usize,
    /// Maximum number of figures to return.
    pub limit: usize,
}

/// Separator between the names of a row, as stored.
const BETWEEN: &str = " › ";

const COLUMNS: &str = "f.id, f.document_id, coalesce((SELECT title FROM correction WHERE document = d.id), d.title), d.report_id,
    f.label, f.\"column\", f.above, f.year, f.part, f.printed, f.unit, f.measure, f.per, f.value, f.normal, f.status, f.origin,
    f.unit_start, f.unit_end, f.page, f.sheet, f.cells, f.start, f.\"end\", f.row_start, f.row_end, f.head_start, f.head_end,
    (SELECT year FROM correction WHERE document = d.id), d.metadata, d.title, d.path";

/// The documents of which chunks are in scope, and whether all are.
const SCOPES: &str =
    "JOIN (SELECT document_id AS id, min(in_scope(id)) AS whole FROM chunk GROUP BY document_id
     HAVING max(in_scope(id))) s ON s.id = f.document_id";

/// Whether a figure of such a document stands in a chunk in scope.
const IN_SCOPE: &str = "(s.whole OR EXISTS (SELECT 1 FROM chunk c WHERE c.document_id = f.document_id
     AND c.start <= f.start AND c.\"end\" > f.start AND in_scope(c.id)))";

fn row_of(row: &Row<'_>, years: &mut HashMap<i64, Option<u16>>) -> rusqlite::Result<FigureRow> {
    let names = |at: usize| -> rusqlite::Result<Vec<String>> {
        let joined: String = row.get(at)?;
        Ok(joined.split(BETWEEN).filter(|name| !name.is_empty()).map(str::to_owned).collect())
    };
    let (measure, status, origin): (Option<String>, String, String) =
        (row.get(11)?, row.get(15)?, row.get(16)?);
    let head: (Option<usize>, Option<usize>) = (row.get(26)?, row.get(27)?);
    Ok(FigureRow {
        id: row.get(0)?,
        document_id: row.get(1)?,
        document: row.get(2)?,
        document_year: match years.get(&row.get(1)?) {
            Some(year) => *year,
            None => {
                let year = year_of(row)?;
                years.insert(row.get(1)?, year);
                year
            }
        },
        report_id: row.get(3)?,
        label: names(4)?,
        column: row.get(5)?,
        above: names(6)?,
        year: row.get(7)?,
        part: row.get(8)?,
        printed: row.get(9)?,
        unit: row.get(10)?,
        measure: Measure::ALL.into_iter().find(|one| Some(one.name()) == measure.as_deref()),
        per: row.get(12)?,
        value: row.get(13)?,
        normal: row.get(14)?,
        status: Status::ALL.into_iter().find(|one| one.name() == status).unwrap_or(Status::Actual),
        origin: Origin::ALL.into_iter().find(|one| one.name() == origin).unwrap_or(Origin::Sentence),
        span: (row.get(17)?, row.get(18)?),
        page: row.get(19)?,
        sheet: row.get(20)?,
        cells: row.get(21)?,
        places: (
            Span::new(row.get(22)?, row.get(23)?),
            Span::new(row.get(24)?, row.get(25)?),
            head.0.zip(head.1).map(|(start, end)| Span::new(start, end)),
        ),
    })
}

/// The year that the document of a figure is about.
fn year_of(row: &Row<'_>) -> rusqlite::Result<Option<u16>> {
    let corrected: Option<u16> = row.get(28)?;
    let metadata: Option<String> = row.get(29)?;
    let (title, path): (String, String) = (row.get(30)?, row.get(31)?);
    Ok(corrected.or_else(|| {
        let metadata = serde_json::from_str(&metadata?).unwrap_or_default();
        ReportFacts::new(&metadata, &title, &path).year
    }))
}

impl SqliteStore {
    pub(crate) async fn figures(
        &self,
        workspace: i64,
        filter: FigureFilter,
    ) -> Result<(Vec<FigureRow>, usize)> {
        self.pool.read(move |c| Ok(find(c, workspace, &filter)?)).await
    }

    pub(crate) async fn documents_without_figures(&self) -> Result<Vec<(i64, String)>> {
        self.pool
            .read(|c| {
                let mut select =
                    c.prepare("SELECT id, source_type FROM document WHERE figures_by <> ?1 ORDER BY id")?;
                let rows = select.query_map([VERSION], |row| Ok((row.get(0)?, row.get(1)?)))?;
                Ok(rows.collect::<rusqlite::Result<_>>()?)
            })
            .await
    }

    pub(crate) async fn chunk_over(&self, document: i64, span: Span) -> Result<Option<String>> {
        self.pool
            .read(move |c| {
                let mut select = c.prepare_cached(
                    "SELECT chunk_id FROM chunk WHERE document_id = ?1 AND start <= ?2 AND \"end\" > ?2
                     ORDER BY \"end\" < ?3, \"end\" - start, ordinal LIMIT 1",
                )?;
                Ok(select.query_row((document, span.start, span.end), |row| row.get(0)).optional()?)
            })
            .await
    }

    pub(crate) async fn put_figures(&self, id: i64, document: Document, figures: Vec<Figure>) -> Result<()> {
        self.pool
            .write(move |tx| {
                let same = tx.query_row(
                    "SELECT text = ?2 FROM document WHERE id = ?1",
                    (id, &document.text),
                    |row| row.get::<_, bool>(0),
                );
                match same {
                    Ok(true) => replace(tx, id, &document.text, &document, &figures),
                    Ok(false) | Err(rusqlite::Error::QueryReturnedNoRows) => Ok(()),
                    Err(error) => Err(error.into()),
                }
            })
            .await
    }
}

fn find(c: &Connection, workspace: i64, filter: &FigureFilter) -> rusqlite::Result<(Vec<FigureRow>, usize)> {
    let mut values: Vec<Value> = vec![workspace.into()];
    let mut conditions = vec!["(o.workspace_id IS NULL OR o.workspace_id = ?1)".to_owned()];
    let mut one_of = |column: &str, list: Vec<Value>| {
        if !list.is_empty() {
            let first = values.len() + 1;
            let marks: Vec<String> = (first..first + list.len()).map(|at| format!("?{at}")).collect();
            conditions.push(format!("{column} IN ({})", marks.join(", ")));
            values.extend(list);
        }
    };
    one_of("f.document_id", filter.documents.iter().map(|id| (*id).into()).collect());
    one_of("d.report_id", filter.reports.iter().map(|id| id.clone().into()).collect());
    one_of("f.year", filter.years.iter().map(|year| i64::from(*year).into()).collect());
    one_of("f.measure", filter.measure.iter().map(|measure| measure.name().to_owned().into()).collect());
    one_of("f.status", filter.status.iter().map(|status| status.name().to_owned().into()).collect());
    let (from, order) = if filter.words.is_empty() {
        ("figure f", "f.document_id, f.ordinal")
    } else {
        let words: Vec<String> = filter.words.iter().map(|word| quoted(word)).collect();
        values.push(words.join(if filter.any { " OR " } else { " AND " }).into());
        conditions.push(format!("figure_word MATCH ?{}", values.len()));
        let from = "figure_word JOIN figure f ON f.id = figure_word.rowid";
        (from, "bm25(figure_word, 4.0, 2.0, 1.0), f.document_id, f.ordinal")
    };
    let _scope = filter.chunks.as_ref().map(|chunks| Scoped::to(Arc::clone(chunks)));
    let within = if filter.chunks.is_some() {
        conditions.push(IN_SCOPE.to_owned());
        SCOPES
    } else {
        ""
    };
    let joined = format!(
        "FROM {from} JOIN document d ON d.id = f.document_id JOIN corpus o ON o.id = d.corpus_id {within} WHERE {}",
        conditions.join(" AND ")
    );
    let total = c
        .prepare_cached(&format!("SELECT count(*) {joined}"))?
        .query_row(params_from_iter(&values), |row| row.get(0))?;
    let mut select = c.prepare_cached(&format!(
        "SELECT {COLUMNS} {joined} ORDER BY {order} LIMIT {} OFFSET {}",
        i64::try_from(filter.limit).unwrap_or(i64::MAX),
        i64::try_from(filter.offset).unwrap_or(i64::MAX)
    ))?;
    let mut years = HashMap::new();
    let rows = select.query_map(params_from_iter(&values), |row| row_of(row, &mut years))?;
    Ok((rows.collect::<rusqlite::Result<_>>()?, total))
}

/// Puts `figures` in the place of all that document `id` had. Its text is `text`, as that of `document` may be
/// empty.
pub(super) fn replace(
    tx: &Transaction<'_>,
    id: i64,
    text: &str,
    document: &Document,
    figures: &[Figure],
) -> Result<()> {
    tx.prepare_cached("DELETE FROM figure WHERE document_id = ?1")?.execute([id])?;
    let mut insert = tx.prepare_cached(
        "INSERT INTO figure (document_id, ordinal, start, \"end\", row_start, row_end, head_start, head_end, unit_start,
           unit_end, page, sheet, cells, label, \"column\", above, year, part, unit, measure, per, printed, value, normal,
           status, origin) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19,
           ?20, ?21, ?22, ?23, ?24, ?25, ?26)",
    )?;
    let mut counted = (0, 0);
    for (ordinal, figure) in figures.iter().enumerate() {
        let Figure { span, row, head, .. } = figure;
        counted = (span.start, counted.1 + units(&text[counted.0..span.start]));
        let cells = cells_of(&document.cells, *row);
        insert.execute(rusqlite::params![
            id,
            ordinal,
            span.start,
            span.end,
            row.start,
            row.end,
            head.map(|head| head.start),
            head.map(|head| head.end),
            counted.1,
            counted.1 + units(span.of(text)),
            document.pages_of(*span).map(|(first, _)| first),
            cells.map(|(sheet, _)| sheet),
            cells.map(|(_, range)| range.a1()),
            figure.label.join(BETWEEN),
            figure.column,
            figure.above.join(BETWEEN),
            figure.year,
            figure.part.map(|part| part.to_string()),
            figure.unit,
            figure.read_as.map(|unit| unit.measure.name()),
            figure.read_as.is_some_and(|unit| unit.per),
            figure.printed(text),
            figure.value,
            figure.normal(),
            figure.status.name(),
            figure.origin.name(),
        ])?;
    }
    tx.prepare_cached("UPDATE document SET figures_by = ?2 WHERE id = ?1")?.execute((id, VERSION))?;
    Ok(())
}

fn units(text: &str) -> usize {
    text.chars().map(char::len_utf16).sum()
}

/// A word as FTS5 reads it; a letter at the end of a run of Han, Kana or Hangul stands for the pairs that it begins.
fn quoted(word: &str) -> String {
    let tokens = indexed(word).replace(['"', '\0'], " ");
    let star = if tokens.split_whitespace().next_back().is_some_and(is_one_letter) { " *" } else { "" };
    format!("\"{tokens}\"{star}")
}
