//! What is known of language, for code that reads, searches or answers. It covers words and their stems, sentences,
//! numbers with units, days, periods, kinds of table cells, and the language of a text.

pub(crate) mod cell;
pub mod date;
pub mod number;
pub mod period;
pub mod quantity;
pub mod runs;
pub mod sentence;
pub(crate) mod status;
pub mod sum;
pub mod tongue;
pub mod unit;
pub mod words;
