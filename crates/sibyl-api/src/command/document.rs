//! Stored documents and their chunks.

use crate::command::chunk::ChunkingSource;
use crate::command::library::Deleted;
use crate::command::{Call, Nothing};
use crate::view::{ChunkView, Range, StructureView};
use crate::{ApiError, Utf16};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sibyl_engine::facsimile::{Facsimile, LayoutOptions, PageLayout};
use sibyl_engine::store::table::chunk::ChunkRow;
use sibyl_engine::store::table::document::{Details, DocumentRow, ListedDocuments};
use sibyl_engine::store::table::fact::{FactFilter, FactRow};
use sibyl_engine::store::table::kept_text::TextOf;
use sibyl_engine::store::table::likeness::Likeness;
use sibyl_text::Span;

/// Which documents.
#[derive(Debug, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct DocumentQuery {
    /// Name of a corpus; all that the workspace sees by default.
    pub corpus: Option<String>,
    /// Only those with these row ids; all where none is named.
    pub ids: Vec<i64>,
    /// Only those whose title, path or corpus contains each of these words, in any case; all where it is empty.
    pub words: String,
    /// Only those that belong to a report.
    pub reports: bool,
    /// Position to begin at, from 0.
    pub offset: usize,
    /// Maximum number of documents to return; all by default.
    pub limit: Option<usize>,
}

/// A document by row id.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DocumentId {
    /// Row id.
    pub id: i64,
}

/// A stored document with its text.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct DocumentView {
    /// What is known about it.
    pub row: DocumentRow,
    /// Its normalised text.
    pub text: String,
    /// Headings, pages and notices.
    pub structure: StructureView,
}

/// A stretch of a document's chunks.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ChunkQuery {
    /// Row id of the document.
    pub document: i64,
    /// Position to begin at, from 0.
    #[serde(default)]
    pub offset: i64,
    /// Maximum number of chunks to return.
    #[serde(default = "page_size")]
    pub limit: i64,
}

const fn page_size() -> i64 {
    1_000
}

/// A stored chunk in full.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct StoredChunk {
    /// Its place in the document.
    pub view: ChunkView,
    /// Everything else, with exactly the text that is embedded.
    pub row: ChunkRow,
    /// Its own text, without its context header and its search aids.
    pub passage: String,
    /// Its context header without the brackets, if it has one.
    pub header: Option<String>,
    /// Phrases that find it, besides its own text.
    pub found_by: Vec<String>,
    /// Those of them that somebody added by hand.
    pub added_phrases: Vec<String>,
}

/// A chunk by id.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ChunkId {
    /// 16 hex digits.
    pub chunk_id: String,
}

command! {
    /// Documents that the workspace sees, by corpus and path.
    DocumentList = "document.list": Query, Read, ["documents"],
        remote Get "/api/v1/documents";
    (call, input: DocumentQuery) -> Vec<DocumentRow> {
        let workspace = call.workspace_id().await?;
        let store = call.library.store();
        let corpus = match &input.corpus {
            None => None,
            Some(name) => Some(
                store
                    .corpus(workspace, name)
                    .await?
                    .ok_or_else(|| ApiError::new("not_found", format!("corpus `{name}` does not exist")))?
                    .id,
            ),
        };
        let DocumentQuery { ids, words, reports, offset, limit, .. } = input;
        let list = ListedDocuments { corpus, ids, words, reports, offset, limit };
        Ok(store.listed_documents(workspace, list).await?)
    }
}

command! {
    /// A document with its text and structure.
    DocumentGet = "document.get": Query, Read, ["documents"],
        remote Get "/api/v1/documents/{id}";
    (call, input: DocumentId) -> DocumentView {
        let workspace = call.workspace_id().await?;
        let (row, mut document) = call.library.store().document(workspace, input.id).await?;
        let map = Utf16::new(std::mem::take(&mut document.text));
        let structure = StructureView::new(&document, &map);
        Ok(DocumentView { row, text: map.into_text(), structure })
    }
}

