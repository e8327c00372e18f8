//! The tables: each file holds a table's rows, readers and writers.

pub mod answer;
pub mod assessment;
pub mod bin;
pub mod calibration;
pub mod chunk;
pub mod corpus;
pub mod document;
pub mod evaluation;
pub mod fact;
pub mod figure;
pub mod gold;
pub mod held;
pub mod job;
pub mod job_file;
pub mod kept_text;
pub mod likeness;
pub mod missing;
pub mod overview;
mod page_label;
pub mod phrasing;
pub mod refusal;
pub mod review;
pub mod run;
pub mod setting;
pub mod thesaurus;
pub mod watched_folder;
pub mod workspace;
