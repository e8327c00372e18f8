//! Commands that show what the library has.

use super::{Outcome, print, settings};
use crate::arguments::{ChunkPreview, Correct, Documents, DocumentsCommand, Facts, Same};
use crate::output::{cell, chunk_ocr, one_line, read_by_ocr, table};
use crate::session::Session;
use serde_json::json;
use sibyl_api::command::document::{
    ChunkGet, ChunkId, ChunkList, ChunkQuery, Correction, DocumentAlike, DocumentCorrect, DocumentList,
    DocumentPageLayout, DocumentQuery, DocumentSame, FactList, LayoutQuery, SameDocument,
};
use sibyl_api::command::search::{ParagraphGet, ParagraphId};
use sibyl_api::command::standards::{StandardId, StandardsPage};
use sibyl_api::command::{Nothing, chunk, library, strategy};
use sibyl_api::{ApiError, DocumentRow, Edition, Mark, PagePass, PassHypothesis, cited_page, metadata};
use std::fmt::Write as _;
use std::path::PathBuf;

pub async fn paragraph(session: &Session, id: String, edition: Option<Edition>) -> Outcome {
    let hit = session.call::<ParagraphGet>(ParagraphId { id: id.clone(), edition }).await?;
    let page = match session.call::<StandardsPage>(StandardId { id, edition }).await {
        Ok(page) => Some(page),
        // Another part with this id, or the id in another spelling, is shown as the passage it is.
        Err(error) if error.code == "not_found" => None,
        Err(error) => return Err(error),
    };
    print(&session.common, &hit, |hit| {
        let header = hit.chunk_text.lines().next().filter(|_| hit.header.is_some());
        let mut out = match (&page, header) {
            (Some(page), _) => page.text(),
            (None, Some(header)) => format!("{header}\n\n{}\n", hit.passage),
            (None, None) => format!("{}\n", hit.passage),
        };
        let ocr = chunk_ocr(&hit.metadata);
        if !ocr.is_empty() {
            let _ = writeln!(out, "\n{}", ocr.trim_start());
        }
        for copy in metadata::licensed(&hit.metadata) {
            // Writing to a String cannot fail.
            let _ = writeln!(out, "\nYour licensed copy: {} (`sibyl chunks {}`)", copy.title, copy.chunk_id);
        }
        out
    })
}

pub async fn stats(session: &Session) -> Outcome {
    let counts = session.call::<library::LibraryStats>(Nothing {}).await?;
    let printed = print(&session.common, &counts, |counts| {
        let rows = counts.iter().map(|(name, count)| vec![name.clone(), count.to_string()]);
        table(&["source type", "chunks"], &[1], rows)
    })?;
    // Counts of a damaged file may be wrong.
    sibyl_api::door::check(&session.library).await?;
    Ok(printed)
}

pub async fn documents(session: &Session, words: Documents) -> Outcome {
    match words.command {
        Some(DocumentsCommand::Correct(words)) => return correct(session, words).await,
        Some(DocumentsCommand::Same(words)) => return same(session, words).await,
        None => {}
    }
    let documents = session
        .call::<DocumentList>(DocumentQuery { corpus: words.corpus, ..DocumentQuery::default() })
        .await?;
    print(&session.common, &documents, |documents| {
        let rows = documents.iter().map(|document| {
            vec![
                document.id.to_string(),
                document.source_type.clone(),
                document.chunks.to_string(),
                document.pages.to_string(),
                one_line(&document.title, 50) + &read_by_ocr(document.ocr.as_ref().map(|ocr| ocr.confidence)),
                issued_by(document),
                document.path.clone() + &missing(document.missing_since.as_deref()),
            ]
        });
        table(&["number", "type", "chunks", "pages", "title", "issuer", "path"], &[0, 2, 3], rows)
    })
}

/// Who issued a document, with what else it calls him.
fn issued_by(document: &DocumentRow) -> String {
    let issuer = document.issuer.as_deref().unwrap_or_default();
    let others = if document.aliases.is_empty() {
        String::new()
    } else {
        format!(" ({})", document.aliases.join(", "))
    };
    one_line(&format!("{issuer}{others}"), 50)
}

