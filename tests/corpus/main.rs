//! The shipped explanations against the facts of the standards: identifiers, structure, licence and prose.
#![allow(clippy::unwrap_used, reason = "tests fail by panicking")]

mod coverage;
mod explained;
mod facts;
mod form;
mod identifiers;
mod licence;
mod modality;
mod prose;
mod references;
mod requirements;
mod sasb;
mod window;
