//! Enums whose values the database stores by name.

/// An unknown name in the database.
#[derive(Debug, thiserror::Error)]
#[error("expected {what} ({}), got `{found}`", expected.join(", "))]
pub(crate) struct UnknownName {
    /// What it should name, with its article.
    pub(crate) what: &'static str,
    /// Names that there are.
    pub(crate) expected: Vec<&'static str>,
    /// The name found.
    pub(crate) found: String,
}

/// Names the variants of an enum for the database, which are their names on the wire as well. Reading an unknown
/// name gives an [`UnknownName`].
macro_rules! named {
    ($kind:ty, $what:literal, $($variant:ident = $name:literal),+ $(,)?) => {
        impl $kind {
            /// Every one of them.
            pub const ALL: &'static [Self] = &[$(Self::$variant),+];

            /// Its name in the database and on the wire.
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$variant => $name),+
                }
            }
        }

        impl rusqlite::types::ToSql for $kind {
            fn to_sql(&self) -> rusqlite::Result<rusqlite::types::ToSqlOutput<'_>> {
                Ok(self.name().into())
            }
        }

        impl rusqlite::types::FromSql for $kind {
            fn column_result(value: rusqlite::types::ValueRef<'_>) -> rusqlite::types::FromSqlResult<Self> {
                let found = value.as_str()?;
                Self::ALL.iter().copied().find(|one| one.name() == found).ok_or_else(|| {
                    let expected = Self::ALL.iter().map(|one| one.name()).collect();
                    let unknown = $crate::named::UnknownName { what: $what, expected, found: found.to_owned() };
                    rusqlite::types::FromSqlError::Other(Box::new(unknown))
                })
            }
        }
    };
}

pub(crate) use named;

#[cfg(test)]
mod tests {
    use crate::error::Error;
    use crate::job::{FileResult, FileState, JobKind, JobState, Stage};
    use crate::table::answer::LoggedOutcome;
    use crate::table::assessment::ProposalState;
    use crate::table::bin::DeletedBecause;
    use crate::table::held::HeldBecause;
    use crate::table::review::ReviewStatus;
    use crate::table::watched_folder::Gone;
    use crate::table::workspace::LabelLanguage;
    use rusqlite::Connection;
    use rusqlite::types::FromSql;
    use serde::Serialize;
    use std::fmt::Debug;

    fn check<T: FromSql + Serialize + Debug + PartialEq + Copy>(all: &[T], name: fn(T) -> &'static str) {
        let connection = Connection::open_in_memory().unwrap();
        let read = |name: &str| connection.query_row("SELECT ?1", [name], |row| row.get::<_, T>(0));
        for &one in all {
            assert_eq!(serde_json::to_value(one).unwrap(), name(one), "on the wire");
            assert_eq!(read(name(one)).unwrap(), one, "in the database");
        }
        let error = Error::from(read("loafing").unwrap_err());
        assert_eq!(error.code(), "damaged");
        let told = error.to_string();
        assert!(told.contains("`loafing`") && all.iter().all(|one| told.contains(name(*one))), "{told}");
    }

    #[test]
    fn a_value_has_one_name_everywhere_and_an_unknown_name_is_told() {
        check(JobKind::ALL, JobKind::name);
        check(JobState::ALL, JobState::name);
        check(Stage::ALL, Stage::name);
        check(FileState::ALL, FileState::name);
        check(FileResult::ALL, FileResult::name);
        check(ReviewStatus::ALL, ReviewStatus::name);
        check(LabelLanguage::ALL, LabelLanguage::name);
        check(LoggedOutcome::ALL, LoggedOutcome::name);
        check(ProposalState::ALL, ProposalState::name);
        check(Gone::ALL, Gone::name);
        check(HeldBecause::ALL, HeldBecause::name);
        check(DeletedBecause::ALL, DeletedBecause::name);
    }
}