/// A text of a document, as it is or as it was.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct VersionQuery {
    /// Row id of the document.
    pub id: i64,
    /// Version of its text, as citations, pinned passages and labels name it.
    pub text_version: String,
    /// Start of a stretch of that text, which is looked for in the current text (UTF-16 code units).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub start: Option<usize>,
    /// Its end (UTF-16 code units).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub end: Option<usize>,
}

/// A text that something cites, as it was then.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct DocumentVersion {
    /// The document as it is now; `None` if it is gone.
    pub row: Option<DocumentRow>,
    /// Path of the document at that time.
    pub path: String,
    /// Its title as it was read then.
    pub title: String,
    /// When the text was stored (ISO 8601, UTC).
    pub read_at: String,
    /// When another text replaced it; `None` for the document's current text.
    pub replaced_at: Option<String>,
    /// The text.
    pub text: String,
    /// Headings, pages and notices.
    pub structure: StructureView,
    /// Where the words of the stretch stand in the document's current text; `None` if they no longer do.
    pub now: Option<Range>,
}

command! {
    /// A text of a document as it was when something cited it. Former texts are kept as long as answers, findings
    /// or labels cite them.
    DocumentVersionGet = "document.version": Query, Read, ["documents", "answers", "reviews", "gold"],
        remote Get "/api/v1/documents/{id}/versions/{text_version}";
    (call, input: VersionQuery) -> DocumentVersion {
        let VersionQuery { id, text_version, start, end } = input;
        let contents = call.library.contents();
        let cited = contents.cited_text(&call.workspace, id, &text_version, start.zip(end)).await?;
        let TextOf { path, title, read_at, replaced_at, mut content, .. } = cited.text;
        let map = Utf16::new(std::mem::take(&mut content.text));
        let structure = StructureView::new(&content, &map);
        let (row, now) = (cited.document, cited.now);
        Ok(DocumentVersion { row, path, title, read_at, replaced_at, text: map.into_text(), structure, now })
    }
}

command! {
    /// Documents that look like one whose file is gone, the most alike first. A person has to say whether both are
    /// the same.
    DocumentAlike = "document.alike": Query, Read, ["documents", "corpora"],
        remote Get "/api/v1/documents/alike";
    (call, _input: Nothing) -> Vec<Likeness> {
        let workspace = call.workspace_id().await?;
        Ok(call.library.store().likenesses(workspace).await?)
    }
}

/// Two documents, and whether they are the same.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SameDocument {
    /// Row id of the former document.
    pub former: i64,
    /// Row id of the document found in its place.
    pub found: i64,
    /// Whether both are the same; they are by default.
    #[serde(default = "yes")]
    pub same: bool,
}

const fn yes() -> bool {
    true
}

command! {
    /// Makes two documents one. The former keeps everything that people added to it, and takes the place and the
    /// text of the one that was found. If they are not the same, they stay two, and nobody is asked again.
    DocumentSame = "document.same": Mutation, Write, ["corpora", "documents", "chunks", "reviews", "answers", "gold"],
        remote Post "/api/v1/documents/same";
    (call, input: SameDocument) -> DocumentRow {
        let SameDocument { former, found, same } = input;
        let workspace = call.workspace_id().await?;
        let store = call.library.store();
        if same {
            return Ok(store.join_documents(workspace, former, found).await?);
        }
        store.deny_likeness(workspace, former, found).await?;
        Ok(store.document_row(workspace, found).await?)
    }
}

/// A page of a document.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PageQuery {
    /// Row id of the document.
    pub document_id: i64,
    /// Physical page, from 1.
    pub page: u32,
    /// Pixels across, from 100 to 2,400; other values are set to the nearer limit.
    pub width: u32,
    /// Start of a stretch of the document's text whose place is wanted (UTF-16 code units).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub start: Option<usize>,
    /// Its end (UTF-16 code units).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub end: Option<usize>,
}

