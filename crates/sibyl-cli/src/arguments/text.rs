//! An argument that is a text may begin with a hyphen: `sibyl search "-167,000"`.

use clap::{Arg, Command};
use std::any::TypeId;

/// `command` with this rule for text, in all its subcommands too. An existing option stays an option.
pub fn with_text(command: Command) -> Command {
    command
        .mut_args(|arg| if is_text(&arg) { arg.allow_hyphen_values(true) } else { arg })
        .mut_subcommands(with_text)
}

fn is_text(arg: &Arg) -> bool {
    let parser = arg.get_value_parser();
    let free = parser.type_id() == TypeId::of::<String>() && parser.possible_values().is_none();
    // A list of words would swallow the options after it.
    let list = arg.is_positional() && arg.get_num_args().is_some_and(|range| range.max_values() > 1);
    free && !list && arg.get_action().takes_values()
}

#[cfg(test)]
mod tests {
    use crate::arguments::{Arguments, Command};
    use sibyl_api::command::document::FactQuery;

    fn read(line: &[&str]) -> Arguments {
        Arguments::read(std::iter::once(&"sibyl").chain(line))
            .unwrap_or_else(|error| panic!("{line:?}: {error}"))
    }

    #[test]
    fn a_text_may_begin_with_a_hyphen() {
        for query in ["-167,000", "-5", "- a list", "-w", "--what is it"] {
            let found = match read(&["search", "--json", "--corpus", "-x", query]).command {
                Command::Search(words) => words.query,
                other => panic!("{other:?}"),
            };
            assert_eq!(found, query);
        }
        match read(&["facts", "-167,000", "GBP", "--document", "3"]).command {
            Command::Facts(words) => {
                let query = FactQuery::from(words);
                assert_eq!((query.text.as_str(), query.document_id), ("-167,000 GBP", Some(3)))
            }
            other => panic!("{other:?}"),
        }
        match read(&["documents", "correct", "12", "--title", "-40 % by 2030"]).command {
            Command::Documents(words) => assert!(format!("{words:?}").contains("-40 % by 2030")),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn an_option_before_or_after_a_text_stays_an_option() {
        for line in
            [&["search", "-k", "3", "-167,000", "--json"], &["search", "-167,000", "--json", "-k", "3"]]
        {
            let arguments = read(line);
            assert!(arguments.common.json);
            match arguments.command {
                Command::Search(words) => assert_eq!((words.query.as_str(), words.top_k), ("-167,000", 3)),
                other => panic!("{other:?}"),
            }
        }
        Arguments::read(["sibyl", "search", "water", "--jsn"]).unwrap_err();
    }
}
