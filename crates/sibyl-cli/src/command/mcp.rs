//! `sibyl mcp`.

use super::{End, Outcome};
use crate::arguments::{Common, Mcp};
use crate::session::Session;

pub async fn mcp(common: &Common, words: Mcp) -> Outcome {
    let session = Session::open_to_work(common).await?;
    // An agent gets its answer at once; documents still being ingested are found once they are stored.
    sibyl_api::door::first_start(&session.library, false).await?;
    sibyl_server::mcp(session.library, common.workspace.clone(), words.report).await?;
    Ok(End::Done)
}
