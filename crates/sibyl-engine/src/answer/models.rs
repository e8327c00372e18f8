//! The models that the chat provider offers, and what an answer of one of them costs.

use super::Usage;
use super::generators::base;
use crate::error::{Error, Result};
use crate::http::Endpoint;
use crate::library::Answering;
use crate::providers::admit;
use sibyl_answer::ChatModel;
use sibyl_answer::generate::models;
use std::sync::Arc;
use std::time::Duration;

/// Time for the list.
const PATIENCE: Duration = Duration::from_secs(20);
/// Time for the list where an answer waits for it.
const PATIENCE_OF_AN_ANSWER: Duration = Duration::from_secs(5);

impl Answering<'_> {
    /// The models listed by the chat provider of the settings, by id, with the prices that it states.
    ///
    /// # Errors
    /// [`Error::Chat`] with what the provider answered. [`Error::RemoteOff`] if it is on another machine and
    /// remote models are switched off. [`Error::Embed`] if its base URL is not valid. Storage errors.
    pub async fn models(&self) -> Result<Vec<ChatModel>> {
        Ok(self.list_models(PATIENCE).await?.to_vec())
    }

    async fn list_models(&self, patience: Duration) -> Result<Arc<[ChatModel]>> {
        let settings = self.library.settings().await?;
        let base = base(&settings);
        admit(&settings, base)?;
        let endpoint = Endpoint::new(base, self.chat_key(&settings).await)?.with_timeout(patience);
        let models: Arc<[ChatModel]> = models::models(&endpoint).await.map_err(Error::Chat)?.into();
        self.kept().chat_models.put(base, Arc::clone(&models));
        Ok(models)
    }

    /// Puts the cost into `usage`, by the prices that the provider lists for `model`, if the provider did not
    /// state it. The list is asked for once.
    pub(super) async fn reckon_cost(&self, model: &str, usage: &mut Usage) -> Result<()> {
        if usage.cost.is_some() {
            return Ok(());
        }
        let settings = self.library.settings().await?;
        let base = base(&settings);
        let models = match self.kept().chat_models.get(base) {
            Some(models) => models,
            None => {
                match tokio::time::timeout(PATIENCE_OF_AN_ANSWER, self.list_models(PATIENCE_OF_AN_ANSWER))
                    .await
                {
                    Ok(Ok(models)) => models,
                    // A provider without a list states no prices; an answer does not wait for it again.
                    Ok(Err(_)) | Err(_) => {
                        let none: Arc<[ChatModel]> = Arc::default();
                        self.kept().chat_models.put(base, Arc::clone(&none));
                        none
                    }
                }
            }
        };
        usage.cost = models.iter().find(|one| one.id == model).and_then(|one| one.cost(usage));
        Ok(())
    }
}