/// What a document calls its issuer besides the name.
fn also_called(names: &[String]) -> String {
    if names.is_empty() { String::new() } else { format!("also called: {}\n", names.join(", ")) }
}

/// What is said about a document whose file is gone.
fn missing(since: Option<&str>) -> String {
    since.map_or_else(String::new, |since| format!(" (file missing since {since})"))
}

async fn same(session: &Session, words: Same) -> Outcome {
    if let (Some(former), Some(found)) = (words.former, words.found) {
        let said = SameDocument { former, found, same: !words.different };
        let document = session.call::<DocumentSame>(said).await?;
        return print(&session.common, &document, |document| {
            if words.different {
                format!("Documents {former} and {found} are two.\n")
            } else {
                format!("Document {former} is now `{}`.\n", document.path)
            }
        });
    }
    let alike = session.call::<DocumentAlike>(Nothing {}).await?;
    print(&session.common, &alike, |alike| {
        if alike.is_empty() {
            return "No document looks like one whose file is gone.\n".to_owned();
        }
        let rows = alike.iter().map(|pair| {
            vec![
                pair.gone.id.to_string(),
                pair.gone.path.clone(),
                pair.found.id.to_string(),
                pair.found.path.clone(),
                format!("{:.0} %", pair.share * 100.0),
            ]
        });
        table(&["former", "path", "found", "path", "alike"], &[0, 2, 4], rows)
            + "`sibyl documents same FORMER FOUND` makes two of them one; --different keeps them apart.\n"
    })
}

async fn correct(session: &Session, words: Correct) -> Outcome {
    let Correct { document: id, title, issuer, year, reset } = words;
    // If the document does not exist, the correction says so.
    let known =
        session.call::<DocumentList>(DocumentQuery { ids: vec![id], ..DocumentQuery::default() }).await?;
    let stays = known.first().filter(|_| !reset);
    let correction = Correction {
        id,
        title: title.or_else(|| Some(stays?.title.clone())),
        issuer: issuer.or_else(|| stays?.issuer.clone()),
        year: year.or_else(|| stays?.year),
    };
    let document = session.call::<DocumentCorrect>(correction).await?;
    print(&session.common, &document, |document| {
        let line = |field: &str, shown: Option<String>, read: Option<Option<String>>| {
            let said = |value: Option<String>| value.unwrap_or_else(|| "unknown".to_owned());
            let read = read.filter(|read| *read != shown).map(said);
            let read = read.map(|read| format!(" (as read: {read})")).unwrap_or_default();
            format!("{field}: {}{read}\n", said(shown))
        };
        let (read, year) = (document.as_read.as_ref(), |year: Option<u16>| year.map(|year| year.to_string()));
        line("title", Some(document.title.clone()), read.map(|read| read.title.clone()))
            + &line("issuer", document.issuer.clone(), read.map(|read| read.issuer.clone()))
            + &also_called(&document.aliases)
            + &line("year", year(document.year), read.map(|read| year(read.year)))
    })
}

pub async fn chunks(session: &Session, id: String) -> Outcome {
    let Ok(document) = id.parse::<i64>() else {
        let chunk = session.call::<ChunkGet>(ChunkId { chunk_id: id }).await?;
        return print(&session.common, &chunk, |chunk| {
            let ocr = chunk_ocr(&chunk.row.metadata);
            let ocr = if ocr.is_empty() { ocr } else { format!("\n{}\n", ocr.trim_start()) };
            let header = chunk.header.as_ref().map(|header| format!("{header}\n\n")).unwrap_or_default();
            let phrases: String = chunk.found_by.iter().map(|phrase| format!("  {phrase}\n")).collect();
            let found_by = match chunk.found_by.len() {
                0 => phrases,
                1 => format!("\nFound by 1 phrasing:\n{phrases}"),
                count => format!("\nFound by {count} phrasings:\n{phrases}"),
            };
            format!("{header}{}\n{found_by}{ocr}\n{:#}\n", chunk.passage, json!(chunk.row.metadata))
        });
    };
    let chunks = session.call::<ChunkList>(ChunkQuery { document, offset: 0, limit: i64::MAX }).await?;
    print(&session.common, &chunks, |chunks| {
        let rows = chunks.iter().map(|chunk| {
            let row = &chunk.row;
            vec![
                row.ordinal.to_string(),
                row.chunk_id.clone(),
                row.tokens.to_string(),
                metadata::cited_as(&row.metadata).unwrap_or_default().to_owned(),
                one_line(&chunk.passage, 70) + &chunk_ocr(&row.metadata),
            ]
        });
        table(&["#", "chunk", "tokens", "id", "text"], &[0, 2], rows)
    })
}

