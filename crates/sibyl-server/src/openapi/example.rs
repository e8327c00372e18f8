//! Examples of inputs. They are sent to a real server with the shipped standards by the tests.

use serde::Serialize;
use serde_json::{Map, Value, json};
use sibyl_api::command::answer::{AnswerAsk, AnswerLogList};
use sibyl_api::command::chunk::{ChunkPreview, ChunkingRequest, ChunkingSource};
use sibyl_api::command::document::{
    ChunkList, ChunkQuery, DocumentGet, DocumentId, DocumentList, DocumentQuery,
};
use sibyl_api::command::ingest::JobList;
use sibyl_api::command::library::{CorpusInspect, CorpusName, LibraryOverview, LibraryStats};
use sibyl_api::command::review::{ReviewList, ReviewQuery};
use sibyl_api::command::search::{ParagraphGet, ParagraphId, RagLookup, Search};
use sibyl_api::command::settings::ModelList;
use sibyl_api::command::source_type::SourceTypeList;
use sibyl_api::command::standards::{
    StandardId, StandardsEdition, StandardsEvidence, StandardsPage, StandardsTree,
};
use sibyl_api::command::strategy::StrategyList;
use sibyl_api::command::thesaurus::{ThesaurusInput, ThesaurusPut};
use sibyl_api::command::{Command, Nothing};
use sibyl_api::source_type::field::STANDARD;
use sibyl_api::{AskLogQuery, AskRequest, EvidenceRequest, Filters, LookupRequest, Mode, SearchRequest};

/// Examples, each with the name of its command.
pub(super) fn all() -> [(&'static str, Value); 21] {
    let text = |text: &str| text.to_owned();
    let source = ChunkingSource::Text { name: text("a.md"), text: text("# A\n\nOne sentence.\n") };
    let filters = Filters::default().with(&STANDARD, ["S2"]);
    [
        whole::<LibraryStats>(Nothing {}),
        whole::<LibraryOverview>(Nothing {}),
        whole::<CorpusInspect>(CorpusName { name: text("ifrs-s2") }),
        said::<DocumentList>(DocumentQuery {
            words: text("climate"),
            limit: Some(5),
            ..DocumentQuery::default()
        }),
        whole::<DocumentGet>(DocumentId { id: 1 }),
        whole::<ChunkList>(ChunkQuery { document: 1, offset: 0, limit: 2 }),
        whole::<ChunkPreview>(ChunkingRequest { strategy: None, settings: None, chunks_only: false, source }),
        whole::<StrategyList>(Nothing {}),
        whole::<SourceTypeList>(Nothing {}),
        said::<StandardsTree>(StandardsEdition::default()),
        whole::<StandardsPage>(StandardId { id: text("S2.14(a)(iv)"), edition: None }),
        said::<StandardsEvidence>(EvidenceRequest {
            id: text("S2.14"),
            mode: Mode::Keyword,
            ..EvidenceRequest::default()
        }),
        said::<Search>(SearchRequest {
            query: text("transition plan"),
            top_k: 3,
            filters,
            ..SearchRequest::default()
        }),
        said::<RagLookup>(LookupRequest {
            query: text("transition plan"),
            source_types: Some(vec![text("ifrs_s2")]),
            ..LookupRequest::default()
        }),
        whole::<ParagraphGet>(ParagraphId { id: text("S2.14(a)(iv)"), edition: None }),
        said::<AnswerAsk>(AskRequest {
            question: text("What must a transition plan disclose?"),
            ..AskRequest::default()
        }),
        said::<AnswerLogList>(AskLogQuery::default()),
        whole::<ThesaurusPut>(ThesaurusInput {
            corpus: None,
            term: text("roadmap"),
            expansion: text("transition plan"),
            weight: 0.5,
        }),
        said::<ReviewList>(ReviewQuery::default()),
        whole::<JobList>(Nothing {}),
        whole::<ModelList>(Nothing {}),
    ]
}

/// An example of command `C`.
fn whole<C: Command<Input: Serialize>>(input: C::Input) -> (&'static str, Value) {
    (C::NAME, unlike(&Value::Null, input))
}

/// The same without what a caller leaves out.
fn said<C: Command<Input: Default + Serialize>>(input: C::Input) -> (&'static str, Value) {
    (C::NAME, unlike(&json!(C::Input::default()), input))
}

/// `input` without fields that are as in `usual` or null.
fn unlike(usual: &Value, input: impl Serialize) -> Value {
    fn cut(fields: &mut Map<String, Value>, usual: &Value) {
        fields.retain(|name, value| !value.is_null() && usual.get(name) != Some(value));
        for (name, value) in fields {
            if let Value::Object(fields) = value {
                cut(fields, &usual[name.as_str()]);
            }
        }
    }
    let mut input = json!(input);
    if let Value::Object(fields) = &mut input {
        cut(fields, usual);
    }
    input
}
