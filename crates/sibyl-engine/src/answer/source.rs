//! Hits become passages: spans of their documents, with pages and headings.

use crate::error::Result;
use crate::library::Answering;
use crate::search::{Hit, Leg};
use crate::store::report::ReportFacts;
use crate::store::table::chunk::ChunkRow;
use serde_json::Value;
use sibyl_answer::{Passage, Source, passage::SourcePage};
use sibyl_text::chunk::Role;
use sibyl_text::document::standing;
use sibyl_text::source_type;
use sibyl_text::{Piece, Span};
use std::sync::Arc;

impl Answering<'_> {
    /// The document of `chunk` as `workspace` sees it.
    ///
    /// # Errors
    /// [`Error::NotFound`](crate::Error::NotFound) if it sees none.
    pub(crate) async fn source(&self, workspace: i64, chunk: &ChunkRow) -> Result<Arc<Source>> {
        self.document_source(workspace, chunk.document_id, &chunk.corpus).await
    }

    /// The document in row `id`, which is of the corpus called `corpus`, as `workspace` sees it.
    ///
    /// # Errors
    /// As [`Answering::source`].
    pub(crate) async fn document_source(&self, workspace: i64, id: i64, corpus: &str) -> Result<Arc<Source>> {
        let generation = self.library.store().generations().await?.chunk;
        if let Some(source) = self.kept().sources.get(generation, id) {
            return Ok(source);
        }
        let (row, document) = self.library.store().document(workspace, id).await?;
        // Only for reports does a row have issuer and year.
        let stated = ReportFacts::new(&document.metadata, "", "");
        let pages = document.page_stretches().into_iter().map(|(page, span)| SourcePage {
            number: page.number,
            label: page.label.clone().filter(|label| *label != page.number.to_string()),
            span,
        });
        let source = Arc::new(Source {
            id,
            path: row.path,
            text_version: row.text_version,
            title: row.title,
            issuer: row.issuer.or(stated.issuer),
            year: row.year.or(stated.year).map(i64::from),
            corpus: corpus.to_owned(),
            report_id: row.report_id,
            pages: pages.collect(),
            about_pages: document.about_pages,
            sections: document.sections,
            cells: document.cells,
            anchors: document.anchors,
            recognition: document.recognition,
            // Standards mention drafts of others.
            standing: source_type::standard(&row.source_type)
                .map_or_else(|| standing(&document.text), |_| None),
            source_type: row.source_type,
            text: document.text,
        });
        self.kept().sources.put(generation, Arc::clone(&source));
        Ok(source)
    }

    /// The passage of `chunk`, with the number 0.
    ///
    /// # Errors
    /// As [`Answering::source`].
    pub(crate) async fn passage(&self, workspace: i64, chunk: &ChunkRow) -> Result<Passage> {
        let source = self.source(workspace, chunk).await?;
        let mut spans: Vec<Span> = Vec::new();
        let mut heads = Vec::new();
        for piece in &chunk.pieces {
            let Piece::Source { span, role } = piece else { continue };
            // A span of another state of the document is not valid here.
            if source.text.get(span.start..span.end).is_none() {
                continue;
            }
            match role {
                Role::Body => match spans.last_mut() {
                    Some(last)
                        if source.text[last.end.min(span.start)..span.start].trim().is_empty()
                            && last.end <= span.start =>
                    {
                        last.end = span.end;
                    }
                    _ => spans.push(*span),
                },
                // The row that heads the table stays the last, after those that name only some rows.
                Role::TableHeader if heads.is_empty() => heads.push(*span),
                Role::TableHeader => heads.insert(0, *span),
                Role::LeadIn | Role::Overlap | Role::Aid => {}
            }
        }
        Ok(Passage {
            number: 0,
            chunk_id: chunk.chunk_id.clone(),
            source,
            spans,
            heads,
            section: section(chunk),
            paragraph_id: identity(chunk),
            relevance: 0.0,
        })
    }
}

/// Headings above a chunk.
fn section(chunk: &ChunkRow) -> Vec<String> {
    let listed = chunk.metadata.get("section_path").and_then(Value::as_array);
    let listed: Vec<String> =
        listed.into_iter().flatten().filter_map(Value::as_str).map(str::to_owned).collect();
    if !listed.is_empty() {
        return listed;
    }
    let header = chunk.header().unwrap_or_default();
    let header = header.strip_prefix('[').and_then(|rest| rest.split(']').next()).unwrap_or_default();
    header.split(" > ").map(str::trim).filter(|part| !part.is_empty()).map(str::to_owned).collect()
}

/// Its name in citations: paragraph id, metric or topic code.
fn identity(chunk: &ChunkRow) -> Option<String> {
    ["paragraph_id", "metric_code", "topic_code"]
        .iter()
        .find_map(|name| chunk.metadata.get(*name).and_then(Value::as_str))
        .map(str::to_owned)
}

