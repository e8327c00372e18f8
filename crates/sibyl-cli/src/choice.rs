//! Options whose values are a closed set of the command list: their names and what `--help` says come from the type.

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use sibyl_api::schema::names;

/// Reads a `T` by its name on the wire; hyphens may stand for its underscores.
pub fn choice<T>() -> impl TypedValueParser<Value = T>
where
    T: DeserializeOwned + JsonSchema + Clone + Send + Sync + 'static,
{
    choice_but("")
}

/// The same without the one called `left_out`.
pub fn choice_but<T>(left_out: &'static str) -> impl TypedValueParser<Value = T>
where
    T: DeserializeOwned + JsonSchema + Clone + Send + Sync + 'static,
{
    let offered = names::<T>().into_iter().filter(|(name, _)| *name != left_out);
    let values = offered.map(|(name, meaning)| {
        let typed = name.replace('_', "-");
        PossibleValue::new(name).alias(typed).help(meaning)
    });
    PossibleValuesParser::new(values)
        .try_map(|typed| named(&typed).or_else(|_| named::<T>(&typed.replace('-', "_"))))
}

/// The `T` with this name on the wire.
///
/// # Errors
/// The names that there are.
pub fn named<T: DeserializeOwned>(name: &str) -> Result<T, serde_json::Error> {
    serde_json::from_value(name.into())
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::{Arg, Command};
    use sibyl_api::{Edition, SignificanceTest};

    fn read<T>(typed: &str) -> Result<T, String>
    where
        T: DeserializeOwned + JsonSchema + Clone + Send + Sync + 'static,
    {
        let command = Command::new("c").arg(Arg::new("of").value_parser(choice::<T>()));
        let found = command.try_get_matches_from(["c", typed]).map_err(|error| error.to_string())?;
        Ok(found.get_one::<T>("of").cloned().unwrap())
    }

    #[test]
    fn a_value_is_read_by_its_name_with_either_dash() {
        assert_eq!(read("t_test"), Ok(SignificanceTest::TTest));
        assert_eq!(read("t-test"), Ok(SignificanceTest::TTest));
        assert_eq!(read("2025-12"), Ok(Edition::Amended));
        let refused = read::<Edition>("2024").unwrap_err();
        assert!(refused.contains("2023-06, 2025-12"), "{refused}");
    }
}
