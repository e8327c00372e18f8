//! `sibyl mcp`.

use super::{End, Outcome};
use crate::arguments::{Common, Mcp};
use crate::session::Session;

pub async fn mcp(common: &Common, words: Mcp) -> Outcome {
    let session = Session::open_to_work(common).await?;
    // An agent is answered at once; documents that are still being ingested are found as they come.
    sibyl_api::door::first_start(&session.library, false).await?;
    sibyl_server::mcp(session.library, common.workspace.clone(), words.report).await?;
    Ok(End::Done)
}
