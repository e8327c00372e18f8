//! Evaluations whose progress is shown.

use crate::progress;
use crate::session::Session;
use sibyl_api::{ApiError, Command, Progress};
use std::sync::Arc;

/// Runs command `C` and shows its progress. If it is interrupted, the work is dropped, and with it a scratch
/// library that is not kept; `interrupted` says what remains.
pub async fn followed<C: Command>(
    session: &Session,
    request: C::Input,
    interrupted: &str,
) -> Result<C::Output, ApiError> {
    let shown = Arc::new(progress::Evaluating::default());
    let listener = Arc::clone(&shown);
    let work = session.call_with::<C>(
        request,
        Some(Arc::new(move |told| {
            if let Progress::Evaluating(progress) = told {
                listener.show(progress);
            }
        })),
    );
    let answer = tokio::select! {
        answer = work => answer,
        _ = tokio::signal::ctrl_c() => Err(ApiError::new("interrupted", interrupted)),
    };
    shown.finish();
    answer
}
