//! What of a request can be checked before anything is read.

use super::{IngestRequest, Source, source};
use crate::error::{Error, Result};
use serde_json::{Map, Value};
use sibyl_text::chunk;
use std::path::{Path, PathBuf};

/// Names that stand for shipped corpora in a request without sources.
const SHIPPED: &[&str] = &["all", "ifrs", "ifrs-s1", "ifrs-s2", "sasb"];
/// Source types a corpus can hold.
pub const SOURCE_TYPES: &[&str] = &["ifrs_s1", "ifrs_s2", "sasb", "report", "docs", "text", "licensed"];

/// Refuses a request that no file could satisfy, before a job is made of it.
///
/// # Errors
/// [`Error::Invalid`], [`Error::NotFound`] and [`Error::Io`] name what is wrong and the cure.
pub(super) fn check(request: &IngestRequest, shipped: Option<&Path>) -> Result<()> {
    let mut refused = Vec::new();
    for source in &request.sources {
        match source {
            Source::Path { path } => refused.extend(source::check(path.as_ref()).err()),
            Source::Upload { name, bytes, file: Some(_), .. } if !bytes.is_empty() => {
                return Err(Error::Invalid(format!(
                    "`{name}` comes with bytes and with the id of a file; leave one of them out"
                )));
            }
            _ => {}
        }
    }
    if !refused.is_empty() && refused.len() == request.sources.len() {
        return Err(refused.swap_remove(0));
    }
    if request.sources.is_empty() {
        shipped_paths(request.corpus.as_deref(), shipped)?;
    }
    if let Some(source_type) = request.source_type.as_deref()
        && !SOURCE_TYPES.contains(&source_type)
    {
        return Err(Error::unknown_choice("source type", source_type, SOURCE_TYPES.iter().copied()));
    }
    if let Some(name) = request.strategy.as_deref() {
        checked_settings(name, &request.settings)?;
    }
    Ok(())
}

/// Checks the values `given` for strategy `name`.
///
/// # Errors
/// [`Error::UnknownChoice`] names the strategies there are, [`Error::Setting`] the parameter.
pub(super) fn checked_settings(
    name: &str,
    given: &Map<String, Value>,
) -> Result<(&'static dyn chunk::Strategy, sibyl_text::Settings)> {
    let strategy = chunk::strategy(name).ok_or_else(|| {
        Error::unknown_choice("chunking strategy", name, chunk::STRATEGIES.iter().map(|s| s.name()))
    })?;
    let settings = chunk::settings(strategy, given)?;
    Ok((strategy, settings))
}

/// Files and folders of the shipped corpora called `name`.
fn shipped_paths(name: Option<&str>, shipped: Option<&Path>) -> Result<Vec<PathBuf>> {
    let name = name.unwrap_or("all");
    if !SHIPPED.contains(&name) {
        let known = SHIPPED.join(", ");
        return Err(Error::Invalid(format!(
            "no files were named, and `{name}` is not among the shipped corpora ({known}); name files or folders"
        )));
    }
    let folder = shipped.ok_or_else(|| {
        Error::Invalid("nothing ships with this program; name files or folders to ingest".to_owned())
    })?;
    let mut paths = Vec::new();
    if ["all", "ifrs", "ifrs-s1"].contains(&name) {
        paths.push(folder.join("ifrs/s1_full.md"));
    }
    if ["all", "ifrs", "ifrs-s2"].contains(&name) {
        paths.extend(["ifrs/s2_full.md", "ifrs/s2_amended.md"].map(|file| folder.join(file)));
    }
    if ["all", "sasb"].contains(&name) {
        paths.push(folder.join("sasb"));
    }
    Ok(paths)
}

/// Files and folders that `request` names.
///
/// # Errors
/// [`Error::Invalid`] where it asks for shipped corpora that there are none of.
pub(super) fn paths(request: &IngestRequest, shipped: Option<&Path>) -> Result<Vec<PathBuf>> {
    if request.sources.is_empty() {
        return shipped_paths(request.corpus.as_deref(), shipped);
    }
    let path = |source: &Source| match source {
        Source::Path { path } => Some(PathBuf::from(path)),
        _ => None,
    };
    Ok(request.sources.iter().filter_map(path).collect())
}