/// Rank of a hit in the list of `leg`.
pub(super) fn rank(hit: &Hit, leg: Leg) -> Option<usize> {
    hit.contributions.iter().find(|leaf| leaf.leg == leg).map(|leaf| leaf.rank)
}

#[cfg(test)]
mod tests {
    use crate::ingest::{EmbedPlan, IngestRequest};
    use crate::reader::ReaderProgram;
    use crate::store::table::document::Details;
    use crate::store::table::workspace::DEFAULT_WORKSPACE;
    use crate::{Library, OpenOptions};
    use std::path::Path;

    /// A PDF of a page with the lines of a cover, each in its size, and a page of text.
    fn pdf(cover: &[(u32, &str)]) -> Vec<u8> {
        let line = |(at, (size, text)): (usize, &(u32, &str))| {
            format!("BT /F {size} Tf 1 0 0 1 50 {} Tm ({text}) Tj ET\n", 600 - 60 * at)
        };
        let text = "The board of the quarry oversees what the weather does to it, and says so every year.";
        let pages = [cover.iter().enumerate().map(line).collect::<String>(), line((0, &(10, text)))];
        let mut bodies = vec![
            "<< /Type /Catalog /Pages 2 0 R >>".to_owned(),
            "<< /Type /Pages /Count 2 /Kids [4 0 R 6 0 R] /MediaBox [0 0 600 800] >>".to_owned(),
            "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>".to_owned(),
        ];
        for (at, page) in pages.iter().enumerate() {
            let contents = 5 + 2 * at;
            let resources = "/Resources << /Font << /F 3 0 R >> >>";
            bodies.push(format!("<< /Type /Page /Parent 2 0 R /Contents {contents} 0 R {resources} >>"));
            bodies.push(format!("<< /Length {} >>\nstream\n{page}endstream", page.len()));
        }
        let mut out = "%PDF-1.7\n".to_owned();
        let mut places = String::new();
        for (at, body) in bodies.iter().enumerate() {
            places += &format!("{:010} 00000 n \n", out.len());
            out += &format!("{} 0 obj\n{body}\nendobj\n", at + 1);
        }
        let (start, size) = (out.len(), bodies.len() + 1);
        out += &format!("xref\n0 {size}\n0000000000 65535 f \n{places}");
        out += &format!("trailer\n<< /Size {size} /Root 1 0 R >>\nstartxref\n{start}\n%%EOF\n");
        out.into_bytes()
    }

    async fn ingested(library: &Library, file: &Path, source_type: &str) -> (i64, i64) {
        let request = IngestRequest {
            sources: vec![crate::ingest::Source::path(file)],
            corpus: Some(source_type.to_owned()),
            source_type: Some(source_type.to_owned()),
            embed: EmbedPlan::Nothing,
            ..IngestRequest::default()
        };
        let job = library.ingest().start(DEFAULT_WORKSPACE, request).await.unwrap();
        library.jobs().wait(DEFAULT_WORKSPACE, job).await.unwrap();
        let workspace = library.store().workspace(DEFAULT_WORKSPACE).await.unwrap().id;
        let documents = library.store().documents(workspace, None).await.unwrap();
        let row = documents.into_iter().find(|row| row.source_type == source_type).unwrap();
        (workspace, row.id)
    }

    #[tokio::test]
    async fn a_passage_knows_issuer_and_year_of_a_cover_and_what_somebody_says_instead() {
        let folder = tempfile::tempdir().unwrap();
        let reader = ReaderProgram::InProcess;
        let options = OpenOptions { reader, ..OpenOptions::new(folder.path().join("data")) };
        let library = Library::open(options).await.unwrap();
        let file = folder.path().join("quarry.pdf");
        let cover = [(30, "Sustainability Report"), (14, "Quarry Holdings plc"), (14, "2023/24")];
        std::fs::write(&file, pdf(&cover)).unwrap();
        for source_type in ["report", "text"] {
            let (workspace, id) = ingested(&library, &file, source_type).await;
            let chunk = library.store().chunks_of(workspace, id, 0, 1).await.unwrap().remove(0);
            let told = async || {
                let source = library.answer().source(workspace, &chunk).await.unwrap();
                (source.title.clone(), source.issuer.clone().unwrap(), source.year.unwrap())
            };
            let expected = ("Sustainability Report".to_owned(), "Quarry Holdings plc".to_owned(), 2024);
            assert_eq!(told().await, expected, "{source_type}");
            let said = Details { issuer: Some("Mill AG".to_owned()), year: Some(2022), ..Details::default() };
            library.store().correct_document(workspace, id, said).await.unwrap();
            assert_eq!(told().await, (expected.0, "Mill AG".to_owned(), 2022), "{source_type}");
        }
    }
}
