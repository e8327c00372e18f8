//! Why a network cannot be loaded or run.

/// A problem with a network's files or its input.
#[derive(Debug, thiserror::Error)]
pub(super) enum NetworkError {
    /// `config.json` describes another kind of network.
    #[error("config.json: {0}")]
    Config(String),
    /// A tensor is missing or of another type or shape.
    #[error("{name}: {message}")]
    Tensor {
        /// Its name.
        name: String,
        /// What was expected and what came instead.
        message: String,
    },
    /// A word piece beyond the table.
    #[error("there is no word piece {id}; the model has {pieces}")]
    Piece {
        /// The piece asked for.
        id: u32,
        /// Pieces there are.
        pieces: usize,
    },
    /// A text beyond the window.
    #[error("a text of {tokens} tokens was given; the model reads {most}")]
    TooLong {
        /// Tokens of the text.
        tokens: usize,
        /// Number of positions that the network knows.
        most: usize,
    },
    /// Two matrices that do not fit.
    #[error("a product of two matrices failed: {0}")]
    Product(String),
}

impl NetworkError {
    /// Something is wrong with the tensor `name`.
    pub fn tensor(name: &str, message: impl Into<String>) -> Self {
        Self::Tensor { name: name.to_owned(), message: message.into() }
    }

    /// A product that the library refused.
    pub fn product(error: impl std::fmt::Display) -> Self {
        Self::Product(error.to_string())
    }
}