pub async fn strategies(session: &Session) -> Outcome {
    let strategies = session.call::<strategy::StrategyList>(Nothing {}).await?;
    print(&session.common, &strategies, |strategies| {
        let mut out = String::new();
        for strategy in strategies {
            // Writing to a String cannot fail.
            let _ = writeln!(out, "{}: {}", strategy.name, strategy.summary);
            for param in &strategy.params {
                let range = param.min.zip(param.max);
                let range = range.map(|(min, max)| format!(", {min} to {max} {}", param.unit));
                let _ = writeln!(
                    out,
                    "  --set {}={}{}  {}",
                    param.name,
                    cell(&param.default),
                    range.unwrap_or_default(),
                    param.description
                );
            }
        }
        out
    })
}

pub async fn facts(session: &Session, words: Facts) -> Outcome {
    let facts = session.call::<FactList>(words.into()).await?;
    print(&session.common, &facts, |facts| {
        let rows = facts.iter().map(|fact| {
            let members = fact.dimensions.iter().map(|(_, member)| member.as_str());
            vec![
                fact.concept.clone(),
                one_line(&fact.value, 40),
                fact.unit.clone().unwrap_or_default(),
                fact.period.clone(),
                fact.entity.clone(),
                members.collect::<Vec<_>>().join(", "),
                fact.document_id.to_string(),
                fact.chunk_id.clone().unwrap_or_default(),
                fact.anchor.clone().unwrap_or_default(),
            ]
        });
        let header = ["concept", "value", "unit", "period", "entity", "of", "document", "chunk", "anchor"];
        table(&header, &[6], rows)
    })
}

pub async fn chunk_preview(session: &Session, words: ChunkPreview) -> Outcome {
    super::ingest::unlock(session, words.password_file.as_deref()).await?;
    let path = std::path::absolute(&words.path).unwrap_or(words.path);
    let source = chunk::ChunkingSource::Path { path: path.to_string_lossy().into_owned() };
    if let Some(page) = words.page {
        let picture = words.overlay.is_some().then_some(PICTURE);
        let query = LayoutQuery { page, picture, passes: words.passes, source };
        return page_layout(session, query, words.overlay).await;
    }
    let request = chunk::ChunkingRequest {
        strategy: words.strategy,
        settings: Some(settings(&words.settings)?),
        chunks_only: false,
        source,
    };
    let cut = session.call::<chunk::ChunkPreview>(request).await?;
    print(&session.common, &cut, |cut| {
        let units: Vec<u16> = cut.text.as_deref().unwrap_or_default().encode_utf16().collect();
        let rows = cut.chunks.iter().map(|chunk| {
            let (start, end) = chunk.view.range;
            let body = String::from_utf16_lossy(units.get(start..end.min(start + 200)).unwrap_or_default());
            let sign = if chunk.view.oversize {
                "oversize"
            } else if chunk.orphan {
                "orphan"
            } else {
                ""
            };
            vec![
                chunk.view.ordinal.to_string(),
                chunk.view.tokens.to_string(),
                chunk.view.overlap_tokens.to_string(),
                sign.to_owned(),
                one_line(&body, 90),
            ]
        });
        let s = &cut.statistics;
        let figures = format!(
            "{}: {} chunks, {} to {} tokens, median {}, p95 {}, overlap {:.1} %, {} orphans, {} oversize, {:.1} ms\n",
            cut.strategy,
            s.count,
            s.min,
            s.max,
            s.median,
            s.p95,
            s.overlap_percent,
            s.orphans,
            s.oversize,
            cut.chunking_ms,
        );
        table(&["#", "tokens", "repeated", "", "text"], &[0, 1, 2], rows) + &figures
    })
}

