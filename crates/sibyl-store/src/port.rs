//! What the product asks of a store, whatever database is behind it.
//!
//! Each trait is one job, with owned values and no closure. Where a number stands for a chunk, a document or a corpus, it is
//! the key that the store gave it: callers compare and hand back keys, and read nothing from them. A store that answers
//! differently from another is found out by the laws in `dev/sibyl-conformance`.

mod catalogue;
mod documents;
mod jobs;
mod judgements;
mod retrieval;
mod typed;
mod upkeep;
mod vectors;

pub use catalogue::Catalogue;
pub use documents::Documents;
pub use jobs::Jobs;
pub use judgements::Judgements;
pub use retrieval::Retrieval;
pub use upkeep::Upkeep;
pub use vectors::Vectors;

/// A library, open. Whatever does all of its jobs is one.
pub trait Store: Catalogue + Documents + Retrieval + Vectors + Jobs + Judgements + Upkeep {}

impl<T: Catalogue + Documents + Retrieval + Vectors + Jobs + Judgements + Upkeep> Store for T {}
