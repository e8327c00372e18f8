//! The bin: documents that were deleted and can come back.

use super::document::DocumentIds;
use crate::command::Nothing;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sibyl_engine::store::table::bin::{BinnedDocument, Restored};

/// What remained after deleting for good.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct DeletedForGood {
    /// Texts that stay, because an answer, a finding or a label cites them.
    pub texts_kept: usize,
}

command! {
    /// Documents that were deleted within the last 30 days and can be restored, the latest first.
    BinList = "bin.list": Query, Read, ["documents"],
        remote Get "/api/v1/bin";
    (call, _input: Nothing) -> Vec<BinnedDocument> {
        let workspace = call.workspace_id().await?;
        Ok(call.library.store().binned(workspace).await?)
    }
}

command! {
    /// Restores documents from the bin with their text, vectors, reviews, phrasings and corrections.
    BinRestore = "bin.restore": Mutation, Write, ["corpora", "documents", "chunks"],
        remote Post "/api/v1/bin/restore";
    (call, input: DocumentIds) -> Restored {
        let workspace = call.workspace_id().await?;
        Ok(call.library.store().restore_documents(workspace, input.ids).await?)
    }
}

command! {
    /// Deletes documents in the bin for good, with the reviews of reports that no other document belongs to. Vectors stay,
    /// and so do texts that something still cites.
    BinDelete = "bin.delete": Mutation, Write, ["documents"],
        remote Delete "/api/v1/bin";
    (call, input: DocumentIds) -> DeletedForGood {
        let workspace = call.workspace_id().await?;
        Ok(DeletedForGood { texts_kept: call.library.store().delete_binned(workspace, input.ids).await? })
    }
}
