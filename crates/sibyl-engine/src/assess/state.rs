//! What a proposal says, in a word.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What a proposal says.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ProposalState {
    /// There is evidence for every item.
    Evidence,
    /// There is evidence for some items.
    Partial,
    /// Nothing was found.
    Nothing,
}

impl ProposalState {
    /// Its name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Evidence => "evidence",
            Self::Partial => "partial",
            Self::Nothing => "nothing",
        }
    }

    /// The state called `name`; nothing found, for a name of another version.
    pub(super) fn named(name: &str) -> Self {
        [Self::Evidence, Self::Partial]
            .into_iter()
            .find(|state| state.name() == name)
            .unwrap_or(Self::Nothing)
    }
}
