//! The tables: each file holds a table's rows, readers and writers.

pub mod chunk;
pub mod corpus;
pub mod document;
pub mod setting;
pub mod workspace;
