//! THE list of commands, with their wire types and error codes. It knows no transport: desktop, command line
//! and every later door read the same list.
//!
//! A new command is one struct in a file under `command/` and one line in [`COMMANDS`].

pub mod command;
pub mod door;
mod error;
mod keys;
mod list;
pub mod metadata;
pub mod schema;
mod typescript;
mod utf16;
pub mod view;
mod wire;

pub use command::{
    Call, Command, CommandKind, Door, Effect, Entry, Method, Progress, ProgressListener, Route, Scope, read,
    request_id, without_places, written,
};
pub use error::ApiError;
pub use list::{COMMANDS, dispatch, entry};
pub use typescript::typescript;
pub use utf16::Utf16;

pub use sibyl_engine::answer::{
    Answer, AnswerCitation, AnswerCounts, AnswerEvent, AnswerList, AnswerMeasures, AskLogQuery, AskRequest,
    Constraint, ConstraintKind, ExportFormat, LONGEST_QUESTION, OcrReading, Outcome, Refusal, RemovedKind,
    Replay, Reply, Selection,
};
pub use sibyl_engine::assess::{
    AssessedIndustry, AssessmentGrid, AssessmentLevel, AssessmentPlan, AssessmentProgress, AssessmentRun,
    AssessmentScope, AssessmentSummary, CarryOver, CellView, ChangeKind, ClaimState, ComparedAs,
    ComparedPassage, Confirm, Decide, EvidencePassage, FigureAgreement, KeyOrigin, LeftOut, Pack, PackCells,
    PackCheck, PackFormat, PackImport, ProposalState, Propose, QuoteGiven, Relation as IndexRelation,
    ReportComparison, RequirementChange, ScopePreview, SignatureCheck, SignatureState,
};
pub use sibyl_engine::embed::{Space, Tier};
pub use sibyl_engine::evaluate::matrix::{
    CellPlace, Matrix, MatrixCell, MatrixColumn, MatrixPlan, MatrixRow, MatrixRun,
};
pub use sibyl_engine::evaluate::run::Scores;
pub use sibyl_engine::evaluate::set::{
    ExportedFile, GoldExport, GoldFormat, GoldImport, GoldImported, GoldPageQuery,
};
pub use sibyl_engine::evaluate::stored::{
    CompareOptions, EvalRun, MeasureComparison, RunComparison, RunImport, SignificanceTest, TypeComparison,
};
pub use sibyl_engine::evaluate::{ByMode, EvaluateProgress, EvaluateStage, Evaluation, ImportNote};
pub use sibyl_engine::facsimile::{Mark, PagePass, PassHypothesis};
pub use sibyl_engine::figure::{FigureList, FigureQuery};
pub use sibyl_engine::ingest::watched::{WatchRequest, WatchState, WatchedFolder};
pub use sibyl_engine::ingest::{
    EmbedPlan, Gone, IngestRequest, JobEvent, JobState, Source, Stage, Status, copied_standards,
    shipped_names,
};
pub use sibyl_engine::library::Incoming;
pub use sibyl_engine::log::LogWriter;
pub use sibyl_engine::search::{
    Contribution, Filters, Fusion, Hit, LONGEST_QUERY, LegHit, LookupRequest, Mode, NoticeCause,
    SearchNotice, SearchRequest, SearchResponse, Term, TermFate, Trace,
};
pub use sibyl_engine::secret::{Secret, SecretSource};
pub use sibyl_engine::standards::{EvidenceRequest, Modality, PartKind, StandardMetric, StandardPage};
pub use sibyl_engine::store::edition::Edition;
pub use sibyl_engine::store::job::{ChunkChanges, GoneDocuments, GoneReport, Job, JobFile, JobReport};
pub use sibyl_engine::store::table::bin::BinnedDocument;
pub use sibyl_engine::store::table::document::DocumentRow;
pub use sibyl_engine::store::table::figure::FigureRow;
pub use sibyl_engine::store::table::gold::{GoldSet, GoldTarget, GoldVersion};
pub use sibyl_engine::store::table::held::{HeldBecause, HeldDocuments};
pub use sibyl_engine::store::table::program_proposal::{ProgramProposal, ProposedQuote};
pub use sibyl_engine::store::table::review::{PinnedPassage, ReviewStatus};
pub use sibyl_engine::store::table::workspace::{DEFAULT_WORKSPACE, LabelLanguage};
pub use sibyl_engine::{Library, Location};
pub use sibyl_text::chunk::Role;
pub use sibyl_text::chunk::sasb::List as MetricList;
pub use sibyl_text::document::{SourceNow, cited, cited_page, read_by_ocr};
pub use sibyl_text::figure::Status as FigureStatus;
pub use sibyl_text::language::unit::Measure;
pub use sibyl_text::source_type;

/// Result of a command.
pub type Result<T> = std::result::Result<T, ApiError>;
