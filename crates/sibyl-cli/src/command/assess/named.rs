//! Assessments as the command line names them.

use crate::session::Session;
use sibyl_api::command::Nothing;
use sibyl_api::command::assess::AssessList;
use sibyl_api::{ApiError, AssessmentSummary};

/// The number of the assessment that `named` names or numbers.
pub(super) async fn number(session: &Session, named: &str) -> Result<i64, ApiError> {
    find(&session.call::<AssessList>(Nothing {}).await?, named)
}

fn find(all: &[AssessmentSummary], named: &str) -> Result<i64, ApiError> {
    let numbered = named.parse().ok().filter(|number| all.iter().any(|one| one.id == *number));
    if let Some(number) = numbered {
        return Ok(number);
    }
    if let Some(one) = all.iter().find(|one| one.name == named) {
        return Ok(one.id);
    }
    let there: Vec<String> = all.iter().map(|one| format!("{} ({})", one.id, one.name)).collect();
    let cure = if there.is_empty() {
        "make one with `sibyl assess new`".to_owned()
    } else {
        format!("choose one of {}", there.join(", "))
    };
    Err(ApiError::new("not_found", format!("there is no assessment `{named}`; {cure}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn assessment(id: i64, name: &str) -> AssessmentSummary {
        AssessmentSummary {
            id,
            name: name.to_owned(),
            reports: 1,
            requirements: 1,
            decided: 0,
            cells: 1,
            updated_at: String::new(),
        }
    }

    #[test]
    fn an_assessment_is_found_by_number_or_name_and_an_unknown_one_is_answered_with_those_there_are() {
        let all =
            [assessment(1, "Mill 2024"), assessment(2, "2024"), assessment(3, "1"), assessment(4, "Weir")];
        for (named, id) in [("1", 1), ("Mill 2024", 1), ("2024", 2), ("3", 3), ("Weir", 4)] {
            assert_eq!(find(&all, named).unwrap(), id, "{named}");
        }
        for unknown in ["9", "weir", ""] {
            let error = find(&all, unknown).unwrap_err();
            assert_eq!(error.code, "not_found");
            assert!(error.message.contains("1 (Mill 2024), 2 (2024)"), "{}", error.message);
        }
        assert!(find(&[], "Weir").unwrap_err().message.contains("sibyl assess new"));
    }
}
