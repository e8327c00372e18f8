//! Filters as options: those of every kind of source, and one for each field that a kind lists.

use clap::error::Result;
use clap::{Arg, ArgAction, ArgMatches, Args, Command, FromArgMatches};
use serde_json::{Map, Value};
use sibyl_api::source_type;

/// Restrictions of a search; several values of one option are alternatives.
#[derive(Debug, Clone, Default)]
pub struct FilterArguments(Map<String, Value>);

impl FilterArguments {
    /// The filters as the command list takes them.
    pub fn to_json(&self) -> Value {
        Value::Object(self.0.clone())
    }
}

/// Every filter: its option, its list on the wire, and what it is.
fn filters() -> impl Iterator<Item = (String, &'static str, String)> {
    let kinds = format!("Source type: {}", source_type::names().join(", "));
    let of_every_kind = [
        ("source-type", "source_types", kinds.as_str()),
        ("corpus", "corpora", "Corpus"),
        ("report", "reports", "Report id"),
        ("path", "paths", "Path prefix below the import root"),
    ];
    let of_every_kind =
        of_every_kind.map(|(option, list, about)| (option.to_owned(), list, about.to_owned()));
    let of_fields = source_type::fields().iter();
    let of_fields = of_fields.map(|field| (field.name.replace('_', "-"), field.list, field.described()));
    of_every_kind.into_iter().chain(of_fields)
}

impl Args for FilterArguments {
    fn augment_args(command: Command) -> Command {
        let options = filters().map(|(option, list, about)| {
            let name = option.to_uppercase().replace('-', "_");
            Arg::new(list).long(option).value_name(name).help(about).action(ArgAction::Append)
        });
        command.next_help_heading("Filters (may be repeated)").args(options)
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl FromArgMatches for FilterArguments {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self> {
        let mut filters = Self::default();
        filters.update_from_arg_matches(matches)?;
        Ok(filters)
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<()> {
        for (_, list, _) in filters() {
            let given: Vec<String> = matches.get_many(list).into_iter().flatten().cloned().collect();
            self.0.insert(list.to_owned(), given.into());
        }
        Ok(())
    }
}
