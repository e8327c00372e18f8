//! The endpoints that the source documents name, exact in path, fields and statuses; each is answered by a command of
//! the list. `docs/endpoints.md` has the table. What is described of an endpoint comes from the types that it takes
//! and gives.

mod rag;
mod service;

use crate::asked::Asked;
use crate::body::MOST_JSON;
use crate::reply::json_reply;
use axum::http::StatusCode;
use axum::response::Response;
use schemars::JsonSchema;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use sibyl_api::schema::{Beside, Types};
use sibyl_api::{ApiError, Method, Route, without_places};
use std::pin::Pin;

/// What an endpoint of a document takes and gives.
trait Contract: 'static {
    /// HTTP method.
    const METHOD: Method = Method::Post;
    /// Path with `{name}` for fields of the input.
    const PATH: &'static str;
    /// Its name in logs and metrics.
    const NAME: &'static str;
    /// What it does.
    const SUMMARY: &'static str;
    /// Maximum size of its body, in bytes.
    const MOST: usize = MOST_JSON;
    /// What it takes: the fields of its body, its path and its query.
    type Input: DeserializeOwned + Serialize + JsonSchema + Send;
    /// What it gives.
    type Output: Serialize + JsonSchema + Send;

    /// Answers `input`.
    fn answer(
        asked: &Asked,
        input: Self::Input,
    ) -> impl Future<Output = Result<Self::Output, ApiError>> + Send;

    /// Reads the input, of which `schema` tells.
    fn input(
        asked: &mut Asked,
        schema: &Value,
    ) -> impl Future<Output = Result<Self::Input, ApiError>> + Send {
        async move {
            let fields = asked.fields(Self::METHOD, Self::MOST, schema).await?;
            sibyl_api::read(fields.into(), "the request")
        }
    }

    /// `output`, which is `told` on the wire, as a response.
    fn respond(_output: &Self::Output, told: &Value) -> Response {
        json_reply(StatusCode::OK, told)
    }

    /// Schemas of what is told with status 200 and, if it may be, with 409.
    fn outputs(types: &mut Types) -> Vec<Value> {
        vec![types.written::<Self::Output>()]
    }

    /// An input that a server with the shipped standards answers, if there is one.
    fn example() -> Option<Self::Input> {
        None
    }
}

/// An endpoint of a document.
pub(crate) struct Endpoint {
    pub route: Route,
    pub name: &'static str,
    pub summary: &'static str,
    /// Answers a request; the schema is that of its input.
    pub answer: for<'a> fn(Asked, &'a Value) -> Answering<'a>,
    /// Describes what it takes and gives.
    pub describe: fn(&mut Types) -> Beside,
    pub example: fn() -> Option<Value>,
}

type Answering<'a> = Pin<Box<dyn Future<Output = Result<Response, ApiError>> + Send + 'a>>;

impl Endpoint {
    const fn of<C: Contract>() -> Self {
        Self {
            route: Route { method: C::METHOD, path: C::PATH },
            name: C::NAME,
            summary: C::SUMMARY,
            answer: |asked, schema| Box::pin(answer::<C>(asked, schema)),
            describe: |types| Beside { input: types.read::<C::Input>(), outputs: C::outputs(types) },
            example: || C::example().map(|example| json!(example)),
        }
    }
}

async fn answer<C: Contract>(mut asked: Asked, schema: &Value) -> Result<Response, ApiError> {
    let input = C::input(&mut asked, schema).await?;
    let output = C::answer(&asked, input).await?;
    let mut told = sibyl_api::written(&output)?;
    without_places(&mut told);
    Ok(C::respond(&output, &told))
}

/// All of them.
pub(crate) static ENDPOINTS: [Endpoint; 10] = [
    Endpoint::of::<rag::Ingest>(),
    Endpoint::of::<rag::Status>(),
    Endpoint::of::<rag::Stats>(),
    Endpoint::of::<rag::Search>(),
    Endpoint::of::<rag::Paragraph>(),
    Endpoint::of::<rag::DeleteCorpus>(),
    Endpoint::of::<rag::IngestReport>(),
    Endpoint::of::<rag::DeleteReport>(),
    Endpoint::of::<service::Query>(),
    Endpoint::of::<service::Ingest>(),
];
