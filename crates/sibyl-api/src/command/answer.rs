//! Answering questions, and the log of them.

use crate::command::{ALL_ROWS, Nothing, Progress};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sibyl_engine::answer::{
    Answer, AnswerList, AskLogQuery, AskRequest, ChatModel, ExportFormat, GeneratorView, LoggedQuestion,
    Rating, Replay,
};

/// An entry of the log by id.
#[derive(Debug, Clone, Copy, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AnswerId {
    /// Id in the log.
    pub id: i64,
}

/// An entry of the log with all it holds.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct KeptAnswer {
    /// Its row in the list.
    pub entry: LoggedQuestion,
    /// What was asked.
    pub request: AskRequest,
    /// What was answered.
    pub answer: Answer,
}

/// What somebody thinks of an answer.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RatingInput {
    /// Id in the log.
    pub id: i64,
    /// The rating; `null` takes it back.
    #[serde(default)]
    pub rating: Option<Rating>,
}

/// Which part of the log is exported, and how.
#[derive(Debug, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct LogExport {
    /// The format.
    pub format: ExportFormat,
    /// Which entries.
    pub query: AskLogQuery,
}

/// A log as text.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct ExportedLog {
    /// The text.
    pub text: String,
}

/// How many entries were deleted.
#[derive(Debug, Clone, Copy, Serialize, JsonSchema)]
pub struct ClearedLog {
    /// Their number.
    pub deleted: usize,
}

command! {
    /// Answers a question, reports its progress, and keeps question and answer in the log.
    AnswerAsk = "answer.ask": Stream, Egress, ["answers"],
        remote Post "/api/v1/ask";
    (call, input: AskRequest) -> Answer {
        let told = |event| {
            if let Some(listener) = &call.progress {
                listener(Progress::Answering(event));
            }
        };
        Ok(call.library.answer().ask(&call.workspace, &input, &told).await?)
    }
}

command! {
    /// The generators that can write answers, and whether each is ready.
    AnswerGenerators = "answer.generators": Query, Read, ["settings"],
        remote Get "/api/v1/generators";
    (call, _input: Nothing) -> Vec<GeneratorView> {
        Ok(call.library.answer().generators().await?)
    }
}

command! {
    /// The models that the chat provider offers, with their prices if it publishes them.
    AnswerModels = "answer.models": Query, Egress, ["settings"],
        remote Get "/api/v1/chat-models";
    (call, _input: Nothing) -> Vec<ChatModel> {
        Ok(call.library.answer().models().await?)
    }
}

command! {
    /// Questions of the log, the newest first.
    AnswerLogList = "answer.log.list": Query, Read, ["answers", "documents"],
        remote Get "/api/v1/answers";
    (call, input: AskLogQuery) -> AnswerList {
        let (offset, limit) = (input.offset.min(ALL_ROWS), input.limit.min(ALL_ROWS));
        let query = AskLogQuery { offset, limit, ..input };
        Ok(call.library.answer().logged(&call.workspace, &query).await?)
    }
}

command! {
    /// A question of the log with its answer.
    AnswerLogGet = "answer.log.get": Query, Read, ["answers", "documents"],
        remote Get "/api/v1/answers/{id}";
    (call, input: AnswerId) -> KeptAnswer {
        let (entry, request, answer) = call.library.answer().entry(&call.workspace, input.id).await?;
        Ok(KeptAnswer { entry, request, answer })
    }
}

command! {
    /// Rates an answer, or takes its rating back.
    AnswerLogRate = "answer.log.rate": Mutation, Write, ["answers"],
        remote Post "/api/v1/answers/{id}/rating";
    (call, input: RatingInput) -> Nothing {
        call.library.answer().rate(&call.workspace, input.id, input.rating.as_ref()).await?;
        Ok(Nothing {})
    }
}

command! {
    /// Searches again for a question of the log and reports what has moved.
    AnswerLogReplay = "answer.log.replay": Query, Egress, ["answers", "chunks", "vectors"],
        remote Get "/api/v1/answers/{id}/replay";
    (call, input: AnswerId) -> Replay {
        Ok(call.library.answer().replay(&call.workspace, input.id).await?)
    }
}

command! {
    /// The log as JSON lines, a table, Markdown or judged queries.
    AnswerLogExport = "answer.log.export": Query, Read, ["answers", "documents"],
        remote Post "/api/v1/answers/export";
    (call, input: LogExport) -> ExportedLog {
        let (offset, limit) = (input.query.offset.min(ALL_ROWS), input.query.limit.min(ALL_ROWS));
        let query = AskLogQuery { offset, limit, ..input.query };
        Ok(ExportedLog { text: call.library.answer().export(&call.workspace, &query, input.format).await? })
    }
}

command! {
    /// Deletes an entry of the log.
    AnswerLogDelete = "answer.log.delete": Mutation, Write, ["answers"],
        remote Delete "/api/v1/answers/{id}";
    (call, input: AnswerId) -> Nothing {
        call.library.answer().delete(&call.workspace, input.id).await?;
        Ok(Nothing {})
    }
}

command! {
    /// Deletes every entry of the log of the workspace.
    AnswerLogClear = "answer.log.clear": Mutation, Write, ["answers"],
        remote Delete "/api/v1/answers";
    (call, _input: Nothing) -> ClearedLog {
        Ok(ClearedLog { deleted: call.library.answer().clear(&call.workspace).await? })
    }
}
