//! The parts of an open library, by what a caller wants of it. Each part's methods are in the module that does its
//! work.

use super::Library;

/// Declares a part: a view of the library, and the name it is reached by.
macro_rules! parts {
    ($($(#[$doc:meta])* $name:ident by $reach:ident;)*) => {
        $(
            $(#[$doc])*
            #[derive(Clone, Copy)]
            pub struct $name<'a> {
                pub(crate) library: &'a Library,
            }
        )*

        impl Library {
            $(
                $(#[$doc])*
                pub const fn $reach(&self) -> $name<'_> {
                    $name { library: self }
                }
            )*
        }
    };
}

parts! {
    /// Searching: ranked hits, their neighbours and context, and the searches that were recorded.
    Search by search;
    /// Ingesting documents: what there is to read, what it would become, and starting to read it.
    Ingest by ingest;
    /// The jobs that ingest and embed: their results, and stopping, resuming and following them.
    Jobs by jobs;
    /// The standards as a reviewer reads them, with the evidence for each paragraph.
    Standards by standards;
    /// Assessments: reports held against requirements, with what is proposed and what is decided.
    Assessing by assess;
    /// Answers: questions asked, with sources for every sentence, and the log of them.
    Answering by answer;
    /// Measuring retrieval against judged queries.
    Measuring by evaluation;
    /// The models that embed and rerank, and the providers of the remote ones.
    Models by models;
    /// The contents of the library: corpora, documents and their pages.
    Contents by contents;
    /// Keeping the library sound: checks, rebuilding, backups, its place on the disk, its log.
    Upkeep by upkeep;
}
