//! Commands that show what is there.

use super::{End, Outcome, print, settings};
use crate::arguments::{ChunkPreview, Correct, Documents, DocumentsCommand, Facts, Same};
use crate::output::{list, number, one_line, page as shown_page, read_by_ocr, table, text};
use crate::session::Session;
use serde_json::{Value, json};
use sibyl_api::ApiError;
use std::fmt::Write as _;
use std::path::PathBuf;

pub async fn paragraph(session: &Session, id: &str, edition: Option<String>) -> Outcome {
    let hit = session.call("paragraph.get", json!({ "id": id, "edition": edition })).await?;
    print(&session.common, &hit, |hit| {
        let mut out = match text(hit, "chunk_text").lines().next().filter(|_| hit["header"].is_string()) {
            Some(header) => format!("{header}\n\n{}\n", text(hit, "passage")),
            None => format!("{}\n", text(hit, "passage")),
        };
        if !hit["metadata"]["ocr"].is_null() {
            let _ = writeln!(out, "\n{}", read_by_ocr(&hit["metadata"]["ocr"]).trim_start());
        }
        for copy in list(hit, "metadata.licensed") {
            // Writing to a String cannot fail.
            let _ = writeln!(
                out,
                "\nYour licensed copy: {} (`sibyl chunks {}`)",
                text(copy, "title"),
                text(copy, "chunk_id")
            );
        }
        out
    });
    Ok(End::Done)
}

pub async fn stats(session: &Session) -> Outcome {
    let counts = session.call("library.stats", json!({})).await?;
    print(&session.common, &counts, |counts| {
        let rows: Vec<Vec<String>> = counts
            .as_object()
            .into_iter()
            .flatten()
            .map(|(name, count)| vec![name.clone(), count.to_string()])
            .collect();
        table(&["source type", "chunks"], &[1], &rows)
    });
    Ok(End::Done)
}

pub async fn documents(session: &Session, words: Documents) -> Outcome {
    match words.command {
        Some(DocumentsCommand::Correct(words)) => return correct(session, words).await,
        Some(DocumentsCommand::Same(words)) => return same(session, words).await,
        None => {}
    }
    let documents = session.call("document.list", json!({ "corpus": words.corpus })).await?;
    print(&session.common, &documents, |documents| {
        let rows: Vec<Vec<String>> = documents
            .as_array()
            .into_iter()
            .flatten()
            .map(|document| {
                vec![
                    number(document, "id").to_string(),
                    text(document, "source_type").to_owned(),
                    number(document, "chunks").to_string(),
                    number(document, "pages").to_string(),
                    one_line(text(document, "title"), 50) + &read_by_ocr(&document["ocr"]),
                    text(document, "path").to_owned(),
                ]
            })
            .collect();
        table(&["number", "type", "chunks", "pages", "title", "path"], &[0, 2, 3], &rows)
    });
    Ok(End::Done)
}

async fn same(session: &Session, words: Same) -> Outcome {
    if let (Some(former), Some(found)) = (words.former, words.found) {
        let said = json!({ "former": former, "found": found, "same": !words.different });
        let document = session.call("document.same", said).await?;
        print(&session.common, &document, |document| {
            if words.different {
                format!("Documents {former} and {found} are two.\n")
            } else {
                format!("Document {former} is now `{}`.\n", text(document, "path"))
            }
        });
        return Ok(End::Done);
    }
    let alike = session.call("document.alike", json!({})).await?;
    print(&session.common, &alike, |alike| {
        let pairs = alike.as_array().map(Vec::as_slice).unwrap_or_default();
        if pairs.is_empty() {
            return "No document looks like one whose file is gone.\n".to_owned();
        }
        let row = |pair: &Value| {
            vec![
                number(pair, "gone.id").to_string(),
                text(pair, "gone.path").to_owned(),
                number(pair, "found.id").to_string(),
                text(pair, "found.path").to_owned(),
                format!("{:.0} %", number(pair, "share") * 100.0),
            ]
        };
        let rows: Vec<Vec<String>> = pairs.iter().map(row).collect();
        table(&["former", "path", "found", "path", "alike"], &[0, 2, 4], &rows)
            + "`sibyl documents same FORMER FOUND` makes two of them one; --different keeps them apart.\n"
    });
    Ok(End::Done)
}

