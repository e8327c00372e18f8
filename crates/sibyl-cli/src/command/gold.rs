//! `sibyl gold`.

use super::{End, Outcome, print};
use crate::arguments::GoldCommand;
use crate::output::{table, tell};
use crate::session::Session;
use sibyl_api::command::Nothing;
use sibyl_api::command::gold::{
    GoldDelete, GoldExportRun, GoldGet, GoldHistory, GoldImportRun, GoldList, GoldSetName,
};
use sibyl_api::{
    ApiError, ExportedFile, GoldExport, GoldFormat, GoldImported, GoldPageQuery, GoldSet, GoldTarget,
    GoldVersion, ImportNote,
};

/// Maximum number of labels named because nothing matches them.
const MOST_NOTES: usize = 20;

/// Maximum number of queries named in a line of the history.
const NAMED: usize = 5;

pub async fn gold(session: &Session, command: GoldCommand) -> Outcome {
    match command {
        GoldCommand::List => {
            let sets = session.call::<GoldList>(Nothing {}).await?;
            print(&session.common, sets.as_slice(), listed)
        }
        GoldCommand::Import(words) => {
            let imported = session.call::<GoldImportRun>(words.into()).await?;
            print(&session.common, &imported, taken_in)
        }
        GoldCommand::History { set } => {
            let versions = session.call::<GoldHistory>(GoldSetName { set }).await?;
            print(&session.common, versions.as_slice(), history)
        }
        GoldCommand::Export { set, format, version, folder } => {
            let written = folder.is_some();
            let ids_only = !matches!(format, GoldFormat::Jsonl);
            let input = GoldExport { set: set.clone(), format, version, folder };
            let files = session.call::<GoldExportRun>(input).await?;
            print(&session.common, &files, |files| {
                let told = |file: &ExportedFile| {
                    if written { format!("{}\n", file.name) } else { file.text.clone() }
                };
                files.iter().map(told).collect()
            })?;
            if ids_only {
                let from = relevant_from(session, set, version).await?;
                tell(format_args!(
                    "labels count as relevant from grade {from}: trec_eval -l {from}, ir-measures rel={from}, sibyl gold \
                     import --relevant-from {from}"
                ));
            }
            Ok(End::Done)
        }
        GoldCommand::Delete { set } => {
            let done = session.call::<GoldDelete>(GoldSetName { set: set.clone() }).await?;
            print(&session.common, &done, |_| format!("deleted the gold set {set}\n"))
        }
    }
}

/// The grade from which labels of `set` count as relevant, or did in a former version.
async fn relevant_from(session: &Session, set: String, version: Option<i64>) -> Result<i32, ApiError> {
    let Some(version) = version else {
        let asked = GoldPageQuery { set, search: String::new(), kind: None, offset: 0, limit: 0 };
        return Ok(session.call::<GoldGet>(asked).await?.set.relevant_from);
    };
    let versions = session.call::<GoldHistory>(GoldSetName { set }).await?;
    let former = versions.iter().find(|known| known.version == version);
    Ok(former.map(|former| former.relevant_from).unwrap_or_default())
}

fn history(versions: &[GoldVersion]) -> String {
    let rows = versions.iter().map(|version| {
        let mut row =
            vec![version.version.to_string(), version.queries.to_string(), version.labels.to_string()];
        if let Some(changes) = &version.changes {
            let changed = |added: usize, changed: usize, removed: usize| {
                let counts = [(added, '+'), (changed, '~'), (removed, '−')];
                let told = counts.into_iter().filter(|(count, _)| *count > 0);
                told.map(|(count, sign)| format!("{sign}{count}")).collect::<Vec<_>>().join(" ")
            };
            let named: Vec<&str> = changes.named.iter().take(NAMED).map(String::as_str).collect();
            let more = if changes.touched > named.len() { ", …" } else { "" };
            row.extend([
                changed(changes.queries_added, changes.queries_changed, changes.queries_removed),
                changed(changes.labels_added, changes.labels_changed, changes.labels_removed),
                format!("{}{more}", named.join(", ")),
            ]);
        } else {
            row.extend(["first known".to_owned(), String::new(), String::new()]);
        }
        row.push(version.at.clone());
        row
    });
    let header = ["version", "queries", "labels", "queries changed", "labels changed", "which", "made"];
    table(&header, &[0, 1, 2], rows)
}

fn listed(sets: &[GoldSet]) -> String {
    let rows = sets.iter().map(|set| {
        vec![
            set.name.clone(),
            set.version.to_string(),
            set.queries.to_string(),
            set.answerable.to_string(),
            set.unlabelled.to_string(),
            set.labels.to_string(),
            set.spans.to_string(),
            set.updated_at.clone(),
        ]
    });
    let header =
        ["gold set", "version", "queries", "answerable", "without labels", "labels", "spans", "changed"];
    table(&header, &[1, 2, 3, 4, 5, 6], rows)
}

fn taken_in(imported: &GoldImported) -> String {
    let GoldImported { set, unmatched, collection, notes: noted } = imported;
    let mut out = format!("{}: {} queries, {} labels\n", set.name, set.queries, set.labels);
    // A collection is measured in a library of its own, so nothing here matches its labels.
    if let Some(folder) = collection {
        out += &format!(
            "note: this collection includes its own documents; measure it with `sibyl eval beir {folder:?} --save \
             NAME`\n"
        );
        return out + &notes(noted);
    }
    for label in unmatched.iter().take(MOST_NOTES) {
        let name = match &label.target {
            GoldTarget::Identifier { id } => id.as_str(),
            GoldTarget::Span(span) => span.path.as_str(),
            GoldTarget::Nothing => "",
        };
        out += &format!("note: {name} of {}: {}\n", label.query, label.why);
    }
    if unmatched.len() > MOST_NOTES {
        out += &format!("note: and {} more labels cannot be found\n", unmatched.len() - MOST_NOTES);
    }
    out + &notes(noted)
}

/// How each open point of the files was settled, a line each.
pub(super) fn notes(notes: &[ImportNote]) -> String {
    notes.iter().map(|note| format!("note: {}\n", note.message)).collect()
}
