//! The shipped explanations against the facts of the standards: identifiers, structure, licence and prose.

mod explained;
mod facts;
mod identifiers;
mod licence;
mod prose;
mod references;
mod sasb;
