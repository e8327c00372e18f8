//! `sibyl delete` and `sibyl restore`.

use super::{End, Outcome, print};
use crate::arguments::bin::{Delete, Restore};
use crate::output::table;
use crate::session::Session;
use sibyl_api::BinnedDocument;
use sibyl_api::command::Nothing;
use sibyl_api::command::bin::{BinDelete, BinList, BinRestore};
use sibyl_api::command::document::{DocumentDelete, DocumentIds, ReportDelete, ReportId};
use sibyl_api::command::library::{CorpusDelete, CorpusName, SourceTypeDelete, SourceTypeName};
use std::fmt::Write as _;

pub async fn delete(session: &Session, words: Delete) -> Outcome {
    if let Some(id) = words.for_good {
        let deleted = session.call::<BinDelete>(DocumentIds { ids: vec![id] }).await?;
        return print(&session.common, &deleted, |deleted| {
            let kept = match deleted.texts_kept {
                0 => "",
                _ => " Its text stays with the answers, reviews or labels that cite it.",
            };
            format!("Document {id} deleted for good.{kept}\n")
        });
    }
    let deleted = match (words.corpus, words.document, words.report, words.source_type) {
        (Some(name), ..) => session.call::<CorpusDelete>(CorpusName { name }).await?,
        (_, Some(id), ..) => session.call::<DocumentDelete>(DocumentIds { ids: vec![id] }).await?,
        (_, _, Some(report_id), _) => session.call::<ReportDelete>(ReportId { report_id }).await?,
        (.., source_type) => {
            // The group of options requires one of them.
            let source_type = source_type.unwrap_or_default();
            session.call::<SourceTypeDelete>(SourceTypeName { source_type }).await?
        }
    };
    print(&session.common, &deleted, |deleted| {
        let chunks = deleted.deleted_count;
        format!("{chunks} chunks deleted; `sibyl restore` lists and restores the documents for 30 days\n")
    })
}

pub async fn restore(session: &Session, words: Restore) -> Outcome {
    if words.documents.is_empty() {
        let binned = session.call::<BinList>(Nothing {}).await?;
        return print(&session.common, binned.as_slice(), binned_rows);
    }
    let restored = session.call::<BinRestore>(DocumentIds { ids: words.documents }).await?;
    print(&session.common, &restored, |restored| {
        let mut out = match restored.restored.len() {
            1 => "1 document restored\n".to_owned(),
            count => format!("{count} documents restored\n"),
        };
        for entry in &restored.refused {
            // Writing to a String cannot fail.
            let _ = writeln!(out, "refused  {}: {}", entry.path, entry.message);
        }
        out
    })?;
    Ok(if restored.refused.is_empty() { End::Done } else { End::Failed })
}

fn binned_rows(binned: &[BinnedDocument]) -> String {
    if binned.is_empty() {
        return "The bin is empty; documents that are deleted stay in it for 30 days.\n".to_owned();
    }
    let rows = binned.iter().map(|document| {
        vec![
            document.id.to_string(),
            document.corpus.clone(),
            document.reason.name().to_owned(),
            document.deleted_at.clone(),
            document.kept_until.clone(),
            document.path.clone(),
            document.title.clone(),
        ]
    });
    table(&["document", "corpus", "because", "deleted", "kept until", "path", "title"], &[0], rows)
        + "`sibyl restore DOCUMENT` puts one back.\n"
}
