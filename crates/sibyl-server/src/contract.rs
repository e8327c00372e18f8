//! The endpoints that the source documents name, exact in path, fields and statuses; each is answered by a command of
//! the list. `docs/endpoints.md` has the table.

mod description;
mod rag;
mod service;

use crate::asked::Asked;
use axum::response::Response;
use serde_json::Value;
use sibyl_api::{ApiError, Method};
use std::pin::Pin;

/// An endpoint of a document.
pub(crate) struct Endpoint {
    pub method: Method,
    pub path: &'static str,
    /// Its name in logs and metrics.
    pub name: &'static str,
    pub answer: fn(Asked) -> Answering,
    pub describe: fn() -> Description,
}

/// The input and output of an endpoint.
pub(crate) struct Description {
    pub summary: &'static str,
    /// Schema of the body.
    pub request: Option<Value>,
    /// Schema of the parameter in the path, if there is one.
    pub parameter: Value,
    /// Name and schema of the parameter in the query, if there is one; it is optional.
    pub choice: Option<(&'static str, Value)>,
    /// Schema of the answer.
    pub response: Value,
    /// A body, or parameters of the path, that a server with the shipped standards answers.
    pub example: Option<Value>,
}

type Answering = Pin<Box<dyn Future<Output = Result<Response, ApiError>> + Send>>;

/// All of them.
pub(crate) static ENDPOINTS: &[Endpoint] = &[
    Endpoint {
        method: Method::Post,
        path: "/api/v1/rag/ingest",
        name: "rag.ingest",
        answer: |asked| Box::pin(rag::ingest(asked)),
        describe: description::ingest,
    },
    Endpoint {
        method: Method::Get,
        path: "/api/v1/rag/status",
        name: "rag.status",
        answer: |asked| Box::pin(rag::status(asked)),
        describe: description::status,
    },
    Endpoint {
        method: Method::Get,
        path: "/api/v1/rag/stats",
        name: "rag.stats",
        answer: |asked| Box::pin(rag::stats(asked)),
        describe: description::stats,
    },
    Endpoint {
        method: Method::Post,
        path: "/api/v1/rag/search",
        name: "rag.search",
        answer: |asked| Box::pin(rag::search(asked)),
        describe: description::search,
    },
    Endpoint {
        method: Method::Get,
        path: "/api/v1/rag/paragraph/{paragraph_id}",
        name: "rag.paragraph",
        answer: |asked| Box::pin(rag::paragraph(asked)),
        describe: description::paragraph,
    },
    Endpoint {
        method: Method::Delete,
        path: "/api/v1/rag/corpus/{source_type}",
        name: "rag.delete_corpus",
        answer: |asked| Box::pin(rag::delete_corpus(asked)),
        describe: description::delete_corpus,
    },
    Endpoint {
        method: Method::Post,
        path: "/api/v1/rag/report",
        name: "rag.ingest_report",
        answer: |asked| Box::pin(rag::ingest_report(asked)),
        describe: description::ingest_report,
    },
    Endpoint {
        method: Method::Delete,
        path: "/api/v1/rag/report/{report_id}",
        name: "rag.delete_report",
        answer: |asked| Box::pin(rag::delete_report(asked)),
        describe: description::delete_report,
    },
    Endpoint {
        method: Method::Post,
        path: "/query",
        name: "query",
        answer: |asked| Box::pin(service::query(asked)),
        describe: description::query,
    },
    Endpoint {
        method: Method::Post,
        path: "/ingest",
        name: "ingest",
        answer: |asked| Box::pin(service::ingest(asked)),
        describe: description::ingest_documents,
    },
];

/// The body as `T`, of at most `most` bytes.
async fn body<T: serde::de::DeserializeOwned>(asked: &mut Asked, most: usize) -> Result<T, ApiError> {
    sibyl_api::read(asked.object(most).await?.into(), "the body")
}