/// Which facts are wanted.
#[derive(Debug, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct FactQuery {
    /// Only of this document.
    pub document_id: Option<i64>,
    /// Only those shown in this chunk (16 hex digits).
    pub chunk_id: Option<String>,
    /// Words in concept, value, unit or dimensions, in any order and case; commas between digits do not count.
    pub text: String,
    /// Position to begin at, from 0.
    pub offset: i64,
    /// Maximum number of facts to return; 100 by default.
    pub limit: Option<i64>,
}

command! {
    /// Values that filed reports tag in their text (Inline XBRL), by document and in document order.
    FactList = "fact.list": Query, Read, ["documents", "chunks"],
        remote Get "/api/v1/facts";
    (call, input: FactQuery) -> Vec<FactRow> {
        let workspace = call.workspace_id().await?;
        let words = input.text.split_whitespace().map(|word| {
            let number = word.bytes().all(|b| b.is_ascii_digit() || b",.-".contains(&b));
            if number { word.replace(',', "") } else { word.to_owned() }
        });
        let filter = FactFilter {
            document: input.document_id,
            chunk: input.chunk_id,
            words: words.collect(),
            offset: input.offset,
            limit: input.limit.unwrap_or(100),
        };
        Ok(call.library.store().facts(workspace, filter).await?)
    }
}

command! {
    /// A picture of a page of a PDF, and the place on it of a stretch of its text.
    DocumentPageImage = "document.page_image": Query, Read, ["documents"],
        remote Get "/api/v1/documents/{document_id}/pages/{page}";
    (call, input: PageQuery) -> Facsimile {
        let marked = |text: &str| match (input.start, input.end) {
            (Some(start), Some(end)) if start < end => {
                let map = Utf16::new(text.to_owned());
                Some(Span::new(map.byte(start), map.byte(end)))
            }
            _ => None,
        };
        let Call { library, workspace, .. } = &call;
        Ok(library.contents().page_image(workspace, input.document_id, input.page, input.width, marked).await?)
    }
}

/// A page of a document, a file or a text.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct LayoutQuery {
    /// Physical page, from 1.
    pub page: u32,
    /// Width in pixels of a picture with the blocks drawn over it, 100 to 2,400; none by default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub picture: Option<u32>,
    /// Whether the page is shown after each pass of the reader, with the readings that were not taken; a PDF only.
    #[serde(default)]
    pub passes: bool,
    /// What is read.
    pub source: ChunkingSource,
}

command! {
    /// How a page was read: its blocks in reading order, with their place and what each was recognised as. Nothing
    /// is stored.
    DocumentPageLayout = "document.page_layout": Query, Read, ["documents"],
        remote Post "/api/v1/layout" unless |input| input.source.names_disk();
    (call, input: LayoutQuery) -> PageLayout {
        let Call { library, workspace, .. } = &call;
        let options = LayoutOptions { picture: input.picture, passes: input.passes };
        Ok(library.ingest().page_layout(workspace, input.source.into(), input.page, options).await?)
    }
}

command! {
    /// Stored chunks of a document, in order.
    ChunkList = "chunk.list": Query, Read, ["chunks"],
        remote Get "/api/v1/documents/{document}/chunks";
    (call, input: ChunkQuery) -> Vec<StoredChunk> {
        let workspace = call.workspace_id().await?;
        let store = call.library.store();
        let (_, document) = store.document(workspace, input.document).await?;
        let map = Utf16::new(document.text.clone());
        let rows = store.chunks_of(workspace, input.document, input.offset, input.limit).await?;
        Ok(rows.into_iter().map(|row| stored(row, &document, &map)).collect())
    }
}

