//! Documents that have been in the bin for too long are deleted for good.

use super::Library;
use std::sync::Arc;
use std::time::Duration;

/// Interval at which a library that stays open checks its bin.
const ROUND: Duration = Duration::from_secs(60 * 60);

impl Library {
    /// Sees to the bin now and every hour, as long as the library is open.
    pub(super) fn tend_bin(&self) {
        let library = Arc::downgrade(&self.0);
        tokio::spawn(async move {
            while let Some(open) = library.upgrade().map(Library) {
                open.empty_bin().await;
                // The library closes with its last owner, which must not be this task.
                drop(open);
                tokio::time::sleep(ROUND).await;
            }
        });
    }

    /// Deletes for good what has been in the bin for too long. If that fails, the library still opens; the next
    /// round tries again.
    pub(super) async fn empty_bin(&self) {
        if let Err(error) = self.store().empty_bin(self.now()).await {
            tracing::warn!(code = error.code(), "the bin could not be emptied: {error}");
        }
    }
}
