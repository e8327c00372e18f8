//! What the product requires of a store, whatever database is behind it.
//!
//! Each trait is one job, with owned values and no closures. A [`Location`] says where a library is and opens it as a
//! [`Store`]. A number that stands for a chunk, a document or a
//! corpus is the key that the store gave it. Callers compare keys and hand them back, and read nothing from them.
//! The laws in `dev/sibyl-conformance` detect a store that answers differently from another.

mod catalogue;
mod documents;
mod jobs;
mod judgements;
mod location;
mod retrieval;
mod typed;
mod upkeep;
mod vectors;

pub use catalogue::Catalogue;
pub use documents::Documents;
pub use jobs::Jobs;
pub use judgements::Judgements;
pub use location::Location;
pub use retrieval::Retrieval;
pub use upkeep::Upkeep;
pub use vectors::Vectors;

/// A library, open. A type that does all of its jobs is a store.
pub trait Store: Catalogue + Documents + Retrieval + Vectors + Jobs + Judgements + Upkeep {}

impl<T: Catalogue + Documents + Retrieval + Vectors + Jobs + Judgements + Upkeep> Store for T {}
