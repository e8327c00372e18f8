//! Chunking strategies and their parameters.

use crate::command::Nothing;
use crate::view::ParamView;
use schemars::JsonSchema;
use serde::Serialize;

/// A strategy as a form needs it.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct StrategyView {
    /// Stable name.
    pub name: String,
    /// One sentence: how it chunks, and which documents it is for.
    pub summary: String,
    /// The parameters it declares.
    pub params: Vec<ParamView>,
}

command! {
    /// Every chunking strategy with its parameters.
    StrategyList = "strategy.list": Query, Read, [],
        remote Get "/api/v1/strategies";
    (_call, _input: Nothing) -> Vec<StrategyView> {
        let view = |strategy: &&dyn sibyl_text::Strategy| StrategyView {
            name: strategy.name().to_owned(),
            summary: strategy.summary().to_owned(),
            params: strategy.params().iter().map(ParamView::from).collect(),
        };
        Ok(sibyl_text::chunk::STRATEGIES.iter().map(view).collect())
    }
}