async fn correct(session: &Session, words: Correct) -> Outcome {
    let Correct { document: id, title, issuer, year, reset } = words;
    let mut correction = json!({ "id": id });
    let fields = [
        ("title", title.map(Value::from)),
        ("issuer", issuer.map(Value::from)),
        ("year", year.map(Value::from)),
    ];
    // Where the document is not there, the correction says so.
    let known = session.call("document.list", json!({ "ids": [id] })).await?;
    for (field, value) in fields {
        let stays = if reset { Value::Null } else { known[0][field].clone() };
        correction[field] = value.unwrap_or(stays);
    }
    let document = session.call("document.correct", correction).await?;
    print(&session.common, &document, |document| {
        let said = |value: &Value| if value.is_null() { "unknown".to_owned() } else { cell(value) };
        let mut out = String::new();
        for field in ["title", "issuer", "year"] {
            let (shown, read) = (&document[field], &document["as_read"]);
            let corrected = read.is_object() && shown != &read[field];
            let read = if corrected { format!(" (as read: {})", said(&read[field])) } else { String::new() };
            // Writing to a String cannot fail.
            let _ = writeln!(out, "{field}: {}{read}", said(shown));
        }
        out
    });
    Ok(End::Done)
}

pub async fn chunks(session: &Session, id: &str) -> Outcome {
    let Ok(document) = id.parse::<i64>() else {
        let chunk = session.call("chunk.get", json!({ "chunk_id": id })).await?;
        print(&session.common, &chunk, |chunk| {
            let metadata = &chunk["row"]["metadata"];
            let ocr = read_by_ocr(&metadata["ocr"]);
            let ocr = if ocr.is_empty() { ocr } else { format!("\n{}\n", ocr.trim_start()) };
            let header = chunk["header"].as_str().map(|header| format!("{header}\n\n")).unwrap_or_default();
            let phrases: String = list(chunk, "found_by")
                .iter()
                .filter_map(Value::as_str)
                .map(|phrase| format!("  {phrase}\n"))
                .collect();
            let found_by = match list(chunk, "found_by").len() {
                0 => phrases,
                1 => format!("\nFound by 1 phrasing:\n{phrases}"),
                count => format!("\nFound by {count} phrasings:\n{phrases}"),
            };
            format!("{header}{}\n{found_by}{ocr}\n{metadata:#}\n", text(chunk, "passage"))
        });
        return Ok(End::Done);
    };
    let chunks = session.call("chunk.list", json!({ "document": document, "limit": i64::MAX })).await?;
    print(&session.common, &chunks, |chunks| {
        let rows: Vec<Vec<String>> = chunks
            .as_array()
            .into_iter()
            .flatten()
            .map(|chunk| {
                let id = ["paragraph_id", "topic_code"]
                    .iter()
                    .map(|key| text(chunk, &format!("row.metadata.{key}")))
                    .find(|id| !id.is_empty());
                vec![
                    number(chunk, "row.ordinal").to_string(),
                    text(chunk, "row.chunk_id").to_owned(),
                    number(chunk, "row.tokens").to_string(),
                    id.unwrap_or_default().to_owned(),
                    one_line(text(chunk, "passage"), 70) + &read_by_ocr(&chunk["row"]["metadata"]["ocr"]),
                ]
            })
            .collect();
        table(&["#", "chunk", "tokens", "id", "text"], &[0, 2], &rows)
    });
    Ok(End::Done)
}

pub async fn strategies(session: &Session) -> Outcome {
    let strategies = session.call("strategy.list", json!({})).await?;
    print(&session.common, &strategies, |strategies| {
        let mut out = String::new();
        for strategy in strategies.as_array().into_iter().flatten() {
            // Writing to a String cannot fail.
            let _ = writeln!(out, "{}: {}", text(strategy, "name"), text(strategy, "summary"));
            for param in list(strategy, "params") {
                let range = match (param["min"].as_i64(), param["max"].as_i64()) {
                    (Some(min), Some(max)) => format!(", {min} to {max} {}", text(param, "unit")),
                    _ => String::new(),
                };
                let _ = writeln!(
                    out,
                    "  --set {}={}{range}  {}",
                    text(param, "name"),
                    param["default"].to_string().trim_matches('"'),
                    text(param, "description")
                );
            }
        }
        out
    });
    Ok(End::Done)
}

pub async fn facts(session: &Session, words: Facts) -> Outcome {
    let query = json!({
        "document_id": words.document,
        "chunk_id": words.chunk,
        "text": words.text(),
        "limit": words.limit,
    });
    let facts = session.call("fact.list", query).await?;
    print(&session.common, &facts, |facts| {
        let rows: Vec<Vec<String>> = facts
            .as_array()
            .into_iter()
            .flatten()
            .map(|fact| {
                let members = list(fact, "dimensions").iter().filter_map(|pair| pair[1].as_str());
                vec![
                    text(fact, "concept").to_owned(),
                    one_line(text(fact, "value"), 40),
                    text(fact, "unit").to_owned(),
                    text(fact, "period").to_owned(),
                    text(fact, "entity").to_owned(),
                    members.collect::<Vec<_>>().join(", "),
                    number(fact, "document_id").to_string(),
                    text(fact, "chunk_id").to_owned(),
                    text(fact, "anchor").to_owned(),
                ]
            })
            .collect();
        table(
            &["concept", "value", "unit", "period", "entity", "of", "document", "chunk", "anchor"],
            &[6],
            &rows,
        )
    });
    Ok(End::Done)
}

