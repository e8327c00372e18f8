//! The store in one SQLite file, as the ports require it. Each method of a port is the method of the same name in
//! the file of its rows.

use crate::SqliteStore;
use crate::backup::Backup;
use crate::candidate::Candidate;
use crate::change::ChangeMark;
use crate::doctor::Health;
use crate::error::Result;
use crate::job::{ChunkChanges, FileState, JobFile, JobReport, JobState};
use crate::keyword::{Frequencies, KeywordQuery, Leaf, Phrase, RankedList, Stemmer, Vocabulary, Wanted};
use crate::nearest::Nearest;
use crate::origin::DocumentOrigin;
use crate::place::Place;
use crate::port::{Catalogue, Documents, Jobs, Judgements, Location, Retrieval, Store, Upkeep, Vectors};
use crate::rebuild::Rebuilt;
use crate::rescue::{Rescued, rescue};
use crate::scope::{ChunkSet, Filters, Generations, Scope};
use crate::table::answer::{AnswerFilter, LoggedAnswer, NewAnswer};
use crate::table::assessment::{AssessmentRow, ProposalRow};
use crate::table::bin::{BinnedDocument, Restored};
use crate::table::calibration::CalibrationRow;
use crate::table::chunk::{ChunkRow, NewChunk};
use crate::table::corpus::{Corpus, NewCorpus};
use crate::table::document::Details;
use crate::table::document::ListedDocuments;
use crate::table::document::{DocumentRow, NewDocument};
use crate::table::document::{FormerPlace, Placed};
use crate::table::evaluation::{EvaluationRow, NewEvaluation};
use crate::table::fact::{FactFilter, FactKey, FactRow};
use crate::table::figure::{FigureFilter, FigureRow};
use crate::table::gold::GoldVersion;
use crate::table::gold::{GoldFilter, GoldQuery, GoldSet, GoldTarget};
use crate::table::held::HeldDocuments;
use crate::table::job::{Again, Claim};
use crate::table::job::{Begun, Expanded, JobEnd, JobRow, Kept, NewJob};
use crate::table::job_file::{FileOutcome, PlannedFile};
use crate::table::kept_text::TextOf;
use crate::table::likeness::{Alike, Likeness};
use crate::table::missing::{HeldDecision, HeldOutcome, Listed, Settlement};
use crate::table::overview::{CorpusFigures, CorpusShape};
use crate::table::program_proposal::ProgramProposal;
use crate::table::refusal::NewRefusal;
use crate::table::review::{AssessmentDecision, ImportedFinding, Review};
use crate::table::run::StoredRun;
use crate::table::thesaurus::{NewThesaurusEntry, ThesaurusEntry};
use crate::table::watched_folder::{Looked, NewWatchedFolder, WatchedFolderChange, WatchedFolderRow};
use crate::table::workspace::{LabelLanguage, Workspace};
use crate::vector::{Coverage, MissingInput, MissingTexts, StoredSpace};
use async_trait::async_trait;
use serde_json::Value;
use sibyl_space::Space;
use sibyl_text::figure::Figure;
use sibyl_text::{Document, Span};
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, SystemTime};
use tokio::sync::watch;
use tokio::task::spawn_blocking;

/// Has [`SqliteStore`] answer a port by its own methods; after the asynchronous ones come those that are not.
macro_rules! answers {
    ($port:ident: $($name:ident($($argument:ident: $type:ty),*) -> $out:ty;)* $({ $($plain:tt)* })?) => {
        #[async_trait]
        impl $port for SqliteStore {
            $(async fn $name(&self, $($argument: $type),*) -> Result<$out> {
                SqliteStore::$name(self, $($argument),*).await
            })*
            $($($plain)*)?
        }
    };
}

