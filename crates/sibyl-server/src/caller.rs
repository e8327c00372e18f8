//! Who asks.

use sibyl_api::Scope;
use std::sync::Arc;

/// What a caller may do.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Granted {
    pub scope: Scope,
}

/// Id of a request.
#[derive(Debug, Clone)]
pub(crate) struct RequestId(pub Arc<str>);