pub async fn chunk_preview(session: &Session, words: ChunkPreview) -> Outcome {
    super::ingest::unlock(session, words.password_file.as_deref()).await?;
    let path = std::path::absolute(&words.path).unwrap_or(words.path);
    let source = json!({ "kind": "path", "path": path.to_string_lossy() });
    if let Some(page) = words.page {
        return page_layout(session, source, page, words.overlay).await;
    }
    let request = json!({
        "source": source,
        "strategy": words.strategy,
        "settings": settings(&words.settings)?,
    });
    let cut = session.call("chunk.preview", request).await?;
    print(&session.common, &cut, |cut| {
        let units: Vec<u16> = text(cut, "text").encode_utf16().collect();
        let rows: Vec<Vec<String>> = list(cut, "chunks")
            .iter()
            .map(|chunk| {
                let start = chunk["view"]["range"][0].as_u64().unwrap_or(0) as usize;
                let end = (chunk["view"]["range"][1].as_u64().unwrap_or(0) as usize).min(start + 200);
                let body = String::from_utf16_lossy(units.get(start..end).unwrap_or_default());
                let sign = if chunk["view"]["oversize"] == true {
                    "oversize"
                } else if chunk["orphan"] == true {
                    "orphan"
                } else {
                    ""
                };
                vec![
                    number(chunk, "view.ordinal").to_string(),
                    number(chunk, "view.tokens").to_string(),
                    number(chunk, "view.overlap_tokens").to_string(),
                    sign.to_owned(),
                    one_line(&body, 90),
                ]
            })
            .collect();
        let s = &cut["statistics"];
        let figures = format!(
            "{}: {} chunks, {} to {} tokens, median {}, p95 {}, overlap {:.1} %, {} orphans, {} oversize, {:.1} ms\n",
            text(cut, "strategy"),
            number(s, "count"),
            number(s, "min"),
            number(s, "max"),
            number(s, "median"),
            number(s, "p95"),
            number(s, "overlap_percent"),
            number(s, "orphans"),
            number(s, "oversize"),
            number(cut, "chunking_ms"),
        );
        table(&["#", "tokens", "repeated", "", "text"], &[0, 1, 2], &rows) + &figures
    });
    Ok(End::Done)
}

/// Pixels across of a page with its blocks drawn over it.
const PICTURE: u32 = 1_200;

async fn page_layout(session: &Session, source: Value, page: u32, overlay: Option<PathBuf>) -> Outcome {
    let mut query = json!({ "source": source, "page": page });
    if overlay.is_some() {
        query["picture"] = PICTURE.into();
    }
    let mut layout = session.call("document.page_layout", query).await?;
    let picture = layout["overlay"].take();
    if let (Some(file), Some(svg)) = (&overlay, picture.as_str()) {
        std::fs::write(file, svg).map_err(|error| {
            ApiError::invalid(format!("{} cannot be written ({error})", file.to_string_lossy()))
        })?;
    }
    print(&session.common, &layout, |layout| {
        let rows: Vec<Vec<String>> = list(layout, "blocks")
            .iter()
            .zip(1..)
            .map(|(block, number): (&Value, usize)| {
                let kind = text(block, "kind").replace('_', " ");
                let kind = match (block["level"].as_u64(), list(block, "rows").len()) {
                    (Some(level), _) => format!("{kind} {level}"),
                    (None, rows @ 1..) => format!("{kind}, {rows} rows"),
                    _ => kind,
                };
                let places: Vec<String> = list(block, "boxes").iter().map(place).collect();
                vec![number.to_string(), kind, places.join(" "), one_line(text(block, "text"), 80)]
            })
            .collect();
        let pages = format!("p. {} of {}\n", shown_page(layout).unwrap_or_default(), number(layout, "pages"));
        let regions: Vec<String> = list(layout, "regions").iter().map(place).collect();
        let regions = match regions.as_slice() {
            [] => String::new(),
            _ => format!("regions in reading order: {}\n", regions.join(" ")),
        };
        pages + &regions + &table(&["#", "block", "left,top+width×height in %", "text"], &[0], &rows)
    });
    Ok(End::Done)
}

/// A box in percent of the page.
fn place(place: &Value) -> String {
    let [x, y, width, height] = ["x", "y", "width", "height"].map(|name| 100.0 * number(place, name));
    format!("{x:.0},{y:.0}+{width:.0}×{height:.0}")
}

/// A value as text for a cell.
pub fn cell(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}
