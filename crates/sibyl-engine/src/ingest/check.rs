//! Checks of a request before anything is read.

use super::{IngestRequest, Source, source};
use crate::error::{Error, Result};
use serde_json::{Map, Value};
use sibyl_text::{SourceType, chunk, source_type};
use std::path::{Path, PathBuf};

/// Name for all shipped corpora in a request without sources.
const ALL: &str = "all";

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
        && source_type::named(source_type).is_none()
    {
        return Err(Error::unknown_choice("source type", source_type, source_type::names()));
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

/// Names for shipped corpora in a request without sources: all, a group of them, or one.
pub fn shipped_names() -> Vec<&'static str> {
    let mut names = vec![ALL];
    for (one, shipped) in source_type::all().iter().filter_map(|one| Some((one, one.ships?))) {
        for name in [shipped.group, one.home.name()] {
            if !names.contains(&name) {
                names.push(name);
            }
        }
    }
    names
}

/// Files and folders of the shipped corpora called `name`.
fn shipped_paths(name: Option<&str>, shipped: Option<&Path>) -> Result<Vec<PathBuf>> {
    let name = name.unwrap_or(ALL);
    let known = shipped_names();
    if !known.contains(&name) {
        let known = known.join(", ");
        return Err(Error::Invalid(format!(
            "no files were named, and `{name}` is not among the shipped corpora ({known}); name files or folders"
        )));
    }
    let folder = shipped.ok_or_else(|| {
        Error::Invalid("nothing ships with this program; name files or folders to ingest".to_owned())
    })?;
    let asked = |one: &&&SourceType| {
        let names = one.ships.map(|shipped| [ALL, shipped.group, one.home.name()]);
        names.is_some_and(|names| names.contains(&name))
    };
    let paths = source_type::all().iter().filter(asked).filter_map(|one| one.ships);
    Ok(paths.flat_map(|shipped| shipped.paths).map(|path| folder.join(path)).collect())
}

/// Files and folders that `request` names.
///
/// # Errors
/// [`Error::Invalid`] if it asks for shipped corpora that do not exist.
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
