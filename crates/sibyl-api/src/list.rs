//! The list itself.

use crate::ApiError;
use crate::command::{Answer, Call, Entry};
use crate::command::{
    answer, chunk, document, evaluate, ingest, library, maintenance, neighbour, passage, phrasing, review,
    sample, search, secret, settings, standards, strategy, thesaurus, workspace,
};
use serde_json::Value;

/// Every command there is.
pub static COMMANDS: &[Entry] = &[
    Entry::of::<workspace::WorkspaceList>(),
    Entry::of::<workspace::WorkspaceCreate>(),
    Entry::of::<workspace::WorkspaceSpeak>(),
    Entry::of::<workspace::WorkspaceDelete>(),
    Entry::of::<library::LibraryStats>(),
    Entry::of::<library::LibraryOverview>(),
    Entry::of::<library::CorpusInspect>(),
    Entry::of::<library::CorpusUpdate>(),
    Entry::of::<library::CorpusDelete>(),
    Entry::of::<library::SourceTypeDelete>(),
    Entry::of::<sample::SampleOpen>(),
    Entry::of::<ingest::IngestGlance>(),
    Entry::of::<ingest::IngestPreflight>(),
    Entry::of::<ingest::IngestUnlock>(),
    Entry::of::<ingest::IngestStart>(),
    Entry::of::<ingest::EmbedStart>(),
    Entry::of::<ingest::EmbedEstimateGet>(),
    Entry::of::<ingest::JobList>(),
    Entry::of::<ingest::JobGet>(),
    Entry::of::<ingest::JobFiles>(),
    Entry::of::<ingest::JobPause>(),
    Entry::of::<ingest::JobCancel>(),
    Entry::of::<ingest::JobResume>(),
    Entry::of::<ingest::JobRetry>(),
    Entry::of::<document::DocumentList>(),
    Entry::of::<document::DocumentGet>(),
    Entry::of::<document::FactList>(),
    Entry::of::<document::DocumentPageImage>(),
    Entry::of::<document::DocumentPageLayout>(),
    Entry::of::<document::DocumentDelete>(),
    Entry::of::<document::ReportDelete>(),
    Entry::of::<document::ChunkList>(),
    Entry::of::<document::ChunkGet>(),
    Entry::of::<phrasing::PhrasingAdd>(),
    Entry::of::<phrasing::PhrasingRemove>(),
    Entry::of::<chunk::ChunkPreview>(),
    Entry::of::<chunk::ChunkDifference>(),
    Entry::of::<strategy::StrategyList>(),
    Entry::of::<standards::StandardsTree>(),
    Entry::of::<standards::StandardsPage>(),
    Entry::of::<standards::StandardsEvidence>(),
    Entry::of::<search::Search>(),
    Entry::of::<search::SearchRecord>(),
    Entry::of::<search::SearchRuns>(),
    Entry::of::<search::SearchRunGet>(),
    Entry::of::<search::SearchRunsClear>(),
    Entry::of::<search::RagLookup>(),
    Entry::of::<search::ParagraphGet>(),
    Entry::of::<search::ContextAssemble>(),
    Entry::of::<answer::AnswerAsk>(),
    Entry::of::<answer::AnswerGenerators>(),
    Entry::of::<answer::AnswerLogList>(),
    Entry::of::<answer::AnswerLogGet>(),
    Entry::of::<answer::AnswerLogRate>(),
    Entry::of::<answer::AnswerLogReplay>(),
    Entry::of::<answer::AnswerLogExport>(),
    Entry::of::<answer::AnswerLogDelete>(),
    Entry::of::<answer::AnswerLogClear>(),
    Entry::of::<thesaurus::ThesaurusList>(),
    Entry::of::<thesaurus::ThesaurusPut>(),
    Entry::of::<thesaurus::ThesaurusDelete>(),
    Entry::of::<settings::SettingsGet>(),
    Entry::of::<settings::SettingsSet>(),
    Entry::of::<settings::OcrStateGet>(),
    Entry::of::<settings::ModelList>(),
    Entry::of::<settings::ModelTest>(),
    Entry::of::<evaluate::EvalGold>(),
    Entry::of::<evaluate::EvalBeir>(),
    Entry::of::<evaluate::EvalAnswers>(),
    Entry::of::<secret::SecretStatusGet>(),
    Entry::of::<secret::SecretSet>(),
    Entry::of::<secret::SecretClear>(),
    Entry::of::<secret::SecretTry>(),
    Entry::of::<maintenance::LogTailGet>(),
    Entry::of::<maintenance::LibraryStorage>(),
    Entry::of::<neighbour::ChunkNeighbours>(),
    Entry::of::<neighbour::ChunkNeighboursOfText>(),
    Entry::of::<neighbour::EmbeddingMapGet>(),
    Entry::of::<passage::PassageNearestSentence>(),
    Entry::of::<maintenance::AppInfoGet>(),
    Entry::of::<maintenance::LibraryDiagnostics>(),
    Entry::of::<maintenance::LibraryDoctor>(),
    Entry::of::<maintenance::LibraryRebuild>(),
    Entry::of::<maintenance::LibraryCompact>(),
    Entry::of::<maintenance::LibraryBackUp>(),
    Entry::of::<maintenance::LibraryMove>(),
    Entry::of::<review::ReviewList>(),
    Entry::of::<review::ReviewPut>(),
    Entry::of::<review::ReviewExport>(),
];

/// The row of the command called `name`.
pub fn entry(name: &str) -> Option<&'static Entry> {
    COMMANDS.iter().find(|entry| entry.name == name)
}

/// Runs the command called `name` on JSON.
pub fn dispatch(name: &str, call: Call, input: Value) -> Answer {
    match entry(name) {
        Some(entry) => (entry.run)(call, input),
        None => {
            let error = ApiError::new("unknown_command", format!("command `{name}` does not exist"));
            Box::pin(async move { Err(error) })
        }
    }
}
