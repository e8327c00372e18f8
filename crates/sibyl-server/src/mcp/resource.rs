//! Resources: parts of the standards, and documents with their pages.

use super::{Agents, tool};
use serde_json::{Value, json};
use sibyl_api::ApiError;
use std::fmt::Write as _;

const STANDARDS: &str = "sibyl://standards/";
const DOCUMENTS: &str = "sibyl://documents/";
/// Resources in one answer.
const PAGE: usize = 100;
/// Completions in one answer, as the protocol allows.
const COMPLETIONS: usize = 100;

/// What can be read by its number: `from` on, documents first.
pub(super) async fn list(agents: &Agents, from: usize) -> Result<Value, ApiError> {
    let documents = documents(agents).await?;
    let listed = documents.iter().skip(from).take(PAGE).map(|document| {
        let title = document["title"].as_str().unwrap_or_default();
        json!({
            "uri": format!("{DOCUMENTS}{}", document["id"]),
            "name": document["path"],
            "title": title,
            "mimeType": "text/plain",
        })
    });
    let mut told = json!({ "resources": listed.collect::<Vec<_>>() });
    if documents.len() > from + PAGE {
        told["nextCursor"] = (from + PAGE).to_string().into();
    }
    Ok(told)
}

/// The documents that the agent sees: of reports its own alone, where it has one.
async fn documents(agents: &Agents) -> Result<Vec<Value>, ApiError> {
    let all = agents.run("document.list", json!({})).await?;
    Ok(all.as_array().into_iter().flatten().filter(|document| sees(agents, document)).cloned().collect())
}

fn sees(agents: &Agents, document: &Value) -> bool {
    let report = document["report_id"].as_str();
    agents.report.is_none() || report.is_none() || report == agents.report.as_deref()
}

/// The shapes of their addresses.
pub(super) fn templates() -> Value {
    json!({ "resourceTemplates": [
        {
            "uriTemplate": format!("{STANDARDS}{{id}}"),
            "name": "standard",
            "title": "A part of the standards",
            "description": "A paragraph, item, term, topic or metric, such as S2.14(a)(iv).",
            "mimeType": "text/plain",
        },
        {
            "uriTemplate": format!("{DOCUMENTS}{{id}}"),
            "name": "document",
            "title": "A document",
            "description": "The whole text of a document by its number.",
            "mimeType": "text/plain",
        },
        {
            "uriTemplate": format!("{DOCUMENTS}{{id}}/pages/{{page}}"),
            "name": "page",
            "title": "A page of a document",
            "description": "The text on one page, counted from 1.",
            "mimeType": "text/plain",
        },
    ]})
}

/// What lies at `uri`.
pub(super) async fn read(agents: &Agents, uri: &str) -> Result<Value, ApiError> {
    let missing = || {
        let message = format!("this server has no resource `{uri}`; list the resources to see what it has");
        ApiError::new("not_found", message)
    };
    let text = if let Some(id) = uri.strip_prefix(STANDARDS) {
        let id = percent_encoding::percent_decode_str(id).decode_utf8_lossy();
        page_text(&agents.run("standards.page", json!({ "id": id })).await?)
    } else {
        let place = uri.strip_prefix(DOCUMENTS).ok_or_else(missing)?;
        let (id, page) = match place.split_once("/pages/") {
            Some((id, page)) => (id, Some(page.parse::<u64>().map_err(|_| missing())?)),
            None => (place, None),
        };
        let id: i64 = id.parse().map_err(|_| missing())?;
        let document = agents.run("document.get", json!({ "id": id })).await?;
        if !sees(agents, &document["row"]) {
            return Err(missing());
        }
        match page {
            None => document["text"].as_str().unwrap_or_default().to_owned(),
            Some(page) => text_on(&document, page).ok_or_else(missing)?,
        }
    };
    Ok(json!({ "contents": [{ "uri": uri, "mimeType": "text/plain", "text": text }] }))
}

/// The text on page `number`; its place is told in UTF-16 code units.
fn text_on(document: &Value, number: u64) -> Option<String> {
    let mut pages = document["structure"]["pages"].as_array()?.iter();
    let range = &pages.find(|page| page["number"] == number)?["range"];
    let at = |end: usize| range[end].as_u64().and_then(|at| usize::try_from(at).ok());
    let units: Vec<u16> = document["text"].as_str()?.encode_utf16().collect();
    Some(String::from_utf16_lossy(units.get(at(0)?..at(1)?)?))
}

/// A part of the standards as text.
pub(super) fn page_text(page: &Value) -> String {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let mut out =
        format!("{} {}\n\n{}\n", text(&page["id"]), text(&page["label"]), text(&page["prose"]).trim());
    for item in page["items"].as_array().into_iter().flatten() {
        // Writing to a String cannot fail.
        let _ = write!(
            out,
            "\n{} {}\n{}\n",
            text(&item["id"]),
            text(&item["label"]),
            text(&item["prose"]).trim()
        );
    }
    out
}

/// Ids that begin with what was typed.
pub(super) async fn complete(agents: &Agents, request: &Value) -> Result<Value, ApiError> {
    let typed = request["argument"]["value"].as_str().unwrap_or_default();
    let name = request["argument"]["name"].as_str().unwrap_or_default();
    let uri = request["ref"]["uri"].as_str().unwrap_or_default();
    let known: Vec<String> = if name == "paragraph_id" || uri.starts_with(STANDARDS) {
        let tree = agents.run("standards.tree", json!({})).await?;
        let ids = tree.as_array().into_iter().flatten().filter_map(|node| node["id"].as_str());
        ids.map(str::to_owned).collect()
    } else if name == "report_id" {
        let reports = tool::seen(agents).await?;
        reports.iter().filter_map(|report| report["report_id"].as_str()).map(str::to_owned).collect()
    } else if name == "id" && uri.starts_with(DOCUMENTS) {
        documents(agents).await?.iter().map(|document| document["id"].to_string()).collect()
    } else {
        Vec::new()
    };
    let mut fits: Vec<&String> = known.iter().filter(|id| id.starts_with(typed)).collect();
    let total = fits.len();
    fits.truncate(COMPLETIONS);
    Ok(json!({ "completion": { "values": fits, "total": total, "hasMore": total > COMPLETIONS } }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_is_cut_where_its_utf16_units_say() {
        let document = json!({
            "text": "Å😀b\nsecond",
            "structure": { "pages": [{ "number": 1, "range": [0, 4] }, { "number": 2, "range": [5, 11] }] },
        });
        assert_eq!(text_on(&document, 1).as_deref(), Some("Å😀b"));
        assert_eq!(text_on(&document, 2).as_deref(), Some("second"));
        assert_eq!(text_on(&document, 3), None);
    }
}
