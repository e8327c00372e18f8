//! A request, as those who answer read it.

use crate::body::{self, Whole};
use crate::caller::{Granted, RequestId};
use crate::input;
use crate::served::Served;
use axum::body::Body;
use axum::extract::{FromRequestParts as _, RawPathParams};
use axum::http::request::Parts;
use parking_lot::Mutex;
use serde_json::{Map, Value};
use sibyl_api::{ApiError, Command, Method};
use std::sync::Arc;
use tokio::sync::OwnedSemaphorePermit;

/// An admitted request, split into its parts.
pub(crate) struct Asked {
    pub served: Arc<Served>,
    pub granted: Granted,
    pub id: RequestId,
    pub parts: Parts,
    /// In a lock, so that one request may be read from several tasks.
    pub body: Mutex<Body>,
    /// Held as long as a large body is in memory.
    pub turn: Option<OwnedSemaphorePermit>,
}

impl Asked {
    /// Runs command `C` for the caller, see [`Served::run`].
    pub(crate) async fn run<C: Command>(&self, input: C::Input) -> Result<C::Output, ApiError> {
        self.served.run::<C>(self.granted, &self.id, input).await
    }

    /// Runs a command of the list and returns the part of its answer that the caller may read.
    pub(crate) async fn dispatch(&self, command: &str, input: Value) -> Result<Value, ApiError> {
        self.served.dispatch(command, self.served.call(self.granted, &self.id), input).await
    }

    /// The parameters in the path, decoded.
    pub(crate) async fn path(&mut self) -> Result<Vec<(String, String)>, ApiError> {
        let unread = |error| ApiError::invalid(format!("the path cannot be read: {error}"));
        let params = RawPathParams::from_request_parts(&mut self.parts, &()).await.map_err(unread)?;
        Ok(params.iter().map(|(name, value)| (name.to_owned(), value.to_owned())).collect())
    }

    /// The parameters of the query.
    pub(crate) fn query(&self) -> Vec<(String, String)> {
        input::pairs(self.parts.uri.query().unwrap_or_default())
    }

    /// The body; empty after the first call.
    pub(crate) fn take_body(&mut self) -> Body {
        std::mem::take(self.body.get_mut())
    }

    /// What the request says, as fields of an object with `schema`: those of its path, its query and, if it is
    /// posted, its body of at most `most` bytes. Fields of the path count before those of the body.
    pub(crate) async fn fields(
        &mut self,
        method: Method,
        most: usize,
        schema: &Value,
    ) -> Result<Map<String, Value>, ApiError> {
        let mut fields = if method == Method::Post { self.object(most).await? } else { Map::new() };
        input::fill(&mut fields, schema, self.query())?;
        let path = self.path().await?;
        path.iter().for_each(|(name, _)| {
            fields.shift_remove(name);
        });
        input::fill(&mut fields, schema, path)?;
        Ok(fields)
    }

    /// The object in the body. A large one keeps its turn until the request is answered.
    async fn object(&mut self, most: usize) -> Result<Map<String, Value>, ApiError> {
        let body = self.take_body();
        let Whole { bytes, turn } = body::whole(body, most, &self.served.large).await?;
        self.turn = turn;
        input::object(&self.parts.headers, &bytes)
    }
}
