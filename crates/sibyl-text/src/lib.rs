//! Bytes become a [`Document`], a document becomes [`Chunk`]s.
//!
//! This crate is pure: it does no I/O, reads no clock, opens no database and knows no network. Everything that it
//! chunks stays a byte [`Span`] of the document's text. So every chunk can be shown in its place, and every quote
//! checked against its source.

pub mod chunk;
pub mod document;
pub mod figure;
pub mod format;
pub mod language;
pub mod param;
pub mod reference;
pub mod source_type;
pub mod tokens;

pub use chunk::{Chunk, ChunkContext, Piece, Strategy};
pub use document::{Block, BlockKind, Document, Notice, Page, Section, Severity, Span};
pub use param::{Param, ParamError, Settings};
pub use source_type::SourceType;
