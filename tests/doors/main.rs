//! The command line as a user: the shipped standards, own documents, nasty files, workspaces, evaluation.

mod documents;
mod nasty;
mod provider;
mod standards;
mod workspaces;
