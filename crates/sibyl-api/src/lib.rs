//! THE list of commands, with their wire types and error codes. It knows no transport: desktop, command line
//! and every later door read the same list.

mod error;

pub use error::ApiError;
