//! Resources: parts of the standards, documents with their pages and former texts, and logged answers.

use super::Agents;
use serde_json::{Value, json};
use sibyl_api::ApiError;
use std::fmt::Write as _;

const STANDARDS: &str = "sibyl://standards/";
const DOCUMENTS: &str = "sibyl://documents/";
const ANSWERS: &str = "sibyl://answers/";
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
        {
            "uriTemplate": format!("{DOCUMENTS}{{id}}/versions/{{text_version}}"),
            "name": "version",
            "title": "A document as it was cited",
            "description": "The whole text of a document as it was when a citation with this text_version was made.",
            "mimeType": "text/plain",
        },
        {
            "uriTemplate": format!("{ANSWERS}{{id}}"),
            "name": "answer",
            "title": "A logged answer",
            "description": "A question of the log with its answer; each citation says whether its source changed since.",
            "mimeType": "application/json",
        },
    ]})
}

/// What lies at `uri`.
pub(super) async fn read(agents: &Agents, uri: &str) -> Result<Value, ApiError> {
    let missing = || {
        let message = format!("this server has no resource `{uri}`; list the resources to see what it has");
        ApiError::new("not_found", message)
    };
    if let Some(id) = uri.strip_prefix(ANSWERS) {
        // The log is of everything that was asked.
        let id: i64 = id.parse().ok().filter(|_| agents.report.is_none()).ok_or_else(missing)?;
        let text = agents.run("answer.log.get", json!({ "id": id })).await?.to_string();
        return Ok(json!({ "contents": [{ "uri": uri, "mimeType": "application/json", "text": text }] }));
    }
    let text = if let Some(id) = uri.strip_prefix(STANDARDS) {
        let id = percent_encoding::percent_decode_str(id).decode_utf8_lossy();
        page_text(&agents.run("standards.page", json!({ "id": id })).await?)
    } else if let Some((id, version)) =
        uri.strip_prefix(DOCUMENTS).and_then(|place| place.split_once("/versions/"))
    {
        let id: i64 = id.parse().map_err(|_| missing())?;
        let former = agents.run("document.version", json!({ "id": id, "text_version": version })).await?;
        // Of a document that is gone nobody knows whose report it was.
        if agents.report.is_some() && (former["row"].is_null() || !sees(agents, &former["row"])) {
            return Err(missing());
        }
        former["text"].as_str().unwrap_or_default().to_owned()
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
        let chunks = agents.run("chunk.list", json!({ "document": id, "limit": i64::MAX })).await?;
        let aids = aids(&chunks);
        let units: Vec<u16> = document["text"].as_str().unwrap_or_default().encode_utf16().collect();
        let shown = match page {
            None => (0, units.len()),
            Some(page) => page_of(&document, page).ok_or_else(missing)?,
        };
        without(&units, shown, &aids).ok_or_else(missing)?
    };
    Ok(json!({ "contents": [{ "uri": uri, "mimeType": "text/plain", "text": text }] }))
}

/// Where the text on page `number` stands, in UTF-16 code units.
fn page_of(document: &Value, number: u64) -> Option<(usize, usize)> {
    let mut pages = document["structure"]["pages"].as_array()?.iter();
    range(&pages.find(|page| page["number"] == number)?["range"])
}

fn range(value: &Value) -> Option<(usize, usize)> {
    let at = |end: usize| value[end].as_u64().and_then(|at| usize::try_from(at).ok());
    Some((at(0)?, at(1)?))
}

/// Where what the chunks of a document have only to be found by stands in its text, in order.
fn aids(chunks: &Value) -> Vec<(usize, usize)> {
    let chunks = chunks.as_array().into_iter().flatten();
    let pieces = chunks.filter_map(|chunk| chunk["view"]["pieces"].as_array()).flatten();
    let mut aids: Vec<_> =
        pieces.filter(|piece| piece["role"] == "aid").filter_map(|piece| range(&piece["range"])).collect();
    aids.sort_unstable();
    aids
}

/// The text of `units` in `shown`, without the stretches `left_out`.
fn without(units: &[u16], shown: (usize, usize), left_out: &[(usize, usize)]) -> Option<String> {
    let (mut at, end) = shown;
    let mut kept = Vec::with_capacity(end.saturating_sub(at));
    for &(from, to) in left_out {
        kept.extend_from_slice(units.get(at..from.clamp(at, end))?);
        at = to.clamp(at, end);
    }
    kept.extend_from_slice(units.get(at..end)?);
    Some(String::from_utf16_lossy(&kept))
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
        let reports = agents.reports().await?;
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
    fn a_page_is_cut_where_its_utf16_units_say_and_search_aids_are_left_out() {
        let document = json!({
            "structure": { "pages": [{ "number": 1, "range": [0, 4] }, { "number": 2, "range": [5, 11] }] },
        });
        let units: Vec<u16> = "Å😀b\nsecond".encode_utf16().collect();
        let text = |page, aids: &[(usize, usize)]| without(&units, page_of(&document, page)?, aids);
        assert_eq!(text(1, &[]).as_deref(), Some("Å😀b"));
        assert_eq!(text(2, &[]).as_deref(), Some("second"));
        assert_eq!(text(3, &[]), None);
        let chunks = json!([{ "view": { "pieces": [
            { "kind": "source", "range": [3, 7], "role": "aid" },
            { "kind": "source", "range": [8, 9], "role": "body" },
            { "kind": "source", "range": [4, 6], "role": "aid" },
        ] } }]);
        assert_eq!(text(1, &aids(&chunks)).as_deref(), Some("Å😀"));
        assert_eq!(text(2, &aids(&chunks)).as_deref(), Some("cond"));
    }
}