command! {
    /// A stored chunk with exactly the text that is embedded.
    ChunkGet = "chunk.get": Query, Read, ["chunks"],
        remote Get "/api/v1/chunks/{chunk_id}";
    (call, input: ChunkId) -> StoredChunk {
        let workspace = call.workspace_id().await?;
        let store = call.library.store();
        let row = store.chunk(workspace, &input.chunk_id).await?.ok_or_else(|| {
            ApiError::new("not_found", format!("chunk `{}` does not exist", input.chunk_id))
        })?;
        let (_, document) = store.document(workspace, row.document_id).await?;
        let map = Utf16::new(document.text.clone());
        Ok(stored(row, &document, &map))
    }
}

/// Documents by row id.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DocumentIds {
    /// Row ids.
    pub ids: Vec<i64>,
}

/// A report by its id.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ReportId {
    /// Its id.
    pub report_id: String,
}

/// Corrections to a document. If a field is absent, null or empty, the document shows what was read.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Correction {
    /// Row id.
    pub id: i64,
    /// Its title: at most 300 characters.
    #[serde(default)]
    pub title: Option<String>,
    /// Who issued it: at most 300 characters.
    #[serde(default)]
    pub issuer: Option<String>,
    /// Year that it is about, 1990 to 2099.
    #[serde(default)]
    pub year: Option<u16>,
}

command! {
    /// Corrects the title, issuer and year of a document, replacing earlier corrections. Everyone who can see its corpus
    /// sees the correction, and it is kept when the document is ingested again.
    DocumentCorrect = "document.correct": Mutation, Write, ["documents", "chunks"],
        remote Post "/api/v1/documents/{id}/correction";
    (call, input: Correction) -> DocumentRow {
        let workspace = call.workspace_id().await?;
        let Correction { id, title, issuer, year } = input;
        Ok(call.library.store().correct_document(workspace, id, Details { title, issuer, year }).await?)
    }
}

command! {
    /// Deletes documents: they go into the bin, from which they can be restored for 30 days.
    DocumentDelete = "document.delete": Mutation, Write, ["corpora", "documents", "chunks"],
        remote Delete "/api/v1/documents";
    (call, input: DocumentIds) -> Deleted {
        let workspace = call.workspace_id().await?;
        for &id in &input.ids {
            // A document of another workspace does not exist for this one.
            call.library.store().document(workspace, id).await?;
        }
        Ok(Deleted::chunks(call.library.store().delete_documents(input.ids).await?))
    }
}

command! {
    /// Deletes a report: its documents go into the bin, from which they can be restored for 30 days.
    ReportDelete = "report.delete": Mutation, Write, ["corpora", "documents", "chunks"],
        remote Delete "/api/v1/reports/{report_id}";
    (call, input: ReportId) -> Deleted {
        let workspace = call.workspace_id().await?;
        let store = call.library.store();
        let documents = store.documents(workspace, None).await?;
        let of_report = |d: &&DocumentRow| d.report_id.as_deref() == Some(input.report_id.as_str());
        let ids: Vec<i64> = documents.iter().filter(of_report).map(|d| d.id).collect();
        if ids.is_empty() {
            return Err(ApiError::new("not_found", format!("report `{}` does not exist", input.report_id)));
        }
        Ok(Deleted::chunks(store.delete_documents(ids).await?))
    }
}

pub(super) fn stored(row: ChunkRow, document: &sibyl_text::Document, map: &Utf16) -> StoredChunk {
    let chunk = sibyl_text::Chunk {
        pieces: row.pieces.clone(),
        parent: row.parent.and_then(|parent| usize::try_from(parent).ok()),
        oversize: row.oversize,
        metadata: row.metadata.clone(),
    };
    let ordinal = usize::try_from(row.ordinal).unwrap_or_default();
    let tokens = usize::try_from(row.tokens).unwrap_or_default();
    let mut view = ChunkView::new(ordinal, &chunk, document, map, tokens);
    view.chunk_id = Some(row.chunk_id.clone());
    let (passage, header, found_by) = (row.passage(), row.header_in_words(), row.phrases());
    let added_phrases = row.added_phrases();
    StoredChunk { view, row, passage, header, found_by, added_phrases }
}