/// Width in pixels of a page with its blocks drawn over it.
const PICTURE: u32 = 1_200;

async fn page_layout(session: &Session, query: LayoutQuery, overlay: Option<PathBuf>) -> Outcome {
    let mut layout = session.call::<DocumentPageLayout>(query).await?;
    if let (Some(file), Some(svg)) = (overlay, layout.overlay.take()) {
        std::fs::write(&file, svg).map_err(|error| {
            ApiError::invalid(format!("{} cannot be written ({error})", file.to_string_lossy()))
        })?;
    }
    print(&session.common, &layout, |layout| {
        let rows = layout.blocks.iter().zip(1..).map(|(block, number): (_, usize)| {
            let kind = cell(&block.kind).replace('_', " ");
            let kind = match (block.level, block.rows.len()) {
                (Some(level), _) => format!("{kind} {level}"),
                (None, rows @ 1..) => format!("{kind}, {rows} rows"),
                _ => kind,
            };
            vec![number.to_string(), kind, places(&block.boxes), one_line(&block.text, 80)]
        });
        let page = cited_page(layout.page, layout.page_label.as_deref());
        let mut out = format!("p. {page} of {}\n", layout.pages);
        if !layout.passes.is_empty() {
            return out + &layout.passes.iter().map(pass).collect::<String>();
        }
        if !layout.regions.is_empty() {
            let _ = writeln!(out, "regions in reading order: {}", places(&layout.regions));
        }
        out + &table(&["#", "block", "left,top+width×height in %", "text"], &[0], rows)
    })
}

/// What a pass left of a page, and what it decided.
fn pass(pass: &PagePass) -> String {
    let part = pass.part.iter().map(|part| format!(", part {part}")).collect::<String>();
    let (reads, writes) = (pass.reads.join(", "), pass.writes.join(", "));
    let unchanged = if pass.changed { "" } else { ": no change" };
    let mut out = format!("\n== {}{part} ({reads} → {writes}){unchanged}\n", pass.pass);
    let decided = pass.decisions.iter().map(|decision| {
        let readings = decision.hypotheses.iter().map(|one| {
            let taken = if one.taken { "taken" } else { "not taken" };
            let PassHypothesis { reading, torn, unexplained, unnamed_numbers, .. } = one;
            format!("{reading} {taken} ({torn} torn, {unexplained} unexplained, {unnamed_numbers} numbers without a name)")
        });
        let place = decision.place.map(|place| format!(" at {}", places(&[place]))).unwrap_or_default();
        format!("decided{place}: {}\n", readings.collect::<Vec<_>>().join("; "))
    });
    // A place is asked about again for each way to divide what is around it.
    let mut decided: Vec<String> = decided.collect();
    decided.dedup();
    out.extend(decided);
    if pass.changed {
        let rows = pass.shows.iter().map(|mark| {
            let region = mark.region.map(|region| region.to_string()).unwrap_or_default();
            let place = mark.place.map(|place| places(&[place])).unwrap_or_default();
            vec![region, mark.kind.clone(), place, one_line(&mark.text, 80)]
        });
        out += &table(&["region", "what", "left,top+width×height in %", "text"], &[0], rows);
    }
    out
}

/// Boxes, in percent of the page.
fn places(marks: &[Mark]) -> String {
    let place = |mark: &Mark| {
        let [x, y, width, height] =
            [mark.x, mark.y, mark.width, mark.height].map(|share| 100.0 * f64::from(share));
        format!("{x:.0},{y:.0}+{width:.0}×{height:.0}")
    };
    marks.iter().map(place).collect::<Vec<_>>().join(" ")
}
