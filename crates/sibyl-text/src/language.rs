//! What is known of language, for whoever reads, searches or answers: words and their stems, numbers with units, days,
//! periods, what a cell of a table is, and which language a text is in.

pub(crate) mod cell;
pub mod date;
pub mod number;
pub mod period;
pub mod quantity;
pub mod runs;
pub mod sum;
pub mod tongue;
pub mod unit;
pub mod words;
