//! Filters as options: those of every kind of source, and one for each field that a kind lists.

use clap::builder::PossibleValuesParser;
use clap::error::Result;
use clap::{Arg, ArgAction, ArgMatches, Args, Command, FromArgMatches};
use sibyl_api::source_type::field::Values;
use sibyl_api::{Filters, source_type};

/// Restrictions of a search; several values of one option are alternatives.
#[derive(Debug, Clone, Default)]
pub struct FilterArguments(Filters);

impl From<FilterArguments> for Filters {
    fn from(words: FilterArguments) -> Self {
        words.0
    }
}

/// The option of a filter that every kind of source has.
fn option(name: &'static str, about: String) -> Arg {
    Arg::new(name)
        .long(name)
        .value_name(name.to_uppercase().replace('-', "_"))
        .help(about)
        .action(ArgAction::Append)
}

/// The name of the option of a field.
fn named(field: &str) -> String {
    field.replace('_', "-")
}

impl Args for FilterArguments {
    fn augment_args(command: Command) -> Command {
        let kinds = format!("Source type: {}", source_type::names().join(", "));
        let of_every_kind = [
            option("source-type", kinds),
            option("corpus", "Corpus".to_owned()),
            option("report", "Report id".to_owned()),
            option("path", "Path prefix below the import root".to_owned()),
        ];
        let of_fields = source_type::fields().iter().map(|field| {
            let arg = Arg::new(field.list).long(named(field.name)).value_name(field.name.to_uppercase());
            let arg = arg.help(field.described()).action(ArgAction::Append);
            match field.values {
                Values::Only(known) => arg
                    .value_parser(PossibleValuesParser::new(known.iter().map(|(value, _)| *value)))
                    .hide_possible_values(true),
                _ => arg,
            }
        });
        command.next_help_heading("Filters (may be repeated)").args(of_every_kind).args(of_fields)
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
        let given =
            |id: &str| -> Vec<String> { matches.get_many(id).into_iter().flatten().cloned().collect() };
        let filters = &mut self.0;
        filters.source_types = given("source-type");
        filters.corpora = given("corpus");
        filters.reports = given("report");
        filters.paths = given("path");
        for field in source_type::fields() {
            filters.fields.set(field, given(field.list));
        }
        Ok(())
    }
}
