//! Resources: parts of the standards, documents with their pages and former texts, and logged answers.

use super::Agents;
use rmcp::model::{CompleteRequestParams, Reference};
use serde_json::{Value, json};
use sibyl_api::command::answer::{AnswerId, AnswerLogGet};
use sibyl_api::command::document::{
    ChunkList, ChunkQuery, DocumentGet, DocumentId, DocumentList, DocumentQuery, DocumentVersionGet,
    VersionQuery,
};
use sibyl_api::command::standards::{StandardId, StandardsEdition, StandardsPage, StandardsTree};
use sibyl_api::view::{PageView, PieceView, Range};
use sibyl_api::{ApiError, DocumentRow, Role, without_places, written};

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
        json!({
            "uri": format!("{DOCUMENTS}{}", document.id),
            "name": document.path,
            "title": document.title,
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
async fn documents(agents: &Agents) -> Result<Vec<DocumentRow>, ApiError> {
    let mut documents = agents.run::<DocumentList>(DocumentQuery::default()).await?;
    documents.retain(|document| sees(agents, document));
    Ok(documents)
}

fn sees(agents: &Agents, document: &DocumentRow) -> bool {
    agents.report.is_none() || document.report_id.is_none() || document.report_id == agents.report
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
        let mut kept = written(&agents.run::<AnswerLogGet>(AnswerId { id }).await?)?;
        without_places(&mut kept);
        let text = kept.to_string();
        return Ok(json!({ "contents": [{ "uri": uri, "mimeType": "application/json", "text": text }] }));
    }
    let text = if let Some(id) = uri.strip_prefix(STANDARDS) {
        let id = percent_encoding::percent_decode_str(id).decode_utf8_lossy().into_owned();
        agents.run::<StandardsPage>(StandardId { id, edition: None }).await?.text()
    } else if let Some((id, version)) =
        uri.strip_prefix(DOCUMENTS).and_then(|place| place.split_once("/versions/"))
    {
        let id: i64 = id.parse().map_err(|_| missing())?;
        let asked = VersionQuery { id, text_version: version.to_owned(), start: None, end: None };
        let former = agents.run::<DocumentVersionGet>(asked).await?;
        // Once a document is gone, nobody knows whose report it was.
        if agents.report.is_some() && !former.row.is_some_and(|document| sees(agents, &document)) {
            return Err(missing());
        }
        former.text
    } else {
        let place = uri.strip_prefix(DOCUMENTS).ok_or_else(missing)?;
        let (id, page) = match place.split_once("/pages/") {
            Some((id, page)) => (id, Some(page.parse::<u32>().map_err(|_| missing())?)),
            None => (place, None),
        };
        let id: i64 = id.parse().map_err(|_| missing())?;
        let document = agents.run::<DocumentGet>(DocumentId { id }).await?;
        if !sees(agents, &document.row) {
            return Err(missing());
        }
        let all = ChunkQuery { document: id, offset: 0, limit: i64::MAX };
        let chunks = agents.run::<ChunkList>(all).await?;
        let aids = aids(chunks.iter().flat_map(|chunk| &chunk.view.pieces));
        let units: Vec<u16> = document.text.encode_utf16().collect();
        let shown = match page {
            None => (0, units.len()),
            Some(page) => page_of(&document.structure.pages, page).ok_or_else(missing)?,
        };
        without(&units, shown, &aids).ok_or_else(missing)?
    };
    Ok(json!({ "contents": [{ "uri": uri, "mimeType": "text/plain", "text": text }] }))
}

/// Where the text on page `number` stands, in UTF-16 code units.
fn page_of(pages: &[PageView], number: u32) -> Option<Range> {
    pages.iter().find(|page| page.number == number).map(|page| page.range)
}

/// Where those of `pieces` stand, in order, that are there only to be found by.
fn aids<'a>(pieces: impl Iterator<Item = &'a PieceView>) -> Vec<Range> {
    let aid = |piece: &PieceView| match piece {
        PieceView::Source { range, role: Role::Aid } => Some(*range),
        _ => None,
    };
    let mut aids: Vec<Range> = pieces.filter_map(aid).collect();
    aids.sort_unstable();
    aids
}

/// The text of `units` in `shown`, without the stretches `left_out`.
fn without(units: &[u16], shown: Range, left_out: &[Range]) -> Option<String> {
    let (mut at, end) = shown;
    let mut kept = Vec::with_capacity(end.saturating_sub(at));
    for &(from, to) in left_out {
        kept.extend_from_slice(units.get(at..from.clamp(at, end))?);
        at = to.clamp(at, end);
    }
    kept.extend_from_slice(units.get(at..end)?);
    Some(String::from_utf16_lossy(&kept))
}

/// Ids that begin with what was typed.
pub(super) async fn complete(agents: &Agents, request: &CompleteRequestParams) -> Result<Value, ApiError> {
    let (name, typed) = (request.argument.name.as_str(), request.argument.value.as_str());
    let uri = match &request.r#ref {
        Reference::Resource(resource) => resource.uri.as_str(),
        _ => "",
    };
    let known: Vec<String> = if name == "paragraph_id" || uri.starts_with(STANDARDS) {
        let tree = agents.run::<StandardsTree>(StandardsEdition::default()).await?;
        tree.into_iter().filter_map(|node| node.id).collect()
    } else if name == "report_id" {
        agents.reports().await?.into_iter().filter_map(|report| report.report_id).collect()
    } else if name == "id" && uri.starts_with(DOCUMENTS) {
        documents(agents).await?.iter().map(|document| document.id.to_string()).collect()
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
        let page = |number, range| PageView { number, label: None, range };
        let pages = [page(1, (0, 4)), page(2, (5, 11))];
        let units: Vec<u16> = "Å😀b\nsecond".encode_utf16().collect();
        let text = |page, aids: &[Range]| without(&units, page_of(&pages, page)?, aids);
        assert_eq!(text(1, &[]).as_deref(), Some("Å😀b"));
        assert_eq!(text(2, &[]).as_deref(), Some("second"));
        assert_eq!(text(3, &[]), None);
        let piece = |range, role| PieceView::Source { range, role };
        let pieces = [piece((3, 7), Role::Aid), piece((8, 9), Role::Body), piece((4, 6), Role::Aid)];
        assert_eq!(text(1, &aids(pieces.iter())).as_deref(), Some("Å😀"));
        assert_eq!(text(2, &aids(pieces.iter())).as_deref(), Some("cond"));
    }
}
