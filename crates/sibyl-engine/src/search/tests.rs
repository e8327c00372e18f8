//! The search as a whole, over a small library with an embedder that is arithmetic.

mod answers;
mod feedback;
mod growth;
mod keyword;
mod laws;
mod long;
mod map;
mod neighbours;
mod shelf;
mod tables;