answers! { Catalogue:
    workspace(name: &str) -> Workspace;
    workspaces() -> Vec<Workspace>;
    create_workspace(name: &str, language: LabelLanguage) -> Workspace;
    set_workspace_language(name: &str, language: LabelLanguage) -> Workspace;
    delete_workspace(name: &str) -> ();
    put_corpus(new: NewCorpus) -> Corpus;
    corpora(workspace: i64) -> Vec<Corpus>;
    corpus(workspace: i64, name: &str) -> Option<Corpus>;
    corpus_in(workspace: Option<i64>, name: &str) -> Option<Corpus>;
    corpus_by_id(id: i64) -> Corpus;
    embeddable_corpora(remote: bool) -> Vec<i64>;
    drop_corpus(id: i64) -> ();
    corpus_figures(workspace: i64) -> HashMap<i64, CorpusFigures>;
    corpus_shape(id: i64) -> CorpusShape;
    chunk(workspace: i64, chunk_id: &str) -> Option<ChunkRow>;
    chunks_by_row(workspace: i64, rows: Vec<i64>) -> HashMap<i64, ChunkRow>;
    chunks_of(workspace: i64, document: i64, offset: i64, limit: i64) -> Vec<ChunkRow>;
    chunks_of_types(workspace: i64, types: Vec<&'static str>) -> Vec<ChunkRow>;
    chunks_with_key(workspace: i64, key: &str) -> Vec<i64>;
    chunk_counts(workspace: i64) -> Vec<(String, u64)>;
    add_phrasing(workspace: i64, chunk_id: &str, phrase: &str) -> ChunkRow;
    remove_phrasing(workspace: i64, chunk_id: &str, phrase: &str) -> ChunkRow;
    with_phrasings(document: i64, chunks: Vec<NewChunk>) -> Vec<NewChunk>;
    thesaurus(workspace: i64) -> Vec<ThesaurusEntry>;
    put_thesaurus_entry(workspace: i64, entry: NewThesaurusEntry) -> i64;
    delete_thesaurus_entry(workspace: i64, id: i64) -> ();
    ship_thesaurus(version: i64, entries: Vec<NewThesaurusEntry>) -> bool;
}

answers! { Documents:
    put_document(new: NewDocument) -> (i64, ChunkChanges);
    touch_document(id: i64, root: String, origin: DocumentOrigin, outcome: FileOutcome) -> ();
    newest_document() -> i64;
    others_of_report(workspace: i64, report: &str, corpus: i64, path: &str) -> Vec<String>;
    document_from(workspace: i64, path: &str) -> Option<DocumentRow>;
    documents_at(workspace: i64, path: &str) -> Vec<i64>;
    document_at(corpus: i64, path: &str) -> Option<DocumentRow>;
    document_row(workspace: i64, id: i64) -> DocumentRow;
    document(workspace: i64, id: i64) -> (DocumentRow, Document);
    document_of_row(id: i64) -> Document;
    source_of_row(id: i64) -> (Vec<u8>, Option<Vec<u8>>, DocumentOrigin);
    source_sizes(ids: Vec<i64>) -> HashMap<i64, u64>;
    source(workspace: i64, id: i64) -> (Vec<u8>, Option<Vec<u8>>);
    delete_documents(ids: Vec<i64>) -> usize;
    listed_documents(workspace: i64, list: ListedDocuments) -> Vec<DocumentRow>;
    correct_document(workspace: i64, id: i64, details: Details) -> DocumentRow;
    placed_documents(corpus: i64) -> Vec<Placed>;
    former_places(workspace: i64) -> Vec<FormerPlace>;
    join_documents(workspace: i64, former: i64, found: i64) -> DocumentRow;
    delete_corpus(id: i64) -> usize;
    binned(workspace: i64) -> Vec<BinnedDocument>;
    restore_documents(workspace: i64, ids: Vec<i64>) -> Restored;
    delete_binned(workspace: i64, ids: Vec<i64>) -> usize;
    empty_bin(now: i64) -> usize;
    text_version(workspace: i64, id: i64, version: &str) -> Option<TextOf>;
    versions_cited(answer: i64) -> HashMap<i64, String>;
    figures(workspace: i64, filter: FigureFilter) -> (Vec<FigureRow>, usize);
    documents_without_figures() -> Vec<(i64, String)>;
    chunk_over(document: i64, span: Span) -> Option<String>;
    put_figures(id: i64, document: Document, figures: Vec<Figure>) -> ();
    facts_named(key: FactKey, allowed: Arc<ChunkSet>) -> Vec<(i64, FactRow)>;
    facts(workspace: i64, filter: FactFilter) -> Vec<FactRow>;
}

answers! { Retrieval:
    scope_since(workspace: i64, filters: Filters, known: Option<Arc<Scope>>) -> Scope;
    generations() -> Generations;
    keyword_ranked(query: KeywordQuery, scope: &Scope, depth: usize) -> RankedList;
    keyword_leaves(
        query: KeywordQuery,
        pair_weights: Vec<[f64; 2]>,
        rows: Vec<i64>
    ) -> HashMap<i64, Vec<Leaf>>;
    keyword_frequencies(
        stems: Vec<Wanted<String>>,
        phrases: Vec<Wanted<Phrase>>,
        scope: &Scope
    ) -> Frequencies;
    keyword_ranks(query: KeywordQuery, scope: &Scope, rows: Vec<i64>) -> HashMap<i64, (f64, usize)>;
    documents_holding(workspace: i64, phrase: Phrase) -> Vec<i64>;
    vocabulary(scope: &Scope, known: Option<Arc<Vocabulary>>) -> Vocabulary;
    candidates(rows: Vec<i64>) -> HashMap<i64, Candidate>;
    metadata_of(rows: Vec<i64>, field: &'static str) -> HashMap<i64, String>;
    chunks_of_keys(keys: Vec<String>, allowed: Arc<ChunkSet>) -> HashMap<String, Vec<(i64, String)>>;
    paragraph_ids(visible: Arc<ChunkSet>) -> BTreeSet<String>;
    rows_of_document(id: i64) -> ChunkSet;
    rows_of_chunks(chunk_ids: Vec<String>, visible: Arc<ChunkSet>) -> HashMap<String, i64>;
    nearest(space: &str, query: &[f32], allowed: &ChunkSet, k: usize) -> Nearest;
    nearness(space: &str, query: &[f32], allowed: &ChunkSet, rows: Vec<i64>) -> HashMap<i64, (f32, usize)>;
    {
        fn stemmer(&self) -> Result<Arc<dyn Stemmer>> { SqliteStore::stemmer(self) }
    }
}

answers! { Vectors:
    covered_rows(space: &str, chunks: Arc<ChunkSet>) -> ChunkSet;
    ensure_space(space: &Space) -> String;
    spaces() -> Vec<StoredSpace>;
    missing_inputs(space: &str, corpora: Vec<i64>, after: i64, limit: usize) -> Vec<MissingInput>;
    count_missing(space: &str, corpora: Vec<i64>) -> MissingTexts;
    known_inputs(space: &str, hashes: Vec<[u8; 32]>) -> HashSet<[u8; 32]>;
    put_vectors(space: &str, vectors: Vec<([u8; 32], Vec<f32>)>) -> usize;
    put_vectors_ahead(space: &str, vectors: Vec<([u8; 32], Vec<f32>)>) -> usize;
    vectors_of_inputs(space: &str, hashes: Vec<[u8; 32]>) -> Vec<([u8; 32], Vec<f32>)>;
    vectors_of_space(space: &str) -> Vec<([u8; 32], Vec<f32>)>;
    coverage(space: &str) -> Vec<Coverage>;
    vectors_of(space: &str, rows: Vec<i64>) -> HashMap<i64, Vec<f32>>;
    put_refusal(space: &str, refusal: NewRefusal) -> ();
    refused(space: &str, chunks: Arc<ChunkSet>) -> u64;
}

answers! { Jobs:
    begin_job(new: NewJob, dead: Vec<String>, moment: i64) -> Begun;
    begin_job_unless_kept(new: NewJob, kept: Kept, dead: Vec<String>, moment: i64) -> Option<Begun>;
    job_row(workspace: &str, id: i64) -> JobRow;
    job_rows(workspace: &str) -> Vec<JobRow>;
    expand_job(job: i64, expanded: Expanded) -> ();
    report_job(job: i64, owner: &str, end: JobEnd) -> JobState;
    job_report(job: i64) -> JobReport;
    job_counts(job: i64) -> BTreeMap<String, u64>;
    job_owners() -> Vec<String>;
    claim_job(claim: Claim) -> Option<JobRow>;
    renew_lease(job: i64, owner: &str, until: i64) -> Option<JobState>;
    ask_job(job: i64, wish: JobState, dead: Vec<String>) -> JobState;
    requeue_job(job: i64, again: Again, dead: Vec<String>) -> ();
    waiting_files(job: i64) -> Vec<PlannedFile>;
    job_files(job: i64, states: &[FileState], offset: i64, limit: i64) -> Vec<JobFile>;
    documents_of_job(job: i64) -> Vec<(i64, String, Option<i64>)>;
    start_file(job: i64, ordinal: i64) -> ();
    finish_file(outcome: FileOutcome) -> ();
    upload_head(job: i64, ordinal: usize, length: usize) -> (Vec<u8>, bool);
    upload(job: i64, ordinal: usize) -> (Vec<u8>, Option<Vec<u8>>);
    decide_held(workspace: i64, decision: HeldDecision) -> HeldOutcome;
    listed(job: i64) -> Option<Listed>;
    settle_missing(job: i64, settlement: Settlement) -> usize;
    held_documents(workspace: i64) -> Vec<HeldDocuments>;
    ask_likeness(job: i64, alike: Vec<Alike>) -> Vec<Alike>;
    likenesses(workspace: i64) -> Vec<Likeness>;
    deny_likeness(workspace: i64, gone: i64, found: i64) -> ();
    watched_folders(workspace: &str) -> Vec<WatchedFolderRow>;
    watched_folder(workspace: &str, id: i64) -> WatchedFolderRow;
    add_watched_folder(new: NewWatchedFolder) -> i64;
    change_watched_folder(workspace: &str, id: i64, change: WatchedFolderChange) -> ();
    remove_watched_folder(workspace: &str, id: i64) -> ();
    watchable_folders() -> Vec<WatchedFolderRow>;
    lease_watched_folder(id: i64, before: Option<String>, owner: &str, until: i64) -> bool;
    note_watched_folder(id: i64, looked: Looked) -> ();
}

answers! { Judgements:
    review(workspace: i64, report: &str, paragraph: &str) -> Option<Review>;
    reviews(workspace: i64, report: Option<String>) -> Vec<Review>;
    put_reviews(workspace: i64, reviews: Vec<(Review, Option<String>)>) -> Vec<Review>;
    put_reviews_of_open(workspace: i64, reviews: Vec<(Review, Option<String>)>) -> Vec<Review>;
    decisions(workspace: i64, report: Option<String>, paragraph: Option<String>) -> Vec<AssessmentDecision>;
    assessments_json(workspace: i64) -> Vec<AssessmentRow<String>>;
    assessment_json(workspace: i64, id: i64) -> AssessmentRow<String>;
    put_assessment_json(workspace: i64, id: Option<i64>, name: &str, plan: &str) -> i64;
    put_imported_json(
        workspace: i64,
        assessment: Option<(&str, &str)>,
        findings: Vec<ImportedFinding>
    ) -> Option<i64>;
    delete_assessment(workspace: i64, id: i64) -> ();
    proposals(id: i64) -> Vec<ProposalRow>;
    proposal_json(id: i64, requirement: &str, report: &str) -> Option<(String, String)>;
    full_proposals_json(id: i64, report: &str) -> Vec<(String, String)>;
    put_proposals_json(id: i64, proposals: Vec<(ProposalRow, String)>) -> ();
    program_proposals(id: i64, cell: Option<(&str, &str)>) -> Vec<ProgramProposal>;
    program_proposal(id: i64, proposal: i64) -> ProgramProposal;
    put_program_proposal(id: i64, proposal: ProgramProposal) -> ProgramProposal;
    delete_program_proposal(id: i64, proposal: i64) -> ();
    confirm_program_proposal(
        workspace: i64,
        proposal: (i64, i64),
        review: (Review, Option<String>)
    ) -> Review;
    put_answer_json(workspace: i64, new: NewAnswer<'_, String, String>, days: u32) -> i64;
    answers_json(workspace: i64, filter: AnswerFilter) -> (Vec<LoggedAnswer<String>>, usize);
    answer_json(workspace: i64, id: i64) -> (LoggedAnswer<String>, String, String);
    rate_answer_json(workspace: i64, id: i64, rating: Option<String>) -> ();
    delete_answer(workspace: i64, id: i64) -> ();
    clear_answers(workspace: i64) -> usize;
    record_run_json(workspace: i64, request: &str, response: &str, config_hash: &str) -> i64;
    runs_json(workspace: i64, limit: usize) -> Vec<StoredRun<String>>;
    run_json(workspace: i64, id: i64) -> (String, String);
    clear_runs(workspace: i64) -> usize;
    calibration_json(workspace: i64) -> Option<CalibrationRow<String, String>>;
    put_calibration_json(workspace: i64, row: CalibrationRow<String, String>) -> ();
    gold_sets(workspace: i64) -> Vec<GoldSet>;
    gold_set(workspace: i64, name: &str) -> GoldSet;
    put_gold_set(
        workspace: i64,
        name: &str,
        relevant_from: i32,
        queries: Vec<GoldQuery>,
        replaced: bool
    ) -> GoldSet;
    rename_gold_set(workspace: i64, name: &str, new: &str) -> GoldSet;
    delete_gold_set(workspace: i64, name: &str) -> ();
    gold_queries(workspace: i64, name: &str, filter: GoldFilter) -> (Vec<GoldQuery>, usize);
    put_gold_query(workspace: i64, name: &str, query: GoldQuery) -> GoldQuery;
    delete_gold_query(workspace: i64, name: &str, id: &str) -> ();
    judge(
        workspace: i64,
        name: &str,
        id: &str,
        target: GoldTarget,
        judge: &str,
        grade: Option<i32>
    ) -> GoldQuery;
    gold_decisions(workspace: i64, name: &str) -> BTreeMap<String, bool>;
    decide(workspace: i64, name: &str, candidate: &str, accepted: bool) -> ();
    gold_history(workspace: i64, name: &str) -> Vec<GoldVersion>;
    gold_queries_at(workspace: i64, name: &str, version: i64) -> (Vec<GoldQuery>, i32);
    put_evaluation_json(workspace: i64, new: NewEvaluation<'_, String, String, String>) -> i64;
    evaluations_json(workspace: i64, gold_set: Option<String>) -> Vec<EvaluationRow<String>>;
    evaluation_json(workspace: i64, id: i64) -> EvaluationRow<String>;
    evaluation_named(workspace: i64, name: &str) -> i64;
    evaluation_of_cell_json(workspace: i64, cell: &str) -> Option<EvaluationRow<String>>;
    evaluation_scores_json(workspace: i64, id: i64) -> Vec<String>;
    evaluation_rankings_json(workspace: i64, id: i64, queries: Vec<String>) -> Vec<(String, String)>;
    rename_evaluation(workspace: i64, id: i64, name: &str) -> ();
    delete_evaluation(workspace: i64, id: i64) -> ();
}

answers! { Upkeep:
    back_up(target: &Path) -> u64;
    copy_into(folder: &Path) -> u64;
    keep_backup(keep: usize) -> Backup;
    check() -> ();
    move_to(folder: PathBuf) -> u64;
    doctor() -> Health;
    rebuild() -> Rebuilt;
    optimize_keyword() -> ();
    weigh() -> Vec<(&'static str, u64)>;
    compact() -> ();
    changes(within: Duration) -> watch::Receiver<ChangeMark>;
    setting_values() -> Vec<(String, Value)>;
    put_settings(values: Vec<(String, Option<Value>)>) -> ();
    {
        fn damage(&self) -> Option<&str> { SqliteStore::damage(self) }
        fn is_read_only(&self) -> bool { SqliteStore::is_read_only(self) }
        fn owns(&self, name: &str) -> bool { SqliteStore::owns(name) }
        fn location(&self) -> &dyn Location { SqliteStore::place(self) }
    }
}

#[async_trait]
impl Location for Place {
    async fn open(&self) -> Result<Arc<dyn Store>> {
        let place = self.clone();
        spawn_blocking(move || crate::open(place)).await?
    }

    async fn has_library(&self) -> Result<bool> {
        Ok(Self::has_library(self))
    }

    async fn begin_as(&self, ready: &Path) -> Result<bool> {
        let (place, ready) = (self.clone(), ready.to_owned());
        spawn_blocking(move || place.begin_as(&ready)).await?
    }

    fn folder(&self) -> &Path {
        &self.folder
    }

    fn is_movable(&self) -> bool {
        self.home.is_some()
    }

    async fn next(&self) -> Result<Option<PathBuf>> {
        Self::next(self)
    }

    async fn is_replaced(&self) -> Result<bool> {
        Ok(Self::is_replaced(self))
    }

    fn kept_as(&self) -> &'static str {
        "replaced-….sibyl"
    }

    async fn backups(&self) -> Result<Vec<Backup>> {
        Self::backups(self)
    }

    async fn is_backup_due(&self, every: Duration, now: SystemTime) -> Result<bool> {
        Self::is_backup_due(self, every, now)
    }

    async fn restore(&self, name: &str) -> Result<u64> {
        let (place, name) = (self.clone(), name.to_owned());
        spawn_blocking(move || place.restore(&name)).await?
    }

    async fn rescue(&self) -> Result<Rescued> {
        let place = self.clone();
        spawn_blocking(move || rescue(&place)).await?
    }
}
